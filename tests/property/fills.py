"""Fills as the brute force writes them, and as `Fill`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.problem.fill import Fill
from tests.support import REBUS, Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.problem.problem import Problem
    from cpfill.testing.brute_force import Rows


def spell(rows: Sequence[str], cells: Sequence[int]) -> str:
    """Return the letters that some cells of a fill hold."""
    signs = "".join(rows)
    return "".join(REBUS.get(signs[cell], signs[cell]) for cell in cells)


def fill_of(rows: Rows, problem: Problem) -> Fill:
    """Return rows of the brute force as a fill of a problem."""
    letters = [REBUS.get(sign, sign.replace("#", "")) for row in rows for sign in row]
    return Fill(tuple(letters), problem.grid)


def every_fill(question: Question) -> dict[Rows, Fill]:
    problem = question.problem()
    return {rows: fill_of(rows, problem) for rows in sorted(question.answer.fills)}
