"""Writes the proof of a search result and runs a proof checker on it; times both."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import cpfill
from cpfill.base.files import allow_files, children_s
from cpfill.base.texts import say
from cpfill.problem.result import Deadline
from cpfill.questions.proof.claim import read_claim
from cpfill.questions.proof.trees import Grower
from cpfill.questions.proof.verify import MAX_PROOF_BYTES, Answer, check
from cpfill.questions.proof.writing import ProofFolder

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult


def certify(problem: Problem, result: SolveResult, seed: int, check_s: float) -> dict[str, Any]:
    """Return the figures of the proof of a result; nothing if the result proves nothing.

    The keys: `lemmas`; `write_s`, seconds from the first tree to the last byte; `check_s`, the processor time of the
    checkers, which is limited to the argument `check_s`; the `checker` that accepted the whole proof, or the reason why
    it is `unchecked`, or `wrong`.

    Raises:
        UnsupportedError: answers to this problem cannot be proved.
    """
    with TemporaryDirectory(prefix="cpfill-") as name:
        folder, start_s = Path(name), time.perf_counter()
        lemmas = ProofFolder(folder, problem, "", cpfill.__version__).prove(result, Grower(seed=seed))
        if lemmas is None:
            return {}
        said = {"lemmas": lemmas, "write_s": time.perf_counter() - start_s}
        # As large as are verified; what is measured may write files of a sixteenth of that.
        allow_files(MAX_PROOF_BYTES)
        deadline, before_s = Deadline(check_s), children_s()
        replies = [
            reply
            for step in read_claim(folder, Deadline(None)).steps
            for reply in check(folder / step.formula.name, folder / step.proof.name, deadline)
        ]
    said["check_s"] = children_s() - before_s
    for reply in replies:
        if reply.answer is Answer.REFUSED:
            return {**said, "wrong": say("its proof is {reply}", reply=reply)}
        if reply.answer is Answer.NONE:
            return {**said, "unchecked": say("its proof is {reply}", reply=reply)}
    return {**said, "checker": ", ".join(dict.fromkeys(reply.checker for reply in replies))}
