"""Large lists kept as they were packed, in the user's cache directory: to load one takes a third of reading it anew.

A list is found by its content and by all else that has a say in how it is read, so nothing that is kept is ever out of
date. It is saved as a whole, with a checksum. Whatever is wrong with what is kept, or with the directory, the list is
read anew: no error comes from here.
"""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from contextlib import suppress
from typing import TYPE_CHECKING
from zlib import crc32

from cpfill.lexicon.packing.packed import PackedWords, WordColumn
from cpfill.lexicon.wordlist import WordList
from cpfill.saving import save, user_directory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cpfill.alphabet import Alphabet

_FORMAT = 1
"""Of what is kept, a file a list: a line with the checksum of a head and the head as JSON, then the columns."""

LEAST_BYTES = 1 << 20
"""Of a list that is kept; smaller ones, of some 80,000 words, are read as fast."""

MOST_BYTES = 1 << 28
"""Of all that is kept together: some 30 lists of 300,000 words. Those go first that were used longest ago."""

_LONGEST_HEAD = 1 << 16


def cache_directory() -> Path:
    """Return where lists are kept: `$XDG_CACHE_HOME/cpfill/lists`, by default in `~/.cache`."""
    return user_directory("XDG_CACHE_HOME", ".cache") / "lists"


class ListCache:
    """The lists that are kept by a version of cpfill: another may read them otherwise."""

    def __init__(self, version: str) -> None:
        self._version = version

    def read(
        self, data: bytes, name: str, alphabet: Alphabet, default_score: float, parse: Callable[[], WordList]
    ) -> WordList:
        """Return the list of that name in a file with the content `data`: what is kept, or else what `parse` returns.

        That is kept then, if its text is the file itself: nothing was unpacked, mended or dropped.

        Raises:
            LexiconError: as `parse` does.
        """
        if len(data) < LEAST_BYTES:
            return parse()
        try:
            path = cache_directory() / _name(data, (self._version, alphabet.letters, default_score))
        except RuntimeError:  # the user has no home
            return parse()
        known = _load(path, data, name, alphabet)
        if known is not None:
            with suppress(OSError):
                os.utime(path)
            return known
        words = parse()
        if words.packed.text == data:
            with suppress(OSError):
                _keep(path, words)
        return words


def _name(data: bytes, reader: tuple[object, ...]) -> str:
    """Return what a list is kept under: a digest of its content, and of what has a say in how it is read."""
    import hashlib  # noqa: PLC0415 - slow to import, and small lists need none of it

    digest = hashlib.sha256(repr((_FORMAT, unicodedata.unidata_version, sys.byteorder, *reader)).encode())
    digest.update(data)
    return digest.hexdigest()


def _load(path: Path, data: bytes, name: str, alphabet: Alphabet) -> WordList | None:
    """Return the list that is kept at a path, the text of which is known; none if it is not there, or damaged."""
    try:
        with path.open("rb") as file:
            check, _, head = file.readline(_LONGEST_HEAD).partition(b" ")
            if int(check, 16) != crc32(head):
                return None
            known = json.loads(head)
            columns, body = {}, 0
            for length, *sizes in known["columns"]:
                columns[length] = WordColumn(*map(file.read, sizes))
                for part in columns[length]:
                    body = crc32(part, body)
    except (OSError, ValueError):
        return None
    if body != known["body"]:
        return None
    return WordList(name, PackedWords(data, columns, alphabet), known["skipped"], alphabet)


def _keep(path: Path, words: WordList) -> None:
    """Save a list, and remove what was used longest ago if all together takes too much."""
    columns = words.packed.columns
    body = b"".join(part for column in columns.values() for part in column)
    sizes = [(length, *map(len, column)) for length, column in columns.items()]
    head = json.dumps({"columns": sizes, "skipped": {**words.skipped}, "body": crc32(body)}).encode() + b"\n"
    if len(body) > MOST_BYTES:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    save(path, b"%08x " % crc32(head) + head + body)
    left = MOST_BYTES
    # Files beside their place count as well: what was interrupted for good leaves one.
    files = [(each.stat(), each) for each in path.parent.iterdir()]
    for stat, each in sorted(files, key=lambda file: file[0].st_mtime_ns, reverse=True):
        left -= stat.st_size
        if left < 0:
            each.unlink()
