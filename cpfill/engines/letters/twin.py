"""The kernel in pure Python, for machines where it was not compiled: the same class, the same algorithm.

`kernel/` says it in C++. Here a trie is nested dicts, from letter code to what follows in alphabetical order, and at
its last letter to the word id; the letters of a cell are the keys that two dicts share.
"""

from __future__ import annotations

import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cpfill.alphabet import MAX_LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.engines.letters.spec import LettersSpec

Trie = dict[int, Any]  # of letter codes to tries, or to word ids at the last letter

NODES_BETWEEN_LOOKS = 512


class _Any(Trie):
    """Stands in where a cell has no slot in one direction: every letter follows, and leads nowhere."""

    def __contains__(self, letter: object) -> bool:
        return True

    def __getitem__(self, letter: int) -> Trie:
        return self


class Ledger:
    """What the rules C5 to C7 count of the words placed so far."""

    def __init__(self, spec: LettersSpec, table_of_slot: Sequence[int]) -> None:
        self._tables = [
            (length, codes, _read_bits(obscure), _read_bits(required))
            for length, codes, _, obscure, required in spec.tables
        ]
        self._open = [table_of_slot.count(table) for table in range(len(spec.tables))]
        self._missing = [required.bit_count() for _, _, _, required in self._tables]
        self._no_shared, self._max_obscure = spec.no_shared, spec.max_obscure
        self._obscure = 0
        self._runs: set[bytes] = set()
        self._copies: dict[tuple[int, int], int] = {}
        self.active = bool(spec.no_shared or spec.max_obscure >= 0 or any(self._missing))

    @property
    def feasible(self) -> bool:
        """Whether the slots that are left can still take the required words."""
        return all(missing <= free for missing, free in zip(self._missing, self._open, strict=True))

    def _find_runs(self, table: int, word: int) -> set[bytes]:
        length, codes, _, _ = self._tables[table]
        if not self._no_shared:
            return set()
        starts = range(word * length, (word + 1) * length - self._no_shared + 1)
        return {codes[start : start + self._no_shared] for start in starts}

    def enter(self, table: int, word: int) -> bool:
        """Enter a word; return False, and enter nothing, if that breaks a rule."""
        _, _, obscure, required = self._tables[table]
        is_obscure, is_required = obscure >> word & 1, required >> word & 1
        copies = self._copies.get((table, word), 0)
        missing = self._missing[table] - (is_required and not copies)
        runs = self._find_runs(table, word)
        if missing > self._open[table] - 1 or not runs.isdisjoint(self._runs):
            return False
        if is_obscure and 0 <= self._max_obscure <= self._obscure:
            return False
        self._runs |= runs
        self._obscure += is_obscure
        self._missing[table] = missing
        self._open[table] -= 1
        if is_required:
            self._copies[table, word] = copies + 1
        return True

    def leave(self, table: int, word: int) -> None:
        """Take back a word that was entered."""
        _, _, obscure, required = self._tables[table]
        self._runs -= self._find_runs(table, word)
        self._obscure -= obscure >> word & 1
        self._open[table] += 1
        if required >> word & 1:
            self._copies[table, word] -= 1
            self._missing[table] += self._copies[table, word] == 0


