"""What a drawing of a puzzle shows, its words, and texts as printers set them.

Quotes and apostrophes curl; French has « » and spaces that allow no break.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import expected
from cpfill.base.reading import Field, asked, check_fields, choice_reader, read_flag
from cpfill.base.texts import later
from cpfill.puzzle.clues import NO_CLUE
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.puzzle import Puzzle, PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Collection


HeadedClues = tuple[str, list[tuple[str, str]]]
"""A heading, and clues with their labels."""
Entry = tuple[str, str, str]
"""Number, clue and answer of a slot."""

VERA = ("cp1252",)
SERIF = ("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1257")
"""The characters of a font, as charsets that it has the whole of."""
_CLOSING = " \u00a0\u202f\"'»”\u2019"
_SPACING = {0x202F: "\u00a0", 0x200C: None, 0x200D: None}


def fit_charset(text: str, charsets: Collection[str]) -> str:
    """Return a text as a font with these charsets can show it, with ? for what it lacks."""
    text = text.translate(_SPACING)
    return text.translate(dict.fromkeys(map(ord, find_lacking(text, charsets)), "?"))


def find_lacking(text: str, charsets: Collection[str]) -> list[str]:
    """Return the characters that are shown as ?, each once."""
    chars = {*text.translate(_SPACING)}
    return sorted(char for char in chars if not any(char.encode(charset, "ignore") for charset in charsets))


class Paper(StrEnum):
    """The paper of a page."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def points(self) -> tuple[float, float]:
        """Width and height, in points."""
        return (595.28, 841.89) if self is Paper.A4 else (612.0, 792.0)


class Layout(StrEnum):
    """How a puzzle is laid out: lists of clues, a manuscript, clues in the blocks, or a page to solve on."""

    NEWSPAPER = "newspaper"
    SUBMISSION = "submission"
    ARROWS = "arrows"
    INTERACTIVE = "interactive"


class Words(NamedTuple):
    """The words that a page prints of its own."""

    language: str
    crossword: str
    across: str
    down: str
    solution: str
    colon: str
    continued: str
    no_clue: str


ENGLISH = Words("en", "Crossword", "Across", "Down", "Solution", ": ", "continued", NO_CLUE)
FRENCH = Words(
    "fr", "Mots croisés", "Horizontalement", "Verticalement", "Solution", "\u00a0: ", "suite", "[sans définition]"
)


