"""Templates from files: grids as text in any dialect, or the grid of a puzzle file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.alphabet import Alphabet
from cpfill.errors import GridError
from cpfill.formats import DIALECTS, Dialect, read_grids
from cpfill.formats.puzzles import format_to_read, read_puzzle
from cpfill.sources import display_name, read_text

if TYPE_CHECKING:
    import os

    from cpfill.grid import Grid
    from cpfill.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class Template:
    """A grid to be filled.

    Attributes:
        name: the file's, numbered where it has several grids.
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
    """Return the templates in a file, or in standard input for `-`; the suffix tells a puzzle file from text.

    Raises:
        GridError: there is no such file, or it has no grid or a faulty one; every fault is listed.
        FormatError: there is no such dialect, or the file is a damaged puzzle.
    """
    alphabet, name = alphabet or Alphabet(), display_name(path)
    if format_to_read(str(path)):
        puzzle = read_puzzle(path)
        return [Template(name, DIALECTS["native"], puzzle.grid(alphabet, min_slot_length, name), puzzle)]
    text = read_text(path, GridError)
    chosen, grids = read_grids(text, name=name, dialect=dialect, alphabet=alphabet, min_slot_length=min_slot_length)
    numbered = [f"{name}#{place}" for place in range(1, len(grids) + 1)] if len(grids) > 1 else [name]
    return [Template(each, chosen, grid) for each, grid in zip(numbered, grids, strict=True)]
