"""The registry of formats, and promises of every format that it has."""

from __future__ import annotations

import string
import sys
from pathlib import Path
from typing import Any

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
def test_drawings_escape_markup(name: str) -> None:
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
def test_a_missing_package_is_named(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("puz", "reportlab", "reportlab.pdfgen.canvas", "PIL", "PIL.Image"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(CpfillError, match=f"needs {package} .*pip install"):
        write_puzzle(SQUARE, name)


# The registry


def test_suffixes_are_different() -> None:
    suffixes = [suffix for one in FORMATS.values() for suffix in one.suffixes]
    assert len(set(suffixes)) == len(suffixes)


@pytest.mark.parametrize(("name", "kind"), [("x.IPUZ", "ipuz"), ("x.jpz", "jpz"), ("x.txt", None), ("-", None)])
def test_a_suffix_says_the_format(name: str, kind: str | None) -> None:
    assert guess_format(name) == kind


def test_a_suffix_chooses_the_format_to_write() -> None:
    assert choose_format("a/b.IPUZ") == "ipuz"


@pytest.mark.parametrize(
    ("suffix", "hint"),
    [
        *((suffix, " (did you mean '.puz'?)") for suffix in (".pux", ".jpz")),
        *((suffix, "") for suffix in (".docx", ".xlsx", ".doc", ".odt", ".md", ".rtf", ".zip")),
    ],
)
def test_an_unknown_suffix_suggests_a_near_one(suffix: str, hint: str) -> None:
    with pytest.raises(FormatError) as caught:
        choose_format(f"x{suffix}")
    assert caught.value.faults[0].got == f"'{suffix}'{hint}"


@pytest.mark.parametrize("kind", ["puz", "ipuz", "across-lite", "exolve", "xd"])
def test_a_file_of_another_suffix_is_recognised(kind: str, tmp_path: Path) -> None:
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


def test_a_drawing_is_not_read() -> None:
    with pytest.raises(FormatError) as caught:
        read_puzzle(b"x", kind="svg")
    assert caught.value.faults[0].got == "'svg'"


@pytest.mark.parametrize(("kind", "found"), [("cfp", "'cfp'"), (Path("day.ipuz"), "'day.ipuz' (did you mean 'ipuz'?)")])
def test_an_unknown_format_suggests_a_near_one(kind: Any, found: str) -> None:
    with pytest.raises(FormatError) as caught:
        write_puzzle(SQUARE, kind)
    assert caught.value.faults[0].got == found


@pytest.mark.parametrize("kind", sorted(WRITABLE.keys() & READABLE.keys()))
@pytest.mark.parametrize("text", ["plain", "{/b/}", "<i>b</i>", "a & b &amp; c", r"\x", "#1", "a ~ b", "1. a", '"'])
def test_a_text_is_read_back_or_a_remark_says_so(kind: str, text: str) -> None:
    puzzle = Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): text}, {PuzzlePart.TITLE: text})
    data, told = write_puzzle(puzzle, kind)
    back = read_puzzle(data, kind=kind)
    same = back.clues.get((ACROSS, 1)) == text and back.metadata.get(PuzzlePart.TITLE) == text
    assert same or told


@pytest.mark.parametrize("kind", sorted(WRITABLE.keys() & READABLE.keys()))
def test_a_cell_is_read_back_or_a_remark_says_so(kind: str) -> None:
    """In each format some sign means an empty cell or a block, and a circle may call for another."""
    signs = [*string.punctuation, *string.digits, "¿", "ß", "ẞ", "İ"]
    for answer in (*signs, *(f"A{sign}" for sign in signs)):
        puzzle = Puzzle(2, 3, ("", answer, "A", "", None, "B"), circles=frozenset({3, 5}))
        try:
            data, told = write_puzzle(puzzle, kind)
        except FormatError as error:
            assert "cells without" in str(error)  # noqa: PT017 - it may be written, and then no error is raised
            continue
        same = read_puzzle(data, kind=kind).cells == puzzle.cells
        assert same or any("dropped 1 cell" in line or "read otherwise" in line for line in told), answer
