"""The tree says one thing in one place, and nothing about where packages come from."""

from __future__ import annotations

import ast
import importlib.metadata
import inspect
import re
import subprocess
import tomllib
from itertools import pairwise
from typing import TYPE_CHECKING, get_type_hints

import pytest

import cpfill
from cpfill.engines import engine_class, options_of
from cpfill.engines.contract import Engine, Feature
from tests.support import ENGINE_NAMES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = ROOT / "cpfill"
MAX_LINES = 600

# Put together here, so that this file does not name them.
HOSTS = ("py" + "pi.org", "pythonhosted" + ".org", "npm" + "js", "crates" + ".io")
IN_ADDRESSES = ("debian" + ".org", "ubuntu" + ".com")


def tracked() -> list[Path]:
    """Return the files of the project: what git knows of or would add, or all there is where git is not."""
    if (ROOT / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split("\0")
        paths = [ROOT / name for name in names if name]
    else:
        paths = [p for p in ROOT.rglob("*") if not any(part.startswith(".") for part in p.relative_to(ROOT).parts)]
    found = [path for path in paths if path.is_file()]
    assert len(found) > 50
    return found


def hosts_named_in(text: str) -> list[str]:
    addresses = re.findall(r"(?:https?|ftp|git|ssh)://[^\s\"'<>]*|\b(?:deb|index-url|registry)\b.*", text)
    named = [host for host in HOSTS if host in text]
    return named + [host for host in IN_ADDRESSES for address in addresses if host in address]


def test_nothing_in_the_tree_names_a_registry() -> None:
    naming = {}
    for path in tracked():
        text = path.read_bytes().decode("utf-8", errors="replace")
        if named := hosts_named_in(text):
            naming[str(path.relative_to(ROOT))] = named
    assert naming == {}


def test_a_registry_would_be_seen() -> None:
    assert hosts_named_in(f"see https://{HOSTS[0]}/simple")
    assert hosts_named_in(f"deb http://deb.{IN_ADDRESSES[0]}/stable main")
    assert not hosts_named_in(f"Maintainer: someone <someone@{IN_ADDRESSES[0]}>")


def test_the_version_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changes = re.findall(r"^## \[(\d\S*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    versions = {cpfill.__version__, importlib.metadata.version("cpfill"), changes[0]}
    versions |= {project["version"]} if "version" in project else set()
    versions |= set(re.findall(r"^version: (\S+)", (ROOT / "CITATION.cff").read_text("utf-8"), flags=re.MULTILINE))
    assert len(versions) == 1


def test_a_release_finds_the_heading_of_its_changes_once_it_has_a_date() -> None:
    (sought,) = re.findall(
        r'grep -qF "(.*?)" CHANGELOG.md', (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    )
    heading = re.findall(r"^## .*", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[0]
    dated = heading.replace("unreleased", "2026-11-23")
    assert dated.startswith(sought.replace("${GITHUB_REF_NAME#v}", cpfill.__version__))


def attributes_with_text(path: Path) -> set[str]:
    """Return the names a module assigns to and says something of, in a string under the assignment."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    named = set()
    for statement, after in pairwise(body):
        if not isinstance(after, ast.Expr) or not isinstance(after.value, ast.Constant):
            continue
        if isinstance(statement, ast.Assign):
            named |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            named.add(statement.target.id)
    return named


@pytest.mark.parametrize("name", cpfill.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    value = getattr(cpfill, name)
    if inspect.isclass(value) or inspect.isroutine(value):
        text = inspect.getdoc(value) or ""
        assert value.__doc__
        assert not text.startswith(f"{name}("), "the text that dataclass makes up is none"
        assert text.endswith(".") or "\n" in text
    else:
        assert any(name in attributes_with_text(path) for path in PACKAGE.rglob("*.py")), f"no text under {name} = …"


def test_what_dir_lists_is_the_public_names_each_once() -> None:
    assert callable(cpfill.solve)  # when a name is asked for, all are imported, and the rooms that they stand in
    assert [name for name in dir(cpfill) if not name.startswith("__")] == sorted(set(cpfill.__all__))


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_every_engine_is_an_engine(engine: str) -> None:
    made = engine_class(engine)
    assert made.__doc__
    assert made.name == engine
    assert isinstance(made.features, frozenset)
    assert all(isinstance(feature, Feature) for feature in made.features)
    assert Feature.SATISFY in made.features
    expected = list(inspect.signature(Engine.search).parameters)
    assert list(inspect.signature(made.search).parameters) == expected == ["self", "problem", "limits"]
    assert made.search.__doc__
    assert set(get_type_hints(Engine)) == {"name", "features"}
    arguments = inspect.signature(made).parameters.values()
    assert {each.name: each.default for each in arguments} == {
        name: option.default for name, option in options_of(engine).items()
    }


def test_no_module_is_too_long() -> None:
    lines = {
        path.relative_to(PACKAGE).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in PACKAGE.rglob("*.py")
    }
    assert {path: count for path, count in lines.items() if count > MAX_LINES} == {}


def test_the_top_holds_what_was_agreed() -> None:
    agreed = {"pyproject.toml", "README.md", "cpfill", "models", "tests", "instances", "LICENSE", "CHANGELOG.md"}
    agreed |= {"CITATION.cff"}
    tops = {path.relative_to(ROOT).parts[0] for path in tracked()}
    others = {top for top in tops if not top.startswith(".")} - agreed
    assert all(re.fullmatch(r".*lock.*", top) for top in others)
    assert agreed <= tops


def test_every_module_says_what_it_is_for() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert re.match(r'(?:#.*\n)*r?"""\S', path.read_text(encoding="utf-8")), path
    assert not (PACKAGE / "utils.py").exists()
