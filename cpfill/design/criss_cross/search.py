"""The search for arrangements: in a rectangle with much room first, then in ever smaller ones."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

from cpfill.design.criss_cross.arrangement import Arrangement, Placement, find_groups
from cpfill.design.criss_cross.rectangle import RectangleSearch
from cpfill.puzzle.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.design.criss_cross.arrangement import Wanted

UNIT = 1000
"""Weights count in thousandths."""

ROOM = 2.2
"""The cells of the first rectangle for each letter."""

GROWTH = 1.15
"""How many times the area the next rectangle has if words are left."""

MOST_ROOM = 12.0
"""The cells for each letter of the largest rectangle."""

SPREAD_ROUNDS = 20
"""The changes tried in each of these rectangles."""

ROUNDS = 100
"""The changes tried in a turn in a smaller rectangle."""

PATIENCE = 5000
"""The changes tried in vain in a rectangle of the size asked before it is begun anew."""

SLIMMEST = 2.0
"""The greatest ratio of the sides, unless a word is longer."""

LARGEST_STEP = 0.2
"""The greatest part of the area that is to be saved at once."""

RESTART = 0.02
"""How often a rectangle is begun anew."""

NARROW = 30.0
"""How much rarer rectangles are drawn that save more area."""


class ArrangementSearch:
    """The search, change by change.

    Attributes:
        weights: the words with their weights, in thousandths.
        top: a weight that no arrangement exceeds.
        best: the best arrangement so far.
        weight: its weight, in thousandths; -1 if there is none.
        changes: the number of changes tried.
    """

    def __init__(self, wanted: Wanted, seed: int) -> None:
        self._wanted = wanted
        self._chance = Random(seed)  # noqa: S311 - variety, not secrecy
        self._letters = sum(len(own.word) for own in wanted.words)
        self._longest = max(len(own.word) for own in wanted.words)
        self._rectangles: dict[tuple[int, int], RectangleSearch] = {}
        self._step = LARGEST_STEP
        self.weights = {own.word: round(own.weight * UNIT) for own in wanted.words}
        groups = find_groups([*self.weights])
        weights = [sum(map(self.weights.__getitem__, group)) for group in groups]
        self.top = max(weights) if wanted.most else sum(weights)
        self.best: Arrangement | None = None
        self.weight = -1
        self.changes = 0

    def offer(self, arrangement: Arrangement | None) -> bool:
        """Take an arrangement if it is the best so far; return whether it is."""
        if arrangement is None or arrangement is self.best:
            return False
        if not self._wanted.most and len(arrangement.placements) < len(self.weights):
            return False
        if self.best and self._rate(arrangement) <= self._rate(self.best):
            return False
        if arrangement.height > arrangement.width and not self._wanted.size:
            arrangement = arrangement.transposed
        self.best = arrangement
        self.weight = self._rate(arrangement)[0]
        return True

    def _rate(self, arrangement: Arrangement) -> tuple[int, int, int]:
        """Return the weight, the area unless the size is asked, and the crossings: a greater one is better."""
        weight = sum(self.weights[each.word] for each in arrangement.placements)
        area = 0 if self._wanted.size else arrangement.area
        return weight, -area, arrangement.crossings

    def run(self) -> Iterator[None]:
        """Search for ever; each step is a change that is tried."""
        self._place_alone()
        size = self._wanted.size
        changes = self._pack(size) if size else self._reduce()
        for _ in changes:
            self.changes += 1
            yield

    def _place_alone(self) -> None:
        """Offer each word alone, across or down."""
        size = self._wanted.size or (1, self._longest)
        for word in self.weights:
            if len(word) <= size[1]:
                self.offer(Arrangement(1, len(word), (Placement(word, 0, 0, Direction.ACROSS),)))
            elif len(word) <= size[0]:
                self.offer(Arrangement(len(word), 1, (Placement(word, 0, 0, Direction.DOWN),)))

    def _pack(self, size: tuple[int, int]) -> Iterator[None]:
        """Search in a rectangle of this size."""
        rectangle = RectangleSearch(self._wanted.words, size, self._chance)
        rectangle.begin()
        vain = 0
        while True:
            vain = 0 if self.offer(rectangle.best) else vain + 1
            yield
            if vain % PATIENCE == PATIENCE - 1:
                rectangle.begin()
            rectangle.improve()

    def _reduce(self) -> Iterator[None]:
        """Search in rectangles of less and less area."""
        while True:
            if self.weight < self.top:
                yield from self._spread()
            if self.best:
                yield from self._shrink(self.best)

    def _spread(self) -> Iterator[None]:
        """Place all words in a rectangle with room, which grows."""
        arrangement = None
        area = ROOM * self._letters
        while area < MOST_ROOM * self._letters and self.weight < self.top:
            side = max(self._longest, math.isqrt(int(area)) + 1)
            rectangle = RectangleSearch(self._wanted.words, (side, side), self._chance)
            rectangle.begin(arrangement)
            for _ in range(SPREAD_ROUNDS):
                self.offer(rectangle.best)
                yield
                if self.weight == self.top:
                    return
                rectangle.improve()
            arrangement = rectangle.best
            area *= GROWTH

    def _shrink(self, best: Arrangement) -> Iterator[None]:
        """Search in a rectangle of less area than the best, or for more crossings in one of the same."""
        size = self._draw_size(best)
        rectangle = self._rectangles.get(size)
        if rectangle is None:
            rectangle = self._rectangles[size] = RectangleSearch(self._wanted.words, size, self._chance)
            rectangle.begin(best)
        elif self._chance.random() < RESTART:
            rectangle.begin()
        for _ in range(ROUNDS):
            if self.offer(rectangle.best) and self.best and self.best.area < best.area:
                self._rectangles.clear()
                self._step = min(LARGEST_STEP, 2 * self._step)
                return
            yield
            rectangle.improve()
        self._step /= 2

    def _draw_size(self, best: Arrangement) -> tuple[int, int]:
        """Return the height and the width of a rectangle, not higher than wide, that is promising."""
        smaller = best.area - 1 - int(self._step * best.area)
        sizes = {(best.height, best.width): 1.0}
        for height in range(1, math.isqrt(best.area) + 1):
            widths = [smaller // height]
            if best.area % height == 0:
                widths.append(best.area // height)
            for width in widths:
                if self._longest <= width <= max(self._longest, SLIMMEST * height):
                    saved = 1 - height * width / best.area
                    sizes[height, width] = math.exp(-NARROW * saved) * height / width
        return self._chance.choices([*sizes], [*sizes.values()])[0]
