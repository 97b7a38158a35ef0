"""An SVG canvas, and the picture of a grid on it; text stays text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from cpfill.drawing.paint import measure_size, paint

if TYPE_CHECKING:
    from cpfill.drawing.paint import Drawn

CELL = 32.0
"""The side of a cell."""


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

    def circle(self, x: float, y: float, radius: float, line: float, *, cut: bool) -> None:
        """Draw a circle, or the three quarters of it from the top round to the left."""
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
        """Return the picture: black on a background, or else in the colour of the text around it."""
        size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        paper = [f'<rect width="100%" height="100%" fill="{background}"/>'] if background else []
        looks = 'font-family="Helvetica, Arial, sans-serif" fill="currentColor"' + ' color="black"' * bool(background)
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {looks}>', *paper, *self.elements, "</svg>"])


def draw_svg(drawn: Drawn, *, letters: bool, labelled: bool = False, background: str = "") -> str:
    """Return the picture of a grid alone."""
    canvas = SvgCanvas()
    paint(canvas, drawn, CELL, letters=letters, labelled=labelled)
    return canvas.document(*measure_size(drawn, CELL, labelled=labelled), background)
