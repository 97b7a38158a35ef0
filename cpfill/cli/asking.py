"""The loop of every verb that asks a question: parts of the answer, progress, interrupts, JSON."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from cpfill.cli.interrupts import HOLD
from cpfill.cli.output import emit, json_line
from cpfill.questions.question import Desk, End

if TYPE_CHECKING:
    from collections.abc import Callable

    from cpfill.questions.question import Part, Question


class PacedDesk(Desk):
    """A desk for answers with long progress: it is reported twice a second at most."""

    pulse_s: ClassVar[float] = 0.5


def ask(question: Question, desk: Desk, show: Callable[[Any], None]) -> Any:
    """Pass each part of an answer to `show`, the end last; return the end.

    An interrupt ends the search, and its last part still comes. `show` is never interrupted within a part. A second
    interrupt is raised, and so is the first if the question does not handle interrupts.
    """
    struck = False
    with closing(question.answer(desk)) as parts:
        following = partial(next, parts)
        while True:
            try:
                step, following = following, partial(next, parts)
                part: Part = step()
                with HOLD:
                    show(part)
                if isinstance(part, End):
                    return part
            except KeyboardInterrupt:
                if struck:
                    raise
                struck = True
                following = partial(parts.throw, KeyboardInterrupt)


def print_record(part: Part, grid: str | None = None, write: Callable[[str], None] = emit) -> None:
    """Print a part of an answer as a line of JSON, after the name of its grid if there is one."""
    named = {} if grid is None else {"grid": grid}
    write(json_line({**named, **part.record}))
