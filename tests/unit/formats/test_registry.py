"""The registry of formats, and what holds for every format that it has."""

from __future__ import annotations

import string
import sys
from pathlib import Path
from typing import cast

import pytest

from cpfill.base.errors import CpfillError, FormatError, GridError
from cpfill.formats.pages.style import PageStyle
from cpfill.formats.registry import (
    FORMATS,
    READABLE,
    WRITABLE,
    choose_format,
    guess_format,
    read_puzzle,
    read_templates,
    write_puzzle,
)
from cpfill.puzzle.drawing import write_roman
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
SQUARE = Puzzle(2, 2, ("A", "B", "C", "D"), {(ACROSS, 1): "one", (DOWN, 2): "two"})


# Drawings


def test_a_solution_shows_letters_and_a_blank_none() -> None:
    blank, solution = (write_puzzle(SQUARE, "svg", PageStyle(letters))[0].decode() for letters in (False, True))
    assert ">A</text>" in solution
    assert ">A</text>" not in blank
    assert "1. one" in blank
    assert "1. one" not in solution


@pytest.mark.parametrize("name", ["html", "svg", "latex"])
def test_drawings_escape_what_means_something(name: str) -> None:
    puzzle = Puzzle(
        1, 2, ("&", "B"), {(ACROSS, 1): r"<script>&amp;</script> \input{x} 50% #1"}, {PuzzlePart.TITLE: "<T>"}
    )
    drawn = write_puzzle(puzzle, name)[0].decode()
    assert "<script>" not in drawn
    if name == "latex":
        assert r"\textbackslash{}input\{x\} 50\% \#1" in drawn


def test_roman_numerals() -> None:
    assert [*map(write_roman, (1, 4, 9, 14, 40, 99, 255))] == ["I", "IV", "IX", "XIV", "XL", "XCIX", "CCLV"]


@pytest.mark.parametrize(("name", "package"), [("puz", "puzpy"), ("pdf", "reportlab"), ("png", "Pillow")])
def test_what_is_not_installed_is_named(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("puz", "reportlab", "reportlab.pdfgen.canvas", "PIL", "PIL.Image"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(CpfillError, match=f"needs {package} .*pip install"):
        write_puzzle(SQUARE, name)


# The registry


def test_suffixes_are_different() -> None:
    suffixes = [suffix for one in FORMATS.values() for suffix in one.suffixes]
    assert len(set(suffixes)) == len(suffixes)


def test_the_suffix_tells_the_format() -> None:
    assert choose_format("a/b.IPUZ") == "ipuz"
    assert guess_format("x.jpz") == "jpz"
    assert guess_format("x.txt") is None
    assert guess_format("-") is None
    with pytest.raises(FormatError, match=r"found '\.pux' \(did you mean '\.puz'\?\)"):
        choose_format("x.pux")
    for other in (".docx", ".xlsx", ".doc", ".odt", ".md", ".rtf", ".zip"):
        with pytest.raises(FormatError) as error:
            choose_format(f"x{other}")
        assert "did you mean" not in str(error.value)
    with pytest.raises(FormatError, match=r"found '\.jpz'"):
        choose_format("x.jpz")


@pytest.mark.parametrize("kind", ["puz", "ipuz", "across-lite", "exolve", "xd"])
def test_what_no_suffix_tells_is_recognised(kind: str, tmp_path: Path) -> None:
    data, _ = write_puzzle(SQUARE, kind)
    (tmp_path / "square.txt").write_bytes(data)
    (template,) = read_templates(tmp_path / "square.txt")
    assert template.puzzle == read_puzzle(data)
    assert str(template.grid) == "AB\nCD"
    with pytest.raises(GridError):
        read_templates(tmp_path / "square.txt", dialect="native")


def test_a_style_is_for_drawings() -> None:
    with pytest.raises(FormatError, match="a drawing"):
        write_puzzle(SQUARE, "xd", PageStyle(french=True))


def test_unknown_formats() -> None:
    with pytest.raises(FormatError, match=r"a format to read: one of .*found 'svg'"):
        read_puzzle(b"x", kind="svg")
    with pytest.raises(FormatError, match="a format to write"):
        write_puzzle(SQUARE, "cfp")
    with pytest.raises(FormatError, match=r"a format to write: one of .*found 'day\.ipuz' \(did you mean 'ipuz'\?\)"):
        write_puzzle(SQUARE, cast("str", Path("day.ipuz")))


@pytest.mark.parametrize("kind", sorted(WRITABLE.keys() & READABLE.keys()))
@pytest.mark.parametrize("text", ["plain", "{/b/}", "<i>b</i>", "a & b &amp; c", r"\x", "#1", "a ~ b", "1. a", '"'])
def test_a_text_is_read_as_it_was_or_that_is_told(kind: str, text: str) -> None:
    puzzle = Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): text}, {PuzzlePart.TITLE: text})
    data, told = write_puzzle(puzzle, kind)
    back = read_puzzle(data, kind=kind)
    same = back.clues.get((ACROSS, 1)) == text and back.metadata.get(PuzzlePart.TITLE) == text
    assert same or told


@pytest.mark.parametrize("kind", sorted(WRITABLE.keys() & READABLE.keys()))
def test_a_cell_is_read_as_it_was_or_that_is_told(kind: str) -> None:
    """In each format some sign means an empty cell or a block, and a circle may call for another."""
    for sign in [*string.punctuation, *string.digits, "¿", "ß", "ẞ", "İ"]:
        for answer in (sign, f"A{sign}"):
            puzzle = Puzzle(2, 3, ("", answer, "A", "", None, "B"), circles=frozenset({3, 5}))
            try:
                data, told = write_puzzle(puzzle, kind)
            except FormatError as error:
                assert "cells without" in str(error)  # noqa: PT017 - it may be written, and then no error is raised
            else:
                same = read_puzzle(data, kind=kind).cells == puzzle.cells
                assert same or any("dropped 1 cell" in line or "read otherwise" in line for line in told), answer


@pytest.mark.parametrize(("kind", "sign"), [("across-lite", "-"), ("xd", ".")])
def test_a_cell_that_is_read_as_an_empty_one_is_told(kind: str, sign: str) -> None:
    data, told = write_puzzle(Puzzle(2, 2, ("A", "B", sign, sign)), kind)
    assert read_puzzle(data, kind=kind).cells == ("A", "B", "", "")
    assert told == [
        "read otherwise, for the format has other uses for some signs in them: row 2, column 1; row 2, column 2"
    ]
