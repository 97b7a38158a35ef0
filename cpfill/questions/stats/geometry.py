"""The geometry of a grid, regardless of its letters: words by length, blocks, cheaters, symmetry, parts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.puzzle.grid import BLOCK
from cpfill.questions.generate.board import Board, Symmetry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.puzzle.grid import CellId, Grid


@dataclass(frozen=True, slots=True)
class GridFigures:
    """The figures of a grid.

    Attributes:
        height: the number of rows.
        width: the number of columns.
        lengths: the number of words of each length in cells, shortest first.
        blocks: the number of blocks.
        open_cells: the number of open cells.
        clear_cells: the number of open cells that touch no block, not even at a corner.
        checked_cells: the number of open cells in two words.
        cheaters: the blocks that can be opened, together with their images under the symmetry, without changing the
            number of words. If there are several symmetries, the first counts; without one, each block is opened alone.
        symmetries: the symmetries of blocks and bars.
        parts: the sizes of the connected parts, largest first.
    """

    height: int
    width: int
    lengths: Mapping[int, int]
    blocks: int
    open_cells: int
    clear_cells: int
    checked_cells: int
    cheaters: tuple[CellId, ...]
    symmetries: tuple[Symmetry, ...]
    parts: tuple[int, ...]

    @property
    def words(self) -> int:
        """The number of words."""
        return sum(self.lengths.values())

    @property
    def average_length(self) -> float | None:
        """The average length of a word; `None` if there are no words."""
        cells = sum(length * count for length, count in self.lengths.items())
        return cells / self.words if self.words else None

    @property
    def block_share(self) -> float:
        """The share of blocks among all cells."""
        return self.blocks / (self.height * self.width)

    @property
    def checked_share(self) -> float | None:
        """The share of checked cells among open cells; `None` if there are no open cells."""
        return self.checked_cells / self.open_cells if self.open_cells else None


def describe_grid(grid: Grid) -> GridFigures:
    """Return the figures of a grid."""
    symmetries = find_symmetries(grid)
    blocks = grid.cells.count(BLOCK)
    return GridFigures(
        height=grid.height,
        width=grid.width,
        lengths=dict(sorted(Counter(len(slot.cells) for slot in grid.slots).items())),
        blocks=blocks,
        open_cells=len(grid.cells) - blocks,
        clear_cells=len(grid.cells) - len(_touch_blocks(grid)),
        checked_cells=len(grid.crossings),
        cheaters=_find_cheaters(grid, symmetries[0] if symmetries else Symmetry.NONE),
        symmetries=symmetries,
        parts=tuple(map(len, find_parts(grid))),
    )


def find_symmetries(grid: Grid) -> tuple[Symmetry, ...]:
    """Return the symmetries of the blocks and bars of a grid."""
    square = grid.height == grid.width
    possible = [one for one in Symmetry if one is not Symmetry.NONE and (square or not one.needs_square)]
    return tuple(one for one in possible if not any(find_asymmetries(grid, one)))


def find_asymmetries(grid: Grid, symmetry: Symmetry) -> tuple[list[CellId], list[CellId]]:
    """Return the blocks that a symmetry maps to open cells, and the cells before bars whose image has no bar."""
    moved = [images[1] for images in _list_images(grid, symmetry)]
    blocks = [cell for cell, letters in enumerate(grid.cells) if letters == BLOCK and grid.cells[moved[cell]] != BLOCK]
    lost = [bar for bar in sorted(grid.bars) if tuple(sorted(moved[cell] for cell in bar)) not in grid.bars]
    return blocks, [one for one, _ in lost]


def _list_images(grid: Grid, symmetry: Symmetry) -> list[list[CellId]]:
    """Return for each cell its images under repeated application of a symmetry; the cell itself comes first."""
    board = Board(grid.height, grid.width)
    cells = (divmod(cell, grid.width) for cell in range(len(grid.cells)))
    images = (board.images(row, column, symmetry) for row, column in cells)
    return [[row * grid.width + column for row, column in each] for each in images]


def find_parts(grid: Grid) -> list[list[CellId]]:
    """Return the cells of each connected part of a grid, largest first; bars separate cells.

    Parts of equal size are in the order of their first cells.
    """
    runs = find_cell_runs(grid)
    parts = [sorted({cell for id_ in part for cell in runs.slots[id_].cells}) for part in runs.components]
    parts += [[cell] for cell, letters in enumerate(grid.cells) if letters != BLOCK and cell not in runs.slots_at]
    return sorted(parts, key=lambda part: (-len(part), part))


def find_cell_runs(grid: Grid) -> Grid:
    """Return the grid with every run of two or more cells as a slot."""
    return replace(grid, min_slot_length=2, open_slots=frozenset())


def _touch_blocks(grid: Grid) -> set[CellId]:
    """Return the blocks, and the cells around them."""
    touched: set[CellId] = set()
    for cell, letters in enumerate(grid.cells):
        if letters == BLOCK:
            row, column = divmod(cell, grid.width)
            for near in range(max(0, row - 1), min(grid.height, row + 2)):
                start = near * grid.width
                touched.update(range(start + max(0, column - 1), start + min(grid.width, column + 2)))
    return touched


def _find_cheaters(grid: Grid, symmetry: Symmetry) -> tuple[CellId, ...]:
    images = _list_images(grid, symmetry)
    return tuple(
        cell
        for cell, letters in enumerate(grid.cells)
        if letters == BLOCK and count_new_words(grid, sorted(set(images[cell]))) == 0
    )


def count_new_words(grid: Grid, blocks: Sequence[CellId]) -> int:
    """Return the change in the number of words if some blocks are opened."""
    opened: set[CellId] = set()
    new = 0
    for cell in blocks:
        row = range(cell - cell % grid.width, cell - cell % grid.width + grid.width)
        column = range(cell % grid.width, len(grid.cells), grid.width)
        for line in (row, column):
            at = line.index(cell)
            before, after = (_measure_run(grid, cell, way, opened) for way in (line[:at][::-1], line[at + 1 :]))
            new += before + 1 + after >= grid.min_slot_length
            new -= (before >= grid.min_slot_length) + (after >= grid.min_slot_length)
        opened.add(cell)
    return new


def _measure_run(grid: Grid, cell: CellId, following: Iterable[CellId], opened: set[CellId]) -> int:
    """Return the number of open cells that follow a cell, up to a block or a bar."""
    length = 0
    for other in following:
        blocked = grid.cells[other] == BLOCK and other not in opened
        if blocked or (min(cell, other), max(cell, other)) in grid.bars:
            break
        length, cell = length + 1, other
    return length
