"""The .xd format: text in four sections (headers, grid, clues, notes) that two blank lines or `## Name` part.

A `#` is a block, `_` a void, `.` an empty cell. If the header `Special` says so, a small letter is a shaded cell (never
written) or a cell in a circle. The header `Rebus` says what other characters mean. A clue is `A1. Clue ~ ANSWER`. Some
programs write `.` for blocks: if there is no other block and the clues fit such a grid better, it is read that way.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.base.errors import GridError
from cpfill.base.texts import say
from cpfill.formats.exchange.source import (
    ClueList,
    Marks,
    NumberedLines,
    check_rows,
    decode_text,
    fault,
    list_names,
    note_unread,
    quote,
    tell_left_out,
)
from cpfill.formats.registry import Codec
from cpfill.puzzle.grid import Direction, split_rows
from cpfill.puzzle.puzzle import METADATA, SHADE, Puzzle, PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_KEEPS = METADATA | {
    PuzzlePart.CLUES,
    PuzzlePart.STRAYS,
    PuzzlePart.REBUS,
    PuzzlePart.SYMBOLS,
    PuzzlePart.CIRCLES,
    PuzzlePart.VOIDS,
}
_HEADERS = {part.capitalize(): part for part in sorted(METADATA - {PuzzlePart.NOTES}, key=list(PuzzlePart).index)}
_HEADING = re.compile(r"##[ \t]+[A-Za-z]")  # a row of a grid may begin with two blocks
_SECTIONS = ("metadata", "grid", "clues", "notes")
_CLUE = re.compile(r"([A-Z]?)(\d{1,5})\.(?:\s+(.*))?")
_ANSWERED = re.compile(r"(?:(.*)\s)?~(?:\s(.*))?")
_REMARK = re.compile(r"\s*[A-Z]?\d+ \^")
_PARTED = re.compile(r"\s+|(?<=[^\s=]),(?=\s|\S=)")  # entries by blanks, commas or both
_MARKUP = re.compile(r"\{([/*_-])([^{}]*)\1\}")
_SIGNS = "1234567890$%&*+?@!<>^|;:,'" + "".join(map(chr, range(0x2460, 0x2474)))


def _recognises(data: bytes) -> bool:
    """Return whether the first line is a header, or heads a section."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*(?:##[ \t]+[A-Za-z]|[A-Za-z][A-Za-z -]{0,30}:)", data) is not None


def _read(data: bytes) -> Puzzle:
    sections = _split_sections(decode_text(data))
    headers = {}
    for number, line in sections["metadata"]:
        name, colon, value = line.partition(":")
        if not colon:
            raise fault("a header such as 'Title: …'", quote(line.strip()), number)
        headers[name.strip().lower()] = value.strip()
    rebus = _read_rebus(headers.get("rebus", ""))
    special = headers.get("special", "").lower()
    grid = [(number, line.strip()) for number, line in sections["grid"]]
    first_line = grid[0][0] if grid else None
    height, width = check_rows([line for _, line in grid], first_line)
    chars = "".join(line for _, line in grid)
    clues, answers, remarks = _read_clues(sections["clues"])
    shaded = special == "shaded"
    marked = [cell for cell, char in enumerate(chars) if special and char.islower()]
    metadata = {part: headers.get(part.value, "") for part in _HEADERS.values()}
    puzzle = Puzzle(
        height,
        width,
        tuple(None if char in "#_" else _clean_answer(rebus.get(char, char)) for char in chars),
        clues.clues,
        metadata | {PuzzlePart.NOTES: "\n".join(line for _, line in sections["notes"])},
        circles=frozenset(() if shaded else marked),
        voids=frozenset(cell for cell, char in enumerate(chars) if char == "_"),
        shades=dict.fromkeys(marked if shaded else (), SHADE),
    )
    others = [name for name, value in headers.items() if value and name not in {*metadata, "rebus", "special"}]
    unknown = [name for name, lines in sections.items() if lines and name not in _SECTIONS]
    unread = (
        *clues.unread,
        *tell_left_out(remarks, "remark", " on clues"),
        *tell_left_out(len(others), "header", list_names(others)),
        *tell_left_out(len(unknown), "section", list_names(unknown)),
    )
    # Where we write an empty cell, the answer in its clue has a point too.
    if "#" not in chars and "_" not in chars and not any("." in answer for answer in answers):
        blocked = _read_dots_as_blocks(puzzle)
        if _count_misfits(blocked, answers) < _count_misfits(puzzle, answers):
            return note_unread(blocked, (*unread, say("read '.' as blocks, which the clues fit better")))
    return note_unread(puzzle, unread)


def _clean_answer(text: str) -> str:
    return "" if text == "." else text


