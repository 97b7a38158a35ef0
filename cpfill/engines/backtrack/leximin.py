"""Branch and bound for V5: no fill is better than the sorted best scores of the slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.engines.toolkit.side_constraints import Narrowing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.problem.problem import Problem, Value


class LeximinRule:
    """V5."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def find_bound(self, domains: Sequence[int]) -> Value:
        """Return an upper bound on fills within these domains."""
        return self._problem.order(sorted(self._find_best_scores(domains)))

    def find_narrowings(
        self, domains: Sequence[int], root: Sequence[int], value: Value, *, exceed: bool
    ) -> Iterator[Narrowing]:
        """Yield slots with words that score too little to reach (or exceed) a value, whatever the other slots score.

        A word stays iff its score, sorted with the best scores of the other slots, reaches (exceeds) the value.
        """
        best = self._find_best_scores(domains)
        lost = zip(best, self._find_best_scores(root), strict=True)
        because = sum(1 << slot for slot, (now, before) in enumerate(lost) if now < before)
        enough: dict[float, float | None] = {}
        for slot, score in enumerate(best):
            if score not in enough:
                others = best[:slot] + best[slot + 1 :]
                enough[score] = self._find_least(others, score, value, exceed=exceed)
            least = enough[score]
            if least is None:
                yield Narrowing(slot, 0, because)
                return
            table, domain = self._problem.tables[slot], domains[slot]
            if table.scores[domain.bit_length() - 1] < least:
                yield Narrowing(slot, domain & table.at_least(least), because)

    def _find_least(self, others: Sequence[float], score: float, value: Value, *, exceed: bool) -> float | None:
        """Return the least sufficient score of a slot, given the best scores of the others; None if none suffices."""
        scale = self._problem.ranking
        if score not in scale or not self._suffices([*others, score], value, exceed=exceed):
            return None
        low, high = -1, scale.index(score)
        while high - low > 1:
            middle = (low + high) // 2
            if self._suffices([*others, scale[middle]], value, exceed=exceed):
                high = middle
            else:
                low = middle
        return scale[high]

    def _suffices(self, scores: Sequence[float], value: Value, *, exceed: bool) -> bool:
        reached = self._problem.order(sorted(scores))
        return reached > value if exceed else reached >= value

    def _find_best_scores(self, domains: Sequence[int]) -> list[float]:
        tables = self._problem.tables
        return [
            table.scores[(domain & -domain).bit_length() - 1] if domain else -1.0
            for table, domain in zip(tables, domains, strict=True)
        ]
