"""Makes the runs of a suite, in order of execution; carries out each in its own process, and makes a record of it.

Engines take turns on one question (A B A B), so that noise on the machine affects all equally. The key of a run hashes
everything that affects its work; a resumed bench recognises finished runs by their keys.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import MAX_LIST_BYTES, InputError, LexiconError, expected, unknown_name
from cpfill.base.files import read_text
from cpfill.base.records import parse_object
from cpfill.base.texts import say
from cpfill.engines import ENGINES, engine_class, make_engine
from cpfill.engines.requirements import require_features, require_probing
from cpfill.formats.dialects import NATIVE, write_fill
from cpfill.problem.check import violations
from cpfill.problem.identity import digest, identify
from cpfill.problem.problem import Problem
from cpfill.problem.result import Clash, Evidence, Limits, Status, find_clash
from cpfill.problem.value import value_from_json, value_to_json
from cpfill.proofs.trees import require_provable
from cpfill.questions.request import to_plain
from cpfill.runs.bench.circumstances import compiler, machine, revision, system_load, versions
from cpfill.runs.bench.peer import DICTIONARIES, find_fill, launch
from cpfill.runs.bench.results import DECIDED, Record, Results, RunVerdict, find_disagreements
from cpfill.runs.bench.suite import EVERY, RULES, VERDICTS, Ask, Entrant, Peer
from cpfill.solvers.data import DATA_FORMATS, write_data
from cpfill.words.lexicon import Lexicon
from cpfill.words.sources import Shelf
from cpfill.words.wordlist import format_decimal, packaged_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cpfill.problem.fill import Fill
    from cpfill.puzzle.grid import Grid
    from cpfill.runs.bench.peer import Ended
    from cpfill.runs.bench.suite import BenchQuestion, KnownAnswer, Suite
    from cpfill.words.wordlist import ListSource, Taste

    Launch = Callable[[Sequence[str], float], Ended]

_DIGITS = 16
TERMS = ("objective", *RULES)
"""The fields of a request in a record; its lists are in the hash."""


@dataclass(frozen=True)
class Instance:
    """A question about one grid, with the hashes of its grid and lists; `name` is for people."""

    question: BenchQuestion
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
        if isinstance(self.contender, Entrant):
            return self.contender.workers
        return self.suite.workers

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that affects the work of the run, as JSON."""
        question = self.instance.question
        terms = {name: to_plain(getattr(question.request, name)) for name in TERMS}
        return {
            "suite": self.suite.name,
            "family": question.family,
            "grid_hash": self.instance.grid_hash,
            "list_hash": self.instance.list_hash,
            **terms,
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
    patterns = [contender.infeasible, contender.search, contender.count, contender.best]
    return {"label": contender.label, "peer": contender.template, "patterns": patterns}


def limits_of(question: BenchQuestion, limit_s: float, workers: int, seed: int) -> Limits:
    limits = Limits(time_s=limit_s, fills=1, workers=workers, seed=seed)
    if question.ask in EVERY:
        return replace(limits, fills=None)
    return limits


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
            name = f"{question.grid.parent.name}/{question.grid.stem}"
            if len(templates) > 1:
                name += f"#{number + 1}"
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


def plan_runs(suite: Suite, peers: Sequence[Peer] = (), repeats: int = 1) -> list[Run]:
    contenders: list[Entrant | Peer] = [*suite.entrants, *peers]
    _check_labels(contenders, suite)
    asked = instances(suite)
    if not asked:
        raise expected("engines and families", say("none"), str(suite.path))
    if not contenders:
        raise expected("engines and families", say("no engine"), str(suite.path))
    if peers and any(question.ask in {*VERDICTS, Ask.PROOF} for question in suite.questions):
        raise expected("fills to ask of a peer", say("words, letters, edits or proofs"), str(suite.path))
    for entrant in suite.entrants:
        _check_entrant(entrant, suite, asked)
    for one in asked:
        if one.question.ask is Ask.PROOF:
            require_provable(_without_words(one.grid, one.question))
    return list(_runs(suite, asked, contenders, repeats))


def _check_labels(contenders: Sequence[Entrant | Peer], suite: Suite) -> None:
    """Check that no two contenders have the same label."""
    counts = Counter(contender.label for contender in contenders)
    twice = [label for label, count in counts.items() if count > 1]
    if twice:
        found = say("'{twice}' twice", twice=twice[0])
        raise expected("a name of its own for each engine and peer", found, str(suite.path))


def _check_entrant(entrant: Entrant, suite: Suite, asked: Sequence[Instance]) -> None:
    """Check that an engine can answer the questions of a suite."""
    engine = make_engine(entrant.engine, **entrant.options)
    kinds = {(one.question.request.goal, one.question.ask): one.question for one in asked}
    for question in kinds.values():
        if question.ask in VERDICTS:
            require_probing(engine)
        # The features that a task needs depend only on the objective and the limits.
        able = _without_words(asked[0].grid, question)
        limits = limits_of(question, suite.limit_s, entrant.workers, 0)
        require_features(engine_class(entrant.engine), able, limits)


def _without_words(grid: Grid, question: BenchQuestion) -> Problem:
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
                    if twin:
                        run = Run(suite, instance, contender, seed, repeat, twin)
                    yield run


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
            name = f"grid-{run.instance.grid_hash}.txt"
            values["grid"] = self._write(name, lambda: f"{run.instance.grid}\n")
        for name in peer.placeholders.intersection(DICTIONARIES):
            values[name] = self._dictionary(run, name, whole="min_score" in peer.placeholders)
        for name in peer.placeholders.intersection(DATA_FORMATS):
            values[name] = self._convert(run.instance, name)
        return [word.format(**values) for word in shlex.split(peer.template)]

    def _dictionary(self, run: Run, kind: str, *, whole: bool) -> str:
        request = run.instance.question.request
        least = request.min_score
        if kind == "scored_dict" and whole:
            least = 0.0
        name = f"{kind}-{run.instance.list_hash}-{digest(request.alphabet.letters)[:16]}-{least:g}.txt"
        return self._write(name, lambda: "".join(_lines(run.instance, least, kind)))

    def _convert(self, instance: Instance, kind: str) -> str:
        suffix = next(iter(DATA_FORMATS[kind].suffixes), ".json")
        name = f"question-{digest([instance.identity])[:_DIGITS]}{suffix}"
        return self._write(name, lambda: write_data(instance.problem, kind))

    def _write(self, name: str, make: Callable[[], str]) -> str:
        """Return the path of a file; its text is made only if it is not there yet."""
        path = self._directory / name
        if not path.exists():
            path.write_text(make(), encoding="utf-8")
        return str(path)


def _lines(instance: Instance, least: float, kind: str) -> Iterator[str]:
    lexicon = instance.problem.lexicon
    for length in lexicon.lengths:
        table = lexicon.table(length)
        for word, score in zip(table.words, table.scores, strict=True):
            if score < least:
                continue
            if kind == "scored_dict":
                yield f"{word};{format_decimal(score)}\n"
            elif kind == "lower_dict":
                yield f"{word.lower()}\n"
            else:
                yield f"{word}\n"


def judge_record(peer: Peer, run: Run, ended: Ended) -> dict[str, Any]:
    """Return the answer of a peer in a run. A fill is audited; a number of fills is accepted unchecked."""
    problem = run.instance.problem
    fill = find_fill(ended.stdout, problem.grid)
    printed = f"{ended.stdout}\n{ended.stderr}"
    proof = say("says {label}", label=peer.label)
    answer: dict[str, Any] = {"solve_s": _search_s(peer, printed), "fills": 0, "audited": None, "wrong": ""}
    fills: int | None = None
    if run.instance.question.ask in EVERY:
        fills = _count(peer, printed)
    if fills is not None:
        status = Status.ALL_FILLS if fills else Status.UNSATISFIABLE
        answer |= {"status": status, "fills": fills, "proof": proof}
    elif fill is not None:
        answer |= _audit(problem, fill)
        if problem.criteria and peer.best and re.search(peer.best, printed):
            answer |= {"status": Status.OPTIMAL, "bound": answer["value"], "proof": proof}
    elif peer.infeasible and re.search(peer.infeasible, printed):
        answer |= {"status": Status.UNSATISFIABLE, "proof": proof}
    return answer


def _audit(problem: Problem, fill: Fill) -> dict[str, Any]:
    """Return the answer that a fill is, with its value, or with the first rule that it breaks."""
    answer: dict[str, Any] = {
        "status": Status.SATISFIED,
        "fills": 1,
        "fill": write_fill(NATIVE, problem.grid, fill.letters),
    }
    broken = violations(problem, fill)
    if broken:
        return answer | {"entries": None, "value": None, "audited": False, "wrong": str(broken[0])}
    value = value_to_json(fill.value(problem))
    return answer | {"entries": fill.score_entries(problem), "value": value, "audited": True, "wrong": ""}


def _search_s(peer: Peer, printed: str) -> float | None:
    found = _find_last(peer.search, printed)
    if found is None:
        return None
    unit_s = 0.001 if "ms" in found.groupdict() else 1.0
    try:
        return float(found[1]) * unit_s
    except (TypeError, ValueError):
        return None


def _count(peer: Peer, printed: str) -> int | None:
    found = _find_last(peer.count, printed)
    if found is None:
        return None
    try:
        return int(found[1])
    except (TypeError, ValueError):
        return None


def _find_last(pattern: str, printed: str) -> re.Match[str] | None:
    """Return the last match of a pattern; `None` for an empty pattern."""
    if not pattern:
        return None
    matches = list(re.finditer(pattern, printed))
    return next(reversed(matches), None)


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
    began = datetime.now(UTC).isoformat(timespec="seconds")
    load = system_load()
    contender = run.contender
    if isinstance(contender, Peer):
        ended = _start_peer(run, contender, files, start)
        answer = judge_record(contender, run, ended)
    else:
        ended = _start_engine(run, contender, start)
        answer = _said(ended.stdout)
    verdict, detail = _verdict(run, answer, ended)
    question = run.instance.question
    answered = {name: answer.get(name) for name in _ANSWER_KEYS}
    return {
        "key": run.key,
        **run.identity,
        "grid": run.instance.name,
        "path": os.path.relpath(question.grid, run.suite.path.parent),
        "list": question.list,
        "verdict": verdict,
        "detail": detail,
        **answered,
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


def _start_peer(run: Run, peer: Peer, files: PeerFiles, start: Launch) -> Ended:
    limit_s = run.suite.limit_s
    if {"limit", "limit_ms"} & peer.placeholders:  # it knows the limit, and may need a moment to end
        limit_s += run.suite.grace_s
    return start(files.command(peer, run), limit_s)


def _start_engine(run: Run, entrant: Entrant, start: Launch) -> Ended:
    # -P: measure the installed cpfill, not a checkout that happens to be the working directory.
    argv = [sys.executable, "-P", "-m", "cpfill.runs.bench.child", json.dumps(_task(run, entrant))]
    limit_s = run.suite.limit_s + run.suite.grace_s
    if run.instance.question.ask is Ask.PROOF:
        limit_s += run.suite.check_s
    return start(argv, limit_s)


def _task(run: Run, entrant: Entrant) -> dict[str, Any]:
    question = run.instance.question
    request = replace(question.request, grid=str(question.grid))
    return {
        "request": request.plain,
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
        return parse_object(_last_line(stdout).encode())
    except InputError:
        return {}


def _last_line(text: str) -> str:
    return text.rstrip().rpartition("\n")[2]


def _verdict(run: Run, answer: Mapping[str, Any], ended: Ended) -> tuple[RunVerdict, str]:
    wrong = answer.get("wrong") or _refuted(run.instance.question.known, answer)
    if wrong:
        return RunVerdict.WRONG, wrong
    status = answer.get("status")
    if answer.get("unchecked"):
        return RunVerdict.UNDECIDED, answer["unchecked"]
    answers = {Status.UNSATISFIABLE: RunVerdict.NO_FILL, **dict.fromkeys(_answers(run), RunVerdict.FILLED)}
    if status in answers:
        return answers[status], ""
    if ended.timed_out:
        return RunVerdict.TIMEOUT, say("killed after {wall_s:.1f} s", wall_s=ended.wall_s)
    detail = str(answer.get("error", ""))
    if ended.exit_code and not (status or detail):
        detail = _tell_exit(ended)
    if detail and not _gave_up(run, ended):
        return RunVerdict.CRASH, detail
    return RunVerdict.UNDECIDED, detail


def _tell_exit(ended: Ended) -> str:
    """Return the exit code of a process, and the last line that it printed on standard error."""
    told = say("exit code {exit_code}", exit_code=ended.exit_code)
    last = _last_line(ended.stderr).strip()
    if last:
        told += f": {last}"
    return told


def _gave_up(run: Run, ended: Ended) -> bool:
    """Return whether a peer ended near the limit: many programs have an exit code for it, which is not a crash."""
    near = ended.wall_s > _NEARLY * run.suite.limit_s
    return isinstance(run.contender, Peer) and ended.exit_code > 0 and near


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
    fills = answer.get("fills") or 0
    value = value_from_json(answer.get("value"))
    counted = answer["status"] == Status.ALL_FILLS
    said = Evidence(
        filled=fills > 0,
        fills=fills,
        value=value,
        refuted=answer["status"] == Status.UNSATISFIABLE,
        most=fills if counted else None,
        bound=value if answer["status"] == Status.OPTIMAL else None,
    )
    best = value_from_json(known.best)
    truth = Evidence(known.satisfiable, known.fills or 0, best, not known.satisfiable, known.fills, best)
    if find_clash(truth, said) is Clash.REFUTED:
        return say("says that no fill exists, but one does")
    match find_clash(said, truth) or find_clash(truth, said):
        case Clash.REFUTED:
            return say("has a fill, but none exists")
        case Clash.MOST:
            every = say(", all") if counted else ""
            return say("has {fills} fills{what}, and there are {fills2}", fills=fills, what=every, fills2=known.fills)
        case Clash.BOUND:
            return say("has {value} as the best value, and it is {best}", value=answer["value"], best=known.best)
        case None:
            return ""


def conclude(runs: Sequence[Run], done: Mapping[str, Record]) -> tuple[dict[str, int], list[str]]:
    """Return the number of runs per verdict, and a line for each fault in the answers of engines.

    Faults are a wrong answer, an error, two answers that contradict each other, and a missing answer under
    `must_decide`. Faults of outside programs count only if they contradict an engine.
    """
    records = [done[run.key] for run in runs]
    faults = []
    for run, record in zip(runs, records, strict=True):
        if not isinstance(run.contender, Peer) and _fails(run, record):
            faults.append(_tell_failure(record))
    faults += [f"DISAGREEMENT: {line}" for line in find_disagreements(Results.of([("", records)]))]
    counts = Counter(record["verdict"] for record in records)
    return dict(counts.most_common()), faults


def _fails(run: Run, record: Record) -> bool:
    verdict = record["verdict"]
    if verdict in {RunVerdict.WRONG, RunVerdict.CRASH}:
        return True
    return run.suite.must_decide and verdict not in DECIDED


def _tell_failure(record: Record) -> str:
    told = f"{record['grid']}, {record['list']}: {record['label']}: {record['verdict']}"
    if record["detail"]:
        told += f": {record['detail']}"
    return told
