"""The writer of .ipuz files: a puzzle as a JSON object, with a line for each row and each clue."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cpfill.formats.exchange.source import escape_markup
from cpfill.puzzle.grid import CellId, Direction, split_rows
from cpfill.puzzle.parts import ClueId, PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.puzzle.puzzle import Puzzle


KIND = "http://ipuz.org/crossword"
KEYS = {
    PuzzlePart.TITLE: "title",
    PuzzlePart.AUTHOR: "author",
    PuzzlePart.EDITOR: "editor",
    PuzzlePart.PUBLISHER: "publisher",
    PuzzlePart.DATE: "date",
    PuzzlePart.COPYRIGHT: "copyright",
    PuzzlePart.NOTES: "notes",
}
DRAFTS = "cpfill:drafts"
"""The field for the number and the text of each draft, by direction, as the clues are written."""
LETTER_SETS = "cpfill:letter-sets"
"""The field for the column and the row of each cell, from 1, and the letters that it may hold."""
WORK = "cpfill:work"
"""The field for an editor's own data: a JSON object, read and written unchanged."""
_VERSION = "http://ipuz.org/v2"

JsonObject = dict[str, Any]


def write_ipuz(puzzle: Puzzle) -> bytes:
    """Return the file of a puzzle."""
    record: JsonObject = {"version": _VERSION, "kind": [f"{KIND}#1"], **_write_metadata(puzzle)}
    block = next(sign for sign in "#■█" if sign not in puzzle.labels.values())
    if block != "#":
        record["block"] = block
    record["dimensions"] = {"width": puzzle.width, "height": puzzle.height}
    cells = range(len(puzzle.cells))
    record["puzzle"] = split_rows([_write_cell(puzzle, cell, block) for cell in cells], puzzle.width)
    if any(puzzle.cells):
        record["solution"] = split_rows([_write_answer(puzzle, cell, block) for cell in cells], puzzle.width)
    if puzzle.letter_sets:
        limits = sorted(puzzle.letter_sets.items())
        record[LETTER_SETS] = [[*_locate(puzzle, cell), letters] for cell, letters in limits]
    record["clues"] = {direction: _write_clues(puzzle, direction) for direction in Direction}
    if puzzle.drafts:
        record[DRAFTS] = {direction: _write_drafts(puzzle, direction) for direction in Direction}
    if puzzle.work:
        record[WORK] = puzzle.work
    return (_write_json(record) + "\n").encode()


def _write_metadata(puzzle: Puzzle) -> JsonObject:
    """Return the fields of the texts about a puzzle."""
    shown = {**puzzle.metadata, PuzzlePart.COPYRIGHT: puzzle.copyright_line}
    return {key: escape_markup(shown[part]) for part, key in KEYS.items() if shown.get(part)}


def _locate(puzzle: Puzzle, cell: CellId) -> list[int]:
    """Return the column and the row of a cell, from 1."""
    return [cell % puzzle.width + 1, cell // puzzle.width + 1]


def _write_clues(puzzle: Puzzle, direction: Direction) -> list[object]:
    return [_write_clue(puzzle, (direction, number), text) for number, text in puzzle.list_clues(direction)]


def _write_clue(puzzle: Puzzle, clue: ClueId, text: str) -> object:
    """Return a clue; where labels may be alike it lists its cells, and one of several slots names the others."""
    if puzzle.labels and clue in puzzle.slot_of:
        return _write_placed_clue(puzzle, clue, text)
    linked = puzzle.split_linked(clue)
    if linked:
        others = [{"direction": direction, "number": number} for direction, number in linked.children]
        return {"number": clue[1], "label": linked.label, "clue": escape_markup(linked.text), "continued": others}
    return [clue[1], escape_markup(text)]


def _write_placed_clue(puzzle: Puzzle, clue: ClueId, text: str) -> JsonObject:
    """Return a clue with the cells of its slot, and its label if it has one."""
    cells = puzzle.slot_of[clue].cells
    record: JsonObject = {}
    if cells[0] in puzzle.labels:
        record["number"] = puzzle.labels[cells[0]]
    record["clue"] = escape_markup(text)
    record["cells"] = [_locate(puzzle, cell) for cell in cells]
    return record


def _write_drafts(puzzle: Puzzle, direction: Direction) -> list[object]:
    drafts: list[object] = []
    for (way, number), texts in sorted(puzzle.drafts.items()):
        if way is direction:
            drafts += [[number, escape_markup(text)] for text in texts]
    return drafts


def _write_answer(puzzle: Puzzle, cell: CellId, block: str) -> object:
    """Return the value of a cell in the solution; an answer that is a sign, or the label, stands in an object."""
    answer = puzzle.cells[cell]
    if answer is None:
        return _write_block(puzzle, cell, block)
    if cell in puzzle.alternatives:
        return [answer, *puzzle.alternatives[cell]]
    if answer in {"#", "0", block, puzzle.captions.get(cell)}:
        return {"value": answer}
    return answer or 0


def _write_block(puzzle: Puzzle, cell: CellId, block: str) -> str | None:
    if cell in puzzle.voids:
        return None
    return block


def _write_cell(puzzle: Puzzle, cell: CellId, block: str) -> object:
    if puzzle.cells[cell] is None:
        return _write_block(puzzle, cell, block)
    captions = puzzle.labels or puzzle.numbers
    label = captions.get(cell, 0)
    looks: JsonObject = {}
    style = _write_style(puzzle, cell)
    if style:
        looks["style"] = style
    if cell in puzzle.givens:
        looks["value"] = puzzle.cells[cell]
    if looks:
        return {"cell": label, **looks}
    return label


def _write_style(puzzle: Puzzle, cell: CellId) -> dict[str, str]:
    """Return the style of an open cell: circle, colour and bars."""
    style = {}
    if cell in puzzle.circles:
        style["shapebg"] = "circle"
    if cell in puzzle.shades:
        style["color"] = puzzle.shades[cell].removeprefix("#")
    barred = ""
    if puzzle.width > 1 and (cell, cell + 1) in puzzle.bars:
        barred += "R"
    if (cell, cell + puzzle.width) in puzzle.bars:
        barred += "B"
    if barred:
        style["barred"] = barred
    return style


def _write_json(record: JsonObject) -> str:
    """Return JSON with a line for each key, and for each row or clue in the lists."""
    fields = [f" {json.dumps(key)}: {_write_field(key, value)}" for key, value in record.items()]
    return _wrap("{", fields, "}")


def _write_field(key: str, value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], list):
        return _wrap("[", [f"  {_dump(row)}" for row in value], " ]")
    if isinstance(value, dict) and key in {"clues", DRAFTS}:
        return _wrap("{", [_write_list(way, clues) for way, clues in value.items()], " }")
    return _dump(value)


def _write_list(direction: str, clues: Sequence[object]) -> str:
    return _wrap(f"  {json.dumps(direction)}: [", [f"   {_dump(clue)}" for clue in clues], "  ]")


def _wrap(begin: str, lines: Sequence[str], end: str) -> str:
    """Return lines, parted by commas, between a line that begins a list or an object and its last line."""
    return f"{begin}\n" + ",\n".join(lines) + f"\n{end}"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
