"""Components of a grid that are filled apart: the same answers as together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill import Limits, Objective, Status, StopReason, solve
from cpfill.base.imports import load_kernel
from cpfill.engines import make_engine
from cpfill.engines.audited import tally
from cpfill.engines.mac import KERNEL
from cpfill.engines.mac.kernels import KernelMaker
from cpfill.engines.mac.search import fill_components
from cpfill.problem.result import Outcome
from tests.support import Question, question, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult

ISLANDS = ("..#..", "..#..", "#####", "..#..", "..#..")
"""Four squares of two slots of two letters each way."""

SQUARES = "AB CD AC BD EF GH EG FH IJ KL IK JL MN OP MO NP"
"""Enough for four squares, each with words of its own, and not for a fifth."""


def answer_of(asked: Question, seed: int = 0, objective: Objective = Objective.ANY) -> tuple[Problem, SolveResult]:
    problem = asked.problem(objective)
    return problem, solve(problem, engine=make_engine("mac"), limits=Limits(seed=seed))


@pytest.mark.parametrize("seed", range(5))
def test_components_share_no_word(seed: int) -> None:
    asked = question(*ISLANDS, words=SQUARES, max_fills=10**6)
    problem, result = answer_of(asked, seed)
    assert result.status is Status.SATISFIED
    assert result.fill is not None
    words = [result.fill.word_at(slot) for slot in problem.slots]
    assert len(set(words)) == len(words) == 16
    assert sorted(words) == sorted(SQUARES.split())


@pytest.mark.parametrize("seed", range(5))
def test_too_few_words_for_all_though_enough_for_each(seed: int) -> None:
    asked = question(*ISLANDS, words=SQUARES.replace("NP", "XY"))
    assert answer_of(asked, seed)[1].status is Status.UNSATISFIABLE


@pytest.mark.parametrize("seed", range(5))
def test_a_component_may_have_to_leave_its_word_to_another(seed: int) -> None:
    """Whichever is filled first may take the only word of the other, and has to give it back."""
    for rows in (("C..", "###", "..T"), ("..T", "###", "C..")):
        asked = question(*rows, words="CAT DOG PIG COD")
        assert answer_of(asked, seed)[1].status is Status.SATISFIED
    asked = question("C..", "###", "..T", "###", "...", words="CAT COT")
    assert answer_of(asked, seed)[1].status is Status.UNSATISFIABLE
    asked = question("C..", "###", "..T", "###", "...", words="CAT COT PEG")
    assert answer_of(asked, seed)[1].status is Status.SATISFIED


def test_with_repeats_they_may_share_all() -> None:
    asked = question(*ISLANDS, words="AA", repeats=True)
    assert answer_of(asked)[1].status is Status.SATISFIED


def test_a_component_without_a_fill_is_told_with_its_slot() -> None:
    asked = question("..#..", "..#.Z", words=SQUARES)
    problem, result = answer_of(asked)
    assert (result.status, result.stop_reason) == (Status.UNSATISFIABLE, StopReason.EXHAUSTED)
    assert result.wipeout is not None
    assert "Z" in problem.grid.pattern(problem.slots[result.wipeout])


@pytest.mark.parametrize("rows", [("..#..", "..#.."), ("...#", "#..#", "..#.", "##..")])
def test_the_best_value_is_that_of_a_brute_force(rows: tuple[str, ...]) -> None:
    words = {word: float(3 + 7 * place % 10) for place, word in enumerate([*SQUARES.split(), "ABC", "BCD", "ACE"])}
    asked = question(*rows, words=words)
    _, result = answer_of(asked, objective=Objective.MIN)
    assert result.value == asked.answer.best


def run_parts(problem: Problem, parts: Sequence[Sequence[int]], turn: int = 10**6) -> tuple[Outcome, list[int]]:
    made = KernelMaker(problem, load_kernel(KERNEL))

    def advance(kernel: Kernel) -> Outcome:
        name = kernel.step(60.0, kernel.counters()[0] + turn).name
        return {"FOUND": Outcome.FOUND, "EXHAUSTED": Outcome.EXHAUSTED, "RUNNING": Outcome.UNKNOWN}[name]

    def make(domains: Sequence[int], part: Sequence[int]) -> Kernel:
        return made.make(domains, slots=part)

    *turns, last = fill_components(problem, problem.domains, make, advance, parts=parts, seed=0)
    assert {outcome for outcome, _ in turns} <= {Outcome.UNKNOWN}
    return last


def test_it_goes_on_from_turn_to_turn() -> None:
    asked = question(*ISLANDS, words=SQUARES)
    problem = asked.problem()
    outcome, words = run_parts(problem, problem.grid.components, turn=1)
    assert outcome is Outcome.FOUND
    found = [problem.tables[slot].words[word] for slot, word in enumerate(words)]
    assert len(set(found)) == 16


def test_a_grid_of_many_components() -> None:
    row, blocks = "#".join([".."] * 6), "#" * 17
    rows = [line for _ in range(6) for line in (row, row, blocks)][:-1]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    words = " ".join(one + other for one in letters for other in letters if one < other)
    problem = question(*rows, words=words).problem()
    assert len(problem.grid.components) == 36
    result = tally(problem, make_engine("mac").search(problem, Limits()))
    assert result.status is Status.SATISFIED
    assert result.fill is not None
    assert len({result.fill.word_at(slot) for slot in problem.slots}) == 144
    assert len(rows_of(problem, result.fill)) == 17
