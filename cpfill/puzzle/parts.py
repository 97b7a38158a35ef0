"""The parts of a puzzle as files store them: their names, their texts in order, and the types of its arguments."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from types import NoneType
from typing import TYPE_CHECKING, Any

from cpfill.base.alphabet import compose
from cpfill.puzzle.grid import Bar, CellId, Direction

if TYPE_CHECKING:
    from collections.abc import Callable

_NO_BREAK = "\u00a0\u202f"
"""Blanks that prevent a line break: French sets one before `? ! : »`."""
_JOINERS = "\u200c\u200d"
"""Invisible characters that change the shape of the letters beside them."""
_COPYRIGHT_SIGNS = re.compile(r"^(?:(?:©|\([cC]\))\s*)++")
_BLANKS = re.compile(rf"[^\S{_NO_BREAK}]+")
_HEX = re.compile(r"#?([0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)

SHADE = "#d3d3d3"
"""The default colour of a shaded cell."""

ClueId = tuple[Direction, int]
"""A clue belongs to the slot of this direction and number."""


class PuzzlePart(StrEnum):
    """A part of a puzzle besides its answers, which some formats cannot store. The value is its name."""

    TITLE = "title"
    AUTHOR = "author"
    EDITOR = "editor"
    PUBLISHER = "publisher"
    DATE = "date"
    COPYRIGHT = "copyright"
    NOTES = "notes"
    CLUES = "clue"
    DRAFTS = "draft clue"
    STRAYS = "clue of no slot"
    REBUS = "cell of several letters"
    SYMBOLS = "cell of a digit or symbol"
    ALTERNATIVES = "alternative letter"
    LETTER_SETS = "letter set"
    GIVENS = "given"
    CIRCLES = "circle"
    SHADES = "shaded cell"
    LABELS = "cell label"
    BARS = "bar"
    VOIDS = "void"


IN_GRID = frozenset(
    {
        PuzzlePart.REBUS,
        PuzzlePart.SYMBOLS,
        PuzzlePart.ALTERNATIVES,
        PuzzlePart.LETTER_SETS,
        PuzzlePart.GIVENS,
        PuzzlePart.CIRCLES,
        PuzzlePart.SHADES,
        PuzzlePart.LABELS,
        PuzzlePart.BARS,
        PuzzlePart.VOIDS,
    }
)
METADATA = frozenset(
    {
        PuzzlePart.TITLE,
        PuzzlePart.AUTHOR,
        PuzzlePart.EDITOR,
        PuzzlePart.PUBLISHER,
        PuzzlePart.DATE,
        PuzzlePart.COPYRIGHT,
        PuzzlePart.NOTES,
    }
)
SHOWN = METADATA - {PuzzlePart.EDITOR, PuzzlePart.PUBLISHER, PuzzlePart.DATE}
"""The metadata that is printed with a puzzle."""


def clean(text: str) -> str:
    """Return a text on one line: composed characters, single blanks, only printable characters.

    Non-breaking blanks and joiners stay.
    """
    if not text.isprintable():
        text = "".join(filter(_may_stay, text))
    return _BLANKS.sub(" ", compose(text)).strip(f" {_NO_BREAK}{_JOINERS}")


def _may_stay(char: str) -> bool:
    return char.isprintable() or char.isspace() or char in _JOINERS


def clean_lines(text: str) -> str:
    """Return a text with each line clean, without empty lines."""
    return "\n".join(filter(None, map(clean, text.splitlines())))


def clean_copyright(text: str) -> str:
    """Return a clean text without the copyright sign, which `copyright_line` adds."""
    return _COPYRIGHT_SIGNS.sub("", clean(text))


def clean_answer(text: str) -> str:
    """Return the answer of a cell in upper case, without blanks or joiners."""
    if text.isascii() and text.isalnum():  # nearly all of them, of which nothing is cut
        return text.upper()
    visible = "".join(char for char in text if char.isprintable() and char != " ")
    return clean(clean(visible).upper())


def is_spelt(answer: str | None) -> bool:
    """Return whether an answer has no digits or symbols."""
    return not answer or answer.isalpha()


def keep_answer(answer: str | None, parts: Collection[PuzzlePart]) -> str | None:
    """Return an answer that is cut to the parts that stay: one letter of several, an empty text for a symbol."""
    if not answer:
        return answer
    needed = PuzzlePart.REBUS if is_spelt(answer) else PuzzlePart.SYMBOLS
    if needed in parts:
        return answer
    if answer[0].isalpha():
        return answer[0]
    return ""


def find_colour(text: str) -> str | None:
    """Return a colour of three or six hexadecimal digits as `#rrggbb`; `None` for any other text."""
    match = _HEX.fullmatch(text)
    if match is None:
        return None
    digits = match[1].lower()
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return f"#{digits}"


def join_alternatives(readings: Sequence[Mapping[CellId, str]]) -> dict[CellId, tuple[str, ...]]:
    """Return the letters of other answers by cell, an empty text where an answer has the letter that stands there."""
    letters = {}
    for cell in sorted(set().union(*readings)):
        letters[cell] = tuple(reading.get(cell, "") for reading in readings)
    return letters


def find_bars(sides: Iterable[tuple[CellId, str]], width: int, cells: int) -> frozenset[Bar]:
    """Return the bars on sides of cells, each one of `TRBL` (top, right, bottom, left); the border is ignored."""
    bars = set()
    for cell, side in sides:
        row_end = (cell + 1) % width == 0
        row_start = cell % width == 0
        match side:
            case "T" if cell >= width:
                bars.add((cell - width, cell))
            case "B" if cell + width < cells:
                bars.add((cell, cell + width))
            case "L" if not row_start:
                bars.add((cell - 1, cell))
            case "R" if not row_end:
                bars.add((cell, cell + 1))
    return frozenset(bars)


def _are(values: Iterable[object], kinds: type | tuple[type, ...]) -> bool:
    """Return whether all values have one of these types, by the types that there are."""
    found = set(map(type, values))
    return all(issubclass(kind, kinds) for kind in found)


def _is_clue(key: object) -> bool:
    if not isinstance(key, tuple) or len(key) != 2:
        return False
    direction, number = key
    return isinstance(direction, str) and isinstance(number, int)


def _is_bar(bar: object) -> bool:
    return isinstance(bar, tuple) and len(bar) == 2 and _are(bar, int)


def _is_number(side: object) -> bool:
    return isinstance(side, int)


def _are_answers(cells: object) -> bool:
    return isinstance(cells, tuple | list) and _are(cells, (str, NoneType))


def _are_bars(bars: object) -> bool:
    return isinstance(bars, AbstractSet | list | tuple) and all(map(_is_bar, bars))


def _are_cells(cells: object) -> bool:
    return isinstance(cells, AbstractSet) and _are(cells, int)


def _are_lines(lines: object) -> bool:
    return isinstance(lines, tuple) and _are(lines, str)


def _map(texts: Any, keys: type) -> bool:
    return isinstance(texts, Mapping) and _are(texts, keys) and _are(texts.values(), str)


def _map_parts(texts: object) -> bool:
    return _map(texts, PuzzlePart)


def _map_cells(texts: object) -> bool:
    return _map(texts, int)


def _map_clues(texts: object, kinds: type | tuple[type, ...] = str) -> bool:
    return isinstance(texts, Mapping) and all(map(_is_clue, texts)) and _are(texts.values(), kinds)


def _map_drafts(drafts: Any) -> bool:
    if not _map_clues(drafts, (tuple, list)):
        return False
    return all(_are(texts, str) for texts in drafts.values())


def _map_alternatives(letters: Any) -> bool:
    if not isinstance(letters, Mapping) or not _are(letters.values(), (tuple, list)):
        return False
    return _are(letters, int) and all(_are(texts, str) for texts in letters.values())


def _is_object(work: object) -> bool:
    return isinstance(work, Mapping)


TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "height": ("a number", _is_number),
    "width": ("a number", _is_number),
    "cells": ("a text or None for each cell", _are_answers),
    "clues": ("texts by direction and number", _map_clues),
    "metadata": ("texts by PuzzlePart", _map_parts),
    "bars": ("a set of pairs of cells", _are_bars),
    "circles": ("a set of cells", _are_cells),
    "voids": ("a set of cells", _are_cells),
    "givens": ("a set of cells", _are_cells),
    "letter_sets": ("texts by cell", _map_cells),
    "shades": ("texts by cell", _map_cells),
    "labels": ("texts by cell", _map_cells),
    "alternatives": ("tuples of texts by cell", _map_alternatives),
    "drafts": ("tuples of texts by direction and number", _map_drafts),
    "work": ("a JSON object", _is_object),
    "unread": ("a tuple of texts", _are_lines),
}
"""The type of each argument of a `Puzzle`, and the function that recognises it."""
