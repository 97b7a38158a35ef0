"""The geometry of a drawn grid, on any canvas: x to the right, y downwards, lengths in the canvas's own unit.

An SVG canvas, and the picture of a grid on it; text stays text.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

LINE = 0.03
"""The width of the lines around a cell, in cells."""
FRAME = 0.08
"""The width of the frame around the grid, in cells."""
BAR = 0.11
"""The width of a bar, in cells."""
LETTER = 0.6
"""The height of letters, in cells."""
NUMBER = 0.28
"""The height of numbers, in cells."""
LABEL = 0.42
"""The height of the labels of rows and columns, in cells."""
_CAPTION = 5
"""The characters in the corner of a cell that fit it at the height of numbers; more are set smaller."""
MARGIN = 0.9
"""Room for the labels of rows and columns, in cells."""
_BRIGHTNESS = 0.299, 0.587, 0.114
"""The weights of red, green and blue in the brightness that the eye perceives."""
_LIGHTEST_INK = 0.7
"""The least brightness of a shade: black on it has a contrast of 9 : 1 or more, by the formula of the web guidelines
(WCAG)."""
_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


class Drawable(Protocol):
    """A grid that can be drawn; cells are row-major indices."""

    @property
    def height(self) -> int:
        """Rows."""

    @property
    def width(self) -> int:
        """Columns."""

    @property
    def cells(self) -> Sequence[str | None]:
        """The letters of each cell, `None` for a block."""

    @property
    def captions(self) -> Mapping[int, str]:
        """The text in the corner of each cell: its number, or a label of its own."""

    @property
    def bars(self) -> Collection[tuple[int, int]]:
        """Pairs of neighbours with a bar between them."""

    @property
    def circles(self) -> Collection[int]:
        """Cells with a circle."""

    @property
    def shades(self) -> Mapping[int, str]:
        """The colour of each shaded cell, as `#rrggbb`."""

    @property
    def givens(self) -> Collection[int]:
        """Cells whose letters are drawn in the blank grid, too."""

    @property
    def alternatives(self) -> Mapping[int, Sequence[str]]:
        """The other letters of each cell that has several."""

    @property
    def voids(self) -> Collection[int]:
        """Cells outside the figure."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A plain drawing; see `Drawable`."""

    height: int
    width: int
    cells: Sequence[str | None]
    captions: Mapping[int, str]
    bars: Collection[tuple[int, int]]
    circles: Collection[int] = field(default=())
    givens: Collection[int] = field(default=())
    voids: Collection[int] = field(default=())
    shades: Mapping[int, str] = field(default_factory=dict)
    alternatives: Mapping[int, Sequence[str]] = field(default_factory=dict)


class Canvas(Protocol):
    """The shapes that a format can draw; the position of a text is the middle or the start of its baseline."""

    def square(self, x: float, y: float, side: float, line: float, *, filled: bool, shade: str = "") -> None:
        """Draw a square from its upper left corner: black, or outlined with an optional `shade`, `#rrggbb`, inside."""

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float) -> None:
        """Draw a straight line, extended by half its width at each end."""

    def polygon(self, corners: Sequence[tuple[float, float]], ink: float) -> None:
        """Fill a polygon with `ink` from 0 (invisible) to 1 (black)."""

    def circle(self, x: float, y: float, radius: float, line: float, *, cut: bool) -> None:
        """Draw a circle around its centre; `cut` leaves out its upper left quarter."""

    def text(self, x: float, y: float, size: float, text: str, *, centred: bool = True) -> None:
        """Write a text."""


def show_answer(drawn: Drawable, cell: int) -> str:
    """Return the answer of a cell as it is drawn: all its letters, such as `C/B`."""
    letters = (drawn.cells[cell] or "", *drawn.alternatives.get(cell, ()))
    return "/".join(dict.fromkeys(letters))


def measure_size(drawn: Drawable, cell: float, *, labelled: bool) -> tuple[float, float]:
    """Return the width and height of a drawn grid."""
    margin = FRAME
    if labelled:
        margin = MARGIN + FRAME
    return (drawn.width + margin) * cell, (drawn.height + margin) * cell


def paint(
    canvas: Canvas, drawn: Drawable, cell: float, *, letters: bool, labelled: bool, thickness: float = 1.0
) -> None:
    """Draw the grid in the canvas's upper left corner, with numbers or else with labels of rows and columns.

    Givens are always drawn, other letters only with `letters`. Shades are lightened so that letters on them stay
    legible. A circle leaves out the corner that holds the number. `thickness` scales the widths of lines.
    """
    margin = FRAME / 2 * cell
    if labelled:
        margin = (FRAME / 2 + MARGIN) * cell
    brush = _Brush(canvas, drawn, cell, margin, thickness)
    for index in range(len(drawn.cells)):
        if index not in drawn.voids:
            _paint_cell(brush, index, letters=letters, labelled=labelled)
    for one, other in sorted(drawn.bars):
        _paint_bar(brush, one, other)
    for start, end in frame(drawn):
        corners = [(margin + x * cell, margin + y * cell) for x, y in (start, end)]
        canvas.line(corners[0], corners[1], thickness * FRAME * cell)
    if labelled:
        _paint_labels(brush)


