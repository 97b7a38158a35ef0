"""How much any reader takes in: past a budget there is one line that says so, and no work is done.

Each is many times what people have. Files may come from strangers, and by mistake a list may be a disk image.
"""

from __future__ import annotations

MAX_TEXT_BYTES = 1 << 22
"""Of a grid, a puzzle or a suite, unpacked; they take some kilobytes."""

MAX_LIST_BYTES = 1 << 27
"""Of a word list, a file of clues or jobs, a dictionary, a text to take words from; a million words take 20 MB."""

MAX_RECORD_BYTES = 1 << 22
"""Of a record in a file of results, and of the first line of a journal; a fill of the greatest grid takes 0.3 MB."""

MAX_CUBE_BYTES = 1 << 28
"""Of a line of a journal, which has the fills of one cube of hundreds; a byte a cell."""

MAX_BENCH_BYTES = 1 << 28
"""Of the results of a benchmark, all of which a report has in memory; a run takes 1.5 kB."""

MAX_SIDE = 255
"""Of a grid, in rows or columns; the greatest that `.puz` has a number for, so that every fill can be written."""


def megabytes(budget: int) -> str:
    """Return a budget of bytes for messages."""
    return f"at most {budget >> 20} MB"
