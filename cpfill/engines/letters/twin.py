"""The kernel in pure Python, for machines without the compiled one: the same class, the same algorithm.

`kernel/` is the same in C++. Here a trie is a nested dict, and a set of words an int with one bit per word.
"""

from __future__ import annotations

import time
from array import array
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cpfill.base.alphabet import MAX_LETTERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.engines.letters.spec import LettersSpec

TRIES_BETWEEN_LOOKS = 256


class Trie(dict[int, Any]):
    """Maps letter codes to what follows, or to word ids at the last letter."""

    letters = 0
    """The codes as a bitset."""


class Ledger:
    """What excluded pairs, budgets and cover need to know of the words placed so far."""

    def __init__(self, spec: LettersSpec, table_of_slot: Sequence[int]) -> None:
        self._tables = [(length, codes, _read_bits(required)) for length, codes, _, required in spec.tables]
        self._open = [table_of_slot.count(table) for table in range(len(spec.tables))]
        self._missing = [required.bit_count() for _, _, required in self._tables]
        self._run = spec.run
        self._left = [limit for limit, _ in spec.budgets]
        self._costs = [[array("q", of_table) for of_table in costs] for _, costs in spec.budgets]
        self._runs: set[bytes] = set()
        self._copies: dict[tuple[int, int], int] = {}
        self.active = bool(spec.run or spec.budgets or any(self._missing))

    @property
    def feasible(self) -> bool:
        """Whether the open slots can still take the required words."""
        return all(missing <= free for missing, free in zip(self._missing, self._open, strict=True))

    def _find_runs(self, table: int, word: int) -> set[bytes]:
        length, codes, _ = self._tables[table]
        if not self._run:
            return set()
        starts = range(word * length, (word + 1) * length - self._run + 1)
        return {codes[start : start + self._run] for start in starts}

    def enter(self, table: int, word: int) -> bool:
        """Enter a word; return False, and enter nothing, if that breaks a constraint."""
        is_required = self._tables[table][2] >> word & 1
        copies = self._copies.get((table, word), 0)
        missing = self._missing[table] - (is_required and not copies)
        runs = self._find_runs(table, word)
        if missing > self._open[table] - 1 or not runs.isdisjoint(self._runs):
            return False
        spent = [costs[table][word] for costs in self._costs]
        if any(cost > left for cost, left in zip(spent, self._left, strict=True)):
            return False
        self._runs |= runs
        self._left = [left - cost for cost, left in zip(spent, self._left, strict=True)]
        self._missing[table] = missing
        self._open[table] -= 1
        if is_required:
            self._copies[table, word] = copies + 1
        return True

    def leave(self, table: int, word: int) -> None:
        """Remove an entered word."""
        self._runs -= self._find_runs(table, word)
        self._left = [left + costs[table][word] for costs, left in zip(self._costs, self._left, strict=True)]
        self._open[table] += 1
        if self._tables[table][2] >> word & 1:
            self._copies[table, word] -= 1
            self._missing[table] += self._copies[table, word] == 0


class Choices:
    """The words that may stand in a row, in alphabetical order."""

    def __init__(self, words: list[tuple[bytes, int]]) -> None:
        self.texts = [text for text, _ in words]
        self.words = [word for _, word in words]
        self._having: dict[tuple[int, int], int] = {}

    def having(self, pos: int, letters: int) -> int:
        """Return the bitset of the words with one of these letters at a position."""
        if (pos, letters) not in self._having:
            bits = "".join("1" if letters >> text[pos] & 1 else "0" for text in reversed(self.texts))
            self._having[pos, letters] = int("0" + bits, 2)
        return self._having[pos, letters]

    def find(self, prefix: bytes) -> range:
        """Return the ranks of the words with this prefix."""
        return range(bisect_left(self.texts, prefix), bisect_left(self.texts, prefix + b"\xff"))


class Row:
    """The cells of one word: a slot across, or a single cell that is in no slot across."""

    def __init__(self, cells: range, slot: int | None, choices: Choices) -> None:
        self.cells = cells
        self.slot = slot
        self.choices = choices
        self.everything = (1 << len(choices.texts)) - 1
        self.open_after: int | None = None
        """The last cell above whose column leads here; the cells up to it determine what can stand here."""
        self.left = 0
        """The words not tried yet, as a bitset."""
        self.tie = 0
        self.complete = 0


