"""Designs: grids ranked by their best fills.

The first designs come quickly, better designs as long as there is time. The most promising get the most time
(asynchronous successive halving): a new design gets one turn, the best third of those get a second turn of three times
the length, and so on. A design is finished once its best fill is proved; it gets no further turn once its bound shows
that it cannot be among the best.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.base.errors import SECONDS
from cpfill.design.grids import EACH_S
from cpfill.engines.audited import Tally, check_limits, search
from cpfill.problem.event import Found, StopReason
from cpfill.problem.result import Deadline, SolveResult, Status
from cpfill.problem.value import exceeds, is_tighter

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Objective, Problem
    from cpfill.problem.result import Limits
    from cpfill.problem.value import Value

SHARE = 3
"""One design in this many gets a further turn, which is this many times as long."""


@dataclass(frozen=True, slots=True)
class Design:
    """A grid with the best fill found so far.

    Attributes:
        number: the number of the design, from 1, in the order in which their first fills were found.
        problem: the grid, the words, the objective.
        result: the result of the searches so far; OPTIMAL if `result.fill` is proved to be the best.
    """

    number: int
    problem: Problem
    result: SolveResult

    @property
    def value(self) -> Value:
        """The value of its best fill so far."""
        return self.result.value or ()

    @property
    def proved(self) -> bool:
        """Whether it is proved that this grid has no better fill."""
        return self.result.status is Status.OPTIMAL


class Ranking:
    """Collects designs as they come; `best` has the best `most` of them in their latest version, best first."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._designs: dict[int, Design] = {}

    def add(self, design: Design) -> None:
        """Add a new design, or a newer version of a known one."""
        self._designs[design.number] = design

    @property
    def best(self) -> list[Design]:
        """The best designs, best first; designs of equal value in the order in which they came."""
        ranked = sorted(self._designs.values(), key=lambda design: (design.value, -design.number), reverse=True)
        return ranked[: self._most]

    @property
    def all(self) -> Sequence[Design]:
        """All designs in the order in which they came."""
        return tuple(self._designs.values())

    def can_enter(self, design: Design) -> bool:
        """Return whether the bound allows a fill that would bring a design among the best, or further up."""
        best = self.best
        bound = design.result.bound
        if bound is None or len(best) < (self._most or len(best) + 1):
            return True
        return exceeds(bound, best[-1].value[: len(bound)])


def rank_designs(
    fillable: Generator[tuple[Problem, Fill], None, StopReason],
    objective: Objective,
    levels: tuple[float, ...] = (),
    *,
    limits: Limits | None = None,
    each_s: float = EACH_S,
) -> Generator[Design, None, StopReason]:
    """Yield designs whenever more is known about them; a `Ranking` of them has the best at any time.

    Args:
        fillable: the stream of `keep_fillable`, with the same time and token and no limit on grids.
        objective: the objective that ranks the fills.
        levels: the levels of the objective leximin.
        limits: `fills` is the number of designs wanted in the end; the time and the token bound the whole search.
        each_s: the length of the first turn of each design, in seconds.

    Returns:
        EXHAUSTED if no other grid has a fill, and each design is proved or cannot be among the best; otherwise TIME,
        INTERRUPTED, or TRIES if grids were passed over undecided.

    Raises:
        InputError: a number is out of range.
    """
    SECONDS.check(each_s, "each_s")
    limits = check_limits(limits)
    deadline = Deadline(limits.time_s, limits.stop)
    ranking = Ranking(limits.fills)
    turns: list[dict[int, Value]] = []  # the value of each design after its first turn, its second turn, and so on
    ended: StopReason | None = None
    while not deadline.passed:
        chosen = _choose(ranking, turns, all_=ended is not None)
        if chosen is None:
            if ended is not None:
                return ended
            try:
                problem, fill = next(fillable)
            except StopIteration as end:
                ended = end.value
                continue
            problem = replace(problem, objective=objective, levels=levels)
            design = _begin_design(len(ranking.all) + 1, problem, fill)
            turn = 0
            ranking.add(design)
            yield design
        else:
            design, turn = chosen
        time_s = deadline.remaining_s(each_s * SHARE**turn)
        for better in _improve(design, replace(limits, time_s=time_s, fills=1)):
            design = better
            ranking.add(design)
            yield design
        if turn == len(turns):
            turns.append({})
        turns[turn][design.number] = design.value
    return StopReason.INTERRUPTED if limits.stopped else StopReason.TIME


def _begin_design(number: int, problem: Problem, fill: Fill) -> Design:
    """Return a design with its first fill."""
    value = fill.value(problem)
    result = SolveResult(Status.SATISFIED, StopReason.FILLS, "generate", fill, value, problem.measures, fills=1)
    return Design(number, problem, result)


def _choose(ranking: Ranking, turns: list[dict[int, Value]], *, all_: bool) -> tuple[Design, int] | None:
    """Return the design to get the next turn, and which turn; `None` if a new design comes first."""
    designs = {design.number: design for design in ranking.all}
    for turn in reversed(range(len(turns))):
        after = turns[turn + 1] if turn + 1 < len(turns) else {}
        left = [number for number in turns[turn] if not designs[number].proved and ranking.can_enter(designs[number])]
        left.sort(key=lambda number: turns[turn][number], reverse=True)
        if not all_:
            left = left[: len(left) // SHARE]
        for number in left:
            if number not in after:
                return designs[number], turn + 1
    return None


def _improve(design: Design, limits: Limits) -> Generator[Design]:
    """Search for better fills; yield the design after each, and at the end if there is a new bound or proof."""
    told = design.result
    tally = Tally(design.problem)
    with closing(search(design.problem, limits=limits)) as events:
        for event in events:
            tally.add(event)
            if isinstance(event, Found) and event.value > design.value:
                told = _unite(told, tally.result)
                yield replace(design, result=told)
                design = replace(design, result=told)
    last = _unite(told, tally.result)
    if last.status is Status.OPTIMAL or last.bound != told.bound:
        yield replace(design, result=last)


def _unite(known: SolveResult, found: SolveResult) -> SolveResult:
    """Return the joint result of two searches for the best fill of one problem; the second may be under way."""
    if found.status is not Status.OPTIMAL and (found.value or ()) < (known.value or ()):
        found = replace(found, fill=known.fill, value=known.value, status=known.status)
    if known.bound is not None and (found.bound is None or is_tighter(known.bound, found.bound)):
        found = replace(found, bound=known.bound)
    return found
