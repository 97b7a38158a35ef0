"""Which block holds the clue of which slot, as in arrowwords: a matching of slots and blocks.

A clue stands in a block beside the first letter of its slot: before it, to the left of a slot across and above a slot
down, with a straight arrow (→, ↓), or else on the other side, with an arrow that bends (↳, ↴). A block holds two
clues at most. There are slots that only one block can serve, and as many straight arrows as these leave room for:
no block has more than two slots straight after it, so that these take their blocks first, and move only where another
slot would have no clue cell.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.errors import Fault, GridError
from cpfill.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from cpfill.grid import CellId, Slot

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
    """Return where clues stand, and the slots for which there is no clue cell: as few as can be."""
    asking = [slot for slot in slots if slot.length > 1]
    places = {slot.id: _list_places(slot, blocks, width) for slot in asking}
    held: dict[CellId, list[Slot]] = {block: [] for block in blocks}
    straight_first = sorted(asking, key=lambda slot: not _stands_straight(slot, places[slot.id]))
    lacking = [slot for slot in straight_first if not _make_room(slot, places, held)]
    cells: ClueCells = {}
    for block, those in sorted(held.items()):
        arrows = [ClueArrow(slot, places[slot.id][block]) for slot in those]
        if arrows:
            cells[block] = tuple(sorted(arrows, key=lambda arrow: (arrow.leaves is Direction.DOWN, arrow.slot.id)))
    return cells, tuple(sorted(lacking, key=lambda slot: slot.id))


def _list_places(slot: Slot, blocks: Collection[CellId], width: int) -> dict[CellId, Direction]:
    """Return the blocks that could hold the clue of a slot, each with the way its arrow would leave; straight first."""
    first, places = slot.cells[0], {}
    for leaves in sorted(Direction, key=lambda way: way is not slot.direction):
        at_edge = leaves is Direction.ACROSS and first % width == 0
        block = first - (1 if leaves is Direction.ACROSS else width)
        if not at_edge and block in blocks:
            places[block] = leaves
    return places


def _stands_straight(slot: Slot, places: Mapping[CellId, Direction]) -> bool:
    return slot.direction in places.values()


def _make_room(slot: Slot, places: Mapping[int, Mapping[CellId, Direction]], held: Mapping[CellId, list[Slot]]) -> bool:
    """Put a slot into a block of its own, moving as few others as can be; return whether there is one (Kuhn, 1955)."""
    todo = deque(places[slot.id])
    came: dict[CellId, tuple[Slot, CellId | None]] = dict.fromkeys(todo, (slot, None))
    while todo:
        block = todo.popleft()
        if len(held[block]) == MAX_CLUES:
            for other in held[block]:
                for further in places[other.id]:
                    if further not in came:
                        came[further] = other, block
                        todo.append(further)
            continue
        moved, before = came[block]
        held[block].append(moved)
        while before is not None:
            held[before].remove(moved)
            moved, further_back = came[before]
            held[before].append(moved)
            before = further_back
        return True
    return False
