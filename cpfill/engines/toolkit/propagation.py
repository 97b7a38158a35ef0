"""Propagation on big-integer bitsets: AC-3, the constraints beyond crossings, and thresholds of scores.

AC-3 (Mackworth, Consistency in networks of relations, AI 8, 1977) makes the domains arc consistent. The arcs are the
crossings, each seen from both its slots; the queue holds the slots whose arcs must be revised. Revising an arc keeps
the words whose letter in the crossed cell occurs in some word of the crossing slot: one AND with a union of masks,
independent of the domain's size.

An engine keeps one domain per slot; the domain of a filled slot has one word. It obeys the constraints as follows:

    after placing `word` in `slot`:
        for other in constraints.partners[slot]:
            remove constraints.find_conflicts(slot, word, other) from the domain of `other`
        for slot, kept, because in constraints.find_narrowings(domains):
            keep only `kept` in the domain of `slot`; the domains of the slots in `because` are to blame

An empty domain is a dead end. Doing this once, when every slot has its word, is sufficient; an engine that does not
look ahead ignores domains that are not empty. Doing it after each placement finds dead ends earlier. A problem without
such constraints has no partners and no narrowings.

`Descent` maximises one number of a value after another, by questions "does a fill reach this much?".

The minimum score (V1) reaches t if no word scores under t. The sorted scores (V5) begin with s₁ ≤ … ≤ sₖ or better if
fewer than j words score under sⱼ, for each j. Such quotas turn a question into one about a smaller lexicon, or about a
few of its words, and arc consistency settles most questions. The greatest number that it does not refute bounds the
value from above. The interval between that bound and the best fill is halved as long as questions are settled with
little work. The remaining interval is hard from both ends, and both are worked on in turn: the question just above the
best fill, where a fill is likely, and the question just below the bound, where a refutation is likely and cheapest
(each step down towards the optimum multiplies the work of a refutation).

For a criterion that adds up, `bound_sum` bounds it within some domains.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.engines.toolkit.worker import Control
    from cpfill.problem.constraints import Budget, Marks
    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Criterion, Value
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId, WordTable


class Wipeout(Exception):  # noqa: N818
    """A domain is empty: no fill exists within these domains."""

    def __init__(self, slot: SlotId) -> None:
        super().__init__(slot)
        self.slot = slot


def ac3(
    problem: Problem,
    domains: Sequence[int],
    tick: Callable[[], None] = lambda: None,
    tell: Callable[[SlotId, SlotId, int, int, Iterable[SlotId]], None] = lambda *_: None,
) -> list[int]:
    """Return the arc-consistent domains within `domains`.

    If no word may be used twice, the only word left in a slot is removed from every other slot of its length. `tick` is
    called before each revision and may raise to stop. `tell` is called after it: with the slot, its support, its domain
    before and after, and the queue.

    Raises:
        Wipeout: a domain is, or becomes, empty.
    """
    current = list(domains)
    require_words(current)
    queue = deque(range(len(current)))
    queued = set(queue)
    while queue:
        changed = queue.popleft()
        queued.remove(changed)
        for other, kept in _revise(problem, current, changed):
            tick()
            before = current[other]
            current[other] = kept
            if before != kept and other not in queued:
                queued.add(other)
                queue.append(other)
            tell(other, changed, before, kept, queue)
            if not kept:
                raise Wipeout(other)
    return current


def require_words(domains: Sequence[int]) -> None:
    """Check that every slot has a word.

    Raises:
        Wipeout: a slot has no word.
    """
    for slot, domain in enumerate(domains):
        if not domain:
            raise Wipeout(slot)


def _revise(problem: Problem, domains: Sequence[int], changed: SlotId) -> Iterator[tuple[SlotId, int]]:
    """Yield each slot that the domain of `changed` affects, with its remaining domain."""
    domain = domains[changed]
    table = problem.tables[changed]
    for pos, other, other_pos in problem.grid.links[changed]:
        supported = 0
        for code, mask in enumerate(table.masks(pos)):
            if domain & mask:
                supported |= 1 << code
        yield other, domains[other] & problem.tables[other].having(other_pos, supported)
    if domain & (domain - 1) == 0:
        for other in problem.peers[changed]:
            yield other, domains[other] & ~(domain & problem.singles[table.length])


_CONFLICTS_KEPT = 1024
"""The number of bitsets to cache: a few megabytes, a few dozen with the largest lists."""


class Narrowing(NamedTuple):
    """The words that some domains leave of another one."""

    slot: SlotId
    kept: int
    """The words of the slot's domain that may still stand there; 0 is a dead end."""
    because: int
    """The slots whose domains say so, one bit a slot; that of `slot` may be among them."""


