"""Fills drawn at random against every fill that the brute force lists."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from cpfill.engines.mac import probes as sampling
from cpfill.engines.mac.engine import MacEngine
from cpfill.problem.result import Deadline, Outcome
from cpfill.testing.questions import questions
from tests.support import Question, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

ruled = questions(sides=True, opened=True, rebus=True)


class EveryWay(Random):
    """Takes every way through the choices that it is asked for, one draw after another."""

    def __init__(self) -> None:
        super().__init__()
        self._way: list[tuple[int, int]] = []  # which choice of how many
        self._at = 0
        self.log = 0.0  # of the chance of the way

    def choices(self, population: Sequence[Any], weights: Sequence[float] | None = None, **_: Any) -> list[Any]:  # type: ignore[override]
        assert weights is not None
        if self._at == len(self._way):
            self._way.append((0, len(population)))
        chosen, count = self._way[self._at]
        assert count == len(population)
        self._at += 1
        self.log += math.log(weights[chosen] / sum(weights))
        return [population[chosen]]

    def go_on(self) -> bool:
        """Begin the next way; return whether there is one."""
        while self._way and self._way[-1][0] + 1 == self._way[-1][1]:
            self._way.pop()
        if self._way:
            chosen, count = self._way[-1]
            self._way[-1] = chosen + 1, count
        self._at, self.log = 0, 0.0
        return bool(self._way)


@given(question=ruled)
def test_every_fill_is_at_the_end_of_one_way(question: Question) -> None:
    """Each fill is at the end of one way, and stands for as many fills as its chance is small: then no draw is biased.

    The chance of a way times what its fill stands for is 1, so that the sum over all ways is the number of fills.
    """
    problem = question.problem()
    sampler, every, fills = MacEngine().sampler(problem), EveryWay(), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampling, "KEPT", 0)  # so that no node is struck off, and ways can be told by number
        while True:
            outcome, log, fill = sampler.draw(every, Deadline(None))
            if fill is None:
                assert (outcome, log) == (Outcome.EXHAUSTED, -math.inf)
            else:
                assert outcome is Outcome.FOUND
                assert math.isclose(log, -every.log, abs_tol=1e-9)
                fills.append(rows_of(problem, fill))
            if not every.go_on():
                break
    assert sorted(fills) == sorted(question.answer.fills)
