"""Results: a record of each run, one JSON line each, on the disk before the next run begins."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.errors import Fault, InputError
from cpfill.records import LineFormat, RecordsFile

if TYPE_CHECKING:
    from collections.abc import Sequence

Record = dict[str, Any]
"""What `run.py` writes; `report.py` reads no key that it does not write."""

_VERSION = 1


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


_LINES = LineFormat(
    "cpfill bench run",
    b'{"bench": 1, "key": "',
    encode,
    holds=lambda record: record.get("bench") == _VERSION,
)


def read_results(paths: Sequence[str]) -> list[tuple[str, list[Record]]]:
    """Return the records of each file; a last line that was cut is left out.

    Raises:
        InputError: there is no such file, or it holds no results.
    """
    files = []
    for path in paths:
        records = _read(path)
        if not records:
            raise InputError(Fault("results of cpfill bench run", "an empty file", path))
        files.append((path, records))
    return files


def _read(path: str) -> list[Record]:
    try:
        with Path(path).open("rb") as file:
            return [record for record, _ in _LINES.parse(file, path)]
    except FileNotFoundError:
        raise InputError(Fault("a file", "nothing there", path)) from None
    except OSError as exc:
        raise InputError(Fault("a readable file", (exc.strerror or str(exc)).lower(), path)) from None


class ResultsFile(RecordsFile[Record]):
    """The file of the records of a benchmark, which outlive a crash of the machine."""

    def __init__(self, path: str) -> None:
        super().__init__(path, _LINES, keep=lambda record: record, sync=True)
