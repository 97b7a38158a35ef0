"""A refill of a region has exactly the fills that the brute force has with the other letters given.

Words that are given whole are words, though no list has them; open slots need none.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from cpfill.problem.check import violations
from cpfill.problem.result import Limits
from cpfill.public import enumerate_fills
from cpfill.questions.request import Request
from cpfill.testing.brute_force import Start, runs_in
from cpfill.testing.questions import questions
from tests.support import HANG_S, REBUS, Question, rows_of


def spell(run: str) -> str:
    return "".join(REBUS.get(sign, sign) for sign in run)


def places_of(start: Start, word: str) -> list[tuple[int, int]]:
    direction, row, column = start
    return [(row, column + i) if direction == "Across" else (row + i, column) for i in range(len(word))]


@given(questions(rebus=True), st.data())
def test_a_refill_has_the_fills_of_the_brute_force(question: Question, data: st.DataObject) -> None:
    assume(question.answer.fills)
    rows = data.draw(st.sampled_from(sorted(question.answer.fills)), label="filled")
    height, width = len(rows), len(rows[0])
    top, bottom = sorted(data.draw(st.tuples(*[st.integers(0, height - 1)] * 2), label="rows"))
    left, right = sorted(data.draw(st.tuples(*[st.integers(0, width - 1)] * 2), label="columns"))
    inside = {(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)}
    assume(any(rows[row][column] != "#" for row, column in inside))
    keeps = data.draw(st.booleans(), label="keep")
    fixed = data.draw(st.frozensets(st.integers(0, height * width - 1), max_size=2), label="fixed")

    def cell(row: int, column: int) -> str:
        letter = rows[row][column]
        if letter == "#":
            return ""
        stays = letter in REBUS or row * width + column in fixed
        return letter if stays or ((row, column) in inside) is keeps else question.alphabet

    filled = replace(
        question, cells=tuple(tuple("" if letter == "#" else letter for letter in row) for row in rows)
    ).problem()
    opened = data.draw(st.sets(st.sampled_from(filled.slots), max_size=len(filled.slots) - 1), label="open")
    starts = {(str(slot.direction), *divmod(slot.cells[0], width)) for slot in opened}
    dropped = data.draw(st.sets(st.sampled_from(sorted(question.words)), max_size=2), label="in no list")
    refill = replace(question, cells=tuple(tuple(cell(r, c) for c in range(width)) for r in range(height)))
    refill = replace(refill, open_slots=question.open_slots | starts)
    given = {
        spell(run): max(50.0, question.min_score)
        for start, run in runs_in(rows, question.min_slot_length).items()
        if start not in refill.open_slots and all(len(refill.cells[r][c]) == 1 for r, c in places_of(start, run))
    }
    listed = {word: score for word, score in question.words.items() if word not in dropped}
    assume(listed)
    refill = replace(refill, words={**given, **listed})
    expected = refill.answer.fills
    region = f"r{top + 1}c{left + 1}:R{bottom + 1}C{right + 1}"
    request = Request.of(
        replace(filled.grid, fixed=fixed),
        listed,
        alphabet=question.alphabet,
        open=[slot.name for slot in opened],
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
            for (id_, _), old, new in zip(change.slot.places, change.old, change.new, strict=True):
                assert old == new or (divmod(id_, width) in inside) is not keeps


@given(questions(rebus=True), st.data())
def test_narrowed_slots_hold_what_they_may(question: Question, data: st.DataObject) -> None:
    problem = question.problem()
    words = st.frozensets(st.sampled_from(sorted(question.words)))
    chosen = data.draw(st.dictionaries(st.sampled_from(problem.slots), words, max_size=2), label="narrowed")
    width = len(question.cells[0])
    starts = {(str(slot.direction), *divmod(slot.cells[0], width)): kept for slot, kept in chosen.items()}
    expected = {
        rows
        for rows in question.answer.fills
        if all(spell(runs_in(rows, question.min_slot_length)[start]) in kept for start, kept in starts.items())
    }
    narrowed = replace(problem, narrowed={(slot.direction, slot.cells[0]): kept for slot, kept in chosen.items()})
    for engine in ("auto", "letters", "fc-cbj"):
        fills = enumerate_fills(narrowed, engine=engine, limits=Limits(fills=None, time_s=HANG_S))
        assert {rows_of(problem, fill) for fill in fills} == expected
    right = {rows_of(problem, fill) for fill in enumerate_fills(problem) if not violations(narrowed, fill)}
    assert right == expected
