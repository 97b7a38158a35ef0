"""Arrowwords (mots fléchés), on any canvas: clues in the blocks, an arrow from each to the first letter of its slot.

Clues are set in narrow cells: lines are broken, long words hyphenated, and the whole shrunk until it fits. Lengths are
in cells, or in one unit of the canvas; widths of texts are in heights of the font.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from cpfill.base.imports import load
from cpfill.base.texts import later, say
from cpfill.puzzle.clues import NO_CLUE, ClueArrow, assign_clue_cells
from cpfill.puzzle.drawing import LINE, Canvas, Diagram, measure_size, paint
from cpfill.puzzle.grid import Direction, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cpfill.formats.pages.style import PageStyle
    from cpfill.puzzle.puzzle import Puzzle

    Point = tuple[float, float]
    Width = Callable[[str], float]

LEADING = 1.1
"""From one base line to the next, in heights of the font."""
_STEP = 0.96
_WORTH = 0.85
"""Words are left whole where that shrinks a text to no less than this part of its size with hyphens."""
_PIECES = re.compile(r"[^-/]+[-/]*|[-/]+")
_LOOK = 100
"""The number of letters of a long word in which a break is sought."""
_FEWEST = 2, 3
"""The fewest letters before a hyphen and after it."""
_DICTIONARIES = {"en": "en_US"}


@dataclass(frozen=True, slots=True)
class ClueSetting:
    """Texts that stand one below the other: the lines of each, in one size."""

    size: float
    lines: list[list[str]]


def fit_clues(
    texts: Sequence[str], room: tuple[float, float], kind: ArrowType, largest: float, least: float
) -> ClueSetting:
    """Return texts set as large as fits a room of that width and height, at most `largest`.

    Below `least` only if no larger size fits, and then with hyphens.
    """
    hyphened: ClueSetting | None = None
    size = _find_largest(texts, room, kind, largest)
    while True:
        if hyphened and size < max(least, _WORTH * hyphened.size):
            return hyphened
        broken = [break_clue(text, room[0] / size, kind) for text in texts]
        found = ClueSetting(size, [lines for lines, _ in broken])
        if _fits(found, room, kind):
            if size < least or not any(parted for _, parted in broken):
                return found
            hyphened = hyphened or found
        size *= _STEP


def _find_largest(texts: Sequence[str], room: tuple[float, float], kind: ArrowType, largest: float) -> float:
    """Return the largest size whose letters, without blanks, have no greater area than the room."""
    area = LEADING * sum(kind.width(text.replace(" ", "")) for text in texts)  # in size 1
    if not area:
        return largest
    return min(largest, math.sqrt(room[0] * room[1] / area))


def _fits(setting: ClueSetting, room: tuple[float, float], kind: ArrowType) -> bool:
    width, height = room
    lines = list(itertools.chain.from_iterable(setting.lines))
    if len(lines) * LEADING * setting.size > height:
        return False
    return all(kind.width(line) * setting.size <= width for line in lines)


def break_clue(text: str, room: float, kind: ArrowType) -> tuple[list[str], bool]:
    """Return a text in lines of a width, and whether a word had to be hyphenated.

    Lines end at blanks and after hyphens and strokes; only words that are wider than the room get a hyphen.
    """
    lines: list[str] = []
    line = ""
    parted = False
    for joint, piece in _split(text):
        joined = f"{line}{joint}{piece}" if line else piece
        if kind.width(joined) <= room:
            line = joined
            continue
        if line:
            lines.append(line)
        line = piece
        while len(line) > 1 and (kind.width(line[:_LOOK]) > room or kind.width(line) > room):
            end = _choose_break(line, room, kind)
            lines.append(f"{line[:end]}-")
            line = line[end:]
            parted = True
    if line:
        lines.append(line)
    return lines, parted


def _split(text: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces after which a line may end, each with the text that joins it to the piece before."""
    for word in filter(None, text.split(" ")):  # and not at a no-break space
        for index, piece in enumerate(_PIECES.findall(word)):
            yield "" if index else " ", piece


