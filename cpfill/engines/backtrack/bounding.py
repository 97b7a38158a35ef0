"""Branch and bound: removes words that no fill better than the best one so far can use.

The criteria are maximised one after another. While one is being maximised, a better fill must reach the best value of
each earlier criterion and exceed the best value of this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.engines.backtrack.leximin import LeximinRule
from cpfill.engines.toolkit.side_constraints import Narrowing
from cpfill.engines.toolkit.sums import bound_sum
from cpfill.problem.problem import Criterion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.problem.problem import Problem, Value


class ImprovementRule:
    """The rule that a fill must be better than the best one so far; before the first fill it has no effect.

    Attributes:
        best: the value of the best fill so far.
        stage: the index of the criterion that is being maximised; earlier ones have their greatest value.
        root: the domains before any word was placed; losses at the root enter no conflict set.
        spans: whether a criterion depends on all slots together, so that each placement may narrow domains.
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
        """The greatest value, up to the criterion that was maximised; valid once the search is exhausted."""
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
        """Return the domains without words that score too little (V1). V1 prunes at the root only."""
        if self.best is None or Criterion.MIN not in self._problem.criteria[: self.stage + 1]:
            return list(domains)
        stage = self._problem.criteria.index(Criterion.MIN)
        score, exceed = self.best[stage], stage == self.stage
        enough = [table.above(score) if exceed else table.at_least(score) for table in self._problem.tables]
        return [domain & words for domain, words in zip(domains, enough, strict=True)]

    def find_narrowings(self, domains: Sequence[int]) -> Iterator[Narrowing]:
        """Yield what all criteria except V1 leave of the domains; the caller may narrow them meanwhile."""
        if self.best is not None:
            for stage, criterion in self._spanning.items():
                if stage <= self.stage:
                    yield from criterion.find_narrowings(
                        domains, self.root, self.best[stage:], exceed=stage == self.stage
                    )


class SumRule:
    """A criterion that adds up."""

    def __init__(self, problem: Problem, criterion: Criterion) -> None:
        self._problem = problem
        self._criterion = criterion
        self._gains = problem.gains(criterion)
        self._lengths = [slot.length for slot in problem.slots]

    def find_bound(self, domains: Sequence[int]) -> Value:
        """Return an upper bound on fills within these domains."""
        return (bound_sum(self._problem, self._criterion, domains) / self._gains.per_unit,)

    def find_narrowings(
        self, domains: Sequence[int], root: Sequence[int], value: Value, *, exceed: bool
    ) -> Iterator[Narrowing]:
        """Yield slots with words that add too little to reach (or exceed) a value, whatever the other slots add.

        A word w stays iff gain(w) + Σ over the other slots of their greatest gain ≥ floor.
        """
        gains = self._gains
        floor = round(value[0] * gains.per_unit) + exceed
        if bound_sum(self._problem, self._criterion, domains) < floor:
            yield Narrowing(0, 0, self._find_blame(domains, root))
            return
        best = list(map(gains.find_best, self._lengths, domains))
        slack = sum(best) - floor
        for slot, length in enumerate(self._lengths):
            least, last = best[slot] - slack, domains[slot].bit_length() - 1
            if least > 0 and not (gains.by_score and gains.by_length[length][last] >= least):
                kept = domains[slot] & gains.select(length, least)
                yield Narrowing(slot, kept, self._find_blame(domains, root))

    def _find_blame(self, domains: Sequence[int], root: Sequence[int]) -> int:
        """Return the slots that lost their best gain, or any gain if a word may be needed in a different slot."""
        gains, because = self._gains, 0
        for slot, (length, domain, before) in enumerate(zip(self._lengths, domains, root, strict=True)):
            if gains.by_score:
                lost = gains.find_best(length, domain) < gains.find_best(length, before)
            else:
                lost = bool(before & ~domain & gains.select(length, 1))
            because |= lost << slot
        return because
