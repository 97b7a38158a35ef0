"""The notebook runs from its first cell to its last, and shows each value as a picture or a table."""

from __future__ import annotations

import ast
import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from cpfill import make_problem
from cpfill.base.notebook import write_html
from cpfill.questions.explain import explain
from tests.docs.pages import ROOT

NOTEBOOK = ROOT / "cpfill" / "TEACHING.ipynb"
KINDS = ("_repr_svg_", "_repr_html_")


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell, and return the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, str(NOTEBOOK), "exec"), names)  # noqa: S102 - our own page
        return None
    tree.body.pop()
    exec(compile(tree, str(NOTEBOOK), "exec"), names)  # noqa: S102 - our own page
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)  # noqa: S307 - likewise


def parse_shown(value: Any) -> ET.Element | None:
    """Return the picture or the table that a notebook shows, parsed; it must be well-formed."""
    for kind in KINDS:
        if hasattr(value, kind):
            return ET.fromstring(f"<div>{getattr(value, kind)()}</div>")  # noqa: S314 - our own
    return None


def test_notebook_runs_and_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    shown = []
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            shown.append(parse_shown(run_cell("".join(cell["source"]), names)))
    pictures = [each for each in shown if each is not None]
    assert len(pictures) >= 6
    assert all(len(each) for each in pictures)


def test_an_explanation_shades_its_conflict() -> None:
    remy = ROOT / "instances" / "remy"
    explained = explain(make_problem(remy / "example.txt", words=str(remy / "words.txt")))
    shown = parse_shown(explained)
    assert shown is not None
    assert "#ff" in ET.tostring(shown, "unicode")
    filled = explain(make_problem("3x1", words=["ABC"]))
    assert "#ff" not in ET.tostring(parse_shown(filled) or ET.Element("p"), "unicode")


@pytest.mark.parametrize(
    ("value", "html"),
    [
        ({"a": 1, "b": None}, "<table><tr><th>a</th><td>1</td></tr><tr><th>b</th><td>None</td></tr></table>"),
        (
            [{"a": 1}, {"b": "<"}],
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td></td></tr><tr><td></td><td>&lt;</td></tr></table>",
        ),
        ([1, "x"], "1, x"),
        ([], ""),
    ],
)
def test_plain_data_as_html(value: object, html: str) -> None:
    assert write_html(value) == html
