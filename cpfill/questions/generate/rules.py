"""Checks whether a complete pattern obeys the rules of its style."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.questions.generate.clue_cells import find_idle, make_frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.questions.generate.board import Board, Cells
    from cpfill.questions.generate.demands import Demands, Style


def obeys(demands: Demands, blocks: Cells) -> bool:
    """Return whether there is a slot, and blocks with the style's symmetry obey its other rules."""
    board, style = demands.board, demands.style
    open_ = board.full & ~blocks
    if not count_slots(demands, blocks):
        return False
    if any(find_runs(open_, step, length) for step in board.steps for length in style.forbidden_runs):
        return False
    if style.apart and (blocks & board.around(blocks) or blocks & board.corners):
        return False
    if style.lattice and not _is_lattice(board, blocks):
        return False
    if style.clue_cells and not _has_clue_cells(board, blocks):
        return False
    return not style.connected or _is_connected(board, style, open_)


def count_slots(demands: Demands, blocks: Cells) -> int:
    """Return the number of slots."""
    open_ = demands.board.full & ~blocks
    starts = [(open_ & ~(open_ << step), step) for step in demands.board.steps]
    if demands.style.min_slot_length == 1:
        return sum(at.bit_count() for at, _ in starts)
    return sum((at & open_ >> step).bit_count() for at, step in starts)


def count_misfits(demands: Demands, blocks: Cells) -> int:
    """Return the number of slots with a forbidden length; a slot that is too long counts once per excess cell."""
    if demands.lengths is None:
        return 0
    board = demands.board
    open_ = board.full & ~blocks
    found = sum(find_runs(open_, step, length).bit_count() for step in board.steps for length in demands.lacking)
    for step in board.steps:
        too_long = open_
        for steps in range(1, demands.longest + 1):
            too_long &= open_ >> steps * step
        found += too_long.bit_count()
    return found


def find_runs(open_: Cells, step: int, length: int) -> Cells:
    """Return the first cells of the runs of exactly `length` cells in one direction."""
    runs = open_ & ~(open_ << step) & ~(open_ >> length * step)
    for steps in range(1, length):
        runs &= open_ >> steps * step
    return runs


def _is_connected(board: Board, style: Style, open_: Cells) -> bool:
    lonely = style.min_slot_length > 1 and open_ & ~board.around(open_)
    return not lonely and board.component(open_) == open_


def _has_clue_cells(board: Board, blocks: Cells) -> bool:
    """Return whether the blocks contain the frame of clue cells, and each block holds a clue."""
    held, open_ = make_frame(board)
    return blocks & (held | open_) == held and not find_idle(board, blocks)


def _is_lattice(board: Board, blocks: Cells) -> bool:
    """Return whether the blocks contain a lattice, and the slots have enough checked cells."""
    open_ = board.full & ~blocks
    unchecked = open_ & ~board.checked(open_)
    if any(unchecked & unchecked >> step & unchecked >> 2 * step for step in board.steps):
        return False
    return any(not lattice & ~blocks for lattice in board.lattices) and not any(find_unchecked_slots(board, open_))


def find_unchecked_slots(board: Board, open_: Cells) -> Iterator[range]:
    """Yield the slots of a lattice with fewer checked cells than half of their cells, rounded down."""
    checked = board.digits(board.checked(open_))
    for slot in board.runs(open_):
        if checked[slot.start : slot.stop : slot.step].count("1") < len(slot) // 2:
            yield slot
