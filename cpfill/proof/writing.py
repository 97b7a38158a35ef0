"""Proofs written: a folder that says what is claimed, and has all that it takes to check it without cpfill."""

from __future__ import annotations

import hashlib
import json
import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cpfill.compiled import load_kernel
from cpfill.engines.mac import KERNELS
from cpfill.engines.mac.kernels import KernelMaker
from cpfill.errors import Fault, InputError, UnsupportedError
from cpfill.proof.claim import hash_source
from cpfill.proof.fill_to_cnf import Formula
from cpfill.proof.refutations import CLAIMS, FILL, format_score, list_arguments, list_refutations, require_provable
from cpfill.proof.trees import grow_smallest
from cpfill.result import Status
from cpfill.saving import save
from cpfill.value import value_to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from cpfill.fill import Fill
    from cpfill.problem import Problem
    from cpfill.proof.trees import Decision, Tree
    from cpfill.result import SolveResult

GRID, WORDS, CLAIM = "grid.txt", "words.tsv", "claim.json"

MOST_FILLS = 10_000
"""How many fills are told at most where it is proved that there is no other: each is a clause of its own."""


class ProofFolder:
    """A folder for the proof of what a search of one problem comes to; the claim, without which it is none, comes last.

    Raises:
        InputError: there is something in the folder, or it cannot be made.
        UnsupportedError: what is proved of this problem cannot be written as formulas.
    """

    def __init__(self, path: Path, problem: Problem, source: str, version: str) -> None:
        require_provable(problem)
        self._path, self._problem, self._source, self._version = path, problem, source, version
        self._grid, self._words = f"{problem.grid}\n", "".join(_list_words(problem))
        with self._writing():
            path.mkdir(exist_ok=True)
            if (found := next(path.iterdir(), None)) is not None:
                raise InputError(Fault("an empty folder for a proof, or none", found.name, str(path)))
            self._save(GRID, self._grid)
            self._save(WORDS, self._words)
        self._told = 0

    def tell(self, fill: Fill) -> None:
        """Take one of all the fills.

        Raises:
            InputError: the folder cannot be written to.
            UnsupportedError: there are too many.
        """
        self._told += 1
        if self._told > MOST_FILLS:
            raise UnsupportedError(f"no proof is written of more than {MOST_FILLS:,} fills")
        with self._writing():
            self._save(FILL, "\n" * (self._told > 1) + f"{fill}\n", mode="a")

    def prove(
        self,
        result: SolveResult,
        *,
        kernel: str | None = None,
        seed: int = 0,
        watch: Callable[[Tree], None] = lambda _: None,
    ) -> int | None:
        """Prove what the search proved, and return the number of lemmas; `None` if it proved nothing.

        Args:
            result: what the search came to.
            kernel: the kernel that proves it, by default the compiled one.
            seed: of the first tree.
            watch: gets each tree as it grows, again and again.

        Raises:
            EngineError: the kernel comes to something else.
            InputError: the folder cannot be written to.
        """
        if result.status not in CLAIMS:
            return None
        with self._writing():
            if result.fill is not None and result.status is Status.OPTIMAL:
                self._save(FILL, f"{result.fill}\n")
            steps: list[dict[str, Any]] = []
            for refutation in list_refutations(self._problem, result):
                kernels = KernelMaker(refutation.problem, load_kernel(KERNELS, kernel))
                with grow_smallest(refutation, kernels, self._path, seed, watch) as tree:
                    steps.append(self._write_step(tree, f"-{len(steps) + 1}" if steps else ""))
            save(
                self._path / CLAIM, f"{json.dumps(self._claim(result, steps), ensure_ascii=False, indent=2)}\n".encode()
            )
        return sum(int(step["lemmas"]) for step in steps)

    def _write_step(self, tree: Tree, suffix: str) -> dict[str, Any]:
        """Write the formula and the proof of one refutation, and return what the claim says of it."""
        formula_name, proof_name = f"formula{suffix}.cnf", f"proof{suffix}.drat"
        arguments = tree.refutation.arguments
        formula = Formula.read(self._grid, self._words, arguments, self._path)
        with (self._path / formula_name).open("wb") as file:
            variables, clauses = formula.write(file)
        with (self._path / proof_name).open("w", encoding="ascii", newline="") as text:
            text.writelines(_write_lemmas(tree, formula))
        return {
            "formula": formula_name,
            "formula_sha256": self._hash(formula_name),
            "arguments": arguments,
            "variables": variables,
            "clauses": clauses,
            "proof": proof_name,
            "proof_sha256": self._hash(proof_name),
            "lemmas": tree.size + 1,
        }

    def _claim(self, result: SolveResult, steps: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the claim as JSON has it."""
        problem = self._problem
        fill: dict[str, Any] | None = None
        if result.status is not Status.UNSATISFIABLE:
            fill = {"file": FILL, "sha256": self._hash(FILL)}
        if fill and result.status is Status.OPTIMAL:
            fill["value"] = value_to_json(result.value)
        lists = [{"source": one.name, "sha256": hash_source(one.name)} for one in problem.lexicon.lists]
        return {
            "cpfill": self._version,
            "claim": CLAIMS[result.status],
            "alphabet": problem.grid.alphabet.letters,
            "rules": list_arguments(problem),
            "objective": problem.objective,
            "levels": problem.levels,
            "grid": {
                "file": GRID,
                "sha256": self._hash(GRID),
                "source": self._source,
                "source_sha256": hash_source(self._source),
            },
            "words": {"file": WORDS, "sha256": self._hash(WORDS), "lists": lists},
            "fill": fill,
            "steps": steps,
            "commands": [command for step in steps for command in _list_commands(step)],
        }

    def _save(self, name: str, text: str, mode: str = "x") -> None:
        with (self._path / name).open(mode, encoding="utf-8", newline="") as file:
            file.write(text)

    def _hash(self, name: str) -> str:
        with (self._path / name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as exc:
            got = (exc.strerror or str(exc)).lower()
            raise InputError(Fault("a folder that a proof can be written into", got, str(self._path))) from None


def _write_lemmas(tree: Tree, formula: Formula) -> Iterator[str]:
    """Yield the lines of a proof: of each lemma that one of its decisions is not taken, at last the empty clause."""
    problem = tree.refutation.problem
    letters = problem.grid.alphabet.letters
    known: dict[Decision, str] = {}

    def deny(decision: Decision) -> str:
        if decision not in known:
            slot, pos, value = decision
            if pos < 0:
                variable = formula.word_variable[slot, problem.tables[slot].words[value]]
            else:
                variable = formula.letter_variable[problem.slots[slot].places[pos][0], letters[value]]
            known[decision] = f"-{variable}"
        return known[decision]

    for lemma in tree.list_lemmas():
        yield f"{' '.join(map(deny, lemma))} 0\n"
    yield "0\n"


def _list_commands(step: dict[str, Any]) -> list[str]:
    """Return the commands that check one step by hand."""
    script = shlex.join(["python", "-m", "cpfill.proof.fill_to_cnf", GRID, WORDS, *step["arguments"]])
    return [f"{script} | cmp - {step['formula']}", f"drat-trim {step['formula']} {step['proof']} -I -t 1000000"]


def _list_words(problem: Problem) -> Iterable[str]:
    """Yield a line for each word as long as a slot, rising."""
    tables = {table.length: table for table in problem.tables}.values()
    scores = {word: score for table in tables for word, score in zip(table.words, table.scores, strict=True)}
    return (f"{word}\t{format_score(scores[word])}\n" for word in sorted(scores))
