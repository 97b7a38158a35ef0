"""Maximises a criterion that adds up: a bound from above and better fills from below, until they meet.

bound    cost shifting bounds every fill, and every fill with a given word (`shifting`). If a floor is near the bound,
         few words can occur in a fill worth at least the floor: CP-SAT settles whether such a fill exists, for ever
         lower floors and thus ever more words. As with the thresholds of V1, each answer holds on the whole lexicon.
fills    large neighbourhood search (Shaw, Using constraint programming and local search methods to solve vehicle
         routing problems, CP 1998): most slots keep their words; a few connected slots are refilled to gain more.
         Their number grows if neighbourhoods are settled, and shrinks if they take too much work.

Upper bounds on a criterion that adds up, for the whole lexicon and for each word.

The sum of each slot's best gain is an upper bound, but a weak one: the best words do not cross. Where two slots cross,
the gain of a letter in one of them can be shifted to the other without changing the value of any fill. Shifting until
every letter gains the same on both sides lowers the bound nearly to that of the linear relaxation, on the whole lexicon
and in well under a second per sweep: max-sum diffusion (Werner, A linear programming approach to max-sum
problem: a review, IEEE PAMI 29, 2007; the soft arc consistency of Cooper et al., Soft arc consistency revisited, AI
174, 2010). With g(w) the shifted gain of a word and M(s) the greatest of slot s, regret(w) = M(s) - g(w); a fill gains
Σ M(s) - Σ regret(w). So Σ M(s) bounds every fill, and Σ M(s) - regret(w) every fill with the word w.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

import numpy as np

from cpfill.engines.cpsat.formulations import GROWTH, choose_core, list_members, make_bitset, tick_through
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.engines.toolkit.thresholds import bound_sum
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cpfill.engines.cpsat.formulations import Formulation
    from cpfill.engines.cpsat.solving import Solver
    from cpfill.engines.toolkit.worker import Control
    from cpfill.problem.problem import Criterion, Gains, Problem, Value
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId

_ROOM = 2**55
"""The largest sum over the slots, in units of `Shifted.scale`; shifting needs the rest of the 64 bits."""

_FINEST = 2**10

SWEEPS = 60
_LEAST_GAIN = 2e-4
"""Stop after a sweep that lowers the bound by less than this share."""


class _LetterGroups(NamedTuple):
    """The words of a slot grouped by their letter at one position; only letters that occur are numbered."""

    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    letter: NDArray[np.intp]


class Shifted:
    """The gains of the words in arc-consistent domains, shifted between the slots.

    Attributes:
        scale: units of the shifted gains in one unit of `Problem.gains`.
        bound: an upper bound on the gain of any fill within the domains, in units of `Problem.gains`.
        total: the same, unrounded, in units of 1/`scale`.
        regrets: for each slot, the difference of each word of its domain to the best one, in units of 1/`scale`. The
            gain of a fill is exactly (`total` - the sum of its regrets) / `scale`.
    """

    def __init__(
        self, problem: Problem, words: Sequence[NDArray[np.intp]], shifted: Sequence[NDArray[np.int64]], scale: int
    ) -> None:
        self.scale = scale
        self._problem = problem
        self._words = words
        self._gains = shifted
        self._measure()

    @classmethod
    def of(cls, problem: Problem, domains: Sequence[int], gains: Gains) -> Self:
        """Return the gains, not shifted yet."""
        most = max(max(map(abs, of_length), default=0) for of_length in gains.by_length.values())
        scale = max(1, min(_FINEST, _ROOM // max(1, most * len(problem.slots))))
        words = [list_members(domain) for domain in domains]
        tables = {
            length: np.asarray(of_length, dtype=np.int64) * scale for length, of_length in gains.by_length.items()
        }
        return cls(problem, words, [tables[s.length][w] for s, w in zip(problem.slots, words, strict=True)], scale)

    def _measure(self) -> None:
        best = [int(gains.max()) for gains in self._gains]
        self.total = sum(best)
        self.bound = self.total // self.scale
        self.regrets = [most - gains for most, gains in zip(best, self._gains, strict=True)]

    def restrict(self, domains: Sequence[int]) -> Shifted:
        """Return the shifted gains restricted to smaller domains."""
        words = [list_members(domain) for domain in domains]
        indices = [np.searchsorted(mine, kept) for mine, kept in zip(self._words, words, strict=True)]
        gains = [mine[kept] for mine, kept in zip(self._gains, indices, strict=True)]
        return Shifted(self._problem, words, gains, self.scale)

    def select_reaching(self, floor: int) -> list[int]:
        """Return the domains of the words that a fill worth at least `floor` may have."""
        slack = self.total - floor * self.scale
        return [make_bitset(words[regrets <= slack]) for words, regrets in zip(self._words, self.regrets, strict=True)]

    def find_regrets(self, words: Sequence[WordId]) -> list[int]:
        """Return the regrets of one word per slot; the words must be in the domains."""
        each = zip(self._words, self.regrets, words, strict=True)
        return [int(regrets[np.searchsorted(mine, word)]) for mine, regrets, word in each]

    def select_least_regretted(self, size: int) -> list[int]:
        """Return for each slot the domain of the `size` words of least regret, or all if there are fewer."""
        return [
            make_bitset(words[np.argsort(regrets, kind="stable")[:size]])
            for words, regrets in zip(self._words, self.regrets, strict=True)
        ]

    def find_floor(self, size: int, least: int) -> int:
        """Return the lowest floor ≥ `least` that leaves at most `size` words."""
        regrets = np.concatenate(self.regrets)
        if len(regrets) <= size:
            return least
        return max(least, (self.total - int(np.partition(regrets, size)[size])) // self.scale + 1)

    def sweep(self, sweeps: int, tick: Callable[[], None]) -> None:
        """Shift over all crossings until the bound stops falling, at most `sweeps` times; `tick` may raise to stop."""
        crossings = self._problem.grid.crossings
        ends = [
            (self._group_by_letter(x.across, x.across_pos), self._group_by_letter(x.down, x.down_pos))
            for x in tick_through(tick, crossings)
        ]
        for _ in range(sweeps):
            before = self.total
            for crossing, (across, down) in tick_through(tick, zip(crossings, ends, strict=True)):
                one, two = self._gains[crossing.across], self._gains[crossing.down]
                worth = np.maximum.reduceat(one[across.order], across.starts)
                shift = (worth - np.maximum.reduceat(two[down.order], down.starts)) // 2
                one -= shift[across.letter]
                two += shift[down.letter]
            self._measure()
            if before - self.total < _LEAST_GAIN * abs(before):
                break

    def _group_by_letter(self, slot: SlotId, pos: int) -> _LetterGroups:
        table = self._problem.tables[slot]
        codes = np.frombuffer(table.codes, dtype=np.uint8)[pos :: table.length][self._words[slot]]
        _, starts, letter = np.unique(np.sort(codes), return_index=True, return_inverse=True)
        order = np.argsort(codes, kind="stable")
        back = np.empty_like(letter)
        back[order] = letter
        return _LetterGroups(order, starts, back)


NEIGHBOURHOOD = 8
"""Slots in the first neighbourhoods."""

_NEIGHBOURHOOD_SWEEPS = 10
FIRST_SHARE = 1 / 4
"""The share of the work for a lexicon core that the first round of neighbourhoods, and the first question, may use."""

_SHARE = 1 / 4
"""The share of a round's work that one neighbourhood may use."""

