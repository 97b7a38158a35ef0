"""The options of a drawing of a puzzle, its words, and texts as printers set them.

Quotes and apostrophes curl; French has « » and spaces that allow no break.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import expected
from cpfill.base.reading import Field, asked, check_fields, choice_reader, read_flag
from cpfill.base.texts import later
from cpfill.puzzle.clues import NO_CLUE
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Collection

    from cpfill.puzzle.puzzle import Puzzle


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
    """Return a text as a font with these charsets can show it, with ? for characters that it lacks."""
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
        if self is Paper.A4:
            return (595.28, 841.89)
        return (612.0, 792.0)


class PageLayout(StrEnum):
    """How a puzzle is laid out: lists of clues, a manuscript, clues in the blocks, or a page to solve on."""

    NEWSPAPER = "newspaper"
    SUBMISSION = "submission"
    ARROWS = "arrows"
    INTERACTIVE = "interactive"


class PageWords(NamedTuple):
    """The words that a page prints of its own."""

    language: str
    crossword: str
    across: str
    down: str
    solution: str
    solutions: str
    colon: str
    continued: str
    no_clue: str
    bank: str


ENGLISH = PageWords(
    "en", "Crossword", "Across", "Down", "Solution", "Solutions", ": ", "continued", NO_CLUE, "Word bank"
)
FRENCH = PageWords(
    "fr",
    "Mots croisés",
    "Horizontalement",
    "Verticalement",
    "Solution",
    "Solutions",
    "\u00a0: ",
    "suite",
    "[sans définition]",
    "Mots à placer",
)


@dataclass(frozen=True, slots=True)
class PageStyle:
    """How a puzzle is drawn.

    Attributes:
        letters: the solution alone (true), the blank grid and the clues alone (false), or the format's default:
            both, each on pages of its own, where it has pages, else the blank grid.
        french: rows and columns have the labels (I, II… and 1, 2…), cells no numbers, clues go by rows and columns, and
            all words are French, spaced as there.
        paper: the paper, for a format that has pages; A4 by default.
        layout: for readers, or as a manuscript for an editor, which is American, and has the answers; or with the
            clues in the blocks, and so without numbers, labels and lists.
        word_bank: a list of the answers, in alphabetical order, stands beside the blank grid.

    Raises:
        InputError: a manuscript is to be French, or to have the solution alone, or to be without; or a page to solve
            on is to have an option of pages on paper.
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
    layout: PageLayout = asked(
        Field(
            choice_reader(later("a layout"), PageLayout),
            "newspaper; arrows (mots fléchés), not latex; submission (manuscript), html, pdf; interactive, html.",
            "NAME",
        ),
        PageLayout.NEWSPAPER,
    )
    word_bank: bool = asked(
        Field(read_flag, "List the words of the grid beside the clues, in any drawing but png.", option=bool),
        default=False,
    )

    def __post_init__(self) -> None:
        check_fields(self)
        self._check_layout()
        if self.word_bank and self.letters:
            raise expected("--word-bank with the blank grid", "--solution")

    def _check_layout(self) -> None:
        options = self._list_options()
        idle = [option for option in options if option != "--word-bank"]
        if self.layout is PageLayout.INTERACTIVE and idle:
            raise expected("--layout interactive alone, or with --word-bank", idle[0])
        others = [option for option in options if option != "--paper"]
        if self.layout is PageLayout.SUBMISSION and others:
            raise expected("--layout submission alone, or with --paper", others[0])

    def _list_options(self) -> list[str]:
        """Return the options that are set, except the layout."""
        options = []
        if self.french:
            options.append("--french")
        if self.paper:
            options.append("--paper")
        if self.letters is not None:
            options.append("--solution" if self.letters else "--blank")
        if self.word_bank:
            options.append("--word-bank")
        return options

    @property
    def labelled(self) -> bool:
        """Whether rows and columns have labels."""
        return self.french and self.layout is not PageLayout.ARROWS

    @property
    def sheet(self) -> Paper:
        """The paper that is taken."""
        return self.paper or Paper.A4

    @property
    def words(self) -> PageWords:
        """The words that the page prints of its own."""
        if self.french:
            return FRENCH
        return ENGLISH

    def list_faces(self, puzzle: Puzzle) -> list[bool]:
        """Return whether each page shows the letters, for a format that has pages."""
        if self.letters is not None:
            return [self.letters]
        if any(puzzle.cells):
            return [False, True]
        return [False]

    def set_text(self, text: str) -> str:
        """Return a text as printers set it."""
        if self.french:
            return set_french(text)
        return set_english(text)

    def write_heading(self, puzzle: Puzzle, *, letters: bool) -> str:
        """Return the line over the puzzle, or over its solution."""
        parts = [self.write(puzzle, PuzzlePart.TITLE)]
        if letters:
            parts.insert(0, self.words.solution)
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
        """Return the lists of clues, across before down, with a mark for slots without a clue, and last the word bank.

        A puzzle without any clue has no such lists; a direction without slots has no list. Words have no labels.
        """
        lists: list[HeadedClues] = []
        if puzzle.clues and self.layout is not PageLayout.ARROWS:
            lists += self._list_directions(puzzle)
        bank = self.list_bank(puzzle)
        if bank:
            lists.append((self.words.bank, [("", word) for word in bank]))
        return lists

    def list_bank(self, puzzle: Puzzle) -> list[str]:
        """Return the complete answers in alphabetical order, each once, if there is to be a word bank."""
        if not self.word_bank:
            return []
        answers: set[str] = set()
        for slot in puzzle.slots:
            if all(puzzle.cells[cell] for cell in slot.cells):
                answers.update(puzzle.list_answers(slot))
        return sorted(answers, key=Alphabet().fold)

    def _list_directions(self, puzzle: Puzzle) -> list[HeadedClues]:
        lists = []
        for heading, direction in ((self.words.across, Direction.ACROSS), (self.words.down, Direction.DOWN)):
            clues = self._label_clues(puzzle, direction)
            if clues:
                lists.append((heading, [(label, self._set_clue(text)) for label, text in clues]))
        return lists

    def _label_clues(self, puzzle: Puzzle, direction: Direction) -> list[tuple[str, str]]:
        """Return the clues of a direction with their labels."""
        if self.french:
            return _group_by_line(puzzle, direction)
        return [(puzzle.caption((direction, number)), text) for number, text in collect_clues(puzzle, direction)]

    def _set_clue(self, text: str) -> str:
        return self.set_text(text.replace(NO_CLUE, self.words.no_clue))


