"""Puzzle files against pypuz: it reads ours, and of files that only it and we can read it says the same.

Texts and letters of .puz files against two more packages: none knows Windows-1252.
"""

from __future__ import annotations

import random
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import pypuz
import pytest

from cpfill.formats.registry import read_puzzle, write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart, find_bars
from cpfill.puzzle.puzzle import Puzzle
from tests.support import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READERS = {
    ".ipuz": pypuz.Puzzle().fromIPuz,
    ".puz": pypuz.Puzzle().fromPuz,
    ".jpz": pypuz.Puzzle().fromJPZ,
    ".cfp": pypuz.Puzzle().fromCFP,
}


class Seen(NamedTuple):
    """What both can say of a puzzle."""

    cells: list[str | None]
    numbers: dict[int, int]
    circles: set[int]
    bars: set[tuple[int, int]]
    givens: set[int]
    shades: dict[int, str]
    clues: dict[tuple[str, int], str]
    texts: list[str]


def seen_by_us(puzzle: Puzzle) -> Seen:
    return Seen(
        list(puzzle.cells),
        dict(puzzle.numbers),
        set(puzzle.circles),
        set(puzzle.bars),
        set(puzzle.givens),
        dict(puzzle.shades),
        {(str(direction), number): text for (direction, number), text in puzzle.clues.items()},
        [puzzle.metadata.get(part, "") for part in (PuzzlePart.TITLE, PuzzlePart.AUTHOR)],
    )


def seen_by_pypuz(read: Any) -> Seen:
    grid = read.grid
    places = [grid.cellAt(x, y) for y in range(grid.height) for x in range(grid.width)]
    sides = [(at, side) for at, cell in enumerate(places) for side in cell.style.get("barred", "")]
    return Seen(
        [None if cell.isBlock or cell.isEmpty else cell.solution or "" for cell in places],
        {at: int(cell.number) for at, cell in enumerate(places) if cell.number not in {None, "0"}},
        {at for at, cell in enumerate(places) if cell.style.get("shapebg") == "circle"},
        set(find_bars(sides, grid.width, len(places))),
        {at for at, cell in enumerate(places) if cell.value},
        {
            at: f"#{said.removeprefix('#').lower()}"
            for at, cell in enumerate(places)
            if (said := cell.style.get("color"))
        },
        {(part["title"], int(clue.number)): clue.clue for part in read.clues for clue in part["clues"]},
        [getattr(read.metadata, name, None) or "" for name in ("title", "author")],
    )


def drawn(seed: int, *, rich: bool) -> Puzzle:
    """Return a puzzle of random letters with a clue for every slot, in plain text: pypuz spells other letters out.

    A rich one has bars, shades and drafts too.
    """
    rng = random.Random(seed)
    height, width = rng.randint(3, 9), rng.randint(3, 9)
    count = height * width
    cells = [rng.choice([None, *"ABCDEFGHIJ"]) for _ in range(count)]
    cells[:2] = "AB"
    if rng.random() < 0.5:
        cells[1] = "HEART"
    sides = [(rng.randrange(count), side) for side in "TRBL" for _ in range(2 * rich)]
    puzzle = Puzzle(height, width, tuple(cells), bars=find_bars(sides, width, count))
    clues = {(slot.direction, slot.number): f"Clue {rng.random():.6f}" for slot in puzzle.slots}
    circles = frozenset(cell for cell in range(count) if rng.random() < 0.1)
    givens = frozenset(cell for cell in range(count) if rng.random() < 0.1)
    texts = {PuzzlePart.TITLE: "A title", PuzzlePart.AUTHOR: "An author"}
    shades = {cell: rng.choice(["#d3d3d3", "#ffd966"]) for cell in range(count) if rich and rng.random() < 0.1}
    drafts = {clue: ("Another", "A third") for clue in clues if rich and rng.random() < 0.1}
    return Puzzle(
        *(height, width, tuple(cells), clues, texts, puzzle.bars, circles), givens=givens, shades=shades, drafts=drafts
    )


@pytest.mark.parametrize("suffix", [".ipuz", ".puz"])
def test_pypuz_reads_what_we_write(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"puzzle{suffix}"
    for seed in range(40):
        puzzle = drawn(seed, rich=suffix == ".ipuz")
        data, losses = write_puzzle(puzzle, suffix[1:])
        path.write_bytes(data)
        assert losses == []
        ours = seen_by_us(puzzle)
        if suffix == ".puz":  # it takes every mark for a circle
            ours = ours._replace(circles=ours.circles | ours.givens)
        assert seen_by_pypuz(READERS[suffix](str(path))) == ours, seed


@pytest.mark.parametrize("suffix", [".ipuz", ".puz"])
def test_we_read_what_pypuz_writes(suffix: str, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.ipuz", tmp_path / f"theirs{suffix}"
    for seed in range(40):
        puzzle = drawn(seed, rich=False)
        if suffix == ".puz":  # it loses circles where a cell has several letters, and writes no marks of givens
            puzzle = Puzzle(puzzle.height, puzzle.width, puzzle.cells, puzzle.clues, puzzle.metadata)
        ours.write_bytes(write_puzzle(puzzle, "ipuz")[0])
        read = READERS[".ipuz"](str(ours))
        (read.toIPuz if suffix == ".ipuz" else read.toPuz)(str(theirs))
        assert seen_by_us(read_puzzle(theirs.read_bytes())) == seen_by_us(puzzle), seed


@pytest.mark.parametrize("suffix", [".jpz", ".cfp"])
def test_we_read_what_pypuz_reads(suffix: str) -> None:
    path = ROOT / "tests" / "golden" / f"mini{suffix}"
    read = READERS[suffix](str(path))
    ours = seen_by_us(read_puzzle(path.read_bytes()))
    theirs = seen_by_pypuz(read)
    assert theirs._replace(clues={}) == ours._replace(clues={})
    assert theirs.clues.keys() == ours.clues.keys()  # it leaves markup in the texts


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


PUZ_READERS = (read_by_puzpy, read_by_crossword, read_by_pypuz)


@pytest.mark.parametrize("read", PUZ_READERS)
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


@pytest.mark.parametrize("read", PUZ_READERS)
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
