"""Cells of several letters are given: what the program fills around them, and writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.formats.registry import read_puzzle, write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.puzzle import Puzzle
from tests.support import ENGINE_NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

ROWS = ["(STAR)TLED", "S####", "O####"]
CELLS = ("STAR", "", "", "", "", "", None, None, None, None, "", None, None, None, None)


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("STARTLED\nSTARSO\nTLED\nSTLED\nSTARS\n")
    return path


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_a_word_through_a_rebus_cell_has_all_of_its_letters(engine: str, words: Path, run: Run) -> None:
    text = "(STAR)....\n.####\n.####\n"
    done = run("solve", "-", "-w", words, "-e", engine, stdin=text)
    assert done.out.splitlines() == ROWS
    words.write_text("STLED\nSSO\n")
    done = run("solve", "-", "-w", words, "-e", engine, stdin=text)
    assert done.code == 20
    assert "1-Across has 8 letters, longer than any word (5)" in done.err


@pytest.mark.parametrize("suffix", ["ipuz", "puz", "xd", "exolve", "txt"])
def test_a_rebus_cell_is_written_as_it_was_read(suffix: str, words: Path, run: Run, tmp_path: Path) -> None:
    old, new = tmp_path / "old.ipuz", tmp_path / f"new.{suffix}"
    clues = {(Direction.ACROSS, 1): "Taken aback"}
    old.write_bytes(write_puzzle(Puzzle(3, 5, CELLS, clues), "ipuz")[0])
    assert run("solve", old, "-w", words, "-o", new).code == 0
    filled = read_puzzle(new)
    assert filled.cells[0] == "STAR"
    assert [filled.answer(slot) for slot in filled.slots] == ["STARTLED", "STARSO"]
    if suffix != "txt":
        assert dict(filled.clues) == clues
    assert run("check", old, new, "-w", words).code == 0
    again = run("solve", new, "-w", words, "--clear", "1-Across,1-Down", "--exclude", "STARSO", "-q")
    assert again.code == 20


def test_words_are_told_apart_by_all_of_their_letters(words: Path, run: Run) -> None:
    """STARTLED stands in five cells, and would in eight."""
    words.write_text("STARTLED\nSTARDUST\n")
    text = "(STAR)....###\n########\n........\n"
    done = run("solve", "-", "-w", words, "-a", "-q", stdin=text)
    assert set(done.out.split()) == {"(STAR)TLED###", "(STAR)DUST###", "########", "STARDUST", "STARTLED"}
    assert run("count", "-", "-w", words, stdin=text).out == "2\n"
    assert run("count", "-", "-w", words, "--repeats", stdin=text).out == "4\n"
    assert run("count", "-", "-w", words, "--no-shared", "--repeats", stdin=text).out == "2\n"
    assert run("count", "-", "-w", words, "--require", "STARDUST", "--repeats", stdin=text).out == "3\n"
    assert run("count", "-", "-w", words, "--slot", "1-Across:pattern=*DUST", stdin=text).out == "1\n"
    words.write_text("STARTLED\n")
    assert run("solve", "-", "-w", words, stdin=text).code == 20


def test_what_is_told_of_a_rebus_cell(words: Path, run: Run) -> None:
    text = "(STAR)....\n.####\n.####\n"
    done = run("solve", "-", "-w", words, "--json", stdin=text)
    found = done.found[0]
    assert found["rows"][0] == ["STAR", "T", "L", "E", "D"]
    assert [each["word"] for each in found["words"]] == ["STARTLED", "STARSO"]
    info = run("info", "-", "--json", stdin=text).records[0]
    assert [slot["pattern"] for slot in info["slots"]] == ["STAR????", "STAR??"]
    assert info["cells"]["given"] == 1
    done = run("candidates", "-", "1-Across", "-w", words, stdin=text)
    assert done.out.split() == ["STARTLED", "50", "yes"]
    done = run("candidates", "-", "--letters", "R1C1", "-w", words, stdin=text)
    assert done.complaints == ["cpfill: expected a cell of one letter, found R1C1"]
    assert len(run("candidates", "-", "--all-letters", "-w", words, stdin=text).out.splitlines()) == 6
    words.write_text("STARTLED\nSUNSET\n")
    done = run("explain", "-", "-w", words, stdin=text)
    assert "No word of 6 letters fits 1-Down `STAR??`." in done.out
    done = run("solve", "-", stdin="(STAR....\n")
    assert done.complaints == [
        "cpfill: standard input:1:1: expected ')' to end the rebus cell, found the end of the line"
    ]


def test_a_rebus_that_may_be_another_in_each_direction_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.ipuz"
    path.write_bytes(write_puzzle(Puzzle(1, 3, ("A/B", "", "")), "ipuz")[0])
    done = run("solve", path)
    assert done.code == 2
    assert done.complaints[0].startswith(f"cpfill: {path}: expected letters of ABC")
    assert done.complaints[0].endswith("found 'A/B' in row 1, column 1")
