"""The six kinds of constraints that engines receive; every rule is lowered to them.

Engines know the rules only in this form, so a new rule that these constraints can express needs no change in engines.

    domain           a slot holds a word of a given set
    all-different    no word of a given set stands in two slots
    excluded pairs   no two words share a mark
    budget           the costs of the words of a fill sum to at most a limit
    cover            a word of a given set stands in some slot
    apart            no word of one set in a slot together with a word of another set in another slot

Words are bitsets over the table of their length (`cpfill.words.lexicon`). Budgets and covers have them by the kind of
the slot: slots of one kind have one length, and words count alike in them (`Problem.kinds`).
"""

from __future__ import annotations

import threading
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple, overload
from weakref import WeakKeyDictionary

from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from cpfill.puzzle.grid import CellId, Grid, Place, Slot, SlotId
    from cpfill.words.lexicon import Lexicon, WordTable


class Domain(NamedTuple):
    """Every slot holds one of these words."""

    words: Mapping[int, int]


class AllDifferent(NamedTuple):
    """None of these words stands in two slots."""

    words: Mapping[int, int]


class Pairs(Sequence[Sequence[int]]):
    """For each of some words, numbers: pairs of a word and a number, in one array, the words in ascending order."""

    def __init__(self, words: int, pairs: array[int]) -> None:
        self._words = range(words)
        self.pairs = pairs
        self._ends = array("I")  # of the numbers of each word, once they are asked for

    @overload
    def __getitem__(self, at: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Sequence[int]]: ...
    def __getitem__(self, at: int | slice) -> Sequence[int] | Sequence[Sequence[int]]:
        if isinstance(at, slice):
            return [self[each] for each in self._words[at]]
        if not self._ends:
            counts = Counter(self.pairs[::2])
            self._ends = array("I", accumulate((counts[word] for word in self._words), initial=0))
        word = self._words[at]
        return self.pairs[2 * self._ends[word] + 1 : 2 * self._ends[word + 1] : 2]

    def __len__(self) -> int:
        return len(self._words)


@dataclass(frozen=True, eq=False)
class Marks:
    """Marks that exclude pairs of words: the words of two slots share no mark.

    Attributes:
        of: for each length, the numbers of the marks of each word.
    """

    of: Mapping[int, Sequence[Sequence[int]]]

    def pack(self, length: int) -> bytes:
        """Return each word of a length with each of its marks, as pairs of 32-bit integers."""
        rows = self.of[length]
        if isinstance(rows, Pairs):
            return rows.pairs.tobytes()
        return array("I", chain.from_iterable((word, mark) for word, row in enumerate(rows) for mark in row)).tobytes()


_NUMBERING = threading.Lock()
_NUMBERED: WeakKeyDictionary[WordTable, tuple[list[WordTable], Marks]] = WeakKeyDictionary()
"""The latest marks of the words of some tables, by the table of the shortest words; long lists take seconds. A kept
value refers only to tables of longer words, so that it is freed with its tables."""


def number_marks(tables: Mapping[int, WordTable], lexicon: Lexicon) -> Marks:
    """Return the marks of the words of some tables of a lexicon, by number."""
    first, *others = (table for _, table in sorted(tables.items()))
    with _NUMBERING:  # questions that need the same marks wait for one of them
        known, marks = _NUMBERED.get(first, (None, None))
        if marks is None or known != others:
            marked = zip((first, *others), lexicon.mark_tables([first, *others]), strict=True)
            marks = Marks({table.length: Pairs(len(table), pairs) for table, pairs in marked})
            _NUMBERED[first] = others, marks
        return marks


class ExcludedPairs(NamedTuple):
    """The words of two slots share no mark."""

    marks: Marks


class Cover(NamedTuple):
    """One of these words, by the kind of the slot, stands in some slot."""

    words: Mapping[int, int]