class SideConstraints:
    """The constraints of one problem other than crossings.

    Attributes:
        partners: for each slot, the slots from which its word may remove words: all-different, excluded pairs, apart.
        narrow: whether several domains together may narrow a different one: budgets, cover.
    """

    def __init__(self, problem: Problem) -> None:
        constraints = problem.constraints
        self._tables = problem.tables
        self._singles = problem.singles
        self._marks = constraints.marks
        self._holders: dict[int, dict[int, int]] = {}  # by length and mark, the words that have it
        self.partners: tuple[tuple[SlotId, ...], ...] = problem.peers
        if self._marks:
            self._holders = _find_holders(self._marks)
            self.partners = _list_others(len(problem.slots))
        self._apart: dict[tuple[SlotId, SlotId], list[tuple[int, int]]] = defaultdict(list)
        for one, ones, other, others in constraints.apart:
            self._apart[one, other].append((ones, others))
            self._apart[other, one].append((others, ones))
        if self._apart:
            self.partners = _join_partners(self.partners, self._apart)
        self._conflicts = lru_cache(_CONFLICTS_KEPT)(self._compute_conflicts)
        self._budgets = constraints.budgets
        self._kinds = problem.kinds
        self._cover: list[tuple[Mapping[int, int], int]] = []  # the words, and the slots that may hold one
        for (words,) in constraints.cover:
            holding = [slot for slot, kind in enumerate(self._kinds) if problem.domains[slot] & words.get(kind, 0)]
            self._cover.append((words, sum(1 << slot for slot in holding)))
        self.narrow = bool(self._budgets or self._cover)

    def find_conflicts(self, slot: SlotId, word: WordId, other: SlotId) -> int:
        """Return the words that may not stand in `other` while `word` stands in `slot`."""
        gone = self._conflicts(self._tables[slot], word, self._tables[other])
        for mine, theirs in self._apart.get((slot, other), ()):
            if mine >> word & 1:
                gone |= theirs
        return gone

    def _compute_conflicts(self, table: WordTable, word: WordId, theirs: WordTable) -> int:
        gone = 0
        if table is theirs:
            gone = 1 << word & self._singles[table.length]
        if self._marks:
            for mark in self._marks.of[table.length][word]:
                gone |= self._holders[theirs.length].get(mark, 0)
        return gone

    def find_narrowings(self, domains: Sequence[int]) -> Iterator[Narrowing]:
        """Yield the domains after budgets and cover; the caller may narrow them meanwhile.

        To see the consequences of a narrowing, call this again; only once each domain has one word, one call finds
        every dead end.
        """
        for budget in self._budgets:
            yield from self._keep_to(budget, domains)
        for words, because in self._cover:
            yield from self._hold(words, domains, because)

    def _hold(self, words: Mapping[int, int], domains: Sequence[int], because: int) -> Iterator[Narrowing]:
        """Keep one of some words in the only slot that may still hold one."""
        holder = -1
        for slot, (kind, domain) in enumerate(zip(self._kinds, domains, strict=True)):
            if domain & words.get(kind, 0):
                if holder >= 0:
                    return
                holder = slot
        if holder < 0:
            yield Narrowing(0, 0, because)
        elif domains[holder] & ~words[self._kinds[holder]]:
            yield Narrowing(holder, domains[holder] & words[self._kinds[holder]], because)

    def _keep_to(self, budget: Budget, domains: Sequence[int]) -> Iterator[Narrowing]:
        """Keep in each slot the words that the budget has room for if all others take their cheapest."""
        least = list(map(budget.find_least, self._kinds, domains))
        slack = budget.limit - sum(least)
        if slack >= budget.steps[-1].cost:
            return
        costly = [slot for slot, cost in enumerate(least) if cost]
        because = sum(1 << slot for slot in costly)
        if slack < 0:
            yield Narrowing(costly[0], 0, because)
            return
        for slot, (kind, domain) in enumerate(zip(self._kinds, domains, strict=True)):
            kept = budget.select_within(kind, domain, least[slot] + slack)
            if kept != domain:
                yield Narrowing(slot, kept, because)


