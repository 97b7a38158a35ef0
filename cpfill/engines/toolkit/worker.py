"""Runs the work of an engine in a thread and streams its events: the contract's pulse and its closing, here alone.

An engine that shares its work among several threads has a `Crew`.

The work is a plain function of a `Control`. It reports through it, and calls `control.check` often: that raises
`Stopped` when a limit is reached or the stream is closed. The stream gives a sign of life whenever nothing was
reported for `PULSE_S`, or the limits' token is set, and joins the thread when it ends, whichever way it ends.
"""

from __future__ import annotations

import queue
import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from cpfill.base.errors import EngineError
from cpfill.base.stop import when_set
from cpfill.engines.contract import PULSE_S
from cpfill.problem.event import Bound, Finished, Found, Progress, Started, StopReason
from cpfill.problem.limits import Deadline, Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cpfill.problem.criteria import Value
    from cpfill.problem.event import Event, Stats
    from cpfill.problem.fill import Fill
    from cpfill.problem.trace import Step

T = TypeVar("T")

# Enough to keep both sides busy while fills stream by; few enough that the search does not run ahead of whoever audits
# and prints them: what is queued when the time is over is told all the same.
_QUEUED_EVENTS = 4
_JOIN_S = 0.02
_STARTING_S = 0.5


class Stopped(Exception):  # noqa: N818
    """The search must end now, for this reason."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason = reason


class Control:
    """What the work reports to, and is stopped by."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.deadline = Deadline(limits.time_s)
        self.progress = Progress("starting")
        """The latest sign of life, replaced by the work as it likes."""
        self.fills = 0
        self._events: queue.Queue[Event | BaseException] = queue.Queue(_QUEUED_EVENTS)
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
        """Have `action` called, from another thread, when the stream is closed; it replaces the last one."""
        self._on_close = action

    def report_fill(self, fill: Fill, value: Value, *, counts: bool = True, better: bool = False) -> None:
        """Report a fill, perhaps a `better` one in place of the one before.

        Raises:
            Stopped: it was the last one asked for (where it `counts` towards the limit), the time is over now that
                there was room for it, or the stream was closed.
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
        """Report a step of a search that is traced, and what the search took so far."""
        self.progress = replace(self.progress, stats=stats)
        self._put(replace(self.progress, step=step))

    def _put(self, event: Event | BaseException) -> None:
        while True:
            if self._closed.is_set():
                raise Stopped(StopReason.INTERRUPTED)
            try:
                return self._events.put(event, timeout=PULSE_S)
            except queue.Full:
                continue

    def _make_progress(self) -> Progress:
        stats = self.progress.stats
        search_s = max(0.0, self.deadline.elapsed_s - stats.build_s)
        return replace(self.progress, stats=stats._replace(search_s=search_s))

    def _wake(self) -> None:
        """Give a sign of life now, for whoever iterates to close the stream."""
        with suppress(queue.Full):  # then there is enough to iterate over
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
        thread = threading.Thread(target=self._run, args=(work,), name=f"cpfill-{engine}", daemon=True)
        try:
            start_thread(thread)
            with when_set(self.limits.stop, self._wake):
                while True:
                    try:
                        event = self._events.get(timeout=PULSE_S)
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
            # Again and again: what is to be stopped may only just be starting.
            while thread.is_alive():
                self._on_close()
                with suppress(queue.Empty):  # makes room: whoever waits to report sees that it is closed
                    self._events.get_nowait()
                thread.join(_JOIN_S)


class Crew(Generic[T]):
    """Threads that hand over items until all have ended, a context manager; left, it ends and joins them.

    Args:
        room: how many items wait to be taken before who hands over another waits; 0 is no limit.
    """

    def __init__(self, room: int = 0) -> None:
        self.closed = threading.Event()
        """Set when nothing is taken any more: the work is to end soon."""
        self._items: queue.Queue[T | BaseException | None] = queue.Queue(room)
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed.set()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def start(self, name: str, work: Callable[[], None]) -> None:
        """Have `work` done in a thread.

        Raises:
            EngineError: the system has no thread left.
        """
        thread = threading.Thread(target=self._run, args=(work,), name=f"cpfill-{name}", daemon=True)
        self._threads.append(thread)
        start_thread(thread)

    def hand_over(self, item: T | BaseException | None) -> None:
        """Hand over an item, unless nothing is taken any more."""
        while not self.closed.is_set():
            with suppress(queue.Full):
                self._items.put(item, timeout=PULSE_S)
                return

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as exc:  # noqa: BLE001 - raised again by `take`
            self.hand_over(exc)
        self.hand_over(None)

    def take(self, check: Callable[[], None] = lambda: None) -> Generator[T]:
        """Yield the items as they come, and raise what a thread raised; `check` is called often, and may raise."""
        running = len(self._threads)
        while running:
            check()
            try:
                item = self._items.get(timeout=PULSE_S)
            except queue.Empty:
                continue
            if isinstance(item, BaseException):
                raise item
            if item is None:
                running -= 1
            else:
                yield item


def start_thread(thread: threading.Thread) -> None:
    """Start a thread. Where an interrupt comes meanwhile, whether the thread has begun is settled when it is raised.

    Raises:
        EngineError: the system has none left.
    """
    try:
        thread.start()
    except RuntimeError as exc:
        raise EngineError(f"another thread cannot be started: {exc}") from None
    except KeyboardInterrupt:
        patience = Deadline(_STARTING_S)
        while thread.ident is None and not patience.passed:
            time.sleep(_JOIN_S)
        raise


def run_in_thread(engine: str, limits: Limits, work: Callable[[Control], Finished]) -> Generator[Event]:
    """Yield the events of `work`, done in a thread of its own under `limits`."""
    return Control(limits).stream(engine, work)
