"""PDF, written alone, by reportlab: the grid and its clues on A4, the solution on a page of its own."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cpfill.drawing.paint import measure_size, paint
from cpfill.extras import load
from cpfill.formats.pages.columns import TextBlock, TextColumn, TextLine, break_lines, make_blocks, pages
from cpfill.formats.pages.style import fit_charset
from cpfill.formats.pages.svg import KEEPS
from cpfill.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.pages.columns import PageSetting
    from cpfill.formats.pages.style import HeadedClues, PageStyle
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


def _load_reportlab(module: str) -> Any:  # noqa: ANN401 - see `extras`
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
        self.pdf.setLineCap(2)
        self.pdf.line(self.x + start[0], self.y - start[1], self.x + end[0], self.y - end[1])

    def circle(self, x: float, y: float, radius: float, line: float, *, cut: bool) -> None:
        x, y = self.x + x, self.y - y
        self.pdf.setLineWidth(line)
        self.pdf.arc(x - radius, y - radius, x + radius, y + radius, 180, 270 if cut else 360)

    def text(self, x: float, y: float, size: float, text: str, *, centred: bool = True, bold: bool = False) -> None:
        self.pdf.setFont(_BOLD if bold else _FONT, size)
        write = self.pdf.drawCentredString if centred else self.pdf.drawString
        write(self.x + x, self.y - y, fit_charset(text))


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the grid stands, and what stands in the columns of each page."""

    x: float
    y: float
    cell: float
    settings: list[PageSetting]


def draw(puzzle: Puzzle, style: PageStyle) -> bytes:
    """Return the document; the same puzzle gives the same bytes."""
    metrics, fonts = _load_reportlab("pdfbase.pdfmetrics"), _load_reportlab("pdfbase.ttfonts")
    for font in (_FONT, _BOLD):
        metrics.registerFont(fonts.TTFont(font, f"{font}.ttf"))
    out = io.BytesIO()
    pdf = _load_reportlab("pdfgen.canvas").Canvas(out, pagesize=(WIDTH, HEIGHT), invariant=1, initialFontName=_FONT)
    pdf.setTitle(puzzle.metadata.get(PuzzlePart.TITLE, "Crossword"))
    pdf.setAuthor(puzzle.metadata.get(PuzzlePart.AUTHOR, ""))
    pdf.setSubject("Crossword")
    for letters in style.list_faces(puzzle):
        _draw_face(pdf, puzzle, style, letters=letters)
    pdf.save()
    return out.getvalue()


def _draw_face(pdf: Any, puzzle: Puzzle, style: PageStyle, *, letters: bool) -> None:  # noqa: ANN401 - reportlab's own class
    """Draw the puzzle, or its solution, on as many pages as it takes."""
    page = _PdfCanvas(pdf)
    texts = [(style.heading(puzzle.metadata.get(PuzzlePart.TITLE, ""), letters=letters), 16.0, True)]
    if not letters:
        texts.append((puzzle.metadata.get(PuzzlePart.AUTHOR, ""), 10.0, False))
        texts += [(line, 9.5, False) for line in puzzle.metadata.get(PuzzlePart.NOTES, "").split("\n")]
    y, notes = _draw_head(page, texts)
    foot = _set_lines(puzzle.copyright_line, _FOOT, WIDTH - 2 * _EDGE)
    if len(foot) * _FOOT * _LEADING > _EDGE / 2:
        notes, foot = [*notes, puzzle.copyright_line], []
    layout = _choose_layout(puzzle, style, y, notes, [] if letters else style.list_headed_clues(puzzle))
    paint(_PdfCanvas(pdf, layout.x, HEIGHT - layout.y), puzzle, layout.cell, letters=letters, labelled=style.french)
    for setting in layout.settings:
        for column, blocks in setting:
            _draw_column(page, column, blocks)
        for index, line in enumerate(foot):
            page.text(WIDTH / 2, HEIGHT - _EDGE / 2 + index * _FOOT * _LEADING, _FOOT, line.text)
        pdf.showPage()


