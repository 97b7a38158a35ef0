"""The formula of a proof as a separate file (`.cnf`) for SAT solvers; comments map variables to letters.

A comment `c 3-Across x 120` says that the x(s, w) of slot 3-Across begin at 120, in the order of the words. A comment
`c cell 7 A=801 B=802` lists the y(c, l) of cell 7; cells count from 0 in row-major order, including blocks.
`fill_to_cnf.py` documents the clauses.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, InputError
from cpfill.base.texts import say
from cpfill.questions.proof.fill_to_cnf import Formula
from cpfill.questions.proof.refutations import list_arguments, require_provable
from cpfill.questions.proof.writing import list_words

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem


def write_cnf(problem: Problem) -> str:
    """Return the text of a `.cnf` file.

    Raises:
        InputError: the problem has an objective.
        UnsupportedError: the formula of a proof cannot express bars or narrowed slots.
    """
    if problem.criteria:
        raise InputError(Fault(say("no objective for a formula: --objective any"), " and then ".join(problem.criteria)))
    require_provable(problem)
    formula = Formula.read(f"{problem.grid}\n", "".join(list_words(problem)), list_arguments(problem))
    body = io.BytesIO()
    formula.write(body)
    slots = [f"c {slot.name} x {first}" for slot, first in zip(formula.slots, formula.first, strict=True)]
    cells = [
        f"c cell {cell} {' '.join(f'{letter}={y}' for letter, y in numbers.items())}"
        for cell, numbers in formula.letters.items()
    ]
    return "".join(f"{line}\n" for line in (*slots, *cells)) + body.getvalue().decode()
