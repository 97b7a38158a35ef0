"""Work beside other work where there are no threads: tasks of the event loop that take turns.

A browser's tab runs Python in one thread, under an event loop. A task takes turns with the others whenever it waits
here, and whenever it looks at its `Deadline`, which calls `give_way`. That needs a browser that can suspend a call of
WebAssembly in its midst (JavaScript Promise Integration). In other browsers work runs to its end where it is started,
and its reports wait meanwhile. Messages to the worker wait too, so it asks the service worker which requests were
ended: a synchronous request reaches that one.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from concurrent.futures import Executor, Future
from contextlib import suppress
from contextvars import ContextVar
from importlib import import_module
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

P = ParamSpec("P")
T = TypeVar("T")

_TURN_S = 0.025
"""How long a task works before others have their turn: a key is heard within two frames."""

_IDLE_S = 0.005
"""A wait of the browser's clock. Shorter ones go by messages, before which timers and files would never have a turn."""

_BUSY_S = 0.1
"""How long tasks have turns by messages alone, which take a fifth of the time."""

_STEPS = 8
"""The number of steps that other tasks go in such a turn: to hear of an end takes several."""

_HEARD_S = 0.05
"""How long a task that cannot be suspended works before it asks whether it is to end."""

_JOIN_S = 60.0

REQUEST: ContextVar[int] = ContextVar("REQUEST", default=0)
"""The number of the request that is answered, if a service worker would hear of its end."""

_ended = set[int]()


class _Turn:
    """When the turn of the task that works ends, and when timers are due to have one."""

    ends_s = 0.0
    idle_s = 0.0


def can_wait() -> bool:
    """Return whether the task can be suspended in the midst of a function."""
    return bool(_ffi().can_run_sync())


def give_way() -> bool:
    """Let other tasks run if this task has worked for a while; return whether this task must end."""
    if time.monotonic() >= _Turn.ends_s:
        if can_wait() and time.monotonic() < _Turn.idle_s:
            _give_turns(_step_aside())
        elif can_wait():
            _pause()
        elif REQUEST.get():
            _hear()
    return REQUEST.get() in _ended


def _hear() -> None:
    """Ask which requests were ended; an older service worker knows none, and without a network it may not be there."""
    request = import_module("js").XMLHttpRequest.new()
    request.open("GET", "ended", False)
    with suppress(_ffi().JsException):
        request.send()
    _ended.update(json.loads(request.responseText) if request.status == 200 else ())
    _Turn.ends_s = time.monotonic() + _HEARD_S


def wait_until(condition: Callable[[], bool], timeout: float) -> None:
    """Return when a condition holds, or after a number of seconds."""
    end_s = time.monotonic() + timeout
    while not condition() and time.monotonic() < end_s and can_wait():
        _pause()


def _pause() -> None:
    """Let other tasks and timers have a turn."""
    _give_turns(asyncio.sleep(_IDLE_S))
    _Turn.idle_s = time.monotonic() + _BUSY_S


def _give_turns(wait: Coroutine[Any, Any, None]) -> None:
    """Let other tasks have turns while this one waits."""
    _ffi().run_sync(wait)
    _Turn.ends_s = time.monotonic() + _TURN_S


async def _step_aside() -> None:
    for _ in range(_STEPS):
        await asyncio.sleep(0)


def _ffi() -> Any:
    return import_module("pyodide.ffi")


class TaskWorker:
    """A worker that is a task, or that runs at once where tasks cannot be suspended."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        if can_wait():
            self._task = asyncio.get_running_loop().create_task(self._run())
        else:
            self._work()

    async def _run(self) -> None:
        self._work()

    def is_alive(self) -> bool:
        """Return whether the work has begun and not ended."""
        return self._task is not None and not self._task.done()

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end, for at most a number of seconds."""
        wait_until(lambda: not self.is_alive(), _JOIN_S if timeout is None else timeout)


class TaskExecutor(Executor):
    """Runs one function after another in a task."""

    def __init__(self) -> None:
        self._due: deque[Callable[[], None]] = deque()
        self._task: asyncio.Task[None] | None = None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the future of a function's result."""
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as exc:  # noqa: BLE001 - raised again where the result is asked for
                future.set_exception(exc)

        self._due.append(run)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())
        return future

    async def _run(self) -> None:
        while self._due:
            self._due.popleft()()
            await asyncio.sleep(0)
        self._task = None

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Do nothing: the task ends when nothing is due."""
