"""Maximises one criterion that adds up: better fills from below and a bound from above, in turn.

fills    Belief propagation refills neighbourhoods, accepting worse fills ever less (`refill.py`). Small
         neighbourhoods are settled: does a better fill exist there? These are searched letter by letter under shifted
         costs; they grow if they are settled, and shrink if they take too many nodes.
bound    The bound rests on the costs that the kernel shifts between slots, before each search and at its nodes
         (`kernel/prices.hpp`). A grid of many slots is bounded by its parts, which become fewer and
         larger. Finally, or at once in a small grid, the question is whether a fill worth at least a floor exists. A
         floor near the bound is soon refuted; each refutation lowers the bound, and the next floor is further below it,
         until the floor is just above the best fill.

Parts of a grid are bounded separately, so that no part multiplies the work of another. If the cheapest words of a part
do not fit together, its words cost more than the cheapest by some regret. Under the costs that a kernel shifted between
the slots, a fill costs at least the sum of the cheapest words of all slots plus the least regret of each part.
Crossings between parts are ignored, as between mini-buckets (Dechter and Rish, Mini-buckets: a general scheme for
bounded inference, JACM 50, 2003). Parts of a dozen slots are settled in about a second. Once all are settled, fewer and
larger parts give a better bound; each starts from the sum of the regrets of the parts that it merges (Verfaillie,
Lemaître and Schiex, Russian doll search for solving constraint optimization problems, AAAI 1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from cpfill.engines.mac.refill import Repairer
from cpfill.engines.toolkit.propagation import IntervalEnd, Wipeout, ac3, bound_sum
from cpfill.problem.problem import Fill
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.engines.mac.kernels import KernelMaker
    from cpfill.engines.toolkit.worker import Control
    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Criterion, Value
    from cpfill.puzzle.grid import Grid, SlotId
    from cpfill.words.lexicon import WordId

FIRST_STEP = 8
"""The step of the first question beyond the known cost, in whole units."""

MOST_STEP = 16
"""The greatest step."""

LEAST_STEP = 4
"""The least step."""

EASY_NODES = 200
"""If a question took fewer nodes, the next step is twice as large."""

HARD_NODES = 2_000
"""If a question took more nodes, or a third of all nodes of its part, the next step is half as large."""

SLOWER = 4
"""Parts are merged once a round raises the bound by less a node than 1/this of the average since the last merger."""

WINDOW = 3

MERGED_SHARE = 0.3
"""share"""

_UNKNOWN = -(2**61)


@dataclass(slots=True)
class _Part:
    """Some slots, and what is known of their least cost, in the parts of a unit that the kernel counts in."""

    slots: list[SlotId]
    least: int
    exact: bool = False
    received: int = 0
    """What other parts have given since the open or the last question was put."""
    step: int = FIRST_STEP
    nodes: int = 0
    """Nodes of the open question, or of the last one that gave the exact least cost."""
    spent: int = 0
    settled: bool = False
    """Whether the least cost was exact once."""
    question: Kernel | None = None
    """The open question: what do fills cost that cost up to a step more than the known least cost?"""

    def note(self, *, answered: bool, nodes: int) -> None:
        """Note whether the open question is answered, which took some nodes so far; drop one that takes too many."""
        assert self.question is not None
        self.nodes = max(1, nodes)
        if answered:
            least, self.exact, _ = self.question.survey()
            self.least = max(self.least, least)
            if nodes < EASY_NODES:
                self.step = min(MOST_STEP, 2 * self.step)
            elif nodes > HARD_NODES:
                self.step = max(LEAST_STEP, self.step // 2)
            self.question = None
        elif self.step > LEAST_STEP and nodes > max(HARD_NODES, self.spent // 3):
            self.step //= 2
            self.question = None

    def rate(self, scale: int) -> float:
        """Return how much a node spent here may be worth."""
        hope = self.received
        if not self.exact:
            hope += self.step * scale
        return hope / max(1, self.nodes)


class Parts:
    """The parts of a grid, initially `groups`, within one kernel whose costs are shifted."""

    def __init__(self, grid: Grid, kernel: Kernel, groups: Sequence[list[SlotId]]) -> None:
        self._grid = grid
        self._kernel = kernel
        self._parts = []
        self._scale = 1
        for slots in groups:
            least, _, self._scale = kernel.part(slots, _UNKNOWN, 0).survey()
            self._parts.append(_Part(slots, least))
        self._nodes = 0
        self._start = self._last = self._add_up(), 0

    def _add_up(self) -> int:
        return sum(part.least for part in self._parts)

    @property
    def least(self) -> int:
        """A lower bound on the cost of any fill, in whole units."""
        return -(-self._add_up() // self._scale)

    @property
    def single(self) -> bool:
        """Whether all slots are in one part."""
        return len(self._parts) == 1

    def work(self, nodes: int, advance: Callable[[Kernel, int], Outcome]) -> Iterator[int]:
        """Work for `nodes` nodes, or until one part is left; yield the least cost after each answer."""
        end = self._nodes + nodes
        while self._nodes < end and not self.single:
            part = max(self._parts, key=lambda part: part.rate(self._scale))
            self._survey(part, end - self._nodes, advance)
            yield self.least
            self._look()

    def _look(self) -> None:
        """Merge parts if the last nodes gained little."""
        now = self._add_up(), self._nodes
        gain, nodes = now[0] - self._last[0], now[1] - self._last[1]
        gains, all_nodes = now[0] - self._start[0], now[1] - self._start[1]
        if not all(part.settled for part in self._parts) or WINDOW * nodes < all_nodes:
            return
        self._last = now
        if gain * all_nodes * SLOWER <= gains * nodes:
            self._merge()
            self._start = now

    def _survey(self, part: _Part, nodes: int, advance: Callable[[Kernel, int], Outcome]) -> None:
        """Search a part for some nodes; if its least cost is found, give its slack to others."""
        if part.question is None:
            part.question = self._kernel.part(part.slots, part.least, part.step)
            part.received = 0
            part.exact = False
        question = part.question
        before = question.counters()[0]
        outcome = advance(question, min(nodes, EASY_NODES))
        asked = question.counters()[0]
        spent = max(1, asked - before)
        part.spent += spent
        self._nodes += spent
        part.note(answered=outcome is Outcome.EXHAUSTED, nodes=asked)
        if part.exact:
            part.settled = True
            self._give(question)

    def _give(self, question: Kernel) -> None:
        owner: dict[SlotId, _Part] = {}
        for part in self._parts:
            owner |= dict.fromkeys(part.slots, part)
        for slot, amount in question.give():
            owner[slot].received += amount

    def _merge(self) -> None:
        """Merge the parts that took the fewest nodes with those that they cross most, unless one is large already."""
        left = sorted(self._parts, key=lambda part: (part.nodes, part.slots))
        count = len(left)
        room = 2 * sum(len(part.slots) for part in left) // count
        self._parts = []
        while left:
            part = left.pop(0)
            fitting = [other for other in left if len(part.slots) + len(other.slots) <= room]
            other = max(fitting, key=lambda other: (self._count_crossings(part, other), other.slots), default=None)
            if other is None and count == len(self._parts) + 1 + len(left):
                other = min(left, key=lambda other: (len(other.slots), other.slots), default=None)
            if other is not None and len(self._parts) < MERGED_SHARE * count:
                left.remove(other)
                part = _Part([*part.slots, *other.slots], part.least + other.least, nodes=part.nodes + other.nodes)
            self._parts.append(part)

    def _count_crossings(self, part: _Part, other: _Part) -> int:
        return sum(_count_in(other.slots, self._grid.crossed_by[slot]) for slot in part.slots)


def _count_in(slots: Sequence[SlotId], crossed: Sequence[SlotId]) -> int:
    """Return how many of the slots that one slot crosses are among some slots."""
    return sum(slot in slots for slot in crossed)


def divide(grid: Grid, size: int) -> list[list[SlotId]]:
    """Return the slots in parts of about `size`: repeated halves with few crossings between them."""
    neighbours = grid.crossed_by
    slots = list(range(len(neighbours)))
    counts = range(max(1, len(slots) // (3 * size)), -(-len(slots) // size) // 2 + 2)
    wholes = [divide_within(neighbours, slots, count) for count in counts]
    best = min(wholes, key=lambda parts: _count_cut(neighbours, parts))
    halves = []
    for part in best:
        halves += divide_within(neighbours, part, -(-len(part) // (size + size // 4)))
    return halves


def _count_cut(neighbours: Sequence[Sequence[SlotId]], parts: Sequence[Sequence[SlotId]]) -> int:
    """Return the number of crossings between parts, each counted from both sides."""
    owner: dict[SlotId, int] = {}
    for number, part in enumerate(parts):
        owner |= dict.fromkeys(part, number)
    cut = 0
    for slot, of in enumerate(neighbours):
        cut += sum(owner[slot] != owner[other] for other in of)
    return cut


def divide_within(neighbours: Sequence[Sequence[SlotId]], slots: Sequence[SlotId], count: int) -> list[list[SlotId]]:
    """Return some slots in about `count` parts of similar size, with most crossings inside parts.

    Each part grows from a corner of the remaining slots, by the slot with the greatest share of its crossings in the
    part. Then slots move to the part that they cross more.
    """
    size = -(-len(slots) // count)
    owner = [-1] * len(neighbours)
    sizes = _grow_parts(neighbours, slots, size, owner)
    moved = True
    while moved:
        moved = False
        for slot in slots:
            best = _choose_part(neighbours[slot], owner)
            if best < 0 or sizes[best] >= size + size // 4:
                continue
            if _share(neighbours[slot], owner, best) > _share(neighbours[slot], owner, owner[slot]):
                sizes[owner[slot]] -= 1
                sizes[best] += 1
                owner[slot] = best
                moved = True
    parts: list[list[SlotId]] = [[] for _ in sizes]
    for slot in slots:
        parts[owner[slot]].append(slot)
    return [part for part in parts if part]


def _grow_parts(
    neighbours: Sequence[Sequence[SlotId]], slots: Sequence[SlotId], size: int, owner: list[int]
) -> list[int]:
    """Give each slot an owner, a part of at most `size` slots; return the size of each part."""
    sizes: list[int] = []
    left = set(slots)
    while left:
        part = len(sizes)
        sizes.append(0)
        near = {min(left, key=lambda slot: (sum(other in left for other in neighbours[slot]), slot))}
        while near and sizes[part] < size:
            slot = _choose_slot(near, neighbours, owner, part)
            owner[slot] = part
            sizes[part] += 1
            left.remove(slot)
            near = (near | set(neighbours[slot])) & left
    return sizes


def _choose_slot(
    near: Iterable[SlotId], neighbours: Sequence[Sequence[SlotId]], owner: Sequence[int], part: int
) -> SlotId:
    """Return the slot with the greatest share of its crossings in a part; the first of several."""
    return max(near, key=lambda slot: (_share(neighbours[slot], owner, part), -slot))


def _choose_part(crossed: Sequence[SlotId], owner: Sequence[int]) -> int:
    """Return the part that a slot crosses most, the first of several; -1 if it crosses none."""
    owners = {owner[other] for other in crossed} - {-1}
    return max(owners, key=lambda part: (_share(crossed, owner, part), -part), default=-1)


def _share(neighbours: Sequence[SlotId], owner: Sequence[int], part: int) -> float:
    """Return the share of a slot's crossings that lie in a part."""
    return sum(owner[other] == part for other in neighbours) / max(1, len(neighbours))


