"""Whether formulas say together what is claimed: held against the values of all fills there could be."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.proofs.claim import NO_BETTER, _follows, list_ways
from cpfill.testing.brute_force import Rules, value_of

SCORES = tuple(map(float, range(6)))
scores = st.lists(st.sampled_from(SCORES), min_size=4, max_size=4).map(sorted)


def keep_to_a_way(claim: object, scores: list[float]) -> list[bool]:
    """Return for each way to be better whether the scores of a fill keep to its bounds."""
    told: Any = claim
    kept = []
    for _, bounds in list_ways(told, SCORES):
        kept.append(all(sum(score < under for score in scores) <= most for under, most in bounds))
    return kept


def value(scores: list[float], levels: tuple[float, ...]) -> tuple[float, ...]:
    words = {str(place): score for place, score in enumerate(scores)}
    return value_of(list(words), words, Rules(levels=levels), ["leximin"])


@given(one=scores, other=scores, levels=st.sets(st.sampled_from(SCORES[1:])).map(sorted).map(tuple))
def test_a_better_fill_keeps_to_bounds_of_one_way(
    one: list[float], other: list[float], levels: tuple[float, ...]
) -> None:
    claim = SimpleNamespace(text=NO_BETTER, levels=levels, objective="leximin", value=value(one, levels))
    assert any(keep_to_a_way(claim, other)) == (value(other, levels) > value(one, levels))


@given(one=scores, other=scores)
def test_so_it_is_with_the_minimum(one: list[float], other: list[float]) -> None:
    claim = SimpleNamespace(text=NO_BETTER, levels=(), objective="min", value=(one[0],))
    assert keep_to_a_way(claim, other) == [other[0] > one[0]]


@pytest.mark.parametrize(("score", "over"), [(0.1, 0.2), (0.2, 0.3), (0.3, 0.7), (1.0, 1e16)])
def test_scores_are_compared_as_they_are_written(score: float, over: float) -> None:
    """As a float 0.1 is more than 0.1, and 0.3 is less than 0.3."""
    bounds = [(score, 0), (over, 1)]
    assert _follows(bounds, Decimal(repr(score)), 0)
    assert not _follows(bounds, Decimal(repr(score)), 0, above=True)
    assert _follows(bounds, Decimal(repr(score)), 1, above=True)
    assert not _follows(bounds, Decimal(repr(over)), 0)
    assert not _follows(bounds, Decimal(repr(over)), 1, above=True)
