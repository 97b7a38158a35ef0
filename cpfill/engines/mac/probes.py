"""Questions about one problem, answered from one propagated state, and random fills.

A question is whether a word or a letter has a fill. If a fill is known, it is repaired first: the word is placed in its
slot, and only nearby slots are refilled (large neighbourhood search: Shaw, CP 1998). A failed repair proves nothing;
then the whole grid is searched.

A random fill comes with the number of fills that it stands for (D. E. Knuth, "Estimating the efficiency of backtrack
programs", 1975). Descend a tree at random, and multiply the inverse probabilities of all choices. The mean of the
product over all descents, 0 for a dead end, is the number of leaves. Here a node gives one letter to one place of a
slot, and its children are the letters that propagation leaves possible; every fill is one leaf. A child's probability
is proportional to the number of fills expected below it if letters were independent. This does not change the mean, and
makes the products more alike.

The first nodes are cached with their children, and children known to have no fill are removed. A removal changes only
the probabilities of later draws, depending on earlier ones, so each draw keeps the same mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cpfill.engines.mac.kernels import FIRST_RESTART, GREATEST_COST, SLICE_S, KernelMaker, pack
from cpfill.problem.problem import Fill
from cpfill.problem.result import Outcome
from cpfill.words.lexicon import walk_members
from cpfill.words.wordlist import LEAST, Band

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Deadline
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId

FREED = (0, 2, 5, 9, 14, 20, 30, 45, 1000)
"""How many slots a repair may change beyond those that must, in the order of attempts."""

CALM = 20
"""How many it may change to avoid weak words, where it has found a fill."""

REPAIR_NODES, GIVEN_NODES, LAST_NODES = 100, 50, 300
"""Nodes of an attempt; where a slot is given its words, which is asked of many in turn; of the last."""

PENALTIES = ((LEAST[Band.FAIR] / 2, 4), (LEAST[Band.FAIR], 2), (LEAST[Band.STRONG], 1))
"""The cost of a word that scores under a threshold, lowest threshold first."""


class MacProbe:
    """Answers questions from a state that is propagated once; the weights of one refutation help the next."""

    def __init__(self, problem: Problem, module: Any, seed: int) -> None:  # noqa: ANN401 - see `load_kernel`
        self._problem = problem
        self._maker = KernelMaker(problem, module)
        self._seed = seed
        self._kernel = self._maker.make(problem.domains, seed=seed, first_limit=FIRST_RESTART)
        self._fillable = self._kernel.propagate()
        self._domains: dict[SlotId, int] = {}
        self._words: list[WordId] | None = None
        """The words of the fill to keep near: the one that was approached, or else the last."""
        self._approached = False

    def domain(self, slot: SlotId) -> int:
        """Return the bitset of the words that propagation and later calls of `exclude` leave a slot."""
        if slot not in self._domains:
            self._kernel.release()
            self._domains[slot] = int.from_bytes(self._kernel.domain(slot), "little") if self._fillable else 0
        return self._domains[slot]

    def ask(self, slot: SlotId, words: int, nodes: int, deadline: Deadline) -> tuple[Outcome, Fill | None]:
        """Return whether a fill exists in which the slot has one of `words`, within `nodes` and the deadline."""
        if not self._fillable:
            return Outcome.EXHAUSTED, None
        found = None
        if self._words is not None:
            wished = {slot: _best(words)} | {
                other: _best(self.domain(other)) for other in self._must_change(self._words, slot, words)
            }
            found = self._repair.find(self._words, wished, deadline, (slot, words))
        outcome = Outcome.FOUND
        if not found:
            outcome, found = self._search(slot, words, nodes, deadline)
        if not found:
            return outcome, None
        if not self._approached:
            self._words = found
        return outcome, Fill.of_words(self._problem, found)

    def approach(self, fill: Fill, nodes: int, deadline: Deadline) -> tuple[Outcome, Fill | None]:
        """Return a fill near another, or one anywhere; see `cpfill.engines.contract`."""
        if not self._fillable:
            return Outcome.EXHAUSTED, None
        stands = [self._find(slot.id, fill.word_at(slot)) for slot in self._problem.slots]
        wished = {slot: _best(self.domain(slot)) for slot, word in enumerate(stands) if word is None}
        outcome = Outcome.FOUND
        found = self._repair.find([word or 0 for word in stands], wished, deadline)
        if not found:
            outcome, found = self._search(0, self.domain(0), nodes, deadline)
        if not found:
            return outcome, None
        self._words = found
        self._approached = True
        return outcome, Fill.of_words(self._problem, found)

    def _search(self, slot: SlotId, words: int, nodes: int, deadline: Deadline) -> tuple[Outcome, list[WordId] | None]:
        """Search the whole grid for a fill in which the slot has one of `words`."""
        self._kernel.release()
        if not self._kernel.assume(slot, pack(words)):
            return Outcome.EXHAUSTED, None
        outcome = _run(self._kernel, nodes, deadline)
        return outcome, self._kernel.words() if outcome is Outcome.FOUND else None

    def _find(self, slot: SlotId, word: str) -> WordId | None:
        """Return the id of a word if the slot may still hold it."""
        table = self._problem.tables[slot]
        alphabet = self._problem.grid.alphabet
        found = self.domain(slot)
        for pos, letter in enumerate(word):
            found &= table.having(pos, alphabet.letter_set(letter)) if letter in alphabet.letters else 0
        return next(walk_members(found), None)

    def _must_change(self, stands: list[WordId], slot: SlotId, words: int) -> Iterator[SlotId]:
        """Yield the slots whose words in a fill cross none of `words`."""
        tables = self._problem.tables
        for pos, other, there in self._problem.grid.neighbours[slot]:
            letter = tables[other].codes[stands[other] * tables[other].length + there]
            if not words & tables[slot].masks(pos)[letter]:
                yield other

    @cached_property
    def _repair(self) -> _Repair:
        return _Repair(self._problem, self._maker, self._seed)

    def expect(self) -> float:
        """Return an estimate of log10 of the number of fills; minus infinity if there is none."""
        self._kernel.release()
        return self._kernel.expect() / math.log(10) if self._fillable else -math.inf

    def weigh_crossings(self) -> list[float]:
        """Return the weight of each crossing of the grid: 1, and more for each failure that it took part in."""
        return self._kernel.weights()

    def refute(self, slots: Sequence[SlotId], nodes: int, deadline: Deadline) -> Outcome:
        """Return whether some slots alone have a fill; see `cpfill.engines.contract`."""
        kernel = self._maker.make(self._problem.domains, slots=slots, seed=self._seed, first_limit=FIRST_RESTART)
        return _run(kernel, nodes, deadline)

    def exclude(self, slot: SlotId, words: int) -> None:
        """Exclude words of a slot from now on, because an answer proved that no fill has them there."""
        left = self.domain(slot) & ~words
        self._domains.clear()
        self._fillable = self._fillable and self._kernel.narrow(slot, pack(left))


class _Repair:
    """Refills some slots of a fill, all others fixed: few, and with few weak words, as far as that is soon found."""

    def __init__(self, problem: Problem, maker: KernelMaker, seed: int) -> None:
        self._problem = problem
        self._maker = maker
        self._kernel = maker.make(problem.domains, seed=seed, first_limit=FIRST_RESTART, penalties=PENALTIES)
        self._orders: dict[tuple[SlotId, ...], list[SlotId]] = {}

    def find(
        self,
        words: list[WordId],
        wished: Mapping[SlotId, WordId],
        deadline: Deadline,
        given: tuple[SlotId, int] | None = None,
    ) -> list[WordId] | None:
        """Return the words of a fill near one with `words`, if soon found.

        The slots of `wished` must change: no word that they can have is better than those. A slot may be `given` its
        words, as a bitset.
        """
        order = self._order(tuple(sorted(wished)))
        kernel = self._kernel
        found = None
        least = self._cost([wished.get(slot, word) for slot, word in enumerate(words)])
        limit = GREATEST_COST
        for more in FREED:
            self._maker.limit_penalties(kernel, limit)
            if not kernel.relax(words, sorted(order[: len(wished) + more])):
                continue
            if given and not kernel.assume(given[0], pack(given[1])):
                continue
            end = kernel.counters()[0] + (LAST_NODES if more == FREED[-1] else GIVEN_NODES if given else REPAIR_NODES)
            while (left := end - kernel.counters()[0]) > 0 and _run(kernel, left, deadline) is Outcome.FOUND:
                found = kernel.words()
                limit = self._cost(found) - 1
                self._maker.limit_penalties(kernel, limit)
                if limit < least:
                    return found
            if deadline.passed or (found and (given or more >= CALM)):
                break
        return found

    def _cost(self, words: Sequence[WordId]) -> int:
        scores = (table.scores[word] for table, word in zip(self._problem.tables, words, strict=True))
        return sum(next((cost for under, cost in PENALTIES if score < under), 0) for score in scores)

    def _order(self, centre: tuple[SlotId, ...]) -> list[SlotId]:
        """Return the slots of the centre, then the others, each crossed by those before as far as that goes."""
        if centre not in self._orders:
            near = self._problem.grid.crossed_by
            order = list(centre)
            left = {
                slot: sum(other in centre for other in near[slot]) / len(near[slot]) if near[slot] else 0.0
                for slot in range(len(near))
                if slot not in centre
            }
            while left:
                slot = max(left, key=left.__getitem__)
                del left[slot]
                order.append(slot)
                for other in near[slot]:
                    if other in left:
                        left[other] += 1 / len(near[other])
            self._orders[centre] = order
        return self._orders[centre]


def _best(words: int) -> WordId:
    """Return the best of some words: they stand best score first."""
    return (words & -words).bit_length() - 1


def _run(kernel: Kernel, nodes: int, deadline: Deadline) -> Outcome:
    """Run a kernel to its next solution, to its end, for `nodes` nodes, or to the deadline."""
    end = kernel.counters()[0] + nodes
    while True:
        answer = kernel.step(deadline.remaining_s(SLICE_S), end)
        if answer.name != "RUNNING":
            return Outcome.FOUND if answer.name == "FOUND" else Outcome.EXHAUSTED
        if kernel.counters()[0] >= end or deadline.passed:
            return Outcome.UNKNOWN


KEPT = 30_000
"""The number of nodes to cache, a kilobyte or two each."""

_LEAST = 1e-9
"""The least ratio of a child's share to the greatest: a promise is a guess, and every fill needs some probability."""


