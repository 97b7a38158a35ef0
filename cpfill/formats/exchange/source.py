"""Tools of all readers of exchange formats: text, sizes, markup, clues, faults and warnings; characters for cells."""

from __future__ import annotations

import re
import string
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cpfill.base.alphabet import compose
from cpfill.base.errors import MAX_CLUES, MAX_LINES, MAX_SIDE, MAX_TEXT_BYTES, Fault, FormatError
from cpfill.base.files import decode
from cpfill.base.texts import say, say_count
from cpfill.puzzle.parts import SHADE, ClueId, PuzzlePart, clean, find_colour

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.puzzle.grid import CellId, Direction
    from cpfill.puzzle.puzzle import Puzzle

_MOST_NAMES = 3
_GZIP_MAGIC = b"\x1f\x8b"
BREAKS = frozenset({"br", "dd", "div", "dt", "hr", "li", "ol", "p", "table", "td", "th", "tr", "ul"})
"""The tags of HTML that part the texts before and after them."""
_INLINE = (
    "a abbr b bdi bdo big center cite code del dfn em font i img ins kbd mark q rp rt ruby s samp small span strike "
    "strong sub sup tt u var wbr"
)
_NO_SHADES = {"", "white", "#ffffff"}
_TAG = re.compile(rf"</?({'|'.join([*BREAKS, *_INLINE.split()])})(?=[\s/>])[^<>]*>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]\w{1,30});")

LINKED = re.compile(r"(\d{1,5})[ad]?((?:\s{0,9}(?:[,&/]|and\b)\s{0,9}\d{1,5}[ad]?){1,50})", re.IGNORECASE)
"""The numbers of a clue of several slots, as in `4,7d,9`: that of the first, and those of the others."""

NumberedLines = list[tuple[int, str]]
"""Lines of a file with their numbers."""


def fault(message: str, got: str, line: int | None = None, **values: object) -> FormatError:
    """Return the error of a file: `message` is the expectation. The reader of the file adds its name."""
    return FormatError(Fault(say(message, **values), got, line=line))


def decode_text(data: bytes) -> str:
    r"""Return the text, with `\n` line ends, letters and accents composed."""
    if data.startswith(_GZIP_MAGIC):
        raise fault("text", say("a gzip file: unpack it first"))
    text = decode(data, "", FormatError, MAX_TEXT_BYTES)
    if text.count("\n") > MAX_LINES:
        raise fault("at most {most} lines", say("more"), most=MAX_LINES)
    return compose(text)


def list_texts(lines: NumberedLines) -> list[str]:
    """Return lines without their numbers."""
    return [text for _, text in lines]


def split_cells(row: str) -> list[str]:
    """Return the characters of a row, each with the marks that combine with it."""
    if row.isascii():
        return list(row)
    cells: list[str] = []
    for char in row:
        if cells and unicodedata.category(char).startswith("M"):
            cells[-1] += char
        else:
            cells.append(char)
    return cells


def shorten(text: str) -> str:
    """Return the beginning of a text from a file, for messages."""
    if len(text) > 40:
        return f"{text[:40]}…"
    return text


def quote(text: str) -> str:
    """Return the same in quotes."""
    return f"'{shorten(text)}'"


