"""Sets of cells as ints, for block patterns and for operations on whole grids at once.

Bit `row * stride + column` stands for a cell. A row has one bit more than cells, and that bit is never set. So a shift
by 1 or by `stride` moves every cell to its neighbour, and `& full` removes cells that leave the grid.

Blocks that hold clues, as in arrowwords: their frame, and blocks that would hold none.

The first row and the first column alternate clue cells and letters, from a clue cell in the corner. So every slot has a
clue cell: the block before it or, if it begins at the edge, the block beside its first letter, with a bent arrow. No
block needs to hold more than two clues; `cpfill.puzzle.clues.clue_cells` assigns the clues.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Cells = int
"""A set of cells of a `Board`."""


class Symmetry(StrEnum):
    """A movement that maps the blocks of a grid onto themselves."""

    ROTATE = "rotate"
    """Half a turn."""
    ROTATE90 = "rotate90"
    """A quarter of a turn."""
    MIRROR = "mirror"
    """Left and right exchanged."""
    DIAGONAL = "diagonal"
    """Rows and columns exchanged."""
    NONE = "none"

    @property
    def needs_square(self) -> bool:
        """Whether only a square can have this symmetry."""
        return self in {Symmetry.ROTATE90, Symmetry.DIAGONAL}


Blame = Mapping[tuple[int, ...], float]
"""Why a grid cannot be filled: the slots to blame, as cells counted row by row, each with its share of 1."""


@dataclass(frozen=True, slots=True)
class BlockPattern:
    """A set of blocks, the seed words with the bit numbers of their cells, and the pairs of cells that bars separate.

    Words are kept in alphabetical order, so patterns are equal if their grids are.
    """

    blocks: Cells
    placed: tuple[tuple[str, range], ...] = ()
    bars: frozenset[tuple[int, int]] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "placed", tuple(sorted(self.placed, key=itemgetter(0))))


class Board:
    """The cells of a grid of a given height and width, and their neighbourhoods."""

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width, self.stride = height, width, width + 1
        self.full: Cells = sum(((1 << width) - 1) << row * self.stride for row in range(height))
        self.steps = (1, self.stride)
        """The shifts to the next cell across and down."""
        first_column = sum(1 << row * self.stride for row in range(height))
        self.edges: dict[int, Cells] = {1: first_column, self.stride: (1 << width) - 1}
        """The first cells of the lines across and down, by their shift."""
        self._orbits_by_cell: dict[Symmetry, dict[int, Cells]] = {}

    def bit(self, row: int, column: int) -> Cells:
        """Return the set of one cell."""
        return 1 << row * self.stride + column

    @property
    def lines(self) -> list[range]:
        """The bit numbers of each row, then of each column."""
        starts = range(0, self.height * self.stride, self.stride)
        rows = [range(start, start + self.width) for start in starts]
        return rows + [range(column, column + starts.stop, self.stride) for column in range(self.width)]

    def windows(self, length: int) -> Iterator[range]:
        """Yield the bit numbers of each `length` consecutive cells of a line."""
        return (line[start : start + length] for line in self.lines for start in range(len(line) - length + 1))

    @property
    def corners(self) -> Cells:
        """The four corners."""
        return sum({self.bit(row, column) for row in (0, self.height - 1) for column in (0, self.width - 1)})

    @property
    def lattices(self) -> list[Cells]:
        """The four lattices: every other cell of every other row."""
        return [
            sum(self.bit(row, column) for row in range(top, self.height, 2) for column in range(left, self.width, 2))
            for top in (0, 1)
            for left in (0, 1)
        ]

    def around(self, cells: Cells) -> Cells:
        """Return all neighbours of `cells`, which may include some of `cells`."""
        across, down = self.steps
        return (cells << across | cells >> across | cells << down | cells >> down) & self.full

    def checked(self, cells: Cells) -> Cells:
        """Return those of `cells` that have a neighbour in `cells` both across and down."""
        across, down = self.steps
        return cells & (cells << across | cells >> across) & (cells << down | cells >> down)

    def runs(self, cells: Cells) -> Iterator[range]:
        """Yield the bit numbers of each maximal run of two or more cells, across and down."""
        digits = self.digits(cells)
        for step in self.steps:
            for start in list_bits(cells & ~(cells << step) & cells >> step):
                stop = start + step
                while digits[stop] == "1":
                    stop += step
                yield range(start, stop, step)

    def digits(self, cells: Cells) -> str:
        """Return a 0 or a 1 for each bit, with one extra row: a string is faster to index than an int."""
        return f"{cells:0{(self.height + 1) * self.stride}b}"[::-1]

    def component(self, cells: Cells) -> Cells:
        """Return one connected component of `cells`, or 0 if `cells` is empty."""
        component, grown = 0, cells & -cells
        while grown != component:
            component, grown = grown, (grown | self.around(grown)) & cells
        return component

    def components(self, cells: Cells) -> list[Cells]:
        """Return the connected components of `cells`."""
        found = []
        while cells:
            found.append(self.component(cells))
            cells &= ~found[-1]
        return found

    def map_orbits(self, symmetry: Symmetry) -> dict[int, Cells]:
        """Return the orbit of each cell, by its bit number: the cell itself and its images under a symmetry."""
        if symmetry not in self._orbits_by_cell:
            orbits = self.orbits(symmetry)
            self._orbits_by_cell[symmetry] = {cell: orbit for orbit in orbits for cell in list_bits(orbit)}
        return self._orbits_by_cell[symmetry]

    def close(self, cells: Cells, symmetry: Symmetry) -> Cells:
        """Return `cells` with all their images under a symmetry."""
        orbits, closed = self.map_orbits(symmetry), 0
        for cell in list_bits(cells):
            closed |= orbits[cell]
        return closed

    def orbits(self, symmetry: Symmetry) -> list[Cells]:
        """Return the sets of cells that must be blocks together, or open together."""
        orbits: dict[Cells, None] = {}
        for row in range(self.height):
            for column in range(self.width):
                orbits[sum({self.bit(*image) for image in self.images(row, column, symmetry)})] = None
        return list(orbits)

    def images(self, row: int, column: int, symmetry: Symmetry) -> list[tuple[int, int]]:
        """Return the images of a cell under a symmetry applied zero times, once, and so on."""
        last_row, last_column = self.height - 1, self.width - 1
        match symmetry:
            case Symmetry.ROTATE:
                return [(row, column), (last_row - row, last_column - column)]
            case Symmetry.ROTATE90:
                turned = [(row, column), (column, last_row - row)]
                return turned + [(last_row - r, last_column - c) for r, c in turned]
            case Symmetry.MIRROR:
                return [(row, column), (row, last_column - column)]
            case Symmetry.DIAGONAL:
                return [(row, column), (column, row)]
            case Symmetry.NONE:
                return [(row, column)]


def list_bits(cells: Cells) -> Iterator[int]:
    """Yield the bit numbers of `cells` in rising order."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


