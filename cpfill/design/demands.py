"""The demands on a grid: its size, its style, its numbers of blocks and words, or a draft with undecided cells."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import (
    MAX_TEXT_BYTES,
    SLOT_LENGTH,
    SLOTS,
    GridError,
    InputError,
    Range,
    expected,
    quote_value,
)
from cpfill.base.files import decode, display_name, read_bytes
from cpfill.base.reading import check_text
from cpfill.base.texts import say
from cpfill.design.board import (
    STYLES,
    Board,
    Style,
    count_short_slots,
    count_usual_words,
    find_cheaters,
    find_inner,
    find_long,
    find_longer,
    find_runs,
    find_squares,
    find_uncrossed,
    has_clue_cells,
    is_lattice,
)
from cpfill.formats.dialects import parse_draft
from cpfill.formats.registry import guess_format, read_puzzle, recognise
from cpfill.puzzle.grid import BLOCK, split_rows
from cpfill.words.wordlist import count_decimals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cpfill.design.board import Cells
    from cpfill.puzzle.grid import CellId, Grid

MAX_GENERATED_SIDE = 60
"""The longest side of a generated grid."""


_COUNTED = Range(0, SLOTS.high)
_BLOCKS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_HALF_PER_CENT = 0.005


def read_blocks(name: str, value: Any) -> tuple[int, int]:
    """Return the least and the greatest number in a text such as `36-40`, in an array of both, or a number alone."""
    if isinstance(value, str):
        match = _BLOCKS.fullmatch(value)
        if not match or int(match[1]) > int(match[2] or match[1]):
            raise expected("a number of blocks such as 38, or a range such as 36-40", f"'{value}'")
        return int(match[1]), int(match[2] or match[1])
    ends = value if isinstance(value, list | tuple) else [value, value]
    if len(ends) != 2:
        raise expected("a number of blocks, or the least and the greatest", quote_value(value))
    for end in ends:
        _COUNTED.check(end, name)
    return ends[0], ends[1]


def read_share(name: str, value: object) -> float:
    """Return the share in a text such as `0.16` or `16%`, or a number."""
    text = check_text(say("a density from 0 to 1, or 0% to 100%"), name, str(value))
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        hint = say(" (is it {text}%?)", text=text) if 1 < share <= 100 and not text.endswith("%") else ""
        raise expected("a density from 0 to 1, or 0% to 100%", f"'{text}'{hint}")
    return share


def find_blocks(share: float, cells: int) -> tuple[int, int]:
    """Return the least and the greatest number of blocks that are this share of the cells."""
    least, most = math.ceil((share - _HALF_PER_CENT) * cells), math.floor((share + _HALF_PER_CENT) * cells)
    return max(0, min(least, math.floor(share * cells))), min(cells, max(most, math.ceil(share * cells)))


@dataclass(frozen=True)
class Demands:
    """The demands on a grid.

    Attributes:
        height: the number of rows.
        width: the number of columns.
        style: the rules for its blocks.
        blocks: the least and the greatest number of blocks; by default the usual number in the style, or any number
            for small grids without such a pattern.
        max_words: the greatest number of slots.
        seed_words: folded words; each stands as given letters in a slot of its length.
        lengths: the allowed lengths of slots; by default any.
        count_words: returns the number of words of a length with given letters by position. With it, growth leaves a
            choice of words to every slot that crosses a seed word.
        alphabet: the letters.
        draft: a grid of that size and alphabet to complete.
        pool: folded words that may stand in the grid, seed words too, each with its weight.

    Raises:
        InputError: a number is out of range, a word fits nowhere, or the draft does not suit the style.
    """

    height: int
    width: int
    style: Style = STYLES["american"]
    blocks: tuple[int, int] | None = None
    max_words: int | None = None
    seed_words: tuple[str, ...] = ()
    lengths: frozenset[int] | None = None
    alphabet: Alphabet = field(default_factory=Alphabet)
    count_words: Callable[[int, Mapping[int, str]], int] | None = field(default=None, compare=False)
    draft: Draft | None = None
    pool: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        longest = max(self.height, self.width)
        shortest = self.style.min_slot_length
        self._check_size(shortest, longest)
        self._check_blocks()
        if self.max_words is not None:
            SLOTS.check(self.max_words, "max_words")
        self._check_seed_words(shortest, longest)
        if self.draft:
            self._check_draft(self.draft.grid)

    def _check_size(self, shortest: int, longest: int) -> None:
        if not (1 <= self.height <= MAX_GENERATED_SIDE and 1 <= self.width <= MAX_GENERATED_SIDE):
            raise expected("a size from 1x1 to {most}x{most}", self.size, most=MAX_GENERATED_SIDE)
        if self.style.symmetry.needs_square and self.height != self.width:
            raise expected("a square for the symmetry {symmetry}", self.size, symmetry=self.style.symmetry)
        SLOT_LENGTH.check(shortest, "min_slot_length")
        if shortest > longest:
            raise expected("a side of at least {shortest}, as long as the shortest slot", self.size, shortest=shortest)
        if self.style.barred and shortest == 1:
            raise expected("slots of 2 cells or more in a barred grid", "1")

    def _check_blocks(self) -> None:
        if self.blocks is None:
            return
        least, most = self.blocks
        if self.style.barred and least > 0:
            raise expected("a barred grid without blocks", say("{blocks} blocks", blocks=least))
        cells = self.height * self.width
        if not 0 <= least <= most <= cells:
            got = quote_value(least)
            if most != least:
                got += f"-{quote_value(most)}"
            raise expected("blocks from 0 to the {n} cells of {size}", got, n=cells, size=self.size)

    def _check_draft(self, grid: Grid) -> None:
        if (grid.height, grid.width) != (self.height, self.width):
            got = f"{grid.height}x{grid.width}"
            raise expected("a draft of {size}, the size of the grid", got, size=self.size)
        if grid.alphabet != self.alphabet:
            raise expected("a draft over the alphabet {letters}", grid.alphabet.letters, letters=self.alphabet.letters)
        if self.style.barred and BLOCK in grid.cells:
            raise expected("a draft without blocks, for a barred grid", str(grid.cells.count(BLOCK)))
        if grid.bars and not self.style.barred:
            raise expected("a draft without bars, for a grid with blocks", str(len(grid.bars)))

    def _check_seed_words(self, shortest: int, longest: int) -> None:
        for index, word in enumerate(self.seed_words):
            if not max(2, shortest) <= len(word) <= longest:
                raise expected(
                    "a seed word of {value} to {longest} letters, as slots of {size} have",
                    say("'{word}', of {word2}", word=word, word2=len(word)),
                    value=max(2, shortest),
                    longest=longest,
                    size=self.size,
                )
            foreign = self.alphabet.foreign(word)
            if foreign:
                raise expected("a seed word over the alphabet {letters}", f"'{foreign}'", letters=self.alphabet.letters)
            if word in self.seed_words[:index]:
                raise expected("each seed word once", say("{word} twice", word=word))
        if self.max_words is not None and len(self.seed_words) > self.max_words:
            raise expected(
                "at most {max_words} seed words, as many as words", str(len(self.seed_words)), max_words=self.max_words
            )

    @property
    def size(self) -> str:
        """The size as text, such as `15x15`."""
        return f"{quote_value(self.height)}x{quote_value(self.width)}"

    @cached_property
    def board(self) -> Board:
        """The cells."""
        return Board(self.height, self.width)

    @cached_property
    def fixed(self) -> tuple[Cells, Cells]:
        """The cells that a draft requires to be blocks and those it requires to be open, with their symmetric images.

        If a cell is in both, no grid completes the draft.
        """
        if self.draft is None:
            return 0, 0
        blocks = open_ = 0
        for cell, letters in enumerate(self.draft.grid.cells):
            if letters == BLOCK:
                blocks |= 1 << self.find_bit(cell)
            elif cell not in self.draft.undecided:
                open_ |= 1 << self.find_bit(cell)
        return self.board.close(blocks, self.style.symmetry), self.board.close(open_, self.style.symmetry)

    def find_bit(self, cell: CellId) -> int:
        """Return the bit number of a cell."""
        return cell // self.width * self.board.stride + cell % self.width

    @cached_property
    def given(self) -> dict[int, int]:
        """The letter sets of a draft, by the bit number of the cell, without those of all letters."""
        if self.draft is None:
            return {}
        free = {BLOCK, self.alphabet.full}
        return {self.find_bit(cell): each for cell, each in enumerate(self.draft.grid.cells) if each not in free}

    def may_stand(self, word: str, cells: range) -> bool:
        """Return whether a draft lets a word stand in some cells, given by their bit numbers."""
        if any(self.fixed[0] >> cell & 1 for cell in cells):
            return False
        letters = zip(cells, map(self.alphabet.letter_set, word), strict=True)
        return all(letter & self.given.get(cell, letter) for cell, letter in letters)

    @property
    def own_words(self) -> frozenset[str]:
        """The words that may stand in the grid even if no list has them: seed words, and the words of a draft."""
        words = frozenset(self.seed_words)
        if self.draft:
            words |= self.draft.given_words
        return words

    @cached_property
    def units(self) -> dict[str, int]:
        """The weight of each word of the pool, in the greatest unit that makes all of them whole."""
        return {word: round(weight * self.per_unit) for word, weight in self.pool}

    @cached_property
    def per_unit(self) -> int:
        """The units of a weight of 1."""
        decimals = max((count_decimals(weight) for _, weight in self.pool), default=0)
        return int(10**decimals)

    @cached_property
    def longest(self) -> int:
        """The greatest allowed length of a slot, or 0 if no length is allowed."""
        sides = range(self.style.min_slot_length, max(self.height, self.width) + 1)
        if self.lengths is None:
            return sides[-1]
        return max(self.lengths.intersection(sides), default=0)

    @cached_property
    def lacking(self) -> tuple[int, ...]:
        """The lengths below the greatest that the style allows but `lengths` does not."""
        if self.lengths is None:
            return ()
        below = range(self.style.min_slot_length, self.longest)
        return tuple(length for length in below if length not in self.lengths)

    @property
    def block_ranges(self) -> list[tuple[int, int]]:
        """The ranges of the number of blocks, in the order in which to try them."""
        if self.blocks is not None:
            return [self.blocks]
        cells = self.height * self.width
        low, high = self.style.usual
        return [(math.floor(low * cells), math.ceil(high * cells)), (0, cells)]


@dataclass(frozen=True)
class Draft:
    """A grid to complete: undecided cells are open in it and may become blocks; everything else stays."""

    grid: Grid
    undecided: frozenset[CellId]

    @cached_property
    def given_words(self) -> frozenset[str]:
        """The runs of given letters, across or down; each of them may become a word."""
        members = map(self.grid.alphabet.members, self.grid.cells)
        rows = split_rows([each if len(each) == 1 else " " for each in members], self.grid.width)
        columns = zip(*rows, strict=True)
        runs = " ".join(map("".join, [*rows, *columns])).split()
        return frozenset(run for run in runs if len(run) > 1)


TOLERATED = 4
"""The greatest weight of flaws that is good enough: that of two pairs of cheaters."""

GRAVE = 5
"""The weight of a grave flaw, where a cheater weighs 1: it is reason enough to draw a new pattern."""

PAIRS_OF_ARROWS = 5
"""One word in this many of an arrowword may have two letters."""


def obeys(demands: Demands, blocks: Cells) -> bool:
    """Return whether there is a slot, and blocks with the style's symmetry obey its other rules."""
    board = demands.board
    style = demands.style
    open_ = board.full & ~blocks
    if not count_slots(demands, blocks) or _has_forbidden_runs(demands, open_):
        return False
    if style.apart and (blocks & board.around(blocks) or blocks & board.corners):
        return False
    if style.lattice and not is_lattice(board, blocks):
        return False
    if style.clue_cells and not has_clue_cells(board, blocks):
        return False
    return not style.connected or _is_connected(demands, open_)


