"""Every format of files: its name, its family, its codec and its suffixes; and puzzles and templates read and written.

The family is the kind of content, and tells where its codec stands:

dialect   grids as text, of a `Dialect` in `dialects`
exchange  puzzles, read, written or both by a codec in `exchange`
page      drawings of puzzles, by a codec in `pages`

A new format is a codec and a line here; a new dialect is an object there. Modules are imported on use. A puzzle is
written without the parts that its format has no place for, and a line names them. A template is a grid to be filled:
of a text in any dialect, of a puzzle, of a program, or an empty one by its size.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from cpfill.base.alphabet import LATIN, MAX_LETTERS, Alphabet, compose
from cpfill.base.errors import (
    MAX_SIDE,
    MAX_TEXT_BYTES,
    Fault,
    FormatError,
    GridError,
    InputError,
    check_type,
    expected,
    megabytes,
    name_first,
    unknown_name,
)
from cpfill.base.files import decode, display_name, is_utf_16, read_bytes
from cpfill.base.texts import later, say
from cpfill.formats.dialects import DIALECTS, NATIVE, Dialect, get_dialect, parse_grids
from cpfill.formats.pages.style import SERIF, VERA, PageLayout, PageStyle, find_lacking
from cpfill.puzzle.grid import Grid, parse_size, split_rows
from cpfill.puzzle.parts import IN_GRID, PuzzlePart
from cpfill.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping


class Family(StrEnum):
    """The content of the files of a format."""

    DIALECT = "dialect"
    EXCHANGE = "exchange"
    PAGE = "page"


_ABSENT: Any = None


class Codec(NamedTuple):
    """The functions that read, write or draw puzzles in a format; the registry says which of them exist.

    Attributes:
        keeps: the parts of a puzzle that its files have a place for; a puzzle that is written or drawn has no other.
        recognises: whether a file begins as one of this format.
        read: returns the puzzle in a file; a fault does not name the file.
        write: returns the file of a puzzle.
        simplify: returns a puzzle with its texts as they are written, and warnings, one line each.
        draw: returns the drawing of a puzzle, and warnings, one line each.
    """

    keeps: frozenset[PuzzlePart] = frozenset()
    recognises: Callable[[bytes], bool] = _ABSENT
    read: Callable[[bytes], Puzzle] = _ABSENT
    write: Callable[[Puzzle], bytes] = _ABSENT
    simplify: Callable[[Puzzle], tuple[Puzzle, list[str]]] = lambda puzzle: (puzzle, [])
    draw: Callable[[Puzzle, PageStyle], tuple[bytes, list[str]]] = _ABSENT


class Suffixed(Protocol):
    """The format, by the suffix of its files."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes."""


class FileFormat(NamedTuple):
    """A format: the place of its codec, the suffixes of its files, its abilities.

    Attributes:
        family: the content of its files.
        codec: the module within `cpfill.formats`, and the name of its codec there; of a dialect the name.
        suffixes: the suffixes of its files; no other format that can be read, or written, has one of them.
        reads: whether it can be read.
        writes: whether it can be written.
        binary: whether its files are no text.
        charsets: the charsets of the characters that can be shown, if not all can.
        grid_alone: whether it is a picture of the grid: nobody looks for texts and clues in it.
        has_pages: whether it is drawn on paper of a size, with the solution on a page of its own.
        layouts: the layouts that a drawing can have; otherwise empty.
    """

    family: Family
    codec: str
    suffixes: tuple[str, ...] = ()
    reads: bool = True
    writes: bool = True
    binary: bool = False
    charsets: tuple[str, ...] | None = None
    grid_alone: bool = False
    has_pages: bool = False
    layouts: tuple[PageLayout, ...] = ()

    @property
    def draws(self) -> bool:
        """Whether it is a drawing."""
        return self.family is Family.PAGE

    def load(self) -> Codec:
        """Return its codec."""
        if self.family is Family.DIALECT:
            dialect = DIALECTS[self.codec]
            return Codec(dialect.keeps, read=partial(_read_text, dialect), write=partial(_write_text, dialect))
        module, _, name = self.codec.partition(":")
        return cast("Codec", getattr(import_module(f"cpfill.formats.{module}"), name))


def _exchange(codec: str, *suffixes: str, **more: Any) -> FileFormat:
    return FileFormat(Family.EXCHANGE, f"exchange.{codec}", suffixes, **more)


