"""`--proof`, which writes the proof of an answer, and `cpfill verify`, which has other programs check it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

import cpfill
from cpfill.base.errors import WORKERS, UnsupportedError
from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.output import emit, json_line
from cpfill.cli.render import Ticker
from cpfill.cli.verbs import Exit, gravest, warn
from cpfill.engines import DEFAULT_ENGINE
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline
from cpfill.proofs.checkers import ProofVerdict
from cpfill.proofs.folder import ProofFolder
from cpfill.proofs.trees import Grower
from cpfill.proofs.verify import verify_folder as find
from cpfill.questions.explain.conflict import Kind, relax
from cpfill.questions.solve import Search

if TYPE_CHECKING:
    from collections.abc import Callable

    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.proofs.trees import Growing
    from cpfill.questions.explain.explanation import Explanation

PROVING_ENGINE = "mac"
"""The engine whose searches are written as proofs."""


Asked = TypeVar("Asked", bound=Search)


def to_prove(question: Asked) -> Asked:
    """Return a question with the engine whose searches become proofs; a good fill is a fill."""
    if question.engine not in {None, DEFAULT_ENGINE, PROVING_ENGINE}:
        told = later("engine {engine} writes no proofs; {proving_engine} does")
        raise UnsupportedError(say(told, engine=question.engine, proving_engine=PROVING_ENGINE))
    request = question.request
    if request.goal is Objective.GOOD:
        request = replace(request, objective=Objective.ANY)
    return replace(question, engine=PROVING_ENGINE, request=request)


class Prover:
    """Writes the proof of one answer into a folder. `every` means that all fills are wanted.

    Raises:
        InputError: the folder is not empty, or cannot be made.
        UnsupportedError: an answer to this question cannot be proved in this way.
    """

    def __init__(self, path: str, problem: Problem, name: str, seed: int, *, every: bool = False) -> None:
        self._folder = ProofFolder(Path(path), problem, name, cpfill.__version__)
        self._path = path
        self._seed = seed
        self._every = every

    def take(self, fill: Fill) -> None:
        """Take a fill that was found."""
        if self._every:
            self._folder.tell(fill)

    def prove(self, result: SolveResult, *, interrupted: bool) -> bool:
        """Write the proof of the result of a search, and say so; return whether neither was interrupted.

        After an interrupt nothing is proved: any more are ignored, and this may take long.
        """
        return self._say(lambda grower: self._folder.prove(result, grower), interrupted=interrupted)

    def prove_conflict(self, explanation: Explanation, *, interrupted: bool) -> bool:
        """Write the proof that there is no fill, and report it, as `prove` does."""
        if explanation.conflict is None:
            return self._say(lambda _: None, interrupted=interrupted)
        subset = explanation.conflict.subset
        rules = explanation.problem.rules
        slots = sorted(id_ for kind, id_ in subset if kind is Kind.SLOT)
        words = sorted(rules.required)
        required = frozenset(words[id_] for kind, id_ in subset if kind is Kind.REQUIRED)
        problem = replace(relax(explanation.problem, subset), rules=replace(rules, required=required))
        return self._say(lambda grower: self._folder.prove_conflict(problem, slots, grower), interrupted=interrupted)

    def _say(self, prove: Callable[[Grower], int | None], *, interrupted: bool) -> bool:
        lemmas = None
        with Ticker() as ticker:

            def watch(tree: Growing) -> None:
                ticker.say(say("proof: a tree of {size:,} lemmas", size=tree.size))

            lemmas = None if interrupted else prove(Grower(seed=self._seed, watch=watch))
        if interrupted or ticker.interrupted:
            self._folder.clear()
            warn(say("interrupted: {path} has no proof", path=self._path))
            return False
        if lemmas is None:
            warn(say("nothing was proved: {path} has no proof", path=self._path))
        else:
            told = later("proof of {counted} in {path}; cpfill verify {path2} checks it")
            counted = say_count(lemmas, "lemma", ",")
            warn(say(told, counted=counted, path=self._path, path2=shlex.quote(self._path)))
        return True


_EXITS = {ProofVerdict.REFUSED: Exit.FAULT, ProofVerdict.NOT_CHECKED: Exit.LIMIT}


def verify(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The directory that has the proof.")],
    *,
    time_limit: o.TimeLimit = None,
    workers: Annotated[
        int, o.number(WORKERS, "--workers", "-j", help="Number of formulas and proofs checked in parallel.")
    ] = 1,
    as_json: o.Json = False,
) -> int:
    """Check a proof: print a line for each check with its checker, for each assumption, and for each gap.

    The formula is regenerated, and the checkers drat-trim, cake_lpr, dratify and veripb are run if they are installed.

    Exit codes: 0 all was checked; 1 something is refused; 2 bad input; 124 something was not checked.
    """
    code = Exit.ANSWERED
    for finding in find(Path(folder), Deadline(o.parse_time(time_limit)), workers):
        code = gravest([code, _EXITS.get(finding.verdict, Exit.ANSWERED)])
        record = {"verdict": finding.verdict, "text": finding.text}
        emit(json_line(record) if as_json else f"{finding}\n")
    return code
