"""The clues of a puzzle, written by keys one after the other, on a wide screen and on a narrow one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.puzzle.clues.drafting import DRAFT
from tests.support import INSTANCES
from tests.web.browser import focused, needs_browser, open_tab, start_over, visiting, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = needs_browser

FIRST, SECOND, THIRD = "clue-1-Across", "clue-4-Across", "clue-6-Across"
LONG = "It goes on for longer than one would like, with a pun in the middle, so that it takes three lines or four?"


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str) -> Iterator[Page]:
    puzzle = cpfill.read_puzzle(INSTANCES / "assignment" / "A.txt")
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
    with visiting(tab, address) as opened:
        opened.click("#tab-clues")
        yield opened


def width(page: Page, what: str) -> float:
    box = page.locator(what).first.bounding_box()
    assert box is not None
    return box["width"]


def height(page: Page, name: str) -> float:
    box = page.locator(f"[id='{name}']").bounding_box()
    assert box is not None
    return box["height"]


def test_clues_by_keys(
    page: Page, puzzles: Path, browser: Browser, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cpfill.web.app.is_installed", lambda _: True)
    page.reload()
    go_from_clue_to_clue(page, puzzles)
    start_over(page)
    page.click("#tab-clues")
    write_a_long_clue(page)
    start_over(page)
    page.click("#tab-clues")
    look_up_by_keys(page)
    edit_a_draft(page, puzzles)
    start_over(page)
    page.click("#tab-clues")
    see_clues_on_a_wide_screen_and_a_phone(page, browser, address)


def go_from_clue_to_clue(page: Page, puzzles: Path) -> None:
    page.click(f"[id='{FIRST}']")
    page.keyboard.type("One")
    page.keyboard.press("Tab")
    page.keyboard.type("Two")
    page.keyboard.press("Enter")
    page.keyboard.type("Three")
    assert focused(page) == THIRD
    page.keyboard.press("Shift+Tab")
    assert focused(page) == SECOND
    wait_for(page, lambda: [*cpfill.read_puzzle(puzzles / "a.ipuz").clues.values()] == ["One", "Two", "Three"])


def write_a_long_clue(page: Page) -> None:
    page.click(f"[id='{FIRST}']")
    page.keyboard.type(LONG)
    assert height(page, FIRST) > height(page, SECOND)
    page.keyboard.press("ArrowUp")
    assert focused(page) == FIRST
    for _ in LONG.split():  # more than there are lines
        page.keyboard.press("ArrowDown")
        if focused(page) != FIRST:
            break
    assert focused(page) == SECOND
    page.keyboard.type("Two")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert focused(page) == SECOND
    page.keyboard.press("ArrowUp")
    assert focused(page) == FIRST
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    assert focused(page) == FIRST
    assert page.input_value(f"[id='{FIRST}']") == LONG


def look_up_by_keys(page: Page) -> None:
    answer = json.dumps({"word": "", "clues": [{"text": "Found", "source": "mine"}]}) + '\n{"done": true}\n'
    page.route("**/api/clues", lambda route: route.fulfill(body=answer))
    page.click(f"[id='{SECOND}']")
    page.keyboard.press("Alt+l")
    page.wait_for_selector(f".clue:has([id='{SECOND}']) .found >> text='Found'")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert focused(page) == SECOND
    assert page.input_value(f"[id='{SECOND}']") == "Found"


def edit_a_draft(page: Page, puzzles: Path) -> None:
    answer = json.dumps({"word": "", "clues": [{"text": f"{DRAFT}Found", "source": "mine"}]}) + '\n{"done": true}\n'
    page.unroute("**/api/clues")
    page.route("**/api/clues", lambda route: route.fulfill(body=answer))
    page.click(f"[id='{THIRD}']")
    page.keyboard.press("Alt+l")
    page.click(f".clue:has([id='{THIRD}']) .found button")
    page.wait_for_selector(f"[id='{THIRD}'].draft")
    page.keyboard.press("End")
    page.keyboard.type("!")
    page.wait_for_selector(f"[id='{THIRD}']:not(.draft)")
    assert page.input_value(f"[id='{THIRD}']") == "Found!"
    wait_for(page, lambda: "Found!" in cpfill.read_puzzle(puzzles / "a.ipuz").clues.values())


def see_clues_on_a_wide_screen_and_a_phone(page: Page, browser: Browser, address: str) -> None:
    assert width(page, ".clue textarea") > 1.5 * width(page, ".clue .answer") + width(page, ".clue .number")
    with open_tab(browser, {"width": 360, "height": 740}, has_touch=True) as phone, visiting(phone, address):
        phone.tap("#tab-clues")
        assert width(phone, ".clue textarea") == width(phone, ".clue") > 300
