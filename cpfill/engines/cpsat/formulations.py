"""Two CP-SAT models of one problem, each over given domains, and the lexicon cores that the domains may be cut to.

The constraints are those of `cpfill.problem.constraints`.

table    one integer variable per slot over word ids, its domain;
         one integer variable per crossing over letter codes, tied to both slots by tables of (word, letter), or one
         table of (word, word) if that is small;
         all-different over the slots of one length; a literal wherever a constraint depends on whether a slot holds one
         of some words (excluded pairs, budgets, cover, V4). This is the textbook model, kept as the reference.

boolean  one literal per (slot, word), exactly one true per slot; one literal per (crossing, letter), equal to the sum
         of the words of either slot that have the letter there; at most one slot per word (all-different) or per run
         (excluded pairs), and linear constraints and clauses over the same literals (budgets, cover).

Unchecked cells need no variable: the word determines the letter.

A lexicon core has the few hundred words per slot that cross most easily. CP-SAT takes minutes for a model of a whole
lexicon, but seconds for the few hundred friendliest words per slot, and a fill found among them is a fill. A core
without a fill proves nothing, so the search continues with larger cores and finally the whole lexicon.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from ortools.sat.python import cp_model

from cpfill.problem.constraints import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Crossing, SlotId
    from cpfill.words.lexicon import WordId

    ReadValue = Callable[[cp_model.LinearExprT], int]

_Item = TypeVar("_Item")

GROWTH = 3
"""The ratio of the size of a core to that of the one before."""


def choose_core(problem: Problem, domains: Sequence[int], size: int, tick: Callable[[], None]) -> list[int]:
    """Return the `size` friendliest words of each domain, or all if there are fewer.

    A word's friendliness is the sum, over crossed positions, of log(words of the crossing slot that have this letter
    there). Ties go to the better score. Words that cost much in a budget come last; the words of a cover or a theme are
    in every core. See "Friendly words before good ones" in `cpfill/DECISIONS.md`.
    """
    wanted = dict.fromkeys(problem.kinds, 0)
    for (words,) in problem.constraints.cover:
        for kind, of_kind in words.items():
            wanted[kind] |= of_kind
    for length, word in list_word_ids(problem, problem.theme):
        for kind, table in problem.kind_tables.items():
            if table.length == length:
                wanted[kind] |= 1 << word
    core = []
    for slot, domain in enumerate(tick_through(tick, domains)):
        chosen = domain
        if domain.bit_count() > size:
            chosen = _choose_friendliest(problem, domains, slot, size)
            chosen |= domain & wanted[problem.kinds[slot]]
        core.append(chosen)
    return core


def _choose_friendliest(problem: Problem, domains: Sequence[int], slot: SlotId, size: int) -> int:
    """Return the `size` friendliest words of the domain of a slot, those that cost much in a budget last."""
    table = problem.tables[slot]
    words = list_members(domains[slot])
    friendliness = _rate_friendliness(problem, domains, slot)[words]
    for budget in problem.constraints.budgets:
        costs = np.frombuffer(budget.list_costs(problem.kinds[slot], len(table)), dtype=np.int64)[words]
        friendliness -= costs / budget.steps[-1].cost * (friendliness.max() + 1.0)
    friendliest = np.argsort(-friendliness, kind="stable")[:size]
    return make_bitset(words[friendliest])


def list_word_ids(problem: Problem, words: Iterable[str]) -> list[tuple[int, WordId]]:
    """Return the length and the id of each word that the lexicon has, in alphabetical order."""
    return [(len(word), problem.lexicon.table(len(word)).ids[word]) for word in sorted(words)]


def _rate_friendliness(problem: Problem, domains: Sequence[int], slot: int) -> NDArray[np.float64]:
    """Return the friendliness of every word in the table of a slot."""
    table = problem.tables[slot]
    codes = np.frombuffer(table.codes, dtype=np.uint8).reshape(len(table), table.length)
    total = np.zeros(len(table))
    for pos, other, other_pos in problem.grid.links[slot]:
        counts = [(domains[other] & mask).bit_count() for mask in problem.tables[other].masks(other_pos)]
        total += np.log(np.maximum(counts, 1))[codes[:, pos]]
    return total


def tick_through(tick: Callable[[], None], items: Iterable[_Item]) -> Iterator[_Item]:
    """Yield items, calling `tick` before each; `tick` may raise to stop."""
    for item in items:
        tick()
        yield item


def list_members(domain: int) -> NDArray[np.intp]:
    """Return the members of a bitset, lowest first."""
    data = domain.to_bytes((domain.bit_length() + 7) // 8, "little")
    return np.flatnonzero(np.unpackbits(np.frombuffer(data, dtype=np.uint8), bitorder="little"))


def make_bitset(words: NDArray[np.intp]) -> int:
    """Return the bitset of these members."""
    flags = np.zeros(int(words.max(initial=-1)) + 1, dtype=np.uint8)
    flags[words] = 1
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


MAX_PAIRS = 2_000
"""A crossing with at most this many word pairs gets one table of pairs; above, a letter variable is faster."""

MAX_ACTIVITY = 2**61
"""The largest sum of the absolute coefficients of a linear constraint; CP-SAT counts in 64 bits."""


class Formulation(ABC):
    """A model of a problem over some domains.

    Attributes:
        model: the CP-SAT model.
        words: for each slot the ids of the words in its domain.
    """

    def __init__(self, problem: Problem, domains: Sequence[int], tick: Callable[[], None]) -> None:
        self.model = cp_model.CpModel()
        self._domains = domains
        self._members = list(map(list_members, domains))
        self.words: list[list[WordId]] = [words.tolist() for words in self._members]
        self._problem = problem
        self._tick_through = partial(tick_through, tick)
        self._build()
        self._exclude_pairs()
        for budget in problem.constraints.budgets:
            self.keep_to(budget)
        for (of_kinds,) in problem.constraints.cover:
            self.model.add_bool_or(self._list_literals(self._find_members(of_kinds)))
        for one, ones, other, others in self._tick_through(problem.constraints.apart):
            holders = {one: self._find(one, ones), other: self._find(other, others)}
            if all(holders.values()):  # at most one of these literals is true, because a slot has one word
                self.model.add_at_most_one(self._list_literals(holders))

    @abstractmethod
    def _build(self) -> None:
        """State domains, crossings and all-different."""

    @abstractmethod
    def _express_holding(self, slot: SlotId, indices: Sequence[int]) -> list[cp_model.IntVar]:
        """Return literals, exactly one of them true if the slot holds one of its words at `indices`, else all false."""

    @abstractmethod
    def _express_gain(self, slot: SlotId, gains: Sequence[int]) -> cp_model.LinearExprT:
        """Return the gain of a slot as an expression; `gains` are those of `words[slot]`."""

    @abstractmethod
    def read(self, value: ReadValue) -> list[WordId]:
        """Return the word id of each slot in a solution."""

    @abstractmethod
    def hint(self, words: Sequence[WordId]) -> None:
        """Begin the search with a fill, given by the word of each slot."""

    @abstractmethod
    def maximise_minimum(self) -> None:
        """State V1: maximise the rank of the lowest score among the words (its index in `problem.ranking`)."""

    def express_total(self, gains: Sequence[Sequence[int]]) -> cp_model.LinearExpr:
        """Return the total gain of a fill as an expression; `gains` are those of `words`."""
        return cp_model.LinearExpr.sum([self._express_gain(slot, of_slot) for slot, of_slot in enumerate(gains)])

    def _exclude_pairs(self) -> None:
        """For each mark that words of two slots share, let at most one slot hold a word with it."""
        marks = self._problem.constraints.marks
        if marks is None:
            return
        holders: dict[int, dict[SlotId, list[int]]] = defaultdict(lambda: defaultdict(list))
        for slot, (words, table) in enumerate(zip(self.words, self._problem.tables, strict=True)):
            for index, word in enumerate(self._tick_through(words)):
                for mark in marks.of[table.length][word]:
                    holders[mark][slot].append(index)
        for of_mark in self._tick_through(holders.values()):
            if len(of_mark) > 1:
                self.model.add_at_most_one(self._list_literals(of_mark))

    def keep_to(self, budget: Budget) -> None:
        """Let the costs of the words sum to at most the limit."""
        terms: list[cp_model.LinearExpr] = []
        below = 0
        for cost, words in budget.steps:
            dear = self._find_members(words)
            terms.append((cost - below) * cp_model.LinearExpr.sum(self._list_literals(dear)))
            below = cost
        self.model.add(cp_model.LinearExpr.sum(terms) <= budget.limit)

    def limit_words(self, under: float, most: int) -> None:
        """Let at most `most` words score under a threshold."""
        kinds = self._problem.kind_tables.items()
        low = {kind: table.everything & ~table.at_least(under) for kind, table in kinds}
        self.keep_to(Budget.count(low, most))

    def _find_members(self, words: Mapping[int, int]) -> dict[SlotId, list[int]]:
        """Return, for each slot, the indices in `words[slot]` of the given words."""
        return {slot: self._find(slot, words.get(kind, 0)) for slot, kind in enumerate(self._problem.kinds)}

    def _find(self, slot: SlotId, words: int) -> list[int]:
        """Return the indices in `words[slot]` of the given words."""
        found: list[int] = np.searchsorted(self._members[slot], list_members(words & self._domains[slot])).tolist()
        return found

    def _find_holders(self, length: int, word: WordId) -> dict[SlotId, list[int]]:
        """Return the slots of a length, each with the index of a word in `words[slot]` if its domain has the word."""
        return {slot.id: self._find(slot.id, 1 << word) for slot in self._problem.slots if slot.length == length}

    def _list_literals(self, holders: Mapping[SlotId, Sequence[int]]) -> list[cp_model.IntVar]:
        """Return literals; the number that is true equals the number of slots that hold one of their words."""
        literals = []
        for slot, indices in holders.items():
            if indices:
                literals += self._express_holding(slot, indices)
        return literals

    def _group_by_letter(self, slot: SlotId, pos: int) -> dict[int, list[int]]:
        """Return, for each letter code at a position of a slot, the indices in `words[slot]` that have it there."""
        table = self._problem.tables[slot]
        codes = table.codes
        length = table.length
        by_letter: dict[int, list[int]] = defaultdict(list)
        for index, word in enumerate(self.words[slot]):
            by_letter[codes[word * length + pos]].append(index)
        return by_letter

    def _list_ranks(self, slot: SlotId) -> list[int]:
        """Return the rank of each word in `words[slot]`."""
        rank_of = {score: rank for rank, score in enumerate(self._problem.ranking)}
        scores = self._problem.tables[slot].scores
        return [rank_of[scores[word]] for word in self.words[slot]]


class TableFormulation(Formulation):
    """Integer variables and tables."""

    def _build(self) -> None:
        model = self.model
        problem = self._problem
        self._slots = [
            model.new_int_var_from_domain(cp_model.Domain.from_values(words), problem.slots[slot].name)
            for slot, words in enumerate(self._tick_through(self.words))
        ]
        for crossing in self._tick_through(problem.grid.agreements):
            self._cross(crossing)
        by_length: dict[int, list[cp_model.IntVar]] = defaultdict(list)
        for slot, variable in zip(problem.slots, self._slots, strict=True):
            by_length[slot.length].append(variable)
        for length, variables in by_length.items():
            if problem.singles[length] != problem.lexicon.table(length).everything:
                for word in list_members(problem.singles[length]):
                    model.add_at_most_one(self._list_literals(self._find_holders(length, int(word))))
            elif len(variables) > 1:
                model.add_all_different(variables)

    def _cross(self, crossing: Crossing) -> None:
        """Let the words of two slots agree where they cross."""
        model = self.model
        across = self._group_by_letter(crossing.across, crossing.across_pos)
        down = self._group_by_letter(crossing.down, crossing.down_pos)
        shared = sorted(across.keys() & down.keys())
        if sum(len(across[code]) * len(down[code]) for code in shared) <= MAX_PAIRS:
            pairs: list[tuple[int, int]] = []
            for code in shared:
                pairs += product(
                    self._list_words(crossing.across, across[code]), self._list_words(crossing.down, down[code])
                )
            model.add_allowed_assignments([self._slots[crossing.across], self._slots[crossing.down]], pairs)
            return
        letter = model.new_int_var(0, len(self._problem.grid.alphabet.letters) - 1, "")
        for slot, by_letter in ((crossing.across, across), (crossing.down, down)):
            spelt = []
            for code, indices in by_letter.items():
                spelt += [(word, code) for word in self._list_words(slot, indices)]
            model.add_allowed_assignments([self._slots[slot], letter], spelt)

    def _list_words(self, slot: SlotId, indices: Sequence[int]) -> list[WordId]:
        """Return the words of a slot at some indices."""
        words = self.words[slot]
        return [words[index] for index in indices]

    def _express_holding(self, slot: SlotId, indices: Sequence[int]) -> list[cp_model.IntVar]:
        """Return one literal, equivalent to the condition: a mere implication would list solutions twice."""
        literal = self.model.new_bool_var("")
        variable = self._slots[slot]
        words = cp_model.Domain.from_values(self._list_words(slot, indices))
        self.model.add_linear_expression_in_domain(variable, words).only_enforce_if(literal)
        self.model.add_linear_expression_in_domain(variable, words.complement()).only_enforce_if(~literal)
        return [literal]

    def _express_gain(self, slot: SlotId, gains: Sequence[int]) -> cp_model.LinearExprT:
        """Return a variable tied to the slot's by a table of (word, gain)."""
        if len(set(gains)) == 1:
            return gains[0]
        gain = self.model.new_int_var_from_domain(cp_model.Domain.from_values(sorted(set(gains))), "")
        pairs = list(zip(self.words[slot], gains, strict=True))
        self.model.add_allowed_assignments([self._slots[slot], gain], pairs)
        return gain

    def read(self, value: ReadValue) -> list[WordId]:
        """Return the word id of each slot in a solution."""
        return [value(variable) for variable in self._slots]

    def hint(self, words: Sequence[WordId]) -> None:
        """Hint at the words."""
        for variable, word in zip(self._slots, words, strict=True):
            self.model.add_hint(variable, word)

    def maximise_minimum(self) -> None:
        """State V1 with a rank variable per slot and a variable for their minimum."""
        top = len(self._problem.ranking) - 1
        minimum = self.model.new_int_var(0, top, "minimum")
        for slot, variable in enumerate(self._tick_through(self._slots)):
            rank = self.model.new_int_var(0, top, "")
            pairs = list(zip(self.words[slot], self._list_ranks(slot), strict=True))
            self.model.add_allowed_assignments([variable, rank], pairs)
            self.model.add(minimum <= rank)
        self.model.maximize(minimum)


