"""Searches a problem: audits every fill before anyone sees it, and tallies the stream of events."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from cpfill.base.errors import EngineError, EngineUnavailableError, InvalidFillError, check_type, wrong_type
from cpfill.base.texts import say
from cpfill.engines.contract import CountingEngine, blame, blaming, required_features
from cpfill.engines.registry import COUNTING_ENGINE, DEFAULT_ENGINE, PROBING_ENGINE, make_engine
from cpfill.problem.check import violations
from cpfill.problem.event import Bound, Finished, Found, Progress, Started, Stats, StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline, Limits, SolveResult, Status
from cpfill.problem.value import exceeds, format_value, is_tighter

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from cpfill.engines.contract import Engine
    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem


def search(
    problem: Problem, *, engine: Engine | str = DEFAULT_ENGINE, limits: Limits | None = None
) -> Generator[Event]:
    """Return the events of a search, each fill audited. By default, `limits` ask for the first fill, or the best one.

    To stop the search, close the iterator; from another thread, set the stop token of its limits.

    Raises:
        TypeError: the engine or the limits have the wrong type.
        UnsupportedError: the engine lacks a feature that the task needs.
        InvalidFillError: the engine produced a fill that breaks a rule.
        EngineError: the engine raised an exception, did not end with one `Finished`, or yielded a fill twice.
    """
    chosen = resolve_engine(engine)
    limits = check_limits(limits)
    ask = chosen.search
    if problem.undecided:
        from cpfill.engines.cases import CaseSearch, list_cases

        ask = CaseSearch(chosen, list_cases(problem)).search
    return _audited(problem, chosen, run_audited(chosen, ask, problem, limits))


def search_all(
    problem: Problem, *, engine: Engine | str | None = None, limits: Limits | None = None
) -> Generator[Event]:
    """Return the events of a count of all fills, with or without the fills; `drop_objective` makes the problem.

    The default engine is the fastest at counting. In a grid with blocks it may reach its first fill late, or never: if
    it finds none within `BARREN_S`, or lacks a feature, the engine that finds fills soonest takes over. Arguments and
    errors are those of `search`.
    """
    limits = lift_fill_limit(limits)
    if problem.undecided:  # cases may have fills in common, so that numbers of fills do not add up
        return search(problem, engine=engine or DEFAULT_ENGINE, limits=limits)
    if engine is None:
        try:
            engine = make_engine(COUNTING_ENGINE)
        except EngineUnavailableError:
            engine = _KERNELLESS_ENGINE
        else:
            if not required_features(problem, limits) <= engine.features:
                return search_all(problem, engine=PROBING_ENGINE, limits=limits)
            if len(problem.grid.crossings) < len(problem.grid.cells):
                return _count_by_either(problem, limits)
    chosen = resolve_engine(engine)
    if isinstance(chosen, CountingEngine):
        return run_audited(chosen, chosen.count, problem, limits)
    return search(problem, engine=chosen, limits=limits)


_KERNELLESS_ENGINE = "fc-cbj"
"""The engine that counts in an installation without compiled kernels."""

BARREN_S = 2.0
"""Seconds without a fill after which a different engine counts."""


MOST_NOTED = 1 << 16
"""The most fills whose hashes are kept, to tell a fill that an engine yields twice."""


def _count_by_either(problem: Problem, limits: Limits) -> Generator[Event]:
    deadline = Deadline(limits.time_s, limits.stop)
    with closing(search_all(problem, engine=COUNTING_ENGINE, limits=limits)) as stream:
        for event in stream:
            yield event
            barren = isinstance(event, Progress) and event.stats.nodes > 0 and not event.counted
            if barren and deadline.elapsed_s > BARREN_S:
                break
        else:
            return
    rest = replace(limits, time_s=deadline.time_s)
    yield from search_all(problem, engine=PROBING_ENGINE, limits=rest)


def drop_objective(problem: Problem) -> Problem:
    """Return the problem without objective and theme: the question is then all its fills."""
    if problem.objective is Objective.ANY and not problem.theme:
        return problem
    return replace(problem, objective=Objective.ANY, theme={}, levels=())


def resolve_engine(engine: Engine | str) -> Engine:
    """Return the given engine, or the engine of the given name.

    Raises:
        InputError: no engine has that name.
        TypeError: the argument is neither an engine nor a name.
    """
    made = make_engine(engine) if isinstance(engine, str) else engine
    if not (hasattr(made, "search") and isinstance(getattr(made, "name", None), str)):
        raise wrong_type("an engine, or its name", made)
    return made


def check_limits(limits: Limits | None) -> Limits:
    """Return the given limits, or the default ones.

    Raises:
        TypeError: the argument is not limits.
    """
    check_type(limits, Limits | None, "limits such as Limits(time_s=10)")
    return limits or Limits()


def lift_fill_limit(limits: Limits | None) -> Limits:
    """Return the limits of a search for all fills: one fill, the default, means no limit here."""
    limits = check_limits(limits)
    if limits.fills != 1:
        return limits
    return replace(limits, fills=None)


def run_audited(
    engine: Engine, ask: Callable[[Problem, Limits], Generator[Event]], problem: Problem, limits: Limits
) -> Generator[Event]:
    """Return the events of a method of an engine, under the engine's own name, until they end or must stop.

    The fills are not audited.

    Raises:
        UnsupportedError: the engine lacks a feature that the task needs.
        EngineError: the engine raised an exception, or yielded an object that is not an event.
    """
    with blaming(type(engine)):
        stream = ask(problem, limits)
    return _until_stopped(engine, stream, limits)


def _until_stopped(engine: Engine, stream: Generator[Event], limits: Limits) -> Generator[Event]:
    """Yield the events of a search until it ends or must stop; then close it, and yield its end on its behalf."""
    end: Finished | None = None
    late = False
    stats = Stats()
    with blaming(type(engine)), closing(stream):
        for event in stream:
            _check_event(event)
            if end is not None:
                late = True
                break
            if isinstance(event, Finished):
                end = event
                continue
            if isinstance(event, Progress):
                stats = event.stats
            yield _rename(event, engine.name)
            if limits.stopped:
                break
    if late:
        raise blame(type(engine), say("one Finished, last"), say("an event after it"))
    if end is None and not limits.stopped:
        raise blame(type(engine), say("one Finished, last"), say("none"))
    yield end or Finished(StopReason.INTERRUPTED, stats=stats)


def _rename(event: Event, name: str) -> Event:
    """Return the event under an engine's own name: an engine that asks another one passes the other's name on."""
    if isinstance(event, Started):
        return Started(name)
    return event


def _check_event(event: Event) -> None:
    """Check that an engine yielded an event, with values of the right types.

    Raises:
        TypeError: it yielded something else.
    """
    match event:
        case Started() | Found(fill=Fill(), value=tuple()) | Bound(value=tuple()):
            return
        case (
            Progress(stats=Stats(), counted=int() | None)
            | Finished(reason=StopReason(), stats=Stats(), counted=int() | None)
        ):
            return
    raise TypeError(f"no event: {event!r}")


def audit(problem: Problem, engine: str, fill: Fill) -> None:
    """Check a fill that an engine produced.

    Raises:
        InvalidFillError: it breaks a rule.
    """
    broken = violations(problem, fill)
    if broken:
        raise InvalidFillError(say("engine {engine} produced a wrong fill: {broken}", engine=engine, broken=broken[0]))


class _Met:
    """Notes fills, to tell those that were met before: all of the first ones; of many, a random share."""

    def __init__(self) -> None:
        self._hashes = set[int]()
        self._mask = 0  # a hash is noted if none of these bits is set in it

    def add(self, fill: Fill) -> bool:
        """Note a fill; return whether it was met before."""
        noted = hash(fill)
        if noted & self._mask:
            return False
        if noted in self._hashes:
            return True
        self._hashes.add(noted)
        if len(self._hashes) > MOST_NOTED:
            self._mask = 2 * self._mask + 1
            self._hashes = {each for each in self._hashes if not each & self._mask}
        return False


def _audited(problem: Problem, engine: Engine, stream: Generator[Event]) -> Generator[Event]:
    met = _Met()
    with closing(stream):
        for event in stream:
            if isinstance(event, Found):
                audit(problem, engine.name, event.fill)
                _check_value(problem, engine.name, event)
                if met.add(event.fill):
                    again = say("{rows} again", rows=" ".join(event.fill.rows))
                    raise blame(type(engine), say("each fill once"), again)
            yield event


def _check_value(problem: Problem, engine: str, found: Found) -> None:
    """Check the value that an engine reports of a fill.

    Raises:
        InvalidFillError: the fill has a different value.
    """
    value = found.fill.value(problem)
    if value != found.value:
        raise InvalidFillError(
            say(
                "engine {engine} says {value} of a fill worth {value2}",
                engine=engine,
                value=format_value(found.value),
                value2=format_value(value),
            )
        )


class Tally:
    """Collects the events of one search; `result` sums up the events so far."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._optimising = bool(problem.criteria)
        self.result = SolveResult(Status.UNKNOWN, StopReason.INTERRUPTED, engine="", measures=problem.measures)

    def add(self, event: Event) -> None:
        """Take the next event.

        Raises:
            EngineError: the engine contradicts itself: a fill exceeds its bound, or is no better than the one before.
        """
        now = self.result
        match event:
            case Started():
                now = replace(now, engine=event.engine)
            case Found():
                self._check_order(event)
                now = replace(now, fill=event.fill, value=event.value, fills=self._count(event))
            case Progress():
                now = replace(now, stats=event.stats, fills=self._read_count(event))
            case Bound():
                if is_tighter(event.value, now.bound):
                    now = replace(now, bound=event.value)
            case Finished():
                now = self._end(event)
        if self._optimising:
            _check_bound(now)
        self.result = replace(now, status=self._judge(now))

    def _count(self, event: Found) -> int:
        """Return the number of fills with this one, which may replace the one before."""
        fills = self.result.fills
        if event.better and fills:
            return fills
        return fills + 1

    def _read_count(self, event: Progress | Finished) -> int:
        """Return the number of fills after an event, which has it if the engine counts fills and reports none."""
        if event.counted is None:
            return self.result.fills
        return event.counted

    def _end(self, event: Finished) -> SolveResult:
        """Return the result with the end of the search; the best fill of an exhausted search is its own bound."""
        now = self.result
        bound = now.bound
        if self._optimising and event.exhausted and now.fill:
            bound = now.value
        return replace(
            now,
            stop_reason=event.reason,
            proof=event.proof,
            wipeout=event.wipeout,
            stats=event.stats,
            bound=bound,
            fills=self._read_count(event),
        )

    def _judge(self, now: SolveResult) -> Status:
        """Return the status of a result."""
        alike = now.stop_reason is StopReason.ALIKE
        found = now.fills > 0
        return Status.of(
            found=found,
            exhausted=now.stop_reason is StopReason.EXHAUSTED or (alike and not found),
            optimising=self._optimising,
            differing=alike or bool(self._problem.avoided),
        )

    def _check_order(self, event: Found) -> None:
        """Check that a fill is better than the one before, if it must be: in its value, or in its quality."""
        before = self.result.fill
        if before is None or not (event.better or self._optimising):
            return
        if event.better:
            now = event.fill.quality(self._problem)
            last = before.quality(self._problem)
        else:
            now = event.value
            last = self.result.value or ()
        if now <= last:
            shown = max(LEAST_SHOWN, _find_difference(now, last) + 1)
            raise EngineError(
                say(
                    "engine {engine} reports {value} after {value2}",
                    engine=self.result.engine,
                    value=format_value(now, shown),
                    value2=format_value(last, shown),
                )
            )


