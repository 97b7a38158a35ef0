"""The clues of an .ipuz file, and their slots: by the label of the cell where a slot begins, or by listed cells.

A clue may go on in other slots: it begins with the numbers of all, or with its own label, and the others refer to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.errors import MAX_CLUES
from cpfill.base.texts import say
from cpfill.formats.exchange.source import ClueList, fault, quote, shorten, strip_markup
from cpfill.puzzle.grid import CellId, Direction
from cpfill.puzzle.puzzle import see

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.puzzle.grid import Slot
    from cpfill.puzzle.parts import ClueId
    from cpfill.puzzle.puzzle import Puzzle


class Clue(NamedTuple):
    """A clue as the file has it.

    Attributes:
        number: the label of the cell where its slot begins; empty if the clue has none.
        label: the label of the clue in the list, if not its number.
        text: the clue with its enumeration.
        cells: the columns and rows of its slots.
        links: the directions (empty for its own) and numbers of the other slots that it goes on in.
        others: the names of fields that are not read.
    """

    number: str
    label: str
    text: str
    cells: object = None
    links: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()


def parse_clue(entry: object) -> Clue:
    if isinstance(entry, list) and len(entry) >= 2:
        fields = {"number": entry[0], "clue": entry[1]}
        fields |= {f"item {index}": item for index, item in enumerate(entry[2:], start=3)}
        return _parse_fields(fields)
    if isinstance(entry, dict):
        return _parse_fields(entry)
    return Clue("", "", text_of(entry))


def _parse_fields(entry: Mapping[str, Any]) -> Clue:
    number, label, continued = _read_numbers(entry)
    text, read = _read_clue_text(entry)
    read |= {"number", "numbers", "label", "continued"}
    cells = None
    if _are_cells(entry.get("cells")):
        cells = entry["cells"]
        read.add("cells")
    others = tuple(key for key, value in entry.items() if value and key not in read)
    return Clue(number or label, label if number else "", text, cells, tuple(continued), others)


def _read_numbers(entry: Mapping[str, Any]) -> tuple[str, str, list[tuple[str, str]]]:
    """Return the number of a clue, its label, and the directions and numbers of the other slots that it goes on in."""
    numbers = [_read_number(number) for number in as_list(entry.get("numbers"))]
    number, label = _read_number(entry.get("number"))
    if numbers and not number:
        number, label = numbers[0]
    label = read_label(entry.get("label")) or label
    links = [("", other) for other, _ in numbers if other != number]
    links += map(_read_link, as_list(entry.get("continued")))
    return number, label, links


def _read_clue_text(entry: Mapping[str, Any]) -> tuple[str, set[str]]:
    """Return the text of a clue with its enumeration, and the fields that it is made of; a clue may be a reference."""
    text = text_of(entry.get("clue"))
    enumeration = read_label(entry.get("enumeration"))
    read = set()
    if enumeration and f"({enumeration})" not in text:
        text = f"{text} ({enumeration})"
    if enumeration:
        read.add("enumeration")
    if text:
        return text, read | {"clue"}
    referred, _ = _read_number(entry.get("see"))
    if referred:
        return see(referred), {"see"}
    return "", read


def as_list(value: object) -> list[Any]:
    if isinstance(value, list):
        return value
    return []


def read_label(value: object) -> str:
    if value is True or not isinstance(value, (str, int)):
        return ""
    return str(value or "")


def _read_number(value: object) -> tuple[str, str]:
    """Return the number of a clue, and the label that it may have beside it."""
    if isinstance(value, dict):
        return read_label(value.get("number")), read_label(value.get("label"))
    return read_label(value), ""


def _read_link(link: object) -> tuple[str, str]:
    """Return the direction and the number of a slot that a clue goes on in."""
    if isinstance(link, dict) and "direction" in link:
        return text_of(link["direction"]).partition(":")[0], read_label(link.get("number"))
    return "", _read_number(link)[0]


class _Binder:
    """Finds the slots of clues."""

    def __init__(self, puzzle: Puzzle, labels: Mapping[CellId, str], first: int) -> None:
        self.puzzle = puzzle
        self.first = first
        self.names = {(way, str(number)): (way, number) for way, number in puzzle.slot_of}
        self.begins: dict[CellId, list[Slot]] = {}
        for slot in puzzle.slots:
            self.begins.setdefault(slot.cells[0], []).append(slot)
        self.labelled: dict[str, list[CellId]] = {}
        for cell, label in labels.items():
            self.labelled.setdefault(label, []).append(cell)

    def find_number(self, direction: Direction | None, label: str) -> str | int | None:
        """Return the number of the slot that begins in the cell of that label; `None` if it is another slot's.

        A number that no slot has is returned unchanged.
        """
        if not self.labelled:
            return label
        numbers: list[int] = []
        for cell in self.labelled.get(label, ()):
            numbers += [slot.number for slot in self.begins.get(cell, ()) if slot.direction is direction]
        if len(numbers) == 1:
            return numbers[0]
        if numbers or (direction, label) in self.names:
            return None
        return label

    def find_child(self, direction: Direction | None, label: str) -> ClueId | None:
        """Return the slot of that direction and label, if there is one."""
        number = str(self.find_number(direction, label))
        if direction:
            return self.names.get((direction, number))
        return None

    def split_cells(self, pairs: object) -> list[Slot]:
        """Return the slots that listed cells are, one after the other; none if they are no slots."""
        cells = find_cells(pairs, self.puzzle.width, self.first)
        found: list[Slot] = []
        while cells:
            slots = self.begins.get(cells[0], [])
            fitting = [slot for slot in slots if cells[: slot.length] == slot.cells]
            if not fitting:
                return []
            found.append(fitting[0])
            cells = cells[fitting[0].length :]
        return found

    def bind(self, direction: Direction | None, clue: Clue) -> tuple[Direction, str | int, list[ClueId | None]] | None:
        """Return the direction and number of the slot of a clue, and its other slots; `None` for a clue of no slot.

        A slot that does not exist, but that the clue goes on in, is `None`.
        """
        slots = self.split_cells(clue.cells)
        links = [self.find_child(_find_direction(way) or direction, label) for way, label in clue.links]
        if len(slots) > 1:
            links = [(slot.direction, slot.number) for slot in slots[1:]]
        if slots:
            return slots[0].direction, slots[0].number, links
        number = None if clue.cells else self.find_number(direction, clue.number)
        if number is None or direction is None or not str(number):
            return None
        return direction, number, links


def bind_clues(puzzle: Puzzle, labels: Mapping[CellId, str], lists: Mapping[str, Any]) -> ReadClues:
    """Return the clues of all directions; the slots that a clue goes on in refer to it."""
    if sum(len(as_list(entries)) for entries in lists.values()) > MAX_CLUES:
        raise fault("at most {most} clues", say("more"), most=MAX_CLUES)
    parsed = {heading: list(map(parse_clue, as_list(entries))) for heading, entries in lists.items()}
    found = ReadClues(_Binder(puzzle, labels, _find_origin(parsed.values())))
    for heading, clues in parsed.items():
        title, _, shown = str(heading).partition(":")
        title = title.strip()
        direction = _find_direction(title)
        if shown.strip():
            found.headings.append(shown.strip())
        if lists[heading] and not clues:
            found.others.append("clues")
        for clue in clues:
            found.add(direction, clue, f"{clue.number or quote(clue.text)} {shorten(title)}")
    texts = found.clues.clues
    for child, reference in found.references.items():
        if not texts.get(child):
            texts[child] = reference
    return found


def _find_origin(lists: Iterable[Sequence[Clue]]) -> int:
    """Return the number of the first column and row: 0 if a cell of some clue has it, else 1."""
    counts_from_0 = any(_has_origin(clue.cells) for clue in chain.from_iterable(lists))
    if counts_from_0:
        return 0
    return 1


@dataclass
class ReadClues:
    """The clues of a file, and the names of parts that are left out.

    Attributes:
        clues: the clues with their slots.
        references: texts for the slots that the clue of another goes on in.
        others: the names of fields that are not read.
        headings: the file's own names of the directions.
        lost: the number of links to slots that do not exist.
    """

    binder: _Binder
    clues: ClueList = field(default_factory=ClueList)
    references: dict[ClueId, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    lost: int = 0

    def add(self, direction: Direction | None, clue: Clue, name: str) -> None:
        """Keep a clue of a direction with its slot; a clue of other cells is left out, by its name."""
        found = self.binder.bind(direction, clue)
        if found is None:
            self.clues.add(None, "", clue.text, name)
            return
        way, number, links = found
        children = [child for child in links if child]
        self.others += clue.others
        self.lost += len(links) - len(children)
        text = strip_markup(clue.text)
        if text:
            text = _begin_linked(clue, children, self.binder.puzzle) + text
        self.clues.add(way, number, text, name)
        for child in children:
            self.references.setdefault(child, see(clue.number))
        if len(self.references) > MAX_CLUES:
            raise fault("at most {most} references to clues", say("more"), most=MAX_CLUES)


def _find_direction(title: str) -> Direction | None:
    return next((way for way in Direction if way == title.capitalize()), None)


def _begin_linked(clue: Clue, children: Sequence[ClueId], puzzle: Puzzle) -> str:
    """Return how a clue of several slots begins: its own label, or the numbers, as in `1, 4a, 2d`; else nothing."""
    label = clue.label.rstrip(" .")
    if label and label != clue.number:
        return f"{label} "
    if not children:
        return ""
    others = [puzzle.caption(child) + child[0][0].lower() for child in children]
    return ", ".join([clue.number, *others]) + " "


def text_of(value: object) -> str:
    if isinstance(value, str):
        return value
    return ""


def _are_cells(cells: object) -> bool:
    """Return whether cells are listed as [column, row]."""
    pairs = as_list(cells)
    return bool(pairs) and all(map(_is_cell, pairs))


def _is_cell(pair: object) -> bool:
    return isinstance(pair, list) and [type(side) for side in pair] == [int, int]


def find_cells(pairs: object, width: int, first: int = 1) -> tuple[CellId, ...]:
    """Return cells listed as [column, row], from `first`; none if they are listed otherwise."""
    if not _are_cells(pairs):
        return ()
    inside = [(column - first, row - first) for column, row in as_list(pairs) if 0 <= column - first < width]
    return tuple(row * width + column for column, row in inside)


def _has_origin(pairs: object) -> bool:
    """Return whether the column or row of some listed cell is 0, because the file counts from there."""
    return _are_cells(pairs) and any(0 in pair for pair in as_list(pairs))
