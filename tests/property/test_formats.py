"""What a dialect writes it recognises and reads again; and what it reads does not depend on how it is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given, reject
from hypothesis import strategies as st

from cpfill.base.alphabet import LATIN, NAMED, Alphabet
from cpfill.base.errors import GridError
from cpfill.formats.dialects import DIALECTS, parse_grids, write_fill
from cpfill.problem.fill import Fill
from cpfill.puzzle.grid import Grid
from cpfill.testing.questions import questions

if TYPE_CHECKING:
    from tests.support import Question

dialects = pytest.mark.parametrize("dialect", sorted(DIALECTS))


@st.composite
def filled_grids(draw: st.DrawFn) -> tuple[Grid, list[str]]:
    """Return a grid of givens and blocks, and its letters."""
    alphabet = Alphabet(draw(st.sampled_from([LATIN, NAMED["es"], NAMED["sv"]])))
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    char = st.sampled_from(["", *alphabet.letters])
    letters = draw(st.lists(char, min_size=height * width, max_size=height * width))
    cells = tuple(alphabet.letter_set(letter) for letter in letters)
    grid = Grid(height, width, cells, alphabet)
    assume(grid.slots)
    return grid, letters


@dialects
@given(filled=filled_grids())
def test_a_written_fill_is_recognised_and_reads_as_itself(dialect: str, filled: tuple[Grid, list[str]]) -> None:
    grid, letters = filled
    text = write_fill(DIALECTS[dialect], grid, letters)
    assert parse_grids(text, dialect=dialect, alphabet=grid.alphabet) == (DIALECTS[dialect], [grid])
    assert Fill.of_grid(grid).letters == tuple(letters)
    chosen, grids = parse_grids(text, alphabet=grid.alphabet)
    assert grids == [grid]
    # Letters alone look the same in the dialects without a header, and a column of them in those with one.
    alike = [{"native", "remy", "beacham"}] + [{"upmc", "grl"}] * (grid.width == 1)
    assert dialect == chosen.name or ("" not in letters and any({chosen.name, dialect} <= names for names in alike))


@st.composite
def barred_grids(draw: st.DrawFn) -> Grid:
    """Return a grid of givens, letter sets, empty cells and blocks, with bars anywhere."""
    alphabet = Alphabet()
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    cell = st.sampled_from([0, alphabet.full, alphabet.full, 1, 2, 0b1011])
    cells = draw(st.lists(cell, min_size=height * width, max_size=height * width))
    beside = [(cell, cell + 1) for cell in range(len(cells)) if (cell + 1) % width]
    places = beside + [(cell, cell + width) for cell in range(len(cells) - width)]
    bars = draw(st.frozensets(st.sampled_from(places))) if places else frozenset[tuple[int, int]]()
    grid = Grid(height, width, tuple(cells), alphabet, bars=bars)
    assume(grid.slots)
    return grid


@given(barred=st.lists(barred_grids(), min_size=1, max_size=3))
def test_barred_grids_are_recognised_and_read_as_they_are_written(barred: list[Grid]) -> None:
    def members(grid: Grid) -> list[str]:
        shown = [grid.alphabet.members(cell) for cell in grid.cells]
        return ["." if len(each) == 26 else f"[{each}]" if len(each) > 1 else each for each in shown]

    for grid in barred:
        text = write_fill(DIALECTS["native"], grid, members(grid))
        plain = str(grid) + "\n"
        assert (text == plain) == (not grid.bars)
        assert re.sub(r"^[- ]*-[- ]*\n|[ |]", "", text, flags=re.MULTILINE) == plain
        assert text.count("|") + text.count("-") == len(grid.bars)
    text = "\n".join(write_fill(DIALECTS["native"], grid, members(grid)) for grid in barred)
    assert parse_grids(text)[1] == barred


@st.composite
def templates(draw: st.DrawFn) -> tuple[int, int, list[str]]:
    """Return a template: `#` block, `.` empty, or a letter a cell."""
    height, width = draw(st.integers(1, 6)), draw(st.integers(2, 6))
    char = st.sampled_from("..###AZ")
    return height, width, draw(st.lists(char, min_size=height * width, max_size=height * width))


def as_text(dialect: str, height: int, width: int, chars: list[str]) -> str:
    blocks, empties, between, header = {
        "native": ("#", ".", "", ""),
        "remy": ("0", "1", "", ""),
        "upmc": ("1", "0", " ", f"{height} {width}\n"),
        "beacham": ("*", "_", "", ""),
        "grl": ("*", " ", "", f"{height} {width}\n"),
    }[dialect]
    shown = [{"#": blocks, ".": empties}.get(char, char) for char in chars]
    rows = [between.join(shown[start : start + width]) for start in range(0, height * width, width)]
    return header + "".join(row + "\n" for row in rows)


@dialects
@given(template=templates(), end=st.sampled_from(["", "\n", "\n\n"]))
def test_a_template_is_recognised_and_read_the_same_in_every_dialect(
    dialect: str, template: tuple[int, int, list[str]], end: str
) -> None:
    height, width, chars = template
    alphabet = Alphabet()
    cells = tuple({"#": 0, ".": alphabet.full}.get(char) or alphabet.letter_set(char.strip("#.")) for char in chars)
    expected = Grid(height, width, cells, alphabet)
    assume(expected.slots)
    text = as_text(dialect, height, width, chars) + end
    assert parse_grids(text, dialect=dialect)[1] == [expected]
    chosen, grids = parse_grids(text)
    assert grids == [expected]
    marks = set(chars) - {"A", "Z"}
    assert dialect == chosen.name or (not marks and dialect in {"remy", "beacham"})


@given(template=templates())
@example(template=(2, 2, ["#", ".", ".", "."]))
@example(template=(2, 2, ["#", "#", ".", "."]))
def test_the_header_of_upmc_is_optional(template: tuple[int, int, list[str]]) -> None:
    height, width, chars = template
    text = as_text("upmc", height, width, chars)
    try:
        expected = parse_grids(text, dialect="upmc")[1]
    except GridError:
        reject()
    bare = text.split("\n", 1)[1]
    first, last = bare.split("\n")[0], bare.split("\n")[-2]
    # Two digits in a row may be a header or the end mark; then only the header tells.
    assume(not {first, last} & {"0 0", "0 1", "1 0", "1 1"})
    assert parse_grids(bare, dialect="upmc")[1] == expected


@given(question=questions())
def test_the_native_dialect_has_letter_sets(question: Question) -> None:
    def show(cell: str) -> str:
        whole = cell == question.alphabet
        return "#" if not cell else "." if whole else cell if len(cell) == 1 else f"[{cell}]"

    text = "\n".join("".join(show(cell) for cell in row) for row in question.cells)
    alphabet, length = Alphabet(question.alphabet), question.min_slot_length
    _, grids = parse_grids(text, dialect="native", alphabet=alphabet, min_slot_length=length)
    assert grids == [question.problem().grid]


@given(
    text=st.text(st.sampled_from("01_*#.[] ()AzéÑ9\t\x0b\n?-|"), max_size=30), forced=st.sampled_from([None, *DIALECTS])
)
def test_any_text_is_a_grid_or_a_grid_error_with_a_place(text: str, forced: str | None) -> None:
    error: GridError | None = None
    grids: list[Grid] = []
    try:
        _, grids = parse_grids(text, name="some.txt", dialect=forced)
    except GridError as caught:
        error = caught
    assert (error is None) == bool(grids)
    assert all(grid.slots for grid in grids)
    if error:
        assert error.faults
        assert all(fault.path == "some.txt" for fault in error.faults)
        assert str(error).splitlines() == [str(fault) for fault in error.faults]
