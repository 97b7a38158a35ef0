"""One run of an engine in its own process: `python -m cpfill.runs.bench.child TASK`, with task and answer in JSON.

Like the command line, it imports only the modules for solving and turns garbage collection off. It reads the files
itself and audits every fill, but not on the clock of the search:

    import_s   importing the engine
    load_s     reading the grid and the lists
    solve_s    from the call of the engine to its last event, measured here; build_s and search_s are the engine's own

If a suite asks for proofs, it writes the proof of the result and runs a checker on it; both are timed.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import cpfill
from cpfill.base.errors import CpfillError, InvalidFillError
from cpfill.base.files import allow_files, children_s
from cpfill.base.texts import say
from cpfill.engines import make_engine
from cpfill.engines.audited import Tally, run_audited
from cpfill.engines.contract import CountingEngine
from cpfill.formats.dialects import NATIVE, write_fill
from cpfill.problem.check import violations
from cpfill.problem.event import Found
from cpfill.problem.result import Deadline, Limits, Status
from cpfill.problem.value import format_value
from cpfill.proofs.checkers import ProofVerdict, check_proof
from cpfill.proofs.claim import read_claim
from cpfill.proofs.folder import ProofFolder
from cpfill.proofs.trees import Grower
from cpfill.proofs.verify import MAX_PROOF_BYTES
from cpfill.questions.candidates import Candidates, Verdict
from cpfill.questions.edits import Edits, JudgedEdit, Standing
from cpfill.questions.question import Desk
from cpfill.questions.records import result_record
from cpfill.questions.request import Request
from cpfill.runs.bench.suite import VERDICTS, Ask
from cpfill.words.sources import Shelf

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from cpfill.engines.contract import Engine
    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.proofs.checkers import CheckerReply

_USED = ("ortools",)


def answer_task(task: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer of an engine to a task; an engine failure is an answer too.

    The keys of a task: `request` and `number` (of the grid in its file, from 0), `ask`, `engine`, `options`, `limits`,
    and `check_s` for the checker of a proof.
    """
    try:
        start_s = time.perf_counter()
        engine = make_engine(task["engine"], **task["options"])
        imported_s = time.perf_counter()
        request = Request().updated(task["request"])
        lists = Shelf()
        grid = request.templates()[task["number"]].grid
        problem = request.problems([grid], lists)[0]
        loaded_s = time.perf_counter()
        limits = Limits(**task["limits"])
        times = {"import_s": imported_s - start_s, "load_s": loaded_s - imported_s}
        ask = Ask(task["ask"])
        if ask is Ask.EDITS:
            said = _judge_edits(replace(request, grid=grid), lists, limits)
        elif ask in VERDICTS:
            said = _judge(engine, problem, limits, ask)
        else:
            ask_engine = engine.search
            if ask is Ask.NUMBER and isinstance(engine, CountingEngine):
                ask_engine = engine.count
            tally = Tally(problem)
            said = _follow(run_audited(engine, ask_engine, problem, limits), problem, tally)
            if ask is Ask.PROOF and not said["wrong"]:
                said |= certify(problem, tally.result, limits.seed, task["check_s"])
        return {**times, **said, "used": _versions()}
    except CpfillError as exc:
        return {"error": f"{type(exc).__name__}: {exc}"}


def _follow(events: Generator[Event], problem: Problem, tally: Tally) -> dict[str, Any]:
    wrong, solve_s = "", 0.0
    with closing(events) as stream:
        while True:
            start_s = time.perf_counter()
            event = next(stream, None)
            solve_s += time.perf_counter() - start_s
            if event is None:
                break
            if isinstance(event, Found) and not wrong:
                broken = violations(problem, event.fill)
                value = None if broken else event.fill.value(problem)
                if broken:
                    wrong = str(broken[0])
                elif value != event.value:
                    wrong = say(
                        "said to be worth {value}, and is worth {value2}",
                        value=format_value(event.value),
                        value2=format_value(value or ()),
                    )
            tally.add(event)
    result = tally.result
    told = result_record(problem, result)
    return {
        **told,
        **told["stats"],
        "stop_reason": result.stop_reason,
        "fill": write_fill(NATIVE, problem.grid, result.fill.letters) if result.fill else None,
        "entries": result.fill.score_entries(problem) if result.fill and not wrong else None,
        "audited": None if result.fill is None else not wrong,
        "wrong": wrong,
        "proof": result.proof,
        "solve_s": solve_s,
    }


