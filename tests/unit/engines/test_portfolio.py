"""The merging of several streams into one, and the process of the third racer."""

import itertools
import os
from random import Random
from typing import Any

import pytest

from cpfill import (
    Bound,
    Event,
    Finished,
    Found,
    Lexicon,
    Limits,
    Objective,
    Status,
    StopReason,
    make_engine,
    parse_word_list,
    read_grids,
)
from cpfill.base.errors import EngineError
from cpfill.engines.audited import tally
from cpfill.engines.auto import Merge
from cpfill.engines.mac.engine import MacEngine
from cpfill.engines.mac.search import StartingPoint
from cpfill.engines.toolkit.process import LostProcessError, search_in_process
from cpfill.problem.problem import Fill, Problem
from tests.support import question

NO_FILL = Finished(StopReason.EXHAUSTED)


def tiny(objective: Objective = Objective.ANY) -> Problem:
    _, (grid,) = read_grids("..\n..")
    return Problem(grid, Lexicon([parse_word_list("AB;3\nCD;4\nAC;5\nBD;6\nXY;9")]), objective=objective)


def found(value: float) -> Found:
    return Found(Fill(("A", "B", "C", "D"), tiny().grid), (value,))


@pytest.mark.parametrize("objective", list(Objective))
def test_a_proof_that_there_is_none_against_a_fill_is_loud(objective: Objective) -> None:
    merge = Merge(tiny(objective))
    assert list(merge.take("one", found(3.0)))
    with pytest.raises(EngineError, match="other"):
        list(merge.take("other", NO_FILL))


@pytest.mark.parametrize(("first", "second"), [(Bound((2.0,)), found(3.0)), (found(3.0), Bound((2.0,)))])
def test_a_bound_under_a_fill_is_loud(first: Event, second: Event) -> None:
    merge = Merge(tiny(Objective.MIN))
    list(merge.take("one", first))
    with pytest.raises(EngineError, match="other"):
        list(merge.take("other", second))


def test_only_what_is_better_passes() -> None:
    merge = Merge(tiny(Objective.MIN))
    passed = [event for value in (3.0, 2.0, 3.0, 5.0) for event in merge.take("one", found(value))]
    assert [event.value for event in passed if isinstance(event, Found)] == [(3.0,), (5.0,)]
    passed = [event for value in (9.0, 9.0, 8.0) for event in merge.take("one", Bound((value,)))]
    assert [event.value for event in passed if isinstance(event, Bound)] == [(9.0,), (8.0,)]


@pytest.mark.parametrize("calls", range(16))
def test_what_another_search_found_is_settled_with_its_value(calls: int) -> None:
    """A search of two criteria learns, at any moment, of a fill that is best by the first and poor by the second."""
    words = {"ABC": 1.0, "ABD": 2.0, "BCE": 3.0, "CDE": 50.0, "DEF": 60.0, "EFA": 55.0}
    asked = question("...", "#.#", "...", "###", "...", words=words, min_slot_length=3, theme={"ABC": 3.0, "BCE": 1.0})
    problem, answers = asked.problem(Objective.SUM), asked.answer_to(Objective.SUM)
    assert answers.best is not None
    poor, rows = min((value, rows) for rows, value in answers.values.items() if value[0] == answers.best[0])
    assert poor < answers.best
    other = Found(Fill(tuple(letter.replace("#", "") for letter in "".join(rows)), problem.grid), poor)
    asks = itertools.count()
    start = StartingPoint(best_of_all=lambda: poor if next(asks) >= calls else None)
    merge = Merge(problem)
    list(merge.take("other", other))
    merge.share("mac 1")
    for event in MacEngine().improve(problem, Limits(), start):
        list(merge.take("mac 1", event))
    assert merge.settled()
    assert merge.value == answers.best


def test_the_race_comes_to_the_answer_of_one_engine() -> None:
    problem = tiny(Objective.MIN)
    race = tally(problem, make_engine("auto").search(problem, Limits(workers=3)))
    alone = tally(problem, make_engine("fc").search(problem, Limits()))
    assert (race.status, race.value) == (alone.status, alone.value)
    assert (race.status, race.value) == (Status.OPTIMAL, (3.0,))


@pytest.mark.parametrize("workers", [1, 2])
def test_rectangles_without_blocks_go_by_rows(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.engines.auto.FIRST_NODES", 1)
    _, (grid,) = read_grids("....\n" * 4)
    proofs: set[str] = set()
    for seed in range(20):
        random = Random(seed)
        words = {"".join(random.choices("ABCD", k=4)) for _ in range(22)}
        problem = Problem(grid, Lexicon([parse_word_list("\n".join(sorted(words)))]))
        race = tally(problem, make_engine("auto").search(problem, Limits(workers=workers)))
        alone = tally(problem, make_engine("fc").search(problem, Limits()))
        assert race.status is alone.status
        proofs.add(race.proof)
    assert "row-by-row search" in proofs


def test_an_engine_in_a_process_answers_as_in_this_one() -> None:
    problem = tiny()
    apart = tally(problem, search_in_process("fc", {}, problem, Limits(fills=None)))
    here = tally(problem, make_engine("fc").search(problem, Limits(fills=None)))
    assert (apart.status, apart.fills, apart.fill) == (here.status, here.fills, here.fill)


class Fatal:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


def test_a_lost_process_is_told_from_a_wrong_answer() -> None:
    with pytest.raises(LostProcessError, match="exit code 3"):
        list(search_in_process("fc", {"fatal": Fatal()}, tiny(), Limits()))
