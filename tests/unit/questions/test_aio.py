"""The questions awaited: the answers are the same, and what is cancelled or left is stopped."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

import cpfill
from cpfill import EngineError, Finished, Found, InputError, Limits, StopReason, StopToken, aio
from cpfill.testing.probe import CLOSING_S, left_behind, work_going_on

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Generator

    from cpfill.problem.problem import Problem

ROWS = ["A..", ".#.", "..."]
WORDS = {"abc": 9.0, "ade": 8.0, "age": 7.0, "cxe": 6.0, "efe": 5.0, "eye": 4.0, "cue": 3.0}
FOREVER = Limits(time_s=120.0)


@pytest.fixture(autouse=True)
def _nothing_left() -> Any:  # noqa: ANN401
    before = work_going_on()
    yield
    assert left_behind(before) == []


async def wait_all(stream: AsyncIterator[Any]) -> list[Any]:
    return [each async for each in stream]


def test_the_answers_are_the_same() -> None:
    async def ask() -> None:
        fills = set(cpfill.enumerate_fills(ROWS, WORDS))
        assert len(fills) > 1
        assert set(await wait_all(aio.enumerate_fills(ROWS, WORDS))) == fills
        assert (await aio.count_fills(ROWS, WORDS)).fills == len(fills)
        assert len(await wait_all(aio.enumerate_fills(ROWS, WORDS, number=2))) == 2
        assert (await aio.count_fills(ROWS, WORDS, time_limit=0)).fills == 0
        assert (await wait_all(aio.events(ROWS, WORDS, time_limit="0s", engine="fc")))[-1].reason is StopReason.TIME
        solved = await aio.solve(ROWS, WORDS, objective="sum", time_limit="1h", seed=3)
        known = cpfill.solve(ROWS, WORDS, objective="sum")
        assert (solved.status, solved.value) == (known.status, known.value)
        told = await wait_all(aio.events(ROWS, WORDS, engine="fc"))
        assert told[0] == cpfill.Started("fc")
        assert isinstance(told[-1], Finished)
        assert next(event.fill for event in told if isinstance(event, Found)) in fills

    asyncio.run(ask())


def asked(problem: Problem, limits: Limits) -> dict[str, Coroutine[Any, Any, object]]:
    return {
        "solve": aio.solve(problem, limits=limits),
        "count_fills": aio.count_fills(problem, limits=limits),
        "events": wait_all(aio.events(problem, limits=limits)),
        "enumerate_fills": wait_all(aio.enumerate_fills(problem, limits=limits)),
    }


@pytest.mark.parametrize("delay_s", [0.0, 0.01, 0.5])
def test_a_task_that_is_cancelled_stops_its_search(delay_s: float, hard_problem: Problem) -> None:
    async def ask() -> None:
        before = work_going_on()
        tasks = [asyncio.create_task(one) for one in asked(hard_problem, FOREVER).values()]
        await asyncio.sleep(delay_s)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(end) for end in ends] == [asyncio.CancelledError] * 4
        assert left_behind(before) == []  # and not only when the loop is closed

    asyncio.run(ask())


def test_a_time_that_is_over_stops_it(hard_problem: Problem) -> None:
    async def ask() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await aio.solve(hard_problem, limits=FOREVER)

    asyncio.run(ask())


def test_a_second_cancellation_does_no_harm(hard_problem: Problem) -> None:
    async def ask() -> None:
        task = asyncio.create_task(aio.solve(hard_problem, limits=FOREVER))
        await asyncio.sleep(0.3)
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(ask())


def test_whoever_leaves_the_iteration_stops_the_search(hard_problem: Problem) -> None:
    async def ask() -> None:
        before = work_going_on()
        async with aclosing(aio.events(hard_problem, limits=FOREVER)) as stream:
            async for event in stream:
                if isinstance(event, cpfill.Progress):
                    break
        assert left_behind(before) == []
        async for event in aio.events(hard_problem, limits=FOREVER):
            if isinstance(event, cpfill.Progress):
                break
        async with asyncio.timeout(CLOSING_S):
            while work_going_on()[0] - before[0]:  # noqa: ASYNC110 - no event tells that a thread is gone
                await asyncio.sleep(0.01)
        assert left_behind(before) == []

    asyncio.run(ask())


def test_one_that_is_never_begun_leaves_nothing(hard_problem: Problem) -> None:
    async def ask() -> None:
        await aio.events(hard_problem).aclose()
        aio.enumerate_fills(hard_problem)

    asyncio.run(ask())


def test_a_token_stops_it_as_well_and_what_was_found_is_told(hard_problem: Problem) -> None:
    async def ask() -> None:
        stop = StopToken()
        asyncio.get_running_loop().call_later(0.3, stop.set)
        last = (await wait_all(aio.events(hard_problem, limits=Limits(stop=stop))))[-1]
        assert isinstance(last, Finished)
        assert last.reason is StopReason.INTERRUPTED
        assert (await aio.solve(hard_problem, limits=Limits(stop=stop))).stop_reason is StopReason.INTERRUPTED

    asyncio.run(ask())


def test_many_at_once(hard_problem: Problem) -> None:
    async def ask() -> None:
        before = work_going_on()
        tasks = [asyncio.create_task(aio.solve(hard_problem, limits=FOREVER)) for _ in range(16)]
        assert (await aio.solve(ROWS, WORDS)).fill  # one more than any pool of the loop has threads
        assert not any(task.done() for task in tasks)
        for task in tasks[::2]:
            task.cancel()
        await asyncio.wait(tasks[::2], timeout=CLOSING_S)
        assert [task.done() for task in tasks] == [True, False] * 8
        for task in tasks[1::2]:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
        assert left_behind(before) == []

    asyncio.run(ask())


def test_the_loop_goes_on(hard_problem: Problem) -> None:
    async def ask() -> None:
        task = asyncio.create_task(aio.solve(hard_problem, limits=FOREVER))
        for _ in range(50):
            await asyncio.sleep(0.001)
        assert not task.done()
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"grid": Path("nowhere.txt")}, InputError, r"nowhere\.txt: expected a file"),
        ({"objetive": 1}, TypeError, "did you mean 'objective'"),
        ({"limits": 5}, TypeError, "expected limits such as"),
        ({"engine": "no such"}, InputError, "expected an engine"),
    ],
)
def test_what_is_wrong_is_raised(given: dict[str, Any], error: type[Exception], said: str) -> None:
    async def ask() -> None:
        for ask_one in (aio.solve, aio.count_fills):
            with pytest.raises(error, match=said):
                await cast("Any", ask_one)(**{"grid": ROWS, "words": WORDS, **given})
        for ask_each in (aio.events, aio.enumerate_fills):
            with pytest.raises(error, match=said):
                await wait_all(cast("Any", ask_each)(**{"grid": ROWS, "words": WORDS, **given}))

    asyncio.run(ask())


def test_any_generator_runs_in_one_thread_and_is_closed_there() -> None:
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

    async def ask() -> None:
        async with aclosing(aio.iterate(begin)) as numbers:
            async for number in numbers:
                if number == 2:
                    break
        assert len(threads) == 4
        assert len({*threads, threading.get_ident()}) == 2

    asyncio.run(ask())


def test_a_fault_of_the_engine_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> float:
        raise ZeroDivisionError

    monkeypatch.setattr("cpfill.problem.fill.Fill.of_words", broken)
    with pytest.raises(EngineError) as raised:
        asyncio.run(aio.solve(ROWS, WORDS))
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