def _find_holders(marks: Marks) -> dict[int, dict[int, int]]:
    """Return, by length and mark, the bitset of the words that have the mark."""
    holders: dict[int, dict[int, int]] = {}
    for length, of_words in marks.of.items():
        having: dict[int, int] = defaultdict(int)
        for word, its_marks in enumerate(of_words):
            for mark in its_marks:
                having[mark] |= 1 << word
        holders[length] = having
    return holders


def _join_partners(
    partners: Sequence[Sequence[SlotId]], pairs: Iterable[tuple[SlotId, SlotId]]
) -> tuple[tuple[SlotId, ...], ...]:
    """Return the partners of each slot, and the second of each pair with the first."""
    joined: list[dict[SlotId, None]] = list(map(dict.fromkeys, partners))
    for slot, other in pairs:
        joined[slot][other] = None
    return tuple(map(tuple, joined))


def _list_others(count: int) -> tuple[tuple[SlotId, ...], ...]:
    """Return, for each of `count` slots, all other slots."""
    everyone = tuple(range(count))
    return tuple(everyone[:slot] + everyone[slot + 1 :] for slot in everyone)


class IntervalEnd(Enum):
    """The end of the interval at which a question is asked."""

    BELOW = "below"
    """Just above the best fill: a fill is hoped for."""
    ABOVE = "above"
    """Just below the bound: a refutation is hoped for."""


class Quota(NamedTuple):
    """At most `most` words of a fill score under `under`."""

    under: float
    most: int


class QueryMaker(Protocol):
    """Makes questions."""

    def __call__(self, domains: list[int], quotas: list[Quota], end: IntervalEnd) -> ThresholdQuery:
        """Return the question whether arc-consistent domains have a fill that keeps to some quotas.

        Thresholds and numbers of quotas rise. All quotas except the last are tight: a fill that keeps to them has
        exactly that many words under each of their thresholds.
        """


ThresholdQuery = Callable[[], "tuple[Outcome, list[WordId]]"]
"""A question. Each call works for one turn; a further call continues or tries harder.

The answer is FOUND with the words, EXHAUSTED if no fill exists, or UNKNOWN if the turn was too short.
"""


