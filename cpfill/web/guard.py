"""Guards the application: which requests are answered, and how long their bodies may be and take.

Any page open in the same browser, and any program of the machine, can reach a port of loopback. So each request is
checked before anything else: its Host (a foreign name may point to this machine), its Origin and Sec-Fetch-Site (which
a page cannot forge), and for `/api/` its token, which no other page knows.
"""

from __future__ import annotations

import asyncio
import hmac
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException

from cpfill.base.errors import expected, quote_value
from cpfill.base.texts import ENGLISH, say, speak
from cpfill.web.streams import answer

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

API = "/api/"
TOKEN_HEADER = "X-Cpfill-Token"  # noqa: S105 - the name of a header

_PORTS = {"http": 80, "https": 443}

MAX_BODY_BYTES = 1 << 20
"""The maximum size of a question or a puzzle; the largest grid takes 0.7 MB."""

MAX_FILE_BYTES = 10 << 20
"""The maximum size of a file to read."""

BODY_S = 15.0
"""The time that a body may take to arrive."""

_SAFE = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; font-src 'self'; connect-src 'self'; "
        "frame-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Passes requests on to an application, or refuses them.

    `origins` are the addresses of the page, as `check_origin` returns them. Only their hosts, ports included, are
    allowed; Starlette's own check of hosts ignores ports.
    """

    def __init__(self, app: ASGIApp, token: str, origins: Collection[str]) -> None:
        self._app = app
        self._token = token.encode()
        self._origins = set(origins)
        self._hosts = {origin.partition("://")[2] for origin in self._origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":  # there is no route for anything else
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _SAFE.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        speak(Headers(scope=scope).get("Accept-Language", ENGLISH))
        refusal = self._refuse(scope)
        app = self._app if refusal is None else refusal
        await app(scope, receive, send_safely)

    def _refuse(self, scope: Scope) -> Response | None:
        """Return the response to a refused request."""
        headers = Headers(scope=scope)
        in_api = scope["path"].startswith(API)
        hosts = headers.getlist("Host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return _refusal(403, say("expected the host that the page is served from, found another"))
        origin = headers.get("Origin")
        if origin is not None and origin.lower() not in self._origins:
            return _refusal(403, say("expected a request of the page itself, found one of another origin"))
        if _is_foreign(headers, in_api=in_api):
            return _refusal(403, say("expected a request of the page itself, found one of another site"))
        given = headers.get(TOKEN_HEADER, "").encode("latin-1")
        if in_api and not hmac.compare_digest(given, self._token):
            said = say("expected the token that stands in the address of the page, found none or another")
            return _refusal(401, said)
        return None


def check_origin(origin: str) -> str:
    """Return an origin as browsers send it: in lower case, without the default port."""
    try:
        parts = urlsplit(origin.lower())
        usual = _PORTS.get(parts.scheme)
        valid = usual and parts.hostname and parts.path in {"", "/"} and origin.isascii()
        port = parts.port
    except ValueError:
        valid = None
    if not valid:
        raise expected("an origin such as https://crosswords.example.org", quote_value(origin))
    host = parts.netloc if port != usual else parts.netloc.rpartition(":")[0]
    return f"{parts.scheme}://{host}"


def _is_foreign(headers: Headers, *, in_api: bool) -> bool:
    """Return whether a request comes from another site; links and typed addresses may lead to the page only."""
    site = headers.get("Sec-Fetch-Site")
    if site in {"same-origin", None}:
        return False
    return in_api or not (site == "none" or _follows_link(headers))


def _follows_link(headers: Headers) -> bool:
    """Return whether the request follows a link to the page itself, which has no secrets; any site may link to it."""
    return (headers.get("Sec-Fetch-Mode"), headers.get("Sec-Fetch-Dest")) == ("navigate", "document")


async def read_body(request: Request, most: int = MAX_BODY_BYTES) -> bytes:
    """Return the body of a request."""
    announced = request.headers.get("Content-Length", "")
    if announced.isdecimal() and int(announced[:20]) > most:
        raise _too_long(most)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise _too_long(most)
    except TimeoutError:
        said = say("expected the whole request within {body_s:g} s, found a part of it", body_s=BODY_S)
        raise HTTPException(408, said, {"Connection": "close"}) from None
    return bytes(body)


def _too_long(most: int) -> HTTPException:
    return HTTPException(413, say("expected at most {n} MB, found more", n=most >> 20), {"Connection": "close"})


def _refusal(status: int, said: str) -> Response:
    return answer({"error": said}, status, {"Connection": "close"})
