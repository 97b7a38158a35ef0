"""Run every engine on one problem and compare their answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import EngineError
from cpfill.engines import ENGINES, engine_class, make_engine, options_of
from cpfill.engines.contract import required_features
from cpfill.engines.search import Tally, search
from cpfill.problem.criteria import exceeds, format_value
from cpfill.problem.event import Found
from cpfill.problem.problem import Objective
from cpfill.problem.result import SolveResult, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cpfill.problem.fill import Fill
    from cpfill.problem.limits import Limits
    from cpfill.problem.problem import Problem


@dataclass(frozen=True, slots=True)
class Contender:
    """An engine and its options; `label` distinguishes it from the same engine with other options."""

    label: str
    engine: str
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The answer of a contender, and every fill it found."""

    contender: Contender
    result: SolveResult
    fills: frozenset[Fill]
    fault: str = ""
    """The fault of the engine, if it failed."""


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
            others = [choice for choice in option.choices if option.compared and choice != option.default]
            found += [Contender(f"{name} {choice}", name, ((option.name, choice),)) for choice in others]
    return found


def entrants(problem: Problem, field: Iterable[Contender], limits: Limits) -> list[Contender]:
    """Return the contenders that can do a task."""
    needed = required_features(problem, limits)
    return [contender for contender in field if needed <= engine_class(contender.engine).features]


def run_all(problem: Problem, field: Iterable[Contender], limits: Limits) -> Iterator[EngineAnswer]:
    """Yield the answer of each contender that can do the task, as it comes; the answer of a faulty engine is its fault.

    The objective `good` is replaced by `any`, because engines need not agree on what is good.
    """
    if problem.objective is Objective.GOOD:
        problem = replace(problem, objective=Objective.ANY)
    for contender in entrants(problem, field, limits):
        engine = make_engine(contender.engine, **dict(contender.options))
        tally, fills, fault = Tally(problem), set(), ""
        try:
            for event in search(problem, engine=engine, limits=limits):
                tally.add(event)
                if isinstance(event, Found):
                    fills.add(event.fill)
        except EngineError as error:
            fault = str(error)
        if not fault and tally.result.fills != len(fills):
            fault = f"engine {contender.engine} reports {tally.result.fills} fills, of which {len(fills)} are different"
        yield EngineAnswer(contender, tally.result, frozenset(fills), fault)


def disagreements(entries: Iterable[EngineAnswer]) -> list[Disagreement]:
    """Return every pair of contradicting answers.

    A fill contradicts a proof that no fill exists and a complete enumeration that lacks it. A value above a proved
    bound contradicts that bound.
    """
    known = list(entries)
    found: list[Disagreement] = []
    for one in known:
        for other in known:
            if one is not other:
                found += _contradictions(one, other)
    return found


def _contradictions(one: EngineAnswer, other: EngineAnswer) -> Iterator[Disagreement]:
    """Yield the proofs of `other` that a fill of `one` refutes."""
    proved, who = other.result, other.contender.label
    if not one.fills:
        return
    claim = f"{one.contender.label} found a fill"
    if proved.status is Status.UNSATISFIABLE:
        yield Disagreement(claim, f"{who} proved that no fill exists ({proved.proof})", one.result.fill)
    elif proved.status is Status.ALL_FILLS and (missing := one.fills - other.fills):
        against = f"{who} found all {len(other.fills)} fills, and this one is not among them"
        yield Disagreement(claim, against, min(missing, key=lambda fill: fill.letters))
    elif proved.bound and one.result.value and exceeds(one.result.value, proved.bound):
        worth = f"{claim} worth {format_value(one.result.value)}"
        yield Disagreement(
            worth, f"{who} proved that no fill is worth more than {format_value(proved.bound)}", one.result.fill
        )
