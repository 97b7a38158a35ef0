"""What both formats of Across Lite share: clues in an order instead of numbers, omitted answers, stand-in letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.alphabet import Alphabet
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.puzzle.grid import Slot
    from cpfill.puzzle.puzzle import Puzzle

KEEPS = frozenset(
    {
        PuzzlePart.TITLE,
        PuzzlePart.AUTHOR,
        PuzzlePart.COPYRIGHT,
        PuzzlePart.NOTES,
        PuzzlePart.CLUES,
        PuzzlePart.REBUS,
        PuzzlePart.SYMBOLS,
        PuzzlePart.CIRCLES,
    }
)
EMPTY = "-"
OMITTED = "X"


def sort_by_number(puzzle: Puzzle) -> list[Slot]:
    """Return the slots in the order of their numbers, across before down on one cell."""
    return sorted(puzzle.slots, key=lambda slot: (slot.number, slot.direction))


def choose_empty(puzzle: Puzzle) -> str:
    """Return what stands for a cell without an answer: X if no cell has any."""
    return EMPTY if any(puzzle.cells) else OMITTED


def clear_omitted(answers: Sequence[str | None]) -> tuple[str | None, ...]:
    """Return the answers without those that only say that there is none: `-`, or X in every cell."""
    omitted = {answer for answer in answers if answer} == {OMITTED}
    return tuple("" if answer == EMPTY or (omitted and answer) else answer for answer in answers)


def choose_letter(answer: str) -> str:
    """Return the letter that is shown for an answer where only single plain letters are understood."""
    return next((char for char in _LATIN.fold(answer) if char in _LATIN.codes), OMITTED)


_LATIN = Alphabet()
