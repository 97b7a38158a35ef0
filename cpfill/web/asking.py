"""From what the page sends to the records of a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, InputError, Range
from cpfill.base.reading import asked_fields
from cpfill.base.records import parse_object
from cpfill.base.texts import later, say
from cpfill.questions.question import question_class
from cpfill.web.wire import check_object, parse_puzzle, parse_request

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cpfill.problem.result import Limits
    from cpfill.questions.question import Record
    from cpfill.web.memory import Memory

SECONDS = Range(0, 600, later("seconds"), whole=False)
"""How long a question may take; `USUAL_S` is the default."""

USUAL_S = 10.0

_OF_NO_PUZZLE = {"generate", "clues", "heatmap"}

_OWN = {"time_limit", "options", "workers"}
"""What a page does not say: its time is `seconds`, and options of engines name files and machines."""


def begin(name: str, body: bytes, memory: Memory) -> Callable[[Limits], Generator[Record]]:
    """Return what begins a question of what was sent with it; its first step raises what is wrong."""

    def ask(limits: Limits) -> Generator[Record]:
        asks = question_class(name)
        own = {*asked_fields(asks), "puzzle", "request", "seconds"} - _OWN
        given = dict(check_object(say("the question"), parse_object(body), own))
        seconds = given.pop("seconds", USUAL_S)
        SECONDS.check(seconds, "seconds")
        if name not in _OF_NO_PUZZLE and "puzzle" not in given:
            raise InputError(Fault(say("a puzzle to ask about"), say("none")))
        puzzle = parse_puzzle(given.pop("puzzle")) if "puzzle" in given else None
        lists = memory.lists
        request = parse_request(given.pop("request", {}), puzzle, lists.find, lists.find_personal)
        said = {name: value for name, value in {**asks.USUAL, **given}.items() if value is not None}
        question = asks(request=request, stop=limits.stop, time_limit=float(seconds), **said)
        yield from question.records(memory)

    return ask
