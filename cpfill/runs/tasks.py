"""Carries out tasks, such as the jobs of a batch, in processes of this machine or on a Dask cluster."""

from __future__ import annotations

from itertools import islice
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Protocol, cast

from cpfill.base.errors import CpfillError
from cpfill.base.texts import say
from cpfill.engines.toolkit.process import Child, LostProcessError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from multiprocessing.connection import Connection

    from cpfill.engines.cluster import Cluster, Stopped

Record = dict[str, Any]
"""The result of a task as JSON."""


class Task(Protocol):
    """Work for a process. `answer` raises nothing; `fail` gives the record of a task whose process was lost."""

    def answer(self, stopped: Callable[[], bool]) -> Record: ...
    def fail(self, error: BaseException) -> Record: ...


class Processes:
    """`count` processes of this machine, each with its own word lists; each takes one task after another.

    If a process ends, the record of its task says so, and a new process takes its place.
    """

    def __init__(self, count: int) -> None:
        self._count = count

    def run(self, tasks: Iterable[Task]) -> Generator[Record]:
        """Yield the record of each task as it is done; closing the iterator ends the processes."""
        todo = iter(tasks)
        busy: dict[Connection, tuple[Child, Task]] = {}
        try:
            for task in islice(todo, self._count):
                _hand(Child(_SERVE), task, busy)
            while busy:
                for pipe in cast("list[Connection]", wait(busy)):
                    child, task = busy[pipe]
                    record, alive = _answer(child, task)
                    following = next(todo, None)
                    if following is None or not alive:
                        child.end()
                        del busy[pipe]
                    if following is not None:
                        _hand(child if alive else Child(_SERVE), following, busy)
                    yield record
        finally:
            for child, _ in busy.values():
                child.end()


AHEAD = 1000
"""The number of tasks that a scheduler has at a time: enough for that many threads, few enough for its memory."""


class Workers:
    """The workers of a Dask scheduler, which have word lists at the same paths as this machine."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def run(self, tasks: Iterable[Task]) -> Generator[Record]:
        """Yield the record of each task as it is done; closing the iterator cancels the others."""
        todo = iter(tasks)
        with self._cluster.connect() as connection, connection.tasks(_answer_there, None) as sent:
            sent.add(islice(todo, AHEAD))
            while sent:
                for task, answer in sent.collect():
                    if isinstance(answer, CpfillError):
                        yield task.fail(answer)
                    else:
                        yield answer
                if len(sent) < AHEAD // 2:
                    sent.add(islice(todo, AHEAD - len(sent)))


def _answer_there(_: None, task: Task, stopped: Stopped) -> Record:
    return task.answer(stopped)


def _hand(child: Child, task: Task, busy: dict[Connection, tuple[Child, Task]]) -> None:
    busy[child.pipe] = child, task
    try:
        child.pipe.send(task)
    except OSError:
        return  # the process ended; its pipe reports that


def _answer(child: Child, task: Task) -> tuple[Record, bool]:
    """Return the record of a task, and whether its process can take another one."""
    try:
        record: Record = child.pipe.recv()
    except (EOFError, OSError):
        lost = LostProcessError(say("the process of this job {killed}", killed=_tell_end(child.process.wait())))
        return task.fail(lost), False
    return record, True


def _tell_end(code: int) -> str:
    """Return how a process ended."""
    if code < 0:
        return say("was killed by signal {value} (9 is often for want of memory)", value=-code)
    return say("ended with {code}", code=code)


_SERVE = f"{__name__}:serve_tasks"


def serve_tasks(asked: Connection) -> None:
    """Run in the new process: answer each task that arrives, until the pipe is closed."""
    try:
        while True:
            # No task arrives while one is being answered, so anything to read means the end.
            asked.send(asked.recv().answer(asked.poll))
    except (EOFError, OSError):
        return
