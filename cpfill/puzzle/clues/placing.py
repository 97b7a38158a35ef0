"""A clue for every slot of a puzzle, from the clues of its word."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.clues.files import ClueCollection
    from cpfill.puzzle.grid import Slot, SlotId
    from cpfill.puzzle.puzzle import Puzzle

NO_CLUE = "[no clue]"
"""The text of a missing clue."""


def place_clues(puzzle: Puzzle, clues: ClueCollection, seed: int = 0) -> tuple[Puzzle, tuple[Slot, ...]]:
    """Return the puzzle with a clue for every slot, and the slots that have `NO_CLUE`.

    Existing clues stay. Every other slot gets the first clue of its word that no other slot with that word has. The
    search begins with the first clue for seed 0, with the second for seed 1, and so on cyclically, so n consecutive
    seeds begin with each of n clues in turn. A slot gets `NO_CLUE` if no clue is left or its answer is incomplete.
    """
    words = {slot.id: fold_answer(puzzle, slot, clues.alphabet) for slot in puzzle.slots}
    placed = _list_placed(puzzle)
    used = {(words[id_], clue) for id_, clue in placed.items()}
    for slot in puzzle.slots:
        if slot.id in placed:
            continue
        word = words[slot.id]
        known = _rotate(clues.words.get(word, ()), seed)
        unused = [clue for clue in known if (word, clue) not in used]
        placed[slot.id] = unused[0] if unused else NO_CLUE
        used.add((word, placed[slot.id]))
    given = {(slot.direction, slot.number): placed[slot.id] for slot in puzzle.slots}
    missing = tuple(slot for slot in puzzle.slots if placed[slot.id] == NO_CLUE)
    return replace(puzzle, clues={**puzzle.clues, **given}), missing


def _list_placed(puzzle: Puzzle) -> dict[SlotId, str]:
    """Return the clues that a puzzle has already."""
    clues = {slot.id: puzzle.clue(slot) for slot in puzzle.slots}
    return {id_: clue for id_, clue in clues.items() if clue not in {"", NO_CLUE}}


def _rotate(clues: tuple[str, ...], seed: int) -> tuple[str, ...]:
    if not clues:
        return ()
    first = seed % len(clues)
    return clues[first:] + clues[:first]


def fold_answer(puzzle: Puzzle, slot: Slot, alphabet: Alphabet) -> str:
    """Return the folded answer of a slot, or an empty string if one of its cells has no answer."""
    if not all(puzzle.cells[cell] for cell in slot.cells):
        return ""
    return alphabet.fold(puzzle.answer(slot))
