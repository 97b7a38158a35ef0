"""A puzzle solved in a real browser: on the page, and in the file that solves by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.formats.pages.style import Layout, PageStyle
from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.puzzle import Puzzle, PuzzlePart
from tests.web.browser import barriers, focused, needs_browser, visiting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page, Request

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


@pytest.fixture(params=["a file of its own", "the page"])
def page(request: pytest.FixtureRequest, tab: Page, puzzles: Path, address: str, tmp_path: Path) -> Iterator[Page]:
    if request.param == "the page":
        (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(PUZZLE, "ipuz")[0])
        with visiting(tab, address) as opened:
            opened.click("#tab-solve")
            yield opened
        return
    asked: list[str] = []

    def hear(made: Request) -> None:
        asked.append(made.url)

    file = tmp_path / "mini.html"
    file.write_bytes(write_puzzle(PUZZLE, "html", PageStyle(layout=Layout.INTERACTIVE))[0])
    tab.on("request", hear)
    tab.goto(file.as_uri())
    yield tab
    tab.remove_listener("request", hear)
    assert [url for url in asked if not url.startswith("file:")] == []
    assert tab.title() != "gone"
    tab.goto("about:blank")


def letters(page: Page) -> str:
    return "".join(text or "." for text in page.locator(".player .letter").all_text_contents())


def test_it_is_solved_by_keys(page: Page) -> None:
    page.click(".player [data-cell='0']")
    page.keyboard.type("TEA")
    assert letters(page) == "TEA....."
    page.keyboard.press("ArrowDown")  # turns first
    page.keyboard.press("ArrowDown")
    page.keyboard.type("rm")
    page.click(".player [data-cell='3']")
    assert page.inner_text(".player .bar").startswith("1 Down")
    page.keyboard.type("os")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("o")
    page.wait_for_selector(".player .told:has-text('Solved')")
    assert letters(page) == "TEAORSOM"


def test_capitals_and_cells_of_several_letters(page: Page) -> None:
    page.click(".player [data-cell='0']")
    page.keyboard.press("Shift+T")
    page.keyboard.press("Shift+E")
    assert letters(page)[:2] == "TE"
    page.click(".player [data-cell='6']")
    page.keyboard.type("s")
    page.click(".player [data-cell='6']")
    page.keyboard.type("+t+a+r")
    assert letters(page) == "TE...STAR.."


def test_the_focus_can_leave_the_grid(page: Page) -> None:
    """After the last word, or from anywhere after Escape."""
    page.click(".player [data-cell='0']")
    presses = 0
    while "field" in str(focused(page, "class")).split():
        page.keyboard.press("Tab")
        presses += 1
        assert presses < 10
    page.click(".player [data-cell='0']")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert "field" not in str(focused(page, "class")).split()


def test_letters_are_checked_and_revealed(page: Page) -> None:
    page.click(".player [data-cell='0']")
    page.keyboard.type("TOA")
    page.click(".player [data-do='check-word']")
    assert page.inner_text(".player .told") == "Wrong letters: 1"
    assert page.locator(".player .wrong").count() == 1
    page.click(".player [data-do='reveal-word']")
    assert letters(page)[:3] == "TEA"
    page.click(".player [data-do='reveal-all']")
    assert letters(page) == "TEAORSTAROM"
    page.wait_for_selector(".player .told:has-text('Solved')")


def test_a_clue_leads_to_its_word_and_texts_are_but_texts(page: Page) -> None:
    assert HOSTILE in page.inner_text(".player .clue >> nth=0")
    page.click(".player .clue:has-text('Throws')")
    page.keyboard.type("x")
    assert letters(page)[0] == "X"
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    assert letters(page)[0] == "."


def test_nothing_stands_in_the_way_of_anyone(page: Page) -> None:
    assert barriers(page) == []
