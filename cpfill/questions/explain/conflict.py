"""A minimal conflict: constraints without a common fill that gain one when any single constraint is dropped.

This is a minimal unsatisfiable core (MUC). The algorithm is that of Hemery, Lecoutre, Sais and Boussemart (Extracting
MUCs from constraint networks, ECAI 2006): put the constraints in order and find the shortest prefix without a fill. Its
last constraint is needed; drop all constraints after it. Move the needed constraint to the front and repeat, until
every remaining constraint is needed. Constraints are ordered by their distance from the needed ones, so prefixes are
neighbourhoods: small, quick to search, and close together in the grid.

Explanations consist of answers to one question: does a subset of the constraints have a fill? The constraints of a
problem can be dropped one by one. A dropped slot takes any letters, a dropped given or letter set leaves its cell free,
and a dropped required word may be missing. The rules on several words are not dropped: they hold among the slots that
are kept, and letters are counted in the cells of these. So dropping a constraint relaxes the problem: every subset of a
set with a fill has a fill, and every superset of a set without a fill has none.
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
    from collections.abc import Collection, Iterable, Iterator

    from cpfill.engines.contract import Engine
    from cpfill.problem.result import Deadline
    from cpfill.problem.rules import Rules
    from cpfill.puzzle.grid import CellId, Grid, SlotId


class Kind(StrEnum):
    SLOT = "slot"
    GIVEN = "given"
    """A cell narrower than the alphabet: a given, or a letter set."""
    REQUIRED = "required"


class Constraint(NamedTuple):
    """A constraint that can be dropped: `id` is that of a slot or cell, or the index of a word in `Oracle.required`."""

    kind: Kind
    id: int


Subset = frozenset[Constraint]


def relax(problem: Problem, subset: Subset) -> Problem:
    """Return the problem with only the givens of a subset: its patterns and domains are those of the subset."""
    grid = problem.grid
    cells = list(grid.cells)
    for at, cell in enumerate(cells):
        if cell and Constraint(Kind.GIVEN, at) not in subset:
            cells[at] = grid.alphabet.full
    return replace(problem, grid=replace(grid, cells=tuple(cells)))


@dataclass(frozen=True, slots=True)
class OracleReply:
    """Whether a subset has a fill: FOUND with the fill, EXHAUSTED if it has none, UNKNOWN if the nodes did not suffice.

    `wipeout` is the slot, if any, whose domain propagation alone emptied.
    """

    outcome: Outcome
    fill: Fill | None = None
    wipeout: SlotId | None = None


_NO_FILL = OracleReply(Outcome.EXHAUSTED)
_UNDECIDED = OracleReply(Outcome.UNKNOWN)


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
        self._filled: dict[Subset, OracleReply] = {}
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

    def ask(self, subset: Collection[Constraint], nodes: int) -> OracleReply:
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
    ) -> OracleReply:
        """Return whether a subset has a fill under different rules, or with the given letters in some cells.

        `excepted` is a slot with an exception from C2: it holds a word of the lexicon that it may not hold, one that
        scores more than the number with it.
        """
        grid = self.problem.grid
        dropped = [slot for slot in grid.slots if Constraint(Kind.SLOT, slot.id) not in subset]
        open_slots = grid.open_slots.union((slot.direction, slot.cells[0]) for slot in dropped)
        rules = replace(rules or self.problem.rules, required=frozenset())
        words = [self.required[id_] for kind, id_ in sorted(subset) if kind is Kind.REQUIRED]
        doubtful = None
        for placed in self._place_required(self._free_cells(subset, letters or {}), words, frozenset()):
            reply = self._run(replace(grid, cells=placed, open_slots=open_slots), rules, nodes, excepted)
            if reply.outcome is Outcome.FOUND or not words:
                return reply
            if reply.outcome is Outcome.UNKNOWN:
                doubtful = reply
        return doubtful or _NO_FILL

    def _free_cells(self, subset: Subset, letters: dict[CellId, int]) -> tuple[int, ...]:
        """Return the cells with only the givens of a subset, and the given letters in some cells."""
        grid = self.problem.grid
        cells = list(grid.cells)
        for cell in grid.slots_at:
            cells[cell] = grid.alphabet.full
        for kind, id_ in subset:
            if kind is Kind.GIVEN:
                cells[id_] = grid.cells[id_]
        for cell, held in letters.items():
            cells[cell] &= held
        return tuple(cells)

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

    def _run(self, template: Grid, rules: Rules, nodes: int, excepted: tuple[SlotId, float] | None) -> OracleReply:
        if self.deadline.passed:
            return _UNDECIDED
        grid = self.problem.grid
        if not template.slots:
            return OracleReply(Outcome.FOUND, Fill(template.first_letters, grid))
        freed = frozenset(grid.slots_at.keys() - template.slots_at.keys())
        problem = Problem(template, self.problem.lexicon, rules, narrowed=self.problem.narrowed, freed=freed)
        if excepted is not None:
            problem = _except(problem, *excepted)
            if not problem.domains[excepted[0]]:
                return _NO_FILL
        return self._follow(problem, nodes)

    def _follow(self, problem: Problem, nodes: int) -> OracleReply:
        """Return the answer of a search of at most so many nodes."""
        grid = self.problem.grid
        limits = Limits(time_s=self.deadline.time_s, nodes=nodes, seed=self._seed, stop=self.deadline.stop)
        with closing(search(problem, engine=self.engine, limits=limits)) as stream:
            for event in stream:
                if isinstance(event, Found):
                    return OracleReply(Outcome.FOUND, Fill(event.fill.letters, grid))
                if isinstance(event, Finished) and event.exhausted:
                    empty = None if event.wipeout is None else problem.slots[event.wipeout].cells
                    return OracleReply(
                        Outcome.EXHAUSTED, wipeout=next((s.id for s in grid.slots if s.cells == empty), None)
                    )
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


WHOLE_NODES = 3_000
"""Nodes for the first search of the whole problem; they grow until a search decides it."""

SUBSET_NODES = 10_000
"""Nodes for the search of a subset: a fraction of a second on the compiled kernel."""

NODE_GROWTH = 10
"""The factor on the nodes for each further search of the whole problem."""

RADII = (1, 2, 3)
"""The greatest radius, in crossings, of the neighbourhoods searched while the whole problem is undecided."""

_FAR = 1_000
"""A distance in crossings greater than any within one component."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Constraints proved to have no common fill; dropping any of them, except the `undecided`, gives a fill."""

    subset: Subset
    undecided: Subset


