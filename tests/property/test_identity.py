"""What tells questions apart: every field of a request and every file that it names."""

from __future__ import annotations

import json
from dataclasses import fields, make_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from cpfill.problem.identity import encode_problem, identify
from cpfill.problem.problem import Objective, Problem
from cpfill.questions.request import FIELDS, Request
from cpfill.testing.questions import questions
from cpfill.web.files import Folder
from cpfill.web.memory import Memory
from tests.tables import cases, read_table

if TYPE_CHECKING:
    from tests.support import Question

WORDS = "AB;9\nBA;8\nCB;7\nBC;6\nAC;5\nCA;4\nBB;3\nABC;9\nBCA;8\nCAB;7\nBAC;6\n"
FILES = {
    "words.txt": WORDS,
    "more.txt": "DD;9\nDDD;9\n",
    "scores.txt": "AB;1\nBC;2\n",
    "values.txt": "A;2\n",
    "fill.txt": "AB\nBC\n",
    "letters.txt": "AB\n..\n",
    "unlisted.txt": "DD\n..\n",
}
CASES = "property/identity_cases.json"
CHANGED: dict[str, Any] = read_table(CASES)["fields"]
AGAIN = {
    "words.txt": WORDS.replace("CA;4", "CC;4"),
    "letters.txt": "BA\n..\n",
    "scores.txt": "AC;1\nBC;2\n",
    "fill.txt": "BA\nAC\n",
}
ONLY_READS = {"dialect"}
"""What says how a grid is written, which no two dialects read as different cells."""
USUAL: dict[str, Any] = {"grid": ["..", ".."], "words": "words.txt"}


def identity(**asked: Any) -> str:
    """Return the identity of a problem, by way of JSON, as files keep it."""
    return json.dumps(identify(Request().updated({**USUAL, **asked}).problem()), sort_keys=True)


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")


def test_every_field_is_changed_here() -> None:
    assert set(CHANGED) | ONLY_READS == set(FIELDS)


@cases(CASES, "fields")
def test_a_field_that_changes_makes_another_question(case: dict[str, dict[str, Any]]) -> None:
    usual = case["usual"]
    assert identity(**usual) == identity(**usual)
    assert identity(**usual) != identity(**{**usual, **case["changed"]})


@cases(CASES, "files")
def test_a_file_that_changes_makes_another_question(case: dict[str, Any]) -> None:
    before = identity(**case["asked"])
    Path(case["file"]).write_text(AGAIN[case["file"]], encoding="utf-8")
    assert identity(**case["asked"]) != before


def test_a_list_of_another_name_makes_no_other_question() -> None:
    Path("copy.txt").write_text(WORDS, encoding="utf-8")
    assert identity(words="copy.txt") == identity()


def test_what_is_narrowed_in_one_slot_is_told_from_another() -> None:
    slots = ["1-Across", "1-Down", "2-Down", "3-Across"]
    told = {identity(slot=[f"{slot}:{term}"]) for slot in slots for term in ("min=5", "min=6", "pattern=A*")}
    assert len(told) == 12


@cases(CASES, "fields")
def test_a_page_tells_questions_apart_as_well(case: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    """The problem that it makes of kept lists and grids is the one that is made anew."""
    usual = case["usual"]
    memory = Memory(Folder(tmp_path))
    for asked in (usual, {**usual, **case["changed"]}, usual):
        request = Request().updated({**USUAL, **asked})
        assert identify(memory.pose(request)) == identify(request.problem())


def test_a_field_of_a_problem_that_is_added_is_told_apart() -> None:
    usual = Request().updated(USUAL).problem()
    posed = {each.name: getattr(usual, each.name) for each in fields(usual)}
    longer = make_dataclass("Longer", [("more", Any)], bases=(Problem,), frozen=True, kw_only=True)
    assert identify(longer(**posed, more=1)) != identify(longer(**posed, more=2))
    with pytest.raises(TypeError, match="expected a value of a type that can be encoded"):
        identify(longer(**posed, more=object()))


def test_sets_and_mappings_have_no_order() -> None:
    assert encode_problem({"a": {3, 1, 2}, "b": 1}) == encode_problem({"b": 1, "a": frozenset([2, 3, 1])})
    assert encode_problem({"a": 1}) != encode_problem({"a": 2})
    assert encode_problem(["a", "b"]) != encode_problem(["b", "a"])


@settings(max_examples=60)
@given(questions(), questions())
def test_questions_of_one_identity_have_one_answer(one: Question, other: Question) -> None:
    """Compare the two questions, and one with a single field of the other."""
    names = ("repeats", "min_score", "no_shared", "max_obscure", "below", *["words"] * (one.alphabet == other.alphabet))
    changed = [replace(one, **{name: getattr(other, name)}) for name in names]
    for first, second in [(one, other), *((one, each) for each in changed)]:
        try:
            problems = [asked.problem(Objective.ANY) for asked in (first, second)]
        except ValueError:  # what is required, the other list lacks
            continue
        if identify(problems[0]) == identify(problems[1]):
            assert first.answer.fills == second.answer.fills
