"""Each rule alone: a question that only this rule refuses, beside one that it lets pass, for every engine and option.

A question is put to each engine once; its options take turns over the questions of a rule.

Where arc consistency could settle the question before an engine's own constraint is asked, it is made so that it
cannot: what is refused is locally consistent.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from cpfill.engines import engine_class
from cpfill.engines.contract import required_features
from cpfill.engines.toolkit.propagation import ac3
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Status
from tests.support import ENGINE_NAMES, MAXIMISERS, Question, pairings, question, run, skip_without

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cpfill.problem.value import Value
    from tests.support import Options

THREE = ("...", "###", "...", "###", "...")
PAIR = ("..", "##", "..")
APART = ("...", "###", "...")
OPEN = ("...", "...")

# name -> question, how many fills
QUESTIONS: dict[str, tuple[Question, int]] = {
    # C1: every column wants one word to be the other with A and B exchanged; no word is, and each letter could be.
    "C1 refuses": (question(*OPEN, words="AAB ABA BAA AB BA", repeats=True), 0),
    "C1 passes": (question(*OPEN, words="AAB ABA BAA BBA AB BA", repeats=True), 2),
    # C2: the run has no word, whatever it crosses, by its length, by its score.
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
    # C5: the two slots do not cross.
    "C5 refuses": (question(*APART, words="ABC CBA", no_shared=True), 0),
    "C5 passes": (question(*APART, words="ABC CBA XYZ", no_shared=True), 4),
    "C5 passes shared letters": (question(*APART, words="ABC XBC", no_shared=True), 2),
    "C5 refuses another length": (question("...#", "####", "....", words="ABC ABCD", no_shared=True), 0),
    "C5 passes another length": (question("...#", "####", "....", words="ABC XABC", no_shared=True), 1),
    "C5 refuses a repeat": (question(*APART, words="ABC", repeats=True, no_shared=True), 0),
    "C5 passes a short repeat": (question("..", "##", "..", words="AB", repeats=True, no_shared=True), 1),
    "C5 refuses a crossing": (question("....", ".###", ".###", ".###", words="ABCD ABCE AXYZ", no_shared=True), 4),
    # C6: the two slots do not cross.
    "C6 refuses": (question(*PAIR, words={"AA": 1.0, "BB": 2.0}, max_obscure=1, below=2.5), 0),
    "C6 passes": (question(*PAIR, words={"AA": 1.0, "BB": 2.0, "CC": 3.0}, max_obscure=1, below=2.5), 4),
    "C6 passes all": (question(*PAIR, words={"AA": 1.0, "BB": 2.0, "CC": 3.0}, max_obscure=2, below=2.5), 6),
    "C6 refuses any": (question(*PAIR, words={"AA": 1.0, "CC": 3.0}, max_obscure=0, below=2.5), 0),
    "C6 passes what is not under": (question(*PAIR, words={"AA": 2.0, "BB": 2.0}, max_obscure=0, below=2.0), 2),
    "C6 refuses a repeat": (question(*PAIR, words={"AA": 1.0}, repeats=True, max_obscure=1, below=2.0), 0),
    "C6 passes a repeat": (question(*PAIR, words={"AA": 1.0}, repeats=True, max_obscure=2, below=2.0), 1),
    # C7: every slot has words, and so has every required word a slot until the last.
    "C7 refuses": (question(*PAIR, words="AA BB CC", required=frozenset({"AA", "BB", "CC"})), 0),
    "C7 passes": (question(*PAIR, words="AA BB CC", required=frozenset({"AA", "BB"})), 2),
    "C7 passes others": (question(*PAIR, words="AA BB CC", required=frozenset({"AA"})), 4),
    "C7 passes repeats": (question(*PAIR, words="AA BB", repeats=True, required=frozenset({"AA"})), 3),
    "C7 refuses what does not cross": (
        question("..#", "###", "...", ".##", words="BA ABA BCC CA", required=frozenset({"BA", "ABA"}), repeats=True),
        0,
    ),
    "C7 passes what crosses": (
        question("..#", "###", "...", ".##", words="BA ABA BCC CA", required=frozenset({"CA", "BCC"}), repeats=True),
        1,
    ),
    "C7 refuses what the cells do": (question("A.", "##", "B.", words="AA BB CC", required=frozenset({"CC"})), 0),
    "C7 refuses what scores too little": (
        question(*PAIR, words={"AA": 1.0, "BB": 2.0, "CC": 3.0}, min_score=2.0, required=frozenset({"AA"})),
        0,
    ),
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
    "huge scores": (question("..", words={"AA": 1e16, "BB": 1e15}), 1e16),
    "small scores": (question("..", words={"AA": 1e-15, "BB": 0.0}), 1e-15),
    "the minimum score holds": (question("..", ".#", words={"AB": 3.0, "AC": 4.0, "AD": 1.0}, min_score=2.0), 3.0),
}

# The two slots begin with the same letter. The minimum alone leaves B and C, the sum alone A.
CORNER = ("..", ".#")
CORNERS = {"AX": 9.0, "AY": 1.0, "BX": 4.0, "BY": 5.0, "CX": 4.0, "CY": 4.5}
EACH = {"AX": 1.0, "BX": 1.0, "CX": 1.0}
DECIMALS = {"AX": 0.1, "AY": 0.2, "BX": 0.3, "BY": 0.0}

# name -> question, objective, best value, how many fills reach it
MORE_VALUES: dict[str, tuple[Question, Objective, Value, int]] = {
    "V2": (question(*PAIR, words={"AA": 1.0, "BB": 5.0, "CC": 9.0}), Objective.SUM, (14.0,), 2),
    "V2 with repeats": (
        question(*PAIR, words={"AA": 1.0, "BB": 5.0, "CC": 9.0}, repeats=True),
        Objective.SUM,
        (18.0,),
        1,
    ),
    "V2 alone": (question(*CORNER, words=CORNERS), Objective.SUM, (10.0,), 2),
    "V2 adds decimals": (question(*CORNER, words=DECIMALS), Objective.SUM, (0.3,), 4),
    "V2 of nothing": (question(*PAIR, words={"AA": 0.0, "BB": 0.0}), Objective.SUM, (0.0,), 2),
    "V1 alone": (question(*CORNER, words=CORNERS), Objective.MIN, (4.0,), 4),
    "V3": (question(*CORNER, words=CORNERS), Objective.MIN_THEN_SUM, (4.0, 9.0), 2),
    "V4": (question(*PAIR, words=CORNERS, theme=EACH), Objective.ANY, (2.0,), 6),
    "V4 by weight": (
        question(*CORNER, words=CORNERS, theme={"AX": 0.1, "AY": 0.2, "BX": 0.25}),
        Objective.ANY,
        (0.3,),
        2,
    ),
    "V4 adds decimals": (
        question(*CORNER, words=CORNERS, theme={"AX": 0.1, "AY": 0.2, "BX": 0.3}),
        Objective.ANY,
        (0.3,),
        4,
    ),
    "V4 of nothing": (question("B.", ".#", words=CORNERS, theme={"AX": 3.0}), Objective.ANY, (0.0,), 2),
    "V4 of weight 0": (question("A.", ".#", words=CORNERS, theme={"AX": 0.0}), Objective.ANY, (0.0,), 2),
    "V4 places a theme word once": (
        question(*PAIR, words={"AA": 1.0, "BB": 2.0}, repeats=True, theme={"AA": 5.0}),
        Objective.ANY,
        (5.0,),
        2,
    ),
    "V4 then V1": (question(*CORNER, words=CORNERS, theme=EACH), Objective.MIN, (1.0, 4.0), 4),
    "V4 then V2": (question(*CORNER, words=CORNERS, theme=EACH), Objective.SUM, (1.0, 10.0), 2),
    "V4 then V3": (question(*CORNER, words=CORNERS, theme=EACH), Objective.MIN_THEN_SUM, (1.0, 4.0, 9.0), 2),
    "V4 before V1 and V2": (
        question(*CORNER, words=CORNERS | {"DX": 0.5, "DY": 0.25}, theme=EACH | {"DY": 2.0}),
        Objective.MIN_THEN_SUM,
        (2.0, 0.25, 0.75),
        2,
    ),
    "V5": (question(*CORNER, words=CORNERS), Objective.LEXIMIN, (4.0, 5.0), 2),
    "V5 after the worst": (
        question(*THREE, words={"AAA": 1.0, "BBB": 5.0, "CCC": 9.0, "DDD": 9.0}, required=frozenset({"AAA"})),
        Objective.LEXIMIN,
        (1.0, 9.0, 9.0),
        6,
    ),
    "V5 before the sum": (
        question("..", ".#", words={"AB": 2.0, "AC": 3.0, "BB": 2.0, "BC": 90.0}),
        Objective.LEXIMIN,
        (2.0, 90.0),
        2,
    ),
    "V5 with ties": (question(*PAIR, words={"AA": 7.0, "BB": 7.0, "CC": 5.0}), Objective.LEXIMIN, (7.0, 7.0), 2),
    "V5 of one slot": (question("..", words={"AA": 7.0, "BB": 8.0}), Objective.LEXIMIN, (8.0,), 1),
    "V5 by levels": (question(*CORNER, words=CORNERS, levels=(2.0, 4.5)), Objective.LEXIMIN, (0.0, -1.0), 4),
    "V5 by the lowest level first": (
        question(*CORNER, words={"AX": 9.0, "AY": 1.0, "BX": 4.0, "BY": 4.0}, levels=(2.0, 5.0)),
        Objective.LEXIMIN,
        (0.0, -2.0),
        2,
    ),
    "V5 by a level over all scores": (question(*CORNER, words=CORNERS, levels=(99.0,)), Objective.LEXIMIN, (-2.0,), 6),
    "V4 then V5": (question(*CORNER, words=CORNERS, theme=EACH), Objective.LEXIMIN, (1.0, 4.0, 5.0), 2),
    "V5 under C6": (
        question(*PAIR, words=CORNERS, max_obscure=1, below=4.5, required=frozenset({"BX"})),
        Objective.LEXIMIN,
        (4.0, 9.0),
        2,
    ),
    "V2 under C5": (
        question(*APART, words={"ABC": 9.0, "CBA": 8.0, "XYZ": 1.0}, no_shared=True),
        Objective.SUM,
        (10.0,),
        2,
    ),
    "V4 under C6": (
        question(*PAIR, words=CORNERS, theme=EACH, max_obscure=0, below=4.5),
        Objective.SUM,
        (1.0, 14.0),
        2,
    ),
    "V3 under C7": (question(*PAIR, words=CORNERS, required=frozenset({"AY"})), Objective.MIN_THEN_SUM, (1.0, 10.0), 2),
}

engines = pytest.mark.parametrize("engine", ENGINE_NAMES)
maximisers = pytest.mark.parametrize("engine", MAXIMISERS)


def groups(names: Iterable[str]) -> list[str]:
    """Return the rules and values that questions are named after: C1 to C7, V1 to V5."""
    return sorted({name.split()[0] for name in names})


def in_turn(engine: str, objective: Objective, names: Iterable[str]) -> Iterator[tuple[str, Options]]:
    """Yield the names, each with the next configuration of the engine: each option meets each rule in some question."""
    return zip(names, itertools.cycle(pairings(engine, objective)), strict=False)


def of_group(group: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.split()[0] == group]


def test_the_questions_have_the_fills_they_say() -> None:
    counts = {name: len(asked.answer.fills) for name, (asked, _) in QUESTIONS.items()}
    assert counts == {name: fills for name, (_, fills) in QUESTIONS.items()}


@pytest.mark.parametrize(
    "name", ["C1 refuses", "C3 refuses", *(f"C{n} refuses" for n in (5, 6, 7)), "C7 refuses what does not cross"]
)
def test_arc_consistency_does_not_settle_what_the_engines_are_asked(name: str) -> None:
    problem = QUESTIONS[name][0].problem()
    assert all(ac3(problem, problem.domains))


@engines
@pytest.mark.parametrize("rule", groups(QUESTIONS))
def test_a_rule_alone(engine: str, rule: str) -> None:
    for name, options in in_turn(engine, Objective.ANY, of_group(rule, QUESTIONS)):
        asked, fills = QUESTIONS[name]
        every = run(engine, asked.problem(), Limits(fills=None), **options)
        assert {rows for rows, _ in every.found} == asked.answer.fills, (name, options)
        assert every.result.status is (Status.ALL_FILLS if fills else Status.UNSATISFIABLE), (name, options)
        one = run(engine, asked.problem(), **options)
        assert one.result.status is (Status.SATISFIED if fills else Status.UNSATISFIABLE), (name, options)


@maximisers
def test_the_value_alone(engine: str) -> None:
    for name, options in in_turn(engine, Objective.MIN, VALUES):
        asked, value = VALUES[name]
        assert asked.answer.best == (value,)
        check_value(engine, asked, Objective.MIN, (value,), options)


def check_value(engine: str, asked: Question, objective: Objective, value: Value, options: Options) -> None:
    ran = run(engine, asked.problem(objective), **options)
    told = (ran.result.status, ran.result.value, ran.result.bound)
    assert told == (Status.OPTIMAL, value, value), (asked, options)
    assert ran.found[-1][0] in asked.answer_to(objective).best_fills, (asked, options)


@maximisers
@pytest.mark.parametrize("group", groups(MORE_VALUES))
def test_each_objective_alone_and_in_order(engine: str, group: str) -> None:
    for name, options in in_turn(engine, Objective.MIN, of_group(group, MORE_VALUES)):
        asked, objective, value, count = MORE_VALUES[name]
        answer = asked.answer_to(objective)
        assert (answer.best, len(answer.best_fills)) == (value, count), name
        if required_features(asked.problem(objective), Limits()) <= engine_class(engine).features:
            check_value(engine, asked, objective, value, options)


NO_FILL = [
    "C1 refuses",
    "C2 refuses a run",
    "C3 refuses",
    "C4 refuses a given",
    "C5 refuses",
    "C6 refuses",
    "C7 refuses",
    "C7 refuses what does not cross",
]


@maximisers
@pytest.mark.parametrize("objective", [Objective.MIN, Objective.SUM, Objective.MIN_THEN_SUM, Objective.LEXIMIN])
def test_what_has_no_fill_has_no_value(engine: str, objective: Objective) -> None:
    for name, options in in_turn(engine, objective, NO_FILL):
        problem = QUESTIONS[name][0].problem(objective)
        skip_without(engine, problem)
        ran = run(engine, problem, **options)
        assert (ran.result.status, ran.result.value, ran.found) == (Status.UNSATISFIABLE, None, []), (name, options)


# Arc consistency leaves the words over the minimum score alone, and they have no fill.
TOO_GOOD = question(
    *OPEN,
    words={"AAB": 60.0, "ABA": 60.0, "BAA": 57.5, "AB": 60.0, "BA": 60.0, "BBA": 30.0, "CCC": 7.0, "CC": 1.0},
    repeats=True,
    min_score=55.0,
)


@maximisers
@pytest.mark.parametrize("objective", [Objective.MIN, Objective.MIN_THEN_SUM, Objective.LEXIMIN])
def test_no_bound_on_the_minimum_is_under_the_minimum_score(engine: str, objective: Objective) -> None:
    problem = TOO_GOOD.problem(objective)
    skip_without(engine, problem)
    for options in pairings(engine):
        ran = run(engine, problem, **options)
        assert ran.result.status is Status.UNSATISFIABLE
        assert {bound[0] for bound in ran.bounds} <= {57.5, 60.0}


@maximisers
def test_a_theme_word_that_would_stand_twice_leaves_no_fill(engine: str) -> None:
    problem = question(*PAIR, words="AA", repeats=True, theme={"AA": 1.0}).problem()
    skip_without(engine, problem)
    for options in pairings(engine):
        assert run(engine, problem, **options).result.status is Status.UNSATISFIABLE


@engines
def test_a_slot_longer_than_any_word_is_named(engine: str) -> None:
    problem = question("..#", "...", words="AB BA CA").problem()
    for options in pairings(engine):
        result = run(engine, problem, **options).result
        assert result.status is Status.UNSATISFIABLE
        assert result.wipeout is not None
        assert problem.slots[result.wipeout].length == 3


@engines
def test_cells_in_no_slot_are_no_choice(engine: str) -> None:
    asked = question("[QZ]#...", "#####", "[YZ]#Z##", words="ABC CBA")
    for options in pairings(engine, Objective.ANY):
        every = run(engine, asked.problem(), Limits(fills=None), **options)
        assert {rows for rows, _ in every.found} == {("Q#ABC", "#####", "Y#Z##"), ("Q#CBA", "#####", "Y#Z##")}
        assert len(every.found) == 2
