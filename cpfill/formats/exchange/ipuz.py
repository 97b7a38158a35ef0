"""The .ipuz format, version 2: JSON; `#` is a block, null a void, 0 an empty cell, unless the file says otherwise.

A cell of the puzzle that has a value of its own shows it from the start: it is given. A clue names the label of the
cell where its slot begins, or lists the cells of its slot as [column, row] from 1; labels that are not the usual
numbers are followed. The drafts of clues and the letters that cells may hold stand in fields of our own. The JSON may
stand in a call of a function, by default `ipuz`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from cpfill.base.errors import MAX_ANSWER, MAX_CLUES
from cpfill.base.records import nests_deeply
from cpfill.base.texts import hear, say
from cpfill.formats.exchange.source import (
    ClueList,
    check_rows,
    decode_text,
    escape_markup,
    fault,
    list_names,
    note_unread,
    parse_side,
    quote,
    read_shades,
    shorten,
    strip_markup,
    tell_left_out,
)
from cpfill.formats.registry import Codec
from cpfill.puzzle.grid import CellId, Direction, split_rows
from cpfill.puzzle.puzzle import SHADE, ClueId, Puzzle, PuzzlePart, clean_answer, find_bars

if TYPE_CHECKING:
    from collections.abc import Mapping


_KEYS = {
    PuzzlePart.TITLE: "title",
    PuzzlePart.AUTHOR: "author",
    PuzzlePart.EDITOR: "editor",
    PuzzlePart.PUBLISHER: "publisher",
    PuzzlePart.DATE: "date",
    PuzzlePart.COPYRIGHT: "copyright",
    PuzzlePart.NOTES: "notes",
}
_VERSION = "http://ipuz.org/v2"
_KIND = "http://ipuz.org/crossword"
_CALL = re.compile(r"\s*[A-Za-z_$][\w$.]{0,60}\s*\((?=\s*\{)")
_DRAFTS = "cpfill:drafts"
"""Which has for each direction the number and the text of each draft, as the clues are written."""
_LETTER_SETS = "cpfill:letter-sets"
"""Which has the column and the row of each cell, from 1, and the letters that it may hold."""
_WORK = "cpfill:work"
"""Which has what an editor keeps: a JSON object, read and written as it is."""
_READ = {
    "version",
    "kind",
    "dimensions",
    "puzzle",
    "solution",
    "clues",
    "block",
    "empty",
    "styles",
    _DRAFTS,
    _LETTER_SETS,
    _WORK,
    *_KEYS.values(),
}
_TECHNICAL = {"charset", "checksum", "clueplacement", "origin", "showenumerations", "uniqueid", "volatile"}
"""What says nothing to a solver."""
_SIDES = frozenset("TRBL")

JsonObject = dict[str, Any]


def _recognises(data: bytes) -> bool:
    """Return whether the data is a JSON object, or one in a call."""
    bare = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    return bare.startswith((b"{", b"ipuz(")) or _CALL.match(bare[:200].decode("latin-1")) is not None


def _read(data: bytes) -> Puzzle:
    source = _parse(decode_text(data))
    kinds = source.get("kind")
    if not any(str(kind).startswith(_KIND) for kind in (kinds if isinstance(kinds, list) else [kinds])):
        raise fault('a crossword: "kind": ["http://ipuz.org/crossword#1"]', quote(str(kinds)))
    rows = _read_rows(source, "puzzle")
    height, width = check_rows(rows)
    said = source.get("dimensions")
    if isinstance(said, dict):
        sides = (parse_side(str(said.get("height"))), parse_side(str(said.get("width"))))
        if sides != (height, width):
            raise fault(
                '{sides} x {sides2} cells, as "dimensions" says', f"{height} x {width}", sides=sides[0], sides2=sides[1]
            )
    solution = _read_rows(source, "solution") if source.get("solution") else None
    if solution and (sides := (len(solution), len(solution[0]))) != (height, width):
        raise fault("a solution of {height} x {width} cells", f"{sides[0]} x {sides[1]}", height=height, width=width)
    block, empty = str(source.get("block", "#")), str(source.get("empty", "0"))
    none = {block, empty, "0"}
    styles = source.get("styles")
    looks = {name: _Look.of(style) for name, style in styles.items()} if isinstance(styles, dict) else {}
    cells = [_Cell(cell, looks) for row in rows for cell in row]
    answers: list[str | None] = []
    givens: set[CellId] = set()
    alternatives = hidden = contrary = 0
    for id_, cell in enumerate(cells):
        solved = solution[id_ // width][id_ % width] if solution else cell.value
        answer = _read_value(solved, "value")
        answered = answer is not None and (isinstance(solved, dict) or str(answer) not in none)
        if cell.shown is None or str(cell.shown) == block:
            answers.append(None)
            hidden += answered and str(answer) not in none | {"", "#"}
        else:
            answers.append(str(answer) if answered else "")
            alternatives += _is_alternative(solved)
            if cell.value is not None and clean_answer(str(cell.value)) == clean_answer(answers[-1] or ""):
                givens.add(id_)
            else:
                contrary += cell.value is not None and str(cell.value) not in none | {""}
    shades, shaded = read_shades(
        {id_: cell.look.colour for id_, cell in enumerate(cells) if cell.look.colour and answers[id_] is not None}
    )
    limits = _read_letter_sets(source.get(_LETTER_SETS), width, len(cells))
    puzzle = Puzzle(
        height,
        width,
        tuple(answers),
        metadata={part: strip_markup(_read_text(source.get(key, ""))) for part, key in _KEYS.items()},
        bars=find_bars(((id_, side) for id_, cell in enumerate(cells) for side in cell.look.barred), width, len(cells)),
        circles=frozenset(id_ for id_, cell in enumerate(cells) if cell.look.circled),
        voids=frozenset(id_ for id_, cell in enumerate(cells) if cell.shown is None),
        letter_sets=dict(limit for limit in limits if limit),
        givens=frozenset(givens),
        shades=shades,
        work=_read_object(source.get(_WORK)),
    )
    labels = {str(cell.shown): id_ for id_, cell in enumerate(cells) if str(cell.shown) not in {block, empty}}
    clues = _read_clues(puzzle, source.get("clues"), labels)
    drafts, strays = _read_drafts(puzzle, source.get(_DRAFTS))
    unplaced = sorted(key for key in source.keys() - _READ - _TECHNICAL if source[key])
    no_texts = [key for key in _KEYS.values() if source.get(key) and not isinstance(source[key], str)]
    others = [found for cell, answer in zip(cells, answers, strict=True) if (found := cell.look.list_others(answer))]
    unread = (
        *clues.unread,
        *tell_left_out(len(unplaced + no_texts), "field", list_names(no_texts + unplaced)),
        *tell_left_out(len(others), "cell style", list_names(sorted(frozenset().union(*set(others))))),
        *tell_left_out(alternatives, "answer", " with alternatives"),
        *tell_left_out(hidden, "answer", " under blocks"),
        *tell_left_out(contrary, "given", " of another answer"),
        *tell_left_out(strays, "draft", " of no clue"),
        *tell_left_out(len(limits) - len(puzzle.letter_sets), "letter set", " of no empty cell"),
        *shaded,
    )
    return note_unread(replace(puzzle, clues=clues.clues, drafts=drafts), unread)


def _parse(text: str) -> JsonObject:
    """Return the JSON object, which may stand in a call."""
    call = _CALL.match(text)
    bare = text[call.end() :].rstrip().removesuffix(";").rstrip().removesuffix(")") if call else text
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


def _read_rows(source: JsonObject, key: str) -> list[list[Any]]:
    rows = source.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise fault('"{key}": a list of rows', say("none"), key=key)
    check_rows(rows)
    return rows


def _read_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _read_value(cell: object, key: str) -> object:
    """Return the value of a cell, which may stand in an object with its style; `None` if it is no answer."""
    value = cell.get(key) if isinstance(cell, dict) else cell
    return value if isinstance(value, (str, int)) else None


def _is_alternative(cell: object) -> bool:
    """Return whether a cell has several answers, perhaps one for each direction."""
    answer = cell.get("value", cell.keys() - {"cell", "style"}) if isinstance(cell, dict) else cell
    return bool(answer) and not isinstance(answer, (str, int))


@dataclass(frozen=True, slots=True)
class _Look:
    """A style: whether there is a circle, the sides with a bar, a colour, and the names of what else it has."""

    circled: bool = False
    barred: frozenset[str] = frozenset()
    colour: str = ""
    others: frozenset[str] = frozenset()

    @classmethod
    def of(cls, style: object) -> Self:
        """Return the look that a style of the file describes; named styles, which cells share, are read once."""
        said: JsonObject = style if isinstance(style, dict) else {}
        circled = said.get("shapebg") == "circle"
        colour = said.get("color")
        known = {"barred", "highlight", *["shapebg"] * circled, *["color"] * isinstance(colour, (str, int))}
        others = frozenset(key for key, value in said.items() if value and key not in known)
        return cls(
            circled,
            frozenset(_read_text(said.get("barred")).upper()) & _SIDES,
            str(colour) if colour and "color" in known else SHADE if said.get("highlight") else "",
            others,
        )

    def list_others(self, answer: str | None) -> frozenset[str]:
        """Return the names of properties that a cell with this answer cannot keep, such as the colour of a block."""
        return self.others | {"color"} if self.colour and answer is None else self.others


class _Cell:
    """A cell of the puzzle: what is `shown` in it (a label, a block, empty, none), its value and its look."""

    def __init__(self, cell: object, styles: Mapping[str, _Look]) -> None:
        self.shown = _read_value(cell, "cell")
        self.value: object = None
        self.look = _Look()
        if isinstance(cell, dict):
            self.shown = cell.get("cell", 0) if "cell" not in cell else self.shown
            self.value = _read_value(cell, "value")
            style = cell.get("style")
            named = styles.get(style) if isinstance(style, str) else _Look.of(style)
            self.look = named or _Look.of({style: True})


def _read_clues(puzzle: Puzzle, lists: object, labels: Mapping[str, CellId]) -> ClueList:
    """Return the clues of the file; `labels` gives the cell of each label."""
    begins = {(slot.direction, slot.cells[0]): slot.number for slot in puzzle.slots}
    numbers = {(slot.direction, slot.cells): slot.number for slot in puzzle.slots}
    clues = ClueList()
    for heading, entries in lists.items() if isinstance(lists, dict) else ():
        title = str(heading).partition(":")[0].strip()
        direction = next((way for way in Direction if way == title.capitalize()), None)
        for entry in entries if isinstance(entries, list) else ():
            label, text, cells = _read_clue(entry, puzzle.width)
            number: int | str = label
            if direction and label in labels:
                number = begins.get((direction, labels[label]), label)
            elif direction and cells:
                number = numbers.get((direction, cells), label)
            clues.add(direction, number, strip_markup(text), f"{label or quote(text)} {shorten(title)}")
    return clues


def _read_object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _read_drafts(puzzle: Puzzle, lists: object) -> tuple[dict[ClueId, tuple[str, ...]], int]:
    """Return the drafts of clues, and the number of drafts without a slot."""
    found = [(way, lists.get(way)) for way in Direction] if isinstance(lists, dict) else []
    pairs = [(way, entry) for way, entries in found if isinstance(entries, list) for entry in entries]
    if len(pairs) > MAX_CLUES:
        raise fault("at most {most} drafts of clues", str(len(pairs)), most=MAX_CLUES)
    names = {(way, str(number)): (way, number) for way, number in puzzle.slot_of}
    drafts: dict[ClueId, list[str]] = {}
    strays = 0
    for direction, entry in pairs:
        label, text, _ = _read_clue(entry, puzzle.width)
        if clue := names.get((direction, label)):
            drafts.setdefault(clue, []).append(strip_markup(text))
        else:
            strays += 1
    return {clue: tuple(texts) for clue, texts in drafts.items()}, strays


def _read_letter_sets(entries: object, width: int, count: int) -> list[tuple[CellId, str] | None]:
    """Return the cell and letters of each entry, `None` for a malformed one; the grid has `count` cells."""
    listed = entries if isinstance(entries, list) else []
    if len(listed) > count:
        raise fault("at most {count} letter sets, one a cell", str(len(listed)), count=count)
    return [_read_letter_set(entry, width) for entry in listed]


def _read_letter_set(entry: object, width: int) -> tuple[CellId, str] | None:
    if not isinstance(entry, list) or len(entry) != 3 or not (cells := _find_cells([entry[:2]], width)):
        return None
    letters = _read_text(entry[2])
    if len(letters) > MAX_ANSWER:
        at = say("row {entry}, column {entry2}", entry=entry[1], entry2=entry[0])
        raise fault(
            "letter sets of at most {most} letters",
            say("{letters} in {at}", letters=len(letters), at=at),
            most=MAX_ANSWER,
        )
    return (cells[0], letters.upper()) if letters.isalpha() else None


def _read_clue(entry: object, width: int) -> tuple[str, str, tuple[CellId, ...]]:
    """Return the label, the text and the cells of a clue, each empty if the clue lacks it."""
    if isinstance(entry, list) and len(entry) >= 2:
        return str(entry[0]), _read_text(entry[1]), ()
    if isinstance(entry, dict):
        label = entry.get("number") or entry.get("label") or ""
        text, enumeration = _read_text(entry.get("clue")), _read_text(entry.get("enumeration"))
        text = f"{text} ({enumeration})" if enumeration and enumeration not in text else text
        return str(label), text, _find_cells(entry.get("cells"), width)
    return "", _read_text(entry), ()


def _find_cells(cells: object, width: int) -> tuple[CellId, ...]:
    """Return cells listed as [column, row], from 1; none if they are listed otherwise."""
    pairs = cells if isinstance(cells, list) else []
    if not all(isinstance(pair, list) and [type(side) for side in pair] == [int, int] for pair in pairs):
        return ()
    return tuple((row - 1) * width + column - 1 for column, row in pairs if 1 <= column <= width)


def _write(puzzle: Puzzle) -> bytes:
    record: JsonObject = {"version": _VERSION, "kind": [f"{_KIND}#1"]}
    shown = {**puzzle.metadata, PuzzlePart.COPYRIGHT: puzzle.copyright_line}
    record |= {key: escape_markup(shown[part]) for part, key in _KEYS.items() if shown.get(part)}
    record["dimensions"] = {"width": puzzle.width, "height": puzzle.height}
    cells = [_write_cell(puzzle, cell) for cell in range(len(puzzle.cells))]
    record["puzzle"] = split_rows(cells, puzzle.width)
    if any(puzzle.cells):
        solution = [
            ((None if cell in puzzle.voids else "#") if answer is None else _write_answer(answer))
            for cell, answer in enumerate(puzzle.cells)
        ]
        record["solution"] = split_rows(solution, puzzle.width)
    if puzzle.letter_sets:
        record[_LETTER_SETS] = [
            [cell % puzzle.width + 1, cell // puzzle.width + 1, letters]
            for cell, letters in sorted(puzzle.letter_sets.items())
        ]
    record["clues"] = {
        direction: [[number, escape_markup(text)] for number, text in puzzle.list_clues(direction)]
        for direction in Direction
    }
    if puzzle.drafts:
        record[_DRAFTS] = {
            direction: [
                [number, escape_markup(text)]
                for (way, number), texts in sorted(puzzle.drafts.items())
                for text in texts
                if way is direction
            ]
            for direction in Direction
        }
    if puzzle.work:
        record[_WORK] = puzzle.work
    return (_write_json(record) + "\n").encode()


def _write_answer(answer: str) -> object:
    """Return the value of a cell in the solution; an ambiguous answer stands in an object."""
    return {"value": answer} if answer in {"#", "0"} else answer or 0


def _write_cell(puzzle: Puzzle, cell: int) -> object:
    if puzzle.cells[cell] is None:
        return None if cell in puzzle.voids else "#"
    label = puzzle.numbers.get(cell, 0)
    style = {"shapebg": "circle"} if cell in puzzle.circles else {}
    if colour := puzzle.shades.get(cell):
        style["color"] = colour.removeprefix("#")
    below, right = (cell, cell + puzzle.width) in puzzle.bars, (cell, cell + 1) in puzzle.bars and puzzle.width > 1
    if sides := "R" * right + "B" * below:
        style["barred"] = sides
    looks: JsonObject = {"style": style} if style else {}
    if cell in puzzle.givens:
        looks["value"] = puzzle.cells[cell]
    return {"cell": label, **looks} if looks else label


def _write_json(record: JsonObject) -> str:
    """Return JSON with a line for each key, and for each row or clue in the lists."""
    lines = []
    for key, value in record.items():
        if isinstance(value, list) and value and isinstance(value[0], list):
            body = "[\n" + ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in value) + "\n ]"
        elif key in {"clues", _DRAFTS}:
            body = (
                "{\n"
                + ",\n".join(
                    f"  {json.dumps(way)}: [\n"
                    + ",\n".join(f"   {json.dumps(clue, ensure_ascii=False)}" for clue in clues)
                    + "\n  ]"
                    for way, clues in value.items()
                )
                + "\n }"
            )
        else:
            body = json.dumps(value, ensure_ascii=False)
        lines.append(f" {json.dumps(key)}: {body}")
    return "{\n" + ",\n".join(lines) + "\n}"


IPUZ = Codec(frozenset(PuzzlePart), _recognises, _read, _write)
