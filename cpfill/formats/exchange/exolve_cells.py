"""The cells that lines of an Exolve file name: their colours, and their letters in other answers of the puzzle."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_CELLS
from cpfill.base.texts import say
from cpfill.formats.exchange.source import NumberedLines, fault, list_texts
from cpfill.puzzle.grid import CellId, Direction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.puzzle.puzzle import Puzzle


_CELL = re.compile(r"([a-z])(\d{1,3})|c(\d{1,3})r(\d{1,3})|r(\d{1,3})c(\d{1,3})")
_CLUE = re.compile(r"([AD])(\d{1,5})|(\d{1,5})([adAD])")


def read_colours(sections: dict[str, NumberedLines], puzzle: Puzzle) -> tuple[dict[CellId, str], list[str]]:
    """Return the colours of cells, and the names of those that are not in the grid."""
    colours: dict[CellId, str] = {}
    left: list[str] = []
    total = 0
    for number, line in [*sections.get("colour", []), *sections.get("color", [])]:
        cells: list[CellId] = []
        colour = ""
        for word in line.split():
            found = _find_cells(word, puzzle)
            if found is None:
                colour = word
            elif found:
                cells += found
            else:
                left.append(word)
            if total + len(cells) > MAX_CELLS:
                raise fault("colours of at most {most} cells together", say("more"), number, most=MAX_CELLS)
        total += len(cells)
        colours |= dict.fromkeys(cells, colour)
    return colours, left


def read_alternatives(sections: dict[str, NumberedLines], puzzle: Puzzle) -> tuple[list[dict[CellId, str]], list[str]]:
    """Return the letters of other answers by cell, a line each, and the entries that name no cell and letter."""
    readings: list[dict[CellId, str]] = []
    left: list[str] = []
    for line in list_texts(sections.get("alternatives", [])):
        reading = {}
        for entry in line.split():
            place, _, letter = entry.partition(":")
            match = _CELL.fullmatch(place)
            cells = _find_cell(match, puzzle) if match else ()
            if cells and letter:
                reading[cells[0]] = letter
            else:
                left.append(entry)
        readings.append(reading)
    return readings, left


def _find_cells(word: str, puzzle: Puzzle) -> Sequence[CellId] | None:
    """Return the cells in the grid that a word of a colour's line names; `None` if the word is the colour."""
    clue = _CLUE.fullmatch(word)
    if clue:
        return _find_slot_cells(clue, puzzle)
    place = _CELL.fullmatch(word)
    if place:
        return _find_cell(place, puzzle)
    return None


def _find_slot_cells(match: re.Match[str], puzzle: Puzzle) -> Sequence[CellId]:
    """Return the cells of the slot that a match of `_CLUE` names; none if there is no such slot."""
    way = match[1] or match[4].upper()
    number = int(match[2] or match[3])
    direction = Direction.ACROSS if way == "A" else Direction.DOWN
    slot = puzzle.slot_of.get((direction, number))
    if slot:
        return slot.cells
    return ()


def _find_cell(match: re.Match[str], puzzle: Puzzle) -> Sequence[CellId]:
    """Return the cell that a match of `_CELL` names; none if it is outside the grid."""
    column = ord(match[1]) - ord("a") + 1 if match[1] else int(match[3] or match[6])
    row = int(match[2] or match[4] or match[5])  # from the bottom
    if 1 <= column <= puzzle.width and 1 <= row <= puzzle.height:
        return [(puzzle.height - row) * puzzle.width + column - 1]
    return ()


def write_colours(puzzle: Puzzle) -> Iterator[str]:
    """Yield a line for each colour, with its cells."""
    by_colour = sorted(puzzle.shades, key=lambda cell: (puzzle.shades[cell], cell))
    for colour, cells in groupby(by_colour, puzzle.shades.get):
        places = " ".join(_write_place(puzzle, cell) for cell in cells)
        yield f"  exolve-colour: {colour} {places}"


def write_alternatives(puzzle: Puzzle) -> Iterator[str]:
    """Yield a line for each other answer, with the cells that differ and their letters."""
    for letters in puzzle.differences:
        line = "  exolve-alternatives:"
        for cell, letter in sorted(letters.items()):
            line += f" {_write_place(puzzle, cell)}:{letter}"
        yield line


def _write_place(puzzle: Puzzle, cell: CellId) -> str:
    return f"c{cell % puzzle.width + 1}r{puzzle.height - cell // puzzle.width}"