def _choose_break(word: str, room: float, kind: ArrowType) -> int:
    """Return the number of letters of a word before the hyphen: as many as fit, between syllables if possible."""

    def fits(end: int) -> bool:
        return kind.width(f"{word[:end]}-") <= room

    between = max(filter(fits, find_breaks(word[:_LOOK], kind.language)), default=0)
    return between or max(itertools.takewhile(fits, range(1, len(word))), default=1)


def find_breaks(word: str, language: str) -> list[int]:
    """Return the positions in a word where it may be broken in the language of that code."""
    dictionary = _DICTIONARIES.get(language, language)
    return list(_load_hyphens(dictionary).positions(word))


@cache
def _load_hyphens(dictionary: str) -> Any:
    before, after = _FEWEST
    return load("pyphen", "pyphen", later("an arrowword")).Pyphen(lang=dictionary, left=before, right=after)


CELL_POINTS = 48.0
"""The side of a cell on paper, in points, where there is room: 17 mm."""
LEGIBLE_POINTS = 4.5
"""A warning names clues that are smaller."""
_LARGEST = 0.15
"""The height of the font of a short clue."""
_THICKNESS = 0.4
"""That of lines: cells are larger than those that have no text."""
_TINT = 0.08
"""How dark a clue cell is."""
_PADDING = 0.05
_ASCENT = 0.82
"""The base line of a line of text, from its top, in heights of the font."""
_SHAFT, _SHAFT_WIDTH, _HEAD, _HALF = 0.08, 0.02, 0.09, 0.055
"""The length and width of an arrow's straight parts, the length of its head, and half of that head's width."""
_TOLD = 10


@dataclass(frozen=True, slots=True)
class ArrowType:
    """The type that clues are set in.

    Attributes:
        width: the width of a text, in heights of the font.
        points: how many points on paper a unit of the canvas is.
        language: the code of the language that words are hyphenated in.
    """

    width: Callable[[str], float]
    points: float
    language: str


def paint_arrowword(
    canvas: Canvas, puzzle: Puzzle, cell: float, kind: ArrowType, style: PageStyle, *, letters: bool
) -> list[str]:
    """Draw the grid in the canvas's upper left corner, and return warnings.

    Slots without a clue are marked, if any slot has a clue.
    """
    blocks = [index for index, answer in enumerate(puzzle.cells) if answer is None and index not in puzzle.voids]
    clue_cells = assign_clue_cells(puzzle.slots, frozenset(blocks), puzzle.width)
    margin = (measure_size(puzzle, cell, labelled=False)[0] - puzzle.width * cell) / 2

    def place(index: int) -> Point:
        row, column = divmod(index, puzzle.width)
        return margin + column * cell, margin + row * cell

    for block in blocks:
        x, y = place(block)
        canvas.polygon([(x, y), (x + cell, y), (x + cell, y + cell), (x, y + cell)], _TINT)
    paint(canvas, _open_blocks(puzzle), cell, letters=letters, labelled=False, thickness=_THICKNESS)
    crowded = []
    for block, arrows in clue_cells.items():
        texts = [_read_clue(puzzle, arrow.slot, style) for arrow in arrows]
        size, middles = _paint_clues(canvas, place(block), cell, texts, kind)
        if size * kind.points < LEGIBLE_POINTS:
            crowded.append(arrows[texts.index(max(texts, key=len))].slot.name)
        for arrow, at in zip(arrows, _spread(arrows, middles), strict=True):
            _paint_arrow(canvas, place(arrow.slot.cells[0]), cell, arrow, at)
    return _tell_crowded(crowded)


def _open_blocks(puzzle: Puzzle) -> Diagram:
    """Return the diagram of a puzzle with open cells for its blocks."""
    opened = [None if index in puzzle.voids else answer or "" for index, answer in enumerate(puzzle.cells)]
    marks = (puzzle.circles, puzzle.givens, puzzle.voids, puzzle.shades, puzzle.alternatives)
    return Diagram(puzzle.height, puzzle.width, opened, {}, puzzle.bars, *marks)


