"""Each message stands in the code in English and in the catalogue in French, and none elsewhere."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from string import Formatter
from typing import Any, NamedTuple

import pytest
from typer.main import get_command

from cpfill.cli.app import VERBS, make_command
from cpfill.cli.verbs import SECTIONS, find_section
from cpfill.design.figures import FaultKind
from tests.support import ROOT

CODE = ROOT / "cpfill"
TEXTS = CODE / "base" / "texts"
CATALOGUE = tomllib.loads((TEXTS / "messages.toml").read_text(encoding="utf-8"))
PAGE = tomllib.loads((TEXTS / "page.toml").read_text(encoding="utf-8"))
ROOMS = CATALOGUE.keys() - {"names", "foreign", "help", "things"}

OWN = ("base/texts/", "testing/", "words/packaged/", "proofs/fill_to_cnf.py")
"""What says nothing to people, or runs alone."""

SAYING = {"say", "later", "expected", "fault"}
"""Whose first argument is a message."""

SPOKEN = {"Fault", "fault", "make_fault", "add_fault", "usage_error", "warn", "UnsupportedError", "EngineError"}
"""What takes a message."""

WORD = re.compile(r"(?<![\w.<{/-])[a-z]{3,} ?")

FRENCH = re.compile(r"\b(?:aucune?|emplacements?|remplissages?|définitions?|cases? noires?|mots imposés)\b")
PRINTED = "formats/pages/style.py"
"""The headings of a page that is printed in French."""


class Said(NamedTuple):
    """What the code says: its messages, the things it counts, all its constants, and what has no French."""

    messages: set[str]
    things: set[str]
    constants: set[object]
    unsaid: list[str]


@cache
def said() -> Said:
    """Read each module once. A literal without a word in lower case, such as a file name, needs no French."""
    found = Said(set(), set(), set(), [])
    for path in sorted(CODE.rglob("*.py")):
        name = path.relative_to(CODE).as_posix()
        for node in [] if name.startswith(OWN) else ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant):
                found.constants.add(node.value)
            elif isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if called in SAYING:
                    found.messages.update(text for text in literals(node.args[0]) if text)
                elif called in {"say_count", "tell_left_out"}:
                    found.things.update(literals(node.args[1]))
                    found.messages.update(text for each in node.args[2:] for text in literals(each) if " " in text)
                for argument in node.args[called in SAYING : 2] if called in SPOKEN else []:
                    found.unsaid.extend(f"{name}:{node.lineno}" for text in unsaid(argument) if WORD.search(text))
    return found


def literals(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=one, orelse=other):
            return literals(one) + literals(other)
    return []


def unsaid(node: ast.expr) -> list[str]:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return [re.sub(r"--[a-z-]+|\.[a-z]+", "", text) for part in parts for text in literals(part)]


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


def entries(*rooms: str) -> dict[str, str]:
    return {english: french for room in rooms for english, french in CATALOGUE[room].items()}


def test_each_message_of_the_code_has_its_french_and_no_other_has() -> None:
    assert said().messages - entries("names").keys() == entries(*ROOMS).keys()
    assert said().things <= CATALOGUE["things"].keys()


def test_each_name_and_each_thing_is_a_text_of_the_code() -> None:
    named = {*CATALOGUE["names"], *CATALOGUE["things"]} - said().things
    assert {name for name in named if not {name, name.removeprefix("the ")} & said().constants} == set()


def test_the_help_of_each_verb_and_option_has_its_french_and_no_other_has() -> None:
    helps = {"Arguments", "Options", "Commands", "Show this message and exit.", *SECTIONS}
    todo: list[Any] = [get_command(make_command(VERBS))]
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


def test_what_people_read_goes_through_the_catalogue() -> None:
    assert said().unsaid == []


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
    files = [path for path in sorted((CODE / "web" / "static").rglob("*")) if path.suffix in {".html", ".js"}]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    asked = set(re.findall(r"""\bt\(\s*["']([^"']+)["']""", code)) | set(re.findall(r'data-label="(\w+)"', code))
    assert asked - PAGE.keys() - entries("names").keys() == set()


def test_the_faults_of_a_style_are_named_in_french_too() -> None:
    assert {str(kind) for kind in FaultKind} <= entries("names").keys()


def test_the_catalogue_is_read_where_french_is_spoken_alone() -> None:
    assert "tomllib" not in (TEXTS / "catalogues.py").read_text(encoding="utf-8").split("def ")[0]