class BudgetStep(NamedTuple):
    """These words, by the kind of the slot, cost at least `cost`."""

    cost: int
    words: Mapping[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Budget:
    """The costs of the words of a fill sum to at most `limit`.

    Attributes:
        steps: in ascending order of cost, each a subset of the one before; a word costs as much as the last step that
            has it, or 0 if no step has it.
        limit: at least 0.
    """

    steps: tuple[BudgetStep, ...]
    limit: int

    @classmethod
    def count(cls, words: Mapping[int, int], most: int) -> Budget:
        """Return the budget that allows at most `most` of these words in a fill."""
        return cls((BudgetStep(1, words),), most)

    def find_least(self, kind: int, domain: int) -> int:
        """Return the cost of the cheapest word in the domain of a slot of a kind."""
        least = 0
        for cost, words in self.steps:
            if domain & ~words.get(kind, 0):
                break
            least = cost
        return least

    def select_within(self, kind: int, domain: int, cap: int) -> int:
        """Return the words of a domain that cost at most `cap`."""
        for cost, words in self.steps:
            if cost > cap:
                return domain & ~words.get(kind, 0)
        return domain

    def list_costs(self, kind: int, size: int) -> array[int]:
        """Return the costs of the `size` words of a kind, indexed by word id."""
        costs = array("q", bytes(8 * size))
        for cost, words in self.steps:
            dear = words.get(kind, 0)
            first = (dear & -dear).bit_length() - 1
            if dear and dear == (1 << size) - (1 << first):  # usually the words that score least, whose ids come last
                costs[first:] = array("q", [cost]) * (size - first)
            else:
                for word in walk_members(dear):
                    costs[word] = cost
        return costs


class Apart(NamedTuple):
    """Not both: a word of `ones` in the slot `one`, and a word of `others` in the slot `other`, a different slot."""

    one: SlotId
    ones: int
    other: SlotId
    others: int


Constraint = Domain | AllDifferent | ExcludedPairs | Budget | Cover | Apart


@dataclass(frozen=True, slots=True)
class Constraints:
    """The constraints on the words of a problem; its cells constrain letters.

    Attributes:
        words: for each length of a slot, the words that slots may hold.
        singles: for each length of a slot, the words that may stand in one slot at most.
        marks: no two words share a mark, not even two copies of a word; `None` allows any pairs.
        budgets: the budgets.
        cover: sets of words, of each of which one must stand in some slot.
        apart: the words of two slots that do not stand together.
    """

    words: Mapping[int, int]
    singles: Mapping[int, int]
    marks: Marks | None = None
    budgets: tuple[Budget, ...] = ()
    cover: tuple[Cover, ...] = ()
    apart: tuple[Apart, ...] = ()

    @classmethod
    def unite(cls, constraints: Iterable[Constraint], tables: Iterable[WordTable]) -> Constraints:
        """Return the conjunction of some constraints, over the words of tables of different lengths."""
        words = {table.length: table.everything for table in tables}
        singles = dict.fromkeys(words, 0)
        marks: Marks | None = None
        listed: dict[type[Constraint], list[Any]] = {Budget: [], Cover: [], Apart: []}
        for constraint in constraints:
            match constraint:
                case Domain(allowed):
                    words = {length: each & allowed.get(length, 0) for length, each in words.items()}
                case AllDifferent(single):
                    singles = {length: each | single.get(length, 0) for length, each in singles.items()}
                case ExcludedPairs():
                    marks = constraint.marks
                case Budget() | Cover() | Apart():
                    listed[type(constraint)].append(constraint)
        return cls(words, singles, marks, *map(tuple, listed.values()))

    @property
    def tie_components(self) -> bool:
        """Whether anything besides C3 connects slots that no crossings connect."""
        return self.marks is not None or bool(self.budgets or self.cover or self.apart)


HALVES = 2
"""The weight of a place of one slot. In two slots, each has half of it, so that a fill counts each place once."""

_NEXT_KIND = 1000
"""Added to a length for each further kind of slots of that length."""


def find_spelled(grid: Grid) -> dict[CellId, CellId]:
    """Return the cells in no slot that are tied to cells in slots, each with one of these."""
    spelled = {}
    for cell, group in grid.tied.items():
        within = list(filter(grid.slots_at.__contains__, group))
        if within and cell not in within:
            spelled[cell] = within[0]
    return spelled


def list_unspelled(grid: Grid) -> set[CellId]:
    """Return the cells whose letters no word spells: blocks, and cells in no slot that are tied to none in a slot."""
    return set(range(len(grid.cells))).difference(grid.slots_at, find_spelled(grid))


def weigh_places(grid: Grid, among: Collection[Place] | None = None) -> dict[Place, int]:
    """Return the weight of each place of a slot, by default of all places; 0 for those that are not `among` them."""
    slots = Counter(place for slot in grid.slots for place in slot.places)
    weights = {}
    for place, count in slots.items():
        counts = among is None or place in among
        weights[place] = HALVES // count if counts else 0
    for cell, spelled in find_spelled(grid).items():
        if among is None or (cell, 0) in among:
            weights[spelled, 0] += HALVES // slots[spelled, 0]  # a cell in no slot counts where it is spelled
    return weights


def weigh_kinds(weights: Mapping[Place, int], slots: Sequence[Slot], kinds: Sequence[int]) -> dict[int, list[int]]:
    """Return the weights of the places in the slots of each kind; `kinds` has the kind of each slot."""
    return {kind: list(map(weights.__getitem__, slot.places)) for kind, slot in zip(kinds, slots, strict=True)}


def find_kinds(slots: Sequence[Slot], weights: Sequence[Mapping[Place, int]], apart: bool) -> tuple[int, ...]:
    """Return the kind of each slot: its length, and more if other slots of that length weigh otherwise.

    `weights` has the weights of places that count, once for each rule; `apart` gives the first slot a kind of its own.
    """
    numbers: dict[int, dict[object, int]] = {}
    kinds = []
    for slot in slots:
        weighed = tuple(tuple(map(each.__getitem__, slot.places)) for each in weights)
        alike = numbers.setdefault(slot.length, {})
        number = alike.setdefault((weighed, apart and slot.id == 0), len(alike))
        kinds.append(slot.length + _NEXT_KIND * number)
    return tuple(kinds)


def add_up(table: WordTable, weights: Sequence[int], worth: Sequence[int]) -> list[int]:
    """Return the sum of weight times worth over the letters of each word; `worth` is by letter code."""
    sums = [0] * len(table)
    for pos, weight in enumerate(weights):
        if weight:
            weighed = [weight * each for each in worth]
            sums = list(map(add, sums, map(weighed.__getitem__, table.codes[pos :: table.length])))
    return sums


def find_agreeing(grid: Grid, slot: Slot, table: WordTable) -> int:
    """Return the words that have the same letter in tied cells of a slot."""
    agreeing = table.everything
    last: dict[CellId, int] = {}  # by the first of tied cells, the last position of any of them so far
    for pos, (cell, _) in enumerate(slot.places):
        if cell in grid.tied:
            first = grid.tied[cell][0]
            if first in last:  # the words with an A at both positions, with a B at both, …
                agreeing &= sum(map(int.__and__, table.masks(last[first]), table.masks(pos)))
            last[first] = pos
    return agreeing
