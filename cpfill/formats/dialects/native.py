"""The native dialect: `#` block, `.` empty, a letter given, `[ABC]` a letter set, `(ABC)` a rebus cell with that given.

Blank lines part several grids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.dialects.builder import GridBuilder

NAME = "native"
EMPTY = "."
KEEPS = frozenset({PuzzlePart.LETTER_SETS, PuzzlePart.REBUS})
_EXPECTED = "'#', '.', a letter or '[letters]'"
_ENDS = {"[": ("]", "letter set"), "(": (")", "rebus cell")}


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
        elif char in _ENDS:
            sign, what = _ENDS[char]
            end = row.find(sign, start)
            if end < 0:
                builder.add_fault(f"'{sign}' to end the {what}", "the end of the line", number, start + 1)
                builder.abandon_row()
                return
            add = builder.add_letter_set if char == "[" else builder.add_rebus
            add(row[start + 1 : end], number, start + 1)
            start = end
        else:
            builder.add_given(char, number, start + 1, _EXPECTED)
        start += 1


def write(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows, `#` for a block, several letters in parentheses."""
    return "".join("".join(map(_write_cell, row)) + "\n" for row in rows)


def _write_cell(letters: str) -> str:
    return f"({letters})" if len(letters) > 1 and not letters.startswith("[") else letters or "#"
