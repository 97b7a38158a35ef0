"""The library for `asyncio`: its four questions as coroutines, and any other by `iterate`.

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

from cpfill.base.stop import StopToken, when_set
from cpfill.base.threads import make_executor
from cpfill.engines import DEFAULT_ENGINE
from cpfill.engines.search import check_limits
from cpfill.questions import api

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator
    from typing import Self, Unpack

    from cpfill.engines.contract import Engine
    from cpfill.engines.search import Fills
    from cpfill.formats.grid_like import GridLike
    from cpfill.problem.event import Event
    from cpfill.problem.fill import Fill
    from cpfill.problem.limits import Limits
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.questions.request import Asked
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.words_like import WordsLike

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Stream(Protocol[T_co]):
    """What comes one after another, until it ends or is closed."""

    def __next__(self) -> T_co:
        """Return the next."""

    def close(self) -> None:
        """Stop what makes them."""


async def solve(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> SolveResult:
    """Return what `cpfill.solve` does; takes and raises the same."""
    return await _answer(lambda own: api.solve(grid, words, engine=engine, limits=own, **asked), limits)


async def count_fills(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str | None = None,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> SolveResult:
    """Return what `cpfill.count_fills` does; takes and raises the same."""
    return await _answer(lambda own: api.count_fills(grid, words, engine=engine, limits=own, **asked), limits)


def events(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> AsyncGenerator[Event, None]:
    """Yield what `cpfill.events` does; takes the same, and raises it when the first event is asked for."""
    return iterate(lambda own: api.events(grid, words, engine=engine, limits=own, **asked), limits)


def enumerate_fills(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> AsyncFills:
    """Return what `cpfill.enumerate_fills` does; takes the same, and raises it when the first fill is asked for."""
    return AsyncFills(lambda own: api.enumerate_fills(grid, words, engine=engine, limits=own, **asked), limits)


class AsyncFills:
    """The fills of a search, as they are found; `aclose` stops it."""

    def __init__(self, begin: Callable[[Limits], Fills], limits: Limits | None) -> None:
        self._begin = begin
        self._fills: Fills | None = None
        self._each = iterate(self._begun, limits)

    def _begun(self, limits: Limits) -> Fills:
        self._fills = self._begin(limits)
        return self._fills

    @property
    def result(self) -> SolveResult | None:
        """What the search came to so far, as `Fills.result` has it; none before the first fill was asked for."""
        return self._fills.result if self._fills else None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Fill:
        return await anext(self._each)

    async def aclose(self) -> None:
        """Stop the search."""
        await self._each.aclose()


async def _answer(ask: Callable[[Limits], T], limits: Limits | None) -> T:
    """Return what is answered in a thread under the limits and a token that stops it."""

    def once(own: Limits) -> Generator[T]:
        yield ask(own)

    async with aclosing(iterate(once, limits)) as answers:
        return await anext(answers)


async def iterate(begin: Callable[[Limits], Stream[T]], limits: Limits | None = None) -> AsyncGenerator[T, None]:
    """Yield what a generator does that runs in a thread of its own; none of it may be `None`.

    `begin` makes the generator, of the limits with a token that stops it. Whatever either raises is raised here.
    """
    limits, stop = check_limits(limits), StopToken()
    # One thread for the steps of one search, which so come one after another, its closing last.
    thread = make_executor("aio")
    run = copy_context().run  # so that the search speaks the language of whoever asks
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
