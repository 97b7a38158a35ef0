"""A criss-cross: one's own words, each once, in one connected grid without any other word."""

from __future__ import annotations

from cpfill.design.criss_cross.arrangement import Arranged, Arrangement, Bounds, Own, Placement, Wanted, find_groups
from cpfill.design.criss_cross.arranging import arrange

__all__ = ["Arranged", "Arrangement", "Bounds", "Own", "Placement", "Wanted", "arrange", "find_groups"]
