"""Slots, cells and other parts of a grid by the names that people give them: those, and no others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import InputError
from cpfill.formats.dialects import parse_grids
from cpfill.problem.fill import Fill
from cpfill.puzzle.grid import clear_cells, find_cell, find_region, find_slot, open_slots
from tests.tables import read_rows

if TYPE_CHECKING:
    from collections.abc import Callable

_, (GRID, NAMED, WORDS) = parse_grids("ABC#D\nE.FGH\n#I[AB]JK\nLMNOP\n\n...#.\n.....\n#....\n\nCAT\n#R#\nNEW\n")

REGIONS = read_rows("""
NW           | xxx.. xxx.. ..... .....
se           | ..... ..... ..xxx ..xxx
R2C3         | ..... ..x.. ..... .....
R2C3:R3C1    | ..... xxx.. .xx.. .....
1-Across     | xxx.. ..... ..... .....
R3C2A , 4d   | ....x ....x .xxxx ....x
""")


@pytest.mark.parametrize(("names", "shape"), REGIONS)
def test_a_region_is_the_open_cells_of_its_parts(names: str, shape: str) -> None:
    signs = shape.replace(" ", "")
    assert find_region(GRID, names) == {cell for cell, sign in enumerate(signs) if sign == "x"}


def test_a_word_in_the_grid_names_its_slot() -> None:
    assert find_region(WORDS, "are") == {1, 4, 7}
    assert find_region(WORDS, "Cat,NE") == find_region(WORDS, "1-Across,NE")
    assert find_slot(WORDS, "new").name == "3-Across"


GRIDS = {"grid": GRID, "named": NAMED, "words": WORDS, "opened": open_slots(GRID, [find_slot(GRID, "1-Across")])}
FINDERS: dict[str, Callable[..., object]] = {"region": find_region, "slot": find_slot, "cell": find_cell}

# A part, a grid, a name that no such part has, a piece of the message.
REFUSED = read_rows("""
region | grid   |                | a slot (17-Across), a word in the grid, a rectangle (R1C9:R5C15) or a quadrant (NE)
region | grid   | NE,            | found ''
region | grid   | R1C1:R2        | found 'R1C1:R2'
region | grid   | R1C1:R1C2:R1C3 | found 'R1C1:R1C2:R1C3'
region | grid   | R1C4           | a part of the grid with an open cell, found 'R1C4'
region | grid   | R1C1:R9C1      | a cell from R1C1 to R4C5, found 'R9C1'
region | grid   | 99-Across      | a slot of the grid
region | words  | tea            | a word in the grid
region | words  | ca             | a word in the grid
slot   | words  | tea            | a word in the grid
slot   | words  | ca             | a word in the grid
slot   | opened | 1-Across       | found '1-Across', which is open
slot   | named  |                | expected a slot such as 17-Across or R4C7-Down, or a word in the grid, found ''
slot   | named  | Across         | expected a slot such as
slot   | named  | 99-Across      | expected a slot of the grid (across: 1, 5, 7), found '99-Across'
slot   | named  | 1-Dwon         | expected a slot such as
slot   | named  | R1C4-Across    | expected a cell in a slot across, found 'R1C4-Across'
slot   | named  | R9C1-Down      | expected a cell from R1C1 to R3C5, found 'R9C1-Down'
slot   | named  | R0C1-Down      | expected a cell from R1C1 to R3C5
slot   | named  | ٣-Across       | expected a slot such as
cell   | named  | R1             | a cell such as R4C7
cell   | named  | R1C4           | an open cell, found 'R1C4', a block
cell   | named  | R4C1           | R1C1 to R3C5
""")


@pytest.mark.parametrize(("part", "grid", "name", "said"), REFUSED)
def test_other_names_are_refused(part: str, grid: str, name: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        FINDERS[part](GRIDS[grid], name)
    assert "\n" not in str(caught.value)


def test_letters_are_cleared_and_letter_sets_stay() -> None:
    cleared = clear_cells(GRID, find_region(GRID, "R1C1:R3C3"))
    assert str(cleared) == "...#D\n...GH\n#.[AB]JK\nLMNOP"


def test_changes_are_where_another_letter_stands() -> None:
    letters = [letter.strip("#") for letter in "ABC#DEXZGH#IAJKLMNOP"]
    assert [str(change) for change in Fill(tuple(letters), GRID).list_changes(GRID)] == [
        "5-Across: E?FGH → EXZGH",
        "3-Down: CF?N → CZAN",
    ]


@pytest.mark.parametrize("name", ["1-Across", "1-across", "1A", "1 a", "R1C2-Across", "r1c3a", "R1C1 across"])
def test_a_slot_has_several_names(name: str) -> None:
    assert find_slot(NAMED, name) == NAMED.slots[0]


def test_every_slot_and_cell_has_its_names() -> None:
    for slot in NAMED.slots:
        assert find_slot(NAMED, slot.name) == slot
        for cell in slot.cells:
            assert find_slot(NAMED, f"{NAMED.name_cell(cell)}-{slot.direction}") == slot
            assert find_cell(NAMED, NAMED.name_cell(cell).lower()) == cell
