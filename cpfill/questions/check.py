"""The question whether a fill obeys all rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.problem.check import violations
from cpfill.problem.fill import Fill
from cpfill.questions.question import Question
from cpfill.questions.records import audit_record

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.problem.problem import Problem
    from cpfill.questions.question import Desk, Record


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Check(Question):
    """Which rules the letters of a grid break, or what they are worth; none of them is given."""

    def pose(self, desk: Desk) -> Problem:
        """Return the problem that the letters are to be a fill of.

        Raises:
            InputError: a list cannot be read, or all together makes no sense.
        """
        return desk.pose(replace(self.request, strict=True), every=True)

    def records(self, desk: Desk) -> Generator[Record]:
        """Yield the audit."""
        problem = self.pose(desk)
        fill = Fill.of_grid(problem.grid)
        yield audit_record(problem, fill, violations(problem, fill))
        yield {"done": True}
