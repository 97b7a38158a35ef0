"""Plain-text tables. If the terminal is too narrow they are split by columns; numbers are never shortened."""

from __future__ import annotations

import shutil
import sys
from itertools import chain, zip_longest
from textwrap import TextWrapper
from typing import TYPE_CHECKING

from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

_GAP = "  "
_SHORTEST = 8
"""Shortened names keep at least this many characters."""

_Cell = list[str]
"""The lines of a cell."""
_Column = list[_Cell]


def room() -> int:
    """Return the number of columns of standard output; for a file or a pipe, the number asked for."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, keys: int = 1, left: Container[str] = ()) -> str:
    """Return a table as text.

    Where the terminal is too narrow, cells break at blanks; then names among the keys lose their middle; and columns
    that do not fit beside the others stand under them, in a table of their own.

    Args:
        headings: the names of the columns, in English.
        rows: the cells, a row after the other.
        keys: how many columns, from the left, name the row; each part of the table begins with them.
        left: the headings of the columns of names, which begin at the left. Numbers end at the right.
    """
    space = room()
    left = [say(each) for each in headings if each in left]
    headings = [say(each) for each in headings]
    columns = [list(map(_printable, column)) for column in zip(headings, *rows, strict=True)]
    whole = list(map(_unbroken, columns))
    if _width(whole) <= space:
        return _drawn(whole, left)
    narrow = list(map(_broken, columns))
    names = [index for index in range(keys) if headings[index] in left]
    _shorten(narrow, keys, names, space)
    parts = _parts(narrow[:keys], narrow[keys:], space)
    return "\n".join(_drawn(part, left) for part in parts)


def _printable(text: str) -> str:
    """Return a text without line breaks and control characters."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def _widths(columns: Sequence[_Column]) -> list[int]:
    return [max(map(len, chain.from_iterable(column))) for column in columns]


def _width(columns: Sequence[_Column]) -> int:
    return sum(_widths(columns)) + len(_GAP) * (len(columns) - 1)


def _unbroken(column: Sequence[str]) -> _Column:
    """Return the cells of a column, a line each."""
    return [[cell] for cell in column]


def _broken(column: Sequence[str]) -> _Column:
    """Return the cells of a column that is as narrow as its longest word."""
    words = " ".join(column).split()
    wrapper = TextWrapper(max(map(len, words), default=1), break_long_words=False, break_on_hyphens=False)
    return [wrapper.wrap(cell) or [""] for cell in column]


def _shorten(columns: list[_Column], keys: int, names: Sequence[int], space: int) -> None:
    """Shorten names among the keys until these take half of the space, and any other column fits beside them."""
    widths = _widths(columns)
    beside = space - len(_GAP) - max(widths[keys:], default=0)
    most = min(space // 2, beside) - len(_GAP) * (keys - 1)
    while names and sum(widths[:keys]) > most:
        widest = max(names, key=widths.__getitem__)
        if widths[widest] <= _SHORTEST:
            break
        widths[widest] -= 1
    for index in names:
        for cell in columns[index]:
            cell[:] = [_short(line, widths[index]) for line in cell]


def _short(name: str, width: int) -> str:
    """Shorten a name by cutting its middle, keeping more of the end (the file name of a path)."""
    if len(name) <= width:
        return name
    head = (width - 1) // 5
    return f"{name[:head]}…{name[head + 1 - width :]}"


def _parts(keys: list[_Column], others: list[_Column], space: int) -> list[list[_Column]]:
    """Return the columns of each part: the keys, and as many of the others as fit beside them."""
    parts: list[list[_Column]] = []
    for column in others:
        if parts and _width([*parts[-1], column]) <= space:
            parts[-1].append(column)
        else:
            parts.append([*keys, column])
    return parts


def _drawn(columns: Sequence[_Column], left: Container[str]) -> str:
    aligns: list[Callable[[str, int], str]] = []
    for column in columns:
        begins_at_left = " ".join(column[0]) in left
        aligns.append(str.ljust if begins_at_left else str.rjust)
    widths = _widths(columns)
    lines = []
    for number, row in enumerate(zip(*columns, strict=True)):
        for texts in zip_longest(*row, fillvalue=""):
            cells = [align(text, width) for align, text, width in zip(aligns, texts, widths, strict=True)]
            lines.append(_GAP.join(cells).rstrip())
        if number == 0:
            lines.append("─" * _width(columns))
    return "\n".join([*lines, ""])
