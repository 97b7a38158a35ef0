"""The geometry of a grid: cells, slots, crossings, regions, also by name (`17-Across`, `R4C7`, `R1C9:R5C15`, `NE`)."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import defaultdict
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from itertools import pairwise, repeat
from typing import TYPE_CHECKING, Any, TypeVar

from cpfill.base.errors import SLOT_LENGTH, GridError, expected
from cpfill.base.texts import say, say_count

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.drawing import Diagram, Drawable

Item = TypeVar("Item")

CellId = int
"""A cell is its row-major index: row * width + column, both from 0."""

Bar = tuple[CellId, CellId]
"""A bar separates two neighbouring cells: the left and the right one, or the upper and the lower one."""

SlotId = int
"""A slot is its index in `Grid.slots`."""

Place = tuple[CellId, int]
"""The place of a letter of a word: its cell, and its index among the letters of that cell, from 0."""

BLOCK = 0
"""A block is a cell whose letter set is empty."""


class Direction(StrEnum):
    """The direction in which a slot reads."""

    ACROSS = "Across"
    DOWN = "Down"


RunStart = tuple[Direction, CellId]
"""A run of cells is identified by its direction and its first cell."""

_SIZE = re.compile(r"(\d{1,9})[xX×](\d{1,9})", re.ASCII)  # noqa: RUF001 - the sign as people write it


def parse_size(text: str) -> tuple[int, int] | None:
    """Return the rows and columns in a text such as `15x15`, or `None` if it is not a size."""
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    return int(match[1]), int(match[2])


def split_rows(cells: Sequence[Item], width: int) -> list[Sequence[Item]]:
    """Return the rows of a row-major sequence."""
    return [cells[start : start + width] for start in range(0, len(cells), width)]


@dataclass(frozen=True, slots=True)
class Slot:
    """A maximal run of open cells without a bar between them, at least the grid's `min_slot_length` long.

    Its word has one letter per place: one place in most cells, as many places as letters in a rebus cell.
    """

    id: SlotId
    direction: Direction
    cells: tuple[CellId, ...]
    number: int
    places: tuple[Place, ...]

    @property
    def name(self) -> str:
        """The name of the slot, such as `17-Across`."""
        return f"{self.number}-{self.direction}"

    @property
    def length(self) -> int:
        """The number of letters of its word."""
        return len(self.places)

    @property
    def size(self) -> str:
        """The length in words: `8 cells`, or `8 letters` if a cell has several letters."""
        if self.length == len(self.cells):
            return say_count(self.length, "cell")
        return say_count(self.length, "letter")


@dataclass(frozen=True, slots=True)
class Crossing:
    """A cell that two slots share: position `across_pos` of one and `down_pos` of the other, from 0.

    In a rebus cell, the positions are those of its first letter.
    """

    across: SlotId
    across_pos: int
    down: SlotId
    down_pos: int


class Pictured:
    """Base class of objects that a notebook shows as a picture."""

    __slots__ = ()

    @abstractmethod
    def diagram(self) -> Drawable | None:
        """Return the drawing, if there is one."""

    def _repr_svg_(self) -> str | None:
        from cpfill.puzzle.drawing import draw_svg

        drawn = self.diagram()
        if drawn is None:
            return None
        return draw_svg(drawn, letters=True, background="white")


@dataclass(frozen=True)
class Grid(Pictured):
    """A template: for each cell in row-major order the letters it may hold, 0 for a block.

    An empty cell has the full letter set, a given has one letter. Bars end slots as blocks do. A run in `open_slots`
    need not be a word and is not a slot, but slots are numbered as if it were one. The givens in `fixed` stay when
    other letters are cleared. The cells in `circled` have a circle, which rules can name. The two cells of a pair in
    `ties`, which ascends, hold the same letter (`cpfill.problem.ties` ties cells).

    A rebus cell has several given letters, which are in `rebus`. Words through it contain all of them, so its slot
    holds words that are longer than its number of cells. Its letter set is the full one, and is ignored.

    Raises:
        GridError: the number of cells is wrong, a bar is not between neighbours, no run starts at an open slot, a
            rebus cell is a block or does not have two or more letters of the alphabet, or a tie is not between two
            open cells of one letter.
    """

    height: int
    width: int
    cells: tuple[int, ...]
    alphabet: Alphabet
    min_slot_length: int = 2
    bars: frozenset[Bar] = field(default=frozenset(), kw_only=True)
    open_slots: frozenset[RunStart] = field(default=frozenset(), kw_only=True)
    fixed: frozenset[CellId] = field(default=frozenset(), kw_only=True)
    circled: frozenset[CellId] = field(default=frozenset(), kw_only=True, compare=False)
    rebus: Mapping[CellId, str] = field(default_factory=dict, hash=False, kw_only=True)
    ties: frozenset[tuple[CellId, CellId]] = field(default=frozenset(), kw_only=True)

    def __post_init__(self) -> None:
        if len(self.cells) != self.height * self.width:
            raise expected("{n} cells", str(len(self.cells)), error=GridError, n=self.height * self.width)
        SLOT_LENGTH.check(self.min_slot_length, "min_slot_length", GridError)
        self._check_bars()
        self._check_rebus()
        self._check_ties()
        if self.open_slots:
            self._check_open_slots()

    def _check_bars(self) -> None:
        for one, other in self.bars:
            inside = 0 <= one < other < len(self.cells)
            beside = other == one + 1 and other % self.width > 0
            below = other == one + self.width
            if not (inside and (beside or below)):
                raise expected(
                    "a bar between neighbours",
                    say("one between cells {one} and {other}", one=one, other=other),
                    error=GridError,
                )

    def _check_rebus(self) -> None:
        for cell, letters in self.rebus.items():
            if self.cells[cell] != self.alphabet.full or len(letters) < 2 or self.alphabet.foreign(letters):
                raise expected(
                    "an open rebus cell with several letters of {letters}",
                    say("'{letters}' in {cell}", letters=letters, cell=self.name_cell(cell)),
                    error=GridError,
                    letters=self.alphabet.letters,
                )

    def _check_ties(self) -> None:
        for one, other in self.ties:
            inside = 0 <= one < other < len(self.cells)
            if not (inside and self.cells[one] and self.cells[other] and self.rebus.keys().isdisjoint((one, other))):
                raise expected(
                    "a tie between two open cells of one letter",
                    say("one between cells {one} and {other}", one=one, other=other),
                    error=GridError,
                )

    def _check_open_slots(self) -> None:
        starts = {(direction, run[0]) for direction, run in self._runs}
        for direction, cell in sorted(self.open_slots - starts):
            raise expected(
                "an open slot that starts where a run does",
                say("{direction} at cell {cell}", direction=direction, cell=cell),
                error=GridError,
            )

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The slots, across before down, each direction in the order of its first cells."""
        slots: list[Slot] = []
        for direction, run in self._runs:
            first = run[0]
            if (direction, first) not in self.open_slots:
                slots.append(Slot(len(slots), direction, run, self.numbers[first], self.list_places(run)))
        return tuple(slots)

    def list_places(self, cells: Iterable[CellId]) -> tuple[Place, ...]:
        """Return the places of open cells in their order; a rebus cell has one for each of its letters."""
        places: list[Place] = []
        for cell in cells:
            places += zip(repeat(cell), range(len(self.rebus.get(cell, "?"))))
        return tuple(places)

    @cached_property
    def numbers(self) -> dict[CellId, int]:
        """The number of each cell in which a slot or an open slot starts: 1, 2, 3… in reading order."""
        starts = sorted({run[0] for _, run in self._runs})
        return {cell: number for number, cell in enumerate(starts, start=1)}

    @cached_property
    def _runs(self) -> list[tuple[Direction, tuple[CellId, ...]]]:
        """The direction and the cells of every run that is long enough for a slot, across before down."""
        runs: list[tuple[Direction, tuple[CellId, ...]]] = []
        for direction in Direction:
            runs += [(direction, run) for run in self._runs_along(direction)]
        return runs

    def _runs_along(self, direction: Direction) -> list[tuple[CellId, ...]]:
        runs: list[list[CellId]] = []
        for line in self._lines_along(direction):
            before: CellId | None = None
            for cell in line:
                if self.cells[cell] == BLOCK:
                    before = None
                    continue
                if before is None or (before, cell) in self.bars:
                    runs.append([])
                runs[-1].append(cell)
                before = cell
        return sorted(tuple(run) for run in runs if len(run) >= self.min_slot_length)

    def _lines_along(self, direction: Direction) -> list[range]:
        """Return the rows or the columns."""
        if direction is Direction.ACROSS:
            return [range(row * self.width, (row + 1) * self.width) for row in range(self.height)]
        return [range(column, len(self.cells), self.width) for column in range(self.width)]

    @property
    def given_words(self) -> frozenset[str]:
        """The words of the completely given slots."""
        words = map(self.given_word, self.slots)
        return frozenset(word for word in words if word is not None)

    def given_word(self, slot: Slot) -> str | None:
        """Return the word of a slot if all of its letters are given."""
        givens = [self.givens[cell] for cell in slot.cells]
        if not all(givens):
            return None
        return "".join(givens)

    @cached_property
    def givens(self) -> tuple[str, ...]:
        """For each cell its given letter, or the letters of a rebus cell; empty if no letter is given."""
        givens = []
        for cell, letters in enumerate(self.cells):
            given = self.rebus.get(cell, "")
            if not given and letters.bit_count() == 1:
                given = self.alphabet.members(letters)
            givens.append(given)
        return tuple(givens)

    def letter_set(self, place: Place) -> int:
        """Return the letter set of a place."""
        cell, nth = place
        if cell in self.rebus:
            return self.alphabet.letter_set(self.rebus[cell][nth])
        return self.cells[cell]

    def can_hold(self, word: str) -> bool:
        """Return whether some slot has the length of a folded word, and cells that may hold its letters."""
        letters = [self.alphabet.letter_set(letter) for letter in word]
        places = self._letter_sets.get(len(word), frozenset())
        return any(all(map(int.__and__, letters, place)) for place in places)

    @cached_property
    def _letter_sets(self) -> dict[int, frozenset[tuple[int, ...]]]:
        """For each length of a slot, the sequences of letter sets along the slots of that length."""
        places: dict[int, set[tuple[int, ...]]] = defaultdict(set)
        for slot in self.slots:
            places[slot.length].add(tuple(map(self.letter_set, slot.places)))
        return {length: frozenset(those) for length, those in places.items()}

    @cached_property
    def slots_at(self) -> dict[CellId, tuple[tuple[SlotId, int], ...]]:
        """For each cell in a slot, its one or two slots with its position in each, across first.

        In a rebus cell, the position is that of its first letter.
        """
        at: dict[CellId, list[tuple[SlotId, int]]] = defaultdict(list)
        for slot in self.slots:
            for pos, (cell, nth) in enumerate(slot.places):
                if nth == 0:
                    at[cell].append((slot.id, pos))
        return {cell: tuple(slots) for cell, slots in sorted(at.items())}

    @cached_property
    def crossed_cells(self) -> tuple[CellId, ...]:
        """The cells of the crossings, rising."""
        return tuple(cell for cell, slots in self.slots_at.items() if len(slots) == 2)

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """The crossings, in the order of their cells."""
        both = map(self.slots_at.__getitem__, self.crossed_cells)
        return tuple(Crossing(*across, *down) for across, down in both)

    @cached_property
    def neighbours(self) -> tuple[tuple[tuple[int, SlotId, int], ...], ...]:
        """For each slot, its crossings as (own position, crossing slot, position there)."""
        return self._list_around(self.crossings)

    def _list_around(self, agreements: Sequence[Crossing]) -> tuple[tuple[tuple[int, SlotId, int], ...], ...]:
        result: list[list[tuple[int, SlotId, int]]] = [[] for _ in self.slots]
        for x in agreements:
            result[x.across].append((x.across_pos, x.down, x.down_pos))
            result[x.down].append((x.down_pos, x.across, x.across_pos))
        return tuple(tuple(sorted(around)) for around in result)

    @cached_property
    def tied(self) -> dict[CellId, tuple[CellId, ...]]:
        """For each cell in a tie, all cells that hold its letter, rising, itself among them."""
        groups: dict[CellId, frozenset[CellId]] = {}
        for one, other in self.ties:
            group = groups.get(one, frozenset({one})) | groups.get(other, frozenset({other}))
            groups.update(dict.fromkeys(group, group))
        return {cell: tuple(sorted(group)) for cell, group in sorted(groups.items())}

    @cached_property
    def agreements(self) -> tuple[Crossing, ...]:
        """The crossings, and the tied places of two slots; for a cell stands its place in its first slot."""
        if not self.ties:
            return self.crossings
        agreements = list(self.crossings)
        for cell, group in self.tied.items():
            if cell != group[0]:
                continue
            held = filter(self.slots_at.__contains__, group)
            for one, other in pairwise(sorted(self.slots_at[each][0] for each in held)):
                if one[0] != other[0]:
                    agreements.append(Crossing(*one, *other))
        return tuple(agreements)

    @cached_property
    def links(self) -> tuple[tuple[tuple[int, SlotId, int], ...], ...]:
        """For each slot, its agreements as (own position, other slot, position there); a position may have several."""
        if not self.ties:
            return self.neighbours
        return self._list_around(self.agreements)

    @cached_property
    def crossed_by(self) -> tuple[tuple[SlotId, ...], ...]:
        """For each slot, the slots that cross it or are tied to it, in the order of its own positions."""
        return tuple(tuple(other for _, other, _ in around) for around in self.links)

    @cached_property
    def components(self) -> tuple[tuple[SlotId, ...], ...]:
        """The connected components of the slot graph, each sorted."""
        seen: set[SlotId] = set()
        components = []
        for slot in self.slots:
            if slot.id in seen:
                continue
            component = {slot.id}
            todo = [slot.id]
            while todo:
                for other in self.crossed_by[todo.pop()]:
                    if other not in component:
                        component.add(other)
                        todo.append(other)
            seen |= component
            components.append(tuple(sorted(component)))
        return tuple(components)

    def diagram(self, letters: Sequence[str] | None = None) -> Diagram:
        """Return the diagram of the grid, with the letters of a fill or else with its givens."""
        from cpfill.puzzle.drawing import Diagram

        shown = letters or self.givens
        cells = [letter if cell else None for cell, letter in zip(self.cells, shown, strict=True)]
        captions = {cell: str(number) for cell, number in self.numbers.items()}
        return Diagram(self.height, self.width, cells, captions, self.bars)

    def __getstate__(self) -> dict[str, Any]:
        """Return only the fields: cached properties are large, and can be computed again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        """Return the rows in native text, without bars and open slots."""
        signs = []
        for cell, letters in enumerate(self.cells):
            if letters == BLOCK:
                signs.append("#")
            elif cell in self.rebus:
                signs.append(f"({self.rebus[cell]})")
            else:
                signs.append(self._sign(letters, empty="."))
        return "\n".join(map("".join, split_rows(signs, self.width)))

    def __repr__(self) -> str:
        blocks = self.cells.count(BLOCK)
        return f"<Grid {self.height}x{self.width}: {len(self.slots)} slots, {blocks} blocks>"

    @cached_property
    def first_letters(self) -> tuple[str, ...]:
        """For each cell the first letter it may hold, all letters of a rebus cell, an empty string for a block."""
        first = []
        for cell, letters in enumerate(self.cells):
            first.append(self.rebus.get(cell) or self.alphabet.first(letters))
        return tuple(first)

    def name_cell(self, cell: CellId) -> str:
        """Return the name of a cell by row and column, both from 1, such as `R4C7`."""
        return f"R{cell // self.width + 1}C{cell % self.width + 1}"

    def pattern(self, slot: Slot) -> str:
        """Return the template of a slot: givens as letters, letter sets in brackets, `?` for any letter."""
        return "".join(self._sign(self.letter_set(place), empty="?") for place in slot.places)

    def _sign(self, letters: int, *, empty: str) -> str:
        """Return the text for a letter set."""
        members = self.alphabet.members(letters)
        if letters == self.alphabet.full:
            return empty
        if len(members) == 1:
            return members
        return f"[{members}]"


_WAY = r"[\s-]?(?P<way>a|across|d|down)"
_SLOT = re.compile(rf"(?P<number>\d{{1,6}}){_WAY}", re.IGNORECASE | re.ASCII)
_SLOT_AT = re.compile(rf"r(?P<row>\d{{1,4}})c(?P<column>\d{{1,4}}){_WAY}", re.IGNORECASE | re.ASCII)
_CELL = re.compile(r"r(?P<row>\d{1,4})c(?P<column>\d{1,4})", re.IGNORECASE | re.ASCII)
_QUADRANTS = {"NW", "NE", "SW", "SE"}


def find_slot(grid: Grid, name: str) -> Slot:
    """Return the slot with a name (`17-Across`, `17A`), through a cell (`R4C7-Down`, `R4C7D`), or with a word in it."""
    text = name.strip()
    match = _SLOT.fullmatch(text) or _SLOT_AT.fullmatch(text)
    if match is None:
        slot = _find_holder(grid, text)
        if slot is None:
            raise expected("a slot such as 17-Across or R4C7-Down, or a word in the grid", f"'{name}'")
        return slot
    direction = Direction.DOWN
    if match["way"][0] in "aA":
        direction = Direction.ACROSS
    if match.re is _SLOT_AT:
        return _find_slot_through(grid, _at(grid, match), direction, name)
    return _find_numbered(grid, int(match["number"]), direction, name)


def _find_slot_through(grid: Grid, cell: CellId, direction: Direction, name: str) -> Slot:
    for slot in grid.slots:
        if slot.direction is direction and cell in slot.cells:
            return slot
    raise expected("a cell in a slot {direction}", f"'{name}'", direction=say(direction.lower()))


def _find_numbered(grid: Grid, wanted: int, direction: Direction, name: str) -> Slot:
    numbered = {slot.number: slot for slot in grid.slots if slot.direction is direction}
    if wanted not in numbered:
        got = f"'{name}'"
        if _is_open(grid, direction, wanted):
            got += say(", which is open")
        raise expected(
            "a slot of the grid ({direction}: {numbered})",
            got,
            direction=say(direction.lower()),
            numbered=", ".join(map(str, numbered)),
        )
    return numbered[wanted]


def _is_open(grid: Grid, direction: Direction, number: int) -> bool:
    """Return whether the run of a number is an open slot."""
    return any(way is direction and grid.numbers[cell] == number for way, cell in grid.open_slots)


def _find_holder(grid: Grid, word: str) -> Slot | None:
    """Return the first slot that is completely filled with a word, if there is one."""
    folded = grid.alphabet.fold(word)
    if not folded:
        return None
    for slot in grid.slots:
        if grid.given_word(slot) == folded:
            return slot
    return None


def find_cell(grid: Grid, name: str) -> CellId:
    """Return the open cell with a name such as `R4C7`; rows and columns count from 1."""
    match = _CELL.fullmatch(name.strip())
    if match is None:
        raise expected("a cell such as R4C7", f"'{name}'")
    cell = _at(grid, match)
    if not grid.cells[cell]:
        raise expected("an open cell", say("'{name}', a block", name=name))
    return cell


def find_region(grid: Grid, names: str) -> frozenset[CellId]:
    """Return the open cells of slots, cells, rectangles (`R1C9:R5C15`) and quadrants (`NE`), separated by commas.

    The word in a slot also names it. If a side is odd, quadrants include its middle row or column.
    """
    found: set[CellId] = set()
    for name in names.split(","):
        found.update(_find_part(grid, name.strip()))
    return frozenset(found)


def _find_part(grid: Grid, name: str) -> Collection[CellId]:
    if name.upper() in _QUADRANTS:
        rows = _half(grid.height, last=name[0] in "sS")
        columns = _half(grid.width, last=name[1] in "eE")
        return _list_open(grid, name, rows, columns)
    corners = [_CELL.fullmatch(corner.strip()) for corner in name.split(":")]
    first = corners[0]
    last = corners[-1]
    if len(corners) <= 2 and first and last:
        return _list_open(grid, name, *_span(grid, first, last))
    if _SLOT.fullmatch(name) or _SLOT_AT.fullmatch(name) or _find_holder(grid, name):
        return find_slot(grid, name).cells
    raise expected(
        "a slot (17-Across), a word in the grid, a rectangle (R1C9:R5C15) or a quadrant (NE)", f"'{name:.60}'"
    )


def _span(grid: Grid, first: re.Match[str], last: re.Match[str]) -> tuple[range, range]:
    """Return the rows and the columns of the rectangle between two corners."""
    top, left = divmod(_at(grid, first), grid.width)
    bottom, right = divmod(_at(grid, last), grid.width)
    rows = range(min(top, bottom), max(top, bottom) + 1)
    columns = range(min(left, right), max(left, right) + 1)
    return rows, columns


def _list_open(grid: Grid, name: str, rows: range, columns: range) -> list[CellId]:
    """Return the open cells of a rectangle."""
    found = []
    for row in rows:
        cells = [row * grid.width + column for column in columns]
        found += [cell for cell in cells if grid.cells[cell]]
    if not found:
        raise expected("a part of the grid with an open cell", f"'{name:.60}'")
    return found


def _half(side: int, *, last: bool) -> range:
    """Return the first or the last half of a side, including the middle of an odd side."""
    if last:
        return range(side // 2, side)
    return range((side + 1) // 2)


def clear_cells(grid: Grid, cells: Collection[CellId]) -> Grid:
    """Return the grid without the givens in some cells; fixed givens and letter sets of several letters stay."""
    free = {cell for cell in cells if grid.cells[cell].bit_count() == 1} - grid.fixed
    cleared = list(grid.cells)
    for cell in free:
        cleared[cell] = grid.alphabet.full
    return replace(grid, cells=tuple(cleared))


def open_slots(grid: Grid, slots: Collection[Slot]) -> Grid:
    """Return the grid with some slots open: they need not be words."""
    opened = {(slot.direction, slot.cells[0]) for slot in slots}
    return replace(grid, open_slots=grid.open_slots.union(opened))


def _at(grid: Grid, match: re.Match[str]) -> CellId:
    row = int(match["row"])
    column = int(match["column"])
    if not (1 <= row <= grid.height and 1 <= column <= grid.width):
        raise expected("a cell from R1C1 to R{height}C{width}", f"'{match[0]}'", height=grid.height, width=grid.width)
    return (row - 1) * grid.width + column - 1
