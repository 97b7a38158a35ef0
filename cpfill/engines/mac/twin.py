"""The kernel in pure Python, for machines without the compiled one: the same classes, the same algorithm.

`kernel/` is the same in C++ and cites the sources.
"""

from __future__ import annotations

import math
import time
from array import array
from enum import Enum
from itertools import chain, cycle, repeat
from random import Random
from typing import TYPE_CHECKING

from cpfill.engines.mac.kernels import REFUTED, TAKEN_BACK, MacSpec
from cpfill.engines.mac.twin_model import Costs, Index, require
from cpfill.engines.mac.twin_propagator import Propagator, list_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.engines.mac.twin_model import Domain, SlotCrossing

__all__ = ["COMPILER", "Answer", "Costs", "Index", "Kernel"]

COMPILER = "pure python"
UNCROSSED = 1e-3  # weight of a slot without undecided crossings: it can wait
NO_WORD = 0.01  # replaces 0 words in logarithms
NOISE = 0.5  # scale of the Gumbel noise that breaks ties and makes seeds differ
NOISES = 4093
_RANDOM = Random(0)  # noqa: S311
# The noise is drawn once, and a seed picks where to begin in it: drawing takes longer than a small search.
_DRAWN = [-NOISE * math.log(-math.log(_RANDOM.uniform(1e-9, 1 - 1e-9))) for _ in range(NOISES)]
RESTART_GROWTH = 1.3


class Answer(Enum):
    """The result of a step."""

    RUNNING = 0
    FOUND = 1
    EXHAUSTED = 2


