"""The figures of a list that a constructor wants to know: how many words, how good, and how easily they cross.

letters    the share of all (position, letter) pairs that some word has; below 1, some letter fits no word at some
           position
pairs      the same for two positions and their letters: the share of the demands of two crossing words that a slot
           can meet
fitting    the expected number of words for a slot after crossing words have fixed one, or two, of its letters; letters
           have the frequencies of the whole list, positions are equally likely
agreement  the probability that two words agree at a crossing, if letters have the frequencies of the list: the sum of
           their squared shares
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING

from cpfill.words.curate.position import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.words.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class LengthFigures:
    """The figures of one length; `pairs` and `fitting_two` are `None` for words of one letter."""

    length: int
    words: int
    best_score: float
    median_score: float
    letters: float
    pairs: float | None
    fitting_one: float
    fitting_two: float | None


@dataclass(frozen=True, slots=True)
class Bin:
    """The number of words that score at least `low` and less than `high`; the last bin includes `high`."""

    low: float
    high: float
    words: int


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a whole list.

    Attributes:
        letters: the share of each letter of the alphabet among all letters of all words.
        agreement: the probability that two words agree at a crossing.
    """

    words: int
    lengths: list[LengthFigures]
    min_score: float
    median_score: float
    max_score: float
    scores: list[Bin]
    letters: dict[str, float]
    agreement: float


def describe(lexicon: Lexicon) -> Figures:
    """Return the figures of a lexicon with at least one word."""
    counts: Counter[str] = Counter()
    scores: list[float] = []
    for length in lexicon.lengths:
        table = lexicon.table(length)
        counts.update("".join(table.words))
        scores += table.scores
    total = counts.total()
    shares = {letter: counts[letter] / total for letter in lexicon.alphabet.letters}
    return Figures(
        words=len(scores),
        lengths=[_figures(lexicon, length, list(shares.values())) for length in lexicon.lengths],
        min_score=min(scores),
        median_score=median(scores),
        max_score=max(scores),
        scores=histogram(scores),
        letters=shares,
        agreement=sum(share * share for share in shares.values()),
    )


def _figures(lexicon: Lexicon, length: int, shares: Sequence[float]) -> LengthFigures:
    table, by_pos = lexicon.table(length), columns(lexicon, length)
    singles = [Counter(column) for column in by_pos]
    fitting_one = sum(shares[code] * count for counter in singles for code, count in counter.items()) / length
    pairs = fitting_two = None
    position_pairs = math.comb(length, 2)
    if position_pairs:
        seen, expected = 0, 0.0
        for one, other in combinations(by_pos, 2):
            counter = _paired(one, other)
            seen += len(counter)
            expected += sum(shares[code >> 8] * shares[code & 255] * count for code, count in counter.items())
        pairs, fitting_two = seen / (position_pairs * len(shares) ** 2), expected / position_pairs
    return LengthFigures(
        length=length,
        words=len(table),
        best_score=max(table.scores),
        median_score=median(table.scores),
        letters=sum(map(len, singles)) / (length * len(shares)),
        pairs=pairs,
        fitting_one=fitting_one,
        fitting_two=fitting_two,
    )


def _paired(one: bytes, other: bytes) -> Counter[int]:
    """Return the count of each pair of codes at the same index; a pair is a 16-bit number, one code per byte."""
    both = bytearray(2 * len(one))
    both[::2], both[1::2] = one, other
    return Counter(memoryview(both).cast("H"))


def histogram(scores: Sequence[float]) -> list[Bin]:
    """Return the number of scores in each of at most ten bins from 0 to the best; their width is a power of ten."""
    best = max(scores)
    exponent = math.ceil(math.log10(best / 10)) if best > 0 else 0
    edges = [float(f"{digit}e{exponent}") for digit in range(11)]  # as written: 3 * 0.1 is more than 0.3
    bins = max(1, bisect_left(edges, best))
    counts = Counter(min(bisect_right(edges, score), bins) - 1 for score in scores)
    return [Bin(edges[index], edges[index + 1], counts[index]) for index in range(bins)]
