"""Files that are deleted, spoilt or opened while the page has them, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cpfill
from tests.support import INSTANCES
from tests.web.browser import (
    needs_browser,
    open_puzzle,
    own,
    puzzle_open,
    visiting,
    wait_for,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page, Route

pytestmark = needs_browser


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str) -> Iterator[Page]:
    for name in "ba":  # the last is opened
        puzzle = cpfill.read_puzzle(INSTANCES / "assignment" / f"{name.upper()}.txt")
        (puzzles / f"{name}.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
    with visiting(tab, address) as opened:
        yield opened


def write(page: Page, word: str) -> None:
    page.keyboard.press("Escape")
    page.keyboard.type(word)


def first_row(path: Path) -> str:
    return "".join(cell or "." for cell in cpfill.read_puzzle(path).rows[0][:3])


def test_a_file_that_is_gone_is_written_again(page: Page, puzzles: Path) -> None:
    (puzzles / "a.ipuz").unlink()
    write(page, "tea")
    page.wait_for_selector("#conflict-dialog[open]:has-text('is gone')")
    page.click("#keep-mine")
    wait_for(page, (puzzles / "a.ipuz").exists)
    wait_for(page, lambda: first_row(puzzles / "a.ipuz") == "TEA")


@pytest.mark.parametrize("mine", [True, False])
def test_a_file_that_holds_no_puzzle_any_more(page: Page, puzzles: Path, mine: bool) -> None:
    (puzzles / "a.ipuz").write_text("{}")
    write(page, "tea")
    page.wait_for_selector("#conflict-dialog[open]:has-text('no longer holds a puzzle')")
    page.click("#keep-mine" if mine else "#take-theirs")
    name = "a.ipuz" if mine else "a - my version.ipuz"
    wait_for(page, lambda: (puzzles / name).exists() and (puzzles / name).stat().st_size > 2)
    assert first_row(puzzles / name) == "TEA"
    kept = "a - other version.ipuz" if mine else "a.ipuz"
    wait_for(page, (puzzles / kept).exists)
    assert (puzzles / kept).read_text() == "{}"


def test_of_two_puzzles_that_are_opened_the_last_asked_for_stays(page: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/puzzles/b.ipuz", hold)
    open_puzzle(page, "b.ipuz")
    wait_for(page, lambda: len(held) == 1)
    open_puzzle(page, "a.ipuz")
    with page.expect_event("requestfinished", lambda request: request.url.endswith("/b.ipuz")):
        held[0].continue_()
    assert own(page)[0] == "...##"
    assert puzzle_open(page) == "a.ipuz"


def test_a_puzzle_that_was_deleted_can_be_had_back(page: Page, puzzles: Path) -> None:
    write(page, "tea")
    wait_for(page, lambda: first_row(puzzles / "a.ipuz") == "TEA")
    page.click("#manage")
    page.click("#delete")
    page.click("#delete-yes")
    wait_for(page, lambda: not (puzzles / "a.ipuz").exists())
    page.click("#offer")
    wait_for(page, (puzzles / "a.ipuz").exists)
    assert first_row(puzzles / "a.ipuz") == "TEA"
    wait_for(page, lambda: puzzle_open(page) == "a.ipuz")
