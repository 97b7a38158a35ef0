"""Previews of the puzzles in the directory: the title, a small picture and the progress of each.

A request reads files for a short time only. The previews that it read are kept, so the next request reads others.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from cpfill.base.errors import CpfillError
from cpfill.puzzle.parts import PuzzlePart

if TYPE_CHECKING:
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.web.files import Folder

READ_S = 0.1
"""How long a request reads files, at least one: the cards in sight wait for the first answer."""

BLOCK, VOID, EMPTY, LETTER = "# .x"
"""The signs of cells in a picture."""


class PreviewRecord(TypedDict):
    """What a list shows of a puzzle: its title, the rows and bars of its picture, and counts of what is done."""

    title: str
    picture: list[str]
    bars: list[tuple[int, int]]
    cells: int
    letters: int
    slots: int
    clues: int


class _Known(NamedTuple):
    """A preview and the stamp of the file it was read from; there is none of a file that cannot be read."""

    stamp: tuple[int, int]
    preview: PreviewRecord | None


class Previews:
    """The previews of a directory, as far as they were read."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._known: dict[str, _Known] = {}

    def describe(self, seconds: float = READ_S) -> dict[str, Any]:
        """Return each puzzle, the last saved first, with its preview, if it is read; and how many are still to read."""
        stamps = self._folder.stamp_puzzles()
        known = {name: one for name, one in self._known.items() if stamps.get(name) == one.stamp}
        end_s = time.monotonic() + seconds
        unread = [name for name in stamps if name not in known]
        for name in unread:
            known[name] = _Known(stamps[name], self._read(name))
            if time.monotonic() >= end_s:
                break
        self._known = known
        puzzles = [
            {"name": name, "saved": saved_ns // 10**6, "preview": known[name].preview if name in known else None}
            for name, (saved_ns, _) in stamps.items()
        ]
        return {"puzzles": puzzles, "unread": len(stamps) - len(known)}

    def _read(self, name: str) -> PreviewRecord | None:
        try:
            saved = self._folder.read(name)
        except CpfillError:
            return None
        return None if saved is None else preview(saved.puzzle)


def preview(puzzle: Puzzle) -> PreviewRecord:
    """Return the preview of a puzzle. Pencilled letters count as empty cells, because the program wrote them."""
    pencilled = puzzle.work.get("pencilled")
    theirs = pencilled if isinstance(pencilled, list) else []
    signs = [_sign(puzzle, cell) for cell in range(len(puzzle.cells))]
    for cell in theirs:
        if isinstance(cell, int) and 0 <= cell < len(signs) and signs[cell] == LETTER:
            signs[cell] = EMPTY
    return {
        "title": puzzle.metadata.get(PuzzlePart.TITLE, ""),
        "picture": ["".join(signs[at : at + puzzle.width]) for at in range(0, len(signs), puzzle.width)],
        "bars": sorted(puzzle.bars),
        "cells": signs.count(EMPTY) + signs.count(LETTER),
        "letters": signs.count(LETTER),
        "slots": len(puzzle.slots),
        "clues": sum(1 for slot in puzzle.slots if puzzle.clue(slot)),
    }


def _sign(puzzle: Puzzle, cell: int) -> str:
    letter = puzzle.cells[cell]
    if letter is None:
        return VOID if cell in puzzle.voids else BLOCK
    return LETTER if letter else EMPTY
