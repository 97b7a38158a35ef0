"""Cubes, the independent parts of a search below its prefixes: listed, and searched in threads or on a cluster.

Prefixes rise in lexicographic order, and so do the fills below each, so the cubes in order give the whole answer in
order. Listing the cubes counts the words that end before the cut; the cubes count the words that the cut divides or
that come after it. So the nodes of all cubes add up to those of an undivided search.

Each thread has its own kernel; compiled kernels run in parallel. A thread takes the next cube when it finishes one, so
cubes are begun in rising order. It hands over a part after every slice of work, and waits while too many parts are
pending. If order matters, parts of later cubes are held until the earlier cubes are done; if too much is held, only the
thread at the leading cube continues. Some thread is always searching that cube.

On a cluster a task is a run of cubes; a worker searches for about a second, and returns the cubes that it did not
begin. So every task is brief, however the work is distributed; each worker asks the scheduler once per second; and a
lost worker costs a second of work. If order matters, cubes that finish early are held here; if too much is held, only
the leading cube is searched.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections import defaultdict, deque
from dataclasses import dataclass
from functools import partial
from math import inf
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import MAX_CUBE_BYTES, CpfillError, EngineError, megabytes
from cpfill.base.imports import load_kernel
from cpfill.base.texts import say
from cpfill.engines.letters import KERNEL
from cpfill.engines.toolkit.worker import Crew
from cpfill.puzzle.grid import Direction, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    from cpfill.engines.cluster import Connection, Stopped, Tasks
    from cpfill.engines.letters._letters import Kernel
    from cpfill.problem.constraints import Budget
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid
    from cpfill.words.lexicon import WordTable


@dataclass(frozen=True)
class LettersSpec:
    """A problem as plain numbers and bytes, so that it can be sent to other machines.

    Cells are numbered in the order of visit. A rebus cell counts as one cell per letter.

    Attributes:
        letters: the size of the alphabet.
        cells: the number of cells that are in a slot; other cells are not visited.
        tables: for each word length, the length; the letter codes of all words, each written in the order of visit;
            the little-endian bitsets of the words that may occur only once, and of the required words; `Marks.pack`.
        separates: whether words of two slots may share no mark.
        budgets: for each budget, its limit, and for each table the costs of its words as 64-bit integers.
        tries: for each different domain, its table and its bitset. Slots with the same length and domain share a trie.
        across: the number of slots across, which come first; the cells of each are consecutive.
        slots: for each slot, its trie and its cells, rising.
        mirror: for each cell, its reflection in the diagonal through the first cell of the grid, if the reflection of
            every fill is a fill: the kernel finds only the first fill of each pair, and counts it twice. Else empty.
    """

    letters: int
    cells: int
    tables: tuple[tuple[int, bytes, bytes, bytes, bytes], ...]
    separates: bool
    budgets: tuple[tuple[int, tuple[bytes, ...]], ...]
    tries: tuple[tuple[int, bytes], ...]
    across: int
    slots: tuple[tuple[int, tuple[int, ...]], ...]
    mirror: tuple[int, ...] = ()

    @classmethod
    def of(cls, problem: Problem, *, reverse: bool, halved: bool = False) -> LettersSpec:
        """Return the specification of a problem, its cells in reading order, or from the last to the first.

        With `halved`, set `mirror` if the problem allows it; the kernel can then count fills but not list them all.
        """
        turns = list_turns(problem, reverse=reverse)
        tables = {table.length: table for table in problem.tables}
        numbers = {length: number for number, length in enumerate(tables)}
        tries: dict[tuple[int, int], int] = {}
        slots = []
        for slot, domain in zip(problem.slots, problem.domains, strict=True):
            trie = tries.setdefault((numbers[slot.length], domain), len(tries))
            slots.append((trie, tuple(sorted(turns[place] for place in slot.places))))
        mirror: tuple[int, ...] = ()
        if halved:
            mirror = _find_mirror(problem.grid, turns, slots)
        return cls(
            letters=len(problem.grid.alphabet.letters),
            cells=len(turns),
            tables=tuple(_pack_table(problem, table, reverse=reverse) for table in tables.values()),
            separates=problem.constraints.marks is not None,
            budgets=tuple(_pack_budget(budget, tables) for budget in problem.constraints.budgets),
            tries=tuple((table, _pack(domain)) for table, domain in tries),
            across=sum(slot.direction is Direction.ACROSS for slot in problem.slots),
            slots=tuple(slots),
            mirror=mirror,
        )

    def make_kernel(self) -> Kernel:
        """Return a kernel with its tries built."""
        kernel: Kernel = load_kernel(KERNEL).Kernel(self)
        return kernel


def list_turns(problem: Problem, *, reverse: bool) -> dict[Place, int]:
    """Return the turn, from 0, at which each place of a slot is visited; a slot's letters follow this order."""
    places = set[Place]().union(*(slot.places for slot in problem.slots))
    return {place: turn for turn, place in enumerate(sorted(places, reverse=reverse))}


