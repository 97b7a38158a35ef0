"""Cubes: independent parts of the search, one below each prefix of some length that no rule excludes.

Prefixes rise in lexicographic order, and so do the fills below each, so the cubes in order give the whole answer in
order. Listing the cubes counts the words that end before the cut; the cubes count the words that the cut divides or
that come after it. So the nodes of all cubes add up to those of an undivided search.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from math import inf
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cpfill.engines.letters._letters import Kernel

SLICE_S = 0.02
"""Seconds that a kernel runs between two checks whether to continue."""

BATCH = 256
"""The number of fills that a kernel collects before it hands them over."""

HELD_BYTES = 2**25
"""The amount of results of later cubes that is held before their searchers must wait."""

BRIEF_S = 1.0
"""Seconds that a cube should take at most on a cluster: the loss if its worker is lost."""

TRIED_CUBES = 8
"""The number of cubes of a depth that are tried; one that is not brief rejects the depth."""

MOST_CUBES = 2**17
"""The limit on cubes when cutting for brevity; a journal has a line for each."""

UNLIMITED = 2**63


class Cube(NamedTuple):
    """A part of the search.

    Attributes:
        number: its index in the order, from 0.
        prefix: the letter codes of the first cells.
    """

    number: int
    prefix: bytes


class CubeSlice(NamedTuple):
    """The result of a slice of work on a cube.

    Attributes:
        cube: the number of the cube.
        texts: the letter codes of the fills found, one fill after another, if fills are kept.
        fills: the number of fills found.
        nodes: the number of words placed.
        done: whether the cube is exhausted.
    """

    cube: int
    texts: bytes
    fills: int
    nodes: int
    done: bool


class CubeOrder:
    """Puts parts into the order of their cubes; drops parts that have no fills and end no cube."""

    def __init__(self, cubes: Sequence[Cube]) -> None:
        self._turns = iter([cube.number for cube in cubes])
        self._leading: int | float = next(self._turns, inf)
        self._waiting: dict[int | float, deque[CubeSlice]] = defaultdict(deque)
        self._held = 0

    def has_room(self, cube: int) -> bool:
        """Return whether to continue searching a cube: if too much is held, only the leading cube continues.

        Any thread may call this.
        """
        return self._held < HELD_BYTES or cube <= self._leading

    def take(self, part: CubeSlice) -> Iterator[CubeSlice]:
        """Take a part, and yield the parts whose turn has come."""
        if part.texts or part.done:
            self._waiting[part.cube].append(part)
            self._held += len(part.texts)
        while waiting := self._waiting[self._leading]:
            first = waiting.popleft()
            self._held -= len(first.texts)
            if first.done:
                del self._waiting[self._leading]
                self._leading = next(self._turns, inf)
            yield first


def search_cube(  # noqa: PLR0917 - limits
    kernel: Kernel, cube: Cube, cells: int, keep: bool, nodes: int = UNLIMITED, fills: int = UNLIMITED
) -> Iterator[CubeSlice]:
    """Yield the parts of a cube as they are found; the last is `done` unless the limit on nodes or fills is reached."""
    kernel.start(cube.prefix, cells, keep)
    done, put, found = False, 0, 0
    while not done and put < nodes and found < fills:
        most = min(fills, found + BATCH) if keep else fills
        done = kernel.step(SLICE_S, nodes, most)
        before = put, found
        put, found = kernel.counters()
        yield CubeSlice(cube.number, kernel.take(), found - before[1], put - before[0], done)


def choose_depth(kernel: Kernel, cells: int, enough: int, check: Callable[[], None]) -> int:
    """Return the least depth that gives `enough` cubes, or else the greatest depth."""
    depth, count = 0, 1
    while 0 < count < enough and depth + 1 < cells:
        depth += 1
        count = len(list_cubes(kernel, depth, check)[0])
    return depth


def choose_brief_depth(kernel: Kernel, cells: int, enough: int, check: Callable[[], None]) -> int:
    """Return a depth of `enough` cubes, or of more if sample cubes take longer than `BRIEF_S` on this machine."""
    depth = choose_depth(kernel, cells, enough, check)
    while depth + 1 < cells:
        cubes, _ = list_cubes(kernel, depth, check)
        tried = Random(0).sample(cubes, min(len(cubes), TRIED_CUBES))  # noqa: S311 - which ones does not matter
        if all(_is_brief(kernel, cube, cells, check) for cube in tried):
            break
        if _count_cubes(kernel, depth + 1, check) > MOST_CUBES:
            break
        depth += 1
    return depth


def _is_brief(kernel: Kernel, cube: Cube, cells: int, check: Callable[[], None]) -> bool:
    end_s = time.monotonic() + BRIEF_S
    for _ in search_cube(kernel, cube, cells, keep=False):
        check()
        if time.monotonic() >= end_s:
            return False
    return True


def _count_cubes(kernel: Kernel, depth: int, check: Callable[[], None]) -> int:
    """Return the number of cubes of a depth, or some number above the limit."""
    kernel.start(b"", depth, False)
    while not kernel.step(SLICE_S, UNLIMITED, MOST_CUBES + 1) and kernel.counters()[1] <= MOST_CUBES:
        check()
    return kernel.counters()[1]


def list_cubes(kernel: Kernel, depth: int, check: Callable[[], None]) -> tuple[list[Cube], int]:
    """Return the cubes of a depth and the number of words placed to list them; `check` is called regularly."""
    if depth == 0:
        return [Cube(0, b"")], 0
    kernel.start(b"", depth, True)
    texts, done = b"", False
    while not done:
        check()
        done = kernel.step(SLICE_S, UNLIMITED, UNLIMITED)
        texts += kernel.take()
    prefixes = [texts[start : start + depth] for start in range(0, len(texts), depth)]
    return [Cube(number, prefix) for number, prefix in enumerate(prefixes)], kernel.counters()[0]
