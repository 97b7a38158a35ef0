"""Which block would help, on the page: asked, pointed at, taken and taken back by hand; the fills by a brute force."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.puzzle.puzzle import Puzzle
from cpfill.testing import brute_force
from tests.web.browser import (
    barriers,
    choose,
    focused,
    needs_browser,
    own,
    rows,
    start_over,
    unfold,
    visiting,
    wait_for,
    words_in,
)
from tests.web.support import own_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page, Route

pytestmark = needs_browser

FILL = ["#BCDE", "FGHIJ", "KLMNO", "PQRST", "UVWX#"]
"""The words of this grid are all there are: six of five letters, but an empty square of five needs ten."""
WORDS = dict.fromkeys(words_in(FILL), 50.0) | {"FGHIJ": 40.0}
EMPTY = ["....."] * 5
ENTRY = ".repairs button:has-text('Add R1C1 and R5C5')"
NAME = re.compile(r"Add R1C1 and R5C5: lowest score 40, 4 words change, cheaters")
ANSWER = "1 would help, 1 proved useless, 0 not decided"
GREEN, USELESS = ".edit-add", ".edit-no"


def fills(*blocks: tuple[int, int]) -> bool:
    """Return whether a square with these blocks has a fill, by brute force."""
    cells = [["#" if (row, column) in blocks else "." for column in range(5)] for row in range(5)]
    lines = brute_force.cells_of(*map("".join, cells))
    return brute_force.solve(lines, WORDS, brute_force.Rules(), max_fills=9, max_steps=10**6).best is not None


def write(path: Path, puzzle: Puzzle, words: Iterable[str]) -> None:
    """Write a puzzle, and the list that it has its words of."""
    path.with_name("words.txt").write_text("".join(f"{word};{WORDS.get(word, 50.0)}\n" for word in words))
    path.write_bytes(cpfill.write_puzzle(replace(puzzle, work={"terms": {"words": ["words.txt"]}}), "ipuz")[0])


@pytest.fixture
def file(puzzles: Path) -> Path:
    path = puzzles / "square.ipuz"
    write(path, Puzzle(5, 5, ("",) * 25), WORDS)
    return path


@pytest.fixture
def page(tab: Page, file: Path, address: str) -> Iterator[Page]:
    assert file.exists()
    with visiting(tab, address, "#fillable.no") as opened:
        yield opened


def ask(page: Page, button: str = "#ask-edits") -> None:
    page.click(button)
    wait_for(page, lambda: ANSWER in page.inner_text(".panel:visible"))


def label(page: Page, cell: int) -> str:
    return page.get_attribute(f"[data-cell='{cell}']", "aria-label") or ""


def is_taken(page: Page, file: Path) -> bool:
    """Whether the blocks stand on the page and in the file, around one's own letter, with a fill in pencil."""
    grid = rows(page)
    return (
        grid[0][0] == grid[4][4] == "#"
        and set(words_in(grid)) == set(WORDS)
        and page.inner_text("#saving") == "saved"
        and own_rows(file) == ["#....", ".....", "..M..", ".....", "....#"]
        and None not in cpfill.read_puzzle(file).cells[1:24]
    )


def write_centre(page: Page) -> None:
    page.click("[data-cell='12']")
    page.keyboard.type("m")
    page.wait_for_selector("#fillable.no")


def test_an_edit_is_found_and_taken(page: Page, file: Path) -> None:
    write_while_edits_are_sought(page)
    start_over(page)
    take_a_ghost_by_a_click(page, file)
    start_over(page)
    take_edits_by_keys(page, file)
    start_over(page)
    go_to_other_tabs_and_back(page, file)
    start_over(page)
    take_an_edit_in_design(page, file)
    start_over(page)
    see_what_would_help(page)


def see_what_would_help(page: Page) -> None:
    assert not fills()
    assert fills((0, 0), (4, 4))
    assert not fills((0, 4), (4, 0))
    page.wait_for_selector("#fillable.no")
    page.wait_for_selector(".reasons h2")
    ask(page)
    assert page.locator(".repairs button:has-text('Add')").count() == 1
    assert NAME.fullmatch(page.inner_text(ENTRY))
    assert NAME.search(label(page, 0))
    assert NAME.search(label(page, 24))
    assert page.locator(GREEN).count() == 2
    assert "useless" in label(page, 4)
    assert "useless" in label(page, 20)
    assert page.locator(USELESS).count() == 2
    assert barriers(page) == []
    page.hover(ENTRY)
    wait_for(page, lambda: page.locator("#grid .ghost").count() == 23)
    assert page.locator(".edit-shown").count() == 2
    page.hover("#modes")
    wait_for(page, lambda: page.locator("#grid .ghost").count() == 0)
    page.hover("[data-cell='24']")
    wait_for(page, lambda: page.locator("#grid .ghost").count() == 23)
    unfold(page, "#settings")
    choose(page, "#language", "Français")
    page.click("#ask-edits:has-text('Quelle case noire aiderait')")
    page.wait_for_selector(".repairs button:has-text('Ajouter R1C1 et R5C5')")


