"""The parts of the pure-Python kernel that a search does not change: words, their index, their costs."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.alphabet import MAX_LETTERS
from cpfill.engines.toolkit.propagation import find_words_with_run

if TYPE_CHECKING:
    from collections.abc import Sequence

Domain = int | list[int]  # a bitset of word ids, or a list of one-hots
LIST_SIZE = 150  # domains of up to this size are lists
DIGITS = [bytes(48 + (byte == code) for byte in range(256)) for code in range(MAX_LETTERS)]
RUNS_KEPT = 4096  # cached bitsets of the words with a run of letters
SHARERS_KEPT = 256  # cached bitsets of the words that share a run with a word
CHEAP_KEPT = 256  # cached bitsets of the words that cost at most some amount


def require(met: bool, what: str) -> None:
    """Check a condition on the input of a kernel, as the compiled one does.

    Raises:
        ValueError: the condition is false.
    """
    if not met:
        raise ValueError(f"the kernel needs {what}")


class MaskTable:
    """The words of one length: a bitset for each letter at each position, and one-hots made on demand."""

    def __init__(self, length: int, letters: int, codes: bytes) -> None:
        self.length = length
        self.size = len(codes) // length
        columns = [
            codes[pos::length][::-1] for pos in range(length)
        ]  # reversed: bit i is word i, and numerals begin with the highest bit
        self.masks = [[int(b"0" + column.translate(ones), 2) for ones in DIGITS[:letters]] for column in columns]
        self.ids: dict[int, int] = {}  # by one-hot
        self.spelled: dict[int, bytes] = {}  # letter codes, by one-hot
        self._codes = codes
        self._bits = [[1 << pos * letters + code for code in range(letters)] for pos in range(length)]
        self._one_hots: list[int] = [0] * self.size

    def codes(self, word: int) -> bytes:
        """Return the letter codes of a word."""
        return self._codes[word * self.length : (word + 1) * self.length]

    def make_one_hot(self, word: int) -> int:
        """Return a word's one-hot."""
        one_hot = self._one_hots[word]
        if not one_hot:
            codes = self.codes(word)
            one_hot = self._one_hots[word] = sum([bits[code] for bits, code in zip(self._bits, codes, strict=True)])
            self.ids[one_hot], self.spelled[one_hot] = word, codes
        return one_hot

    def make_domain(self, bitset: int, size: int) -> Domain:
        """Return the domain of a bitset: a list if it is small."""
        return bitset if size > LIST_SIZE else self.list_words(bitset)

    def list_words(self, bitset: int) -> list[int]:
        """Return the words of a bitset: the indices of the ones among its binary digits."""
        digits, words = f"{bitset:b}", []
        last, index = len(digits) - 1, digits.rfind("1")
        while index >= 0:
            words.append(self._one_hots[last - index] or self.make_one_hot(last - index))
            index = digits.rfind("1", 0, index)
        return words


class Index:
    """The words of all lengths, shared by several searches. A table is (word length, the letter codes of all words)."""

    def __init__(self, letters: int, tables: Sequence[tuple[int, bytes]], run: int) -> None:
        require(1 <= letters <= MAX_LETTERS, f"an alphabet of 1 to {MAX_LETTERS} letters")
        require(run >= 0, "runs of no negative length")
        require(all(length >= 1 and len(codes) % length == 0 for length, codes in tables), "whole words")
        require(all(max(codes, default=0) < letters for _, codes in tables), "codes of the alphabet")
        self.letters = letters
        self.tables = [MaskTable(length, letters, codes) for length, codes in tables]
        self.separates = run > 0
        self._run = run
        self._with_run = lru_cache(RUNS_KEPT)(self._find_run)
        self.sharers = lru_cache(SHARERS_KEPT)(self._find_sharers)

    def _find_sharers(self, table: int, word: int) -> list[int]:
        """Return for each table the bitset of the words that share a run of letters with a word."""
        codes, run = self.tables[table].codes(word), self._run
        runs = {codes[pos : pos + run] for pos in range(len(codes) - run + 1)}
        return [reduce(or_, [self._with_run(other, one) for one in runs], 0) for other in range(len(self.tables))]

    def _find_run(self, table: int, run: bytes) -> int:
        return find_words_with_run(self.tables[table].masks, run)


class Costs:
    """What each word costs; the costs of a table are packed as 64-bit integers."""

    def __init__(self, tables: Sequence[bytes]) -> None:
        self.of = [array("q", packed).tolist() for packed in tables]
        self.dearest = [max(costs, default=0) for costs in self.of]
        self._ordered = [sorted(costs) for costs in self.of]
        self._distinct = [sorted(set(costs)) for costs in self.of]
        self._cheapest = lru_cache(CHEAP_KEPT)(self._find_cheapest)

    def select_within(self, table: int, cap: int) -> int:
        """Return the words that cost no more than `cap`."""
        return self._cheapest(table, bisect_right(self._ordered[table], cap))

    def find_least(self, table: int, bitset: int) -> int:
        """Return the cost of the cheapest word of a bitset."""
        distinct = self._distinct[table]
        return distinct[bisect_left(distinct, True, key=lambda cost: bool(bitset & self.select_within(table, cost)))]

    def _find_cheapest(self, table: int, count: int) -> int:
        """Return the `count` cheapest words; no other word may cost as little as one of them."""
        costs, ordered = self.of[table], self._ordered[table]
        if costs == ordered:  # words come best score first, so costs that follow scores already rise
            return (1 << count) - 1
        bits = bytearray(len(costs) // 8 + 1)
        for word, cost in enumerate(costs):
            if count and cost <= ordered[count - 1]:
                bits[word >> 3] |= 1 << (word & 7)
        return int.from_bytes(bits, "little")


class SlotCrossing(NamedTuple):
    """A crossing as one of its slots sees it; a shift is the first bit of the cell's letters in a one-hot."""

    pos: int
    shift: int
    cell: int
    other: int
    other_pos: int
    other_shift: int
