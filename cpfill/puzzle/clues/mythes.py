"""The synonyms in a MyThes thesaurus, as LibreOffice uses them; its `data_layout.txt` defines the format.

Only the `.dat` file is read, because the `.idx` file beside it merely lists where each entry begins.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_LIST_BYTES, Fault, InputError
from cpfill.base.files import display_name, read_bytes
from cpfill.base.texts import say
from cpfill.puzzle.clues.index import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cpfill.base.alphabet import Alphabet

_ENTRY = re.compile(r"[^|]*\|[0-9]{1,6}\s*")
_OPPOSITE = "antonym"


def read_synonyms(path: Path, alphabet: Alphabet) -> Callable[[str], list[str]]:
    """Return a function that finds the synonyms of a folded word in a thesaurus; antonyms are left out.

    The whole thesaurus is loaded and its entries are indexed.

    Raises:
        InputError: the file is missing, damaged, or in an unknown encoding.
    """
    lines = _read_lines(path)
    index = Index((alphabet.fold(entry), at) for entry, at in _find_entries(lines, path))

    def find(word: str) -> list[str]:
        meanings = (lines[at + 1 : _end_of_entry(lines, at)] for at in index.find(word))
        return [each for those in meanings for meaning in those for each in _list_synonyms(meaning)]

    return find


def _find_entries(lines: list[str], path: Path) -> Iterator[tuple[str, int]]:
    """Yield each entry and its line, `word|count`; `count` lines `(part of speech)|synonym|...` must follow."""
    at = 1
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        if _ENTRY.fullmatch(lines[at]) is None:
            raise InputError(
                Fault(say("an entry of a thesaurus: word|meanings"), f"'{lines[at]}'", display_name(path), at + 1)
            )
        word, _, meanings = lines[at].partition("|")
        end = _end_of_entry(lines, at)
        if end > len(lines):
            raise InputError(
                Fault(
                    say("{meanings} meanings", meanings=int(meanings)),
                    say("the end after '{lines}'", lines=lines[at]),
                    display_name(path),
                    at + 1,
                )
            )
        yield word, at
        at = end


def _end_of_entry(lines: list[str], at: int) -> int:
    """Return the line after the meanings of the entry on line `at`."""
    return at + 1 + int(lines[at].partition("|")[2])


def _read_lines(path: Path) -> list[str]:
    """Return the lines of a file whose first line names its encoding."""
    data = read_bytes(path, most=MAX_LIST_BYTES)
    first = data.partition(b"\n")[0].decode("latin-1").strip()
    encoding = first.removeprefix("microsoft-")
    try:
        codecs.lookup(encoding)  # decoding an empty file would accept any name
        return data.decode(encoding).replace("\r", "").split("\n")
    except (LookupError, ValueError):
        raise InputError(
            Fault(say("a thesaurus that begins with its encoding"), f"'{first}'", display_name(path))
        ) from None


def _list_synonyms(meaning: str) -> Iterator[str]:
    for written in meaning.split("|")[1:]:
        synonym, opened, behind = written.rstrip().rpartition(" (")
        note, closed, rest = behind.partition(")")
        if not (opened and closed) or rest:
            yield written
        elif note != _OPPOSITE:
            yield synonym
