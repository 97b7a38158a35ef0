"""From a directory of grids, a file of grids or a file of jobs to the jobs. What is no job is refused, and told."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.batch.job import Job, Record, refusal
from cpfill.errors import Fault, GridError, InputError
from cpfill.formats import read_grids
from cpfill.sources import STDIN, display_name, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cpfill.batch.terms import Lists, Terms

_Source = tuple[str, "Callable[[], _Grids]"]
"""Where grids stand, and what reads them there."""

JOB_SUFFIXES = (".jsonl", ".ndjson")

_SHOWN = 40


@dataclass(frozen=True)
class Plan:
    """The jobs in their order, and the records of those that cannot be run."""

    jobs: list[Job] = field(default_factory=list)
    refused: list[Record] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Defaults:
    """What holds for every job, unless its line says otherwise. Each grid is a job for each of the seeds."""

    terms: Terms
    seeds: Sequence[int]
    lists: Lists


@dataclass(frozen=True, slots=True)
class _Grids:
    """A text with grids, and what is asked of them."""

    id: str | int
    name: str
    text: str
    terms: Terms
    seeds: Sequence[int]

    def jobs(self) -> Iterator[Job]:
        """Yield a job for each grid and seed."""
        terms = self.terms
        _, grids = read_grids(
            self.text,
            name=self.name,
            dialect=terms.dialect,
            alphabet=terms.letters,
            min_slot_length=terms.min_slot_length,
        )
        for number, grid in enumerate(grids, start=1):
            which = f"#{number}" if len(grids) > 1 else ""
            for seed in self.seeds:
                tail = which + (f"@{seed}" if len(self.seeds) > 1 else "")
                id_ = f"{self.id}{tail}" if tail else self.id
                yield Job(id_, self.name + which, grid, replace(terms, seed=seed))


def plan(source: str, defaults: Defaults, glob: str = "*.txt") -> Plan:
    """Return the jobs of a directory, of a file of jobs (`.jsonl`, `.ndjson` or `-`), or of any other file of grids.

    In a directory every file that matches `glob` has grids, those of its subdirectories too, in the order of their
    names. The id of a job is the one its line has, or the name of the file, or `FILE:LINE`; `#2` follows where a file
    has several grids, and `@7` where there are several seeds.

    Raises:
        InputError: there is no such file, or no job in it.
    """
    path = Path(source)
    directory = os.path.isdir(source)  # noqa: PTH112 - answers no to a name that cannot be one
    made, first = Plan(), dict[str | int, str]()
    for place, read in _in_directory(path, defaults, glob) if directory else _in_file(path, defaults):
        try:
            jobs = list(read().jobs())
            _check_ids(jobs, first, place)
        except InputError as exc:
            made.refused.append(refusal(place, exc))
        else:
            made.jobs.extend(jobs)
    if not (made.jobs or made.refused):
        expected = f"files with grids ({glob})" if directory else "a job a line"
        raise InputError(Fault(expected, "none", display_name(source)))
    return made


def _check_ids(jobs: Sequence[Job], first: dict[str | int, str], place: str) -> None:
    """Check that no other place has jobs of these ids; `first` says where each id was seen first."""
    for job in jobs:
        if first.setdefault(job.id, place) != place:
            raise InputError(Fault("an id of its own", f"'{job.id}', which {first[job.id]} has", place))


def _in_directory(directory: Path, defaults: Defaults, glob: str) -> Iterator[_Source]:
    for file in _files(directory, glob):
        id_ = file.relative_to(directory).as_posix()
        yield id_, partial(_of_file, id_, file, defaults)


def _in_file(path: Path, defaults: Defaults) -> Iterator[_Source]:
    if str(path) == STDIN or path.suffix in JOB_SUFFIXES:
        for number, line in enumerate(read_text(path).split("\n"), start=1):
            if line.strip():
                yield f"{display_name(path)}:{number}", partial(_of_line, line, path, number, defaults)
    else:
        grids = _of_file(path.name, path, defaults)  # that the one file cannot be read is bad usage, and no bad job
        yield path.name, lambda: grids


def _files(directory: Path, glob: str) -> list[Path]:
    try:
        found = sorted(directory.rglob(glob))
    except (ValueError, NotImplementedError) as exc:
        raise InputError(Fault("a pattern of file names such as '*.txt'", f"'{glob}' ({exc})")) from None
    visible = (path for path in found if not any(part.startswith(".") for part in path.relative_to(directory).parts))
    return [path for path in visible if path.is_file()]


def _of_file(id_: str, path: Path, defaults: Defaults) -> _Grids:
    return _Grids(id_, str(path), read_text(path, GridError), defaults.terms, defaults.seeds)


def _of_line(line: str, path: Path, number: int, defaults: Defaults) -> _Grids:
    try:
        return _decoded(line, path, number, defaults)
    except InputError as exc:
        name = display_name(path)
        raise InputError(*(f if f.path else replace(f, path=name, line=number) for f in exc.faults)) from None


def _decoded(line: str, path: Path, number: int, defaults: Defaults) -> _Grids:
    """Return what the line of a job asks; the files it names are seen from the directory of its own file."""
    given, base, place = _object(line), path.parent, f"{display_name(path)}:{number}"
    id_, grid = given.pop("id", place), given.pop("grid", None)
    if isinstance(id_, bool) or not isinstance(id_, str | int):
        raise InputError(Fault("a text or a whole number for 'id'", json.dumps(id_)[:_SHOWN]))
    terms = defaults.terms.updated(given, lambda name: defaults.lists.find(name, base))
    if isinstance(grid, list) and all(isinstance(row, str) for row in grid):
        name, text = f"{place}: grid", "\n".join(grid)
    elif isinstance(grid, str) and grid not in {"", STDIN}:
        name = str(base / grid)
        text = read_text(name, GridError)
    else:
        got = "none" if grid is None else json.dumps(grid)[:_SHOWN]
        raise InputError(Fault("the path of a grid, or an array of its rows, for 'grid'", got))
    return _Grids(id_, name, text, terms, [terms.seed] if "seed" in given else defaults.seeds)


def _object(line: str) -> dict[str, Any]:
    try:
        decoded = json.loads(line)
    except json.JSONDecodeError as exc:
        raise InputError(Fault("a JSON object", f"{exc.msg.lower()} at column {exc.colno}")) from None
    except (ValueError, RecursionError) as exc:  # a number or a nesting beyond what is read
        raise InputError(Fault("a JSON object", str(exc))) from None
    if not isinstance(decoded, dict):
        raise InputError(Fault('a JSON object such as {"grid": "a.txt"}', json.dumps(decoded)[:_SHOWN]))
    return decoded
