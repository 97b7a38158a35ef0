"""A job and its record: `answer_job` depends on the job alone, not on the process or machine."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import CpfillError, EngineError, InputError, expected
from cpfill.base.texts import say
from cpfill.problem.event import StopReason
from cpfill.problem.identity import digest, encode, identify
from cpfill.problem.result import Status
from cpfill.questions.question import QUESTIONS, Desk
from cpfill.questions.records import posing_record
from cpfill.questions.request import describe_posing
from cpfill.questions.solve import Solve
from cpfill.words.sources import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid
    from cpfill.questions.question import Question
    from cpfill.questions.request import Request

Record = dict[str, Any]
"""The result of a job as JSON. `status` is a `Status`, or one of the two below, and then `error` gives the reason."""

INVALID = "INVALID"
"""The job is bad input: its line, grid or list is invalid, or its engine cannot do the task."""

ANSWERED = "ANSWERED"
"""An answer to a question that has no status of its own."""

FAILED = "FAILED"
"""A failure: a wrong engine, or a process that ended."""

_KEY_DIGITS = 16

_TERMS = ("engine", "seed", "time_limit", "node_limit")

_SHELF = Shelf()
"""The lists of this process: jobs of the same lists come one after another."""


@dataclass(frozen=True)
class Job:
    """A question about a grid.

    Attributes:
        id: identifies the job in its record.
        name: the file of the grid, or the line of the job.
        grid: the template.
        question: everything else.
    """

    id: str | int
    name: str
    grid: Grid
    question: Question

    def pose(self) -> Problem:
        """Return the problem.

        Raises:
            InputError: a list cannot be read, or the request is inconsistent.
        """
        (problem,) = self.question.request.problems([self.grid], _SHELF)
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
            raise expected("the files as they were when the job was made", say("changed files"), self.name)
        return problem

    def key_of(self, asked: dict[str, Any]) -> str:
        """Return the key of a job whose problem has this identity."""
        return _key([self.id, self._terms, asked])

    @property
    def _terms(self) -> dict[str, Any]:
        """What decides the answer beside the problem."""
        plain = self.question.plain
        if isinstance(self.question, Solve):
            return {name: getattr(self.question, name) for name in _TERMS} | plain
        return {"ask": type(self.question).__name__, **plain}


def _key(parts: object) -> str:
    return digest(parts)[:_KEY_DIGITS]


def answer_job(job: Job, stopped: Callable[[], bool] = lambda: False) -> Record:
    """Answer a job; errors become its record and are not raised. The search ends soon after `stopped` returns true."""
    start_s = time.perf_counter()
    try:
        problem, question = job.pose_again(), job.question
        request = replace(question.request, grid=job.grid)
        posed = posing_record(describe_posing(problem, request, _SHELF))
        told = {name: value for name, value in posed.items() if value}
        parts: list[Mapping[str, Any]] = []
        end: Mapping[str, Any] = {}
        with closing(replace(question, request=request).records(_JobDesk(request, problem))) as records:
            for record in records:
                if record.get("done"):
                    end = record
                elif record.get("event") not in {"progress", "started", "bound"}:
                    if question.IMPROVES or record.get("better"):
                        parts = parts[:-1]
                    parts.append(record)
                if stopped():
                    break
    except Exception as exc:  # noqa: BLE001 - one bad job does not stop the others
        return failure_record(job, exc)
    answer = _fills_of(question, parts, end) if isinstance(question, Solve) else _parts_of(question, parts, end)
    head = {**_head(job), "status": end.get("status", ANSWERED if end else Status.UNKNOWN), **told}
    return {**head, **answer, "seconds": round(time.perf_counter() - start_s, 6)}


class _JobDesk(Desk):
    """Has the problem of a job, which is posed already."""

    def __init__(self, request: Request, problem: Problem) -> None:
        super().__init__(_SHELF)
        self._request, self._problem = request, problem

    def pose(self, request: Request, *, every: bool = False) -> Problem:
        """Return that problem, or the one of another request."""
        return self._problem if request is self._request and not every else super().pose(request, every=every)


def _fills_of(question: Solve, parts: Sequence[Mapping[str, Any]], end: Mapping[str, Any]) -> Record:
    """Return the answer to a question for fills: the last of them, and all if several are asked for."""
    rows = [[_row_of(row) for row in part["rows"]] for part in parts]
    record: Record = {"reason": StopReason.INTERRUPTED, **{name: end.get(name) for name in ("value", "bound", "proof")}}
    record |= {"reason": end["reason"]} if end else {}
    record |= {"fill": rows[-1] if rows else None} | ({"fills": rows} if question.every or question.number else {})
    return record | {"engine": end.get("engine"), "seed": question.seed, "stats": end.get("stats")}


def _row_of(cells: Sequence[str | None]) -> str:
    return "".join("#" if cell is None else cell if len(cell) == 1 else f"({cell})" for cell in cells)


def _parts_of(question: Question, parts: Sequence[Mapping[str, Any]], end: Mapping[str, Any]) -> Record:
    """Return the answer to any other question: its parts, and what they come to."""
    named = next(name for name, path in QUESTIONS.items() if path.endswith(f":{type(question).__name__}"))
    told = {name: value for name, value in end.items() if name not in {"done", "status"}}
    return {"ask": named, "records": parts, **told, "seed": question.seed}


def failure_record(job: Job, error: BaseException) -> Record:
    """Return the record of a job that has no answer."""
    ours = isinstance(error, CpfillError)
    return {
        **_head(job),
        "status": INVALID if ours and not isinstance(error, EngineError) else FAILED,
        "error": str(error) if ours else f"{type(error).__name__}: {error}",
        "engine": getattr(job.question, "engine", None),
        "seed": job.question.seed,
    }


def refusal_record(id_: str | int, error: InputError) -> Record:
    """Return the record of an invalid job, identified by its id and its faults without their paths."""
    faults = [(fault.expected, fault.got, fault.line, fault.column) for fault in error.faults]
    return {"id": id_, "key": _key([id_, faults]), "grid": None, "status": INVALID, "error": str(error)}


def _head(job: Job) -> Record:
    return {"id": job.id, "key": job.key, "grid": job.name}
