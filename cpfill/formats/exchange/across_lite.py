"""The two formats of Across Lite: .puz, by puzpy, and text.

In both, clues have no numbers: they stand in the order of the numbers, across before down. A cell of several letters
shows the first where it is not understood.

A .puz file has version 1.3, or 2.0 in UTF-8 if a letter needs it. Programs differ on version 1.3: Across Lite
reads Windows-1252, most others ISO-8859-1, where the quotes and dashes of the former are control characters. Both are
read, and files are written without these characters, so that all programs read them alike. One flag marks the letters
that the puzzle gives and those that were revealed to a solver: they count as given if the file has no other trace of a
solver.

The text has sections headed by tags, and in version 2 a table of rebus cells. Letters stand for themselves, `.` is a
block. In version 2 the section `<REBUS>` gives characters of the grid a longer answer (`1:ONE:O`), and its flag `MARK`
makes small letters circles.
"""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from cpfill.base.alphabet import LATIN, Alphabet
from cpfill.base.errors import InputError, name_first
from cpfill.base.imports import load
from cpfill.base.texts import say
from cpfill.formats.exchange.source import (
    NumberedLines,
    SourceMarks,
    check_rows,
    decode_text,
    fault,
    list_names,
    list_texts,
    note_unread,
    parse_side,
    quote,
    split_cells,
    tell_if,
    tell_left_out,
)
from cpfill.formats.registry import Codec
from cpfill.puzzle.grid import CellId, Direction, Slot, split_rows
from cpfill.puzzle.parts import SHOWN, ClueId, PuzzlePart
from cpfill.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence


_LATIN = Alphabet()
_KEEPS = SHOWN | {PuzzlePart.CLUES, PuzzlePart.REBUS, PuzzlePart.SYMBOLS, PuzzlePart.CIRCLES}
_EMPTY = "-"
_OMITTED = "X"


def _sort_by_number(puzzle: Puzzle) -> list[Slot]:
    """Return the slots in the order of their numbers, across before down on one cell."""
    return sorted(puzzle.slots, key=lambda slot: (slot.number, slot.direction))


def _choose_empty(puzzle: Puzzle) -> str:
    """Return the sign of a cell without an answer: X if no cell has an answer."""
    if any(puzzle.cells):
        return _EMPTY
    return _OMITTED


def _clear_omitted(answers: Sequence[str | None]) -> tuple[str | None, ...]:
    """Return the answers without placeholders: `-`, or X if every cell has it."""
    omitted = {answer for answer in answers if answer} == {_OMITTED}
    cleared = []
    for answer in answers:
        is_placeholder = answer == _EMPTY or (omitted and answer)
        cleared.append("" if is_placeholder else answer)
    return tuple(cleared)


def _choose_letter(answer: str) -> str:
    """Return the letter that is shown for an answer where only single plain letters are understood."""
    return next((char for char in _LATIN.fold(answer) if char in _LATIN.codes), _OMITTED)


_MAGIC = b"ACROSS&DOWN"
_TEXTS = (PuzzlePart.TITLE, PuzzlePart.AUTHOR, PuzzlePart.COPYRIGHT, PuzzlePart.NOTES)
_BLOCKS = ".:"
_WINDOWS_1252 = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
_ISO = ("1.3", "ISO-8859-1")
_UTF_8 = ("2.0", "UTF-8")
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\u2026": "...",
        "\u2039": "<",
        "\u203a": ">",
        "\u2022": "*",
        "\u202f": "\u00a0",  # the narrow blank of French
    }
)
"""Quotes and primes, dashes, the ellipsis and such as they are typed, for ISO-8859-1 lacks them."""
_LAST_ASCII = 0x7F
_LAST_LATIN = 0xFF
_NAMED = 10
"""The most characters that a warning names."""
_HEADER_BYTES = 0x34
_UNKNOWN_MARKS = 0x0F
_MOST_SPECIAL = 0xFF
_TABLE_BYTES = 0xFFFF


def _recognises_puz(data: bytes) -> bool:
    """Return whether the signature of these files stands near the beginning."""
    return _MAGIC in data[:1000]


def _load_puzpy() -> Any:
    return load("puz", "puzpy", ".puz")


