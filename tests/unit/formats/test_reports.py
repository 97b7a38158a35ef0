"""Small files after reports to other programs, in `tests/reports`: what is right was worked out by hand."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import FormatError
from cpfill.formats.registry import read_puzzle, templates_of, write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.support import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
REPORTS = ROOT / "tests" / "reports"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def report(name: str) -> Puzzle:
    return read_puzzle(REPORTS / name)


def clue_lines(puzzle: Puzzle) -> list[str]:
    lines = write_puzzle(puzzle, "exolve")[0].decode().splitlines()
    return [line.strip() for line in lines if line.startswith("    ")]


# .exolve


def test_linked_clues_are_written_as_they_were_read() -> None:
    puzzle = report("exolve-linked.exolve")
    assert {"5, 2d Both (5,5)", "2 See 5 Across"} <= set(clue_lines(puzzle))
    assert b"ignore-enum-mismatch" not in write_puzzle(puzzle, "exolve")[0]


def test_a_number_without_a_direction_is_the_slot_there() -> None:
    puzzle = report("exolve-linked-other-direction.exolve")
    assert (puzzle.clues[DOWN, 3], puzzle.unread) == ("See 5.", ())
    assert (ACROSS, 3) not in puzzle.clues
    assert "5,3 A linked pair (5,5)" in clue_lines(puzzle)


@pytest.mark.parametrize("name", ["exolve-linked.exolve", "exolve-linked-other-direction.exolve"])
def test_linked_clues_survive_another_format(name: str) -> None:
    puzzle = report(name)
    data, told = write_puzzle(puzzle, "ipuz")
    back = read_puzzle(data, kind="ipuz")
    assert (back.clues, told) == (puzzle.clues, [])
    assert clue_lines(back) == clue_lines(puzzle)


def test_enumerations_over_links_give_no_warning() -> None:
    puzzle = report("exolve-linked.exolve")
    linked = dict(puzzle.clues) | {(ACROSS, 5): "Both (5,5)"}
    for clues, silent in ((linked, True), (dict(puzzle.clues) | {(ACROSS, 4): "Wrong (4)"}, False)):
        written = Puzzle(5, 5, puzzle.cells, clues)
        assert (b"exolve-option: ignore-enum-mismatch" in write_puzzle(written, "exolve")[0]) is silent


def test_decorations_with_values_are_told() -> None:
    puzzle = report("exolve-decorator.exolve")
    assert puzzle.cells == ("C", "A", "T")
    assert "left out 2 cell marks: {1:red}, {1}" in puzzle.unread


# .jpz


def test_instructions_stand_in_the_notes() -> None:
    puzzle = report("jpz-instructions.jpz")
    assert puzzle.metadata[PuzzlePart.NOTES] == "Every answer loses a letter."
    assert puzzle.clues[ACROSS, 1] == "1/2 Linked pair (3,3)"


def test_pictures_and_letters_of_a_solver_are_told() -> None:
    assert report("jpz-extras.jpz").unread == (
        "left out 1 picture",
        "left out 1 letter of a solver",
        "left out 1 field: cell top-right-number",
    )


def test_a_word_that_is_no_slot_leaves_its_clue() -> None:
    puzzle = report("jpz-two-row-word.jpz")
    assert puzzle.unread == ("left out 1 clue: 1 Across",)
    assert set(puzzle.clues) == {(ACROSS, 5), (DOWN, 1), (DOWN, 2), (DOWN, 3)}


@pytest.mark.parametrize("kind", ["acrostic", "coded", "sudoku", "word-search", "kakuro"])
def test_other_kinds_of_puzzle_are_named(kind: str) -> None:
    data = (REPORTS / "acrostic.jpz").read_bytes().replace(b"acrostic>", f"{kind}>".encode())
    with pytest.raises(FormatError, match=f"found '<{kind}>'"):
        read_puzzle(data, kind="jpz")


# .xd


def test_a_clue_of_a_number_goes_to_its_slots() -> None:
    puzzle = report("uniclue.xd")
    assert puzzle.clues == {
        (ACROSS, 1): "Pet; Feline", (DOWN, 1): "Pet; Feline", (DOWN, 2): "Be", (DOWN, 3): "X", (ACROSS, 4): "Be",
        (ACROSS, 5): "X",
    }  # fmt: skip
    assert puzzle.unread == ()


def test_a_clue_of_a_number_goes_where_its_answer_is() -> None:
    text = "Title: T\n\n\nCAT\nO..\nW..\n\n\n1. Farm ~ COW\n1. Pet ~ CAT\n"
    assert read_puzzle(text.encode()).clues == {(DOWN, 1): "Farm", (ACROSS, 1): "Pet"}


def test_comments_are_no_headers() -> None:
    puzzle = report("comments.xd")
    assert (puzzle.metadata[PuzzlePart.TITLE], puzzle.unread) == ("Comments", ("left out 1 comment",))


def test_a_comment_parts_no_sections() -> None:
    puzzle = read_puzzle(b"Title: T\n\n<!-- a\nb -->\nAuthor: A\n\n\nAB\n\n\nA1. x <!-- c --> ~ AB\n")
    assert (puzzle.metadata[PuzzlePart.AUTHOR], puzzle.clues) == ("A", {(ACROSS, 1): "x"})
    assert puzzle.unread == ("left out 2 comments",)


def test_bars_and_circles_of_a_design_are_read() -> None:
    puzzle = report("bars.xd")
    assert puzzle.bars == {(0, 1)}
    assert puzzle.circles == {0, 3, 4}


def test_answers_that_differ_are_told() -> None:
    assert report("wrongans.xd").unread == ("left out 1 answer that the grid does not have: A1 DOG",)


def test_second_answers_are_told() -> None:
    assert "left out 2 remarks on clues: A1 alt, D1 alt" in report("schro.xd").unread


@pytest.mark.parametrize("kind", ["pdf", "png"])
def test_characters_that_fonts_lack_are_counted(kind: str) -> None:
    puzzle = report("many-glyphs2.xd")
    told = write_puzzle(puzzle, kind)[1]
    assert any(line.endswith(" and 2 others, which its fonts lack") for line in told) == (kind == "pdf")


# Encodings


def test_a_letter_and_its_accent_are_one_cell() -> None:
    assert report("nfd.xd").cells == ("É", "T", "É")


@pytest.mark.parametrize("kind", ["xd", "exolve", "ipuz", "across-lite", "puz", "native"])
def test_decomposed_accents_are_one_cell(kind: str) -> None:
    puzzle = Puzzle(1, 3, ("É", "T", "Ñ"), {(ACROSS, 1): "Été"} if kind != "native" else {})
    data = write_puzzle(puzzle, kind)[0]
    if kind != "puz":  # its cells are bytes
        data = unicodedata.normalize("NFD", data.decode()).encode()
    assert read_puzzle(data, kind=kind) == puzzle


def test_decomposed_accents_of_xml_are_one_cell() -> None:
    cells = '<cell x="1" y="1" solution="E\u0301"/><cell x="2" y="1" solution="T"/>'
    jpz = f'<x><crossword><grid width="2" height="1">{cells}</grid></crossword></x>'
    cfp = '<CROSSFIRE><GRID width="2">E\u0301T</GRID></CROSSFIRE>'
    assert read_puzzle(jpz.encode(), kind="jpz").cells == ("É", "T")
    assert read_puzzle(cfp.encode(), kind="cfp").cells == ("É", "T")


def test_a_mark_that_nothing_composes_is_no_cell() -> None:
    assert len(read_puzzle("Title: T\n\n\nQ\u0303AB\n".encode()).cells) == 3


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_puzzle_in_utf_16_is_read(encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    for text in ("Title: T\n\n\nÉTÉ\n", "ÉTÉ\nA#B\n", "exolve-begin\nexolve-grid:\nÉTÉ\nexolve-end\n"):
        assert read_puzzle(f"{mark}{text}".encode(encoding)).cells[:3] == ("É", "T", "É")
    jpz = (REPORTS / "jpz-extras.jpz").read_text().replace("UTF-8", "UTF-16")
    assert read_puzzle(f"{mark}{jpz}".encode(encoding)) == report("jpz-extras.jpz")


def test_utf_8_in_puz_of_version_1_is_read_as_such() -> None:
    puzzle = report("v13-with-utf8.puz")
    assert (puzzle.clues[ACROSS, 1], puzzle.clues[DOWN, 1]) == ("Кот ☺", "Hat \u2013 “x”")
    assert puzzle.unread == ("read as UTF-8, although the file says version 1.3",)


def test_latin_1_that_looks_like_utf_8_survives() -> None:
    puzzle = Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): "CafÃ©"})
    assert read_puzzle(write_puzzle(puzzle, "puz")[0]).clues == puzzle.clues


# Digits


def test_a_digit_is_given_as_a_rebus_is() -> None:
    (template,) = templates_of(REPORTS / "digits.puz")
    assert template.grid.given_words == {"R2D2", "2IES", "RAMS", "SODS"}
    assert template.grid.alphabet.letters == "ABCDEFGHIJKLMNOPQRSTUVWXYZ2"


@pytest.mark.parametrize("verb", ["info", "check", "stats", "solve"])
def test_verbs_accept_a_cell_of_a_digit(verb: str, run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("RAMS;50\nSODS;40\n")
    fill = [] if verb != "check" else [tmp_path / "fill.txt"]
    for path in fill:
        path.write_text("R2D2\nA##I\nM##E\nSODS\n")
    done = run(verb, REPORTS / "digits.puz", *fill, "-w", words)
    assert done.code == 0
    assert verb != "solve" or done.out.splitlines() == ["R2D2", "A##I", "M##E", "SODS"]


def test_words_have_digits_where_the_alphabet_does(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("R2D2\n2IES\nROBS\nSODS\n")
    asked = ("solve", REPORTS / "digits.puz", "-w", words, "--clear", "R1C1:R4C4", "--personal", "none")
    assert run(*asked, "--alphabet", ALPHABET).out.splitlines() == ["R2D2", "O##I", "B##E", "SODS"]
    refused = run(*asked, "--alphabet", "AB*")
    assert refused.code == 2
    assert "1 to 64 different letters or digits" in refused.err
