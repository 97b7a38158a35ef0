"""The contract of engines, point by point."""

from __future__ import annotations

import _thread
import itertools
import threading
import time
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import SEED, UnsupportedError
from cpfill.engines import ENGINES, engine_class, make_engine
from cpfill.engines.contract import Feature
from cpfill.formats.dialects import parse_grids
from cpfill.problem.event import Finished, Found, Progress, Started, StopReason
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits, Status
from cpfill.testing.probe import left_behind, work_going_on
from cpfill.testing.questions import ENGINE_NAMES, HANG_S, MAXIMISERS, TASKS, UNPROVED, pairings, question, run
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from cpfill.problem.event import Event
    from cpfill.testing.probe import Work

engines = pytest.mark.parametrize("engine", ENGINE_NAMES)
tasks = pytest.mark.parametrize(("engine", "objective"), TASKS)
# One search for each way to stop: at a fill, at the best value, and at one best value after another.
searches = pytest.mark.parametrize(
    ("engine", "objective"), [(engine, objective) for engine, objective in TASKS if objective is not Objective.SUM]
)

# The contract says 0.25 s. A machine that does other things keeps a test waiting now and then, but not each time.
PULSE_S = 1.5

THREE_WORDS = "ABC BCA CAB ABA BAB CBC BCB ACA CAC AAB BBC CCA ABB BCC CAA"
MANY = question("...", ".#.", "...", words=THREE_WORDS)
SCORED = question("...", ".#.", "...", words={word: float(n % 7) for n, word in enumerate(THREE_WORDS.split())})
FEWER = question("...", ".#.", "..A", words=THREE_WORDS)
NONE = question("...", "...", words="AAB ABA BAA AB BA", repeats=True)


# The thread whose start is interrupted: the first, and of a race the others.
STARTS = [(engine, 1, 1) for engine in ENGINE_NAMES]
STARTS += [("auto", 2, which) for which in (2, 3) if "auto" in ENGINE_NAMES]


def with_objective(problem: Problem, objective: Objective) -> Problem:
    """Return the problem with an objective, and with a theme where there is more than one criterion."""
    table = problem.tables[0]
    theme = dict.fromkeys(table.words[:50], 1.0) if objective is Objective.MIN_THEN_SUM else {}
    return replace(problem, objective=objective, theme=theme)


def numbers(objective: Objective) -> list[Limits]:
    """Return limits of several numbers of fills where they matter: with an objective the best one is sought."""
    return [Limits()] if objective not in UNPROVED else [Limits(), Limits(fills=40), Limits(fills=None)]


@pytest.fixture(scope="module")
def easy_problem(english: WordList) -> Problem:
    """Return a problem with fills without number."""
    words = WordList("en", {word: entry for word, entry in english.words.items() if len(word) == 3})
    _, (grid,) = parse_grids("...\n.#.\n...")
    return Problem(grid, Lexicon([words]))


# 1. It yields at least every 0.25 s.


@searches
def test_a_hard_search_gives_signs_of_life_and_leaves_nothing_behind(
    engine: str, objective: Objective, hard_problem: Problem
) -> None:
    problem, before = with_objective(hard_problem, objective), work_going_on()
    stream = make_engine(engine).search(problem, Limits(time_s=HANG_S))
    waits: list[float] = []  # for each sign, since the event before
    last = time.monotonic()
    for event in stream:
        now = time.monotonic()
        if isinstance(event, Progress):
            assert event.note
            waits.append(now - last)
        last = now
        if len(waits) > 1 and min(waits) < PULSE_S:
            break
    assert len(waits) > 1  # else the problem was not hard
    assert min(waits) < PULSE_S
    check_closed(stream, before)


def check_closed(stream: Generator[Event], before: Work) -> None:
    """Close a stream, and check that no work goes on that did not before."""
    stream.close()
    # What Python knows of is gone at once; a thread that the system is about to clear away is given a moment.
    now = work_going_on()
    assert now[0] <= before[0]
    assert now[1] <= before[1]
    assert left_behind(before) == []
    assert list(stream) == []


# 2. It yields exactly one Finished, last.