def _read_puz(data: bytes) -> Puzzle:
    """Return the puzzle; leave out a locked solution and a solver's traces, and report a wrong checksum."""
    if _MAGIC not in data:
        raise fault("a .puz file", say("another kind of file"))
    module = _load_puzpy()
    try:
        file, unread = _load(data, module)
        puzzle = _make_puzzle(file, module)
    except InputError:
        raise
    except (AssertionError, AttributeError, LookupError, OverflowError, TypeError, ValueError, struct.error):
        raise fault("a whole .puz file", say("a damaged one")) from None
    return puzzle.note((*unread, *puzzle.unread))


def _load(data: bytes, module: Any) -> tuple[Any, tuple[str, ...]]:
    """Return puzpy's own puzzle, and a warning if only the checksums of the file are wrong."""
    file = module.Puzzle()
    try:
        file.load(data)
    except module.PuzzleFormatError as exc:
        if "checksum" not in exc.message or not _is_whole(file, data):  # they are compared when all is read
            raise fault("a whole .puz file", say("a damaged one")) from None
        return file, (say("found a checksum that its content does not have: it may be damaged"),)
    return file, ()


def _is_whole(file: Any, data: bytes) -> bool:
    """Return whether all texts of a file are terminated, and its solution and the solver's fill share their blocks."""
    size = file.width * file.height
    texts = data[len(file.preamble) + _HEADER_BYTES + 2 * size :]
    blocks = [char in _BLOCKS for char in file.solution]
    filled = [char in _BLOCKS for char in file.fill]
    return blocks == filled and len(blocks) == size and texts.count(b"\0") >= len(file.clues) + len(_TEXTS)


def _choose_conversion(file: Any, rebus: Any) -> Callable[[str], str]:
    """Return the function that mends texts of a file; puzpy takes version 1 for ISO-8859-1."""
    texts = [*file.clues, *(getattr(file, part) for part in _TEXTS)]
    if rebus:
        texts += rebus.solutions.values()
    if file.encoding != _ISO[1]:
        return str
    if _is_utf_8(texts):
        return _mend_utf_8
    return _mend_windows