def _judge(engine: Engine, problem: Problem, limits: Limits, ask: Ask) -> dict[str, Any]:
    """Return the verdicts on all words or letters; each "yes" rests on an audited fill."""
    told: Counter[Verdict] = Counter()
    start_s = time.perf_counter()
    try:
        candidates = Candidates(problem, engine=engine, limits=limits)
        built_s = time.perf_counter()
        if ask is Ask.WORDS:
            told.update(word.verdict for slot in problem.slots for word in candidates.judge_words(slot.id))
        else:
            for cell in candidates.judge_letters():
                told.update({verdict: len(letters) for verdict, letters in cell.by_verdict.items()})
    except InvalidFillError as exc:
        return {"wrong": str(exc)}
    ended_s = time.perf_counter()
    yes, undecided = told[Verdict.YES], told[Verdict.OPEN]
    return {
        "status": Status.UNKNOWN if undecided else Status.SATISFIED if yes else Status.UNSATISFIABLE,
        "fills": min(yes, 1),
        "audited": True if yes else None,
        **{str(verdict): told[verdict] for verdict in Verdict},
        "build_s": built_s - start_s,
        "search_s": ended_s - built_s,
        "solve_s": ended_s - start_s,
    }


def _judge_edits(request: Request, lists: Shelf, limits: Limits) -> dict[str, Any]:
    """Return the number of single edits with each verdict; search begins after the verdict on the grid itself."""
    counts: Counter[Verdict] = Counter()
    start_s = built_s = time.perf_counter()
    question = Edits(request=request, time_limit=limits.time_s, seed=limits.seed)
    try:
        with closing(question.answer(Desk(lists))) as parts:
            standing = next(parts)
            built_s = time.perf_counter()
            assert isinstance(standing, Standing)
            for part in islice(parts, standing.edits):
                assert isinstance(part, JudgedEdit)
                counts[part.judged.verdict] += 1
    except InvalidFillError as exc:
        return {"wrong": str(exc)}
    ended_s = time.perf_counter()
    return {
        "status": Status.UNKNOWN if counts[Verdict.OPEN] else Status.SATISFIED,
        "fills": 0,
        **{str(verdict): counts[verdict] for verdict in Verdict},
        "build_s": built_s - start_s,
        "search_s": ended_s - built_s,
        "solve_s": ended_s - start_s,
    }


def _versions() -> dict[str, str]:
    """Return the versions of the packages that were used."""
    used = [name for name in _USED if name in sys.modules]
    if not used:
        return {}
    from importlib.metadata import version

    return {name: version(name) for name in used}


def certify(problem: Problem, result: SolveResult, seed: int, check_s: float) -> dict[str, Any]:
    """Return the figures of the proof of a result; nothing if the result proves nothing.

    The keys: `lemmas`; `write_s`, seconds from the first tree to the last byte; `check_s`, the processor time of the
    checkers, which is limited to the argument `check_s`; the `checker` that accepted the whole proof, or the reason why
    it is `unchecked`, or `wrong`.
    """
    with TemporaryDirectory(prefix="cpfill-") as name:
        folder = Path(name)
        start_s = time.perf_counter()
        proof = ProofFolder(folder, problem, "", cpfill.__version__)
        lemmas = proof.prove(result, Grower(seed=seed))
        if lemmas is None:
            return {}
        said = {"lemmas": lemmas, "write_s": time.perf_counter() - start_s}
        # The largest size that is verified; measured runs may write files of a sixteenth of that.
        allow_files(MAX_PROOF_BYTES)
        deadline = Deadline(check_s)
        before_s = children_s()
        replies: list[CheckerReply] = []
        for step in read_claim(folder, Deadline(None)).steps:
            replies += check_proof(folder / step.formula.name, folder / step.proof.name, deadline)
    said["check_s"] = children_s() - before_s
    for reply in replies:
        if reply.verdict is ProofVerdict.REFUSED:
            return {**said, "wrong": say("its proof is {reply}", reply=reply)}
        if reply.verdict is not ProofVerdict.CHECKED:
            return {**said, "unchecked": say("its proof is {reply}", reply=reply)}
    checkers = dict.fromkeys(reply.checker for reply in replies)
    return {**said, "checker": ", ".join(checkers)}


if __name__ == "__main__":
    gc.disable()  # as the command line does
    print(json.dumps(answer_task(json.loads(sys.argv[1]))))
