"""Searches cubes in several threads, each with its own kernel; compiled kernels run in parallel.

A thread takes the next cube when it finishes one, so cubes are begun in rising order. It hands over a part after every
slice of work, and waits while too many parts are pending. If order matters, parts of later cubes are held until the
earlier cubes are done; if too much is held, only the thread at the leading cube continues. Some thread is always
searching that cube.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING

from cpfill.engines.letters.cubes import SLICE_S, Cube, CubeOrder, CubeSlice, search_cube
from cpfill.engines.toolkit.worker import Crew

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from cpfill.engines.letters.spec import LettersSpec

_QUEUED_PARTS = 64


class _Share:
    """The state that the threads share: the cubes that are left, and the parts that are held."""

    def __init__(self, spec: LettersSpec, kernel: str | None, cubes: Sequence[Cube], *, ordered: bool) -> None:
        self._spec, self._kernel = spec, kernel
        self.order = CubeOrder(cubes) if ordered else None
        self._todo = deque(cubes)

    def search(self, crew: Crew[CubeSlice], *, keep: bool) -> None:
        """Search cubes until no cube is left."""
        kernel = self._spec.make_kernel(self._kernel)
        while self._todo and not crew.closed.is_set():
            try:
                cube = self._todo.popleft()
            except IndexError:  # another thread was faster
                break
            for part in search_cube(kernel, cube, self._spec.cells, keep):
                crew.hand_over(part)
                while self.order and not self.order.has_room(part.cube) and not crew.closed.is_set():
                    crew.closed.wait(SLICE_S)
                if crew.closed.is_set():
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
        spec: the problem.
        kernel: the name of a kernel.
        cubes: the cubes to search.
        workers: the number of threads.
        keep: whether to keep fills, not only their number.
        ordered: whether to yield the cubes in order as well.
        add: called with each part as it arrives.
        check: called often; an exception from it ends the search.

    Raises:
        EngineError: the system cannot start a thread.
    """
    share = _Share(spec, kernel, cubes, ordered=ordered)
    with Crew[CubeSlice](_QUEUED_PARTS) as crew:
        for number in range(1, min(workers, len(cubes)) + 1):
            crew.start(f"letters {number}", partial(share.search, crew, keep=keep))
        for part in crew.take(check):
            add(part)
            yield from share.order.take(part) if share.order else (part,)
