"""Results: a record a line, on their way to the disk before the next one is waited for.

A file that was cut in the middle of its last line is mended when it is opened again: the line is dropped, unless it is
whole. A file that holds anything else is refused and left alone.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from typing import TYPE_CHECKING, NamedTuple, Self

from cpfill.errors import Fault, InputError

if TYPE_CHECKING:
    from types import TracebackType

    from cpfill.batch.job import Record

_HEAD = b'{"id": '


class Outcome(NamedTuple):
    """What is remembered of a record while others are made."""

    id: str | int
    status: str
    error: str

    @classmethod
    def of(cls, record: Record) -> Self:
        """Return what is remembered of a record."""
        return cls(record["id"], str(record["status"]), str(record.get("error", "")))


def encode(record: Record) -> bytes:
    """Return a record as a line."""
    # Half of a surrogate pair, which an id may hold, is no UTF-8: it stays the escape that it was.
    return json.dumps(record, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"


class ResultsFile:
    """A file of records that grows; `done` has what those that are there came to, by their keys.

    Raises:
        InputError: the file cannot be read and written, holds something else, or another process is writing it.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except (OSError, ValueError) as exc:
            raise self._unwritable(exc) from None
        try:
            self.done = self._mend()
        except OSError as exc:
            os.close(self._handle)
            raise self._unwritable(exc) from None
        except BaseException:
            os.close(self._handle)
            raise

    def _unwritable(self, exc: Exception) -> InputError:
        reason = ((exc.strerror if isinstance(exc, OSError) else None) or str(exc)).lower()
        return InputError(Fault("a file that can be written", reason, self._path))

    def _mend(self) -> dict[str, Outcome]:
        if not stat.S_ISREG(os.fstat(self._handle).st_mode):
            raise InputError(Fault("a file to keep results in", "something that keeps none", self._path))
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(Fault("a results file of one's own", "one that another writes", self._path)) from None
        done: dict[str, Outcome] = {}
        whole = 0
        with os.fdopen(os.dup(self._handle), "rb") as lines:
            for number, line in enumerate(lines, start=1):
                record = _record(line)
                if record is not None:
                    done[record["key"]] = Outcome.of(record)
                    whole += len(line)
                elif line.endswith(b"\n") or not (line.startswith(_HEAD) or _HEAD.startswith(line)):
                    shown = ascii(line[:40].decode("utf-8", errors="replace").rstrip("\n"))
                    raise InputError(Fault("a line of results of cpfill batch", shown, self._path, number))
        os.ftruncate(self._handle, whole)
        if whole and os.pread(self._handle, 1, whole - 1) != b"\n":
            self._write(b"\n")
        return done

    def append(self, record: Record) -> None:
        """Write a record; it outlives this process from then on.

        Raises:
            InputError: it cannot be written.
        """
        try:
            self._write(encode(record))
        except OSError as exc:
            raise InputError(Fault("room to write results", (exc.strerror or str(exc)).lower(), self._path)) from None
        self.done[record["key"]] = Outcome.of(record)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._handle, data) :]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the file, and let others write it."""
        os.close(self._handle)


def _record(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and {"id", "key", "status"} <= record.keys() else None
