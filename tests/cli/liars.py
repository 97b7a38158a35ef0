"""Engines with a fault each, put in the place of `fc` to see that it is noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cpfill.engines.backtrack.engine import FcEngine
from cpfill.engines.contract import Feature
from cpfill.problem.event import Bound, Finished, Found, Started, StopReason
from cpfill.problem.fill import Fill

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits


class Liar:
    """Does what `fc` does; its heirs falsify the stream."""

    name: ClassVar[str] = "fc"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        yield Started(self.name)
        yield from self.lies(problem, list(FcEngine().search(problem, limits))[1:])

    def lies(self, problem: Problem, truth: list[Event]) -> Generator[Event]:
        raise NotImplementedError


class Denier(Liar):
    """Claims that there is no fill."""

    def lies(self, problem: Problem, truth: list[Event]) -> Generator[Event]:  # noqa: ARG002
        yield Finished(StopReason.EXHAUSTED, "a lie")


class Forgetter(Liar):
    """Leaves the first fill out."""

    def lies(self, problem: Problem, truth: list[Event]) -> Generator[Event]:  # noqa: ARG002
        first = next(event for event in truth if isinstance(event, Found))
        yield from (event for event in truth if event is not first)


class Pessimist(Liar):
    """Claims a bound that is too low, and finds nothing."""

    def lies(self, problem: Problem, truth: list[Event]) -> Generator[Event]:  # noqa: ARG002
        yield Bound((1.0,))
        yield Finished(StopReason.TIME)


class Settler(Liar):
    """Claims that the first fill is the best."""

    def lies(self, problem: Problem, truth: list[Event]) -> Generator[Event]:  # noqa: ARG002
        yield next(event for event in truth if isinstance(event, Found))
        yield Finished(StopReason.EXHAUSTED, "a lie")


class Scribbler(Liar):
    """Writes the same letter everywhere."""

    def lies(self, problem: Problem, truth: list[Event]) -> Generator[Event]:  # noqa: ARG002
        yield Found(Fill(tuple("Q" if cell else "" for cell in problem.grid.cells), problem.grid), (50.0,))
        yield Finished(StopReason.FILLS)


class Flatterer(Liar):
    """Says that a fill is worth more than it is."""

    def lies(self, problem: Problem, truth: list[Event]) -> Generator[Event]:  # noqa: ARG002
        first = next(event for event in truth if isinstance(event, Found))
        yield Found(first.fill, (first.value[0] + 1,))
        yield Finished(StopReason.FILLS)


class Timid(Liar):
    """Knows nothing, truthfully."""

    def lies(self, problem: Problem, truth: list[Event]) -> Generator[Event]:  # noqa: ARG002
        yield Finished(StopReason.TIME)
