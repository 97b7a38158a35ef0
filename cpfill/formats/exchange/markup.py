"""Puzzles in XML, only read: .jpz of Crossword Compiler's applet, plain or in a ZIP archive; .cfp of CrossFire.

A document type is refused, so that no entities can swell; depth and number of elements are bounded.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Self
from xml.parsers import expat

from cpfill.base.alphabet import compose
from cpfill.base.errors import (
    MAX_CELLS,
    MAX_DEPTH,
    MAX_ELEMENTS,
    MAX_SIDE,
    MAX_TEXT_BYTES,
    FormatError,
    InputError,
    megabytes,
)
from cpfill.base.texts import hear, say
from cpfill.formats.exchange.source import (
    BREAKS,
    LINKED,
    ClueList,
    check_height,
    check_rows,
    fault,
    list_names,
    note_unread,
    parse_side,
    quote,
    read_shades,
    shorten,
    split_cells,
    strip_markup,
    tell_left_out,
)
from cpfill.formats.registry import Codec
from cpfill.puzzle.grid import CellId, Direction, Slot
from cpfill.puzzle.parts import PuzzlePart, clean, find_bars
from cpfill.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


_ZIP_MAGIC = b"PK"
_UTF_16 = (b"\xff\xfe<", b"\xfe\xff\0<")
"""How XML in UTF-16 begins."""
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""How these files are packed. Python unpacks files packed in other ways as a whole, without a limit of size."""


@dataclass
class Element:
    """An element: its name without a namespace, its attributes, its children, elements and texts in their order."""

    name: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    def find_all(self, name: str) -> Iterator[Element]:
        """Yield the outermost elements of that name, this one or within it, in the order of the file."""
        todo: list[Element | str] = [self]
        while todo:
            child = todo.pop()
            if isinstance(child, Element):
                if child.name == name:
                    yield child
                else:
                    todo += reversed(child.children)

    def find_first(self, name: str) -> Element:
        """Return the first element of that name within this one, or an empty element."""
        return next(self.find_all(name), Element(name, {}))

    @property
    def text(self) -> str:
        """All text within the element, with blanks where HTML has a break."""
        parts = []
        for child in self.children:
            if isinstance(child, str):
                parts.append(child)
            elif child.name.lower() in BREAKS:
                parts.append(f" {child.text} ")
            else:
                parts.append(child.text)
        return "".join(parts)

    @property
    def elements(self) -> list[Element]:
        """The children that are elements."""
        return [child for child in self.children if isinstance(child, Element)]

    def get(self, name: str) -> str:
        """Return an attribute; a missing one is empty."""
        return self.attributes.get(name, "")


def _unzip(data: bytes) -> bytes:
    """Return the first file of a ZIP archive, except those that macOS adds; other data is returned unchanged."""
    if not data.startswith(_ZIP_MAGIC):
        return data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = next((member for member in archive.infolist() if _is_file(member.filename)), None)
            if found is None:
                raise fault("a file in the ZIP archive", say("none"))
            if found.compress_type not in _PACKED:
                raise fault("a file stored or deflated in the ZIP archive", say("one packed in another way"))
            with archive.open(found) as member:
                inner = member.read(MAX_TEXT_BYTES + 1)
    except FormatError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError):
        raise fault("a whole ZIP archive", say("a damaged or encrypted one")) from None
    if len(inner) > MAX_TEXT_BYTES:
        raise fault("{size} in the ZIP archive", say("more"), size=megabytes(MAX_TEXT_BYTES))
    return inner


def _is_file(name: str) -> bool:
    """Return whether a name in an archive is that of a file, and not of a file that macOS adds."""
    return not name.endswith("/") and not name.startswith(("__MACOSX/", "._", ".DS_Store"))


def _parse(data: bytes) -> Element:
    root = Element("", {})
    path = [root]
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(path) > MAX_DEPTH or count > MAX_ELEMENTS:
            raise fault("the XML of a puzzle", say("elements too deep or too many"))
        element = Element(name.rpartition(" ")[2], attributes)
        path[-1].children.append(element)
        path.append(element)

    def end(_: str) -> None:
        path.pop()

    def text(chars: str) -> None:
        path[-1].children.append(chars)

    def doctype(name: str, *_: object) -> None:
        if name.lower() == "html":
            raise fault("a puzzle", say("a web page: save the puzzle itself"))
        raise fault("XML without a document type", say("<!DOCTYPE …>, which a puzzle has no use for"))

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except InputError:
        raise
    except expat.ExpatError as exc:
        raise fault("XML", hear(expat.errors.messages[exc.code]), exc.lineno) from None
    except (LookupError, ValueError):  # an encoding nobody knows
        raise fault("XML in an encoding such as UTF-8", say("another")) from None
    return root


