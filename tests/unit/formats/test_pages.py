"""Drawings of puzzles, read back from the files."""

from __future__ import annotations

import io
import itertools
import random
import re
import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cpfill.formats.pages.plan import TextBlock, TextColumn, TextLine, break_lines, make_blocks, pages
from cpfill.formats.pages.style import PageLayout, PageStyle, Paper
from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.clues import NO_CLUE
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import SHADE, PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.golden.mini import MINI
from tests.tables import read_table
from tests.unit.formats.test_pdf import puzzle_of

if TYPE_CHECKING:
    from pathlib import Path

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
CLUES = read_table("unit/formats/typography.toml")


# Clues

PARTLY = Puzzle(1, 5, ("A", "B", None, "C", "D"), {(ACROSS, 1): "one", (DOWN, 9): "of no slot"})


@pytest.mark.parametrize(
    ("french", "listed"),
    [
        (False, [("Across", [("1", "one"), ("2", NO_CLUE)]), ("Down", [("9", "of no slot")])]),
        (True, [("Horizontalement", [("I", "one. [sans définition].")]), ("Verticalement", [("9", "of no slot")])]),
    ],
)
def test_a_slot_without_a_clue_is_listed(french: bool, listed: object) -> None:
    style = PageStyle(french=french)
    assert style.list_headed_clues(PARTLY) == listed
    assert style.list_headed_clues(replace(PARTLY, clues={})) == []


@pytest.mark.parametrize("french", [False, True])
@pytest.mark.parametrize("name", ["svg", "html", "latex"])
def test_every_drawing_marks_slots_without_a_clue(name: str, french: bool) -> None:
    drawn = write_puzzle(PARTLY, name, PageStyle(french=french))[0].decode()
    assert ("[sans définition]" in drawn, NO_CLUE in drawn) == (french, not french)


@pytest.mark.parametrize(("language", "text"), [(name, text) for name in ("french", "english") for text in CLUES[name]])
def test_a_clue_is_printed_as_its_language_prints_it(language: str, text: str) -> None:
    expected = CLUES[language][text].translate(str.maketrans("~_`^", "\u202f\u00a0\u2018\u2019"))
    listed = {"french": ("Horizontalement", [("I", expected)]), "english": ("Across", [("1", expected)])}
    for clue in (text, expected):  # a clue set well already stays
        puzzle = Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): clue})
        assert PageStyle(french=language == "french").list_headed_clues(puzzle) == [listed[language]]


ENGLISH = re.compile(r"\b(across|down|crossword|solution:|clue|continued|by|blocks|words)\b", re.IGNORECASE)


@pytest.mark.parametrize("name", ["svg", "html", "latex"])
@pytest.mark.parametrize("letters", [None, True])
def test_a_french_page_has_no_english_word(name: str, letters: bool | None) -> None:
    puzzle = replace(PARTLY, metadata={PuzzlePart.TITLE: "Titre"})
    drawn = write_puzzle(puzzle, name, PageStyle(letters, french=True))[0].decode()
    shown = re.sub(r"<style>.*?</style>|<[^>]*>|\\[A-Za-z]+|%.*", " ", drawn, flags=re.DOTALL if name == "html" else 0)
    assert not ENGLISH.findall(shown)
    if letters and name != "svg":
        assert "Solution\u00a0: Titre" in drawn


# Circles


@pytest.mark.parametrize(("french", "whole", "cut"), [(False, 1, 1), (True, 2, 0)])
def test_a_circle_leaves_the_number_alone(french: bool, whole: int, cut: int) -> None:
    puzzle = Puzzle(1, 3, ("A", "B", "C"), circles=frozenset({0, 1}))
    drawn = write_puzzle(puzzle, "svg", PageStyle(french=french))[0]
    assert (drawn.count(b"<circle"), drawn.count(b"<path")) == (whole, cut)
    latex = write_puzzle(puzzle, "latex", PageStyle(french=french))[0]
    row = next(line for line in latex.splitlines() if line.startswith(b"|"))
    assert (row.count(b"[o]"), row.count(b"[c]")) == (whole, cut)


# Shades


def contrast_with_black(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05) / 0.05


@pytest.mark.parametrize("colour", ["#000000", "#ff0000", "#00ff00", "#0000ff", "#ff00ff", "#d3d3d3"])
def test_letters_stand_out_on_every_shade(colour: str) -> None:
    drawn = write_puzzle(Puzzle(1, 2, ("A", "B"), shades={0: colour}), "svg")[0].decode()
    (fill,) = re.findall(r'fill="(#[0-9a-f]{6})"', drawn)
    assert contrast_with_black(fill) > 9


