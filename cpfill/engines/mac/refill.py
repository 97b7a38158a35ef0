"""Ever better fills by a criterion that adds up: belief propagation refills neighbourhoods.

Some slots are freed and decided again on the surest words (`kernel/beliefs.hpp`); words that gain more are likelier
(large neighbourhoods: Schrimpf et al., Record breaking optimization results using the ruin and recreate principle, J.
Comp. Phys. 159, 2000). A repair may lose a random amount, which becomes smaller towards the end of a turn (Kirkpatrick,
Gelatt and Vecchi, Optimization by simulated annealing, Science 220, 1983). The amount is drawn before the repair, so
that it prunes the repair's search.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.engines.mac.kernels import KernelMaker
    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Criterion
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId

DEAR = 12.0
"""The log-likelihood of a word of the greatest gain minus that of a word without gain."""

DIVES = 6
"""Attempts at a first fill."""

DIVE_NODES = 2
"""Nodes of one attempt, per slot."""

CALMER = 0.85
"""The factor by which each further attempt reduces differences in log-likelihood."""

HOT = 0.25
"""The mean loss that a repair may make at the start of a turn, as a share of the greatest gain."""

COLD = 0.005
"""The same at the end of a turn."""

LEAST_FREED = 6
"""The least number of freed slots."""

FIRST_SIZE = 10.0
"""The initial upper limit of a random number of further freed slots."""

SIZES = (4.0, 40.0)
"""The range of that upper limit, which rises if repairs succeed and falls if they fail."""

REPAIR_NODES = 25
"""Nodes of a repair, in addition to one per slot."""

JITTER = 0.35
"""The scale of the noise in the choice of the next slot, added to the share of its crossings that are freed."""


class Repairer:
    """Repairs fills by one criterion within arc-consistent domains.

    Attributes:
        words: the words of the current fill, if there is one.
        value: its value by the criterion, in whole units (`Problem.gains`); -1 if there is no fill.
        best: the value of the best fill found here.
    """

    def __init__(
        self,
        problem: Problem,
        kernels: KernelMaker,
        advance: Callable[[Kernel, int], Outcome],
        *,
        criterion: Criterion,
        domains: Sequence[int],
        floors: Mapping[Criterion, int],
        seed: int,
        diving: bool,
    ) -> None:
        """Prepare; see `Improver`. If `diving`, seek fills from scratch, which is soon done if there are many words."""
        self._problem = problem
        self._kernels = kernels
        self._advance = advance
        self._criterion = criterion
        self._domains = domains
        self._floors = floors
        self._neighbours = problem.grid.crossed_by
        by_kind = problem.gains(criterion).by_kind
        self._gains = [by_kind[kind] for kind in problem.kinds]
        self._most = max(1, *(max(gains, default=0) for gains in self._gains))
        self._random = Random(seed)  # noqa: S311 - for variety
        self._diving = diving
        self._size = FIRST_SIZE
        self._kernel: Kernel | None = None
        self.words: list[WordId] | None = None
        self.value = -1
        self.best = self._best_before = -1

    def _measure(self, words: Sequence[WordId]) -> int:
        return sum(gains[word] for gains, word in zip(self._gains, words, strict=True))

    def _make(self, dear: float) -> Kernel:
        floors = {**self._floors, self._criterion: 0}
        seed = self._random.getrandbits(32)
        return self._kernels.make(self._domains, seed=seed, floors=floors, improving=self._criterion, believing=dear)

    def dive(self) -> list[WordId] | None:
        """Look for a first fill from scratch; return its words if one is found."""
        for attempt in range(DIVES):
            kernel = self._make(DEAR * CALMER**attempt)
            if self._advance(kernel, DIVE_NODES * len(self._gains)) is Outcome.FOUND:
                return kernel.words()
        return None

    def take(self, words: list[WordId]) -> None:
        """Continue from a fill."""
        self.words = words
        self.value = self._measure(words)
        self.best = max(self.best, self.value)

    def repair(self, first: list[WordId], nodes: int) -> Iterator[list[WordId]]:
        """Repair repeatedly for `nodes` nodes, allowing ever smaller losses; yield the fill after each attempt.

        Begin with the current fill, or with `first`. When `diving`, begin instead with a fill from scratch in the first
        turn and after each turn without progress.
        """
        if self._kernel is None:
            self._kernel = self._make(DEAR)
            self._kernel.propagate()  # under the lowest floor of all repairs
        dived = None
        if self._diving and self.best <= self._best_before:
            dived = self.dive()
        if dived:
            self.take(dived)
        elif self.words is None:
            self.take(first)
        self._best_before = self.best
        assert self.words is not None
        spent = 0
        while spent < nodes:
            heat = self._most * (HOT * (1 - spent / nodes) ** 2 + COLD)
            floor = self.value - int(self._random.expovariate(1 / heat))
            freed = self._draw_slots(LEAST_FREED + self._random.randrange(int(self._size)))
            before = self._kernel.counters()[0]
            found = self._refill(self._kernel, freed, max(0, floor))
            spent += 1 + self._kernel.counters()[0] - before
            if found:
                self._size = min(SIZES[1], self._size + 0.05)
            else:
                self._size = max(SIZES[0], self._size - 0.02)
            yield self.words

    def _refill(self, kernel: Kernel, freed: list[SlotId], floor: int) -> bool:
        assert self.words is not None
        self._kernels.set_floor(kernel, self._criterion, floor)
        if not kernel.relax(self.words, freed):
            return False
        if self._advance(kernel, REPAIR_NODES + len(freed)) is not Outcome.FOUND:
            return False
        self.take(kernel.words())
        return True

    def _draw_slots(self, count: int) -> list[SlotId]:
        """Return slots to free: one that gains little, and then slots most of whose crossings are with freed slots."""
        assert self.words is not None
        neighbours = self._neighbours
        slots = range(len(self._gains))
        random = self._random.random
        pair = self._random.choices(slots, k=2)
        words = self.words
        gains = self._gains
        drawn = [min(pair, key=lambda slot: gains[slot][words[slot]])]
        left = [slot for slot in slots if slot != drawn[0]]
        crossed = [0] * len(gains)
        while left and len(drawn) < count:
            for other in neighbours[drawn[-1]]:
                crossed[other] += 1
            shares = []
            for slot in left:
                share = 0.0
                if crossed[slot]:
                    share = crossed[slot] / len(neighbours[slot]) + JITTER * random()
                shares.append(share)
            drawn.append(left.pop(shares.index(max(shares))))
        return drawn
