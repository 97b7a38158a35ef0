"""Patterns drawn at random: blocks grow around the entries of a theme, with as few flaws as possible.

Growth adds blocks wherever the rules still hold. It meets most demands in milliseconds, long before a solver would be
loaded. It is incomplete: the model finds the patterns that growth does not.

More blocks than usual, no two adjacent, come by simulated annealing: denser than other growth, faster than the model. A
step adds blocks at random and removes the blocks beside them; if the open cells would fall apart, it also removes a
block that touches them at a corner. A step that loses blocks is accepted with a probability that falls with the loss.
"""

from __future__ import annotations

import math
from itertools import islice, repeat
from typing import TYPE_CHECKING

from cpfill.design.board import BlockPattern, list_bits, make_frame
from cpfill.design.demands import TOLERATED, count_misfits, count_slots, estimate_words, obeys, weigh_flaws
from cpfill.design.layouts import Layout, Theme

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from cpfill.design.board import Board, Cells
    from cpfill.design.demands import Demands
    from cpfill.problem.result import Deadline

FAILURES = 20
"""The consecutive failures after which growth gives up. If it succeeds at all, it seldom fails five times."""

DRAWS = 6
"""The most patterns drawn to find a good pattern."""

STEPS_A_CELL = 3000
"""The steps per cell of the grid after which annealing gives up, once and for all."""

TEMPERATURE = 0.12
"""Tried at 15x15: 0.1, 0.15, 0.22, 0.35 and 0.6; the lower ones lead to 72 or 73 blocks, the higher ones to 67 to
70."""

THEMED_DRAWS = 2
"""The same for one layout of seed words, and its consecutive failures: the next layout is cheap and as promising."""

BARREN_LAYOUTS = 60
"""The consecutive layouts without a new pattern after which the model takes over."""

CHOICES = 6
"""The orbits compared for the next blocks; the one in the longest slots is taken."""

SPREAD = 2
"""The tolerated deviation from the usual number of words in a lattice."""


def grow_patterns(
    demands: Demands, blocks: tuple[int, int], chance: Random, deadline: Deadline
) -> Iterator[BlockPattern]:
    """Yield different patterns that meet the demands, until growth fails too often or time is over.

    `blocks` is the least and the greatest number of blocks. Each pattern has a new layout of the seed words.
    """
    seen: set[Cells] = set()
    start = Layout((), *demands.fixed)
    if start.blocks & start.open:
        return
    draws = THEMED_DRAWS if demands.seed_words else DRAWS
    barren = 0
    for layout in _draw_layouts(demands, chance) if demands.seed_words else repeat(start):
        drawn = list(islice(_draw_patterns(demands, blocks, chance, deadline, seen=seen, layout=layout), draws))
        if drawn:
            _, best = min(drawn)
            seen.add(best)
            barren = 0
            yield BlockPattern(best, layout.placed)
            continue
        barren += 1
        if not demands.seed_words or barren == BARREN_LAYOUTS or deadline.passed:
            return


def _draw_layouts(demands: Demands, chance: Random) -> Iterator[Layout]:
    """Yield layouts of the seed words, with liberties only if all others fail, until no layout is found."""
    theme = Theme(demands)
    while True:
        layout = theme.draw(chance) or theme.draw(chance, free=True)
        if layout is None:
            return
        yield layout


def _draw_patterns(
    demands: Demands, blocks: tuple[int, int], chance: Random, deadline: Deadline, *, seen: set[Cells], layout: Layout
) -> Iterator[tuple[int, Cells]]:
    """Yield (weight of flaws, pattern) for unseen patterns that meet the demands; stop at a good pattern."""
    failed = 0
    dense = _is_dense(demands, blocks)
    failures = FAILURES
    if dense:
        failures = 1
    elif layout.placed:
        failures = THEMED_DRAWS
    while failed < failures and not deadline.passed:
        if dense:
            pattern = _anneal(demands, blocks, chance, deadline)
        else:
            pattern = grow_pattern(demands, blocks, chance, deadline, layout=layout)
        if pattern in seen or not _meets(demands, blocks, pattern):
            failed += 1
            continue
        weight = weigh_flaws(demands, pattern)
        yield weight, pattern
        if weight <= TOLERATED:
            return


def _meets(demands: Demands, blocks: tuple[int, int], pattern: Cells) -> bool:
    few = demands.max_words is None or count_slots(demands, pattern) <= demands.max_words
    within = few and blocks[0] <= pattern.bit_count() <= blocks[1]
    return within and not count_misfits(demands, pattern) and obeys(demands, pattern)


def grow_pattern(
    demands: Demands,
    bounds: tuple[int, int],
    chance: Random,
    deadline: Deadline,
    *,
    layout: Layout | None = None,
) -> Cells:
    """Return a pattern with a random number of blocks, including those of a lattice; fewer without room or time.

    It grows from the blocks of a layout or draft, and keeps the open cells of that.
    """
    layout = layout or Layout((), *demands.fixed)
    orbits = [orbit for orbit in demands.board.orbits(demands.style.symmetry) if not orbit & layout.open]
    blocks = layout.blocks
    target = chance.randint(*bounds)
    if demands.style.lattice:
        lattice = chance.choice(demands.board.lattices)
        blocks |= _cover(orbits, lattice)
        more = estimate_words(demands) - count_slots(demands, blocks) + chance.randint(-SPREAD, SPREAD)
        target = min(max(bounds[0], blocks.bit_count() + more), bounds[1])
    if demands.style.clue_cells:
        frame, letters = make_frame(demands.board)
        blocks |= _cover(orbits, frame)
        orbits = [orbit for orbit in orbits if not orbit & letters]
    chance.shuffle(orbits)
    return _add_orbits(demands, blocks, target, orbits, chance, deadline=deadline)