def _is_connected(demands: Demands, open_: Cells) -> bool:
    """Return whether open cells are connected, and none of them is alone where slots have two cells."""
    board = demands.board
    if demands.style.min_slot_length > 1 and open_ & ~board.around(open_):
        return False
    return board.is_connected(open_)


def _has_forbidden_runs(demands: Demands, open_: Cells) -> bool:
    for step in demands.board.steps:
        for length in demands.style.forbidden_runs:
            if find_runs(open_, step, length):
                return True
    return False


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
    found = 0
    for step in board.steps:
        found += find_longer(open_, step, demands.longest).bit_count()
        for length in demands.lacking:
            found += find_runs(open_, step, length).bit_count()
    return found


def weigh_flaws(demands: Demands, blocks: Cells, to_come: int = 0) -> int:
    """Return the total weight of the flaws of a pattern.

    `to_come` is the number of blocks still to be added: each adds at least one word, or is a flaw itself.
    """
    board = demands.board
    style = demands.style
    if not style.connected:
        return 0
    found = GRAVE * (count_misfits(demands, blocks) + find_squares(board, blocks).bit_count())
    if style.clue_cells:
        return found + _weigh_arrow_flaws(demands, blocks)
    if not (style.checked or style.lattice):
        return found
    excess = count_slots(demands, blocks) + to_come - estimate_words(demands)
    if style.checked:
        return found + find_cheaters(board, blocks).bit_count() + GRAVE * max(0, excess)
    threes, poor = count_short_slots(board, blocks)
    return found + abs(excess) + threes + 2 * poor + find_inner(board, find_inner(board, blocks)).bit_count()


