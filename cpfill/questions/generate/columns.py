"""Patterns around a theme, built column by column: those that promise the most fills.

Let words(s) be the number of words for slot s, given its theme letters. Then about

    Σ_s ln words(s) - AGREEMENT · crossings

is the logarithm of the expected number of fills, because the two letters that meet in a crossing agree one time in
e^AGREEMENT ≈ 15. Half of each crossing is charged to each of its two slots, so the value is a sum over slots. A slot
down counts with its column, a slot across once a block ends it. A beam search goes through the columns of one half of
the grid; the symmetry gives the other half. It keeps the best beginnings and extends them by every arrangement of
blocks in the next column, all in one matrix product.

The sum cannot tell whether the words of one corner agree. So slots with few words promise less than their logarithm,
and if a pattern has no fill, the slots to blame promise less from then on.

The whole search draws a layout, then improves it: it moves an entry or a pair, and keeps the step if the best pattern
around the new layout promises more, or not much less. Every pattern on the way is a candidate. Then it yields the best
candidates that are new. If one has no fill, the slots to blame are charged, and the best pattern around the same layout
becomes a candidate again. The first layouts are as constructors draw them; later, every other one takes liberties.
"""

from __future__ import annotations

import math
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count, pairwise
from math import ceil, inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cpfill.questions.generate.board import BlockPattern, Symmetry, find_squares
from cpfill.questions.generate.demands import count_slots, estimate_words, obeys, weigh_flaws
from cpfill.questions.generate.growth import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from numpy.typing import NDArray

    from cpfill.questions.generate.board import Blame, Cells
    from cpfill.questions.generate.demands import Demands
    from cpfill.questions.generate.growth import Layout

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Line = tuple[tuple[int, str], ...]
    """The letters of a line by position."""
    from collections.abc import Container, Generator

    from cpfill.problem.result import Deadline

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
_KEPT = 20_000


class _Arrangements(NamedTuple):
    """All arrangements of blocks in a column.

    Attributes:
        masks: the blocks as bits, row 0 the lowest.
        bits: the same as 0 and 1, one per row of the grid.
        slots: the remaining slots, as indices from `_at`, padded with 0, which stands for no slot.
        turned: whether the column is its own mirror image.
    """

    masks: Ints
    bits: Floats
    slots: Ints
    turned: NDArray[np.bool_]


