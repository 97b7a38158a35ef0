"""The native dialect: `#` block, `.` empty, a letter given, `[ABC]` a letter set; blank lines part several grids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.dialects.builder import GridBuilder

NAME = "native"
EMPTY = "."
KEEPS = frozenset({PuzzlePart.LETTER_SETS})
_EXPECTED = "'#', '.', a letter or '[letters]'"


def recognises(lines: Sequence[str]) -> bool:  # noqa: ARG001
    """Return true: what no other dialect recognises is read, and if need be refused, as native."""
    return True


def read(lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
    """Feed the lines to the builder."""
    for number, line in lines:
        row = line.rstrip()
        if not row:
            builder.end_grid()
            continue
        builder.begin_row(number)
        _read_row(number, row, builder)
        builder.end_row(number)


def _read_row(number: int, row: str, builder: GridBuilder) -> None:
    start = 0
    while start < len(row):
        char = row[start]
        if char == "#":
            builder.add_block()
        elif char == ".":
            builder.add_empty()
        elif char == "[":
            end = row.find("]", start)
            if end < 0:
                builder.add_fault("']' to end the letter set", "the end of the line", number, start + 1)
                builder.abandon_row()
                return
            builder.add_letter_set(row[start + 1 : end], number, start + 1)
            start = end
        else:
            builder.add_given(char, number, start + 1, _EXPECTED)
        start += 1


def write(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows, `#` for a block."""
    return "".join("".join(letter or "#" for letter in row) + "\n" for row in rows)
