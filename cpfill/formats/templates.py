"""Templates: grids of text files in any dialect, of puzzles, of programs, and empty ones by their size."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_SIDE, MAX_TEXT_BYTES, GridError, InputError, expected
from cpfill.base.files import decode, display_name, read_bytes
from cpfill.base.texts import say
from cpfill.formats.dialects import NATIVE, Dialect, get_dialect, parse_grids
from cpfill.formats.registry import check_readable, guess_format
from cpfill.puzzle.grid import Grid, parse_size
from cpfill.puzzle.puzzle import Puzzle


class Template(NamedTuple):
    """A grid to be filled.

    Attributes:
        name: the file's, numbered where it has several grids; or the size.
        dialect: what fills of it are written in as text.
        grid: the grid.
        puzzle: the puzzle that it is the grid of, if the file is one.
    """

    name: str
    dialect: Dialect
    grid: Grid
    puzzle: Puzzle | None = None


def read_templates(
    path: str | os.PathLike[str],
    *,
    alphabet: Alphabet | None = None,
    min_slot_length: int = 2,
    dialect: str | None = None,
) -> list[Template]:
    """Return the templates in a file, or in standard input for `-`.

    A size such as `5x5`, of rows and columns, is an empty grid, unless there is a file of that name.
    """
    alphabet, name = alphabet or Alphabet(), display_name(path)
    if is_size(str(path)):
        return [make_empty_template(name, alphabet=alphabet, min_slot_length=min_slot_length, dialect=dialect)]
    return parse_templates(read_bytes(path, GridError), name, alphabet, min_slot_length, dialect)


def parse_templates(
    data: bytes, name: str, alphabet: Alphabet, min_slot_length: int, dialect: str | None
) -> list[Template]:
    """Return the templates in the content of a file of that name.

    The suffix tells a puzzle from text; a file with another suffix that is no text grid is recognised, if possible.
    """
    kind = guess_format(name)
    if kind is None:
        try:
            text = decode(data, name, GridError, MAX_TEXT_BYTES)
            chosen, grids = parse_grids(
                text, name=name, dialect=dialect, alphabet=alphabet, min_slot_length=min_slot_length
            )
        except InputError:
            from cpfill.formats.registry import recognise  # noqa: PLC0415 - slow to import, and most grids are text

            kind = "native" if dialect else recognise(data)
            if kind == "native":
                if not dialect:
                    check_readable(name)
                raise
        else:
            numbered = [f"{name}#{number}" for number in range(1, len(grids) + 1)] if len(grids) > 1 else [name]
            return [Template(each, chosen, grid) for each, grid in zip(numbered, grids, strict=True)]
    from cpfill.formats.registry import read_puzzle  # noqa: PLC0415 - likewise

    puzzle = read_puzzle(data, name, kind)
    return [Template(name, NATIVE, puzzle.grid(alphabet, min_slot_length, name), puzzle)]


def is_size(name: str, directory: Path | None = None) -> bool:
    """Return whether a name is a size such as `5x5`, and no file in the directory has that name."""
    return parse_size(name) is not None and not ((directory or Path()) / name).exists()


def make_empty_template(size: str, *, alphabet: Alphabet, min_slot_length: int, dialect: str | None = None) -> Template:
    """Return an empty grid of a size such as `5x5`."""
    height, width = parse_size(size) or (0, 0)
    if not (1 <= height <= MAX_SIDE and 1 <= width <= MAX_SIDE):
        raise expected("a size from 1x1 to {most}x{most}", f"'{size}'", error=GridError, most=MAX_SIDE)
    grid = Grid(height, width, (alphabet.full,) * (height * width), alphabet, min_slot_length)
    if not grid.slots:
        raise expected(
            "at least one slot: {min_slot_length} open cells in a row",
            say("none"),
            size,
            error=GridError,
            min_slot_length=min_slot_length,
        )
    return Template(size, get_dialect(dialect or NATIVE.name), grid)


GridLike = Grid | Puzzle | str | os.PathLike[str] | Sequence[str]
"""A grid, a puzzle, the path of a file with one, the size of an empty one, the rows, or a text of several lines."""


def templates_of(
    given: GridLike,
    *,
    name: str = "grid",
    alphabet: Alphabet | None = None,
    min_slot_length: int = 2,
    dialect: str | None = None,
) -> list[Template]:
    """Return the templates of what is given, where a `Grid` has its own alphabet and slots. `name` stands for texts."""
    if isinstance(given, Grid):
        return [Template(name, NATIVE, given)]
    if isinstance(given, Puzzle):
        return [Template("puzzle", NATIVE, given.grid(alphabet or Alphabet(), min_slot_length), given)]
    if isinstance(given, os.PathLike) or (isinstance(given, str) and "\n" not in given):
        return read_templates(given, alphabet=alphabet, min_slot_length=min_slot_length, dialect=dialect)
    if isinstance(given, str) or (isinstance(given, Sequence) and all(isinstance(row, str) for row in given)):
        text = given if isinstance(given, str) else "\n".join(row.rstrip("\r\n") for row in given)
        chosen, grids = parse_grids(
            text, name=name, dialect=dialect, alphabet=alphabet, min_slot_length=min_slot_length
        )
        return [Template(name, chosen, grid) for grid in grids]
    raise expected("a grid: a file, rows, a text of several lines or a puzzle", f"{given!r:.60}", error=GridError)
