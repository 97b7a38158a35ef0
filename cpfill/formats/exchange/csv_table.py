"""CSV, written alone: a row for each slot, with its first cell, length, answer and clue."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from cpfill.formats.exchange.json_record import describe_slot
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from cpfill.puzzle.puzzle import Puzzle

KEEPS = frozenset({PuzzlePart.CLUES, PuzzlePart.REBUS, PuzzlePart.SYMBOLS, PuzzlePart.BARS})


def write(puzzle: Puzzle) -> bytes:
    """Return the table under its heads."""
    records = [describe_slot(puzzle, slot) for slot in puzzle.slots]
    out = io.StringIO()
    table = csv.DictWriter(out, list(records[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(records)
    return out.getvalue().encode()
