"""Grids one after another, each once; those that can be filled, each with a fill.

Patterns of blocks come by growth, then from the model.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from math import inf, nextafter
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

from cpfill.base.errors import SECONDS, UnsupportedError, expected
from cpfill.base.texts import say
from cpfill.design.board import Symmetry, list_bits
from cpfill.design.growth import grow_patterns
from cpfill.design.layouts import describe_unpaired, list_unpaired, may_pair
from cpfill.engines import PROBING_ENGINE, make_engine
from cpfill.engines.audited import Fills, audit, check_limits, drop_objective, search, settle
from cpfill.engines.requirements import require_probing
from cpfill.problem.either import list_answers
from cpfill.problem.event import StopReason
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Deadline, Outcome, Status
from cpfill.problem.rules import Rules, admit
from cpfill.puzzle.grid import BLOCK, Grid
from cpfill.words.wordlist import LEAST, Band

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from cpfill.design.board import Blame, BlockPattern
    from cpfill.design.demands import Demands
    from cpfill.problem.fill import Fill
    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import CellId, Slot, SlotId
    from cpfill.words.lexicon import Lexicon

    Grids = Generator[Grid, Blame | None, StopReason]
    """Grids one after another. Send the slots to blame if the last grid has no fill; the next grids avoid them."""
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
            yield from _draw_patterns(demands, blocks, seen, chance, deadline)
        if deadline.passed or not find_spec("ortools"):
            return False
        with Deadline.uncounted():
            from cpfill.design.models import PatternModel
        model = PatternModel(demands, blocks)
        for pattern in seen:
            model.forbid(pattern)
        if not (yield from model.find_patterns(chance, deadline)):
            return False
    return True


def _draw_patterns(
    demands: Demands,
    blocks: tuple[int, int],
    seen: Mapping[BlockPattern, None],
    chance: Random,
    deadline: Deadline,
) -> Generator[BlockPattern, Blame | None]:
    """Yield patterns that are not in `seen`, drawn at random, until too many draws fail or time is over."""
    if _has_columns(demands):
        from cpfill.design.themed import design_patterns

        yield from design_patterns(demands, blocks, seen, chance, deadline)
        return
    for pattern in grow_patterns(demands, blocks, chance, deadline):
        if pattern not in seen:
            yield pattern


def _find_barred(demands: Demands, seen: Mapping[BlockPattern, None], chance: Random, deadline: Deadline) -> _Patterns:
    """Yield barred patterns as `find_patterns` does: first those that follow the customs, then any."""
    if not find_spec("ortools"):
        raise UnsupportedError(say("barred grids need OR-Tools, which is not installed"))
    with Deadline.uncounted():
        from cpfill.design.models import BarModel
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
    board = demands.board
    alphabet = demands.alphabet
    cells = dict.fromkeys(list_bits(board.full), alphabet.full)
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
        words = _spread_words(grid)
        for cells, share in blame.items():
            for word in {words[cell] for cell in cells if cell in words}:
                self.blame[word] += share
        if took_s >= self._took_s:
            self._took_s = took_s
            self.furthest = grid
            worst = max(blame, key=blame.__getitem__)
            self.worst = next(slot for slot in grid.slots if slot.cells == worst)


def _spread_words(grid: Grid) -> dict[CellId, str]:
    """Return for each cell of a completely given slot the word there."""
    words: dict[CellId, str] = {}
    for slot in grid.slots:
        word = grid.given_word(slot)
        if word:
            words.update(dict.fromkeys(slot.cells, word))
    return words


def find_lengths(lexicon: Lexicon, rules: Rules | None = None) -> frozenset[int]:
    """Return the lengths of the allowed words; a grid with a slot of any other length has no fill."""
    least = (rules or Rules()).min_score
    return frozenset(length for length in lexicon.lengths if lexicon.table(length).at_least(least))


def add_words(demands: Demands, lexicon: Lexicon, rules: Rules | None = None) -> tuple[Demands, Lexicon]:
    """Return demands that know the allowed words, and the lexicon with the seed words and given words added."""
    own = demands.own_words | _list_answers(rules, lexicon)
    whole = admit(lexicon, own, rules or Rules()).lexicon
    banned = sorted(word for word in own if whole.find(word) is None)
    if banned:
        raise expected("seed words that are not excluded", ", ".join(banned))
    least = (rules or Rules()).min_score
    codes = whole.alphabet.codes

    def count_words(length: int, letters: Mapping[int, str]) -> int:
        table = whole.table(length)
        words = table.at_least(least)
        for pos, letter in letters.items():
            words &= table.masks(pos)[codes[letter]]
        return words.bit_count()

    return replace(demands, lengths=find_lengths(whole, rules), count_words=count_words), whole


def _list_answers(rules: Rules | None, lexicon: Lexicon) -> frozenset[str]:
    """Return the answers of slots that are to have several."""
    if not (rules and rules.either):
        return frozenset()
    return list_answers(rules.either, lexicon.alphabet)


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
    """Yield grids that meet the demands, each with a fill (or a `good` fill).

    It applies `keep_fillable` to `generate`.

    If entries are proved not to pair up (`tell_unpaired`), it yields nothing and tries no grid.

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
    again: bool = False,
) -> Steps:
    """Yield the grids of `fill_grids`, and `None` after each other grid that was tried.

    With `again`, grids get other fills once all patterns are used up.
    """
    limits = check_limits(limits)
    every = replace(limits, fills=None)
    known, whole = add_words(demands, lexicon, rules)
    if not may_pair(list_unpaired(known, rules or Rules())):
        return _end(StopReason.EXHAUSTED)
    grids = generate(known, limits=every)
    if good:
        steps = raise_fills(_try_grids(grids, whole, rules, every, each_s=each_s, attempts=attempts), limits)
    else:
        steps = _try_grids(grids, whole, rules, limits, each_s=each_s, attempts=attempts)
    if again:
        return _refill(steps, limits, each_s, Objective.GOOD if good else Objective.ANY)
    return steps