def _find_mirror(
    grid: Grid, turns: Mapping[Place, int], slots: Sequence[tuple[int, tuple[int, ...]]]
) -> tuple[int, ...]:
    """Return the image of each turn if every slot reflects to a slot with the same words; else nothing."""
    size = grid.width
    images = {}
    for (cell, letter), turn in turns.items():
        row, column = divmod(cell, size)
        images[turn] = turns.get((column * size + row, letter))
    reflected = {(trie, tuple(map(images.__getitem__, cells))) for trie, cells in slots}
    if grid.height != grid.width or reflected != set(slots):
        return ()
    return tuple(image for _, image in sorted(images.items()) if image is not None)


def _pack_table(problem: Problem, table: WordTable, *, reverse: bool) -> tuple[int, bytes, bytes, bytes, bytes]:
    codes = table.codes
    length = table.length
    if reverse:
        turned = bytearray(codes)
        for pos in range(length):
            turned[pos::length] = codes[length - 1 - pos :: length]
        codes = bytes(turned)
    required = sum(words.get(length, 0) for (words,) in problem.constraints.cover)
    packed_marks = b""
    if problem.constraints.marks:
        packed_marks = problem.constraints.marks.pack(length)
    return length, codes, _pack(problem.singles[length]), _pack(required), packed_marks


def _pack_budget(budget: Budget, tables: Mapping[int, WordTable]) -> tuple[int, tuple[bytes, ...]]:
    """Return the limit of a budget, and the costs of the words of each table."""
    costs = [budget.list_costs(length, len(table)).tobytes() for length, table in tables.items()]
    return budget.limit, tuple(costs)


