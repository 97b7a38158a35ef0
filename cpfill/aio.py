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
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from cpfill.base.threads import StopToken, make_executor, when_set
from cpfill.engines import DEFAULT_ENGINE
from cpfill.engines.audited import check_limits
from cpfill.questions import api
from cpfill.questions.api import take_limits

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
    from typing import Self, Unpack

    from cpfill.engines.audited import Fills
    from cpfill.engines.contract import Engine
    from cpfill.formats.templates import GridLike
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits, SolveResult
    from cpfill.questions.api import Searched
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.sources import WordsLike

T = TypeVar("T")
P = ParamSpec("P")
T_co = TypeVar("T_co", covariant=True)


class Stream(Protocol[T_co]):
    """What comes one after another, until it ends or is closed."""

    def __next__(self) -> T_co:
        """Return the next."""

    def close(self) -> None:
        """Stop what makes them."""


def _once(ask: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Return a function of the library as a coroutine; it takes and raises the same."""

    @wraps(ask)
    async def answer(*given: P.args, **asked: P.kwargs) -> T:
        limits = take_limits(asked.pop("limits", None), asked)  # type: ignore[arg-type]  # those of every question

        def begin(own: Limits) -> Generator[T]:
            asked["limits"] = own
            yield ask(*given, **asked)

        async with aclosing(iterate(begin, limits)) as answers:
            return await anext(answers)

    return answer


def _stream(ask: Callable[P, Generator[T]]) -> Callable[P, AsyncGenerator[T, None]]:
    """Return a function of the library as an asynchronous generator, which raises the same when it begins."""

    @wraps(ask)
    def stream(*given: P.args, **asked: P.kwargs) -> AsyncGenerator[T, None]:
        limits = take_limits(asked.pop("limits", None), asked)  # type: ignore[arg-type]  # those of every question

        def begin(own: Limits) -> Generator[T]:
            asked["limits"] = own
            return ask(*given, **asked)

        return iterate(begin, limits)

    return stream


solve = _once(api.solve)
count_fills = _once(api.count_fills)
events = _stream(api.events)


def enumerate_fills(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Searched],
) -> AsyncFills:
    """Return what `cpfill.enumerate_fills` does; takes the same, and raises it when the first fill is asked for."""
    limits = take_limits(limits, asked)
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
