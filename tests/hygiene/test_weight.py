"""The code of `cpfill/` stays within the limits of `.ci/weight.toml`.

Lines are not counted: a limit of lines makes people squeeze several statements into one. The limits are on files, on
complex functions, on dense statements, and on names with two meanings.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING

import pytest
from radon.complexity import cc_visit

from tests.docs.test_house import modules_on_the_way, needs_kernel
from tests.hygiene.test_imports import PACKAGE, modules
from tests.support import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

LIMITS = tomllib.loads((ROOT / ".ci" / "weight.toml").read_text(encoding="utf-8"))

COMPLEX = 10
"""A function, method or class above this cyclomatic complexity counts as complex."""

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def complex_blocks(source: str) -> list[str]:
    """Return the names of complex functions, methods and classes, nested ones included."""
    found = []
    todo = list(cc_visit(source))
    seen = set()
    while todo:
        block = todo.pop()
        if (block.lineno, block.name) in seen:
            continue
        seen.add((block.lineno, block.name))
        if block.complexity > COMPLEX:
            found.append(block.name)
        for inner in ("methods", "inner_classes", "closures"):
            todo += getattr(block, inner, [])
    return found


def statements_of(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements that say something: no imports, no docstrings."""
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()):
                continue
            case ast.stmt():
                yield node


def own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that belong to no statement inside it."""
    todo = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
    while todo:
        node = todo.pop()
        yield node
        todo += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


SHAPES = {ast.IfExp: "conditionals", ast.NamedExpr: "walrus", **dict.fromkeys(COMPREHENSIONS, "comprehensions")}


def count_shapes(statements: Iterable[ast.stmt]) -> Counter[str]:
    """Return how many nodes, and how many expressions of each kind that squeezes lines, some statements have."""
    count: Counter[str] = Counter()
    for statement in statements:
        match statement:
            case ast.Assign([ast.Tuple(), *_], ast.Tuple()):
                count["tuple_assignments"] += 1
        for node in own_nodes(statement):
            count["nodes"] += 1
            count[SHAPES.get(type(node), "")] += 1
            loops = sum(isinstance(inner, ast.comprehension) for inner in ast.walk(node))
            count["nested_comprehensions"] += isinstance(node, COMPREHENSIONS) and loops > 1
    return count


def public_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def test_no_more_files() -> None:
    assert len(modules()) <= LIMITS["files"]


def test_no_more_complex_blocks() -> None:
    found = []
    for path in modules():
        names = complex_blocks(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(PACKAGE)}: {name}" for name in names]
    assert len(found) <= LIMITS["complex"], found


def test_statements_no_denser() -> None:
    statements: list[ast.stmt] = []
    for path in modules():
        statements += statements_of(tree_of(path))
    count = count_shapes(statements)
    assert round(count["nodes"] / len(statements), 1) <= LIMITS["nodes_per_statement"]
    per_thousand = {shape: round(1000 * count[shape] / len(statements)) for shape in LIMITS["per_thousand"]}
    above = {shape: rate for shape, rate in per_thousand.items() if rate > LIMITS["per_thousand"][shape]}
    assert not above


def test_no_more_names_with_two_owners() -> None:
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for path in modules():
        for name in public_names(tree_of(path)):
            owners[name].append(str(path.relative_to(PACKAGE)))
    shared = {name: places for name, places in owners.items() if len(places) > 1}
    assert len(shared) <= LIMITS["shared_names"], shared


def test_no_more_doors_with_code() -> None:
    doors = [path for path in modules() if path.name == "__init__.py"]
    with_code = [path for path in doors if len(path.read_text(encoding="utf-8").splitlines()) > LIMITS["door_lines"]]
    assert len(with_code) <= LIMITS["doors_with_code"], with_code


@needs_kernel
def test_solve_passes_no_more_modules() -> None:
    assert len(modules_on_the_way()) <= LIMITS["solve"]


@pytest.mark.parametrize(
    ("code", "shape"),
    [
        ("a, b = x, y", "tuple_assignments"),
        ("f(a if b else c)", "conditionals"),
        ("if (a := b): c", "walrus"),
        ("a = [b for b in c]", "comprehensions"),
        ("a = [b for b in c for d in b]", "nested_comprehensions"),
        ("a = [{b for b in c} for c in d]", "nested_comprehensions"),
    ],
)
def test_dense_shape_is_counted(code: str, shape: str) -> None:
    assert count_shapes(list(statements_of(ast.parse(code))))[shape]
    assert not count_shapes(list(statements_of(ast.parse("a = b\nfor c in d: e(c)"))))[shape]


def test_complex_function_is_found() -> None:
    branches = "".join(f"    if x == {number}: return {number}\n" for number in range(COMPLEX))
    assert complex_blocks(f"def simple(x):\n    return x\ndef tangled(x):\n{branches}") == ["tangled"]
