"""What the tests share: that of `cpfill.testing`, and where the tree stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cpfill.testing.questions import (
    ADDERS,
    ENGINE_NAMES,
    HANG_S,
    MAXIMISERS,
    MEASURES,
    REBUS,
    Options,
    Question,
    Run,
    configurations,
    pairings,
    question,
    rows_of,
    run,
    skip_without,
)

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = [
    "ADDERS",
    "ENGINE_NAMES",
    "HANG_S",
    "INSTANCES",
    "MAXIMISERS",
    "MEASURES",
    "PACKAGED_LISTS",
    "REBUS",
    "ROOT",
    "Options",
    "Question",
    "Run",
    "configurations",
    "drain",
    "pairings",
    "question",
    "rows_of",
    "run",
    "skip_without",
]

ROOT = Path(__file__).parent.parent
INSTANCES = ROOT / "instances"
PACKAGED_LISTS = ROOT / "cpfill" / "words" / "packaged"

T = TypeVar("T")
End = TypeVar("End")


def drain(stream: Generator[T, None, End]) -> tuple[list[T], End]:
    """Return what a stream yields, and what it returns."""
    end: list[End] = []

    def listen() -> Generator[T]:
        end.append((yield from stream))

    found = list(listen())
    return found, end[0]
