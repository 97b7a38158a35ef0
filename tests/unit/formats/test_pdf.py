"""Printed pages, read back from PDF by pypdf."""

from __future__ import annotations

import io
import itertools
import random
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pypdf import PdfReader

from cpfill.base.errors import CpfillError, InputError
from cpfill.formats.pages.style import SERIF as SERIF_CHARSETS
from cpfill.formats.pages.style import PageLayout, PageStyle, Paper
from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.golden.mini import MINI

if TYPE_CHECKING:
    from collections.abc import Iterable

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
EDGE = 20
"""The margin of every printer, in points, as all lengths here."""
SIZES = {Paper.A4: (595, 842), Paper.LETTER: (612, 792)}
SERIF, BOLD, SANS = "SourceSerifPro-Regular", "SourceSerifPro-Bold", "BitstreamVeraSans-Roman"
BLANK = PageStyle(letters=False)
MANUSCRIPT = PageStyle(layout=PageLayout.SUBMISSION)


def puzzle_of(side: int, slots: int, lengths: tuple[int, int] = (10, 45)) -> Puzzle:
    """Return a square puzzle of about so many slots, with a clue of so many characters for each."""
    rng = random.Random(side)
    puzzle = MINI
    while abs(len(puzzle.slots) - slots) > 3:
        blocks = {cell for cell in range(side * side) if rng.random() < 0.085}
        blocks |= {side * side - 1 - cell for cell in blocks}
        puzzle = Puzzle(side, side, tuple(None if cell in blocks else "E" for cell in range(side * side)))
    clues = {}
    for slot in puzzle.slots:
        words = [rng.choice(["a", "the", "river", "film", "Roman", "statesman", "place", "to"]) for _ in range(99)]
        clues[slot.direction, slot.number] = " ".join(words)[: rng.randint(*lengths)].strip()
    return replace(puzzle, clues=clues, metadata={PuzzlePart.TITLE: "A title", PuzzlePart.COPYRIGHT: "2026 Somebody"})


@dataclass(frozen=True)
class Text:
    """A text of a page: where its base line starts, from the lower left corner."""

    x: float
    y: float
    size: float
    font: str
    text: str


def read(data: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(data))


def texts_of(data: bytes) -> list[list[Text]]:
    """Return the texts of each page, in the order in which they are written."""
    pages = []
    for page in read(data).pages:
        found: list[Text] = []

        def visit(*said: Any, into: list[Text] = found) -> None:
            text, outer, inner, font, size = said
            if text.strip():
                name = font["/BaseFont"].partition("+")[2]
                into.append(Text(outer[4] + inner[4], outer[5] + inner[5], size, name, text.rstrip("\n")))

        page.extract_text(visitor_text=visit)
        pages.append(found)
    return pages


def draw(puzzle: Puzzle, style: PageStyle = BLANK) -> list[list[Text]]:
    return texts_of(write_puzzle(puzzle, "pdf", style)[0])


def inside(page: Iterable[Text], paper: Paper = Paper.A4) -> bool:
    width, height = SIZES[paper]
    return all(EDGE <= text.x <= width - EDGE and EDGE <= text.y <= height - EDGE for text in page)


def lines_of_clues(page: Iterable[Text]) -> list[Text]:
    """Return the lines of clues, all that is serif but the copyright at the foot and the titles of further pages."""
    return [text for text in page if text.font == SERIF and text.y > 2 * EDGE and "(continued)" not in text.text]


def is_label(text: Text) -> bool:
    return text.font == BOLD and bool(re.fullmatch(r"\d+|[IVXLC]+", text.text))


def read_clues(page: list[Text]) -> list[tuple[str, str]]:
    """Return labels with their clues: a clue begins to the right of its label, and goes on straight below."""
    clues: list[tuple[str, list[Text]]] = []
    lines = lines_of_clues(page)
    for text in page:
        if is_label(text):
            clues.append((text.text, []))
            label = text
        elif clues and text in lines:
            above = (clues[-1][1] or [text])[0]
            assert text.x == pytest.approx(above.x)
            assert above.y == pytest.approx(label.y)
            assert (text.x > label.x, text.y <= above.y) == (True, True)
            clues[-1][1].append(text)
    return [(label, " ".join(line.text for line in lines)) for label, lines in clues]


# Fonts, paper, pages


def test_documents_are_drawn_at_the_same_time_as_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzles = [replace(MINI, metadata={PuzzlePart.NOTES: notes}) for notes in ("Aé ï", "bçd", "ÀÉ ûx")]
    parser_of_fonts = pytest.importorskip("reportlab.pdfbase.ttfonts").TTFontParser
    seek = parser_of_fonts.seek

    def seek_and_give_way(parser: Any, to: int) -> None:
        seek(parser, to)
        time.sleep(0)

    def draw(puzzle: Puzzle) -> bytes:
        return write_puzzle(puzzle, "pdf")[0]

    alone = [draw(puzzle) for puzzle in puzzles]
    monkeypatch.setattr(parser_of_fonts, "seek", seek_and_give_way)
    with ThreadPoolExecutor(len(puzzles)) as threads:
        assert list(threads.map(draw, puzzles)) == alone