def find_conflicts(oracle: Oracle) -> Iterator[OracleReply | Conflict]:
    """Yield the answer to the whole problem and, if it has no fill, ever smaller conflicts.

    The reply comes first. If it is EXHAUSTED, conflicts follow; the last is minimal except for its undecided
    constraints. Close the iterator to stop early.
    """
    start = _settle_whole(oracle)
    yield start[0]
    if start[0].outcome is not Outcome.EXHAUSTED:
        return
    _, core, middle = start
    yield Conflict(core, core)
    yield from _shrink(oracle, core, middle)


def _settle_whole(oracle: Oracle) -> tuple[OracleReply, Subset, list[Constraint]]:
    """Return the answer to the whole problem and, if it has no fill, a subset without a fill and its centre."""
    pair = _find_evident(oracle)
    if pair and oracle.ask(pair, SUBSET_NODES).outcome is Outcome.EXHAUSTED:  # not if the other slots have a part in it
        return OracleReply(Outcome.EXHAUSTED), pair, sorted(pair)[:1]
    nodes = WHOLE_NODES
    while not oracle.deadline.passed:
        reply = oracle.ask(oracle.everything, nodes)
        if reply.outcome is not Outcome.UNKNOWN:
            middle = [] if reply.wipeout is None else [Constraint(Kind.SLOT, reply.wipeout)]
            return reply, oracle.everything, middle
        for subset, centre in _visit_neighbourhoods(oracle):
            if oracle.ask(subset, nodes // NODE_GROWTH).outcome is Outcome.EXHAUSTED:
                return OracleReply(Outcome.EXHAUSTED), subset, [centre]
        nodes *= NODE_GROWTH
    return OracleReply(Outcome.UNKNOWN), frozenset(), []


def _find_evident(oracle: Oracle) -> Subset:
    """Return a slot without a word, or two crossing slots without a common letter, with their givens; else nothing.

    Prefer one with few constraints, because it reads best.
    """
    problem = oracle.problem
    alone = [_add_givens(problem, [slot.id]) for slot in problem.slots if not problem.domains[slot.id]]
    if alone:
        return min(alone, key=len)
    letters = [[collect_letters(problem, slot.id, pos) for pos in range(slot.length)] for slot in problem.slots]
    pairs = [
        _add_givens(problem, [x.across, x.down])
        for x in problem.grid.crossings
        if not letters[x.across][x.across_pos] & letters[x.down][x.down_pos]
    ]
    return min(pairs, key=len, default=frozenset())


def collect_letters(problem: Problem, slot: SlotId, pos: int) -> int:
    """Return, as a letter set, the letters at a position of the words that fit a slot."""
    domain = problem.domains[slot]
    letters = 0
    for code, mask in enumerate(problem.tables[slot].masks(pos)):
        if domain & mask:
            letters |= 1 << code
    return letters


def _add_givens(problem: Problem, slots: Iterable[SlotId]) -> Subset:
    constraints = set()
    for slot in slots:
        constraints.add(Constraint(Kind.SLOT, slot))
        for cell in problem.slots[slot].cells:
            if problem.grid.cells[cell] != problem.grid.alphabet.full:
                constraints.add(Constraint(Kind.GIVEN, cell))
    return frozenset(constraints)


def _visit_neighbourhoods(oracle: Oracle) -> Iterator[tuple[Subset, Constraint]]:
    """Yield the slots around each slot with their givens, small neighbourhoods first."""
    problem = oracle.problem
    for radius in RADII:
        for slot in problem.slots:
            centre = Constraint(Kind.SLOT, slot.id)
            distance = _measure_distances(problem, [centre])
            around = [other for other in range(len(problem.slots)) if distance[other] <= radius]
            yield _add_givens(problem, around), centre


def _shrink(oracle: Oracle, core: Subset, middle: Collection[Constraint]) -> Iterator[Conflict]:
    """Yield ever smaller conflicts within `core`, which has no fill."""
    needed: list[Constraint] = []
    undecided: set[Constraint] = set()
    rest = core
    while rest and not oracle.deadline.passed:
        alone = oracle.ask(needed, SUBSET_NODES).outcome
        if alone is Outcome.EXHAUSTED:
            rest = frozenset()
            break
        order = _sort_by_distance(oracle, rest, needed or middle)
        filled, length = _find_prefix(oracle, needed, order)
        if length - filled > 1 or (filled == 0 and alone is Outcome.UNKNOWN):
            undecided.update(order[filled:length])
        needed += order[filled:length]
        rest = frozenset(order[:filled])
        yield Conflict(frozenset(needed) | rest, rest | undecided)
    core = frozenset(needed) | rest
    yield from _drop_doubtful(oracle, core, core - undecided - rest, middle)


def _drop_doubtful(oracle: Oracle, core: Subset, decided: Subset, middle: Collection[Constraint]) -> Iterator[Conflict]:
    """Yield a conflict, then smaller ones: constraints that are not known to be needed are dropped."""
    doubtful = _sort_by_distance(oracle, core - decided, decided or middle)
    yield Conflict(core, core - decided)
    size = 1  # constraints to drop at once, farthest first; grows while that succeeds
    while doubtful and not oracle.deadline.passed:
        dropped = doubtful[-size:]
        outcome = oracle.ask(core.difference(dropped), SUBSET_NODES * NODE_GROWTH).outcome
        if outcome is Outcome.EXHAUSTED:
            core = core.difference(dropped)
            del doubtful[-size:]
            size *= 2
        elif len(dropped) > 1:
            size = 1
        else:
            doubtful.pop()
            if outcome is Outcome.FOUND:
                decided |= {*dropped}
        yield Conflict(core, core - decided)


def _find_prefix(oracle: Oracle, needed: list[Constraint], order: list[Constraint]) -> tuple[int, int]:
    """Return the length of a prefix of `order` that has a fill with those needed, and of one that has none.

    The second number, at least 1, is one more than the first, or greater if the prefixes between are undecided. All
    constraints together are known to have no fill. Short prefixes are tried first: doubling steps find a prefix without
    a fill, then bisection finds the shortest.
    """
    filled = 0
    low = 0
    high = len(order)
    step = 1
    while high - low > 1:
        middle = low + step
        if step == 0 or middle >= high:
            middle = (low + high) // 2
            step = 0
        outcome = oracle.ask([*needed, *order[:middle]], SUBSET_NODES).outcome
        if outcome is Outcome.EXHAUSTED:
            high = middle
            step = 0
            continue
        low = middle
        step *= 2
        if outcome is Outcome.FOUND:
            filled = middle
    return filled, high


def _sort_by_distance(
    oracle: Oracle, constraints: Iterable[Constraint], start: Collection[Constraint]
) -> list[Constraint]:
    """Return constraints by distance from a start: nearest first, a given after the nearer of its slots.

    At equal distance, and without a start, the slot with the fewest words comes first.
    """
    problem = oracle.problem
    distance = _measure_distances(problem, start)
    slots_at = problem.grid.slots_at

    def rank(constraint: Constraint) -> tuple[int, int, int, int]:
        kind, id_ = constraint
        if kind is Kind.SLOT:
            return distance[id_], 0, problem.domains[id_].bit_count(), id_
        if kind is Kind.GIVEN:
            return min(distance[slot] for slot, _ in slots_at[id_]), 1, 0, id_
        return 0, 2, 0, id_  # a required word may go anywhere

    return sorted(constraints, key=rank)


def _measure_distances(problem: Problem, start: Collection[Constraint]) -> list[int]:
    """Return each slot's distance, in crossings, from the nearest constraint of a start."""
    distance = [_FAR] * len(problem.slots)
    ring: list[SlotId] = []
    for kind, id_ in start:
        if kind is Kind.SLOT:
            ring.append(id_)
        elif kind is Kind.GIVEN:
            ring += [slot for slot, _ in problem.grid.slots_at[id_]]
    for slot in ring:
        distance[slot] = 0
    while ring:
        reached = []
        for slot in ring:
            for other in problem.grid.crossed_by[slot]:
                if distance[other] == _FAR:
                    distance[other] = distance[slot] + 1
                    reached.append(other)
        ring = reached
    return distance
