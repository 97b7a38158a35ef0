"""Whole lists: calibrated, merged, filtered, sampled and compared."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

from cpfill.words.curate.entries import Entry, entries
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import Calibration, round_score

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from cpfill.words.curate.pattern import Pattern
    from cpfill.words.wordlist import WordList

COMMON = 100
"""The least number of common words by which a list is calibrated."""

APART = 0.1
"""Lists have one scale if calibration moves a common word by less than this share of it, on average."""


def calibrate(lists: Sequence[WordList]) -> list[WordList]:
    """Return lists on the scale of the longest one, as far as their common words tell it.

    A list of another scale, or of one score, gets the scores of an isotonic regression over the common words (pool
    adjacent violators: Ayer et al., An empirical distribution function for sampling with incomplete information, Annals
    of Mathematical Statistics 26, 1955).
    """
    longest = max(lists, key=lambda one: len(one.words), default=None)
    known = dict(longest.packed.list_scores()) if longest is not None and len(lists) > 1 else {}
    calibrated = []
    for one in lists:
        common = [(score, known[word]) for word, score in one.packed.list_scores() if score and known.get(word)]
        by = None if longest is None or one is longest or len(common) < COMMON else _fit(longest.name, common)
        moves = by is not None and (
            len(by.scores) == 1
            or fmean(abs(by.move(score) - score) for score, _ in common) > APART * max(known.values())
        )
        calibrated.append(one.moved(by) if by and moves else one)
    return calibrated


def _fit(onto: str, common: Collection[tuple[float, float]]) -> Calibration:
    """Return the calibration that fits best, by least squares, the pairs of scores in both lists."""
    wanted: dict[float, list[float]] = defaultdict(list)
    for score, other in common:
        wanted[score].append(other)
    pools: list[tuple[float, int, list[float]]] = []  # the sum of the scores wanted, their number, the scores
    for score in sorted(wanted):
        total, number, scores = sum(wanted[score]), len(wanted[score]), [score]
        while pools and pools[-1][0] / pools[-1][1] >= total / number:
            before = pools.pop()
            total, number, scores = total + before[0], number + before[1], before[2] + scores
        pools.append((total, number, scores))
    moved = tuple((score, round_score(total / number)) for total, number, scores in pools for score in scores)
    return Calibration(onto, len(common), moved)


def merge(lists: Sequence[WordList], *, first_wins: bool = False) -> list[Entry]:
    """Return the union of lists over one alphabet.

    A word in several lists has its best score, as in a `Lexicon`, or with `first_wins` that of the first such list.
    """
    if not lists:
        return []
    alphabet = lists[0].alphabet
    if not first_wins:
        return entries(Lexicon(lists, alphabet))
    merged: dict[str, Entry] = {}
    for one in lists:
        for entry in entries(Lexicon([one], alphabet)):
            merged.setdefault(entry.word, entry)
    return list(merged.values())


@dataclass(frozen=True, slots=True)
class Filter:
    """The conditions for a word to stay. Ranges of lengths and scores include both ends.

    Attributes:
        letters: the only letters that the word may have; empty for any.
        pattern: the pattern that the word must match, if there is one.
    """

    min_length: int = 1
    max_length: float = math.inf
    min_score: float = -math.inf
    max_score: float = math.inf
    letters: str = ""
    pattern: Pattern | None = None

    def keep(self, candidates: Iterable[Entry]) -> list[Entry]:
        """Return the entries that stay, in their order."""
        letters, pattern = frozenset(self.letters), self.pattern
        return [
            entry
            for entry in candidates
            if self.min_length <= len(entry.word) <= self.max_length
            and self.min_score <= entry.score <= self.max_score
            and (not letters or letters.issuperset(entry.word))
            and (pattern is None or pattern.matches(entry.word))
        ]


def sample(candidates: Iterable[Entry], size: int, seed: int = 0) -> list[Entry]:
    """Return `size` random entries, or all of them if there are fewer.

    With the same seed, a smaller sample is part of every larger one, and the order of the candidates does not matter.
    """
    shuffled = sorted(candidates)
    Random(seed).shuffle(shuffled)  # noqa: S311
    return shuffled[:size]


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences of two lists; `rescored` has pairs of entries for the words whose scores differ."""

    only_first: list[Entry]
    only_second: list[Entry]
    rescored: list[tuple[Entry, Entry]]
    same: int


def difference(first: Lexicon, second: Lexicon) -> Difference:
    """Return the differences of two lexicons, which do not include spellings."""
    ones, others = ({entry.word: entry for entry in entries(each)} for each in (first, second))
    both = [(entry, others[word]) for word, entry in ones.items() if word in others]
    rescored = [(one, other) for one, other in both if one.score != other.score]
    return Difference(
        only_first=[entry for word, entry in ones.items() if word not in others],
        only_second=[entry for word, entry in others.items() if word not in ones],
        rescored=rescored,
        same=len(both) - len(rescored),
    )
