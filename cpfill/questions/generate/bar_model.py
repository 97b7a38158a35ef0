"""The CP-SAT model of a barred grid: each row and column is cut into runs, which are slots or single cells.

The literal of a run is true if bars or the edge stand at both its ends and no bar within; symmetric runs share a
literal. For each cell, exactly one run across and one run down that contain it is true. A cell is unchecked if its run
of one cell is true. Connectivity is added lazily, as in `model`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from cpfill.problem.result import Outcome
from cpfill.questions.generate.board import BlockPattern, list_bits
from cpfill.questions.generate.flaws import (
    LEAST_AVERAGE,
    MOST_CHECKED,
    count_most_unchecked,
    count_spare_words,
    count_usual_words,
)
from cpfill.questions.generate.model import solve

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from random import Random

    from cpfill.problem.result import Deadline
    from cpfill.questions.generate.board import Cells
    from cpfill.questions.generate.demands import Demands

Run = tuple[int, range]
"""A step, and the bit numbers of cells one step apart: a single cell has a run across and one down."""

_HINTED_LENGTHS = (1, 1, 1, 1, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 10)
"""The run lengths from which starting points are drawn, with about the frequencies of printed grids."""


class BarModel:
    """The barred patterns that meet the demands, each once; with `customary` only those that follow the customs.

    Stating a large grid takes long: if the deadline passes first, the model stays incomplete and must not be used.
    """

    def __init__(self, demands: Demands, deadline: Deadline, *, customary: bool) -> None:
        self._demands, self._board = demands, demands.board
        self._model = cp_model.CpModel()
        self._runs: dict[Run, cp_model.IntVar] = {}
        """The literal of each run, shared by the runs of its orbit."""
        literals: dict[Run, cp_model.IntVar] = {}
        for run in self._list_runs():
            if deadline.passed:
                return
            first = min(self._find_orbit(run), key=lambda image: (image[0], image[1].start))
            if first not in literals:
                literals[first] = self._model.new_bool_var("")
            self._runs[run] = literals[first]
        self._state_cover()
        self._keep_bars()
        self._state_checking(deadline)
        self._state_counts(customary=customary)
        self._placements = self._place_seed_words()

    def _list_runs(self) -> Iterator[Run]:
        lengths = [1, *range(self._demands.style.min_slot_length, self._demands.longest + 1)]
        allowed = [length for length in lengths if length not in self._demands.lacking]
        for line in self._board.lines:
            for start in range(len(line)):
                for length in allowed:
                    if start + length <= len(line):
                        yield line.step, line[start : start + length]

    def _find_orbit(self, run: Run) -> set[Run]:
        """Return a run and its images under the symmetry."""
        step, cells = run
        symmetry, steps = self._demands.style.symmetry, self._board.steps
        ends = [divmod(cell, self._board.stride) for cell in (cells[0], cells[-1])]
        images = zip(*(self._board.images(*end, symmetry) for end in ends), strict=True)
        found = set()
        for number, image in enumerate(images):
            swapped = symmetry.needs_square and number % 2 == 1  # across has become down
            turned = sum(steps) - step if swapped else step
            start = min(row * self._board.stride + column for row, column in image)
            found.add((turned, range(start, start + len(cells) * turned, turned)))
        return found

    def _state_cover(self) -> None:
        """State that exactly one run across and one run down contain each cell."""
        covering: dict[tuple[int, int], list[cp_model.IntVar]] = defaultdict(list)
        for (step, cells), literal in self._runs.items():
            for cell in cells:
                covering[step, cell].append(literal)
        for literals in covering.values():
            self._model.add_exactly_one(literals)

    def _keep_bars(self) -> None:
        """State that the bars of a draft stay."""
        bars = self._demands.draft.grid.bars if self._demands.draft else ()
        parted = {tuple(map(self._demands.find_bit, bar)) for bar in bars}
        for (_, cells), literal in self._runs.items():
            if not parted.isdisjoint(pairwise(cells)):
                self._model.add_bool_and(~literal)

    def _state_checking(self, deadline: Deadline) -> None:
        """State that each cell is in a slot, and that no slot has too many unchecked cells, or two in a row."""
        model, (across, down) = self._model, self._board.steps
        for cell in list_bits(self._board.full):
            model.add_bool_or(~self._single(across, cell), ~self._single(down, cell))
        stated = set()
        for (step, cells), literal in self._runs.items():
            if len(cells) == 1 or literal.index in stated:
                continue
            if deadline.passed:
                return
            stated.add(literal.index)
            crossing = across + down - step
            unchecked = [self._single(crossing, cell) for cell in cells]
            most = count_most_unchecked(len(cells))
            model.add(cp_model.LinearExpr.sum(unchecked) <= most).only_enforce_if(literal)
            for one, other in pairwise(unchecked):
                model.add_bool_or(~literal, ~one, ~other)

    def _single(self, step: int, cell: int) -> cp_model.IntVar:
        """Return the literal of the run that consists of one cell, across or down."""
        return self._runs[step, range(cell, cell + step, step)]

    def _state_counts(self, *, customary: bool) -> None:
        slots = Counter[int]()
        lengths: dict[int, int] = {}
        for (_, cells), literal in self._runs.items():
            if len(cells) > 1:
                slots[literal.index] += 1
                lengths[literal.index] = len(cells)
        literals = [self._model.get_bool_var_from_proto_index(index) for index in slots]
        words = cp_model.LinearExpr.weighted_sum(literals, list(slots.values()))
        if self._demands.max_words is not None:
            self._model.add(words <= self._demands.max_words)
        self._model.add(words >= 1)
        if not customary:
            return
        area = self._board.height * self._board.width
        usual = count_usual_words(self._demands.style, self._board.height, self._board.width)
        spare = count_spare_words(usual)
        self._model.add_linear_constraint(words, usual - spare, usual + spare)
        letters = cp_model.LinearExpr.weighted_sum(literals, [slots[index] * lengths[index] for index in slots])
        self._model.add(letters <= area + int(MOST_CHECKED * area))  # a checked cell is counted twice
        self._model.add(2 * letters >= int(2 * LEAST_AVERAGE) * words)

    def _place_seed_words(self) -> dict[tuple[str, Run], cp_model.IntVar]:
        """State that each seed word stands in a slot, and return a literal for each possible place."""
        model, placements = self._model, dict[tuple[str, Run], cp_model.IntVar]()
        letters: dict[int, dict[str, cp_model.IntVar]] = defaultdict(dict)
        for word in self._demands.seed_words:
            for run, literal in self._runs.items():
                if len(run[1]) == len(word) and self._demands.may_stand(word, run[1]):
                    placements[word, run] = model.new_bool_var("")
                    model.add_implication(placements[word, run], literal)
                    for cell, letter in zip(run[1], word, strict=True):
                        if letter not in letters[cell]:
                            letters[cell][letter] = model.new_bool_var("")
                        model.add_implication(placements[word, run], letters[cell][letter])
            model.add_exactly_one(stands for (placed, _), stands in placements.items() if placed == word)
        for of_cell in letters.values():
            model.add_at_most_one(of_cell.values())
        return placements

    def forbid(self, pattern: BlockPattern) -> None:
        """Exclude a pattern from further solutions."""
        self._model.add_bool_or(
            [~self._runs[run] for run in self._cut(pattern)]
            + [~stands for (word, (_, cells)), stands in self._placements.items() if (word, cells) in pattern.placed]
        )

    def _cut(self, pattern: BlockPattern) -> Iterator[Run]:
        """Yield the runs of a pattern."""
        for line in self._board.lines:
            start = 0
            for end in range(1, len(line) + 1):
                if end == len(line) or (line[end - 1], line[end]) in pattern.bars:
                    yield line.step, line[start:end]
                    start = end

    def find_patterns(self, chance: Random, deadline: Deadline) -> Generator[BlockPattern, None, bool]:
        """Yield different patterns; return True if there are no more, False if time is over."""
        while True:
            self._hint(chance)
            solver = solve(self._model, chance, deadline)
            if isinstance(solver, Outcome):
                return solver is Outcome.EXHAUSTED
            runs = [run for run, literal in self._runs.items() if solver.boolean_value(literal)]
            if self._cut_off(runs):
                continue
            full = self._board.full
            ends = ((cells[-1], cells[-1] + step) for step, cells in runs)
            bars = frozenset((cell, following) for cell, following in ends if full >> following & 1)
            placed = [
                (word, run[1]) for (word, run), stands in self._placements.items() if solver.boolean_value(stands)
            ]
            pattern = BlockPattern(0, tuple(placed), bars)
            self.forbid(pattern)
            yield pattern

    def _hint(self, chance: Random) -> None:
        """Let the search start from rows and columns cut at random."""
        hinted = set()
        for line in self._board.lines:
            start = 0
            while start < len(line):
                run = line.step, line[start : start + chance.choice(_HINTED_LENGTHS)]
                if run not in self._runs:
                    run = line.step, line[start : start + 1]
                hinted.add(self._runs[run].index)
                start += len(run[1])
        self._model.clear_hints()  # type: ignore[no-untyped-call]
        for literal in {literal.index: literal for literal in self._runs.values()}.values():
            self._model.add_hint(literal, literal.index in hinted)

    def _cut_off(self, runs: list[Run]) -> bool:
        """Cut off a solution if its cells are not connected, and return whether they are not."""
        masks = [sum(1 << cell for cell in cells) for _, cells in runs]
        parts = _join(masks)
        for part in parts[1:]:
            self._model.add_bool_or(
                {
                    literal.index: literal
                    for (_, cells), literal in self._runs.items()
                    if len({part >> cell & 1 for cell in cells}) == 2
                }.values()
            )
        return len(parts) > 1


def _join(sets: list[Cells]) -> list[Cells]:
    """Return the connected components of sets of cells, largest first."""
    parts: list[Cells] = []
    for cells in sets:
        apart = [part for part in parts if not part & cells]
        for part in parts:
            cells |= part if part & cells else 0  # noqa: PLW2901 - it grows
        parts = [*apart, cells]
    return sorted(parts, key=int.bit_count, reverse=True)
