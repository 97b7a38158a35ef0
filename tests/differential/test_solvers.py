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
from tests.conformance.test_known_answers import PLAIN, Known, asked
from tests.differential.common import QUESTIONS, REBUS_CELLS, RULED
from tests.differential.solver_files import Letters, Model, read_cells, read_cnf, read_opb, read_wcsp, read_xcsp3
from tests.support import Question, question

if TYPE_CHECKING:
    from cpfill.testing.brute_force import Rows, Value

NO_WORD = question("...", ".#.", "...", words="ABC ABD AB")
OPENED = replace(question("AB.", "...", "...", words="CAB CAC BCA"), open_slots=frozenset({("Across", 0, 0)}))
ASKED = {**QUESTIONS, **RULED, "rebus": REBUS_CELLS, "no word": NO_WORD}
FORMATS = [
    kind for kind in DATA_FORMATS if kind not in {"dzn", "minizinc-json"}
]  # those have models, and tests of theirs
MAXIMISING = [kind for kind in FORMATS if kind != "cnf"]
FEW = [each for each in PLAIN if each.data["fills"] <= 20 and "theme" not in each.data]
OBJECTIVES = [Objective.MIN, Objective.SUM]


def places_of(asked: Question) -> list[tuple[int, str]]:
    """Return the cell of each place in reading order, and what may stand there."""
    cells = [cell for row in asked.cells for cell in row]
    return [(number, each) for number, cell in enumerate(cells) if cell for each in asked.rebus.get(cell, cell[:1])]


def letters_of(asked: Question, rows: Rows) -> Letters:
    """Return a fill as the variables of letters have it."""
    signs = [sign for sign in "".join(rows) if sign != "#"]
    return tuple(asked.alphabet.index(letter) for sign in signs for letter in asked.rebus.get(sign, sign))


def read(kind: str, text: str, asked: Question) -> Model:
    places = places_of(asked)
    match kind:
        case "wcsp":
            return read_wcsp(text, len(places))
        case "opb":
            return read_opb(text, len(places), len(asked.alphabet))
        case "xcsp3":
            return read_xcsp3(text)
    return read_cnf(text, {cell: place for place, (cell, _) in enumerate(places)}, asked.alphabet)


def seen(kind: str, asked: Question, fills: set[Letters]) -> set[Letters]:
    """Return fills as a format has them: a formula tells no letters of cells in no slot, nor those of rebus cells."""
    if kind != "cnf":
        return fills
    told = {cell for cell, _ in read_cells(write_data(asked.problem(), kind))}
    kept = [place for place, (cell, _) in enumerate(places_of(asked)) if cell in told]
    return {tuple(letters[place] for place in kept) for letters in fills}


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("name", ASKED)
def test_a_file_has_the_fills_of_its_problem(kind: str, name: str) -> None:
    asked = replace(ASKED[name], theme={})
    model = read(kind, write_data(asked.problem(), kind), asked)
    fills = {letters_of(asked, rows) for rows in asked.answer.fills}
    assert model.all_letters() == seen(kind, asked, fills)


@pytest.mark.parametrize("kind", MAXIMISING)
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("name", RULED)
def test_a_file_has_the_best_value(kind: str, name: str, objective: Objective) -> None:
    asked = replace(RULED[name], theme={})
    assert (
        found(read(kind, write_data(asked.problem(objective), kind), asked).best()) == asked.answer_to(objective).best
    )


@pytest.mark.parametrize("kind", MAXIMISING)
@pytest.mark.parametrize("name", RULED)
def test_a_file_has_the_best_theme(kind: str, name: str) -> None:
    asked = RULED[name]
    best = asked.answer_to(Objective.ANY).best if asked.theme else None
    if best is not None:
        assert found(read(kind, write_data(asked.problem(), kind), asked).best()) == best


def found(value: float | None) -> Value | None:
    return None if value is None else (value,)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("known", FEW, ids=str)
def test_a_file_has_the_known_answers(kind: str, known: Known) -> None:
    problem = known.problem()
    plain = asked(known)
    fills = {letters_of(plain, rows) for rows in plain.answer.fills}
    assert len(fills) == known.data["fills"]
    assert read(kind, write_data(problem, kind), plain).all_letters() == seen(kind, plain, fills)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("objective", [Objective.LEXIMIN, Objective.MIN_THEN_SUM, Objective.SUM])