def test_fonts_are_embedded() -> None:
    for page in read(write_puzzle(MINI, "pdf")[0]).pages:
        fonts: Any = page["/Resources"]
        fonts = [font.get_object() for font in fonts["/Font"].values()]
        assert fonts
        assert all(re.match(r"/[A-Z]{6}\+", font["/BaseFont"]) for font in fonts)  # a subset of its own
        assert all("/FontFile2" in font["/FontDescriptor"] for font in fonts)
    fonts_used = {text.font for page in draw(MINI, PageStyle()) for text in page}
    assert fonts_used == {SERIF, BOLD, SANS}


@pytest.mark.parametrize("paper", [None, *Paper])
def test_the_paper(paper: Paper | None) -> None:
    for page in read(write_puzzle(MINI, "pdf", PageStyle(paper=paper))[0]).pages:
        size = page.mediabox
        assert (round(float(size.width)), round(float(size.height))) == SIZES[paper or Paper.A4]


@pytest.mark.parametrize("french", [False, True])
def test_the_solution_has_its_own_page(french: bool) -> None:
    puzzle = puzzle_of(15, 78)
    blank, solution = draw(puzzle, PageStyle(french=french))
    assert "E" not in {text.text for text in blank}
    assert [(text.text, text.font) for text in solution].count(("E", SANS)) == puzzle.cells.count("E")
    assert re.fullmatch("Solution : A title" if french else "Solution: A title", solution[0].text)


def test_letters_with_accents_are_shown() -> None:
    said = "« Où ça ? » — l\u2019œuvre d\u2019Été, naïve… à 5 € (Dvořák, Łódź, Čiurlionis, Чехов, Ελύτης, Şafak)"
    assert [text for _, text in read_clues(draw(Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): said}))[0])] == [said]


def test_letters_that_one_font_lacks_take_the_other() -> None:
    puzzle = Puzzle(1, 4, ("Ř", "A", "Ж", "語"), {(ACROSS, 1): "œuf あ"})
    (page,) = draw(puzzle, PageStyle(letters=True))
    drawn = [(text.text, text.font) for text in page if not text.text.isdigit()]
    assert drawn[1:] == [("Ř", SERIF), ("A", SANS), ("Ж", SERIF), ("?", SERIF)]
    assert write_puzzle(puzzle, "pdf")[1] == ["showed ? for あ 語, which its fonts lack"]


@pytest.mark.parametrize("name", ["Regular", "Bold"])
def test_the_font_has_its_charsets(name: str) -> None:
    ttfonts = pytest.importorskip("reportlab.pdfbase.ttfonts")
    package = pytest.importorskip("font_source_serif_pro")
    path = Path(package.__file__).with_name("files") / f"SourceSerifPro-{name}.ttf"
    has = ttfonts.TTFontFile(str(path)).charToGlyph
    for charset in SERIF_CHARSETS:
        chars = bytes(range(32, 256)).decode(charset, "ignore")
        assert [char for char in chars if char.isprintable() and ord(char) not in has] == []


def test_a_missing_font_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from cpfill.formats.pages import pdf as pdf_canvas

    def without(name: str) -> object:
        if name.startswith("font"):
            raise ImportError(f"No module named '{name}'")
        return __import__(name, fromlist=["x"])

    pdf_canvas.load_fonts.cache_clear()
    monkeypatch.setattr("cpfill.base.imports.import_module", without)
    with pytest.raises(CpfillError, match=r"PDF needs font-source-serif-pro .*: pip install font-source-serif-pro"):
        write_puzzle(MINI, "pdf")


# Clues


@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize("french", [False, True])
@pytest.mark.parametrize(("side", "slots", "least"), [(13, 36, 11.0), (15, 78, 9.0), (21, 140, 7.0)])
def test_a_usual_puzzle_fills_a_page(side: int, slots: int, least: float, french: bool, paper: Paper) -> None:
    puzzle = puzzle_of(side, slots)
    style = PageStyle(letters=False, french=french, paper=paper)
    (page,) = draw(puzzle, style)
    written = [clue for _, listed in style.list_headed_clues(puzzle) for clue in listed]
    assert read_clues(page) == written
    sizes = {line.size for line in lines_of_clues(page)}
    assert min(sizes) >= least
    assert inside(page, paper)
    lowest = min(line.y for line in lines_of_clues(page))
    assert lowest < 0.15 * SIZES[paper][1] or max(sizes) == 11.5


