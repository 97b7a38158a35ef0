"""Results: a record of each run, one JSON line each, on the disk before the next run begins.

Summarises results: which contender decided which runs, and how fast.

decided   the run reached the requested answer, or proved that no fill exists
PAR2      the mean of the seconds per run, where an undecided run counts twice the limit
common    the runs that every contender of the family decided; times are compared only on these
search    seconds from the call of the engine to its last event, including model building; for a peer, its own figure
CPU       processor time of the process and of those it started; the figure least disturbed by other work
wall      seconds of the whole process, including its start

In geometric means and ratios nothing counts as less than a millisecond.

Wrong results: answers that failed a check, and pairs of answers that contradict each other.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from itertools import permutations
from pathlib import Path
from statistics import fmean, median
from types import NoneType
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import MAX_BENCH_BYTES, InputError, expected, megabytes, tell_reason, unknown_name
from cpfill.base.records import LineFormat, RecordsFile
from cpfill.base.texts import say
from cpfill.problem.problem import exceeds, format_value, value_from_json
from cpfill.problem.result import Status
from cpfill.runs.bench.suite import RULES, Ask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cpfill.base.records import Shape

Record = dict[str, Any]
"""A record as `run.py` writes it; `report.py` reads only keys that `run.py` writes."""


class RunVerdict(StrEnum):
    """The verdict on a run."""

    FILLED = "filled"
    """The requested answer: a fill, the best fill with its proof, or all fills."""
    NO_FILL = "no fill"
    """A proof, or a peer's claim, that no fill exists."""
    UNDECIDED = "undecided"
    """It ended without an answer."""
    TIMEOUT = "timeout"
    """It was killed."""
    CRASH = "crash"
    """It ended with an error."""
    WRONG = "wrong"
    """Its answer is wrong."""


DECIDED = frozenset({RunVerdict.FILLED, RunVerdict.NO_FILL})


_NUMBER = (int, float)

# The keys that the report reads.
_SHAPE: Shape = {
    **dict.fromkeys(RULES, (str, *_NUMBER, NoneType)),
    **dict.fromkeys(("suite", "family", "label", "grid", "list", "grid_hash", "list_hash"), str),
    **dict.fromkeys(("objective", "ask", "verdict", "detail"), str),
    **dict.fromkeys(("seed", "repeat"), int),
    **dict.fromkeys(("limit_s", "cpu_s", "wall_s", "peak_mb"), _NUMBER),
    **dict.fromkeys(("status", "proof"), (str, NoneType)),
    **dict.fromkeys(("value", "bound"), (*_NUMBER, list, NoneType)),
    "solve_s": (*_NUMBER, NoneType),
    **dict.fromkeys(("fills", "yes", "no", "open"), (int, NoneType)),
    "audited": (bool, NoneType),
    "entries": (list, NoneType),
    "lemmas": (int, NoneType),
    **dict.fromkeys(("write_s", "check_s"), (*_NUMBER, NoneType)),
    "checker": (str, NoneType),
}

_LINES = LineFormat("cpfill bench run", b'{"bench": 6, "key": "', _SHAPE, {"bench": 6})


def encode(record: Record) -> bytes:
    """Return a record as a line."""
    return _LINES.encode(record)


def read_results(paths: Sequence[str]) -> list[tuple[str, list[Record]]]:
    """Return the records of each file; an incomplete last line is ignored.

    Raises:
        InputError: a file does not exist, or contains no results.
    """
    files = []
    for path in paths:
        records = _read(path)
        if not records:
            raise expected("results of cpfill bench run", say("an empty file"), path)
        files.append((path, records))
    return files


def _read(path: str) -> list[Record]:
    try:
        with Path(path).open("rb") as file:
            return list(_within_budget(_LINES.parse(file, path), path))
    except FileNotFoundError:
        raise expected("a file", say("nothing there"), path) from None
    except OSError as exc:
        raise expected("a readable file", tell_reason(exc), path) from None
    except InputError:
        raise
    except ValueError as exc:  # a NUL in the name
        raise expected("a file name", tell_reason(exc), path) from None


def _within_budget(records: Iterable[tuple[Record, bytes]], path: str) -> Iterator[Record]:
    size = 0
    for record, line in records:
        size += len(line)
        if size > MAX_BENCH_BYTES:
            raise expected("results of {size}", say("more"), path, size=megabytes(MAX_BENCH_BYTES))
        yield record