def parse_side(text: str, line: int | None = None) -> int:
    """Return the number of rows or columns that a file says it has."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= MAX_SIDE:
        return int(text)
    raise fault("a number of rows and columns from 1 to {most}", quote(text), line, most=MAX_SIDE)


def check_height(rows: Sequence[object], line: int | None = None) -> None:
    """Check that there are not too many rows, the first of them in this line, before each is taken apart."""
    if len(rows) > MAX_SIDE:
        raise fault("a grid of at most {most} rows", str(len(rows)), line, most=MAX_SIDE)


def check_rows(rows: Sequence[Sequence[object]], line: int | None = None) -> tuple[int, int]:
    """Return the height and width of rows that are all as long as the first, which stands in this line of the file."""
    if not rows or not rows[0]:
        raise fault("a grid", say("none"), line)
    width = len(rows[0])
    for row, cells in enumerate(rows):
        if len(cells) != width:
            at = None if line is None else line + row
            got = say("{cells} in row {n}", cells=len(cells), n=row + 1)
            raise fault("a row of {rows} cells, as row 1 has", got, at, rows=width)
    return parse_side(str(len(rows)), line), parse_side(str(width), line)


def strip_markup(escape_markup: str) -> str:
    """Return HTML as plain text: without its tags, its entities as the characters they stand for.

    Text that only looks like a tag stays.
    """
    from html import unescape

    bare = _TAG.sub(_replace_tag, escape_markup)
    return _ENTITY.sub(lambda entity: unescape(entity[0]), bare)


def _replace_tag(tag: re.Match[str]) -> str:
    """Return a blank for a tag that parts texts, nothing for another tag."""
    if tag[1].lower() in BREAKS:
        return " "
    return ""


def escape_markup(text: str) -> str:
    from html import escape

    return escape(text, quote=False)


def tell_left_out(count: int, what: str, which: str = "") -> tuple[str, ...]:
    """Return the warning that a file has parts that are not read, if the count is above 0."""
    if count <= 0:
        return ()
    return (say("left out {what}{which}", what=say_count(count, what), which=say(which)),)


def tell_if(so: bool, line: str) -> tuple[str, ...]:
    """Return a warning of one line, or nothing."""
    if so:
        return (line,)
    return ()


def list_names(names: Sequence[str]) -> str:
    """Return the first of some names, as the end of a message."""
    shown = [clean(name[:60]) or "''" for name in names[:_MOST_NAMES]]
    if len(names) > len(shown):
        shown.append("…")
    return ": " + ", ".join(shown)


def read_shades(colours: Mapping[CellId, str]) -> tuple[dict[CellId, str], tuple[str, ...]]:
    """Return the shades of cells by their background colours, and a warning; white cells have no shade.

    Colours that have names or numbers, which mean something to the program that wrote them, become one shade.
    """
    found = {cell: find_colour(colour) or colour.lower() for cell, colour in colours.items()}
    found = {cell: colour for cell, colour in found.items() if colour not in _NO_SHADES}
    named = sorted({colour for colour in found.values() if find_colour(colour) is None})
    told = say("read {colours} as one shade{names}", colours=say_count(len(named), "colour"), names=list_names(named))
    return {cell: find_colour(colour) or SHADE for cell, colour in found.items()}, tell_if(bool(named), told)


def note_unread(puzzle: Puzzle, unread: Iterable[str]) -> Puzzle:
    """Return a puzzle with warnings: the `unread` parts of its file, and its clues without a slot."""
    told = tuple(unread)
    strays = puzzle.parts[PuzzlePart.STRAYS]
    if strays:
        names = [f"{number}-{way}" for way, number in sorted(puzzle.clues.keys() - puzzle.slot_of.keys())]
        told += (say("found {clues}{names}", clues=say_count(strays, PuzzlePart.STRAYS), names=list_names(names)),)
    return puzzle.note(told)


@dataclass
class SourceMarks:
    """The characters of a puzzle's cells: `chars`, `None` for a block, and the `table` of the meanings of some.

    A letter stands for itself, a small one for a letter in a circle. Anything else has a mark: a small letter in a
    circle, one of `signs` elsewhere. `empty` stands for a cell without an answer. `letters` are those that stand for
    themselves, any if it is empty.
    """

    puzzle: Puzzle
    signs: str
    empty: str
    letters: str = ""
    chars: list[str | None] = field(init=False)
    table: dict[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        cells = self.puzzle.cells
        kinds = [(answer or "", cell in self.puzzle.circles) for cell, answer in enumerate(cells)]
        char_of: dict[tuple[str, bool], str] = {}
        for kind in kinds:
            char = self._find_plain_char(*kind)
            if char:
                char_of[kind] = char
        self._add_marks(kinds, char_of)
        self.chars = [None if answer is None else char_of[kind] for answer, kind in zip(cells, kinds, strict=True)]

    def _add_marks(self, kinds: Sequence[tuple[str, bool]], char_of: dict[tuple[str, bool], str]) -> None:
        """Choose marks for the kinds of cells that have no character, and put their answers into the table."""
        small = iter(sorted(set(string.ascii_lowercase) - set(char_of.values())))
        signs = iter(self.signs)
        for kind in kinds:
            if kind in char_of:
                continue
            answer, circled = kind
            mark = next(small if circled else signs, None)
            if mark is None:
                most = len(self.signs)
                raise fault("at most {signs} different cells of several letters", say("more"), signs=most)
            char_of[kind] = mark
            self.table[mark] = answer or self.empty

    def _find_plain_char(self, answer: str, circled: bool) -> str | None:
        """Return the character that needs no table."""
        if not answer:
            if circled:
                return None
            return self.empty
        if len(answer) > 1 or not answer.isalpha() or (self.letters and answer not in self.letters):
            return None
        if circled:
            return _find_small(answer)
        is_small = answer == answer.lower() != answer.upper()
        if is_small:
            return None
        return answer


def _find_small(letter: str) -> str | None:
    """Return the small letter of a capital, `None` if it has none that stands for it alone."""
    small = letter.lower()
    if len(small) == 1 and small.islower() and small.upper() == letter:
        return small
    return None


@dataclass
class ClueList:
    """Clues by direction and number, and the names of those `left`: they lack either, or share both with another."""

    clues: dict[ClueId, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)

    def add(self, direction: Direction | None, number: str | int, text: str, name: str) -> None:
        """Add the clue of a direction and a number as the file has it; `name` stands for the clue in messages."""
        if len(self.clues) + len(self.left) == MAX_CLUES:
            raise fault("at most {most} clues", say("more"), most=MAX_CLUES)
        written = str(number)
        known = written.isascii() and written.isdigit() and len(written) < 6
        clue = (direction, int(written)) if direction and known else None
        if clue is None or clue in self.clues:
            self.left.append(name)
        else:
            self.clues[clue] = text

    @property
    def unread(self) -> tuple[str, ...]:
        """Losses: the clues that are left over."""
        return tell_left_out(len(self.left), "clue", list_names(self.left))
