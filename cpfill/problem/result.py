"""The limits of a search, and its result."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypedDict, TypeVar

from cpfill.base.errors import COUNT, NODES, SECONDS, SEED, WORKERS, expected
from cpfill.base.reading import read_seconds
from cpfill.base.threads import StopToken, take_turns
from cpfill.problem.event import Stats, StopReason
from cpfill.problem.value import Criterion, Value, describe_gap, describe_value, exceeds, format_value
from cpfill.puzzle.grid import Pictured

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cpfill.problem.fill import Fill
    from cpfill.puzzle.drawing import Diagram
    from cpfill.puzzle.grid import SlotId


class Status(StrEnum):
    """The verdict of the search on the problem."""

    SATISFIED = "SATISFIED"
    """At least one fill was found; there may be more, or better ones."""
    OPTIMAL = "OPTIMAL"
    """A fill, and the proof that no better fill exists."""
    ALL_FILLS = "ALL_FILLS"
    """Every fill, and the proof that there are no others."""
    UNSATISFIABLE = "UNSATISFIABLE"
    """The proof that no fill exists."""
    NO_OTHER = "NO_OTHER"
    """The proof that no fill differs from given ones as it should; these may be fills."""
    UNKNOWN = "UNKNOWN"
    """No fill was found, but one may exist."""

    @classmethod
    def of(cls, *, found: bool, exhausted: bool, optimising: bool, differing: bool = False) -> Status:
        """Return the status; this is the one place where it is decided.

        `exhausted` means that the engine proved that no further (or no better) fill exists; `differing`, that it looked
        only for fills that differ from given ones.
        """
        if not found:
            refuted = cls.NO_OTHER if differing else cls.UNSATISFIABLE
            if exhausted:
                return refuted
            return cls.UNKNOWN
        if not exhausted:
            return cls.SATISFIED
        if optimising:
            return cls.OPTIMAL
        return cls.ALL_FILLS

    @property
    def refuted(self) -> bool:
        """Whether it is proved that no (different) fill exists."""
        return self in {Status.UNSATISFIABLE, Status.NO_OTHER}


@dataclass(frozen=True, slots=True)
class SolveResult(Pictured):
    """The result of a search.

    Attributes:
        status: the verdict of the search on the problem.
        stop_reason: why the search ended.
        engine: the name of the engine.
        fill: the best or the last fill found, if any.
        value: its value: one number per criterion, or the minimum score if nothing is maximised.
        measures: the meaning of the numbers of the value.
        bound: the proved upper bound on the value of any fill, if one is known.
        fills: the number of fills found, reported or counted.
        proof: the basis of the proof.
        wipeout: the slot left without a word, if that alone proves that no fill exists.
        stats: the cost of the search.
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
        """Return the fill, if any, and the verdict."""
        lines: list[str] = []
        if self.fill:
            lines += self.fill.rows
        return "\n".join([*lines, self._summary])

    def __repr__(self) -> str:
        return f"<SolveResult {self._summary}>"

    @property
    def _summary(self) -> str:
        parts = []
        if self.bound is None and self.status is not Status.OPTIMAL:
            parts.append("1 fill" if self.fills == 1 else f"{self.fills} fills")
        parts += self._describe_worth()
        if self.proof:
            parts.append(f"proved by {self.proof}")
        elif self.stop_reason is not StopReason.FILLS:
            parts.append(f"ended by {self.stop_reason}")
        time_s = self.stats.build_s + self.stats.search_s
        return f"{self.status}: {', '.join(parts)} ({self.engine}, {time_s:.2f} s)"

    def _describe_worth(self) -> list[str]:
        """Return the value and the bound in words, if there are any."""
        if self.value is None:
            if self.bound is None:
                return []
            return [f"at most {format_value(self.bound)} possible"]
        if self.bound is None or self.bound == self.value:
            return [describe_value(self.measures, self.value)]
        return [describe_gap(self.measures, self.value, self.bound)]

    def diagram(self) -> Diagram | None:
        """Return the diagram of the fill, if there is one."""
        if self.fill is None:
            return None
        return self.fill.diagram()


class Outcome(Enum):
    """The outcome of one run of a solver inside an engine."""

    EXHAUSTED = "exhausted"
    """There are no further (or no better) solutions than those reported."""
    FOUND = "found"
    """A solution was reported; there may be others."""
    UNKNOWN = "unknown"
    """The solver reached a limit first."""


Item = TypeVar("Item")


