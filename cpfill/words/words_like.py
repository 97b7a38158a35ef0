"""Word lists from any form in which a program has words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from numbers import Number
from typing import TYPE_CHECKING, Any, TypeGuard

from cpfill.base.errors import SCORE, Fault, InputError
from cpfill.base.files import STDIN
from cpfill.base.texts import say
from cpfill.words.wordlist import DEFAULT_SCORE, PACKAGED, WordList, parse_word_list

if TYPE_CHECKING:
    from cpfill.base.alphabet import Alphabet
    from cpfill.words.wordlist import ListSource

_FILE_SUFFIX = re.compile(r"\.[a-z][a-z0-9]{1,3}$", re.ASCII)
"""The end of a file name such as `banned.lst`; initials and abbreviations do not match."""

WordsLike = (
    WordList
    | str
    | os.PathLike[str]
    | Mapping[str, float]
    | Iterable[str | tuple[str, float]]
    | Iterable[str | os.PathLike[str] | WordList]
)
"""A list (a file, a packaged list by name, words, a mapping or pairs of words and scores, a text of several lines), or
several lists."""


def list_sources(
    given: WordsLike | None, alphabet: Alphabet, default_score: float = DEFAULT_SCORE
) -> tuple[ListSource, ...]:
    """Return the lists in `given`: none for `None`, one for a list or words, several for several lists.

    Raises:
        InputError: a score is out of its range, or `given` mixes lists and words.
        TypeError: `given` has neither words nor lists.
    """
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        return () if given is None or given == {} else (list_source(given, alphabet, default_score),)
    parts: list[Any] = list(given)
    if all(_names_a_list(part) for part in parts):
        return tuple(list_source(part, alphabet, default_score) for part in parts)
    for part in parts:
        if isinstance(part, str) and not is_path(part) and _names_a_list(part):
            got = say(
                ("'{part}', which is a list, among words; with scores, as a mapping or pairs, it is a word"), part=part
            )
            raise InputError(Fault(say("words, or lists"), got))
    return (list_source(parts, alphabet, default_score),)


def list_source(given: WordsLike, alphabet: Alphabet, default_score: float = DEFAULT_SCORE) -> ListSource:
    """Return the list in `given`; files are not read yet.

    Raises:
        InputError: a score is out of its range.
        TypeError: `given` is neither words nor a list.
    """
    if isinstance(given, WordList):
        return given
    if isinstance(given, str) and "\n" in given:
        return parse_word_list(given, alphabet=alphabet, default_score=default_score)
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    if not isinstance(given, Iterable):
        raise TypeError(f"expected words, a file, or lists of words; got {given!r:.60}")
    parts: Iterable[Any] = given.items() if isinstance(given, Mapping) else given
    scored = [part if _is_pair(part) else (part, default_score) for part in parts]
    for word, score in scored:
        if not isinstance(word, str) or is_path(word):
            raise TypeError(f"expected words, a file, or lists of words; got {word!r:.60} among them")
        if not isinstance(score, Number):
            raise TypeError(f"expected a number for the score of {word!r:.60}; got {score!r:.60}")
    lines = [f"{_on_a_line(word)}\t{_score(word, score)!r}" for word, score in scored]
    return parse_word_list("\n".join(lines), alphabet=alphabet)


def is_path(name: str) -> bool:
    """Return whether a text must be a path and cannot be a word, whether or not the file exists."""
    return os.sep in name or name.lower().endswith((".txt", ".tsv", ".csv", ".dict", ".gz"))


def is_word(source: object) -> TypeGuard[str]:
    """Return whether a source, which may be a list or a word, is a word: not the name of a list or of any file."""
    if not isinstance(source, str) or source == STDIN or _names_a_list(source):
        return False
    return _FILE_SUFFIX.search(source) is None


def _names_a_list(part: object) -> bool:
    """Return whether a part is a list or the name of one, and so cannot be a word."""
    if isinstance(part, str):
        return part in PACKAGED or is_path(part) or os.path.isfile(part)  # noqa: PTH113 - no error of any name
    return isinstance(part, WordList | os.PathLike)


def _is_pair(part: Any) -> bool:  # noqa: ANN401 - a value of any type
    """Return whether a part is a word with its score."""
    return isinstance(part, tuple | list) and len(part) == 2


def _score(word: str, given: Any) -> float:  # noqa: ANN401 - a number of any type
    try:
        score = float(given)
    except (OverflowError, TypeError, ValueError):
        score = given
    SCORE.check(score, word)
    return score


def _on_a_line(word: str) -> str:
    """Return a word without the signs that have a meaning in word lists; folding would drop them anyway."""
    return " ".join(word.translate({ord(";"): " ", ord("#"): " "}).split())
