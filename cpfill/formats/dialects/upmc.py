"""The dialect of the UPMC assignment: cells separated by spaces, `0` empty, `1` block, letters given.

A header `H W` may stand before a grid. Several grids follow one another, each with its header, and `0 0` ends them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.dialects.builder import GridBuilder

NAME = "upmc"
EMPTY = "0"
KEEPS = frozenset[PuzzlePart]()
_MAX_DIGITS = 9


def _parse_header(line: str) -> tuple[int, int] | None:
    """Return the two numbers of a line that consists of two, or nothing."""
    cells = line.split()
    if len(cells) == 2 and all(cell.isascii() and cell.isdigit() and len(cell) < _MAX_DIGITS for cell in cells):
        return int(cells[0]), int(cells[1])
    return None


def recognises(lines: Sequence[str]) -> bool:
    """Return whether every line is a row of one-character cells or a header, and one holds a digit or a header."""
    rows = [line.split() for line in lines if line.strip()]
    if max(len(row) for row in rows) < 2:
        return False
    known = {cell for cell in set[str]().union(*rows) if len(cell) == 1 and (cell in "01" or cell.isalpha())}
    headed = _parse_header(lines[0]) is not None
    digits = not known.isdisjoint("01")
    return (headed or digits) and all(known.issuperset(row) or _parse_header(" ".join(row)) is not None for row in rows)


def read(lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
    """Feed the lines to the builder."""
    todo = [(number, line) for number, line in lines if line.strip()]
    begin = 0
    while begin < len(todo):
        number, first = todo[begin]
        left = len(todo) - begin
        header = _parse_header(first)
        if header == (0, 0) and (begin or left == 1):
            if left > 1:
                after, line = todo[begin + 1]
                builder.add_fault(say("nothing after '0 0', which ends the grids"), f"'{line.strip()}'", after)
            return
        headed = header is not None and min(header) > 0 and (max(header) > 1 or left == header[0] + 1)
        if header and headed:
            height, width = header
            rows = todo[begin + 1 : begin + 1 + height]
            begin += 1 + height
            if len(rows) < height:
                builder.add_fault(say("{height} rows, as the header says", height=height), f"{len(rows)}", number)
        else:
            width = len(first.split())
            rows = todo[begin:]
            begin = len(todo)
            if width > 2 and _parse_header(rows[-1][1]) == (0, 0):
                rows = rows[:-1]
        for line_number, line in rows:
            _read_row(line_number, line, builder)
            builder.end_row(line_number, width)
        builder.end_grid()


def _read_row(number: int, line: str, builder: GridBuilder) -> None:
    builder.begin_row(number)
    column = 0
    for cell in line.split():
        column = line.index(cell, column)
        if cell == "0":
            builder.add_empty()
        elif cell == "1":
            builder.add_block()
        elif len(cell) == 1:
            builder.add_given(cell, number, column + 1, say("'0', '1' or a letter"))
        else:
            builder.add_empty()
            builder.add_fault(say("cells of one character, separated by spaces"), f"'{cell}'", number, column + 1)
        column += len(cell)


def write(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows under their header, `1` for a block."""
    body = "".join(" ".join(letter or "1" for letter in row) + "\n" for row in rows)
    return f"{len(rows)} {len(rows[0])}\n{body}"