class Descent:
    """Reports ever better fills and bounds until they meet, for one number of V1 or V5 after another.

    Attributes:
        best: the value of the best fill, if there is one.
        domains: the arc-consistent domains of fills that are as good in all settled numbers.
        by_consistency: whether arc consistency alone gave the last bounds.
    """

    def __init__(
        self,
        problem: Problem,
        domains: Sequence[int],
        control: Control,
        make_query: QueryMaker,
        *,
        best: Value | None = None,
        bound: Value | None = None,
        ends: Sequence[IntervalEnd] = tuple(IntervalEnd),
    ) -> None:
        """Prepare a descent within `domains`.

        Args:
            problem: a problem that maximises V1 or V5, perhaps after other criteria; V1 may precede others.
            domains: the arc-consistent domains.
            control: receives fills and bounds.
            make_query: makes the questions.
            best: the value of the best fill so far, which reaches the settled values of earlier criteria.
            bound: a known bound on all fills, if there is one.
            ends: the ends from which to work.
        """
        self._problem = problem
        self._control = control
        self._make_query = make_query
        self._ends = ends
        self._stage = next(place for place, each in enumerate(problem.criteria) if not each.adds_up)
        self.best = best
        self.domains = list(domains)
        self.by_consistency = True
        self._known = bound or ()
        self._begin(self._stage)

    def _begin(self, place: int) -> None:
        """Turn to the number of the value at `place`."""
        best = self.best
        self._place = place
        self._settled = (best or ())[:place]
        self._scale = _list_numbers(self._problem, self._settled[self._stage :])
        """The possible values of the number, rising; a rank is an index into them."""
        self._lowest = self._scale.index(best[place]) if best else -1
        """The rank of the best fill."""
        known = len(self._scale)
        if len(self._known) > place and self._known[:place] == self._settled:
            known = bisect_right(self._scale, self._known[place])
        self._bound = self._find_highest_consistent(known)
        """The bound: no fill exceeds this rank."""
        self._open: dict[tuple[int, IntervalEnd], ThresholdQuery] = {}

    def run(self) -> None:
        """Work until the best fill meets the bound."""
        self._close()
        while self.best is not None:
            self.domains, _ = self._restrict(self._lowest)
            if self._place + 1 == self._stage + count_numbers(self._problem):
                return
            self._begin(self._place + 1)
            self._close()

    def _close(self) -> None:
        """Work until the best fill meets the bound in the current number."""
        self._report_bound()
        self._halve()
        while self._lowest < self._bound:
            for end in self._ends:
                if self._lowest >= self._bound:
                    break
                rank = self._lowest + 1 if end is IntervalEnd.BELOW else self._bound
                self._ask(rank, end)

    def _halve(self) -> None:
        """Halve the interval; treat a question that is not settled at once as refuted, for now."""
        ceiling = self._bound
        while self._lowest < ceiling:
            threshold = (self._lowest + ceiling + 1) // 2
            outcome = self._ask(threshold, self._ends[0])
            if outcome is not Outcome.FOUND:
                ceiling = threshold - 1

    def _ask(self, rank: int, end: IntervalEnd) -> Outcome:
        try:
            if (rank, end) not in self._open:
                self._open[rank, end] = self._make_query(*self._restrict(rank), end)
            outcome, words = self._open[rank, end]()
        except Wipeout:
            outcome = Outcome.EXHAUSTED
            words = []
        if outcome is Outcome.FOUND:
            self.best = self._problem.score(words)
            self._lowest = self._scale.index(self.best[self._place])
            self._control.report_fill(Fill.of_words(self._problem, words), self.best, counts=False)
        elif outcome is Outcome.EXHAUSTED:
            self._bound = rank - 1
            self.by_consistency = False
            self._report_bound()
        if outcome is not Outcome.UNKNOWN:
            self._open = {key: asked for key, asked in self._open.items() if self._lowest < key[0] <= self._bound}
        return outcome

    def _report_bound(self) -> None:
        if self._bound >= 0:
            self._control.report_bound((*self._settled, self._scale[self._bound]))

    def _find_highest_consistent(self, high: int) -> int:
        """Return the highest rank under `high` at which arc consistency leaves every slot a word; one must exist."""
        low = max(self._lowest, 0)
        while high - low > 1:
            middle = (low + high) // 2
            try:
                self._restrict(middle)
                low = middle
            except Wipeout:
                high = middle
        return low

    def _restrict(self, rank: int) -> tuple[list[int], list[Quota]]:
        """Return the result of `restrict` if the current number has at least this rank."""
        quotas = list_quotas(self._problem, (*self._settled[self._stage :], self._scale[rank]))
        return restrict(self._problem, self.domains, quotas, self._control)


