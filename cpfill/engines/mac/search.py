"""Searches one problem with the kernel: fills it component by component, or maximises step by step.

Searched together, components would multiply each other's dead ends. Only the rule that no word is used twice ties
components together. Each component is filled without the words that earlier components took. If this fails or takes
long although the component alone has a fill, some earlier components give their words back and are filled again after
it. If that does not help either, the whole grid is searched at once.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from cpfill.engines.mac.kernels import SLICE_S, KernelMaker
from cpfill.engines.toolkit.propagation import Descent, IntervalEnd, Wipeout, ac3
from cpfill.engines.toolkit.worker import Control, Stopped
from cpfill.problem.event import Finished, Progress, Stats, StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
    from random import Random

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.engines.toolkit.propagation import Quota, ThresholdQuery
    from cpfill.problem.event import Found
    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Criterion, Value
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId

    Make = Callable[[Sequence[int], Sequence[SlotId]], Kernel]
    Advance = Callable[[Kernel], Outcome]
    Turn = tuple[Outcome, list[WordId]]

GIVERS = 4
"""The number of components that give their words back for one that has no fill without them."""

PATIENCE = 4
"""The average number of such attempts per component before the whole grid is searched at once."""

NARROWED_NODES = 3_000
"""Nodes for a component that may not use the words of other components."""


def fill_components(
    problem: Problem,
    domains: Sequence[int],
    make: Make,
    advance: Advance,
    *,
    parts: Sequence[Sequence[SlotId]],
    seed: int,
) -> Iterator[Turn]:
    """Yield UNKNOWN after each inconclusive turn; finally FOUND with the words, or EXHAUSTED: no fill exists.

    `parts` partition the slots into sets that do not cross each other. `make` returns a kernel for a part within some
    domains; `advance` runs a kernel for one turn.

    Raises:
        Wipeout: arc consistency shows that no fill exists.
    """
    kernels = [make(domains, part) for part in parts]
    if _refuted_at_once(parts, kernels):
        yield Outcome.EXHAUSTED, []
        return
    filled = _Filled(problem, parts, seed)
    pending = deque(range(len(parts)))
    alone: dict[int, list[WordId]] = {}  # by part, its words if it is filled alone
    refusals = PATIENCE * len(parts)
    while pending:
        number = pending.popleft()
        left = filled.list_left(domains, number)
        if left is not None:
            kernel = make(left, parts[number])
            outcome = yield from _take_turns(kernel, advance, NARROWED_NODES)
            if outcome is Outcome.FOUND:
                filled.take(number, kernel.words())
                continue
        if number not in alone:
            outcome = yield from _take_turns(kernels[number], advance)
            if outcome is Outcome.EXHAUSTED:
                yield Outcome.EXHAUSTED, []
                return
            alone[number] = kernels[number].words()
        if left is None:
            filled.take(number, alone[number])
        elif refusals:
            refusals -= 1
            pending.appendleft(number)
            pending.extend(filled.give_back(GIVERS))
        else:
            whole = [range(len(domains))]
            yield from fill_components(problem, domains, make, advance, parts=whole, seed=seed)
            return
    yield Outcome.FOUND, filled.words()


def _refuted_at_once(parts: Sequence[Sequence[SlotId]], kernels: Sequence[Kernel]) -> bool:
    """Propagate once in each part: this is cheap, and may show that a part has no fill."""
    for part, kernel in zip(parts, kernels, strict=True):
        if kernel.step(0.0, 0).name == "EXHAUSTED":
            if kernel.wipeout() >= 0:
                raise Wipeout(part[kernel.wipeout()])
            return True
    return False


def _take_turns(kernel: Kernel, advance: Advance, nodes: float = float("inf")) -> Generator[Turn, None, Outcome]:
    """Advance a kernel until it has an answer or has searched about `nodes` nodes."""
    while True:
        outcome = advance(kernel)
        if outcome is not Outcome.UNKNOWN or kernel.counters()[0] >= nodes:
            return outcome
        yield outcome, []


class _Filled:
    """The words of the filled parts, and the words that no other part may use."""

    def __init__(self, problem: Problem, parts: Sequence[Sequence[SlotId]], seed: int) -> None:
        self._problem = problem
        self._parts = parts
        self._seed = seed
        self._words: dict[int, list[WordId]] = {}
        self._taken: dict[int, int] = defaultdict(int)  # by word length

    def list_left(self, domains: Sequence[int], number: int) -> list[int] | None:
        """Return the domains without the words that other parts took; `None` if they took none of this part's words."""
        left = list(domains)
        narrowed = False
        for slot in self._parts[number]:
            left[slot] &= ~self._taken[self._problem.slots[slot].length]
            if left[slot] != domains[slot]:
                narrowed = True
        return left if narrowed else None

    def take(self, number: int, words: list[WordId]) -> None:
        """Record the words of a part."""
        self._words[number] = words
        self._mark(number)

    @cached_property
    def _chance(self) -> Random:
        from random import Random

        return Random(self._seed)  # noqa: S311

    def give_back(self, count: int) -> list[int]:
        """Empty `count` random parts, and return them."""
        givers = self._chance.sample(sorted(self._words), min(count, len(self._words)))
        for giver in givers:
            self._mark(giver)
            del self._words[giver]
        return givers

    def _mark(self, number: int) -> None:
        """Mark the words of a part as taken, or remove the mark."""
        for slot, word in zip(self._parts[number], self._words[number], strict=True):
            length = self._problem.slots[slot].length
            self._taken[length] ^= 1 << word & self._problem.singles[length]

    def words(self) -> list[WordId]:
        """Return the words of all slots."""
        by_slot: dict[SlotId, WordId] = {}
        for number, words in self._words.items():
            by_slot.update(zip(self._parts[number], words, strict=True))
        return [by_slot[slot] for slot in range(len(by_slot))]


