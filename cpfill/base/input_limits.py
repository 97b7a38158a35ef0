"""How much any reader takes in: past a budget there is one line that says so, and no work is done.

Each is many times what people have. Files may come from strangers, and by mistake a list may be a disk image.
"""

from __future__ import annotations

MAX_TEXT_BYTES = 1 << 22
"""Of a grid or a puzzle, unpacked; they take some kilobytes."""

MAX_SUITE_BYTES = 1 << 16
"""Of a suite or a table of known answers; the longest of the classics takes 10 kB."""

MAX_LINE_BYTES = 1 << 12
"""Of a line of a suite or a word list; the longest word of a grid, of letters that take four bytes, takes a quarter."""

MAX_ODD_LINES = 2_000_000
"""Of a word list, lines that hold no word; to tell one from a word that is oddly written takes some microseconds."""

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

MAX_CELLS = 1 << 20
"""Of all grids in a text, or all words in a file; as many as 4,600 grids of 15x15 have."""

MAX_GRIDS = 10_000
"""In a text; each of them costs more than its cells."""

MAX_CLUES = 100_000
"""Of a puzzle; a grid of the greatest size has 65,000 slots."""

MAX_LINES = 100_000
"""Of the text of a puzzle, which has about one for each clue."""

MAX_TEXT = 10_000
"""Of a clue, a title or another text, in characters."""

MAX_ANSWER = 100
"""Of a cell, in characters; a rebus has some ten. A file may say once what stands in all its cells."""

MAX_ROW = MAX_SIDE * MAX_ANSWER
"""Of a line with a row of a grid, in characters; a letter set or a rebus is one cell."""

MAX_MARKS = 30
"""Of accents and the like on one letter; to put them in order takes time that grows with the square of their number."""

MAX_ELEMENTS = 200_000
"""Of the XML of a puzzle; a cell is one."""

MAX_DEPTH = 50
"""Of elements of XML within one another."""


def megabytes(budget: int) -> str:
    """Return a budget of bytes for messages."""
    return f"at most {budget >> 20} MB" if budget >> 20 else f"at most {budget >> 10} kB"
