"""The engine `auto`: the kernel first, then several searches at once; the first sound answer wins.

Most grids are decided within the first few thousand nodes of one kernel. For the others, as many workers race as are
allowed: first two kernels that differ in seed and in restarts, because each of the two reaches a proof first about
equally often; third, CP-SAT in its own process, whose learning reaches proofs that the kernel does not, save for sums,
which the kernel bounds better. With one worker, and for several fills, one kernel does the whole search. A rectangle
without blocks goes to `letters`, row by row, with any number of workers: the kernel notices too late that few words fit
below one another. An installation without the kernel leaves everything to CP-SAT.
"""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from cpfill.base.errors import SEED, EngineError, EngineUnavailableError
from cpfill.base.texts import say
from cpfill.base.threads import StopToken, when_set
from cpfill.engines.contract import Feature, required_features
from cpfill.engines.mac.engine import MacEngine
from cpfill.engines.mac.search import StartingPoint
from cpfill.engines.requirements import require_features
from cpfill.engines.toolkit.propagation import IntervalEnd
from cpfill.engines.toolkit.worker import Crew
from cpfill.problem.event import Bound, Finished, Found, Progress, Started, Stats, StopReason
from cpfill.problem.result import Deadline
from cpfill.problem.value import Criterion, exceeds, format_value, is_tighter

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from cpfill.engines.contract import Engine
    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.problem.value import Value

FIRST_NODES = 20_000
"""Nodes of the first kernel before the race begins: about half a second."""

FIRST_NODES_OF_SUMS = 1_500
"""The same if a criterion adds up: such nodes take longer."""


