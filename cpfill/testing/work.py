"""The threads and processes of this process, to see whether any are left behind."""

from __future__ import annotations

import multiprocessing
import threading
import time
from pathlib import Path

Work = tuple[set[int | None], set[int], set[str], set[str]]
"""The ids of the threads of Python, of its child processes, of all child processes, and of all threads."""

CLOSING_S = 60.0
"""When work that goes on counts as left behind: the contract of engines says 1 s, and no busy machine takes so long."""


def children_of(task: Path) -> list[str]:
    try:
        return (task / "children").read_text().split()
    except OSError:  # it ended while it was looked at
        return []


def work_going_on() -> Work:
    """Return what goes on in this process, and under it."""
    tasks = list(Path("/proc/self/task").iterdir()) if Path("/proc/self/task").exists() else []
    children = {child for task in tasks for child in children_of(task)}
    pids = {child.pid or 0 for child in multiprocessing.active_children()}
    return {thread.ident for thread in threading.enumerate()}, pids, children, {task.name for task in tasks}


def left_behind(before: Work) -> list[object]:
    """Return the work that goes on now and did not before, given a moment to be gone (a thread's end is no instant)."""
    end = time.monotonic() + CLOSING_S
    while True:
        now = work_going_on()
        left: list[object] = [*(now[0] - before[0]), *(now[1] - before[1])]
        left += [*(now[2] - before[2]), *(now[3] - before[3])]
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.02)
