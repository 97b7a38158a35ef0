"""The CP-SAT model of the arrangements in a rectangle: it proves that there are none, or finds one.

Each placement of a word has a literal. A cell has literals for its letter, and for the words that cover it: one across,
one down, any, both. Two neighbours with letters are covered by one word. A solution that falls into parts is
cut off lazily.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, pairwise, product
from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from cpfill.design.criss_cross.arrangement import Arrangement, Placement, fit
from cpfill.design.models import run_solver
from cpfill.problem.result import Outcome
from cpfill.puzzle.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from cpfill.problem.result import Deadline

    Cell = tuple[int, int]


class Model:
    """The arrangements in a rectangle, or in a smaller one, as far as they are worth enough.

    Attributes:
        spent: the effort of all searches.
    """

    def __init__(
        self, weights: dict[str, int], size: tuple[int, int], deadline: Deadline, *, most: bool, turned: bool
    ) -> None:
        """State the rules.

        Args:
            weights: the words, each with its weight.
            size: the height and the width.
            deadline: the end of all searches.
            most: whether words may be left out.
            turned: whether an arrangement counts as the same as its transpose.

        Raises:
            TimeoutError: the deadline passed.
        """
        self._weights = weights
        self._height, self._width = size
        self._most = most
        self._deadline = deadline
        self.spent = 0.0
        self._model = cp_model.CpModel()
        self._literals: dict[Placement, cp_model.IntVar] = {}
        cells = product(range(self._height), range(self._width))
        self._full = {cell: self._new() for cell in cells}
        self._crossed = {cell: self._new() for cell in self._full}
        longest = max(weights, key=len)
        for word in weights:
            across_only = turned and self._height == self._width and word == longest
            self._place(word, [Direction.ACROSS] if across_only else [*Direction])
        self._state_covers()
        self._state_letters()
        self._state_sums()
        self._model.add_bool_or([self._full[0, column] for column in range(self._width)])
        self._model.add_bool_or([self._full[row, 0] for row in range(self._height)])

    def _new(self) -> cp_model.IntVar:
        return self._model.new_bool_var("")

    def _place(self, word: str, directions: Sequence[Direction]) -> None:
        """Give each placement of a word its literal: exactly one of them is true, or at most one."""
        literals = []
        for direction in directions:
            for row, column in self._deadline.each(self._full):
                placement = Placement(word, row, column, direction)
                if placement.cells[-1] not in self._full:
                    continue
                self._literals[placement] = stands = self._new()
                literals.append(stands)
                for end in _list_ends(placement):
                    if end in self._full:
                        self._model.add_implication(stands, ~self._full[end])
        if self._most:
            self._model.add_at_most_one(literals)
        else:
            self._model.add_exactly_one(literals)

    def _state_covers(self) -> None:
        """State which cells are covered, and that neighbours with letters are covered by one word."""
        covering = defaultdict(list)
        joining = defaultdict(list)
        for placement, stands in self._deadline.each(self._literals.items()):
            for cell in placement.cells:
                covering[cell, placement.direction].append(stands)
            for pair in pairwise(placement.cells):
                joining[pair].append(stands)
        for cell, full in self._deadline.each(self._full.items()):
            covered = []
            for direction in Direction:
                covered.append(self._new())
                self._model.add_exactly_one([*covering[cell, direction], ~covered[-1]])
            across, down = covered
            crossed = self._crossed[cell]
            self._model.add_bool_or([across, down, ~full])
            self._model.add_bool_or([~across, ~down, crossed])
            for each in covered:
                self._model.add_implication(each, full)
                self._model.add_implication(crossed, each)
            row, column = cell
            for neighbour in ((row, column + 1), (row + 1, column)):
                if neighbour in self._full:
                    self._model.add_bool_or([~full, ~self._full[neighbour], *joining[cell, neighbour]])

    def _state_letters(self) -> None:
        """State that a cell has one letter."""
        letters: dict[Cell, dict[str, cp_model.IntVar]] = defaultdict(dict)
        for placement, stands in self._deadline.each(self._literals.items()):
            for cell, letter in zip(placement.cells, placement.word, strict=True):
                if letter not in letters[cell]:
                    letters[cell][letter] = self._new()
                self._model.add_implication(stands, letters[cell][letter])
        for of_cell in letters.values():
            self._model.add_at_most_one(of_cell.values())

    def _state_sums(self) -> None:
        """State that a word crosses another unless it is alone, and that crossings are enough to hang together."""
        alone = self._new()
        count = sum(self._literals.values())
        self._model.add(count <= 1).only_enforce_if(alone)
        for placement, stands in self._deadline.each(self._literals.items()):
            self._model.add_bool_or([~stands, alone, *(self._crossed[cell] for cell in placement.cells)])
        self._crossings = sum(self._crossed.values())
        self._weight = sum(self._weights[placement.word] * stands for placement, stands in self._literals.items())
        self._model.add(self._crossings >= count - 1)

    def demand(self, weight: int, crossings: int) -> None:
        """Exclude arrangements of less weight, or with fewer crossings."""
        self._least = (weight, crossings)
        self._model.add(self._weight >= weight)
        self._model.add(self._crossings >= crossings)

    def solve(self, effort: float, workers: int, chance: Random) -> tuple[Outcome, Arrangement | None]:
        """Return an arrangement if one is found with this effort, in CP-SAT's deterministic seconds."""
        while True:
            settings = {"cp_model_presolve": False, "num_workers": workers, "max_deterministic_time": effort}
            solver, status = run_solver(self._model, chance, self._deadline, settings=settings)
            self.spent += solver.response_proto.deterministic_time
            if status == cp_model.INFEASIBLE:
                return Outcome.EXHAUSTED, None
            if status == cp_model.UNKNOWN:
                return Outcome.UNKNOWN, None
            standing = [placement for placement, stands in self._literals.items() if solver.value(stands)]
            parts = _list_parts(standing)
            for part in parts:
                if len(parts) == 1 or self._suffices(part):
                    return Outcome.FOUND, fit(part)
                self._cut_off(part)

    def _suffices(self, part: list[Placement]) -> bool:
        """Return whether a part of a solution is worth enough without the others."""
        worth = (sum(self._weights[placement.word] for placement in part), fit(part).crossings)
        return self._most and all(has >= least for has, least in zip(worth, self._least, strict=True))

    def _cut_off(self, part: list[Placement]) -> None:
        """Exclude solutions in which a part hangs together with no other word."""
        cells = set(chain.from_iterable(placement.cells for placement in part))
        beside = {cell for cell in self._full if cell not in cells and not cells.isdisjoint(_list_neighbours(cell))}
        gone = [~self._full[cell] for cell in cells]
        self._model.add_bool_or([*gone, *(self._full[cell] for cell in beside)])


def _list_ends(placement: Placement) -> list[Cell]:
    """Return the cells before and after a word."""
    (row, column), (last_row, last_column) = placement.cells[0], placement.cells[-1]
    if placement.direction is Direction.ACROSS:
        return [(row, column - 1), (row, last_column + 1)]
    return [(row - 1, column), (last_row + 1, column)]


def _list_neighbours(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def _list_parts(placements: list[Placement]) -> list[list[Placement]]:
    """Return the placements in parts that hang together."""
    parts: list[list[Placement]] = []
    for placement in placements:
        cells = set(placement.cells)
        touched = [part for part in parts if any(not cells.isdisjoint(each.cells) for each in part)]
        parts = [part for part in parts if part not in touched]
        parts.append([placement, *chain.from_iterable(touched)])
    return parts
