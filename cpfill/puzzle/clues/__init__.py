"""The clues of words in files and in the slots of a puzzle, and the clue cell of each slot, as in arrowwords.

A file has one clue a line (the word, a tab, semicolon or comma, and the clue), or is CSV with such columns. Commas are
separators only if some line of the file has a comma, but neither a tab nor a semicolon.

In an arrowword the clue of a slot stands in a block next to its first letter. A block before the slot (to the left of
an across slot, above a down slot) has a straight arrow (→, ↓); a block on the other side has an arrow that bends (↳,
↴). A block holds at most two clues. At most two slots begin straight after a block, so those take their block first,
and move only if otherwise some slot would have no clue cell.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_LIST_BYTES, MAX_TEXT, GridError, expected
from cpfill.base.files import display_name, read_text
from cpfill.base.texts import hear, say
from cpfill.puzzle.grid import CellId, Direction, Slot
from cpfill.puzzle.puzzle import Puzzle, clean

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterable, Iterator, Mapping

_SEPARATOR = re.compile(r"[\t;]")
_OR_COMMA = re.compile(r"[\t;,]")
_COLUMNS = {"answer", "clue"}
"""The column heads in the CSV of a puzzle."""


@dataclass(frozen=True)
class Clues:
    """The clues of each word, in their order: at least one, no duplicates, each on one line.

    Words are folded onto `alphabet`, but may have characters outside it, as the answers of a puzzle may.
    """

    words: Mapping[str, tuple[str, ...]]
    alphabet: Alphabet = field(default_factory=Alphabet)


def read_clues(path: str | os.PathLike[str], alphabet: Alphabet | None = None) -> Clues:
    """Return the clues in a file, or in standard input (`-`)."""
    return parse_clues(read_text(path, most=MAX_LIST_BYTES), display_name(path), alphabet)


def parse_clues(text: str, name: str = "clues", alphabet: Alphabet | None = None) -> Clues:
    """Return the clues in a text; a word with several lines has several clues. `#` begins a comment line.

    A text that begins with column heads separated by commas, with `answer` and `clue` among them, is read as CSV; rows
    without a clue, or with an incomplete answer (`?`), are left out.
    """
    alphabet = alphabet or Alphabet()
    lines = text.split("\n")
    heads = [] if _SEPARATOR.search(lines[0]) else [head.strip(' "').lower() for head in lines[0].split(",")]
    words: dict[str, dict[str, None]] = {}
    for number, written, said in _read_table(lines, heads, name) if set(heads) >= _COLUMNS else _split_lines(lines):
        word, clue = alphabet.fold(written), clean(said or "")
        if not (word and clue):
            missing = say("no tab, semicolon or comma") if said is None else say("no clue")
            got = missing if word or said is None else say("'{written}', without letters", written=written.strip())
            raise expected("WORD, a tab, semicolon or comma, and its clue", got, name, number)
        if len(clue) > MAX_TEXT:
            raise expected("a clue of at most {most} characters", f"{len(clue)}", name, number, most=MAX_TEXT)
        words.setdefault(word, {})[clue] = None
    return Clues({word: tuple(clues) for word, clues in words.items()}, alphabet)


def _split_lines(lines: list[str]) -> Iterator[tuple[int, str, str | None]]:
    """Yield the number of each line, its word, and its clue, or `None` if nothing separates the two."""
    numbered = [
        (number, line)
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    commas = any("," in line and not _SEPARATOR.search(line) for _, line in numbered)
    for number, line in numbered:
        written, *rest = (_OR_COMMA if commas else _SEPARATOR).split(line, maxsplit=1)
        said = rest[0] if rest else None
        if commas and said and said.startswith('"') and len(said) <= csv.field_size_limit():  # else too long
            fields = next(csv.reader([said]))
            said = fields[0] if len(fields) == 1 else said
        yield number, written, said


def _read_table(lines: list[str], heads: list[str], name: str) -> Iterator[tuple[int, str, str]]:
    """Yield the same for the rows of a table that have a clue and a complete answer."""
    rows = csv.DictReader((f"{line}\n" for line in lines[1:]), heads, restval="")
    try:
        for row in rows:
            if row["clue"] and row["answer"] and "?" not in row["answer"]:
                yield rows.line_num + 1, row["answer"], row["clue"]
    except csv.Error as exc:
        raise expected("a CSV table", hear(str(exc)), name, rows.line_num + 2) from None  # it excludes the bad line


def write_clues(clues: Clues) -> str:
    """Return the text of a file that `parse_clues` reads back."""
    return "".join(f"{word}\t{clue}\n" for word, each in clues.words.items() for clue in each)


NO_CLUE = "[no clue]"
"""The text of a missing clue."""


def place_clues(puzzle: Puzzle, clues: Clues, seed: int = 0) -> tuple[Puzzle, tuple[Slot, ...]]:
    """Return the puzzle with a clue for every slot, and the slots that have `NO_CLUE`.

    Existing clues stay. Every other slot gets the first clue of its word that no other slot with that word has. The
    search begins with the first clue for seed 0, with the second for seed 1, and so on cyclically, so n consecutive
    seeds begin with each of n clues in turn. A slot gets `NO_CLUE` if no clue is left or its answer is incomplete.
    """
    words = {slot.id: _fold_answer(puzzle, slot, clues.alphabet) for slot in puzzle.slots}
    placed = {slot.id: puzzle.clue(slot) for slot in puzzle.slots if puzzle.clue(slot) not in {"", NO_CLUE}}
    used = {(words[id_], clue) for id_, clue in placed.items()}
    for slot in puzzle.slots:
        if slot.id in placed:
            continue
        word = words[slot.id]
        known = clues.words.get(word, ())
        first = seed % len(known) if known else 0
        unused = (clue for clue in known[first:] + known[:first] if (word, clue) not in used)
        placed[slot.id] = next(unused, NO_CLUE)
        used.add((word, placed[slot.id]))
    given = {(slot.direction, slot.number): placed[slot.id] for slot in puzzle.slots}
    missing = tuple(slot for slot in puzzle.slots if placed[slot.id] == NO_CLUE)
    return replace(puzzle, clues={**puzzle.clues, **given}), missing


def _fold_answer(puzzle: Puzzle, slot: Slot, alphabet: Alphabet) -> str:
    """Return the folded answer of a slot, or an empty string if one of its cells has no answer."""
    complete = all(puzzle.cells[cell] for cell in slot.cells)
    return alphabet.fold(puzzle.answer(slot)) if complete else ""


MAX_CLUES = 2
"""The most clues that a block holds."""

_NAMED = 5
"""The most slots that a message names."""


@dataclass(frozen=True, slots=True)
class ClueArrow:
    """The arrow from a clue to its slot.

    Attributes:
        slot: the slot.
        leaves: the side on which the arrow leaves the block: the right (across) or the bottom (down). The arrow bends
            if this differs from the direction of the slot.
    """

    slot: Slot
    leaves: Direction

    @property
    def bends(self) -> bool:
        """Whether the arrow turns a corner."""
        return self.leaves is not self.slot.direction


ClueCells = dict["CellId", tuple[ClueArrow, ...]]
"""The arrows of each block that holds clues: those to the right first, and in each group in the order of the slots."""


def assign_clue_cells(slots: Iterable[Slot], blocks: Collection[CellId], width: int) -> ClueCells:
    """Return the clue cells of all slots of two or more cells.

    Args:
        slots: the slots of a grid.
        blocks: the blocks that may hold clues.
        width: the number of columns of the grid.
    """
    cells, lacking = match_clue_cells(slots, blocks, width)
    if lacking:
        named = ", ".join(slot.name for slot in lacking[:_NAMED])
        more = say(" and {n} more", n=len(lacking) - _NAMED) if len(lacking) > _NAMED else ""
        raise expected(
            "a block for the clue of each slot, before its first letter or beside it, two clues a block",
            say("none for {named}{more}", named=named, more=more),
            error=GridError,
        )
    return cells


def match_clue_cells(
    slots: Iterable[Slot], blocks: Collection[CellId], width: int
) -> tuple[ClueCells, tuple[Slot, ...]]:
    """Return the clue cells, and the slots left without one: as few as possible, then with as few bends as possible."""
    asking = [slot for slot in slots if slot.length > 1]
    places = {slot.id: _list_places(slot, blocks, width) for slot in asking}
    held: dict[CellId, list[Slot]] = {block: [] for block in blocks}
    lacking: list[Slot] = []
    for slot in asking:
        straight = [block for block, leaves in places[slot.id].items() if leaves is slot.direction]
        (held[straight[0]] if straight else lacking).append(slot)
    while (served := _make_room(lacking, places, held)) is not None:
        lacking.remove(served)
    cells: ClueCells = {}
    for block, those in sorted(held.items()):
        arrows = [ClueArrow(slot, places[slot.id][block]) for slot in those]
        if arrows:
            cells[block] = tuple(sorted(arrows, key=lambda arrow: (arrow.leaves is Direction.DOWN, arrow.slot.id)))
    return cells, tuple(lacking)


def _list_places(slot: Slot, blocks: Collection[CellId], width: int) -> dict[CellId, Direction]:
    """Return the blocks that could hold the clue of a slot, each with the side its arrow leaves; straight first."""
    first, places = slot.cells[0], {}
    for leaves in sorted(Direction, key=lambda way: way is not slot.direction):
        at_edge = leaves is Direction.ACROSS and first % width == 0
        block = first - (1 if leaves is Direction.ACROSS else width)
        if not at_edge and block in blocks:
            places[block] = leaves
    return places


class _Way(NamedTuple):
    """The last step of an augmenting path: `slot` moves into a block, from the block `before` if it had one.

    `bends` is the number of bends that the whole path adds.
    """

    bends: int
    slot: Slot
    before: CellId | None


def _make_room(
    lacking: Iterable[Slot], places: Mapping[int, Mapping[CellId, Direction]], held: Mapping[CellId, list[Slot]]
) -> Slot | None:
    """Give a block to one of the slots that lack one, moving others, and return that slot; `None` if it is impossible.

    The path chosen adds the fewest bends. So at any time, the number of bends is minimal for the number of slots that
    have a block (Busacker and Gowen, 1960: shortest augmenting paths).
    """
    ways = _find_ways(lacking, places, held)
    free = [block for block in ways if len(held[block]) < MAX_CLUES]
    if not free:
        return None
    block = min(free, key=lambda each: ways[each].bends)
    while True:
        _, slot, before = ways[block]
        held[block].append(slot)
        if before is None:
            return slot
        held[before].remove(slot)
        block = before


def _find_ways(
    lacking: Iterable[Slot], places: Mapping[int, Mapping[CellId, Direction]], held: Mapping[CellId, list[Slot]]
) -> dict[CellId, _Way]:
    """Return the best path into each block. A longer path can be better, because moving a slot can remove its bend."""
    ways: dict[CellId, _Way] = {}
    todo: deque[CellId] = deque()

    def go(slot: Slot, before: CellId | None) -> None:
        for block, leaves in places[slot.id].items():
            bends = int(leaves is not slot.direction)
            if before is not None:
                bends += ways[before].bends - (places[slot.id][before] is not slot.direction)
            if block not in ways or bends < ways[block].bends:
                ways[block] = _Way(bends, slot, before)
                todo.append(block)

    for slot in lacking:
        go(slot, None)
    while todo:
        block = todo.popleft()
        for other in held[block]:
            go(other, block)
    return ways
