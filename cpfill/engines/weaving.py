"""The engines `weave` and `scaffold`: whole words at random, one after another, in a fixed order of the slots.

Both methods are J.-S. Gonsette's, "De la bonne façon de paver sa grille", 2019, the article behind Wizium:

- *weaving* (tressage) alternates across and down, line by line; it notices that a slot has no word only at its turn;
- *scaffolding* (échafaudage) stacks across words only; each must leave every column that it crosses a word with the
  letters so far. The last row completes the down words; only down slots with a cell in no row are placed.

Both remember which letters failed. If a letter leaves a column without a word, all words with that letter there leave
the slot, which therefore runs out of words after at most 26 letters per position. A slot without words sends the search
back to the last word that wrote one of the letters to blame; all words with the same letters in those cells fail too.
The article does this for a blocked word and the word before it. Here the blame is a set of cells, passed on from dead
end to dead end (conflict-directed backjumping, P. Prosser, Computational Intelligence 9(3), 1993, 268-299, with cells
for variables). This makes both methods complete on any grid.

A *level* is an index in the order of the slots. A set of cells is an int with one bit per cell.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from cpfill.engines.contract import Feature
from cpfill.engines.options import TRACE
from cpfill.engines.requirements import require_features
from cpfill.engines.toolkit.propagation import SideConstraints, Wipeout, require_words
from cpfill.engines.toolkit.worker import Control, Stopped, run_in_thread
from cpfill.problem.event import Assignment, Backtrack, Finished, Progress, Stats, StopReason
from cpfill.problem.fill import Fill
from cpfill.puzzle.grid import Direction
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from cpfill.problem.event import Event, Step
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import Grid, Slot, SlotId
    from cpfill.words.lexicon import WordId


class WeaveEngine:
    """Words across and down in turn, without look-ahead; complete. For comparison with an estimate.

    A step of the article is a word placed (`nodes`) or a move back to an earlier word (`backtracks`).
    """

    name: ClassVar[str] = "weave"
    features: ClassVar[frozenset[Feature]] = frozenset({Feature.SATISFY, Feature.ENUMERATE})
    ahead: ClassVar[bool] = False

    def __init__(self, *, trace: bool = TRACE.default) -> None:
        self._trace = trace

    @staticmethod
    def order_slots(grid: Grid) -> list[SlotId]:
        """Return the slots to place, first to last: the first row, the first column, the second row and so on."""

        def find_line(slot: Slot) -> tuple[int, bool, int]:
            row, column = divmod(slot.cells[0], grid.width)
            if slot.direction is Direction.DOWN:
                return column, True, slot.id
            return row, False, slot.id

        return [slot.id for slot in sorted(grid.slots, key=find_line)]

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.contract`."""
        require_features(self, problem, limits)
        return run_in_thread(self.name, limits, lambda control: self._work(problem, control))

    def _work(self, problem: Problem, control: Control) -> Finished:
        try:
            require_words(problem.domains)
        except Wipeout as wipeout:
            build_s = control.deadline.elapsed_s
            return Finished(StopReason.EXHAUSTED, "node consistency", wipeout.slot, Stats(build_s=build_s))
        rng = Random(control.limits.seed)  # noqa: S311
        order = self.order_slots(problem.grid)
        search: StackingSearch
        if self._trace:
            search = TracedStacking(problem, order, ahead=self.ahead, rng=rng, tell=control.report_step)
        else:
            search = StackingSearch(problem, order, ahead=self.ahead, rng=rng)
        build_s = control.deadline.elapsed_s
        start_s = time.perf_counter()

        def stats() -> Stats:
            return search.stats(build_s, time.perf_counter() - start_s)

        try:
            _explore(problem, search, control, stats)
        except Stopped as stop:
            return Finished(stop.reason, stats=stats())
        return Finished(StopReason.EXHAUSTED, "exhaustive search", stats=stats())


def _explore(problem: Problem, search: StackingSearch, control: Control, stats: Callable[[], Stats]) -> None:
    """Report every fill of a search."""
    for tried, words in enumerate(search.advance()):
        if tried % _TRIES_BETWEEN_LOOKS == 0:
            control.check()
            control.progress = Progress("search", stats())
        if words is not None:
            control.report_fill(Fill.of_words(problem, words), problem.score(words))
        if search.nodes == control.limits.nodes:
            raise Stopped(StopReason.NODES)


_TRIES_BETWEEN_LOOKS = 32
"""Words tried between two checks of the clock; one takes 5 to 100 µs."""


