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
from cpfill.puzzle.clues.wording import cut, read_wording

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from cpfill.base.alphabet import Alphabet

GRAMMARS = {"en": (english, "english.toml"), "fr": (french, "french.toml")}
"""The languages of which forms are known."""

BETWEEN = " | "
"""The sign between two definitions of a word."""

_ALIKE = 5
"""The fewest first letters that two related words share."""

_LONG = 4
"""The fewest letters of a word that gives another away."""


class Definitions:
    """The definitions of a language by headword, and the clues that they make.

    The whole dictionary is loaded and its headwords are indexed.
    """

    def __init__(self, path: Path, language: str, alphabet: Alphabet) -> None:
        self._alphabet = alphabet
        self._grammar, file = GRAMMARS[language]
        self._wording = read_wording(file)
        text = decode(read_bytes(path, most=MAX_LIST_BYTES), display_name(path))
        self._lines = text.rstrip("\n").split("\n")
        self._at: dict[str, list[int]] = {}
        for at, line in enumerate(self._lines):
            head, tab, _ = line.partition("\t")
            if not tab:
                raise expected("a word, a tab and its definitions", f"'{line:.40}'", display_name(path), at + 1)
            self._at.setdefault(alphabet.fold(head), []).append(at)

    def find(self, word: str) -> list[str]:
        """Return the clues of a folded word, then those of its headwords in its form."""
        return list(chain(self._list_clues(word), self._list_reworded(word)))

    def reduce(self, words: Collection[str], most: int) -> str:
        """Return a dictionary of the headwords that are among some folded words, each with at most `most` clues."""
        kept = []
        for word in self._at.keys() & words:
            for head, clues in self._cut_lines(word):
                if clues:
                    kept.append(f"{head}\t{BETWEEN.join(clues[:most])}\n")
        return "".join(sorted(kept))

    def _list_clues(self, word: str) -> list[str]:
        """Return the clues of a headword; names come after other words."""
        return [clue for _, clues in self._cut_lines(word) for clue in clues]

    def _cut_lines(self, word: str) -> Iterator[tuple[str, list[str]]]:
        """Yield the spellings of a folded headword, names last, each with its clues by rank."""
        lines = [self._lines[at] for at in self._at.get(word, ())]
        for line in sorted(lines, key=lambda line: line[0].isupper()):
            head, _, definitions = line.partition("\t")
            found = [cut(definition, self._wording) for definition in definitions.split(BETWEEN)]
            clues = [clue for clue in found if clue.text and not self._gives_away(clue.text, head)]
            yield head, [clue.text for clue in sorted(clues, key=lambda clue: clue.rank)]

    def _gives_away(self, clue: str, headword: str) -> bool:
        """Return whether a clue has a word related to its headword, or a form of it."""
        if is_related(clue, headword, self._alphabet):
            return True
        word = self._alphabet.fold(headword)
        for token in map(self._alphabet.fold, re.findall(r"[^\W_]+", clue)):
            if not token.startswith(word):
                continue
            if token == word or any(word == head for head, _ in self._grammar.list_forms(token)):
                return True
        return False

    def _list_reworded(self, word: str) -> Iterator[str]:
        told = set()
        for head, form in self._grammar.list_forms(word):
            if head == word or (head, form.group) in told:
                continue
            told.add((head, form.group))
            reworded = (self._grammar.reword(clue, form) for clue in self._list_clues(head))
            yield from filter(None, reworded)


def is_related(clue: str, headword: str, alphabet: Alphabet) -> bool:
    """Return whether a word of a clue is, or seems to be derived from, a longer word of its headword."""
    parts = _split(headword, alphabet)
    for token in _split(clue, alphabet):
        for part in parts:
            if _share_stem(token, part):
                return True
    return False


def _split(text: str, alphabet: Alphabet) -> list[str]:
    """Return the long words of a text, folded."""
    return [word for word in map(alphabet.fold, re.findall(r"[^\W_]+", text)) if len(word) >= _LONG]


def _share_stem(one: str, other: str) -> bool:
    """Return whether two words are the same, or begin alike for two thirds of the shorter one."""
    shorter = min(len(one), len(other))
    alike = shorter
    for at in range(shorter):
        if one[at] != other[at]:
            alike = at
            break
    return one == other or (alike >= _ALIKE and 3 * alike >= 2 * shorter)
