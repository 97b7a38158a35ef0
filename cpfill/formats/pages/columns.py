"""Text set in columns: lines broken, what belongs together kept together, columns on the last page balanced.

All lengths are in one unit, of which widths of texts are a function; the time is linear in the length of the text.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Width = Callable[[str], float]
    Measure = Callable[[str, bool], float]
    """Widths of bold or plain text, in multiples of its height."""

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
    """Where a column of text stands: y goes downwards."""

    x: float
    top: float
    bottom: float


PageSetting = list[tuple[TextColumn, list[TextBlock]]]
"""What stands in the columns of a page."""


def break_lines(text: str, room: float, width: Width) -> list[str]:
    """Return a text in lines of that width; only a word that is wider is broken."""
    lines: list[str] = []
    line, used, blank = "", 0.0, width(" ")
    for word in filter(None, text.split(" ")):  # and not at a no-break space
        for piece, wide in _break_word(word, room, width):
            if line and used + blank + wide <= room:
                line, used = f"{line} {piece}", used + blank + wide
            else:
                lines += [line] if line else []
                line, used = piece, wide
    return [*lines, line] if line else lines


def _break_word(word: str, room: float, width: Width) -> Iterator[tuple[str, float]]:
    """Yield a word and its width, or the parts of one that is wider than the room."""
    if (wide := width(word)) <= room:
        yield word, wide
        return
    start, used = 0, 0.0
    for end, char in enumerate(word):
        wide = width(char)
        if end > start and used + wide > room:
            yield word[start:end], used
            start, used = end, 0.0
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
    """Return a paragraph in one block, or if it is long in one for each line."""
    if len(lines) <= _WHOLE:
        return [TextBlock(tuple(lines), space)] if lines else []
    return [TextBlock((line,), 0.0 if index else space) for index, line in enumerate(lines)]


def pages(blocks: Iterable[TextBlock], first: Sequence[TextColumn], further: Sequence[TextColumn]) -> list[PageSetting]:
    """Return what stands in the columns of the first page, and of as many further ones as it takes.

    Every block has to fit a column of a further page.
    """
    *done, last = _pour_pages(deque(blocks), first, further)
    rest = [block for _, taken in last for block in taken]
    return [*done, _balance(rest, last)]


def count_pages(blocks: Iterable[TextBlock], first: Sequence[TextColumn], further: Sequence[TextColumn]) -> int:
    """Return how many pages that takes."""
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
        y, taken = column.top, list[TextBlock]()
        while rest:
            below = y + (rest[0].space if taken else 0.0) + rest[0].height
            if below > column.bottom:
                break
            y = below
            taken.append(rest.popleft())
        page.append((column, taken))
    return page


def _balance(blocks: Sequence[TextBlock], page: PageSetting) -> PageSetting:
    """Return a page with its columns as short as they can be to hold the blocks, all ending at one height."""
    low, high = min(column.top for column, _ in page), max(column.bottom for column, _ in page)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        rest = deque(blocks)
        shorter = _pour(rest, (TextColumn(column.x, column.top, min(middle, column.bottom)) for column, _ in page))
        if rest:
            low = middle
        else:
            page, high = shorter, middle
    return page
