"""PDF, written alone, by reportlab: a page as in a newspaper and its solution, or a manuscript.

A newspaper has the grid, and clues in columns beside and below it that fill the page; the solution has its own pages.
American editors take a manuscript: a page with the filled grid and room for the constructor's address, then clues and
answers, double-spaced.

Texts are set in Source Serif Pro, a typeface for long reading at small sizes, with Latin, Greek and Cyrillic letters,
under the SIL Open Font License, from a package of its own. The grid is set in Bitstream Vera, which comes with
reportlab. Both are embedded in part, as printers require. On the canvas, y goes downwards.
"""

from __future__ import annotations

import io
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.imports import load
from cpfill.formats.pages.arrows import ArrowType, paint_arrowword
from cpfill.formats.pages.pictures import KEEPS
from cpfill.formats.pages.plan import (
    EDGE,
    GUTTER,
    LABEL_GAP,
    LEADING,
    SIZES,
    Matter,
    Page,
    PagePlan,
    PageSetting,
    TextBlock,
    TextColumn,
    TextLine,
    break_lines,
    lay_out,
    list_cells,
    set_lines,
)
from cpfill.formats.pages.style import (
    SERIF,
    VERA,
    PageLayout,
    PageStyle,
    find_lacking,
    fit_charset,
    list_entries,
    list_figures,
)
from cpfill.formats.registry import Codec
from cpfill.puzzle.drawing import measure_size, paint, split_colour
from cpfill.puzzle.parts import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.puzzle.puzzle import Puzzle


TEXT, BOLD, GRID = "Serif", "Serif-Bold", "Vera"
_SERIF = {TEXT: "SourceSerifPro-Regular.ttf", BOLD: "SourceSerifPro-Bold.ttf"}
_DRAWING = threading.Lock()
"""Held while a document is drawn: each font of reportlab has one position, from where all documents read it."""


def load_reportlab(module: str) -> Any:
    return load(f"reportlab.{module}", "reportlab", "PDF")


@cache
def load_fonts() -> None:
    """Make the fonts known to reportlab."""
    metrics = load_reportlab("pdfbase.pdfmetrics")
    fonts = load_reportlab("pdfbase.ttfonts")
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
        self.pdf.setLineWidth(line)
        if shade:
            self.pdf.setFillColorRGB(*split_colour(shade))
        self.pdf.rect(self.x + x, self.y - y - side, side, side, fill=int(filled or bool(shade)))
        if shade:
            self.pdf.setFillGray(0)

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float) -> None:
        self.pdf.setLineWidth(width)
        self.pdf.setLineCap(2)
        self.pdf.line(self.x + start[0], self.y - start[1], self.x + end[0], self.y - end[1])

    def polygon(self, corners: Sequence[tuple[float, float]], ink: float) -> None:
        path = self.pdf.beginPath()
        for index, (x, y) in enumerate(corners):
            draw = path.lineTo if index else path.moveTo
            draw(self.x + x, self.y - y)
        path.close()
        self.pdf.setFillGray(1 - ink)
        self.pdf.drawPath(path, stroke=0, fill=1)
        self.pdf.setFillGray(0)

    def circle(self, x: float, y: float, radius: float, line: float, *, cut: bool) -> None:
        """Draw a circle, or the three quarters of it from the top round to the left."""
        x = self.x + x
        y = self.y - y
        self.pdf.setLineWidth(line)
        self.pdf.arc(x - radius, y - radius, x + radius, y + radius, 180, 270 if cut else 360)

    def text(self, x: float, y: float, size: float, text: str, *, centred: bool = True, font: str = GRID) -> None:
        """Write a text; letters that the font of the grid lacks are in the serif."""
        self.pdf.setFont(TEXT if font is GRID and find_lacking(text, VERA) else font, size)
        write = self.pdf.drawCentredString if centred else self.pdf.drawString
        write(self.x + x, self.y - y, fit_charset(text, SERIF))

    def column(self, column: TextColumn, blocks: Sequence[TextBlock]) -> None:
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


