"""A job and its record: `answer_job` depends on the job alone, not on the process or machine."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import CpfillError, EngineError, Fault, InputError
from cpfill.base.texts import say
from cpfill.engines.search import Tally, search
from cpfill.problem.criteria import value_to_json
from cpfill.problem.identity import digest, encode, identify
from cpfill.words.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid
    from cpfill.runs.batch.terms import Terms
from cpfill.questions.posing import describe_posing
from cpfill.questions.records import posing_record

Record = dict[str, Any]
"""The result of a job as JSON. `status` is a `Status`, or one of the two below, and then `error` gives the reason."""

INVALID = "INVALID"
"""The job is bad input: its line, grid or list is invalid, or its engine cannot do the task."""

FAILED = "FAILED"
"""A failure: a wrong engine, or a process that ended."""

_KEY_DIGITS = 16

_SHELF = Shelf()
"""The lists of this process: jobs of the same lists come one after another."""


@dataclass(frozen=True)
class Job:
    """A grid to fill, with its terms.

    Attributes:
        id: identifies the job in its record.
        name: the file of the grid, or the line of the job.
        grid: the template.
        terms: everything else.
    """

    id: str | int
    name: str
    grid: Grid
    terms: Terms

    def pose(self) -> Problem:
        """Return the problem.

        Raises:
            InputError: a list cannot be read, or the request is inconsistent.
        """
        (problem,) = self.terms.request.problems([self.grid], _SHELF)
        return problem

    @cached_property
    def key(self) -> str:
        """The digest of the id and of everything that decides the answer; if posing fails, of the reason."""
        try:
            asked = identify(self.pose())
        except InputError as error:
            asked = {"grid": encode(self.grid), "error": str(error)}
        return self.key_of(asked)

    def pose_again(self) -> Problem:
        """Return the problem, in the process that answers it.

        Raises:
            InputError: as for `pose`, or the problem has changed since the key was made.
        """
        problem = self.pose()
        if self.key_of(identify(problem)) != self.key:
            raise InputError(
                Fault(say("the files as they were when the job was made"), say("changed files"), self.name)
            )
        return problem

    def key_of(self, asked: dict[str, Any]) -> str:
        """Return the key of a job whose problem has this identity."""
        return _key([self.id, self.terms.own, asked])


def _key(parts: object) -> str:
    return digest(parts)[:_KEY_DIGITS]


def answer_job(job: Job, stopped: Callable[[], bool] = lambda: False) -> Record:
    """Answer a job; errors become its record and are not raised. The search ends soon after `stopped` returns true."""
    start_s = time.perf_counter()
    try:
        terms = job.terms
        problem = job.pose_again()
        posed = posing_record(describe_posing(problem, terms.request, _SHELF))
        told = {name: value for name, value in posed.items() if value}
        tally = Tally(problem)
        with closing(search(problem, engine=terms.engine, limits=terms.limits)) as stream:
            for event in stream:
                tally.add(event)
                if stopped():
                    break
    except Exception as exc:  # noqa: BLE001 - one bad job does not stop the others
        return failure_record(job, exc)
    result = tally.result
    return {
        **_head(job),
        "status": result.status,
        **told,
        "reason": result.stop_reason,
        "value": value_to_json(result.value),
        "bound": value_to_json(result.bound),
        "proof": result.proof or None,
        "fill": result.fill and result.fill.rows,
        "engine": result.engine,
        "seed": terms.seed,
        "stats": result.stats._asdict(),
        "seconds": round(time.perf_counter() - start_s, 6),
    }


def failure_record(job: Job, error: BaseException) -> Record:
    """Return the record of a job that has no answer."""
    ours = isinstance(error, CpfillError)
    return {
        **_head(job),
        "status": INVALID if ours and not isinstance(error, EngineError) else FAILED,
        "error": str(error) if ours else f"{type(error).__name__}: {error}",
        "engine": job.terms.engine,
        "seed": job.terms.seed,
    }


def refusal_record(id_: str | int, error: InputError) -> Record:
    """Return the record of an invalid job, identified by its id and its faults without their paths."""
    faults = [(fault.expected, fault.got, fault.line, fault.column) for fault in error.faults]
    return {"id": id_, "key": _key([id_, faults]), "grid": None, "status": INVALID, "error": str(error)}


def _head(job: Job) -> Record:
    return {"id": job.id, "key": job.key, "grid": job.name}