def _page(codec: str, *suffixes: str, layouts: tuple[PageLayout, ...] = (), **more: Any) -> FileFormat:
    layouts = (PageLayout.NEWSPAPER, *layouts)
    return FileFormat(Family.PAGE, f"pages.{codec}", suffixes, reads=False, layouts=layouts, **more)


FORMATS: dict[str, FileFormat] = {
    "puz": _exchange("across_lite:PUZ", ".puz", binary=True),
    "ipuz": _exchange("ipuz:IPUZ", ".ipuz"),
    "cfp": _exchange("markup:CFP", ".cfp", writes=False),
    "across-lite": _exchange("across_lite:TEXT"),
    "exolve": _exchange("exolve:EXOLVE", ".exolve"),
    "jpz": _exchange("markup:JPZ", ".jpz", writes=False),
    "xd": _exchange("xd:XD", ".xd"),
    **{name: FileFormat(Family.DIALECT, name, (".txt",) if name == "native" else ()) for name in DIALECTS},
    "json": _exchange("tables:JSON", ".json", reads=False),
    "csv": _exchange("tables:CSV", ".csv", reads=False),
    "svg": _page("pictures:SVG", ".svg", layouts=(PageLayout.ARROWS,)),
    "html": _page("html_page:HTML", ".html", ".htm", has_pages=True, layouts=tuple(PageLayout)[1:]),
    "latex": _page("latex:LATEX", ".tex", has_pages=True),
    "pdf": _page(
        "pdf:PDF",
        ".pdf",
        binary=True,
        charsets=SERIF,
        has_pages=True,
        layouts=(PageLayout.SUBMISSION, PageLayout.ARROWS),
    ),
    "png": _page("pictures:PNG", ".png", binary=True, charsets=VERA, grid_alone=True, layouts=(PageLayout.ARROWS,)),
}
"""The formats by name, in the order of recognition: a file that no format of `exchange` recognises is a dialect's."""

READABLE = {name: one for name, one in FORMATS.items() if one.reads}
WRITABLE = {name: one for name, one in FORMATS.items() if one.writes}


def find_format(path: str, formats: Mapping[str, Suffixed]) -> str | None:
    """Return the name of the format that has the suffix of a file, if any of `formats` has it."""
    suffix = PurePath(path).suffix.lower()
    return next((name for name, one in formats.items() if suffix in one.suffixes), None)


def guess_format(path: str) -> str | None:
    """Return the name of the format of a puzzle file by its suffix; `None` if that does not decide it, as for text."""
    name = find_format(path, READABLE)
    if name is None or FORMATS[name].family is Family.DIALECT:
        return None
    return name


def check_readable(path: str) -> None:
    """Check that the suffix of a file does not belong to a format that is only written."""
    name = find_format(path, FORMATS)
    if name is not None and name not in READABLE:
        raise expected(
            "a file that can be read: {readable}",
            say("{name}, which is written only", name=name),
            path,
            error=FormatError,
            readable=", ".join(READABLE),
        )


def choose_format(path: str, formats: Mapping[str, Suffixed] = WRITABLE) -> str:
    """Return the name of the format to write a file in, by its suffix."""
    name = find_format(path, formats)
    if name is None:
        known = [suffix for one in formats.values() for suffix in one.suffixes]
        raise FormatError(unknown_name(say("a file with the suffix of a format"), PurePath(path).suffix.lower(), known))
    return name


def get_format(name: str, *, to: bool) -> FileFormat:
    """Return the format of that name, which can be written or read."""
    able = WRITABLE if to else READABLE
    if not isinstance(name, str) or name not in able:
        verb = say("write") if to else say("read")
        raise FormatError(unknown_name(say("a format to {what}", what=verb), str(name), able))
    return able[name]


def read_puzzle(source: bytes | str | os.PathLike[str], name: str | None = None, kind: str | None = None) -> Puzzle:
    """Return the puzzle in a file: one of this path, or with this content, which messages call `name`.

    `kind` is its format; by default that of the suffix, or the one recognised.

    Raises:
        InputError: there is no such file, or it holds no puzzle of the format, or a damaged one.
        TypeError: the source is neither a file nor its content.
    """
    check_type(source, bytes | str | os.PathLike, "the name of a file, or its content as bytes")
    check_type(name, str | None, "a text for name")
    if isinstance(source, bytes):
        return _parse_puzzle(source, name or "puzzle", kind)
    data = read_bytes(source, FormatError)
    return _parse_puzzle(data, name or display_name(source), kind or guess_format(str(source)))


