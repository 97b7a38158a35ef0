"""The .jpz format of Crossword Compiler's applet, read alone: XML, plain or in a ZIP archive."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_CELLS, MAX_SIDE
from cpfill.base.texts import say
from cpfill.formats.exchange.markup import Element, parse, unzip
from cpfill.formats.exchange.source import (
    ClueList,
    fault,
    note_unread,
    parse_side,
    quote,
    read_shades,
    shorten,
    strip_markup,
    tell_left_out,
)
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.puzzle import Puzzle, PuzzlePart, clean, find_bars

if TYPE_CHECKING:
    from cpfill.puzzle.grid import CellId, Slot

_METADATA = {
    PuzzlePart.TITLE: "title",
    PuzzlePart.AUTHOR: "creator",
    PuzzlePart.EDITOR: "editor",
    PuzzlePart.PUBLISHER: "publisher",
    PuzzlePart.DATE: "date",
    PuzzlePart.COPYRIGHT: "copyright",
    PuzzlePart.NOTES: "description",
}
_SIDES = ("top", "right", "bottom", "left")


def recognises(data: bytes) -> bool:
    """Return whether the data is a ZIP archive or XML."""
    return data.startswith(b"PK") or data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<"


def read(data: bytes) -> Puzzle:
    """Return the puzzle; arrow clues are left out, and the colours of blocks."""
    root = parse(unzip(data))
    crossword = next(root.find_all("crossword"), None)
    if crossword is None:
        inner = next((child.name for child in root.children if isinstance(child, Element)), "nothing")
        raise fault(say("<crossword> within <rectangular-puzzle>"), quote(f"<{inner}>"))
    grid = crossword.find_first("grid")
    width, height = parse_side(grid.get("width")), parse_side(grid.get("height"))
    answers: list[str | None] = [None] * (width * height)
    sides: list[tuple[CellId, str]] = []
    colours: dict[CellId, str] = {}
    circles, voids, givens, arrows = set(), set(), set(), 0
    for element in grid.find_all("cell"):
        cell = _find_cell(element.get("x"), element.get("y"), width, height)
        kind = element.get("type")
        arrows += kind == "clue"
        answers[cell] = None if kind in {"block", "void", "clue"} else element.get("solution")
        if answers[cell] is not None and (colour := element.get("background-color")):
            colours[cell] = colour
        if kind == "void":
            voids.add(cell)
        if element.get("background-shape") == "circle":
            circles.add(cell)
        if element.get("hint") == "true":
            givens.add(cell)
        sides += [(cell, side[0].upper()) for side in _SIDES if element.get(f"{side}-bar") == "true"]
    shades, shaded = read_shades(colours)
    metadata = root.find_first("metadata")
    bare = Puzzle(
        height,
        width,
        tuple(answers),
        metadata={part: strip_markup(metadata.find_first(name).text) for part, name in _METADATA.items()},
        bars=find_bars(sides, width, len(answers)),
        circles=frozenset(circles),
        voids=frozenset(voids),
        givens=frozenset(givens),
        shades=shades,
    )
    clues = _read_clues(crossword, bare)
    return note_unread(
        replace(bare, clues=clues.clues),
        (*clues.unread, *tell_left_out(arrows, "arrow clue"), *shaded),
    )


def _find_cell(x: str, y: str, width: int, height: int) -> CellId:
    column, row = parse_side(x), parse_side(y)
    if column > width or row > height:
        raise fault(
            say("a cell within {height} rows and {width} columns", height=height, width=width), f"x={column}, y={row}"
        )
    return (row - 1) * width + column - 1


def _read_clues(crossword: Element, puzzle: Puzzle) -> ClueList:
    words = _read_words(crossword, puzzle)
    clues = ClueList()
    for listed in crossword.find_all("clues"):
        title = clean(listed.find_first("title").text)
        heading = next((way for way in Direction if title.capitalize().startswith(way)), None)
        for element in listed.find_all("clue"):
            slot = words.get(element.get("word"))
            direction, number = (slot.direction, slot.number) if slot else (heading, element.get("number"))
            length = str(slot.length) if slot else ""
            form = element.get("format")
            text = element.text + (f" ({form})" if form and form != length else "")
            clues.add(direction, number, text, f"{element.get('number')} {shorten(title)}")
    return clues


def _read_words(crossword: Element, puzzle: Puzzle) -> dict[str, Slot | None]:
    """Return the slot of each word, none if there is no slot of just its cells."""
    slots = {slot.cells: slot for slot in puzzle.slots}
    words, total = {}, 0
    for word in crossword.find_all("word"):
        cells = _find_word_cells(word, puzzle)
        total += len(cells)
        if total > MAX_CELLS:
            raise fault(say("words of at most {most} cells together", most=MAX_CELLS), say("more"))
        words[word.get("id")] = slots.get(cells)
    return words


def _find_word_cells(word: Element, puzzle: Puzzle) -> tuple[CellId, ...]:
    """Return the cells of a word, given as one or more runs in a row or column; none of one longer than any slot."""
    cells: list[CellId] = []
    for part in (word, *word.find_all("cells")):
        if part.get("x") and part.get("y"):
            columns, rows = _read_range(part.get("x"), puzzle.width), _read_range(part.get("y"), puzzle.height)
            if len(cells) + len(rows) * len(columns) > MAX_SIDE:
                return ()
            cells += [row * puzzle.width + column for row in rows for column in columns]
    return tuple(cells)


def _read_range(text: str, side: int) -> range:
    """Return the columns or rows, from 0, of a range such as `2-5`, which counts from 1."""
    first, _, last = text.partition("-")
    start, stop = parse_side(first), parse_side(last or first)
    return range(start - 1, min(stop, side))
