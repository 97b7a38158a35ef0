"""The description of the routes: complete, valid, and true of real answers."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.routing import Route

from cpfill.questions.question import QUESTIONS
from cpfill.web.app import make_app
from cpfill.web.guard import MAX_BODY_BYTES
from tests.web.support import puzzle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.support import Answer, Client

PUZZLE = puzzle("A..", ".#.", "...")
MINE = {"words": ["mine.txt"]}
ASKED: dict[str, dict[str, Any]] = {
    "best": {"words": ["ABC"], "slot": "1-Across"},
    "candidates": {"slot": "1-Across"},
    "check": {"puzzle": puzzle("ABC", "D#U", "EYE")},
    "clues": {"words": ["ABC"], "files": ["clues.tsv"]},
    "compare": {"engine": ["fc", "mac"]},
    "generate": {"size": "5x5"},
    "heatmap": {},
    "watch": {"engine": "fc"},
}
WITHOUT_PUZZLE = {"generate", "clues", "heatmap"}


@pytest.fixture
def described(client: Client) -> dict[str, Any]:
    answer = client.ask("GET", "/openapi.json", headers={"X-Cpfill-Token": None})
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    return answer.record


def assert_fits(described: dict[str, Any], schema: Any, value: object) -> None:
    Draft202012Validator({**schema, "components": described["components"]}).validate(value)


def assert_described(described: dict[str, Any], path: str, method: str, answer: Answer) -> None:
    """Assert that an answer has a status, a media type and a content of the description."""
    content = described["paths"][path][method]["responses"][str(answer.status)]["content"]
    media_type = answer.headers["Content-Type"].partition(";")[0]
    records = answer.records if media_type == "application/x-ndjson" else [answer.record]
    for record in records:
        assert_fits(described, content[media_type]["schema"], record)


def test_the_description_is_valid(described: dict[str, Any]) -> None:
    OpenAPIV31SpecValidator(described).validate()


def test_every_route_is_described(described: dict[str, Any], tmp_path: Path) -> None:
    app = make_app(tmp_path, "a token", ["http://127.0.0.1:1"])
    routes = [route for route in app.routes if isinstance(route, Route) and route.path != "/api/{rest:path}"]
    assert len(routes) == len(app.routes) - 1
    expected = {
        (re.sub(r":\w+}", "}", route.path), method.lower())
        for route in routes
        for method in (route.methods or set()) - {"HEAD"}
    }
    found = {(path, method) for path, methods in described["paths"].items() for method in methods}
    assert found == expected
    assert {path.removeprefix("/api/") for path, _ in found} >= QUESTIONS.keys()


def test_every_operation_has_its_request_its_answer_and_its_errors(described: dict[str, Any]) -> None:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"].endswith((".", "`")), path
            assert ("requestBody" in operation) == (method in {"put", "post"}), path
            assert operation["responses"]["200"]["content"]
            assert {"403", "500"} <= operation["responses"].keys()
            assert ("401" in operation["responses"]) == ("security" in operation) == path.startswith("/api/")
            assert ("413" in operation["responses"]) == ("requestBody" in operation)


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_an_answer_to_a_question_fits(client: Client, described: dict[str, Any], folder: Path, name: str) -> None:
    (folder / "clues.tsv").write_text("ABC\tA start\n")
    asked: dict[str, Any] = {"request": MINE, "seconds": 5, **ASKED.get(name, {})}
    if name not in WITHOUT_PUZZLE:
        asked.setdefault("puzzle", PUZZLE)
    operation = described["paths"][f"/api/{name}"]["post"]
    assert_fits(described, operation["requestBody"]["content"]["application/json"]["schema"], asked)
    answer = client.ask("POST", f"/api/{name}", asked)
    assert answer.status == 200, answer.body
    assert_described(described, f"/api/{name}", "post", answer)


def test_the_answers_of_the_other_routes_fit(client: Client, described: dict[str, Any]) -> None:
    one, puzzles = "/api/puzzles/{name}", "/api/puzzles"
    assert_described(described, "/api/about", "get", client.ask("GET", "/api/about"))
    saved = client.ask("PUT", f"{puzzles}/a.ipuz", PUZZLE, {"If-None-Match": "*"})
    assert_described(described, one, "put", saved)
    assert_described(described, puzzles, "get", client.ask("GET", puzzles))
    assert_described(described, "/api/previews", "get", client.ask("GET", "/api/previews"))
    read = client.ask("GET", f"{puzzles}/a.ipuz")
    assert_described(described, one, "get", read)
    tag = {"If-Match": read.headers["ETag"]}
    assert_described(described, one, "post", client.ask("POST", f"{puzzles}/a.ipuz", {"to": "b.ipuz"}, tag))
    assert_described(described, one, "delete", client.ask("DELETE", f"{puzzles}/b.ipuz", headers=tag))
    added = client.ask("PUT", "/api/lists/more.txt", b"ABC;9\n")
    assert_described(described, "/api/lists/{name}", "put", added)
    assert_described(described, "/api/read", "post", client.ask("POST", "/api/read?name=a.txt", b"A..\n.#.\n...\n"))
    converted = client.ask("POST", "/api/convert?losses", {"puzzle": PUZZLE, "to": "puz"})
    assert_described(described, "/api/convert", "post", converted)


def test_errors_fit(client: Client, described: dict[str, Any]) -> None:
    one, name = "/api/puzzles/{name}", "/api/puzzles/a.ipuz"
    statuses = []
    asked: list[tuple[str, object, dict[str, str | None]]] = [
        ("GET", None, {}),
        ("GET", None, {"X-Cpfill-Token": None}),
        ("GET", None, {"Origin": "http://example.org"}),
        ("PUT", {}, {"If-None-Match": "*"}),
        ("PUT", PUZZLE, {"If-Match": '"another"'}),
        ("PUT", b"", {"If-None-Match": "*", "Content-Length": str(MAX_BODY_BYTES + 1)}),
    ]
    for method, body, headers in asked:
        answer = client.ask(method, name, body, headers)
        assert_described(described, one, method.lower(), answer)
        statuses.append(answer.status)
    assert statuses == [404, 401, 403, 400, 412, 413]
    wrong = client.ask("POST", "/api/solve", json.dumps({"puzzle": PUZZLE, "wrong": 1}).encode())
    assert wrong.status == 400
    assert_described(described, "/api/solve", "post", wrong)
