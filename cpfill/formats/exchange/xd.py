"""The .xd format: text in four sections (headers, grid, clues, notes) that two blank lines or `## Name` part.

A `#` is a block, `_` a void, `.` an empty cell. If the header `Special` says so, a small letter is a shaded cell (never
written) or a cell in a circle. The header `Rebus` gives the meaning of other characters. A clue is `A1. Clue ~ ANSWER`;
a clue without a letter belongs to the slots of that number, or to those of them that have its answer. Some programs
write `.` for blocks: if there is no other block and the clues fit such a grid better, it is read that way. The text
between `<!--` and `-->` is a comment. A section `Design`, which is only read, has styles such as
`A { bar-left: true }`, and a grid of their letters.

A line `A1 ^alt: WORD` has the other answer of a slot, in the characters of the grid; `^alt2` has that of the next. A
sign with several meanings in the header `Rebus`, as in `1=C 1=B`, stands for them in turn. Where such a line is, some
programs write `*` in the grid for each letter that differs; the answer after the clue has it.
"""

from __future__ import annotations

import re
import string
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import GridError
from cpfill.base.texts import say, say_count
from cpfill.formats.exchange.source import (
    ClueList,
    NumberedLines,
    SourceMarks,
    check_rows,
    decode_text,
    fault,
    list_names,
    list_texts,
    note_unread,
    quote,
    split_cells,
    tell_if,
    tell_left_out,
)
from cpfill.formats.registry import Codec
from cpfill.puzzle.grid import Direction, split_rows
from cpfill.puzzle.parts import METADATA, SHADE, PuzzlePart, clean_answer, find_bars, join_alternatives
from cpfill.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cpfill.puzzle.grid import CellId, Slot


_fold = Alphabet().fold
_KEEPS = METADATA | {
    PuzzlePart.CLUES,
    PuzzlePart.STRAYS,
    PuzzlePart.REBUS,
    PuzzlePart.SYMBOLS,
    PuzzlePart.ALTERNATIVES,
    PuzzlePart.CIRCLES,
    PuzzlePart.VOIDS,
}
_HEADERS = {part.capitalize(): part for part in sorted(METADATA - {PuzzlePart.NOTES}, key=list(PuzzlePart).index)}
_HEADING = re.compile(r"##[ \t]+[A-Za-z]")  # a row of a grid may begin with two blocks
_READ = {*_HEADERS.values(), PuzzlePart.NOTES, "rebus", "special"}
_SPECIALS = {"", "circle", "circles", "shaded"}
_SECTIONS = ("metadata", "grid", "clues", "notes")
_CLOSED = frozenset("#_")
_GROUPS = {"A": Direction.ACROSS, "D": Direction.DOWN}
_DROPPED = "\0"
"""Which stands in a text where a comment was; no text has it."""
_CLUE = re.compile(r"([A-Z]?)(\d{1,5})\.(?:\s+(.*))?")
_ANSWERED = re.compile(r"(?:(.*)\s)?~(?:\s(.*))?")
_REMARK = re.compile(r"\s*([A-Z]?)(\d{1,5}) \^([^:]*)(?::\s*(.*))?")
_ALTERNATIVE = re.compile(r"alt([1-9]?)", re.IGNORECASE)
_MOST_NUMBERED = 9
_PARTED = re.compile(r"\s+|(?<=[^\s=]),(?=\s|\S=)")  # entries by blanks, commas or both
_SIDES = {"bar-top": "T", "bar-right": "R", "bar-bottom": "B", "bar-left": "L"}
_MARKUP = re.compile(r"\{([/*_-])([^{}]*)\1\}")
_SIGNS = "1234567890$%&*+?@!<>^|;:,'" + "".join(map(chr, range(0x2460, 0x2474)))


