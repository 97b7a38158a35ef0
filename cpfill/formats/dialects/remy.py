"""Didier Rémy's dialect: `1` empty, `0` block, letters given, nothing between the cells.

A fill is written in lower case with `0` for blocks; a blank line parts one fill from the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.dialects.builder import GridBuilder

NAME = "remy"
EMPTY = "1"
KEEPS = frozenset[PuzzlePart]()


def recognises(lines: Sequence[str]) -> bool:
    """Return whether the lines hold `0`, `1` and letters alone, and at least one digit."""
    chars = set[str]().union(*(line.strip() for line in lines))
    return all(char in "01" or char.isalpha() for char in chars) and not chars.isdisjoint("01")


def read(lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
    """Feed the lines to the builder."""
    for number, line in lines:
        row = line.rstrip()
        if not row:
            builder.end_grid()
            continue
        builder.begin_row(number)
        for column, char in enumerate(row, start=1):
            if char == "0":
                builder.add_block()
            elif char == "1":
                builder.add_empty()
            else:
                builder.add_given(char, number, column, say("'1', '0' or a letter"))
        builder.end_row(number)


def write(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows in lower case, `0` for a block; what has no small letter of its own, as ẞ, stays."""
    small = {letter: letter.lower() or "0" for row in rows for letter in row}
    signs = {letter: sign if sign.upper() == letter or not letter else letter for letter, sign in small.items()}
    return "".join("".join(signs[letter] for letter in row) + "\n" for row in rows)