@dataclass(frozen=True, slots=True)
class PageStyle:
    """How a puzzle is drawn.

    Attributes:
        letters: the solution alone (true), the blank grid and the clues alone (false), or what the format shows by
            itself: both, each on pages of its own, where it has pages, else the blank one.
        french: rows and columns have the labels (I, II… and 1, 2…), cells no numbers, clues go by rows and columns, and
            all words are French, spaced as there.
        paper: the paper, for a format that has pages; A4 by default.
        layout: for readers, or as a manuscript for an editor, which is American, and has the answers; or with the
            clues in the blocks, and so without numbers, labels and lists.

    Raises:
        InputError: a manuscript is to be French, or to have the solution alone, or to be without; or a page to solve
            on is to have what paper has.
    """

    letters: bool | None = asked(
        Field(
            read_flag,
            "Draw one of the two. By default svg and png are blank, others have both.",
            option=bool,
            flag="--solution/--blank",
        )
    )
    french: bool = asked(
        Field(read_flag, "Draw in French: rows I, II… and columns 1, 2… instead of numbers.", option=bool),
        default=False,
    )
    paper: Paper | None = asked(
        Field(choice_reader(later("a paper"), Paper), f"Of html, latex, pdf: {' or '.join(Paper)}.", "NAME")
    )
    layout: Layout = asked(
        Field(
            choice_reader(later("a layout"), Layout),
            "newspaper; arrows (mots fléchés), not latex; submission (manuscript), html, pdf; interactive, html.",
            "NAME",
        ),
        Layout.NEWSPAPER,
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if self.layout is Layout.INTERACTIVE and (self.french or self.paper or self.letters is not None):
            what = (
                "--french" if self.french else "--paper" if self.paper else "--solution" if self.letters else "--blank"
            )
            raise expected("--layout interactive alone", what)
        if self.layout is Layout.SUBMISSION and (self.french or self.letters is not None):
            what = "--french" if self.french else "--solution" if self.letters else "--blank"
            raise expected("--layout submission alone, or with --paper", what)

    @property
    def labelled(self) -> bool:
        """Whether rows and columns have labels."""
        return self.french and self.layout is not Layout.ARROWS

    @property
    def sheet(self) -> Paper:
        """The paper that is taken."""
        return self.paper or Paper.A4

    @property
    def words(self) -> Words:
        """The words that the page prints of its own."""
        return FRENCH if self.french else ENGLISH

    def list_faces(self, puzzle: Puzzle) -> list[bool]:
        """Return whether each page shows the letters, for a format that has pages."""
        if self.letters is not None:
            return [self.letters]
        return [False, True] if any(puzzle.cells) else [False]

    def set_text(self, text: str) -> str:
        """Return a text as printers set it."""
        return set_french(text) if self.french else set_english(text)

    def write_heading(self, puzzle: Puzzle, *, letters: bool) -> str:
        """Return what stands over the puzzle, or over its solution."""
        parts = [self.words.solution if letters else "", self.write(puzzle, PuzzlePart.TITLE)]
        return self.words.colon.join(filter(None, parts))

    def write(self, puzzle: Puzzle, part: PuzzlePart) -> str:
        """Return the title, the author or another text about a puzzle, empty if it has none."""
        return self.set_text(puzzle.metadata.get(part, ""))

    def write_notes(self, puzzle: Puzzle) -> list[str]:
        return [line for line in self.write(puzzle, PuzzlePart.NOTES).split("\n") if line]

    def write_copyright(self, puzzle: Puzzle) -> str:
        """Return the copyright with its sign, empty if there is none."""
        return self.set_text(puzzle.copyright_line)

    def list_headed_clues(self, puzzle: Puzzle) -> list[HeadedClues]:
        """Return the lists of clues, across before down, with a mark for slots without one.

        A puzzle without any clue has no lists, and a direction without slots has none.
        """
        if not puzzle.clues or self.layout is Layout.ARROWS:
            return []
        words = self.words
        if self.french:
            lists = [
                (words.across, _group_by_line(puzzle, Direction.ACROSS)),
                (words.down, _group_by_line(puzzle, Direction.DOWN)),
            ]
        else:
            lists = [
                (heading, [(puzzle.caption((way, number)), text) for number, text in collect_clues(puzzle, way)])
                for heading, way in ((words.across, Direction.ACROSS), (words.down, Direction.DOWN))
            ]
        return [
            (heading, [(label, self.set_text(text.replace(NO_CLUE, words.no_clue))) for label, text in clues])
            for heading, clues in lists
            if clues
        ]


def list_figures(puzzle: Puzzle) -> list[str]:
    """Return what editors want to know first: the size, the number of words, the number of blocks."""
    blocks = sum(answer is None for answer in puzzle.cells) - len(puzzle.voids)
    return [
        f"{puzzle.height} x {puzzle.width}",
        f"{len(puzzle.slots)} words",
        f"{blocks} blocks",
    ]


def list_entries(puzzle: Puzzle, style: PageStyle) -> list[tuple[str, list[Entry]]]:
    """Return every slot, across before down; a puzzle without any clue has room for them."""
    lists = []
    for heading, direction in ((ENGLISH.across, Direction.ACROSS), (ENGLISH.down, Direction.DOWN)):
        entries = []
        for number, text in collect_clues(puzzle, direction):
            slot = puzzle.slot_of.get((direction, number))
            clue = style.set_text(text) if puzzle.clues else ""
            caption = puzzle.caption((direction, number))
            entries.append((caption, clue, puzzle.answer(slot) if slot else ""))
        if entries:
            lists.append((heading, entries))
    return lists


def collect_clues(puzzle: Puzzle, direction: Direction) -> list[tuple[int, str]]:
    """Return a clue for every slot of a direction, and those of no slot, by their numbers."""
    missing = {slot.number: NO_CLUE for slot in puzzle.slots if slot.direction is direction}
    return sorted((missing | dict(puzzle.list_clues(direction))).items())


def _group_by_line(puzzle: Puzzle, direction: Direction) -> list[tuple[str, str]]:
    """Return the clues of each row or column together, under its label; those of no slot come last."""
    from cpfill.puzzle.drawing import write_roman  # noqa: PLC0415 - likewise

    label = write_roman if direction is Direction.ACROSS else str
    lines: dict[int, list[str]] = {}
    strays = []
    for number, text in collect_clues(puzzle, direction):
        if slot := puzzle.slot_of.get((direction, number)):
            row, column = divmod(slot.cells[0], puzzle.width)
            lines.setdefault(row if direction is Direction.ACROSS else column, []).append(_end_sentence(text))
        else:
            strays.append((str(number), text))
    return [(label(line + 1), " ".join(texts)) for line, texts in sorted(lines.items())] + strays


def _end_sentence(text: str) -> str:
    """Return a text with a full stop, unless a sentence ends before its closing quotes or the lengths of its words."""
    said = text.rstrip(_CLOSING)
    if said.endswith(")"):
        said = said[: said.rfind("(")].rstrip(_CLOSING) or said.rstrip(")")
    return text if said.endswith((".", "!", "?", "…")) else f"{text}."


_THIN, _WIDE = "\u202f", "\u00a0"
"""Spaces that allow no break."""
_BLANK = f"[ {_THIN}{_WIDE}]{{0,9}}"

_QUOTED = re.compile(r'(?<!\w)"([^"]*)"')
_SAID = re.compile(r"(?<!\w)'((?:[^']|(?<=\w)'(?=\w)){1,60})'(?!\w)")
_LONE_N = re.compile(r"(?<!\w)'([Nn])'(?!\w)")
_APOSTROPHE = re.compile(r"(?<=[^\W\d])'|(?<!\w)'(?=\w)")

_OPENED, _CLOSED = re.compile(f"«{_BLANK}"), re.compile(f"{_BLANK}»")
_HIGH = re.compile(rf"(?<=[^\s(\[«]){_BLANK}([;?!]{{1,9}})(?![\w;?!])")
_COLON = re.compile(rf"(?<=[^\s(\[«]){_BLANK}:(?=\s|$)")
_LENGTHS = re.compile(r"(?<=\S) (\(\d[\d,-]*\))")
"""The lengths of the words of an answer, which no line begins with."""


def set_english(text: str) -> str:
    """Return a text with its straight quotes curled; what may be feet and inches stays."""
    text = _QUOTED.sub("“\\1”", text)
    text = _SAID.sub("\u2018\\1\u2019", _LONE_N.sub("\u2019\\1\u2019", text))
    return _LENGTHS.sub(rf"{_WIDE}\1", _APOSTROPHE.sub("\u2019", text))


def set_french(text: str) -> str:
    """Return a text with « » for straight quotes, and with its spaces: before : ; ? ! and within « »."""
    text = _QUOTED.sub(r"«\1»", _APOSTROPHE.sub("\u2019", text))
    text = _CLOSED.sub(f"{_THIN}»", _OPENED.sub(f"«{_THIN}", text))
    text = _COLON.sub(f"{_WIDE}:", _HIGH.sub(rf"{_THIN}\1", text))
    return _LENGTHS.sub(rf"{_WIDE}\1", text)
