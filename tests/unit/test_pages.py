"""What drawings of puzzles look like: read back from the files, by means of their own."""

from __future__ import annotations

import base64
import itertools
import random
import re
import shutil
import subprocess
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from cpfill.clues.placing import NO_CLUE
from cpfill.formats.pages.columns import TextBlock, TextColumn, TextLine, break_lines, make_blocks, pages
from cpfill.formats.pages.style import PageStyle
from cpfill.formats.puzzles import write_puzzle
from cpfill.grid import Direction
from cpfill.puzzle import Puzzle, PuzzlePart
from tests.golden.mini import MINI

if TYPE_CHECKING:
    from pathlib import Path

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
EDGE, WIDTH, HEIGHT = 20, 595, 842
"""What every printer can do on A4, in points."""


def puzzle_of(side: int, slots: int) -> Puzzle:
    """Return a square puzzle of about so many slots, with a clue of 25 to 40 characters for each."""
    rng = random.Random(side)
    puzzle = MINI
    while abs(len(puzzle.slots) - slots) > 3:
        blocks = {cell for cell in range(side * side) if rng.random() < 0.085}
        blocks |= {side * side - 1 - cell for cell in blocks}
        puzzle = Puzzle(side, side, tuple(None if cell in blocks else "E" for cell in range(side * side)))
    clues = {}
    for slot in puzzle.slots:
        words = [rng.choice(["a", "the", "river", "film", "Roman", "statesman", "place", "to"]) for _ in range(40)]
        clues[slot.direction, slot.number] = " ".join(words)[: rng.randint(25, 40)]
    return replace(puzzle, clues=clues, metadata={PuzzlePart.TITLE: "A title", PuzzlePart.COPYRIGHT: "2026 Somebody"})


# What is listed

PARTLY = Puzzle(1, 5, ("A", "B", None, "C", "D"), {(ACROSS, 1): "one", (DOWN, 9): "of no slot"})


def test_a_slot_without_a_clue_is_listed() -> None:
    assert PageStyle().list_headed_clues(PARTLY) == [
        ("Across", [("1", "one"), ("2", NO_CLUE)]),
        ("Down", [("9", "of no slot")]),
    ]
    assert PageStyle(french=True).list_headed_clues(PARTLY) == [
        ("Horizontalement", [("I", f"one. {NO_CLUE}.")]),
        ("Verticalement", [("9", "of no slot")]),
    ]
    assert PageStyle().list_headed_clues(replace(PARTLY, clues={})) == []


@pytest.mark.parametrize("french", [False, True])
@pytest.mark.parametrize("name", ["svg", "html", "latex"])
def test_every_drawing_marks_what_has_no_clue(name: str, french: bool) -> None:
    assert NO_CLUE in write_puzzle(PARTLY, name, PageStyle(french=french))[0].decode()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Mot", "Mot."),
        ("Mot !", "Mot !"),
        ("Mot (3,4)", "Mot (3,4)."),
        ("Mot. (3,4)", "Mot. (3,4)"),
        ("Vraiment ? (mot d'enfant)", "Vraiment ? (mot d'enfant)"),
        ("Il dit « non. »", "Il dit « non. »"),
        ("Il dit « non »", "Il dit « non »."),
        ("(Mot.)", "(Mot.)"),
        ("(mot)", "(mot)."),
        ("Mot)", "Mot)."),
    ],
)
def test_a_french_clue_ends_as_a_sentence(text: str, sentence: str) -> None:
    puzzle = Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): text})
    assert PageStyle(french=True).list_headed_clues(puzzle) == [("Horizontalement", [("I", sentence)])]


# Circles


def test_a_circle_leaves_the_number_alone() -> None:
    puzzle = Puzzle(1, 3, ("A", "B", "C"), circles=frozenset({0, 1}))
    for french, whole, cut in [(False, 1, 1), (True, 2, 0)]:
        drawn = write_puzzle(puzzle, "svg", PageStyle(french=french))[0].decode()
        assert (drawn.count("<circle"), drawn.count("<path")) == (whole, cut)
        lines = write_puzzle(puzzle, "latex", PageStyle(french=french))[0].decode().splitlines()
        row = next(line for line in lines if line.startswith("|"))
        assert (row.count("[o]"), row.count("[c]")) == (whole, cut)


# PNG


def test_letters_with_accents_are_drawn() -> None:
    letters = "NÑAÅÄOÖEÉCÇŒŠØÆ?"
    drawn = {write_puzzle(Puzzle(1, 2, (letter, "X")), "png", PageStyle(letters=True))[0] for letter in letters}
    assert len(drawn) == len(letters)


