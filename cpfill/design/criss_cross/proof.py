"""The proof that no arrangement is better: first the weight, then the area, then the crossings.

An arrangement in a rectangle has room in every larger one too, so that the least area is proved by few rectangles: of
each height the widest with less area.
"""

from __future__ import annotations

import math
from contextlib import suppress
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING

from cpfill.design.criss_cross.arrangement import Bounds, count_most_crossings, find_groups
from cpfill.design.criss_cross.search import UNIT
from cpfill.problem.result import Deadline, Outcome

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from cpfill.design.criss_cross.arrangement import Wanted
    from cpfill.design.criss_cross.models import Model
    from cpfill.design.criss_cross.search import ArrangementSearch
    from cpfill.problem.result import Limits

    Size = tuple[int, int]

EFFORT = 2.0
"""The effort of the first turn."""

MOST_PLACEMENTS = 40_000
"""The most placements of words in a model."""

PLACEMENTS_A_SECOND = 10_000
"""A model has at most so many placements for each second that is left."""


class Proof:
    """The proof, turn by turn.

    Attributes:
        bounds: the bounds proved so far.
        done: whether no arrangement is better than the best, or there is none.
    """

    def __init__(self, wanted: Wanted, search: ArrangementSearch, limits: Limits, deadline: Deadline) -> None:
        self._wanted = wanted
        self._search = search
        self._limits = limits
        self._deadline = deadline
        self._chance = Random(limits.seed)  # noqa: S311 - variety, not secrecy
        words = [own.word for own in wanted.words]
        self._longest = max(map(len, words))
        self._cells = sum(map(len, words)) - len(words) + 1
        """The most cells that hang together."""
        self._efforts: dict[Size, float] = {}
        self._refuted: list[Size] = []
        self._top = search.top
        crossings = count_most_crossings(words)
        area = 2
        if not wanted.most:
            area = max(self._longest, sum(map(len, words)) - crossings)
        self._area = area
        self._crossings: float = crossings
        self.done = len(find_groups(words)) > 1 and not wanted.most

    @property
    def bounds(self) -> Bounds:
        """The bounds proved so far."""
        return Bounds(max(0, self._top) / UNIT, self._area, self._crossings)

    def prove(self) -> Iterator[float]:
        """Prove step by step; yield the effort of each step."""
        steps = [self._prove_weight, self._prove_area, self._prove_crossings]
        if self._wanted.size:
            steps.remove(self._prove_area)
        for step in steps:
            yield from step()
            if self.done:
                return
        self.done = True

    def _prove_weight(self) -> Iterator[float]:
        """Prove that no more weight can stand, or nothing at all; refute much more weight first if that is hard."""
        search = self._search
        size = self._wanted.size or (self._cells, self._cells)
        reach = 1.0
        while search.weight < self._top:
            least = self._top
            if self._wanted.most:
                least -= int(reach * (self._top - search.weight - 1))
            outcome = yield from self._decide(size, least, 0)
            if outcome is Outcome.EXHAUSTED:
                self._top = least - 1 if self._wanted.most else -1
                reach = min(1.0, 2 * reach)
            elif outcome is Outcome.UNKNOWN:
                reach /= 2
        self.done = search.best is None

    def _prove_area(self) -> Iterator[float]:
        """Prove that no rectangle of less area has room: areas nearer to the best one as long as this succeeds."""
        reach = 1 / 2
        self._raise_area()
        while self._area < self._least_area:
            target = self._area + int(reach * (self._least_area - 1 - self._area))
            outcome = yield from self._refute(target)
            reach = min(1 / 2, 2 * reach) if outcome is Outcome.EXHAUSTED else reach / 2

    @property
    def _least_area(self) -> int:
        assert self._search.best
        return self._search.best.area

    def _refute(self, area: int) -> Generator[float, None, Outcome]:
        """Refute all rectangles of at most this area, unless one has room or takes too long."""
        for height in range(math.isqrt(area), 0, -1):
            size = (height, min(area // height, self._cells + 1 - height))
            if self._is_refuted(size):
                continue
            outcome = yield from self._decide(size, self._search.weight, 0)
            if outcome is not Outcome.EXHAUSTED:
                return outcome
            self._refuted.append(size)
            self._raise_area()
        return Outcome.EXHAUSTED

    def _raise_area(self) -> None:
        while self._area < self._least_area and not self._list_sizes():
            self._area += 1

    def _list_sizes(self) -> list[Size]:
        """Return the rectangles of the least area that are not refuted, none the transpose of another."""
        heights = [height for height in range(1, math.isqrt(self._area) + 1) if self._area % height == 0]
        sizes = [(height, self._area // height) for height in heights]
        return [size for size in sizes if not self._is_refuted(size)]

    def _is_refuted(self, size: Size) -> bool:
        """Return whether a rectangle is known to have too little room, or is higher than wide or longer than needed."""
        height, width = size
        if width < height or height + width > self._cells + 1 or (width < self._longest and not self._wanted.most):
            return True
        return any(height <= each[0] and width <= each[1] for each in self._refuted)

    def _prove_crossings(self) -> Iterator[float]:
        """Prove that no arrangement of this weight and area has more crossings."""
        sizes = [self._wanted.size] if self._wanted.size else self._list_sizes()
        for size in sizes:
            outcome = Outcome.UNKNOWN
            while outcome is not Outcome.EXHAUSTED and self._most_crossings < self._crossings:
                outcome = yield from self._decide(size, self._search.weight, self._most_crossings + 1)
        self._crossings = self._most_crossings

    @property
    def _most_crossings(self) -> int:
        assert self._search.best
        return self._search.best.crossings

    def _decide(self, size: Size, weight: int, crossings: int) -> Generator[float, None, Outcome]:
        """Search in a rectangle for an arrangement of this worth; twice the effort is due next time if it fails."""
        effort = self._efforts.setdefault(size, EFFORT)
        model = self._make_model(size)
        if model is None:
            yield effort
            return Outcome.UNKNOWN
        model.demand(weight, crossings)
        outcome, arrangement = model.solve(effort, self._limits.workers, self._chance)
        self._search.offer(arrangement)
        if outcome is Outcome.UNKNOWN:
            self._efforts[size] = 2 * effort
        yield model.spent
        return outcome

    def _make_model(self, size: Size) -> Model | None:
        """Return the model of a rectangle, unless it is too large, time is over, or CP-SAT is not there."""
        placements = 2 * math.prod(size) * len(self._wanted.words)
        if placements > min(MOST_PLACEMENTS, PLACEMENTS_A_SECOND * self._deadline.remaining_s()) or not find_spec(
            "ortools"
        ):
            return None
        with Deadline.uncounted():
            from cpfill.design.criss_cross.models import Model
        with suppress(TimeoutError):
            return Model(
                self._search.weights, size, self._deadline, most=self._wanted.most, turned=not self._wanted.size
            )
        return None
