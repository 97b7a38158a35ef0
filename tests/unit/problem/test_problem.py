"""What a problem refuses, and what it makes of rules, themes and scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cpfill.base.errors import InputError
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.value import Criterion
from tests.support import question, run

ASKED = question("...", "###", "..#", words={"ABC": 1.0, "ABD": 2.5, "AB": 0.1, "BA": 0.25, "ABCD": 9.0})


@pytest.mark.parametrize("rule", [{"no_shared": True}, {"max_obscure": 0, "below": 2.0}])
def test_rules_on_several_words_tie_components(rule: dict[str, Any]) -> None:
    assert replace(ASKED, **rule).problem().constraints.tie_components
    assert not ASKED.problem().constraints.tie_components


def test_grid_and_lexicon_share_one_alphabet() -> None:
    latin, small = ASKED.problem(), question("..", words="AB", alphabet="ABC").problem()
    with pytest.raises(InputError, match="alphabet"):
        Problem(latin.grid, small.lexicon)


@pytest.mark.parametrize(
    ("word", "said"),
    [("ABCD", r"as long as a slot of the grid \(2, 3\), found ABCD, of 4"), ("XYZ", "of the lexicon, found XYZ")],
)
def test_a_wanted_word_fits_and_is_in_the_lexicon(word: str, said: str) -> None:
    with pytest.raises(InputError, match=f"theme word.* {said}"):
        replace(ASKED, theme={"AB": 1.0, word: 1.0}).problem()
    with pytest.raises(InputError, match=f"required word.* {said}"):
        replace(ASKED, required=frozenset({"AB", word})).problem()


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_a_weight_is_a_finite_number_from_0(weight: float) -> None:
    with pytest.raises(InputError, match="theme word AB"):
        replace(ASKED, theme={"AB": weight}).problem()


@pytest.mark.parametrize("score", [1e16, 0.1234567890123456, 1e-15, 900719925474099.5])
@pytest.mark.parametrize("objective", [Objective.SUM, Objective.MIN_THEN_SUM])
def test_inexact_sums_are_refused(score: float, objective: Objective) -> None:
    asked = question("..", "##", "..", words={"AB": score, "BA": 1.0})
    with pytest.raises(InputError, match="exact"):
        asked.problem(objective)
    assert asked.problem(Objective.MIN).criteria == (Criterion.MIN,)
    with pytest.raises(InputError, match="exact"):
        question("..", "##", "..", words="AB BA", theme={"AB": score, "BA": 1.0}).problem()


def test_the_largest_sums_are_told_apart() -> None:
    """Whole numbers of units below 10**15 are different floats whatever the unit, and larger ones need not be."""
    asked = question("..", "##", "..", words={"AA": 44000000000000.1, "BB": 44000000000000.1, "CC": 44000000000000.2})
    values = set(asked.answer_to(Objective.SUM).values.values())
    assert len(values) == 2
    assert run("mac", asked.problem(Objective.SUM)).result.value == max(values)
    with pytest.raises(InputError, match="exact"):
        replace(asked, words={word: score + 4e14 for word, score in asked.words.items()}).problem(Objective.SUM)


@pytest.mark.parametrize(
    ("objective", "value"),
    {
        Objective.ANY: (0.1,),
        Objective.MIN: (0.1,),
        Objective.SUM: (2.6,),
        Objective.MIN_THEN_SUM: (0.1, 2.6),
    }.items(),
)
def test_a_value_has_a_number_for_each_criterion(objective: Objective, value: tuple[float, ...]) -> None:
    problem = ASKED.problem(objective)
    words = [problem.word_id("ABD"), problem.word_id("AB")]
    themed = replace(problem, theme={"AB": 0.5, "ABD": 2.0})
    assert problem.score(words) == value
    assert themed.score(words) == (2.5, *value)[: len(themed.criteria)]


def test_the_levels_are_the_scores_of_the_words_that_fit() -> None:
    scored = question(
        "A..", "###", "[BC].#", words={"ABC": 9.0, "AAA": 2.5, "BBB": 4.0, "BA": 3.0, "CA": 0.5, "AA": 8.0}
    )
    assert scored.problem().ranking == (0.5, 2.5, 3.0, 9.0)
    assert replace(scored, min_score=2.6).problem().ranking == (3.0, 9.0)
    assert replace(scored, min_score=9.5).problem().ranking == ()
