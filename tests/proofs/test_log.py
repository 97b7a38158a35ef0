"""What the kernel logs, against the brute force: what is refuted together is in no fill that is left."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from cpfill.engines.mac.kernels import KernelMaker
from cpfill.problem.problem import Fill
from cpfill.testing.questions import questions
from tests.support import Question, question, rows_of
from tests.unit.engines.test_mac_kernel import each_kernel

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem
    from cpfill.testing.brute_force import Rows

MANY = 10**9
Decision = tuple[int, int, int]


def read_log(packed: bytes, stack: list[Decision]) -> list[list[Decision]]:
    """Return the decisions that are refuted together, each time; `stack` has those that are taken, before and after."""
    refuted, entries = [], iter(array("i", packed))
    for entry in entries:
        if entry == -1:
            refuted.append(stack[:])
            stack.pop()
        elif entry == -2:
            stack.clear()
        else:
            stack.append((entry, next(entries), next(entries)))
    return refuted


def has(problem: Problem, words: list[str], decision: Decision) -> bool:
    slot, pos, value = decision
    if pos < 0:
        return problem.tables[slot].words[value] == words[slot]
    return problem.grid.alphabet.letters[value] == words[slot][pos]


@each_kernel
@given(asked=questions(sides=True, opened=True, rebus=True), seed=st.integers(0, 3), options=st.data())
def test_what_is_refuted_is_in_no_fill_that_is_left(
    asked: Question,
    seed: int,
    options: st.DataObject,
    module: Any,
) -> None:
    problem = asked.problem()
    by_cell, first_limit = options.draw(st.sampled_from([(False, 0), (True, 0), (False, 1)]))
    kernel = KernelMaker(problem, module).make(
        problem.domains, seed=seed, by_cell=by_cell, first_limit=first_limit, logged=True
    )
    left: dict[Rows, list[str]] = {}
    for rows in asked.answer.fills:
        letters = tuple(asked.rebus.get(sign, sign.replace("#", "")) for row in rows for sign in row)
        fill = Fill(letters, problem.grid)
        left[rows] = [fill.word_at(slot) for slot in problem.slots]
    stack: list[Decision] = []
    refuted = 0
    while True:
        answer = kernel.step(60.0, MANY)
        for decisions in read_log(kernel.log(), stack):
            refuted += 1
            for words in left.values():
                assert not all(has(problem, words, decision) for decision in decisions)
        if answer.name != "FOUND":
            break
        del left[rows_of(problem, Fill.of_words(problem, kernel.words()))]
    assert answer.name == "EXHAUSTED"
    assert not left
    assert not stack
    if not first_limit:
        assert refuted == kernel.counters()[0]


@each_kernel
def test_nothing_is_logged_unless_it_is_asked_for(module: Any) -> None:
    problem = question("...", "...", "...", words="ABC BAD CAB ADA BAA DAB CCC").problem()
    kernel = KernelMaker(problem, module).make(problem.domains)
    kernel.step(60.0, MANY)
    assert kernel.counters()[0] > 0
    assert not kernel.log()
