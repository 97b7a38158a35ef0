"""Runs of CP-SAT under the control of an engine: parameters, solutions, statistics, stopping."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, TypeVar

from ortools.sat.python import cp_model

from cpfill.base.errors import EngineError, expected, unknown_name
from cpfill.base.texts import say
from cpfill.engines.toolkit.worker import Stopped
from cpfill.problem.event import Progress, Stats, StopReason
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cpfill.engines.cpsat.formulations import Formulation, ReadValue
    from cpfill.engines.toolkit.worker import Control
    from cpfill.words.lexicon import WordId

_Told = TypeVar("_Told")

# No presolve: see "Presolve of CP-SAT" in cpfill/DECISIONS.md.
DEFAULTS: dict[str, int | float | bool] = {
    "cp_model_presolve": False,
    "cp_model_probing_level": 0,
    "linearization_level": 0,
    "symmetry_level": 0,
    "use_sat_inprocessing": False,
}

SUBSOLVERS = ("reduced_costs", "no_lp")
"""The subsolvers that take turns with CP-SAT's large neighbourhoods when one thread maximises a sum: the linear
relaxation bounds sums and leads to good words. See "Subsolvers of CP-SAT" in `cpfill/DECISIONS.md`."""

_NEARLY = 0.9
_CLOCK_SLACK_S = 0.25

_OWN = {
    "num_workers": "-j",
    "num_search_workers": "-j",
    "random_seed": "--seed",
    "max_time_in_seconds": "-t",
    "log_search_progress": "-v",
}
"""Parameters that cpfill sets itself, each with the option for it."""

_UNSOUND = frozenset(
    {
        "absolute_gap_limit",
        "enumerate_all_solutions",
        "interleave_search",
        "keep_all_feasible_solutions_in_presolve",
        "relative_gap_limit",
        "stop_after_first_solution",
        "stop_after_presolve",
        "stop_after_root_propagation",
    }
)
"""Parameters that would change the meaning of CP-SAT's answer for cpfill."""


