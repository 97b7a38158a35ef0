"""Pictures, written alone: SVG of title, grid and clues, where text stays text; PNG of the grid alone, by Pillow."""

from __future__ import annotations

import io
import math
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.imports import load
from cpfill.formats.pages.arrows import CELL_POINTS, ArrowType, paint_arrowword
from cpfill.formats.pages.style import VERA, PageLayout, PageStyle, fit_charset
from cpfill.formats.registry import Codec
from cpfill.puzzle.drawing import CELL, SvgCanvas, estimate_width, measure_size, paint
from cpfill.puzzle.parts import IN_GRID, METADATA, SHOWN, PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.pages.style import HeadedClues
    from cpfill.puzzle.puzzle import Puzzle


KEEPS = SHOWN | IN_GRID - {PuzzlePart.LETTER_SETS} | {PuzzlePart.CLUES, PuzzlePart.STRAYS}
_SIZE, _LEADING = 13.0, 17.0
_POINT = 0.75
"""A pixel, in points: there are 96 to the inch."""
_EM = 0.52
"""The mean width of a character, in heights: an SVG does not break lines, so they are broken here."""


def _draw_svg(puzzle: Puzzle, style: PageStyle) -> tuple[bytes, list[str]]:
    """Return the picture, and warnings: the blank grid with the clues below in columns, or the solution."""
    letters = bool(style.letters)
    canvas = SvgCanvas(x=10, y=10)
    cell = choose_cell(style)
    grid_width, grid_height = measure_size(puzzle, cell, labelled=style.labelled)
    lists = [] if letters else style.list_headed_clues(puzzle)
    width = grid_width
    if METADATA & puzzle.metadata.keys():
        width = max(width, 280.0)
    if lists:
        width = max(width, 560.0)
    y = _write(canvas, 0.0, width, style.write(puzzle, PuzzlePart.TITLE), bold=True)
    y = _write(canvas, y, width, style.write(puzzle, PuzzlePart.AUTHOR))
    if not letters:
        for line in style.write_notes(puzzle):
            y = _write(canvas, y, width, line)
    if y:
        y += _LEADING / 2
    canvas.y += y
    told = paint_styled(canvas, puzzle, style, letters=letters)
    canvas.y -= y
    y = _write_lists(canvas, y + grid_height + _LEADING / 2, width, lists)
    y = _write(canvas, y, width, style.write_copyright(puzzle))
    return (canvas.document(width + 20, y + 20, "white") + "\n").encode(), told


def _write_lists(canvas: SvgCanvas, top: float, width: float, lists: Sequence[HeadedClues]) -> float:
    """Write lists of clues in columns side by side, and return the lowest of their ends."""
    left = canvas.x
    lowest = top
    column = width / max(1, len(lists))
    for index, (heading, clues) in enumerate(lists):
        canvas.x = left + index * column
        end = _write(canvas, top, column, heading, bold=True)
        for label, text in clues:
            end = _write(canvas, end, column - 20, f"{label}. {text}" if label else text)
        lowest = max(lowest, end)
    canvas.x = left
    return lowest


def choose_cell(style: PageStyle) -> float:
    if style.layout is PageLayout.ARROWS:
        return CELL_POINTS / _POINT
    return CELL


def paint_styled(canvas: SvgCanvas, puzzle: Puzzle, style: PageStyle, *, letters: bool) -> list[str]:
    """Draw only the grid, and return warnings."""
    if style.layout is PageLayout.ARROWS:
        kind = ArrowType(estimate_width, _POINT, style.words.language)
        return paint_arrowword(canvas, puzzle, choose_cell(style), kind, style, letters=letters)
    paint(canvas, puzzle, CELL, letters=letters, labelled=style.labelled)
    return []


def _write(canvas: SvgCanvas, y: float, width: float, text: str, *, bold: bool = False) -> float:
    """Write a text under `y` in lines of that width, and return where it ends."""
    for line in textwrap.wrap(text, max(10, int(width / (_EM * _SIZE)))):
        y += _LEADING
        canvas.text(0, y, _SIZE, line, centred=False, bold=bold)
    return y


_CELL_PIXELS, _ARROW_PIXELS = 48, 128
_EDGE = 8
_MEASURED = 100
"""The height of the font in which widths are measured."""
_LARGEST = 4096
"""Pixels of the longer side; cells of a huge grid are smaller."""


