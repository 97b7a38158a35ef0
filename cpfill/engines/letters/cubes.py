"""Cubes: the search cut into parts that share nothing, one below each beginning of some length that no rule excludes.

Beginnings rise in lexicographic order, and so do the fills below each: cube after cube they are the whole answer in
order. Words put before the cut are counted when the cubes are listed, those that are cut or come after it in the cubes,
so that the nodes of all cubes add up to those of the search in one piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cpfill.engines.letters._letters import Kernel

SLICE_S = 0.02
"""How long a kernel runs before it is asked again whether to go on."""

BATCH = 256
"""How many fills a kernel gathers before it hands them over."""

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
    """What a slice of work on a cube came to.

    Attributes:
        cube: the number of the cube.
        texts: the letter codes of the fills found, one fill after another, if they are kept.
        fills: how many were found.
        nodes: how many words were put.
        done: whether the cube has nothing more.
    """

    cube: int
    texts: bytes
    fills: int
    nodes: int
    done: bool


def search_cube(  # noqa: PLR0917 - limits
    kernel: Kernel, cube: Cube, cells: int, keep: bool, nodes: int = UNLIMITED, fills: int = UNLIMITED
) -> Iterator[CubeSlice]:
    """Yield the parts of a cube as they are found, the last one done, unless the nodes or the fills ran out."""
    kernel.start(cube.prefix, cells, keep)
    done, put, found = False, 0, 0
    while not done and put < nodes and found < fills:
        most = min(fills, found + BATCH) if keep else fills
        done = kernel.step(SLICE_S, nodes, most)
        before = put, found
        put, found = kernel.counters()
        yield CubeSlice(cube.number, kernel.take(), found - before[1], put - before[0], done)


def choose_depth(kernel: Kernel, cells: int, enough: int, check: Callable[[], None]) -> int:
    """Return the least depth that gives `enough` cubes, or the greatest there is."""
    depth, count = 0, 1
    while 0 < count < enough and depth + 1 < cells:
        depth += 1
        count = len(list_cubes(kernel, depth, check)[0])
    return depth


def list_cubes(kernel: Kernel, depth: int, check: Callable[[], None]) -> tuple[list[Cube], int]:
    """Return the cubes of a depth and the number of words put to list them; `check` is called now and then."""
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
