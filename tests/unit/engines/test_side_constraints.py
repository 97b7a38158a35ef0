"""The side rules against their definitions, word by word."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.engines.toolkit.propagation import SideConstraints
from cpfill.problem.rules import Rules
from tests.support import question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cpfill.problem.problem import Problem

# Two slots of three letters, two of two, and no crossing.
APART = ("...", "###", "...", "###", "..#", "###", "..#")
LENGTHS = (3, 3, 2, 2)
WORDS = {2: ["AB", "BA", "BC"], 3: ["ABC", "ABB", "CBA", "BBA", "CCC"]}
SCORES = dict(zip(WORDS[3] + WORDS[2], (9.0, 1.0, 8.0, 2.0, 7.0, 9.0, 1.0, 2.0), strict=True))


def problem_of(rules: Rules, theme: Mapping[str, float] | None = None) -> Problem:
    return replace(question(*APART, words=SCORES).problem(), rules=rules, theme=theme or {})


def words_of(problem: Problem, slot: int, domain: int) -> set[str]:
    return {word for id_, word in enumerate(problem.tables[slot].words) if domain >> id_ & 1}


def domain_of(problem: Problem, slot: int, words: Sequence[str]) -> int:
    return sum(1 << problem.tables[slot].ids[word] for word in words)


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("theme", [{}, {"ABC": 2.0, "AB": 1.0}])
@pytest.mark.parametrize("alike", [False, True])
def test_conflicts_are_words_that_exclude_one_another(repeats: bool, theme: dict[str, float], alike: bool) -> None:
    """ABC and CBA reverse each other; a word of three letters is like itself."""
    problem = problem_of(Rules(repeats=repeats, no_shared=alike), theme)
    marks = problem.lexicon.marks
    rules = SideConstraints(problem)

    def excludes(word: str, theirs: str) -> bool:
        if alike and marks(word) & marks(theirs):
            return True
        return theirs == word and (not repeats or word in theme)

    for slot, other in itertools.permutations(range(4), 2):
        for id_, word in enumerate(problem.tables[slot].words):
            expected = {theirs for theirs in WORDS[LENGTHS[other]] if excludes(word, theirs)}
            assert words_of(problem, other, rules.find_conflicts(slot, id_, other)) == expected
            assert other in rules.partners[slot] or not expected


def obeys(problem: Problem, words: Sequence[str]) -> bool:
    """Whether words, one a slot, obey C6 and C7."""
    rules = problem.rules
    obscure = sum(rules.below is not None and SCORES[word] < rules.below for word in words)
    return rules.required <= set(words) and (rules.max_obscure is None or obscure <= rules.max_obscure)


DOMAINS = st.tuples(*(st.sets(st.sampled_from(WORDS[n]), min_size=1).map(sorted) for n in LENGTHS))
OBSCURE = st.none() | st.tuples(st.sampled_from([0, 1, 2, 3]), st.sampled_from([0.0, 2.0, 2.5, 10.0]))
RULES = st.builds(
    lambda obscure, required: Rules(
        max_obscure=obscure and obscure[0], below=obscure and obscure[1], required=required
    ),
    obscure=OBSCURE,
    required=st.frozensets(st.sampled_from(sorted(SCORES)), max_size=3),
)


@given(domains=DOMAINS, rules=RULES)
def test_narrowings_lose_nothing_and_say_why(domains: tuple[list[str], ...], rules: Rules) -> None:
    problem = problem_of(rules)
    bitsets = [domain_of(problem, slot, words) for slot, words in enumerate(domains)]
    for slot, kept, because in SideConstraints(problem).find_narrowings(bitsets):
        # Whatever stands in the other slots, as long as those to blame have words of their domains.
        free = [
            domains[other] if other == slot or because >> other & 1 else WORDS[LENGTHS[other]] for other in range(4)
        ]
        for words in itertools.product(*free):
            assert not obeys(problem, words) or words[slot] in words_of(problem, slot, kept)


@given(domains=DOMAINS, rules=RULES)
def test_one_word_a_slot_is_a_dead_end_or_right(domains: tuple[list[str], ...], rules: Rules) -> None:
    problem = problem_of(rules)
    words = [domain[0] for domain in domains]
    bitsets = [domain_of(problem, slot, [word]) for slot, word in enumerate(words)]
    left = [bitsets[slot] & kept for slot, kept, _ in SideConstraints(problem).find_narrowings(bitsets)]
    assert all(left) == obeys(problem, words)


def test_without_rules_there_is_nothing_to_do() -> None:
    problem = problem_of(Rules(repeats=True))
    rules = SideConstraints(problem)
    assert not any(rules.partners)
    assert not list(rules.find_narrowings(problem.domains))


def test_a_required_word_that_no_slot_can_hold_is_a_dead_end() -> None:
    problem = question("C..", words="ABC CAB").problem()
    problem = replace(problem, rules=Rules(required=frozenset({"ABC"})))
    assert [kept for _, kept, _ in SideConstraints(problem).find_narrowings(problem.domains)] == [0]
