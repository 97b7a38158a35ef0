"""Cubes searched by several threads, each with a kernel of its own: a compiled one runs beside the others.

A thread takes the next cube when it has done one, so that cubes are begun in rising order, and hands over a part after
every slice of work; it waits where too many are not yet taken. Where order matters, parts of later cubes are held until
those before them are done; when too much is held, only the thread at the leading cube goes on. That cube is always one
that is being searched.
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
    """What the threads share: the cubes that are left, and what is held of them."""

    def __init__(self, spec: LettersSpec, kernel: str | None, cubes: Sequence[Cube], *, ordered: bool) -> None:
        self._spec, self._kernel = spec, kernel
        self.order = CubeOrder(cubes) if ordered else None
        self._todo = deque(cubes)

    def search(self, crew: Crew[CubeSlice], *, keep: bool) -> None:
        """Search cubes as long as there are any."""
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
    share = _Share(spec, kernel, cubes, ordered=ordered)
    with Crew[CubeSlice](_QUEUED_PARTS) as crew:
        for number in range(1, min(workers, len(cubes)) + 1):
            crew.start(f"letters {number}", partial(share.search, crew, keep=keep))
        for part in crew.take(check):
            add(part)
            yield from share.order.take(part) if share.order else (part,)
