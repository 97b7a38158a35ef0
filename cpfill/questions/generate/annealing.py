"""Patterns of many blocks, no two adjacent, by simulated annealing: denser than growth, faster than the model.

A step adds blocks at random and removes the blocks beside them; if the open cells would fall apart, it also removes a
block that touches them at a corner. A step that loses blocks is accepted with a probability that falls with the loss.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cpfill.questions.generate.board import BlockPattern, list_bits
from cpfill.questions.generate.rules import count_misfits, count_slots, obeys

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from cpfill.problem.result import Deadline
    from cpfill.questions.generate.board import Board, Cells
    from cpfill.questions.generate.demands import Demands

STEPS_A_CELL = 3000
"""The steps per cell of the grid after which annealing gives up."""

TEMPERATURE = 0.12
"""Tried at 15x15: 0.1, 0.15, 0.22, 0.35 and 0.6; the lower ones lead to 72 or 73 blocks, the higher ones to 67 to
70."""


def anneal_patterns(
    demands: Demands, blocks: tuple[int, int], chance: Random, deadline: Deadline
) -> Iterator[BlockPattern]:
    """Yield different patterns with more blocks than usual that meet the demands, until one fails or recurs.

    `blocks` is the least and the greatest number of blocks.
    """
    style, cells = demands.style, demands.height * demands.width
    dense = style.usual[1] * cells < blocks[0] <= count_most_apart(demands.height, demands.width)
    if not (style.apart and style.connected and dense) or demands.seed_words:
        return
    seen: set[Cells] = set()
    while (pattern := _anneal(demands, blocks, chance, deadline)) and pattern not in seen:
        seen.add(pattern)
        yield BlockPattern(pattern)


def count_most_apart(height: int, width: int) -> int:
    """Return an upper bound on blocks that are neither adjacent nor in a corner, if the open cells are connected.

    A connected set of n cells has at least n - 1 adjacencies. A block removes one cell and as many adjacencies as it
    has neighbours: 4, or 3 at the edge, where at most every other cell is a block.
    """
    spare = 2 * height * width - height - width - height * width + 1
    at_edge = 2 * ((height - 1) // 2 + (width - 1) // 2)
    return spare // 2 if spare <= 2 * at_edge else at_edge + (spare - 2 * at_edge) // 3


def _anneal(demands: Demands, bounds: tuple[int, int], chance: Random, deadline: Deadline) -> Cells:
    """Return a pattern, or 0 if none was found."""
    board, (blocks, open_) = demands.board, demands.fixed
    kept = blocks
    orbits = board.map_orbits(demands.style.symmetry)
    free = [each for each in set(orbits.values()) if not each & (board.around(each) | board.corners | open_ | kept)]
    free.sort()
    for _ in range(STEPS_A_CELL * board.height * board.width if free and not kept & open_ else 0):
        if deadline.passed:
            return 0
        orbit = chance.choice(free)
        if orbit & blocks:
            continue
        room = -TEMPERATURE * math.log(1 - chance.random())  # the greatest loss accepted
        lost = _join_orbits(orbits, blocks & board.around(orbit))
        cost = lost.bit_count() - orbit.bit_count()
        if cost > room or lost & kept:
            continue
        grown = blocks & ~lost | orbit
        if not _is_connected(board, grown):
            touching = list(list_bits(_touch(board, orbit) & grown & ~orbit & ~kept))
            lost = orbits[chance.choice(touching)] if touching else 0
            grown &= ~lost
            if not lost or cost + lost.bit_count() > room or not _is_connected(board, grown):
                continue
        blocks = grown
        if bounds[0] <= blocks.bit_count() <= bounds[1] and _meets(demands, blocks):
            return blocks
    return 0


def _join_orbits(orbits: dict[int, Cells], cells: Cells) -> Cells:
    joined = 0
    for cell in list_bits(cells):
        joined |= orbits[cell]
    return joined


def _touch(board: Board, cells: Cells) -> Cells:
    """Return the cells that touch any of `cells` at a corner."""
    across, down = board.steps
    beside = cells << across | cells >> across
    return (beside << down | beside >> down) & board.full


def _is_connected(board: Board, blocks: Cells) -> bool:
    open_ = board.full & ~blocks
    return board.component(open_) == open_


def _meets(demands: Demands, blocks: Cells) -> bool:
    few = demands.max_words is None or count_slots(demands, blocks) <= demands.max_words
    return few and not count_misfits(demands, blocks) and obeys(demands, blocks)
