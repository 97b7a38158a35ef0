"""Patterns by growth: block after block at random wherever the rules still hold.

Most demands that people make are met in milliseconds by it, long before a solver would be loaded. It is incomplete:
what it does not find is left to the model.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from cpfill.engines.base import Deadline
    from cpfill.generate.board import Board, Cells
    from cpfill.generate.demands import Demands, Style

TRIES = 20
"""How often in a row growth may fail before it is given up. Where it succeeds at all it seldom fails five times."""


CHOICES = 6
"""How many places for the next block are compared; the one in the longest slots gets it."""


def grown(demands: Demands, blocks: tuple[int, int], chance: Random, deadline: Deadline) -> Iterator[Cells]:
    """Yield the blocks of patterns that meet the demands, no two alike, until growth fails too often or time is over.

    `blocks` is the least and the greatest number of them. Seed words are left out of account.
    """
    seen: set[Cells] = set()
    failed = 0
    while failed < TRIES and not deadline.passed:
        pattern = grow(demands, chance.randint(*blocks), chance, deadline)
        few = demands.max_words is None or slot_count(demands, pattern) <= demands.max_words
        enough = blocks[0] <= pattern.bit_count() <= blocks[1]
        if enough and few and pattern not in seen and obeys(demands, pattern):
            failed = 0
            seen.add(pattern)
            yield pattern
        else:
            failed += 1


def grow(demands: Demands, target: int, chance: Random, deadline: Deadline) -> Cells:
    """Return a pattern with up to `target` blocks, a lattice's included, as there is room and time for."""
    board = demands.board
    orbits = board.orbits(demands.style.symmetry)
    blocks = 0
    if demands.style.lattice:
        lattice = chance.choice(board.lattices)
        blocks = sum(orbit for orbit in orbits if orbit & lattice)
    offered = CHOICES if demands.style.connected else 1
    while not deadline.passed:
        chance.shuffle(orbits)
        room = target - blocks.bit_count()
        fitting = (o for o in orbits if not o & blocks and o.bit_count() <= room and obeys(demands, blocks | o))
        allowed = list(islice(fitting, offered))
        if not allowed:
            break
        blocks |= max(allowed, key=lambda orbit: _room(board, blocks, orbit))
    return blocks


def _room(board: Board, blocks: Cells, orbit: Cells) -> int:
    """Return the lengths of the two runs of open cells through the first cell of an orbit, added up."""
    first, length = (orbit & -orbit).bit_length() - 1, 0
    open_ = board.full & ~blocks
    for step in board.steps:
        for way in (step, -step):
            cell = first
            while cell >= 0 and open_ >> cell & 1:
                cell += way
                length += 1
    return length


def obeys(demands: Demands, blocks: Cells) -> bool:
    """Return whether blocks that have the style's symmetry obey its other rules."""
    board, style = demands.board, demands.style
    open_ = board.full & ~blocks
    if any(_runs(open_, step, length) for step in board.steps for length in style.forbidden_runs):
        return False
    if style.apart and (blocks & board.around(blocks) or blocks & board.corners):
        return False
    if style.lattice and not _is_lattice(board, blocks):
        return False
    return not style.connected or _hangs_together(board, style, open_)


def slot_count(demands: Demands, blocks: Cells) -> int:
    """Return the number of slots."""
    open_ = demands.board.full & ~blocks
    starts = [(open_ & ~(open_ << step), step) for step in demands.board.steps]
    if demands.style.min_slot_length == 1:
        return sum(at.bit_count() for at, _ in starts)
    return sum((at & open_ >> step).bit_count() for at, step in starts)


def _runs(open_: Cells, step: int, length: int) -> Cells:
    """Return the first cells of the runs of exactly that length in one direction."""
    runs = open_ & ~(open_ << step) & ~(open_ >> length * step)
    for place in range(1, length):
        runs &= open_ >> place * step
    return runs


def _hangs_together(board: Board, style: Style, open_: Cells) -> bool:
    lonely = style.min_slot_length > 1 and open_ & ~board.around(open_)
    return open_ != 0 and not lonely and board.component(open_) == open_


def _is_lattice(board: Board, blocks: Cells) -> bool:
    """Return whether the blocks hold a lattice, and the slots have enough checked cells."""
    open_ = board.full & ~blocks
    unchecked = open_ & ~board.checked(open_)
    if any(unchecked & unchecked >> step & unchecked >> 2 * step for step in board.steps):
        return False
    return any(not lattice & ~blocks for lattice in board.lattices) and not any(too_few_checked(board, open_))


def too_few_checked(board: Board, open_: Cells) -> Iterator[range]:
    """Yield the slots of a lattice that have fewer checked cells than half of theirs, rounded down."""
    checked = board.digits(board.checked(open_))
    for slot in board.runs(open_):
        if checked[slot.start : slot.stop : slot.step].count("1") < len(slot) // 2:
            yield slot
