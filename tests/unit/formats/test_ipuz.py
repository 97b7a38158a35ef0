"""What becomes of every key that the specification of .ipuz names: it is kept, or a line names it.

The keys are those of crosswords, in versions 1 and 2 of the format.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cpfill import solve
from cpfill.formats.pages.style import PageStyle
from cpfill.formats.registry import read_puzzle, write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.questions.check import find_remarks

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
REPORTS = Path(__file__).parents[2] / "reports"

TEXTS = (
    *("copyright", "publisher", "publication", "url", "uniqueid", "title", "intro", "explanation", "annotation"),
    *("author", "editor", "date", "notes", "difficulty", "charset", "origin", "answer", "enumeration"),
)
FIELDS: dict[str, object] = {
    **{name: f"MARK {name}" for name in TEXTS},
    "checksum": ["salt", "hash"],
    "volatile": {"*": ""},
    "saved": [["Q", 0], [0, 0]],
    "zones": [{"rect": [1, 1, 2, 2], "style": {"color": "f00"}}],
    "showenumerations": True,
    "clueplacement": "before",
    "answers": ["MARK"],
    "enumerations": ["3,4"],
    "misses": {"Across": ["MARK"]},
    "com.example:own": "MARK",
}
CLUE_FIELDS: dict[str, object] = {
    "numbers": [1, 3],
    "hints": ["MARK"],
    "image": "http://example.com/mark.png",
    "answer": "MARK",
    "answers": ["MARK"],
    "enumeration": "1-1",
    "enumerations": ["1,1"],
    "references": [{"direction": "Down", "number": 1}],
    "continued": [{"direction": "Across", "number": 3}],
    "see": 3,
    "highlight": True,
    "location": [1, 1],
    "label": "MARK",
}
STYLE_FIELDS: dict[str, object] = {
    "shapebg": "circle",
    "highlight": True,
    "named": "MARK",
    "border": 2,
    "divided": "/",
    "label": "MARK",
    "mark": {"TL": "M"},
    "imagebg": "http://example.com/mark.png",
    "image": "http://example.com/mark.png",
    "slice": [0, 0, 1, 1],
    "barred": "R",
    "dotted": "R",
    "dashed": "R",
    "lessthan": "R",
    "greaterthan": "R",
    "equal": "R",
    "color": "f0a1b2",
    "colortext": "f0a1b2",
    "colorborder": "f0a1b2",
    "colorbar": "f0a1b2",
}
CELL_FIELDS: dict[str, object] = {"value": "Q", "continued": ["Across"], "directions": ["Across"], "given": True}
ANSWERS: dict[str, object] = {
    "a text": "MARK",
    "a number": 7,
    "an object": {"value": "MARK"},
    "a styled object": {"value": "Q", "style": {"color": "f00"}},
    "alternatives": ["A", "B"],
    "one a direction": {"Across": "A", "Down": "B"},
    "a value and another a direction": {"value": "Q", "Down": "B"},
}
DIRECTIONS = (
    *("Across", "Down", "Diagonal", "Diagonal Up", "Diagonal Down Left", "Diagonal Up Left", "Zones", "Clues"),
    "Across:Waagrecht",
)


def ipuz(**fields: Any) -> bytes:
    return json.dumps({"kind": ["http://ipuz.org/crossword#1"], "puzzle": [[1, 2], [3, 0]], **fields}).encode()


def outcome(**fields: Any) -> tuple[dict[str, Any], str]:
    """Return the file that is written of one that is read, and the lines about the one that is read."""
    puzzle = read_puzzle(ipuz(**fields), kind="ipuz")
    data, told = write_puzzle(puzzle, "ipuz")
    assert told == []
    assert read_puzzle(data) == puzzle
    return json.loads(data), "\n".join(puzzle.unread)


def test_without_any_key_nothing_is_told() -> None:
    assert outcome()[1] == ""


@pytest.mark.parametrize("key", FIELDS)
def test_a_field_is_kept_or_named(key: str) -> None:
    record, told = outcome(**{key: FIELDS[key]})
    assert (f"MARK {key}" in json.dumps(record)) != (key in told)


@pytest.mark.parametrize("key", CLUE_FIELDS)
def test_a_field_of_a_clue_is_kept_or_named(key: str) -> None:
    clue = {"number": 1, "clue": "Pet", key: CLUE_FIELDS[key]}
    plain, _ = outcome(clues={"Across": [{"number": 1, "clue": "Pet"}]})
    record, told = outcome(clues={"Across": [clue]})
    assert (record != plain) != (f": {key}" in told)
    assert "Pet" in json.dumps(record)


@pytest.mark.parametrize("key", STYLE_FIELDS)
@pytest.mark.parametrize("shown", [1, "#"])
def test_a_style_is_kept_or_named(key: str, shown: object) -> None:
    def rows(style: dict[str, object]) -> list[object]:
        return [[{"cell": shown, "style": style}, 2], [3, 0]]

    record, told = outcome(puzzle=rows({key: STYLE_FIELDS[key]}))
    plain, _ = outcome(puzzle=rows({}))
    named = "color" if key == "highlight" and shown == "#" else key
    assert (record != plain) != (f": {named}" in told) or (shown, key) == ("#", "barred")  # which ends no slot there


@pytest.mark.parametrize("key", CELL_FIELDS)
def test_a_field_of_a_cell_is_kept_or_named(key: str) -> None:
    record, told = outcome(puzzle=[[{"cell": 1, key: CELL_FIELDS[key]}, 2], [3, 0]])
    assert (record != outcome()[0]) != (f": {key}" in told)


@pytest.mark.parametrize("kind", ANSWERS)
def test_an_answer_is_kept_or_told(kind: str) -> None:
    record, told = outcome(solution=[[ANSWERS[kind], 0], [0, 0]])
    kept = record.get("solution", [[0]])[0][0] in ("MARK", "7", "Q")
    assert kept != ("alternatives" in told)
    assert ("styled" in kind or "and another" in kind) == ("field" in told)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_clue_of_any_direction_is_kept_or_named(direction: str) -> None:
    record, told = outcome(clues={direction: [[1, "MARK"]]})
    kept = "MARK" in json.dumps(record["clues"])
    assert kept == (direction.partition(":")[0] in set(Direction))
    assert kept == ("clue" not in told)
    assert (":" in direction) == ("heading" in told)


def test_another_kind_of_crossword_is_named() -> None:
    kinds = ["http://ipuz.org/crossword#1", "http://ipuz.org/crossword/arrowword#1"]
    assert "arrowword" in outcome(kind=kinds)[1]


@pytest.mark.parametrize("key", ["styles", "clues", "dimensions", "cpfill:work"])
def test_a_field_of_another_type_is_named(key: str) -> None:
    assert key in outcome(**{key: 5})[1]


# What others write


def report(name: str) -> Any:
    return read_puzzle(REPORTS / f"{name}.ipuz")


def test_blocks_of_the_solution_alone_are_blocks() -> None:
    puzzle = report("diagramless")
    assert {puzzle.answer(slot): puzzle.clue(slot) for slot in puzzle.slots} == {
        "CAT": "Pet",
        "OARED": "Rowed",
        "PEN": "Writer",
        "CAP": "Hat",
        "ARE": "Exist",
        "TEN": "Two fives",
    }
    assert puzzle.parts[PuzzlePart.STRAYS] == 0


def test_a_clue_of_several_slots_keeps_its_label() -> None:
    puzzle = report("clue-label")
    assert puzzle.clues == {(ACROSS, 1): "1/4 Pet", (ACROSS, 4): "See 1", (DOWN, 1): "Cat"}
    assert json.loads(write_puzzle(puzzle, "ipuz")[0])["clues"]["Across"] == [
        {"number": 1, "label": "1/4", "clue": "Pet", "continued": [{"direction": "Across", "number": 4}]},
        [4, "See 1"],
    ]


@pytest.mark.parametrize(
    "clue",
    [
        {"number": 1, "clue": "Pet", "continued": [{"direction": "Down", "number": 2}]},
        {"number": 1, "clue": "Pet", "cells": [[1, 1], [2, 1], [3, 1], [2, 1], [2, 2], [2, 3]]},
    ],
)
def test_a_clue_goes_on_in_the_other_direction(clue: dict[str, object]) -> None:
    puzzle = read_puzzle(ipuz(puzzle=[[1, 2, 3], [4, 0, 0], [5, 0, 0]], clues={"Across": [clue]}))
    assert puzzle.clues == {(ACROSS, 1): "1, 2d Pet", (DOWN, 2): "See 1"}
    assert puzzle.unread == ()


def test_a_clue_that_goes_on_nowhere_is_told() -> None:
    clue = {"number": 1, "clue": "Pet", "continued": [{"direction": "Across", "number": 9}]}
    assert outcome(clues={"Across": [clue]})[1] == "left out 1 link of clues"


def test_labels_of_cells_are_kept_and_drawn() -> None:
    puzzle = report("labels")
    assert puzzle.labels == {0: "A", 1: "B", 2: "C", 3: "D", 6: "E"}
    assert {puzzle.caption(clue): text for clue, text in puzzle.clues.items() if clue[0] is DOWN} == {
        "A": "Feline",
        "B": "Be",
        "C": "X",
    }
    assert read_puzzle(write_puzzle(puzzle, "ipuz")[0]) == puzzle
    for name in ("svg", "html"):
        assert b">D</text>" in write_puzzle(puzzle, name)[0]
    assert b"[D][f]" in write_puzzle(puzzle, "latex")[0]
    assert "dropped 5 cell labels" in write_puzzle(puzzle, "exolve")[1]
    assert "dropped 5 cell labels" in write_puzzle(puzzle, "svg", PageStyle(french=True))[1]


def test_labels_of_a_coded_crossword_are_alike() -> None:
    code = [[3, 1, 20], [1, 18, 5], [20, 5, 14]]
    cells = [[1, 1], [2, 1], [3, 1]]
    puzzle = read_puzzle(ipuz(puzzle=code, clues={"Across": [{"number": 3, "clue": "Pet", "cells": cells}, [20, "x"]]}))
    assert list(puzzle.labels.values()) == ["3", "1", "20", "1", "18", "5", "20", "5", "14"]
    assert puzzle.clues[ACROSS, 1] == "Pet"
    assert read_puzzle(write_puzzle(puzzle, "ipuz")[0]) == puzzle


def test_a_clue_goes_to_no_other_slot_than_its_own() -> None:
    rows = {"puzzle": [[1, 2, 3], [4, 0, 0], [5, 0, 0]]}
    across = [{"number": 1, "clue": "bent", "cells": [[1, 1], [2, 1], [2, 2]]}, [4, "mine"]]
    puzzle = read_puzzle(ipuz(**rows, clues={"Across": across}))
    assert puzzle.clues == {(ACROSS, 4): "mine"}
    assert puzzle.unread == ("left out 1 clue: 1 Across",)
    # 4 is here the label of a cell where only a slot down begins, and the number of another slot
    puzzle = read_puzzle(ipuz(puzzle=[[1, 4, 3], ["x", 0, 0], [5, 0, 0]], clues={"Across": [[4, "not mine"]]}))
    assert puzzle.clues == {}
    assert puzzle.unread == ("left out 1 clue: 4 Across",)


def test_cells_of_clues_may_count_from_0() -> None:
    clues = {
        "Clues": [{"clue": "down", "cells": [[1, 0], [1, 1]]}],
        "Across": [{"clue": "x", "cells": [[0, 1], [1, 1]]}],
    }
    assert read_puzzle(ipuz(clues=clues)).clues == {(DOWN, 2): "down", (ACROSS, 3): "x"}


def test_a_solution_of_labels_is_an_empty_grid() -> None:
    puzzle = report("cc-blank")
    assert set(puzzle.cells) == {""}
    assert solve(puzzle, ["ABC", "DEF", "GHI", "ADG", "BEH", "CFI"]).fill is not None
    assert "read no answers: the solution repeats the labels" in puzzle.unread


def test_the_introduction_stands_before_the_notes() -> None:
    assert report("intro").metadata[PuzzlePart.NOTES] == "Read me first."
    assert read_puzzle(ipuz(intro="First.", notes="Then.")).metadata[PuzzlePart.NOTES] == "First.\nThen."


def test_an_enumeration_is_kept_beside_the_same_digit() -> None:
    clue = {"number": 1, "clue": "2 of them", "enumeration": "2"}
    assert read_puzzle(ipuz(clues={"Across": [clue]})).clues == {(ACROSS, 1): "2 of them (2)"}


def test_lengths_that_are_not_those_of_the_answer_are_told() -> None:
    assert [remark["at"] for remark in find_remarks(report("enum-mismatch"))] == [["1-Across"], ["4-Across"]]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        *((text, False) for text in ("a (3)", "a (2,1)", "a (1-1'1)", "a (3 wds)", "(3) a", "of (1984)", "a (abbr.)")),
        *((text, True) for text in ("a (4)", "a (2, 2)", "a (3,3)")),
    ],
)
def test_lengths_are_those_of_all_words(text: str, *, wrong: bool) -> None:
    rows = [[1, 2, 3], [4, 0, 0], [5, 0, 0]]
    assert bool(find_remarks(read_puzzle(ipuz(puzzle=rows, clues={"Across": [[1, text]]})))) == wrong


def test_lengths_of_a_clue_of_several_slots_are_their_sum() -> None:
    rows = [[1, 2, 3], [4, 0, 0], [5, 0, 0]]
    for lengths, remarks in (("3,3", []), ("3", [["1-Across", "4-Across"]])):
        clues = {"Across": [[1, f"1, 4 Both ({lengths})"], [4, "See 1"]]}
        found = find_remarks(read_puzzle(ipuz(puzzle=rows, clues=clues)))
        assert [remark["at"] for remark in found] == remarks
