"""What can stand in slots and cells, against every fill that the brute force lists; a witness is audited."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cpfill.base.errors import InputError, InvalidFillError, UnsupportedError
from cpfill.base.threads import StopToken
from cpfill.engines.mac.engine import MacEngine
from cpfill.problem.problem import Fill
from cpfill.problem.result import Limits, Outcome
from cpfill.puzzle.grid import find_slot
from cpfill.questions.candidates import Candidates, Dead, Verdict
from cpfill.testing.brute_force import TooManyError
from cpfill.testing.questions import questions
from tests.support import REBUS, Question, question, rows_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from random import Random

    from cpfill.engines.contract import Probe
    from cpfill.problem.problem import Problem

ASKED = question("..", "..", words="AB CD AC BD BA AA")
ruled = questions(sides=True, opened=True, rebus=True)


def spell(fill: str, cells: Sequence[int]) -> str:
    return "".join(REBUS.get(fill[cell], fill[cell]) for cell in cells)


@given(question=ruled, seed=st.integers(0, 3), order=st.randoms(use_true_random=False))
def test_verdicts_are_those_of_all_fills(question: Question, seed: int, order: Random) -> None:
    problem = question.problem()
    fills = ["".join(rows) for rows in question.answer.fills]
    candidates = Candidates(problem, limits=Limits(seed=seed))
    asked = [("slot", slot.id) for slot in problem.slots] + [
        ("cell", cell) for cell in problem.grid.slots_at if cell not in problem.grid.rebus
    ]
    order.shuffle(asked)
    for kind, number in asked:
        if kind == "slot":
            cells = problem.slots[number].cells
            judged = list(candidates.judge_words(number))
            assert [(each.word, each.score) for each in judged] == [*candidates.list_words(number)]
            assert [each.score for each in judged] == sorted((each.score for each in judged), reverse=True)
            found = {each.word for each in judged if each.verdict is Verdict.YES}
            assert found == {spell(fill, cells) for fill in fills}
            for each in judged:
                assert each.verdict is not Verdict.OPEN
                assert (each.witness is None) == (each.verdict is Verdict.NO)
                assert each.score == question.words[each.word]
                if each.witness is not None:
                    assert rows_of(problem, each.witness) in question.answer.fills
                    assert each.witness.word_at(problem.slots[number]) == each.word
                    words = [each.witness.word_at(slot) for slot in problem.slots]
                    least = min((question.words[word] for word in words if word not in problem.own), default=None)
                    assert (each.weakest and each.weakest[1]) == least
        else:
            (letters,) = candidates.judge_letters([number])
            held = {fill[number] for fill in fills}
            assert set(letters.yes) == held
            row, column = divmod(number, problem.grid.width)
            assert set(letters.yes + letters.no) == set(question.cells[row][column])
            assert (letters.open, letters.forced) == ("", held.pop() if len(held) == 1 else None)
    verdict, witness = candidates.judge()
    assert verdict is (Verdict.YES if fills else Verdict.NO)
    assert {rows_of(problem, fill) for fill in (*candidates.fills, *filter(None, [witness]))} <= question.answer.fills


@given(question=ruled, data=st.data())
def test_a_fill_from_elsewhere_is_learnt_if_it_is_one(question: Question, data: st.DataObject) -> None:
    """What it shows is then known without any work."""
    problem = question.problem()
    for rows in sorted(question.answer.fills)[:3]:
        letters = [REBUS.get(sign, sign).replace("#", "") for row in rows for sign in row]
        cell = data.draw(st.sampled_from(sorted(problem.grid.slots_at)))  # in no slot any letter would do
        changed = [*letters]
        changed[cell] = data.draw(st.sampled_from(question.alphabet))
        other = Fill(tuple(changed), problem.grid)
        candidates = Candidates(problem, limits=Limits(time_s=0.0))
        assert candidates.judge()[0] is not Verdict.NO
        assert candidates.learn(other) == (rows_of(problem, other) in question.answer.fills)
        assert candidates.learn(Fill(tuple(letters), problem.grid))
        assert candidates.judge()[0] is Verdict.YES
        for slot in problem.slots:
            word = "".join(letters[cell] for cell in slot.cells)
            assert word in {each.word for each in candidates.judge_words(slot.id) if each.verdict is Verdict.YES}


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
    try:
        fills = ["".join(rows) for rows in relax(question, dead).answer.fills] if living else []
        alone = opening(replace(question, required=frozenset()), [slot.name for slot in living])
        assert dead.required or not alone.answer.fills
    except TooManyError:
        assume(False)
    assert bool(fills) == bool(living)
    for slot in problem.slots:
        judging = candidates.beside_dead(slot.name)
        judged = list(judging.judge_words(find_slot(judging.problem.grid, slot.name).id))
        found = {each.word for each in judged if each.verdict is Verdict.YES}
        assert found == ({spell(fill, slot.cells) for fill in fills} if slot in living else set())
        for each in judged:
            shown = each.witness.letters if each.witness else ()
            passed = {cell for slot in living for cell in slot.cells}
            meant = [letter for cell, letter in enumerate(shown) if cell in passed]
            assert "." not in meant
            free = problem.grid.slots_at.keys() - passed
            assert {shown[cell] for cell in free if shown} <= {".", *problem.grid.givens}


def test_limits_leave_what_is_not_decided_open_and_other_limits_begin_anew() -> None:
    stop = StopToken()
    stop.set()
    for limits in (Limits(time_s=0.0), Limits(stop=stop)):
        candidates = Candidates(ASKED.problem(), limits=limits)
        assert {each.verdict for each in candidates.judge_words(0)} == {Verdict.OPEN}
        candidates.renew(Limits(time_s=60.0))
        assert Verdict.OPEN not in {each.verdict for each in candidates.judge_words(0)}


@given(question=ruled)
def test_a_word_that_is_not_decided_is_open(question: Question) -> None:
    """Nothing is said that was not shown: whatever the work, yes and no are true."""
    problem = question.problem()
    fills = ["".join(rows) for rows in question.answer.fills]
    for limits in (Limits(nodes=1), Limits(time_s=0.0)):
        candidates = Candidates(problem, limits=limits)
        for slot in problem.slots:
            possible = {spell(fill, slot.cells) for fill in fills}
            for each in candidates.judge_words(slot.id):
                if each.verdict is not Verdict.OPEN:
                    assert (each.verdict is Verdict.YES) == (each.word in possible)


class Scribbler(MacEngine):
    """Says yes to everything, and writes Q everywhere."""

    name: ClassVar[str] = "scribbler"

    def probe(self, problem: Problem, seed: int) -> Any:
        probe: Probe = super().probe(problem, seed)
        wrong = Fill(("Q",) * len(problem.grid.cells), problem.grid)
        cast("Any", probe).ask = lambda *_: (Outcome.FOUND, wrong)
        return probe


def test_a_witness_is_audited() -> None:
    candidates = Candidates(ASKED.problem(), engine=Scribbler())
    with pytest.raises(InvalidFillError, match="engine scribbler produced a wrong fill: C2: QQ is not in your lists"):
        next(candidates.judge_words(0))
    with pytest.raises(InvalidFillError):
        next(candidates.judge_letters())


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
    fills = sorted(question.answer.fills)
    stands = data.draw(st.sampled_from([None, *fills]))
    if stands is None:
        cells = [sorted(cell) for row in question.cells for cell in row]
        letters = [data.draw(st.sampled_from([*cell, "?"])) if cell else "" for cell in cells]
    else:
        letters = [REBUS.get(sign, sign).replace("#", "") for row in stands for sign in row]
    candidates = Candidates(problem)
    candidates.approach(Fill(tuple(letters), problem.grid))
    verdict, found = candidates.judge()
    assert verdict is (Verdict.YES if fills else Verdict.NO)
    assert (found is None) == (not fills)
    if found is not None:
        assert rows_of(problem, found) in question.answer.fills
        assert stands in {None, rows_of(problem, found)}
    words = {slot.id: {spell("".join(fill), slot.cells) for fill in fills} for slot in problem.slots}
    for slot, held in words.items():
        promising = data.draw(st.booleans())
        judged = list(candidates.judge_words(slot, promising=promising))
        assert {each.word for each in judged if each.verdict is Verdict.YES} == held
        assert sorted(each.word for each in judged) == sorted(word for word, _ in candidates.list_words(slot))


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
