"""Grids one after another, each once; those that can be filled, each with a fill; designs ranked by their best fill.

Patterns of blocks come by growth, then from the model. The first designs come quickly, better ones as long as there is
time. The most promising get the most time (asynchronous successive halving): a new design gets one turn, the
best third of those get a second turn of three times the length, and so on. A design is finished once its best fill is
proved, and gets no more turns once its bound shows that it cannot be among the best.
"""

from __future__ import annotations

import time
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from math import inf, nextafter
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

from cpfill.base.errors import SECONDS, UnsupportedError, expected
from cpfill.base.texts import say
from cpfill.design.board import Symmetry
from cpfill.design.growth import grow_patterns
from cpfill.design.layouts import describe_unpaired, list_unpaired, may_pair
from cpfill.engines import PROBING_ENGINE, make_engine
from cpfill.engines.audited import Tally, audit, check_limits, search, settle
from cpfill.engines.requirements import require_probing
from cpfill.problem.event import Found, StopReason
from cpfill.problem.problem import Objective, Problem, exceeds, is_tighter
from cpfill.problem.result import Deadline, Outcome, SolveResult, Status
from cpfill.problem.rules import Rules, admit
from cpfill.puzzle.grid import BLOCK, Grid
from cpfill.words.wordlist import LEAST, Band

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from cpfill.design.board import Blame, BlockPattern
    from cpfill.design.demands import Demands
    from cpfill.problem.problem import Fill, Value
    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import Slot, SlotId
    from cpfill.words.lexicon import Lexicon

    Grids = Generator[Grid, Blame | None, StopReason]
    """Grids one after another. Send the slots to blame if the last one has no fill; the next grids avoid them."""
    _Patterns = Generator[BlockPattern, Blame | None, bool]
    Filled = Generator[tuple[Problem, Fill], None, StopReason]
    """Grids one after another, each with a fill."""
    Steps = Generator[tuple[Problem, Fill] | None, None, StopReason]
    """The same, with `None` after each other grid that was tried: a sign of life."""

TALLEST = 23
"""The greatest height of a grid made column by column: a column of 15 rows has 451 arrangements, of 23 rows 9,600."""


def generate(demands: Demands, *, limits: Limits | None = None) -> Grids:
    """Yield different random grids that meet the demands: `limits.fills` of them, or all with `None`.

    The mirror image of a grid is a different grid, because its words read the other way. The same seed gives the same
    grids as long as the time does not run out. From `limits` it also uses the time and the token. If the slots to blame
    for a failure are sent, later grids around a theme avoid them; `keep_fillable` sends them.

    Returns:
        FILLS if `limits.fills` grids were found, EXHAUSTED if it is proved that there are no others, TIME if the time
        ran out, INTERRUPTED if the token was set.
    """
    return _generate(demands, check_limits(limits))


def _generate(demands: Demands, limits: Limits) -> Grids:
    seen: dict[BlockPattern, None] = {}
    deadline = Deadline(limits.time_s, limits.stop)
    patterns = find_patterns(demands, seen, Random(limits.seed), deadline)  # noqa: S311 - variety, not secrecy
    blame = None
    while len(seen) != limits.fills:
        try:
            pattern = patterns.send(blame)
        except StopIteration as end:
            if end.value:
                return StopReason.EXHAUSTED
            return StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
        seen[pattern] = None
        blame = yield make_grid(demands, pattern)
    return StopReason.FILLS


def find_patterns(demands: Demands, seen: Mapping[BlockPattern, None], chance: Random, deadline: Deadline) -> _Patterns:
    """Yield patterns that are not in `seen`; return True if there are no others, False if time is over."""
    if not demands.longest:
        return True
    if demands.style.barred:
        return (yield from _find_barred(demands, seen, chance, deadline))
    for blocks in demands.block_ranges:
        if not (demands.draft and demands.seed_words):
            if _has_columns(demands):
                from cpfill.design.themed import design_patterns  # noqa: PLC0415 - few grids have a theme

                yield from design_patterns(demands, blocks, seen, chance, deadline)
            else:
                yield from (one for one in grow_patterns(demands, blocks, chance, deadline) if one not in seen)
        if deadline.passed or not find_spec("ortools"):
            return False
        with Deadline.uncounted():
            from cpfill.design.models import PatternModel  # noqa: PLC0415 - loads ortools, which growth does without
        model = PatternModel(demands, blocks)
        for pattern in seen:
            model.forbid(pattern)
        if not (yield from model.find_patterns(chance, deadline)):
            return False
    return True


