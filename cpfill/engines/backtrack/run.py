"""A run of `fc` or `fc-cbj`: arc consistency, then one search after another, and their reports."""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from cpfill.engines.backtrack.search import BacktrackSearch, ImprovementRule, Ordering
from cpfill.engines.toolkit.propagation import SideConstraints, Wipeout, ac3, require_words
from cpfill.engines.toolkit.worker import Control, Stopped
from cpfill.problem.event import Finished, Progress, Stats, StopReason
from cpfill.problem.fill import Fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cpfill.engines.options import SlotOrder
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId


class BacktrackRun:
    """Searches a problem once and reports to a control."""

    def __init__(
        self, problem: Problem, control: Control, *, ac3: bool, order: SlotOrder, shuffle: bool, backjump: bool
    ) -> None:
        self._problem = problem
        self._control = control
        self._ac3 = ac3
        self._order = order
        self._shuffle = shuffle
        self._backjump = backjump

    def work(self) -> Finished:
        """Run everything, and return how it ended."""
        problem = self._problem
        control = self._control
        consistency = "node consistency"
        if self._ac3:
            consistency = "arc consistency"
        control.progress = Progress(consistency)
        try:
            domains = self.make_consistent(problem.domains)
        except Wipeout as wipeout:
            build_s = control.deadline.elapsed_s
            return Finished(StopReason.EXHAUSTED, consistency, wipeout.slot, Stats(build_s=build_s))
        search = self.make_search(domains)
        build_s = control.deadline.elapsed_s
        start_s = time.perf_counter()

        def stats() -> Stats:
            return search.stats(build_s=build_s, search_s=time.perf_counter() - start_s)

        try:
            self._explore(domains, search)
        except Stopped as stop:
            return Finished(stop.reason, stats=stats())
        return Finished(StopReason.EXHAUSTED, "exhaustive search", stats=stats())

    def make_search(
        self, domains: list[int], kind: Callable[..., BacktrackSearch] = BacktrackSearch
    ) -> BacktrackSearch:
        """Return the search within consistent domains."""
        problem = self._problem
        rng = Random(self._control.limits.seed)  # noqa: S311
        return kind(
            problem,
            Ordering(self._order, problem, domains, rng),
            SideConstraints(problem),
            ImprovementRule(problem),
            backjump=self._backjump,
            shuffle=rng if self._shuffle else None,
        )

    def make_consistent(self, domains: Sequence[int]) -> list[int]:
        """Return the domains after arc consistency.

        Raises:
            Wipeout: a domain is, or becomes, empty.
        """
        if self._ac3:
            return ac3(self._problem, domains, self._control.check, self.note_revision)
        require_words(domains)
        return list(domains)

    def note_revision(self, slot: SlotId, support: SlotId, before: int, after: int, queue: Iterable[SlotId]) -> None:
        """Note the words that arc consistency removed from a domain; a traced run reports them."""

    def _explore(self, domains: list[int], search: BacktrackSearch) -> None:
        """Report every fill, or ever better fills, one criterion after another."""
        improvement = search.improvement
        for stage in range(len(self._problem.criteria) or 1):
            improvement.stage = stage
            search.start(domains)
            with suppress(Wipeout):  # at the root
                self._exhaust(search)
            if improvement.best is None:
                return
            self._control.report_bound(improvement.settled)

    def _exhaust(self, search: BacktrackSearch) -> None:
        """Report the fills of a search until it is exhausted; with an objective, each is better than the last.

        Raises:
            Wipeout: the search is exhausted because a slot has no word at the root.
        """
        problem = self._problem
        control = self._control
        self._tighten(search)
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
                    self._tighten(search)
            if search.nodes == control.limits.nodes:
                raise Stopped(StopReason.NODES)

    def _tighten(self, search: BacktrackSearch) -> None:
        """Remove from the root the words that no fill, or no better one, can use, and report the bound.

        Raises:
            Wipeout: a slot has no word left.
        """
        domains = search.root
        narrowed = search.narrow(domains)
        while narrowed != domains:
            domains = self.make_consistent(narrowed)
            narrowed = search.narrow(domains)
        if self._problem.criteria:
            self._control.report_bound(search.improvement.find_bound(domains))
        search.tighten(domains)


_NODES_BETWEEN_LOOKS = 16
"""Nodes between two checks of the clock; a node takes 0.02 to 1 ms."""
