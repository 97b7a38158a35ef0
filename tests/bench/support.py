"""What the tests of the bench share: a tiny suite, runs in this process, records made by hand."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.runs.bench.child import answer_task
from cpfill.runs.bench.peer import Ended, launch
from cpfill.runs.bench.run import execute, plan_runs
from cpfill.runs.bench.suite import Suite, read_suite
from tests.support import INSTANCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.runs.bench.results import Record
    from cpfill.runs.bench.suite import Peer

CASES = "bench/suite_cases.json"
TINY = f"""
name = "tiny"
limit = "20s"

[[families]]
name = "squares"
grids = ["{INSTANCES}/tiny/square.txt", "{INSTANCES}/tiny/one-fill.txt"]
lists = ["three"]

[[families]]
name = "mirror"
grids = ["{INSTANCES}/tiny/mirror.txt"]
answers = "{INSTANCES}/tiny/known_answers.toml"

[lists.three]
words = ["{INSTANCES}/tiny/three.words.txt"]

[[engines]]
engine = "fc"

[[engines]]
label = "random"
engine = "fc-cbj"
options = {{ order = "random" }}
"""


def tiny(terms: str = "", *engines: str) -> str:
    """Return the tiny suite with more terms, or with other engines."""
    text = TINY.replace('limit = "20s"', f'limit = "20s"\n{terms}')
    if engines:
        text = text.partition("[[engines]]")[0]
    return text + "".join(f'[[engines]]\nengine = "{engine}"\n' for engine in engines)


def suite_of(directory: Path, text: str = TINY) -> Suite:
    path = directory / "suite.toml"
    path.write_text(text, encoding="utf-8")
    return read_suite(str(path))


def in_process(argv: Sequence[str], timeout_s: float) -> Ended:
    """Run an engine in this process, and anything else in one of its own."""
    if "cpfill.runs.bench.child" not in argv:
        return launch(argv, timeout_s)
    start_s = time.perf_counter()
    said = json.dumps(answer_task(json.loads(argv[-1])))
    wall_s = time.perf_counter() - start_s
    return Ended(0, timed_out=False, wall_s=wall_s, cpu_s=wall_s, peak_mb=10.0, stdout=said + "\n", stderr="")


def records_of(suite: Suite, *peers: Peer, repeats: int = 1) -> list[Record]:
    return [record for _, record in execute(plan_runs(suite, peers, repeats), in_process)]


def gone(pid: int) -> bool:
    """Whether a process ends soon; one that nobody has waited for yet has ended too."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def record(label: str, grid: str, seconds: float | None, **others: Any) -> Record:
    """Return the record of a run that found a fill in so many seconds, or with `None` none in 20 s."""
    found = seconds is not None
    return {
        "key": f"{label} {grid} {others}",
        "suite": "made",
        "family": "one",
        "grid_hash": grid,
        "list_hash": "words",
        "min_score": 0.0,
        "repeats": False,
        "pangram": False,
        "no_naticks": False,
        **dict.fromkeys(("no_shared", "max_obscure", "below", "dialect", "clear", "keep")),
        "strict": False,
        "own": None,
        "taste": "breakfast",
        "min_slot_length": 2,
        "alphabet": "AB",
        "objective": "any",
        "ask": "fill",
        "label": label,
        "engine": "fc",
        "workers": 1,
        "seed": 0,
        "limit_s": 20.0,
        "repeat": 0,
        "grid": grid,
        "list": "words",
        "verdict": "filled" if found else "undecided",
        "detail": "",
        "status": "SATISFIED" if found else "UNKNOWN",
        "value": 50.0 if found else None,
        "bound": None,
        "fills": 1 if found else 0,
        **dict.fromkeys(("yes", "no", "open", "entries", "lemmas", "write_s", "check_s", "checker")),
        "audited": True if found else None,
        "proof": "",
        "solve_s": 20.0 if seconds is None else seconds,
        "cpu_s": 20.0 if seconds is None else seconds,
        "wall_s": 20.5 if seconds is None else seconds + 0.5,
        "peak_mb": 40.0,
        **others,
    }


def no_fill(label: str, grid: str, seconds: float, **others: Any) -> Record:
    """Return the record of a run that proved that there is no fill."""
    proof = {"verdict": "no fill", "status": "UNSATISFIABLE", "value": None, "fills": 0, "audited": None}
    return record(label, grid, seconds, **{**proof, "proof": "search", **others})
