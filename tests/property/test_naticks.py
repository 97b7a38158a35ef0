"""Names that may not cross at a letter that others leave open (C9), against the brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.base.errors import InputError
from cpfill.engines import ENGINES, auto, engine_class
from cpfill.engines.audited import search_all, tally
from cpfill.engines.contract import Feature
from cpfill.problem.check import violations
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits
from cpfill.problem.rules import Rules
from cpfill.solvers.statement import Statement
from cpfill.testing.brute_force import has_natick
from cpfill.testing.questions import named_questions, question, run
from cpfill.words.lexicon import Lexicon
from cpfill.words.spelling import EntryKind
from cpfill.words.wordlist import WordList
from tests.property.fills import check_every_fill, check_the_best_fill, fill_of, obeys

if TYPE_CHECKING:
    from cpfill.testing.questions import Question

ABLE = [name for name in ENGINES if Feature.APART in engine_class(name).features]
GOALS = [Objective.MIN, Objective.SUM, Objective.LEXIMIN]
CROSS = question("#.#", "...", "#.#", words="ABC ADC XBY XDY BBB", names=frozenset({"ABC", "XBY"}))
"""The two names cross at B, which may be D."""


@pytest.mark.parametrize("engine", ABLE)
@given(asked=named_questions(), data=st.data())
def test_every_fill(engine: str, asked: Question, data: st.DataObject) -> None:
    check_every_fill(engine, asked.problem(), asked.answer.values, data)


@pytest.mark.parametrize(("engine", "goal"), [*product(ABLE, GOALS)])
@given(asked=named_questions())
def test_the_best_fill(engine: str, goal: Objective, asked: Question) -> None:
    check_the_best_fill(engine, asked.problem(goal), asked.answer_to(goal).best)


@pytest.mark.parametrize("engine", ABLE)
def test_a_crossing_of_two_names(engine: str) -> None:
    answer = run(engine, CROSS.problem(), Limits(fills=None))
    assert dict(answer.found) == CROSS.answer.values
    assert len(answer.found) == len(replace(CROSS, names=frozenset()).answer.fills) - 2


def test_a_count_and_a_good_search_take_an_engine_that_can() -> None:
    assert tally(CROSS.problem(), search_all(CROSS.problem())).fills == len(CROSS.answer.fills)
    assert run("auto", CROSS.problem(Objective.GOOD)).result.fills


@pytest.mark.parametrize("workers", [1, 3])
def test_a_race_in_a_rectangle_without_blocks_has_no_engine_that_cannot(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auto, "FIRST_NODES", 1)
    words = " ".join(map("".join, product("ABCD", repeat=4)))
    square = question("....", "....", "....", "....", words=words, names=frozenset({"ABCD"}))
    assert run("auto", square.problem(), Limits(workers=workers)).result.fills == 1


@given(asked=named_questions())
def test_the_audit_names_each_natick(asked: Question) -> None:
    problem = asked.problem()
    for rows in replace(asked, names=frozenset()).answer.fills:
        broken = {each.rule for each in violations(problem, fill_of(rows, problem))}
        assert broken == ({"C9"} if has_natick(rows, asked.words, asked.rules) else set())


@given(asked=named_questions())
def test_sums_for_other_solvers_exclude_naticks(asked: Question) -> None:
    statement = Statement(asked.problem())
    for rows in replace(asked, names=frozenset()).answer.fills:
        assert obeys(statement, rows) == (rows in asked.answer.fills)


LISTS = st.dictionaries(
    st.sampled_from(["AB", "AC", "BC", "ABCABCA", "ABCABCB", "CAB"]),
    st.tuples(st.sampled_from([20.0, 40.0, 50.0]), st.sampled_from(["lower", "upper", "title", "phrase"])),
)


@given(lists=st.lists(LISTS, min_size=1, max_size=3), lost=st.sampled_from(["", "AB", "ABCABCA"]))
def test_names_are_the_words_of_this_kind(lists: list[dict[str, tuple[float, str]]], lost: str) -> None:
    """The lists differ in spellings and scores; a lexicon may be derived from another."""
    read = []
    for one in lists:
        words = {word: (score, spell(word, how)) for word, (score, how) in one.items()}
        read.append(WordList("words", words))
    lexicon = Lexicon(read)
    for each in (lexicon, lexicon.without([lost]), lexicon.including(["CC"])):
        for length in (2, 3, 4, 7):
            listed = set(each.table(length).words)
            assert {word for word in listed if each.kind(word) is EntryKind.NAME} == each.names(length) & listed


def spell(word: str, how: str) -> str:
    match how:
        case "lower":
            return word.lower()
        case "title":
            return word.title()
        case "phrase":
            return f"{word[:1]} {word[1:].lower()}"
    return word


def test_no_list_tells_names() -> None:
    lexicon = Lexicon([WordList("capitals", {"AB": (50.0, "AB")})])
    with pytest.raises(InputError, match="expected a list whose capitals tell names from words"):
        replace(CROSS.problem(), lexicon=lexicon, rules=Rules(no_naticks=True))
