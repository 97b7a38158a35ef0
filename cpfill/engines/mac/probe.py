"""Questions about one problem, answered from one propagated state.

If a fill is known, it is repaired first: the word is placed in its slot, and only nearby slots are refilled (large
neighbourhood search: Shaw, CP 1998). A failed repair proves nothing; then the whole grid is searched.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from cpfill.engines.mac.kernels import FIRST_RESTART, SLICE_S, KernelMaker, pack
from cpfill.problem.fill import Fill
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from cpfill.engines.mac._kernel import Kernel
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Deadline
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId


NEAR = (4, 6)
"""The reach of a repair, in crossings from its slot: first attempt, second attempt."""

NEAR_NODES = 150
"""Nodes of a repair."""


class MacProbe:
    """Answers questions from a state that is propagated once; the weights of one refutation help the next."""

    def __init__(self, problem: Problem, module: Any, seed: int) -> None:  # noqa: ANN401 - see `load_kernel`
        self._problem = problem
        self._maker = KernelMaker(problem, module)
        self._seed = seed
        self._kernel = self._maker.make(problem.domains, seed=seed, first_limit=FIRST_RESTART)
        self._fillable = self._kernel.propagate()
        self._domains: dict[SlotId, int] = {}
        self._words: list[WordId] | None = None
        """The words of the last fill."""
        self._repairs: list[_Repair] = []

    def domain(self, slot: SlotId) -> int:
        """Return the bitset of the words that propagation and later calls of `exclude` leave a slot."""
        if slot not in self._domains:
            self._kernel.release()
            self._domains[slot] = int.from_bytes(self._kernel.domain(slot), "little") if self._fillable else 0
        return self._domains[slot]

    def ask(self, slot: SlotId, words: int, nodes: int, deadline: Deadline) -> tuple[Outcome, Fill | None]:
        """Return whether a fill exists in which the slot has one of `words`, within `nodes` and the deadline."""
        if not self._fillable:
            return Outcome.EXHAUSTED, None
        found = self._repair(slot, words, deadline)
        if not found:
            self._kernel.release()
            if not self._kernel.assume(slot, pack(words)):
                return Outcome.EXHAUSTED, None
            outcome = _run(self._kernel, nodes, deadline)
            if outcome is not Outcome.FOUND:
                return outcome, None
            found = self._kernel.words()
        self._words = found
        return Outcome.FOUND, Fill.of_words(self._problem, found)

    def _repair(self, slot: SlotId, words: int, deadline: Deadline) -> list[WordId] | None:
        """Return the words of a fill near the last one in which the slot has one of `words`, if soon found."""
        if self._words is None:
            return None
        if not self._repairs:
            self._repairs = [_Repair(self._problem, self._maker, self._seed, reach) for reach in NEAR]
        for repair in self._repairs:
            if found := repair.find(self._words, slot, words, deadline):
                return found
        return None

    def expect(self) -> float:
        """Return an estimate of log10 of the number of fills; minus infinity if there is none."""
        self._kernel.release()
        return self._kernel.expect() / math.log(10) if self._fillable else -math.inf

    def weigh_crossings(self) -> list[float]:
        """Return the weight of each crossing of the grid: 1, and more for each failure that it took part in."""
        return self._kernel.weights()

    def exclude(self, slot: SlotId, words: int) -> None:
        """Exclude words of a slot from now on, because an answer proved that no fill has them there."""
        left = self.domain(slot) & ~words
        self._domains.clear()
        self._fillable = self._fillable and self._kernel.narrow(slot, pack(left))


class _Repair:
    """Places words in a slot of a fill and refills the slots within `reach` crossings of it."""

    def __init__(self, problem: Problem, maker: KernelMaker, seed: int, reach: int) -> None:
        self._crossed_by = problem.grid.crossed_by
        self._kernel = maker.make(problem.domains, seed=seed, first_limit=FIRST_RESTART)
        self._reach = reach
        self._slot = -1

    def find(self, fill: list[WordId], slot: SlotId, words: int, deadline: Deadline) -> list[WordId] | None:
        """Return the words of a fill in which the slot has one of `words`, if soon found."""
        kernel = self._kernel
        kernel.release()
        if slot != self._slot:
            self._slot = slot
            near = {slot}
            for _ in range(self._reach):
                near |= {other for each in near for other in self._crossed_by[each]}
            kernel.relax(fill, sorted(near))
        if kernel.assume(slot, pack(words)) and _run(kernel, NEAR_NODES, deadline) is Outcome.FOUND:
            return kernel.words()
        return None


def _run(kernel: Kernel, nodes: int, deadline: Deadline) -> Outcome:
    """Run a kernel to its next solution, to its end, for `nodes` nodes, or to the deadline."""
    end = kernel.counters()[0] + nodes
    while True:
        answer = kernel.step(deadline.remaining_s(SLICE_S), end)
        if answer.name != "RUNNING":
            return Outcome.FOUND if answer.name == "FOUND" else Outcome.EXHAUSTED
        if kernel.counters()[0] >= end or deadline.passed:
            return Outcome.UNKNOWN
