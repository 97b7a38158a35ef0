"""The lexicons of a process that answers many jobs: each list is read once, each union of lists indexed once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cpfill.batch.terms import digest
from cpfill.budgets import MAX_LIST_BYTES
from cpfill.errors import Fault, LexiconError
from cpfill.lexicon.lexicon import Lexicon
from cpfill.lexicon.wordlist import DEFAULT_SCORE, THEME_SCORE, WordList, parse_word_list, read_word_list
from cpfill.sources import read_text

if TYPE_CHECKING:
    from cpfill.alphabet import Alphabet
    from cpfill.batch.terms import ListFile, Terms

_LISTS = 32
"""So many lists are kept; a list of a million words takes some 20 MB."""

_LEXICONS = 8
"""So many lexicons are kept; the index of a large one takes some 100 MB."""


def theme_of(terms: Terms) -> dict[str, float]:
    """Return the weight of each theme word, folded.

    Raises:
        LexiconError: the list cannot be read.
    """
    if terms.theme is None:
        return {}
    return _word_list(terms.theme, terms.letters, THEME_SCORE).weights


def lexicon_of(terms: Terms) -> Lexicon:
    """Return the lexicon of a job; theme words and required words that no list has are added.

    Raises:
        InputError: a list cannot be read, or a word is asked for and excluded.
    """
    lexicon = _lexicon(terms.lists, terms.weighted, terms.exclude, terms.letters)
    return lexicon.including(terms.rules.required.union(theme_of(terms)))


@lru_cache(_LEXICONS)
def _lexicon(
    lists: tuple[ListFile, ...], weighted: ListFile | None, exclude: tuple[ListFile, ...], alphabet: Alphabet
) -> Lexicon:
    read = [_word_list(one, alphabet) for one in lists]
    scored = _word_list(weighted, alphabet) if weighted else None
    excluded = frozenset[str]().union(*(_word_list(one, alphabet).words for one in exclude))
    return Lexicon.of_lists(read, scored, alphabet, exclude=excluded)


@lru_cache(_LISTS)
def _word_list(one: ListFile, alphabet: Alphabet, default_score: float = DEFAULT_SCORE) -> WordList:
    if not one.digest:
        return read_word_list(one.name, alphabet, default_score=default_score)
    text = read_text(one.name, LexiconError, MAX_LIST_BYTES)
    # A process, perhaps on another machine, that has another list than the others would answer another question.
    if digest(text) != one.digest:
        raise LexiconError(Fault("the list as it was when the job was made", "another text", one.name))
    return parse_word_list(text, one.name, alphabet, default_score=default_score)