@lru_cache(maxsize=8)
def make_frame(board: Board) -> tuple[Cells, Cells]:
    """Return the blocks and the open cells of the first row and column."""
    edges = board.lines[0], board.lines[board.height]
    open_ = sum(1 << cell for edge in edges for cell in edge[1::2])
    return sum(1 << cell for cell in {cell for edge in edges for cell in edge[::2]}), open_


def find_idle(board: Board, blocks: Cells) -> Cells:
    """Return the blocks that hold no clue: no slot of two or more cells whose clue they could hold begins there."""
    open_, useful = board.full & ~blocks, 0
    for step, other in (board.steps, board.steps[::-1]):
        starts = open_ & ~(open_ << step) & open_ >> step
        useful |= starts >> step | (starts & board.edges[step]) >> other
    return blocks & ~useful


def list_beginnings(board: Board, block: int) -> Iterator[tuple[int, int]]:
    """Yield the first two cells of each possible slot whose clue a block could hold."""
    at = 1 << block
    for step, other in (board.steps, board.steps[::-1]):
        for first in (at << step, at << other & board.edges[step]):
            second = first << step
            if first & board.full and second & board.full:
                yield first.bit_length() - 1, second.bit_length() - 1


def find_uncrossed(board: Board, blocks: Cells) -> Cells:
    """Return the letters outside the first row and column that are in only one slot."""
    open_ = board.full & ~blocks
    return open_ & ~board.checked(open_) & ~board.edges[1] & ~board.edges[board.stride]
