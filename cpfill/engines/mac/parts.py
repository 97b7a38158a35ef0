"""Bounds a criterion that adds up by parts of a grid, so that no part multiplies the work of another.

If the cheapest words of a part do not fit together, its words cost more than the cheapest by some regret. Under the
costs that a kernel shifted between the slots, a fill costs at least the sum of the cheapest words of all slots plus the
least regret of each part. Crossings between parts are ignored, as between mini-buckets (Dechter and Rish, Mini-buckets:
a general scheme for bounded inference, JACM 50, 2003). Parts of a dozen slots are settled in about a second. Once all
are settled, fewer and larger parts give a better bound; each starts from the sum of the regrets of the parts that it
merges (Verfaillie, Lemaître and Schiex, Russian doll search for solving constraint optimization problems, AAAI 1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.puzzle.grid import Grid, SlotId

FIRST_STEP = 8
"""The step of the first question beyond the known regret, in whole units."""

EASY_NODES = 200
"""If a question took fewer nodes, the next step is twice as large."""

HARD_NODES = 2_000
"""If a question took more nodes, or a third of all nodes of its part, the next step is half as large."""


@dataclass(slots=True)
class _Part:
    """Some slots, and the known range of their least regret: over `least`, at most `most` if known."""

    slots: list[SlotId]
    least: int = 0
    most: int | None = None
    step: int = FIRST_STEP
    nodes: int = 0
    asked: int = 0
    question: Kernel | None = None
    """The open question: can the regret be `asked` or less?"""

    @property
    def settled(self) -> bool:
        return self.most is not None and self.most - self.least <= 1


class Parts:
    """The parts of a grid, initially `groups`, within one kernel whose costs are shifted."""

    def __init__(self, grid: Grid, kernel: Kernel, groups: Sequence[list[SlotId]]) -> None:
        self._grid, self._kernel = grid, kernel
        self._parts = [_Part(slots) for slots in groups]

    @property
    def groups(self) -> list[list[SlotId]]:
        """The slots of each part."""
        return [part.slots for part in self._parts]

    def merge(self) -> None:
        """Merge pairs of parts that cross most; a merged part starts from the sum of both regrets."""
        left, self._parts = self._parts, []
        while left:
            part = min(left, key=lambda part: (len(part.slots), part.slots))
            left.remove(part)
            other = max(left, key=lambda other: (self._count_crossings(part, other), other.slots), default=None)
            if other is not None:
                left.remove(other)
                part = _Part([*part.slots, *other.slots], part.least + other.least)
            self._parts.append(part)

    def _count_crossings(self, part: _Part, other: _Part) -> int:
        return sum(crossed in other.slots for slot in part.slots for crossed in self._grid.crossed_by[slot])

    @property
    def regret(self) -> int:
        """A lower bound on the cost of any fill above that of the cheapest words, in whole units."""
        return sum(part.least for part in self._parts)

    @property
    def settled(self) -> bool:
        """Whether the regret cannot rise any more."""
        return all(part.settled for part in self._parts)

    def work(self, nodes: int, advance: Callable[[Kernel, int], Outcome]) -> Iterator[int]:
        """Work for `nodes` nodes, first on the parts with the least work so far; yield the regret whenever it rises."""
        while nodes > 0 and not self.settled:
            part = min((part for part in self._parts if not part.settled), key=lambda part: part.nodes)
            if part.question is None:
                part.asked = part.least + part.step if part.most is None else (part.least + part.most) // 2
                part.question = self._kernel.part(part.slots, part.asked)
            before = part.question.counters()[0]
            outcome = advance(part.question, min(nodes, EASY_NODES))
            asked = part.question.counters()[0]
            spent = max(1, asked - before)
            part.nodes += spent
            nodes -= spent
            if outcome is Outcome.EXHAUSTED:
                part.least, part.question = part.asked, None
                if asked < EASY_NODES:
                    part.step *= 2
                elif asked > HARD_NODES:
                    part.step = max(1, part.step // 2)
                yield self.regret
            elif outcome is Outcome.FOUND:
                part.most, part.question = part.asked, None
            elif part.most is None and part.step > 1 and asked > max(HARD_NODES, part.nodes // 3):
                part.step, part.question = part.step // 2, None


def divide(grid: Grid, size: int) -> list[list[SlotId]]:
    """Return the slots in parts of about `size`: repeated halves with few crossings between them."""
    neighbours = grid.crossed_by
    slots = list(range(len(neighbours)))
    counts = range(max(1, len(slots) // (3 * size)), -(-len(slots) // size) // 2 + 2)
    wholes = [divide_within(neighbours, slots, count) for count in counts]
    best = min(wholes, key=lambda parts: _count_cut(neighbours, parts))
    return [half for part in best for half in divide_within(neighbours, part, -(-len(part) // (size + size // 4)))]


def _count_cut(neighbours: Sequence[Sequence[SlotId]], parts: Sequence[Sequence[SlotId]]) -> int:
    owner = {slot: number for number, part in enumerate(parts) for slot in part}
    return sum(owner[slot] != owner[other] for slot, of in enumerate(neighbours) for other in of)


def divide_within(neighbours: Sequence[Sequence[SlotId]], slots: Sequence[SlotId], count: int) -> list[list[SlotId]]:
    """Return some slots in about `count` parts of similar size, with most crossings inside parts.

    Each part grows from a corner of the remaining slots, by the slot with the greatest share of its crossings in the
    part. Then slots move to the part that they cross more.
    """
    size = -(-len(slots) // count)
    owner = [-1] * len(neighbours)
    sizes: list[int] = []
    left = set(slots)
    while left:
        near = {min(left, key=lambda slot: (sum(other in left for other in neighbours[slot]), slot))}
        sizes.append(0)
        while near and sizes[-1] < size:
            slot = max(near, key=lambda slot: (_share(neighbours[slot], owner, len(sizes) - 1), -slot))
            owner[slot] = len(sizes) - 1
            sizes[-1] += 1
            left.remove(slot)
            near = (near | set(neighbours[slot])) & left
    moved = True
    while moved:
        moved = False
        for slot in slots:
            of = neighbours[slot]
            owners = {owner[other] for other in of} - {-1}
            best = max(owners, key=lambda part: (_share(of, owner, part), -part), default=-1)
            if (
                best >= 0
                and sizes[best] < size + size // 4
                and _share(of, owner, best) > _share(of, owner, owner[slot])
            ):
                sizes[owner[slot]] -= 1
                sizes[best] += 1
                owner[slot] = best
                moved = True
    parts = [[slot for slot in slots if owner[slot] == part] for part in range(len(sizes))]
    return [part for part in parts if part]


def _share(neighbours: Sequence[SlotId], owner: Sequence[int], part: int) -> float:
    """Return the share of a slot's crossings that lie in a part."""
    return sum(owner[other] == part for other in neighbours) / max(1, len(neighbours))
