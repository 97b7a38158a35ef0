"""The dialect of Beacham's grids: `_` empty, `*` block, letters given; parentheses and spaces mean nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.dialects.builder import GridBuilder

NAME = "beacham"
EMPTY = "_"
KEEPS = frozenset[PuzzlePart]()
_IGNORED = "() \t"


def recognises(lines: Sequence[str]) -> bool:
    """Return whether the lines hold `_`, `*`, letters, parentheses and spaces alone, and at least one `_` or `*`."""
    chars = set[str]().union(*lines)
    return all(char in "_*" + _IGNORED or char.isalpha() for char in chars) and not chars.isdisjoint("_*")


def read(lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
    """Feed the lines to the builder."""
    for number, line in lines:
        if not line.strip():
            builder.end_grid()
            continue
        if not line.strip(_IGNORED):
            continue
        builder.begin_row(number)
        for column, char in enumerate(line, start=1):
            if char in _IGNORED:
                continue
            if char == "_":
                builder.add_empty()
            elif char == "*":
                builder.add_block()
            else:
                builder.add_given(char, number, column, say("'_', '*' or a letter"))
        builder.end_row(number)


def write(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows, `*` for a block."""
    return "".join("".join(letter or "*" for letter in row) + "\n" for row in rows)
