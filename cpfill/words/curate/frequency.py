"""Scores by frequency, and the words of a text."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.base.alphabet import compose
from cpfill.base.errors import MAX_SIDE
from cpfill.words.curate.entries import Entry
from cpfill.words.wordlist import DEFAULT_SCORE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from cpfill.base.alphabet import Alphabet

NOT_COUNTED = 1
RAREST = 2
COMMONEST = 100

# Letters with apostrophes and hyphens between them. A Romance elision (l', d', qu', jusqu') and the English possessive
# 's are not part of a word.
_APOSTROPHES = "'\u2019"
_HYPHENS = "\u2010-"
_TOKEN = re.compile(rf"[^\W\d_]+(?:[{_APOSTROPHES}{_HYPHENS}][^\W\d_]+)*+")
_ELISION = re.compile(rf"(?:[cdjlmnst]|\w*qu)[{_APOSTROPHES}]", re.IGNORECASE)
_POSSESSIVE = re.compile(rf"[{_APOSTROPHES}]s$", re.IGNORECASE)
_SOFT_HYPHEN = "\u00ad"


def frequency_scores(words: Collection[str], counts: Mapping[str, float]) -> dict[str, float]:
    """Return a score of 1 to 100 for each word, derived from its count.

    With `low` the least of the counts above 0, and `high` the count of the commonest of the words,

        score = 2 + round(98 * log(count / low) / log(high / low))

    so that the rarest word has 2 and the commonest 100: the scale of the packaged lists. A word without a count, or
    with a count of 0, has 1. If all counts are equal, they say nothing, and the words get the default score.
    """
    counted = [counts.get(word, 0) for word in words]
    low = min((count for count in counts.values() if count > 0), default=0)
    high = max(counted, default=0)
    span = 0.0
    if high > low > 0:
        span = math.log(high / low)

    def score(count: float) -> float:
        if count <= 0:
            return NOT_COUNTED
        if not span:
            return DEFAULT_SCORE
        return RAREST + round((COMMONEST - RAREST) * math.log(count / low) / span)

    return {word: score(count) for word, count in zip(words, counted, strict=True)}


def rescored(candidates: Collection[Entry], counts: Mapping[str, float]) -> list[Entry]:
    """Return the same entries with scores by frequency."""
    scores = frequency_scores([entry.word for entry in candidates], counts)
    return [entry._replace(score=scores[entry.word]) for entry in candidates]


@dataclass(frozen=True, slots=True)
class TextWords:
    """The words of a text, scored by frequency.

    Attributes:
        entries: the words that were kept.
        running: the number of words in the text, repetitions included.
        foreign: the number of these that have a character outside the alphabet.
    """

    entries: list[Entry]
    running: int
    foreign: int


def words_of_text(text: str, alphabet: Alphabet, *, min_length: int = 4, min_count: int = 1) -> TextWords:
    """Return the words of a text that have at least `min_length` letters and occur at least `min_count` times.

    A word has its most frequent spelling. In a tie lower case wins, because the capital may be that of a sentence.
    """
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    running = foreign = 0
    for token in tokens(text):
        running += 1
        word = alphabet.fold(token)
        if alphabet.foreign(word):
            foreign += 1
        elif min_length <= len(word) <= MAX_SIDE:
            spellings[word][token] += 1
    counts = {word: found.total() for word, found in spellings.items() if found.total() >= min_count}
    scores = frequency_scores(list(counts), counts)
    kept = [Entry(word, score, _usual(spellings[word])) for word, score in scores.items()]
    return TextWords(kept, running, foreign)


def tokens(text: str) -> Iterator[str]:
    """Yield the words of a text in order, without elided articles before and possessives after them."""
    for match in _TOKEN.finditer(compose(text.replace(_SOFT_HYPHEN, ""))):
        token = match[0]
        start = 0
        elision = _ELISION.match(token)
        while elision:
            start = elision.end()
            elision = _ELISION.match(token, start)
        yield _POSSESSIVE.sub("", token[start:])


def _usual(spellings: Counter[str]) -> str:
    return max(spellings, key=lambda spelling: (spellings[spelling], spelling.islower(), spelling))
