"""What engines receive: five kinds of constraints, into which every rule is lowered.

An engine knows these alone. A rule that can be said by them costs no engine a line.

    domain           a slot holds one of some words
    all-different    of some words, none stands in two slots
    excluded pairs   no two words share a run of so many letters
    budget           what the words of a fill cost adds up to a limit at most
    cover            a word stands in some slot

Words are bitsets over the table of their length (`cpfill.words.table`).
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cpfill.words.table import walk_members

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cpfill.words.table import WordId, WordTable


class Domain(NamedTuple):
    """Every slot holds one of these words."""

    words: Mapping[int, int]


class AllDifferent(NamedTuple):
    """Of these words, none stands in two slots."""

    words: Mapping[int, int]


class ExcludedPairs(NamedTuple):
    """No words of two slots share a run of `run` letters."""

    run: int


class Cover(NamedTuple):
    """A word stands in some slot."""

    length: int
    word: WordId


class Step(NamedTuple):
    """What these words cost at least."""

    cost: int
    words: Mapping[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Budget:
    """What the words of a fill cost adds up to `limit` at most.

    Attributes:
        steps: their costs rise, and the words of each are among those of the one before; what is in none costs 0.
        limit: not negative.
    """

    steps: tuple[Step, ...]
    limit: int

    @classmethod
    def count(cls, words: Mapping[int, int], most: int) -> Budget:
        """Return the budget that at most `most` of these words stand in a fill."""
        return cls((Step(1, words),), most)

    def find_least(self, length: int, domain: int) -> int:
        """Return what the cheapest word of a domain costs."""
        least = 0
        for cost, words in self.steps:
            if domain & ~words.get(length, 0):
                break
            least = cost
        return least

    def select_within(self, length: int, domain: int, cap: int) -> int:
        """Return the words of a domain that cost `cap` at most."""
        dear = next((words.get(length, 0) for cost, words in self.steps if cost > cap), 0)
        return domain & ~dear

    def list_costs(self, length: int, size: int) -> array[int]:
        """Return what each of the `size` words of a length costs, by their ids."""
        costs = array("q", bytes(8 * size))
        for cost, words in self.steps:
            dear = words.get(length, 0)
            first = (dear & -dear).bit_length() - 1
            if dear and dear == (1 << size) - (1 << first):  # those that score least, as a rule: they come last
                costs[first:] = array("q", [cost]) * (size - first)
            else:
                for word in walk_members(dear):
                    costs[word] = cost
        return costs


Constraint = Domain | AllDifferent | ExcludedPairs | Budget | Cover


@dataclass(frozen=True, slots=True)
class Constraints:
    """The constraints on the words of a problem, beside those of its cells.

    Attributes:
        words: for each length of a slot, the words that slots may hold.
        singles: for each length of a slot, the words of which none stands in two slots.
        run: how many letters in a row no two words share; `None` where they may share any.
        budgets: the budgets.
        cover: the words that stand in some slot.
    """

    words: Mapping[int, int]
    singles: Mapping[int, int]
    run: int | None = None
    budgets: tuple[Budget, ...] = ()
    cover: tuple[Cover, ...] = ()

    @classmethod
    def unite(cls, constraints: Iterable[Constraint], tables: Mapping[int, WordTable]) -> Constraints:
        """Return what some constraints say together of words of some lengths."""
        words = {length: table.everything for length, table in tables.items()}
        singles = dict.fromkeys(tables, 0)
        runs: list[int] = []
        budgets: list[Budget] = []
        cover: list[Cover] = []
        for constraint in constraints:
            match constraint:
                case Domain(allowed):
                    words = {length: each & allowed.get(length, 0) for length, each in words.items()}
                case AllDifferent(single):
                    singles = {length: each | single.get(length, 0) for length, each in singles.items()}
                case ExcludedPairs(run):
                    runs.append(run)
                case Budget():
                    budgets.append(constraint)
                case Cover():
                    cover.append(constraint)
        return cls(words, singles, min(runs, default=None), tuple(budgets), tuple(cover))

    @property
    def tie_components(self) -> bool:
        """Whether more than C3 ties slots together that no crossings connect."""
        return self.run is not None or bool(self.budgets or self.cover)
