"""Puzzles and files of `.puz` in plain data, as the tables of this folder have them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cpfill.puzzle.grid import Direction, split_rows
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from cpfill.puzzle.parts import ClueId

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
BLOCK, EMPTY = "■", "□"
SIGNS: dict[str, str | None] = {BLOCK: None, EMPTY: ""}
puz: Any = import_module("puz")


def _write_cells(puzzle: Puzzle) -> list[str]:
    signs = {answer: sign for sign, answer in SIGNS.items()}
    shown = [signs.get(answer) or str(answer) for answer in puzzle.cells]
    return [" ".join(row) for row in split_rows(shown, puzzle.width)]


def _read_clue(name: str) -> ClueId:
    number, _, direction = name.partition("-")
    return Direction(direction), int(number)


def _name_clues(clues: Any) -> dict[str, Any]:
    return {f"{number}-{direction}": text for (direction, number), text in clues.items()}


def plain(puzzle: Puzzle) -> dict[str, Any]:
    """Return the parts of a puzzle that differ from their default, and the remarks on its file."""
    parts = {
        "cells": _write_cells(puzzle),
        "clues": _name_clues(puzzle.clues),
        "texts": {str(part): text for part, text in puzzle.metadata.items()},
        "drafts": {name: list(texts) for name, texts in _name_clues(puzzle.drafts).items()},
        "bars": [list(bar) for bar in sorted(puzzle.bars)],
        "told": list(puzzle.unread),
    }
    for name in ("circles", "voids", "givens"):
        parts[name] = sorted(getattr(puzzle, name))
    for name in ("letter_sets", "shades", "labels"):
        parts[name] = {str(cell): text for cell, text in getattr(puzzle, name).items()}
    return {name: part for name, part in parts.items() if part}


def puzzle_of(record: dict[str, Any]) -> Puzzle:
    """Return the puzzle of its cells, clues, texts, circles and givens in plain data."""
    rows = [row.split(" ") for row in record["cells"]]
    return Puzzle(
        len(rows),
        len(rows[0]),
        tuple(SIGNS.get(answer, answer) for row in rows for answer in row),
        {_read_clue(name): text for name, text in record.get("clues", {}).items()},
        {PuzzlePart(part): text for part, text in record.get("texts", {}).items()},
        circles=frozenset(record.get("circles", ())),
        givens=frozenset(record.get("givens", ())),
    )


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
