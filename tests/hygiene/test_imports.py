"""Imports run one way, and `import cpfill` does no work."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import packages_distributions
from itertools import chain
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.engines import ENGINES
from tests.docs.pages import quoted, rows, section, text_of
from tests.support import ENGINE_NAMES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = ROOT / "cpfill"

# A module imports from rooms of a lower storey, or from its own room. The plan is the one that people read.
STOREYS = [quoted(rooms) for (rooms,) in reversed(rows(section(text_of("cpfill/README.md"), "## Storeys")))]
STOREY = {room: storey for storey, rooms in enumerate(STOREYS) for room in rooms}
FRONT = "__init__"  # the public API: names everything under the command line

THIRD_PARTY = {
    "ortools": ("engines/cpsat/", "design/models.py", "design/criss_cross/models.py"),
    "pandas": ("runs/bench/report.py",),
    "numpy": ("engines/cpsat/", "proofs/sums.py"),
    "typer": ("cli/",),
    "click": ("cli/",),
    "rich": ("cli/",),
    "snowballstemmer": ("words/marking.py",),
    "dask": ("engines/cluster.py",),
    "distributed": ("engines/cluster.py",),
    "mcp": ("cli/mcp.py",),
    "matplotlib": ("base/imports.py",),
    "puz": ("formats/exchange/across_lite.py",),
    "pytest": ("testing/",),
    "hypothesis": ("testing/",),
    "PIL": ("formats/pages/pictures.py",),
    "starlette": ("web/",),
    "uvicorn": ("web/serve.py",),
    "pyphen": ("formats/pages/arrows.py",),
    "font_source_serif_pro": ("formats/pages/pdf.py",),
    "reportlab": ("formats/pages/pdf.py", "formats/pages/pictures.py"),
}


BESIDE = {
    "proofs/fill_to_opb.py": ("fill_to_cnf", "read_inputs"),
    "proofs/fill_to_cnf.py": ("counters", "read_inputs"),
}
"""A script that runs alone, and those that stand beside it then."""

LIST_MAKERS = PACKAGE / "words/packaged"
"""The scripts here derive the packaged lists; no wheel has them."""


def modules() -> list[Path]:
    """Return the modules that a wheel has."""
    found = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != LIST_MAKERS)
    assert len(found) > 20
    return found


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def is_module(name: str) -> bool:
    at = ROOT / name.replace(".", "/")
    return at.exists() or at.with_suffix(".py").exists()


def imported_by(node: ast.AST) -> list[str]:
    """Return the full names of the modules that a statement, or a call of `load`, imports."""
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom():
            module = "." * node.level + (node.module or "")
            names = [f"{module}.{alias.name}" for alias in node.names]
            submodules = list(filter(is_module, names))
            if len(submodules) < len(names):
                submodules.append(module)
            return submodules
        case ast.Call(ast.Name("load"), [name, *_]):
            return [ast.unparse(name).lstrip("f").strip("'\"")]
    return []


@cache
def imports_of(path: Path) -> list[str]:
    """Return every module that a file imports, wherever the statement stands."""
    return imports_in(path.read_text(encoding="utf-8"))


def imports_in(source: str) -> list[str]:
    return list(chain(*map(imported_by, ast.walk(ast.parse(source)))))


def may_import(path: Path, name: str) -> bool:
    """Return whether an import of a file runs the right way."""
    room = room_of(path)
    top, _, rest = name.partition(".")
    target = rest.partition(".")[0] or FRONT
    if top in THIRD_PARTY:
        return path.relative_to(PACKAGE).as_posix().startswith(THIRD_PARTY[top])
    if top != "cpfill":
        beside = BESIDE.get(path.relative_to(PACKAGE).as_posix(), ())
        return top in sys.stdlib_module_names or top in beside
    if target == room:
        return True
    if room == FRONT:
        return STOREY.get(target, 99) < STOREY["cli"]
    if target == FRONT:
        return STOREY.get(room, -1) >= STOREY["runs"]
    return STOREY.get(target, 99) < STOREY.get(room, -1)


def test_every_module_has_its_storey() -> None:
    """And no other room has one."""
    assert sorted(STOREY) == sorted(room for rooms in STOREYS for room in rooms)
    assert {room_of(path) for path in modules()} - {FRONT} == set(STOREY)


@pytest.mark.parametrize("path", modules(), ids=str)
def test_imports_run_one_way(path: Path) -> None:
    assert [name for name in imports_of(path) if not may_import(path, name)] == []


def test_no_modules_import_one_another() -> None:
    """Neither directly nor in a circle, within a room or beyond, at whatever time."""
    imported = {}
    for path in modules():
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        imported[name] = set(imports_of(path)) - {name}
    TopologicalSorter(imported).prepare()  # raises where there is a circle, and names it
    imported["cpfill.puzzle.grid"].add("cpfill.problem.problem")
    with pytest.raises(CycleError):
        TopologicalSorter(imported).prepare()


def test_engines_share_nothing_with_one_another() -> None:
    """A package of engines imports the contract, the registry and the toolkit, never another package of engines.

    The portfolio `auto` is made of others.
    """
    packages = {module.partition(":")[0].split(".")[2] for module in ENGINES.values()}
    assert {"auto", "cpsat", "backtrack", "weaving"} <= packages
    for path in (PACKAGE / "engines").rglob("*.py"):
        own = path.relative_to(PACKAGE / "engines").parts[0].removesuffix(".py")
        if own in packages | {"toolkit"} and own != "auto":
            others = packages - {own}
            assert not [name for name in imports_of(path) if name.split(".")[2:3] and name.split(".")[2] in others]


def test_the_audit_shares_no_code_with_the_engines() -> None:
    names = set(imports_of(PACKAGE / "problem/check.py"))
    shared = {"cpfill.base.texts", "cpfill.problem.fill", "cpfill.problem.problem"}
    assert {name for name in names if name.startswith("cpfill")} == shared
    assert not any(name.startswith("cpfill") for name in imports_of(PACKAGE / "testing/brute_force.py"))


@pytest.mark.parametrize(
    ("where", "statement"),
    [
        ("puzzle/grid.py", "from cpfill.problem.problem import Problem"),
        ("puzzle/grid.py", "def f():\n    import cpfill.engines.audited"),
        ("puzzle/grid.py", "from cpfill import problem"),
        ("puzzle/grid.py", "from cpfill import Fill"),
        ("puzzle/grid.py", "from .. import problem"),
        ("formats/dialects.py", "from cpfill.engines import make_engine"),
        ("formats/dialects.py", "from ..engines.contract import Engine"),
        ("engines/audited.py", "import typer"),
        ("engines/toolkit/propagation.py", "import numpy as np"),
        ("engines/backtrack/search.py", "from ortools.sat.python import cp_model"),
        ("problem/event.py", "import requests"),
        ("design/grids.py", "from ortools.sat.python import cp_model"),
        ("cli/bench.py", 'load("matplotlib.figure", "a plot")'),
        ("formats/pages/html_page.py", 'load(f"PIL.{module}", "PNG")'),
        ("__init__.py", "from cpfill.cli import main"),
    ],
)
def test_a_wrong_import_is_seen(where: str, statement: str) -> None:
    (name,) = imports_in(statement)
    assert not may_import(PACKAGE / where, name)


HEAVY = ("ortools", "numpy", "pandas", "typer", "click", "rich")


def loaded_by(code: str) -> set[str]:
    """Return the heavy modules that a fresh interpreter has loaded after some code."""
    show = f"import sys; print(*sorted(set(sys.modules) & set({HEAVY!r})))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{show}"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.split())


def test_a_plain_install_has_most_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {line.split(">=")[0].split("==")[0] for line in project["dependencies"]} | {"click"}  # typer's own
    packages = packages_distributions()
    missing = {name for name in THIRD_PARTY if packages[name][0].lower().replace("_", "-") not in declared}
    assert missing == {"dask", "distributed", "hypothesis", "matplotlib", "mcp", "pytest"}


PAGE = PACKAGE / "web/static"
PAGE_STOREYS = {"model": 0, "tab": 1, "ask": 2, "views": 3, ".": 4}
"""A module of the page imports from folders of a lower storey, or from its own folder."""


def page_imports() -> dict[Path, set[Path]]:
    """Return the modules of the page that each of them imports, all relative to the page."""
    found: dict[Path, set[Path]] = {}
    for path in PAGE.rglob("*.js"):
        names = re.findall(r'^(?:import|export) [^;]*?"(\.[^"]+)";', path.read_text("utf-8"), re.MULTILINE)
        imported = {(path.parent / name).resolve() for name in names}
        found[path.relative_to(PAGE)] = {each.relative_to(PAGE.resolve()) for each in imported if each.is_file()}
    return found


def test_folders_of_the_page_import_downwards() -> None:
    imports = page_imports()
    assert {path.parent.as_posix() for path in imports} == PAGE_STOREYS.keys()
    storey = {path: PAGE_STOREYS[path.parent.as_posix()] for path in imports}
    upwards = {(path, each) for path, found in imports.items() for each in found if storey[each] > storey[path]}
    assert not upwards


def test_no_modules_of_the_page_import_one_another() -> None:
    order = [*TopologicalSorter(page_imports()).static_order()]  # raises CycleError where some do
    assert len(order) > 30


def test_importing_cpfill_loads_nothing_heavy() -> None:
    assert loaded_by("import cpfill") == set()
    assert loaded_by("import cpfill.public") == set()


def test_no_name_of_cpfill_shadows_a_module() -> None:
    assert not {path.stem for path in PACKAGE.iterdir()} & set(cpfill.__all__)


def test_names_are_imported_when_one_is_asked_for() -> None:
    for before in ("", "import cpfill.problem.event", "import cpfill.cli.app"):
        code = f"{before}\nimport sys, cpfill\nassert 'cpfill.public' not in sys.modules, {before!r}\n"
        code += "assert {*dir(cpfill)} >= {*cpfill.__all__} and 'TYPE_CHECKING' not in dir(cpfill)\n"
        code += "from cpfill import *\nassert all(map(callable, (solve, events, cpfill.solve, cpfill.events, Lexicon)))"
        assert loaded_by(code) <= {"typer", "click", "rich"}
    with pytest.raises(AttributeError, match="has no attribute 'sovle'"):
        cpfill.sovle  # type: ignore[attr-defined]  # noqa: B018


SOLVE = """
import cpfill
_, (grid,) = cpfill.read_grids([".."])
problem = cpfill.Problem(grid, cpfill.Lexicon([cpfill.parse_word_list("ab")]))
for engine in {engines!r}:
    assert cpfill.solve(problem, engine=engine).status == "SATISFIED"
"""


def test_cpsat_alone_loads_ortools() -> None:
    assert loaded_by(SOLVE.format(engines=[name for name in ENGINE_NAMES if name != "cpsat"])) == set()
    assert loaded_by(SOLVE.format(engines=["cpsat"])) >= {"ortools", "numpy"}