def _load_pillow(module: str) -> Any:
    return load(f"PIL.{module}", "Pillow", "PNG")


@cache
def _load_font(size: int) -> Any:
    """Return Bitstream Vera: Pillow's own font has no letters with accents, and reportlab has it."""
    reportlab = load("reportlab", "reportlab", "PNG")
    return _load_pillow("ImageFont").truetype(Path(reportlab.__file__).with_name("fonts") / "Vera.ttf", size)


@dataclass
class PngCanvas:
    """Draws with Pillow, in pixels."""

    image: Any
    picture: Any

    @classmethod
    def blank(cls, width: float, height: float, mode: str = "L") -> PngCanvas:
        """Return a white canvas of this size, with a narrow edge around it."""
        image = _load_pillow("Image").new(mode, (round(width) + 2 * _EDGE, round(height) + 2 * _EDGE), "white")
        return cls(image, _load_pillow("ImageDraw").Draw(image))

    def encode(self) -> bytes:
        """Return the picture as the bytes of a PNG."""
        out = io.BytesIO()
        self.image.save(out, "PNG")
        return out.getvalue()

    def square(self, x: float, y: float, side: float, line: float, *, filled: bool, shade: str = "") -> None:
        corners = [_EDGE + x, _EDGE + y, _EDGE + x + side, _EDGE + y + side]
        fill = "black" if filled else shade or None
        self.picture.rectangle(corners, fill=fill, outline="black", width=max(1, round(line)))

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float) -> None:
        (x1, y1), (x2, y2) = start, end
        by = width / 2 / (math.dist(start, end) or 1)
        dx = by * (x2 - x1)
        dy = by * (y2 - y1)
        ends = [_EDGE + x1 - dx, _EDGE + y1 - dy, _EDGE + x2 + dx, _EDGE + y2 + dy]
        self.picture.line(ends, fill="black", width=max(2, round(width)))

    def polygon(self, corners: Sequence[tuple[float, float]], ink: float) -> None:
        self.picture.polygon([(_EDGE + x, _EDGE + y) for x, y in corners], fill=f"hsl(0,0%,{100 * (1 - ink):g}%)")

    def circle(self, x: float, y: float, radius: float, line: float, *, cut: bool) -> None:
        corners = [_EDGE + x - radius, _EDGE + y - radius, _EDGE + x + radius, _EDGE + y + radius]
        self.picture.arc(corners, -90, 180 if cut else 270, fill="black", width=max(1, round(line)))

    def text(self, x: float, y: float, size: float, text: str, *, centred: bool = True) -> None:
        at = (_EDGE + x, _EDGE + y)
        anchor = "ms" if centred else "ls"
        font = _load_font(max(1, round(size)))
        self.picture.text(at, fit_charset(text, VERA), fill="black", font=font, anchor=anchor)


def _measure_width(text: str) -> float:
    """Return the width of a text in heights of the font."""
    width: float = _load_font(_MEASURED).getlength(fit_charset(text, VERA)) / _MEASURED
    return width


def _draw_png(puzzle: Puzzle, style: PageStyle) -> tuple[bytes, list[str]]:
    """Return the picture, and warnings: the blank grid, or the solution."""
    largest = _ARROW_PIXELS if style.layout is PageLayout.ARROWS else _CELL_PIXELS
    cell = min(largest, _LARGEST // max(puzzle.width, puzzle.height))
    width, height = measure_size(puzzle, cell, labelled=style.labelled)
    mode = "RGB" if puzzle.shades else "L"
    canvas = PngCanvas.blank(width, height, mode)
    told = []
    if style.layout is PageLayout.ARROWS:
        kind = ArrowType(_measure_width, CELL_POINTS / _ARROW_PIXELS, style.words.language)
        told = paint_arrowword(canvas, puzzle, cell, kind, style, letters=bool(style.letters))
    else:
        paint(canvas, puzzle, cell, letters=bool(style.letters), labelled=style.labelled)
    return canvas.encode(), told


SVG = Codec(KEEPS, draw=_draw_svg)
PNG = Codec(IN_GRID - {PuzzlePart.LETTER_SETS}, draw=_draw_png)
