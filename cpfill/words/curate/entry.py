"""A word of a list, with its score and spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
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
