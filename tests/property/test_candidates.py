"""What can stand in slots and cells beside the property table: what is learnt, what is near, and beside a dead part."""

from __future__ import annotations

import math
from dataclasses import replace
from string import ascii_uppercase
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill import make_problem
from cpfill.base.errors import InputError, UnsupportedError
from cpfill.problem.fill import Fill
from cpfill.problem.result import Limits
from cpfill.puzzle.grid import find_slot
from cpfill.questions.candidates import Candidate, Candidates, Dead, Verdict
from cpfill.testing.questions import named_questions, questions
from cpfill.words.wordlist import parse_word_list
from tests.property.fills import every_fill, spell
from tests.property.table import place_of
from tests.support import Question, question, rows_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from cpfill.testing.brute_force import Rows

ASKED = question("..", "..", words="AB CD AC BD BA AA")
ruled = questions(sides=True, opened=True, rebus=True) | named_questions()


@given(question=ruled, data=st.data())
def test_a_fill_from_elsewhere_is_learnt_if_it_is_one(question: Question, data: st.DataObject) -> None:
    """What it shows is then known without any work."""
    problem = question.problem()
    for rows, fill in list(every_fill(question).items())[:3]:
        changed = list(fill.letters)
        cell = data.draw(st.sampled_from(sorted(problem.grid.slots_at)))  # in no slot any letter would do
        changed[cell] = data.draw(st.sampled_from(question.alphabet))
        other = Fill(tuple(changed), problem.grid)
        candidates = Candidates(problem, limits=Limits(time_s=0.0))
        assert candidates.judge()[0] is not Verdict.NO
        assert candidates.learn(other) == (rows_of(problem, other) in question.answer.fills)
        assert candidates.learn(fill)
        assert candidates.judge()[0] is Verdict.YES
        for slot in problem.slots:
            assert spell(rows, slot.cells) in list_yes(candidates, slot.id)


def list_yes(candidates: Candidates, slot: int, *, promising: bool = False) -> set[str]:
    judged = candidates.judge_words(slot, promising=promising)
    return {each.word for each in judged if each.verdict is Verdict.YES}


def opening(asked: Question, names: Collection[str]) -> Question:
    """Return the question in which some slots need be no words."""
    grid = asked.problem().grid
    slots = [find_slot(grid, name) for name in names]
    starts = {(slot.direction.value, *divmod(slot.cells[0], grid.width)) for slot in slots}
    return replace(asked, open_slots=asked.open_slots | starts)


def relax(asked: Question, dead: Dead) -> Question:
    """Return the question without its dead part; the words that stand there are used up."""
    grid = asked.problem().grid
    used = set() if asked.repeats else {grid.given_word(find_slot(grid, name)) for name in dead.slots}
    lengths = {slot.length for slot in grid.slots if slot.name not in dead.slots}
    required = asked.required.difference(used, dead.required)
    return replace(
        opening(asked, dead.slots),
        words={word: score for word, score in asked.words.items() if word not in used},
        required=frozenset(word for word in required if len(word) in lengths),
    )


@given(question=ruled)
def test_words_beside_a_dead_part_are_those_of_fills_without_it(question: Question) -> None:
    problem = question.problem()
    candidates = Candidates(problem)
    dead = candidates.find_dead()
    assert (dead is None) == bool(question.answer.fills)
    if dead is None:
        return
    assert dead.slots or dead.required
    living = [slot for slot in problem.slots if slot.name not in dead.slots]
    assert (dead.rest is None) == (not living)
    alone = opening(replace(question, required=frozenset()), [slot.name for slot in living])
    fills: Iterable[Rows] = ()
    if living:
        fills = relax(question, dead).answer.fills
    assert dead.required or not alone.answer.fills
    assert bool(fills) == bool(living)
    passed = {cell for slot in living for cell in slot.cells}
    for slot in problem.slots:
        judging = candidates.beside_dead(slot.name)
        judged = list(judging.judge_words(find_slot(judging.problem.grid, slot.name).id))
        found = {each.word for each in judged if each.verdict is Verdict.YES}
        assert found == ({spell(rows, slot.cells) for rows in fills} if slot in living else set())
        for each in judged:
            shown = dict(enumerate(each.witness.letters if each.witness else ()))
            assert "." not in [shown.get(cell) for cell in passed]
            free = problem.grid.slots_at.keys() - passed
            assert {shown[cell] for cell in free if shown} <= {".", *problem.grid.givens}


