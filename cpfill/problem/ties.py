"""Ties, a part of rule C4: cells hold the same letter.

    R1C2=R2C1                     two cells
    1-Across=5-Across             the cells of two slots, in their order
    1-Across=5-Across reversed    the second slot read backwards; 1-Across=1-Across reversed is a palindrome
    diagonal                      each cell and its mirror image in the diagonal of a square grid

The letter sets of tied cells are intersected, so that a letter given in one of them is given in all.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import chain, repeat
from operator import and_
from typing import TYPE_CHECKING

from cpfill.base.errors import expected
from cpfill.base.texts import later, say
from cpfill.problem.counts import find_cell_or_slot
from cpfill.puzzle.grid import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cpfill.puzzle.grid import CellId, Grid

Pair = tuple["CellId", "CellId"]

_REVERSED = " reversed"


def add_ties(grid: Grid, texts: Iterable[str], *, repeats: bool) -> Grid:
    """Return the grid with ties as users write them.

    Raises:
        InputError: a tie has another form, names no open cells of the grid, or joins slots of different lengths or
            cells without a common letter; or two slots are to hold one word, which `repeats` alone allows.
    """
    tied = tie_cells(grid, chain.from_iterable(map(parse_tie, texts, repeat(grid))))
    if not repeats:
        _check_slots(tied)
    return tied


def parse_tie(text: str, grid: Grid) -> list[Pair]:
    """Return the pairs of cells of a tie as users write it; raises the same as `add_ties`."""
    if text.strip().lower() == "diagonal":
        return list(_mirror(grid))
    left, _, right = text.strip().partition("=")
    if not (left.strip() and right.strip()):
        raise expected("a tie such as R1C2=R2C1, 1-Across=5-Across reversed or diagonal", f"'{text:.60}'")
    ones = find_cell_or_slot(grid, left)
    others = find_cell_or_slot(grid, right.removesuffix(_REVERSED))
    if len(ones) != len(others):
        raise expected("as many cells on both sides of {text:.60}", f"{len(ones)}, {len(others)}", text=text.strip())
    if right.endswith(_REVERSED):
        others = others[::-1]
    return list(zip(ones, others, strict=True))


def _mirror(grid: Grid) -> Iterator[Pair]:
    """Yield each open cell above the diagonal with its mirror image."""
    if grid.height != grid.width:
        raise expected("a square grid for the tie diagonal", f"{grid.height} x {grid.width}")
    for cell in range(len(grid.cells)):
        row, column = divmod(cell, grid.width)
        mirrored = column * grid.width + row
        if row < column and (grid.cells[cell] or grid.cells[mirrored]):
            yield cell, mirrored


def tie_cells(grid: Grid, pairs: Iterable[Pair]) -> Grid:
    """Return the grid with more ties; cells that are tied get the letters that all of them may hold.

    In a filled grid all letters stay, so that an audit finds the fault.

    Raises:
        InputError: a tied cell is a block or a rebus cell, or tied cells have no common letter.
    """
    ties = set(grid.ties)
    for one, other in pairs:
        for cell in (one, other):
            if not grid.cells[cell] or cell in grid.rebus:
                raise expected("tied cells that are open and hold one letter", grid.name_cell(cell))
        if one != other:
            ties.add((min(one, other), max(one, other)))
    tied = replace(grid, ties=frozenset(ties))
    if tied.givens.count("") == tied.cells.count(BLOCK):
        return tied
    return replace(tied, cells=_share_letters(tied))


def _share_letters(grid: Grid) -> tuple[int, ...]:
    """Return the cells of a grid; tied cells have the letters that all of them may hold."""
    cells = list(grid.cells)
    for cell, group in grid.tied.items():
        cells[cell] = reduce(and_, map(grid.cells.__getitem__, group))
        if not cells[cell]:
            names = ", ".join(map(grid.name_cell, group))
            told = ", ".join(map(grid.alphabet.members, map(grid.cells.__getitem__, group)))
            raise expected("a letter that the tied cells {names:.60} may all hold", told[:60], names=names)
    return tuple(cells)


def _check_slots(grid: Grid) -> None:
    """Check that no two slots hold one word."""
    holding: dict[tuple[CellId, ...], str] = {}
    for slot in grid.slots:
        cells = tuple(grid.tied.get(cell, (cell,))[0] for cell in slot.cells)
        other = holding.setdefault(cells, slot.name)
        if other != slot.name:
            told = later("--repeats, because ties let {other} and {slot} hold one word")
            raise expected(told, say("none"), other=other, slot=slot.name)
