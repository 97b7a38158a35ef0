"""`cpfill verify`: check a proof that `solve --proof` wrote, with checkers that know nothing of cpfill."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cpfill.base.errors import WORKERS
from cpfill.cli import options as o
from cpfill.cli.exits import Exit, gravest
from cpfill.cli.output import emit
from cpfill.problem.result import Deadline
from cpfill.questions.proof.verify import Verdict
from cpfill.questions.proof.verify import verify as find

_EXITS = {Verdict.REFUSED: Exit.FAULT, Verdict.NOT_CHECKED: Exit.LIMIT}


def verify(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The directory that has the proof.")],
    *,
    time_limit: o.TimeLimit = None,
    workers: Annotated[int, o.number(WORKERS, "--workers", "-j", help="So many formulas and proofs at a time.")] = 1,
    as_json: o.Json = False,
) -> int:
    """Check a proof: say line by line what was checked by whom, what is trusted, and what was not checked.

    The formula is made anew, and the checkers drat-trim, cake_lpr and dratify are run, whichever are installed.

    Exit codes: 0 all was checked; 1 something is refused; 2 bad input; 124 something was not checked.
    """
    code = Exit.ANSWERED
    for finding in find(Path(folder), Deadline(o.parse_time(time_limit)), workers):
        code = gravest([code, _EXITS.get(finding.verdict, Exit.ANSWERED)])
        record = {"verdict": finding.verdict, "text": finding.text}
        emit(f"{json.dumps(record, ensure_ascii=False) if as_json else finding}\n")
    return code
