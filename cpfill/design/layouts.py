"""Layouts of the entries of a theme, drawn at random as constructors place them; entries that do not pair up.

The layouts follow the customs of constructors. Entries are across, at least two rows apart. Under half-turn symmetry,
two entries of one length stand in rows that mirror each other, and a single entry of odd length in the middle of the
middle row. No slot of three letters is beside an entry. The rest of an entry's row is only blocks, or a block and a run
long enough for a separate slot. If an entry has no partner, an ordinary word takes the slot half a turn away. If the
lengths do not pair up, no such layout is good: then the layout takes liberties, and `list_liberties` names them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.design.board import Symmetry, find_runs, find_squares, make_frame
from cpfill.design.demands import obeys
from cpfill.puzzle.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from cpfill.design.board import Cells
    from cpfill.design.demands import Demands
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
        self._demands = demands
        self._board = demands.board
        self._turned = demands.style.symmetry is Symmetry.ROTATE
        self._frame: tuple[Cells, Cells] = (0, 0)
        if demands.style.clue_cells:
            blocks, open_ = make_frame(self._board)
            self._frame = self._close(blocks), self._close(open_)
        self._positions: dict[tuple[int, int], list[Position]] = {}

    def draw(self, chance: Random, *, free: bool = False) -> Layout | None:
        """Return a layout that obeys the rules of the style, with liberties if `free`; `None` if none was found."""
        for _ in range(LAYOUT_TRIES):
            layout = self._draw_groups(chance, free=free)
            if layout:
                return layout
        return None

    def _draw_groups(self, chance: Random, *, free: bool) -> Layout | None:
        """Return a layout of the groups in random order, if all of them can be placed."""
        groups = self._group(chance)
        middle = self._choose_middle(groups, chance, free=free)
        if middle:
            groups.remove(middle)
            groups.insert(0, middle)
        layout = Layout()
        for group in groups:
            positions = self._list(group, free)
            if group is middle:
                positions = _keep_centred(positions)
            more = self._add(layout, group, positions, chance, free=free)
            if more is None:
                return None
            layout = more
        return layout

    def _choose_middle(
        self, groups: Sequence[tuple[str, ...]], chance: Random, *, free: bool
    ) -> tuple[str, ...] | None:
        """Return the longest of the single entries that may stand in the middle of the middle row, or mostly."""
        alone = [group for group in groups if len(group) == 1]
        centred = [group for group in alone if _keep_centred(self._list(group, free))]
        if centred and chance.random() < CENTRED:
            return max(centred, key=lambda group: len(group[0]))
        return None

    def move(self, layout: Layout, chance: Random, *, free: bool = False) -> Layout | None:
        """Return the layout with one entry or pair moved; `None` if no new position was found for it."""
        for _ in range(LAYOUT_TRIES // POSITION_TRIES):
            moved = chance.randrange(len(layout.groups))
            rest = self._combine([*layout.groups[:moved], *layout.groups[moved + 1 :]], free=free)
            group, _ = layout.groups[moved]
            if chance.random() < 0.5:
                group = group[::-1]
            found = rest and self._add(rest, group, self._list(group, free), chance, free=free)
            if found:
                return found
        return None

    def _add(
        self, layout: Layout, group: tuple[str, ...], positions: Sequence[Position], chance: Random, *, free: bool
    ) -> Layout | None:
        """Return the layout with one more group at a random position: of two drawn, the one with fewer blocks."""
        if not positions:
            return None
        for _ in range(POSITION_TRIES):
            position = min(chance.choices(positions, k=2), key=lambda one: one.blocks.bit_count())
            if found := self._combine([*layout.groups, (group, position)], free=free):
                return found
        return None

    def _combine(self, groups: Sequence[tuple[tuple[str, ...], Position]], *, free: bool) -> Layout | None:
        """Return the layout of some groups at their positions; `None` if these conflict."""
        blocks, open_ = self._frame
        placed: list[tuple[str, range]] = []
        for group, at in groups:
            blocks |= at.blocks
            open_ |= at.open
            placed += zip(group, at.runs, strict=True)
        if blocks & open_ or not _agree(placed):
            return None
        runs = [run for _, run in placed]
        close = sum(self._are_close(one, other) for one, other in combinations(runs, 2))
        if close and not free:
            return None
        whole = self._complete(blocks, open_)
        if whole is None:
            return None
        liberties = close + sum(at.liberties for _, at in groups)
        return Layout(tuple(placed), whole, open_, liberties, tuple(groups))

    def _complete(self, blocks: Cells, open_: Cells) -> Cells | None:
        """Return blocks plus those that fill short runs; `None` if the pattern would break a rule."""
        if blocks & open_:
            return None
        whole = fill_short_runs(self._demands, blocks, open_)
        if whole is None or find_squares(self._board, whole) or not obeys(self._demands, whole):
            return None
        return whole

    def _are_close(self, one: range, other: range) -> bool:
        """Return whether two entries stand in the same line or in adjacent lines."""
        if one.step != other.step:
            return False
        return abs(self._find_line(one) - self._find_line(other)) < 2

    def _find_line(self, run: range) -> int:
        """Return the row of an entry across, or the column of an entry down."""
        return run.start // self._board.stride if run.step == 1 else run.start % run.step

    def _group(self, chance: Random) -> list[tuple[str, ...]]:
        """Return pairs of words of equal length, and the words without a partner, in random order."""
        words = chance.sample(self._demands.seed_words, len(self._demands.seed_words))
        by_length: dict[int, list[str]] = defaultdict(list)
        for word in words:
            by_length[len(word)].append(word)
        size = 2 if self._turned else 1
        groups: list[tuple[str, ...]] = []
        for alike in by_length.values():
            for first in range(0, len(alike), size):
                groups.append(tuple(alike[first : first + size]))  # noqa: PERF401
        return chance.sample(groups, len(groups))

    def _list(self, group: tuple[str, ...], free: bool) -> list[Position]:
        key = len(group[0]), len(group)
        if key not in self._positions:
            self._positions[key] = list(self._find_positions(*key))
        return [one for one in self._positions[key] if free or not one.liberties]

    def _find_positions(self, length: int, words: int) -> Iterator[Position]:
        """Yield the positions of one entry, or of two that mirror each other."""
        board = self._board
        last = max(board.lines[board.height - 1])
        for number, line in enumerate(board.lines):
            for start in range(len(line) - length + 1):
                run = line[start : start + length]
                image = range(last - run[-1], last - run[0] + 1, run.step)
                if words > 1 and (run.start > image.start or set(run) & set(image)):
                    continue  # the same pair from its other end, or a pair that overlaps itself
                position = self._judge_position(number, line, start, (run, image)[:words])
                if position is not None:
                    yield position

    def _judge_position(self, number: int, line: range, start: int, runs: tuple[range, ...]) -> Position | None:
        """Return the position of an entry from a cell of a line on, and of its image; `None` if it breaks a rule."""
        demands, board = self._demands, self._board
        length = len(runs[0])
        stop = start + length
        rest = len(line) - stop
        before = line[:start] if start <= WIDEST_MARGIN else line[start - 1 : start]
        after = line[stop:] if rest <= WIDEST_MARGIN else line[stop : stop + 1]
        blocks = self._frame[0] | self._close(sum(1 << cell for cell in (*before, *after)))
        open_ = self._frame[1] | self._close(sum(1 << cell for cell in runs[0]))
        whole = self._complete(blocks, open_)
        if whole is None:
            return None
        across = line.step == 1
        lines = board.height if across else board.width
        row = number if across else number - board.height
        shortest = demands.style.min_slot_length
        # A long entry at the edge forces lines just as long beside it.
        near = 2 * length > len(line) and not shortest <= row < lines - shortest
        orphan = ORPHAN + 1 in {start, rest}
        middle = self._turned and 2 * row == lines - 1 and start == rest
        liberties = sum((not across, orphan, near))
        return Position(runs, whole, open_, liberties, centred=middle and across)

    def _close(self, cells: Cells) -> Cells:
        return self._board.close(cells, self._demands.style.symmetry)


def _keep_centred(positions: Sequence[Position]) -> list[Position]:
    return [position for position in positions if position.centred]


def _agree(placed: Iterable[tuple[str, range]]) -> bool:
    """Return whether entries have the same letters where they cross."""
    letters: dict[int, str] = {}
    for word, run in placed:
        for cell, letter in zip(run, word, strict=True):
            if letters.setdefault(cell, letter) != letter:
                return False
    return True


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
    unpaired = []
    for length, words in by_length.items():
        if len(words) % 2:
            others = demands.count_words(length, {}) - len(words)
            unpaired.append(OddLength(tuple(words), others, _find_own_images(demands, length)))
    return unpaired


def _find_own_images(demands: Demands, length: int) -> frozenset[int]:
    """Return the numbers of the lines in which an entry of a length can be its own image."""
    found: set[int] = set()
    for number, line in enumerate(demands.board.lines):
        for first in range(len(line) - length + 1):
            cells = sum(1 << cell for cell in line[first : first + length])
            if demands.board.close(cells, demands.style.symmetry) == cells:
                found.add(number)
    return frozenset(found)


def may_pair(unpaired: Sequence[OddLength]) -> bool:
    """Return whether each entry may have a partner, or be its own image in a line without another entry."""
    alone = [each for each in unpaired if not each.others]
    lines = frozenset[int]().union(*(each.lines for each in alone))
    return all(each.lines for each in alone) and len(alone) <= len(lines)


def describe_unpaired(unpaired: Sequence[OddLength]) -> str:
    """Return in a sentence which entries do not pair up, if few other words can mirror them; or else nothing."""
    if may_pair(unpaired):
        return _describe_rare(unpaired)
    alone = [_name(each) for each in unpaired if not each.others]
    return say(
        "no grid with this symmetry holds {words}: another word of the same length must mirror each, and the"
        " lists allow no such word",
        words=_join(alone),
    )


def _describe_rare(unpaired: Sequence[OddLength]) -> str:
    """Return in a sentence which entries few other words can mirror; or else nothing."""
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
    at = _find_seed_words(demands, grid)
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


def _find_seed_words(demands: Demands, grid: Grid) -> dict[str, Slot]:
    """Return the slot of each seed word; of several the last across, or the first if all are down."""
    at: dict[str, Slot] = {}
    for slot in grid.slots:
        word = grid.given_word(slot)
        if word in demands.seed_words and (word not in at or slot.direction is Direction.ACROSS):
            at[word] = slot
    return at


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
