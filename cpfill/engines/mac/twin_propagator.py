"""The propagation of the pure-Python kernel: arc consistency through the cells, and the other rules.

`kernel/propagator.hpp` is the same in C++, with a different representation of domains. A *one-hot* is a big integer
with one bit per position and letter: the one-hot of a word has one bit set per position, the one-hot of a slot has the
bits of all letters that its cells may hold. A word fits if its bits are among the slot's. A domain is a bitset of word
ids while it is large, and a list of one-hots from `LIST_SIZE` down: there, filtering takes one AND per word, and the
supported letters are one OR over all words. Domains are replaced, never modified. So a level of the search is a copy of
three lists, and results computed from a domain are valid while that object exists.
"""

from __future__ import annotations

import math
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, cast

from cpfill.engines.mac.twin_model import SlotCrossing, require

if TYPE_CHECKING:
    from cpfill.engines.mac.kernels import MacSpec
    from cpfill.engines.mac.twin_model import Costs, Domain, Index

BLAME = 1.0  # added by a wipeout to the weight of the cells whose change emptied the slot
SIDE_BLAME = 0.2  # added to the slot's other cells
LARGE_DOMAIN = 1000  # over this size, looking up the letters of a domain is delayed
BARELY_SHRUNK = 0.8  # until the domain is smaller than this share of its size at the last look-up


