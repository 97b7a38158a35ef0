"""A booklet in PDF: one, two or four puzzles a page, numbered, and small solutions at the end.

Each puzzle is set in a part of the page as `pdf` sets one on a page of its own. Puzzles of the same size have cells and
clues of the same size, the largest at which all of them fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import expected
from cpfill.base.texts import say
from cpfill.formats.pages.pdf import (
    BOLD,
    PDF,
    TEXT,
    Face,
    PdfCanvas,
    list_head,
    measure_width,
    open_document,
    set_face,
)
from cpfill.formats.pages.plan import EDGE, SIZES
from cpfill.formats.pages.style import SERIF, PageLayout, PageStyle
from cpfill.formats.registry import check_style, list_kept, tell_unshown
from cpfill.puzzle.drawing import Diagram, paint
from cpfill.puzzle.parts import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.puzzle.puzzle import Puzzle

_GAP = 26.0
"""Between parts of a page, and between solutions, in points, as all lengths here."""
_HEADING, _AUTHOR = 13.0, 9.5
_LEAST_CELL, _LEAST_SIZE = 17.0, 8.5
"""The smallest cells and clues at which several puzzles stand on a page unasked."""
_SMALL, _FOOT, _NUMBER = 8.5, 7.5, 10.0
"""The heights of running titles, of copyrights, and of the numbers of pages and solutions."""
_SOLUTION = (10.0, 12.0)
"""The side of a cell of a solution: as many stand in a row as have the first, and none has more than the second."""


def write_booklet(
    puzzles: Sequence[tuple[str, Puzzle]],
    style: PageStyle | None = None,
    *,
    per_page: int | None = None,
    title: str = "",
) -> tuple[bytes, list[list[str]]]:
    """Return the booklet of some puzzles, and for each puzzle a line for everything that it cannot keep.

    Each puzzle has a name for messages. `per_page` is 1, 2 or 4, by default the most that are set large enough to read.
    The same puzzles give the same bytes.

    Raises:
        InputError: `per_page` puzzles do not fit a page, or the style is not for several puzzles.
    """
    style = style or PageStyle()
    check_style(style, "pdf")
    if style.layout is PageLayout.SUBMISSION:
        raise expected("one puzzle for --layout submission", str(len(puzzles)))
    kept = [(name, puzzle.keep(list_kept(PDF, style))) for name, puzzle in puzzles]
    told: list[list[str]] = [[] for _ in puzzles]
    with open_document(style, title) as (pdf, out):
        paper = _Paper(pdf, style, style.set_text(title))
        if style.letters is not True:
            told = _draw_puzzles(paper, kept, per_page)
        if style.letters is not False:
            _draw_solutions(paper, [puzzle for _, puzzle in kept])
    losses = []
    for (_, puzzle), (_, held), lines in zip(puzzles, kept, told, strict=True):
        losses.append(puzzle.tell_losses(held) + tell_unshown(held, SERIF) + lines)
    return out.getvalue(), losses


@dataclass
class _Paper:
    """The pages of a booklet: each has the title of the booklet, its number and the copyrights of its puzzles."""

    pdf: Any
    style: PageStyle
    title: str
    pages: int = 0

    def canvas(self, left: float = 0.0, top: float = 0.0) -> PdfCanvas:
        """Return a canvas whose left upper corner stands there on the page."""
        return PdfCanvas(self.pdf, left, self.style.sheet.points[1] - top)

    def end_page(self, copyrights: Iterable[str] = ()) -> None:
        """Write what stands in the margins, and begin a page."""
        self.pages += 1
        width, height = self.style.sheet.points
        foot = " · ".join(filter(None, dict.fromkeys(copyrights)))
        lines = ((self.title, _SMALL, 0.6 * EDGE), (foot, _FOOT, height - EDGE / 2))
        self.canvas().text(width / 2, height - 0.75 * EDGE, _NUMBER, str(self.pages), font=TEXT)
        for text, most, y in lines:
            size = min(most, (width - 2 * EDGE) / max(1.0, measure_width(text)))
            self.canvas().text(width / 2, y, size, text, font=TEXT)
        self.pdf.showPage()


def _draw_puzzles(paper: _Paper, puzzles: Sequence[tuple[str, Puzzle]], per_page: int | None) -> list[list[str]]:
    """Draw the puzzles page by page, and return the warnings of each."""
    per_page, faces = _choose(paper.style, puzzles, per_page)
    told = []
    for start in range(0, len(faces), per_page):
        on_page = faces[start : start + per_page]
        for at, face in enumerate(on_page):
            row, column = divmod(at, _count_columns(per_page))
            canvas = paper.canvas(
                column * (face.page.width - 2 * EDGE + _GAP), row * (face.page.height - 2 * EDGE + _GAP)
            )
            told.append(face.draw(canvas))
        copyrights = [paper.style.write_copyright(face.puzzle) for face in on_page]
        paper.end_page(copyrights)
        for further in range(1, len(on_page[0].settings)):  # of a puzzle that has the page for itself
            on_page[0].draw_further(paper.canvas(), further)
            paper.end_page(copyrights)
    return told


def _count_columns(per_page: int) -> int:
    """Return the number of parts of a page that stand side by side."""
    return 2 if per_page == 4 else 1


def _choose(style: PageStyle, puzzles: Sequence[tuple[str, Puzzle]], per_page: int | None) -> tuple[int, list[Face]]:
    """Return how many puzzles stand on a page, those asked for or what fits, and each as it is set."""
    for most in (4, 2, 1) if per_page is None else (per_page,):
        faces = _set_all(style, [puzzle for _, puzzle in puzzles], most)
        for (name, _), face in zip(puzzles, faces, strict=True):
            if per_page in {2, 4} and len(face.settings) > 1:
                raise expected("puzzles of which {n} fit a page", say("a larger one"), name, n=per_page)
        if all(map(_is_legible, faces)):
            break
    return most, faces


def _is_legible(face: Face) -> bool:
    plan = face.plan
    return len(face.settings) == 1 and plan.cell >= _LEAST_CELL and plan.size >= _LEAST_SIZE


def _set_all(style: PageStyle, puzzles: Sequence[Puzzle], per_page: int) -> list[Face]:
    """Set puzzles; those of the same size have the same cells and clues, unless some take more pages so."""
    faces = [_set(style, number, puzzle, per_page) for number, puzzle in enumerate(puzzles, 1)]
    least: dict[tuple[int, int], tuple[float, float]] = {}
    for face in faces:
        shape = face.puzzle.height, face.puzzle.width
        cell, size = least.get(shape, (face.plan.cell, face.plan.size))
        least[shape] = min(cell, face.plan.cell), min(size, face.plan.size)
    for number, puzzle in enumerate(puzzles, 1):
        cell, size = least[puzzle.height, puzzle.width]
        level = _set(style, number, puzzle, per_page, cells=[cell], sizes=[size])
        if len(level.settings) <= len(faces[number - 1].settings):
            faces[number - 1] = level
    return faces


def _set(
    style: PageStyle,
    number: int,
    puzzle: Puzzle,
    per_page: int,
    *,
    cells: Sequence[float] = (),
    sizes: Sequence[float] = SIZES,
) -> Face:
    """Set a puzzle in its part of a page, each of which has a margin of `EDGE`."""
    width, height = style.sheet.points
    columns = _count_columns(per_page)
    rows = per_page // columns
    room = (
        (width - 2 * EDGE + _GAP) / columns - _GAP + 2 * EDGE,
        (height - 2 * EDGE + _GAP) / rows - _GAP + 2 * EDGE,
    )
    heading = ". ".join(filter(None, [str(number), style.write(puzzle, PuzzlePart.TITLE)]))
    head = list_head(puzzle, style, (heading, _HEADING, True), _AUTHOR)
    return set_face(puzzle, style, head, room, letters=False, cells=cells, sizes=sizes)


def _draw_solutions(paper: _Paper, puzzles: Sequence[Puzzle]) -> None:
    """Draw the solutions with the numbers of their puzzles, as many in a row as fit."""
    solutions = [(number, puzzle) for number, puzzle in enumerate(puzzles, 1) if any(puzzle.cells)]
    if not solutions:
        return
    width, height = paper.style.sheet.points
    columns, cell = _fit_solutions(puzzles, width, height)
    paper.canvas().text(width / 2, EDGE + _HEADING, 1.3 * _HEADING, paper.style.words.solutions, font=BOLD)
    y = EDGE + 2 * _HEADING
    for start in range(0, len(solutions), columns):
        row = solutions[start : start + columns]
        tall = 2 * _NUMBER + max(puzzle.height for _, puzzle in row) * cell
        if start and y + tall > height - EDGE:
            paper.end_page()
            y = EDGE
        for at, (number, puzzle) in enumerate(row):
            x = EDGE + at * (width - 2 * EDGE + _GAP) / columns
            canvas = paper.canvas(x, y + 1.5 * _NUMBER)
            canvas.text(0.0, -0.4 * _NUMBER, _NUMBER, str(number), centred=False, font=BOLD)
            paint(canvas, _without_numbers(puzzle), cell, letters=True, labelled=False)
        y += tall
    paper.end_page()


def _fit_solutions(puzzles: Sequence[Puzzle], width: float, height: float) -> tuple[int, float]:
    """Return how many solutions stand in a row on a page of this size, and the side of a cell."""
    widest = max(puzzle.width for puzzle in puzzles)
    highest = max(puzzle.height for puzzle in puzzles)
    least, most = _SOLUTION
    columns = max(1, int((width - 2 * EDGE + _GAP) / (widest * least + _GAP)))
    room = (width - 2 * EDGE + _GAP) / columns - _GAP
    return columns, min(most, room / widest, (height - 2 * EDGE - 2 * _HEADING - 2 * _NUMBER) / highest)


def _without_numbers(grid: Puzzle) -> Diagram:
    """Return a grid without the numbers in its cells, which would be too small to read."""
    marks = (grid.circles, (), grid.voids, grid.shades, grid.alternatives)
    return Diagram(grid.height, grid.width, grid.cells, {}, grid.bars, *marks)
