"""What puzzles of .ipuz come to: captions, drawings of labels, clues of several slots, lengths that are wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cpfill import solve
from cpfill.formats.pages.style import PageStyle
from cpfill.formats.registry import read_puzzle, write_puzzle
from cpfill.puzzle.parts import PuzzlePart
from cpfill.questions.check import find_remarks
from tests.unit.formats.puzzles import DOWN
from tests.unit.formats.test_readings import REPORTS


def report(name: str) -> Any:
    return read_puzzle(REPORTS / f"{name}.ipuz")


def test_blocks_of_the_solution_are_no_strays() -> None:
    puzzle = report("diagramless")
    assert puzzle.parts[PuzzlePart.STRAYS] == 0
    assert {puzzle.answer(slot) for slot in puzzle.slots} == {"CAT", "OARED", "PEN", "CAP", "ARE", "TEN"}


def test_a_linked_clue_is_written_with_its_label() -> None:
    assert json.loads(write_puzzle(report("clue-label"), "ipuz")[0])["clues"]["Across"] == [
        {"number": 1, "label": "1/4", "clue": "Pet", "continued": [{"direction": "Across", "number": 4}]},
        [4, "See 1"],
    ]


def test_labels_of_cells_are_captions() -> None:
    puzzle = report("labels")
    captions = {puzzle.caption(clue): text for clue, text in puzzle.clues.items() if clue[0] is DOWN}
    assert captions == {"A": "Feline", "B": "Be", "C": "X"}


@pytest.mark.parametrize(
    ("kind", "style", "sign"),
    [("svg", None, b">D</text>"), ("html", None, b">D</text>"), ("latex", None, b"[D][f]"), ("exolve", None, b""),
     ("svg", PageStyle(french=True), b"")],
)  # fmt: skip
def test_labels_of_cells_are_drawn_or_dropped(kind: str, style: PageStyle | None, sign: bytes) -> None:
    data, told = write_puzzle(report("labels"), kind, style)
    assert sign in data
    assert ("dropped 5 cell labels" in told) == (sign == b"")


def test_a_solution_of_labels_leaves_a_grid_to_fill() -> None:
    assert solve(report("cc-blank"), ["ABC", "DEF", "GHI", "ADG", "BEH", "CFI"]).fill is not None


def places_of(across: list[object]) -> list[list[str]]:
    """Return the places of the remarks on clues of a 3x3 grid."""
    record = {
        "kind": ["http://ipuz.org/crossword#1"],
        "puzzle": [[1, 2, 3], [4, 0, 0], [5, 0, 0]],
        "clues": {"Across": across},
    }
    return [remark["at"] for remark in find_remarks(read_puzzle(json.dumps(record).encode()))]


def test_lengths_of_the_file_are_compared_with_answers() -> None:
    assert [remark["at"] for remark in find_remarks(report("enum-mismatch"))] == [["1-Across"], ["4-Across"]]


@pytest.mark.parametrize("text", ["a (3)", "a (2,1)", "a (1-1'1)", "a (3 wds)", "(3) a", "of (1984)", "a (abbr.)"])
def test_right_lengths_are_those_of_all_words(text: str) -> None:
    assert places_of([[1, text]]) == []


@pytest.mark.parametrize("text", ["a (4)", "a (2, 2)", "a (3,3)"])
def test_wrong_lengths_are_remarked(text: str) -> None:
    assert places_of([[1, text]]) == [["1-Across"]]


@pytest.mark.parametrize(("lengths", "places"), [("3,3", []), ("3", [["1-Across", "4-Across"]])])
def test_lengths_of_linked_slots_are_their_sum(lengths: str, places: list[list[str]]) -> None:
    assert places_of([[1, f"1, 4 Both ({lengths})"], [4, "See 1"]]) == places
