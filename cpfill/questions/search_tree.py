"""The search tree of a grid whose slots are filled in a fixed order, as lessons on backtracking count it.

An edge is a word placed, which agrees with the letters of the words above it and breaks no rule with them. A path
through all slots is a fill; a node whose next slot has no such word is a dead end. The example is that of Atelier RLV,
L'auteur de mots croisés (2022), `instances/smith-steen/tree.txt`: the order A, B, C has 40 edges and the order C, B, A
has 32, for the same 24 fills.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import expected
from cpfill.base.texts import say, say_count
from cpfill.base.trees import MOST_DRAWN, Branch
from cpfill.engines.toolkit.propagation import SideConstraints
from cpfill.formats.pages.trees import Picture, draw_trees
from cpfill.puzzle.grid import find_slot
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid, Slot
    from cpfill.words.lexicon import WordId

MOST_COUNTED = 250_000
"""The edges counted of a tree at most: a few seconds."""


def letter_slots(grid: Grid) -> list[Slot]:
    """Return the slots in the order of their numbers, across before down: the order in which A, B, C… name them."""
    return sorted(grid.slots, key=lambda slot: (slot.number, slot.id))


def parse_order(grid: Grid, text: str) -> list[Slot]:
    """Return all slots, first those named in `A,C,2-Down`, then the others in the order of their numbers.

    Raises:
        InputError: a name is that of no slot, or a slot is named twice.
    """
    others = letter_slots(grid)
    letters = {chr(ord("A") + place): slot for place, slot in enumerate(others[:26])}
    chosen: list[Slot] = []
    for name in text.split(","):
        letter = name.strip().upper()
        if len(letter) == 1 and letter not in letters:
            last = max(letters)
            raise expected("a slot from A to {last}, or one such as 17-Across", f"'{name}'", last=last)
        slot = letters.get(letter) or find_slot(grid, name)
        if slot not in others:
            raise expected("each slot once in an order", say("'{name}' again", name=name))
        others.remove(slot)
        chosen.append(slot)
    return chosen + others


@dataclass(frozen=True, slots=True)
class SearchTree:
    """A search tree, counted, and drawn as far as it is small.

    Attributes:
        slots: the slots, in their order.
        edges: for each slot, the number of words placed in it.
        dead_ends: for each slot, the number of nodes that leave it without a word.
        complete: whether all edges were counted; else there are more.
        root: the nodes that are drawn.
        drawn: the number of edges that are drawn.
    """

    slots: tuple[Slot, ...]
    edges: tuple[int, ...]
    dead_ends: tuple[int, ...]
    complete: bool
    root: Branch = field(repr=False)
    drawn: int

    @property
    def fills(self) -> int:
        """The number of fills."""
        return self.edges[-1]

    def __str__(self) -> str:
        """Return the numbers in words."""
        if not self.complete:
            return say("more than {edges} edges: counting stopped", edges=f"{MOST_COUNTED:,}")
        counts = {"edge": sum(self.edges), "fill": self.fills, "dead end": sum(self.dead_ends)}
        return ", ".join(say_count(count, thing) for thing, count in counts.items())

    @property
    def picture(self) -> Picture:
        """The tree as it is drawn."""
        return Picture(str(self), self.root, [slot.name for slot in self.slots])

    def _repr_svg_(self) -> str:
        return draw_trees([self.picture], ".svg").decode()

    @property
    def record(self) -> dict[str, Any]:
        """The numbers as JSON."""
        return {
            "order": [slot.name for slot in self.slots],
            "edges": list(self.edges),
            "dead_ends": list(self.dead_ends),
            "fills": self.fills,
            "complete": self.complete,
            "drawn": self.drawn,
        }


def grow(problem: Problem, slots: Sequence[Slot], *, draw: int = MOST_DRAWN, count: int = MOST_COUNTED) -> SearchTree:
    """Return the search tree of a problem, drawn level by level up to `draw` edges and counted up to `count`.

    If the first slot has more words than are drawn, each node shows its first few.
    """
    walk = _Walk(problem, slots, count)
    root = Branch("")
    waiting: deque[tuple[Branch, list[WordId]]] = deque([(root, [])])
    partly: list[tuple[Branch, list[WordId], int]] = []  # nodes, each with the words that are not drawn
    drawn = 0
    fan = _FAN if problem.domains[slots[0].id].bit_count() > draw else draw
    while waiting and drawn < draw:
        branch, words = waiting.popleft()
        fitting = walk.expand(words)
        table = problem.tables[slots[len(words)].id]
        for word in islice(walk_members(fitting), min(fan, draw - drawn)):
            fitting ^= 1 << word
            drawn += 1
            branch.children.append(Branch(table.words[word]))
            if len(words) + 1 < len(slots):
                waiting.append((branch.children[-1], [*words, word]))
        partly.append((branch, words, fitting))
    for branch, words, rest in partly:
        _note_rest(walk, branch, words, rest)
    for branch, words in waiting:
        branch.note = _tell_hidden(walk.count(words), walk)
    return SearchTree(tuple(slots), tuple(walk.edges), tuple(walk.dead_ends), walk.complete, root, drawn)


_FAN = 8
_DEAD_END = "×"  # noqa: RUF001 - a cross


def _note_rest(walk: _Walk, branch: Branch, words: list[WordId], rest: int) -> None:
    """Count the edges below the words of a node that are not drawn, and note them beside it."""
    hidden = rest.bit_count()
    for word in walk_members(rest):
        hidden += walk.count([*words, word])
    if rest:
        branch.note = _tell_hidden(hidden, walk)
    elif not branch.children:
        branch.note = _DEAD_END


def _tell_hidden(hidden: int, walk: _Walk) -> str:
    """Return how many edges below a node are not drawn, or the mark of a dead end."""
    if not walk.complete:
        return "+ …"
    return f"+ {hidden:,}" if hidden else _DEAD_END


class _Walk:
    """Counts the edges of a tree until there are too many."""

    def __init__(self, problem: Problem, slots: Sequence[Slot], most: int) -> None:
        self.edges = [0] * len(slots)
        self.dead_ends = [0] * len(slots)
        self.complete = True
        self._left = most
        self._problem = problem
        self._order = [slot.id for slot in slots]
        self._constraints = SideConstraints(problem)
        levels = {slot: level for level, slot in enumerate(self._order)}
        self._above: list[list[tuple[int, int, int]]] = []
        """For each level: (position, earlier level, position there) of each crossing with an earlier slot."""
        self._partners: list[list[int]] = []
        """For each level, the earlier levels whose words may remove words."""
        for level, slot in enumerate(self._order):
            crossed = [(pos, levels[other], there) for pos, other, there in problem.grid.links[slot]]
            self._above.append([each for each in crossed if each[1] < level])
            partners = [levels[other] for other in self._constraints.partners[slot]]
            self._partners.append([other for other in partners if other < level])

    def expand(self, words: list[WordId]) -> int:
        """Return the words that can stand in the next slot, and count them; the words of the slots before are given."""
        fitting = self._find_fitting(words)
        number = fitting.bit_count()
        level = len(words)
        self.edges[level] += number
        self.dead_ends[level] += not number
        self._left -= number
        if self._left < 0:
            self.complete = False
        return fitting

    def count(self, words: list[WordId]) -> int:
        """Count the edges below a node, and return their number."""
        before = sum(self.edges)
        path = list(words)
        below = [self._branch(path)]
        while below:
            word = next(below[-1], None)
            if word is None:
                below.pop()
                path = path[: len(words) + len(below) - 1]
            else:
                path.append(word)
                below.append(self._branch(path))
        return sum(self.edges) - before

    def _branch(self, path: list[WordId]) -> Iterator[WordId]:
        """Count the edges of a node, and return its words, except in the last slot: no node is below those."""
        if len(path) == len(self._order) or not self.complete:
            return iter(())
        fitting = self.expand(path)
        if len(path) + 1 == len(self._order):
            return iter(())
        return walk_members(fitting)

    def _find_fitting(self, words: list[WordId]) -> int:
        level = len(words)
        slot = self._order[level]
        table = self._problem.tables[slot]
        fitting = self._problem.domains[slot]
        for pos, earlier, there in self._above[level]:
            theirs = self._problem.tables[self._order[earlier]]
            fitting &= table.masks(pos)[theirs.codes[words[earlier] * theirs.length + there]]
        for earlier in self._partners[level]:
            fitting &= ~self._constraints.find_conflicts(self._order[earlier], words[earlier], slot)
        if not self._constraints.narrow:
            return fitting
        return sum(1 << word for word in walk_members(fitting) if self._obeys([*words, word]))

    def _obeys(self, words: list[WordId]) -> bool:
        """Return whether budgets and cover leave each slot a word."""
        domains = list(self._problem.domains)
        for slot, word in zip(self._order, words, strict=False):
            domains[slot] = 1 << word
        return all(narrowing.kept for narrowing in self._constraints.find_narrowings(domains))
