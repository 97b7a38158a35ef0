"""A puzzle solved in a real browser: on the page, in the file that solves by itself, and on a phone.

What each key and button does stands in `unit/player.test.mjs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.formats.pages.style import PageLayout, PageStyle
from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.web.browser import barriers, focused, needs_browser, open_tab, visiting, wait_for, without_faults

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Request

pytestmark = needs_browser

HOSTILE = "</script><img src=x onerror=document.title='gone'><!--"
PUZZLE = Puzzle(
    3,
    3,
    ("T", "E", "A", "O", None, "R", "STAR", "O", "M"),
    {(Direction.ACROSS, 1): HOSTILE, (Direction.DOWN, 1): "Throws"},
    circles=frozenset({0}),
    metadata={PuzzlePart.TITLE: f"Mini {HOSTILE}"},
)
SOLVING = "teasomosr"
"""The keys that solve it: TEA and S-O-M across, where S stands for STAR; O and S down; R, which is left."""


@pytest.fixture
def alone(browser: Browser) -> Iterator[Page]:
    """Return a tab of a browser that keeps nothing of before, and whose files ask no one for anything."""
    asked: list[str] = []

    def hear(made: Request) -> None:
        asked.append(made.url)

    with open_tab(browser) as tab, without_faults(tab):
        tab.on("request", hear)
        yield tab
    assert [url for url in asked if not url.startswith("file:")] == []


def write_player(path: Path, puzzle: Puzzle) -> str:
    """Write a file that solves by itself; return its address."""
    path.write_bytes(write_puzzle(puzzle, "html", PageStyle(layout=PageLayout.INTERACTIVE))[0])
    return path.as_uri()


def letters(page: Page) -> str:
    return "".join(text or "." for text in page.locator(".player .letter").all_text_contents())


def told(page: Page) -> str:
    return page.inner_text(".player .told")


def solve_by_keys(page: Page) -> None:
    """Solve the puzzle over two reloads, leave the grid by keys, and begin anew."""
    assert barriers(page) == []
    page.keyboard.type("tex")
    page.keyboard.press("Backspace")
    page.click(".player h1")  # which takes the focus from the grid
    page.keyboard.type("x")
    page.click(".player [data-do='check-all']")
    page.click(".player [data-cell='5']")
    page.click(".player [data-do='reveal-letter']")
    page.wait_for_selector(".player .clock:not(:has-text('0:00'))")
    for _ in range(2):
        page.reload()
        page.wait_for_selector(".player .field:focus")
        assert letters(page) == "TEX.R..."
        assert page.inner_text(".player .wrong .letter") == "X"
        assert page.inner_text(".player .revealed .letter") == "R"
        assert page.inner_text(".player .clock") != "0:00"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert "field" not in str(focused(page, "class")).split()
    page.click(".player [data-do='again']")
    page.keyboard.press("Shift+T")
    page.keyboard.type(SOLVING[1:])
    page.wait_for_selector(".player .told:has-text('Solved in')")
    assert letters(page) == "TEAORSOM"
    assert page.title() != "gone"


def test_a_file_is_solved_by_keys(alone: Page, tmp_path: Path) -> None:
    address = write_player(tmp_path / "mini.html", PUZZLE)
    alone.goto(address)
    assert HOSTILE in alone.inner_text(".player .clue >> nth=0")
    solve_by_keys(alone)
    alone.click(".player [data-do='again']")
    other = alone.context.new_page()
    other.goto(address)
    alone.keyboard.type("te")
    wait_for(other, lambda: letters(other) == letters(alone) != "........")
    other.keyboard.type("a")
    wait_for(alone, lambda: letters(alone) == letters(other))


def test_the_page_is_solved_on_by_keys(tab: Page, puzzles: Path, address: str) -> None:
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(PUZZLE, "ipuz")[0])
    with visiting(tab, address) as page:
        page.click("#tab-solve")
        page.wait_for_selector(".player .field:focus")
        solve_by_keys(page)
        page.click("#tab-clues")
        page.wait_for_selector(".player", state="hidden")
        page.click("#tab-solve")
        page.wait_for_selector(".player .field:focus")
        assert letters(page) == "TEAORSOM"


def test_a_phone_keeps_the_grid_in_sight(browser: Browser, tmp_path: Path) -> None:
    tall = Puzzle(15, 15, ("A",) * 225)
    with open_tab(browser, {"width": 360, "height": 740}) as phone:
        phone.goto(write_player(tmp_path / "tall.html", tall))
        phone.keyboard.type("a" * 100)
        box = phone.locator(".player .cursor").bounding_box()
        assert box is not None
        assert 0 < box["y"] < box["y"] + box["height"] < 740
        assert phone.evaluate("[scrollY, document.documentElement.scrollWidth]") == [0, 360]
        current = phone.locator(".player .clue.current")
        seen = current.evaluate(
            "(each) => each.offsetTop - each.closest('.clues').offsetTop - each.closest('.clues').scrollTop"
        )
        assert 0 <= seen < 0.7 * 740
