"""Blocks that hold clues, as in arrowwords: their frame, and blocks that would hold none.

The first row and the first column alternate clue cells and letters, from a clue cell in the corner. So every slot has a
clue cell: the block before it, or where it begins at the edge the block beside its first letter, whose arrow bends. No
block has to hold more than two clues; which clue goes where is for `cpfill.puzzle.clues.clue_cells` to say.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.questions.generate.board import Board, Cells


@lru_cache(maxsize=8)
def make_frame(board: Board) -> tuple[Cells, Cells]:
    """Return the cells of the first row and column that are blocks, and those that are open."""
    edges = board.lines[0], board.lines[board.height]
    open_ = sum(1 << cell for edge in edges for cell in edge[1::2])
    return sum(1 << cell for cell in {cell for edge in edges for cell in edge[::2]}), open_


def find_idle(board: Board, blocks: Cells) -> Cells:
    """Return the blocks that hold no clue: beside them begins no slot of two cells or more that could have it there."""
    open_, useful = board.full & ~blocks, 0
    for step, other in (board.steps, board.steps[::-1]):
        starts = open_ & ~(open_ << step) & open_ >> step
        useful |= starts >> step | (starts & board.edges[step]) >> other
    return blocks & ~useful


def list_beginnings(board: Board, block: int) -> Iterator[tuple[int, int]]:
    """Yield the first two cells of each slot that could have its clue in a block, if it begins there."""
    at = 1 << block
    for step, other in (board.steps, board.steps[::-1]):
        for first in (at << step, at << other & board.edges[step]):
            second = first << step
            if first & board.full and second & board.full:
                yield first.bit_length() - 1, second.bit_length() - 1


def find_uncrossed(board: Board, blocks: Cells) -> Cells:
    """Return the letters below the first row and beside the first column that are in one slot alone."""
    open_ = board.full & ~blocks
    return open_ & ~board.checked(open_) & ~board.edges[1] & ~board.edges[board.stride]
