"""The question how many fills there are."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from cpfill.base.errors import WORKERS
from cpfill.base.reading import TEXT, Field, asked, asked_number
from cpfill.engines import COUNTING_ENGINE
from cpfill.engines.audited import Tally, count
from cpfill.problem.result import Limits, Status
from cpfill.questions.records import result_record
from cpfill.questions.solve import Search

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import Counted, CountEnd, CountRecord


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Count(Search):
    """How many fills there are, exactly; they are not kept."""

    DEFAULT: ClassVar[str] = COUNTING_ENGINE
    IMPROVES = True

    engine: str | None = asked(
        Field(
            TEXT,
            "By default letters, or mac where that meets no fill in 2 s; with --proof mac.",
            metavar="NAME",
            short="-e",
            section="Engine",
        )
    )
    workers: int = asked_number(WORKERS, 1, short="-j", help="letters: threads to count with.", section="Limits")

    @property
    def limits(self) -> Limits:
        return Limits(self.time_limit, fills=None, workers=self.workers, seed=self.seed, stop=self.stop)

    def events(self, problem: Problem) -> Generator[Event]:
        chosen = self.make_engine() if self.engine or self.options else None
        return count(problem, engine=chosen, limits=self.limits)

    def records(self, desk: Desk) -> Generator[Counted | CountEnd]:
        """Yield how many were counted so far, and at last how many there are, or that there are as many at least."""
        problem = desk.pose(self.request, every=True)
        tally, due_s = Tally(problem), time.monotonic() + desk.pulse_s
        with closing(self.events(problem)) as stream:
            for event in stream:
                tally.add(event)
                if time.monotonic() >= due_s:
                    due_s = time.monotonic() + desk.pulse_s
                    yield {"counted": tally.result.fills}
        yield {"done": True, **count_record(problem, tally.result)}


def count_record(problem: Problem, result: SolveResult) -> CountRecord:
    """Return the result of a count as JSON."""
    exact = result.status is Status.ALL_FILLS or result.status.refuted
    return {"exact": exact, **result_record(problem, result)}
