"""Texts and letters of .puz files against the readers of three packages, none of which knows Windows-1252."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pypuz
import pytest

from cpfill.formats.registry import read_puzzle, write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.puzzle import Puzzle, PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ACROSS = (Direction.ACROSS, 1)
PLAIN = 'He said "it\'s - well..." <1900-10> * for 5\' 6"'
TYPESET = (
    "“It\u2019s — well…” \u2039\u2012\u2013\u203a • \u201a\u2018\u201b \u201e\u201f"
    " 5\u2032 6\u2033 \u2212\u2015\u2010\u2011"
)
FOREIGN = "“œuf” — Łódź, Ω"


def read_by_puzpy(path: Path) -> tuple[str, str]:
    read: Any = import_module("puz").read(str(path))
    return read.title, read.clues[0]


def read_by_crossword(path: Path) -> tuple[str, str]:
    read: Any = import_module("crossword").from_puz(import_module("puz").read(str(path)))
    return read.meta.title, read.clues.across[1]


def read_by_pypuz(path: Path) -> tuple[str, str]:
    read = pypuz.Puzzle().fromPuz(str(path))
    return read.metadata.title, read.clues[0]["clues"][0].clue


READERS = (read_by_puzpy, read_by_crossword, read_by_pypuz)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("said", [PLAIN, "Déjà « vu »", TYPESET, FOREIGN])
def test_all_read_what_we_read(read: Callable[[Path], tuple[str, str]], said: str, tmp_path: Path) -> None:
    puzzle = Puzzle(1, 3, ("A", "B", "É"), {ACROSS: said}, {PuzzlePart.TITLE: said})
    path = tmp_path / "x.puz"
    path.write_bytes(write_puzzle(puzzle, "puz")[0])
    ours = read_puzzle(path)
    assert read(path) == (ours.metadata[PuzzlePart.TITLE], ours.clues[ACROSS])
    assert all(char.isprintable() for char in ours.clues[ACROSS])
    assert (ours.clues[ACROSS] == said) == (said != TYPESET)
    assert ours.cells == puzzle.cells


@pytest.mark.parametrize("read", READERS)
def test_signs_of_windows_1252_are_read_by_us_alone(read: Callable[[Path], tuple[str, str]], tmp_path: Path) -> None:
    """Programs that write them are many: what they write stays readable."""
    said = "“It\u2019s” — œ…"
    file: Any = import_module("puz").Puzzle()
    file.width, file.height, file.solution, file.fill = 3, 1, "ABC", "---"
    file.title = said.encode("cp1252").decode("latin-1")
    file.clues = [file.title]
    path = tmp_path / "x.puz"
    path.write_bytes(file.tobytes())
    ours = read_puzzle(path)
    assert (ours.metadata[PuzzlePart.TITLE], ours.clues[ACROSS]) == (said, said)
    assert said not in read(path)
