"""A puzzle on paper as newspapers have it: the grid, clues in columns beside and below it, the page well filled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cpfill.formats.pages.arrows import ArrowType, paint_arrowword
from cpfill.formats.pages.columns import LEADING, set_lines
from cpfill.formats.pages.pdf_canvas import BOLD, TEXT, PdfCanvas, measure_in_grid, measure_width
from cpfill.formats.pages.plan import EDGE, GUTTER, Matter, Page, lay_out, list_cells
from cpfill.formats.pages.style import Layout
from cpfill.puzzle.drawing.paint import measure_size, paint
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.pages.style import PageStyle
    from cpfill.puzzle.puzzle import Puzzle

_FOOT, _AGAIN = 7.5, 9.5
"""The height of the copyright, and of the line over further pages."""


def draw_face(pdf: Any, puzzle: Puzzle, style: PageStyle, *, letters: bool) -> list[str]:  # noqa: ANN401 - reportlab's own class
    """Draw the puzzle, or its solution, on as many of reportlab's pages as it takes, and return what is to be told."""
    width, height = style.sheet.points
    paper = PdfCanvas(pdf, 0.0, height)
    heading = style.write_heading(puzzle, letters=letters)
    texts = [(heading, 17.0, True)]
    if not letters:
        texts += [(style.write(puzzle, PuzzlePart.AUTHOR), 10.5, False)]
        texts += [(line, 9.5, False) for line in style.write_notes(puzzle)]
    y, notes = _draw_head(paper, texts, width, height)
    foot = set_lines(copyright_ := style.write_copyright(puzzle), _FOOT, width - 2 * EDGE, measure_width)
    if len(foot) * _FOOT * LEADING > EDGE / 2:
        notes, foot = [*notes, copyright_], []
    page = Page(width, height, y, EDGE + 1.5 * GUTTER)
    lists = [] if letters else style.list_headed_clues(puzzle)
    wide, high = measure_size(puzzle, 1.0, labelled=style.labelled)
    plan, settings = lay_out(page, Matter(wide, high, notes, lists, measure_width, list_cells(style)))
    left = EDGE + plan.beside * (page.column(plan.columns) + GUTTER)
    right = width - EDGE
    x = right - wide * plan.cell if plan.beside else (left + right - wide * plan.cell) / 2
    canvas, told = PdfCanvas(pdf, x, height - y), list[str]()
    if style.layout is Layout.ARROWS:
        kind = ArrowType(measure_in_grid, points=1.0)
        told = paint_arrowword(canvas, puzzle, plan.cell, kind, style, letters=letters)
    else:
        paint(canvas, puzzle, plan.cell, letters=letters, labelled=style.labelled)
    for index, setting in enumerate(settings):
        if index:
            again = " ".join(filter(None, [heading, f"({style.words.continued})"]))
            for line in set_lines(again, _AGAIN, page.measure, measure_width)[:1]:
                paper.text(width / 2, EDGE + 7, _AGAIN, line.text, font=TEXT)
        for column, blocks in setting:
            paper.column(column, blocks)
        for number, line in enumerate(foot):
            paper.text(width / 2, height - EDGE / 2 + number * _FOOT * LEADING, _FOOT, line.text, font=TEXT)
        pdf.showPage()
    return told


def _draw_head(
    paper: PdfCanvas, texts: Sequence[tuple[str, float, bool]], width: float, height: float
) -> tuple[float, list[str]]:
    """Write centred texts of these sizes, bold or not, and return where they end, and those that take too much room."""
    y = EDGE
    for index, (text, size, bold) in enumerate(texts):
        lines = set_lines(text, size, width - 2 * EDGE, measure_width, bold=bold)
        if y + sum(line.leading for line in lines) > height / 3:
            return y + GUTTER / 2, [text for text, _, _ in texts[index:]]
        for line in lines:
            paper.text(width / 2, y + 0.8 * size, size, line.text, font=BOLD if bold else TEXT)
            y += line.leading
    return y + (GUTTER / 2 if y > EDGE else 0.0), []
