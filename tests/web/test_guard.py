"""Nobody but the page itself gets an answer, and what is too much is refused."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from cpfill.questions.question import QUESTIONS
from cpfill.web import guard, serve
from tests.web.support import HANG_S

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.support import Client

API = [
    ("GET", "/api/about"),
    ("GET", "/api/puzzles"),
    ("GET", "/api/puzzles/a.ipuz"),
    ("PUT", "/api/puzzles/a.ipuz"),
    ("POST", "/api/puzzles/a.ipuz"),
    ("DELETE", "/api/puzzles/a.ipuz"),
    ("PUT", "/api/lists/a.txt"),
    ("POST", "/api/read"),
    ("POST", "/api/convert"),
    ("GET", "/api/words"),
    ("POST", "/api/words"),
    ("DELETE", "/api/words"),
    *(("POST", f"/api/{name}") for name in QUESTIONS),
    ("GET", "/api/nothing"),
]


FOREIGN = [
    {"Host": "example.org"},
    {"Host": "example.org:{port}"},
    {"Host": "127.0.0.1"},
    {"Host": "127.0.0.1.example.org:{port}"},
    {"Host": "[::ffff:127.0.0.1]:{port}"},
    {"Origin": "http://example.org"},
    {"Origin": "https://127.0.0.1:{port}"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


def test_what_is_foreign_is_refused(client: Client) -> None:
    """On every route, token or not, before anything is read."""
    for method, path in (*API, ("GET", "/"), ("GET", "/index.html")):
        for headers in FOREIGN:
            given = {name: value.format(port=client.port) for name, value in headers.items()}
            answer = client.ask(method, path, headers=given)
            assert answer.status == 403, (path, given)
            assert answer.error.startswith("expected ")
            assert_safe(answer.headers)


def test_without_the_token_there_is_no_answer(client: Client) -> None:
    for method, path in API:
        for token in (None, "", client.token[:-1], f"{client.token}x", "é"):
            answer = client.ask(method, path, headers={"X-Cpfill-Token": token})
            assert answer.status == 401, path
            assert client.token not in answer.error
            assert_safe(answer.headers)
    assert client.ask("GET", "/", headers={"X-Cpfill-Token": None}).status == 200


def test_the_page_itself_is_answered(client: Client) -> None:
    for host in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        own = {"Host": f"{host}:{client.port}", "Origin": client.origin, "Sec-Fetch-Site": "same-origin"}
        answer = client.ask("GET", "/api/about", headers=own)
        assert answer.status == 200
        assert_safe(answer.headers)
        assert answer.headers["Cache-Control"] == "no-store"
    assert client.ask("GET", "/", headers={"Sec-Fetch-Site": "none"}).status == 200
    assert client.ask("GET", "/api/about", headers={"Sec-Fetch-Site": "none"}).status == 403


def test_two_hosts_are_none(client: Client) -> None:
    with socket.create_connection(("127.0.0.1", client.port), HANG_S) as connection:
        lines = ["GET /api/about HTTP/1.1", f"Host: 127.0.0.1:{client.port}", f"Host: 127.0.0.1:{client.port}"]
        connection.sendall("\r\n".join([*lines, f"X-Cpfill-Token: {client.token}", "", ""]).encode())
        assert connection.recv(1 << 12).split()[1] in {b"400", b"403"}


def assert_safe(headers: http.client.HTTPMessage) -> None:
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not [name for name in headers if name.lower().startswith("access-control") or name == "Set-Cookie"]


def test_routes_that_are_none_and_other_methods(client: Client) -> None:
    for method, path, status in [
        ("GET", "/api/nothing", 404),
        ("GET", "/nothing.js", 404),
        ("GET", "/../app.py", 404),
        ("GET", "/%2e%2e/app.py", 404),
        ("GET", "/..%2fapp.py", 404),
        ("GET", "/%2Fetc/passwd", 404),
        ("GET", "/__init__.py", 404),
        ("GET", "/.hidden.js", 404),
        ("GET", "/a%00.js", 404),
        ("DELETE", "/api/puzzles", 405),
        ("OPTIONS", "/api/about", 405),
        ("POST", "/", 405),
        ("GET", "/api/solve", 404),
    ]:
        answer = client.ask(method, path)
        assert answer.status in {status, 404, 405}, path
        assert answer.error
        assert_safe(answer.headers)


def test_files_of_the_page_have_their_types_and_tags(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = client.ask("GET", "/", headers={"X-Cpfill-Token": None})
    assert (index.status, index.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert index.body == client.ask("GET", "/index.html").body
    monkeypatch.setattr("cpfill.web.assets.STATIC", tmp_path)
    (tmp_path / "views").mkdir()
    types = {
        "a.js": "text/javascript; charset=utf-8",
        "views/b.css": "text/css; charset=utf-8",
        "c.html": "text/html; charset=utf-8",
        "d.woff2": "font/woff2",
    }
    for name, media_type in types.items():
        (tmp_path / name).write_text(name)
        answer = client.ask("GET", f"/{name}")
        assert (answer.body.decode(), answer.headers["Content-Type"]) == (name, media_type)
        assert answer.headers["Cache-Control"] == "no-cache"
        assert_safe(answer.headers)
        again = client.ask("GET", f"/{name}", headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status, again.body) == (304, b"")
        (tmp_path / name).write_text("changed")
        changed = client.ask("GET", f"/{name}", headers={"If-None-Match": answer.headers["ETag"]})
        assert (changed.status, changed.body) == (200, b"changed")
    assert client.ask("HEAD", "/a.js").body == b""


@pytest.mark.parametrize(
    ("method", "path", "limit"),
    [
        ("POST", "/api/letters", guard.MAX_BODY_BYTES),
        ("PUT", "/api/puzzles/a.ipuz", guard.MAX_BODY_BYTES),
        ("POST", "/api/read", guard.MAX_FILE_BYTES),
    ],
)
def test_a_body_that_is_too_long_is_refused(client: Client, method: str, path: str, limit: int) -> None:
    """By what it announces, and, where it announces nothing, by what comes."""
    announced = {"Content-Length": str(limit + 1), "If-None-Match": "*"}
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=HANG_S)
    connection.request(method, path, b"", {"X-Cpfill-Token": client.token, **announced})
    response = connection.getresponse()
    assert response.status == 413
    assert "found more" in json.loads(response.read())["error"]
    connection.close()
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=HANG_S)
    headers = {"X-Cpfill-Token": client.token, "If-None-Match": "*", "Transfer-Encoding": "chunked"}
    parts = (b" " * 65_536 for _ in range(limit // 65_536 + 1))
    try:
        connection.request(method, path, parts, headers, encode_chunked=True)
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # it was cut off in the middle
    connection.close()
    assert client.ask("GET", "/api/about").status == 200


def test_a_body_that_does_not_come_is_not_waited_for(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_S", 0.3)
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=HANG_S)
    connection.putrequest("POST", "/api/letters")
    connection.putheader("X-Cpfill-Token", client.token)
    connection.putheader("Content-Length", "100")
    connection.endheaders(b"{")
    response = connection.getresponse()
    assert response.status == 408
    assert "found a part of it" in json.loads(response.read())["error"]
    connection.close()


def test_many_clients_at_once(client: Client) -> None:
    """All are answered, those with half a request apart, who hang without harm to the others."""
    hanging = [socket.create_connection(("127.0.0.1", client.port), HANG_S) for _ in range(20)]
    for each in hanging:
        each.sendall(b"GET /api/about HTTP/1.1\r\nHost: ")
    statuses = []

    def ask() -> None:
        statuses.append(client.ask("GET", "/api/about").status)

    threads = [threading.Thread(target=ask) for _ in range(180)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG_S)
    assert statuses == [200] * 180
    for each in hanging:
        each.close()


WHOLE = "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
HALVES = {
    "nothing": "",
    "half a head": "GET / HTTP/1.1\r\nHost: ",
    "one and a half": WHOLE + "\r\nGET / HT",
    "a body after its answer": WHOLE + "Content-Length: 9999\r\n\r\n{{",
}


@pytest.mark.parametrize("case", HALVES)
def test_however_many_ask_nothing_the_page_gets_in(client: Client, case: str) -> None:
    half = HALVES[case].format(port=client.port).encode()
    idle = [socket.create_connection(("127.0.0.1", client.port), HANG_S) for _ in range(300)]
    for each in idle:
        each.sendall(half)
    if b"\r\n\r\n" in half:
        for each in idle:
            with suppress(ConnectionResetError):
                each.recv(1)  # until it is answered it is not idle
    assert [client.ask("GET", path).status for path in ("/", "/main.js", "/api/about")] == [200] * 3
    for each in idle:
        each.close()


@pytest.mark.parametrize("case", [case for case in HALVES if case != "nothing"])
def test_half_a_request_is_not_waited_for(client: Client, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if a byte of it comes now and then."""
    monkeypatch.setattr(serve, "_HEAD_S", 0.3)
    cut, end_s = False, time.monotonic() + HANG_S
    with socket.create_connection(("127.0.0.1", client.port), HANG_S) as slow:
        slow.sendall(HALVES[case].format(port=client.port).encode())
        while not cut and time.monotonic() < end_s:
            time.sleep(0.05)
            try:
                slow.sendall(b"x")
            except (BrokenPipeError, ConnectionResetError):
                cut = True
    assert cut
