"""Numbers at the ends of their ranges: what is within works in every engine, what is beyond is one line."""

from __future__ import annotations

import subprocess
import threading
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import numpy as np
import pytest

from cpfill.base import errors as ranges
from cpfill.base.errors import EngineError, InputError, Range, quote_value
from cpfill.base.reading import parse_seconds
from cpfill.engines import make_engine
from cpfill.engines.toolkit.process import search_in_process
from cpfill.problem.event import Found
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Status
from cpfill.problem.rules import OBSCURE, Rules
from cpfill.public import make_problem
from cpfill.questions.diverse import diverse_fills
from tests.support import ADDERS, ENGINE_NAMES, question, run

if TYPE_CHECKING:
    from collections.abc import Callable

ALL = {name: one for name, one in vars(ranges).items() if isinstance(one, Range)}
SQUARE = question("..", "..", words="AB CD AC BD BA AA")
engines = pytest.mark.parametrize("engine", ENGINE_NAMES)


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_range_holds_its_ends_and_nothing_beyond(name: str) -> None:
    range_ = ALL[name]
    step = 1 if range_.whole else 1e-9 * range_.high
    inside = 0.5 if range_.whole else -1e-300
    beyond = [range_.low - step, range_.high + step, inside, True, None, "1", float("nan"), float("inf"), 10**5000]
    for number in (range_.low, range_.high):
        range_.check(number, "it")
    for value in beyond:
        with pytest.raises(InputError) as caught:
            range_.check(value, "it")
        (fault,) = caught.value.faults
        assert fault.expected == f"{range_} for it"
        assert len(str(fault)) < 120


def test_a_score_has_15_decimals() -> None:
    assert all(map(ranges.SCORE.holds, [0, 1e-15, 0.4771212547196624, Fraction(1, 3), np.float32(7.5), 10**12]))
    assert not any(map(ranges.SCORE.holds, [5e-324, 1e-16, -0.1, Decimal(1)]))


def test_digits_are_read_within_a_range() -> None:
    beyond = ["", "-1", "+1", "1.0", "1_0", "٣", "9" * 5000, "0", "257", " 1"]
    assert list(map(ranges.WORKERS.read, ["1", "256", *beyond])) == [1, 256, *[None] * len(beyond)]


def test_the_least_comes_after_the_greatest() -> None:
    assert [Range(3, 5).after(number, 1) for number in (3, 4, 5)] == [4, 5, 3]
    assert ranges.SEED.after(10**18, 5) == 4


@pytest.mark.parametrize("value", [10**400, -(10**400), [10**5000], {"a": ["b" * 10**6]}, "x" * 10**6, float("1e300")])
def test_a_value_is_told_in_few_characters(value: object) -> None:
    assert len(quote_value(value)) < 80
    for _ in range(2000):
        value = [value]
    assert len(quote_value(value)) < 80


@pytest.mark.parametrize("text", ["9" * 400, "1" + "0" * 400 + "s", "0." + "0" * 400 + "1s", " " * 10**5 + "x"])
def test_a_time_of_many_digits_is_read_at_once(text: str) -> None:
    assert parse_seconds(text) in {None, 0.0, float("inf")}


RULES = partial(Rules, max_obscure=1, below=1.0)
FIELDS: list[tuple[Callable[..., object], str, Range]] = [
    (Limits, "nodes", ranges.NODES),
    (Limits, "fills", ranges.COUNT),
    (Limits, "workers", ranges.WORKERS),
    (Limits, "seed", ranges.SEED),
    (Limits, "time_s", ranges.SECONDS),
    (RULES, "max_obscure", OBSCURE),
    (RULES, "min_score", ranges.SCORE),
    (RULES, "below", ranges.SCORE),
]