def _recognises(data: bytes) -> bool:
    """Return whether the first line is a header, or heads a section."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*(?:##[ \t]+[A-Za-z]|[A-Za-z][A-Za-z -]{0,30}:)", data) is not None


def _read(data: bytes) -> Puzzle:
    text, comments = _drop_comments(decode_text(data))
    sections = _split_sections(text)
    headers, repeated = _read_headers(sections["metadata"])
    rebus = _read_rebus(headers.get("rebus", ""))
    rows, first_line = _read_rows(sections["grid"])
    height, width = check_rows(rows, first_line)
    chars = list(chain.from_iterable(rows))
    clues = _read_clues(sections["clues"])
    design = _read_design(sections.get("design", []), height, width)
    circled, shaded = _find_special(chars, headers.get("special", ""))
    puzzle = Puzzle(
        height,
        width,
        tuple(_read_answer(char, rebus) for char in chars),
        metadata=_read_metadata(headers, sections["notes"]),
        bars=find_bars(design.sides, width, len(chars)),
        circles=frozenset(design.circles.union(circled)),
        voids=frozenset(cell for cell, char in enumerate(chars) if char == "_"),
        shades=dict.fromkeys(shaded, SHADE),
        alternatives=_list_meanings(chars, rebus),
    )
    unread = [
        *tell_left_out(comments, "comment"),
        *_tell_others(headers, repeated, sections),
        *tell_left_out(len(design.left), "style", list_names(design.left)),
    ]
    # Where we write an empty cell, the answer in its clue has a point too.
    if _CLOSED.isdisjoint(chars) and not any("." in clue.answer for clue in clues.read):
        blocked = _read_dots_as_blocks(puzzle)
        if _count_misfits(blocked, clues) < _count_misfits(puzzle, clues):
            puzzle = blocked
            unread.append(say("read '.' as blocks, which the clues fit better"))
    puzzle = _read_starred(clues, puzzle)
    placed = _place_clues(clues, puzzle)
    alternatives, left = _read_alternatives(clues, puzzle, rebus)
    found = replace(puzzle, clues=placed.clues, alternatives={**puzzle.alternatives, **alternatives})
    told = tell_left_out(len(left), "remark", say(" on clues") + list_names(left))
    return note_unread(found, (*placed.unread, *_tell_contrary(clues, found), *told, *unread))


def _read_rows(lines: NumberedLines) -> tuple[list[list[str]], int | None]:
    """Return the cells of each row, and the number of the first line."""
    rows = [split_cells(line.strip()) for _, line in lines]
    return rows, lines[0][0] if lines else None


def _read_answer(char: str, rebus: Mapping[str, Sequence[str]]) -> str | None:
    if char in _CLOSED:
        return None
    answer = rebus.get(char, [char])[0]
    if answer == ".":
        return ""
    return answer


def _list_meanings(chars: Sequence[str], rebus: Mapping[str, Sequence[str]]) -> dict[CellId, tuple[str, ...]]:
    """Return the meanings after the first of the character of each cell."""
    meanings = {}
    for cell, char in enumerate(chars):
        if char in rebus:
            meanings[cell] = tuple(rebus[char][1:])
    return meanings


def _find_special(chars: Sequence[str], special: str) -> tuple[list[CellId], list[CellId]]:
    """Return the cells in circles and the shaded cells, which small letters stand for by the header `Special`."""
    if not special:
        return [], []
    marked = [cell for cell, char in enumerate(chars) if char.islower()]
    if special.lower() == "shaded":
        return [], marked
    return marked, []


def _read_metadata(headers: Mapping[str, str], notes: NumberedLines) -> dict[PuzzlePart, str]:
    metadata = {part: headers.get(part.value, "") for part in _HEADERS.values()}
    metadata[PuzzlePart.NOTES] = "\n".join([headers.get(PuzzlePart.NOTES, ""), *list_texts(notes)])
    return metadata


def _tell_others(
    headers: Mapping[str, str], repeated: Sequence[str], sections: Mapping[str, NumberedLines]
) -> Iterator[str]:
    """Yield warnings about the headers and sections that are not read."""
    others = [name for name, value in headers.items() if value and name not in _READ]
    if headers.get("special", "").lower() not in _SPECIALS:
        others.append("special")
    others += repeated
    unknown = [name for name, lines in sections.items() if lines and name not in {*_SECTIONS, "design"}]
    yield from tell_left_out(len(others), "header", list_names(others))
    yield from tell_left_out(len(unknown), "section", list_names(unknown))


def _drop_comments(text: str) -> tuple[str, int]:
    """Return a text without its comments, each line in its place, and the number of comments.

    A line that is a comment alone has a mark, because a blank line may part sections.
    """
    before, *parts = text.split("<!--")
    bare = [before]
    count = 0
    for part in parts:
        comment, end, after = part.partition("-->")
        if not end:
            bare += ["<!--", part]
            continue
        lines = comment.count("\n") + 1
        bare += ["\n".join([_DROPPED] * lines), after]
        count += 1
    return "".join(bare), count


def _read_headers(lines: NumberedLines) -> tuple[dict[str, str], list[str]]:
    """Return the headers, by their names in small letters, and the names of those that repeat another."""
    headers: dict[str, str] = {}
    repeated = []
    for number, line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise fault("a header such as 'Title: …'", quote(line.strip()), number)
        key = name.strip().lower()
        if key in headers:
            repeated.append(key)
        else:
            headers[key] = value.strip()
    return headers, repeated


def _read_dots_as_blocks(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with blocks for its empty cells, or unchanged if no slot would be left."""
    try:
        return replace(puzzle, cells=tuple(answer or None for answer in puzzle.cells))
    except GridError:
        return puzzle


