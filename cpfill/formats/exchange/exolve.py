"""The Exolve format: lines `exolve-name: value` between `exolve-begin` and `exolve-end`; clues and texts are HTML.

In the grid `.` is a block, `0` an empty cell (`?` among answers), `@` puts a circle in a cell, `!` gives its letter,
`|` puts a bar after it, `_` one under it, `+` both; `&` takes its meaning from the next character. What follows the
enumeration of a clue, or `[]`, annotates it. A clue of several slots begins with the numbers of all, as in `4,7d,9
Clue`: the first slot has it with these numbers, and the others refer to that. A number without a direction has that of
the first, unless only the other direction has a slot of that number, or one whose clue has no enumeration. A line
`exolve-colour` has a colour, and the cells that have it: `c3r1` is the third of the lowest row, and so is `c1`; `A12`
and `12a` are those of 12 across.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import MAX_CELLS, MAX_CLUES, MAX_ROW, MAX_SIDE
from cpfill.base.texts import say
from cpfill.formats.exchange.source import (
    ClueList,
    NumberedLines,
    check_height,
    check_rows,
    decode_text,
    escape_markup,
    fault,
    list_names,
    note_unread,
    parse_side,
    quote,
    read_shades,
    strip_markup,
    tell_left_out,
)
from cpfill.formats.registry import Codec
from cpfill.puzzle.grid import CellId, Direction, split_rows
from cpfill.puzzle.puzzle import IN_GRID, SHOWN, ClueId, Puzzle, PuzzlePart, find_bars

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


_METADATA = {"title": PuzzlePart.TITLE, "setter": PuzzlePart.AUTHOR, "copyright": PuzzlePart.COPYRIGHT}
_READ = {
    *_METADATA,
    "across",
    "color",
    "colour",
    "down",
    "nodir",
    "grid",
    "height",
    "width",
    "option",
    "preamble",
    "prelude",
}
_SEVERAL, _DIGITS, _CHARS, _NO_MATCH = "rebus-cells", "allow-digits", "allow-chars:", "ignore-enum-mismatch"
_OPTIONS = re.compile(f"{_SEVERAL}|{_DIGITS}|{_CHARS}.*|{_NO_MATCH}|ignore-unclued")
"""The options that say what cells may hold, or which warnings Exolve does not give."""
_SECTION = re.compile(r"\s*exolve-([a-z0-9-]+)\s*(?::\s*(.*))?")
_COMMENT = re.compile(r"(?:^|(?<=\s))#(?:\s.*)?$")
_NUMBERED = re.compile(
    r"(\d{1,5})[ad]?\b((?:\s{0,9}(?:[,/]|&(?:amp;)?|and\b)\s{0,9}\d{1,5}[ad]?\b){0,50})\s{0,9}(?:\.(?!\.))?\s{0,9}(.*)",
    re.IGNORECASE,
)
_CELL = re.compile(r"([a-z])(\d{1,3})|c(\d{1,3})r(\d{1,3})|r(\d{1,3})c(\d{1,3})")
_CLUE = re.compile(r"([AD])(\d{1,5})|(\d{1,5})([adAD])")
_LINK = re.compile(r"(\d+)([ad]?)", re.IGNORECASE)
_REFERENCE = re.compile(r"\w+ (\d{1,5})\b ?(?:across|down|[ad])?\.?", re.IGNORECASE)
_DECORATION = re.compile(r"\{[^{}]*\}")
_IN_CLUE = re.compile(r"~\{(?:\{[^{}]{0,60}\})?|\}~")
_ENUMERATION = re.compile(r"\(\d[\d\s,.'-]*\)|\((?:[^()]*\b[wl][a-z]*|[^()]*\?)\)")
_WAYS = {"a": Direction.ACROSS, "d": Direction.DOWN}
_SPECIAL = "|_+@!~*.?{[&0#"


def _recognises(data: bytes) -> bool:
    """Return whether a line begins the puzzle."""
    return re.search(rb"(?m)^[ \t]*exolve-begin[ \t\r]*$", data[:100_000]) is not None


def _read(data: bytes) -> Puzzle:
    """Return the first puzzle, without annotations and cell marks other than circles, givens and bars."""
    file = _split_sections(decode_text(data))
    sections = file.sections
    options = " ".join(line for _, line in sections.get("option", [])).split()
    chars = "".join(option.removeprefix(_CHARS) for option in options if option.startswith(_CHARS))
    allowed = {"0"} if _DIGITS in options or "0" in chars else set()
    grid = sections.get("grid", [])
    first_line = grid[0][0] if grid else None
    check_height(grid, first_line)
    rows = [list(_split_row(line, number, several=_SEVERAL in options)) for number, line in grid]
    height, width = check_rows(rows, first_line)
    for name, side in (("width", width), ("height", height)):
        for number, said in sections.get(name, [])[:1]:
            if parse_side(said, number) != side:
                raise fault("a grid of {name} {side}, as it is", quote(said), number, name=name, side=side)
    cells = [cell for row in rows for cell in row]
    sides = {"|": "R", "_": "B", "+": "RB"}
    notes = [line for name in ("preamble", "prelude") for _, line in sections.get(name, [])]
    texts = {part: " ".join(line for _, line in sections.get(name, [])) for name, part in _METADATA.items()}
    puzzle = Puzzle(
        height,
        width,
        tuple(
            None if char == "." else "" if char in {"0", "?"} - allowed else re.sub(r"&(.)", r"\1", char)
            for char, _ in cells
        ),
        metadata={part: strip_markup(text) for part, text in (texts | {PuzzlePart.NOTES: "\n".join(notes)}).items()},
        bars=find_bars(
            ((cell, side) for cell, (_, marks) in enumerate(cells) for mark in marks for side in sides.get(mark, "")),
            width,
            len(cells),
        ),
        circles=frozenset(cell for cell, (_, marks) in enumerate(cells) if "@" in marks),
        givens=frozenset(cell for cell, (_, marks) in enumerate(cells) if "!" in marks),
    )
    clues, annotations = _read_clues(sections, puzzle)
    colours, no_cells = _read_colours(sections, puzzle)
    shades, shaded = read_shades(colours)
    cell_marks = [mark for _, marks in cells for mark in sorted(marks) if mark[0] in "~*{"]
    others = [name for name, lines in sections.items() if lines and name not in _READ]
    settings = [option for option in options if not _OPTIONS.fullmatch(option)]
    unread = (
        *clues.unread,
        *tell_left_out(annotations, "annotation", " of clues"),
        *tell_left_out(len(cell_marks), "cell mark", list_names(sorted(set(cell_marks)))),
        *tell_left_out(len(others), "section", list_names(others)),
        *tell_left_out(len(settings), "option", list_names(settings)),
        *tell_left_out(file.comments, "comment"),
        *tell_left_out(file.puzzles - 1, "puzzle", " after the first"),
        *tell_left_out(len(no_cells), "coloured cell", list_names(no_cells)),
        *shaded,
    )
    return note_unread(replace(puzzle, clues=clues.clues, shades=shades), unread)


class _File(NamedTuple):
    """The sections of the first puzzle, the number of its comments, and that of all puzzles of the file."""

    sections: dict[str, NumberedLines]
    comments: int
    puzzles: int


def _split_sections(text: str) -> _File:
    """Return the values and lines of each section with their numbers, without comments."""
    found: dict[str, NumberedLines] = {}
    name = None
    begun, ended, comments, puzzles = False, False, 0, 0
    for number, line in enumerate(text.split("\n"), start=1):
        bare = (_COMMENT.sub("", line) if "#" in line else line).strip()
        match = _SECTION.fullmatch(bare)
        puzzles += match is not None and match[1] == "begin"
        begun = puzzles > 0
        ended = ended or (begun and match is not None and match[1] == "end")
        if not begun or ended:
            continue
        comments += bare != line.strip()
        if match and match[1] != "begin":
            name = match[1]
            lines = found.setdefault(name, [])
            if match[2]:
                lines.append((number, match[2]))
        elif name and bare and not match:
            found[name].append((number, bare))
    if not ended:
        raise fault("a line 'exolve-end'" if begun else "a line 'exolve-begin'", say("none"))
    return _File(found, comments, puzzles)


def _split_row(line: str, number: int, *, several: bool) -> Iterator[tuple[str, set[str]]]:
    """Yield the answer of each cell of a row, special characters escaped by `&`, and its decorations."""
    marks = "".join(sorted({char for char in line if unicodedata.category(char).startswith("M")}))
    one = r"(?:&.|[^\s|_+@!~*{&])" + (f"[{marks}]*" if marks else "")
    pattern = r"((?:&.|[^\s|_+@!~*.?{&])+|[.?])" if several else f"({one})"
    cell = re.compile(pattern + r"((?:[|_+@!~*]|\{[^{}]*\}|\s)*)")
    start = 0
    text = line.strip()
    if len(text) > MAX_ROW:
        raise fault("a row of at most {most} characters", f"{len(text)}", number, most=MAX_ROW)
    for _ in range(MAX_SIDE + 1):
        if start == len(text):
            return
        match = cell.match(text, start)
        if match is None:
            raise fault("a letter, '.', '0' or a decoration of the cell before", quote(text[start:]), number)
        yield match[1], {*_DECORATION.findall(match[2]), *_DECORATION.sub("", match[2])}
        start = match.end()
    raise fault("a row of at most {most} cells", say("more"), number, most=MAX_SIDE)


def _read_clues(sections: dict[str, NumberedLines], puzzle: Puzzle) -> tuple[ClueList, int]:
    """Return the clues, and how many have an annotation."""
    clues = ClueList(left=[quote(line) for _, line in sections.get("nodir", [])])
    links: dict[ClueId, str] = {}
    annotations = 0
    for direction in Direction:
        for _, line in sections.get(direction.lower(), []):
            match = _NUMBERED.fullmatch(line)
            number, linked, marked_up = match.groups("") if match else ("", "", "")
            text, annotation = _cut_annotation(marked_up)
            plain = _IN_CLUE.sub("", text)
            annotations += bool(annotation.strip()) or plain != text
            if plain == "*":  # a clue that is deleted
                number = ""
            said = strip_markup(f"{number}{linked} {plain}" if linked else plain)
            if linked and number:
                links[direction, int(number)] = linked
            clues.add(direction, number, said, quote(line))
    if sum(len(_LINK.findall(linked)) for linked in links.values()) > MAX_CLUES:
        raise fault("at most {most} references to clues", say("more"), most=MAX_CLUES)
    for clue, linked in links.items():
        for other in _find_linked(clue, linked, puzzle, clues.clues):
            if not clues.clues.get(other):
                clues.clues[other] = f"See {clue[1]}"
    clues.clues = {clue: text for clue, text in clues.clues.items() if text}
    return clues, annotations


def _find_linked(clue: ClueId, linked: str, puzzle: Puzzle, clues: Mapping[ClueId, str]) -> list[ClueId]:
    """Return the clues that the numbers after that of a clue name, such as `,7d,9`."""
    direction, own = clue
    turned = next(way for way in Direction if way is not direction)
    found = []
    for said, way in _LINK.findall(linked):
        number = int(said)
        ways = [one for one in (direction, turned) if (one, number) in puzzle.slot_of and (one, number) != clue]
        plain = [one for one in ways if not _find_enumeration(clues.get((one, number), ""))]
        usual = turned if number == own else next(iter(plain or ways), direction)
        found.append((_WAYS.get(way.lower(), usual), number))
    return found


def _find_enumeration(text: str) -> str:
    """Return the enumeration at the end of a clue, empty if there is none."""
    return next(reversed(_ENUMERATION.findall(text)), "")


def _read_colours(sections: dict[str, NumberedLines], puzzle: Puzzle) -> tuple[dict[CellId, str], list[str]]:
    """Return the colours of cells, and the names of those that are not in the grid."""
    colours: dict[CellId, str] = {}
    left: list[str] = []
    total = 0
    for number, line in [*sections.get("colour", []), *sections.get("color", [])]:
        cells: list[CellId] = []
        colour = ""
        for word in line.split():
            found = _find_cells(word, puzzle)
            if found is None:
                colour = word
            elif found:
                cells += found
            else:
                left.append(word)
            if total + len(cells) > MAX_CELLS:
                raise fault("colours of at most {most} cells together", say("more"), number, most=MAX_CELLS)
        total += len(cells)
        colours |= dict.fromkeys(cells, colour)
    return colours, left


def _find_cells(word: str, puzzle: Puzzle) -> Sequence[CellId] | None:
    """Return the cells in the grid that a word of a colour's line names; `None` if the word is the colour."""
    if match := _CLUE.fullmatch(word):
        way, number = match[1] or match[4].upper(), int(match[2] or match[3])
        slot = puzzle.slot_of.get((Direction.ACROSS if way == "A" else Direction.DOWN, number))
        return slot.cells if slot else ()
    if match := _CELL.fullmatch(word):
        column = ord(match[1]) - ord("a") + 1 if match[1] else int(match[3] or match[6])
        row = int(match[2] or match[4] or match[5])  # from the bottom
        inside = 1 <= column <= puzzle.width and 1 <= row <= puzzle.height
        return [(puzzle.height - row) * puzzle.width + column - 1] if inside else ()
    return None


