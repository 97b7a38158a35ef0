"""The best minimum score (V1) by questions "is there a fill whose words all score at least this much?".

Each question is one about a smaller lexicon, and arc consistency settles most. The greatest score that it does not
refute bounds the value from above; the interval between that bound and the best fill is halved. A question that takes
too much work is put off, and asked again with `GROWTH` times the work when no other is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from cpfill.engines.ac3 import Wipeout, ac3
from cpfill.engines.base import Outcome
from cpfill.fill import Fill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.engines.worker import Control
    from cpfill.lexicon import WordId
    from cpfill.problem import Problem

GROWTH = 3


class Decide(Protocol):
    """Answers one question: FOUND with the words, COMPLETE if there is no fill, UNKNOWN if `work` did not suffice."""

    def __call__(self, domains: list[int], work: float) -> tuple[Outcome, list[WordId]]:
        """Look for a fill within arc-consistent domains."""


def descend(problem: Problem, domains: Sequence[int], control: Control, decide: Decide, work: float) -> bool:
    """Report ever better fills and bounds until they meet; `work` is what the first questions may take.

    Returns:
        Whether arc consistency alone gave the last bound.
    """
    levels = problem.levels
    by_consistency = True
    best = -1
    bound = _highest_consistent(problem, domains, control)
    control.bound(levels[bound])
    ceiling = bound
    while best < bound:
        if best == ceiling:  # every question between the ceiling and the bound was put off
            ceiling, work = bound, work * GROWTH
        threshold = (best + ceiling + 1) // 2
        outcome, words = decide(cut(problem, domains, threshold, control), work)
        if outcome is Outcome.FOUND:
            value = problem.score(words)
            best = levels.index(value)
            control.found(Fill.of_words(problem, words), value, counts=False)
            ceiling = max(ceiling, best)
        elif outcome is Outcome.COMPLETE:
            bound = ceiling = threshold - 1
            by_consistency = False
            if bound >= 0:
                control.bound(levels[bound])
        else:
            ceiling = threshold - 1
    return by_consistency


def cut(problem: Problem, domains: Sequence[int], rank: int, control: Control) -> list[int]:
    """Return the arc-consistent domains of the words that have at least this rank in `problem.levels`.

    Raises:
        Wipeout: a slot has none.
    """
    level = problem.levels[rank]
    kept = [domain & table.at_least(level) for domain, table in zip(domains, problem.tables, strict=True)]
    return ac3(problem, kept, control.check)


def _highest_consistent(problem: Problem, domains: Sequence[int], control: Control) -> int:
    """Return the highest rank at which arc consistency leaves every slot a word; rank 0 does."""
    low, high = 0, len(problem.levels)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            cut(problem, domains, middle, control)
            low = middle
        except Wipeout:
            high = middle
    return low
