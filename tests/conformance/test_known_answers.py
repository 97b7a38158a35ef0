"""Every known answer over every engine."""

from __future__ import annotations

import pytest

from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Status
from tests.property.problems import BOUND, DRAWN, EXACT, KNOWN, MANY_FILLS, PLAIN, Known, find_question
from tests.support import ADDERS, ENGINE_NAMES, MAXIMISERS, Options, configurations, run, skip_without

# With a packaged list an engine may take any time on a large grid, and two of them need not finish at all. Small grids
# are for every engine; the others are read, but not filled.
MAX_CELLS_PACKAGED = 30
SHARE = 5
# More fills than these take seconds to audit, for each engine; one of them, or the best, is sought all the same.
MOST_FILLS = 2000
SMALL = [known for known in KNOWN if known.packaged and len(known.grid.cells) <= MAX_CELLS_PACKAGED]
# Most of them are alike: each engine has its turn at every sixth, and each of them at an engine or two.
TURNS = [(engine, known) for turn, engine in enumerate(ENGINE_NAMES) for known in SMALL[turn % 6 :: 6]]
QUESTION = {"grid", "words", "repeats", "min_slot_length", "min_score", "alphabet", "theme", "objective"}
ANSWER = {"status", "fills", "best_min_score", "best", "best_count", "proof"}

engines = pytest.mark.parametrize("engine", ENGINE_NAMES)


def some_options(known: Known, engine: str, objective: Objective) -> list[Options]:
    """Return the default options, and on small problems some of the others: over all answers each gets its turn."""
    first, *others = configurations(engine, objective)
    if known.data["fills"] > MANY_FILLS or "objective" in known.data:
        return [first]
    return [first, *others[EXACT.index(known) % SHARE :: SHARE]]


def test_these_tests_understand_every_answer() -> None:
    for known in KNOWN:
        assert {"grid", "words", "status", "proof"} <= set(known.data) <= QUESTION | ANSWER
        assert known.data["status"] in {"SATISFIABLE", "UNSATISFIABLE"}
        assert known.grid.slots
        assert known.packaged or "fills" in known.data
        assert ("theme" in known.data) <= ("objective" in known.data)
        assert ("best" in known.data) <= ("objective" in known.data)
    assert len(EXACT) >= 30
    assert len(SMALL) >= 10
    assert len({str(known) for known in KNOWN}) == len(KNOWN) >= 100


@pytest.mark.parametrize("known", EXACT, ids=str)
def test_the_brute_force_knows_the_answers_as_well(known: Known) -> None:
    answer = known.question.answer_to(known.objective)
    assert len(answer.fills) == known.data["fills"]
    assert answer.best == known.best
    assert len(answer.best_fills) == known.data.get("best_count", 0)


@engines
@pytest.mark.parametrize("known", [known for known in PLAIN if known.data["fills"] <= MOST_FILLS], ids=str)
def test_every_fill_of_a_known_answer(engine: str, known: Known) -> None:
    for options in some_options(known, engine, Objective.ANY):
        ran = run(engine, known.problem(), Limits(fills=None), **options)
        values = [value for _, value in ran.found]
        assert ran.result.status is (Status.ALL_FILLS if known.satisfiable else Status.UNSATISFIABLE)
        assert ran.result.fills == known.data["fills"] == len(dict(ran.found))
        assert max(values, default=None) == known.best
        assert values.count(known.best or ()) == known.data.get("best_count", 0)


@engines
@pytest.mark.parametrize("known", PLAIN, ids=str)
def test_a_fill_of_a_known_answer(engine: str, known: Known) -> None:
    for options in some_options(known, engine, Objective.MIN):
        status = run(engine, known.problem(), **options).result.status
        assert status is (Status.SATISFIED if known.satisfiable else Status.UNSATISFIABLE)


@pytest.mark.parametrize("engine", MAXIMISERS)
@pytest.mark.parametrize("known", EXACT, ids=str)
def test_the_best_value_of_a_known_answer(engine: str, known: Known) -> None:
    problem = known.problem(known.objective)
    skip_without(engine, problem)
    for options in some_options(known, engine, Objective.MIN):
        best = run(engine, problem, **options).result
        assert best.status is (Status.OPTIMAL if known.satisfiable else Status.UNSATISFIABLE)
        assert best.value == known.best
        assert not known.satisfiable or best.bound == known.best


@pytest.mark.parametrize("engine", ADDERS)
@pytest.mark.parametrize("goal", [Objective.SUM, Objective.MIN_THEN_SUM])
def test_sums_of_decimals_and_bounds_are_exact(engine: str, goal: Objective) -> None:
    for name in ("decimals", *DRAWN, *BOUND):
        asked = find_question(name)
        result = run(engine, asked.problem(goal)).result
        best = asked.answer_to(goal).best
        assert result.value == best
        assert best is None or result.bound == best


@pytest.mark.parametrize(("engine", "known"), TURNS, ids=str)
def test_a_fill_with_a_packaged_list(engine: str, known: Known) -> None:
    # `weave` draws its words, and is lucky with the seed 0: with most others it takes seconds.
    result = run(engine, known.problem(), Limits(time_s=60.0)).result
    assert known.satisfiable
    assert result.status is Status.SATISFIED
