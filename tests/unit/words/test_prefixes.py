"""Trees of prefixes and M(S, i): the figures of the documents, and sets of prefixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.base.trees import MOST_DRAWN
from cpfill.words.curate.prefixes import count_prefixes, grow_prefixes, prefix_means
from tests.support import INSTANCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.base.trees import Branch

FIGURE = sorted((INSTANCES / "remy" / "figure-1.words.txt").read_text(encoding="utf-8").split())
WORDS = st.sets(st.text("ABC", min_size=1, max_size=5), min_size=1).map(sorted)


def list_words(branch: Branch, before: str = "") -> Iterator[str]:
    """Yield the words that a whole tree spells."""
    for child in branch.children:
        text = before + child.text
        if child.ringed or not child.children:
            yield text
        yield from list_words(child, text)


def outline(branch: Branch) -> list[str]:
    """Return the tree as the middle of figure 1 has it: each word without the letters that stand above it."""
    lines: list[str] = []
    for child in branch.children:
        below = outline(child) or [""]
        lines += [child.text + below[0], *(" " + line for line in below[1:])]
    return lines


def test_tree_of_the_figure() -> None:
    """Rémy, figure 1: four words of 11 letters in 8 nodes, one for each prefix."""
    tree = count_prefixes(FIGURE)
    assert (tree.words, tree.letters, tree.nodes, tree.levels) == (4, 11, 8, (2, 3, 3))
    assert outline(grow_prefixes(FIGURE, 3)) == ["aab", " bc", "  d", "bc"]


@given(WORDS)
def test_nodes_are_the_different_prefixes(words: list[str]) -> None:
    prefixes = {word[:end] for word in words for end in range(1, len(word) + 1)}
    tree = count_prefixes(words)
    assert tree.nodes == len(prefixes)
    assert tree.levels == tuple(
        len({each for each in prefixes if len(each) == depth + 1}) for depth in range(len(tree.levels))
    )
    assert tree.letters == sum(map(len, words))


@given(WORDS)
def test_whole_tree_spells_the_words(words: list[str]) -> None:
    assert list(list_words(grow_prefixes(words, 5))) == words


@given(WORDS, st.integers(1, 4))
def test_notes_count_the_words_below(words: list[str], depth: int) -> None:
    def notes(branch: Branch) -> int:
        own = int(branch.note.removeprefix("+ ")) if branch.note else 0
        return own + sum(map(notes, branch.children))

    assert notes(grow_prefixes(words, depth)) == sum(len(word) > depth for word in words)


def test_a_large_tree_is_drawn_by_depth() -> None:
    words = [f"{one}{two}{three}" for one in "ABCDEFGHIJ" for two in "ABCDEFGHIJ" for three in "ABCDEFGHIJ"]
    tree = count_prefixes(words)
    assert (tree.nodes, tree.whole_depth, tree.drawn) == (1110, 2, 110)
    assert tree.drawn <= MOST_DRAWN < tree.nodes


@pytest.mark.parametrize(
    ("words", "means"),
    [(["AB", "AC", "BA", "BB"], (4, 2)), (["MAGIC", "MANGO", "METAL", "MOUSE"], (4, 4, 4 / 3, 1, 1)), ([], (0, 0))],
)
def test_mean_words_by_prefix(words: list[str], means: tuple[float, ...]) -> None:
    assert prefix_means(words, len(means)) == means
