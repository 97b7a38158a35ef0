"""Files of puzzles, read and written in the formats of the registry.

What a format has no place for is left out before it is written, and told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from cpfill.base.errors import MAX_TEXT_BYTES, Fault, FormatError, InputError, expected, megabytes
from cpfill.base.files import display_name, read_bytes
from cpfill.base.texts import say
from cpfill.formats.dialects import DIALECTS
from cpfill.formats.exchange import text
from cpfill.formats.pages.style import Layout, PageStyle, find_lacking
from cpfill.formats.registry import FORMATS, READABLE, Family, FileFormat, check_readable, get_format, guess_format
from cpfill.puzzle.puzzle import IN_GRID, PuzzlePart

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Collection

    from cpfill.puzzle.puzzle import Puzzle


class PuzzleReader(Protocol):
    """What the module of a format of exchange that can be read offers."""

    def recognises(self, data: bytes) -> bool:
        """Return whether a file begins as one of this format."""

    def read(self, data: bytes) -> Puzzle:
        """Return the puzzle in a file.

        Raises:
            FormatError: (or another InputError) it holds none; the fault does not name the file.
        """


class PuzzleWriter(Protocol):
    """What the module of a format of exchange that can be written offers."""

    KEEPS: Collection[PuzzlePart]

    def write(self, puzzle: Puzzle) -> bytes:
        """Return the file of a puzzle that has no part beyond KEEPS."""


class PuzzleSimplifier(Protocol):
    """What the module of a format of exchange offers besides that has no room for every character."""

    def simplify(self, puzzle: Puzzle) -> tuple[Puzzle, list[str]]:
        """Return a puzzle with the texts that are written, and what is to be told of them, a line each."""


class PuzzleDrawer(Protocol):
    """What the module of a page offers."""

    KEEPS: Collection[PuzzlePart]

    def draw(self, puzzle: Puzzle, style: PageStyle) -> tuple[bytes, list[str]]:
        """Return the file of a puzzle that has no part beyond KEEPS, and what is to be told of it, a line each."""


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
        kind = kind or guess_format(str(source))
    if len(data) > MAX_TEXT_BYTES:
        raise expected("a puzzle of {size}", say("more"), name, error=FormatError, size=megabytes(MAX_TEXT_BYTES))
    if not data.strip():
        raise expected("a puzzle", say("an empty file"), name, error=FormatError)
    try:
        chosen = get_format(found := kind or recognise(data), to=False)
        if chosen.family is Family.DIALECT:
            return text.read(data, DIALECTS[found])
        return cast("PuzzleReader", chosen.load()).read(data)
    except InputError as exc:
        if kind is None and chosen.family is Family.DIALECT:
            check_readable(name)
        raise type(exc)(*(fault._replace(path=name) for fault in exc.faults)) from None


def recognise(data: bytes) -> str:
    """Return the name of the format of exchange that a file is in, or else that of native text."""
    exchange = ((name, one) for name, one in READABLE.items() if one.family is Family.EXCHANGE)
    return next((name for name, one in exchange if cast("PuzzleReader", one.load()).recognises(data)), "native")


def write_puzzle(puzzle: Puzzle, kind: str, style: PageStyle | None = None) -> tuple[bytes, list[str]]:
    """Return the file of a puzzle in the format `kind`, and what it has no place or too little room for, a line each.

    Raises:
        InputError: there is no such format, the puzzle has what it cannot say, or the style is not for it.
    """
    chosen = get_format(kind, to=True)
    if style is not None:
        check_style(style, kind)
    style = style or PageStyle()
    if chosen.family is Family.DIALECT:
        keeps = DIALECTS[kind].keeps
    else:
        module = chosen.load()
        keeps = frozenset(cast("PuzzleWriter", module).KEEPS)
    if style.layout is Layout.ARROWS:
        keeps = keeps - {PuzzlePart.STRAYS} | {PuzzlePart.CLUES}
    kept, told = puzzle.keep(keeps), list[str]()
    match chosen.family:
        case Family.PAGE:
            data, told = cast("PuzzleDrawer", module).draw(kept, style)
        case Family.DIALECT:
            data = text.write(kept, DIALECTS[kind])
        case _:
            if chosen.simplifies:
                kept, told = cast("PuzzleSimplifier", module).simplify(kept)
            data = cast("PuzzleWriter", module).write(kept)
            told += _tell_changed(kept, cast("PuzzleReader", module).read(data)) if chosen.reads else []
    asked = puzzle.keep(IN_GRID) if chosen.grid_alone else puzzle
    return data, asked.tell_losses(kept) + _tell_unshown(kept, chosen.charsets) + told


def check_style(style: PageStyle, kind: str | None) -> None:
    """Check that the format of that name has what a style asks for; no name stands for plain text.

    Raises:
        FormatError: it has not.
    """
    chosen = get_format(kind, to=True) if kind else None

    def check(wanted: str, able: Callable[[FileFormat], bool]) -> None:
        if chosen is None or not able(chosen):
            names = ", ".join(name for name, one in FORMATS.items() if able(one))
            raise FormatError(Fault(wanted.format(names), kind or say("plain text")))

    check(say("a drawing ({}) for --blank, --solution, --french, --paper or --layout"), lambda one: one.draws)
    if style.paper is not None:
        check(say("a drawing with pages ({}) for --paper"), lambda one: one.has_pages)
    if style.layout is Layout.SUBMISSION:
        check(say("{} for --layout submission"), lambda one: one.has_submission)
    if style.layout is Layout.INTERACTIVE:
        check(say("{} for --layout interactive"), lambda one: one.interactive)
    if style.layout is Layout.ARROWS:
        check(say("a drawing that has arrows ({}) for --layout arrows"), lambda one: one.arrows)


def _tell_changed(written: Puzzle, read: Puzzle) -> list[str]:
    """Return which cells and texts of a puzzle a format cannot say as they are: they are read otherwise.

    Of texts blanks do not count.
    """
    cells = zip(written.cells, read.cells, strict=True)
    changed = [written.tell_place(cell) for cell, (answer, back) in enumerate(cells) if answer != back]
    texts = [(f"{number}-{way}", text, read.clues.get((way, number))) for (way, number), text in written.clues.items()]
    texts += [(f"the {part}", text, read.metadata.get(part)) for part, text in written.metadata.items()]
    changed += [name for name, text, back in texts if back is not None and back.split() != text.split()]
    named = "; ".join(changed[:_NAMED]) + say(" and others") * (len(changed) > _NAMED)
    return (
        [say("read otherwise, for the format has other uses for some signs in them: {named}", named=named)]
        if changed
        else []
    )


_NAMED = 5
"""How many cells and texts are named that are changed."""


def _tell_unshown(puzzle: Puzzle, charsets: Collection[str] | None) -> list[str]:
    """Return what becomes of characters that a format cannot show."""
    if charsets is None:
        return []
    texts = (*puzzle.metadata.values(), *puzzle.clues.values(), *(answer or "" for answer in puzzle.cells))
    unknown = find_lacking("".join(texts), charsets)
    return [say("showed ? for {unknown}, which its fonts lack", unknown=" ".join(unknown[:10]))] if unknown else []