def _parse_puzzle(data: bytes, name: str, kind: str | None) -> Puzzle:
    """Return the puzzle in a file with this content and name."""
    if len(data) > MAX_TEXT_BYTES:
        raise expected("a puzzle of {size}", say("more"), name, error=FormatError, size=megabytes(MAX_TEXT_BYTES))
    data = _to_utf_8(data)
    if not data.strip():
        raise expected("a puzzle", say("an empty file"), name, error=FormatError)
    try:
        chosen = get_format(kind or recognise(data), to=False)
        return chosen.load().read(data)
    except InputError as exc:
        if kind is None and chosen.family is Family.DIALECT:
            check_readable(name)
        faults = [fault._replace(path=name) for fault in exc.faults]
        raise type(exc)(*faults) from None


def _to_utf_8(data: bytes) -> bytes:
    """Return text in UTF-16 that has a byte order mark in UTF-8, except XML, which says its encoding itself."""
    if not is_utf_16(data):
        return data
    text = data.decode("utf-16", errors="replace")
    if text.lstrip().startswith("<?xml"):
        return data
    return text.encode(errors="replace")


def recognise(data: bytes) -> str:
    """Return the name of the exchange format that a file is in, by default native text."""
    exchange = ((name, one) for name, one in READABLE.items() if one.family is Family.EXCHANGE)
    return next((name for name, one in exchange if one.load().recognises(data)), "native")


def write_puzzle(puzzle: Puzzle, kind: str, style: PageStyle | None = None) -> tuple[bytes, list[str]]:
    """Return the file of a puzzle in the format `kind`, and a line for everything that the format cannot keep.

    Raises:
        InputError: there is no such format, the puzzle has parts that it cannot express, or the style is not for it.
        TypeError: the puzzle or the style has another type.
    """
    check_type(puzzle, Puzzle, "a puzzle")
    check_type(style, PageStyle | None, "a PageStyle for style")
    chosen = get_format(kind, to=True)
    if style is not None:
        check_style(style, kind)
    style = style or PageStyle()
    codec = chosen.load()
    kept = puzzle.keep(list_kept(codec, style))
    if chosen.draws:
        data, told = codec.draw(kept, style)
    else:
        kept, told = codec.simplify(kept)
        data = codec.write(kept)
        if chosen.reads and chosen.family is Family.EXCHANGE:
            told += _tell_changed(kept, codec.read(data))
    asked = puzzle.keep(IN_GRID) if chosen.grid_alone else puzzle
    return data, asked.tell_losses(kept) + tell_unshown(kept, chosen.charsets) + told


def list_kept(codec: Codec, style: PageStyle) -> frozenset[PuzzlePart]:
    """Return the parts of a puzzle that a format has a place for in a style."""
    keeps = codec.keeps - _UNSHOWN.get(style.layout, frozenset())
    if style.layout is PageLayout.ARROWS:
        keeps |= {PuzzlePart.CLUES}
    if style.french:  # whose cells have no numbers
        keeps -= {PuzzlePart.LABELS}
    return keeps


_UNSHOWN = {
    PageLayout.ARROWS: {PuzzlePart.STRAYS, PuzzlePart.LABELS},
    PageLayout.SUBMISSION: {PuzzlePart.GIVENS, PuzzlePart.COPYRIGHT, PuzzlePart.NOTES},
    PageLayout.INTERACTIVE: {PuzzlePart.STRAYS, PuzzlePart.COPYRIGHT, PuzzlePart.NOTES},
}
"""The parts of a puzzle that a layout has no place for, though other drawings in the same format have."""


def check_style(style: PageStyle, kind: str | None) -> None:
    """Check that a format supports a style; `None` stands for plain text."""
    chosen = get_format(kind, to=True) if kind else None

    def check(wanted: str, able: Callable[[FileFormat], bool]) -> None:
        if chosen is None or not able(chosen):
            names = ", ".join(name for name, one in FORMATS.items() if able(one))
            raise FormatError(Fault(wanted.format(names), kind or say("plain text")))

    wanted = say("a drawing ({}) for --blank, --solution, --french, --word-bank, --paper or --layout")
    check(wanted, lambda one: one.draws)
    if style.paper is not None:
        check(say("a drawing with pages ({}) for --paper"), lambda one: one.has_pages)
    if style.word_bank:
        check(say("a drawing with clues ({}) for --word-bank"), lambda one: one.draws and not one.grid_alone)
    if style.layout in _LAYOUTS:
        check(say(_LAYOUTS[style.layout]), lambda one: style.layout in one.layouts)


