"""What a criterion that adds up (V2, V4) can come to within some domains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.problem.value import Criterion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId


def bound_sum(problem: Problem, criterion: Criterion, domains: Sequence[int]) -> int:
    """Return an upper bound, in whole units (`Problem.gains`), on Σ gain of a fill whose words are in these domains.

    It is Σ over the slots of the greatest gain in the domain. For V4 it is also at most Σ of the gains of the theme
    words that are in some domain, for each counts once.
    """
    total = sum(find_best_gain(problem, criterion, slot, domain) for slot, domain in enumerate(domains))
    if criterion is Criterion.THEME:
        union = dict.fromkeys({slot.length for slot in problem.slots}, 0)
        for slot, domain in zip(problem.slots, domains, strict=True):
            union[slot.length] |= domain
        gains = problem.gains(criterion).by_length
        total = min(total, sum(gains[n][word] for n, word in list_theme_ids(problem) if union[n] >> word & 1))
    return total


def find_best_gain(problem: Problem, criterion: Criterion, slot: SlotId, domain: int) -> int:
    """Return the greatest gain of a word in the domain of a slot, 0 for an empty domain."""
    length = problem.slots[slot].length
    gains = problem.gains(criterion).by_length[length]
    if criterion is Criterion.SUM:  # the best score has the lowest id
        return gains[(domain & -domain).bit_length() - 1] if domain else 0
    return max((gains[word] for n, word in list_theme_ids(problem) if n == length and domain >> word & 1), default=0)


def list_theme_ids(problem: Problem) -> list[tuple[int, int]]:
    """Return the length and the id of each theme word."""
    return [(len(word), problem.word_id(word)) for word in problem.theme]