def _weigh_arrow_flaws(demands: Demands, blocks: Cells) -> int:
    """Return the weight of the flaws that only arrowwords have."""
    board = demands.board
    adjacent = sum((blocks & blocks >> step).bit_count() for step in board.steps)
    pairs = sum(find_runs(board.full & ~blocks, step, 2).bit_count() for step in board.steps)
    excess = max(0, pairs - count_slots(demands, blocks) // PAIRS_OF_ARROWS)
    uncrossed = find_uncrossed(board, blocks).bit_count()
    return excess + adjacent + uncrossed + find_long(board, blocks).bit_count()


def estimate_words(demands: Demands) -> int:
    """Return the usual maximum for an American grid, the usual number for a British one; `max_words` caps both."""
    usual = count_usual_words(demands.style, demands.height, demands.width)
    return min(usual, demands.max_words or usual)


def read_draft(
    source: str | os.PathLike[str] | Sequence[str], *, alphabet: Alphabet | None = None, min_slot_length: int = 2
) -> Draft:
    """Return the draft in a file, in its rows, or in a text of several lines.

    It is native text in which `?` is an undecided cell, or a puzzle file, which has no undecided cells.

    Raises:
        InputError: the file does not exist, or holds no grid, an invalid one or several.
    """
    alphabet = alphabet or Alphabet()
    if not isinstance(source, os.PathLike) and (not isinstance(source, str) or "\n" in source):
        text = source if isinstance(source, str) else "\n".join(source)
        return Draft(*parse_draft(text, alphabet=alphabet, min_slot_length=min_slot_length))
    data = read_bytes(source, GridError)
    name = display_name(source)
    kind = guess_format(name)
    if kind is None:
        try:
            text = decode(data, name, GridError, MAX_TEXT_BYTES)
            return Draft(*parse_draft(text, name=name, alphabet=alphabet, min_slot_length=min_slot_length))
        except InputError:
            kind = recognise(data)
            if kind == "native":
                raise
    return Draft(read_puzzle(data, name, kind).grid(alphabet, min_slot_length, name), frozenset())
