"""PDF, written alone, by reportlab: the grid and its clues on A4, the solution on a page of its own."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cpfill.drawing.paint import paint, size_of
from cpfill.extras import load
from cpfill.formats.pages.columns import Block, Column, Line, blocks_of, broken, pages
from cpfill.formats.pages.style import shown
from cpfill.formats.pages.svg import KEEPS
from cpfill.puzzle import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.pages.columns import Setting
    from cpfill.formats.pages.style import ClueList, Style
    from cpfill.puzzle import Puzzle

__all__ = ["KEEPS", "draw"]

WIDTH, HEIGHT = 595.28, 841.89
"""A4, in points, as all lengths here."""
_EDGE, _GAP, _COLUMNS = 40.0, 14.0, 3
_COLUMN = (WIDTH - 2 * _EDGE + _GAP) / _COLUMNS - _GAP
_SIZES = ((26.0, 8.0), (23.0, 7.5), (20.0, 7.0), (17.5, 6.5), (15.0, 6.0))
"""The side of a cell and the height of the clues: smaller ones are taken where they save a page."""
_LEADING = 1.2
_FOOT = 7.5
_FONT, _BOLD = "Vera", "VeraBd"
"""Fonts that come with reportlab, and are embedded: printers ask for that."""


def _reportlab(module: str) -> Any:  # noqa: ANN401 - see `extras`
    return load(f"reportlab.{module}", "reportlab", "PDF", "'cpfill[print]'")


@dataclass
class _PdfCanvas:
    """Draws on reportlab's canvas, whose y goes upwards, from an upper left corner."""

    pdf: Any
    x: float = 0.0
    y: float = HEIGHT

    def square(self, x: float, y: float, side: float, line: float, *, filled: bool) -> None:
        self.pdf.setLineWidth(line)
        self.pdf.rect(self.x + x, self.y - y - side, side, side, fill=int(filled))

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float) -> None:
        self.pdf.setLineWidth(width)
        self.pdf.line(self.x + start[0], self.y - start[1], self.x + end[0], self.y - end[1])

    def circle(self, x: float, y: float, radius: float, line: float, *, cut: bool) -> None:
        x, y = self.x + x, self.y - y
        self.pdf.setLineWidth(line)
        self.pdf.arc(x - radius, y - radius, x + radius, y + radius, 180, 270 if cut else 360)

    def text(self, x: float, y: float, size: float, text: str, *, centred: bool = True, bold: bool = False) -> None:
        self.pdf.setFont(_BOLD if bold else _FONT, size)
        write = self.pdf.drawCentredString if centred else self.pdf.drawString
        write(self.x + x, self.y - y, shown(text))


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the grid stands, and what stands in the columns of each page."""

    x: float
    y: float
    cell: float
    settings: list[Setting]


def draw(puzzle: Puzzle, style: Style) -> bytes:
    """Return the document; the same puzzle gives the same bytes."""
    metrics, fonts = _reportlab("pdfbase.pdfmetrics"), _reportlab("pdfbase.ttfonts")
    for font in (_FONT, _BOLD):
        metrics.registerFont(fonts.TTFont(font, f"{font}.ttf"))
    out = io.BytesIO()
    pdf = _reportlab("pdfgen.canvas").Canvas(out, pagesize=(WIDTH, HEIGHT), invariant=1, initialFontName=_FONT)
    pdf.setTitle(puzzle.metadata.get(Part.TITLE, "Crossword"))
    pdf.setAuthor(puzzle.metadata.get(Part.AUTHOR, ""))
    pdf.setSubject("Crossword")
    for letters in style.faces(puzzle):
        _face(pdf, puzzle, style, letters=letters)
    pdf.save()
    return out.getvalue()


def _face(pdf: Any, puzzle: Puzzle, style: Style, *, letters: bool) -> None:  # noqa: ANN401 - reportlab's own class
    """Draw the puzzle, or its solution, on as many pages as it takes."""
    page = _PdfCanvas(pdf)
    texts = [(style.heading(puzzle.metadata.get(Part.TITLE, ""), letters=letters), 16.0, True)]
    if not letters:
        texts.append((puzzle.metadata.get(Part.AUTHOR, ""), 10.0, False))
        texts += [(line, 9.5, False) for line in puzzle.metadata.get(Part.NOTES, "").split("\n")]
    y, notes = _head(page, texts)
    foot = _lines(puzzle.copyright_line, _FOOT, WIDTH - 2 * _EDGE)
    if len(foot) * _FOOT * _LEADING > _EDGE / 2:
        notes, foot = [*notes, puzzle.copyright_line], []
    layout = _layout(puzzle, style, y, notes, [] if letters else style.clue_lists(puzzle))
    paint(_PdfCanvas(pdf, layout.x, HEIGHT - layout.y), puzzle, layout.cell, letters=letters, labelled=style.french)
    for setting in layout.settings:
        for column, blocks in setting:
            _column(page, column, blocks)
        for place, line in enumerate(foot):
            page.text(WIDTH / 2, HEIGHT - _EDGE / 2 + place * _FOOT * _LEADING, _FOOT, line.text)
        pdf.showPage()


def _head(page: _PdfCanvas, texts: Sequence[tuple[str, float, bool]]) -> tuple[float, list[str]]:
    """Write centred texts of these sizes, bold or not, and return where they end, and those that take too much room."""
    y = _EDGE
    for place, (text, size, bold) in enumerate(texts):
        lines = _lines(text, size, WIDTH - 2 * _EDGE, bold=bold)
        if y + sum(line.leading for line in lines) > HEIGHT / 3:
            return y + _GAP / 2, [text for text, _, _ in texts[place:]]
        for line in lines:
            page.text(WIDTH / 2, y + size, size, line.text, bold=bold)
            y += line.leading
    return y + _GAP / 2, []


def _layout(puzzle: Puzzle, style: Style, y: float, notes: Sequence[str], lists: Sequence[ClueList]) -> _Layout:
    """Return the first layout that takes the fewest pages, of ever smaller ones below `y`.

    Each size is tried with the grid above all columns, then with the first column beside it.
    """
    wide, high = size_of(puzzle, 1.0, labelled=style.french)
    lefts = [_EDGE + place * (_COLUMN + _GAP) for place in range(_COLUMNS)]
    further = [Column(x, _EDGE, HEIGHT - _EDGE) for x in lefts]
    layouts = []
    for largest, size in _SIZES:
        story = _story(notes, lists, size)
        for beside in (0, 1):
            room = WIDTH - _EDGE - lefts[beside]
            cell = min(largest, room / wide, (HEIGHT - _EDGE - y) / high)
            if beside and cell < _SIZES[-1][0]:
                continue
            below = y + high * cell + _GAP
            first = [Column(x, y if place < beside else below, HEIGHT - _EDGE) for place, x in enumerate(lefts)]
            x = lefts[beside] + (room - wide * cell) / 2
            layouts.append(_Layout(x, y, cell, pages(story, first, further)))
    return min(layouts, key=lambda layout: len(layout.settings))


def _story(notes: Sequence[str], lists: Sequence[ClueList], size: float) -> list[Block]:
    """Return what stands in the columns; the heading of a list stays with its first clue."""
    story: list[Block] = []
    for text in notes:
        story += blocks_of(_lines(text, size, _COLUMN), size / 2)
    for name, clues in lists:
        heading = Line(name, size + 1, _LEADING * (size + 1.5), bold=True)
        indent = max(_width(_BOLD, label) for label, _ in clues) * size + size / 2
        listed = [blocks_of(_lines(text, size, _COLUMN, indent, label), size / 6) for label, text in clues]
        start, *rest = (block for blocks in listed for block in blocks)
        story += [Block((heading, *start.lines), size), *rest]
    return story


def _lines(
    text: str, size: float, room: float, indent: float = 0.0, label: str = "", *, bold: bool = False
) -> list[Line]:
    """Return a text broken into lines, the first of them with the label."""
    texts = broken(shown(text), (room - indent) / size, partial(_width, _BOLD if bold else _FONT))
    return [Line(line, size, _LEADING * size, indent, "" if place else label, bold) for place, line in enumerate(texts)]


def _width(font: str, text: str) -> float:
    """Return the width of a text in heights of the font."""
    width: float = _reportlab("pdfbase.pdfmetrics").stringWidth(text, font, 1)
    return width


def _column(page: _PdfCanvas, column: Column, blocks: Sequence[Block]) -> None:
    """Write what stands in a column."""
    y = column.top
    for place, block in enumerate(blocks):
        y += block.space if place else 0.0
        for line in block.lines:
            if line.label:
                page.text(column.x, y + line.size, line.size, line.label, centred=False, bold=True)
            page.text(column.x + line.indent, y + line.size, line.size, line.text, centred=False, bold=line.bold)
            y += line.leading
