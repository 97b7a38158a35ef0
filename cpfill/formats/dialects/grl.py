"""The grl dialect: a header `H W`, then rows with `*` for a block, a blank for an empty cell, letters given.

Blanks at the end of a row may be missing, and blank rows at the end of the file. Blank lines and another header may
follow the rows of a grid.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_SIDE
from cpfill.base.texts import say
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.formats.dialects.builder import GridBuilder

NAME = "grl"
EMPTY = " "
KEEPS = frozenset[PuzzlePart]()

_HEADER = re.compile(r"\s*(\d{1,9})\s+(\d{1,9})\s*")


def recognises(lines: Sequence[str]) -> bool:
    """Return whether headers are followed by rows of `*`, blanks and letters, none longer than they say."""
    if not _HEADER.fullmatch(lines[0]):
        return False
    width = 0
    for (_, line), header in _find_headers(list(enumerate(lines))):
        if header:
            width = header[1]
        elif len(line) > width or not all(char in "* " or char.isalpha() for char in set(line)):
            return False
    return True


def _find_headers(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[tuple[int, str], tuple[int, int] | None]]:
    """Yield the lines less those between grids, each with the height and width it says if it is a header."""
    rows_to_come = 0
    for number, line in lines:
        if rows_to_come:
            rows_to_come -= 1
            yield (number, line), None
        elif match := _HEADER.fullmatch(line):
            rows_to_come = int(match[1])
            yield (number, line), (int(match[1]), int(match[2]))
        elif line.strip():
            yield (number, line), None


def read(lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
    """Feed the lines to the builder."""
    height = width = rows = number = 0
    for (number, line), header in _find_headers(lines):
        if header:
            builder.end_grid()
            (height, width), rows = header, 0
            if max(header) > MAX_SIDE:
                builder.add_fault(
                    say("a height and a width of at most {most}", most=MAX_SIDE), f"'{line.strip()}'", number
                )
                return
        elif rows == height:
            expected = (
                say("{height} rows, as the header says", height=height) if height else say("a header: height and width")
            )
            builder.add_fault(expected, f"'{line.strip()}'", number)
            return
        else:
            _read_row(number, line, width, builder)
            rows += 1
    for missing in range(number + 1, number + 1 + height - rows):
        _read_row(missing, "", width, builder)


def _read_row(number: int, line: str, width: int, builder: GridBuilder) -> None:
    builder.begin_row(number)
    for column, char in enumerate(line.ljust(width), start=1):
        if char == "*":
            builder.add_block()
        elif char == " ":
            builder.add_empty()
        else:
            builder.add_given(char, number, column, say("'*', a blank or a letter"))
    builder.end_row(number, width)


def write(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows under their header, `*` for a block."""
    body = "".join("".join(letter or "*" for letter in row) + "\n" for row in rows)
    return f"{len(rows)} {len(rows[0])}\n{body}"
