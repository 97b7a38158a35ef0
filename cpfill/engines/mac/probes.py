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
from cpfill.problem.fill import Fill
from cpfill.problem.result import Outcome
from cpfill.words.lexicon import walk_members
from cpfill.words.wordlist import LEAST, Band

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Deadline
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId

FREED = (0, 2, 5, 9, 14, 20, 30, 45, 1000)
"""The number of slots that each attempt of a repair may change beyond those that must change."""

CALM = 20
"""The number that it may change to avoid weak words, once it has found a fill."""

REPAIR_NODES = 100
"""Nodes of an attempt."""

GIVEN_NODES = 50
"""Nodes of an attempt in which a slot is given its words: many slots and words are asked about in turn."""

LAST_NODES = 300
"""Nodes of the last attempt."""

PENALTIES = ((LEAST[Band.FAIR] / 2, 4), (LEAST[Band.FAIR], 2), (LEAST[Band.STRONG], 1))
"""The cost of a word that scores under a threshold, lowest threshold first."""


class MacProbe:
    """Answers questions from a state that is propagated once; the weights of one refutation help the next."""

    def __init__(self, problem: Problem, module: Any, seed: int, weights: Sequence[float] = ()) -> None:
        self._problem = problem
        self._maker = KernelMaker(problem, module)
        if weights:
            known = dict(zip(problem.grid.crossings, weights, strict=True))
            weights = [known.get(link, 1.0) for link in self._maker.links]
        self._seed = seed
        self._kernel = self._maker.make(
            problem.domains, seed=seed, first_limit=FIRST_RESTART, weights=weights, heavy_first=True
        )
        self._domains: dict[SlotId, int] = {}
        self._words: list[WordId] | None = None
        """The words of the fill to keep near: the one that was approached, or else the last."""
        self._approached = False

    @cached_property
    def _fillable(self) -> bool:
        """Whether propagation, and later `exclude`, leave each slot a word."""
        return self._kernel.propagate()

    def domain(self, slot: SlotId) -> int:
        """Return the bitset of the words that propagation and later calls of `exclude` leave a slot."""
        if slot not in self._domains:
            self._domains[slot] = 0
            if self._fillable:
                self._kernel.release()
                self._domains[slot] = _unpack(self._kernel.domain(slot))
        return self._domains[slot]

    def ask(self, slot: SlotId, words: int, nodes: int, deadline: Deadline) -> tuple[Outcome, Fill | None]:
        """Return whether a fill exists in which the slot has one of `words`, within `nodes` and the deadline."""
        if not self._fillable:
            return Outcome.EXHAUSTED, None
        found = None
        if self._words is not None:
            wished = {slot: _best(words)}
            for other in self._must_change(self._words, slot, words):
                wished[other] = _best(self.domain(other))
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
        near = [word or 0 for word in stands]
        outcome = Outcome.FOUND
        found = self._repair.find(near, wished, deadline)
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
        if outcome is Outcome.FOUND:
            return outcome, self._kernel.words()
        return outcome, None

    def _find(self, slot: SlotId, word: str) -> WordId | None:
        """Return the id of a word if the slot may still hold it."""
        table = self._problem.tables[slot]
        alphabet = self._problem.grid.alphabet
        found = self.domain(slot)
        for pos, letter in enumerate(word):
            if letter not in alphabet.letters:
                return None
            found &= table.having(pos, alphabet.letter_set(letter))
        return next(walk_members(found), None)

    def _must_change(self, stands: list[WordId], slot: SlotId, words: int) -> Iterator[SlotId]:
        """Yield the slots whose words in a fill cross none of `words`."""
        tables = self._problem.tables
        for pos, other, there in self._problem.grid.links[slot]:
            letter = tables[other].codes[stands[other] * tables[other].length + there]
            if not words & tables[slot].masks(pos)[letter]:
                yield other

    @cached_property
    def _repair(self) -> _Repair:
        return _Repair(self._problem, self._maker, self._seed)

    def expect(self) -> float:
        """Return an estimate of log10 of the number of fills; minus infinity if there is none."""
        if not self._fillable:
            return -math.inf
        self._kernel.release()
        return self._kernel.expect() / math.log(10)

    def weigh_crossings(self) -> list[float]:
        """Return the weight of each crossing of the grid: 1, and more for each failure that it took part in."""
        weights = dict(zip(self._maker.links, self._kernel.weights(), strict=True))
        return list(map(weights.__getitem__, self._problem.grid.crossings))

    def refute(self, slots: Sequence[SlotId], nodes: int, deadline: Deadline) -> Outcome:
        """Return whether some slots alone have a fill; see `cpfill.engines.contract`."""
        chosen = set(slots)
        weights = []
        for link, weight in zip(self._maker.links, self._kernel.weights(), strict=True):
            if link.across in chosen and link.down in chosen:
                weights.append(weight)
        kernel = self._maker.make(
            self._problem.domains,
            slots=sorted(chosen),
            seed=self._seed,
            first_limit=FIRST_RESTART,
            weights=weights,
            heavy_first=True,
        )
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
        least = self._cost([wished.get(slot, word) for slot, word in enumerate(words)])
        found = None
        limit = GREATEST_COST
        for more in FREED:
            self._maker.limit_penalties(self._kernel, limit)
            freed = order[: len(wished) + more]
            if not self._relax(words, freed, given):
                continue
            nodes = _choose_nodes(more, given=given is not None)
            better = self._improve(nodes, least, deadline)
            if better:
                found = better
                limit = self._cost(found) - 1
            good = limit < least or given is not None or more >= CALM
            if deadline.passed or (found and good):
                break
        return found

    def _relax(self, words: list[WordId], freed: Sequence[SlotId], given: tuple[SlotId, int] | None) -> bool:
        """Set the kernel to the words of a fill, some slots freed; return false if propagation refutes that."""
        if not self._kernel.relax(words, sorted(freed)):
            return False
        if given is None:
            return True
        slot, its_words = given
        return self._kernel.assume(slot, pack(its_words))

    def _improve(self, nodes: int, least: int, deadline: Deadline) -> list[WordId] | None:
        """Return the words of the cheapest fill that the kernel finds within some nodes; `least` is cheap enough."""
        kernel = self._kernel
        found = None
        end = kernel.counters()[0] + nodes
        left = nodes
        while left > 0 and _run(kernel, left, deadline) is Outcome.FOUND:
            found = kernel.words()
            cost = self._cost(found)
            self._maker.limit_penalties(kernel, cost - 1)
            if cost <= least:
                break
            left = end - kernel.counters()[0]
        return found

    def _cost(self, words: Sequence[WordId]) -> int:
        tables = self._problem.tables
        return sum(_find_penalty(table.scores[word]) for table, word in zip(tables, words, strict=True))

    def _order(self, centre: tuple[SlotId, ...]) -> list[SlotId]:
        """Return the slots of the centre, then the others, each crossed by those before as far as that goes."""
        if centre not in self._orders:
            near = self._problem.grid.crossed_by
            order = list(centre)
            left = {}
            for slot, crossed in enumerate(near):
                if slot not in centre:
                    left[slot] = sum(other in centre for other in crossed) / max(1, len(crossed))
            while left:
                slot = max(left, key=left.__getitem__)
                del left[slot]
                order.append(slot)
                for other in near[slot]:
                    if other in left:
                        left[other] += 1 / len(near[other])
            self._orders[centre] = order
        return self._orders[centre]


