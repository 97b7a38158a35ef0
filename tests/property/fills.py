"""Fills as the brute force writes them, and as `Fill`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.problem.event import StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.result import Limits
from cpfill.testing.questions import options_for, run
from tests.support import REBUS, Question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypothesis import strategies as st

    from cpfill.problem.problem import Problem
    from cpfill.solvers.statement import Statement
    from cpfill.testing.brute_force import Rows, Value


def spell(rows: Sequence[str], cells: Sequence[int]) -> str:
    """Return the letters that some cells of a fill hold."""
    signs = "".join(rows)
    return "".join(REBUS.get(signs[cell], signs[cell]) for cell in cells)


def fill_of(rows: Rows, problem: Problem) -> Fill:
    """Return rows of the brute force as a fill of a problem."""
    letters = [REBUS.get(sign, sign.replace("#", "")) for row in rows for sign in row]
    return Fill(tuple(letters), problem.grid)


def obeys(statement: Statement, rows: Rows) -> bool:
    """Return whether a fill has words that may stand there, keeps to each sum, and has a word of each cover."""
    problem = statement.problem
    chosen = set()
    for slot, word in fill_of(rows, problem).words.items():
        id_ = problem.word_id(word)
        if id_ not in statement.ids[slot.length]:
            return False
        chosen.add((slot.id, statement.ids[slot.length].index(id_)))
    covered = all(chosen.intersection(choices) for choices in statement.cover)
    return covered and all(sum(costs.get(choice, 0) for choice in chosen) <= limit for limit, costs in statement.most)


def check_every_fill(engine: str, problem: Problem, values: Mapping[Rows, Value], data: st.DataObject) -> None:
    """Check that an engine finds these fills and no other, with drawn options."""
    answer = run(engine, problem, Limits(fills=None), **data.draw(options_for(engine), label="options"))
    assert answer.finished.reason is StopReason.EXHAUSTED
    assert dict(answer.found) == values


def check_the_best_fill(engine: str, problem: Problem, best: Value | None) -> None:
    """Check that the last fill of an engine has this value."""
    answer = run(engine, problem)
    assert answer.finished.reason is StopReason.EXHAUSTED
    assert [value for _, value in answer.found][-1:] == ([] if best is None else [best])


def every_fill(question: Question) -> dict[Rows, Fill]:
    problem = question.problem()
    return {rows: fill_of(rows, problem) for rows in sorted(question.answer.fills)}
