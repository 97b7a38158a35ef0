"""Propagation for engines in pure Python, on big-integer bitsets: AC-3, and the constraints beyond crossings.

AC-3 (Mackworth, Consistency in networks of relations, AI 8, 1977) makes the domains arc consistent. The arcs are the
crossings, each seen from both its slots; the queue holds the slots whose arcs must be revised. Revising an arc keeps
the words whose letter in the crossed cell occurs in some word of the crossing slot: one AND with a union of masks,
whatever the domain's size.

An engine keeps one domain per slot; the domain of a filled slot has one word. It obeys the constraints as follows:

    after placing `word` in `slot`:
        for other in constraints.partners[slot]:
            remove constraints.find_conflicts(slot, word, other) from the domain of `other`
        for slot, kept, because in constraints.find_narrowings(domains):
            keep only `kept` in the domain of `slot`; the domains of the slots in `because` are to blame

An empty domain is a dead end. Doing this once, when every slot has its word, is sufficient; an engine that does not
look ahead ignores domains that are not empty. Doing it after each placement finds dead ends earlier. A problem without
such constraints has no partners and no narrowings.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache, reduce
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cpfill.problem.constraints import Budget
    from cpfill.problem.event import Revision
    from cpfill.problem.problem import Problem
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
    tell: Callable[[Revision], None] = lambda _: None,
) -> list[int]:
    """Return the arc-consistent domains within `domains`.

    If no word may be used twice, the only word left in a slot is removed from every other slot of its length. `tick` is
    called before each revision and may raise to stop. `tell` is called with each revision that shrinks a domain.

    Raises:
        Wipeout: a domain is, or becomes, empty.
    """
    from cpfill.problem.event import Revision  # noqa: PLC0415 - slow to import, and most searches are not preceded by this

    current = list(domains)
    require_words(current)
    queue = deque(range(len(current)))
    queued = set(queue)
    while queue:
        changed = queue.popleft()
        queued.remove(changed)
        for other, kept in _revise(problem, current, changed):
            tick()
            if kept == current[other]:
                continue
            tell(Revision(other, changed, current[other].bit_count(), kept.bit_count()))
            if not kept:
                raise Wipeout(other)
            current[other] = kept
            if other not in queued:
                queued.add(other)
                queue.append(other)
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
    domain, table = domains[changed], problem.tables[changed]
    for pos, other, other_pos in problem.grid.neighbours[changed]:
        supported = 0
        for code, mask in enumerate(table.masks(pos)):
            if domain & mask:
                supported |= 1 << code
        yield other, domains[other] & problem.tables[other].having(other_pos, supported)
    if domain & (domain - 1) == 0:
        for other in problem.peers[changed]:
            yield other, domains[other] & ~(domain & problem.singles[table.length])


_RUNS_KEPT = 4096
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
        partners: for each slot, the slots from which its word may remove words: all-different, excluded pairs.
        narrow: whether several domains together may narrow a different one: budgets, cover.
    """

    def __init__(self, problem: Problem) -> None:
        constraints = problem.constraints
        self._tables = problem.tables
        self._singles = problem.singles
        self._run = constraints.run or 0
        self._with_run = lru_cache(_RUNS_KEPT)(self._find_run)
        self._conflicts = lru_cache(_CONFLICTS_KEPT)(self._compute_conflicts)
        everyone = range(len(problem.slots))
        self.partners: tuple[tuple[SlotId, ...], ...] = problem.peers
        if self._run:
            self.partners = tuple(tuple(other for other in everyone if other != slot) for slot in everyone)
        self._budgets = constraints.budgets
        self._cover: list[tuple[WordId, list[SlotId], int]] = []  # the word, its slots, those that may hold it
        for length, word in constraints.cover:
            slots = [slot.id for slot in problem.slots if slot.length == length]
            holders = sum(1 << slot for slot in slots if problem.domains[slot] >> word & 1)
            self._cover.append((word, slots, holders))
        self.narrow = bool(self._budgets or self._cover)

    def find_conflicts(self, slot: SlotId, word: WordId, other: SlotId) -> int:
        """Return the words that may not stand in `other` while `word` stands in `slot`."""
        return self._conflicts(self._tables[slot], word, self._tables[other])

    def _compute_conflicts(self, table: WordTable, word: WordId, theirs: WordTable) -> int:
        gone = 1 << word & self._singles[table.length] if table is theirs else 0
        if self._run:
            start = word * table.length
            codes = table.codes[start : start + table.length]
            for pos in range(table.length - self._run + 1):
                gone |= self._with_run(theirs, codes[pos : pos + self._run])
        return gone

    @staticmethod
    def _find_run(table: WordTable, run: bytes) -> int:
        return find_words_with_run([table.masks(pos) for pos in range(table.length)], run)

    def find_narrowings(self, domains: Sequence[int]) -> Iterator[Narrowing]:
        """Yield what budgets and cover leave of the domains; the caller may narrow them meanwhile.

        To see the consequences of a narrowing, call this again; only once each domain has one word, one call finds
        every dead end.
        """
        for budget in self._budgets:
            yield from self._keep_to(budget, domains)
        for word, slots, because in self._cover:
            bit = 1 << word
            holders = [slot for slot in slots if domains[slot] & bit]
            if not holders:
                yield Narrowing(slots[0], 0, because)
            elif len(holders) == 1:
                yield Narrowing(holders[0], bit, because)

    def _keep_to(self, budget: Budget, domains: Sequence[int]) -> Iterator[Narrowing]:
        """Keep in each slot the words that the budget has room for if all others take their cheapest."""
        lengths = [table.length for table in self._tables]
        least = [budget.find_least(length, domain) for length, domain in zip(lengths, domains, strict=True)]
        slack = budget.limit - sum(least)
        if slack >= budget.steps[-1].cost:
            return
        costly = [slot for slot, cost in enumerate(least) if cost]
        because = sum(1 << slot for slot in costly)
        if slack < 0:
            yield Narrowing(costly[0], 0, because)
            return
        for slot, (length, domain) in enumerate(zip(lengths, domains, strict=True)):
            kept = budget.select_within(length, domain, least[slot] + slack)
            if kept != domain:
                yield Narrowing(slot, kept, because)


def find_words_with_run(masks: Sequence[Sequence[int]], run: bytes) -> int:
    """Return the words that contain these letter codes consecutively.

    `masks[position][code]` is the bitset of the words with that letter at that position.
    """
    found = 0
    for start in range(len(masks) - len(run) + 1):
        found |= reduce(and_, [masks[pos][code] for pos, code in enumerate(run, start)])
    return found
