"""Slots, cells and parts of a grid as people name them: `17-Across`, `R4C7`, `R1C9:R5C15`, `NE`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cpfill.errors import Fault, InputError, unknown_name
from cpfill.grid import Direction

if TYPE_CHECKING:
    from cpfill.grid import CellId, Grid, Slot

_WAY = r"[\s-]?(?P<way>a|across|d|down)"
_SLOT = re.compile(rf"(?P<number>\d{{1,6}}){_WAY}", re.IGNORECASE | re.ASCII)
_SLOT_AT = re.compile(rf"r(?P<row>\d{{1,4}})c(?P<column>\d{{1,4}}){_WAY}", re.IGNORECASE | re.ASCII)
_CELL = re.compile(r"r(?P<row>\d{1,4})c(?P<column>\d{1,4})", re.IGNORECASE | re.ASCII)


def find_slot(grid: Grid, name: str) -> Slot:
    """Return the slot of a name (`17-Across`, `17A`), or the one through a cell (`R4C7-Down`, `R4C7D`).

    Raises:
        InputError: there is none.
    """
    text = name.strip()
    match = _SLOT.fullmatch(text) or _SLOT_AT.fullmatch(text)
    if match is None:
        raise InputError(Fault("a slot such as 17-Across, or R4C7-Down", f"'{name}'"))
    direction = Direction.ACROSS if match["way"][0] in "aA" else Direction.DOWN
    slots = [slot for slot in grid.slots if slot.direction is direction]
    if "row" in match.groupdict():
        cell = _at(grid, match)
        found = [slot for slot in slots if cell in slot.cells]
        if not found:
            raise InputError(Fault(f"a cell in a slot {direction.lower()}", f"'{name}'"))
        return found[0]
    names = {slot.name: slot for slot in slots}
    wanted = f"{int(match['number'])}-{direction}"
    if wanted not in names:
        raise InputError(unknown_name("a slot of the grid", name, names))
    return names[wanted]


def find_cell(grid: Grid, name: str) -> CellId:
    """Return the open cell of a name such as `R4C7`, row and column from 1.

    Raises:
        InputError: there is none.
    """
    match = _CELL.fullmatch(name.strip())
    if match is None:
        raise InputError(Fault("a cell such as R4C7", f"'{name}'"))
    cell = _at(grid, match)
    if not grid.cells[cell]:
        raise InputError(Fault("an open cell", f"'{name}', a block"))
    return cell


def _at(grid: Grid, match: re.Match[str]) -> CellId:
    row, column = int(match["row"]), int(match["column"])
    if not (1 <= row <= grid.height and 1 <= column <= grid.width):
        raise InputError(Fault(f"a cell from R1C1 to R{grid.height}C{grid.width}", f"'{match[0]}'"))
    return (row - 1) * grid.width + column - 1