def list_figures(puzzle: Puzzle) -> list[str]:
    """Return the first figures for an editor: the size, the number of words, the number of blocks."""
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
            entries.append((caption, clue, "/".join(puzzle.list_answers(slot)) if slot else ""))
        if entries:
            lists.append((heading, entries))
    return lists


def collect_clues(puzzle: Puzzle, direction: Direction) -> list[tuple[int, str]]:
    """Return a clue for every slot of a direction, and those of no slot, by their numbers."""
    missing = {slot.number: NO_CLUE for slot in puzzle.slots if slot.direction is direction}
    return sorted((missing | dict(puzzle.list_clues(direction))).items())


def _group_by_line(puzzle: Puzzle, direction: Direction) -> list[tuple[str, str]]:
    """Return the clues of each row or column together, under its label; those of no slot come last."""
    from cpfill.puzzle.drawing import write_roman

    label = write_roman if direction is Direction.ACROSS else str
    lines: dict[int, list[str]] = {}
    strays = []
    for number, text in collect_clues(puzzle, direction):
        slot = puzzle.slot_of.get((direction, number))
        if slot is None:
            strays.append((str(number), text))
            continue
        row, column = divmod(slot.cells[0], puzzle.width)
        line = row if direction is Direction.ACROSS else column
        lines.setdefault(line, []).append(_end_sentence(text))
    return [(label(line + 1), " ".join(texts)) for line, texts in sorted(lines.items())] + strays


def _end_sentence(text: str) -> str:
    """Return a text with a full stop, unless a sentence ends before its closing quotes or the lengths of its words."""
    said = text.rstrip(_CLOSING)
    if said.endswith(")"):
        said = said[: said.rfind("(")].rstrip(_CLOSING) or said.rstrip(")")
    if said.endswith((".", "!", "?", "…")):
        return text
    return f"{text}."


_THIN = "\u202f"
_WIDE = "\u00a0"
"""Spaces that allow no break."""
_BLANK = f"[ {_THIN}{_WIDE}]{{0,9}}"

_QUOTED = re.compile(r'(?<!\w)"([^"]*)"')
_SAID = re.compile(r"(?<!\w)'((?:[^']|(?<=\w)'(?=\w)){1,60})'(?!\w)")
_LONE_N = re.compile(r"(?<!\w)'([Nn])'(?!\w)")
_APOSTROPHE = re.compile(r"(?<=[^\W\d])'|(?<!\w)'(?=\w)")

_OPENED = re.compile(f"«{_BLANK}")
_CLOSED = re.compile(f"{_BLANK}»")
_HIGH = re.compile(rf"(?<=[^\s(\[«]){_BLANK}([;?!]{{1,9}})(?![\w;?!])")
_COLON = re.compile(rf"(?<=[^\s(\[«]){_BLANK}:(?=\s|$)")
_LENGTHS = re.compile(r"(?<=\S) (\(\d[\d,-]*\))")
"""The lengths of the words of an answer, which do not begin a line."""


def set_english(text: str) -> str:
    """Return a text with its straight quotes curled; signs that may be feet and inches stay."""
    text = _QUOTED.sub("“\\1”", text)
    text = _LONE_N.sub("\u2019\\1\u2019", text)
    text = _SAID.sub("\u2018\\1\u2019", text)
    text = _APOSTROPHE.sub("\u2019", text)
    return _LENGTHS.sub(rf"{_WIDE}\1", text)


def set_french(text: str) -> str:
    """Return a text with « » for straight quotes, and with its spaces: before : ; ? ! and within « »."""
    text = _APOSTROPHE.sub("\u2019", text)
    text = _QUOTED.sub(r"«\1»", text)
    text = _OPENED.sub(f"«{_THIN}", text)
    text = _CLOSED.sub(f"{_THIN}»", text)
    text = _HIGH.sub(rf"{_THIN}\1", text)
    text = _COLON.sub(f"{_WIDE}:", text)
    return _LENGTHS.sub(rf"{_WIDE}\1", text)
