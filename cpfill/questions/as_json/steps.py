"""The steps of a traced search, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cpfill.problem.trace import Assignment, Backtrack, Refutation, Restart, Revision

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem
    from cpfill.problem.trace import Step


def step_record(problem: Problem, step: Step) -> dict[str, Any]:
    """Return a step of a traced search as JSON."""
    names = [slot.name for slot in problem.slots]
    kind: dict[str, Any] = {"step": type(step).__name__.lower()}
    if isinstance(step, Restart):
        return {**kind, "number": step.number}
    kind["slot"] = names[step.slot]
    match step:
        case Revision():
            support = None if step.support is None else names[step.support]
            return {**kind, "support": support, "before": step.before, "after": step.after}
        case Assignment() | Refutation():
            sizes = {names[slot]: size for slot, size in step.sizes.items()}
            wipeout = None if step.wipeout is None else names[step.wipeout]
            return {**kind, "word": step.word, "depth": step.depth, "sizes": sizes, "wipeout": wipeout}
        case Backtrack():
            conflicts = [names[slot] for slot in step.conflicts]
            return {**kind, "depth": step.depth, "target": step.target, "jumps": step.jumps, "conflicts": conflicts}
