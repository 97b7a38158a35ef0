"""The engines `fc` and `fc-cbj`: arc consistency, then one search, with branch and bound if there is an objective."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cpfill.engines.backtrack.run import BacktrackRun
from cpfill.engines.contract import Feature
from cpfill.engines.options import AC3, ORDER, SHUFFLE, TRACE
from cpfill.engines.requirements import require_features
from cpfill.engines.toolkit.worker import Control, run_in_thread

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.engines.options import SlotOrder
    from cpfill.problem.event import Event, Finished
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits


class FcEngine:
    """Forward checking; complete: finds all fills, proves that no fill exists, proves the best value."""

    name: ClassVar[str] = "fc"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)
    backjump: ClassVar[bool] = False

    def __init__(
        self,
        *,
        ac3: bool = AC3.default,
        order: SlotOrder = ORDER.default,
        shuffle: bool = SHUFFLE.default,
        trace: bool = TRACE.default,
    ) -> None:
        self._ac3 = ac3
        self._order = order
        self._shuffle = shuffle
        self._trace = trace

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.contract`."""
        require_features(self, problem, limits)
        return run_in_thread(self.name, limits, lambda control: self._work(problem, control))

    def _work(self, problem: Problem, control: Control) -> Finished:
        kind = BacktrackRun
        if self._trace:
            from cpfill.engines.backtrack.trace import TracedRun

            kind = TracedRun
        return kind(
            problem, control, ac3=self._ac3, order=self._order, shuffle=self._shuffle, backjump=self.backjump
        ).work()


class FcCbjEngine(FcEngine):
    """Forward checking with conflict-directed backjumping; complete; options as for `fc`."""

    name: ClassVar[str] = "fc-cbj"
    backjump: ClassVar[bool] = True
