"""Each message stands in the code in English and in the catalogue in French, and none elsewhere."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from typer.main import get_command

from cpfill.cli.app import VERBS, make_app
from cpfill.cli.verbs import SECTIONS, find_section
from cpfill.questions.stats.grid import FaultKind
from tests.support import ROOT

CODE = ROOT / "cpfill"
TEXTS = CODE / "base" / "texts"
CATALOGUE = tomllib.loads((TEXTS / "messages.toml").read_text(encoding="utf-8"))
PAGE = tomllib.loads((TEXTS / "page.toml").read_text(encoding="utf-8"))
ROOMS = CATALOGUE.keys() - {"names", "foreign", "help", "things"}

OWN = ("base/texts/", "testing/", "words/packaged/", "questions/proof/fill_to_cnf.py")
"""What says nothing to people, or runs alone."""

SAYING = {"say", "later", "expected", "fault"}
"""Whose first argument is a message."""
SPOKEN = {"Fault", "fault", "make_fault", "add_fault", "usage_error", "warn", "UnsupportedError", "EngineError"}
"""What takes a message."""

FRENCH = re.compile(r"\b(?:aucune?|emplacements?|remplissages?|définitions?|cases? noires?|mots imposés)\b")
PRINTED = "formats/pages/style.py"
"""The headings of a page that is printed in French."""


def trees() -> list[tuple[str, ast.Module]]:
    named = [(path.relative_to(CODE).as_posix(), path) for path in sorted(CODE.rglob("*.py"))]
    return [(name, ast.parse(path.read_text(encoding="utf-8"))) for name, path in named if not name.startswith(OWN)]


def literals(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=one, orelse=other):
            return literals(one) + literals(other)
    return []


def calls(tree: ast.Module) -> list[tuple[str, ast.Call]]:
    called = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [(getattr(node.func, "id", getattr(node.func, "attr", "")), node) for node in called]


def said() -> tuple[set[str], set[str]]:
    """Return the messages of the code, and the things it counts."""
    messages, things = set[str](), set[str]()
    for _, tree in trees():
        for name, call in calls(tree):
            if name in SAYING:
                messages |= {text for text in literals(call.args[0]) if text}
            elif name in {"say_count", "tell_left_out"}:
                things |= set(literals(call.args[1]))
                messages |= {text for each in call.args[2:] for text in literals(each) if " " in text}
    return messages, things


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


def entries(*rooms: str) -> dict[str, str]:
    return {english: french for room in rooms for english, french in CATALOGUE[room].items()}


def test_each_message_of_the_code_has_its_french_and_no_other_has() -> None:
    messages, things = said()
    assert messages - entries("names").keys() == entries(*ROOMS).keys()
    assert things <= CATALOGUE["things"].keys()


def test_each_name_and_each_thing_is_a_text_of_the_code() -> None:
    constants = {node.value for _, tree in trees() for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    named = {*CATALOGUE["names"], *CATALOGUE["things"]} - said()[1]
    assert {name for name in named if not {name, name.removeprefix("the ")} & constants} == set()


def test_the_help_of_each_verb_and_option_has_its_french_and_no_other_has() -> None:
    helps = {"Arguments", "Options", "Commands", "Show this message and exit.", *SECTIONS}
    todo: list[Any] = [get_command(make_app(VERBS))]
    while todo:
        verb = todo.pop()
        helps |= {text for text in (verb.help, verb.short_help, getattr(verb, "rich_help_panel", None)) if text}
        for param in verb.params:
            helps |= {text for text in (getattr(param, "help", None), find_section(param)) if text}
        todo += getattr(verb, "commands", {}).values()
    assert helps == entries("help").keys()


def test_both_texts_have_the_same_values() -> None:
    pairs = [*entries(*ROOMS, "names", "foreign").items(), *PAGE.values()]
    assert [english for english, french in pairs if fields(english) != fields(french)] == []
    assert [english for english, french in pairs if not french] == []


def test_what_people_are_told_goes_through_the_catalogue() -> None:
    """Any other literal has no word in lower case: it is a file name, an option and the like."""
    found = [
        f"{name}:{call.lineno}"
        for name, tree in trees()
        for called, call in calls(tree)
        if called in SPOKEN
        for argument in call.args[called in SAYING : 2]
        for text in unsaid(argument)
        if re.search(r"(?<![\w.<{/-])[a-z]{3,} ?", re.sub(r"--[a-z-]+|\.[a-z]+", "", text))
    ]
    assert found == []


def unsaid(node: ast.expr) -> list[str]:
    if isinstance(node, ast.JoinedStr):
        return [part.value for part in node.values if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return literals(node)


@pytest.mark.parametrize("suffix", [".py", ".js"])
def test_there_is_no_french_in_the_code(suffix: str) -> None:
    lines = [
        f"{path.relative_to(CODE)}:{number}"
        for path in sorted(CODE.rglob(f"*{suffix}"))
        if (name := path.relative_to(CODE).as_posix()) != PRINTED and not name.startswith(OWN)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if FRENCH.search(line)
    ]
    assert lines == []


def test_the_page_says_no_text_without_a_name() -> None:
    """Each name that the page asks for is there, and each that is there is asked for."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((CODE / "web" / "static").iterdir()))
    asked = set(re.findall(r"""\bt\(\s*["']([^"']+)["']""", code)) | set(re.findall(r'data-label="(\w+)"', code))
    assert asked - PAGE.keys() - entries("names").keys() == set()


def test_the_faults_of_a_style_are_named_in_french_too() -> None:
    assert {str(kind) for kind in FaultKind} <= entries("names").keys()


def test_the_catalogue_is_read_where_french_is_spoken_alone() -> None:
    assert "tomllib" not in Path(TEXTS / "__init__.py").read_text(encoding="utf-8").split("def ")[0]
