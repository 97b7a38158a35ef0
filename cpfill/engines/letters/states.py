"""Counts without a search, if no rule compares the words of slots that do not cross.

The count goes cell by cell. A partial fill affects the rest of the grid only by what can follow in the open slots. So a
state is what can follow in each open slot, and it is enough to count the ways to reach each state. Word beginnings with
the same continuations are merged (as in a word graph), so there may be far more fills than could be listed.
"""

from __future__ import annotations

from itertools import combinations, groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Place, SlotId

MAX_STATES = 2**19
"""The limit on states at once, of some hundred bytes each; beyond it, the engine searches for fills."""

STATES_BETWEEN_LOOKS = 4096

MAX_WIDTH = 6
"""The limit on open slots at once: with more there are usually too many states."""


def count_by_states(problem: Problem, check: Callable[[], None]) -> int | None:
    """Return the number of fills of a problem that `may_count_by_states`; `None` if there are too many states.

    `check` is called regularly.
    """
    width = problem.grid.width
    orders = [
        sorted({place for slot in problem.slots for place in slot.places}, key=key)
        for key in (lambda place: place, lambda place: (place[0] % width, place))
    ]
    order = min(orders, key=lambda order: _find_width(problem, order))
    return _Count(problem, order).count(check) if _find_width(problem, order) <= MAX_WIDTH else None


def may_count_by_states(problem: Problem) -> bool:
    """Return whether no constraint on the possible words compares slots that do not cross."""
    return not problem.constraints.tie_components and not any(
        problem.domains[one.id] & problem.domains[other.id] & problem.singles[one.length]
        for one, other in combinations(problem.slots, 2)
        if one.length == other.length
    )


def _find_width(problem: Problem, order: Sequence[Place]) -> int:
    """Return the greatest number of slots that are open at once."""
    turns = {place: turn for turn, place in enumerate(order)}
    begun = [0] * (len(order) + 1)
    for slot in problem.slots:
        begun[turns[slot.places[0]]] += 1
        begun[turns[slot.places[-1]]] -= 1
    width = most = 0
    for change in begun:
        width += change
        most = max(most, width)
    return most


class _Count:
    """One count. A number stands for what can follow in a slot; `_follows` maps it to the number after each letter."""

    def __init__(self, problem: Problem, order: Sequence[Place]) -> None:
        self._order = order
        self._slots_at: dict[Place, list[SlotId]] = {place: [] for place in order}
        self._last = [slot.places[-1] for slot in problem.slots]
        self._follows: list[dict[int, int]] = [{}]  # 0: nothing follows, the word is complete
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {}
        roots: dict[tuple[int, int], int] = {}
        self._roots = []
        for slot, table, domain in zip(problem.slots, problem.tables, problem.domains, strict=True):
            for place in slot.places:
                self._slots_at[place].append(slot.id)
            if (slot.length, domain) not in roots:
                codes, length = table.codes, slot.length
                fitting = (word for word in range(len(table)) if domain >> word & 1)
                words = sorted(codes[word * length : (word + 1) * length] for word in fitting)
                roots[slot.length, domain] = self._number(words, 0)
            self._roots.append(roots[slot.length, domain])

    def _number(self, words: Sequence[bytes], pos: int) -> int:
        """Return the number for what follows `pos` in sorted words that agree before it."""
        if words and pos == len(words[0]):
            return 0
        groups = groupby(words, key=lambda word: word[pos])
        follows = tuple((letter, self._number(list(group), pos + 1)) for letter, group in groups)
        if follows not in self._numbers:
            self._numbers[follows] = len(self._follows)
            self._follows.append(dict(follows))
        return self._numbers[follows]

    def count(self, check: Callable[[], None]) -> int | None:
        """Return the number of fills, or `None` if there are too many states."""
        under_way: list[SlotId] = []
        ways: dict[tuple[int, ...], int] = {(): 1}  # state -> ways; a state: what can follow in each open slot
        for place in self._order:
            here = self._slots_at[place]
            going_on = [slot for slot in here if self._last[slot] != place]
            ways = self._go_on(ways, under_way, here, going_on, check)
            under_way = [slot for slot in under_way if slot not in here] + going_on
            if len(ways) > MAX_STATES:
                return None
        return sum(ways.values())

    def _go_on(
        self,
        ways: dict[tuple[int, ...], int],
        under_way: Sequence[SlotId],
        here: Sequence[SlotId],
        going_on: Sequence[SlotId],
        check: Callable[[], None],
    ) -> dict[tuple[int, ...], int]:
        """Return the ways after a cell in these slots, some of which continue."""
        others = [index for index, slot in enumerate(under_way) if slot not in here]
        begun = [under_way.index(slot) if slot in under_way else None for slot in here]
        kept = [slot in going_on for slot in here]
        after: dict[tuple[int, ...], int] = {}
        for done, (state, number) in enumerate(ways.items()):
            if done % STATES_BETWEEN_LOOKS == 0:
                check()
            rest = tuple([state[index] for index in others])
            at = [
                self._follows[self._roots[slot] if index is None else state[index]]
                for slot, index in zip(here, begun, strict=True)
            ]
            for letter in at[0]:
                if len(at) == 1 or letter in at[1]:
                    new = rest + tuple([follows[letter] for follows, keep in zip(at, kept, strict=True) if keep])
                    after[new] = after.get(new, 0) + number
            if len(after) > MAX_STATES:
                break
        return after
