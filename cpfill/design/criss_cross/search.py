"""The search for arrangements: in a rectangle with much room first, then in ever smaller ones."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

from cpfill.design.criss_cross.packing import Packing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.design.criss_cross.arrangement import Arrangement, Wanted

ROOM = 2.2
"""The cells of the first rectangle for each letter."""

GROWTH = 1.15
"""How much more area the next rectangle has if words are left."""

FIRST_ROUNDS = 20
ROUNDS = 100
"""The changes tried in a rectangle in one turn."""

SLIMMEST = 2.0
"""The greatest ratio of sides, unless a word is longer."""

LARGEST_STEP = 0.2
"""The greatest part of the area that is to be saved at once."""

RESTART = 0.02
"""How often a rectangle begins anew."""


class Search:
    """The search, round by round.

    Attributes:
        best: the best arrangement so far.
    """

    def __init__(self, wanted: Wanted, seed: int) -> None:
        self._wanted = wanted
        self._words = wanted.words
        self._chance = Random(seed)  # noqa: S311 - variety, not secrecy
        self._weights = {own.word: own.weight for own in wanted.words}
        self._letters = sum(len(own.word) for own in wanted.words)
        self._longest = max(len(own.word) for own in wanted.words)
        self._packings: dict[tuple[int, int], Packing] = {}
        self._step = LARGEST_STEP
        self.best: Arrangement | None = None

    def value(self, arrangement: Arrangement | None) -> tuple[float, int, int]:
        """Return the weight, the area and the crossings, such that more is better; the area counts if no size is asked."""
        if arrangement is None:
            return (-1.0, 0, 0)
        weight = sum(self._weights[each.word] for each in arrangement.placements)
        area = 0 if self._wanted.size else -arrangement.area
        return (weight, area, arrangement.crossings)

    def offer(self, arrangement: Arrangement | None) -> bool:
        """Take an arrangement if it is the best so far; return whether it is."""
        if arrangement is None or not (self._wanted.most or len(arrangement.placements) == len(self._words)):
            return False
        if self.value(arrangement) <= self.value(self.best):
            return False
        self.best = arrangement
        return True

    def run(self) -> Iterator[None]:
        """Search for ever; each step is a change that was tried."""
        if self._wanted.size:
            yield from self._pack(self._wanted.size)
        yield from self._spread()
        while True:
            yield from self._shrink()

    def _pack(self, size: tuple[int, int]) -> Iterator[None]:
        """Search in a rectangle for ever."""
        packing = Packing(self._words, size, self._chance)
        while True:
            packing.begin()
            since = 0
            value = packing.value
            while since < 50 * ROUNDS:
                packing.improve()
                self.offer(packing.best)
                since = 0 if packing.value > value else since + 1
                value = packing.value
                yield

    def _spread(self) -> Iterator[None]:
        """Place all words in a rectangle with room; it grows."""
        area = ROOM * self._letters
        arrangement = None
        side = 0
        while self.best is None or len(self.best.placements) < len(self._words):
            side = max(side + 1, self._longest, math.isqrt(int(area)))
            packing = Packing(self._words, (side, side), self._chance)
            packing.begin(arrangement)
            yield
            for _ in range(FIRST_ROUNDS):
                if self.offer(packing.best) and len(self.best.placements) == len(self._words):
                    return
                packing.improve()
                yield
            arrangement = packing.best
            area *= GROWTH
            if side > self._letters:
                return

    def _shrink(self) -> Iterator[None]:
        """Search in a rectangle with less area, or for more crossings in one with the same."""
        best = self.best
        size = self._draw_size(best)
        packing = self._packings.get(size)
        if packing is None:
            packing = self._packings[size] = Packing(self._words, size, self._chance)
            packing.begin(best)
        elif self._chance.random() < RESTART:
            packing.begin()
        for _ in range(ROUNDS):
            if self.offer(packing.best):
                area = self.best.area
                self._packings = {size: kept for size, kept in self._packings.items() if size[0] * size[1] <= area}
                if area < best.area:
                    self._step = min(LARGEST_STEP, 2 * self._step)
                    return
            packing.improve()
            yield
        self._step /= 2

    def _draw_size(self, best: Arrangement) -> tuple[int, int]:
        """Return a rectangle for the next turn."""
        area = best.area - 1 - int(self._step * best.area)
        sizes = {}
        for height in range(1, math.isqrt(best.area) + 1):
            for most in {area, best.area}:
                width = most // height
                slim = width / height
                if width < self._longest or width > max(self._longest, SLIMMEST * height) or (most > area and most % height):
                    continue
                sizes[height, width] = math.exp(-30 * (1 - height * width / best.area)) / slim
        return self._chance.choices([*sizes], [*sizes.values()])[0] if sizes else (best.height, best.width)
