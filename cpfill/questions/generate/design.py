"""Patterns around a theme, the most promising first.

A layout is drawn, then improved: an entry or a pair is moved, and the step kept if the best pattern around the new
layout promises more, or not much less. Every pattern on the way is a candidate. Then the best of those that were not
told yet are told; where one has no fill, the slots that are to blame are charged, and the best pattern around the same
layout is a candidate again. Layouts as constructors draw them come first; then, every other time, one with liberties.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from math import ceil, inf
from typing import TYPE_CHECKING

from cpfill.questions.generate.board import BlockPattern
from cpfill.questions.generate.columns import PRICE, ColumnSearch
from cpfill.questions.generate.flaws import estimate_words, find_squares, weigh_flaws
from cpfill.questions.generate.rules import count_slots, obeys
from cpfill.questions.generate.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Container, Generator
    from random import Random

    from cpfill.problem.limits import Deadline
    from cpfill.questions.generate.board import Blame, Cells
    from cpfill.questions.generate.demands import Demands
    from cpfill.questions.generate.theme import Layout

TELL = 30
"""How many candidates are told before another layout is drawn."""

PATIENCE = 40
"""After how many steps without a better pattern another layout is drawn."""

LENIENCE = 1.5
"""How much less the next layout may promise, on average, to be kept."""

BARREN = 400
"""After how many layouts in a row without a new pattern the model takes over."""

USUAL_STARTS = 4
"""How many layouts are drawn without liberties, and with no more blocks than usual, before any others."""

MOST_BLOCKS = 0.195
"""The share of blocks that a grid with a theme may have: 44 at 15x15."""

DEARER, CHEAPER = 1.3, 1.05
"""By what the price of a block rises where patterns have too many words, and falls where one has not."""

LIBERTY = 4.0
"""What a liberty costs, in the logarithm of the fills to expect. A flaw of the pattern costs half."""


def design_patterns(
    demands: Demands, blocks: tuple[int, int], told: Container[BlockPattern], chance: Random, deadline: Deadline
) -> Generator[BlockPattern, Blame | None]:
    """Yield patterns around the seed words, no two alike and none told before, until time is over or none is new.

    Who is sent where the last one cannot be filled avoids that.
    """
    theme, candidates = Theme(demands), _Candidates(demands, told, chance)
    usual = blocks[1]
    most = usual if demands.blocks else max(usual, ceil(MOST_BLOCKS * demands.height * demands.width))
    usual_fails = False
    for start in count():
        later = start >= USUAL_STARTS
        free = usual_fails or (later and start % 2 == 1)
        here = theme.draw(chance, free=free)
        if here is None and free:
            return
        usual_fails |= here is None
        layout, value, best, stale = here, -inf, -inf, 0
        while here and layout and stale < PATIENCE:
            if candidates.barren == BARREN or deadline.passed:
                return
            promise = candidates.find(layout, (blocks[0], most if later else usual))
            if layout is here or promise >= value - chance.expovariate(1 / LENIENCE):
                here, value = layout, promise
            best, stale = max(best, value), 0 if promise > best else stale + 1
            layout = theme.move(here, chance, free=free)
        yield from candidates.tell(TELL)


class _Candidates:
    """The patterns found so far and not told, the most promising first."""

    def __init__(self, demands: Demands, told: Container[BlockPattern], chance: Random) -> None:
        self._around, self._told = _Around(demands, chance), told
        self._heap: list[tuple[float, int, Cells, Layout, tuple[int, int]]] = []
        self._seen: set[Cells] = set()
        self.barren = 0
        """Around how many layouts in a row no new pattern was found, while there were no candidates either."""

    def find(self, layout: Layout, blocks: tuple[int, int]) -> float:
        """Add the best pattern around a layout with so many blocks; return what it promises, -inf if there is none."""
        promise, pattern = self._around.find(layout, blocks) or (-inf, 0)
        if pattern and pattern not in self._seen and BlockPattern(pattern, layout.placed) not in self._told:
            self._seen.add(pattern)
            heappush(self._heap, (-promise, len(self._seen), pattern, layout, blocks))
        self.barren = 0 if self._heap else self.barren + 1
        return promise

    def tell(self, number: int) -> Generator[BlockPattern, Blame | None]:
        """Yield so many; where one is blamed, the best around its layout that avoids that becomes a candidate."""
        for _ in range(number):
            if not self._heap:
                return
            _, _, pattern, layout, blocks = heappop(self._heap)
            if blame := (yield BlockPattern(pattern, layout.placed)):
                self._around.charge(layout, blame)
                self.find(layout, blocks)


class _Around:
    """Finds patterns around layouts that meet the demands; a block costs more as long as there are too many words."""

    def __init__(self, demands: Demands, chance: Random) -> None:
        self._demands, self._search, self._price = demands, ColumnSearch(demands, chance), PRICE

    def charge(self, layout: Layout, blame: Blame) -> None:
        """Avoid slots in patterns around layouts with the same letters in their lines."""
        self._search.charge(layout, blame)

    def find(self, layout: Layout, blocks: tuple[int, int]) -> tuple[float, Cells] | None:
        """Return the best pattern around a layout after what it promises, less its flaws; none if none meets all."""
        demands, most_words = self._demands, estimate_words(self._demands)
        dearer = self._price - PRICE
        found = [
            (promise + dearer * pattern.bit_count(), pattern)
            for promise, pattern in self._search.find(layout, blocks[1], self._price)
        ]
        few = [one for one in found if count_slots(demands, one[1]) <= most_words]
        if few:
            self._price = max(PRICE, self._price / CHEAPER)
        elif found:
            self._price *= DEARER
        for promise, pattern in few:
            enough = pattern.bit_count() >= blocks[0]
            if enough and not find_squares(demands.board, pattern) and obeys(demands, pattern):
                return promise - LIBERTY * (layout.liberties + weigh_flaws(demands, pattern) / 2), pattern
        return None
