"""Searches the cases of a problem, one after the other, with one engine: a stream of events for all of them.

The cases share the grid's shape, the lexicon and the objective; they differ in givens, narrowed slots or rules.
Every fill of the problem is a fill of some case. A first fill, or the best one, is sought in rounds: each case gets a
few nodes, then the undecided ones get more, so that no hard case holds up the others.
"""

from __future__ import annotations

from bisect import bisect_right
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from cpfill.engines.contract import Feature
from cpfill.engines.requirements import require_features
from cpfill.problem.event import Bound, Finished, Found, Progress, Started, Stats, StopReason
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline
from cpfill.problem.value import Criterion, is_tighter

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from cpfill.engines.contract import Engine
    from cpfill.problem.event import Event
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.problem.value import Value

FIRST_NODES = 2_000
"""Nodes of each case in the first round."""

GROWTH = 8
"""Each round has as many times the nodes of the one before."""


MOST_NODES = 10**9
"""Nodes of a round after which there is no limit."""


def list_cases(problem: Problem) -> Iterable[Problem]:
    """Return the cases of an undecided problem, made one by one."""
    if problem.rules.either:
        from cpfill.problem.either import list_readable

        return list_readable(problem)
    from cpfill.problem.texts import Cases

    return Cases(problem)


class CaseSearch:
    """An engine that searches cases with another engine.

    Args:
        engine: the other engine.
        problems: the cases, which may be made lazily.
    """

    name: ClassVar[str] = "cases"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def __init__(self, engine: Engine, problems: Iterable[Problem]) -> None:
        self._engine = engine
        self._problems = problems

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.contract`. `problem` is the one whose cases they are."""
        require_features(self._engine, problem, limits)
        return _Search(self._engine, problem, limits).run(self._problems)


class _Search:
    def __init__(self, engine: Engine, problem: Problem, limits: Limits) -> None:
        self._engine = engine
        self._problem = problem
        self._limits = limits
        self._deadline = Deadline(limits.time_s, limits.stop)
        self._optimising = bool(problem.criteria)
        self._deciding = limits.fills == 1 and not self._optimising
        self._seen: set[Fill] = set()
        self._best: Value | None = None
        self._bounds: dict[int, Value | None] = {}  # by number, the bound of each case that is not exhausted
        self._complete = False  # whether each case was searched
        self._stopped = StopReason.EXHAUSTED  # why the last of them was not
        self._spent = Stats()
        self._last = Finished(StopReason.EXHAUSTED, "node consistency")
        self._reason: StopReason | None = None  # why the whole search ends early

    def run(self, problems: Iterable[Problem]) -> Generator[Event]:
        """Yield the events of the search."""
        yield Started(self._engine.name)
        nodes = FIRST_NODES if self._deciding or self._optimising else None
        undecided = yield from self._search_each(enumerate(problems), nodes)
        self._complete = self._reason is None
        while undecided and self._reason is None:
            nodes = nodes * GROWTH if nodes and nodes < MOST_NODES and len(undecided) > 1 else None
            undecided = yield from self._search_each(undecided, nodes)
        yield from self._end()

    def _end(self) -> Iterator[Event]:
        """Yield the bound that the cases have together, and the end."""
        reason = self._reason
        if reason is None and not self._bounds:
            yield Finished(StopReason.EXHAUSTED, self._last.proof, stats=self._spent)
            return
        if self._optimising and self._complete and None not in self._bounds.values():
            yield Bound(self._find_bound())
        yield Finished(reason or self._stopped, stats=self._spent)

    def _search_each(
        self, cases: Iterable[tuple[int, Problem]], nodes: int | None
    ) -> Generator[Event, None, list[tuple[int, Problem]]]:
        """Search each case, with its number, within some nodes; return those that need more."""
        undecided = []
        for number, case in cases:
            if self._is_over():
                break
            yield Progress("case", self._spent)
            asked = self._ask_better(case)
            known = self._bounds.pop(number, None)
            if asked is None or not all(asked.domains):
                continue
            bound = yield from self._search_case(asked, nodes)
            if self._last.reason is not StopReason.EXHAUSTED:
                self._bounds[number] = bound or known
                self._stopped = self._last.reason
            if self._reason is not None:
                break
            if self._last.reason is StopReason.NODES and nodes is not None:
                undecided.append((number, case))
        return undecided

    def _is_over(self) -> bool:
        """Return whether a limit is reached; note the reason."""
        limits = self._limits
        if limits.stopped:
            self._reason = StopReason.INTERRUPTED
        elif self._deadline.passed:
            self._reason = StopReason.TIME
        elif limits.nodes is not None and self._spent.nodes >= limits.nodes:
            self._reason = StopReason.NODES
        return self._reason is not None

    def _ask_better(self, case: Problem) -> Problem | None:
        """Return a case that has only fills that may be better than the best one; `None` if there can be none.

        The least score of words rises to that of the best fill, if the minimum comes first in the objective.
        """
        if self._best is None or case.criteria[0] not in {Criterion.MIN, Criterion.LEXIMIN}:
            return case
        least: float | None = self._best[0]
        if case.criteria == (Criterion.MIN,):
            least = min((score for score in case.ranking if score > self._best[0]), default=None)
        if least is None or least <= case.rules.min_score:
            return None if least is None else case
        return replace(case, rules=replace(case.rules, min_score=least))

    def _search_case(self, case: Problem, nodes: int | None) -> Generator[Event, None, Value | None]:
        """Yield the events of the search of one case, except its end and its bounds; return the last bound."""
        asked = case
        if self._deciding and case.objective is Objective.GOOD:
            asked = replace(case, objective=Objective.ANY)
        bound: Value | None = None
        self._last = Finished(StopReason.INTERRUPTED)
        before = self._spent
        with closing(self._engine.search(asked, self._find_limits(nodes))) as stream:
            for event in stream:
                if isinstance(event, Found):
                    yield from self._take(case, event)
                elif isinstance(event, Bound):
                    bound = event.value
                elif isinstance(event, Progress):
                    self._spent = _add_up(before, event.stats)
                    yield Progress(event.note, self._spent)
                elif isinstance(event, Finished):
                    self._last = event
                    self._spent = _add_up(before, event.stats)
                if self._reason is not None:
                    break
        return bound

    def _find_limits(self, nodes: int | None) -> Limits:
        """Return the limits of the search of a case: what is left, and at most some nodes."""
        limits = self._limits
        if limits.nodes is not None:
            left = limits.nodes - self._spent.nodes
            nodes = left if nodes is None else min(nodes, left)
        fills = limits.fills if self._deciding or self._optimising else None  # some may be known
        return replace(limits, time_s=self._deadline.time_s, nodes=nodes, fills=fills)

    def _take(self, case: Problem, found: Found) -> Iterator[Event]:
        """Yield a fill of a case if it is new, and better if an objective asks for better ones."""
        mapped = self._map(found)
        if self._optimising:
            if self._best is None or found.value > self._best:
                self._best = found.value
                yield mapped
            return
        if mapped.fill in self._seen:
            return
        self._seen.add(mapped.fill)
        if self._deciding and case.wants_good:
            if mapped.fill.alternatives:
                case, mapped = yield from self._raise_readings(case, mapped)
            self._reason = self._reason or StopReason.FILLS
            yield from self._improve(case, mapped)
            return
        yield mapped
        if len(self._seen) == self._limits.fills:
            self._reason = StopReason.FILLS

    def _map(self, found: Found) -> Found:
        """Return a fill of a case as one of the problem."""
        fill = replace(found.fill, grid=self._problem.grid)
        if fill.alternatives:
            return replace(found, fill=fill, value=fill.value(self._problem))
        return replace(found, fill=fill)

    def _improve(self, case: Problem, first: Found) -> Iterator[Event]:
        """Yield the fills of a good search of a case, or its first fill if time is short."""
        found = False
        with closing(self._engine.search(case, self._find_limits(None))) as stream:
            for event in stream:
                if isinstance(event, Found):
                    better = self._map(event)
                    if not first.fill.alternatives:
                        found = True
                        yield better
                    elif better.fill.quality(self._problem) > first.fill.quality(self._problem):
                        first = better
                        yield replace(better, better=True)
                elif isinstance(event, Progress):
                    yield Progress(event.note, _add_up(self._spent, event.stats))
                elif isinstance(event, Finished) and event.reason is not StopReason.EXHAUSTED:
                    self._reason = event.reason
        if not (found or first.fill.alternatives):
            yield first

    def _raise_readings(self, case: Problem, best: Found) -> Generator[Event, None, tuple[Problem, Found]]:
        """Yield a fill of several readings, and those whose words score more in all readings; return the last one.

        The interval between the least score and the greatest possible one is halved; within few nodes each case has a
        fill that reaches the middle, or is given up.
        """
        yield best
        scores = self._problem.ranking
        least = best.value[0]
        while not self._is_over():
            scores = scores[bisect_right(scores, least) :]
            if not scores:
                break
            middle = len(scores) // 2
            found = yield from self._reach(scores[middle])
            if found is None:
                scores = scores[:middle]
                continue
            least = found[1].value[0]
            if found[1].fill.quality(self._problem) > best.fill.quality(self._problem):
                case, best = found
                yield replace(best, better=True)
        return case, best

    def _reach(self, least: float) -> Generator[Event, None, tuple[Problem, Found] | None]:
        """Return a case and a fill of it whose words score at least so much, if a few nodes find one."""
        rules = replace(self._problem.rules, min_score=least)
        for case in list_cases(replace(self._problem, rules=rules)):
            if self._is_over():
                break
            if not all(case.domains):
                continue
            asked = replace(case, objective=Objective.ANY)
            with closing(self._engine.search(asked, self._find_limits(FIRST_NODES))) as stream:
                for event in stream:
                    if isinstance(event, Found):
                        return case, self._map(event)
                    if isinstance(event, Progress):
                        yield Progress(event.note, _add_up(self._spent, event.stats))
        return None

    def _find_bound(self) -> Value:
        """Return the loosest bound of the cases, or the best value if that is greater."""
        loosest = self._best or ()
        for bound in self._bounds.values():
            if bound is not None and (not loosest or is_tighter(loosest, bound)):
                loosest = bound
        return loosest


def _add_up(one: Stats, other: Stats) -> Stats:
    return Stats._make(map(sum, zip(one, other, strict=True)))
