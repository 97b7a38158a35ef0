"""The clues of words: their files, the clues in the slots of a puzzle, and the clue cells of an arrowword."""

from __future__ import annotations

from cpfill.puzzle.clues.cells import MAX_CLUES, ClueArrow, assign_clue_cells, match_clue_cells
from cpfill.puzzle.clues.files import ClueCollection, parse_clues, read_clues, write_clues
from cpfill.puzzle.clues.placing import NO_CLUE, place_clues

__all__ = [
    "MAX_CLUES",
    "NO_CLUE",
    "ClueArrow",
    "ClueCollection",
    "assign_clue_cells",
    "match_clue_cells",
    "parse_clues",
    "place_clues",
    "read_clues",
    "write_clues",
]