class ScaffoldEngine(WeaveEngine):
    """Rows of words, each of which leaves every column a word; complete. For comparison with an estimate.

    A step of the article before its correction is a word placed (`nodes`) or a move back to an earlier word
    (`backtracks`). The correction, ten times the size of the square, covers the letters tried in between (`checks`).
    """

    name: ClassVar[str] = "scaffold"
    ahead: ClassVar[bool] = True

    @staticmethod
    def order_slots(grid: Grid) -> list[SlotId]:
        """Return the slots to place, first to last: the rows, then the down slots that have a cell in no row."""
        across = [slot.id for slot in grid.slots if slot.direction is Direction.ACROSS]
        down = [slot.id for slot in grid.slots if slot.direction is Direction.DOWN]
        return across + [id_ for id_ in down if len(grid.neighbours[id_]) < len(grid.slots[id_].cells)]


@dataclass(frozen=True, slots=True)
class Level:
    """The constant data of a level.

    Attributes:
        slot: the slot to place a word in.
        own: the cells first written at this level.
        earlier: the cells written at earlier levels.
        crossings: (position, crossing slot, position there) for each crossing in a cell of `own`.
        spelt: the slots that are complete once the word is placed: this one, and down slots that it completes.
    """

    slot: SlotId
    own: int
    earlier: int
    crossings: tuple[tuple[int, SlotId, int], ...]
    spelt: tuple[SlotId, ...]


def list_levels(grid: Grid, order: Sequence[SlotId]) -> list[Level]:
    """Return the level of each slot in `order`; the slots in `order` must cover all cells of the others."""
    cells = [_make_cell_set(slot) for slot in grid.slots]
    completed = set(range(len(cells))).difference(order)
    result = []
    written = 0
    for slot in order:
        own = cells[slot] & ~written
        crossings = []
        spelt = [slot]
        for crossing in grid.neighbours[slot]:
            pos, other, _ = crossing
            cell, _ = grid.slots[slot].places[pos]
            if own >> cell & 1:
                crossings.append(crossing)
                if other in completed and not cells[other] & ~(written | own):
                    spelt.append(other)
        result.append(Level(slot, own, written, tuple(crossings), tuple(spelt)))
        written |= own
    return result


@dataclass(slots=True)
class Visit:
    """A visit of a level.

    Attributes:
        candidates: the words still to try.
        blame: the earlier cells whose letters share the blame for the removed candidates.
        word: the word being tried.
        tried: (position, letter) -> the crossing slot's domain with that letter.
        before: the previous domains of slots that the word changed.
    """

    candidates: int
    blame: int
    word: WordId = -1
    tried: dict[tuple[int, int], int] = field(default_factory=dict)
    before: list[tuple[SlotId, int]] = field(default_factory=list)


