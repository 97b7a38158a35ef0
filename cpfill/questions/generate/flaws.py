"""Flaws: features that no rule forbids but printed grids of a style seldom have. The least flawed pattern wins.

A cheater is a block whose removal does not change the number of words: neither across nor down does it have open cells
on both sides. American grids in newspapers have few cheaters, no squares of blocks, and at most 78 words at 15x15, or
140 at 21x21. British grids have about 30 words at 15x15, few of them of 3 letters, and no large clumps of blocks.
Barred grids have about 36 words at 12x12, of 5.5 letters or more on average, and at most two thirds of their cells
checked. In an arrowword few clue cells are adjacent, few letters are in only one word, and few words have two letters
or more than nine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.questions.generate.clue_cells import find_uncrossed
from cpfill.questions.generate.rules import count_misfits, count_slots, find_runs

if TYPE_CHECKING:
    from cpfill.questions.generate.board import Board, Cells
    from cpfill.questions.generate.demands import Demands, Style

TOLERATED = 4
"""The greatest weight of flaws that is good enough: that of two pairs of cheaters."""

GRAVE = 5
"""The weight of a grave flaw, where a cheater weighs 1: a single one is reason enough to draw a new pattern."""

_MOST_WORDS = (0.25, 0.73)
"""Words per cell, and words per row or column: 78 at 15x15, 140 at 21x21."""

_WORDS_OF_LATTICE = (0.06, 0.55)
"""The same for a British grid: about 30 at 15x15."""

_LONGEST_OF_ARROWS = 9
_PAIRS_OF_ARROWS = 5
"""One word in this many of an arrowword may have two letters."""
_WORDS_OF_BARS = (0.25, 0.0)
"""The same for a barred grid: about 36 at 12x12."""

MOST_CHECKED = 0.68
"""The share of checked cells that barred grids seldom exceed, because such grids are hard to fill."""

LEAST_AVERAGE = 5.5
"""The usual least average length of the words in a barred grid."""


def count_most_unchecked(length: int) -> int:
    """Return the most unchecked cells in a slot of a barred grid: 1 of 4 or 5, 2 of 6 or 7, 3 of 8 or 9.

    The rule follows Ximenes, "On the Art of the Crossword" (1966), as the British weeklies apply it.
    """
    return max(0, length // 2 - 1)


def count_spare_words(words: int) -> int:
    """Return the tolerated deviation from the usual number of words in a barred grid: 2 of 36."""
    return max(2, words // 15)


def weigh_flaws(demands: Demands, blocks: Cells, to_come: int = 0) -> int:
    """Return the total weight of the flaws of a pattern.

    `to_come` is the number of blocks still to be added: each adds at least one word, or is a flaw itself.
    """
    board, style = demands.board, demands.style
    if not style.connected:
        return 0
    found = GRAVE * (count_misfits(demands, blocks) + find_squares(board, blocks).bit_count())
    if style.clue_cells:
        adjacent = sum((blocks & blocks >> step).bit_count() for step in board.steps)
        pairs = sum(find_runs(board.full & ~blocks, step, 2).bit_count() for step in board.steps)
        found += max(0, pairs - count_slots(demands, blocks) // _PAIRS_OF_ARROWS)
        return found + adjacent + find_uncrossed(board, blocks).bit_count() + find_long(board, blocks).bit_count()
    if not (style.checked or style.lattice):
        return found
    excess = count_slots(demands, blocks) + to_come - estimate_words(demands)
    if style.checked:
        return found + find_cheaters(board, blocks).bit_count() + GRAVE * max(0, excess)
    threes, poor = count_short_slots(board, blocks)
    return found + abs(excess) + threes + 2 * poor + find_inner(board, find_inner(board, blocks)).bit_count()


def find_cheaters(board: Board, blocks: Cells) -> Cells:
    """Return the blocks that split no word: each has a block or the edge on one side, both across and down."""
    open_ = board.full & ~blocks
    across, down = board.steps
    return blocks & ~(open_ << across & open_ >> across) & ~(open_ << down & open_ >> down)


def find_squares(board: Board, blocks: Cells) -> Cells:
    """Return the upper left cells of squares of two by two blocks."""
    across, down = board.steps
    pairs = blocks & blocks >> across
    return pairs & pairs >> down


def find_inner(board: Board, cells: Cells) -> Cells:
    """Return those of `cells` that have two or more neighbours in `cells`."""
    across, down = board.steps
    left, right, above, below = cells << across, cells >> across, cells << down, cells >> down
    return cells & (left & right | above & below | (left | right) & (above | below))


def find_long(board: Board, blocks: Cells) -> Cells:
    """Return the cells from which a slot continues for longer than is usual in arrowwords."""
    found, open_ = 0, board.full & ~blocks
    for step in board.steps:
        run = open_
        for steps in range(1, _LONGEST_OF_ARROWS + 1):
            run &= open_ >> steps * step
        found |= run
    return found


def count_short_slots(board: Board, blocks: Cells) -> tuple[int, int]:
    """Return the number of slots of three cells, and the number of those with only one checked cell."""
    open_ = board.full & ~blocks
    checked = board.checked(open_)
    threes = poor = 0
    for step in board.steps:
        starts = find_runs(open_, step, 3)
        middle, end = checked >> step, checked >> 2 * step
        threes += starts.bit_count()
        poor += (starts & ~(checked & middle | middle & end | checked & end)).bit_count()
    return threes, poor


def estimate_words(demands: Demands) -> int:
    """Return the usual maximum for an American grid, the usual number for a British one; `max_words` caps both."""
    usual = count_usual_words(demands.style, demands.height, demands.width)
    return min(usual, demands.max_words or usual)


def count_usual_words(style: Style, height: int, width: int) -> int:
    """Return the usual maximum of words for an American grid, the usual number for a British or barred one."""
    per_cell, per_line = _WORDS_OF_LATTICE if style.lattice else _WORDS_OF_BARS if style.barred else _MOST_WORDS
    return int(per_cell * height * width + per_line * (height + width))
