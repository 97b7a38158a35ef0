"""Drafts: grids with undecided cells, whose blocks are completed around the given cells."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_TEXT_BYTES, GridError, InputError
from cpfill.base.files import decode, display_name, read_bytes
from cpfill.formats.dialects import parse_draft
from cpfill.formats.puzzles import read_puzzle, recognise
from cpfill.formats.registry import guess_format
from cpfill.puzzle.grid import BLOCK, split_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.puzzle.grid import CellId, Grid


@dataclass(frozen=True)
class Draft:
    """A grid to complete: undecided cells are open in it and may become blocks; everything else stays."""

    grid: Grid
    undecided: frozenset[CellId]

    @cached_property
    def given_words(self) -> frozenset[str]:
        """The runs of given letters, across or down; each of them may become a word."""
        members = [self.grid.alphabet.members(cell) for cell in self.grid.cells]
        rows = split_rows([each if len(each) == 1 else " " for each in members], self.grid.width)
        lines = [*map("".join, rows), *map("".join, zip(*rows, strict=True))]
        return frozenset(run for line in lines for run in line.split() if len(run) > 1)

    def list_blocks(self) -> list[CellId]:
        """Return the cells that are already blocks."""
        return [cell for cell, letters in enumerate(self.grid.cells) if letters == BLOCK]

    def list_open(self) -> list[CellId]:
        """Return the cells that stay open."""
        cells = enumerate(self.grid.cells)
        return [cell for cell, letters in cells if letters != BLOCK and cell not in self.undecided]


def read_draft(
    source: str | os.PathLike[str] | Sequence[str], *, alphabet: Alphabet | None = None, min_slot_length: int = 2
) -> Draft:
    """Return the draft in a file, in its rows, or in a text of several lines.

    It is native text in which `?` is an undecided cell, or a puzzle file, which has no undecided cells.

    Raises:
        InputError: the file does not exist, or holds no grid, an invalid one or several.
    """
    alphabet = alphabet or Alphabet()
    if not isinstance(source, os.PathLike) and (not isinstance(source, str) or "\n" in source):
        text = source if isinstance(source, str) else "\n".join(source)
        return Draft(*parse_draft(text, alphabet=alphabet, min_slot_length=min_slot_length))
    data, name = read_bytes(source, GridError), display_name(source)
    kind = guess_format(name)
    if kind is None:
        try:
            text = decode(data, name, GridError, MAX_TEXT_BYTES)
            return Draft(*parse_draft(text, name=name, alphabet=alphabet, min_slot_length=min_slot_length))
        except InputError:
            kind = recognise(data)
            if kind == "native":
                raise
    return Draft(read_puzzle(data, name, kind).grid(alphabet, min_slot_length, name), frozenset())
