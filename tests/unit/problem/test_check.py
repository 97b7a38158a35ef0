"""What the audit says of wrong fills, rule by rule."""

from __future__ import annotations

from array import array
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import InvalidFillError
from cpfill.base.imports import load_kernel
from cpfill.formats.dialects import parse_grids
from cpfill.problem.check import violations
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Problem
from cpfill.public import solve
from cpfill.words import lexicon as table
from cpfill.words.lexicon import Lexicon
from cpfill.words.packing import KERNELS
from cpfill.words.wordlist import parse_word_list
from tests.support import Question, question
from tests.tables import read_rows

if TYPE_CHECKING:
    from collections.abc import Callable

GRID = ("A..", ".#.", "..[BC]")
WORDS = {"ABA": 9.0, "ACA": 8.0, "AAB": 7.0, "ADB": 6.0, "AXB": 1.0}
ASKED = question(*GRID, words=WORDS, min_score=2.0)


# Letters, slots that are open, the rules that are broken.
FILLS = read_rows("""
ABAC#DAAB  |        |
ABAC#DAA   |        | C1
ABAC#DAABB |        | C1
ABACADAAB  |        | C1 C2 C2
ABAC#?AAB  |        | C1
ABAC#dAAB  |        | C1 C2
ABA##DAAB  |        | C1
ABAC#DAAD  |        | C4 C2 C2
CBAC#DAAB  |        | C4 C2 C2
AAAC#DAAB  |        | C2
AXBC#DAAB  |        | C2 C2
ABAB#DAAB  |        | C3
ABAB#AAAB  |        | C3 C3
AAAA#DAAB  |        | C2 C2 C3
ABAC#DAAB  | A0     |
AXAC#DAAB  | A0     |
AXXC#DAAB  | A0     | C2
AXXC#DAAB  | A0 D2  |
AXXC#DAAX  | A0 D2  | C4 C2
ABAB#DAAB  | D0     |
ABAABDAAB  | A0     | C1 C2 C2 C2
""")
OPEN = {"A0": ("Across", 0, 0), "D2": ("Down", 0, 2), "D0": ("Down", 0, 0)}


def rules(letters: str, asked: Question = ASKED) -> str:
    problem = asked.problem()
    fill = Fill(tuple(letter.strip("#") for letter in letters), problem.grid)
    return " ".join(violation.rule for violation in violations(problem, fill))


@pytest.mark.parametrize(("letters", "opened", "broken"), FILLS)
def test_a_fill_breaks_rules(letters: str, opened: str, broken: str) -> None:
    open_slots = frozenset(OPEN[name] for name in opened.split())
    assert rules(letters, replace(ASKED, open_slots=open_slots)) == broken


@pytest.mark.parametrize(("letters", "broken"), [("ABAB#AAAB", ""), ("AAAC#DAAB", "C2")])
def test_repeats_lift_c3_alone(letters: str, broken: str) -> None:
    assert rules(letters, replace(ASKED, repeats=True)) == broken


@pytest.mark.parametrize(("length", "broken"), [(3, ""), (2, "C2")])
def test_a_short_run_is_not_looked_up(length: int, broken: str) -> None:
    assert rules("ABAZ##", question("...", ".##", words="ABA", min_slot_length=length)) == broken


# Two slots of three letters and one of two that do not cross.
APART = ("...", "###", "...", "###", "..#")
APART_WORDS = {"ABC": 9.0, "CBA": 8.0, "DBC": 8.0, "XYZ": 1.0, "PQR": 2.0, "BC": 7.0, "ST": 9.0}


