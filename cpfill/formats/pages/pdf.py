"""PDF, written alone, by reportlab: the puzzle, and its solution on pages of its own; or a manuscript."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from cpfill.formats.pages.manuscript import draw_manuscript
from cpfill.formats.pages.newspaper import draw_face
from cpfill.formats.pages.pdf_canvas import GRID, load_fonts, load_reportlab
from cpfill.formats.pages.style import Layout
from cpfill.formats.pages.svg import KEEPS
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from cpfill.formats.pages.style import PageStyle
    from cpfill.puzzle.puzzle import Puzzle

__all__ = ["KEEPS", "draw"]


def draw(puzzle: Puzzle, style: PageStyle) -> tuple[bytes, list[str]]:
    """Return the document, and what is to be told of it; the same puzzle gives the same bytes."""
    load_fonts()
    out, words = io.BytesIO(), style.words
    canvas = load_reportlab("pdfgen.canvas").Canvas
    pdf = canvas(out, pagesize=style.sheet.points, invariant=1, initialFontName=GRID, lang=words.language)
    pdf.setTitle(style.write(puzzle, PuzzlePart.TITLE) or words.crossword)
    pdf.setAuthor(style.write(puzzle, PuzzlePart.AUTHOR))
    pdf.setSubject(words.crossword)
    told: list[str] = []
    if style.layout is Layout.SUBMISSION:
        draw_manuscript(pdf, puzzle, style)
    else:
        for letters in style.list_faces(puzzle):
            told = draw_face(pdf, puzzle, style, letters=letters)  # of either face the same
    pdf.save()
    return out.getvalue(), told
