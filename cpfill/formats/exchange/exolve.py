"""The Exolve format: lines `exolve-name: value` between `exolve-begin` and `exolve-end`; clues and texts are HTML.

In the grid `.` is a block, `0` an empty cell (`?` among answers), `@` puts a circle in a cell, `!` gives its letter,
`|` puts a bar after it, `_` one under it, `+` both; `&` takes its meaning from the next character. The text after the
enumeration of a clue, or after `[]`, annotates the clue. A clue of several slots begins with the numbers of all, as in
`4,7d,9 Clue`: the first slot has it with these numbers, and the others refer to that. A number without a direction has
that of the first, unless only the other direction has a slot of that number, or one whose clue has no enumeration. A
line `exolve-colour` has a colour, and the cells that have it: `c3r1` is the third of the lowest row, and so is `c1`;
`A12` and `12a` are those of 12 across. A line `exolve-alternatives` has the cells and letters of another answer, such
as `c3r1:B`; no cell stands in two of them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import MAX_CLUES, MAX_ROW, MAX_SIDE
from cpfill.base.texts import say
from cpfill.formats.exchange.exolve_cells import read_alternatives, read_colours, write_alternatives, write_colours
from cpfill.formats.exchange.source import (
    ClueList,
    NumberedLines,
    check_height,
    check_rows,
    decode_text,
    escape_markup,
    fault,
    list_names,
    list_texts,
    note_unread,
    parse_side,
    quote,
    read_shades,
    strip_markup,
    tell_left_out,
)
from cpfill.formats.registry import Codec
from cpfill.puzzle.grid import CellId, Direction, split_rows
from cpfill.puzzle.parts import IN_GRID, SHOWN, ClueId, PuzzlePart, find_bars, join_alternatives
from cpfill.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from cpfill.puzzle.grid import Bar


_METADATA = {"title": PuzzlePart.TITLE, "setter": PuzzlePart.AUTHOR, "copyright": PuzzlePart.COPYRIGHT}
_READ = {
    *_METADATA,
    "across",
    "alternatives",
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
_SEVERAL = "rebus-cells"
_DIGITS = "allow-digits"
_CHARS = "allow-chars:"
_NO_MATCH = "ignore-enum-mismatch"
_OPTIONS = re.compile(f"{_SEVERAL}|{_DIGITS}|{_CHARS}.*|{_NO_MATCH}|ignore-unclued")
"""The options for the content of cells, or for warnings that Exolve does not give."""
_MOST_ANSWERS = 3
"""The most other answers of a clue."""
_SECTION = re.compile(r"\s*exolve-([a-z0-9-]+)\s*(?::\s*(.*))?")
_COMMENT = re.compile(r"(?:^|(?<=\s))#(?:\s.*)?$")
_NUMBERED = re.compile(
    r"(\d{1,5})[ad]?\b((?:\s{0,9}(?:[,/]|&(?:amp;)?|and\b)\s{0,9}\d{1,5}[ad]?\b){0,50})\s{0,9}(?:\.(?!\.))?\s{0,9}(.*)",
    re.IGNORECASE,
)
_LINK = re.compile(r"(\d+)([ad]?)", re.IGNORECASE)
_REFERENCE = re.compile(r"\w+ (\d{1,5})\b ?(?:across|down|[ad])?\.?", re.IGNORECASE)
_DECORATION = re.compile(r"\{[^{}]*\}")
_IN_CLUE = re.compile(r"~\{(?:\{[^{}]{0,60}\})?|\}~")
_ENUMERATION = re.compile(r"\(\d[\d\s,.'-]*\)|\((?:[^()]*\b[wl][a-z]*|[^()]*\?)\)")
_WAYS = {"a": Direction.ACROSS, "d": Direction.DOWN}
_BARRED = {"|": "R", "_": "B", "+": "RB"}
"""The sides of a cell that a mark bars."""
_ESCAPED = re.compile("&(.)")
_TO_ESCAPE = re.compile(r"[|_+@!~*.?{\[&0#]")
"""Characters that have a meaning in a grid."""


def _recognises(data: bytes) -> bool:
    """Return whether a line begins the puzzle."""
    return re.search(rb"(?m)^[ \t]*exolve-begin[ \t\r]*$", data[:100_000]) is not None


def _read(data: bytes) -> Puzzle:
    """Return the first puzzle, without annotations and cell marks other than circles, givens and bars."""
    file = _split_sections(decode_text(data))
    sections = file.sections
    options = " ".join(list_texts(sections.get("option", []))).split()
    cells, height, width = _read_cells(sections, options)
    metadata = {part: " ".join(list_texts(sections.get(name, []))) for name, part in _METADATA.items()}
    metadata[PuzzlePart.NOTES] = "\n".join(list_texts([*sections.get("preamble", []), *sections.get("prelude", [])]))
    puzzle = Puzzle(
        height,
        width,
        _read_answers(cells, options),
        metadata={part: strip_markup(text) for part, text in metadata.items()},
        bars=_find_bars(cells, width),
        circles=_find_marked(cells, "@"),
        givens=_find_marked(cells, "!"),
    )
    clues, annotations = _read_clues(sections, puzzle)
    colours, no_cells = read_colours(sections, puzzle)
    readings, no_letters = read_alternatives(sections, puzzle)
    shades, shaded = read_shades(colours)
    unread = (
        *clues.unread,
        *tell_left_out(annotations, "annotation", " of clues"),
        *_tell_others(sections, options, cells),
        *tell_left_out(file.comments, "comment"),
        *tell_left_out(file.puzzles - 1, "puzzle", " after the first"),
        *tell_left_out(len(no_cells), "coloured cell", list_names(no_cells)),
        *tell_left_out(len(no_letters), PuzzlePart.ALTERNATIVES, list_names(no_letters)),
        *shaded,
    )
    alternatives = join_alternatives(readings)
    return note_unread(replace(puzzle, clues=clues.clues, shades=shades, alternatives=alternatives), unread)


def _read_cells(sections: dict[str, NumberedLines], options: list[str]) -> tuple[list[_MarkedCell], int, int]:
    """Return the cells of the grid, its height and its width, which have to be those that the file says."""
    lines = sections.get("grid", [])
    first_line = lines[0][0] if lines else None
    check_height(lines, first_line)
    several = _SEVERAL in options
    rows = [list(_split_row(line, number, several=several)) for number, line in lines]
    height, width = check_rows(rows, first_line)
    _check_side(sections, "width", width)
    _check_side(sections, "height", height)
    return list(chain.from_iterable(rows)), height, width


def _check_side(sections: dict[str, NumberedLines], name: str, side: int) -> None:
    """Check that the section of that name has the number of rows or columns of the grid; further lines are ignored."""
    lines = sections.get(name)
    if not lines:
        return
    number, text = lines[0]
    if parse_side(text, number) != side:
        raise fault("a grid of {name} {side}, as it is", quote(text), number, name=name, side=side)


def _read_answers(cells: Sequence[_MarkedCell], options: Sequence[str]) -> tuple[str | None, ...]:
    """Return the answer of each cell; without an option that allows digits, `0` is an empty cell."""
    chars = "".join(option.removeprefix(_CHARS) for option in options if option.startswith(_CHARS))
    empty = {"0", "?"}
    if _DIGITS in options or "0" in chars:
        empty.remove("0")
    return tuple(_read_answer(cell.text, empty) for cell in cells)


def _read_answer(text: str, empty: Collection[str]) -> str | None:
    if text == ".":
        return None
    if text in empty:
        return ""
    return _ESCAPED.sub(r"\1", text)


def _find_bars(cells: Sequence[_MarkedCell], width: int) -> frozenset[Bar]:
    sides = []
    for index, cell in enumerate(cells):
        for mark in cell.marks:
            sides += [(index, side) for side in _BARRED.get(mark, "")]
    return find_bars(sides, width, len(cells))


def _find_marked(cells: Sequence[_MarkedCell], mark: str) -> frozenset[CellId]:
    """Return the cells that have this mark."""
    return frozenset(index for index, cell in enumerate(cells) if mark in cell.marks)


def _tell_others(
    sections: dict[str, NumberedLines], options: Sequence[str], cells: Sequence[_MarkedCell]
) -> Iterator[str]:
    """Yield warnings about the marks, sections and options that are not read."""
    marks: list[str] = []
    for cell in cells:
        marks += [mark for mark in cell.marks if mark[0] in "~*{"]
    others = [name for name, lines in sections.items() if lines and name not in _READ]
    settings = [option for option in options if not _OPTIONS.fullmatch(option)]
    yield from tell_left_out(len(marks), "cell mark", list_names(sorted(set(marks))))
    yield from tell_left_out(len(others), "section", list_names(others))
    yield from tell_left_out(len(settings), "option", list_names(settings))


@dataclass
class _File:
    """The sections of the first puzzle, the number of its comments, and that of all puzzles of the file.

    `ended` says that the first puzzle has been read; `name` is the section that lines are added to.
    """

    sections: dict[str, NumberedLines] = field(default_factory=dict)
    comments: int = 0
    puzzles: int = 0
    ended: bool = False
    name: str | None = None

    def add_heading(self, name: str, value: str | None, number: int) -> None:
        """Begin a section, whose first line may be a value."""
        self.name = name
        lines = self.sections.setdefault(name, [])
        if value:
            lines.append((number, value))

    def add_line(self, text: str, number: int) -> None:
        """Add a line, unless it is blank, to the section begun last, if any."""
        if self.name and text:
            self.sections[self.name].append((number, text))


def _split_sections(text: str) -> _File:
    """Return the values and lines of each section with their numbers, without comments."""
    file = _File()
    for number, line in enumerate(text.split("\n"), start=1):
        bare = _cut_comment(line)
        match = _SECTION.fullmatch(bare)
        heading = match[1] if match else None
        if heading == "begin":
            file.puzzles += 1
        if file.puzzles and heading == "end":
            file.ended = True
        if file.ended or not file.puzzles:
            continue
        if bare != line.strip():
            file.comments += 1
        if match is None:
            file.add_line(bare, number)
        elif match[1] != "begin":
            file.add_heading(match[1], match[2], number)
    if not file.puzzles:
        raise fault("a line 'exolve-begin'", say("none"))
    if not file.ended:
        raise fault("a line 'exolve-end'", say("none"))
    return file


def _cut_comment(line: str) -> str:
    """Return a line without its comment and without blanks around it."""
    bare = _COMMENT.sub("", line) if "#" in line else line
    return bare.strip()


class _MarkedCell(NamedTuple):
    """A cell as the file has it: its answer, special characters escaped by `&`, and its decorations."""

    text: str
    marks: list[str]


def _compile_cell(line: str, *, several: bool) -> re.Pattern[str]:
    """Return the pattern of a cell of a row: its answer, of `several` characters or one, and its decorations."""
    if several:
        answer = r"((?:&.|[^\s|_+@!~*.?{&])+|[.?])"
    else:
        marks = "".join(sorted({char for char in line if unicodedata.category(char).startswith("M")}))
        combining = f"[{marks}]*" if marks else ""
        answer = rf"((?:&.|[^\s|_+@!~*{{&]){combining})"
    return re.compile(answer + r"((?:[|_+@!~*]|\{[^{}]*\}|\s)*)")


def _split_row(line: str, number: int, *, several: bool) -> Iterator[_MarkedCell]:
    """Yield the cells of a row."""
    cell = _compile_cell(line, several=several)
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
        marks = {*_DECORATION.findall(match[2]), *_DECORATION.sub("", match[2])}
        yield _MarkedCell(match[1], sorted(marks))
        start = match.end()
    raise fault("a row of at most {most} cells", say("more"), number, most=MAX_SIDE)


class _NumberedClue(NamedTuple):
    """A line of a list of clues: its number, those of the slots that it goes on in, its text, and its annotation."""

    number: str
    linked: str
    text: str
    is_annotated: bool


def _parse_clue(line: str) -> _NumberedClue:
    """Return the parts of a line; a clue that is deleted has no number, nor has a line that is no clue."""
    match = _NUMBERED.fullmatch(line)
    number, linked, marked_up = match.groups("") if match else ("", "", "")
    text, annotation = _cut_annotation(marked_up)
    plain = _IN_CLUE.sub("", text)
    is_annotated = bool(annotation.strip()) or plain != text
    if plain == "*":
        number = ""
    return _NumberedClue(number, linked, plain, is_annotated)


def _read_clues(sections: dict[str, NumberedLines], puzzle: Puzzle) -> tuple[ClueList, int]:
    """Return the clues, and the number of those with an annotation."""
    clues = ClueList(left=[quote(line) for _, line in sections.get("nodir", [])])
    links: dict[ClueId, str] = {}
    annotations = 0
    for direction in Direction:
        for _, line in sections.get(direction.lower(), []):
            clue = _parse_clue(line)
            text = clue.text
            if clue.is_annotated:
                annotations += 1
            if clue.linked:
                text = f"{clue.number}{clue.linked} {text}"
            if clue.linked and clue.number:
                links[direction, int(clue.number)] = clue.linked
            clues.add(direction, clue.number, strip_markup(text), quote(line))
    _refer(links, puzzle, clues.clues)
    clues.clues = {clue_id: text for clue_id, text in clues.clues.items() if text}
    return clues, annotations


def _refer(links: Mapping[ClueId, str], puzzle: Puzzle, clues: dict[ClueId, str]) -> None:
    """Let the slots that a clue goes on in refer to it, unless they have clues of their own."""
    if sum(len(_LINK.findall(linked)) for linked in links.values()) > MAX_CLUES:
        raise fault("at most {most} references to clues", say("more"), most=MAX_CLUES)
    for clue, linked in links.items():
        for other in _find_linked(clue, linked, puzzle, clues):
            if not clues.get(other):
                clues[other] = f"See {clue[1]}"


def _find_linked(clue: ClueId, linked: str, puzzle: Puzzle, clues: Mapping[ClueId, str]) -> list[ClueId]:
    """Return the clues that the numbers after that of a clue name, such as `,7d,9`."""
    found: list[ClueId] = []
    for text, way in _LINK.findall(linked):
        number = int(text)
        direction = _WAYS.get(way.lower()) or _choose_direction(clue, number, puzzle, clues)
        found.append((direction, number))
    return found


def _choose_direction(clue: ClueId, number: int, puzzle: Puzzle, clues: Mapping[ClueId, str]) -> Direction:
    """Return the direction of a number that a clue names without one."""
    direction, own = clue
    turned = next(way for way in Direction if way is not direction)
    if number == own:
        return turned
    ways = [way for way in (direction, turned) if (way, number) in puzzle.slot_of]
    for way in ways:
        if not _find_enumeration(clues.get((way, number), "")):
            return way
    if ways:
        return ways[0]
    return direction


def _find_enumeration(text: str) -> str:
    """Return the enumeration at the end of a clue, empty if there is none."""
    found: list[str] = _ENUMERATION.findall(text)
    if found:
        return found[-1]
    return ""


def _cut_annotation(text: str) -> tuple[str, str]:
    before, mark, after = text.partition("[]")
    if mark:
        return before, after
    end = max((match.end() for match in _ENUMERATION.finditer(text)), default=len(text))
    return text[:end], text[end:]


def _write(puzzle: Puzzle) -> bytes:
    lines = ["exolve-begin", f"  exolve-width: {puzzle.width}", f"  exolve-height: {puzzle.height}"]
    for name, part in _METADATA.items():
        if part in puzzle.metadata:
            lines.append(f"  exolve-{name}: {_write_html(puzzle.metadata[part])}")
    notes = puzzle.metadata.get(PuzzlePart.NOTES)
    if notes:
        lines.append("  exolve-preamble:")
        lines += [f"    {_write_html(line)}" for line in notes.split("\n")]
    lines += [f"  exolve-option: {option}" for option in _list_options(puzzle)]
    lines += ["  exolve-grid:", *_write_grid(puzzle), *write_colours(puzzle)]
    lines += write_alternatives(puzzle)
    for direction in Direction:
        lines.append(f"  exolve-{direction.lower()}:")
        lines += [f"    {_write_clue(puzzle, (direction, number))}" for number, _ in puzzle.list_clues(direction)]
    lines.append("exolve-end\n")
    return "\n".join(lines).encode()


def _list_options(puzzle: Puzzle) -> Iterator[str]:
    """Yield the options that the cells and clues of a puzzle need."""
    answers = [answer for answer in puzzle.cells if answer]
    if any(len(answer) > 1 for answer in answers):
        yield _SEVERAL
    symbols = sorted({char for char in "".join(answers) if not char.isalpha()})
    if symbols:
        yield _CHARS + "".join(symbols)
    if _counts_more(puzzle):
        yield _NO_MATCH


def _write_grid(puzzle: Puzzle) -> list[str]:
    """Return the rows, with the columns aligned."""
    empty = "?" if any(puzzle.cells) else "0"
    shown = [_write_answer(answer, empty) + _write_marks(puzzle, cell) for cell, answer in enumerate(puzzle.cells)]
    widths = [max(map(len, shown[column :: puzzle.width])) for column in range(puzzle.width)]
    lines = []
    for row in split_rows(shown, puzzle.width):
        aligned = " ".join(map(str.ljust, row, widths))
        lines.append(f"    {aligned}".rstrip())
    return lines


def _write_answer(answer: str | None, empty: str) -> str:
    if answer is None:
        return "."
    return _TO_ESCAPE.sub(r"&\g<0>", answer) or empty


def _write_marks(puzzle: Puzzle, cell: CellId) -> str:
    """Return the marks of a cell: circle, given and bars."""
    marks = ""
    if cell in puzzle.circles:
        marks += "@"
    if cell in puzzle.givens:
        marks += "!"
    right = puzzle.width > 1 and (cell, cell + 1) in puzzle.bars
    below = (cell, cell + puzzle.width) in puzzle.bars
    if right and below:
        return marks + "+"
    if right:
        return marks + "|"
    if below:
        return marks + "_"
    return marks


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
    if clue in linked or not known >= {clue, *linked}:
        return []
    return linked


def _counts_more(puzzle: Puzzle) -> bool:
    """Return whether a correct enumeration counts letters or cells that the slots of its clue do not have.

    It may count the cells of a slot whose clue refers to it, or the letters of rebus cells.
    """
    references = map(_REFERENCE.fullmatch, puzzle.clues.values())
    referred = {int(found[1]) for found in references if found}
    for clue, text in puzzle.clues.items():
        cells = _list_cells(puzzle, clue)
        if not cells or _count(text) in {0, len(cells)}:
            continue
        if clue[1] in referred or any(len(puzzle.cells[cell] or "") > 1 for cell in cells):
            return True
    return False


def _list_cells(puzzle: Puzzle, clue: ClueId) -> list[CellId]:
    """Return the cells of all slots of a clue, one where two of them meet."""
    cells: list[CellId] = []
    for part in (clue, *_list_linked(puzzle, clue)):
        if part not in puzzle.slot_of:
            continue
        run = puzzle.slot_of[part].cells
        if cells and cells[-1] == run[0]:
            run = run[1:]
        cells += run
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
    before, _ = _cut_annotation(whole)
    if before != whole:
        written += " []"
    return written


def _simplify(puzzle: Puzzle) -> tuple[Puzzle, list[str]]:
    """Return the puzzle without the answers that Exolve refuses: those that share a cell, or all if a cell is empty."""
    readings: list[Mapping[CellId, str]] = []
    cells: set[CellId] = set()
    for letters in puzzle.differences:
        if "" not in puzzle.cells and cells.isdisjoint(letters) and len(readings) < _MOST_ANSWERS:
            readings.append(letters)
            cells.update(letters)
    return replace(puzzle, alternatives=join_alternatives(readings)), []


EXOLVE = Codec(
    SHOWN
    | IN_GRID - {PuzzlePart.LABELS, PuzzlePart.LETTER_SETS, PuzzlePart.VOIDS}
    | {PuzzlePart.CLUES, PuzzlePart.STRAYS},
    _recognises,
    _read,
    _write,
    _simplify,
)