def _find_barred(demands: Demands, seen: Mapping[BlockPattern, None], chance: Random, deadline: Deadline) -> _Patterns:
    """Yield barred patterns as `find_patterns` does: first those that follow the customs, then any."""
    if not find_spec("ortools"):
        raise UnsupportedError(say("barred grids need OR-Tools, which is not installed"))
    with Deadline.uncounted():
        from cpfill.design.models import BarModel  # noqa: PLC0415 - loads ortools
    for customary in (True, False):
        model = BarModel(demands, deadline, customary=customary)
        if deadline.passed:
            return False
        for pattern in seen:
            model.forbid(pattern)
        if not (yield from model.find_patterns(chance, deadline)):
            return False
    return True


def _has_columns(demands: Demands) -> bool:
    """Return whether patterns can be built column by column around a theme: words are known, and columns mirror."""
    if demands.count_words is None or not demands.seed_words or demands.height > TALLEST:
        return False
    return demands.style.checked and demands.style.symmetry in {Symmetry.ROTATE, Symmetry.MIRROR, Symmetry.NONE}


def make_grid(demands: Demands, pattern: BlockPattern) -> Grid:
    """Return the grid of a pattern: its blocks and bars, the letters of its words and of a draft as givens."""
    board, alphabet = demands.board, demands.alphabet
    cells = {row * board.stride + column: alphabet.full for row in range(board.height) for column in range(board.width)}
    cells |= demands.given
    for cell in cells:
        if pattern.blocks >> cell & 1:
            cells[cell] = BLOCK
    for word, run in pattern.placed:
        for cell, letter in zip(run, word, strict=True):
            cells[cell] = alphabet.letter_set(letter)
    ids = {cell: id_ for id_, cell in enumerate(cells)}
    bars = frozenset((ids[one], ids[other]) for one, other in pattern.bars)
    shortest = demands.style.min_slot_length
    return Grid(demands.height, demands.width, tuple(cells.values()), alphabet, shortest, bars=bars)


EACH_S = 2.0
"""Seconds to search for a fill of one grid. Most grids with a fill take a tenth of a second."""

LAYOUTS = 64
"""The number of layouts from which the one with the best fill is taken."""

RAISED_NODES = 1000
"""Nodes to find whether a grid has a better fill than the best so far."""

PROBED_NODES = 300
"""Nodes of a first search of each grid. It refutes most grids without a fill, and finds the slots to blame."""


@dataclass(slots=True)
class Attempts:
    """The numbers of grids that `keep_fillable` tried, and why those without success failed.

    Attributes:
        refuted: the number of grids proved to have no fill.
        undecided: the number of grids passed over.
        blame: for each seed word, its share of the failures: those in slots that cross it.
        furthest: the grid that took longest to refute, or was not refuted.
        worst: the slot of `furthest` that failed most.
    """

    tried: int = 0
    refuted: int = 0
    undecided: int = 0
    blame: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    furthest: Grid | None = None
    worst: Slot | None = None
    _took_s: float = 0.0

    def add(self, grid: Grid, blame: Blame | None, took_s: float, *, refuted: bool) -> None:
        """Count a grid, with the slots to blame and the time it took."""
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
    """Return the lengths of the allowed words; a grid with a slot of any other length has no fill."""
    least = (rules or Rules()).min_score
    return frozenset(length for length in lexicon.lengths if lexicon.table(length).at_least(least))


def add_words(demands: Demands, lexicon: Lexicon, rules: Rules | None = None) -> tuple[Demands, Lexicon]:
    """Return demands that know the allowed words, and the lexicon with the seed words and given words added."""
    own = demands.own_words
    whole = admit(lexicon, own, rules or Rules()).lexicon
    if banned := sorted(word for word in own if whole.find(word) is None):
        raise expected("seed words that are not excluded", ", ".join(banned))
    least, codes = (rules or Rules()).min_score, whole.alphabet.codes

    def count_words(length: int, letters: Mapping[int, str]) -> int:
        table = whole.table(length)
        words = table.at_least(least)
        for pos, letter in letters.items():
            words &= table.masks(pos)[codes[letter]]
        return words.bit_count()

    return replace(demands, lengths=find_lengths(whole, rules), count_words=count_words), whole


def fill_grids(
    demands: Demands,
    lexicon: Lexicon,
    rules: Rules | None = None,
    *,
    good: bool = False,
    limits: Limits | None = None,
    each_s: float = EACH_S,
    attempts: Attempts | None = None,
) -> Filled:
    """Yield grids that meet the demands, each with a fill (or a `good` one): `keep_fillable` applied to `generate`.

    If entries are proved not to pair up (`tell_unpaired`), there are none, and nothing is tried.

    Raises:
        InputError: a word that must stand in the grid is excluded, or a number is out of range.
    """
    return _leave_out_signs(
        fill_in_steps(demands, lexicon, rules, good=good, limits=limits, each_s=each_s, attempts=attempts)
    )


