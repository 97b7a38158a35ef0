"""The engine `cpsat`: arc consistency, then CP-SAT on a lexicon core, on larger ones, and at last on the whole lexicon.

Only what holds on the whole lexicon is a proof. For V1 there are two ways:

descent    questions about score thresholds, see `cpfill.engines.thresholds`.
objective  one model that maximises the minimum, on the best-scored and the friendliest words of each slot. A fill that
           uses a word left out is worth no more than the best score left out: so much is known for the whole lexicon.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cpfill.engines.ac3 import Wipeout, ac3
from cpfill.engines.base import Feature, Outcome, require
from cpfill.engines.cpsat.core import lexicon_core
from cpfill.engines.cpsat.formulations import FORMULATIONS
from cpfill.engines.cpsat.solving import Solver, parse_parameters
from cpfill.engines.thresholds import GROWTH, descend
from cpfill.engines.worker import Control, Stopped, run
from cpfill.errors import Fault, InputError, unknown_name
from cpfill.events import Finished, Stats, StopReason
from cpfill.fill import Fill
from cpfill.problem import Objective

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from cpfill.engines.cpsat.formulations import Formulation
    from cpfill.events import Event, Limits
    from cpfill.lexicon import WordId
    from cpfill.problem import Problem

FIRST_WORK = 8.0
"""Deterministic time for the first core; a core `GROWTH` times larger gets `GROWTH` times as much."""

MAXIMISE = ("descent", "objective")


class CpsatEngine:
    """CP-SAT; complete: finds all fills, proves that there is none, proves the best value.

    Options:
        formulation: `boolean` or `table`, see `formulations`.
        core: words a slot in the first lexicon core.
        maximise: the way to V1, `descent` or `objective`.
        cpsat_param: CP-SAT parameters by name, as text.
        verbose: send the solver's log to standard error.
    """

    name: ClassVar[str] = "cpsat"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def __init__(
        self,
        *,
        formulation: str = "boolean",
        core: int = 300,
        maximise: str = "descent",
        cpsat_param: Mapping[str, str] | None = None,
        verbose: bool = False,
    ) -> None:
        if formulation not in FORMULATIONS:
            raise InputError(unknown_name("a formulation", formulation, FORMULATIONS))
        if maximise not in MAXIMISE:
            raise InputError(unknown_name("a way to maximise", maximise, MAXIMISE))
        if core < 1:
            raise InputError(Fault(expected="a core of at least 1 word a slot", got=str(core)))
        self._formulation = FORMULATIONS[formulation]
        self._core = core
        self._maximise = maximise
        self._parameters = parse_parameters(cpsat_param or {})
        self._log = verbose

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.base`."""
        require(self, problem, limits)
        return run(self.name, limits, lambda control: self._work(problem, control))

    def _work(self, problem: Problem, control: Control) -> Finished:
        solver = Solver(control, self._parameters, log=self._log)
        solver.note("arc consistency")
        try:
            domains = ac3(problem, problem.domains, control.check)
        except Wipeout as wipeout:
            stats = Stats(build_s=control.deadline.elapsed_s)
            return Finished(StopReason.EXHAUSTED, "arc consistency", wipeout.slot, stats)
        task = _Task(problem, domains, control, solver, formulation=self._formulation, core=self._core)
        try:
            if problem.objective is Objective.MIN:
                proof = task.descend() if self._maximise == "descent" else task.optimise()
            elif control.limits.fills is None:
                proof = task.enumerate()
            else:
                proof = task.satisfy()
        except Stopped as stop:
            return Finished(stop.reason, stats=solver.stats())
        return Finished(StopReason.EXHAUSTED, proof, stats=solver.stats())


