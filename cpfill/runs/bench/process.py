"""Times, measures and, if it takes too long, kills a process: our end of `launcher.py`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.base.errors import CpfillError
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Sequence

_LAUNCHER = Path(__file__).with_name("launcher.py")
_READ_BYTES = 1 << 24


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a process: its exit code, resources and output.

    Attributes:
        exit_code: negative for a signal.
        wall_s: seconds from its start to its end.
        cpu_s: processor time of the process and of the processes that it waited for.
        peak_mb: peak memory of the process, or of the largest process that it waited for.
    """

    exit_code: int
    timed_out: bool
    wall_s: float
    cpu_s: float
    peak_mb: float
    stdout: str
    stderr: str


def launch(argv: Sequence[str], timeout_s: float) -> Ended:
    """Run a command without a shell and return how it ended; it and its group are killed after `timeout_s`.

    Raises:
        CpfillError: it could not be started.
    """
    with tempfile.TemporaryDirectory(prefix="cpfill-bench-") as name:
        out, err = Path(name) / "stdout", Path(name) / "stderr"
        order = {"argv": list(argv), "timeout_s": timeout_s, "stdout": str(out), "stderr": str(err)}
        with subprocess.Popen(  # noqa: S603 - our own interpreter, our own file
            [sys.executable, "-I", "-S", str(_LAUNCHER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "TMPDIR": name},  # a killed process leaves temporary files, even a proof of gigabytes
            start_new_session=True,
        ) as launcher:
            assert launcher.stdin
            assert launcher.stdout
            launcher.stdin.write(json.dumps(order).encode() + b"\n")
            launcher.stdin.flush()
            line = launcher.stdout.readline()
        report = json.loads(line or '{"error": "the launcher ended"}')
        if "error" in report:
            raise CpfillError(say("cannot run {argv}: {error}", argv=argv[0], error=report["error"]))
        return Ended(
            exit_code=report["exit_code"],
            timed_out=report["timed_out"],
            wall_s=report["wall_s"],
            cpu_s=report["cpu_s"],
            peak_mb=report["peak_kb"] / 1024,
            stdout=_text(out),
            stderr=_text(err),
        )


def _text(path: Path) -> str:
    with path.open("rb") as stream:
        return stream.read(_READ_BYTES).decode("utf-8", errors="replace")
