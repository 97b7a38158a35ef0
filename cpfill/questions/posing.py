"""What became of the words that a problem was posed with: told alike by the command line, batches and the page."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.problem.problem import Problem
    from cpfill.questions.request import Request
    from cpfill.words.shelf import Shelf


class Refusal(StrEnum):
    """Why a word that is given whole stands in the way of every fill."""

    LOW = "low"
    """It scores under the minimum."""
    BANNED = "banned"
    """The personal list bans it."""
    UNLISTED = "unlisted"
    """No list has it, and own entries are not accepted."""
    EXCLUDED = "excluded"
    """It is excluded."""


class Posed(NamedTuple):
    """What became of words.

    Attributes:
        accepted: those given whole that no list has, and which are entries of one's own.
        exempt: own entries that their lists score lower than the rules ask for, each with its score.
        refused: those given whole that no fill may have, in the order of the alphabet, each with why.
        theme: how many theme words there are.
        theme_skipped: how many of these no slot can hold.
    """

    accepted: tuple[str, ...]
    exempt: Mapping[str, float]
    refused: Mapping[str, Refusal]
    theme: int
    theme_skipped: int


def describe_posing(problem: Problem, request: Request, shelf: Shelf) -> Posed:
    """Return what became of the words of a request in one of its problems; `shelf` is where lists were read from."""
    pool = len(request.pool(shelf))
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
    return Posed(problem.accepted, problem.exempt, refused, pool, pool - len(problem.theme))
