"""The rules beyond crossings, C3 and C5 to C7, for engines in pure Python whose domains are big-integer bitsets.

An engine that keeps one domain a slot, with one word in that of a slot that has its word, obeys them so:

    after it placed `word` in `slot`:
        for other in rules.partners[slot]:
            take rules.find_conflicts(slot, word, other) from the domain of `other`
        for slot, kept, because in rules.find_narrowings(domains):
            keep `kept` in the domain of `slot`, for which the domains of the slots in `because` are to blame

An empty domain is a dead end. To do all this once every slot has its word is enough, and an engine that does not look
ahead passes over the domains that are not empty; to do it after each placement finds out earlier. Where none of these
rules is set there are no partners and no narrowings.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.table import WordId, WordTable

_RUNS_KEPT = 4096
_CONFLICTS_KEPT = 1024
"""How many bitsets are remembered: a few megabytes, with the largest lists a few dozen."""


class Narrowing(NamedTuple):
    """What some domains leave of another one."""

    slot: SlotId
    kept: int
    """The words of the slot's domain that may still stand there; 0 is a dead end."""
    because: int
    """The slots whose domains say so, one bit a slot; that of `slot` may be among them."""


class SideRules:
    """The rules of one problem that are no crossings.

    Attributes:
        partners: for each slot, the slots from which its word may take words (C3, C5).
    """

    def __init__(self, problem: Problem) -> None:
        rules = problem.rules
        self._tables = problem.tables
        self._singles = problem.singles
        self._run = rules.no_shared or 0
        self._with_run = lru_cache(_RUNS_KEPT)(self._find_run)
        self._conflicts = lru_cache(_CONFLICTS_KEPT)(self._compute_conflicts)
        everyone = range(len(problem.slots))
        self.partners: tuple[tuple[SlotId, ...], ...] = problem.peers
        if self._run:
            self.partners = tuple(tuple(other for other in everyone if other != slot) for slot in everyone)
        self._max_obscure = rules.max_obscure
        self._clear = [table.at_least(rules.below) for table in self._tables]
        self._required: list[tuple[WordId, list[SlotId], int]] = []  # the word, its slots, those that may hold it
        for required in sorted(rules.required):
            slots = [slot.id for slot in problem.slots if slot.length == len(required)]
            word = self._tables[slots[0]].ids[required]
            holders = sum(1 << slot for slot in slots if problem.domains[slot] >> word & 1)
            self._required.append((word, slots, holders))

    def find_conflicts(self, slot: SlotId, word: WordId, other: SlotId) -> int:
        """Return the words that may not stand in `other` while `word` stands in `slot` (C3, C5)."""
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
        """Yield what C6 and C7 leave of the domains, which may be narrowed while this runs.

        What follows from a narrowing may have to be asked for again, save a dead end once each domain has one word.
        """
        if self._max_obscure is not None:
            yield from self._limit_obscure(domains, self._max_obscure)
        for word, slots, because in self._required:
            bit = 1 << word
            holders = [slot for slot in slots if domains[slot] & bit]
            if not holders:
                yield Narrowing(slots[0], 0, because)
            elif len(holders) == 1:
                yield Narrowing(holders[0], bit, because)

    def _limit_obscure(self, domains: Sequence[int], most: int) -> Iterator[Narrowing]:
        """C6: with as many slots as may be that have only obscure words, the others keep none."""
        obscure = [slot for slot, domain in enumerate(domains) if not domain & self._clear[slot]]
        if len(obscure) < most:
            return
        because = sum(1 << slot for slot in obscure)
        if len(obscure) > most:
            yield Narrowing(obscure[0], 0, because)
            return
        for slot, domain in enumerate(domains):
            kept = domain & self._clear[slot]
            if kept and kept != domain:
                yield Narrowing(slot, kept, because)


def find_words_with_run(masks: Sequence[Sequence[int]], run: bytes) -> int:
    """Return the words that have these letter codes next to each other.

    `masks` has, for each position and each letter code, the bitset of the words with that letter there.
    """
    found = 0
    for start in range(len(masks) - len(run) + 1):
        found |= reduce(and_, [masks[pos][code] for pos, code in enumerate(run, start)])
    return found
