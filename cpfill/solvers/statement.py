"""A problem stated for other solvers: a variable for each letter and each slot, and sums of the costs of words.

    letters   for each place of the grid, in reading order: the index of its letter in the alphabet, from 0. A cell in
              no slot holds the first letter allowed there
    words     for each slot, in the order of the grid: the number of its word among those of its length, from 0

Each slot's word spells its letters. Words in no arc-consistent domain are left out and have no number. Every other rule
is a sum over the words of slots: `most` bounds such sums from above, `cover` lists the words that must stand.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cpfill.base.errors import expected
from cpfill.base.texts import say
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.problem.value import Criterion
from cpfill.puzzle.grid import Place
from cpfill.solvers.data import list_places
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.problem.constraints import Constraints
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Slot, SlotId
    from cpfill.words.lexicon import WordId

Choice = tuple["SlotId", int]
"""A slot, and the number of a word in its domain."""


class Most(NamedTuple):
    """The costs of these choices add up to `limit` at most; there are some, and no cost is 0."""

    limit: int
    costs: Mapping[Choice, int]


@dataclass(frozen=True)
class Statement:
    """The statement of a problem with at most one criterion: the minimum score, or a sum."""

    problem: Problem

    def __post_init__(self) -> None:
        if self.problem.grid.ties:
            raise expected("a problem without tied cells, or the formats dzn or minizinc-json", say("ties"))
        criteria = self.problem.criteria
        if len(criteria) > 1 or any(criterion.is_vector for criterion in criteria):
            raise expected(
                "an objective of one number for another solver: any, min or sum, or a theme and any",
                say(" and then ").join(criteria),
            )

    @property
    def criterion(self) -> Criterion | None:
        return next(iter(self.problem.criteria), None)

    @property
    def slots(self) -> Sequence[Slot]:
        return self.problem.slots

    @property
    def n_letters(self) -> int:
        return len(self.problem.grid.alphabet.letters)

    @cached_property
    def numbers(self) -> dict[Place, int]:
        """The number of each place, in reading order, from 0."""
        return _number(list_places(self.problem.grid))

    @cached_property
    def alone(self) -> dict[int, int]:
        """The letter of each place in no slot, by its number."""
        grid = self.problem.grid
        spelt = set[Place]()
        for slot in self.slots:
            spelt.update(slot.places)
        alone = {}
        for place, number in self.numbers.items():
            if place not in spelt:
                letters = grid.letter_set(place)
                alone[number] = (letters & -letters).bit_length() - 1
        return alone

    @cached_property
    def _domains(self) -> Sequence[int]:
        try:
            return ac3(self.problem, self.problem.domains)
        except Wipeout:  # leave the proof to the other solver
            return self.problem.domains

    @cached_property
    def ids(self) -> dict[int, list[WordId]]:
        """For each length, the ids of the words that some slot may hold; the index of a word is its number."""
        united: dict[int, int] = defaultdict(int)
        for slot, domain in zip(self.slots, self._domains, strict=True):
            united[slot.length] |= domain
        return {length: list(walk_members(domain)) for length, domain in sorted(united.items())}

    @cached_property
    def _numbers(self) -> dict[int, dict[WordId, int]]:
        """For each length, the number of each word by its id."""
        return {length: _number(ids) for length, ids in self.ids.items()}

    @cached_property
    def fitting(self) -> list[list[int]]:
        """For each slot, the numbers of the words that it may hold, in rising order."""
        numbers = self._numbers
        fitting = []
        for slot, domain in zip(self.slots, self._domains, strict=True):
            of_length = numbers[slot.length]
            fitting.append([of_length[id_] for id_ in walk_members(domain)])
        return fitting

    @cached_property
    def groups(self) -> list[list[SlotId]]:
        """The slots of each length that two or more slots have."""
        by_length: dict[int, list[SlotId]] = defaultdict(list)
        for slot in self.slots:
            by_length[slot.length].append(slot.id)
        groups = []
        for _, slots in sorted(by_length.items()):
            if len(slots) > 1:
                groups.append(slots)
        return groups

    def spell(self, slot: Slot, number: int) -> bytes:
        """Return the letters of a word, by its number."""
        start = self.ids[slot.length][number] * slot.length
        table = self.problem.tables[slot.id]
        return table.codes[start : start + slot.length]

    @cached_property
    def gains(self) -> list[dict[int, int]]:
        """For each slot, the gains of its words by their numbers, in units; empty without a criterion."""
        gains: list[dict[int, int]] = [{} for _ in self.slots]
        if self.criterion is None:
            return gains
        by_kind = self.problem.gains(self._measured).by_kind
        for slot, number, id_ in self._choices():
            gains[slot.id][number] = by_kind[self.problem.kinds[slot.id]][id_]
        return gains

    @property
    def per_unit(self) -> int:
        """The number of units in a score of 1, or in a weight of 1."""
        if self.criterion is None:
            return 1
        return self.problem.gains(self._measured).per_unit

    @property
    def _measured(self) -> Criterion:
        """The criterion that `gains` measure: the minimum score is given in the units of sums."""
        if self.criterion and self.criterion.adds_up:
            return self.criterion
        return Criterion.SUM

    @cached_property
    def worths(self) -> list[int]:
        """The different gains of words, in rising order."""
        worths = set[int]()
        for gains in self.gains:
            worths.update(gains.values())
        return sorted(worths)

    @cached_property
    def all_different(self) -> bool:
        """Whether every word is barred from standing twice; otherwise `most` lists the words that are."""
        tables = self.problem.tables
        singles = self.problem.singles
        return all(singles[table.length] == table.everything for table in tables)

    @cached_property
    def _constraints(self) -> Constraints:
        self.problem.require_case()
        return self.problem.lower(pairs=False)

    @cached_property
    def most(self) -> list[Most]:
        """The sums with a limit: words that may stand once (unless all words may), excluded pairs, apart, budgets."""
        return [*self._tell_apart(), *self._separate(), *self._part(), *self._limit()]

    @cached_property
    def cover(self) -> list[list[Choice]]:
        """For each set of words of which one must stand, the choices that place one; there may be none."""
        cover = []
        for required in self._constraints.cover:
            choices = []
            for slot, number, id_ in self._choices():
                if required.words.get(self.problem.kinds[slot.id], 0) >> id_ & 1:
                    choices.append((slot.id, number))
            cover.append(choices)
        return cover

    def _choices(self) -> Iterator[tuple[Slot, int, WordId]]:
        """Yield each slot with the number and the id of each of its words."""
        for slot, fitting in zip(self.slots, self.fitting, strict=True):
            for number in fitting:
                yield slot, number, self.ids[slot.length][number]

    def _tell_apart(self) -> Iterator[Most]:
        """Yield a sum for each word that may stand once, unless all words may."""
        if self.all_different:
            return
        holding: dict[tuple[int, int], dict[Choice, int]] = defaultdict(dict)
        for slot, number, id_ in self._choices():
            if self.problem.singles[slot.length] >> id_ & 1:
                holding[slot.length, number][slot.id, number] = 1
        for costs in holding.values():
            if len(costs) > 1:
                yield Most(1, costs)

    def _separate(self) -> Iterator[Most]:
        """Yield a sum for each mark that words of two slots may have."""
        marks = self._constraints.marks
        if not marks:
            return
        having: dict[int, dict[Choice, int]] = defaultdict(dict)
        for slot, number, id_ in self._choices():
            for mark in marks.of[slot.length][id_]:
                having[mark][slot.id, number] = 1
        for costs in having.values():
            slots = {slot for slot, _ in costs}
            if len(slots) > 1:
                yield Most(1, costs)

    def _part(self) -> Iterator[Most]:
        """Yield a sum for the words apart of two slots, each of which has one word."""
        for one, ones, other, others in self._constraints.apart:
            sides = [self._list_choices(one, ones), self._list_choices(other, others)]
            if all(sides):
                yield Most(1, dict.fromkeys(chain(*sides), 1))

    def _list_choices(self, slot: SlotId, words: int) -> list[Choice]:
        """Return the choices of a slot among some words."""
        numbers = self._numbers[self.slots[slot].length]
        return [(slot, numbers[id_]) for id_ in walk_members(words & self._domains[slot])]

    def _limit(self) -> Iterator[Most]:
        """Yield a sum for each budget that some word can burden."""
        for budget in self._constraints.budgets:
            by_kind = {kind: budget.list_costs(kind, len(table)) for kind, table in self.problem.kind_tables.items()}
            costs = {}
            for slot, number, id_ in self._choices():
                cost = by_kind[self.problem.kinds[slot.id]][id_]
                if cost:
                    costs[slot.id, number] = cost
            if costs:
                yield Most(budget.limit, costs)


Item = TypeVar("Item")


def _number(items: Iterable[Item]) -> dict[Item, int]:
    """Return the number of each item, from 0."""
    return {item: number for number, item in enumerate(items)}


def join_numbers(numbers: Iterable[int]) -> str:
    """Return some numbers with spaces between them."""
    return " ".join(map(str, numbers))


def join_lines(lines: Iterable[str]) -> str:
    """Return a text of some lines."""
    return "".join(f"{line}\n" for line in lines)
