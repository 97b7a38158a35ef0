"""Parts of a grid are filled anew, and the rest stays: what the program says and writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cpfill.formats.puzzles import read_puzzle, write_puzzle
from cpfill.grid import Direction
from cpfill.puzzle import Puzzle

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.cli.program import Run

WORDS = "CAT\nCAR\nARE\nTEN\nREN\nTAN\nRAN\nCOT\n"
FILLED = "CAT\n###\nCAR\n"


def test_letters_outside_of_a_region_stay(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text(FILLED)
    words.write_text(WORDS)
    done = run("solve", grid, "-w", words, "--clear", "R1C3:R1C3,R3C3", "--min-score", "50", "-n", "1")
    assert done.code == 0
    assert done.fills in ([("CAT", "###", "CAR")], [("CAR", "###", "CAT")])


def test_what_changed_is_told(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("CAT\n###\nCAR\n")
    words.write_text("CAR\nCOT\n")
    done = run("solve", grid, "-w", words, "--clear", "1-Across")
    assert done.fills == [("COT", "###", "CAR")]
    assert done.complaints[0] == f"cpfill: {grid}: 1-Across: CAT → COT"
    done = run("solve", grid, "-w", words, "--keep", "2A", "--json")
    found = next(record for record in map(json.loads, done.out.splitlines()) if record["event"] == "found")
    assert found["changed"] == [{"slot": "1-Across", "old": "CAT", "new": "COT"}]
    done = run("solve", grid, "-w", words, "--clear", "1-Across", "--keep", "R1C1:R1C3")
    assert "→" not in done.err


def test_a_clue_stays_with_its_word_alone(run: Run, tmp_path: Path) -> None:
    words, old, new = tmp_path / "words.txt", tmp_path / "old.ipuz", tmp_path / "new.ipuz"
    words.write_text("CAR\nCOT\n")
    clues = {(Direction.ACROSS, 1): "It purrs", (Direction.ACROSS, 2): "It hums"}
    puzzle = Puzzle(3, 3, tuple(letter if letter != "#" else None for letter in "CAT###CAR"), clues)
    old.write_bytes(write_puzzle(puzzle, "ipuz")[0])
    done = run("solve", old, "-w", words, "--clear", "1-Across", "-o", new)
    assert done.complaints[:2] == [
        f"cpfill: {old}: 1-Across: CAT → COT",
        f"cpfill: {old}: dropped 1 clue of words that stood there before",
    ]
    assert dict(read_puzzle(new).clues) == {(Direction.ACROSS, 2): "It hums"}


def test_no_region_is_bad_input(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    done = run("solve", "5x5", "--clear", "XX")
    assert done.code == 2
    assert done.complaints == [
        "cpfill: expected a slot (17-Across), a rectangle (R1C9:R5C15) or a quadrant (NE), found 'XX'"
    ]
    assert not capsys.readouterr().out
