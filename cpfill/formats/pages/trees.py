"""Pictures of trees, SVG or PNG: the root on the left, a column for each level, a row for each leaf."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import InputError, unknown_name
from cpfill.base.texts import say
from cpfill.formats.pages.pictures import PngCanvas
from cpfill.puzzle.drawing import SvgCanvas, estimate_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.base.trees import Branch
    from cpfill.puzzle.drawing import Canvas

SUFFIXES = (".svg", ".png")
_SIZE, _NOTE_SIZE, _ROW, _GAP, _EDGE = 15.0, 11.0, 22.0, 34.0, 12.0
_THIN, _THICK = 1.0, 1.6
_DOT, _DASH = 0.5, 5.0
_WIDEST = 1.15
"""How much wider than Helvetica the font of a PNG is."""


@dataclass(frozen=True)
class Picture:
    """A tree with a title, and a heading for each of its levels.

    With `shared` it is drawn as a dictionary with shared prefixes is (D. Rémy, Complétion de grilles de mots croisés):
    the first node below another stands beside it, on a solid line, and the next one under that, on a dotted line.
    Otherwise a node stands in the middle of the nodes below it, each on a line of its own.
    """

    title: str
    root: Branch
    headings: Sequence[str] = ()
    shared: bool = False


def check_suffix(path: str) -> None:
    """Check, before any other work, that a tree can be drawn in a file of this name."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise InputError(unknown_name(say("a file for the picture that ends in"), Path(path).suffix, SUFFIXES))


def draw_trees(pictures: Sequence[Picture], path: str) -> bytes:
    """Return trees side by side as a picture of the kind that the name of a file asks for."""
    placed = [_Layout(picture) for picture in pictures]
    width = sum(each.width for each in placed) + _EDGE
    height = max(each.height for each in placed) + _EDGE
    if path.lower().endswith(".png"):
        canvas = PngCanvas.blank(width, height)
        _paint(canvas, placed)
        return canvas.encode()
    svg = SvgCanvas()
    _paint(svg, placed)
    return (svg.document(width, height, "white") + "\n").encode()


def _paint(canvas: Canvas, placed: Sequence[_Layout]) -> None:
    left = _EDGE
    for each in placed:
        each.paint(canvas, left)
        left += each.width


class _Spot(NamedTuple):
    """Where a node stands: its level, and its row, which may lie between two."""

    level: int
    row: float


class _Layout:
    """The places of the nodes of a tree."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._spots: dict[int, _Spot] = {}
        self._rows = 0
        self._widths = [_find_width(text, _SIZE) for text in picture.headings]
        self._place(picture.root, 0)
        gap = _GAP
        if picture.shared:
            gap = _GAP / 2
        self._columns = [gap]
        for width in self._widths:
            self._columns.append(self._columns[-1] + width + gap)
        self.width = max(self._columns[-1], _find_width(picture.title, _SIZE)) + _GAP
        self.height = self._find_y(self._rows)

    def _place(self, branch: Branch, level: int) -> float:
        """Find the places of a node and of those below it, and return its row."""
        if level:
            if level > len(self._widths):
                self._widths.append(0.0)
            wide = _find_width(branch.text, _SIZE) + _find_width(branch.note, _NOTE_SIZE)
            self._widths[level - 1] = max(self._widths[level - 1], wide)
        rows = [self._place(child, level + 1) for child in branch.children]
        if not rows:
            rows = [float(self._rows)]
            self._rows += 1
        row = rows[0] if self._picture.shared else (rows[0] + rows[-1]) / 2
        self._spots[id(branch)] = _Spot(level, row)
        return row

    def _find_y(self, row: float) -> float:
        """Return the middle of a row, below the title and the headings."""
        return _EDGE + (row + 2.5) * _ROW

    def paint(self, canvas: Canvas, left: float) -> None:
        """Draw the tree from `left` to the right."""
        canvas.text(left, _EDGE + _SIZE, _SIZE, self._picture.title, centred=False)
        for column, text in zip(self._columns, self._picture.headings, strict=False):
            canvas.text(left + column, _EDGE + _SIZE + _ROW, _SIZE, text, centred=False)
        self._paint_branch(canvas, left, self._picture.root)

    def _paint_branch(self, canvas: Canvas, left: float, branch: Branch) -> None:
        level, row = self._spots[id(branch)]
        y = self._find_y(row)
        right = left
        if level:
            x = left + self._columns[level - 1]
            width = _find_width(branch.text, _SIZE)
            canvas.text(x, y + 0.36 * _SIZE, _SIZE, branch.text, centred=False)
            right = x + width
            if branch.ringed:
                canvas.circle(x + width / 2, y, 0.62 * _SIZE, _THIN, cut=False)
        if branch.note:
            canvas.text(right + 6, y + 0.36 * _NOTE_SIZE, _NOTE_SIZE, branch.note, centred=False)
        above = y
        for child in branch.children:
            self._paint_edge(canvas, left, (right, above), child)
            self._paint_branch(canvas, left, child)
            if self._picture.shared:
                above = self._find_y(self._spots[id(child)].row)

    def _paint_edge(self, canvas: Canvas, left: float, start: tuple[float, float], child: Branch) -> None:
        """Draw the line to a node: from the one that it is below or, dotted, from the one before it."""
        level, row = self._spots[id(child)]
        x = left + self._columns[level - 1]
        y = self._find_y(row)
        right, above = start
        if not self._picture.shared:
            canvas.line((right + 4, above), (x - 4, y), _THIN)
        elif y > above:
            _dot(canvas, x + 5, above + 0.7 * _SIZE, y - 0.7 * _SIZE)
        elif level > 1:
            canvas.line((right + 4, y), (x - 5, y), _THICK)


def _dot(canvas: Canvas, x: float, top: float, bottom: float) -> None:
    """Draw a dotted line downwards."""
    y = top
    while y < bottom:
        canvas.line((x, y), (x, min(y + _DOT, bottom)), _THICK)
        y += _DASH


def _find_width(text: str, size: float) -> float:
    """Return the room that a text needs on any canvas."""
    return estimate_width(text) * size * _WIDEST
