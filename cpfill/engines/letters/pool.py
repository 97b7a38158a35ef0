"""Cubes searched by several threads, each with a kernel of its own: a compiled one runs beside the others.

A thread takes the next cube when it has done one, so that cubes are begun in rising order, and hands over a part after
every slice of work; it waits where too many are not yet taken. Where order matters, parts of later cubes are held until
those before them are done; when too much is held, only the thread at the leading cube goes on. That cube is always one
that is being searched.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from cpfill.engines.contract import PULSE_S
from cpfill.engines.letters.cubes import SLICE_S, Cube, CubeOrder, CubeSlice, search_cube
from cpfill.engines.toolkit.worker import start_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from cpfill.engines.letters._letters import Kernel
    from cpfill.engines.letters.spec import LettersSpec

_QUEUED_PARTS = 64


class _Crew:
    """What the threads share."""

    def __init__(self, spec: LettersSpec, kernel: str | None, cubes: Sequence[Cube], *, ordered: bool) -> None:
        self._spec, self._kernel = spec, kernel
        self.order = CubeOrder(cubes) if ordered else None
        self.parts: queue.Queue[CubeSlice | BaseException | None] = queue.Queue(_QUEUED_PARTS)
        self.over = threading.Event()
        self._todo = deque(cubes)

    def search(self, *, keep: bool) -> None:
        """Search cubes as long as there are any; hand over what was raised, if something was, and None at the end."""
        try:
            kernel = self._spec.make_kernel(self._kernel)
            while self._todo and not self.over.is_set():
                try:
                    cube = self._todo.popleft()
                except IndexError:  # another thread was faster
                    break
                self._search_cube(kernel, cube, keep=keep)
        except BaseException as exc:  # noqa: BLE001 - raised again by `search_in_threads`
            self._hand_over(exc)
        self._hand_over(None)

    def _search_cube(self, kernel: Kernel, cube: Cube, *, keep: bool) -> None:
        for part in search_cube(kernel, cube, self._spec.cells, keep):
            self._hand_over(part)
            while self.order and not self.order.has_room(part.cube) and not self.over.is_set():
                self.over.wait(SLICE_S)
            if self.over.is_set():
                return

    def _hand_over(self, part: CubeSlice | BaseException | None) -> None:
        while not self.over.is_set():
            with suppress(queue.Full):
                self.parts.put(part, timeout=PULSE_S)
                return


def search_in_threads(
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
        workers: how many threads search.
        keep: whether fills are wanted, and not their number alone.
        ordered: whether the cubes are to come in order as well.
        add: called with each part as it arrives.
        check: called often; what it raises ends the search.

    Raises:
        EngineError: the system has no thread left.
    """
    crew = _Crew(spec, kernel, cubes, ordered=ordered)
    threads: list[threading.Thread] = []
    try:
        for number in range(1, min(workers, len(cubes)) + 1):
            name = f"cpfill-letters {number}"
            threads.append(threading.Thread(target=crew.search, kwargs={"keep": keep}, name=name, daemon=True))
            start_thread(threads[-1])
        running = len(threads)
        while running:
            check()
            try:
                part = crew.parts.get(timeout=PULSE_S)
            except queue.Empty:
                continue
            if isinstance(part, BaseException):
                raise part
            if part is None:
                running -= 1
                continue
            add(part)
            yield from crew.order.take(part) if crew.order else (part,)
    finally:
        crew.over.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
