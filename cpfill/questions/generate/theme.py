"""The placement of theme entries.

The layouts follow the customs of constructors. Entries are across, at least two rows apart. Under half-turn symmetry,
two entries of one length stand in rows that mirror each other, and a single entry of odd length in the middle of the
middle row. No slot of three letters is beside an entry. The rest of an entry's row is only blocks, or a block and a run
long enough for a separate slot. If an entry has no partner, an ordinary word takes the slot half a turn away. If the
lengths do not pair up, no such layout is good: then the layout takes liberties, and `list_liberties` says which.

Flaws: features that no rule forbids but printed grids of a style seldom have. The least flawed pattern wins.

A cheater is a block whose removal does not change the number of words: neither across nor down does it have open cells
on both sides. American grids in newspapers have few cheaters, no squares of blocks, and at most 78 words at 15x15, or
140 at 21x21. British grids have about 30 words at 15x15, few of them of 3 letters, and no large clumps of blocks.
Barred grids have about 36 words at 12x12, of 5.5 letters or more on average, and at most two thirds of their cells
checked. In an arrowword few clue cells are adjacent, few letters are in only one word, and few words have two letters
or more than nine.

Checks whether a complete pattern obeys the rules of its style.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.puzzle.grid import Direction
from cpfill.questions.generate.board import Symmetry, find_idle, find_uncrossed, make_frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from cpfill.problem.rules import Rules
    from cpfill.puzzle.grid import Grid, Slot
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


TOLERATED = 4
"""The greatest weight of flaws that is good enough: that of two pairs of cheaters."""

GRAVE = 5
"""The weight of a grave flaw, where a cheater weighs 1: a single one is reason enough to draw a new pattern."""

_MOST_WORDS = (0.25, 0.73)
"""Words per cell, and words per row or column: 78 at 15x15, 140 at 21x21."""

_WORDS_OF_LATTICE = (0.06, 0.55)
"""The same for a British grid: about 30 at 15x15."""

_LONGEST_OF_ARROWS = 9
_PAIRS_OF_ARROWS = 5
"""One word in this many of an arrowword may have two letters."""
_WORDS_OF_BARS = (0.25, 0.0)
"""The same for a barred grid: about 36 at 12x12."""

MOST_CHECKED = 0.68
"""The share of checked cells that barred grids seldom exceed, because such grids are hard to fill."""

LEAST_AVERAGE = 5.5
"""The usual least average length of the words in a barred grid."""


def count_most_unchecked(length: int) -> int:
    """Return the most unchecked cells in a slot of a barred grid: 1 of 4 or 5, 2 of 6 or 7, 3 of 8 or 9.

    The rule follows Ximenes, "On the Art of the Crossword" (1966), as the British weeklies apply it.
    """
    return max(0, length // 2 - 1)


def count_spare_words(words: int) -> int:
    """Return the tolerated deviation from the usual number of words in a barred grid: 2 of 36."""
    return max(2, words // 15)


def weigh_flaws(demands: Demands, blocks: Cells, to_come: int = 0) -> int:
    """Return the total weight of the flaws of a pattern.

    `to_come` is the number of blocks still to be added: each adds at least one word, or is a flaw itself.
    """
    board, style = demands.board, demands.style
    if not style.connected:
        return 0
    found = GRAVE * (count_misfits(demands, blocks) + find_squares(board, blocks).bit_count())
    if style.clue_cells:
        adjacent = sum((blocks & blocks >> step).bit_count() for step in board.steps)
        pairs = sum(find_runs(board.full & ~blocks, step, 2).bit_count() for step in board.steps)
        found += max(0, pairs - count_slots(demands, blocks) // _PAIRS_OF_ARROWS)
        return found + adjacent + find_uncrossed(board, blocks).bit_count() + find_long(board, blocks).bit_count()
    if not (style.checked or style.lattice):
        return found
    excess = count_slots(demands, blocks) + to_come - estimate_words(demands)
    if style.checked:
        return found + find_cheaters(board, blocks).bit_count() + GRAVE * max(0, excess)
    threes, poor = count_short_slots(board, blocks)
    return found + abs(excess) + threes + 2 * poor + find_inner(board, find_inner(board, blocks)).bit_count()


def find_cheaters(board: Board, blocks: Cells) -> Cells:
    """Return the blocks that split no word: each has a block or the edge on one side, both across and down."""
    open_ = board.full & ~blocks
    across, down = board.steps
    return blocks & ~(open_ << across & open_ >> across) & ~(open_ << down & open_ >> down)


def find_squares(board: Board, blocks: Cells) -> Cells:
    """Return the upper left cells of squares of two by two blocks."""
    across, down = board.steps
    pairs = blocks & blocks >> across
    return pairs & pairs >> down


def find_inner(board: Board, cells: Cells) -> Cells:
    """Return those of `cells` that have two or more neighbours in `cells`."""
    across, down = board.steps
    left, right, above, below = cells << across, cells >> across, cells << down, cells >> down
    return cells & (left & right | above & below | (left | right) & (above | below))


def find_long(board: Board, blocks: Cells) -> Cells:
    """Return the cells from which a slot continues for longer than is usual in arrowwords."""
    found, open_ = 0, board.full & ~blocks
    for step in board.steps:
        run = open_
        for steps in range(1, _LONGEST_OF_ARROWS + 1):
            run &= open_ >> steps * step
        found |= run
    return found


def count_short_slots(board: Board, blocks: Cells) -> tuple[int, int]:
    """Return the number of slots of three cells, and the number of those with only one checked cell."""
    open_ = board.full & ~blocks
    checked = board.checked(open_)
    threes = poor = 0
    for step in board.steps:
        starts = find_runs(open_, step, 3)
        middle, end = checked >> step, checked >> 2 * step
        threes += starts.bit_count()
        poor += (starts & ~(checked & middle | middle & end | checked & end)).bit_count()
    return threes, poor


def estimate_words(demands: Demands) -> int:
    """Return the usual maximum for an American grid, the usual number for a British one; `max_words` caps both."""
    usual = count_usual_words(demands.style, demands.height, demands.width)
    return min(usual, demands.max_words or usual)


def count_usual_words(style: Style, height: int, width: int) -> int:
    """Return the usual maximum of words for an American grid, the usual number for a British or barred one."""
    per_cell, per_line = _WORDS_OF_LATTICE if style.lattice else _WORDS_OF_BARS if style.barred else _MOST_WORDS
    return int(per_cell * height * width + per_line * (height + width))


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
        self._turned = demands.style.symmetry is Symmetry.ROTATE
        blocks, open_ = make_frame(self._board) if demands.style.clue_cells else (0, 0)
        self._frame = self._close(blocks), self._close(open_)
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
            said.append(say("{one} and {other} are close together", one=one, other=other))
    for word, slot in at.items():
        step, line = slot.cells[1] - slot.cells[0], lines[word]
        ends = slot.cells[0] - 2 * step, slot.cells[-1] + 2 * step
        beside = [one for one in grid.slots if one.direction is slot.direction and {*ends} & {*one.cells}]
        if any(one.length == ORPHAN and _find_line(one, width) == line for one in beside):
            said.append(say("{word} has a slot of three letters beside it", word=word))
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
    return say(" and ").join(filter(None, [", ".join(words[:-1]), words[-1]]))
