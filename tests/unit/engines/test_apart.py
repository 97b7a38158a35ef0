"""Words apart, in every engine that knows them, against the brute force."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.base.errors import UnsupportedError
from cpfill.engines import ENGINES, engine_class, make_engine
from cpfill.engines.contract import Feature
from cpfill.engines.mac.engine import MacEngine
from cpfill.problem.constraints import Apart
from cpfill.problem.event import StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.identity import identify
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline, Limits, Outcome
from cpfill.testing.questions import HANG_S, options_for, questions, rows_of, run
from tests.support import question

if TYPE_CHECKING:
    from random import Random

    from cpfill.problem.problem import Problem
    from cpfill.testing.questions import Question

ABLE = [name for name in ENGINES if Feature.APART in engine_class(name).features]
BEST = [(name, goal) for name in ABLE for goal in (Objective.MIN, Objective.SUM, Objective.LEXIMIN)]
CROSSED = question("..#", "...", "#..", words="AB AC BC CB BA CA ABC BAC CAB BCA")


def part(problem: Problem, chance: Random) -> Problem:
    """Return a problem with random words apart, if it has two slots."""
    slots = range(len(problem.slots))
    parted = []
    for _ in range(3 * (len(slots) > 1)):
        one, other = chance.sample(slots, 2)
        ones, others = (chance.getrandbits(len(problem.tables[slot])) | 1 for slot in (one, other))
        parted.append(Apart(one, ones, other, others))
    return replace(problem, parted=tuple(parted))


def list_fills(asked: Question, problem: Problem) -> set[tuple[str, ...]]:
    """Return the fills of the brute force in which all words are apart that should be."""
    kept = set()
    for rows in asked.answer.fills:
        words = _spell(problem, rows)
        ids = [table.words.index(word) for table, word in zip(problem.tables, words, strict=True)]
        if not any(ones >> ids[one] & others >> ids[other] & 1 for one, ones, other, others in problem.parted):
            kept.add(rows)
    return kept


def _spell(problem: Problem, rows: tuple[str, ...]) -> list[str]:
    """Return the word of each slot."""
    letters = [letter.replace("#", "") for letter in "".join(rows)]
    return [*Fill(tuple(letters), problem.grid).words.values()]


@pytest.mark.parametrize("engine", ABLE)
@given(asked=questions(sides=True), chance=st.randoms(use_true_random=False), data=st.data())
def test_every_fill_keeps_words_apart(engine: str, asked: Question, chance: Random, data: st.DataObject) -> None:
    options = data.draw(options_for(engine), label="options")
    problem = part(asked.problem(), chance)
    answer = run(engine, problem, Limits(fills=None), **options)
    assert answer.finished.reason is StopReason.EXHAUSTED
    found = [rows for rows, _ in answer.found]
    assert len(found) == len(set(found))
    assert set(found) == list_fills(asked, problem)


@pytest.mark.parametrize(("engine", "goal"), BEST)
@given(asked=questions(sums=True), chance=st.randoms(use_true_random=False))
def test_the_best_fill_keeps_words_apart(engine: str, goal: Objective, asked: Question, chance: Random) -> None:
    problem = part(asked.problem(goal), chance)
    fills = list_fills(asked, problem)
    values = [value for rows, value in asked.answer_to(goal).values.items() if rows in fills]
    answer = run(engine, problem)
    assert answer.finished.reason is StopReason.EXHAUSTED
    assert [value for _, value in answer.found][-1:] == ([max(values)] if values else [])


@pytest.mark.parametrize("engine", ABLE)
def test_one_fill_of_a_grid_in_parts_keeps_words_apart(engine: str) -> None:
    """The slots do not cross; of each length only some words go with one another."""
    asked = question("...#..", words="ABC BCA CAB AB BC CA", repeats=True)
    problem = asked.problem()
    rows = {rows_of(problem, event) for event in _find_each(engine, problem)}
    assert rows == {("ABC#BC",), ("BCA#BC",), ("CAB#AB",), ("CAB#BC",), ("CAB#CA",)}


def _find_each(engine: str, problem: Problem) -> list[Fill]:
    """Return the fill found for each pair of words that is given, if there is one."""
    long, short = problem.tables
    ones = sum(1 << long.ids[word] for word in ("ABC", "BCA"))
    others = sum(1 << short.ids[word] for word in ("AB", "CA"))
    found = []
    for word in long.words:
        for other in short.words:
            starts = [(slot.direction, slot.cells[0]) for slot in problem.slots]
            narrowed = dict(zip(starts, (frozenset({word}), frozenset({other})), strict=True))
            apart = Apart(0, ones, 1, others)
            result = run(engine, replace(problem, narrowed=narrowed, parted=(apart,))).result
            found += [result.fill] if result.fill else []
    return found


@pytest.mark.parametrize("engine", sorted(set(ENGINES) - set(ABLE)))
def test_others_refuse_and_name_those_that_can(engine: str) -> None:
    problem = replace(CROSSED.problem(), parted=(Apart(0, 1, 1, 1),))
    with pytest.raises(UnsupportedError, match=f"engine {engine} cannot .*keep words apart; engines that can: .*mac"):
        make_engine(engine).search(problem, Limits())


@given(asked=questions(), chance=st.randoms(use_true_random=False))
def test_probes_keep_words_apart(asked: Question, chance: Random) -> None:
    problem = part(asked.problem(), chance)
    fills = list_fills(asked, problem)
    probe = MacEngine().probe(problem, 0)
    for slot, table in zip(problem.slots, problem.tables, strict=True):
        having = {_spell(problem, rows)[slot.id] for rows in fills}
        for id_, word in enumerate(table.words):
            outcome, fill = probe.ask(slot.id, 1 << id_, 10_000, Deadline(HANG_S))
            assert outcome is (Outcome.FOUND if word in having else Outcome.EXHAUSTED)
            assert fill is None or rows_of(problem, fill) in fills


def test_a_part_of_a_grid_keeps_its_words_apart() -> None:
    """Only words of the last two slots are apart: the kernel of these slots numbers them anew."""
    problem = question("..#..#..", words="AB BA", repeats=True).problem()
    every = problem.tables[0].everything
    probe = MacEngine().probe(replace(problem, parted=(Apart(1, every, 2, every),)), 0)
    outcomes = [probe.refute(slots, 100, Deadline(HANG_S)) for slots in ((1, 2), (0, 1), (0, 2))]
    assert outcomes == [Outcome.EXHAUSTED, Outcome.FOUND, Outcome.FOUND]


def test_words_apart_make_another_question() -> None:
    problem = CROSSED.problem()
    several = [replace(problem, parted=parted) for parted in ((), (Apart(0, 1, 1, 1),), (Apart(0, 1, 1, 2),))]
    assert len({str(identify(each)) for each in several}) == 3
