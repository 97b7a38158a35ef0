"""The edits of a grid that a style allows: each adds, opens or moves a block or a bar, with its images."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, islice
from typing import TYPE_CHECKING

from cpfill.base.errors import InputError, expected
from cpfill.base.texts import say
from cpfill.design.board import STYLES, Board, Style, Symmetry, find_cheaters
from cpfill.design.demands import Demands, obeys
from cpfill.design.figures import CUSTOMS, draw_blocks, find_faults, find_symmetries
from cpfill.puzzle.grid import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import CellId, Grid, Slot

Wall = tuple["CellId", ...]
"""What ends a slot: a block, as its cell alone, or a bar, as the two cells that it separates."""


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit, with all images.

    Attributes:
        add: the blocks or bars that it adds, in reading order.
        open: those that it takes away.
        grid: the grid after it.
    """

    add: tuple[Wall, ...]
    open: tuple[Wall, ...]
    grid: Grid = field(compare=False)

    @property
    def size(self) -> int:
        """The number of blocks or bars that it adds or takes away."""
        return len(self.add) + len(self.open)

    @property
    def cheaters(self) -> tuple[Wall, ...]:
        """The blocks that it adds without splitting a word."""
        if not self.add or len(self.add[0]) > 1:
            return ()
        board, blocks = draw_blocks(self.grid)
        cheaters = find_cheaters(board, blocks)
        return tuple(wall for wall in self.add if cheaters & board.bit(*divmod(wall[0], self.grid.width)))


class Editor:
    """The edits of a grid that its style allows.

    Raises:
        InputError: the grid does not follow the style.
    """

    def __init__(self, problem: Problem, style: str | None = None, symmetry: Symmetry | None = None) -> None:
        self._problem = problem
        self._grid = problem.grid
        self.name, self.style = _choose_style(problem.grid, style, symmetry)
        self._board = Board(problem.grid.height, problem.grid.width)
        self._barred = self.style.barred
        self._walls = self._list_walls()
        self._kept = {(slot.direction, slot.cells) for slot in problem.slots if self._must_stay(slot)}

    def _list_walls(self) -> frozenset[Wall]:
        if self._barred:
            return frozenset(self._grid.bars)
        return frozenset((cell,) for cell, letters in enumerate(self._grid.cells) if letters == BLOCK)

    def _must_stay(self, slot: Slot) -> bool:
        """Return whether a slot is an entry that stands, or one with conditions of its own."""
        return (slot.direction, slot.cells[0]) in self._problem.narrowed or self._grid.given_word(slot) is not None

    def list_single(self) -> list[Edit]:
        """Return all single edits, each once: blocks or bars are added, taken away, or moved along their line."""
        changed = dict.fromkeys([*self._list_toggled(), *self._list_moved()])
        edits = (self.edit(walls) for walls in changed if walls != self._walls)
        return [edit for edit in edits if edit is not None]

    def _list_toggled(self) -> Iterator[frozenset[Wall]]:
        """Yield the blocks or bars after each addition, and after each removal."""
        for orbit in dict.fromkeys(self._close(wall) for wall in self._list_places()):
            if orbit <= self._walls or not orbit & self._walls:
                yield self._walls ^ orbit

    def _list_moved(self) -> Iterator[frozenset[Wall]]:
        """Yield the blocks or bars after each move."""
        for wall in sorted(self._walls):
            rest = self._walls - self._close(wall)
            for to in self._slide(wall):
                orbit = self._close(to)
                if not orbit & rest:
                    yield rest | orbit

    def combine(self, one: Edit, other: Edit) -> Edit | None:
        """Return the edit that does both, if they do not touch the same blocks and the style allows it."""
        parts = [*one.add, *one.open, *other.add, *other.open]
        if len({*parts}) < len(parts):
            return None
        return self.edit(self._walls.union(one.add, other.add).difference(one.open, other.open))

    def edit(self, walls: frozenset[Wall]) -> Edit | None:
        """Return the edit that leads to these blocks or bars; `None` if letters that stand, or the style, forbid it."""
        added = sorted(walls - self._walls)
        if not self._barred and not self._may_block(walls, added):
            return None
        try:
            edited = self._build(walls)
        except InputError:
            return None  # an open slot has no place
        if self._barred and not _follows(edited, self.style):
            return None
        if self._kept and not self._kept <= {(slot.direction, slot.cells) for slot in edited.slots}:
            return None
        return Edit(tuple(added), tuple(sorted(self._walls - walls)), edited)

    def _may_block(self, walls: Iterable[Wall], added: Iterable[Wall]) -> bool:
        """Return whether no letters stand where blocks are added, and the style allows all blocks."""
        grid = self._grid
        for (cell,) in added:
            if grid.cells[cell] != grid.alphabet.full or cell in grid.rebus:
                return False
        return obeys(self._demands, sum(1 << self._demands.find_bit(cell) for (cell,) in walls))

    def _build(self, walls: frozenset[Wall]) -> Grid:
        grid = self._grid
        if self._barred:
            return replace(grid, bars=frozenset((one, other) for one, other in walls))
        cells = [letters or grid.alphabet.full for letters in grid.cells]
        for (cell,) in walls:
            cells[cell] = BLOCK
        return replace(grid, cells=tuple(cells))

    @cached_property
    def _demands(self) -> Demands:
        return Demands(self._grid.height, self._grid.width, style=self.style)

    def _list_places(self) -> Iterator[Wall]:
        """Yield all places of a block or bar."""
        width = self._grid.width
        for cell in range(len(self._grid.cells)):
            if not self._barred:
                yield (cell,)
                continue
            if (cell + 1) % width:
                yield cell, cell + 1
            if cell + width < len(self._grid.cells):
                yield cell, cell + width

    def _close(self, wall: Wall) -> frozenset[Wall]:
        """Return a block or bar with its images."""
        width = self._grid.width
        images = [self._board.images(*divmod(cell, width), self.style.symmetry) for cell in wall]
        closed = set()
        for image in zip(*images, strict=True):
            cells = sorted(row * width + column for row, column in image)
            closed.add(tuple(cells))
        return frozenset(closed)

    def _slide(self, wall: Wall) -> Iterator[Wall]:
        """Yield where a block or bar can move along its line without passing another."""
        for down, right in self._list_ways(wall):
            for step in count(1):
                to = self._shift(wall, step * down, step * right)
                if to is None or to in self._walls:
                    break
                yield to

    def _list_ways(self, wall: Wall) -> list[tuple[int, int]]:
        """Return the steps, in rows and columns, by which a block or bar can move."""
        across = [(0, 1), (0, -1)]
        down = [(1, 0), (-1, 0)]
        if not self._barred:
            return across + down
        return across if wall[1] == wall[0] + 1 else down

    def _shift(self, wall: Wall, down: int, right: int) -> Wall | None:
        """Return a block or bar so many rows and columns further; `None` outside the grid."""
        width = self._grid.width
        moved = []
        for cell in wall:
            row = cell // width + down
            column = cell % width + right
            if not (0 <= row < self._grid.height and 0 <= column < width):
                return None
            moved.append(row * width + column)
        return tuple(moved)


