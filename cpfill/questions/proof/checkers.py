"""Checkers of proofs, which know nothing of cpfill: each found where it is installed, and run with a time limit."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TYPE_CHECKING, Any

from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.problem.result import Deadline

DRAT_TRIM, CAKE_LPR, DRATIFY = "drat-trim", "cake_lpr", "dratify"

MAX_DRATIFY_BYTES = 1 << 22
"""The most bytes of a formula and its proof together; pure Python takes a second for 0.1 MB or so."""

_LONG_S = 10**8
_SAID_BYTES = 1 << 16
_LOOK_S = 0.1
"""How often a program that runs is looked at: whether it is to be killed."""


class Answer(StrEnum):
    """What a checker says of a proof."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    NONE = "not answered"


@dataclass(frozen=True, slots=True)
class Reply:
    """What one checker said: its name, its answer, and how long it took or why it has none."""

    checker: str
    answer: Answer
    detail: str

    def __str__(self) -> str:
        return say(
            "{answer} by {checker} ({detail})", answer=say(self.answer), checker=self.checker, detail=self.detail
        )


def find_checkers() -> list[str]:
    """Return the names of the checkers that are installed."""
    programs = [name for name in (DRAT_TRIM, CAKE_LPR) if shutil.which(name)]
    return programs + [DRATIFY] * (find_spec(DRATIFY) is not None)


def list_missing() -> list[str]:
    """Return the names of the programs that would be run if they were installed; without the first the other is not."""
    found = find_checkers()
    return [DRAT_TRIM, CAKE_LPR] if DRAT_TRIM not in found else [CAKE_LPR] * (CAKE_LPR not in found)


def check(formula: Path, proof: Path, deadline: Deadline) -> Iterator[Reply]:
    """Yield what the installed checkers say of a proof, one reply at least: `dratify` where there is no `drat-trim`.

    `cake_lpr`, which is itself proved right, is given the proof as `drat-trim` completes it.
    """
    found = find_checkers()
    if DRAT_TRIM in found:
        with TemporaryDirectory(prefix="cpfill-") as folder:
            lrat = [str(Path(folder) / "proof.lrat")] if CAKE_LPR in found else []
            limit = ["-t", str(math.ceil(deadline.remaining_s(_LONG_S)) + 1)]
            command = [DRAT_TRIM, str(formula), str(proof), "-I", *limit, *(["-L", *lrat] if lrat else [])]
            reply = _run(DRAT_TRIM, command, {"s VERIFIED"}, {"s NOT VERIFIED"}, deadline)
            yield reply
            if lrat and reply.answer is Answer.ACCEPTED:
                yield _run(CAKE_LPR, [CAKE_LPR, str(formula), *lrat], {"s VERIFIED UNSAT"}, set(), deadline)
    elif DRATIFY in found:
        yield _run_dratify(formula, proof, deadline)
    else:
        yield Reply(
            say("any checker"),
            Answer.NONE,
            say(
                "no checker is installed: apt install {drat_trim}, or pip install {dratify}",
                drat_trim=DRAT_TRIM,
                dratify=DRATIFY,
            ),
        )


def _run_dratify(formula: Path, proof: Path, deadline: Deadline) -> Reply:
    size = formula.stat().st_size + proof.stat().st_size
    if size > MAX_DRATIFY_BYTES:
        return Reply(
            DRATIFY,
            Answer.NONE,
            say(
                "takes {n} MB, these are {n2}: install {drat_trim}",
                n=MAX_DRATIFY_BYTES >> 20,
                n2=size >> 20,
                drat_trim=DRAT_TRIM,
            ),
        )
    command = [sys.executable, "-P", "-c", _DRATIFY, str(formula), str(proof)]
    return _run(DRATIFY, command, {"s VERIFIED"}, {"s NOT VERIFIED"}, deadline)


_DRATIFY = """
import sys
from pathlib import Path
from dratify import check_proof, parse_dimacs
result = check_proof(parse_dimacs(Path(sys.argv[1]).read_text()), Path(sys.argv[2]).read_text(), engine="python")
print("s VERIFIED" if result.ok and result.reached_empty else "s NOT VERIFIED")
"""


def run(command: Sequence[str], deadline: Deadline, **more: Any) -> int | None:  # noqa: ANN401 - as `Popen` has them
    """Run a program, and return its exit code; none if it had to be killed, for the time was over or the token set.

    Raises:
        OSError: it cannot be run.
    """
    over = deadline.passed
    if over:
        return None
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, **more) as process:  # noqa: S603 - installed by the user
        try:
            while not deadline.passed:
                with suppress(subprocess.TimeoutExpired):
                    return process.wait(deadline.remaining_s(_LOOK_S))
        finally:
            process.kill()
    return None


def _run(name: str, command: Sequence[str], yes: set[str], no: set[str], deadline: Deadline) -> Reply:
    """Run a checker. Only what it says in so many words, and an exit code of 0 with it, accepts a proof.

    The code alone would not do: `drat-trim` ends with 0 as well when it runs out of memory.
    """
    start_s = time.monotonic()
    with TemporaryFile() as out:
        try:
            where = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            code = run(command, deadline, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **where})
        except OSError as exc:
            return Reply(
                name, Answer.NONE, say("it cannot be run: {strerror}", strerror=(exc.strerror or str(exc)).lower())
            )
        if code is None:
            return Reply(name, Answer.NONE, say("the time is over"))
        out.seek(max(0, os.fstat(out.fileno()).st_size - _SAID_BYTES))
        said = {line.strip() for line in out.read().decode("utf-8", "replace").replace("\r", "\n").split("\n")}
    took = f"{time.monotonic() - start_s:.1f} s"
    if code == 0 and said & yes:
        return Reply(name, Answer.ACCEPTED, took)
    if said & no:
        return Reply(name, Answer.REFUSED, took)
    return Reply(name, Answer.NONE, say("it ended with exit code {code}, and neither accepts nor refuses", code=code))
