"""The .ipuz format, version 2: JSON; `#` is a block, null a void, 0 an empty cell, unless the file says otherwise.

A clue names the label of the cell where its slot begins; labels that are not the usual numbers are followed.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cpfill.formats.exchange.source import check_rows, fault, marked, plain, quoted, side_of, some, text_of
from cpfill.grid import Direction
from cpfill.puzzle import METADATA, Part, Puzzle, bars_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cpfill.puzzle import ClueId

KEEPS = METADATA | {Part.CLUES, Part.STRAYS, Part.REBUS, Part.SYMBOLS, Part.CIRCLES, Part.BARS, Part.VOIDS}
_KEYS = {
    Part.TITLE: "title",
    Part.AUTHOR: "author",
    Part.EDITOR: "editor",
    Part.PUBLISHER: "publisher",
    Part.DATE: "date",
    Part.COPYRIGHT: "copyright",
    Part.NOTES: "notes",
}
_VERSION = "http://ipuz.org/v2"
_KIND = "http://ipuz.org/crossword"

Json = dict[str, Any]


def recognises(data: bytes) -> bool:
    """Return whether the data is JSON, or JSON in a call of `ipuz`."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:5].startswith((b"{", b"ipuz("))


def read(data: bytes) -> Puzzle:
    """Return the puzzle."""
    source = _parse(text_of(data))
    kinds = source.get("kind")
    if not any(str(kind).startswith(_KIND) for kind in (kinds if isinstance(kinds, list) else [kinds])):
        raise fault('a crossword: "kind": ["http://ipuz.org/crossword#1"]', quoted(str(kinds)))
    rows = _rows(source, "puzzle")
    height, width = check_rows(rows)
    said = source.get("dimensions")
    if isinstance(said, dict):
        sides = (side_of(str(said.get("height"))), side_of(str(said.get("width"))))
        if sides != (height, width):
            raise fault(f'{sides[0]} x {sides[1]} cells, as "dimensions" says', f"{height} x {width}")
    solution = _rows(source, "solution") if source.get("solution") else None
    if solution and (len(solution), len(solution[0])) != (height, width):
        raise fault(f"a solution of {height} x {width} cells", f"{len(solution)} rows")
    block, empty = str(source.get("block", "#")), str(source.get("empty", "0"))
    cells = [_Cell(cell, source) for row in rows for cell in row]
    answers: list[str | None] = []
    for place, cell in enumerate(cells):
        shown = cell.shown
        if shown is None or str(shown) == block:
            answers.append(None)
            continue
        solved = solution[place // width][place % width] if solution else cell.value
        answer = _value(solved, "value")
        none = answer is None or (not isinstance(solved, dict) and str(answer) in {block, empty, "0"})
        answers.append("" if none else str(answer))
    puzzle = Puzzle(
        height,
        width,
        tuple(answers),
        metadata={part: plain(_text(source.get(key, ""))) for part, key in _KEYS.items()},
        bars=bars_of(((place, side) for place, cell in enumerate(cells) for side in cell.barred), width, len(cells)),
        circles=frozenset(place for place, cell in enumerate(cells) if cell.circled),
        voids=frozenset(place for place, cell in enumerate(cells) if cell.shown is None),
    )
    labels = {str(cell.shown): place for place, cell in enumerate(cells) if str(cell.shown) not in {block, empty}}
    return _with_clues(puzzle, source.get("clues"), labels)


def _parse(text: str) -> Json:
    """Return the JSON object, which may stand in a call of `ipuz`."""
    bare = text.strip().removeprefix("ipuz(").removesuffix(")") if text.lstrip().startswith("ipuz(") else text
    try:
        source = json.loads(bare)
    except json.JSONDecodeError as exc:
        raise fault("JSON", exc.msg.lower(), exc.lineno) from None
    except (RecursionError, ValueError):  # nested thousands deep; a number of thousands of digits
        raise fault("the JSON of a puzzle", "lists too deep or numbers too long") from None
    if not isinstance(source, dict):
        raise fault("a JSON object", f"a {type(source).__name__}")
    return source


def _rows(source: Json, key: str) -> list[list[Any]]:
    rows = source.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise fault(f'"{key}": a list of rows', "none")
    check_rows(rows)
    return rows


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _value(cell: object, key: str) -> object:
    """Return what a cell is, which may stand in an object with its style; none is no answer."""
    value = cell.get(key) if isinstance(cell, dict) else cell
    return value if isinstance(value, (str, int)) else None


class _Cell:
    """A cell of the puzzle: what is `shown` in it (a label, a block, empty, none), its value and its style."""

    def __init__(self, cell: object, source: Json) -> None:
        self.shown = _value(cell, "cell")
        self.value: object = None
        style: object = None
        if isinstance(cell, dict):
            self.shown = cell.get("cell", 0) if "cell" not in cell else self.shown
            self.value = _value(cell, "value")
            style = cell.get("style")
        if isinstance(style, str):
            named = source.get("styles")
            style = named.get(style) if isinstance(named, dict) else None
        look: Mapping[str, object] = style if isinstance(style, dict) else {}
        self.circled = look.get("shapebg") == "circle"
        self.barred = _text(look.get("barred")).upper()


def _with_clues(puzzle: Puzzle, lists: object, labels: Mapping[str, int]) -> Puzzle:
    """Return the puzzle with the clues of the file; `labels` gives the cell of each label."""
    begins = {(slot.direction, slot.cells[0]): slot.number for slot in puzzle.slots}
    clues: dict[ClueId, str] = {}
    unread = 0
    for heading, listed in lists.items() if isinstance(lists, dict) else ():
        direction = next((way for way in Direction if way == str(heading).partition(":")[0].strip().capitalize()), None)
        for entry in listed if isinstance(listed, list) else ():
            label, text = _clue(entry)
            cell = labels.get(label)
            number = begins.get((direction, cell)) if direction and cell is not None else None
            if number is None and label.isascii() and label.isdigit() and len(label) < 6:
                number = int(label)
            if direction is None or number is None or (direction, number) in clues:
                unread += 1
            else:
                clues[direction, number] = plain(text)
    return replace(puzzle, clues=clues, unread=some(unread, "clue"))


def _clue(entry: object) -> tuple[str, str]:
    """Return the label and the text of a clue."""
    if isinstance(entry, list) and len(entry) >= 2:
        return str(entry[0]), _text(entry[1])
    if isinstance(entry, dict):
        label = entry.get("number", entry.get("label", ""))
        text, enumeration = _text(entry.get("clue")), _text(entry.get("enumeration"))
        return str(label), f"{text} ({enumeration})" if enumeration and enumeration not in text else text
    return "", _text(entry)


def write(puzzle: Puzzle) -> bytes:
    """Return the file."""
    record: Json = {"version": _VERSION, "kind": [f"{_KIND}#1"]}
    shown = {**puzzle.metadata, Part.COPYRIGHT: puzzle.copyright_line}
    record |= {key: marked(shown[part]) for part, key in _KEYS.items() if shown.get(part)}
    record["dimensions"] = {"width": puzzle.width, "height": puzzle.height}
    cells = [_cell(puzzle, cell) for cell in range(len(puzzle.cells))]
    record["puzzle"] = _in_rows(cells, puzzle.width)
    if any(puzzle.cells):
        solution = [
            ((None if cell in puzzle.voids else "#") if answer is None else _answer(answer))
            for cell, answer in enumerate(puzzle.cells)
        ]
        record["solution"] = _in_rows(solution, puzzle.width)
    record["clues"] = {
        direction: [[number, marked(text)] for number, text in puzzle.clues_of(direction)] for direction in Direction
    }
    return (_json(record) + "\n").encode()


def _answer(answer: str) -> object:
    """Return the value of a cell in the solution; an answer that would mean something else stands in an object."""
    return {"value": answer} if answer in {"#", "0"} else answer or 0


def _cell(puzzle: Puzzle, cell: int) -> object:
    if puzzle.cells[cell] is None:
        return None if cell in puzzle.voids else "#"
    label = puzzle.numbers.get(cell, 0)
    style = {"shapebg": "circle"} if cell in puzzle.circles else {}
    below, right = (cell, cell + puzzle.width) in puzzle.bars, (cell, cell + 1) in puzzle.bars and puzzle.width > 1
    if sides := "R" * right + "B" * below:
        style["barred"] = sides
    return {"cell": label, "style": style} if style else label


def _in_rows(cells: Sequence[object], width: int) -> list[Sequence[object]]:
    return [cells[start : start + width] for start in range(0, len(cells), width)]


def _json(record: Json) -> str:
    """Return JSON with a line for each key, and for each row or clue in the lists."""
    lines = []
    for key, value in record.items():
        if isinstance(value, list) and value and isinstance(value[0], list):
            body = "[\n" + ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in value) + "\n ]"
        elif key == "clues":
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
