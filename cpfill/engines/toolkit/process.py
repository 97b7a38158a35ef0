"""An engine in its own process, so that its imports and a slow stop do not affect this one.

The process is a fresh interpreter. A `multiprocessing` child would run the caller's main module again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from cpfill.base.errors import EngineError, tell_reason
from cpfill.base.texts import say, spoken
from cpfill.base.threads import when_set
from cpfill.engines.contract import PULSE_S
from cpfill.engines.registry import make_engine
from cpfill.problem.event import Progress

if TYPE_CHECKING:
    from collections.abc import Generator
    from multiprocessing.connection import Connection

    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits

_JOIN_S = 0.5


class LostProcessError(EngineError):
    """The process ended without an answer, or never began."""


class Child:
    """A fresh interpreter that runs a function of this package, and the pipe to it.

    Args:
        function: its module and name, `package.module:name`; it is called with its end of the pipe.

    Raises:
        LostProcessError: the system cannot start a process or open a pipe.
    """

    def __init__(self, function: str) -> None:
        from multiprocessing import Pipe

        module, _, name = function.partition(":")
        try:
            ends: Any = Pipe()  # a different class on Windows
            self.pipe: Connection = ends[0]
            theirs: Connection = ends[1]
            with theirs:
                code = (
                    f"from cpfill.base.texts import speak; speak({spoken()!r}); "
                    f"from {__name__} import open_end; from {module} import {name}; {name}(open_end({theirs.fileno()}))"
                )
                self.process = subprocess.Popen(  # noqa: S603 - this interpreter, on this package
                    [sys.executable, "-P", "-c", code],  # -P: no file in the working directory is taken for a module
                    stdin=subprocess.DEVNULL,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                    **_apart_with(theirs.fileno()),
                )
        except OSError as exc:
            raise LostProcessError(say("another process cannot be started: {error}", error=tell_reason(exc))) from None

    def end(self) -> None:
        """Kill the process."""
        self.process.terminate()
        self.pipe.close()
        try:
            self.process.wait(_JOIN_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _apart_with(handle: int) -> dict[str, Any]:
    """Return the arguments of `Popen` for a process that inherits a handle and does not receive Ctrl-C.

    Ctrl-C reaches only this process, which then ends the other.
    """
    if sys.platform == "win32":
        os.set_handle_inheritable(handle, True)
        return {
            "startupinfo": subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]}),
            "creationflags": subprocess.CREATE_NEW_PROCESS_GROUP,
        }
    else:  # noqa: RET505 - for mypy, of either system
        return {"pass_fds": [handle], "start_new_session": True}


def open_end(handle: int) -> Connection:
    """Return the end of the pipe that a new process inherited."""
    from multiprocessing import connection

    if sys.platform == "win32":
        return cast("Connection", connection.PipeConnection(handle))
    else:  # noqa: RET505 - likewise
        return connection.Connection(handle)


def search_in_process(name: str, options: dict[str, Any], problem: Problem, limits: Limits) -> Generator[Event]:
    """Yield the events of an engine that runs in a fresh interpreter.

    Closing the iterator ends the interpreter. So does the stop token of the limits; after that there are no events.
    """
    child = Child("cpfill.engines.toolkit.process:serve_searches")
    ours = child.pipe
    process = child.process
    try:
        with when_set(limits.stop, process.terminate):
            ours.send((name, options, problem, replace(limits, stop=None)))
            while True:
                if not ours.poll(PULSE_S):
                    yield Progress(say("waiting for {name}", name=name))
                    continue
                event = ours.recv()
                if event is None:
                    return
                if isinstance(event, BaseException):
                    raise event
                yield event
    except (EOFError, OSError):
        if limits.stopped:
            return
        said = say(
            "the process of engine {name} ended without an answer (exit code {code})", name=name, code=process.wait()
        )
        raise LostProcessError(said) from None
    finally:
        child.end()


def serve_searches(events: Connection) -> None:
    """Run in the new process: search, and send each event, finally None or the exception."""
    name, options, problem, limits = events.recv()
    try:
        for event in make_engine(name, **options).search(problem, limits):
            events.send(event)
        events.send(None)
    except OSError:
        return  # the pipe was closed
    except Exception as exc:  # noqa: BLE001 - raised again by `search_in_process`
        events.send(exc)