class _Task:
    """One problem on its way through the solver; each way of solving returns what its proof rests on, or raises."""

    def __init__(
        self,
        problem: Problem,
        domains: list[int],
        control: Control,
        solver: Solver,
        *,
        formulation: type[Formulation],
        core: int,
    ) -> None:
        self._problem = problem
        self._domains = domains
        self._control = control
        self._solver = solver
        self._formulation = formulation
        self._core = core
        self._seen: set[tuple[WordId, ...]] = set()

    def enumerate(self) -> str:
        """Report every fill."""
        self._solver.run(self._model(self._domains), self._report, every=True)
        return _WHOLE

    def satisfy(self) -> str:
        """Report as many fills as are asked for, from one core after another."""
        several = self._control.limits.fills != 1
        self._cores(self._domains, self._report, work=None, every=several)
        return _WHOLE

    def descend(self) -> str:
        """Report ever better fills by questions about score thresholds, until none is left to ask."""
        by_consistency = descend(self._problem, self._domains, self._control, self._decide, FIRST_WORK)
        return "arc consistency" if by_consistency else _WHOLE

    def _decide(self, domains: list[int], work: float) -> tuple[Outcome, list[WordId]]:
        """Look for one fill."""
        answers: list[list[WordId]] = []
        outcome = self._cores(domains, answers.append, work=work, every=False)
        return (Outcome.FOUND, answers[-1]) if answers else (outcome, [])

    def optimise(self) -> str:
        """Report ever better fills from models with an objective, until none is better on the whole lexicon."""
        problem, control = self._problem, self._control
        best: float | None = None
        bound = problem.score([(domain & -domain).bit_length() - 1 for domain in self._domains])
        control.bound(bound)
        size, work = self._core, FIRST_WORK

        def report(words: list[WordId]) -> None:
            nonlocal best
            value = problem.score(words)
            if best is None or value > best:
                best = value
                control.found(Fill.of_words(problem, words), value, counts=False)

        domains = self._domains
        while best is None or best < bound:
            if best is not None:
                better = [domain & table.above(best) for domain, table in zip(domains, problem.tables, strict=True)]
                try:
                    domains = ac3(problem, better, control.check)
                except Wipeout:
                    control.bound(best)
                    return "arc consistency"
            friendly = lexicon_core(problem, domains, size, control.check)
            core = [mine | _first(domain, size) for mine, domain in zip(friendly, domains, strict=True)]
            whole = core == domains
            formulation = self._model(core)
            formulation.maximise_minimum()
            outcome = self._solver.run(formulation, report, work=None if whole else work, note=self._note(core))
            if outcome is Outcome.COMPLETE:
                left_out = max(self._best_left_out(domains, core), -1.0 if best is None else best)
                bound = min(bound, left_out)
                if bound >= 0:
                    control.bound(bound)
                if whole:
                    break
            size, work = size * GROWTH, work * GROWTH
        return _WHOLE

    def _best_left_out(self, domains: Sequence[int], core: Sequence[int]) -> float:
        """Return the best score among the words of the domains outside the core; -1 if there are none."""
        left_out = [domain & ~kept for domain, kept in zip(domains, core, strict=True)]
        return max(
            table.scores[(words & -words).bit_length() - 1] if words else -1.0
            for words, table in zip(left_out, self._problem.tables, strict=True)
        )

    def _cores(
        self, domains: list[int], on_words: Callable[[list[WordId]], None], *, work: float | None, every: bool
    ) -> Outcome:
        """Ask for one solution, or for every one, of one core after another; the last is the whole lexicon.

        `work` bounds the run on the whole lexicon. A smaller core that is settled without a solution, or that takes
        more than its share of work, gives way to the next.
        """
        size, share = self._core, FIRST_WORK
        while True:
            core = lexicon_core(self._problem, domains, size, self._control.check)
            whole = core == domains
            if not whole:
                try:
                    core = ac3(self._problem, core, self._control.check)
                except Wipeout:
                    size, share = size * GROWTH, share * GROWTH
                    continue
            model = self._model(core)
            outcome = self._solver.run(
                model, on_words, work=work if whole else share, every=every, note=self._note(core)
            )
            if whole or (outcome is Outcome.FOUND and not every):
                return outcome
            size, share = size * GROWTH, share * GROWTH

    def _note(self, core: Sequence[int]) -> str:
        return f"CP-SAT on {sum(domain.bit_count() for domain in core)} words in {len(core)} slots"

    def _model(self, domains: Sequence[int]) -> Formulation:
        self._solver.note("building the model")
        return self._formulation(self._problem, domains, self._control.check)

    def _report(self, words: list[WordId]) -> None:
        """Report a fill of a task without an objective, unless a smaller core gave it before."""
        if self._control.limits.fills is not None:
            key = tuple(words)
            if key in self._seen:
                return
            self._seen.add(key)
        self._control.found(Fill.of_words(self._problem, words), self._problem.score(words))


_WHOLE = "CP-SAT on the whole lexicon"


def _first(domain: int, size: int) -> int:
    """Return the `size` lowest members of a bitset: the best-scored words of a domain."""
    if domain.bit_count() <= size:
        return domain
    low, high = size, domain.bit_length()
    while low < high:
        middle = (low + high) // 2
        if (domain & ((1 << middle) - 1)).bit_count() >= size:
            high = middle
        else:
            low = middle + 1
    return domain & ((1 << low) - 1)
