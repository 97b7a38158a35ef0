"""Results: a record of each run, one JSON line each, on the disk before the next run begins."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import MAX_BENCH_BYTES, Fault, InputError, megabytes
from cpfill.base.records import LineFormat, RecordsFile
from cpfill.base.texts import say
from cpfill.runs.bench.suite import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cpfill.base.records import Shape

Record = dict[str, Any]
"""A record as `run.py` writes it; `report.py` reads only keys that `run.py` writes."""


class RunVerdict(StrEnum):
    """The verdict on a run."""

    FILLED = "filled"
    """The requested answer: a fill, the best fill with its proof, or all fills."""
    NO_FILL = "no fill"
    """A proof, or a peer's claim, that no fill exists."""
    UNDECIDED = "undecided"
    """It ended without an answer."""
    TIMEOUT = "timeout"
    """It was killed."""
    CRASH = "crash"
    """It ended with an error."""
    WRONG = "wrong"
    """Its answer is wrong."""


DECIDED = frozenset({RunVerdict.FILLED, RunVerdict.NO_FILL})


_NUMBER = (int, float)

# The keys that the report reads.
_SHAPE: Shape = {
    **dict.fromkeys(RULES, (str, *_NUMBER, NoneType)),
    **dict.fromkeys(("suite", "family", "label", "grid", "list", "grid_hash", "list_hash"), str),
    **dict.fromkeys(("objective", "ask", "verdict", "detail"), str),
    **dict.fromkeys(("seed", "repeat"), int),
    **dict.fromkeys(("limit_s", "cpu_s", "wall_s", "peak_mb"), _NUMBER),
    **dict.fromkeys(("status", "proof"), (str, NoneType)),
    **dict.fromkeys(("value", "bound"), (*_NUMBER, list, NoneType)),
    "solve_s": (*_NUMBER, NoneType),
    **dict.fromkeys(("fills", "yes", "no", "open"), (int, NoneType)),
    "audited": (bool, NoneType),
    "entries": (list, NoneType),
    "lemmas": (int, NoneType),
    **dict.fromkeys(("write_s", "check_s"), (*_NUMBER, NoneType)),
    "checker": (str, NoneType),
}

_LINES = LineFormat("cpfill bench run", b'{"bench": 6, "key": "', _SHAPE, {"bench": 6})


def encode(record: Record) -> bytes:
    """Return a record as a line."""
    return _LINES.encode(record)


def read_results(paths: Sequence[str]) -> list[tuple[str, list[Record]]]:
    """Return the records of each file; an incomplete last line is ignored.

    Raises:
        InputError: a file does not exist, or contains no results.
    """
    files = []
    for path in paths:
        records = _read(path)
        if not records:
            raise InputError(Fault(say("results of cpfill bench run"), say("an empty file"), path))
        files.append((path, records))
    return files


def _read(path: str) -> list[Record]:
    try:
        with Path(path).open("rb") as file:
            return list(_within_budget(_LINES.parse(file, path), path))
    except FileNotFoundError:
        raise InputError(Fault(say("a file"), say("nothing there"), path)) from None
    except OSError as exc:
        raise InputError(Fault(say("a readable file"), (exc.strerror or str(exc)).lower(), path)) from None
    except InputError:
        raise
    except ValueError as exc:  # a NUL in the name
        raise InputError(Fault(say("a file name"), str(exc), path)) from None


def _within_budget(records: Iterable[tuple[Record, bytes]], path: str) -> Iterator[Record]:
    size = 0
    for record, line in records:
        size += len(line)
        if size > MAX_BENCH_BYTES:
            raise InputError(Fault(say("results of {size}", size=megabytes(MAX_BENCH_BYTES)), say("more"), path))
        yield record


class BenchResults(RecordsFile[Record]):
    """The file of the records of a benchmark, which survive a crash of the machine."""

    def __init__(self, path: str) -> None:
        super().__init__(path, _LINES, keep=lambda record: record, sync=True)
