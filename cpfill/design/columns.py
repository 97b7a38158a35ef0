"""Patterns around a theme, built column by column: those that promise the most fills.

Let words(s) be the number of words for slot s, given its theme letters. Then about

    Σ_s ln words(s) - AGREEMENT · crossings

is the logarithm of the expected number of fills, because the two letters that meet in a crossing agree one time in
e^AGREEMENT ≈ 15. Half of each crossing is charged to each of its two slots, so the value is a sum over slots. A slot
down counts with its column, a slot across once a block ends it. A beam search goes through the columns of one half of
the grid; the symmetry gives the other half. It keeps the best beginnings and extends them by every arrangement of
blocks in the next column that can still be among the best.

The sum cannot tell whether the words of one corner agree. So slots with few words promise less than their logarithm,
and if a pattern has no fill, the slots to blame promise less from then on.

The whole search draws a layout, then improves it: it moves an entry or a pair, and keeps the step if the best pattern
around the new layout promises more, or not much less. Every pattern on the way is a candidate. Then it yields the best
candidates that are new. If one has no fill, the slots to blame are charged, and the best pattern around the same layout
becomes a candidate again. The first layouts are as constructors draw them; later, every other one takes liberties.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from itertools import count, pairwise
from math import ceil, inf, log
from typing import TYPE_CHECKING, NamedTuple

from cpfill.design.board import BlockPattern, Symmetry, find_squares
from cpfill.design.demands import count_slots, estimate_words, obeys, weigh_flaws
from cpfill.design.layouts import Theme

if TYPE_CHECKING:
    from collections.abc import Container, Generator, Iterator, Sequence
    from random import Random

    from cpfill.design.board import Blame, Cells
    from cpfill.design.demands import Demands
    from cpfill.design.layouts import Layout
    from cpfill.problem.result import Deadline

    Line = tuple[tuple[int, str], ...]
    """The letters of a line by position."""
    Promises = Sequence[float]
    """The promise of each run of a line, by the index that `_at` gives it."""
    Charges = tuple[tuple[int, float], ...]
    """The charge on some runs of a line, by the same index."""
    LineKey = tuple[int, int, Line, Charges]
    """What the promise of a line depends on: cells that are blocks, cells that are not, letters, charges."""

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

SHORT, SHORT_PRICE = 3, 4.0
"""The length of slots that the formula overrates, and the price of one: printed 15x15 grids have about fifteen."""

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
    """An arrangement of a column and its image: what both promise, and how many blocks they have."""

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
    """What the runs of a row promise.

    Attributes:
        alone: each run on its own.
        both: each run and its image.
        hope: from each start, the best promise of a run that stops at each column or later.
    """

    alone: Promises
    both: Promises
    hope: Promises


class _Beginning(NamedTuple):
    """The first columns of a pattern: what they promise, their blocks, and where the open run of each row starts."""

    promise: float
    blocks: int
    masks: tuple[int, ...]
    starts: tuple[int, ...]


class ColumnSearch:
    """Searches for patterns around layouts of the same demands; remembers the promises of columns."""

    def __init__(self, demands: Demands, chance: Random) -> None:
        assert demands.count_words is not None
        self._demands, self._count_words = demands, demands.count_words
        self._lengths = {*range(demands.style.min_slot_length, demands.longest + 1)} - {*demands.lacking}
        self._height, self._width = demands.height, demands.width
        self._turned = demands.style.symmetry is Symmetry.ROTATE
        self._paired = demands.style.symmetry is not Symmetry.NONE
        self._searched = (self._width + 1) // 2 if self._paired else self._width
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
                cells, key, start = self._width, (row, across[row]), column
            else:
                cells, key, start = self._height, (self._height + column, down[column]), row
            charges, run = self._charges.setdefault(key, {}), _at(start, start + len(slot), cells)
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
        """Return about the best beginnings with one more column, of at most `most` blocks; chance has a say in it."""
        random = self._chance.random
        kept: list[tuple[float, int, _Beginning, _Choice, float]] = []
        floor, tried = _DEAD / 2, count()
        for beginning in sorted(beginnings, reverse=True):
            last, room = beginning.masks[-1] if beginning.masks else 0, most - beginning.blocks
            base, gains, steps, fit = self._foresee(beginning, column, rows)
            best_steps = sum([step for step in steps if step > 0])
            while fit:
                lowest = fit & -fit
                fit ^= lowest
                choice = column.choices[lowest.bit_length() - 1]
                value = base + choice.promise
                if value + best_steps + _LUCK <= floor:
                    break  # so do those that follow
                for row in choice.column.rows:
                    value += steps[row]
                beside = choice.column.mask & last
                if value + _LUCK <= floor or choice.blocks > room or beside & beside >> 1:
                    continue
                value -= log(-log(random() or _LEAST))  # Gumbel's distribution
                if value > floor:
                    gained = beginning.promise + choice.promise + sum([gains[row] for row in choice.column.rows])
                    heappush(kept, (value, next(tried), beginning, choice, gained))
                    if len(kept) > WIDTH:
                        heappop(kept)
                        floor = kept[0][0]
        return [_join(beginning, choice, promise) for _, _, beginning, choice, promise in kept]

    def _foresee(
        self, beginning: _Beginning, column: _Column, rows: list[_Row]
    ) -> tuple[float, list[float], list[float], int]:
        """Return what a beginning may come to without a block in the next column, and what one in each row changes.

        Returns:
            (hope, what each row gains by a block there, how that changes the hope, the choices that fit, as bits).
        """
        number, fit = len(beginning.masks), (1 << len(column.choices)) - 1
        hope, gains, steps = beginning.promise, [], []
        for row, start, having in zip(rows, beginning.starts, column.having, strict=True):
            at = start * (self._width + 1) + number
            gain, hoped = row.both[at] if start < number else 0.0, row.hope[at + 1]
            if hoped < _DEAD / 2:
                fit &= having
                hoped = gain
            if gain < _DEAD / 2:
                fit &= ~having
            hope += hoped
            gains.append(gain)
            steps.append(gain - hoped)
        return hope, gains, steps, fit

    def _end(self, beginning: _Beginning, rows: list[_Row]) -> float:
        """Return what a pattern promises once the runs that are open meet their images, or the border."""
        starts = beginning.starts[::-1] if self._turned else beginning.starts
        stops = [self._width - start if self._paired else self._width for start in starts]
        return beginning.promise + sum(
            row.alone[_at(start, stop, self._width)]
            for row, start, stop in zip(rows, beginning.starts, stops, strict=True)
            if start < stop
        )

    def _hope(self, both: Promises, row: Promises) -> Promises:
        """Return the best promise of the run from each start in a row that stops at each column or later."""
        hope, side = [0.0] * len(row), self._width + 1
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
        columns = masks + [_reverse(mask, self._height) if self._turned else mask for mask in others]
        stride = self._demands.board.stride
        cells = ((row, number) for number, mask in enumerate(columns) for row in range(self._height) if mask >> row & 1)
        return sum(1 << row * stride + number for row, number in cells)

    def _sort_letters(self, layout: Layout) -> tuple[list[Line], list[Line]]:
        """Return the letters of each row and of each column."""
        across: list[dict[int, str]] = [{} for _ in range(self._height)]
        down: list[dict[int, str]] = [{} for _ in range(self._width)]
        for word, run in layout.placed:
            for cell, letter in zip(run, word, strict=True):
                row, column = divmod(cell, self._demands.board.stride)
                across[row][column] = down[column][row] = letter
        rows, columns = ([tuple(sorted(line.items())) for line in lines] for lines in (across, down))
        return rows, columns

    def _weigh_column(self, layout: Layout, number: int, down: list[Line], price: float) -> _Column:
        board, image = self._demands.board, self._width - 1 - number
        line = board.lines[self._height + number]
        must, never = _pick(layout.blocks, line), _pick(layout.open, line)
        alone = image == number or not self._paired
        key = must, never, alone, down[number], down[image]
        if key not in self._weighed:
            promise = self._weigh_line(self._height, must, never, down[number])
            fits = [each for each in self._all if not each.mask & never and not must & ~each.mask]
            if not alone:
                must, never = (_reverse(mask, self._height) if self._turned else mask for mask in (must, never))
                other = self._weigh_line(self._height, must, never, down[image])
                other = _turn(other, self._height) if self._turned else other
                promise = [one + two for one, two in zip(promise, other, strict=True)]
            elif self._turned:
                fits = [each for each in fits if each.mask == _reverse(each.mask, self._height)]
            weighed = ((sum(promise[slot] for slot in each.slots), each) for each in fits)
            both = 1 if alone else 2
            found = [_Choice(total, both * len(each.rows), each) for total, each in weighed if total > _DEAD / 2]
            found.sort(key=lambda choice: PRICE * choice.blocks - choice.promise)
            self._weighed[key] = found[:TRIED]
        charges = self._sum_charges(number, down)
        priced = *key, price, charges
        if priced not in self._columns:
            self._columns[priced] = self._rank(self._weighed[key], price, dict(charges))
        return self._columns[priced]

    def _rank(self, weighed: list[_Choice], price: float, charges: dict[int, float]) -> _Column:
        choices = [
            _Choice(
                promise - price * blocks - sum([charges[slot] for slot in column.slots if slot in charges]),
                blocks,
                column,
            )
            for promise, blocks, column in weighed
        ]
        choices.sort(reverse=True)
        having = [0] * self._height
        for number, choice in enumerate(choices):
            for row in choice.column.rows:
                having[row] |= 1 << number
        return _Column(choices, having, min((choice.blocks for choice in choices), default=0))

    def _sum_charges(self, number: int, down: list[Line]) -> Charges:
        """Return the charge on the slots of a column, each with its image."""
        image = self._width - 1 - number
        charges = {**self._charges.get((self._height + number, down[number]), {})}
        if image != number and self._paired:
            for run, charge in self._charges.get((self._height + image, down[image]), {}).items():
                mirrored = _mirror(self._height)[run] if self._turned else run
                charges[mirrored] = charges.get(mirrored, 0.0) + charge
        return tuple(charges.items())

    def _weigh_rows(self, layout: Layout, across: list[Line]) -> list[_Row]:
        """Return what the runs of each row promise."""
        lines = self._demands.board.lines[: self._height]
        keys: list[LineKey] = []
        for row, (letters, line) in enumerate(zip(across, lines, strict=True)):
            charges = tuple(self._charges.get((row, letters), {}).items())
            keys.append((_pick(layout.blocks, line), _pick(layout.open, line), letters, charges))
        pairs = [*zip(keys, keys[::-1] if self._turned else keys, strict=True)]
        for key, image in pairs:
            if (key, image) not in self._rows:
                promise = both = self._charge_row(key)
                if self._paired:
                    other = _turn(self._charge_row(image), self._width)
                    both = [max(one + two, _DEAD) for one, two in zip(promise, other, strict=True)]
                self._rows[key, image] = _Row(promise, both, self._hope(both, promise))
        return [self._rows[pair] for pair in pairs]

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
            found, given = [_DEAD] * (cells + 1) ** 2, dict(letters)
            found[0] = found[-1] = 0.0  # no run
            for start in range(cells):
                if start and never >> start - 1 & 1:
                    continue
                fixed: Line = ()
                for stop in range(start + 1, cells + 1):
                    if must >> stop - 1 & 1:
                        break
                    if stop - 1 in given:
                        fixed += ((stop - 1 - start, given[stop - 1]),)
                    if stop - start in self._lengths and not never >> stop & 1:
                        found[_at(start, stop, cells)] = self._weigh_slot(stop - start, fixed)
            self._lines[key] = found
        return self._lines[key]

    def _weigh_slot(self, length: int, fixed: Line) -> float:
        key = length, fixed
        if key not in self._slots:
            count = 1 if len(fixed) == length else self._count_words(length, dict(fixed))
            few = count < (CROSSING_CHOICES if 0 < len(fixed) < length else 1)
            self._slots[key] = _DEAD if few else log(count) - AGREEMENT / 2 * (length - len(fixed))
            self._slots[key] -= CAUTION / count if count and len(fixed) < length else 0.0
            self._slots[key] -= SHORT_PRICE if length == SHORT else 0.0
        return self._slots[key]


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
        start, wall = row + blocks, ((1 << blocks) - 1) << row
        if start == height or start + shortest <= height:
            yield wall
        for stop in range(start + shortest, height):
            yield from (wall | rest for rest in _list_masks(height, shortest, stop, 1))


def _at(start: int, stop: int, cells: int) -> int:
    """Return the index of the run from `start` to before `stop`."""
    return start * (cells + 1) + stop


@lru_cache(4)
def _mirror(cells: int) -> tuple[int, ...]:
    """Return the index of the run that mirrors each run of a line."""
    return tuple(_at(cells - stop, cells - start, cells) for start in range(cells + 1) for stop in range(cells + 1))


def _join(beginning: _Beginning, choice: _Choice, promise: float) -> _Beginning:
    """Return a beginning with one more column."""
    starts = [*beginning.starts]
    for row in choice.column.rows:
        starts[row] = len(beginning.masks) + 1
    return _Beginning(promise, beginning.blocks + choice.blocks, (*beginning.masks, choice.column.mask), tuple(starts))


def _turn(promise: Promises, cells: int) -> Promises:
    """Return for each run of a line the promise of the run that mirrors it."""
    return [promise[run] for run in _mirror(cells)]


def _pick(cells: Cells, line: range) -> int:
    """Return the cells of a line that are in `cells`, as bits."""
    return sum(1 << number for number, cell in enumerate(line) if cells >> cell & 1)


def _reverse(mask: int, height: int) -> int:
    return int(f"{mask:0{height}b}"[::-1], 2)


TELL = 30
"""The candidates to yield before the next layout is drawn."""

PATIENCE = 40
"""The steps without a better pattern after which the next layout is drawn."""

LENIENCE = 1.5
"""The average loss of promise at which the next layout is still kept."""

BARREN = 400
"""The consecutive layouts without a new pattern after which the model takes over."""

USUAL_STARTS = 4
"""The first layouts, which take no liberties and have no more blocks than usual."""

MOST_BLOCKS = 0.195
"""The greatest share of blocks in a grid with a theme: 44 at 15x15."""

DEARER, CHEAPER = 1.3, 1.05
"""The factors by which a block's price rises after a pattern with too many words, and falls after any other."""

