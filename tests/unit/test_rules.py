"""Each rule alone: a question that only this rule refuses, beside one that it lets pass, for every engine and option.

Where arc consistency could settle the question before an engine's own constraint is asked, it is made so that it
cannot: what is refused is locally consistent.
"""

from __future__ import annotations

import pytest

from cpfill.engines.ac3 import ac3
from cpfill.events import Limits, Status
from cpfill.problem import Objective
from tests.support import ENGINE_NAMES, Question, configurations, question, run

THREE = ("...", "###", "...", "###", "...")
PAIR = ("..", "##", "..")
OPEN = ("...", "...")

# name -> question, how many fills
QUESTIONS: dict[str, tuple[Question, int]] = {
    # C1: every column wants one word to be the other with A and B exchanged; no word is, and each letter could be.
    "C1 refuses": (question(*OPEN, words="AAB ABA BAA AB BA", repeats=True), 0),
    "C1 passes": (question(*OPEN, words="AAB ABA BAA BBA AB BA", repeats=True), 2),
    # C2: the run has no word, by itself, by its length, by its score.
    "C2 refuses a run": (question("...", ".##", words="AAB CA"), 0),
    "C2 passes a run": (question("...", ".##", words="AAB AA"), 1),
    "C2 refuses a length": (question("....", words="AAA AAAAA"), 0),
    "C2 passes a length": (question("....", words="AAA AAAA AAAAA"), 1),
    "C2 refuses a score": (question("..", words={"AA": 1.0, "BB": 2.0}, min_score=2.5), 0),
    "C2 passes a score": (question("..", words={"AA": 1.0, "BB": 2.0, "CC": 2.5, "DD": 3.0}, min_score=2.5), 2),
    "C2 refuses a short run": (question("..", ".#", words="AB", min_slot_length=2), 0),
    "C2 passes a short run": (question("...", ".##", words="ABA", min_slot_length=3), 1),
    # C3: no slot is left with one word, but there are fewer words than slots; repeats lift it.
    "C3 refuses": (question(*THREE, words="AAA BBB"), 0),
    "C3 passes": (question(*THREE, words="AAA BBB CCC"), 6),
    "C3 lifted": (question(*THREE, words="AAA BBB", repeats=True), 8),
    "C3 refuses a mirror": (question("..", "..", words="AB BC"), 0),
    "C3 lifted from a mirror": (question("..", "..", words="AB BC", repeats=True), 1),
    "C3 refuses one letter": (question("#.", "##", words="A B", min_slot_length=1), 0),
    "C3 lifted from one letter": (question("#.", "##", words="A B", min_slot_length=1, repeats=True), 2),
    # C4: without the given and the letter sets there are fills.
    "C4 refuses a given": (question("A..", words="BAB CAC"), 0),
    "C4 passes a given": (question("A..", words="BAB CAC ACC"), 1),
    "C4 refuses a letter set": (question("[BD]..", "..#", words="ABC CB AB BC", repeats=True), 0),
    "C4 passes a letter set": (question("[AD]..", "..#", words="ABC CB AC BB", repeats=True), 1),
    "C4 refuses a crossed given": (question("A..", ".A.", words="AAB BBA AB BA", repeats=True), 0),
    "C4 passes a crossed given": (question("A..", ".B.", words="AAB BBA AB BA", repeats=True), 1),
}

# name -> question, best value
VALUES: dict[str, tuple[Question, float]] = {
    "the worst word counts": (question(*PAIR, words={"AA": 1.0, "BB": 5.0, "CC": 9.0}), 5.0),
    "with repeats": (question(*PAIR, words={"AA": 1.0, "BB": 5.0, "CC": 9.0}, repeats=True), 9.0),
    "the best words do not cross": (
        question("...", ".#.", "...", words={"AXB": 90.0, "CXD": 80.0, "AXA": 3.0, "AYA": 4.0, "AZA": 5.0, "AWA": 2.0}),
        2.0,
    ),
    "ties": (question(*PAIR, words={"AA": 7.0, "BB": 7.0, "CC": 7.0}), 7.0),
    "nothing is worth anything": (question(*PAIR, words={"AA": 0.0, "BB": 0.0}), 0.0),
    "close scores": (question("..", words={"AA": 0.1 + 0.2, "BB": 0.3, "CC": 0.1}), 0.1 + 0.2),
    "huge scores": (question("..", words={"AA": 1e300, "BB": 1e299}), 1e300),
    "small scores": (question("..", words={"AA": 5e-324, "BB": 0.0}), 5e-324),
    "the minimum score holds": (question("..", ".#", words={"AB": 3.0, "AC": 4.0, "AD": 1.0}, min_score=2.0), 3.0),
}

engines = pytest.mark.parametrize("engine", ENGINE_NAMES)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_questions_have_the_fills_they_say(name: str) -> None:
    asked, fills = QUESTIONS[name]
    assert len(asked.answer.fills) == fills


@pytest.mark.parametrize("name", ["C1 refuses", "C3 refuses"])
def test_arc_consistency_does_not_settle_what_the_engines_are_asked(name: str) -> None:
    problem = QUESTIONS[name][0].problem()
    assert all(ac3(problem, problem.domains))


@engines
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_rule_alone(engine: str, name: str) -> None:
    asked, fills = QUESTIONS[name]
    for options in configurations(engine, Objective.ANY):
        every = run(engine, asked.problem(), Limits(fills=None), **options)
        assert {rows for rows, _ in every.found} == asked.answer.fills
        assert every.result.status is (Status.ALL_FILLS if fills else Status.UNSATISFIABLE)
        one = run(engine, asked.problem(), **options)
        assert one.result.status is (Status.SATISFIED if fills else Status.UNSATISFIABLE)


@engines
@pytest.mark.parametrize("name", VALUES)
def test_the_value_alone(engine: str, name: str) -> None:
    asked, value = VALUES[name]
    assert asked.answer.best == value
    for options in configurations(engine):
        ran = run(engine, asked.problem(Objective.MIN), **options)
        assert (ran.result.status, ran.result.value, ran.result.bound) == (Status.OPTIMAL, value, value)
        assert ran.found[-1][0] in asked.answer.best_fills


@engines
@pytest.mark.parametrize("name", ["C1 refuses", "C2 refuses a run", "C3 refuses", "C4 refuses a given"])
def test_what_has_no_fill_has_no_value(engine: str, name: str) -> None:
    for options in configurations(engine):
        ran = run(engine, QUESTIONS[name][0].problem(Objective.MIN), **options)
        assert (ran.result.status, ran.result.value, ran.found) == (Status.UNSATISFIABLE, None, [])


@engines
def test_a_slot_longer_than_any_word_is_named(engine: str) -> None:
    problem = question("..#", "...", words="AB BA CA").problem()
    for options in configurations(engine):
        result = run(engine, problem, **options).result
        assert result.status is Status.UNSATISFIABLE
        assert result.wipeout is not None
        assert problem.slots[result.wipeout].length == 3


@engines
def test_cells_in_no_slot_are_no_choice(engine: str) -> None:
    asked = question("[QZ]#...", "#####", "[YZ]#Z##", words="ABC CBA")
    for options in configurations(engine, Objective.ANY):
        every = run(engine, asked.problem(), Limits(fills=None), **options)
        assert {rows for rows, _ in every.found} == {("Q#ABC", "#####", "Y#Z##"), ("Q#CBA", "#####", "Y#Z##")}
        assert len(every.found) == 2