def parse_parameters(settings: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of CP-SAT parameters given as text."""
    known = cp_model.CpSolver().parameters
    parsed: dict[str, Any] = {}
    for name, text in settings.items():
        _check_allowed(name, text)
        current = getattr(known, name, None)
        if not name.islower() or current is None or callable(current):
            fault = unknown_name(say("a CP-SAT parameter"), name, _list_parameters())
            raise expected("a CP-SAT parameter", fault.got)
        parsed[name] = _parse_value(name, text, current)
        _try_out(name, text, parsed[name])
    return parsed


def _check_allowed(name: str, text: str) -> None:
    """Check that a parameter is not an option of cpfill, and keeps the meaning of answers."""
    if name in _OWN:
        raise expected("option {own} instead of {name}", f"'{name}={text}'", own=_OWN[name], name=name)
    if name in _UNSOUND:
        raise expected("a parameter that does not change what an answer means", f"'{name}'")


def _list_parameters() -> list[str]:
    known = cp_model.CpSolver().parameters
    names = []
    for name in dir(known):
        public = name.islower() and not name.startswith("_")
        if public and not callable(getattr(known, name)):
            names.append(name)
    return names


def _try_out(name: str, text: str, value: Any) -> None:
    """Check a value with CP-SAT itself, on an empty model."""
    solver = cp_model.CpSolver()
    try:
        setattr(solver.parameters, name, value)
        accepted = solver.solve(cp_model.CpModel()) != cp_model.MODEL_INVALID
    except (TypeError, ValueError, OverflowError):
        accepted = False
    if not accepted:
        raise expected("a value that CP-SAT accepts for {name}", f"'{text}'", name=name)


def _parse_value(name: str, text: str, current: object) -> object:
    kind = type(current)
    try:
        if isinstance(current, bool):
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        if isinstance(current, int):
            return int(text)
        if isinstance(current, float):
            return float(text)
        return getattr(kind, text.upper())
    except (AttributeError, KeyError, ValueError):
        raise expected("a value of type {name} for {name2}", f"'{text}'", name=kind.__name__, name2=name) from None


class Solver:
    """Solves models one after another and adds up their statistics."""

    def __init__(self, control: Control, parameters: Mapping[str, Any], *, log: bool) -> None:
        self._control = control
        self._parameters = parameters
        self._log = log
        self._branches = self._conflicts = 0
        self._search_s = 0.0
        self.work = 0.0
        """The deterministic time of all runs so far."""

    def stats(self) -> Stats:
        """Return the statistics of all runs; time outside the search counts as building."""
        build_s = max(0.0, self._control.deadline.elapsed_s - self._search_s)
        return Stats(nodes=self._branches, backtracks=self._conflicts, build_s=build_s, search_s=self._search_s)

    def note(self, text: str) -> None:
        """Describe the current work."""
        self._control.progress = Progress(text, self.stats())

    def run(
        self,
        formulation: Formulation,
        on_words: Callable[[list[WordId]], None],
        *,
        work: float | None = None,
        every: bool = False,
        note: str = "search",
        on_bound: Callable[[float], None] | None = None,
        alternate: bool = False,
    ) -> Outcome:
        """Solve a model and pass each solution (ever better ones, with an objective) to `on_words`, which may raise.

        Bounds on the objective go to `on_bound`, which may raise too. `alternate` lets subsolvers and neighbourhoods
        take turns, which betters sums in large models. `work` bounds the run in CP-SAT's deterministic time, about a
        second per unit, so that the same seed gives the same answers. `every` asks for all solutions. Then one worker
        searches, because CP-SAT 9.15 silently omits solutions with several; and so it does under a limit on nodes,
        which several workers of CP-SAT overrun without end.

        Raises:
            Stopped: a limit of the whole search was reached.
        """
        nodes = self._count_nodes_left()
        self._control.check()
        solver = self._make_solver(self._make_settings(work, nodes, every=every, alternate=alternate))
        callback = _Callback(formulation, on_words, nodes)
        if on_bound is not None:
            solver.best_bound_callback = callback.guard(on_bound, solver.stop_search)
        self._control.on_close(solver.stop_search)
        self.note(note)
        start_s = time.perf_counter()
        status = solver.solve(formulation.model, callback)
        self._search_s += time.perf_counter() - start_s
        self._branches += solver.num_branches
        self._conflicts += solver.num_conflicts
        self.work += solver.deterministic_time
        self.note(note)
        if callback.raised:
            raise callback.raised
        if status == cp_model.MODEL_INVALID:
            message = formulation.model.validate() or solver.solution_info()
            raise EngineError(say("CP-SAT refuses the model: {validate}", validate=message))
        if status == cp_model.INFEASIBLE:
            return Outcome.EXHAUSTED
        if status == cp_model.OPTIMAL:
            one_of_many = not every and not formulation.model.has_objective()
            return Outcome.FOUND if one_of_many else Outcome.EXHAUSTED
        self._check_stopped(solver, work, nodes)
        return Outcome.FOUND if callback.solutions else Outcome.UNKNOWN

    def _make_solver(self, settings: Mapping[str, Any]) -> cp_model.CpSolver:
        """Return a solver with these parameters."""
        solver = cp_model.CpSolver()
        for name, value in settings.items():
            setattr(solver.parameters, name, value)
        if solver.parameters.interleave_search:
            solver.parameters.subsolvers.extend(SUBSOLVERS)
        if self._log:
            solver.log_callback = lambda line: print(line, file=sys.stderr)
        return solver

    def _check_stopped(self, solver: cp_model.CpSolver, work: float | None, nodes: int | None) -> None:
        """Check that the limit on work stopped a run that settled nothing.

        Raises:
            Stopped: another limit stopped it.
        """
        if nodes is not None and max(solver.num_branches, solver.num_conflicts) >= nodes:
            raise Stopped(StopReason.NODES)
        if work is None or solver.deterministic_time < _NEARLY * work:
            # A parameter stopped it, or the clock, which CP-SAT reads early.
            if self._is_time_over():
                raise Stopped(StopReason.TIME)
            raise Stopped(StopReason.SOLVER)
        self._control.check()

    def _is_time_over(self) -> bool:
        control = self._control
        if control.limits.time_s is None:
            return False
        return not self._parameters or control.deadline.remaining_s() < _CLOCK_SLACK_S

    def _make_settings(self, work: float | None, nodes: int | None, *, every: bool, alternate: bool) -> dict[str, Any]:
        """Return the parameters of one run."""
        limits = self._control.limits
        settings = dict(DEFAULTS)
        if alternate:
            settings["linearization_level"] = 1
        settings.update(self._parameters)
        settings["num_workers"] = 1
        if nodes is None and not every:
            settings["num_workers"] = limits.workers
        # One thread searches neighbourhoods too only if it goes from one subsolver to the next. That ignores limits on
        # conflicts.
        settings["interleave_search"] = alternate and nodes is None and settings["num_workers"] == 1
        settings["random_seed"] = limits.seed & 0x7FFFFFFF
        settings["enumerate_all_solutions"] = every
        settings["keep_all_feasible_solutions_in_presolve"] = every
        settings["catch_sigint_signal"] = False
        if limits.time_s is not None:
            settings["max_time_in_seconds"] = self._control.deadline.remaining_s()
        if work is not None:
            settings["max_deterministic_time"] = min(work, settings.get("max_deterministic_time", work))
        if nodes is not None:
            # CP-SAT has no limit on branches. Almost every conflict takes a branch, so a limit on conflicts does not
            # stop too early. CP-SAT ignores it while inprocessing probes, if a parameter turns inprocessing on.
            settings["max_number_of_conflicts"] = min(nodes, settings.get("max_number_of_conflicts", nodes))
        if self._log:
            settings["log_search_progress"] = True
            settings["log_to_stdout"] = False
        return settings

    def _count_nodes_left(self) -> int | None:
        """Return the number of branches still allowed.

        Raises:
            Stopped: no branch is left.
        """
        limit = self._control.limits.nodes
        if limit is not None and self._branches >= limit:
            raise Stopped(StopReason.NODES)
        if limit is None:
            return None
        return limit - self._branches


class _Callback(cp_model.CpSolverSolutionCallback):
    """Passes solutions on, and keeps an exception for the thread that waits for the solver."""

    def __init__(self, formulation: Formulation, on_words: Callable[[list[WordId]], None], nodes: int | None) -> None:
        super().__init__()
        self._formulation = formulation
        self._on_words = on_words
        self._nodes = nodes
        self.solutions = 0
        self.raised: BaseException | None = None
        self._take = self.guard(self._take_solution, self.stop_search)

    def guard(self, action: Callable[[_Told], None], stop: Callable[[], None]) -> Callable[[_Told], None]:
        """Return an action that stops the search instead of raising: no exception may cross the solver's C++ frames."""

        def act(told: _Told) -> None:
            if self.raised:
                return
            try:
                action(told)
            except BaseException as exc:  # noqa: BLE001 - raised again by `run`
                self.raised = exc
                stop()

        return act

    def on_solution_callback(self) -> None:
        """Handle a solution."""
        self._take(self.value)

    def _take_solution(self, value: ReadValue) -> None:
        self.solutions += 1
        self._on_words(self._formulation.read(value))
        if self._nodes is not None and self.num_branches >= self._nodes:
            raise Stopped(StopReason.NODES)
