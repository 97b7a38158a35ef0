"""Slots, cells and regions of a grid by name: `17-Across`, `R4C7`, `R1C9:R5C15`, `NE`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, InputError
from cpfill.base.texts import say
from cpfill.puzzle.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Collection

    from cpfill.puzzle.grid import CellId, Grid, Slot

_WAY = r"[\s-]?(?P<way>a|across|d|down)"
_SLOT = re.compile(rf"(?P<number>\d{{1,6}}){_WAY}", re.IGNORECASE | re.ASCII)
_SLOT_AT = re.compile(rf"r(?P<row>\d{{1,4}})c(?P<column>\d{{1,4}}){_WAY}", re.IGNORECASE | re.ASCII)
_CELL = re.compile(r"r(?P<row>\d{1,4})c(?P<column>\d{1,4})", re.IGNORECASE | re.ASCII)
_QUADRANTS = {"NW", "NE", "SW", "SE"}


def find_slot(grid: Grid, name: str) -> Slot:
    """Return the slot with a name (`17-Across`, `17A`), through a cell (`R4C7-Down`, `R4C7D`), or with a word in it.

    Raises:
        InputError: the grid has no such slot.
    """
    text = name.strip()
    match = _SLOT.fullmatch(text) or _SLOT_AT.fullmatch(text)
    if match is None:
        slot = _find_holder(grid, text)
        if slot is None:
            raise InputError(Fault(say("a slot such as 17-Across or R4C7-Down, or a word in the grid"), f"'{name}'"))
        return slot
    direction = Direction.ACROSS if match["way"][0] in "aA" else Direction.DOWN
    slots = [slot for slot in grid.slots if slot.direction is direction]
    if "row" in match.groupdict():
        cell = _at(grid, match)
        found = [slot for slot in slots if cell in slot.cells]
        if not found:
            raise InputError(Fault(say("a cell in a slot {direction}", direction=direction.lower()), f"'{name}'"))
        return found[0]
    numbered = {slot.number: slot for slot in slots}
    wanted = int(match["number"])
    if wanted not in numbered:
        is_open = any(way is direction and grid.numbers[cell] == wanted for way, cell in grid.open_slots)
        expected = say(
            "a slot of the grid ({direction}: {numbered})",
            direction=direction.lower(),
            numbered=", ".join(map(str, numbered)),
        )
        raise InputError(Fault(expected, f"'{name}'{', which is open' if is_open else ''}"))
    return numbered[wanted]


def _find_holder(grid: Grid, word: str) -> Slot | None:
    """Return the first slot that is completely filled with a word, if there is one."""
    folded = grid.alphabet.fold(word)
    return next((slot for slot in grid.slots if folded and grid.given_word(slot) == folded), None)


def find_cell(grid: Grid, name: str) -> CellId:
    """Return the open cell with a name such as `R4C7`; rows and columns count from 1.

    Raises:
        InputError: the grid has no such open cell.
    """
    match = _CELL.fullmatch(name.strip())
    if match is None:
        raise InputError(Fault(say("a cell such as R4C7"), f"'{name}'"))
    cell = _at(grid, match)
    if not grid.cells[cell]:
        raise InputError(Fault(say("an open cell"), say("'{name}', a block", name=name)))
    return cell


def find_region(grid: Grid, names: str) -> frozenset[CellId]:
    """Return the open cells of slots, cells, rectangles (`R1C9:R5C15`) and quadrants (`NE`), separated by commas.

    The word in a slot also names it. If a side is odd, quadrants include its middle row or column.

    Raises:
        InputError: the grid has no such part, or a part has no open cell.
    """
    return frozenset[int]().union(*(_find_part(grid, name.strip()) for name in names.split(",")))


def _find_part(grid: Grid, name: str) -> frozenset[CellId]:
    corners = [_CELL.fullmatch(corner.strip()) for corner in name.split(":")]
    rows, columns = range(0), range(0)
    if name.upper() in _QUADRANTS:
        rows, columns = _half(grid.height, last=name[0] in "sS"), _half(grid.width, last=name[1] in "eE")
    elif len(corners) <= 2 and corners[0] and corners[-1]:
        (top, left), (bottom, right) = (divmod(_at(grid, corner), grid.width) for corner in (corners[0], corners[-1]))
        rows = range(min(top, bottom), max(top, bottom) + 1)
        columns = range(min(left, right), max(left, right) + 1)
    elif _SLOT.fullmatch(name) or _SLOT_AT.fullmatch(name) or _find_holder(grid, name):
        return frozenset(find_slot(grid, name).cells)
    else:
        expected = say("a slot (17-Across), a word in the grid, a rectangle (R1C9:R5C15) or a quadrant (NE)")
        raise InputError(Fault(expected, f"'{name:.60}'"))
    cells = (row * grid.width + column for row in rows for column in columns)
    found = frozenset(cell for cell in cells if grid.cells[cell])
    if not found:
        raise InputError(Fault(say("a part of the grid with an open cell"), f"'{name:.60}'"))
    return found


def _half(side: int, *, last: bool) -> range:
    """Return the first or the last half of a side, including the middle of an odd side."""
    return range(side // 2, side) if last else range((side + 1) // 2)


def clear_cells(grid: Grid, cells: Collection[CellId]) -> Grid:
    """Return the grid without the givens in some cells; fixed givens and letter sets of several letters stay."""
    free = {cell for cell in cells if grid.cells[cell].bit_count() == 1} - grid.fixed
    full = grid.alphabet.full
    return replace(grid, cells=tuple(full if cell in free else one for cell, one in enumerate(grid.cells)))


def open_slots(grid: Grid, slots: Collection[Slot]) -> Grid:
    """Return the grid with some slots open: they need not be words."""
    opened = {(slot.direction, slot.cells[0]) for slot in slots}
    return replace(grid, open_slots=grid.open_slots.union(opened))


def _at(grid: Grid, match: re.Match[str]) -> CellId:
    row, column = int(match["row"]), int(match["column"])
    if not (1 <= row <= grid.height and 1 <= column <= grid.width):
        raise InputError(
            Fault(say("a cell from R1C1 to R{height}C{width}", height=grid.height, width=grid.width), f"'{match[0]}'")
        )
    return (row - 1) * grid.width + column - 1
