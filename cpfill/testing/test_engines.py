"""Every engine against the brute force: to draw a question and answer it takes longer than several engines do.

What fails does so for the engine whose options were drawn last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from cpfill.problem.event import StopReason
from cpfill.problem.problem import Objective, exceeds
from cpfill.problem.result import Limits, Status
from cpfill.testing.questions import ADDERS, ENGINE_NAMES, MAXIMISERS, MEASURES, UNPROVED, Options, Question, run
from cpfill.testing.strategies import options_for, questions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ruled = questions(sides=True, opened=True, rebus=True)
seeds = st.integers(0, 3)


def asked(data: st.DataObject, engines: Iterable[str]) -> Iterator[tuple[str, Options]]:
    """Yield engines, each with some options."""
    for engine in engines:
        yield engine, data.draw(options_for(engine), label=f"options of {engine}")


@given(question=ruled, seed=seeds, data=st.data())
def test_they_find_every_fill(question: Question, seed: int, data: st.DataObject) -> None:
    for engine, options in asked(data, ENGINE_NAMES):
        ran = run(engine, question.problem(), Limits(fills=None, seed=seed), **options)
        assert len(ran.found) == len(dict(ran.found))  # no fill twice
        assert dict(ran.found) == question.answer.values
        assert ran.result.status is (Status.ALL_FILLS if question.answer.values else Status.UNSATISFIABLE)
        assert ran.result.fills == len(question.answer.values)
        assert ran.finished.reason is StopReason.EXHAUSTED
        assert ran.finished.proof


@given(question=ruled, seed=seeds, data=st.data())
def test_they_find_a_fill_or_prove_that_there_is_none(question: Question, seed: int, data: st.DataObject) -> None:
    for engine, options in asked(data, ENGINE_NAMES):
        ran = run(engine, question.problem(), Limits(seed=seed), **options)
        assert ran.result.status is (Status.SATISFIED if question.answer.values else Status.UNSATISFIABLE)
        assert len(ran.found) == min(1, len(question.answer.values))
        assert dict(ran.found).items() <= question.answer.values.items()


@given(question=ruled, seed=seeds, data=st.data(), wanted=st.integers(2, 12))
def test_they_find_as_many_fills_as_they_are_asked_for(
    question: Question, seed: int, data: st.DataObject, wanted: int
) -> None:
    there_are = len(question.answer.values)
    for engine, options in asked(data, ENGINE_NAMES):
        ran = run(engine, question.problem(), Limits(fills=wanted, seed=seed), **options)
        assert len(ran.found) == len(dict(ran.found)) == min(wanted, there_are)
        assert dict(ran.found).items() <= question.answer.values.items()
        if wanted < there_are:
            assert ran.result.status is Status.SATISFIED
            assert ran.finished.reason is StopReason.FILLS
        elif wanted > there_are:
            assert ran.result.status is (Status.ALL_FILLS if there_are else Status.UNSATISFIABLE)
        else:  # whether it looks on after the last fill it was asked for is its own affair
            assert ran.result.status in {Status.SATISFIED, Status.ALL_FILLS}


def check_the_best(engine: str, question: Question, objective: Objective, limits: Limits, options: Options) -> None:
    """Check everything that an engine says on its way to the best value."""
    ran = run(engine, question.problem(objective), limits, **options)
    answer = question.answer_to(objective)
    assert ran.result.status is (Status.UNSATISFIABLE if answer.best is None else Status.OPTIMAL)
    assert ran.result.value == answer.best
    assert dict(ran.found).items() <= answer.values.items()
    values = [value for _, value in ran.found]
    assert values == sorted(values if objective is Objective.GOOD else set(values))
    if "min" in (measures := MEASURES[objective, bool(question.theme)]):
        place = measures.index("min")
        lowest = [bound[place] for bound in ran.bounds if len(bound) > place]
        assert set(lowest) <= {score for score in question.words.values() if score >= question.min_score}
    if answer.best is not None:
        assert ran.result.bound == answer.best
        assert not any(exceeds(answer.best, bound) for bound in ran.bounds)


@given(question=ruled, seed=seeds, data=st.data())
def test_each_good_fill_is_better_than_the_one_before(question: Question, seed: int, data: st.DataObject) -> None:
    sorted_scores = question.answer_to(Objective.LEXIMIN).values
    for engine, options in asked(data, ENGINE_NAMES):
        ran = run(engine, question.problem(Objective.GOOD), Limits(seed=seed), **options)
        assert ran.result.status is (Status.SATISFIED if sorted_scores else Status.UNSATISFIABLE)
        scores = [sorted_scores[rows] for rows, _ in ran.found]
        assert scores == sorted(set(scores))
        assert ran.result.fills == min(1, len(scores))
        if engine in {"auto", "mac"}:  # a small problem's levels are all settled
            assert ran.result.value == question.answer_to(Objective.MIN).best


@given(question=ruled, seed=seeds, data=st.data())
def test_they_find_and_prove_the_best_minimum(question: Question, seed: int, data: st.DataObject) -> None:
    for engine, options in asked(data, MAXIMISERS):
        check_the_best(engine, question, Objective.MIN, Limits(seed=seed), options)


@settings(max_examples=150)
@given(question=questions(sides=True, themed=True, sums=True, opened=True, rebus=True), seed=seeds, data=st.data())
def test_they_find_and_prove_the_best_value(question: Question, seed: int, data: st.DataObject) -> None:
    objectives = [objective for objective in Objective if question.theme or objective not in UNPROVED]
    objective = data.draw(st.sampled_from(objectives), label="objective")
    for engine, options in asked(data, ADDERS):
        check_the_best(engine, question, objective, Limits(seed=seed), options)