@tasks
def test_the_end_comes_once_and_last(engine: str, objective: Objective) -> None:
    limits = [*numbers(objective), Limits(nodes=3), Limits(time_s=0.0)]
    for asked, options, limit in itertools.product((SCORED, NONE), pairings(engine, objective), limits):
        stream = list(make_engine(engine, **options).search(asked.problem(objective), limit))
        assert stream[0] == Started(engine)
        assert sum(isinstance(event, Started) for event in stream) == 1
        assert [isinstance(event, Finished) for event in stream] == [False] * (len(stream) - 1) + [True]


@searches
def test_a_limit_of_time_is_said_and_proves_nothing(engine: str, objective: Objective, hard_problem: Problem) -> None:
    for time_s in (0.0, 0.1):
        result = run(engine, with_objective(hard_problem, objective), Limits(time_s=time_s)).result
        assert result.stop_reason is StopReason.TIME
        assert result.status in {Status.UNKNOWN, Status.SATISFIED}
        assert not result.proof


@engines
def test_few_fills_are_told_when_the_time_is_over(engine: str, easy_problem: Problem) -> None:
    """Whoever takes the fills may be slow: the engine does not run far ahead of them."""
    limit_s, late = 0.2, 0
    stream = make_engine(engine).search(easy_problem, Limits(time_s=limit_s, fills=None))
    assert next(stream) == Started(engine)
    start = time.monotonic()
    for event in stream:
        late += isinstance(event, Found) and time.monotonic() > start + limit_s
        time.sleep(0.01)
    assert late < 10


@engines
@pytest.mark.parametrize("workers", [1, 2])
def test_a_limit_of_nodes_is_said_and_proves_nothing(engine: str, workers: int, hard_problem: Problem) -> None:
    result = run(engine, hard_problem, Limits(nodes=5, time_s=20.0, workers=workers)).result
    assert result.status is Status.UNKNOWN
    assert result.stop_reason is StopReason.NODES
    assert result.stats.nodes >= 5


# 3. Closing the iterator stops all work and joins all threads and processes.


@searches
def test_closing_at_once_leaves_nothing_behind(engine: str, objective: Objective, hard_problem: Problem) -> None:
    before = work_going_on()
    stream = make_engine(engine).search(with_objective(hard_problem, objective), Limits())
    assert next(stream) == Started(engine)
    check_closed(stream, before)


@searches
def test_closing_several_workers_leaves_nothing_behind(
    engine: str, objective: Objective, hard_problem: Problem
) -> None:
    before = work_going_on()
    stream = make_engine(engine).search(with_objective(hard_problem, objective), Limits(workers=4))
    start = time.monotonic()
    for event in stream:
        assert not isinstance(event, Finished)
        if time.monotonic() - start >= 0.15:
            break
    check_closed(stream, before)


@engines
def test_closing_while_fills_stream_by_leaves_nothing_behind(engine: str, easy_problem: Problem) -> None:
    before = work_going_on()
    stream = make_engine(engine).search(easy_problem, Limits(fills=None))
    found = [event for event in islice(stream, 250) if isinstance(event, Found)]
    assert len({event.fill for event in found}) == len(found) > 100
    time.sleep(0.1)  # the engine goes on until it has to wait for whoever takes its fills
    stream.close()
    assert left_behind(before) == []


@engines
def test_a_search_that_ends_or_never_begins_leaves_nothing_behind(engine: str) -> None:
    before = work_going_on()
    list(make_engine(engine).search(MANY.problem(), Limits(fills=None)))
    stream = make_engine(engine).search(MANY.problem(), Limits(fills=None))
    stream.close()
    del stream
    assert left_behind(before) == []


