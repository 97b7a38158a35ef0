"""The audit against the brute force: a letter of a right fill is changed."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from cpfill.check import violations
from cpfill.fill import Fill
from tests import brute_force
from tests.property.strategies import questions
from tests.support import Question, rows_of


def fill_of(rows: tuple[str, ...]) -> Fill:
    return Fill(tuple("" if char == "#" else char for char in "".join(rows)))


def is_fill(question: Question, rows: tuple[str, ...]) -> bool:
    return brute_force.is_fill(
        question.cells,
        rows,
        question.words,
        question.min_slot_length,
        repeats=question.repeats,
        min_score=question.min_score,
    )


@given(question=questions())
def test_every_right_fill_passes_and_has_its_value(question: Question) -> None:
    problem = question.problem()
    for rows, value in question.answer.values.items():
        fill = fill_of(rows)
        assert rows_of(problem, fill) == rows
        assert violations(problem, fill) == []
        assert fill.value(problem) == value


@given(question=questions(), data=st.data())
def test_a_changed_letter_is_a_violation_when_the_brute_force_says_so(question: Question, data: st.DataObject) -> None:
    fills = sorted(question.answer.fills)
    assume(fills)
    rows = data.draw(st.sampled_from(fills), label="fill")
    text = list("".join(rows))
    for _ in range(data.draw(st.sampled_from([1, 1, 2]), label="changes")):
        place = data.draw(st.integers(0, len(text) - 1), label="cell")
        text[place] = data.draw(st.sampled_from("#" + question.alphabet + "Z"), label="letter")
    width = len(rows[0])
    changed = tuple("".join(text[start : start + width]) for start in range(0, len(text), width))
    assert (not violations(question.problem(), fill_of(changed))) == is_fill(question, changed)


@given(question=questions(), data=st.data())
def test_random_letters_are_a_fill_when_the_brute_force_says_so(question: Question, data: st.DataObject) -> None:
    text = "".join(data.draw(st.sampled_from(cell or "#")) for row in question.cells for cell in row)
    width = len(question.cells[0])
    rows = tuple(text[start : start + width] for start in range(0, len(text), width))
    assert (not violations(question.problem(), fill_of(rows))) == is_fill(question, rows)


@given(question=questions(), data=st.data())
def test_two_words_changed_for_others_are_a_violation_when_the_brute_force_says_so(
    question: Question, data: st.DataObject
) -> None:
    """Where repeats are forbidden, what is wrong is often C3 alone: words put twice."""
    lenient = Question(
        question.cells, question.words, question.alphabet, question.min_slot_length, repeats=True, max_fills=2000
    )
    try:
        fills = sorted(lenient.answer.fills)
    except brute_force.TooManyError:
        fills = []
    assume(fills)
    rows = data.draw(st.sampled_from(fills))
    broken = violations(question.problem(), fill_of(rows))
    assert (not broken) == is_fill(question, rows)
    expected = {"C3"} if not question.repeats else set()
    expected |= {"C2"} if question.min_score else set()
    assert {violation.rule for violation in broken} <= expected
