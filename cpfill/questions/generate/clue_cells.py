"""Blocks that hold clues, as in arrowwords: their frame, and blocks that would hold none.

The first row and the first column alternate clue cells and letters, from a clue cell in the corner. So every slot has a
clue cell: the block before it or, if it begins at the edge, the block beside its first letter, with a bent arrow. No
block needs to hold more than two clues; `cpfill.puzzle.clues.clue_cells` assigns the clues.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.questions.generate.board import Board, Cells


@lru_cache(maxsize=8)
def make_frame(board: Board) -> tuple[Cells, Cells]:
    """Return the blocks and the open cells of the first row and column."""
    edges = board.lines[0], board.lines[board.height]
    open_ = sum(1 << cell for edge in edges for cell in edge[1::2])
    return sum(1 << cell for cell in {cell for edge in edges for cell in edge[::2]}), open_


def find_idle(board: Board, blocks: Cells) -> Cells:
    """Return the blocks that hold no clue: no slot of two or more cells whose clue they could hold begins there."""
    open_, useful = board.full & ~blocks, 0
    for step, other in (board.steps, board.steps[::-1]):
        starts = open_ & ~(open_ << step) & open_ >> step
        useful |= starts >> step | (starts & board.edges[step]) >> other
    return blocks & ~useful


def list_beginnings(board: Board, block: int) -> Iterator[tuple[int, int]]:
    """Yield the first two cells of each possible slot whose clue a block could hold."""
    at = 1 << block
    for step, other in (board.steps, board.steps[::-1]):
        for first in (at << step, at << other & board.edges[step]):
            second = first << step
            if first & board.full and second & board.full:
                yield first.bit_length() - 1, second.bit_length() - 1


def find_uncrossed(board: Board, blocks: Cells) -> Cells:
    """Return the letters outside the first row and column that are in only one slot."""
    open_ = board.full & ~blocks
    return open_ & ~board.checked(open_) & ~board.edges[1] & ~board.edges[board.stride]
