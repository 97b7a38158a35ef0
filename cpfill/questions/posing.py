"""Which words of a request were accepted, refused or skipped: the report of the command line, batches and the page."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.problem.problem import Problem
    from cpfill.questions.request import Request
    from cpfill.words.sources import Shelf


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


class Posed(NamedTuple):
    """Which words were accepted, refused or skipped.

    Attributes:
        accepted: completely given words that no list has; they count as own entries.
        exempt: own entries whose lists score them lower than the rules allow, each with that score.
        refused: completely given words that no fill may have, in alphabetical order, each with the reason.
        theme: the number of theme words.
        theme_skipped: the number of theme words that fit no slot.
    """

    accepted: tuple[str, ...]
    exempt: Mapping[str, float]
    refused: Mapping[str, Refusal]
    theme: int
    theme_skipped: int


def describe_posing(problem: Problem, request: Request, shelf: Shelf) -> Posed:
    """Return which words of a request one of its problems accepts, refuses or skips; `shelf` holds the lists read."""
    pool = request.pool(shelf)
    placeable = problem.theme.keys() | (pool.keys() & problem.avoided)
    own = {} if request.personal is None else shelf.word_list(request.personal, request.alphabet).weights
    refused: dict[str, Refusal] = {}
    for word in sorted(problem.grid.given_words):
        entry = problem.lexicon.find(word)
        if entry is not None and entry[0] < request.min_score:
            refused[word] = Refusal.LOW
        elif entry is None and own.get(word) == 0:
            refused[word] = Refusal.BANNED
        elif entry is None:
            refused[word] = Refusal.UNLISTED if problem.lexicon.unlisted([word]) else Refusal.EXCLUDED
    return Posed(problem.accepted, problem.exempt, refused, len(pool), len(pool.keys() - placeable))
