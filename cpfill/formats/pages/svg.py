"""SVG, written alone: title, grid and clues in one picture; text stays text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from cpfill.formats.pages.arrows import CELL_POINTS, ArrowType, paint_arrowword
from cpfill.formats.pages.style import Layout
from cpfill.puzzle.drawing.paint import CELL, SvgCanvas, estimate_width, measure_size, paint
from cpfill.puzzle.puzzle import METADATA, PuzzlePart

if TYPE_CHECKING:
    from cpfill.formats.pages.style import PageStyle
    from cpfill.puzzle.puzzle import Puzzle

KEEPS = frozenset(
    {
        PuzzlePart.TITLE,
        PuzzlePart.AUTHOR,
        PuzzlePart.COPYRIGHT,
        PuzzlePart.NOTES,
        PuzzlePart.CLUES,
        PuzzlePart.STRAYS,
        PuzzlePart.REBUS,
        PuzzlePart.SYMBOLS,
        PuzzlePart.GIVENS,
        PuzzlePart.CIRCLES,
        PuzzlePart.SHADES,
        PuzzlePart.BARS,
        PuzzlePart.VOIDS,
    }
)
_SIZE, _LEADING = 13.0, 17.0
_POINT = 0.75
"""A pixel, in points: there are 96 to the inch."""
_EM = 0.52
"""The mean width of a character, in heights: an SVG does not break lines, so they are broken here."""


def draw(puzzle: Puzzle, style: PageStyle) -> tuple[bytes, list[str]]:
    """Return the picture, and what is to be told: the blank grid with the clues below in columns, or the solution."""
    letters = bool(style.letters)
    canvas = SvgCanvas(x=10, y=10)
    cell = choose_cell(style)
    grid_width, grid_height = measure_size(puzzle, cell, labelled=style.labelled)
    lists = [] if letters else style.list_headed_clues(puzzle)
    width = max(grid_width, 560.0 if lists else 0.0, 280.0 if METADATA & puzzle.metadata.keys() else 0.0)
    y = _write(canvas, 0.0, width, style.write(puzzle, PuzzlePart.TITLE), bold=True)
    y = _write(canvas, y, width, style.write(puzzle, PuzzlePart.AUTHOR))
    for line in style.write_notes(puzzle) if not letters else ():
        y = _write(canvas, y, width, line)
    y += _LEADING / 2 if y else 0
    canvas.y += y
    told = paint_styled(canvas, puzzle, style, letters=letters)
    canvas.y -= y
    y = top = y + grid_height + _LEADING / 2
    column = width / max(1, len(lists))
    for index, (heading, clues) in enumerate(lists):
        canvas.x = 10 + index * column
        end = _write(canvas, top, column, heading, bold=True)
        for label, text in clues:
            end = _write(canvas, end, column - 20, f"{label}. {text}")
        y = max(y, end)
    canvas.x = 10
    y = _write(canvas, y, width, style.write_copyright(puzzle))
    return (canvas.document(width + 20, y + 20, "white") + "\n").encode(), told


def choose_cell(style: PageStyle) -> float:
    """Return the side of a cell."""
    return CELL_POINTS / _POINT if style.layout is Layout.ARROWS else CELL


def paint_styled(canvas: SvgCanvas, puzzle: Puzzle, style: PageStyle, *, letters: bool) -> list[str]:
    """Draw the grid alone, and return what is to be told of it."""
    if style.layout is Layout.ARROWS:
        kind = ArrowType(estimate_width, _POINT)
        return paint_arrowword(canvas, puzzle, choose_cell(style), kind, style, letters=letters)
    paint(canvas, puzzle, CELL, letters=letters, labelled=style.labelled)
    return []


def _write(canvas: SvgCanvas, y: float, width: float, text: str, *, bold: bool = False) -> float:
    """Write a text under `y` in lines of that width, and return where it ends."""
    for line in textwrap.wrap(text, max(10, int(width / (_EM * _SIZE)))):
        y += _LEADING
        canvas.text(0, y, _SIZE, line, centred=False, bold=bold)
    return y
