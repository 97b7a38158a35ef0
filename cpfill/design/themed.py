"""Patterns around the entries of a theme that promise fills: the search through layouts and columns.

The whole search draws a layout, then improves it: it moves an entry or a pair, and keeps the step if the best pattern
around the new layout promises more, or not much less. Every pattern on the way is a candidate. Then it yields the best
candidates that are new. If one has no fill, the slots to blame are charged, and the best pattern around the same layout
becomes a candidate again. The first layouts are as constructors draw them; later, every other one takes liberties.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from math import ceil, inf
from typing import TYPE_CHECKING

from cpfill.design.board import BlockPattern, find_squares
from cpfill.design.columns import PRICE, ColumnSearch
from cpfill.design.demands import count_slots, estimate_words, obeys, weigh_flaws
from cpfill.design.layouts import Theme

if TYPE_CHECKING:
    from collections.abc import Container, Generator
    from random import Random

    from cpfill.design.board import Blame, Cells
    from cpfill.design.demands import Demands
    from cpfill.design.layouts import Layout
    from cpfill.problem.result import Deadline

TELL = 30
"""The candidates to yield before the next layout is drawn."""

PATIENCE = 40
"""The steps without a better pattern after which the next layout is drawn."""

LENIENCE = 1.5
"""The average loss of promise at which the next layout is still kept."""

BARREN = 400
"""The consecutive layouts without a new pattern after which the model takes over."""

USUAL_STARTS = 4
"""The first layouts, which take no liberties and have no more blocks than usual."""

MOST_BLOCKS = 0.195
"""The greatest share of blocks in a grid with a theme: 44 at 15x15."""

DEARER, CHEAPER = 1.3, 1.05
"""The factors by which a block's price rises after a pattern with too many words, and falls after any other."""

LIBERTY = 4.0
"""The cost of a liberty, in the logarithm of the expected fills. A flaw of the pattern costs half of that."""


def design_patterns(
    demands: Demands, blocks: tuple[int, int], told: Container[BlockPattern], chance: Random, deadline: Deadline
) -> Generator[BlockPattern, Blame | None]:
    """Yield different patterns around the seed words, none in `told`, until time is over or no pattern is new.

    Send the slots to blame if the last pattern has no fill; later patterns avoid them.
    """
    theme = Theme(demands)
    candidates = _Candidates(demands, told, chance)
    least, usual = blocks
    most = usual
    if not demands.blocks:
        most = max(usual, ceil(MOST_BLOCKS * demands.height * demands.width))
    usual_fails = False
    for start in count():
        later = start >= USUAL_STARTS
        free = usual_fails or (later and start % 2 == 1)
        layout = theme.draw(chance, free=free)
        if layout is None:
            if free:
                return
            usual_fails = True
        else:
            within = (least, most) if later else blocks
            if not candidates.search(theme, layout, within, deadline, free=free):
                return
        yield from candidates.tell(TELL)


class _Candidates:
    """The patterns found but not yet yielded, the most promising first."""

    def __init__(self, demands: Demands, told: Container[BlockPattern], chance: Random) -> None:
        self._demands = demands
        self._told = told
        self._chance = chance
        self._search = ColumnSearch(demands, chance)
        self._price = PRICE
        """The price of a block; it rises as long as patterns have too many words."""
        self._heap: list[tuple[float, int, Cells, Layout, tuple[int, int]]] = []
        self._seen: set[Cells] = set()
        self._barren = 0
        """The consecutive layouts without a new pattern while there were no candidates."""

    def search(self, theme: Theme, start: Layout, blocks: tuple[int, int], deadline: Deadline, *, free: bool) -> bool:
        """Move entries of a layout as long as patterns promise more; return whether there are time and new patterns."""
        here = start
        layout: Layout | None = start
        value = best = -inf
        stale = 0
        while layout and stale < PATIENCE:
            if self._barren == BARREN or deadline.passed:
                return False
            promise = self._find(layout, blocks)
            if layout is here or promise >= value - self._chance.expovariate(1 / LENIENCE):
                here = layout
                value = promise
            stale += 1
            if promise > best:
                stale = 0
            best = max(best, value)
            layout = theme.move(here, self._chance, free=free)
        return True

    def _find(self, layout: Layout, blocks: tuple[int, int]) -> float:
        """Add the best pattern around a layout within a range of blocks; return its promise, -inf without one."""
        promise, pattern = self._find_best(layout, blocks)
        if pattern and pattern not in self._seen and BlockPattern(pattern, layout.placed) not in self._told:
            self._seen.add(pattern)
            heappush(self._heap, (-promise, len(self._seen), pattern, layout, blocks))
        self._barren += 1
        if self._heap:
            self._barren = 0
        return promise

    def tell(self, number: int) -> Generator[BlockPattern, Blame | None]:
        """Yield `number` patterns; if one fails, add the best around its layout that avoids the slots to blame."""
        for _ in range(number):
            if not self._heap:
                return
            _, _, pattern, layout, blocks = heappop(self._heap)
            blame = yield BlockPattern(pattern, layout.placed)
            if blame:
                self._search.charge(layout, blame)
                self._find(layout, blocks)

    def _find_best(self, layout: Layout, blocks: tuple[int, int]) -> tuple[float, Cells]:
        """Return (promise less flaws, best pattern that meets the demands) around a layout; (-inf, 0) without one."""
        demands = self._demands
        most_words = estimate_words(demands)
        dearer = self._price - PRICE
        found = list(self._search.find(layout, blocks[1], self._price))
        few = [one for one in found if count_slots(demands, one[1]) <= most_words]
        if few:
            self._price = max(PRICE, self._price / CHEAPER)
        elif found:
            self._price *= DEARER
        for promise, pattern in few:
            enough = pattern.bit_count() >= blocks[0]
            if enough and not find_squares(demands.board, pattern) and obeys(demands, pattern):
                flaws = layout.liberties + weigh_flaws(demands, pattern) / 2
                return promise + dearer * pattern.bit_count() - LIBERTY * flaws, pattern
        return -inf, 0