def _count_misfits(puzzle: Puzzle, clues: _Clues) -> tuple[int, int]:
    """Return the number of clues without a slot, and that of answers that no slot spells."""
    spelt = {puzzle.answer(slot) for slot in puzzle.slots}
    strays = _place_clues(clues, puzzle).clues.keys() - puzzle.slot_of.keys()
    unspelt = [clue for clue in clues.read if clue.answer and clue.answer not in spelt]
    return len(strays), len(unspelt)


def _read_rebus(text: str) -> dict[str, list[str]]:
    """Return the meanings of characters of the grid."""
    table: dict[str, list[str]] = {}
    for entry in filter(None, _PARTED.split(text)):
        answer = entry[2:]
        if entry[1:2] != "=" or not answer:
            raise fault("rebus cells such as 'Rebus: 1=ONE 2=TWO'", quote(entry))
        table.setdefault(entry[0], []).append(answer)
    return table


def _split_sections(text: str) -> dict[str, NumberedLines]:
    """Return the lines of each section with their numbers; the blank ones that part them are left out.

    Two blank lines may also part the clues. A line of notes that looks like one of them is indented.
    """
    lines = []
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.replace(_DROPPED, "")
        if bare == line or bare.strip():
            lines.append((number, bare))
    if _HEADING.match(text.lstrip(f"{_DROPPED}{string.whitespace}")):
        return _split_at_headings(lines)
    return _split_at_blanks(lines)


def _split_at_headings(lines: NumberedLines) -> dict[str, NumberedLines]:
    found: dict[str, NumberedLines] = {name: [] for name in _SECTIONS}
    name = ""
    for number, line in lines:
        if _HEADING.match(line):
            name = line.lstrip("#").strip().lower()
        elif line.strip():
            found.setdefault(name, []).append((number, line))
    return found


def _split_at_blanks(lines: NumberedLines) -> dict[str, NumberedLines]:
    found: dict[str, NumberedLines] = {name: [] for name in _SECTIONS}
    later = iter(_SECTIONS)
    name = next(later)
    blanks = 0
    for number, line in lines:
        if not line.strip():
            blanks += 1
            continue
        if blanks > 1 and found[name] and not (name == "clues" and _looks_like_clue(line)):
            name = next(later, name)
        blanks = 0
        found[name].append((number, line))
    return found


def _looks_like_clue(line: str) -> bool:
    match = _CLUE.fullmatch(line)
    return match is not None and _ANSWERED.fullmatch(match[3] or "") is not None


class _Clue(NamedTuple):
    """A clue as the file has it: the letter of its group, its number, its text, and the answer after `~`."""

    group: str
    number: int
    text: str
    answer: str

    @property
    def name(self) -> str:
        """The name in messages."""
        return f"{self.group}{self.number}"


class _Clues(NamedTuple):
    """The clues of a file, and remarks on clues: each a clue without a text, its key, and what it says."""

    read: list[_Clue]
    remarks: list[tuple[_Clue, str, str]]


def _read_clues(lines: NumberedLines) -> _Clues:
    found = _Clues([], [])
    for number, line in lines:
        match = _CLUE.fullmatch(line.strip())
        remark = _REMARK.match(line)
        if match:
            found.read.append(_make_clue(match))
        elif remark:
            clue = _Clue(remark[1], int(remark[2]), "", "")
            found.remarks.append((clue, remark[3].strip(), (remark[4] or "").strip()))
        else:
            raise fault("a clue such as 'A1. Clue ~ ANSWER'", quote(line.strip()), number)
    return found


def _make_clue(match: re.Match[str]) -> _Clue:
    """Return the clue of a match of `_CLUE`."""
    text = match[3] or ""
    answer = ""
    answered = _ANSWERED.fullmatch(text)
    if answered:
        text = answered[1] or ""
        answer = answered[2] or ""
    text = _MARKUP.sub(r"\2", text).replace("\\", " ")
    return _Clue(match[1], int(match[2]), text, answer.strip())


def _place_clues(clues: _Clues, puzzle: Puzzle) -> ClueList:
    """Return the clues by direction and number."""
    placed = ClueList()
    for clue in clues.read:
        free = [slot for slot in _find_slots(clue, puzzle) if (slot.direction, slot.number) not in placed.clues]
        ways = [slot.direction for slot in free]
        if clue.group or not ways:
            placed.add(_GROUPS.get(clue.group), clue.number, clue.text, clue.name)
            continue
        for way in ways:
            placed.add(way, clue.number, clue.text, clue.name)
    return placed


