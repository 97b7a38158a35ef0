"""Lists merged, filtered, sampled, and held against each other."""

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

    A word in several lists has its best score, as in a `Lexicon`, or that of the first list that has it.
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
    """What a word must be to stay. Lengths and scores include their ends.

    Attributes:
        letters: the word has no other letter; empty for any.
        pattern: the shape of the word, if one is asked for.
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
    """Return that many entries at random, all of them if there are fewer.

    Under one seed a smaller sample is part of every larger one, and the order of the candidates does not matter.
    """
    shuffled = sorted(candidates)
    Random(seed).shuffle(shuffled)  # noqa: S311
    return shuffled[:size]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two lists held against each other; `rescored` has the words of both whose scores differ, in pairs."""

    only_first: list[Entry]
    only_second: list[Entry]
    rescored: list[tuple[Entry, Entry]]
    same: int


def difference(first: Lexicon, second: Lexicon) -> Difference:
    """Return what tells two lexicons apart. Spellings do not."""
    ones, others = ({entry.word: entry for entry in entries(each)} for each in (first, second))
    both = [(entry, others[word]) for word, entry in ones.items() if word in others]
    rescored = [(one, other) for one, other in both if one.score != other.score]
    return Difference(
        only_first=[entry for word, entry in ones.items() if word not in others],
        only_second=[entry for word, entry in others.items() if word not in ones],
        rescored=rescored,
        same=len(both) - len(rescored),
    )
