"""The engine `cpsat`: arc consistency, then CP-SAT."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cpfill.engines.contract import Feature
from cpfill.engines.cpsat.formulations import FORMULATIONS
from cpfill.engines.cpsat.search import CONSISTENCY, CpsatSearch
from cpfill.engines.cpsat.solver import Solver, parse_parameters
from cpfill.engines.options import CORE, CPSAT_PARAM, FORMULATION, MAXIMISE, VERBOSE
from cpfill.engines.requirements import require_features
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.engines.toolkit.worker import Control, Stopped, run_in_thread
from cpfill.problem.event import Finished, Stats, StopReason

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits


class CpsatEngine:
    """CP-SAT; complete: finds all fills, proves that no fill exists, proves the best value.

    Its nodes are branches, but CP-SAT cannot limit those: `Limits.nodes` limits conflicts, of several branches each.
    """

    name: ClassVar[str] = "cpsat"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def __init__(
        self,
        *,
        formulation: str = FORMULATION.default,
        core: int = CORE.default,
        maximise: str = MAXIMISE.default,
        cpsat_param: Mapping[str, str] | None = CPSAT_PARAM.default,
        verbose: bool = VERBOSE.default,
    ) -> None:
        self._formulation = FORMULATIONS[formulation]
        self._core = core
        self._maximise = maximise
        self._parameters = parse_parameters(cpsat_param or {})
        self._log = verbose

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.contract`."""
        require_features(self, problem, limits)
        return run_in_thread(self.name, limits, lambda control: self._work(problem, control))

    def _work(self, problem: Problem, control: Control) -> Finished:
        solver = Solver(control, self._parameters, log=self._log)
        solver.note("arc consistency")
        try:
            domains = ac3(problem, problem.domains, control.check)
        except Wipeout as wipeout:
            stats = Stats(build_s=control.deadline.elapsed_s)
            return Finished(StopReason.EXHAUSTED, CONSISTENCY, wipeout.slot, stats)
        search = CpsatSearch(problem, domains, control, solver, formulation=self._formulation, core=self._core)
        try:
            if problem.criteria:
                proof = search.maximise(self._maximise)
            elif control.limits.fills is None:
                proof = search.enumerate()
            else:
                proof = search.satisfy()
        except Stopped as stop:
            return Finished(stop.reason, stats=solver.stats())
        return Finished(StopReason.EXHAUSTED, proof, stats=solver.stats())