class BenchResults(RecordsFile[Record]):
    """The file of the records of a benchmark, which survive a crash of the machine."""

    def __init__(self, path: str) -> None:
        super().__init__(path, _LINES, keep=lambda record: record, sync=True)


ALL = "all"
"""The family of all families."""
HARD_S = 0.1
"""Below this, start-up and noise dominate the measurement."""
_FLOOR_S = 0.001
"""Programs seldom print finer times, and ratios of microseconds are meaningless."""

RunId = tuple[Any, ...]
"""What contenders are compared on: a question, the seed, which repetition."""

QUESTION = ("grid_hash", "list_hash", *RULES)
_CELL = ("suite", "family", "grid", *QUESTION, "objective", "ask", "seed", "repeat")


@dataclass(frozen=True, slots=True)
class Times:
    """Median and geometric mean of seconds; `None` where there are none."""

    median_s: float | None
    mean_s: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One contender on one family."""

    family: str
    label: str
    runs: int
    filled: int
    no_fill: int
    wrong: int
    failed: int
    par2_search_s: float | None
    par2_wall_s: float
    common: int
    search: Times
    cpu: Times
    wall: Times
    peak_mb: float

    @property
    def decided(self) -> int:
        """How many runs were decided."""
        return self.filled + self.no_fill


@dataclass(frozen=True, slots=True)
class Ratio:
    """The speed-up of one contender over another: the geometric mean over `runs` that both decide."""

    runs: int
    faster: float | None


@dataclass(frozen=True, slots=True)
class Against:
    """One contender against another; `hard` covers the runs in which either needs more than `HARD_S`."""

    family: str
    one: str
    other: str
    search: Ratio
    search_hard: Ratio
    cpu: Ratio
    cpu_hard: Ratio
    wall: Ratio
    wall_hard: Ratio
    only_one: tuple[str, ...]
    only_other: tuple[str, ...]
    neither: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proof of one contender for one question, with its figures; `checker` is `None` if no checker accepted it.

    `value` is `None` if no fill exists, or if nothing was proved; in the latter case `lemmas` is `None` too.
    """

    label: str
    grid: str
    words: str
    value: float | list[float] | None
    lemmas: int | None
    search_s: float | None
    write_s: float | None
    check_s: float | None
    checker: str | None
    detail: str
    peak_mb: float


