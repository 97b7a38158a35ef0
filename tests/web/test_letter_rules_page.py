"""Rules over letters and cells with several letters, as a constructor meets them on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.puzzle.puzzle import Puzzle
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    await_idle,
    begin,
    choose,
    keep_still,
    needs_browser,
    own,
    rows,
    unfold,
    visiting,
    wait_for,
    write_into,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = needs_browser

FIELD = "#rule-spell"
FAULT = "#rule-spell-fault"


def spelled(page: Page) -> str:
    await_frame(page)
    return "".join(page.locator("#grid .circled .letter").all_text_contents())


def write_words(page: Page, text: str) -> None:
    unfold(page, "#letter-rules")
    write_into(page, FIELD, text)
    page.keyboard.press("Enter")
    await_idle(page)


def fill(page: Page) -> str:
    """Press *Fill all*, and return what the circled cells spell in the fill."""
    await_idle(page)
    page.click("#autofill")
    await_idle(page)
    wait_for(page, lambda: not page.locator("#stop").count())
    return spelled(page)


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str) -> Iterator[Page]:
    """Return the page on a grid of an assignment, where nothing is asked that no key asks for."""
    puzzle = cpfill.read_puzzle(INSTANCES / "assignment" / "A.txt")
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
    with visiting(tab, address) as opened:
        keep_still(opened)
        begin(opened)
        yield opened


def test_circled_cells_spell_a_word(page: Page, puzzles: Path) -> None:
    circle_by_keys(page)
    write_words(page, "tea")
    assert fill(page) == "TEA"
    read_what_is_kept(page, puzzles)
    see_what_is_wrong(page)
    give_several_words(page)
    write_a_letter_that_disagrees(page)
    pencil_by_the_rule(page)


def test_letters_are_counted(page: Page) -> None:
    unfold(page, "#letter-rules")
    write_into(page, "#rule-letter_counts", "E=0; R1C1: T=1")
    page.keyboard.press("Enter")
    fill(page)
    letters = "".join(rows(page))
    assert "E" not in letters
    assert letters.startswith("T")
    ask_for_a_pangram_beside_them(page)


def ask_for_a_pangram_beside_them(page: Page) -> None:
    page.click("#rule-pangram")
    wait_for(page, lambda: "limits of E that agree" in page.inner_text("#rule-pangram-fault"))
    page.click("#rule-pangram")
    wait_for(page, lambda: not page.is_visible("#rule-pangram-fault"))


def circle_by_keys(page: Page) -> None:
    further = [*["ArrowDown"] * 3, *["ArrowRight"] * 3, "@"]  # the first arrow turns
    for key in ("@", *further, *further):
        page.keyboard.press(key)
        await_frame(page)
    cells = page.locator("#grid .circled").evaluate_all("(all) => all.map(({dataset}) => dataset.cell)")
    assert cells == ["0", "12", "24"]


def read_what_is_kept(page: Page, puzzles: Path) -> None:
    def kept() -> object:
        return cpfill.read_puzzle(puzzles / "a.ipuz").work["terms"].get("letterRules")

    wait_for(page, lambda: kept() == {"spell": "tea"})
    page.reload()
    page.wait_for_selector("#words [data-word]")
    unfold(page, "#letter-rules")
    await_frame(page)
    assert page.input_value(FIELD) == "tea"
    page.click("#new")
    wait_for(page, lambda: len(own(page)) == 15)
    page.click("#tab-fill")
    await_frame(page)
    assert page.input_value(FIELD) == ""
    page.click("#puzzles")
    page.click('#puzzles-dialog [data-puzzle="a.ipuz"]')
    unfold(page, "#letter-rules")
    wait_for(page, lambda: page.input_value(FIELD) == "tea")


def see_what_is_wrong(page: Page) -> None:
    """A fault stands below the field, in the page's language; the words of slots are judged without the rule."""
    write_words(page, "teas")
    assert page.inner_text(FAULT) == "expected a text of 3 letters, found TEAS, of 4"
    assert page.get_attribute(FIELD, "aria-invalid") == "true"
    assert "leave out a rule" in page.inner_text("#fillable")
    assert page.locator("#words [data-word]").count()
    assert not page.locator("#words [data-word].yes").count(), "no fill with it is known to keep the rule"
    unfold(page, "#settings")
    choose(page, "#language", "Français")
    wait_for(page, lambda: "attendu" in page.inner_text(FAULT))
    choose(page, "#language", "English")
    page.click("#settings > summary")
    write_words(page, "")
    assert not page.is_visible(FAULT)
    page.wait_for_selector("#words [data-word].yes")


