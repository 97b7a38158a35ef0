"""Components of a grid that are filled apart: the same answers as together."""

from __future__ import annotations

from itertools import combinations

import pytest

from cpfill.problem.result import Limits, Status
from tests.support import question, run

ISLANDS = "..#../..#../#####/..#../..#.."
"""Four squares of two slots of two letters each way."""

SQUARES = "AB CD AC BD EF GH EG FH IJ KL IK JL MN OP MO NP"
"""Enough for four squares, each with words of its own, and not for a fifth."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MANY = "/".join(["#".join([".."] * 6), "#".join([".."] * 6), "#" * 17] * 6)
PAIRS = " ".join(map("".join, combinations(LETTERS, 2)))

CASES = {
    "each has words of its own": (ISLANDS, SQUARES, Status.SATISFIED),
    "too few for all though enough for each": (ISLANDS, SQUARES.replace("NP", "XY"), Status.UNSATISFIABLE),
    "the first leaves its word to the other": ("C../###/..T", "CAT DOG PIG COD", Status.SATISFIED),
    "the other leaves its word to the first": ("..T/###/C..", "CAT DOG PIG COD", Status.SATISFIED),
    "two words for three": ("C../###/..T/###/...", "CAT COT", Status.UNSATISFIABLE),
    "three words for three": ("C../###/..T/###/...", "CAT COT PEG", Status.SATISFIED),
    "36 components": (MANY, PAIRS, Status.SATISFIED),
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", CASES)
def test_components_share_no_word(name: str, seed: int) -> None:
    rows, words, status = CASES[name]
    result = run("mac", question(*rows.split("/"), words=words).problem(), Limits(seed=seed)).result
    assert result.status is status
    if result.fill:
        found = list(result.fill.words.values())
        assert set(found) <= set(words.split())
        assert len(set(found)) == len(found)


def test_a_component_without_a_fill_is_told_by_its_slot() -> None:
    ran = run("mac", question("..#..", "..#.Z", words=SQUARES).problem())
    assert ran.result.status is Status.UNSATISFIABLE
    assert ran.finished.wipeout is not None
    slot = ran.problem.slots[ran.finished.wipeout]
    assert "Z" in ran.problem.grid.pattern(slot)