_JPZ_METADATA = {
    PuzzlePart.TITLE: "title",
    PuzzlePart.AUTHOR: "creator",
    PuzzlePart.EDITOR: "editor",
    PuzzlePart.PUBLISHER: "publisher",
    PuzzlePart.DATE: "date",
    PuzzlePart.COPYRIGHT: "copyright",
    PuzzlePart.NOTES: "description",
}
_SIDES = ("top", "right", "bottom", "left")
_CLOSED = {"block", "void", "clue"}
_PICTURES = {"background-picture", "img"}
_PARTS = {
    "crossword": {"grid", "word", "clues"},
    "grid": {"grid-look", "cell"},
    "word": {"cells"},
    "clues": {"title", "clue"},
    "metadata": {*_JPZ_METADATA.values(), "instructions"},
}
"""The elements that are read within others."""
_ATTRIBUTES = {
    "grid": {"width", "height"},
    "cell": {
        *("x", "y", "solution", "number", "type", "background-color", "background-shape", "hint", "solve-state"),
        *(f"{side}-bar" for side in _SIDES),
    },
    "word": {"id", "x", "y"},
    "cells": {"x", "y"},
    "clue": {"word", "number", "format", "is-link"},
}
"""The attributes of elements that are read, or have a warning of their own."""
_USUAL = {
    ("grid-look", "numbering-scheme"): {"normal"},
    ("clues", "ordering"): {"normal"},
    ("cell", "type"): {"letter", *_CLOSED},
    ("cell", "background-shape"): {"circle", "none"},
}
"""The values of attributes that add nothing to the parts that are read."""


def _recognises_jpz(data: bytes) -> bool:
    """Return whether the data is a ZIP archive or XML."""
    return data.startswith((_ZIP_MAGIC, *_UTF_16)) or data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<"


def _read_jpz(data: bytes) -> Puzzle:
    """Return the puzzle, without arrow clues and the colours of blocks."""
    root = _parse(_unzip(data))
    crossword = next(root.find_all("crossword"), None)
    if crossword is None:
        raise fault("<crossword> within <rectangular-puzzle>", quote(f"<{_find_kind(root)}>"))
    found = _Cells.of(crossword.find_first("grid"))
    shades, shaded = read_shades(found.colours)
    metadata = root.find_first("metadata")
    texts = {part: strip_markup(metadata.find_first(name).text) for part, name in _JPZ_METADATA.items()}
    instructions = strip_markup(root.find_first("instructions").text)
    if clean(instructions) != clean(texts[PuzzlePart.NOTES]):
        texts[PuzzlePart.NOTES] += f"\n{instructions}"
    bare = Puzzle(
        found.height,
        found.width,
        tuple(found.answers),
        metadata=texts,
        bars=find_bars(found.sides, found.width, len(found.answers)),
        circles=frozenset(found.circles),
        voids=frozenset(found.voids),
        givens=frozenset(found.givens),
        shades=shades,
    )
    clues, others = _read_clues(crossword, bare)
    labels = [label for cell, label in found.labels.items() if label != str(bare.numbers.get(cell, ""))]
    labels += [label for label in others if label not in labels]
    left = _list_left(root, crossword)
    fields = [name for name in left if name not in _PICTURES]
    unread = (
        *clues.unread,
        *tell_left_out(found.arrows, "arrow clue"),
        *tell_left_out(len(left) - len(fields), "picture"),
        *tell_left_out(found.typed, "letter", " of a solver"),
        *tell_left_out(len(labels), "label", list_names(labels)),
        *tell_left_out(found.dark_colours, "colour", " of blocks"),
        *tell_left_out(len(fields), "field", list_names(list(dict.fromkeys(fields)))),
        *shaded,
    )
    return note_unread(replace(bare, clues=clues.clues), unread)


