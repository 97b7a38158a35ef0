"""Upper bounds on a criterion that adds up, for the whole lexicon and for each word.

The sum of each slot's best gain is an upper bound, but a weak one: the best words do not cross. Where two slots cross,
the gain of a letter in one of them can be shifted to the other without changing the value of any fill. Shifting until
every letter gains the same on both sides lowers the bound nearly to that of the linear relaxation, on the whole lexicon
and in well under a second per sweep: max-sum diffusion (Werner, A linear programming approach to max-sum
problem: a review, IEEE PAMI 29, 2007; the soft arc consistency of Cooper et al., Soft arc consistency revisited, AI
174, 2010). With g(w) the shifted gain of a word and M(s) the greatest of slot s, regret(w) = M(s) - g(w); a fill gains
Σ M(s) - Σ regret(w). So Σ M(s) bounds every fill, and Σ M(s) - regret(w) every fill with the word w.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from cpfill.engines.cpsat.core import list_members, make_bitset, tick_through

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cpfill.problem.problem import Gains, Problem
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId

_ROOM = 2**55
"""The largest sum over the slots, in units of `Shifted.scale`; shifting needs the rest of the 64 bits."""

_FINEST = 2**10

SWEEPS = 60
_LEAST_GAIN = 2e-4
"""Stop after a sweep that lowers the bound by less than this share."""


class _LetterGroups(NamedTuple):
    """The words of a slot grouped by their letter at one position; only letters that occur are numbered."""

    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    letter: NDArray[np.intp]


class Shifted:
    """The gains of the words in arc-consistent domains, shifted between the slots.

    Attributes:
        scale: units of the shifted gains in one unit of `Problem.gains`.
        bound: an upper bound on the gain of any fill within the domains, in units of `Problem.gains`.
        total: the same, unrounded, in units of 1/`scale`.
        regrets: for each slot, the difference of each word of its domain to the best one, in units of 1/`scale`. The
            gain of a fill is exactly (`total` - the sum of its regrets) / `scale`.
    """

    def __init__(
        self, problem: Problem, words: Sequence[NDArray[np.intp]], shifted: Sequence[NDArray[np.int64]], scale: int
    ) -> None:
        self.scale = scale
        self._problem = problem
        self._words = words
        self._gains = shifted
        self._measure()

    @classmethod
    def of(cls, problem: Problem, domains: Sequence[int], gains: Gains) -> Self:
        """Return the gains, not shifted yet."""
        most = max(max(map(abs, of_length), default=0) for of_length in gains.by_length.values())
        scale = max(1, min(_FINEST, _ROOM // max(1, most * len(problem.slots))))
        words = [list_members(domain) for domain in domains]
        tables = {
            length: np.asarray(of_length, dtype=np.int64) * scale for length, of_length in gains.by_length.items()
        }
        return cls(problem, words, [tables[s.length][w] for s, w in zip(problem.slots, words, strict=True)], scale)

    def _measure(self) -> None:
        best = [int(gains.max()) for gains in self._gains]
        self.total = sum(best)
        self.bound = self.total // self.scale
        self.regrets = [most - gains for most, gains in zip(best, self._gains, strict=True)]

    def restrict(self, domains: Sequence[int]) -> Shifted:
        """Return the shifted gains restricted to smaller domains."""
        words = [list_members(domain) for domain in domains]
        indices = [np.searchsorted(mine, kept) for mine, kept in zip(self._words, words, strict=True)]
        gains = [mine[kept] for mine, kept in zip(self._gains, indices, strict=True)]
        return Shifted(self._problem, words, gains, self.scale)

    def select_reaching(self, floor: int) -> list[int]:
        """Return the domains of the words that a fill worth at least `floor` may have."""
        slack = self.total - floor * self.scale
        return [make_bitset(words[regrets <= slack]) for words, regrets in zip(self._words, self.regrets, strict=True)]

    def find_regrets(self, words: Sequence[WordId]) -> list[int]:
        """Return the regrets of one word per slot; the words must be in the domains."""
        each = zip(self._words, self.regrets, words, strict=True)
        return [int(regrets[np.searchsorted(mine, word)]) for mine, regrets, word in each]

    def select_least_regretted(self, size: int) -> list[int]:
        """Return for each slot the domain of the `size` words of least regret, or all if there are fewer."""
        return [
            make_bitset(words[np.argsort(regrets, kind="stable")[:size]])
            for words, regrets in zip(self._words, self.regrets, strict=True)
        ]

    def find_floor(self, size: int, least: int) -> int:
        """Return the lowest floor ≥ `least` that leaves at most `size` words."""
        regrets = np.concatenate(self.regrets)
        if len(regrets) <= size:
            return least
        return max(least, (self.total - int(np.partition(regrets, size)[size])) // self.scale + 1)

    def sweep(self, sweeps: int, tick: Callable[[], None]) -> None:
        """Shift over all crossings until the bound stops falling, at most `sweeps` times; `tick` may raise to stop."""
        crossings = self._problem.grid.crossings
        ends = [
            (self._group_by_letter(x.across, x.across_pos), self._group_by_letter(x.down, x.down_pos))
            for x in tick_through(tick, crossings)
        ]
        for _ in range(sweeps):
            before = self.total
            for crossing, (across, down) in tick_through(tick, zip(crossings, ends, strict=True)):
                one, two = self._gains[crossing.across], self._gains[crossing.down]
                worth = np.maximum.reduceat(one[across.order], across.starts)
                shift = (worth - np.maximum.reduceat(two[down.order], down.starts)) // 2
                one -= shift[across.letter]
                two += shift[down.letter]
            self._measure()
            if before - self.total < _LEAST_GAIN * abs(before):
                break

    def _group_by_letter(self, slot: SlotId, pos: int) -> _LetterGroups:
        table = self._problem.tables[slot]
        codes = np.frombuffer(table.codes, dtype=np.uint8)[pos :: table.length][self._words[slot]]
        _, starts, letter = np.unique(np.sort(codes), return_index=True, return_inverse=True)
        order = np.argsort(codes, kind="stable")
        back = np.empty_like(letter)
        back[order] = letter
        return _LetterGroups(order, starts, back)
