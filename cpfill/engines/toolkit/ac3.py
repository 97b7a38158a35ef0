"""Arc consistency before a search: AC-3 (Mackworth, Consistency in networks of relations, AI 8, 1977) on bitsets.

The arcs are the crossings, each seen from both its slots; the queue holds the slots whose arcs must be revised.
Revising an arc keeps the words whose letter in the crossed cell occurs in some word of the crossing slot: one AND with
a union of masks, whatever the domain's size.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cpfill.problem.event import Revision
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId


class Wipeout(Exception):  # noqa: N818
    """A domain is empty: no fill exists within these domains."""

    def __init__(self, slot: SlotId) -> None:
        super().__init__(slot)
        self.slot = slot


def ac3(
    problem: Problem,
    domains: Sequence[int],
    tick: Callable[[], None] = lambda: None,
    tell: Callable[[Revision], None] = lambda _: None,
) -> list[int]:
    """Return the arc-consistent domains within `domains`.

    If no word may be used twice, the only word left in a slot is removed from every other slot of its length. `tick` is
    called before each revision and may raise to stop. `tell` is called with each revision that shrinks a domain.

    Raises:
        Wipeout: a domain is, or becomes, empty.
    """
    from cpfill.problem.event import Revision  # noqa: PLC0415 - slow to import, and most searches are not preceded by this

    current = list(domains)
    require_words(current)
    queue = deque(range(len(current)))
    queued = set(queue)
    while queue:
        changed = queue.popleft()
        queued.remove(changed)
        for other, kept in _revise(problem, current, changed):
            tick()
            if kept == current[other]:
                continue
            tell(Revision(other, changed, current[other].bit_count(), kept.bit_count()))
            if not kept:
                raise Wipeout(other)
            current[other] = kept
            if other not in queued:
                queued.add(other)
                queue.append(other)
    return current


def require_words(domains: Sequence[int]) -> None:
    """Check that every slot has a word.

    Raises:
        Wipeout: a slot has no word.
    """
    for slot, domain in enumerate(domains):
        if not domain:
            raise Wipeout(slot)


def _revise(problem: Problem, domains: Sequence[int], changed: SlotId) -> Iterator[tuple[SlotId, int]]:
    """Yield each slot that the domain of `changed` affects, with its remaining domain."""
    domain, table = domains[changed], problem.tables[changed]
    for pos, other, other_pos in problem.grid.neighbours[changed]:
        supported = 0
        for code, mask in enumerate(table.masks(pos)):
            if domain & mask:
                supported |= 1 << code
        yield other, domains[other] & problem.tables[other].having(other_pos, supported)
    if domain & (domain - 1) == 0:
        for other in problem.peers[changed]:
            yield other, domains[other] & ~(domain & problem.singles[table.length])
