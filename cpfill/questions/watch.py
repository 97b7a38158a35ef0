"""A search reported step by step, as a question."""

from __future__ import annotations

from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cpfill.base.errors import Range
from cpfill.base.reading import TEXT, Field, asked, asked_number, read_flag
from cpfill.engines import AC3, ORDER, RESTARTS, SHUFFLE, make_engine
from cpfill.engines.audited import Tally, search
from cpfill.problem.event import (
    Assignment,
    Backtrack,
    Found,
    LetterPlaced,
    NoLetter,
    Progress,
    Refutation,
    Restart,
    Revision,
)
from cpfill.questions.estimate import METHODS, expected_visits, square_estimate, take_log10, why_no_chain
from cpfill.questions.question import End, Part, Question
from cpfill.questions.records import fill_record, result_record

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from fractions import Fraction

    from cpfill.problem.event import Event, Step
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.puzzle.grid import SlotId
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import (
        FillStep,
        LetterStep,
        NoLetterStep,
        PlacedStep,
        RevisionStep,
        Sizes,
        StepRecord,
        TriesRecord,
        WatchEnd,
    )

_STEPS = Range(1, 100_000)
"""The most steps reported of one search: 20 MB at most, on a grid of the usual size."""

_CHOICES = (AC3, ORDER, SHUFFLE, RESTARTS)
"""The options of an engine that is watched."""


@dataclass(frozen=True, slots=True)
class FirstSizes(Part):
    """How many words fit each slot before the search."""

    problem: Problem

    @property
    def record(self) -> Sizes:
        """The numbers by slot as JSON."""
        domains = self.problem.domains
        return {"sizes": {slot.name: domains[slot.id].bit_count() for slot in self.problem.slots}}


@dataclass(frozen=True, slots=True)
class WatchedStep(Part):
    """A step of the search."""

    problem: Problem
    step: Step

    @property
    def record(self) -> StepRecord:
        """The step as JSON."""
        return step_record(self.problem, self.step)


@dataclass(frozen=True, slots=True)
class WatchedFill(Part):
    """A fill that the search found."""

    problem: Problem
    found: Found

    @property
    def record(self) -> FillStep:
        """The fill as JSON."""
        return {"step": "fill", **fill_record(self.problem, self.found.fill, self.found.value)}


@dataclass(frozen=True, slots=True)
class Watched(End):
    """The result of the search, and the number of steps."""

    problem: Problem
    steps: int
    result: SolveResult
    tries: Tries | None = None

    @property
    def record(self) -> WatchEnd:
        """The result as JSON."""
        tries = None if self.tries is None else self.tries.records
        return {"done": True, "steps": self.steps, "tries": tries, **result_record(self.problem, self.result)}


