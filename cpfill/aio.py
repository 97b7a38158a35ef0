"""The library for `asyncio`: any of its functions that takes limits, awaited or iterated.

A search runs in threads of its own, and the loop goes on meanwhile. A task that is cancelled, and an iterator that is
closed, stop their search and wait for its threads, some hundredths of a second. To leave an `async for` early, close
the iterator at once with `contextlib.aclosing`; the loop closes a dropped one soon after.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from cpfill.base.threads import StopToken, make_executor, when_set
from cpfill.engines.audited import check_limits

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator

    from cpfill.problem.result import Limits

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Stream(Protocol[T_co]):
    """A stream of results, until it ends or is closed."""

    def __next__(self) -> T_co:
        """Return the next."""

    def close(self) -> None:
        """Stop the search that yields them."""


async def call(ask: Callable[[Limits], T], limits: Limits | None = None) -> T:
    """Return what a function does that runs in a thread of its own: `call(lambda limits: solve(grid, limits=limits))`.

    It gets the limits with a token that stops it. Its exceptions are raised here.
    """

    def begin(own: Limits) -> Generator[tuple[T]]:
        yield (ask(own),)

    async with aclosing(iterate(begin, limits)) as answers:
        (answer,) = await anext(answers)
        return answer


async def iterate(begin: Callable[[Limits], Stream[T]], limits: Limits | None = None) -> AsyncGenerator[T, None]:
    """Run a generator in a thread of its own and yield its items, none of which may be `None`.

    `begin` makes the generator from limits with a token that stops it. The exceptions of both are raised here.
    """
    limits, stop = check_limits(limits), StopToken()
    # One thread for the steps of one search, which so come one after another, its closing last.
    thread = make_executor("aio")
    run = copy_context().run  # so that the search uses the language of the caller
    stream = thread.submit(run, begin, replace(limits, stop=stop))

    def step() -> T | None:
        return next(stream.result(), None)

    def close() -> None:
        if stream.exception() is None:
            stream.result().close()

    try:
        with when_set(limits.stop, stop.set):
            while (item := await asyncio.wrap_future(thread.submit(run, step))) is not None:
                yield item
    finally:
        stop.set()
        closed = asyncio.wrap_future(thread.submit(run, close))
        thread.shutdown(wait=False)
        await asyncio.shield(closed)  # a second cancellation does not leave the search half closed
