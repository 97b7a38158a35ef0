"""CSV, written alone: a row for each slot, with its place, answer and clue."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from cpfill.formats.exchange.json_record import slot_record
from cpfill.puzzle import Part

if TYPE_CHECKING:
    from cpfill.puzzle import Puzzle

KEEPS = frozenset({Part.CLUES, Part.REBUS, Part.SYMBOLS, Part.BARS})


def write(puzzle: Puzzle) -> bytes:
    """Return the table under its heads."""
    records = [slot_record(puzzle, slot) for slot in puzzle.slots]
    out = io.StringIO()
    table = csv.DictWriter(out, list(records[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(records)
    return out.getvalue().encode()