class LimitOptions(TypedDict, total=False):
    """Limits by the names of the command line: a time such as `10s`, or in seconds; `number` counts fills."""

    time_limit: float | str | None
    node_limit: int | None
    number: int | None
    workers: int
    seed: int


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop, and with which resources to work. `None` means no limit; `fills=None` asks for every fill.

    With an objective, the number of fills is ignored: the search looks for the best fill. A `StopToken` stops the
    search from another thread.

    Raises:
        InputError: a number is out of its range, or a value has the wrong type.
    """

    time_s: float | None = None
    nodes: int | None = None
    fills: int | None = 1
    workers: int = 1
    seed: int = 0
    stop: StopToken | None = None

    def __post_init__(self) -> None:
        for name, range_ in (("time_s", SECONDS), ("nodes", NODES), ("fills", COUNT)):
            limit = getattr(self, name)
            if limit is not None:
                range_.check(limit, name)
        WORKERS.check(self.workers, "workers")
        SEED.check(self.seed, "seed")
        if not isinstance(self.stop, StopToken | None):
            raise expected("a StopToken for stop", repr(self.stop))

    @classmethod
    def of(cls, options: LimitOptions) -> Limits:
        """Return the limits that options name; without `number` they are those of one fill.

        Raises:
            InputError: a value is out of its range, or has the wrong type.
        """
        time = options.get("time_limit")
        nodes = options.get("node_limit")
        number = options.get("number")
        if nodes is not None:
            NODES.check(nodes, "node_limit")
        if number is not None:
            COUNT.check(number, "number")
        time_s = None if time is None else read_seconds("time_limit", time)
        return cls(time_s, nodes, number or 1, options.get("workers", 1), options.get("seed", 0))

    @property
    def stopped(self) -> bool:
        """Whether the token is set."""
        return self.stop is not None and self.stop.is_set()


class Deadline:
    """The moment by which a search must end: when its time is up, or earlier if the token is set.

    Checking it lets other searches run if they share one thread.
    """

    _uncounted_s: ClassVar[float] = 0.0

    def __init__(self, time_s: float | None, stop: StopToken | None = None) -> None:
        self.start_s = self._now_s()
        self.stop = stop
        self._end_s = None if time_s is None else self.start_s + time_s

    @classmethod
    def _now_s(cls) -> float:
        return time.perf_counter() - Deadline._uncounted_s

    @classmethod
    @contextmanager
    def uncounted(cls) -> Iterator[None]:
        """Let no deadline count the time of a block: that of loading a large package, which is spent once."""
        start_s = time.perf_counter()
        try:
            yield
        finally:
            Deadline._uncounted_s += time.perf_counter() - start_s

    @property
    def elapsed_s(self) -> float:
        return self._now_s() - self.start_s

    @property
    def passed(self) -> bool:
        """Whether the search must end."""
        over = take_turns() or (self._end_s is not None and self._now_s() >= self._end_s)
        return over or (self.stop is not None and self.stop.is_set())

    @property
    def time_s(self) -> float | None:
        """The seconds left, as in `Limits`: `None` means no limit."""
        if self._end_s is None:
            return None
        return self.remaining_s()

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items as long as there is time."""
        for item in items:
            if self.passed:
                raise TimeoutError
            yield item

    def remaining_s(self, at_most: float = float("inf")) -> float:
        """Return the seconds left, never negative and never more than `at_most`."""
        if take_turns():
            return 0.0
        if self._end_s is None:
            return at_most
        return max(0.0, min(at_most, self._end_s - self._now_s()))

    def share(self, part: float, at_most_s: float = float("inf")) -> Deadline:
        """Return the deadline of a part of the time left, and of at most `at_most_s` seconds, with the same token."""
        time_s = at_most_s
        if self._end_s is not None:
            time_s = min(at_most_s, part * self.remaining_s())
        return Deadline(None if time_s == float("inf") else time_s, self.stop)


class Evidence(NamedTuple):
    """The claims of an answer: the first three rest on its fills, the others are about all fills.

    Attributes:
        filled: there is a fill.
        fills: there are at least so many.
        value: the value of a fill.
        refuted: there is no fill.
        most: there are no more fills than these.
        bound: no fill is worth more.
    """

    filled: bool = False
    fills: int = 0
    value: Value | None = None
    refuted: bool = False
    most: int | None = None
    bound: Value | None = None


class Clash(Enum):
    """A claim that fills refute."""

    REFUTED = auto()
    """No fill exists."""
    MOST = auto()
    """There are no more fills."""
    BOUND = auto()
    """No fill is worth more."""


def find_clash(shown: Evidence, said: Evidence) -> Clash | None:
    """Return the claim of one answer that fills of another refute; `None` if both may be right."""
    if shown.filled and said.refuted:
        return Clash.REFUTED
    if said.most is not None and shown.fills > said.most:
        return Clash.MOST
    if shown.value and said.bound and exceeds(shown.value, said.bound):
        return Clash.BOUND
    return None