def _follows(grid: Grid, style: Style) -> bool:
    """Return whether a grid obeys the rules of a style."""
    if style.barred:
        return all(fault.kind in CUSTOMS for fault in find_faults(grid, style))
    if grid.bars or style.min_slot_length > max(grid.height, grid.width):
        return False
    return obeys(Demands(grid.height, grid.width, style=style), draw_blocks(grid)[1])


def _choose_style(grid: Grid, name: str | None, symmetry: Symmetry | None) -> tuple[str, Style]:
    """Return the style with this name, or else the first that a grid follows, with the symmetry that the grid has."""
    own = (*find_symmetries(grid), Symmetry.NONE)
    if symmetry is not None and symmetry not in own:
        raise expected("a grid with the symmetry {symmetry}", ", ".join(own), symmetry=symmetry)
    for each in STYLES if name is None else (name,):
        style = STYLES[each]
        usual = style.symmetry if style.symmetry in own else own[0]
        chosen = replace(style, symmetry=symmetry or usual)
        if _follows(grid, chosen):
            return each, chosen
    faults = (fault for fault in find_faults(grid, chosen) if fault.kind not in CUSTOMS)
    found = "; ".join(f"{fault.at}: {say(fault.kind)}" for fault in islice(faults, _NAMED_FAULTS))
    raise expected("a grid that follows the style {style} (`cpfill stats` lists all faults)", found, style=each)


_NAMED_FAULTS = 3


def name_walls(grid: Grid, walls: Iterable[Wall]) -> list[str]:
    """Return the names of blocks (`R3C4`) or bars (`R3C4-R3C5`)."""
    return ["-".join(map(grid.name_cell, wall)) for wall in walls]
