"""Arrowwords as they are drawn: read back from the pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.base.errors import FormatError, GridError
from cpfill.design import STYLES, Demands, generate
from cpfill.formats.pages.style import PageLayout, PageStyle
from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.clues import NO_CLUE
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.unit.formats.test_pdf import texts_of

ARROWS = PageStyle(layout=PageLayout.ARROWS)
SOLUTION = replace(ARROWS, letters=True)
ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
SVG = "{http://www.w3.org/2000/svg}"
CELL = 64.0


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    grid = next(generate(Demands(12, 10, STYLES["arrow"])))
    blank = Puzzle.of_grid(grid, ["" if not cell else "ABCDEFGH"[at % 8] for at, cell in enumerate(grid.cells)])
    clues = {(slot.direction, slot.number): f"clue of {slot.number} {slot.direction}" for slot in blank.slots}
    return replace(blank, clues=clues, metadata={PuzzlePart.TITLE: "A title"})


@dataclass
class Read:
    """What stands in each cell of a picture, by row and column."""

    tinted: set[tuple[int, int]] = field(default_factory=set)
    texts: dict[tuple[int, int], list[str]] = field(default_factory=lambda: defaultdict(list))
    heads: Counter[tuple[int, int, Direction]] = field(default_factory=Counter)
    black: int = 0


def read(picture: bytes) -> Read:
    """Read a drawing without a title: tints and heads of arrows are polygons, of four corners and of three."""
    found = Read()

    def place(x: float, y: float) -> tuple[int, int]:
        return int((y - 10) // CELL), int((x - 10) // CELL)

    for element in ET.fromstring(picture).iter():  # noqa: S314 - our own
        if element.tag == f"{SVG}polygon":
            corners = [tuple(map(float, pair.split(","))) for pair in element.attrib["points"].split()]
            at = place(sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))
            if len(corners) == 4:
                found.tinted.add(at)
            else:
                (x, y), (x1, y1), (x2, y2) = corners
                assert x > max(x1, x2) or y > max(y1, y2)
                found.heads[(*at, ACROSS if x1 == x2 else DOWN)] += 1
        elif element.tag == f"{SVG}text":
            x, y, size = (float(element.attrib[name]) for name in ("x", "y", "font-size"))
            found.texts[place(x, y - size / 3)].append(element.text or "")
        elif element.tag == f"{SVG}rect" and "x" in element.attrib:
            found.black += element.attrib["fill"] == "currentColor"
    return found


@pytest.mark.parametrize("style", [ARROWS, SOLUTION, replace(ARROWS, french=True)], ids=str)
def test_clues_stand_in_blocks_and_arrows_in_the_cells_of_first_letters(puzzle: Puzzle, style: PageStyle) -> None:
    data, told = write_puzzle(replace(puzzle, metadata={}), "svg", style)
    found = read(data)
    assert told == []
    assert found.black == 0
    assert found.tinted == {divmod(at, 10) for at, answer in enumerate(puzzle.cells) if answer is None}
    assert found.heads == Counter((*divmod(slot.cells[0], 10), slot.direction) for slot in puzzle.slots)
    clues: list[str] = []
    for place, texts in found.texts.items():
        if place in found.tinted:
            clues += " ".join(texts).replace(" clue", "\nclue").split("\n")
        else:
            assert style.letters
            assert texts == [puzzle.cells[place[0] * 10 + place[1]]]
    assert Counter(clues) == Counter(puzzle.clues.values())
    assert len(found.texts) == (120 if style.letters else len(found.tinted))
    near = [(slot, divmod(slot.cells[0], 10)) for slot in puzzle.slots]
    for slot, (r, c) in near:
        beside = " ".join(found.texts[r, c - 1] + found.texts[r - 1, c])
        assert puzzle.clue(slot) in beside


@pytest.mark.parametrize("name", ["html", "pdf", "png"])
def test_every_drawing_but_latex_has_arrows(puzzle: Puzzle, name: str) -> None:
    data, told = write_puzzle(puzzle, name, ARROWS)
    assert told == []
    assert data not in {write_puzzle(puzzle, name)[0], write_puzzle(puzzle, name, SOLUTION)[0]}
    if name == "html":
        text = data.decode()
        assert text.count("<svg") == 2
        assert text.count('fill-opacity="0.08"') == 2 * puzzle.cells.count(None)
        assert "<dl>" not in text


def test_latex_has_no_arrows(puzzle: Puzzle) -> None:
    with pytest.raises(FormatError, match=r"has arrows \(svg, html, pdf, png\) for --layout arrows, found latex"):
        write_puzzle(puzzle, "latex", ARROWS)


def test_a_page_of_pdf_has_the_clues_and_another_the_solution(puzzle: Puzzle) -> None:
    blank, solved = texts_of(write_puzzle(puzzle, "pdf", ARROWS)[0])
    letters = "".join(text.text for text in blank[1:]).replace(" ", "")
    assert Counter(letters) == Counter("".join(puzzle.clues.values()).replace(" ", ""))
    answers = [text.text for text in solved if len(text.text) == 1 and text.size > 20]
    assert sorted(answers) == sorted(answer for answer in puzzle.cells if answer)
    assert min(text.size for text in blank) >= 4.5


@pytest.mark.parametrize(("height", "width"), [(15, 13), (20, 15), (5, 30)])
def test_a_larger_grid_takes_one_page(height: int, width: int) -> None:
    grid = next(generate(Demands(height, width, STYLES["arrow"])))
    (page,) = texts_of(write_puzzle(replace(Puzzle.of_grid(grid), clues={(ACROSS, 99): "x"}), "pdf", ARROWS)[0])
    assert all(30 <= text.x <= 565 and 30 <= text.y <= 812 for text in page)


def test_clues_too_long_are_told_by_name(puzzle: Puzzle) -> None:
    names = [slot.name for slot in puzzle.slots]
    first = puzzle.slots[0]
    long = {**puzzle.clues, (first.direction, first.number): "something very long " * 20}
    for kind in ("svg", "html", "pdf", "png"):
        told = write_puzzle(replace(puzzle, clues=long), kind, ARROWS)[1]
        assert told == [f"clues too long for their cells, set smaller than 4.5 pt: {names[0]}"]


def test_what_has_no_clue_is_marked_and_clues_of_no_slot_are_dropped(puzzle: Puzzle) -> None:
    partly = replace(puzzle, clues={(ACROSS, 99): "of no slot"}, metadata={})
    data, told = write_puzzle(partly, "svg", ARROWS)
    assert told == ["dropped 1 clue of no slot"]
    assert read(data).texts == {}
    one = puzzle.slots[0]
    marked = read(write_puzzle(replace(partly, clues={(one.direction, one.number): "one"}), "svg", ARROWS)[0])
    joined = " ".join(text for texts in marked.texts.values() for text in texts)
    assert joined.count(NO_CLUE) == len(puzzle.slots) - 1


def test_a_french_page_marks_and_sets_clues_in_french(puzzle: Puzzle) -> None:
    one = puzzle.slots[0]
    partly = replace(puzzle, clues={(one.direction, one.number): "Quoi ?"}, metadata={})
    drawn = write_puzzle(partly, "svg", replace(ARROWS, french=True))[0].decode()
    assert "Quoi\u202f?" in drawn
    assert "définition" in drawn
    assert NO_CLUE not in drawn


def test_slots_without_a_clue_cell_are_named() -> None:
    with pytest.raises(GridError, match="none for 1-Across, 3-Across, 1-Down, 2-Down"):
        write_puzzle(Puzzle(2, 2, ("A", "B", "C", "D")), "svg", ARROWS)
    void = Puzzle(2, 3, (None, "A", "B", None, "C", "D"), voids=frozenset({3}))
    with pytest.raises(GridError, match="none for 3-Across, 2-Down"):
        write_puzzle(void, "svg", ARROWS)


def test_pictures_are_as_large_as_text_needs(puzzle: Puzzle) -> None:
    image = pytest.importorskip("PIL.Image")
    width, height = image.open(BytesIO(write_puzzle(puzzle, "png", ARROWS)[0])).size
    assert width > 1200
    assert height > 1400


@given(st.lists(st.lists(st.sampled_from([None, "", "A"]), min_size=6, max_size=6), min_size=2, max_size=6))
def test_arrows_of_any_grid_with_clue_cells_point_to_its_slots(rows: list[list[str | None]]) -> None:
    cells = tuple(cell for row in rows for cell in row)
    try:
        data, _ = write_puzzle(Puzzle(len(rows), 6, cells), "svg", SOLUTION)
    except GridError:
        return
    puzzle = Puzzle(len(rows), 6, cells)
    assert read(data).heads == Counter((*divmod(slot.cells[0], 6), slot.direction) for slot in puzzle.slots)
