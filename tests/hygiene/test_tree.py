"""The tree says one thing in one place, and nothing about where packages come from."""

from __future__ import annotations

import ast
import importlib.metadata
import inspect
import re
import subprocess
import tomllib
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

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
    addresses = "\n".join(re.findall(r"(?:https?|ftp|git|ssh)://[^\s\"'<>]*|\b(?:deb|index-url|registry)\b.*", text))
    return [host for host in HOSTS if host in text] + [host for host in IN_ADDRESSES if host in addresses]


def test_nothing_in_the_tree_names_a_registry() -> None:
    for path in tracked():
        assert hosts_named_in(path.read_bytes().decode("utf-8", errors="replace")) == [], path


def test_a_registry_is_seen() -> None:
    assert hosts_named_in(f"see https://{HOSTS[0]}/simple")
    assert hosts_named_in(f"deb http://deb.{IN_ADDRESSES[0]}/stable main")
    assert not hosts_named_in(f"Maintainer: someone <someone@{IN_ADDRESSES[0]}>")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


HEADINGS = re.findall(r"^## .*", read("CHANGELOG.md"), flags=re.MULTILINE)


def test_the_version_is_one() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    (cited,) = re.findall(r"^version: (\S+)", read("CITATION.cff"), flags=re.MULTILINE)
    last = next(heading[4:].partition("]")[0] for heading in HEADINGS if heading[4].isdigit())
    versions = {cpfill.__version__, importlib.metadata.version("cpfill"), last, cited}
    assert versions == {project.get("version", cited)}


def test_a_release_finds_its_heading_once_dated() -> None:
    (sought,) = re.findall(r'grep -qF "(.*?)" CHANGELOG.md', read(".github/workflows/release.yml"))
    dated = HEADINGS[0].replace("unreleased", "2026-11-23")
    assert dated.startswith(sought.replace("${GITHUB_REF_NAME#v}", cpfill.__version__))


@cache
def attributes_with_text() -> set[str]:
    """Return the names that a module assigns to and describes, in a string under the assignment."""
    named = set()
    for path in PACKAGE.rglob("*.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for statement, after in pairwise(body):
            match statement, after:
                case (
                    ast.Assign([ast.Name(name), *_]) | ast.AnnAssign(ast.Name(name)),
                    ast.Expr(ast.Constant()),
                ):
                    named.add(name)
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
        assert name in attributes_with_text(), f"no text under {name} = …"


def test_dir_lists_the_public_names() -> None:
    assert callable(cpfill.solve)  # when a name is asked for, all are imported, and the rooms that they stand in
    assert [name for name in dir(cpfill) if not name.startswith("__")] == sorted(set(cpfill.__all__))


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_every_engine_is_an_engine(engine: str) -> None:
    made = engine_class(engine)
    assert made.__doc__
    assert made.name == engine
    assert Feature.SATISFY in made.features
    assert inspect.signature(made.search).parameters.keys() == inspect.signature(Engine.search).parameters.keys()
    defaults = {name: each.default for name, each in inspect.signature(made).parameters.items()}
    assert defaults == {name: option.default for name, option in options_of(engine).items()}


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=str)
def test_a_module_is_short_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_LINES
    assert re.match(r'(?:#.*\n)*r?"""\S', text)
    assert path.name != "utils.py"


def test_the_top_holds_what_was_agreed() -> None:
    agreed = {"pyproject.toml", "README.md", "cpfill", "models", "tests", "instances", "LICENSE", "CHANGELOG.md"}
    agreed |= {"CITATION.cff"}
    tops = {path.relative_to(ROOT).parts[0] for path in tracked()}
    others = {top for top in tops if not top.startswith(".") and "lock" not in top}
    assert others == agreed