@pytest.mark.parametrize("length", [80, 120, 200])
def test_no_page_has_a_sliver_of_clues(length: int) -> None:
    puzzle = puzzle_of(21, 140, (length, length))
    first, *further = draw(puzzle)
    assert further
    pages = [first, *further]
    counts = [len(lines_of_clues(page)) for page in pages]
    assert counts[-1] >= max(counts) / 4
    assert all(map(inside, pages))
    numbers = [text.text for page in pages for text in page if is_label(text)]
    assert numbers == [label for _, listed in BLANK.list_headed_clues(puzzle) for label, _ in listed]
    for page in further:
        assert "A title (continued)" in {text.text for text in page}


def test_few_clues_stand_in_all_columns() -> None:
    (page,) = draw(MINI)
    grid = min(text.y for text in page if text.font == SANS)
    headings = {text.text: text for text in page if text.text in {"Across", "Down"}}
    assert headings["Across"].x < headings["Down"].x
    assert all(heading.y < grid for heading in headings.values())


@pytest.mark.parametrize("style", [BLANK, MANUSCRIPT], ids=["newspaper", "submission"])
@pytest.mark.parametrize("part", [PuzzlePart.TITLE, PuzzlePart.NOTES, PuzzlePart.COPYRIGHT, PuzzlePart.CLUES])
@pytest.mark.parametrize("text", ["words " * 1000, "x" * 5000])
def test_a_long_text_is_all_there(part: PuzzlePart, text: str, style: PageStyle) -> None:
    puzzle = replace(MINI, metadata={part: text})
    if part is PuzzlePart.CLUES:
        puzzle = replace(MINI, clues={(ACROSS, 1): text})
    found = draw(puzzle, style)
    assert all(map(inside, found))
    joined = "".join(one.text for page in found for one in page).replace(" ", "")
    if style is BLANK:
        assert text.replace(" ", "") in joined
    elif part is PuzzlePart.CLUES:
        assert joined.count(text[:5]) > 900


# The manuscript


def read_rows(page: list[Text], number: int) -> list[list[str]]:
    """Return the rows of a further page of a manuscript: a heading, or a number, a clue of some lines, an answer."""
    rows: list[list[str]] = []
    (_, head), *levels = ((y, [*line]) for y, line in itertools.groupby(page, lambda text: round(text.y, 1)))
    assert [text.text for text in head] == ["A. Setter / A title", str(number)]
    for (above, _), (below, _) in itertools.pairwise(levels):
        assert above - below >= 2 * 11 - 0.1
    for _, texts in levels:
        if texts[0].font == BOLD or texts[0].text.isdigit():
            rows.append([text.text for text in texts])
        else:
            rows[-1][1] += f" {texts[0].text}"
    return rows


def test_a_manuscript_has_every_clue_beside_its_answer() -> None:
    puzzle = puzzle_of(15, 78, (10, 120))
    rng = random.Random(3)
    puzzle = replace(
        puzzle,
        metadata={PuzzlePart.TITLE: "A title", PuzzlePart.AUTHOR: "A. Setter"},
        cells=tuple(answer and rng.choice("ABCDE") for answer in puzzle.cells),
    )
    first, *lists = draw(puzzle, MANUSCRIPT)
    said = {text.text for text in first}
    assert {"A title", "A. Setter", "15 x 15", f"{len(puzzle.slots)} words"} <= said
    assert f"{puzzle.cells.count(None)} blocks" in said
    grid = Counter(text.text for text in first if text.font == SANS)
    assert grid == Counter(filter(None, puzzle.cells)) + Counter(map(str, puzzle.numbers.values()))
    assert all(map(inside, lists))
    rows = [row for number, page in enumerate(lists, 2) for row in read_rows(page, number)]
    for heading, direction in (("ACROSS", ACROSS), ("DOWN", DOWN)):
        assert rows.pop(0) == [heading]
        for slot in puzzle.slots:
            if slot.direction is direction:
                assert rows.pop(0) == [str(slot.number), puzzle.clue(slot), puzzle.answer(slot)]
    assert not rows


def test_a_manuscript_leaves_room_for_clues_and_name() -> None:
    first, *lists = draw(Puzzle(2, 2, ("A", "B", "C", "D")), MANUSCRIPT)
    assert [text.text for text in first if text.font != SANS] == ["2 x 2", "4 words", "0 blocks"]
    assert [text.text for page in lists for text in page] == [
        "2", "ACROSS", "1", "AB", "3", "CD", "DOWN", "1", "AC", "2", "BD",
    ]  # fmt: skip


@pytest.mark.parametrize("more", [{"french": True}, {"letters": True}, {"letters": False}])
def test_a_manuscript_is_of_one_kind(more: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected --layout submission alone"):
        PageStyle(layout=PageLayout.SUBMISSION, **more)
