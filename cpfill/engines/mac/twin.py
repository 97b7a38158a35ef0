"""The kernel in pure Python, for machines where it was not compiled: the same class, the same algorithm.

`kernel/` says it in C++ and cites its sources; what differs is what a domain is made of. A *one-hot* is a big integer
of as many bits a position as there are letters: the one-hot of a word has one bit a position, the one-hot of a slot
those of all letters that its cells may hold. A word fits if its bits are among the slot's. A domain is a bitset of word
ids while there are many, and a list of one-hots from `LIST_SIZE` down: there, filtering takes one AND a word, and the
letters that have a word are one OR over all. Nothing is changed in place, so a level of the search is a copy of three
lists, and what was computed from a domain holds while the very same object lasts.
"""

from __future__ import annotations

import math
import time
from enum import Enum
from functools import lru_cache, reduce
from itertools import chain, cycle, repeat
from operator import or_
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

Domain = int | list[int]  # a bitset of word ids, or a list of one-hots
LIST_SIZE = 150  # domains are lists from this size down
BLAME = 1.0  # what a wipeout adds to the weight of the cells whose change emptied the slot
SIDE_BLAME = 0.2  # what it adds to the slot's other cells
UNCROSSED = 1e-3  # what a slot without undecided crossings weighs: it can wait
NO_WORD = 0.01  # stands for no word at all under the logarithm
NOISE = 0.02  # scale of the Gumbel noise that breaks ties and makes seeds differ
NOISES = 4093
RESTART_GROWTH = 1.3

LARGE_DOMAIN = 1000  # over this size, it is put off to look up the letters of a domain that
BARELY_SHRUNK = 0.8  # kept so much of what it was when they were last looked up
DIGITS = [bytes(48 + (byte == code) for byte in range(256)) for code in range(64)]


class Answer(Enum):
    """What a step came to."""

    RUNNING = 0
    FOUND = 1
    EXHAUSTED = 2


class Table:
    """The words of one length: a bitset for each letter at each position, and one-hots as they are asked for."""

    def __init__(self, length: int, letters: int, codes: bytes) -> None:
        self.length = length
        self.size = len(codes) // length if length else 0
        columns = [codes[pos::length][::-1] for pos in range(length)]  # bit i is word i; a number begins with the last
        self.masks = [[int(b"0" + column.translate(ones), 2) for ones in DIGITS[:letters]] for column in columns]
        self.ids: dict[int, int] = {}  # by one-hot
        self.spelled: dict[int, bytes] = {}  # letter codes, by one-hot
        self._codes = codes
        self._bits = [[1 << pos * letters + code for code in range(letters)] for pos in range(length)]
        self._one_hots: list[int] = [0] * self.size

    def one_hot(self, word: int) -> int:
        """Return a word's one-hot."""
        one_hot = self._one_hots[word]
        if not one_hot:
            codes = self._codes[word * self.length : (word + 1) * self.length]
            one_hot = self._one_hots[word] = sum([bits[code] for bits, code in zip(self._bits, codes, strict=True)])
            self.ids[one_hot], self.spelled[one_hot] = word, codes
        return one_hot

    def domain(self, bitset: int, size: int) -> Domain:
        """Return a bitset, or a list in its place if it is small."""
        return bitset if size > LIST_SIZE else self.listed(bitset)

    def listed(self, bitset: int) -> list[int]:
        """Return the words of a bitset: the places of the ones among its binary digits."""
        digits, words = f"{bitset:b}", []
        last, place = len(digits) - 1, digits.rfind("1")
        while place >= 0:
            words.append(self._one_hots[last - place] or self.one_hot(last - place))
            place = digits.rfind("1", 0, place)
        return words


class Crossing(NamedTuple):
    """A crossing as one of its slots sees it; a shift is where the letters of the cell begin in a one-hot."""

    pos: int
    shift: int
    cell: int
    other: int
    other_pos: int
    other_shift: int