def _choose_nodes(more: int, *, given: bool) -> int:
    """Return the nodes of an attempt that frees `more` slots."""
    if more == FREED[-1]:
        return LAST_NODES
    if given:
        return GIVEN_NODES
    return REPAIR_NODES


def _find_penalty(score: float) -> int:
    """Return the cost of a word with this score."""
    for under, cost in PENALTIES:
        if score < under:
            return cost
    return 0


def _unpack(domain: bytes) -> int:
    """Return the bitset of little-endian bytes, as the kernel has it."""
    return int.from_bytes(domain, "little")


def _best(words: int) -> WordId:
    """Return the best of some words: they stand best score first."""
    return (words & -words).bit_length() - 1


def _run(kernel: Kernel, nodes: int, deadline: Deadline) -> Outcome:
    """Run a kernel to its next solution, to its end, for `nodes` nodes, or to the deadline."""
    end = kernel.counters()[0] + nodes
    while True:
        answer = kernel.step(deadline.remaining_s(SLICE_S), end)
        if answer.name != "RUNNING":
            return Outcome[answer.name]
        if kernel.counters()[0] >= end or deadline.passed:
            return Outcome.UNKNOWN


KEPT = 30_000
"""The number of nodes to cache, a kilobyte or two each."""

_LEAST = 1e-9
"""The least ratio of a child's share to the greatest: a promise is a guess, and every fill needs some probability."""


_Place = tuple[int, "SlotId", int, int]
"""The number of letters at a place, its slot and position, and the letters as a bitset of codes."""


def _choose_fewest(places: Iterable[_Place]) -> tuple[SlotId, int, int] | None:
    """Return the place with the fewest letters among those with several, without their number."""
    fewest = min((place for place in places if place[0] > 1), default=None)
    if fewest is None:
        return None
    return fewest[1:]


class MacSampler:
    """Draws fills of one problem."""

    def __init__(self, problem: Problem, module: Any) -> None:
        self._problem = problem
        self._maker = KernelMaker(problem, module)
        self._kernel = self._maker.make(problem.domains)
        self._root: _Child | None = None
        if self._kernel.propagate():
            self._root = _Child(0, b"", 1.0)
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
            only = [_best(_unpack(self._kernel.domain(slot.id))) for slot in self._problem.slots]
            return Fill.of_words(self._problem, only)
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
        """Return the undecided place with the fewest letters, those as a bitset of codes; links come first."""
        undecided = []
        for link, letters in zip(self._maker.links, self._kernel.letters(), strict=True):
            undecided.append((letters.bit_count(), link.across, link.across_pos, letters))
        chosen = _choose_fewest(undecided)
        if chosen is not None:
            return chosen
        for slot in self._problem.slots:
            domain = _unpack(self._kernel.domain(slot.id))
            if domain & (domain - 1):
                return _choose_fewest(self._list_letters(slot.id, domain))
        return None

    def _list_letters(self, slot: SlotId, domain: int) -> Iterator[_Place]:
        """Yield the places of a slot with the letters that its domain has there."""
        table = self._problem.tables[slot]
        for pos in range(table.length):
            letters = sum(1 << code for code, having in enumerate(table.masks(pos)) if domain & having)
            yield letters.bit_count(), slot, pos, letters

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
                return
            children = way[-1].below
            if not isinstance(children, list):
                return
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