def count_numbers(problem: Problem) -> int:
    """Return the number of numbers in V1 or V5."""
    if problem.objective is not Objective.LEXIMIN:
        return 1
    return len(problem.levels) or len(problem.slots)


def _list_numbers(problem: Problem, numbers: Value) -> list[float]:
    """Return the values that may follow these numbers in V1 or V5, rising."""
    if problem.levels:
        fewest = 0
        if numbers:
            fewest = round(-numbers[-1])
        return [0.0 - words for words in range(len(problem.slots), fewest - 1, -1)]
    return [score for score in problem.ranking if not numbers or score >= numbers[-1]]


def list_quotas(problem: Problem, numbers: Value) -> list[Quota]:
    """Return the quotas that a fill keeps to iff its V1 or V5 is at least `numbers`, number by number."""
    if problem.levels:
        return [Quota(level, round(-number)) for level, number in zip(problem.levels, numbers, strict=False)]
    return [Quota(score, place) for place, score in enumerate(numbers) if score not in numbers[:place]]


def restrict(
    problem: Problem, domains: Sequence[int], quotas: Sequence[Quota], control: Control
) -> tuple[list[int], list[Quota]]:
    """Return the arc-consistent domains of the words that some quotas allow, and the quotas that can still be broken.

    If a quota is used up by slots whose words all score under its threshold, the other slots keep only better words.

    Raises:
        Wipeout: a slot has no word left.
    """
    current = list(domains)
    while True:
        kept, left = _apply_quotas(problem, current, quotas)
        if kept == current:
            return current, left
        current = ac3(problem, kept, control.check)


def _apply_quotas(problem: Problem, domains: Sequence[int], quotas: Sequence[Quota]) -> tuple[list[int], list[Quota]]:
    """Return the words that some quotas allow in each domain, and the quotas that can still be broken.

    Raises:
        Wipeout: a slot has no word left.
    """
    kept = list(domains)
    left = []
    least, most = _list_extreme_scores(problem, domains)
    for quota in quotas:
        under = [slot for slot, score in enumerate(most) if score < quota.under]
        if len(under) > quota.most:
            raise Wipeout(under[0])
        open_ = [slot for slot, score in enumerate(least) if score < quota.under <= most[slot]]
        if len(under) == quota.most:
            for slot in open_:
                kept[slot] &= problem.tables[slot].at_least(quota.under)
        elif len(under) + len(open_) > quota.most:
            left.append(quota)
    return kept, left


def _list_extreme_scores(problem: Problem, domains: Sequence[int]) -> tuple[list[float], list[float]]:
    """Return the least score in each domain, and the greatest."""
    least = []
    most = []
    for table, domain in zip(problem.tables, domains, strict=True):
        least.append(table.scores[domain.bit_length() - 1])
        most.append(table.scores[(domain & -domain).bit_length() - 1])
    return least, most


def bound_sum(problem: Problem, criterion: Criterion, domains: Sequence[int]) -> int:
    """Return an upper bound, in whole units (`Problem.gains`), on Σ gain of a fill whose words are in these domains.

    It is Σ over the slots of the greatest gain in the domain. If words with a gain may occur only once, it is also at
    most the Σ of their gains over the words that are in some domain. It is rounded down to a step of the gains.
    """
    gains = problem.gains(criterion)
    total = sum(map(gains.find_best, problem.kinds, domains))
    total -= total % gains.step
    if gains.by_score:  # nearly every word has a gain, so the second bound is useless
        return total
    union = dict.fromkeys(gains.by_kind, 0)
    for kind, domain in zip(problem.kinds, domains, strict=True):
        union[kind] |= domain
    once = 0
    for kind, levels in gains.levels.items():
        single = problem.singles[problem.kind_tables[kind].length]
        for gain, words in levels:
            if words & ~single:
                return total
            once += gain * (words & union[kind]).bit_count()
    return min(total, once - once % gains.step)
