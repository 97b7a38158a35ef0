"""The best of one criterion that adds up: better fills from below, a bound from above, by turns.

Both rest on the costs that the kernel shifts between slots, before each search and at its nodes (`kernel/prices.hpp`).

start    a fill of words that all score well, for those are few and give good sums, found as one of a high least score
         is: letters count, not sums; its neighbourhoods keep to such words until that leads no further.
fills    large neighbourhood search (Shaw, Using constraint programming and local search methods to solve vehicle
         routing problems, CP 1998): most slots keep their words, some that cross each other much are filled anew and
         better. They become more where that is settled, and fewer where it takes too many nodes. Some are searched
         letter by letter under shifted costs, which settles small ones soon, and some word by word, which finds fills
         of large ones. Where they lead no further, a large part is filled anew, which is worse, and bettered
         (Lourenço, Martin and Stützle, Iterated local search, 2003): what that comes to is kept if it is no worse.
bound    a grid of many slots is bounded by its parts (`parts.py`), fewer and larger ones by and by. At last, and in a
         small grid at once: is there a fill worth at least a floor? One near the bound is refuted soon; each
         refutation lowers the bound, and the next floor is further below it, down to that of a better fill.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from cpfill.engines.mac.parts import Parts
from cpfill.engines.toolkit.ac3 import Wipeout, ac3
from cpfill.engines.toolkit.sums import bound_sum
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
"""Nodes in search of a fill to begin from."""

LAST_START_NODES = 9_000
"""Nodes in search of one whose words all score a little more, after one was found."""

FIRST_NODES = 500
"""Nodes of the first turn at either end."""

TRACK_NODES = 1_000
"""From turns of so many nodes on, fills are sought that are worse at first."""

PATIENCE = 3
"""A question is given up for an easier one after so many turns, as long as the last one is."""

GROWTH = 1.5
"""How much longer each turn is than the one before."""

NEIGHBOURHOOD = 8
"""Slots in the first neighbourhoods."""

NEIGHBOURHOOD_NODES = 300
"""Nodes that one of them may take at first."""

STRAYED = (1 / 6, 1 / 2)
"""The least and the greatest share of the slots that are filled anew and worse."""

STRAY_LOSS = 0.2
"""How much of the average such a slot may lose."""

STRAY_NODES = 600
"""Nodes in search of such a fill."""

STRAY_TRIES = 20
"""Neighbourhoods that are to make it better."""

BY_LETTERS = 0.5
"""How many neighbourhoods are filled letter by letter, with costs shifted at the nodes; the others word by word."""

CHEAPER = 8
"""Nodes of the latter that take as long as one of the former, more or less."""

DEARER = 3
"""Nodes of the former that take as long as one of a part of a large grid, more or less."""

WHOLE_SLOTS = 24
"""Grids of more slots are bounded by parts first."""

PART_SLOTS = 8
"""Slots in the first parts, at most, more or less."""

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
        """
        self._problem, self._control, self._kernels, self._advance = problem, control, kernels, advance
        self._criterion, self._domains, self._floors = criterion, domains, floors
        self._first_restart = first_restart
        self._good = domains  # the words that all score well
        self._within = domains  # what neighbourhoods are filled from
        self.best, self.words = best, words
        self._stage = problem.criteria.index(criterion)
        self._gains = problem.gains(criterion)
        self._bound = bound_sum(problem, criterion, domains)
        self._random = Random(control.limits.seed)  # noqa: S311 - for variety
        self._freed = dict.fromkeys((False, True), float(min(NEIGHBOURHOOD, len(problem.slots))))  # by letters or not
        self._step = self._floor = 1
        self._question: Kernel | None = None
        self._count = -(-len(problem.slots) // PART_SLOTS) if len(problem.slots) > WHOLE_SLOTS else 1
        self._parts: Parts | None = None
        self._unparted = self._bound  # what parts lower

    def run(self) -> None:
        """Report ever better fills and bounds until they meet, or there is no fill: then `best` is none."""
        self._report_bound()
        if not self._open() or not self._begin():
            return
        nodes = FIRST_NODES
        while self._open():
            if nodes < TRACK_NODES:
                while self._polish(nodes):
                    pass
                self._within = self._domains
            else:
                self._stray(nodes)
            if self._count > 1:
                self._lower_by_parts(nodes // DEARER)
            else:
                self._lower_by_floors(nodes)
            nodes = int(nodes * GROWTH) + 1
        self._lower_bound(0)

    @property
    def _told(self) -> int:
        """The value of the best fill, in whole units; -1 if there is none."""
        return -1 if self.best is None else self._measure(self.best)

    @property
    def _value(self) -> int:
        """The value of the fill at hand, in whole units."""
        assert self.words is not None
        return self._measure(self._problem.score(self.words))

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

    def _begin(self) -> bool:
        """Have the words of some fill, and the bound that cost shifting gives; false if there is no fill."""
        kernel = self._make(self._domains, 0, self._first_restart)
        outcome = self._advance(kernel, 1)
        if outcome is not Outcome.EXHAUSTED:
            self._lower_bound(self._kernels.bound(kernel, self._criterion))
        if self.words is not None and self._fits(self._problem.score(self.words)):
            return True
        self.words = None
        self._start()
        while self.words is None and outcome is Outcome.UNKNOWN:
            outcome = self._advance(kernel, START_NODES)
        if self.words is None and outcome is Outcome.FOUND:
            self._take(kernel.words())
        return self.words is not None

    def _fits(self, value: Value) -> bool:
        return self.best is None or value[: self._stage] == self.best[: self._stage]

    def _start(self) -> None:
        """Go on from a new fill, if one of good words is found soon: the words over a high score are few, and thin."""
        if not self._gains.by_score:
            return
        low, high = -1, len(self._problem.ranking)
        while high - low > 1:
            middle = (low + high) // 2
            if self._seek(middle, START_NODES):
                low = middle
            else:
                high = middle
        while low + 1 < len(self._problem.ranking) and self._seek(low + 1, LAST_START_NODES):
            low += 1

    def _seek(self, rank: int, nodes: int) -> bool:
        """Go on from a new fill of words that score as much as a rank, if one is found within some nodes."""
        problem, control, least = self._problem, self._control, self._problem.ranking[rank]
        good = [domain & table.at_least(least) for domain, table in zip(self._domains, problem.tables, strict=True)]
        try:
            good = ac3(problem, good, control.check)
        except Wipeout:
            return False
        seed = control.limits.seed  # for the fill that is found where the least score is asked for
        kernel = self._kernels.make(good, seed=seed, first_limit=self._first_restart, floors=self._floors)
        if self._advance(kernel, nodes) is not Outcome.FOUND:
            return False
        self._good = self._within = good
        self._take(kernel.words())
        return True

    def _take(self, words: list[WordId]) -> None:
        """Go on from a fill, and report it if it is better than the best one."""
        self.words = words
        value = self._problem.score(words)
        if self.best is None or value > self.best:
            self.best = value
            self._control.report_fill(Fill.of_words(self._problem, words), value, counts=False)

    def _polish(self, nodes: int) -> bool:
        """Fill neighbourhoods anew for some nodes; return whether there is a better fill, and perhaps a better one."""
        spent, better = 0, False
        while self._open() and spent < nodes:
            asked, found = self._better(max(NEIGHBOURHOOD_NODES, nodes // 20))
            spent += asked
            better = better or found
        return self._open() and better

    def _better(self, nodes: int, first: SlotId | None = None) -> tuple[int, bool]:
        """Fill a neighbourhood anew, of a certain slot or any; return the nodes it took, and whether it is better."""
        by_cell = self._random.random() < BY_LETTERS
        cheaper = 1 if by_cell else CHEAPER
        freed = self._freed[by_cell]
        domains = self._free(self._draw_slots(int(freed), first))
        kernel = self._make(domains, self._value + 1, by_cell=by_cell)
        outcome, found = self._exhaust(kernel, cheaper * nodes)
        if outcome is Outcome.UNKNOWN:
            self._freed[by_cell] = max(1.0, freed - 0.5)
        elif not found:
            self._freed[by_cell] = min(max(1, len(domains) - 1), freed + 0.1)
        return max(_LEAST_NODES, kernel.counters()[0] // cheaper), found

    def _stray(self, nodes: int) -> None:
        """Fill many slots anew though that is worse, and better it, for some nodes; go back where it stays worse."""
        spent = 0
        while self._open() and spent < nodes:
            assert self.words is not None
            self._within = self._random.choice((self._good, self._domains))
            before, value, slots = self.words, self._value, len(self.words)
            freed = self._draw_slots(max(1, round(slots * self._random.uniform(*STRAYED))))
            domains = self._free(freed)
            for slot in freed[: -(-len(freed) // 3)]:
                domains[slot] = domains[slot] & ~(1 << before[slot]) or domains[slot]
            by_cell = self._random.random() < BY_LETTERS
            kernel = self._make(domains, value - int(STRAY_LOSS * value * len(freed) / slots), by_cell=by_cell)
            outcome = self._advance(kernel, STRAY_NODES)
            spent += max(_LEAST_NODES, kernel.counters()[0] // (1 if by_cell else CHEAPER))
            if outcome is not Outcome.FOUND:
                continue
            self._take(kernel.words())
            changed = [slot for slot in freed if before[slot] != self.words[slot]]
            for _ in range(STRAY_TRIES if changed else 0):
                if not self._open():
                    return
                spent += self._better(NEIGHBOURHOOD_NODES // 2, self._random.choice(changed))[0]
            if self._value < value:
                self.words = before

    def _lower_by_parts(self, nodes: int) -> None:
        """Bound the parts of the grid for some nodes; where they are settled, fewer ones from then on."""
        if self._parts is None or self._parts.settled:
            kernel = self._make(self._domains, self._told + 1)
            if self._advance(kernel, 1) is Outcome.EXHAUSTED:
                self._lower_bound(0)
                return
            bound = self._kernels.bound(kernel, self._criterion)
            if self._parts is None or bound < self._unparted:
                self._unparted, self._parts = bound, Parts(self._problem.grid, kernel, self._count)
            else:
                self._parts.regroup(self._count)
        for regret in self._parts.work(nodes, self._advance):
            self._lower_bound(self._unparted - regret)
            if not self._open():
                return
        if self._parts.settled:
            self._count = self._count * 3 // 4

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
            self._kernels.raise_floor(kernel, self._criterion, self._value + 1)
        return Outcome.UNKNOWN, found

    def _free(self, freed: Sequence[SlotId]) -> list[int]:
        """Return the domains in which some slots have all their words and the others those of the fill at hand."""
        assert self.words is not None
        domains = [1 << word for word in self.words]
        for slot in freed:
            domains[slot] = self._within[slot]
        return domains

    def _draw_slots(self, count: int, first: SlotId | None = None) -> list[SlotId]:
        """Return some slots to be filled anew.

        What a word lacks draws its slot, and so do crossings with slots that are drawn: words that cross many kept ones
        can hardly change.
        """
        assert self.words is not None
        problem, neighbours = self._problem, self._problem.grid.neighbours
        gains = [self._gains.by_length[slot.length][word] for slot, word in zip(problem.slots, self.words, strict=True)]
        most = max(gains) + 1
        left = set(range(len(gains)))
        crossed = [0] * len(gains)  # how many slots that are drawn a slot crosses
        drawn: list[SlotId] = []
        while len(drawn) < count:
            if first is None or drawn:
                among = [slot for slot in sorted(left) if crossed[slot]] or sorted(left)
                shares = [max(1, crossed[slot]) / max(1, len(neighbours[slot])) for slot in among]
                lacks = [most - gains[slot] for slot in among]
                weights = [share * lack for share, lack in zip(shares, lacks, strict=True)]
                (slot,) = self._random.choices(among, weights)
            else:
                slot = first
            drawn.append(slot)
            left.remove(slot)
            for _, other, _ in neighbours[slot]:
                crossed[other] += 1
        return drawn
