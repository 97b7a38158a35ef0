"""Where theme entries stand, as constructors place them: across, in rows that mirror each other.

Under half-turn symmetry two entries of one length pair: one stands in row r from column c, the other in the mirrored
row, half a turn away. An entry that stays alone goes to the middle of the middle row, where its length allows that, or
else the slot half a turn away is left to an ordinary word. Rows of entries are two apart or more. What an entry leaves
of its row is nothing but blocks, or a block and a run that is long enough for a slot of its own.

A layout that growth can start from obeys the rules of the style already. Layouts are drawn at random and the others
thrown away: that takes a millisecond or so, and what it does not find is left to the model.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.generate.board import Symmetry, list_bits
from cpfill.generate.clue_cells import make_frame
from cpfill.generate.rules import obeys

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from cpfill.generate.board import Board, Cells
    from cpfill.generate.demands import Demands

LAYOUT_DRAWS = 400
"""How many layouts are drawn, at most, to find one that obeys the rules."""

CENTRED = 0.8
"""How often what is usual is done: an entry in the middle row, few blocks beside an entry."""

CROSSING_CHOICES = 3
"""How many words a slot that crosses an entry must have to choose from, at least."""

ROWS_APART = (2, 3, 3, 3, 4)
"""How many rows lie from one entry to the next, at least: less often few, where long slots lie close together."""

WIDEST_MARGIN = 3
"""The widest margin beside an entry that is filled with blocks alone."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Entries with the bit numbers of their cells, and what follows for the pattern under its symmetry.

    Attributes:
        placed: the entries.
        blocks: the cells that are blocks.
        open: the cells that are open.
    """

    placed: tuple[tuple[str, range], ...] = ()
    blocks: Cells = 0
    open: Cells = 0


class Crossings:
    """The slots that cross the entries of a layout: dead is one with too few words that have the letters they share.

    Entries stand across, so that a column at a time is looked at; what a column comes to is remembered.
    """

    def __init__(self, demands: Demands, layout: Layout) -> None:
        self._count_words = demands.count_words
        self._board = demands.board
        self._letters = {cell: letter for word, run in layout.placed for cell, letter in zip(run, word, strict=True)}
        columns = sorted({cell % self._board.stride for cell in self._letters}) if self._count_words else []
        self._columns = [self._board.lines[self._board.height + column] for column in columns]
        self._masks = [sum(1 << cell for cell in line) for line in self._columns]
        self._known: dict[tuple[int, Cells], int] = {}

    def count_dead(self, blocks: Cells) -> int:
        """Return how many slots of a pattern are dead."""
        dead, known = 0, self._known
        for number, mask in enumerate(self._masks):
            key = number, blocks & mask
            if key not in known:
                known[key] = self._count_in(self._columns[number], blocks)
            dead += known[key]
        return dead

    def _count_in(self, line: range, blocks: Cells) -> int:
        dead, run = 0, list[int]()
        for cell in (*line, -1):
            if cell >= 0 and not blocks >> cell & 1:
                run.append(cell)
                continue
            letters = {pos: self._letters[each] for pos, each in enumerate(run) if each in self._letters}
            if len(run) > 1 and letters and self._count_words:
                dead += self._count_words(len(run), letters) < CROSSING_CHOICES
            run.clear()
        return dead


def draw_layout(demands: Demands, chance: Random) -> Layout | None:
    """Return a random layout of the seed words that obeys the rules of the style; none if none was found."""
    if max(map(len, demands.seed_words)) > demands.width:  # one that stands down: for the model
        return None
    for _ in range(LAYOUT_DRAWS):
        layout = _draw(demands, chance)
        if layout and not layout.blocks & layout.open and obeys(demands, layout.blocks):
            return layout
    return None


def _draw(demands: Demands, chance: Random) -> Layout | None:
    board, symmetry = demands.board, demands.style.symmetry
    rows = list(_draw_rows(demands, chance))
    if len(rows) < len(demands.seed_words):
        return None
    placed = []
    blocks, open_ = make_frame(board) if demands.style.clue_cells else (0, 0)
    for word, row, column in rows:
        start = row * board.stride + column
        placed.append((word, range(start, start + len(word))))
        open_ |= ((1 << len(word)) - 1) << start
        blocks |= _fill_margins(board, row, column, len(word))
    images = board.map_orbits(symmetry)
    return Layout(tuple(placed), _close(blocks, images), _close(open_, images))


def _draw_rows(demands: Demands, chance: Random) -> Iterator[tuple[str, int, int]]:
    """Yield entries with their rows and columns, as long as there is room."""
    height, width = demands.height, demands.width
    turned = demands.style.symmetry is Symmetry.ROTATE
    free = set(range(height))
    apart = chance.choice(ROWS_APART)

    def take(row: int) -> None:
        for used in (row, height - 1 - row) if turned else (row,):
            free.difference_update(range(used - apart + 1, used + apart))

    pairs, alone = _pair(demands.seed_words, chance) if turned else ([], list(demands.seed_words))
    middle = [word for word in alone if turned and height % 2 and (width - len(word)) % 2 == 0]
    centred = [word for word in middle if _leaves_no_orphan(demands, (width - len(word)) // 2, len(word))]
    # Only in the middle no other slot has to be as long. Now and then a shorter entry than the longest has that row.
    if centred and chance.random() < CENTRED:
        word = max(centred, key=len) if chance.random() < CENTRED else chance.choice(centred)
        alone.remove(word)
        take(height // 2)
        yield word, height // 2, (width - len(word)) // 2
    groups = [*pairs, *((word,) for word in alone)]
    for group in chance.sample(groups, len(groups)):
        length, last = len(group[0]), (height - 1) // 2 if turned else height
        rows = [row for row in free if row < last and (not turned or height - 1 - row in free)]
        rows = [row for row in rows if not turned or height - 1 - 2 * row >= apart]
        # No block may stand within a short run of the edge: what is long there has rows as long beside it.
        inner = [row for row in rows if demands.style.min_slot_length <= row < height - demands.style.min_slot_length]
        rows = (inner if 2 * length > width else []) or rows
        columns = _list_columns(demands, length, chance)
        if not rows or not columns:
            return
        row, column = chance.choice(rows), chance.choice(columns)
        mirrored = (height - 1 - row, width - length - column)
        take(row)
        if len(group) == 1 and turned and chance.random() < 0.5:
            row, column = mirrored
        yield group[0], row, column
        if len(group) == 2:
            yield group[1], *mirrored


def _pair(words: Sequence[str], chance: Random) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return pairs of words of one length, and those that are left alone."""
    by_length: dict[int, list[str]] = defaultdict(list)
    for word in chance.sample(words, len(words)):
        by_length[len(word)].append(word)
    halves = [(each, len(each) // 2) for each in by_length.values()]
    pairs = [pair for each, half in halves for pair in zip(each[:half], each[half : 2 * half], strict=True)]
    return [*pairs], [word for each, half in halves for word in each[2 * half :]]


def _list_columns(demands: Demands, length: int, chance: Random) -> list[int]:
    """Return the columns that an entry may start in: most often those with the fewest blocks beside it.

    What it leaves on a side is blocks alone, or a block and a slot longer than the shortest: no orphan.
    """
    costs: dict[int, int] = {}
    for column in range(demands.width - length + 1):
        if _leaves_no_orphan(demands, column, length):
            rests = (column, demands.width - length - column)
            costs[column] = sum(rest if rest <= WIDEST_MARGIN else 1 for rest in rests)
    least = min(costs.values(), default=0)
    return [column for column, cost in costs.items() if cost == least] if chance.random() < CENTRED else list(costs)


def _leaves_no_orphan(demands: Demands, column: int, length: int) -> bool:
    """Return whether an entry leaves on each side blocks alone, or a block and a slot longer than the shortest."""
    rests = (column, demands.width - length - column)
    return all(rest <= WIDEST_MARGIN or rest > demands.style.min_slot_length + 1 for rest in rests)


def _fill_margins(board: Board, row: int, column: int, length: int) -> Cells:
    """Return the blocks beside an entry: all of a narrow margin, or one."""
    stop, start = column + length, row * board.stride
    before = range(column) if column <= WIDEST_MARGIN else range(column - 1, column)
    after = range(stop, board.width) if board.width - stop <= WIDEST_MARGIN else range(stop, stop + 1)
    return sum(1 << start + cell for margin in (before, after) for cell in margin)


def _close(cells: Cells, images: dict[int, Cells]) -> Cells:
    """Return some cells with all that the symmetry moves them to."""
    closed = 0
    for cell in list_bits(cells):
        closed |= images[cell]
    return closed
