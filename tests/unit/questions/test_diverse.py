"""Fills that differ pairwise in at least half of their words."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpfill import (
    Fill,
    Finished,
    Found,
    Lexicon,
    Limits,
    Problem,
    SolveResult,
    Status,
    StopReason,
    make_problem,
    read_grids,
    read_word_list,
    violations,
)
from cpfill.engines.audited import search, tally
from cpfill.problem.rules import Rules
from cpfill.questions.diverse import Likeness, diverse_fills, find_another
from cpfill.testing.brute_force import words_in
from cpfill.testing.questions import questions
from cpfill.words.wordlist import parse_word_list
from tests.cli.program import INSTANCES
from tests.support import Question, question, rows_of
from tests.tables import Case, cases

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from cpfill.testing.brute_force import Rows
    from cpfill.words.lexicon import WordTable


def fills_and_end(problem: Problem, engine: str, limits: Limits) -> tuple[list[list[str]], Finished]:
    events = list(diverse_fills(problem, engine=engine, limits=limits))
    last = events[-1]
    assert isinstance(last, Finished)
    assert sum(isinstance(event, Finished) for event in events) == 1
    fills = [event.fill for event in events if isinstance(event, Found)]
    assert not any(violations(problem, fill) for fill in fills)
    return [[fill.word_at(slot) for slot in problem.slots] for fill in fills], last


@pytest.mark.parametrize("engine", ["mac", "fc-cbj", "auto"])
@pytest.mark.parametrize("name", ["A", "C"])
def test_each_two_differ_in_half_of_their_words(engine: str, name: str) -> None:
    _, (grid,) = read_grids((INSTANCES / "assignment" / f"{name}.txt").read_text(encoding="utf-8"))
    problem = Problem(grid, Lexicon([read_word_list("en")]))
    found, last = fills_and_end(problem, engine, Limits(fills=3, seed=5))
    assert len(found) == 3
    assert last.reason is StopReason.FILLS
    for one, other in combinations(found, 2):
        assert 2 * len(set(one) - set(other)) >= len(one)


def another(problem: Problem, rows: Rows, **limits: Any) -> tuple[list[Fill], SolveResult]:
    """Return the fills that a search for another fill reports, each checked, and what it comes to."""
    before = Fill(tuple(letter.replace("#", "") for row in rows for letter in row), problem.grid)
    stream = list(find_another(problem, before, limits=Limits(**limits)))
    found = [event.fill for event in stream if isinstance(event, Found)]
    assert not any(violations(problem, fill) for fill in found)
    return found, tally(problem, stream)


@given(question=questions(sides=True, themed=True, sums=True), seed=st.integers(0, 3))
def test_another_fill_has_as_few_of_the_words_as_can_be(question: Question, seed: int) -> None:
    problem = question.problem()
    every = question.answer.fills
    kept = question.required | set(question.theme)
    words = {rows: set(words_in(rows, question.min_slot_length)) - kept for rows in every}
    end = (Status.SATISFIED, StopReason.FILLS)
    if len(every) == 1:
        end = (Status.NO_OTHER, StopReason.ALIKE)
    for rows in sorted(every)[:3]:
        found, result = another(problem, rows, seed=seed)
        assert (result.status, result.stop_reason) == end
        for fill in found:
            assert rows_of(problem, fill) != rows
            shared = words[rows] & words[rows_of(problem, fill)]
            assert not shared or all(words[rows] & others for others in words.values())
    empty = tuple("".join("?" if cell else "#" for cell in row) for row in question.cells)
    assert another(problem, empty)[1].status is (Status.SATISFIED if every else Status.UNSATISFIABLE)


@cases("unit/questions/cases.toml", "another")
def test_another_fill_differs_in_some_slot(case: Case) -> None:
    required = frozenset(case.get("required", ()))
    asked = question(*case["rows"], words=case["words"], theme=case.get("theme", {}), required=required)
    found, result = another(asked.problem(), (case["fill"],))
    assert {"".join(letter or "#" for letter in fill.letters) for fill in found[-1:]} <= {*case["others"]}
    assert result.status is (Status.SATISFIED if case["others"] else Status.NO_OTHER)
    assert bool(result.proof) == (not case["others"])


def test_another_fill_leaves_alike_words_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """CROW parts ATECROW, whether a fill may hold it or not; and to mark long lists takes seconds each time."""
    marked: list[WordTable] = []
    mark_tables = Lexicon.mark_tables

    def count(lexicon: Lexicon, tables: Sequence[WordTable]) -> list[array[int]]:
        marked.extend(tables)
        return mark_tables(lexicon, tables)

    monkeypatch.setattr(Lexicon, "mark_tables", count)
    _, (grid,) = read_grids("....###\n#######\n.......\n#######\n.....##\n")
    words = ["crow", "zest", "ATECROW", "balloon", "crows", "table", "ate"]
    problem = Problem(grid, Lexicon([parse_word_list("\n".join(words))]), Rules(no_shared=True))
    found, result = another(problem, ("CROW###", "#######", "BALLOON", "#######", "TABLE##"))
    assert (len(found), result.status) == (1, Status.SATISFIED)
    assert sorted(table.length for table in marked) == [4, 5, 7]


def test_a_word_to_differ_from_breaks_a_rule() -> None:
    problem = question("...", words="ABC DEF").problem()
    (fill,) = another(problem, ("ABC",))[0]
    (broken,) = violations(replace(problem, avoided=frozenset({"DEF"})), fill)
    assert (broken.rule, broken.detail) == ("C2", "DEF is a word to differ from")


def test_without_time_no_other_fill_is_disproved() -> None:
    result = another(question("...", words="ABC").problem(), ("ABC",), time_s=0.0)[1]
    assert (result.status, result.stop_reason, result.proof) == (Status.UNKNOWN, StopReason.TIME, "")


ALIKE = question("...", "#.#", "...", words="ABA CBC BDB BEB", min_slot_length=3)


def test_if_all_fills_are_alike_that_is_proved() -> None:
    found, last = fills_and_end(ALIKE.problem(), "mac", Limits(fills=9))
    assert (len(found), last.reason) == (1, StopReason.ALIKE)
    assert len(ALIKE.answer.fills) > 1


@pytest.mark.parametrize("nodes", [1, 2])
def test_few_nodes_prove_nothing(nodes: int) -> None:
    last = fills_and_end(ALIKE.problem(), "mac", Limits(fills=9, nodes=nodes))[1]
    assert last.reason in {StopReason.NODES, StopReason.TRIES}


def test_the_only_fill_comes_once() -> None:
    """Its slots have one word each, so there is none to do without."""
    problem = question(".", ".", ".", words="EFE FEEEE").problem()
    found, last = fills_and_end(problem, "auto", Limits(fills=3))
    assert found == [["EFE"]]
    assert last.exhausted


@settings(max_examples=60)
@given(questions(), st.sampled_from(["mac", "fc-cbj", "letters"]), st.integers(0, 9))
def test_all_pairs_differ_and_the_end_is_true(asked: Question, engine: str, seed: int) -> None:
    problem = asked.problem()
    slots = [slot for slot, domain in zip(problem.slots, problem.domains, strict=True) if domain.bit_count() > 1]

    def words(fill: Fill) -> list[str]:
        return [word for word in map(fill.word_at, slots) if word not in asked.required]

    def differ(one: list[str], other: list[str]) -> bool:
        return one != other and all(
            sum(word in set(there) for word in here) <= len(here) / 2 for here, there in ((one, other), (other, one))
        )

    events = list(diverse_fills(problem, engine=engine, limits=Limits(fills=5, seed=seed)))
    last = events[-1]
    assert isinstance(last, Finished)
    found = [words(event.fill) for event in events if isinstance(event, Found)]
    assert all(differ(one, other) for one, other in combinations(found, 2))
    every = [words(event.fill) for event in search(problem, limits=Limits(fills=None)) if isinstance(event, Found)]
    assert len(every) >= len(asked.answer.fills) if not asked.rebus else every or not found
    if last.reason in {StopReason.ALIKE, StopReason.EXHAUSTED}:
        assert not any(all(differ(fill, one) for one in found) for fill in every)
        assert (len(every) == len(found)) == last.exhausted
        assert last.proof or not last.exhausted
    elif len(found) < 5:
        assert len(every) > 1000


def test_it_keeps_to_its_time() -> None:
    found, last = fills_and_end(question("....", words="ABCD").problem(), "mac", Limits(fills=2, time_s=0.0))
    assert (found, last.reason) == ([], StopReason.TIME)


@cases("unit/questions/cases.toml", "alike")
def test_fills_that_share_over_half_are_alike(case: Case) -> None:
    problem = make_problem(["...", "###", "..."])
    likeness = Likeness(problem)
    for words in case["fills"]:
        one, other = words.split()
        likeness.add(Fill((*one, "", "", "", *other), problem.grid))
    assert likeness.alike is case["alike"]
