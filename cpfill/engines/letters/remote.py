"""Searches cubes on a cluster. A task is a run of cubes; a worker searches for about a second.

It returns the cubes that it did not begin. So every task is brief, however the work is distributed; each worker asks
the scheduler once per second; and a lost worker costs a second of work. If order matters, cubes that finish early are
held here; if too much is held, only the leading cube is searched.
"""

from __future__ import annotations

import heapq
import threading
import time
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_CUBE_BYTES, CpfillError, EngineError, megabytes
from cpfill.base.texts import say
from cpfill.engines.letters.cubes import BRIEF_S, UNLIMITED, Cube, CubeOrder, CubeSlice, search_cube

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from cpfill.engines.cluster import Connection, Stopped, Tasks
    from cpfill.engines.letters._letters import Kernel
    from cpfill.engines.letters.spec import LettersSpec

CUBES_A_CLUSTER = 1024
"""The least number of cubes for a cluster: enough for dozens of workers."""

_LONGEST_RUN = 1024
_ANSWER_BYTES = 2**23
"""The size of the fills in an answer at which a worker begins no further cube."""


class CubeSearcher:
    """Searches cubes of one problem; each thread uses one kernel for all of them. Picklable.

    Args:
        spec: the problem.
        kernel: the name of a kernel.
        keep: whether to keep fills, not only their number.
        fills: the greatest number of fills.
    """

    def __init__(self, spec: LettersSpec, kernel: str | None, keep: bool, fills: int = UNLIMITED) -> None:
        self._given = spec, kernel, keep, fills
        self._own = threading.local()

    def __reduce__(self) -> tuple[type[CubeSearcher], tuple[LettersSpec, str | None, bool, int]]:
        return CubeSearcher, self._given

    def search(self, cubes: Sequence[Cube], stopped: Stopped) -> list[CubeSlice]:
        """Return the results of the first cubes, each complete: at least one, and no further one after `BRIEF_S`.

        Raises:
            EngineError: the fills of a cube take too much memory.
        """
        spec, _, keep, fills = self._given
        kernel, found, size, end_s = self._make_kernel(), list[CubeSlice](), 0, time.monotonic() + BRIEF_S
        for cube in cubes:
            parts: list[CubeSlice] = []
            for part in search_cube(kernel, cube, spec.cells, keep, fills=fills):
                if stopped():
                    return []
                parts.append(part)
                size += len(part.texts)
                if size > MAX_CUBE_BYTES:
                    raise EngineError(
                        say("expected fills of a cube that take {size}, found more", size=megabytes(MAX_CUBE_BYTES))
                    )
            found.append(_join(parts))
            if size >= _ANSWER_BYTES or time.monotonic() >= end_s:
                break
        return found

    def _make_kernel(self) -> Kernel:
        if not hasattr(self._own, "kernel"):
            spec, name, *_ = self._given
            self._own.kernel = spec.make_kernel(name)
        kernel: Kernel = self._own.kernel
        return kernel


def _join(parts: Sequence[CubeSlice]) -> CubeSlice:
    """Return all parts of a cube joined into one."""
    return CubeSlice(
        parts[-1].cube,
        b"".join(part.texts for part in parts),
        sum(part.fills for part in parts),
        sum(part.nodes for part in parts),
        parts[-1].done,
    )


def search_on_cluster(
    connection: Connection,
    searcher: CubeSearcher,
    cubes: Sequence[Cube],
    *,
    ordered: bool,
    add: Callable[[CubeSlice], None],
    check: Callable[[], None],
) -> Generator[CubeSlice]:
    """Yield each cube as one part, as `pool.search_in_threads` does; the numbers of `cubes` rise.

    Raises:
        EngineError: the scheduler was lost, all workers were lost, or several workers were lost at the same cubes.
    """
    todo = list(cubes)  # a heap of the cubes that no task contains
    order = CubeOrder(cubes) if ordered else None
    with connection.tasks(_search_there, searcher) as tasks:
        while todo or tasks:
            check()
            tasks.add(_take_runs(todo, tasks, order))
            for run, answer in tasks.collect():
                if isinstance(answer, CpfillError):
                    raise EngineError(
                        say("cube {number} failed on the cluster: {answer}", number=run[0].number, answer=answer)
                    )
                for cube in run[len(answer) :]:
                    heapq.heappush(todo, cube)
                for part in answer:
                    add(part)
                    yield from order.take(part) if order else (part,)


def _take_runs(
    todo: list[Cube], tasks: Tasks[list[Cube], list[CubeSlice]], order: CubeOrder | None
) -> Iterator[list[Cube]]:
    """Yield enough runs to keep the workers busy; they get shorter towards the end, so that all end together."""
    room = tasks.room
    at_once = room + len(tasks)  # at least two, so that a run takes at most all cubes
    for _ in range(room):
        if not todo or (order and not order.has_room(todo[0].number)):
            return
        length = min(_LONGEST_RUN, 1 + len(todo) // at_once)
        yield [heapq.heappop(todo) for _ in range(length)]


def _search_there(searcher: CubeSearcher, cubes: list[Cube], stopped: Stopped) -> list[CubeSlice]:
    return searcher.search(cubes, stopped)
