"""Every part of a puzzle, in every format and layout that is written: it makes a difference, or a line names it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cpfill.formats.pages.style import PageLayout, PageStyle
from cpfill.formats.registry import WRITABLE, write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import IN_GRID, METADATA, PuzzlePart
from cpfill.puzzle.puzzle import Puzzle

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
CELLS = (None, "A", None, "B", "C", "D", "E", "F", None, "G", None, "")
PLAIN = Puzzle(3, 4, CELLS, {(ACROSS, 3): "Pet"})
WITH = {
    PuzzlePart.CLUES: replace(PLAIN, clues={**PLAIN.clues, (DOWN, 1): "Zebra"}),
    PuzzlePart.STRAYS: replace(PLAIN, clues={**PLAIN.clues, (DOWN, 44): "Zebra"}),
    PuzzlePart.DRAFTS: replace(PLAIN, drafts={(ACROSS, 3): ("Zebra",)}),
    PuzzlePart.REBUS: replace(PLAIN, cells=(*CELLS[:5], "DZ", *CELLS[6:])),
    PuzzlePart.SYMBOLS: replace(PLAIN, cells=(*CELLS[:5], "7", *CELLS[6:])),
    PuzzlePart.LETTER_SETS: replace(PLAIN, letter_sets={11: "XYZ"}),
    PuzzlePart.GIVENS: replace(PLAIN, givens=frozenset({1})),
    PuzzlePart.CIRCLES: replace(PLAIN, circles=frozenset({1})),
    PuzzlePart.SHADES: replace(PLAIN, shades={1: "#ff0000"}),
    PuzzlePart.LABELS: replace(PLAIN, labels={1: "Q", 6: "R"}),
    PuzzlePart.BARS: replace(PLAIN, bars=frozenset({(5, 6)})),
    PuzzlePart.VOIDS: replace(PLAIN, voids=frozenset({10})),
    **{part: replace(PLAIN, metadata={part: "Zebra"}) for part in METADATA},
}
STYLES = [
    *((name, PageStyle(layout=layout)) for name, one in WRITABLE.items() for layout in one.layouts),
    *((name, PageStyle(french=True)) for name, one in WRITABLE.items() if one.draws),
    *((name, None) for name, one in WRITABLE.items() if not one.draws),
]


def written(puzzle: Puzzle, name: str, style: PageStyle | None) -> tuple[list[bytes], list[str]]:
    """Return the files of a puzzle, of a drawing one without answers and one with them; and the lines about them."""
    styles = [style]
    if style and style.layout in {PageLayout.NEWSPAPER, PageLayout.ARROWS}:
        styles = [replace(style, letters=letters) for letters in (False, True)]
    files, told = zip(*(write_puzzle(puzzle, name, each) for each in styles), strict=True)
    return list(files), [line for lines in told for line in lines]


@pytest.mark.parametrize(
    ("name", "style"), STYLES, ids=[f"{name}-{style.layout if style else ''}" for name, style in STYLES]
)
def test_each_part_is_in_the_file_or_told(name: str, style: PageStyle | None) -> None:
    assert WITH.keys() == frozenset(PuzzlePart)
    plain = written(PLAIN, name, style)
    asked = IN_GRID if WRITABLE[name].grid_alone else frozenset(PuzzlePart)
    for part in asked:
        files, told = written(WITH[part], name, style)
        losses = [line for line in told if line not in plain[1]]
        assert files != plain[0] or losses, part
        if style is None:  # whose files tell a part by their bytes alone
            assert (part in WRITABLE[name].load().keeps) != any(line.startswith("dropped") for line in losses), part