def _check_bound(now: SolveResult) -> None:
    """Check that the best fill keeps to the bound."""
    if now.bound and now.value and exceeds(now.value, now.bound):
        raise EngineError(
            say(
                "engine {engine} has a fill worth {best} over its bound {limit}",
                engine=now.engine,
                best=format_value(now.value),
                limit=format_value(now.bound),
            )
        )


LEAST_SHOWN = 8
"""The least number of numbers of two values that are shown to differ."""


def _find_difference(one: Sequence[float], other: Sequence[float]) -> int:
    """Return the first index at which two values differ; 0 if they do not."""
    for place, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            return place
    return 0


def tally(problem: Problem, stream: Iterable[Event]) -> SolveResult:
    """Return the result of a whole stream of events."""
    tallied = Tally(problem)
    for event in stream:
        tallied.add(event)
    return tallied.result


def settle(problem: Problem, *, engine: Engine | str = DEFAULT_ENGINE, limits: Limits | None = None) -> SolveResult:
    """Return the result of a search. Arguments and errors are those of `search`; `Tally.add` may raise too."""
    return tally(problem, search(problem, engine=engine, limits=limits))


class Fills:
    """Iterates over the fills of a search as they are found; `close` stops the search."""

    def __init__(self, problem: Problem, stream: Generator[Event]) -> None:
        self._tally = Tally(problem)
        self._stream = stream

    @property
    def result(self) -> SolveResult:
        """The result so far. After the last fill it says whether these are all fills, or gives the reason to stop."""
        return self._tally.result

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Fill:
        for event in self._stream:
            self._tally.add(event)
            if isinstance(event, Found):
                return event.fill
        raise StopIteration

    def close(self) -> None:
        """Stop the search."""
        self._stream.close()
