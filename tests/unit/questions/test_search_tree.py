"""Search trees: the numbers of the lesson, and every path counted by brute force."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from cpfill import count_fills, make_problem
from cpfill.base.errors import InputError
from cpfill.questions.search_tree import SearchTree, grow, letter_slots, parse_order
from cpfill.testing.questions import questions
from tests.support import INSTANCES, Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.base.trees import Branch
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Slot

LESSON = INSTANCES / "smith-steen"


def lesson(name: str) -> Problem:
    return make_problem(LESSON / f"{name}.txt", words=str(LESSON / f"{name}.words.txt"))


def tree_of(problem: Problem, order: str, **most: int) -> SearchTree:
    return grow(problem, parse_order(problem.grid, order), **most)


def size(branch: Branch) -> int:
    return sum(1 + size(child) for child in branch.children)


def count_paths(problem: Problem, slots: Sequence[Slot]) -> list[int]:
    """Return, for each level, the ways to give its slots different words that agree on every cell."""
    counts = []
    for level in range(1, len(slots) + 1):
        number = 0
        for words in product(*(problem.tables[slot.id].words for slot in slots[:level])):
            letters: dict[int, str] = {}
            agree = len(set(words)) == level
            for slot, word in zip(slots, words, strict=False):
                for cell, letter in zip(slot.cells, word, strict=True):
                    given = problem.grid.givens[cell] or letter
                    agree = agree and letter == given and letters.setdefault(cell, letter) == letter
            number += agree
        counts.append(number)
    return counts


@pytest.mark.parametrize(("order", "edges"), [("A,B,C", [4, 12, 24]), ("C,B,A", [2, 6, 24]), ("2-Across", [2, 8, 24])])
def test_edges_of_the_lesson(order: str, edges: list[int]) -> None:
    tree = tree_of(lesson("tree"), order)
    assert list(tree.edges) == edges
    assert (tree.fills, sum(tree.dead_ends), tree.drawn, size(tree.root)) == (24, 0, sum(edges), sum(edges))


def test_the_two_totals_of_the_lesson() -> None:
    totals = [sum(tree_of(lesson("tree"), order).edges) for order in ("A,B,C", "C,B,A")]
    assert totals == [40, 32]


def test_a_dead_end_is_counted_and_marked() -> None:
    """C has three words, two of which leave F without one: ELAN and ELLE."""
    tree = tree_of(lesson("dead-end"), "A")
    assert (tree.edges, tree.dead_ends) == ((3, 1), (0, 2))
    assert [child.note for child in tree.root.children] == ["×", "×", ""]  # noqa: RUF001


@pytest.mark.parametrize("most", [0, 1, 5, 17, 39])
def test_a_tree_drawn_in_part_counts_the_rest(most: int) -> None:
    tree = tree_of(lesson("tree"), "A,B,C", draw=most)
    assert (sum(tree.edges), tree.drawn, size(tree.root)) == (40, most, most)
    assert sum_notes(tree.root) == 40 - most


def sum_notes(branch: Branch) -> int:
    own = int(branch.note.removeprefix("+ ")) if branch.note else 0
    return own + sum(map(sum_notes, branch.children))


def test_counting_stops_at_too_many_edges() -> None:
    tree = tree_of(lesson("tree"), "A,B,C", count=20, draw=10)
    assert not tree.complete
    assert size(tree.root) <= 10


def test_a_tree_may_be_deeper_than_python_recurses() -> None:
    rows = ["..#" * 40] * 1 + ["#" * 120]
    problem = make_problem("\n".join(rows * 40), words=["AB", "CD"], repeats=True)
    tree = grow(problem, letter_slots(problem.grid), draw=3)
    assert len(tree.slots) == 1600
    assert not tree.complete


WORDS = ["ABA", "BAB", "AAB", "BBA", "ABB"]


@pytest.mark.parametrize("rows", ["...\n.#.\n...", "..A\n.#.\n...", "...\n...\n..."])
def test_tree_counts_each_path(rows: str) -> None:
    problem = make_problem(rows, words=WORDS)
    for slots in (letter_slots(problem.grid), letter_slots(problem.grid)[::-1]):
        tree = grow(problem, slots)
        assert list(tree.edges) == count_paths(problem, slots)


@settings(max_examples=60)
@given(questions(sides=True, rebus=True))
def test_leaves_are_the_fills_under_every_rule(asked: Question) -> None:
    problem = asked.problem()
    assert grow(problem, letter_slots(problem.grid)).fills == count_fills(problem).fills


@pytest.mark.parametrize(("order", "names"), [("C", "C,A,B"), (" b , 1-across", "B,A,C"), ("2A,1D", "C,B,A")])
def test_slots_left_out_follow_by_number(order: str, names: str) -> None:
    grid = lesson("tree").grid
    assert parse_order(grid, order) == parse_order(grid, names)


@pytest.mark.parametrize(
    ("order", "message"), [("A,D", "a slot from A to C"), ("A,1A", "once"), ("", "a slot such as"), ("7D", "1")]
)
def test_a_wrong_order_is_refused(order: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_order(lesson("tree").grid, order)