class PortfolioEngine:
    """The default engine; complete: finds all fills, proves that no fill exists, proves the best value."""

    name: ClassVar[str] = "auto"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.contract`."""
        require_features(self, problem, limits)
        try:
            first: Engine = MacEngine()
        except EngineUnavailableError:
            from cpfill.engines.cpsat.engine import CpsatEngine

            return self._search_alone(CpsatEngine(), problem, limits)
        racing = limits.workers > 1 and (limits.fills == 1 or bool(problem.criteria))
        if racing or _goes_by_rows(problem, limits):
            return self._race(first, problem, limits)
        return self._search_alone(first, problem, limits)

    def _search_alone(self, engine: Engine, problem: Problem, limits: Limits) -> Generator[Event]:
        with closing(engine.search(problem, limits)) as stream:
            for event in stream:
                yield Started(self.name) if isinstance(event, Started) else event

    def _race(self, first: Engine, problem: Problem, limits: Limits) -> Generator[Event]:
        yield Started(self.name)
        deadline = Deadline(limits.time_s)
        merge = Merge(problem)
        nodes = _choose_first_nodes(problem, limits)
        with closing(first.search(problem, replace(limits, nodes=nodes))) as stream:
            for event in stream:
                yield from merge.take("mac", event)
        if merge.reason is StopReason.NODES and nodes != limits.nodes:
            over = StopToken()
            left = _find_rest(limits, deadline, nodes, over)
            streams = _make_streams(problem, left, merge)
            with when_set(limits.stop, over.set), closing(_run_together(streams, over)) as race:
                for label, event in race:
                    yield from merge.take(label, event)
                    if merge.settled() or deadline.passed:
                        break
        reason = merge.reason
        if deadline.passed:
            reason = StopReason.TIME
        elif limits.stopped:
            reason = StopReason.INTERRUPTED
        yield merge.finish(reason)


def _choose_first_nodes(problem: Problem, limits: Limits) -> int:
    """Return the nodes of the first kernel."""
    nodes = FIRST_NODES
    if any(criterion.adds_up for criterion in problem.criteria):
        nodes = FIRST_NODES_OF_SUMS
    return min(nodes, limits.nodes or nodes)


def _find_rest(limits: Limits, deadline: Deadline, nodes: int, over: StopToken) -> Limits:
    """Return the limits of each stream of a race after the first kernel took `nodes`; `over` stops the race."""
    rest = replace(limits, stop=over)
    if limits.time_s is not None:
        rest = replace(rest, time_s=deadline.remaining_s())
    if limits.nodes is not None:
        rest = replace(rest, nodes=max(1, (limits.nodes - nodes) // limits.workers))
    return rest


def _goes_by_rows(problem: Problem, limits: Limits) -> bool:
    """Return whether the task is just to fill a rectangle in which every cell is in two slots."""
    grid = problem.grid
    return required_features(problem, limits) == {Feature.SATISFY} and len(grid.crossings) == len(grid.cells)


class Merge:
    """Merges several streams of one problem: drops fills that are not better, and combines the answers."""

    def __init__(self, problem: Problem) -> None:
        self._optimising = bool(problem.criteria)
        self.best: Found | None = None
        self._leader = ""  # the stream with the best fill
        self.bound: Value | None = None
        self._last = Finished(StopReason.TIME)
        self._parts: dict[str, Stats] = {}
        self._values: dict[str, Value] = {}  # the best value of each stream
        self._shared: dict[str, Value] = {}  # the best value that each stream has learnt
        self._settled = False

    @property
    def value(self) -> Value | None:
        """The value of the best fill so far."""
        return None if self.best is None else self.best.value

    @property
    def reason(self) -> StopReason:
        """Why the last finished stream ended."""
        return self._last.reason

    def settled(self) -> bool:
        """Whether the answer is final."""
        return self._settled

    def share(self, label: str) -> Value | None:
        """Tell a stream, in its own thread, the best value so far; from now on it need only report better fills."""
        value = self.value
        if value is not None:
            self._shared[label] = value
        return value

    def take(self, label: str, event: Event) -> Iterator[Event]:
        """Take an event of one stream and yield the resulting events of the merged stream."""
        match event:
            case Found():
                yield from self._take_fill(label, event)
                self._meet()
            case Bound():
                yield from self._take_bound(label, event)
                self._meet()
            case Progress():
                self._parts[label] = event.stats
                yield replace(event, stats=self._add_up())
            case Finished():
                self._parts[label] = event.stats
                self._close(label, event)
            case _:
                return

    def _take_fill(self, label: str, event: Found) -> Iterator[Found]:
        """Take a fill of a stream, and yield it if it becomes the best one."""
        self._values[label] = event.value
        if self.bound and self._optimising and exceeds(event.value, self.bound):
            raise EngineError(
                say(
                    "{label} has a fill worth {worth} over a proved bound {bound}",
                    label=label,
                    worth=format_value(event.value),
                    bound=format_value(self.bound),
                )
            )
        if self.value is None or (self._optimising and event.value > self.value):
            self.best = event
            self._leader = label
            yield event
        elif event.better and label == self._leader:
            self.best = event
            yield event

    def _take_bound(self, label: str, event: Bound) -> Iterator[Bound]:
        """Take a bound of a stream, and yield it if it is the tightest one."""
        if self.value and exceeds(self.value, event.value):
            raise EngineError(
                say(
                    "{label} proved a bound of {bound} under a fill worth {worth}",
                    label=label,
                    bound=format_value(event.value),
                    worth=format_value(self.value),
                )
            )
        if is_tighter(event.value, self.bound):
            self.bound = event.value
            yield event

    def _meet(self) -> None:
        """Finish if the best fill of one stream reaches the bound of another."""
        if self._optimising and self.value and self.value == self.bound and not self._settled:
            self._settled = True
            self._last = Finished(StopReason.EXHAUSTED, "maintained arc consistency")

    def _close(self, label: str, event: Finished) -> None:
        if not self._settled:
            self._last = event
        if event.reason is StopReason.EXHAUSTED:
            known = max(filter(None, (self._values.get(label), self._shared.get(label))), default=None)
            if known != self.value:
                raise EngineError(say("{label} proved that no (better) fill exists, but one does", label=label))
            self._settled = True
        elif event.reason is StopReason.FILLS or (self.best and not self._optimising):
            self._settled = True

    def finish(self, reason: StopReason) -> Finished:
        """Return the end of the merged stream; `reason` applies if no stream has the final answer."""
        if self._settled:
            reason = self._last.reason
        return replace(self._last, reason=reason, stats=self._add_up())

    def _add_up(self) -> Stats:
        parts = self._parts.values()
        return Stats(
            nodes=sum(part.nodes for part in parts),
            backtracks=sum(part.backtracks for part in parts),
            build_s=max((part.build_s for part in parts), default=0.0),
            search_s=max((part.search_s for part in parts), default=0.0),
        )


def _make_streams(problem: Problem, limits: Limits, merge: Merge) -> dict[str, Generator[Event]]:
    """Return the streams to race, one per worker; the kernels continue from the best fill and the bound so far.

    For V1 and criteria that add up, one kernel raises the best value and the other lowers the bound.
    """
    summing = bool(problem.criteria) and problem.criteria[-1].adds_up
    split = limits.workers > 1 and (summing or problem.criteria == (Criterion.MIN,))
    cpsat = _choose_worker_of_cpsat(problem, split=split)
    streams: dict[str, Generator[Event]] = {}
    for worker in range(limits.workers):
        single = replace(limits, workers=1, seed=SEED.after(limits.seed, worker + 1))
        if worker == 0 and _goes_by_rows(problem, limits):
            from cpfill.engines.letters.engine import LettersEngine

            streams["letters"] = LettersEngine().search(problem, single)
        elif worker == cpsat and not summing:
            from cpfill.engines.toolkit.process import search_in_process

            streams["cpsat"] = search_in_process("cpsat", {}, problem, single)
        else:
            ends = tuple(IntervalEnd)
            if split:
                ends = (ends[worker % len(ends)],)
            engine = MacEngine(restarts=worker != 1)
            label = f"mac {worker + 1}"
            merge.share(label)  # it continues from the best fill
            start = StartingPoint(merge.best, merge.bound, ends, partial(merge.share, label))
            streams[label] = engine.improve(problem, single, start)
    return streams


def _choose_worker_of_cpsat(problem: Problem, *, split: bool) -> int:
    """Return the worker of CP-SAT, which comes after two kernels if those share the work, or seek a fill."""
    if split or not problem.criteria:
        return 2
    return 1


_Labelled = tuple[str, "Event"]


def _run_together(streams: dict[str, Generator[Event]], over: StopToken) -> Generator[_Labelled]:
    """Yield the events of several streams as they come, each with its stream's label; closing closes all streams.

    `over` is the stop token of their limits: setting it wakes them, and they yield their last events.
    """
    with Crew[_Labelled]() as crew:
        try:
            for label, stream in streams.items():
                crew.start(label, partial(_pump, label, stream, crew, over))
            yield from crew.take()
        finally:
            over.set()


def _pump(label: str, stream: Generator[Event], crew: Crew[_Labelled], over: StopToken) -> None:
    """Hand over the events of one stream."""
    from cpfill.engines.toolkit.process import LostProcessError

    with suppress(LostProcessError), closing(stream):  # the other streams continue
        for event in stream:
            crew.hand_over((label, event))
            if over.is_set():
                return
