"""Refutations: formulas without a model, and the smallest search trees that show it, cut into parts.

Checking a proof takes far longer than finding it, so several trees are grown and the smallest is kept. Trees differ in
whether they decide on words or letters, in the seed, and in their initial weights, which come from an earlier tree.
Their sizes cannot be predicted; no tree grows beyond the smallest so far.

For each lemma, a checker propagates all of its decisions. Most of that work is to remove the hundred thousand words
that the first decisions exclude. A part begins with these decisions: its formula lacks such words, and a lemma takes a
tenth of the time or less. But each formula takes a second, as much as some hundred lemmas, so deeper parts gain less.
"""

from __future__ import annotations

import math
import time
from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from itertools import chain, count
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Protocol

from cpfill.base.errors import SEED, EngineError, UnsupportedError
from cpfill.base.imports import load_kernel
from cpfill.base.texts import later, say
from cpfill.engines.mac import KERNEL
from cpfill.engines.mac.kernels import REFUTED, SLICE_S, KernelMaker
from cpfill.engines.toolkit.propagation import Quota
from cpfill.problem.constraints import list_unspelled
from cpfill.problem.counts import list_count_texts
from cpfill.problem.problem import Objective
from cpfill.problem.result import Status
from cpfill.problem.rules import write_score
from cpfill.problem.value import Criterion
from cpfill.proofs.claim import NO_BETTER, NO_FILL, NO_OTHER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.problem.value import Value
    from cpfill.puzzle.grid import CellId, SlotId

Decision = tuple["SlotId", int, int]
"""A slot, the position of a letter in it or -1 for its word, and the letter's code or the word's id."""

LEAST = 250
"""The least number of lemmas of a part, for each decision that it begins with."""

DEEP = 4
"""The number of decisions beyond which that minimum no longer grows."""

MOST_PARTS = 400
"""The approximate greatest number of parts; a larger tree has larger parts."""


@dataclass(frozen=True)
class TreePart:
    """A part of a tree: the subtree of a decision, without the parts within it.

    Attributes:
        start, end: its range in the log.
        taken: the decisions that it begins with.
        refuted: the siblings of these decisions that were refuted before it.
    """

    start: int
    end: int
    taken: tuple[Decision, ...] = ()
    refuted: tuple[Decision, ...] = ()


