"""The grl dialect: a header `H W`, then rows with `*` for a block, a blank for an empty cell, letters given.

Blanks at the end of a row may be missing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.builder import GridBuilder

NAME = "grl"
_HEADER = re.compile(r"\s*(\d+)\s+(\d+)\s*")


def recognises(lines: Sequence[str]) -> bool:
    """Return whether a header is followed by rows of `*`, blanks and letters, none longer than it says."""
    header = _HEADER.fullmatch(lines[0])
    if not header:
        return False
    rows, width = lines[1:], int(header[2])
    return all(len(row) <= width and all(char in "* " or char.isalpha() for char in row) for row in rows)


def read(lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
    """Feed the lines to the builder; rows that are missing at the end were blank."""
    first, head = lines[0]
    header = _HEADER.fullmatch(head)
    if not header:
        builder.fault("a header: height and width", f"'{head}'", first)
        return
    height, width = int(header[1]), int(header[2])
    rows = list(lines[1 : height + 1])
    rows += [(number, "") for number in range(first + len(rows) + 1, first + height + 1)]
    for number, line in lines[height + 1 :]:
        if line.strip():
            builder.fault(f"{height} rows, as the header says", "more", number)
    for number, line in rows:
        builder.begin_row(number)
        for column, char in enumerate(line.ljust(width), start=1):
            if char == "*":
                builder.block()
            elif char == " ":
                builder.empty()
            else:
                builder.given(char, number, column, "'*', a blank or a letter")
        builder.end_row(number, width)
    builder.end_grid()


def write(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows under their header, `*` for a block."""
    body = "".join("".join(letter or "*" for letter in row) + "\n" for row in rows)
    return f"{len(rows)} {len(rows[0])}\n{body}"
