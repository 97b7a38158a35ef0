"""Decides whether a subset of the constraints of a problem has a fill; explanations are made of such answers.

The constraints of a problem can be dropped one by one. A dropped slot takes any letters, a dropped given or letter set
leaves its cell free, and a dropped required word may be missing. The rules on several words are not dropped: they hold
among the slots that are kept. So dropping a constraint relaxes the problem: every subset of a set with a fill has a
fill, and every superset of a set without a fill has none.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import UnsupportedError
from cpfill.base.texts import say
from cpfill.engines import make_engine
from cpfill.engines.audited import search
from cpfill.problem.event import Finished, Found
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Problem
from cpfill.problem.result import Limits, Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cpfill.engines.contract import Engine
    from cpfill.problem.result import Deadline
    from cpfill.problem.rules import Rules
    from cpfill.puzzle.grid import CellId, Grid, SlotId


class Kind(StrEnum):
    """The kind of a constraint."""

    SLOT = "slot"
    GIVEN = "given"
    """A cell narrower than the alphabet: a given, or a letter set."""
    REQUIRED = "required"


class Constraint(NamedTuple):
    """A constraint that can be dropped: `id` is that of a slot or cell, or the index of a word in `Oracle.required`."""

    kind: Kind
    id: int


Subset = frozenset[Constraint]


@dataclass(frozen=True, slots=True)
class Reply:
    """Whether a subset has a fill: FOUND with the fill, EXHAUSTED if it has none, UNKNOWN if the nodes did not suffice.

    `wipeout` is the slot, if any, whose domain propagation alone emptied.
    """

    outcome: Outcome
    fill: Fill | None = None
    wipeout: SlotId | None = None


_NO_FILL = Reply(Outcome.EXHAUSTED)
_UNDECIDED = Reply(Outcome.UNKNOWN)


class Oracle:
    """Decides whether a subset of the constraints of one problem has a fill; remembers its answers.

    Attributes:
        engine: the engine that searches; it must be able to prove that no fill exists.
        deadline: when to stop; after it, every new question is answered UNKNOWN.
        required: the required words, sorted.

    Raises:
        UnsupportedError: the problem has theme words and lifts C3 for the others.
    """

    def __init__(self, problem: Problem, engine: Engine | str, deadline: Deadline, seed: int = 0) -> None:
        if problem.theme and problem.rules.repeats:
            raise UnsupportedError(say("no explanation with theme words and repeats: leave one of them out"))
        self.problem = problem
        self.required = tuple(sorted(problem.rules.required))
        self.deadline = deadline
        self.engine = make_engine(engine) if isinstance(engine, str) else engine
        self._seed = seed
        self._filled: dict[Subset, Reply] = {}
        self._unfillable: list[Subset] = []

    @cached_property
    def everything(self) -> Subset:
        """All constraints of the problem. A given in no slot does not count, because it restricts no word."""
        grid = self.problem.grid
        narrow = [cell for cell in grid.slots_at if grid.cells[cell] != grid.alphabet.full]
        return frozenset(
            [Constraint(Kind.SLOT, slot.id) for slot in grid.slots]
            + [Constraint(Kind.GIVEN, cell) for cell in narrow]
            + [Constraint(Kind.REQUIRED, id_) for id_ in range(len(self.required))]
        )

    def ask(self, subset: Collection[Constraint], nodes: int) -> Reply:
        """Return whether a subset has a fill, from earlier answers or a search of at most `nodes` nodes."""
        asked = frozenset(subset)
        for known, reply in self._filled.items():
            if asked <= known:
                return reply
        if any(known <= asked for known in self._unfillable):
            return _NO_FILL
        reply = self.search(asked, nodes)
        if reply.outcome is Outcome.FOUND:
            self._filled[asked] = reply
        elif reply.outcome is Outcome.EXHAUSTED:
            self._unfillable.append(asked)
        return reply

    def search(
        self,
        subset: Subset,
        nodes: int,
        *,
        rules: Rules | None = None,
        letters: dict[CellId, int] | None = None,
        excepted: tuple[SlotId, float] | None = None,
    ) -> Reply:
        """Return whether a subset has a fill under different rules, or with the given letters in some cells.

        `excepted` is a slot with an exception from C2: it holds a word of the lexicon that it may not hold, one that
        scores more than the number with it.
        """
        grid = self.problem.grid
        cells = list(grid.cells)
        for cell in grid.slots_at:
            cells[cell] = grid.alphabet.full
        for kind, id_ in subset:
            if kind is Kind.GIVEN:
                cells[id_] = grid.cells[id_]
        for cell, held in (letters or {}).items():
            cells[cell] &= held
        dropped = [slot for slot in grid.slots if Constraint(Kind.SLOT, slot.id) not in subset]
        open_slots = grid.open_slots.union((slot.direction, slot.cells[0]) for slot in dropped)
        rules = replace(rules or self.problem.rules, required=frozenset())
        words = [self.required[id_] for kind, id_ in sorted(subset) if kind is Kind.REQUIRED]
        doubtful = None
        for placed in self._place_required(tuple(cells), words, frozenset()):
            reply = self._run(replace(grid, cells=placed, open_slots=open_slots), rules, nodes, excepted)
            if reply.outcome is Outcome.FOUND or not words:
                return reply
            if reply.outcome is Outcome.UNKNOWN:
                doubtful = reply
        return doubtful or _NO_FILL

    def _place_required(
        self, cells: tuple[int, ...], words: list[str], taken: frozenset[SlotId]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the cells for every way to write each of the words into a separate slot, dropped or not."""
        if not words:
            yield cells
            return
        word, *others = words
        template = replace(self.problem.grid, cells=cells)
        letters = list(map(template.alphabet.letter_set, word))
        for slot in self.problem.slots:
            fits = slot.length == len(word) and all(map(int.__and__, letters, map(template.letter_set, slot.places)))
            if fits and slot.id not in taken:
                written = list(cells)
                for (cell, _), letter in zip(slot.places, letters, strict=True):
                    if cell not in template.rebus:
                        written[cell] = letter
                yield from self._place_required(tuple(written), others, taken | {slot.id})

    def _run(self, template: Grid, rules: Rules, nodes: int, excepted: tuple[SlotId, float] | None) -> Reply:
        if self.deadline.passed:
            return _UNDECIDED
        grid = self.problem.grid
        if not template.slots:
            return Reply(Outcome.FOUND, Fill(template.first_letters, grid))
        limits = Limits(time_s=self.deadline.time_s, nodes=nodes, seed=self._seed, stop=self.deadline.stop)
        problem = Problem(template, self.problem.lexicon, rules, narrowed=self.problem.narrowed)
        if excepted is not None:
            problem = _except(problem, *excepted)
            if not problem.domains[excepted[0]]:
                return _NO_FILL
        with closing(search(problem, engine=self.engine, limits=limits)) as stream:
            for event in stream:
                if isinstance(event, Found):
                    return Reply(Outcome.FOUND, Fill(event.fill.letters, grid))
                if isinstance(event, Finished) and event.exhausted:
                    empty = None if event.wipeout is None else template.slots[event.wipeout].cells
                    return Reply(Outcome.EXHAUSTED, wipeout=next((s.id for s in grid.slots if s.cells == empty), None))
        return _UNDECIDED


@dataclass(frozen=True)
class _Excepted(Problem):
    """A problem with exceptions from C2: `fitting` has the words of each slot."""

    fitting: tuple[int, ...] = field(kw_only=True)

    @cached_property
    def domains(self) -> tuple[int, ...]:
        return self.fitting


def _except(problem: Problem, slot: SlotId, above: float) -> Problem:
    """Return the problem in which one slot holds a word that it may not hold, and that scores more than `above`."""
    at = problem.slots[slot]
    narrowed = {start: words for start, words in problem.narrowed.items() if start != (at.direction, at.cells[0])}
    rules = replace(problem.rules, min_score=0.0)
    free = Problem(problem.grid, problem.lexicon, rules, narrowed=narrowed)
    others = free.domains[slot] & ~problem.domains[slot] & problem.tables[slot].above(above)
    fitting = (*problem.domains[:slot], others, *problem.domains[slot + 1 :])
    return _Excepted(problem.grid, problem.lexicon, rules, narrowed=narrowed, fitting=fitting)
