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
PRINTED = ("..#..", ".....", "#...#", ".....", "..#..")


def test_slots_are_numbered_as_in_print() -> None:
    grid = grid_of(*PRINTED)
    across = {slot.number: slot.length for slot in grid.slots if slot.direction is Direction.ACROSS}
    down = {slot.number: slot.length for slot in grid.slots if slot.direction is Direction.DOWN}
    assert across == {1: 2, 3: 2, 5: 5, 7: 3, 8: 5, 10: 2, 11: 2}
    assert down == {1: 2, 2: 5, 3: 5, 4: 2, 6: 3, 8: 2, 9: 2}
    assert [slot.name for slot in grid.slots[:3]] == ["1-Across", "3-Across", "5-Across"]
    assert grid.slots[7].name == "1-Down"


def test_the_cells_of_slots_are_row_major() -> None:
    grid = grid_of(*PRINTED)
    cells = {slot.name: slot.cells for slot in grid.slots}
    assert cells["5-Across"] == (5, 6, 7, 8, 9)
    assert cells["7-Across"] == (11, 12, 13)
    assert cells["2-Down"] == (1, 6, 11, 16, 21)
    assert cells["6-Down"] == (7, 12, 17)
    assert cells["9-Down"] == (19, 24)


def test_ids_are_places_across_before_down() -> None:
    slots = grid_of(*PRINTED).slots
    assert [slot.id for slot in slots] == list(range(14))
    assert [slot.direction for slot in slots] == [Direction.ACROSS] * 7 + [Direction.DOWN] * 7
    for direction in Direction:
        firsts = [slot.cells[0] for slot in slots if slot.direction is direction]
        assert firsts == sorted(firsts)


def test_every_crossing_is_one_cell_of_two_slots() -> None:
    grid = grid_of(*PRINTED)
    assert len(grid.crossings) == 21
    for crossing in grid.crossings:
        across, down = grid.slots[crossing.across], grid.slots[crossing.down]
        assert (across.direction, down.direction) == (Direction.ACROSS, Direction.DOWN)
        assert across.cells[crossing.across_pos] == down.cells[crossing.down_pos]
    assert len(set(grid.crossings)) == 21


def test_crossings_of_a_corner() -> None:
    grid = grid_of("..", ".#")
    assert grid.crossings == (Crossing(across=0, across_pos=0, down=1, down_pos=0),)
    assert grid.neighbours == (((0, 1, 0),), ((0, 0, 0),))
    assert grid.slots_at == {0: ((0, 0), (1, 0)), 1: ((0, 1),), 2: ((1, 1),)}


def test_neighbours_are_the_crossings_from_both_sides() -> None:
    grid = grid_of(*PRINTED)
    seen = {(a, pa, d, pd) for a, around in enumerate(grid.neighbours) for pa, d, pd in around}
    expected = {(x.across, x.across_pos, x.down, x.down_pos) for x in grid.crossings}
    assert seen == expected | {(d, pd, a, pa) for a, pa, d, pd in expected}


def test_a_short_run_is_no_slot() -> None:
    rows = (".#.", "...", "#.#")
    names = {n: [s.name for s in grid_of(*rows, min_slot_length=n).slots] for n in (1, 2, 3)}
    assert names[1] == [
        "1-Across", "2-Across", "3-Across", "5-Across", "1-Down", "2-Down", "4-Down",
    ]  # fmt: skip
    assert names[2] == ["3-Across", "1-Down", "2-Down", "4-Down"]
    assert names[3] == ["1-Across"]


def test_a_cell_in_no_slot_is_in_no_slot() -> None:
    grid = grid_of("...", "###", "#.#")
    assert len(grid.slots) == 1
    assert set(grid.slots_at) == {0, 1, 2}
    assert grid.crossings == ()


def test_components_are_what_crossings_connect() -> None:
    assert len(grid_of(*PRINTED).components) == 1
    grid = grid_of("..#..", ".##..", "###..")
    assert [len(component) for component in grid.components] == [2, 5]
    assert sorted(slot for component in grid.components for slot in component) == list(range(7))
    assert grid_of("...", "###", "...").components == ((0,), (1,))


@pytest.mark.parametrize(("rows", "pattern"), [(("A.[BC]",), "A?[BC]"), (("[Q]..",), "Q??")])
def test_a_pattern_shows_what_is_given(rows: tuple[str, ...], pattern: str) -> None:
    grid = grid_of(*rows)
    assert grid.pattern(grid.slots[0]) == pattern


def test_a_place_counts_from_1() -> None:
    assert grid_of("...", "...").name_cell(5) == "R2C3"


def test_a_grid_is_whole() -> None:
    with pytest.raises(GridError, match="6 cells"):
        Grid(2, 3, (1, 1, 1, 1, 1), Alphabet())
    with pytest.raises(GridError, match="from 1 to 255 for min_slot_length"):
        Grid(1, 2, (1, 1), Alphabet(), min_slot_length=0)


def test_an_open_slot_is_no_slot_and_the_others_keep_their_names() -> None:
    grid = grid_of(*PRINTED)
    opened = replace(grid, open_slots=frozenset({(Direction.ACROSS, 0), (Direction.DOWN, 7)}))
    left = [slot for slot in grid.slots if slot.name not in {"1-Across", "6-Down"}]
    assert [(slot.name, slot.cells) for slot in opened.slots] == [(slot.name, slot.cells) for slot in left]
    assert [slot.id for slot in opened.slots] == list(range(12))
    assert len(opened.crossings) == 21 - 2 - 3
    assert opened.slots_at[0] == ((6, 0),)
    assert opened.diagram().captions == grid.diagram().captions
    assert opened != grid
    assert opened == replace(grid, open_slots=opened.open_slots)
    assert pickle.loads(pickle.dumps(opened)) == opened  # noqa: S301 - its own


@pytest.mark.parametrize(("direction", "cell"), [(Direction.ACROSS, 1), (Direction.DOWN, 5), (Direction.ACROSS, 99)])
def test_an_open_slot_starts_where_a_slot_would(direction: Direction, cell: int) -> None:
    with pytest.raises(GridError, match=f"an open slot that starts where a run does.*{direction} at cell {cell}"):
        replace(grid_of(*PRINTED), open_slots=frozenset({(direction, cell)}))