@given(question=ruled)
def test_a_word_that_is_not_decided_is_open(question: Question) -> None:
    """Nothing is said that was not shown: whatever the work, yes and no are true."""
    problem = question.problem()
    for limits in (Limits(nodes=1), Limits(time_s=0.0)):
        candidates = Candidates(problem, limits=limits)
        for slot in problem.slots:
            possible = {spell(rows, slot.cells) for rows in question.answer.fills}
            for each in candidates.judge_words(slot.id):
                if each.verdict is not Verdict.OPEN:
                    assert (each.verdict is Verdict.YES) == (each.word in possible)


def test_an_engine_that_answers_no_questions() -> None:
    with pytest.raises(UnsupportedError, match="engine fc cannot judge candidates; mac can"):
        Candidates(ASKED.problem(), engine="fc")


def test_a_cell_in_no_slot() -> None:
    alone = question("..", "#.", "A#", words="AB CD BA BD").problem()
    with pytest.raises(InputError, match="expected a cell in a slot, found R3C1"):
        next(Candidates(alone).judge_letters([4]))


@given(question=ruled, data=st.data())
def test_a_fill_near_any_letters_is_one_and_keeps_a_fill_that_stands(question: Question, data: st.DataObject) -> None:
    problem = question.problem()
    fills = every_fill(question)
    stands = data.draw(st.sampled_from([None, *fills]))
    if stands is None:
        cells = [sorted(cell) for row in question.cells for cell in row]
        letters = [data.draw(st.sampled_from([*cell, "?"])) if cell else "" for cell in cells]
        near = Fill(tuple(letters), problem.grid)
    else:
        near = fills[stands]
    candidates = Candidates(problem)
    candidates.approach(near)
    verdict, found = candidates.judge()
    assert verdict is (Verdict.YES if fills else Verdict.NO)
    assert (found is None) == (not fills)
    if found is not None:
        assert rows_of(problem, found) in fills
        assert stands in {None, rows_of(problem, found)}
    for slot in problem.slots:
        held = {spell(rows, slot.cells) for rows in fills}
        assert list_yes(candidates, slot.id, promising=data.draw(st.booleans())) == held
        judged = [each.word for each in candidates.judge_words(slot.id)]
        assert sorted(judged) == sorted(each.word for each in candidates.list_words(slot.id))


KINDS = {
    "a general": "alike",
    "up to date": "phrase",
    "well-to-do": "phrase",
    "El Dorado": "name",
    "Honolulu": "name",
    "daylight": None,
    "keyboard": None,
    "mountain": None,
}
"""Words of eight letters, and the reason of each beside GENERALS."""
PAIRS = {letter: ascii_uppercase[: 1 + place % 5] for place, letter in enumerate(ascii_uppercase)}
POINTS = st.sampled_from((0, 5, 25, 30, 38, 39, 40, 45, 49, 50, 60, 99))


def taste(word: Candidate) -> tuple[float, ...]:
    """Return the place of a long word by its level, reason and support."""
    return *place_of(word.score, word.support, word.reason, is_long=True), -word.score


@given(scores=st.lists(POINTS, min_size=len(KINDS), max_size=len(KINDS)))
def test_words_come_in_the_order_of_a_constructor(scores: list[int]) -> None:
    lines = [f"{word};{score}" for word, score in zip(KINDS, scores, strict=True)]
    lines += [f"{letter}{other};50".lower() for letter, others in PAIRS.items() for other in others]
    rows = ["........", ".#.#.#.#", "########", "GENERALS"]
    candidates = Candidates(make_problem(rows, parse_word_list("\n".join([*lines, "generals"]))))
    slot = find_slot(candidates.problem.grid, "1-Across")
    listed = list(candidates.list_words(slot.id))
    assert listed == sorted(listed, key=taste)
    assert {each.spelling: each.reason for each in listed} == KINDS
    for each in listed:
        counts = [len(PAIRS[letter]) for letter in each.word[::2]]
        assert each.support == sum(round(100 * math.log(count)) for count in counts)
    judged = [
        replace(each, verdict=Verdict.OPEN, witness=None, weakest=None) for each in candidates.judge_words(slot.id)
    ]
    assert judged == listed


def test_a_fill_near_another_changes_more_to_have_strong_words() -> None:
    scores = dict.fromkeys(("AB", "CD", "AC", "BD", "EF", "GH", "EG", "FH"), 60) | dict.fromkeys(("EB", "EC"), 1)
    strong, kept = {"EFGH", "EGFH"}, {"EBCD"}
    for words, near in ((scores, strong), ({word: scores[word] for word in scores if word != "GH"}, kept)):
        problem = question("E.", "..", words=words).problem()
        candidates = Candidates(problem)
        candidates.approach(Fill(tuple("EXCD"), problem.grid))
        _, found = candidates.judge()
        assert found is not None
        assert "".join(found.letters) in near