class Tries:
    """How often each word was placed or taken back, beside the number to expect (see `cpfill.questions.estimate`).

    The engines are those that the article describes; there is an estimate for empty squares alone.
    """

    def __init__(self, problem: Problem, engine: str) -> None:
        self._steps: Counter[int] = Counter()
        self._tried: Counter[int] = Counter()
        self._visits: list[Fraction] | None = None
        if why_no_chain(problem.grid) is None:
            square = square_estimate(problem)
            chain = square.weave if engine == "weave" else square.scaffold
            self._visits = expected_visits(chain.success)

    def add(self, step: Step | None) -> None:
        """Count a step."""
        if isinstance(step, Assignment):
            self._tried[step.depth] += 1
            self._steps[step.depth] += step.wipeout is None
        elif isinstance(step, Backtrack):
            self._steps[step.depth] += 1

    @property
    def records(self) -> list[TriesRecord]:
        """The numbers as JSON, word by word."""
        visits = self._visits or []
        records: list[TriesRecord] = []
        for number in range(max([len(visits), *self._steps])):
            expected = take_log10(visits[number]) if number < len(visits) else None
            depth = number + 1
            records.append({"log10_expected": expected, "steps": self._steps[depth], "tried": self._tried[depth]})
        return records


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Watch(Question):
    """The steps of a search.

    Attributes:
        steps: the greatest number of steps.
        revisions: whether to report every revision, and to end before the first word is placed.
        ac3: an option of the engine, as are the fields after it.
    """

    engine: str = asked(Field(TEXT), "fc-cbj")
    steps: int = asked_number(_STEPS, 5000, help="At most N steps.")
    revisions: bool = asked(Field(read_flag), default=False)
    ac3: bool | None = asked(Field())
    order: str | None = asked(Field())
    shuffle: bool | None = asked(Field())
    restarts: bool | None = asked(Field())

    def answer(self, desk: Desk) -> Generator[FirstSizes | WatchedStep | WatchedFill | Watched]:
        """Yield the number of words that fit each slot at first, then the steps and fills of the search."""
        engine = make_engine(self.engine, trace=True, **self._options)
        problem = desk.pose(self.request, every=True)
        tally = Tally(problem)
        tries = Tries(problem, self.engine) if self.engine in METHODS else None
        steps = 0
        with suppress(KeyboardInterrupt), closing(search(problem, engine=engine, limits=self.limits)) as stream:
            yield FirstSizes(problem)
            for event in stream:
                step = _step_of(event)
                if self._skips(step):
                    continue
                if self._ends_before(step):
                    break
                tally.add(event)
                if isinstance(event, Found):
                    yield WatchedFill(problem, event)
                if step is None:
                    continue
                steps += 1
                if tries is not None:
                    tries.add(step)
                yield WatchedStep(problem, step)
                if steps == self.steps:
                    break
        yield Watched(problem, steps, tally.result, tries)

    @property
    def _options(self) -> dict[str, Any]:
        """The options of the engine that are given."""
        given = {option.name: getattr(self, option.name) for option in _CHOICES}
        return {name: value for name, value in given.items() if value is not None}

    def _skips(self, step: Step | None) -> bool:
        """Return whether a step is a revision that changes nothing, and need not be reported."""
        return isinstance(step, Revision) and step.before == step.after and not self.revisions

    def _ends_before(self, step: Step | None) -> bool:
        """Return whether all revisions before the first word are reported."""
        return self.revisions and step is not None and not isinstance(step, Revision)


def _step_of(event: Event) -> Step | None:
    return event.step if isinstance(event, Progress) else None


def step_record(problem: Problem, step: Step) -> StepRecord:
    """Return a step of a traced search as JSON."""
    names = [slot.name for slot in problem.slots]
    match step:
        case Restart():
            return {"step": "restart", "number": step.number}
        case Revision():
            return _revision_record(names, step)
        case Assignment():
            return _placed_record(names, step, "assignment")
        case Refutation():
            return _placed_record(names, step, "refutation")
        case LetterPlaced() | NoLetter():
            return _letter_record(problem, names, step)
        case Backtrack():
            return {
                "step": "backtrack",
                "slot": names[step.slot],
                "depth": step.depth,
                "target": step.target,
                "jumps": step.jumps,
                "conflicts": [names[other] for other in step.conflicts],
            }


def _name(names: Sequence[str], slot: SlotId | None) -> str | None:
    if slot is None:
        return None
    return names[slot]


def _name_sizes(names: Sequence[str], sizes: Mapping[SlotId, int]) -> dict[str, int]:
    return {names[slot]: size for slot, size in sizes.items()}


def _letter_record(problem: Problem, names: Sequence[str], step: LetterPlaced | NoLetter) -> LetterStep | NoLetterStep:
    cell = problem.grid.name_cell(step.cell)
    if isinstance(step, NoLetter):
        return {"step": "no_letter", "cell": cell, "depth": step.depth}
    return {
        "step": "letter",
        "cell": cell,
        "letter": step.letter,
        "allowed": step.allowed,
        "depth": step.depth,
        "sizes": _name_sizes(names, step.sizes),
        "wipeout": _name(names, step.wipeout),
    }


def _revision_record(names: Sequence[str], step: Revision) -> RevisionStep:
    return {
        "step": "revision",
        "slot": names[step.slot],
        "support": _name(names, step.support),
        "before": step.before,
        "after": step.after,
        "removed": list(step.removed),
        "queue": [names[other] for other in step.queue],
    }


def _placed_record(
    names: Sequence[str], step: Assignment | Refutation, kind: Literal["assignment", "refutation"]
) -> PlacedStep:
    return {
        "step": kind,
        "slot": names[step.slot],
        "word": step.word,
        "depth": step.depth,
        "sizes": _name_sizes(names, step.sizes),
        "wipeout": _name(names, step.wipeout),
    }
