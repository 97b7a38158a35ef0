"""Branch and bound, and whom a dead end is blamed on."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.engines.backtrack.search import ImprovementRule
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits
from cpfill.problem.rules import Rules
from tests.support import question, run

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem

WORDS = {"AB": 5.0, "BA": 2.5, "CC": 2.5, "CA": 0.0}
APART = question("..", "##", "..", "##", "..", words=WORDS, repeats=True).problem()
THEMES = st.sampled_from([{}, {"BA": 1.0}, {"AB": 1.0, "CA": 0.5}, {"BA": 2.0, "CC": 2.0}])
OBJECTIVES = st.sampled_from([Objective.MIN, Objective.SUM, Objective.MIN_THEN_SUM, Objective.LEXIMIN])
LEVELS = st.sampled_from([(), (2.5,), (2.0, 5.0), (1.0, 6.0)])
DOMAINS = st.tuples(*[st.sets(st.sampled_from(sorted(WORDS)), min_size=1).map(sorted)] * 3)


@given(theme=THEMES, objective=OBJECTIVES, levels=LEVELS, domains=DOMAINS, data=st.data())
def test_improvement_loses_nothing_better_and_says_why(
    theme: dict[str, float],
    objective: Objective,
    levels: tuple[float, ...],
    domains: tuple[list[str], ...],
    data: st.DataObject,
) -> None:
    levels = levels if objective is Objective.LEXIMIN else ()
    problem = replace(APART, objective=objective, theme=theme, levels=levels)
    ids = problem.tables[0].ids
    values = {
        words: problem.score([ids[word] for word in words])
        for words in itertools.product(WORDS, repeat=3)
        if all(words.count(word) <= 1 for word in theme)
    }
    bitsets = [sum(1 << ids[word] for word in words) for words in domains]
    improvement = ImprovementRule(problem)
    assert not list(improvement.find_narrowings(bitsets))
    improvement.stage = place = data.draw(st.integers(0, len(problem.criteria) - 1))
    # The criteria before have their greatest value.
    improvement.best = best = max(values.values())[:place] + data.draw(st.sampled_from(sorted(values.values())))[place:]
    end = None if problem.criteria[place].is_vector else place + 1
    better = [words for words, value in values.items() if value[:end] > best[:end]]
    cut = improvement.drop_low_scores(bitsets)
    for words in better:
        if all(word in domain for word, domain in zip(words, domains, strict=True)):
            assert all(cut[slot] >> ids[word] & 1 for slot, word in enumerate(words))
            assert values[words][:end] <= improvement.find_bound(bitsets)
    for slot, kept, because in improvement.find_narrowings(bitsets):
        for words in better:
            if all(other == slot or not because >> other & 1 or words[other] in domains[other] for other in range(3)):
                assert kept >> ids[words[slot]] & 1 or words[slot] not in domains[slot]


# Some slots cross and some do not, so that what bears on all of them together sends the search far back.
SHAPES = (
    ("..", "##", "..", "##", "..", "##", ".."),
    ("...", "##.", "...", "##.", "..."),
    ("...#..", "##.##.", "...#..", "##.##.", "...#.."),
    ("..#..", "#.#.#", "..#..", "#####", "....."),
)


def problem_of(random: Random) -> Problem:
    words = {
        "".join(random.choices("ABC", k=length)): random.choice([1.0, 2.0, 5.0, 7.0])
        for length in (2, 3, 5)
        for _ in range(random.randint(3, 9))
    }
    repeats = random.random() < 0.5
    objective = random.choice([*Objective, Objective.ANY])
    problem = question(*random.choice(SHAPES), words=words, repeats=repeats).problem(objective)
    lengths = {slot.length for slot in problem.slots}
    fitting = [word for word in words if len(word) in lengths]
    alike, most, below = (
        random.choice([False, False, True]),
        random.choice([None, 1, 2, 3]),
        random.choice([2.0, 5.0, 7.0]),
    )
    rules = Rules(
        repeats=repeats,
        no_shared=alike,
        max_obscure=most,
        below=None if most is None else below,
        required=frozenset(random.choices(fitting, k=random.choice([0, 0, 1, 2]) if fitting else 0)),
    )
    weighed = random.choices(fitting, k=random.choice([0, 0, 2, 3]) if fitting else 0)
    return replace(problem, rules=rules, theme={word: random.choice([1.0, 2.0]) for word in weighed})


@pytest.mark.parametrize("hundred", range(3))
def test_no_fill_is_jumped_over(hundred: int) -> None:
    """FC-CBJ against FC, which blames nobody."""
    for seed in range(100 * hundred, 100 * hundred + 100):
        random = Random(seed)
        problem = problem_of(random)
        options = {"order": random.choice(["mrv", "static", "random", "degree"]), "ac3": random.random() < 0.5}
        fc, cbj = (run(engine, problem, Limits(fills=300, seed=seed), **options).result for engine in ("fc", "fc-cbj"))
        assert cbj.status == fc.status
        if problem.criteria:
            assert cbj.value == fc.value
        else:
            assert cbj.fills == fc.fills
