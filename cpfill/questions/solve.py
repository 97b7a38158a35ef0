"""The question for fills: one, the best, several to choose from, all, or a fill that differs from a given fill."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from cpfill.base.errors import COUNT, NODES, WORKERS, expected
from cpfill.base.reading import TEXTS, Field, asked, asked_number, read_flag, text_reader, wrong
from cpfill.base.texts import later, say
from cpfill.engines import DEFAULT_ENGINE, ENGINES, engine_class, make_engine
from cpfill.engines.audited import Tally, check_limits, search
from cpfill.formats.registry import read_letters
from cpfill.problem.event import Finished, Found, Progress
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits
from cpfill.questions.diverse import choose_fills, diverse_fills, find_another
from cpfill.questions.question import End, Part, Question
from cpfill.questions.records import changes_record, describe_posing, event_record, posing_record, result_record

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.engines.contract import Engine
    from cpfill.problem.event import Bound, Event, Started
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.puzzle.grid import Grid
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import EventRecord, SolveEnd
    from cpfill.questions.records import Posed


def search_fills(
    problem: Problem, *, engine: Engine | str = DEFAULT_ENGINE, limits: Limits | None = None, diverse: bool = False
) -> Generator[Event]:
    """Return the events of a search.

    Several good fills are chosen to differ; with `diverse`, any two of them do. Takes and raises the same as `search`.
    """
    several = check_limits(limits).fills not in {None, 1} and not problem.criteria
    if several and diverse:
        return diverse_fills(problem, engine=engine, limits=limits)
    if several and problem.objective is Objective.GOOD:
        return choose_fills(problem, engine=engine, limits=limits)
    return search(problem, engine=engine, limits=limits)


@dataclass(frozen=True, slots=True)
class Searched(Part):
    """An event of a search.

    Attributes:
        problem: the problem.
        event: the event.
        result: the result of all events up to this one.
        before: if letters were cleared, the grid that had them.
    """

    problem: Problem
    event: Started | Progress | Found | Bound
    result: SolveResult
    before: Grid | None = None

    @property
    def record(self) -> EventRecord:
        """The event as JSON."""
        record = event_record(self.problem, self.event)
        if self.before is None or record["event"] != "found" or not isinstance(self.event, Found):
            return record
        return {**record, "changed": changes_record(self.event.fill.list_changes(self.before))}


@dataclass(frozen=True, slots=True)
class Solved(End):
    """The result of a search, and which words of the request it accepted, refused or skipped.

    An interrupt may come after the last event, so that the result does not show it.
    """

    problem: Problem
    result: SolveResult
    posed: Posed
    interrupted: bool

    @property
    def record(self) -> SolveEnd:
        """The result as JSON."""
        return {"done": True, **result_record(self.problem, self.result), **posing_record(self.posed)}


def _read_options(name: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise wrong(say("a table of options"), name, value)
    return value


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Search(Question):
    """A question for which the user may choose an engine and its options."""

    DEFAULT: ClassVar[str] = DEFAULT_ENGINE
    """The engine, unless another is chosen."""

    engine: str | None = asked(
        Field(
            text_reader(later("the name of an engine")),
            f"{', '.join(ENGINES)}.",
            metavar="NAME",
            short="-e",
            section="Engine",
        ),
        DEFAULT_ENGINE,
    )
    options: Mapping[str, Any] = asked(Field(_read_options), default_factory=dict)
    workers: int = asked_number(WORKERS, 1, short="-j", help="Threads to search with.", section="Limits")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.engine is not None:
            engine_class(self.engine)

    def make_engine(self) -> Engine:
        return make_engine(self.engine or self.DEFAULT, **self.options)


EVERY = Field(
    read_flag,
    "Every fill; or every better one, with an objective.",
    short="-a",
    option=bool,
    section="Goal",
    flag="--all",
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Solve(Search):
    """Fills.

    Attributes:
        another: the rows of a fill to differ from.
    """

    number: int | None = asked_number(COUNT, short="-n", help="N fills; one by default.", section="Goal")
    every: bool = asked(EVERY, default=False)
    diverse: bool = asked(
        Field(
            read_flag,
            "With -n: any two fills differ in half of the words that can change.",
            option=bool,
            section="Goal",
        ),
        default=False,
    )
    another: tuple[str, ...] | None = asked(
        Field(
            TEXTS,
            "Find a fill that differs from the one in FILE in some word.",
            "FILE",
            section="Goal",
        )
    )
    node_limit: int | None = asked_number(NODES, help="Stop after N nodes (cpsat: conflicts).", section="Limits")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.number is not None and self.every:
            raise expected("-n or -a", say("-n {number} and -a", number=self.number))
        if self.number is not None and (self.request.goal.criteria or self.request.theme):
            raise expected("no -n with an objective: its answer is the one best fill", f"-n {self.number}")
        if self.diverse and (self.number is None or self.number < 2):
            raise expected("--diverse with -n 2 or more, and no --proof", "-n 1" if self.number else say("no -n"))

    @property
    def limits(self) -> Limits:
        return Limits(
            self.time_limit,
            self.node_limit,
            None if self.every else self.number or 1,
            self.workers,
            self.seed,
            self.stop,
        )

    @property
    def all_asked(self) -> bool:
        """Whether the answer is every fill, not only every better one."""
        return self.every and not self.request.goal.criteria and not self.request.theme

    def answer(self, desk: Desk) -> Generator[Searched | Solved]:
        """Yield the events of the search, then their result."""
        problem = desk.pose(self.request)
        before: Grid | None = None
        if self.request.refills:
            before = self.request.templates()[0].grid
        tally = Tally(problem)
        due_s = 0.0
        ended = False
        with suppress(KeyboardInterrupt), closing(self._search(problem)) as stream:
            for event in stream:
                tally.add(event)
                if isinstance(event, Finished):
                    continue
                if isinstance(event, Progress) and time.monotonic() < due_s:
                    continue
                if isinstance(event, Progress):
                    due_s = time.monotonic() + desk.pulse_s
                if isinstance(event, Found):
                    desk.keep(event.fill)
                yield Searched(problem, event, tally.result, before)
            ended = True
        posed = describe_posing(problem, self.request, desk.lists)
        yield Solved(problem, tally.result, posed, interrupted=not ended)

    def _search(self, problem: Problem) -> Generator[Event]:
        """Return the events of the search."""
        engine = self.make_engine()
        if self.another is None:
            return search_fills(problem, engine=engine, limits=self.limits, diverse=self.diverse)
        before = Fill.of_grid(read_letters(self.another, problem.grid))
        return find_another(problem, before, engine=engine, limits=self.limits)