class _Brush(NamedTuple):
    """A canvas, the grid that is drawn on it, the side of a cell, the margin, and the factor of the widths of lines."""

    canvas: Canvas
    drawn: Drawable
    cell: float
    margin: float
    thickness: float

    def find_corner(self, index: int) -> tuple[float, float]:
        """Return the upper left corner of a cell."""
        row, column = divmod(index, self.drawn.width)
        return self.margin + column * self.cell, self.margin + row * self.cell


def _paint_cell(brush: _Brush, index: int, *, letters: bool, labelled: bool) -> None:
    canvas, drawn, cell, _, thickness = brush
    x, y = brush.find_corner(index)
    answer = drawn.cells[index]
    shade = ""
    if index in drawn.shades:
        shade = lighten(drawn.shades[index])
    canvas.square(x, y, cell, thickness * LINE * cell, filled=answer is None, shade=shade)
    captioned = index in drawn.captions and not labelled
    if index in drawn.circles:
        canvas.circle(x + cell / 2, y + cell / 2, (0.5 - LINE) * cell, thickness * LINE * cell, cut=captioned)
    if captioned:
        caption = drawn.captions[index]
        size = min(NUMBER, NUMBER * _CAPTION / len(caption)) * cell
        canvas.text(x + 0.06 * cell, y + 0.29 * cell, size, caption, centred=False)
    if answer and (letters or index in drawn.givens):
        answer = show_answer(drawn, index)
        size = min(LETTER, 1.3 / len(answer)) * cell
        canvas.text(x + cell / 2, y + 0.58 * cell + 0.36 * size, size, answer)


def _paint_bar(brush: _Brush, one: int, other: int) -> None:
    x, y = brush.find_corner(other)
    end = (x + brush.cell, y)
    if other == one + 1 and brush.drawn.width > 1:
        end = (x, y + brush.cell)
    brush.canvas.line((x, y), end, brush.thickness * BAR * brush.cell)


def split_colour(colour: str) -> list[float]:
    """Return the red, green and blue of a colour, each from 0 to 1."""
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def lighten(colour: str) -> str:
    """Return a colour mixed with just enough white for black letters to be legible on it."""
    parts = split_colour(colour)
    bright = sum(weight * part for weight, part in zip(_BRIGHTNESS, parts, strict=True))
    white = 0.0
    if bright < 1:
        white = max(0.0, (_LIGHTEST_INK - bright) / (1 - bright))
    mixed = [round(255 * (part + white * (1 - part))) for part in parts]
    digits = "".join(f"{part:02x}" for part in mixed)
    return f"#{digits}"


def _paint_labels(brush: _Brush) -> None:
    """Write the labels of the columns above the grid, and of the rows to its left."""
    canvas, drawn, cell, margin, _ = brush
    for column in range(drawn.width):
        canvas.text(margin + (column + 0.5) * cell, 0.6 * cell, LABEL * cell, str(column + 1))
    for row in range(drawn.height):
        canvas.text(0.4 * cell, margin + (row + 0.5 + LABEL / 3) * cell, LABEL * cell, write_roman(row + 1))


def frame(drawn: Drawable) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the lines of the frame, each as long as possible, from its first to its last corner (column and row).

    They separate cells of the figure from the outside: around the grid, and around its voids.
    """
    height = drawn.height
    width = drawn.width
    lines: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for row in range(height + 1):
        edges = [_is_inside(drawn, row - 1, column) != _is_inside(drawn, row, column) for column in range(width)]
        lines += [((start, row), (end, row)) for start, end in _runs(edges)]
    for column in range(width + 1):
        edges = [_is_inside(drawn, row, column - 1) != _is_inside(drawn, row, column) for row in range(height)]
        lines += [((column, start), (column, end)) for start, end in _runs(edges)]
    return lines


def _is_inside(drawn: Drawable, row: int, column: int) -> bool:
    if not (0 <= row < drawn.height and 0 <= column < drawn.width):
        return False
    return row * drawn.width + column not in drawn.voids


def _runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the start and the end of each run of true flags; the end is exclusive."""
    runs = []
    start = 0
    for flag, run in groupby(flags):
        end = start + len(list(run))
        if flag:
            runs.append((start, end))
        start = end
    return runs


