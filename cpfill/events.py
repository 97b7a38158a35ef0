"""What an engine tells while it works, and what the whole of it comes to.

An engine yields `Started`, then any number of `Progress`, `Found` and `Bound`, and exactly one `Finished`, last.
Everything a person sees is a fold over these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from cpfill.drawing import Pictured
from cpfill.errors import Fault, InputError
from cpfill.lexicon import decimal_text
from cpfill.problem import Criterion
from cpfill.ranges import COUNT, NODES, SECONDS, SEED, WORKERS
from cpfill.stop import StopToken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.drawing.paint import Diagram
    from cpfill.fill import Fill
    from cpfill.grid import SlotId
    from cpfill.problem import Value


class Status(StrEnum):
    """What is known of the problem when the search has ended."""

    SATISFIED = "SATISFIED"
    """At least one fill; there may be more, or better ones."""
    OPTIMAL = "OPTIMAL"
    """A fill, and the proof that none is better."""
    ALL_FILLS = "ALL_FILLS"
    """Every fill, and the proof that there are no others."""
    UNSATISFIABLE = "UNSATISFIABLE"
    """The proof that there is no fill."""
    UNKNOWN = "UNKNOWN"
    """No fill found, none excluded."""

    @classmethod
    def of(cls, *, found: bool, exhausted: bool, optimising: bool) -> Status:
        """Return the status; this is the one place where it is decided.

        `exhausted` means the engine proved that nothing more (or nothing better) than what it found exists.
        """
        if not found:
            return cls.UNSATISFIABLE if exhausted else cls.UNKNOWN
        if not exhausted:
            return cls.SATISFIED
        return cls.OPTIMAL if optimising else cls.ALL_FILLS


class StopReason(StrEnum):
    """Why a search ended."""

    EXHAUSTED = "exhausted"
    FILLS = "fills"
    TIME = "time"
    NODES = "nodes"
    SOLVER = "solver"
    """A limit that was set with a parameter of the solver."""
    TRIES = "tries"
    """No further fill was found in so many tries, which proves nothing."""
    INTERRUPTED = "interrupted"


_UNITS_S = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_seconds(text: str) -> float | None:
    """Return the seconds in `10s`, `500ms`, `2m`, `1h` or a bare number, as people write a time limit; else `None`."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)", text.strip())
    if not match or match[2] not in _UNITS_S:
        return None
    return float(match[1]) * _UNITS_S[match[2]]


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop, and with what to work. `None` is no limit; `fills=None` asks for every fill.

    With an objective the number of fills does not matter: the best one is sought. A `StopToken` stops the search from
    another thread.

    Raises:
        InputError: a number is out of its range, or a value of another type.
    """

    time_s: float | None = None
    nodes: int | None = None
    fills: int | None = 1
    workers: int = 1
    seed: int = 0
    stop: StopToken | None = None

    def __post_init__(self) -> None:
        for name, range_ in (("time_s", SECONDS), ("nodes", NODES), ("fills", COUNT)):
            if (limit := getattr(self, name)) is not None:
                range_.check(limit, name)
        WORKERS.check(self.workers, "workers")
        SEED.check(self.seed, "seed")
        if not isinstance(self.stop, StopToken | None):
            raise InputError(Fault(expected="a StopToken for stop", got=repr(self.stop)))

    @property
    def stopped(self) -> bool:
        """Whether the token is set."""
        return self.stop is not None and self.stop.is_set()


@dataclass(frozen=True, slots=True)
class Stats:
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
    """

    note: str
    stats: Stats = field(default_factory=Stats)
    counted: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A fill and its value. With an objective each is better than the one before."""

    fill: Fill
    value: Value


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


def shown(value: Value) -> str:
    """Return a value for people: its numbers in as few digits as tell them from any others."""
    return " / ".join(map(decimal_text, value))


def worth(measures: Sequence[Criterion], value: Value, *, verb: str = "") -> str:
    """Return a value in words, number by number; `verb` goes before the first."""
    first, *others = [f"{_NAMES[each]} {{}}{shown((number,))}" for each, number in zip(measures, value, strict=False)]
    return ", ".join([first.format(f"{verb} " if verb else ""), *(other.format("") for other in others)])


_NAMES = {Criterion.THEME: "theme", Criterion.MIN: "minimum score", Criterion.SUM: "sum of scores"}


def plain(value: Value | None) -> float | list[float] | None:
    """Return a value for machines: one number as a number, several as a list."""
    return value if value is None else value[0] if len(value) == 1 else list(value)


def value_of(number: float | list[float] | None) -> Value | None:
    """Return the value that `plain` made plain."""
    return None if number is None else tuple(number) if isinstance(number, list) else (number,)


def exceeds(value: Value, bound: Value) -> bool:
    """Return whether a value, or another bound, is over a bound, which may be the shorter of the two."""
    return value[: len(bound)] > bound


def tighter(bound: Value, other: Value | None) -> bool:
    """Return whether a bound says more than another one that is known, if any is."""
    if other is None:
        return True
    shared = min(len(bound), len(other))
    return (bound[:shared], -len(bound)) < (other[:shared], -len(other))


Event = Started | Progress | Found | Bound | Finished
"""Whatever an engine yields."""


@dataclass(frozen=True, slots=True)
class SolveResult(Pictured):
    """What a search came to.

    Attributes:
        status: what is known of the problem now.
        stop_reason: why the search ended.
        engine: the name of the engine.
        fill: the best or the last fill found, if any.
        value: its value: one number a criterion, the minimum score where nothing is maximised.
        measures: what the numbers of the value are.
        bound: the proved upper bound on the value of any fill, where one is known.
        fills: how many fills were found, told or counted.
        proof: what a proof rests on.
        wipeout: the slot left without a word, where that alone shows that there is no fill.
        stats: what the search took.
    """

    status: Status
    stop_reason: StopReason
    engine: str
    fill: Fill | None = None
    value: Value | None = None
    measures: tuple[Criterion, ...] = (Criterion.MIN,)
    bound: Value | None = None
    fills: int = 0
    proof: str = ""
    wipeout: SlotId | None = None
    stats: Stats = field(default_factory=Stats)

    def __str__(self) -> str:
        """Return the fill, if any, and what was proved."""
        return "\n".join([*(self.fill.rows if self.fill else ()), self._summary])

    def __repr__(self) -> str:
        return f"<SolveResult {self._summary}>"

    @property
    def _summary(self) -> str:
        parts = []
        if self.bound is None and self.status is not Status.OPTIMAL:
            parts.append("1 fill" if self.fills == 1 else f"{self.fills} fills")
        if self.value is not None:
            parts.append(worth(self.measures, self.value))
        if self.bound is not None and self.bound != self.value:
            parts.append(f"at most {shown(self.bound)} possible")
        if self.proof:
            parts.append(f"proved by {self.proof}")
        elif self.stop_reason is not StopReason.FILLS:
            parts.append(f"ended by {self.stop_reason}")
        return f"{self.status}: {', '.join(parts)} ({self.engine}, {self.stats.build_s + self.stats.search_s:.2f} s)"

    def diagram(self) -> Diagram | None:
        """Return the fill to be drawn, if there is one."""
        return None if self.fill is None else self.fill.diagram()
