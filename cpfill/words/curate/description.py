"""The figures of a list that a constructor wants to know: how many words, how good, and how easily they cross.

letters    the share of all (position, letter) pairs that some word has; below 1, some letter fits no word at some
           position
pairs      the same for two positions and their letters: the share of the demands of two crossing words that a slot
           can meet
fitting    the expected number of words for a slot after crossing words have fixed one, or two, of its letters; letters
           have the frequencies of the whole list, positions are equally likely
agreement  the probability that two words agree at a crossing, if letters have the frequencies of the list: the sum of
           their squared shares

Heat maps show the positions that each letter prefers, and the letters that each position prefers. They are from the
figures in Atelier RLV, L'auteur de mots croisés (2022), on P. D. Smith and S. Y. Steen, A prototype crossword compiler
(1981).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING

from cpfill.base.imports import draw_plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.words.lexicon import Lexicon


def columns(lexicon: Lexicon, length: int) -> list[bytes]:
    """Return, for each position, the letter codes of all words of one length, in the order of their table."""
    codes = lexicon.table(length).codes
    return [codes[pos::length] for pos in range(length)]


@dataclass(frozen=True)
class Positions:
    """The count of each letter at each position of the words of one length.

    Attributes:
        length: the number of letters of each word.
        words: the number of words.
        counts: for each letter of the alphabet, its count at each position.
    """

    length: int
    words: int
    counts: dict[str, tuple[int, ...]]

    def preferred_position(self, letter: str) -> int | None:
        """Return the position, from 0, at which a letter is most frequent, or `None` if no word has it."""
        counts = self.counts[letter]
        if any(counts):
            return counts.index(max(counts))
        return None

    def preferred_letters(self, pos: int) -> list[str]:
        """Return the letters that occur at a position, the commonest first."""
        present = [letter for letter, counts in self.counts.items() if counts[pos]]
        return sorted(present, key=lambda letter: -self.counts[letter][pos])

    def share_of_letter(self, letter: str, pos: int) -> float:
        """Return the share of a letter's occurrences that are at a position."""
        total = sum(self.counts[letter])
        if total:
            return self.counts[letter][pos] / total
        return 0.0

    def share_of_position(self, letter: str, pos: int) -> float:
        """Return the share of the words that have a letter at a position."""
        return self.counts[letter][pos] / self.words


def positions(lexicon: Lexicon, length: int) -> Positions:
    """Return the counts for the words of one length; there must be at least one such word."""
    counters = [Counter(column) for column in columns(lexicon, length)]
    letters = lexicon.alphabet.codes.items()
    counts = {letter: tuple(counter[code] for counter in counters) for letter, code in letters}
    return Positions(length, len(lexicon.table(length)), counts)


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
class ListFigures:
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


def describe(lexicon: Lexicon) -> ListFigures:
    """Return the figures of a lexicon with at least one word."""
    counts: Counter[str] = Counter()
    scores: list[float] = []
    for length in lexicon.lengths:
        table = lexicon.table(length)
        counts.update("".join(table.words))
        scores += table.scores
    total = counts.total()
    shares = {letter: counts[letter] / total for letter in lexicon.alphabet.letters}
    return ListFigures(
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
    table = lexicon.table(length)
    by_pos = columns(lexicon, length)
    singles = [Counter(column) for column in by_pos]
    fitting_one = sum(shares[code] * count for counter in singles for code, count in counter.items()) / length
    pairs = fitting_two = None
    position_pairs = math.comb(length, 2)
    if position_pairs:
        seen = 0
        expected = 0.0
        for one, other in combinations(by_pos, 2):
            counter = _paired(one, other)
            seen += len(counter)
            expected += sum(shares[code >> 8] * shares[code & 255] * count for code, count in counter.items())
        pairs = seen / (position_pairs * len(shares) ** 2)
        fitting_two = expected / position_pairs
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


_CELL_INCHES = 0.2
_MARGIN_INCHES = 1.2


def plot_heatmaps(found: Sequence[Positions], path: str) -> None:
    """Draw two rows of heat maps with one column per length: shares of each letter above, of each position below.

    Raises:
        CpfillError: matplotlib is not installed.
        InputError: the file cannot be written.
    """
    letters = list(found[0].counts)
    width = sum(each.length + 1 for each in found) * _CELL_INCHES + _MARGIN_INCHES
    height = 2 * (len(letters) * _CELL_INCHES + _MARGIN_INCHES)
    with draw_plot(path, max(width, 3.0), height) as figure:
        grid = figure.subplots(2, len(found), squeeze=False, width_ratios=[each.length for each in found])
        for column, each in enumerate(found):
            for row, share in enumerate((each.share_of_letter, each.share_of_position)):
                axes = grid[row][column]
                cells = [[share(letter, pos) for pos in range(each.length)] for letter in letters]
                axes.imshow(cells, aspect="equal", cmap="viridis", vmin=0.0, interpolation="nearest")
                axes.set_xticks(range(each.length), [str(pos + 1) for pos in range(each.length)], fontsize=6)
                axes.set_yticks(range(len(letters)), letters if column == 0 else [], fontsize=6)
                axes.tick_params(length=0)
                if row == 0:
                    axes.set_title(str(each.length), fontsize=8)
        grid[0][0].set_ylabel("positions of each letter")
        grid[1][0].set_ylabel("letters at each position")
        figure.supxlabel("position, by length of word")
