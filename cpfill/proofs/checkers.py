"""Runs checkers of proofs that are independent of cpfill."""

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

from cpfill.base.errors import tell_reason
from cpfill.base.texts import later, say
from cpfill.proofs import check_pbp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.problem.result import Deadline

DRAT_TRIM = "drat-trim"
CAKE_LPR = "cake_lpr"
DRATIFY = "dratify"
VERIPB = "veripb"
VERIFIED = "s VERIFIED UNSATISFIABLE"

MAX_DRATIFY_BYTES = 1 << 22
"""The most bytes of a formula and its proof together; pure Python takes a second for 0.1 MB or so."""

_LONG_S = 10**8
_SAID_BYTES = 1 << 16
_LOOK_S = 0.1
"""The seconds between two looks at whether a running program must be killed."""


class ProofVerdict(StrEnum):
    """The result for one thing that a proof needs."""

    CHECKED = "checked"
    REFUSED = "refused"
    NOT_CHECKED = "not checked"
    NOT_RUN = "not run"
    """A further check on which nothing depends."""
    TRUSTED = "trusted"


@dataclass(frozen=True, slots=True)
class CheckerReply:
    """The reply of one checker: a verdict (checked, refused or not checked), and the time it took or the reason."""

    checker: str
    verdict: ProofVerdict
    detail: str

    def __str__(self) -> str:
        answer = say(_ANSWERS[self.verdict])
        return say("{answer} by {checker} ({detail})", answer=answer, checker=self.checker, detail=self.detail)


_ANSWERS = {
    ProofVerdict.CHECKED: later("accepted"),
    ProofVerdict.REFUSED: later("refused"),
    ProofVerdict.NOT_CHECKED: later("not answered"),
}


def find_checkers() -> list[str]:
    """Return the names of the checkers that are installed."""
    found = [name for name in (DRAT_TRIM, CAKE_LPR) if shutil.which(name)]
    if find_spec(DRATIFY) is not None:
        found.append(DRATIFY)
    return found


def list_missing() -> list[str]:
    """Return the checkers that would run if they were installed; `cake_lpr` runs only after `drat-trim`."""
    found = find_checkers()
    if DRAT_TRIM not in found:
        return [DRAT_TRIM, CAKE_LPR]
    if CAKE_LPR not in found:
        return [CAKE_LPR]
    return []


def check_proof(formula: Path, proof: Path, deadline: Deadline) -> Iterator[CheckerReply]:
    """Yield the replies of the installed checkers, at least one; `dratify` runs only if there is no `drat-trim`.

    `cake_lpr`, which is itself proved correct, gets the proof that `drat-trim` has completed.
    """
    found = find_checkers()
    if DRAT_TRIM in found:
        yield from _run_drat_trim(formula, proof, deadline, certified=CAKE_LPR in found)
    elif DRATIFY in found:
        yield _run_dratify(formula, proof, deadline)
    else:
        named = {"drat_trim": DRAT_TRIM, "dratify": DRATIFY}
        why = say("no checker is installed: apt install {drat_trim}, or pip install {dratify}", **named)
        yield CheckerReply(say("any checker"), ProofVerdict.NOT_CHECKED, why)


def check_sum(formula: Path, proof: Path, deadline: Deadline) -> Iterator[CheckerReply]:
    """Yield the reply of the script that checks proofs of sums; if it accepts, that of VeriPB if it is installed."""
    command = [sys.executable, "-I", "-S", check_pbp.__file__, str(formula), str(proof)]
    reply = _run(Path(check_pbp.__file__).name, command, {VERIFIED}, {"s NOT VERIFIED"}, deadline)
    yield reply
    if reply.verdict is ProofVerdict.CHECKED and shutil.which(VERIPB):
        yield _run(VERIPB, [VERIPB, str(formula), str(proof)], {VERIFIED}, set(), deadline)


def _run_drat_trim(formula: Path, proof: Path, deadline: Deadline, *, certified: bool) -> Iterator[CheckerReply]:
    """Yield the reply of `drat-trim`; if it accepts the proof and `certified` is asked, also that of `cake_lpr`."""
    with TemporaryDirectory(prefix="cpfill-") as folder:
        lrat = str(Path(folder) / "proof.lrat")
        limit_s = math.ceil(deadline.remaining_s(_LONG_S)) + 1
        command = [DRAT_TRIM, str(formula), str(proof), "-I", "-t", str(limit_s)]
        if certified:
            command += ["-L", lrat]
        reply = _run(DRAT_TRIM, command, {"s VERIFIED"}, {"s NOT VERIFIED"}, deadline)
        yield reply
        if certified and reply.verdict is ProofVerdict.CHECKED:
            yield _run(CAKE_LPR, [CAKE_LPR, str(formula), lrat], {"s VERIFIED UNSAT"}, set(), deadline)


def _run_dratify(formula: Path, proof: Path, deadline: Deadline) -> CheckerReply:
    size = formula.stat().st_size + proof.stat().st_size
    if size > MAX_DRATIFY_BYTES:
        most = MAX_DRATIFY_BYTES >> 20
        why = say(
            "takes at most {n} MB, these are {n2}: install {drat_trim}", n=most, n2=size >> 20, drat_trim=DRAT_TRIM
        )
        return CheckerReply(DRATIFY, ProofVerdict.NOT_CHECKED, why)
    command = [sys.executable, "-P", "-c", _DRATIFY, str(formula), str(proof)]
    return _run(DRATIFY, command, {"s VERIFIED"}, {"s NOT VERIFIED"}, deadline)


_DRATIFY = """
import sys
from pathlib import Path
from dratify import check_proof, parse_dimacs
result = check_proof(parse_dimacs(Path(sys.argv[1]).read_text()), Path(sys.argv[2]).read_text(), engine="python")
print("s VERIFIED" if result.ok and result.reached_empty else "s NOT VERIFIED")
"""


def run_program(command: Sequence[str], deadline: Deadline, **more: Any) -> int | None:
    """Run a program and return its exit code; `None` if it was killed because time ran out or the token was set.

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


def _run(name: str, command: Sequence[str], yes: set[str], no: set[str], deadline: Deadline) -> CheckerReply:
    """Run a checker. A proof is accepted only if the checker says so and its exit code is 0.

    The code alone is not enough: `drat-trim` also exits with 0 if it runs out of memory.
    """
    start_s = time.monotonic()
    with TemporaryFile() as out:
        try:
            where = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            code = run_program(command, deadline, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **where})
        except OSError as exc:
            return CheckerReply(
                name, ProofVerdict.NOT_CHECKED, say("it cannot be run: {strerror}", strerror=tell_reason(exc))
            )
        if code is None:
            return CheckerReply(name, ProofVerdict.NOT_CHECKED, say("time limit reached"))
        out.seek(max(0, os.fstat(out.fileno()).st_size - _SAID_BYTES))
        text = out.read().decode("utf-8", "replace").replace("\r", "\n")
    said = set(map(str.strip, text.split("\n")))
    took = f"{time.monotonic() - start_s:.1f} s"
    if code == 0 and said & yes:
        return CheckerReply(name, ProofVerdict.CHECKED, took)
    if said & no:
        return CheckerReply(name, ProofVerdict.REFUSED, took)
    return CheckerReply(
        name,
        ProofVerdict.NOT_CHECKED,
        say("it ended with exit code {code}, and neither accepts nor refuses", code=code),
    )
