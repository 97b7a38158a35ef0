"""Random grids: patterns of blocks or bars in a style, with seed words if you ask for them."""

from __future__ import annotations

from cpfill.design.board import STYLES, Style, Symmetry
from cpfill.design.demands import Demands, Draft, read_draft
from cpfill.design.designs import Design, Ranking, rank_designs
from cpfill.design.grids import fill_grids, find_lengths, generate, keep_fillable

__all__ = [
    "STYLES",
    "Demands",
    "Design",
    "Draft",
    "Ranking",
    "Style",
    "Symmetry",
    "fill_grids",
    "find_lengths",
    "generate",
    "keep_fillable",
    "rank_designs",
    "read_draft",
]
