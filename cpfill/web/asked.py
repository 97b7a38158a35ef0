"""What a question is given, read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import Fault, InputError
from cpfill.base.ranges import Range, quote_value
from cpfill.questions.fields import check_text, check_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.questions.request import Request
    from cpfill.web.files import Folder
    from cpfill.web.memory import Memory

Record = dict[str, Any]
"""What is told at once, as JSON has it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question is given.

    Attributes:
        puzzle: the puzzle, if there is one.
        request: what is asked of it.
        more: what the question has beside that, by its keys.
        memory: what is kept between questions.
        folder: where files are.
    """

    puzzle: Puzzle | None
    request: Request
    more: Mapping[str, Any]
    memory: Memory
    folder: Folder

    def whole(self, name: str, range_: Range, usual: int) -> int:
        """Return a whole number, or the usual one.

        Raises:
            InputError: it is not in its range.
        """
        value = self.more.get(name, usual)
        range_.check(value, name)
        return int(value)

    def flag(self, name: str) -> bool:
        """Return whether something is asked for.

        Raises:
            InputError: it is neither true nor false.
        """
        value = self.more.get(name, False)
        if not isinstance(value, bool):
            raise InputError(Fault(f"true or false for {name}", quote_value(value)))
        return value

    def text(self, name: str, usual: str) -> str:
        """Return a text, or the usual one.

        Raises:
            InputError: it is none.
        """
        return check_text("a text", name, self.more.get(name, usual))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return texts; none where there are none.

        Raises:
            InputError: it is something else.
        """
        value = self.more.get(name, [])
        return () if value == [] else check_texts("a text, or an array of them,", name, value)

    def pose_all(self, request: Request | None = None) -> Problem:
        """Return the problem of the request, or of another one, with nothing to maximise.

        Raises:
            InputError: a list cannot be read, or all together makes no sense.
        """
        return self.memory.pose_all(request or self.request)
