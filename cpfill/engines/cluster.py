"""Work on a Dask cluster: workers apply a function of this package to items.

If a worker is lost, its items run again elsewhere.

The scheduler and its workers must have this version of cpfill. `distributed` is not a dependency of cpfill and is
imported only when a cluster is used.
"""

from __future__ import annotations

import logging
import pickle
import pkgutil
import queue
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import uuid4

from cpfill.base.errors import CpfillError, EngineError, expected
from cpfill.base.imports import load
from cpfill.base.texts import later, say
from cpfill.base.threads import make_worker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CONNECT_S = 10.0
"""Seconds until a scheduler must answer and have a first worker."""

FORSAKEN_S = 60.0
"""Seconds after which a run gives up once all its workers have gone."""

_AHEAD = 2
"""Items per thread of a worker: the current one and the next."""

_PULSE_S = 0.1
_COUNT_S = 1.0
"""Seconds between two counts of the workers, which come and go."""

_GOES_ON = later("with -o or --resume the same command continues")
_ADDRESS = re.compile(r"(tcp|tls)://(\[[^][\s]+\]|[^][:\s]+):\d+")
_VERSION = "cpfill:__version__"

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Common = TypeVar("Common")
Stopped = Callable[[], bool]
"""Tells a function on a worker whether its answer is no longer needed."""


class Cluster:
    """The workers of a Dask scheduler, by its address, such as `tcp://10.0.0.1:8786`.

    Raises:
        CpfillError: `distributed` is not installed.
        InputError: the address is invalid, or Dask has no keys for it.
    """

    def __init__(self, address: str) -> None:
        if not _ADDRESS.fullmatch(address):
            raise expected("the address of a Dask scheduler, such as tcp://10.0.0.1:8786", f"'{address:.60}'")
        self._dask = _distributed()
        self._address = address
        # Without keys the client would never start, and the program would wait for it at its end.
        if address.startswith("tls") and not self._dask.Security().get_connection_args("client")["ssl_context"]:
            raise expected("the keys for TLS in the configuration of Dask", say("none"))
        # Dask logs with tracebacks the same errors that we report in one line.
        for logger in ("distributed", "distributed.client"):
            logging.getLogger(logger).setLevel(logging.CRITICAL)

    @contextmanager
    def connect(self, check: Callable[[], None] = lambda: None) -> Iterator[Connection]:
        """Hold a connection within the block; `check` is called often while connecting, and may raise to stop."""
        made: queue.SimpleQueue[Any] = queue.SimpleQueue()
        given_up = threading.Event()

        def make() -> None:
            try:
                client = self._make_client()
            except BaseException as exc:  # noqa: BLE001 - raised again in the thread that waits
                made.put(exc)
                return
            made.put(client)
            if given_up.is_set():
                with suppress(queue.Empty):  # if empty, the other thread took the client and closes it
                    made.get_nowait().close()

        # In its own thread: a silent address would block this one, and `check` would not be called.
        make_worker("cluster", make).start()
        client = None
        try:
            while client is None:
                check()
                with suppress(queue.Empty):
                    client = made.get(timeout=_PULSE_S)
            if isinstance(client, BaseException):
                raise client
            yield Connection(client, self._address)
        finally:
            given_up.set()
            with suppress(queue.Empty):
                client = client or made.get_nowait()
            if client is not None and not isinstance(client, BaseException):
                client.close()

    def _make_client(self) -> Any:
        client = None
        try:
            client = self._dask.Client(self._address, timeout=CONNECT_S, set_as_default=False)
            client.wait_for_workers(1, timeout=CONNECT_S)
            self._check_versions(client)
        except BaseException as exc:
            if client:
                client.close()
            if not isinstance(exc, OSError):  # a TimeoutError is one
                raise
            what = say("a Dask scheduler")
            if client:
                what = say("a worker of the Dask scheduler")
            raise expected(
                "{what} at {address}",
                say("none in {connect_s:g} s", connect_s=CONNECT_S),
                what=what,
                address=self._address,
            ) from None
        return client

    def _check_versions(self, client: Any) -> None:
        """Check that scheduler and workers have this cpfill, without calling it: they may not have cpfill at all."""
        own = pkgutil.resolve_name(_VERSION)
        scheduler = say("the Dask scheduler {address}", address=self._address)
        there = {}
        try:
            there[scheduler] = client.run_on_scheduler(pkgutil.resolve_name, _VERSION)
        except ImportError as exc:
            there[scheduler] = exc
        found = client.run(pkgutil.resolve_name, _VERSION, on_error="return")
        for address, version in found.items():
            there[say("the worker {address}", address=address)] = version
        for place, version in there.items():
            if version != own and not isinstance(version, OSError):  # an OSError: the worker was lost meanwhile
                raise expected("cpfill {own} at {place}", str(version), own=own, place=place)


