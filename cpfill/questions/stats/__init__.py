"""Figures by which a constructor judges a grid and its fill.

geometry   words by length, blocks, cheaters, symmetry, parts
faults     violations of the rules and customs of a style, by name and place
fill       the scores and letters of the words in a grid
links      words that are too alike: repeated, with a common run of letters, or with a common stem
languages  the values of letters in Scrabble, and the stems of words
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
