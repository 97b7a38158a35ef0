"""Patterns drawn at random: entries of a theme are placed, and blocks grow around them, with as few flaws as possible.

The layouts of a theme follow the customs of constructors. Entries are across, at least two rows apart. Under half-turn
symmetry, two entries of one length stand in rows that mirror each other, and a single entry of odd length in the middle
of the middle row. No slot of three letters is beside an entry. The rest of an entry's row is only blocks, or a block
and a run long enough for a separate slot. If an entry has no partner, an ordinary word takes the slot half a turn away.
If the lengths do not pair up, no such layout is good: then the layout takes liberties, and `list_liberties` says which.

Growth adds blocks wherever the rules still hold. It meets most demands in milliseconds, long before a solver would be
loaded. It is incomplete: the model finds the patterns that growth does not.

More blocks than usual, no two adjacent, come by simulated annealing: denser than other growth, faster than the model. A
step adds blocks at random and removes the blocks beside them; if the open cells would fall apart, it also removes a
block that touches them at a corner. A step that loses blocks is accepted with a probability that falls with the loss.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.design.board import BlockPattern, Symmetry, find_runs, find_squares, list_bits, make_frame
from cpfill.design.demands import TOLERATED, count_misfits, count_slots, estimate_words, obeys, weigh_flaws
from cpfill.puzzle.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from cpfill.design.board import Board, Cells
    from cpfill.design.demands import Demands
    from cpfill.problem.result import Deadline
    from cpfill.problem.rules import Rules
    from cpfill.puzzle.grid import Grid, Slot

LAYOUT_TRIES = 200
"""The most layouts drawn, or moves of an entry tried, to find a layout that obeys the rules."""

POSITION_TRIES = 20
"""The positions drawn for an entry when others are placed already."""

FEW = 5000
"""If fewer words than this can mirror an entry, cpfill warns that a grid may take minutes."""

CENTRED = 0.8
"""The probability that a suitable entry stands in the middle of the middle row."""

WIDEST_MARGIN = 3
"""The widest margin beside an entry that may consist only of blocks."""

ORPHAN = 3
"""The length of a slot to avoid beside an entry."""


@dataclass(frozen=True, slots=True)
class Position:
    """A possible place of one entry or a pair.

    Attributes:
        runs: the bit numbers of the cells of each entry.
        blocks: the cells that must then be blocks, under the symmetry.
        open: the cells that must then be open, under the symmetry.
        liberties: the number of customs of constructors that it breaks.
        centred: whether it is in the middle of the middle row.
    """

    runs: tuple[range, ...]
    blocks: Cells
    open: Cells
    liberties: int = 0
    centred: bool = False


@dataclass(frozen=True, slots=True)
class OddLength:
    """The entries of one length, an odd number of them, so that the symmetry leaves one without a partner.

    Attributes:
        entries: the entries.
        others: the number of other words of the length that may stand in the grid: one of them may be the partner.
        lines: the numbers of the lines of the board in which an entry of the length can be its own image.
    """

    entries: tuple[str, ...]
    others: int
    lines: frozenset[int]


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of all entries, and the blocks and open cells that they require under the symmetry.

    Attributes:
        placed: the entries with the bit numbers of their cells.
        blocks: the cells that are blocks.
        open: the cells that are open.
        liberties: the number of customs of constructors that it breaks.
        groups: the single entries and pairs, each with its position.
    """

    placed: tuple[tuple[str, range], ...] = ()
    blocks: Cells = 0
    open: Cells = 0
    liberties: int = 0
    groups: tuple[tuple[tuple[str, ...], Position], ...] = ()