@engines
def test_a_fault_in_the_engine_is_raised_and_leaves_nothing_behind(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> float:
        raise ZeroDivisionError

    before = work_going_on()
    monkeypatch.setattr("cpfill.problem.problem.Fill.of_words", broken)
    with pytest.raises(ZeroDivisionError):
        list(make_engine(engine).search(MANY.problem(), Limits()))
    assert left_behind(before) == []


@pytest.mark.parametrize("late_s", [0.0, 0.05])
@pytest.mark.parametrize(("engine", "workers", "which"), STARTS)
def test_an_interrupt_while_a_thread_starts_leaves_nothing_behind(
    *, engine: str, workers: int, which: int, late_s: float, hard_problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`Thread.start` waits for the thread to begin, and an interrupt ends the waiting alone."""
    start, starts = threading.Thread.start, itertools.count(1)

    def interrupted(self: threading.Thread) -> None:
        if next(starts) != which:
            start(self)
            return
        _thread.start_new_thread(late, (self,))
        raise KeyboardInterrupt

    def late(thread: threading.Thread) -> None:
        time.sleep(late_s)
        start(thread)

    before = work_going_on()
    stream = make_engine(engine).search(hard_problem, Limits(workers=workers))
    assert next(stream) == Started(engine)
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(stream)
    monkeypatch.undo()
    assert left_behind(before) == []


# 4. No fill is yielded twice.


@engines
def test_no_fill_is_yielded_twice(engine: str) -> None:
    for options in pairings(engine, Objective.ANY):
        for limits in (Limits(fills=None), Limits(fills=40), Limits(fills=10_000), Limits(fills=None, workers=4)):
            found = [rows for rows, _ in run(engine, FEWER.problem(), limits, **options).found]
            assert len(found) == len(set(found)) == min(limits.fills or 10_000, len(FEWER.answer.fills))


# 5. A feature it lacks raises UnsupportedError before any search.


NEEDING = [
    (Feature.SATISFY, Objective.ANY, Limits()),
    (Feature.ENUMERATE, Objective.ANY, Limits(fills=None)),
    (Feature.ENUMERATE, Objective.ANY, Limits(fills=2)),
    (Feature.MAXIMISE_MIN, Objective.MIN, Limits()),
    (Feature.MAXIMISE_SUM, Objective.SUM, Limits()),
    (Feature.MAXIMISE_MIN, Objective.MIN_THEN_SUM, Limits()),
    (Feature.MAXIMISE_SUM, Objective.MIN_THEN_SUM, Limits()),
    (Feature.LEXIMIN, Objective.LEXIMIN, Limits()),
]


@engines
@pytest.mark.parametrize(("feature", "objective", "limits"), NEEDING)
def test_a_feature_that_is_lacking_is_refused_at_once(
    engine: str, feature: Feature, objective: Objective, limits: Limits
) -> None:
    whole = engine_class(engine)
    lesser = type("Lesser", (whole,), {"features": whole.features - {feature}})()
    before = threading.active_count()
    with pytest.raises(UnsupportedError) as caught:
        lesser.search(MANY.problem(objective), limits)
    assert engine in str(caught.value)
    assert feature in str(caught.value)
    assert threading.active_count() == before
    others = [name for name in ENGINES if name != engine and feature in engine_class(name).features]
    assert any(name in str(caught.value).replace(engine, "") for name in others), "names an engine that has it"


@engines
def test_a_theme_takes_the_feature_of_sums(engine: str) -> None:
    whole = engine_class(engine)
    lesser = type("Lesser", (whole,), {"features": whole.features - {Feature.MAXIMISE_SUM}})()
    with pytest.raises(UnsupportedError, match=Feature.MAXIMISE_SUM):
        lesser.search(replace(MANY, theme={"ABC": 1.0}).problem(), Limits(fills=None))


# 6. The same seed and one worker give the same stream.


@tasks
def test_one_seed_gives_one_stream(engine: str, objective: Objective) -> None:
    problem = (FEWER if objective is Objective.ANY else SCORED).problem(objective)
    for options, limits in itertools.product(pairings(engine, objective), numbers(objective)):
        first, again = (run(engine, problem, replace(limits, seed=7), **options).answers for _ in range(2))
        assert first == again


@pytest.mark.parametrize("engine", [name for name in ("fc", "fc-cbj") if name in ENGINE_NAMES])
def test_seeds_differ_where_words_are_shuffled(engine: str) -> None:
    first = {run(engine, MANY.problem(), Limits(seed=seed), shuffle=True).found[0] for seed in range(12)}
    assert len(first) > 1
    plain = {run(engine, MANY.problem(), Limits(seed=0)).found[0] for _ in range(3)}
    assert len(plain) == 1


@pytest.mark.parametrize("engine", MAXIMISERS)
@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**40, SEED.high])
def test_any_number_is_a_seed(engine: str, seed: int) -> None:
    assert run(engine, SCORED.problem(Objective.MIN), Limits(seed=seed)).result.value == SCORED.answer.best


def test_the_stream_of_a_search_is_an_iterator_that_can_be_closed() -> None:
    for engine in ENGINE_NAMES:
        stream: Iterator[Event] = make_engine(engine).search(MANY.problem(), Limits())
        assert iter(stream) is stream
        assert callable(getattr(stream, "close", None))
