"""Makes the runs of a suite, in order of execution; carries out each in its own process, and makes a record of it.

Engines take turns on one question (A B A B), so that noise on the machine affects all equally. The key of a run hashes
everything that affects its work; a resumed bench recognises finished runs by their keys.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cpfill
from cpfill.base.errors import MAX_LIST_BYTES, EngineUnavailableError, InputError, LexiconError, expected, unknown_name
from cpfill.base.files import read_text
from cpfill.base.imports import load_kernel
from cpfill.base.records import parse_object
from cpfill.base.texts import say
from cpfill.engines import ENGINES, engine_class, make_engine
from cpfill.engines.mac import KERNEL
from cpfill.engines.requirements import require_features, require_probing
from cpfill.formats.dialects import NATIVE, write_fill
from cpfill.problem.check import violations
from cpfill.problem.identity import digest, identify
from cpfill.problem.problem import Problem, value_to_json
from cpfill.problem.result import Limits, Status
from cpfill.proofs.trees import require_provable
from cpfill.questions.request import to_plain
from cpfill.runs.bench.peer import DICTIONARIES, find_fill, launch
from cpfill.runs.bench.results import DECIDED, Record, Results, RunVerdict, disagreements
from cpfill.runs.bench.suite import EVERY, RULES, VERDICTS, Ask, Entrant, Peer
from cpfill.words.lexicon import Lexicon
from cpfill.words.sources import Shelf
from cpfill.words.wordlist import format_decimal, packaged_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cpfill.puzzle.grid import Grid
    from cpfill.runs.bench.peer import Ended
    from cpfill.runs.bench.suite import KnownAnswer, Question, Suite
    from cpfill.words.wordlist import ListSource, Taste

    Launch = Callable[[Sequence[str], float], Ended]

_DIGITS = 16
TERMS = ("objective", *RULES)
"""The fields of a request in a record; its lists are in the hash."""


@dataclass(frozen=True)
class Instance:
    """A question about one grid, with the hashes of its grid and lists; `name` is for people."""

    question: Question
    name: str
    number: int
    grid: Grid
    grid_hash: str
    list_hash: str
    shelf: Shelf
    """The lists read so far, shared by all instances of a plan."""

    @property
    def problem(self) -> Problem:
        """The problem; its lists are read on first use."""
        return self.question.request.problems([self.grid], self.shelf)[0]

    @cached_property
    def identity(self) -> dict[str, Any]:
        return identify(self.problem)


@dataclass(frozen=True)
class Run:
    """One run of one contender on one question with one seed. `twin` distinguishes otherwise identical runs."""

    suite: Suite
    instance: Instance
    contender: Entrant | Peer
    seed: int
    repeat: int
    twin: int = 0

    @property
    def limits(self) -> Limits:
        return limits_of(self.instance.question, self.suite.limit_s, self.workers, self.seed)

    @property
    def workers(self) -> int:
        return self.contender.workers if isinstance(self.contender, Entrant) else self.suite.workers

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that affects the work of the run, as JSON."""
        question = self.instance.question
        return {
            "suite": self.suite.name,
            "family": question.family,
            "grid_hash": self.instance.grid_hash,
            "list_hash": self.instance.list_hash,
            **{name: to_plain(getattr(question.request, name)) for name in TERMS},
            "ask": question.ask,
            **contender_record(self.contender),
            "workers": self.workers,
            "seed": self.seed,
            "limit_s": self.suite.limit_s,
            "check_limit_s": self.suite.check_s if question.ask is Ask.PROOF else None,
            "repeat": self.repeat,
        }

    @cached_property
    def key(self) -> str:
        return digest([self.identity, self.instance.identity, self.twin])[:_DIGITS]


def contender_record(contender: Entrant | Peer) -> dict[str, Any]:
    if isinstance(contender, Entrant):
        return {"label": contender.label, "engine": contender.engine, "options": dict(contender.options)}
    patterns = [contender.infeasible, contender.search, contender.count]
    return {"label": contender.label, "peer": contender.template, "patterns": patterns}


def limits_of(question: Question, limit_s: float, workers: int, seed: int) -> Limits:
    return Limits(time_s=limit_s, fills=None if question.ask in EVERY else 1, workers=workers, seed=seed)


