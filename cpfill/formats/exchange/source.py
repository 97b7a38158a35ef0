"""What readers share: text from bytes, sizes, plain text from marked-up text, and faults."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from cpfill.errors import Fault, FormatError
from cpfill.puzzle import MAX_SIDE
from cpfill.sources import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_BYTES = 1 << 22
"""A puzzle takes some kilobytes; what takes more than 4 MB is none."""
MAX_LINES = 100_000
"""A grid of the greatest size has fewer clues."""

_GZIP_MAGIC = b"\x1f\x8b"
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]\w{1,30});")


def fault(expected: str, got: str, line: int | None = None) -> FormatError:
    """Return the error of a file; who reads it adds its name."""
    return FormatError(Fault(expected, got, line=line))


def text_of(data: bytes) -> str:
    r"""Return UTF-8 text with `\n` line ends.

    Raises:
        FormatError: it is none, or has too many lines.
    """
    if data.startswith(_GZIP_MAGIC):
        raise fault("text", "a gzip file: unpack it first")
    text = decode(data, "", FormatError)
    if text.count("\n") > MAX_LINES:
        raise fault(f"at most {MAX_LINES} lines", "more")
    return text


def quoted(text: str) -> str:
    """Return the beginning of a text from a file, for messages."""
    return f"'{text[:40]}…'" if len(text) > 40 else f"'{text}'"


def side_of(text: str, line: int | None = None) -> int:
    """Return the number of rows or columns that a file says it has.

    Raises:
        FormatError: it is none, or too great.
    """
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= MAX_SIDE:
        return int(text)
    raise fault(f"a number of rows and columns from 1 to {MAX_SIDE}", quoted(text), line)


def check_rows(rows: Sequence[Sequence[object]], line: int | None = None) -> tuple[int, int]:
    """Return the height and width of rows that are all as long as the first.

    Raises:
        FormatError: there is none, or one has another length; `line` is the one of the first row in the file.
    """
    if not rows or not rows[0]:
        raise fault("a grid", "none", line)
    for row, cells in enumerate(rows):
        if len(cells) != len(rows[0]):
            at = None if line is None else line + row
            raise fault(f"a row of {len(rows[0])} cells, as row 1 has", f"{len(cells)} in row {row + 1}", at)
    return side_of(str(len(rows)), line), side_of(str(len(rows[0])), line)


def plain(marked: str) -> str:
    """Return HTML as plain text: without its tags, its entities as the characters they stand for."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), _TAG.sub("", marked))


def marked(text: str) -> str:
    """Return plain text as HTML."""
    return html.escape(text, quote=False)


def some(count: int, what: str, which: str = "") -> tuple[str, ...]:
    """Return what a file had that is left unread, as a puzzle notes it; nothing for a count of 0 or less."""
    return (f"left out {count} {what}{'s' * (count > 1)}{which}",) if count > 0 else ()
