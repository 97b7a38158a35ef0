"""Values and bounds of sums of decimals, against the brute force, which adds up fractions."""

from __future__ import annotations

from random import Random

import pytest

from cpfill.problem.problem import Objective
from cpfill.problem.result import Status
from cpfill.problem.value import exceeds
from cpfill.testing import brute_force
from cpfill.testing.questions import ADDERS, Question, question, run

SUMS = [Objective.SUM, Objective.MIN_THEN_SUM]
SHAPES = [("...", "...", "..."), ("...", "#..", ".#."), ("....", ".#..", "...."), ("..#", "...", "#..")]


def draw_number(chance: Random) -> float:
    """Return a decimal: a score or a weight, with up to four decimals, or of many digits."""
    decimals = chance.choice([0, 0, 1, 2, 3, 4])
    return float(chance.randrange(chance.choice([10, 100, 10_000])) / 10**decimals)


def draw_question(chance: Random) -> Question:
    """Return a question with fills, whose scores and weights are decimals."""
    while True:
        rows = chance.choice(SHAPES)
        letters = "ABC"[: chance.choice([2, 2, 3])]
        lengths = {len(run) for run in brute_force.runs_in(rows, 2).values()}
        words = {"".join(chance.choices(letters, k=n)): draw_number(chance) for n in lengths for _ in range(10)}
        theme = {word: draw_number(chance) for word in chance.choices(sorted(words), k=chance.choice([0, 0, 2, 5]))}
        asked = Question(brute_force.cells_of(*rows, alphabet=letters), words, letters, repeats=True, theme=theme)
        if asked.answer.fills:
            return asked


# The best fill has 102, and CP-SAT says a bound of 101.99999999999999.
SCALED = [
    question(
        *("...", "#..", ".#."),
        words={"FCC": 83.0, "DCC": 87.0, "FDD": 6.0, "DF": 64.0, "FC": 50.0, "FDF": 50.0},
        theme={"FC": 9.0, "FDF": 93.0},
        required=frozenset({"FC"}),
    ),
]


@pytest.mark.parametrize("goal", SUMS)
@pytest.mark.parametrize("engine", ADDERS)
def test_sums_of_decimals_and_their_bounds_are_exact(engine: str, goal: Objective) -> None:
    for asked in [*SCALED, *(draw_question(Random(number)) for number in range(25))]:
        done = run(engine, asked.problem(goal))
        best = asked.answer_to(goal).best
        assert best is not None
        assert done.result.status is Status.OPTIMAL
        assert (done.result.value, done.result.bound) == (best, best)
        assert not [bound for bound in done.bounds if exceeds(best, bound)]
