"""Puzzles and files of `.puz` in plain data, as the tables of this folder have them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cpfill.puzzle.grid import Direction, split_rows
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from cpfill.puzzle.grid import Bar
    from cpfill.puzzle.parts import ClueId

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
BLOCK, EMPTY = "■", "□"
SIGNS: dict[str, str | None] = {BLOCK: None, EMPTY: ""}
puz: Any = import_module("puz")


def read_clue(name: str) -> ClueId:
    number, _, direction = name.partition("-")
    return Direction(direction), int(number)


def name_clue(clue: ClueId) -> str:
    direction, number = clue
    return f"{number}-{direction}"


def read_bars(bars: list[list[int]]) -> frozenset[Bar]:
    return frozenset((one, other) for one, other in bars)


def list_sorted(cells: Any) -> list[Any]:
    return sorted(list(cell) if isinstance(cell, tuple) else cell for cell in cells)


# The argument of a puzzle, how it is read from plain data, and how it is written, by its name in the tables.
Keys = Callable[[Any], Any]
KEYED: dict[str, tuple[str, Keys, Keys]] = {
    "clues": ("clues", read_clue, name_clue),
    "drafts": ("drafts", read_clue, name_clue),
    "texts": ("metadata", PuzzlePart, str),
    "letter_sets": ("letter_sets", int, str),
    "shades": ("shades", int, str),
    "labels": ("labels", int, str),
    "alternatives": ("alternatives", int, str),
}
CELLS: dict[str, Keys] = {"circles": frozenset, "voids": frozenset, "givens": frozenset, "bars": read_bars}


def plain(puzzle: Puzzle) -> dict[str, Any]:
    """Return the parts of a puzzle that differ from their default, and the remarks on its file."""
    signs = {answer: sign for sign, answer in SIGNS.items()}
    shown = [signs.get(answer) or str(answer) for answer in puzzle.cells]
    parts: dict[str, Any] = {"cells": [" ".join(row) for row in split_rows(shown, puzzle.width)]}
    for name, (argument, _, write) in KEYED.items():
        parts[name] = {write(key): text for key, text in getattr(puzzle, argument).items()}
    for name in CELLS:
        parts[name] = list_sorted(getattr(puzzle, name))
    parts["drafts"] = {name: list(texts) for name, texts in parts["drafts"].items()}
    parts["alternatives"] = {name: list(letters) for name, letters in parts["alternatives"].items()}
    parts["told"] = list(puzzle.unread)
    return {name: part for name, part in parts.items() if part}


def puzzle_of(record: dict[str, Any]) -> Puzzle:
    """Return the puzzle of its parts in plain data."""
    rows = [row.split(" ") for row in record["cells"]]
    parts: dict[str, Any] = {"cells": tuple(SIGNS.get(answer, answer) for row in rows for answer in row)}
    for name in KEYED.keys() & record.keys():
        argument, read, _ = KEYED[name]
        parts[argument] = {read(key): text for key, text in record[name].items()}
    for name in CELLS.keys() & record.keys():
        parts[name] = CELLS[name](record[name])
    return Puzzle(len(rows), len(rows[0]), **parts)


def puz_file(fields: dict[str, Any]) -> bytes:
    """Return a `.puz` of two rows and columns, or of other fields, made by puzpy; `sections` are its extensions."""
    file = puz.Puzzle()
    file.width = file.height = 2
    file.solution, file.fill, file.clues = "ABCD", "----", ["c"] * 4
    named = dict(fields)
    file.set_version(named.pop("version", "1.3"))
    sections = named.pop("sections", {})
    file.extensions = {name.encode(): data.encode("latin-1") for name, data in sections.items()}
    for name, value in named.items():
        setattr(file, name, value)
    data: bytes = file.tobytes()
    return data
