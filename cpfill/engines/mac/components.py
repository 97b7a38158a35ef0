"""Fills a grid component by component: searched together, components would multiply each other's dead ends.

Only the rule that no word is used twice ties components together. Each component is filled without the words that
earlier components took. If this fails or takes long although the component alone has a fill, some earlier components
give their words back and are filled again after it. If that does not help either, the whole grid is searched at once.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from cpfill.engines.toolkit.ac3 import Wipeout
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from random import Random

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId

    Make = Callable[[Sequence[int], Sequence[SlotId]], Kernel]
    Advance = Callable[[Kernel], Outcome]
    Turn = tuple[Outcome, list[WordId]]

GIVERS = 4
"""The number of components that give their words back for one that has no fill without them."""

PATIENCE = 4
"""The average number of such attempts per component before the whole grid is searched at once."""

NARROWED_NODES = 3_000
"""Nodes for a component that may not use the words of other components."""


def fill_components(
    problem: Problem,
    domains: Sequence[int],
    make: Make,
    advance: Advance,
    *,
    parts: Sequence[Sequence[SlotId]],
    seed: int,
) -> Iterator[Turn]:
    """Yield UNKNOWN after each inconclusive turn; finally FOUND with the words, or EXHAUSTED: no fill exists.

    `parts` partition the slots into sets that do not cross each other. `make` returns a kernel for a part within some
    domains; `advance` runs a kernel for one turn.

    Raises:
        Wipeout: arc consistency shows that no fill exists.
    """
    kernels = [make(domains, part) for part in parts]
    if _refuted_at_once(parts, kernels):
        yield Outcome.EXHAUSTED, []
        return
    chance: Random | None = None
    filled = _Filled(problem, parts)
    pending = deque(range(len(parts)))
    alone: dict[int, list[WordId]] = {}  # by part, its words if it is filled alone
    refusals = PATIENCE * len(parts)
    while pending:
        number = pending.popleft()
        left = filled.list_left(domains, number)
        if left is not None:
            kernel = make(left, parts[number])
            if (yield from _take_turns(kernel, advance, NARROWED_NODES)) is Outcome.FOUND:
                filled.take(number, kernel.words())
                continue
        if number not in alone:
            if (yield from _take_turns(kernels[number], advance)) is Outcome.EXHAUSTED:
                yield Outcome.EXHAUSTED, []
                return
            alone[number] = kernels[number].words()
        if left is None:
            filled.take(number, alone[number])
        elif refusals:
            from random import Random  # noqa: PLC0415 - slow to import, and mostly no part is refused

            chance = chance or Random(seed)  # noqa: S311
            refusals -= 1
            pending.appendleft(number)
            pending.extend(filled.give_back(chance, GIVERS))
        else:
            whole = [range(len(domains))]
            yield from fill_components(problem, domains, make, advance, parts=whole, seed=seed)
            return
    yield Outcome.FOUND, filled.words()


def _refuted_at_once(parts: Sequence[Sequence[SlotId]], kernels: Sequence[Kernel]) -> bool:
    """Propagate once in each part: this is cheap, and may show that a part has no fill."""
    for part, kernel in zip(parts, kernels, strict=True):
        if kernel.step(0.0, 0).name == "EXHAUSTED":
            if kernel.wipeout() >= 0:
                raise Wipeout(part[kernel.wipeout()])
            return True
    return False


def _take_turns(kernel: Kernel, advance: Advance, nodes: float = float("inf")) -> Generator[Turn, None, Outcome]:
    """Advance a kernel until it has an answer or has searched about `nodes` nodes."""
    while (outcome := advance(kernel)) is Outcome.UNKNOWN and kernel.counters()[0] < nodes:
        yield outcome, []
    return outcome


class _Filled:
    """The words of the filled parts, and the words that no other part may use."""

    def __init__(self, problem: Problem, parts: Sequence[Sequence[SlotId]]) -> None:
        self._problem = problem
        self._parts = parts
        self._words: dict[int, list[WordId]] = {}
        self._taken: dict[int, int] = defaultdict(int)  # by word length

    def __len__(self) -> int:
        return len(self._words)

    def list_left(self, domains: Sequence[int], number: int) -> list[int] | None:
        """Return the domains without the words that other parts took; `None` if they took none of this part's words."""
        left, narrowed = list(domains), False
        for slot in self._parts[number]:
            left[slot] &= ~self._taken[self._problem.slots[slot].length]
            narrowed |= left[slot] != domains[slot]
        return left if narrowed else None

    def take(self, number: int, words: list[WordId]) -> None:
        """Record the words of a part."""
        self._words[number] = words
        self._mark(number)

    def give_back(self, chance: Random, count: int) -> list[int]:
        """Empty `count` random parts, and return them."""
        givers = chance.sample(sorted(self._words), min(count, len(self._words)))
        for giver in givers:
            self._mark(giver)
            del self._words[giver]
        return givers

    def _mark(self, number: int) -> None:
        """Mark the words of a part as taken, or remove the mark."""
        for slot, word in zip(self._parts[number], self._words[number], strict=True):
            length = self._problem.slots[slot].length
            self._taken[length] ^= 1 << word & self._problem.singles[length]

    def words(self) -> list[WordId]:
        """Return the words of all slots."""
        by_slot = {
            slot: word
            for number, words in self._words.items()
            for slot, word in zip(self._parts[number], words, strict=True)
        }
        return [by_slot[slot] for slot in range(len(by_slot))]
