"""Results: one record per line, flushed before the next one is awaited."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from cpfill.base.records import LineFormat, RecordsFile

if TYPE_CHECKING:
    from cpfill.runs.batch.job import Record


class JobOutcome(NamedTuple):
    """The part of a record that stays in memory while others are made."""

    id: str | int
    status: str
    error: str

    @classmethod
    def of(cls, record: Record) -> Self:
        """Return the outcome of a record."""
        return cls(record["id"], str(record["status"]), str(record.get("error", "")))


_LINES = LineFormat("cpfill batch", b'{"id": ', {"id": (str, int), "status": str})


def encode(record: Record) -> bytes:
    """Return a record as a line."""
    return _LINES.encode(record)


class BatchResults(RecordsFile[JobOutcome]):
    """The file of records of a batch."""

    def __init__(self, path: str) -> None:
        super().__init__(path, _LINES, keep=JobOutcome.of)