def _draw_head(page: _PdfCanvas, texts: Sequence[tuple[str, float, bool]]) -> tuple[float, list[str]]:
    """Write centred texts of these sizes, bold or not, and return where they end, and those that take too much room."""
    y = _EDGE
    for index, (text, size, bold) in enumerate(texts):
        lines = _set_lines(text, size, WIDTH - 2 * _EDGE, bold=bold)
        if y + sum(line.leading for line in lines) > HEIGHT / 3:
            return y + _GAP / 2, [text for text, _, _ in texts[index:]]
        for line in lines:
            page.text(WIDTH / 2, y + size, size, line.text, bold=bold)
            y += line.leading
    return y + _GAP / 2, []


def _choose_layout(
    puzzle: Puzzle, style: PageStyle, y: float, notes: Sequence[str], lists: Sequence[HeadedClues]
) -> _Layout:
    """Return the first layout that takes the fewest pages, of ever smaller ones below `y`.

    Each size is tried with the grid above all columns, then with the first column beside it.
    """
    wide, high = measure_size(puzzle, 1.0, labelled=style.french)
    lefts = [_EDGE + index * (_COLUMN + _GAP) for index in range(_COLUMNS)]
    further = [TextColumn(x, _EDGE, HEIGHT - _EDGE) for x in lefts]
    layouts = []
    for largest, size in _SIZES:
        story = _make_blocks(notes, lists, size)
        for beside in (0, 1):
            room = WIDTH - _EDGE - lefts[beside]
            cell = min(largest, room / wide, (HEIGHT - _EDGE - y) / high)
            if beside and cell < _SIZES[-1][0]:
                continue
            below = y + high * cell + _GAP
            first = [TextColumn(x, y if index < beside else below, HEIGHT - _EDGE) for index, x in enumerate(lefts)]
            x = lefts[beside] + (room - wide * cell) / 2
            layouts.append(_Layout(x, y, cell, pages(story, first, further)))
    return min(layouts, key=lambda layout: len(layout.settings))


def _make_blocks(notes: Sequence[str], lists: Sequence[HeadedClues], size: float) -> list[TextBlock]:
    """Return what stands in the columns; the heading of a list stays with its first clue."""
    story: list[TextBlock] = []
    for text in notes:
        story += make_blocks(_set_lines(text, size, _COLUMN), size / 2)
    for name, clues in lists:
        heading = TextLine(name, size + 1, _LEADING * (size + 1.5), bold=True)
        indent = max(_measure_width(_BOLD, label) for label, _ in clues) * size + size / 2
        listed = [make_blocks(_set_lines(text, size, _COLUMN, indent, label), size / 6) for label, text in clues]
        start, *rest = (block for blocks in listed for block in blocks)
        story += [TextBlock((heading, *start.lines), size), *rest]
    return story


def _set_lines(
    text: str, size: float, room: float, indent: float = 0.0, label: str = "", *, bold: bool = False
) -> list[TextLine]:
    """Return a text broken into lines, the first of them with the label."""
    texts = break_lines(fit_charset(text), (room - indent) / size, partial(_measure_width, _BOLD if bold else _FONT))
    return [
        TextLine(line, size, _LEADING * size, indent, "" if index else label, bold) for index, line in enumerate(texts)
    ]


def _measure_width(font: str, text: str) -> float:
    """Return the width of a text in heights of the font."""
    width: float = _load_reportlab("pdfbase.pdfmetrics").stringWidth(text, font, 1)
    return width


def _draw_column(page: _PdfCanvas, column: TextColumn, blocks: Sequence[TextBlock]) -> None:
    """Write what stands in a column."""
    y = column.top
    for index, block in enumerate(blocks):
        y += block.space if index else 0.0
        for line in block.lines:
            if line.label:
                page.text(column.x, y + line.size, line.size, line.label, centred=False, bold=True)
            page.text(column.x + line.indent, y + line.size, line.size, line.text, centred=False, bold=line.bold)
            y += line.leading
