"""The limits of a search, and its resources."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict, TypeVar

from cpfill.base.errors import COUNT, NODES, SECONDS, SEED, WORKERS, Fault, InputError
from cpfill.base.reading import read_seconds
from cpfill.base.texts import say
from cpfill.base.threads import StopToken, take_turns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
            if (limit := getattr(self, name)) is not None:
                range_.check(limit, name)
        WORKERS.check(self.workers, "workers")
        SEED.check(self.seed, "seed")
        if not isinstance(self.stop, StopToken | None):
            raise InputError(Fault(expected=say("a StopToken for stop"), got=repr(self.stop)))

    @classmethod
    def of(cls, options: LimitOptions) -> Limits:
        """Return the limits that options name; without `number` they are those of one fill.

        Raises:
            InputError: a value is out of its range, or has the wrong type.
        """
        time, nodes, number = options.get("time_limit"), options.get("node_limit"), options.get("number")
        for name, value, range_ in (("node_limit", nodes, NODES), ("number", number, COUNT)):
            if value is not None:
                range_.check(value, name)
        time_s = None if time is None else read_seconds("time_limit", time)
        return cls(time_s, nodes, number or 1, options.get("workers", 1), options.get("seed", 0))

    @property
    def stopped(self) -> bool:
        """Whether the token is set."""
        return self.stop is not None and self.stop.is_set()


class Deadline:
    """The moment by which a search must end: when its time is up, or earlier if the token is set.

    Who looks at it lets others have their turn, where searches share one thread.
    """

    def __init__(self, time_s: float | None, stop: StopToken | None = None) -> None:
        self.start_s = time.perf_counter()
        self.stop = stop
        self._end_s = None if time_s is None else self.start_s + time_s

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.start_s

    @property
    def passed(self) -> bool:
        """Whether the search must end."""
        take_turns()
        over = self._end_s is not None and time.perf_counter() >= self._end_s
        return over or (self.stop is not None and self.stop.is_set())

    @property
    def time_s(self) -> float | None:
        """The seconds left, as in `Limits`: `None` means no limit."""
        return None if self._end_s is None else self.remaining_s()

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items as long as there is time.

        Raises:
            TimeoutError: it is over.
        """
        for item in items:
            if self.passed:
                raise TimeoutError
            yield item

    def remaining_s(self, at_most: float = float("inf")) -> float:
        """Return the seconds left, never negative and never more than `at_most`."""
        take_turns()
        if self._end_s is None:
            return at_most
        return max(0.0, min(at_most, self._end_s - time.perf_counter()))
