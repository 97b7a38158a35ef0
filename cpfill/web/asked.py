"""What a question is given, read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.base.reading import Reader
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.questions.request import Request
    from cpfill.web.files import Folder
    from cpfill.web.memory import Memory

Record = dict[str, Any]
"""One message of a stream, as JSON."""

PULSE_S = 0.2
"""Seconds between two progress messages."""


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

    def read(self, name: str, reader: Reader, usual: Any = None) -> Any:  # noqa: ANN401 - what the reader returns
        """Return what the question has by a name, as a reader returns it, or what is usual.

        Raises:
            InputError: the reader expects something else.
        """
        value = self.more.get(name)
        return usual if value is None else reader(name, value)

    def pose_all(self, request: Request | None = None) -> Problem:
        """Return the problem of the request, or of another one, with nothing to maximise.

        Raises:
            InputError: a list cannot be read, or all together makes no sense.
        """
        return self.memory.pose_all(request or self.request)
