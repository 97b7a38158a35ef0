"""What the tests share: that of `cpfill.testing`, and where the tree stands."""

from __future__ import annotations

from pathlib import Path

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
    "pairings",
    "question",
    "rows_of",
    "run",
    "skip_without",
]

ROOT = Path(__file__).parent.parent
INSTANCES = ROOT / "instances"
PACKAGED_LISTS = ROOT / "cpfill" / "words" / "packaged"
