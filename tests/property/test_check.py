"""The audit against the brute force: a letter of a right fill is changed."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from cpfill.problem.check import violations
from cpfill.problem.problem import Objective
from cpfill.testing import brute_force
from cpfill.testing.questions import named_questions, questions
from tests.property.fills import fill_of
from tests.property.patterns import split
from tests.support import REBUS, Question, rows_of

ruled = questions(sides=True, themed=True, sums=True, opened=True, rebus=True, tied=True) | named_questions()
EASY = brute_force.Rules(repeats=True)


@given(question=ruled, objective=st.sampled_from(Objective))
def test_every_right_fill_passes_and_has_its_value(question: Question, objective: Objective) -> None:
    problem = question.problem(objective)
    for rows, value in question.answer_to(objective).values.items():
        fill = fill_of(rows, problem)
        assert rows_of(problem, fill) == rows
        assert violations(problem, fill) == []
        assert fill.value(problem) == value


@given(question=ruled, data=st.data())
def test_a_changed_letter_is_a_violation_when_the_brute_force_says_so(question: Question, data: st.DataObject) -> None:
    fills = sorted(question.answer.fills)
    assume(fills)
    rows = data.draw(st.sampled_from(fills), label="fill")
    text = list("".join(rows))
    for _ in range(data.draw(st.sampled_from([1, 1, 2]), label="changes")):
        place = data.draw(st.integers(0, len(text) - 1), label="cell")
        text[place] = data.draw(st.sampled_from("#1" + question.alphabet + "Z"), label="letter")
    changed = split("".join(text), len(rows[0]))
    problem = question.problem()
    right = brute_force.is_fill(question.cells, changed, question.words, question.rules)
    assert (not violations(problem, fill_of(changed, problem))) == right


@given(question=ruled, data=st.data())
def test_words_that_do_not_go_together_are_a_violation_when_the_brute_force_says_so(
    question: Question, data: st.DataObject
) -> None:
    """Right cells and words: only C3, C5, C6 or C7 are broken."""
    rules = question.rules
    alone = {
        "C3": replace(EASY, repeats=rules.repeats, theme=rules.theme),
        "C5": replace(EASY, marks=rules.marks),
        "C6": replace(EASY, max_obscure=rules.max_obscure, below=rules.below),
        "C7": replace(EASY, required=rules.required),
    }
    unnamed = replace(question, required=frozenset(), names=frozenset(), theme={}, max_fills=2000)
    lenient = replace(unnamed, repeats=True, no_shared=False, max_obscure=None)
    fills = sorted(lenient.answer.fills)
    assume(fills)
    problem = question.problem()
    for rows in data.draw(st.lists(st.sampled_from(fills), min_size=1, max_size=20)):
        used = brute_force.words_in(rows, question.min_slot_length, question.open_slots, REBUS)
        broken = {rule for rule, one in alone.items() if not brute_force.go_together(used, question.words, one)}
        if brute_force.has_natick(rows, question.words, rules):
            broken.add("C9")
        assert {violation.rule for violation in violations(problem, fill_of(rows, problem))} == broken
