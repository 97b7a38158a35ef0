"""The best minimum score (V1) by questions "is there a fill whose words all score at least this much?".

Each question is one about a smaller lexicon, and arc consistency settles most. The greatest score that it does not
refute bounds the value from above. The interval between that bound and the best fill is halved as long as questions are
settled with little work. What then is left is hard from both ends, and worked at from both by turns: the question just
above the best fill, which is hoped to have a fill, and the one just below the bound, which is hoped to have none and is
the cheapest of those (a refutation takes several times the work at each step down towards the optimum).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from cpfill.engines.toolkit.ac3 import Wipeout, ac3
from cpfill.fill import Fill
from cpfill.result import Outcome
from cpfill.value import Criterion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.engines.toolkit.worker import Control
    from cpfill.lexicon.table import WordId
    from cpfill.problem import Problem
    from cpfill.value import Value


class IntervalEnd(Enum):
    """From which end of the interval a question is asked."""

    BELOW = "below"
    """Just above the best fill: a fill is hoped for."""
    ABOVE = "above"
    """Just below the bound: none is."""


class QueryMaker(Protocol):
    """Makes questions."""

    def __call__(self, domains: list[int], end: IntervalEnd) -> ThresholdQuery:
        """Return the question whether arc-consistent domains have a fill."""


ThresholdQuery = Callable[[], "tuple[Outcome, list[WordId]]"]
"""A question, worked at for a turn; asked again, it goes on or tries harder.

The answer is FOUND with the words, EXHAUSTED if there is no fill, or UNKNOWN if the turn did not suffice.
"""


class Descent:
    """Reports ever better fills and bounds until they meet.

    Attributes:
        best: the value of the best fill, if there is one.
        by_consistency: whether arc consistency alone gave the last bound.
    """

    def __init__(
        self,
        problem: Problem,
        domains: Sequence[int],
        control: Control,
        make_query: QueryMaker,
        *,
        best: Value | None = None,
        bound: Value | None = None,
        ends: Sequence[IntervalEnd] = tuple(IntervalEnd),
    ) -> None:
        """Prepare a descent within `domains`.

        Args:
            problem: it maximises V1, perhaps after and before other criteria.
            domains: arc consistent.
            control: what the fills and bounds are reported to.
            make_query: makes the questions.
            best: the value of the best fill so far, which reaches all that comes before V1 in `problem.criteria`.
            bound: what is known to bound all fills, if anything is.
            ends: the ends from which to work.
        """
        self._problem, self._domains, self._control = problem, domains, control
        self._make_query, self._ends = make_query, ends
        self._stage = problem.criteria.index(Criterion.MIN)
        self._settled = best[: self._stage] if best else ()
        self.best = best
        self.by_consistency = True
        self._lowest = problem.levels.index(best[self._stage]) if best else -1
        """The rank in `problem.levels` of the best fill."""
        known = len(problem.levels)
        if bound and bound[: self._stage] == self._settled and len(bound) > self._stage:
            known = problem.levels.index(bound[self._stage]) + 1
        self._bound = _find_highest_consistent(problem, domains, control, known)
        """The rank that no fill exceeds."""
        self._open: dict[tuple[int, IntervalEnd], ThresholdQuery] = {}

    def run(self) -> None:
        """Work until the best fill meets the bound."""
        self._report_bound()
        self._halve()
        while self._lowest < self._bound:
            for end in self._ends:
                if self._lowest < self._bound:
                    self._ask(self._lowest + 1 if end is IntervalEnd.BELOW else self._bound, end)

    def _halve(self) -> None:
        """Halve the interval; a question that is not settled at once counts as refuted, for now."""
        ceiling = self._bound
        while self._lowest < ceiling:
            threshold = (self._lowest + ceiling + 1) // 2
            outcome = self._ask(threshold, self._ends[0])
            if outcome is not Outcome.FOUND:
                ceiling = threshold - 1

    def _ask(self, rank: int, end: IntervalEnd) -> Outcome:
        if (rank, end) not in self._open:
            domains = cut_to_rank(self._problem, self._domains, rank, self._control)
            self._open[rank, end] = self._make_query(domains, end)
        try:
            outcome, words = self._open[rank, end]()
        except Wipeout:
            outcome, words = Outcome.EXHAUSTED, []
        if outcome is Outcome.FOUND:
            self.best = self._problem.score(words)
            self._lowest = self._problem.levels.index(self.best[self._stage])
            self._control.report_fill(Fill.of_words(self._problem, words), self.best, counts=False)
        elif outcome is Outcome.EXHAUSTED:
            self._bound = rank - 1
            self.by_consistency = False
            self._report_bound()
        if outcome is not Outcome.UNKNOWN:
            self._open = {key: asked for key, asked in self._open.items() if self._lowest < key[0] <= self._bound}
        return outcome

    def _report_bound(self) -> None:
        if self._bound >= 0:
            self._control.report_bound((*self._settled, self._problem.levels[self._bound]))


def cut_to_rank(problem: Problem, domains: Sequence[int], rank: int, control: Control) -> list[int]:
    """Return the arc-consistent domains of the words that have at least this rank in `problem.levels`.

    Raises:
        Wipeout: a slot has none.
    """
    level = problem.levels[rank]
    kept = [domain & table.at_least(level) for domain, table in zip(domains, problem.tables, strict=True)]
    return ac3(problem, kept, control.check)


def _find_highest_consistent(problem: Problem, domains: Sequence[int], control: Control, high: int) -> int:
    """Return the highest rank under `high` at which arc consistency leaves every slot a word; rank 0 does."""
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        try:
            cut_to_rank(problem, domains, middle, control)
            low = middle
        except Wipeout:
            high = middle
    return low
