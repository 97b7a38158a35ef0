"""The most that any reader accepts: input over a limit is refused with one line, before any work is done.

Each limit is many times what people use. Files may come from strangers, and a disk image may be passed as a list by
mistake.
"""

from __future__ import annotations

from cpfill.base.texts import say

MAX_TEXT_BYTES = 1 << 22
"""Size of a grid or a puzzle, unpacked; usual ones take a few kilobytes."""

MAX_SUITE_BYTES = 1 << 16
"""Size of a suite or a table of known answers; the longest of the classics takes 10 kB."""

MAX_LINE_BYTES = 1 << 12
"""Length of a line in a suite or a word list; the longest word of a grid, at four bytes a letter, takes a quarter."""

MAX_ODD_LINES = 2_000_000
"""Lines of a word list that hold no word; telling one from an oddly written word takes a few microseconds."""

MAX_LIST_BYTES = 1 << 27
"""Size of a word list, a file of clues or jobs, a dictionary, or a text to take words from.

A million words take 20 MB.
"""

MAX_RECORD_BYTES = 1 << 22
"""Size of a record in a file of results, or of the first line of a journal; a fill of the largest grid takes 0.3 MB."""

MAX_CUBE_BYTES = 1 << 28
"""Size of a line of a journal, which holds the fills of one cube out of hundreds, at one byte per cell."""

MAX_BENCH_BYTES = 1 << 28
"""Size of the results of a benchmark, which a report loads into memory as a whole; a run takes 1.5 kB."""

MAX_SIDE = 255
"""Rows or columns of a grid; `.puz` stores no larger number, and every fill must be writable."""

MAX_CELLS = 1 << 20
"""Cells of all grids in a text, or of all words in a file; as many as 4,600 grids of 15x15 have."""

MAX_GRIDS = 10_000
"""Grids in a text; each costs time beyond that for its cells."""

MAX_CLUES = 100_000
"""Clues of a puzzle; a grid of the largest size has 65,000 slots."""

MAX_LINES = 100_000
"""Lines in the text of a puzzle, which has about one line per clue."""

MAX_TEXT = 10_000
"""Characters of a clue, a title or any other text."""

MAX_ANSWER = 100
"""Characters of a cell; a rebus cell has about ten. A file may state an answer once and use it in every cell."""

MAX_ROW = MAX_SIDE * MAX_ANSWER
"""Characters of a line that holds a row of a grid, where a letter set or a rebus is one cell."""

MAX_MARKS = 30
"""Combining marks on one letter; the time to put them in order grows with the square of their number."""

MAX_ELEMENTS = 200_000
"""XML elements of a puzzle; each cell is one."""

MAX_DEPTH = 50
"""Nesting depth of XML elements, and of the brackets of JSON."""


def megabytes(budget: int) -> str:
    """Return a limit in bytes as messages show it."""
    return say("at most {n} MB", n=budget >> 20) if budget >> 20 else say("at most {n} kB", n=budget >> 10)
