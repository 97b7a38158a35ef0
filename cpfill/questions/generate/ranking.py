"""Designs ranked by their best fill: the first quickly, then better ones, as long as there is time.

Time goes where it promises most (successive halving, asynchronous): a new design has one turn, the best third of those
that had a turn have another of three times the length, and so on. A design is done with when its best fill is proved,
and passed over where its bound shows that it cannot come among the best.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.base.ranges import SECONDS
from cpfill.engines.search import Tally, check_limits, search
from cpfill.problem.criteria import exceeds, is_tighter
from cpfill.problem.event import Found, StopReason
from cpfill.problem.limits import Deadline
from cpfill.problem.result import SolveResult, Status
from cpfill.questions.generate.fillable import EACH_S

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from cpfill.problem.criteria import Value
    from cpfill.problem.fill import Fill
    from cpfill.problem.limits import Limits
    from cpfill.problem.problem import Objective, Problem

SHARE = 3
"""Of so many designs one has another turn, which takes so many times as long."""


@dataclass(frozen=True, slots=True)
class Design:
    """A grid with the best fill found so far.

    Attributes:
        number: which design it is, from 1 in the order in which they were found to have a fill.
        problem: the grid, the words, the objective.
        result: what is known of its fills; OPTIMAL if none is better than `result.fill`.
    """

    number: int
    problem: Problem
    result: SolveResult

    @property
    def value(self) -> Value:
        """What its best fill so far is worth."""
        return self.result.value or ()

    @property
    def proved(self) -> bool:
        """Whether it is proved that this grid has no better fill."""
        return self.result.status is Status.OPTIMAL


class Ranking:
    """Takes designs as they come; `best` has the best `most` of them, best first, each as it was told last."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._designs: dict[int, Design] = {}

    def add(self, design: Design) -> None:
        """Take a new design, or one that is better known than before."""
        self._designs[design.number] = design

    @property
    def best(self) -> list[Design]:
        """The best ones; of designs worth the same those that came first."""
        ranked = sorted(self._designs.values(), key=lambda design: design.number)
        return sorted(ranked, key=lambda design: design.value, reverse=True)[: self._most]

    @property
    def all(self) -> Sequence[Design]:
        """All of them in the order in which they came."""
        return tuple(self._designs.values())

    def can_enter(self, design: Design) -> bool:
        """Return whether a better fill, if the bound allows one, may bring a design among the best, or further up."""
        best, bound = self.best, design.result.bound
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
    """Yield designs as they get known better; a `Ranking` of them has the best at any time.

    Args:
        fillable: what `keep_fillable` yields, with the same time and token, of as many grids as there are.
        objective: what of a fill is maximised.
        levels: those of the objective leximin.
        limits: `fills` says how many designs are wanted in the end, the time and the token bound the whole.
        each_s: the length of the first turn of each design, in seconds.

    Returns:
        EXHAUSTED if there are no other grids with a fill, and each design is proved or cannot be among the best; else
        TIME, INTERRUPTED, or TRIES where grids were passed over undecided.

    Raises:
        InputError: a number is out of its range.
    """
    SECONDS.check(each_s, "each_s")
    limits = check_limits(limits)
    deadline, ranking = Deadline(limits.time_s, limits.stop), Ranking(limits.fills)
    turns: list[dict[int, Value]] = []  # what each design was worth after its first turn, after its second
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
            design, turn = _begin(len(ranking.all) + 1, problem, fill), 0
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


def _choose(ranking: Ranking, turns: list[dict[int, Value]], *, all_: bool) -> tuple[Design, int] | None:
    """Return the design that has another turn now, and which; none where a new design is to be had first."""
    designs = {design.number: design for design in ranking.all}
    for turn in reversed(range(len(turns))):
        after = turns[turn + 1] if turn + 1 < len(turns) else {}
        left = [number for number in turns[turn] if not designs[number].proved and ranking.can_enter(designs[number])]
        left.sort(key=lambda number: turns[turn][number], reverse=True)
        for number in left if all_ else left[: len(left) // SHARE]:
            if number not in after:
                return designs[number], turn + 1
    return None


def _begin(number: int, problem: Problem, fill: Fill) -> Design:
    """Return a design of which a fill is known."""
    result = SolveResult(Status.SATISFIED, StopReason.FILLS, "generate", fill, fill.value(problem), problem.measures)
    return Design(number, problem, replace(result, fills=1))


def _improve(design: Design, limits: Limits) -> Generator[Design]:
    """Search for better fills, and yield the design after each, and at the end if its bound or a proof is new."""
    told, tally = design.result, Tally(design.problem)
    with closing(search(design.problem, limits=limits)) as events:
        for event in events:
            tally.add(event)
            if isinstance(event, Found) and event.value > design.value:
                told = _join(told, tally.result)
                yield replace(design, result=told)
                design = replace(design, result=told)
    last = _join(told, tally.result)
    if last.status is Status.OPTIMAL or last.bound != told.bound:
        yield replace(design, result=last)


def _join(known: SolveResult, found: SolveResult) -> SolveResult:
    """Return what two searches for the best fill of one problem come to, the second of them just ended or under way."""
    if found.status is not Status.OPTIMAL and (found.value or ()) < (known.value or ()):
        found = replace(found, fill=known.fill, value=known.value, status=known.status)
    if known.bound is not None and (found.bound is None or is_tighter(known.bound, found.bound)):
        found = replace(found, bound=known.bound)
    return found
