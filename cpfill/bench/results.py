"""Results: a record of each run, one JSON line each, on the disk before the next run begins.

A file that was cut in the middle of its last line is mended when it is opened again: the line is dropped, unless it
is whole. A file that holds anything else is refused and left alone.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from cpfill.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

Record = dict[str, Any]
"""What `run.py` writes; `report.py` reads no key that it does not write."""

_VERSION = 1
_HEAD = b'{"bench": 1, "key": "'


class Verdict(StrEnum):
    """What a run came to."""

    FILLED = "filled"
    """What was asked: a fill, the best fill with its proof, or all fills."""
    NO_FILL = "no fill"
    """The proof, or a peer's word, that there is none."""
    UNDECIDED = "undecided"
    """It ended without an answer."""
    TIMEOUT = "timeout"
    """It was killed."""
    CRASH = "crash"
    """It ended with an error."""
    WRONG = "wrong"
    """Its answer is not true."""


DECIDED = frozenset({Verdict.FILLED, Verdict.NO_FILL})


def encode(record: Record) -> bytes:
    """Return a record as a line."""
    return json.dumps({"bench": _VERSION, **record}).encode() + b"\n"


def read_results(paths: Sequence[str]) -> list[tuple[str, list[Record]]]:
    """Return the records of each file; a last line that was cut is left out.

    Raises:
        InputError: there is no such file, or it holds no results.
    """
    files = []
    for path in paths:
        records, _ = _parse(_read(path), path)
        if not records:
            raise InputError(Fault("results of cpfill bench run", "an empty file", path))
        files.append((path, records))
    return files


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(Fault("a file", "nothing there", path)) from None
    except OSError as exc:
        raise InputError(Fault("a readable file", (exc.strerror or str(exc)).lower(), path)) from None


def _parse(data: bytes, path: str) -> tuple[list[Record], int]:
    """Return the records, and how many bytes of the data they are."""
    *lines, tail = data.split(b"\n")
    records = [_record(line) for line in lines]
    if None in records:
        line = records.index(None) + 1
        raise InputError(Fault("a line of results of cpfill bench run", _shown(lines[line - 1]), path, line))
    last, length = _record(tail), len(data) - len(tail)
    if last is not None:
        records.append(last)
        length = len(data)
    elif not (tail.startswith(_HEAD) or _HEAD.startswith(tail)):
        raise InputError(Fault("a line of results of cpfill bench run", _shown(tail), path, len(lines) + 1))
    return [record for record in records if record is not None], length


def _record(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and record.get("bench") == _VERSION and "key" in record else None


def _shown(line: bytes) -> str:
    text = line[:40].decode("utf-8", errors="replace")
    return f"'{text}'" if text.isprintable() else ascii(text)


class ResultsFile:
    """A file of records that grows; `done` has those that are there, by their keys.

    Raises:
        InputError: the file cannot be written, holds something else, or another process is writing it.
    """

    def __init__(self, path: str) -> None:
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as exc:
            raise InputError(Fault("a file that can be written", (exc.strerror or str(exc)).lower(), path)) from None
        try:
            self.done = self._mend(path)
        except BaseException:
            os.close(self._handle)
            raise

    def _mend(self, path: str) -> dict[str, Record]:
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(Fault("a results file of one's own", "one that another process writes", path)) from None
        if not stat.S_ISREG(os.fstat(self._handle).st_mode):
            raise InputError(Fault("a file to keep results in", "something that keeps none", path))
        data = _read(path)
        records, length = _parse(data, path)
        os.ftruncate(self._handle, length)
        if length and not data[:length].endswith(b"\n"):
            self._write(b"\n")
        return {record["key"]: record for record in records}

    def append(self, record: Record) -> None:
        """Write a record; it is on the disk when this returns.

        Raises:
            InputError: it cannot be written.
        """
        try:
            self._write(encode(record))
        except OSError as exc:
            raise InputError(Fault("room to write results", (exc.strerror or str(exc)).lower())) from None
        self.done[record["key"]] = record

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._handle, data) :]
        os.fsync(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the file, and let others write it."""
        os.close(self._handle)
