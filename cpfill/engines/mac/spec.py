"""The specification from which a kernel is made; the compiled kernel reads its attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.engines.mac._kernel import Costs, Index


BUDGETS = 6
"""The greatest number of budgets of a search: `kBudgets` of the kernel."""

REFUTED, TAKEN_BACK = -1, -2
"""Log entries other than decisions: the last decision is refuted; all remaining decisions are taken back."""

GREATEST_COST = 2**62
"""The greatest sum of the costs of a budget; the kernel counts in 64 bits."""


@dataclass(frozen=True)
class MacSpec:
    """One search as plain numbers and bytes. Bitsets are little-endian.

    Attributes:
        index: the words, as tables.
        slots: (table, crossings, peers) each: a crossing is (position, crossing slot, position there); peers are the
            slots that may not hold the same word.
        domains: for each slot, a bitset over the words of its table.
        singles: for each table, the bitset of the words that may occur only once.
        budgets: (costs, limit) each: the costs of the words of a fill sum to at most the limit.
        required: (table, word) for each word that must stand in some slot.
        weights: the initial weights of the crossed cells, as `Kernel.weights` returned them; if empty, all are 1.
        seed: breaks ties among words.
        first_limit: wipeouts before the first restart; each later restart comes after 1.3 times as many; 0 for no
            restarts.
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
    """

    index: Index
    slots: Sequence[tuple[int, Sequence[tuple[int, int, int]], Sequence[int]]]
    domains: Sequence[bytes]
    singles: Sequence[bytes]
    budgets: Sequence[tuple[Costs, int]] = ()
    required: Sequence[tuple[int, int]] = ()
    weights: Sequence[float] = ()
    seed: int = 0
    first_limit: int = 0
    by_cell: bool = False
    improving: bool = False
    believing: bool = False
    dear: float = 0.0
    shifts: bool = False
    logged: bool = False
