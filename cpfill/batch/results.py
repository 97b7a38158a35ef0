"""Results: a record a line, on their way to the disk before the next one is waited for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, Self

from cpfill.records import LineFormat, RecordsFile

if TYPE_CHECKING:
    from cpfill.batch.job import Record


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


_LINES = LineFormat("cpfill batch", b'{"id": ', encode, holds=lambda record: {"id", "status"} <= record.keys())


class ResultsFile(RecordsFile[Outcome]):
    """The file of the records of a batch."""

    def __init__(self, path: str) -> None:
        super().__init__(path, _LINES, keep=Outcome.of)