class MacSampler:
    """Draws fills of one problem."""

    def __init__(self, problem: Problem, module: Any) -> None:  # noqa: ANN401 - see `load_kernel`
        self._problem = problem
        self._kernel = KernelMaker(problem, module).make(problem.domains)
        self._root: _Child | None = _Child(0, b"", 1.0) if self._kernel.propagate() else None
        self._kept = 0
        self._packed: dict[tuple[int, int], list[bytes]] = {}  # (length, position) -> bitset of words per letter

    @property
    def refuted(self) -> bool:
        """Whether it is proved that no fill exists."""
        return self._root is None

    def draw(self, chance: Random, deadline: Deadline) -> tuple[Outcome, float, Fill | None]:
        """Draw; see `cpfill.engines.contract`."""
        if self._root is None:
            return Outcome.EXHAUSTED, -math.inf, None
        way = [self._root]
        log = 0.0
        depth = 0
        try:
            while True:
                if deadline.passed:
                    return Outcome.UNKNOWN, -math.inf, None
                last = way[-1]
                below = last.below
                if below is None:
                    for child in way[depth + 1 :]:
                        self._kernel.assume(child.slot, child.words)
                    depth = len(way) - 1
                    below = self._expand(last)
                if isinstance(below, Fill):
                    return Outcome.FOUND, log, below
                if not below:
                    self._strike_off(way)
                    return Outcome.EXHAUSTED, -math.inf, None
                shares = [child.share for child in below]
                (chosen,) = chance.choices(below, shares)
                log += math.log(math.fsum(shares) / chosen.share)
                way.append(chosen)
        finally:
            for _ in range(depth):
                self._kernel.release()

    def _expand(self, node: _Child) -> list[_Child] | Fill:
        """Return the children, or the fill, of the node whose state the kernel holds, and cache them."""
        below = self._look_below()
        if self._kept < KEPT:
            self._kept += 1
            node.below = below
        return below

    def _look_below(self) -> list[_Child] | Fill:
        choice = self._choose()
        if choice is None:
            domains = (int.from_bytes(self._kernel.domain(slot.id), "little") for slot in self._problem.slots)
            return Fill.of_words(self._problem, [next(walk_members(domain)) for domain in domains])
        slot, pos, letters = choice
        promised = []
        for code in walk_members(letters):
            words = self._words_having(slot, pos, code)
            if self._kernel.assume(slot, words):
                promised.append((self._kernel.promise(), words))
            self._kernel.release()
        most = max(promised, default=(0.0, b""))[0]
        return [_Child(slot, words, max(_LEAST, math.exp(log - most))) for log, words in promised]

    def _choose(self) -> tuple[SlotId, int, int] | None:
        """Return the undecided place with the fewest letters, those as a bitset of codes; crossings come first."""
        crossings = zip(self._problem.grid.crossings, self._kernel.letters(), strict=True)
        undecided = [(letters.bit_count(), x.across, x.across_pos, letters) for x, letters in crossings]
        several = [each for each in undecided if each[0] > 1]
        if not several:
            for slot, table in zip(self._problem.slots, self._problem.tables, strict=True):
                domain = int.from_bytes(self._kernel.domain(slot.id), "little")
                if domain & (domain - 1):
                    for pos in range(slot.length):
                        letters = sum(1 << code for code, having in enumerate(table.masks(pos)) if domain & having)
                        several.append((letters.bit_count(), slot.id, pos, letters))
                    several = [each for each in several if each[0] > 1]
                    break
        return min(several)[1:] if several else None

    def _words_having(self, slot: SlotId, pos: int, code: int) -> bytes:
        table = self._problem.tables[slot]
        key = table.length, pos
        if key not in self._packed:
            self._packed[key] = list(map(pack, table.masks(pos)))
        return self._packed[key][code]

    def _strike_off(self, way: list[_Child]) -> None:
        """Remove the last node of a path, which has no fill, and every ancestor that is left without children."""
        while way:
            dead = way.pop()
            if not way:
                self._root = None
            elif not isinstance(children := way[-1].below, list):
                return
            else:
                children.remove(dead)
                if children:
                    return


@dataclass(eq=False, slots=True)
class _Child:
    """A node as its parent sees it: some words of a slot, and the share of draws that go there.

    `below` has its children, or at a leaf its fill; None if they are not cached.
    """

    slot: SlotId
    words: bytes
    share: float
    below: list[_Child] | Fill | None = None
