"""Random grids: patterns of blocks or bars in a style, with seed words if you ask for them.

board       sets of cells as ints, symmetry, components
draft       a grid to be completed
demands  the styles, and the demands on a grid
clue_cells  blocks that hold clues: their frame, and blocks that would hold none
rules    whether a complete pattern obeys the rules of its style
flaws    features that printed grids seldom have
theme    the places of seed words: across, in rows that mirror each other
design      patterns around a theme, the most promising first
columns     patterns around one layout of a theme, column by column
growing     patterns by growth, which meets most demands in milliseconds
annealing   patterns of many blocks, no two adjacent
model    the CP-SAT model: for seed words, for proofs, and when growth fails
bar_model   the CP-SAT model of barred grids
generation  grids one after the other, each once
fillable    grids that can be filled
failing  why no grid was found, and what would help
ranking     designs ranked by their best fill
"""

from __future__ import annotations

from cpfill.questions.generate.board import Symmetry
from cpfill.questions.generate.demands import STYLES, Demands, Draft, Style, read_draft
from cpfill.questions.generate.generation import fill_grids, find_lengths, generate, keep_fillable
from cpfill.questions.generate.ranking import Design, Ranking, rank_designs

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
