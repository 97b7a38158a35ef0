"""Why no word fits a slot by itself, and why a given word has no place."""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Slot


class Lack(Enum):
    """The first reason that holds."""

    LONG = auto()
    """The slot is longer than every word."""
    LENGTH = auto()
    """No word is as long as the slot, though some are longer."""
    SCORE = auto()
    """Every word of that length scores too low."""
    FIT = auto()
    """No word of that length fits the letters and the conditions of the slot."""


def find_lack(problem: Problem, slot: Slot) -> Lack | None:
    """Return why no word fits a slot by itself; `None` if one fits."""
    table = problem.tables[slot.id]
    if not len(table):
        longest = max(problem.lexicon.lengths, default=0)
        return Lack.LONG if slot.length > longest else Lack.LENGTH
    if not table.at_least(problem.rules.min_score):
        return Lack.SCORE
    return None if problem.domains[slot.id] else Lack.FIT


class Refusal(StrEnum):
    """Why a completely given word rules out every fill."""

    LOW = "low"
    """It scores less than the minimum."""
    BANNED = "banned"
    """The personal list bans it."""
    UNLISTED = "unlisted"
    """No list has it, and own entries are not accepted."""
    EXCLUDED = "excluded"
    """It is excluded."""