_FOOT, _AGAIN = 7.5, 9.5
"""The height of the copyright, and of the line over further pages."""


@dataclass(frozen=True)
class Face:
    """A puzzle or its solution as it is set: the head over the grid, the plan, and the columns of each page."""

    puzzle: Puzzle
    style: PageStyle
    letters: bool
    heading: str
    page: Page
    head: Sequence[TextLine]
    plan: PagePlan
    settings: Sequence[PageSetting]

    def draw(self, paper: PdfCanvas) -> list[str]:
        """Draw the first page, and return warnings."""
        told: list[str] = []
        y = EDGE
        for line in self.head:
            font = BOLD if line.bold else TEXT
            paper.text(self.page.width / 2, y + 0.8 * line.size, line.size, line.text, font=font)
            y += line.leading
        cell = self.plan.cell
        wide, _ = measure_size(self.puzzle, cell, labelled=self.style.labelled)
        right = self.page.width - EDGE
        x = right - wide
        if not self.plan.beside:
            x = (EDGE + right - wide) / 2
        canvas = PdfCanvas(paper.pdf, paper.x + x, paper.y - self.page.top)
        if self.style.layout is PageLayout.ARROWS:
            kind = ArrowType(measure_in_grid, 1.0, self.style.words.language)
            told = paint_arrowword(canvas, self.puzzle, cell, kind, self.style, letters=self.letters)
        else:
            paint(canvas, self.puzzle, cell, letters=self.letters, labelled=self.style.labelled)
        self._draw_columns(paper, 0)
        return told

    def draw_further(self, paper: PdfCanvas, page: int) -> None:
        """Draw a further page: clues, and over them the heading, as far as it fits."""
        text = " ".join(filter(None, [self.heading, f"({self.style.words.continued})"]))
        for line in set_lines(text, _AGAIN, self.page.measure, measure_width)[:1]:
            paper.text(self.page.width / 2, EDGE + 7, _AGAIN, line.text, font=TEXT)
        self._draw_columns(paper, page)

    def _draw_columns(self, paper: PdfCanvas, page: int) -> None:
        for column, blocks in self.settings[page]:
            paper.column(column, blocks)


HeadLine = tuple[str, float, bool]
"""A text over the grid, its size, and whether it is bold."""


def set_face(
    puzzle: Puzzle,
    style: PageStyle,
    head: Sequence[HeadLine],
    room: tuple[float, float],
    *,
    letters: bool,
    notes: Sequence[str] = (),
    cells: Sequence[float] = (),
    sizes: Sequence[float] = SIZES,
) -> Face:
    """Set a puzzle or its solution in a room of this width and height, margins included.

    `notes` stand before the clues; `cells` and `sizes` are to choose from, as for `Matter`, by default all usual ones.
    """
    width, height = room
    lines, y, rest = _set_head(head, width, height)
    page = Page(width, height, y, EDGE + 1.5 * GUTTER)
    lists = [] if letters else style.list_headed_clues(puzzle)
    wide, high = measure_size(puzzle, 1.0, labelled=style.labelled)
    matter = Matter(wide, high, [*rest, *notes], lists, measure_width, cells or list_cells(style), sizes)
    plan, settings = lay_out(page, matter)
    return Face(puzzle, style, letters, head[0][0], page, lines, plan, settings)


def list_head(puzzle: Puzzle, style: PageStyle, heading: HeadLine, size: float) -> list[HeadLine]:
    """Return the lines over a puzzle: a heading, the author in this size, and notes a little smaller."""
    notes = [(line, size - 1, False) for line in style.write_notes(puzzle)]
    return [heading, (style.write(puzzle, PuzzlePart.AUTHOR), size, False), *notes]


