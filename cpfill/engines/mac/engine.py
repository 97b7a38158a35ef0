"""The engine `mac`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cpfill.base.errors import UnsupportedError
from cpfill.base.imports import load_kernel
from cpfill.base.texts import say
from cpfill.engines.contract import Feature
from cpfill.engines.mac import KERNEL
from cpfill.engines.mac.kernels import FIRST_RESTART, GREATEST_COST, KernelMaker, find_room
from cpfill.engines.mac.search import MacSearch, StartingPoint
from cpfill.engines.options import RESTARTS, TRACE
from cpfill.engines.requirements import require_features
from cpfill.engines.toolkit.worker import Control, run_in_thread
from cpfill.problem.problem import Objective

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from cpfill.engines.mac.probes import MacProbe, MacSampler
    from cpfill.problem.event import Event, Finished
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits


class MacEngine:
    """Maintained arc consistency; complete: finds all fills, proves that no fill exists, proves the best value."""

    name: ClassVar[str] = "mac"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def __init__(self, *, restarts: bool = RESTARTS.default, trace: bool = TRACE.default) -> None:
        self._kernel = load_kernel(KERNEL)
        self._first_restart = 0
        if restarts:
            self._first_restart = FIRST_RESTART
        self._trace = trace

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.contract`."""
        return self.improve(problem, limits, StartingPoint())

    def probe(self, problem: Problem, seed: int, weights: Sequence[float] = ()) -> MacProbe:
        """Return a probe that answers questions about a problem; see `cpfill.engines.contract`."""
        from cpfill.engines.mac.probes import MacProbe

        return MacProbe(problem, self._kernel, seed, weights)

    def sampler(self, problem: Problem) -> MacSampler:
        """Return a sampler that draws random fills of a problem; see `cpfill.engines.contract`."""
        from cpfill.engines.mac.probes import MacSampler

        return MacSampler(problem, self._kernel)

    def improve(self, problem: Problem, limits: Limits, start: StartingPoint) -> Generator[Event]:
        """Search as `search` does, from a starting point; report only better fills and bounds."""
        require_features(self, problem, limits)
        _require_budgets(problem)
        if self._trace and problem.criteria:
            raise UnsupportedError(
                say("engine mac cannot trace a search for the best fill; engines that can: fc, fc-cbj")
            )

        def work(control: Control) -> Finished:
            kernels = KernelMaker(problem, self._kernel)
            if self._trace:
                from cpfill.engines.mac.trace import TracedMacSearch

                return TracedMacSearch(problem, control, kernels, self._first_restart).work()
            return MacSearch(problem, control, kernels, self._first_restart, start).work()

        return run_in_thread(self.name, limits, work)


def _require_budgets(problem: Problem) -> None:
    """Check that the budgets have room for any quotas that V5 may need.

    A quota of e more words than the one before takes log₂(e + 1) ≤ e bits. Rules and a theme have their own budgets.

    Raises:
        UnsupportedError: there is not enough room.
    """
    if problem.objective is not Objective.LEXIMIN:
        return
    slots = len(problem.slots)
    bits = slots
    if problem.levels:
        bits = min(slots, len(problem.levels) * slots.bit_length())
    budgets = find_room(len(problem.constraints.budgets))
    if problem.theme:
        budgets -= 1
    bits_of_budget = GREATEST_COST.bit_length() - 2 * slots.bit_length()
    if bits > budgets * bits_of_budget:
        missing = say("{feature}, in {slots} slots", feature=say(Feature.LEXIMIN), slots=slots)
        raise UnsupportedError(say("engine mac cannot {missing}; engines that can: cpsat, fc, fc-cbj", missing=missing))