def test_what_the_font_lacks_is_a_question_mark() -> None:
    (unknown, losses), (mark, none) = (
        write_puzzle(Puzzle(1, 2, (letter, "X"), {(ACROSS, 1): "Ω"}), "png", PageStyle(letters=True)) for letter in "Ж?"
    )
    assert unknown == mark
    assert losses == [*none, "showed ? for Ж, which its fonts lack"]


# LaTeX


@pytest.fixture(scope="module")
def pdflatex() -> str:
    """The program; the package has to be there as well."""
    path = shutil.which("pdflatex")
    if path is None or not found_by_tex("cwpuzzle.sty"):
        pytest.skip("pdflatex or cwpuzzle is not there (on Debian: apt-get install texlive-games)")
    return path


def found_by_tex(name: str) -> bool:
    return subprocess.run(["kpsewhich", name], capture_output=True, check=False).returncode == 0


def typeset(pdflatex: str, document: str, where: Path) -> str:
    """Compile a document, and return what TeX said."""
    (where / "x.tex").write_text(document, encoding="utf-8")
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    done = subprocess.run(command, cwd=where, capture_output=True, check=False, timeout=60)
    said = done.stdout.decode("latin-1")
    assert done.returncode == 0, said
    return said


@pytest.mark.parametrize("style", [PageStyle(), PageStyle(french=True), PageStyle(letters=True)], ids=str)
def test_a_document_compiles(style: PageStyle, pdflatex: str, tmp_path: Path) -> None:
    said = typeset(pdflatex, write_puzzle(MINI, "latex", style)[0].decode(), tmp_path)
    assert f"({2 if style.letters is None else 1} page" in said
    assert "Overfull" not in said


def test_letters_survive_and_long_answers_stay_in_their_cells(pdflatex: str, tmp_path: Path) -> None:
    if shutil.which("pdftotext") is None or not found_by_tex("cmap.sty"):
        pytest.skip("pdftotext or the package cmap is not there")
    puzzle = Puzzle(1, 5, ("Š", "ABCDEFGHIJ", "É", "Œ", "*"))
    document = write_puzzle(puzzle, "latex", PageStyle(letters=True))[0].decode()
    document = document.replace("\n", "\n\\usepackage{cmap}\n", 1)  # says which letters the glyphs are
    typeset(pdflatex, document, tmp_path)
    boxes = subprocess.run(["pdftotext", "-bbox", "x.pdf", "-"], cwd=tmp_path, capture_output=True, check=True).stdout
    words = re.findall(r'xMin="([\d.]+)".*xMax="([\d.]+)".*>(.+)</word>', boxes.decode())
    placed = {text: (float(left), float(right)) for left, right, text in words}
    assert {"Š", "ABCDEFGHIJ", "É", "Œ"} <= placed.keys()
    left, right = placed["ABCDEFGHIJ"]
    assert right - left < 20
    assert placed["Š"][1] < left
    assert right < placed["É"][0]


# PDF


@dataclass(frozen=True)
class Text:
    """A text of a page: where its base line starts, from the lower left corner, in points."""

    x: float
    y: float
    size: float
    bold: bool
    text: str


def texts_of(data: bytes) -> list[list[Text]]:
    """Return the texts of each page."""
    found = []
    bold = re.findall(rb"/BaseFont /\w+\+BitstreamVeraSans-Bold [^<>]*?/Name /(F\d)", data)
    for stream in re.findall(
        rb"/ASCII85Decode /FlateDecode \][^<>]*>>\s*stream\r?\n(.*?)~>\s*endstream", data, re.DOTALL
    ):
        content = zlib.decompress(base64.a85decode(stream)).decode("latin-1")
        shown = re.findall(r"BT 1 0 0 1 (\S+) (\S+) Tm /(F\d)\+0 (\S+) Tf \S+ TL \((.*)\) Tj", content)
        found.append(
            [Text(float(x), float(y), float(size), font.encode() in bold, text) for x, y, font, size, text in shown]
        )
    return found


def test_fonts_are_embedded() -> None:
    data = write_puzzle(MINI, "pdf")[0]
    used = re.findall(rb"/BaseFont /(\S+)", data)
    assert len(used) == 2
    assert all(font[6:7] == b"+" for font in used)  # a subset of its own
    assert data.count(b"/FontFile2") == 2


def clues_on(page: list[Text]) -> list[Text]:
    """Return the texts that are neither headings, labels nor numbers, nor the copyright at the foot."""
    return [text for text in page if not text.bold and re.search(r"[a-z]|\.$", text.text) and text.y > EDGE]


