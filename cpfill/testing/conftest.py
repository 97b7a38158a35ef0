"""Fixtures, the threads and processes that a test leaves behind, and a check that an engine obeys its limits at all.

The check runs in a separate process. The tests of the tree use all of these too.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from cpfill.engines import make_engine
from cpfill.formats.dialects import parse_grids
from cpfill.problem.event import Finished
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits
from cpfill.testing.questions import CHOSEN, NEEDS
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList, read_word_list

PATIENCE_S = float(os.environ.get("CPFILL_PATIENCE_S", "12"))
"""How long everything tried may take: one second, or several on a busy machine."""
LIMIT_S = 0.1


@cache
def pose_hard_problem() -> Problem:
    """Return a problem that no engine settles soon: an empty 8x8 square has few fills, if any."""
    words = {word: entry for word, entry in read_word_list("en-words").words.items() if len(word) == 8}
    _, (grid,) = parse_grids("........\n" * 8)
    return Problem(grid, Lexicon([WordList("en-words", words)]))


def describe_fault(engine: str, patience_s: float = PATIENCE_S) -> str:
    """Return the fault of an engine of that name in a line; an empty text if it obeys its limits."""
    command = [sys.executable, "-m", "cpfill.testing.conftest", engine]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience_s, check=False)
    except subprocess.TimeoutExpired as expired:
        said = expired.stdout or ""
        if isinstance(said, bytes):
            said = said.decode()
        doing = _last_line(said, "it was imported")
        return (
            f"engine {engine} did not come back within {patience_s:g} s when {doing}: its work is to look at its "
            "limits often, as by Control.check"
        )
    if done.returncode == 0:
        return ""
    fault = _last_line(done.stderr, "it fell over")
    return f"engine {engine}: {fault}"


def _last_line(text: str, default: str) -> str:
    lines = text.splitlines()
    if lines:
        return lines[-1]
    return default


def _try(name: str) -> None:
    """Search for a moment, and close a search that is under way, for each objective that the engine can have."""
    problem = pose_hard_problem()
    able = make_engine(name).features
    for objective in Objective:
        if objective is Objective.GOOD or not NEEDS[objective] <= able:
            continue
        asked = replace(problem, objective=objective)
        print(f"it had {LIMIT_S} s for an objective {objective}", flush=True)
        *_, last = make_engine(name).search(asked, Limits(time_s=LIMIT_S))
        if not isinstance(last, Finished):
            raise TypeError(f"its last event is {last!r:.80}, and no Finished")
        print(f"a search for an objective {objective} was closed", flush=True)
        stream = make_engine(name).search(asked, Limits())
        list(islice(stream, 2))
        stream.close()


Work = tuple[set[int | None], set[int], set[str], set[str]]
"""The ids of the threads of Python, of its child processes, of all child processes, and of all threads."""

CLOSING_S = 60.0
"""The time after which running work counts as left behind: the contract says 1 s; busy machines need a margin."""


def children_of(task: Path) -> list[str]:
    try:
        return (task / "children").read_text().split()
    except OSError:  # it ended while it was looked at
        return []


def work_going_on() -> Work:
    """Return the threads and child processes of this process."""
    tasks: list[Path] = []
    if Path("/proc/self/task").exists():
        tasks = list(Path("/proc/self/task").iterdir())
    children: set[str] = set()
    for task in tasks:
        children.update(children_of(task))
    pids = {child.pid or 0 for child in multiprocessing.active_children()}
    threads = {thread.ident for thread in threading.enumerate()}
    return threads, pids, children, {task.name for task in tasks}


def left_behind(before: Work) -> list[object]:
    """Return the work that goes on now and did not before, given a moment to be gone (a thread's end is no instant)."""
    end = time.monotonic() + CLOSING_S
    while True:
        now = work_going_on()
        left: list[object] = []
        left += now[0] - before[0]
        left += now[1] - before[1]
        left += now[2] - before[2]
        left += now[3] - before[3]
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.02)


settings.register_profile(
    "cpfill",
    max_examples=50,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
# For the gate: a commit passes or fails by its changes, not by the draw. New draws are for those who develop.
settings.register_profile("steady", settings.get_profile("cpfill"), derandomize=True)
# For a long look by hand: HYPOTHESIS_PROFILE=deep
settings.register_profile("deep", settings.get_profile("cpfill"), max_examples=5000)
# For a first look: HYPOTHESIS_PROFILE=brief
settings.register_profile("brief", settings.get_profile("cpfill"), max_examples=8)
# For an engine that is known to be wrong: HYPOTHESIS_PROFILE=unshrunk
settings.register_profile("unshrunk", settings.get_profile("cpfill"), phases=[Phase.generate])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "cpfill"))


@pytest.fixture(scope="session", autouse=True)
def _engine_heeds_its_limits() -> None:
    """Fail every test of an engine that would hang the first of them."""
    fault = ""
    if CHOSEN:
        fault = describe_fault(CHOSEN)
    if fault:
        pytest.fail(fault, pytrace=False)


@pytest.fixture(scope="session")
def english() -> WordList:
    return read_word_list("en-words")


@pytest.fixture(scope="session")
def hard_problem() -> Problem:
    """Return a problem that no engine settles soon."""
    return pose_hard_problem()


if __name__ == "__main__":
    _try(sys.argv[1])