@dataclass(frozen=True)
class Results:
    """Records by label and cell, from one or several files; families of several suites have the suite before them."""

    by_label: dict[str, dict[RunId, Record]] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Sequence[tuple[str, Sequence[Record]]], *, own_clock: bool = False) -> Results:
        """Return the records of some files.

        If one file has several records of one label and cell, the last counts. If several files have a label for one
        cell, the file name distinguishes them: `label@file`. With `own_clock`, engines' times exclude model building.
        """
        owners: dict[tuple[str, RunId], set[str]] = defaultdict(set)
        for path, records in files:
            for record in records:
                owners[record["label"], run_id(record)].add(path)
        shared = {label for (label, _), paths in owners.items() if len(paths) > 1}
        several = len({record["suite"] for _, records in files for record in records}) > 1
        results = cls()
        for path, records in files:
            for record in records:
                label = record["label"]
                name = f"{label}@{Path(path).stem}" if label in shared else label
                family = f"{record['suite']}/{record['family']}" if several else record["family"]
                shown = {**record, "family": family}
                if own_clock and record.get("search_s") is not None:
                    shown["solve_s"] = record["search_s"]
                results.by_label.setdefault(name, {})[run_id(record)] = shown
        return results

    @property
    def labels(self) -> list[str]:
        """The contenders, in the order in which they first ran."""
        return list(self.by_label)

    def families(self) -> list[str]:
        """Return the families, and `ALL` if there are several."""
        found = list(dict.fromkeys(r["family"] for records in self.by_label.values() for r in records.values()))
        return [*found, ALL] if len(found) > 1 else found

    def csv(self) -> str:
        """Return a table with a row for each run, and a column for each key of the records.

        Nested keys are joined by dots, as in `versions.cpfill`; arrays are JSON. The fills themselves are omitted.
        """
        table = [
            {name: value for key, value in {**record, "label": label}.items() for name, value in _columns(key, value)}
            for label, records in self.by_label.items()
            for record in records.values()
        ]
        out = io.StringIO()
        writer = csv.DictWriter(out, list(dict.fromkeys(name for row in table for name in row)), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
        return out.getvalue()

    def of_family(self, label: str, family: str) -> dict[RunId, Record]:
        """Return the records of a contender on a family."""
        return {c: r for c, r in self.by_label[label].items() if family == ALL or r["family"] == family}

    def require(self, label: str) -> str:
        """Return the label, if the results have it.

        Raises:
            InputError: they do not.
        """
        if label not in self.by_label:
            raise InputError(unknown_name(say("an engine or peer of these results"), label, self.by_label))
        return label


_NO_COLUMNS = {"key", "fill", "entries"}


def _columns(key: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield the columns of a key, and their values."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from _columns(f"{key}.{name}", inner)
        case list():
            if key not in _NO_COLUMNS:
                yield key, json.dumps(value)
        case _ if key not in _NO_COLUMNS:
            yield key, value


def run_id(record: Record) -> RunId:
    """Return the identifier by which runs of different contenders are compared."""
    return tuple(record[name] for name in _CELL)


def decided(record: Record) -> bool:
    """Return whether a run reached an answer."""
    return record["verdict"] in DECIDED


def search_s(record: Record) -> float | None:
    """Return the seconds of search, `None` of a peer that does not say."""
    return record["solve_s"]  # type: ignore[no-any-return]


def cpu_s(record: Record) -> float | None:
    """Return the seconds of processor time."""
    return record["cpu_s"]  # type: ignore[no-any-return]


def wall_s(record: Record) -> float | None:
    """Return the seconds of the whole process."""
    return record["wall_s"]  # type: ignore[no-any-return]


def rows(results: Results) -> list[Row]:
    """Return the table: each contender on each family."""
    table = []
    for family in results.families():
        field_ = {label: found for label in results.labels if (found := results.of_family(label, family))}
        common = _common(field_.values())
        table += [_row(family, label, records, common) for label, records in field_.items()]
    return table


def _common(field_: Iterable[dict[RunId, Record]]) -> set[RunId]:
    """Return the cells that every contender decided."""
    return set.intersection(*({cell for cell, record in records.items() if decided(record)} for records in field_))


def _row(family: str, label: str, records: dict[RunId, Record], common: set[RunId]) -> Row:
    verdicts = [record["verdict"] for record in records.values()]
    shared = [records[cell] for cell in records if cell in common]
    par2_wall = _par2(records.values(), wall_s)
    assert par2_wall is not None
    return Row(
        family=family,
        label=label,
        runs=len(records),
        filled=verdicts.count(RunVerdict.FILLED),
        no_fill=verdicts.count(RunVerdict.NO_FILL),
        wrong=verdicts.count(RunVerdict.WRONG),
        failed=verdicts.count(RunVerdict.CRASH),
        par2_search_s=_par2(records.values(), search_s),
        par2_wall_s=par2_wall,
        common=len(shared),
        search=_times(shared, search_s),
        cpu=_times(shared, cpu_s),
        wall=_times(shared, wall_s),
        peak_mb=max(record["peak_mb"] for record in records.values()),
    )


def _par2(records: Iterable[Record], clock: Callable[[Record], float | None]) -> float | None:
    seconds = [clock(record) if decided(record) else 2 * record["limit_s"] for record in records]
    known = [each for each in seconds if each is not None]
    return fmean(known) if len(known) == len(seconds) else None


def _times(records: Iterable[Record], clock: Callable[[Record], float | None]) -> Times:
    seconds = [clock(record) for record in records]
    known = [each for each in seconds if each is not None]
    if not known or len(known) < len(seconds):
        return Times(None, None)
    return Times(median(known), geometric_mean(known))


def geometric_mean(numbers: Iterable[float]) -> float:
    """Return the geometric mean of some numbers, each raised to at least `_FLOOR_S`."""
    return math.exp(fmean(math.log(max(number, _FLOOR_S)) for number in numbers))


def against(results: Results, one: str, other: str) -> list[Against]:
    """Return the comparison of two contenders, on each family and on all.

    Raises:
        InputError: a contender does not exist.
    """
    ones, others = results.by_label[results.require(one)], results.by_label[results.require(other)]
    found = []
    for family in results.families():
        cells = [c for c in ones if c in others and (family == ALL or ones[c]["family"] == family)]
        both = [(ones[c], others[c]) for c in cells if decided(ones[c]) and decided(others[c])]
        if cells:
            found.append(
                Against(
                    family,
                    one,
                    other,
                    *_ratios(both, search_s),
                    *_ratios(both, cpu_s),
                    *_ratios(both, wall_s),
                    only_one=tuple(
                        name_question(ones[c]) for c in cells if decided(ones[c]) and not decided(others[c])
                    ),
                    only_other=tuple(
                        name_question(ones[c]) for c in cells if decided(others[c]) and not decided(ones[c])
                    ),
                    neither=sum(not decided(ones[c]) and not decided(others[c]) for c in cells),
                )
            )
    return found


def _ratios(both: list[tuple[Record, Record]], clock: Callable[[Record], float | None]) -> tuple[Ratio, Ratio]:
    """Return how much faster the first is: over all, and over those where either needs more than `HARD_S`."""
    timed = [(a, b) for one, other in both if (a := clock(one)) is not None and (b := clock(other)) is not None]
    hard = [(a, b) for a, b in timed if max(a, b) > HARD_S]
    return _ratio(timed), _ratio(hard)


def _ratio(pairs: list[tuple[float, float]]) -> Ratio:
    quotients = [max(b, _FLOOR_S) / max(a, _FLOOR_S) for a, b in pairs]
    return Ratio(len(pairs), geometric_mean(quotients) if quotients else None)


def name_question(record: Record) -> str:
    """Return a readable name of a question."""
    score = f" >= {record['min_score']:g}" if record["min_score"] else ""
    return f"{record['grid']}, {record['list']}{score}"


def certificates(results: Results) -> list[Certificate]:
    """Return the outcome of each question that asked for a proof."""
    return [
        Certificate(
            label,
            record["grid"],
            record["list"],
            record["value"] if record["lemmas"] is not None else None,
            record["lemmas"],
            search_s(record),
            record["write_s"],
            record["check_s"],
            record["checker"],
            record["detail"] or str(record["verdict"]),
            record["peak_mb"],
        )
        for label in results.labels
        for record in results.by_label[label].values()
        if record["ask"] == Ask.PROOF
    ]


def as_json(**tables: Sequence[Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a report as JSON, by name."""
    return {name: [asdict(row) for row in table] for name, table in tables.items()}


def wrong_answers(results: Results) -> list[str]:
    """Return every wrong answer."""
    return [
        f"{name_question(record)}: {label}: {record['detail']}"
        for label, records in results.by_label.items()
        for record in records.values()
        if record["verdict"] == RunVerdict.WRONG
    ]


def own_faults(results: Results) -> bool:
    """Return whether an engine of cpfill, and not only a peer, was wrong."""
    records = (record for found in results.by_label.values() for record in found.values())
    return any(record["verdict"] == RunVerdict.WRONG and "engine" in record for record in records)


def disagreements(results: Results) -> list[str]:
    """Return every pair of answers that contradict each other, across different questions too: one line each."""
    asked: dict[RunId, list[tuple[str, Record]]] = defaultdict(list)
    for label, records in results.by_label.items():
        for record in records.values():
            asked[tuple(record[name] for name in QUESTION)].append((label, record))
    found: dict[str, None] = {}
    for said in asked.values():
        for (one, claim), (other, denial) in permutations(said, 2):
            for text in _contradictions(claim, denial):
                found[f"{name_question(claim)}: {one} {text.format(other=other)}"] = None
    return list(found)


def _contradictions(claim: Record, denial: Record) -> Iterator[str]:
    """Yield how the answer of one run refutes the proof of another."""
    counted = (claim["status"], denial["status"]) == (Status.ALL_FILLS, Status.ALL_FILLS)
    if counted and claim["fills"] > denial["fills"]:
        yield say("counts {fills} fills, {{other}} counts {fills2}", fills=claim["fills"], fills2=denial["fills"])
    if claim["ask"] == denial["ask"] and claim["yes"] is not None and denial["yes"] is not None:
        most = denial["yes"] + denial["open"]
        if claim["yes"] > most:
            yield say(
                "shows fills for {yes} {ask}, {{other}} says that at most {most} have one",
                yes=claim["yes"],
                ask=claim["ask"],
                most=most,
            )
    untold = claim["status"] == Status.ALL_FILLS and claim["audited"] is None
    if not (claim["audited"] or untold):
        return
    if denial["status"] == Status.UNSATISFIABLE:
        yield say("has a fill, {{other}} says that none exists ({proof})", proof=denial["proof"] or say("no proof"))
        return
    value, bound = value_from_json(claim["value"]), value_from_json(denial["bound"])
    if value and bound and exceeds(value, bound):
        most = format_value(bound)
        yield say(
            "has a fill worth {value}, {{other}} says that no fill is worth more than {most}",
            value=format_value(value),
            most=most,
        )
