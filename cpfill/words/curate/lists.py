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
    from collections.abc import Collection, Iterable, Mapping, Sequence

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
    if len(lists) < 2:
        return list(lists)
    longest = max(lists, key=lambda one: len(one.words))
    known = dict(longest.packed.list_scores())
    most = max(known.values(), default=0)
    calibrated = []
    for one in lists:
        common = []
        if one is not longest:
            common = [(score, known[word]) for word, score in one.packed.list_scores() if score and known.get(word)]
        if len(common) < COMMON:
            calibrated.append(one)
            continue
        by = _fit(longest.name, common)
        moves = len(by.scores) == 1 or _measure_move(by, common) > APART * most
        calibrated.append(one.moved(by) if moves else one)
    return calibrated


def _measure_move(by: Calibration, common: Collection[tuple[float, float]]) -> float:
    """Return the average by which a calibration moves the score of a common word."""
    return fmean(abs(by.move(score) - score) for score, _ in common)


def _fit(onto: str, common: Collection[tuple[float, float]]) -> Calibration:
    """Return the calibration that fits best, by least squares, the pairs of scores in both lists."""
    wanted: dict[float, list[float]] = defaultdict(list)
    for score, other in common:
        wanted[score].append(other)
    pools: list[tuple[float, int, list[float]]] = []  # the sum of the scores wanted, their number, the scores
    for score in sorted(wanted):
        total = sum(wanted[score])
        number = len(wanted[score])
        scores = [score]
        while pools and pools[-1][0] / pools[-1][1] >= total / number:
            before = pools.pop()
            total += before[0]
            number += before[1]
            scores = before[2] + scores
        pools.append((total, number, scores))
    moved: list[tuple[float, float]] = []
    for total, number, scores in pools:
        mean = round_score(total / number)
        moved += [(score, mean) for score in scores]
    return Calibration(onto, len(common), tuple(moved))


def merge_lists(lists: Sequence[WordList], *, first_wins: bool = False) -> list[Entry]:
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
        letters = frozenset(self.letters)
        return [entry for entry in candidates if self._fits(entry, letters)]

    def _fits(self, entry: Entry, letters: frozenset[str]) -> bool:
        if not self.min_length <= len(entry.word) <= self.max_length:
            return False
        if not self.min_score <= entry.score <= self.max_score:
            return False
        if letters and not letters.issuperset(entry.word):
            return False
        return self.pattern is None or self.pattern.matches(entry.word)


def sample_words(candidates: Iterable[Entry], size: int, seed: int = 0) -> list[Entry]:
    """Return `size` random entries, or all of them if there are fewer.

    With the same seed, a smaller sample is part of every larger one, and the order of the candidates does not matter.
    """
    shuffled = sorted(candidates)
    Random(seed).shuffle(shuffled)  # noqa: S311
    return shuffled[:size]


@dataclass(frozen=True, slots=True)
class ListDifference:
    """The differences of two lists; `rescored` has pairs of entries for the words whose scores differ."""

    only_first: list[Entry]
    only_second: list[Entry]
    rescored: list[tuple[Entry, Entry]]
    same: int


def difference(first: Lexicon, second: Lexicon) -> ListDifference:
    """Return the differences of two lexicons, which do not include spellings."""
    ones = {entry.word: entry for entry in entries(first)}
    others = {entry.word: entry for entry in entries(second)}
    both = [word for word in ones if word in others]
    changed = [word for word in both if ones[word].score != others[word].score]
    return ListDifference(
        only_first=_leave_out(ones, others),
        only_second=_leave_out(others, ones),
        rescored=[(ones[word], others[word]) for word in changed],
        same=len(both) - len(changed),
    )


def _leave_out(ones: Mapping[str, Entry], others: Collection[str]) -> list[Entry]:
    """Return the entries of words that are not among others."""
    return [entry for word, entry in ones.items() if word not in others]
