"""A search that reports each step, from the kernel's log; an untraced search keeps none.

To be easy to follow, it searches the whole grid, not component by component, and always branches on words.
"""

from __future__ import annotations

from array import array
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cpfill.engines.mac.kernels import REFUTED, REVISED, SIZES, TAKEN_BACK
from cpfill.engines.mac.search import MacSearch, StartingPoint
from cpfill.problem.event import Assignment, Refutation, Restart, Revision
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.engines.mac._kernel import Kernel
    from cpfill.engines.mac.kernels import KernelMaker
    from cpfill.engines.toolkit.worker import Control
    from cpfill.problem.event import Step
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId


class _Placed(NamedTuple):
    """A placed word, and the domain sizes before it was placed."""

    slot: SlotId
    word: str
    sizes: Sequence[int]


class TracedMacSearch(MacSearch):
    """A search with one kernel, which reports its steps."""

    def __init__(self, problem: Problem, control: Control, kernels: KernelMaker, first_restart: int) -> None:
        super().__init__(problem, control, kernels, first_restart, StartingPoint())
        self._placed: list[_Placed] = []
        self._sizes: Sequence[int] = [domain.bit_count() for domain in problem.domains]
        self._revised: SlotId | None = None
        self._last: _Placed | None = None  # the word that was placed, or taken back, last
        self._restarts = 0

    def _satisfy(self) -> None:
        self._enumerate()

    def _make(self, domains: Sequence[int], **_: object) -> Kernel:
        return self._kernels.make(
            domains, seed=self._control.limits.seed, first_limit=self._first_restart, logged=True, sized=True
        )

    def advance(self, kernel: Kernel, nodes: int = 1) -> Outcome:
        """Run a kernel to its next solution, or to its end, and report its steps."""
        outcome = Outcome.UNKNOWN
        while outcome is Outcome.UNKNOWN:
            try:
                outcome = super().advance(kernel, nodes)
            finally:
                for step in self._replay(array("i", kernel.log())):
                    self._control.report_step(step, self._stats())
        return outcome

    def _replay(self, log: Sequence[int]) -> Iterator[Step]:
        """Yield the steps in a log; sizes follow the entry that caused them."""
        entries = iter(log)
        for entry in entries:
            if entry == SIZES:
                yield from self._resize(list(islice(entries, len(self._sizes))))
                self._revised = None
            elif entry == REVISED:
                self._revised = next(entries)
            elif entry == TAKEN_BACK:
                if self._placed:
                    self._sizes = self._placed[0].sizes
                self._placed.clear()
                self._restarts += 1
                yield Restart(self._restarts)
            elif entry == REFUTED:
                self._last = self._placed.pop()
            else:
                next(entries)  # the position: a word has none
                word = next(entries)
                self._last = _Placed(entry, self._problem.tables[entry].words[word], self._sizes)
                self._placed.append(self._last)

    def _resize(self, sizes: Sequence[int]) -> Iterator[Step]:
        """Yield the step that led to these domain sizes, or the revisions before any word was placed."""
        before = self._last.sizes if self._last else self._sizes
        shrunk = {}
        for slot, (old, new) in enumerate(zip(before, sizes, strict=True)):
            if new < old:
                shrunk[slot] = new
        wipeout = None
        if 0 in sizes:
            wipeout = sizes.index(0)
        depth = len(self._placed)
        self._sizes = sizes
        if self._last is None:
            for slot, after in shrunk.items():
                support = None if slot == self._revised else self._revised
                yield Revision(slot, support, before[slot], after)
        elif self._placed and self._placed[-1] is self._last:
            shrunk.pop(self._last.slot, None)
            yield Assignment(self._last.slot, self._last.word, depth, shrunk, wipeout)
        else:
            yield Refutation(self._last.slot, self._last.word, depth, shrunk, wipeout)
