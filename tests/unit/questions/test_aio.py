"""The questions awaited: the answers are the same, and what is cancelled or left is stopped."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, cast

import pytest

import cpfill
from cpfill import EngineError, Finished, Found, InputError, Limits, Status, StopReason, StopToken, aio
from cpfill.testing.conftest import CLOSING_S, left_behind, work_going_on

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator

    from cpfill.engines.audited import Fills
    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult

ROWS = ["A..", ".#.", "..."]
WORDS = {"abc": 9.0, "ade": 8.0, "age": 7.0, "cxe": 6.0, "efe": 5.0, "eye": 4.0, "cue": 3.0}
FOREVER = Limits(time_s=120.0)
P = ParamSpec("P")


@pytest.fixture(autouse=True)
def _nothing_left() -> Any:
    before = work_going_on()
    yield
    assert left_behind(before) == []


def awaited(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Make a test that awaits an ordinary one."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


async def wait_all(stream: AsyncIterator[Any]) -> list[Any]:
    return [each async for each in stream]


def solve(*asked: Any, limits: Limits | None = None, **more: Any) -> Coroutine[Any, Any, SolveResult]:
    return aio.call(lambda own: cpfill.solve(*asked, limits=own, **more), limits)


def events(*asked: Any, limits: Limits | None = None) -> AsyncGenerator[Event, None]:
    return aio.iterate(lambda own: cpfill.events(*asked, limits=own), limits)


@awaited
async def test_answers_are_those_of_the_library() -> None:
    best = cpfill.solve(ROWS, WORDS, objective="sum")
    solved = await solve(ROWS, WORDS, objective="sum")
    assert (solved.status, solved.value) == (best.status, best.value)
    counted = await aio.call(lambda limits: cpfill.count_fills(ROWS, WORDS, limits=limits))
    assert counted.fills == cpfill.count_fills(ROWS, WORDS).fills > 1
    assert await aio.call(lambda _: WORDS.get("no such")) is None


@awaited
async def test_fills_are_those_of_the_library() -> None:
    known = cpfill.enumerate_fills(ROWS, WORDS)
    fills = set(known)
    began: list[Fills] = []

    def begin(limits: Limits) -> Fills:
        began.append(cpfill.enumerate_fills(ROWS, WORDS, limits=limits))
        return began[-1]

    assert set(await wait_all(aio.iterate(begin))) == fills
    assert began[-1].result.status is known.result.status is Status.ALL_FILLS
    assert len(await wait_all(aio.iterate(begin, Limits(fills=2)))) == 2
    told = await wait_all(events(ROWS, WORDS))
    assert isinstance(told[-1], Finished)
    assert {event.fill for event in told if isinstance(event, Found)} <= fills


def asked(problem: Problem, limits: Limits) -> dict[str, Coroutine[Any, Any, object]]:
    return {
        "solve": solve(problem, limits=limits),
        "count_fills": aio.call(lambda own: cpfill.count_fills(problem, limits=own), limits),
        "events": wait_all(events(problem, limits=limits)),
        "enumerate_fills": wait_all(aio.iterate(lambda own: cpfill.enumerate_fills(problem, limits=own), limits)),
    }


@pytest.mark.parametrize("delay_s", [0.0, 0.01, 0.5])
@awaited
async def test_a_cancelled_task_stops_its_search(delay_s: float, hard_problem: Problem) -> None:
    before = work_going_on()
    tasks = [asyncio.create_task(one) for one in asked(hard_problem, FOREVER).values()]
    await asyncio.sleep(delay_s)
    for task in tasks:
        task.cancel()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(end) for end in ends] == [asyncio.CancelledError] * 4
    assert left_behind(before) == []  # and not only when the loop is closed


@awaited
async def test_the_end_of_a_timeout_stops_it(hard_problem: Problem) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await solve(hard_problem, limits=FOREVER)


@awaited
async def test_a_second_cancellation_does_no_harm(hard_problem: Problem) -> None:
    task = asyncio.create_task(solve(hard_problem, limits=FOREVER))
    await asyncio.sleep(0.3)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task


async def begin(stream: AsyncIterator[Event]) -> None:
    """Leave a stream at its first report."""
    async for event in stream:
        if isinstance(event, cpfill.Progress):
            break


@awaited
async def test_leaving_the_iteration_stops_the_search(hard_problem: Problem) -> None:
    before = work_going_on()
    async with aclosing(events(hard_problem, limits=FOREVER)) as stream:
        await begin(stream)
    assert left_behind(before) == []
    await begin(events(hard_problem, limits=FOREVER))
    async with asyncio.timeout(CLOSING_S):
        while work_going_on()[0] - before[0]:  # noqa: ASYNC110 - no event tells that a thread is gone
            await asyncio.sleep(0.01)
    assert left_behind(before) == []


@awaited
async def test_an_unused_stream_leaves_nothing(hard_problem: Problem) -> None:
    await events(hard_problem).aclose()
    aio.iterate(lambda limits: cpfill.enumerate_fills(hard_problem, limits=limits))


@awaited
async def test_a_token_ends_it_with_its_fills(hard_problem: Problem) -> None:
    stop = StopToken()
    asyncio.get_running_loop().call_later(0.3, stop.set)
    last = (await wait_all(events(hard_problem, limits=Limits(stop=stop))))[-1]
    assert isinstance(last, Finished)
    assert last.reason is StopReason.INTERRUPTED
    assert (await solve(hard_problem, limits=Limits(stop=stop))).stop_reason is StopReason.INTERRUPTED


@awaited
async def test_many_questions_are_asked_at_once(hard_problem: Problem) -> None:
    before = work_going_on()
    tasks = [asyncio.create_task(solve(hard_problem, limits=FOREVER)) for _ in range(16)]
    assert (await solve(ROWS, WORDS)).fill  # one more than any pool of the loop has threads
    assert not any(task.done() for task in tasks)
    for task in tasks[::2]:
        task.cancel()
    await asyncio.wait(tasks[::2], timeout=CLOSING_S)
    assert [task.done() for task in tasks] == [True, False] * 8
    for task in tasks[1::2]:
        task.cancel()
    await asyncio.wait(tasks)
    assert left_behind(before) == []


@awaited
async def test_the_loop_goes_on(hard_problem: Problem) -> None:
    task = asyncio.create_task(solve(hard_problem, limits=FOREVER))
    for _ in range(50):
        await asyncio.sleep(0.001)
    assert not task.done()
    task.cancel()
    await asyncio.wait([task])


@awaited
async def test_errors_are_raised() -> None:
    for asked in (solve(Path("nowhere.txt")), wait_all(events(Path("nowhere.txt")))):
        with pytest.raises(InputError, match=r"nowhere\.txt: expected a file"):
            await asked
    with pytest.raises(TypeError, match="expected limits such as"):
        await aio.call(lambda _: WORDS, cast("Any", 5))


@awaited
async def test_a_generator_runs_in_one_thread() -> None:
    threads: list[int] = []

    def begin(limits: Limits) -> Generator[int]:
        try:
            for number in range(100):
                threads.append(threading.get_ident())
                yield number
        finally:
            assert limits.stop is not None
            assert limits.stop.is_set()
            threads.append(threading.get_ident())

    async with aclosing(aio.iterate(begin)) as numbers:
        async for number in numbers:
            if number == 2:
                break
    assert len(threads) == 4
    assert len({*threads, threading.get_ident()}) == 2


def test_a_fault_of_the_engine_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> float:
        raise ZeroDivisionError

    monkeypatch.setattr("cpfill.problem.fill.Fill.of_words", broken)
    with pytest.raises(EngineError) as raised:
        asyncio.run(solve(ROWS, WORDS))
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
