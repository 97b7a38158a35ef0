"""Patterns around a theme, the most promising first.

A layout is drawn, then improved: an entry or a pair is moved, and the step kept if the best pattern around the new
layout promises more, or not much less. Every pattern on the way is a candidate; after each step the best of those that
were not told yet is told. Layouts as constructors draw them come first; then, every other time, one with liberties.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count, islice
from math import ceil, inf
from typing import TYPE_CHECKING

from cpfill.generate.board import BlockPattern
from cpfill.generate.columns import PRICE, ColumnSearch
from cpfill.generate.flaws import estimate_words, find_squares, weigh_flaws
from cpfill.generate.rules import count_slots, obeys
from cpfill.generate.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from cpfill.generate.board import Cells
    from cpfill.generate.demands import Demands
    from cpfill.generate.theme import Layout
    from cpfill.limits import Deadline

PATIENCE = 30
"""After how many steps without a better pattern another layout is drawn."""

LENIENCE = 1.5
"""How much less the next layout may promise, on average, to be kept."""

BARREN = 400
"""After how many layouts in a row without a new pattern the model takes over."""

USUAL_STARTS = 4
"""How many layouts are drawn without liberties, and with no more blocks than usual, before any others."""

MOST_BLOCKS = 0.195
"""The share of blocks that a grid with a theme may have: 44 at 15x15."""

TOLD = 2
"""How many patterns of one layout are candidates. They are alike: where one fails, most do."""

DEARER, CHEAPER = 1.3, 1.05
"""By what the price of a block rises where patterns have too many words, and falls where one has not."""

LIBERTY = 4.0
"""What a liberty costs, in the logarithm of the fills to expect. A flaw of the pattern costs a quarter."""


def design_patterns(
    demands: Demands, blocks: tuple[int, int], chance: Random, deadline: Deadline
) -> Iterator[BlockPattern]:
    """Yield patterns around the seed words, no two alike, until time is over or nothing new is found."""
    theme, around = Theme(demands), _Around(demands, chance)
    usual = blocks[1]
    most = usual if demands.blocks else max(usual, ceil(MOST_BLOCKS * demands.height * demands.width))
    candidates: list[tuple[float, int, Cells, Layout]] = []
    seen: set[Cells] = set()
    barren, usual_fails = 0, False
    for start in count():
        later = start >= USUAL_STARTS
        free = usual_fails or (later and start % 2 == 1)
        here = theme.draw(chance, free=free)
        if here is None and free:
            return
        usual_fails |= here is None
        layout, best, stale = here, -inf, 0
        while layout is not None and stale < PATIENCE:
            if barren == BARREN or deadline.passed:
                return
            value = -inf
            for worth, pattern in around.find(layout, (blocks[0], most if later else usual)):
                value = max(value, worth)
                if pattern not in seen:
                    seen.add(pattern)
                    heappush(candidates, (-worth, len(seen), pattern, layout))
            stale = 0 if value > best else stale + 1
            if here is layout or value >= best - chance.expovariate(1 / LENIENCE):
                here, best = layout, value
            barren = 0 if value > -inf and candidates else barren + 1
            if value > -inf and candidates:
                _, _, pattern, its_layout = heappop(candidates)
                yield BlockPattern(pattern, its_layout.placed)
            layout = theme.move(here, chance, free=free) if here else None


class _Around:
    """Finds patterns around layouts that meet the demands; a block costs more as long as there are too many words."""

    def __init__(self, demands: Demands, chance: Random) -> None:
        self._demands, self._search, self._price = demands, ColumnSearch(demands, chance), PRICE

    def find(self, layout: Layout, blocks: tuple[int, int]) -> Iterator[tuple[float, Cells]]:
        """Yield the best patterns around a layout, each after what it promises, less its flaws."""
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
        met = (
            (promise, pattern)
            for promise, pattern in few
            if pattern.bit_count() >= blocks[0] and not find_squares(demands.board, pattern) and obeys(demands, pattern)
        )
        for promise, pattern in islice(met, TOLD):
            yield promise - LIBERTY * (layout.liberties + weigh_flaws(demands, pattern) / 4), pattern
