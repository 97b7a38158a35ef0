"""Answers jobs in parallel: by processes of this machine, or by the workers of a cluster."""

from __future__ import annotations

from itertools import islice
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Protocol, cast

from cpfill.base.errors import CpfillError
from cpfill.base.texts import say
from cpfill.engines.toolkit.process import Child, LostProcessError
from cpfill.runs.batch.job import Job, Record, answer_job, failure_record

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from multiprocessing.connection import Connection

    from cpfill.engines.cluster import Cluster, Stopped


class Executor(Protocol):
    """Answers jobs in parallel."""

    def run(self, jobs: Iterable[Job]) -> Generator[Record]:
        """Yield the record of each job as it is done; closing the iterator ends all work."""


class Processes:
    """`count` processes of this machine, each with its own word lists; each takes one job after another.

    If a process ends, the record of its job says so, and a new process takes its place.
    """

    def __init__(self, count: int) -> None:
        self._count = count

    def run(self, jobs: Iterable[Job]) -> Generator[Record]:
        """Yield the record of each job as it is done; closing the iterator ends the processes."""
        todo = iter(jobs)
        busy: dict[Connection, tuple[Child, Job]] = {}
        try:
            for job in islice(todo, self._count):
                _hand(Child(_SERVE), job, busy)
            while busy:
                for pipe in cast("list[Connection]", wait(busy)):
                    child, job = busy[pipe]
                    record, alive = _answer(child, job)
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
"""The number of jobs that a scheduler has at a time: enough for that many threads, few enough for its memory."""


class Workers:
    """The workers of a Dask scheduler, which have word lists at the same paths as this machine."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def run(self, jobs: Iterable[Job]) -> Generator[Record]:
        """Yield the record of each job as it is done; closing the iterator cancels the other jobs.

        Raises:
            InputError: no scheduler answers, or it has no suitable workers.
            EngineError: the scheduler was lost.
        """
        todo = iter(jobs)
        with self._cluster.connect() as connection, connection.tasks(_answer_there, None) as tasks:
            tasks.add(islice(todo, AHEAD))
            while tasks:
                for job, answer in tasks.collect():
                    yield failure_record(job, answer) if isinstance(answer, CpfillError) else answer
                if len(tasks) < AHEAD // 2:
                    tasks.add(islice(todo, AHEAD - len(tasks)))


def _answer_there(_: None, job: Job, stopped: Stopped) -> Record:
    return answer_job(job, stopped)


def _hand(child: Child, job: Job, busy: dict[Connection, tuple[Child, Job]]) -> None:
    busy[child.pipe] = child, job
    try:
        child.pipe.send(job)
    except OSError:
        return  # the process ended; its pipe reports that


def _answer(child: Child, job: Job) -> tuple[Record, bool]:
    """Return the record of a job, and whether its process can take another job."""
    try:
        record: Record = child.pipe.recv()
    except (EOFError, OSError):
        code = child.process.wait()
        killed = (
            say("was killed by signal {value} (9 is often for want of memory)", value=-code)
            if code < 0
            else say("ended with {code}", code=code)
        )
        return failure_record(job, LostProcessError(say("the process of this job {killed}", killed=killed))), False
    return record, True


_SERVE = f"{__name__}:serve"


def serve(asked: Connection) -> None:
    """Run in the new process: answer each job that arrives, until the pipe is closed."""
    try:
        while True:
            # No job arrives while one is being answered, so anything to read means the end.
            asked.send(answer_job(asked.recv(), stopped=asked.poll))
    except (EOFError, OSError):
        return
