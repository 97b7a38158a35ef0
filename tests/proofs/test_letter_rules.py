"""Formulas and proofs of the rules over letters: counts (C8), names that cross (C9) and ties (C4)."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cpfill.base.errors import UnsupportedError
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline, Limits, Status
from cpfill.proofs import trees
from cpfill.proofs.checkers import ProofVerdict
from cpfill.proofs.fill_to_cnf import Formula
from cpfill.proofs.folder import list_words
from cpfill.proofs.trees import list_arguments, require_provable
from cpfill.proofs.verify import verify_folder
from cpfill.testing.questions import named_questions, questions
from tests.proofs.models import models, read_dimacs
from tests.proofs.test_solve_proof import is_accepted, write_proof
from tests.property.test_counts import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.problem.problem import Problem
    from cpfill.testing.brute_force import Rows

GOALS = (Objective.ANY, Objective.MIN, Objective.LEXIMIN)


@dataclass(frozen=True)
class Posed:
    """A problem with a rule over letters, and its fills as the brute force lists them."""

    problem: Problem
    fills: frozenset[Rows]


@st.composite
def posed(draw: st.DrawFn, objectives: Sequence[Objective] = (Objective.ANY,)) -> Posed:
    objective = draw(st.sampled_from(objectives))
    kind = draw(st.sampled_from(["counted", "named", "tied"]))
    if kind == "counted":
        made = draw(counted())
        return accept(Posed(made.problem(objective), frozenset(made.values())))
    asked = draw(named_questions() if kind == "named" else questions(tied=True, rebus=True, opened=True))
    return Posed(asked.problem(objective), frozenset(asked.answer.fills))


def accept(made: Posed) -> Posed:
    """Return what is provable; draw another where letters count in open cells of no slot."""
    try:
        require_provable(made.problem)
    except UnsupportedError as error:
        assume("open cells of no slot" not in str(error))
    return made


def read_formula(problem: Problem) -> Formula:
    return Formula.read(f"{problem.grid}\n", "".join(list_words(problem)), list_arguments(problem))


@given(made=posed())
def test_models_are_fills(made: Posed) -> None:
    grid = made.problem.grid
    formula = read_formula(made.problem)
    stream = BytesIO()
    formula.write(stream)
    spelled = [cell for cell in range(len(grid.cells)) if grid.tied.get(cell, (cell,))[0] in formula.letters]
    found = []
    for true in models(read_dimacs(stream.getvalue().decode()), sorted(formula.word_variable.values())):
        letters = ""
        for cell in spelled:
            letters += "".join(each for each in grid.alphabet.letters if formula.find_letter(cell, each) in true)
        found.append(letters)
    fills = ["".join(rows) for rows in made.fills]
    assert sorted(found) == sorted("".join(fill[cell] for cell in spelled) for fill in fills)


@given(
    made=posed(GOALS),
    every=st.booleans(),
    least=st.sampled_from([1, trees.LEAST]),
)
def test_what_is_proved_is_accepted(made: Posed, every: bool, least: int) -> None:
    with TemporaryDirectory() as parent, pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "LEAST", least)
        folder = Path(parent) / "proof"
        status = write_proof(folder, made.problem, Limits(fills=None if every else 1))
        assert status is not Status.UNSATISFIABLE or not made.fills
        assert status is Status.SATISFIED or is_accepted(folder)


@settings(max_examples=20)
@given(made=posed((Objective.MIN, Objective.LETTER_VALUES)))
def test_what_is_proved_is_verified(made: Posed) -> None:
    with TemporaryDirectory() as parent:
        folder = Path(parent) / "proof"
        try:
            write_proof(folder, made.problem, Limits())
        except UnsupportedError:
            return  # a sum with another rule over letters
        findings = list(verify_folder(folder, Deadline(60)))
        verdicts = {each.verdict for each in findings}
        assert ProofVerdict.CHECKED in verdicts
        assert ProofVerdict.REFUSED not in verdicts, list(map(str, findings))
