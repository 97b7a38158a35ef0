"""Answers many grids: makes jobs, answers them in parallel, and keeps a record of each.

Jobs come from a directory of grids, a file of grids or a file of jobs. Invalid jobs are refused and reported. A record
depends on its job alone, not on the process or machine, and is flushed before the next one is awaited.
"""

from __future__ import annotations

import os
import time
from codecs import BOM_UTF8
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, TypeGuard

from cpfill.base.errors import MAX_LIST_BYTES, CpfillError, EngineError, Fault, GridError, InputError, expected
from cpfill.base.files import STDIN, display_name, read_bytes, unpacked
from cpfill.base.records import LineFormat, RecordsFile, parse_object, quote_json
from cpfill.base.texts import hear, say
from cpfill.formats.dialects import parse_grids
from cpfill.formats.registry import is_size, parse_templates
from cpfill.problem import identity
from cpfill.problem.event import StopReason
from cpfill.problem.result import Status
from cpfill.questions.narrowing import relocate
from cpfill.questions.question import QUESTIONS, Desk, PosedDesk
from cpfill.questions.records import describe_posing, posing_record
from cpfill.questions.solve import Solve
from cpfill.words.sources import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid
    from cpfill.questions.question import Question
    from cpfill.runs.tasks import Record
    from cpfill.words.sources import ListFinder

_Part = Mapping[str, Any]
"""A part of an answer as JSON."""

INVALID = "INVALID"
"""The job is bad input: its line, grid or list is invalid, or its engine cannot do the task."""

ANSWERED = "ANSWERED"
"""An answer to a question that has no status of its own."""

FAILED = "FAILED"
"""A failure: a wrong engine, or a process that ended."""

_KEY_DIGITS = 16

_TERMS = ("engine", "seed", "time_limit", "node_limit")

_Reader: TypeAlias = "Callable[[Question], Sequence[Grid | None]]"
"""Returns the grids of a question, or `None` for a question that needs none."""

_SHELF = Shelf()
"""The lists of this process: jobs of the same lists come one after another."""


@dataclass(frozen=True)
class Job:
    """A question about a grid.

    Attributes:
        id: identifies the job in its record.
        name: the file of the grid, or the line of the job.
        grid: the template; `None` if the question needs none.
        question: everything else.
    """

    id: str | int
    name: str
    grid: Grid | None
    question: Question

    def pose(self) -> Problem:
        assert self.grid is not None
        (problem,) = self.question.request.problems([self.grid], _SHELF)
        return problem

    @cached_property
    def key(self) -> str:
        """The digest of the id and of everything that decides the answer; if posing fails, of the reason."""
        if self.grid is None:
            return self.key_of({"alphabet": self.question.request.alphabet.letters})
        try:
            asked = identity.identify(self.pose())
        except InputError as error:
            asked = {"grid": identity.encode_problem(self.grid), "error": str(error)}
        return self.key_of(asked)

    def pose_again(self) -> Problem:
        """Return the problem, in the process that answers it."""
        problem = self.pose()
        if self.key_of(identity.identify(problem)) != self.key:
            raise expected("the files as they were when the job was made", say("changed files"), self.name)
        return problem

    def key_of(self, asked: dict[str, Any]) -> str:
        return _key([self.id, self._terms, asked])

    def answer(self, stopped: Callable[[], bool]) -> Record:
        return answer_job(self, stopped=stopped)

    def fail(self, error: BaseException) -> Record:
        return failure_record(self, error)

    @property
    def _terms(self) -> dict[str, Any]:
        plain = self.question.plain
        if isinstance(self.question, Solve):
            return {name: getattr(self.question, name) for name in _TERMS} | plain
        return {"ask": type(self.question).__name__, **plain}


def _key(parts: object) -> str:
    return identity.digest(parts)[:_KEY_DIGITS]


