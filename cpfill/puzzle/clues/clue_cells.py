"""Which block holds the clue of which slot, as in arrowwords: a matching of slots and blocks.

A clue stands in a block beside the first letter of its slot: before it, to the left of a slot across and above a slot
down, with a straight arrow (→, ↓), or else on the other side, with an arrow that bends (↳, ↴). A block holds two
clues at most. No block has more than two slots straight after it, so that these take their blocks first, and move only
where another slot would have no clue cell.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import Fault, GridError
from cpfill.puzzle.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from cpfill.puzzle.grid import CellId, Slot

MAX_CLUES = 2
"""How many clues a block holds at most."""

_NAMED = 5
"""How many slots a message names."""


@dataclass(frozen=True, slots=True)
class ClueArrow:
    """The arrow from a clue to its slot.

    Attributes:
        slot: the slot.
        leaves: where it leaves the block: to the right (across) or below (down). It bends where the slot goes the other
            way.
    """

    slot: Slot
    leaves: Direction

    @property
    def bends(self) -> bool:
        """Whether it goes round a corner."""
        return self.leaves is not self.slot.direction


ClueCells = dict["CellId", tuple[ClueArrow, ...]]
"""The arrows of each block that holds clues, those that leave it to the right first, then in the order of the slots."""


def assign_clue_cells(slots: Iterable[Slot], blocks: Collection[CellId], width: int) -> ClueCells:
    """Return where the clues of all slots of two cells or more stand.

    Args:
        slots: the slots of a grid.
        blocks: the blocks that may hold clues.
        width: the columns of the grid.

    Raises:
        GridError: slots have no clue cell; the message names them.
    """
    cells, lacking = match_clue_cells(slots, blocks, width)
    if lacking:
        named = ", ".join(slot.name for slot in lacking[:_NAMED])
        more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
        expected = "a block for the clue of each slot, before its first letter or beside it, two clues a block"
        raise GridError(Fault(expected, f"none for {named}{more}"))
    return cells


def match_clue_cells(
    slots: Iterable[Slot], blocks: Collection[CellId], width: int
) -> tuple[ClueCells, tuple[Slot, ...]]:
    """Return where clues stand, and the slots for which there is no clue cell: as few as can be, then as few bends."""
    asking = [slot for slot in slots if slot.length > 1]
    places = {slot.id: _list_places(slot, blocks, width) for slot in asking}
    held: dict[CellId, list[Slot]] = {block: [] for block in blocks}
    lacking: list[Slot] = []
    for slot in asking:
        straight = [block for block, leaves in places[slot.id].items() if leaves is slot.direction]
        (held[straight[0]] if straight else lacking).append(slot)
    while (served := _make_room(lacking, places, held)) is not None:
        lacking.remove(served)
    cells: ClueCells = {}
    for block, those in sorted(held.items()):
        arrows = [ClueArrow(slot, places[slot.id][block]) for slot in those]
        if arrows:
            cells[block] = tuple(sorted(arrows, key=lambda arrow: (arrow.leaves is Direction.DOWN, arrow.slot.id)))
    return cells, tuple(lacking)


def _list_places(slot: Slot, blocks: Collection[CellId], width: int) -> dict[CellId, Direction]:
    """Return the blocks that could hold the clue of a slot, each with the way its arrow would leave; straight first."""
    first, places = slot.cells[0], {}
    for leaves in sorted(Direction, key=lambda way: way is not slot.direction):
        at_edge = leaves is Direction.ACROSS and first % width == 0
        block = first - (1 if leaves is Direction.ACROSS else width)
        if not at_edge and block in blocks:
            places[block] = leaves
    return places


class _Way(NamedTuple):
    """How a slot comes into a block, perhaps from one that it leaves to another, and how many bends more that is."""

    bends: int
    slot: Slot
    before: CellId | None


def _make_room(
    lacking: Iterable[Slot], places: Mapping[int, Mapping[CellId, Direction]], held: Mapping[CellId, list[Slot]]
) -> Slot | None:
    """Put one of the slots that lack a block into one, moving others, and return it; `None` if there is no way.

    It is a way with the fewest bends more, so that as few as can be bend of any number of slots that have a block
    (Busacker and Gowen, 1960: shortest augmenting paths).
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
    """Return the best way into each block; one may be better that is longer, for a moved slot may bend no more."""
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
