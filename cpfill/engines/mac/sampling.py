"""Random fills, each with the number of fills that it stands for.

D. E. Knuth, "Estimating the efficiency of backtrack programs", 1975: descend a tree at random, and multiply the inverse
probabilities of all choices. The mean of the product over all descents, 0 for a dead end, is the number of leaves. Here
a node gives one letter to one place of a slot, and its children are the letters that propagation leaves possible; every
fill is one leaf. A child's probability is proportional to the number of fills expected below it if letters were
independent. This does not change the mean, and makes the products more alike.

The first nodes are cached with their children, and children known to have no fill are removed. A removal changes only
the probabilities of later draws, depending on earlier ones, so each draw keeps the same mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpfill.engines.mac.kernels import KernelMaker, pack
from cpfill.problem.fill import Fill
from cpfill.problem.result import Outcome
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from random import Random

    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Deadline
    from cpfill.puzzle.grid import SlotId

KEPT = 30_000
"""The number of nodes to cache, a kilobyte or two each."""

_LEAST = 1e-9
"""The least ratio of a child's share to the greatest: a promise is a guess, and every fill needs some probability."""


class MacSampler:
    """Draws fills of one problem."""

    def __init__(self, problem: Problem, module: Any) -> None:  # noqa: ANN401 - see `load_kernel`
        self._problem = problem
        self._kernel = KernelMaker(problem, module).make(problem.domains)
        self._root: _Child | None = _Child(0, b"", 1.0) if self._kernel.propagate() else None
        self._kept = 0
        self._packed: dict[tuple[int, int], list[bytes]] = {}  # (length, position) -> bitset of words per letter

    @property
    def refuted(self) -> bool:
        """Whether it is proved that no fill exists."""
        return self._root is None

    def draw(self, chance: Random, deadline: Deadline) -> tuple[Outcome, float, Fill | None]:
        """Draw; see `cpfill.engines.contract`."""
        if self._root is None:
            return Outcome.EXHAUSTED, -math.inf, None
        way, log, depth = [self._root], 0.0, 0
        try:
            while True:
                if deadline.passed:
                    return Outcome.UNKNOWN, -math.inf, None
                last = way[-1]
                below = last.below
                if below is None:
                    for child in way[depth + 1 :]:
                        self._kernel.assume(child.slot, child.words)
                    depth = len(way) - 1
                    below = self._expand(last)
                if isinstance(below, Fill):
                    return Outcome.FOUND, log, below
                if not below:
                    self._strike_off(way)
                    return Outcome.EXHAUSTED, -math.inf, None
                shares = [child.share for child in below]
                (chosen,) = chance.choices(below, shares)
                log += math.log(math.fsum(shares) / chosen.share)
                way.append(chosen)
        finally:
            for _ in range(depth):
                self._kernel.release()

    def _expand(self, node: _Child) -> list[_Child] | Fill:
        """Return the children, or the fill, of the node whose state the kernel holds, and cache them."""
        below = self._look_below()
        if self._kept < KEPT:
            self._kept += 1
            node.below = below
        return below

    def _look_below(self) -> list[_Child] | Fill:
        choice = self._choose()
        if choice is None:
            domains = (int.from_bytes(self._kernel.domain(slot.id), "little") for slot in self._problem.slots)
            return Fill.of_words(self._problem, [next(walk_members(domain)) for domain in domains])
        slot, pos, letters = choice
        promised = []
        for code in walk_members(letters):
            words = self._words_having(slot, pos, code)
            if self._kernel.assume(slot, words):
                promised.append((self._kernel.promise(), words))
            self._kernel.release()
        most = max(promised, default=(0.0, b""))[0]
        return [_Child(slot, words, max(_LEAST, math.exp(log - most))) for log, words in promised]

    def _choose(self) -> tuple[SlotId, int, int] | None:
        """Return the undecided place with the fewest letters, those as a bitset of codes; crossings come first."""
        crossings = zip(self._problem.grid.crossings, self._kernel.letters(), strict=True)
        undecided = [(letters.bit_count(), x.across, x.across_pos, letters) for x, letters in crossings]
        several = [each for each in undecided if each[0] > 1]
        if not several:
            for slot, table in zip(self._problem.slots, self._problem.tables, strict=True):
                domain = int.from_bytes(self._kernel.domain(slot.id), "little")
                if domain & (domain - 1):
                    for pos in range(slot.length):
                        letters = sum(1 << code for code, having in enumerate(table.masks(pos)) if domain & having)
                        several.append((letters.bit_count(), slot.id, pos, letters))
                    several = [each for each in several if each[0] > 1]
                    break
        return min(several)[1:] if several else None

    def _words_having(self, slot: SlotId, pos: int, code: int) -> bytes:
        table = self._problem.tables[slot]
        key = table.length, pos
        if key not in self._packed:
            self._packed[key] = list(map(pack, table.masks(pos)))
        return self._packed[key][code]

    def _strike_off(self, way: list[_Child]) -> None:
        """Remove the last node of a path, which has no fill, and every ancestor that is left without children."""
        while way:
            dead = way.pop()
            if not way:
                self._root = None
            elif not isinstance(children := way[-1].below, list):
                return
            else:
                children.remove(dead)
                if children:
                    return


@dataclass(eq=False, slots=True)
class _Child:
    """A node as its parent sees it: some words of a slot, and the share of draws that go there.

    `below` has its children, or at a leaf its fill; None if they are not cached.
    """

    slot: SlotId
    words: bytes
    share: float
    below: list[_Child] | Fill | None = None
