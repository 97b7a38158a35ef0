"""The placement of theme entries.

The layouts follow the customs of constructors. Entries are across, at least two rows apart. Under half-turn symmetry,
two entries of one length stand in rows that mirror each other, and a single entry of odd length in the middle of the
middle row. No slot of three letters is beside an entry. The rest of an entry's row is only blocks, or a block and a run
long enough for a separate slot. If an entry has no partner, an ordinary word takes the slot half a turn away. If the
lengths do not pair up, no such layout is good: then the layout takes liberties, and `list_liberties` says which.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.puzzle.grid import Direction
from cpfill.questions.generate.board import Symmetry, list_bits
from cpfill.questions.generate.clue_cells import make_frame
from cpfill.questions.generate.flaws import find_squares
from cpfill.questions.generate.rules import find_runs, obeys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

    from cpfill.problem.rules import Rules
    from cpfill.puzzle.grid import Grid, Slot
    from cpfill.questions.generate.board import Cells
    from cpfill.questions.generate.demands import Demands

DRAWS = 200
"""The most layouts drawn, or moves of an entry tried, to find a layout that obeys the rules."""

STEPS = 20
"""The positions drawn for an entry when others are placed already."""

FEW = 5000
"""If fewer words of one length can mirror an entry, cpfill warns of it: a grid may then take minutes."""

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
class Unpaired:
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
        self._images = self._board.map_orbits(demands.style.symmetry)
        self._turned = demands.style.symmetry is Symmetry.ROTATE
        blocks, open_ = make_frame(self._board) if demands.style.clue_cells else (0, 0)
        self._frame = self._close(list_bits(blocks)), self._close(list_bits(open_))
        self._positions: dict[tuple[int, int], list[Position]] = {}

    def draw(self, chance: Random, *, free: bool = False) -> Layout | None:
        """Return a layout that obeys the rules of the style, with liberties if `free`; `None` if none was found."""
        for _ in range(DRAWS):
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
        for _ in range(DRAWS // STEPS):
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
        for _ in range(STEPS if positions else 0):
            position = min(chance.choices(positions, k=2), key=lambda one: one.blocks.bit_count())
            if found := self._combine([*layout.groups, (group, position)], free=free):
                return found
        return None

    def _combine(self, groups: Sequence[tuple[tuple[str, ...], Position]], *, free: bool = True) -> Layout | None:
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
                blocks = self._frame[0] | self._close([*before, *after])
                open_ = self._frame[1] | self._close(run)
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

    def _close(self, cells: Iterable[int]) -> Cells:
        """Return some cells with all their images under the symmetry."""
        closed = 0
        for cell in cells:
            closed |= self._images[cell]
        return closed


def fill_short_runs(demands: Demands, blocks: Cells, open_: Cells) -> Cells | None:
    """Return blocks plus those that fill runs too short for a slot; `None` if that would fill a cell of `open_`."""
    board, images = demands.board, demands.board.map_orbits(demands.style.symmetry)
    while True:
        short = 0
        for step in board.steps:
            for length in demands.style.forbidden_runs:
                starts = find_runs(board.full & ~blocks, step, length)
                short |= sum(starts << number * step for number in range(length))
        if not short:
            return blocks
        for cell in list_bits(short):
            blocks |= images[cell]
        if blocks & open_:
            return None


def list_unpaired(demands: Demands, rules: Rules) -> list[Unpaired]:
    """Return the seed words that do not pair up by length, if words are known and may not repeat.

    Under any symmetry the images of a slot are as long as the slot, and those other than the slot itself are an odd
    number: one, or under quarter turns three.
    """
    if demands.count_words is None or rules.repeats or demands.style.symmetry is Symmetry.NONE:
        return []
    by_length: dict[int, list[str]] = defaultdict(list)
    for word in demands.seed_words:
        by_length[len(word)].append(word)
    images = demands.board.map_orbits(demands.style.symmetry)
    return [
        Unpaired(
            tuple(words),
            demands.count_words(length, {}) - len(words),
            frozenset(
                number
                for number, line in enumerate(demands.board.lines)
                for first in range(len(line) - length + 1)
                if _is_closed(line[first : first + length], images)
            ),
        )
        for length, words in by_length.items()
        if len(words) % 2
    ]


def _is_closed(run: range, images: Mapping[int, Cells]) -> bool:
    """Return whether each image of a cell of a run is a cell of the run."""
    cells = sum(1 << cell for cell in run)
    return all(not images[cell] & ~cells for cell in run)


def may_pair(unpaired: Sequence[Unpaired]) -> bool:
    """Return whether each entry may have a partner, or be its own image in a line that no other takes."""
    alone = [each for each in unpaired if not each.others]
    return all(each.lines for each in alone) and len(alone) <= len({line for each in alone for line in each.lines})


def describe_unpaired(unpaired: Sequence[Unpaired]) -> str:
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


def _name(unpaired: Unpaired) -> str:
    return "/".join(f"{word} ({len(word)})" for word in unpaired.entries)


def list_liberties(demands: Demands, grid: Grid) -> list[str]:
    """Return sentences that say where the seed words in a grid break the customs of constructors."""
    height, width = demands.height, demands.width
    at: dict[str, Slot] = {}
    for slot in grid.slots:
        word = grid.given_word(slot)
        if word in demands.seed_words and (word not in at or slot.direction is Direction.ACROSS):
            at[word] = slot
    lines = {word: _find_line(slot, width) for word, slot in at.items()}
    said = []
    if demands.style.symmetry is Symmetry.ROTATE:
        given = {slot.cells for slot in at.values()}
        turned = {word: tuple(height * width - 1 - cell for cell in slot.cells[::-1]) for word, slot in at.items()}
        alone = [f"{word} ({len(word)})" for word, cells in turned.items() if cells not in given]
        said += [say("no entry of its length mirrors {alone}", alone=_join(alone))] if alone else []
    for one, other in combinations(at, 2):
        if at[one].direction is at[other].direction and abs(lines[one] - lines[other]) < 2:  # two rows apart
            said.append(f"{one} and {other} are close together")
    for word, slot in at.items():
        step, line = slot.cells[1] - slot.cells[0], lines[word]
        ends = slot.cells[0] - 2 * step, slot.cells[-1] + 2 * step
        beside = [one for one in grid.slots if one.direction is slot.direction and {*ends} & {*one.cells}]
        if any(one.length == ORPHAN and _find_line(one, width) == line for one in beside):
            said.append(f"{word} has a slot of three letters beside it")
    down = [word for word, slot in at.items() if slot.direction is Direction.DOWN]
    return said + (
        [say("{down} {what} placed down", down=_join(down), what=say("is") if len(down) == 1 else say("are"))]
        if down
        else []
    )


def _find_line(slot: Slot, width: int) -> int:
    """Return the row of a slot across, or the column of a slot down."""
    return divmod(slot.cells[0], width)[slot.direction is Direction.DOWN]


def _join(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
