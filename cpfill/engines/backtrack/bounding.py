"""Branch and bound: what a fill that is worth more than the best one so far leaves of the domains.

The criteria are maximised one after another: while the search is at one of them, a better fill reaches the best value
of each before it, and exceeds that of this one.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import neg
from typing import TYPE_CHECKING

from cpfill.engines.backtrack.leximin import LeximinRule
from cpfill.engines.toolkit.side_rules import Narrowing
from cpfill.engines.toolkit.sums import bound_sum, find_best_gain, list_theme_ids
from cpfill.problem.value import Criterion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Value
    from cpfill.puzzle.grid import SlotId


class ImprovementRule:
    """The rule that a fill is worth more than the best one so far; no rule before there is one.

    Attributes:
        best: the value of the best fill so far.
        stage: the index of the criterion that is being maximised; those before it have their greatest value.
        root: the domains before any word was placed, which bear the blame for nothing.
        spans: whether a criterion bears on all slots together, and so there is something to do after each placement.
    """

    def __init__(self, problem: Problem) -> None:
        self.best: Value | None = None
        self.stage = 0
        self.root: Sequence[int] = problem.domains
        self._problem = problem
        self._spanning: dict[int, SumRule | LeximinRule] = {
            stage: LeximinRule(problem) if criterion.is_vector else SumRule(problem, criterion)
            for stage, criterion in enumerate(problem.criteria)
            if criterion is not Criterion.MIN
        }
        self.spans = bool(self._spanning)

    @property
    def settled(self) -> Value:
        """What is the greatest value, up to the criterion that was maximised; of a search that is exhausted."""
        best = self.best or ()
        criteria = self._problem.criteria
        return best if criteria and criteria[self.stage].is_vector else best[: self.stage + 1]

    def find_bound(self, domains: Sequence[int]) -> Value:
        """Return a value that no fill within these domains exceeds, up to the criterion that is being maximised."""
        if self.stage in self._spanning:
            bound = self._spanning[self.stage].find_bound(domains)
        else:
            firsts = [(domain & -domain).bit_length() - 1 for domain in domains]
            bound = (min(table.scores[first] for table, first in zip(self._problem.tables, firsts, strict=True)),)
        return (*(self.best or ())[: self.stage], *bound)

    def drop_low_scores(self, domains: Sequence[int]) -> list[int]:
        """Return the domains without the words that score too little (V1). All that says, it says at the root."""
        if self.best is None or Criterion.MIN not in self._problem.criteria[: self.stage + 1]:
            return list(domains)
        stage = self._problem.criteria.index(Criterion.MIN)
        score, exceed = self.best[stage], stage == self.stage
        enough = [table.above(score) if exceed else table.at_least(score) for table in self._problem.tables]
        return [domain & words for domain, words in zip(domains, enough, strict=True)]

    def find_narrowings(self, domains: Sequence[int]) -> Iterator[Narrowing]:
        """Yield what the criteria but V1 leave of the domains, which may be narrowed while this runs."""
        if self.best is not None:
            for stage, criterion in self._spanning.items():
                if stage <= self.stage:
                    yield from criterion.find_narrowings(
                        domains, self.root, self.best[stage:], exceed=stage == self.stage
                    )


class SumRule:
    """V2 or V4."""

    def __init__(self, problem: Problem, criterion: Criterion) -> None:
        self._problem = problem
        self._criterion = criterion
        self._gains = [problem.gains(criterion).by_length[slot.length] for slot in problem.slots]
        self._per_unit = problem.gains(criterion).per_unit

    def find_bound(self, domains: Sequence[int]) -> Value:
        """Return what fills within these domains come to at most."""
        return (bound_sum(self._problem, self._criterion, domains) / self._per_unit,)

    def find_narrowings(
        self, domains: Sequence[int], root: Sequence[int], value: Value, *, exceed: bool
    ) -> Iterator[Narrowing]:
        """Yield the slots with words that add too little to reach (to exceed) a value, whatever the others add.

        A word w stays iff gain(w) + Σ over the other slots of their greatest gain ≥ floor.
        """
        floor = round(value[0] * self._per_unit) + exceed
        if bound_sum(self._problem, self._criterion, domains) < floor:
            yield Narrowing(0, 0, self._find_blame(domains, root))
            return
        best = [self._find_best_gain(slot, domain) for slot, domain in enumerate(domains)]
        slack = sum(best) - floor
        for slot, gains in enumerate(self._gains):
            least, last = best[slot] - slack, domains[slot].bit_length() - 1
            if least > 0 and (gains[last] < least or self._criterion is Criterion.THEME):
                yield Narrowing(
                    slot, domains[slot] & self._select_gaining(slot, least), self._find_blame(domains, root)
                )

    def _find_blame(self, domains: Sequence[int], root: Sequence[int]) -> int:
        """Return the slots that have lost their best gain, or any theme word: then others may have to do without it."""
        because = 0
        for slot, (domain, before) in enumerate(zip(domains, root, strict=True)):
            if self._criterion is Criterion.THEME:
                lost = bool(before & ~domain & self._select_gaining(slot, 1))
            else:
                lost = self._find_best_gain(slot, domain) < self._find_best_gain(slot, before)
            because |= lost << slot
        return because

    def _find_best_gain(self, slot: SlotId, domain: int) -> int:
        return find_best_gain(self._problem, self._criterion, slot, domain)

    def _select_gaining(self, slot: SlotId, gain: int) -> int:
        """Return the words with gain(w) ≥ `gain` > 0."""
        gains = self._gains[slot]
        if self._criterion is Criterion.SUM:  # the best score has the lowest id
            return (1 << bisect_right(gains, -gain, key=neg)) - 1
        length = self._problem.slots[slot].length
        return sum(1 << word for n, word in list_theme_ids(self._problem) if n == length and gains[word] >= gain)
