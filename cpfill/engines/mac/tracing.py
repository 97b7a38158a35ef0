"""A search of the pure-Python kernel that reports each step, by overriding methods; an untraced search pays nothing.

To be easy to follow, it searches the whole grid, not component by component, and always branches on words.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.errors import UnsupportedError
from cpfill.base.texts import say
from cpfill.engines.mac.kernels import KernelMaker
from cpfill.engines.mac.search import MacSearch, StartingPoint
from cpfill.engines.mac.twin import Costs, Index, Kernel
from cpfill.engines.toolkit.worker import run_in_thread
from cpfill.problem.event import Assignment, Refutation, Restart, Revision, Stats

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from cpfill.engines.mac.kernels import MacSpec
    from cpfill.engines.toolkit.worker import Control
    from cpfill.problem.event import Event, Finished, Step
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import SlotId

    Tell = Callable[[Step, Stats], None]


def search_traced(problem: Problem, limits: Limits, first_restart: int) -> Generator[Event]:
    """Search for fills, and report each step.

    Raises:
        UnsupportedError: the problem has an objective.
    """
    if problem.criteria:
        raise UnsupportedError(say("engine mac cannot trace a search for the best fill; engines that can: fc, fc-cbj"))

    def work(control: Control) -> Finished:
        return _TracedSearch(problem, control, first_restart).work()

    return run_in_thread("mac", limits, work)


class _TracedSearch(MacSearch):
    """A search with one kernel, which reports its steps."""

    def __init__(self, problem: Problem, control: Control, first_restart: int) -> None:
        kernel = partial(TracedKernel, problem, control.report_step)
        module = SimpleNamespace(Index=Index, Costs=Costs, Kernel=kernel)
        super().__init__(problem, control, KernelMaker(problem, module), first_restart, StartingPoint())

    def _satisfy(self) -> None:
        self._enumerate()

    def _make(self, domains: Sequence[int], **how: Any) -> Any:  # noqa: ANN401
        return super()._make(domains, **{**how, "by_cell": False})


class _Placed(NamedTuple):
    """A placed word, and the domain sizes before it was placed."""

    slot: SlotId
    word: str
    sizes: list[int]


class TracedKernel(Kernel):
    """A kernel for all slots of a problem that calls `tell` with each step, and with its counters so far."""

    def __init__(self, problem: Problem, tell: Tell, spec: MacSpec) -> None:
        super().__init__(spec)
        self._words = [table.words for table in problem.tables]
        self._tell_step = tell
        self._placed: list[_Placed] = []
        self._known = self._sizes[:]  # the last reported sizes at the root

    def _tell(self, step: Step) -> None:
        self._tell_step(step, Stats(self._nodes, self._fails))

    def _descend(self) -> bool:
        sizes = self._sizes[:]
        if not super()._descend():
            return False
        slot, one_hot, *_ = self._levels[-1]
        self._placed.append(_Placed(slot, self._words[slot][self._tables[slot].ids[one_hot]], sizes))
        return True

    def _propagate(self) -> bool:
        """Propagate as the kernel does; report the decision or refutation before it, and its consequences."""
        stands = super()._propagate()
        depth = len(self._levels)
        if depth < len(self._placed):
            slot, word, sizes = self._placed.pop()
            self._tell(Refutation(slot, word, depth, self._list_shrunk(sizes), self._find_wipeout()))
        elif depth:
            slot, word, sizes = self._placed[-1]
            shrunk = {other: size for other, size in self._list_shrunk(sizes).items() if other != slot}
            self._tell(Assignment(slot, word, depth, shrunk, self._find_wipeout()))
        else:
            self._tell_revisions(None)
        return stands

    def _revise(self, slot: SlotId) -> bool:
        held = super()._revise(slot)
        if not self._placed:
            self._tell_revisions(slot)
        return held

    def _restart(self) -> None:
        super()._restart()
        self._placed.clear()
        self._tell(Restart(self._restarts))

    def _tell_revisions(self, revised: SlotId | None) -> None:
        """Report the words removed at the root since the last call: from `revised`, or forbidden by its only word."""
        for slot, (before, after) in enumerate(zip(self._known, self._sizes, strict=True)):
            if before != after:
                support = None if slot == revised else revised
                self._tell(Revision(slot, support, before, after))
        self._known = self._sizes[:]

    def _list_shrunk(self, sizes: Sequence[int]) -> dict[SlotId, int]:
        pairs = enumerate(zip(sizes, self._sizes, strict=True))
        return {slot: after for slot, (before, after) in pairs if before != after}

    def _find_wipeout(self) -> SlotId | None:
        return self._sizes.index(0) if 0 in self._sizes else None
