"""SVG, written alone: title, grid and clues in one picture; text stays text."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from cpfill.formats.pages.paint import paint, size_of
from cpfill.puzzle import METADATA, Part

if TYPE_CHECKING:
    from cpfill.formats.pages.style import Style
    from cpfill.puzzle import Puzzle

KEEPS = frozenset(
    {
        Part.TITLE,
        Part.AUTHOR,
        Part.COPYRIGHT,
        Part.NOTES,
        Part.CLUES,
        Part.STRAYS,
        Part.REBUS,
        Part.SYMBOLS,
        Part.CIRCLES,
        Part.BARS,
        Part.VOIDS,
    }
)
CELL = 32.0
_SIZE, _LEADING = 13.0, 17.0
_EM = 0.52
"""The mean width of a character, in heights: an SVG does not break lines, so they are broken here."""


@dataclass
class SvgCanvas:
    """Collects elements; what is drawn next is shifted by `x` and `y`."""

    x: float = 0.0
    y: float = 0.0
    elements: list[str] = field(default_factory=list)

    def square(self, x: float, y: float, side: float, line: float, *, filled: bool) -> None:
        """Draw a square."""
        fill = "currentColor" if filled else "none"
        self.elements.append(
            f'<rect x="{self.x + x:g}" y="{self.y + y:g}" width="{side:g}" height="{side:g}" '
            f'fill="{fill}" stroke="currentColor" stroke-width="{line:g}"/>'
        )

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float) -> None:
        """Draw a line."""
        (x1, y1), (x2, y2) = start, end
        self.elements.append(
            f'<line x1="{self.x + x1:g}" y1="{self.y + y1:g}" x2="{self.x + x2:g}" y2="{self.y + y2:g}" '
            f'stroke="currentColor" stroke-width="{width:g}" stroke-linecap="square"/>'
        )

    def circle(self, x: float, y: float, radius: float, line: float) -> None:
        """Draw a circle."""
        self.elements.append(
            f'<circle cx="{self.x + x:g}" cy="{self.y + y:g}" r="{radius:g}" '
            f'fill="none" stroke="currentColor" stroke-width="{line:g}"/>'
        )

    def text(self, x: float, y: float, size: float, text: str, *, centred: bool = True, bold: bool = False) -> None:
        """Write a text."""
        looks = ' text-anchor="middle"' * centred + ' font-weight="bold"' * bold
        self.elements.append(
            f'<text x="{self.x + x:g}" y="{self.y + y:g}" font-size="{size:g}"{looks}>{escape(text)}</text>'
        )

    def document(self, width: float, height: float, background: str = "") -> str:
        """Return the picture."""
        size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        paper = [f'<rect width="100%" height="100%" fill="{background}"/>'] if background else []
        looks = 'font-family="Helvetica, Arial, sans-serif" fill="currentColor"'
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {looks}>', *paper, *self.elements, "</svg>"])


def grid_svg(puzzle: Puzzle, *, letters: bool, labelled: bool) -> str:
    """Return the picture of a grid alone."""
    canvas = SvgCanvas()
    paint(canvas, puzzle, CELL, letters=letters, labelled=labelled)
    return canvas.document(*size_of(puzzle, CELL, labelled=labelled))


def draw(puzzle: Puzzle, style: Style) -> bytes:
    """Return the picture: the blank grid with the clues below in two columns, or the solution."""
    letters = bool(style.letters)
    canvas = SvgCanvas(x=10, y=10)
    grid_width, grid_height = size_of(puzzle, CELL, labelled=style.french)
    lists = [] if letters else style.clue_lists(puzzle)
    width = max(grid_width, 560.0 if lists else 0.0, 280.0 if METADATA & puzzle.metadata.keys() else 0.0)
    y = _write(canvas, 0.0, width, puzzle.metadata.get(Part.TITLE, ""), bold=True)
    y = _write(canvas, y, width, puzzle.metadata.get(Part.AUTHOR, ""))
    for line in puzzle.metadata.get(Part.NOTES, "").split("\n") if not letters else ():
        y = _write(canvas, y, width, line)
    y += _LEADING / 2 if y else 0
    canvas.y += y
    paint(canvas, puzzle, CELL, letters=letters, labelled=style.french)
    canvas.y -= y
    y = top = y + grid_height + _LEADING / 2
    column = width / max(1, len(lists))
    for place, (heading, clues) in enumerate(lists):
        canvas.x = 10 + place * column
        end = _write(canvas, top, column, heading, bold=True)
        for label, text in clues:
            end = _write(canvas, end, column - 20, f"{label}. {text}")
        y = max(y, end)
    canvas.x = 10
    y = _write(canvas, y, width, puzzle.copyright_line)
    return (canvas.document(width + 20, y + 20, "white") + "\n").encode()


def _write(canvas: SvgCanvas, y: float, width: float, text: str, *, bold: bool = False) -> float:
    """Write a text under `y` in lines of that width, and return where it ends."""
    for line in textwrap.wrap(text, max(10, int(width / (_EM * _SIZE)))):
        y += _LEADING
        canvas.text(0, y, _SIZE, line, centred=False, bold=bold)
    return y
