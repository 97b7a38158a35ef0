"""The terms of a job besides its grid: the request, the engine and the limits."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import InputError, unknown_name
from cpfill.base.reading import check_text, read_seconds
from cpfill.base.texts import say
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
        engine: the name of the engine.
        seed: the seed of the search.
        time_limit: the limit in seconds.
        node_limit: the limit on nodes of the search.

    Raises:
        InputError: a value is invalid.
    """

    request: Request = field(default_factory=Request)
    engine: str = DEFAULT_ENGINE
    seed: int = 0
    time_limit: float | None = None
    node_limit: int | None = None

    def __post_init__(self) -> None:
        engine_class(check_text(say("the name of an engine"), "engine", self.engine))
        _ = self.limits

    @property
    def limits(self) -> Limits:
        """The limits, with one worker, because the jobs themselves run in parallel."""
        return Limits(time_s=self.time_limit, nodes=self.node_limit, seed=self.seed)

    @property
    def own(self) -> dict[str, Any]:
        """The fields other than the request."""
        return {name: getattr(self, name) for name in _OWN}

    def updated(self, given: Mapping[str, Any], find: Callable[[str], ListSource]) -> Terms:
        """Return the terms updated by the decoded line of a job; `find` finds lists.

        Raises:
            InputError: a field does not exist, or its value is invalid.
        """
        for name in given:
            if name not in _NAMES:
                raise InputError(unknown_name(say("a field of a job"), name, {"id", *_NAMES}))
        own: dict[str, Any] = {name: value for name, value in given.items() if name in _OWN}
        if own.get("time_limit") is not None:
            own["time_limit"] = read_seconds("time_limit", own["time_limit"])
        asked = {name: value for name, value in given.items() if name not in _OWN}
        return replace(self, request=self.request.updated(asked, find), **own)


_OWN = tuple(each.name for each in fields(Terms) if each.name != "request")
_NAMES = {*_OWN, *FIELDS}
