"""Designs are ranked by what their grids' best fills are worth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import InputError
from cpfill.base.threads import StopToken
from cpfill.engines.audited import settle
from cpfill.problem.event import StopReason
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits, Status
from cpfill.questions.generate import STYLES, Demands, Design, Ranking, generate, keep_fillable, rank_designs
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList

if TYPE_CHECKING:
    from collections.abc import Generator

ALL = Limits(fills=None)


@pytest.fixture(name="lexicon")
def make_lexicon(english: WordList) -> Lexicon:
    return Lexicon([english])


def follow(stream: Generator[Design, None, StopReason], most: int | None = None) -> tuple[Ranking, StopReason]:
    """Return the ranking of a stream; each report of a design must know more of it than the one before."""
    ranking, last = Ranking(most), dict[int, Design]()
    while True:
        try:
            design = next(stream)
        except StopIteration as end:
            return ranking, end.value
        before = last.get(design.number)
        assert (before is None) == (design.number == len(last) + 1)
        if before is not None:
            assert not before.proved
            assert design.value >= before.value
            assert design.problem == before.problem
        assert design.result.fill is not None
        assert design.result.fill.value(design.problem) == design.value
        last[design.number] = design
        ranking.add(design)


@pytest.mark.parametrize(
    ("objective", "levels"), [(Objective.MIN, ()), (Objective.MIN_THEN_SUM, ()), (Objective.LEXIMIN, (30.0, 50.0))]
)
def test_of_all_small_grids_the_best_come_first(
    objective: Objective, levels: tuple[float, ...], english: WordList
) -> None:
    """Every grid of a style is searched on its own, too: what is proved of it is the value that the design has."""
    lexicon = Lexicon([WordList("some", dict(list(english.words.items())[::6]))])
    demands = Demands(3, 4, STYLES["french"], (1, 1))
    grids = list(generate(demands, limits=ALL))
    proved = {}
    for grid in grids:
        result = settle(Problem(grid, lexicon, objective=objective, levels=levels))
        if result.status is Status.OPTIMAL:
            proved[grid] = result.value
    assert len(proved) > 5
    for most in (None, 4):
        fillable = keep_fillable(generate(demands, limits=ALL), lexicon, limits=ALL)
        ranking, reason = follow(rank_designs(fillable, objective, levels, limits=Limits(fills=most)), most)
        assert reason is StopReason.EXHAUSTED
        assert len(ranking.all) == len(proved)
        values = [design.value for design in ranking.best]
        assert values == sorted(values, reverse=True)
        assert values == sorted(filter(None, proved.values()), reverse=True)[:most]
        for design in ranking.best:
            assert design.proved
            assert design.value == proved[design.problem.grid]


@pytest.mark.parametrize(("time_s", "reason"), [(1.0, StopReason.TIME), (None, StopReason.INTERRUPTED)])
def test_time_and_token_stop_it(time_s: float | None, reason: StopReason, lexicon: Lexicon) -> None:
    token, demands = StopToken(), Demands(7, 7)
    limits = Limits(time_s=time_s, stop=token, fills=None)
    fillable = keep_fillable(generate(demands, limits=limits), lexicon, limits=limits)

    def stopped_at_three() -> Generator[Design, None, StopReason]:
        stream = rank_designs(fillable, Objective.MIN, limits=replace(limits, fills=2), each_s=0.2)
        while True:
            try:
                design = next(stream)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if design.number == 3 and time_s is None:
                token.set()
            yield design

    ranking, ended = follow(stopped_at_three(), 2)
    assert ended is reason
    assert time_s or len(ranking.best) == 2


def test_what_cannot_come_among_the_best_has_no_other_turn(lexicon: Lexicon) -> None:
    (grid,) = generate(Demands(3, 3, STYLES["french"], (0, 0)))
    problem = Problem(grid, lexicon, objective=Objective.MIN)
    result = settle(problem)
    assert result.value is not None
    ranking = Ranking(1)
    ranking.add(Design(1, problem, result))
    bounded = replace(result, status=Status.SATISFIED, value=(0.0,))
    assert not ranking.can_enter(Design(2, problem, replace(bounded, bound=result.value)))
    assert ranking.can_enter(Design(2, problem, replace(bounded, bound=(result.value[0] + 1,))))
    assert ranking.can_enter(Design(2, problem, replace(bounded, bound=None)))


def test_a_turn_takes_time(lexicon: Lexicon) -> None:
    fillable = keep_fillable(generate(Demands(5, 5)), lexicon)
    with pytest.raises(InputError, match="each_s"):
        next(rank_designs(fillable, Objective.MIN, each_s=-1))
