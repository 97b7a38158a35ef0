"""Own words and their arrangement in a criss-cross: the rules, the value, and bounds on it by counting.

Each word stands once, across or down. All cells hang together, and every run of two or more letters is one of the
words. The weight of the words that stand comes first, then the least area, then the most crossings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cpfill.puzzle.grid import BLOCK, Direction, Grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.base.alphabet import Alphabet

BLOCK_SIGN = "#"
"""A block in the rows of an arrangement."""


class Own(NamedTuple):
    """A word of one's own, folded, and its weight: how much it counts if not all of them find room."""

    word: str
    weight: float = 1.0


class Placement(NamedTuple):
    """A word in a grid: the row and the column of its first letter, from 0, and its direction."""

    word: str
    row: int
    column: int
    direction: Direction

    @property
    def cells(self) -> list[tuple[int, int]]:
        """The row and the column of each letter."""
        steps = range(len(self.word))
        if self.direction is Direction.ACROSS:
            return [(self.row, self.column + step) for step in steps]
        return [(self.row + step, self.column) for step in steps]


@dataclass(frozen=True)
class Wanted:
    """The words of a criss-cross, and how large its grid may be.

    Attributes:
        words: the words, each of two or more letters, no two alike.
        size: the rows and columns of the grid; by default any, and the least area is sought.
        most: whether words may be left out if they do not fit, or do not hang together: the greatest weight is sought.
    """

    words: tuple[Own, ...]
    size: tuple[int, int] | None = None
    most: bool = False


@dataclass(frozen=True)
class Arrangement:
    """Words in a rectangle of this height and width."""

    height: int
    width: int
    placements: tuple[Placement, ...]

    @cached_property
    def letters(self) -> dict[tuple[int, int], str]:
        """The letters, by row and column."""
        found: dict[tuple[int, int], str] = {}
        for each in self.placements:
            found.update(zip(each.cells, each.word, strict=True))
        return found

    @property
    def area(self) -> int:
        """The cells of the rectangle, blocks too."""
        return self.height * self.width

    @property
    def crossings(self) -> int:
        """The cells that two words share."""
        return sum(len(each.word) for each in self.placements) - len(self.letters)

    @property
    def rows(self) -> list[str]:
        """The rows, with # for a block."""
        drawn = [[BLOCK_SIGN] * self.width for _ in range(self.height)]
        for (row, column), letter in self.letters.items():
            drawn[row][column] = letter
        return list(map("".join, drawn))

    @property
    def transposed(self) -> Arrangement:
        """The same arrangement with rows and columns exchanged."""
        across, down = Direction
        turned = {across: down, down: across}
        moved = [Placement(word, column, row, turned[direction]) for word, row, column, direction in self.placements]
        return Arrangement(self.width, self.height, tuple(moved))

    def grid(self, alphabet: Alphabet) -> Grid:
        """Return the grid, all of whose letters are given."""
        letters = "".join(self.rows)
        sets = {letter: alphabet.letter_set(letter) for letter in self.letters.values()}
        cells = map({**sets, BLOCK_SIGN: BLOCK}.__getitem__, letters)
        return Grid(self.height, self.width, tuple(cells), alphabet)


def fit(placements: list[Placement]) -> Arrangement:
    """Return words in the least rectangle around them."""
    top = min(each.row for each in placements)
    side = min(each.column for each in placements)
    ends = [each.cells[-1] for each in placements]
    height = max(row for row, _ in ends) - top + 1
    width = max(column for _, column in ends) - side + 1
    moved = [each._replace(row=each.row - top, column=each.column - side) for each in placements]
    return Arrangement(height, width, tuple(moved))


class Bounds(NamedTuple):
    """The proved bounds: no arrangement has more weight, none of that weight less area, none of both more crossings.

    A number that nothing is known of is infinite, or 0 for the area.
    """

    weight: float
    area: int
    crossings: float


class Arranged(NamedTuple):
    """The best arrangement so far, or none yet, and the bounds."""

    arrangement: Arrangement | None
    bounds: Bounds


def find_groups(words: Sequence[str]) -> list[list[str]]:
    """Return the words in groups: words of two groups share no letter, so that they never hang together."""
    groups: list[list[str]] = []
    for word in words:
        touched = [group for group in groups if set(word) & set("".join(group))]
        groups = [group for group in groups if group not in touched]
        groups.append([word, *chain.from_iterable(touched)])
    return groups


def count_most_crossings(words: Sequence[str]) -> int:
    """Return a number of crossings that words standing together cannot exceed: two words cross once at most.

    A word crosses at most as many others as it has letters, and each of them must share a letter with it; the words
    across cross those down alone.
    """
    met = 0
    for word in words:
        others = [other for other in words if other != word]
        sharing = [other for other in others if set(word) & set(other)]
        met += min(len(word), len(sharing))
    return min(met // 2, len(words) ** 2 // 4)
