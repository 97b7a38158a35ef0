"""A puzzle as files store it: cells and their answers, clues, metadata. Every format reads and writes this class."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from cpfill.base.alphabet import DIGITS, Alphabet
from cpfill.base.errors import MAX_ANSWER, MAX_SIDE, MAX_TEXT, Fault, FormatError, GridError, expected, wrong_type
from cpfill.base.texts import say, say_count
from cpfill.puzzle.grid import Bar, CellId, Direction, Grid, Pictured, Slot, SlotId, split_rows
from cpfill.puzzle.parts import (
    METADATA,
    SHADE,
    TYPES,
    ClueId,
    PuzzlePart,
    clean,
    clean_answer,
    clean_copyright,
    clean_lines,
    find_colour,
    is_spelt,
    keep_answer,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_LINKED = re.compile(r"(\d{1,5}[ad]?(?:\s*[,&/]\s*\d{1,5}[ad]?){1,50})\.?\s+(.*)", re.IGNORECASE)
_LINK = re.compile(r"(\d{1,5})([ad]?)", re.IGNORECASE)
_SEE = re.compile(r"See (\d{1,5})\b")
_MOST_ANSWERS = 9
"""The most other answers of a puzzle."""
_NO_LABEL = {"", "0"}
"""Labels that files give to cells without one."""


class LinkedClue(NamedTuple):
    """A clue of several slots, taken apart: how it begins, such as `5, 2d`, the slots after its own, and the rest."""

    label: str
    children: tuple[ClueId, ...]
    text: str


def see(number: int | str) -> str:
    """Return the clue of a slot whose word belongs to the clue of another."""
    return f"See {number}"


@dataclass(frozen=True)
class Puzzle(Pictured):
    """A crossword puzzle, complete or not.

    The constructor normalises its arguments: it cleans texts, and drops circles, shades, letter sets, givens and
    alternatives in cells that cannot have them, bars beside a block, and drafts without a slot. Numbers are the usual
    ones: 1, 2, 3… in reading order, for each cell where a slot of two or more cells begins.

    Attributes:
        height: rows.
        width: columns.
        cells: the answer of each cell in row-major order: `None` for a block, an empty text for an open cell without
            an answer, several letters for a rebus cell.
        clues: the clues, each on one line.
        metadata: title, author and the like; only the notes may have several lines; the copyright has no sign.
        bars: bars, which end slots as blocks do.
        circles: cells with a circle.
        voids: blocks that are not drawn, outside the figure.
        letter_sets: the letters that a cell without an answer may hold.
        givens: cells whose answer the solver is given.
        shades: the colour of each shaded cell, as `#rrggbb`; an invalid colour becomes `SHADE`.
        labels: the puzzle's own labels of cells, which are shown in place of all numbers; empty if those are shown.
        alternatives: for each cell with several right letters, its letters in the other answers of the puzzle, in their
            order; in an answer where nothing differs there, an empty text or the letter in `cells`.
        drafts: texts kept in addition to the clue of a slot, or in place of one: no duplicates, never the clue itself.
        work: an editor's notes on the work on the puzzle, as JSON; solvers see nothing of it.
        unread: remarks on the file the puzzle was read from, one line each: what was left out, or had no slot.

    Raises:
        GridError: a side is out of range, the number of cells is wrong, or the puzzle has no slot.
        FormatError: a text or an answer is too long for a file.
        TypeError: an argument has another type.
    """

    height: int
    width: int
    cells: tuple[str | None, ...]
    clues: Mapping[ClueId, str] = field(default_factory=dict)
    metadata: Mapping[PuzzlePart, str] = field(default_factory=dict)
    bars: frozenset[Bar] = frozenset()
    circles: frozenset[CellId] = frozenset()
    voids: frozenset[CellId] = frozenset()
    letter_sets: Mapping[CellId, str] = field(default_factory=dict)
    givens: frozenset[CellId] = field(default=frozenset(), kw_only=True)
    shades: Mapping[CellId, str] = field(default_factory=dict, kw_only=True)
    labels: Mapping[CellId, str] = field(default_factory=dict, kw_only=True)
    alternatives: Mapping[CellId, tuple[str, ...]] = field(default_factory=dict, kw_only=True)
    drafts: Mapping[ClueId, tuple[str, ...]] = field(default_factory=dict, kw_only=True)
    work: Mapping[str, Any] = field(default_factory=dict, compare=False, kw_only=True)
    unread: tuple[str, ...] = field(default=(), compare=False)

    @property
    def locked(self) -> frozenset[CellId]:
        """The cells whose letters the work on the puzzle keeps locked; a slot of such cells alone is an own entry."""
        cells = self.work.get("locked")
        if not isinstance(cells, list):
            return frozenset()
        return frozenset(cell for cell in cells if isinstance(cell, int))

    def __post_init__(self) -> None:
        self._check_types()
        self._check_size()
        cells = self._clean_cells()
        self._settle_texts()
        self._settle("cells", cells)
        self._settle_cells()
        if not self.slots:
            raise expected("at least one slot: 2 open cells in a row", say("none"), error=GridError)
        if self.alternatives:
            self._settle_alternatives()
        if self.drafts:
            self._settle("drafts", self._sort_out())
        if self.labels:
            self._settle("labels", self._clean_labels())

    def _settle_texts(self) -> None:
        clues = {clue: clean(text) for clue, text in self.clues.items()}
        drafts = {clue: list(map(clean, texts)) for clue, texts in self.drafts.items()}
        metadata = self._clean_metadata()
        _check_lengths(metadata, clues, drafts)
        self._settle("clues", {clue: text for clue, text in clues.items() if text})
        self._settle("metadata", {part: text for part, text in metadata.items() if text and part in METADATA})
        self._settle("drafts", drafts)

    def _settle(self, name: str, value: object) -> None:
        """Set a field, which only the constructor may do."""
        object.__setattr__(self, name, value)

    def _settle_cells(self) -> None:
        """Drop marks in cells that cannot have them."""
        open_cells = frozenset(cell for cell, answer in enumerate(self.cells) if answer is not None)
        blocks = frozenset(range(len(self.cells))) - open_cells
        empty = {cell for cell in open_cells if not self.cells[cell]}
        letter_sets = {cell: letters for cell, letters in self.letter_sets.items() if cell in empty}
        shades = {}
        for cell in self.shades.keys() & open_cells:
            shades[cell] = find_colour(self.shades[cell]) or SHADE
        self._settle("bars", frozenset(filter(open_cells.issuperset, self.bars)))
        self._settle("circles", open_cells & self.circles)
        self._settle("voids", blocks & self.voids)
        self._settle("letter_sets", letter_sets)
        self._settle("givens", frozenset(self.givens & open_cells - empty))
        self._settle("shades", shades)

    def _settle_alternatives(self) -> None:
        """Drop letters that make no difference, and answers that another equals; a cell with several is not given."""
        count = max(map(len, self.alternatives.values()))
        if count > _MOST_ANSWERS:
            raise expected("at most {most} alternatives in a cell", str(count), error=FormatError, most=_MOST_ANSWERS)
        readings: list[dict[CellId, str]] = []
        for index in range(count):
            reading = self._read_alternatives(index)
            if reading and reading not in readings:
                readings.append(reading)
        settled = {}
        for cell in sorted(set().union(*readings)):
            own = self.cells[cell] or ""
            settled[cell] = tuple(reading.get(cell, own) for reading in readings)
        self._settle("alternatives", settled)
        self._settle("givens", self.givens.difference(settled))

    def _read_alternatives(self, index: int) -> dict[CellId, str]:
        """Return the letters of one of the other answers, in the cells of slots where they differ."""
        reading = {}
        for cell in self.alternatives.keys() & set(chain.from_iterable(slot.cells for slot in self.slots)):
            letter = clean_answer("".join(self.alternatives[cell][index : index + 1]))
            if self.cells[cell] not in {"", letter} and letter.isalnum() and len(letter) <= MAX_ANSWER:
                reading[cell] = letter
        return reading

    def _check_types(self) -> None:
        for name, (kind, fits) in TYPES.items():
            value = getattr(self, name)
            if not fits(value):
                raise wrong_type(f"{kind} for {name}", value)

    def _check_size(self) -> None:
        if not (1 <= self.height <= MAX_SIDE and 1 <= self.width <= MAX_SIDE):
            raise expected(
                "a grid of 1 to {most} rows and columns",
                f"{self.height} x {self.width}",
                error=GridError,
                most=MAX_SIDE,
            )
        size = self.height * self.width
        if len(self.cells) != size:
            raise expected("{n} cells", str(len(self.cells)), error=GridError, n=size)

    def _clean_cells(self) -> tuple[str | None, ...]:
        cleaned: dict[str | None, str | None] = {None: None}
        for cell, answer in enumerate(self.cells):
            if answer is None or answer in cleaned:
                continue
            if len(answer) > MAX_ANSWER:
                expected = say("answers of at most {most} characters a cell", most=MAX_ANSWER)
                got = say("{letters} in {at}", letters=len(answer), at=self.tell_place(cell))
                raise FormatError(Fault(expected, got))
            cleaned[answer] = clean_answer(answer)
        return tuple(cleaned[answer] for answer in self.cells)

    def _clean_metadata(self) -> dict[PuzzlePart, str]:
        metadata = {}
        for part, text in self.metadata.items():
            clean_part = _CLEANED.get(part, clean)
            metadata[part] = clean_part(text)
        return metadata

    def _clean_labels(self) -> dict[CellId, str]:
        """Return the labels of open cells; none if they are the usual numbers."""
        labels = {cell: clean(text) for cell, text in self.labels.items()}
        for cell, text in labels.items():
            if len(text) > MAX_ANSWER:
                got = say("{letters} in {at}", letters=len(text), at=self.tell_place(cell))
                raise FormatError(Fault(say("labels of at most {most} characters", most=MAX_ANSWER), got))
        own = {}
        for cell in sorted(labels):
            if labels[cell] not in _NO_LABEL and self._is_open(cell):
                own[cell] = labels[cell]
        if own == self._write_numbers():
            return {}
        return own

    def _write_numbers(self) -> dict[CellId, str]:
        return {cell: str(number) for cell, number in self.numbers.items()}

    def _is_open(self, cell: CellId) -> bool:
        return 0 <= cell < len(self.cells) and self.cells[cell] is not None

    def _sort_out(self) -> dict[ClueId, tuple[str, ...]]:
        """Return the drafts that belong to slots, without empty texts, duplicates, and texts that equal the clue."""
        sorted_out = {}
        for clue, texts in self.drafts.items():
            if clue not in self.slot_of:
                continue
            useless = {"", self.clues.get(clue)}
            kept = tuple(text for text in dict.fromkeys(texts) if text not in useless)
            if kept:
                sorted_out[clue] = kept
        return sorted_out

    @classmethod
    def of_grid(cls, grid: Grid, letters: Sequence[str] | None = None) -> Self:
        """Return a template as a puzzle, with the letters of a fill (empty for blocks) or else with its givens."""
        cells: list[str | None] = []
        letter_sets = {}
        for cell, (allowed, answer) in enumerate(zip(grid.cells, letters or grid.givens, strict=True)):
            cells.append(answer if allowed else None)
            members = grid.alphabet.members(allowed)
            if len(members) > 1 and allowed != grid.alphabet.full:
                letter_sets[cell] = members
        return cls(grid.height, grid.width, tuple(cells), bars=grid.bars, letter_sets=letter_sets)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The slots, across before down, each direction in the order of its numbers."""
        alphabet = Alphabet()
        cells = tuple(0 if answer is None else alphabet.full for answer in self.cells)
        return Grid(self.height, self.width, cells, alphabet, bars=self.bars).slots

    @cached_property
    def numbers(self) -> dict[CellId, int]:
        """The number of each cell that has one."""
        return {slot.cells[0]: slot.number for slot in self.slots}

    @cached_property
    def captions(self) -> Mapping[CellId, str]:
        """The text in the corner of each cell: its own label, or its number if the puzzle has no labels."""
        return self.labels or self._write_numbers()

    def caption(self, clue: ClueId) -> str:
        """Return the heading of a clue in a list: the caption of the first cell of its slot, or else its number."""
        slot = self.slot_of.get(clue)
        if slot is None:
            return str(clue[1])
        return self.captions.get(slot.cells[0], "-")

    @cached_property
    def slot_of(self) -> dict[ClueId, Slot]:
        """The slot of each clue id."""
        return {(slot.direction, slot.number): slot for slot in self.slots}

    def list_clues(self, direction: Direction) -> list[tuple[int, str]]:
        """Return the clues of a direction, sorted by number."""
        return sorted((number, text) for (way, number), text in self.clues.items() if way is direction)

    def clue(self, slot: Slot) -> str:
        """Return the clue of a slot, or an empty text if it has no clue."""
        return self.clues.get((slot.direction, slot.number), "")

    def split_linked(self, clue: ClueId) -> LinkedClue | None:
        """Return a clue that begins with the numbers of several slots; each of the others refers back to it."""
        match = _LINKED.fullmatch(self.clues.get(clue, ""))
        if match is None:
            return None
        (first, _), *others = _LINK.findall(match[1])
        if int(first) != clue[1]:
            return None
        children = []
        for number, way in others:
            child = self._find_child(clue, int(number), way.lower())
            if child is None:
                return None
            children.append(child)
        return LinkedClue(match[1], tuple(children), match[2])

    def _find_child(self, parent: ClueId, number: int, way: str) -> ClueId | None:
        """Return the slot of this number that refers to `parent`; without a `way`, one in its direction goes first."""
        direction, referred = parent
        ways = [each for each in Direction if each[0].lower() == way]
        if not ways:
            ways = sorted(Direction, key=direction.__ne__)
        for each in ways:
            child = (each, number)
            reference = _SEE.match(self.clues.get(child, ""))
            if child in self.slot_of and reference and int(reference[1]) == referred:
                return child
        return None

    def answer(self, slot: Slot, empty: str = "?") -> str:
        """Return the answer of a slot, with `empty` for each cell without an answer."""
        return self._spell(slot, {}, empty)

    @cached_property
    def differences(self) -> tuple[dict[CellId, str], ...]:
        """The letters of each other answer of the puzzle, in the cells where they differ from `cells`."""
        count = max(map(len, self.alternatives.values()), default=0)
        return tuple(map(self._read_alternatives, range(count)))

    def list_answers(self, slot: Slot, empty: str = "?") -> list[str]:
        """Return the answers of a slot, each once: that of `cells`, then those with alternative letters."""
        answers = {self.answer(slot, empty): None}
        for letters in self.differences:
            answers[self._spell(slot, letters, empty)] = None
        return list(answers)

    def _spell(self, slot: Slot, letters: Mapping[CellId, str], empty: str) -> str:
        return "".join(letters.get(cell) or self.cells[cell] or empty for cell in slot.cells)

    @property
    def copyright_line(self) -> str:
        """The copyright as it is shown, with its sign."""
        text = self.metadata.get(PuzzlePart.COPYRIGHT)
        if not text:
            return ""
        return f"© {text}"

    @property
    def rows(self) -> list[Sequence[str | None]]:
        """The cells row by row."""
        return split_rows(self.cells, self.width)

    def grid(self, alphabet: Alphabet, min_slot_length: int = 2, name: str | None = None) -> Grid:
        """Return the template to be filled: answers become givens, and those that the solver is given are fixed.

        Messages call the puzzle `name`. The alphabet gains the digits that stand in cells.

        Raises:
            GridError: the answer of a cell is not made of letters of the alphabet.
        """
        alphabet = alphabet.including(char for answer in filter(None, self.cells) for char in answer if char in DIGITS)
        cells = []
        rebus = {}
        for cell, answer in enumerate(self.cells):
            letters = self._fold_cell(cell, alphabet, name)
            if answer and len(letters) > 1:
                rebus[cell] = letters
                letters = ""
            if answer is None:
                cells.append(0)
            else:
                cells.append(alphabet.letter_set(letters) or alphabet.full)
        return Grid(
            self.height,
            self.width,
            tuple(cells),
            alphabet,
            min_slot_length,
            bars=self.bars,
            fixed=self.givens,
            circled=self.circles,
            rebus=rebus,
        )

    def _fold_cell(self, cell: CellId, alphabet: Alphabet, name: str | None) -> str:
        """Return the folded letters of an answer, or of the letter set of a cell without one."""
        answer = self.cells[cell]
        letters = alphabet.fold(answer or self.letter_sets.get(cell, ""))
        # A sign in a rebus cell, such as A/B, may mean a different answer in each direction.
        is_odd = answer and not (letters and answer.isalnum())
        if is_odd or alphabet.foreign(letters):
            expected = say("letters of {letters} in each cell, to fill the grid", letters=alphabet.letters)
            got = say("{letters} in {at}", letters=f"'{answer or letters}'", at=self.tell_place(cell))
            raise GridError(Fault(expected, got, name))
        return letters

    def fill(self, letters: Sequence[str]) -> Self:
        """Return the puzzle with the letters of a fill, empty for blocks; clues and drafts stay only with their words.

        The clue of a slot is dropped if a letter of the slot has changed. It is also dropped if the slot had no
        complete word but some slot had: its letters were cleared to be replaced. If no slot had a complete word, it is
        unknown to which words the clues belong, and they stay. Alternatives stay if the words through them do.
        """
        cells: list[str | None] = []
        changed = set()
        fold = Alphabet().fold
        for cell, (old, new) in enumerate(zip(self.cells, letters, strict=True)):
            cells.append(None if old is None else new)
            if old and fold(old) != fold(new):
                changed.add(cell)
        stale = self._find_cleared_slots()
        kept = set(self.clues) | set(self.drafts)
        alternatives = self.alternatives
        for clue, slot in self.slot_of.items():
            if slot.id in stale or not changed.isdisjoint(slot.cells):
                kept.discard(clue)
                if not alternatives.keys().isdisjoint(slot.cells):
                    alternatives = {}
        return replace(
            self,
            cells=tuple(cells),
            clues={clue: text for clue, text in self.clues.items() if clue in kept},
            drafts={clue: texts for clue, texts in self.drafts.items() if clue in kept},
            alternatives=alternatives,
        )

    def _find_cleared_slots(self) -> set[SlotId]:
        """Return the slots without a complete word; none if no slot has a complete word."""
        incomplete = {slot.id for slot in self.slots if not all(self.cells[cell] for cell in slot.cells)}
        if len(incomplete) == len(self.slots):
            return set()
        return incomplete

    def note(self, unread: tuple[str, ...]) -> Self:
        """Return the puzzle with `unread` set; the other fields are normalised already."""
        noted = copy(self)
        object.__setattr__(noted, "unread", unread)
        return noted

    def __hash__(self) -> int:
        return hash((self.height, self.width, self.cells))

    def __repr__(self) -> str:
        title = ""
        if PuzzlePart.TITLE in self.metadata:
            title = f" {self.metadata[PuzzlePart.TITLE]!r}"
        return f"<Puzzle {self.height}x{self.width}{title}: {len(self.slots)} slots, {len(self.clues)} clues>"

    def diagram(self) -> Puzzle:
        """Return the puzzle itself, which can be drawn directly."""
        return self

    @cached_property
    def parts(self) -> Counter[PuzzlePart]:
        """The number of each part; a text counts once."""
        strays = self.clues.keys() - self.slot_of.keys()
        symbols = [answer for answer in self.cells if not is_spelt(answer)]
        rebus = [answer for answer in self.cells if answer and len(answer) > 1 and is_spelt(answer)]
        counts = Counter(dict.fromkeys(self.metadata, 1))
        counts[PuzzlePart.CLUES] = len(self.clues) - len(strays)
        counts[PuzzlePart.DRAFTS] = sum(map(len, self.drafts.values()))
        counts[PuzzlePart.STRAYS] = len(strays)
        counts[PuzzlePart.REBUS] = len(rebus)
        counts[PuzzlePart.SYMBOLS] = len(symbols)
        for part, name in _FIELDS.items():
            counts[part] = len(getattr(self, name))
        counts[PuzzlePart.ALTERNATIVES] = sum(map(len, self.differences))
        return +counts

    def keep(self, parts: Collection[PuzzlePart]) -> Self:
        """Return the puzzle with only the given parts.

        A rebus cell then keeps its first letter, a symbol is dropped, and a void becomes a block. Without bars, slots
        merge and numbers change: a clue and its drafts move to the slot with the same cells; without such a slot they
        are dropped.
        """
        dropped: dict[str, Any] = {}
        for part, name in _FIELDS.items():
            if part not in parts:
                dropped[name] = {} if isinstance(getattr(self, name), Mapping) else frozenset()
        kept = replace(
            self,
            cells=tuple(keep_answer(answer, parts) for answer in self.cells),
            clues={},
            drafts={},
            metadata={part: text for part, text in self.metadata.items() if part in parts},
            alternatives=self._keep_alternatives(parts),
            **dropped,
        )
        moved = self._find_moved(kept)
        drafts = {}
        if PuzzlePart.DRAFTS in parts:
            drafts = {moved[clue]: texts for clue, texts in self.drafts.items() if clue in moved}
        return replace(kept, clues=self._move_clues(kept, moved, parts), drafts=drafts)

    def _keep_alternatives(self, parts: Collection[PuzzlePart]) -> dict[CellId, tuple[str, ...]]:
        """Return the alternatives, if they stay, cut like the answers."""
        if PuzzlePart.ALTERNATIVES not in parts:
            return {}
        kept = {}
        for cell, letters in self.alternatives.items():
            kept[cell] = tuple(keep_answer(letter, parts) or "" for letter in letters)
        return kept

    def _move_clues(
        self, kept: Puzzle, moved: Mapping[ClueId, ClueId], parts: Collection[PuzzlePart]
    ) -> dict[ClueId, str]:
        """Return the clues of the slots that another puzzle has, and those of no slot in either, if they stay."""
        clues = {}
        for clue, text in self.clues.items():
            if clue not in self.slot_of:
                if PuzzlePart.STRAYS in parts and clue not in kept.slot_of:
                    clues[clue] = text
            elif PuzzlePart.CLUES in parts and clue in moved:
                clues[moved[clue]] = text
        return clues

    def _find_moved(self, kept: Puzzle) -> dict[ClueId, ClueId]:
        """Return the clue ids of another puzzle for those of this one, for the slots with the same cells in both."""
        ids = {(slot.direction, slot.cells): (slot.direction, slot.number) for slot in kept.slots}
        moved = {}
        for clue, slot in self.slot_of.items():
            same = ids.get((slot.direction, slot.cells))
            if same is not None:
                moved[clue] = same
        return moved

    def tell_place(self, cell: CellId) -> str:
        """Return the row and the column of a cell, as messages name them."""
        return say("row {n}, column {n2}", n=cell // self.width + 1, n2=cell % self.width + 1)

    def tell_losses(self, kept: Puzzle) -> list[str]:
        """Return the parts that `keep` dropped from this puzzle, one line each; `kept` is its result."""
        lost = self.parts - kept.parts
        counted = [_word_count(part, lost[part]) for part in PuzzlePart if lost[part]]
        return [say("dropped {part}", part=part) for part in counted]


_CLEANED = {PuzzlePart.NOTES: clean_lines, PuzzlePart.COPYRIGHT: clean_copyright}
"""The functions that clean metadata, where it is not `clean`."""

_FIELDS = {
    PuzzlePart.LETTER_SETS: "letter_sets",
    PuzzlePart.GIVENS: "givens",
    PuzzlePart.CIRCLES: "circles",
    PuzzlePart.SHADES: "shades",
    PuzzlePart.LABELS: "labels",
    PuzzlePart.BARS: "bars",
    PuzzlePart.VOIDS: "voids",
}
"""The parts that are fields of their own."""


def _check_lengths(
    metadata: Mapping[PuzzlePart, str], clues: Mapping[ClueId, str], drafts: Mapping[ClueId, list[str]]
) -> None:
    for part, text in metadata.items():
        _check_length(part.value, text)
    for (direction, number), text in clues.items():
        _check_length(f"clue of {number}-{direction}", text)
    for (direction, number), texts in drafts.items():
        _check_length(f"drafts of {number}-{direction}", max(texts, key=len, default=""))


def _check_length(name: str, text: str) -> None:
    if len(text) > MAX_TEXT:
        raise expected(
            "texts of at most {most} characters",
            say("{letters} in {at}", letters=len(text), at=say(f"the {name}")),
            error=FormatError,
            most=MAX_TEXT,
        )


def _word_count(part: PuzzlePart, count: int) -> str:
    if part in METADATA:
        return say(f"the {part}")
    return say_count(count, part)
