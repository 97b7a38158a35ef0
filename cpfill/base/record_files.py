"""Files of JSON lines that grow: a record a line, from one process at a time.

A file that was cut in the middle of its last line is mended when it is opened again: the line is dropped, unless it is
whole. A file that holds anything else, or a line that is not as it was written, is refused and left alone; so are lines
of versions that wrote no checksum, for nothing says whether they are whole.
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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

Record = dict[str, Any]
"""What a line says, as JSON has it. Its `key` is a string."""

Kept = TypeVar("Kept")


@dataclass(frozen=True)
class LineFormat:
    """The lines that a command writes.

    Attributes:
        command: its name.
        head: what each line begins with.
        shape: the fields of a record.
        stamp: what every line has before its record.
    """

    command: str
    head: bytes
    shape: Shape
    stamp: Record = field(default_factory=dict)

    def encode(self, record: Record) -> bytes:
        """Return the line of a record."""
        return seal({**self.stamp, **record})

    def parse(self, file: BinaryIO, path: str) -> Iterator[tuple[Record, bytes]]:
        """Yield each record with its line; a last line that was cut is left out.

        Raises:
            InputError: the lines, of the file `path`, are of something else, or one is damaged.
        """
        for number, line in enumerate(bounded_lines(file, MAX_RECORD_BYTES, path), start=1):
            record = unseal(line)
            if record is not None and self._is_ours(record):
                yield record, line
            elif line.endswith(b"\n") or not (line.startswith(self.head) or self.head.startswith(line)):
                raise InputError(Fault(f"a line of results of {self.command}", self._told(line), path, number))

    def _is_ours(self, record: Record) -> bool:
        return has_shape(record, {"key": str, **self.shape}) and self.stamp.items() <= record.items()

    def _told(self, line: bytes) -> str:
        """Return what a line is that is no record."""
        if unseal(line) is None and has_seal(line):
            return "a damaged one"
        try:
            keyed = isinstance(parse_object(line).get("key"), str)
        except InputError:
            keyed = False
        return "one of another version" if keyed else f"'{line[:40].decode(errors='replace').rstrip()}'"


class RecordsFile(Generic[Kept]):
    """A file of records that is open to grow, a context manager.

    Args:
        path: the file; a new one is made.
        lines: what it holds.
        keep: makes what is remembered of a record.
        sync: whether a record outlives the machine, too, from when it is written.

    Attributes:
        done: what is remembered of the records that are there, by their keys.

    Raises:
        InputError: the file cannot be read and written, holds something else, or another process is writing it.
    """

    def __init__(self, path: str, lines: LineFormat, keep: Callable[[Record], Kept], *, sync: bool = False) -> None:
        self._path, self._lines, self._keep, self._sync = path, lines, keep, sync
        self.done: dict[str, Kept] = {}
        with self._refusing("a file that can be written"), ExitStack() as undo:
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
            raise InputError(Fault("a file to keep results in", "something that keeps none", self._path))
        try:
            try_lock(self._handle)
        except OSError:
            raise InputError(
                Fault("a results file of one's own", "one that another process writes", self._path)
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
        """Write a record; it outlives this process from then on.

        Raises:
            InputError: it cannot be written, or is too long to be read again.
        """
        line = self._lines.encode(record)
        if len(line) > MAX_RECORD_BYTES:
            raise InputError(Fault(f"a record of {megabytes(MAX_RECORD_BYTES)}", "a longer one", self._path))
        with self._refusing("room to write results"):
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
        """Close the file, and let others write it."""
        os.close(self._handle)
