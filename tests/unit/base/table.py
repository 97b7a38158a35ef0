"""Tables of cases in text."""

from __future__ import annotations


def read_row(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.split("|"))


def read_table(text: str) -> list[tuple[str, ...]]:
    """Return the cells of a table: a row a line, cells between bars."""
    return list(map(read_row, text.strip().splitlines()))
