"""The CP-SAT models of patterns: they find patterns when growth fails, place words, and prove that no pattern exists.

Patterns of blocks: each orbit of cells under the symmetry has a literal, which is true if its cells are blocks. Rules
on a line are clauses over windows of the line; counts are linear.

Barred patterns: each row and column is cut into runs, which are slots or single cells. The literal of a run is true if
bars or the edge stand at both its ends and no bar within; symmetric runs share a literal. For each cell, exactly one
run across and one run down that contain it is true. A cell is unchecked if its run of one cell is true.

In both, a seed word has one literal per placement, exactly one of which is true. Connectivity of the open cells is
added lazily: a disconnected solution gives a cut for each component.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from cpfill.base.errors import EngineError
from cpfill.base.texts import say
from cpfill.design.board import (
    LEAST_AVERAGE,
    MOST_CHECKED,
    BlockPattern,
    count_most_unchecked,
    count_spare_words,
    count_usual_words,
    find_unchecked_slots,
    list_beginnings,
    list_bits,
    make_frame,
)
from cpfill.design.growth import grow_pattern
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
    from random import Random

    from cpfill.design.board import Cells
    from cpfill.design.demands import Demands
    from cpfill.problem.result import Deadline

_PARAMETERS = {"num_workers": 1, "linearization_level": 0, "symmetry_level": 0, "catch_sigint_signal": False}
_LOOK_S = 0.05
"""The time a search may continue after its token was set."""
_JOIN_S = 0.02

ROUNDING = 1e-6


def run_solver(
    model: cp_model.CpModel,
    chance: Random,
    deadline: Deadline,
    bounds: list[float] | None = None,
    settings: Mapping[str, float] | None = None,
) -> tuple[cp_model.CpSolver, object]:
    """Return a solver that searched until the deadline at most, and its status; it adds proved bounds to `bounds`.

    `settings` are more parameters of CP-SAT.
    """
    solver = cp_model.CpSolver()
    for name, value in {**_PARAMETERS, **(settings or {})}.items():
        setattr(solver.parameters, name, value)
    if bounds is not None:
        solver.best_bound_callback = bounds.append
        solver.parameters.linearization_level = 2
    solver.parameters.random_seed = chance.getrandbits(31)
    solver.parameters.max_time_in_seconds = deadline.remaining_s()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(solver.solve, model)  # in this thread, an interrupt would wait for the solver
        try:
            while not (future.done() or deadline.passed):
                wait([future], _LOOK_S)
        finally:
            while not future.done():
                solver.stop_search()
                wait([future], _JOIN_S)
    if future.result() == cp_model.MODEL_INVALID:
        raise EngineError(say("CP-SAT refuses the model: {validate}", validate=model.validate()))
    return solver, future.result()


def _solve(model: cp_model.CpModel, chance: Random, deadline: Deadline) -> cp_model.CpSolver | Outcome:
    """Return a solver with a solution of a model; EXHAUSTED without a solution, UNKNOWN if time did not suffice."""
    solver, status = run_solver(model, chance, deadline)
    if status == cp_model.INFEASIBLE:
        return Outcome.EXHAUSTED
    return Outcome.UNKNOWN if status == cp_model.UNKNOWN else solver


class _Model(ABC):
    """The patterns that meet some demands, each once."""

    def __init__(self, demands: Demands) -> None:
        self._demands = demands
        self._board = demands.board
        self._style = demands.style
        self._model = cp_model.CpModel()
        self._placements: dict[tuple[str, range], cp_model.IntVar] = {}
        self._letters: dict[int, dict[str, cp_model.IntVar]] = defaultdict(dict)
        """A literal for each letter that a placement puts into a cell."""

    def _place_seed_words(self, runs: Sequence[range], state_slot: Callable[[range, cp_model.IntVar], object]) -> None:
        """State that each seed word stands in one of the runs, and each other word of the pool in one at most.

        `state_slot` states the conditions of a placement on its run. No run has the cells of another.
        """
        for word in dict.fromkeys((*self._demands.seed_words, *self._demands.units)):
            literals = []
            for run in runs:
                if len(run) == len(word) and self._demands.may_stand(word, run):
                    stands = self._model.new_bool_var("")
                    self._placements[word, run] = stands
                    literals.append(stands)
                    state_slot(run, stands)
                    self._state_letters(word, run, stands)
            if word in self._demands.seed_words:
                self._model.add_exactly_one(literals)
            else:
                self._model.add_at_most_one(literals)
        for of_cell in self._letters.values():
            self._model.add_at_most_one(of_cell.values())

    def _state_letters(self, word: str, run: range, stands: cp_model.IntVar) -> None:
        """State that the cells of a run have the letters of a word if it stands there."""
        for cell, letter in zip(run, word, strict=True):
            if letter not in self._letters[cell]:
                self._letters[cell][letter] = self._model.new_bool_var("")
            self._model.add_implication(stands, self._letters[cell][letter])

    def forbid(self, pattern: BlockPattern) -> None:
        """Exclude a pattern from further solutions."""
        placed = [~stands for place, stands in self._placements.items() if place in pattern.placed]
        self._model.add_bool_or([*self._differ(pattern), *placed])

    def find_patterns(self, chance: Random, deadline: Deadline) -> Generator[BlockPattern, None, bool]:
        """Yield different patterns; return True if all were found, False if time is over."""
        while True:
            self._model.clear_hints()  # type: ignore[no-untyped-call]
            self._hint(chance, deadline)
            solver = _solve(self._model, chance, deadline)
            if isinstance(solver, Outcome):
                return solver is Outcome.EXHAUSTED
            pattern = self._read_solution(solver)
            if not self.cut_off(pattern):
                self.forbid(pattern)
                yield pattern

    def _read_solution(self, solver: cp_model.CpSolver) -> BlockPattern:
        placed = tuple(place for place, stands in self._placements.items() if solver.boolean_value(stands))
        return self._read(solver, placed)

    @abstractmethod
    def _differ(self, pattern: BlockPattern) -> Iterable[cp_model.BoolVarT]:
        """Return literals, one of which is true if the blocks or bars are not those of a pattern."""

    @abstractmethod
    def _hint(self, chance: Random, deadline: Deadline) -> None:
        """Let the next search start from something random."""

    @abstractmethod
    def _read(self, solver: cp_model.CpSolver, placed: tuple[tuple[str, range], ...]) -> BlockPattern:
        """Return the pattern of a solution, with its seed words."""

    @abstractmethod
    def cut_off(self, pattern: BlockPattern) -> bool:
        """Cut off a solution that breaks a rule which is added lazily, and return whether it does."""


class PatternModel(_Model):
    """The patterns that meet the demands with a number of blocks from `blocks[0]` to `blocks[1]`, each once."""

    def __init__(self, demands: Demands, blocks: tuple[int, int]) -> None:
        super().__init__(demands)
        self._blocks = blocks
        self._least = -math.inf
        self._orbits = {orbit: self._model.new_bool_var("") for orbit in self._board.orbits(self._style.symmetry)}
        self._block: dict[int, cp_model.IntVar] = {}
        for orbit, literal in self._orbits.items():
            self._block.update(dict.fromkeys(list_bits(orbit), literal))
        self._count = cp_model.LinearExpr.weighted_sum(
            list(self._orbits.values()), [orbit.bit_count() for orbit in self._orbits]
        )
        lengths = {len(word) for word in (*demands.seed_words, *demands.units)}
        runs = chain.from_iterable(map(self._board.windows, lengths))
        self._place_seed_words(list(runs), self._end_slot)
        for cell, of_cell in self._letters.items():
            for literal in of_cell.values():
                self._model.add_implication(literal, ~self._block[cell])
        closed, open_ = demands.fixed
        self._state_blocks(closed)
        self._state_open(open_)
        self._state_counts()
        self._state_lengths()
        self._checked: dict[int, cp_model.IntVar] = {}
        """For each cell a literal that is true only if the cell is checked, if the style has a lattice."""
        self._state_style()

    def _state_style(self) -> None:
        if self._style.connected:
            self._state_company()
        else:
            self._state_slot()
        if self._style.apart:
            self._state_apart()
        if self._style.clue_cells:
            self._state_clue_cells()
        if self._style.lattice:
            self._state_lattice()
            self._state_checking()

    def _state_blocks(self, cells: Cells) -> None:
        self._model.add_bool_and(self._block[cell] for cell in list_bits(cells))

    def _state_open(self, cells: Cells) -> None:
        self._model.add_bool_and(~self._block[cell] for cell in list_bits(cells))

    def bound(self, chance: Random, deadline: Deadline, least: float) -> tuple[float, BlockPattern | None]:
        """Return a lower bound on the cost of patterns, and a pattern of that cost if time sufficed.

        The pattern need not be connected. The cost is the number of blocks, or with a pool minus the units of its words
        that stand in the pattern. It is known to be `least` or more; without a pattern it is infinite.
        """
        cost = self._weigh_pool() if self._demands.pool else self._count
        bounds: list[float] = []
        if least > self._least:
            self._least = least
            self._model.add(cost >= int(least))
        self._model.minimize(cost)
        solver, status = run_solver(self._model, chance, deadline, bounds)
        self._model.clear_objective()  # type: ignore[no-untyped-call]
        if status == cp_model.INFEASIBLE:
            return math.inf, None
        if status == cp_model.OPTIMAL:
            return round(solver.objective_value), self._read_solution(solver)
        if bounds:
            least = math.ceil(max(bounds) - ROUNDING)
        return least, None

    def _weigh_pool(self) -> cp_model.LinearExprT:
        """Return minus the units of the words of the pool that stand in the pattern."""
        units = self._demands.units
        placed = {stands: -units[word] for (word, _), stands in self._placements.items() if word in units}
        return cp_model.LinearExpr.weighted_sum(list(placed), list(placed.values()))

    def state_clause(self, *, blocks: Iterable[int] = (), open_: Iterable[int] = ()) -> None:
        """State that one of `blocks` is a block, or one of `open_` is open."""
        literals: list[cp_model.BoolVarT] = [self._block[cell] for cell in blocks]
        literals += [~self._block[cell] for cell in open_]
        self._model.add_bool_or(literals)

    def _end_slot(self, run: range, stands: cp_model.IntVar) -> None:
        self._model.add_bool_and(self._block[cell] for cell in self._find_beside(run)).only_enforce_if(stands)

    def _state_counts(self) -> None:
        self._model.add_linear_constraint(self._count, *self._blocks)
        if self._demands.max_words is not None:
            starts = list(self._state_starts())
            self._model.add(cp_model.LinearExpr.sum(starts) <= self._demands.max_words)

    def _state_starts(self) -> Iterator[cp_model.IntVar]:
        """Yield a literal for each cell and direction; it is true if a slot starts there."""
        for run in self._board.windows(min(2, self._style.min_slot_length)):
            start = self._model.new_bool_var("")
            before = [~self._block[cell] for cell in self._find_beside(run) if cell < run.start]
            self._model.add_bool_or([start, *before, *(self._block[cell] for cell in run)])
            yield start

    def _state_lengths(self) -> None:
        """State that runs do not have the forbidden lengths."""
        for length in (*self._style.forbidden_runs, *self._demands.lacking):
            for run in self._board.windows(length):
                self.state_clause(blocks=run, open_=self._find_beside(run))
        for run in self._board.windows(self._demands.longest + 1):
            self.state_clause(blocks=run)

    def _state_apart(self) -> None:
        """State that no two blocks are adjacent, and that no corner is a block.

        A connected set of n cells has at least n - 1 adjacencies. A block removes an adjacency per neighbour.
        """
        board = self._board
        links = {cell: board.around(1 << cell).bit_count() for cell in self._block}
        self._state_open(board.corners)
        for pair in board.windows(2):
            self.state_clause(open_=pair)
        if self._style.connected:
            taken = cp_model.LinearExpr.weighted_sum(list(self._block.values()), [n - 1 for n in links.values()])
            self._model.add(taken <= sum(links.values()) // 2 - len(links) + 1)

    def _state_clue_cells(self) -> None:
        """State the frame of clue cells, and that a slot begins beside every block."""
        blocks, open_ = make_frame(self._board)
        self._state_blocks(blocks)
        self._state_open(open_)
        begins: dict[tuple[int, int], cp_model.IntVar] = {}
        for cell, is_block in self._block.items():
            beside = list(list_beginnings(self._board, cell))
            for pair in beside:
                if pair not in begins:
                    begins[pair] = self._model.new_bool_var("")
                    self._model.add_bool_and(~self._block[c] for c in pair).only_enforce_if(begins[pair])
            self._model.add_bool_or([~is_block, *(begins[pair] for pair in beside)])

    def _state_slot(self) -> None:
        """State that there is a slot: two adjacent open cells, or one open cell if slots may have one cell."""
        if self._style.min_slot_length == 1:
            self.state_clause(open_=self._block)
            return
        pairs = []
        for pair in self._board.windows(2):
            pairs.append(self._model.new_bool_var(""))
            self._model.add_bool_and(~self._block[cell] for cell in pair).only_enforce_if(pairs[-1])
        self._model.add_bool_or(pairs)

    def _state_company(self) -> None:
        """State that there is an open cell, and that each has an open neighbour, unless slots may have one cell."""
        self.state_clause(open_=self._block)
        if self._style.min_slot_length > 1:
            for cell in self._block:
                self.state_clause(blocks=[cell], open_=list_bits(self._board.around(1 << cell)))

    def _state_lattice(self) -> None:
        """State that there is a lattice."""
        chosen = []
        for lattice in self._board.lattices:
            chosen.append(self._model.new_bool_var(""))
            self._model.add_bool_and(self._block[cell] for cell in list_bits(lattice)).only_enforce_if(chosen[-1])
        self._model.add_bool_or(chosen)

    def _state_checking(self) -> None:
        """State that of three cells in a row one is a block or checked."""
        self._checked = {cell: self._model.new_bool_var("") for cell in self._block}
        for cell, literal in self._checked.items():
            self._model.add_implication(literal, ~self._block[cell])
            for step in self._board.steps:
                beside = [~self._block[other] for other in (cell - step, cell + step) if other in self._block]
                self._model.add_bool_or([~literal, *beside])
        for three in self._board.windows(3):
            literals = [(self._block[cell], self._checked[cell]) for cell in three]
            self._model.add_bool_or(chain.from_iterable(literals))

    def _differ(self, pattern: BlockPattern) -> Iterable[cp_model.BoolVarT]:
        return [~literal if orbit & pattern.blocks else literal for orbit, literal in self._orbits.items()]

    def _read(self, solver: cp_model.CpSolver, placed: tuple[tuple[str, range], ...]) -> BlockPattern:
        blocks = sum(orbit for orbit, literal in self._orbits.items() if solver.boolean_value(literal))
        return BlockPattern(blocks, placed)

    def _hint(self, chance: Random, deadline: Deadline) -> None:
        """Let the search start from a grown pattern and from random placements of the words."""
        pattern = grow_pattern(self._demands, self._blocks, chance, deadline)
        for orbit, literal in self._orbits.items():
            self._model.add_hint(literal, bool(orbit & pattern))
        slots = set(self._board.runs(self._board.full & ~pattern))
        for word in self._demands.seed_words:
            placements = {run: stands for (placed, run), stands in self._placements.items() if placed == word}
            fitting = [run for run in placements if run in slots] or [*placements]
            if not fitting:
                continue
            chosen = chance.choice(fitting)
            for run, stands in placements.items():
                self._model.add_hint(stands, run == chosen)

    def cut_off(self, pattern: BlockPattern) -> bool:
        """Cut off a solution that breaks a rule, and return whether it does.

        The blocks around a disconnected part close it off. If any cell of the part is open, one of these blocks must be
        open, provided that open cells must exist elsewhere. They must if the part and the greatest number of blocks
        together have fewer cells than the grid.
        """
        open_ = self._board.full & ~pattern.blocks
        wrong = False
        if self._style.lattice:
            for slot in find_unchecked_slots(self._board, open_):
                wrong = True
                self._state_checked(slot)
        parts = self._board.components(open_) if self._style.connected else []
        if len(parts) > 1:
            wrong = True
            for part, other in zip(parts, [*parts[1:], parts[0]], strict=True):
                self._connect(part, other, pattern.blocks)
        return wrong

    def _state_checked(self, slot: range) -> None:
        """State that half the cells of a run are checked if it is a slot."""
        is_slot = [~self._block[cell] for cell in slot]
        is_slot += [self._block[cell] for cell in self._find_beside(slot)]
        have = cp_model.LinearExpr.sum([self._checked[cell] for cell in slot])
        self._model.add(have >= len(slot) // 2).only_enforce_if(is_slot)

    def _connect(self, part: Cells, other: Cells, blocks: Cells) -> None:
        """State that the blocks around a part do not separate it from all open cells elsewhere, as in another part."""
        walls = list(list_bits(self._board.around(part) & blocks))
        elsewhere = self._board.full.bit_count() - self._blocks[1] > part.bit_count()
        witness = [] if elsewhere else [other.bit_length() - 1]
        for cell in list_bits(part):
            self.state_clause(blocks=[cell, *witness], open_=walls)

    def _find_beside(self, run: range) -> list[int]:
        """Return the cells just before and just after a run, within the grid."""
        return [cell for cell in (run.start - run.step, run.stop) if cell in self._block]


Run = tuple[int, range]
"""A step, and the bit numbers of cells one step apart: a single cell has a run across and one down."""

_HINTED_LENGTHS = (1, 1, 1, 1, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 10)
"""The run lengths from which starting points are drawn, with about the frequencies of printed grids."""


class BarModel(_Model):
    """The barred patterns that meet the demands, each once; with `customary` only those that follow the customs.

    Stating a large grid takes long: if the deadline passes first, the model stays incomplete and must not be used.
    """

    def __init__(self, demands: Demands, deadline: Deadline, *, customary: bool) -> None:
        super().__init__(demands)
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
        self._place_seed_words(
            [cells for _, cells in self._runs if len(cells) > 1],
            lambda cells, stands: self._model.add_implication(stands, self._runs[cells.step, cells]),
        )

    def _list_runs(self) -> Iterator[Run]:
        for length in (1, *range(self._style.min_slot_length, self._demands.longest + 1)):
            if length not in self._demands.lacking:
                for cells in self._board.windows(length):
                    yield cells.step, cells

    def _find_orbit(self, run: Run) -> set[Run]:
        """Return a run and its images under the symmetry."""
        step, cells = run
        symmetry = self._style.symmetry
        steps = self._board.steps
        firsts = self._board.images(*divmod(cells[0], self._board.stride), symmetry)
        lasts = self._board.images(*divmod(cells[-1], self._board.stride), symmetry)
        images = zip(firsts, lasts, strict=True)
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
        model = self._model
        across, down = self._board.steps
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
        usual = count_usual_words(self._style, self._board.height, self._board.width)
        spare = count_spare_words(usual)
        self._model.add_linear_constraint(words, usual - spare, usual + spare)
        letters = cp_model.LinearExpr.weighted_sum(literals, [slots[index] * lengths[index] for index in slots])
        self._model.add(letters <= area + int(MOST_CHECKED * area))  # a checked cell is counted twice
        self._model.add(2 * letters >= int(2 * LEAST_AVERAGE) * words)

    def _differ(self, pattern: BlockPattern) -> Iterable[cp_model.BoolVarT]:
        return [~self._runs[run] for run in self._cut(pattern)]

    def _cut(self, pattern: BlockPattern) -> Iterator[Run]:
        """Yield the runs of a pattern."""
        for line in self._board.lines:
            start = 0
            for end in range(1, len(line) + 1):
                if end == len(line) or (line[end - 1], line[end]) in pattern.bars:
                    yield line.step, line[start:end]
                    start = end

    def _read(self, solver: cp_model.CpSolver, placed: tuple[tuple[str, range], ...]) -> BlockPattern:
        runs = [run for run, literal in self._runs.items() if solver.boolean_value(literal)]
        ends = ((cells[-1], cells[-1] + step) for step, cells in runs)
        return BlockPattern(0, placed, frozenset(end for end in ends if self._board.full >> end[1] & 1))

    def _hint(self, chance: Random, _: Deadline) -> None:
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
        distinct = {literal.index: literal for literal in self._runs.values()}
        for index, literal in distinct.items():
            self._model.add_hint(literal, index in hinted)

    def cut_off(self, pattern: BlockPattern) -> bool:
        """Cut off a solution if its cells are not connected, and return whether they are not."""
        parts = _join([sum(1 << cell for cell in cells) for _, cells in self._cut(pattern)])
        for part in parts[1:]:
            leading_out: dict[int, cp_model.IntVar] = {}
            for (_, cells), literal in self._runs.items():
                if len({part >> cell & 1 for cell in cells}) == 2:
                    leading_out[literal.index] = literal
            self._model.add_bool_or(leading_out.values())
        return len(parts) > 1


def _join(sets: list[Cells]) -> list[Cells]:
    """Return the connected components of sets of cells, largest first."""
    parts: list[Cells] = []
    for cells in sets:
        apart = [part for part in parts if not part & cells]
        joined = cells
        for part in parts:
            if part & joined:
                joined |= part
        parts = [*apart, joined]
    return sorted(parts, key=int.bit_count, reverse=True)
