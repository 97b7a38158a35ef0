"""Entries of one's own: locked, named, kept, and not judged; what Check finds leads to its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.puzzle.puzzle import Puzzle
from tests.web.browser import (
    await_frame,
    barriers,
    go_to,
    needs_browser,
    open_puzzle,
    own,
    rows,
    start_over,
    unfold,
    visiting,
    wait_for,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = needs_browser

WORDS = "AIDE;10\nACHE;20\nAIDES;90\nOTHER;60\nWEARY;41\n"


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str) -> Iterator[Page]:
    """A page over a puzzle of two words that do not cross, AIDE and AIDES, which were typed."""
    (puzzles / "few.txt").write_text(WORDS)
    write(puzzles / "a.ipuz", 5, (*"AIDE", None, *[None] * 5, *"AIDES"), ())
    with visiting(tab, address) as opened:
        opened.click("[data-cell='1']")
        yield opened


def write(path: Path, width: int, cells: tuple[str | None, ...], pencilled: Iterable[int]) -> None:
    """Write a puzzle whose words are those of one small list."""
    work = {"terms": {"words": ["few.txt"], "personal": False}, "pencilled": [*pencilled]}
    puzzle = Puzzle(len(cells) // width, width, cells, work=work)
    path.write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])


def lock(page: Page) -> None:
    """Lock the word at the cursor."""
    page.keyboard.press("=")
    page.wait_for_selector("[data-cell='0'].locked")


def go_along(page: Page, slot: str) -> None:
    """Go to the first cell, and along one of its slots."""
    page.click("[data-cell='0']")
    await_frame(page)
    if not page.inner_text("#words-heading").startswith(slot):
        page.keyboard.press(" ")
        await_frame(page)
    assert page.inner_text("#words-heading").startswith(slot)


def in_slot(page: Page) -> str:
    await_frame(page)
    return "".join(page.locator("#grid :is(.in-slot, .cursor) .letter").all_text_contents())


def test_entries_of_ones_own_are_locked_and_checked(page: Page, puzzles: Path) -> None:
    forbid_words_that_are_alike(page, puzzles)
    start_over(page)
    lock_an_entry_and_unlock_it(page)
    start_over(page)
    clear_all_but_entries_of_ones_own(page)
    start_over(page)
    forbid_a_word_that_repeats_another(page, puzzles)
    start_over(page)
    have_a_locked_entry_checked(page)


def test_letters_beside_others_make_no_entries(tab: Page, puzzles: Path, address: str) -> None:
    (puzzles / "few.txt").write_text("ABC;50\nADE;50\n")
    write(puzzles / "b.ipuz", 3, (*"TEN", None, "A", None, *"ART"), ())
    write(puzzles / "a.ipuz", 3, (*"ABC", "D", None, None, "E", None, None), (0, 1, 2, 3, 6))
    with visiting(tab, address, "#fillable.yes") as page:
        type_over_words_with_clues(page)
        open_puzzle(page, "b.ipuz")
        find_a_word_that_one_letter_crosses(page)


def lock_an_entry_and_unlock_it(page: Page) -> None:
    page.wait_for_selector("[data-cell='0'].weak")
    page.wait_for_selector("#status:has-text('lowest 10 (AIDE)')")
    assert page.inner_text("#own-entries") == ""
    lock(page)
    page.wait_for_selector("#status:has-text('lowest 90 (AIDES)')")
    assert page.locator("#grid .weak").count() == 0
    assert page.inner_text("#own-entries").split() == ["Your", "entries:", "AIDE"]
    assert barriers(page) == []
    page.click("[data-cell='12']")
    page.click("#own-entries button")
    assert in_slot(page) == "AIDE"
    page.click("#tab-check")
    page.wait_for_selector("#panel-check :text('Lowest scores: ')")
    assert page.locator("#panel-check p:has-text('Lowest scores')").inner_text().split() == [
        *("Lowest", "scores:", "AIDES", "90"),
    ]
    page.click("[data-cell='0']")
    page.keyboard.press("=")
    page.wait_for_selector("#status:has-text('lowest 10 (AIDE)')")


def have_a_locked_entry_checked(page: Page) -> None:
    unfold(page)
    go_to(page, page.locator("#min-score"))
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    page.click("#tab-check")
    page.wait_for_selector("#audit li:has-text('AIDE scores 10, under 50')")
    assert "C2" not in page.inner_text("#audit")
    page.click("[data-cell='12']")
    page.click("#audit li:has-text('AIDE scores 10') button")
    assert in_slot(page) == "AIDE"
    page.click("[data-cell='0']")
    lock(page)
    page.wait_for_selector("#audit :text('your own or in your lists')")
    assert "scores" not in page.inner_text("#audit")
    page.click("[data-cell='10']")
    page.keyboard.type("ZZ")
    page.wait_for_selector("#audit li:has-text('ZZDES is not in your lists')")
    assert page.locator("#audit li").first.inner_text().startswith("2 Across")


def forbid_a_word_that_repeats_another(page: Page, puzzles: Path) -> None:
    lock(page)
    page.click("#tab-check")
    found = page.locator("#audit li:has-text('repeats AIDE in AIDES')")
    found.wait_for()
    assert found.locator("button").all_text_contents() == ["1 Across", "2 Across", "Forbid AIDES"]
    found.locator("button:has-text('2 Across')").click()
    assert in_slot(page) == "AIDES"
    assert barriers(page) == []
    found.locator("button:has-text('Forbid AIDES')").click()
    page.wait_for_selector("#audit li:has-text('AIDES is not in your lists')")
    page.click("#tab-fill")
    page.wait_for_selector("#words [data-word='OTHER']")
    assert page.locator("#words [data-word='AIDES']").count() == 0
    wait_for(page, lambda: cpfill.read_puzzle(puzzles / "a.ipuz").work["terms"]["excluded"] == ["AIDES"])
    page.click("#words [data-word='OTHER']")
    page.click("#tab-check")
    page.wait_for_selector("#audit :text('your own or in your lists')")
    assert page.locator("#audit li").count() == 0
    page.click("#tab-fill")
    page.click("button:has-text('AIDES is forbidden')")
    page.wait_for_selector("#words [data-word='AIDES']")


def forbid_words_that_are_alike(page: Page, puzzles: Path) -> None:
    page.wait_for_selector("#words [data-word='ACHE']")
    unfold(page)
    page.click("#no-shared")
    page.wait_for_selector("#panel-fill :text('no two words may be alike')")
    assert barriers(page) == []
    wait_for(page, lambda: cpfill.read_puzzle(puzzles / "a.ipuz").work["terms"].get("noShared") is True)
    page.reload()
    page.wait_for_selector("#panel-fill :text('no two words may be alike')")
    unfold(page)
    page.click("#no-shared")
    page.wait_for_selector("#panel-fill :text('no two words may be alike')", state="detached")


def clear_all_but_entries_of_ones_own(page: Page) -> None:
    lock(page)
    page.click("#more")
    page.click("#clear-all")
    wait_for(page, lambda: own(page) == ["AIDE#", "#####", "....."])
    page.click("#best")
    wait_for(page, lambda: rows(page) == ["AIDE#", "#####", "AIDES"])  # it is like AIDE, but scores most


def find_a_word_that_one_letter_crosses(page: Page) -> None:
    page.click("#tab-check")
    page.click("button:has-text('word crossed by one letter alone: 3 Across')")
    assert in_slot(page) == "ART"


def type_over_words_with_clues(page: Page) -> None:
    page.click("#tab-clues")
    for name in ("1-Across", "1-Down"):
        page.click(f"[id='clue-{name}']")
        page.keyboard.type("A clue")
    page.click("#tab-fill")
    wait_for(page, lambda: own(page) == ["ABC", "D##", "E##"])
    page.wait_for_selector("#fillable:text-is('✓ Every square is filled')")
    go_along(page, "1 Across")
    page.keyboard.press("X")
    page.wait_for_selector("#fillable.no")
    go_along(page, "1 Across")
    page.keyboard.type("XBC")
    page.wait_for_selector(".adding:has-text('XBC is an entry of your own')")
    page.wait_for_selector("#fillable.no")
    go_along(page, "1 Down")
    page.wait_for_selector(".adding:has-text('XDE is in no list')")
    page.click("button:text-is('Keep it as my own')")
    page.wait_for_selector("#fillable:text-is('✓ Every square is filled; 2 entries are in no list')")
    assert page.inner_text("#own-entries").split() == ["Your", "entries:", "XBC", "XDE"]
    assert barriers(page) == []
