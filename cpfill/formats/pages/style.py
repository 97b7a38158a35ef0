"""What a drawing of a puzzle shows, and in what words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.drawing.paint import roman
from cpfill.grid import Direction

if TYPE_CHECKING:
    from cpfill.puzzle import Puzzle

ClueList = tuple[str, list[tuple[str, str]]]
"""A heading, and clues with their labels."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a puzzle is drawn.

    Attributes:
        letters: the solution alone (true), the blank grid and the clues alone (false), or what the format shows by
            itself: both, where it has pages, else the blank one.
        french: rows and columns have the labels (I, II… and 1, 2…), cells no numbers, and clues go by rows and columns.
    """

    letters: bool | None = None
    french: bool = False

    def faces(self, puzzle: Puzzle) -> list[bool]:
        """Return whether each page shows the letters, for a format that has pages."""
        if self.letters is not None:
            return [self.letters]
        return [False, True] if any(puzzle.cells) else [False]

    @staticmethod
    def heading(title: str, *, letters: bool) -> str:
        """Return what stands over the puzzle, or over its solution, in either language."""
        return ": ".join(filter(None, ["Solution" if letters else "", title]))

    def clue_lists(self, puzzle: Puzzle) -> list[ClueList]:
        """Return the lists of clues that are not empty, across before down."""
        if not self.french:
            lists = [
                (str(direction), [(str(number), text) for number, text in puzzle.clues_of(direction)])
                for direction in Direction
            ]
        else:
            lists = [
                ("Horizontalement", _by_line(puzzle, Direction.ACROSS)),
                ("Verticalement", _by_line(puzzle, Direction.DOWN)),
            ]
        return [(heading, clues) for heading, clues in lists if clues]


def _by_line(puzzle: Puzzle, direction: Direction) -> list[tuple[str, str]]:
    """Return the clues of each row or column together, under its label; those of no slot come last."""
    lines: dict[int, list[str]] = {}
    for slot in puzzle.slots:
        if slot.direction is direction and (text := puzzle.clue(slot)):
            row, column = divmod(slot.cells[0], puzzle.width)
            lines.setdefault(row if direction is Direction.ACROSS else column, []).append(
                text if text.endswith((".", "!", "?", "…")) else f"{text}."
            )
    label = roman if direction is Direction.ACROSS else str
    strays = [
        (str(number), text) for number, text in puzzle.clues_of(direction) if (direction, number) not in puzzle.slot_of
    ]
    return [(label(line + 1), " ".join(texts)) for line, texts in sorted(lines.items())] + strays
