"""A token stops a search from another thread: at once, with what was found, and nothing is left behind."""

from __future__ import annotations

import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from cpfill import InputError, Limits, StopToken, count_fills, enumerate_fills, events, make_problem, solve
from cpfill.engines import make_engine
from cpfill.engines.contract import Feature
from cpfill.problem.event import Event, Finished, Found, Progress, Started, StopReason
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


@pytest.fixture
def stop() -> Iterator[StopToken]:
    """Return a token that is set half a second later."""
    token = StopToken()
    timer = threading.Timer(0.5, token.set)
    timer.start()
    yield token
    timer.join()


@pytest.mark.usefixtures("no_pulse")
@pytest.mark.parametrize(("engine", "workers"), [*((name, 1) for name in ENGINE_NAMES), *SEVERAL])
def test_a_token_ends_a_search_at_once(engine: str, workers: int, hard_problem: Problem, stop: StopToken) -> None:
    before = work_going_on()
    limits = Limits(workers=workers, time_s=LONG_S, stop=stop)
    *others, last = events(hard_problem, engine=engine, limits=limits)
    assert not any(isinstance(event, Finished) for event in others)
    assert isinstance(last, Finished)
    assert (last.reason, last.proof) == (StopReason.INTERRUPTED, "")
    assert left_behind(before) == []


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
        finally:
            self.closed = True


@pytest.mark.parametrize("ask", [events, diverse_fills])
def test_a_reader_may_set_the_token(ask: Callable[..., Iterator[Event]]) -> None:
    """The engine need know nothing of tokens."""
    engine = Found1()
    problem = make_problem(["..", ".."], ["ab", "bc", "ac", "cb", "ba", "ca"])
    token = StopToken()
    stream = []
    for event in ask(problem, engine=engine, limits=Limits(fills=None, stop=token)):
        stream.append(event)
        if isinstance(event, Found):
            token.set()
    assert sum(isinstance(event, Found) for event in stream) == 1
    assert stream[-1] == Finished(StopReason.INTERRUPTED)
    assert engine.closed


def test_a_set_token_ends_a_search_before_it_begins(hard_problem: Problem) -> None:
    token = StopToken()
    token.set()
    assert solve(hard_problem, limits=Limits(stop=token)).stop_reason is StopReason.INTERRUPTED


def list_fills(problem: Problem, limits: Limits) -> list[object]:
    return list(enumerate_fills(problem, limits=limits))


def list_diverse(problem: Problem, limits: Limits) -> list[Event]:
    return list(diverse_fills(problem, limits=limits))


def compare(problem: Problem, limits: Limits) -> list[Part]:
    request = Request()
    question = Compare(request=request, engine=("mac", "fc", "letters"), time_limit=limits.time_s, stop=limits.stop)
    return list(question.answer(PosedDesk(Shelf(), request, problem)))


SEARCHES: dict[str, Callable[..., object]] = {
    "solve": solve,
    "enumerate_fills": list_fills,
    "count_fills": count_fills,
    "count_fills one by one": partial(count_fills, engine="mac"),
    "explain": explain,
    "diverse_fills": list_diverse,
    "compare": compare,
}


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_is_stopped(name: str, hard_problem: Problem, stop: StopToken) -> None:
    begin = time.monotonic()
    SEARCHES[name](hard_problem, limits=Limits(fills=3, time_s=LONG_S, stop=stop))
    assert time.monotonic() - begin < LONG_S


def test_one_token_stops_many(hard_problem: Problem, stop: StopToken) -> None:
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: solve(hard_problem, limits=Limits(stop=stop)), range(8)))
    assert {result.stop_reason for result in results} == {StopReason.INTERRUPTED}


@pytest.mark.usefixtures("no_pulse")
@pytest.mark.parametrize("engine", ["mac", "fc", "letters"])
def test_closing_does_not_wait_for_room(engine: str) -> None:
    words = [first + second + third for first in "abcdefgh" for second in "aeiou" for third in "abcdefgh"]
    stream = events(make_problem("3x3", words), engine=engine, limits=Limits(fills=None))
    assert any(isinstance(event, Found) for event in stream)
    time.sleep(0.5)  # by now the engine waits for somebody to take its fills
    before = time.monotonic()
    stream.close()
    assert time.monotonic() - before < LONG_S  # as long as it would wait for room


def test_a_token_calls_back_once() -> None:
    token = StopToken()
    calls: list[str] = []
    with token.calling(lambda: calls.append("gone")):
        pass
    with token.calling(lambda: calls.append("early")), token.calling(lambda: calls.append("second")):
        assert not token.is_set()
        token.set()
        token.set()
    with token.calling(lambda: calls.append("late")):
        pass
    assert calls == ["early", "second", "late"]
    assert token.is_set()
    assert repr(token) == "<StopToken: set>"


def test_a_token_stays_in_its_process() -> None:
    with pytest.raises(TypeError, match="a StopToken stays in its process"):
        pickle.dumps(Limits(stop=StopToken()))
    assert pickle.loads(pickle.dumps(Limits(seed=3))) == Limits(seed=3)  # noqa: S301 - our own


def test_limits_take_no_other_token() -> None:
    event: Any = threading.Event()
    with pytest.raises(InputError, match=r"expected a StopToken for stop, found <threading\.Event"):
        Limits(stop=event)


def test_limits_of_other_tokens_differ() -> None:
    tokens = [None, StopToken(), StopToken()]
    assert all(Limits(stop=one) != Limits(stop=other) for one, other in pairwise(tokens))