def give_several_words(page: Page) -> None:
    unfold(page, "#rare")
    page.click("#clear")
    write_words(page, "ear, tea")
    assert "leave out a rule" in page.inner_text("#fillable")
    assert not page.is_visible(FAULT)
    assert fill(page) in {"EAR", "TEA"}


def write_a_letter_that_disagrees(page: Page) -> None:
    unfold(page, "#rare")
    page.click("#clear")
    write_words(page, "tea")
    page.wait_for_selector("#fillable.yes")
    begin(page)
    page.keyboard.press("S")
    wait_for(page, lambda: "agrees with the letters" in (page.text_content(FAULT) or ""))
    page.keyboard.press("Control+z")
    wait_for(page, lambda: not page.is_visible(FAULT))
    page.wait_for_selector("#fillable.yes")


def pencil_by_the_rule(page: Page) -> None:
    """The page pencils by one word unasked; by several words it writes what is asked for alone."""
    unfold(page, "#settings")
    page.uncheck("#still")
    page.click("#settings > summary")
    write_words(page, "tea, sea")
    begin(page)
    for _ in range(2):
        page.keyboard.press("@")  # what was cleared would stay empty
    await_idle(page)
    assert not page.locator("#grid .pencilled").count()
    write_words(page, "ear")
    wait_for(page, lambda: page.locator("#grid .circled.pencilled").count() == 3)
    wait_for(page, lambda: spelled(page) == "EAR")
    write_words(page, "tea, sea")
    assert fill(page) in {"TEA", "SEA"}
    await_idle(page)
    assert spelled(page) in {"TEA", "SEA"}


def test_the_lists_show_each_answer_of_a_slot(tab: Page, puzzles: Path, address: str) -> None:
    """One cell is C or B: CAT or BAT across, COD or BOD down."""
    puzzle = Puzzle(3, 3, (*"CAT", "O", None, "O", *"DEN"), alternatives={0: ("B",)})
    assert puzzle.slots[0].name == "1-Across"
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
    with visiting(tab, address, "#grid [data-cell]") as page:
        assert rows(page)[0] == "C/BAT"
        page.wait_for_selector("#panel-fill .pattern:text-is('CAT/BAT')")
        page.wait_for_selector("#fillable.yes")
        page.click("#tab-clues")
        page.wait_for_selector("#panel-clues .answer:text-is('CAT/BAT')")
        assert page.locator("#panel-clues .answer").all_text_contents() == ["CAT/BAT", "DEN", "COD/BOD", "TON"]
        page.click("#tab-check")
        page.wait_for_selector("#panel-check .links button:has-text('CAT/BAT')")
        page.click("#tab-clues")
        page.keyboard.press("Escape")
        page.keyboard.press("H")
        page.wait_for_selector("#panel-clues .answer:text-is('HAT')")
        page.keyboard.press("Control+z")
        page.wait_for_selector("#panel-clues .answer:text-is('CAT/BAT')")


def test_letters_that_stand_break_a_rule(tab: Page, puzzles: Path, address: str) -> None:
    puzzle = Puzzle(3, 3, (*"CAT", "O", None, "O", *"DEN"), circles=frozenset({0, 2}))
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
    with visiting(tab, address, "#fillable.yes") as page:
        write_words(page, "cd")
        wait_for(page, lambda: page.inner_text(FAULT) == "CT is spelled, not CD")
        write_words(page, "ct")
        page.wait_for_selector("#fillable.yes")
        assert not page.is_visible(FAULT)
        write_into(page, "#rule-letter_counts", "O=1")
        page.keyboard.press("Enter")
        told = page.wait_for_selector("#rule-letter_counts-fault:visible")
        assert told
        broken = told.inner_text()
        page.click("#tab-check")
        wait_for(page, lambda: broken in page.inner_text("#panel-check"))