def _read_dots_as_blocks(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with blocks for its empty cells, or unchanged if no slot would be left."""
    try:
        return replace(puzzle, cells=tuple(answer or None for answer in puzzle.cells))
    except GridError:
        return puzzle


def _count_misfits(puzzle: Puzzle, answers: Iterable[str]) -> tuple[int, int]:
    """Return how many clues have no slot, and how many of their answers no slot spells."""
    spelt = {puzzle.answer(slot) for slot in puzzle.slots}
    return puzzle.parts[PuzzlePart.STRAYS], sum(answer not in spelt for answer in answers)


def _read_rebus(text: str) -> dict[str, str]:
    """Return what characters of the grid mean."""
    table = {}
    for entry in filter(None, _PARTED.split(text)):
        mark, sign, answer = entry[:1], entry[1:2], entry[2:]
        if sign != "=" or not answer:
            raise fault("rebus cells such as 'Rebus: 1=ONE 2=TWO'", quote(entry))
        table[mark] = answer
    return table


def _split_sections(text: str) -> dict[str, NumberedLines]:
    """Return the lines of each section with their numbers; the blank ones that part them are left out.

    Two blank lines may also part the clues. A line of notes that looks like one of them is indented.
    """
    found: dict[str, NumberedLines] = {name: [] for name in _SECTIONS}
    explicit = _HEADING.match(text.lstrip()) is not None
    name, blanks, index = "" if explicit else _SECTIONS[0], 0, 0
    for number, line in enumerate(text.split("\n"), start=1):
        if explicit and _HEADING.match(line):
            name = line.lstrip("#").strip().lower()
        elif not line.strip():
            blanks += 1
        else:
            if not explicit and blanks > 1 and found[name] and not (name == "clues" and _looks_like_clue(line)):
                index = min(index + 1, len(_SECTIONS) - 1)
                name = _SECTIONS[index]
            blanks = 0
            found.setdefault(name, []).append((number, line))
    return found


def _looks_like_clue(line: str) -> bool:
    match = _CLUE.fullmatch(line)
    return match is not None and _ANSWERED.fullmatch(match[3] or "") is not None


def _read_clues(lines: NumberedLines) -> tuple[ClueList, list[str], int]:
    """Return the clues, their answers, and the number of lines that only annotate a clue."""
    clues = ClueList()
    answers = []
    remarks = 0
    for number, line in lines:
        match = _CLUE.fullmatch(line.strip())
        if match:
            direction = {"A": Direction.ACROSS, "D": Direction.DOWN}.get(match[1])
            text = match[3] or ""
            if answered := _ANSWERED.fullmatch(text):
                text = answered[1] or ""
                answers.append(answered[2] or "")
            clues.add(direction, match[2], _MARKUP.sub(r"\2", text).replace("\\", " "), f"{match[1]}{match[2]}")
        elif _REMARK.match(line):
            remarks += 1
        else:
            raise fault("a clue such as 'A1. Clue ~ ANSWER'", quote(line.strip()), number)
    return clues, answers, remarks


def _write(puzzle: Puzzle) -> bytes:
    """Return the file, with a line for every slot."""
    marks = Marks(puzzle, _SIGNS, ".")
    shown = {**puzzle.metadata, PuzzlePart.COPYRIGHT: puzzle.copyright_line}
    headers = [f"{name}: {shown.get(part, '')}".rstrip() for name, part in _HEADERS.items() if shown.get(part)]
    headers = headers or ["Title:"]
    if puzzle.circles:
        headers.append("Special: circle")
    if marks.table:
        entries = " ".join(f"{mark}={answer}" for mark, answer in marks.table.items())
        if _read_rebus(entries) != marks.table:
            raise fault("cells without a ',' that would part the cells of the header 'Rebus'", quote(entries))
        headers.append(f"Rebus: {entries}")
    chars = [char or ("_" if cell in puzzle.voids else "#") for cell, char in enumerate(marks.chars)]
    grid = list(map("".join, split_rows(chars, puzzle.width)))
    groups = [_write_clues(puzzle, direction) for direction in Direction]
    sections = ["\n".join(headers), "\n".join(grid), "\n\n".join("\n".join(lines) for lines in groups if lines)]
    if notes := puzzle.metadata.get(PuzzlePart.NOTES):
        sections.append("\n".join(" " * _looks_like_clue(line) + line for line in notes.split("\n")))
    return ("\n\n\n".join(sections) + "\n").encode()


def _write_clues(puzzle: Puzzle, direction: Direction) -> Sequence[str]:
    answers = {slot.number: puzzle.answer(slot, ".") for slot in puzzle.slots if slot.direction is direction}
    texts = dict(puzzle.list_clues(direction))
    return [
        " ".join(filter(None, (f"{direction[0]}{number}.", texts.get(number), "~", answers.get(number))))
        for number in sorted(answers.keys() | texts.keys())
    ]


XD = Codec(_KEEPS, _recognises, _read, _write)