def _cut_annotation(text: str) -> tuple[str, str]:
    before, mark, after = text.partition("[]")
    if mark:
        return before, after
    end = max((match.end() for match in _ENUMERATION.finditer(text)), default=len(text))
    return text[:end], text[end:]


def _write(puzzle: Puzzle) -> bytes:
    lines = ["exolve-begin", f"  exolve-width: {puzzle.width}", f"  exolve-height: {puzzle.height}"]
    lines += [
        f"  exolve-{name}: {_write_html(puzzle.metadata[part])}"
        for name, part in _METADATA.items()
        if part in puzzle.metadata
    ]
    if notes := puzzle.metadata.get(PuzzlePart.NOTES):
        lines += ["  exolve-preamble:", *(f"    {_write_html(line)}" for line in notes.split("\n"))]
    if any(len(answer or "") > 1 for answer in puzzle.cells):
        lines.append(f"  exolve-option: {_SEVERAL}")
    symbols = sorted({char for answer in puzzle.cells for char in answer or "" if not char.isalpha()})
    if symbols:
        lines.append(f"  exolve-option: {_CHARS}{''.join(symbols)}")
    if _counts_more(puzzle):
        lines.append(f"  exolve-option: {_NO_MATCH}")
    lines += ["  exolve-grid:", *_write_grid(puzzle)]
    by_colour = sorted(puzzle.shades, key=lambda cell: (puzzle.shades[cell], cell))
    for colour, cells in groupby(by_colour, puzzle.shades.get):
        places = (f"c{cell % puzzle.width + 1}r{puzzle.height - cell // puzzle.width}" for cell in cells)
        lines.append(f"  exolve-colour: {colour} {' '.join(places)}")
    for direction in Direction:
        lines.append(f"  exolve-{direction.lower()}:")
        lines += [f"    {_write_clue(puzzle, (direction, number))}" for number, _ in puzzle.list_clues(direction)]
    return ("\n".join([*lines, "exolve-end"]) + "\n").encode()


