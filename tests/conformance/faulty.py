"""Engines of another package that fail, each in its own way, at its own time."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, ClassVar

from cpfill.engines.contract import Feature
from cpfill.engines.mac.engine import MacEngine
from cpfill.problem.event import Bound, Found, Started

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits


class _Faulty:
    name: ClassVar[str]
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def search(self, problem: Problem, limits: Limits) -> Any:
        yield Started(self.name)
        yield from self.fail(problem, limits)

    def fail(self, problem: Problem, limits: Limits) -> Generator[Event]:
        raise NotImplementedError


class Unmade(_Faulty):
    name = "unmade"

    def __init__(self) -> None:
        raise ZeroDivisionError("several\nlines")


class Refusing(_Faulty):
    """Ends the program where it is made."""

    name = "refusing"

    def __init__(self) -> None:
        sys.exit(3)


class Searchless(_Faulty):
    """Fails before it returns a stream."""

    name = "searchless"

    def search(self, problem: Problem, limits: Limits) -> Any:  # noqa: ARG002
        raise KeyError("key")


class Eventless(_Faulty):
    name = "eventless"

    def fail(self, problem: Problem, limits: Limits) -> Generator[Event]:  # noqa: ARG002
        raise OSError(28, "no space left on device")
        yield  # type: ignore[unreachable]  # makes it a generator, which fails at its first event


class Quitting(_Faulty):
    name = "quitting"

    def fail(self, problem: Problem, limits: Limits) -> Generator[Event]:  # noqa: ARG002
        sys.exit()
        yield  # type: ignore[unreachable]  # likewise


class Streamless(_Faulty):
    """Returns no stream."""

    name = "streamless"

    def search(self, problem: Problem, limits: Limits) -> Any:  # noqa: ARG002
        return None


class Chatting(_Faulty):
    """Yields what is no event."""

    name = "chatting"

    def fail(self, problem: Problem, limits: Limits) -> Any:  # noqa: ARG002
        yield "a fill is near"


class Unfilled(_Faulty):
    """Finds a fill that is none."""

    name = "unfilled"

    def fail(self, problem: Problem, limits: Limits) -> Any:  # noqa: ARG002
        yield Found("ABC", (1.0,))  # type: ignore[arg-type]


class Wrapping(_Faulty):
    """Has another engine search, and fails at its first fill."""

    name = "wrapping"

    def fail(self, problem: Problem, limits: Limits) -> Generator[Event]:
        for event in MacEngine().search(problem, limits):
            if isinstance(event, Found):
                raise ValueError("after a fill of mac")  # noqa: TRY004 - any error would do
            yield event


class Lying(_Faulty):
    """Says that the fills of another engine cannot be."""

    name = "lying"

    def fail(self, problem: Problem, limits: Limits) -> Generator[Event]:
        for event in MacEngine().search(problem, limits):
            if isinstance(event, Found):
                yield Bound((0.0,))
            yield event
