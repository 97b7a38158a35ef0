"""Bars end slots as blocks do, for the grid, for every engine and for the audit; and text can say them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice, product

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import GridError
from cpfill.formats.dialects import DIALECTS, parse_grids, write_fill, write_template
from cpfill.problem.check import violations
from cpfill.problem.problem import Fill, Problem
from cpfill.problem.result import Status
from cpfill.problem.rules import Rules
from cpfill.puzzle.grid import Direction, Grid
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import parse_word_list
from tests.support import ENGINE_NAMES, run

ABC = Alphabet("ABC")
#   . .|.
#   . . .
#     -
#   . . .
BARS = frozenset({(1, 2), (4, 7)})
WORDS = "AB BA BB ABA BAB ABB CAB BCA AC CB CA"


def barred(min_slot_length: int = 2) -> Grid:
    return Grid(3, 3, (ABC.full,) * 9, ABC, min_slot_length, bars=BARS)


def test_a_bar_ends_a_slot() -> None:
    across = [slot.cells for slot in barred().slots if slot.direction is Direction.ACROSS]
    down = [slot.cells for slot in barred().slots if slot.direction is Direction.DOWN]
    assert across == [(0, 1), (3, 4, 5), (6, 7, 8)]
    assert down == [(0, 3, 6), (1, 4), (2, 5, 8)]
    assert [slot.cells for slot in barred(3).slots] == [(3, 4, 5), (6, 7, 8), (0, 3, 6), (2, 5, 8)]


def test_a_slot_may_begin_behind_a_bar() -> None:
    grid = Grid(1, 4, (ABC.full,) * 4, ABC, bars=frozenset({(1, 2)}))
    assert [(slot.name, slot.cells) for slot in grid.slots] == [("1-Across", (0, 1)), ("2-Across", (2, 3))]


def test_a_column_has_bars_too() -> None:
    grid = Grid(4, 1, (ABC.full,) * 4, ABC, bars=frozenset({(1, 2)}))
    assert [slot.cells for slot in grid.slots] == [(0, 1), (2, 3)]


@pytest.mark.parametrize("bar", [(0, 2), (2, 3), (1, 0), (0, 0), (0, 4), (7, 10), (-1, 0)])
def test_a_bar_parts_neighbours(bar: tuple[int, int]) -> None:
    with pytest.raises(GridError, match="a bar between neighbours"):
        Grid(3, 3, (ABC.full,) * 9, ABC, bars=frozenset({bar}))


def problem() -> Problem:
    return Problem(
        barred(), Lexicon([parse_word_list(WORDS.replace(" ", "\n"), "words", ABC)], ABC), Rules(repeats=True)
    )


@cache
def fills() -> frozenset[str]:
    """Return the fills, from the drawing above alone."""
    words = set(WORDS.split())

    def right(t: str) -> bool:
        return {t[0:2], t[3:6], t[6:9], t[0] + t[3] + t[6], t[1] + t[4], t[2] + t[5] + t[8]} <= words

    return frozenset(text for letters in product("ABC", repeat=9) if right(text := "".join(letters)))


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_every_engine_finds_the_fills_of_a_barred_grid(engine: str) -> None:
    result = run(engine, problem())
    found = {"".join(each.letters) for each in [result.result.fill] if each}
    assert len(fills()) > 5
    assert found <= fills()
    assert result.result.status in {Status.SATISFIED, Status.ALL_FILLS}


def test_the_audit_splits_words_at_bars() -> None:
    asked, right = problem(), fills()
    some = {"".join(letters) for letters in islice(product("ABC", repeat=9), 0, None, 37)}
    for text in some | right:
        assert (not violations(asked, Fill(tuple(text), asked.grid))) == (text in right)


def test_an_open_slot_ends_at_a_bar() -> None:
    opened = replace(barred(), open_slots=frozenset({(Direction.ACROSS, 0), (Direction.DOWN, 1)}))
    asked, words = replace(problem(), grid=opened), set(WORDS.split())
    for t in map("".join, islice(product("ABC", repeat=9), 0, None, 7)):
        right = {t[3:6], t[6:9], t[0] + t[3] + t[6], t[2] + t[5] + t[8]} <= words
        assert (not violations(asked, Fill(tuple(t), opened))) == right


def test_the_audit_names_the_word_behind_a_bar() -> None:
    grid = Grid(1, 4, (ABC.full,) * 4, ABC, bars=frozenset({(1, 2)}))
    asked = Problem(grid, Lexicon([parse_word_list("AB", "words", ABC)], ABC))
    assert [str(each) for each in violations(asked, Fill(tuple("ABCC"), grid))] == [
        "C2: CC is not in your lists (R1C3 across)"
    ]


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
def test_bars_are_read_however_far_apart_the_cells_stand(text: str) -> None:
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
def test_what_is_no_barred_grid_is_refused(text: str, said: str) -> None:
    with pytest.raises(GridError) as caught:
        parse_grids(text)
    assert said in str(caught.value)