class BooleanFormulation(Formulation):
    """Literals and exactly-one constraints."""

    def _build(self) -> None:
        model = self.model
        problem = self._problem
        self._literals = []
        for words in self.words:
            self._literals.append([model.new_bool_var("") for _ in self._tick_through(words)])
            model.add_exactly_one(self._literals[-1])
        for crossing in problem.grid.agreements:
            across = self._group_by_letter(crossing.across, crossing.across_pos)
            down = self._group_by_letter(crossing.down, crossing.down_pos)
            for code in self._tick_through(sorted(across.keys() | down.keys())):
                letter = model.new_bool_var("")
                for slot, by_letter in ((crossing.across, across), (crossing.down, down)):
                    having = [self._literals[slot][index] for index in by_letter.get(code, ())]
                    model.add_exactly_one(*having, ~letter)
        self._tell_apart()

    def _tell_apart(self) -> None:
        """Let at most one slot hold each word that may not repeat."""
        holders: dict[tuple[int, WordId], list[cp_model.IntVar]] = defaultdict(list)
        for slot in self._tick_through(self._problem.slots):
            singles = self._problem.singles[slot.length]
            if not singles:
                continue
            for word, literal in zip(self.words[slot.id], self._literals[slot.id], strict=True):
                if singles >> word & 1:
                    holders[slot.length, word].append(literal)
        for rivals in self._tick_through(holders.values()):
            if len(rivals) > 1:
                self.model.add_at_most_one(rivals)

    def _express_holding(self, slot: SlotId, indices: Sequence[int]) -> list[cp_model.IntVar]:
        """Return the literals of the words."""
        return [self._literals[slot][index] for index in indices]

    def _express_gain(self, slot: SlotId, gains: Sequence[int]) -> cp_model.LinearExprT:
        """Return a linear expression over the literals, or a variable if their sum could overflow."""
        literals = self._literals[slot]
        if max(map(abs, gains)) * len(gains) * len(self.words) > MAX_ACTIVITY:
            gain = self.model.new_int_var_from_domain(cp_model.Domain.from_values(sorted(set(gains))), "")
            for literal, number in zip(literals, gains, strict=True):
                self.model.add(gain == number).only_enforce_if(literal)
            return gain
        return cp_model.LinearExpr.weighted_sum(literals, gains)

    def read(self, value: ReadValue) -> list[WordId]:
        """Return the word id of each slot in a solution."""
        found = []
        for words, literals in zip(self.words, self._literals, strict=True):
            index = next(index for index, literal in enumerate(literals) if value(literal))
            found.append(words[index])
        return found

    def hint(self, words: Sequence[WordId]) -> None:
        """Hint at the literals of the words, which decide all others."""
        for literals, mine, word in zip(self._literals, self.words, words, strict=True):
            self.model.add_hint(literals[mine.index(word)], True)

    def maximise_minimum(self) -> None:
        """State V1 with a literal for each rank that some word has: "no word ranks below this"."""
        ranks = [self._list_ranks(slot) for slot in self._tick_through(range(len(self.words)))]
        floor, *levels = sorted(set[int]().union(*ranks))
        reached = {rank: self.model.new_bool_var("") for rank in levels}
        next_level = dict(pairwise([floor, *levels]))
        for lower, upper in pairwise(levels):
            self.model.add_implication(reached[upper], reached[lower])
        for literals, slot_ranks in zip(self._literals, ranks, strict=True):
            for literal, rank in zip(self._tick_through(literals), slot_ranks, strict=True):
                if rank in next_level:
                    self.model.add_implication(literal, ~reached[next_level[rank]])
        # The objective equals the rank: each rank reached adds its distance to the one before.
        self.model.maximize(floor + sum((upper - lower) * reached[upper] for lower, upper in next_level.items()))


FORMULATIONS: dict[str, type[Formulation]] = {"boolean": BooleanFormulation, "table": TableFormulation}