def answer_job(job: Job, stopped: Callable[[], bool] = lambda: False) -> Record:
    """Answer a job; errors become its record and are not raised. The search ends soon after `stopped` returns true."""
    start_s = time.perf_counter()
    question = job.question
    try:
        desk = Desk(_SHELF)
        posed: _Part = {}
        if job.grid is not None:
            problem = job.pose_again()
            request = replace(question.request, grid=job.grid)
            posed = posing_record(describe_posing(problem, request, _SHELF))
            desk = PosedDesk(_SHELF, request, problem)
            question = replace(question, request=request)
        parts, end = _ask(question, desk, stopped)
    except Exception as exc:  # noqa: BLE001 - one bad job does not stop the others
        return failure_record(job, exc)
    status = end.get("status", ANSWERED if end else Status.UNKNOWN)
    told = {name: value for name, value in posed.items() if value}
    record = {**_head(job), "status": status, **told}
    if isinstance(question, Solve):
        record |= _fills_of(question, parts, end)
    else:
        record |= _parts_of(question, parts, end)
    record["seconds"] = round(time.perf_counter() - start_s, 6)
    return record


def _ask(question: Question, desk: Desk, stopped: Callable[[], bool]) -> tuple[list[_Part], _Part]:
    """Return the parts of an answer without those that were replaced, and its end, empty if it was stopped."""
    parts: list[_Part] = []
    end: _Part = {}
    with closing(question.records(desk)) as records:
        for record in records:
            if record.get("done"):
                end = record
            elif record.get("event") not in {"progress", "started", "bound", "arranged"}:
                if question.IMPROVES or record.get("better"):
                    parts = parts[:-1]
                parts.append(record)
            if stopped():
                break
    return parts, end


def _fills_of(question: Solve, parts: Sequence[_Part], end: _Part) -> Record:
    """Return the answer to a question for fills: the last of them, and all if several are asked for."""
    fills = [list(map(_row_of, part["rows"])) for part in parts]
    record: Record = {
        "reason": end.get("reason", StopReason.INTERRUPTED),
        "value": end.get("value"),
        "bound": end.get("bound"),
        "proof": end.get("proof"),
        "fill": next(reversed(fills), None),
    }
    if question.every or question.number:
        record["fills"] = fills
    return record | {"engine": end.get("engine"), "seed": question.seed, "stats": end.get("stats")}


def _row_of(cells: Sequence[str | None]) -> str:
    return "".join(map(_cell_of, cells))


def _cell_of(cell: str | None) -> str:
    if cell is None:
        return "#"
    if len(cell) == 1:
        return cell
    return f"({cell})"


def _parts_of(question: Question, parts: Sequence[_Part], end: _Part) -> Record:
    """Return the answer to any other question: its records, and their result."""
    named = next(name for name, path in QUESTIONS.items() if path.endswith(f":{type(question).__name__}"))
    told = {name: value for name, value in end.items() if name not in {"done", "status"}}
    return {"ask": named, "records": parts, **told, "seed": question.seed}


