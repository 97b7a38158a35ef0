"""The entries of a lexicon, and the files of entries that `read_word_list` reads."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cpfill.words.wordlist import format_decimal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cpfill.words.lexicon import Lexicon


class Entry(NamedTuple):
    """A folded word, its score, and its spelling in its list."""

    word: str
    score: float
    spelling: str


def entries(lexicon: Lexicon) -> list[Entry]:
    """Return the words of a lexicon, shortest first, each length best score first."""
    return [entry for length in lexicon.lengths for entry in entries_of(lexicon, length)]


def entries_of(lexicon: Lexicon, length: int) -> list[Entry]:
    """Return the words of one length, best score first."""
    table = lexicon.table(length)
    return list(map(Entry, table.words, table.scores, table.spellings))


class Format(StrEnum):
    """The format of a list."""

    SCORED = "scored"
    """`WORD;SCORE`."""
    TSV = "tsv"
    """`WORD<TAB>SCORE`."""
    PLAIN = "plain"
    """One word per line, without scores."""


class Order(StrEnum):
    """The order of the words."""

    SCORE = "score"
    """Best score first, then alphabetical."""
    WORD = "word"
    """Alphabetical."""


# A spelling without a score must not look like a word and its score.
_LOOKS_SCORED = re.compile(r",|\s[-+]")


def write_entries(entries: Iterable[Entry], form: Format = Format.SCORED, order: Order = Order.SCORE) -> str:
    """Return the text of a list; words keep the spelling of their list."""
    if order is Order.SCORE:
        ordered = sorted(entries, key=lambda entry: (-entry.score, entry.word))
    else:
        ordered = sorted(entries, key=lambda entry: entry.word)
    if form is Format.PLAIN:
        return "".join(f"{word if _LOOKS_SCORED.search(spelt) else spelt}\n" for word, _, spelt in ordered)
    separator = "\t"
    if form is Format.SCORED:
        separator = ";"
    spelt = ((word if ";" in spelling else spelling, score) for word, score, spelling in ordered)  # `;` ends a word
    return "".join(f"{spelling}{separator}{format_decimal(score)}\n" for spelling, score in spelt)
