"""Results: one JSON line per run, on the disk before the next run begins; those that are wrong or contradictory."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import permutations
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import MAX_BENCH_BYTES, InputError, expected, megabytes, tell_reason, unknown_name
from cpfill.base.records import LineFormat, RecordsFile
from cpfill.base.texts import say
from cpfill.problem.result import Clash, Evidence, Status, find_clash
from cpfill.problem.value import format_value, value_from_json
from cpfill.runs.bench.suite import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cpfill.base.records import Shape

Record = dict[str, Any]
"""A record as `run.py` writes it; `report.py` reads only keys that `run.py` writes."""


class RunVerdict(StrEnum):
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


def encode_record(record: Record) -> bytes:
    return _LINES.encode(record)


def read_results(paths: Sequence[str]) -> list[tuple[str, list[Record]]]:
    """Return the records of each file; an incomplete last line is ignored."""
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
        super().__init__(path, _LINES, keep=lambda record: record, sync_s=0.0)


RunId = tuple[Any, ...]
"""The key on which contenders are compared: question, seed, repetition."""

QUESTION = ("grid_hash", "list_hash", *RULES)
_CELL = ("suite", "family", "grid", *QUESTION, "objective", "ask", "seed", "repeat")


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
        every = [(path, record) for path, records in files for record in records]
        shared = _find_shared(every)
        several = len({record["suite"] for _, record in every}) > 1
        results = cls()
        for path, record in every:
            name = record["label"]
            if name in shared:
                name += f"@{Path(path).stem}"
            shown = dict(record)
            if several:
                shown["family"] = f"{record['suite']}/{record['family']}"
            if own_clock and record.get("search_s") is not None:
                shown["solve_s"] = record["search_s"]
            results.by_label.setdefault(name, {})[run_id(record)] = shown
        return results

    @property
    def records(self) -> list[tuple[str, Record]]:
        """All records, each with its label."""
        return [(label, record) for label, records in self.by_label.items() for record in records.values()]

    @property
    def labels(self) -> list[str]:
        return list(self.by_label)

    def require(self, label: str) -> str:
        if label not in self.by_label:
            raise InputError(unknown_name(say("an engine or peer of these results"), label, self.by_label))
        return label


def _find_shared(every: Iterable[tuple[str, Record]]) -> set[str]:
    """Return the labels that several files have for one cell."""
    owners: dict[tuple[str, RunId], str] = {}
    shared = set()
    for path, record in every:
        label = record["label"]
        if owners.setdefault((label, run_id(record)), path) != path:
            shared.add(label)
    return shared


def run_id(record: Record) -> RunId:
    """Return the identifier by which runs of different contenders are compared."""
    return tuple(record[name] for name in _CELL)


def decided(record: Record) -> bool:
    return record["verdict"] in DECIDED


def search_s(record: Record) -> float | None:
    return record["solve_s"]  # type: ignore[no-any-return]


def wall_s(record: Record) -> float | None:
    return record["wall_s"]  # type: ignore[no-any-return]


def name_question(record: Record) -> str:
    """Return a readable name of a question."""
    name = f"{record['grid']}, {record['list']}"
    if record["min_score"]:
        name += f" >= {record['min_score']:g}"
    return name


def _find_wrong(results: Results) -> list[tuple[str, Record]]:
    return [(label, record) for label, record in results.records if record["verdict"] == RunVerdict.WRONG]


def wrong_answers(results: Results) -> list[str]:
    return [f"{name_question(record)}: {label}: {record['detail']}" for label, record in _find_wrong(results)]


def own_faults(results: Results) -> bool:
    """Return whether an engine of cpfill, and not only a peer, was wrong."""
    return any("engine" in record for _, record in _find_wrong(results))


def find_disagreements(results: Results) -> list[str]:
    """Return every pair of answers that contradict each other, across different questions too: one line each."""
    asked: dict[RunId, list[tuple[str, Record]]] = defaultdict(list)
    for label, record in results.records:
        question = tuple(record[name] for name in QUESTION)
        asked[question].append((label, record))
    found: dict[str, None] = {}
    for said in asked.values():
        for (one, claim), (other, denial) in permutations(said, 2):
            for text in _contradictions(claim, denial):
                found[f"{name_question(claim)}: {one} {text.format(other=other)}"] = None
    return list(found)


def _contradictions(claim: Record, denial: Record) -> Iterator[str]:
    """Yield how the answer of one run refutes the proof of another."""
    if claim["ask"] == denial["ask"] and claim["yes"] is not None and denial["yes"] is not None:
        most = denial["yes"] + denial["open"]
        if find_clash(Evidence(fills=claim["yes"]), Evidence(most=most)):
            yield say(
                "shows fills for {yes} {ask}, {{other}} says that at most {most} have one",
                yes=claim["yes"],
                ask=claim["ask"],
                most=most,
            )
    value = value_from_json(claim["value"])
    bound = value_from_json(denial["bound"])
    match find_clash(_shown(claim), _said(denial)):
        case Clash.REFUTED:
            yield say("has a fill, {{other}} says that none exists ({proof})", proof=denial["proof"] or say("no proof"))
        case Clash.MOST:
            yield say("counts {fills} fills, {{other}} counts {fills2}", fills=claim["fills"], fills2=denial["fills"])
        case Clash.BOUND:
            yield say(
                "has a fill worth {value}, {{other}} says that no fill is worth more than {most}",
                value=format_value(value or ()),
                most=format_value(bound or ()),
            )


def _shown(record: Record) -> Evidence:
    """Return what a run shows by fills; those that it counts, and does not report, have no audit."""
    counted = record["status"] == Status.ALL_FILLS
    fills = (record["fills"] or 0) if counted else 0
    if not record["audited"] and not (counted and record["audited"] is None):
        return Evidence(fills=fills)
    return Evidence(filled=True, fills=fills, value=value_from_json(record["value"]))


def _said(record: Record) -> Evidence:
    """Return what a run says of all fills."""
    return Evidence(
        refuted=record["status"] == Status.UNSATISFIABLE,
        most=record["fills"] if record["status"] == Status.ALL_FILLS else None,
        bound=value_from_json(record["bound"]),
    )
