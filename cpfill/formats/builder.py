"""Collect the rows of grids and all their faults, which are reported at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain

from cpfill.base.alphabet import MAX_LETTERS, Alphabet
from cpfill.base.errors import MAX_ANSWER, MAX_CELLS, MAX_GRIDS, MAX_SIDE, Fault, GridError
from cpfill.base.texts import say
from cpfill.puzzle.grid import BLOCK, Grid
from cpfill.puzzle.parts import find_bars

MAX_FAULTS = 10
"""A file in another format is wrong everywhere; ten lines say so."""


_EMPTY_ELSEWHERE = frozenset("?_-")
"""How people and other programs write empty cells."""


@dataclass
class _Signs:
    """Cells with signs that a dialect does not know: the place of the first, and the number of each."""

    expected: str
    line: int
    column: int
    cells: Counter[str] = field(default_factory=Counter)

    def make_fault(self, path: str, empty: str) -> Fault:
        """Return one fault for all these cells."""
        got = ", ".join(map(_quote_sign, sorted(self.cells)[:5]))
        if len(self.cells) > 5:
            got += ", …"
        if self.cells.total() > 1:
            got += say(" in {total} cells", total=self.cells.total())
        if _EMPTY_ELSEWHERE & self.cells.keys():
            got += say(" (an empty cell is '{empty}')", empty=empty)
        return Fault(self.expected, got, path, self.line, self.column)


def _quote_sign(sign: str) -> str:
    if sign.isprintable():
        return f"'{sign}'"
    return ascii(sign)


class GridBuilder:
    """Takes rows of cells from a dialect; `end_grid` closes a grid, `finish` checks and returns them all.

    `empty` is how the dialect writes an empty cell; `undecided` is a sign for an open cell that is noted in the set
    `undecided`, by row and column.
    """

    def __init__(
        self, alphabet: Alphabet, min_slot_length: int, path: str, empty: str, undecided: str | None = None
    ) -> None:
        self.alphabet = alphabet
        self._min_slot_length = min_slot_length
        self._path = path
        self._empty = empty
        self._undecided_sign = undecided
        self.undecided: set[tuple[int, int]] = set()
        self._faults: list[Fault | _Signs] = []
        self._signs: dict[str, _Signs] = {}
        self._done: list[Grid] = []
        self._rows: list[list[int]] = []
        self._bars: list[tuple[int, int, str]] = []
        self._first_line = 1
        self._rebus: dict[tuple[int, int], str] = {}  # by row and column
        self._cells = 0
        self._letters: dict[str, int] = {}
        self._abandoned = False

    def add_fault(self, expected: str, got: str, line: int | None = None, column: int | None = None) -> None:
        """Note a fault at a line and column, both from 1."""
        self._note(Fault(expected, got, self._path, line, column))

    def _note(self, fault: Fault | _Signs) -> None:
        self._faults.append(fault)
        if len(self._faults) == MAX_FAULTS:
            raise self._make_error()

    def _make_error(self) -> GridError:
        faults = []
        for fault in self._faults:
            if isinstance(fault, _Signs):
                faults.append(fault.make_fault(self._path, self._empty))
            else:
                faults.append(fault)
        return GridError(*faults)

    def begin_row(self, line: int) -> None:
        """Begin a row, read from this line of the file."""
        if not self._rows:
            self._first_line = line
        self._rows.append([])

    def abandon_row(self) -> None:
        """Drop a row in which a fault hides the number of cells."""
        self._abandoned = True

    def end_row(self, line: int, width: int | None = None) -> None:
        """End a row; it must be as long as `width`, or else as the grid's first row."""
        cells = len(self._rows[-1])
        if len(self._rows) > MAX_SIDE or cells > MAX_SIDE:
            got = say("{rows} columns", rows=cells) if cells > MAX_SIDE else say("more rows")
            self.add_fault(say("a grid of at most {most} rows and columns", most=MAX_SIDE), got, self._first_line)
            raise self._make_error()
        if self._abandoned:
            self._abandoned = False
            self._rows.pop()
            return
        wanted = len(self._rows[0]) if width is None else width
        if cells == wanted:
            return
        source = say("as the header says")
        if width is None:
            source = say("as line {first_line} has", first_line=self._first_line)
        self.add_fault(say("a row of {wanted} cells, {source}", wanted=wanted, source=source), f"{cells}", line)

    def add_block(self) -> None:
        self._rows[-1].append(BLOCK)

    def add_empty(self) -> None:
        """Add a cell that may hold any letter."""
        self._rows[-1].append(self.alphabet.full)

    def add_given(self, char: str, line: int, column: int, expected: str) -> None:
        """Add a given; `expected` names the characters that the dialect knows, for the fault if this is unknown."""
        if char == self._undecided_sign:
            self.undecided.add((len(self._rows) - 1, len(self._rows[-1])))
            self.add_empty()
            return
        self._rows[-1].append(self._find_letter(char, line, column, expected))

    def add_letter_set(self, chars: str, line: int, column: int) -> None:
        """Add a cell that may hold any of some letters."""
        if len(chars) > MAX_LETTERS:
            self.add_fault(say("at most {most} letters inside '[…]'", most=MAX_LETTERS), str(len(chars)), line, column)
            chars = chars[:1]
        letters = 0
        for offset, char in enumerate(chars, start=1):
            letters |= self._find_letter(char, line, column + offset, say("a letter inside '[…]'"))
        if not chars:
            self.add_fault(say("at least one letter inside '[…]'"), say("an empty letter set"), line, column)
        self._rows[-1].append(letters or self.alphabet.full)

    def add_rebus(self, chars: str, line: int, column: int) -> None:
        """Add a cell with several given letters; a single letter is an ordinary given."""
        row = self._rows[-1]
        if len(chars) > MAX_ANSWER:
            self.add_fault(say("at most {most} letters inside '(…)'", most=MAX_ANSWER), str(len(chars)), line, column)
            chars = chars[:1]
        if not chars:
            self.add_fault(say("at least one letter inside '(…)'"), say("none"), line, column)
        letters = []
        for offset, char in enumerate(chars, start=1):
            letter = self._find_letter(char, line, column + offset, say("a letter inside '(…)'"))
            letters.append(self.alphabet.members(letter))
        if len(letters) == 1:
            row.append(self.alphabet.letter_set(letters[0]))
            return
        if letters:
            self._rebus[len(self._rows) - 1, len(row)] = "".join(letters)
        row.append(self.alphabet.full)

    def add_bar(self, index: int, side: str) -> None:
        """Add a bar on a side of a cell of the last row, right (`R`) or bottom (`B`); the border has none."""
        self._bars.append((len(self._rows) - 1, index, side))

    def _find_letter(self, char: str, line: int, column: int, expected: str) -> int:
        if char in self._letters:
            return self._letters[char]
        letter = self.alphabet.fold(char)
        if letter in self.alphabet.codes:
            self._letters[char] = self.alphabet.letter_set(letter)
            return self._letters[char]
        if char.isalpha():
            self.add_fault(
                say("a letter of the alphabet"),
                say("'{char}', which is not in {letters}", char=char, letters=self.alphabet.letters),
                line,
                column,
            )
        elif expected not in self._signs:
            self._signs[expected] = _Signs(expected, line, column, Counter([char]))
            self._note(self._signs[expected])
        else:
            self._signs[expected].cells[char] += 1
        return self.alphabet.full

    def end_grid(self) -> None:
        """Close the grid, if any of its rows has been read."""
        if not self._rows:
            return
        self._cells += sum(map(len, self._rows))
        if len(self._done) == MAX_GRIDS or self._cells > MAX_CELLS:
            self.add_fault(
                say("at most {most} grids, of {most2} cells together", most=MAX_GRIDS, most2=MAX_CELLS),
                say("more"),
                self._first_line,
            )
            raise self._make_error()
        if not self._faults:
            grid = self._make_grid()
            if not grid.slots:
                least = grid.min_slot_length
                wanted = say("at least one slot: {min_slot_length} open cells in a row", min_slot_length=least)
                self.add_fault(wanted, say("none"), self._first_line)
            self._done.append(grid)
        self._rows = []
        self._bars = []
        self._rebus = {}

    def _make_grid(self) -> Grid:
        width = len(self._rows[0])
        cells = tuple(chain.from_iterable(self._rows))
        sides = ((row * width + index, side) for row, index, side in self._bars)
        bars = find_bars(sides, width, len(cells))
        rebus = {row * width + column: letters for (row, column), letters in self._rebus.items()}
        return Grid(len(self._rows), width, cells, self.alphabet, self._min_slot_length, bars=bars, rebus=rebus)

    def finish(self) -> list[Grid]:
        self.end_grid()
        if not self._done and not self._faults:
            self.add_fault(say("a grid"), say("none"))
        if self._faults:
            raise self._make_error()
        return self._done
