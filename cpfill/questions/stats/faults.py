"""Violations of a style's rules and customs in a grid, by name and place; `generate` only counts them.

The rules are those of `generate.rules` and `generate.bar_model`. Squares of blocks, too many words and the like violate
customs (`generate.flaws`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING

from cpfill.puzzle.clues.clue_cells import match_clue_cells
from cpfill.puzzle.grid import BLOCK
from cpfill.questions.generate.board import Symmetry
from cpfill.questions.generate.flaws import (
    LEAST_AVERAGE,
    MOST_CHECKED,
    count_most_unchecked,
    count_spare_words,
    count_usual_words,
)
from cpfill.questions.stats.geometry import find_asymmetries, find_cell_runs, find_parts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cpfill.puzzle.grid import CellId, Grid
    from cpfill.questions.generate.demands import Style

_LONGEST_UNCHECKED = 2
"""The most unchecked cells in a row in a grid with a lattice."""


class FaultKind(StrEnum):
    """The kind of a fault. The value is its name."""

    SHORT = "short word"
    UNCHECKED = "unchecked cell"
    LITTLE_CHECKED = "word with fewer than half its cells checked"
    UNCHECKED_ROW = "three unchecked cells in a row"
    TOO_UNCHECKED = "word with too many unchecked cells"
    UNCHECKED_PAIR = "two unchecked cells in a row"
    NO_LATTICE = "no lattice of blocks"
    BLOCK = "block"
    ADJACENT = "adjacent blocks"
    CORNER = "block in a corner"
    NO_FRAME = "clue cells and letters do not alternate"
    IDLE = "block without a clue"
    NO_CLUE_CELL = "word without a clue cell"
    APART = "part of its own"
    LONELY = "cell in no word"
    ASYMMETRIC = "no counterpart by symmetry"
    SQUARE = "two by two blocks"
    MANY_WORDS = "more words than usual"
    FEW_WORDS = "fewer words than usual"
    SHORT_WORDS = "words shorter than usual"
    MANY_CHECKED = "more checked cells than usual"


CUSTOMS = frozenset(
    {
        FaultKind.SQUARE,
        FaultKind.MANY_WORDS,
        FaultKind.FEW_WORDS,
        FaultKind.SHORT_WORDS,
        FaultKind.MANY_CHECKED,
    }
)
"""Faults that no rule forbids, though printed grids seldom have them."""


@dataclass(frozen=True, slots=True)
class StyleFault:
    """A violation of a style's rules or customs.

    Attributes:
        kind: the kind of the fault.
        at: its place: a slot, a cell, the first and the last cell of several, or the whole grid.
    """

    kind: FaultKind
    at: str


def find_faults(grid: Grid, style: Style) -> tuple[StyleFault, ...]:
    """Return all violations of a style in a grid."""
    found = [*_find_in_words(grid, style), *_find_in_blocks(grid, style), *_find_in_whole(grid, style)]
    found += _find_in_clue_cells(grid) if style.clue_cells else ()
    return tuple(StyleFault(kind, at) for kind, at in found)


_Found = tuple[FaultKind, str]


def _find_in_words(grid: Grid, style: Style) -> Iterator[_Found]:
    runs = find_cell_runs(grid)
    names = {slot.cells: slot.name for slot in grid.slots}
    checked = {cell for cell, slots in runs.slots_at.items() if len(slots) == 2}
    for run in runs.slots:
        name = names.get(run.cells, _name_span(grid, run.cells))
        if len(run.cells) in style.forbidden_runs:
            yield FaultKind.SHORT, name
        unchecked = len(run.cells) - len(checked.intersection(run.cells))
        if style.lattice and len(run.cells) - unchecked < len(run.cells) // 2:
            yield FaultKind.LITTLE_CHECKED, name
        if style.barred and unchecked > count_most_unchecked(len(run.cells)):
            yield FaultKind.TOO_UNCHECKED, name
        for cells in _find_unchecked_rows(run.cells, checked):
            if style.lattice and len(cells) > _LONGEST_UNCHECKED:
                yield FaultKind.UNCHECKED_ROW, _name_span(grid, cells)
            if style.barred:
                yield FaultKind.UNCHECKED_PAIR, _name_span(grid, cells)
    if style.checked:
        open_cells = (cell for cell, letters in enumerate(grid.cells) if letters != BLOCK)
        yield from ((FaultKind.UNCHECKED, grid.name_cell(cell)) for cell in open_cells if cell not in checked)


def _find_unchecked_rows(run: Sequence[CellId], checked: Collection[CellId]) -> Iterator[list[CellId]]:
    """Yield each row of two or more unchecked cells in a run."""
    for is_checked, group in groupby(run, checked.__contains__):
        cells = list(group)
        if not is_checked and len(cells) > 1:
            yield cells


def _find_in_blocks(grid: Grid, style: Style) -> Iterator[_Found]:
    blocks = {cell for cell, letters in enumerate(grid.cells) if letters == BLOCK}
    last = len(grid.cells) - 1
    for cell in sorted(blocks):
        beside = [cell + 1] if (cell + 1) % grid.width else []
        if style.barred:
            yield FaultKind.BLOCK, grid.name_cell(cell)
        if style.apart:
            for other in blocks.intersection([*beside, cell + grid.width]):
                yield FaultKind.ADJACENT, _name_span(grid, (cell, other))
            if cell in {0, grid.width - 1, last - grid.width + 1, last}:
                yield FaultKind.CORNER, grid.name_cell(cell)
        square = [cell, *beside, cell + grid.width, cell + grid.width + 1]
        if style.connected and beside and blocks.issuperset(square):
            yield FaultKind.SQUARE, _name_span(grid, square)
    if style.lattice and not _has_lattice(grid, blocks):
        yield FaultKind.NO_LATTICE, "grid"


def _has_lattice(grid: Grid, blocks: Collection[CellId]) -> bool:
    """Return whether every other cell of every other row is a block."""
    return any(
        all(
            row * grid.width + column in blocks
            for row in range(top, grid.height, 2)
            for column in range(left, grid.width, 2)
        )
        for top in (0, 1)
        for left in (0, 1)
    )


def _find_in_clue_cells(grid: Grid) -> Iterator[_Found]:
    blocks = {cell for cell, letters in enumerate(grid.cells) if letters == BLOCK}
    for cell in (*range(grid.width), *range(grid.width, len(grid.cells), grid.width)):
        if (cell in blocks) != (sum(divmod(cell, grid.width)) % 2 == 0):
            yield FaultKind.NO_FRAME, grid.name_cell(cell)
    cells, lacking = match_clue_cells(find_cell_runs(grid).slots, blocks, grid.width)
    for cell in sorted(blocks - cells.keys()):
        yield FaultKind.IDLE, grid.name_cell(cell)
    for slot in lacking:
        yield FaultKind.NO_CLUE_CELL, slot.name


def _find_in_whole(grid: Grid, style: Style) -> Iterator[_Found]:
    if style.connected:
        for number, part in enumerate(find_parts(grid)):
            if len(part) == 1 and style.min_slot_length > 1:
                yield FaultKind.LONELY, grid.name_cell(part[0])
            elif number:
                yield FaultKind.APART, _name_span(grid, part)
    if style.symmetry is not Symmetry.NONE:
        if style.symmetry.needs_square and grid.height != grid.width:
            yield FaultKind.ASYMMETRIC, "grid"
        else:
            blocks, bars = find_asymmetries(grid, style.symmetry)
            for cell in sorted({*blocks, *bars}):
                yield FaultKind.ASYMMETRIC, grid.name_cell(cell)
    usual = count_usual_words(style, grid.height, grid.width)
    if style.checked and len(grid.slots) > usual:
        yield FaultKind.MANY_WORDS, "grid"
    if style.barred:
        yield from _find_unusual(grid, usual)


def _find_unusual(grid: Grid, usual: int) -> Iterator[_Found]:
    """Yield the departures from the customs of barred grids."""
    words, letters = len(grid.slots), sum(slot.length for slot in grid.slots)
    spare = count_spare_words(usual)
    if words > usual + spare:
        yield FaultKind.MANY_WORDS, "grid"
    if words < usual - spare:
        yield FaultKind.FEW_WORDS, "grid"
    if letters < LEAST_AVERAGE * words:
        yield FaultKind.SHORT_WORDS, "grid"
    if len(grid.crossings) > MOST_CHECKED * len(grid.cells):
        yield FaultKind.MANY_CHECKED, "grid"


def _name_span(grid: Grid, cells: Sequence[CellId]) -> str:
    return f"{grid.name_cell(cells[0])}-{grid.name_cell(cells[-1])}"
