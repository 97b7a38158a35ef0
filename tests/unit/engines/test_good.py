"""Good fills: the weakest words raised, several to choose from, and what a given word may hold down."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from cpfill import Finished, Found, Limits, StopReason, events, make_problem, solve
from cpfill.base.errors import InputError
from cpfill.cli.render import verdict
from cpfill.design.grids import keep_fillable, raise_fills
from cpfill.engines.audited import settle
from cpfill.engines.mac.engine import MacEngine
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Status
from cpfill.questions.diverse import choose_fills
from tests.cli.program import INSTANCES
from tests.support import question, rows_of

if TYPE_CHECKING:
    from cpfill.design.grids import Grids

GRID_15 = INSTANCES / "classic" / "15.01.txt"
SQUARE = {"AB": 9.0, "CD": 9.0, "AC": 9.0, "BD": 9.0, "EF": 3.0, "GH": 4.0, "EG": 5.0, "FH": 6.0}


def scores_of(problem: Problem, words: list[str]) -> list[float]:
    found = [problem.lexicon.find(word) for word in words]
    return sorted(entry[0] for entry in found if entry)


@pytest.mark.parametrize("engine", ["auto", "mac"])
def test_the_weakest_words_of_a_real_grid_are_raised(engine: str) -> None:
    problem = make_problem(GRID_15)
    first = solve(replace(problem, objective=Objective.ANY), engine=engine).fill
    good = solve(problem, engine=engine)
    assert first is not None
    assert good.fill is not None
    assert (good.status, good.fills, good.proof) == (Status.SATISFIED, 1, "")
    assert scores_of(problem, [*good.fill.words.values()]) > scores_of(problem, [*first.words.values()])


def test_a_word_that_is_given_holds_no_other_down() -> None:
    words = {
        "ZZZ": 1.0,
        "ZAB": 7.0,
        "ZCD": 7.0,
        "ZAC": 2.0,
        "ZBD": 2.0,
        "ACE": 8.0,
        "BDF": 8.0,
        "ABE": 2.0,
        "CDF": 2.0,
        "ZEF": 7.0,
    }
    asked = question("ZZZ", "...", "...", words=words)
    good = settle(asked.problem(Objective.GOOD)).fill
    best = asked.answer_to(Objective.LEXIMIN).best
    assert good is not None
    assert best is not None
    assert tuple(scores_of(asked.problem(), [*good.words.values()])) == best


def test_a_word_that_is_required_holds_no_other_down() -> None:
    problem = make_problem(INSTANCES / "assignment" / "A.txt", require=["zibet"])
    good, best = settle(problem), settle(replace(problem, objective=Objective.LEXIMIN))
    assert good.fill is not None
    assert "ZIBET" in good.fill.words.values()
    assert best.status is Status.OPTIMAL
    assert best.value is not None
    assert scores_of(problem, [*good.fill.words.values()])[0] == best.value[0]


def test_a_required_word_moves_only_where_no_other_scores_less_for_it() -> None:
    problem = make_problem(
        ["...", "###", "Z.."], {"ZQQ": 5, "ZZZ": 20, "AAA": 60, "QQZ": 90}, require=["zqq"], no_shared=True
    )
    good = settle(problem).fill
    assert good is not None
    assert scores_of(problem, [*good.words.values()]) == [60, 90]


def test_each_step_is_better_where_words_are_required_and_repeat() -> None:
    improved = 0
    for seed in range(500):
        chance = Random(seed)
        rows = chance.choices(["...", "###", "Z..", "..#", ".#.", "#.."], k=chance.randint(2, 4))
        words = {"".join(chance.choices("ABZ", k=length)): chance.choice([5.0, 20.0, 60.0]) for length in [2, 3] * 9}
        required = frozenset(chance.sample(sorted(words), 2))
        asked = question(*rows, words=words, alphabet="ABZ", repeats=bool(seed % 2), required=required)
        try:
            problem = asked.problem(Objective.GOOD)
        except InputError:  # no slot is as long as a required word
            continue
        stream = MacEngine().search(problem, Limits(seed=seed))
        steps = [asked.judge(rows_of(problem, event.fill)) for event in stream if isinstance(event, Found)]
        assert steps == sorted(set(steps))
        improved += len(steps) > 1
    assert improved > 10


def test_words_that_are_alike_give_way_to_others_unless_there_are_none() -> None:
    words = {"AIDE": 90, "AIDES": 90, "IDEA": 70, "IDEAL": 70, "EDIE": 41, "AISLE": 60}
    problem = make_problem(["....#", "#####", "....."], words)
    good = settle(problem).fill
    assert good is not None
    assert not problem.lexicon.find_alike(good.words.values())
    forced = settle(make_problem(["....#", "#####", "....."], {"AIDE": 90, "AIDES": 90, "EDIE": 30})).fill
    assert forced is not None
    assert {*forced.words.values()} == {"AIDE", "AIDES"}


def test_words_that_all_score_the_same_give_the_first_fill_and_no_talk_of_quality() -> None:
    problem = question("..", "..", words=dict.fromkeys(SQUARE, 5.0)).problem(Objective.GOOD)
    stream = list(events(problem))
    assert [event.better for event in stream if isinstance(event, Found)] == [False]
    assert stream[-1].reason is StopReason.FILLS if isinstance(stream[-1], Finished) else False
    assert "score" not in verdict(problem, settle(problem), 0.0, all_asked=False)


def test_a_limit_keeps_the_fill_that_there_is() -> None:
    problem = make_problem(GRID_15)
    whole = settle(problem)
    cut = settle(problem, limits=Limits(nodes=whole.stats.nodes // 2))
    assert cut.stop_reason is StopReason.NODES
    assert cut.status is Status.SATISFIED
    assert cut.fill is not None
    assert whole.fill is not None
    assert scores_of(problem, [*cut.fill.words.values()]) <= scores_of(problem, [*whole.fill.words.values()])


def test_more_workers_than_one_give_a_good_fill_too() -> None:
    problem = make_problem(GRID_15)
    one, two = settle(problem), settle(problem, limits=Limits(workers=2))
    assert one.value == two.value


@pytest.mark.parametrize("asked", [2, 3, 40])
def test_fills_to_choose_from_are_as_many_as_there_are(asked: int) -> None:
    problem = question("..", "..", words=SQUARE)
    fills = problem.answer.fills
    stream = list(choose_fills(problem.problem(Objective.GOOD), limits=Limits(fills=asked)))
    told = ["/".join(event.fill.rows) for event in stream if isinstance(event, Found) and not event.better]
    assert len(told) == min(asked, len(fills))
    last = stream[-1]
    assert isinstance(last, Finished)
    assert last.exhausted == (asked > len(fills))
    kept: list[str] = []
    for event in stream:
        if isinstance(event, Found):
            if event.better:
                kept.pop()
            kept.append("\n".join(event.fill.rows))
    assert len(set(kept)) == len(kept)


def test_generated_grids_get_good_fills() -> None:
    problem = replace(make_problem(GRID_15), objective=Objective.ANY)

    def grids() -> Grids:
        yield problem.grid
        return StopReason.EXHAUSTED

    first = next(keep_fillable(grids(), problem.lexicon))
    good = next(filter(None, raise_fills(keep_fillable(grids(), problem.lexicon), Limits())))
    assert scores_of(problem, [*good[1].words.values()]) > scores_of(problem, [*first[1].words.values()])


def test_names_that_cross_where_another_letter_would_do_give_way_to_others() -> None:
    """ISIS and ASIA could be IRIS and ARIA."""
    lists = "ISIS;90\nASIA;90\niris;50\naria;50\nseas;45\n"
    problem = make_problem(["#.##", "....", "#.##", "#.##"], lists)
    good = settle(problem).fill
    assert good is not None
    assert {*good.words.values()} in ({"IRIS", "ARIA"}, {"SEAS", "ASIA"}, {"SEAS", "ARIA"})
