"""Runs carried out on a cluster, one at a time in each worker process; grids and lists are at the same paths there."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from cpfill.base.errors import CpfillError, Fault, InputError
from cpfill.runs.bench.plan import find_instance
from cpfill.runs.bench.process import launch
from cpfill.runs.bench.run import execute

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.engines.cluster import Cluster, Stopped
    from cpfill.runs.bench.plan import Run
    from cpfill.runs.bench.results import Record

_ALONE = threading.Lock()
"""What is measured shares its worker process with nothing else that is."""


def execute_there(cluster: Cluster, runs: Sequence[Run]) -> Iterator[tuple[Run, Record]]:
    """Carry out runs, several at once, and yield the record of each; closing the iterator, or Ctrl-C, kills the others.

    Raises:
        InputError: the cluster is none that can do this, or a worker has not the grids and lists that are here.
        CpfillError: the cluster was lost, or a process could not be started there.
    """
    todo = deque(runs)
    with cluster.connect() as connection, connection.tasks(_carry_out_there, None) as tasks:
        while todo or tasks:
            tasks.add([todo.popleft() for _ in range(min(tasks.room, len(todo)))])
            for run, answer in tasks.collect():
                if isinstance(answer, CpfillError):
                    raise answer
                yield run, answer


def _carry_out_there(_: None, run: Run, stopped: Stopped) -> Record:
    given, files = run.instance, f"the grid and the lists of {run.instance.name} on each worker as they are here"
    try:
        found = find_instance(run.suite, given.question, given.number)
    except InputError as exc:
        raise InputError(Fault(files, str(exc))) from None
    if (found.grid_hash, found.list_hash) != (given.grid_hash, given.list_hash):
        raise InputError(Fault(files, "other ones"))
    with _ALONE:
        return next(execute([replace(run, instance=found)], partial(launch, stopped=stopped)))[1]
