"""An SVG canvas, and the picture of a grid on it; text stays text."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from cpfill.puzzle.drawing.paint import measure_size, paint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.puzzle.drawing.paint import Drawn

CELL = 32.0
"""The side of a cell."""

_WIDTHS = {
    char: width
    for width, chars in (
        (0.22, "ijl'"),
        (0.28, " ftI!,./:;[]\\|\u00a0\u202f"),
        (0.34, "r-()`"),
        (0.39, '"*'),
        (0.5, "cksvxyzJ"),
        (0.56, "abdeghnopquL0123456789?#$_"),
        (0.61, "FTZ+<=>"),
        (0.67, "ABEKPSVXY&"),
        (0.73, "CDHNRUw"),
        (0.78, "GOQ"),
        (0.84, "mM"),
        (0.95, "W%"),
    )
    for char in chars
}
"""The widths of characters in Helvetica and Arial, as fractions of the font size."""


def estimate_width(text: str) -> float:
    """Return the width of a text as a multiple of the font size: SVG does not break lines, so callers must."""
    return sum(_WIDTHS.get(char, 1.0) for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


@dataclass
class SvgCanvas:
    """Collects SVG elements, each shifted by the current `x` and `y`."""

    x: float = 0.0
    y: float = 0.0
    elements: list[str] = field(default_factory=list)

    def square(self, x: float, y: float, side: float, line: float, *, filled: bool, shade: str = "") -> None:
        """Draw a square."""
        fill = "currentColor" if filled else shade or "none"
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

    def polygon(self, corners: Sequence[tuple[float, float]], ink: float) -> None:
        """Fill a polygon."""
        points = " ".join(f"{self.x + x:g},{self.y + y:g}" for x, y in corners)
        look = f' fill-opacity="{ink:g}"' if ink < 1 else ""
        self.elements.append(f'<polygon points="{points}"{look}/>')

    def circle(self, x: float, y: float, radius: float, line: float, *, cut: bool) -> None:
        """Draw a circle, or three quarters of it, clockwise from the top to the left."""
        x, y = self.x + x, self.y + y
        whole = f'circle cx="{x:g}" cy="{y:g}" r="{radius:g}"'
        part = f'path d="M{x:g} {y - radius:g}A{radius:g} {radius:g} 0 1 1 {x - radius:g} {y:g}"'
        looks = f'fill="none" stroke="currentColor" stroke-width="{line:g}"'
        self.elements.append(f"<{part if cut else whole} {looks}/>")

    def text(self, x: float, y: float, size: float, text: str, *, centred: bool = True, bold: bool = False) -> None:
        """Write a text."""
        looks = ' text-anchor="middle"' * centred + ' font-weight="bold"' * bold
        self.elements.append(
            f'<text x="{self.x + x:g}" y="{self.y + y:g}" font-size="{size:g}"{looks}>{escape(text)}</text>'
        )

    def document(self, width: float, height: float, background: str = "") -> str:
        """Return the picture: black on `background`, or without one in the colour of the surrounding text."""
        size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        paper = [f'<rect width="100%" height="100%" fill="{background}"/>'] if background else []
        looks = 'font-family="Helvetica, Arial, sans-serif" fill="currentColor"' + ' color="black"' * bool(background)
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {looks}>', *paper, *self.elements, "</svg>"])


def draw_svg(drawn: Drawn, *, letters: bool, labelled: bool = False, background: str = "") -> str:
    """Return the picture of a grid without anything else."""
    canvas = SvgCanvas()
    paint(canvas, drawn, CELL, letters=letters, labelled=labelled)
    return canvas.document(*measure_size(drawn, CELL, labelled=labelled), background)
