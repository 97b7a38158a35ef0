"""A token stops a search from another thread: at once, with what was found, and nothing is left behind."""

from __future__ import annotations

import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, cast

import pytest

from cpfill import InputError, Limits, StopToken, count_fills, enumerate_fills, events, make_problem, solve
from cpfill.engines import make_engine
from cpfill.engines.contract import Feature
from cpfill.problem.event import Event, Finished, Found, Progress, Started, StopReason
from cpfill.problem.result import Status
from cpfill.questions.compare import Compare
from cpfill.questions.diverse import diverse_fills
from cpfill.questions.explain import explain
from cpfill.questions.question import PosedDesk
from cpfill.questions.request import Request
from cpfill.testing.conftest import left_behind, work_going_on
from cpfill.words.sources import Shelf
from tests.support import ENGINE_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from cpfill.problem.problem import Problem
    from cpfill.questions.question import Part

# So long would every search wait that is not woken.
LONG_S = 60.0
SEVERAL = [("auto", 2), ("auto", 3), ("letters", 2)]


@pytest.fixture
def no_pulse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have engines give no sign of life for a long while, so that what ends a search soon is its token alone."""
    for module in ("toolkit.worker", "toolkit.process"):
        monkeypatch.setattr(f"cpfill.engines.{module}.PULSE_S", LONG_S)


def set_after(delay_s: float, stop: StopToken) -> threading.Timer:
    timer = threading.Timer(delay_s, stop.set)
    timer.start()
    return timer


class Found1:
    """Finds one fill, and then gives signs of life as long as it is asked; of tokens it knows nothing."""

    name: ClassVar[str] = "one"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)
    closed = False

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        yield Started(self.name)
        try:
            yield next(event for event in make_engine("fc").search(problem, limits) if isinstance(event, Found))
            while True:
                yield Progress("still here")
                time.sleep(0.01)
        finally:
            self.closed = True


@pytest.mark.usefixtures("no_pulse")
@pytest.mark.parametrize(("engine", "workers"), [*((name, 1) for name in ENGINE_NAMES), *SEVERAL])
def test_a_token_ends_a_search_at_once(engine: str, workers: int, hard_problem: Problem) -> None:
    before = work_going_on()
    stop = StopToken()
    timer = set_after(0.5, stop)
    stream = list(events(hard_problem, engine=engine, limits=Limits(workers=workers, time_s=LONG_S, stop=stop)))
    timer.join()
    assert [isinstance(event, Finished) for event in stream] == [False] * (len(stream) - 1) + [True]
    last = stream[-1]
    assert isinstance(last, Finished)
    assert (last.reason, last.proof) == (StopReason.INTERRUPTED, "")
    assert left_behind(before) == []


def test_an_engine_need_know_nothing_of_tokens() -> None:
    engine, stop = Found1(), StopToken()
    timer = set_after(0.2, stop)
    result = solve(["..."], ["abc"], engine=engine, limits=Limits(stop=stop))
    timer.join()
    assert (result.status, result.stop_reason, result.fills) == (Status.SATISFIED, StopReason.INTERRUPTED, 1)
    assert result.fill is not None
    assert result.fill.rows == ["ABC"]
    assert engine.closed


def test_whoever_iterates_may_set_it_too(hard_problem: Problem) -> None:
    engine, stop = Found1(), StopToken()
    after = []
    for event in events(["..."], ["abc"], engine=engine, limits=Limits(stop=stop)):
        stop.set()
        after.append(event)
    assert after == [Started("one"), Finished(StopReason.INTERRUPTED)]
    assert solve(hard_problem, limits=Limits(stop=stop)).stop_reason is StopReason.INTERRUPTED


def searches(problem: Problem) -> dict[str, Callable[[Limits], object]]:
    return {
        "solve": lambda limits: solve(problem, limits=limits),
        "events": lambda limits: list(events(problem, limits=limits)),
        "enumerate_fills": lambda limits: list(enumerate_fills(problem, limits=limits)),
        "count_fills": lambda limits: count_fills(problem, limits=limits),
        "count_fills one by one": lambda limits: count_fills(problem, engine="mac", limits=limits),
        "explain": lambda limits: explain(problem, limits=limits),
        "diverse_fills": lambda limits: list(diverse_fills(problem, limits=limits)),
        "compare": lambda limits: list(compare(problem, limits)),
    }


def compare(problem: Problem, limits: Limits) -> Iterator[Part]:
    request = Request()
    question = Compare(request=request, engine=("mac", "fc", "letters"), time_limit=limits.time_s, stop=limits.stop)
    return question.answer(PosedDesk(Shelf(), request, problem))


@pytest.mark.parametrize("name", searches(cast("Any", None)))
def test_whatever_searches_is_stopped(name: str, hard_problem: Problem) -> None:
    for delay_s in (0.0, 0.5):
        stop = StopToken()
        timer = set_after(delay_s, stop)
        before = time.monotonic()
        searches(hard_problem)[name](Limits(fills=3, time_s=LONG_S, stop=stop))
        timer.join()
        assert time.monotonic() - before < LONG_S


def test_different_fills_end_where_they_are_stopped() -> None:
    problem, stop = make_problem(["..", ".."], ["ab", "bc", "ac", "cb", "ba", "ca"]), StopToken()
    stream = []
    for event in diverse_fills(problem, engine=Found1(), limits=Limits(fills=None, stop=stop)):
        if isinstance(event, Found):
            stop.set()
        stream.append(event)
    assert sum(isinstance(event, Found) for event in stream) == 1
    assert stream[-1] == Finished(StopReason.INTERRUPTED)


def test_one_token_stops_many(hard_problem: Problem) -> None:
    before = work_going_on()
    limits = Limits(stop=StopToken())
    assert limits.stop
    with ThreadPoolExecutor(8) as pool:
        results = [pool.submit(solve, hard_problem, limits=limits) for _ in range(8)]
        time.sleep(0.5)
        limits.stop.set()
        assert {result.result().stop_reason for result in results} == {StopReason.INTERRUPTED}
    assert left_behind(before) == []


@pytest.mark.usefixtures("no_pulse")
@pytest.mark.parametrize("engine", ["mac", "fc", "letters"])
def test_closing_does_not_wait_for_one_that_has_no_room_to_report(engine: str) -> None:
    words = [first + second + third for first in "abcdefgh" for second in "aeiou" for third in "abcdefgh"]
    problem = make_problem(["...", "...", "..."], words)
    stream = events(problem, engine=engine, limits=Limits(fills=None))
    assert isinstance([next(stream) for _ in range(5)][-1], Found)
    time.sleep(1.0)  # by now it waits for somebody to take its fills
    before = time.monotonic()
    stream.close()
    assert time.monotonic() - before < LONG_S  # as long as it would wait for room


def test_it_calls_what_is_to_be_woken_once_and_no_longer_than_asked() -> None:
    stop, calls = StopToken(), list[str]()
    with stop.calling(lambda: calls.append("gone")):
        pass
    with stop.calling(lambda: calls.append("early")), stop.calling(lambda: calls.append("second")):
        assert not stop.is_set()
        stop.set()
        stop.set()
        with stop.calling(lambda: calls.append("late")):
            pass
    assert calls == ["early", "second", "late"]
    assert stop.is_set()
    assert repr(stop) == "<StopToken: set>"


def test_it_stays_in_its_process() -> None:
    with pytest.raises(TypeError, match="a StopToken stays in its process"):
        pickle.dumps(Limits(stop=StopToken()))
    assert pickle.loads(pickle.dumps(Limits(seed=3))) == Limits(seed=3)  # noqa: S301 - our own


def test_another_thing_is_no_token() -> None:
    with pytest.raises(InputError, match=r"expected a StopToken for stop, found <threading\.Event"):
        Limits(stop=cast("Any", threading.Event()))


def test_limits_that_are_alike_but_for_their_tokens_differ() -> None:
    tokens = [None, StopToken(), StopToken()]
    assert all(Limits(stop=one) != Limits(stop=other) for one, other in pairwise(tokens))
