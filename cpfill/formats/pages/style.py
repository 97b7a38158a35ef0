"""What a drawing of a puzzle shows, and in what words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.grid import Direction

if TYPE_CHECKING:
    from cpfill.puzzle import Puzzle

HeadedClues = tuple[str, list[tuple[str, str]]]
"""A heading, and clues with their labels."""

_CHARSET = "cp1252"
_CLOSING = " \"'»”\u2019"


_SPACING = {0x202F: "\u00a0", 0x200C: None, 0x200D: None}


def fit_charset(text: str) -> str:
    """Return a text as the fonts that come with `cpfill[print]` can show it, with ? for what they lack."""
    return text.translate(_SPACING).encode(_CHARSET, "replace").decode(_CHARSET)


def find_lacking(text: str, charset: str) -> list[str]:
    """Return the characters that are shown as ?, each once."""
    return sorted({char for char in text.translate(_SPACING) if not char.encode(charset, "ignore")})


@dataclass(frozen=True, slots=True)
class PageStyle:
    """How a puzzle is drawn.

    Attributes:
        letters: the solution alone (true), the blank grid and the clues alone (false), or what the format shows by
            itself: both, where it has pages, else the blank one.
        french: rows and columns have the labels (I, II… and 1, 2…), cells no numbers, and clues go by rows and columns.
    """

    letters: bool | None = None
    french: bool = False

    def list_faces(self, puzzle: Puzzle) -> list[bool]:
        """Return whether each page shows the letters, for a format that has pages."""
        if self.letters is not None:
            return [self.letters]
        return [False, True] if any(puzzle.cells) else [False]

    @staticmethod
    def heading(title: str, *, letters: bool) -> str:
        """Return what stands over the puzzle, or over its solution, in either language."""
        return ": ".join(filter(None, ["Solution" if letters else "", title]))

    def list_headed_clues(self, puzzle: Puzzle) -> list[HeadedClues]:
        """Return the lists of clues, across before down, with `NO_CLUE` for slots without one.

        A puzzle without any clue has no lists, and a direction without slots has none.
        """
        if not puzzle.clues:
            return []
        if not self.french:
            lists = [
                (str(way), [(str(number), text) for number, text in _collect_clues(puzzle, way)]) for way in Direction
            ]
        else:
            lists = [
                ("Horizontalement", _group_by_line(puzzle, Direction.ACROSS)),
                ("Verticalement", _group_by_line(puzzle, Direction.DOWN)),
            ]
        return [(heading, clues) for heading, clues in lists if clues]


def _collect_clues(puzzle: Puzzle, direction: Direction) -> list[tuple[int, str]]:
    """Return a clue for every slot of a direction, and those of no slot, by their numbers."""
    from cpfill.clues.placing import NO_CLUE  # noqa: PLC0415 - formats are imported for every verb, drawn by few

    missing = {slot.number: NO_CLUE for slot in puzzle.slots if slot.direction is direction}
    return sorted((missing | dict(puzzle.list_clues(direction))).items())


def _group_by_line(puzzle: Puzzle, direction: Direction) -> list[tuple[str, str]]:
    """Return the clues of each row or column together, under its label; those of no slot come last."""
    from cpfill.drawing.paint import write_roman  # noqa: PLC0415 - likewise

    label = write_roman if direction is Direction.ACROSS else str
    lines: dict[int, list[str]] = {}
    strays = []
    for number, text in _collect_clues(puzzle, direction):
        if slot := puzzle.slot_of.get((direction, number)):
            row, column = divmod(slot.cells[0], puzzle.width)
            lines.setdefault(row if direction is Direction.ACROSS else column, []).append(_end_sentence(text))
        else:
            strays.append((str(number), text))
    return [(label(line + 1), " ".join(texts)) for line, texts in sorted(lines.items())] + strays


def _end_sentence(text: str) -> str:
    """Return a text with a full stop, unless a sentence ends before its closing quotes, or the lengths of its words."""
    said = text.rstrip(_CLOSING)
    if said.endswith(")"):
        said = said[: said.rfind("(")].rstrip(_CLOSING) or said.rstrip(")")
    return text if said.endswith((".", "!", "?", "…")) else f"{text}."
