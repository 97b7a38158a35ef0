"""The exact number of fills of a grid."""

from __future__ import annotations

import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from cpfill.base.errors import WORKERS
from cpfill.base.reading import TEXT, Field, asked, asked_number
from cpfill.engines import COUNTING_ENGINE
from cpfill.engines.audited import Tally, search_all
from cpfill.problem.event import Found
from cpfill.problem.result import Limits, SolveResult, Status
from cpfill.questions.question import End, Part
from cpfill.questions.records import result_record
from cpfill.questions.solve import Search

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cpfill.engines.contract import Engine
    from cpfill.problem.event import Event
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import Counted, CountEnd


@dataclass(frozen=True, slots=True)
class CountedSoFar(Part):
    """The number of fills so far, and the event that it comes from."""

    result: SolveResult
    event: Event

    @property
    def record(self) -> Counted:
        """The number as JSON."""
        return {"counted": self.result.fills}


@dataclass(frozen=True, slots=True)
class CountedFills(End):
    """The exact number of fills, or a lower bound."""

    problem: Problem
    result: SolveResult
    interrupted: bool

    @property
    def record(self) -> CountEnd:
        """The number as JSON, with the result of the search."""
        exact = self.result.status is Status.ALL_FILLS or self.result.status.refuted
        return {"done": True, "exact": exact, **result_record(self.problem, self.result)}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Count(Search):
    """The exact number of fills, counted without storing them."""

    DEFAULT: ClassVar[str] = COUNTING_ENGINE
    IMPROVES = True

    engine: str | None = asked(
        Field(
            TEXT,
            "By default letters, or mac if letters finds no fill in 2 s; with --proof, mac.",
            metavar="NAME",
            short="-e",
            section="Engine",
        )
    )
    workers: int = asked_number(WORKERS, 1, short="-j", help="letters: threads to count with.", section="Limits")

    on_fill: Callable[[Fill], None] | None = field(default=None, compare=False)
    """Called with each fill that the engine reports; an engine that only counts reports none."""

    @property
    def limits(self) -> Limits:
        return Limits(self.time_limit, fills=None, workers=self.workers, seed=self.seed, stop=self.stop)

    def _count(self, problem: Problem) -> Generator[Event]:
        chosen: Engine | None = None
        if self.engine or self.options:
            chosen = self.make_engine()
        return search_all(problem, engine=chosen, limits=self.limits)

    def answer(self, desk: Desk) -> Generator[CountedSoFar | CountedFills]:
        """Yield the count so far, and at last the exact number or a lower bound."""
        problem = desk.pose(self.request, every=True)
        tally = Tally(problem)
        due_s = time.monotonic() + desk.pulse_s
        ended = False
        with suppress(KeyboardInterrupt), closing(self._count(problem)) as stream:
            for event in stream:
                tally.add(event)
                if isinstance(event, Found) and self.on_fill is not None:
                    self.on_fill(event.fill)
                if time.monotonic() >= due_s:
                    due_s = time.monotonic() + desk.pulse_s
                    yield CountedSoFar(tally.result, event)
            ended = True
        yield CountedFills(problem, tally.result, interrupted=not ended)
