"""What a grid is like, and what stands in it: figures that a constructor judges it by.

geometry   words by length, blocks, cheaters, symmetry, parts
faults     what the rules and customs of a style of grids do not allow, by name and place
fill       the scores of the words that stand in a grid, and its letters
links      words that are too alike: repeated, with a run of letters in common, of one stem
languages  what letters are worth in Scrabble, and the stems of words
"""

from __future__ import annotations

from cpfill.questions.stats.faults import FaultKind, StyleFault, find_faults
from cpfill.questions.stats.fill import FillFigures, describe_fill, take_answers
from cpfill.questions.stats.geometry import GridFigures, describe_grid
from cpfill.questions.stats.languages import LANGUAGES, Language
from cpfill.questions.stats.links import Link, find_repeats, find_shared_runs, find_shared_stems

__all__ = [
    "LANGUAGES",
    "FaultKind",
    "FillFigures",
    "GridFigures",
    "Language",
    "Link",
    "StyleFault",
    "describe_fill",
    "describe_grid",
    "find_faults",
    "find_repeats",
    "find_shared_runs",
    "find_shared_stems",
    "take_answers",
]
