"""What is written for other solvers, read by their own programs and by readers of ours: the same fills and values.

CP-SAT answers what our readers make of a file; toulbar2, SCIP, ACE and a SAT solver answer the file itself.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import InputError
from cpfill.problem.problem import Objective
from cpfill.solvers.data import DATA_FORMATS, write_data
from tests.differential.slots import list_cells
from tests.differential.solver_files import Letters, Model, read_cells, read_opb, read_xcsp3
from tests.property.problems import BOUND, NAMES, find_question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.testing.brute_force import Rows
    from tests.support import Question

FORMATS = sorted(DATA_FORMATS.keys() - {"dzn", "minizinc-json"})
"""The two formats of MiniZinc have models, and tests of theirs."""
READ = ["opb", "xcsp3"]
"""The formats that have readers of ours, as their solvers are seldom installed."""
OBJECTIVES = [Objective.ANY, Objective.MIN, Objective.SUM]
GOALS = [(name, objective) for name in BOUND for objective in OBJECTIVES]


def without_theme(name: str) -> Question:
    return replace(find_question(name), theme={})


def find_goal(name: str, objective: Objective) -> Question:
    return find_question(name) if objective is Objective.ANY else without_theme(name)


def list_goals() -> Iterator[tuple[Question, Objective]]:
    """Yield questions with what is maximised."""
    for name, objective in GOALS:
        asked = find_goal(name, objective)
        if objective is not Objective.ANY or asked.theme:
            yield asked, objective


def places_of(asked: Question) -> list[tuple[int, str]]:
    """Return the cell of each place in reading order, and what may stand there."""
    places = []
    for number, cell in enumerate(list_cells(asked)):
        places += [(number, letter) for letter in asked.rebus.get(cell, cell[:1])]
    return places


def letters_of(asked: Question, rows: Rows) -> Letters:
    """Return a fill as the variables of letters have it."""
    letters = "".join(asked.rebus.get(sign, sign) for sign in "".join(rows).replace("#", ""))
    return tuple(map(asked.alphabet.index, letters))


def list_fills(asked: Question) -> set[Letters]:
    return {letters_of(asked, rows) for rows in asked.answer.fills}


def read(kind: str, asked: Question, objective: Objective = Objective.ANY) -> Model:
    text = write_data(asked.problem(objective), kind)
    if kind == "opb":
        return read_opb(text, len(places_of(asked)), len(asked.alphabet))
    return read_xcsp3(text)


@pytest.mark.parametrize("kind", READ)
@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_the_fills_of_its_problem(kind: str, name: str) -> None:
    asked = without_theme(name)
    assert read(kind, asked).all_letters() == list_fills(asked)


@pytest.mark.parametrize("kind", READ)
@pytest.mark.parametrize(("name", "objective"), GOALS)
def test_a_file_has_the_best_value(kind: str, name: str, objective: Objective) -> None:
    """With no objective, it is the theme that is maximised."""
    asked = find_goal(name, objective)
    if objective is not Objective.ANY or asked.theme:
        assert read(kind, asked, objective).best() == first(asked, objective)


def first(asked: Question, objective: Objective) -> float | None:
    """Return the only number of the best value."""
    best = asked.answer_to(objective).best
    return best[0] if best else None


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("objective", [Objective.LEXIMIN, Objective.MIN_THEN_SUM])
def test_a_format_refuses_objectives_that_it_lacks(kind: str, objective: Objective) -> None:
    with pytest.raises(InputError, match=r"^expected .*, found [a-z ]+$"):
        write_data(find_question("C5, 0").problem(objective), kind)


# Their own programs


def put(asked: Question, path: Path, objective: Objective = Objective.ANY) -> Path:
    """Write a question into a file."""
    kind = {".xml": "xcsp3"}.get(path.suffix, path.suffix.removeprefix("."))
    path.write_text(write_data(asked.problem(objective), kind))
    return path


def toulbar2(path: Path, *, every: bool) -> tuple[set[tuple[int, ...]], float | None]:
    """Return all solutions, or the least cost."""
    pytoulbar2 = pytest.importorskip("pytoulbar2")
    network = pytoulbar2.CFN()
    try:
        network.Read(str(path))
    except network.Contradiction:  # that there is none can be seen at once
        return set(), None
    solved = network.Solve(allSolutions=100_000 if every else 0)
    return {tuple(values) for _, values in network.GetSolutions()}, None if solved is None else solved[1]


def test_toulbar2_has_the_fills(tmp_path: Path) -> None:
    for name in NAMES:
        asked = without_theme(name)
        solutions, _ = toulbar2(put(asked, tmp_path / "x.wcsp"), every=True)
        places = len(places_of(asked))
        assert {values[:places] for values in solutions} == list_fills(asked), name


def test_toulbar2_has_the_best_values(tmp_path: Path) -> None:
    for asked, objective in list_goals():
        path = put(asked, tmp_path / "x.wcsp", objective)
        _, cost = toulbar2(path, every=False)
        most, per_unit = map(int, re.findall(r"\d+", path.read_text().split()[0]))
        assert (None if cost is None else (most - cost) / per_unit) == first(asked, objective)


def test_scip_has_the_best_values(tmp_path: Path) -> None:
    scip: Any = pytest.importorskip("pyscipopt")
    for asked, objective in list_goals():
        path = put(asked, tmp_path / "x.opb", objective)
        model = scip.Model()
        model.hideOutput()
        model.readProblem(str(path))
        model.optimize()
        told = re.search(r"value = \((\d+) - objective\) / (\d+)", path.read_text())
        assert told
        assert model.getStatus() in {"optimal", "infeasible"}
        value = (int(told[1]) - round(model.getObjVal())) / int(told[2]) if model.getNSols() else None
        assert value == first(asked, objective)


def test_a_sat_solver_has_the_fills(tmp_path: Path) -> None:
    """A formula tells no letters of cells in no slot, nor those of rebus cells."""
    solvers: Any = pytest.importorskip("pysat.solvers")
    formulas: Any = pytest.importorskip("pysat.formula")
    for name in NAMES:
        asked = without_theme(name)
        path = put(asked, tmp_path / "x.cnf")
        cells = dict(read_cells(path.read_text()))
        fills = set()
        with solvers.Cadical153(bootstrap_with=formulas.CNF(from_file=str(path))) as solver:
            while solver.solve():
                true = set(solver.get_model())
                shown = {cell: find_letter(numbers, true) for cell, numbers in cells.items()}
                fills.add(tuple(shown.items()))
                solver.add_clause([-cells[cell][letter] for cell, letter in shown.items()])
        expected = ["".join(rows) for rows in asked.answer.fills]
        assert fills == {tuple((cell, rows[cell]) for cell in cells) for rows in expected}, name


def find_letter(numbers: dict[str, int], true: set[int]) -> str:
    (letter,) = [letter for letter, number in numbers.items() if number in true]
    return letter


def ace(path: Path, *options: str) -> str:
    """Return what ACE prints, which pycsp3 brings."""
    spec = importlib.util.find_spec("pycsp3")
    java = shutil.which("java")
    if spec is None or spec.origin is None or java is None:
        pytest.skip("ACE is not here (pip install pycsp3, and Java)")
    (jar,) = (Path(spec.origin).parent / "solvers" / "ace").glob("ACE-*.jar")
    command = [java, "-jar", str(jar), str(path), *options]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.parametrize("name", ["assignment/A.txt,A.words.txt", "rebus", *BOUND[::2]])
def test_ace_has_the_fills(name: str, tmp_path: Path) -> None:
    asked = without_theme(name)
    places = len(places_of(asked))
    printed = ace(put(asked, tmp_path / "x.xml"), "-s=all", "-xe", "-xc=false")
    told = re.findall("<values>(.*?)</values>", printed)
    assert {tuple(map(int, values.split()[:places])) for values in told} == list_fills(asked)


@pytest.mark.parametrize("objective", OBJECTIVES[1:])
@pytest.mark.parametrize("name", ["C5, 1", "C6, 1", "C7, 1"])
def test_ace_has_the_best_value(name: str, objective: Objective, tmp_path: Path) -> None:
    asked = without_theme(name)
    path = put(asked, tmp_path / "x.xml", objective)
    bounds = re.findall(r"^.*?o .*?(\d+)", ace(path), re.MULTILINE)
    per_unit = re.search(r"objective / (\d+)", path.read_text())
    assert per_unit
    assert int(bounds[-1]) / int(per_unit[1]) == first(asked, objective)
