"""A test in a browser does what a hand does: it clicks, presses keys one by one, and reads what is on the screen."""

from __future__ import annotations

import ast
import re
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from tests.support import ROOT

if TYPE_CHECKING:
    from pathlib import Path

EXEMPT = {"measure.py", "browsers.py"}
"""What asks the page how long it took, and so has a probe in it; what hands are made of."""
APART = {"barriers", "keep_own_list", "count_searches"}
"""What asks axe, which is handed fewer rows than there are; what stands for a disk that was written to before; what
asks the page for what it does not show."""

WHOLE = re.compile("fill|clear|select_option|select_text|set_checked|insert_text|dispatch_event|focus|blur")
"""What sets a value at once, or does without the pointer and the keys."""
KEYS = re.compile("press|type")
"""What belongs to the keyboard or a hand: of an element they would have the focus put there first."""
SCRIPTS = re.compile("evaluate(?:_all|_handle)?|eval_on_selector(?:_all)?|wait_for_function")

QUOTED = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`""")
SETTING = re.compile(
    r"(?<![=!<>])=(?![=>])|\+\+|--|\bimport\b|\b(?:localStorage|sessionStorage|indexedDB|caches)\b"
    r"|\.(?:click|focus|blur|select|submit|close|reload|dispatchEvent|requestSubmit|showModal|show|add|delete|toggle"
    r"|append\w*|prepend|before|after|remove\w*|replace\w*|insert\w*|set\w*|clear|write\w*|scroll\w*)\("
)
"""What changes something in the page; a constant of the script's own changes nothing."""


def faults_of(source: str) -> list[str]:
    """Return each thing in a test that no hand does."""
    found = []
    body = ast.parse(source).body
    shared = assigned(*(each for each in body if isinstance(each, ast.Assign)))
    for statement in body:
        if isinstance(statement, ast.FunctionDef) and statement.name in APART:
            continue
        named = shared | assigned(statement)
        for node in ast.walk(statement):
            match node:
                case ast.Call(ast.Attribute() as method):
                    found += faults_in(node, method, named)
    return found


def assigned(*statements: ast.stmt) -> dict[str, ast.expr]:
    """Return the values that are assigned to names."""
    named = {}
    for node in chain(*map(ast.walk, statements)):
        match node:
            case ast.Assign([ast.Name(name)], value):
                named[name] = value
    return named


def faults_in(call: ast.Call, method: ast.Attribute, named: dict[str, ast.expr]) -> list[str]:
    """Return the faults of a call of a method."""
    found = [f"{keyword.arg}=" for keyword in call.keywords if keyword.arg == "force"]
    owner = ast.unparse(method.value).rpartition(".")[2]
    if WHOLE.fullmatch(method.attr) and not is_of_the_test(method):
        found.append(f".{method.attr}(")
    if KEYS.fullmatch(method.attr) and owner not in {"keyboard", "hand"}:
        found.append(f".{method.attr}( of what is no keyboard")
    if SCRIPTS.fullmatch(method.attr):
        script = call.args[method.attr.startswith("eval_on")]
        if isinstance(script, ast.Name):
            script = named.get(script.id, script)
        match script:
            case ast.Constant(str(text)):
                changes = SETTING.search(QUOTED.sub("''", re.sub(r"\bconst \w+ =", "", text)))
                if changes:
                    found.append(f".{method.attr}( of a script with {changes[0]}")
            case _:
                found.append(f".{method.attr}( of a script that stands elsewhere")
    return found


def is_of_the_test(method: ast.Attribute) -> bool:
    """Whether it is a method of a class by its name, such as `Puzzle.fill`, or a list is cleared."""
    return isinstance(method.value, ast.Name) and (method.attr == "clear" or method.value.id[0].isupper())


PAGES = [path for path in (ROOT / "tests" / "web").glob("*.py") if path.name not in EXEMPT]


@pytest.mark.parametrize("path", sorted(PAGES), ids=str)
def test_tests_of_the_page_do_what_a_hand_does(path: Path) -> None:
    assert faults_of(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "page.fill('#rows', '9')",
        "page.locator('#rows').fill('9')",
        "page.locator('#rows').clear()",
        "page.select_option('#style', 'british')",
        "page.press('#rows', 'Enter')",
        "page.locator('#rows').type('9')",
        "page.click('#rows', force=True)",
        "page.evaluate('localStorage.clear()')",
        "page.evaluate('each.value = 9')",
        "page.evaluate('() => document.activeElement.click()')",
        "page.evaluate(\"import('/actions.js')\")",
        "page.eval_on_selector('#rare', '(each) => { each.open = true; }')",
        "script = 'each.open = true'\npage.evaluate(script)",
        "page.evaluate(make_script())",
    ],
)
def test_other_acts_are_seen(line: str) -> None:
    assert len(faults_of(line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "page.keyboard.press('Enter')",
        "page.keyboard.type('tea')",
        "hand.press('Enter')",
        "route.fulfill(body='')",
        "told.clear()",
        "page.set_input_files('#list-file', file)",
        """page.evaluate("() => [...document.querySelectorAll('[role=row]')].map((each) => each.textContent)")""",
        "page.evaluate('async () => { const file = await read(); return file.text(); }')",
    ],
)
def test_acts_of_hands_and_eyes_pass(line: str) -> None:
    assert faults_of(line) == []
