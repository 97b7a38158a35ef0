"""The bands of scores: the meaning of a score, the same in every list."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Band(StrEnum):
    """How good an entry is."""

    STRONG = "strong"
    """A constructor would print it."""
    FAIR = "fair"
    """Acceptable if nothing better fits."""
    WEAK = "weak"
    """Better avoided."""


LEAST = {Band.STRONG: 50.0, Band.FAIR: 40.0, Band.WEAK: 0.0}
"""The least score of each band, the best band first."""


def band_of(score: float) -> Band:
    """Return the band of a score."""
    return next(band for band, least in LEAST.items() if score >= least)


def count_bands(scores: Iterable[float]) -> dict[Band, int]:
    """Return how many scores are in each band, the best band first."""
    counted = Counter(map(band_of, scores))
    return {band: counted[band] for band in LEAST}
