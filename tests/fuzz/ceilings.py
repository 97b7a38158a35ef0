"""What the work on one input may take, and what a refusal may look like."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

resource = pytest.importorskip("resource", reason="Windows sets a process no such limits")

CPU_S = 4.0
"""Seconds of work: the longest inputs take a tenth of it, and what is quadratic in them a thousand times as much."""

MEMORY_BYTES = 1 << 29
"""Bytes of address space, over what the process has already."""

MOST_LINES = 12
"""Lines of a refusal: it does not list every place of a fault that is everywhere."""

MOST_CHARACTERS = 500
"""Characters of a line of a refusal, without paths: some name every choice, but no line quotes a file at length."""

_STATM = Path("/proc/self/statm")


class CeilingError(AssertionError):
    """The work took too long."""


class _StopError(BaseException):
    """The same, on its way: nothing that catches an `Exception` keeps the work from ending."""


@contextmanager
def ceilings(cpu_s: float = CPU_S, memory_bytes: int = MEMORY_BYTES) -> Iterator[None]:
    """Let work take so many seconds of this process, wherever it is done, and so much memory.

    Raises:
        CeilingError: it took more seconds; compiled work is judged once it has ended.
        MemoryError: it asked for more memory.
    """

    def stop(_signal: int, frame: FrameType | None) -> None:
        at = f", at {frame.f_code.co_filename}:{frame.f_lineno}" if frame else ""
        raise _StopError(f"over {cpu_s} s of work{at}")

    before = signal.signal(signal.SIGPROF, stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if _STATM.exists():
        taken = int(_STATM.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + memory_bytes, hard))
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    except _StopError as stopped:
        raise CeilingError(str(stopped)) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def check_refusal(message: str, *paths: str) -> None:
    """Check that the message of a refusal is fit to be read: a few lines, none long, nothing that moves the cursor."""
    for path in sorted(paths, key=len, reverse=True):
        message = message.replace(path, "…")
    lines = message.split("\n")
    assert 1 <= len(lines) <= MOST_LINES, f"{len(lines)} lines"
    assert all(line and line.isprintable() for line in lines), lines
    assert max(map(len, lines)) <= MOST_CHARACTERS, f"a line of {max(map(len, lines))} characters"
