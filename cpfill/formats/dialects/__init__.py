"""Text grids: one module a dialect, which recognises its own text, reads grids from it and writes a fill back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_LINES, MAX_ROW, FormatError, GridError, expected, unknown_name
from cpfill.base.texts import say
from cpfill.formats.dialects import native
from cpfill.formats.dialects.builder import GridBuilder
from cpfill.formats.registry import FORMATS, Family
from cpfill.puzzle.grid import split_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cpfill.puzzle.grid import Bar, CellId, Grid
    from cpfill.puzzle.puzzle import PuzzlePart


class Dialect(Protocol):
    """What a dialect's module offers."""

    NAME: str
    """The name it has in the registry."""
    EMPTY: str
    """How an empty cell is written."""
    KEEPS: frozenset[PuzzlePart]
    """What it has a place for beside the cells of a puzzle."""

    def recognises(self, lines: Sequence[str]) -> bool:
        """Whether these lines (none blank at either end) are in this dialect."""

    def read(self, lines: Sequence[tuple[int, str]], builder: GridBuilder) -> None:
        """Feed the numbered `lines` to the builder; faults are reported to it too."""

    def write(self, rows: Sequence[Sequence[str]]) -> str:
        """Return rows of letters, an empty string for a block, as text that ends in a line end."""


DIALECTS = {name: cast("Dialect", one.load()) for name, one in FORMATS.items() if one.family is Family.DIALECT}
"""The dialects by name, in the order of recognition."""


def get_dialect(name: str) -> Dialect:
    """Return the dialect of that name.

    Raises:
        FormatError: there is none.
    """
    if name not in DIALECTS:
        raise FormatError(unknown_name(say("a dialect"), name, DIALECTS))
    return DIALECTS[name]


def parse_grids(
    text: str,
    *,
    name: str = "grid",
    dialect: str | None = None,
    alphabet: Alphabet | None = None,
    min_slot_length: int = 2,
) -> tuple[Dialect, list[Grid]]:
    """Return the dialect of a text and the grids in it (at least one).

    `name` stands for the text in messages; `dialect` forces one instead of recognising it.

    Raises:
        GridError: the text holds no grid, too much, or a faulty one; the first faults are listed.
        FormatError: there is no such dialect.
    """
    lines = _split_lines(text, name)
    bare = [line for _, line in lines]
    chosen = get_dialect(dialect) if dialect else next(d for d in DIALECTS.values() if d.recognises(bare))
    builder = GridBuilder(alphabet or Alphabet(), min_slot_length, name, chosen.EMPTY)
    chosen.read(lines, builder)
    return chosen, builder.finish()


def parse_draft(
    text: str, *, name: str = "grid", alphabet: Alphabet, min_slot_length: int = 2
) -> tuple[Grid, frozenset[CellId]]:
    """Return the one grid in a native text in which `?` is an open cell too, and the cells that are written so.

    Raises:
        GridError: the text holds no grid, too much, several grids, or a faulty one; the first faults are listed.
    """
    builder = GridBuilder(alphabet, min_slot_length, name, native.EMPTY, undecided="?")
    native.read(_split_lines(text, name), builder)
    grid, *others = builder.finish()
    if others:
        raise expected("one grid", f"{len(others) + 1}", name, error=GridError)
    return grid, frozenset(row * grid.width + column for row, column in builder.undecided)


def _split_lines(text: str, name: str) -> list[tuple[int, str]]:
    """Return the lines of a text with their numbers, from the first to the last that is not blank."""
    if (count := text.count("\n")) > MAX_LINES:
        raise expected("at most {most} lines", str(count), name, error=GridError, most=MAX_LINES)
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), start=1)]
    filled = [number for number, line in lines if line.strip()]
    if not filled:
        raise expected("a grid", say("an empty file"), path=name, error=GridError)
    lines = lines[filled[0] - 1 : filled[-1]]
    for number, line in lines:
        if len(line) > MAX_ROW:
            raise expected(
                "a row of at most {most} characters", str(len(line)), name, number, error=GridError, most=MAX_ROW
            )
    return lines


def write_template(dialect: Dialect, grid: Grid) -> str:
    """Return a grid to be filled in a dialect: givens, and all other open cells as empty ones."""
    signs = [
        given or (dialect.EMPTY if letters else "") for given, letters in zip(grid.givens, grid.cells, strict=True)
    ]
    return write_fill(dialect, grid, signs)


def write_fill(dialect: Dialect, grid: Grid, letters: Sequence[str]) -> str:
    """Return a filled grid in a dialect; `letters` has one entry a cell, empty for blocks."""
    return write_rows(dialect, split_rows(letters, grid.width), grid.bars)


def write_rows(dialect: Dialect, rows: Sequence[Sequence[str]], bars: Collection[Bar]) -> str:
    """Return rows as the dialect writes them, with the bars where it has a place for these."""
    return native.write(rows, bars) if dialect is native else dialect.write(rows)
