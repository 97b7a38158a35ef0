"""Engines against the brute force on constraints that no rule comes to today: they know nothing but these."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from cpfill.problem.constraints import AllDifferent, Budget, Constraints, Cover, Domain, ExcludedPairs, Step
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits
from cpfill.testing.brute_force import Rows, TooManyError, words_in
from cpfill.testing.questions import ADDERS, ENGINE_NAMES, Question, run
from cpfill.testing.strategies import MAX_FILLS, options_for, questions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from cpfill.problem.constraints import Constraint
    from cpfill.problem.problem import Problem


@dataclass(frozen=True)
class Asked:
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
                steps = [Step(cost, pack([word for word in costs if costs[word] >= cost])) for cost in dear]
                yield Budget(tuple(steps) or (Step(1, {}),), limit)
            for word in self.cover:
                yield Cover(len(word), tables[len(word)].ids[word])

        return Constraints.unite(lower(), tables)


def share(one: str, other: str, run: int) -> bool:
    return any(one[at : at + run] in other for at in range(len(one) - run + 1))


@st.composite
def asked(draw: st.DrawFn, question: Question) -> Asked:
    lengths = {slot.length for slot in question.problem().slots}
    words = sorted(word for word in question.words if len(word) in lengths)
    some = st.frozensets(st.sampled_from(words)) if words else st.just(frozenset[str]())
    costs = st.fixed_dictionaries({word: st.sampled_from([0, 0, 1, 2, 7]) for word in words})
    return Asked(
        allowed=frozenset(words) - (draw(some, label="banned") if draw(st.booleans()) else frozenset()),
        once=draw(some, label="once"),
        run=draw(st.sampled_from([None, None, None, 2, 3]), label="run"),
        budgets=tuple(draw(st.lists(st.tuples(costs, st.integers(0, 12)), max_size=3), label="budgets")),
        cover=frozenset(sorted(draw(some, label="cover"))[: draw(st.sampled_from([0, 0, 1, 2]))]),
    )


def pose(question: Question, what: Asked, objective: Objective = Objective.ANY) -> Problem:
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
    what = data.draw(asked(question))
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
    what = data.draw(asked(question))
    values: dict[Rows, tuple[float, ...]] = {
        rows: value
        for rows, value in question.answer_to(objective).values.items()
        if what.holds(words_in(rows, question.min_slot_length))
    }
    for engine in ADDERS:
        options = data.draw(options_for(engine), label=f"options of {engine}")
        ran = run(engine, pose(question, what, objective), Limits(), **options)
        assert ran.result.value == max(values.values(), default=None)
