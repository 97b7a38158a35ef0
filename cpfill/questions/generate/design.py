"""Patterns around a theme, the most promising first.

The search draws a layout, then improves it: it moves an entry or a pair, and keeps the step if the best pattern around
the new layout promises more, or not much less. Every pattern on the way is a candidate. Then it yields the best
candidates that are new. If one has no fill, the slots to blame are charged, and the best pattern around the same layout
becomes a candidate again. The first layouts are as constructors draw them; later, every other one takes liberties.
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

    from cpfill.problem.result import Deadline
    from cpfill.questions.generate.board import Blame, Cells
    from cpfill.questions.generate.demands import Demands
    from cpfill.questions.generate.theme import Layout

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
    """Yield different patterns around the seed words, none in `told`, until time is over or no new one is found.

    Send the slots to blame if the last pattern has no fill; later patterns avoid them.
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
    """The patterns found but not yet yielded, the most promising first."""

    def __init__(self, demands: Demands, told: Container[BlockPattern], chance: Random) -> None:
        self._around, self._told = _Around(demands, chance), told
        self._heap: list[tuple[float, int, Cells, Layout, tuple[int, int]]] = []
        self._seen: set[Cells] = set()
        self.barren = 0
        """The consecutive layouts without a new pattern while there were no candidates."""

    def find(self, layout: Layout, blocks: tuple[int, int]) -> float:
        """Add the best pattern around a layout within a range of blocks; return its promise, -inf without one."""
        promise, pattern = self._around.find(layout, blocks) or (-inf, 0)
        if pattern and pattern not in self._seen and BlockPattern(pattern, layout.placed) not in self._told:
            self._seen.add(pattern)
            heappush(self._heap, (-promise, len(self._seen), pattern, layout, blocks))
        self.barren = 0 if self._heap else self.barren + 1
        return promise

    def tell(self, number: int) -> Generator[BlockPattern, Blame | None]:
        """Yield `number` patterns; if one fails, add the best around its layout that avoids the slots to blame."""
        for _ in range(number):
            if not self._heap:
                return
            _, _, pattern, layout, blocks = heappop(self._heap)
            if blame := (yield BlockPattern(pattern, layout.placed)):
                self._around.charge(layout, blame)
                self.find(layout, blocks)


class _Around:
    """Finds patterns around layouts that meet the demands; blocks get dearer as long as there are too many words."""

    def __init__(self, demands: Demands, chance: Random) -> None:
        self._demands, self._search, self._price = demands, ColumnSearch(demands, chance), PRICE

    def charge(self, layout: Layout, blame: Blame) -> None:
        """Avoid slots in patterns around layouts with the same letters in their lines."""
        self._search.charge(layout, blame)

    def find(self, layout: Layout, blocks: tuple[int, int]) -> tuple[float, Cells] | None:
        """Return (promise less flaws, best pattern) around a layout, or `None` if no pattern meets the demands."""
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
