"""Whether formulas say together what is claimed: held against the values themselves, and what cpfill writes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cpfill.limits import Limits
from cpfill.problem import Objective
from cpfill.proof.claim import NO_BETTER, read_claim
from cpfill.proof.coverage import find_gap, list_ways
from cpfill.result import Status
from tests.brute_force import Rules, value_of
from tests.proofs.test_solve_proof import write_proof
from tests.property.strategies import questions

if TYPE_CHECKING:
    from tests.support import Question

SCORES = tuple(map(float, range(6)))
scores = st.lists(st.sampled_from(SCORES), min_size=4, max_size=4).map(sorted)


@given(one=scores, other=scores, levels=st.sets(st.sampled_from(SCORES[1:])).map(sorted).map(tuple))
def test_each_better_fill_keeps_to_the_bounds_of_one_way(
    one: list[float], other: list[float], levels: tuple[float, ...]
) -> None:
    def value(found: list[float]) -> tuple[float, ...]:
        words = {f"{place}": score for place, score in enumerate(found)}
        return value_of(list(words), words, Rules(levels=levels), ["leximin"])

    claim: Any = SimpleNamespace(text=NO_BETTER, levels=levels, value=value(one))
    kept = [
        all(sum(score < under for score in other) <= most for under, most in bounds)
        for _, bounds in list_ways(claim, SCORES)
    ]
    assert any(kept) == (value(other) > value(one))


@given(one=scores, other=scores)
def test_so_it_is_with_the_minimum(one: list[float], other: list[float]) -> None:
    claim: Any = SimpleNamespace(text=NO_BETTER, levels=(), value=(one[0],))
    ((_, bounds),) = list_ways(claim, SCORES)
    assert all(sum(score < under for score in other) <= most for under, most in bounds) == (other[0] > one[0])


@settings(max_examples=25)
@given(
    asked=questions(sides=True, opened=True, rebus=True, sums=True),
    goal=st.sampled_from([Objective.ANY, Objective.MIN, Objective.LEXIMIN]),
)
def test_what_cpfill_writes_has_no_gap(asked: Question, goal: Objective) -> None:
    with TemporaryDirectory() as parent:
        problem = asked.problem(goal)
        if write_proof(Path(parent) / "proof", problem, Limits(fills=None)) is not Status.SATISFIED:
            assert find_gap(read_claim(Path(parent) / "proof"), problem.ranking) is None