_LAYOUTS = {
    PageLayout.SUBMISSION: later("{} for --layout submission"),
    PageLayout.INTERACTIVE: later("{} for --layout interactive"),
    PageLayout.ARROWS: later("a drawing that has arrows ({}) for --layout arrows"),
}


def _tell_changed(written: Puzzle, read: Puzzle) -> list[str]:
    """Return which cells and texts of a puzzle are read back differently, because their signs have a meaning there.

    Differences in blanks do not count.
    """
    cells = enumerate(zip(written.cells, read.cells, strict=True))
    changed = [written.tell_place(cell) for cell, (answer, back) in cells if answer != back]
    for (way, number), text in written.clues.items():
        if _differs(text, read.clues.get((way, number))):
            changed.append(f"{number}-{way}")
    for part, text in written.metadata.items():
        if _differs(text, read.metadata.get(part)):
            changed.append(f"the {part}")
    if not changed:
        return []
    named = name_first(changed, _NAMED, "; ")
    return [say("read otherwise, for the format has other uses for some signs in them: {named}", named=named)]


def _differs(text: str, back: str | None) -> bool:
    """Return whether a text that was read back has other words."""
    return back is not None and back.split() != text.split()


_NAMED = 5
"""The most changed cells and texts that a warning names."""

_SIGNS = 10
"""The most characters without a glyph that a warning names."""


def tell_unshown(puzzle: Puzzle, charsets: Collection[str] | None) -> list[str]:
    """Return which characters a format cannot show."""
    if charsets is None:
        return []
    letters = chain(filter(None, puzzle.cells), *puzzle.alternatives.values())
    texts = (*puzzle.metadata.values(), *puzzle.clues.values(), *letters)
    unknown = find_lacking("".join(texts), charsets)
    if not unknown:
        return []
    return [say("showed ? for {unknown}, which its fonts lack", unknown=name_first(unknown, _SIGNS, " "))]


def _read_text(dialect: Dialect, data: bytes) -> Puzzle:
    """Return the one grid of a text; letters are kept as they are written, but in upper case.

    The native dialect stands for every dialect here; the others read only their own text.
    """
    from cpfill.formats.exchange.source import decode_text, fault

    text = decode_text(data)
    letters = set(filter(str.isalpha, set(compose(text).upper())))
    others = sorted(char for char in letters - set(LATIN) if char == char.upper())
    alphabet = Alphabet(LATIN + "".join(others[: MAX_LETTERS - len(LATIN)]))
    _, grids = parse_grids(text, dialect=None if dialect is NATIVE else dialect.name, alphabet=alphabet)
    if len(grids) > 1:
        raise fault("one grid", f"{len(grids)}")
    return Puzzle.of_grid(grids[0])


def _write_text(dialect: Dialect, puzzle: Puzzle) -> bytes:
    """Return the cells, and the bars where the dialect has a place for them."""
    shown = []
    for cell, answer in enumerate(puzzle.cells):
        if answer is None:
            shown.append("")
        elif cell in puzzle.letter_sets and not answer:
            shown.append(f"[{puzzle.letter_sets[cell]}]")
        else:
            shown.append(answer or dialect.empty)
    return dialect.write(split_rows(shown, puzzle.width), puzzle.bars).encode()


class Template(NamedTuple):
    """A grid to be filled.

    Attributes:
        name: the file's, numbered where it has several grids; or the size.
        dialect: the dialect for fills of it as text.
        grid: the grid.
        puzzle: the puzzle that it is the grid of, if the file is one.
    """

    name: str
    dialect: Dialect
    grid: Grid
    puzzle: Puzzle | None = None


def read_templates(
    path: str | os.PathLike[str],
    *,
    alphabet: Alphabet | None = None,
    min_slot_length: int = 2,
    dialect: str | None = None,
) -> list[Template]:
    """Return the templates in a file, or in standard input for `-`.

    A size such as `5x5`, of rows and columns, is an empty grid, unless there is a file of that name.
    """
    alphabet = alphabet or Alphabet()
    name = display_name(path)
    if is_size(str(path)):
        return [make_empty_template(name, alphabet=alphabet, min_slot_length=min_slot_length, dialect=dialect)]
    return parse_templates(read_bytes(path, GridError), name, alphabet, min_slot_length, dialect)


