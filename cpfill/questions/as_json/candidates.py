"""Words and letters with their verdicts, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpfill.puzzle.grid import Grid
    from cpfill.questions.candidates import Candidate, CellLetters


def candidate_record(candidate: Candidate) -> dict[str, Any]:
    """Return a word with its verdict as JSON, without its witness."""
    return {"word": candidate.word, "score": whole_score(candidate.score), "verdict": candidate.verdict}


def letters_record(grid: Grid, letters: CellLetters) -> dict[str, Any]:
    """Return the letters of a cell by their verdicts as JSON."""
    cell = grid.name_cell(letters.cell)
    return {"cell": cell, "yes": letters.yes, "no": letters.no, "open": letters.open, "forced": letters.forced}


def whole_score(score: float) -> float:
    """Return a score as an int if it is a whole number."""
    return int(score) if score.is_integer() else score
