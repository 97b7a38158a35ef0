"""What an engine tells while it works.

An engine yields `Started`, then any number of `Progress`, `Found` and `Bound`, and exactly one `Finished`, last.
Everything a person sees is a fold over these. An engine that is asked to trace its search has each step in a `Progress`
of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cpfill.problem.criteria import Value
    from cpfill.problem.fill import Fill
    from cpfill.problem.trace import Step
    from cpfill.puzzle.grid import SlotId


class StopReason(StrEnum):
    """Why a search ended."""

    EXHAUSTED = "exhausted"
    FILLS = "fills"
    TIME = "time"
    NODES = "nodes"
    SOLVER = "solver"
    """A limit that was set with a parameter of the solver."""
    TRIES = "tries"
    """A limited number of tries found no further fill, which proves nothing."""
    ALIKE = "alike"
    """There are other fills, and it is proved that each is too much like one of those found."""
    INTERRUPTED = "interrupted"


class Stats(NamedTuple):
    """What a search took. Counters that mean nothing to an engine stay 0.

    Attributes:
        nodes: assignments tried (branches of CP-SAT).
        backtracks: dead ends (conflicts of CP-SAT).
        backjumps: backtracks that passed over at least one level.
        checks: bitset intersections of a crossing.
        build_s: seconds before the search: arc consistency, model building.
        search_s: seconds of search.
    """

    nodes: int = 0
    backtracks: int = 0
    backjumps: int = 0
    checks: int = 0
    build_s: float = 0.0
    search_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Started:
    """The engine accepts the problem and begins."""

    engine: str


@dataclass(frozen=True, slots=True)
class Progress:
    """A sign of life.

    Attributes:
        note: what is being done.
        stats: what the search took so far.
        counted: how many fills there are so far, where they are counted and not told; `None` where each is told.
        step: what the search just did, where it is traced; `None` for a mere sign of life.
    """

    note: str
    stats: Stats = field(default_factory=Stats)
    counted: int | None = None
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A fill and its value. With an objective each is better than the one before.

    Attributes:
        fill: the fill.
        value: what it is worth.
        better: whether it takes the place of the fill before where nothing is maximised: its weakest words are better,
            though it may be worth the same.
    """

    fill: Fill
    value: Value
    better: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """The proof that no fill is worth more than `value`.

    Where several criteria are maximised, the first may be bounded alone: `value` is then shorter than those of fills.
    """

    value: Value


@dataclass(frozen=True, slots=True)
class Finished:
    """The end.

    Attributes:
        reason: why the search ended.
        proof: what the claim rests on, where something was proved; empty otherwise.
        wipeout: the slot left without a word, where that alone shows that there is no fill.
        stats: what the search took.
        counted: how many fills there are, where they were counted and not told; `None` where each was told.
    """

    reason: StopReason
    proof: str = ""
    wipeout: SlotId | None = None
    stats: Stats = field(default_factory=Stats)
    counted: int | None = None

    @property
    def exhausted(self) -> bool:
        """Whether the engine proved that there is nothing more, or nothing better, than it found."""
        return self.reason is StopReason.EXHAUSTED


Event = Started | Progress | Found | Bound | Finished
"""Whatever an engine yields."""
