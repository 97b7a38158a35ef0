"""A dictionary as lines of a headword, a tab, and its definitions with ` | ` between them; plain text or gzip.

The packages of the extra `clues` have such files: Open English WordNet, and the French Wiktionary.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_LIST_BYTES, expected
from cpfill.base.files import decode, display_name, read_bytes
from cpfill.puzzle.clues import english, french
from cpfill.puzzle.clues.wording import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cpfill.base.alphabet import Alphabet

GRAMMARS = {"en": english, "fr": french}
"""The languages of which forms are known."""

BETWEEN = " | "
"""The sign between two definitions of a word."""

_ALIKE = 5
"""The fewest first letters that two related words share."""


def read_definitions(path: Path, language: str, alphabet: Alphabet) -> Callable[[str], list[str]]:
    """Return a function that finds the clues of a folded word: those of the word, then those of its headwords.

    The whole dictionary is loaded and its headwords are indexed. Definitions that a clue cannot be made of are left
    out, as are those with a part of their word.
    """
    text = decode(read_bytes(path, most=MAX_LIST_BYTES), display_name(path))
    lines = text.rstrip("\n").split("\n")
    at: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        head, tab, _ = line.partition("\t")
        if not tab:
            raise expected("a word, a tab and its definitions", f"'{line:.40}'", display_name(path), number + 1)
        at.setdefault(alphabet.fold(head), []).append(number)
    grammar = GRAMMARS[language]

    def list_clues(word: str) -> Iterator[str]:
        for number in at.get(word, ()):
            head, _, definitions = lines[number].partition("\t")
            for definition in definitions.split(BETWEEN):
                clue = cut(definition, language)
                if clue and not is_related(clue, head, alphabet):
                    yield clue

    def list_reworded(word: str) -> Iterator[str]:
        told = set()
        for head, form in grammar.list_forms(word):
            if head == word or head not in at or (head, form.group) in told:
                continue
            told.add((head, form.group))
            for clue in list_clues(head):
                yield grammar.reword(clue, form)

    def find(word: str) -> list[str]:
        return [clue for clue in chain(list_clues(word), list_reworded(word)) if clue]

    return find


def is_related(clue: str, headword: str, alphabet: Alphabet) -> bool:
    """Return whether a word of a clue is, or seems to be derived from, a longer word of its headword."""
    parts = _split(headword, alphabet)
    for token in _split(clue, alphabet):
        for part in parts:
            if _share_stem(token, part):
                return True
    return False


def _split(text: str, alphabet: Alphabet) -> list[str]:
    """Return the words of a text that have four letters or more, folded."""
    return [word for word in map(alphabet.fold, re.findall(r"[^\W_]+", text)) if len(word) > 3]


def _share_stem(one: str, other: str) -> bool:
    """Return whether two words are the same, or begin alike for two thirds of the shorter one."""
    shorter = min(len(one), len(other))
    alike = shorter
    for at in range(shorter):
        if one[at] != other[at]:
            alike = at
            break
    return one == other or (alike >= _ALIKE and 3 * alike >= 2 * shorter)