def test_shades_keep_their_colours() -> None:
    puzzle = Puzzle(1, 3, ("A", "B", "C"), shades={0: "#ffd966", 1: SHADE})
    image = pytest.importorskip("PIL.Image")
    picture = image.open(io.BytesIO(write_puzzle(puzzle, "png")[0])).convert("RGB")
    middles = [picture.getpixel((10 + int(48 * (cell + 0.7)), picture.height // 2)) for cell in range(3)]
    assert middles == [(255, 217, 102), (211, 211, 211), (255, 255, 255)]
    lines = write_puzzle(puzzle, "latex")[0].decode().splitlines()
    assert r"\definecolor{shade1}{rgb}{1.000,0.851,0.400}\PuzzleDefineColorCell{1}{shade1}" in lines
    assert "|[1][1f]{{A}} |[][0f]{{B}} |[][f]{{C}} |." in lines
    assert write_puzzle(puzzle, "pdf")[1] == []


def test_drawings_show_each_letter_of_a_cell() -> None:
    puzzle = Puzzle(1, 3, ("C", "A", "T"), alternatives={0: ("B", "C"), 2: ("T", "R")})
    for name, looks in (("svg", ">C/B</text>"), ("html", ">T/R</text>"), ("latex", "{{C/B}}")):
        assert looks in write_puzzle(puzzle, name, PageStyle(letters=True))[0].decode()
        assert "/B<" not in write_puzzle(puzzle, name, PageStyle(letters=False))[0].decode()
    bank = PageStyle(word_bank=True).list_bank(puzzle)
    assert bank == ["BAT", "CAR", "CAT"]
    manuscript = write_puzzle(puzzle, "html", PageStyle(layout=PageLayout.SUBMISSION))[0].decode()
    assert "CAT/BAT/CAR" in manuscript


# Givens

GIVENS = Puzzle(1, 3, ("Q", "IT", "Z"), givens=frozenset({0, 1}))
BLANK = PageStyle(letters=False)


@pytest.mark.parametrize("name", ["svg", "html"])
def test_given_letters_stand_in_the_blank_grid(name: str) -> None:
    drawn = write_puzzle(GIVENS, name, BLANK)[0].decode()
    assert re.findall(r">([A-Z]+)</text>", drawn) == ["Q", "IT"]


def test_given_letters_stand_in_the_blank_grid_of_latex() -> None:
    drawn = write_puzzle(GIVENS, "latex", BLANK)[0].decode()
    placed = re.findall(r"\\put\((\d,\d)\)\{\\PuzzleFont\\PuzzleSolutionContent\{(\w+)\}\}", drawn)
    assert placed == [("0,0", "Q"), ("1,0", "IT")]


@pytest.mark.parametrize("name", ["png", "pdf"])
def test_given_letters_are_drawn(name: str) -> None:
    assert write_puzzle(GIVENS, name, BLANK) != write_puzzle(replace(GIVENS, givens=frozenset()), name, BLANK)


def test_given_letters_are_dropped_by_xd() -> None:
    assert write_puzzle(GIVENS, "xd")[1] == ["dropped 2 givens"]


# PNG


def test_letters_with_accents_are_drawn() -> None:
    letters = "NÑAÅÄOÖEÉCÇŒŠØÆ?"
    drawn = {write_puzzle(Puzzle(1, 2, (letter, "X")), "png", PageStyle(letters=True))[0] for letter in letters}
    assert len(drawn) == len(letters)


def test_a_letter_that_the_font_lacks_is_a_question_mark() -> None:
    puzzle = Puzzle(1, 2, ("Ж", "X"), {(ACROSS, 1): "Ω"})
    unknown, losses = write_puzzle(puzzle, "png", PageStyle(letters=True))
    mark, none = write_puzzle(replace(puzzle, cells=("?", "X")), "png", PageStyle(letters=True))
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
    (where / "x.tex").write_text(document, encoding="utf-8")
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    done = subprocess.run(command, cwd=where, capture_output=True, check=False, timeout=60)
    said = done.stdout.decode("latin-1")
    assert done.returncode == 0, said
    return said


@pytest.mark.parametrize("paper", [None, *Paper])
def test_a_document_has_its_paper_and_two_pages(paper: Paper | None) -> None:
    lines = write_puzzle(MINI, "latex", PageStyle(paper=paper))[0].decode().splitlines()
    assert rf"\documentclass[10pt,{paper or 'a4'}paper]{{article}}" in lines
    turn = lines.index(r"\newpage")
    assert r"\PuzzleUnsolved" in lines[:turn]
    assert r"\PuzzleSolution[true]" in lines[turn:]
    assert lines.count(r"\newpage") == 1


@pytest.mark.parametrize("paper", Paper)
def test_a_usual_document_takes_two_pages(paper: Paper, pdflatex: str, tmp_path: Path) -> None:
    document = write_puzzle(puzzle_of(15, 78), "latex", PageStyle(paper=paper))[0].decode()
    assert "(2 pages" in typeset(pdflatex, document, tmp_path)


@pytest.mark.parametrize("style", [PageStyle(), PageStyle(french=True), PageStyle(letters=True)], ids=str)
def test_a_document_compiles(style: PageStyle, pdflatex: str, tmp_path: Path) -> None:
    said = typeset(pdflatex, write_puzzle(MINI, "latex", style)[0].decode(), tmp_path)
    assert f"({2 if style.letters is None else 1} page" in said
    assert "Overfull" not in said


def test_long_answers_stay_in_their_cells(pdflatex: str, tmp_path: Path) -> None:
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
def test_breaking_a_text_measures_little(text: str) -> None:
    measured: list[str] = []

    def width(part: str) -> float:
        measured.append(part)
        return len(part)

    break_lines(text * 10_000, 30, width)
    assert sum(map(len, measured)) <= 3 * len(text) * 10_000


def block(height: float, space: float = 0.0) -> TextBlock:
    return TextBlock((TextLine("x", height, height),), space)


def depth(blocks: tuple[TextBlock, ...]) -> float:
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


def test_the_rest_goes_on_further_pages() -> None:
    blocks = [block(1) for _ in range(25)]
    first, further = [TextColumn(0, 0, 3), TextColumn(1, 9, 3)], [TextColumn(0, 0, 10), TextColumn(1, 0, 10)]
    assert [[len(taken) for _, taken in page] for page in pages(blocks, first, further)] == [[3, 0], [10, 10], [1, 1]]


def test_a_short_paragraph_stays_in_its_column() -> None:
    lines = [TextLine(str(number), 1, 1) for number in range(20)]
    assert [len(one.lines) for one in make_blocks(lines[:3], 1)] == [3]
    assert [len(one.lines) for one in make_blocks(lines, 1)] == [1] * 20
    assert make_blocks([], 1) == []
