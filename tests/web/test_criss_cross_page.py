"""A criss-cross of one's own words, as a teacher makes it with keys alone, over a server and without one."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader

from tests.web.browser import (
    await_frame,
    await_idle,
    barriers,
    downloading,
    focused,
    go_to,
    needs_browser,
    rows,
    visiting,
    wait_for,
)
from tests.web.site import await_start, visit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page

pytestmark = needs_browser

CLUES = {
    "elephant": "It never forgets",
    "tiger": "It has stripes",
    "lion": "A king",
    "zebra": "A striped horse",
    "giraffe": "It looks down on you",
    "panther": "A black cat",
    "rabbit": "All ears",
    "parrot": "It talks",
}
WORDS = [word.upper() for word in CLUES]
LINES = [f"{word}; {clue}" for word, clue in CLUES.items()]


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str) -> Iterator[Page]:
    with visiting(tab, address, "#grid [data-cell]") as opened:
        await_idle(opened)
        yield opened
    assert list(puzzles.iterdir())


def test_a_teacher_makes_a_sheet(page: Page, puzzles: Path, downloads: Path) -> None:
    choose_the_style(page)
    see_no_option_of_blocks(page)
    write_half_and_come_back(page)
    write_the_rest_and_arrange(page)
    find_the_words_in_the_file(puzzles)
    undo_and_redo(page)
    come_back_tomorrow(page)
    find_the_clues(page)
    print_with_a_word_bank(page, downloads)


def test_bad_words_are_told_at_the_box(page: Page) -> None:
    choose_the_style(page)
    read_faults(page)
    leave_out_a_stranger(page)
    write_a_size_that_is_too_small(page)


def test_a_tab_without_a_server_arranges(context: BrowserContext, hosted: str) -> None:
    page = visit(context, hosted)
    choose_the_style(page)
    write_words(page, LINES)
    arrange(page)
    assert_words_stand(page)


def choose_the_style(page: Page) -> None:
    go_to(page, page.locator("#modes [aria-selected=true]"), "Shift+Tab")
    go_to_mode(page, "design")
    page.wait_for_selector("#style option[value='criss-cross']", state="attached")
    go_to(page, page.locator("#style"))
    page.keyboard.type("criss")
    page.wait_for_selector("#own-text")


def go_to_mode(page: Page, name: str) -> None:
    """Go along the tabs by arrows, from the one that has the focus."""
    go_to(page, page.locator(f"#tab-{name}"), "ArrowRight")
    page.wait_for_selector(f"#tab-{name}[aria-selected=true]")


def see_no_option_of_blocks(page: Page) -> None:
    for hidden in ("#rows", "#symmetry", "#paint", "#seeds", "#generate-filled", "#starters", "#ask-edits-design"):
        assert page.locator(hidden).locator("visible=true").count() == 0, hidden
    assert barriers(page) == []


def write_words(page: Page, lines: list[str]) -> None:
    """Write lines in the place of those in the box."""
    go_to(page, page.locator("#own-text"))
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.type("\n".join(lines))
    await_frame(page)
    assert page.input_value("#own-text") == "\n".join(lines)


def write_half_and_come_back(page: Page) -> None:
    write_words(page, LINES[:3])
    assert page.inner_text("#own-count") == "Words: 3 · with a clue: 3"
    go_to(page, page.locator("#tab-design"), "Shift+Tab")
    go_to_mode(page, "clues")
    go_to(page, page.locator("#tab-design"), "ArrowLeft")
    assert page.input_value("#own-text") == "\n".join(LINES[:3])


def write_the_rest_and_arrange(page: Page) -> None:
    go_to(page, page.locator("#own-text"))
    page.keyboard.press("Control+End")
    page.keyboard.type("\n" + "\n".join(LINES[3:]))
    arrange(page)
    assert_words_stand(page)


def arrange(page: Page) -> None:
    """Have the eight words arranged, see a first grid, and keep the best so far."""
    begin_to_arrange(page)
    page.wait_for_selector("#arranged:has-text('8 words in')")
    go_to(page, page.locator("#stop-arranging"))
    page.keyboard.press("Enter")
    page.wait_for_selector("#arrange")
    await_idle(page)


def begin_to_arrange(page: Page) -> None:
    go_to(page, page.locator("#arrange"))
    page.keyboard.press("Enter")


def assert_words_stand(page: Page) -> None:
    found = rows(page)
    assert f"{len(found)}x{len(found[0])}" in page.inner_text("#arranged")
    assert list_runs(found) == Counter(WORDS)
    holes = page.locator("#grid .block").count()
    assert page.locator("#grid .void").count() == len(re.findall(r"[.#]", "".join(found))) - holes
    assert page.locator("#grid .pencilled").count() == 0


def list_runs(found: list[str]) -> Counter[str]:
    """Return the runs of two or more letters across and down."""
    lines = chain(found, map("".join, zip(*found, strict=True)))
    return Counter(run for line in lines for run in re.findall(r"\w\w+", line))


def find_the_words_in_the_file(puzzles: Path) -> None:
    """Read the words and clues in the saved file, without cpfill."""
    (path,) = puzzles.glob("*.ipuz")
    saved = json.loads(path.read_text("utf-8"))
    found = [
        "".join(cell if isinstance(cell, str) and cell.isalpha() else "." for cell in row) for row in saved["solution"]
    ]
    assert list_runs(found) == Counter(WORDS)
    clues = {json.dumps(clue) for group in saved["clues"].values() for clue in group}
    assert all(any(clue in said for said in clues) for clue in CLUES.values())


def undo_and_redo(page: Page) -> None:
    arranged = rows(page)
    page.keyboard.press("Escape")
    go_to(page, page.locator("#undo"), "Shift+Tab")
    page.keyboard.press("Enter")
    wait_for(page, lambda: rows(page) == ["." * 15] * 15)
    go_to(page, page.locator("#redo"))
    page.keyboard.press("Enter")
    wait_for(page, lambda: rows(page) == arranged)


def come_back_tomorrow(page: Page) -> None:
    arranged = rows(page)
    await_idle(page)
    page.reload()
    await_start(page)
    wait_for(page, lambda: rows(page) == arranged)
    assert page.input_value("#own-text") == "\n".join(LINES)


def find_the_clues(page: Page) -> None:
    go_to(page, page.locator("#tab-design"), "Shift+Tab")
    go_to_mode(page, "clues")
    fields = page.locator("#panel-clues textarea")
    wait_for(page, lambda: {each.input_value() for each in fields.all()} >= set(CLUES.values()))


def print_with_a_word_bank(page: Page, downloads: Path) -> None:
    go_to_mode(page, "export")
    go_to(page, page.locator("#export-print-bank"))
    page.keyboard.press("Space")
    go_to(page, page.locator("#download"))
    with downloading(page, downloads) as files:
        page.keyboard.press("Enter")
    sheet, solution = (each.extract_text() for each in PdfReader(files[0]).pages)
    assert all(word in sheet for word in WORDS)
    assert all(clue in sheet for clue in CLUES.values())
    assert "It never forgets" not in solution


def read_faults(page: Page) -> None:
    fault = page.locator("#own-fault")
    for lines, told in (
        (["cat", "R2D2"], "Line 2, R2D2: no cell can hold 2 2"),
        (["cat", "tea", "Cat"], "Line 3: Cat stands in line 1 already"),
        (["tea", "dog", "eat"], "dog: no letter in common with the other words"),
        ([], "Write words first"),
    ):
        write_words(page, lines)
        begin_to_arrange(page)
        fault.filter(has_text=told).wait_for()
        assert focused(page) == "own-text"
    assert barriers(page) == []


def leave_out_a_stranger(page: Page) -> None:
    write_words(page, ["tea", "dog", "eat"])
    go_to(page, page.locator("#own-most"))
    page.keyboard.press("Space")
    begin_to_arrange(page)
    page.wait_for_selector("#arranged:has-text('2 of 3 words')")
    page.wait_for_selector("#arrange")  # it is proved to be best
    assert "DOG" in page.inner_text("#arranged")
    assert page.locator("#own-fault").text_content() == ""


def write_a_size_that_is_too_small(page: Page) -> None:
    go_to(page, page.locator("#own-most"))
    page.keyboard.press("Space")
    write_words(page, ["tea", "eat"])
    for side in ("rows", "columns"):
        go_to(page, page.locator(f"#own-{side}"))
        page.keyboard.type("2")
    begin_to_arrange(page)
    wait_for(page, lambda: "tea has 3 letters" in page.inner_text("#own-fault"))
