"""Text grids in any dialect: which one a text is in, the grids in it, and a fill written back.

native    `#` block, `.` empty, a letter given, `[ABC]` a letter set, `(ABC)` a rebus cell with that given. Blank lines
          part several grids. In a grid with bars the cells stand apart. A `|` between two cells is a bar, and so is a
          `-` under one, in a line between its row and the next:

              C A T|S
                - -
              O N E S

remy      Didier Rémy's: `0` block, `1` empty. A fill is written in lower case; a blank line parts it from the next.
beacham   Beacham's: `*` block, `_` empty; parentheses and spaces mean nothing.
upmc      that of the UPMC assignment: cells separated by spaces, `1` block, `0` empty. A header `H W` may stand before
          a grid. Several grids follow one another, each with its header, and `0 0` ends them.
grl       a header `H W`, then rows with `*` for a block, a blank for an empty cell. Blanks at the end of a row may be
          missing, and blank rows at the end of the file. Blank lines and another header may follow a grid.
"""

from __future__ import annotations

import re
from itertools import chain, groupby
from typing import TYPE_CHECKING

from cpfill.base.alphabet import Alphabet, compose
from cpfill.base.errors import (
    MAX_LINES,
    MAX_ROW,
    MAX_SIDE,
    FormatError,
    GridError,
    check_type,
    expected,
    unknown_name,
    wrong_type,
)
from cpfill.base.texts import later, say
from cpfill.formats.builder import GridBuilder
from cpfill.puzzle.grid import Bar, CellId, Grid, split_rows
from cpfill.puzzle.parts import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence


_HEADER = re.compile(r"\s*(\d{1,9})\s+(\d{1,9})\s*", re.ASCII)


def _parse_header(line: str) -> tuple[int, int] | None:
    """Return the two numbers that a line consists of, if it does."""
    match = _HEADER.fullmatch(line)
    if match:
        return (int(match[1]), int(match[2]))
    return None


