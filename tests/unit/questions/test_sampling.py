"""Estimates from draws against what was counted, and intervals against their promise."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import pytest

from cpfill.base.threads import StopToken
from cpfill.engines.audited import count, tally
from cpfill.problem.result import Limits
from cpfill.questions.api import make_problem
from cpfill.questions.estimate import ENOUGH, Sample, Weights, sample
from tests.support import INSTANCES, Question, question

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem

SEEDS = 100
TINY = INSTANCES / "tiny"


def draw(problem: Problem, *, limits: Limits, draws: int | None = None) -> Sample:
    *_, last = sample(problem, limits=limits, draws=draws)
    return last


@pytest.mark.parametrize("repeats", [False, True])
def test_intervals_hold_as_often_as_they_say(repeats: bool) -> None:
    """95 of 100 are expected; 85 or fewer have a chance of under 1 in 10,000."""
    problem = make_problem(TINY / "square.txt", TINY / "three.words.txt", repeats=repeats)
    counted = tally(problem, count(problem)).fills
    samples = [draw(problem, limits=Limits(seed=seed), draws=90) for seed in range(SEEDS)]
    exact = math.log10(counted)
    held = sum(each.log10_low <= exact <= each.log10_high for each in samples)
    assert held > 85
    assert all((each.log10_high < math.inf) == (each.effective >= ENOUGH) for each in samples)
    assert sum(each.log10_high < math.inf for each in samples) > SEEDS / 2
    mean = sum(10**each.log10_fills for each in samples) / SEEDS
    assert abs(mean / counted - 1) < 0.1


def test_skewed_draws_are_allowed_for() -> None:
    """Draws whose logarithms are normal, and whose mean is known."""
    sigma, held = 1.5, 0
    for seed in range(200):
        chance, tally = Random(seed), Weights()
        for _ in range(1000):
            tally.add(20 + chance.gauss(-(sigma**2) / 2, sigma))
        low, high = tally.interval()
        assert low < tally.log_mean < high
        held += low <= 20 <= high
    assert held > 170


def test_sums_do_not_overflow() -> None:
    tally = Weights()
    for log in (2000.0, -math.inf, 1000.0, 2000.0, 3000.0):
        tally.add(log)
    assert (tally.draws, tally.found) == (5, 4)
    assert math.isclose(tally.log_mean, 3000 - math.log(5))
    assert math.isclose(tally.effective, 1.0)
    assert tally.interval() == (tally.log_mean - math.log(40), math.inf)


def test_where_letters_are_independent_one_draw_is_as_good_as_all() -> None:
    drawn = draw(question("..", "..", words="AA AB BA BB", repeats=True).problem(), limits=Limits(), draws=40)
    assert drawn.found == 40
    assert math.isclose(drawn.log10_low, math.log10(16))
    assert math.isclose(drawn.log10_high, math.log10(16))


@pytest.mark.parametrize(
    "asked", [question("..", "..", words="AB CD"), question("..", "..", words="AA"), question("C.", "..", words="AB")]
)
def test_that_there_is_no_fill_is_proved(asked: Question) -> None:
    drawn = draw(asked.problem(), limits=Limits(time_s=30))
    assert not asked.answer.fills
    assert drawn.refuted
    assert (drawn.found, drawn.fill, drawn.log10_fills) == (0, None, -math.inf)


def test_a_seed_settles_the_draws_and_a_token_ends_them() -> None:
    problem = question("...", "...", "...", words="ABA BAB AAA BBB ABB BAA").problem()
    assert draw(problem, limits=Limits(seed=3), draws=50) == draw(problem, limits=Limits(seed=3), draws=50)
    stop = StopToken()
    stop.set()
    assert draw(problem, limits=Limits(stop=stop)).draws == 0
    assert draw(problem, limits=Limits(time_s=0)).log10_high == math.inf
