"""The same small puzzle in every format, in files that are read to it and written from it byte for byte."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cpfill.formats.pages.style import PageStyle
from cpfill.formats.registry import FORMATS, read_puzzle, write_puzzle
from cpfill.puzzle.parts import METADATA, PuzzlePart
from tests.golden.mini import MINI

if TYPE_CHECKING:
    from cpfill.puzzle.puzzle import Puzzle

HERE = Path(__file__).parent
FILES = {
    "across-lite": "mini.across-lite.txt",
    "csv": "mini.csv",
    "exolve": "mini.exolve",
    "html": "mini.html",
    "ipuz": "mini.ipuz",
    "json": "mini.json",
    "latex": "mini.tex",
    "native": "mini.txt",
    "puz": "mini.puz",
    "svg": "mini.svg",
    "xd": "mini.xd",
}
FOREIGN = {"cfp": "mini.cfp", "jpz": "mini.jpz"}
"""Written by hand: these formats are read alone."""


def kept_by(name: str) -> Puzzle:
    return MINI.keep(FORMATS[name].load().keeps)


@pytest.mark.parametrize("name", [name for name in FILES if FORMATS[name].reads])
def test_a_file_is_read_to_the_puzzle(name: str) -> None:
    data = (HERE / FILES[name]).read_bytes()
    assert read_puzzle(data) == read_puzzle(data, kind=name) == kept_by(name)


def test_foreign_files_are_read_to_the_puzzle() -> None:
    assert read_puzzle((HERE / FOREIGN["jpz"]).read_bytes()) == replace(MINI, drafts={})
    parts = {
        PuzzlePart.TITLE,
        PuzzlePart.AUTHOR,
        PuzzlePart.COPYRIGHT,
        PuzzlePart.NOTES,
        PuzzlePart.CLUES,
        PuzzlePart.REBUS,
        PuzzlePart.CIRCLES,
    }
    assert read_puzzle((HERE / FOREIGN["cfp"]).read_bytes()) == MINI.keep(parts)


def test_a_jpz_may_be_zipped() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(HERE / FOREIGN["jpz"], "mini.xml")
    assert read_puzzle(packed.getvalue()) == replace(MINI, drafts={})


@pytest.mark.parametrize("name", FILES)
def test_the_puzzle_is_written_to_the_file(name: str) -> None:
    assert write_puzzle(MINI, name)[0] == (HERE / FILES[name]).read_bytes()


def test_the_french_layout() -> None:
    drawn, _ = write_puzzle(MINI, "svg", PageStyle(french=True))
    assert drawn == (HERE / "mini.french.svg").read_bytes()
    texts = re.findall(r">([^<>]+)</text>", drawn.decode())
    assert texts[4] == "H"  # given
    assert texts[5:15] == ["1", "2", "3", "4", "5", "I", "II", "III", "IV", "V"]
    assert texts[15:17] == ["Horizontalement", "I. Frozen water."]
    assert "Verticalement" in texts


@pytest.mark.parametrize("name", [name for name, one in FORMATS.items() if one.writes])
def test_every_loss_is_declared(name: str) -> None:
    _, losses = write_puzzle(MINI, name)
    keeps = set(FORMATS[name].load().keeps)
    if name == "png":  # a picture of the grid, from which nobody expects texts
        keeps |= METADATA | {PuzzlePart.CLUES, PuzzlePart.DRAFTS}
    lost = MINI.parts.keys() - keeps | (
        {PuzzlePart.CLUES, PuzzlePart.DRAFTS} if PuzzlePart.BARS not in keeps else set()
    )  # of slots that bars end
    changed = [line for line in losses if not line.startswith("dropped ")]
    assert len(losses) - len(changed) == len(lost)
    assert bool(changed) == (name == "puz")  # which tells that it is of version 2.0
    for part in METADATA & MINI.parts.keys():
        assert (f"dropped the {part}" in losses) == (part not in keeps)


@pytest.mark.parametrize(("letters", "pages"), [(None, 2), (True, 1), (False, 1)])
def test_a_pdf_has_a_page_for_the_puzzle_and_one_for_the_solution(letters: bool | None, pages: int) -> None:
    data, _ = write_puzzle(MINI, "pdf", PageStyle(letters))
    assert data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", data)) == pages
    assert write_puzzle(MINI, "pdf", PageStyle(letters))[0] == data


def test_a_png_is_as_large_as_its_grid() -> None:
    data, _ = write_puzzle(MINI, "png")
    assert data.startswith(b"\x89PNG")
    width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
    assert width == height > 5 * 48
    assert write_puzzle(MINI, "png", PageStyle(letters=True))[0] != data