class _Column(NamedTuple):
    """The possible arrangements of a column and its image: the promise, the number and the blocks of each."""

    promise: Floats
    numbers: Ints
    blocks: Ints


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
        self._random = np.random.default_rng(chance.getrandbits(32))
        self._slots: dict[tuple[int, Line], float] = {}
        self._lines: dict[tuple[int, int, int, Line], Floats] = {}
        self._columns: dict[tuple[int, int, bool, Line, Line], _Column] = {}
        self._charges: dict[tuple[int, Line], Floats] = {}  # by the number of a line of the board

    def find(self, layout: Layout, most: int, price: float = PRICE) -> Iterator[tuple[float, Cells]]:
        """Yield (promise, pattern) for patterns of at most `most` blocks around a layout, best first.

        The promise is reduced by the `price` of each block.
        """
        for memo in (self._lines, self._columns, self._charges):
            if len(memo) > _KEPT:
                memo.clear()
        across, down = self._sort_letters(layout)
        columns = []
        for number in sorted(range(self._searched), key=lambda number: -len(down[number])):
            column = self._weigh_column(layout, number, down)
            if not len(column.numbers):
                return
            columns.append((number, column._replace(promise=column.promise - self._sum_charges(column, number, down))))
        least = [int(column.blocks.min()) for _, column in sorted(columns)]
        if sum(least) > most:
            return
        rows = self._weigh_rows(layout, across)
        priced = [column._replace(promise=column.promise - price * column.blocks) for _, column in sorted(columns)]
        yield from self._search(priced, rows, least, most)

    def charge(self, layout: Layout, blame: Blame) -> None:
        """Lower the promise of slots from now on, in every line with the same letters."""
        across, down = self._sort_letters(layout)
        for slot, share in blame.items():
            row, column = divmod(slot[0], self._width)
            if slot[1] == slot[0] + 1:
                cells, key, start = self._width, (row, across[row]), column
            else:
                cells, key, start = self._height, (self._height + column, down[column]), row
            charges = self._charges.setdefault(key, np.zeros((cells + 1) ** 2))
            charges[_at(start, start + len(slot), cells)] += CHARGE * share

    def _search(
        self, columns: list[_Column], rows: Floats, least: list[int], most: int
    ) -> Iterator[tuple[float, Cells]]:
        """Search column by column; `rows` has the promise of each run in each row, `least` each column's blocks."""
        every, width = np.arange(self._height), self._width
        images = np.array([_turn(row, width) for row in (rows[::-1] if self._turned else rows)])
        both = np.maximum(rows + images, _DEAD) if self._paired else rows
        hope = self._hope(both, rows)
        starts = np.zeros((1, self._height), dtype=np.int64)  # of the open run of each beginning in each row
        score, blocks, last = np.zeros(1), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        path = np.zeros((1, 0), dtype=np.int64)
        for number, column in enumerate(columns):
            masks, bits = self._all.masks[column.numbers], self._all.bits[column.numbers]
            ended = np.where(starts < number, both[every, starts * (width + 1) + number], 0.0)
            total = score[:, None] + ended @ bits.T + column.promise
            taken = blocks[:, None] + column.blocks
            beside = masks & last[:, None]
            total = np.where((beside & beside >> 1 > 0) | (taken > most - sum(least[number + 1 :])), -np.inf, total)
            hoped = total + hope[every, starts, number + 1] @ (1 - bits.T)
            noisy = (hoped + self._random.gumbel(size=total.shape)).ravel()
            kept = np.argpartition(-noisy, min(WIDTH, noisy.size) - 1)[:WIDTH]
            kept = kept[noisy[kept] > _DEAD / 2]
            if not len(kept):
                return
            before, chosen = np.divmod(kept, len(masks))
            score, blocks, last = total.ravel()[kept], taken.ravel()[kept], masks[chosen]
            starts = np.where(bits[chosen] > 0, number + 1, starts[before])
            path = np.concatenate([path[before], masks[chosen][:, None]], axis=1)
        stops = width - (starts[:, ::-1] if self._turned else starts) if self._paired else np.full_like(starts, width)
        score = score + np.where(starts < stops, rows[every, starts * (width + 1) + stops], 0.0).sum(axis=1)
        for best in np.argsort(-score):
            if score[best] < _DEAD / 2:
                return
            yield float(score[best]), self._draw_pattern(path[best].tolist())

    def _hope(self, both: Floats, rows: Floats) -> Floats:
        """Return the best promise of the run from each start in a row that stops at each column or later."""
        stops = np.arange(self._width + 1)
        shape = self._height, self._width + 1, self._width + 1
        best = np.where(stops <= self._searched, both.reshape(shape), rows.reshape(shape))
        hope: Floats = np.maximum.accumulate(best[:, :, ::-1], axis=2)[:, :, ::-1]
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

    def _weigh_column(self, layout: Layout, number: int, down: list[Line]) -> _Column:
        board, image = self._demands.board, self._width - 1 - number
        line = board.lines[self._height + number]
        must, never = _pick(layout.blocks, line), _pick(layout.open, line)
        alone = image == number or not self._paired
        key = must, never, alone, down[number], down[image]
        if key not in self._columns:
            masks = self._all.masks
            possible = (masks & never == 0) & (must & ~masks == 0)
            promise = self._weigh_line(self._height, must, never, down[number])
            if not alone:
                must, never = (_reverse(mask, self._height) if self._turned else mask for mask in (must, never))
                other = self._weigh_line(self._height, must, never, down[image])
                promise = promise + (_turn(other, self._height) if self._turned else other)
            if alone and self._turned:
                possible &= self._all.turned
            numbers = np.nonzero(possible)[0]
            total = promise[self._all.slots[numbers]].sum(axis=1)
            numbers, total = numbers[total > _DEAD / 2], total[total > _DEAD / 2]
            blocks = self._all.bits[numbers].sum(axis=1).astype(np.int64) * (1 if alone else 2)
            best = np.argsort(PRICE * blocks - total)[:TRIED]
            numbers, total, blocks = numbers[best], total[best], blocks[best]
            self._columns[key] = _Column(total, numbers, blocks)
        return self._columns[key]

    def _sum_charges(self, column: _Column, number: int, down: list[Line]) -> Floats | float:
        """Return the charge on the slots of each arrangement of a column and its image."""
        image = self._width - 1 - number
        own = self._charges.get((self._height + number, down[number]))
        other = self._charges.get((self._height + image, down[image])) if image != number and self._paired else None
        if other is not None and self._turned:
            other = _turn(other, self._height)
        slots = self._all.slots[column.numbers]
        return sum((charges[slots].sum(axis=1) for charges in (own, other) if charges is not None), start=0.0)

    def _weigh_rows(self, layout: Layout, across: list[Line]) -> Floats:
        """Return the promise of each run of each row."""
        lines = self._demands.board.lines[: self._height]
        sides = [(_pick(layout.blocks, line), _pick(layout.open, line)) for line in lines]
        return np.array(
            [
                self._weigh_line(self._width, *side, letters) - self._charges.get((row, letters), 0.0)
                for row, (side, letters) in enumerate(zip(sides, across, strict=True))
            ]
        )

    def _weigh_line(self, cells: int, must: int, never: int, letters: Line) -> Floats:
        """Return the promise of each run of a line; `must` are cells that are blocks, `never` cells that are not."""
        key = cells, must, never, letters
        if key not in self._lines:
            found, given = np.full((cells + 1) ** 2, _DEAD), dict(letters)
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
            self._slots[key] = _DEAD if few else math.log(count) - AGREEMENT / 2 * (length - len(fixed))
            self._slots[key] -= CAUTION / count if count and len(fixed) < length else 0.0
            self._slots[key] -= SHORT_PRICE if length == SHORT else 0.0
        return self._slots[key]


@lru_cache(4)
def _arrange(height: int, shortest: int) -> _Arrangements:
    masks = list(_list_masks(height, shortest))
    bits = np.array([[mask >> row & 1 for row in range(height)] for mask in masks], dtype=np.float64)
    slots = np.zeros((len(masks), (height + 1) // (shortest + 1)), dtype=np.int64)
    for number, mask in enumerate(masks):
        walls = [-1, *(row for row in range(height) if mask >> row & 1), height]
        left = [_at(above + 1, below, height) for above, below in pairwise(walls) if below > above + 1]
        slots[number, : len(left)] = left
    turned = np.array([mask == _reverse(mask, height) for mask in masks])
    return _Arrangements(np.array(masks, dtype=np.int64), bits, slots, turned)


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


def _turn(promise: Floats, cells: int) -> Floats:
    """Return for each run of a line the promise of the run that mirrors it."""
    return promise.reshape(cells + 1, cells + 1)[::-1, ::-1].T.ravel()


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
