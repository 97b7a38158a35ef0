"""What is asked of a job beside its grid: a request, the engine and the limits."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import InputError, unknown_name
from cpfill.base.reading import check_text, read_seconds
from cpfill.engines import DEFAULT_ENGINE, engine_class
from cpfill.problem.limits import Limits
from cpfill.questions.request import FIELDS, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cpfill.words.wordlist import ListSource


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a job.

    Attributes:
        request: the words, the rules, the objective.
        engine: its name.
        seed: of the search.
        time_limit: seconds.
        node_limit: nodes of the search.

    Raises:
        InputError: a value makes no sense.
    """

    request: Request = field(default_factory=Request)
    engine: str = DEFAULT_ENGINE
    seed: int = 0
    time_limit: float | None = None
    node_limit: int | None = None

    def __post_init__(self) -> None:
        engine_class(check_text("the name of an engine", "engine", self.engine))
        _ = self.limits

    @property
    def limits(self) -> Limits:
        """The limits, with one worker: it is the jobs that run side by side."""
        return Limits(time_s=self.time_limit, nodes=self.node_limit, seed=self.seed)

    @property
    def own(self) -> dict[str, Any]:
        """What is asked beside the request."""
        return {name: getattr(self, name) for name in _OWN}

    def updated(self, given: Mapping[str, Any], find: Callable[[str], ListSource]) -> Terms:
        """Return the terms with what the line of a job says, decoded; `find` finds lists.

        Raises:
            InputError: there is no such field, or it has a value that makes no sense.
        """
        for name in given:
            if name not in _NAMES:
                raise InputError(unknown_name("a field of a job", name, {"id", *_NAMES}))
        own: dict[str, Any] = {name: value for name, value in given.items() if name in _OWN}
        if own.get("time_limit") is not None:
            own["time_limit"] = read_seconds("time_limit", own["time_limit"])
        asked = {name: value for name, value in given.items() if name not in _OWN}
        return replace(self, request=self.request.updated(asked, find), **own)


_OWN = tuple(each.name for each in fields(Terms) if each.name != "request")
_NAMES = {*_OWN, *FIELDS}
