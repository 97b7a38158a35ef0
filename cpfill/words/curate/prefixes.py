"""A list as a tree with shared prefixes, and the prefix statistics M(S, i).

The tree is that of D. Rémy, Complétion de grilles de mots croisés, figure 1: a node is a letter, with the words that go
on after it on one side, and the words with another letter there on the other. Nodes are in bijection with the prefixes
of words. The statistics are those of J.-S. Gonsette, De la bonne façon de paver sa grille, 2019: M(S, i) is the mean
number of words of S letters with the same first i letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from cpfill.base.imports import draw_plot
from cpfill.base.trees import MOST_DRAWN, Branch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.words.lexicon import Lexicon

NODE_BYTES = 9
"""A letter, and two references of four bytes each: to the node below and to the one beside."""


@dataclass(frozen=True, slots=True)
class PrefixTree:
    """A list as a tree.

    Attributes:
        words: the number of words.
        letters: the letters of all words: the nodes of a tree that shares nothing.
        levels: for each depth, the number of nodes, which are the different prefixes of that length.
    """

    words: int
    letters: int
    levels: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return sum(self.levels)

    @property
    def whole_depth(self) -> int:
        """The greatest depth to which the tree has few enough nodes to be drawn; 1 at least."""
        depth = total = 0
        for number in self.levels:
            total += number
            if total > MOST_DRAWN:
                break
            depth += 1
        return max(1, depth)

    @property
    def drawn(self) -> int:
        """The number of nodes down to that depth."""
        return sum(self.levels[: self.whole_depth])


def count_prefixes(words: Sequence[str]) -> PrefixTree:
    """Return the size of the tree of some different words in alphabetical order."""
    levels = [0] * max(map(len, words), default=0)
    before = ""
    for word in words:
        same = 0
        for letter, other in zip(word, before, strict=False):
            if letter != other:
                break
            same += 1
        for depth in range(same, len(word)):
            levels[depth] += 1
        before = word
    return PrefixTree(len(words), sum(map(len, words)), tuple(levels))


def grow_prefixes(words: Sequence[str], depth: int) -> Branch:
    """Return the tree of some different words in alphabetical order, down to a depth.

    A ring marks a letter that ends a word and is the prefix of another; a note counts the words below the last letters.
    """
    root = Branch("")
    _grow(root, words, 0, depth)
    return root


def _grow(branch: Branch, words: Iterable[str], start: int, depth: int) -> None:
    for letter, group in groupby(words, key=lambda word: word[start]):
        below = list(group)
        child = Branch(letter)
        branch.children.append(child)
        longer = [word for word in below if len(word) > start + 1]
        child.ringed = 0 < len(longer) < len(below)
        if start + 1 < depth:
            _grow(child, longer, start + 1, depth)
        elif longer:
            child.note = f"+ {len(longer):,}"


def prefix_means(words: Sequence[str], length: int) -> tuple[float, ...]:
    """Return M(length, i) for i from 0 to length - 1: the mean number of these words with the same first i letters."""
    means = []
    for end in range(length):
        prefixes = {word[:end] for word in words}
        means.append(len(words) / max(1, len(prefixes)))
    return tuple(means)


def list_prefix_means(lexicon: Lexicon) -> dict[int, tuple[float, ...]]:
    """Return M(S, i) by length S of the words."""
    return {length: prefix_means(lexicon.table(length).words, length) for length in lexicon.lengths}


def _list_colours(number: int) -> list[tuple[float, float, float]]:
    """Return colours from dark blue to light green, one a length."""
    steps = [index / number for index in range(number)]
    return [(0.1 + 0.5 * step, 0.1 + 0.7 * step, 0.5 - 0.2 * step) for step in steps]


def plot_prefix_means(means: dict[int, tuple[float, ...]], path: str) -> None:
    """Draw a line for each length: M(S, i), on a logarithmic axis, by the number i of known letters.

    Raises:
        CpfillError: matplotlib is not installed.
        InputError: the file cannot be written.
    """
    with draw_plot(path, 8.0, 5.0) as figure:
        axes = figure.subplots()
        axes.set_prop_cycle(color=_list_colours(len(means)))
        for length, numbers in means.items():
            axes.plot(range(len(numbers)), numbers, marker=".", label=str(length))
        axes.set_yscale("log")
        axes.set(xlabel="letters known, i", ylabel="M(S, i): words with these letters", ylim=(0.9, None))
        axes.grid(visible=True, alpha=0.3)
        axes.legend(title="S")
