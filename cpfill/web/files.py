"""The files in one directory: puzzles are listed, read, saved, renamed and deleted, word lists found and added.

A name must be that of a file in the directory itself; word lists may stand in its folder `words` too. Hidden files and
links are refused.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import zipfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import PurePath
from shutil import copystat
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import (
    MAX_TEXT_BYTES,
    Fault,
    FormatError,
    InputError,
    LexiconError,
    expected,
    megabytes,
    tell_reason,
)
from cpfill.base.files import IS_WINDOWS, decode, locked, open_handle, remove_unfinished, save
from cpfill.base.texts import later, say
from cpfill.formats.registry import guess_format, read_puzzle, write_puzzle
from cpfill.words.wordlist import parse_word_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.words.wordlist import WordList

NATIVE = "ipuz"
"""The format that is saved: it keeps every part of a puzzle."""

SUFFIX = f".{NATIVE}"

MAX_FILES = 1000
"""The most puzzles, and the most lists, that are listed."""

_GRID_SUFFIX = ".txt"
_LIST_SUFFIXES = (_GRID_SUFFIX, ".tsv")
_CLUE_SUFFIXES = (*_LIST_SUFFIXES, ".csv")
_LISTS_AT = "words"
_HEAD = 4096
"""Bytes of a text that are read to tell words, clues and grids apart."""
_PARTS = re.compile("[\t;,]")
_GRID_ROW = re.compile(r"(?!#+$)(?:[#.*_01 ]|[^\W\d_](?![^\W\d_])){2,}")
"""A row of cells: no two letters are neighbours, unlike in words and remarks, and some cell is not `#`."""
_ROWS = 8
"""The most lines of a text that are searched for rows of cells; if half are rows, it is a grid."""
_NAME_BYTES = 200
_NO_NAME_OF_WINDOWS = re.compile(
    r"""[^<>:"|?*]*[<>:"|?*].*|.*[. ]|"""
    r"""(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\ *(?:\..*)?""",
    re.IGNORECASE,
)
"""Names that Windows takes for a drive, a stream or a device, or changes."""


class _Content(Enum):
    """The likely kind of a text."""

    WORDS = auto()
    CLUES = auto()
    GRID = auto()
    NOTHING = auto()


class ConflictError(Exception):
    """The file changed; `found` is the puzzle in it, if any, and `tag` its tag."""

    def __init__(self, message: str, found: SavedPuzzle | None, tag: str | None = None) -> None:
        super().__init__(message)
        self.found = found
        self.tag = found.tag if found else tag


@dataclass(frozen=True, slots=True)
class SavedPuzzle:
    """A puzzle as its file has it; the tag changes with the file."""

    puzzle: Puzzle
    tag: str


class Folder:
    """The directory; `opened` is the name of the puzzle to begin with, which need not be there yet."""

    def __init__(self, directory: Path, opened: str | None = None) -> None:
        self.directory = directory.resolve()
        self.opened = opened
        remove_unfinished(self.directory)

    def describe(self) -> dict[str, Any]:
        """Return the path of the directory, its files, the puzzle to open, and the puzzle that was saved last."""
        puzzles = self.list_puzzles()
        where = {"directory": str(self.directory), "opened": self.opened, "recent": self.find_recent(puzzles)}
        return {**where, "puzzles": puzzles, "lists": self.list_words(), "clues": self.list_clues()}

    def list_puzzles(self) -> list[str]:
        """Return the names of the puzzles, which need not be readable."""
        return [name for name in self._names() if self._names_puzzle(name)][:MAX_FILES]

    def stamp_puzzles(self) -> dict[str, tuple[int, int]]:
        """Return the time of the last change of each puzzle, in nanoseconds, and its size; the latest first."""
        stamps: dict[str, tuple[int, int]] = {}
        for name in self.list_puzzles():
            with suppress(OSError):
                found = (self.directory / name).stat()
                stamps[name] = (found.st_mtime_ns, found.st_size)
        return dict(sorted(stamps.items(), key=lambda each: each[1], reverse=True))

    def find_recent(self, names: list[str]) -> str | None:
        """Return which of these puzzles was saved last, if any exists."""
        saved_ns: dict[str, int] = {}
        for name in names:
            with suppress(OSError):
                saved_ns[name] = (self.directory / name).stat().st_mtime_ns
        return max(saved_ns, key=saved_ns.__getitem__, default=None)

    def archive(self) -> bytes:
        """Return a ZIP archive of the puzzles, the word lists and the files of clues."""
        names = {*self.list_puzzles(), *self.list_words(), *self.list_clues()}
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(names):
                with _reaching(name, _TO_READ):
                    archive.write(self.directory / name, name)
        return written.getvalue()

    def list_words(self) -> list[str]:
        """Return the names of the word lists."""
        return [name for name in self._list_files(_LIST_SUFFIXES) if self._guess_content(name) is _Content.WORDS]

    def list_clues(self) -> list[str]:
        """Return the names of the files of clues."""
        return [name for name in self._list_files(_CLUE_SUFFIXES) if self._guess_content(name) is _Content.CLUES]

    def find_list(self, name: str) -> Path:
        """Return the path of a word list."""
        path = self._find(name, _LIST_SUFFIXES)
        if path is None:
            raise expected("a packaged list, or a .txt or .tsv file of the directory", f"'{name}'", error=LexiconError)
        return path

    def find_clues(self, name: str) -> Path:
        """Return the path of a clue file."""
        path = self._find(name, _CLUE_SUFFIXES)
        if path is None:
            raise expected("a file of clues: a .txt, .tsv or .csv file of the directory", f"'{name}'")
        return path

    def read(self, name: str) -> SavedPuzzle | None:
        """Return the puzzle of a name; `None` if there is no such file."""
        data = self._read_bytes(name)
        if data is None:
            return None
        return SavedPuzzle(read_puzzle(data, name, guess_format(name)), _tag(data))

    def save(self, name: str, puzzle: Puzzle, tag: str | None) -> str:
        """Save a puzzle over the file with this tag, or as a new file without a tag; return the new tag.

        Where the file has this very puzzle already, from whomever, its tag is returned and nothing is written.

        Raises:
            ConflictError: another stands there, or none.
            InputError: the name is not allowed, or the file cannot be written.
        """
        path = self._place(name)
        if path is None or not name.endswith(SUFFIX):
            raise expected(
                "a file name of the directory that ends in {suffix}", f"'{name}'", error=FormatError, suffix=SUFFIX
            )
        data, _ = write_puzzle(puzzle, NATIVE)
        with self._changing(name):
            try:
                self._expect(name, tag)
            except ConflictError as other:
                if other.tag == _tag(data) or (other.found and other.found.puzzle == puzzle):
                    return str(other.tag)
                raise
            save(path, data)
        return _tag(data)

    def rename(self, name: str, to: str, tag: str, *, keep: bool = False) -> None:
        """Give the puzzle with this tag a new name, which no file has; it keeps its suffix.

        With `keep` both remain: the file is copied unchanged, and the copy is not newer.

        Raises:
            ConflictError: another stands there, or none, or a file has the name.
            InputError: the name is not allowed, or the file cannot be renamed.
        """
        place, suffix = self._place(to), PurePath(name).suffix
        if place is None or PurePath(to).suffix != suffix:
            raise expected(
                "a file name of the directory that ends in {suffix}", f"'{to}'", error=FormatError, suffix=suffix
            )
        with self._changing(name):
            self._expect_puzzle(name, tag)
            self._expect_none(place)
            path = self.directory / name
            if keep:
                save(place, path.read_bytes())
                copystat(path, place)
            else:
                path.rename(place)
        if self.opened == name and not keep:
            self.opened = to

    def delete(self, name: str, tag: str) -> None:
        """Delete the puzzle with this tag.

        Raises:
            ConflictError: another stands there, or none.
            InputError: it cannot be deleted.
        """
        with self._changing(name):
            self._expect_puzzle(name, tag)
            (self.directory / name).unlink()
        if self.opened == name:
            self.opened = None

    def add_list(self, name: str, data: bytes) -> WordList:
        """Save a word list under a name that no file has, and return it.

        Raises:
            ConflictError: a file has the name.
            InputError: the name is not allowed, or there are no words, or the file cannot be written.
        """
        path = self._place(name)
        if path is None or not name.lower().endswith(_LIST_SUFFIXES):
            raise expected(
                "a file name that ends in {list_suffixes}",
                f"'{name}'",
                error=LexiconError,
                list_suffixes=say(" or ").join(_LIST_SUFFIXES),
            )
        words = parse_word_file(decode(data, name, LexiconError), name)
        with self._changing(name):
            self._expect_none(path)
            save(path, data)
        return words

    @contextmanager
    def _changing(self, name: str) -> Iterator[None]:
        """Prevent other servers from changing the directory, so that the checked file is the one replaced."""
        with _reaching(name, _TO_WRITE), locked(self.directory / "puzzles"):
            yield

    def _names_puzzle(self, name: str) -> bool:
        if guess_format(name) or name == self.opened:
            return True
        return name.endswith(_GRID_SUFFIX) and self._guess_content(name) is _Content.GRID

    def _expect_puzzle(self, name: str, tag: str) -> None:
        """Check that the puzzle of a name has a tag."""
        if not self._names_puzzle(name):
            raise expected("the name of a puzzle of the directory", f"'{name}'", error=FormatError)
        self._expect(name, tag)

    def _expect(self, name: str, tag: str | None) -> None:
        """Check that the file of a name has a tag, or does not exist."""
        found = self._read_bytes(name)
        if (None if found is None else _tag(found)) != tag:
            self._refuse(name, found)

    def _expect_none(self, path: Path) -> None:
        if path.exists():
            raise ConflictError(
                say("{name}: expected a name that no file has, found one that has it", name=path.name), None
            )

    def _refuse(self, name: str, data: bytes | None) -> None:
        if data is None:
            raise ConflictError(say("{name}: expected the file as it was read, found none", name=name), None)
        try:
            found = SavedPuzzle(read_puzzle(data, name, guess_format(name)), _tag(data))
        except InputError:
            found = None
        raise ConflictError(
            say("{name}: expected the file as it was read, found another", name=name), found, _tag(data)
        )

    def _list_files(self, suffixes: tuple[str, ...]) -> list[str]:
        inside = [f"{_LISTS_AT}/{name}" for name in self._names(_LISTS_AT)]
        names = [name for name in (*self._names(), *inside) if name.lower().endswith(suffixes)]
        return [name for name in names if name != self.opened][:MAX_FILES]

    def _guess_content(self, name: str) -> _Content:
        """Guess the kind of a text by its first lines.

        A grid has rows of cells. In a word list, a score follows each word: if the first line of two parts has no
        number, the text has clues.
        """
        head = self._read_head(name)
        if head is None or "\0" in head:
            return _Content.NOTHING
        lines = [line for line in head.splitlines() if line.strip()]
        if _has_rows(lines[:_ROWS]):
            return _Content.GRID
        return _Content.CLUES if _has_clues(lines) else _Content.WORDS

    def _read_head(self, name: str) -> str | None:
        """Return the beginning of a text; `None` if it cannot be read."""
        try:
            handle = open_handle(self.directory / name, os.O_RDONLY, follow=False)
            with os.fdopen(handle, "rb") as file:
                return file.read(_HEAD).decode("utf-8-sig", errors="replace")
        except OSError:
            return None

    def _find(self, name: str, suffixes: tuple[str, ...]) -> Path | None:
        *folder, last = name.split("/")
        if folder not in ([], [_LISTS_AT]):
            return None
        path = self._place(last, *folder)
        if path is None or not last.lower().endswith(suffixes) or not path.is_file():
            return None
        return path

    def _place(self, name: str, *folder: str) -> Path | None:
        """Return the path of a file of this name, existing or not; `None` if the name is not allowed."""
        if not _is_plain(name):
            return None
        path = self.directory.joinpath(*folder, name)
        if path.is_symlink() or path.parent.is_symlink():
            return None
        return path

    def _names(self, *folder: str) -> list[str]:
        """Return the names of the files, sorted; one system call reads a whole directory."""
        directory = self.directory.joinpath(*folder)
        if directory.is_symlink():
            return []
        try:
            with os.scandir(directory) as found:
                names = [each.name for each in found if each.is_file(follow_symlinks=False)]
        except OSError:
            return []
        return sorted(name for name in names if _is_plain(name))

    def _read_bytes(self, name: str) -> bytes | None:
        path = self._place(name)
        if path is None or not path.exists():
            return None
        with _reaching(name, _TO_READ):
            handle = open_handle(path, os.O_RDONLY, follow=False)
            with os.fdopen(handle, "rb") as file:
                data = file.read(MAX_TEXT_BYTES + 1)
        if len(data) > MAX_TEXT_BYTES:
            raise FormatError(Fault(megabytes(MAX_TEXT_BYTES), say("more"), name))
        return data


def _is_plain(name: str) -> bool:
    """Return whether a text is the name of a file: printable, not hidden, not a path, and allowed by the system."""
    if not name or name.startswith(".") or not name.isprintable():
        return False
    if "/" in name or "\\" in name or len(name.encode()) > _NAME_BYTES:
        return False
    return not (IS_WINDOWS and _NO_NAME_OF_WINDOWS.fullmatch(name))


def _has_rows(lines: list[str]) -> bool:
    """Return whether half of the lines are rows of cells."""
    rows = sum(1 for line in lines if _GRID_ROW.fullmatch(line.strip()))
    return rows > 0 and 2 * rows >= len(lines)


def _has_clues(lines: list[str]) -> bool:
    """Return whether the first line of two parts has no number; comments do not count."""
    for line in lines:
        parts = _PARTS.split(line)[:2]
        if len(parts) > 1 and not line.startswith("#"):
            return not any(part.strip().replace(".", "", 1).isdecimal() for part in parts)
    return False


@contextmanager
def _reaching(name: str, wanted: str) -> Iterator[None]:
    """Say why a file cannot be read, or cannot be written, renamed or deleted."""
    try:
        yield
    except OSError as exc:
        raise FormatError(Fault(say(wanted), tell_reason(exc), name)) from None


_TO_READ = later("a file that can be read")
_TO_WRITE = later("a file that can be written")


def _tag(data: bytes) -> str:
    return f'"{hashlib.sha256(data).hexdigest()[:32]}"'
