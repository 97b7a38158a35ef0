"""The slots of a question, read off its rows: nothing of cpfill or of the brute force is used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support import Question


def list_cells(asked: Question) -> list[str]:
    """Return the cells of a question in reading order."""
    return [cell for row in asked.cells for cell in row]


def find_slots(asked: Question) -> list[list[int]]:
    """Return the numbers of the cells of each slot, from 0."""
    height, width = len(asked.cells), len(asked.cells[0])
    cells = list_cells(asked)
    lines = [list(range(row * width, (row + 1) * width)) for row in range(height)]
    lines += [list(range(column, height * width, width)) for column in range(width)]
    slots = []
    for line in lines:
        shape = "".join("x" if cells[cell] else "#" for cell in line)
        runs = [line[slice(*match.span())] for match in re.finditer("x+", shape)]
        slots += [run for run in runs if len(run) >= asked.min_slot_length]
    return slots
