"""Clue cells of random grids against every way there is to put clues into blocks."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given

from cpfill.base.errors import GridError
from cpfill.puzzle.clues import assign_clue_cells, match_clue_cells
from cpfill.puzzle.grid import Direction
from tests.property.patterns import Rows, slots
from tests.property.test_stats import grid_of, patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.puzzle.clues.cells import ClueCells
    from cpfill.puzzle.grid import Grid

Place = tuple[int, int]


def read(rows: Rows) -> tuple[Grid, ClueCells, tuple[str, ...]]:
    """Return the grid of rows, its clue cells, and the names of the slots without one."""
    grid = grid_of(rows)
    blocks = {r * grid.width + c for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#"}
    cells, lacking = match_clue_cells(grid.slots, blocks, grid.width)
    return grid, cells, tuple(slot.name for slot in lacking)


def near(rows: Rows, slot: list[Place]) -> Iterator[tuple[Place, bool]]:
    """Yield the blocks left of and above the first letter of a slot, and whether the arrow from there bends."""
    r, c = slot[0]
    across = slot[1] == (r, c + 1)
    for place, bends in (((r, c - 1), not across), ((r - 1, c), across)):
        if min(place) >= 0 and rows[place[0]][place[1]] == "#":
            yield place, bends


def count_best(rows: Rows) -> tuple[int, int]:
    """Return how many slots have no clue cell in the best way, and how many arrows bend in it."""
    choices = [list(near(rows, slot)) for slot in slots(rows, 2)]

    @cache
    def best(index: int, taken: tuple[Place, ...]) -> tuple[int, int]:
        if index == len(choices):
            return 0, 0
        lacking, bent = best(index + 1, taken)
        ways = [(lacking + 1, bent)]
        for place, bends in choices[index]:
            if taken.count(place) < 2:
                lacking, bent = best(index + 1, tuple(sorted((*taken, place))))
                ways.append((lacking, bent + bends))
        return min(ways)

    return best(0, ())


@example(("##.#", "#..#", "..##", ".###"))  # it matters which slot has none
@given(patterns(6))
def test_as_many_slots_as_can_be_have_a_clue_cell_and_as_many_arrows_are_straight(rows: Rows) -> None:
    grid, cells, lacking = read(rows)
    arrows = [(block, arrow) for block, those in cells.items() for arrow in those]
    assert Counter(arrow.slot.name for _, arrow in arrows) + Counter(lacking) == Counter(
        slot.name for slot in grid.slots
    )
    assert all(1 <= len(those) <= 2 for those in cells.values())
    for block, arrow in arrows:
        place = divmod(block, grid.width)
        slot = [divmod(cell, grid.width) for cell in arrow.slot.cells]
        assert (place, arrow.bends) in list(near(rows, slot))
        assert (arrow.leaves is Direction.ACROSS) == (place[0] == slot[0][0])
    assert (len(lacking), sum(arrow.bends for _, arrow in arrows)) == count_best(rows)


@given(patterns(6))
def test_slots_without_a_clue_cell_are_named(rows: Rows) -> None:
    grid, cells, lacking = read(rows)
    blocks = [cell for cell, letters in enumerate(grid.cells) if not letters]
    if not lacking:
        assert assign_clue_cells(grid.slots, blocks, grid.width) == cells
        return
    with pytest.raises(GridError, match=f"none for {lacking[0]}"):
        assign_clue_cells(grid.slots, blocks, grid.width)


def test_clues_that_leave_to_the_right_come_first() -> None:
    _, cells, _ = read(("#.#.", "....", "#.#.", "...."))
    told = {block: [(arrow.slot.name, arrow.leaves, arrow.bends) for arrow in those] for block, those in cells.items()}
    assert told == {
        0: [("1-Down", Direction.ACROSS, True), ("3-Across", Direction.DOWN, True)],
        2: [("2-Down", Direction.ACROSS, True)],
        8: [("4-Across", Direction.DOWN, True)],
    }


def test_a_clue_moves_where_another_has_no_room() -> None:
    """Three slots begin beside R2C1: the one that begins to its right can have its clue above."""
    _, cells, lacking = read(("###", "#..", "...", ".#."))
    assert lacking == ()
    assert {block: [arrow.slot.name for arrow in those] for block, those in cells.items()} == {
        1: ["1-Across", "1-Down"],
        2: ["2-Down"],
        3: ["3-Across", "3-Down"],
    }
