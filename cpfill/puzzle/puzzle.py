"""A puzzle as files store it: cells and their answers, clues, metadata. Every format reads and writes this class."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from cpfill.base.alphabet import DIGITS, Alphabet, compose
from cpfill.base.errors import MAX_ANSWER, MAX_SIDE, MAX_TEXT, Fault, FormatError, GridError, expected, wrong_type
from cpfill.base.texts import say, say_count
from cpfill.puzzle.grid import Bar, CellId, Direction, Grid, Pictured, Slot, split_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


_NO_BREAK = "\u00a0\u202f"
"""Blanks that prevent a line break: French sets one before `? ! : »`."""
_JOINERS = "\u200c\u200d"
"""Invisible characters that change the shape of the letters beside them."""
_COPYRIGHT_SIGNS = re.compile(r"^(?:(?:©|\([cC]\))\s*)++")
_BLANKS = re.compile(rf"[^\S{_NO_BREAK}]+")
_LINKED = re.compile(r"(\d{1,5}[ad]?(?:\s*[,&/]\s*\d{1,5}[ad]?){1,50})\.?\s+(.*)", re.IGNORECASE)
_LINK = re.compile(r"(\d{1,5})([ad]?)", re.IGNORECASE)
_SEE = re.compile(r"See (\d{1,5})\b")
_HEX = re.compile(r"#?([0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)

_NO_LABEL = {"", "0"}
"""Labels that files give to cells without one."""
SHADE = "#d3d3d3"
"""The default colour of a shaded cell."""

ClueId = tuple[Direction, int]
"""A clue belongs to the slot of this direction and number."""


class LinkedClue(NamedTuple):
    """A clue of several slots, taken apart: how it begins, such as `5, 2d`, the slots after its own, and the rest."""

    label: str
    children: tuple[ClueId, ...]
    text: str


def see(number: int | str) -> str:
    """Return the clue of a slot whose word belongs to the clue of another."""
    return f"See {number}"


class PuzzlePart(StrEnum):
    """A part of a puzzle besides its answers, which some formats cannot store. The value is its name."""

    TITLE = "title"
    AUTHOR = "author"
    EDITOR = "editor"
    PUBLISHER = "publisher"
    DATE = "date"
    COPYRIGHT = "copyright"
    NOTES = "notes"
    CLUES = "clue"
    DRAFTS = "draft clue"
    STRAYS = "clue of no slot"
    REBUS = "cell of several letters"
    SYMBOLS = "cell of a digit or symbol"
    LETTER_SETS = "letter set"
    GIVENS = "given"
    CIRCLES = "circle"
    SHADES = "shaded cell"
    LABELS = "cell label"
    BARS = "bar"
    VOIDS = "void"


IN_GRID = frozenset(
    {
        PuzzlePart.REBUS,
        PuzzlePart.SYMBOLS,
        PuzzlePart.LETTER_SETS,
        PuzzlePart.GIVENS,
        PuzzlePart.CIRCLES,
        PuzzlePart.SHADES,
        PuzzlePart.LABELS,
        PuzzlePart.BARS,
        PuzzlePart.VOIDS,
    }
)
METADATA = frozenset(
    {
        PuzzlePart.TITLE,
        PuzzlePart.AUTHOR,
        PuzzlePart.EDITOR,
        PuzzlePart.PUBLISHER,
        PuzzlePart.DATE,
        PuzzlePart.COPYRIGHT,
        PuzzlePart.NOTES,
    }
)
SHOWN = METADATA - {PuzzlePart.EDITOR, PuzzlePart.PUBLISHER, PuzzlePart.DATE}
"""The metadata that is printed with a puzzle."""


def clean(text: str) -> str:
    """Return a text on one line: composed characters, single blanks, only printable characters.

    Non-breaking blanks and joiners stay.
    """
    if not text.isprintable():
        text = "".join(char for char in text if char.isprintable() or char.isspace() or char in _JOINERS)
    return _BLANKS.sub(" ", compose(text)).strip(f" {_NO_BREAK}{_JOINERS}")


def clean_lines(text: str) -> str:
    """Return a text with each line clean, without empty lines."""
    return "\n".join(filter(None, map(clean, text.splitlines())))


def clean_copyright(text: str) -> str:
    """Return a clean text without the copyright sign, which `copyright_line` adds."""
    return _COPYRIGHT_SIGNS.sub("", clean(text))


def clean_answer(text: str) -> str:
    """Return the answer of a cell in upper case, without blanks or joiners."""
    if text.isascii() and text.isalnum():  # nearly all of them, of which nothing is cut
        return text.upper()
    visible = "".join(char for char in text if char.isprintable() and char != " ")
    return clean(clean(visible).upper())


def find_colour(text: str) -> str | None:
    """Return a colour of three or six hexadecimal digits as `#rrggbb`; `None` for any other text."""
    match = _HEX.fullmatch(text)
    if match is None:
        return None
    digits = match[1].lower()
    return "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))


@dataclass(frozen=True)
class Puzzle(Pictured):
    """A crossword puzzle, complete or not.

    The constructor normalises its arguments: it cleans texts, and drops circles, shades, letter sets and givens in
    cells that cannot have them, bars beside a block, and drafts without a slot. Numbers are the usual ones: 1, 2, 3…
    in reading order, for each cell where a slot of two or more cells begins.

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
        drafts: texts kept in addition to the clue of a slot, or in place of one: no duplicates, never the clue itself.
        work: what an editor keeps of the work on the puzzle, as JSON; nothing of it is seen by those who solve.
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
    drafts: Mapping[ClueId, tuple[str, ...]] = field(default_factory=dict, kw_only=True)
    work: Mapping[str, Any] = field(default_factory=dict, compare=False, kw_only=True)
    unread: tuple[str, ...] = field(default=(), compare=False)

    @property
    def locked(self) -> frozenset[CellId]:
        """The cells whose letters the work on the puzzle keeps locked; a slot of such cells alone is an own entry."""
        cells = self.work.get("locked")
        return frozenset(cell for cell in cells if isinstance(cell, int)) if isinstance(cells, list) else frozenset()

    def __post_init__(self) -> None:
        self._check_types()
        if not (1 <= self.height <= MAX_SIDE and 1 <= self.width <= MAX_SIDE):
            raise expected(
                "a grid of 1 to {most} rows and columns",
                f"{self.height} x {self.width}",
                error=GridError,
                most=MAX_SIDE,
            )
        if len(self.cells) != self.height * self.width:
            raise expected("{n} cells", str(len(self.cells)), error=GridError, n=self.height * self.width)
        cells = self._clean_cells()
        open_cells = frozenset(cell for cell, answer in enumerate(cells) if answer is not None)
        clues = {clue: clean(text) for clue, text in self.clues.items()}
        drafts = {clue: [clean(text) for text in texts] for clue, texts in self.drafts.items()}
        cleaned = {PuzzlePart.NOTES: clean_lines, PuzzlePart.COPYRIGHT: clean_copyright}
        metadata = {part: cleaned.get(part, clean)(text) for part, text in self.metadata.items()}
        named = {f"clue of {number}-{direction}": text for (direction, number), text in clues.items()}
        longest = {f"drafts of {number}-{way}": max(texts, key=len) for (way, number), texts in drafts.items() if texts}
        for what, text in {**{part.value: text for part, text in metadata.items()}, **named, **longest}.items():
            if len(text) > MAX_TEXT:
                raise expected(
                    "texts of at most {most} characters",
                    say("{letters} in {at}", letters=len(text), at=say(f"the {what}")),
                    error=FormatError,
                    most=MAX_TEXT,
                )
        settled = {
            "cells": cells,
            "clues": {clue: text for clue, text in clues.items() if text},
            "metadata": {part: text for part, text in metadata.items() if text and part in METADATA},
            "bars": frozenset(bar for bar in self.bars if open_cells.issuperset(bar)),
            "circles": open_cells & self.circles,
            "voids": frozenset(range(len(cells))) & self.voids - open_cells,
            "letter_sets": {
                cell: one for cell, one in self.letter_sets.items() if cell in open_cells and not cells[cell]
            },
            "givens": frozenset(cell for cell in self.givens & open_cells if cells[cell]),
            "shades": {cell: find_colour(self.shades[cell]) or SHADE for cell in self.shades.keys() & open_cells},
        }
        for name, value in settled.items():
            object.__setattr__(self, name, value)
        if not self.slots:
            raise expected("at least one slot: 2 open cells in a row", say("none"), error=GridError)
        if drafts:
            object.__setattr__(self, "drafts", self._sort_out(drafts))
        if self.labels:
            object.__setattr__(self, "labels", self._clean_labels())

    def _check_types(self) -> None:
        for name, (what, fits) in _TYPES.items():
            value = getattr(self, name)
            if not fits(value):
                raise wrong_type(f"{what} for {name}", value)

    def _clean_cells(self) -> tuple[str | None, ...]:
        cleaned: dict[str | None, str | None] = {None: None}
        for cell, answer in enumerate(self.cells):
            if answer not in cleaned:
                if len(answer or "") > MAX_ANSWER:
                    expected = say("answers of at most {most} characters a cell", most=MAX_ANSWER)
                    got = say("{letters} in {at}", letters=len(answer or ""), at=self.tell_place(cell))
                    raise FormatError(Fault(expected, got))
                cleaned[answer] = clean_answer(answer or "")
        return tuple(cleaned[answer] for answer in self.cells)

    def _clean_labels(self) -> dict[CellId, str]:
        """Return the labels of open cells; none if they are the usual numbers."""
        labels = {cell: clean(text) for cell, text in self.labels.items()}
        for cell, text in labels.items():
            if len(text) > MAX_ANSWER:
                got = say("{letters} in {at}", letters=len(text), at=self.tell_place(cell))
                raise FormatError(Fault(say("labels of at most {most} characters", most=MAX_ANSWER), got))
        own = {cell: labels[cell] for cell in sorted(labels) if labels[cell] not in _NO_LABEL and self._is_open(cell)}
        return {} if own == {cell: str(number) for cell, number in self.numbers.items()} else own

    def _is_open(self, cell: CellId) -> bool:
        return 0 <= cell < len(self.cells) and self.cells[cell] is not None

    def _sort_out(self, drafts: Mapping[ClueId, list[str]]) -> dict[ClueId, tuple[str, ...]]:
        """Return the drafts that belong to slots, without empty texts, duplicates, and texts that equal the clue."""
        others = {
            clue: tuple(text for text in dict.fromkeys(texts) if text and text != self.clues.get(clue))
            for clue, texts in drafts.items()
            if clue in self.slot_of
        }
        return {clue: texts for clue, texts in others.items() if texts}

    @classmethod
    def of_grid(cls, grid: Grid, letters: Sequence[str] | None = None) -> Self:
        """Return a template as a puzzle, with the letters of a fill (empty for blocks) or else with its givens."""
        members = [grid.alphabet.members(cell) for cell in grid.cells]
        answers = letters or grid.givens
        return cls(
            grid.height,
            grid.width,
            tuple(answer if cell else None for cell, answer in zip(grid.cells, answers, strict=True)),
            bars=grid.bars,
            letter_sets={
                cell: one for cell, one in enumerate(members) if len(one) > 1 and grid.cells[cell] != grid.alphabet.full
            },
        )

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
        """What stands in the corner of a cell: its own label, or its number if the puzzle has no labels."""
        return self.labels or {cell: str(number) for cell, number in self.numbers.items()}

    def caption(self, clue: ClueId) -> str:
        """Return what a clue is listed under: what stands in the first cell of its slot; its number if it has none."""
        slot = self.slot_of.get(clue)
        return self.captions.get(slot.cells[0], "-") if slot else str(clue[1])

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
        children = [self._find_child(clue, int(number), way.lower()) for number, way in others]
        found = tuple(child for child in children if child)
        return LinkedClue(match[1], found, match[2]) if int(first) == clue[1] and len(found) == len(others) else None

    def _find_child(self, parent: ClueId, number: int, way: str) -> ClueId | None:
        """Return the slot of this number that refers to `parent`; without a `way`, one in its direction goes first."""
        direction, referred = parent
        ways = [each for each in Direction if each[0].lower() == way] or sorted(Direction, key=direction.__ne__)
        for child in ((each, number) for each in ways):
            reference = _SEE.match(self.clues.get(child, ""))
            if child in self.slot_of and reference and int(reference[1]) == referred:
                return child
        return None

    def answer(self, slot: Slot, empty: str = "?") -> str:
        """Return the answer of a slot, with `empty` for each cell without an answer."""
        return "".join(self.cells[cell] or empty for cell in slot.cells)

    @property
    def copyright_line(self) -> str:
        """The copyright as it is shown, with its sign."""
        text = self.metadata.get(PuzzlePart.COPYRIGHT)
        return f"© {text}" if text else ""

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
        alphabet = alphabet.including(char for answer in self.cells for char in answer or "" if char in DIGITS)
        cells, rebus = [], {}
        for cell, answer in enumerate(self.cells):
            letters = alphabet.fold(answer or self.letter_sets.get(cell, ""))
            # A sign in a rebus cell, such as A/B, may mean a different answer in each direction.
            if alphabet.foreign(letters) or (answer and not (letters and answer.isalnum())):
                expected = say("letters of {letters} in each cell, to fill the grid", letters=alphabet.letters)
                got = say("{letters} in {at}", letters=f"'{answer or letters}'", at=self.tell_place(cell))
                raise GridError(Fault(expected, got, name))
            if answer and len(letters) > 1:
                rebus[cell], letters = letters, ""
            cells.append(0 if answer is None else alphabet.letter_set(letters) or alphabet.full)
        return Grid(
            self.height,
            self.width,
            tuple(cells),
            alphabet,
            min_slot_length,
            bars=self.bars,
            fixed=self.givens,
            rebus=rebus,
        )

    def fill(self, letters: Sequence[str]) -> Self:
        """Return the puzzle with the letters of a fill, empty for blocks; clues and drafts stay only with their words.

        The clue of a slot is dropped if a letter of the slot has changed. It is also dropped if the slot had no
        complete word but some slot had: its letters were cleared to be replaced. If no slot had a complete word, it is
        unknown to which words the clues belong, and they stay.
        """
        answers = list(zip(self.cells, letters, strict=True))
        fold = Alphabet().fold
        same = [not old or fold(old) == fold(new) for old, new in answers]
        whole = {slot.id for slot in self.slots if all(self.cells[cell] for cell in slot.cells)}
        stale = {
            clue
            for clue, slot in self.slot_of.items()
            if not all(same[cell] for cell in slot.cells) or (whole and slot.id not in whole)
        }
        return replace(
            self,
            cells=tuple(None if old is None else new for old, new in answers),
            clues={clue: text for clue, text in self.clues.items() if clue not in stale},
            drafts={clue: texts for clue, texts in self.drafts.items() if clue not in stale},
        )

    def note(self, unread: tuple[str, ...]) -> Self:
        """Return the puzzle with `unread` set; the other fields are normalised already."""
        noted = copy(self)
        object.__setattr__(noted, "unread", unread)
        return noted

    def __hash__(self) -> int:
        return hash((self.height, self.width, self.cells))

    def __repr__(self) -> str:
        title = f" {self.metadata[PuzzlePart.TITLE]!r}" if PuzzlePart.TITLE in self.metadata else ""
        return f"<Puzzle {self.height}x{self.width}{title}: {len(self.slots)} slots, {len(self.clues)} clues>"

    def diagram(self) -> Puzzle:
        """Return the puzzle itself, which can be drawn directly."""
        return self

    @cached_property
    def parts(self) -> Counter[PuzzlePart]:
        """The number of each part; a text counts once."""
        strays = sum(clue not in self.slot_of for clue in self.clues)
        counts = Counter(dict.fromkeys(self.metadata, 1))
        counts += Counter(
            {
                PuzzlePart.CLUES: len(self.clues) - strays,
                PuzzlePart.DRAFTS: sum(map(len, self.drafts.values())),
                PuzzlePart.STRAYS: strays,
                PuzzlePart.REBUS: sum(len(answer or "") > 1 and _is_spelt(answer) for answer in self.cells),
                PuzzlePart.SYMBOLS: sum(not _is_spelt(answer) for answer in self.cells),
                PuzzlePart.LETTER_SETS: len(self.letter_sets),
                PuzzlePart.GIVENS: len(self.givens),
                PuzzlePart.CIRCLES: len(self.circles),
                PuzzlePart.SHADES: len(self.shades),
                PuzzlePart.LABELS: len(self.labels),
                PuzzlePart.BARS: len(self.bars),
                PuzzlePart.VOIDS: len(self.voids),
            }
        )
        return counts

    def keep(self, parts: Collection[PuzzlePart]) -> Self:
        """Return the puzzle with only the given parts.

        A rebus cell then keeps its first letter, a symbol is dropped, and a void becomes a block. Without bars, slots
        merge and numbers change: a clue and its drafts move to the slot with the same cells; without such a slot they
        are dropped.
        """
        kept = replace(
            self,
            cells=tuple(_keep_answer(answer, parts) for answer in self.cells),
            clues={},
            drafts={},
            metadata={part: text for part, text in self.metadata.items() if part in parts},
            bars=self.bars if PuzzlePart.BARS in parts else frozenset(),
            circles=self.circles if PuzzlePart.CIRCLES in parts else frozenset(),
            shades=self.shades if PuzzlePart.SHADES in parts else {},
            labels=self.labels if PuzzlePart.LABELS in parts else {},
            voids=self.voids if PuzzlePart.VOIDS in parts else frozenset(),
            letter_sets=self.letter_sets if PuzzlePart.LETTER_SETS in parts else {},
            givens=self.givens if PuzzlePart.GIVENS in parts else frozenset(),
        )
        numbers = {(slot.direction, slot.cells): slot.number for slot in kept.slots}
        clues: dict[ClueId, str] = {}
        for (direction, number), text in self.clues.items():
            slot = self.slot_of.get((direction, number))
            if slot is None:
                if PuzzlePart.STRAYS in parts and (direction, number) not in kept.slot_of:
                    clues[direction, number] = text
            elif PuzzlePart.CLUES in parts and (direction, slot.cells) in numbers:
                clues[direction, numbers[direction, slot.cells]] = text
        drafts = {
            (clue[0], numbers[clue[0], cells]): texts
            for clue, texts in self.drafts.items()
            if PuzzlePart.DRAFTS in parts and (clue[0], cells := self.slot_of[clue].cells) in numbers
        }
        return replace(kept, clues=clues, drafts=drafts)

    def tell_place(self, cell: CellId) -> str:
        """Return the row and the column of a cell, as messages name them."""
        return say("row {n}, column {n2}", n=cell // self.width + 1, n2=cell % self.width + 1)

    def tell_losses(self, kept: Puzzle) -> list[str]:
        """Return the parts that `keep` dropped from this puzzle, one line each; `kept` is its result."""
        lost = self.parts - kept.parts
        return [say("dropped {part}", part=_word_count(part, lost[part])) for part in PuzzlePart if lost[part]]


def _are(values: Iterable[object], kinds: type | tuple[type, ...]) -> bool:
    """Return whether all values have one of these types, by the types that there are."""
    return all(issubclass(kind, kinds) for kind in set(map(type, values)))


def _are_clues(keys: Iterable[object]) -> bool:
    return all(
        isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], str) and isinstance(key[1], int) for key in keys
    )


