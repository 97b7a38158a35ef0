"""Grids as text, in any dialect: the cells, and the bars where it has a place for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.alphabet import LATIN, MAX_LETTERS, Alphabet, compose
from cpfill.base.texts import say
from cpfill.formats.dialects import NATIVE, parse_grids
from cpfill.formats.exchange.source import decode_text, fault
from cpfill.puzzle.grid import split_rows
from cpfill.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from cpfill.formats.dialects import Dialect


def read(data: bytes, dialect: Dialect) -> Puzzle:
    """Return the one grid of a text; letters are kept as they are written, but in upper case.

    As the native dialect text of every dialect is read, as another its own.

    Raises:
        FormatError: it is no text, or has several grids.
        GridError: it has no grid, or a faulty one.
    """
    text = decode_text(data)
    letters = set(filter(str.isalpha, set(compose(text).upper())))
    others = sorted(char for char in letters - set(LATIN) if char == char.upper())
    alphabet = Alphabet(LATIN + "".join(others[: MAX_LETTERS - len(LATIN)]))
    _, grids = parse_grids(text, dialect=None if dialect is NATIVE else dialect.name, alphabet=alphabet)
    if len(grids) > 1:
        raise fault(say("one grid"), f"{len(grids)}")
    return Puzzle.of_grid(grids[0])


def write(puzzle: Puzzle, dialect: Dialect) -> bytes:
    """Return the cells, and the bars."""
    shown = [
        ""
        if answer is None
        else answer or (f"[{puzzle.letter_sets[cell]}]" if cell in puzzle.letter_sets else dialect.empty)
        for cell, answer in enumerate(puzzle.cells)
    ]
    return dialect.write(split_rows(shown, puzzle.width), puzzle.bars).encode()