def _pack(bitset: int) -> bytes:
    return bitset.to_bytes((bitset.bit_length() + 7) // 8, "little")


SLICE_S = 0.02
"""Seconds that a kernel runs between two checks whether to continue."""

BATCH = 256
"""The number of fills that a kernel collects before it hands them over."""

HELD_BYTES = 2**25
"""The amount of results of later cubes that is held before their searchers must wait."""

BRIEF_S = 1.0
"""Seconds that a cube should take at most on a cluster: the loss if its worker is lost."""

TRIED_CUBES = 8
"""The number of cubes of a depth that are tried; a single long cube rejects the depth."""

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
        while self._waiting[self._leading]:
            first = self._waiting[self._leading].popleft()
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
    done = False
    put = 0
    found = 0
    while not done and put < nodes and found < fills:
        most = fills
        if keep:
            most = min(fills, found + BATCH)
        done = kernel.step(SLICE_S, nodes, most)
        put_before = put
        found_before = found
        put, found = kernel.counters()
        yield CubeSlice(cube.number, kernel.take(), found - found_before, put - put_before, done)


def choose_depth(kernel: Kernel, cells: int, enough: int, check: Callable[[], None]) -> int:
    """Return the least depth that gives `enough` cubes, or else the greatest depth."""
    depth = 0
    count = 1
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
    texts = b""
    done = False
    while not done:
        check()
        done = kernel.step(SLICE_S, UNLIMITED, UNLIMITED)
        texts += kernel.take()
    prefixes = [texts[start : start + depth] for start in range(0, len(texts), depth)]
    return [Cube(number, prefix) for number, prefix in enumerate(prefixes)], kernel.counters()[0]


_QUEUED_PARTS = 64


class _Share:
    """The state that the threads share: the cubes that are left, and the parts that are held."""

    def __init__(self, spec: LettersSpec, cubes: Sequence[Cube], *, ordered: bool) -> None:
        self._spec = spec
        self.order = CubeOrder(cubes) if ordered else None
        self._todo = deque(cubes)

    def search(self, crew: Crew[CubeSlice], *, keep: bool) -> None:
        """Search cubes until no cube is left."""
        kernel = self._spec.make_kernel()
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
    cubes: Sequence[Cube],
    workers: int,
    *,
    keep: bool,
    ordered: bool,
    add: Callable[[CubeSlice], None],
    check: Callable[[], None],
) -> Generator[CubeSlice]:
    """Yield the parts of cubes, whose numbers rise; the parts of one cube come in order, if `ordered` the cubes too.

    `add` is called with each part as it arrives; `check` is called often, and an exception from it ends the search.
    """
    share = _Share(spec, cubes, ordered=ordered)
    with Crew[CubeSlice](_QUEUED_PARTS) as crew:
        for number in range(1, min(workers, len(cubes)) + 1):
            crew.start(f"letters {number}", partial(share.search, crew, keep=keep))
        for part in crew.take(check):
            add(part)
            if share.order:
                yield from share.order.take(part)
            else:
                yield part


CUBES_A_CLUSTER = 1024
"""The least number of cubes for a cluster: enough for dozens of workers."""

_LONGEST_RUN = 1024
_ANSWER_BYTES = 2**23
"""The size of the fills in an answer at which a worker begins no further cube."""


class CubeSearcher:
    """Searches cubes of one problem; each thread uses one kernel for all of them. Picklable.

    Args:
        spec: the problem.
        keep: whether to keep fills, not only their number.
        fills: the greatest number of fills.
    """

    def __init__(self, spec: LettersSpec, keep: bool, fills: int = UNLIMITED) -> None:
        self._given = spec, keep, fills
        self._own = threading.local()

    def __reduce__(self) -> tuple[type[CubeSearcher], tuple[LettersSpec, bool, int]]:
        return CubeSearcher, self._given

    def search(self, cubes: Sequence[Cube], stopped: Stopped) -> list[CubeSlice]:
        """Return the results of the first cubes, each complete: at least one, and no further one after `BRIEF_S`.

        Raises:
            EngineError: the fills of a cube take too much memory.
        """
        spec, keep, fills = self._given
        kernel = self._make_kernel()
        found = list[CubeSlice]()
        size = 0
        end_s = time.monotonic() + BRIEF_S
        for cube in cubes:
            parts: list[CubeSlice] = []
            for part in search_cube(kernel, cube, spec.cells, keep, fills=fills):
                if stopped():
                    return []
                parts.append(part)
                size += len(part.texts)
                if size > MAX_CUBE_BYTES:
                    most = megabytes(MAX_CUBE_BYTES)
                    raise EngineError(say("expected fills of a cube that take {size}, found more", size=most))
            found.append(_join(parts))
            if size >= _ANSWER_BYTES or time.monotonic() >= end_s:
                break
        return found

    def _make_kernel(self) -> Kernel:
        if not hasattr(self._own, "kernel"):
            self._own.kernel = self._given[0].make_kernel()
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
    """Yield each cube as one part, as `search_in_threads` does; the numbers of `cubes` rise.

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
                    if order:
                        yield from order.take(part)
                    else:
                        yield part


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
