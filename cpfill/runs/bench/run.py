"""Carries out runs, each in its own process, and makes a record of each.

Describes the environment of a run: versions, the revision of the source, the compiler of the kernel, the machine.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cpfill
from cpfill.base.errors import InputError
from cpfill.base.imports import load_kernel
from cpfill.base.records import parse_object
from cpfill.base.texts import say
from cpfill.engines.mac import KERNELS
from cpfill.problem.result import Status
from cpfill.runs.bench.peer import PeerFiles, judge, launch
from cpfill.runs.bench.results import DECIDED, Record, Results, RunVerdict, disagreements
from cpfill.runs.bench.suite import EVERY, Ask, Peer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cpfill.runs.bench.peer import Ended
    from cpfill.runs.bench.plan import Run
    from cpfill.runs.bench.suite import Entrant, KnownAnswer

    Launch = Callable[[Sequence[str], float], Ended]


@cache
def versions() -> dict[str, str]:
    """Return the versions of cpfill and of Python."""
    return {"cpfill": cpfill.__version__, "python": platform.python_version()}


@cache
def revision() -> str:
    """Return git's description of the checkout that cpfill runs from, with `+` if it has changes; else the version."""
    package = Path(cpfill.__file__).resolve().parent
    root = _git(package, "rev-parse", "--show-toplevel")
    described = _git(package, "describe", "--always", "--tags", "--abbrev=12")
    if not root or not described or Path(root[0]).resolve() != package.parent:
        return cpfill.__version__
    changed = _git(package, "status", "--porcelain", "--", str(package))
    return described[0] + ("+" if changed else "")


@cache
def compiler() -> str:
    """Return the compiler of the default kernel; `pure python` if it is not compiled."""
    return str(load_kernel(KERNELS).COMPILER)


def _git(directory: Path, *words: str) -> list[str]:
    """Return the lines that a git command that changes nothing prints, none if it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed words
            ["git", "--no-optional-locks", "-C", str(directory), *words],  # noqa: S607 - wherever it is installed
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


@cache
def machine() -> dict[str, str | int]:
    """Return the model and the number of processors, and the system."""
    return {"cpu": _cpu_model(), "cores": _cores(), "system": f"{platform.system()} {platform.machine()}"}


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cpu_model() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else "unknown"


def system_load() -> float | None:
    """Return the system's recent load average, because other work affects a measurement; `None` if unknown."""
    try:
        return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    except OSError:
        return None


_NEARLY = 0.9
_ANSWER_KEYS = (
    *("status", "stop_reason", "value", "bound", "fills", "fill", "entries", "audited", "proof", "nodes", "backtracks"),
    *("yes", "no", "open"),
    *("lemmas", "write_s", "check_s", "checker"),
    *("import_s", "load_s", "build_s", "search_s", "solve_s"),
)


def execute(runs: Iterable[Run], start: Launch = launch) -> Iterator[tuple[Run, Record]]:
    """Carry out runs one after another and yield the record of each; closing the iterator, or Ctrl-C, kills the last.

    Raises:
        CpfillError: a process could not be started.
    """
    with tempfile.TemporaryDirectory(prefix="cpfill-bench-") as name:
        files = PeerFiles(Path(name))
        for run in runs:
            yield run, _carry_out(run, files, start)


def _carry_out(run: Run, files: PeerFiles, start: Launch) -> Record:
    began, load = datetime.now(UTC).isoformat(timespec="seconds"), system_load()
    suite, contender = run.suite, run.contender
    if isinstance(contender, Peer):
        told = {"limit", "limit_ms"} & contender.placeholders
        ended = start(files.command(contender, run), suite.limit_s + (suite.grace_s if told else 0.0))
        answer = judge(contender, run, ended)
    else:
        # -P: measure the installed cpfill, not a checkout that happens to be the working directory.
        argv = [sys.executable, "-P", "-m", "cpfill.runs.bench.child", json.dumps(_task(run, contender))]
        check_s = suite.check_s if run.instance.question.ask is Ask.PROOF else 0.0
        ended = start(argv, suite.limit_s + suite.grace_s + check_s)
        answer = _said(ended.stdout)
    verdict, detail = _verdict(run, answer, ended)
    question = run.instance.question
    return {
        "key": run.key,
        **run.identity,
        "grid": run.instance.name,
        "path": os.path.relpath(question.grid, suite.path.parent),
        "list": question.list,
        "verdict": verdict,
        "detail": detail,
        **{name: answer.get(name) for name in _ANSWER_KEYS},
        "wall_s": ended.wall_s,
        "cpu_s": ended.cpu_s,
        "peak_mb": round(ended.peak_mb, 1),
        "exit_code": ended.exit_code,
        "known": question.known is not None,
        "versions": {**versions(), **answer.get("used", {})},
        "revision": revision(),
        "compiler": compiler(),
        "machine": machine(),
        "load": load,
        "began": began,
    }


