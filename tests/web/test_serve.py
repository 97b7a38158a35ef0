"""`cpfill serve`: the port, the address, the browser, and the end at Ctrl-C."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING

import pytest

from cpfill.web import serve
from cpfill.web.serve import PageServer, keep_token, token_path
from tests.cli.program import COMMAND, environment, program
from tests.web.support import HANG_S, Client, puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.program import Run

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#token=([\w-]{32})\n")
ENDLESS = {"puzzle": puzzle(*["........"] * 8), "seconds": 300, "request": {"words": ["en"]}}


@contextmanager
def served(*args: object) -> Iterator[tuple[subprocess.Popen[str], Client]]:
    """Run the program; what is left of it is killed."""
    command = [*COMMAND, "serve", *map(str, args), "--no-browser"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment()) as process:
        try:
            assert process.stdout is not None
            match = ADDRESS.fullmatch(process.stdout.readline())
            assert match, process.communicate()
            yield process, Client(int(match[1]), match[2])
        finally:
            process.kill()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_with_streams_open(number: signal.Signals, tmp_path: Path) -> None:
    with served(tmp_path, "--port", free_port()) as (process, client):
        streams = [client.stream(f"/api/{name}", ENDLESS) for name in ("solve", "letters")]
        for stream in streams:
            next(stream)
        counting = client.send("POST", "/api/count", ENDLESS)
        half = socket.create_connection(("127.0.0.1", client.port), HANG_S)
        half.sendall(f"POST /api/read HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n".encode())
        half.sendall(f"X-Cpfill-Token: {client.token}\r\nContent-Length: 9\r\n\r\n{{".encode())
        while client.running < 3:
            time.sleep(0.01)
        process.send_signal(number)
        _, said = process.communicate(timeout=HANG_S)
        assert (process.returncode, said) == (130, "")
        counting.close()
        half.close()


def test_the_puzzle_that_is_named_is_opened(tmp_path: Path) -> None:
    with served(tmp_path / "new.ipuz", "--port", free_port()) as (_, client):
        listed = client.ask("GET", "/api/puzzles").record
        assert (listed["directory"], listed["opened"], listed["puzzles"]) == (str(tmp_path), "new.ipuz", [])
        assert client.ask("GET", "/api/puzzles/new.ipuz").status == 404
        new = client.ask("PUT", "/api/puzzles/new.ipuz", puzzle("AB"), {"If-None-Match": "*"})
        assert new.status == 200
        assert client.ask("GET", "/api/puzzles/new.ipuz").headers["ETag"] == new.record["etag"]
        assert (tmp_path / "new.ipuz").stat().st_mode & 0o600 == 0o600


def test_a_text_grid_can_be_opened(tmp_path: Path) -> None:
    (tmp_path / "grid.txt").write_text("A.\n..\n")
    with served(tmp_path / "grid.txt", "--port", free_port()) as (_, client):
        assert client.ask("GET", "/api/puzzles").record["lists"] == []
        assert client.ask("GET", "/api/puzzles/grid.txt").record["cells"] == ["A", "", "", ""]


def test_a_port_that_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that is asked for is an error, the usual one gives way to the next."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        done = program("serve", tmp_path, "--port", port, "--no-browser")
        assert (done.code, done.out) == (2, "")
        (said,) = done.complaints
        assert said == f"cpfill: expected a free port for --port, found {port} at 127.0.0.1 (address already in use)"
        monkeypatch.setattr(serve, "PORT", port)
        page = PageServer.listen(tmp_path)
        with closing(page.listening):
            assert page.port != port


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nowhere"], "nowhere: expected a directory, or a puzzle file, found nothing there"),
        (["nowhere/a.ipuz"], "expected a directory, or a puzzle file, found nothing there"),
        (["list.txt"], "list.txt:"),
        ([".", "--port", "0"], "from 1 to 65535 for --port, found 0"),
        ([".", "--port", "99999"], "for --port, found 99999"),
        ([".", "--host", "no.such.host.invalid"], "expected the name or address of this machine for --host"),
        ([".", "--host", "192.0.2.1", "--port", "8765"], "expected a free port for --port"),
    ],
)
def test_what_makes_no_sense_is_refused(
    args: list[str], said: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "list.txt").write_text("WORD;50\n")
    monkeypatch.chdir(tmp_path)
    done = run("serve", *args, "--no-browser")
    assert (done.code, done.out) == (2, "")
    assert said in done.complaints[0]


def test_other_machines_reach_it_only_when_asked(tmp_path: Path) -> None:
    page = PageServer.listen(tmp_path, port=0)
    with closing(page.listening):
        assert page.local
        assert page.listening.getsockname()[0] == "127.0.0.1"
        hosts = [origin.removeprefix("http://") for origin in page.origins]
        assert hosts == [f"{host}:{page.port}" for host in ("127.0.0.1", "localhost", "[::1]")]
    page = PageServer.listen(tmp_path, host="0.0.0.0", port=0)  # noqa: S104 - as whoever hosts it does
    with closing(page.listening):
        assert not page.local
        assert page.address.startswith(f"http://{socket.gethostname()}:{page.port}/#token=")
        assert f"http://127.0.0.1:{page.port}" in page.origins


def test_each_server_has_a_token_of_its_own(tmp_path: Path) -> None:
    pages = [PageServer.listen(tmp_path, port=0) for _ in range(3)]
    for page in pages:
        page.listening.close()
    assert len({page.token for page in pages}) == 3
    assert all(len(page.token) >= 32 for page in pages)


def test_small_lines_are_not_held_back(tmp_path: Path) -> None:
    """With Nagle's algorithm on, each would wait for the client to acknowledge the one before."""
    page = PageServer.listen(tmp_path, port=0)
    with closing(page.listening):
        server = page.make()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [page.listening]})
        thread.start()
        client = Client(page.port, page.token)
        with closing(client.stream("/api/solve", ENDLESS)) as stream:
            next(stream)
            sockets = [each.transport.get_extra_info("socket") for each in server.server_state.connections]
            assert sockets
            assert all(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in sockets)
        server.should_exit = True
        thread.join(HANG_S)
        assert not thread.is_alive()


def test_a_browser_is_opened_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: SimpleQueue[str] = SimpleQueue()
    monkeypatch.setattr("webbrowser.open", opened.put)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    serve.open_browser("http://127.0.0.1:1/")
    assert opened.empty()
    monkeypatch.setenv("DISPLAY", ":0")
    serve.open_browser("http://127.0.0.1:1/")
    assert opened.get(timeout=HANG_S) == "http://127.0.0.1:1/"


LOADED = """
import sys
sys.argv = ["cpfill", *sys.argv[1:]]
try:
    from cpfill.cli import main
    main()
except SystemExit:
    print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize("args", [["--help"], ["solve", "--help"], ["serve", "--help"]])
def test_no_other_verb_loads_the_server(args: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *args], capture_output=True, text=True, check=True, env=environment()
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "typer" in loaded
    assert not loaded & {"starlette", "uvicorn", "anyio", "h11"}


def test_the_token_is_kept_for_its_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    first = keep_token()
    assert len(first) >= 32
    assert keep_token() == first
    assert token_path().stat().st_mode & 0o777 == 0o600
    token_path().chmod(0o644)  # others may have read it
    second = keep_token()
    assert second != first
    token_path().write_text("short", encoding="ascii")
    assert keep_token() not in {"short", first, second}


def test_where_no_token_can_be_kept_it_is_another_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    assert keep_token() != keep_token()