def fill_in_steps(
    demands: Demands,
    lexicon: Lexicon,
    rules: Rules | None = None,
    *,
    good: bool = False,
    limits: Limits | None = None,
    each_s: float = EACH_S,
    attempts: Attempts | None = None,
) -> Steps:
    """Yield what `fill_grids` does, and `None` after each other grid that was tried."""
    limits = check_limits(limits)
    every = replace(limits, fills=None)
    known, whole = add_words(demands, lexicon, rules)
    if not may_pair(list_unpaired(known, rules or Rules())):
        return _end(StopReason.EXHAUSTED)
    fillable = _try_grids(
        generate(known, limits=every), whole, rules, every if good else limits, each_s=each_s, attempts=attempts
    )
    return raise_fills(fillable, limits) if good else fillable


def tell_unpaired(demands: Demands, lexicon: Lexicon, rules: Rules) -> str:
    """Return in a sentence which entries do not pair up by length, if that makes a fill impossible or rare."""
    known, _ = add_words(demands, lexicon, rules)
    return describe_unpaired(list_unpaired(known, rules))


def keep_fillable(
    grids: Grids,
    lexicon: Lexicon,
    rules: Rules | None = None,
    *,
    limits: Limits | None = None,
    each_s: float = EACH_S,
    attempts: Attempts | None = None,
) -> Filled:
    """Yield `limits.fills` grids, or all, for which a fill is found, as problems, each with a fill.

    Give the demands of the grids the words (`add_words`), so that no grid has a slot of a length without words.

    A grid without a fill after `each_s` seconds is passed over, and the slots to blame are sent to the stream of grids.
    So the seed determines the result only as long as no grid takes that time. `limits` bounds the whole search; the
    stream should have the same time and token. Failed grids are added to `attempts`.

    Returns:
        FILLS if `limits.fills` grids were found, EXHAUSTED if it is proved that no other grid has a fill, TIME if the
        time ran out, INTERRUPTED if the token was set, TRIES if all other grids were refuted or passed over undecided.

    Raises:
        InputError: a number is out of range.
    """
    return _leave_out_signs(_try_grids(grids, lexicon, rules, check_limits(limits), each_s=each_s, attempts=attempts))


def _try_grids(
    grids: Grids, lexicon: Lexicon, rules: Rules | None, limits: Limits, *, each_s: float, attempts: Attempts | None
) -> Steps:
    SECONDS.check(each_s, "each_s")
    deadline, rules, attempts = Deadline(limits.time_s, limits.stop), rules or Rules(), attempts or Attempts()
    count, blame = 0, None
    while count != limits.fills:
        if deadline.passed:
            return StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
        try:
            grid = grids.send(blame)
        except StopIteration as end:
            return StopReason.TRIES if attempts.undecided and end.value is StopReason.EXHAUSTED else end.value
        own = {word: entry[0] for word in grid.given_words if (entry := lexicon.find(word)) is not None}
        problem, start_s = Problem(grid, lexicon, rules, own=own), time.monotonic()
        outcome, fill, blame = probe_grid(problem, limits.seed, Deadline(deadline.remaining_s(each_s), limits.stop))
        if outcome is Outcome.UNKNOWN:
            result = settle(problem, limits=replace(limits, time_s=deadline.remaining_s(each_s), fills=1))
            fill = result.fill
            outcome = Outcome.UNKNOWN if result.status is Status.UNKNOWN else Outcome.EXHAUSTED
        attempts.tried += 1
        if fill is None:
            attempts.add(grid, blame, time.monotonic() - start_s, refuted=outcome is Outcome.EXHAUSTED)
            yield None
        else:
            count += 1
            yield problem, fill
    return StopReason.FILLS


