"""An upper bound on a criterion that adds up, within some domains."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.problem.problem import Criterion, Problem


def bound_sum(problem: Problem, criterion: Criterion, domains: Sequence[int]) -> int:
    """Return an upper bound, in whole units (`Problem.gains`), on Σ gain of a fill whose words are in these domains.

    It is Σ over the slots of the greatest gain in the domain. If words with a gain may occur only once, it is also at
    most the Σ of their gains over the words that are in some domain.
    """
    gains = problem.gains(criterion)
    total = sum(gains.find_best(slot.length, domain) for slot, domain in zip(problem.slots, domains, strict=True))
    if gains.by_score:  # nearly every word has a gain, so the second bound is useless
        return total
    union = dict.fromkeys(gains.by_length, 0)
    for slot, domain in zip(problem.slots, domains, strict=True):
        union[slot.length] |= domain
    once = 0
    for length, levels in gains.levels.items():
        for gain, words in levels:
            if words & ~problem.singles[length]:
                return total
            once += gain * (words & union[length]).bit_count()
    return min(total, once)
