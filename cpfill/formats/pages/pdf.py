"""PDF, written alone, by reportlab: the grid and its clues on A4, the solution on a page of its own."""

from __future__ import annotations

import io
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from cpfill.drawing.paint import paint, size_of
from cpfill.extras import load
from cpfill.formats.pages.svg import KEEPS
from cpfill.puzzle import Part

if TYPE_CHECKING:
    from cpfill.formats.pages.style import Style
    from cpfill.puzzle import Puzzle

__all__ = ["KEEPS", "draw"]

PAGE = (595.28, 841.89)
"""A4, in points."""
_EDGE, _GAP = 45.0, 14.0
_COLUMNS = 3
_LARGEST_CELL = 26.0
_FONT, _BOLD = "Helvetica", "Helvetica-Bold"
_CHARSET = "cp1252"  # what the fonts that every reader has can show


def _reportlab(module: str) -> Any:  # noqa: ANN401 - see `extras`
    return load(f"reportlab.{module}", "reportlab", "PDF", "'cpfill[print]'")


def _shown(text: str) -> str:
    return text.encode(_CHARSET, "replace").decode(_CHARSET)


@dataclass
class _PdfCanvas:
    """Draws on reportlab's canvas, whose y goes upwards, from an upper left corner."""

    pdf: Any
    x: float
    y: float

    def square(self, x: float, y: float, side: float, line: float, *, filled: bool) -> None:
        self.pdf.setLineWidth(line)
        self.pdf.rect(self.x + x, self.y - y - side, side, side, fill=int(filled))

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float) -> None:
        self.pdf.setLineWidth(width)
        self.pdf.line(self.x + start[0], self.y - start[1], self.x + end[0], self.y - end[1])

    def circle(self, x: float, y: float, radius: float, line: float) -> None:
        self.pdf.setLineWidth(line)
        self.pdf.circle(self.x + x, self.y - y, radius)

    def text(self, x: float, y: float, size: float, text: str, *, centred: bool = True) -> None:
        self.pdf.setFont(_FONT, size)
        write = self.pdf.drawCentredString if centred else self.pdf.drawString
        write(self.x + x, self.y - y, _shown(text))


def draw(puzzle: Puzzle, style: Style) -> bytes:
    """Return the document; the same puzzle gives the same bytes."""
    out = io.BytesIO()
    pdf = _reportlab("pdfgen.canvas").Canvas(out, pagesize=PAGE, invariant=1)
    pdf.setTitle(puzzle.metadata.get(Part.TITLE, "Crossword"))
    pdf.setAuthor(puzzle.metadata.get(Part.AUTHOR, ""))
    pdf.setSubject("Crossword")
    for letters in style.faces(puzzle):
        _face(pdf, puzzle, style, letters=letters)
    pdf.save()
    return out.getvalue()


def _face(pdf: Any, puzzle: Puzzle, style: Style, *, letters: bool) -> None:  # noqa: ANN401 - reportlab's own class
    """Draw the puzzle, or its solution, on as many pages as it takes."""
    head = _head(puzzle, style, letters=letters)
    y = PAGE[1] - _EDGE
    while head:
        _, height = head[0].wrap(PAGE[0] - 2 * _EDGE, y)
        if y - height < PAGE[1] / 2:  # notes that would leave no room for the grid go below it
            break
        head[0].drawOn(pdf, _EDGE, y - height)
        y -= height + head.pop(0).getSpaceAfter()
    below = head + ([] if letters else _clues(puzzle, style))
    room = (y - _EDGE) * (0.62 if below else 1.0)
    wide, high = size_of(puzzle, 1.0, labelled=style.french)
    cell = min(_LARGEST_CELL, (PAGE[0] - 2 * _EDGE) / wide, room / high)
    left = (PAGE[0] - wide * cell) / 2
    paint(_PdfCanvas(pdf, left, y), puzzle, cell, letters=letters, labelled=style.french)
    _columns(pdf, below, y - high * cell - _GAP)
    pdf.showPage()


def _style(name: str, size: float, **looks: Any) -> Any:  # noqa: ANN401 - reportlab's own class
    return _reportlab("lib.styles").ParagraphStyle(name, fontName=_FONT, fontSize=size, leading=1.2 * size, **looks)


def _head(puzzle: Puzzle, style: Style, *, letters: bool) -> list[Any]:
    """Return title, author and notes as paragraphs."""
    paragraph = _reportlab("platypus").Paragraph
    title = style.heading(puzzle.metadata.get(Part.TITLE, ""), letters=letters)
    texts = [(f"<b>{escape(_shown(title))}</b>", _style("title", 16, spaceAfter=4))] if title else []
    if not letters:
        notes = puzzle.metadata.get(Part.NOTES, "").split("\n")
        small = _style("small", 9.5, spaceAfter=4)
        texts += [(escape(_shown(line)), small) for line in (puzzle.metadata.get(Part.AUTHOR, ""), *notes) if line]
    return [paragraph(text, look) for text, look in texts]


def _clues(puzzle: Puzzle, style: Style) -> list[Any]:
    """Return the clues, and below them the copyright, as paragraphs."""
    paragraph = _reportlab("platypus").Paragraph
    heading = _style("heading", 9.5, spaceBefore=4, spaceAfter=2, keepWithNext=1)
    clue = _style("clue", 8.5, leftIndent=16, firstLineIndent=-16, spaceAfter=1.5)
    story = []
    for name, clues in style.clue_lists(puzzle):
        story.append(paragraph(f"<b>{name}</b>", heading))
        story += [paragraph(f"<b>{label}</b> {escape(_shown(text))}", clue) for label, text in clues]
    if puzzle.copyright_line:
        story.append(paragraph(escape(_shown(puzzle.copyright_line)), _style("foot", 7.5, spaceBefore=6)))
    return story


def _columns(pdf: Any, story: list[Any], top: float) -> None:  # noqa: ANN401 - reportlab's own class
    """Set paragraphs in columns from `top` down, and on further pages."""
    frame = _reportlab("platypus").Frame
    width = (PAGE[0] - 2 * _EDGE - (_COLUMNS - 1) * _GAP) / _COLUMNS
    column = 0
    while story:
        if column == _COLUMNS:
            pdf.showPage()
            column, top = 0, PAGE[1] - _EDGE
        left = _EDGE + column * (width + _GAP)
        place = frame(left, _EDGE, width, top - _EDGE, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)
        before = len(story)
        place.addFromList(story, pdf)
        if story and len(story) == before and top == PAGE[1] - _EDGE:  # longer than a whole column: broken in two
            story[:1] = story[0].split(width, top - _EDGE) or []
        column += 1
