"""The synonyms in a MyThes thesaurus, as LibreOffice has them; the format is that of its `data_layout.txt`.

The `.dat` file is read alone: the `.idx` file beside it says no more than where each entry begins.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from cpfill.budgets import MAX_LIST_BYTES
from cpfill.errors import Fault, InputError
from cpfill.sources import display_name, read_bytes

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from pathlib import Path

    from cpfill.alphabet import Alphabet

_ENTRY = re.compile(r"(?P<word>[^|]*)\|(?P<meanings>[0-9]{1,6})\s*")
_OPPOSITE = "antonym"


def find_synonyms(path: Path, words: Container[str], alphabet: Alphabet) -> dict[str, list[str]]:
    """Return the synonyms of the folded words that a thesaurus has; antonyms are left out.

    Raises:
        InputError: the file is missing, damaged, or in an unknown encoding.
    """
    found: dict[str, list[str]] = {}
    for entry, meanings in _read_entries(path):
        word = alphabet.fold(entry)
        if word in words:
            found.setdefault(word, []).extend(each for meaning in meanings for each in _list_synonyms(meaning))
    return found


def _read_entries(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each entry with its meanings: a line `word|count`, then `count` lines `(part of speech)|synonym|...`."""
    lines = _read_lines(path)
    at = 1
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        entry = _ENTRY.fullmatch(lines[at])
        if entry is None:
            raise InputError(
                Fault("an entry of a thesaurus: word|meanings", f"'{lines[at]}'", display_name(path), at + 1)
            )
        end = at + 1 + int(entry["meanings"])
        if end > len(lines):
            raise InputError(
                Fault(f"{entry['meanings']} meanings", f"the end behind '{lines[at]}'", display_name(path), at + 1)
            )
        yield entry["word"], lines[at + 1 : end]
        at = end


def _read_lines(path: Path) -> list[str]:
    """Return the lines of a file whose first one names its encoding."""
    data = read_bytes(path, most=MAX_LIST_BYTES)
    first = data.partition(b"\n")[0].decode("latin-1").strip()
    encoding = first.removeprefix("microsoft-")
    try:
        codecs.lookup(encoding)  # an empty file would be text in any
        return data.decode(encoding).replace("\r", "").split("\n")
    except (LookupError, ValueError):
        raise InputError(Fault("a thesaurus that begins with its encoding", f"'{first}'", display_name(path))) from None


def _list_synonyms(meaning: str) -> Iterator[str]:
    for written in meaning.split("|")[1:]:
        synonym, opened, behind = written.rstrip().rpartition(" (")
        note, closed, rest = behind.partition(")")
        if not (opened and closed) or rest:
            yield written
        elif note != _OPPOSITE:
            yield synonym
