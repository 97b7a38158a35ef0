"""The native dialect: `#` block, `.` empty, a letter given, `[ABC]` a letter set, `(ABC)` a rebus cell with that given.

Blank lines part several grids. In a grid with bars the cells stand apart. A `|` between two cells is a bar, and so is a
`-` under one, in a line between its row and the next:

    C A T|S
      - -
    O N E S
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from cpfill.base.texts import later, say
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cpfill.formats.dialects.builder import GridBuilder
    from cpfill.puzzle.grid import Bar

NAME = "native"
EMPTY = "."
KEEPS = frozenset({PuzzlePart.LETTER_SETS, PuzzlePart.REBUS, PuzzlePart.BARS})
_EXPECTED = later("'#', '.', a letter or '[letters]'")
_ENDS = {"[": ("]", later("letter set")), "(": (")", later("rebus cell"))}
_SEVERAL = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")


def recognises(lines: Sequence[str]) -> bool:  # noqa: ARG001
    """Return true: what no other dialect recognises is read, and if need be refused, as native."""
    return True


def read(lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
    """Feed the lines to the builder."""
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


def _has_bars(rows: Sequence[str]) -> bool:
    """Return whether there is a `|`, or a line of `-` under a row, in a grid whose cells stand apart.

    Elsewhere a `-` is no bar: people mean an empty cell by it, and the error says how to write one.
    """
    if any("|" in row for row in rows):
        return True
    cells = [row for row in rows if not _is_below(row)]
    return len(cells) < len(rows) and all(len(cell) == 1 for row in cells for cell in _SEVERAL.sub("A", row).split())


def _is_below(row: str) -> bool:
    """Return whether a line has bars below a row, and nothing else."""
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
        char, end = row[start], start + 1
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
            sign, what = _ENDS[char]
            end = row.find(sign, start) + 1
            if not end:
                builder.add_fault(
                    say("'{sign}' to end the {what}", sign=sign, what=say(what)),
                    say("the end of the line"),
                    number,
                    start + 1,
                )
                builder.abandon_row()
                return []
            add = builder.add_letter_set if char == "[" else builder.add_rebus
            add(row[start + 1 : end - 1], number, start + 1)
        else:
            builder.add_given(char, number, start + 1, say(_EXPECTED))
        cells.append(range(start, end))
        start = end
    return cells


def write(rows: Sequence[Sequence[str]], bars: Collection[Bar] = ()) -> str:
    """Return the rows, `#` for a block, several letters in parentheses.

    If there are bars the cells stand apart, those of a column under one another.
    """
    signs = [[_write_cell(letters) for letters in row] for row in rows]
    if not bars:
        return "".join("".join(row) + "\n" for row in signs)
    width = len(signs[0])
    room = [max(map(len, column)) for column in zip(*signs, strict=True)]
    lines = []
    for number, row in enumerate(signs):
        cells = range(number * width, (number + 1) * width)
        right = ["|" if cell + 1 in cells and (cell, cell + 1) in bars else " " for cell in cells]
        below = ["-" if (cell, cell + width) in bars else "" for cell in cells]
        lines.append("".join(sign.ljust(size) + bar for sign, size, bar in zip(row, room, right, strict=True)))
        if any(below):
            lines.append("".join(bar.ljust(size + 1) for bar, size in zip(below, room, strict=True)))
    return "".join(line.rstrip() + "\n" for line in lines)


def _write_cell(letters: str) -> str:
    return f"({letters})" if len(letters) > 1 and not letters.startswith("[") else letters or "#"
