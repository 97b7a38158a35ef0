"""Data for each language: the values of letters in Scrabble, and the stems of words.

Values are those of the English and the French game. Stems are those of the Snowball stemmers (Porter 2001,
https://snowballstem.org), which cut endings and know hardly any irregular words: RUNS and RUNNING have the stem run,
RAN has not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from cpfill.base.imports import load
from cpfill.base.texts import later
from cpfill.words.lexicon import Lexicon

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.questions.request import Request

_SHORTEST_PART = 3
"""The least length of a part of an entry to have a stem; shorter ones, such as `of` or `de`, are ignored."""

_PART = re.compile(rf"[^\W\d_]{{{_SHORTEST_PART},}}")


@dataclass(frozen=True, slots=True)
class Language:
    """A language.

    Attributes:
        snowball: its name in Snowball.
        values: the Scrabble value of each letter.
    """

    snowball: str
    values: Mapping[str, int]

    def find_stems(self, spelling: str) -> frozenset[str]:
        """Return the stem of each word of an entry, given in its spelling with accents.

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
    module = load("snowballstemmer", "snowballstemmer", later("finding stems"))
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
"""The languages by name; the packaged lists have the same names."""


def guess_language(request: Request) -> str:
    """Return the name of the language of the first packaged list in a request."""
    lists = () if isinstance(request.words, Lexicon) else request.words
    named = (name.partition("-")[0] for name in (*lists, request.weighted) if isinstance(name, str))
    return next((name for name in named if name in LANGUAGES), "en")
