"""What printed grids of a style seldom have, though no rule forbids it. Of several patterns the least flawed is taken.

A cheater is a block that can go without the number of words changing: neither across nor down has it an open cell on
both sides. Newspapers that print American grids take few of them, no squares of blocks, and 78 words at most at 15x15,
140 at 21x21. British grids have about 30 words at 15x15, few of them of 3 letters, and no large clumps of blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.generate.rules import misfits, runs_of, slot_count

if TYPE_CHECKING:
    from cpfill.generate.board import Board, Cells
    from cpfill.generate.demands import Demands

TOLERATED = 4
"""So many flaws are no reason to draw another pattern: cheaters of which there are two pairs."""

GRAVE = 5
"""What weighs as much as so many cheaters: a flaw that alone is reason enough."""

_MOST_WORDS = (0.25, 0.73)
_WORDS_OF_LATTICE = (0.06, 0.55)
"""Words for each cell and for each line, so that there are 78 at 15x15 and 140 at 21x21, or about 30 at 15x15."""


def flaws(demands: Demands, blocks: Cells, to_come: int = 0) -> int:
    """Return the weight of what is wrong with a pattern.

    `to_come` is how many blocks are still to be added: each makes a word at least, or else is a flaw itself.
    """
    board, style = demands.board, demands.style
    if not style.connected:
        return 0
    found = GRAVE * (misfits(demands, blocks) + squares(board, blocks).bit_count())
    if not (style.checked or style.lattice):
        return found
    excess = slot_count(demands, blocks) + to_come - usual_words(demands)
    if style.checked:
        return found + cheaters(board, blocks).bit_count() + GRAVE * max(0, excess)
    threes, poor = short_slots(board, blocks)
    return found + abs(excess) + threes + 2 * poor + inner(board, inner(board, blocks)).bit_count()


def cheaters(board: Board, blocks: Cells) -> Cells:
    """Return the blocks that part no line: each has a block or the edge on a side, both across and down."""
    open_ = board.full & ~blocks
    across, down = board.steps
    return blocks & ~(open_ << across & open_ >> across) & ~(open_ << down & open_ >> down)


def squares(board: Board, blocks: Cells) -> Cells:
    """Return the upper left cells of squares of two by two blocks."""
    across, down = board.steps
    pairs = blocks & blocks >> across
    return pairs & pairs >> down


def inner(board: Board, cells: Cells) -> Cells:
    """Return those of some cells that have two neighbours or more among them."""
    across, down = board.steps
    left, right, above, below = cells << across, cells >> across, cells << down, cells >> down
    return cells & (left & right | above & below | (left | right) & (above | below))


def short_slots(board: Board, blocks: Cells) -> tuple[int, int]:
    """Return how many slots have three cells, and how many of these have but one that is checked."""
    open_ = board.full & ~blocks
    checked = board.checked(open_)
    threes = poor = 0
    for step in board.steps:
        starts = runs_of(open_, step, 3)
        middle, end = checked >> step, checked >> 2 * step
        threes += starts.bit_count()
        poor += (starts & ~(checked & middle | middle & end | checked & end)).bit_count()
    return threes, poor


def usual_words(demands: Demands) -> int:
    """Return how many words an American grid has at most, or a British one about, and no more than are asked for."""
    per_cell, per_line = _WORDS_OF_LATTICE if demands.style.lattice else _MOST_WORDS
    usual = int(per_cell * demands.height * demands.width + per_line * (demands.height + demands.width))
    return min(usual, demands.max_words or usual)