def failure_record(job: Job, error: BaseException) -> Record:
    ours = isinstance(error, CpfillError)
    invalid = ours and not isinstance(error, EngineError)
    return {
        **_head(job),
        "status": INVALID if invalid else FAILED,
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


JOB_SUFFIXES = (".jsonl", ".ndjson")

_ID_CHARACTERS = 1000


@dataclass(frozen=True)
class Plan:
    """The jobs in order, and the records of those that cannot be run."""

    jobs: list[Job] = field(default_factory=list)
    refused: list[Record] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Defaults:
    """The defaults for every job, which its line may override. Each grid makes one job per seed."""

    question: Question
    seeds: Sequence[int]
    lists: ListFinder


@dataclass(frozen=True, slots=True)
class _Grids:
    """The grids of a text or a file, and the question about them."""

    id: str | int
    name: str
    read: _Reader
    question: Question
    seeds: Sequence[int]

    def jobs(self) -> Iterator[Job]:
        grids = self.read(self.question)
        for number, grid in enumerate(grids, start=1):
            which = ""
            if len(grids) > 1:
                which = f"#{number}"
            for seed in self.seeds:
                tail = which
                if len(self.seeds) > 1:
                    tail += f"@{seed}"
                id_ = f"{self.id}{tail}" if tail else self.id
                yield Job(id_, self.name + which, grid, replace(self.question, seed=seed))


def _of_rows(rows: str, name: str, question: Question) -> Sequence[Grid]:
    asked = question.request
    _, grids = parse_grids(
        rows, name=name, dialect=asked.dialect, alphabet=asked.alphabet, min_slot_length=asked.min_slot_length
    )
    return grids


def _of_file_with(data: bytes, path: str, question: Question) -> Sequence[Grid]:
    asked = question.request
    read = parse_templates(data, path, asked.alphabet, asked.min_slot_length, asked.dialect)
    return [template.grid for template in read]


def _of_size(size: str, question: Question) -> Sequence[Grid]:
    return [template.grid for template in replace(question.request, grid=size).templates()]


def _reader(path: str) -> Callable[[Question], Sequence[Grid]]:
    """Return a function that makes the grids of a file; an unreadable file fails at once."""
    if is_size(path):
        return partial(_of_size, path)
    return partial(_of_file_with, read_bytes(path, GridError), path)


class _Entry(NamedTuple):
    """An input that should be one job or several."""

    place: str
    """Where it stands."""
    unnamed: str
    """The id that it has if it says none."""
    line: bytes
    """Its text, in a file of jobs."""
    read: Callable[[], _Grids]


def plan(source: str, defaults: Defaults, glob: str = "*.txt") -> Plan:
    """Return the jobs of a directory, of a file of jobs (`.jsonl`, `.ndjson` or `-`), or of a file of grids.

    A size such as `5x5` stands for a file with an empty grid. In a directory and its subdirectories, every file that
    matches `glob` is read, in order of names. The id of a job is the id in its line, or the file name, or `FILE:LINE`;
    `#2` is appended if a file has several grids, and `@7` if there are several seeds. Ids do not depend on how the path
    was given.
    """
    path = Path(source)
    if os.path.isdir(source):  # noqa: PTH112 - answers no to a name that cannot be one
        wanted = say("files with grids ({glob})", glob=glob)
        entries = _in_directory(path, defaults, glob)
    else:
        wanted = say("a job a line")
        entries = _in_file(path, defaults)
    made = Plan()
    first: dict[str | int, str] = {}
    for entry in entries:
        try:
            jobs = list(entry.read().jobs())
            _check_ids(jobs, first, entry)
        except InputError as exc:
            id_ = _id_of(entry)
            own = first.setdefault(id_, entry.unnamed) == entry.unnamed
            made.refused.append(refusal_record(id_ if own else entry.unnamed, exc))
        else:
            made.jobs.extend(jobs)
    if not (made.jobs or made.refused):
        raise InputError(Fault(wanted, say("none"), display_name(source)))
    return made


def _check_ids(jobs: Sequence[Job], first: dict[str | int, str], entry: _Entry) -> None:
    """Check that no other entry has jobs with these ids; `first` maps each id to its first entry."""
    for job in jobs:
        owner = first.setdefault(job.id, entry.unnamed)
        if owner != entry.unnamed:
            found = say("'{id}', which {first} has", id=job.id, first=owner)
            raise expected("an id of its own", found, entry.place)


def _in_directory(directory: Path, defaults: Defaults, glob: str) -> Iterator[_Entry]:
    for file in _files(directory, glob):
        id_ = file.relative_to(directory).as_posix()
        yield _Entry(id_, id_, b"", partial(_of_file, id_, file, defaults))


def _in_file(path: Path, defaults: Defaults) -> Iterator[_Entry]:
    if str(path) != STDIN and path.suffix not in JOB_SUFFIXES:
        grids = _of_file(path.name, path, defaults)  # if the only file is unreadable, that is bad usage, not a bad job
        yield _Entry(path.name, path.name, b"", lambda: grids)
        return
    name = display_name(path)
    data = unpacked(read_bytes(path, most=MAX_LIST_BYTES), name)
    for number, line in enumerate(data.removeprefix(BOM_UTF8).splitlines(), start=1):
        if line.strip():
            place = f"{name}:{number}"
            read = partial(_of_line, line, path, number, defaults)
            yield _Entry(place, _unnamed(path, number), line, read)


def _files(directory: Path, glob: str) -> list[Path]:
    try:
        found = sorted(directory.rglob(glob))
    except (ValueError, NotImplementedError) as exc:
        got = f"'{glob}' ({hear(str(exc))})"
        raise expected("a pattern of file names such as '*.txt'", got) from None
    return [path for path in found if not _is_hidden(path.relative_to(directory)) and path.is_file()]


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _of_file(id_: str, path: Path, defaults: Defaults) -> _Grids:
    return _Grids(id_, str(path), _reader(str(path)), defaults.question, defaults.seeds)


def _of_line(line: bytes, path: Path, number: int, defaults: Defaults) -> _Grids:
    try:
        return _decoded(line, path, number, defaults)
    except InputError as exc:
        raise InputError(*(_place(fault, path, number) for fault in exc.faults)) from None


def _place(fault: Fault, path: Path, number: int) -> Fault:
    """Return a fault with the place of its line, if it has no place of its own."""
    if fault.path:
        return fault
    return fault._replace(path=display_name(path), line=number)


def _decoded(line: bytes, path: Path, number: int, defaults: Defaults) -> _Grids:
    """Return the grids and the question in a line; its file names are relative to the directory of its file."""
    given = parse_object(line, say("a JSON object such as {example}", example='{"grid": "a.txt"}'))
    base = path.parent
    id_ = given.pop("id", _unnamed(path, number))
    grid = given.pop("grid", None)
    if not _is_id(id_):
        raise expected(
            "a text or a whole number for 'id', {id_characters} characters at most",
            quote_json(id_),
            id_characters=_ID_CHARACTERS,
        )
    fields = _seen_from(base, given, defaults.lists)
    question = defaults.question.updated(fields, lambda name: defaults.lists.find(name, base))
    place = f"{display_name(path)}:{number}"
    if grid is not None or question.needs_grid:
        name, read = _find_reader(grid, base, place)
    else:
        name, read = place, lambda _: [None]
    seeds = [question.seed] if "seed" in given else defaults.seeds
    return _Grids(id_, name, read, question, seeds)


def _find_reader(grid: object, base: Path, place: str) -> tuple[str, _Reader]:
    """Return the name of the grid of a line, and the function that reads it."""
    if isinstance(grid, list) and all(isinstance(row, str) for row in grid):
        name = say("{place}: grid", place=place)
        return name, partial(_of_rows, "\n".join(grid), name)
    if isinstance(grid, str) and grid not in {"", STDIN}:
        name = grid if is_size(grid, base) else str(base / grid)
        return name, _reader(name)
    got = "none" if grid is None else quote_json(grid)
    raise expected("the path of a grid, its size, or an array of its rows, for 'grid'", got)


def _seen_from(base: Path, given: Mapping[str, Any], lists: ListFinder) -> dict[str, Any]:
    """Return the fields of a line, with file names relative to `base` made absolute."""

    def move(slot: object) -> object:
        if not isinstance(slot, str):
            return slot
        return relocate(slot, lambda name: lists.find(name, base).name)

    seen = dict(given)
    fills = given.get("avoid")
    if isinstance(fills, str) and fills not in {"", STDIN}:
        seen["avoid"] = str(base / fills)
    slots = given.get("slot")
    if isinstance(slots, list):
        seen["slot"] = list(map(move, slots))
    elif isinstance(slots, str):
        seen["slot"] = move(slots)
    return seen


def _unnamed(path: Path, number: int) -> str:
    if str(path) == STDIN:
        return f"{display_name(path)}:{number}"
    return f"{path.name}:{number}"


def _id_of(entry: _Entry) -> str | int:
    """Return the id of a refused entry: the id in its line, if that can be read."""
    try:
        id_ = parse_object(entry.line).get("id")
    except InputError:
        return entry.unnamed
    if not _is_id(id_):
        return entry.unnamed
    return id_


def _is_id(value: object) -> TypeGuard[str | int]:
    known = isinstance(value, str | int) and not isinstance(value, bool)
    return known and len(str(value)) <= _ID_CHARACTERS


class JobOutcome(NamedTuple):
    """The part of a record that stays in memory while others are made."""

    id: str | int
    status: str
    error: str

    @classmethod
    def of(cls, record: Record) -> Self:
        return cls(record["id"], str(record["status"]), str(record.get("error", "")))


_LINES = LineFormat("cpfill batch", b'{"id": ', {"id": (str, int), "status": str})


def encode_line(record: Record) -> bytes:
    return _LINES.encode(record)


class BatchResults(RecordsFile[JobOutcome]):
    def __init__(self, path: str) -> None:
        super().__init__(path, _LINES, keep=JobOutcome.of)
