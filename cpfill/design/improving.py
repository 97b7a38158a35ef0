"""Grids with the fewest blocks, or with the heaviest words of a pool; better ones as long as there is time.

The places of blocks and words are annealed together, and the most promising patterns are searched for fills. Each round
demands an improvement on the best grid so far that its promise makes likely; after a failure it demands less, with more
effort.

The bound of blocks is proved pattern by pattern: CP-SAT lists those with the fewest blocks, and each is refuted; then
those with one more. If some of the rows and columns without a block have no words together, that refutes all patterns
without a block in them. In a square, a proof about a pattern holds for its transpose. The bound of a theme is at first
that of the words that can stand together by their lengths and letters, if any letters may stand in the other slots.
Then CP-SAT gives one pattern after another with that theme, and each is refuted, until no pattern is left and the
bound is lower.

Some of the time is kept for a better fill of the best grid, with its blocks and its words of the pool.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from functools import reduce
from heapq import nlargest
from importlib.util import find_spec
from operator import or_
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

from cpfill.design.annealing import Moves, Promise
from cpfill.design.board import BlockPattern, Symmetry, list_bits
from cpfill.design.demands import count_slots, obeys
from cpfill.design.designs import Design
from cpfill.design.grids import Attempts, add_words, find_patterns, make_grid, probe_grid
from cpfill.engines.audited import audit, check_limits, settle
from cpfill.engines.mac.engine import MacEngine
from cpfill.engines.mac.search import StartingPoint
from cpfill.problem.event import Found, StopReason
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Deadline, Outcome, SolveResult, Status
from cpfill.problem.rules import Rules
from cpfill.problem.value import Criterion
from cpfill.puzzle.grid import Direction, open_slots

if TYPE_CHECKING:
    from collections.abc import Generator
    from collections.abc import Set as AbstractSet

    from cpfill.design.board import Blame, Cells
    from cpfill.design.demands import Demands
    from cpfill.design.models import PatternModel
    from cpfill.problem.fill import Fill
    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import Slot
    from cpfill.words.lexicon import Lexicon

    Improvements = Generator[Design, None, StopReason]

STEPS_A_CELL = 30
"""The steps of a first round of annealing for each cell of the grid."""

HOT, COLD = 3.0, 0.3
"""The first and the last temperature, as promise."""

DEAR = 8.0
"""The promise that a block too many, or a word of the pool too few, outweighs."""

HOPE = 15.0
"""The promise that makes one more block less, or word more, likely."""

PROBES = 4
"""The number of patterns of a round that are searched."""

NODES = 1000
"""The nodes of a search in a first round."""

EFFORT, MOST_EFFORT = 1.25, 100.0
"""The factor by which the steps and nodes of a round grow after a failure, and the greatest."""

AGAIN = 4.0
"""How much greater the effort must be to search a pattern again."""

SLACK = 5.0
"""The number of words of the pool that a pattern may lack when it is searched."""

FURTHER_S = 1.5
"""The seconds to place more words of the pool in a pattern."""

SHARE_OF_GOOD, GOOD_S = 0.1, 5.0
"""The share of the time, or without a limit the seconds, for a better fill of the best grid."""

SHARE_OF_PROOF, SLICE_S = 0.2, 1.0
"""The share of the time for the bound, and the seconds of its first turn."""

LINES = 2 / 3
"""The share of rows and of columns that are first searched for words together."""

FEWER_LINES = 0.5
"""How many fewer lines are searched after a proof; after a failure it is one more."""

DUE = 2.0
"""By how much lines that a proof left out come first in the next; lines that fail gain 1 in all."""

MOST_PLACES, PLACES_A_SECOND = 20_000, 2000
"""With more words times cells, or without time to state them, the bound of a theme is the weight of all its words."""


def improve_grids(
    demands: Demands,
    lexicon: Lexicon,
    rules: Rules | None = None,
    *,
    limits: Limits | None = None,
    attempts: Attempts | None = None,
) -> Improvements:
    """Yield the best grid with a fill, as design 1, each time that a better grid or a tighter bound is found.

    If the demands have a pool, the heavier words of the pool are better; otherwise fewer blocks. The value and the
    bound of the result are that weight or number.

    Returns:
        EXHAUSTED if it is proved that there is no better grid, or no grid at all; otherwise TIME or INTERRUPTED.

    Raises:
        InputError: a word that must stand in the grid is excluded, or a number is out of range.
    """
    limits = check_limits(limits)
    known, whole = add_words(demands, lexicon, rules)
    task = _Task(known, whole, rules or Rules(), limits)
    return _Improver(task, _Best(task, attempts or Attempts())).run()


class _Task:
    """The demands on the grids, and the time and the chance to find them.

    Costs are numbers of blocks, or weights of words in units with a minus: less is better.

    Attributes:
        pool: the weights of the words of the pool, in units.
        unit: the cost of a block, or of a word on average.
        least: the least number of blocks.
        most: the greatest number of blocks.
        whole: when all time is over.
        good_s: the seconds of it for a better fill of the best grid.
        deadline: when the time to find better grids is over.
    """

    def __init__(self, demands: Demands, lexicon: Lexicon, rules: Rules, limits: Limits) -> None:
        self.demands = demands
        self.board = demands.board
        self.lexicon = lexicon
        self.rules = rules
        self.limits = limits
        self.chance = Random(limits.seed)  # noqa: S311 - variety, not secrecy
        self.pool = demands.units
        self.unit = 1.0
        if any(self.pool.values()):
            self.unit = fmean(self.pool.values())
        self.least, self.most = demands.blocks or (0, demands.height * demands.width)
        self.good_s = GOOD_S
        if limits.time_s is not None:
            self.good_s = SHARE_OF_GOOD * limits.time_s
        self.whole = Deadline(limits.time_s, limits.stop)
        self.deadline = Deadline(limits.time_s and limits.time_s - self.good_s, limits.stop)

    @property
    def words(self) -> tuple[str, ...]:
        """The seed words and the words of the pool."""
        return tuple(dict.fromkeys((*self.demands.seed_words, *self.pool)))

    @property
    def stop_reason(self) -> StopReason:
        return StopReason.INTERRUPTED if self.limits.stopped else StopReason.TIME

    def cost(self, pattern: BlockPattern) -> int:
        if not self.pool:
            return pattern.blocks.bit_count()
        return -sum(self.pool.get(word, 0) for word, _ in pattern.placed)

    def take_slice(self, slice_s: float) -> Deadline:
        """Return the deadline of a turn."""
        return Deadline(self.deadline.remaining_s(slice_s), self.limits.stop)


class _Best:
    """The best grid so far, and the searches for a better one.

    Attributes:
        pattern: its pattern.
        found: its problem and its fill.
    """

    def __init__(self, task: _Task, attempts: Attempts) -> None:
        self._task = task
        self._attempts = attempts
        self._words = frozenset(task.words)
        self.pattern: BlockPattern | None = None
        self.found: tuple[Problem, Fill] | None = None

    @property
    def cost(self) -> float:
        """Its cost; infinite without a grid."""
        return math.inf if self.pattern is None else self._task.cost(self.pattern)

    def try_pattern(self, pattern: BlockPattern, nodes: int) -> Outcome:
        """Search for a fill of a pattern, and keep it if it is the best."""
        task = self._task
        grid = make_grid(task.demands, pattern)
        theme = {word: weight for word, weight in task.demands.pool if grid.can_hold(word)}
        problem = Problem(grid, task.lexicon, task.rules, theme=theme)
        start_s = time.monotonic()
        outcome, fill, blame = probe_grid(problem, task.limits.seed, task.deadline, nodes)
        self._attempts.tried += 1
        if fill is None:
            refuted = outcome is Outcome.EXHAUSTED
            self._attempts.add(grid, blame, time.monotonic() - start_s, refuted=refuted)
            return outcome
        self.keep(pattern, problem, fill)
        if theme:
            time_s = task.deadline.remaining_s(FURTHER_S * nodes / NODES)
            further = settle(problem, limits=replace(task.limits, time_s=time_s, fills=1))
            if further.fill:
                self.keep(pattern, problem, further.fill)
        return outcome

    def keep(self, pattern: BlockPattern, problem: Problem, fill: Fill) -> None:
        """Keep a fill if it is the best."""
        pattern = replace(pattern, placed=self._list_placed(problem, fill))
        if self._task.cost(pattern) < self.cost:
            self.pattern = pattern
            self.found = problem, fill

    def _list_placed(self, problem: Problem, fill: Fill) -> tuple[tuple[str, range], ...]:
        """Return the seed words and the words of the pool in a fill, with their places."""
        placed: list[tuple[str, range]] = []
        for slot in problem.slots if self._words else ():
            word = fill.word_at(slot)
            if word in self._words:
                first, second, last = map(self._task.demands.find_bit, (*slot.cells[:2], slot.cells[-1]))
                placed.append((word, range(first, last + 1, second - first)))
        return tuple(placed)

    def raise_fill(self) -> bool:
        """Search for a better fill of the best pattern with its words, and return whether there is one."""
        pattern = self.pattern
        assert pattern is not None
        assert self.found is not None
        task = self._task
        problem, known = self.found
        grid = make_grid(task.demands, pattern)
        # A theme, even without a weight, keeps its words from standing there twice.
        theme = dict.fromkeys(problem.theme if task.rules.repeats else (), 0.0)
        good = Problem(grid, task.lexicon, task.rules, objective=Objective.GOOD, theme=theme)
        limits = replace(task.limits, time_s=task.whole.remaining_s(task.good_s), fills=1)
        start = StartingPoint(Found(known, known.value(good)[: len(good.criteria)]))
        fill = known
        for event in MacEngine().improve(good, limits, start):
            if isinstance(event, Found):
                fill = event.fill
        audit(good, MacEngine.name, fill)
        self.pattern = None
        self.keep(pattern, problem, replace(fill, grid=problem.grid))
        return fill != known

    def design(self, bound: float) -> Design:
        """Return the grid as a design, with its bound."""
        assert self.pattern is not None
        assert self.found is not None
        problem, fill = self.found
        cost = self._task.cost(self.pattern)
        per_unit = self._task.demands.per_unit
        proved = cost <= bound
        result = SolveResult(
            Status.OPTIMAL if proved else Status.SATISFIED,
            StopReason.EXHAUSTED if proved else StopReason.FILLS,
            "generate",
            fill,
            (abs(cost) / per_unit,),
            (Criterion.THEME,) if self._task.pool else problem.measures[:1],
            (abs(bound) / per_unit,),
            1,
        )
        return Design(1, problem, result)


class _Improver:
    """Searches and proves by turns."""

    def __init__(self, task: _Task, best: _Best) -> None:
        self._task = task
        self._best = best
        self._proof = _Proof(task, best)

    def run(self) -> Improvements:
        """Improve the grid; at last give the best grid a good fill."""
        reason = yield from self._improve()
        if self._best.pattern and self._best.raise_fill():
            yield self._design
        return reason

    @property
    def _design(self) -> Design:
        return self._best.design(self._proof.bound)

    def _improve(self) -> Improvements:
        """Search and prove by turns until the best grid is proved to be the best, or time is over."""
        task, best, proof = self._task, self._best, self._proof
        try:
            pattern = next(find_patterns(replace(task.demands, pool=()), {}, task.chance, task.deadline))
        except StopIteration as end:
            return StopReason.EXHAUSTED if end.value else task.stop_reason
        best.try_pattern(pattern, NODES)
        if best.pattern:
            yield self._design
        search = _Annealing(task, best, pattern)
        turns: Generator[None] | None = proof.prove()
        proof_s = 0.0
        while not task.deadline.passed:
            start_s = task.deadline.elapsed_s
            bound = proof.bound
            before = best.pattern
            if turns and (before or search.failed) and proof_s <= SHARE_OF_PROOF * start_s:
                if next(turns, self) is self:
                    turns = None
                proof_s += task.deadline.elapsed_s - start_s
            else:
                search.run()
            if best.pattern and (best.pattern is not before or proof.bound != bound):
                yield self._design
            if proof.bound >= best.cost:
                return StopReason.EXHAUSTED
        return task.stop_reason


class _Annealing:
    """The search for better grids, round by round."""

    def __init__(self, task: _Task, best: _Best, first: BlockPattern) -> None:
        self._task = task
        self._best = best
        self._first = first
        self._promise = Promise(task.demands, task.lexicon, task.rules)
        self._moves = Moves(task.demands, task.words, task.most, task.chance)
        self._effort = 1.0
        self._ambition = 1.0
        self._asked: dict[BlockPattern, float] = {}
        """The effort with which patterns were searched in vain."""

    @property
    def failed(self) -> bool:
        """Whether the last round failed."""
        return self._effort > 1

    def run(self) -> None:
        """Search for a better grid for one round; set the ambition and the effort of the next round."""
        before = self._best.pattern
        promise = self._search(before or self._first)
        if self._best.pattern is before:
            self._ambition = max(1.0, self._ambition / 2)
            self._effort = min(EFFORT * self._effort, MOST_EFFORT)
        else:
            self._ambition = max(1.0, promise / HOPE)
            self._effort = 1.0
        if self._task.pool:
            self._ambition = self._task.chance.uniform(-SLACK, 1.0)

    def _search(self, start: BlockPattern) -> float:
        """Search for a better grid from a pattern; return the promise of the pattern that was found to be better."""
        before = self._best.pattern
        target: float = self._task.cost(start)
        if before:
            target -= self._ambition * self._task.unit
        for promise, pattern in self._anneal(start, target):
            if self._task.deadline.passed:
                break
            outcome = self._best.try_pattern(pattern, round(NODES * self._effort))
            if self._best.pattern is not before:
                return promise
            self._asked[pattern] = self._effort if outcome is Outcome.UNKNOWN else math.inf
        return 0.0

    def _anneal(self, pattern: BlockPattern, target: float) -> list[tuple[float, BlockPattern]]:
        """Return the most promising patterns met that would be the best, each with its promise less a price.

        The price is for a cost above `target`.
        """
        steps = round(self._effort * STEPS_A_CELL * self._task.board.full.bit_count())
        chance = self._task.chance
        changed: BlockPattern | None = pattern
        rated = -math.inf
        met: dict[object, tuple[float, int, BlockPattern]] = {}
        for step in range(steps):
            if self._task.deadline.passed:
                break
            room = HOT * (COLD / HOT) ** (step / steps) * math.log(1 - chance.random())
            now = -math.inf
            if changed:
                now = self._rate(changed, target, rated + room)
            if changed and now > -math.inf and self._obeys(changed):
                pattern = changed
                rated = now
                if self._may_win(pattern, target):
                    key = pattern.placed or pattern.blocks
                    met[key] = max(met.get(key, (-math.inf, 0, pattern)), (rated, step, pattern))
            changed = self._moves.change(pattern)
        return [(rated, pattern) for rated, _, pattern in nlargest(PROBES, met.values())]

    def _rate(self, pattern: BlockPattern, target: float, least: float) -> float:
        """Return the promise of a pattern less the price of its cost; minus infinity if it is under `least`."""
        lacks = DEAR * max(0.0, (self._task.cost(pattern) - target) / self._task.unit)
        return self._promise.of(pattern, least + lacks) - lacks

    def _may_win(self, pattern: BlockPattern, target: float) -> bool:
        """Return whether a pattern, if it can be filled, is good, and was not searched with about this effort."""
        task = self._task
        cost = task.cost(pattern)
        sized = task.least <= pattern.blocks.bit_count() <= task.most
        good = cost <= target or cost < self._best.cost
        return sized and good and self._effort >= AGAIN * self._asked.get(pattern, 0.0)

    def _obeys(self, pattern: BlockPattern) -> bool:
        demands = self._task.demands
        most = demands.max_words
        few = most is None or count_slots(demands, pattern.blocks) <= most
        return few and obeys(demands, pattern.blocks)


class _Proof:
    """The proof that no grid is better, turn by turn.

    Attributes:
        bound: no grid with a fill costs less.
    """

    def __init__(self, task: _Task, best: _Best) -> None:
        self._task = task
        self._best = best
        self.bound: float = -sum(task.pool.values()) if task.pool else task.least
        self._open = make_grid(task.demands, BlockPattern(0))
        self._lines: dict[Slot, Cells] = {}
        for slot in self._open.slots:
            self._lines[slot] = sum(1 << task.demands.find_bit(cell) for cell in slot.cells)
        self._hit: list[Cells] = []
        """Sets of cells in each of which a grid with a fill has a block."""
        self._due = dict.fromkeys(self._lines, 0.0)
        """How soon lines are searched: those where searches failed, and those left out so far."""
        self._kept = LINES * max(task.demands.height, task.demands.width)
        """How many rows and columns are searched for words together."""
        self._nodes = NODES

    def prove(self) -> Generator[None]:
        """Raise the bound, little by little."""
        task = self._task
        places = len(task.pool) * task.board.full.bit_count()
        if not find_spec("ortools") or places > min(MOST_PLACES, PLACES_A_SECOND * task.deadline.remaining_s()):
            return
        with Deadline.uncounted():
            from cpfill.design.models import PatternModel
        model = PatternModel(task.demands, (task.least, task.most))
        if task.pool:
            yield from self._refute_themes(model)
            return
        self.bound, _ = model.bound(task.chance, task.take_slice(SLICE_S), self.bound)
        yield
        for count in range(int(min(self.bound, task.most + 1)), task.most + 1):
            yield from self._refute(PatternModel(task.demands, (count, count)))
            if self._best.cost <= count:
                return
            self.bound = count + 1
        self.bound = math.inf

    def _refute_themes(self, model: PatternModel) -> Generator[None]:
        """Refute the patterns with the heaviest theme, one after another, or find a pattern with a fill."""
        slice_s = SLICE_S
        kept: set[BlockPattern] = set()
        while self.bound < math.inf:
            self.bound, pattern = model.bound(self._task.chance, self._task.take_slice(slice_s), self.bound)
            yield
            if pattern is None:
                slice_s *= 2
                continue
            if model.cut_off(pattern):
                continue
            seeds = [place for place in pattern.placed if place[0] in self._task.demands.seed_words]
            bare = replace(pattern, placed=tuple(seeds))
            if bare not in kept:
                outcome = self._best.try_pattern(bare, NODES)
                yield
                if outcome is Outcome.EXHAUSTED:
                    model.forbid(bare)
                    continue
            kept.add(bare)
            if (yield from self._decide(pattern)) is Outcome.FOUND:
                return
            model.forbid(pattern)

    def _decide(self, pattern: BlockPattern) -> Generator[None, None, Outcome]:
        """Search for a fill of a pattern, with ever more effort until the answer is known."""
        nodes = NODES
        outcome = self._best.try_pattern(pattern, nodes)
        while outcome is Outcome.UNKNOWN:
            nodes *= 2
            yield
            outcome = self._best.try_pattern(pattern, nodes)
        yield
        return outcome

    @property
    def _swaps(self) -> bool:
        """Whether a proof about a pattern holds for its transpose."""
        demands = self._task.demands
        square = demands.height == demands.width
        return square and demands.style.symmetry is not Symmetry.MIRROR and not (demands.draft or demands.seed_words)

    def _refute(self, model: PatternModel) -> Generator[None]:
        """Refute all patterns of a model, or find a pattern with a fill."""
        task = self._task
        slice_s = SLICE_S
        for cells in self._hit:
            model.state_clause(blocks=list_bits(cells))
        listed = False
        while not listed:
            found = model.find_patterns(task.chance, task.take_slice(slice_s))
            try:
                pattern = next(found)
            except StopIteration as end:
                listed = end.value
                slice_s *= 2
                yield
                continue
            found.close()
            if self._swaps:
                model.forbid(BlockPattern(self._transpose(pattern.blocks)))
            yield
            if (yield from self._refute_pattern(model, pattern)) is Outcome.FOUND:
                return

    def _refute_pattern(self, model: PatternModel, pattern: BlockPattern) -> Generator[None, None, Outcome]:
        """Refute a pattern, with others if lines without a block have no words together, or find a fill."""
        outcome = Outcome.UNKNOWN
        while outcome is Outcome.UNKNOWN:
            cells = self._refute_lines(pattern.blocks)
            if cells:
                outcome = Outcome.EXHAUSTED
                self._kept = max(1.0, self._kept - FEWER_LINES)
                hit = {cells}
                if self._swaps:
                    hit.add(self._transpose(cells))
                for each in hit:
                    self._hit.append(each)
                    model.state_clause(blocks=list_bits(each))
                yield
                continue
            outcome = self._best.try_pattern(pattern, self._nodes)
            if outcome is Outcome.FOUND:
                return outcome
            if pattern.blocks:
                self._kept += 1
            self._kept = min(self._kept, len(self._lines))
            if outcome is Outcome.UNKNOWN:
                self._nodes *= 2
            yield
        return outcome

    def _refute_lines(self, blocks: Cells) -> Cells:
        """Return the cells of lines without a block, not of all, proved to have no words together; 0 if it fails."""
        task = self._task
        kept: list[Slot] = []
        for direction in Direction:
            free = [line for line in self._lines if line.direction is direction and not self._lines[line] & blocks]
            task.chance.shuffle(free)
            kept += sorted(free, key=self._due.__getitem__)[-math.ceil(self._kept) :]
        spared = self._lines.keys() - kept
        if not (blocks and kept and spared):
            return 0
        problem = Problem(open_slots(self._open, spared), task.lexicon, replace(task.rules, required=frozenset()))
        outcome, _, blame = probe_grid(problem, task.limits.seed, task.deadline, self._nodes)
        proved = outcome is Outcome.EXHAUSTED
        self._count_due(blame or {}, spared if proved else set(), DUE / len(kept))
        return reduce(or_, map(self._lines.__getitem__, kept)) if proved else 0

    def _count_due(self, blame: Blame, spared: AbstractSet[Slot], due: float) -> None:
        """Let lines that failed, and lines that a proof spared, come sooner in the next proof."""
        for line in self._lines:
            gain = blame.get(line.cells, 0.0)
            if line in spared:
                gain += due
            self._due[line] += gain

    def _transpose(self, blocks: Cells) -> Cells:
        stride = self._task.board.stride
        return sum(1 << cell % stride * stride + cell // stride for cell in list_bits(blocks))
