"""The way in for newcomers: a short README whose claims are true, here and on a package index; one way to set up."""

from __future__ import annotations

import re
import runpy
import shlex
import tomllib
from importlib.metadata import metadata
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from cpfill.engines import ENGINES, engine_class
from cpfill.engines.contract import Feature
from cpfill.testing.brute_force import BLOCK
from tests.cli.program import assert_right, cells_in, fills_of, words_of
from tests.docs.pages import README, ROOT, blocks, commands, rows, section, text_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.cli.program import Run

TEXT = text_of(README)
MAX_LINES = 150
WORKFLOW = text_of(".github/workflows/ci.yml")
GATE = text_of(".ci/run")
HOOKS = text_of(".pre-commit-config.yaml")
LINKS = r'<img src="([^"]+)"|\]\(([^)]+)\)'
PROJECT = tomllib.loads(text_of("pyproject.toml"))["project"]


def test_it_is_short() -> None:
    assert len(TEXT.splitlines()) <= MAX_LINES


def test_there_are_two_set_up_commands_and_the_rest_are_cpfills() -> None:
    first, *others, second = commands(TEXT)
    assert first.startswith("pip install . && cpfill ")
    assert second.startswith("pip install -e ")
    assert others
    assert all(line.startswith("cpfill ") for line in others)
    assert re.findall(r"^pip install.*", TEXT, re.MULTILINE) == [first, second]


def test_the_first_command_fills_a_grid(run: Run) -> None:
    *_, verb, grid = shlex.split(commands(TEXT)[0])
    (fill,) = run(verb, ROOT / grid).fills
    assert_right(fill, cells_in(ROOT / grid), words_of("en"))


def test_the_picture_is_a_fill_as_cpfill_draws_it(run: Run, tmp_path: Path) -> None:
    """Its letters are a fill of the grid that the command beside it names; drawn anew they are the same picture."""
    (picture,) = re.findall(r'<img src="([^"]+\.svg)"', TEXT)
    (command,) = [line for line in commands(text_of(".github/CONTRIBUTING.md")) if picture in line]
    cells = cells_in(ROOT / shlex.split(command)[2])
    elements = ET.fromstring((ROOT / picture).read_bytes()).iter()  # noqa: S314 - a file of this tree
    letters = iter([one.text or "" for one in elements if one.get("text-anchor") == "middle"])
    fill = tuple("".join(next(letters) if cell else BLOCK for cell in row) for row in cells)
    assert next(letters, None) is None
    assert_right(fill, cells, words_of("en"))
    drawn = tmp_path / "fill.svg"
    assert run("convert", "-", drawn, "--solution", stdin="\n".join(fill)).code == 0
    assert drawn.read_bytes() == (ROOT / picture).read_bytes()


def test_the_output_shown_is_what_a_command_prints(run: Run) -> None:
    """The fill may be another; its value and the proof are the same."""
    ((command, shown),) = [block.split("\n", 1) for block in blocks(TEXT, "console")]
    _, program, *asked = shlex.split(command)
    assert program == "cpfill"
    done = run(*asked)
    assert done.code == 0
    for text in (shown, done.out):
        (fill,) = fills_of("\n".join(line for line in text.splitlines() if not line.startswith("cpfill:")))
        assert_right(fill, cells_in(ROOT / "instances" / "assignment" / "A.txt"), words_of("en"))
    assert re.sub(r"[\d.]+ s", "", done.err.strip()) == re.sub(r"[\d.]+ s", "", shown.splitlines()[-1])


def test_the_table_of_engines_is_true() -> None:
    """What an engine can prove follows from its features; that there is no fill, each of them can."""
    told = {name.strip("`"): answers for name, _, *answers in rows(section(TEXT, "## Engines"))}
    able = {name: engine_class(name).features for name in ENGINES}
    assert told == {
        name: ["yes" if yes else "no" for yes in (Feature.ENUMERATE in has, True, Feature.MAXIMISE_MIN in has)]
        for name, has in able.items()
    }


def test_every_link_of_a_package_index_leads_to_the_home_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    made = runpy.run_path(str(ROOT / ".ci" / "package_page.py"))["dynamic_metadata"]("readme")["text"]
    home = urlsplit(PROJECT["urls"]["Source"])
    before, after = ([one or other for one, other in re.findall(LINKS, text)] for text in (TEXT, made))
    assert len(before) == len(after) > 20
    for old, new in zip(before, after, strict=True):
        if urlsplit(old).scheme or old.startswith("#"):
            assert new == old
            continue
        place = urlsplit(new)
        assert (place.scheme, place.netloc) == (home.scheme, home.netloc)
        kind, tag, path = place.path.removeprefix(home.path + "/").split("/", 2)
        assert (kind, tag) == ("raw" if path.endswith((".png", ".svg")) else "blob", f"v{PROJECT['version']}")
        assert (ROOT / path).exists()


def test_every_supported_python_is_tested() -> None:
    """From the one that the project requires, without a gap; the solver comes for each."""
    listed, *_ = re.findall(r"^ +python: \[(.*)\]", WORKFLOW, re.MULTILINE)
    (major, first), *_ = found = [tuple(map(int, each)) for each in re.findall(r'"(\d+)\.(\d+)"', listed)]
    assert found == [(major, first + step) for step in range(len(found))]
    assert PROJECT["requires-python"] == f">={major}.{first}"
    assert f"Python {major}.{first} or later" in text_of(README)
    assert f"Python {major}.{first} or later" in text_of(".github/CONTRIBUTING.md")
    kinds = metadata("ortools").get_all("Classifier") or []
    assert {f"Programming Language :: Python :: {one}.{other}" for one, other in found} <= set(kinds)


def test_the_workflow_runs_the_set_up_commands_and_the_checks() -> None:
    steps = re.findall(r"^ +- run: (.*)$", WORKFLOW.partition("\n  systems:")[0], re.MULTILINE)
    checks = "bash .ci/task lint page types long"
    install, develop = [line for line in commands(text_of(README)) if line.startswith("pip ")]
    assert steps[-4:] == [install, "bash .ci/day", develop, checks]
    assert checks in GATE


def test_the_hooks_are_those_checks_as_they_are_installed() -> None:
    """A hook from elsewhere would have a version of its own."""
    assert re.findall(r"repo: (.*)", HOOKS) == ["local"]
    assert re.findall(r"entry: (.*)", HOOKS) == ["ruff check --fix", "ruff format", "mypy"]
    assert set(re.findall(r"language: (.*)", HOOKS)) == {"system"}
