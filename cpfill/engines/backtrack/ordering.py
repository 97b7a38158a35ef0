"""Which slot to fill next.

An order scores the unassigned slots; the least score goes first. A random permutation, drawn once from the seed, breaks
ties, so that seeds differ and the same seed repeats the same search.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from cpfill.engines.backtrack import SlotOrder
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId


class Ordering:
    """Chooses slots for one search."""

    def __init__(self, order: SlotOrder, problem: Problem, domains: Sequence[int], rng: Random) -> None:
        self._order = order
        self._ties = list(range(len(problem.slots)))
        rng.shuffle(self._ties)
        self._neighbours = problem.grid.neighbours
        self._rank = rank_slots(problem, domains, self._ties) if order == "static" else []

    def choose_slot(self, unassigned: Sequence[SlotId], sizes: Sequence[int], assigned: Sequence[bool]) -> SlotId:
        """Return the slot to fill next; `sizes` has the number of words left per slot."""
        ties, neighbours = self._ties, self._neighbours
        match self._order:
            case "mrv":  # minimum remaining values: fewest words left
                return min(unassigned, key=lambda s: (sizes[s], ties[s]))
            case "degree":  # most crossings
                return min(unassigned, key=lambda s: (-len(neighbours[s]), ties[s]))
            case "bound-degree":  # most crossings with slots that have their word
                return min(unassigned, key=lambda s: (-sum(assigned[o] for _, o, _ in neighbours[s]), ties[s]))
            case "static":  # most constrained first, decided before the search
                return min(unassigned, key=self._rank.__getitem__)
            case "random":  # one random order for the whole search
                return min(unassigned, key=ties.__getitem__)


def rank_slots(problem: Problem, domains: Sequence[int], ties: Sequence[int]) -> list[int]:
    """Return each slot's rank in a fixed order that repeatedly picks the slot with the fewest expected words.

    The expected number of words in a slot is its domain size times, for each crossing with a slot ranked earlier, the
    probability that a word of either has the same letter there. The idea (fix the order beforehand, fill first where
    there is little choice) is from P. D. Smith and S. Y. Steen, A prototype crossword compiler, The Computer Journal
    24(2), 1981, 107-111; the measure is ours.
    """
    sizes = [domain.bit_count() for domain in domains]
    expected = [math.log(size) if size else -math.inf for size in sizes]
    frequencies: dict[tuple[SlotId, int], list[float]] = {}

    def measure(slot: SlotId, pos: int) -> list[float]:
        if (slot, pos) not in frequencies:
            counts = [(domains[slot] & mask).bit_count() for mask in problem.tables[slot].masks(pos)]
            frequencies[slot, pos] = [count / (sizes[slot] or 1) for count in counts]
        return frequencies[slot, pos]

    ranks = [-1] * len(domains)
    for rank in range(len(domains)):
        slot = min((s for s, r in enumerate(ranks) if r < 0), key=lambda s: (expected[s], ties[s]))
        ranks[slot] = rank
        for pos, other, other_pos in problem.grid.neighbours[slot]:
            pairs = zip(measure(slot, pos), measure(other, other_pos), strict=True)
            agree = sum(a * b for a, b in pairs)
            expected[other] += math.log(agree) if agree else -math.inf
    return ranks
