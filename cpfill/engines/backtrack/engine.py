"""The engines `fc` and `fc-cbj`: arc consistency, then one search, branch and bound where there is an objective."""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, ClassVar

from cpfill.engines.backtrack import AC3, ORDER, SHUFFLE
from cpfill.engines.backtrack.bounding import ImprovementRule
from cpfill.engines.backtrack.ordering import Ordering
from cpfill.engines.backtrack.search import BacktrackSearch
from cpfill.engines.contract import Feature, require_features
from cpfill.engines.toolkit.ac3 import Wipeout, ac3, require_words
from cpfill.engines.toolkit.side_rules import SideRules
from cpfill.engines.toolkit.worker import Control, Stopped, run_in_thread
from cpfill.event import Finished, Progress, Stats, StopReason
from cpfill.fill import Fill

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from cpfill.engines.backtrack import SlotOrder
    from cpfill.event import Event
    from cpfill.limits import Limits
    from cpfill.problem import Problem


class FcEngine:
    """Forward checking; complete: finds all fills, proves that there is none, proves the best value."""

    name: ClassVar[str] = "fc"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)
    backjump: ClassVar[bool] = False

    def __init__(
        self, *, ac3: bool = AC3.default, order: SlotOrder = ORDER.default, shuffle: bool = SHUFFLE.default
    ) -> None:
        self._ac3 = ac3
        self._order = order
        self._shuffle = shuffle

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.contract`."""
        require_features(self, problem, limits)
        return run_in_thread(self.name, limits, lambda control: self._work(problem, control))

    def _work(self, problem: Problem, control: Control) -> Finished:
        rng = Random(control.limits.seed)  # noqa: S311
        consistency = "arc consistency" if self._ac3 else "node consistency"
        control.progress = Progress(consistency)
        try:
            domains = self._make_consistent(problem, problem.domains, control)
        except Wipeout as wipeout:
            build_s = control.deadline.elapsed_s
            return Finished(StopReason.EXHAUSTED, consistency, wipeout.slot, Stats(build_s=build_s))
        search = BacktrackSearch(
            problem,
            Ordering(self._order, problem, domains, rng),
            SideRules(problem),
            ImprovementRule(problem),
            backjump=self.backjump,
            shuffle=rng if self._shuffle else None,
        )
        build_s, start_s = control.deadline.elapsed_s, time.perf_counter()

        def stats() -> Stats:
            return search.stats(build_s=build_s, search_s=time.perf_counter() - start_s)

        try:
            self._explore(problem, domains, search, control)
        except Stopped as stop:
            return Finished(stop.reason, stats=stats())
        return Finished(StopReason.EXHAUSTED, "exhaustive search", stats=stats())

    def _explore(self, problem: Problem, domains: list[int], search: BacktrackSearch, control: Control) -> None:
        """Report every fill, or ever better ones by one criterion after another."""
        improvement = search.improvement
        for stage in range(len(problem.criteria) or 1):
            improvement.stage = stage
            search.start(domains)
            with suppress(Wipeout):  # at the root
                self._exhaust(problem, search, control)
            if improvement.best is None:
                return
            control.report_bound(improvement.settled)

    def _exhaust(self, problem: Problem, search: BacktrackSearch, control: Control) -> None:
        """Report the fills of a search until it is exhausted, each better than the last where there is an objective.

        Raises:
            Wipeout: so it is, for the root has a slot without a word.
        """
        self._tighten(problem, search, control)
        next_look = search.nodes
        for words in search.advance():
            if search.nodes >= next_look:
                control.check()
                control.progress = Progress("search", search.stats())
                next_look = search.nodes + _NODES_BETWEEN_LOOKS
            if words is not None:
                value = problem.score(words)
                control.report_fill(Fill.of_words(problem, words), value, counts=not problem.criteria)
                if problem.criteria:
                    search.improvement.best = value
                    self._tighten(problem, search, control)
            if search.nodes == control.limits.nodes:
                raise Stopped(StopReason.NODES)

    def _tighten(self, problem: Problem, search: BacktrackSearch, control: Control) -> None:
        """Take from the root what no fill, or no better one, can use, and report the bound.

        Raises:
            Wipeout: that leaves a slot without a word.
        """
        domains = search.root
        while (narrowed := search.narrow(domains)) != domains:
            domains = self._make_consistent(problem, narrowed, control)
        if problem.criteria:
            control.report_bound(search.improvement.find_bound(domains))
        search.tighten(domains)

    def _make_consistent(self, problem: Problem, domains: Sequence[int], control: Control) -> list[int]:
        if self._ac3:
            return ac3(problem, domains, control.check)
        require_words(domains)
        return list(domains)


class FcCbjEngine(FcEngine):
    """Forward checking with conflict-directed backjumping; complete, like `fc`, whose options it has."""

    name: ClassVar[str] = "fc-cbj"
    backjump: ClassVar[bool] = True


_NODES_BETWEEN_LOOKS = 16
"""Nodes between two looks at the clock; a node takes 0.02 to 1 ms."""
