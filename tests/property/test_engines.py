"""Every engine against the brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpfill.event import StopReason
from cpfill.limits import Limits
from cpfill.problem import Objective
from cpfill.result import Status
from cpfill.value import exceeds
from tests.property.strategies import LETTERS, options_for, questions
from tests.support import ADDERS, ENGINE_NAMES, MAXIMISERS, MEASURES, Options, Question, run

engines = pytest.mark.parametrize("engine", ENGINE_NAMES)
maximisers = pytest.mark.parametrize("engine", MAXIMISERS)
ruled = questions(sides=True, opened=True, rebus=True)
seeds = st.integers(0, 3)


def options_from(data: st.DataObject, engine: str) -> Options:
    return data.draw(options_for(engine), label="options")


@engines
@given(question=ruled, seed=seeds, data=st.data())
def test_it_finds_every_fill(engine: str, question: Question, seed: int, data: st.DataObject) -> None:
    ran = run(engine, question.problem(), Limits(fills=None, seed=seed), **options_from(data, engine))
    assert len(ran.found) == len(dict(ran.found))  # no fill twice
    assert dict(ran.found) == question.answer.values
    assert ran.result.status is (Status.ALL_FILLS if question.answer.values else Status.UNSATISFIABLE)
    assert ran.result.fills == len(question.answer.values)
    assert ran.finished.reason is StopReason.EXHAUSTED
    assert ran.finished.proof


@engines
@given(question=ruled, seed=seeds, data=st.data())
def test_it_finds_a_fill_or_proves_that_there_is_none(
    engine: str, question: Question, seed: int, data: st.DataObject
) -> None:
    ran = run(engine, question.problem(), Limits(seed=seed), **options_from(data, engine))
    assert ran.result.status is (Status.SATISFIED if question.answer.values else Status.UNSATISFIABLE)
    assert len(ran.found) == min(1, len(question.answer.values))
    assert dict(ran.found).items() <= question.answer.values.items()


@engines
@given(question=ruled, seed=seeds, data=st.data(), wanted=st.integers(2, 12))
def test_it_finds_as_many_fills_as_it_is_asked_for(
    engine: str, question: Question, seed: int, data: st.DataObject, wanted: int
) -> None:
    ran = run(engine, question.problem(), Limits(fills=wanted, seed=seed), **options_from(data, engine))
    there_are = len(question.answer.values)
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
    assert values == sorted(set(values))
    if "min" in (measures := MEASURES[objective, bool(question.theme)]):
        place = measures.index("min")
        lowest = [bound[place] for bound in ran.bounds if len(bound) > place]
        assert set(lowest) <= {score for score in question.words.values() if score >= question.min_score}
    if answer.best is not None:
        assert ran.result.bound == answer.best
        assert not any(exceeds(answer.best, bound) for bound in ran.bounds)


@maximisers
@given(question=ruled, seed=seeds, data=st.data())
def test_it_finds_and_proves_the_best_minimum(engine: str, question: Question, seed: int, data: st.DataObject) -> None:
    check_the_best(engine, question, Objective.MIN, Limits(seed=seed), options_from(data, engine))


@pytest.mark.parametrize("engine", ADDERS)
@settings(max_examples=200)
@given(question=questions(sides=True, themed=True, sums=True, opened=True, rebus=True), seed=seeds, data=st.data())
def test_it_finds_and_proves_the_best_value(engine: str, question: Question, seed: int, data: st.DataObject) -> None:
    objectives = [objective for objective in Objective if question.theme or objective is not Objective.ANY]
    objective = data.draw(st.sampled_from(objectives), label="objective")
    check_the_best(engine, question, objective, Limits(seed=seed), options_from(data, engine))


@engines
@given(question=questions(sides=True, opened=True), data=st.data(), letters=st.permutations(LETTERS))
def test_transposing_the_grid_and_renaming_the_letters_change_nothing(
    engine: str, question: Question, data: st.DataObject, letters: list[str]
) -> None:
    known = [letter for letter in letters if letter in question.alphabet]
    variants = [question, question.transposed, question.renamed(dict(zip(question.alphabet, known, strict=True)))]
    options = options_from(data, engine)
    every = [run(engine, variant.problem(), Limits(fills=None), **options).result for variant in variants]
    assert len({(result.status, result.fills) for result in every}) == 1
    if engine not in MAXIMISERS:
        return
    best = [run(engine, variant.problem(Objective.MIN), Limits(), **options).result for variant in variants]
    assert len({(result.status, result.value) for result in best}) == 1