def text_hash(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(hashlib.sha256(text.encode()).digest())
    return digest.hexdigest()[:_DIGITS]


def instances(suite: Suite) -> list[Instance]:
    shelf = Shelf()
    hashes: dict[tuple[tuple[ListSource, ...], Taste], str] = {}
    found = []
    for question in suite.questions:
        request = replace(question.request, grid=str(question.grid))
        words = (request.lists, request.taste)
        if words not in hashes:
            hashes[words] = _list_hash(*words)
        templates = request.templates()
        for number, template in enumerate(templates):
            bare = f"{question.grid.parent.name}/{question.grid.stem}"
            name = f"{bare}#{number + 1}" if len(templates) > 1 else bare
            grid_hash = text_hash(f"{template.grid}\n")
            found.append(Instance(question, name, number, template.grid, grid_hash, hashes[words], shelf))
    return found


def _list_hash(sources: Iterable[ListSource], taste: Taste) -> str:
    texts = []
    for name in map(str, sources):
        if Path(name).is_absolute():
            texts.append(read_text(name, LexiconError, MAX_LIST_BYTES))
        else:
            texts.append(packaged_text(name, taste=taste))
    return text_hash(*texts)


def narrowed(suite: Suite, engines: Sequence[str] | None, limit_s: float | None) -> Suite:
    """Return a suite with a different limit, or with only these engines, given by label or by registry name."""
    if limit_s is not None:
        if limit_s <= 0:
            raise expected("a time limit above 0", f"{limit_s:g} s")
        suite = replace(suite, limit_s=limit_s)
    if engines is None:
        return suite
    labels = {entrant.label: entrant for entrant in suite.entrants}
    for name in engines:
        if name not in labels and name not in ENGINES:
            raise InputError(unknown_name(say("an engine"), name, {*labels, *ENGINES}))
    chosen = (labels.get(name) or Entrant(name, name, {}, suite.workers) for name in dict.fromkeys(engines))
    return replace(suite, entrants=tuple(chosen))


def plan(suite: Suite, peers: Sequence[Peer] = (), repeats: int = 1) -> list[Run]:
    contenders: list[Entrant | Peer] = [*suite.entrants, *peers]
    labels = [contender.label for contender in contenders]
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise expected(
            "a name of its own for each engine and peer", say("'{twice}' twice", twice=twice[0]), str(suite.path)
        )
    asked = instances(suite)
    if not labels or not asked:
        raise expected("engines and families", say("none") if not asked else say("no engine"), str(suite.path))
    if peers and any(question.ask in {*VERDICTS, Ask.PROOF} for question in suite.questions):
        raise expected("fills to ask of a peer", say("words, letters, edits or proofs"), str(suite.path))
    for entrant in suite.entrants:
        engine = make_engine(entrant.engine, **entrant.options)
        for question in {(one.question.request.goal, one.question.ask): one.question for one in asked}.values():
            if question.ask in VERDICTS:
                require_probing(engine)
            # The features that a task needs depend only on the objective and the limits.
            able = _without_words(asked[0].grid, question)
            require_features(engine_class(entrant.engine), able, limits_of(question, suite.limit_s, entrant.workers, 0))
    for one in asked:
        if one.question.ask is Ask.PROOF:
            require_provable(_without_words(one.grid, one.question))
    return list(_runs(suite, asked, contenders, repeats))


def _without_words(grid: Grid, question: Question) -> Problem:
    return Problem(grid, Lexicon([], grid.alphabet), objective=question.request.goal)


def _runs(suite: Suite, asked: Sequence[Instance], contenders: Sequence[Entrant | Peer], repeats: int) -> Iterator[Run]:
    twins: Counter[str] = Counter()
    for instance in asked:
        for seed in suite.seeds:
            for repeat in range(repeats):
                for contender in contenders:
                    run = Run(suite, instance, contender, seed, repeat)
                    twin = twins[run.key]
                    twins[run.key] += 1
                    yield Run(suite, instance, contender, seed, repeat, twin) if twin else run


class PeerFiles:
    """The grids and dictionaries for peers, each written once into one directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def command(self, peer: Peer, run: Run) -> list[str]:
        values: dict[str, Any] = {
            "min_score": format_decimal(run.instance.question.request.min_score),
            "threads": run.workers,
            "seed": run.seed,
            "limit": format_decimal(run.suite.limit_s),
            "limit_ms": round(run.suite.limit_s * 1000),
            "index": run.instance.question.index,
            "name": run.instance.question.grid.stem,
        }
        if "grid" in peer.placeholders:
            values["grid"] = self._write(f"grid-{run.instance.grid_hash}.txt", [f"{run.instance.grid}\n"])
        for name in peer.placeholders.intersection(DICTIONARIES):
            values[name] = self._dictionary(run, name, whole="min_score" in peer.placeholders)
        return [word.format(**values) for word in shlex.split(peer.template)]

    def _dictionary(self, run: Run, kind: str, *, whole: bool) -> str:
        request = run.instance.question.request
        least = 0.0 if kind == "scored_dict" and whole else request.min_score
        name = f"{kind}-{run.instance.list_hash}-{digest(request.alphabet.letters)[:16]}-{least:g}.txt"
        return self._write(name, _lines(run.instance, least, kind))

    def _write(self, name: str, lines: Iterable[str]) -> str:
        """Return the path of a file; its lines are made only if it is not there yet."""
        path = self._directory / name
        if not path.exists():
            path.write_text("".join(lines), encoding="utf-8")
        return str(path)


def _lines(instance: Instance, least: float, kind: str) -> Iterator[str]:
    lexicon = instance.problem.lexicon
    for length in lexicon.lengths:
        table = lexicon.table(length)
        for word, score in zip(table.words, table.scores, strict=True):
            if score >= least:
                written = word.lower() if kind == "lower_dict" else word
                yield f"{written};{format_decimal(score)}\n" if kind == "scored_dict" else f"{written}\n"


def judge(peer: Peer, run: Run, ended: Ended) -> dict[str, Any]:
    """Return the answer of a peer in a run. A fill is audited; a number of fills is accepted unchecked."""
    problem = run.instance.problem
    fill = find_fill(ended.stdout, problem.grid)
    printed = f"{ended.stdout}\n{ended.stderr}"
    answer: dict[str, Any] = {"solve_s": _search_s(peer, printed), "fills": 0, "audited": None, "wrong": ""}
    fills = _count(peer, printed) if run.instance.question.ask in EVERY else None
    if fills is not None:
        status = Status.ALL_FILLS if fills else Status.UNSATISFIABLE
        answer |= {"status": status, "fills": fills, "proof": say("says {label}", label=peer.label)}
    elif fill is not None:
        broken = violations(problem, fill)
        answer |= {
            "status": Status.SATISFIED,
            "fills": 1,
            "fill": write_fill(NATIVE, problem.grid, fill.letters),
            "entries": None if broken else fill.score_entries(problem),
            "value": None if broken else value_to_json(fill.value(problem)),
            "audited": not broken,
            "wrong": str(broken[0]) if broken else "",
        }
    elif peer.infeasible and re.search(peer.infeasible, printed):
        answer |= {"status": Status.UNSATISFIABLE, "proof": say("says {label}", label=peer.label)}
    return answer


def _search_s(peer: Peer, printed: str) -> float | None:
    found = list(re.finditer(peer.search, printed)) if peer.search else []
    try:
        return float(found[-1][1]) * (0.001 if "ms" in found[-1].groupdict() else 1.0) if found else None
    except (TypeError, ValueError):
        return None


def _count(peer: Peer, printed: str) -> int | None:
    found = list(re.finditer(peer.count, printed)) if peer.count else []
    try:
        return int(found[-1][1]) if found else None
    except (TypeError, ValueError):
        return None


@cache
def versions() -> dict[str, str]:
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
    """Return the compiler of the kernel; `none` if it was not compiled."""
    try:
        return str(load_kernel(KERNEL).COMPILER)
    except EngineUnavailableError:
        return "none"


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
    """Carry out runs one after another and yield the record of each; closing the iterator kills the last."""
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
        "limits": {name: getattr(run.limits, name) for name in ("time_s", "fills", "workers", "seed")},
        "check_s": run.suite.check_s,
    }


def _said(stdout: str) -> dict[str, Any]:
    """Return the answer on the last line that a child printed; empty if that line is not an answer."""
    try:
        return parse_object(stdout.rstrip().rpartition("\n")[2].encode())
    except InputError:
        return {}


def _verdict(run: Run, answer: Mapping[str, Any], ended: Ended) -> tuple[RunVerdict, str]:
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
