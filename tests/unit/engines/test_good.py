"""Good fills: the weakest words raised, several to choose from, and words that may hold down no others."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cpfill import Finished, Found, Limits, StopReason, events, make_problem, solve
from cpfill.base.errors import InputError
from cpfill.cli.render import verdict
from cpfill.design.grids import keep_fillable, raise_fills
from cpfill.engines.audited import settle
from cpfill.engines.mac.engine import MacEngine
from cpfill.problem.problem import Objective
from cpfill.problem.result import Status
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import parse_word_list, read_word_list
from tests.cli.program import INSTANCES
from tests.support import question, rows_of

if TYPE_CHECKING:
    from cpfill.design.grids import Grids
    from cpfill.problem.fill import Fill

PROBLEM = make_problem(INSTANCES / "classic" / "15.01.txt")


def scores_of(fill: Fill | None) -> list[float]:
    """Return the scores of a fill, worst first."""
    assert fill is not None
    found = map(PROBLEM.lexicon.find, fill.words.values())
    return sorted(entry[0] for entry in found if entry)


def first_fill() -> Fill | None:
    return solve(replace(PROBLEM, objective=Objective.ANY)).fill


@pytest.mark.parametrize("engine", ["auto", "mac"])
def test_the_weakest_words_of_a_grid_are_raised(engine: str) -> None:
    good = solve(PROBLEM, engine=engine)
    assert (good.status, good.fills, good.proof) == (Status.SATISFIED, 1, "")
    assert scores_of(good.fill) > scores_of(first_fill())
    assert settle(PROBLEM, limits=Limits(workers=2)).value == good.value
    cut = settle(PROBLEM, limits=Limits(nodes=good.stats.nodes // 2))
    assert (cut.stop_reason, cut.status) == (StopReason.NODES, Status.SATISFIED)
    assert cut.fill is not None
    assert good.fill is not None
    assert cut.fill.quality(PROBLEM) <= good.fill.quality(PROBLEM)


def test_long_slots_prefer_phrases_and_names() -> None:
    """A phrase or a name comes before plain words that score more, but not before a strong word if it is not strong."""
    lines = ["daylight;90", "mountain;60", "el dorado;{score}", "daddys;60", "eel;60", "dad;60"]
    for score, word in ((50, "DAYLIGHT"), (51, "ELDORADO"), (49, "DAYLIGHT")):
        words = parse_word_list("\n".join(lines).format(score=score))
        good = settle(make_problem(["........"], words, objective="good"))
        assert good.fill is not None
        assert good.fill.rows == [word]


@pytest.mark.parametrize("name", ["en", "fr"])
def test_strong_long_words_with_a_kind_are_lively(name: str) -> None:
    lexicon = Lexicon([read_word_list(name), parse_word_list("NOWORDATALL;99\nUNKNOWNS;50")])
    for length in (8, 11):
        table = lexicon.table(length)
        strong = [word for word, score in zip(table.words, table.scores, strict=True) if score >= 50]
        lively = sum(1 << table.ids[word] for word in strong[::7] if lexicon.kind(word) is not None)
        sampled = sum(1 << table.ids[word] for word in strong[::7])
        assert lexicon.lively(length) & sampled == lively
        assert lexicon.lively(length) < 1 << len(strong)


def test_generated_grids_get_good_fills() -> None:
    def grids() -> Grids:
        yield PROBLEM.grid
        return StopReason.EXHAUSTED

    good = next(filter(None, raise_fills(keep_fillable(grids(), PROBLEM.lexicon), Limits())))
    assert scores_of(good[1]) > scores_of(first_fill())


GIVEN = {"ZZZ": 1, "ZAB": 7, "ZCD": 7, "ZAC": 2, "ZBD": 2, "ACE": 8, "BDF": 8, "ABE": 2, "CDF": 2, "ZEF": 7}

# Rows, the scores of words, more of the question, and words that the fill has.
CASES: dict[str, tuple[str, dict[str, int], dict[str, Any], str]] = {
    "a given word holds no other down": ("ZZZ/.../...", GIVEN, {}, "ZAB ZCD ACE BDF ZEF"),
    "a required word holds no other down": (
        ".../###/Z..",
        {"ZQQ": 5, "ZZZ": 20, "AAA": 60, "QQZ": 90},
        {"require": ["zqq"], "no_shared": True},
        "AAA ZQQ",
    ),
    "words alike give way": (
        "....#/#####/.....",
        {"AIDE": 90, "AIDES": 90, "IDEA": 70, "IDEAL": 70, "EDIE": 41, "AISLE": 60},
        {},
        "",
    ),
    "words alike stay": ("....#/#####/.....", {"AIDE": 90, "AIDES": 90, "EDIE": 30}, {}, "AIDE AIDES"),
}


@pytest.mark.parametrize("name", CASES)
def test_words_of_a_good_fill(name: str) -> None:
    rows, words, more, expected = CASES[name]
    problem = make_problem(rows.split("/"), words, **more)
    good = settle(problem).fill
    assert good is not None
    assert set(good.words.values()) >= set(expected.split())
    assert bool(problem.lexicon.find_alike(good.words.values())) == (name == "words alike stay")


def test_names_that_cross_give_way() -> None:
    """ISIS and ASIA could be IRIS and ARIA."""
    problem = make_problem(["#.##", "....", "#.##", "#.##"], "ISIS;90\nASIA;90\niris;50\naria;50\nseas;45\n")
    good = settle(problem).fill
    assert good is not None
    assert set(good.words.values()) in ({"IRIS", "ARIA"}, {"SEAS", "ASIA"}, {"SEAS", "ARIA"})


def test_a_required_word_holds_down_no_word_of_a_list() -> None:
    problem = make_problem(INSTANCES / "assignment" / "A.txt", require=["zibet"])
    good = settle(problem)
    best = settle(replace(problem, objective=Objective.LEXIMIN))
    assert good.fill is not None
    assert "ZIBET" in good.fill.words.values()
    assert best.status is Status.OPTIMAL
    assert scores_of(good.fill)[0] == scores_of(best.fill)[0]


def test_each_step_is_better_with_required_words() -> None:
    improved = 0
    for seed in range(500):
        chance = Random(seed)
        rows = chance.choices(["...", "###", "Z..", "..#", ".#.", "#.."], k=chance.randint(2, 4))
        words = {"".join(chance.choices("ABZ", k=length)): chance.choice([5.0, 20.0, 60.0]) for length in [2, 3] * 9}
        required = frozenset(chance.sample(sorted(words), 2))
        asked = question(*rows, words=words, alphabet="ABZ", repeats=bool(seed % 2), required=required)
        with suppress(InputError):  # no slot is as long as a required word
            problem = asked.problem(Objective.GOOD)
            stream = MacEngine().search(problem, Limits(seed=seed))
            steps = [asked.judge(rows_of(problem, event.fill)) for event in stream if isinstance(event, Found)]
            assert steps == sorted(set(steps))
            improved += len(steps) > 1
    assert improved > 10


def test_words_of_one_score_give_the_first_fill() -> None:
    problem = question("..", "..", words=dict.fromkeys(["AB", "CD", "AC", "BD", "EF"], 5.0)).problem(Objective.GOOD)
    *_, found, last = events(problem)
    assert isinstance(found, Found)
    assert not found.better
    assert isinstance(last, Finished)
    assert last.reason is StopReason.FILLS
    assert "score" not in verdict(problem, settle(problem), 0.0, all_asked=False)
