"""The definitions in a WordNet database; the manual page wndb(5WN) of WordNet 3.0 defines the format."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_LIST_BYTES, Fault, InputError
from cpfill.base.files import decode, read_bytes
from cpfill.base.texts import say
from cpfill.puzzle.clues.index import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cpfill.base.alphabet import Alphabet

_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
# At least six fields precede the senses of a lemma: lemma, pos and four counts; pointer symbols come on top.
_FIELDS_BEFORE = 6
_COUNT = re.compile(r"[0-9]{1,5}")
_OFFSET = re.compile(r"[0-9]{8}")
_EXAMPLES = re.compile(r'[;:]\s*"')


def list_files(directory: Path) -> list[Path]:
    """Return the files of the database in a directory."""
    return [directory / f"{kind}.{part}" for part in _PARTS_OF_SPEECH for kind in ("index", "data")]


def read_definitions(directory: Path, alphabet: Alphabet) -> Callable[[str], list[str]]:
    """Return a function that finds the definitions of a folded word in the database of a directory, commonest first.

    The whole database is loaded and its lemmas are indexed. It has only base forms, so plurals are not found.

    Raises:
        InputError: a file of the database is missing. The function raises it if the data of a word is damaged.
    """
    parts = [_Part(directory, name, alphabet) for name in _PARTS_OF_SPEECH]

    def find(word: str) -> list[str]:
        return [definition for part in parts for definition in part.find(word)]

    return find


class _Part:
    """A part of speech: the lines of its index, by their folded lemmas, and its data.

    A line is `lemma pos synset_cnt p_cnt ptr_symbol... sense_cnt tagsense_cnt synset_offset...`; lines that begin with
    a blank are the licence.
    """

    def __init__(self, directory: Path, name: str, alphabet: Alphabet) -> None:
        self._index_at, self._data_at = directory / f"index.{name}", directory / f"data.{name}"
        self._data = read_bytes(self._data_at, most=MAX_LIST_BYTES)
        index = decode(read_bytes(self._index_at, most=MAX_LIST_BYTES), str(self._index_at))
        self._lines = index.split("\n")
        self._at = Index((alphabet.fold(line.partition(" ")[0]), at) for at, line in enumerate(self._lines))

    def find(self, word: str) -> Iterator[str]:
        """Yield the definitions of a folded word."""
        for at in self._at.find(word):
            fields = (line := self._lines[at]).split()
            count = int(fields[2]) if len(fields) > _FIELDS_BEFORE and _COUNT.fullmatch(fields[2]) else 0
            if not 0 < count <= len(fields) - _FIELDS_BEFORE:
                raise InputError(Fault(say("a line of a WordNet index"), f"'{line}'", str(self._index_at), at + 1))
            for offset in fields[-count:]:
                if definition := _cut_definition(_read_synset(self._data, offset, self._data_at)):
                    yield definition


def _read_synset(data: bytes, offset: str, path: Path) -> str:
    """Return the line of a synset, which begins with its own offset."""
    start = int(offset) if _OFFSET.fullmatch(offset) else len(data)
    line = data[start : max(data.find(b"\n", start), start)].decode("utf-8", "replace")
    if not line.startswith(f"{offset} "):
        expected = say("a synset at byte {offset}, where the index places it", offset=f"{offset:.20}")
        raise InputError(Fault(expected, say("none"), str(path)))
    return line


def _cut_definition(synset: str) -> str:
    """Return the definition in a synset: its gloss without the quoted examples that follow it.

    If the rest still has a quotation mark, a quotation and an example cannot be distinguished, and the definition is
    empty.
    """
    definition = _EXAMPLES.split(synset.partition("|")[2], maxsplit=1)[0].strip(" ;:")
    return "" if '"' in definition else definition
