"""Numbers at the ends of their ranges: what is within works in every engine, what is beyond is one line."""

from __future__ import annotations

import subprocess
import threading
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cpfill.base import errors as ranges
from cpfill.base.errors import EngineError, InputError, Range, quote_value
from cpfill.base.reading import parse_seconds
from cpfill.engines import make_engine, options_of
from cpfill.engines.audited import tally
from cpfill.engines.toolkit.process import search_in_process
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

# What Limits and Rules have of each range.
LIMITS = {"nodes": ranges.NODES, "fills": ranges.COUNT, "workers": ranges.WORKERS, "seed": ranges.SEED}
RULES = {"max_obscure": OBSCURE}
C6: dict[str, Any] = {"max_obscure": 1, "below": 1.0}


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_range_holds_its_ends_and_nothing_beyond(name: str) -> None:
    range_ = ALL[name]
    step = 1 if range_.whole else 1e-9 * range_.high
    beyond: list[Any] = [range_.low - step, range_.high + step, True, None, "1", float("nan"), float("inf"), 10**5000]
    beyond += [0.5] if range_.whole else [-1e-300]
    for number in (range_.low, range_.high):
        range_.check(number, "it")
    for number in beyond:
        with pytest.raises(InputError) as caught:
            range_.check(number, "it")
        (fault,) = caught.value.faults
        assert fault.expected == f"{range_} for it"
        assert len(str(fault)) < 120


def test_the_finest_score_is_no_number_of_three_hundred_decimals() -> None:
    assert all(map(ranges.SCORE.holds, [0, 1e-15, 0.4771212547196624, Fraction(1, 3), np.float32(7.5), 10**12]))
    assert not any(map(ranges.SCORE.holds, [5e-324, 1e-16, -0.1, Decimal(1)]))


@pytest.mark.parametrize("text", ["", "-1", "+1", "1.0", "1_0", "٣", "9" * 5000, "0", "257", " 1"])
def test_digits_that_are_no_number_of_a_range(text: str) -> None:
    assert ranges.WORKERS.read(text) is None


def test_after_the_greatest_comes_the_least() -> None:
    assert [Range(3, 5).after(number, 1) for number in (3, 4, 5)] == [4, 5, 3]
    assert ranges.SEED.after(10**18, 5) == 4
    assert ranges.WORKERS.read("256") == 256


@pytest.mark.parametrize("value", [10**400, -(10**400), [10**5000], {"a": ["b" * 10**6]}, "x" * 10**6, float("1e300")])
def test_a_value_is_told_in_few_characters(value: object) -> None:
    nested: object = value
    for _ in range(2000):
        nested = [nested]
    assert max(len(quote_value(value)), len(quote_value(nested))) < 80


@pytest.mark.parametrize("text", ["9" * 400, "1" + "0" * 400 + "s", "0." + "0" * 400 + "1s", " " * 10**5 + "x"])
def test_a_time_of_many_digits_is_read_at_once(text: str) -> None:
    seconds = parse_seconds(text)
    assert seconds is None or seconds in {0.0, float("inf")}


def limit(name: str, value: object) -> dict[str, Any]:
    return {name: value}


FIELDS: list[tuple[Callable[..., object], str, Range]] = [
    *((Limits, name, range_) for name, range_ in {**LIMITS, "time_s": ranges.SECONDS}.items()),
    *((partial(Rules, **C6), name, range_) for name, range_ in RULES.items()),
    *((partial(Rules, **C6), name, ranges.SCORE) for name in ("min_score", "below")),
]


@pytest.mark.parametrize(("make", "name", "range_"), FIELDS)
def test_limits_and_rules_have_ranges(make: Callable[..., object], name: str, range_: Range) -> None:
    for number in (range_.low, range_.high):
        assert getattr(make(**limit(name, number)), name) == number
    for beyond in (range_.low - 1, 1.001 * range_.high, float("nan"), "1", 10**5000):
        with pytest.raises(InputError, match=f"{name}, found"):
            make(**limit(name, beyond))


@pytest.mark.parametrize("name", [*LIMITS, "time_s"])
@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_both_ends_of_a_limit_work_in_every_engine(engine: str, name: str) -> None:
    range_ = LIMITS.get(name, ranges.SECONDS)
    for number in (range_.low, range_.high):
        found = run(engine, SQUARE.problem(), replace(Limits(), **limit(name, number))).found
        assert {rows for rows, _ in found} <= set(SQUARE.answer.fills)
        assert found or (number == range_.low and name in {"nodes", "time_s"})


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_both_ends_of_a_rule_work_in_every_engine(engine: str) -> None:
    for name, range_ in RULES.items():
        for number in (range_.low, range_.high):
            changed: dict[str, Any] = {name: number}
            asked = replace(SQUARE, **changed)
            found = run(engine, asked.problem(), Limits(fills=None))
            assert {rows for rows, _ in found.found} == set(asked.answer.fills)


INEXACT = {1e16, 0.4771212547196624}


@pytest.mark.parametrize("score", [1e-15, 9.5e11, *INEXACT])
@pytest.mark.parametrize("engine", ADDERS)
def test_scores_at_both_ends_work_in_every_engine_or_are_refused_before(engine: str, score: float) -> None:
    asked = question("..", words={"AB": score, "BA": 0.0, "CC": score})
    for objective in (Objective.MIN, Objective.SUM, Objective.MIN_THEN_SUM):
        if objective is not Objective.MIN and score in INEXACT:
            with pytest.raises(InputError, match="exact"):
                asked.problem(objective)
            continue
        result = run(engine, asked.problem(objective)).result
        assert result.status is Status.OPTIMAL
        assert result.value == asked.answer_to(objective).best


@pytest.mark.parametrize("score", [5e-324, 1e-308, 1e17, float("inf"), float("nan"), -1.0, 10**400])
def test_scores_beyond_are_refused_wherever_they_come_from(score: Any) -> None:
    for words in ({"ab": 1.0, "ba": score}, f"ab;1\nba;{score}\n"):
        for asked in ({"words": words}, {"words": ["ab"], "theme": words}, {"weighted": words}):
            with pytest.raises(InputError, match=r"expected a score \(0, or 1e-15 to 10\^16\)"):
                make_problem(["..", ".#"], objective="sum", **asked)
    with pytest.raises(InputError, match="a score"):
        _ = question("..", words={"AB": score}).problem().domains


@pytest.mark.parametrize("core", [0, 10**9 + 1, 10**30, 1.5])
def test_a_core_has_its_range(core: Any) -> None:
    with pytest.raises(InputError, match=r"from 1 to 10\^9 for core"):
        make_engine("cpsat", core=core)
    for end in (1, 10**9):
        assert run("cpsat", SQUARE.problem(), core=end).result.fills == 1
    assert "core" in options_of("cpsat")


def test_the_greatest_seed_makes_other_seeds_too() -> None:
    problem = question("..", "##", "..", "##", "..", words="AB CD EF GH IJ KL").problem()
    limits = Limits(seed=ranges.SEED.high, fills=2)
    result = tally(problem, diverse_fills(problem, limits=limits))
    assert result.fills == 2


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_a_thread_that_the_system_has_not_is_one_error(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(EngineError, match="another thread cannot be started"):
        list(make_engine(engine).search(SQUARE.problem(), Limits()))


def test_a_process_that_the_system_has_not_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(EngineError, match="another process cannot be started: resource temporarily unavailable"):
        list(search_in_process("cpsat", {}, SQUARE.problem(), Limits()))
