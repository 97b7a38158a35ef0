"""Paper to draw on, by reportlab: fonts, the width of texts, and a canvas whose y goes downwards.

The text is set in Source Serif Pro, a face made for long reading at small sizes, with Latin, Greek and Cyrillic
letters, under the SIL Open Font License; a package of its own has its files. What stands in the
grid is set in Bitstream Vera, which comes with reportlab. Both are embedded in part: printers ask for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.imports import load
from cpfill.formats.pages.columns import LABEL_GAP
from cpfill.formats.pages.style import SERIF, VERA, find_lacking, fit_charset
from cpfill.puzzle.drawing.paint import split_colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.pages.columns import TextBlock, TextColumn

TEXT, BOLD, GRID = "Serif", "Serif-Bold", "Vera"
_SERIF = {TEXT: "SourceSerifPro-Regular.ttf", BOLD: "SourceSerifPro-Bold.ttf"}


def load_reportlab(module: str) -> Any:  # noqa: ANN401 - see `optional_packages`
    """Return a module of reportlab.

    Raises:
        CpfillError: it is not installed.
    """
    return load(f"reportlab.{module}", "reportlab", "PDF")


@cache
def load_fonts() -> None:
    """Make the fonts known to reportlab.

    Raises:
        CpfillError: it, or the package with the serif, is not installed.
    """
    metrics, fonts = load_reportlab("pdfbase.pdfmetrics"), load_reportlab("pdfbase.ttfonts")
    serif = load("font_source_serif_pro", "font-source-serif-pro", "PDF")
    for font, name in _SERIF.items():
        metrics.registerFont(fonts.TTFont(font, Path(serif.__file__).with_name("files") / name))
    metrics.registerFont(fonts.TTFont(GRID, "Vera.ttf"))


@lru_cache(maxsize=100_000)
def measure_width(text: str, bold: bool = False) -> float:
    """Return the width of a text in heights of it, as the canvas writes it."""
    width = load_reportlab("pdfbase.pdfmetrics").stringWidth(fit_charset(text, SERIF), BOLD if bold else TEXT, 1)
    return float(width)


@lru_cache(maxsize=100_000)
def measure_in_grid(text: str) -> float:
    """Return the width of a text in heights of it, as the canvas writes it in the grid."""
    font = TEXT if find_lacking(text, VERA) else GRID
    return float(load_reportlab("pdfbase.pdfmetrics").stringWidth(fit_charset(text, SERIF), font, 1))


@dataclass
class PdfCanvas:
    """Draws on reportlab's canvas, whose y goes upwards, from an upper left corner."""

    pdf: Any
    x: float
    y: float

    def square(self, x: float, y: float, side: float, line: float, *, filled: bool, shade: str = "") -> None:
        """Draw a square."""
        self.pdf.setLineWidth(line)
        if shade:
            self.pdf.setFillColorRGB(*split_colour(shade))
        self.pdf.rect(self.x + x, self.y - y - side, side, side, fill=int(filled or bool(shade)))
        if shade:
            self.pdf.setFillGray(0)

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float) -> None:
        """Draw a line."""
        self.pdf.setLineWidth(width)
        self.pdf.setLineCap(2)
        self.pdf.line(self.x + start[0], self.y - start[1], self.x + end[0], self.y - end[1])

    def polygon(self, corners: Sequence[tuple[float, float]], ink: float) -> None:
        """Fill a polygon."""
        path = self.pdf.beginPath()
        for index, (x, y) in enumerate(corners):
            (path.lineTo if index else path.moveTo)(self.x + x, self.y - y)
        path.close()
        self.pdf.setFillGray(1 - ink)
        self.pdf.drawPath(path, stroke=0, fill=1)
        self.pdf.setFillGray(0)

    def circle(self, x: float, y: float, radius: float, line: float, *, cut: bool) -> None:
        """Draw a circle, or the three quarters of it from the top round to the left."""
        x, y = self.x + x, self.y - y
        self.pdf.setLineWidth(line)
        self.pdf.arc(x - radius, y - radius, x + radius, y + radius, 180, 270 if cut else 360)

    def text(self, x: float, y: float, size: float, text: str, *, centred: bool = True, font: str = GRID) -> None:
        """Write a text; letters that the font of the grid lacks are in the serif."""
        self.pdf.setFont(TEXT if font is GRID and find_lacking(text, VERA) else font, size)
        write = self.pdf.drawCentredString if centred else self.pdf.drawString
        write(self.x + x, self.y - y, fit_charset(text, SERIF))

    def column(self, column: TextColumn, blocks: Sequence[TextBlock]) -> None:
        """Write what stands in a column."""
        y = column.top
        for index, block in enumerate(blocks):
            y += block.space if index else 0.0
            for line in block.lines:
                base = y + 0.8 * line.leading
                if line.label:
                    wide = (measure_width(line.label, True) + LABEL_GAP) * line.size
                    self.text(column.x + line.indent - wide, base, line.size, line.label, centred=False, font=BOLD)
                font = BOLD if line.bold else TEXT
                self.text(column.x + line.indent, base, line.size, line.text, centred=False, font=font)
                y += line.leading
