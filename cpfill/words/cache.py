"""Large lists cached in packed form in the user's cache directory: loading one is many times faster than parsing it.

The name of a cache file is a checksum. The file stores the whole text of the list, and everything else on which the
parse depends; both are compared, so a cached list is never out of date. The words of a length are loaded on demand,
because most grids need few lengths. A file is saved atomically, with checksums. If the file or the directory is damaged
or unusable, the list is parsed again: the cache itself raises no errors.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO
from zlib import crc32

from cpfill.base import alphabet
from cpfill.base.errors import LexiconError
from cpfill.base.files import is_gzip, open_handle, save, unpacked, user_directory
from cpfill.base.imports import load_kernel
from cpfill.words.packing import KERNELS, codes, lines, packed
from cpfill.words.packing.packed import PackedWords, WordColumn
from cpfill.words.wordlist import WordList

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cpfill.base.alphabet import Alphabet

_FORMAT = 3
"""The version of the file format. A file holds one list: a line with a head in JSON, preceded by its checksum; the text
of the list; its columns."""

LEAST_BYTES = 1 << 20
"""Smaller lists, of up to about 80,000 words, are not cached, because they are parsed just as fast."""

MOST_BYTES = 1 << 28
"""The size of the whole cache, about 20 lists of 300,000 words. The least recently used lists are removed first."""

_LONGEST_HEAD = 1 << 16

_PIECE = 1 << 16
"""Texts are compared in pieces of this size: allocating memory for a whole text takes longer than reading it."""


def cache_directory() -> Path:
    """Return the directory of the cache: `$XDG_CACHE_HOME/cpfill/lists`, by default in `~/.cache`."""
    return user_directory("XDG_CACHE_HOME", ".cache") / "lists"


def _stamp_parser() -> list[object]:
    """Return the sizes and times of the parser's files, which distinguish parsers of the same version."""
    files = (str(module.__file__) for module in (load_kernel(KERNELS), alphabet, codes, lines, packed))
    return [[status.st_size, status.st_mtime_ns] for status in map(os.stat, files)]


class ListCache:
    """The lists cached by one version of cpfill; a different version may parse them differently."""

    def __init__(self, version: str) -> None:
        self._version = version

    def read(
        self, data: bytes, name: str, letters: Alphabet, default_score: float, parse: Callable[[], WordList]
    ) -> WordList:
        """Return the list in a file with the content `data` and the given name, from the cache or else from `parse`.

        A parsed list is cached only if its text is the content of the file (unpacked if it is gzip), so that nothing
        was repaired or dropped.

        Raises:
            LexiconError: `parse` raises it.
        """
        if len(data) < LEAST_BYTES:
            return parse()
        machine = [unicodedata.unidata_version, sys.byteorder]
        reader = [_FORMAT, self._version, _stamp_parser(), *machine, letters.letters, default_score]
        path = cache_directory() / f"{crc32(data, crc32(repr(reader).encode())):08x}"

        def renew() -> WordList:
            words = parse()
            if words.packed.text == _unpack(data):
                with suppress(OSError):
                    _keep(path, words, data, reader)
            return words

        try:
            head, start = _find(path, data, reader)
        except (OSError, ValueError):
            return renew()
        with suppress(OSError):
            os.utime(path)
        columns = _KeptColumns(path, start, head["columns"], renew)
        text = partial(_unpack, data) if is_gzip(data) else data
        return WordList(name, PackedWords(text, columns, letters, head["words"]), head["skipped"], letters)


def _unpack(data: bytes) -> bytes:
    """Return the text of a list; of a cached list, only spellings need it."""
    return unpacked(data, "a list", LexiconError)


class _KeptColumns(Mapping[int, WordColumn]):
    """The columns of a cached list, each loaded on demand; if one is damaged, `renew` parses the list again.

    `start` is the offset of the columns in the file. `columns` has for each column the length of its words, the sizes
    of its parts, and its checksum.
    """

    def __init__(
        self, path: Path, start: int, columns: Sequence[tuple[int, Sequence[int], int]], renew: Callable[[], WordList]
    ) -> None:
        self._path = path
        self._renew = renew
        self._places: dict[int, tuple[int, Sequence[int], int]] = {}
        self._loaded: dict[int, WordColumn] = {}
        for length, sizes, check in columns:
            self._places[length] = start, sizes, check
            start += sum(sizes)

    def __getitem__(self, length: int) -> WordColumn:
        if length not in self._loaded:
            try:
                self._loaded[length] = self._load(*self._places[length])
            except (OSError, ValueError):
                self._loaded |= self._renew().packed.columns
        return self._loaded[length]

    def _load(self, start: int, sizes: Sequence[int], check: int) -> WordColumn:
        with _open(self._path) as file:
            file.seek(start)
            column = WordColumn(*map(file.read, sizes))
        if _check(column) != check:
            raise ValueError
        return column

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _open(path: Path) -> BinaryIO:
    """Open a cache file; anything may have taken its place, even a pipe, on which a read would block.

    Raises:
        OSError: the file does not exist, or cannot be read.
        ValueError: it is not a regular file.
    """
    file: BinaryIO = os.fdopen(open_handle(path, os.O_RDONLY), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ValueError
    return file


def _find(path: Path, data: bytes, reader: list[object]) -> tuple[dict[str, Any], int]:
    """Return the head of a cached list, and the offset of its columns.

    Raises:
        OSError: the file does not exist, or cannot be read.
        ValueError: it is damaged, or holds a different list.
    """
    with _open(path) as file:
        check, _, line = file.readline(_LONGEST_HEAD).partition(b" ")
        if int(check, 16) != crc32(line):
            raise ValueError
        head: dict[str, Any] = json.loads(line)
        pieces = (data[at : at + _PIECE] for at in range(0, len(data), _PIECE))
        if head["reader"] != reader or any(file.read(len(piece)) != piece for piece in pieces):
            raise ValueError
        return head, file.tell()


def _check(column: WordColumn) -> int:
    check = 0
    for part in column:
        check = crc32(part, check)
    return check


def _keep(path: Path, words: WordList, data: bytes, reader: list[object]) -> None:
    """Save a list that was parsed from `data`, and remove the least recently used lists if the cache is too large."""
    columns = [(length, [*map(len, column)], _check(column)) for length, column in words.packed.columns.items()]
    known = {"reader": reader, "words": len(words.words), "skipped": {**words.skipped}, "columns": columns}
    head = json.dumps(known).encode() + b"\n"
    whole = b"".join(
        [b"%08x " % crc32(head), head, data, *(part for each in words.packed.columns.values() for part in each)]
    )
    if len(whole) > MOST_BYTES:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    save(path, whole)
    left = MOST_BYTES
    # Temporary files count as well: a save that was killed leaves one.
    files = [(each.stat(), each) for each in path.parent.iterdir()]
    for status, each in sorted(files, key=lambda file: file[0].st_mtime_ns, reverse=True):
        left -= status.st_size
        if left < 0:
            each.unlink()
