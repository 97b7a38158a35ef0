"""What the audit says of wrong fills, rule by rule."""

from __future__ import annotations

import pytest

from cpfill.check import violations
from cpfill.fill import Fill
from cpfill.formats import read_grids
from tests.support import Question, question

GRID = ("A..", ".#.", "..[BC]")
WORDS = {"ABA": 9.0, "ACA": 8.0, "AAB": 7.0, "ADB": 6.0, "AXB": 1.0}
ASKED = question(*GRID, words=WORDS, min_score=2.0)


def rules(letters: str, asked: Question = ASKED) -> list[str]:
    fill = Fill(tuple(letter.strip("#") for letter in letters))
    return [violation.rule for violation in violations(asked.problem(), fill)]


def test_a_right_fill_has_no_violation() -> None:
    assert rules("ABAC#DAAB") == []


@pytest.mark.parametrize(
    ("letters", "broken"),
    [
        ("ABAC#DAA", ["C1"]),  # a cell too few
        ("ABAC#DAABB", ["C1"]),  # a cell too many
        ("ABACADAAB", ["C1", "C2", "C2"]),  # a letter on a block
        ("ABAC#?AAB", ["C1"]),
        ("ABAC#dAAB", ["C1", "C2"]),
        ("ABA##DAAB", ["C1"]),  # a hole parts ACA into runs that are too short
        ("ABAC#DAAD", ["C4", "C2", "C2"]),
        ("CBAC#DAAB", ["C4", "C2", "C2"]),
        ("AAAC#DAAB", ["C2"]),
        ("AXBC#DAAB", ["C2", "C2"]),  # AXB scores too little, BDB is no word
        ("ABAB#DAAB", ["C3"]),
        ("ABAB#AAAB", ["C3", "C3"]),
        ("AAAA#DAAB", ["C2", "C2", "C3"]),
    ],
)
def test_a_wrong_fill_breaks_rules(letters: str, broken: list[str]) -> None:
    assert rules(letters) == broken


def test_repeats_lift_c3_alone() -> None:
    lenient = question(*GRID, words=WORDS, min_score=2.0, repeats=True)
    assert rules("ABAB#AAAB", lenient) == []
    assert rules("AAAC#DAAB", lenient) == ["C2"]


def test_a_short_run_is_not_looked_up() -> None:
    assert rules("ABAZ##", question("...", ".##", words="ABA", min_slot_length=3)) == []
    assert rules("ABAZ##", question("...", ".##", words="ABA")) == ["C2"]


def test_a_violation_names_the_place() -> None:
    (broken,) = violations(ASKED.problem(), Fill(("A", "A", "A", "C", "", "D", "A", "A", "B")))
    assert str(broken) == "C2: AAA in row 1 is not in the lexicon"


def test_a_fill_reads_its_slots() -> None:
    problem = ASKED.problem()
    fill = Fill(("A", "B", "A", "C", "", "D", "A", "A", "B"))
    assert [fill.word_at(slot) for slot in problem.slots] == ["ABA", "AAB", "ACA", "ADB"]
    assert fill.value(problem) == 6.0
    assert Fill(("Z",) * 9).value(problem) == -float("inf")


def test_a_grid_of_givens_is_a_fill() -> None:
    _, (grid,) = read_grids("AB#\nC.[AB]")
    assert Fill.of_grid(grid).letters == ("A", "B", "", "C", "?", "?")
