"""A booklet in PDF: one, two or four puzzles a page, numbered, and small solutions at the end.

Each puzzle is set in a part of the page as `pdf` sets one on a page of its own. Puzzles of the same size have cells and
clues of the same size, the largest at which all of them fit.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.errors import expected
from cpfill.base.texts import say
from cpfill.formats.pages.pdf import (
    BOLD,
    PDF,
    TEXT,
    Face,
    PdfCanvas,
    draw_again,
    list_head,
    measure_width,
    open_document,
    set_face,
)
from cpfill.formats.pages.plan import EDGE, set_lines
from cpfill.formats.pages.style import SERIF, PageLayout, PageStyle
from cpfill.formats.registry import check_style, list_kept, tell_unshown
from cpfill.puzzle.drawing import Diagram, measure_size, paint
from cpfill.puzzle.parts import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.puzzle.puzzle import Puzzle

PARTS = {1: (1, 1), 2: (1, 2), 4: (2, 2)}
"""The columns and rows of parts of a page, by the number of puzzles on it."""

_GAP = 26.0
"""Between parts of a page, and between solutions, in points, as all lengths here."""
_HEADING, _AUTHOR = 13.0, 9.5
_LEAST_CELL, _LEAST_SIZE = 17.0, 8.5
"""The smallest cells and clues at which several puzzles stand on a page unasked."""
_SMALL, _FOOT, _NUMBER = 8.5, 7.5, 10.0
"""The heights of running titles, of copyrights, and of the numbers of pages and solutions."""
_SOLUTION = (10.0, 12.0)
"""The side of a cell of a solution: as many stand in a row as have the first, and none has more than the second."""


class Room(NamedTuple):
    """A part of a page: its place among the others, and its size with a margin of `EDGE` on each side."""

    columns: int
    width: float
    height: float

    @classmethod
    def of(cls, style: PageStyle, per_page: int) -> Room:
        """Return the parts of which so many fill a page."""
        columns, rows = PARTS[per_page]
        width, height = style.sheet.points
        return cls(columns, _split(width, columns), _split(height, rows))

    def corner(self, at: int) -> tuple[float, float]:
        """Return the left upper corner of a part."""
        row, column = divmod(at, self.columns)
        return column * (self.width - 2 * EDGE + _GAP), row * (self.height - 2 * EDGE + _GAP)


def _split(side: float, parts: int) -> float:
    """Return the side of each of some parts of a page, margins included."""
    return (side - 2 * EDGE + _GAP) / parts - _GAP + 2 * EDGE


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

    @property
    def measure(self) -> float:
        """The width of the text."""
        return self.style.sheet.points[0] - 2 * EDGE

    def canvas(self, left: float = 0.0, top: float = 0.0) -> PdfCanvas:
        """Return a canvas whose left upper corner stands there on the page."""
        return PdfCanvas(self.pdf, left, self.style.sheet.points[1] - top)

    def end_page(self, foot: str = "") -> None:
        """Write what stands in the margins, and begin a page."""
        self.pages += 1
        width, height = self.style.sheet.points
        canvas = self.canvas()
        for line in set_lines(self.title, _SMALL, self.measure, measure_width)[:1]:
            canvas.text(width / 2, 0.6 * EDGE, _SMALL, line.text, font=TEXT)
        canvas.text(width / 2, height - 0.75 * EDGE, _NUMBER, str(self.pages), font=TEXT)
        canvas.text(width / 2, height - EDGE / 2, _FOOT, foot, font=TEXT)
        self.pdf.showPage()


def _join_copyrights(puzzles: Iterable[Puzzle], style: PageStyle) -> str:
    """Return the copyrights of some puzzles, each once."""
    return " · ".join(filter(None, dict.fromkeys(style.write_copyright(puzzle) for puzzle in puzzles)))


def _draw_puzzles(paper: _Paper, puzzles: Sequence[tuple[str, Puzzle]], per_page: int | None) -> list[list[str]]:
    """Draw the puzzles page by page, and return the warnings of each."""
    style = paper.style
    foot = _join_copyrights((puzzle for _, puzzle in puzzles), style)
    setter = _Setter(style, puzzles, in_foot=measure_width(foot) * _FOOT <= paper.measure)
    faces = setter.choose(per_page)
    room = Room.of(style, faces.per_page)
    told = []
    for start in range(0, len(puzzles), faces.per_page):
        on_page = faces.faces[start : start + faces.per_page]
        for at, face in enumerate(on_page):
            canvas = paper.canvas(*room.corner(at))
            told.append(face.draw(canvas))
            _draw_columns(canvas, face, 0)
        foot = ""
        if setter.in_foot:
            foot = _join_copyrights((face.puzzle for face in on_page), style)
        paper.end_page(foot)
        for further in range(1, len(on_page[0].settings)):  # of a puzzle that has the page for itself
            canvas = paper.canvas()
            draw_again(canvas, f"{on_page[0].head[0].text} ({style.words.continued})", on_page[0].page)
            _draw_columns(canvas, on_page[0], further)
            paper.end_page(foot)
    return told


def _draw_columns(canvas: PdfCanvas, face: Face, page: int) -> None:
    for column, blocks in face.settings[page]:
        canvas.column(column, blocks)


class _Faces(NamedTuple):
    """Puzzles as they are set, so many a page."""

    per_page: int
    faces: list[Face]


class _Setter(NamedTuple):
    """Sets the puzzles of a booklet; unless their copyrights stand at the foot of the page, each precedes its clues."""

    style: PageStyle
    puzzles: Sequence[tuple[str, Puzzle]]
    in_foot: bool

    def choose(self, per_page: int | None) -> _Faces:
        """Return the puzzles, so many a page or what fits."""
        if per_page is None:
            for most in (4, 2):
                faces = self._set_legible(most)
                if faces:
                    return self._level(faces, most)
        per_page = per_page or 1
        faces = [self._set(index, per_page) for index in range(len(self.puzzles))]
        for (name, _), face in zip(self.puzzles, faces, strict=True):
            if per_page > 1 and len(face.settings) > 1:
                raise expected("puzzles of which {n} fit a page", say("a larger one"), name, n=per_page)
        return self._level(faces, per_page)

    def _set(self, index: int, per_page: int, **choices: Sequence[float]) -> Face:
        """Set a puzzle in its part of a page."""
        puzzle = self.puzzles[index][1]
        heading = ". ".join(filter(None, [str(index + 1), self.style.write(puzzle, PuzzlePart.TITLE)]))
        head = list_head(puzzle, self.style, (heading, _HEADING, True), _AUTHOR)
        room = Room.of(self.style, per_page)
        notes = [] if self.in_foot else [self.style.write_copyright(puzzle)]
        return set_face(puzzle, self.style, head, (room.width, room.height), letters=False, notes=notes, **choices)

    def _set_legible(self, per_page: int) -> list[Face]:
        """Return all puzzles, or none if one of them would be too small, or too large for its part of a page."""
        faces = []
        for index in range(len(self.puzzles)):
            face = self._set(index, per_page)
            if len(face.settings) > 1 or face.plan.cell < _LEAST_CELL or face.plan.size < _LEAST_SIZE:
                return []
            faces.append(face)
        return faces

    def _level(self, faces: Sequence[Face], per_page: int) -> _Faces:
        """Return faces whose grids of the same size have the same cells and clues, if they take no more pages so."""
        alike: dict[tuple[int, int], list[Face]] = defaultdict(list)
        for face in faces:
            alike[face.puzzle.height, face.puzzle.width].append(face)
        levelled = []
        for index, face in enumerate(faces):
            others = alike[face.puzzle.height, face.puzzle.width]
            cell = min(each.plan.cell for each in others)
            size = min(each.plan.size for each in others)
            if (cell, size) != (face.plan.cell, face.plan.size):
                level = self._set(index, per_page, cells=(cell,), sizes=(size,))
                if len(level.settings) <= len(face.settings):
                    face = level  # noqa: PLW2901 - the same, smaller
            levelled.append(face)
        return _Faces(per_page, levelled)


def _draw_solutions(paper: _Paper, puzzles: Sequence[Puzzle]) -> None:
    """Draw the solutions with the numbers of their puzzles, as many in a row as fit."""
    solutions = [(number, _picture(puzzle)) for number, puzzle in enumerate(puzzles, 1) if any(puzzle.cells)]
    if not solutions:
        return
    width, height = paper.style.sheet.points
    measured = [measure_size(solution, 1.0, labelled=False) for _, solution in solutions]
    widest = max(wide for wide, _ in measured)
    highest = max(high for _, high in measured)
    least, most = _SOLUTION
    columns = max(1, int((width - 2 * EDGE + _GAP) / (widest * least + _GAP)))
    step = (width - 2 * EDGE + _GAP) / columns
    head = 2 * _HEADING
    room = height - 2 * EDGE - head - 2 * _NUMBER
    cell = min(most, (step - _GAP) / widest, room / highest)
    paper.canvas().text(width / 2, EDGE + _HEADING, 1.3 * _HEADING, paper.style.words.solutions, font=BOLD)
    y = EDGE + head
    for start in range(0, len(solutions), columns):
        row = solutions[start : start + columns]
        tall = 2 * _NUMBER + max(high for _, high in measured[start : start + columns]) * cell
        if y + tall > height - EDGE:
            paper.end_page()
            y = EDGE
        for at, (number, solution) in enumerate(row):
            canvas = paper.canvas(EDGE + at * step, y + 1.5 * _NUMBER)
            canvas.text(0.0, -0.4 * _NUMBER, _NUMBER, str(number), centred=False, font=BOLD)
            paint(canvas, solution, cell, letters=True, labelled=False)
        y += tall
    paper.end_page()


def _picture(puzzle: Puzzle) -> Diagram:
    """Return a solution without numbers in its cells, which would be too small to read."""
    return Diagram(
        puzzle.height,
        puzzle.width,
        puzzle.cells,
        {},
        puzzle.bars,
        puzzle.circles,
        voids=puzzle.voids,
        shades=puzzle.shades,
    )