@dataclass
class _Cells:
    """The cells of a grid, and the numbers of those with an arrow clue, a solver's letter, or the colour of a block."""

    width: int
    height: int
    answers: list[str | None]
    sides: list[tuple[CellId, str]] = field(default_factory=list)
    colours: dict[CellId, str] = field(default_factory=dict)
    labels: dict[CellId, str] = field(default_factory=dict)
    circles: set[CellId] = field(default_factory=set)
    voids: set[CellId] = field(default_factory=set)
    givens: set[CellId] = field(default_factory=set)
    arrows: int = 0
    typed: int = 0
    dark_colours: int = 0

    @classmethod
    def of(cls, grid: Element) -> Self:
        """Return the cells of a grid; a cell that it does not name is a block."""
        width = parse_side(grid.get("width"))
        height = parse_side(grid.get("height"))
        found = cls(width, height, [None] * (width * height))
        for element in grid.find_all("cell"):
            cell = _find_cell(element.get("x"), element.get("y"), width, height)
            found.sides += [(cell, side[0].upper()) for side in _SIDES if element.get(f"{side}-bar") == "true"]
            if element.get("background-shape") == "circle":
                found.circles.add(cell)
            if element.get("type") in _CLOSED:
                found._add_closed(cell, element)
            else:
                found._add_open(cell, element)
        return found

    def _add_closed(self, cell: CellId, element: Element) -> None:
        self.answers[cell] = None
        if element.get("type") == "clue":
            self.arrows += 1
        if element.get("type") == "void":
            self.voids.add(cell)
        if element.get("background-color"):
            self.dark_colours += 1

    def _add_open(self, cell: CellId, element: Element) -> None:
        self.answers[cell] = element.get("solution")
        if element.get("hint") == "true":
            self.givens.add(cell)
        elif element.get("solve-state"):
            self.typed += 1
        colour = element.get("background-color")
        if colour:
            self.colours[cell] = colour
        label = element.get("number")
        if label:
            self.labels[cell] = label


def _find_kind(root: Element) -> str:
    """Return the name of the element that a puzzle of another kind has, or of the outermost one."""
    for child in root.find_first("rectangular-puzzle").elements:
        if child.name not in {"metadata", "instructions"}:
            return child.name
    outermost = next(iter(root.elements), root)
    return outermost.name or "nothing"


def _list_left(root: Element, crossword: Element) -> list[str]:
    """Return the names of elements and attributes that are not read; a picture has the name of its element."""
    left: list[str] = []
    todo = [root]
    while todo:
        element = todo.pop()
        known = _PARTS.get(element.name, set())
        for child in element.elements:
            if child.name in known and element.name in {"metadata", "clues"}:  # which have texts
                left += _list_pictures(child)
                left += _list_attributes(child)
            elif child.name in known or child.name == "metadata" or _holds(child, crossword):
                todo.append(child)
                left += _list_attributes(child)
            else:
                left += _list_unknown(child, element)
    return left


def _list_pictures(element: Element) -> list[str]:
    """Return the names of the pictures within an element."""
    names: list[str] = []
    for name in _PICTURES:
        names += [picture.name for picture in element.find_all(name)]
    return names


def _list_unknown(element: Element, parent: Element) -> list[str]:
    """Return the names of an element that is not read: its parts, if it has any."""
    if element.name in _PICTURES:
        return [element.name]
    if element.name == "instructions" or parent.get("type") == "clue":
        return []
    parts = [*(part.name for part in element.elements), *element.attributes]
    return [f"{element.name} {part}" for part in parts] or [element.name]


def _holds(element: Element, inner: Element) -> bool:
    """Return whether an element is or has another."""
    return any(found is inner for found in element.find_all(inner.name))


def _list_attributes(element: Element) -> list[str]:
    """Return the names of the attributes of an element with values that are not read."""
    known = _ATTRIBUTES.get(element.name, set())
    names = []
    for name, value in element.attributes.items():
        usual = {""}
        if (element.name, name) in _USUAL:
            usual = _USUAL[element.name, name]
        elif name in known:
            usual = {value}
        if value and value not in usual:
            names.append(f"{element.name} {name}")
    return names


def _find_cell(x: str, y: str, width: int, height: int) -> CellId:
    column = parse_side(x)
    row = parse_side(y)
    if column > width or row > height:
        raise fault(
            "a cell within {height} rows and {width} columns", f"x={column}, y={row}", height=height, width=width
        )
    return (row - 1) * width + column - 1


def _read_clues(crossword: Element, puzzle: Puzzle) -> tuple[ClueList, list[str]]:
    """Return the clues, and those of their labels that are neither the number of a slot nor begin a linked clue."""
    words = _read_words(crossword, puzzle)
    clues = ClueList()
    labels: list[str] = []
    for listed in crossword.find_all("clues"):
        title = clean(listed.find_first("title").text)
        heading = next((way for way in Direction if title.capitalize().startswith(way)), None)
        for element in listed.find_all("clue"):
            word = element.get("word")
            number = element.get("number")
            slot = words.get(word)
            text = _read_clue_text(element, slot)
            name = f"{number} {shorten(title)}"
            if slot is None:
                direction = None if word in words else heading  # the cells of a word may be no slot
                clues.add(direction, number, text, name)
                continue
            if LINKED.fullmatch(number):
                text = f"{number} {text}"
            elif number and number != str(slot.number):
                labels.append(number)
            clues.add(slot.direction, slot.number, text, name)
    return clues, labels


def _read_clue_text(element: Element, slot: Slot | None) -> str:
    """Return the text of a clue, with its format as enumeration unless that is only the length of the slot."""
    form = element.get("format")
    length = str(slot.length) if slot else ""
    if form in {"", length}:
        return element.text
    return f"{element.text} ({form})"


