"""Patterns around a theme, built column by column: those that promise the most fills.

Let words(s) be the number of words for slot s, given its theme letters. Then

    Σ_s ln words(s) - AGREEMENT · crossings

is about the logarithm of the expected number of fills, because the two letters that meet in a crossing agree with
probability e^-AGREEMENT ≈ 1/15. Half of each crossing is charged to each of its two slots, so the value is a sum over
slots. A slot down counts with its column, a slot across once a block ends it. A beam search goes through the columns of
one half of the grid; the symmetry gives the other half. It keeps the best beginnings and extends them by every
arrangement of blocks in the next column that can still be among the best.

The sum cannot tell whether the words of one corner agree. So slots with few words promise less than their logarithm,
and if a pattern has no fill, the slots to blame promise less from then on.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from itertools import count, pairwise, product
from math import inf, log
from typing import TYPE_CHECKING, NamedTuple

from cpfill.design.board import Symmetry, list_bits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from cpfill.design.board import Blame, Cells
    from cpfill.design.demands import Demands
    from cpfill.design.layouts import Layout

    Line = tuple[tuple[int, str], ...]
    """The letters of a line by position."""
    Promises = Sequence[float]
    """The promise of each run of a line, by the index that `_at` gives it."""
    Charges = tuple[tuple[int, float], ...]
    """The charge on some runs of a line, by the same index."""
    LineKey = tuple[int, int, Line, Charges]
    """A line: the cells that are blocks, the cells that are not, letters, charges. They determine its promise."""

AGREEMENT = 2.7
"""Minus the logarithm of the probability that two letters drawn from words agree."""

CAUTION = 30.0
"""A slot of n words promises CAUTION / n less: 3 less for ten words, 0.3 less for a hundred."""

CHARGE = 8.0
"""The total by which the slots to blame for one failure promise less from then on."""

CROSSING_CHOICES = 3
"""The least number of words for a slot that crosses an entry."""

WIDTH = 40
"""The beginnings that the beam keeps. Ten times as many find hardly better patterns."""

PRICE = 1.0
"""The price of a block: among patterns that promise about the same, the one with fewer blocks wins."""

SHORT = 3
"""The length of slots that the formula overrates."""

SHORT_PRICE = 4.0
"""The price of such a slot: printed 15x15 grids have about fifteen."""

TRIED = 200
"""The arrangements tried for a column: those that promise most on their own."""

MOST_STACKED = 3
"""The most consecutive blocks in a column."""

_DEAD = -1e6
_LUCK = 4.0
"""The most that chance adds to a beginning that is looked at: one in fifty has more."""

_LEAST = 2.0**-60
_KEPT = 2_000


class _Arrangement(NamedTuple):
    """An arrangement of blocks in a column.

    Attributes:
        mask: the blocks as bits, row 0 the lowest.
        rows: the rows of the blocks.
        slots: the slots that remain, as indices from `_at`.
    """

    mask: int
    rows: tuple[int, ...]
    slots: tuple[int, ...]


class _Choice(NamedTuple):
    """An arrangement of a column and its image: the promise of both, and the number of their blocks."""

    promise: float
    blocks: int
    column: _Arrangement


class _Column(NamedTuple):
    """The choices for a column, the most promising first.

    Attributes:
        choices: the choices themselves.
        having: for each row, those with a block there, as bits.
        least: the fewest blocks of one.
    """

    choices: list[_Choice]
    having: list[int]
    least: int


class _Row(NamedTuple):
    """The promises of the runs of a row.

    Attributes:
        alone: each run on its own.
        both: each run and its image.
        hope: from each start, the best promise of a run that stops at each column or later.
    """

    alone: Promises
    both: Promises
    hope: Promises


class _Beginning(NamedTuple):
    """The first columns of a pattern: their promise, their blocks, and where the open run of each row starts."""

    promise: float
    blocks: int
    masks: tuple[int, ...]
    starts: tuple[int, ...]


class _Outlook(NamedTuple):
    """The best that may become of a beginning with one more column.

    Attributes:
        hope: its promise without a block in the next column.
        gains: for each row, the promise that a block there adds.
        steps: for each row, the change of the hope by a block there.
        fit: the choices that fit, as bits.
    """

    hope: float
    gains: list[float]
    steps: list[float]
    fit: int


class _Beam:
    """The best extensions of beginnings by one column; `floor` is the value that the next must exceed."""

    def __init__(self) -> None:
        self.floor = _DEAD / 2
        self._kept: list[tuple[float, int, _Beginning, _Choice, float]] = []
        self._tried = count()

    def add(self, value: float, beginning: _Beginning, choice: _Choice, promise: float) -> None:
        heappush(self._kept, (value, next(self._tried), beginning, choice, promise))
        if len(self._kept) > WIDTH:
            heappop(self._kept)
            self.floor = self._kept[0][0]

    @property
    def beginnings(self) -> list[_Beginning]:
        return [_join(beginning, choice, promise) for _, _, beginning, choice, promise in self._kept]


class ColumnSearch:
    """Searches for patterns around layouts of the same demands; remembers the promises of columns."""

    def __init__(self, demands: Demands, chance: Random) -> None:
        assert demands.count_words is not None
        self._demands = demands
        self._count_words = demands.count_words
        self._lengths = {*range(demands.style.min_slot_length, demands.longest + 1)} - {*demands.lacking}
        self._height = demands.height
        self._width = demands.width
        self._turned = demands.style.symmetry is Symmetry.ROTATE
        self._paired = demands.style.symmetry is not Symmetry.NONE
        self._searched = self._width
        if self._paired:
            self._searched = (self._width + 1) // 2
        self._all = _arrange(self._height, demands.style.min_slot_length)
        self._chance = chance
        self._slots: dict[tuple[int, Line], float] = {}
        self._lines: dict[tuple[int, int, int, Line], Promises] = {}
        self._rows: dict[tuple[LineKey, LineKey], _Row] = {}
        self._weighed: dict[tuple[int, int, bool, Line, Line], list[_Choice]] = {}
        self._columns: dict[tuple[int, int, bool, Line, Line, float, Charges], _Column] = {}
        self._charges: dict[tuple[int, Line], dict[int, float]] = {}  # by the number of a line of the board

    def find(self, layout: Layout, most: int, price: float = PRICE) -> Iterator[tuple[float, Cells]]:
        """Yield (promise, pattern) for patterns of at most `most` blocks around a layout, best first.

        The promise is reduced by the `price` of each block.
        """
        for memo in (self._lines, self._rows, self._weighed, self._columns, self._charges):
            if len(memo) > _KEPT:
                memo.clear()
        across, down = self._sort_letters(layout)
        found: dict[int, _Column] = {}
        for number in sorted(range(self._searched), key=lambda number: -len(down[number])):
            found[number] = self._weigh_column(layout, number, down, price)
            if not found[number].choices:
                return
        columns = [found[number] for number in range(self._searched)]
        room = most - sum(column.least for column in columns)
        if room >= 0:
            yield from self._search(columns, self._weigh_rows(layout, across), room)

    def charge(self, layout: Layout, blame: Blame) -> None:
        """Lower the promise of slots from now on, in every line with the same letters."""
        across, down = self._sort_letters(layout)
        for slot, share in blame.items():
            row, column = divmod(slot[0], self._width)
            if slot[1] == slot[0] + 1:
                key = row, across[row]
                run = _at(column, column + len(slot), self._width)
            else:
                key = self._height + column, down[column]
                run = _at(row, row + len(slot), self._height)
            charges = self._charges.setdefault(key, {})
            charges[run] = charges.get(run, 0.0) + CHARGE * share

    def _search(self, columns: list[_Column], rows: list[_Row], room: int) -> Iterator[tuple[float, Cells]]:
        """Search column by column for patterns of at most `room` blocks more than the least of each column."""
        beginnings = [_Beginning(0.0, 0, (), (0,) * self._height)]
        for column in columns:
            room += column.least
            beginnings = self._extend(beginnings, column, rows, room)
        ended = [(self._end(each, rows), each.masks) for each in beginnings]
        for promise, masks in sorted(ended, reverse=True):
            if promise > _DEAD / 2:
                yield promise, self._draw_pattern([*masks])

    def _extend(self, beginnings: list[_Beginning], column: _Column, rows: list[_Row], most: int) -> list[_Beginning]:
        """Return about the best beginnings with one more column, of at most `most` blocks; chance moves the order."""
        beam = _Beam()
        for beginning in sorted(beginnings, reverse=True):
            self._extend_one(beam, beginning, column, rows, most - beginning.blocks)
        return beam.beginnings

    def _extend_one(self, beam: _Beam, beginning: _Beginning, column: _Column, rows: list[_Row], room: int) -> None:
        """Add the good extensions of a beginning, by at most `room` blocks, to a beam."""
        random = self._chance.random
        last = beginning.masks[-1] if beginning.masks else 0
        base, gains, steps, fit = self._foresee(beginning, column, rows)
        best_steps = sum([step for step in steps if step > 0])
        while fit:
            lowest = fit & -fit
            fit ^= lowest
            choice = column.choices[lowest.bit_length() - 1]
            value = base + choice.promise
            if value + best_steps + _LUCK <= beam.floor:
                return  # so do those that follow
            for row in choice.column.rows:
                value += steps[row]
            beside = choice.column.mask & last
            if value + _LUCK <= beam.floor or choice.blocks > room or beside & beside >> 1:
                continue
            value -= log(-log(random() or _LEAST))  # Gumbel's distribution
            if value > beam.floor:
                gained = beginning.promise + choice.promise + sum([gains[row] for row in choice.column.rows])
                beam.add(value, beginning, choice, gained)

    def _foresee(self, beginning: _Beginning, column: _Column, rows: list[_Row]) -> _Outlook:
        """Return the best that may become of a beginning with one more column."""
        number = len(beginning.masks)
        fit = (1 << len(column.choices)) - 1
        hope = beginning.promise
        gains: list[float] = []
        steps: list[float] = []
        for row, start, having in zip(rows, beginning.starts, column.having, strict=True):
            at = start * (self._width + 1) + number
            gain = row.both[at] if start < number else 0.0
            hoped = row.hope[at + 1]
            if hoped < _DEAD / 2:
                fit &= having
                hoped = gain
            if gain < _DEAD / 2:
                fit &= ~having
            hope += hoped
            gains.append(gain)
            steps.append(gain - hoped)
        return _Outlook(hope, gains, steps, fit)

    def _end(self, beginning: _Beginning, rows: list[_Row]) -> float:
        """Return the promise of a pattern once its open runs meet their images, or the border."""
        stops = [self._width] * len(beginning.starts)
        if self._paired:
            stops = [self._width - start for start in beginning.starts]
            if self._turned:
                stops.reverse()
        ended = 0.0
        for row, start, stop in zip(rows, beginning.starts, stops, strict=True):
            if start < stop:
                ended += row.alone[_at(start, stop, self._width)]
        return beginning.promise + ended

    def _hope(self, both: Promises, row: Promises) -> Promises:
        """Return the best promise of the run from each start in a row that stops at each column or later."""
        hope = [0.0] * len(row)
        side = self._width + 1
        for start in range(0, len(row), side):
            best = -inf
            for stop in range(self._width, -1, -1):
                promise = (both if stop <= self._searched else row)[start + stop]
                best = max(best, promise)
                hope[start + stop] = best
        return hope

    def _draw_pattern(self, masks: list[int]) -> Cells:
        """Return the pattern whose first columns have these blocks."""
        others = masks[: self._width - len(masks)][::-1]
        if self._turned:
            others = [_reverse(mask, self._height) for mask in others]
        pattern = 0
        for number, mask in enumerate([*masks, *others]):
            for row in list_bits(mask):
                pattern |= self._demands.board.bit(row, number)
        return pattern

    def _sort_letters(self, layout: Layout) -> tuple[list[Line], list[Line]]:
        """Return the letters of each row and of each column."""
        across: list[dict[int, str]] = [{} for _ in range(self._height)]
        down: list[dict[int, str]] = [{} for _ in range(self._width)]
        for word, run in layout.placed:
            for cell, letter in zip(run, word, strict=True):
                row, column = divmod(cell, self._demands.board.stride)
                across[row][column] = letter
                down[column][row] = letter
        return [_sort_line(line) for line in across], [_sort_line(line) for line in down]

    def _weigh_column(self, layout: Layout, number: int, down: list[Line], price: float) -> _Column:
        """Return the choices for a column of a layout, by their promise less price and charges."""
        image = self._width - 1 - number
        line = self._demands.board.lines[self._height + number]
        must = _pick(layout.blocks, line)
        never = _pick(layout.open, line)
        alone = image == number or not self._paired
        key = must, never, alone, down[number], down[image]
        if key not in self._weighed:
            self._weighed[key] = self._list_choices(must, never, down[number], None if alone else down[image])
        charges = self._sum_charges(number, down)
        priced = *key, price, charges
        if priced not in self._columns:
            self._columns[priced] = self._rank(self._weighed[key], price, dict(charges))
        return self._columns[priced]

    def _list_choices(self, must: int, never: int, letters: Line, image: Line | None) -> list[_Choice]:
        """Return the most promising choices for a column, and for its image if there is one with letters `image`."""
        promise = self._weigh_line(self._height, must, never, letters)
        fits = [each for each in self._all if not each.mask & never and not must & ~each.mask]
        both = 1
        if image is not None:
            other = self._weigh_image(must, never, image)
            promise = [one + two for one, two in zip(promise, other, strict=True)]
            both = 2
        elif self._turned:
            fits = [each for each in fits if each.mask == _reverse(each.mask, self._height)]
        found = []
        for each in fits:
            total = sum([promise[slot] for slot in each.slots])
            if total > _DEAD / 2:
                found.append(_Choice(total, both * len(each.rows), each))
        found.sort(key=lambda choice: PRICE * choice.blocks - choice.promise)
        return found[:TRIED]

    def _weigh_image(self, must: int, never: int, letters: Line) -> Promises:
        """Return the promise of the image of each run of a column; `must` and `never` are those of the column."""
        if not self._turned:
            return self._weigh_line(self._height, must, never, letters)
        must = _reverse(must, self._height)
        never = _reverse(never, self._height)
        return _turn(self._weigh_line(self._height, must, never, letters), self._height)

    def _rank(self, weighed: list[_Choice], price: float, charges: dict[int, float]) -> _Column:
        """Return choices by their promise less price and charges."""
        choices: list[_Choice] = []
        for promise, blocks, column in weighed:
            charged = sum([charges[slot] for slot in column.slots if slot in charges])
            choices.append(_Choice(promise - price * blocks - charged, blocks, column))
        choices.sort(reverse=True)
        having = [0] * self._height
        for number, choice in enumerate(choices):
            for row in choice.column.rows:
                having[row] |= 1 << number
        return _Column(choices, having, min((choice.blocks for choice in choices), default=0))

    def _sum_charges(self, number: int, down: list[Line]) -> Charges:
        """Return the charge on the slots of a column, each with its image."""
        image = self._width - 1 - number
        charges = dict(self._charges.get((self._height + number, down[number]), {}))
        if image != number and self._paired:
            for run, charge in self._charges.get((self._height + image, down[image]), {}).items():
                mirrored = run
                if self._turned:
                    mirrored = _mirror(self._height)[run]
                charges[mirrored] = charges.get(mirrored, 0.0) + charge
        return tuple(charges.items())

    def _weigh_rows(self, layout: Layout, across: list[Line]) -> list[_Row]:
        """Return the promises of the runs of each row."""
        lines = self._demands.board.lines[: self._height]
        keys: list[LineKey] = []
        for row, (letters, line) in enumerate(zip(across, lines, strict=True)):
            charges = tuple(self._charges.get((row, letters), {}).items())
            keys.append((_pick(layout.blocks, line), _pick(layout.open, line), letters, charges))
        images = keys[::-1] if self._turned else keys
        pairs = [*zip(keys, images, strict=True)]
        for key, image in pairs:
            if (key, image) not in self._rows:
                self._rows[key, image] = self._weigh_row(key, image)
        return [self._rows[pair] for pair in pairs]

    def _weigh_row(self, key: LineKey, image: LineKey) -> _Row:
        """Return the promises of the runs of a row with this image."""
        promise = self._charge_row(key)
        both = promise
        if self._paired:
            other = _turn(self._charge_row(image), self._width)
            both = [max(one + two, _DEAD) for one, two in zip(promise, other, strict=True)]
        return _Row(promise, both, self._hope(both, promise))

    def _charge_row(self, key: LineKey) -> list[float]:
        must, never, letters, charges = key
        promise = [*self._weigh_line(self._width, must, never, letters)]
        for run, charge in charges:
            promise[run] -= charge
        return promise

    def _weigh_line(self, cells: int, must: int, never: int, letters: Line) -> Promises:
        """Return the promise of each run of a line; `must` are cells that are blocks, `never` cells that are not."""
        key = cells, must, never, letters
        if key not in self._lines:
            found = [_DEAD] * (cells + 1) ** 2
            found[0] = found[-1] = 0.0  # no run
            for start in range(cells):
                if not start or not never >> start - 1 & 1:
                    self._weigh_runs(found, start, key)
            self._lines[key] = found
        return self._lines[key]

    def _weigh_runs(self, found: list[float], start: int, key: tuple[int, int, int, Line]) -> None:
        """Write the promise of each run of a line that begins at `start` into `found`."""
        cells, must, never, letters = key
        given = dict(letters)
        fixed: Line = ()
        for stop in range(start + 1, cells + 1):
            if must >> stop - 1 & 1:
                return
            if stop - 1 in given:
                fixed += ((stop - 1 - start, given[stop - 1]),)
            if stop - start in self._lengths and not never >> stop & 1:
                found[_at(start, stop, cells)] = self._weigh_slot(stop - start, fixed)

    def _weigh_slot(self, length: int, fixed: Line) -> float:
        key = length, fixed
        if key not in self._slots:
            self._slots[key] = self._promise(length, fixed)
        return self._slots[key]

    def _promise(self, length: int, fixed: Line) -> float:
        """Return the promise of a slot with some letters."""
        promise = 0.0
        if len(fixed) < length:
            number = self._count_words(length, dict(fixed))
            promise = _DEAD
            least = CROSSING_CHOICES if fixed else 1
            if number >= least:
                promise = log(number) - AGREEMENT / 2 * (length - len(fixed))
            if number:
                promise -= CAUTION / number
        if length == SHORT:
            promise -= SHORT_PRICE
        return promise


@lru_cache(4)
def _arrange(height: int, shortest: int) -> tuple[_Arrangement, ...]:
    """Return all arrangements of blocks in a column."""
    found = []
    for mask in _list_masks(height, shortest):
        rows = tuple(row for row in range(height) if mask >> row & 1)
        walls = pairwise((-1, *rows, height))
        slots = tuple(_at(above + 1, below, height) for above, below in walls if below > above + 1)
        found.append(_Arrangement(mask, rows, slots))
    return tuple(found)


def _list_masks(height: int, shortest: int, row: int = 0, least: int = 0) -> Iterator[int]:
    """Yield the blocks of a column from a row on, with at least `least` blocks before the next slot."""
    for blocks in range(least, min(MOST_STACKED, height - row) + 1):
        start = row + blocks
        wall = ((1 << blocks) - 1) << row
        if start == height or start + shortest <= height:
            yield wall
        for stop in range(start + shortest, height):
            for rest in _list_masks(height, shortest, stop, 1):
                yield wall | rest


def _at(start: int, stop: int, cells: int) -> int:
    """Return the index of the run from `start` to before `stop`."""
    return start * (cells + 1) + stop


@lru_cache(4)
def _mirror(cells: int) -> tuple[int, ...]:
    """Return the index of the run that mirrors each run of a line."""
    ends = range(cells, -1, -1)
    return tuple(_at(stop, start, cells) for start, stop in product(ends, ends))


def _join(beginning: _Beginning, choice: _Choice, promise: float) -> _Beginning:
    """Return a beginning with one more column."""
    starts = [*beginning.starts]
    for row in choice.column.rows:
        starts[row] = len(beginning.masks) + 1
    return _Beginning(promise, beginning.blocks + choice.blocks, (*beginning.masks, choice.column.mask), tuple(starts))


def _sort_line(letters: dict[int, str]) -> Line:
    return tuple(sorted(letters.items()))


def _turn(promise: Promises, cells: int) -> Promises:
    """Return for each run of a line the promise of the run that mirrors it."""
    return [promise[run] for run in _mirror(cells)]


def _pick(cells: Cells, line: range) -> int:
    """Return the cells of a line that are in `cells`, as bits."""
    return sum(1 << number for number, cell in enumerate(line) if cells >> cell & 1)


def _reverse(mask: int, height: int) -> int:
    return int(f"{mask:0{height}b}"[::-1], 2)
