"""Files of puzzles: one registry of formats by name and suffix, each imported when it is asked for.

A format of exchange reads bytes to a `Puzzle`, or writes one, or both; a page is a drawing of one. What a format has no
place for is left out before it is written, and told.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol, cast

from cpfill.budgets import MAX_TEXT_BYTES, megabytes
from cpfill.errors import Fault, FormatError, InputError, unknown_name
from cpfill.formats.pages.style import Style, lacking
from cpfill.puzzle import IN_GRID
from cpfill.sources import display_name, read_bytes

if TYPE_CHECKING:
    import os
    from collections.abc import Collection

    from cpfill.puzzle import Part, Puzzle


class Reader(Protocol):
    """What the module of a format that can be read offers."""

    def recognises(self, data: bytes) -> bool:
        """Return whether a file begins as one of this format."""

    def read(self, data: bytes) -> Puzzle:
        """Return the puzzle in a file.

        Raises:
            FormatError: (or another InputError) it holds none; the fault does not name the file.
        """


class Writer(Protocol):
    """What the module of a format that can be written offers."""

    KEEPS: Collection[Part]

    def write(self, puzzle: Puzzle) -> bytes:
        """Return the file of a puzzle that has no part beyond KEEPS."""


class Page(Protocol):
    """What the module of a format that is a drawing offers."""

    KEEPS: Collection[Part]

    def draw(self, puzzle: Puzzle, style: Style) -> bytes:
        """Return the file of a puzzle that has no part beyond KEEPS."""


@dataclass(frozen=True, slots=True)
class PuzzleFormat:
    """A format: the suffixes of its files, where its module stands, what can be done with it."""

    suffixes: tuple[str, ...]
    module: str
    reads: bool = True
    writes: bool = True
    draws: bool = False
    binary: bool = False
    """Whether its files are no text."""
    charset: str | None = None
    """The characters that can be shown, if not all."""
    grid_alone: bool = False
    """Whether it is a picture of the grid: nobody looks for texts and clues in it."""

    def load(self) -> object:
        """Return what reads or writes it."""
        module, _, name = self.module.partition(":")
        found = import_module(f"cpfill.formats.{module}")
        return found.FORMATS[name] if name else found


def _page(*suffixes: str, module: str, **more: Any) -> PuzzleFormat:  # noqa: ANN401 - what else a format has
    return PuzzleFormat(suffixes, f"pages.{module}", reads=False, draws=True, **more)


PUZZLE_FORMATS: dict[str, PuzzleFormat] = {
    "puz": PuzzleFormat((".puz",), "exchange.puz", binary=True),
    "ipuz": PuzzleFormat((".ipuz",), "exchange.ipuz"),
    "cfp": PuzzleFormat((".cfp",), "exchange.cfp", writes=False),
    "across-lite": PuzzleFormat((), "exchange.across_lite"),
    "exolve": PuzzleFormat((".exolve",), "exchange.exolve"),
    "jpz": PuzzleFormat((".jpz",), "exchange.jpz", writes=False),
    "xd": PuzzleFormat((".xd",), "exchange.xd"),
    "native": PuzzleFormat((".txt",), "exchange.text:native"),
    **{name: PuzzleFormat((), f"exchange.text:{name}") for name in ("remy", "upmc", "beacham", "grl")},
    "json": PuzzleFormat((".json",), "exchange.json_record", reads=False),
    "csv": PuzzleFormat((".csv",), "exchange.csv_table", reads=False),
    "svg": _page(".svg", module="svg"),
    "html": _page(".html", ".htm", module="html_page"),
    "latex": _page(".tex", module="latex"),
    "pdf": _page(".pdf", module="pdf", binary=True, charset="cp1252"),
    "png": _page(".png", module="png", binary=True, charset="cp1252", grid_alone=True),
}
"""The formats by name. Those that read stand in the order of recognition: the native one takes what is left."""


def format_named(name: str, *, to: bool) -> PuzzleFormat:
    """Return the format of that name, which can be written or read.

    Raises:
        FormatError: there is none.
    """
    able = {known: one for known, one in PUZZLE_FORMATS.items() if (one.writes if to else one.reads)}
    if name not in able:
        raise FormatError(unknown_name(f"a format to {'write' if to else 'read'}", name, able))
    return able[name]


def format_to_read(path: str) -> str | None:
    """Return the name of the format of a file, unless its suffix says too little: text is in any of several formats."""
    name = _by_suffix(reads=True).get(PurePath(path).suffix.lower())
    return None if name == "native" else name


def format_to_write(path: str) -> str:
    """Return the name of the format that a file is to be in, by its suffix.

    Raises:
        FormatError: it is that of no format.
    """
    known, suffix = _by_suffix(reads=False), PurePath(path).suffix.lower()
    if suffix not in known:
        raise FormatError(unknown_name("a file with the suffix of a format", suffix, known))
    return known[suffix]


def _by_suffix(*, reads: bool) -> dict[str, str]:
    able = {name: one for name, one in PUZZLE_FORMATS.items() if (one.reads if reads else one.writes)}
    return {suffix: name for name, one in able.items() for suffix in one.suffixes}


def read_puzzle(source: bytes | str | os.PathLike[str], name: str | None = None, kind: str | None = None) -> Puzzle:
    """Return the puzzle in a file: one of this path, or with this content, which messages call `name`.

    `kind` is its format; by default that of the suffix, or the one recognised.

    Raises:
        InputError: there is no such file, or it holds no puzzle of the format, or a damaged one.
    """
    if isinstance(source, bytes):
        data, name = source, name or "puzzle"
    else:
        data, name = read_bytes(source, FormatError), name or display_name(source)
        kind = kind or format_to_read(str(source))
    if len(data) > MAX_TEXT_BYTES:
        raise FormatError(Fault(f"a puzzle of {megabytes(MAX_TEXT_BYTES)}", "more", name))
    if not data.strip():
        raise FormatError(Fault("a puzzle", "an empty file", name))
    try:
        if kind is not None:
            return cast("Reader", format_named(kind, to=False).load()).read(data)
        readers = (cast("Reader", one.load()) for one in PUZZLE_FORMATS.values() if one.reads)
        return next(reader for reader in readers if reader.recognises(data)).read(data)
    except InputError as exc:
        raise type(exc)(*(replace(fault, path=name) for fault in exc.faults)) from None


def write_puzzle(puzzle: Puzzle, kind: str, style: Style | None = None) -> tuple[bytes, list[str]]:
    """Return the file of a puzzle in the format `kind`, and what it has no place for, a line for each.

    Raises:
        InputError: there is no such format, the puzzle has what it cannot say, or a style is given for no drawing.
    """
    chosen = format_named(kind, to=True)
    if chosen.draws:
        page = cast("Page", chosen.load())
        kept = puzzle.keeping(page.KEEPS)
        data = page.draw(kept, style or Style())
    elif style is not None:
        drawings = ", ".join(name for name, one in PUZZLE_FORMATS.items() if one.draws)
        raise FormatError(Fault(f"a drawing ({drawings}) for --blank, --solution or --french", kind))
    else:
        writer = cast("Writer", chosen.load())
        kept = puzzle.keeping(writer.KEEPS)
        data = writer.write(kept)
    asked = puzzle.keeping(IN_GRID) if chosen.grid_alone else puzzle
    return data, asked.losses(kept) + _unshown(kept, chosen.charset)


def _unshown(puzzle: Puzzle, charset: str | None) -> list[str]:
    """Return what becomes of characters that a format cannot show."""
    if charset is None:
        return []
    texts = (*puzzle.metadata.values(), *puzzle.clues.values(), *(answer or "" for answer in puzzle.cells))
    unknown = lacking("".join(texts), charset)
    return [f"showed ? for {' '.join(unknown[:10])}, which its fonts lack"] if unknown else []
