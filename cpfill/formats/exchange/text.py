"""Grids as text, in any dialect: the cells alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.alphabet import LATIN, MAX_LETTERS, Alphabet, composed
from cpfill.formats.dialects import DIALECTS, dialect_named, read_grids
from cpfill.formats.exchange.source import fault, text_of
from cpfill.grid import in_rows
from cpfill.puzzle import Part, Puzzle

if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass(frozen=True, slots=True)
class TextFormat:
    """A dialect as a format of puzzles."""

    dialect: str

    @property
    def KEEPS(self) -> Collection[Part]:  # noqa: N802 - a module's constant in the other formats
        """What this dialect has a place for."""
        return {Part.LETTER_SETS} if self.dialect == "native" else ()

    @staticmethod
    def recognises(data: bytes) -> bool:  # noqa: ARG004
        """Return true: what no other format recognises is read, and if need be refused, as text."""
        return True

    def read(self, data: bytes) -> Puzzle:
        """Return the one grid of a text; letters are kept as they are written, but in upper case.

        The native format reads every dialect, the others their own.
        """
        text = text_of(data)
        letters = {char for char in composed(text).upper() if char.isalpha()}
        others = sorted(char for char in letters - set(LATIN) if char == char.upper())
        alphabet = Alphabet(LATIN + "".join(others[: MAX_LETTERS - len(LATIN)]))
        _, grids = read_grids(text, dialect=None if self.dialect == "native" else self.dialect, alphabet=alphabet)
        if len(grids) > 1:
            raise fault("one grid", f"{len(grids)}")
        return Puzzle.of_grid(grids[0])

    def write(self, puzzle: Puzzle) -> bytes:
        """Return the cells."""
        dialect = dialect_named(self.dialect)
        shown = [
            ""
            if answer is None
            else answer or (f"[{puzzle.letter_sets[cell]}]" if cell in puzzle.letter_sets else dialect.EMPTY)
            for cell, answer in enumerate(puzzle.cells)
        ]
        return dialect.write(in_rows(shown, puzzle.width)).encode()


FORMATS = {name: TextFormat(name) for name in DIALECTS}
"""A format for each dialect."""