def raise_fills(fillable: Filled | Steps, limits: Limits) -> Steps:
    """Yield `limits.fills` of some grids, each with a good fill, and `None` after each other grid that was tried.

    It takes the grid with the best fill out of at most `LAYOUTS` consecutive grids, because the layout decides how good
    a fill around a theme can be. It skips a grid after the first unless all of its words can beat the weakest word so
    far; for most grids a few nodes decide that. A fill without weak or fair words ends the choice.

    Returns:
        FILLS if `limits.fills` grids were found, otherwise the result of `fillable`.
    """
    deadline, count = Deadline(limits.time_s, limits.stop), 0
    while count != limits.fills:
        best: tuple[tuple[float, ...], Problem, Fill] | None = None
        ended: StopReason | None = None
        for _ in range(LAYOUTS):
            try:
                while (found := next(fillable)) is None:
                    yield None
            except StopIteration as end:
                ended = end.value
                break
            problem, fill = found
            if best is None or _exceeds(problem, best[0][0], limits.seed, deadline):
                good = replace(problem, objective=Objective.GOOD)
                fill = settle(good, limits=replace(limits, time_s=deadline.time_s, fills=1)).fill or fill
                quality = rate(problem, fill)
                if best is None or quality > best[0]:
                    best = quality, problem, fill
            if not best[0] or best[0][0] >= LEAST[Band.STRONG] or deadline.passed:
                break
            yield None
        if best is not None:
            count += 1
            yield best[1], best[2]
        if ended is not None and count != limits.fills:
            return ended
    return StopReason.FILLS


def _leave_out_signs(steps: Steps) -> Filled:
    with closing(steps):
        while True:
            try:
                found = next(steps)
            except StopIteration as end:
                reason: StopReason = end.value
                return reason
            if found is not None:
                yield found


def _end(reason: StopReason) -> Steps:
    yield from ()
    return reason


def rate(problem: Problem, fill: Fill) -> tuple[float, ...]:
    """Return the minimum, tenth percentile and mean of the scores by which a fill is judged."""
    entries = [problem.lexicon.find(word) for word, _ in fill.score_entries(problem)]
    scores = sorted(entry[0] for entry in entries if entry is not None)
    return (scores[0], scores[len(scores) // 10], fmean(scores)) if scores else ()


def _exceeds(problem: Problem, least: float, seed: int, deadline: Deadline) -> bool:
    """Return whether a quick search finds a fill in which every word that is not given scores more than `least`."""
    probe = require_probing(make_engine(PROBING_ENGINE)).probe(problem, seed)
    for slot, table in zip(problem.slots, problem.tables, strict=True):
        if problem.grid.given_word(slot) is None:
            probe.exclude(slot.id, table.everything & ~table.at_least(nextafter(least, inf)))
    outcome, _ = probe.ask(0, probe.domain(0), RAISED_NODES, deadline)
    return outcome is Outcome.FOUND


def probe_grid(
    problem: Problem, seed: int, deadline: Deadline, nodes: int = PROBED_NODES
) -> tuple[Outcome, Fill | None, Blame | None]:
    """Search for a fill with little effort: most grids have none, and this shows it faster than an engine starts."""
    engine = require_probing(make_engine(PROBING_ENGINE))
    probe = engine.probe(problem, seed)
    outcome, fill = probe.ask(0, probe.domain(0), 0 if deadline.passed else nodes, deadline)
    if fill is not None:
        audit(problem, engine.name, fill)
        return outcome, fill, None
    return outcome, None, _find_blame(problem.grid, probe.weigh_crossings())


def _find_blame(grid: Grid, weights: Sequence[float]) -> Blame:
    """Return the slots where a search failed, each with its share, from its weights of the crossings."""
    failures: dict[SlotId, float] = defaultdict(float)
    for crossing, weight in zip(grid.crossings, weights, strict=True):
        for slot in (crossing.across, crossing.down) if weight > 1 else ():
            failures[slot] += weight - 1
    total = sum(failures.values())
    return {grid.slots[slot].cells: failed / total for slot, failed in failures.items()}


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
    deadline, ranking = Deadline(limits.time_s, limits.stop), Ranking(limits.fills)
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
            value, measures = fill.value(problem), problem.measures
            found = SolveResult(Status.SATISFIED, StopReason.FILLS, "generate", fill, value, measures, fills=1)
            design, turn = Design(len(ranking.all) + 1, problem, found), 0
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
    """Return the design to get the next turn, and which turn; `None` if a new design comes first."""
    designs = {design.number: design for design in ranking.all}
    for turn in reversed(range(len(turns))):
        after = turns[turn + 1] if turn + 1 < len(turns) else {}
        left = [number for number in turns[turn] if not designs[number].proved and ranking.can_enter(designs[number])]
        left.sort(key=lambda number: turns[turn][number], reverse=True)
        for number in left if all_ else left[: len(left) // SHARE]:
            if number not in after:
                return designs[number], turn + 1
    return None


def _improve(design: Design, limits: Limits) -> Generator[Design]:
    """Search for better fills; yield the design after each, and at the end if there is a new bound or proof."""
    told, tally = design.result, Tally(design.problem)
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
