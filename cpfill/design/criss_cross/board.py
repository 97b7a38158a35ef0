"""A board on which words stand, as sets of cells: all places of a word are found at once.

A set of cells is an int with one bit per cell. A column beside the rectangle and a row above and below it stay empty,
so that no word goes on from the end of a row in the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cpfill.design.criss_cross.arrangement import Arrangement, Placement, fit
from cpfill.puzzle.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Cells = int
Ways = tuple[Cells, Cells, Cells]
"""The first cells of the ways to place a word: where it crosses one word or more, two or more, three or more."""


class Spot(NamedTuple):
    """Where a word stands: its direction (0 across, 1 down) and the bit number of its first cell."""

    down: int
    first: int


class Snapshot(NamedTuple):
    """Words on a board, to be put back later."""

    spots: dict[int, Spot]
    covered: tuple[Cells, Cells]
    letters: tuple[Cells, ...]


class WordBoard:
    """A rectangle with some of the words, each named by its index; they hang together.

    Attributes:
        spots: where the words stand that do.
    """

    def __init__(self, words: Sequence[str], height: int, width: int) -> None:
        self.height = height
        self.width = width
        self._words = words
        self._steps = (1, width + 1)
        self.inside: Cells = 0
        for row in range(height):
            self.inside |= ((1 << width) - 1) << self._bit(row, 0)
        numbers = {letter: number for number, letter in enumerate(sorted(set("".join(words))))}
        self._spelled = [list(map(numbers.__getitem__, word)) for word in words]
        self._shapes = [
            [sum(1 << step * index for index in range(len(word))) for word in words] for step in self._steps
        ]
        self._empty = Snapshot({}, (0, 0), (0,) * len(numbers))
        self.clear()

    def clear(self) -> None:
        """Take all words away."""
        self.restore(self._empty)

    def save(self) -> Snapshot:
        """Return the words as they stand."""
        return Snapshot(self.spots.copy(), (self._covered[0], self._covered[1]), tuple(self._letters))

    def restore(self, position: Snapshot) -> None:
        """Put the words as they stood."""
        self.spots = position.spots.copy()
        self._covered = [*position.covered]
        self._letters = [*position.letters]
        self._usable: list[tuple[list[Cells], list[Cells]] | None] = [None, None]

    def _bit(self, row: int, column: int) -> int:
        return (row + 1) * (self.width + 1) + column + 1

    @property
    def full(self) -> Cells:
        """The cells with a letter."""
        return self._covered[0] | self._covered[1]

    @property
    def crossings(self) -> int:
        """The number of cells that two words share."""
        return (self._covered[0] & self._covered[1]).bit_count()

    def cells(self, word: int) -> Cells:
        """Return the cells of a word that stands."""
        down, first = self.spots[word]
        return self._shapes[down][word] << first

    def place(self, word: int, spot: Spot) -> None:
        """Put a word where it may stand."""
        self.spots[word] = spot
        self._covered[spot.down] |= self.cells(word)
        step = self._steps[spot.down]
        for index, letter in enumerate(self._spelled[word]):
            self._letters[letter] |= 1 << spot.first + index * step
        self._usable = [None, None]

    def remove(self, words: Iterable[int]) -> None:
        """Take words away, with those that may no longer stand, or hang together no more with most of the others."""
        loose = [*words] or self._list_loose()
        while loose:
            for word in loose:
                self._covered[self.spots[word].down] &= ~self.cells(word)
                del self.spots[word]
            loose = self._list_loose()
        full = self.full
        self._letters = [cells & full for cells in self._letters]
        self._usable = [None, None]

    def _list_loose(self) -> list[int]:
        """Return a word beside another without a word through both, or else the words outside the largest part."""
        full = self.full
        touching = 0
        for step, covered in zip(self._steps, self._covered, strict=True):
            pairs = full & full >> step & ~(covered & covered >> step)
            touching |= pairs | pairs << step
        if touching:
            return [next(word for word in self.spots if touching & self.cells(word))]
        largest = 0
        while full:
            part = self._find_part(full & -full)
            full &= ~part
            largest = max(largest, part, key=int.bit_count)
        return [word for word in self.spots if not largest & self.cells(word)]

    def widen(self, cells: Cells) -> Cells:
        """Return the cells within two steps of these."""
        for _ in range(2):
            for step in self._steps:
                cells |= cells << step | cells >> step
        return cells

    def _find_part(self, cells: Cells) -> Cells:
        """Return all cells that hang together with these."""
        full = self.full
        step = self._steps[1]
        part = 0
        while part != cells:
            part = cells
            cells |= (cells << 1 | cells >> 1 | cells << step | cells >> step) & full
        return part

    def _list_usable(self, down: int) -> tuple[list[Cells], list[Cells]]:
        """Return where each letter of a word in this direction may stand, and where it crosses a word."""
        full = self.full
        side = self._steps[1 - down]
        free = self.inside & ~(full | full << side | full >> side)
        crossed = self._covered[1 - down] & ~self._covered[down]
        crossing = [cells & crossed for cells in self._letters]
        return [cells | free for cells in crossing], crossing

    def find_ways(self, word: int, down: int) -> Ways:
        """Return the ways to place a word in a direction such that it crosses another and touches nothing else."""
        usable = self._usable[down]
        if usable is None:
            usable = self._usable[down] = self._list_usable(down)
        allowed, crossing = usable
        step = self._steps[down]
        spelled = self._spelled[word]
        full = self.full
        room = ~(full << step | full >> len(spelled) * step)
        one = two = three = 0
        shift = 0
        for letter in spelled:
            room &= allowed[letter] >> shift
            crossed = crossing[letter] >> shift
            three |= two & crossed
            two |= one & crossed
            one |= crossed
            shift += step
        return one & room, two & room, three & room

    def find_room(self, word: int, down: int) -> Cells:
        """Return the first cells where a word has room on an empty board."""
        shift = self._steps[down]
        room = self.inside
        for index in range(len(self._words[word])):
            room &= self.inside >> index * shift
        return room

    def read(self) -> Arrangement:
        """Return the arrangement in the least rectangle around the words."""
        placements = []
        for word, (down, first) in sorted(self.spots.items()):
            row, column = divmod(first, self.width + 1)
            placements.append(Placement(self._words[word], row, column, (Direction.ACROSS, Direction.DOWN)[down]))
        return fit(placements)

    def show(self, arrangement: Arrangement, row: int, column: int) -> None:
        """Put the words of an arrangement here as far as they are inside, moved by rows and columns."""
        self.clear()
        numbers = {word: number for number, word in enumerate(self._words)}
        for each in arrangement.placements:
            first = each._replace(row=each.row + row, column=each.column + column)
            if self._contains(first.cells[0]) and self._contains(first.cells[-1]):
                down = int(each.direction is Direction.DOWN)
                self.place(numbers[each.word], Spot(down, self._bit(first.row, first.column)))
        self.remove([])

    def _contains(self, cell: tuple[int, int]) -> bool:
        return 0 <= cell[0] < self.height and 0 <= cell[1] < self.width
