"""The grid that is always full: one's own letters, and the program's around them in pencil; by keys and by the file."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import pytest

import cpfill
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    await_idle,
    begin,
    focused,
    keep_still,
    leave,
    needs_browser,
    own,
    rows,
    start_over,
    unfold,
    visiting,
    wait_for,
)
from tests.web.support import own_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page, Route

pytestmark = needs_browser

GRID = INSTANCES / "assignment" / "A.txt"
EMPTY = ["...##", "....#", ".....", "#....", "##..."]


@pytest.fixture(scope="module")
def words() -> set[str]:
    return set(cpfill.read_word_list("en").words)


@pytest.fixture
def file(puzzles: Path) -> Path:
    path = puzzles / "a.ipuz"
    path.write_bytes(cpfill.write_puzzle(cpfill.read_puzzle(GRID), "ipuz")[0])
    return path


@pytest.fixture
def page(tab: Page, file: Path, address: str) -> Iterator[Page]:
    """A page over grid A, when the program has filled it."""
    assert file.exists()
    with visiting(tab, address) as opened:
        await_fill(opened)
        begin(opened)
        yield opened


def await_fill(page: Page) -> None:
    wait_for(page, lambda: "." not in "".join(rows(page)))


def words_in(grid: list[str]) -> list[str]:
    lines = [*grid, *map("".join, zip(*grid, strict=True))]
    return [run for line in lines for run in line.split("#") if len(run) > 1]


def await_words(page: Page, words: set[str]) -> list[str]:
    """Return the grid when all that stands in it are different words."""
    grid: list[str] = []

    def stands() -> bool:
        grid[:] = rows(page)
        return set(words_in(grid)) <= words

    wait_for(page, stands)
    assert len(set(words_in(grid))) == len(words_in(grid))
    return grid


def await_saved(page: Page) -> None:
    wait_for(page, lambda: page.inner_text("#saving") == "saved")


def test_the_rest_follows_each_key(page: Page, file: Path, words: set[str]) -> None:
    look_and_change_no_file(page, file, words)
    begin(page)
    have_the_rest_follow_each_key(page, file, words)
    start_over(page)
    undo_a_letter_and_what_it_changed(page, file, words)
    start_over(page)
    delete_letters_of_the_program(page, words)
    start_over(page)
    be_told_of_a_conflict(page, words)
    start_over(page)
    scroll_to_the_last_candidate(page, words)
    start_over(page)
    keep_the_program_still(page)


def test_keys_keep_hide_and_clear(page: Page, file: Path, words: set[str]) -> None:
    keep_a_region(page)
    start_over(page)
    keep_hide_and_clear_by_keys(page, file)
    start_over(page)
    clear_and_reload(page, file, words)
    start_over(page)
    leave_the_grid_full(page)


def test_words_are_taken_and_stay(page: Page, file: Path, words: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.web.app.is_installed", lambda _: True)
    take_the_fill_that_is_promised(page, words)
    start_over(page)
    take_words_and_go_on_in_the_grid(page, words)
    start_over(page)
    keep_a_word_by_its_clue(page, words)
    start_over(page)
    keep_a_word_by_a_clue_looked_up(page, words)
    page.unroute_all()
    start_over(page)
    keep_clues_of_words_to_come(page, file, words)


def test_visits_go_on_where_others_ended(page: Page, file: Path, address: str, words: set[str]) -> None:
    new = file.read_bytes()
    return_where_one_was(page, address)
    page.click("#tab-fill")
    begin(page)
    limit_a_cell_and_return(page, file, address, words)
    leave(page, address)
    file.write_bytes(new)
    page.goto(address)
    await_fill(page)
    begin(page)
    read_the_file_elsewhere(page, file, address, words)


def look_and_change_no_file(page: Page, file: Path, words: set[str]) -> None:
    before = file.read_bytes()
    await_words(page, words)
    assert own(page) == EMPTY
    assert page.locator("#grid .pencilled").count() == 19
    page.reload()
    await_fill(page)
    assert file.read_bytes() == before


def have_the_rest_follow_each_key(page: Page, file: Path, words: set[str]) -> None:
    typed = ""
    for key in "tea":
        page.keyboard.press(key)
        typed += key.upper()
        grid = await_words(page, words)
        assert own(page)[0] == typed.ljust(3, ".") + "##"
        assert grid[0].startswith(typed)
    await_saved(page)
    wait_for(page, lambda: own_rows(file) == ["TEA##", *EMPTY[1:]])
    wait_for(page, lambda: cpfill.read_puzzle(file).cells.count("") == 0)


def undo_a_letter_and_what_it_changed(page: Page, file: Path, words: set[str]) -> None:
    first = rows(page)
    page.keyboard.press("t")
    second = await_words(page, words)
    page.keyboard.press("e")
    await_words(page, words)
    page.keyboard.press("Control+z")
    wait_for(page, lambda: rows(page) == second)
    await_saved(page)
    written_ns = file.stat().st_mtime_ns
    page.reload()
    page.wait_for_selector("#words [data-word]")
    wait_for(page, lambda: rows(page) == second)
    assert own(page)[0] == "T..##"
    await_idle(page)
    assert file.stat().st_mtime_ns == written_ns
    page.keyboard.press("Control+z")
    wait_for(page, lambda: rows(page) == first)
    assert own(page) == EMPTY


def be_told_of_a_conflict(page: Page, words: set[str]) -> None:
    begun = {word[:2] for word in words if len(word) == 3}
    pair = next(pair for pair in map("".join, product("QXZ", repeat=2)) if pair not in begun)
    page.keyboard.press(pair[0].lower())
    await_frame(page)
    page.wait_for_selector("#fillable.yes, #fillable.no")
    before = rows(page)
    page.keyboard.press(pair[1].lower())
    page.wait_for_selector("#fillable.no")
    page.wait_for_selector("#grid .conflict")
    assert own(page)[0] == f"{pair}.##"
    assert rows(page)[1:] == before[1:]
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.wait_for_selector("#fillable.yes")


def take_the_fill_that_is_promised(page: Page, words: set[str]) -> None:
    page.keyboard.type("t")
    before = await_words(page, words)
    promised = page.locator("#words [data-word].yes:has(.changes:text-matches('[1-9]'))").first
    changes = promised.locator(".changes")
    promised.hover()
    wait_for(page, lambda: rows(page, "") != before)
    shown = rows(page, "")
    told = int(changes.inner_text())
    assert told == sum(one != other for one, other in zip(words_in(shown), words_in(before), strict=True)) - 1
    promised.click()
    page.mouse.move(0, 0)
    wait_for(page, lambda: rows(page) == shown)
    assert set(words_in(shown)) <= words


def keep_hide_and_clear_by_keys(page: Page, file: Path) -> None:
    filled = rows(page)
    page.keyboard.press("-")
    wait_for(page, lambda: rows(page) == EMPTY)
    page.keyboard.press("-")
    wait_for(page, lambda: rows(page) == filled)
    page.keyboard.press(";")
    wait_for(page, lambda: own(page) == [filled[0], *EMPTY[1:]])
    page.keyboard.press("Escape")
    wait_for(page, lambda: rows(page) == [filled[0], *EMPTY[1:]])
    await_idle(page)
    assert rows(page) == [filled[0], *EMPTY[1:]], "until the next change"
    page.keyboard.press("Control+z")
    wait_for(page, lambda: rows(page) == filled)
    page.keyboard.press(":")
    wait_for(page, lambda: own(page) == filled)
    wait_for(page, lambda: own_rows(file) == filled)


def keep_a_region(page: Page) -> None:
    filled = rows(page)
    for key in ("Shift+ArrowRight", "Shift+ArrowDown", ";"):
        page.keyboard.press(key)
    wait_for(page, lambda: own(page) == [f"{filled[0][:2]}.##", f"{filled[1][:2]}..#", *EMPTY[2:]])
    page.keyboard.press("Control+z")
    wait_for(page, lambda: own(page) == EMPTY)
    assert rows(page) == filled


def delete_letters_of_the_program(page: Page, words: set[str]) -> None:
    first = rows(page)
    page.keyboard.press("t")
    second = await_words(page, words)
    for key in ("Delete", "ArrowRight", "Backspace", "ArrowLeft", "t"):
        page.keyboard.press(key)
        await_frame(page)
    assert rows(page) == second
    page.keyboard.press("Control+z")
    wait_for(page, lambda: rows(page) == first)


def clear_and_reload(page: Page, file: Path, words: set[str]) -> None:
    page.keyboard.press("t")
    await_words(page, words)
    page.keyboard.press("Escape")
    wait_for(page, lambda: cpfill.read_puzzle(file).cells.count("") == 18)
    await_saved(page)
    page.reload()
    page.wait_for_selector("#words [data-word].yes")
    page.wait_for_selector("#words[aria-busy=false]")
    assert rows(page) == ["T..##", *EMPTY[1:]]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("e")
    await_words(page, words)


def limit_a_cell_and_return(page: Page, file: Path, address: str, words: set[str]) -> None:
    first = next(letter for letter in "BCDFGHLMNPRST" if letter != rows(page)[0][0])
    page.keyboard.press("[")
    page.keyboard.type(f"{first}qz")
    page.keyboard.press("Enter")
    wait_for(page, lambda: rows(page)[0][0] == first)
    await_words(page, words)
    assert own(page) == EMPTY
    wait_for(page, lambda: cpfill.read_puzzle(file).cells.count("") == 0)
    await_saved(page)
    leave(page, address)
    page.goto(address)
    await_fill(page)
    page.wait_for_selector("[data-cell='0'].pencilled.limited")
    page.click("[data-cell='2']")
    page.keyboard.press("e")
    assert await_words(page, words)[0][0] == first


def take_words_and_go_on_in_the_grid(page: Page, words: set[str]) -> None:
    page.click("#words [data-word].yes")
    page.mouse.move(0, 0)  # what it rests on is shown in the grid
    assert focused(page, "role") == "gridcell"
    await_words(page, words)
    first, *rest = own(page)
    assert "." not in first
    assert rest == EMPTY[1:]
    page.wait_for_selector("#words [data-word].yes")
    page.keyboard.press("Enter")
    assert focused(page) == "words"
    page.keyboard.press("Enter")
    assert focused(page, "role") == "gridcell"
    await_words(page, words)
    first, second, *_ = own(page)
    assert "." not in first + second
    page.keyboard.press("e")
    wait_for(page, lambda: own(page)[2][0] == "E")


def test_a_good_fill_that_comes_late_takes_the_place_of_another_and_no_other_its(
    tab: Page, file: Path, address: str
) -> None:
    grid = cpfill.read_puzzle(INSTANCES / "classic" / "15.01.txt")
    file.write_bytes(cpfill.write_puzzle(grid, "ipuz")[0])
    scores = cpfill.read_word_list("en").weights
    held: dict[str, list[Route]] = {"letters": [], "solve": []}

    def hold(route: Route) -> None:
        held[route.request.url.rpartition("/")[2]].append(route)

    for name in held:
        tab.route(f"**/api/{name}", hold)
    with visiting(tab, address) as page:
        wait_for(page, lambda: len(held["letters"]) > 0)
        await_fill(page)
        for name in ("solve", "letters"):
            for route in held[name]:
                route.continue_()
            wait_for(page, lambda: min(scores[word] for word in words_in(rows(page))) >= 50)
        page.wait_for_selector("#words[aria-busy=false] .yes")
        assert min(scores[word] for word in words_in(rows(page))) >= 50


def keep_the_program_still(page: Page) -> None:
    keep_still(page)
    begin(page)
    page.keyboard.type("te")
    page.wait_for_selector("#words [data-word].yes")
    assert rows(page) == ["TE.##", *EMPTY[1:]]


def keep_a_word_by_its_clue(page: Page, words: set[str]) -> None:
    first = rows(page)[0]
    page.click("#tab-clues")
    page.click("[id='clue-1-Across']")
    page.keyboard.type("As it came")
    page.click("#tab-fill")
    page.click("[data-cell='10']")
    for key in "xen":
        page.keyboard.press(key)
    await_frame(page)
    assert own(page)[0] == first
    assert words


def keep_a_word_by_a_clue_looked_up(page: Page, words: set[str]) -> None:
    page.reload()
    await_fill(page)
    first = rows(page)[0]
    page.click("#tab-clues")
    answer = json.dumps({"word": "", "clues": [{"text": "As it came", "source": "mine"}]}) + '\n{"done": true}\n'
    page.route("**/api/clues", lambda route: route.fulfill(body=answer))
    page.click("#look-up")
    page.click(".found >> text='As it came'")
    page.click("#tab-fill")
    page.click("[data-cell='10']")
    page.keyboard.press("s")
    await_words(page, words)
    assert own(page)[0] == first


def keep_clues_of_words_to_come(page: Page, file: Path, words: set[str]) -> None:
    clues = {clue: f"for {clue}" for clue in cpfill.read_puzzle(GRID).slot_of}
    file.write_bytes(cpfill.write_puzzle(replace(cpfill.read_puzzle(GRID), clues=clues), "ipuz")[0])
    page.reload()
    await_fill(page)
    begin(page)
    before = rows(page)
    for key in "tea":
        page.keyboard.press(key)
        await_words(page, words)
    assert rows(page)[1:] != before[1:]
    wait_for(page, lambda: own_rows(file)[0] == "TEA##")
    assert cpfill.read_puzzle(file).clues == clues


def leave_the_grid_full(page: Page) -> None:
    filled = rows(page)
    page.keyboard.press("Escape")
    wait_for(page, lambda: rows(page) == EMPTY)
    page.keyboard.press("Shift+Tab")
    assert focused(page, "role") == "tab"
    assert rows(page) == filled
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert rows(page) == EMPTY, "here it was meant"


def read_the_file_elsewhere(page: Page, file: Path, address: str, words: set[str]) -> None:
    page.keyboard.type("t")
    await_words(page, words)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("=")
    wait_for(page, lambda: page.locator("#grid .locked").count() == 3)
    word = own(page)[0][:3]
    page.click("#tab-design")
    page.click("#seed-0")
    page.keyboard.type("crate")
    page.click("#tab-fill")
    unfold(page)
    page.check("[id='list-en-words']")
    page.uncheck("[id='list-en']")
    await_saved(page)
    wait_for(page, lambda: cpfill.read_puzzle(file).work.get("locked") == [0, 1, 2])
    assert own_rows(file) == [f"{word}##", *EMPTY[1:]]
    leave(page, address)  # and another browser, which has nothing of this puzzle
    page.goto(address)
    await_fill(page)
    assert own(page)[0] == f"{word}##"
    assert page.locator("#grid .locked").count() == 3
    unfold(page)
    assert not page.is_checked("[id='list-en']")
    assert page.is_checked("[id='list-en-words']")
    page.click("#tab-design")
    assert page.input_value("#seed-0") == "crate"


def return_where_one_was(page: Page, address: str) -> None:
    page.click("#tab-clues")
    page.click("[data-cell='12']")
    page.keyboard.press("ArrowDown")
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#tab-clues[aria-selected=true]")
    page.wait_for_selector("[data-cell='12'].cursor")
    page.wait_for_selector("[data-cell='7'].in-slot")
    page.click("#tab-check")
    page.click("[data-cell='14']")
    page.reload()
    page.wait_for_selector("#tab-check[aria-selected=true]")
    page.wait_for_selector("[data-cell='14'].cursor")


def scroll_to_the_last_candidate(page: Page, words: set[str]) -> None:
    page.click("[data-cell='10']")
    page.wait_for_selector("#words-heading:has-text('Across')")
    every = {word for word in words if len(word) == 5}
    assert len(every) > 1000
    seen = 0
    page.locator("#words").hover()
    for _ in range(200):
        page.mouse.wheel(0, 100_000)
        await_frame(page)
        count = page.locator("#words [data-word]").count()
        if count > 1000:
            break
        seen = count
    assert count > 1000 > seen
