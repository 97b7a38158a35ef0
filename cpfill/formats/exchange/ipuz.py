"""The .ipuz format, version 2: JSON; `#` is a block, null a void, 0 an empty cell, unless the file says otherwise.

A cell of the puzzle that has a value of its own shows it from the start: it is given. A list in the solution has the
letter of a cell in each answer of the puzzle. A clue names the label of the
cell where its slot begins, or lists the cells of its slot as [column, row] from 1; labels that are not the usual
numbers are followed. The drafts of clues and the letters that cells may hold stand in fields of our own. The JSON may
stand in a call of a function, by default `ipuz`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Self

from cpfill.base.errors import MAX_ANSWER, MAX_CLUES
from cpfill.base.records import nests_deeply
from cpfill.base.texts import hear, say
from cpfill.formats.exchange.ipuz_clues import as_list, bind_clues, find_cells, parse_clue, read_label, text_of
from cpfill.formats.exchange.ipuz_writer import DRAFTS, KEYS, KIND, LETTER_SETS, WORK, JsonObject, write_ipuz
from cpfill.formats.exchange.source import (
    ClueList,
    check_rows,
    decode_text,
    fault,
    list_names,
    note_unread,
    parse_side,
    quote,
    read_shades,
    strip_markup,
    tell_if,
    tell_left_out,
)
from cpfill.formats.registry import Codec
from cpfill.puzzle.grid import CellId, Direction
from cpfill.puzzle.parts import SHADE, ClueId, PuzzlePart, clean_answer, find_bars
from cpfill.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


_PLAIN_KIND = re.compile(rf"{re.escape(KIND)}(?:#\d+)?")
_CELL_FIELDS = {"cell", "style", "value"}
_CALL = re.compile(r"\s*[A-Za-z_$][\w$.]{0,60}\s*\((?=\s*\{)")
_SIDES = frozenset("TRBL")

_Reader = Callable[["_Found", Any], None]
"""A function that reads a field, which is `None` where the file lacks it."""


def _recognises(data: bytes) -> bool:
    """Return whether the data is a JSON object, or one in a call."""
    bare = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    return bare.startswith((b"{", b"ipuz(")) or _CALL.match(bare[:200].decode("latin-1")) is not None


def _parse(text: str) -> JsonObject:
    """Return the JSON object, which may stand in a call."""
    call = _CALL.match(text)
    bare = text
    if call:
        bare = text[call.end() :].rstrip().removesuffix(";").rstrip().removesuffix(")")
    too_long = fault("the JSON of a puzzle", say("lists too deep or numbers too long"))
    if nests_deeply(bare):
        raise too_long
    try:
        source = json.loads(bare)
    except json.JSONDecodeError as exc:
        raise fault("JSON", say("none: {msg}", msg=hear(exc.msg.lower())), exc.lineno) from None
    except ValueError:  # a number of thousands of digits
        raise too_long from None
    if not isinstance(source, dict):
        raise fault("a JSON object", f"a {type(source).__name__}")
    return source


def _read(data: bytes) -> Puzzle:
    source = _parse(decode_text(data))
    found = _Found(source)
    for key, read in _READERS.items():
        read(found, source.get(key))
    found.leave("field", [key for key in sorted(source.keys() - _READERS.keys()) if source[key]])
    return note_unread(replace(found.bare, clues=found.clues.clues, drafts=found.drafts), found.list_unread())


@dataclass
class _Found:
    """The parts of a puzzle found in a file, field by field, and the names of parts that are left out.

    Attributes:
        source: the file.
        rows: the cells of the puzzle, which have a label or a sign, perhaps in an object.
        answers: as a `Puzzle` has them.
        hidden: the open cells that are blocks in the solution.
        left: the names of parts that are left out, by their kind.
        told: lines about other things.
    """

    source: JsonObject
    rows: list[list[Any]] = field(default_factory=list)
    answers: list[str | None] = field(default_factory=list)
    hidden: list[CellId] = field(default_factory=list)
    parts: JsonObject = field(default_factory=dict)
    metadata: dict[PuzzlePart, str] = field(default_factory=dict)
    clues: ClueList = field(default_factory=ClueList)
    drafts: dict[ClueId, tuple[str, ...]] = field(default_factory=dict)
    left: dict[str, list[str]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.rows[0])

    @cached_property
    def cells(self) -> list[Any]:
        """The cells of all rows."""
        return list(chain.from_iterable(self.rows))

    @cached_property
    def block(self) -> str:
        """The sign of a block."""
        return str(self.source.get("block", "#"))

    @cached_property
    def signs(self) -> set[str]:
        """The texts that are no answers of cells."""
        return {self.block, str(self.source.get("empty", "0")), "0"}

    @cached_property
    def shown(self) -> list[object]:
        """The content of each cell as it is shown: a label, a sign, `None` outside the figure."""
        return [_read_shown(cell) for cell in self.cells]

    @cached_property
    def values(self) -> list[Any]:
        """The value that each cell of the puzzle has of its own."""
        return [cell.get("value") if isinstance(cell, dict) else None for cell in self.cells]

    def find_answer(self, cell: object) -> str:
        """Return the answer in a cell of the solution, empty if it has none; in an object a sign is an answer."""
        answer = _read_value(cell, "value")
        if isinstance(answer, list):
            return answer[0]
        if answer is None:
            return ""
        text = str(answer)
        is_sign = not isinstance(cell, dict) and text in self.signs
        if is_sign:
            return ""
        return text

    @cached_property
    def labels(self) -> dict[CellId, str]:
        """The label of each open cell that has one; none if some stand on hidden blocks, and so say nothing."""
        blank = self.signs | {""}
        hidden = set(self.hidden)
        labels = {}
        for cell, shown in enumerate(self.shown):
            is_open = self.answers[cell] is not None or cell in hidden
            if is_open and shown is not None and str(shown) not in blank:
                labels[cell] = str(shown)
        if labels.keys().isdisjoint(hidden):
            return labels
        self.leave("cell label", labels.values())
        return {}

    @cached_property
    def bare(self) -> Puzzle:
        """The puzzle without its clues."""
        return Puzzle(
            len(self.rows), self.width, tuple(self.answers), metadata=self.metadata, labels=self.labels, **self.parts
        )

    def leave(self, kind: str, names: Iterable[str]) -> None:
        """Note that things of a kind are left out, by their names."""
        self.left.setdefault(kind, []).extend(names)

    def list_unread(self) -> tuple[str, ...]:
        """Return a line for each kind of thing that is left out."""
        lines = [*self.clues.unread]
        for kind, names in self.left.items():
            lines += tell_left_out(len(names), kind, list_names(sorted(set(names))))
        return (*lines, *self.told)


def _read_kinds(found: _Found, kinds: object) -> None:
    names = list(map(str, kinds if isinstance(kinds, list) else [kinds]))
    if not any(name.startswith(KIND) for name in names):
        raise fault('a crossword: "kind": ["http://ipuz.org/crossword#1"]', quote(str(kinds)))
    found.leave("kind of puzzle", [name for name in names if not _PLAIN_KIND.fullmatch(name)])


def _read_cells(found: _Found, _: object) -> None:
    found.rows = _read_rows(found.source, "puzzle")
    check_rows(found.rows)
    for cell in found.cells:
        if isinstance(cell, dict):
            found.leave("cell field", [key for key, value in cell.items() if value and key not in _CELL_FIELDS])


def _check_sides(found: _Found, said: object) -> None:
    if not isinstance(said, dict):
        return found.leave("field", ["dimensions"] if said else [])
    height = parse_side(str(said.get("height")))
    width = parse_side(str(said.get("width")))
    if (height, width) != (len(found.rows), found.width):
        got = f"{len(found.rows)} x {found.width}"
        raise fault('{sides} x {sides2} cells, as "dimensions" says', got, sides=height, sides2=width)
    return found.leave("field", [key for key in said if key not in {"height", "width"}])


def _read_solution(found: _Found, solution: object) -> None:
    """Read the answers and the givens; without a solution the values of cells are the answers."""
    solved = _read_solved(found) if solution else found.values
    givens: set[CellId] = set()
    under = 0
    contrary = 0
    for cell, shown in enumerate(found.shown):
        given = found.find_answer(found.values[cell])
        answer = found.find_answer(solved[cell])
        is_block = shown is None or str(shown) == found.block
        is_hidden = bool(solution) and isinstance(solved[cell], str) and solved[cell] == found.block
        if is_hidden and not is_block:
            found.hidden.append(cell)
        if is_hidden or is_block:
            found.answers.append(None)
            if {given, answer} - {"", "#"}:
                under += 1
            continue
        found.answers.append(answer)
        if not given:
            continue
        if clean_answer(given) == clean_answer(answer):
            givens.add(cell)
        else:
            contrary += 1
    found.parts["givens"] = frozenset(givens)
    found.parts["voids"] = frozenset(cell for cell, shown in enumerate(found.shown) if shown is None)
    found.told += tell_if(bool(found.hidden), say("showed the blocks of a diagramless puzzle"))
    found.told += tell_left_out(sum(map(_is_alternative, solved)), "answer", " with alternatives")
    found.parts["alternatives"] = _list_alternatives(solved)
    found.told += tell_left_out(under, "answer", " under blocks")
    found.told += tell_left_out(contrary, "given", " of another answer")


def _read_solved(found: _Found) -> list[Any]:
    """Return the cells of the solution; empty ones if it only repeats the labels, as some programs write a blank."""
    rows = _read_rows(found.source, "solution")
    height = len(found.rows)
    if (len(rows), len(rows[0])) != (height, found.width):
        got = f"{len(rows)} x {len(rows[0])}"
        raise fault("a solution of {height} x {width} cells", got, height=height, width=found.width)
    solved = list(chain.from_iterable(rows))
    for cell in solved:
        if isinstance(cell, dict) and "value" in cell:
            found.leave("cell field", [key for key, value in cell.items() if value and key != "value"])
    if _repeats_labels(found, solved):
        found.told.append(say("read no answers: the solution repeats the labels"))
        return [None] * len(solved)
    return solved


def _repeats_labels(found: _Found, solved: Sequence[object]) -> bool:
    """Return whether each cell of the solution is what the puzzle shows there, and some of them are labels."""
    is_labelled = False
    for shown, cell in zip(found.shown, solved, strict=True):
        if shown is None:
            continue
        label = str(shown)
        if label != str(cell):
            return False
        if label not in found.signs:
            is_labelled = True
    return is_labelled


def _read_styles(found: _Found, styles: object) -> None:
    """Read the looks of all cells; styles may have names, and then cells share them."""
    looks: dict[str, _Look] = {}
    if isinstance(styles, dict):
        looks = {name: _Look.of(style) for name, style in styles.items()}
    elif styles:
        found.leave("field", ["styles"])
    colours: dict[CellId, str] = {}
    circles: set[CellId] = set()
    sides: list[tuple[CellId, str]] = []
    others: list[frozenset[str]] = []
    for cell, answer in enumerate(found.answers):
        look = _find_look(found.cells[cell], looks)
        others.append(look.list_others(answer))
        sides += [(cell, side) for side in look.barred]
        if look.circled:
            circles.add(cell)
        if look.colour and answer is not None:
            colours[cell] = look.colour
    shades, shaded = read_shades(colours)
    found.parts["bars"] = find_bars(sides, found.width, len(found.answers))
    found.parts["circles"] = frozenset(circles)
    found.parts["shades"] = shades
    names = sorted(frozenset().union(*set(others)))
    found.told += tell_left_out(sum(map(bool, others)), "cell style", list_names(names))
    found.told += shaded


def _read_metadata(part: PuzzlePart, key: str) -> _Reader:
    """Return the reader of a text about the puzzle."""

    def read(found: _Found, text: object) -> None:
        if isinstance(text, str):
            found.metadata[part] = strip_markup(text)
        elif text:
            found.leave("field", [key])

    return read


def _read_intro(found: _Found, intro: object) -> None:
    """Put the text above the puzzle before the notes."""
    if not isinstance(intro, str):
        return found.leave("field", ["intro"] if intro else [])
    notes = found.metadata.get(PuzzlePart.NOTES, "")
    first = strip_markup(intro)
    if first not in notes:
        found.metadata[PuzzlePart.NOTES] = f"{first}\n{notes}"
    return None


def _read_work(found: _Found, work: object) -> None:
    if isinstance(work, dict):
        found.parts["work"] = work
    elif work:
        found.leave("field", [WORK])


def _read_clues(found: _Found, lists: object) -> None:
    """Read the clues of all directions."""
    if not isinstance(lists, dict):
        found.leave("field", ["clues"] if lists else [])
        return
    read = bind_clues(found.bare, found.labels, lists)
    found.clues = read.clues
    found.leave("heading", read.headings)
    found.leave("field of a clue", read.others)
    found.told += tell_left_out(read.lost, "link", " of clues")


def _read_drafts(found: _Found, lists: object) -> None:
    """Read the drafts of clues, under the numbers of their slots."""
    pairs: list[tuple[Direction, object]] = []
    if isinstance(lists, dict):
        for direction in Direction:
            pairs += [(direction, entry) for entry in as_list(lists.get(direction))]
    if len(pairs) > MAX_CLUES:
        raise fault("at most {most} drafts of clues", str(len(pairs)), most=MAX_CLUES)
    names = {(way, str(number)): (way, number) for way, number in found.bare.slot_of}
    drafts: dict[ClueId, list[str]] = {}
    strays = 0
    for direction, entry in pairs:
        draft = parse_clue(entry)
        clue = names.get((direction, draft.number))
        if clue:
            drafts.setdefault(clue, []).append(strip_markup(draft.text))
        else:
            strays += 1
    found.told += tell_left_out(strays, "draft", " of no clue")
    found.drafts = {clue: tuple(texts) for clue, texts in drafts.items()}


def _read_letter_sets(found: _Found, entries: object) -> None:
    """Read the letters that empty cells may hold."""
    listed = as_list(entries)
    count = len(found.answers)
    if len(listed) > count:
        raise fault("at most {count} letter sets, one a cell", str(len(listed)), count=count)
    limits = dict(filter(None, (_read_letter_set(entry, found.width) for entry in listed)))
    kept = {cell: letters for cell, letters in limits.items() if 0 <= cell < count and found.answers[cell] == ""}
    found.parts["letter_sets"] = kept
    found.told += tell_left_out(len(listed) - len(kept), "letter set", " of no empty cell")


def _read_letter_set(entry: object, width: int) -> tuple[CellId, str] | None:
    if not isinstance(entry, list) or len(entry) != 3:
        return None
    cells = find_cells([entry[:2]], width)
    if not cells:
        return None
    letters = text_of(entry[2])
    if len(letters) > MAX_ANSWER:
        at = say("row {entry}, column {entry2}", entry=entry[1], entry2=entry[0])
        raise fault(
            "letter sets of at most {most} letters",
            say("{letters} in {at}", letters=len(letters), at=at),
            most=MAX_ANSWER,
        )
    if letters.isalpha():
        return (cells[0], letters.upper())
    return None


_READERS: dict[str, _Reader] = {
    "version": lambda _, __: None,
    "kind": _read_kinds,
    "puzzle": _read_cells,
    "dimensions": _check_sides,
    "block": lambda _, __: None,
    "empty": lambda _, __: None,
    "solution": _read_solution,
    "styles": _read_styles,
    **{key: _read_metadata(part, key) for part, key in KEYS.items()},
    "intro": _read_intro,
    LETTER_SETS: _read_letter_sets,
    WORK: _read_work,
    "clues": _read_clues,
    DRAFTS: _read_drafts,
}
"""The function that reads each field. The order matters: later functions need fields that were read earlier."""


def _read_rows(source: JsonObject, key: str) -> list[list[Any]]:
    rows = source.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise fault('"{key}": a list of rows', say("none"), key=key)
    check_rows(rows)
    return rows


def _read_value(cell: object, key: str) -> str | int | list[str] | None:
    """Return the value of a cell, which may stand in an object with its style; `None` if it cannot be an answer.

    A list of texts has the answer and its alternatives.
    """
    value = cell.get(key) if isinstance(cell, dict) else cell
    if isinstance(value, list) and value and all(isinstance(text, str) for text in value):
        return value
    if isinstance(value, (str, int)):
        return value
    return None


def _list_alternatives(solved: Sequence[object]) -> dict[CellId, tuple[str, ...]]:
    """Return the answers after the first of each cell of the solution that has a list of them."""
    alternatives = {}
    for cell, one in enumerate(solved):
        value = _read_value(one, "value")
        if isinstance(value, list):
            alternatives[cell] = tuple(value[1:])
    return alternatives


def _is_alternative(cell: object) -> bool:
    """Return whether a cell has answers that are not read, perhaps one for each direction."""
    answer = cell
    if isinstance(_read_value(cell, "value"), list):
        return False
    if isinstance(cell, dict):
        answer = cell.get("value", cell.keys() - {"cell", "style"})
    return bool(answer) and not isinstance(answer, (str, int))


@dataclass(frozen=True, slots=True)
class _Look:
    """A style: whether there is a circle, the sides with a bar, a colour, and the names of other properties."""

    circled: bool = False
    barred: frozenset[str] = frozenset()
    colour: str = ""
    others: frozenset[str] = frozenset()

    @classmethod
    def of(cls, style: object) -> Self:
        """Return the look that a style of the file describes; named styles, which cells share, are read once."""
        said: JsonObject = style if isinstance(style, dict) else {}
        sides = frozenset(text_of(said.get("barred")).upper())
        colour = read_label(said.get("color"))
        read = {
            "shapebg": said.get("shapebg") == "circle",
            "barred": bool(sides) and sides <= _SIDES,
            "color": bool(colour),
            "highlight": not colour,
        }
        others = frozenset(key for key, value in said.items() if value and not read.get(key))
        shade = SHADE if said.get("highlight") else ""
        return cls(read["shapebg"], sides & _SIDES, colour or shade, others)

    def list_others(self, answer: str | None) -> frozenset[str]:
        """Return the names of properties that a cell with this answer cannot keep, such as the colour of a block."""
        if answer is not None:
            return self.others
        others = set(self.others)
        if self.colour:
            others.add("color")
        if self.circled:
            others.add("shapebg")
        return frozenset(others)


def _read_shown(cell: object) -> object:
    """Return the label or sign in a cell of the puzzle; 0 for an object without a label, or with an odd one."""
    if isinstance(cell, dict):
        cell = cell.get("cell", 0)
    if cell is None or isinstance(cell, (str, int)):
        return cell
    return 0


def _find_look(cell: object, named: Mapping[str, _Look]) -> _Look:
    """Return the look of a cell, whose style may be the name of one."""
    style = cell.get("style") if isinstance(cell, dict) else None
    if isinstance(style, str):
        return named.get(style) or _Look.of({style: True})
    if style and not isinstance(style, dict):
        style = {"style": style}
    return _Look.of(style)


def _simplify(puzzle: Puzzle) -> tuple[Puzzle, list[str]]:
    """Return the puzzle without those clues of no slot whose number is the label of a cell, which clues go by."""
    labels = set(puzzle.labels.values())
    clues = {clue: text for clue, text in puzzle.clues.items() if clue in puzzle.slot_of or str(clue[1]) not in labels}
    return replace(puzzle, clues=clues), []


IPUZ = Codec(frozenset(PuzzlePart), _recognises, _read, write_ipuz, _simplify)
