"""The best of one criterion that adds up: better fills from below, a bound from above, by turns.

fills    neighbourhoods that belief propagation fills anew, ever less daring (`repairing.py`), and small ones that are
         settled: is there any better fill there? These are searched letter by letter under shifted costs. They become
         larger where that is settled, and smaller where it takes too many nodes.
bound    rests on the costs that the kernel shifts between slots, before each search and at its nodes
         (`kernel/prices.hpp`). A grid of many slots is bounded by its parts (`parts.py`), fewer and larger ones by and
         by. At last, and in a small grid at once: is there a fill worth at least a floor? One near the bound is refuted
         soon; each refutation lowers the bound, and the next floor is further below it, down to that of a better fill.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from cpfill.engines.mac.parts import Parts, divide
from cpfill.engines.mac.repairing import Repairer
from cpfill.engines.toolkit.ac3 import Wipeout, ac3
from cpfill.engines.toolkit.sums import bound_sum
from cpfill.engines.toolkit.thresholds import IntervalEnd
from cpfill.problem.fill import Fill
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.engines.mac.kernels import KernelMaker
    from cpfill.engines.toolkit.worker import Control
    from cpfill.problem.criteria import Criterion, Value
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.table import WordId

START_NODES = 3_000
"""Nodes of one turn in search of a fill to begin from."""

FIRST_NODES = 500
"""Nodes of the first turn at either end."""

PATIENCE = 3
"""A question is given up for an easier one after so many turns, as long as the last one is."""

GROWTH = 1.5
"""How much longer each turn is than the one before."""

NEIGHBOURHOOD = 8
"""Slots in the first neighbourhoods that are settled."""

NEIGHBOURHOOD_NODES = 300
"""Nodes that one of them may take at first."""

OTHERS = 3
"""Every so many turns it need not be the repairs that have led furthest that go on."""

SETTLED = 0.2
"""What part of a turn goes to neighbourhoods that are settled."""

WHOLE_SLOTS = 24
"""Grids of more slots are bounded by parts first."""

PART_SLOTS = 8
"""Slots in the first parts, more or less."""

_LEAST_NODES = 20
"""What a neighbourhood counts for at least."""


class Improver:
    """One criterion, maximised within arc-consistent domains.

    Attributes:
        best: the value of the best fill, if there is one; it reaches all that comes before in `problem.criteria`.
        words: those of a fill that was found here, if there is one; it reaches as much of what comes before.
    """

    def __init__(
        self,
        problem: Problem,
        control: Control,
        kernels: KernelMaker,
        advance: Callable[[Kernel, int], Outcome],
        *,
        criterion: Criterion,
        domains: Sequence[int],
        floors: Mapping[Criterion, int],
        first_restart: int,
        best: Value | None,
        words: list[WordId] | None,
        ends: Sequence[IntervalEnd] = tuple(IntervalEnd),
        best_of_all: Callable[[], Value | None] = lambda: None,
    ) -> None:
        """Prepare.

        Args:
            problem: the problem.
            control: what fills and bounds are reported to.
            kernels: makes the kernels.
            advance: runs a kernel to its next solution, its end, or for so many nodes.
            criterion: what is maximised.
            domains: arc consistent.
            floors: what fills must reach of criteria that come before.
            first_restart: wipeouts before the first restart of the search for a first fill, 0 for none.
            best: the value of the best fill so far, which need not have been found here.
            words: those of a fill, if there is one.
            ends: from which to work: one alone where another search works from the other.
            best_of_all: returns what the best fill of all searches is worth by now.
        """
        self._problem, self._control, self._kernels, self._advance = problem, control, kernels, advance
        self._criterion, self._domains, self._floors = criterion, domains, floors
        self._first_restart = first_restart
        self._ends, self._best_of_all = ends, best_of_all
        self.best, self.words = best, words
        self._stage = problem.criteria.index(criterion)
        self._gains = problem.gains(criterion)
        self._bound = bound_sum(problem, criterion, domains)
        self._random = Random(control.limits.seed)  # noqa: S311 - for variety
        self._freed = float(min(NEIGHBOURHOOD, len(problem.slots)))
        self._repairers = [self._make_repairer(domains, diving=True)]
        self._turns = 0
        self._step = self._floor = 1
        self._question: Kernel | None = None
        self._groups = divide(problem.grid, PART_SLOTS) if len(problem.slots) > WHOLE_SLOTS else []
        self._parts: Parts | None = None
        self._unparted = self._bound  # what parts lower

    def run(self) -> None:
        """Report ever better fills and bounds until they meet, or there is no fill: then `best` is none."""
        self._report_bound()
        if not self._open() or not self._begin():
            return
        nodes = FIRST_NODES
        while self._open():
            if IntervalEnd.BELOW in self._ends:
                self._repair(nodes)
                self._settle(int(nodes * SETTLED))
            if IntervalEnd.ABOVE in self._ends:
                lower = self._lower_by_parts if len(self._groups) > 1 else self._lower_by_floors
                lower(nodes)
            nodes = int(nodes * GROWTH) + 1
        self._lower_bound(0)

    @property
    def _told(self) -> int:
        """The value of the best fill that is as good by what comes before, in whole units; -1 if there is none."""
        others = self._best_of_all()
        known = [value for value in (self.best, others) if value is not None and self._fits(value)]
        return self._measure(max(known)) if known else -1

    def _measure(self, value: Value) -> int:
        return round(value[self._stage] * self._gains.per_unit)

    def _open(self) -> bool:
        return self._told < self._bound

    def _report_bound(self) -> None:
        settled = self.best[: self._stage] if self.best else ()
        self._control.report_bound((*settled, self._bound / self._gains.per_unit))

    def _lower_bound(self, bound: int) -> None:
        """Report that no fill is worth more than `bound`, or than the best one."""
        bound = max(bound, self._told)
        if bound < self._bound:
            self._bound = bound
            self._report_bound()

    def _make(self, domains: Sequence[int], floor: int, first_limit: int = 0, *, by_cell: bool = False) -> Kernel:
        return self._kernels.make(
            domains,
            seed=self._random.getrandbits(32),
            first_limit=first_limit,
            by_cell=by_cell,
            floors={**self._floors, self._criterion: floor},
            improving=self._criterion,
        )

    def _make_repairer(self, domains: Sequence[int], *, diving: bool) -> Repairer:
        return Repairer(
            self._problem,
            self._kernels,
            self._advance,
            criterion=self._criterion,
            domains=domains,
            floors=self._floors,
            seed=self._random.getrandbits(32),
            diving=diving,
        )

    def _begin(self) -> bool:
        """Have the words of some fill, and the bound that cost shifting gives; false if there is no fill."""
        kernel = self._make(self._domains, 0, self._first_restart)
        outcome = self._advance(kernel, 1)
        if outcome is not Outcome.EXHAUSTED:
            self._lower_bound(self._kernels.bound(kernel, self._criterion))
        if self.words is not None and not self._fits(self._problem.score(self.words)):
            self.words = None
        if IntervalEnd.BELOW not in self._ends:
            return outcome is not Outcome.EXHAUSTED
        if self.words is None and outcome is Outcome.UNKNOWN and self._gains.by_score:
            self._start()
        while self.words is None and outcome is Outcome.UNKNOWN:
            outcome = self._advance(kernel, START_NODES)
            if outcome is Outcome.UNKNOWN and (words := self._repairers[0].dive()):
                self._take(words)
        if self.words is None and outcome is Outcome.FOUND:
            self._take(kernel.words())
        return self.words is not None

    def _start(self) -> None:
        """Have a fill of words that all score well, if one is found soon; repairs keep to such words by turns."""
        low, high = -1, len(self._problem.ranking)
        while high - low > 1:
            middle = (low + high) // 2
            if self._seek(middle):
                low = middle
            else:
                high = middle

    def _seek(self, rank: int) -> bool:
        """Have a fill of words that score as much as a rank, if one is found within some nodes."""
        problem, control, least = self._problem, self._control, self._problem.ranking[rank]
        good = [domain & table.at_least(least) for domain, table in zip(self._domains, problem.tables, strict=True)]
        try:
            good = ac3(problem, good, control.check)
        except Wipeout:
            return False
        seed = control.limits.seed  # for the fill that is found where the least score is asked for
        kernel = self._kernels.make(good, seed=seed, first_limit=self._first_restart, floors=self._floors)
        if self._advance(kernel, START_NODES) is not Outcome.FOUND:
            return False
        words = kernel.words()
        self._take(words)
        self._repairers[1:] = [self._make_repairer(good, diving=False)]
        self._repairers[1].take(words)
        return True

    def _fits(self, value: Value) -> bool:
        return self.best is None or value[: self._stage] == self.best[: self._stage]

    def _take(self, words: list[WordId]) -> None:
        """Report a fill if it is better than the best one, and keep it if it is no worse."""
        value = self._problem.score(words)
        if self.best is None or value > self.best:
            self.best = value
            self._control.report_fill(Fill.of_words(self._problem, words), value, counts=False)
        if self.words is None or value >= self._problem.score(self.words):
            self.words = words

    def _repair(self, nodes: int) -> None:
        """Repair fills for some nodes: from the one that was repaired last, or a new one where that led no further."""
        assert self.words is not None
        number, self._turns = self._turns, self._turns + 1
        if number < len(self._repairers) or number % OTHERS == 0:
            repairer = self._repairers[number % len(self._repairers)]
        else:
            repairer = max(self._repairers, key=lambda one: one.best)
        for words in repairer.repair(self.words, nodes):
            self._control.check()  # a repair that propagation refutes searches nothing, and so asks nobody
            if repairer.value > self._told:
                self._take(words)
                if not self._open():
                    return

    def _settle(self, nodes: int) -> None:
        """Ask of some neighbourhoods of the best fill, for some nodes, whether there is a better one in them."""
        spent = 0
        while self._open() and spent < nodes:
            kernel = self._make(self._free(self._draw_slots(int(self._freed))), self._told + 1, by_cell=True)
            outcome, found = self._exhaust(kernel, max(NEIGHBOURHOOD_NODES, nodes // 20))
            if outcome is Outcome.UNKNOWN:
                self._freed = max(1.0, self._freed - 0.5)
            elif not found:
                self._freed = min(max(1, len(self._problem.slots) - 1), self._freed + 0.1)
            spent += max(_LEAST_NODES, kernel.counters()[0])

    def _lower_by_parts(self, nodes: int) -> None:
        """Bound the parts of the grid for some nodes; where they are settled, fewer ones from then on."""
        if self._parts is None or self._parts.settled:
            kernel = self._make(self._domains, self._told + 1)
            if self._advance(kernel, 1) is Outcome.EXHAUSTED:
                self._lower_bound(0)
                return
            bound = self._kernels.bound(kernel, self._criterion)
            if self._parts is not None:
                self._parts.merge()
                self._groups = self._parts.groups
            if self._parts is None or bound < self._unparted:
                self._unparted, self._parts = bound, Parts(self._problem.grid, kernel, self._groups)
        for regret in self._parts.work(nodes, self._advance):
            self._lower_bound(self._unparted - regret)
            if not self._open():
                return

    def _lower_by_floors(self, nodes: int) -> None:
        """Refute floors for some nodes; a question that is left open goes on in the next turn."""
        spent = 0
        while self._open() and spent < nodes:
            if self._question is None:
                self._floor = max(self._told + 1, self._bound + 1 - self._step)
                self._question = self._make(self._domains, self._floor, by_cell=True)
            elif self._floor <= self._told:
                self._question = None
                continue
            before = self._question.counters()[0]
            outcome, _ = self._exhaust(self._question, before + nodes - spent)
            asked = self._question.counters()[0]
            spent += max(_LEAST_NODES, asked - before)
            if outcome is Outcome.EXHAUSTED:
                self._lower_bound(self._floor - 1)
                if asked < nodes // 4:
                    self._step *= 2
                elif asked > nodes:
                    self._step = (self._step + 1) // 2
                self._question = None
            elif asked > PATIENCE * nodes:
                self._step = (self._step + 1) // 2
                self._question = None

    def _exhaust(self, kernel: Kernel, nodes: int) -> tuple[Outcome, bool]:
        """Take every better fill of a kernel within some nodes; return EXHAUSTED or UNKNOWN, and if there was one."""
        found = False
        while (left := nodes - kernel.counters()[0]) > 0:
            outcome = self._advance(kernel, left)
            if outcome is not Outcome.FOUND:
                return outcome, found
            found = True
            self._take(kernel.words())
            self._kernels.set_floor(kernel, self._criterion, self._told + 1)
        return Outcome.UNKNOWN, found

    def _free(self, freed: Sequence[SlotId]) -> list[int]:
        """Return the domains in which some slots have all their words and the others those of the best fill."""
        assert self.words is not None
        domains = [1 << word for word in self.words]
        for slot in freed:
            domains[slot] = self._domains[slot]
        return domains

    def _draw_slots(self, count: int) -> list[SlotId]:
        """Return some slots to be filled anew.

        What a word lacks draws its slot, and so do crossings with slots that are drawn: words that cross many kept ones
        can hardly change.
        """
        assert self.words is not None
        problem, neighbours = self._problem, self._problem.grid.crossed_by
        gains = [self._gains.by_length[slot.length][word] for slot, word in zip(problem.slots, self.words, strict=True)]
        most = max(gains) + 1
        left = set(range(len(gains)))
        crossed = [0] * len(gains)  # how many slots that are drawn a slot crosses
        drawn: list[SlotId] = []
        while len(drawn) < count:
            among = [slot for slot in sorted(left) if crossed[slot]] or sorted(left)
            shares = [max(1, crossed[slot]) / max(1, len(neighbours[slot])) for slot in among]
            weights = [share * (most - gains[slot]) for share, slot in zip(shares, among, strict=True)]
            (slot,) = self._random.choices(among, weights)
            drawn.append(slot)
            left.remove(slot)
            for other in neighbours[slot]:
                crossed[other] += 1
        return drawn
