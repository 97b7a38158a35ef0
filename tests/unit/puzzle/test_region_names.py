"""Slots and cells by the names that people give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import InputError
from cpfill.puzzle.grid import find_cell, find_slot
from cpfill.questions.api import read_grids

if TYPE_CHECKING:
    from cpfill.puzzle.grid import Grid


@pytest.fixture(scope="module")
def grid() -> Grid:
    return read_grids("...#.\n.....\n#....")[1][0]


@pytest.mark.parametrize("name", ["1-Across", "1-across", "1A", "1 a", "R1C2-Across", "r1c3a", "R1C1 across"])
def test_a_slot_by_its_name_or_a_cell(grid: Grid, name: str) -> None:
    assert find_slot(grid, name) == grid.slots[0]


def test_every_slot_has_its_names(grid: Grid) -> None:
    for slot in grid.slots:
        assert find_slot(grid, slot.name) == slot
        for cell in slot.cells:
            assert find_slot(grid, f"{grid.name_cell(cell)}-{slot.direction}") == slot
            assert find_cell(grid, grid.name_cell(cell).lower()) == cell


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "expected a slot such as 17-Across or R4C7-Down, or a word in the grid, found ''"),
        ("Across", "expected a slot such as"),
        ("99-Across", "expected a slot of the grid (across: 1, 5, 7), found '99-Across'"),
        ("1-Dwon", "expected a slot such as"),
        ("R1C4-Across", "expected a cell in a slot across, found 'R1C4-Across'"),
        ("R9C1-Down", "expected a cell from R1C1 to R3C5, found 'R9C1-Down'"),
        ("R0C1-Down", "expected a cell from R1C1 to R3C5"),
        ("٣-Across", "expected a slot such as"),
    ],
)
def test_a_name_of_no_slot(grid: Grid, name: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        find_slot(grid, name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [("R1", "a cell such as R4C7"), ("R1C4", "an open cell, found 'R1C4', a block"), ("R4C1", "R1C1 to R3C5")],
)
def test_a_name_of_no_cell(grid: Grid, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        find_cell(grid, name)
