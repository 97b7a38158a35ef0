"""Components of a grid that are filled apart: the same answers as together."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from cpfill.base.imports import load_kernel
from cpfill.engines.mac import KERNEL
from cpfill.engines.mac.kernels import KernelMaker
from cpfill.engines.mac.search import fill_components
from cpfill.problem.problem import Fill
from cpfill.problem.result import Limits, Outcome, Status
from tests.support import question, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.engines.mac._kernel import Kernel

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


def test_a_search_of_parts_goes_on_from_turn_to_turn() -> None:
    problem = question(*ISLANDS.split("/"), words=SQUARES).problem()
    maker = KernelMaker(problem, load_kernel(KERNEL))
    outcomes = {"FOUND": Outcome.FOUND, "EXHAUSTED": Outcome.EXHAUSTED, "RUNNING": Outcome.UNKNOWN}

    def advance(kernel: Kernel) -> Outcome:
        return outcomes[kernel.step(60.0, kernel.counters()[0] + 1).name]

    def make(domains: Sequence[int], part: Sequence[int]) -> Kernel:
        return maker.make(domains, slots=part)

    parts = problem.grid.components
    *turns, (outcome, words) = fill_components(problem, problem.domains, make, advance, parts=parts, seed=0)
    assert {turn for turn, _ in turns} == {Outcome.UNKNOWN}
    assert outcome is Outcome.FOUND
    assert len(set(Fill.of_words(problem, words).words.values())) == 16
