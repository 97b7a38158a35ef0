"""Own entries in random small grids, and which edits help there, against the brute force."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cpfill import solve
from cpfill.design.board import Symmetry
from cpfill.problem.problem import Objective
from cpfill.problem.result import Status
from cpfill.questions.check import Check
from cpfill.questions.edits import Edits, Judged, JudgedEdits, Standing
from cpfill.questions.question import Desk
from cpfill.questions.request import Request
from cpfill.questions.stats import Stats
from cpfill.testing import brute_force
from cpfill.testing.questions import TASKS, UNPROVED

if TYPE_CHECKING:
    from collections.abc import Mapping

Rows = tuple[str, ...]
LETTERS = "ABC"
DEFAULT_SCORE = 50.0


@dataclass(frozen=True)
class Asked:
    """A grid with givens, words, and what is asked of fills."""

    rows: Rows
    words: Mapping[str, float]
    require: tuple[str, ...] = ()
    strict: bool = False
    repeats: bool = False
    min_score: float = 0.0

    @property
    def options(self) -> dict[str, Any]:
        return {
            "require": self.require,
            "strict": self.strict,
            "repeats": self.repeats,
            "min_score": self.min_score,
            "alphabet": LETTERS,
        }

    def own(self, rows: Rows) -> dict[str, float]:
        """Return the own entries of a grid, each with its own score."""
        standing = {run for run in brute_force.runs_in(rows, 2).values() if "." not in run}
        entries = set[str]() if self.strict else standing.union(self.require)
        return {word: self.words.get(word, max(DEFAULT_SCORE, self.min_score)) for word in entries}

    def values(self, rows: Rows, goal: Objective) -> dict[Rows, tuple[float, ...]]:
        """Return all fills of a grid with their values."""
        own, least = self.own(rows), self.min_score
        runs = brute_force.runs_in(rows, 2).values()
        free = [run for run in runs if run not in own]
        if len(free) > len(own.keys() - set(runs)):  # own entries can take all slots only where one stands twice
            least = max([least, *(score for word, score in self.words.items() if len(word) in set(map(len, runs)))])
        usable = {word: score for word, score in self.words.items() if score >= self.min_score} | own
        rules = brute_force.Rules(repeats=self.repeats, required=frozenset(self.require))
        cells = brute_force.cells_of(*rows, alphabet=LETTERS)
        fills = brute_force.solve(cells, usable, rules, measures=(), max_fills=10**5, max_steps=10**7).fills
        return {fill: self._value(fill, own, least, goal) for fill in fills}

    def _value(self, fill: Rows, own: Mapping[str, float], least: float, goal: Objective) -> tuple[float, ...]:
        """Return what a fill is worth; where all its words are own entries, none counts as less than `least`."""
        scores = {**self.words, **own}
        used = brute_force.words_in(fill, 2)
        others = [scores[word] for word in used if word not in own]
        judged = sorted(others or [max(scores[word], least) for word in used])
        total = float(sum(Fraction(repr(scores[word])) for word in used))
        values = {Objective.MIN: judged[:1], Objective.SUM: [total], Objective.MIN_THEN_SUM: [judged[0], total]}
        return tuple(values.get(goal, judged))

    def best(self, rows: Rows, goal: Objective = Objective.MIN) -> tuple[float, ...] | None:
        return max(self.values(rows, goal).values(), default=None)


def draw(chance: Random) -> Asked:
    """Return a grid of which letters are given that complete runs, or would after an edit."""
    while True:
        height, width = chance.choice([(3, 3), (3, 2), (2, 3), (3, 4)])
        rows = tuple("".join(chance.choices("#.ABC", (2, 9, 2, 2, 1), k=width)) for _ in range(height))
        if chance.random() < 0.5:
            rows = ("".join(chance.choices(LETTERS, k=width)), *rows[1:])
        if brute_force.runs_in(rows, 2):
            break
    scores = chance.choice([(5.0, 20.0, 33.0, 50.0, 80.0), (0.1, 0.7, 33.3), (50.0,)])
    listed = {"".join(chance.choices(LETTERS, k=n)) for n in (2, 2, 2, 3, 3, 4) for _ in range(4)}
    words = {word: chance.choice(scores) for word in sorted(listed)}
    lengths = {len(run) for run in brute_force.runs_in(rows, 2).values()}
    fitting = [word for word in sorted(words) if len(word) in lengths]
    require = (chance.choice(fitting),) if fitting and chance.random() < 0.3 else ()
    strict, repeats = chance.random() < 0.2, chance.random() < 0.2 and not require
    return Asked(rows, words, require, strict, repeats, chance.choice([0.0, 0.0, 30.0]))


SCORED_LOW = [
    Asked(("BAB", "###", "..."), {"BAB": 20.0, "ACB": 50.0, "CAB": 90.0}, min_score=30.0),
    Asked(("BAB", "###", "..."), {"BAB": 20.0, "ACB": 5.0, "CAB": 90.0}, ("ACB",)),
    Asked(("...", "###", "..."), {"BAB": 20.0, "ACB": 5.0, "CAB": 90.0}, ("ACB",), min_score=10.0),
]
"""Own entries that score under the least score, or less than the other words."""


def judge(asked: Asked, style: str) -> tuple[Standing, list[Judged]]:
    """Return what `edits` says of a grid, and the latest of each edit."""
    request = Request.of(list(asked.rows), dict(asked.words), objective="min", **asked.options)
    question = Edits(request=request, style=style, symmetry=Symmetry.NONE, time_limit=60)
    *_, end = question.answer(Desk())
    assert isinstance(end, JudgedEdits)
    assert end.standing is not None
    return end.standing, end.ranked


@pytest.mark.parametrize("seed", range(8))
def test_edits_and_own_entries_agree_with_brute_force(seed: int) -> None:
    for number in range(10):
        asked = draw(Random(1000 * seed + number))
        standing, judged = judge(asked, "free")
        own = asked.best(asked.rows)
        assert standing.fillable is (own is not None), asked
        assert (None if standing.value is None else (standing.value,)) == own, asked
        for each in judged:
            edited = tuple(str(each.edit.grid).splitlines())
            best = asked.best(edited) if brute_force.runs_in(edited, 2) else None
            helps = best is not None and (own is None or best > own)
            assert each.verdict == ("yes" if helps else "no"), (asked, edited)
            assert each.bound is None or (each.value, each.bound) == 2 * (best or ()), (asked, edited)


@pytest.mark.parametrize(("engine", "goal"), [task for task in TASKS if task[1] not in UNPROVED | {Objective.LEXIMIN}])
def test_every_engine_values_own_entries_alike(engine: str, goal: Objective) -> None:
    filled = 0
    for asked in [*SCORED_LOW, *(draw(Random(number)) for number in range(20))]:
        values = asked.values(asked.rows, goal)
        result = solve(list(asked.rows), dict(asked.words), objective=goal, engine=engine, **asked.options)
        assert result.status is (Status.OPTIMAL if values else Status.UNSATISFIABLE), asked
        assert result.value == max(values.values(), default=None), asked
        assert result.fill is None or values[tuple(result.fill.rows)] == result.value, asked
        filled += bool(values)
    assert filled > 0


def test_check_and_stats_judge_a_fill_as_solve_does() -> None:
    compared = 0
    for number in range(200):
        asked = draw(Random(number))
        if not asked.require or any("." not in run for run in brute_force.runs_in(asked.rows, 2).values()):
            continue
        for fill, (value,) in sorted(asked.values(asked.rows, Objective.MIN).items())[:3]:
            request = Request.of(list(fill), dict(asked.words), **asked.options)
            audit: Any = next(Check(request=request).records(Desk()))
            assert (audit["valid"], audit["value"]) == (True, value), asked
            figures: Any = next(Stats(request=request).records(Desk()))
            scores = figures["fill"]["scores"].values()
            assert max(min(scores), asked.min_score) == value, asked
            compared += 1
    assert compared > 3