@pytest.mark.parametrize(
    ("words", "more", "broken"),
    [
        ("ABC XYZ ST", {"no_shared": True, "max_obscure": 1, "below": 2.0, "required": frozenset({"ST"})}, ""),
        ("ABC CBA ST", {"no_shared": True}, "C5"),
        ("ABC CBA ST", {}, ""),
        ("ABC DBC BC", {"no_shared": True}, ""),
        ("ABC ABC ST", {"no_shared": True, "repeats": True}, "C5"),
        ("ABC ABC ST", {"no_shared": True}, "C3 C5"),
        ("ABC XYZ ST", {"max_obscure": 0, "below": 2.0}, "C6"),
        ("ABC XYZ ST", {"max_obscure": 1, "below": 2.0}, ""),
        ("ABC PQR ST", {"max_obscure": 0, "below": 2.0}, ""),
        ("XYZ PQR ST", {"max_obscure": 1, "below": 3.0}, "C6"),
        ("XYZ XYZ ST", {"max_obscure": 1, "below": 3.0, "repeats": True}, "C6"),
        ("XYZ ABC ST", {"max_obscure": 0, "below": 3.0, "min_score": 2.0}, "C2"),
        ("ABC XYZ ST", {"required": frozenset({"PQR"})}, "C7"),
        ("ABC XYZ ST", {"required": frozenset({"PQR", "BC", "ABC"})}, "C7 C7"),
        ("ABC ABC ST", {"repeats": True, "theme": {"ABC": 1.0}}, "C3"),
        ("ABC ABC ST", {"repeats": True, "theme": {"ST": 1.0}}, ""),
    ],
)
def test_words_break_rules_together(words: str, more: dict[str, Any], broken: str) -> None:
    one, other, last = words.split()
    assert rules(f"{one}###{other}###{last}#", question(*APART, words=APART_WORDS, **more)) == broken


def test_a_violation_names_words_and_places() -> None:
    asked = question(*APART, words=APART_WORDS, no_shared=True, max_obscure=0, below=3.0, required=frozenset({"PQR"}))
    problem = asked.problem()
    fill = Fill(tuple("CBA") + ("",) * 3 + tuple("ABC") + ("",) * 3 + ("B", "A", ""), problem.grid)
    found = list(violations(problem, fill))
    assert list(map(str, found)) == [
        "C2: BA is not in your lists (R5C1 across)",
        "C5: CBA and ABC are alike (ABC) (R1C1 across, R3C1 across)",
        "C7: PQR is required but is not in the grid",
    ]
    assert found[0].name_places(problem) == ["3-Across"]


Ranked = tuple[bytes, bytes, bytes]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda rank, *asked: (bytes(code ^ 1 for code in rank(*asked)[0]), *rank(*asked)[1:]),
            "C2: DPH is not",
        ),
        (lambda rank, length, parts, _: rank(length, parts, b""), "C2: CAT is not in your lists"),
        (lambda rank, *asked: (rank(*asked)[0], array("d", [70.0]).tobytes(), rank(*asked)[2]), "says 70 .* worth 60"),
    ],
    ids=["letters", "excluded words", "scores"],
)
def test_an_error_in_the_tables_of_words_is_seen(
    wrong: Callable[..., Ranked], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = [parse_word_list("cat 90\ncog 60"), parse_word_list("cog 50")]
    right = Lexicon(lists, exclude=["CAT"])
    _, (grid,) = parse_grids("...")
    solved = solve(Problem(grid, right), engine="fc")
    assert solved.fill is not None
    assert (solved.fill.rows, solved.value) == (["COG"], (60.0,))
    rank = load_kernel(*KERNELS).rank
    monkeypatch.setattr(table, "load_kernel", lambda *_: SimpleNamespace(rank=lambda *asked: wrong(rank, *asked)))
    with pytest.raises(InvalidFillError, match=message):
        solve(Problem(grid, Lexicon(lists, exclude=["CAT"])), engine="fc")


def test_a_fill_reads_its_slots() -> None:
    problem = ASKED.problem()
    fill = Fill(("A", "B", "A", "C", "", "D", "A", "A", "B"), problem.grid)
    assert [fill.word_at(slot) for slot in problem.slots] == ["ABA", "AAB", "ACA", "ADB"]
    assert fill.value(problem) == (6.0,)
    assert list(fill.words.values()) == ["ABA", "AAB", "ACA", "ADB"]
    assert str(fill) == "ABA\nC#D\nAAB"
    assert repr(fill) == "<Fill 3x3: ABA AAB ACA ADB>"
    assert Fill(("Z",) * 9, problem.grid).value(problem) == (-float("inf"),)


def test_a_grid_of_givens_is_a_fill() -> None:
    _, (grid,) = parse_grids("AB#\nC.[AB]")
    assert Fill.of_grid(grid).letters == ("A", "B", "", "C", "?", "?")
