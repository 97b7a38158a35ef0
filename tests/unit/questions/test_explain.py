"""The words for why there is no fill, and the explanations that they come from."""

from __future__ import annotations

import re
from collections import Counter
from contextvars import copy_context
from dataclasses import replace
from typing import Any

import pytest

from cpfill.base.errors import InvalidFillError, UnsupportedError
from cpfill.base.texts import FRENCH, speak
from cpfill.problem.check import violations
from cpfill.problem.result import Limits, Status
from cpfill.public import solve
from cpfill.puzzle.grid import Direction
from cpfill.questions.explain.conflict import Constraint, Kind
from cpfill.questions.explain.explanation import explain, explain_in_steps
from cpfill.questions.explain.wording import draw_conflict, tell, tell_repair
from tests.cli.liars import Scribbler
from tests.support import question
from tests.tables import Case, cases

NAMES = re.compile(r"`[^`]*`|R\d+C\d+|\d+(?:\.\d+)?|\b(?![AHV]\b)[A-Z]+\b")
ENGLISH = re.compile(r"\b(the|of|or|and|no|not|word|words|slot|fill|letter|helps|scores|works?)\b")


def explained(*rows: str, words: Any, **rules: Any) -> Any:
    return explain(question(*rows, words=words, **rules).problem())


@cases("unit/questions/explanations.toml")
def test_an_explanation_names_its_reason(case: Case) -> None:
    rules = dict(case.get("rules", {}))
    rules["required"] = frozenset(rules.get("required", ()))
    explanation = explained(*case["rows"], words=case["words"], **rules)
    lines = tell(explanation)
    said = " ".join(lines)
    assert said.startswith(case.get("begins", ""))
    assert [phrase for phrase in case.get("says", ()) if phrase not in said] == []
    context = copy_context()
    context.run(speak, FRENCH)
    for english, french in zip(lines, context.run(tell, explanation), strict=True):
        assert Counter(NAMES.findall(french)) == Counter(NAMES.findall(english))
        assert not ENGLISH.search(NAMES.sub("", french)), french


def test_a_conflict_has_no_given_too_many() -> None:
    assert explained("CQT", words="CAT DOG").conflict.subset == {Constraint(Kind.SLOT, 0), Constraint(Kind.GIVEN, 1)}


def test_many_letters_are_named_by_the_others() -> None:
    words = [f"{letter}A" for letter in "ABCDEFGHIJKLMNOPQRSTUVWY"]
    said = tell(explained("...", ".##", words=" ".join([*words, "XYZ"])))
    assert "at R1C1 1-Across can have only X, 1-Down any letter but X and Z." in said[0]


def test_no_letters_are_named_that_are_no_word() -> None:
    explanation = explained("T..", "###", "C..", words={"CAT": 90.0, "TAP": 0.0}, min_score=80)
    assert {repair.constraint.kind: repair.reads for repair in explanation.repairs} == {Kind.SLOT: ""}


def test_a_word_may_be_allowed_in_a_narrowed_slot() -> None:
    narrowed = {(Direction.ACROSS, 0): frozenset({"DOG"})}
    explanation = explain(replace(question("C..", words="CAT DOG").problem(), narrowed=narrowed))
    assert "Allowing one word helps: CAT (50) in 1-Across." in tell(explanation)
    (given, slot) = explanation.repairs
    assert tell_repair(explanation.problem, slot) == "Allowing CAT (50) in 1-Across helps."
    assert (given.constraint.kind, given.reads) == (Kind.GIVEN, "D")


def test_a_slot_is_left_open_if_nothing_else_helps() -> None:
    explanation = explained("..", "..", words="AB CD AC")
    assert {repair.constraint.kind for repair in explanation.repairs} == {Kind.SLOT}
    said = tell_repair(explanation.problem, explanation.repairs[0])
    assert said.endswith(" open helps, but it is then no listed word.")


def test_without_time_nothing_is_minimal() -> None:
    said = explain(question("..", "..", words="AB CD").problem(), limits=Limits(time_s=0))
    assert said.status in {Status.UNKNOWN, Status.UNSATISFIABLE}
    assert (said.minimal, said.finished) == (False, False)
    undecided = explain(question("...", "...", words="ABC DEF AD BE CF").problem(), limits=Limits(time_s=0))
    assert (undecided.status, tell(undecided)) == (Status.UNKNOWN, [])


def test_no_step_is_larger_than_the_one_before() -> None:
    problem = question("C..A", "....", "....", "Z..B", words="ABCD EFGH CAAA CBBB").problem()
    sizes = [len(step.conflict.subset) for step in explain_in_steps(problem) if step.conflict]
    assert sizes == sorted(sizes, reverse=True)


def test_a_conflict_is_drawn() -> None:
    said = explained("CQT#", "#[AB]#.", words="CAT DOG", min_slot_length=3)
    rows = draw_conflict(said.problem, said.conflict.subset)
    assert ["".join(sign for sign, _ in row) for row in rows] == ["?Q?#", "#.#."]
    assert [[marked for _, marked in row] for row in rows] == [[True, True, True, False], [False] * 4]


def test_a_letter_set_is_drawn_as_a_star() -> None:
    said = explained("C[XYZ]T", words="CAT")
    assert [sign for sign, _ in draw_conflict(said.problem, said.conflict.subset)[0]] == ["?", "*", "?"]


def test_undecided_parts_are_named() -> None:
    said = explained(".Q.", words="CAT DOG")
    conflict = replace(said.conflict, undecided=frozenset({Constraint(Kind.GIVEN, 1)}))
    doubtful = replace(said, conflict=conflict, repairs=said.repairs[1:])
    assert not doubtful.minimal
    assert "Not proved minimal: this reason may not need R1C2 (Q)." in tell(doubtful)
    assert "Undecided: it may be enough to change R1C2 (Q)." in tell(doubtful)


def test_a_fill_keeps_the_givens_in_no_slot() -> None:
    said = explained("...", "###", "Z##", words="CAT")
    assert said.status is Status.SATISFIED
    assert said.fill.rows == ["CAT", "###", "Z##"]
    assert violations(said.problem, said.fill) == []


@pytest.mark.parametrize("rows", [("...", "###", "..."), ("QQX",)])
@pytest.mark.parametrize("ask", [solve, explain])
def test_an_engine_that_lies_is_caught(rows: tuple[str, ...], ask: Any) -> None:
    problem = question(*rows, words="CAT DOG").problem()
    with pytest.raises(InvalidFillError, match="engine fc produced a wrong fill"):
        ask(problem, engine=Scribbler())


def test_theme_words_with_repeats_are_unsupported() -> None:
    problem = question("...", words="CAT", repeats=True, theme={"CAT": 1.0}).problem()
    with pytest.raises(UnsupportedError, match="theme words and repeats"):
        explain(problem)
