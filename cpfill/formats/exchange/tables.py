"""Tables for scripts, written alone: JSON and CSV, with each slot, its first cell, length, answer and clue."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from cpfill.base.texts import say
from cpfill.formats.registry import Codec
from cpfill.puzzle.parts import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.puzzle.grid import Slot
    from cpfill.puzzle.puzzle import Puzzle


def _describe_slot(puzzle: Puzzle, slot: Slot) -> dict[str, Any]:
    """Return a slot as a record; row and column count from 1, the answer has `?` for a cell without one."""
    row, column = divmod(slot.cells[0], puzzle.width)
    return {
        "direction": slot.direction.lower(),
        "number": slot.number,
        "row": row + 1,
        "column": column + 1,
        "length": slot.length,
        "answer": puzzle.answer(slot),
        "clue": puzzle.clue(slot),
    }


def _write_json(puzzle: Puzzle) -> bytes:
    """Return the file; in `cells` null is a block, "" an empty cell; elsewhere a cell is [row, column], from 1."""

    def locate(cell: int) -> list[int]:
        return [cell // puzzle.width + 1, cell % puzzle.width + 1]

    def list_by_cell(texts: Mapping[int, str]) -> list[list[Any]]:
        return [[*locate(cell), text] for cell, text in sorted(texts.items())]

    record = {
        **{part.value: text for part, text in puzzle.metadata.items()},
        "height": puzzle.height,
        "width": puzzle.width,
        "cells": puzzle.rows,
        say("letter sets"): list_by_cell(puzzle.letter_sets),
        "givens": [locate(cell) for cell in sorted(puzzle.givens)],
        "circles": [locate(cell) for cell in sorted(puzzle.circles)],
        "shades": list_by_cell(puzzle.shades),
        "labels": list_by_cell(puzzle.labels),
        "alternatives": [[*locate(cell), *letters] for cell, letters in sorted(puzzle.alternatives.items())],
        "bars": [[locate(one), locate(other)] for one, other in sorted(puzzle.bars)],
        "voids": [locate(cell) for cell in sorted(puzzle.voids)],
        "slots": [
            {**_describe_slot(puzzle, slot), "drafts": puzzle.drafts.get((slot.direction, slot.number), ())}
            for slot in puzzle.slots
        ],
    }
    return (json.dumps(record, ensure_ascii=False) + "\n").encode()


def _write_csv(puzzle: Puzzle) -> bytes:
    """Return the table under its heads."""
    records = [_describe_slot(puzzle, slot) for slot in puzzle.slots]
    out = io.StringIO()
    table = csv.DictWriter(out, list(records[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(records)
    return out.getvalue().encode()


JSON = Codec(frozenset(PuzzlePart) - {PuzzlePart.STRAYS}, write=_write_json)
CSV = Codec(frozenset({PuzzlePart.CLUES, PuzzlePart.REBUS, PuzzlePart.SYMBOLS, PuzzlePart.BARS}), write=_write_csv)
