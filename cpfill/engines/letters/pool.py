"""Cubes searched by several processes, each a fresh interpreter that keeps one kernel for all its cubes.

A worker gets its cubes one ahead, so that it never waits for the next one, and sends a part after every slice of work:
one that nobody listens to any more ends at once. Where order matters, parts of later cubes are held until those before
them are done; when too much is held, only the worker at the leading cube is listened to, and the others wait in their
full pipes. A worker does its cubes in rising order, so the leading cube is always one that is being searched.
"""

from __future__ import annotations

import signal
import subprocess
from collections import deque
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING

from cpfill.engines.contract import PULSE_S
from cpfill.engines.letters.cubes import Cube, CubeOrder, CubeSlice, search_cube
from cpfill.engines.toolkit.process import Child
from cpfill.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from cpfill.engines.letters.spec import LettersSpec

_AHEAD = 2
_END_S = 0.5


class _Worker:
    """One process, and the cubes it has been given and has not finished."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.cubes: deque[Cube] = deque()
        self._child = Child("cpfill.engines.letters.pool:serve")
        self.pipe, self.process = self._child.pipe, self._child.process

    def greet(self, message: object, check: Callable[[], None]) -> None:
        """Send the first message once the process is up; what `check` raises ends the waiting.

        Raises:
            EngineError: the process is gone.
        """
        while not self.pipe.poll(PULSE_S):
            check()
        try:
            self.pipe.recv()
        except (EOFError, OSError):
            raise self._explain_loss() from None
        self._send(message)

    def give(self, cube: Cube) -> None:
        """Give the process another cube to search.

        Raises:
            EngineError: the process is gone.
        """
        self.cubes.append(cube)
        self._send(cube)

    def _send(self, message: object) -> None:
        try:
            self.pipe.send(message)
        except OSError:
            raise self._explain_loss() from None

    def receive(self) -> CubeSlice:
        """Return the next part.

        Raises:
            EngineError: the process is gone, or failed.
        """
        try:
            part = self.pipe.recv()
        except (EOFError, OSError):
            raise self._explain_loss() from None
        if isinstance(part, Exception):
            raise EngineError(f"{self._name} failed: {type(part).__name__}: {part}") from part
        assert isinstance(part, CubeSlice)
        if part.done:
            self.cubes.popleft()
        return part

    @property
    def _name(self) -> str:
        return f"worker {self.number} of engine letters (process {self.process.pid})"

    def _explain_loss(self) -> EngineError:
        try:
            code = self.process.wait(_END_S)
        except subprocess.TimeoutExpired:
            return EngineError(f"{self._name} closed its connection; what it found is lost")
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        where = f" in cube {self.cubes[0].number}" if self.cubes else ""
        return EngineError(f"{self._name} {how}{where}; what it had not handed over is lost")

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._child.end()


def search_in_processes(
    spec: LettersSpec,
    kernel: str | None,
    cubes: Sequence[Cube],
    workers: int,
    *,
    keep: bool,
    ordered: bool,
    add: Callable[[CubeSlice], None],
    check: Callable[[], None],
) -> Generator[CubeSlice]:
    """Yield the parts of cubes, whose numbers rise; the parts of one cube come in order.

    Args:
        spec: what is searched.
        kernel: the name of a kernel.
        cubes: what to search of it.
        workers: how many processes search.
        keep: whether fills are wanted, and not their number alone.
        ordered: whether the cubes are to come in order as well.
        add: called with each part as it arrives.
        check: called often; what it raises ends the search.

    Raises:
        EngineError: a process was lost.
    """
    crew: list[_Worker] = []
    todo = iter(cubes)
    try:
        for number in range(1, min(workers, len(cubes)) + 1):
            crew.append(_Worker(number))  # noqa: PERF401 - to be ended even if the next one cannot be started
        for worker in crew:  # all of which start up meanwhile
            worker.greet((spec, kernel, keep), check)
        for worker in crew * _AHEAD:
            _give(worker, todo)
        order = CubeOrder(cubes) if ordered else None
        while any(worker.cubes for worker in crew):
            check()
            for worker in _await_parts(crew, order):
                part = worker.receive()
                add(part)
                if part.done:
                    _give(worker, todo)
                yield from order.take(part) if order else (part,)
    finally:
        for worker in crew:
            worker.process.terminate()
        for worker in crew:
            worker.end()


def _await_parts(crew: Sequence[_Worker], order: CubeOrder | None) -> list[_Worker]:
    """Return the workers that have sent something, once there are any, or nobody after a while."""
    heard = [worker for worker in crew if worker.cubes]
    if order and order.full:
        heard = [worker for worker in heard if worker.cubes[0].number == order.leading]
    ready = wait([worker.pipe for worker in heard], PULSE_S)
    return [worker for worker in heard if worker.pipe in ready]


def _give(worker: _Worker, todo: Iterator[Cube]) -> None:
    cube = next(todo, None)
    if cube is not None:
        worker.give(cube)


def serve(pipe: int) -> None:
    """Run in the new process: search each cube that comes, and send its parts, or what was raised."""
    orders = Connection(pipe)
    try:
        orders.send("ready")
        try:
            spec, name, keep = orders.recv()
            kernel = spec.make_kernel(name)
            while True:
                cube = orders.recv()
                for part in search_cube(kernel, cube, spec.cells, keep):
                    orders.send(part)
        except (EOFError, OSError):
            raise
        except Exception as exc:  # noqa: BLE001 - raised again by `_Worker.receive`
            orders.send(exc)
            while True:  # until it was read
                orders.recv()
    except (EOFError, OSError):
        return  # nobody listens any more