class Kernel(Propagator):
    """One search.

    Raises:
        ValueError: the specification is inconsistent.
    """

    def __init__(self, spec: MacSpec) -> None:
        require(not spec.shifts or len(spec.budgets) > 0, "a budget to shift the costs of")
        require(spec.dear == 0 or len(spec.budgets) > 0, "a budget for what is dear")
        super().__init__(spec)
        # The decisions, each with the state before it: the slot, and the word or the letter that it got.
        self._levels: list[tuple[int, int, int, list[Domain], list[int], list[int]]] = []

        # (slot, position) -> the domain, and the result of `_tally` for it.
        self._tallies: dict[tuple[int, int], tuple[Domain, list[float]]] = {}

        self._random = Random(spec.seed)  # noqa: S311
        self._first_limit = self._limit = spec.first_limit
        self._by_cell = spec.by_cell
        self._improving, self._dear = spec.improving, spec.dear
        # The assumptions, each as the state before it.
        self._assumed: list[tuple[list[Domain], list[int], list[int]]] = []
        self._started = self._at_fill = self._exhausted = False
        self._wipeout = -1
        self._logged, self._log = spec.logged, array("i")
        self._spec = spec
        self._least_cost = 0
        self._nodes = self._fails = self._restarts = self._since_restart = 0

    def step(self, seconds: float, nodes: int) -> Answer:
        """Search for at most `seconds`, until `nodes` nodes in total, or to the next fill."""
        end = time.perf_counter() + seconds
        if not self._started:
            self.propagate()
        elif self._at_fill:
            self._at_fill = False
            self._exhausted = not self._refute()
        while not self._exhausted:
            if self._nodes >= nodes or time.perf_counter() >= end:
                return Answer.RUNNING
            if not self._descend():
                # A restart would find the same fills again, unless each must be better than the last.
                self._at_fill, self._limit = True, self._limit * self._improving
                return Answer.FOUND
            if self._propagate():
                continue
            self._fails += 1
            self._since_restart += 1
            if not self._refute():
                self._exhausted = True
            elif self._since_restart >= self._limit > 0:
                self._restart()
        return Answer.EXHAUSTED

    def propagate(self) -> bool:
        """Propagate the initial domains, only once; false on a wipeout."""
        if not self._started:
            self._started = True
            self._queue, self._look = set(range(len(self._every))), self._every[:]
            if not self._propagate():
                self._exhausted, self._wipeout = True, self._failed
            elif self._costs:
                last = len(self._costs) - 1
                self._least_cost = sum(self._find_prices(last, slot)[0] for slot in range(len(self._every)))
        return not self._exhausted

    def domain(self, slot: int) -> bytes:
        """Return the bitset of the words that a slot may still hold, little-endian."""
        domain, table = self._domains[slot], self._tables[slot]
        bitset = sum(1 << table.ids[word] for word in domain) if isinstance(domain, list) else domain
        return bitset.to_bytes((table.size + 7) // 8, "little")

    def letters(self) -> list[int]:
        """Return for each crossing the bitset of the letters that its cell may still have."""
        sets = [0] * len(self._weights)
        for slot, crossing in self._cells:
            sets[crossing.cell] = self._letters[slot] >> crossing.shift & self._alphabet
        return sets

    def promise(self) -> float:
        """Return the natural logarithm of the expected number of fills if letters were independent.

        That number is the product of the domain sizes and, for each undecided crossing, the probability that both its
        slots have the same letter there.
        """
        log = sum(map(math.log, self._sizes))
        for slot, crossing in self._cells:
            held = self._letters[slot] >> crossing.shift & self._alphabet
            if held & (held - 1):
                pairs = zip(
                    self._count(slot, crossing.pos), self._count(crossing.other, crossing.other_pos), strict=True
                )
                agree = sum([one * other for one, other in pairs])
                log += math.log(agree / self._sizes[slot] / self._sizes[crossing.other])
        return log

    def expect(self) -> float:
        """Return the same as `promise`; the compiled kernel uses belief propagation, which is more accurate."""
        return self.promise()

    def assume(self, slot: int, domain: bytes) -> bool:
        """Restart the search with the further assumption that a slot has one of the words of a bitset.

        Return false if propagation shows that no fill is left. Weights are kept from one assumption to the next.
        """
        if not self.propagate():
            return False
        self._open_assumption()
        kept = self._leave_out(slot, ~int.from_bytes(domain, "little"))
        self._exhausted = not (self._give(slot, kept) and self._propagate())
        self._clear()
        return not self._exhausted

    def relax(self, words: Sequence[int], freed: Sequence[int]) -> bool:
        """Restart the search with all but the freed slots fixed to these words; false if propagation leaves no fill."""
        require(len(words) == len(self._every), "a word for each slot")
        while self._assumed:
            self.release()
        if not self.propagate():
            return False
        self._open_assumption()
        kept = [slot for slot in range(len(words)) if slot not in freed]
        given = all(self._give(slot, self._leave_out(slot, ~(1 << words[slot]))) for slot in kept)
        self._exhausted = not (given and self._propagate())
        self._clear()
        return not self._exhausted

    def _open_assumption(self) -> None:
        self._forget_levels()
        self._assumed.append((self._domains[:], self._sizes[:], self._letters[:]))
        self._limit, self._since_restart = self._first_limit, 0
        self._at_fill = False

    def narrow(self, slot: int, domain: bytes) -> bool:
        """Restrict a slot permanently to the words of a bitset; false if propagation shows that no fill is left."""
        while self._assumed:
            self.release()
        if not self.propagate():
            return False
        kept = self._leave_out(slot, ~int.from_bytes(domain, "little"))
        self._exhausted = not (self._give(slot, kept) and self._propagate())
        self._clear()
        return not self._exhausted

    def release(self) -> None:
        """Retract the last assumption and its consequences."""
        if not self._assumed:
            return
        self._levels.clear()
        self._domains, self._sizes, self._letters = self._assumed.pop()
        self._clear()
        self._exhausted = self._at_fill = False

    def words(self) -> list[int]:
        """Return the word id of each slot in the fill just found."""
        require(self._at_fill, "a solution before it can tell the words")
        found = zip(self._tables, self._domains, strict=True)
        return [table.ids[domain[0]] for table, domain in found if isinstance(domain, list)]

    def wipeout(self) -> int:
        """Return the slot that arc consistency alone left without a word, or -1."""
        return self._wipeout

    def set_limit(self, budget: int, limit: int) -> None:
        """Set the limit of a budget for further fills; it must not exceed the limit of the first propagation."""
        require(0 <= budget < len(self._limits), "a budget to set the limit of")
        self._limits[budget] = limit

    def least_cost(self) -> int:
        """Return a lower bound on the cost of any solution in the last budget, from the first propagation.

        The compiled kernel first shifts costs between slots, which gives a better bound; here that takes too long.
        """
        require(bool(self._costs), "a budget that has costs")
        return self._least_cost

    def part(self, slots: Sequence[int], regret: int) -> Kernel:
        """Return a search over some slots alone, with their current domains.

        Their words may cost up to `regret` more in the last budget than their cheapest words. In the compiled kernel,
        costs are those that were shifted before the search.
        """
        require(bool(self._costs), "a budget that has costs")
        require(bool(slots) and not self._assumed, "no assumptions, and some slots")
        self._forget_levels()
        require(self.propagate(), "words for each slot")
        number, last = {slot: place for place, slot in enumerate(slots)}, len(self._costs) - 1
        parts = []
        for slot in slots:
            kind, crossings, peers = self._spec.slots[slot]
            crossed = [(pos, number[other], there) for pos, other, there in crossings if other in number]
            parts.append((kind, crossed, [number[peer] for peer in peers if peer in number]))
        least = sum(self._find_prices(last, slot)[0] for slot in slots)
        return Kernel(
            MacSpec(
                index=self._spec.index,
                slots=parts,
                domains=[self.domain(slot) for slot in slots],
                singles=self._spec.singles,
                budgets=[(self._spec.budgets[last][0], least + regret)],
                by_cell=True,
            )
        )

    def weights(self) -> list[float]:
        """Return the weights of the crossed cells."""
        return self._weights[:]

    def counters(self) -> tuple[int, int, int]:
        """Return the nodes, fails and restarts so far."""
        return self._nodes, self._fails, self._restarts

    def log(self) -> bytes:
        """Return the decisions and refutations since the last call; see `MacSpec`."""
        taken, self._log = self._log, array("i")
        return taken.tobytes()

    def _descend(self) -> bool:
        """Make the next decision; false if everything is decided."""
        letter, (slot, word) = 0, self._find_unplaced()  # a required word goes first
        if slot < 0 and self._by_cell:
            slot, letter = self._choose_letter()
        if slot < 0:
            if (slot := self._choose_slot()) < 0:
                return False
            word = self._choose_word(slot)
        self._nodes += 1
        self._levels.append((slot, word, letter, self._domains[:], self._sizes[:], self._letters[:]))
        if self._logged:
            place = (-1, self._tables[slot].ids[word]) if word else divmod(letter.bit_length() - 1, self._width)
            self._log.extend((slot, *place))
        if word:
            self._give(slot, [word])
        else:
            shift = (letter.bit_length() - 1) // self._width * self._width
            self._lose(slot, self._letters[slot] & self._alphabet << shift ^ letter)
        return True

    def _refute(self) -> bool:
        """Refute the last decision, repeatedly while that fails; false if no decision is left."""
        while self._levels:
            slot, word, letter, self._domains, self._sizes, self._letters = self._levels.pop()
            if self._logged:
                self._log.append(REFUTED)
            if letter:
                self._lose(slot, letter)
            if (letter or self._remove(slot, word)) and self._propagate():
                return True
            self._clear()
        return False

    def _forget_levels(self) -> None:
        if self._levels:
            *_, self._domains, self._sizes, self._letters = self._levels[0]
            self._levels.clear()

    def _restart(self) -> None:
        self._forget_levels()
        self._limit = max(self._limit + 1, int(self._limit * RESTART_GROWTH))
        self._since_restart = 0
        self._restarts += 1
        if self._logged:
            self._log.append(TAKEN_BACK)

    def _choose_slot(self) -> int:
        """Return the slot to branch on; -1 if every slot has one word."""
        best, least, weights = -1, math.inf, self._weights
        for slot, size in enumerate(self._sizes):
            if size > 1:
                weight = UNCROSSED + sum([weights[crossing.cell] for crossing in self._list_open(slot)])
                if size < least * weight:
                    best, least = slot, size / weight
        return best

    def _list_open(self, slot: int) -> list[SlotCrossing]:
        """Return the crossings of a slot whose cells are undecided."""
        letters, alphabet = self._letters[slot], self._alphabet
        several = letters & (letters - self._lowest[slot])  # without each lowest letter: 0 for a decided cell
        return [crossing for crossing in self._crossings[slot].values() if several >> crossing[1] & alphabet]

    def _choose_letter(self) -> tuple[int, int]:
        """Return the first letter, in one of its slots, of the cell with the fewest letters per weight; or -1."""
        best, least = (-1, 0), math.inf
        letters, alphabet, weights = self._letters, self._alphabet, self._weights
        for slot, (_, shift, cell, _, _, _) in self._cells:
            held = letters[slot] >> shift & alphabet
            if held & (held - 1) and held.bit_count() < least * weights[cell]:
                best, least = (slot, (held & -held) << shift), held.bit_count() / weights[cell]
        return best

    def _choose_word(self, slot: int) -> int:
        """Return the word w with the greatest Σ over its crossings of log(words of the other slot with w's letter)."""
        domain, table = self._domains[slot], self._tables[slot]
        words = domain if isinstance(domain, list) else table.list_words(domain)
        spelled = b"".join(map(table.spelled.__getitem__, words))
        promises: list[Iterable[float]] = [
            map(self._tally(crossing.other, crossing.other_pos).__getitem__, spelled[crossing.pos :: table.length])
            for crossing in self._list_open(slot)
        ]
        if self._dear:
            costs, ids = self._costs[-1].of[self._kinds[slot]], table.ids
            promises.append([-self._dear * costs[ids[word]] for word in words])
        noise = chain(_DRAWN[self._random.randrange(NOISES) :], cycle(_DRAWN))
        scores = list(map(sum, zip(repeat(0.0, len(words)), noise, *promises, strict=False)))
        return words[scores.index(max(scores))]

    def _tally(self, slot: int, pos: int) -> list[float]:
        """Return for each letter the logarithm of the number of words of a slot with it at a position."""
        known, logs = self._tallies.get((slot, pos), (None, []))
        if known is not self._domains[slot]:
            logs = [math.log(count + NO_WORD) for count in self._count(slot, pos)]
            self._tallies[slot, pos] = self._domains[slot], logs
        return logs

    def _count(self, slot: int, pos: int) -> list[int]:
        """Return for each letter the number of words of a slot with it at a position."""
        domain, table = self._domains[slot], self._tables[slot]
        counts = [0] * self._width
        letters = list_codes(self._letters[slot] >> pos * self._width & self._alphabet)
        if isinstance(domain, list):
            column = b"".join(map(table.spelled.__getitem__, domain))[pos :: table.length]
            for letter in letters:
                counts[letter] = column.count(letter)
        else:
            for letter in letters:
                counts[letter] = (domain & table.masks[pos][letter]).bit_count()
        return counts
