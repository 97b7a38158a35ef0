"""What a kernel of this package is made of, which the compiled one reads attribute by attribute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.engines.mac._kernel import Costs, Index


BUDGETS = 6
"""How many budgets a search may have: `kBudgets` of the kernel."""

REFUTED, TAKEN_BACK = -1, -2
"""What a log has beside decisions: the last one is refuted; all that are left are taken back."""

GREATEST_COST = 2**62
"""What the costs of a budget may sum up to; the kernel counts in 64 bits."""


@dataclass(frozen=True)
class MacSpec:
    """One search, in plain numbers and bytes. Bitsets are little-endian.

    Attributes:
        index: the words, as tables.
        slots: (table, crossings, peers) each, a crossing as (position, crossing slot, position there), and for peers
            the slots that may not hold the same word.
        domains: for each slot, a bitset over the words of its table.
        singles: for each table, the bitset of the words that stand in one slot at most.
        budgets: (costs, limit) each: the costs of the words of a fill add up to the limit at most.
        required: (table, word) for each word that must stand in some slot.
        weights: of the crossed cells, to begin with, as `Kernel.weights` returned them; all 1 if there are none.
        seed: breaks ties among words.
        first_limit: wipeouts before the first restart, which then become 1.3 times as many from one restart to the
            next; 0 for no restarts.
        by_cell: branch on letters, which is faster for finding every fill.
        improving: the owner lowers the limit of a budget after each fill, so that restarts cannot lead to the same
            ones again; else there are no restarts after the first fill.
        believing: decide on the word that is surest by belief propagation.
        dear: what a unit of a word's cost in the last budget takes from its promise.
        shifts: costs of the last budget are shifted between slots before the search, and with `by_cell` at its nodes,
            which bounds them better.
        logged: what is decided and refuted is kept until `Kernel.log` takes it, as C integers: of each decision the
            slot, the position of a letter or -1 for a word, and the letter's code or the word's id; `REFUTED` and
            `TAKEN_BACK` between them.
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
