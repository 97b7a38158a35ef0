"""Lists merged, filtered, sampled, and compared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from cpfill.words.curate.entry import Entry, entries
from cpfill.words.lexicon import Lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.words.curate.pattern import Pattern
    from cpfill.words.wordlist import WordList


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
