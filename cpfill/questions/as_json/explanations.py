"""Why there is no fill, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cpfill.questions.explain.oracle import Kind
from cpfill.questions.explain.wording import name_constraint, relax, tell, tell_reason

if TYPE_CHECKING:
    from cpfill.questions.explain.explanation import Explanation
    from cpfill.questions.explain.oracle import Constraint


def explanation_record(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON, with its sentences; undecided values are null."""
    problem, conflict, ceiling = explanation.problem, explanation.conflict, explanation.ceiling
    record: dict[str, Any] = {
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


def _element_record(explanation: Explanation, constraint: Constraint) -> dict[str, Any]:
    assert explanation.conflict is not None
    problem, subset = explanation.problem, explanation.conflict.subset
    grid, (kind, id_) = problem.grid, constraint
    repair = next((each for each in explanation.repairs if each.constraint == constraint), None)
    repairs = True if repair else False if constraint in explanation.useless else None
    record: dict[str, Any] = {"kind": kind}
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
    elif repair and kind is Kind.SLOT:
        record |= {"reads": repair.reads}
    return record
