"""Every format of files, once: its name, its family, the module that reads or writes it, its suffixes.

The family says what its files hold, and its package where the module stands:

dialect   grids as text, of a `Dialect` in `dialects`
exchange  puzzles: `exchange`, whose modules offer a `PuzzleReader`, a `PuzzleWriter`, or both
page      drawings of puzzles: `pages`, whose modules offer a `PuzzleDrawer`

A further format is a module and a line here; a further dialect, an object there. Modules are
imported when they are asked for.
"""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cpfill.base.errors import FormatError, expected, unknown_name
from cpfill.base.texts import say
from cpfill.formats.dialects import DIALECTS
from cpfill.formats.pages.style import SERIF, VERA

if TYPE_CHECKING:
    from collections.abc import Mapping


class Family(StrEnum):
    """What the files of a format hold."""

    DIALECT = "dialect"
    EXCHANGE = "exchange"
    PAGE = "page"


class Suffixed(Protocol):
    """The format, by the suffix of its files."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes."""


class FileFormat(NamedTuple):
    """A format: where its module stands, the suffixes of its files, what can be done with it.

    Attributes:
        family: what its files hold.
        module: what reads or writes it, within `cpfill.formats`.
        suffixes: the suffixes of its files; no other format that can be read, or written, has one of them.
        reads: whether it can be read.
        writes: whether it can be written.
        binary: whether its files are no text.
        simplifies: whether it writes some characters of texts as others: its module is a `PuzzleSimplifier`.
        charsets: what can be shown, if not all characters: those of these charsets.
        grid_alone: whether it is a picture of the grid: nobody looks for texts and clues in it.
        has_pages: whether it is drawn on paper of a size, with the solution on a page of its own.
        has_submission: whether it can be a manuscript.
        arrows: whether it can draw clues in the blocks, with arrows.
        interactive: whether it can be a page to solve on.
    """

    family: Family
    module: str
    suffixes: tuple[str, ...] = ()
    reads: bool = True
    writes: bool = True
    binary: bool = False
    simplifies: bool = False
    charsets: tuple[str, ...] | None = None
    grid_alone: bool = False
    has_pages: bool = False
    has_submission: bool = False
    arrows: bool = False
    interactive: bool = False

    @property
    def draws(self) -> bool:
        """Whether it is a drawing."""
        return self.family is Family.PAGE

    def load(self) -> object:
        """Return what reads or writes it."""
        return import_module(f"cpfill.formats.{self.module}")


def _exchange(module: str, *suffixes: str, **more: Any) -> FileFormat:  # noqa: ANN401 - what else a format has
    return FileFormat(Family.EXCHANGE, f"exchange.{module}", suffixes, **more)


def _page(module: str, *suffixes: str, **more: Any) -> FileFormat:  # noqa: ANN401 - likewise
    return FileFormat(Family.PAGE, f"pages.{module}", suffixes, reads=False, **more)


FORMATS: dict[str, FileFormat] = {
    "puz": _exchange("puz", ".puz", binary=True, simplifies=True),
    "ipuz": _exchange("ipuz", ".ipuz"),
    "cfp": _exchange("cfp", ".cfp", writes=False),
    "across-lite": _exchange("across_lite"),
    "exolve": _exchange("exolve", ".exolve"),
    "jpz": _exchange("jpz", ".jpz", writes=False),
    "xd": _exchange("xd", ".xd"),
    **{name: FileFormat(Family.DIALECT, "dialects", (".txt",) if name == "native" else ()) for name in DIALECTS},
    "json": _exchange("json_record", ".json", reads=False),
    "csv": _exchange("csv_table", ".csv", reads=False),
    "svg": _page("svg", ".svg", arrows=True),
    "html": _page("html_page", ".html", ".htm", has_pages=True, has_submission=True, arrows=True, interactive=True),
    "latex": _page("latex", ".tex", has_pages=True),
    "pdf": _page("pdf", ".pdf", binary=True, charsets=SERIF, has_pages=True, has_submission=True, arrows=True),
    "png": _page("png", ".png", binary=True, charsets=VERA, grid_alone=True, arrows=True),
}
"""The formats by name, in the order of recognition: what none of `exchange` recognises is text in a dialect.

"""

READABLE = {name: one for name, one in FORMATS.items() if one.reads}
WRITABLE = {name: one for name, one in FORMATS.items() if one.writes}


def find_format(path: str, formats: Mapping[str, Suffixed]) -> str | None:
    """Return the name of the one of some formats that has the suffix of a file, if any has."""
    suffix = PurePath(path).suffix.lower()
    return next((name for name, one in formats.items() if suffix in one.suffixes), None)


def guess_format(path: str) -> str | None:
    """Return the name of the format of a puzzle file, unless its suffix says too little: text may be in any dialect."""
    name = find_format(path, READABLE)
    return None if name is None or FORMATS[name].family is Family.DIALECT else name


def check_readable(path: str) -> None:
    """Check that the suffix of a file is not that of a format that is written only.

    Raises:
        FormatError: it is.
    """
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
    """Return the name of the format that a file is to be in, by its suffix: of some formats, by default of puzzles.

    Raises:
        FormatError: it is that of no format.
    """
    name = find_format(path, formats)
    if name is None:
        known = [suffix for one in formats.values() for suffix in one.suffixes]
        raise FormatError(unknown_name(say("a file with the suffix of a format"), PurePath(path).suffix.lower(), known))
    return name


def get_format(name: str, *, to: bool) -> FileFormat:
    """Return the format of that name, which can be written or read.

    Raises:
        FormatError: there is none.
    """
    able = WRITABLE if to else READABLE
    if name not in able:
        raise FormatError(
            unknown_name(say("a format to {what}", what=say("write") if to else say("read")), str(name), able)
        )
    return able[name]
