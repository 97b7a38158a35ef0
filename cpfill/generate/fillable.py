"""Of generated grids those that can be filled, each with a fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.event import StopReason
from cpfill.generate.generation import check_numbers
from cpfill.limits import Deadline, Limits
from cpfill.problem import Problem, Rules
from cpfill.result import Status
from cpfill.search import settle

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.fill import Fill
    from cpfill.grid import Grid
    from cpfill.lexicon.lexicon import Lexicon

EACH_S = 2.0
"""Seconds to look for a fill of one grid. Most that can be filled are in a tenth of a second."""


def fitting_lengths(lexicon: Lexicon, rules: Rules | None = None) -> frozenset[int]:
    """Return the lengths of the words that may be used: no grid with a slot of another length has a fill."""
    least = (rules or Rules()).min_score
    return frozenset(length for length in lexicon.lengths if lexicon.table(length).at_least(least))


def fillable(
    grids: Generator[Grid, None, StopReason],
    lexicon: Lexicon,
    rules: Rules | None = None,
    *,
    number: int | None = 1,
    seed: int = 0,
    each_s: float = EACH_S,
    time_s: float | None = None,
) -> Generator[tuple[Problem, Fill], None, StopReason]:
    """Yield the grids that are found to have a fill, as problems over the lexicon, each with one.

    Let the demands of the grids have the `fitting_lengths`: then none is drawn in vain for a length without words.

    A grid for which none is found in `each_s` seconds is passed over. So the seed settles which grids come out only as
    long as none takes that time. `time_s` bounds the whole, and the stream of grids should have the same bound.

    Returns:
        FILLS if there were as many as asked for, EXHAUSTED if it is proved that no other has a fill, TIME if the time
        was over, TRIES if there are no others but such as were passed over undecided.

    Raises:
        InputError: a number is out of its range.
    """
    check_numbers(number, seed, time_s, each_s)
    deadline, rules = Deadline(time_s), rules or Rules()
    undecided, count = False, 0
    while count != number:
        if deadline.passed:
            return StopReason.TIME
        try:
            grid = next(grids)
        except StopIteration as end:
            return StopReason.TRIES if undecided and end.value is StopReason.EXHAUSTED else end.value
        problem = Problem(grid, lexicon, rules)
        result = settle(problem, limits=Limits(time_s=deadline.remaining_s(each_s), seed=seed))
        if result.fill is not None:
            count += 1
            yield problem, result.fill
        elif result.status is not Status.UNSATISFIABLE:
            undecided = True
    return StopReason.FILLS
