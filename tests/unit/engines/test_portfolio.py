"""The merging of several streams into one, and the process of the third racer."""

from __future__ import annotations

import itertools
import os
from random import Random
from typing import Any

import pytest

from cpfill.base.errors import EngineError
from cpfill.engines.audited import tally
from cpfill.engines.auto import Merge
from cpfill.engines.mac.engine import MacEngine
from cpfill.engines.mac.search import StartingPoint
from cpfill.engines.toolkit.process import LostProcessError, search_in_process
from cpfill.problem.event import Bound, Event, Finished, Found, StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits
from tests.support import question, run

TINY = question("..", "..", words={"AB": 3.0, "CD": 4.0, "AC": 5.0, "BD": 6.0, "XY": 9.0})
PROBLEM = TINY.problem(Objective.MIN)


def found(value: float) -> Found:
    return Found(Fill(("A", "B", "C", "D"), PROBLEM.grid), (value,))


@pytest.mark.parametrize(
    ("objective", "first", "second"),
    [
        *((objective, found(3.0), Finished(StopReason.EXHAUSTED)) for objective in Objective),
        (Objective.MIN, found(3.0), Bound((2.0,))),
        (Objective.MIN, Bound((2.0,)), found(3.0)),
    ],
)
def test_contradictions_are_loud(objective: Objective, first: Event, second: Event) -> None:
    merge = Merge(TINY.problem(objective))
    list(merge.take("one", first))
    with pytest.raises(EngineError, match="other"):
        list(merge.take("other", second))


def test_only_better_fills_and_bounds_pass() -> None:
    merge = Merge(PROBLEM)
    passed: list[Event] = []
    bounds: list[Event] = [Bound((9.0,)), Bound((9.0,)), Bound((8.0,))]
    for event in [*map(found, (3.0, 2.0, 3.0, 5.0)), *bounds]:
        passed += merge.take("one", event)
    values = [event.value for event in passed if isinstance(event, Found | Bound)]
    assert values == [(3.0,), (5.0,), (9.0,), (8.0,)]


@pytest.mark.parametrize("calls", range(16))
def test_a_fill_of_another_search_settles_its_value(calls: int) -> None:
    """A search of two criteria learns, at any moment, of a fill that is best by the first and poor by the second."""
    words = {"ABC": 1.0, "ABD": 2.0, "BCE": 3.0, "CDE": 50.0, "DEF": 60.0, "EFA": 55.0}
    asked = question("...", "#.#", "...", "###", "...", words=words, min_slot_length=3, theme={"ABC": 3.0, "BCE": 1.0})
    problem = asked.problem(Objective.SUM)
    answers = asked.answer_to(Objective.SUM)
    best = answers.best or ()
    poor, rows = min((value, rows) for rows, value in answers.values.items() if value[0] == best[0])
    assert poor < best
    letters = tuple(letter.strip("#") for letter in "".join(rows))
    asks = itertools.count()
    start = StartingPoint(best_of_all=lambda: poor if next(asks) >= calls else None)
    merge = Merge(problem)
    list(merge.take("other", Found(Fill(letters, problem.grid), poor)))
    merge.share("mac 1")
    for event in MacEngine().improve(problem, Limits(), start):
        list(merge.take("mac 1", event))
    assert merge.settled()
    assert merge.value == best


@pytest.mark.parametrize("workers", [1, 2])
def test_rectangles_without_blocks_go_by_rows(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.engines.auto.FIRST_NODES", 1)
    proofs: set[str] = set()
    for seed in range(20):
        random = Random(seed)
        words = " ".join({"".join(random.choices("ABCD", k=4)) for _ in range(22)})
        problem = question(*["...."] * 4, words=words).problem()
        race = run("auto", problem, Limits(workers=workers)).result
        assert race.status is run("fc", problem).result.status
        proofs.add(race.proof)
    assert "row-by-row search" in proofs


def test_an_engine_in_a_process_answers_as_here() -> None:
    problem = TINY.problem()
    apart = tally(problem, search_in_process("fc", {}, problem, Limits(fills=None)))
    here = run("fc", problem, Limits(fills=None)).result
    assert (apart.status, apart.fills, apart.fill) == (here.status, here.fills, here.fill)


class Fatal:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


def test_a_lost_process_is_no_wrong_answer() -> None:
    with pytest.raises(LostProcessError, match="exit code 3"):
        list(search_in_process("fc", {"fatal": Fatal()}, PROBLEM, Limits()))
