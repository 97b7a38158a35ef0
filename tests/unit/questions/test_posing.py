"""Own entries, against fills enumerated by hand: neither lists nor least scores count for them."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from cpfill import enumerate_fills, make_problem
from tests.support import ENGINE_NAMES

EVERY = ["".join(letters) for letters in product("ABC", repeat=3)]


def fill_by_hand(
    rows: list[str], words: dict[str, float], least: float, most: int | None, below: float
) -> set[tuple[str, ...]]:
    """Return every fill of a grid of 3x3; rows that are given whole are one's own."""
    own, found = {row for row in rows if row != "..."}, set()
    usable = own.union(word for word, score in words.items() if score >= least)
    for fill in product(*([row] if row in own else sorted(usable) for row in rows)):
        slots = [*fill, *map("".join, zip(*fill, strict=True))]
        if usable.issuperset(slots) and len({*slots}) == len(slots):
            obscure = sum(words[word] < below for word in slots if word not in own)
            if most is None or obscure <= most:
                found.add(fill)
    return found


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_own_entries_are_exempt_from_lists_and_least_scores(engine: str) -> None:
    filled = exempt = 0
    for number in range(60):
        chance = Random(number)
        words = {word: chance.choice([0.0, 10.0, 40.0, 60.0]) for word in chance.sample(EVERY, 16)}
        own = chance.choice(EVERY)
        rows = chance.sample([own, "...", "..."], 3)
        least, most, below = chance.choice([0.0, 10.0, 50.0]), chance.choice([None, 1, 2]), chance.choice([20.0, 70.0])
        problem = make_problem(rows, words, min_score=least, max_obscure=most, below=None if most is None else below)
        told = {tuple(fill.rows) for fill in enumerate_fills(problem, engine=engine)}
        assert told == fill_by_hand(rows, words, least, most, below)
        low = own in words and words[own] < max(least, below if most is not None else 0.0)
        assert (problem.accepted, problem.exempt) == (
            () if own in words else (own,),
            {own: words[own]} if low else {},
        )
        filled, exempt = filled + bool(told), exempt + (low and bool(told))
    assert filled > exempt > 0