class Dialect:
    """A dialect with a sign for a block and one for an empty cell; blank lines part grids.

    Attributes:
        name: the name it has in the registry.
        block: the sign of a block.
        empty: the sign of an empty cell.
        keeps: the parts of a puzzle that it has a place for, beside the cells.
    """

    keeps = frozenset[PuzzlePart]()

    def __init__(self, name: str, signs: str, cells: str, *, ignored: str = "", small: bool = False) -> None:
        self.name = name
        self.block = signs[0]
        self.empty = signs[1]
        self.cells = cells
        self._ignored = ignored
        self._small = small

    def recognises(self, lines: Sequence[str]) -> bool:
        """Return whether these lines, which neither begin nor end blank, have signs of this dialect alone."""
        signs = {self.block, self.empty}
        chars = set[str]().union(*(line.strip() for line in lines)).difference(self._ignored)
        return all(char in signs or char.isalpha() for char in chars) and not chars.isdisjoint(signs)

    def read(self, lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
        """Feed the numbered lines to the builder; faults are reported to it too."""
        for number, line in lines:
            row = line.rstrip()
            if not row:
                builder.end_grid()
                continue
            cells = [(at, char) for at, char in enumerate(row, start=1) if char not in self._ignored]
            if cells:
                self._read_row(number, cells, builder)

    def _read_row(
        self, number: int, cells: Iterable[tuple[int, str]], builder: GridBuilder, width: int | None = None
    ) -> None:
        """Read the cells of a row, each with its column in the text."""
        builder.begin_row(number)
        for column, char in cells:
            if char == self.block:
                builder.add_block()
            elif char == self.empty:
                builder.add_empty()
            elif len(char) == 1:
                builder.add_given(char, number, column, say(self.cells))
            else:
                builder.add_empty()
                builder.add_fault(say("cells of one character, separated by spaces"), f"'{char}'", number, column)
        builder.end_row(number, width)

    def write(self, rows: Sequence[Sequence[str]], bars: Collection[Bar] = ()) -> str:  # noqa: ARG002 - see `Native`
        """Return rows of letters, an empty string for a block, as lines of text."""
        signs = {letter: letter or self.block for letter in chain.from_iterable(rows)}
        if self._small:  # a letter without a small letter of its own, such as ẞ, stays
            signs |= {sign: sign.lower() for sign in signs if sign and sign.lower().upper() == sign}
        lines = ("".join(map(signs.__getitem__, row)) for row in rows)
        return "".join(f"{line}\n" for line in lines)


class Grl(Dialect):
    """The dialect whose header counts the rows that follow, blank ones too."""

    def recognises(self, lines: Sequence[str]) -> bool:
        """Return whether headers are followed by rows of `*`, blanks and letters, none longer than they say."""
        if not _HEADER.fullmatch(lines[0]):
            return False
        width = 0
        for (_, line), header in self._find_headers(list(enumerate(lines))):
            if header:
                width = header[1]
            elif len(line) > width or not all(char in "* " or char.isalpha() for char in set(line)):
                return False
        return True

    @staticmethod
    def _find_headers(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[tuple[int, str], tuple[int, int] | None]]:
        """Yield the lines except those between grids, each with its height and width if it is a header."""
        rows_to_come = 0
        for number, line in lines:
            if rows_to_come:
                rows_to_come -= 1
                yield (number, line), None
                continue
            header = _parse_header(line)
            if header:
                rows_to_come = header[0]
            if header or line.strip():
                yield (number, line), header

    def read(self, lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
        height = width = rows = number = 0
        for (number, line), header in self._find_headers(lines):
            if header:
                builder.end_grid()
                height, width = header
                rows = 0
                if max(header) > MAX_SIDE:
                    wanted = say("a height and a width of at most {most}", most=MAX_SIDE)
                    builder.add_fault(wanted, f"'{line.strip()}'", number)
                    return
            elif rows == height:
                wanted = say("a header: height and width")
                if height:
                    wanted = say("{height} rows, as the header says", height=height)
                builder.add_fault(wanted, f"'{line.strip()}'", number)
                return
            else:
                self._read_row(number, enumerate(line.ljust(width), start=1), builder, width)
                rows += 1
        for missing in range(number + 1, number + 1 + height - rows):
            self._read_row(missing, enumerate(" " * width, start=1), builder, width)

    def write(self, rows: Sequence[Sequence[str]], bars: Collection[Bar] = ()) -> str:
        return f"{len(rows)} {len(rows[0])}\n{super().write(rows, bars)}"


class Upmc(Dialect):
    """The dialect whose cells stand apart."""

    def recognises(self, lines: Sequence[str]) -> bool:
        """Return whether every line is a row of one-character cells or a header, and one holds a digit or a header."""
        rows = [line.split() for line in lines if line.strip()]
        if max(map(len, rows)) < 2:
            return False
        cells = set[str]().union(*rows)
        known = {cell for cell in cells if len(cell) == 1 and (cell in "01" or cell.isalpha())}
        if known.isdisjoint("01") and _parse_header(lines[0]) is None:
            return False
        return all(known.issuperset(row) or _parse_header(" ".join(row)) is not None for row in rows)

    def read(self, lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
        todo = [(number, line) for number, line in lines if line.strip()]
        begin = 0
        while begin < len(todo):
            left = len(todo) - begin
            header = _parse_header(todo[begin][1])
            if header == (0, 0) and (begin or left == 1):
                _check_end(todo[begin : begin + 2], builder)
                return
            if header and _counts_rows(header, left):
                end = begin + 1 + header[0]
                self._read_headed(todo[begin:end], header, builder)
                begin = end
            else:
                self._read_headless(todo[begin:], builder)
                return

    def _read_headed(self, lines: Sequence[tuple[int, str]], header: tuple[int, int], builder: GridBuilder) -> None:
        """Read a header and the grid below it."""
        (number, _), *rows = lines
        height, width = header
        if len(rows) < height:
            wanted = say("{height} rows, as the header says", height=height)
            builder.add_fault(wanted, f"{len(rows)}", number)
        self._read_rows(rows, width, builder)

    def _read_headless(self, rows: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
        """Read a grid as wide as its first row; a last row `0 0` is the end of the file if the grid is wider."""
        width = len(rows[0][1].split())
        if width > 2 and _parse_header(rows[-1][1]) == (0, 0):
            rows = rows[:-1]
        self._read_rows(rows, width, builder)

    def _read_rows(self, rows: Sequence[tuple[int, str]], width: int, builder: GridBuilder) -> None:
        for number, line in rows:
            cells = ((cell.start() + 1, cell[0]) for cell in re.finditer(r"\S+", line))
            self._read_row(number, cells, builder, width)
        builder.end_grid()

    def write(self, rows: Sequence[Sequence[str]], bars: Collection[Bar] = ()) -> str:  # noqa: ARG002
        lines = [f"{len(rows)} {len(rows[0])}"]
        lines += [" ".join(letter or self.block for letter in row) for row in rows]
        return "\n".join(lines) + "\n"


def _counts_rows(header: tuple[int, int], lines: int) -> bool:
    """Return whether a header begins a grid among as many lines; `1 1` may also be a row."""
    return min(header) > 0 and (max(header) > 1 or lines == header[0] + 1)


def _check_end(lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
    """Check that nothing follows the line `0 0`."""
    if len(lines) > 1:
        number, line = lines[1]
        builder.add_fault(say("nothing after '0 0', which ends the grids"), f"'{line.strip()}'", number)


class Native(Dialect):
    """The dialect that also has letter sets, rebus cells and bars."""

    keeps = frozenset({PuzzlePart.LETTER_SETS, PuzzlePart.REBUS, PuzzlePart.BARS})

    def recognises(self, lines: Sequence[str]) -> bool:  # noqa: ARG002
        """Return true: text that no other dialect recognises is read as native, and may be refused there."""
        return True

    def read(self, lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
        for blank, group in groupby(lines, key=lambda line: not line[1].strip()):
            rows = [(number, line.rstrip()) for number, line in group]
            if blank:
                builder.end_grid()
            elif _has_bars([row for _, row in rows]):
                _read_barred(rows, builder)
            else:
                for number, row in rows:
                    builder.begin_row(number)
                    _read_row(number, row, builder)
                    builder.end_row(number)

    def write(self, rows: Sequence[Sequence[str]], bars: Collection[Bar] = ()) -> str:
        """Return the rows, `#` for a block, several letters in parentheses.

        If there are bars the cells stand apart, those of a column under one another.
        """
        signs = [list(map(_write_cell, row)) for row in rows]
        lines = _write_barred(signs, bars) if bars else ["".join(row) for row in signs]
        return "".join(f"{line}\n" for line in lines)


def _write_barred(rows: Sequence[Sequence[str]], bars: Collection[Bar]) -> list[str]:
    """Return rows of signs as lines, those with bars below a row between."""
    width = len(rows[0])
    room = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for number, row in enumerate(rows):
        first = number * width
        cells = ""
        below = ""
        for column, sign in enumerate(row):
            cell = first + column
            is_barred = column + 1 < width and (cell, cell + 1) in bars
            cells += sign.ljust(room[column]) + ("|" if is_barred else " ")
            bar = "-" if (cell, cell + width) in bars else ""
            below += bar.ljust(room[column] + 1)
        lines.append(cells.rstrip())
        if below.strip():
            lines.append(below.rstrip())
    return lines


_ENDS = {"[": ("]", later("letter set")), "(": (")", later("rebus cell"))}
"""The sign that ends a text in brackets, and the name of such texts, by the sign that begins it."""
_SEVERAL = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")


def _has_bars(rows: Sequence[str]) -> bool:
    """Return whether there is a `|`, or a line of `-` under a row, in a grid whose cells stand apart.

    Elsewhere a `-` is no bar: people mean an empty cell by it, and the error says how to write such a cell.
    """
    if any("|" in row for row in rows):
        return True
    cells = [_SEVERAL.sub("A", row).split() for row in rows if not _is_below(row)]
    return len(cells) < len(rows) and all(len(cell) == 1 for cell in chain.from_iterable(cells))


def _is_below(row: str) -> bool:
    """Return whether a line consists of bars below a row."""
    return "-" in row and not row.strip("- ")


def _read_barred(rows: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
    above: list[range] = []
    for number, row in rows:
        if above and _is_below(row):
            _read_bars_below(number, row, above, builder)
            above = []
        else:
            builder.begin_row(number)
            above = _read_row(number, row, builder, barred=True)
            builder.end_row(number)


def _read_bars_below(number: int, line: str, above: Sequence[range], builder: GridBuilder) -> None:
    """Read the bars below a row; `above` has the columns of the text that each of its cells takes."""
    for run in re.finditer("-+", line):
        over = [index for index, at in enumerate(above) if at.start < run.end() and run.start() < at.stop]
        for index in over:
            builder.add_bar(index, "B")
        if not over:
            builder.add_fault(say("'-' under a cell"), say("none above it"), number, run.start() + 1)


def _read_row(number: int, row: str, builder: GridBuilder, *, barred: bool = False) -> list[range]:
    """Read a row, and return the columns of the text, from 0, that each cell takes."""
    cells: list[range] = []
    start = 0
    while start < len(row):
        char = row[start]
        end = start + 1
        if barred and char in " |":
            if char == "|" and cells:
                builder.add_bar(len(cells) - 1, "R")
            start = end
            continue
        if char == "#":
            builder.add_block()
        elif char == ".":
            builder.add_empty()
        elif char in _ENDS:
            end = _read_brackets(number, row, start, builder)
            if not end:
                builder.abandon_row()
                return []
        else:
            builder.add_given(char, number, end, say(NATIVE.cells))
        cells.append(range(start, end))
        start = end
    return cells


def _read_brackets(number: int, row: str, start: int, builder: GridBuilder) -> int:
    """Read a letter set or a rebus cell, and return its end, 0 if there is none."""
    sign, name = _ENDS[row[start]]
    end = row.find(sign, start) + 1
    column = start + 1
    if not end:
        wanted = say("'{sign}' to end the {what}", sign=sign, what=say(name))
        builder.add_fault(wanted, say("the end of the line"), number, column)
        return 0
    letters = row[column : end - 1]
    if sign == "]":
        builder.add_letter_set(letters, number, column)
    else:
        builder.add_rebus(letters, number, column)
    return end


def _write_cell(letters: str) -> str:
    if len(letters) > 1 and not letters.startswith("["):
        return f"({letters})"
    return letters or "#"


NATIVE = Native("native", "#.", later("'#', '.', a letter or '[letters]'"))
_DIALECTS = (
    Grl("grl", "* ", later("'*', a blank or a letter")),
    Upmc("upmc", "10", later("'0', '1' or a letter")),
    Dialect("remy", "01", later("'1', '0' or a letter"), small=True),
    Dialect("beacham", "*_", later("'_', '*' or a letter"), ignored="() \t"),
    NATIVE,
)
DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in _DIALECTS}
"""The dialects by name, in the order of recognition: the most demanding dialect comes first.

The native dialect takes the other texts, and reports their faults.
"""


def get_dialect(name: str) -> Dialect:
    check_type(name, str, "the name of a dialect")
    if name not in DIALECTS:
        raise FormatError(unknown_name(say("a dialect"), name, DIALECTS))
    return DIALECTS[name]


def parse_grids(
    text: str,
    *,
    name: str = "grid",
    dialect: str | None = None,
    alphabet: Alphabet | None = None,
    min_slot_length: int = 2,
) -> tuple[Dialect, list[Grid]]:
    """Return the dialect of a text and the grids in it (at least one).

    `name` stands for the text in messages; `dialect` forces one instead of recognising it.
    """
    lines = _split_lines(text, name)
    bare = [line for _, line in lines]
    chosen = get_dialect(dialect) if dialect else next(d for d in DIALECTS.values() if d.recognises(bare))
    builder = GridBuilder(alphabet or Alphabet(), min_slot_length, name, chosen.empty)
    chosen.read(lines, builder)
    return chosen, builder.finish()


def parse_draft(
    text: str, *, name: str = "grid", alphabet: Alphabet, min_slot_length: int = 2
) -> tuple[Grid, frozenset[CellId]]:
    """Return the only grid in a native text, and its undecided cells, which are open and written `?`."""
    builder = GridBuilder(alphabet, min_slot_length, name, NATIVE.empty, undecided="?")
    NATIVE.read(_split_lines(text, name), builder)
    grid, *others = builder.finish()
    if others:
        raise expected("one grid", f"{len(others) + 1}", name, error=GridError)
    return grid, frozenset(row * grid.width + column for row, column in builder.undecided)


def _split_lines(text: str, name: str) -> list[tuple[int, str]]:
    """Return the lines of a text with their numbers, from the first to the last that is not blank, composed."""
    count = text.count("\n")
    if count > MAX_LINES:
        raise expected("at most {most} lines", str(count), name, error=GridError, most=MAX_LINES)
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(compose(text).split("\n"), start=1)]
    filled = [number for number, line in lines if line.strip()]
    if not filled:
        raise expected("a grid", say("an empty file"), path=name, error=GridError)
    lines = lines[filled[0] - 1 : filled[-1]]
    for number, line in lines:
        length = len(line)
        if length > MAX_ROW:
            wanted = "a row of at most {most} characters"
            raise expected(wanted, str(length), name, number, error=GridError, most=MAX_ROW)
    return lines


def write_template(dialect: Dialect, grid: Grid) -> str:
    """Return a grid to be filled in a dialect: givens, and all other open cells as empty ones."""
    signs = []
    for given, letters in zip(grid.givens, grid.cells, strict=True):
        blank = dialect.empty if letters else ""
        signs.append(given or blank)
    return write_fill(dialect, grid, signs)


def write_fill(dialect: Dialect, grid: Grid, letters: Sequence[str]) -> str:
    """Return a filled grid in a dialect; `letters` has one entry a cell, empty for blocks.

    Raises:
        TypeError: an argument has another type.
    """
    check_type(dialect, Dialect, "a dialect, such as read_grids returns")
    check_type(grid, Grid, "a grid")
    if not isinstance(letters, str | list | tuple) or not all(isinstance(each, str) for each in letters):
        raise wrong_type("a letter for each cell", letters)
    return dialect.write(split_rows(letters, grid.width), grid.bars)