@pytest.mark.parametrize(("make", "name", "range_"), FIELDS)
def test_limits_and_rules_have_ranges(make: Callable[..., object], name: str, range_: Range) -> None:
    for number in (range_.low, range_.high):
        assert getattr(make(**{name: number}), name) == number
    for beyond in (range_.low - 1, 1.001 * range_.high, float("nan"), "1", 10**5000):
        with pytest.raises(InputError, match=f"{name}, found"):
            make(**{name: beyond})


@engines
@pytest.mark.parametrize(("name", "range_"), [field[1:] for field in FIELDS if field[0] is Limits])
def test_both_ends_of_a_limit_work(engine: str, name: str, range_: Range) -> None:
    for number in (range_.low, range_.high):
        limits: Any = {name: number}
        found = run(engine, SQUARE.problem(), Limits(**limits)).found
        assert {rows for rows, _ in found} <= SQUARE.answer.fills
        assert found or (number == range_.low and name in {"nodes", "time_s"})


@engines
@pytest.mark.parametrize("number", [OBSCURE.low, OBSCURE.high])
def test_both_ends_of_a_rule_work(engine: str, number: int) -> None:
    asked = replace(SQUARE, max_obscure=number)
    found = run(engine, asked.problem(), Limits(fills=None)).found
    assert {rows for rows, _ in found} == asked.answer.fills


@pytest.mark.parametrize("engine", ADDERS)
@pytest.mark.parametrize("objective", [Objective.MIN, Objective.SUM, Objective.MIN_THEN_SUM])
@pytest.mark.parametrize("score", [1e-15, 9.5e11])
def test_the_smallest_and_greatest_scores_add_up(engine: str, objective: Objective, score: float) -> None:
    asked = question("..", words={"AB": score, "BA": 0.0, "CC": score})
    result = run(engine, asked.problem(objective)).result
    assert (result.status, result.value) == (Status.OPTIMAL, asked.answer_to(objective).best)


@pytest.mark.parametrize("score", [5e-324, 1e-308, 1e17, float("inf"), float("nan"), -1.0, 10**400])
def test_other_scores_are_refused_wherever_they_stand(score: Any) -> None:
    words = {"ab": 1.0, "ba": score}
    text = f"ab;1\nba;{score}\n"
    asked: list[dict[str, Any]] = [{"words": words}, {"words": text}, {"weighted": words}, {"weighted": text}]
    asked += [{"words": ["ab"], "theme": words}, {"words": ["ab"], "theme": text}]
    for each in asked:
        with pytest.raises(InputError, match=r"expected a score \(0, or 1e-15 to 10\^16\)"):
            make_problem(["..", ".#"], objective="sum", **each)
    with pytest.raises(InputError, match="a score"):
        _ = question("..", words={"AB": score}).problem().domains


@pytest.mark.parametrize("core", [0, 10**9 + 1, 10**30, 1.5])
def test_a_core_has_its_range(core: Any) -> None:
    with pytest.raises(InputError, match=r"from 1 to 10\^9 for core"):
        make_engine("cpsat", core=core)
    for end in (1, 10**9):
        assert run("cpsat", SQUARE.problem(), core=end).result.fills == 1


def test_the_greatest_seed_makes_other_seeds_too() -> None:
    problem = question("..", "##", "..", "##", "..", words="AB CD EF GH IJ KL").problem()
    stream = diverse_fills(problem, limits=Limits(seed=ranges.SEED.high, fills=2))
    assert sum(isinstance(event, Found) for event in stream) == 2


@engines
def test_a_refused_thread_is_one_error(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", Mock(side_effect=RuntimeError("can't start new thread")))
    with pytest.raises(EngineError, match="another thread cannot be started"):
        list(make_engine(engine).search(SQUARE.problem(), Limits()))


def test_a_refused_process_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = BlockingIOError(11, "Resource temporarily unavailable")
    monkeypatch.setattr(subprocess, "Popen", Mock(side_effect=refused))
    with pytest.raises(EngineError, match="another process cannot be started: resource temporarily unavailable"):
        list(search_in_process("cpsat", {}, SQUARE.problem(), Limits()))