def _draw_face(pdf: Any, puzzle: Puzzle, style: PageStyle, *, letters: bool) -> list[str]:
    """Draw the puzzle or its solution on as many pages as it takes, and return warnings."""
    width, height = style.sheet.points
    paper = PdfCanvas(pdf, 0.0, height)
    heading = style.write_heading(puzzle, letters=letters)
    head = [(heading, 17.0, True)]
    if not letters:
        head = list_head(puzzle, style, head[0], 10.5)
    copyright_ = style.write_copyright(puzzle)
    foot = set_lines(copyright_, _FOOT, width - 2 * EDGE, measure_width)
    notes = []
    if len(foot) * _FOOT * LEADING > EDGE / 2:
        notes = [copyright_]
        foot = []
    face = set_face(puzzle, style, head, (width, height), letters=letters, notes=notes)
    told = face.draw(paper)
    for index in range(len(face.settings)):
        if index:
            face.draw_further(paper, index)
        for number, line in enumerate(foot):
            paper.text(width / 2, height - EDGE / 2 + number * _FOOT * LEADING, _FOOT, line.text, font=TEXT)
        pdf.showPage()
    return told


def _set_head(texts: Sequence[HeadLine], width: float, height: float) -> tuple[list[TextLine], float, list[str]]:
    """Return the centred lines over a grid, where they end, and the texts that do not fit."""
    head: list[TextLine] = []
    y = EDGE
    for index, (text, size, bold) in enumerate(texts):
        lines = set_lines(text, size, width - 2 * EDGE, measure_width, bold=bold)
        below = y + sum(line.leading for line in lines)
        if below > height / 3:
            return head, y + GUTTER / 2, [text for text, _, _ in texts[index:]]
        head += lines
        y = below
    return head, y + (GUTTER / 2 if head else 0.0), []


_EDGE, _SIZE, _DOUBLE = 64.0, 11.0, 22.0
"""Round the page, the height of the text, and from one line to the next, in points."""
_NUMBER, _GAP = 30.0, 18.0
"""Room for a number, and between clue and answer."""
_ANSWER = 0.4
"""The share of the width that answers take at most."""
_CELL = 26.0
_FREE_LINES, _FREE_WIDTH = 4, 240.0
"""The lines left free for the address (and for the name if no author is known), and their width."""


class _Line(NamedTuple):
    """The content of a line: number, clue and answer, or parts of them; or a heading."""

    number: str
    clue: str
    answer: str
    heading: bool = False


def draw_manuscript(pdf: Any, puzzle: Puzzle, style: PageStyle) -> None:
    width, height = style.sheet.points
    paper = PdfCanvas(pdf, 0.0, height)
    title = style.write(puzzle, PuzzlePart.TITLE)
    author = style.write(puzzle, PuzzlePart.AUTHOR)
    half = (width - 2 * _EDGE - _GAP) / 2
    y = _EDGE + _SIZE
    for text, font in ((title, BOLD), (author, TEXT)):
        for part in _break(text, half, bold=font is BOLD)[:4]:
            paper.text(_EDGE, y, _SIZE, part, centred=False, font=font)
            y += _DOUBLE
    for _ in range(_FREE_LINES if author else _FREE_LINES + 1):
        paper.line((_EDGE, y), (_EDGE + _FREE_WIDTH, y), 0.4)
        y += _DOUBLE
    for index, figure in enumerate(list_figures(puzzle)):
        _write_right(paper, width - _EDGE, _EDGE + _SIZE + index * _DOUBLE, figure)
    wide, high = measure_size(puzzle, 1.0, labelled=False)
    cell = min(_CELL, (width - 2 * _EDGE) / wide, (height - _EDGE - y) / high)
    paint(PdfCanvas(pdf, (width - wide * cell) / 2, height - y), puzzle, cell, letters=True, labelled=False)
    pdf.showPage()
    head = " / ".join(filter(None, [author, title]))
    pages = _list_pages(puzzle, style, width - 2 * _EDGE, height - 2 * _EDGE - _DOUBLE)
    for number, lines in enumerate(pages, start=2):
        for text in _break(head, width - 2 * _EDGE - _NUMBER)[:1]:
            paper.text(_EDGE, _EDGE + _SIZE, _SIZE, text, centred=False, font=TEXT)
        _write_right(paper, width - _EDGE, _EDGE + _SIZE, str(number))
        _draw_lines(paper, lines, width)
        pdf.showPage()


