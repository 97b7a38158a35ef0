"""The text format of Across Lite: sections headed by tags, and in version 2 a table of rebus cells.

Letters stand for themselves, `.` is a block. In version 2 the section `<REBUS>` gives characters of the grid a longer
answer (`1:ONE:O`), and its flag `MARK` makes small letters circles. Clues have no numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cpfill.base.alphabet import LATIN
from cpfill.base.texts import say
from cpfill.formats.exchange.source import (
    KEEPS,
    Marks,
    check_rows,
    choose_empty,
    choose_letter,
    clear_omitted,
    decode_text,
    fault,
    list_names,
    note_unread,
    parse_side,
    quote,
    sort_by_number,
    tell_left_out,
)
from cpfill.puzzle.grid import Direction, split_rows
from cpfill.puzzle.puzzle import Puzzle, PuzzlePart

if TYPE_CHECKING:
    from cpfill.formats.exchange.source import NumberedLines
    from cpfill.puzzle.puzzle import ClueId

__all__ = ["KEEPS", "read", "recognises", "write"]

_FIRST = "ACROSS PUZZLE"
_TAG = re.compile(r"<([A-Z0-9 ]+)>", re.IGNORECASE)
_SIGNS = "1234567890@#$%&+?"
_METADATA = {"TITLE": PuzzlePart.TITLE, "AUTHOR": PuzzlePart.AUTHOR, "COPYRIGHT": PuzzlePart.COPYRIGHT}
_TAGS = {_FIRST, f"{_FIRST} V2", *_METADATA, "SIZE", "GRID", "REBUS", "ACROSS", "DOWN", "NOTEPAD"}


def recognises(data: bytes) -> bool:
    """Return whether the first tag is at the beginning."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:20].upper().startswith(b"<ACROSS PUZZLE")


def read(data: bytes) -> Puzzle:
    """Return the puzzle."""
    sections = _split_sections(_decode(data))
    marks, circled = _read_table(sections.get("REBUS", []))
    number = sections["GRID"][0][0] if sections.get("GRID") else None
    rows = [line for _, line in sections.get("GRID", [])]
    height, width = check_rows(rows, number)
    for line, size in sections.get("SIZE", [])[:1]:
        sides = [parse_side(side, line) for side in re.split("[xX]", size, maxsplit=2)]
        if sides != [width, height]:
            raise fault(
                say("{height} rows of {width} cells under <GRID>, as <SIZE> says", height=height, width=width),
                quote(size),
                line,
            )
    chars = "".join(rows)
    answers = [None if char in ".:" else marks.get(char, char) for char in chars]
    bare = Puzzle(
        height,
        width,
        clear_omitted(answers),
        circles=frozenset(cell for cell, char in enumerate(chars) if circled and char.islower()),
    )
    clues: dict[ClueId, str] = {}
    left: list[str] = []
    for direction in Direction:
        lines = sections.get(direction.upper(), [])
        slots = [slot for slot in bare.slots if slot.direction is direction]
        clues |= {(direction, slot.number): text for slot, (_, text) in zip(slots, lines, strict=False)}
        left += [quote(text) for _, text in lines[len(slots) :]]
    metadata = {part: " ".join(text for _, text in sections.get(tag, [])) for tag, part in _METADATA.items()}
    metadata[PuzzlePart.NOTES] = "\n".join(text for _, text in sections.get("NOTEPAD", []))
    return note_unread(
        Puzzle(height, width, bare.cells, clues, metadata, circles=bare.circles),
        tell_left_out(len(left), "clue", list_names(left)),
    )


def _decode(data: bytes) -> str:
    """Return the text: UTF-8, or else Windows-1252, which the program itself writes."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        data = data.decode("cp1252", errors="replace").encode()
    return decode_text(data)


def _split_sections(text: str) -> dict[str, NumberedLines]:
    """Return the lines under each tag with their numbers. A blank line means something among clues alone."""
    sections: dict[str, NumberedLines] = {}
    tag = None
    for number, line in enumerate(text.split("\n"), start=1):
        match = _TAG.fullmatch(line.rstrip())
        if match and match[1].upper() in _TAGS:
            tag = match[1].upper()
            if tag in sections:
                raise fault(say("one <{tag}>", tag=tag), say("another"), number)
            sections[tag] = []
        elif tag is None:
            if line.strip():
                raise fault(f"<{_FIRST}>", quote(line.strip()), number)
        elif line.strip() or tag in {"ACROSS", "DOWN"}:
            sections[tag].append((number, line.strip()))
    for lines in sections.values():
        while lines and not lines[-1][1]:
            lines.pop()
    return sections


def _read_table(lines: NumberedLines) -> tuple[dict[str, str], bool]:
    """Return what characters of the grid mean, and whether small letters are circled."""
    marks: dict[str, str] = {}
    circled = False
    for number, line in lines:
        flags = {flag.strip().upper() for flag in line.split(";")}
        if "MARK" in flags:
            circled = True
        elif line[1:2] == ":" and ":" in line[2:]:
            marks[line[0]] = line[2:].rpartition(":")[0].strip()
        else:
            raise fault(say("'MARK;' or a line such as '1:ONE:O'"), quote(line), number)
    return marks, circled


def write(puzzle: Puzzle) -> bytes:
    """Return the file, of version 2 if a cell asks for it."""
    marks = Marks(puzzle, _SIGNS, choose_empty(puzzle), LATIN)
    table = [f"{mark}:{answer}:{choose_letter(answer)}" for mark, answer in marks.table.items()]
    if puzzle.circles:
        table.insert(0, "MARK;")
    chars = [char or "." for char in marks.chars]
    sections: dict[str, list[str]] = {f"{_FIRST} V2" if table else _FIRST: []}
    sections |= {tag: [puzzle.metadata.get(part, "")] for tag, part in _METADATA.items()}
    sections["SIZE"] = [f"{puzzle.width}x{puzzle.height}"]
    sections["GRID"] = list(map("".join, split_rows(chars, puzzle.width)))
    if table:
        sections["REBUS"] = table
    for direction in Direction:
        sections[direction.upper()] = [
            puzzle.clue(slot) for slot in sort_by_number(puzzle) if slot.direction is direction
        ]
    if notes := puzzle.metadata.get(PuzzlePart.NOTES):
        sections["NOTEPAD"] = notes.split("\n")
    lines = [line for tag, body in sections.items() for line in (f"<{tag}>", *(f"\t{line}".rstrip() for line in body))]
    return ("\n".join(lines) + "\n").encode()
