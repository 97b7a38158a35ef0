"""The question why there is no fill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from cpfill.base.reading import asked_time
from cpfill.problem.result import Status
from cpfill.questions.explain.explanation import Explanation, explain_in_steps
from cpfill.questions.explain.oracle import Kind
from cpfill.questions.explain.wording import name_constraint, relax, tell, tell_reason, tell_repair
from cpfill.questions.question import Question
from cpfill.questions.records import rows_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.questions.explain.oracle import Constraint, Subset
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import ElementRecord, ExplainEnd, ExplainRecord, ExplanationRecord, RepairRecord


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Explain(Question):
    """Why there is no fill, and what would help."""

    IMPROVES = True

    time_limit: float | None = asked_time(15.0, help="For each grid.")

    def records(self, desk: Desk) -> Generator[ExplainRecord | ExplainEnd]:
        """Yield the explanation each time it is known better, with the cells it is about and a fill if there is one."""
        problem = desk.pose(self.request, every=True)
        last = Explanation(problem, Status.UNKNOWN)
        for last in explain_in_steps(problem, limits=self.limits):
            yield {
                **explanation_record(last),
                "cells": _conflict_cells(last),
                "repairs": [_repair_record(last, number) for number in range(len(last.repairs))],
                "witness": rows_of(last.fill),
            }
        yield {"done": True, "status": last.status, "finished": last.finished}


def _conflict_cells(explanation: Explanation) -> list[int]:
    subset: Subset = frozenset() if explanation.conflict is None else explanation.conflict.subset
    slots = explanation.problem.slots
    cells = {cell for kind, id_ in subset if kind is Kind.SLOT for cell in slots[id_].cells}
    return sorted(cells | {id_ for kind, id_ in subset if kind is Kind.GIVEN})


def _repair_record(explanation: Explanation, number: int) -> RepairRecord:
    problem, repair = explanation.problem, explanation.repairs[number]
    kind, id_ = repair.constraint
    named = problem.grid.name_cell(id_) if kind is Kind.GIVEN else name_constraint(problem, repair.constraint)
    members = problem.grid.alphabet.members
    record: RepairRecord = {"free": named, "kind": kind, "reads": repair.reads, "text": tell_repair(problem, repair)}
    if kind is Kind.GIVEN:
        record |= {"works": members(repair.letters), "undecided": members(repair.doubtful)}
    return record


def explanation_record(explanation: Explanation) -> ExplanationRecord:
    """Return an explanation as JSON, with its sentences; undecided values are null."""
    problem, conflict, ceiling = explanation.problem, explanation.conflict, explanation.ceiling
    record: ExplanationRecord = {
        "status": explanation.status,
        "finished": explanation.finished,
        "reason": tell_reason(explanation) or None,
        "text": tell(explanation),
        "minimal": None if conflict is None else explanation.minimal,
        "rules": sorted(explanation.lifted),
        "elements": []
        if conflict is None
        else [_element_record(explanation, each) for each in sorted(conflict.subset)],
        "best": None,
    }
    if ceiling is not None:
        above = ceiling.conflict
        record["best"] = {
            "score": ceiling.best,
            "bound": ceiling.bound,
            "next": ceiling.level,
            "elements": None if above is None else [name_constraint(problem, each) for each in sorted(above.subset)],
            "minimal": above is not None and not above.undecided,
        }
    return record


def _element_record(explanation: Explanation, constraint: Constraint) -> ElementRecord:
    assert explanation.conflict is not None
    problem, subset = explanation.problem, explanation.conflict.subset
    grid, (kind, id_) = problem.grid, constraint
    repair = next((each for each in explanation.repairs if each.constraint == constraint), None)
    repairs = True if repair else False if constraint in explanation.useless else None
    record = cast("ElementRecord", {"kind": kind})
    match kind:
        case Kind.SLOT:
            slot = problem.slots[id_]
            cells = [grid.name_cell(cell) for cell in slot.cells]
            record |= {"slot": slot.name, "pattern": relax(problem, subset).grid.pattern(slot), "cells": cells}
        case Kind.GIVEN:
            record |= {"cell": grid.name_cell(id_), "letters": grid.alphabet.members(grid.cells[id_])}
        case Kind.REQUIRED:
            record |= {"word": name_constraint(problem, constraint)}
    record |= {"needed": None if constraint in explanation.conflict.undecided else True, "repairs": repairs}
    if repair and kind is Kind.GIVEN:
        record |= {
            "works": grid.alphabet.members(repair.letters),
            "undecided": grid.alphabet.members(repair.doubtful),
        }
    elif repair and repair.reads:
        record |= {"reads": repair.reads}
    return record
