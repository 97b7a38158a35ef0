"""The clues of words, given to the slots of a puzzle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.clues.clue_file import Clues
    from cpfill.puzzle.grid import Slot
    from cpfill.puzzle.puzzle import Puzzle

NO_CLUE = "[no clue]"
"""What stands where a slot has no clue."""


def place_clues(puzzle: Puzzle, clues: Clues, seed: int = 0) -> tuple[Puzzle, tuple[Slot, ...]]:
    """Return the puzzle with a clue for every slot, and the slots that have `NO_CLUE`.

    Clues that the puzzle has stay. Every other slot has the first clue of its word that no slot of the same word has,
    counted from the first clue under seed 0, from the second under seed 1, and so on round: a word of n clues has each
    of them first under one of n seeds. Where none is left, or the answer is not complete, the clue is missing.
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
    """Return the answer of a slot, folded; empty if one of its cells has none."""
    complete = all(puzzle.cells[cell] for cell in slot.cells)
    return alphabet.fold(puzzle.answer(slot)) if complete else ""
