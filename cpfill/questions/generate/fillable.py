"""Of generated grids those that can be filled, each with a fill."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from math import inf, nextafter
from statistics import fmean
from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, InputError
from cpfill.base.ranges import SECONDS
from cpfill.engines import PROBING_ENGINE, make_engine
from cpfill.engines.requirements import require_probing
from cpfill.engines.search import audit, check_limits, settle
from cpfill.problem.event import StopReason
from cpfill.problem.limits import Deadline
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Outcome, Status
from cpfill.problem.rules import Rules
from cpfill.questions.generate.generation import generate
from cpfill.questions.own_entries import admit
from cpfill.words.bands import LEAST, Band

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from cpfill.problem.fill import Fill
    from cpfill.problem.limits import Limits
    from cpfill.puzzle.grid import Grid, Slot, SlotId
    from cpfill.questions.generate.board import Blame
    from cpfill.questions.generate.demands import Demands
    from cpfill.questions.generate.generation import Grids
    from cpfill.words.lexicon import Lexicon

EACH_S = 2.0
"""Seconds to look for a fill of one grid. Most that can be filled are in a tenth of a second."""

LAYOUTS = 64
"""Of so many layouts the one with the best fill is taken."""

RAISED_NODES = 1000
"""Nodes to find whether a grid has a better fill than the best so far."""

PROBED_NODES = 300
"""Nodes of a first search of each grid. Most that cannot be filled are refuted within, and it tells where they fail."""


@dataclass(slots=True)
class Attempts:
    """The grids that `keep_fillable` tried in vain.

    Attributes:
        refuted: how many of them have no fill, as was proved.
        undecided: how many were passed over.
        blame: for each word that stood in them, how much of the failures was in slots that cross it.
        furthest: the grid that took longest to refute, or was not even refuted.
        worst: the slot of it that failed most.
    """

    refuted: int = 0
    undecided: int = 0
    blame: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    furthest: Grid | None = None
    worst: Slot | None = None
    _took_s: float = 0.0

    def add(self, grid: Grid, blame: Blame | None, took_s: float, *, refuted: bool) -> None:
        """Take a grid, the slots that are to blame, and how long it took."""
        self.refuted += refuted
        self.undecided += not refuted
        if not blame:
            return
        by_cells = {slot.cells: slot for slot in grid.slots}
        words = {cell: word for slot in grid.slots if (word := grid.given_word(slot)) for cell in slot.cells}
        for cells, share in blame.items():
            for word in {words[cell] for cell in cells if cell in words}:
                self.blame[word] += share
        if took_s >= self._took_s:
            self._took_s, self.furthest = took_s, grid
            self.worst = by_cells[max(blame, key=blame.__getitem__)]


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
    """Return demands that know which words there are, and these with those that stand in the grid already.

    Raises:
        InputError: one of those is excluded.
    """
    own = {*demands.seed_words, *(demands.draft.given_words if demands.draft else ())}
    whole, _, _ = admit(lexicon, own, rules or Rules())
    if banned := sorted(word for word in own if whole.find(word) is None):
        raise InputError(Fault("seed words that are not excluded", ", ".join(banned)))
    counter = make_word_counter(whole, rules)
    return replace(demands, lengths=find_lengths(whole, rules), count_words=counter), whole


def fill_grids(
    demands: Demands,
    lexicon: Lexicon,
    rules: Rules | None = None,
    *,
    good: bool = False,
    limits: Limits | None = None,
    each_s: float = EACH_S,
    attempts: Attempts | None = None,
) -> Generator[tuple[Problem, Fill], None, StopReason]:
    """Yield grids that meet the demands, each with a fill, or with a `good` one: `keep_fillable` of `generate`.

    Raises:
        InputError: a word that is to stand in the grid is excluded, or a number is out of its range.
    """
    limits = check_limits(limits)
    every = replace(limits, fills=None)
    known, whole = add_words(demands, lexicon, rules)
    fillable = keep_fillable(
        generate(known, limits=every), whole, rules, limits=every if good else limits, each_s=each_s, attempts=attempts
    )
    return raise_fills(fillable, limits=limits) if good else fillable


def keep_fillable(
    grids: Grids,
    lexicon: Lexicon,
    rules: Rules | None = None,
    *,
    limits: Limits | None = None,
    each_s: float = EACH_S,
    attempts: Attempts | None = None,
) -> Generator[tuple[Problem, Fill], None, StopReason]:
    """Yield `limits.fills` grids that are found to have a fill, or all of them, as problems, each with a fill.

    Let the demands of the grids know the words (`add_words`): no grid is then drawn in vain for a slot of a length
    without words.

    A grid for which none is found in `each_s` seconds is passed over; the stream of grids is told where it failed. So
    the seed settles which grids come out only as long as none takes that time. `limits` bounds the whole; the stream
    should have the same time and token. `attempts` gets what is tried in vain.

    Returns:
        FILLS if there were as many as asked for, EXHAUSTED if it is proved that no other has a fill, TIME if the time
        was over, INTERRUPTED if the token was set, TRIES if there are no others but such as were passed over undecided.

    Raises:
        InputError: a number is out of its range.
    """
    SECONDS.check(each_s, "each_s")
    limits, rules = check_limits(limits), rules or Rules()
    deadline = Deadline(limits.time_s, limits.stop)
    attempts, count, blame = attempts or Attempts(), 0, None
    while count != limits.fills:
        if deadline.passed:
            return StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
        try:
            grid = grids.send(blame)
        except StopIteration as end:
            return StopReason.TRIES if attempts.undecided and end.value is StopReason.EXHAUSTED else end.value
        problem, start_s = Problem(grid, lexicon, rules), time.monotonic()
        outcome, fill, blame = _probe(problem, limits.seed, Deadline(deadline.remaining_s(each_s), limits.stop))
        if outcome is Outcome.UNKNOWN:
            result = settle(problem, limits=replace(limits, time_s=deadline.remaining_s(each_s), fills=1))
            fill = result.fill
            outcome = Outcome.UNKNOWN if result.status is Status.UNKNOWN else Outcome.EXHAUSTED
        if fill is None:
            attempts.add(grid, blame, time.monotonic() - start_s, refuted=outcome is Outcome.EXHAUSTED)
        else:
            count += 1
            yield problem, fill
    return StopReason.FILLS


def raise_fills(
    fillable: Generator[tuple[Problem, Fill], None, StopReason], *, limits: Limits | None = None
) -> Generator[tuple[Problem, Fill], None, StopReason]:
    """Yield `limits.fills` of the grids that `keep_fillable` yields without a limit of fills, each with a good fill.

    Of several grids in a row, `LAYOUTS` at most, the one with the best fill is taken: a layout decides how good a fill
    around a theme can be. A grid after the first is worked on only if all its words can be better than the weakest
    word so far, which few nodes show of most. The first one without a weak or fair word ends the choice.

    Returns:
        FILLS if there were as many as asked for, or else what `fillable` returns.
    """
    limits = check_limits(limits)
    deadline, count = Deadline(limits.time_s, limits.stop), 0
    while count != limits.fills:
        best: tuple[tuple[float, ...], Problem, Fill] | None = None
        ended: StopReason | None = None
        for _ in range(LAYOUTS):
            try:
                problem, fill = next(fillable)
            except StopIteration as end:
                ended = end.value
                break
            if best is None or _exceeds(problem, best[0][0], limits.seed, deadline):
                good = replace(problem, objective=Objective.GOOD)
                fill = settle(good, limits=replace(limits, time_s=deadline.time_s, fills=1)).fill or fill
                quality = _rate(problem, fill)
                if best is None or quality > best[0]:
                    best = quality, problem, fill
            if not best[0] or best[0][0] >= LEAST[Band.STRONG] or deadline.passed:
                break
        if best is not None:
            count += 1
            yield best[1], best[2]
        if ended is not None and count != limits.fills:
            return ended
    return StopReason.FILLS


def _rate(problem: Problem, fill: Fill) -> tuple[float, ...]:
    """Return the least score of the words that are not given, their tenth percentile and their mean; or nothing."""
    scores = sorted(score for _, score in fill.score_entries(problem) if score is not None)
    return (scores[0], scores[len(scores) // 10], fmean(scores)) if scores else ()


def _exceeds(problem: Problem, least: float, seed: int, deadline: Deadline) -> bool:
    """Return whether a fill is soon found in which every word that is not given scores more than `least`."""
    probe = require_probing(make_engine(PROBING_ENGINE)).probe(problem, seed)
    for slot, table in zip(problem.slots, problem.tables, strict=True):
        if problem.grid.given_word(slot) is None:
            probe.exclude(slot.id, table.everything & ~table.at_least(nextafter(least, inf)))
    outcome, _ = probe.ask(0, probe.domain(0), RAISED_NODES, deadline)
    return outcome is Outcome.FOUND


def _probe(problem: Problem, seed: int, deadline: Deadline) -> tuple[Outcome, Fill | None, Blame | None]:
    """Look for a fill with little effort: most often there is none, which is sooner known than an engine is started."""
    engine = require_probing(make_engine(PROBING_ENGINE))
    probe = engine.probe(problem, seed)
    outcome, fill = probe.ask(0, probe.domain(0), 0 if deadline.passed else PROBED_NODES, deadline)
    if fill is not None:
        audit(problem, engine.name, fill)
        return outcome, fill, None
    return outcome, None, _find_blame(problem.grid, probe.weigh_crossings())


def _find_blame(grid: Grid, weights: Sequence[float]) -> Blame:
    """Return the slots where a search failed, each with its share, from what it weighs the crossings."""
    failures: dict[SlotId, float] = defaultdict(float)
    for crossing, weight in zip(grid.crossings, weights, strict=True):
        for slot in (crossing.across, crossing.down) if weight > 1 else ():
            failures[slot] += weight - 1
    total = sum(failures.values())
    return {grid.slots[slot].cells: failed / total for slot, failed in failures.items()}
