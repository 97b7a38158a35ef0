"""The application hosted behind a proxy that speaks https: it is asked as such proxies ask."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
import uvicorn

from cpfill.base.errors import InputError
from cpfill.testing.conftest import left_behind, work_going_on
from cpfill.web.app import make_app
from tests.web.support import HANG_S, puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = "a long secret"  # noqa: S105 - of this test alone
HOST = "crosswords.example.org"
PASSED_ON = {
    "Host": HOST,
    "X-Forwarded-For": "203.0.113.7",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": HOST,
    "Forwarded": f"for=203.0.113.7;host={HOST};proto=https",
    "Via": "1.1 proxy",
}
PAGE = {**PASSED_ON, "Origin": f"https://{HOST}", "Sec-Fetch-Site": "same-origin", "X-Cpfill-Token": TOKEN}
ASKED = {"puzzle": puzzle("A..", ".#.", "..."), "request": {"words": ["mine.txt"]}}


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    """Yield the port at which uvicorn answers with its own defaults."""
    before = work_going_on()
    app = make_app(folder, TOKEN, [f"https://{HOST}:443/", "https://other.example.org:8443"])
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        server = uvicorn.Server(uvicorn.Config(app, ws="none", log_level="critical", timeout_graceful_shutdown=0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join(HANG_S)
    assert left_behind(before) == []


def ask(  # noqa: PLR0917 - as http.client has them, and the port
    port: int, method: str, path: str, headers: dict[str, str], body: object = None, version: int = 11
) -> tuple[int, http.client.HTTPMessage, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG_S)
    connection._http_vsn = version  # type: ignore[attr-defined]
    connection._http_vsn_str = f"HTTP/{version / 10}"  # type: ignore[attr-defined]
    with closing(connection):
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, response.headers, response.read()


@pytest.mark.parametrize("version", [10, 11])  # nginx speaks 1.0 by default
def test_the_page_asks_through_a_proxy(port: int, version: int) -> None:
    status, headers, body = ask(port, "GET", "/", PASSED_ON, version=version)
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert b"main.js" in body
    status, _, body = ask(port, "GET", "/api/puzzles", PAGE, version=version)
    assert (status, json.loads(body)["lists"]) == (200, ["mine.txt"])
    saved = {**PAGE, "If-None-Match": "*"}
    name = f"a{version}.ipuz"
    status, headers, _ = ask(port, "PUT", f"/api/puzzles/{name}", saved, ASKED["puzzle"], version)
    assert status == 200
    assert ask(port, "GET", f"/api/puzzles/{name}", PAGE, version=version)[1]["ETag"] == headers["ETag"]
    status, headers, body = ask(port, "POST", "/api/letters", PAGE, ASKED, version)
    first, *_, last = map(json.loads, body.splitlines())
    assert (status, first["fillable"], last["done"]) == (200, True, True)
    assert headers["X-Accel-Buffering"] == "no"  # nginx would keep lines back until there are many
    assert "Location" not in headers


def test_a_link_from_another_site_leads_to_the_page_alone(port: int) -> None:
    """As a class has it on the page of its course."""
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert ask(port, "GET", "/", {**PASSED_ON, **followed})[0] == 200
    assert ask(port, "GET", "/api/about", {**PAGE, **followed})[0] == 403
    for changed in ({"Sec-Fetch-Dest": "iframe"}, {"Sec-Fetch-Mode": "no-cors"}, {"Origin": "https://example.org"}):
        assert ask(port, "GET", "/", {**PASSED_ON, **followed, **changed})[0] == 403


def test_what_a_proxy_says_of_others_is_not_believed(port: int) -> None:
    """The host and the origin are those of the request itself."""
    for changed in (
        {"Host": f"127.0.0.1:{port}"},
        {"Host": f"{HOST}:8443"},
        {"Host": "example.org", "X-Forwarded-Host": HOST},
        {"Origin": f"http://{HOST}"},
        {"Origin": "https://example.org"},
    ):
        assert ask(port, "GET", "/api/about", {**PAGE, **changed})[0] == 403, changed
    assert ask(port, "GET", "/api/about", {**PAGE, "X-Cpfill-Token": "another"})[0] == 401
    other = {"Host": "other.example.org:8443", "Origin": "https://other.example.org:8443"}
    assert ask(port, "GET", "/api/about", {**PAGE, **other})[0] == 200


@pytest.mark.parametrize(
    "origin",
    ["", HOST, f"ftp://{HOST}", f"https://{HOST}/grids", "https://", f"https://{HOST}:x", "https://mots-croisés.fr"],
)
def test_what_is_no_origin_is_refused(origin: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected an origin such as https://crosswords\.example\.org"):
        make_app(tmp_path, TOKEN, [origin])
