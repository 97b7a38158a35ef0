"""The gain of each word: the whole number that it adds to an additive criterion."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from operator import neg
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cpfill.words.lexicon import WordId


class Gains:
    """The gains of all words.

    Attributes:
        by_length: `by_length[n][w]` is the gain of word `w` of length `n`.
        per_unit: a gain of g stands for g / `per_unit`.
        by_score: whether gains follow the scores: word ids are then in descending order of gain.
    """

    def __init__(self, by_length: Mapping[int, Sequence[int]], per_unit: int, *, by_score: bool) -> None:
        self.by_length, self.per_unit, self.by_score = by_length, per_unit, by_score

    @cached_property
    def levels(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """For each length, each gain over 0 in descending order, with the bitset of the words that have it."""
        found: dict[int, list[tuple[int, int]]] = {}
        for length, gains in self.by_length.items():
            words: dict[int, list[WordId]] = {}
            for word, gain in enumerate(gains):
                if gain:
                    words.setdefault(gain, []).append(word)
            found[length] = [(gain, sum(1 << word for word in words[gain])) for gain in sorted(words, reverse=True)]
        return found

    def find_best(self, length: int, domain: int) -> int:
        """Return the greatest gain of a word in a domain, 0 for an empty domain."""
        if self.by_score:
            return self.by_length[length][(domain & -domain).bit_length() - 1] if domain else 0
        return next((gain for gain, words in self.levels[length] if domain & words), 0)

    def select(self, length: int, least: int) -> int:
        """Return the words whose gain is at least `least` > 0."""
        if self.by_score:
            return (1 << bisect_right(self.by_length[length], -least, key=neg)) - 1
        return sum(words for gain, words in self.levels[length] if gain >= least)
