"""The contract of an engine.

1. `search` yields at least every 0.25 s, and soon after `limits.stop` is set: whoever iterates then closes it.
2. It yields exactly one `Finished`, last.
3. Closing the iterator stops all work and joins all threads and processes within 1 s; nothing else cancels.
4. No fill is yielded twice.
5. A feature the engine lacks raises `UnsupportedError` before any search.
6. The same seed and one worker give the same stream.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Generator
    from random import Random

    from cpfill.problem.criteria import Criterion
    from cpfill.problem.event import Event
    from cpfill.problem.fill import Fill
    from cpfill.problem.limits import Deadline, Limits
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Outcome
    from cpfill.puzzle.grid import SlotId

PULSE_S = 0.1
"""How often an engine gives a sign of life; the contract allows 0.25 s."""


class Feature(StrEnum):
    """What an engine may be able to do. That there is no fill, or no better one, every engine proves."""

    SATISFY = "find a fill"
    ENUMERATE = "find several fills"
    MAXIMISE_MIN = "maximise the least score"
    """V1."""
    MAXIMISE_SUM = "maximise a sum of scores"
    """Whatever adds up; V3 with the one above."""
    LEXIMIN = "maximise all scores, the worst first"
    """V5."""


class Engine(Protocol):
    """Solves problems; options of an engine are arguments of its constructor."""

    name: ClassVar[str]
    features: ClassVar[frozenset[Feature]]

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search, and tell; see the contract above."""


@runtime_checkable
class CountingEngine(Engine, Protocol):
    """An engine that can count fills without telling them."""

    def count(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Do as `search` does, but tell no fill: `counted` of the events says how many there were so far."""


class Probe(Protocol):
    """Answers questions about one problem from one propagated state, without building anything anew."""

    def domain(self, slot: SlotId) -> int:
        """Return the bitset of the words of a slot that propagation, and what was excluded since, leave."""

    def ask(self, slot: SlotId, words: int, nodes: int, deadline: Deadline) -> tuple[Outcome, Fill | None]:
        """Return whether there is a fill in which a slot has one of some words: FOUND with it, EXHAUSTED, or UNKNOWN.

        `nodes` and the deadline limit the work. Every fill is to be audited by whoever asks.
        """

    def expect(self) -> float:
        """Return the decimal logarithm of how many fills to expect: an estimate, minus infinity if there is none."""

    def weigh_crossings(self) -> list[float]:
        """Return for each crossing of the grid 1, and more the more often what meets there has failed."""

    def exclude(self, slot: SlotId, words: int) -> None:
        """Leave words of a slot out of account from now on: no fill has them there, as an answer proved."""


@runtime_checkable
class ProbingEngine(Engine, Protocol):
    """An engine that can answer questions about parts of a problem."""

    def probe(self, problem: Problem, seed: int) -> Probe:
        """Return what answers them; the objective of the problem is left out of account."""


class Sampler(Protocol):
    """Draws fills of one problem at random, each with how many fills it stands for: on average, the number there is."""

    @property
    def refuted(self) -> bool:
        """Whether it is proved that there is no fill."""

    def draw(self, chance: Random, deadline: Deadline) -> tuple[Outcome, float, Fill | None]:
        """Return FOUND, the natural logarithm of how many fills this one stands for, and the fill; or no fill.

        EXHAUSTED is a dead end, which stands for none. UNKNOWN says that the deadline cut the draw short, which is then
        not to be counted. Every fill is to be audited by whoever draws.
        """


@runtime_checkable
class SamplingEngine(Engine, Protocol):
    """An engine that can draw fills at random."""

    def sampler(self, problem: Problem) -> Sampler:
        """Return what draws them; the objective of the problem is left out of account."""


def required_features(problem: Problem, limits: Limits) -> frozenset[Feature]:
    """Return the features that a task takes."""
    if problem.criteria:
        return frozenset(map(_feature_of, problem.criteria))
    return frozenset({Feature.SATISFY if limits.fills == 1 else Feature.ENUMERATE})


def _feature_of(criterion: Criterion) -> Feature:
    if criterion.adds_up:
        return Feature.MAXIMISE_SUM
    return Feature.LEXIMIN if criterion.is_vector else Feature.MAXIMISE_MIN
