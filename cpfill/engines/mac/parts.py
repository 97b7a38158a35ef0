"""The parts of a grid, which are bounded separately, so that no part multiplies the work of another.

Under costs that a kernel shifted between the slots, a fill costs at least the sum of the least costs of all parts.
Parts that cross are free to disagree, as mini-buckets are (Dechter and Rish, Mini-buckets: a general scheme for bounded
inference, JACM 50, 2003). Parts that disagree on a letter give one another slack, which raises the sum
(`kernel/survey.hpp`). Small parts do so in milliseconds. Once the bound rises slowly, some parts are merged into larger
ones; a merged part starts from the sum of the least costs of its parts (Verfaillie, Lemaître and Schiex, Russian doll
search for solving constraint optimization problems, AAAI 1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.puzzle.grid import Grid, SlotId

STEPS = 0.04, 0.08, 0.16
"""The least, the first and the greatest step of the questions of a part, as shares of the greatest cost of a word."""

EASY_NODES = 200
"""If a question took fewer nodes, the next step is twice as large."""

HARD_NODES = 2_000
"""If a question took more nodes, or a third of all nodes of its part, the next step is half as large."""

EVEN_SLOTS = 12
"""A node in a part of this many slots takes about as long as one of a repair. The time grows with their square."""

WINDOW = 3
"""The pace of the bound is looked at over one in this many nodes since the last merger."""

SLOWER = 4
"""Parts are merged once the pace has sunk to one in this of the average since the last merger."""

_UNKNOWN = -(2**61)


@dataclass(slots=True)
class _Part:
    """Some slots, and a lower bound on their cost, in the parts of a unit that the kernel counts in."""

    slots: list[SlotId]
    least: int
    step: int
    exact: bool = False
    """Whether some fill of the slots costs that, if they have received nothing since."""
    settled: bool = False
    """Whether the bound was exact once."""
    received: int = 0
    """The costs that other parts gave since the last question was put."""
    nodes: int = 0
    """Nodes of the last question."""
    all_nodes: int = 0
    fruitless: int = 0
    """The number of answers since the bound rose."""
    question: Kernel | None = None
    """The open question: which costs do fills have, up to a step above the bound?"""

    def note(self, nodes: int, steps: Sequence[int], *, answered: bool) -> None:
        """Note whether the open question is answered, which took some nodes so far; drop one that takes too many."""
        assert self.question is not None
        least_step, _, most_step = steps
        self.nodes = nodes
        if answered:
            least, self.exact, _ = self.question.survey()
            if least > self.least:
                self.least = least
                self.fruitless = 0
            else:
                self.fruitless += 1
            self.settled |= self.exact
            if nodes < EASY_NODES:
                self.step = min(most_step, 2 * self.step)
            elif nodes > HARD_NODES:
                self.step = max(least_step, self.step // 2)
            self.question = None
        elif self.step > least_step and nodes > max(HARD_NODES, self.all_nodes // 3):
            self.step //= 2
            self.question = None

    def hope(self, scale: int) -> float:
        """Return the amount by which the bound may rise, per node, shared out over the answers since it rose.

        Else parts that hand the same slack round would keep all others from their turn.
        """
        rise = self.received
        if not self.exact:
            rise += self.step * scale
        answers = 1 + self.fruitless
        return rise / (answers * max(1, self.nodes))


class Parts:
    """The parts of a grid, initially `groups`, within one kernel whose costs are shifted."""

    def __init__(self, grid: Grid, kernel: Kernel, groups: Sequence[list[SlotId]], most: int) -> None:
        """Prepare; `most` is the greatest cost of a word, in whole units."""
        self._grid = grid
        self._kernel = kernel
        self._scale = 1
        self._steps = [max(1, int(share * most)) for share in STEPS]
        self._parts: list[_Part] = []
        for slots in groups:
            least, _, self._scale = kernel.part(slots, _UNKNOWN, 0).survey()
            self._parts.append(_Part(slots, least, self._steps[1]))
        self._nodes = 0
        self._merged_at = self._looked_at = self._add_up(), 0

    def _add_up(self) -> int:
        return sum(part.least for part in self._parts)

    @property
    def least(self) -> int:
        """A lower bound on the cost of any fill, in whole units."""
        return -(-self._add_up() // self._scale)

    @property
    def groups(self) -> list[list[SlotId]]:
        """The slots of each part."""
        return [part.slots for part in self._parts]

    def work(self, nodes: int, advance: Callable[[Kernel, int], Outcome]) -> Iterator[int]:
        """Work as long as `nodes` nodes of a repair take, or until one part is left; yield the bound on the cost.

        Each time, the part goes on where the bound may rise fastest.
        """
        left = nodes
        while left > 0 and len(self._parts) > 1:
            part = max(self._parts, key=lambda part: part.hope(self._scale))
            spent = self._survey(part, advance)
            self._nodes += spent
            left -= max(1, spent * len(part.slots) ** 2 // EVEN_SLOTS**2)
            yield self.least
            self._look()

    def _survey(self, part: _Part, advance: Callable[[Kernel, int], Outcome]) -> int:
        """Search a part for some nodes, and return how many; if its least cost is found, give its slack to others."""
        if part.question is None:
            part.question = self._kernel.part(part.slots, part.least, part.step)
            part.received = 0
            part.exact = False
        question = part.question
        before = question.counters()[0]
        outcome = advance(question, EASY_NODES)
        nodes = question.counters()[0]
        spent = max(1, nodes - before)
        part.all_nodes += spent
        part.note(nodes, self._steps, answered=outcome is Outcome.EXHAUSTED)
        if part.exact:
            self._give(question)
        return spent

    def _give(self, question: Kernel) -> None:
        owner: dict[SlotId, _Part] = {}
        for part in self._parts:
            owner |= dict.fromkeys(part.slots, part)
        for slot, amount in question.give():
            owner[slot].received += amount

    def _look(self) -> None:
        """Merge parts if the bound has become slow since they were all settled."""
        least = self._add_up()
        gain = least - self._looked_at[0]
        nodes = self._nodes - self._looked_at[1]
        whole_gain = least - self._merged_at[0]
        whole_nodes = self._nodes - self._merged_at[1]
        if nodes * WINDOW < whole_nodes or not all(part.settled for part in self._parts):
            return
        self._looked_at = least, self._nodes
        if gain * SLOWER * whole_nodes <= whole_gain * nodes:
            self._merge()
            self._merged_at = self._looked_at

    def _merge(self) -> None:
        """Merge parts with those that they cross most, those of the fewest nodes first, up to twice the usual size."""
        left = sorted(self._parts, key=lambda part: (part.nodes, part.slots))
        room = 2 * sum(len(part.slots) for part in left) // len(left)
        self._parts = []
        while left:
            part = left.pop(0)
            most = room - len(part.slots)
            fitting = [other for other in left if len(other.slots) <= most]
            if fitting:
                other = max(fitting, key=lambda other: (self._count_crossings(part, other), other.slots))
                left.remove(other)
                part = _join(part, other, self._steps[1])
            self._parts.append(part)

    def _count_crossings(self, part: _Part, other: _Part) -> int:
        return sum(_count_in(other.slots, self._grid.crossed_by[slot]) for slot in part.slots)


def _join(part: _Part, other: _Part, step: int) -> _Part:
    return _Part([*part.slots, *other.slots], part.least + other.least, step, nodes=part.nodes + other.nodes)


def _count_in(slots: Sequence[SlotId], crossed: Sequence[SlotId]) -> int:
    """Return how many of the slots that one slot crosses are among some slots."""
    return sum(slot in slots for slot in crossed)


def divide(grid: Grid, size: int) -> list[list[SlotId]]:
    """Return the slots in parts of about `size`: repeated halves with few crossings between them."""
    neighbours = grid.crossed_by
    slots = list(range(len(neighbours)))
    counts = range(max(1, len(slots) // (3 * size)), -(-len(slots) // size) // 2 + 2)
    wholes = [divide_within(neighbours, slots, count) for count in counts]
    best = min(wholes, key=lambda parts: _count_cut(neighbours, parts))
    halves = []
    for part in best:
        halves += divide_within(neighbours, part, -(-len(part) // (size + size // 4)))
    return halves


def _count_cut(neighbours: Sequence[Sequence[SlotId]], parts: Sequence[Sequence[SlotId]]) -> int:
    """Return the number of crossings between parts, each counted from both sides."""
    owner: dict[SlotId, int] = {}
    for number, part in enumerate(parts):
        owner |= dict.fromkeys(part, number)
    cut = 0
    for slot, of in enumerate(neighbours):
        cut += sum(owner[slot] != owner[other] for other in of)
    return cut


def divide_within(neighbours: Sequence[Sequence[SlotId]], slots: Sequence[SlotId], count: int) -> list[list[SlotId]]:
    """Return some slots in about `count` parts of similar size, with most crossings inside parts.

    Each part grows from a corner of the remaining slots, by the slot with the greatest share of its crossings in the
    part. Then slots move to the part that they cross more.
    """
    size = -(-len(slots) // count)
    owner = [-1] * len(neighbours)
    sizes = _grow_parts(neighbours, slots, size, owner)
    moved = True
    while moved:
        moved = False
        for slot in slots:
            best = _choose_part(neighbours[slot], owner)
            if best < 0 or sizes[best] >= size + size // 4:
                continue
            if _share(neighbours[slot], owner, best) > _share(neighbours[slot], owner, owner[slot]):
                sizes[owner[slot]] -= 1
                sizes[best] += 1
                owner[slot] = best
                moved = True
    parts: list[list[SlotId]] = [[] for _ in sizes]
    for slot in slots:
        parts[owner[slot]].append(slot)
    return list(filter(None, parts))


def _grow_parts(
    neighbours: Sequence[Sequence[SlotId]], slots: Sequence[SlotId], size: int, owner: list[int]
) -> list[int]:
    """Give each slot an owner, a part of at most `size` slots; return the size of each part."""
    sizes: list[int] = []
    left = set(slots)
    while left:
        part = len(sizes)
        sizes.append(0)
        near = {min(left, key=lambda slot: (sum(other in left for other in neighbours[slot]), slot))}
        while near and sizes[part] < size:
            slot = _choose_slot(near, neighbours, owner, part)
            owner[slot] = part
            sizes[part] += 1
            left.remove(slot)
            near = (near | set(neighbours[slot])) & left
    return sizes


def _choose_slot(
    near: Iterable[SlotId], neighbours: Sequence[Sequence[SlotId]], owner: Sequence[int], part: int
) -> SlotId:
    """Return the slot with the greatest share of its crossings in a part; the first of several."""
    return max(near, key=lambda slot: (_share(neighbours[slot], owner, part), -slot))


def _choose_part(crossed: Sequence[SlotId], owner: Sequence[int]) -> int:
    """Return the part that a slot crosses most, the first of several; -1 if it crosses none."""
    owners = {owner[other] for other in crossed} - {-1}
    return max(owners, key=lambda part: (_share(crossed, owner, part), -part), default=-1)


def _share(neighbours: Sequence[SlotId], owner: Sequence[int], part: int) -> float:
    """Return the share of a slot's crossings that lie in a part."""
    return sum(owner[other] == part for other in neighbours) / max(1, len(neighbours))
