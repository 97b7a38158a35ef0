"""Jobs on a Dask cluster. It has cpfill on its scheduler and workers, and word lists at the same paths as here.

`distributed` comes with `cpfill[cluster]` and is imported when a cluster is asked for.
"""

from __future__ import annotations

import logging
import re
import time
from concurrent.futures import CancelledError
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from cpfill.batch.job import answer_job, failure_record
from cpfill.errors import EngineError, Fault, InputError
from cpfill.extras import load

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from cpfill.batch.job import Job, Record

CONNECT_S = 10.0
"""Seconds that a scheduler may take to answer, and to have a first worker."""

_ADDRESS = re.compile(r"(tcp|tls)://\S+:\d+")

_PAUSE_S = 0.1
"""Seconds until a record that was lost is asked for again."""

_AHEAD = 1000
"""The most jobs that the scheduler has at a time: enough for as many threads, few enough for its memory."""


class Cluster:
    """The workers of a Dask scheduler. A job whose worker is lost is done by another one.

    Raises:
        CpfillError: `distributed` is not installed.
        InputError: that is no address, or one for which Dask has no keys.
    """

    def __init__(self, address: str) -> None:
        if not _ADDRESS.fullmatch(address):
            raise InputError(Fault("the address of a Dask scheduler, such as tcp://10.0.0.1:8786", f"'{address}'"))
        self._dask, self._address = _distributed(), address
        # A client that cannot even begin would be missed, and waited for, when the program ends.
        if address.startswith("tls") and not self._dask.Security().get_connection_args("client")["ssl_context"]:
            raise InputError(Fault("the keys for TLS in the configuration of Dask", "none"))
        # What it logs, with tracebacks, is what is said here in a line.
        for logger in ("distributed", "distributed.client"):
            logging.getLogger(logger).setLevel(logging.CRITICAL)

    def run(self, jobs: Iterable[Job]) -> Generator[Record]:
        """Yield the record of each job as it is done; closing the iterator takes the others back.

        Raises:
            InputError: there is no scheduler at the address, or it has no worker.
            EngineError: the scheduler was lost.
        """
        todo = iter(jobs)
        # Other runs, of another version perhaps, may have the same jobs on the same cluster.
        prefix = f"cpfill-{uuid4().hex}"
        with self._client() as client:
            asked: dict[Any, Job] = {}

            def more(count: int) -> list[Any]:
                batch = list(islice(todo, count))
                futures = client.map(_run_there, batch, key=[f"{prefix}-{job.key}" for job in batch], pure=False)
                asked.update(zip(futures, batch, strict=True))
                return list(futures)

            try:
                done = self._dask.as_completed(more(_AHEAD), loop=client.loop)
                for batch in done.batches():
                    if len(asked) < _AHEAD // 2:
                        done.update(more(_AHEAD - len(asked)))
                    for future, record in zip(batch, _gathered(client, batch), strict=True):
                        job = asked.pop(future)
                        yield record or self._record(client, future, job)
            finally:
                client.cancel(list(asked))

    def _record(self, client: Any, future: Any, job: Job) -> Record:  # noqa: ANN401 - of distributed
        """Return the record of a job that is done, or done once more: it was lost if its worker was."""
        while True:
            try:
                record: Record = future.result()
            except (OSError, CancelledError):
                if client.status != "running" or future.status == "cancelled":
                    message = f"the Dask scheduler at {self._address} was lost; the same command with -o goes on"
                    raise EngineError(message) from None
                if future.status == "error":
                    return failure_record(job, future.exception())
                time.sleep(_PAUSE_S)  # the worker that had the record was lost; another one makes it
            except Exception as exc:  # noqa: BLE001 - one worker after another was lost, or cpfill is not there
                return failure_record(job, exc)
            else:
                return record

    def _client(self) -> Any:  # noqa: ANN401
        client = None
        try:
            client = self._dask.Client(self._address, timeout=CONNECT_S, set_as_default=False)
            client.wait_for_workers(1, timeout=CONNECT_S)
        except OSError:  # a TimeoutError is one
            if client:
                client.close()
            what = "a worker of the Dask scheduler" if client else "a Dask scheduler"
            raise InputError(Fault(f"{what} at {self._address}", f"none in {CONNECT_S:g} s")) from None
        return client


def _gathered(client: Any, futures: list[Any]) -> list[Record | None]:  # noqa: ANN401
    """Return the records that are there, in one go."""
    try:
        return list(client.gather(futures, errors="skip"))
    except (OSError, CancelledError):
        return [None] * len(futures)


def _run_there(job: Job) -> Record:
    """Run on a worker: answer a job, unless it is taken back meanwhile."""
    worker = _distributed().get_worker()
    key = worker.get_current_task()

    def taken_back() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return answer_job(job, taken_back)


def _distributed() -> Any:  # noqa: ANN401 - see `extras`
    return load("distributed", "distributed", "a cluster", "'cpfill[cluster]'")
