"""The .cfp format of CrossFire, read alone: XML."""

from __future__ import annotations

from cpfill.formats.exchange.clue_list import ClueList
from cpfill.formats.exchange.markup import Element, parse
from cpfill.formats.exchange.source import as_read, check_height, check_rows, fault, plain, quoted, side_of
from cpfill.grid import Direction
from cpfill.puzzle import Part, Puzzle

_METADATA = {Part.TITLE: "TITLE", Part.AUTHOR: "AUTHOR", Part.COPYRIGHT: "COPYRIGHT", Part.NOTES: "NOTES"}


def recognises(data: bytes) -> bool:
    """Return whether the root of the XML is that of these files."""
    return b"<CROSSFIRE" in data[:1000]


def read(data: bytes) -> Puzzle:
    """Return the puzzle."""
    root = parse(data)
    crossfire = next((child for child in root.children if isinstance(child, Element)), root)
    if crossfire.name != "CROSSFIRE":
        raise fault("<CROSSFIRE>", quoted(f"<{crossfire.name}>"))
    grid = crossfire.first("GRID")
    width = side_of(grid.get("width"))
    lines = grid.text.strip("\r\n").split("\n")
    check_height(lines)
    rows = [line.rstrip("\r").ljust(width) for line in lines]
    height, found = check_rows(rows)
    if found != width:
        raise fault(f"rows of {width} cells, as <GRID> says", f"{found}")
    rebus = {entry.get("input"): entry.get("letters") for entry in crossfire.all("REBUS")}
    chars = "".join(rows)
    circles = [number.strip() for number in crossfire.first("CIRCLES").text.split(",")]
    clues = ClueList()
    for word in crossfire.all("WORD"):
        heading, number = word.get("dir"), word.get("num")
        direction = {"ACROSS": Direction.ACROSS, "DOWN": Direction.DOWN}.get(heading.upper())
        clues.add(direction, number, plain(word.text), f"{number} {heading}")
    puzzle = Puzzle(
        height,
        width,
        tuple(None if char == "." else "" if char in " -" else rebus.get(char, char) for char in chars),
        clues.clues,
        {part: plain(crossfire.first(name).text) for part, name in _METADATA.items()},
        circles=frozenset(
            int(number) for number in circles if number.isascii() and number.isdigit() and len(number) < 6
        ),
    )
    return as_read(puzzle, clues.unread)
