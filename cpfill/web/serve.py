"""The server: its socket, its address, its token, uvicorn, and the browser that opens the page.

The token of a user's own pages is kept, so that an open page continues when the server is started again.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import sys
import threading
import webbrowser
from contextlib import closing, suppress
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import TYPE_CHECKING, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cpfill.base.errors import Fault, InputError, expected, tell_reason
from cpfill.base.files import IS_WINDOWS, open_handle, user_directory
from cpfill.base.texts import say
from cpfill.web.app import make_app

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator
    from pathlib import Path

_BYTES = 24
_TOKEN = re.compile(r"[\w-]{32}", re.ASCII)
_OTHERS = 0 if IS_WINDOWS else 0o077  # Windows keeps others out of a home, and shows no such bits


def token_path() -> Path:
    """Return the path of the token: `$XDG_STATE_HOME/cpfill/token`, by default in `~/.local/state`."""
    return user_directory("XDG_STATE_HOME", ".local/state") / "token"


def make_token() -> str:
    """Return a token that nobody can guess."""
    return token_urlsafe(_BYTES)


def keep_token() -> str:
    """Return the saved token, or a new token if the file is missing or readable by other users."""
    path = token_path()
    try:
        known = "" if path.stat().st_mode & _OTHERS else path.read_text(encoding="ascii")
    except (OSError, ValueError):
        known = ""  # no token was saved yet
    if _TOKEN.fullmatch(known):
        return known
    token = make_token()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with os.fdopen(open_handle(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(token)
    except OSError:
        pass  # only this server knows the token
    return token


LOOPBACK = "127.0.0.1"

PORT = 8765
"""The default port; if it is taken, the next free one serves."""

_PORTS_TRIED = 20

_BACKLOG = 256

_CONNECTIONS = 256
"""The maximum number of connections. A further one replaces an idle one; if all are being answered, it is refused."""

_IDLE_S = 75
"""The time that a connection stays open without a request: people think for longer than a second."""

_HEAD_BYTES = 1 << 14
"""The maximum size of a request's head."""

_HEAD_S = 10.0
"""The time that the head of a request may take to arrive, from its first byte on."""

_WILDCARDS = {"0.0.0.0", "::"}  # noqa: S104 - they are looked for, not bound to


class _Connection(H11Protocol):
    """A connection: until it has sent a whole request, it is closed if it takes too long or its place is needed."""

    since_s = 0.0
    """When it was made, or answered last."""
    _silent = True
    _due: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether none of its requests waits for an answer."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def rank(self) -> tuple[bool, float]:
        """The lowest is closed first; a connection that has sent nothing yet may be about to ask."""
        return self._silent, self.since_s

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin; if there are too many connections, close another."""
        super().connection_made(transport)
        self.since_s = self.loop.time()
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, transport.close)
        there = [one for one in cast("set[_Connection]", self.connections) if not one.transport.is_closing()]
        waiting = sorted((one for one in there if one.waits), key=lambda one: one.rank)
        for one in waiting[: max(0, len(there) + 1 - _CONNECTIONS)]:
            one.transport.close()

    def data_received(self, data: bytes) -> None:
        """Read on; for a limited time if this is part of a head, or of a body that no request waits for."""
        super().data_received(data)
        self._silent = False
        if not self.waits:
            self._stop_clock()
        elif self._due is None:
            self._due = self.loop.call_later(_HEAD_S, self.transport.close)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self.since_s = self.loop.time()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self._stop_clock()

    def _stop_clock(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None


@dataclass(frozen=True)
class PageServer:
    """A server that already listens, and answers once it runs."""

    directory: Path
    opened: str | None
    """The name of the puzzle to begin with."""
    listening: socket.socket
    host: str
    """The name that it was asked to listen at."""
    token: str
    """The token that every request must send; it is part of the address."""

    @classmethod
    def listen(
        cls, directory: Path, opened: str | None = None, *, host: str = LOOPBACK, port: int | None = None
    ) -> PageServer:
        """Return a server that listens at a port, by default at the usual one or the next free one."""
        listening = _listen(host, port)
        local = _is_loopback(listening.getsockname()[0])
        return cls(directory, opened, listening, host, keep_token() if local else make_token())

    @property
    def port(self) -> int:
        """The port."""
        return int(self.listening.getsockname()[1])

    @property
    def origins(self) -> list[str]:
        """The addresses of the page; the first is printed."""
        return [f"http://{_in_address(name)}:{self.port}" for name in _names_of(self.host)]

    @property
    def address(self) -> str:
        """The address of the page. No browser sends the part after the #."""
        return f"{self.origins[0]}/#token={self.token}"

    @property
    def local(self) -> bool:
        """Whether only this machine can reach it."""
        return _is_loopback(self.listening.getsockname()[0])

    def make(self) -> uvicorn.Server:
        """Return the server: `run(sockets=[listening])`."""
        app = make_app(self.directory, self.token, self.origins, self.opened)
        return uvicorn.Server(
            uvicorn.Config(
                app,
                loop="asyncio",
                http=_Connection,
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=_CONNECTIONS,
                h11_max_incomplete_event_size=_HEAD_BYTES,
                timeout_keep_alive=_IDLE_S,
                timeout_graceful_shutdown=0,  # streams are cut: each closes its search
            )
        )

    def run(self) -> None:
        """Answer until SIGINT or SIGTERM, which comes again at the end."""
        with closing(self.listening):
            self.make().run(sockets=[self.listening])


def open_browser(address: str) -> None:
    """Open a page in the browser, if there is a screen; in a thread, because some browsers take their time."""
    if sys.platform == "linux" and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        return
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _listen(host: str, port: int | None) -> socket.socket:
    try:
        (family, _, _, _, address), *_ = socket.getaddrinfo(host, port or PORT, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as exc:
        got = f"'{host}' ({tell_reason(exc)})"
        raise expected("the name or address of this machine for --host", got) from None
    for tried in [port] if port is not None else [*range(PORT, PORT + _PORTS_TRIED), 0]:
        # With its protocol named: asyncio turns Nagle's algorithm off for TCP alone, and looks there.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            # Windows would let two servers share a port; it has an option of its own against that.
            reuse = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
            listening.setsockopt(socket.SOL_SOCKET, reuse, 1)
            listening.bind((address[0], tried))
            listening.listen(_BACKLOG)
        except OSError as exc:
            listening.close()
            reason = tell_reason(exc)
        else:
            return listening
    wanted = say("a free port") if port is None else say("a free port for --port")
    raise InputError(Fault(wanted, say("{port} at {host} ({reason})", port=port or PORT, host=host, reason=reason)))


def _names_of(host: str) -> Iterator[str]:
    """Yield the names of the machine under which the page is reached, the one to print first."""
    if host in _WILDCARDS:
        names = [socket.gethostname()]
        with suppress(OSError):
            names += [str(found[4][0]) for found in socket.getaddrinfo(names[0], None, type=socket.SOCK_STREAM)]
    else:
        names = [host]
    if host in _WILDCARDS or _is_loopback(host):
        names += ["127.0.0.1", "localhost", "::1"]
    yield from dict.fromkeys(names)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _in_address(name: str) -> str:
    return f"[{name}]" if ":" in name else name
