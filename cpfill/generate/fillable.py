"""Of generated grids those that can be filled, each with a fill."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.engines import PROBING_ENGINE, make_engine
from cpfill.engines.contract import ProbingEngine
from cpfill.event import StopReason
from cpfill.limits import Deadline
from cpfill.problem import Problem, Rules
from cpfill.ranges import SECONDS
from cpfill.result import Status
from cpfill.search import check_limits, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from cpfill.fill import Fill
    from cpfill.generate.demands import Demands
    from cpfill.grid import Grid
    from cpfill.lexicon.lexicon import Lexicon
    from cpfill.limits import Limits

EACH_S = 2.0
"""Seconds to look for a fill of one grid. Most that can be filled are in a tenth of a second."""


def find_lengths(lexicon: Lexicon, rules: Rules | None = None) -> frozenset[int]:
    """Return the lengths of the words that may be used: no grid with a slot of another length has a fill."""
    least = (rules or Rules()).min_score
    return frozenset(length for length in lexicon.lengths if lexicon.table(length).at_least(least))


def make_word_counter(lexicon: Lexicon, rules: Rules | None = None) -> Callable[[int, Mapping[int, str]], int]:
    """Return a function that counts the words that may be used, of a length and with some letters by position."""
    least, codes = (rules or Rules()).min_score, lexicon.alphabet.codes

    def count_words(length: int, letters: Mapping[int, str]) -> int:
        table = lexicon.table(length)
        words = table.at_least(least)
        for pos, letter in letters.items():
            words &= table.masks(pos)[codes[letter]]
        return words.bit_count()

    return count_words


def add_words(demands: Demands, lexicon: Lexicon, rules: Rules | None = None) -> tuple[Demands, Lexicon]:
    """Return demands that know which words there are, and these with those that stand in the grid already."""
    whole = lexicon.including({*demands.seed_words, *(demands.draft.given_words if demands.draft else ())})
    counter = make_word_counter(whole, rules)
    return replace(demands, lengths=find_lengths(whole, rules), count_words=counter), whole


def keep_fillable(
    grids: Generator[Grid, None, StopReason],
    lexicon: Lexicon,
    rules: Rules | None = None,
    *,
    limits: Limits | None = None,
    each_s: float = EACH_S,
) -> Generator[tuple[Problem, Fill], None, StopReason]:
    """Yield `limits.fills` grids that are found to have a fill, or all of them, as problems, each with a fill.

    Let the demands of the grids know the words (`add_words`): no grid is then drawn in vain for a slot of a length
    without words.

    A grid for which none is found in `each_s` seconds is passed over. So the seed settles which grids come out only as
    long as none takes that time. `limits` bounds the whole; the stream of grids should have the same time and token.

    Returns:
        FILLS if there were as many as asked for, EXHAUSTED if it is proved that no other has a fill, TIME if the time
        was over, INTERRUPTED if the token was set, TRIES if there are no others but such as were passed over undecided.

    Raises:
        InputError: a number is out of its range.
    """
    SECONDS.check(each_s, "each_s")
    limits, rules = check_limits(limits), rules or Rules()
    deadline = Deadline(limits.time_s, limits.stop)
    undecided, count = False, 0
    while count != limits.fills:
        if deadline.passed:
            return StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
        try:
            grid = next(grids)
        except StopIteration as end:
            return StopReason.TRIES if undecided and end.value is StopReason.EXHAUSTED else end.value
        problem = Problem(grid, lexicon, rules)
        if _is_refuted(problem, limits.seed):
            continue
        result = settle(problem, limits=replace(limits, time_s=deadline.remaining_s(each_s), fills=1))
        if result.fill is not None:
            count += 1
            yield problem, result.fill
        elif result.status is not Status.UNSATISFIABLE:
            undecided = True
    return StopReason.FILLS


def _is_refuted(problem: Problem, seed: int) -> bool:
    """Return whether arc consistency shows that there is no fill: sooner known than a search is begun."""
    engine = make_engine(PROBING_ENGINE)
    return isinstance(engine, ProbingEngine) and not engine.probe(problem, seed).domain(0)
