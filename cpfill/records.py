"""Files of JSON lines that grow: a record a line, from one process at a time.

A file that was cut in the middle of its last line is mended when it is opened again: the line is dropped, unless it is
whole. A file that holds anything else is refused and left alone.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from cpfill.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
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
        encode: makes the line of a record.
        holds: tells a record from another JSON object with a key.
    """

    command: str
    head: bytes
    encode: Callable[[Record], bytes]
    holds: Callable[[Record], bool]

    def parse(self, lines: Iterable[bytes], path: str) -> Iterator[tuple[Record, bytes]]:
        """Yield each record with its line; a last line that was cut is left out.

        Raises:
            InputError: the lines, of the file `path`, are of something else.
        """
        for number, line in enumerate(lines, start=1):
            record = self._record(line)
            if record is not None:
                yield record, line
            elif line.endswith(b"\n") or not (line.startswith(self.head) or self.head.startswith(line)):
                shown = line[:40].decode(errors="replace").rstrip("\n")
                raise InputError(Fault(f"a line of results of {self.command}", f"'{shown}'", path, number))

    def _record(self, line: bytes) -> Record | None:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return None
        ours = isinstance(record, dict) and isinstance(record.get("key"), str) and self.holds(record)
        return record if ours else None


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
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
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
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
            InputError: it cannot be written.
        """
        with self._refusing("room to write results"):
            self._write(self._lines.encode(record))
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
