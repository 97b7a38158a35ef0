"""A problem stated for other solvers: a variable for each letter and each slot, and sums of the costs of words.

    letters   of each place of the grid, in reading order: its letter, as its place in the alphabet, from 0. A cell in
              no slot holds the first letter that it may
    words     of each slot, in the order of the grid: the number of its word among those of its length, from 0

Each slot's word spells its letters. Words in no arc-consistent domain are left out and have no number. Every other rule
is a sum over the words of slots: `most` bounds such sums from above, `cover` lists the words that must stand.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import Fault, InputError
from cpfill.base.texts import say
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.problem.problem import Criterion
from cpfill.puzzle.grid import BLOCK
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Place, Slot, SlotId
    from cpfill.words.lexicon import WordId

Choice = tuple["SlotId", int]
"""A slot, and the number of a word in its domain."""


class Most(NamedTuple):
    """The costs of these choices add up to `limit` at most; there are some, and no cost is 0."""

    limit: int
    costs: Mapping[Choice, int]


@dataclass(frozen=True)
class Statement:
    """The statement of a problem with at most one criterion: the minimum score, or a sum.

    Raises:
        InputError: the objective has several numbers.
    """

    problem: Problem

    def __post_init__(self) -> None:
        criteria = self.problem.criteria
        if len(criteria) > 1 or any(each.is_vector for each in criteria):
            expected = say("an objective of one number for another solver: any, min or sum, or a theme and any")
            raise InputError(Fault(expected, " and then ".join(criteria)))

    @property
    def criterion(self) -> Criterion | None:
        """The criterion to maximise, if any."""
        return next(iter(self.problem.criteria), None)

    @property
    def slots(self) -> Sequence[Slot]:
        """The slots."""
        return self.problem.slots

    @property
    def n_letters(self) -> int:
        """The number of letters in the alphabet."""
        return len(self.problem.grid.alphabet.letters)

    @cached_property
    def numbers(self) -> dict[Place, int]:
        """The number of each place, in reading order, from 0; a rebus cell has a place for each of its letters."""
        grid = self.problem.grid
        cells = (cell for cell, letters in enumerate(grid.cells) if letters != BLOCK)
        places = [(cell, nth) for cell in cells for nth in range(len(grid.rebus.get(cell, "?")))]
        return {place: number for number, place in enumerate(places)}

    @cached_property
    def alone(self) -> dict[int, int]:
        """The letter of each place in no slot, by its number."""
        grid = self.problem.grid
        spelt = {place for slot in self.slots for place in slot.places}
        lonely = (place for place in self.numbers if place not in spelt)
        return {
            self.numbers[place]: (each & -each).bit_length() - 1
            for place in lonely
            for each in [grid.letter_set(place)]
        }

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
    def fitting(self) -> list[list[int]]:
        """For each slot, the numbers of the words that it may hold, in rising order."""
        number = {length: {id_: number for number, id_ in enumerate(ids)} for length, ids in self.ids.items()}
        return [
            [number[slot.length][id_] for id_ in walk_members(domain)]
            for slot, domain in zip(self.slots, self._domains, strict=True)
        ]

    @cached_property
    def groups(self) -> list[list[SlotId]]:
        """The slots of each length that two or more slots have."""
        by_length: dict[int, list[SlotId]] = defaultdict(list)
        for slot in self.slots:
            by_length[slot.length].append(slot.id)
        return [slots for _, slots in sorted(by_length.items()) if len(slots) > 1]

    def spell(self, slot: Slot, number: int) -> bytes:
        """Return the letters of a word, by its number."""
        start = self.ids[slot.length][number] * slot.length
        return self.problem.tables[slot.id].codes[start : start + slot.length]

    def word(self, slot: Slot, number: int) -> str:
        """Return a word by its number."""
        return self.problem.tables[slot.id].words[self.ids[slot.length][number]]

    @cached_property
    def gains(self) -> list[dict[int, int]]:
        """For each slot, the gains of its words by their numbers, in units; empty without a criterion."""
        if self.criterion is None:
            return [{} for _ in self.slots]
        by_length = self.problem.gains(self._measured).by_length
        return [
            {number: by_length[slot.length][self.ids[slot.length][number]] for number in fitting}
            for slot, fitting in zip(self.slots, self.fitting, strict=True)
        ]

    @property
    def per_unit(self) -> int:
        """The number of units in a score of 1, or in a weight of 1."""
        return 1 if self.criterion is None else self.problem.gains(self._measured).per_unit

    @property
    def _measured(self) -> Criterion:
        """The criterion that `gains` measure: the minimum score is given in the units of sums."""
        return Criterion.THEME if self.criterion is Criterion.THEME else Criterion.SUM

    @cached_property
    def worths(self) -> list[int]:
        """The different gains of words, in rising order."""
        return sorted({gain for gains in self.gains for gain in gains.values()})

    @cached_property
    def all_different(self) -> bool:
        """Whether every word is barred from standing twice; otherwise `most` lists the words that are."""
        tables, singles = self.problem.tables, self.problem.singles
        return all(singles[table.length] == table.everything for table in tables)

    @cached_property
    def most(self) -> list[Most]:
        """The sums with a limit: words that may stand once (unless all words may), excluded pairs, budgets."""
        return [*self._tell_apart(), *self._separate(), *self._limit()]

    @cached_property
    def cover(self) -> list[list[Choice]]:
        """For each word that must stand somewhere, the choices of which at least one is made; there may be none."""
        required = [(each.length, each.word) for each in self.problem.constraints.cover]
        return [
            [(slot.id, number) for slot, number, id_ in self._choices() if (slot.length, id_) == (length, word)]
            for length, word in required
        ]

    def _choices(self) -> Iterator[tuple[Slot, int, WordId]]:
        """Yield each slot with the number and the id of each of its words."""
        for slot, fitting in zip(self.slots, self.fitting, strict=True):
            for number in fitting:
                yield slot, number, self.ids[slot.length][number]

    def _tell_apart(self) -> Iterator[Most]:
        holding: dict[tuple[int, int], dict[Choice, int]] = defaultdict(dict)
        for slot, number, id_ in () if self.all_different else self._choices():
            if self.problem.singles[slot.length] >> id_ & 1:
                holding[slot.length, number][slot.id, number] = 1
        return (Most(1, costs) for costs in holding.values() if len(costs) > 1)

    def _separate(self) -> Iterator[Most]:
        run = self.problem.constraints.run or 0
        having: dict[bytes, dict[Choice, int]] = defaultdict(dict)
        for slot, number, _ in self._choices() if run else ():
            codes = self.spell(slot, number)
            for at in range(slot.length - run + 1):
                having[codes[at : at + run]][slot.id, number] = 1
        return (Most(1, costs) for costs in having.values() if len({slot for slot, _ in costs}) > 1)

    def _limit(self) -> Iterator[Most]:
        sizes = {table.length: len(table) for table in self.problem.tables}
        for budget in self.problem.constraints.budgets:
            costs = {length: budget.list_costs(length, size) for length, size in sizes.items()}
            found = {(slot.id, number): costs[slot.length][id_] for slot, number, id_ in self._choices()}
            if dear := {choice: cost for choice, cost in found.items() if cost}:
                yield Most(budget.limit, dear)