class CutTree:
    """A tree in parts. Each part comes after those within it; the last has everything that is in no other.

    Args:
        log: the log of a tree that refutes and never restarts, as `Kernel.log` returns it.
        slots: for each slot of the kernel, the slot of the problem.
        whole: whether to leave the tree in one part.
    """

    def __init__(self, log: Sequence[int], slots: Sequence[SlotId], *, whole: bool = False) -> None:
        self._log = log
        self._slots = slots
        self.parts = [] if whole else list(self._cut())
        self.parts.append(TreePart(0, len(log)))

    def list_lemmas(self, part: TreePart) -> Iterator[Sequence[Decision]]:
        """Yield sets of decisions that contradict those of a part, as the parts before it and propagation show."""
        within = {other.start: other.end for other in self.parts if other is not part}
        stack: list[Decision] = []
        at = part.start
        while at < part.end:
            at = within.get(at, at)
            if self._log[at] == REFUTED:
                yield stack
                stack.pop()
                at += 1
            else:
                stack.append(self._read(at))
                at += 3

    def _cut(self) -> Iterator[TreePart]:
        least = max(LEAST, self._log.count(REFUTED) // MOST_PARTS)
        taken: list[Decision] = []
        refuted: list[list[Decision]] = [[]]  # under each decision that is taken
        starts = [0]
        sizes = [0]
        at = 0
        while at < len(self._log):
            if self._log[at] != REFUTED:
                taken.append(self._read(at))
                at += 3
                starts.append(at)
                sizes.append(0)
                refuted.append([])
                continue
            refuted.pop()
            start = starts.pop()
            size = sizes.pop()
            if size >= least * min(len(taken), DEEP):
                yield TreePart(start, at, tuple(taken), tuple(chain(*refuted)))
                size = 0
            refuted[-1].append(taken.pop())
            sizes[-1] += size + 1
            at += 1

    def _read(self, at: int) -> Decision:
        slot, pos, value = self._log[at : at + 3]
        return self._slots[slot], pos, value


TURN_NODES = 1_000
"""The nodes that a tree grows by before the next tree has its turn."""

CHECK_S = 0.005
"""The approximate time a checker takes for a lemma."""

SHARE = 0.2
"""The share of the checker's time that may be spent on further trees."""

PATIENCE = 12
"""The number of consecutive trees, none of them smaller, after which growing ends."""

OTHER_KIND = 3
"""One in this many trees decides on letters if the smallest decides on words, or the reverse."""

UNLIMITED = 2**63


class Growing(Protocol):
    """A proof while it is made."""

    @property
    def size(self) -> int:
        """The number of its lemmas so far."""
        ...


class Tree:
    """A search tree that refutes; its log is kept in an unnamed file in a folder.

    Raises:
        OSError: the disk is full.
    """

    def __init__(
        self,
        refutation: RefutationTree,
        kernels: KernelMaker,
        folder: Path,
        seed: int,
        *,
        by_cell: bool,
        weights: Sequence[float] = (),
    ) -> None:
        self.refutation, self.by_cell = refutation, by_cell
        self._slots = refutation.slots or range(len(refutation.problem.slots))
        self._kernel = kernels.make(
            refutation.domains,
            slots=self._slots,
            seed=seed,
            by_cell=by_cell,
            quotas=refutation.quotas,
            weights=weights,
            logged=True,
        )
        self._log = TemporaryFile(dir=folder)  # noqa: SIM115 - `close` does
        self._fills = 0
        self.finished = False

    def close(self) -> None:
        self._log.close()

    @property
    def size(self) -> int:
        """The number of decisions. Each is refuted in the end, which gives a lemma."""
        return self._kernel.counters()[0]

    @property
    def weights(self) -> list[float]:
        """The current weights, with which another tree of the same slots may begin."""
        return self._kernel.weights()

    def grow(self, size: int) -> bool:
        """Grow for a moment, up to about this size; return False if more fills are found than are listed."""
        answer = self._kernel.step(SLICE_S, size)
        self._log.write(self._kernel.log())
        self._fills += answer.name == "FOUND"
        self.finished = answer.name == "EXHAUSTED"
        if self.finished and self._fills < self.refutation.fills:
            raise EngineError(
                say(
                    "engine mac reported {fills} fills, and finds {fills2} of them again",
                    fills=self.refutation.fills,
                    fills2=self._fills,
                )
            )
        return self._fills <= self.refutation.fills

    def cut(self) -> CutTree:
        """Return the finished tree in parts; in one if fills are blocked: a formula blocks whole fills."""
        self._log.seek(0)
        log = array("i")
        log.frombytes(self._log.read())
        return CutTree(log, self._slots, whole=self.refutation.fills > 0)


@dataclass(frozen=True)
class Grower:
    """Grows the trees of refutations.

    Attributes:
        seed: the seed of the first trees.
        watch: called with each tree repeatedly while it grows.
    """

    seed: int = 0
    watch: Callable[[Growing], None] = lambda _: None

    @contextmanager
    def grow(self, refutation: RefutationTree, folder: Path) -> Iterator[Tree]:
        """Yield the smallest of several trees, whose logs are kept in a folder; it may refute one component alone.

        Raises:
            EngineError: there are more fills than were listed, or fewer.
            OSError: the disk is full.
        """
        kernels = KernelMaker(refutation.problem, load_kernel(KERNEL))
        with ExitStack() as trees:

            def plant(
                part: RefutationTree, number: int = 0, *, by_cell: bool = False, weights: Sequence[float] = ()
            ) -> Tree:
                tree = Tree(part, kernels, folder, SEED.after(self.seed, number), by_cell=by_cell, weights=weights)
                return trees.enter_context(closing(tree))

            part = self._find_part(refutation, plant)
            words = plant(part, by_cell=False)
            letters = plant(part, by_cell=True)
            best = self._race([words, letters])
            weights = {False: words.weights, True: letters.weights}
            end_s = time.monotonic() + SHARE * CHECK_S * best.size
            in_vain = 0
            for number in count(1):
                if in_vain == PATIENCE or time.monotonic() >= end_s:
                    break
                by_cell = best.by_cell ^ (number % OTHER_KIND == 0)
                tree = plant(part, number, by_cell=by_cell, weights=weights[by_cell])
                best = self._race([best, tree])
                weights[by_cell] = tree.weights
                in_vain += 1
                if best is tree:
                    in_vain = 0
            yield best

    def _find_part(self, refutation: RefutationTree, plant: Callable[[RefutationTree], Tree]) -> RefutationTree:
        """Return the refutation of a component that has no fill even alone, or else the whole.

        If rules tie the components together, it is the whole. C3 does not count as such a rule, because the proof of
        one component does not need it across components.
        """
        parts = refutation.problem.grid.components
        if len(parts) == 1 or refutation.ties_components:
            return refutation
        alone = [plant(replace(refutation, slots=part)) for part in parts]
        for limit in (0, UNLIMITED):  # propagation alone shows most
            for tree in alone:
                while tree.grow(limit) and not tree.finished and tree.size < limit:
                    self.watch(tree)
                if tree.finished:
                    return tree.refutation
        return refutation

    def _race(self, trees: Sequence[Tree]) -> Tree:
        """Grow trees by turns, none beyond the smallest; return the smallest and close the others.

        Only the first may be finished.
        """
        best: Tree | None = None
        growing = deque(trees)
        while growing:
            tree = growing.popleft()
            least = UNLIMITED if best is None else best.size
            self._grow(tree, min(tree.size + TURN_NODES, least))
            if tree.size >= least:
                tree.close()
            elif not tree.finished:
                growing.append(tree)
            elif best is None:
                best = tree
            else:
                best.close()
                best = tree
        assert best is not None
        return best

    def _grow(self, tree: Tree, end: int) -> None:
        """Grow a tree until it is finished, or to a size."""
        while not tree.finished and tree.size < end:
            if not tree.grow(end):
                raise EngineError(say("engine mac proved that there is no (other, better) fill, and there is one"))
            self.watch(tree)


FILL = "fill.txt"
"""The file of the best fill, or of all fills if the claim is that no other exists."""


@dataclass(frozen=True)
class RefutationTree:
    """The statement that no fill obeys a problem's rules, has only words that score over `above`, and keeps quotas.

    Attributes:
        problem: the problem; its objective is ignored.
        above: the score that every word must exceed.
        quotas: the quotas, as in `cpfill.engines.toolkit.propagation`.
        slots: slots that cannot be filled even alone; `None` for all slots.
        fills: the number of fills that exist; `FILL` lists them, and the formula blocks them.
    """

    problem: Problem
    above: float | None = None
    quotas: tuple[Quota, ...] = ()
    slots: tuple[SlotId, ...] | None = None
    fills: int = 0

    @property
    def domains(self) -> list[int]:
        """For each slot of the problem, the words that fit it, as a bitset over its table."""
        problem, above = self.problem, self.above
        if above is None:
            return list(problem.domains)
        over = [table.above(above) for table in problem.tables]
        return list(map(int.__and__, problem.domains, over))

    @property
    def ties_components(self) -> bool:
        """Whether the components of the grid cannot be refuted one by one."""
        rules_tie = self.problem.constraints.tie_components or bool(self.problem.counts)
        return bool(self.slots or self.quotas or self.fills or rules_tie)

    @property
    def arguments(self) -> list[str]:
        """The arguments of `fill_to_cnf.py` for the formula, after the grid and the words."""
        arguments = list_arguments(self.problem)
        if self.above is not None:
            arguments += ["--above", write_score(self.above)]
        for quota in self.quotas:
            arguments += ["--at-most", str(quota.most), "--under", write_score(quota.under)]
        if self.slots is not None:
            arguments += ["--slots", *(self.problem.slots[slot].name for slot in self.slots)]
        if self.fills:
            arguments += ["--blocked", FILL]
        return arguments


def list_arguments(problem: Problem) -> list[str]:
    """Return the arguments of `fill_to_cnf.py` for the rules of a problem."""
    grid = problem.grid
    arguments = problem.rules.arguments
    if grid.min_slot_length != _USUAL_LENGTH:
        arguments += ["--min-length", str(grid.min_slot_length)]
    if grid.open_slots:
        arguments += ["--open", *(f"{grid.numbers[cell]}-{direction}" for direction, cell in sorted(grid.open_slots))]
    if grid.ties:
        arguments += ["--tie", *(f"{grid.name_cell(one)}={grid.name_cell(other)}" for one, other in sorted(grid.ties))]
    if problem.counts:
        arguments += ["--letter-counts", *list_count_texts(problem.counts, grid)]
    if Criterion.LETTERS in problem.criteria:
        arguments += ["--letter-values", f"#={write_score(problem.letter_values.block)}"]
        for letter, value in sorted(problem.letter_values.letters.items()):
            arguments.append(f"{letter}={write_score(value)}")
    return arguments


_USUAL_LENGTH = 2

WITHOUT_SUMS = ("--no-shared", "--at-most", "--letter-counts", "--no-naticks", "--tie")
"""The arguments that `fill_to_opb.py` refuses."""


def require_provable(problem: Problem) -> None:
    """Check that proofs about this problem can be written as formulas."""
    problem.require_case()
    if any(criterion.adds_up for criterion in problem.criteria):
        _require_provable_sum(problem)
    if problem.grid.bars:
        raise UnsupportedError(say("no proof is written for grids with bars"))
    if problem.narrowed:
        raise UnsupportedError(say("no proof is written if single slots are narrowed"))
    if _counts_unknown(problem):
        raise UnsupportedError(say("no proof is written if letters count in open cells of no slot"))
    if problem.parted:
        raise UnsupportedError(say("no proof is written if single words are kept apart"))


def _counts_unknown(problem: Problem) -> bool:
    """Return whether letters count in a cell that no word spells and that may hold several."""
    grid = problem.grid
    counted: set[CellId] = set()
    for limit in problem.counts:
        counted |= limit.cells
    if Criterion.LETTERS in problem.criteria:
        counted.update(range(len(grid.cells)))
    unspelled = counted.intersection(list_unspelled(grid)).difference(grid.rebus)
    return any(grid.cells[cell].bit_count() > 1 for cell in unspelled)


def _require_provable_sum(problem: Problem) -> None:
    if problem.criteria not in {(Criterion.SUM,), (Criterion.LETTERS,)}:
        objective = str(problem.objective)
        if problem.theme:
            objective = say("{objective} with a theme", objective=objective)
        told = later(
            "no proof is written for the objective {objective}; of those that add up, sum and letter-values have one"
        )
        raise UnsupportedError(say(told, objective=objective))
    rules = [name for name in list_arguments(problem) if name in WITHOUT_SUMS]
    if rules:
        raise UnsupportedError(say("no proof is written if a sum is maximised with {rule}", rule=rules[0]))
    if problem.exempt:
        told = later("no proof is written if a sum is maximised with given words that score too low: {word}")
        raise UnsupportedError(say(told, word=next(iter(problem.exempt))))


CLAIMS = {
    Status.UNSATISFIABLE: NO_FILL,
    Status.NO_OTHER: NO_FILL,
    Status.OPTIMAL: NO_BETTER,
    Status.ALL_FILLS: NO_OTHER,
}
"""The claim for each status that is a proof."""


def list_refutations(problem: Problem, result: SolveResult) -> list[RefutationTree]:
    """Return the refutations that together prove the result of a search, whose status is in `CLAIMS`."""
    asked = replace(problem, objective=Objective.ANY, levels=())
    match result.status:
        case Status.UNSATISFIABLE | Status.NO_OTHER:
            return [RefutationTree(asked)]
        case Status.ALL_FILLS:
            return [RefutationTree(asked, fills=result.fills)]
        case Status.OPTIMAL if problem.objective is Objective.MIN and result.value:
            return [RefutationTree(asked, above=result.value[0])]
        case Status.OPTIMAL if result.value:
            return list(_refute_each(problem, asked, result.value))
    return []


def _refute_each(problem: Problem, asked: Problem, value: Value) -> Iterator[RefutationTree]:
    """Yield, for each number of a V5 value, that it cannot be better if the numbers before it are as good."""
    kept: list[Quota] = []
    if problem.levels:
        for level, number in zip(problem.levels, value, strict=True):
            under = round(-number)
            if under:
                yield _keep_to(asked, [*kept, Quota(level, under - 1)])
            kept.append(Quota(level, under))
        return
    for score in dict.fromkeys(value):
        kept.append(Quota(score, bisect_left(value, score)))
        most = bisect_right(value, score) - 1
        if most:
            yield _keep_to(asked, [*kept, Quota(_next_score(problem, score), most)])
        else:
            yield RefutationTree(asked, above=score)


def _next_score(problem: Problem, score: float) -> float:
    """Return the next higher score of a word; without such a score, the next float."""
    return min((other for other in problem.ranking if other > score), default=math.nextafter(score, math.inf))


def _keep_to(asked: Problem, quotas: list[Quota]) -> RefutationTree:
    """Return the refutation of fills that keep quotas, whose numbers rise except for the last.

    The kernel takes only quotas with rising numbers. So a quota that allows no word raises the minimum score instead,
    and a quota is left out if a later one implies it.
    """
    last = {quota.most: quota for quota in quotas if quota.most <= quotas[-1].most}
    floor = last.pop(0, None)
    rules = asked.rules
    if floor is not None:
        rules = replace(rules, min_score=max(rules.min_score, floor.under))
    return RefutationTree(replace(asked, rules=rules), quotas=tuple(last.values()))