class Kernel:
    """One search.

    A table is (word length, the letter codes of all its words), a slot (table, crossings, peers) with each crossing as
    (position, crossing slot, position there) and for peers the slots that may not hold the same word; `domains` are
    little-endian bitsets over the words of each slot's table. Until the first fill it restarts after `first_limit`
    wipeouts, then 1.3 times as many, and so on; never if that is 0. With `by_cell` it branches on letters, which is
    faster for finding every fill.
    """

    def __init__(  # noqa: PLR0917 - as the compiled kernel has them
        self,
        letters: int,
        tables: Sequence[tuple[int, bytes]],
        slots: Sequence[tuple[int, Sequence[tuple[int, int, int]], Sequence[int]]],
        domains: Sequence[bytes],
        seed: int,
        first_limit: int,
        by_cell: bool,
    ) -> None:
        if not 1 <= letters <= 64:
            raise ValueError("an alphabet has 1 to 64 letters")
        self._width, self._alphabet = letters, (1 << letters) - 1
        made = [Table(length, letters, codes) for length, codes in tables]
        self._tables = [made[table] for table, _, _ in slots]
        self._peers = [peers for _, _, peers in slots]
        self._crossings: list[dict[int, Crossing]] = [{} for _ in slots]  # by position
        self._every = [(1 << table.length * letters) - 1 for table in self._tables]  # one-hots of all letters,
        self._uncrossed = self._every[:]  # of all letters where no slot crosses,
        self._lowest = [0] * len(slots)  # and of the first letter where one does
        self._cells: list[tuple[int, Crossing]] = []
        for slot, (_, crossings, _) in enumerate(slots):
            for pos, other, other_pos in crossings:
                if other > slot:  # else it is known from the other side
                    here = Crossing(pos, pos * letters, len(self._cells), other, other_pos, other_pos * letters)
                    there = Crossing(other_pos, here.other_shift, here.cell, slot, pos, here.shift)
                    self._cells.append((slot, here))
                    for side, crossing in ((slot, here), (other, there)):
                        self._crossings[side][crossing.pos] = crossing
                        self._uncrossed[side] &= ~(self._alphabet << crossing.shift)
                        self._lowest[side] |= 1 << crossing.shift
        self._weights = [1.0] * len(self._cells)

        # The state: for each slot its domain, the size of that, and the one-hot of its cells' letters. A crossed cell
        # stands in two of them.
        self._domains: list[Domain] = []
        self._sizes: list[int] = []
        for table, packed in zip(self._tables, domains, strict=True):
            bitset = int.from_bytes(packed, "little") & ((1 << table.size) - 1)
            self._sizes.append(bitset.bit_count())
            self._domains.append(table.domain(bitset, self._sizes[-1]))
        self._letters = self._every[:]
        # The decisions, each with the state before it: the slot, and the word or else the letter it was given.
        self._levels: list[tuple[int, int, int, list[Domain], list[int], list[int]]] = []

        # The slots to revise, and for each slot: the letters that its cells have lost since it was last revised; those
        # to look up even if no word goes; its size when they were all looked up.
        self._queue: set[int] = set()
        self._gone, self._look, self._looked_at = ([0] * len(slots) for _ in range(3))
        # For slots and positions what `_tally` returns, and from which domain.
        self._tallies: dict[tuple[int, int], tuple[Domain, list[float]]] = {}

        self._random = Random(seed)  # noqa: S311
        self._noise = [-NOISE * math.log(-math.log(self._random.uniform(1e-9, 1 - 1e-9))) for _ in range(NOISES)]
        self._limit, self._by_cell = first_limit, by_cell
        self._started = self._at_fill = self._exhausted = False
        self._failed = self._wipeout = -1
        self._nodes = self._fails = self._restarts = self._since_restart = 0

    def step(self, seconds: float, nodes: int) -> Answer:
        """Go on for at most so many seconds, until so many nodes in all, or to the next fill."""
        end = time.perf_counter() + seconds
        if not self._started:
            self._started = True
            self._queue, self._look = set(range(len(self._every))), self._every[:]
            if not self._propagate():
                self._exhausted, self._wipeout = True, self._failed
        elif self._at_fill:
            self._at_fill = False
            self._exhausted = not self._refute()
        while not self._exhausted:
            if self._nodes >= nodes or time.perf_counter() >= end:
                return Answer.RUNNING
            if not self._descend():
                self._at_fill, self._limit = True, 0  # a restart would lead to the same fills again
                return Answer.FOUND
            if self._propagate():
                continue
            self._fails += 1
            self._since_restart += 1
            if not self._refute():
                self._exhausted = True
            elif self._since_restart >= self._limit > 0:
                self._restart()
        return Answer.EXHAUSTED

    def words(self) -> list[int]:
        """Return the word id of each slot in the fill just found."""
        found = zip(self._tables, self._domains, strict=True)
        return [table.ids[domain[0]] for table, domain in found if isinstance(domain, list)]

    def wipeout(self) -> int:
        """Return the slot that arc consistency alone left without a word, or -1."""
        return self._wipeout

    def counters(self) -> tuple[int, int, int]:
        """Return the nodes, fails and restarts so far."""
        return self._nodes, self._fails, self._restarts

    def _descend(self) -> bool:
        """Take the next decision; false if there is none to take."""
        word, (slot, letter) = 0, self._choose_letter() if self._by_cell else (-1, 0)
        if slot < 0:
            if (slot := self._choose_slot()) < 0:
                return False
            word = self._choose_word(slot)
        self._nodes += 1
        self._levels.append((slot, word, letter, self._domains[:], self._sizes[:], self._letters[:]))
        if word:
            self._domains[slot], self._sizes[slot] = [word], 1
            self._look[slot] = self._every[slot]
            self._queue.add(slot)
        else:
            shift = (letter.bit_length() - 1) // self._width * self._width
            self._lose(slot, self._letters[slot] & self._alphabet << shift ^ letter)
        return True

    def _refute(self) -> bool:
        """Take back the last decision and exclude it, again and again while that fails; false if nothing is left."""
        while self._levels:
            slot, word, letter, self._domains, self._sizes, self._letters = self._levels.pop()
            if letter:
                self._lose(slot, letter)
            if (letter or self._remove(slot, word)) and self._propagate():
                return True
            self._clear()
        return False

    def _restart(self) -> None:
        if self._levels:
            *_, self._domains, self._sizes, self._letters = self._levels[0]
            self._levels.clear()
        self._limit = max(self._limit + 1, int(self._limit * RESTART_GROWTH))
        self._since_restart = 0
        self._restarts += 1

    def _propagate(self) -> bool:
        """Propagate until nothing changes; false on a wipeout, after which the queue is empty."""
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
        """Take away the words that need a letter that has gone, then the letters that no word supports any more."""
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
                domain = self._tables[slot].domain(domain, size)
        if size != self._sizes[slot]:
            self._domains[slot], self._sizes[slot] = domain, size
            looked_at = self._looked_at[slot]
            if size <= LARGE_DOMAIN or not BARELY_SHRUNK * looked_at <= size <= looked_at:
                look = self._every[slot]
        if not look:
            return True
        if not size or (isinstance(domain, list) and size == 1 and not self._distinct(slot, domain[0])):
            self._blame(slot, gone if not size else 0)
            if not size:
                self._failed = slot
            return False
        if isinstance(domain, list):
            lost = self._letters[slot] & ~reduce(or_, domain, self._uncrossed[slot])
        else:
            lost = self._unsupported(slot, domain, look)
        if lost:
            self._lose(slot, lost, from_inside=True)
        return True

    def _filter(self, slot: int, domain: int, gone: int) -> int:
        """Return a bitset without the words that have a letter that has gone."""
        table, letters, width = self._tables[slot], self._letters[slot], self._width
        while gone:
            pos = (gone.bit_length() - 1) // width
            lost = gone >> pos * width
            gone ^= lost << pos * width
            left = letters >> pos * width & self._alphabet
            few, masks = min(left, lost, key=int.bit_count), table.masks[pos]
            having = reduce(or_, [masks[letter] for letter in _members(few)])
            domain = domain & having if few == left else domain ^ domain & having
        return domain

    def _unsupported(self, slot: int, domain: int, look: int) -> int:
        """Return the letters among `look` that no word of a bitset supports; a word found speaks for all its own."""
        table, lost = self._tables[slot], 0
        doubtful = self._letters[slot] & look & ~self._uncrossed[slot]
        if look == self._every[slot]:
            self._looked_at[slot] = self._sizes[slot]
        while doubtful:
            bit = doubtful.bit_length() - 1
            pos, letter = divmod(bit, self._width)
            having = domain & table.masks[pos][letter]
            if having:
                doubtful &= ~table.one_hot(having.bit_length() - 1)
            else:
                lost |= 1 << bit
                doubtful ^= 1 << bit
        return lost

    def _lose(self, slot: int, lost: int, *, from_inside: bool = False) -> None:
        """Take letters from crossed cells of a slot; wake the other slots there, and this one if it does not know."""
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

    def _distinct(self, slot: int, word: int) -> bool:
        """C3: take the one word left from every slot that may not share it; false if that leaves one without."""
        for peer in self._peers[slot]:
            if word & self._letters[peer] == word:
                domain, table = self._domains[peer], self._tables[peer]
                there = word in domain if isinstance(domain, list) else domain >> table.ids[word] & 1
                if there and not self._remove(peer, word):
                    self._failed = peer
                    return False
        return True

    def _remove(self, slot: int, word: int) -> bool:
        """Take a word from a slot; false if it was the last one."""
        domain, size, table = self._domains[slot], self._sizes[slot] - 1, self._tables[slot]
        if isinstance(domain, list):
            domain = [other for other in domain if other != word]
        else:
            domain = table.domain(domain ^ 1 << table.ids[word], size)
        self._domains[slot], self._sizes[slot] = domain, size
        self._look[slot] |= word  # no other letter can have lost its support
        self._queue.add(slot)
        return size > 0

    def _blame(self, slot: int, gone: int) -> None:
        """Add to the weights of the cells of a slot that failed."""
        for crossing in self._crossings[slot].values():
            self._weights[crossing.cell] += BLAME if gone >> crossing.shift & self._alphabet else SIDE_BLAME

    def _choose_slot(self) -> int:
        """Return the slot to branch on; -1 if every slot has one word."""
        best, least, weights = -1, math.inf, self._weights
        for slot, size in enumerate(self._sizes):
            if size > 1:
                weight = UNCROSSED + sum([weights[crossing.cell] for crossing in self._open(slot)])
                if size < least * weight:
                    best, least = slot, size / weight
        return best

    def _open(self, slot: int) -> list[Crossing]:
        """Return the crossings of a slot whose cells are undecided."""
        letters, alphabet = self._letters[slot], self._alphabet
        several = letters & (letters - self._lowest[slot])  # one letter less: all that a decided cell had
        return [crossing for crossing in self._crossings[slot].values() if several >> crossing[1] & alphabet]

    def _choose_letter(self) -> tuple[int, int]:
        """Return the first letter of the cell with the fewest letters for its weight, in one of its slots; or -1."""
        best, least = (-1, 0), math.inf
        letters, alphabet, weights = self._letters, self._alphabet, self._weights
        for slot, (_, shift, cell, _, _, _) in self._cells:
            held = letters[slot] >> shift & alphabet
            if held & (held - 1) and held.bit_count() < least * weights[cell]:
                best, least = (slot, (held & -held) << shift), held.bit_count() / weights[cell]
        return best

    def _choose_word(self, slot: int) -> int:
        """Return the word with the greatest sum of log(words of the crossing slot that have its letter there)."""
        domain, table = self._domains[slot], self._tables[slot]
        words = domain if isinstance(domain, list) else table.listed(domain)
        spelled = b"".join(map(table.spelled.__getitem__, words))
        promises = [
            map(self._tally(crossing.other, crossing.other_pos).__getitem__, spelled[crossing.pos :: table.length])
            for crossing in self._open(slot)
        ]
        noise = chain(self._noise[self._random.randrange(NOISES) :], cycle(self._noise))
        scores = list(map(sum, zip(repeat(0.0, len(words)), noise, *promises, strict=False)))
        return words[scores.index(max(scores))]

    def _tally(self, slot: int, pos: int) -> list[float]:
        """Return for each letter the logarithm of how many words of a slot have it at a position."""
        domain, table = self._domains[slot], self._tables[slot]
        known, logs = self._tallies.get((slot, pos), (None, []))
        if known is not domain:
            logs = [math.log(NO_WORD)] * self._width
            letters = _members(self._letters[slot] >> pos * self._width & self._alphabet)
            if isinstance(domain, list):
                column = b"".join(map(table.spelled.__getitem__, domain))[pos :: table.length]
                for letter in letters:
                    logs[letter] = math.log(column.count(letter) + NO_WORD)
            else:
                for letter in letters:
                    logs[letter] = math.log((domain & table.masks[pos][letter]).bit_count() + NO_WORD)
            self._tallies[slot, pos] = domain, logs
        return logs


@lru_cache(maxsize=1 << 14)
def _members(letters: int) -> tuple[int, ...]:
    """Return the letter codes in a letter set."""
    return tuple(code for code in range(letters.bit_length()) if letters >> code & 1)
