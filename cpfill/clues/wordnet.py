"""The definitions in a WordNet database, whose format is that of the manual page wndb(5WN) of WordNet 3.0."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cpfill.budgets import MAX_LIST_BYTES
from cpfill.errors import Fault, InputError
from cpfill.sources import decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from pathlib import Path

    from cpfill.alphabet import Alphabet

_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
# What stands before the senses of a lemma: itself, its part of speech, four counts, and no pointer symbol.
_FIELDS_BEFORE = 6
_COUNT = re.compile(r"[0-9]{1,5}")
_OFFSET = re.compile(r"[0-9]{8}")
_EXAMPLES = re.compile(r'[;:]\s*"')


def find_definitions(directory: Path, words: Container[str], alphabet: Alphabet) -> dict[str, list[str]]:
    """Return the definitions of the folded words that the database in a directory has, the commonest sense first.

    Only base forms stand there: no plural is looked up as its singular.

    Raises:
        InputError: a file of the database is missing, or damaged.
    """
    found: dict[str, list[str]] = {}
    for part in _PARTS_OF_SPEECH:
        path = directory / f"data.{part}"
        data = read_bytes(path, most=MAX_LIST_BYTES)
        for word, offset in _find_senses(directory / f"index.{part}", words, alphabet):
            if definition := _cut_definition(_read_synset(data, offset, path)):
                found.setdefault(word, []).append(definition)
    return found


def _find_senses(path: Path, words: Container[str], alphabet: Alphabet) -> Iterator[tuple[str, str]]:
    """Yield from an index the folded lemmas that are wanted, with the offset of each of their senses in the data.

    A line is `lemma pos synset_cnt p_cnt ptr_symbol... sense_cnt tagsense_cnt synset_offset...`; what begins with a
    blank is the licence.
    """
    for number, line in enumerate(decode(read_bytes(path, most=MAX_LIST_BYTES), str(path)).split("\n"), start=1):
        lemma = line.partition(" ")[0]
        word = alphabet.fold(lemma)
        if word not in words:
            continue
        fields = line.split()
        count = int(fields[2]) if len(fields) > _FIELDS_BEFORE and _COUNT.fullmatch(fields[2]) else 0
        if not 0 < count <= len(fields) - _FIELDS_BEFORE:
            raise InputError(Fault("a line of a WordNet index", f"'{line}'", str(path), number))
        for offset in fields[-count:]:
            yield word, offset


def _read_synset(data: bytes, offset: str, path: Path) -> str:
    """Return the line of a synset, which begins with its own offset."""
    start = int(offset) if _OFFSET.fullmatch(offset) else len(data)
    line = data[start : max(data.find(b"\n", start), start)].decode("utf-8", "replace")
    if not line.startswith(f"{offset} "):
        raise InputError(Fault(f"a synset at byte {offset}, as the index has it", "none", str(path)))
    return line


def _cut_definition(synset: str) -> str:
    """Return the definition in a synset: its gloss without the quoted examples behind it.

    Where a quotation stands anywhere else, it cannot be told from an example, and there is none.
    """
    definition = _EXAMPLES.split(synset.partition("|")[2], maxsplit=1)[0].strip(" ;:")
    return "" if '"' in definition else definition
