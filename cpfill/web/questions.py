"""What can be asked of a puzzle: each question a generator of records, the last of which has `done`.

A question reads what it is given, calls what the verb of the same name calls, and tells what comes. Nothing is decided
here. It runs in a thread of its own; whoever asked may close it after any record.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, InputError
from cpfill.base.ranges import Range
from cpfill.base.record_lines import parse_object
from cpfill.base.texts import later, say
from cpfill.web.asked import Asked, Record
from cpfill.web.describing import ask_check, ask_clues, ask_generate, ask_heatmap, ask_stats
from cpfill.web.searching import ask_best, ask_candidates, ask_count, ask_explain, ask_letters, ask_solve
from cpfill.web.watching import CHOICES, ask_watch
from cpfill.web.wire import check_object, parse_puzzle, parse_request

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cpfill.problem.limits import Limits
    from cpfill.web.files import Folder
    from cpfill.web.memory import Memory

SECONDS = Range(0, 600, later("seconds"), whole=False)
"""How long a question may take; `USUAL_S` is the default."""

USUAL_S = 10.0


def begin(name: str, body: bytes, memory: Memory, folder: Folder) -> Callable[[Limits], Generator[Record]]:
    """Return what begins the question of a name, of what was sent with it; its first step raises what is wrong.

    Raises:
        KeyError: there is no question of that name.
    """
    question = _QUESTIONS[name]

    def ask(limits: Limits) -> Generator[Record]:
        given = check_object(say("the question"), parse_object(body), {"puzzle", "request", "seconds", *question.keys})
        seconds = given.get("seconds", USUAL_S)
        SECONDS.check(seconds, "seconds")
        if question.of_puzzle and "puzzle" not in given:
            raise InputError(Fault(say("a puzzle to ask about"), say("none")))
        puzzle = parse_puzzle(given["puzzle"]) if "puzzle" in given else None
        lists = memory.lists
        request = parse_request(given.get("request", {}), puzzle, lists.find, lists.find_personal())
        yield from question.ask(Asked(puzzle, request, given, memory, folder), replace(limits, time_s=float(seconds)))

    return ask


@dataclass(frozen=True, slots=True)
class _Question:
    """A question: what answers it, its keys beside the common ones, and whether it is about a puzzle."""

    ask: Callable[[Asked, Limits], Generator[Record]]
    keys: frozenset[str] = frozenset()
    of_puzzle: bool = True


_QUESTIONS = {
    "candidates": _Question(ask_candidates, frozenset({"slot"})),
    "best": _Question(ask_best, frozenset({"slot", "words"})),
    "letters": _Question(ask_letters, frozenset({"cells"})),
    "solve": _Question(ask_solve, frozenset({"engine", "seed", "different"})),
    "count": _Question(ask_count),
    "explain": _Question(ask_explain),
    "stats": _Question(ask_stats, frozenset({"style"})),
    "check": _Question(ask_check),
    "generate": _Question(
        ask_generate,
        frozenset(
            {
                "size",
                "style",
                "symmetry",
                "blocks",
                "max_words",
                "seed_words",
                "fillable",
                "filled",
                "around",
                "number",
                "seed",
            }
        ),
        of_puzzle=False,
    ),
    "clues": _Question(ask_clues, frozenset({"words", "files"}), of_puzzle=False),
    "heatmap": _Question(ask_heatmap, of_puzzle=False),
    "watch": _Question(ask_watch, frozenset({"engine", "seed", "steps", "revisions", *CHOICES})),
}

QUESTIONS = tuple(_QUESTIONS)
"""The names of the questions."""
