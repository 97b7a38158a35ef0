"""What depends on the language of the words: what letters are worth in Scrabble, and the stems of words.

Letters have the values of the English and the French game; stems are those of the Snowball stemmers (Porter 2001,
https://snowballstem.org), which cut endings and know next to no irregular words: RUNS and RUNNING are of the stem run,
RAN is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from cpfill.base.optional_packages import load
from cpfill.words.lexicon import Lexicon

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.questions.request import Request

_SHORTEST_PART = 3
"""Shorter parts of an entry, such as `of` or `de`, are not worth a word."""

_PART = re.compile(rf"[^\W\d_]{{{_SHORTEST_PART},}}")


@dataclass(frozen=True, slots=True)
class Language:
    """A language.

    Attributes:
        snowball: what Snowball calls it.
        values: what each letter is worth in Scrabble.
    """

    snowball: str
    values: Mapping[str, int]

    def find_stems(self, spelling: str) -> frozenset[str]:
        """Return the stems of a word as it is written, with accents; of an entry of several words that of each.

        Raises:
            CpfillError: the stemmers are not installed.
        """
        stemmer = _load_stemmer(self.snowball)
        return frozenset(map(stemmer.stemWord, _PART.findall(spelling.lower())))


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str:  # noqa: N802 - its name there
        """Return the stem of a word in lower case."""
        ...


@cache
def _load_stemmer(language: str) -> _Stemmer:
    module = load("snowballstemmer", "snowballstemmer", "finding stems")
    stemmer: _Stemmer = module.stemmer(language)
    return stemmer


def _value_letters(*worth: tuple[int, str]) -> dict[str, int]:
    return {letter: value for value, letters in worth for letter in letters}


LANGUAGES = {
    "en": Language(
        "english",
        _value_letters((1, "AEILNORSTU"), (2, "DG"), (3, "BCMP"), (4, "FHVWY"), (5, "K"), (8, "JX"), (10, "QZ")),
    ),
    "fr": Language(
        "french",
        _value_letters((1, "AEILNORSTU"), (2, "DGM"), (3, "BCP"), (4, "FHV"), (8, "JQ"), (10, "KWXYZ")),
    ),
}
"""The languages by name, which is also that of the packaged list."""


def guess_language(request: Request) -> str:
    """Return the name of the language of the first packaged list that words are from."""
    lists = () if isinstance(request.words, Lexicon) else request.words
    named = (name.partition("-")[0] for name in (*lists, request.weighted) if isinstance(name, str))
    return next((name for name in named if name in LANGUAGES), "en")
