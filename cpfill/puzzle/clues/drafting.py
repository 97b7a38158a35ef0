"""Draft clues: a clue from dictionaries for every slot of a puzzle, marked until somebody edits it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.puzzle.clues.dictionaries import look_up
from cpfill.puzzle.clues.files import ClueCollection
from cpfill.puzzle.clues.placing import fold_answer, place_clues
from cpfill.puzzle.parts import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.clues.dictionaries import Lookup
    from cpfill.puzzle.grid import Slot
    from cpfill.puzzle.puzzle import Puzzle

DRAFT = "~ "
"""The beginning of a draft clue, in every format."""


def draft_clues(
    puzzle: Puzzle, lookups: Mapping[str, Lookup], alphabet: Alphabet, seed: int = 0
) -> tuple[Puzzle, tuple[Slot, ...]]:
    """Return the puzzle with a draft for every slot that has no clue, and the slots without one, as `place_clues` does.

    `lookups` are dictionaries by name; a line of the notes names them.
    """
    words = filter(None, [fold_answer(puzzle, slot, alphabet) for slot in puzzle.slots])
    found = look_up(words, [*lookups.values()], alphabet)
    drafts = {word: tuple(f"{DRAFT}{clue}" for clue in clues) for word, clues in found.words.items()}
    told = say("{mark} draft clue: {sources}", mark=DRAFT.strip(), sources="; ".join(lookups))
    notes = [puzzle.metadata.get(PuzzlePart.NOTES, ""), told]
    noted = replace(puzzle, metadata={**puzzle.metadata, PuzzlePart.NOTES: "\n".join(filter(None, notes))})
    return place_clues(noted, ClueCollection(drafts, alphabet), seed)
