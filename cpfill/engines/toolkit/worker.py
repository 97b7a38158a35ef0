"""Runs the work of an engine in a thread and streams its events. Only this module implements pulse and closing.

An engine that shares its work among several threads uses a `Crew`.

The work is a plain function of a `Control`. It reports through the control and calls `control.check` often, which
raises `Stopped` when a limit is reached or the stream is closed. The stream gives a sign of life when nothing was
reported for `PULSE_S` or the stop token of the limits is set. It joins the thread however it ends.
"""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from cpfill.base.threads import Worker, get, make_queue, make_worker, put, start_worker, when_set
from cpfill.engines.contract import PULSE_S
from cpfill.problem.event import Bound, Finished, Found, Progress, Started, StopReason
from cpfill.problem.result import Deadline, Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cpfill.problem.event import Event, Stats, Step
    from cpfill.problem.fill import Fill
    from cpfill.problem.value import Value

T = TypeVar("T")

# Large enough to keep both sides busy while fills stream by; small enough that the search does not run ahead of the
# audit and the printing, because queued fills are reported even after the time is over.
_QUEUED_EVENTS = 4
_JOIN_S = 0.02


class Stopped(Exception):  # noqa: N818
    """The search must end now, for this reason."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason = reason


class Control:
    """Receives the reports of the work, and stops it."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.deadline = Deadline(limits.time_s)
        self.progress = Progress("starting")
        """The latest progress; the work may replace it at any time."""
        self.fills = 0
        self._events: queue.Queue[Event | BaseException] = make_queue(_QUEUED_EVENTS)
        self._closed = threading.Event()
        self._on_close: Callable[[], None] = lambda: None

    def check(self) -> None:
        """Raise if the work must end; called often.

        Raises:
            Stopped: the stream was closed or the time is over.
        """
        if self._closed.is_set():
            raise Stopped(StopReason.INTERRUPTED)
        if self.deadline.passed:
            raise Stopped(StopReason.TIME)

    def on_close(self, action: Callable[[], None]) -> None:
        """Set the action to call, from a different thread, when the stream is closed; replaces the previous one."""
        self._on_close = action

    def report_fill(self, fill: Fill, value: Value, *, counts: bool = True, better: bool = False) -> None:
        """Report a fill; a `better` one replaces the one before.

        Raises:
            Stopped: this was the last requested fill (if it `counts` towards the limit), the time ran out while waiting
                for room in the queue, or the stream was closed.
        """
        self.fills += 1
        self._put(Found(fill, value, better))
        if counts and self.fills == self.limits.fills:
            raise Stopped(StopReason.FILLS)
        self.check()

    def report_bound(self, value: Value) -> None:
        """Report a proved bound."""
        self._put(Bound(value))

    def report_step(self, step: Step, stats: Stats) -> None:
        """Report a step of a traced search, and the statistics so far."""
        self.progress = replace(self.progress, stats=stats)
        self._put(replace(self.progress, step=step))

    def _put(self, event: Event | BaseException) -> None:
        while True:
            if self._closed.is_set():
                raise Stopped(StopReason.INTERRUPTED)
            try:
                return put(self._events, event, PULSE_S)
            except queue.Full:
                continue

    def _make_progress(self) -> Progress:
        stats = self.progress.stats
        search_s = max(0.0, self.deadline.elapsed_s - stats.build_s)
        return replace(self.progress, stats=stats._replace(search_s=search_s))

    def _wake(self) -> None:
        """Give a sign of life now, so that the consumer can close the stream."""
        with suppress(queue.Full):  # a full queue already wakes the consumer
            self._events.put_nowait(self._make_progress())

    def _run(self, work: Callable[[Control], Finished]) -> None:
        last: Event | BaseException
        try:
            last = work(self)
        except Stopped as stop:
            last = Finished(stop.reason, stats=self.progress.stats)
        except BaseException as exc:  # noqa: BLE001 - raised again in the thread that iterates
            last = exc
        try:
            self._put(last)
        except Stopped:
            return

    def stream(self, engine: str, work: Callable[[Control], Finished]) -> Generator[Event]:
        """Run the work and yield its events."""
        yield Started(engine)
        worker = make_worker(engine, lambda: self._run(work))
        try:
            start_worker(worker)
            with when_set(self.limits.stop, self._wake):
                while True:
                    try:
                        event = get(self._events, PULSE_S)
                    except queue.Empty:
                        yield self._make_progress()
                        continue
                    if isinstance(event, BaseException):
                        raise event
                    yield event
                    if isinstance(event, Finished):
                        return
        finally:
            self._closed.set()
            # Repeat the action: the work that it must stop may only just be starting.
            while worker.is_alive():
                self._on_close()
                with suppress(queue.Empty):  # makes room, so that a waiting reporter sees the closing
                    self._events.get_nowait()
                worker.join(_JOIN_S)


class Crew(Generic[T]):
    """Threads that hand over items until all have ended; a context manager, whose exit stops and joins them.

    Args:
        room: the number of pending items at which `hand_over` blocks; 0 is no limit.
    """

    def __init__(self, room: int = 0) -> None:
        self.closed = threading.Event()
        """Set when the crew takes no further items: the work must end soon."""
        self._items: queue.Queue[T | BaseException | None] = make_queue(room)
        self._workers: list[Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed.set()
        for worker in self._workers:
            if worker.is_alive():
                worker.join()

    def start(self, name: str, work: Callable[[], None]) -> None:
        """Run `work` in a thread.

        Raises:
            EngineError: the system cannot start a thread.
        """
        worker = make_worker(name, lambda: self._run(work))
        self._workers.append(worker)
        start_worker(worker)

    def hand_over(self, item: T | BaseException | None) -> None:
        """Hand over an item, unless the crew is closed."""
        while not self.closed.is_set():
            with suppress(queue.Full):
                put(self._items, item, PULSE_S)
                return

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as exc:  # noqa: BLE001 - raised again by `take`
            self.hand_over(exc)
        self.hand_over(None)

    def take(self, check: Callable[[], None] = lambda: None) -> Generator[T]:
        """Yield the items as they come, and re-raise errors of threads; `check` is called often and may raise."""
        running = len(self._workers)
        while running:
            check()
            try:
                item = get(self._items, PULSE_S)
            except queue.Empty:
                continue
            if isinstance(item, BaseException):
                raise item
            if item is None:
                running -= 1
            else:
                yield item


def run_in_thread(engine: str, limits: Limits, work: Callable[[Control], Finished]) -> Generator[Event]:
    """Yield the events of `work`, which runs in its own thread under `limits`."""
    return Control(limits).stream(engine, work)
