"""Files that are deleted, spoilt or opened while the page has them, in a real browser."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

import cpfill
from tests.support import INSTANCES
from tests.web.browser import needs_browser, open_tab, rows, visiting, wait_for
from tests.web.support import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

pytestmark = needs_browser


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    with open_tab(browser) as opened:
        yield opened


@pytest.fixture
def page(tab: Page, tmp_path: Path) -> Iterator[Page]:
    for name in "ba":  # the last is opened
        puzzle = cpfill.read_puzzle(INSTANCES / "assignment" / f"{name.upper()}.txt")
        (tmp_path / f"{name}.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
    with serving(tmp_path) as served, visiting(tab, served.address) as opened:
        yield opened


def write(page: Page, word: str) -> None:
    page.keyboard.press("Escape")
    page.keyboard.type(word)


def first_row(path: Path) -> str:
    return "".join(cell or "." for cell in cpfill.read_puzzle(path).rows[0][:3])


def test_a_file_that_is_gone_is_written_again(page: Page, tmp_path: Path) -> None:
    (tmp_path / "a.ipuz").unlink()
    write(page, "tea")
    page.wait_for_selector("#conflict-dialog[open]:has-text('is gone')")
    page.click("#keep-mine")
    wait_for(page, (tmp_path / "a.ipuz").exists)
    wait_for(page, lambda: first_row(tmp_path / "a.ipuz") == "TEA")


def test_a_file_that_is_gone_is_let_go(page: Page, tmp_path: Path) -> None:
    (tmp_path / "a.ipuz").unlink()
    write(page, "tea")
    page.wait_for_selector("#conflict-dialog[open]")
    page.click("#take-theirs")
    wait_for(page, lambda: page.input_value("#puzzles") == "b.ipuz")
    assert not (tmp_path / "a.ipuz").exists()


@pytest.mark.parametrize("mine", [True, False])
def test_a_file_that_holds_no_puzzle_any_more(page: Page, tmp_path: Path, mine: bool) -> None:
    (tmp_path / "a.ipuz").write_text("{}")
    write(page, "tea")
    page.wait_for_selector("#conflict-dialog[open]:has-text('no longer holds a puzzle')")
    page.click("#keep-mine" if mine else "#take-theirs")
    name = "a.ipuz" if mine else "a - my version.ipuz"
    wait_for(page, lambda: (tmp_path / name).exists() and (tmp_path / name).stat().st_size > 2)
    assert first_row(tmp_path / name) == "TEA"
    assert mine or (tmp_path / "a.ipuz").read_text() == "{}"


def test_of_two_puzzles_that_are_opened_the_last_asked_for_stays(page: Page) -> None:
    def answer_late(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    page.route("**/api/puzzles/b.ipuz", answer_late)
    page.evaluate("""async () => {
        const { openPuzzle } = await import("/files.js");
        await Promise.all([openPuzzle("b.ipuz"), openPuzzle("a.ipuz")]);
    }""")
    page.unroute("**/api/puzzles/b.ipuz")
    assert page.input_value("#puzzles") == "a.ipuz"
    assert rows(page)[0] == "...##"


def test_a_puzzle_that_was_deleted_can_be_had_back(page: Page, tmp_path: Path) -> None:
    write(page, "tea")
    wait_for(page, lambda: first_row(tmp_path / "a.ipuz") == "TEA")
    page.click("#manage")
    page.click("#delete")
    page.click("#delete-yes")
    wait_for(page, lambda: not (tmp_path / "a.ipuz").exists())
    page.click("#offer")
    wait_for(page, (tmp_path / "a.ipuz").exists)
    assert first_row(tmp_path / "a.ipuz") == "TEA"
    wait_for(page, lambda: page.input_value("#puzzles") == "a.ipuz")
