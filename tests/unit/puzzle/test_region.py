"""Slots, cells and other parts of a grid by the names that people give them: those, and no others."""

from __future__ import annotations

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import InputError
from cpfill.formats.dialects import parse_grids
from cpfill.problem.problem import Fill
from cpfill.puzzle.grid import clear_cells, find_cell, find_region, find_slot, open_slots

_, (GRID,) = parse_grids("ABC#D\nE.FGH\n#I[AB]JK\nLMNOP\n")
_, (NAMED,) = parse_grids("...#.\n.....\n#....")


def rows(cells: frozenset[int]) -> str:
    return "\n".join("".join("x" if row * 5 + column in cells else "." for column in range(5)) for row in range(4))


@pytest.mark.parametrize(
    ("names", "cells"),
    {
        "NW": "xxx..\nxxx..\n.....\n.....",
        "se": ".....\n.....\n..xxx\n..xxx",
        "R2C3": ".....\n..x..\n.....\n.....",
        "R2C3:R3C1": ".....\nxxx..\n.xx..\n.....",
        "1-Across": "xxx..\n.....\n.....\n.....",
        "R3C2A , 4d": "....x\n....x\n.xxxx\n....x",
    }.items(),
)
def test_a_region_is_the_open_cells_of_its_parts(names: str, cells: str) -> None:
    assert rows(find_region(GRID, names)) == cells


@pytest.mark.parametrize(
    ("names", "message"),
    {
        "": r"a slot \(17-Across\), a word in the grid, a rectangle \(R1C9:R5C15\) or a quadrant \(NE\), found ''",
        "NE,": "found ''",
        "R1C1:R2": "found 'R1C1:R2'",
        "R1C1:R1C2:R1C3": "found 'R1C1:R1C2:R1C3'",
        "R1C4": "a part of the grid with an open cell, found 'R1C4'",
        "R1C1:R9C1": "a cell from R1C1 to R4C5, found 'R9C1'",
        "99-Across": "a slot of the grid",
    }.items(),
)
def test_what_is_no_region_is_told(names: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_region(GRID, names)


def test_an_open_slot_is_told_to_be_open() -> None:
    opened = open_slots(GRID, [find_slot(GRID, "1-Across")])
    with pytest.raises(InputError, match=r"found '1-Across', which is open$"):
        find_slot(opened, "1-Across")


def test_letters_are_cleared_and_letter_sets_stay() -> None:
    cleared = clear_cells(GRID, find_region(GRID, "R1C1:R3C3"))
    assert str(cleared) == "...#D\n...GH\n#.[AB]JK\nLMNOP"


def test_what_changed_is_where_another_letter_stands() -> None:
    letters = [letter if letter != "#" else "" for letter in "ABC#DEXZGH#IAJKLMNOP"]
    assert Alphabet() == GRID.alphabet
    assert [str(change) for change in Fill(tuple(letters), GRID).list_changes(GRID)] == [
        "5-Across: E?FGH → EXZGH",
        "3-Down: CF?N → CZAN",
    ]


def test_a_word_in_the_grid_names_its_slot() -> None:
    _, (grid,) = parse_grids("CAT\n#R#\nNEW\n")
    assert find_region(grid, "are") == {1, 4, 7}
    assert find_region(grid, "Cat,NE") == find_region(grid, "1-Across,NE")
    assert find_slot(grid, "new").name == "3-Across"
    for name in ("tea", "ca", ""):
        with pytest.raises(InputError, match="a word in the grid"):
            find_slot(grid, name)
        with pytest.raises(InputError, match="a word in the grid"):
            find_region(grid, name)


@pytest.mark.parametrize("name", ["1-Across", "1-across", "1A", "1 a", "R1C2-Across", "r1c3a", "R1C1 across"])
def test_a_slot_by_its_name_or_a_cell(name: str) -> None:
    assert find_slot(NAMED, name) == NAMED.slots[0]


def test_every_slot_has_its_names() -> None:
    for slot in NAMED.slots:
        assert find_slot(NAMED, slot.name) == slot
        for cell in slot.cells:
            assert find_slot(NAMED, f"{NAMED.name_cell(cell)}-{slot.direction}") == slot
            assert find_cell(NAMED, NAMED.name_cell(cell).lower()) == cell


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
def test_a_name_of_no_slot(name: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        find_slot(NAMED, name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [("R1", "a cell such as R4C7"), ("R1C4", "an open cell, found 'R1C4', a block"), ("R4C1", "R1C1 to R3C5")],
)
def test_a_name_of_no_cell(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        find_cell(NAMED, name)
