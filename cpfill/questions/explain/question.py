"""The question why a problem has no fill, and the JSON of its answer."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from cpfill.base.reading import asked_time
from cpfill.problem.result import Status
from cpfill.questions.explain.conflict import Kind, relax
from cpfill.questions.explain.explanation import Explanation, explain_in_steps
from cpfill.questions.explain.wording import name_constraint, tell, tell_repair, word_reason
from cpfill.questions.question import End, Part, Question
from cpfill.questions.records import rows_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.problem.problem import Problem
    from cpfill.questions.explain.conflict import Constraint, Subset
    from cpfill.questions.explain.explanation import Ceiling, Repair
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import CeilingRecord, ElementRecord, ExplainEnd, ExplainRecord, RepairRecord


@dataclass(frozen=True, slots=True)
class ExplainedSoFar(Part):
    """An explanation that may get better."""

    explanation: Explanation

    @property
    def record(self) -> ExplainRecord:
        """The explanation as JSON, with its sentences, the cells of its conflict and a fill; undecided is null."""
        explanation = self.explanation
        problem = explanation.problem
        return {
            "status": explanation.status,
            "finished": explanation.finished,
            "reason": word_reason(explanation) or None,
            "text": tell(explanation),
            "minimal": None if explanation.conflict is None else explanation.minimal,
            "rules": sorted(explanation.lifted),
            "elements": [_element_record(explanation, each) for each in sorted(_subset(explanation))],
            "best": None if explanation.ceiling is None else _ceiling_record(problem, explanation.ceiling),
            "cells": _conflict_cells(explanation),
            "repairs": [_repair_record(problem, each) for each in explanation.repairs],
            "witness": rows_of(explanation.fill),
        }


@dataclass(frozen=True, slots=True)
class Explained(End):
    """The last explanation."""

    explanation: Explanation
    interrupted: bool

    @property
    def record(self) -> ExplainEnd:
        """Whether there is a fill, and whether the explanation is complete, as JSON."""
        return {"done": True, "status": self.explanation.status, "finished": self.explanation.finished}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Explain(Question):
    """Why there is no fill, and what would help."""

    IMPROVES = True

    time_limit: float | None = asked_time(15.0, help="For each grid.")

    def answer(self, desk: Desk) -> Generator[ExplainedSoFar | Explained]:
        """Yield the explanation each time it improves, then the last one."""
        problem = desk.pose(self.request)
        problem.require_case()
        last = Explanation(problem, Status.UNKNOWN)
        ended = False
        with suppress(KeyboardInterrupt), closing(explain_in_steps(problem, limits=self.limits)) as steps:
            for last in steps:
                yield ExplainedSoFar(last)
            ended = True
        yield Explained(last, interrupted=not ended)


def _subset(explanation: Explanation) -> Subset:
    """Return the constraints of a conflict, if there is one."""
    return frozenset() if explanation.conflict is None else explanation.conflict.subset


def _conflict_cells(explanation: Explanation) -> list[int]:
    cells: set[int] = set()
    for kind, id_ in _subset(explanation):
        if kind is Kind.SLOT:
            cells.update(explanation.problem.slots[id_].cells)
        elif kind is Kind.GIVEN:
            cells.add(id_)
    return sorted(cells)


def _ceiling_record(problem: Problem, ceiling: Ceiling) -> CeilingRecord:
    above = ceiling.conflict
    return {
        "score": ceiling.best,
        "bound": ceiling.bound,
        "next": ceiling.level,
        "elements": None if above is None else [name_constraint(problem, each) for each in sorted(above.subset)],
        "minimal": above is not None and not above.undecided,
    }


def _repair_record(problem: Problem, repair: Repair) -> RepairRecord:
    kind, id_ = repair.constraint
    grid = problem.grid
    named = grid.name_cell(id_) if kind is Kind.GIVEN else name_constraint(problem, repair.constraint)
    record: RepairRecord = {"free": named, "kind": kind, "reads": repair.reads, "text": tell_repair(problem, repair)}
    if kind is Kind.GIVEN:
        record["works"] = grid.alphabet.members(repair.letters)
        record["undecided"] = grid.alphabet.members(repair.doubtful)
    return record


def _element_record(explanation: Explanation, constraint: Constraint) -> ElementRecord:
    assert explanation.conflict is not None
    record = _place_record(explanation.problem, explanation.conflict.subset, constraint)
    record["needed"] = None if constraint in explanation.conflict.undecided else True
    record["repairs"] = _helps(explanation, constraint)
    repair = next((each for each in explanation.repairs if each.constraint == constraint), None)
    if repair is None:
        return record
    if constraint.kind is Kind.GIVEN:
        alphabet = explanation.problem.grid.alphabet
        record["works"] = alphabet.members(repair.letters)
        record["undecided"] = alphabet.members(repair.doubtful)
    elif repair.reads:
        record["reads"] = repair.reads
    return record


def _place_record(problem: Problem, subset: Subset, constraint: Constraint) -> ElementRecord:
    """Return as JSON where a constraint of a conflict stands; the caller adds its verdicts."""
    grid = problem.grid
    kind, id_ = constraint
    record = cast("ElementRecord", {"kind": kind})
    match kind:
        case Kind.SLOT:
            slot = problem.slots[id_]
            record["slot"] = slot.name
            record["pattern"] = relax(problem, subset).grid.pattern(slot)
            record["cells"] = [grid.name_cell(cell) for cell in slot.cells]
        case Kind.GIVEN:
            record["cell"] = grid.name_cell(id_)
            record["letters"] = grid.alphabet.members(grid.cells[id_])
        case Kind.REQUIRED:
            record["word"] = name_constraint(problem, constraint)
    return record


def _helps(explanation: Explanation, constraint: Constraint) -> bool | None:
    """Return whether a change of a constraint gives the problem a fill; `None` if that is undecided."""
    if constraint in explanation.openable or any(each.constraint == constraint for each in explanation.repairs):
        return True
    return False if constraint in explanation.useless else None
