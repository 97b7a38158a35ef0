"""From events to answers: every fill is audited, and the stream folded into a result."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.check import violations
from cpfill.engines import COUNTING_ENGINE, DEFAULT_ENGINE, make_engine
from cpfill.engines.contract import CountingEngine
from cpfill.errors import EngineError, InvalidFillError
from cpfill.event import Bound, Finished, Found, Progress, Started, Stats, StopReason
from cpfill.front import problem_of
from cpfill.limits import Limits
from cpfill.problem import Objective
from cpfill.result import SolveResult, Status
from cpfill.value import exceeds, shown, tighter

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from typing import Unpack

    from cpfill.engines.contract import Engine
    from cpfill.event import Event
    from cpfill.fill import Fill
    from cpfill.front import Asked, GridLike, WordsLike
    from cpfill.lexicon.lexicon import Lexicon
    from cpfill.problem import Problem


def events(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> Generator[Event]:
    """Yield the events of a search, each fill audited before anyone sees it.

    Close the iterator to stop the search; from another thread set the token of its limits, `Limits(stop=StopToken())`.

    Takes and raises what `solve` does; `limits` is by default the first fill, or with an objective the proof.
    """
    problem = problem_of(grid, words, asked)
    chosen = make_engine(engine) if isinstance(engine, str) else engine
    if not hasattr(chosen, "search"):
        raise TypeError(f"expected an engine, or its name; got {chosen!r:.60}")
    limits = checked(limits)
    return _audited(problem, chosen.name, _until_stopped(chosen.search(problem, limits), limits))


def checked(limits: Limits | None) -> Limits:
    """Return the limits that are given, or else the usual ones.

    Raises:
        TypeError: something else is given.
    """
    if not isinstance(limits, Limits | None):
        raise TypeError(f"expected limits such as Limits(time_s=10); got {limits!r:.60}")
    return limits or Limits()


def _until_stopped(stream: Generator[Event], limits: Limits) -> Generator[Event]:
    """Yield the events of a search until it ends or is to stop; then close it, and tell its end in its place."""
    stats = Stats()
    with closing(stream):
        for event in stream:
            yield event
            if isinstance(event, Progress):
                stats = event.stats
            if limits.stopped and not isinstance(event, Finished):
                break
        else:
            return
    yield Finished(StopReason.INTERRUPTED, stats=stats)


def _audited(problem: Problem, engine: str, stream: Generator[Event]) -> Generator[Event]:
    with closing(stream):
        for event in stream:
            if isinstance(event, Found):
                broken = violations(problem, event.fill)
                if broken:
                    raise InvalidFillError(f"engine {engine} produced a wrong fill: {broken[0]}")
                value = event.fill.value(problem)
                if value != event.value:
                    raise InvalidFillError(f"engine {engine} says {shown(event.value)} of a fill worth {shown(value)}")
            yield event


class Fold:
    """Takes the events of one search as they come; `result` is what they come to so far."""

    def __init__(self, problem: Problem) -> None:
        self._optimising = bool(problem.criteria)
        self.result = SolveResult(Status.UNKNOWN, StopReason.INTERRUPTED, engine="", measures=problem.measures)

    def add(self, event: Event) -> None:
        """Take the next event.

        Raises:
            EngineError: the engine contradicts itself: a fill worth more than its bound, or one no better than before.
        """
        now = self.result
        match event:
            case Started():
                now = replace(now, engine=event.engine)
            case Found():
                if self._optimising and now.value is not None and event.value <= now.value:
                    raise EngineError(f"engine {now.engine} reports {shown(event.value)} after {shown(now.value)}")
                now = replace(now, fill=event.fill, value=event.value, fills=now.fills + 1)
            case Progress():
                now = replace(now, stats=event.stats, fills=now.fills if event.counted is None else event.counted)
            case Bound():
                now = replace(now, bound=event.value if tighter(event.value, now.bound) else now.bound)
            case Finished():
                bound = now.value if self._optimising and event.exhausted and now.fill else now.bound
                now = replace(
                    now,
                    stop_reason=event.reason,
                    proof=event.proof,
                    wipeout=event.wipeout,
                    stats=event.stats,
                    bound=bound,
                    fills=now.fills if event.counted is None else event.counted,
                )
        if self._optimising and now.bound and now.value and exceeds(now.value, now.bound):
            raise EngineError(
                f"engine {now.engine} has a fill worth {shown(now.value)} over its bound {shown(now.bound)}"
            )
        exhausted = now.stop_reason is StopReason.EXHAUSTED
        status = Status.of(found=now.fills > 0, exhausted=exhausted, optimising=self._optimising)
        self.result = replace(now, status=status)


def fold(problem: Problem, stream: Iterable[Event]) -> SolveResult:
    """Return what a whole stream of events comes to."""
    folding = Fold(problem)
    for event in stream:
        folding.add(event)
    return folding.result


def solve(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> SolveResult:
    """Return the answer of an engine: a fill, or with an objective the best one, and what was proved.

    Args:
        grid: what is to be filled: a file by name, rows, a text of several lines, a puzzle, a grid; or a problem, that
            `make_problem` made.
        words: the words to fill it with: a file, `en` or `fr` by name, words, words with scores, or several lists; each
            call reads them anew. A `Lexicon` made once makes a loop over small grids some ten times faster.
        engine: its name in `ENGINES`, or one that `make_engine` made with options of its own.
        limits: when to stop, and the seed: `Limits(time_s=10, seed=3)`; with a `StopToken` another thread can stop it.
        asked: objective, rules and the rest, by the names that `make_problem` has.

    Raises:
        InputError: the grid, the words or what is asked is bad input.
        UnsupportedError: the engine lacks the feature that the task takes.
        InvalidFillError: the engine produced a fill that breaks a rule.
        EngineError: the engine contradicts itself.
    """
    problem = problem_of(grid, words, asked)
    return fold(problem, events(problem, engine=engine, limits=limits))


def enumerate_fills(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> Generator[Fill]:
    """Return the fills as they are found: all of them, or so many as `limits.fills` says if that is more than one.

    Close the iterator to stop the search. The objective and the theme of the problem are left out of account. Takes
    and raises what `solve` does.
    """
    plain = replace(problem_of(grid, words, asked), objective=Objective.ANY, theme={})
    return _fills(events(plain, engine=engine, limits=_every(limits)))


def _fills(stream: Generator[Event]) -> Generator[Fill]:
    with closing(stream):
        yield from (event.fill for event in stream if isinstance(event, Found))


def count_fills(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = COUNTING_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> SolveResult:
    """Return a result whose `fills` is the number of fills; exact if its status is ALL_FILLS or UNSATISFIABLE.

    The objective and the theme of the problem are left out of account. Takes and raises what `solve` does.
    """
    plain = replace(problem_of(grid, words, asked), objective=Objective.ANY, theme={})
    return fold(plain, counting(plain, engine, limits))


def counting(
    problem: Problem, engine: Engine | str = COUNTING_ENGINE, limits: Limits | None = None
) -> Generator[Event]:
    """Yield the events of a count of the fills of a problem that maximises nothing, with or without the fills."""
    chosen = make_engine(engine) if isinstance(engine, str) else engine
    asked = _every(limits)
    if isinstance(chosen, CountingEngine):
        return _until_stopped(chosen.count(problem, asked), asked)
    return events(problem, engine=chosen, limits=asked)


def _every(limits: Limits | None) -> Limits:
    """Return the limits of a search for all fills: one fill, which is what limits say by themselves, is no limit."""
    asked = checked(limits)
    return replace(asked, fills=None) if asked.fills == 1 else asked
