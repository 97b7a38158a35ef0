"""Files of JSON lines that grow: one record per line, written by one process at a time.

If a crash cut the last line short, opening the file drops that line; a last line that only lacks its newline is kept.
A file that holds anything else, or a damaged line, is refused and left unchanged. So are lines of versions that wrote
no checksum, because nothing shows whether they are whole.
"""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, Self, TypeVar

from cpfill.base.errors import Fault, InputError
from cpfill.base.input_limits import MAX_RECORD_BYTES, megabytes
from cpfill.base.record_lines import Shape, bounded_lines, has_seal, has_shape, parse_object, seal, unseal
from cpfill.base.system import open_handle, try_lock
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

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
        """Yield each record with its line, except a last line that was cut short.

        Raises:
            InputError: a line of the file `path` is not a record of this command, or is damaged.
        """
        for number, line in enumerate(bounded_lines(file, MAX_RECORD_BYTES, path), start=1):
            record = unseal(line)
            if record is not None and self._is_ours(record):
                yield record, line
            elif line.endswith(b"\n") or not (line.startswith(self.head) or self.head.startswith(line)):
                raise InputError(
                    Fault(say("a line of results of {command}", command=self.command), self._told(line), path, number)
                )

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
        return say("one of a different version") if keyed else f"'{line[:40].decode(errors='replace').rstrip()}'"


class RecordsFile(Generic[Kept]):
    """A file of records, open for appending; a context manager.

    Args:
        path: the file; it is created if it does not exist.
        lines: the format of its lines.
        keep: returns the part of a record that stays in memory.
        sync: whether each record is flushed to disk at once, so that it survives a crash of the machine.

    Attributes:
        done: what `keep` returned for each record of the file, by its key.

    Raises:
        InputError: the file cannot be read and written, holds something else, or another process is writing it.
    """

    def __init__(self, path: str, lines: LineFormat, keep: Callable[[Record], Kept], *, sync: bool = False) -> None:
        self._path, self._lines, self._keep, self._sync = path, lines, keep, sync
        self.done: dict[str, Kept] = {}
        with self._refusing(say("a file that can be written")), ExitStack() as undo:
            self._handle = open_handle(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
            undo.callback(os.close, self._handle)
            self._claim()
            self._mend()
            undo.pop_all()

    @contextmanager
    def _refusing(self, expected: str) -> Iterator[None]:
        try:
            yield
        except InputError:
            raise
        except (OSError, ValueError) as exc:  # ValueError: a NUL in the name
            reason = (exc.strerror if isinstance(exc, OSError) else None) or str(exc)
            raise InputError(Fault(expected, reason.lower(), self._path)) from None

    def _claim(self) -> None:
        if not stat.S_ISREG(os.fstat(self._handle).st_mode):
            raise InputError(
                Fault(say("a file to keep results in"), say("something that is not a regular file"), self._path)
            )
        try:
            try_lock(self._handle)
        except OSError:
            raise InputError(
                Fault(say("a results file that no other process is writing"), say("one in use"), self._path)
            ) from None

    def _mend(self) -> None:
        size, line = 0, b"\n"
        with os.fdopen(os.dup(self._handle), "rb") as file:
            for record, line in self._lines.parse(file, self._path):
                self.done[record["key"]] = self._keep(record)
                size += len(line)
        os.ftruncate(self._handle, size)
        if not line.endswith(b"\n"):
            self._write(b"\n")

    def append(self, record: Record) -> None:
        """Write a record; from then on it survives a crash of this process.

        Raises:
            InputError: the record cannot be written, or is too long to be read again.
        """
        line = self._lines.encode(record)
        if len(line) > MAX_RECORD_BYTES:
            raise InputError(
                Fault(say("a record of {size}", size=megabytes(MAX_RECORD_BYTES)), say("a longer one"), self._path)
            )
        with self._refusing(say("room to write results")):
            self._write(line)
        self.done[record["key"]] = self._keep(record)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._handle, data) :]
        if self._sync:
            os.fsync(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the file, so that other processes may write it."""
        os.close(self._handle)
