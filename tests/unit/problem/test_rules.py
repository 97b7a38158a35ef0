"""Each rule alone: a question that only this rule refuses, beside one that it lets pass, for every engine and option.

A question is put to each engine once; its options take turns over the questions of a rule.

Where arc consistency could settle the question before an engine's own constraint is asked, it is made so that it
cannot: what is refused is locally consistent.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.engines import engine_class
from cpfill.engines.contract import required_features
from cpfill.engines.toolkit.propagation import ac3
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Status
from cpfill.testing.test_contract import check_the_best
from tests.support import ENGINE_NAMES, MAXIMISERS, Question, pairings, question, run
from tests.tables import read_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.support import Options

TABLES: dict[str, dict[str, Any]] = read_table("unit/problem/rules.toml")
FILLS = TABLES["fills"]
VALUES = TABLES["values"]
REFUSED = [name for name in FILLS if not FILLS[name]["fills"]]
ANSWERS = {"fills", "consistent", "objective", "value", "count"}

engines = pytest.mark.parametrize("engine", ENGINE_NAMES)
maximisers = pytest.mark.parametrize("engine", MAXIMISERS)
RULES = sorted({name.partition(" ")[0] for name in FILLS})
OBJECTIVES = sorted({name.partition(" ")[0] for name in VALUES})


def question_of(case: dict[str, Any]) -> Question:
    asked = {name: case[name] for name in case.keys() - ANSWERS - {"rows"}}
    asked["required"] = frozenset(case.get("required", ()))
    asked["levels"] = tuple(case.get("levels", ()))
    return question(*case["rows"].split("/"), **asked)


QUESTIONS = {name: question_of(case) for name, case in (FILLS | VALUES).items()}


def in_turn(engine: str, objective: Objective, names: Sequence[str]) -> Iterator[tuple[str, Question, Options]]:
    """Yield questions that the engine can be asked, each with its next configuration."""
    options = itertools.cycle(pairings(engine, objective))
    for name in names:
        asked = QUESTIONS[name]
        if required_features(asked.problem(objective), Limits()) <= engine_class(engine).features:
            yield name, asked, next(options)


@pytest.mark.parametrize("name", FILLS)
def test_the_table_of_fills_is_right(name: str) -> None:
    assert len(QUESTIONS[name].answer.fills) == FILLS[name]["fills"]
    if "consistent" in FILLS[name]:
        problem = QUESTIONS[name].problem()
        assert all(ac3(problem, problem.domains))


@pytest.mark.parametrize("name", VALUES)
def test_the_table_of_values_is_right(name: str) -> None:
    case = VALUES[name]
    answer = QUESTIONS[name].answer_to(Objective(case["objective"]))
    assert answer.best == tuple(case["value"])
    assert len(answer.best_fills) == case["count"]


@engines
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_alone(engine: str, rule: str) -> None:
    names = [name for name in FILLS if name.startswith(rule)]
    for name, asked, options in in_turn(engine, Objective.ANY, names):
        every = run(engine, asked.problem(), Limits(fills=None), **options)
        one = run(engine, asked.problem(), **options)
        assert sorted(rows for rows, _ in every.found) == sorted(asked.answer.fills), (name, options)
        statuses = (every.result.status, one.result.status)
        if asked.answer.fills:
            assert statuses == (Status.ALL_FILLS, Status.SATISFIED), (name, options)
        else:
            assert statuses == (Status.UNSATISFIABLE, Status.UNSATISFIABLE), (name, options)


@maximisers
@pytest.mark.parametrize("group", OBJECTIVES)
def test_an_objective_alone(engine: str, group: str) -> None:
    names = [name for name in VALUES if name.startswith(group)]
    for objective in Objective:
        same = [name for name in names if VALUES[name]["objective"] == objective]
        for _, asked, options in in_turn(engine, objective, same):
            check_the_best(engine, asked, objective, Limits(), options)


@maximisers
@pytest.mark.parametrize("objective", [Objective.MIN, Objective.SUM, Objective.MIN_THEN_SUM, Objective.LEXIMIN])
def test_no_fill_has_no_value(engine: str, objective: Objective) -> None:
    for _, asked, options in in_turn(engine, objective, REFUSED):
        check_the_best(engine, asked, objective, Limits(), options)


@engines
def test_a_slot_longer_than_any_word_is_named(engine: str) -> None:
    problem = question("..#", "...", words="AB BA CA").problem()
    result = run(engine, problem).result
    assert result.status is Status.UNSATISFIABLE
    assert result.wipeout is not None
    assert problem.slots[result.wipeout].length == 3