class Propagator:
    """The state of a search and what follows from it."""

    def __init__(self, spec: MacSpec) -> None:
        index, slots = cast("Index", spec.index), spec.slots
        letters = index.letters
        self._index, self._width, self._alphabet = index, letters, (1 << letters) - 1
        self._kinds = [table for table, _, _ in slots]  # the table of each slot
        self._tables = [index.tables[table] for table in self._kinds]
        self._peers = [peers for _, _, peers in slots]
        self._crossings: list[dict[int, SlotCrossing]] = [{} for _ in slots]  # by position
        self._every = [(1 << table.length * letters) - 1 for table in self._tables]  # one-hots: all letters,
        self._uncrossed = self._every[:]  # all letters where no slot crosses,
        self._lowest = [0] * len(slots)  # the first letter where one does
        self._cells: list[tuple[int, SlotCrossing]] = []
        for slot, (_, crossings, _) in enumerate(slots):
            for pos, other, other_pos in crossings:
                if other > slot:  # otherwise it was added from the other side
                    here = SlotCrossing(pos, pos * letters, len(self._cells), other, other_pos, other_pos * letters)
                    there = SlotCrossing(other_pos, here.other_shift, here.cell, slot, pos, here.shift)
                    self._cells.append((slot, here))
                    for side, crossing in ((slot, here), (other, there)):
                        self._crossings[side][crossing.pos] = crossing
                        self._uncrossed[side] &= ~(self._alphabet << crossing.shift)
                        self._lowest[side] |= 1 << crossing.shift
        require(len(spec.weights) in {0, len(self._cells)}, "a weight for each crossing")
        self._weights = list(spec.weights) or [1.0] * len(self._cells)
        self._singles = [int.from_bytes(packed, "little") for packed in spec.singles]
        self._costs = [cast("Costs", costs) for costs, _ in spec.budgets]
        self._limits = [limit for _, limit in spec.budgets]
        self._required = [(table, word, index.tables[table].make_one_hot(word)) for table, word in spec.required]

        # The state: for each slot its domain, the domain's size, and the one-hot of its cells' letters. The letters of
        # a crossed cell are in the one-hots of both its slots.
        self._domains: list[Domain] = []
        self._sizes: list[int] = []
        for table, packed in zip(self._tables, spec.domains, strict=True):
            bitset = int.from_bytes(packed, "little") & ((1 << table.size) - 1)
            self._sizes.append(bitset.bit_count())
            self._domains.append(table.make_domain(bitset, self._sizes[-1]))
        self._letters = self._every[:]

        # The slots to revise, and for each slot: the letters that its cells have lost since its last revision; the
        # letters to look up even if no word goes; its size when all letters were last looked up.
        self._queue: set[int] = set()
        self._gone, self._look, self._looked_at = ([0] * len(slots) for _ in range(3))
        # (budget, slot) -> the domain, and the result of `_find_prices` for it.
        self._prices: dict[tuple[int, int], tuple[Domain, int, int]] = {}
        self._failed = -1

    def _propagate(self) -> bool:
        """Propagate until nothing changes; false on a wipeout, after which the queue is empty."""
        while self._revise_all():
            if not (self._spend() and self._place_required()):
                self._clear()
                return False
            if not self._queue:
                return True
        return False

    def _revise_all(self) -> bool:
        queue, size_of = self._queue, self._sizes.__getitem__
        while queue:
            slot = min(queue, key=size_of)
            queue.remove(slot)
            if not self._revise(slot):
                self._clear()
                return False
        return True

    def _clear(self) -> None:
        for slot in self._queue:
            self._gone[slot] = self._look[slot] = 0
        self._queue.clear()

    def _revise(self, slot: int) -> bool:
        """Remove the words that need a lost letter, then the letters that no word supports any more."""
        gone, self._gone[slot] = self._gone[slot], 0
        look, self._look[slot] = self._look[slot], 0
        domain, size = self._domains[slot], self._sizes[slot]
        if gone:
            if isinstance(domain, list):
                domain = [word for word in domain if not word & gone]
                size = len(domain)
            else:
                domain = self._filter(slot, domain, gone)
                size = domain.bit_count()
                domain = self._tables[slot].make_domain(domain, size)
        if size != self._sizes[slot]:
            self._domains[slot], self._sizes[slot] = domain, size
            looked_at = self._looked_at[slot]
            if size <= LARGE_DOMAIN or not BARELY_SHRUNK * looked_at <= size <= looked_at:
                look = self._every[slot]
        if not look:
            return True
        if not size or (isinstance(domain, list) and size == 1 and not self._set_apart(slot, domain[0])):
            self._blame(slot, gone if not size else 0)
            if not size:
                self._failed = slot
            return False
        if isinstance(domain, list):
            lost = self._letters[slot] & ~reduce(or_, domain, self._uncrossed[slot])
        else:
            lost = self._find_unsupported(slot, domain, look)
        if lost:
            self._lose(slot, lost, from_inside=True)
        return True

    def _filter(self, slot: int, domain: int, gone: int) -> int:
        """Return a bitset without the words that have a lost letter."""
        table, letters, width = self._tables[slot], self._letters[slot], self._width
        while gone:
            pos = (gone.bit_length() - 1) // width
            lost = gone >> pos * width
            gone ^= lost << pos * width
            left = letters >> pos * width & self._alphabet
            few, masks = min(left, lost, key=int.bit_count), table.masks[pos]
            having = reduce(or_, [masks[letter] for letter in list_codes(few)])
            domain = domain & having if few == left else domain ^ domain & having
        return domain

    def _find_unsupported(self, slot: int, domain: int, look: int) -> int:
        """Return the letters in `look` that no word of a bitset supports; each word found supports all its letters."""
        table, lost = self._tables[slot], 0
        doubtful = self._letters[slot] & look & ~self._uncrossed[slot]
        if look == self._every[slot]:
            self._looked_at[slot] = self._sizes[slot]
        while doubtful:
            bit = doubtful.bit_length() - 1
            pos, letter = divmod(bit, self._width)
            having = domain & table.masks[pos][letter]
            if having:
                doubtful &= ~table.make_one_hot(having.bit_length() - 1)
            else:
                lost |= 1 << bit
                doubtful ^= 1 << bit
        return lost

    def _lose(self, slot: int, lost: int, *, from_inside: bool = False) -> None:
        """Remove letters from crossed cells of a slot; wake the crossing slots, and this one unless `from_inside`."""
        letters, crossings, width = self._letters, self._crossings[slot], self._width
        letters[slot] ^= lost
        if not from_inside:
            self._gone[slot] |= lost
            self._queue.add(slot)
        while lost:
            pos = (lost.bit_length() - 1) // width
            here = lost >> pos * width
            lost ^= here << pos * width
            _, _, _, other, _, shift = crossings[pos]
            letters[other] ^= here << shift
            self._gone[other] |= here << shift
            self._queue.add(other)

    def _set_apart(self, slot: int, word: int) -> bool:
        """Remove from other slots the words that the only word left forbids; false if a slot is left without a word."""
        kind, id_ = self._kinds[slot], self._tables[slot].ids[word]
        if self._singles[kind] >> id_ & 1:
            for peer in self._peers[slot]:
                if self._holds(peer, word, id_) and not self._remove(peer, word):
                    return False
        if self._index.separates:
            sharers = self._index.sharers(kind, id_)
            for other, theirs in enumerate(self._kinds):
                if other != slot and sharers[theirs] and not self._give(other, self._leave_out(other, sharers[theirs])):
                    return False
        return True

    def _leave_out(self, slot: int, gone: int) -> Domain:
        """Return the domain of a slot without the words of a bitset."""
        domain, ids = self._domains[slot], self._tables[slot].ids
        if isinstance(domain, list):
            return [word for word in domain if not gone >> ids[word] & 1]
        return domain & ~gone

    def _holds(self, slot: int, word: int, id_: int) -> bool:
        """Return whether a word of its table is in the domain of a slot."""
        domain = self._domains[slot]
        if isinstance(domain, list):
            return word & self._letters[slot] == word and word in domain
        return bool(domain >> id_ & 1)

    def _remove(self, slot: int, word: int) -> bool:
        """Remove a word from a slot; false if it was the last one."""
        domain = self._domains[slot]
        if isinstance(domain, list):
            left: Domain = [other for other in domain if other != word]
        else:
            left = domain ^ 1 << self._tables[slot].ids[word]
        return self._give(slot, left, look=word)  # only this word's letters can have lost support

    def _give(self, slot: int, domain: Domain, look: int | None = None) -> bool:
        """Replace the domain of a slot, and wake it to look up the letters of `look`, or all; false if it is empty."""
        size = len(domain) if isinstance(domain, list) else domain.bit_count()
        if size != self._sizes[slot]:
            self._domains[slot] = domain if isinstance(domain, list) else self._tables[slot].make_domain(domain, size)
            self._sizes[slot] = size
            self._look[slot] |= self._every[slot] if look is None else look
            self._queue.add(slot)
            if not size:
                self._failed = slot
        return size > 0

    def _spend(self) -> bool:
        """Keep in each slot the words with cost(w) ≤ least(slot) + limit - Σ least; false if Σ least > limit.

        `least` is the cost of a slot's cheapest word; Σ is over all slots.
        """
        for budget, limit in enumerate(self._limits):
            prices = [self._find_prices(budget, slot) for slot in range(len(self._domains))]
            slack = limit - sum([least for least, _ in prices])
            if slack < 0:
                return False
            for slot, (least, dearest) in enumerate(prices):
                if least + slack < dearest:
                    self._cap(budget, slot, least + slack)
        return True

    def _find_prices(self, budget: int, slot: int) -> tuple[int, int]:
        """Return the cost of the cheapest word of a slot, and an upper bound on the cost of its words."""
        domain, kind, costs = self._domains[slot], self._kinds[slot], self._costs[budget]
        known, least, dearest = self._prices.get((budget, slot), (None, 0, 0))
        if known is not domain:
            if isinstance(domain, list):
                prices = [costs.of[kind][self._tables[slot].ids[word]] for word in domain]
                least, dearest = min(prices), max(prices)
            else:
                least, dearest = costs.find_least(kind, domain), costs.dearest[kind]
            self._prices[budget, slot] = domain, least, dearest
        return least, dearest

    def _cap(self, budget: int, slot: int, cap: int) -> None:
        """Remove the words of a slot that cost more than `cap`."""
        domain, kind, costs = self._domains[slot], self._kinds[slot], self._costs[budget]
        if isinstance(domain, list):
            of, ids = costs.of[kind], self._tables[slot].ids
            self._give(slot, [word for word in domain if of[ids[word]] <= cap])
        else:
            self._give(slot, domain & costs.select_within(kind, cap))

    def _place_required(self) -> bool:
        """Place each required word that only one slot may hold; false if no slot may hold one."""
        for table, id_, word in self._required:
            holders = self._find_holders(table, id_, word)
            if not holders:
                return False
            if len(holders) == 1:
                self._give(holders[0], [word])
        return True

    def _find_unplaced(self) -> tuple[int, int]:
        """Return a slot for the required word with the fewest possible slots, if it has several; else -1."""
        best, fewest = (-1, 0), math.inf
        for table, id_, word in self._required:
            holders = self._find_holders(table, id_, word)
            if 1 < len(holders) < fewest:
                best, fewest = (holders[-1], word), len(holders)
        return best

    def _find_holders(self, table: int, id_: int, word: int) -> list[int]:
        """Return the slots that may hold a word; if it already stands in one, only that slot."""
        holders = [slot for slot, kind in enumerate(self._kinds) if kind == table and self._holds(slot, word, id_)]
        return next(([slot] for slot in holders if self._sizes[slot] == 1), holders)

    def _blame(self, slot: int, gone: int) -> None:
        """Add to the weights of the cells of a slot that failed."""
        for crossing in self._crossings[slot].values():
            self._weights[crossing.cell] += BLAME if gone >> crossing.shift & self._alphabet else SIDE_BLAME


@lru_cache(maxsize=1 << 14)
def list_codes(letters: int) -> tuple[int, ...]:
    """Return the letter codes in a letter set."""
    return tuple(code for code in range(letters.bit_length()) if letters >> code & 1)
