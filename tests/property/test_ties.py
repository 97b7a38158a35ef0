"""Tied cells (C4): every engine that knows them against the brute force, and the audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from cpfill.engines import engine_class
from cpfill.engines.audited import search_all, tally
from cpfill.engines.contract import Feature
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Status
from cpfill.testing.questions import questions
from cpfill.testing.test_contract import check_the_best
from tests.support import ENGINE_NAMES, MAXIMISERS, configurations, run

if TYPE_CHECKING:
    from tests.support import Question

ABLE = [name for name in ENGINE_NAMES if Feature.TIES in engine_class(name).features]
tied = questions(sides=True, opened=True, rebus=True, tied=True).filter(lambda each: bool(each.ties))


@settings(max_examples=40)
@given(question=tied, data=st.data())
def test_they_find_every_fill(question: Question, data: st.DataObject) -> None:
    for engine in ABLE:
        options = data.draw(st.sampled_from(configurations(engine)), label=f"options of {engine}")
        ran = run(engine, question.problem(), Limits(fills=None), **options)
        assert {rows for rows, _ in ran.found} == question.answer.fills
        assert ran.result.status is (Status.ALL_FILLS if question.answer.fills else Status.UNSATISFIABLE)
    problem = question.problem()
    assert tally(problem, search_all(problem)).fills == len(question.answer.fills)


@settings(max_examples=40)
@given(
    question=questions(sides=True, themed=True, sums=True, tied=True).filter(lambda each: bool(each.ties)),
    objective=st.sampled_from([Objective.MIN, Objective.SUM, Objective.LEXIMIN]),
    data=st.data(),
)
def test_they_find_and_prove_the_best_value(question: Question, objective: Objective, data: st.DataObject) -> None:
    for engine in MAXIMISERS:
        options = data.draw(st.sampled_from(configurations(engine)), label=f"options of {engine}")
        check_the_best(engine, question, objective, Limits(), options)
