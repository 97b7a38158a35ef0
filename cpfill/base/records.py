"""Lines of JSON: objects that others wrote, and cpfill's own records, each with a checksum.

The checksum ends the record and covers everything before it. CRC-32 detects all damage confined to four consecutive
bytes, and misses about one in 2³² of other damage. It guards against damage, not against forgery.

A file of records grows by one line per record, and is written by one process at a time. If a crash cut the last line
short, opening the file drops that line; a last line that only lacks its newline is kept. A file that holds anything
else, or a damaged line, is refused and left unchanged. So are lines of versions that wrote no checksum, because nothing
shows whether they are whole.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, Self, TypeVar

from cpfill.base.errors import MAX_DEPTH, MAX_RECORD_BYTES, InputError, expected, megabytes, tell_reason
from cpfill.base.files import open_handle, try_lock
from cpfill.base.texts import hear, later, say

if TYPE_CHECKING:
    from types import TracebackType

_SHOWN = 60

_BETWEEN_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[^"\[\]{}]++', re.DOTALL)
"""Strings with their contents, and all other text without brackets."""
_INWARDS = {"[": 1, "{": 1, "]": -1, "}": -1}


def parse_object(line: bytes, wanted: str = later("a JSON object")) -> dict[str, Any]:
    """Return the object that a line of JSON holds; `wanted` describes it in messages."""
    try:
        text = line.decode()
    except UnicodeDecodeError as exc:
        got = say("byte 0x{line:02X} at column {n}", line=line[exc.start], n=exc.start + 1)
        raise expected("UTF-8 text", got) from None
    if nests_deeply(text):
        raise expected(wanted, say("brackets nested over {most} deep", most=MAX_DEPTH))
    try:
        decoded = json.loads(text)
    except json.JSONDecodeError as exc:
        got = say("invalid JSON: {msg} at column {colno}", msg=hear(exc.msg.lower()), colno=exc.colno)
        raise expected(wanted, got) from None
    except ValueError:  # Python refuses whole numbers of over 4300 digits
        raise expected(wanted, say("a number of thousands of digits")) from None
    if not isinstance(decoded, dict):
        raise expected(wanted, quote_json(decoded))
    return decoded


def nests_deeply(text: str) -> bool:
    """Return whether the brackets of a JSON text are nested over `MAX_DEPTH` deep.

    Ask before `json` reads a text of others: it calls itself for each bracket, and in a browser some thousands of calls
    end Python without an exception.
    """
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    brackets = _BETWEEN_BRACKETS.sub("", text)
    return max(accumulate(map(_INWARDS.__getitem__, brackets)), default=0) > MAX_DEPTH


def seal(record: Mapping[str, Any]) -> bytes:
    """Return the line of a record."""
    # An id may hold half of a surrogate pair, which UTF-8 cannot encode: it is written as an escape.
    body = json.dumps(record, ensure_ascii=False).encode(errors="backslashreplace").removesuffix(b"}")
    return body + _seal(body) + b"\n"


def unseal(line: bytes) -> dict[str, Any] | None:
    """Return the record of a line, which may lack its newline; `None` if it is not a record, or is damaged."""
    bare = line.removesuffix(b"\n")
    body = bare[:-_SEAL_BYTES]
    seal = bare[-_SEAL_BYTES:]
    if seal != _seal(body):
        return None
    try:
        record = parse_object(bare)
    except InputError:
        return None
    del record["crc"]
    return record


def has_seal(line: bytes) -> bool:
    """Return whether a line ends like a record, damaged or not."""
    return line.removesuffix(b"\n")[-_SEAL_BYTES:].startswith(_SEAL)


_SEAL = b', "crc": "'


def _seal(body: bytes) -> bytes:
    return _SEAL + f'{zlib.crc32(body):08x}"}}'.encode()


_SEAL_BYTES = len(_seal(b""))

Shape = Mapping[str, type | tuple[type, ...]]
"""The fields of a record, each with its permitted types."""


def has_shape(record: Mapping[str, Any], shape: Shape) -> bool:
    """Return whether a record has all fields of a shape, each with a permitted type."""
    return all(name in record and isinstance(record[name], kinds) for name, kinds in shape.items())


def bounded_lines(file: BinaryIO, most: int, path: str) -> Iterator[bytes]:
    """Yield the lines of a file, each with its newline if it has one.

    Reading stops at a line of over `most` bytes, because a device may never end.
    """
    while line := file.readline(most + 1):
        if len(line) > most:
            raise expected("lines of {size} each", say("a longer one"), path, size=megabytes(most))
        yield line


def quote_json(value: object) -> str:
    """Return the beginning of a value in JSON, for messages."""
    return json.dumps(value, ensure_ascii=False)[:_SHOWN]


Record = dict[str, Any]
"""The JSON object of a line. Its `key` is a string."""

Kept = TypeVar("Kept")


@dataclass(frozen=True)
class LineFormat:
    """The format of the lines that a command writes.

    Attributes:
        command: the name of the command.
        head: the bytes with which each line begins.
        shape: the fields of a record.
        stamp: the fields that every line has before those of its record.
    """

    command: str
    head: bytes
    shape: Shape
    stamp: Record = field(default_factory=dict)

    def encode(self, record: Record) -> bytes:
        """Return the line of a record."""
        return seal({**self.stamp, **record})

    def parse(self, file: BinaryIO, path: str) -> Iterator[tuple[Record, bytes]]:
        """Yield each record with its line, except a last line that was cut short."""
        for number, line in enumerate(bounded_lines(file, MAX_RECORD_BYTES, path), start=1):
            record = unseal(line)
            if record is not None and self._is_ours(record):
                yield record, line
            elif line.endswith(b"\n") or not (line.startswith(self.head) or self.head.startswith(line)):
                told = self._told(line)
                raise expected("a line of results of {command}", told, path, number, command=self.command)

    def _is_ours(self, record: Record) -> bool:
        return has_shape(record, {"key": str, **self.shape}) and self.stamp.items() <= record.items()

    def _told(self, line: bytes) -> str:
        """Return how a message describes a line that is not a record."""
        if unseal(line) is None and has_seal(line):
            return say("a damaged one")
        try:
            keyed = isinstance(parse_object(line).get("key"), str)
        except InputError:
            keyed = False
        if keyed:
            return say("one of a different version")
        start = line[:40].decode(errors="replace").rstrip()
        if "\ufffd" in start or not start.isprintable():
            return say("binary data")
        return f"'{start}'"


class LinesFile:
    """A file of lines that grows, created if need be and locked by one process; a context manager.

    A line waits at most `sync_s` seconds before it is forced to the disk, and then survives a crash of the machine.

    Raises:
        InputError: the file cannot be read and written, or another process is writing it.
    """

    openable = later("a file that can be written")
    lasting = later("a file to keep results in")
    transient = later("something that is not a regular file")
    alone = later("a results file that no other process is writing")
    room = later("room to write results")

    def __init__(self, path: str, *, sync_s: float = inf) -> None:
        self.path = path
        self._sync_s = sync_s
        self._unsynced = False
        self._next_sync_s = 0.0
        with self._refusing(self.openable), ExitStack() as undo:
            self._handle = open_handle(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
            undo.callback(os.close, self._handle)
            if not stat.S_ISREG(os.fstat(self._handle).st_mode):
                raise expected(self.lasting, say(self.transient), path)
            try:
                try_lock(self._handle)
            except OSError:
                raise expected(self.alone, say("one in use"), path) from None
            with os.fdopen(os.dup(self._handle), "rb") as file:
                self.load(file)
            undo.pop_all()

    def load(self, file: BinaryIO) -> None:
        """Read the lines of the file, and `cut` an incomplete last line, left by a crash."""
        raise NotImplementedError

    @contextmanager
    def _refusing(self, wanted: str) -> Iterator[None]:
        try:
            yield
        except InputError:
            raise
        except (OSError, ValueError) as exc:  # ValueError: a NUL in the name
            raise expected(wanted, tell_reason(exc), self.path) from None

    def cut(self, size: int) -> None:
        os.ftruncate(self._handle, size)

    def read(self, offset: int, size: int) -> bytes:
        os.lseek(self._handle, offset, os.SEEK_SET)
        return os.read(self._handle, size)

    def write(self, line: bytes) -> int:
        """Write a line, which from then on survives a crash of this process; return its offset."""
        with self._refusing(self.room):
            offset = os.lseek(self._handle, 0, os.SEEK_END)
            while line:
                line = line[os.write(self._handle, line) :]
            self._unsynced = True
        self.sync()
        return offset

    def sync(self) -> None:
        """Force lines to the disk if it is time."""
        if self._unsynced and time.monotonic() >= self._next_sync_s and self._sync_s < inf:
            with self._refusing(self.room):
                os.fsync(self._handle)
            self._unsynced = False
            self._next_sync_s = time.monotonic() + self._sync_s

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Force all lines to the disk, and close the file, so that other processes may write it."""
        self._next_sync_s = 0.0
        try:
            self.sync()
        except InputError:
            if error is None:
                raise
        finally:
            os.close(self._handle)


class RecordsFile(LinesFile, Generic[Kept]):
    """A file of records of one format.

    Attributes:
        done: maps the key of each record of the file to the result of `keep`.
    """

    def __init__(self, path: str, lines: LineFormat, keep: Callable[[Record], Kept], *, sync_s: float = inf) -> None:
        self._lines = lines
        self._keep = keep
        self.done: dict[str, Kept] = {}
        super().__init__(path, sync_s=sync_s)

    def load(self, file: BinaryIO) -> None:
        size = 0
        line = b"\n"
        for record, line in self._lines.parse(file, self.path):
            self.done[record["key"]] = self._keep(record)
            size += len(line)
        self.cut(size)
        if not line.endswith(b"\n"):
            self.write(b"\n")

    def append(self, record: Record) -> None:
        line = self._lines.encode(record)
        if len(line) > MAX_RECORD_BYTES:
            raise expected("a record of {size}", say("a longer one"), self.path, size=megabytes(MAX_RECORD_BYTES))
        self.write(line)
        self.done[record["key"]] = self._keep(record)
