"""A dictionary as lines of a headword, a tab, and its definitions with ` | ` between them; plain text or gzip.

The packages of the extra `clues` have such files: Open English WordNet, and the French Wiktionary.
"""

from __future__ import annotations

import json
import re
from enum import IntEnum
from itertools import chain
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_LIST_BYTES, expected
from cpfill.base.files import decode, display_name, read_bytes
from cpfill.base.texts import say
from cpfill.puzzle.clues import english, french
from cpfill.puzzle.clues.wording import Cut, cut, read_wording

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from cpfill.base.alphabet import Alphabet

GRAMMARS = {"en": (english, "english.toml"), "fr": (french, "french.toml")}
"""The languages of which forms are known."""

BETWEEN = " | "
"""The sign between two definitions of a word."""

_ALIKE = 5
"""The fewest first letters that two related words share."""

_ENDING = 2
"""The most letters of an ending behind a whole word."""

_POOR = 4
"""What the rank of a clue with some words of its phrase grows by."""

_LONG = 4
"""The fewest letters of a word that gives another away."""


class Definitions:
    """The definitions of a language by headword, and the clues that they make.

    The whole dictionary is loaded and its headwords are indexed.
    """

    def __init__(self, paths: Iterable[Path], language: str, alphabet: Alphabet) -> None:
        self._alphabet = alphabet
        self._grammar, file = GRAMMARS[language]
        self._wording = read_wording(file)
        self._lines: list[str] = []
        self._at: dict[str, list[int]] = {}
        for path in paths:
            self._read(path)

    def _read(self, path: Path) -> None:
        text = decode(read_bytes(path, most=MAX_LIST_BYTES), display_name(path))
        lines = _list_synonyms(text, display_name(path)) if ".json" in path.suffixes else text.rstrip("\n").split("\n")
        for number, line in enumerate(lines, start=1):
            head, tab, _ = line.partition("\t")
            if not tab:
                raise expected("a word, a tab and its definitions", f"'{line:.40}'", display_name(path), number)
            self._at.setdefault(self._alphabet.fold(head), []).append(len(self._lines))
            self._lines.append(line)

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
            found = [self._cut(definition, head) for definition in definitions.split(BETWEEN)]
            clues = [clue for clue in found if clue.text]
            yield head, [clue.text for clue in sorted(clues, key=lambda clue: clue.rank)]

    def _cut(self, definition: str, head: str) -> Cut:
        """Return the clue of the first part of a definition that has one, else an empty clue.

        A clue with some words of a phrase, but not all, comes after all others.
        """
        last = Cut("")
        for part in definition.split(";"):
            clue = cut(part, self._wording)
            overlap = self._find_overlap(clue.text, head)
            if clue.text and overlap is Overlap.NONE:
                return clue
            if clue.text and overlap is Overlap.SOME and not last.text:
                last = Cut(clue.text, clue.rank + _POOR)
        return last

    def _find_overlap(self, clue: str, headword: str) -> Overlap:
        """Return how far a clue gives its headword away; forms of a short word do, too."""
        word = self._alphabet.fold(headword)
        for token in map(self._alphabet.fold, re.findall(r"[^\W_]+", clue)):
            if not token.startswith(word):
                continue
            if token == word or any(word == head for head, _ in self._grammar.list_forms(token)):
                return Overlap.ALL
        return find_overlap(clue, headword, self._alphabet)

    def _list_reworded(self, word: str) -> Iterator[str]:
        told = set()
        for head, form in self._grammar.list_forms(word):
            if head == word or (head, form.group) in told:
                continue
            told.add((head, form.group))
            reworded = (self._grammar.reword(clue, form) for clue in self._list_clues(head))
            yield from filter(None, reworded)


def _list_synonyms(text: str, name: str) -> list[str]:
    """Return the lines of a JSON object that has the synonyms of each word."""
    try:
        found = json.loads(text)
        return [f"{head}\t{BETWEEN.join(synonyms)}" for head, synonyms in found.items()]
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise expected("an object with arrays of synonyms", say("other text"), name) from None


class Overlap(IntEnum):
    """How many of the longer words of a headword a clue has, or words that seem to be derived from them."""

    NONE = 0
    SOME = 1
    ALL = 2


def find_overlap(clue: str, headword: str, alphabet: Alphabet) -> Overlap:
    """Return how far a clue gives its headword away."""
    parts = _split(headword, alphabet)
    tokens = _split(clue, alphabet)
    shared = [part for part in parts if any(_share_stem(token, part) for token in tokens)]
    if not shared:
        return Overlap.NONE
    if len(shared) == len(parts):
        return Overlap.ALL
    return Overlap.SOME


def _split(text: str, alphabet: Alphabet) -> list[str]:
    """Return the long words of a text, folded."""
    return [word for word in map(alphabet.fold, re.findall(r"[^\W_]+", text)) if len(word) >= _LONG]


def _share_stem(one: str, other: str) -> bool:
    """Return whether two words are the same but for an ending, or begin alike for two thirds of the shorter one."""
    shorter = min(len(one), len(other))
    alike = shorter
    for at in range(shorter):
        if one[at] != other[at]:
            alike = at
            break
    if alike == shorter and abs(len(one) - len(other)) <= _ENDING:
        return True
    return alike >= _ALIKE and 3 * alike >= 2 * shorter
