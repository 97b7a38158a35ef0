"""Every part of a puzzle, in every format and layout that is written: it makes a difference, or a line names it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cpfill.formats.pages.style import PageLayout, PageStyle
from cpfill.formats.registry import WRITABLE, write_puzzle
from cpfill.puzzle.parts import IN_GRID, PuzzlePart
from tests.tables import read_table
from tests.unit.formats.puzzles import puzzle_of

if TYPE_CHECKING:
    from cpfill.puzzle.puzzle import Puzzle

TABLE = read_table("unit/formats/parts.toml")
PLAIN = puzzle_of(TABLE["plain"])
WITH = {name: puzzle_of(TABLE["plain"] | added) for name, added in TABLE["parts"].items()}
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
def test_each_part_is_in_the_file_or_named(name: str, style: PageStyle | None) -> None:
    assert WITH.keys() == frozenset(PuzzlePart)
    plain = written(PLAIN, name, style)
    asked = IN_GRID if WRITABLE[name].grid_alone else frozenset(PuzzlePart)
    for part in asked:
        files, told = written(WITH[part], name, style)
        losses = [line for line in told if line not in plain[1]]
        assert files != plain[0] or losses, part
        if style is None:  # whose files tell a part by their bytes alone
            assert (part in WRITABLE[name].load().keeps) != any(line.startswith("dropped") for line in losses), part
