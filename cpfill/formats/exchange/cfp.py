"""The .cfp format of CrossFire, read alone: XML."""

from __future__ import annotations

from cpfill.base.texts import say
from cpfill.formats.exchange.markup import Element, parse
from cpfill.formats.exchange.source import (
    ClueList,
    check_height,
    check_rows,
    fault,
    note_unread,
    parse_side,
    quote,
    strip_markup,
)
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.puzzle import Puzzle, PuzzlePart

_METADATA = {
    PuzzlePart.TITLE: "TITLE",
    PuzzlePart.AUTHOR: "AUTHOR",
    PuzzlePart.COPYRIGHT: "COPYRIGHT",
    PuzzlePart.NOTES: "NOTES",
}


def recognises(data: bytes) -> bool:
    """Return whether the root of the XML is that of these files."""
    return b"<CROSSFIRE" in data[:1000]


def read(data: bytes) -> Puzzle:
    """Return the puzzle."""
    root = parse(data)
    crossfire = next((child for child in root.children if isinstance(child, Element)), root)
    if crossfire.name != "CROSSFIRE":
        raise fault("<CROSSFIRE>", quote(f"<{crossfire.name}>"))
    grid = crossfire.find_first("GRID")
    width = parse_side(grid.get("width"))
    lines = grid.text.strip("\r\n").split("\n")
    check_height(lines)
    rows = [line.rstrip("\r").ljust(width) for line in lines]
    height, found = check_rows(rows)
    if found != width:
        raise fault(say("rows of {width} cells, as <GRID> says", width=width), f"{found}")
    rebus = {entry.get("input"): entry.get("letters") for entry in crossfire.find_all("REBUS")}
    chars = "".join(rows)
    circles = [number.strip() for number in crossfire.find_first("CIRCLES").text.split(",")]
    clues = ClueList()
    for word in crossfire.find_all("WORD"):
        heading, number = word.get("dir"), word.get("num")
        direction = {"ACROSS": Direction.ACROSS, "DOWN": Direction.DOWN}.get(heading.upper())
        clues.add(direction, number, strip_markup(word.text), f"{number} {heading}")
    puzzle = Puzzle(
        height,
        width,
        tuple(None if char == "." else "" if char in " -" else rebus.get(char, char) for char in chars),
        clues.clues,
        {part: strip_markup(crossfire.find_first(name).text) for part, name in _METADATA.items()},
        circles=frozenset(
            int(number) for number in circles if number.isascii() and number.isdigit() and len(number) < 6
        ),
    )
    return note_unread(puzzle, clues.unread)
