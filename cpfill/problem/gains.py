"""A criterion that adds up: what each word adds to it, in whole numbers."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from operator import neg
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cpfill.words.table import WordId


class Gains:
    """What the words add.

    Attributes:
        by_length: `by_length[n][w]` is what word `w` of length `n` adds.
        per_unit: a whole number g stands for g / `per_unit`.
        by_score: whether a word adds no less than those that score less, and so comes before those that add less.
    """

    def __init__(self, by_length: Mapping[int, Sequence[int]], per_unit: int, *, by_score: bool) -> None:
        self.by_length, self.per_unit, self.by_score = by_length, per_unit, by_score

    @cached_property
    def levels(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """By length each gain over 0 that words have, the greatest first, with the bitset of these words."""
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
        """Return the words that add `least` > 0 or more."""
        if self.by_score:
            return (1 << bisect_right(self.by_length[length], -least, key=neg)) - 1
        return sum(words for gain, words in self.levels[length] if gain >= least)
