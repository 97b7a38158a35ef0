"""Bars end slots as blocks do, for the grid, for every engine and for the audit; and text can say them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import GridError
from cpfill.formats.dialects import DIALECTS, parse_grids, write_fill, write_template
from cpfill.problem.check import violations
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Problem
from cpfill.problem.result import Limits
from cpfill.problem.rules import Rules
from cpfill.puzzle.grid import Direction, Grid
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import parse_word_list
from tests.support import ENGINE_NAMES, run

if TYPE_CHECKING:
    from collections.abc import Iterable

ABC = Alphabet("ABC")
#   . .|.
#   . . .
#     -
#   . . .
BARS = frozenset({(1, 2), (4, 7)})
WORDS = "AB BA BB ABA BAB ABB CAB BCA AC CB CA"


def barred(min_slot_length: int = 2) -> Grid:
    return Grid(3, 3, (ABC.full,) * 9, ABC, min_slot_length, bars=BARS)


def strip(height: int, width: int) -> Grid:
    """Return four cells in a line with a bar in the middle."""
    return Grid(height, width, (ABC.full,) * 4, ABC, bars=frozenset({(1, 2)}))


SLOTS = [(0, 1), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4), (2, 5, 8)]


@pytest.mark.parametrize(
    ("grid", "slots"),
    [
        (barred(), SLOTS),
        (barred(3), [cells for cells in SLOTS if len(cells) == 3]),
        (strip(1, 4), [(0, 1), (2, 3)]),
        (strip(4, 1), [(0, 1), (2, 3)]),
    ],
)
def test_a_bar_ends_a_slot(grid: Grid, slots: list[tuple[int, ...]]) -> None:
    assert [slot.cells for slot in grid.slots] == slots
    assert [slot.name for slot in strip(1, 4).slots] == ["1-Across", "2-Across"]


@pytest.mark.parametrize("bar", [(0, 2), (2, 3), (1, 0), (0, 0), (0, 4), (7, 10), (-1, 0)])
def test_a_bar_parts_neighbours(bar: tuple[int, int]) -> None:
    with pytest.raises(GridError, match="a bar between neighbours"):
        Grid(3, 3, (ABC.full,) * 9, ABC, bars=frozenset({bar}))


def lexicon(words: str) -> Lexicon:
    return Lexicon([parse_word_list(words.replace(" ", "\n"), "words", ABC)], ABC)


PROBLEM = Problem(barred(), lexicon(WORDS), Rules(repeats=True))


def words_of(text: str, slots: Iterable[tuple[int, ...]] = SLOTS) -> set[str]:
    """Return the words of nine letters, from the drawing above alone."""
    return {"".join(text[cell] for cell in cells) for cells in slots}


EVERY = list(map("".join, product("ABC", repeat=9)))
FILLS = frozenset(text for text in EVERY if words_of(text) <= {*WORDS.split()})


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_every_engine_fills_a_barred_grid(engine: str) -> None:
    found = run(engine, PROBLEM, Limits(fills=None)).found
    assert sorted("".join(rows) for rows, _ in found) == sorted(FILLS)
    assert len(FILLS) > 5


def test_the_audit_splits_words_at_bars() -> None:
    for text in FILLS.union(EVERY[::37]):
        assert (not violations(PROBLEM, Fill(tuple(text), PROBLEM.grid))) == (text in FILLS)


def test_an_open_slot_ends_at_a_bar() -> None:
    opened = replace(barred(), open_slots=frozenset({(Direction.ACROSS, 0), (Direction.DOWN, 1)}))
    asked = replace(PROBLEM, grid=opened)
    for text in EVERY[::7]:
        right = words_of(text, set(SLOTS) - {(0, 1), (1, 4)}) <= {*WORDS.split()}
        assert (not violations(asked, Fill(tuple(text), opened))) == right


def test_the_audit_names_the_word_behind_a_bar() -> None:
    asked = Problem(strip(1, 4), lexicon("AB"))
    (broken,) = violations(asked, Fill(tuple("ABCC"), asked.grid))
    assert str(broken) == "C2: CC is not in your lists (R1C3 across)"


TEXT = """\
. .|.
. . .
  -
. . .
"""


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "..|.\n...\n -\n...\n",
        "  . . | .\n  .   .   .\n      -\n  .   .   .\n",
        "|. .|.|\n|. . .|\n   -\n|. . .|\n -----",
    ],
)
def test_bars_are_read(text: str) -> None:
    chosen, (grid,) = parse_grids(text, alphabet=ABC)
    assert (chosen.name, grid) == ("native", barred())


def test_bars_are_written() -> None:
    assert write_template(DIALECTS["native"], barred()) == TEXT
    assert write_fill(DIALECTS["native"], barred(), "ABCABCABC") == "A B|C\nA B C\n  -\nA B C\n"
    assert write_fill(DIALECTS["beacham"], barred(), "ABCABCABC") == "ABC\n" * 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "CAT\n---\nDOG",
            "2:1: expected '#', '.', a letter or '[letters]', found '-' in 3 cells (an empty cell is '.')",
        ),
        ("A B|C\n-    -\nD E F", "2:6: expected '-' under a cell, found none above it"),
        ("A B|C\n-\n-\nD E F", "3:1: expected '#', '.', a letter or '[letters]', found '-' (an empty cell is '.')"),
        ("A B|C\nD E", "expected a row of 3 cells, as line 1 has, found 2"),
        ("A B|[C\nD E F", "1:5: expected ']' to end the letter set, found the end of the line"),
        ("C A T\nD . G", "found ' ' in 4 cells"),
    ],
)
def test_other_grids_are_refused(text: str, said: str) -> None:
    with pytest.raises(GridError) as caught:
        parse_grids(text)
    assert said in str(caught.value)