def parse_templates(
    data: bytes, name: str, alphabet: Alphabet, min_slot_length: int, dialect: str | None
) -> list[Template]:
    """Return the templates in the content of a file of that name.

    The suffix tells a puzzle from text; a file with another suffix that is no text grid is recognised, if possible.
    """
    kind = guess_format(name)
    data = _to_utf_8(data)
    if kind is None:
        try:
            text = decode(data, name, GridError, MAX_TEXT_BYTES)
            chosen, grids = parse_grids(
                text, name=name, dialect=dialect, alphabet=alphabet, min_slot_length=min_slot_length
            )
        except InputError:
            kind = "native" if dialect else recognise(data)
            if kind == "native" and not dialect:
                check_readable(name)
            if kind == "native":
                raise
        else:
            return _number_templates(name, chosen, grids)
    puzzle = _parse_puzzle(data, name, kind)
    return [Template(name, NATIVE, puzzle.grid(alphabet, min_slot_length, name), puzzle)]


def _number_templates(name: str, dialect: Dialect, grids: Sequence[Grid]) -> list[Template]:
    """Return the templates of the grids in a text, numbered if there are several."""
    if len(grids) == 1:
        return [Template(name, dialect, grids[0])]
    return [Template(f"{name}#{number}", dialect, grid) for number, grid in enumerate(grids, start=1)]


def is_size(name: str, directory: Path | None = None) -> bool:
    """Return whether a name is a size such as `5x5`, and no file in the directory has that name."""
    return parse_size(name) is not None and not ((directory or Path()) / name).exists()


def make_empty_template(size: str, *, alphabet: Alphabet, min_slot_length: int, dialect: str | None = None) -> Template:
    """Return an empty grid of a size such as `5x5`."""
    height, width = parse_size(size) or (0, 0)
    if not (1 <= height <= MAX_SIDE and 1 <= width <= MAX_SIDE):
        raise expected("a size from 1x1 to {most}x{most}", f"'{size}'", error=GridError, most=MAX_SIDE)
    grid = Grid(height, width, (alphabet.full,) * (height * width), alphabet, min_slot_length)
    if not grid.slots:
        raise expected(
            "at least one slot: {min_slot_length} open cells in a row",
            say("none"),
            size,
            error=GridError,
            min_slot_length=min_slot_length,
        )
    return Template(size, get_dialect(dialect or NATIVE.name), grid)


GridLike = Template | Grid | Puzzle | str | os.PathLike[str] | Sequence[str]
"""A grid, a puzzle, the path of a file with one, the size of an empty one, the rows, or a text of several lines."""


def templates_of(
    given: GridLike,
    *,
    name: str = "grid",
    alphabet: Alphabet | None = None,
    min_slot_length: int = 2,
    dialect: str | None = None,
) -> list[Template]:
    """Return the templates of a grid in any form; a `Grid` has its own alphabet and slots. `name` stands for texts."""
    check_type(name, str, "a text for name")
    check_type(alphabet, Alphabet | None, "an alphabet such as Alphabet('ABC')")
    if isinstance(given, Template):
        return [given]
    if isinstance(given, Grid):
        return [Template(name, NATIVE, given)]
    if isinstance(given, Puzzle):
        return [Template("puzzle", NATIVE, given.grid(alphabet or Alphabet(), min_slot_length), given)]
    if isinstance(given, os.PathLike) or (isinstance(given, str) and "\n" not in given):
        return read_templates(given, alphabet=alphabet, min_slot_length=min_slot_length, dialect=dialect)
    text = _join_rows(given)
    if text is None:
        raise expected("a grid: a file, rows, a text of several lines or a puzzle", f"{given!r:.60}", error=GridError)
    chosen, grids = parse_grids(text, name=name, dialect=dialect, alphabet=alphabet, min_slot_length=min_slot_length)
    return [Template(name, chosen, grid) for grid in grids]


def read_letters(rows: Sequence[str], grid: Grid) -> Grid:
    """Return native rows, whose letters need be no words, as a grid as large as another one."""
    length = grid.min_slot_length
    before, *_ = templates_of(rows, alphabet=grid.alphabet, min_slot_length=length, dialect="native")
    check_size(before.grid, grid)
    return before.grid


def check_size(fill: Grid, grid: Grid) -> None:
    """Check that a fill to differ from is as large as the grid."""
    if (fill.height, fill.width) != (grid.height, grid.width):
        wanted = later("a fill of {height} x {width} cells to differ from")
        raise expected(wanted, f"{fill.height} x {fill.width}", error=GridError, height=grid.height, width=grid.width)


def _join_rows(given: object) -> str | None:
    """Return the text of a grid given as text or as its rows; `None` for other objects."""
    if isinstance(given, str):
        return given
    if isinstance(given, Sequence) and all(isinstance(row, str) for row in given):
        return "\n".join(row.rstrip("\r\n") for row in given)
    return None
