"""Threads, or in WebAssembly, which has none, tasks that take turns (see `tasks`); tokens that stop a search."""

from __future__ import annotations

import queue
import sys
import threading
import time
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import copy_context
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeVar

from cpfill.base.errors import EngineError
from cpfill.base.texts import say, speak, spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

T = TypeVar("T")

HAS_THREADS = sys.platform != "emscripten"

_JOIN_S = 0.02
_STARTING_S = 0.5


class Worker(Protocol):
    """Work that runs beside its caller; a thread is one."""

    def start(self) -> None:
        """Begin."""

    def is_alive(self) -> bool:
        """Return whether the work has begun and not ended."""

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end, for at most a number of seconds."""


def make_worker(name: str, work: Callable[[], None]) -> Worker:
    """Return a worker for this work, which speaks the language of the caller; `start_worker` starts it."""
    target = copy_context().run
    if HAS_THREADS:
        return threading.Thread(target=target, args=(work,), name=f"cpfill-{name}", daemon=True)
    from cpfill.base.tasks import TaskWorker

    return TaskWorker(lambda: target(work))


def start_worker(worker: Worker) -> None:
    """Start a worker. If an interrupt comes meanwhile, it is raised only once it is certain whether a thread began.

    Raises:
        EngineError: the system cannot start a thread.
    """
    try:
        worker.start()
    except RuntimeError as exc:
        raise EngineError(say("another thread cannot be started: {error}", error=exc)) from None
    except KeyboardInterrupt:
        end_s = time.monotonic() + _STARTING_S
        while isinstance(worker, threading.Thread) and worker.ident is None and time.monotonic() < end_s:
            time.sleep(_JOIN_S)
        raise


def make_executor(name: str) -> Executor:
    """Return an executor that runs one function at a time in the background."""
    if HAS_THREADS:
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(1, f"cpfill-{name}", speak, (spoken(),))
    from cpfill.base.tasks import TaskExecutor

    return TaskExecutor()


def make_queue(room: int) -> queue.Queue[T]:
    """Return a queue with room for a number of items; 0 means any number."""
    if HAS_THREADS:
        return queue.Queue(room)
    from cpfill.base.tasks import can_wait

    return queue.Queue(room if can_wait() else 0)  # nobody would take an item while another waits for room


def put(items: queue.Queue[T], item: T, timeout: float) -> None:
    """Put an item into a queue.

    Raises:
        queue.Full: there was no room for that many seconds.
    """
    if HAS_THREADS:
        items.put(item, timeout=timeout)
        return
    from cpfill.base.tasks import wait_until

    wait_until(lambda: not items.full(), timeout)
    items.put_nowait(item)


def get(items: queue.Queue[T], timeout: float) -> T:
    """Take an item out of a queue.

    Raises:
        queue.Empty: nothing came for that many seconds.
    """
    if HAS_THREADS:
        return items.get(timeout=timeout)
    from cpfill.base.tasks import wait_until

    wait_until(lambda: not items.empty(), timeout)
    return items.get_nowait()


def take_turns() -> bool:
    """Let other tasks run if this task has worked for a while; return whether this task must end."""
    if HAS_THREADS:
        return False
    from cpfill.base.tasks import give_way as take

    return take()


class StopToken:
    """Stops searches from any thread: setting the token ends every search with `Limits(stop=token)`.

    A search ends within a few hundredths of a second and returns its fills and `StopReason.INTERRUPTED`. Several
    searches may share a token. Like a `threading.Event` it stays set, so a search that begins later ends at once.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._set = False
        self._actions: list[Callable[[], None]] = []

    def __repr__(self) -> str:
        return f"<StopToken: {'set' if self._set else 'not set'}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a StopToken stays in its process: it cannot be pickled")

    def set(self) -> None:
        """Stop the searches; later calls do nothing."""
        with self._lock:
            actions = [] if self._set else [*self._actions]
            self._set = True
        for action in actions:
            action()

    def is_set(self) -> bool:
        """Return whether the token was set."""
        return self._set

    @contextmanager
    def calling(self, action: Callable[[], None]) -> Iterator[None]:
        """Within the block, call `action` when the token is set, in the thread that sets it; at once if it is set."""
        with self._lock:
            self._actions.append(action)
            late = self._set
        try:
            if late:
                action()
            yield
        finally:
            with self._lock:
                self._actions.remove(action)


def when_set(stop: StopToken | None, action: Callable[[], None]) -> AbstractContextManager[None]:
    """Call `action` if the token is set within the block; without a token, do nothing."""
    if stop is None:
        return nullcontext()
    return stop.calling(action)
