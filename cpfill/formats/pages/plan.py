"""How a page is filled: the size of the grid, the columns beside and below it, and the clues set in them.

Lines are broken, related lines kept together, and the columns of the last page balanced, in time linear in the length
of the text.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.formats.pages.arrows import CELL_POINTS
from cpfill.formats.pages.style import HeadedClues, PageLayout, PageStyle
from cpfill.puzzle.drawing import measure_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Width = Callable[[str], float]
    Measure = Callable[[str, bool], float]
    """Widths of bold or plain text, in multiples of its height."""
    from cpfill.puzzle.puzzle import Puzzle

LEADING = 1.18
"""From one base line to the next, in heights of the text."""
LABEL_GAP = 0.45
"""Between a label and its text, likewise."""
_WHOLE = 6
"""A paragraph of more lines may be broken between any two of them."""
_HALVINGS = 10


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text `indent` from the left, perhaps with a label in the indent."""

    text: str
    size: float
    leading: float
    indent: float = 0.0
    label: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines that stand in one column, below some space unless they are its first."""

    lines: tuple[TextLine, ...]
    space: float = 0.0

    @property
    def height(self) -> float:
        """The height without the space."""
        return sum(line.leading for line in self.lines)


@dataclass(frozen=True, slots=True)
class TextColumn:
    """The place of a column of text: y goes downwards."""

    x: float
    top: float
    bottom: float


PageSetting = list[tuple[TextColumn, list[TextBlock]]]
"""The columns of a page, each with its blocks."""


def break_lines(text: str, room: float, width: Width) -> list[str]:
    """Return a text in lines of that width; only wider words are broken."""
    lines: list[str] = []
    line = ""
    used = 0.0
    blank = width(" ")
    for word in filter(None, text.split(" ")):  # and not at a no-break space
        for piece, wide in _break_word(word, room, width):
            if line and used + blank + wide <= room:
                line = f"{line} {piece}"
                used = used + blank + wide
                continue
            if line:
                lines.append(line)
            line = piece
            used = wide
    if line:
        lines.append(line)
    return lines


def _break_word(word: str, room: float, width: Width) -> Iterator[tuple[str, float]]:
    """Yield a word and its width, or its parts if it is wider than the room."""
    whole = width(word)
    if whole <= room:
        yield word, whole
        return
    start = 0
    used = 0.0
    for end, char in enumerate(word):
        wide = width(char)
        if end > start and used + wide > room:
            yield word[start:end], used
            start = end
            used = 0.0
        used += wide
    yield word[start:], used


def set_lines(
    text: str,
    size: float,
    room: float,
    measure: Measure,
    *,
    indent: float = 0.0,
    label: str = "",
    bold: bool = False,
) -> list[TextLine]:
    """Return a text broken into lines, the first of them with the label."""
    texts = break_lines(text, (room - indent) / size, lambda part: measure(part, bold))
    return [
        TextLine(line, size, LEADING * size, indent, "" if index else label, bold) for index, line in enumerate(texts)
    ]


def make_blocks(lines: Sequence[TextLine], space: float) -> list[TextBlock]:
    """Return a paragraph as one block, or as one block per line if it is long."""
    if len(lines) <= _WHOLE:
        if lines:
            return [TextBlock(tuple(lines), space)]
        return []
    return [TextBlock((line,), 0.0 if index else space) for index, line in enumerate(lines)]


def pages(blocks: Iterable[TextBlock], first: Sequence[TextColumn], further: Sequence[TextColumn]) -> list[PageSetting]:
    """Return the columns of the first page and of as many further pages as the blocks take.

    Every block has to fit a column of a further page.
    """
    *done, last = _pour_pages(deque(blocks), first, further)
    rest = [block for _, taken in last for block in taken]
    return [*done, _balance(rest, last)]


def count_pages(blocks: Iterable[TextBlock], first: Sequence[TextColumn], further: Sequence[TextColumn]) -> int:
    """Return the number of these pages."""
    return sum(1 for _ in _pour_pages(deque(blocks), first, further))


def measure_height(blocks: Sequence[TextBlock]) -> float:
    """Return the height of blocks in one column."""
    return sum((block.space if index else 0.0) + block.height for index, block in enumerate(blocks))


def _pour_pages(
    rest: deque[TextBlock], first: Sequence[TextColumn], further: Sequence[TextColumn]
) -> Iterator[PageSetting]:
    """Yield page after page until all blocks are taken."""
    yield _pour(rest, first)
    while rest:
        yield _pour(rest, further)


def _pour(rest: deque[TextBlock], columns: Iterable[TextColumn]) -> PageSetting:
    """Take blocks into columns, one column after another, until all are full."""
    page: PageSetting = []
    for column in columns:
        y = column.top
        taken: list[TextBlock] = []
        while rest:
            below = y + (rest[0].space if taken else 0.0) + rest[0].height
            if below > column.bottom:
                break
            y = below
            taken.append(rest.popleft())
        page.append((column, taken))
    return page


def _balance(blocks: Sequence[TextBlock], page: PageSetting) -> PageSetting:
    """Return a page whose columns end at one height and are as short as the blocks allow."""
    low = min(column.top for column, _ in page)
    high = max(column.bottom for column, _ in page)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        rest = deque(blocks)
        shorter = _pour(rest, (TextColumn(column.x, column.top, min(middle, column.bottom)) for column, _ in page))
        if rest:
            low = middle
        else:
            page = shorter
            high = middle
    return page


EDGE, GUTTER = 40.0, 14.0
"""Round the page, and between columns, in points, as all lengths here."""
_COLUMNS = (2, 3, 4, 5)
SIZES = tuple(size / 4 for size in range(46, 27, -1))
"""The heights of the clues, 11.5 to 7 points: the largest is taken that needs no further page."""
_NARROWEST, _WIDEST = 11.0, 27.0
"""The width of a column, in heights of its text: at about 2.2 characters a height, 25 to 60 characters a line."""
_CELLS = (30.0, 26.0, 23.0, 20.0, 17.0, 14.0)
"""The sides of a cell: of one 15 points high and wide a pencil fills half with a letter."""
_BEST_CELL, _GOOD = 24.0, 15.0
"""Larger cells are no better, nor are columns wider than this, in heights of their text."""
_MORE = 0.3
"""How much wider spaces between clues may become to fill a column, in heights of the text."""
_FILLED = 0.8
"""The least part of the room beside columns that the grid is to fill."""
_MOST = 15_000
"""Characters: more than a page holds, and too many to try every size."""
_HEAD, _NOTE, _FOOT = 60.0, 16.0, 18.0
"""The height of title and author, of a line of notes, and of the copyright, where other programs set the page."""
_MEAN = 0.5
"""The mean width of a character there, in heights of the text: nobody knows the font."""


@dataclass(frozen=True, slots=True)
class PagePlan:
    """A layout of the page: columns, the first `beside` of them beside the grid, and the sizes of cells and clues."""

    columns: int
    beside: int
    cell: float
    size: float


@dataclass(frozen=True, slots=True)
class Page:
    """The room of a page: its width and height, and where the columns begin on the first and on further pages."""

    width: float
    height: float
    top: float
    further_top: float

    @property
    def measure(self) -> float:
        """The width of the text."""
        return self.width - 2 * EDGE

    @property
    def bottom(self) -> float:
        return self.height - EDGE

    def column(self, columns: int) -> float:
        """Return the width of each of a number of columns."""
        return (self.measure + GUTTER) / columns - GUTTER

    def list_columns(self, plan: PagePlan, grid_height: float) -> tuple[list[TextColumn], list[TextColumn]]:
        """Return the columns of the first page, and of further ones."""
        lefts = [EDGE + index * (self.column(plan.columns) + GUTTER) for index in range(plan.columns)]
        below = self.top + grid_height + GUTTER
        first = [
            TextColumn(x, self.top if index < plan.beside else below, self.bottom) for index, x in enumerate(lefts)
        ]
        return first, [TextColumn(x, self.further_top, self.bottom) for x in lefts]


@dataclass(frozen=True, slots=True)
class Matter:
    """The content of a page: a grid, `wide` and `high` in cells; notes and lists of clues; the widths of texts.

    `cells` are the sides of a cell to choose from, and `sizes` the heights of clues, the largest first.
    """

    wide: float
    high: float
    notes: Sequence[str]
    lists: Sequence[HeadedClues]
    measure: Measure
    cells: Sequence[float] = _CELLS
    sizes: Sequence[float] = SIZES

    @property
    def much(self) -> bool:
        """Whether the text exceeds a page, and is too long to try every size."""
        total = sum(map(len, self.notes))
        for _, clues in self.lists:
            total += sum(len(text) for _, text in clues)
        return total > _MOST

    def list_blocks(self, size: float, room: float) -> list[TextBlock]:
        """Return the blocks for columns of that width; the heading of a list stays with its first clue."""
        story: list[TextBlock] = []
        for text in self.notes:
            story += make_blocks(set_lines(text, size, room, self.measure), size / 2)
        for name, clues in self.lists:
            heading = TextLine(name, size + 1, LEADING * (size + 2), bold=True)
            indent = (max(self.measure(label, True) for label, _ in clues) + LABEL_GAP) * size
            listed: list[TextBlock] = []
            for label, text in clues:
                lines = set_lines(text, size, room, self.measure, indent=indent, label=label)
                listed += make_blocks(lines, size / 8)
            start, *rest = listed
            story += [TextBlock((heading, *start.lines), size), *rest]
        return story


def lay_out(page: Page, matter: Matter, *, beside: bool = True) -> tuple[PagePlan, list[PageSetting]]:
    """Return the best plan, and the columns of its pages.

    A plan that needs fewer pages is better; then one whose clues and cells are larger together. Without `beside` all
    columns stand below the grid.
    """
    stories: dict[tuple[int, float], list[TextBlock]] = {}
    best: tuple[tuple[int, float], PagePlan] | None = None
    for plan in _list_plans(page, matter, beside=beside):
        value = _rate(plan, page)
        if best and best[0] <= (1, -value):
            continue
        key = plan.columns, plan.size
        if key not in stories:
            stories[key] = matter.list_blocks(plan.size, page.column(plan.columns))
        count = count_pages(stories[key], *page.list_columns(plan, matter.high * plan.cell))
        if best is None or (count, -value) < best[0]:
            best = (count, -value), plan
    assert best is not None  # of all sizes but the largest clues stand well in two or three columns
    plan = best[1]
    settings = pages(stories[plan.columns, plan.size], *page.list_columns(plan, matter.high * plan.cell))
    return plan, [_stretch(setting, plan.size) for setting in settings]


def list_cells(style: PageStyle) -> Sequence[float]:
    """Return the sides of a cell to choose from."""
    if style.layout is PageLayout.ARROWS:
        return (CELL_POINTS,)
    return _CELLS


def plan_below(puzzle: Puzzle, style: PageStyle) -> tuple[PagePlan, float]:
    """Return a plan for a page that another program sets, all columns below the grid, and the height of the grid."""
    width, height = style.sheet.points
    top = EDGE + _HEAD + _NOTE * len(style.write_notes(puzzle))
    wide, high = measure_size(puzzle, 1.0, labelled=style.labelled)
    matter = Matter(
        wide, high, [], style.list_headed_clues(puzzle), lambda text, _: _MEAN * len(text), list_cells(style)
    )
    plan, _ = lay_out(Page(width, height - _FOOT, min(top, height / 3), EDGE), matter, beside=False)
    return plan, high * plan.cell


def _list_plans(page: Page, matter: Matter, *, beside: bool) -> Iterator[PagePlan]:
    """Yield the plans to choose from, those with larger clues first."""
    sizes = matter.sizes
    if matter.much:
        sizes = [sizes[len(sizes) // 2]]
    for columns, first, cell in _list_grids(page, matter):
        if beside or not first:
            for size in sizes:
                if not matter.lists or _NARROWEST <= page.column(columns) / size <= _WIDEST:
                    yield PagePlan(columns, first, cell, size)


def _list_grids(page: Page, matter: Matter) -> Iterator[tuple[int, int, float]]:
    """Yield numbers of columns, of columns beside the grid, and sides of a cell that go together."""
    tallest = (page.bottom - page.top) / matter.high
    if not (matter.notes or matter.lists):
        yield 2, 0, min(matter.cells[0], page.measure / matter.wide, tallest)
        return
    for columns in _list_numbers(page, matter):
        for cell in sorted({min(cell, page.measure / matter.wide, tallest) for cell in matter.cells}, reverse=True):
            yield columns, 0, cell
        for beside in range(1, columns):
            room = page.measure - beside * (page.column(columns) + GUTTER)
            cell = min(matter.cells[0], room / matter.wide, tallest)
            if cell >= matter.cells[-1] and cell * matter.wide >= _FILLED * room:
                yield columns, beside, cell


def _list_numbers(page: Page, matter: Matter) -> Sequence[int]:
    """Return the numbers of columns to choose from."""
    if not matter.much:
        return _COLUMNS
    if page.column(3) >= _NARROWEST * SIZES[0]:
        return (3,)
    return (2,)


def _rate(plan: PagePlan, page: Page) -> float:
    measure = page.column(plan.columns) / plan.size
    return float(plan.size * min(plan.cell, _BEST_CELL) ** 0.5 * min(1.0, measure / _GOOD) ** 0.5)


def _stretch(setting: PageSetting, size: float) -> PageSetting:
    """Return a page whose columns end at one height, as low as wider spaces let them."""
    filled = [(column, blocks) for column, blocks in setting if blocks]
    if not filled:
        return setting
    ends = [column.top + measure_height(blocks) for column, blocks in filled]
    lowest = min(end + (len(blocks) - 1) * _MORE * size for end, (_, blocks) in zip(ends, filled, strict=True))
    goal = max(min(lowest, setting[0][0].bottom), *ends)
    return [(column, _stretch_column(column, blocks, goal, _MORE * size)) for column, blocks in setting]


def _stretch_column(column: TextColumn, blocks: Sequence[TextBlock], goal: float, most: float) -> list[TextBlock]:
    """Return blocks with wider spaces, each by `most` at most, so that they end at a height."""
    gaps = len(blocks) - 1
    if gaps < 1:
        return list(blocks)
    end = column.top + measure_height(blocks)
    more = min(most, (goal - end) / gaps)
    return [replace(block, space=block.space + more) for block in blocks]