def test_what_a_format_cannot_say_is_refused(kind: str, objective: Objective) -> None:
    problem = RULED["C5, 0"].problem(objective)
    if kind == "cnf" or objective is not Objective.SUM or problem.theme:
        with pytest.raises(InputError, match=r"^expected .*, found [a-z ]+$"):
            write_data(problem, kind)


# Their own programs


def put(asked: Question, kind: str, path: Path, objective: Objective | None = None) -> Question:
    """Write a question into a file, and return it: without its theme, for another objective."""
    plain = replace(asked, theme={})
    path.write_text(write_data(plain.problem() if objective is None else plain.problem(objective), kind))
    return plain


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
    for name, each in ASKED.items():
        plain = put(each, "wcsp", path := tmp_path / "x.wcsp")
        solutions, _ = toulbar2(path, every=True)
        places = len(places_of(plain))
        assert {values[:places] for values in solutions} == {letters_of(plain, rows) for rows in plain.answer.fills}, (
            name
        )


def test_toulbar2_has_the_best_values(tmp_path: Path) -> None:
    for each, objective in [(each, objective) for each in RULED.values() for objective in OBJECTIVES]:
        plain = put(each, "wcsp", path := tmp_path / "x.wcsp", objective)
        _, cost = toulbar2(path, every=False)
        most, per_unit = map(int, re.findall(r"\d+", path.read_text().split()[0]))
        assert (None if cost is None else ((most - cost) / per_unit,)) == plain.answer_to(objective).best


def test_scip_has_the_best_values(tmp_path: Path) -> None:
    scip: Any = pytest.importorskip("pyscipopt")
    for each, objective in [(each, objective) for each in RULED.values() for objective in OBJECTIVES]:
        plain = put(each, "opb", path := tmp_path / "x.opb", objective)
        model = scip.Model()
        model.hideOutput()
        model.readProblem(str(path))
        model.optimize()
        told = re.search(r"value = \((\d+) - objective\) / (\d+)", path.read_text())
        assert told
        assert model.getStatus() in {"optimal", "infeasible"}
        value = ((int(told[1]) - round(model.getObjVal())) / int(told[2]),) if model.getNSols() else None
        assert value == plain.answer_to(objective).best


def test_a_sat_solver_has_the_fills(tmp_path: Path) -> None:
    solvers: Any = pytest.importorskip("pysat.solvers")
    formulas: Any = pytest.importorskip("pysat.formula")
    for name, each in ASKED.items():
        plain = put(each, "cnf", path := tmp_path / "x.cnf")
        letters = [number for _, numbers in read_cells(path.read_text()) for number in numbers.values()]
        models = 0
        with solvers.Cadical153(bootstrap_with=formulas.CNF(from_file=str(path))) as solver:
            while solver.solve():
                true = set(solver.get_model())
                models += 1
                solver.add_clause([-number for number in letters if number in true])
        fills = seen("cnf", plain, {letters_of(plain, rows) for rows in plain.answer.fills})
        assert models == len(fills), name


def ace(path: Path, *options: str) -> str:
    """Return what ACE prints, which pycsp3 brings."""
    spec, java = importlib.util.find_spec("pycsp3"), shutil.which("java")
    if spec is None or spec.origin is None or java is None:
        pytest.skip("ACE is not here (pip install pycsp3, and Java)")
    (jar,) = (Path(spec.origin).parent / "solvers" / "ace").glob("ACE-*.jar")
    command = [java, "-jar", str(jar), str(path), *options]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.parametrize("name", ["assignment/A", "tiny/lonely", "rebus", "C5, 0", "C6, 2", "C7, 4", "C5 C6, 7"])
def test_ace_has_the_fills(name: str, tmp_path: Path) -> None:
    plain = put(ASKED[name], "xcsp3", path := tmp_path / "x.xml")
    printed = ace(path, "-s=all", "-xe", "-xc=false")
    places = len(places_of(plain))
    told = [tuple(map(int, values.split()[:places])) for values in re.findall("<values>(.*?)</values>", printed)]
    assert set(told) == {letters_of(plain, rows) for rows in plain.answer.fills}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("name", ["C5, 1", "C6, 3", "C7, 5"])
def test_ace_has_the_best_value(name: str, objective: Objective, tmp_path: Path) -> None:
    plain = put(RULED[name], "xcsp3", path := tmp_path / "x.xml", objective)
    bounds = re.findall(r"^.*?o .*?(\d+)", ace(path), re.MULTILINE)
    per_unit = re.search(r"objective / (\d+)", path.read_text())
    assert per_unit
    assert (int(bounds[-1]) / int(per_unit[1]),) == plain.answer_to(objective).best