class Kernel:
    """One search.

    `start` says where to begin and at what depth to report, `step` goes on,
    `take` returns what was found since it was last asked, and `counters` the letters put and the texts found since
    the start.
    """

    def __init__(self, spec: LettersSpec) -> None:
        if not 1 <= spec.letters <= MAX_LETTERS:
            raise ValueError(f"an alphabet has 1 to {MAX_LETTERS} letters")
        tables, cells = spec.tables, spec.cells
        self._cells = cells
        self._tables = [spec.tries[trie][0] for trie, _ in spec.slots]  # of the slots
        self._ledger = Ledger(spec, self._tables)
        self._singles = [_read_bits(singles) for _, _, singles, _, _ in tables]
        roots = [_make_trie(tables[table][0], tables[table][1], _read_bits(domain)) for table, domain in spec.tries]
        spare = 2 * cells  # where nobody looks
        self._tries: list[Trie] = [_Any() for _ in range(spare + 1)]  # for each cell and direction, what may follow
        self._next = [[spare, spare] for _ in range(cells)]  # where the trie below goes, in each direction
        self._ends = [[-1, -1] for _ in range(cells)]  # the slots whose last cell this is
        lanes = [0] * cells
        for slot, (trie, slot_cells) in enumerate(spec.slots):
            here = [2 * cell + lanes[cell] for cell in slot_cells]
            self._tries[here[0]] = roots[trie]
            for at, after in pairwise(here):
                self._next[at // 2][at % 2] = after
            self._ends[here[-1] // 2][here[-1] % 2] = slot
            for cell in slot_cells:
                lanes[cell] += 1
        self._earlier = self._list_earlier()
        self._words = [-1] * len(spec.slots)
        self._text = bytearray(cells)
        self._left: list[Iterator[int]] = []  # for each cell from the first on, the letters not tried yet
        self._at = self._base = self._depth = 0
        self._keep, self._exhausted = True, True
        self._found: list[bytes] = []
        self._nodes = self._fills = 0

    def _list_earlier(self) -> list[list[int]]:
        """Return, for each slot, the slots of its length whose words are complete when its own is."""
        earlier: list[list[int]] = [[] for _ in self._tables]
        complete: list[int] = []
        for slot in (slot for ends in self._ends for slot in ends if slot >= 0):
            table = self._tables[slot]
            earlier[slot] = [other for other in complete if self._tables[other] == table and self._singles[table]]
            complete.append(slot)
        return earlier

    def start(self, prefix: bytes, depth: int, keep: bool) -> bool:
        """Begin below a beginning of the text, and report texts of `depth` letters.

        The counters begin anew; texts are counted, and kept only with `keep`. Return False if the beginning breaks a
        rule.
        """
        if not len(prefix) < depth <= self._cells:
            raise ValueError("a depth among the cells, and a beginning shorter than that")
        while self._at:
            self._at -= 1
            self._release(self._at)
        self._base, self._depth, self._keep, self._exhausted = 0, depth, keep, True
        self._found.clear()
        self._nodes = self._fills = 0
        self._left = []
        if not self._ledger.feasible:
            return False
        for letter in prefix:
            if letter not in list(self._list_open()) or not self._put(letter):
                return False
            self._left.append(iter(()))
            self._at += 1
        self._base = self._at
        self._left.append(self._list_open())
        self._exhausted = False
        return True

    def step(self, seconds: float, nodes: int, fills: int) -> bool:
        """Search for `seconds` at most, until `nodes` letters were put or `fills` texts found since the start.

        Return whether all was searched.
        """
        end = time.perf_counter() + seconds
        while not self._exhausted and self._nodes < nodes and self._fills < fills:
            self._run(min(nodes, self._nodes + NODES_BETWEEN_LOOKS), fills)
            if time.perf_counter() >= end:
                break
        return self._exhausted

    def take(self) -> bytes:
        """Return the texts found since the last time, one letter code a cell, one text after another."""
        found = b"".join(self._found)
        self._found.clear()
        return found

    def counters(self) -> tuple[int, int]:
        """Return how many letters were put, and how many texts were found."""
        return self._nodes, self._fills

    def _run(self, nodes: int, fills: int) -> None:
        left = self._left
        while True:
            # Whether there is a letter left is asked before the limit, for without one the search is over.
            letter = next(left[-1], None)
            while letter is None:
                if self._at == self._base:
                    self._exhausted = True
                    return
                left.pop()
                self._at -= 1
                self._release(self._at)
                letter = next(left[-1], None)
            if self._nodes == nodes:
                left[-1] = _put_back(letter, left[-1])
                return
            self._nodes += 1
            if not self._put(letter):
                continue
            if self._at + 1 < self._depth:
                self._at += 1
                left.append(self._list_open())
                continue
            if self._keep:
                self._found.append(bytes(self._text[: self._depth]))
            self._release(self._at)
            self._fills += 1
            if self._fills == fills:
                return

    def _list_open(self) -> Iterator[int]:
        """Return the letters that follow in both directions; a cell is in a slot in the first at least."""
        across, down = self._tries[2 * self._at : 2 * self._at + 2]
        return iter([letter for letter in across if letter in down])

    def _put(self, letter: int) -> bool:
        """Put a letter into the cell; return False if a word that it completes breaks a rule."""
        at = self._at
        across, down = self._tries[2 * at][letter], self._tries[2 * at + 1][letter]
        first, second = self._ends[at]
        if first >= 0 and not self._complete(first, across):
            return False
        if second >= 0 and not self._complete(second, down):
            if first >= 0 and self._ledger.active:
                self._ledger.leave(self._tables[first], self._words[first])
            return False
        self._tries[self._next[at][0]] = across
        self._tries[self._next[at][1]] = down
        self._text[at] = letter
        return True

    def _complete(self, slot: int, word: int) -> bool:
        table = self._tables[slot]
        for other in self._earlier[slot]:
            if self._words[other] == word and self._singles[table] >> word & 1:
                return False
        if self._ledger.active and not self._ledger.enter(table, word):
            return False
        self._words[slot] = word
        return True

    def _release(self, at: int) -> None:
        """Take back the words that a letter completed."""
        if self._ledger.active:
            for slot in self._ends[at]:
                if slot >= 0:
                    self._ledger.leave(self._tables[slot], self._words[slot])


def _read_bits(bitset: bytes) -> int:
    return int.from_bytes(bitset, "little")


def _put_back(letter: int, letters: Iterator[int]) -> Iterator[int]:
    return iter([letter, *letters])


def _make_trie(length: int, codes: bytes, domain: int) -> Trie:
    """Return the trie of the words in a bitset; keys come in alphabetical order."""
    words = [(codes[w * length : (w + 1) * length], w) for w in range(len(codes) // length) if domain >> w & 1]
    root: Trie = {}
    for text, word in sorted(words):
        node = root
        for letter in text[:-1]:
            node = node.setdefault(letter, {})
        node[text[-1]] = word
    return root
