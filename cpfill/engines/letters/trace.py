"""D. Rémy's search, letter by letter, with each step reported; the kernel goes row by row, and far faster.

A cell gets the letters that go on both the beginning across and the beginning down to some word, in alphabetical order.
If there is none, the letter before is replaced by its next one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cpfill.engines.letters.cubes import list_turns
from cpfill.engines.toolkit.propagation import SideConstraints
from cpfill.engines.toolkit.worker import Control, Stopped
from cpfill.problem.event import Finished, LetterPlaced, NoLetter, Stats, StopReason
from cpfill.problem.fill import Fill

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Place, SlotId


@dataclass(slots=True)
class _Visit:
    """A visit of a cell: the letters left to try, and the domains before the letter that stands."""

    allowed: list[int]
    tried: int = 0
    before: list[tuple[SlotId, int]] = field(default_factory=list)


class TracedLetters:
    """A search that reports each letter."""

    def __init__(self, problem: Problem, control: Control, *, reverse: bool) -> None:
        self._problem = problem
        self._control = control
        self._places: list[Place] = list(list_turns(problem, reverse=reverse))
        self._slots_at: dict[Place, list[tuple[SlotId, int]]] = {place: [] for place in self._places}
        self._left: list[int] = []  # for each slot, the letters that it lacks
        for slot in problem.slots:
            self._left.append(len(slot.places))
            for pos, place in enumerate(slot.places):
                self._slots_at[place].append((slot.id, pos))
        self._domains = list(problem.domains)
        self._constraints = SideConstraints(problem)
        self._visits: list[_Visit] = []
        self._nodes = self._backtracks = 0

    def work(self) -> Finished:
        """Report every fill."""
        try:
            self._search()
        except Stopped as stop:
            return Finished(stop.reason, stats=self._stats())
        return Finished(StopReason.EXHAUSTED, "exhaustive search", stats=self._stats())

    def _stats(self) -> Stats:
        return Stats(self._nodes, self._backtracks)

    def _search(self) -> None:
        self._open()
        while self._visits:
            self._control.check()
            visit = self._visits[-1]
            self._take_back(visit)
            if visit.tried == len(visit.allowed):
                self._retreat()
            elif self._write(visit):
                if len(self._visits) < len(self._places):
                    self._open()
                else:
                    self._report_fill()
            if self._nodes == self._control.limits.nodes:
                raise Stopped(StopReason.NODES)

    def _open(self) -> None:
        """Go to the next cell, and find its letters."""
        here = self._slots_at[self._places[len(self._visits)]]
        codes = range(len(self._problem.grid.alphabet.letters))
        self._visits.append(_Visit([code for code in codes if self._may_write(here, code)]))

    def _may_write(self, here: list[tuple[SlotId, int]], code: int) -> bool:
        """Return whether each slot of a cell keeps a word with a letter."""
        return all(self._domains[slot] & self._problem.tables[slot].masks(pos)[code] for slot, pos in here)

    def _write(self, visit: _Visit) -> bool:
        """Write the next letter, and return whether the words that it completes obey the rules."""
        place = self._places[len(self._visits) - 1]
        code = visit.allowed[visit.tried]
        visit.tried += 1
        sizes = {}
        for slot, pos in self._slots_at[place]:
            visit.before.append((slot, self._domains[slot]))
            self._domains[slot] &= self._problem.tables[slot].masks(pos)[code]
            self._left[slot] -= 1
            sizes[slot] = self._domains[slot].bit_count()
        wipeout = self._find_wipeout(place)
        self._nodes += 1
        letters = self._problem.grid.alphabet.letters
        allowed = "".join(letters[each] for each in visit.allowed)
        step = LetterPlaced(place[0], letters[code], allowed, len(self._visits), sizes, wipeout)
        self._control.report_step(step, self._stats())
        return wipeout is None

    def _find_wipeout(self, place: Place) -> SlotId | None:
        """Return the slot that words completed in a cell leave without a word."""
        for slot, _ in self._slots_at[place]:
            if self._left[slot]:
                continue
            word = self._domains[slot].bit_length() - 1
            for other in self._constraints.partners[slot]:
                if not self._left[other] and self._constraints.find_conflicts(slot, word, other) & self._domains[other]:
                    return other
        for narrowing in self._constraints.find_narrowings(self._domains):
            if not narrowing.kept:
                return narrowing.slot
        return None

    def _take_back(self, visit: _Visit) -> None:
        for slot, domain in visit.before:
            self._domains[slot] = domain
            self._left[slot] += 1
        visit.before.clear()

    def _retreat(self) -> None:
        depth = len(self._visits)
        self._visits.pop()
        self._backtracks += 1
        self._control.report_step(NoLetter(self._places[depth - 1][0], depth), self._stats())

    def _report_fill(self) -> None:
        words = [domain.bit_length() - 1 for domain in self._domains]
        self._control.report_fill(Fill.of_words(self._problem, words), self._problem.score(words))