def _add_orbits(
    demands: Demands, blocks: Cells, target: int, orbits: list[Cells], chance: Random, *, deadline: Deadline
) -> Cells:
    """Return blocks with more orbits, up to a target, as long as there are room and time."""
    while not deadline.passed:
        room = target - blocks.bit_count()
        orbits = [orbit for orbit in orbits if not orbit & blocks and orbit.bit_count() <= room]
        chosen = _choose_orbit(demands, blocks, room, orbits, chance)
        if not chosen:
            break
        blocks |= chosen
    return blocks


def _cover(orbits: Iterable[Cells], cells: Cells) -> Cells:
    """Return all cells of the orbits that have one of some cells."""
    return sum(orbit for orbit in orbits if orbit & cells)


def _choose_orbit(demands: Demands, blocks: Cells, room: int, orbits: list[Cells], chance: Random) -> Cells:
    """Return the next orbit of blocks: the first that the rules allow, or a good one if cells must be connected."""
    if demands.style.connected:
        chance.shuffle(orbits)
        return _find_best_orbit(demands, blocks, room, orbits)
    return next((orbit for orbit in orbits if obeys(demands, blocks | orbit)), 0)


def _find_best_orbit(demands: Demands, blocks: Cells, room: int, orbits: list[Cells]) -> Cells:
    """Return the orbit in the longest slots, of the first that add no flaw or else of all that the rules allow.

    Without such an orbit, return 0.
    """

    def weigh(orbit: Cells) -> int:
        grown = blocks | orbit
        return weigh_flaws(demands, grown, room - orbit.bit_count())

    now = weigh(0)
    sound = (orbit for orbit in orbits if weigh(orbit) <= now and obeys(demands, blocks | orbit))
    allowed = list(islice(sound, CHOICES))
    if not allowed:
        allowed = [orbit for orbit in orbits if obeys(demands, blocks | orbit)]
    return min(allowed, key=lambda orbit: (weigh(orbit), -_measure_room(demands.board, blocks, orbit)), default=0)


def _measure_room(board: Board, blocks: Cells, orbit: Cells) -> int:
    """Return the total length of the two runs of open cells through the first cell of an orbit."""
    first = (orbit & -orbit).bit_length() - 1
    length = 0
    open_ = board.full & ~blocks
    for step in board.steps:
        for way in (step, -step):
            cell = first
            while cell >= 0 and open_ >> cell & 1:
                cell += way
                length += 1
    return length


def _is_dense(demands: Demands, blocks: tuple[int, int]) -> bool:
    """Return whether more blocks than usual are to stand apart, so that annealing finds them soonest."""
    style = demands.style
    cells = demands.height * demands.width
    dense = style.usual[1] * cells < blocks[0] <= count_most_apart(demands.height, demands.width)
    return style.apart and style.connected and dense and not demands.seed_words


def count_most_apart(height: int, width: int) -> int:
    """Return an upper bound on blocks that are neither adjacent nor in a corner, if the open cells are connected.

    A connected set of n cells has at least n - 1 adjacencies. A block removes one cell and as many adjacencies as it
    has neighbours: 4, or 3 at the edge, where at most every other cell is a block.
    """
    spare = 2 * height * width - height - width - height * width + 1
    at_edge = 2 * ((height - 1) // 2 + (width - 1) // 2)
    if spare <= 2 * at_edge:
        return spare // 2
    return at_edge + (spare - 2 * at_edge) // 3


def _anneal(demands: Demands, bounds: tuple[int, int], chance: Random, deadline: Deadline) -> Cells:
    """Return a pattern, or 0 if none was found."""
    board = demands.board
    kept, open_ = demands.fixed
    blocks = kept
    orbits = board.orbits(demands.style.symmetry)
    free = [each for each in orbits if not each & (board.around(each) | board.corners | open_ | kept)]
    if not free:
        return 0
    for _ in range(STEPS_A_CELL * board.height * board.width):
        if deadline.passed:
            return 0
        orbit = chance.choice(free)
        if orbit & blocks:
            continue
        grown = _take_step(demands, blocks, orbit, chance)
        if grown is None:
            continue
        blocks = grown
        if _meets(demands, bounds, blocks):
            return blocks
    return 0


def _take_step(demands: Demands, blocks: Cells, orbit: Cells, chance: Random) -> Cells | None:
    """Return blocks with an orbit added and those beside it removed; `None` if that loses more than chance accepts."""
    board = demands.board
    kept, _ = demands.fixed
    room = -TEMPERATURE * math.log(1 - chance.random())  # the greatest loss accepted
    lost = board.close(blocks & board.around(orbit), demands.style.symmetry)
    cost = lost.bit_count() - orbit.bit_count()
    if cost > room or lost & kept:
        return None
    grown = blocks & ~lost | orbit
    if board.is_connected(board.full & ~grown):
        return grown
    touching = list(list_bits(_touch(board, orbit) & grown & ~orbit & ~kept))
    if not touching:
        return None
    lost = board.close(1 << chance.choice(touching), demands.style.symmetry)
    grown &= ~lost
    if cost + lost.bit_count() > room or not board.is_connected(board.full & ~grown):
        return None
    return grown


def _touch(board: Board, cells: Cells) -> Cells:
    """Return the cells that touch any of `cells` at a corner."""
    across, down = board.steps
    beside = cells << across | cells >> across
    return (beside << down | beside >> down) & board.full
