"""Grids from whatever a program has for one."""

from __future__ import annotations

import os
from collections.abc import Sequence

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import Fault, GridError
from cpfill.base.texts import say
from cpfill.formats.dialects import native, parse_grids
from cpfill.formats.templates import Template, read_templates
from cpfill.puzzle.grid import Grid
from cpfill.puzzle.puzzle import Puzzle

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
    """Return the templates of what is given; a `Grid` has its own alphabet and slots. `name` stands for rows and texts.

    Raises:
        InputError: there is no such file, it holds no grid, or a faulty one, or what is given is nothing of all that.
    """
    if isinstance(given, Grid):
        return [Template(name, native, given)]
    if isinstance(given, Puzzle):
        return [Template("puzzle", native, given.grid(alphabet or Alphabet(), min_slot_length), given)]
    if isinstance(given, os.PathLike) or (isinstance(given, str) and "\n" not in given):
        return read_templates(given, alphabet=alphabet, min_slot_length=min_slot_length, dialect=dialect)
    if isinstance(given, str) or (isinstance(given, Sequence) and all(isinstance(row, str) for row in given)):
        text = given if isinstance(given, str) else "\n".join(row.rstrip("\r\n") for row in given)
        chosen, grids = parse_grids(
            text, name=name, dialect=dialect, alphabet=alphabet, min_slot_length=min_slot_length
        )
        return [Template(name, chosen, grid) for grid in grids]
    raise GridError(Fault(say("a grid: a file, rows, a text of several lines or a puzzle"), f"{given!r:.60}"))
