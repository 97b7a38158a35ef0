"""Grids with the fewest blocks, or with the heaviest words of a pool; better ones as long as there is time.

The places of blocks and words are annealed together, and what promises most is asked for a fill. The promise of a
pattern is the logarithm of the number of fills that it would have if letters were independent: for each slot the number
of words that its letters allow, for each crossing of empty cells the chance that the letters of such words agree. It
takes microseconds where a search takes milliseconds, and if any pattern can be filled, the most promising ones usually
can. Each round asks for as much more than the best grid so far has as its promise lets hope for; after a failure, for
less, with more effort.

The bound of blocks is proved pattern by pattern: CP-SAT lists those with the fewest blocks, and each is refuted; then
those with one more. If some of the rows and columns without a block have no words together, that refutes all patterns
without a block in them. In a square, what is proved of a pattern holds for its transpose. The bound of a theme is at
first that of the words that can stand together by their lengths and letters, whatever stands in the other slots. Then
CP-SAT gives one pattern after another with that theme, and each is refuted, until there is none and the bound is lower.

Some of the time is kept for a better fill of the best grid, with its blocks and its words of the pool.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from functools import reduce
from heapq import nlargest
from importlib.util import find_spec
from itertools import chain
from operator import mul, or_
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

from cpfill.design.board import BlockPattern, Symmetry, list_bits
from cpfill.design.demands import count_slots, obeys
from cpfill.design.grids import Attempts, Design, add_words, find_patterns, make_grid, probe_grid
from cpfill.engines.audited import audit, check_limits, settle
from cpfill.engines.mac.engine import MacEngine
from cpfill.engines.mac.search import StartingPoint
from cpfill.problem.event import Found, StopReason
from cpfill.problem.problem import Criterion, Objective, Problem
from cpfill.problem.result import Deadline, Outcome, SolveResult, Status
from cpfill.problem.rules import Rules
from cpfill.puzzle.grid import Direction, open_slots

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from cpfill.design.board import Cells
    from cpfill.design.demands import Demands
    from cpfill.design.models import PatternModel
    from cpfill.problem.problem import Fill
    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import Slot
    from cpfill.words.lexicon import Lexicon

    Improvements = Generator[Design, None, StopReason]

NEVER = -99.0
"""The promise of a slot without a word, and of a crossing without a letter."""

TOP, ENOUGH = (1 << 4096) - 1, 30
"""Letters are counted in the first of the words of a length, which score best, if enough of them fit."""

MOST_LINES = 100_000
"""The number of lines that are kept in mind."""


class Promise:
    """The promise of patterns for the words of a lexicon."""

    def __init__(self, demands: Demands, lexicon: Lexicon, rules: Rules) -> None:
        self._board, self._shortest = demands.board, max(1, demands.style.min_slot_length)
        self._lexicon, self._least = lexicon, rules.min_score
        sets = {cell: demands.alphabet.members(letters) for cell, letters in demands.given.items()}
        self._given = {cell: letters for cell, letters in sets.items() if len(letters) == 1}
        self._top: dict[tuple[int, int], Sequence[int]] = {}
        self._forget()

    def _forget(self) -> None:
        self._words: dict[str, int] = {}
        self._counts: dict[str, float] = {}
        self._places: dict[str, list[int]] = {}
        self._agreement = _Agreement()

    def of(self, pattern: BlockPattern, least: float) -> float:
        """Return the promise of a pattern; minus infinity if it is under `least`."""
        if len(self._counts) > MOST_LINES:
            self._forget()
        board = self._board
        cells = list(board.digits(pattern.blocks))
        for cell, letter in self._given.items():
            cells[cell] = letter if cells[cell] == "0" else "1"
        for word, run in pattern.placed:
            cells[run.start : run.stop : run.step] = word
        text, end = "".join(cells), board.height * board.stride
        rows = [text[start : start + board.width] for start in range(0, end, board.stride)]
        columns = [text[start : end : board.stride] for start in range(board.width)]
        promise = sum(map(self._count, rows)) + sum(map(self._count, columns))
        if promise < least:
            return -math.inf
        across = chain.from_iterable(map(self._find_places, rows))
        down = chain.from_iterable(zip(*map(self._find_places, columns), strict=True))
        promise += sum(map(self._agreement.__getitem__, zip(across, down, strict=True)))
        return promise if promise >= least else -math.inf

    def _count(self, line: str) -> float:
        """Return log10 of the product of the numbers of words of the slots of a line; 1 is a block, 0 is empty."""
        if line not in self._counts:
            slots = (run for run in line.split("1") if len(run) >= self._shortest)
            counts = [self._find_words(run).bit_count() for run in slots]
            self._counts[line] = sum(math.log10(count) if count else NEVER for count in counts)
        return self._counts[line]

    def _find_words(self, run: str) -> int:
        if run not in self._words:
            table = self._lexicon.table(len(run))
            words = table.at_least(self._least)
            for pos, letter in enumerate(run):
                if letter != "0":
                    words &= table.masks(pos)[self._lexicon.alphabet.codes[letter]]
            self._words[run] = words
        return self._words[run]

    def _find_places(self, line: str) -> list[int]:
        """Return a number for each cell of a line; equal places have the same, and what is in no empty place has 0."""
        if line not in self._places:
            runs = line.split("1")
            if len(runs) > 1:
                self._places[line] = [place for run in runs for place in (*self._find_places(run), 0)][:-1]
            else:
                self._places[line] = [self._find_place(line, pos) for pos in range(len(line))]
        return self._places[line]

    def _find_place(self, run: str, pos: int) -> int:
        words = self._find_words(run) if len(run) >= self._shortest and run[pos] == "0" else 0
        masks: Sequence[int] = self._lexicon.table(len(run)).masks(pos) if words else ()
        if (words & TOP).bit_count() >= ENOUGH:
            words, key = words & TOP, (len(run), pos)
            masks = self._top[key] = self._top.get(key) or [mask & TOP for mask in masks]
        return self._agreement.add([(words & mask).bit_count() for mask in masks])


class _Agreement(dict[tuple[int, int], float]):
    """For two places, log10 of the chance that two of their words have the same letter there."""

    def __init__(self) -> None:
        self._shares: list[list[float]] = [[]]
        self._numbers: dict[tuple[int, ...], int] = {(): 0}

    def add(self, counts: Sequence[int]) -> int:
        """Return the number of a place with these numbers of words for each letter."""
        key = tuple(counts)
        if key not in self._numbers:
            self._numbers[key] = len(self._shares)
            self._shares.append([count / sum(counts) for count in counts])
        return self._numbers[key]

    def __missing__(self, places: tuple[int, int]) -> float:
        one, other = self._shares[places[0]], self._shares[places[1]]
        chance = sum(map(mul, one, other))
        self[places] = math.log10(chance) if chance else NEVER if one and other else 0.0
        return self[places]


STEPS_A_CELL = 30
"""The steps of a first round of annealing for each cell of the grid."""

HOT, COLD = 3.0, 0.3
"""The first and the last temperature, as promise."""

DEAR = 8.0
"""The promise that a block too many, or a word of the pool too few, outweighs."""

HOPE = 15.0
"""The promise that lets hope for one more block less, or word more."""

PROBES, NODES = 4, 1000
"""How many patterns of a round are asked for a fill, and with how many nodes in a first round."""

EFFORT, MOST_EFFORT, AGAIN = 1.25, 100.0, 4.0
"""By what factor the steps and nodes of a round grow when the last one failed, how far, and when to ask again."""

TOGGLING, PLACING = 0.1, 0.3
"""The shares of steps that change the number of blocks, and that place or remove a word if there are words."""

SLACK, FURTHER_S = 5.0, 1.5
"""How many words of the pool a pattern may lack to be asked for a fill, and the seconds to place more of them in it."""

SHARE_OF_GOOD, GOOD_S = 0.1, 5.0
"""The share of the time, or without a limit the seconds, for a better fill of the best grid."""

SHARE_OF_PROOF, SLICE_S = 0.2, 1.0
"""The share of the time that the bound gets, and how long it may keep the search waiting at first."""

LINES, FEWER_LINES = 2 / 3, 0.5
"""The share of rows and of columns first asked for words together, and how many fewer after a proof; else one more."""

DUE = 2.0
"""By how much lines that were left out of a proof come first in the next; those that fail gain 1 in all."""

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
    """Yield a grid with a fill, always as design 1, each time that a better one or a tighter bound is found.

    If the demands have a pool, the heavier words of the pool are better; otherwise fewer blocks. The value and the
    bound of the result are that weight or number.

    Returns:
        EXHAUSTED if it is proved that there is no better grid, or none at all; otherwise TIME or INTERRUPTED.

    Raises:
        InputError: a word that must stand in the grid is excluded, or a number is out of range.
    """
    limits = check_limits(limits)
    known, whole = add_words(demands, lexicon, rules)
    return _Improver(known, whole, rules or Rules(), limits, attempts or Attempts()).run()


class _Improver:
    """Costs are numbers of blocks, or weights in units with a minus: less is better."""

    def __init__(self, demands: Demands, lexicon: Lexicon, rules: Rules, limits: Limits, attempts: Attempts) -> None:
        self._demands, self._board, self._lexicon, self._rules = demands, demands.board, lexicon, rules
        self._limits, self._attempts = limits, attempts
        self._good_s = GOOD_S if limits.time_s is None else SHARE_OF_GOOD * limits.time_s
        self._whole = Deadline(limits.time_s, limits.stop)
        self._deadline = Deadline(limits.time_s and limits.time_s - self._good_s, limits.stop)
        self._chance = Random(limits.seed)  # noqa: S311 - variety, not secrecy
        self._pool = demands.units
        self._words = tuple(dict.fromkeys((*demands.seed_words, *self._pool)))
        self._unit = (fmean(self._pool.values()) if self._pool else 0.0) or 1.0
        """The cost of a word or of a block."""
        self._least, self._most = demands.blocks or (0, demands.height * demands.width)
        fixed = demands.fixed[0] | demands.fixed[1]
        self._orbits = [orbit for orbit in self._board.orbits(demands.style.symmetry) if not orbit & fixed]
        self._orbit_of = {cell: orbit for orbit in self._orbits for cell in list_bits(orbit)}
        self._runs: dict[int, list[range]] = {}
        self._held: dict[range, tuple[Cells, Cells]] = {}
        self._asked: dict[BlockPattern, float] = {}
        """With what effort patterns were asked for a fill in vain."""
        self._best: BlockPattern | None = None
        self._found: tuple[Problem, Fill] | None = None
        self._bound: float = -sum(self._pool.values()) if self._pool else self._least
        """No grid with a fill costs less."""
        self._open = make_grid(demands, BlockPattern(0))
        self._lines = {slot: sum(1 << demands.find_bit(cell) for cell in slot.cells) for slot in self._open.slots}
        self._hit: list[Cells] = []
        """Sets of cells in each of which a grid with a fill has a block."""
        self._due = dict.fromkeys(self._lines, 0.0)
        """How soon lines are asked: those where searches failed, and those left out so far."""
        self._kept, self._nodes = LINES * max(demands.height, demands.width), NODES
        """How many rows and columns are asked for words together, and with what effort."""

    def run(self) -> Improvements:
        """Improve the grid; at last give the best one a good fill."""
        reason = yield from self._improve()
        if self._best and self._raise_fill(self._best):
            yield self._design
        return reason

    def _raise_fill(self, best: BlockPattern) -> bool:
        """Search for a better fill of a pattern with its words, and return whether there is one."""
        assert self._found is not None
        problem, known = self._found
        grid = make_grid(self._demands, best)
        # A theme, even without a weight, keeps its words from standing there twice.
        theme = dict.fromkeys(problem.theme if self._rules.repeats else (), 0.0)
        good = Problem(grid, self._lexicon, self._rules, objective=Objective.GOOD, theme=theme)
        limits = replace(self._limits, time_s=self._whole.remaining_s(self._good_s), fills=1)
        start = StartingPoint(Found(known, known.value(good)[: len(good.criteria)]))
        stream = MacEngine().improve(good, limits, start)
        *_, fill = known, *(event.fill for event in stream if isinstance(event, Found))
        audit(good, MacEngine.name, fill)
        self._best = None
        self._keep(best, problem, replace(fill, grid=problem.grid))
        return fill != known

    def _improve(self) -> Improvements:
        """Search and prove by turns until the best grid is proved to be the best, or time is over."""
        try:
            pattern = next(find_patterns(replace(self._demands, pool=()), {}, self._chance, self._deadline))
        except StopIteration as end:
            return StopReason.EXHAUSTED if end.value else self._stop_reason
        self._try(pattern, NODES)
        if self._best:
            yield self._design
        self._promise = Promise(self._demands, self._lexicon, self._rules)
        proof: Generator[None] | None = self._prove()
        proof_s, effort, ambition = 0.0, 1.0, 1.0
        while not self._deadline.passed:
            start_s, bound, best = self._deadline.elapsed_s, self._bound, self._best
            if proof and (self._best or effort > 1) and proof_s <= SHARE_OF_PROOF * start_s:
                proof = proof if next(proof, self) is None else None
                proof_s += self._deadline.elapsed_s - start_s
            else:
                promise = self._search(self._best or pattern, ambition, effort)
                if self._pool:
                    ambition = self._chance.uniform(-SLACK, 1.0)
                else:
                    ambition = max(1.0, ambition / 2 if self._best is best else promise / HOPE)
                effort = min(EFFORT * effort, MOST_EFFORT) if self._best is best else 1.0
            if self._best and (self._best is not best or self._bound != bound):
                yield self._design
            if self._bound >= (self._cost(self._best) if self._best else math.inf):
                return StopReason.EXHAUSTED
        return self._stop_reason

    @property
    def _stop_reason(self) -> StopReason:
        return StopReason.INTERRUPTED if self._limits.stopped else StopReason.TIME

    @property
    def _design(self) -> Design:
        """The best grid so far, and what is proved."""
        assert self._best is not None
        assert self._found is not None
        problem, fill = self._found
        cost, per_unit = self._cost(self._best), self._demands.per_unit
        proved = cost <= self._bound
        result = SolveResult(
            Status.OPTIMAL if proved else Status.SATISFIED,
            StopReason.EXHAUSTED if proved else StopReason.FILLS,
            "generate",
            fill,
            (abs(cost) / per_unit,),
            (Criterion.THEME,) if self._pool else problem.measures[:1],
            (abs(self._bound) / per_unit,),
            1,
        )
        return Design(1, problem, result)

    def _cost(self, pattern: BlockPattern) -> int:
        if not self._pool:
            return pattern.blocks.bit_count()
        return -sum(self._pool.get(word, 0) for word, _ in pattern.placed)

    def _beats(self, pattern: BlockPattern) -> bool:
        """Return whether a pattern, if it can be filled, is better than the best."""
        return self._best is None or self._cost(pattern) < self._cost(self._best)

    def _search(self, start: BlockPattern, ambition: float, effort: float) -> float:
        """Search for a better grid from a pattern; return the promise of the pattern that was found to be better."""
        best, target = self._best, self._cost(start) - (ambition * self._unit if self._best else 0.0)
        for promise, pattern in self._anneal(start, target, effort):
            if self._deadline.passed:
                break
            outcome = self._try(pattern, round(NODES * effort))
            if self._best is not best:
                return promise
            self._asked[pattern] = effort if outcome is Outcome.UNKNOWN else math.inf
        return 0.0

    def _try(self, pattern: BlockPattern, nodes: int) -> Outcome:
        """Ask for a fill of a pattern; keep it if it is the best."""
        grid = make_grid(self._demands, pattern)
        theme = {word: weight for word, weight in self._demands.pool if grid.can_hold(word)}
        problem, start_s = Problem(grid, self._lexicon, self._rules, theme=theme), time.monotonic()
        outcome, fill, blame = probe_grid(problem, self._limits.seed, self._deadline, nodes)
        self._attempts.tried += 1
        if fill is None:
            refuted = outcome is Outcome.EXHAUSTED
            self._attempts.add(grid, blame, time.monotonic() - start_s, refuted=refuted)
        else:
            self._keep(pattern, problem, fill)
            if theme:
                time_s = self._deadline.remaining_s(FURTHER_S * nodes / NODES)
                limits = replace(self._limits, time_s=time_s, fills=1)
                if fill := settle(problem, limits=limits).fill:
                    self._keep(pattern, problem, fill)
        return outcome

    def _keep(self, pattern: BlockPattern, problem: Problem, fill: Fill) -> None:
        """Keep a fill if it is the best."""
        find, placed = self._demands.find_bit, []
        for slot in problem.slots if self._words else ():
            if (word := fill.word_at(slot)) in self._words:
                first, second, last = map(find, (*slot.cells[:2], slot.cells[-1]))
                placed.append((word, range(first, last + 1, second - first)))
        pattern = replace(pattern, placed=tuple(placed))
        if self._beats(pattern):
            self._best, self._found = pattern, (problem, fill)

    def _anneal(self, pattern: BlockPattern, target: float, effort: float) -> list[tuple[float, BlockPattern]]:
        """Return the most promising patterns met that would be the best, each with its promise, less what lacks."""

        def rate(pattern: BlockPattern, least: float) -> float:
            lacks = DEAR * max(0.0, (self._cost(pattern) - target) / self._unit)
            return self._promise.of(pattern, least + lacks) - lacks

        steps = round(effort * STEPS_A_CELL * self._board.full.bit_count())
        changed: BlockPattern | None = pattern
        rated, met = -math.inf, dict[object, tuple[float, int, BlockPattern]]()
        for step in range(steps):
            if self._deadline.passed:
                break
            room = HOT * (COLD / HOT) ** (step / steps) * math.log(1 - self._chance.random())
            if changed and (now := rate(changed, rated + room)) > -math.inf and self._obeys(changed):
                pattern, rated = changed, now
                sized = self._least <= pattern.blocks.bit_count() <= self._most
                better = self._cost(pattern) <= target or self._beats(pattern)
                if sized and better and effort >= AGAIN * self._asked.get(pattern, 0.0):
                    key = pattern.placed or pattern.blocks
                    met[key] = max(met.get(key, (-math.inf, 0, pattern)), (rated, step, pattern))
            changed = self._change(pattern)
        return [(rated, pattern) for rated, _, pattern in nlargest(PROBES, met.values())]

    def _obeys(self, pattern: BlockPattern) -> bool:
        most = self._demands.max_words
        few = most is None or count_slots(self._demands, pattern.blocks) <= most
        return few and obeys(self._demands, pattern.blocks)

    def _change(self, pattern: BlockPattern) -> BlockPattern | None:
        """Return a pattern with a random change, if it is possible."""
        roll = self._chance.random()
        if self._words and roll < PLACING:
            return self._place(pattern, self._chance.choice(self._words))
        own = [orbit for orbit in self._orbits if orbit & pattern.blocks]
        if roll > 1 - TOGGLING / 2 and self._orbits:
            blocks = pattern.blocks ^ self._chance.choice(self._orbits)
        elif own:
            taken = self._chance.choice(own)
            blocks = pattern.blocks & ~taken
            if roll < 1 - TOGGLING:
                beside = [cell for cell in list_bits(self._board.around(taken)) if cell in self._orbit_of]
                near = beside and self._chance.random() < 0.5
                blocks |= self._orbit_of[self._chance.choice(beside)] if near else self._chance.choice(self._orbits)
        else:
            return None
        wrong = pattern.blocks.bit_count() < blocks.bit_count() > self._most
        for _, run in pattern.placed:
            open_, closed = self._hold(run)
            wrong = wrong or bool(blocks & open_ or closed & ~blocks)
        return None if wrong else replace(pattern, blocks=blocks)

    def _hold(self, run: range) -> tuple[Cells, Cells]:
        """Return the cells that must be open and those that must be blocks if a word stands in a run."""
        if run not in self._held:
            symmetry = self._demands.style.symmetry
            ends = [cell for cell in (run.start - run.step, run.stop) if cell >= 0 and self._board.full >> cell & 1]
            of_run, of_ends = sum(1 << cell for cell in run), sum(1 << cell for cell in ends)
            self._held[run] = self._board.close(of_run, symmetry), self._board.close(of_ends, symmetry)
        return self._held[run]

    def _place(self, pattern: BlockPattern, word: str) -> BlockPattern | None:
        """Return the pattern with a word placed or moved, without the words in its way; or with a word removed."""
        others = [place for place in pattern.placed if place[0] != word]
        seeds = self._demands.seed_words
        if len(others) < len(pattern.placed) and word not in seeds and self._chance.random() < 0.5:
            return replace(pattern, placed=tuple(others))
        runs = self._list_runs(len(word))
        if not runs:
            return None
        run = self._chance.choice(runs)
        open_, ends = self._hold(run)
        if open_ & ends or not self._demands.may_stand(word, run):
            return None
        blocks = pattern.blocks & ~open_ | ends
        if self._demands.style.apart:
            blocks &= ~self._board.close(self._board.around(ends) & ~ends, self._demands.style.symmetry)
        letters, placed = dict(zip(run, word, strict=True)), [(word, run)]
        for place in others:
            cells, closed = self._hold(place[1])
            agree = all(letters.get(cell, letter) == letter for cell, letter in zip(place[1], place[0], strict=True))
            if agree and not cells & blocks and not closed & ~blocks:
                placed.append(place)
            elif place[0] in seeds:
                return None
        kept = 0
        for _, each in placed:
            kept |= self._hold(each)[1]
        own = [orbit for orbit in self._orbits if orbit & blocks and not orbit & kept]
        while blocks.bit_count() > max(self._most, pattern.blocks.bit_count()) and own:
            blocks &= ~own.pop(self._chance.randrange(len(own)))
        closed, open_ = self._demands.fixed
        wrong = closed & ~blocks or open_ & blocks or blocks.bit_count() > max(self._most, pattern.blocks.bit_count())
        return None if wrong else BlockPattern(blocks, tuple(placed))

    def _list_runs(self, length: int) -> list[range]:
        if length not in self._runs:
            self._runs[length] = list(self._board.windows(length))
        return self._runs[length]

    def _prove(self) -> Generator[None]:
        """Raise the bound, little by little."""
        places = len(self._pool) * self._board.full.bit_count()
        if not find_spec("ortools") or places > min(MOST_PLACES, PLACES_A_SECOND * self._deadline.remaining_s()):
            return
        with Deadline.uncounted():
            from cpfill.design.models import PatternModel  # noqa: PLC0415 - loads ortools
        model = PatternModel(self._demands, (self._least, self._most))
        if self._pool:
            yield from self._refute_themes(model)
            return
        self._bound, _ = model.bound(self._chance, self._take_slice(SLICE_S), self._bound)
        yield
        for count in range(int(min(self._bound, self._most + 1)), self._most + 1):
            yield from self._refute(PatternModel(self._demands, (count, count)))
            if self._best and self._cost(self._best) <= count:
                return
            self._bound = count + 1
        self._bound = math.inf

    def _take_slice(self, slice_s: float) -> Deadline:
        return Deadline(self._deadline.remaining_s(slice_s), self._limits.stop)

    def _refute_themes(self, model: PatternModel) -> Generator[None]:
        """Refute the patterns with the heaviest theme, one after another, or find one that can be filled."""
        slice_s, kept = SLICE_S, set[BlockPattern]()
        while self._bound < math.inf:
            self._bound, pattern = model.bound(self._chance, self._take_slice(slice_s), self._bound)
            yield
            if pattern is None:
                slice_s *= 2
                continue
            if model.cut_off(pattern):
                continue
            bare = replace(pattern, placed=tuple(p for p in pattern.placed if p[0] in self._demands.seed_words))
            if bare not in kept and (yield from self._decide(bare, once=True)) is Outcome.EXHAUSTED:
                model.forbid(bare)
                continue
            kept.add(bare)
            if (yield from self._decide(pattern)) is Outcome.FOUND:
                return
            model.forbid(pattern)

    def _decide(self, pattern: BlockPattern, *, once: bool = False) -> Generator[None, None, Outcome]:
        """Ask for a fill of a pattern, with ever more effort until that is known, or just once."""
        nodes = NODES
        while (outcome := self._try(pattern, nodes)) is Outcome.UNKNOWN and not once:
            nodes *= 2
            yield
        yield
        return outcome

    def _refute(self, model: PatternModel) -> Generator[None]:
        """Refute all patterns of a model, or find one that can be filled."""
        swaps = self._board.height == self._board.width and self._demands.style.symmetry is not Symmetry.MIRROR
        swaps = swaps and not (self._demands.draft or self._demands.seed_words)
        slice_s, listed = SLICE_S, False
        for cells in self._hit:
            model.state_clause(blocks=list_bits(cells))
        while not listed:
            try:
                pattern = next(found := model.find_patterns(self._chance, self._take_slice(slice_s)))
                found.close()
            except StopIteration as end:
                listed, slice_s, outcome = end.value, 2 * slice_s, Outcome.EXHAUSTED
            else:
                outcome = Outcome.UNKNOWN
                if swaps:
                    model.forbid(BlockPattern(self._transpose(pattern.blocks)))
            yield
            while outcome is Outcome.UNKNOWN:
                if cells := self._refute_lines(pattern.blocks):
                    outcome, self._kept = Outcome.EXHAUSTED, max(1.0, self._kept - FEWER_LINES)
                    for each in {cells, self._transpose(cells)} if swaps else {cells}:
                        self._hit.append(each)
                        model.state_clause(blocks=list_bits(each))
                elif (outcome := self._try(pattern, self._nodes)) is Outcome.FOUND:
                    return
                else:
                    self._kept = min(self._kept + bool(pattern.blocks), len(self._lines))
                    self._nodes *= 2 if outcome is Outcome.UNKNOWN else 1
                yield

    def _refute_lines(self, blocks: Cells) -> Cells:
        """Return the cells of lines without a block, not of all, proved to have no words together; 0 if it fails."""
        kept: list[Slot] = []
        for direction in Direction:
            free = [line for line in self._lines if line.direction is direction and not self._lines[line] & blocks]
            self._chance.shuffle(free)
            kept += sorted(free, key=self._due.__getitem__)[-math.ceil(self._kept) :]
        spared = self._lines.keys() - kept
        if not (blocks and kept and spared):
            return 0
        problem = Problem(open_slots(self._open, spared), self._lexicon, replace(self._rules, required=frozenset()))
        outcome, _, blame = probe_grid(problem, self._limits.seed, self._deadline, self._nodes)
        proved = outcome is Outcome.EXHAUSTED
        for line in self._lines:
            self._due[line] += (blame or {}).get(line.cells, 0.0) + DUE / len(kept) * (proved and line in spared)
        return reduce(or_, map(self._lines.__getitem__, kept)) if proved else 0

    def _transpose(self, blocks: Cells) -> Cells:
        stride = self._board.stride
        return sum(1 << cell % stride * stride + cell // stride for cell in list_bits(blocks))
