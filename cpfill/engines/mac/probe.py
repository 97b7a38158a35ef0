"""Questions about one problem, answered by one kernel from one propagated state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cpfill.engines.mac.kernels import FIRST_RESTART, SLICE_S, KernelMaker, pack
from cpfill.problem.fill import Fill
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from cpfill.problem.limits import Deadline
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId


class MacProbe:
    """Answers questions from a state that is propagated once; what a refutation learnt of the cells helps the next."""

    def __init__(self, problem: Problem, module: Any, seed: int) -> None:  # noqa: ANN401 - see `load_kernel`
        self._problem = problem
        self._kernel = KernelMaker(problem, module).make(problem.domains, seed=seed, first_limit=FIRST_RESTART)
        self._fillable = self._kernel.propagate()

    def domain(self, slot: SlotId) -> int:
        """Return the bitset of the words of a slot that propagation, and what was excluded since, leave."""
        self._kernel.release()
        return int.from_bytes(self._kernel.domain(slot), "little") if self._fillable else 0

    def ask(self, slot: SlotId, words: int, nodes: int, deadline: Deadline) -> tuple[Outcome, Fill | None]:
        """Return whether there is a fill in which a slot has one of some words, within `nodes` and the deadline."""
        kernel = self._kernel
        kernel.release()
        if not self._fillable or not kernel.assume(slot, pack(words)):
            return Outcome.EXHAUSTED, None
        end = kernel.counters()[0] + nodes
        while True:
            answer = kernel.step(deadline.remaining_s(SLICE_S), end)
            if answer.name == "FOUND":
                return Outcome.FOUND, Fill.of_words(self._problem, kernel.words())
            if answer.name == "EXHAUSTED":
                return Outcome.EXHAUSTED, None
            if kernel.counters()[0] >= end or deadline.passed:
                return Outcome.UNKNOWN, None

    def weigh_crossings(self) -> list[float]:
        """Return for each crossing of the grid 1, and more the more often what meets there has failed."""
        return self._kernel.weights()

    def exclude(self, slot: SlotId, words: int) -> None:
        """Leave words of a slot out of account from now on: no fill has them there, as an answer proved."""
        self._fillable = self._fillable and self._kernel.narrow(slot, pack(self.domain(slot) & ~words))
