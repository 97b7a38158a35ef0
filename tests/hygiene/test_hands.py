"""A test in a browser does what a hand does: it clicks, presses keys one by one, and reads what is on the screen."""

from __future__ import annotations

import ast
import re

import pytest

from tests.support import ROOT

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
    """Return what no hand does in a test, each with its line."""
    body = ast.parse(source).body
    shared = assigned(*(each for each in body if isinstance(each, ast.Assign)))
    return [
        f"{node.lineno}: {fault}"
        for statement in body
        if not (isinstance(statement, ast.FunctionDef) and statement.name in APART)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        for fault in faults_in(node, node.func, shared | assigned(statement))
    ]


def assigned(*statements: ast.stmt) -> dict[str, ast.expr]:
    """Return what names stand for."""
    found = [node for each in statements for node in ast.walk(each) if isinstance(node, ast.Assign)]
    return {target.id: node.value for node in found for target in node.targets if isinstance(target, ast.Name)}


def faults_in(call: ast.Call, method: ast.Attribute, named: dict[str, ast.expr]) -> list[str]:
    found = [f"{keyword.arg}=" for keyword in call.keywords if keyword.arg == "force"]
    if WHOLE.fullmatch(method.attr) and not is_of_the_test(method):
        found.append(f".{method.attr}(")
    if KEYS.fullmatch(method.attr) and not (
        (isinstance(method.value, ast.Attribute) and method.value.attr == "keyboard")
        or (isinstance(method.value, ast.Name) and method.value.id == "hand")
    ):
        found.append(f".{method.attr}( of what is no keyboard")
    if SCRIPTS.fullmatch(method.attr):
        script = call.args[method.attr.startswith("eval_on")]
        if isinstance(script, ast.Name):
            script = named.get(script.id, script)
        if not isinstance(script, ast.Constant) or not isinstance(script.value, str):
            found.append(f".{method.attr}( of a script that does not stand there")
        elif changes := SETTING.search(QUOTED.sub("''", re.sub(r"\bconst \w+ =", "", script.value))):
            found.append(f".{method.attr}( of a script with {changes[0]}")
    return found


def is_of_the_test(method: ast.Attribute) -> bool:
    """Whether it is a method of a class by its name, such as `Puzzle.fill`, or a list is cleared."""
    return isinstance(method.value, ast.Name) and (method.attr == "clear" or method.value.id[0].isupper())


def test_the_tests_of_the_page_do_what_a_hand_does() -> None:
    paths = sorted((ROOT / "tests" / "web").glob("*.py"))
    found = {path.name: faults_of(path.read_text("utf-8")) for path in paths if path.name not in EXEMPT}
    assert {name: faults for name, faults in found.items() if faults} == {}


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
def test_what_no_hand_does_would_be_seen(line: str) -> None:
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
def test_what_hands_and_eyes_do_is_let_be(line: str) -> None:
    assert faults_of(line) == []
