"""Writes proofs: a folder with the claim and everything needed to check it without cpfill; or only the formula.

`README.md` describes the folder. The formula alone (`.cnf`) is for SAT solvers; comments map variables to letters. A
comment `c 3-Across x 120` says that the x(s, w) of slot 3-Across begin at 120, in the order of the words. A comment
`c cell 7 A=801 B=802` lists the y(c, l) of cell 7; cells count from 0 in row-major order, including blocks.
`fill_to_cnf.py` documents the clauses.
"""

from __future__ import annotations

import hashlib
import io
import json
import shlex
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from cpfill.base.errors import Fault, InputError, UnsupportedError, expected, tell_reason
from cpfill.base.files import save
from cpfill.base.texts import say
from cpfill.problem.problem import Objective
from cpfill.problem.result import Status
from cpfill.problem.rules import write_score
from cpfill.problem.value import Criterion, value_to_json
from cpfill.proofs.claim import CLAIM, NO_FILL, hash_source
from cpfill.proofs.fill_to_cnf import Formula
from cpfill.proofs.fill_to_opb import SumFormula
from cpfill.proofs.trees import CLAIMS, FILL, RefutationTree, list_arguments, list_refutations, require_provable
from cpfill.words.spelling import EntryKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.proofs.trees import Decision, Grower, Tree, TreePart
    from cpfill.puzzle.grid import SlotId

GRID = "grid.txt"
WORDS = "words.tsv"
SUM_FORMULA = "formula.opb"
SUM_PROOF = "proof.pbp"

Inputs = tuple[str, str]
"""The texts of the files of the grid and of the words."""

_SUMS = ((Criterion.SUM,), (Criterion.LETTERS,))
"""The criteria of which a proof counts a sum."""

MOST_FILLS = 10_000
"""The most fills listed in a proof that there is no other: each is a clause."""


@dataclass(frozen=True)
class _Step:
    """A formula and its proof, to be written; `more` has further keys of the claim about them."""

    problem: Problem
    arguments: list[str]
    lemmas: Iterable[Sequence[Decision]]
    more: Mapping[str, Any] = field(default_factory=dict)


