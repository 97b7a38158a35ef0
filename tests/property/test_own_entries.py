"""Own entries in random small grids, and which edits help there, against the brute force."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

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
from cpfill.testing.questions import TASKS, UNPROVED, questions

if TYPE_CHECKING:
    from collections.abc import Mapping

Rows = tuple[str, ...]
DEFAULT_SCORE = 50.0


@dataclass(frozen=True)
class Asked:
    """A grid with givens, words, and what is asked of fills."""

    rows: Rows
    words: Mapping[str, float]
    alphabet: str = "ABC"
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
            "alphabet": self.alphabet,
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
        cells = brute_force.cells_of(*rows, alphabet=self.alphabet)
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


@st.composite
def entries(draw: st.DrawFn) -> Asked:
    """Return a grid of which letters are given that complete runs, or would after an edit."""
    base = draw(questions(sums=True))
    rows = ["".join(show(cell, base.alphabet) for cell in row) for row in base.cells]
    written = draw(st.sampled_from(["a row", "all", "as drawn"]), label="letters")
    if written == "a row":
        rows[0] = draw(st.text(base.alphabet, min_size=len(rows[0]), max_size=len(rows[0])))
    if written == "all":
        rows = list(draw(st.sampled_from([tuple(rows), *sorted(base.answer.fills)])))
    lengths = {len(run) for run in brute_force.runs_in(rows, 2).values()}
    assume(lengths)
    fitting = [word for word in base.words if len(word) in lengths]
    require: tuple[str, ...] = ()
    if fitting and draw(st.integers(0, 2)) == 0:
        require = (draw(st.sampled_from(fitting), label="required"),)
    strict = draw(st.integers(0, 4)) == 0
    least = draw(st.sampled_from([0.0, 0.0, 30.0]), label="min_score")
    scores = st.sampled_from([5.0, 20.0, 33.3, 50.0, 80.0])
    words = {word: draw(scores) for word in base.words}
    return Asked(tuple(rows), words, base.alphabet, require, strict, base.repeats and not require, least)


def show(cell: str, alphabet: str) -> str:
    """Return a cell as text; of a letter set only the first letter is left."""
    if cell == alphabet:
        return "."
    return cell[:1] or "#"


GOALS = [task for task in TASKS if task[1] not in UNPROVED | {Objective.LEXIMIN, Objective.LETTER_VALUES}]
SCORED_LOW = [
    Asked(("BAB", "###", "..."), {"BAB": 20.0, "ACB": 50.0, "CAB": 90.0}, min_score=30.0),
    Asked(("BAB", "###", "..."), {"BAB": 20.0, "ACB": 5.0, "CAB": 90.0}, require=("ACB",)),
    Asked(("...", "###", "..."), {"BAB": 20.0, "ACB": 5.0, "CAB": 90.0}, require=("ACB",), min_score=10.0),
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


@settings(max_examples=60)
@given(asked=entries())
def test_edits_and_own_entries_agree_with_brute_force(asked: Asked) -> None:
    standing, judged = judge(asked, "free")
    own = asked.best(asked.rows)
    assert standing.fillable is (own is not None)
    assert (None if standing.value is None else (standing.value,)) == own
    for each in judged:
        edited = tuple(str(each.edit.grid).splitlines())
        best = asked.best(edited) if brute_force.runs_in(edited, 2) else None
        helps = best is not None and (own is None or best > own)
        assert each.verdict == ("yes" if helps else "no"), edited
        assert each.bound is None or (each.value, each.bound) == 2 * (best or ()), edited


def check_value(asked: Asked, engine: str, goal: Objective) -> None:
    values = asked.values(asked.rows, goal)
    result = solve(list(asked.rows), dict(asked.words), objective=goal, engine=engine, **asked.options)
    assert result.status is (Status.OPTIMAL if values else Status.UNSATISFIABLE)
    assert result.value == max(values.values(), default=None)
    assert result.fill is None or values[tuple(result.fill.rows)] == result.value


@pytest.mark.parametrize(("engine", "goal"), GOALS)
def test_every_engine_values_own_entries_alike(engine: str, goal: Objective) -> None:
    for asked in SCORED_LOW:
        check_value(asked, engine, goal)


@settings(max_examples=20)
@given(asked=entries())
def test_engines_value_drawn_entries_alike(asked: Asked) -> None:
    for engine, goal in GOALS:
        check_value(asked, engine, goal)


@given(asked=entries())
def test_check_and_stats_judge_a_fill_as_solve_does(asked: Asked) -> None:
    """Where all words are given but one that is required."""
    whole = all("." in run for run in brute_force.runs_in(asked.rows, 2).values())
    assume(asked.require and whole)
    for fill, (value,) in sorted(asked.values(asked.rows, Objective.MIN).items())[:3]:
        request = Request.of(list(fill), dict(asked.words), **asked.options)
        audit: Any = next(Check(request=request).records(Desk()))
        assert (audit["valid"], audit["value"]) == (True, value)
        figures: Any = next(Stats(request=request).records(Desk()))
        scores = figures["fill"]["scores"].values()
        assert max(min(scores), asked.min_score) == value