def write_roman(number: int) -> str:
    """Return a number under 400 in Roman numerals."""
    text = ""
    for value, numeral in _ROMAN:
        text += numeral * (number // value)
        number %= value
    return text


CELL = 32.0
"""The side of a cell."""

_WIDTHS = {
    **dict.fromkeys("ijl'", 0.22),
    **dict.fromkeys(" ftI!,./:;[]\\|\u00a0\u202f", 0.28),
    **dict.fromkeys("r-()`", 0.34),
    **dict.fromkeys('"*', 0.39),
    **dict.fromkeys("cksvxyzJ", 0.5),
    **dict.fromkeys("abdeghnopquL0123456789?#$_", 0.56),
    **dict.fromkeys("FTZ+<=>", 0.61),
    **dict.fromkeys("ABEKPSVXY&", 0.67),
    **dict.fromkeys("CDHNRUw", 0.73),
    **dict.fromkeys("GOQ", 0.78),
    **dict.fromkeys("mM", 0.84),
    **dict.fromkeys("W%", 0.95),
}
"""The widths of characters in Helvetica and Arial, as fractions of the font size."""


def estimate_width(text: str) -> float:
    """Return the width of a text as a multiple of the font size: SVG does not break lines, so callers must."""
    characters = unicodedata.normalize("NFD", text)
    return sum(_WIDTHS.get(char, 1.0) for char in characters if not unicodedata.combining(char))


@dataclass
class SvgCanvas:
    """Collects SVG elements, each shifted by the current `x` and `y`."""

    x: float = 0.0
    y: float = 0.0
    elements: list[str] = field(default_factory=list)

    def square(self, x: float, y: float, side: float, line: float, *, filled: bool, shade: str = "") -> None:
        fill = shade or "none"
        if filled:
            fill = "currentColor"
        self.elements.append(
            f'<rect x="{self.x + x:g}" y="{self.y + y:g}" width="{side:g}" height="{side:g}" '
            f'fill="{fill}" stroke="currentColor" stroke-width="{line:g}"/>'
        )

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float) -> None:
        x1, y1 = start
        x2, y2 = end
        self.elements.append(
            f'<line x1="{self.x + x1:g}" y1="{self.y + y1:g}" x2="{self.x + x2:g}" y2="{self.y + y2:g}" '
            f'stroke="currentColor" stroke-width="{width:g}" stroke-linecap="square"/>'
        )

    def polygon(self, corners: Sequence[tuple[float, float]], ink: float) -> None:
        points = " ".join(f"{self.x + x:g},{self.y + y:g}" for x, y in corners)
        look = ""
        if ink < 1:
            look = f' fill-opacity="{ink:g}"'
        self.elements.append(f'<polygon points="{points}"{look}/>')

    def circle(self, x: float, y: float, radius: float, line: float, *, cut: bool) -> None:
        """Draw a circle, or three quarters of it, clockwise from the top to the left."""
        x += self.x
        y += self.y
        shape = f'circle cx="{x:g}" cy="{y:g}" r="{radius:g}"'
        if cut:
            shape = f'path d="M{x:g} {y - radius:g}A{radius:g} {radius:g} 0 1 1 {x - radius:g} {y:g}"'
        looks = f'fill="none" stroke="currentColor" stroke-width="{line:g}"'
        self.elements.append(f"<{shape} {looks}/>")

    def text(self, x: float, y: float, size: float, text: str, *, centred: bool = True, bold: bool = False) -> None:
        looks = ""
        if centred:
            looks += ' text-anchor="middle"'
        if bold:
            looks += ' font-weight="bold"'
        self.elements.append(
            f'<text x="{self.x + x:g}" y="{self.y + y:g}" font-size="{size:g}"{looks}>{escape(text)}</text>'
        )

    def document(self, width: float, height: float, background: str = "") -> str:
        """Return the picture: black on `background`, or without one in the colour of the surrounding text."""
        size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        looks = 'font-family="Helvetica, Arial, sans-serif" fill="currentColor"'
        paper = []
        if background:
            looks += ' color="black"'
            paper.append(f'<rect width="100%" height="100%" fill="{background}"/>')
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {looks}>'
        return "\n".join([head, *paper, *self.elements, "</svg>"])


def draw_svg(drawn: Drawable, *, letters: bool, labelled: bool = False, background: str = "") -> str:
    """Return the picture of a grid without anything else."""
    canvas = SvgCanvas()
    paint(canvas, drawn, CELL, letters=letters, labelled=labelled)
    return canvas.document(*measure_size(drawn, CELL, labelled=labelled), background)