class ProofFolder:
    """A folder for the proof of a search result; the claim is written last and completes it.

    If writing ends early, by an interrupt or a full disk, all files written so far are removed.
    """

    def __init__(self, path: Path, problem: Problem, source: str, version: str) -> None:
        require_provable(problem)
        self._path = path
        self._problem = problem
        self._source = source
        self._version = version
        self._told: list[str] = []
        self._written: dict[Path, None] = {}
        with self._writing():
            path.mkdir(exist_ok=True)
            found = next(path.iterdir(), None)
            if found is not None:
                raise self._not_empty(found.name)

    def tell(self, fill: Fill) -> None:
        """Add a fill to the list of all fills, which is written with the proof."""
        if len(self._told) == MOST_FILLS:
            raise UnsupportedError(say("a proof lists at most {most_fills:,} fills", most_fills=MOST_FILLS))
        self._told.append(f"{fill}\n")

    def prove(self, result: SolveResult, grower: Grower) -> int | None:
        """Write the proof of a result and return the number of lemmas; `None` if the search proved nothing.

        Raises:
            EngineError: the kernel has a different result.
        """
        if result.status not in CLAIMS:
            return None
        value = None
        fills = self._told
        if result.status is Status.OPTIMAL:
            value = value_to_json(result.value)
            fills = [f"{result.fill}\n"]
        if result.status is Status.OPTIMAL and result.value and self._problem.criteria in _SUMS:
            (total,) = result.value
            steps = partial(self._write_sum, total, grower)
        else:
            steps = partial(self._write_trees, list_refutations(self._problem, result), grower)
        return self._write(self._problem, CLAIMS[result.status], steps, fills=fills, value=value)

    def prove_conflict(self, problem: Problem, slots: Sequence[SlotId], grower: Grower) -> int:
        """Prove that these slots of a problem cannot be filled together, and return the number of lemmas.

        The problem is that of the folder, or has fewer givens and required words. A required word may stand in any
        slot, and so may letters that are counted: with these the proof covers all slots.

        Raises:
            EngineError: the kernel fills them.
        """
        refutation = RefutationTree(problem, slots=tuple(slots))
        if problem.rules.required or problem.counts:
            refutation = RefutationTree(problem)
        return self._write(problem, NO_FILL, partial(self._write_trees, [refutation], grower))

    def clear(self) -> None:
        """Remove the files written so far; the claim first, so that no claim ever lacks its files."""
        while self._written:
            path, _ = self._written.popitem()
            with suppress(OSError):
                path.unlink()

    def _write(
        self,
        problem: Problem,
        claimed: str,
        write_steps: Callable[[Inputs], list[dict[str, Any]]],
        *,
        fills: Sequence[str] = (),
        value: float | list[float] | None = None,
    ) -> int:
        with self._writing():
            steps = write_steps(self._write_inputs(problem, fills))
            claim = {
                "cpfill": self._version,
                "claim": claimed,
                "alphabet": problem.grid.alphabet.letters,
                "rules": list_arguments(problem),
                "objective": Objective.ANY if problem.objective is Objective.GOOD else problem.objective,
                "levels": problem.levels,
                "grid": {
                    "file": GRID,
                    "sha256": self._hash(GRID),
                    "source": self._source,
                    "source_sha256": hash_source(self._source),
                },
                "words": {
                    "file": WORDS,
                    "sha256": self._hash(WORDS),
                    "lists": [{"source": one.name, "sha256": hash_source(one.name)} for one in problem.lexicon.lists],
                },
                "fill": None if claimed == NO_FILL else {"file": FILL, "sha256": self._hash(FILL), "value": value},
                "steps": steps,
                "commands": list(chain.from_iterable(map(_list_commands, steps))),
            }
            self._written[self._path / CLAIM] = None
            text = json.dumps(claim, ensure_ascii=False, indent=2)
            save(self._path / CLAIM, f"{text}\n".encode(errors="backslashreplace"))
        return sum(int(step["lemmas"]) for step in steps)

    def _write_inputs(self, problem: Problem, fills: Sequence[str]) -> Inputs:
        """Write the grid, the words and the fills; return the texts of the first two."""
        inputs = (f"{problem.grid}\n", "".join(list_words(problem)))
        self._save(GRID, inputs[0])  # the first file: if several runs found the folder empty, only one creates it
        self._save(WORDS, inputs[1])
        if fills:
            self._save(FILL, "\n".join(fills))
        return inputs

    def _write_trees(
        self, refutations: Iterable[RefutationTree], grower: Grower, inputs: Inputs
    ) -> list[dict[str, Any]]:
        """Write formulas and search trees; return the entry of each step in the claim."""
        steps: list[dict[str, Any]] = []
        for refutation in refutations:
            with grower.grow(refutation, self._path) as tree:
                for step in self._list_steps(tree, _suffix(len(steps))):
                    steps.append(self._write_step(inputs, step, _suffix(len(steps))))
        return steps

    def _write_sum(self, total: float, grower: Grower, inputs: Inputs) -> list[dict[str, Any]]:
        """Write the formula that there is a greater sum, and its refutation; return the entry in the claim."""
        from cpfill.proofs.sums import SumProof, weigh_cells

        above = write_score(total)
        arguments = list_arguments(self._problem)
        formula = SumFormula(*inputs, above, arguments)
        with self._create(SUM_FORMULA) as file:
            variables, constraints = formula.write(file)
        proof = SumProof(formula, weigh_cells(self._problem, total, grower.seed), grower.watch)
        with self._create(SUM_PROOF) as file:
            for line in proof.write():
                file.write(line.encode())
        step: dict[str, Any] = {
            "formula": SUM_FORMULA,
            "formula_sha256": self._hash(SUM_FORMULA),
            "sum_above": above,
            "arguments": arguments,
            "variables": variables,
            "constraints": constraints,
            "proof": SUM_PROOF,
            "proof_sha256": self._hash(SUM_PROOF),
            "lemmas": proof.size,
        }
        return [step]

    def _list_steps(self, tree: Tree, suffix: str) -> Iterator[_Step]:
        """Yield the formula and proof of each part of the tree of a refutation."""
        problem = tree.refutation.problem
        arguments = tree.refutation.arguments
        cut = tree.cut()
        *inner, whole = cut.parts
        if not inner:
            yield _Step(problem, arguments, cut.list_lemmas(whole))
            return
        name = f"cases{suffix}.txt"
        self._save(name, "".join(_write_case(problem, part) for part in inner))
        cases = {"file": name, "sha256": self._hash(name)}
        for number, part in enumerate(cut.parts, start=1):
            of = ["--cases", name, "--part", f"{number}/{len(cut.parts)}"]
            yield _Step(problem, [*arguments, *of], cut.list_lemmas(part), {"cases": cases})

    def _write_step(self, inputs: Inputs, step: _Step, suffix: str) -> dict[str, Any]:
        """Write a formula and its proof, and return their entry in the claim."""
        formula_name = f"formula{suffix}.cnf"
        proof_name = f"proof{suffix}.drat"
        formula = Formula.read(*inputs, step.arguments, self._path)
        with self._create(formula_name) as file:
            variables, clauses = formula.write(file, self._path)
        lemmas = 0
        with self._create(proof_name) as file:
            for line in _write_lemmas(step, formula):
                file.write(line.encode())
                lemmas += 1
        return {
            "formula": formula_name,
            "formula_sha256": self._hash(formula_name),
            "arguments": step.arguments,
            **step.more,
            "variables": variables,
            "clauses": clauses,
            "proof": proof_name,
            "proof_sha256": self._hash(proof_name),
            "lemmas": lemmas,
        }

    def _create(self, name: str) -> BinaryIO:
        """Open a new file, which is removed if the proof is not completed."""
        path = self._path / name
        try:
            file = path.open("xb")
        except FileExistsError:
            raise self._not_empty(name) from None
        self._written[path] = None
        return file

    def _save(self, name: str, text: str) -> None:
        with self._create(name) as file:
            file.write(text.encode())

    def _not_empty(self, found: str) -> InputError:
        return expected("an empty folder for a proof, or none", found, str(self._path))

    def _hash(self, name: str) -> str:
        with (self._path / name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except BaseException as exc:
            self.clear()
            if not isinstance(exc, OSError):
                raise
            needed = say("a folder that can be written into, with room for a proof")
            raise InputError(Fault(needed, tell_reason(exc), str(self._path))) from None


def _suffix(step: int) -> str:
    """Return the suffix of the names of the files of a step; the first has none."""
    return f"-{step + 1}" if step else ""


def _write_lemmas(step: _Step, formula: Formula) -> Iterator[str]:
    """Yield the lines of a proof: a clause for each lemma (one of its decisions is not taken), then the empty clause.

    A decision without a variable in the formula cannot be taken, so its lemma is left out.
    """
    problem = step.problem
    letters = problem.grid.alphabet.letters
    known: dict[Decision, str | None] = {}

    def deny(decision: Decision) -> str | None:
        if decision not in known:
            slot, pos, value = decision
            if pos < 0:
                variable = formula.word_variable.get((slot, problem.tables[slot].words[value]))
            else:
                cell, _ = problem.slots[slot].places[pos]
                variable = formula.find_letter(cell, letters[value])
            known[decision] = f"-{variable} " if variable else None
        return known[decision]

    for lemma in step.lemmas:
        literals = [literal for literal in map(deny, lemma) if literal is not None]
        if len(literals) == len(lemma):
            yield f"{''.join(literals)}0\n"
    yield "0\n"


def _write_case(problem: Problem, part: TreePart) -> str:
    """Return the line of a case: its slots hold the words or letters that the part takes, and not the refuted ones."""

    def choose(decision: Decision, sign: str) -> str:
        slot_id, pos, value = decision
        slot = problem.slots[slot_id]
        if pos < 0:
            return f"{slot.name}{sign}{problem.tables[slot_id].words[value]}"
        before = "." * pos
        after = "." * (slot.length - pos - 1)
        return f"{slot.name}{sign}{before}{problem.grid.alphabet.letters[value]}{after}"

    choices = [choose(decision, "=") for decision in part.taken]
    choices += [choose(decision, "!=") for decision in part.refuted]
    return f"{' '.join(choices)}\n"


def _list_commands(step: dict[str, Any]) -> list[str]:
    """Return the commands that check one step by hand, in the folder, with copies of the scripts there."""
    if "sum_above" in step:
        command = ["python", "fill_to_opb.py", GRID, WORDS, step["sum_above"], *step["arguments"]]
        return [f"{shlex.join(command)} | cmp - {SUM_FORMULA}", f"python check_pbp.py {SUM_FORMULA} {SUM_PROOF}"]
    script = shlex.join(["python", "fill_to_cnf.py", GRID, WORDS, *step["arguments"]])
    return [f"{script} | cmp - {step['formula']}", f"drat-trim {step['formula']} {step['proof']} -I -t 1000000"]


def list_words(problem: Problem) -> Iterator[str]:
    """Yield a line for each word that is as long as some slot, in alphabetical order.

    An own entry has the score that it is judged by; if sums are maximised, the one that it adds.
    """
    tables = {table.length: table for table in problem.tables}.values()
    scores: dict[str, float] = {}
    for table in tables:
        scores.update(zip(table.words, table.scores, strict=True))
    if Criterion.SUM in problem.criteria:
        scores |= {word: score for word, score in problem.own.items() if word in scores}
    for word in sorted(scores):
        yield f"{word}\t{write_score(scores[word])}{_describe(problem, word)}\n"


def _describe(problem: Problem, word: str) -> str:
    """Return the fields that rules need after a word and its score, each with a tab before it."""
    marks = ""
    if problem.rules.no_shared:
        marks = " ".join(sorted(problem.lexicon.marks(word)))
    if problem.rules.no_naticks and problem.lexicon.kind(word) is EntryKind.NAME:
        return f"\t{marks}\tname"
    return f"\t{marks}" if marks else ""


def write_cnf(problem: Problem) -> str:
    """Return the text of a `.cnf` file."""
    if problem.criteria:
        got = say(" and then ").join(problem.criteria)
        raise expected("no objective for a formula: --objective any", got)
    require_provable(problem)
    formula = Formula.read(f"{problem.grid}\n", "".join(list_words(problem)), list_arguments(problem))
    body = io.BytesIO()
    formula.write(body)
    comments = [f"c {slot.name} x {first}\n" for slot, first in zip(formula.slots, formula.first, strict=True)]
    for cell, numbers in formula.letters.items():
        letters = " ".join(f"{letter}={y}" for letter, y in numbers.items())
        comments.append(f"c cell {cell} {letters}\n")
    return "".join(comments) + body.getvalue().decode()
