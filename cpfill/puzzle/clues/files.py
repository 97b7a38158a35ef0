"""Files of clues: the word, a tab, semicolon or comma, and the clue in each line, or a table with such columns.

Commas are separators only if some line of the file has a comma, but neither a tab nor a semicolon. The first line is
the heads of a table if it names both columns.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_LIST_BYTES, MAX_TEXT, expected
from cpfill.base.files import display_name, read_text
from cpfill.base.texts import hear, say
from cpfill.puzzle.parts import clean

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

_SEPARATOR = re.compile(r"[\t;]")
_OR_COMMA = re.compile(r"[\t;,]")
_HEADS = (
    {"ANSWER", "WORD", "WORDS", "TERM", "ENTRY", "MOT", "MOTS", "REPONSE", "TERME", "WORT", "PALABRA"},
    {"CLUE", "CLUES", "DEFINITION", "HINT", "QUESTION", "DESCRIPTION", "INDICE", "HINWEIS", "FRAGE", "PISTA"},
)
"""The heads of the column of words, and of that of clues, folded."""


@dataclass(frozen=True)
class ClueCollection:
    """The clues of each word, in their order: no duplicates, each on one line; at least one, but in a vocabulary.

    Words are folded onto `alphabet`, but may have characters outside it, as the answers of a puzzle may.
    """

    words: Mapping[str, tuple[str, ...]]
    alphabet: Alphabet = field(default_factory=Alphabet)


def read_clues(
    path: str | os.PathLike[str], alphabet: Alphabet | None = None, *, vocabulary: bool = False
) -> ClueCollection:
    """Return the clues in a file, or in standard input (`-`); `vocabulary` as for `parse_clues`."""
    return parse_clues(read_text(path, most=MAX_LIST_BYTES), display_name(path), alphabet, vocabulary=vocabulary)


def parse_clues(
    text: str, name: str = "clues", alphabet: Alphabet | None = None, *, vocabulary: bool = False
) -> ClueCollection:
    """Return the clues in a text; a word with several lines has several clues. `#` begins a comment line.

    A text that begins with column heads, with `answer` and `clue` or their like among them, is read as a table. Under
    `answer`, the head of a puzzle's own table, rows without a clue or with an incomplete answer (`?`) are left out.
    In a `vocabulary` words are over the alphabet, and a word may stand without a clue.
    """
    alphabet = alphabet or Alphabet()
    lines = text.split("\n")
    words: dict[str, dict[str, None]] = {}
    for number, written, said in _read_rows(lines, name):
        word = alphabet.fold(written)
        clue = clean(said or "")
        if not word or not (clue or vocabulary):
            got = _describe_missing(word, written, said)
            raise expected("WORD, a tab, semicolon or comma, and its clue", got, name, number)
        if vocabulary and alphabet.foreign(word):
            got = f"'{written.strip()}'"
            raise expected("a word over the alphabet {letters}", got, name, number, letters=alphabet.letters)
        if len(clue) > MAX_TEXT:
            raise expected("a clue of at most {most} characters", f"{len(clue)}", name, number, most=MAX_TEXT)
        clues = words.setdefault(word, {})
        if clue:
            clues[clue] = None
    return ClueCollection({word: tuple(each) for word, each in words.items()}, alphabet)


def _describe_missing(word: str, written: str, said: str | None) -> str:
    """Return the reason that a line has no word or no clue."""
    if said is None:
        return say("no tab, semicolon or comma")
    if word:
        return say("no clue")
    return say("'{written}', without letters", written=written.strip())


def _read_rows(lines: list[str], name: str) -> Iterator[tuple[int, str, str | None]]:
    """Yield the number, the word and the clue of each line, or of each row of a table."""
    start = next((index for index, line in enumerate(lines) if _has_clue(line)), 0)
    fold = Alphabet().fold
    for separator in "\t;,":
        heads = [*map(fold, lines[start].split(separator))]
        word, clue = (next((head for head in heads if head in known), "") for known in _HEADS)
        if word and clue:
            yield from _Table(heads, word, clue, separator, start + 2).read(lines[start + 1 :], name)
            return
    yield from _split_lines(lines)


def _split_lines(lines: list[str]) -> Iterator[tuple[int, str, str | None]]:
    """Yield the number of each line, its word, and its clue, or `None` if nothing separates the two."""
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if _has_clue(line)]
    separator = _SEPARATOR
    if any("," in line and not _SEPARATOR.search(line) for _, line in numbered):
        separator = _OR_COMMA
    for number, line in numbered:
        written, *rest = separator.split(line, maxsplit=1)
        said = rest[0] if rest else None
        if said and separator is _OR_COMMA:
            said = _unquote(said)
        yield number, written, said


def _has_clue(line: str) -> bool:
    """Return whether a line is neither blank nor a comment."""
    text = line.strip()
    return text != "" and not text.startswith("#")


def _unquote(said: str) -> str:
    """Return a clue without the quotation marks of CSV, unless it is too long for the reader of CSV."""
    if not said.startswith('"') or len(said) > csv.field_size_limit():
        return said
    fields = next(csv.reader([said]))
    if len(fields) == 1:
        return fields[0]
    return said


class _Table(NamedTuple):
    """The heads of a table, those of its words and clues, its separator, and the line after its heads."""

    heads: list[str]
    word: str
    clue: str
    separator: str
    first: int

    def read(self, lines: list[str], name: str) -> Iterator[tuple[int, str, str | None]]:
        """Yield the number, the word and the clue of each row."""
        rows = csv.DictReader((f"{line}\n" for line in lines), self.heads, restval="", delimiter=self.separator)
        try:
            for row in rows:
                word, clue = row[self.word], row[self.clue]
                if self.heads[-1] == self.clue:  # which may have separators of its own
                    clue = self.separator.join([clue, *row.get(None, [])])
                if self._counts(word, clue):
                    yield rows.line_num + self.first - 1, word, clue
        except csv.Error as exc:
            # The reader has not counted the bad line yet.
            raise expected("a CSV table", hear(str(exc)), name, rows.line_num + self.first) from None

    def _counts(self, word: str, clue: str) -> bool:
        """Return whether a row is to be read: one that is not empty and, of a puzzle, is complete."""
        if self.word == "ANSWER":
            return word != "" and clue != "" and "?" not in word
        return (word + clue).strip(f" {self.separator}") != ""


def write_clues(clues: ClueCollection) -> str:
    """Return the text of a file that `parse_clues` reads back."""
    lines: list[str] = []
    for word, each in clues.words.items():
        lines += [f"{word}\t{clue}\n" for clue in each]
    return "".join(lines)