_EASY_GROWTH = 0.25
"""Slots by which neighbourhoods grow after one that was settled without CP-SAT; otherwise they grow by one slot."""

_LEAST_WORK = 0.02
"""The work, in CP-SAT's deterministic time, charged for a neighbourhood that was settled without CP-SAT."""

_SHRINKS = 0.9
"""Shift costs again if a floor left at most this share of the words; otherwise it does not pay."""

_EXACT = 2.0**52
"""CP-SAT reports bounds as floats, which represent whole numbers exactly up to here."""


class Search(Protocol):
    """The parts of `CpsatSearch` that `SumMaximiser` uses."""

    problem: Problem
    control: Control
    solver: Solver
    core: int
    best: Value | None
    best_words: list[WordId]

    def search_cores(
        self, domains: list[int], on_words: Callable[[list[WordId]], None], *, work: float | None, every: bool
    ) -> object:
        """Search one core after another."""

    def make_model(self, domains: Sequence[int]) -> Formulation:
        """Return the model of the problem within some domains."""

    def describe(self, core: Sequence[int]) -> str:
        """Describe the size of a model."""

    def report_better(self, words: list[WordId]) -> None:
        """Report a fill, unless it is no better than the best one."""


class SumMaximiser:
    """One criterion that adds up, maximised within arc-consistent domains."""

    def __init__(self, search: Search, criterion: Criterion, domains: list[int], work: float) -> None:
        self._search = search
        self._problem = search.problem
        self._criterion = criterion
        self._stage = self._problem.criteria.index(criterion)
        self._gains = self._problem.gains(criterion)
        self._domains = domains
        self._work = work * FIRST_SHARE
        self._by_shifting = True
        self._settled: Value = search.best[: self._stage] if search.best else ()
        self._random = random.Random(search.control.limits.seed)  # noqa: S311 - for variety
        self._freed = float(min(NEIGHBOURHOOD, len(self._problem.slots)))

    def run(self) -> bool:
        """Report ever better fills and bounds until they meet, or until it is proved that no fill exists.

        Returns:
            Whether cost shifting alone gave the last bound.
        """
        search, problem = self._search, self._problem
        search.solver.note("cost shifting")
        self._shifted = Shifted.of(problem, self._domains, self._gains)
        self._shifted.sweep(SWEEPS, search.control.check)
        self._bound = min(self._shifted.bound, bound_sum(problem, self._criterion, self._domains))
        search.control.report_bound((*self._settled, self._bound / self._gains.per_unit))
        if search.best is None:
            search.search_cores(self._domains, search.report_better, work=None, every=False)
        if search.best is None:
            return False
        size, work = search.core, self._work
        while self._value < self._bound:
            floor = self._shifted.find_floor(size * len(problem.slots), self._value + 1)
            if floor > self._bound:
                size, work = size * GROWTH, work * GROWTH
            elif self._ask(self._domains, floor, work, on_bound=True) is Outcome.EXHAUSTED:
                self._lower_bound(floor - 1)
                size += (size + 1) // 2
            else:
                work *= GROWTH
            self._polish(size, work)
        return self._by_shifting

    @property
    def _value(self) -> int:
        """The value of the best fill, in whole units."""
        best = self._search.best
        assert best is not None
        return round(best[self._stage] * self._gains.per_unit)

    def _lower_bound(self, bound: int) -> None:
        """Report the proved bound: the greater of `bound` and the value of the best fill."""
        bound = max(bound, self._value)
        if bound < self._bound:
            self._bound = bound
            self._by_shifting = False
            self._search.control.report_bound((*self._settled, bound / self._gains.per_unit))

    def _polish(self, size: int, work: float) -> None:
        """Refill neighbourhoods of the best fill until the work is used up or freeing all slots gains nothing."""
        slots, solver = len(self._problem.slots), self._search.solver
        start, tries = solver.work, 0
        while self._value < self._bound and solver.work - start + tries * _LEAST_WORK < work:
            tries += 1
            value, before, freed = self._value, solver.work, int(self._freed)
            kept = self._domains if freed == slots else self._draw_neighbourhood(freed)
            outcome = self._ask(kept, value + 1, work * _SHARE, size=size)
            if outcome is Outcome.UNKNOWN:
                self._freed = max(1.0, freed - 2.0)
            elif self._value == value:
                if freed == slots:
                    return
                # A refutation without search says little, because most theme words fit hardly anywhere: grow faster.
                self._freed = min(slots, self._freed + (1.0 if solver.work > before else _EASY_GROWTH))

    def _draw_neighbourhood(self, freed: int) -> list[int]:
        """Return domains in which `freed` slots have all their words, and the others their word of the best fill.

        Each free slot crosses an earlier one if the grid allows it; slots of high regret are more likely. If few words
        add anything, the first slot gets such a word that is not yet placed.
        """
        neighbours, everyone = self._problem.grid.crossed_by, range(len(self._problem.slots))
        words = self._search.best_words
        regrets = self._shifted.find_regrets(words)
        base = sum(regrets) / len(regrets) + 1
        kept = [1 << word for word in words]
        chosen: set[SlotId] = set()
        border: list[SlotId] = []
        openings = self._list_openings()
        if openings:
            slot, domain = self._random.choice(openings)
            kept[slot] = domain
            chosen.add(slot)
            border += neighbours[slot]
        while len(chosen) < freed:
            among = border or [slot for slot in everyone if slot not in chosen]
            (slot,) = self._random.choices(among, [regrets[other] + base for other in among])
            kept[slot] = self._domains[slot]
            chosen.add(slot)
            border = [other for other in border if other != slot]
            border += [other for other in neighbours[slot] if other not in chosen and other not in border]
        return kept

    def _list_openings(self) -> list[tuple[SlotId, int]]:
        """Return the places for words that add something and are not placed yet: the slot, the word as a domain."""
        if self._gains.by_score:
            return []
        problem = self._problem
        placed = {(slot.length, word) for slot, word in zip(problem.slots, self._search.best_words, strict=True)}
        return [
            (slot.id, 1 << word)
            for length, levels in self._gains.levels.items()
            for _, words in levels
            for word in list_members(words).tolist()
            if (length, word) not in placed
            for slot in problem.slots
            if slot.length == length and self._domains[slot.id] >> word & 1
        ]

    def _ask(
        self, domains: Sequence[int], floor: int, work: float, *, size: int | None = None, on_bound: bool = False
    ) -> Outcome:
        """Look for the best fill worth at least `floor` within some domains, or a core of `size` words a slot.

        Returns:
            EXHAUSTED if no fill within the domains, or the core, beats the current best one; else UNKNOWN.
        """
        search = self._search
        try:
            kept, shifted = self._narrow(domains, floor)
            if size is not None and max(map(int.bit_count, kept)) > size:
                friendly = choose_core(self._problem, kept, size, search.control.check)
                core = [mine | good for mine, good in zip(friendly, shifted.select_least_regretted(size), strict=True)]
                kept, shifted = self._narrow(core, floor, shifted)
        except Wipeout:
            return Outcome.EXHAUSTED
        if shifted.bound < floor:
            return Outcome.EXHAUSTED
        formulation = search.make_model(kept)
        # The sum appears in only one constraint, because it takes a second to state over a whole lexicon.
        lost = formulation.model.new_int_var(0, shifted.total - floor * shifted.scale, "")
        formulation.model.add(formulation.express_total([regrets.tolist() for regrets in shifted.regrets]) == lost)
        formulation.model.minimize(lost)

        def take_bound(least: float) -> None:
            if shifted.total < _EXACT:
                self._lower_bound(max(floor - 1, (shifted.total - int(max(least, 0.0))) // shifted.scale))

        outcome = search.solver.run(
            formulation,
            search.report_better,
            work=work,
            note=search.describe(kept),
            on_bound=take_bound if on_bound else None,
        )
        return Outcome.EXHAUSTED if outcome is Outcome.EXHAUSTED else Outcome.UNKNOWN

    def _narrow(self, domains: Sequence[int], floor: int, shifted: Shifted | None = None) -> tuple[list[int], Shifted]:
        """Return the arc-consistent domains of the words that a fill worth at least `floor` may have.

        Raises:
            Wipeout: no such fill exists.
        """
        check: Callable[[], None] = self._search.control.check
        shifted = shifted or self._shifted
        words = sum(map(int.bit_count, domains))
        while True:
            shifted = shifted.restrict(ac3(self._problem, domains, check))
            shifted.sweep(_NEIGHBOURHOOD_SWEEPS, check)
            domains = ac3(self._problem, shifted.select_reaching(floor), check)
            before, words = words, sum(map(int.bit_count, domains))
            if words > _SHRINKS * before:
                return domains, shifted.restrict(domains)