def _tell_crowded(crowded: Sequence[str]) -> list[str]:
    """Return a warning that names the slots whose clues are too small."""
    if not crowded:
        return []
    names = ", ".join(crowded[:_TOLD])
    if len(crowded) > _TOLD:
        names += say(" and {n} more", n=len(crowded) - _TOLD)
    told = say(
        "clues too long for their cells, set smaller than {legible_points} pt: {names}",
        legible_points=LEGIBLE_POINTS,
        names=names,
    )
    return [told]


def _read_clue(puzzle: Puzzle, slot: Slot, style: PageStyle) -> str:
    """Return the clue of a slot with the signs of printers, or a mark if only other slots have clues."""
    clue = puzzle.clue(slot)
    if clue in {"", NO_CLUE}:
        if puzzle.clues:
            return style.words.no_clue
        return ""
    return style.set_text(clue)


def _paint_clues(
    canvas: Canvas, corner: Point, cell: float, texts: Sequence[str], kind: ArrowType
) -> tuple[float, list[float]]:
    """Write the clues of a block, a rule between two, and return their size, and the height of the middle of each."""
    x, y = corner
    gap = 2 * _PADDING if len(texts) > 1 else 0.0
    room = (1 - 2 * _PADDING) * cell, (1 - 2 * _PADDING - gap) * cell
    setting = fit_clues(texts, room, kind, _LARGEST * cell, LEGIBLE_POINTS / kind.points)
    leading = LEADING * setting.size
    heights = [len(lines) * leading for lines in setting.lines]
    spare = (cell - sum(heights)) / len(texts)
    middles = []
    top = 0.0
    for lines, height in zip(setting.lines, heights, strict=True):
        if top:
            canvas.line((x, y + top), (x + cell, y + top), _THICKNESS * LINE * cell)
        for index, line in enumerate(lines):
            base = top + spare / 2 + index * leading + _ASCENT * setting.size
            canvas.text(x + cell / 2, y + base, setting.size, line)
        middles.append((top + (spare + height) / 2) / cell)
        top += spare + height
    return setting.size, middles


def _spread(arrows: Sequence[ClueArrow], middles: Sequence[float]) -> list[float]:
    """Return where along a side of the block each arrow starts: beside its clue, or side by side below."""
    below = [arrow for arrow in arrows if arrow.leaves is Direction.DOWN]
    starts = []
    for arrow, middle in zip(arrows, middles, strict=True):
        if arrow.leaves is Direction.ACROSS:
            starts.append(middle)
        else:
            starts.append((below.index(arrow) + 0.5) / len(below))
    return starts


def _paint_arrow(canvas: Canvas, corner: Point, cell: float, arrow: ClueArrow, at: float) -> None:
    """Draw an arrow into the cell of a first letter, from the point `at` of its left side or of its upper side."""
    x, y = corner
    along = (0, 1)
    beside = (1, 0)
    if arrow.leaves is Direction.ACROSS:
        along, beside = beside, along
    shift = _SHAFT if arrow.bends else 0.0  # the middle of a bent arrow is at the shaft of a straight arrow
    point = x + (at - shift) * beside[0] * cell, y + (at - shift) * beside[1] * cell
    for way in (along, beside) if arrow.bends else (along,):
        end = point[0] + _SHAFT * cell * way[0], point[1] + _SHAFT * cell * way[1]
        canvas.line(point, end, _SHAFT_WIDTH * cell)
        point = end
    tip = (point[0] + _HEAD * cell * way[0], point[1] + _HEAD * cell * way[1])
    wing = (_HALF * cell * way[1], _HALF * cell * way[0])
    canvas.polygon([tip, (point[0] + wing[0], point[1] + wing[1]), (point[0] - wing[0], point[1] - wing[1])], 1.0)
