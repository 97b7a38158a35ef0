"""Streams an answer as JSON lines: one search in its own thread, which ends as soon as nobody reads on.

Nothing is sent before the first record, so that a wrong question gets an HTTP status. A later fault is the last line,
with `error`.
"""

from __future__ import annotations

import asyncio
import sys
import traceback
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from cpfill import aio
from cpfill.base.errors import CpfillError, EngineError, expected
from cpfill.base.texts import say
from cpfill.web.wire import SECONDS, encode

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from starlette.types import Receive, Scope, Send

    from cpfill.problem.result import Limits

MEDIA_TYPE = "application/x-ndjson"

MAX_SEARCHES = 8
"""The most searches at once; each takes a thread and the memory of its search."""

_PATIENCE_S = None if sys.platform == "emscripten" else 1.0
"""The time that a search waits for its turn if all running ones have a reader; no limit in a tab, which runs one."""

REST_S = 0.25
"""The time without a search after which the server tidies up, which takes some milliseconds: a pause of those who
type."""

_LONGEST_S = SECONDS.high + 60.0
"""The time that an answer may take, including a slow reader."""


class TooManySearchesError(Exception):
    """The most searches that may run are running."""


class Searches:
    """Counts the running searches, and limits them.

    Fast typing leaves several behind, each of which holds its place until it has ended. The next search waits for
    those: it is refused only if every running stream has a reader.

    `rest` is called in a thread of its own once none has run for `rest_s`.
    """

    def __init__(
        self, most: int = MAX_SEARCHES, rest: Callable[[], object] | None = None, rest_s: float = REST_S
    ) -> None:
        self._most = most
        self._rest = rest
        self._rest_s = rest_s
        self._resting: asyncio.TimerHandle | None = None
        self._free = asyncio.Semaphore(most)
        self._left = 0
        self.running = 0

    @contextmanager
    def leaving(self) -> Iterator[None]:
        """Count a search that ends because its client has gone."""
        self._left += 1
        try:
            yield
        finally:
            self._left -= 1

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place.

        Raises:
            TooManyError: no place became free.
        """
        while True:
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    await self._free.acquire()
                break
            except TimeoutError:
                if not self._left:
                    raise TooManySearchesError(
                        say("expected at most {most} searches at once, found as many already", most=self._most)
                    ) from None
        self.running += 1
        if self._resting is not None:
            self._resting.cancel()
        try:
            yield
        finally:
            self.running -= 1
            self._free.release()
            if self._rest is not None and not self.running:
                loop = asyncio.get_running_loop()
                self._resting = loop.call_later(self._rest_s, loop.run_in_executor, None, self._rest)


class JsonLines(Response):
    """The records of a generator, a line each; it is closed when they end, or when the client goes away."""

    def __init__(self, begin: Callable[[Limits], aio.Stream[Mapping[str, Any]]], searches: Searches) -> None:
        # The second tells nginx to pass each line on at once.
        super().__init__(media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._begin = begin
        self._searches = searches

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and meanwhile check whether the client is still there."""
        telling = asyncio.create_task(self._tell(scope, receive, send))
        listening = asyncio.create_task(_wait_until_gone(receive))
        try:
            await asyncio.wait({telling, listening}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (telling, listening):
                task.cancel()
            with self._searches.leaving():
                ends = await asyncio.gather(telling, listening, return_exceptions=True)
        if isinstance(ends[0], Exception):
            raise ends[0]

    async def _tell(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False
        try:
            async with (
                asyncio.timeout(_LONGEST_S),
                self._searches.place(),
                aclosing(aio.iterate(self._begin)) as records,
            ):
                async for record in records:
                    if not begun:
                        await self._start(send)
                        begun = True
                    await _send_line(send, record)
        except Exception as exc:  # noqa: BLE001 - every error is reported to the client
            error = answer_fault(exc)
            if not begun:
                await error(scope, receive, send)
                return
            await send({"type": "http.response.body", "body": bytes(error.body) + b"\n", "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _start(self, send: Send) -> None:
        headers = [header for header in self.raw_headers if header[0] != b"content-length"]
        await send({"type": "http.response.start", "status": 200, "headers": headers})


def answer(record: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response of one record."""
    return Response(encode(record), status, headers, "application/json")


def answer_fault(error: Exception) -> Response:
    """Return the response that reports an error in one line; a fault of the program is printed as well."""
    match error:
        case TooManySearchesError():
            return answer({"error": str(error)}, 429)
        case TimeoutError():
            slow = expected("a client that reads on", say("one that does not"))
            return answer({"error": str(slow)}, 408)
        case EngineError():
            print(say("cpfill: {message}", message=str(error)), file=sys.stderr)
            return answer({"error": str(error)}, 500)
        case CpfillError():
            return answer({"error": str(error).partition("\n")[0]}, 400)
        case _:
            traceback.print_exception(error)
            said = say("a fault of cpfill: {name}: {error}", name=type(error).__name__, error=error)
            return answer({"error": said}, 500)


async def _send_line(send: Send, record: Mapping[str, Any]) -> None:
    await send({"type": "http.response.body", "body": encode(record) + b"\n", "more_body": True})


async def _wait_until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
