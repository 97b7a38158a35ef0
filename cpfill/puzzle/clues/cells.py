"""The clue cell of each slot of an arrowword.

The clue of a slot stands in a block next to its first letter. A block before the slot (to the left of an across slot,
above a down slot) has a straight arrow (→, ↓); a block on the other side has an arrow that bends (↳, ↴). A block holds
at most two clues. At most two slots begin straight after a block, so those take their block first, and move only if
otherwise some slot would have no clue cell.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import GridError, expected
from cpfill.base.texts import say
from cpfill.puzzle.grid import CellId, Direction, Slot

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

MAX_CLUES = 2
"""The most clues that a block holds."""

_NAMED = 5
"""The most slots that a message names."""


@dataclass(frozen=True, slots=True)
class ClueArrow:
    """The arrow from a clue to its slot.

    Attributes:
        slot: the slot.
        leaves: the side on which the arrow leaves the block: the right (across) or the bottom (down). The arrow bends
            if this differs from the direction of the slot.
    """

    slot: Slot
    leaves: Direction

    @property
    def bends(self) -> bool:
        """Whether the arrow turns a corner."""
        return self.leaves is not self.slot.direction


ClueCells = dict["CellId", tuple[ClueArrow, ...]]
"""The arrows of each block that holds clues: those to the right first, and in each group in the order of the slots."""


def assign_clue_cells(slots: Iterable[Slot], blocks: Collection[CellId], width: int) -> ClueCells:
    """Return the clue cells of all slots of two or more cells.

    Args:
        slots: the slots of a grid.
        blocks: the blocks that may hold clues.
        width: the number of columns of the grid.
    """
    cells, lacking = match_clue_cells(slots, blocks, width)
    if lacking:
        named = ", ".join(slot.name for slot in lacking[:_NAMED])
        more = ""
        if len(lacking) > _NAMED:
            more = say(" and {n} more", n=len(lacking) - _NAMED)
        raise expected(
            "a block for the clue of each slot, before its first letter or beside it, two clues a block",
            say("none for {named}{more}", named=named, more=more),
            error=GridError,
        )
    return cells


def match_clue_cells(
    slots: Iterable[Slot], blocks: Collection[CellId], width: int
) -> tuple[ClueCells, tuple[Slot, ...]]:
    """Return the clue cells, and the slots left without one: as few as possible, then with as few bends as possible."""
    asking = [slot for slot in slots if slot.length > 1]
    places = {slot.id: _list_places(slot, blocks, width) for slot in asking}
    held: dict[CellId, list[Slot]] = {block: [] for block in blocks}
    lacking = _hold_straight(asking, places, held)
    served = _make_room(lacking, places, held)
    while served is not None:
        lacking.remove(served)
        served = _make_room(lacking, places, held)
    cells: ClueCells = {}
    for block in sorted(held):
        arrows = [ClueArrow(slot, places[slot.id][block]) for slot in held[block]]
        if arrows:
            cells[block] = tuple(sorted(arrows, key=_order))
    return cells, tuple(lacking)


def _hold_straight(
    slots: Iterable[Slot], places: Mapping[int, Mapping[CellId, Direction]], held: Mapping[CellId, list[Slot]]
) -> list[Slot]:
    """Put the clue of each slot into the block before it, and return the slots without such a block."""
    lacking = []
    for slot in slots:
        straight = [block for block, leaves in places[slot.id].items() if leaves is slot.direction]
        if straight:
            held[straight[0]].append(slot)
        else:
            lacking.append(slot)
    return lacking


def _order(arrow: ClueArrow) -> tuple[bool, int]:
    return arrow.leaves is Direction.DOWN, arrow.slot.id


def _list_places(slot: Slot, blocks: Collection[CellId], width: int) -> dict[CellId, Direction]:
    """Return the blocks that could hold the clue of a slot, each with the side its arrow leaves; straight first."""
    first = slot.cells[0]
    beside = {Direction.DOWN: first - width}
    if first % width:
        beside[Direction.ACROSS] = first - 1
    places = {}
    for leaves in sorted(beside, key=slot.direction.__ne__):
        block = beside[leaves]
        if block in blocks:
            places[block] = leaves
    return places


class _Way(NamedTuple):
    """The last step of an augmenting path: `slot` moves into a block, from the block `before` if it had one.

    `bends` is the number of bends that the whole path adds.
    """

    bends: int
    slot: Slot
    before: CellId | None


def _make_room(
    lacking: Iterable[Slot], places: Mapping[int, Mapping[CellId, Direction]], held: Mapping[CellId, list[Slot]]
) -> Slot | None:
    """Give a block to one of the slots that lack one, moving others, and return that slot; `None` if it is impossible.

    The path chosen adds the fewest bends. So at any time, the number of bends is minimal for the number of slots that
    have a block (Busacker and Gowen, 1960: shortest augmenting paths).
    """
    ways = _find_ways(lacking, places, held)
    free = [block for block in ways if len(held[block]) < MAX_CLUES]
    if not free:
        return None
    block = min(free, key=lambda each: ways[each].bends)
    while True:
        _, slot, before = ways[block]
        held[block].append(slot)
        if before is None:
            return slot
        held[before].remove(slot)
        block = before


def _find_ways(
    lacking: Iterable[Slot], places: Mapping[int, Mapping[CellId, Direction]], held: Mapping[CellId, list[Slot]]
) -> dict[CellId, _Way]:
    """Return the best path into each block. A longer path can be better, because moving a slot can remove its bend."""
    ways: dict[CellId, _Way] = {}
    todo: deque[CellId] = deque()

    def go(slot: Slot, before: CellId | None) -> None:
        for block, leaves in places[slot.id].items():
            bends = int(leaves is not slot.direction)
            if before is not None:
                bends += ways[before].bends - (places[slot.id][before] is not slot.direction)
            if block not in ways or bends < ways[block].bends:
                ways[block] = _Way(bends, slot, before)
                todo.append(block)

    for slot in lacking:
        go(slot, None)
    while todo:
        block = todo.popleft()
        for other in held[block]:
            go(other, block)
    return ways
