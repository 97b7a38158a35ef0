"""The engine `mac`: the kernel, compiled where it was built, or else its pure-Python twin."""

from __future__ import annotations

import time
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from cpfill.engines.ac3 import Wipeout, ac3
from cpfill.engines.base import Feature, Outcome, require
from cpfill.engines.thresholds import descend
from cpfill.engines.worker import Control, Stopped, run
from cpfill.errors import EngineUnavailableError, InputError, unknown_name
from cpfill.events import Finished, Progress, Stats, StopReason
from cpfill.fill import Fill
from cpfill.problem import Objective

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from cpfill.engines.mac._kernel import Answer, Kernel
    from cpfill.events import Event, Limits
    from cpfill.lexicon import WordId
    from cpfill.problem import Problem

KERNELS = {"compiled": "cpfill.engines.mac._kernel", "python": "cpfill.engines.mac.twin"}

SLICE_S = 0.02
"""How long the kernel runs before it is asked again whether to go on."""

FIRST_RESTART = 100
"""Wipeouts before the first restart; each next one comes after 1.3 times as many."""

FIRST_WORK = 3_000.0
"""Nodes for the first questions about a score threshold."""

_UNLIMITED = 2**63


class MacEngine:
    """Maintained arc consistency; complete: finds all fills, proves that there is none, proves the best value.

    Options:
        kernel: `compiled` or `python`; by default the compiled one where it was built.
        restarts: restart the search for one fill now and then.
    """

    name: ClassVar[str] = "mac"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def __init__(self, *, kernel: str | None = None, restarts: bool = True) -> None:
        self._kernel = load_kernel(kernel)
        self._first_restart = FIRST_RESTART if restarts else 0

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.base`."""
        require(self, problem, limits)
        return run(self.name, limits, lambda control: _Task(problem, control, self._kernel, self._first_restart).work())


def load_kernel(name: str | None = None) -> Any:  # noqa: ANN401 - one of two modules with one interface
    """Return the module of a kernel, by default the compiled one where it was built.

    Raises:
        InputError: there is no kernel of that name.
        EngineUnavailableError: it was not built.
    """
    if name is not None and name not in KERNELS:
        raise InputError(unknown_name("a kernel", name, KERNELS))
    try:
        return import_module(KERNELS[name or "compiled"])
    except ModuleNotFoundError:
        if name is None:
            return import_module(KERNELS["python"])
        message = "the compiled kernel was not built: install cpfill where there is a C++20 compiler"
        raise EngineUnavailableError(message) from None


class _Task:
    """One problem on its way through the kernel."""

    def __init__(self, problem: Problem, control: Control, module: Any, first_restart: int) -> None:  # noqa: ANN401
        self._problem = problem
        self._control = control
        self._module = module
        self._first_restart = first_restart
        self._start_s = time.perf_counter()
        self._nodes = self._fails = 0  # of the kernels that are done with
        self._search_s = 0.0
        self._looked_s = self._start_s

    def work(self) -> Finished:
        """Do what is asked; the events go to the control."""
        wipeout, by_consistency = None, False
        try:
            if self._problem.objective is Objective.MIN:
                domains = ac3(self._problem, self._problem.domains, self._control.check)
                by_consistency = descend(self._problem, domains, self._control, self._decide, FIRST_WORK)
            else:
                wipeout = self._enumerate()
        except Stopped as stop:
            return Finished(stop.reason, stats=self._stats())
        except Wipeout as empty:
            wipeout = empty.slot
        proof = "arc consistency" if by_consistency or wipeout is not None else "maintained arc consistency"
        return Finished(StopReason.EXHAUSTED, proof, wipeout, self._stats())

    def _enumerate(self) -> int | None:
        """Report the fills that are asked for; return the slot that has no word to begin with, if there is one."""
        every = self._control.limits.fills is None
        kernel = self._make(self._problem.domains, by_cell=every)
        try:
            while self._advance(kernel, _UNLIMITED) is Outcome.FOUND:
                words = kernel.words()
                self._control.found(Fill.of_words(self._problem, words), self._problem.score(words))
        finally:
            self._count(kernel)
        return kernel.wipeout() if kernel.wipeout() >= 0 else None

    def _decide(self, domains: list[int], work: float) -> tuple[Outcome, list[WordId]]:
        """Look for one fill within so many nodes."""
        kernel = self._make(domains, by_cell=False)
        try:
            outcome = self._advance(kernel, int(work))
        finally:
            self._count(kernel)
        return outcome, kernel.words() if outcome is Outcome.FOUND else []

    def _make(self, domains: Sequence[int], *, by_cell: bool) -> Kernel:
        """Build a kernel: index the words and load the domains."""
        problem = self._problem
        tables = {table.length: table for table in problem.tables}
        place = {length: number for number, length in enumerate(tables)}
        kernel: Kernel = self._module.Kernel(
            letters=len(problem.grid.alphabet.letters),
            tables=[(table.length, table.codes) for table in tables.values()],
            slots=[
                (place[slot.length], problem.grid.neighbours[slot.id], problem.peers[slot.id]) for slot in problem.slots
            ],
            domains=[domain.to_bytes((domain.bit_length() + 7) // 8, "little") for domain in domains],
            seed=self._control.limits.seed % 2**64,
            first_limit=0 if by_cell else self._first_restart,
            by_cell=by_cell,
        )
        return kernel

    def _advance(self, kernel: Kernel, nodes: int) -> Outcome:
        """Run a kernel to its next solution, its end, or so many nodes."""
        limit = self._control.limits.nodes
        allowed = nodes if limit is None else min(nodes, limit - self._nodes)
        while True:
            self._control.check()
            answer = self._step(kernel, allowed)
            if answer is self._module.Answer.FOUND:
                return Outcome.FOUND
            if answer is self._module.Answer.EXHAUSTED:
                return Outcome.COMPLETE
            searched, _, _ = kernel.counters()
            self._control.progress = Progress("search", self._stats(kernel))
            if searched >= allowed:
                if limit is not None and self._nodes + searched >= limit:
                    raise Stopped(StopReason.NODES)
                return Outcome.UNKNOWN

    def _step(self, kernel: Kernel, nodes: int) -> Answer:
        start_s = time.perf_counter()
        answer = kernel.step(SLICE_S, nodes)
        self._looked_s = time.perf_counter()
        self._search_s += self._looked_s - start_s
        return answer

    def _count(self, kernel: Kernel) -> None:
        nodes, fails, _ = kernel.counters()
        self._nodes += nodes
        self._fails += fails

    def _stats(self, running: Kernel | None = None) -> Stats:
        nodes, fails, _ = running.counters() if running else (0, 0, 0)
        build_s = self._looked_s - self._start_s - self._search_s
        return Stats(self._nodes + nodes, self._fails + fails, build_s=build_s, search_s=self._search_s)
