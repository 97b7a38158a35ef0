"""The geometry of a grid, regardless of its letters: words by length, blocks, cheaters, symmetry, parts, faults.

A fault is a violation of a style's rules or customs, by name and place; `generate` only counts them. Squares of blocks
and too many words violate only customs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, groupby
from typing import TYPE_CHECKING

from cpfill.design.board import (
    LEAST_AVERAGE,
    MOST_CHECKED,
    Board,
    Symmetry,
    count_most_unchecked,
    count_spare_words,
    count_usual_words,
)
from cpfill.puzzle.clues import match_clue_cells
from cpfill.puzzle.grid import BLOCK

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cpfill.design.board import Cells, Style
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
    lengths = Counter(len(slot.cells) for slot in grid.slots)
    return GridFigures(
        height=grid.height,
        width=grid.width,
        lengths=dict(sorted(lengths.items())),
        blocks=blocks,
        open_cells=len(grid.cells) - blocks,
        clear_cells=_count_clear(grid),
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
    blocks = [cell for cell in _list_blocks(grid) if grid.cells[moved[cell]] != BLOCK]
    lost = []
    for one, other in sorted(grid.bars):
        image = sorted((moved[one], moved[other]))
        if tuple(image) not in grid.bars:
            lost.append(one)
    return blocks, lost


def _list_blocks(grid: Grid) -> list[CellId]:
    return [cell for cell, letters in enumerate(grid.cells) if letters == BLOCK]


def _list_images(grid: Grid, symmetry: Symmetry) -> list[list[CellId]]:
    """Return for each cell its images under repeated application of a symmetry; the cell itself comes first."""
    board = Board(grid.height, grid.width)
    images = []
    for cell in range(len(grid.cells)):
        places = board.images(*divmod(cell, grid.width), symmetry)
        images.append([row * grid.width + column for row, column in places])
    return images


def find_parts(grid: Grid) -> list[list[CellId]]:
    """Return the cells of each connected part of a grid, largest first; bars separate cells.

    Parts of equal size are in the order of their first cells.
    """
    runs = find_cell_runs(grid)
    parts = []
    for part in runs.components:
        cells = chain.from_iterable(runs.slots[id_].cells for id_ in part)
        parts.append(sorted(set(cells)))
    for cell, letters in enumerate(grid.cells):
        if letters != BLOCK and cell not in runs.slots_at:
            parts.append([cell])
    return sorted(parts, key=lambda part: (-len(part), part))


def find_cell_runs(grid: Grid) -> Grid:
    """Return the grid with every run of two or more cells as a slot."""
    return replace(grid, min_slot_length=2, open_slots=frozenset())


def draw_blocks(grid: Grid) -> tuple[Board, Cells]:
    """Return a grid as a board, and its blocks."""
    board = Board(grid.height, grid.width)
    return board, sum(board.bit(*divmod(cell, grid.width)) for cell in _list_blocks(grid))


def _count_clear(grid: Grid) -> int:
    """Return how many cells are no blocks, and have none around them."""
    board, blocks = draw_blocks(grid)
    across, down = board.steps
    blocks |= (blocks << across | blocks >> across) & board.full
    return (board.full & ~(blocks | blocks << down | blocks >> down)).bit_count()


def _find_cheaters(grid: Grid, symmetry: Symmetry) -> tuple[CellId, ...]:
    images = _list_images(grid, symmetry)
    return tuple(cell for cell in _list_blocks(grid) if not _count_new_words(grid, sorted(set(images[cell]))))


def _count_new_words(grid: Grid, blocks: Sequence[CellId]) -> int:
    """Return the change in the number of words if some blocks are opened."""
    opened: set[CellId] = set()
    new = 0
    for cell in blocks:
        first = cell - cell % grid.width
        row = range(first, first + grid.width)
        column = range(cell % grid.width, len(grid.cells), grid.width)
        for line in (row, column):
            at = line.index(cell)
            before = _measure_run(grid, cell, line[:at][::-1], opened)
            after = _measure_run(grid, cell, line[at + 1 :], opened)
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
        length += 1
        cell = other
    return length


_LONGEST_UNCHECKED = 2
"""The most unchecked cells in a row in a grid with a lattice."""


class FaultKind(StrEnum):
    """The kind of a fault. The value is its name."""

    SHORT = "short word"
    UNCHECKED = "unchecked cell"
    HANGING = "word crossed by one letter alone"
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
    found = [*_find_in_words(grid, style), *_find_unchecked(grid, style)]
    found += [*_find_in_blocks(grid, style), *_find_in_whole(grid, style)]
    if style.clue_cells:
        found += _find_in_clue_cells(grid)
    return tuple(StyleFault(kind, at) for kind, at in found)


_Found = tuple[FaultKind, str]


def _list_checked(runs: Grid) -> frozenset[CellId]:
    """Return the cells in two runs."""
    return frozenset(cell for cell, slots in runs.slots_at.items() if len(slots) == 2)


def _find_in_words(grid: Grid, style: Style) -> Iterator[_Found]:
    runs = find_cell_runs(grid)
    names = {slot.cells: slot.name for slot in grid.slots}
    checked = _list_checked(runs)
    for run in runs.slots:
        name = names.get(run.cells, _name_span(grid, run.cells))
        n_checked = len(checked.intersection(run.cells))
        for kind in _judge_word(style, len(run.cells), n_checked):
            yield kind, name
        for cells in _find_unchecked_rows(run.cells, checked):
            if style.lattice and len(cells) > _LONGEST_UNCHECKED:
                yield FaultKind.UNCHECKED_ROW, _name_span(grid, cells)
            if style.barred:
                yield FaultKind.UNCHECKED_PAIR, _name_span(grid, cells)


def _find_unchecked(grid: Grid, style: Style) -> Iterator[_Found]:
    """Yield the unchecked cells, if the style checks every cell."""
    if not style.checked:
        return
    checked = _list_checked(find_cell_runs(grid))
    for cell, letters in enumerate(grid.cells):
        if letters != BLOCK and cell not in checked:
            yield FaultKind.UNCHECKED, grid.name_cell(cell)


def _judge_word(style: Style, length: int, checked: int) -> Iterator[FaultKind]:
    """Yield the faults of a word with this length and this number of checked cells."""
    if length in style.forbidden_runs:
        yield FaultKind.SHORT
    if (style.checked or style.lattice) and checked == 1:
        yield FaultKind.HANGING
    elif style.lattice and checked < length // 2:
        yield FaultKind.LITTLE_CHECKED
    if style.barred and length - checked > count_most_unchecked(length):
        yield FaultKind.TOO_UNCHECKED


def _find_unchecked_rows(run: Sequence[CellId], checked: Collection[CellId]) -> Iterator[list[CellId]]:
    """Yield each row of two or more unchecked cells in a run."""
    for is_checked, group in groupby(run, checked.__contains__):
        cells = list(group)
        if not is_checked and len(cells) > 1:
            yield cells


def _find_in_blocks(grid: Grid, style: Style) -> Iterator[_Found]:
    blocks = set(_list_blocks(grid))
    for cell in sorted(blocks):
        if style.barred:
            yield FaultKind.BLOCK, grid.name_cell(cell)
        if style.apart:
            yield from _find_not_apart(grid, cell, blocks)
        square = [cell, cell + 1, cell + grid.width, cell + grid.width + 1]
        if style.connected and (cell + 1) % grid.width and blocks.issuperset(square):
            yield FaultKind.SQUARE, _name_span(grid, square)
    if style.lattice:
        board, drawn = draw_blocks(grid)
        if all(lattice & ~drawn for lattice in board.lattices):
            yield FaultKind.NO_LATTICE, "grid"


def _find_not_apart(grid: Grid, cell: CellId, blocks: set[CellId]) -> Iterator[_Found]:
    """Yield the blocks just after a block, across and down, and the block itself if it is in a corner."""
    following = [cell + 1] if (cell + 1) % grid.width else []
    for other in blocks.intersection([*following, cell + grid.width]):
        yield FaultKind.ADJACENT, _name_span(grid, (cell, other))
    last = len(grid.cells) - 1
    if cell in {0, grid.width - 1, last - grid.width + 1, last}:
        yield FaultKind.CORNER, grid.name_cell(cell)


def _find_in_clue_cells(grid: Grid) -> Iterator[_Found]:
    blocks = set(_list_blocks(grid))
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
        yield from _find_apart(grid, style)
    if style.symmetry is not Symmetry.NONE:
        yield from _find_asymmetric(grid, style.symmetry)
    usual = count_usual_words(style, grid.height, grid.width)
    if style.checked and len(grid.slots) > usual:
        yield FaultKind.MANY_WORDS, "grid"
    if style.barred:
        yield from _find_unusual(grid, usual)


def _find_apart(grid: Grid, style: Style) -> Iterator[_Found]:
    """Yield the parts of a grid other than the largest, and cells alone."""
    for number, part in enumerate(find_parts(grid)):
        if len(part) == 1 and style.min_slot_length > 1:
            yield FaultKind.LONELY, grid.name_cell(part[0])
        elif number:
            yield FaultKind.APART, _name_span(grid, part)


def _find_asymmetric(grid: Grid, symmetry: Symmetry) -> Iterator[_Found]:
    """Yield the cells whose images under a symmetry differ."""
    if symmetry.needs_square and grid.height != grid.width:
        yield FaultKind.ASYMMETRIC, "grid"
        return
    blocks, bars = find_asymmetries(grid, symmetry)
    for cell in sorted({*blocks, *bars}):
        yield FaultKind.ASYMMETRIC, grid.name_cell(cell)


def _find_unusual(grid: Grid, usual: int) -> Iterator[_Found]:
    """Yield the departures from the customs of barred grids."""
    words = len(grid.slots)
    letters = sum(slot.length for slot in grid.slots)
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