def _task(run: Run, entrant: Entrant) -> dict[str, Any]:
    question = run.instance.question
    return {
        "request": replace(question.request, grid=str(question.grid)).plain,
        "number": run.instance.number,
        "ask": question.ask,
        "engine": entrant.engine,
        "options": entrant.options,
        "workers": run.workers,
        "seed": run.seed,
        "limit_s": run.suite.limit_s,
        "check_s": run.suite.check_s,
    }


def _said(stdout: str) -> dict[str, Any]:
    """Return the answer on the last line that a child printed; empty if that line is not an answer."""
    try:
        return parse_object(stdout.rstrip().rpartition("\n")[2].encode())
    except InputError:
        return {}


def _verdict(run: Run, answer: Mapping[str, Any], ended: Ended) -> tuple[RunVerdict, str]:
    """Return the verdict on a run, and its details."""
    wrong = answer.get("wrong") or _refuted(run.instance.question.known, answer)
    if wrong:
        return RunVerdict.WRONG, wrong
    status = answer.get("status")
    if answer.get("unchecked"):
        return RunVerdict.UNDECIDED, answer["unchecked"]
    if status == Status.UNSATISFIABLE or status in _answers(run):
        return (RunVerdict.NO_FILL if status == Status.UNSATISFIABLE else RunVerdict.FILLED), ""
    if ended.timed_out:
        return RunVerdict.TIMEOUT, say("killed after {wall_s:.1f} s", wall_s=ended.wall_s)
    detail = str(answer.get("error", ""))
    if ended.exit_code and not status:
        last = ended.stderr.rstrip().rpartition("\n")[2].strip()
        detail = detail or say("exit code {exit_code}", exit_code=ended.exit_code) + (f": {last}" if last else "")
    # Many programs have a special exit code for a time limit; an error exit near the limit is not a crash.
    gave_up = isinstance(run.contender, Peer) and ended.exit_code > 0 and ended.wall_s > _NEARLY * run.suite.limit_s
    return (RunVerdict.CRASH if detail and not gave_up else RunVerdict.UNDECIDED), detail


def _answers(run: Run) -> frozenset[Status]:
    """Return the statuses that answer the question, other than a proof that no fill exists."""
    question = run.instance.question
    if question.request.goal.criteria:
        return frozenset({Status.OPTIMAL})
    if question.ask in EVERY:
        return frozenset({Status.ALL_FILLS})
    return frozenset({Status.SATISFIED, Status.ALL_FILLS})


def _refuted(known: KnownAnswer | None, answer: Mapping[str, Any]) -> str:
    """Return how an answer contradicts the known one; empty if it does not."""
    if known is None or not answer.get("status"):
        return ""
    status, value, fills = answer["status"], answer.get("value"), answer.get("fills") or 0
    counted, proved = status == Status.ALL_FILLS, status == Status.OPTIMAL
    if status == Status.UNSATISFIABLE and known.satisfiable:
        return say("says that no fill exists, but one does")
    if fills > 0 and not known.satisfiable:
        return say("has a fill, but none exists")
    if known.fills is not None and (fills > known.fills or (counted and fills < known.fills)):
        return say(
            "has {fills} fills{what}, and there are {fills2}",
            fills=fills,
            what=say(", all") if counted else "",
            fills2=known.fills,
        )
    if known.best is not None and value is not None and (value > known.best or (proved and value < known.best)):
        return say("has {value} as the best value, and it is {best}", value=value, best=known.best)
    return ""


def conclude(runs: Sequence[Run], done: Mapping[str, Record]) -> tuple[dict[str, int], list[str]]:
    """Return the number of runs per verdict, and a line for each fault in the answers of engines.

    Faults are a wrong answer, an error, two answers that contradict each other, and a missing answer under
    `must_decide`. Faults of outside programs count only if they contradict an engine.
    """
    records = [done[run.key] for run in runs]
    grave = {RunVerdict.WRONG, RunVerdict.CRASH}
    faults = [
        f"{record['grid']}, {record['list']}: {record['label']}: {record['verdict']}"
        + (f": {record['detail']}" if record["detail"] else "")
        for run, record in zip(runs, records, strict=True)
        if not isinstance(run.contender, Peer)
        and (record["verdict"] in grave or (run.suite.must_decide and record["verdict"] not in DECIDED))
    ]
    faults += [f"DISAGREEMENT: {line}" for line in disagreements(Results.of([("", records)]))]
    return dict(Counter(record["verdict"] for record in records).most_common()), faults