def _read_words(crossword: Element, puzzle: Puzzle) -> dict[str, Slot | None]:
    """Return the slot of each word, `None` if no slot has exactly its cells."""
    slots = {slot.cells: slot for slot in puzzle.slots}
    words: dict[str, Slot | None] = {}
    total = 0
    for word in crossword.find_all("word"):
        cells = _find_word_cells(word, puzzle)
        total += len(cells)
        if total > MAX_CELLS:
            raise fault("words of at most {most} cells together", say("more"), most=MAX_CELLS)
        words[word.get("id")] = slots.get(cells)
    return words


def _find_word_cells(word: Element, puzzle: Puzzle) -> tuple[CellId, ...]:
    """Return the cells of a word, given as runs in rows or columns; no cells if it is longer than any slot."""
    cells: list[CellId] = []
    for part in (word, *word.find_all("cells")):
        if not (part.get("x") and part.get("y")):
            continue
        columns = _read_range(part.get("x"), puzzle.width)
        rows = _read_range(part.get("y"), puzzle.height)
        if len(cells) + len(rows) * len(columns) > MAX_SIDE:
            return ()
        for row in rows:
            cells += [row * puzzle.width + column for column in columns]
    return tuple(cells)


def _read_range(text: str, side: int) -> range:
    """Return the columns or rows, from 0, of a range such as `2-5`, which counts from 1."""
    first, _, last = text.partition("-")
    start, stop = parse_side(first), parse_side(last or first)
    return range(start - 1, min(stop, side))


_CFP_METADATA = {
    PuzzlePart.TITLE: "TITLE",
    PuzzlePart.AUTHOR: "AUTHOR",
    PuzzlePart.COPYRIGHT: "COPYRIGHT",
    PuzzlePart.NOTES: "NOTES",
}


_CFP_DIRECTIONS = {"ACROSS": Direction.ACROSS, "DOWN": Direction.DOWN}


def _recognises_cfp(data: bytes) -> bool:
    """Return whether the root element is that of these files."""
    return b"<CROSSFIRE" in data[:1000]


def _read_cfp(data: bytes) -> Puzzle:
    root = _parse(data)
    crossfire = next(iter(root.elements), root)
    if crossfire.name != "CROSSFIRE":
        raise fault("<CROSSFIRE>", quote(f"<{crossfire.name}>"))
    chars, height, width = _read_cfp_grid(crossfire.find_first("GRID"))
    rebus = {entry.get("input"): entry.get("letters") for entry in crossfire.find_all("REBUS")}
    clues = _read_cfp_clues(crossfire)
    puzzle = Puzzle(
        height,
        width,
        tuple(_read_cfp_answer(char, rebus) for char in chars),
        clues.clues,
        {part: strip_markup(crossfire.find_first(name).text) for part, name in _CFP_METADATA.items()},
        circles=frozenset(_read_cfp_circles(crossfire.find_first("CIRCLES").text)),
    )
    return note_unread(puzzle, clues.unread)


def _read_cfp_grid(grid: Element) -> tuple[list[str], int, int]:
    """Return the characters of the cells, the height and the width; blanks at the end of a row may be missing."""
    width = parse_side(grid.get("width"))
    lines = compose(grid.text).strip("\r\n").split("\n")
    check_height(lines)
    rows = []
    for line in lines:
        row = split_cells(line.rstrip("\r"))
        rows.append(row + [" "] * (width - len(row)))
    height, found = check_rows(rows)
    if found != width:
        raise fault("rows of {width} cells, as <GRID> says", f"{found}", width=width)
    return list(chain.from_iterable(rows)), height, width


def _read_cfp_answer(char: str, rebus: Mapping[str, str]) -> str | None:
    if char == ".":
        return None
    if char in {" ", "-"}:
        return ""
    return rebus.get(char, char)


def _read_cfp_clues(crossfire: Element) -> ClueList:
    clues = ClueList()
    for word in crossfire.find_all("WORD"):
        heading = word.get("dir")
        number = word.get("num")
        direction = _CFP_DIRECTIONS.get(heading.upper())
        clues.add(direction, number, strip_markup(word.text), f"{number} {heading}")
    return clues


def _read_cfp_circles(text: str) -> Iterator[CellId]:
    """Yield the cells with a circle, which count from 0; anything but a number is ignored."""
    for number in map(str.strip, text.split(",")):
        if number.isascii() and number.isdigit() and len(number) < 6:
            yield int(number)


JPZ = Codec(recognises=_recognises_jpz, read=_read_jpz)
CFP = Codec(recognises=_recognises_cfp, read=_read_cfp)
