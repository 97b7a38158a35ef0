"""Each message stands in the code in English and in the catalogue in French, and none elsewhere."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from itertools import chain
from string import Formatter
from typing import Any, NamedTuple

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

OWN = ("base/texts/", "testing/", "words/packaged/", "proofs/fill_to_", "proofs/check_pbp.py")
"""What says nothing to people, or runs alone."""

SAYING = {"say", "later", "expected", "fault"}
"""Whose first argument is a message."""

COUNTING = {"say_count", "tell_left_out"}
"""Whose second argument is a thing, and whose others may be messages."""

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
        if name.startswith(OWN):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(value):
                    found.constants.add(value)
                case ast.Call(ast.Name(called) | ast.Attribute(attr=called), arguments):
                    hear(found, f"{name}:{node.lineno}", called, arguments)
    return found


def hear(found: Said, place: str, called: str, arguments: list[ast.expr]) -> None:
    """Add the texts in a call."""
    if called in SAYING:
        found.messages.update(filter(None, literals(arguments[0])))
    if called in COUNTING:
        found.things.update(literals(arguments[1]))
        for each in arguments[2:]:
            found.messages.update(text for text in literals(each) if " " in text)
    if called in SPOKEN:
        for argument in arguments[called in SAYING : 2]:
            found.unsaid.extend(place for text in unsaid(argument) if WORD.search(text))


def literals(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=one, orelse=other):
            return literals(one) + literals(other)
    return []


def unsaid(node: ast.expr) -> list[str]:
    parts = [node]
    if isinstance(node, ast.JoinedStr):
        parts = node.values
    return [re.sub(r"--[a-z-]+|\.[a-z]+", "", text) for text in chain(*map(literals, parts))]


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


def entries(*rooms: str) -> dict[str, str]:
    return dict(chain(*(CATALOGUE[room].items() for room in rooms)))


def test_each_message_has_its_french() -> None:
    assert said().messages - entries("names").keys() == entries(*ROOMS).keys()
    assert said().things <= CATALOGUE["things"].keys()


def test_each_name_and_thing_is_in_the_code() -> None:
    named = {*CATALOGUE["names"], *CATALOGUE["things"]} - said().things
    assert {name for name in named if not {name, name.removeprefix("the ")} & said().constants} == set()


def test_each_help_has_its_french() -> None:
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


def test_messages_go_through_the_catalogue() -> None:
    assert said().unsaid == []


def test_there_is_no_french_in_the_code() -> None:
    for path in [*CODE.rglob("*.py"), *CODE.rglob("*.js")]:
        name = path.relative_to(CODE).as_posix()
        if not name.startswith((*OWN, PRINTED)):
            assert FRENCH.findall(path.read_text(encoding="utf-8")) == [], name


def test_the_page_says_no_text_without_a_name() -> None:
    """Each name that the page asks for is there, and each that is there is asked for."""
    files = [path for path in sorted((CODE / "web" / "static").rglob("*")) if path.suffix in {".html", ".js"}]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    asked = set(re.findall(r"""\bt\(\s*["']([^"']+)["']""", code)) | set(re.findall(r'data-label="(\w+)"', code))
    assert asked - PAGE.keys() - entries("names").keys() == set()


def test_faults_of_a_style_have_their_french() -> None:
    assert {str(kind) for kind in FaultKind} <= entries("names").keys()


def test_english_reads_no_catalogue() -> None:
    assert "tomllib" not in (TEXTS / "catalogues.py").read_text(encoding="utf-8").split("def ")[0]
