"""Grids that can be filled, looked for on a cluster: each task has a stream of grids of its own, by a seed of its own.

A task goes on for a second, and until it has found one. Streams know nothing of one another, so that the same grid may
come out of several of them; it is told once. Where most of what a task found was told before, the next ones go on for
longer, until one of them has seen all there are.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import CpfillError, EngineError
from cpfill.base.ranges import SECONDS, SEED
from cpfill.base.stop import StopToken
from cpfill.engines.contract import PULSE_S
from cpfill.engines.search import audit, check_limits
from cpfill.problem.event import StopReason
from cpfill.problem.limits import Deadline, Limits
from cpfill.problem.problem import Problem
from cpfill.problem.rules import Rules
from cpfill.questions.generate.fillable import EACH_S, add_words, keep_fillable
from cpfill.questions.generate.generation import generate

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.engines.cluster import Cluster, Stopped
    from cpfill.problem.fill import Fill
    from cpfill.puzzle.grid import Grid
    from cpfill.questions.generate.demands import Demands
    from cpfill.words.lexicon import Lexicon

BRIEF_S = 1.0
"""How long the first tasks go on: most grids of 15x15 take a tenth of that."""


class _Stream(NamedTuple):
    """The grids of a seed: at most so many that can be filled, those found in so many seconds, or else the first."""

    seed: int
    fills: int | None
    seconds: float


class _Found(NamedTuple):
    """What came of a stream, and why it ended."""

    fills: list[Fill]
    reason: StopReason


class _Search:
    """What is common to all streams."""

    def __init__(self, demands: Demands, lexicon: Lexicon, rules: Rules, each_s: float) -> None:
        self._given = demands, lexicon, rules, each_s
        self._rules, self._each_s = rules, each_s
        self._demands, self._lexicon = add_words(demands, lexicon, rules)

    def __reduce__(self) -> tuple[type[_Search], tuple[Demands, Lexicon, Rules, float]]:
        return _Search, self._given  # demands that know the words do not travel

    def pose(self, grid: Grid) -> Problem:
        """Return the problem of a grid."""
        return Problem(grid, self._lexicon, self._rules)

    def look(self, stream: _Stream, stopped: Stopped) -> _Found:
        """Return what comes of a stream."""
        limits = Limits(fills=None, seed=stream.seed, stop=_TakenBack(stopped))
        fills: list[Fill] = []
        brief = Deadline(stream.seconds)
        with closing(generate(self._demands, limits=limits)) as grids:
            limits = replace(limits, fills=stream.fills)
            fillable = keep_fillable(grids, self._lexicon, self._rules, limits=limits, each_s=self._each_s)
            while not (fills and brief.passed):
                try:
                    fills.append(next(fillable)[1])
                except StopIteration as end:
                    return _Found(fills, end.value)
        return _Found(fills, StopReason.TIME)


class _TakenBack(StopToken):
    """A token that is set when nobody waits for a task any more; searches look at it some times a second."""

    def __init__(self, stopped: Stopped) -> None:
        super().__init__()
        self._stopped = stopped

    def is_set(self) -> bool:
        """Return whether the task was taken back."""
        return self._stopped()


def find_fillable(
    cluster: Cluster,
    demands: Demands,
    lexicon: Lexicon,
    rules: Rules | None = None,
    *,
    limits: Limits | None = None,
    each_s: float = EACH_S,
) -> Generator[tuple[Problem, Fill], None, StopReason]:
    """Yield, and return, what `keep_fillable` does of generated grids, as the workers of a cluster find them.

    The demands and the lexicon are those before `add_words`. The seed does not settle which grids come, nor their
    order: it depends on which worker is first.

    Raises:
        InputError: a number is out of its range, or the cluster is none that can do this.
        EngineError: the cluster was lost, or a search failed there.
    """
    SECONDS.check(each_s, "each_s")
    limits = check_limits(limits)
    deadline, seeds = Deadline(limits.time_s, limits.stop), count()
    search = _Search(demands, lexicon, rules or Rules(), each_s)
    told: set[Grid] = set()
    seconds = BRIEF_S
    with cluster.connect() as connection, connection.tasks(_look_there, search) as tasks:
        while len(told) != limits.fills:
            if deadline.passed:
                return StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
            # As many as are asked for, told before or not: one that could find them all and has fewer has seen all.
            tasks.add([_Stream(SEED.after(limits.seed, next(seeds)), limits.fills, seconds) for _ in range(tasks.room)])
            for stream, answer in tasks.collect(deadline.remaining_s(PULSE_S)):
                if isinstance(answer, CpfillError):
                    raise EngineError(f"a search for grids failed on the cluster: {answer}")
                fresh = [fill for fill in answer.fills if fill.grid not in told]
                if 2 * len(fresh) < len(answer.fills):
                    seconds = max(seconds, 4 * stream.seconds)
                for fill in fresh:
                    problem = search.pose(fill.grid)
                    audit(problem, "generate", fill)
                    told.add(fill.grid)
                    yield problem, fill
                    if len(told) == limits.fills:
                        return StopReason.FILLS
                if answer.reason in {StopReason.EXHAUSTED, StopReason.TRIES}:
                    return answer.reason
    return StopReason.FILLS


def _look_there(search: _Search, stream: _Stream, stopped: Stopped) -> _Found:
    return search.look(stream, stopped)