def _find_slots(clue: _Clue, puzzle: Puzzle) -> list[Slot]:
    """Return the slots that a clue belongs to; one without a direction to those that have its answer, if any do."""
    if not clue.group:
        ways = list(Direction)
    elif clue.group in _GROUPS:
        ways = [_GROUPS[clue.group]]
    else:
        return []
    slots = [puzzle.slot_of[way, clue.number] for way in ways if (way, clue.number) in puzzle.slot_of]
    return [slot for slot in slots if _is_answer(clue, slot, puzzle)] or slots


def _is_answer(clue: _Clue, slot: Slot, puzzle: Puzzle) -> bool:
    """Return whether a slot has the answer of a clue, written with or without accents and signs."""
    spelt = puzzle.list_answers(slot, ".")
    folded = _fold(clue.answer)
    return clue.answer.upper() in spelt or bool(folded and folded in map(_fold, spelt))


def _read_starred(clues: _Clues, puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with the letters of answers after clues in cells that have `*`."""
    if "*" not in puzzle.cells:
        return puzzle
    letters: dict[CellId, str] = {}
    for clue in clues.read:
        chars = split_cells(clue.answer)
        for slot in _find_slots(clue, puzzle):
            if slot.length == len(chars):
                letters = dict(zip(slot.cells, chars, strict=True)) | letters
    cells = list(puzzle.cells)
    for cell, letter in letters.items():
        if cells[cell] == "*":
            cells[cell] = letter
    return replace(puzzle, cells=tuple(cells))


def _read_alternatives(
    clues: _Clues, puzzle: Puzzle, rebus: Mapping[str, Sequence[str]]
) -> tuple[dict[CellId, tuple[str, ...]], list[str]]:
    """Return the letters of other answers by cell, and the names of the other remarks."""
    readings: list[dict[CellId, str]] = [{} for _ in range(_MOST_NUMBERED)]
    left = []
    for clue, key, word in clues.remarks:
        match = _ALTERNATIVE.fullmatch(key)
        answers = [_read_answer(char, rebus) or "" for char in split_cells(word)]
        slot = next((slot for slot in _find_slots(clue, puzzle) if slot.length == len(answers)), None)
        if match and slot:
            readings[int(match[1] or 1) - 1].update(_find_changed(puzzle, slot, answers))
        else:
            left.append(f"{clue.name} {key}")
    return join_alternatives(readings), left


def _find_changed(puzzle: Puzzle, slot: Slot, answers: Sequence[str]) -> dict[CellId, str]:
    """Return those answers of a slot's cells that differ from the puzzle's own."""
    changed = dict(zip(slot.cells, answers, strict=True))
    for cell, answer in list(changed.items()):
        if clean_answer(answer) == puzzle.cells[cell]:
            del changed[cell]
    return changed


def _tell_contrary(clues: _Clues, puzzle: Puzzle) -> tuple[str, ...]:
    """Return a warning about the answers that stand after clues, and not in the grid."""
    contrary = []
    for clue in clues.read:
        slots = _find_slots(clue, puzzle)
        if clue.answer and slots and not any(_is_answer(clue, slot, puzzle) for slot in slots):
            contrary.append(f"{clue.name} {clue.answer}")
    answers = say_count(len(contrary), "answer")
    told = say("left out {answers} that the grid does not have{names}", answers=answers, names=list_names(contrary))
    return tell_if(bool(contrary), told)


class _Design(NamedTuple):
    """A section `Design`: sides of cells with a bar, cells with a circle, and the styles that are left."""

    sides: list[tuple[CellId, str]]
    circles: set[CellId]
    left: list[str]

    def add_styles(self, sign: str, styles: str, cells: Sequence[CellId]) -> None:
        """Give styles such as `bar-left: true` to the cells of a sign; a style of no cell is left."""
        for style in map(str.strip, re.split("[;\n]", styles)):
            if style:
                self._add_style(sign, style, cells)

    def _add_style(self, sign: str, style: str, cells: Sequence[CellId]) -> None:
        name, value = (part.strip().lower() for part in f"{style}:".split(":")[:2])
        if cells and value == "true" and name in _SIDES:
            self.sides.extend((cell, _SIDES[name]) for cell in cells)
        elif cells and (name, value) == ("background", "circle"):
            self.circles.update(cells)
        else:
            self.left.append(f"{sign} {style}")


def _read_design(lines: NumberedLines, height: int, width: int) -> _Design:
    """Return the design of a grid of this size."""
    found = _Design([], set(), [])
    styles, _, drawn = "\n".join(list_texts(lines)).partition("</style>")
    rows = [split_cells(line.strip()) for line in drawn.split("\n") if line.strip("` \t")]
    signs = list(chain.from_iterable(rows))
    fits = [len(row) for row in rows] == [width] * height
    rules = [rule.partition("{") for rule in styles.split("}") if "{" in rule]
    undefined = set(signs) - {".", "#", "_"}
    for head, _, body in rules:
        sign = head.strip()[-1:]
        undefined.discard(sign)
        found.add_styles(sign, body, _find_sign(signs, sign) if fits else [])
    found.left.extend(sorted(undefined))
    if lines and not (found.sides or found.circles or found.left):
        found.left.append("design")
    return found


def _find_sign(signs: Sequence[str], sign: str) -> list[CellId]:
    """Return the cells that have a sign."""
    return [cell for cell, other in enumerate(signs) if sign == other]


def _write(puzzle: Puzzle) -> bytes:
    """Return the file, with a line for every slot."""
    marks = SourceMarks(puzzle, _SIGNS, ".")
    headers = _write_headers(puzzle, marks.table)
    groups = [_write_clues(puzzle, direction, marks.chars) for direction in Direction]
    clues = ["\n".join(lines) for lines in groups if lines]
    sections = ["\n".join(headers), "\n".join(_write_grid(puzzle, marks)), "\n\n".join(clues)]
    notes = puzzle.metadata.get(PuzzlePart.NOTES)
    if notes:
        sections.append("\n".join(_write_note(line) for line in notes.split("\n")))
    return ("\n\n\n".join(sections) + "\n").encode()


def _write_headers(puzzle: Puzzle, table: Mapping[str, str]) -> list[str]:
    shown = {**puzzle.metadata, PuzzlePart.COPYRIGHT: puzzle.copyright_line}
    headers = [f"{name}: {shown[part]}".rstrip() for name, part in _HEADERS.items() if shown.get(part)]
    if not headers:
        headers.append("Title:")
    if puzzle.circles:
        headers.append("Special: circle")
    if table:
        entries = " ".join(f"{mark}={answer}" for mark, answer in table.items())
        if _read_rebus(entries) != {mark: [answer] for mark, answer in table.items()}:
            raise fault("cells without a ',' that would part the cells of the header 'Rebus'", quote(entries))
        headers.append(f"Rebus: {entries}")
    return headers


def _write_grid(puzzle: Puzzle, marks: SourceMarks) -> list[str]:
    chars = []
    for cell, char in enumerate(marks.chars):
        closed = "_" if cell in puzzle.voids else "#"
        chars.append(char or closed)
    return ["".join(row) for row in split_rows(chars, puzzle.width)]


def _write_note(line: str) -> str:
    """Return a line of notes, indented if it looks like a clue."""
    if _looks_like_clue(line):
        return f" {line}"
    return line


def _write_clues(puzzle: Puzzle, direction: Direction, chars: Sequence[str | None]) -> list[str]:
    slots = {slot.number: slot for slot in puzzle.slots if slot.direction is direction}
    answers = {number: puzzle.answer(slot, ".") for number, slot in slots.items()}
    texts = dict(puzzle.list_clues(direction))
    lines = []
    for number in sorted(answers.keys() | texts.keys()):
        parts = (f"{direction[0]}{number}.", texts.get(number), "~", answers.get(number))
        lines.append(" ".join(filter(None, parts)))
        if number in slots:
            lines += _write_alternatives(puzzle, slots[number], chars)
    return lines


def _write_alternatives(puzzle: Puzzle, slot: Slot, chars: Sequence[str | None]) -> Iterator[str]:
    """Yield a line for each other answer in which a slot differs."""
    for index, letters in enumerate(puzzle.differences, start=1):
        if letters.keys().isdisjoint(slot.cells):
            continue
        key = "alt" if index == 1 else f"alt{index}"
        word = ""
        for cell in slot.cells:
            word += letters.get(cell) or chars[cell] or ""
        yield f"{slot.direction[0]}{slot.number} ^{key}: {word}"


def _simplify(puzzle: Puzzle) -> tuple[Puzzle, list[str]]:
    """Return the puzzle without other answers in which cells get several letters or digits."""
    readings = list(filter(_has_letters, puzzle.differences))
    return replace(puzzle, alternatives=join_alternatives(readings)), []


def _has_letters(answer: Mapping[CellId, str]) -> bool:
    """Return whether each cell of an answer has one letter."""
    text = "".join(answer.values())
    return text.isalpha() and len(split_cells(text)) == len(answer)


XD = Codec(_KEEPS, _recognises, _read, _write, _simplify)
