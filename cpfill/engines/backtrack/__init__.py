"""The engines `fc` and `fc-cbj`: arc consistency, then one search, with branch and bound if there is an objective.

A traced run reports each step by overriding methods, so that an untraced run does not even test a flag.
"""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from cpfill.engines import AC3, ORDER, SHUFFLE, TRACE
from cpfill.engines.backtrack.search import BacktrackSearch, ImprovementRule, Ordering
from cpfill.engines.contract import Feature
from cpfill.engines.requirements import require_features
from cpfill.engines.toolkit.propagation import SideConstraints, Wipeout, ac3, require_words
from cpfill.engines.toolkit.worker import Control, Stopped, run_in_thread
from cpfill.problem.event import Assignment, Backtrack, Finished, Progress, Revision, Stats, StopReason
from cpfill.problem.problem import Fill
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from cpfill.engines import SlotOrder
    from cpfill.engines.backtrack.search import Frame
    from cpfill.problem.event import Event, Step
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId


class Run:
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
        problem, control = self._problem, self._control
        consistency = "arc consistency" if self._ac3 else "node consistency"
        control.progress = Progress(consistency)
        try:
            domains = self.make_consistent(problem.domains)
        except Wipeout as wipeout:
            build_s = control.deadline.elapsed_s
            return Finished(StopReason.EXHAUSTED, consistency, wipeout.slot, Stats(build_s=build_s))
        search = self.make_search(domains)
        build_s, start_s = control.deadline.elapsed_s, time.perf_counter()

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
        problem, rng = self._problem, Random(self._control.limits.seed)  # noqa: S311
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
        problem, control = self._problem, self._control
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
        while (narrowed := search.narrow(domains)) != domains:
            domains = self.make_consistent(narrowed)
        if self._problem.criteria:
            self._control.report_bound(search.improvement.find_bound(domains))
        search.tighten(domains)


_NODES_BETWEEN_LOOKS = 16
"""Nodes between two checks of the clock; a node takes 0.02 to 1 ms."""

_MOST_REMOVED = 12
"""Words that a revision names; the first removes tens of thousands."""


class FcEngine:
    """Forward checking; complete: finds all fills, proves that no fill exists, proves the best value."""

    name: ClassVar[str] = "fc"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)
    backjump: ClassVar[bool] = False

    def __init__(
        self,
        *,
        ac3: bool = AC3.default,
        order: SlotOrder = ORDER.default,
        shuffle: bool = SHUFFLE.default,
        trace: bool = TRACE.default,
    ) -> None:
        self._ac3 = ac3
        self._order = order
        self._shuffle = shuffle
        self._trace = trace

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.contract`."""
        require_features(self, problem, limits)
        return run_in_thread(self.name, limits, lambda control: self._work(problem, control))

    def _work(self, problem: Problem, control: Control) -> Finished:
        kind = Run
        if self._trace:
            kind = TracedRun
        return kind(
            problem, control, ac3=self._ac3, order=self._order, shuffle=self._shuffle, backjump=self.backjump
        ).work()


class FcCbjEngine(FcEngine):
    """Forward checking with conflict-directed backjumping; complete; options as for `fc`."""

    name: ClassVar[str] = "fc-cbj"
    backjump: ClassVar[bool] = True


class TracedRun(Run):
    """A run that reports each step of arc consistency and of its search."""

    _search: BacktrackSearch | None = None

    def make_search(self, domains: list[int], kind: Callable[..., BacktrackSearch] | None = None) -> BacktrackSearch:
        """Return a search within the domains that reports its steps."""
        self._search = super().make_search(domains, kind or partial(TracedSearch, self._control.report_step))
        return self._search

    def note_revision(self, slot: SlotId, support: SlotId, before: int, after: int, queue: Iterable[SlotId]) -> None:
        """Report the revision."""
        words = self._problem.tables[slot].words
        removed = tuple(words[word] for word in islice(walk_members(before & ~after), _MOST_REMOVED))
        revision = Revision(slot, support, before.bit_count(), after.bit_count(), removed, tuple(queue))
        self._control.report_step(revision, self._search.stats() if self._search else Stats())


class TracedSearch(BacktrackSearch):
    """A search that calls `tell` with each step, and with its counters so far."""

    def __init__(self, tell: Callable[[Step, Stats], None], *args: Any, **named: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **named)
        self._tell = tell
        self._shrunk: dict[SlotId, int] = {}

    def narrow(self, domains: Sequence[int]) -> list[int]:
        """Narrow as the search does, and report the domains that shrink."""
        kept = super().narrow(domains)
        for slot, (before, after) in enumerate(zip(domains, kept, strict=True)):
            if before != after:
                self._tell(Revision(slot, None, before.bit_count(), after.bit_count()), self.stats())
        return kept

    def _assign(self, frame: Frame, word: WordId) -> bool:
        self._shrunk = {}
        slot, depth = frame.slot, len(self._frames)
        stands = super()._assign(frame, word)
        # Forward checking stops at the first slot without a word, so that slot shrank last.
        wipeout = None if stands else next(reversed(self._shrunk))
        self._tell(Assignment(slot, self._tables[slot].words[word], depth, self._shrunk, wipeout), self.stats())
        return stands

    def _restrict(self, frame: Frame, slot: SlotId, kept: int, blame: int) -> bool:
        if kept != self._domains[slot]:
            self._shrunk.pop(slot, None)  # keeps the slot that shrank last at the end
            self._shrunk[slot] = kept.bit_count()
        return super()._restrict(frame, slot, kept, blame)

    def _retreat(self, frame: Frame) -> None:
        depth, blame = len(self._frames), frame.conflicts | self._past[frame.slot]
        conflicts = tuple(self._frames[level].slot for level in walk_members(blame))
        super()._retreat(frame)
        self._tell(Backtrack(frame.slot, depth, len(self._frames), conflicts), self.stats())