class StackingSearch:
    """One search; `advance` continues to the next fill.

    `ahead` makes it scaffolding: a word must leave every crossing slot a word. `rng` draws the words to try.
    """

    def __init__(self, problem: Problem, order: Sequence[SlotId], *, ahead: bool, rng: Random) -> None:
        self.nodes = self.backtracks = self.backjumps = self.checks = 0
        self._problem = problem
        self._tables = problem.tables
        self._constraints = SideConstraints(problem)
        self._levels = list_levels(problem.grid, order)
        self._cells = [_make_cell_set(slot) for slot in problem.slots]
        self._ahead = ahead
        self._rng = rng
        self._domains = list(problem.domains)
        """For each slot, the words that agree with the letters written; one for a complete slot."""
        self._words = [-1] * len(problem.slots)
        """For each complete slot, its word."""
        self._visits: list[Visit] = []
        self._wiped: SlotId = -1
        """The slot that the last word that could not stand left without a word."""
        self._open_level()

    def stats(self, build_s: float = 0.0, search_s: float = 0.0) -> Stats:
        """Return the counters, with these times."""
        return Stats(self.nodes, self.backtracks, self.backjumps, self.checks, build_s, search_s)

    def advance(self) -> Iterator[list[WordId] | None]:
        """Search: yield one word id per slot for every fill, and None after every word tried; end when exhausted."""
        while self._visits:
            visit = self._visits[-1]
            level = self._levels[len(self._visits) - 1]
            if not visit.candidates:
                self._retreat(visit.blame)
            elif self._place(visit, level):
                if len(self._visits) < len(self._levels):
                    self._open_level()
                else:
                    visit.blame |= level.earlier  # so that the search jumps over no fill
                    yield self._words.copy()
                    self._take_back(visit, level)
            yield None

    def _open_level(self) -> None:
        level = self._levels[len(self._visits)]
        self._visits.append(Visit(self._domains[level.slot], self._cells[level.slot] & level.earlier))

    def _draw(self, visit: Visit) -> WordId:
        """Take a candidate: the first one from a random index on."""
        start = int(self._rng.random() * visit.candidates.bit_length())
        rest = visit.candidates >> start
        word = start + (rest & -rest).bit_length() - 1
        visit.candidates ^= 1 << word
        return word

    def _place(self, visit: Visit, level: Level) -> bool:
        """Draw a word and write it; if it cannot stand, restore everything and take the blame."""
        visit.word = self._draw(visit)
        table = self._tables[level.slot]
        start = visit.word * table.length
        letters = table.codes[start : start + table.length]
        left = []
        for pos, other, other_pos in level.crossings:
            key = pos, letters[pos]
            if key not in visit.tried:
                self.checks += 1
                visit.tried[key] = self._domains[other] & self._tables[other].masks(other_pos)[letters[pos]]
            left.append(visit.tried[key])
        if self._ahead and not all(left):
            for (pos, other, _), words in zip(level.crossings, left, strict=True):
                if not words:
                    self._wiped = other
                    visit.candidates &= ~table.masks(pos)[letters[pos]]
                    visit.blame |= self._cells[other] & level.earlier
            return False
        visit.before = [(level.slot, self._domains[level.slot])]
        visit.before += [(other, self._domains[other]) for _, other, _ in level.crossings]
        self._domains[level.slot] = 1 << visit.word
        for (_, other, _), words in zip(level.crossings, left, strict=True):
            self._domains[other] = words
        against = self._spell(level)
        if against is not None:
            visit.blame |= against & level.earlier
            self._take_back(visit, level)
            return False
        self.nodes += 1
        return True

    def _spell(self, level: Level) -> int | None:
        """Record the words completed at a level; return the cells to blame if a constraint forbids one."""
        for slot in level.spelt:
            word = self._domains[slot].bit_length() - 1
            for other in self._constraints.partners[slot]:
                theirs = self._words[other]
                if theirs >= 0 and self._constraints.find_conflicts(slot, word, other) >> theirs & 1:
                    self._wiped = other if slot == level.slot else slot
                    return self._cells[slot] | self._cells[other]
            self._words[slot] = word
        for narrowing in self._constraints.find_narrowings(self._domains):
            if not narrowing.kept:
                self._wiped = narrowing.slot
                return reduce(or_, map(self._cells.__getitem__, walk_members(narrowing.because)), 0)
        return None

    def _take_back(self, visit: Visit, level: Level) -> None:
        for slot, domain in visit.before:
            self._domains[slot] = domain
        for slot in level.spelt:
            self._words[slot] = -1

    def _retreat(self, blame: int) -> None:
        """Leave a level without candidates for the last that wrote a letter to blame; if none did, end the search."""
        self._visits.pop()
        self.backtracks += 1
        jumps = -1
        while self._visits:
            jumps += 1
            visit = self._visits[-1]
            level = self._levels[len(self._visits) - 1]
            self._take_back(visit, level)
            if blame & level.own:
                visit.candidates &= ~self._find_alike(visit.word, level.slot, blame & level.own)
                visit.blame |= blame & level.earlier
                break
            self._visits.pop()
        self.backjumps += jumps > 0

    def _find_alike(self, word: WordId, slot: SlotId, cells: int) -> int:
        """Return the words that have the letters of `word` in these cells of `slot`."""
        table = self._tables[slot]
        same = table.everything
        for pos, (cell, _) in enumerate(self._problem.slots[slot].places):
            if cells >> cell & 1:
                same &= table.masks(pos)[table.codes[word * table.length + pos]]
        return same


class TracedStacking(StackingSearch):
    """A search that calls `tell` with each word tried and each move back, and with its counters so far."""

    def __init__(self, *args: Any, tell: Callable[[Step, Stats], None], **named: Any) -> None:
        super().__init__(*args, **named)
        self._tell = tell

    def _place(self, visit: Visit, level: Level) -> bool:
        stands = super()._place(visit, level)
        sizes = {}
        wipeout = None
        if stands:
            for slot, domain in visit.before[1:]:
                if domain != self._domains[slot]:
                    sizes[slot] = self._domains[slot].bit_count()
        else:
            wipeout = self._wiped
            sizes[wipeout] = 0
        word = self._tables[level.slot].words[visit.word]
        self._tell(Assignment(level.slot, word, len(self._visits), sizes, wipeout), self.stats())
        return stands

    def _retreat(self, blame: int) -> None:
        depth = len(self._visits)
        slot = self._levels[depth - 1].slot
        conflicts = tuple(level.slot for level in self._levels[: depth - 1] if level.own & blame)
        super()._retreat(blame)
        self._tell(Backtrack(slot, depth, len(self._visits), conflicts), self.stats())


def _make_cell_set(slot: Slot) -> int:
    return sum(1 << cell for cell in slot.cells)
