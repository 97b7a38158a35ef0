"""The result of a search."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from cpfill.problem.criteria import Criterion, Value, describe_gap, describe_value, format_value
from cpfill.problem.event import Stats, StopReason
from cpfill.puzzle.drawing import Pictured

if TYPE_CHECKING:
    from cpfill.problem.fill import Fill
    from cpfill.puzzle.drawing.paint import Diagram
    from cpfill.puzzle.grid import SlotId


class Status(StrEnum):
    """What the search established about the problem."""

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
            return refuted if exhausted else cls.UNKNOWN
        if not exhausted:
            return cls.SATISFIED
        return cls.OPTIMAL if optimising else cls.ALL_FILLS

    @property
    def refuted(self) -> bool:
        """Whether it is proved that no fill exists, or none that differs."""
        return self in {Status.UNSATISFIABLE, Status.NO_OTHER}


@dataclass(frozen=True, slots=True)
class SolveResult(Pictured):
    """The result of a search.

    Attributes:
        status: what the search established about the problem.
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
        """Return the fill, if any, and what was proved."""
        return "\n".join([*(self.fill.rows if self.fill else ()), self._summary])

    def __repr__(self) -> str:
        return f"<SolveResult {self._summary}>"

    @property
    def _summary(self) -> str:
        parts = []
        if self.bound is None and self.status is not Status.OPTIMAL:
            parts.append("1 fill" if self.fills == 1 else f"{self.fills} fills")
        if self.value is not None and self.bound is not None and self.bound != self.value:
            parts.append(describe_gap(self.measures, self.value, self.bound))
        elif self.value is not None:
            parts.append(describe_value(self.measures, self.value))
        elif self.bound is not None:
            parts.append(f"at most {format_value(self.bound)} possible")
        if self.proof:
            parts.append(f"proved by {self.proof}")
        elif self.stop_reason is not StopReason.FILLS:
            parts.append(f"ended by {self.stop_reason}")
        return f"{self.status}: {', '.join(parts)} ({self.engine}, {self.stats.build_s + self.stats.search_s:.2f} s)"

    def diagram(self) -> Diagram | None:
        """Return the diagram of the fill, if there is one."""
        return None if self.fill is None else self.fill.diagram()


class Outcome(Enum):
    """The outcome of one run of a solver inside an engine."""

    EXHAUSTED = "exhausted"
    """There are no further (or no better) solutions than those reported."""
    FOUND = "found"
    """A solution was reported; there may be others."""
    UNKNOWN = "unknown"
    """The solver reached a limit first."""
