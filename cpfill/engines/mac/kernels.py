"""Makes the kernels of a problem. The words are indexed once, and all kernels of the problem share the index.

Everything that adds up (budgets, criteria, the words that the quotas of V5 count) reaches the kernel as a budget,
Σ cost(w) ≤ limit over the words of a fill. For a criterion, cost(w) = max gain - gain(w); so Σ gain ≥ floor ⇔
Σ cost ≤ slots · max gain - floor.

The compiled kernel reads the attributes of the specification from which it is made.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from cpfill.problem.constraints import Budget, BudgetStep
from cpfill.puzzle.grid import Crossing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.engines.mac._kernel import Costs, Index, Kernel
    from cpfill.engines.toolkit.propagation import Quota
    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Criterion
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordTable

_QUOTA_BUDGETS = 6
"""Quotas take what the budgets of rules and criteria leave of so many, and one at least. `kBudgets` is 12,
of which letters take eight."""

REFUTED, TAKEN_BACK, SIZES, REVISED = -1, -2, -3, -4
"""Log entries other than decisions: the last one is refuted; all are taken back; the size of each domain follows; the
slot that was revised, before the first decision, follows."""

GREATEST_COST = 2**62
"""The greatest sum of the costs of a budget; the kernel counts in 64 bits."""

PATIENCE = 3_000
"""Wipeouts before beliefs guide the search half of the time: about a tenth of a second."""

PROMISING = 9.2
"""The least logarithm of the expected number of fills for that: 10,000 fills. Where fewer are expected there are often
none, and a plain search refutes in half the time."""


@dataclass(frozen=True)
class MacSpec:
    """One search as plain numbers and bytes. Bitsets are little-endian.

    Attributes:
        index: the words, as tables.
        slots: (table, kind, links, peers) each: slots of one kind have the same table, costs and required words; a link
            is (position, other slot, position there), where the two have the same letter, and stands in the lists of
            both slots; peers are the slots that may not hold the same word.
        domains: for each slot, a bitset over the words of its table.
        singles: for each table, the bitset of the words that may occur only once.
        budgets: (costs, limit) each: the costs of the words of a fill, by kind, sum to at most the limit.
        required: sets of words, of each of which some slot must hold one: for each kind a bitset.
        apart: (slot, words, other slot, words there) each: not both slots have one of their words.
        weights: the initial weights of the links, as `Kernel.weights` returned them; if empty, all are 1.
        heavy_first: propagate through cells with heavy initial weights first, which refutes sooner.
        seed: breaks ties among words.
        first_limit: wipeouts before the first restart; each later restart comes after 1.3 times as many; 0 for no
            restarts.
        patience: wipeouts before belief propagation guides about half of the search; it needs restarts, and no budgets.
        promising: they guide only where they expect fills whose number has at least this logarithm.
        by_cell: branch on letters, which is faster for finding every fill.
        improving: the owner lowers the limit of a budget after each fill, so that restarts cannot find the same fills
            again; if false, there are no restarts after the first fill.
        believing: decide on the surest word by belief propagation.
        dear: the amount by which a unit of a word's cost in the last budget lowers its promise.
        shifts: shift costs of the last budget between slots before the search, and with `by_cell` at its nodes; this
            improves the bound on costs.
        logged: record decisions and refutations until `Kernel.log` takes them, as C integers: for each decision the
            slot, the position of a letter or -1 for a word, and the letter's code or the word's id; `REFUTED` and
            `TAKEN_BACK` in between.
        sized: also record `SIZES` after each propagation, and before the first decision after each slot `REVISED`.
    """

    index: Index
    slots: Sequence[tuple[int, int, Sequence[tuple[int, int, int]], Sequence[int]]]
    domains: Sequence[bytes]
    singles: Sequence[bytes]
    budgets: Sequence[tuple[Costs, int]] = ()
    required: Sequence[Sequence[bytes]] = ()
    apart: Sequence[tuple[int, bytes, int, bytes]] = ()
    weights: Sequence[float] = ()
    heavy_first: bool = False
    seed: int = 0
    first_limit: int = 0
    patience: int = PATIENCE
    promising: float = PROMISING
    by_cell: bool = False
    improving: bool = False
    believing: bool = False
    dear: float = 0.0
    shifts: bool = False
    logged: bool = False
    sized: bool = False


SLICE_S = 0.02
"""Seconds that the kernel runs between two checks whether to continue."""

FIRST_RESTART = 100
"""Wipeouts before the first restart; each later restart comes after 1.3 times as many."""

_DEAR = 8.0
"""Subtracted from the promise of the word that costs most in a criterion; promise: a sum of logs of word counts."""

_SlotSpec = tuple[int, int, "list[tuple[int, int, int]]", "list[int]"]

_KEPT = 8
"""The number of quota costs to cache, of some megabytes each."""


_QuotaCosts = dict[tuple[tuple[int, ...], tuple[tuple[float, int], ...]], "Costs"]

_SHARED: WeakKeyDictionary[WordTable, dict[object, tuple[Index, _QuotaCosts]]] = WeakKeyDictionary()
"""Data shared by problems of one lexicon, by the first of their tables and the other inputs: an index of the words,
which takes most of the time of a first kernel, and the costs of quotas."""

_KEPT_INDEXES = 2
"""The number of indexes to keep for a first table, of some megabytes each."""


def find_room(budgets: int) -> int:
    """Return the greatest number of budgets of quotas beside other budgets."""
    return max(1, _QUOTA_BUDGETS - budgets)


class KernelMaker:
    """Makes the kernels of one problem."""

    def __init__(self, problem: Problem, module: Any) -> None:
        self._problem = problem
        self._module = module
        self._tables = dict(sorted({table.length: table for table in problem.tables}.items()))
        self._table_numbers = {length: number for number, length in enumerate(self._tables)}
        self._kind_tables = problem.kind_tables
        self._kinds = {kind: number for number, kind in enumerate(self._kind_tables)}
        self._index, self._quota_costs = self._share()
        self._singles = [pack(problem.singles[length]) for length in self._tables]
        self._costs: dict[Criterion, tuple[Costs, int]] = {}

    def _share(self) -> tuple[Index, _QuotaCosts]:
        first, *others = self._tables.values()
        marks = self._problem.constraints.marks
        kept = _SHARED.setdefault(first, {})
        key = self._module, *others, marks
        if key not in kept:
            if len(kept) == _KEPT_INDEXES:
                kept.pop(next(iter(kept)))
            packed_marks = []
            if marks:
                packed_marks = [marks.pack(length) for length in self._tables]
            index = self._module.Index(
                letters=len(self._problem.grid.alphabet.letters),
                tables=[(table.length, table.codes) for table in self._tables.values()],
                marks=packed_marks,
            )
            kept[key] = index, {}
        return kept[key]

    def make(
        self,
        domains: Sequence[int],
        *,
        slots: Sequence[SlotId] | None = None,
        seed: int = 0,
        first_limit: int = 0,
        patience: int = PATIENCE,
        promising: float = PROMISING,
        by_cell: bool = False,
        floors: Mapping[Criterion, int] | None = None,
        quotas: Sequence[Quota] = (),
        penalties: Sequence[tuple[float, int]] = (),
        improving: Criterion | None = None,
        believing: float = 0.0,
        weights: Sequence[float] = (),
        heavy_first: bool = False,
        logged: bool = False,
        sized: bool = False,
    ) -> Kernel:
        """Return a kernel for some slots, by default all, within `domains`, one for every slot of the problem.

        `floors` has the least value of each criterion that adds up, in whole units (`Problem.gains`). The last of them
        may be `improving`: its floor rises after each solution (`set_floor`), words that gain much are tried first, and
        its costs are shifted between slots. With `believing`, decide instead on the words that belief propagation is
        surest of; the number is what the log-likelihood of a word that adds nothing loses to that of one that adds
        most. Solutions keep to `quotas`, as for `QueryMaker`. Instead of those and of floors, `penalties` may have the
        cost of words under each of some rising thresholds; `limit_penalties` limits their sum. For the rest see
        `MacSpec`.
        """
        chosen: Sequence[SlotId] = range(len(self._problem.slots))
        listed = self._all_slots
        if slots is not None:
            chosen = slots
            listed = self._list_slots(slots)
        budgets = self._list_budgets(floors or {}, quotas, penalties, len(chosen))
        spec = MacSpec(
            index=self._index,
            slots=listed,
            domains=[pack(domains[slot]) for slot in chosen],
            singles=self._singles,
            budgets=budgets,
            required=self._required,
            apart=self._list_apart(chosen, domains),
            weights=weights,
            heavy_first=heavy_first,
            seed=seed % 2**64,
            first_limit=first_limit,
            patience=patience,
            promising=promising,
            by_cell=by_cell,
            improving=improving is not None,
            believing=believing > 0,
            dear=self._choose_dearness(bool(quotas or penalties), improving, believing or _DEAR),
            shifts=improving is not None and not believing,
            logged=logged,
            sized=sized,
        )
        kernel: Kernel = self._module.Kernel(spec)
        return kernel

    def _list_budgets(
        self,
        floors: Mapping[Criterion, int],
        quotas: Sequence[Quota],
        penalties: Sequence[tuple[float, int]],
        slots: int,
    ) -> list[tuple[Costs, int]]:
        """Return the budgets of a kernel for a number of slots; see `make`."""
        budgets = list(self._budgets)
        for criterion, floor in floors.items():
            costs, _ = self._make_budget(criterion)
            budgets.append((costs, self._find_limit(criterion, floor, slots)))
        budgets += self._spread_quotas(quotas, find_room(len(budgets)))
        if penalties:
            budgets.append(self._count_under(penalties, GREATEST_COST))
        return budgets

    @cached_property
    def links(self) -> list[Crossing]:
        """The links, each once, as crossings of a slot with a later one, in the order of what kernels know of them."""
        listed = []
        for slot, around in enumerate(self._problem.grid.links):
            for pos, other, there in around:
                if other > slot:
                    listed.append(Crossing(slot, pos, other, there))
        return listed

    @cached_property
    def _all_slots(self) -> list[_SlotSpec]:
        return self._list_slots(range(len(self._problem.slots)))

    def _list_slots(self, chosen: Sequence[SlotId]) -> list[_SlotSpec]:
        """Return some slots in the form of `MacSpec`, as if the grid had no others."""
        slots = self._problem.slots
        links = self._problem.grid.links
        at = {slot: number for number, slot in enumerate(chosen)}
        alike: dict[int, list[int]] = defaultdict(list)
        for slot, number in at.items():
            alike[slots[slot].length].append(number)
        listed = []
        for slot, number in at.items():
            length = slots[slot].length
            linked = [(pos, at[other], there) for pos, other, there in links[slot] if other in at]
            peers = [other for other in alike[length] if other != number]
            listed.append((self._table_numbers[length], self._kinds[self._problem.kinds[slot]], linked, peers))
        return listed

    @cached_property
    def _required(self) -> list[list[bytes]]:
        """The sets of words of which some slot must hold one, in the form of `MacSpec`."""
        listed = []
        for (words,) in self._problem.constraints.cover:
            listed.append([pack(words.get(kind, 0)) for kind in self._kinds])
        return listed

    def _list_apart(self, chosen: Sequence[SlotId], domains: Sequence[int]) -> list[tuple[int, bytes, int, bytes]]:
        """Return the words apart of two of some slots that may both be in their domains, in the form of `MacSpec`."""
        listed: list[tuple[int, bytes, int, bytes]] = []
        constraints = self._problem.constraints.apart
        if not constraints:
            return listed
        at = {slot: number for number, slot in enumerate(chosen)}
        for (one, ones, other, others), (packed, others_packed) in zip(constraints, self._packed_apart, strict=True):
            if one in at and other in at and domains[one] & ones and domains[other] & others:
                listed.append((at[one], packed, at[other], others_packed))
        return listed

    @cached_property
    def _packed_apart(self) -> list[tuple[bytes, bytes]]:
        return [(pack(each.ones), pack(each.others)) for each in self._problem.constraints.apart]

    def set_floor(self, kernel: Kernel, criterion: Criterion, floor: int) -> None:
        """Require this floor of further solutions of a kernel that improves on a criterion.

        It must not be below the floor under which the kernel first propagated and shifted costs.
        """
        sums = [other for other in self._problem.criteria if other.adds_up]
        last = len(self._budgets) + sums.index(criterion)
        kernel.set_limit(last, self._find_limit(criterion, floor, len(self._problem.slots)))

    def limit_penalties(self, kernel: Kernel, most: int) -> None:
        """Require that the penalties of further solutions sum to at most this."""
        kernel.set_limit(len(self._budgets), most)

    def bound(self, kernel: Kernel, criterion: Criterion) -> int:
        """Return an upper bound, in whole units, on the solutions of a kernel that improves on a criterion."""
        return self.bound_by_cost(kernel.least_cost(), criterion)

    def bound_by_cost(self, least: int, criterion: Criterion) -> int:
        """Return the same for fills that cost at least this."""
        return self._find_limit(criterion, least, len(self._problem.slots))

    def _find_limit(self, criterion: Criterion, floor: int, slots: int) -> int:
        return self._make_budget(criterion)[1] * slots - floor

    def _make_budget(self, criterion: Criterion) -> tuple[Costs, int]:
        """Return the costs, cost(w) = max gain - gain(w), and the max gain."""
        if criterion not in self._costs:
            gains = self._problem.gains(criterion).by_kind
            most = max(max(gains[kind], default=0) for kind in self._kinds)
            costs = self._pack_costs(_list_losses(gains[kind], most) for kind in self._kinds)
            self._costs[criterion] = costs, most
        return self._costs[criterion]

    def _choose_dearness(self, counted: bool, improving: Criterion | None, dearest: float) -> float:
        """Return the amount by which a unit of cost in the last budget lowers a word's promise."""
        if improving is not None:
            return dearest / max(1, self._make_budget(improving)[1])
        if counted:
            return _DEAR
        return 0.0

    def _spread_quotas(self, quotas: Sequence[Quota], room: int) -> list[tuple[Costs, int]]:
        """Return at most `room` budgets that are together equivalent to some quotas.

        One budget per quota propagates best. If there are too many quotas, the last of them get one budget each, and
        the first budgets combine all: if eⱼ words are allowed from one threshold to the next, a word there costs
        Wⱼ = 1 + Σ eᵢ Wᵢ over the later i, and Σ cost ≤ Σ eⱼ Wⱼ. If a fill deviates from the eⱼ, the first deviation is
        an excess, which costs more than the limit allows. In a budget that begins at a later quota, the first eⱼ is all
        that this quota allows. So each budget follows from the quotas, and removes no word that the quotas do not
        remove one by one; proofs of a kernel's refutations rely on that.
        """
        if len(quotas) <= room:
            return [self._count_under([(quota.under, 1)], quota.most) for quota in quotas]
        most = GREATEST_COST // len(self._problem.slots)
        budgets: list[tuple[Costs, int]] = []
        weights: list[tuple[float, int]] = []
        limit = 0
        for place in reversed(range(len(quotas))):
            under, allowed = quotas[place]
            if place:
                allowed -= quotas[place - 1].most
            if weights and (allowed + 1) * (limit + 1) > most:
                _, dearest = weights[0]
                budgets.append(self._count_under(weights, limit + quotas[place].most * dearest))
                weights = []
                limit = 0
            weights.insert(0, (under, limit + 1))
            limit += allowed * (limit + 1)
        budgets.append(self._count_under(weights, limit))
        singles = quotas[len(quotas) - max(0, room - len(budgets)) :]
        return budgets + [self._count_under([(quota.under, 1)], quota.most) for quota in singles]

    def _count_under(self, weights: Sequence[tuple[float, int]], limit: int) -> tuple[Costs, int]:
        """Return the budget in which a word costs the weight of the lowest threshold that it scores under."""
        key = tuple(self._kinds), tuple(weights)
        if key not in self._quota_costs:
            if len(self._quota_costs) >= _KEPT:
                self._quota_costs.clear()
            steps = [BudgetStep(weight, self._list_under(under)) for under, weight in reversed(weights)]
            self._quota_costs[key] = self._spell_out(Budget(tuple(steps), limit))
        return self._quota_costs[key], limit

    def _list_under(self, threshold: float) -> dict[int, int]:
        """Return the words that score under a threshold."""
        return {kind: table.everything & ~table.at_least(threshold) for kind, table in self._kind_tables.items()}

    @cached_property
    def _budgets(self) -> list[tuple[Costs, int]]:
        return [(self._spell_out(budget), budget.limit) for budget in self._problem.constraints.budgets]

    def _spell_out(self, budget: Budget) -> Costs:
        return self._pack_costs(budget.list_costs(kind, len(table)) for kind, table in self._kind_tables.items())

    def _pack_costs(self, costs: Iterable[array[int]]) -> Costs:
        packed: Costs = self._module.Costs([table.tobytes() for table in costs])
        return packed


def _list_losses(gains: Iterable[int], most: int) -> array[int]:
    """Return the amount by which each gain falls short of the greatest."""
    return array("q", [most - gain for gain in gains])


def pack(domain: int) -> bytes:
    """Return a bitset as little-endian bytes."""
    return domain.to_bytes((domain.bit_length() + 7) // 8, "little")
