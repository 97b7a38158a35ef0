"""A minimal conflict: elements of a problem that have no fill together, though they have one without any of them.

Constraint programming knows it as a minimal unsatisfiable core. It is found as by Hemery, Lecoutre, Sais and Boussemart
(Extracting MUCs from constraint networks, ECAI 2006): put the elements in order and look for the shortest prefix that
has no fill. Its last element is needed, what comes after it is not; go on with that element first. The order is by
distance from what is known to be needed, so that prefixes are neighbourhoods: small, quick to search, and what is left
in the end is close together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.explain.oracle import Element, Kind, Reply
from cpfill.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cpfill.explain.oracle import Oracle, Part
    from cpfill.grid import SlotId
    from cpfill.problem import Problem

FIRST_NODES = 3_000
"""The work for a question about the whole problem at first; it grows as long as nothing is decided."""

NODES = 10_000
"""The work for a question about a part: a fraction of a second on the compiled kernel."""

GROWTH = 10
"""How much more work a question gets when it is asked again."""

RADII = (1, 2, 3)
"""The neighbourhoods that are tried where the whole problem is not decided, in crossings from their middle."""

_FAR = 1_000


@dataclass(frozen=True, slots=True)
class Conflict:
    """Elements that are proved to have no fill together; without any but the `undecided` of them they have one."""

    part: Part
    undecided: Part


def find(oracle: Oracle) -> Iterator[Reply | Conflict]:
    """Yield the answer to the whole problem as far as it is known, and if it has no fill ever smaller conflicts.

    A reply comes first; if that is COMPLETE conflicts follow, of which the last is minimal but for its undecided
    elements. Whoever has enough stops taking them.
    """
    start = _first(oracle)
    yield start[0]
    if start[0].outcome is not Outcome.EXHAUSTED:
        return
    _, core, middle = start
    yield Conflict(core, core)
    yield from _shrink(oracle, core, middle)


def _first(oracle: Oracle) -> tuple[Reply, Part, list[Element]]:
    """Return the answer to the whole problem, and where it has no fill a part that has none, with its middle."""
    pair = _evident(oracle)
    if pair:
        return Reply(Outcome.EXHAUSTED), pair, sorted(pair)[:1]
    nodes = FIRST_NODES
    while not oracle.deadline.passed:
        reply = oracle.ask(oracle.everything, nodes)
        if reply.outcome is not Outcome.UNKNOWN:
            middle = [] if reply.wipeout is None else [Element(Kind.SLOT, reply.wipeout)]
            return reply, oracle.everything, middle
        for part, centre in _neighbourhoods(oracle):
            if oracle.ask(part, nodes // GROWTH).outcome is Outcome.EXHAUSTED:
                return Reply(Outcome.EXHAUSTED), part, [centre]
        nodes *= GROWTH
    return Reply(Outcome.UNKNOWN), frozenset(), []


def _evident(oracle: Oracle) -> Part:
    """Return a slot without a word, or two crossing slots without a common letter, with their givens; else nothing.

    Of several, one with few elements: it reads best.
    """
    problem = oracle.problem
    alone = [_with_givens(problem, [slot.id]) for slot in problem.slots if not problem.domains[slot.id]]
    if alone:
        return min(alone, key=len)
    letters = [[letters_at(problem, slot.id, pos) for pos in range(slot.length)] for slot in problem.slots]
    pairs = [
        _with_givens(problem, [x.across, x.down])
        for x in problem.grid.crossings
        if not letters[x.across][x.across_pos] & letters[x.down][x.down_pos]
    ]
    return min(pairs, key=len, default=frozenset())


def letters_at(problem: Problem, slot: SlotId, pos: int) -> int:
    """Return the letters that the words which fit a slot have at a position, as a letter set."""
    domain, letters = problem.domains[slot], 0
    for code, mask in enumerate(problem.tables[slot].masks(pos)):
        if domain & mask:
            letters |= 1 << code
    return letters


def _with_givens(problem: Problem, slots: Iterable[SlotId]) -> Part:
    elements = set()
    for slot in slots:
        elements.add(Element(Kind.SLOT, slot))
        for cell in problem.slots[slot].cells:
            if problem.grid.cells[cell] != problem.grid.alphabet.full:
                elements.add(Element(Kind.GIVEN, cell))
    return frozenset(elements)


def _neighbourhoods(oracle: Oracle) -> Iterator[tuple[Part, Element]]:
    """Yield the slots around each slot with their givens, small neighbourhoods first."""
    problem = oracle.problem
    for radius in RADII:
        for slot in problem.slots:
            centre = Element(Kind.SLOT, slot.id)
            distance = _distances(problem, [centre])
            around = [other for other in range(len(problem.slots)) if distance[other] <= radius]
            yield _with_givens(problem, around), centre


def _shrink(oracle: Oracle, core: Part, middle: Collection[Element]) -> Iterator[Conflict]:
    """Yield ever smaller conflicts within `core`, which has no fill."""
    needed: list[Element] = []
    undecided: set[Element] = set()
    rest = core
    while rest and not oracle.deadline.passed:
        alone = oracle.ask(needed, NODES).outcome
        if alone is Outcome.EXHAUSTED:
            rest = frozenset()
            break
        order = _in_order(oracle, rest, needed or middle)
        filled, length = _shortest(oracle, needed, order)
        if length - filled > 1 or (filled == 0 and alone is Outcome.UNKNOWN):
            undecided.update(order[filled:length])
        needed += order[filled:length]
        rest = frozenset(order[:filled])
        yield Conflict(frozenset(needed) | rest, rest | undecided)
    core = frozenset(needed) | rest
    decided = core - undecided - rest
    doubtful = _in_order(oracle, core - decided, decided or middle)
    yield Conflict(core, core - decided)
    size = 1  # how many to drop at once, the farthest first: more as long as that goes well
    while doubtful and not oracle.deadline.passed:
        dropped = doubtful[-size:]
        outcome = oracle.ask(core.difference(dropped), NODES * GROWTH).outcome
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


def _shortest(oracle: Oracle, needed: list[Element], order: list[Element]) -> tuple[int, int]:
    """Return how many elements of `order` have a fill together with those needed, and how many have none.

    The second number, at least 1, is one more than the first, or further off where what lies between is undecided. All
    elements are known to have no fill. Steps that double find a prefix that has none, then halves the shortest one:
    short prefixes are asked about first.
    """
    filled, low, high, step = 0, 0, len(order), 1
    while high - low > 1:
        if 0 < step < high - low:
            middle = low + step
        else:
            middle, step = (low + high) // 2, 0
        outcome = oracle.ask([*needed, *order[:middle]], NODES).outcome
        if outcome is Outcome.EXHAUSTED:
            high, step = middle, 0
            continue
        low, step = middle, 2 * step
        if outcome is Outcome.FOUND:
            filled = middle
    return filled, high


def _in_order(oracle: Oracle, elements: Iterable[Element], start: Collection[Element]) -> list[Element]:
    """Return elements by distance from a start: nearest first, a given after the nearer of its slots.

    At equal distance, and where there is no start, the slot with the fewest words comes first.
    """
    problem = oracle.problem
    distance = _distances(problem, start)
    slots_at = problem.grid.slots_at

    def rank(element: Element) -> tuple[int, int, int]:
        kind, place = element
        if kind is Kind.SLOT:
            return distance[place], 0, problem.domains[place].bit_count()
        if kind is Kind.GIVEN:
            return min(distance[slot] for slot, _ in slots_at[place]), 1, place
        return 0, 2, place  # a required word may go anywhere

    return sorted(elements, key=rank)


def _distances(problem: Problem, start: Collection[Element]) -> list[int]:
    """Return for each slot how many crossings it is away from the nearest element of a start."""
    distance = [_FAR] * len(problem.slots)
    ring: list[SlotId] = []
    for kind, place in start:
        if kind is Kind.SLOT:
            ring.append(place)
        elif kind is Kind.GIVEN:
            ring += [slot for slot, _ in problem.grid.slots_at[place]]
    for slot in ring:
        distance[slot] = 0
    while ring:
        reached = []
        for slot in ring:
            for _, other, _ in problem.grid.neighbours[slot]:
                if distance[other] == _FAR:
                    distance[other] = distance[slot] + 1
                    reached.append(other)
        ring = reached
    return distance
