"""Maximises one criterion that adds up: better fills from below and a bound from above, in turn.

fills    Belief propagation refills neighbourhoods, accepting worse fills ever less (`refill.py`). Small
         neighbourhoods are settled: does a better fill exist there? These are searched letter by letter under shifted
         costs; they grow if they are settled, and shrink if they take too many nodes.
bound    The bound rests on the costs that the kernel shifts between slots, before each search and at its nodes
         (`kernel/prices.hpp`). A grid of many slots is bounded by its parts (`parts.py`), which become fewer and
         larger. Finally, or at once in a small grid, the question is whether a fill worth at least a floor exists. A
         floor near the bound is soon refuted; each refutation lowers the bound, and the next floor is further below it,
         until the floor is just above the best fill.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from cpfill.engines.mac.parts import Parts, divide
from cpfill.engines.mac.refill import Repairer
from cpfill.engines.toolkit.propagation import IntervalEnd, Wipeout, ac3, bound_sum
from cpfill.problem.fill import Fill
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.engines.mac.kernels import KernelMaker
    from cpfill.engines.toolkit.worker import Control
    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Criterion, Value
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId

START_NODES = 3_000
"""Nodes of one turn of the search for a first fill."""

PLAIN_TURNS = 30
"""Turns in which no words are chosen by their gains, which refutes much sooner where no fill exists."""

FIRST_NODES = 500
"""Nodes of the first turn at either end."""

PATIENCE = 3
"""An open question gives way to an easier one after this many turns, each as long as the last."""

GROWTH = 1.5
"""The ratio of the length of a turn to the one before."""

NEIGHBOURHOOD = 8
"""Slots in the first of the neighbourhoods to be settled."""

NEIGHBOURHOOD_NODES = 300
"""Nodes that such a neighbourhood may take at first."""

OTHERS = 3
"""Once per this many turns, repairs other than the most successful ones may continue."""

SETTLED = 0.2
"""The share of a turn for neighbourhoods that are settled."""

WHOLE_SLOTS = 24
"""Grids with more slots are first bounded by parts."""

PART_SLOTS = 8
"""The approximate number of slots in the first parts."""

_LEAST_NODES = 20
"""The least number of nodes charged for a neighbourhood."""


class Improver:
    """One criterion, maximised within arc-consistent domains.

    Attributes:
        best: the value of the best fill of all searches, if there is one; it reaches the settled values of the earlier
            criteria.
        words: the words of a fill found here, if there is one; it reaches those values too, but may be worse than
            `best`, which another search may have found.
    """

    def __init__(
        self,
        problem: Problem,
        control: Control,
        kernels: KernelMaker,
        advance: Callable[[Kernel, int], Outcome],
        fill: Callable[[Sequence[int]], Iterator[tuple[Outcome, list[WordId]]]],
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

        `advance` runs a kernel to its next solution, to its end, or for a number of nodes; `fill` looks in turns for a
        fill within some domains, whatever it is worth; `floors` has the values of
        earlier criteria that fills must reach; `ends` is a single one if a parallel search works from the other.
        """
        self._problem = problem
        self._control = control
        self._kernels = kernels
        self._advance = advance
        self._fill = fill
        self._criterion = criterion
        self._domains = domains
        self._floors = floors
        self._first_restart = first_restart
        self._ends = ends
        self._best_of_all = best_of_all
        self.best = best
        self.words = words
        self._stage = problem.criteria.index(criterion)
        self._gains = problem.gains(criterion)
        self._bound = bound_sum(problem, criterion, domains)
        self._random = Random(control.limits.seed)  # noqa: S311 - for variety
        self._freed = float(min(NEIGHBOURHOOD, len(problem.slots)))
        self._repairers = [self._make_repairer(domains, diving=True)]
        self._turns = 0
        self._step = self._floor = 1
        self._question: Kernel | None = None
        self._groups: list[list[SlotId]] = []
        if len(problem.slots) > WHOLE_SLOTS:
            self._groups = divide(problem.grid, PART_SLOTS)
        self._parts: Parts | None = None

    def run(self) -> None:
        """Report ever better fills and bounds until they meet; if no fill exists, `best` stays `None`."""
        self._report_bound()
        if not self._open() or not self._begin():
            return
        nodes = FIRST_NODES
        while self._open():
            if IntervalEnd.BELOW in self._ends:
                self._repair(nodes)
                self._settle(int(nodes * SETTLED))
            if IntervalEnd.ABOVE in self._ends:
                if self._parted():
                    self._lower_by_parts(nodes)
                else:
                    self._lower_by_floors(nodes)
            nodes = int(nodes * GROWTH) + 1
        self._lower_bound(0)

    def _learn(self) -> int:
        """Take note of the best fill of all searches, and return its value in whole units; -1 if there is none."""
        others = self._best_of_all()
        if others is not None and self._fits(others) and (self.best is None or others > self.best):
            self.best = others  # this search settles that value, even if another found it
        if self.best is None:
            return -1
        return round(self.best[self._stage] * self._gains.per_unit)

    def _find_floor(self) -> int:
        """Return the least value of a fill that is better than the best one, in whole units."""
        known = self._learn()
        if known < 0:
            return 0
        return known + self._gains.step

    def _parted(self) -> bool:
        """Whether to bound by parts."""
        if self._parts is None:
            return len(self._groups) > 1
        return len(self._parts.groups) > 1

    def _open(self) -> bool:
        return self._learn() < self._bound

    def _report_bound(self) -> None:
        settled = (self.best or ())[: self._stage]
        self._control.report_bound((*settled, self._bound / self._gains.per_unit))

    def _lower_bound(self, bound: int) -> None:
        """Report the proved bound: the greater of `bound`, rounded down to a step, and the value of the best fill."""
        bound = max(bound - bound % self._gains.step, self._learn())
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
        """Find some fill, and the bound by cost shifting; return false if no fill exists."""
        kernel = self._make(self._domains, 0, self._first_restart)
        outcome = self._advance(kernel, 1)
        if outcome is not Outcome.EXHAUSTED:
            self._lower_bound(self._kernels.bound(kernel, self._criterion))
        if self.words is not None and not self._fits(self._problem.score(self.words)):
            self.words = None
        if IntervalEnd.BELOW not in self._ends:
            return outcome is not Outcome.EXHAUSTED
        if self.words is None:
            self._find_first(kernel, outcome)
        return self.words is not None

    def _find_first(self, kernel: Kernel, outcome: Outcome) -> None:
        """Find some fill by a kernel that has an outcome so far, or by dives."""
        if outcome is Outcome.UNKNOWN:
            if self._gains.by_score:
                self._start()
            if self._refute():
                return
        while self.words is None and outcome is Outcome.UNKNOWN:
            outcome = self._advance(kernel, START_NODES)
            if outcome is Outcome.UNKNOWN:
                words = self._repairers[0].dive()
                if words:
                    self._take(words)
        if self.words is None and outcome is Outcome.FOUND:
            self._take(kernel.words())

    def _refute(self) -> bool:
        """Return whether a search as for any fill soon proves that there is none."""
        if self.words is not None:
            return False
        for outcome, _ in islice(self._fill(self._domains), PLAIN_TURNS):
            if outcome is not Outcome.UNKNOWN:
                return outcome is Outcome.EXHAUSTED
        return False

    def _start(self) -> None:
        """Look briefly for a fill whose words all score well; in alternate turns, repairs keep to such words."""
        low = -1
        high = len(self._problem.ranking)
        while high - low > 1:
            middle = (low + high) // 2
            if self._seek(middle):
                low = middle
            else:
                high = middle

    def _seek(self, rank: int) -> bool:
        """Look, within a limit on nodes, for a fill whose words all reach a rank."""
        problem = self._problem
        control = self._control
        least = self._problem.ranking[rank]
        good = [domain & table.at_least(least) for domain, table in zip(self._domains, problem.tables, strict=True)]
        try:
            good = ac3(problem, good, control.check)
        except Wipeout:
            return False
        seed = control.limits.seed  # gives the same fill as a search for the best minimum score
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
        """Report a fill if it is better than the best one; keep it if it is not worse."""
        value = self._problem.score(words)
        if self.best is None or value > self.best:
            self.best = value
            self._control.report_fill(Fill.of_words(self._problem, words), value, counts=False)
        if self.words is None or value >= self._problem.score(self.words):
            self.words = words

    def _repair(self, nodes: int) -> None:
        """Repair fills for some nodes, starting from the last repaired fill, or from a new one if repairs got stuck."""
        assert self.words is not None
        number = self._turns
        self._turns += 1
        if number < len(self._repairers) or number % OTHERS == 0:
            repairer = self._repairers[number % len(self._repairers)]
        else:
            repairer = max(self._repairers, key=lambda one: one.best)
        for words in repairer.repair(self.words, nodes):
            self._control.check()  # a repair that propagation refutes has no search that would check
            if repairer.value > self._learn():
                self._take(words)
                if not self._open():
                    return

    def _settle(self, nodes: int) -> None:
        """Settle neighbourhoods of the best fill for some nodes: does one contain a better fill?"""
        spent = 0
        while self._open() and spent < nodes:
            kernel = self._make(self._free(self._draw_slots(int(self._freed))), self._find_floor(), by_cell=True)
            outcome, found = self._exhaust(kernel, max(NEIGHBOURHOOD_NODES, nodes // 20))
            if outcome is Outcome.UNKNOWN:
                self._freed = max(1.0, self._freed - 0.5)
            elif not found:
                self._freed = min(max(1, len(self._problem.slots) - 1), self._freed + 0.1)
            spent += max(_LEAST_NODES, kernel.counters()[0])

    def _lower_by_parts(self, nodes: int) -> None:
        """Bound the parts of the grid for some nodes."""
        if self._parts is None:
            kernel = self._make(self._domains, self._find_floor())
            if self._advance(kernel, 1) is Outcome.EXHAUSTED:
                self._lower_bound(0)
                return
            if not kernel.shifted():
                self._groups = []
                return
            most = max(max(gains, default=0) for gains in self._gains.by_kind.values())
            self._parts = Parts(self._problem.grid, kernel, self._groups, most)
        for least in self._parts.work(nodes, self._advance):
            self._lower_bound(self._kernels.bound_by_cost(least, self._criterion))
            if not self._open():
                return

    def _lower_by_floors(self, nodes: int) -> None:
        """Refute floors for some nodes; an open question continues in the next turn."""
        spent = 0
        while self._open() and spent < nodes:
            if self._question is None:
                least = self._bound - (self._step - 1) * self._gains.step
                self._floor = max(self._find_floor(), least)
                self._question = self._make(self._domains, self._floor, by_cell=True)
            elif self._floor <= self._learn():
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
        """Take every better fill of a kernel within some nodes; return EXHAUSTED or UNKNOWN, and whether one came."""
        found = False
        left = nodes - kernel.counters()[0]
        while left > 0:
            outcome = self._advance(kernel, left)
            if outcome is not Outcome.FOUND:
                return outcome, found
            found = True
            self._take(kernel.words())
            self._kernels.set_floor(kernel, self._criterion, self._find_floor())
            left = nodes - kernel.counters()[0]
        return Outcome.UNKNOWN, found

    def _free(self, freed: Sequence[SlotId]) -> list[int]:
        """Return domains in which `freed` slots have all their words, and the others their word of the best fill."""
        assert self.words is not None
        domains = [1 << word for word in self.words]
        for slot in freed:
            domains[slot] = self._domains[slot]
        return domains

    def _draw_slots(self, count: int) -> list[SlotId]:
        """Return some slots to refill.

        A slot is more likely to be drawn the more its word falls short of the best, and the more of its crossings are
        with drawn slots: a word that crosses many kept words can hardly change.
        """
        assert self.words is not None
        problem = self._problem
        neighbours = self._problem.grid.crossed_by
        by_kind = self._gains.by_kind
        gains = [by_kind[kind][word] for kind, word in zip(problem.kinds, self.words, strict=True)]
        most = max(gains) + 1
        left = set(range(len(gains)))
        crossed = [0] * len(gains)  # by slot, the number of drawn slots that it crosses
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
