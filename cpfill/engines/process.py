"""An engine in a process of its own: what it imports, and how long it takes to stop, is no concern of this one."""

from __future__ import annotations

import multiprocessing
import signal
from typing import TYPE_CHECKING, Any

from cpfill.engines.base import PULSE_S
from cpfill.errors import EngineError
from cpfill.events import Progress

if TYPE_CHECKING:
    from collections.abc import Generator
    from multiprocessing.connection import Connection

    from cpfill.events import Event, Limits
    from cpfill.problem import Problem

_JOIN_S = 0.5


def search_in_process(name: str, options: dict[str, Any], problem: Problem, limits: Limits) -> Generator[Event]:
    """Yield the events of an engine that runs in a fresh interpreter; closing the iterator ends that."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(theirs, name, options, problem, limits), daemon=True)
    process.start()
    theirs.close()
    try:
        while True:
            if not ours.poll(PULSE_S):
                yield Progress(f"waiting for {name}")
                continue
            try:
                event = ours.recv()
            except EOFError:
                message = f"the process of engine {name} ended without an answer (exit code {process.exitcode})"
                raise EngineError(message) from None
            if event is None:
                return
            if isinstance(event, BaseException):
                raise event
            yield event
    finally:
        ours.close()
        process.terminate()
        process.join(_JOIN_S)
        if process.is_alive():
            process.kill()
            process.join()


def _serve(events: Connection, name: str, options: dict[str, Any], problem: Problem, limits: Limits) -> None:
    """Run in the new process: search, and send each event, at last None or what was raised."""
    from cpfill.engines import make_engine  # noqa: PLC0415 - the registry imports this module's users

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    try:
        for event in make_engine(name, **options).search(problem, limits):
            events.send(event)
        events.send(None)
    except (BrokenPipeError, OSError):
        return
    except Exception as exc:  # noqa: BLE001 - raised again in the parent
        events.send(exc)
