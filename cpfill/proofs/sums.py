"""Proves that no fill has a greater sum: a search whose steps are cutting planes.

Every node assumes letters. Arc consistency is unit propagation over the constraints of the formula. For the rest, gains
are shifted: adding λ to those of the words that have a letter in one slot of a cell, and -λ in the other, changes no
sum of a fill, since both slots agree there (`cpfill/engines/mac/kernel/prices.hpp`). Nor does a multiple of "a slot
holds one word". A node is refuted if the greatest shifted gains of all slots sum to less than is asked. This is one sum
of constraints of the formula, written as `pol`; the clause that denies the assumptions follows from it by propagation
(`rup`). At a node that is not refuted, such a sum removes the words that no fill of the asked sum has.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from cpfill.base.errors import EngineError
from cpfill.base.imports import load_kernel
from cpfill.base.texts import say
from cpfill.engines.mac import KERNEL
from cpfill.engines.mac.kernels import SLICE_S, KernelMaker
from cpfill.proofs.check_pbp import HEADER
from cpfill.proofs.trees import UNLIMITED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cpfill.problem.problem import Problem
    from cpfill.proofs.fill_to_opb import SumFormula
    from cpfill.proofs.trees import Growing

    Numbers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

FINENESS = 64
"""Parts of a unit of the sum in which shifts are counted."""

ROOT_SWEEPS = 200
SWEEPS = 60
"""The most sweeps of shifts over all cells, before the first assumption and at a node."""

LEAST_GAIN = 200
"""Sweeps end when one closes less than 1/this of the gap."""

STIR = 16
"""Shifts of less than 1/this of a unit are skipped."""

FEWER = 0.98
"""Costs are shifted again once at most this share of the words is left since the last time."""

WORTH = 0.3
"""A sum is written at a node that it does not refute if it removes this share of the words, or of the letters of the
cell that is branched on."""

_NONE = -(1 << 60)


def weigh_cells(problem: Problem, value: float, seed: int) -> dict[int, float]:
    """Return for each cell how often it took part in failures while a kernel looked for a sum above a value.

    Raises:
        EngineError: it found one.
    """
    (criterion,) = problem.criteria
    floor = round(value * problem.gains(criterion).per_unit) + 1
    kernels = KernelMaker(problem, load_kernel(KERNEL))
    kernel = kernels.make(problem.domains, seed=seed, by_cell=True, floors={criterion: floor}, improving=criterion)
    answer = kernel.step(SLICE_S, UNLIMITED)
    while answer.name == "RUNNING":
        answer = kernel.step(SLICE_S, UNLIMITED)
    if answer.name == "FOUND":
        raise _found()
    return dict(zip(problem.grid.crossed_cells, kernel.weights(), strict=True))


def _found() -> EngineError:
    return EngineError(say("engine mac proved that there is no (other, better) fill, and there is one"))


def _deny(variables: Sequence[int]) -> str:
    """Return the terms of a clause that denies some variables."""
    return "".join(f"1 ~x{variable} " for variable in variables)


def _pair(variables: Sequence[int]) -> dict[int, int]:
    """Return another variable for each, if there are several."""
    first, *others = variables
    rivals = dict.fromkeys(others, first)
    if others:
        rivals[first] = others[0]
    return rivals


class _Node:
    """The words of each slot that are left, and their shifted gains; the letters of each cell, and their shifts.

    A shift is added to the gains in the first slot of a cell, and subtracted in the second.
    """

    def __init__(
        self, words: list[Numbers], gains: list[Numbers], letters: dict[int, Flags], shifts: dict[int, Numbers]
    ) -> None:
        self.words = words
        self.gains = gains
        self.letters = letters
        self.shifts = shifts

    def copy(self) -> _Node:
        shifts = {at: shift.copy() for at, shift in self.shifts.items()}
        return _Node(list(self.words), list(map(np.copy, self.gains)), dict(self.letters), shifts)

    def assume(self, cell: int, letter: int) -> _Node:
        """Return the node under it where a cell has a letter."""
        node = self.copy()
        node.letters[cell] = np.zeros_like(self.letters[cell])
        node.letters[cell][letter] = True
        return node

    def keep(self, slot: int, kept: Flags) -> bool:
        """Keep some words of a slot; return whether any went."""
        if kept.all():
            return False
        self.words[slot] = self.words[slot][kept]
        self.gains[slot] = self.gains[slot][kept]
        return True

    @property
    def size(self) -> int:
        return sum(map(len, self.words))

    @property
    def bound(self) -> int:
        return sum(int(gains.max()) for gains in self.gains)


class SumProof:
    """The proof of a formula that has no solution.

    Args:
        formula: the formula.
        weights: for each cell, how often it took part in failures; cells with a greater weight are branched on first.
        watch: called with this proof now and then; it may raise.
    """

    def __init__(
        self,
        formula: SumFormula,
        weights: Mapping[int, float],
        watch: Callable[[Growing], None] = lambda _: None,
    ) -> None:
        made = formula.made
        self._watch = watch
        self._weights = weights
        rows = formula.list_rows()
        self._asked = FINENESS * next(rows).least
        self._given = self._last = 1 + sum(1 + row.exact for row in rows)
        letters = sorted(set().union(*made.letters.values()))
        codes = {letter: code for code, letter in enumerate(letters)}
        self._read_words(formula, codes)
        self._gains = [np.array(gains, dtype=np.int64) * FINENESS for gains in formula.gains]
        self._places: dict[int, list[tuple[int, int]]] = {}
        self._agreements: dict[tuple[int, int], dict[int, int]] = {}
        self._number_agreements(formula, codes)
        self._crossed = {cell: places for cell, places in self._places.items() if len(places) > 1}
        self._cells: list[list[tuple[int, int]]] = [[] for _ in made.slots]  # by slot: places and cells
        self._variables: dict[int, dict[int, int]] = {}
        self._rivals: dict[int, int] = {}  # by variable of a letter, that of another letter of its cell
        for cell, places in self._crossed.items():
            for s, at in places:
                self._cells[s].append((at, cell))
            self._variables[cell] = {codes[letter]: y for letter, y in made.letters[cell].items()}
            self._rivals |= _pair(list(self._variables[cell].values()))
        self._first = made.first
        self._alphabet = len(letters)
        self._repeats = formula.repeats

    def _number_agreements(self, formula: SumFormula, codes: Mapping[str, int]) -> None:
        """Note the places of each cell, and for each place the first constraint of each letter's equation."""
        made = formula.made
        number = 2 + 2 * len(made.slots)
        for s, slot in enumerate(made.slots):
            for at, (cell, _) in enumerate(slot.places):
                if cell is None:
                    continue
                self._places.setdefault(cell, []).append((s, at))
                self._agreements[s, at] = {}
                for letter in made.letters[cell]:
                    self._agreements[s, at][codes[letter]] = number
                    number += 2

    def _read_words(self, formula: SumFormula, codes: Mapping[str, int]) -> None:
        """Note the letters of the words of each slot, and their numbers, which are the same in all slots."""
        made = formula.made
        spell = partial(map, lambda letter: codes.get(letter, 0))
        numbers = {word: number for number, word in enumerate(sorted(set().union(*made.words)))}
        self._codes: list[Numbers] = []
        self._ids: list[Numbers] = []
        for words, slot in zip(made.words, made.slots, strict=True):
            spelled = list(map(list, map(spell, words)))
            self._codes.append(np.array(spelled, dtype=np.int64).reshape(len(words), len(slot.places)))
            self._ids.append(np.array(list(map(numbers.__getitem__, words)), dtype=np.int64))
        self._required = [numbers.get(word, -1) for word in formula.required]

    @property
    def size(self) -> int:
        """The number of derived constraints so far."""
        return self._last - self._given

    def write(self) -> Iterator[str]:
        """Yield the lines of the proof.

        Raises:
            EngineError: the formula has a solution.
        """
        yield f"{HEADER}\n"
        yield f"f {self._given} ;\n"
        letters = {cell: np.zeros(self._alphabet, dtype=np.bool_) for cell in self._crossed}
        shifts = {cell: np.zeros(self._alphabet, dtype=np.int64) for cell in self._crossed}
        for cell, flags in letters.items():
            flags[list(self._variables[cell])] = True
        words = list(map(np.arange, map(len, self._codes)))
        node = _Node(words, list(map(np.copy, self._gains)), letters, shifts)
        yield from self._refute(node, [])
        yield "output NONE ;\n"
        yield f"conclusion UNSAT : {self._last} ;\n"
        yield "end pseudo-Boolean proof ;\n"

    def _refute(self, node: _Node, assumed: list[int]) -> Iterator[str]:
        """Yield the steps that deny some assumptions, given as letters' variables."""
        self._watch(self)
        used: list[int] = []
        sweeps = SWEEPS if assumed else ROOT_SWEEPS
        shifted = math.inf  # the words when costs were last shifted
        while self._agree(node):
            size = node.size
            if size <= FEWER * shifted:
                self._shift(node, sweeps)
                shifted = size
            if node.bound < self._asked:
                yield self._add_up(node, used)
                break
            cell = self._choose(node)
            if cell is None:
                yield from self._try_word(node, assumed, used)
                continue
            if self._tilt(node, cell):
                yield self._add_up(node, used)
                if node.bound < self._asked:
                    break
                yield from self._mark(assumed, used)
                self._remove(node)
                continue
            yield from self._try_letter(node, cell, assumed, used)
        self._last += 1
        yield f"rup {_deny(assumed)}>= 1 ;\n"
        if used and assumed:
            yield f"del id {' '.join(map(str, used))} ;\n"

    def _try_letter(self, node: _Node, cell: int, assumed: list[int], used: list[int]) -> Iterator[str]:
        """Yield the steps that deny the best letter of a cell, which the node then lacks."""
        letter = self._find_best(node, cell)
        yield from self._refute(node.assume(cell, letter), [*assumed, self._variables[cell][letter]])
        used.append(self._last)
        node.letters[cell] = node.letters[cell].copy()
        node.letters[cell][letter] = False

    def _try_word(self, node: _Node, assumed: list[int], used: list[int]) -> Iterator[str]:
        """Remove a word that rules of several slots hang on; yield the steps that deny it.

        Raises:
            EngineError: there is none, so there is a fill.
        """
        s, word = self._find_hinge(node)
        taken = self._ids[s][node.words[s]] == word
        child = node.copy()
        child.keep(s, taken)
        variable = self._first[s] + int(node.words[s][taken][0])
        yield from self._refute(child, [*assumed, variable])
        used.append(self._last)
        node.keep(s, ~taken)

    def _find_hinge(self, node: _Node) -> tuple[int, int]:
        """Return a word and its slot: it gains most in two slots, or is required and gains most in none."""
        held: set[int] = set()
        for s, (words, gains) in enumerate(zip(node.words, node.gains, strict=True)):
            word = int(self._ids[s][words[gains.argmax()]])
            if word in held and not self._repeats:
                return s, word
            held.add(word)
        for word in set(self._required) - held:
            for s, words in enumerate(node.words):
                if word in self._ids[s][words]:
                    return s, word
        raise _found()

    def _mark(self, assumed: Sequence[int], used: list[int]) -> Iterator[str]:
        """Yield a clause that is true under assumptions, so that a checker looks at the last sum under them."""
        if assumed:
            self._last += 1
            used.append(self._last)
            yield f"rup {_deny(assumed)}1 ~x{self._rivals[assumed[-1]]} >= 1 ;\n"

    def _agree(self, node: _Node) -> bool:
        """Keep the words and letters that are left after unit propagation; return False if some slot has no word."""
        changed = set(range(len(self._codes)))
        while changed:
            for s in changed:
                self._keep_spelled(node, s)
                if not len(node.words[s]):
                    return False
            told = set() if self._repeats else self._tell_apart(node, changed)
            for word in self._required:
                told |= self._seat(node, word)
            if not all(map(len, node.words)):
                return False
            changed = told | self._keep_letters(node, changed)
        return True

    def _keep_spelled(self, node: _Node, s: int) -> None:
        """Keep the words of a slot whose letters are left."""
        kept = np.ones(len(node.words[s]), dtype=np.bool_)
        for at, cell in self._cells[s]:
            kept &= node.letters[cell][self._codes[s][node.words[s], at]]
        node.keep(s, kept)

    def _tell_apart(self, node: _Node, changed: set[int]) -> set[int]:
        """Remove the word of a slot that has no other from all others; return those slots."""
        told: set[int] = set()
        for s in changed:
            if len(node.words[s]) != 1:
                continue
            word = self._ids[s][node.words[s][0]]
            for other, ids in enumerate(self._ids):
                if other != s and node.keep(other, ids[node.words[other]] != word):
                    told.add(other)
        return told

    def _seat(self, node: _Node, word: int) -> set[int]:
        """Keep no other word in the only slot that has a required word, and return the slot; without any, keep none."""
        having = [s for s, ids in enumerate(self._ids) if (ids[node.words[s]] == word).any()]
        if len(having) > 1:
            return set()
        s = having[0] if having else 0
        return {s} if node.keep(s, self._ids[s][node.words[s]] == word) else set()

    def _keep_letters(self, node: _Node, changed: set[int]) -> set[int]:
        """Keep the letters that both slots of a cell have; return the slots that lose words by that."""
        losing: set[int] = set()
        for cell, places in self._crossed.items():
            if not any(s in changed for s, _ in places):
                continue
            has = [self._list_letters(node, s, at) for s, at in places]
            node.letters[cell] = has[0] & has[1]
            for (s, _), letters in zip(places, has, strict=True):
                if (letters & ~node.letters[cell]).any():
                    losing.add(s)
        return losing

    def _list_letters(self, node: _Node, s: int, at: int) -> Flags:
        letters = np.zeros(self._alphabet, dtype=np.bool_)
        letters[self._codes[s][node.words[s], at]] = True
        return letters

    def _list_best(self, node: _Node, s: int, at: int) -> Numbers:
        """Return for each letter the greatest gain of a word that has it there."""
        best = np.full(self._alphabet, _NONE, dtype=np.int64)
        np.maximum.at(best, self._codes[s][node.words[s], at], node.gains[s])
        return best

    def _shift(self, node: _Node, sweeps: int) -> None:
        """Shift gains until each letter gains as much in both slots of its cell, or the bound hardly falls."""
        before = node.bound
        for _ in range(sweeps):
            for cell, letters in node.letters.items():
                if np.count_nonzero(letters) > 1:
                    (s, at), (t, there) = self._crossed[cell]
                    rise = self._list_best(node, t, there) - self._list_best(node, s, at) >> 1
                    rise[~letters] = 0
                    if np.abs(rise).max() * STIR >= FINENESS:
                        self._move(node, cell, rise)
            bound = node.bound
            if (before - bound) * LEAST_GAIN < bound - self._asked or bound < self._asked:
                return
            before = bound

    def _move(self, node: _Node, cell: int, rise: Numbers) -> None:
        """Add to the gains of words with each letter in the first slot of a cell, and subtract it in the second."""
        (s, at), (t, there) = self._crossed[cell]
        node.gains[s] += rise[self._codes[s][node.words[s], at]]
        node.gains[t] -= rise[self._codes[t][node.words[t], there]]
        node.shifts[cell] += rise

    def _choose(self, node: _Node) -> int | None:
        """Return the cell with the fewest letters for its weight, of those with several; `None` if there is none."""
        left = {cell: np.count_nonzero(letters) for cell, letters in node.letters.items()}
        several = [cell for cell, count in left.items() if count > 1]
        return min(several, key=lambda cell: left[cell] / self._weights.get(cell, 1.0), default=None)

    def _tilt(self, node: _Node, cell: int) -> bool:
        """Shift all differences between the letters of a cell into its first slot; return whether a sum is worth it."""
        (s, at), (t, there) = self._crossed[cell]
        letters = node.letters[cell]
        best = self._list_best(node, t, there)
        self._move(node, cell, np.where(letters, best - node.gains[t].max(), 0))
        slack = node.bound - self._asked
        if slack < 0:
            return True
        best = self._list_best(node, s, at)
        dear = np.count_nonzero(best[letters] < best.max() - slack)
        removed = sum(np.count_nonzero(gains < gains.max() - slack) for gains in node.gains)
        return bool(dear >= WORTH * np.count_nonzero(letters) or removed >= WORTH * node.size)

    def _remove(self, node: _Node) -> None:
        """Remove the words that no fill with a sum as asked has."""
        slack = node.bound - self._asked
        for s, gains in enumerate(node.gains):
            node.keep(s, gains >= gains.max() - slack)

    def _find_best(self, node: _Node, cell: int) -> int:
        """Return the letter of a cell whose words gain most."""
        (s, at), (t, there) = self._crossed[cell]
        gains = self._list_best(node, s, at) + self._list_best(node, t, there)
        gains[~node.letters[cell]] = 2 * _NONE
        return int(gains.argmax())

    def _add_up(self, node: _Node, used: list[int]) -> str:
        """Return a step: shifted gains, less the greatest of each slot, sum to the asked sum less the bound or more."""
        parts = [f"1 {FINENESS} *"]
        most = [int(gains.max()) for gains in node.gains]
        for cell, letters in node.letters.items():
            places = self._crossed[cell]
            left = np.flatnonzero(letters).tolist()
            base = int(node.shifts[cell][left[0]])
            most[places[0][0]] -= base
            most[places[1][0]] += base
            for letter in left:
                shift = int(node.shifts[cell][letter]) - base
                for place, signed in zip(places, (shift, -shift), strict=True):
                    if signed:
                        number = self._agreements[place][letter] + (signed < 0)
                        parts.append(f"{number} {abs(signed)} * +")
        for s, gain in enumerate(most):
            if gain:
                parts.append(f"{2 + 2 * s + (gain > 0)} {abs(gain)} * +")
        self._last += 1
        used.append(self._last)
        return f"pol {' '.join(parts)} ;\n"