def _refill(steps: Steps, limits: Limits, each_s: float, objective: Objective) -> Steps:
    """Yield grids with fills, then the same grids in turn with other fills, until none has another fill."""
    deadline = Deadline(limits.time_s, limits.stop)
    waiting: deque[tuple[Problem, list[Fill]]] = deque()
    with closing(steps):
        reason = yield from _note_fills(steps, waiting)
    if reason not in {StopReason.EXHAUSTED, StopReason.TRIES}:
        return reason
    count = len(waiting)
    while waiting:
        if count == limits.fills:
            return StopReason.FILLS
        if deadline.passed:
            return StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
        problem, fills = waiting.popleft()
        short = replace(limits, time_s=deadline.remaining_s(each_s), fills=1)
        fill, decided = _fill_anew(replace(problem, objective=objective), fills, short)
        if fill is not None:
            count += 1
            waiting.append((problem, [*fills, fill]))
            yield problem, fill
        elif not decided:
            reason = StopReason.TRIES
    return reason


def _note_fills(steps: Steps, noted: deque[tuple[Problem, list[Fill]]]) -> Steps:
    """Yield grids as they come, and note those with fills."""
    while True:
        try:
            found = next(steps)
        except StopIteration as end:
            reason: StopReason = end.value
            return reason
        if found is not None:
            problem, fill = found
            noted.append((problem, [fill]))
        yield found


def _fill_anew(problem: Problem, fills: Sequence[Fill], limits: Limits) -> tuple[Fill | None, bool]:
    """Return a fill unlike some others, without their words if there is one, and whether that was decided."""
    words = {fill.word_at(slot) for fill in fills for slot in problem.slots if problem.grid.given_word(slot) is None}
    fill = settle(replace(problem, avoided=problem.avoided.union(words)), limits=limits).fill
    if fill is not None:
        return fill, True
    any_fill = drop_objective(problem)
    every = Fills(any_fill, search(any_fill, limits=replace(limits, fills=len(fills) + 1)))
    with closing(every):
        fill = next((each for each in every if each not in fills), None)
    return fill, fill is not None or every.result.stop_reason is StopReason.EXHAUSTED


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
    deadline = Deadline(limits.time_s, limits.stop)
    rules = rules or Rules()
    attempts = attempts or Attempts()
    answers = _list_answers(rules, lexicon)
    count = 0
    blame = None
    while count != limits.fills:
        if deadline.passed:
            return StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
        try:
            grid = grids.send(blame)
        except StopIteration as end:
            reason: StopReason = end.value
            if attempts.undecided and reason is StopReason.EXHAUSTED:
                return StopReason.TRIES
            return reason
        problem = Problem(grid, lexicon, rules, own=_find_scores(grid.given_words | answers, lexicon))
        start_s = time.monotonic()
        outcome, fill, blame = probe_grid(problem, limits.seed, Deadline(deadline.remaining_s(each_s), limits.stop))
        refuted = outcome is Outcome.EXHAUSTED
        if outcome is Outcome.UNKNOWN:
            result = settle(problem, limits=replace(limits, time_s=deadline.remaining_s(each_s), fills=1))
            fill = result.fill
            refuted = result.status is not Status.UNKNOWN
        attempts.tried += 1
        if fill is None:
            attempts.add(grid, blame, time.monotonic() - start_s, refuted=refuted)
            yield None
        else:
            count += 1
            yield problem, fill
    return StopReason.FILLS


