"""What a search proved, as refutations: of each a formula without a model, and the search of a kernel that shows it."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.base.errors import UnsupportedError
from cpfill.base.texts import say
from cpfill.engines.toolkit.thresholds import Quota
from cpfill.problem.problem import Objective
from cpfill.problem.result import Status
from cpfill.problem.rules import write_score
from cpfill.questions.proof.claim import NO_BETTER, NO_FILL, NO_OTHER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.problem.problem import Problem, Value
    from cpfill.problem.result import SolveResult
    from cpfill.puzzle.grid import SlotId

FILL = "fill.txt"
"""The file of the best fill; or of all fills, where none but these is claimed to exist."""


@dataclass(frozen=True)
class Refutation:
    """There is no fill that obeys a problem's rules, scores over `above`, and keeps to some quotas.

    Attributes:
        problem: its objective counts for nothing.
        above: what each word scores more than.
        quotas: as `cpfill.engines.toolkit.thresholds` has them.
        slots: those that cannot even be filled alone; `None` where that takes them all.
        fills: how many fills there are; `FILL` lists them, and the formula leaves them out.
    """

    problem: Problem
    above: float | None = None
    quotas: tuple[Quota, ...] = ()
    slots: tuple[SlotId, ...] | None = None
    fills: int = 0

    @property
    def domains(self) -> list[int]:
        """For each slot of the problem a bitset over its table: the words that fit it."""
        problem, above = self.problem, self.above
        if above is None:
            return list(problem.domains)
        over = [table.above(above) for table in problem.tables]
        return list(map(int.__and__, problem.domains, over))

    @property
    def arguments(self) -> list[str]:
        """What `fill_to_cnf.py` is given for the formula after the grid and the words."""
        arguments = list_arguments(self.problem)
        if self.above is not None:
            arguments += ["--above", write_score(self.above)]
        for quota in self.quotas:
            arguments += ["--at-most", str(quota.most), "--under", write_score(quota.under)]
        if self.slots is not None:
            arguments += ["--slots", *(self.problem.slots[slot].name for slot in self.slots)]
        return arguments + ["--blocked", FILL] * (self.fills > 0)


def list_arguments(problem: Problem) -> list[str]:
    """Return what `fill_to_cnf.py` is given for the rules of a problem."""
    grid, arguments = problem.grid, problem.rules.arguments
    if grid.min_slot_length != _USUAL_LENGTH:
        arguments += ["--min-length", str(grid.min_slot_length)]
    if grid.open_slots:
        arguments += ["--open", *(f"{grid.numbers[cell]}-{direction}" for direction, cell in sorted(grid.open_slots))]
    return arguments


_USUAL_LENGTH = 2


def require_provable(problem: Problem) -> None:
    """Check that what a search of this problem proves can be written as formulas.

    Raises:
        UnsupportedError: it cannot; it says why.
    """
    for criterion in problem.criteria:
        if criterion.adds_up:
            raise UnsupportedError(
                say("no proof is written where a {criterion} is maximised: that takes adding up", criterion=criterion)
            )
    if problem.grid.bars:
        raise UnsupportedError(say("no proof is written for grids with bars"))
    if problem.narrowed:
        raise UnsupportedError(say("no proof is written where single slots are narrowed"))


CLAIMS = {
    Status.UNSATISFIABLE: NO_FILL,
    Status.NO_OTHER: NO_FILL,
    Status.OPTIMAL: NO_BETTER,
    Status.ALL_FILLS: NO_OTHER,
}
"""What is claimed, by what a search proved."""


def list_refutations(problem: Problem, result: SolveResult) -> list[Refutation]:
    """Return the refutations that together prove what a search proved: one of `CLAIMS`."""
    asked = replace(problem, objective=Objective.ANY, levels=())
    match result.status:
        case Status.UNSATISFIABLE | Status.NO_OTHER:
            return [Refutation(asked)]
        case Status.ALL_FILLS:
            return [Refutation(asked, fills=result.fills)]
        case Status.OPTIMAL if problem.objective is Objective.MIN and result.value:
            return [Refutation(asked, above=result.value[0])]
        case Status.OPTIMAL if result.value:
            return list(_refute_each(problem, asked, result.value))
    return []


def _refute_each(problem: Problem, asked: Problem, value: Value) -> Iterator[Refutation]:
    """Yield for V5 that none of its numbers can be better where those before are as good."""
    kept: list[Quota] = []
    if problem.levels:
        for level, number in zip(problem.levels, value, strict=True):
            under = round(-number)
            if under:
                yield _keep_to(asked, [*kept, Quota(level, under - 1)])
            kept.append(Quota(level, under))
        return
    for score in dict.fromkeys(value):
        kept.append(Quota(score, bisect_left(value, score)))
        most = bisect_right(value, score) - 1
        if most:
            yield _keep_to(asked, [*kept, Quota(_next_score(problem, score), most)])
        else:
            yield Refutation(asked, above=score)


def _next_score(problem: Problem, score: float) -> float:
    """Return the lowest score over this one that a word can have; one that none has where this is the highest."""
    return min((other for other in problem.ranking if other > score), default=math.nextafter(score, math.inf))


def _keep_to(asked: Problem, quotas: list[Quota]) -> Refutation:
    """Return the refutation of fills that keep to quotas, their numbers rising but for the last.

    Those that allow no word make the minimum score; those that follow from a later one, which allows no more, are left
    out, for a kernel takes quotas whose numbers rise.
    """
    last = {quota.most: quota for quota in quotas if quota.most <= quotas[-1].most}
    floor = last.pop(0, None)
    rules = asked.rules if floor is None else replace(asked.rules, min_score=max(asked.rules.min_score, floor.under))
    return Refutation(replace(asked, rules=rules), quotas=tuple(last.values()))
