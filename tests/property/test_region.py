"""A refill of a region has exactly the fills that the brute force has with the other letters given."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from cpfill.api import enumerate_fills
from cpfill.limits import Limits
from cpfill.request import Request
from tests.brute_force import TooManyError
from tests.property.strategies import questions
from tests.support import HANG_S, Question, rows_of


@given(questions(), st.data())
def test_a_refill_has_the_fills_of_the_brute_force(question: Question, data: st.DataObject) -> None:
    assume(question.answer.fills)
    rows = data.draw(st.sampled_from(sorted(question.answer.fills)), label="filled")
    height, width = len(rows), len(rows[0])
    top, bottom = sorted(data.draw(st.tuples(*[st.integers(0, height - 1)] * 2), label="rows"))
    left, right = sorted(data.draw(st.tuples(*[st.integers(0, width - 1)] * 2), label="columns"))
    inside = {(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)}
    assume(any(rows[row][column] != "#" for row, column in inside))
    keeps = data.draw(st.booleans(), label="keep")

    def cell(row: int, column: int) -> str:
        letter = rows[row][column]
        if letter == "#":
            return ""
        return question.alphabet if ((row, column) in inside) is not keeps else letter

    refill = replace(question, cells=tuple(tuple(cell(r, c) for c in range(width)) for r in range(height)))
    try:
        expected = refill.answer.fills
    except TooManyError:
        assume(False)
    filled = replace(
        question, cells=tuple(tuple("" if letter == "#" else letter for letter in row) for row in rows)
    ).problem()
    region = f"r{top + 1}c{left + 1}:R{bottom + 1}C{right + 1}"
    request = Request.of(
        filled.grid,
        filled.lexicon,
        repeats=question.repeats,
        min_score=question.min_score,
        **{"keep" if keeps else "clear": region},
    )
    problem = request.problem()
    fills = list(enumerate_fills(problem, limits=Limits(fills=None, time_s=HANG_S)))
    assert {rows_of(problem, fill) for fill in fills} == expected
    for fill in fills:
        for change in fill.list_changes(filled.grid):
            places = {divmod(cell, width) for cell in change.slot.cells}
            assert change.old != change.new
            assert any((place in inside) is not keeps for place in places)
            for id_, old, new in zip(change.slot.cells, change.old, change.new, strict=True):
                assert old == new or (divmod(id_, width) in inside) is not keeps