def take_a_ghost_by_a_click(page: Page, file: Path) -> None:
    write_centre(page)
    ask(page)
    page.click("[data-cell='24']")
    wait_for(page, lambda: is_taken(page, file))
    assert page.locator(f"{GREEN}, {USELESS}, .repairs button").count() == 0
    page.wait_for_selector("#fillable.yes")
    page.keyboard.press("Control+z")
    wait_for(page, lambda: own_rows(file) == [*EMPTY[:2], "..M..", *EMPTY[:2]])
    assert own(page) == own_rows(file)
    page.wait_for_selector("#fillable.no")


def take_edits_by_keys(page: Page, file: Path) -> None:
    write_centre(page)
    ask(page)
    page.click("[data-cell='6']")
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft"):
        if "cursor" not in (page.get_attribute("[data-cell='0']", "class") or ""):
            page.keyboard.press(key)
    page.wait_for_selector("[data-cell='0'].cursor")
    page.keyboard.press("Enter")
    wait_for(page, lambda: is_taken(page, file))
    assert focused(page, "role") == "gridcell"
    page.keyboard.press("Control+z")
    page.wait_for_selector("#fillable.no")
    page.wait_for_selector(".reasons h2")
    ask(page)
    page.keyboard.press("Tab")  # from the button to the first entry
    assert NAME.fullmatch(page.evaluate("document.activeElement.textContent"))
    wait_for(page, lambda: page.locator("#grid .ghost").count() == 22)
    page.keyboard.press("Enter")
    wait_for(page, lambda: is_taken(page, file))
    assert focused(page, "role") == "gridcell"


def take_an_edit_in_design(page: Page, file: Path) -> None:
    write_centre(page)
    page.keyboard.press("=")
    page.click("#tab-clues")
    page.click("[id='clue-7-Across']")
    page.keyboard.type("The middle")
    page.click("#tab-design")
    ask(page, "#ask-edits-design")
    page.click("[data-cell='0']")
    wait_for(page, lambda: is_taken(page, file))
    puzzle = cpfill.read_puzzle(file)
    assert puzzle.work["locked"] == [12]
    assert "The middle" in file.read_text()
    page.click("#tab-clues")
    wait_for(page, lambda: page.input_value("[id='clue-6-Across']") == "The middle")


def write_while_edits_are_sought(page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/edits", lambda route: held.append(route))  # noqa: PLW0108 - it is marked
    page.wait_for_selector("#fillable.no")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/edits")):
        page.click("#ask-edits")
        page.wait_for_selector("#ask-edits:has-text('Stop')")
        write_centre(page)
    page.wait_for_selector("#ask-edits:has-text('Which block')")
    page.unroute("**/api/edits")
    ask(page)
    write_centre(page)
    page.keyboard.press("Backspace")
    wait_for(page, lambda: page.locator(f"{GREEN}, {USELESS}, .repairs button:has-text('Add')").count() == 0)
    page.wait_for_selector("#ask-edits")


def go_to_other_tabs_and_back(page: Page, file: Path) -> None:
    ask(page)
    for tab in ("#tab-watch", "#tab-design", "#tab-fill"):
        page.click(tab)
    page.wait_for_selector(f"{ENTRY}:visible")
    assert page.locator(GREEN).count() == 2
    page.click("#tab-clues")
    page.click("[id='clue-1-Across']")
    page.keyboard.type("A clue")
    page.click("#tab-design")
    page.click(f"{ENTRY}:visible")
    wait_for(page, lambda: rows(page)[0][0] == "#" and own_rows(file)[0][0] == "#")
    page.keyboard.press("Control+z")
    page.click("#tab-fill")
    page.wait_for_selector("#fillable.no")
    assert page.locator(f"{GREEN}, {ENTRY}").count() == 0


BARRED = ["IKWEQH", "FCEPYN", "GTBQBA", "SROSDH", "KIAZUG", "YMNOVV"]
BARS, MISSING = {(4, 5), (30, 31)}, {(16, 17), (18, 19)}


def test_an_edit_of_a_barred_grid_is_of_bars(tab: Page, puzzles: Path, address: str) -> None:
    lines = [("".join(line), 6 * at, 1) for at, line in enumerate(BARRED)]
    lines += [("".join(line), at, 6) for at, line in enumerate(zip(*BARRED, strict=True))]
    words = set[str]()
    for line, first, step in lines:
        ends = [at + 1 for at in range(5) if (first + at * step, first + (at + 1) * step) in BARS | MISSING]
        words |= {line[a:b] for a, b in zip([0, *ends], [*ends, 6], strict=True) if b - a > 1}
    assert len(words) == 12
    file = puzzles / "barred.ipuz"
    write(file, Puzzle(6, 6, ("",) * 36, bars=frozenset(BARS)), words)
    with visiting(tab, address, "#fillable.no") as page:
        page.click("#ask-edits:has-text('Which bar would help?')")
        entry = page.locator(".repairs button:has-text('Add R3C5-R3C6 and R4C1-R4C2: lowest score 50')")
        entry.click()
        wait_for(page, lambda: rows(page) == BARRED and page.inner_text("#saving") == "saved")
        assert cpfill.read_puzzle(file).bars == BARS | MISSING
        page.keyboard.press("Control+z")
        wait_for(page, lambda: cpfill.read_puzzle(file).bars == BARS)
