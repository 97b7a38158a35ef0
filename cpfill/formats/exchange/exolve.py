"""The Exolve format: lines `exolve-name: value` between `exolve-begin` and `exolve-end`; clues and texts are HTML.

In the grid `.` is a block, `0` an empty cell (`?` among answers), `@` puts a circle in a cell, `!` gives its letter,
`|` puts a bar after it, `_` one under it, `+` both; `&` takes its meaning from the next character. What follows the
enumeration of a clue, or `[]`, annotates it. A clue of several slots begins with the numbers of all, as in `4,7d,9
Clue`: the first slot has it with these numbers, and the others refer to that. A line `exolve-colour` has a colour, and
the cells that have it: `c3r1` is the third of the lowest row, and so is `c1`; `A12` and `12a` are those of 12 across.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

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
    from collections.abc import Iterator, Sequence


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
    "id",
    "option",
    "preamble",
    "prelude",
    "version",
}
_SECTION = re.compile(r"\s*exolve-([a-z0-9-]+)\s*(?::\s*(.*))?")
_COMMENT = re.compile(r"(?:^|(?<=\s))#(?:\s.*)?$")
_NUMBERED = re.compile(r"(\d{1,5})((?:\s*[,&]\s*\d{1,5}[ad]?){0,50})\.?(?:\s+(.*))?", re.IGNORECASE)
_CELL = re.compile(r"([a-z])(\d{1,3})|c(\d{1,3})r(\d{1,3})|r(\d{1,3})c(\d{1,3})")
_CLUE = re.compile(r"([AD])(\d{1,5})|(\d{1,5})([adAD])")
_LINK = re.compile(r"(\d+)([ad]?)", re.IGNORECASE)
_ENUMERATION = re.compile(r"\(\d[\d\s,.'-]*\)|\((?:[^()]*\b[wl][a-z]*|[^()]*\?)\)")
_SPECIAL = "|_+@!~*.?{[&0#"


def _recognises(data: bytes) -> bool:
    """Return whether a line begins the puzzle."""
    return re.search(rb"(?m)^[ \t]*exolve-begin[ \t\r]*$", data[:100_000]) is not None


def _read(data: bytes) -> Puzzle:
    """Return the first puzzle, without annotations and cell marks other than circles, givens and bars."""
    sections = _split_sections(decode_text(data))
    options = " ".join(line for _, line in sections.get("option", []))
    chars = [word.partition("allow-chars:")[2] for word in options.split()]
    allowed = {"0"} if "allow-digits" in options or any("0" in each for each in chars) else set()
    grid = sections.get("grid", [])
    first_line = grid[0][0] if grid else None
    check_height(grid, first_line)
    rows = [list(_split_row(line, number, several="rebus-cells" in options)) for number, line in grid]
    height, width = check_rows(rows, first_line)
    for name, side in (("width", width), ("height", height)):
        for number, said in sections.get(name, [])[:1]:
            if parse_side(said, number) != side:
                raise fault("a grid of {name} {side}, as it is", quote(said), number, name=name, side=side)
    cells = [cell for row in rows for cell in row]
    sides = {"|": "R", "_": "B", "+": "RB"}
    notes = [line for name in ("preamble", "prelude") for _, line in sections.get(name, [])]
    clues, annotations = _read_clues(sections)
    puzzle = Puzzle(
        height,
        width,
        tuple(
            None if char == "." else "" if char in {"0", "?"} - allowed else re.sub(r"&(.)", r"\1", char)
            for char, _ in cells
        ),
        clues.clues,
        {
            **{part: strip_markup(text) for name, part in _METADATA.items() for _, text in sections.get(name, [])},
            PuzzlePart.NOTES: strip_markup("\n".join(notes)),
        },
        bars=find_bars(
            ((cell, side) for cell, (_, marks) in enumerate(cells) for mark in marks for side in sides.get(mark, "")),
            width,
            len(cells),
        ),
        circles=frozenset(cell for cell, (_, marks) in enumerate(cells) if "@" in marks),
        givens=frozenset(cell for cell, (_, marks) in enumerate(cells) if "!" in marks),
    )
    colours, no_cells = _read_colours(sections, puzzle)
    shades, shaded = read_shades(colours)
    cell_marks = [found for _, marks in cells if (found := marks & set("~*{"))]
    others = [name for name, lines in sections.items() if lines and name not in _READ]
    unread = (
        *clues.unread,
        *tell_left_out(annotations, "annotation", " of clues"),
        *tell_left_out(len(cell_marks), "cell mark", list_names(sorted(set().union(*cell_marks)))),
        *tell_left_out(len(others), "section", list_names(others)),
        *tell_left_out(len(no_cells), "coloured cell", list_names(no_cells)),
        *shaded,
    )
    return note_unread(replace(puzzle, shades=shades), unread)


def _split_sections(text: str) -> dict[str, NumberedLines]:
    """Return the values and lines of each section with their numbers, without comments."""
    found: dict[str, NumberedLines] = {}
    name = None
    begun = False
    for number, line in enumerate(text.split("\n"), start=1):
        bare = (_COMMENT.sub("", line) if "#" in line else line).strip()
        match = _SECTION.fullmatch(bare)
        if match and match[1] == "begin":
            begun = True
        elif begun and match and match[1] == "end":
            return found
        elif begun and match:
            name = match[1]
            lines = found.setdefault(name, [])
            if match[2]:
                lines.append((number, match[2]))
        elif begun and name and bare:
            found[name].append((number, bare))
    raise fault("a line 'exolve-end'" if begun else "a line 'exolve-begin'", say("none"))


def _split_row(line: str, number: int, *, several: bool) -> Iterator[tuple[str, set[str]]]:
    """Yield the answer of each cell of a row, special characters escaped by `&`, and its decorations."""
    pattern = r"((?:&.|[^\s|_+@!~*.?{&])+|[.?])" if several else r"(&.|[^\s|_+@!~*{&])"
    cell = re.compile(pattern + r"((?:[|_+@!~*]|\{[\d,]*\}|\s)*)")
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
        yield match[1], set(match[2])
        start = match.end()
    raise fault("a row of at most {most} cells", say("more"), number, most=MAX_SIDE)


def _read_clues(sections: dict[str, NumberedLines]) -> tuple[ClueList, int]:
    """Return the clues, and how many have an annotation."""
    clues = ClueList(left=[quote(line) for _, line in sections.get("nodir", [])])
    references: dict[ClueId, str] = {}
    annotations, references_left = 0, MAX_CLUES
    for direction in Direction:
        for _, line in sections.get(direction.lower(), []):
            match = _NUMBERED.fullmatch(line)
            number, links, marked_up = match.groups("") if match else ("", "", "")
            text, annotation = _cut_annotation(marked_up)
            annotations += bool(annotation.strip(" *"))
            clues.add(
                direction, number, f"{number}{links} {strip_markup(text)}" if links else strip_markup(text), quote(line)
            )
            linked = _LINK.findall(links)
            references_left -= len(linked)
            if references_left < 0:
                raise fault("at most {most} references to clues", say("more"), most=MAX_CLUES)
            for other, way in linked:
                to = {"a": Direction.ACROSS, "d": Direction.DOWN}.get(way.lower(), direction)
                references.setdefault((to, int(other)), f"See {number}")
    clues.clues = references | {clue: text for clue, text in clues.clues.items() if text}
    return clues, annotations


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
        lines.append("  exolve-option: rebus-cells")
    symbols = sorted({char for answer in puzzle.cells for char in answer or "" if not char.isalpha()})
    if symbols:
        lines.append(f"  exolve-option: allow-chars:{''.join(symbols)}")
    lines += ["  exolve-grid:", *_write_grid(puzzle)]
    by_colour = sorted(puzzle.shades, key=lambda cell: (puzzle.shades[cell], cell))
    for colour, cells in groupby(by_colour, puzzle.shades.get):
        places = (f"c{cell % puzzle.width + 1}r{puzzle.height - cell // puzzle.width}" for cell in cells)
        lines.append(f"  exolve-colour: {colour} {' '.join(places)}")
    for direction in Direction:
        lines.append(f"  exolve-{direction.lower()}:")
        lines += [f"    {number} {_write_clue(text)}" for number, text in puzzle.list_clues(direction)]
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


def _write_clue(text: str) -> str:
    """Return a clue, with its end marked if something in it looks like an end."""
    written = _write_html(text).replace("[", "&#91;")
    if written.startswith((",", ".")):
        written = f"&#{ord(written[0])};{written[1:]}"
    return written if _cut_annotation(written)[0] == written else f"{written} []"


EXOLVE = Codec(
    SHOWN | IN_GRID - {PuzzlePart.LETTER_SETS, PuzzlePart.VOIDS} | {PuzzlePart.CLUES, PuzzlePart.STRAYS},
    _recognises,
    _read,
    _write,
)