LIBERTY = 4.0
"""The cost of a liberty, in the logarithm of the expected fills. A flaw of the pattern costs half of that."""


def design_patterns(
    demands: Demands, blocks: tuple[int, int], told: Container[BlockPattern], chance: Random, deadline: Deadline
) -> Generator[BlockPattern, Blame | None]:
    """Yield different patterns around the seed words, none in `told`, until time is over or no new one is found.

    Send the slots to blame if the last pattern has no fill; later patterns avoid them.
    """
    theme, candidates = Theme(demands), _Candidates(demands, told, chance)
    usual = blocks[1]
    most = usual if demands.blocks else max(usual, ceil(MOST_BLOCKS * demands.height * demands.width))
    usual_fails = False
    for start in count():
        later = start >= USUAL_STARTS
        free = usual_fails or (later and start % 2 == 1)
        here = theme.draw(chance, free=free)
        if here is None and free:
            return
        usual_fails |= here is None
        layout, value, best, stale = here, -inf, -inf, 0
        while here and layout and stale < PATIENCE:
            if candidates.barren == BARREN or deadline.passed:
                return
            promise = candidates.find(layout, (blocks[0], most if later else usual))
            if layout is here or promise >= value - chance.expovariate(1 / LENIENCE):
                here, value = layout, promise
            best, stale = max(best, value), 0 if promise > best else stale + 1
            layout = theme.move(here, chance, free=free)
        yield from candidates.tell(TELL)


