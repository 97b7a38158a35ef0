"""Every engine against the brute force, on random problems and on constraints that no rule comes to today.

One question serves several engines, because drawing and answering it takes longer than they do. A failure belongs to
the engine whose options were drawn last.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from cpfill.problem.constraints import AllDifferent, Budget, BudgetStep, Constraints, Cover, Domain, ExcludedPairs
from cpfill.problem.event import StopReason
from cpfill.problem.problem import Objective, exceeds
from cpfill.problem.result import Limits, Status
from cpfill.testing.brute_force import Rows, TooManyError, words_in
from cpfill.testing.questions import (
    ADDERS,
    ENGINE_NAMES,
    MAX_FILLS,
    MAXIMISERS,
    MEASURES,
    UNPROVED,
    Options,
    Question,
    options_for,
    questions,
    run,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from cpfill.problem.constraints import Constraint
    from cpfill.problem.problem import Problem

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


@dataclass(frozen=True)
class ConstraintQuestion:
    """What is asked of the words of a fill, in plain terms."""

    allowed: frozenset[str]
    once: frozenset[str]
    run: int | None
    budgets: tuple[tuple[Mapping[str, int], int], ...]
    cover: frozenset[str]

    def holds(self, words: list[str]) -> bool:
        used = Counter(words)
        return (
            self.allowed >= used.keys() >= self.cover
            and all(used[word] < 2 for word in self.once)
            and all(sum(costs[word] for word in words) <= limit for costs, limit in self.budgets)
            and not any(self.run and share(one, other, self.run) for one, other in combinations(words, 2))
        )

    def constraints(self, problem: Problem) -> Constraints:
        tables = {table.length: table for table in problem.tables}

        def pack(words: Collection[str]) -> dict[int, int]:
            return {n: sum(1 << id_ for word, id_ in table.ids.items() if word in words) for n, table in tables.items()}

        def lower() -> Iterator[Constraint]:
            yield Domain(pack(self.allowed))
            yield AllDifferent(pack(self.once))
            if self.run:
                yield ExcludedPairs(self.run)
            for costs, limit in self.budgets:
                dear = sorted(set(costs.values()) - {0})
                steps = [BudgetStep(cost, pack([word for word in costs if costs[word] >= cost])) for cost in dear]
                yield Budget(tuple(steps) or (BudgetStep(1, {}),), limit)
            for word in self.cover:
                yield Cover(len(word), tables[len(word)].ids[word])

        return Constraints.unite(lower(), tables)


def share(one: str, other: str, run: int) -> bool:
    return any(one[at : at + run] in other for at in range(len(one) - run + 1))


@st.composite
def constraint_question(draw: st.DrawFn, question: Question) -> ConstraintQuestion:
    lengths = {slot.length for slot in question.problem().slots}
    words = sorted(word for word in question.words if len(word) in lengths)
    some = st.frozensets(st.sampled_from(words)) if words else st.just(frozenset[str]())
    costs = st.fixed_dictionaries({word: st.sampled_from([0, 0, 1, 2, 7]) for word in words})
    return ConstraintQuestion(
        allowed=frozenset(words) - (draw(some, label="banned") if draw(st.booleans()) else frozenset()),
        once=draw(some, label="once"),
        run=draw(st.sampled_from([None, None, None, 2, 3]), label="run"),
        budgets=tuple(draw(st.lists(st.tuples(costs, st.integers(0, 12)), max_size=3), label="budgets")),
        cover=frozenset(sorted(draw(some, label="cover"))[: draw(st.sampled_from([0, 0, 1, 2]))]),
    )


def pose(question: Question, what: ConstraintQuestion, objective: Objective = Objective.ANY) -> Problem:
    """Return the problem of a question, the constraints of its rules replaced; no audit reads them."""
    problem = question.problem(objective)
    problem.__dict__["constraints"] = what.constraints(problem)
    return problem


def has_few_fills(question: Question) -> bool:
    try:
        return len(question.answer.values) <= MAX_FILLS
    except TooManyError:
        return False


loose = questions(sums=True).map(lambda each: replace(each, repeats=True, min_score=0.0)).filter(has_few_fills)


@given(data=st.data(), question=loose)
def test_all_fills_are_found(data: st.DataObject, question: Question) -> None:
    what = data.draw(constraint_question(question))
    expected = {
        rows: value
        for rows, value in question.answer.values.items()
        if what.holds(words_in(rows, question.min_slot_length))
    }
    for engine in ENGINE_NAMES:
        options = data.draw(options_for(engine), label=f"options of {engine}")
        ran = run(engine, pose(question, what), Limits(fills=None), **options)
        assert dict(ran.found) == expected


@given(data=st.data(), question=loose, objective=st.sampled_from([Objective.MIN, Objective.SUM, Objective.LEXIMIN]))
def test_the_best_fill_is_found(data: st.DataObject, question: Question, objective: Objective) -> None:
    what = data.draw(constraint_question(question))
    values: dict[Rows, tuple[float, ...]] = {
        rows: value
        for rows, value in question.answer_to(objective).values.items()
        if what.holds(words_in(rows, question.min_slot_length))
    }
    for engine in ADDERS:
        options = data.draw(options_for(engine), label=f"options of {engine}")
        ran = run(engine, pose(question, what, objective), Limits(), **options)
        assert ran.result.value == max(values.values(), default=None)
