"""Random grids: patterns of blocks or bars in a style, with words standing in them where that is asked for.

board       sets of cells as ints, symmetry, components
draft       a grid to be completed
demands     the styles, and what is asked of a grid
clue_cells  blocks that hold clues: their frame, and which would hold none
rules       whether a whole pattern obeys the rules of its style
flaws       what printed grids seldom have
theme       where seed words stand: across, in rows that mirror each other
design      patterns around a theme, the most promising first
columns     patterns around one layout of a theme, column by column
growing     patterns by growth, which meets most demands in milliseconds
annealing   patterns of many blocks that stand apart
model       the CP-SAT model: where growth fails, for seed words, and for proofs
bar_model   the CP-SAT model of barred grids
generation  one after the other, none twice
fillable    those of them that can be filled
failing     why there is none, and what would help
ranking     designs ranked by their best fill
"""

from __future__ import annotations

from cpfill.questions.generate.board import Symmetry
from cpfill.questions.generate.demands import STYLES, Demands, Style
from cpfill.questions.generate.draft import Draft, read_draft
from cpfill.questions.generate.fillable import fill_grids, find_lengths, keep_fillable
from cpfill.questions.generate.generation import generate
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