TURN_NODES = 3_000
"""Nodes of one turn on a question about a score threshold."""

MOST_WEIGHT = 20.0
"""The greatest cell weight when weights are passed from one refutation to the next."""

_UNLIMITED = 2**63


class StartingPoint(NamedTuple):
    """Where a search starts (the best fill so far and a bound), and how it shares the work with other searches.

    Attributes:
        ends: the ends from which to work on the last criterion: better fills from below, a bound from above.
        best_of_all: returns the value of the best fill of all searches so far.
    """

    best: Found | None = None
    bound: Value | None = None
    ends: tuple[IntervalEnd, ...] = tuple(IntervalEnd)
    best_of_all: Callable[[], Value | None] = lambda: None


def _find_words(problem: Problem, fill: Fill) -> list[WordId]:
    return [problem.word_id(fill.word_at(slot)) for slot in problem.slots]


class MacSearch:
    """Searches one problem with the kernel."""

    def __init__(
        self, problem: Problem, control: Control, kernels: KernelMaker, first_restart: int, start: StartingPoint
    ) -> None:
        self._problem = problem
        self._control = control
        self._kernels = kernels
        self._first_restart = first_restart
        self._start = start
        self._best: Value | None = None
        self._words: list[WordId] | None = None
        """The words of the last fill; each fill is better than the one before."""
        if start.best is not None:
            self._best = start.best.value
            self._words = _find_words(problem, start.best.fill)
        self._start_s = time.perf_counter()
        self._weights: list[float] = []
        self._nodes = self._fails = 0
        self._search_s = 0.0
        self._looked_s = self._start_s

    def work(self) -> Finished:
        """Run the search; the events go to the control."""
        proof = "maintained arc consistency"
        wipeout = None
        try:
            if self._problem.criteria:
                if self._optimise():
                    proof = "arc consistency"
            elif self._control.limits.fills == 1:
                self._satisfy()
            else:
                self._enumerate()
        except Stopped as stop:
            return Finished(stop.reason, stats=self._stats())
        except Wipeout as empty:
            proof = "arc consistency"
            wipeout = empty.slot
        return Finished(StopReason.EXHAUSTED, proof, wipeout, self._stats())

    def _satisfy(self) -> None:
        """Report one fill, unless one is known, and then better ones if the objective is a good fill."""
        good = self._problem.wants_good
        if good and self._words is not None:
            self._raise({})
            raise Stopped(StopReason.FILLS)
        for outcome, words in self._fill(self._problem.domains):
            if outcome is Outcome.FOUND:
                fill = Fill.of_words(self._problem, words)
                self._control.report_fill(fill, self._problem.score(words), counts=not good)
                if good:
                    self._satisfy()

    def _raise(self, floors: Mapping[Criterion, int]) -> None:
        """Report ever better fills, starting from the last one, for a limited number of nodes."""
        from cpfill.engines.mac.good_fill import LEVEL_NODES, Raiser

        assert self._words is not None
        fill = partial(self._fill, floors=floors, turn_nodes=LEVEL_NODES)
        Raiser(self._problem, self._control, self._kernels, self.advance, fill, words=self._words, floors=floors).run()

    def _enumerate(self) -> None:
        """Report the requested number of fills, or all."""
        kernel = self._make(self._problem.domains, by_cell=self._control.limits.fills is None)
        while self.advance(kernel) is Outcome.FOUND:
            words = kernel.words()
            self._control.report_fill(Fill.of_words(self._problem, words), self._problem.score(words))
        if kernel.wipeout() >= 0:
            raise Wipeout(kernel.wipeout())

    def _fill(
        self,
        domains: Sequence[int],
        *,
        floors: Mapping[Criterion, int] | None = None,
        quotas: Sequence[Quota] = (),
        restarts: bool = True,
        weights: Sequence[float] = (),
        made: list[Kernel] | None = None,
        turn_nodes: int = TURN_NODES,
    ) -> Iterator[tuple[Outcome, list[WordId]]]:
        """Look for one fill in turns; add the kernels to `made`."""
        problem = self._problem
        parts: Sequence[Sequence[SlotId]] = problem.grid.components
        if problem.constraints.tie_components or floors or quotas:
            parts = [range(len(problem.slots))]

        def make(within: Sequence[int], part: Sequence[SlotId]) -> Kernel:
            kernel = self._make(within, slots=part, floors=floors, quotas=quotas, restarts=restarts, weights=weights)
            if made is not None:
                made.append(kernel)
            return kernel

        advance = partial(self.advance, nodes=turn_nodes)
        turns = fill_components(problem, domains, make, advance, parts=parts, seed=self._control.limits.seed)
        for outcome, words in turns:
            if outcome is Outcome.FOUND:
                self._words = words
            yield outcome, words

    def _optimise(self) -> bool:
        """Maximise one criterion after another; return whether arc consistency alone gave the last bound."""
        problem = self._problem
        control = self._control
        domains = ac3(problem, problem.domains, control.check)
        floors: dict[Criterion, int] = {}
        by_consistency = False
        for stage, criterion in enumerate(problem.criteria):
            ends = tuple(IntervalEnd)
            if criterion is problem.criteria[-1]:
                ends = self._start.ends
            if criterion.adds_up:
                by_consistency = False
                self._improve(domains, floors, criterion, ends)
            else:
                descent = self._descend(domains, floors, ends)
                domains = descent.domains
                by_consistency = descent.by_consistency
            if self._best is None:
                break
            if criterion.adds_up:
                floors[criterion] = round(self._best[stage] * problem.gains(criterion).per_unit)
        # In a race the best fill may be another search's, which raises it.
        if problem.wants_good and self._words is not None and problem.score(self._words) == self._best:
            self._raise(floors)
        return by_consistency

    def _descend(self, domains: Sequence[int], floors: Mapping[Criterion, int], ends: Sequence[IntervalEnd]) -> Descent:
        """Report ever better fills by a criterion that does not add up, until no fill is better."""
        descent = Descent(
            self._problem,
            domains,
            self._control,
            partial(self._ask, floors),
            best=self._best,
            bound=self._start.bound,
            ends=ends,
        )
        descent.run()
        self._best = descent.best
        return descent

    def _improve(
        self, domains: list[int], floors: dict[Criterion, int], criterion: Criterion, ends: Sequence[IntervalEnd]
    ) -> None:
        """Report ever better fills by a criterion that adds up, until no fill is better."""
        from cpfill.engines.mac.sum_optimum import Improver

        improver = Improver(
            self._problem,
            self._control,
            self._kernels,
            self.advance,
            partial(self._fill, floors=floors),
            criterion=criterion,
            domains=domains,
            floors=floors,
            first_restart=self._first_restart,
            best=self._best,
            words=self._words,
            ends=ends,
            best_of_all=self._start.best_of_all,
        )
        improver.run()
        self._best = improver.best
        self._words = improver.words

    def _ask(
        self, floors: Mapping[Criterion, int], domains: list[int], quotas: list[Quota], end: IntervalEnd
    ) -> ThresholdQuery:
        """Return a question for a descent.

        From above, the expected answer is a refutation. There, restarts do more harm than good, and the cell weights of
        one refutation help the next.
        """
        if end is IntervalEnd.BELOW:
            return self._fill(domains, floors=floors, quotas=quotas).__next__
        return self._refute(domains, floors, quotas).__next__

    def _refute(
        self, domains: list[int], floors: Mapping[Criterion, int], quotas: list[Quota]
    ) -> Iterator[tuple[Outcome, list[WordId]]]:
        made: list[Kernel] = []
        weights: Sequence[float] = ()
        if len(self._weights) == len(self._kernels.links):
            weights = self._weights
        for outcome, words in self._fill(
            domains, floors=floors, quotas=quotas, restarts=False, weights=weights, made=made
        ):
            if outcome is Outcome.EXHAUSTED and len(made) == 1:
                self._learn(made[0])
            yield outcome, words

    def _learn(self, kernel: Kernel) -> None:
        """Keep the weights of a kernel, scaled down so that later failures still matter."""
        weights = kernel.weights()
        most = max(weights, default=0.0)
        scale = 1.0
        if most > MOST_WEIGHT:
            scale = MOST_WEIGHT / most
        self._weights = [1.0 + (weight - 1.0) * scale for weight in weights]

    def _make(
        self,
        domains: Sequence[int],
        *,
        slots: Sequence[SlotId] | None = None,
        by_cell: bool = False,
        floors: Mapping[Criterion, int] | None = None,
        quotas: Sequence[Quota] = (),
        improving: Criterion | None = None,
        restarts: bool = True,
        weights: Sequence[float] = (),
    ) -> Kernel:
        return self._kernels.make(
            domains,
            slots=slots,
            seed=self._control.limits.seed,
            first_limit=self._first_restart if restarts and not by_cell else 0,
            by_cell=by_cell,
            floors=floors,
            quotas=quotas,
            improving=improving,
            weights=weights,
        )

    def advance(self, kernel: Kernel, nodes: int = _UNLIMITED) -> Outcome:
        """Run a kernel to its next solution, to its end, or for `nodes` more nodes."""
        limit = self._control.limits.nodes
        end = self._nodes + nodes
        while True:
            self._control.check()
            allowed = end
            if limit is not None:
                allowed = min(end, limit)
            start_s = time.perf_counter()
            done, failed, _ = kernel.counters()
            answer = kernel.step(SLICE_S, done + allowed - self._nodes)
            searched, fails, _ = kernel.counters()
            self._nodes += searched - done
            self._fails += fails - failed
            self._looked_s = time.perf_counter()
            self._search_s += self._looked_s - start_s
            if answer.name == "FOUND":
                return Outcome.FOUND
            if answer.name == "EXHAUSTED":
                return Outcome.EXHAUSTED
            self._control.progress = Progress("search", self._stats())
            if limit is not None and self._nodes >= limit:
                raise Stopped(StopReason.NODES)
            if self._nodes >= end:
                return Outcome.UNKNOWN

    def _stats(self) -> Stats:
        build_s = self._looked_s - self._start_s - self._search_s
        return Stats(self._nodes, self._fails, build_s=build_s, search_s=self._search_s)