START_NODES = 3_000
"""Nodes of one turn of the search for a first fill."""

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

PART_SLOTS = 5
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

        `advance` runs a kernel to its next solution, to its end, or for a number of nodes; `floors` has the values of
        earlier criteria that fills must reach; `ends` is a single one if a parallel search works from the other.
        """
        self._problem = problem
        self._control = control
        self._kernels = kernels
        self._advance = advance
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

    def _parted(self) -> bool:
        """Whether to bound by parts."""
        if self._parts is None:
            return len(self._groups) > 1
        return not self._parts.single

    def _open(self) -> bool:
        return self._learn() < self._bound

    def _report_bound(self) -> None:
        settled = (self.best or ())[: self._stage]
        self._control.report_bound((*settled, self._bound / self._gains.per_unit))

    def _lower_bound(self, bound: int) -> None:
        """Report the proved bound: the greater of `bound` and the value of the best fill."""
        bound = max(bound, self._learn())
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
        if outcome is Outcome.UNKNOWN and self._gains.by_score:
            self._start()
        while self.words is None and outcome is Outcome.UNKNOWN:
            outcome = self._advance(kernel, START_NODES)
            if outcome is Outcome.UNKNOWN:
                words = self._repairers[0].dive()
                if words:
                    self._take(words)
        if self.words is None and outcome is Outcome.FOUND:
            self._take(kernel.words())

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
            kernel = self._make(self._free(self._draw_slots(int(self._freed))), self._learn() + 1, by_cell=True)
            outcome, found = self._exhaust(kernel, max(NEIGHBOURHOOD_NODES, nodes // 20))
            if outcome is Outcome.UNKNOWN:
                self._freed = max(1.0, self._freed - 0.5)
            elif not found:
                self._freed = min(max(1, len(self._problem.slots) - 1), self._freed + 0.1)
            spent += max(_LEAST_NODES, kernel.counters()[0])

    def _lower_by_parts(self, nodes: int) -> None:
        """Bound the parts of the grid for some nodes."""
        if self._parts is None:
            kernel = self._make(self._domains, self._learn() + 1)
            if self._advance(kernel, 1) is Outcome.EXHAUSTED:
                self._lower_bound(0)
                return
            self._parts = Parts(self._problem.grid, kernel, self._groups)
        for least in self._parts.work(nodes, self._advance):
            self._lower_bound(self._kernels.bound_by_cost(least, self._criterion))
            if not self._open():
                return

    def _lower_by_floors(self, nodes: int) -> None:
        """Refute floors for some nodes; an open question continues in the next turn."""
        spent = 0
        while self._open() and spent < nodes:
            if self._question is None:
                self._floor = max(self._learn() + 1, self._bound + 1 - self._step)
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
            self._kernels.set_floor(kernel, self._criterion, self._learn() + 1)
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
        by_length = self._gains.by_length
        gains = [by_length[slot.length][word] for slot, word in zip(problem.slots, self.words, strict=True)]
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
