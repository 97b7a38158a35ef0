"""Patterns by growth: block after block at random wherever the rules still hold, with as few flaws as may be.

Most demands that people make are met in milliseconds by it, long before a solver would be loaded. It is incomplete:
what it does not find is left to the model.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from cpfill.generate.flaws import TOLERATED, flaws, usual_words
from cpfill.generate.rules import misfits, obeys, slot_count

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from cpfill.generate.board import Board, Cells
    from cpfill.generate.demands import Demands
    from cpfill.limits import Deadline

TRIES = 20
"""How often in a row growth may fail before it is given up. Where it succeeds at all it seldom fails five times."""

DRAWS = 6
"""How many patterns are drawn at most to find one that is not too flawed."""

CHOICES = 6
"""How many places for the next block are compared; the one in the longest slots gets it."""

SPREAD = 2
"""By how many the words of a lattice may differ from what is usual."""


def grown(demands: Demands, blocks: tuple[int, int], chance: Random, deadline: Deadline) -> Iterator[Cells]:
    """Yield the blocks of patterns that meet the demands, no two alike, until growth fails too often or time is over.

    `blocks` is the least and the greatest number of them. Seed words are left out of account.
    """
    seen: set[Cells] = set()
    while drawn := list(islice(_drawn(demands, blocks, chance, deadline, seen), DRAWS)):
        _, best = min(drawn)
        seen.add(best)
        yield best


def _drawn(
    demands: Demands, blocks: tuple[int, int], chance: Random, deadline: Deadline, seen: set[Cells]
) -> Iterator[tuple[int, Cells]]:
    """Yield unseen patterns that meet the demands, after the weight of their flaws; one that is good enough is last."""
    failed = 0
    while failed < TRIES and not deadline.passed:
        pattern = grow(demands, blocks, chance, deadline)
        few = demands.max_words is None or slot_count(demands, pattern) <= demands.max_words
        met = few and blocks[0] <= pattern.bit_count() <= blocks[1] and not misfits(demands, pattern)
        if not met or pattern in seen or not obeys(demands, pattern):
            failed += 1
            continue
        weight = flaws(demands, pattern)
        yield weight, pattern
        if weight <= TOLERATED:
            return


def grow(demands: Demands, bounds: tuple[int, int], chance: Random, deadline: Deadline) -> Cells:
    """Return a pattern with so many blocks, a lattice's included, as there is room and time for."""
    board = demands.board
    orbits = board.orbits(demands.style.symmetry)
    blocks, target = 0, chance.randint(*bounds)
    if demands.style.lattice:
        lattice = chance.choice(board.lattices)
        blocks = sum(orbit for orbit in orbits if orbit & lattice)
        more = usual_words(demands) - slot_count(demands, blocks) + chance.randint(-SPREAD, SPREAD)
        target = min(max(bounds[0], blocks.bit_count() + more), bounds[1])
    chance.shuffle(orbits)
    while not deadline.passed:
        room = target - blocks.bit_count()
        orbits = [orbit for orbit in orbits if not orbit & blocks and orbit.bit_count() <= room]
        if demands.style.connected:
            chance.shuffle(orbits)
            chosen = _best(demands, blocks, room, orbits)
        else:
            chosen = next((orbit for orbit in orbits if obeys(demands, blocks | orbit)), 0)
        if not chosen:
            break
        blocks |= chosen
    return blocks


def _best(demands: Demands, blocks: Cells, room: int, orbits: list[Cells]) -> Cells:
    """Return the best of the first orbits that may be added without a further flaw, or else of all that may be added.

    The one in the longest slots is best; with no orbit to add, return 0.
    """

    def flawed(orbit: Cells) -> int:
        return flaws(demands, blocks | orbit, room - orbit.bit_count())

    now = flaws(demands, blocks, room)
    sound = (orbit for orbit in orbits if flawed(orbit) <= now and obeys(demands, blocks | orbit))
    allowed = list(islice(sound, CHOICES)) or [orbit for orbit in orbits if obeys(demands, blocks | orbit)]
    return min(allowed, key=lambda orbit: (flawed(orbit), -_room(demands.board, blocks, orbit)), default=0)


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