def _find_scores(words: Iterable[str], lexicon: Lexicon) -> dict[str, float]:
    """Return the scores of those words that are in a lexicon."""
    scores = {}
    for word in words:
        entry = lexicon.find(word)
        if entry is not None:
            scores[word] = entry[0]
    return scores


def raise_fills(fillable: Filled | Steps, limits: Limits) -> Steps:
    """Yield `limits.fills` of some grids, each with a good fill, and `None` after each other grid that was tried.

    It takes the grid with the best fill out of at most `LAYOUTS` consecutive grids, because the layout decides how good
    a fill around a theme can be. It skips a grid after the first unless all of its words can beat the weakest word so
    far; for most grids a few nodes decide that. A fill without weak or fair words ends the choice.

    Returns:
        FILLS if `limits.fills` grids were found, otherwise the result of `fillable`.
    """
    deadline = Deadline(limits.time_s, limits.stop)
    count = 0
    while count != limits.fills:
        best, ended = yield from _find_best(fillable, limits, deadline)
        if best is not None:
            count += 1
            yield best
        if ended is not None and count != limits.fills:
            return ended
    return StopReason.FILLS


def _find_best(
    fillable: Filled | Steps, limits: Limits, deadline: Deadline
) -> Generator[None, None, tuple[tuple[Problem, Fill] | None, StopReason | None]]:
    """Return the next of the grids that `raise_fills` yields, and why the stream ended if it did."""
    best: tuple[Problem, Fill] | None = None
    reached: tuple[float, ...] = ()
    for _ in range(LAYOUTS):
        try:
            found = next(fillable)
            while found is None:
                yield None
                found = next(fillable)
        except StopIteration as end:
            return best, end.value
        problem, fill = found
        if best is None or _exceeds(problem, reached[0], limits.seed, deadline):
            good = replace(problem, objective=Objective.GOOD)
            fill = settle(good, limits=replace(limits, time_s=deadline.time_s, fills=1)).fill or fill
            quality = rate(problem, fill)
            if best is None or quality > reached:
                best = problem, fill
                reached = quality
        if not reached or reached[0] >= LEAST[Band.STRONG] or deadline.passed:
            break
        yield None
    return best, None


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
    if not scores:
        return ()
    return scores[0], scores[len(scores) // 10], fmean(scores)


def _exceeds(problem: Problem, least: float, seed: int, deadline: Deadline) -> bool:
    """Return whether a quick search finds a fill in which every word that is not given scores more than `least`."""
    if problem.undecided:
        return True
    probe = require_probing(make_engine(PROBING_ENGINE)).probe(problem, seed)
    for slot, table in zip(problem.slots, problem.tables, strict=True):
        if problem.grid.given_word(slot) is None:
            probe.exclude(slot.id, table.everything & ~table.at_least(nextafter(least, inf)))
    outcome, _ = probe.ask(0, probe.domain(0), RAISED_NODES, deadline)
    return outcome is Outcome.FOUND


def probe_grid(
    problem: Problem, seed: int, deadline: Deadline, nodes: int = PROBED_NODES
) -> tuple[Outcome, Fill | None, Blame | None]:
    """Search for a fill with little effort: most grids have no fill, and this shows it faster than an engine starts."""
    if problem.undecided:
        return Outcome.UNKNOWN, None, None
    engine = require_probing(make_engine(PROBING_ENGINE))
    probe = engine.probe(problem, seed)
    if deadline.passed:
        nodes = 0
    outcome, fill = probe.ask(0, probe.domain(0), nodes, deadline)
    if fill is not None:
        audit(problem, engine.name, fill)
        return outcome, fill, None
    return outcome, None, _find_blame(problem.grid, probe.weigh_crossings())


def _find_blame(grid: Grid, weights: Sequence[float]) -> Blame:
    """Return the slots where a search failed, each with its share, from its weights of the crossings."""
    failures: dict[SlotId, float] = defaultdict(float)
    for crossing, weight in zip(grid.crossings, weights, strict=True):
        if weight > 1:
            failures[crossing.across] += weight - 1
            failures[crossing.down] += weight - 1
    total = sum(failures.values())
    return {grid.slots[slot].cells: failed / total for slot, failed in failures.items()}
