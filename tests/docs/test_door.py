"""The way in for newcomers: what is run on a public host, by a hook, by hand and by the README is the same."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import metadata

from tests.docs.pages import README, commands, text_of

WORKFLOW = text_of(".github/workflows/ci.yml")
HOOKS = text_of(".pre-commit-config.yaml")
PROJECT = tomllib.loads(text_of("pyproject.toml"))["project"]


def pythons() -> list[tuple[int, int]]:
    listed, *_ = re.findall(r"^ +python: \[(.*)\]", WORKFLOW, re.MULTILINE)
    return [(int(major), int(minor)) for major, minor in re.findall(r'"(\d+)\.(\d+)"', listed)]


def test_every_supported_python_is_tested() -> None:
    """From the one that the project requires, without a gap; the solver comes for each."""
    (major, first), *_ = found = pythons()
    assert found == [(major, first + step) for step in range(len(found))]
    assert PROJECT["requires-python"] == f">={major}.{first}"
    assert f"Python {major}.{first} or later" in text_of(README)
    assert f"Python {major}.{first} or later" in text_of(".github/CONTRIBUTING.md")
    kinds = metadata("ortools").get_all("Classifier") or []
    assert {f"Programming Language :: Python :: {one}.{other}" for one, other in found} <= set(kinds)


def test_the_workflow_runs_the_set_up_commands_and_the_checks() -> None:
    steps = re.findall(r"^ +- run: (.*)$", WORKFLOW.partition("\n  systems:")[0], re.MULTILINE)
    types = "mypy && mypy --platform win32 cpfill && mypy --platform darwin cpfill"
    layout = "clang-format --dry-run --Werror cpfill/*/*/kernel/*.[ch]pp cpfill/*/*/kernel/*/*.[ch]pp"
    checks = [
        "ruff check",
        "ruff format --check",
        types,
        layout,
        "bash .ci/tidy",
        "bash .ci/page/check",
        "bash .ci/wasm",
        "pytest -m long",
    ]
    install, develop = [line for line in commands(text_of(README)) if line.startswith("pip ")]
    assert steps[-11:] == [install, "bash .ci/day", develop, *checks]


def test_the_hooks_are_those_checks_as_they_are_installed() -> None:
    """A hook from elsewhere would have a version of its own."""
    assert re.findall(r"repo: (.*)", HOOKS) == ["local"]
    assert re.findall(r"entry: (.*)", HOOKS) == ["ruff check --fix", "ruff format", "mypy"]
    assert set(re.findall(r"language: (.*)", HOOKS)) == {"system"}
