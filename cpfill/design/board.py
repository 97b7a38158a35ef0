"""Block patterns as sets of cells (ints); the rules of styles, and flaws.

Bit `row * stride + column` stands for a cell. A row has one bit more than cells, and that bit is never set. So a shift
by 1 or by `stride` moves every cell to its neighbour, and `& full` removes cells that leave the grid.

In an arrowword the first row and the first column alternate clue cells and letters, from a clue cell in the corner. So
every slot has a clue cell: the block before it or, if it begins at the edge, the block beside its first letter, with a
bent arrow. No block needs to hold more than two clues; `cpfill.puzzle.clues` assigns the clues.

Flaws are features that no rule forbids but printed grids of a style seldom have. The least flawed pattern wins. A
cheater is a block whose removal does not change the number of words: neither across nor down does it have open cells on
both sides. American grids in newspapers have few cheaters, no squares of blocks, and at most 78 words at 15x15, or 140
at 21x21. British grids have about 30 words at 15x15, few of them of 3 letters, and no large clumps of blocks. Barred
grids have about 36 words at 12x12, of 5.5 letters or more on average, and at most two thirds of their cells checked. In
an arrowword few clue cells are adjacent, few letters are in only one word, and few words have two letters or more than
nine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import TYPE_CHECKING

from cpfill.base.reading import choice_reader, name_reader
from cpfill.base.texts import later

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
class Style:
    """Rules for the blocks of a grid. `dataclasses.replace` derives one style from another.

    A run of open cells is a slot if it has two or more cells (one or more if `min_slot_length` is 1).

    Attributes:
        symmetry: the symmetry of the blocks.
        usual: the usual range of the share of blocks in such grids.
        min_slot_length: the length of the shortest slot.
        connected: a path leads from any open cell to any other, and each open cell is in a slot.
        checked: every open cell is in two slots.
        lattice: every other cell of every other row is a block. A slot of n cells has at least n // 2 checked cells
            (half of them, rounded down), and never three unchecked cells in a row.
        apart: no two blocks are adjacent, and no corner is a block.
        barred: there are no blocks, and bars end slots. A run is a slot or a single cell. A slot has at most
            `count_most_unchecked` unchecked cells, never two in a row.
        clue_cells: blocks hold clues. The first row and column alternate blocks and letters, from a block in the
            corner, and a slot of two or more cells begins beside every block.
    """

    symmetry: Symmetry
    usual: tuple[float, float]
    min_slot_length: int = 2
    connected: bool = True
    checked: bool = False
    lattice: bool = False
    apart: bool = False
    barred: bool = False
    clue_cells: bool = False

    @property
    def forbidden_runs(self) -> range:
        """The lengths that no run of open cells may have."""
        return range(1 if self.checked else 2, self.min_slot_length)


STYLES = {
    "american": Style(Symmetry.ROTATE, (0.15, 0.18), min_slot_length=3, checked=True),
    "british": Style(Symmetry.ROTATE, (0.26, 0.38), min_slot_length=3, lattice=True),
    "french": Style(Symmetry.NONE, (0.12, 0.20)),
    "japanese": Style(Symmetry.NONE, (0.15, 0.25), apart=True),
    "barred": Style(Symmetry.ROTATE, (0, 0), min_slot_length=4, barred=True),
    "arrow": Style(Symmetry.NONE, (0.22, 0.27), clue_cells=True),
    "free": Style(Symmetry.NONE, (0.20, 0.20), connected=False),
}
"""The styles by name. `free` has no rules: its blocks may be anywhere."""

STYLE = name_reader(later("a style"), STYLES)
"""Reads the name of a style."""

SYMMETRY = choice_reader(later("a symmetry"), Symmetry)
"""Reads a symmetry."""


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
        self.height = height
        self.width = width
        self.stride = width + 1
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
        for line in self.lines:
            for start in range(len(line) - length + 1):
                yield line[start : start + length]

    @property
    def corners(self) -> Cells:
        """The four corners."""
        columns = self.bit(0, 0) | self.bit(0, self.width - 1)
        return columns | columns << (self.height - 1) * self.stride

    @property
    def lattices(self) -> list[Cells]:
        """The four lattices: every other cell of every other row."""
        return [self._draw_lattice(top, left) for top, left in product((0, 1), repeat=2)]

    def _draw_lattice(self, top: int, left: int) -> Cells:
        row = sum(1 << column for column in range(left, self.width, 2))
        return sum(row << number * self.stride for number in range(top, self.height, 2))

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
        component = 0
        grown = cells & -cells
        while grown != component:
            component = grown
            grown = (grown | self.around(grown)) & cells
        return component

    def is_connected(self, cells: Cells) -> bool:
        """Return whether a path leads from any of `cells` to any other."""
        return self.component(cells) == cells

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
            by_cell: dict[int, Cells] = {}
            for orbit in self.orbits(symmetry):
                by_cell.update(dict.fromkeys(list_bits(orbit), orbit))
            self._orbits_by_cell[symmetry] = by_cell
        return self._orbits_by_cell[symmetry]

    def close(self, cells: Cells, symmetry: Symmetry) -> Cells:
        """Return `cells` with all their images under a symmetry."""
        orbits = self.map_orbits(symmetry)
        closed = 0
        for cell in list_bits(cells):
            closed |= orbits[cell]
        return closed

    def orbits(self, symmetry: Symmetry) -> list[Cells]:
        """Return the sets of cells that must be blocks together, or open together."""
        orbits: dict[Cells, None] = {}
        for row in range(self.height):
            for column in range(self.width):
                orbit = 0
                for image in self.images(row, column, symmetry):
                    orbit |= self.bit(*image)
                orbits[orbit] = None
        return list(orbits)

    def images(self, row: int, column: int, symmetry: Symmetry) -> list[tuple[int, int]]:
        """Return the images of a cell under a symmetry applied zero times, once, and so on."""
        last_row = self.height - 1
        last_column = self.width - 1
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
    blocks = open_ = 0
    for edge in (board.lines[0], board.lines[board.height]):
        for cell in edge[::2]:
            blocks |= 1 << cell
        for cell in edge[1::2]:
            open_ |= 1 << cell
    return blocks, open_


def find_idle(board: Board, blocks: Cells) -> Cells:
    """Return the blocks that hold no clue: no slot of two or more cells whose clue they could hold begins there."""
    open_ = board.full & ~blocks
    useful = 0
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


def find_runs(open_: Cells, step: int, length: int) -> Cells:
    """Return the first cells of the runs of exactly `length` cells in one direction."""
    runs = open_ & ~(open_ << step) & ~(open_ >> length * step)
    for steps in range(1, length):
        runs &= open_ >> steps * step
    return runs


def find_longer(open_: Cells, step: int, length: int) -> Cells:
    """Return the cells from which a run continues for more than `length` cells in one direction."""
    found = open_
    for steps in range(1, length + 1):
        found &= open_ >> steps * step
    return found


def has_clue_cells(board: Board, blocks: Cells) -> bool:
    """Return whether the blocks contain the frame of clue cells, and each block holds a clue."""
    held, open_ = make_frame(board)
    return blocks & (held | open_) == held and not find_idle(board, blocks)


def is_lattice(board: Board, blocks: Cells) -> bool:
    """Return whether the blocks contain a lattice, and the slots have enough checked cells."""
    open_ = board.full & ~blocks
    unchecked = open_ & ~board.checked(open_)
    if any(unchecked & unchecked >> step & unchecked >> 2 * step for step in board.steps):
        return False
    return any(not lattice & ~blocks for lattice in board.lattices) and not any(find_unchecked_slots(board, open_))


def find_unchecked_slots(board: Board, open_: Cells) -> Iterator[range]:
    """Yield the slots of a lattice with fewer checked cells than half of their cells, rounded down."""
    checked = board.digits(board.checked(open_))
    for slot in board.runs(open_):
        if checked[slot.start : slot.stop : slot.step].count("1") < len(slot) // 2:
            yield slot


_MOST_WORDS = (0.25, 0.73)
"""Words per cell, and words per row or column: 78 at 15x15, 140 at 21x21."""

_WORDS_OF_LATTICE = (0.06, 0.55)
"""The same for a British grid: about 30 at 15x15."""

_WORDS_OF_BARS = (0.25, 0.0)
"""The same for a barred grid: about 36 at 12x12."""

_LONGEST_OF_ARROWS = 9
"""The usual greatest length of a word in an arrowword."""

MOST_CHECKED = 0.68
"""The share of checked cells that barred grids seldom exceed, because such grids are hard to fill."""

LEAST_AVERAGE = 5.5
"""The usual least average length of the words in a barred grid."""


def count_most_unchecked(length: int) -> int:
    """Return the most unchecked cells in a slot of a barred grid: 1 of 4 or 5, 2 of 6 or 7, 3 of 8 or 9.

    The rule follows Ximenes, "On the Art of the Crossword" (1966), as the British weeklies apply it.
    """
    return max(0, length // 2 - 1)


def count_spare_words(words: int) -> int:
    """Return the tolerated deviation from the usual number of words in a barred grid: 2 of 36."""
    return max(2, words // 15)


def find_cheaters(board: Board, blocks: Cells) -> Cells:
    """Return the blocks that split no word: each has a block or the edge on one side, both across and down."""
    open_ = board.full & ~blocks
    across, down = board.steps
    return blocks & ~(open_ << across & open_ >> across) & ~(open_ << down & open_ >> down)


def find_squares(board: Board, blocks: Cells) -> Cells:
    """Return the upper left cells of squares of two by two blocks."""
    across, down = board.steps
    pairs = blocks & blocks >> across
    return pairs & pairs >> down


def find_inner(board: Board, cells: Cells) -> Cells:
    """Return those of `cells` that have two or more neighbours in `cells`."""
    across, down = board.steps
    left = cells << across
    right = cells >> across
    above = cells << down
    below = cells >> down
    return cells & (left & right | above & below | (left | right) & (above | below))


def find_long(board: Board, blocks: Cells) -> Cells:
    """Return the cells from which a slot continues for longer than is usual in arrowwords."""
    across, down = (find_longer(board.full & ~blocks, step, _LONGEST_OF_ARROWS) for step in board.steps)
    return across | down


def count_short_slots(board: Board, blocks: Cells) -> tuple[int, int]:
    """Return the number of slots of three cells, and the number of those with only one checked cell."""
    open_ = board.full & ~blocks
    checked = board.checked(open_)
    threes = poor = 0
    for step in board.steps:
        starts = find_runs(open_, step, 3)
        middle = checked >> step
        end = checked >> 2 * step
        threes += starts.bit_count()
        poor += (starts & ~(checked & middle | middle & end | checked & end)).bit_count()
    return threes, poor


def count_usual_words(style: Style, height: int, width: int) -> int:
    """Return the usual maximum of words for an American grid, the usual number for a British or barred one."""
    per_cell, per_line = _MOST_WORDS
    if style.lattice:
        per_cell, per_line = _WORDS_OF_LATTICE
    elif style.barred:
        per_cell, per_line = _WORDS_OF_BARS
    return int(per_cell * height * width + per_line * (height + width))