class _Candidates:
    """The patterns found but not yet yielded, the most promising first."""

    def __init__(self, demands: Demands, told: Container[BlockPattern], chance: Random) -> None:
        self._demands, self._told, self._search = demands, told, ColumnSearch(demands, chance)
        self._price = PRICE
        """The price of a block; it rises as long as patterns have too many words."""
        self._heap: list[tuple[float, int, Cells, Layout, tuple[int, int]]] = []
        self._seen: set[Cells] = set()
        self.barren = 0
        """The consecutive layouts without a new pattern while there were no candidates."""

    def find(self, layout: Layout, blocks: tuple[int, int]) -> float:
        """Add the best pattern around a layout within a range of blocks; return its promise, -inf without one."""
        promise, pattern = self._find_best(layout, blocks)
        if pattern and pattern not in self._seen and BlockPattern(pattern, layout.placed) not in self._told:
            self._seen.add(pattern)
            heappush(self._heap, (-promise, len(self._seen), pattern, layout, blocks))
        self.barren = 0 if self._heap else self.barren + 1
        return promise

    def tell(self, number: int) -> Generator[BlockPattern, Blame | None]:
        """Yield `number` patterns; if one fails, add the best around its layout that avoids the slots to blame."""
        for _ in range(number):
            if not self._heap:
                return
            _, _, pattern, layout, blocks = heappop(self._heap)
            if blame := (yield BlockPattern(pattern, layout.placed)):
                self._search.charge(layout, blame)
                self.find(layout, blocks)

    def _find_best(self, layout: Layout, blocks: tuple[int, int]) -> tuple[float, Cells]:
        """Return (promise less flaws, best pattern that meets the demands) around a layout; (-inf, 0) without one."""
        demands, most_words = self._demands, estimate_words(self._demands)
        dearer = self._price - PRICE
        found = list(self._search.find(layout, blocks[1], self._price))
        few = [one for one in found if count_slots(demands, one[1]) <= most_words]
        if few:
            self._price = max(PRICE, self._price / CHEAPER)
        elif found:
            self._price *= DEARER
        for promise, pattern in few:
            enough = pattern.bit_count() >= blocks[0]
            if enough and not find_squares(demands.board, pattern) and obeys(demands, pattern):
                flaws = layout.liberties + weigh_flaws(demands, pattern) / 2
                return promise + dearer * pattern.bit_count() - LIBERTY * flaws, pattern
        return -inf, 0