def _mend_utf_8(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", errors="replace")


def _mend_windows(text: str) -> str:
    return text.translate(_WINDOWS_1252)


def _make_puzzle(file: Any, module: Any) -> Puzzle:
    rebus = file.rebus() if file.has_rebus() else None
    convert = _choose_conversion(file, rebus)
    if rebus:
        rebus.solutions = {key: convert(answer) for key, answer in rebus.solutions.items()}
    answers = _read_answers(file, rebus, convert)
    locked = file.is_solution_locked()
    givens, traces = _find_givens(file, module)
    if locked:
        for cell, answer in enumerate(answers):
            if answer:
                answers[cell] = convert(file.fill[cell]) if cell in givens else ""
    circles = _find_marked(file, module.GridMarkup.Circled)
    bare = Puzzle(file.height, file.width, tuple(answers), circles=frozenset(circles))
    slots = _sort_by_number(bare)
    texts = [convert(clue) for clue in file.clues]
    clues = {(slot.direction, slot.number): clue for slot, clue in zip(slots, texts, strict=False)}
    metadata = {part: convert(getattr(file, part)) for part in _TEXTS}
    unread = (
        *_tell_uncounted(texts, len(slots)),
        *tell_if(locked, say("left out the locked solution")),
        *_tell_fewer(len(texts), len(slots)),
        *tell_if(
            convert is _mend_utf_8,
            say("read as UTF-8, although the file says version {version}", version=_ISO[0]),
        ),
        *_list_others(file, module, rebus),
        *tell_if(file.puzzletype == module.PuzzleType.Diagramless, say("showed the blocks of a diagramless puzzle")),
        *traces,
    )
    puzzle = Puzzle(bare.height, bare.width, bare.cells, clues, metadata, circles=bare.circles, givens=givens)
    return note_unread(puzzle, unread)


def _read_answers(
    file: Any,
    rebus: Any,
    convert: Callable[[str], str],
) -> list[str | None]:
    """Return the answers; the table of rebus cells overrides the single letters of the solution."""
    signs = [None if char in _BLOCKS else convert(char) for char in file.solution]
    answers = list(_clear_omitted(signs))
    if rebus:
        special = [rebus.get_rebus_solution(cell) for cell in range(len(answers))]
        for cell, answer in enumerate(special):
            if answer and answers[cell] is not None:
                answers[cell] = answer
    return answers


def _find_marked(file: Any, *kinds: Any) -> set[CellId]:
    """Return the cells that have marks of some kinds."""
    if file.has_markup():
        return set(file.markup().get_markup_squares(list(kinds)))
    return set()


def _tell_uncounted(texts: Sequence[str], slots: int) -> tuple[str, ...]:
    """Return a warning about clues after that of the last slot."""
    names = [quote(text) for text in texts[slots:]]
    return tell_left_out(len(names), "clue", list_names(names))


def _tell_fewer(texts: int, slots: int) -> tuple[str, ...]:
    """Return a warning if the last slots have no clue."""
    told = say("found {texts} of {slots} clues: given in their order", texts=texts, slots=slots)
    return tell_if(0 < texts < slots, told)


def _is_utf_8(texts: Sequence[str]) -> bool:
    """Return whether texts that were taken for Latin-1 have letters beyond ASCII, all of them in UTF-8."""
    whole = "\n".join(texts)
    try:
        whole.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return False
    return not whole.isascii()


def _list_others(file: Any, module: Any, rebus: Any) -> Iterator[str]:
    """Yield warnings about other parts of a file: unknown sections and marks, answers of no cell."""
    known = {kind.value for kind in module.Extensions}
    others = [code.decode("latin-1") for code in file.extensions if bytes(code) not in known]
    marked = [bits for bits in file.markup().markup if bits & _UNKNOWN_MARKS] if file.has_markup() else []
    unused = [key for key in rebus.solutions if key + 1 not in rebus.table] if rebus else []
    around = bytes(file.preamble).strip(b"\0\r\n ") or bytes(file.postscript).strip(b"\0\r\n ")
    yield from tell_left_out(len(others), "section", list_names(others))
    yield from tell_left_out(len(marked), "mark")
    yield from tell_left_out(len(unused), "answer", " of no cell")
    yield from tell_if(bool(around), say("left out what stands before or after the puzzle"))


def _find_givens(file: Any, module: Any) -> tuple[frozenset[CellId], tuple[str, ...]]:
    """Return the cells whose letters are given, and a warning about a solver's traces."""
    kinds = module.GridMarkup
    timed = module.Extensions.Timer in file.extensions
    letters = {cell for cell, char in enumerate(file.fill) if char not in _BLOCKS + _EMPTY}
    given = _find_marked(file, kinds.Revealed)
    corrected = _find_marked(file, kinds.PreviouslyIncorrect, kinds.Incorrect)
    entries = 0
    if module.Extensions.RebusFill in file.extensions:
        entries = sum(map(bool, file.rebus().fill))
    if letters == given and not (corrected or timed or entries):
        return frozenset(given), ()
    return frozenset(), (
        *tell_left_out(len(letters), "letter", " of a solver"),
        *tell_left_out(entries, "cell of several letters", " of a solver"),
        *tell_left_out(len(given | corrected), "mark", " of a solver"),
        *tell_if(timed, say("left out the timer")),
    )


def _simplify(puzzle: Puzzle) -> tuple[Puzzle, list[str]]:
    """Return the puzzle, with plain signs for typographic ones if version 1.3 can then hold it, and warnings."""
    clues = {clue: text.translate(_PLAIN) for clue, text in puzzle.clues.items()}
    metadata = {part: text.translate(_PLAIN) for part, text in puzzle.metadata.items()}
    plain = replace(puzzle, clues=clues, metadata=metadata)
    foreign = _find_foreign(plain)
    if foreign:
        names = _list_signs(foreign)
        return puzzle, [say("wrote version 2.0, in UTF-8, for {foreign}, which version 1.3 lacks", foreign=names)]
    changed = "".join(_find_foreign(puzzle).split())
    if not changed:
        return plain, []
    return plain, [say("wrote version 1.3, with plain signs for {changed}", changed=_list_signs(changed))]


def _find_foreign(puzzle: Puzzle) -> str:
    """Return the characters of a puzzle that version 1.3 lacks, or that would look like UTF-8 there."""
    texts = (*puzzle.metadata.values(), *puzzle.clues.values(), *filter(None, puzzle.cells))
    least = _LAST_ASCII if _is_utf_8(texts) else _LAST_LATIN
    return "".join(char for char in dict.fromkeys("".join(texts)) if ord(char) > least)


def _list_signs(chars: str) -> str:
    return name_first(chars, _NAMED, " ")


def _write_puz(puzzle: Puzzle) -> bytes:
    module = _load_puzpy()
    version, encoding = _UTF_8 if _find_foreign(puzzle) else _ISO
    file = module.Puzzle(version)
    file.width = puzzle.width
    file.height = puzzle.height
    empty = _choose_empty(puzzle)
    chars = [_BLOCKS[0] if answer is None else answer or empty for answer in puzzle.cells]
    for answer, cells in _list_special(puzzle, encoding).items():
        file.rebus().add_rebus_squares(cells, answer)  # which is made when the size is known
        letter = _choose_letter(answer)
        for cell in cells:
            chars[cell] = letter
    file.solution = "".join(chars)
    file.fill = "".join(_hide(chars, puzzle.givens))
    for part in _TEXTS:
        setattr(file, part, puzzle.metadata.get(part, ""))
    file.copyright = puzzle.copyright_line
    file.clues = [puzzle.clue(slot) for slot in _sort_by_number(puzzle)]
    if puzzle.circles:
        file.markup().set_markup_squares(sorted(puzzle.circles), module.GridMarkup.Circled)
    if puzzle.givens:
        file.markup().set_markup_squares(sorted(puzzle.givens), module.GridMarkup.Revealed)
    return bytes(file.tobytes())


def _hide(chars: Sequence[str], givens: Collection[CellId]) -> Iterator[str]:
    """Yield the characters that a solver sees: blocks and givens."""
    for cell, char in enumerate(chars):
        yield char if char == _BLOCKS[0] or cell in givens else _EMPTY


def _list_special(puzzle: Puzzle, encoding: str) -> dict[str, list[CellId]]:
    """Return the cells of each answer that stands in the table of the file."""
    special: dict[str, list[CellId]] = {}
    for cell, answer in enumerate(puzzle.cells):
        if answer and not _is_plain(answer, encoding):
            special.setdefault(answer, []).append(cell)
    for answer in special:
        if ":" in answer or ";" in answer:
            raise fault("cells without ':' and ';', which part the cells of a .puz file", quote(answer))
    table = "".join(f"{number:2}:{answer};" for number, answer in enumerate(special))
    if len(special) > _MOST_SPECIAL or len(table.encode(encoding)) > _TABLE_BYTES:
        raise fault(
            "at most {most} different cells of several letters, and {size:,} bytes for them",
            say("more"),
            most=_MOST_SPECIAL,
            size=_TABLE_BYTES,
        )
    return special


def _is_plain(answer: str, encoding: str) -> bool:
    """Return whether an answer is a single byte without another meaning."""
    return len(answer.encode(encoding)) == 1 and answer not in _BLOCKS + _EMPTY


_FIRST = "ACROSS PUZZLE"
_TAG = re.compile(r"<([A-Z0-9 ]+)>", re.IGNORECASE)
_SIGNS = "1234567890@#$%&+?"
_METADATA = {"TITLE": PuzzlePart.TITLE, "AUTHOR": PuzzlePart.AUTHOR, "COPYRIGHT": PuzzlePart.COPYRIGHT}
_TAGS = {_FIRST, f"{_FIRST} V2", *_METADATA, "SIZE", "GRID", "REBUS", "ACROSS", "DOWN", "NOTEPAD"}


def _recognises_text(data: bytes) -> bool:
    """Return whether the first tag is at the beginning."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:20].upper().startswith(b"<ACROSS PUZZLE")


def _read_text(data: bytes) -> Puzzle:
    sections = _split_sections(_decode(data))
    marks, circled = _read_table(sections.get("REBUS", []))
    lines = sections.get("GRID", [])
    rows = [split_cells(line) for _, line in lines]
    height, width = check_rows(rows, lines[0][0] if lines else None)
    _check_size(sections.get("SIZE", []), height, width)
    chars = list(chain.from_iterable(rows))
    answers = [None if char in _BLOCKS else marks.get(char, char) for char in chars]
    circles = {cell for cell, char in enumerate(chars) if circled and char.islower()}
    bare = Puzzle(height, width, _clear_omitted(answers), circles=frozenset(circles))
    clues, left = _read_clues(sections, bare.slots)
    metadata = {part: " ".join(list_texts(sections.get(tag, []))) for tag, part in _METADATA.items()}
    metadata[PuzzlePart.NOTES] = "\n".join(list_texts(sections.get("NOTEPAD", [])))
    puzzle = Puzzle(height, width, bare.cells, clues, metadata, circles=bare.circles)
    return note_unread(puzzle, tell_left_out(len(left), "clue", list_names(left)))


def _read_clues(sections: dict[str, NumberedLines], slots: Sequence[Slot]) -> tuple[dict[ClueId, str], list[str]]:
    """Return the clues, and the names of those after the last slot of a direction."""
    clues: dict[ClueId, str] = {}
    left: list[str] = []
    for direction in Direction:
        texts = list_texts(sections.get(direction.upper(), []))
        numbers = [slot.number for slot in slots if slot.direction is direction]
        for number, text in zip(numbers, texts, strict=False):
            clues[direction, number] = text
        left += map(quote, texts[len(numbers) :])
    return clues, left


def _check_size(lines: NumberedLines, height: int, width: int) -> None:
    """Check that the grid has the size that the file says; further lines are ignored."""
    if not lines:
        return
    line, size = lines[0]
    sides = [parse_side(side, line) for side in re.split("[xX]", size, maxsplit=2)]
    if sides != [width, height]:
        raise fault(
            "{height} rows of {width} cells under <GRID>, as <SIZE> says",
            quote(size),
            line,
            height=height,
            width=width,
        )


def _decode(data: bytes) -> str:
    """Return the text: UTF-8, or else Windows-1252, which the program itself writes."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        data = data.decode("cp1252", errors="replace").encode()
    return decode_text(data)


def _split_sections(text: str) -> dict[str, NumberedLines]:
    """Return the lines under each tag with their numbers. Blank lines count among clues only."""
    sections: dict[str, NumberedLines] = {}
    name = None
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip()
        tag = _parse_tag(line)
        if tag in sections:
            raise fault("one <{tag}>", say("another"), number, tag=tag)
        if tag:
            name = tag
            sections[tag] = []
        elif name is None and bare:
            raise fault(f"<{_FIRST}>", quote(bare), number)
        elif name and (bare or name in {"ACROSS", "DOWN"}):
            sections[name].append((number, bare))
    for lines in sections.values():
        _drop_last_blanks(lines)
    return sections


def _drop_last_blanks(lines: NumberedLines) -> None:
    while lines and not lines[-1][1]:
        lines.pop()


def _parse_tag(line: str) -> str:
    """Return the name of the tag that a line consists of, empty if it is no tag."""
    match = _TAG.fullmatch(line.rstrip())
    name = match[1].upper() if match else ""
    if name in _TAGS:
        return name
    return ""


def _read_table(lines: NumberedLines) -> tuple[dict[str, str], bool]:
    """Return the meaning of characters of the grid, and whether small letters are circled."""
    marks: dict[str, str] = {}
    circled = False
    for number, line in lines:
        flags = {flag.strip().upper() for flag in line.split(";")}
        if "MARK" in flags:
            circled = True
        elif line[1:2] == ":" and ":" in line[2:]:
            marks[line[0]] = line[2:].rpartition(":")[0].strip()
        else:
            raise fault("'MARK;' or a line such as '1:ONE:O'", quote(line), number)
    return marks, circled


def _write_text(puzzle: Puzzle) -> bytes:
    """Return the file, of version 2 if a cell needs it."""
    marks = SourceMarks(puzzle, _SIGNS, _choose_empty(puzzle), LATIN)
    table = [f"{mark}:{answer}:{_choose_letter(answer)}" for mark, answer in marks.table.items()]
    if puzzle.circles:
        table.insert(0, "MARK;")
    lines = [f"<{_FIRST} V2>" if table else f"<{_FIRST}>"]
    for tag, part in _METADATA.items():
        lines += _write_section(tag, [puzzle.metadata.get(part, "")])
    lines += _write_section("SIZE", [f"{puzzle.width}x{puzzle.height}"])
    chars = [char or "." for char in marks.chars]
    lines += _write_section("GRID", ["".join(row) for row in split_rows(chars, puzzle.width)])
    if table:
        lines += _write_section("REBUS", table)
    for direction in Direction:
        lines += _write_section(direction.upper(), _list_clues(puzzle, direction))
    notes = puzzle.metadata.get(PuzzlePart.NOTES)
    if notes:
        lines += _write_section("NOTEPAD", notes.split("\n"))
    return ("\n".join(lines) + "\n").encode()


def _list_clues(puzzle: Puzzle, direction: Direction) -> list[str]:
    return [puzzle.clue(slot) for slot in _sort_by_number(puzzle) if slot.direction is direction]


def _write_section(tag: str, lines: Sequence[str]) -> list[str]:
    """Return a tag and the lines under it."""
    return [f"<{tag}>", *(f"\t{line}".rstrip() for line in lines)]


PUZ = Codec(_KEEPS | {PuzzlePart.GIVENS}, _recognises_puz, _read_puz, _write_puz, _simplify)
TEXT = Codec(_KEEPS, _recognises_text, _read_text, _write_text)