def _draw_lines(paper: PdfCanvas, lines: Sequence[_Line], width: float) -> None:
    """Write the clues and answers of a page of this width, below its head."""
    y = _EDGE + _SIZE
    for line in lines:
        y += _DOUBLE
        _write_right(paper, _EDGE + _NUMBER - _SIZE / 2, y, line.number)
        font = BOLD if line.heading else TEXT
        paper.text(_EDGE + _NUMBER, y, _SIZE, line.clue, centred=False, font=font)
        _write_right(paper, width - _EDGE, y, line.answer)


def _list_pages(puzzle: Puzzle, style: PageStyle, width: float, height: float) -> list[list[_Line]]:
    """Return the lines of each page; a row starts a new page rather than being split, unless it fills a page."""
    most = int(height / _DOUBLE)
    pages: list[list[_Line]] = [[]]
    for row in _list_rows(puzzle, style, width):
        if len(pages[-1]) + len(row) > most and pages[-1]:
            pages.append([])
        for line in row:
            if len(pages[-1]) == most:
                pages.append([])
            pages[-1].append(line)
    return pages


def _list_rows(puzzle: Puzzle, style: PageStyle, width: float) -> Iterator[list[_Line]]:
    """Yield the lines of each clue, preceded by the heading for the first of a list."""
    lists = list_entries(puzzle, style)
    answers: list[str] = []
    for _, entries in lists:
        answers += [answer for _, _, answer in entries]
    widest = max(measure_width(answer) * _SIZE for answer in answers)
    room = min(widest, _ANSWER * width)
    for heading, entries in lists:
        lines = [_Line("", heading.upper(), "", heading=True)]
        for number, clue, answer in entries:
            clues = _break(clue, width - _NUMBER - _GAP - room)
            parts = zip_longest([number], clues, _break(answer, room), fillvalue="")
            yield [*lines, *(_Line(*part) for part in parts)]
            lines = []


def _break(text: str, room: float, *, bold: bool = False) -> list[str]:
    return break_lines(text, room / _SIZE, lambda part: measure_width(part, bold))


def _write_right(paper: PdfCanvas, x: float, y: float, text: str) -> None:
    """Write a text that ends there."""
    paper.text(x - measure_width(text) * _SIZE, y, _SIZE, text, centred=False, font=TEXT)


@contextmanager
def open_document(style: PageStyle, title: str, author: str = "") -> Iterator[tuple[Any, io.BytesIO]]:
    """Give a document to draw on, and what holds its bytes afterwards: the same drawing gives the same bytes."""
    with _DRAWING:
        load_fonts()
        out = io.BytesIO()
        words = style.words
        canvas = load_reportlab("pdfgen.canvas").Canvas
        pdf = canvas(out, pagesize=style.sheet.points, invariant=1, initialFontName=GRID, lang=words.language)
        pdf.setTitle(title or words.crossword)
        pdf.setAuthor(author)
        pdf.setSubject(words.crossword)
        yield pdf, out
        pdf.save()


def _draw(puzzle: Puzzle, style: PageStyle) -> tuple[bytes, list[str]]:
    """Return the document, and warnings."""
    told: list[str] = []
    title = style.write(puzzle, PuzzlePart.TITLE)
    with open_document(style, title, style.write(puzzle, PuzzlePart.AUTHOR)) as (pdf, out):
        if style.layout is PageLayout.SUBMISSION:
            draw_manuscript(pdf, puzzle, style)
        else:
            for letters in style.list_faces(puzzle):
                told = _draw_face(pdf, puzzle, style, letters=letters)  # the same for both faces
    return out.getvalue(), told


PDF = Codec(KEEPS, draw=_draw)
