"""Whether the engines agree: run each of them on one problem and compare the answers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import WORKERS, CpfillError
from cpfill.base.reading import TEXTS, Field, asked, asked_number, asked_time
from cpfill.base.texts import say
from cpfill.engines import ENGINES, engine_class, make_engine, options_of
from cpfill.engines.audited import Tally, search
from cpfill.engines.contract import required_features
from cpfill.problem.event import Found
from cpfill.problem.problem import Objective
from cpfill.problem.result import Clash, Evidence, Limits, SolveResult, Status, find_clash
from cpfill.problem.value import format_value
from cpfill.questions.question import End, Part, Question
from cpfill.questions.records import result_record
from cpfill.questions.solve import EVERY

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import CompareEnd, ContestRecord, DisagreementRecord, EngineRecord


@dataclass(frozen=True, slots=True)
class Contender:
    """An engine and its options; `label` distinguishes it from the same engine with other options."""

    label: str
    engine: str
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class EngineAnswer(Part):
    """The answer of a contender, and every fill it found."""

    problem: Problem
    contender: Contender
    result: SolveResult
    fills: frozenset[Fill]
    fault: str = ""
    """The fault of the engine, if it failed."""

    @property
    def record(self) -> EngineRecord:
        """The answer as JSON; where nothing is maximised, the value of the first fill says nothing."""
        record = result_record(self.problem, self.result)
        if not self.problem.criteria:
            record["value"] = None
        return {"label": self.contender.label, **record, "fault": self.fault or None}


@dataclass(frozen=True, slots=True)
class Contest(Part):
    """An engine that begins its search."""

    contender: Contender

    @property
    def record(self) -> ContestRecord:
        """The name of the engine as JSON."""
        return {"begins": self.contender.label}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two answers that cannot both be right; `fill` is the witness of the first claim, if there is one."""

    claim: str
    against: str
    fill: Fill | None


def contenders(names: Iterable[str] = ENGINES) -> list[Contender]:
    """Return the engines to compare: each once by default, and once for each alternative way to state the problem."""
    found = []
    for name in names:
        found.append(Contender(name, name))
        for option in options_of(name).values():
            if not option.compared:
                continue
            others = [choice for choice in option.choices if choice != option.default]
            found += [Contender(f"{name} {choice}", name, ((option.name, choice),)) for choice in others]
    return found


def entrants(problem: Problem, field: Iterable[Contender], limits: Limits) -> list[Contender]:
    """Return the contenders that can do a task."""
    needed = required_features(problem, limits)
    return [contender for contender in field if needed <= engine_class(contender.engine).features]


def _run_all(problem: Problem, field: Iterable[Contender], limits: Limits) -> Iterator[Contest | EngineAnswer]:
    """Yield each contender that can do the task, then its answer; a failed engine has its fault as the answer.

    The objective `good` is replaced by `any`, because engines need not agree on what is good.
    """
    if problem.objective is Objective.GOOD:
        problem = replace(problem, objective=Objective.ANY)
    for contender in entrants(problem, field, limits):
        yield Contest(contender)
        tally = Tally(problem)
        fills: set[Fill] = set()
        fault = ""
        try:
            engine = make_engine(contender.engine, **dict(contender.options))
            for event in search(problem, engine=engine, limits=limits):
                tally.add(event)
                if isinstance(event, Found):
                    fills.add(event.fill)
        except CpfillError as error:
            fault = str(error)
        if not fault and tally.result.fills != len(fills):
            fault = say(
                "engine {engine} reports {fills} fills, of which {fills2} are different",
                engine=contender.engine,
                fills=tally.result.fills,
                fills2=len(fills),
            )
        yield EngineAnswer(problem, contender, tally.result, frozenset(fills), fault)


def disagreements(entries: Iterable[EngineAnswer]) -> list[Disagreement]:
    """Return every pair of contradicting answers.

    A fill contradicts a proof that no fill exists and a complete enumeration that lacks it. A value above a proved
    bound contradicts that bound.
    """
    found = (_find_disagreement(one, other) for one, other in permutations(entries, 2))
    return [each for each in found if each is not None]


def _find_disagreement(one: EngineAnswer, other: EngineAnswer) -> Disagreement | None:
    """Return the proof of one engine that a fill of the other refutes."""
    if not one.fills:
        return None
    proved = other.result
    who = other.contender.label
    shown = Evidence(filled=True, fills=len(one.fills | other.fills), value=one.result.value)
    most = len(other.fills) if proved.status is Status.ALL_FILLS else None
    said = Evidence(refuted=proved.status.refuted, most=most, bound=proved.bound)
    claim = say("{label} found a fill", label=one.contender.label)
    match find_clash(shown, said):
        case Clash.REFUTED:
            against = say("{who} proved that no fill exists ({proof})", who=who, proof=proved.proof)
            return Disagreement(claim, against, one.result.fill)
        case Clash.MOST:
            against = say("{who} found all {fills} fills, and this one is not among them", who=who, fills=most)
            return Disagreement(claim, against, min(one.fills - other.fills, key=lambda fill: fill.letters))
        case Clash.BOUND:
            worth = say("{claim} worth {value}", claim=claim, value=format_value(one.result.value or ()))
            bound = format_value(proved.bound or ())
            against = say("{who} proved that no fill is worth more than {value}", who=who, value=bound)
            return Disagreement(worth, against, one.result.fill)
        case None:
            return None


@dataclass(frozen=True, slots=True)
class Compared(End):
    """All answers, and those that contradict each other."""

    answers: list[EngineAnswer]
    disagreements: list[Disagreement]
    interrupted: bool

    @property
    def record(self) -> CompareEnd:
        """The disagreements as JSON."""
        told: list[DisagreementRecord] = [{"claim": each.claim, "against": each.against} for each in self.disagreements]
        return {"done": True, "disagreements": told}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Compare(Question):
    """Whether the engines agree on a problem."""

    engine: tuple[str, ...] = asked(
        Field(TEXTS, f"{', '.join(ENGINES)}. Repeatable.", "NAME", "-e", option=list, section="Engine"), ()
    )
    every: bool = asked(EVERY, default=False)
    time_limit: float | None = asked_time(60.0, help="For each engine on each grid.")
    workers: int = asked_number(WORKERS, 1, short="-j", help="Threads to search with.", section="Limits")

    @property
    def limits(self) -> Limits:
        """The limits of each run."""
        return Limits(
            self.time_limit, fills=None if self.every else 1, workers=self.workers, seed=self.seed, stop=self.stop
        )

    @property
    def field(self) -> list[Contender]:
        """The engines that take part."""
        return contenders(self.engine or ENGINES)

    def answer(self, desk: Desk) -> Generator[Contest | EngineAnswer | Compared]:
        """Yield each engine as it begins, and its answer; at last the disagreements."""
        problem = desk.pose(self.request)
        answers: list[EngineAnswer] = []
        finished = False
        with suppress(KeyboardInterrupt):
            for part in _run_all(problem, self.field, self.limits):
                if isinstance(part, EngineAnswer):
                    answers.append(part)
                yield part
            finished = True
        yield Compared(answers, disagreements(answers), interrupted=not finished)
