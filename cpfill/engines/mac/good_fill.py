"""A good fill, soon: improves the weakest words of a first fill, for a limited number of nodes.

"Good" is meant as constructors mean it: the weakest words count first (V5 in spirit), and a word that is like another
word (AIDE, AIDES) counts as a fair word at best, as does a name in a natick. Once all words are strong, a plain word in
a long slot counts as barely so, and phrases and names replace it. Nothing is proved.

levels         The interval between the least score of the first fill and the greatest possible score is halved. Each
               step seeks, within a few nodes, a fill whose words all reach a score. Propagation refutes most levels
               that are out of reach, and a level with fills yields one almost at once.
neighbourhoods Some slots around a weak word are refilled with words that all score more than the weakest word there
               (Shaw, Using constraint programming and local search methods to solve vehicle routing problems, CP
               1998). Neighbourhoods grow if they are settled, and shrink if they take too many nodes. Words that are
               alike are replaced; whether the new ones are like others is seen once they stand, because few are.

Each fill that is reported is better than the one before, in the order of `Fill.quality`. Each slot has a cap, the best
score of any word that fits its letters, so that a weak given word does not hold back other slots. Nor does a required
word (C7) of any score: it may stand in its slot, or move to a slot with the same cap or a lower one. The words of the
other slots then score as before, because the slot that it leaves can hold as good a word as the slot that it takes.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from cpfill.engines.toolkit.propagation import Wipeout
from cpfill.problem.fill import Fill
from cpfill.problem.result import Outcome
from cpfill.words.spelling import LONG
from cpfill.words.wordlist import LEAST, Band

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.engines.mac.kernels import KernelMaker
    from cpfill.engines.toolkit.worker import Control
    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Criterion
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId

LEVEL_NODES = 4_000
"""Nodes of the search for a fill at one level."""

SLOT_NODES = 60
"""Nodes in neighbourhoods, per slot of the grid."""

NEIGHBOURHOOD = 8
"""Slots in the first neighbourhoods."""

NEIGHBOURHOOD_NODES = 300
"""Nodes that one neighbourhood may take."""

LEAST_NODES = 20
"""The least number of nodes charged for a neighbourhood: setting it up takes as long."""

BIAS = 3
"""Weak words come first: slots are ranked worst first, and a random number in [0, 1) to this power picks the slot at
which a neighbourhood begins."""

LACK = 0.05
"""The extra weight of a slot, when a neighbourhood is drawn, per point that its word scores below the best one."""


class Raiser:
    """Raises the weakest words of a fill."""

    def __init__(
        self,
        problem: Problem,
        control: Control,
        kernels: KernelMaker,
        advance: Callable[[Kernel, int], Outcome],
        fill: Callable[[Sequence[int]], Iterator[tuple[Outcome, list[WordId]]]],
        *,
        words: list[WordId],
        floors: Mapping[Criterion, int],
    ) -> None:
        """Prepare; `fill` looks for a fill within domains, in turns of `LEVEL_NODES`; `words` are those to improve."""
        self._problem = problem
        self._control = control
        self._kernels = kernels
        self._advance = advance
        self._fill = fill
        self._floors = floors
        self._random = Random(control.limits.seed)  # noqa: S311 - for variety
        self._caps = [
            table.scores[(domain & -domain).bit_length() - 1]
            for domain, table in zip(problem.domains, problem.tables, strict=True)
        ]
        self._lively = [0] * len(problem.slots)
        for slot in problem.slots:
            if slot.length >= LONG:
                self._lively[slot.id] = problem.lexicon.lively(slot.length) & problem.domains[slot.id]
        self._fixed = [domain & (domain - 1) == 0 for domain in problem.domains]
        self._set(words, self._judge(words))
        self._reported = sorted(self._judged)

    def run(self) -> None:
        """Report ever better fills until the nodes are spent or no word can score more.

        Raises:
            Stopped: a limit was reached first.
        """
        self._raise_level()
        self._raise_neighbourhoods()

    def _set(self, words: list[WordId], judged: list[float]) -> None:
        self._words = words
        self._scores = self._score(words)
        self._judged = judged
        self._holders: dict[SlotId, WordId] = {}
        """The slots that hold the required words, with these words: of several the one with the lowest cap."""
        kinds = self._problem.kinds
        for (covering,) in self._problem.constraints.cover:
            if any(of_kind & (of_kind - 1) for of_kind in covering.values()):
                continue  # other words do as well
            slots = [slot for slot, word in enumerate(words) if covering.get(kinds[slot], 0) >> word & 1]
            holder = min(slots, key=self._caps.__getitem__)
            self._holders[holder] = words[holder]

    def _score(self, words: Sequence[WordId]) -> list[float]:
        return [table.scores[word] for table, word in zip(self._problem.tables, words, strict=True)]

    def _judge(self, words: Sequence[WordId]) -> list[float]:
        spelt = [table.words[word] for table, word in zip(self._problem.tables, words, strict=True)]
        return self._problem.judge(spelt, self._score(words))

    def _list_low(self, scores: Sequence[float]) -> list[SlotId]:
        """Return the slots whose words could score more, worst first."""
        return sorted(filter(partial(self._can_rise, scores), range(len(self._caps))), key=scores.__getitem__)

    def _can_rise(self, scores: Sequence[float], slot: SlotId) -> bool:
        return scores[slot] < self._caps[slot] and not self._fixed[slot] and slot not in self._holders

    def _take(self, words: list[WordId], judged: list[float]) -> None:
        """Go on with a fill; report it if it is better than those reported."""
        self._set(words, judged)
        ascending = sorted(judged)
        if self._reported < ascending:
            problem = self._problem
            self._reported = ascending
            self._control.report_fill(Fill.of_words(problem, words), problem.score(words), counts=False, better=True)

    def _keep(self, slot: SlotId, least: float, freed: Collection[SlotId]) -> int:
        """Return the words of a freed slot that score at least `least` or reach its cap, and some required words.

        A required word of a freed slot may move to a slot with the same cap or a lower one; caps count up to `least`.
        """
        table = self._problem.tables[slot]
        reach = min(least, self._caps[slot])
        kept = table.at_least(reach)
        for holder, word in self._holders.items():
            if holder in freed and self._problem.tables[holder] is table and reach <= self._caps[holder]:
                kept |= 1 << word
        return self._problem.domains[slot] & kept

    def _raise_level(self) -> None:
        ranking = self._problem.ranking
        beyond = len(ranking)
        slots = range(len(self._caps))
        while True:
            low = self._list_low(self._scores)
            if not low:
                return
            now = ranking.index(self._scores[low[0]])
            if beyond - now <= 1:
                return
            middle = (now + beyond) // 2
            try:
                outcome, words = next(self._fill([self._keep(slot, ranking[middle], slots) for slot in slots]))
            except Wipeout:
                outcome = Outcome.EXHAUSTED
                words = []
            # Where words repeat, a required word may have taken a second slot.
            if outcome is Outcome.FOUND and sorted(self._score(words)) > sorted(self._scores):
                self._take(words, self._judge(words))
            else:
                beyond = middle

    def _raise_neighbourhoods(self) -> None:
        slots = len(self._caps)
        size = float(min(NEIGHBOURHOOD, slots))
        left = SLOT_NODES * slots
        while left > 0:
            low = [slot for slot in self._list_low(self._judged) if self._may_rise(slot)]
            if not low:
                return
            first = low[int(len(low) * self._random.random() ** BIAS)]
            freed = self._draw_slots(first, int(size), self._judged)
            domains = self._free(first, freed)
            kernel = self._kernels.make(domains, seed=self._random.getrandbits(32), floors=self._floors)
            outcome = self._advance(kernel, NEIGHBOURHOOD_NODES)
            left -= max(LEAST_NODES, kernel.counters()[0])
            if outcome is Outcome.FOUND:
                words = kernel.words()
                judged = self._judge(words)
                if sorted(judged) > sorted(self._judged):
                    self._take(words, judged)
            elif outcome is Outcome.UNKNOWN:
                size = max(1.0, size - 0.5)
            else:
                size = min(float(slots), size + 0.1)

    def _may_rise(self, slot: SlotId) -> bool:
        """Return whether a slot does not hold a plain word that no phrase or name can replace."""
        plain = LEAST[Band.STRONG] <= self._judged[slot] < self._scores[slot]
        return not plain or self._lively[slot] != 0

    def _free(self, first: SlotId, freed: Sequence[SlotId]) -> list[int]:
        """Return domains in which freed slots have better words than the weakest of theirs, and the others one word.

        A freed slot gives up a word that is like another one. If all words are strong, no phrase or name of a long slot
        gives way to a plain word, nor does the plain word of the first slot to another.
        """
        ranking = self._problem.ranking
        weakest = min(self._judged[slot] for slot in freed if self._can_rise(self._judged, slot))
        least = ranking[bisect_right(ranking, weakest)]
        domains = [1 << word for word in self._words]
        all_strong = min(self._judged) >= LEAST[Band.STRONG]
        for slot in freed:
            kept = self._keep(slot, least, freed)
            if self._judged[slot] < self._scores[slot] and not self._fixed[slot]:
                kept &= ~(1 << self._words[slot])
            holds_lively = self._lively[slot] & domains[slot]
            if all_strong and (slot == first or holds_lively):
                kept &= self._lively[slot] or kept
            domains[slot] = kept
        return domains

    def _draw_slots(self, first: SlotId, count: int, scores: Sequence[float]) -> list[SlotId]:
        """Return slots around `first`, preferring weak words and slots most of whose crossings are already drawn."""
        neighbours = self._problem.grid.crossed_by
        best = max(scores)
        drawn = [first]
        crossed = dict.fromkeys(neighbours[first], 1)
        while crossed and len(drawn) < count:
            weights = []
            for slot, number in crossed.items():
                share = number / len(neighbours[slot])
                weights.append(share * (1 + LACK * (best - scores[slot])))
            (slot,) = self._random.choices([*crossed], weights)
            drawn.append(slot)
            del crossed[slot]
            for other in neighbours[slot]:
                if other not in drawn:
                    crossed[other] = crossed.get(other, 0) + 1
        return drawn