class Theme:
    """Random layouts of the seed words of some demands."""

    def __init__(self, demands: Demands) -> None:
        self._demands, self._board = demands, demands.board
        self._turned = demands.style.symmetry is Symmetry.ROTATE
        blocks, open_ = make_frame(self._board) if demands.style.clue_cells else (0, 0)
        self._frame = self._close(blocks), self._close(open_)
        self._positions: dict[tuple[int, int], list[Position]] = {}

    def draw(self, chance: Random, *, free: bool = False) -> Layout | None:
        """Return a layout that obeys the rules of the style, with liberties if `free`; `None` if none was found."""
        for _ in range(LAYOUT_TRIES):
            layout: Layout | None = Layout()
            groups = self._group(chance)
            centred = [group for group in groups if len(group) == 1 and any(p.centred for p in self._list(group, free))]
            middle = max(centred, key=lambda group: len(group[0])) if centred and chance.random() < CENTRED else None
            for group in sorted(groups, key=lambda group: group is not middle):
                positions = [p for p in self._list(group, free) if p.centred] if group is middle else ()
                layout = layout and self._add(layout, group, positions or self._list(group, free), chance, free=free)
            if layout:
                return layout
        return None

    def move(self, layout: Layout, chance: Random, *, free: bool = False) -> Layout | None:
        """Return the layout with one entry or pair moved; `None` if no new position was found for it."""
        for _ in range(LAYOUT_TRIES // POSITION_TRIES):
            moved = chance.randrange(len(layout.groups))
            rest = self._combine([one for number, one in enumerate(layout.groups) if number != moved], free=free)
            group = layout.groups[moved][0]
            group = group[::-1] if chance.random() < 0.5 else group
            found = rest and self._add(rest, group, self._list(group, free), chance, free=free)
            if found:
                return found
        return None

    def _add(
        self, layout: Layout, group: tuple[str, ...], positions: Sequence[Position], chance: Random, *, free: bool
    ) -> Layout | None:
        """Return the layout with one more group at a random position: of two drawn, the one with fewer blocks."""
        for _ in range(POSITION_TRIES if positions else 0):
            position = min(chance.choices(positions, k=2), key=lambda one: one.blocks.bit_count())
            if found := self._combine([*layout.groups, (group, position)], free=free):
                return found
        return None

    def _combine(self, groups: Sequence[tuple[tuple[str, ...], Position]], *, free: bool) -> Layout | None:
        """Return the layout of some groups at their positions; `None` if these conflict."""
        blocks, open_ = self._frame
        letters: dict[int, str] = {}
        placed = [(word, run) for group, at in groups for word, run in zip(group, at.runs, strict=True)]
        for _, at in groups:
            blocks, open_ = blocks | at.blocks, open_ | at.open
        if blocks & open_:
            return None
        for word, run in placed:
            if any(letters.setdefault(cell, letter) != letter for cell, letter in zip(run, word, strict=True)):
                return None
        close = sum(self._are_close(one, other) for (_, one), (_, other) in combinations(placed, 2))
        if close and not free:
            return None
        whole = fill_short_runs(self._demands, blocks, open_)
        if whole is None or find_squares(self._board, whole) or not obeys(self._demands, whole):
            return None
        liberties = close + sum(at.liberties for _, at in groups)
        return Layout(tuple(placed), whole, open_, liberties, tuple(groups))

    def _are_close(self, one: range, other: range) -> bool:
        """Return whether two entries stand in the same line or in adjacent lines."""
        lines = [run.start // self._board.stride if run.step == 1 else run.start % run.step for run in (one, other)]
        return one.step == other.step and abs(lines[0] - lines[1]) < 2  # two rows apart

    def _group(self, chance: Random) -> list[tuple[str, ...]]:
        """Return pairs of words of equal length, and the words without a partner, in random order."""
        words = chance.sample(self._demands.seed_words, len(self._demands.seed_words))
        by_length: dict[int, list[str]] = defaultdict(list)
        for word in words:
            by_length[len(word)].append(word)
        groups = [
            tuple(alike[first : first + (2 if self._turned else 1)])
            for alike in by_length.values()
            for first in range(0, len(alike), 2 if self._turned else 1)
        ]
        return chance.sample(groups, len(groups))

    def _list(self, group: tuple[str, ...], free: bool) -> list[Position]:
        key = len(group[0]), len(group)
        if key not in self._positions:
            self._positions[key] = list(self._find_positions(*key))
        return [one for one in self._positions[key] if free or not one.liberties]

    def _find_positions(self, length: int, words: int) -> Iterator[Position]:
        """Yield the positions of one entry, or of two that mirror each other."""
        demands, board = self._demands, self._board
        last = max(board.lines[board.height - 1])
        for number, line in enumerate(board.lines):
            lines = board.height if line.step == 1 else board.width
            row = number if line.step == 1 else number - board.height
            for start in range(len(line) - length + 1):
                run, rest = line[start : start + length], len(line) - length - start
                runs = (run, range(last - run[-1], last - run[0] + 1, run.step))[:words]
                if words > 1 and (run.start > runs[1].start or set(run) & set(runs[1])):
                    continue  # the same pair from its other end, or a pair that overlaps itself
                before = line[:start] if start <= WIDEST_MARGIN else line[start - 1 : start]
                after = line[start + length : start + length + (rest if rest <= WIDEST_MARGIN else 1)]
                blocks = self._frame[0] | self._close(sum(1 << cell for cell in (*before, *after)))
                open_ = self._frame[1] | self._close(sum(1 << cell for cell in run))
                whole = None if blocks & open_ else fill_short_runs(demands, blocks, open_)
                if whole is None or find_squares(board, whole) or not obeys(demands, whole):
                    continue
                shortest = demands.style.min_slot_length
                near = 2 * length > len(line) and not shortest <= row < lines - shortest
                orphan = ORPHAN + 1 in (start, rest)
                middle = self._turned and 2 * row == lines - 1 and start == rest
                # A long entry at the edge forces lines just as long beside it.
                liberties = (run.step != 1) + orphan + near
                yield Position(runs, whole, open_, liberties, centred=middle and run.step == 1)

    def _close(self, cells: Cells) -> Cells:
        return self._board.close(cells, self._demands.style.symmetry)


def fill_short_runs(demands: Demands, blocks: Cells, open_: Cells) -> Cells | None:
    """Return blocks plus those that fill runs too short for a slot; `None` if that would fill a cell of `open_`."""
    board = demands.board
    while True:
        short = 0
        for step in board.steps:
            for length in demands.style.forbidden_runs:
                starts = find_runs(board.full & ~blocks, step, length)
                short |= sum(starts << number * step for number in range(length))
        if not short:
            return blocks
        blocks |= board.close(short, demands.style.symmetry)
        if blocks & open_:
            return None


def list_unpaired(demands: Demands, rules: Rules) -> list[OddLength]:
    """Return the seed words that do not pair up by length, if words are known and may not repeat.

    Under any symmetry, the images of a slot are as long as the slot. The number of images other than the slot itself
    is odd: one, or three under quarter turns.
    """
    if demands.count_words is None or rules.repeats or demands.style.symmetry is Symmetry.NONE:
        return []
    by_length: dict[int, list[str]] = defaultdict(list)
    for word in demands.seed_words:
        by_length[len(word)].append(word)
    return [
        OddLength(
            tuple(words),
            demands.count_words(length, {}) - len(words),
            frozenset(
                number
                for number, line in enumerate(demands.board.lines)
                for first in range(len(line) - length + 1)
                if _is_closed(demands, line[first : first + length])
            ),
        )
        for length, words in by_length.items()
        if len(words) % 2
    ]


def _is_closed(demands: Demands, run: range) -> bool:
    """Return whether each image of a cell of a run is a cell of the run."""
    cells = sum(1 << cell for cell in run)
    return demands.board.close(cells, demands.style.symmetry) == cells


def may_pair(unpaired: Sequence[OddLength]) -> bool:
    """Return whether each entry may have a partner, or be its own image in a line that no other takes."""
    alone = [each for each in unpaired if not each.others]
    return all(each.lines for each in alone) and len(alone) <= len({line for each in alone for line in each.lines})


def describe_unpaired(unpaired: Sequence[OddLength]) -> str:
    """Return in a sentence which entries do not pair up, if few other words can mirror them; or else nothing."""
    if not may_pair(unpaired):
        alone = [_name(each) for each in unpaired if not each.others]
        return say(
            "no grid with this symmetry holds {words}: another word of the same length must mirror each, and the"
            " lists allow no such word",
            words=_join(alone),
        )
    rare = [each for each in unpaired if each.others < FEW]
    if len(rare) < 2 and all(each.lines for each in rare):
        return ""  # it may stand in the middle
    counts = [say("{number:,} of {length} letters", number=one.others, length=len(one.entries[0])) for one in rare]
    return say(
        "under this symmetry lengths should pair up: {words} must be mirrored by other words, of which few are"
        " allowed ({counts})",
        words=_join([_name(each) for each in rare]),
        counts=", ".join(counts),
    )


def _name(unpaired: OddLength) -> str:
    return "/".join(f"{word} ({len(word)})" for word in unpaired.entries)


def list_liberties(demands: Demands, grid: Grid) -> list[str]:
    """Return sentences that say where the seed words in a grid break the customs of constructors."""
    at: dict[str, Slot] = {}
    for slot in grid.slots:
        word = grid.given_word(slot)
        if word in demands.seed_words and (word not in at or slot.direction is Direction.ACROSS):
            at[word] = slot
    said = []
    if demands.style.symmetry is Symmetry.ROTATE:
        alone = _find_unmirrored(at, demands.height * demands.width)
        if alone:
            said.append(say("no entry of its length mirrors {alone}", alone=_join(alone)))
    for one, other in combinations(at, 2):
        if _are_near(at[one], at[other], demands.width):
            said.append(say("{one} and {other} are close together", one=one, other=other))
    for word, slot in at.items():
        if _has_orphan(grid, slot):
            said.append(say("{word} has a slot of three letters beside it", word=word))
    down = [word for word, slot in at.items() if slot.direction is Direction.DOWN]
    if down:
        verb = say("is") if len(down) == 1 else say("are")
        said.append(say("{down} {what} placed down", down=_join(down), what=verb))
    return said


def _find_unmirrored(at: dict[str, Slot], cells: int) -> list[str]:
    """Return the words, each with its length, that no word mirrors under half-turn symmetry."""
    given = {slot.cells for slot in at.values()}
    alone = []
    for word, slot in at.items():
        turned = tuple(cells - 1 - cell for cell in slot.cells[::-1])
        if turned not in given:
            alone.append(f"{word} ({len(word)})")
    return alone


def _are_near(one: Slot, other: Slot, width: int) -> bool:
    """Return whether two slots stand in the same line or in adjacent lines."""
    return one.direction is other.direction and abs(_find_line(one, width) - _find_line(other, width)) < 2


def _has_orphan(grid: Grid, slot: Slot) -> bool:
    """Return whether a slot of three letters stands in the line of a slot, a block away."""
    step = slot.cells[1] - slot.cells[0]
    ends = {slot.cells[0] - 2 * step, slot.cells[-1] + 2 * step}
    line = _find_line(slot, grid.width)
    alike = [other for other in grid.slots if other.direction is slot.direction and other.length == ORPHAN]
    beside = [other for other in alike if not ends.isdisjoint(other.cells)]
    return any(_find_line(other, grid.width) == line for other in beside)


def _find_line(slot: Slot, width: int) -> int:
    """Return the row of a slot across, or the column of a slot down."""
    return divmod(slot.cells[0], width)[slot.direction is Direction.DOWN]


def _join(words: Sequence[str]) -> str:
    return say(" and ").join(filter(None, [", ".join(words[:-1]), words[-1]]))


FAILURES = 20
"""The consecutive failures after which growth gives up. If it succeeds at all, it seldom fails five times."""

DRAWS = 6
"""The most patterns drawn to find one that is good enough."""

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
    theme = Theme(demands)
    seen: set[Cells] = set()
    start = Layout((), *demands.fixed)
    if start.blocks & start.open:
        return
    draws = THEMED_DRAWS if demands.seed_words else DRAWS
    barren = 0
    while layout := (theme.draw(chance) or theme.draw(chance, free=True)) if demands.seed_words else start:
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


def _draw_patterns(
    demands: Demands, blocks: tuple[int, int], chance: Random, deadline: Deadline, *, seen: set[Cells], layout: Layout
) -> Iterator[tuple[int, Cells]]:
    """Yield (weight of flaws, pattern) for unseen patterns that meet the demands; stop at one that is good enough."""
    failed, dense = 0, _is_dense(demands, blocks)
    failures = 1 if dense else THEMED_DRAWS if layout.placed else FAILURES
    while failed < failures and not deadline.passed:
        pattern = (
            _anneal(demands, blocks, chance, deadline)
            if dense
            else grow_pattern(demands, blocks, chance, deadline, layout=layout)
        )
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
    board = demands.board
    orbits = [orbit for orbit in board.orbits(demands.style.symmetry) if not orbit & layout.open]
    blocks, target = layout.blocks, chance.randint(*bounds)
    if demands.style.lattice:
        lattice = chance.choice(board.lattices)
        blocks |= sum(orbit for orbit in orbits if orbit & lattice)
        more = estimate_words(demands) - count_slots(demands, blocks) + chance.randint(-SPREAD, SPREAD)
        target = min(max(bounds[0], blocks.bit_count() + more), bounds[1])
    if demands.style.clue_cells:
        frame, letters = make_frame(board)
        blocks |= sum(orbit for orbit in orbits if orbit & frame)
        orbits = [orbit for orbit in orbits if not orbit & letters]
    chance.shuffle(orbits)
    while not deadline.passed:
        room = target - blocks.bit_count()
        orbits = [orbit for orbit in orbits if not orbit & blocks and orbit.bit_count() <= room]
        if demands.style.connected:
            chance.shuffle(orbits)
            chosen = _choose_orbit(demands, blocks, room, orbits)
        else:
            chosen = next((orbit for orbit in orbits if obeys(demands, blocks | orbit)), 0)
        if not chosen:
            break
        blocks |= chosen
    return blocks


def _choose_orbit(demands: Demands, blocks: Cells, room: int, orbits: list[Cells]) -> Cells:
    """Return the best of the first orbits that add no flaw, or else of all that may be added.

    The best is the one in the longest slots. Without an orbit to add, return 0.
    """

    def weigh(orbit: Cells) -> int:
        grown = blocks | orbit
        return weigh_flaws(demands, grown, room - orbit.bit_count())

    now = weigh(0)
    sound = (orbit for orbit in orbits if weigh(orbit) <= now and obeys(demands, blocks | orbit))
    allowed = list(islice(sound, CHOICES)) or [orbit for orbit in orbits if obeys(demands, blocks | orbit)]
    return min(allowed, key=lambda orbit: (weigh(orbit), -_measure_room(demands.board, blocks, orbit)), default=0)


def _measure_room(board: Board, blocks: Cells, orbit: Cells) -> int:
    """Return the total length of the two runs of open cells through the first cell of an orbit."""
    first, length = (orbit & -orbit).bit_length() - 1, 0
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
    style, cells = demands.style, demands.height * demands.width
    dense = style.usual[1] * cells < blocks[0] <= count_most_apart(demands.height, demands.width)
    return style.apart and style.connected and dense and not demands.seed_words


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
    board, symmetry, (kept, open_) = demands.board, demands.style.symmetry, demands.fixed
    blocks = kept
    orbits = board.orbits(symmetry)
    free = [each for each in orbits if not each & (board.around(each) | board.corners | open_ | kept)]
    for _ in range(STEPS_A_CELL * board.height * board.width if free else 0):
        if deadline.passed:
            return 0
        orbit = chance.choice(free)
        if orbit & blocks:
            continue
        room = -TEMPERATURE * math.log(1 - chance.random())  # the greatest loss accepted
        lost = board.close(blocks & board.around(orbit), symmetry)
        cost = lost.bit_count() - orbit.bit_count()
        if cost > room or lost & kept:
            continue
        grown = blocks & ~lost | orbit
        if not board.is_connected(board.full & ~grown):
            touching = list(list_bits(_touch(board, orbit) & grown & ~orbit & ~kept))
            lost = board.close(1 << chance.choice(touching), symmetry) if touching else 0
            grown &= ~lost
            if not lost or cost + lost.bit_count() > room or not board.is_connected(board.full & ~grown):
                continue
        blocks = grown
        if _meets(demands, bounds, blocks):
            return blocks
    return 0


def _touch(board: Board, cells: Cells) -> Cells:
    """Return the cells that touch any of `cells` at a corner."""
    across, down = board.steps
    beside = cells << across | cells >> across
    return (beside << down | beside >> down) & board.full
