"""Arrowwords as they are drawn: read back from the pictures."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from io import BytesIO
from statistics import fmean

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
    """The content of each cell of a picture, by row and column."""

    tinted: set[tuple[int, int]] = field(default_factory=set)
    texts: dict[tuple[int, int], list[str]] = field(default_factory=lambda: defaultdict(list))
    heads: Counter[tuple[int, int, Direction]] = field(default_factory=Counter)
    black: int = 0

    @property
    def words(self) -> str:
        """All texts, cell after cell."""
        return " ".join(itertools.chain.from_iterable(self.texts.values()))


def place_of(x: float, y: float) -> tuple[int, int]:
    return int((y - 10) // CELL), int((x - 10) // CELL)


def read(picture: bytes) -> Read:
    """Read a drawing without a title: tints and heads of arrows are polygons, of four corners and of three."""
    found = Read()
    root = ET.fromstring(picture)  # noqa: S314 - our own
    for polygon in root.iter(f"{SVG}polygon"):
        corners = [tuple(map(float, pair.split(","))) for pair in polygon.attrib["points"].split()]
        place = place_of(fmean(x for x, _ in corners), fmean(y for _, y in corners))
        if len(corners) == 4:
            found.tinted.add(place)
            continue
        (x, y), (x1, y1), (x2, y2) = corners
        assert x > max(x1, x2) or y > max(y1, y2)
        found.heads[(*place, ACROSS if x1 == x2 else DOWN)] += 1
    for text in root.iter(f"{SVG}text"):
        x, y, size = (float(text.attrib[name]) for name in ("x", "y", "font-size"))
        found.texts[place_of(x, y - size / 3)].append(text.text or "")
    found.black = sum(rect.get("fill") == "currentColor" for rect in root.iter(f"{SVG}rect") if "x" in rect.attrib)
    return found


def heads_of(puzzle: Puzzle) -> Counter[tuple[int, int, Direction]]:
    """Return the arrows of a puzzle: each points into the first cell of its slot."""
    return Counter((*divmod(slot.cells[0], puzzle.width), slot.direction) for slot in puzzle.slots)


@pytest.mark.parametrize("style", [ARROWS, SOLUTION, replace(ARROWS, french=True)], ids=str)
def test_clues_stand_in_blocks(puzzle: Puzzle, style: PageStyle) -> None:
    data, told = write_puzzle(replace(puzzle, metadata={}), "svg", style)
    found = read(data)
    assert (told, found.black) == ([], 0)
    assert found.tinted == {divmod(at, 10) for at, answer in enumerate(puzzle.cells) if answer is None}
    assert found.heads == heads_of(puzzle)
    clues = {place: texts for place, texts in found.texts.items() if place in found.tinted}
    letters = {place: texts for place, texts in found.texts.items() if place not in found.tinted}
    answers = {divmod(at, 10): [answer] for at, answer in enumerate(puzzle.cells) if answer}
    assert letters == (answers if style.letters else {})
    assert clues.keys() == found.tinted
    written = [text for texts in clues.values() for text in " ".join(texts).replace(" clue", "\nclue").split("\n")]
    assert Counter(written) == Counter(puzzle.clues.values())
    for slot in puzzle.slots:
        row, column = divmod(slot.cells[0], 10)
        assert puzzle.clue(slot) in " ".join(found.texts[row, column - 1] + found.texts[row - 1, column])


@pytest.mark.parametrize("name", ["html", "pdf", "png"])
def test_every_drawing_but_latex_has_arrows(puzzle: Puzzle, name: str) -> None:
    data, told = write_puzzle(puzzle, name, ARROWS)
    assert told == []
    assert data not in {write_puzzle(puzzle, name)[0], write_puzzle(puzzle, name, SOLUTION)[0]}


def test_a_page_has_a_blank_grid_and_a_solution(puzzle: Puzzle) -> None:
    text = write_puzzle(puzzle, "html", ARROWS)[0].decode()
    assert text.count("<svg") == 2
    assert text.count('fill-opacity="0.08"') == 2 * puzzle.cells.count(None)
    assert "<dl>" not in text


def test_latex_has_no_arrows(puzzle: Puzzle) -> None:
    with pytest.raises(FormatError, match=r"has arrows \(svg, html, pdf, png\) for --layout arrows, found latex"):
        write_puzzle(puzzle, "latex", ARROWS)


def test_pdf_has_a_page_of_clues_and_a_solution(puzzle: Puzzle) -> None:
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


@pytest.mark.parametrize("kind", ["svg", "html", "pdf", "png"])
def test_slots_of_too_long_clues_are_named(puzzle: Puzzle, kind: str) -> None:
    slot = puzzle.slots[0]
    long = {**puzzle.clues, (slot.direction, slot.number): "something very long " * 20}
    told = write_puzzle(replace(puzzle, clues=long), kind, ARROWS)[1]
    assert told == [f"clues too long for their cells, set smaller than 4.5 pt: {slot.name}"]


def test_clues_of_no_slot_are_dropped(puzzle: Puzzle) -> None:
    data, told = write_puzzle(replace(puzzle, clues={(ACROSS, 99): "of no slot"}, metadata={}), "svg", ARROWS)
    assert told == ["dropped 1 clue of no slot"]
    assert read(data).texts == {}


@pytest.mark.parametrize(("french", "mark"), [(False, NO_CLUE), (True, "[sans définition]")])
def test_slots_without_a_clue_are_marked(puzzle: Puzzle, french: bool, mark: str) -> None:
    slot = puzzle.slots[0]
    partly = replace(puzzle, clues={(slot.direction, slot.number): "Quoi ?"}, metadata={})
    words = read(write_puzzle(partly, "svg", replace(ARROWS, french=french))[0]).words
    assert ("Quoi\u202f?" in words) == french
    assert words.count(mark) == len(puzzle.slots) - 1


@pytest.mark.parametrize(
    ("puzzle", "lacking"),
    [
        (Puzzle(2, 2, ("A", "B", "C", "D")), "1-Across, 3-Across, 1-Down, 2-Down"),
        (Puzzle(2, 3, (None, "A", "B", None, "C", "D"), voids=frozenset({3})), "3-Across, 2-Down"),
    ],
    ids=["no block", "a void"],
)
def test_slots_without_a_clue_cell_are_named(puzzle: Puzzle, lacking: str) -> None:
    with pytest.raises(GridError, match=f"none for {lacking}"):
        write_puzzle(puzzle, "svg", ARROWS)


def test_pictures_are_as_large_as_text_needs(puzzle: Puzzle) -> None:
    image = pytest.importorskip("PIL.Image")
    width, height = image.open(BytesIO(write_puzzle(puzzle, "png", ARROWS)[0])).size
    assert (width > 1200, height > 1400) == (True, True)


@given(st.lists(st.lists(st.sampled_from([None, "", "A"]), min_size=6, max_size=6), min_size=2, max_size=6))
def test_arrows_of_any_grid_point_to_its_slots(rows: list[list[str | None]]) -> None:
    try:
        puzzle = Puzzle(len(rows), 6, tuple(itertools.chain.from_iterable(rows)))
        data, _ = write_puzzle(puzzle, "svg", SOLUTION)
    except GridError:
        return
    assert read(data).heads == heads_of(puzzle)
