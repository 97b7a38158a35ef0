"""Fills many small grids with words that are all different and score at least so much.

A local search. Grids are filled one after another, those with the fewest fills first; of a few fills the one is taken
whose words are hardest to use, by the frequency of their letters: words that cross well are left to the others. If a
grid has no fill any more, some filled grids are filled again with words that are harder to use, and it waits its turn.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cpfill.engines import PROBING_ENGINE, make_engine
from cpfill.engines.audited import audit
from cpfill.engines.requirements import require_probing
from cpfill.problem.problem import Problem, list_naticks
from cpfill.problem.result import Deadline, Outcome
from cpfill.words.sources import Shelf
from cpfill.words.spelling import EntryKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from cpfill.problem.fill import Fill
    from cpfill.puzzle.grid import Grid
    from cpfill.questions.generate import Generate
    from cpfill.runs.tasks import Record
    from cpfill.words.lexicon import Lexicon, WordTable

SHELF = Shelf()
"""The lists of this process."""

CELL_NODES = 12
"""Nodes of the search for a fill, per cell of the grid."""

DRAWN = 4
"""Fills among which one is chosen."""

POLISHED = 6
"""Grids that are filled again for one that has no fill."""

MOST_FILLS = 30
"""Fills tried for each grid before a packing is given up."""

EARLY_FILLS = 6
"""Fills tried for each grid before a packing is given up in which over 1 in `LEFT` grids has no fill yet."""

LEFT = 12

FAULT = 50.0
"""What two words that are alike cost, or a guess where two names cross; a word costs a few units."""

EASY_SHARE = 0.5
"""The share of the words, best first, that the easiest puzzles may have."""

HARDEST = 5
"""How hard the hardest puzzles are: they may have all words."""

NAMELESS = 1
"""Puzzles up to this hardness have no names."""

TILT = 0.1
"""What a point of a word's score adds to the cost of a word in the hardest puzzles, and takes off in the easiest."""


def count_lengths(grids: Iterable[Grid]) -> Counter[int]:
    """Return how many words of each length some grids need."""
    slots = chain.from_iterable(grid.slots for grid in grids)
    return Counter(slot.length for slot in slots)


class _Placed(NamedTuple):
    """A fill: what it costs, its letters by cell, and its words by length and id."""

    cost: float
    letters: tuple[str, ...]
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Packing:
    """A task: fill all grids.

    Attributes:
        question: has the words, the rules and the seed.
        grids: the grids.
        hardness: for each grid how hard it is to be, from 0 to `HARDEST`, if that matters.
        taken: words that no grid may have.
        least: the least score of a word, which is also the id of the record.
    """

    question: Generate
    grids: tuple[Grid, ...]
    hardness: tuple[int | None, ...]
    taken: frozenset[str]
    least: float

    def levels(self, bound: float) -> list[float]:
        """Return the least scores that may be tried, ascending: that of the rules, and those of words up to a bound."""
        lexicon = self.question.request.lexicon(SHELF)
        least = self.question.request.min_score
        scores = {least}
        for length in count_lengths(self.grids):
            scores.update(score for score in lexicon.table(length).scores if least < score <= bound)
        return sorted(scores)

    def answer(self, stopped: Callable[[], bool]) -> Record:
        """Return the letters of each grid, or no fills if the search did not find them all."""
        try:
            packer = _Packer(self, self.question.request.lexicon(SHELF))
            fills = packer.pack(stopped)
        except Exception as error:  # noqa: BLE001 - reported by the process that asked
            return self.fail(error)
        return {"id": self.least, "fills": fills, "error": ""}

    def fail(self, error: BaseException) -> Record:
        """Return the record of a task that failed."""
        return {"id": self.least, "fills": None, "error": str(error) or type(error).__name__}