class Kernel:
    """One search.

    `start` sets where to begin and at what depth to report; `step` continues; `take` returns the texts found since its
    last call; `counters` returns the words placed and the texts found since the start.
    """

    def __init__(self, spec: LettersSpec) -> None:
        if not 1 <= spec.letters <= MAX_LETTERS:
            raise ValueError(f"an alphabet has 1 to {MAX_LETTERS} letters")
        self._cells = spec.cells
        self._tables = [spec.tries[trie][0] for trie, _ in spec.slots]  # of the slots
        self._ledger = Ledger(spec, self._tables)
        self._singles = [_read_bits(singles) for _, _, singles, _ in spec.tables]
        self._pairs = [(cell, image) for cell, image in enumerate(spec.mirror) if cell < image]
        sorted_words = [_sort_words(*spec.tables[table][:2], _read_bits(domain)) for table, domain in spec.tries]
        self._lay_rows(spec, sorted_words)
        self._lay_columns(spec, sorted_words)
        self._earlier = self._list_earlier()
        self._words = [-1] * len(spec.slots)
        self._complete: list[int] = []  # the slots with a complete word
        self._text = bytearray(spec.cells)
        self._at = self._base = self._depth = self._tie = 0
        self._keep, self._exhausted = True, True
        self._found: list[bytes] = []
        self._nodes = self._fills = 0

    def _lay_rows(self, spec: LettersSpec, sorted_words: Sequence[list[tuple[bytes, int]]]) -> None:
        choices = [Choices(words) for words in sorted_words]
        anything = Choices([(bytes([letter]), letter) for letter in range(spec.letters)])
        slots = {cells[0]: (slot, trie) for slot, (trie, cells) in enumerate(spec.slots[: spec.across])}
        self._rows: list[Row] = []
        self._row_of: list[Row] = []
        while len(self._row_of) < spec.cells:
            first = len(self._row_of)
            slot, trie = slots.get(first, (None, None))
            length = 1 if slot is None else len(spec.slots[slot][1])
            row = Row(range(first, first + length), slot, anything if trie is None else choices[trie])
            self._rows.append(row)
            self._row_of += [row] * length

    def _lay_columns(self, spec: LettersSpec, sorted_words: Sequence[list[tuple[bytes, int]]]) -> None:
        tries = [_make_trie(words) for words in sorted_words]
        self._column: list[Trie | None] = [None] * spec.cells  # for each cell, what may follow in its column
        self._next: list[int | None] = [None] * spec.cells  # the next cell of the column
        self._ends: list[int | None] = [None] * spec.cells  # the slot down whose last cell this is
        for slot, (trie, cells) in enumerate(spec.slots[spec.across :], start=spec.across):
            top = self._row_of[cells[0]]
            self._column[cells[0]] = tries[trie]
            top.everything &= top.choices.having(cells[0] - top.cells[0], tries[trie].letters)
            for cell, after in pairwise(cells):
                self._next[cell] = after
            self._ends[cells[-1]] = slot
        # For each cell whose column continues in a row below: what that row can have, and the last cell touching it.
        self._open = [0] * spec.cells
        self._before: list[int | None] = [None] * spec.cells
        for cell, below_cell in enumerate(self._next):
            if below_cell is not None and self._row_of[below_cell] is not self._row_of[cell]:
                below = self._row_of[below_cell]
                self._before[cell], below.open_after = below.open_after, cell

    def _list_earlier(self) -> list[list[int]]:
        """Return, for each slot, the slots of its length whose words are complete no later than its own."""
        earlier: list[list[int]] = [[] for _ in self._tables]
        complete: list[int] = []
        for row in self._rows:
            for slot in [*(self._ends[cell] for cell in row.cells), row.slot]:
                if slot is not None:
                    table = self._tables[slot]
                    others = [other for other in complete if self._tables[other] == table]
                    earlier[slot] = others if self._singles[table] else []
                    complete.append(slot)
        return earlier

    def start(self, prefix: bytes, depth: int, keep: bool) -> bool:
        """Begin below a prefix of the text, and report texts of `depth` letters.

        Resets the counters. Texts are counted, and kept only with `keep`. Return False if no words have this prefix.
        """
        if not len(prefix) < depth <= self._cells:
            raise ValueError("a depth among the cells, and a beginning shorter than that")
        self._take_back(0)
        self._depth, self._keep, self._exhausted = depth, keep, True
        self._found.clear()
        self._nodes = self._fills = self._at = self._tie = 0
        if not self._ledger.feasible:
            return False
        while True:
            row = self._enter()
            given = prefix[row.cells.start : row.cells.stop]
            ranks = row.choices.find(given)
            row.left = row.left >> ranks.start << ranks.start & ((1 << ranks.stop) - 1)
            if not row.left:
                return False
            if len(given) < len(row.cells):
                break
            if not self._put(row, ranks.start):
                return False
            self._at += 1
        self._base = self._at
        self._exhausted = False
        return True

    def step(self, seconds: float, nodes: int, fills: int) -> bool:
        """Search for at most `seconds`, or until `nodes` words were placed or `fills` texts found since the start.

        Return whether the search is exhausted.
        """
        end = time.perf_counter() + seconds
        while not self._exhausted and self._nodes < nodes and self._fills < fills:
            self._run(nodes, fills)
            if time.perf_counter() >= end:
                break
        return self._exhausted

    def take(self) -> bytes:
        """Return the texts found since the last call, one after another, one letter code per cell."""
        found = b"".join(self._found)
        self._found.clear()
        return found

    def counters(self) -> tuple[int, int]:
        """Return the number of words placed and of texts found; a text with a different reflection counts twice."""
        return self._nodes, self._fills

    def _run(self, nodes: int, fills: int) -> None:
        for _ in range(TRIES_BETWEEN_LOOKS):
            row = self._rows[self._at]
            if not row.left:
                if self._at == self._base:
                    self._exhausted = True
                    return
                self._at -= 1
                self._take_back(self._rows[self._at].complete)
                continue
            rank = (row.left & -row.left).bit_length() - 1
            wanted = self._depth - row.cells.start
            if wanted < len(row.cells):
                self._text[row.cells.start : self._depth] = row.choices.texts[rank][:wanted]
                self._skip(row, rank, wanted)
            else:
                if not self._put(row, rank):
                    continue
                if self._nodes == nodes:  # only now: without a next word, the search is exhausted
                    row.left |= 1 << rank
                    self._take_back(row.complete)
                    return
                self._nodes += 1
                if wanted > len(row.cells):
                    self._at += 1
                    self._enter()
                    continue
            if self._keep:
                self._found.append(bytes(self._text[: self._depth]))
            self._take_back(row.complete)
            self._fills += 2 if self._depth == self._cells and self._tie < 0 else 1
            if self._fills >= fills:
                return

    def _enter(self) -> Row:
        """Begin with the next row."""
        row = self._rows[self._at]
        row.left = row.everything if row.open_after is None else self._open[row.open_after]
        row.tie, row.complete = self._tie, len(self._complete)
        return row

    def _skip(self, row: Row, rank: int, letters: int) -> None:
        """Skip the words that share the first `letters` letters of a word; earlier words were tried."""
        end = row.choices.find(row.choices.texts[rank][:letters]).stop
        row.left = row.left >> end << end

    def _put(self, row: Row, rank: int) -> bool:
        """Place a word in a row; if a letter fails, skip the words that begin alike and return False."""
        text = row.choices.texts[rank]
        self._text[row.cells.start : row.cells.stop] = text
        self._tie = row.tie
        for pos, cell in enumerate(row.cells):
            if not (self._compare(cell) and self._reach(cell)):
                self._skip(row, rank, pos + 1)
                self._take_back(row.complete)
                return False
        row.left ^= 1 << rank
        if row.slot is not None and not self._fits(row.slot, row.choices.words[rank]):
            self._take_back(row.complete)
            return False
        return True

    def _compare(self, cell: int) -> bool:
        """Continue to compare the text up to a cell with its reflection; return False if the reflection comes first."""
        while 0 <= self._tie < len(self._pairs):
            one, image = self._pairs[self._tie]
            if image > cell:
                break
            if self._text[image] < self._text[one]:
                return False
            self._tie = self._tie + 1 if self._text[image] == self._text[one] else -1
        return True

    def _reach(self, cell: int) -> bool:
        """Go down the column of a cell; return whether its word, or a row below, can still be completed."""
        column, after, ends = self._column[cell], self._next[cell], self._ends[cell]
        if column is None:
            return True
        below = column.get(self._text[cell])
        if below is None:
            return False
        if ends is not None:
            return self._fits(ends, below)
        assert after is not None
        self._column[after] = below
        row = self._row_of[after]
        if row is self._row_of[cell]:
            return True
        before = self._before[cell]
        left = row.everything if before is None else self._open[before]
        self._open[cell] = left & row.choices.having(after - row.cells.start, below.letters)
        return self._open[cell] != 0

    def _fits(self, slot: int, word: int) -> bool:
        """Complete a word; return False if it breaks a rule."""
        table = self._tables[slot]
        for other in self._earlier[slot]:
            if self._words[other] == word and self._singles[table] >> word & 1:
                return False
        if self._ledger.active:
            if not self._ledger.enter(table, word):
                return False
            self._complete.append(slot)
        self._words[slot] = word
        return True

    def _take_back(self, words: int) -> None:
        """Take back words until only `words` are complete."""
        while len(self._complete) > words:
            slot = self._complete.pop()
            self._ledger.leave(self._tables[slot], self._words[slot])


def _read_bits(bitset: bytes) -> int:
    return int.from_bytes(bitset, "little")


def _sort_words(length: int, codes: bytes, domain: int) -> list[tuple[bytes, int]]:
    """Return the words in a bitset with their ids, in alphabetical order."""
    words = [(codes[w * length : (w + 1) * length], w) for w in range(len(codes) // length) if domain >> w & 1]
    return sorted(words)


def _make_trie(words: list[tuple[bytes, int]]) -> Trie:
    root = Trie()
    for text, word in words:
        node = root
        for letter in text[:-1]:
            node.letters |= 1 << letter
            node = node.setdefault(letter, Trie())
        node.letters |= 1 << text[-1]
        node[text[-1]] = word
    return root