def _are_bars(bars: object) -> bool:
    pairs = bars if isinstance(bars, AbstractSet | list | tuple) else [None]
    return all(isinstance(bar, tuple) and len(bar) == 2 and _are(bar, int) for bar in pairs)


def _are_cells(cells: object) -> bool:
    return isinstance(cells, AbstractSet) and _are(cells, int)


def _map(texts: Any, keys: type) -> bool:  # noqa: ANN401 - whatever is given
    return isinstance(texts, Mapping) and _are(texts, keys) and _are(texts.values(), str)


def _map_drafts(drafts: Any) -> bool:  # noqa: ANN401 - likewise
    return _map_clues(drafts, (tuple, list)) and all(_are(texts, str) for texts in drafts.values())


def _map_clues(texts: object, kinds: tuple[type, ...]) -> bool:
    return isinstance(texts, Mapping) and _are_clues(texts) and _are(texts.values(), kinds)


_ANSWER = (str, NoneType)
_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("height", "width"), ("a number", lambda side: isinstance(side, int))),
    "cells": ("a text or None for each cell", lambda cells: isinstance(cells, tuple | list) and _are(cells, _ANSWER)),
    "clues": ("texts by direction and number", lambda texts: _map_clues(texts, (str,))),
    "metadata": ("texts by PuzzlePart", lambda texts: _map(texts, PuzzlePart)),
    "bars": ("a set of pairs of cells", _are_bars),
    **dict.fromkeys(("circles", "voids", "givens"), ("a set of cells", _are_cells)),
    **dict.fromkeys(("letter_sets", "shades", "labels"), ("texts by cell", lambda texts: _map(texts, int))),
    "drafts": ("tuples of texts by direction and number", _map_drafts),
    "work": ("a JSON object", lambda work: isinstance(work, Mapping)),
    "unread": ("a tuple of texts", lambda lines: isinstance(lines, tuple) and _are(lines, str)),
}
"""What each argument of a `Puzzle` is, and whether a value is that."""


def _is_spelt(answer: str | None) -> bool:
    """Return whether an answer has no digits or symbols."""
    return not answer or answer.isalpha()


def _keep_answer(answer: str | None, parts: Collection[PuzzlePart]) -> str | None:
    if answer and (PuzzlePart.REBUS if _is_spelt(answer) else PuzzlePart.SYMBOLS) not in parts:
        return answer[0] if answer[0].isalpha() else ""
    return answer


def _word_count(part: PuzzlePart, count: int) -> str:
    if part in METADATA:
        return say(f"the {part}")
    return say_count(count, part)


def find_bars(sides: Iterable[tuple[CellId, str]], width: int, cells: int) -> frozenset[Bar]:
    """Return the bars on sides of cells, each one of `TRBL` (top, right, bottom, left); the border is ignored."""
    bars = set()
    for cell, side in sides:
        row_end = (cell + 1) % width == 0
        row_start = cell % width == 0
        match side:
            case "T" if cell >= width:
                bars.add((cell - width, cell))
            case "B" if cell + width < cells:
                bars.add((cell, cell + width))
            case "L" if not row_start:
                bars.add((cell - 1, cell))
            case "R" if not row_end:
                bars.add((cell, cell + 1))
    return frozenset(bars)
