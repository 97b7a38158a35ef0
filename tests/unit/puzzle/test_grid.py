"""Slots, numbers and crossings of a grid."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import GridError
from cpfill.formats.dialects import parse_grids
from cpfill.puzzle.grid import Crossing, Direction, Grid


def grid_of(*rows: str, min_slot_length: int = 2) -> Grid:
    _, (grid,) = parse_grids("\n".join(rows), dialect="native", min_slot_length=min_slot_length)
    return grid


# Numbered by hand, as it would be printed:
#     1 2 # 3 4
#     5 . 6 . .
#     # 7 . . #
#     8 . . . 9
#     10. # 11.
PRINTED = grid_of("..#..", ".....", "#...#", ".....", "..#..")
ACROSS = {
    1: (0, 1),
    3: (3, 4),
    5: (5, 6, 7, 8, 9),
    7: (11, 12, 13),
    8: (15, 16, 17, 18, 19),
    10: (20, 21),
    11: (23, 24),
}
DOWN = {1: (0, 5), 2: (1, 6, 11, 16, 21), 3: (3, 8, 13, 18, 23), 4: (4, 9), 6: (7, 12, 17), 8: (15, 20), 9: (19, 24)}


def test_slots_are_numbered_as_in_print() -> None:
    """Their ids run across before down, by their first cells."""
    expected = [(Direction.ACROSS, number, cells) for number, cells in ACROSS.items()]
    expected += [(Direction.DOWN, number, cells) for number, cells in DOWN.items()]
    assert [(slot.direction, slot.number, slot.cells) for slot in PRINTED.slots] == expected
    assert [slot.id for slot in PRINTED.slots] == list(range(14))
    assert [PRINTED.slots[id_].name for id_ in (0, 1, 7)] == ["1-Across", "3-Across", "1-Down"]


def test_every_crossing_is_one_cell_of_two_slots() -> None:
    """Neighbours are the crossings from both sides."""
    crossings = set()
    neighbours = set()
    for number, across in enumerate(PRINTED.slots[:7]):
        for other, down in enumerate(PRINTED.slots[7:], start=7):
            for cell in set(across.cells) & set(down.cells):
                places = (across.cells.index(cell), down.cells.index(cell))
                crossings.add(Crossing(number, places[0], other, places[1]))
                neighbours |= {(number, places[0], other, places[1]), (other, places[1], number, places[0])}
    assert len(PRINTED.crossings) == len(crossings) == 21
    assert set(PRINTED.crossings) == crossings
    listed = set()
    for slot, around in enumerate(PRINTED.neighbours):
        listed |= {(slot, *each) for each in around}
    assert listed == neighbours


def test_crossings_of_a_corner() -> None:
    grid = grid_of("..", ".#")
    assert grid.crossings == (Crossing(across=0, across_pos=0, down=1, down_pos=0),)
    assert grid.neighbours == (((0, 1, 0),), ((0, 0, 0),))
    assert grid.slots_at == {0: ((0, 0), (1, 0)), 1: ((0, 1),), 2: ((1, 1),)}


@pytest.mark.parametrize(
    ("length", "names"),
    {
        1: "1-Across 2-Across 3-Across 5-Across 1-Down 2-Down 4-Down",
        2: "3-Across 1-Down 2-Down 4-Down",
        3: "1-Across",
    }.items(),
)
def test_a_short_run_is_no_slot(length: int, names: str) -> None:
    grid = grid_of(".#.", "...", "#.#", min_slot_length=length)
    assert [slot.name for slot in grid.slots] == names.split()


def test_some_cells_are_in_no_slot() -> None:
    grid = grid_of("...", "###", "#.#")
    assert len(grid.slots) == 1
    assert set(grid.slots_at) == {0, 1, 2}
    assert grid.crossings == ()


def test_crossings_connect_components() -> None:
    assert len(PRINTED.components) == 1
    assert grid_of("..#..", ".##..", "###..").components == ((0, 4), (1, 2, 3, 5, 6))
    assert grid_of("...", "###", "...").components == ((0,), (1,))


@pytest.mark.parametrize(("row", "pattern"), [("A.[BC]", "A?[BC]"), ("[Q]..", "Q??")])
def test_a_pattern_shows_the_givens(row: str, pattern: str) -> None:
    grid = grid_of(row)
    assert grid.pattern(grid.slots[0]) == pattern
    assert grid_of("...", "...").name_cell(5) == "R2C3"


def test_a_grid_is_whole() -> None:
    with pytest.raises(GridError, match="6 cells"):
        Grid(2, 3, (1, 1, 1, 1, 1), Alphabet())
    with pytest.raises(GridError, match="from 1 to 255 for min_slot_length"):
        Grid(1, 2, (1, 1), Alphabet(), min_slot_length=0)


def test_an_open_slot_is_no_slot() -> None:
    """The others keep their names."""
    opened = replace(PRINTED, open_slots=frozenset({(Direction.ACROSS, 0), (Direction.DOWN, 7)}))
    left = [slot for slot in PRINTED.slots if slot.name not in {"1-Across", "6-Down"}]
    assert [(slot.name, slot.cells) for slot in opened.slots] == [(slot.name, slot.cells) for slot in left]
    assert [slot.id for slot in opened.slots] == list(range(12))
    assert len(opened.crossings) == 21 - 2 - 3
    assert opened.slots_at[0] == ((6, 0),)
    assert opened.diagram().captions == PRINTED.diagram().captions
    assert opened != PRINTED
    assert pickle.loads(pickle.dumps(opened)) == opened  # noqa: S301 - its own


@pytest.mark.parametrize(("direction", "cell"), [(Direction.ACROSS, 1), (Direction.DOWN, 5), (Direction.ACROSS, 99)])
def test_an_open_slot_starts_where_a_slot_would(direction: Direction, cell: int) -> None:
    with pytest.raises(GridError, match=f"an open slot that starts where a run does.*{direction} at cell {cell}"):
        replace(PRINTED, open_slots=frozenset({(direction, cell)}))