class _Packer:
    def __init__(self, packing: Packing, lexicon: Lexicon) -> None:
        rules = replace(packing.question.request.rules, min_score=packing.least)
        self._packing = packing
        self._lexicon = lexicon
        self._problems = {grid: Problem(grid, lexicon, rules) for grid in dict.fromkeys(packing.grids)}
        self._tables: dict[int, WordTable] = {}
        for problem in self._problems.values():
            for table in problem.tables:
                self._tables[table.length] = table
        self._taken = dict.fromkeys(self._tables, 0)
        for word in packing.taken:
            id_ = self._tables[len(word)].ids.get(word) if len(word) in self._tables else None
            if id_ is not None:
                self._taken[len(word)] |= 1 << id_
        allowed = {}
        for length, table in self._tables.items():
            allowed[length] = table.at_least(packing.least).bit_count()
        self._costs = _weigh(self._tables.values(), allowed)
        self._closed = {hardness: self._close(hardness, allowed) for hardness in dict.fromkeys(packing.hardness)}
        self._engine = require_probing(make_engine(PROBING_ENGINE))
        self._chance = Random(packing.question.seed)  # noqa: S311 - variety
        self._filled: dict[int, _Placed] = {}
        self._spent = 0

    def _close(self, hardness: int | None, allowed: dict[int, int]) -> dict[int, int]:
        """Return by length the words that puzzles of a hardness may not have."""
        closed = dict.fromkeys(self._tables, 0)
        if hardness is None:
            return closed
        share = EASY_SHARE + (1 - EASY_SHARE) * hardness / HARDEST
        for length, table in self._tables.items():
            closed[length] = table.everything & -(1 << math.ceil(allowed[length] * share))
            if hardness <= NAMELESS:
                kinds = map(self._lexicon.kind, table.words[: allowed[length]])
                closed[length] |= sum(1 << id_ for id_, kind in enumerate(kinds) if kind is EntryKind.NAME)
        return closed

    def pack(self, stopped: Callable[[], bool]) -> list[tuple[str, ...]] | None:
        """Return the letters of each grid; nothing if a grid has no fill, or too many were tried."""
        grids = self._packing.grids
        expected = {grid: self._engine.probe(problem, 0).expect() for grid, problem in self._problems.items()}
        waiting = deque(sorted(range(len(grids)), key=lambda number: expected[grids[number]]))
        while waiting:
            if stopped() or self._is_hopeless(len(waiting)):
                return None
            number = waiting.popleft()
            found = self._draw(number)
            if found:
                self._place(number, min(found))
            elif not self._filled:
                return None
            else:
                waiting.append(number)
                for _ in range(POLISHED):
                    self._polish(self._chance.choice(sorted(self._filled)))
        return [self._filled[number].letters for number in range(len(grids))]

    def _is_hopeless(self, waiting: int) -> bool:
        grids = len(self._packing.grids) + DRAWN
        early = self._spent > EARLY_FILLS * grids and waiting * LEFT > grids
        return early or self._spent > MOST_FILLS * grids

    def _place(self, number: int, placed: _Placed) -> None:
        self._filled[number] = placed
        self._flip(placed)

    def _flip(self, placed: _Placed) -> None:
        """Mark the words of a fill as taken, or take the mark away."""
        for length, word in placed.words:
            self._taken[length] ^= 1 << word

    def _polish(self, number: int) -> None:
        """Fill a grid again if that takes words which are harder to use."""
        before = self._filled[number]
        self._flip(before)
        self._place(number, min([before, *self._draw(number)]))

    def _draw(self, number: int) -> list[_Placed]:
        """Return a few fills of a grid with words that are free."""
        problem = self._problems[self._packing.grids[number]]
        hardness = self._packing.hardness[number]
        closed = self._closed[hardness]
        nodes = CELL_NODES * len(problem.grid.cells)
        found = []
        for _ in range(DRAWN):
            self._spent += 1
            probe = self._engine.probe(problem, self._chance.getrandbits(32))
            for slot in problem.slots:
                probe.exclude(slot.id, self._taken[slot.length] | closed[slot.length])
            outcome, fill = probe.ask(0, probe.domain(0), nodes, Deadline(None))
            if fill is not None:
                audit(problem, self._engine.name, fill)
                found.append(self._rate(problem, fill, hardness))
            elif outcome is Outcome.EXHAUSTED or not found:
                break
        return found

    def _rate(self, problem: Problem, fill: Fill, hardness: int | None) -> _Placed:
        words = [fill.word_at(slot) for slot in problem.slots]
        ids = tuple((len(word), self._tables[len(word)].ids[word]) for word in words)
        cost = sum(self._costs[length][id_] for length, id_ in ids)
        faults = len(self._lexicon.find_alike(words)) + len(list_naticks(problem.grid, words, self._lexicon))
        cost += FAULT * faults
        if hardness is not None:
            tilt = TILT * (2 * hardness / HARDEST - 1)
            cost += tilt * sum(self._tables[length].scores[id_] for length, id_ in ids)
        return _Placed(cost, fill.letters, ids)


def _weigh(tables: Collection[WordTable], allowed: dict[int, int]) -> dict[int, list[float]]:
    """Return by length and id how easily each allowed word is used: the sum of the logarithms of letter frequencies."""
    counts: Counter[str] = Counter()
    for table in tables:
        for word in table.words[: allowed[table.length]]:
            counts.update(word)
    total = counts.total()
    logs = {letter: math.log(count / total) for letter, count in counts.items()}
    costs = {}
    for table in tables:
        costs[table.length] = [sum(map(logs.__getitem__, word)) for word in table.words[: allowed[table.length]]]
    return costs