@pytest.mark.parametrize("french", [False, True])
@pytest.mark.parametrize(("side", "slots"), [(15, 78), (21, 140)])
def test_a_usual_puzzle_takes_a_page(side: int, slots: int, french: bool) -> None:
    puzzle, style = puzzle_of(side, slots), PageStyle(letters=False, french=french)
    (page,) = texts_of(write_puzzle(puzzle, "pdf", style)[0])
    clues = clues_on(page)
    written = [text for _, listed in style.list_headed_clues(puzzle) for _, text in listed]
    assert " ".join(text.text for text in clues) == " ".join(written)
    assert min(text.size for text in clues) >= 6.0  # of a font with large small letters
    assert all(EDGE <= text.x <= WIDTH - EDGE and EDGE <= text.y <= HEIGHT - EDGE for text in page)


def test_few_clues_stand_in_all_columns() -> None:
    (page,) = texts_of(write_puzzle(MINI, "pdf", PageStyle(letters=False))[0])
    grid = min(text.y for text in page if text.text == "8" and not text.bold)
    columns = {text.x for text in page if text.bold and text.y < grid}
    assert len(columns) == 3


@pytest.mark.parametrize("part", [PuzzlePart.TITLE, PuzzlePart.NOTES, PuzzlePart.COPYRIGHT, PuzzlePart.CLUES])
@pytest.mark.parametrize("text", ["words " * 1000, "x" * 5000])
def test_a_long_text_is_all_there(part: PuzzlePart, text: str) -> None:
    puzzle = (
        replace(MINI, clues={(ACROSS, 1): text}) if part is PuzzlePart.CLUES else replace(MINI, metadata={part: text})
    )
    found = texts_of(write_puzzle(puzzle, "pdf", PageStyle(letters=False))[0])
    joined = "".join(text.text for page in found for text in page).replace(" ", "")
    assert text.replace(" ", "") in joined
    assert all(EDGE <= text.x <= WIDTH - EDGE and EDGE <= text.y <= HEIGHT - EDGE for page in found for text in page)


# Columns


def test_lines_are_as_long_as_they_can_be() -> None:
    rng = random.Random(1)
    for _ in range(100):
        words = ["w" * rng.randint(1, 9) for _ in range(rng.randint(0, 20))]
        lines = break_lines(" ".join(words), 12, len)
        assert " ".join(lines).split() == words
        for line, after in itertools.pairwise(lines):
            assert len(line) <= 12 < len(line) + 1 + len(after.split()[0])
    assert break_lines("ab " + "x" * 10 + " cd", 4, len) == ["ab", "xxxx", "xxxx", "xx", "cd"]
    assert break_lines("xyz", 0.5, len) == ["x", "y", "z"]


@pytest.mark.parametrize("text", ["ab ", "x"])
def test_breaking_a_text_measures_each_part_of_it_a_few_times(text: str) -> None:
    measured = 0

    def width(part: str) -> float:
        nonlocal measured
        measured += len(part)
        return len(part)

    break_lines(text * 10_000, 30, width)
    assert measured <= 3 * len(text) * 10_000


def block(height: float, space: float = 0.0) -> TextBlock:
    return TextBlock((TextLine("x", height, height),), space)


def depth(blocks: tuple[TextBlock, ...]) -> float:
    """Return the height of blocks in one column."""
    return sum(one.height for one in blocks) + sum(one.space for one in blocks[1:])


def test_columns_are_balanced_as_well_as_any() -> None:
    rng = random.Random(2)
    for _ in range(50):
        blocks = tuple(block(rng.choice([1, 1, 2, 3]), rng.choice([0, 0.5])) for _ in range(rng.randint(1, 14)))
        columns = [TextColumn(0, 0, 100), TextColumn(1, top := rng.choice([0, 4]), 100), TextColumn(2, top, 100)]
        (setting,) = pages(blocks, columns, [])
        assert tuple(one for _, taken in setting for one in taken) == blocks
        best = min(
            max(column.top + depth(part) for column, part in zip(columns, parts, strict=True) if part)
            for cuts in itertools.combinations_with_replacement(range(len(blocks) + 1), 2)
            for parts in [(blocks[: cuts[0]], blocks[cuts[0] : cuts[1]], blocks[cuts[1] :])]
        )
        assert max(column.top + depth(tuple(taken)) for column, taken in setting if taken) == pytest.approx(best)


def test_what_is_too_much_goes_on_further_pages() -> None:
    blocks = [block(1) for _ in range(25)]
    first, further = [TextColumn(0, 0, 3), TextColumn(1, 9, 3)], [TextColumn(0, 0, 10), TextColumn(1, 0, 10)]
    assert [[len(taken) for _, taken in page] for page in pages(blocks, first, further)] == [[3, 0], [10, 10], [1, 1]]


def test_a_short_paragraph_stands_in_one_column_and_a_long_one_in_several() -> None:
    lines = [TextLine(str(number), 1, 1) for number in range(20)]
    assert [len(one.lines) for one in make_blocks(lines[:3], 1)] == [3]
    assert [len(one.lines) for one in make_blocks(lines, 1)] == [1] * 20
    assert make_blocks([], 1) == []
