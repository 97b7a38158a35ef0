"""Readers of what is written for other solvers, as their formats are described: each makes a model of CP-SAT of a file.

They share nothing with the writers. The first variables of a model are the letters of the places of a grid, whatever
the format: a literal for each place and letter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from ortools.sat.python import cp_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Letters = tuple[int, ...]
"""The letter of each place, as its place in the alphabet."""


@dataclass
class Model:
    """A file as a model: what the letters are in a solution, and what the value of a fill is, by the objective."""

    cp: cp_model.CpModel
    letters: list[cp_model.IntVar] = field(default_factory=list)
    value: Callable[[int], float] = float

    def all_letters(self) -> set[Letters]:
        """Return the letters of every solution; they settle the words."""
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = True
        found = _Collector(self.letters)
        assert solver.solve(self.cp, found) in {cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE}
        return found.seen

    def best(self) -> float | None:
        """Return the best value."""
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(self.cp)
        assert status in {cp_model.OPTIMAL, cp_model.INFEASIBLE}
        return None if status == cp_model.INFEASIBLE else self.value(round(solver.objective_value))


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, letters: list[cp_model.IntVar]) -> None:
        super().__init__()
        self._letters = letters
        self.seen: set[Letters] = set()

    def on_solution_callback(self) -> None:
        self.seen.add(tuple(self.value(letter) for letter in self._letters))


def read_opb(text: str, places: int, n_letters: int = 26) -> Model:
    cp = cp_model.CpModel()
    x: dict[int, cp_model.IntVar] = {}
    lines = text.splitlines()
    declared = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", lines[0])
    assert declared
    stated = [line for line in lines if not line.startswith(("*", "min:"))]
    assert len(stated) == int(declared[2])

    def add_up(said: str) -> cp_model.LinearExprT:
        terms = re.findall(r"([+-]\d+) x(\d+)", said)
        assert terms
        assert "".join(f"{one} x{other} " for one, other in terms).strip() == said.strip()
        for _, number in terms:
            assert 1 <= int(number) <= int(declared[1])
            if int(number) not in x:
                x[int(number)] = cp.new_bool_var(f"x{number}")
        return sum(int(coefficient) * x[int(number)] for coefficient, number in terms)

    for line in stated:
        found = re.fullmatch(r"(.+) (=|>=) (-?\d+) ;", line)
        assert found
        total, number = add_up(found[1]), int(found[3])
        cp.add(total == number if found[2] == "=" else total >= number)
    for line in lines:
        if line.startswith("min: "):
            objective = line.removeprefix("min: ").removesuffix(" ;")
            cp.minimize(add_up(objective) if objective else 0)
    base = re.search(r"value = \((\d+) - objective\) / (\d+)", text)
    model = Model(cp, value=lambda cost: (int(base[1]) - cost) / int(base[2]) if base else 0.0)
    for place in range(places):
        letter = cp.new_int_var(0, n_letters - 1, f"c{place}")
        numbers = [(x[n], code) for code in range(n_letters) if (n := n_letters * place + code + 1) in x]
        cp.add(letter == sum(code * each for each, code in numbers))
        model.letters.append(letter)
    return model


def read_cells(text: str) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield the cells that the comments of a formula tell of, each with the variable of each letter."""
    for line in text.splitlines():
        if line.startswith("c cell "):
            _, _, cell, *told = line.split()
            yield int(cell), {letter: int(number) for letter, _, number in (each.partition("=") for each in told)}


def read_xcsp3(text: str) -> Model:
    root = ET.fromstring(text)  # noqa: S314 - it is of our own making
    cp = cp_model.CpModel()
    x = {name: cp.new_int_var_from_domain(values, name) for name, values in _domains(root)}
    for constraint in root.iterfind("constraints/*"):
        _constrain(cp, x, constraint)
    per_unit = re.search(r"value = objective / (\d+)", text)
    for objective in root.iterfind("objectives/maximize"):
        worth = _variables(x, objective.findtext("list"))
        if objective.get("type") == "sum":
            cp.maximize(sum(worth))
        else:
            least = cp.new_int_var(0, 10**9, "")
            cp.add_min_equality(least, worth)
            cp.maximize(least)
    letters = [x[name] for name in x if name.startswith("c[")]
    return Model(cp, letters, lambda value: value / int(per_unit[1]) if per_unit else 0.0)


def _domains(root: ET.Element) -> Iterator[tuple[str, cp_model.Domain]]:
    """Yield every variable with what it may be."""
    for array in root.iterfind("variables/array"):
        size = int((array.get("size") or "").strip("[]"))
        whole = " ".join(f"{array.get('id')}[{number}]" for number in range(size))
        for domain in list(array) or [array]:
            spans = [span.partition("..") for span in (domain.text or "").split()]
            bounds = [[int(low), int(high or low)] for low, _, high in spans]
            for name in domain.get("for", whole).split():
                yield name, cp_model.Domain.from_intervals(bounds)


def _variables(x: dict[str, cp_model.IntVar], said: str | None) -> list[cp_model.IntVar]:
    return [x[name] for name in (said or "").split()]


def _constrain(cp: cp_model.CpModel, x: dict[str, cp_model.IntVar], constraint: ET.Element) -> None:
    scope = _variables(x, constraint.findtext("list"))
    sign, _, number = (constraint.findtext("condition") or "").strip(" ()").partition(",")
    match constraint.tag:
        case "intension":
            found = re.fullmatch(r" (eq|lt)\((c\[\d+\]),(\d+)\) ", constraint.text or "")
            assert found
            one, other = x[found[2]], int(found[3])
            cp.add(one == other if found[1] == "eq" else one < other)
        case "extension":
            rows = re.findall(r"\(([\d,]+)\)", constraint.findtext("supports") or "")
            cp.add_allowed_assignments(scope, [list(map(int, row.split(","))) for row in rows])
        case "allDifferent":
            cp.add_all_different(_variables(x, constraint.text))
        case "count":
            assert sign in {"le", "ge"}
            inside = cp_model.Domain.from_values(list(map(int, (constraint.findtext("values") or "").split())))
            among = [cp.new_bool_var("") for _ in scope]
            for variable, literal in zip(scope, among, strict=True):
                cp.add_linear_expression_in_domain(variable, inside).only_enforce_if(literal)
                cp.add_linear_expression_in_domain(variable, inside.complement()).only_enforce_if(~literal)
            cp.add(sum(among) <= int(number) if sign == "le" else sum(among) >= int(number))
        case "sum":
            assert sign == "le"
            cp.add(sum(scope) <= int(number))
        case other_tag:
            raise AssertionError(other_tag)
