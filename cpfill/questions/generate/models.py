"""The CP-SAT model of a pattern: finds patterns when growth fails, places words, and proves that no pattern exists.

Each orbit of cells under the symmetry has a literal, which is true if its cells are blocks. Rules on a line are clauses
over windows of the line; counts are linear. A seed word has one literal per placement, exactly one of which is true.
Connectivity of the open cells is added lazily: a disconnected solution gives a cut for each component that blocks close
off.

The CP-SAT model of a barred grid: each row and column is cut into runs, which are slots or single cells.

The literal of a run is true if bars or the edge stand at both its ends and no bar within; symmetric runs share a
literal. For each cell, exactly one run across and one run down that contain it is true. A cell is unchecked if its run
of one cell is true. Connectivity is added lazily, as in `model`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from cpfill.base.errors import EngineError
from cpfill.base.texts import say
from cpfill.problem.result import Outcome
from cpfill.questions.generate.board import BlockPattern, list_beginnings, list_bits, make_frame
from cpfill.questions.generate.growth import grow_pattern
from cpfill.questions.generate.theme import (
    LEAST_AVERAGE,
    MOST_CHECKED,
    count_most_unchecked,
    count_spare_words,
    count_usual_words,
    find_unchecked_slots,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from random import Random

    from cpfill.problem.result import Deadline
    from cpfill.questions.generate.board import Cells
    from cpfill.questions.generate.demands import Demands

_PARAMETERS = {"num_workers": 1, "linearization_level": 0, "symmetry_level": 0, "catch_sigint_signal": False}
_LOOK_S = 0.05
"""The time a search may continue after its token was set."""
_JOIN_S = 0.02


def solve(model: cp_model.CpModel, chance: Random, deadline: Deadline) -> cp_model.CpSolver | Outcome:
    """Return a solver with a solution of a model; EXHAUSTED if there is none, UNKNOWN if time did not suffice."""
    solver = cp_model.CpSolver()
    for name, value in _PARAMETERS.items():
        setattr(solver.parameters, name, value)
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
    status = future.result()
    if status == cp_model.INFEASIBLE:
        return Outcome.EXHAUSTED
    if status == cp_model.UNKNOWN:
        return Outcome.UNKNOWN
    if status == cp_model.MODEL_INVALID:
        raise EngineError(say("CP-SAT refuses the model: {validate}", validate=model.validate()))
    return solver


@dataclass(frozen=True, slots=True)
class _Placement:
    """A possible place of a seed word: the bit numbers of its cells, and the literal of the placement."""

    word: str
    cells: range
    stands: cp_model.IntVar


class PatternModel:
    """The patterns that meet the demands with a number of blocks from `blocks[0]` to `blocks[1]`, each once."""

    def __init__(self, demands: Demands, blocks: tuple[int, int]) -> None:
        self._demands, self._board, self._style = demands, demands.board, demands.style
        self._blocks = blocks
        self._model = cp_model.CpModel()
        self._orbits = {orbit: self._model.new_bool_var("") for orbit in self._board.orbits(self._style.symmetry)}
        self._block: dict[int, cp_model.IntVar] = {
            cell: literal for orbit, literal in self._orbits.items() for cell in list_bits(orbit)
        }
        self._placements = self._place_seed_words()
        closed, open_ = demands.fixed
        self._model.add_bool_and(self._block[cell] for cell in list_bits(closed))
        self._model.add_bool_and(~self._block[cell] for cell in list_bits(open_))
        self._state_counts()
        for line in self._board.lines:
            self._state_line(line)
        if self._style.connected:
            self._state_company()
        else:
            self._state_slot()
        if self._style.apart:
            self._state_apart()
        if self._style.clue_cells:
            self._state_clue_cells()
        self._checked = self._state_lattice() if self._style.lattice else {}

    def _state_clause(self, *, blocks: Iterable[int] = (), open_: Iterable[int] = ()) -> None:
        """State that one of `blocks` is a block, or one of `open_` is open."""
        self._model.add_bool_or([*(self._block[c] for c in blocks), *(~self._block[c] for c in open_)])

    def _place_seed_words(self) -> list[_Placement]:
        model, placements = self._model, []
        letters: dict[tuple[int, str], cp_model.IntVar] = {}
        for word in self._demands.seed_words:
            of_word = []
            for line in self._board.lines:
                for start in range(len(line) - len(word) + 1):
                    if not self._demands.may_stand(word, line[start : start + len(word)]):
                        continue
                    placement = _Placement(word, line[start : start + len(word)], model.new_bool_var(""))
                    of_word.append(placement)
                    ends = [self._block[cell] for cell in self._find_beside(placement.cells)]
                    model.add_bool_and(ends).only_enforce_if(placement.stands)
                    for cell, letter in zip(placement.cells, word, strict=True):
                        if (cell, letter) not in letters:
                            letters[cell, letter] = model.new_bool_var("")
                            model.add_implication(letters[cell, letter], ~self._block[cell])
                        model.add_implication(placement.stands, letters[cell, letter])
            model.add_exactly_one(placement.stands for placement in of_word)
            placements += of_word
        at: dict[int, list[cp_model.IntVar]] = defaultdict(list)
        for (cell, _), literal in letters.items():
            at[cell].append(literal)
        for literals in at.values():
            model.add_at_most_one(literals)
        return placements

    def _state_counts(self) -> None:
        count = cp_model.LinearExpr.weighted_sum(
            list(self._orbits.values()), [orbit.bit_count() for orbit in self._orbits]
        )
        self._model.add_linear_constraint(count, *self._blocks)
        if self._demands.max_words is not None:
            starts = [start for line in self._board.lines for start in self._state_starts(line)]
            self._model.add(cp_model.LinearExpr.sum(starts) <= self._demands.max_words)

    def _state_starts(self, line: range) -> Iterator[cp_model.IntVar]:
        """Yield a literal for each cell of a line; it is true if a slot starts there."""
        shortest = min(2, self._style.min_slot_length)
        for placement in range(len(line) - shortest + 1):
            run, start = line[placement : placement + shortest], self._model.new_bool_var("")
            before = [~self._block[cell] for cell in self._find_beside(run) if cell < run.start]
            self._model.add_bool_or([start, *before, *(self._block[cell] for cell in run)])
            yield start

    def _state_line(self, line: range) -> None:
        """State which runs, and which blocks, a line may not have."""
        for length in (*self._style.forbidden_runs, *self._demands.lacking):
            for start in range(len(line) - length + 1):
                run = line[start : start + length]
                self._state_clause(blocks=run, open_=self._find_beside(run))
        for start in range(len(line) - self._demands.longest):
            self._state_clause(blocks=line[start : start + self._demands.longest + 1])

    def _state_apart(self) -> None:
        """State that no two blocks are adjacent, and that no corner is a block.

        A connected set of n cells has at least n - 1 adjacencies, and each block removes as many as it has neighbours.
        """
        board = self._board
        links = {cell: board.around(1 << cell).bit_count() for cell in self._block}
        self._model.add_bool_and(~self._block[cell] for cell in list_bits(board.corners))
        for line in board.lines:
            for cell, following in pairwise(line):
                self._state_clause(open_=[cell, following])
        if self._style.connected:
            taken = cp_model.LinearExpr.weighted_sum(list(self._block.values()), [n - 1 for n in links.values()])
            self._model.add(taken <= sum(links.values()) // 2 - len(links) + 1)

    def _state_clue_cells(self) -> None:
        """State the frame of clue cells, and that a slot begins beside every block."""
        blocks, open_ = make_frame(self._board)
        self._model.add_bool_and(self._block[cell] for cell in list_bits(blocks))
        self._model.add_bool_and(~self._block[cell] for cell in list_bits(open_))
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
            self._state_clause(open_=self._block)
            return
        pairs = []
        for line in self._board.lines:
            for pair in pairwise(line):
                pairs.append(self._model.new_bool_var(""))
                self._model.add_bool_and(~self._block[cell] for cell in pair).only_enforce_if(pairs[-1])
        self._model.add_bool_or(pairs)

    def _state_company(self) -> None:
        """State that there is an open cell, and that each has an open neighbour, unless slots may have one cell."""
        self._state_clause(open_=self._block)
        if self._style.min_slot_length > 1:
            for cell in self._block:
                self._state_clause(blocks=[cell], open_=list_bits(self._board.around(1 << cell)))

    def _state_lattice(self) -> dict[int, cp_model.IntVar]:
        """State that there is a lattice, and return a literal for each cell that is true only if it is checked."""
        model, across, down = self._model, *self._board.steps
        chosen = []
        for lattice in self._board.lattices:
            chosen.append(model.new_bool_var(""))
            model.add_bool_and(self._block[cell] for cell in list_bits(lattice)).only_enforce_if(chosen[-1])
        model.add_bool_or(chosen)
        checked = {cell: model.new_bool_var("") for cell in self._block}
        for cell, literal in checked.items():
            model.add_implication(literal, ~self._block[cell])
            for step in (across, down):
                beside = [~self._block[other] for other in (cell - step, cell + step) if other in self._block]
                model.add_bool_or([~literal, *beside])
        for line in self._board.lines:
            for three in zip(line, line[1:], line[2:], strict=False):
                model.add_bool_or(literal[cell] for cell in three for literal in (self._block, checked))
        return checked

    def forbid(self, pattern: BlockPattern) -> None:
        """Exclude a pattern from further solutions."""
        self._model.add_bool_or(
            [~literal if orbit & pattern.blocks else literal for orbit, literal in self._orbits.items()]
            + [
                ~placement.stands
                for placement in self._placements
                if (placement.word, placement.cells) in pattern.placed
            ]
        )

    def find_patterns(self, chance: Random, deadline: Deadline) -> Generator[BlockPattern, None, bool]:
        """Yield different patterns; return True if there are no more, False if time is over.

        Each search starts from a grown pattern and from random placements of the words.
        """
        while True:
            pattern = self._search(chance, deadline)
            if not isinstance(pattern, BlockPattern):
                return pattern is Outcome.EXHAUSTED
            if not self._cut_off(pattern.blocks):
                self.forbid(pattern)
                yield pattern

    def _search(self, chance: Random, deadline: Deadline) -> BlockPattern | Outcome:
        """Return a solution of the current model; EXHAUSTED if there is none, UNKNOWN if time did not suffice."""
        self._hint(chance, deadline)
        solver = solve(self._model, chance, deadline)
        if isinstance(solver, Outcome):
            return solver
        blocks = sum(orbit for orbit, literal in self._orbits.items() if solver.boolean_value(literal))
        placed = [
            (placement.word, placement.cells)
            for placement in self._placements
            if solver.boolean_value(placement.stands)
        ]
        return BlockPattern(blocks, tuple(placed))

    def _hint(self, chance: Random, deadline: Deadline) -> None:
        """Let the search start from a grown pattern and from random placements of the words."""
        board, pattern = self._board, grow_pattern(self._demands, self._blocks, chance, deadline)
        self._model.clear_hints()  # type: ignore[no-untyped-call]
        for orbit, literal in self._orbits.items():
            self._model.add_hint(literal, bool(orbit & pattern))
        for word in self._demands.seed_words:
            placements = [placement for placement in self._placements if placement.word == word]
            slots = set(board.runs(board.full & ~pattern))
            fitting = [placement for placement in placements if placement.cells in slots] or placements
            chosen = chance.choice(fitting) if fitting else None
            for placement in placements:
                self._model.add_hint(placement.stands, placement is chosen)

    def _cut_off(self, blocks: Cells) -> bool:
        """Cut off a solution that breaks a rule, and return whether it does.

        The blocks around a disconnected part close it off. If any cell of the part is open, one of these blocks must be
        open, provided that open cells must exist elsewhere. They must if the part and the greatest number of blocks
        together have fewer cells than the grid.
        """
        board, wrong = self._board, False
        open_ = board.full & ~blocks
        if self._style.lattice:
            for slot in find_unchecked_slots(board, open_):
                wrong = True
                is_slot = [*(~self._block[c] for c in slot), *(self._block[c] for c in self._find_beside(slot))]
                have = cp_model.LinearExpr.sum([self._checked[cell] for cell in slot])
                self._model.add(have >= len(slot) // 2).only_enforce_if(is_slot)
        parts = board.components(open_) if self._style.connected else []
        for part, other in zip(parts, [*parts[1:], *parts[:1]], strict=True):
            if part == other:
                break
            wrong = True
            walls = list(list_bits(board.around(part) & blocks))
            elsewhere = board.full.bit_count() - self._blocks[1] > part.bit_count()
            witness = [] if elsewhere else [other.bit_length() - 1]
            for cell in list_bits(part):
                self._state_clause(blocks=[cell, *witness], open_=walls)
        return wrong

    def _find_beside(self, run: range) -> list[int]:
        """Return the cells just before and just after a run, within the grid."""
        return [cell for cell in (run.start - run.step, run.stop) if cell in self._block]


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
