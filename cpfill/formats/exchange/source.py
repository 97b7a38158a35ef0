"""What readers share: text from bytes, sizes, plain text from marked-up text, faults, and warnings about a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_LINES, MAX_SIDE, MAX_TEXT_BYTES, Fault, FormatError
from cpfill.base.files import decode
from cpfill.base.texts import say, say_count
from cpfill.puzzle.puzzle import SHADE, PuzzlePart, clean, find_colour

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.puzzle.grid import CellId
    from cpfill.puzzle.puzzle import Puzzle

_MOST_NAMES = 3
_GZIP_MAGIC = b"\x1f\x8b"
BREAKS = frozenset({"br", "dd", "div", "dt", "hr", "li", "ol", "p", "table", "td", "th", "tr", "ul"})
"""The tags of HTML that part what stands before and after them."""
_INLINE = (
    "a abbr b bdi bdo big center cite code del dfn em font i img ins kbd mark q rp rt ruby s samp small span strike "
    "strong sub sup tt u var wbr"
)
_NO_SHADES = {"", "white", "#ffffff"}
_TAG = re.compile(rf"</?({'|'.join([*BREAKS, *_INLINE.split()])})(?=[\s/>])[^<>]*>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]\w{1,30});")


NumberedLines = list[tuple[int, str]]
"""Lines of a file with their numbers."""


def fault(expected: str, got: str, line: int | None = None) -> FormatError:
    """Return the error of a file; who reads it adds its name."""
    return FormatError(Fault(expected, got, line=line))


def decode_text(data: bytes) -> str:
    r"""Return UTF-8 text with `\n` line ends.

    Raises:
        FormatError: the data is not text, or has too many lines.
    """
    if data.startswith(_GZIP_MAGIC):
        raise fault(say("text"), say("a gzip file: unpack it first"))
    text = decode(data, "", FormatError, MAX_TEXT_BYTES)
    if text.count("\n") > MAX_LINES:
        raise fault(say("at most {most} lines", most=MAX_LINES), say("more"))
    return text


def shorten(text: str) -> str:
    """Return the beginning of a text from a file, for messages."""
    return f"{text[:40]}…" if len(text) > 40 else text


def quote(text: str) -> str:
    """Return the same in quotes."""
    return f"'{shorten(text)}'"


def parse_side(text: str, line: int | None = None) -> int:
    """Return the number of rows or columns that a file says it has.

    Raises:
        FormatError: the text is no number, or too large.
    """
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= MAX_SIDE:
        return int(text)
    raise fault(say("a number of rows and columns from 1 to {most}", most=MAX_SIDE), quote(text), line)


def check_height(rows: Sequence[object], line: int | None = None) -> None:
    """Check that there are not too many rows, before each is taken apart.

    Raises:
        FormatError: there are; `line` is the one of the first row in the file.
    """
    if len(rows) > MAX_SIDE:
        raise fault(say("a grid of at most {most} rows", most=MAX_SIDE), str(len(rows)), line)


def check_rows(rows: Sequence[Sequence[object]], line: int | None = None) -> tuple[int, int]:
    """Return the height and width of rows that are all as long as the first.

    Raises:
        FormatError: there is none, or one has another length; `line` is the one of the first row in the file.
    """
    if not rows or not rows[0]:
        raise fault(say("a grid"), say("none"), line)
    for row, cells in enumerate(rows):
        if len(cells) != len(rows[0]):
            at = None if line is None else line + row
            raise fault(
                say("a row of {rows} cells, as row 1 has", rows=len(rows[0])),
                say("{cells} in row {n}", cells=len(cells), n=row + 1),
                at,
            )
    return parse_side(str(len(rows)), line), parse_side(str(len(rows[0])), line)


def strip_markup(escape_markup: str) -> str:
    """Return HTML as plain text: without its tags, its entities as the characters they stand for.

    What only looks like a tag stays.
    """
    from html import unescape  # noqa: PLC0415 - slow to import, and grids as text need none of it

    bare = _TAG.sub(lambda tag: " " * (tag[1].lower() in BREAKS), escape_markup)
    return _ENTITY.sub(lambda entity: unescape(entity[0]), bare)


def escape_markup(text: str) -> str:
    """Return plain text as HTML."""
    from html import escape  # noqa: PLC0415 - likewise

    return escape(text, quote=False)


def tell_left_out(count: int, what: str, which: str = "") -> tuple[str, ...]:
    """Return what a file had that is left unread, as a puzzle notes it; nothing for a count of 0 or less."""
    return (say("left out {what}{which}", what=say_count(count, what), which=say(which)),) if count > 0 else ()


def tell_if(so: bool, line: str) -> tuple[str, ...]:
    """Return a warning of one line, or nothing."""
    return (line,) if so else ()


def list_names(names: Sequence[str]) -> str:
    """Return the first of some names, as the end of a message."""
    shown = [clean(name[:60]) or "''" for name in names[:_MOST_NAMES]]
    return ": " + ", ".join(shown + ["…"] * (len(names) > len(shown)))


def read_shades(colours: Mapping[CellId, str]) -> tuple[dict[CellId, str], tuple[str, ...]]:
    """Return the shades of cells by their background colours, and a warning; white is no shade.

    Colours that have names or numbers, which mean something to the program that wrote them, become one shade.
    """
    found = {cell: find_colour(colour) or colour.lower() for cell, colour in colours.items()}
    found = {cell: colour for cell, colour in found.items() if colour not in _NO_SHADES}
    named = sorted({colour for colour in found.values() if find_colour(colour) is None})
    told = say("read {colours} as one shade{names}", colours=say_count(len(named), "colour"), names=list_names(named))
    return {cell: find_colour(colour) or SHADE for cell, colour in found.items()}, tell_if(bool(named), told)


def note_unread(puzzle: Puzzle, unread: Iterable[str]) -> Puzzle:
    """Return a puzzle as it was read, with warnings: what is `unread`, and its clues of no slot."""
    told = tuple(unread)
    if strays := puzzle.parts[PuzzlePart.STRAYS]:
        names = [f"{number}-{way}" for way, number in sorted(puzzle.clues.keys() - puzzle.slot_of.keys())]
        told += (say("found {clues}{names}", clues=say_count(strays, PuzzlePart.STRAYS), names=list_names(names)),)
    return puzzle.note(told)
