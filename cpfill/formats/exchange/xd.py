"""The .xd format: text in four sections (headers, grid, clues, notes) that two blank lines or `## Name` part.

A `#` is a block, `_` a void, `.` an empty cell, a small letter a special cell (a circle) if the header `Special` says
so; the header `Rebus` says what other characters mean. A clue is `A1. Clue ~ ANSWER`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cpfill.formats.exchange.marks import Marks
from cpfill.formats.exchange.source import check_rows, fault, quoted, some, text_of
from cpfill.grid import Direction
from cpfill.puzzle import METADATA, Part, Puzzle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.puzzle import ClueId

KEEPS = METADATA | {Part.CLUES, Part.STRAYS, Part.REBUS, Part.SYMBOLS, Part.CIRCLES, Part.VOIDS}
_HEADERS = {part.capitalize(): part for part in sorted(METADATA - {Part.NOTES}, key=list(Part).index)}
_HEADING = re.compile(r"##[ \t]+[A-Za-z]")  # a row of a grid may begin with two blocks
_SECTIONS = ("metadata", "grid", "clues", "notes")
_CLUE = re.compile(r"([A-Z]?)(\d{1,5})\.(?:\s+(.*))?")
_ANSWERED = re.compile(r"(?:(.*)\s)?~(?:\s.*)?")
_MARKUP = re.compile(r"\{([/*_-])([^{}]*)\1\}")
_SIGNS = "1234567890$%&*+?@!<>^|;:,'" + "".join(map(chr, range(0x2460, 0x2474)))

Lines = list[tuple[int, str]]


def recognises(data: bytes) -> bool:
    """Return whether the first line is a header, or heads a section."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*(?:##[ \t]+[A-Za-z]|[A-Za-z][A-Za-z -]{0,30}:)", data) is not None


def read(data: bytes) -> Puzzle:
    """Return the puzzle."""
    sections = _sections(text_of(data))
    headers = {}
    for number, line in sections["metadata"]:
        name, colon, value = line.partition(":")
        if not colon:
            raise fault("a header such as 'Title: …'", quoted(line.strip()), number)
        headers[name.strip().lower()] = value.strip()
    rebus = dict(_rebus_entry(entry) for entry in headers.get("rebus", "").split())
    special = headers.get("special", "").lower()
    grid = [(number, line.strip()) for number, line in sections["grid"]]
    first_line = grid[0][0] if grid else None
    height, width = check_rows([line for _, line in grid], first_line)
    chars = "".join(line for _, line in grid)
    clues, unread = _clues(sections["clues"])
    metadata = {part: headers.get(part.value, "") for part in _HEADERS.values()}
    return Puzzle(
        height,
        width,
        tuple(None if char in "#_" else _answer(rebus.get(char, char)) for char in chars),
        clues,
        metadata | {Part.NOTES: "\n".join(line for _, line in sections["notes"])},
        circles=frozenset(cell for cell, char in enumerate(chars) if special and char.islower()),
        voids=frozenset(cell for cell, char in enumerate(chars) if char == "_"),
        unread=unread + (("read shaded cells as circles",) if special == "shaded" else ()),
    )


def _answer(text: str) -> str:
    return "" if text == "." else text


def _rebus_entry(entry: str) -> tuple[str, str]:
    mark, sign, answer = entry[:1], entry[1:2], entry[2:]
    if sign != "=" or not answer:
        raise fault("rebus cells such as 'Rebus: 1=ONE 2=TWO'", quoted(entry))
    return mark, answer


def _sections(text: str) -> dict[str, Lines]:
    """Return the lines of each section with their numbers; the blank ones that part them are left out."""
    found: dict[str, Lines] = {name: [] for name in _SECTIONS}
    explicit = _HEADING.match(text.lstrip()) is not None
    name, blanks, place = "" if explicit else _SECTIONS[0], 0, 0
    for number, line in enumerate(text.split("\n"), start=1):
        if explicit and _HEADING.match(line):
            name = line.lstrip("#").strip().lower()
        elif not line.strip():
            blanks += 1
        else:
            if not explicit and blanks > 1 and found[_SECTIONS[place]]:
                place = min(place + 1, len(_SECTIONS) - 1)
                name = _SECTIONS[place]
            blanks = 0
            if name in found:
                found[name].append((number, line))
    return found


def _clues(lines: Lines) -> tuple[dict[ClueId, str], tuple[str, ...]]:
    clues: dict[ClueId, str] = {}
    unread = 0
    for number, line in lines:
        match = _CLUE.fullmatch(line.strip())
        direction = {"A": Direction.ACROSS, "D": Direction.DOWN}.get(match[1]) if match else None
        if match is None:
            if re.match(r"\s*[A-Z]?\d+ \^", line) is None:  # what is said of a clue, not the clue
                raise fault("a clue such as 'A1. Clue ~ ANSWER'", quoted(line.strip()), number)
        elif direction is None:
            unread += 1
        else:
            body = match[3] or ""
            answered = _ANSWERED.fullmatch(body)
            text = (answered[1] or "") if answered else body
            clues[direction, int(match[2])] = _MARKUP.sub(r"\2", text).replace("\\", " ")
    return clues, some(unread, "clue", " neither across nor down")


def write(puzzle: Puzzle) -> bytes:
    """Return the file, with a line for every slot."""
    marks = Marks(puzzle, _SIGNS, ".")
    shown = {**puzzle.metadata, Part.COPYRIGHT: puzzle.copyright_line}
    headers = [f"{name}: {shown.get(part, '')}".rstrip() for name, part in _HEADERS.items() if shown.get(part)]
    headers = headers or ["Title:"]
    if puzzle.circles:
        headers.append("Special: circle")
    if marks.table:
        headers.append("Rebus: " + " ".join(f"{mark}={answer}" for mark, answer in marks.table.items()))
    chars = [char or ("_" if cell in puzzle.voids else "#") for cell, char in enumerate(marks.chars)]
    grid = ["".join(chars[start : start + puzzle.width]) for start in range(0, len(chars), puzzle.width)]
    groups = [_clue_lines(puzzle, direction) for direction in Direction]
    sections = ["\n".join(headers), "\n".join(grid), "\n\n".join("\n".join(lines) for lines in groups if lines)]
    if notes := puzzle.metadata.get(Part.NOTES):
        sections.append(notes)
    return ("\n\n\n".join(sections) + "\n").encode()


def _clue_lines(puzzle: Puzzle, direction: Direction) -> Sequence[str]:
    answers = {slot.number: puzzle.answer(slot, ".") for slot in puzzle.slots if slot.direction is direction}
    texts = dict(puzzle.clues_of(direction))
    return [
        " ".join(filter(None, (f"{direction[0]}{number}.", texts.get(number), "~", answers.get(number))))
        for number in sorted(answers.keys() | texts.keys())
    ]
