"""A puzzle as American editors take it: a page with the filled grid, then clues and answers, double-spaced.

The first page leaves room for the constructor's name and address.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.formats.pages.columns import break_lines
from cpfill.formats.pages.pdf_canvas import BOLD, TEXT, PdfCanvas, measure_width
from cpfill.formats.pages.style import list_entries, list_figures
from cpfill.puzzle.drawing.paint import measure_size, paint
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.formats.pages.style import PageStyle
    from cpfill.puzzle.puzzle import Puzzle

_EDGE, _SIZE, _DOUBLE = 64.0, 11.0, 22.0
"""Round the page, the height of the text, and from one line to the next, in points."""
_NUMBER, _GAP = 30.0, 18.0
"""Room for a number, and between clue and answer."""
_ANSWER = 0.4
"""The share of the width that answers take at most."""
_CELL = 26.0
_FREE_LINES, _FREE_WIDTH = 4, 240.0
"""What is left free for the address, and for the name if no author is known."""


class _Line(NamedTuple):
    """What stands in one line: number, clue and answer, or parts of them; or a heading."""

    number: str
    clue: str
    answer: str
    heading: bool = False


def draw_manuscript(pdf: Any, puzzle: Puzzle, style: PageStyle) -> None:  # noqa: ANN401 - reportlab's own class
    """Draw the pages on reportlab's canvas."""
    width, height = style.sheet.points
    paper = PdfCanvas(pdf, 0.0, height)
    title, author = (style.write(puzzle, part) for part in (PuzzlePart.TITLE, PuzzlePart.AUTHOR))
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
    for number, lines in enumerate(_list_pages(puzzle, style, width - 2 * _EDGE, height - 2 * _EDGE - _DOUBLE), 2):
        y = _EDGE + _SIZE
        for text in _break(head, width - 2 * _EDGE - _NUMBER)[:1]:
            paper.text(_EDGE, y, _SIZE, text, centred=False, font=TEXT)
        _write_right(paper, width - _EDGE, y, str(number))
        for line in lines:
            y += _DOUBLE
            _write_right(paper, _EDGE + _NUMBER - _SIZE / 2, y, line.number)
            font = BOLD if line.heading else TEXT
            paper.text(_EDGE + _NUMBER, y, _SIZE, line.clue, centred=False, font=font)
            _write_right(paper, width - _EDGE, y, line.answer)
        pdf.showPage()


def _list_pages(puzzle: Puzzle, style: PageStyle, width: float, height: float) -> list[list[_Line]]:
    """Return the lines of each page; what stands together goes on with another page, unless it fills one."""
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
    """Yield the lines of each clue, those of the first of a list below its heading."""
    lists = list_entries(puzzle, style)
    widest = max(measure_width(answer) * _SIZE for _, entries in lists for _, _, answer in entries)
    room = min(widest, _ANSWER * width)
    for heading, entries in lists:
        lines = [_Line("", heading.upper(), "", heading=True)]
        for number, clue, answer in entries:
            clues = _break(clue, width - _NUMBER - _GAP - room)
            parts = zip_longest([number], clues, _break(answer, room), fillvalue="")
            yield [*lines, *(_Line(*part) for part in parts)]
            lines = []


def _break(text: str, room: float, *, bold: bool = False) -> list[str]:
    """Return a text in lines."""
    return break_lines(text, room / _SIZE, lambda part: measure_width(part, bold))


def _write_right(paper: PdfCanvas, x: float, y: float, text: str) -> None:
    """Write a text that ends there."""
    paper.text(x - measure_width(text) * _SIZE, y, _SIZE, text, centred=False, font=TEXT)