def _write_grid(puzzle: Puzzle) -> list[str]:
    """Return the rows, with the columns aligned."""
    empty = "?" if any(puzzle.cells) else "0"
    shown = []
    for cell, answer in enumerate(puzzle.cells):
        text = "." if answer is None else "".join(f"&{char}" if char in _SPECIAL else char for char in answer) or empty
        right = puzzle.width > 1 and (cell, cell + 1) in puzzle.bars
        below = (cell, cell + puzzle.width) in puzzle.bars
        text += "@" * (cell in puzzle.circles) + "!" * (cell in puzzle.givens)
        text += "+" if right and below else "|" * right + "_" * below
        shown.append(text)
    widths = [max(map(len, shown[column :: puzzle.width])) for column in range(puzzle.width)]
    rows = split_rows(shown, puzzle.width)
    return [
        "    " + " ".join(text.ljust(room) for text, room in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _write_html(text: str) -> str:
    """Return a text as HTML in which no comment and no section begins."""
    return re.sub(r"#(?=\s|$)", "&#35;", escape_markup(text)).replace("exolve-", "exolve&#45;")


def _write_text(text: str) -> str:
    """Return the text of a clue as HTML in which no label and no annotation begins."""
    return _write_html(text).replace("[", "&#91;").replace("~{", "&#126;{").replace("}~", "&#125;~")


def _list_linked(puzzle: Puzzle, clue: ClueId) -> list[ClueId]:
    """Return the other clues whose numbers begin the text of a clue; none if the puzzle lacks one, or its slot."""
    match = _NUMBERED.match(puzzle.clues[clue])
    if match is None or int(match[1]) != clue[1]:
        return []
    linked = _find_linked(clue, match[2], puzzle, puzzle.clues)
    known = puzzle.slot_of.keys() & puzzle.clues.keys()
    return linked if known >= {clue, *linked} and clue not in linked else []


def _counts_more(puzzle: Puzzle) -> bool:
    """Return whether an enumeration counts what the slots of its clue do not have, although nothing is wrong with it.

    It may count the cells of a slot whose clue refers to it, or the letters of rebus cells.
    """
    references = (_REFERENCE.fullmatch(text) for text in puzzle.clues.values())
    referred = {int(found[1]) for found in references if found}
    return any(
        clue[1] in referred or any(len(puzzle.cells[cell] or "") > 1 for cell in cells)
        for clue in puzzle.clues
        if (cells := _list_cells(puzzle, clue)) and _count(puzzle.clues[clue]) not in {0, len(cells)}
    )


def _list_cells(puzzle: Puzzle, clue: ClueId) -> list[CellId]:
    """Return the cells of all slots of a clue, one where two of them meet."""
    cells: list[CellId] = []
    for part in (clue, *_list_linked(puzzle, clue)):
        run = puzzle.slot_of[part].cells if part in puzzle.slot_of else ()
        cells += run[1:] if cells and cells[-1] == run[0] else run
    return cells


def _count(text: str) -> int:
    """Return the number of letters that the enumeration of a clue says, 0 if it has none."""
    return sum(map(int, re.findall(r"\d{1,5}", _find_enumeration(text))))


def _write_clue(puzzle: Puzzle, clue: ClueId) -> str:
    """Return a clue with its number, its end marked if something in it looks like an end."""
    text = puzzle.clues[clue]
    written = _write_text(text)
    if not _list_linked(puzzle, clue):
        plain = _NUMBERED.fullmatch(f"{clue[1]} {written}")
        if written == "*" or plain is None or plain[2] or plain[3] != written:
            written = f"&#{ord(text[0])};{_write_text(text[1:])}"
        written = f"{clue[1]} {written}"
    match = _NUMBERED.fullmatch(written)
    whole = match[3] if match else ""
    return written if _cut_annotation(whole)[0] == whole else f"{written} []"


EXOLVE = Codec(
    SHOWN
    | IN_GRID - {PuzzlePart.LABELS, PuzzlePart.LETTER_SETS, PuzzlePart.VOIDS}
    | {PuzzlePart.CLUES, PuzzlePart.STRAYS},
    _recognises,
    _read,
    _write,
)
