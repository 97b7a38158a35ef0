"""The contract of an engine.

1. `search` yields at least every 0.25 s, and soon after `limits.stop` is set; the consumer then closes it.
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
"""Seconds between two signs of life of an engine; the contract allows 0.25 s."""


class Feature(StrEnum):
    """What an engine may be able to do. Every engine proves that no fill, or no better one, exists."""

    SATISFY = "find a fill"
    ENUMERATE = "find several fills"
    MAXIMISE_MIN = "maximise the least score"
    """V1."""
    MAXIMISE_SUM = "maximise a sum of scores"
    """Any criterion that adds up; V3 needs this and the feature above."""
    LEXIMIN = "maximise all scores, the worst first"
    """V5."""


class Engine(Protocol):
    """Solves problems. The options of an engine are arguments of its constructor."""

    name: ClassVar[str]
    features: ClassVar[frozenset[Feature]]

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search and yield events; see the contract above."""


@runtime_checkable
class CountingEngine(Engine, Protocol):
    """An engine that can count fills without reporting them."""

    def count(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search as `search` does, but report no fill: `counted` of the events is the number so far."""


class Probe(Protocol):
    """Answers questions about one problem from one propagated state, without rebuilding anything."""

    def domain(self, slot: SlotId) -> int:
        """Return the bitset of the words that propagation and later calls of `exclude` leave a slot."""

    def ask(self, slot: SlotId, words: int, nodes: int, deadline: Deadline) -> tuple[Outcome, Fill | None]:
        """Return whether a fill exists in which the slot has one of `words`: FOUND and the fill, EXHAUSTED, or UNKNOWN.

        `nodes` and the deadline limit the work. The caller must audit the fill.
        """

    def expect(self) -> float:
        """Return an estimate of log10 of the number of fills; minus infinity if there is none."""

    def weigh_crossings(self) -> list[float]:
        """Return the weight of each crossing of the grid: 1, and more for each failure that it took part in."""

    def exclude(self, slot: SlotId, words: int) -> None:
        """Exclude words of a slot from now on, because an answer proved that no fill has them there."""


@runtime_checkable
class ProbingEngine(Engine, Protocol):
    """An engine that can answer questions about parts of a problem."""

    def probe(self, problem: Problem, seed: int) -> Probe:
        """Return a probe of the problem, whose objective is ignored."""


class Sampler(Protocol):
    """Draws random fills of one problem, each with the number of fills that it stands for.

    The mean of these numbers over all draws is the number of fills.
    """

    @property
    def refuted(self) -> bool:
        """Whether it is proved that no fill exists."""

    def draw(self, chance: Random, deadline: Deadline) -> tuple[Outcome, float, Fill | None]:
        """Return FOUND, the natural logarithm of the number of fills that the fill stands for, and the fill.

        EXHAUSTED means a dead end, which counts as 0 fills. UNKNOWN means that the deadline cut the draw short; the
        caller must not count that draw. The caller must audit the fill.
        """


@runtime_checkable
class SamplingEngine(Engine, Protocol):
    """An engine that can draw fills at random."""

    def sampler(self, problem: Problem) -> Sampler:
        """Return a sampler of the problem, whose objective is ignored."""


def required_features(problem: Problem, limits: Limits) -> frozenset[Feature]:
    """Return the features that a task needs."""
    if problem.criteria:
        return frozenset(map(_feature_of, problem.criteria))
    return frozenset({Feature.SATISFY if limits.fills == 1 else Feature.ENUMERATE})


def _feature_of(criterion: Criterion) -> Feature:
    if criterion.adds_up:
        return Feature.MAXIMISE_SUM
    return Feature.LEXIMIN if criterion.is_vector else Feature.MAXIMISE_MIN