class Connection:
    """A connection to a scheduler."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        self._threads = 0
        self._counted_s = float("-inf")
        self._seen_s = time.monotonic()

    def check(self, *, lost: bool = False) -> None:
        """Check that the scheduler answers and has workers."""
        if lost or self._client.status != "running":
            raise EngineError(
                say("the Dask scheduler at {address} was lost; {goes_on}", address=self._address, goes_on=say(_GOES_ON))
            )
        now_s = time.monotonic()
        if now_s >= self._counted_s + _COUNT_S:
            self._threads = self._count_threads()
            self._counted_s = now_s
            if self._threads:
                self._seen_s = now_s
        if now_s >= self._seen_s + FORSAKEN_S:
            raise EngineError(
                say(
                    "the Dask scheduler at {address} had no worker for {forsaken_s:g} s; {goes_on}",
                    address=self._address,
                    forsaken_s=FORSAKEN_S,
                    goes_on=say(_GOES_ON),
                )
            )

    def _count_threads(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except (OSError, CancelledError):
            return 0

    @property
    def threads(self) -> int:
        """The number of items that the workers can process at once; `check` updates it from time to time."""
        self.check()
        return self._threads

    @contextmanager
    def tasks(
        self, function: Callable[[Common, Item, Stopped], Answer], common: Common
    ) -> Iterator[Tasks[Item, Answer]]:
        """Let the workers apply a function to items within the block; unfinished items are cancelled at its end.

        Args:
            function: a function at the top of a module; it gets `common`, an item, and a `Stopped`.
            common: a picklable object, sent once and kept by each worker as one object.
        """
        tasks: Tasks[Item, Answer] = Tasks(self, self._client, function, common)
        try:
            yield tasks
        finally:
            tasks.cancel()


class Tasks(Generic[Item, Answer]):
    """Items that the workers process or will process. If a worker is lost, another one repeats its items."""

    def __init__(self, connection: Connection, client: Any, function: Any, common: object) -> None:
        self._connection = connection
        self._client = client
        self._function = function
        self._under_way: dict[Any, Item] = {}
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        # The prefix is unique, because other runs, perhaps of a different version, may share the cluster.
        self._prefix = f"cpfill-{uuid4().hex}"
        self._count = 0
        self._version = pkgutil.resolve_name(_VERSION)
        # A task produces `common`, so that Dask can make it again: data that was only sent dies with its worker.
        whole = pickle.dumps(common)
        settings = {"distributed.admin.large-graph-warning-threshold": max(2 * len(whole), 10_000_000)}
        with load("dask", "distributed", later("a cluster")).config.set(settings):
            self._common = client.submit(pickle.loads, whole, key=self._prefix, pure=False)

    def __len__(self) -> int:
        """Return the number of items without an answer."""
        return len(self._under_way)

    @property
    def room(self) -> int:
        """The number of further items that would keep all threads of the workers busy; under 1 if there are enough."""
        return self._connection.threads * _AHEAD - len(self)

    def add(self, items: Iterable[Item]) -> None:
        """Add items after those before them."""
        given = list(items)
        if not given:
            return
        keys = [f"{self._prefix}-{self._count + number}" for number in range(len(given))]
        self._count += len(given)
        futures = self._client.map(
            _run_there,
            given,
            key=keys,
            pure=False,
            version=self._version,
            function=self._function,
            common=self._common,
        )
        self._under_way.update(zip(futures, given, strict=True))
        for future in futures:
            self._client.loop.add_callback(self._fetch, future)

    def collect(self, wait_s: float = _PULSE_S) -> list[tuple[Item, Answer | CpfillError]]:
        """Return the items done since the last call, with their answers or with the errors raised instead.

        If there are none, wait up to `wait_s` seconds for one.
        """
        done = []
        with suppress(queue.Empty):
            done.append(self._done.get(timeout=wait_s))
            while True:
                done.append(self._done.get_nowait())
        self._connection.check(lost=any(future.cancelled() for future, _ in done))
        return [(self._under_way.pop(future), answer) for future, answer in done]

    async def _fetch(self, future: Any) -> None:
        """Fetch the answer of an item in its own task, because a machine that is gone stays silent for long.

        If the worker that holds the answer is lost, Dask has another worker compute it again.
        """
        try:
            (answer,) = await self._client.gather([future], asynchronous=True)
        except Exception as exc:  # noqa: BLE001 - one worker after another was lost, or the function failed
            answer = _explain(exc)
        self._done.put((future, answer))

    def cancel(self) -> None:
        """Cancel all items without an answer."""
        with suppress(OSError, CancelledError):
            self._client.cancel([*self._under_way, self._common])
        self._under_way.clear()


def _run_there(item: Item, version: str, function: Callable[[Common, Item, Stopped], Answer], common: Common) -> Answer:
    """Apply a function to an item, on a worker."""
    worker = _distributed().get_worker()
    found = pkgutil.resolve_name(_VERSION)
    if found != version:
        raise EngineError(
            say(
                "expected cpfill {version} at the worker {address}, found {found}",
                version=version,
                address=worker.address,
                found=found,
            )
        )
    key = worker.get_current_task()

    def stopped() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return function(common, item, stopped)


def _explain(error: Exception) -> CpfillError:
    """Return the one-line error for an exception on a worker; errors of cpfill are returned unchanged."""
    if isinstance(error, CpfillError):
        return error
    if type(error).__name__ == "KilledWorker":
        last = getattr(error, "last_worker", None)
        where = ""
        if last:
            where = say(", the last at {address}", address=last.address)
        return EngineError(
            say("one worker after another was lost at the same task{where} (often for want of memory)", where=where)
        )
    return EngineError(f"{type(error).__name__}: {error}".partition("\n")[0])


def _distributed() -> Any:
    return load("distributed", "distributed", later("a cluster"))
