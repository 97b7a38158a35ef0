"""What frames the work on a puzzle: the status line, messages, numbers, the list of puzzles, the files handed out."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.puzzle.parts import PuzzlePart
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    barriers,
    choose,
    focused,
    go_to,
    hold,
    list_puzzles,
    make_otherwise,
    needs_browser,
    open_puzzle,
    open_tab,
    own,
    puzzle_open,
    release,
    start_over,
    unfold,
    visiting,
    wait_for,
    write_into,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, FloatRect, Page

pytestmark = needs_browser

SCREENS = [(1280, 720), (1440, 900), (360, 740)]
ALIKE = ("STONE", "STONES", "RANGE", "RANGES", "AIDE", "AIDES", "PINSTRIPED", "PINSTRIPES", "HOUSE", "HOUSES")


def save(puzzle: cpfill.Puzzle, path: Path) -> None:
    path.write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str) -> Iterator[Page]:
    save(cpfill.read_puzzle(INSTANCES / "assignment" / "A.txt"), puzzles / "a.ipuz")
    with visiting(tab, address) as opened:
        yield opened


def close_hints(page: Page) -> None:
    await_frame(page)
    while page.locator(".hint:visible button").count():
        page.locator(".hint:visible button").first.click()
        await_frame(page)


def box(page: Page, what: str) -> FloatRect:
    found = page.locator(what).first.bounding_box()
    assert found is not None
    return found


def are_apart(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )


def test_screens_have_room_for_all(browser: Browser, puzzles: Path, address: str) -> None:
    for screen in SCREENS:
        see_pairs_that_are_alike(browser, puzzles, address, screen)
        see_a_message_beside_the_grid(browser, puzzles, address, screen)
    read_numbers_in_small_cells(browser, puzzles, address)
    for width in (1280, 1000):
        see_modes_in_french(browser, address, width)


def test_puzzles_menus_and_the_focus(page: Page, puzzles: Path) -> None:
    for menu in ("#rare", "#settings"):
        shut_a_menu(page, menu)
    for mode, name in FOCUSED.items():
        reload_and_find_the_focus(page, mode, name)
    list_a_new_puzzle(page, puzzles)
    open_puzzle(page, "a.ipuz")
    wait_for(page, lambda: len(own(page)) == 5)
    (puzzles / "b.ipuz").unlink()
    find_a_puzzle_by_keys(page, puzzles)
    find_one_of_a_year(page, puzzles)


def test_designs_are_exported(page: Page) -> None:
    hear_late_what_is_lost(page)
    page.unroute_all()
    start_over(page)
    go_from_export_to_what_lacks(page)
    start_over(page)
    see_pages_beside_the_choices(page)
    start_over(page)
    export_by_title(page)
    start_over(page)
    choose_styles_and_a_list(page)
    start_over(page)
    rest_the_pointer_on_patterns(page)


FOCUSED = {"solve": "1 Across: , empty", "export": None, "check": "1, empty"}
"""What has the focus after a reload, by the name that is read out."""


def see_pairs_that_are_alike(browser: Browser, puzzles: Path, address: str, screen: tuple[int, int]) -> None:
    width = max(map(len, ALIKE))
    rows = [[*word, *[None] * (width - len(word))] for word in ALIKE]
    spaced = [row for each in rows for row in (each, [None] * width)]
    save(cpfill.Puzzle(len(spaced), width, tuple(cell for row in spaced for cell in row)), puzzles / "a.ipuz")
    with open_tab(browser, {"width": screen[0], "height": screen[1]}) as tab, visiting(tab, address) as page:
        close_hints(page)
        wait_for(page, lambda: "alike:" in page.inner_text("#status"))
        pairs = page.inner_text("#status").partition("alike: ")[2].split(" · ")
        assert {*pairs[:-1]} < {"/".join(pair) for pair in zip(ALIKE[::2], ALIKE[1::2], strict=True)}
        assert pairs[-1] == f"+{len(ALIKE) // 2 - len(pairs) + 1}"
        status = page.locator("#status")
        assert status.evaluate("(each) => each.scrollWidth <= each.clientWidth")
        if screen[0] > 900:
            assert box(page, "#status")["y"] + box(page, "#status")["height"] <= screen[1]
        page.click("#status-more")
        page.wait_for_selector("#tab-check[aria-selected=true]")


def see_a_message_beside_the_grid(browser: Browser, puzzles: Path, address: str, screen: tuple[int, int]) -> None:
    save(cpfill.read_puzzle(INSTANCES / "assignment" / "A.txt"), puzzles / "a.ipuz")
    with open_tab(browser, {"width": screen[0], "height": screen[1]}) as tab, visiting(tab, address) as page:
        wait_for(page, lambda: page.locator("#grid .pencilled").count() > 0)
        words = box(page, "#words")
        page.click("[data-cell='0']")
        for key in ":;":
            page.keyboard.press(key)
        page.wait_for_selector("#message:has-text('Nothing to change here')")
        message = box(page, "#message")
        assert are_apart(message, box(page, "#grid"))
        if screen[0] > 900:  # a narrow page scrolls
            assert are_apart(message, box(page, "#panel-fill"))
            assert message["y"] + message["height"] <= screen[1]
            assert page.locator("#status").evaluate("(each) => getComputedStyle(each).opacity") == "0"
            assert (box(page, "#words")["x"], box(page, "#words")["y"]) == (words["x"], words["y"])


def read_numbers_in_small_cells(browser: Browser, puzzles: Path, address: str) -> None:
    for side, screen, least in ((21, (1280, 720), 9), (15, (360, 740), 9), (21, (360, 740), 7)):
        save(cpfill.Puzzle(side, side, ("",) * side * side), puzzles / "a.ipuz")
        with open_tab(browser, {"width": screen[0], "height": screen[1]}) as page:
            page.goto(address)
            page.wait_for_selector(f"[data-cell='{side * side - 1}']")
            number = page.locator("#grid .number").first
            assert float(number.evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)")) >= least


def list_a_new_puzzle(page: Page, puzzles: Path) -> None:
    assert list_puzzles(page) == ["a.ipuz"]
    save(cpfill.Puzzle(3, 3, ("",) * 9), puzzles / "b.ipuz")
    assert list_puzzles(page) == ["b.ipuz", "a.ipuz"]
    open_puzzle(page, "b.ipuz")
    wait_for(page, lambda: own(page) == ["..."] * 3)


def find_a_puzzle_by_keys(page: Page, puzzles: Path) -> None:
    title = {PuzzlePart.TITLE: "A long day"}
    for at in range(12):
        save(cpfill.Puzzle(3, 3, ("T", *("",) * 8), metadata=title if at == 7 else {}), puzzles / f"p{at}.ipuz")
    go_to(page, page.locator("#puzzles"), "Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#puzzles-dialog [data-puzzle]")
    wait_for(page, lambda: focused(page, "data-puzzle") == "a.ipuz")
    assert barriers(page) == []
    page.keyboard.press("End")
    assert focused(page, "data-puzzle") == page.locator("[data-puzzle]").last.get_attribute("data-puzzle")
    page.keyboard.type("LONG")
    wait_for(page, lambda: page.locator("[data-puzzle]").count() == 1)
    assert "11% filled" in page.inner_text("[data-puzzle='p7.ipuz']")
    page.keyboard.press("ArrowDown")
    assert focused(page, "data-puzzle") == "p7.ipuz"
    page.keyboard.press("Enter")
    wait_for(page, lambda: page.inner_text("#puzzles") == "A long day")
    assert puzzle_open(page) == "p7.ipuz"
    assert focused(page) == "puzzles"


def find_one_of_a_year(page: Page, puzzles: Path) -> None:
    save(cpfill.Puzzle(3, 3, ("T", *("",) * 8)), puzzles / "day-1.ipuz")
    for day in range(2, 366):
        shutil.copy(puzzles / "day-1.ipuz", puzzles / f"day-{day}.ipuz")
    listed = len(list(puzzles.glob("*.ipuz")))
    page.click("#puzzles")
    page.wait_for_selector(f"li[aria-setsize='{listed}'] [data-puzzle]:focus")
    last = page.locator(f"li[aria-posinset='{listed}'] [data-puzzle]:focus .picture svg")
    page.keyboard.press("End")
    last.wait_for()
    assert page.locator("[data-puzzle]").count() < listed / 4
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(f"li[aria-posinset='{listed - 1}'] [data-puzzle]:focus")
    page.keyboard.press("Home")
    page.wait_for_selector("li[aria-posinset='1'] [data-puzzle]:focus")
    page.hover(".shelf")
    page.mouse.wheel(0, 100_000)
    page.wait_for_selector(f"li[aria-posinset='{listed}'] .picture svg")
    page.keyboard.type("day-217")
    page.wait_for_selector("li[aria-setsize='1'] [data-puzzle='day-217.ipuz']")
    page.keyboard.press("Enter")
    wait_for(page, lambda: puzzle_open(page) == "day-217.ipuz")
    for path in puzzles.glob("day-*.ipuz"):
        path.unlink()
    open_puzzle(page, "p7.ipuz")
    wait_for(page, lambda: puzzle_open(page) == "p7.ipuz")


def choose_styles_and_a_list(page: Page) -> None:
    def listed() -> str:
        page.click("#tab-fill")
        await_frame(page)
        shown = page.inner_text("#terms > summary").partition(" + my list")[0]
        page.click("#tab-design")
        return shown

    assert listed() == "en"
    for style, words in (
        ("British", "en-gb"),
        ("free", "en"),
        ("barred", "en-gb"),
        ("French", "fr"),
        ("American", "en"),
    ):
        choose(page, "#style", style)
        assert listed() == words
    page.click("#tab-fill")
    unfold(page, "#terms")
    page.click("#list-fr")
    page.click("#tab-design")
    choose(page, "#style", "British")
    assert listed() == "en + fr"


def rest_the_pointer_on_patterns(page: Page) -> None:
    page.click("#tab-design")
    make_otherwise(page, "#suggest")
    page.wait_for_selector(".thumbnail >> nth=7")
    page.hover(".thumbnail >> nth=0")
    texts = page.locator(".thumbnail")

    def read_means() -> list[int]:
        """The mean score of each pattern whose fill is known, 0 if it has none."""
        shown = [text for text in texts.all_inner_texts() if "…" not in text]
        return [int(mean.split(",")[0] or 0) for _, _, mean in (text.partition("mean ") for text in shown)]

    first = texts.first.get_attribute("title")
    wait_for(page, lambda: len(read_means()) == 8)
    arrived = texts.all_inner_texts()
    await_frame(page)
    assert (texts.first.get_attribute("title"), texts.all_inner_texts()) == (first, arrived)
    page.hover("#grid")
    wait_for(page, lambda: read_means() == sorted(read_means(), reverse=True))


def go_from_export_to_what_lacks(page: Page) -> None:
    page.wait_for_selector("#grid .pencilled")
    page.click("#tab-export")
    page.click("#lacking >> text='Title'")
    assert focused(page) == "meta-title"
    page.keyboard.type("Tea: été, 1/2")
    page.click("#tab-export")
    await_frame(page)
    assert "Title" not in page.inner_text("#lacking")
    page.click("#lacking >> text='Clues to write: 10 of 10'")
    assert focused(page) == "clue-1-Across"
    page.keyboard.type("First")
    page.click("#tab-export")
    page.click("#lacking >> text=/^Pencilled letters/")
    assert focused(page, "role") == "gridcell"
    page.wait_for_selector("#tab-fill[aria-selected=true]")


def reload_and_find_the_focus(page: Page, mode: str, name: str | None) -> None:
    page.click(f"#tab-{mode}")
    page.wait_for_selector(f"#panel-{mode}:visible")
    page.reload()
    page.wait_for_selector(f"#tab-{mode}[aria-selected=true]")
    page.wait_for_selector(f"#panel-{mode} :focus, #grid :focus")
    assert focused(page, "aria-label") == name


def export_by_title(page: Page) -> None:
    page.wait_for_selector("#grid .pencilled")
    page.click("#tab-clues")
    write_into(page, "#meta-title", "Thé: l'été, 1/2")
    page.click("#tab-export")
    wait_for(page, lambda: "Only .ipuz keeps your work" in page.inner_text("#losses"))
    page.click("#purpose-ipuz")
    wait_for(page, lambda: page.inner_text("#losses") == "This format keeps everything.")
    with page.expect_download() as download:
        page.click("#download")
    assert download.value.suggested_filename == "Thé lété 12.ipuz"
    kept = json.loads(download.value.path().read_text("utf-8"))["cpfill:work"]
    assert kept["pencilled"]
    assert kept["terms"]["words"] == ["en"]


def see_modes_in_french(browser: Browser, address: str, width: int) -> None:
    with browser.new_context(locale="fr-FR", viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("#tab-export:has-text('Export')")
        assert page.evaluate("document.documentElement.scrollWidth") == width


def see_pages_beside_the_choices(page: Page) -> None:
    page.click("#tab-export")
    wait_for(page, lambda: any(frame.url.startswith("blob:") for frame in page.frames))
    pages, button = box(page, "#preview-frame"), box(page, "#download")
    assert pages["y"] + pages["height"] <= 720
    assert pages["width"] > 400
    assert are_apart(pages, button)
    assert button["y"] + button["height"] <= 720


def hear_late_what_is_lost(page: Page) -> None:
    held = hold(page, "**/api/convert?losses")
    page.click("#tab-export")
    before = box(page, "#download")
    page.click("#purpose-print")
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert focused(page) == "purpose-across_lite"
    wait_for(page, lambda: len(held) > 1)
    release(held)
    wait_for(page, lambda: page.inner_text("#losses") != "")
    assert page.locator(".card:has(#purpose-across_lite) #losses").count() == 1
    assert box(page, "#download") == before
    page.click("#tab-fill")
    page.wait_for_selector("#fillable.yes")
    before = box(page, "#autofill")
    page.click("[data-cell='0']")
    page.keyboard.type("tq")
    page.wait_for_selector(".repairs button")
    assert box(page, "#autofill") == before


def shut_a_menu(page: Page, menu: str) -> None:
    page.wait_for_selector("#grid .pencilled")
    pencilled = page.locator("#grid .pencilled").count()
    summary = page.locator(f"{menu} > summary")
    summary.click()
    page.keyboard.press("Tab")
    assert page.get_attribute(menu, "open") is not None
    page.keyboard.press("Escape")
    assert page.get_attribute(menu, "open") is None
    assert focused(page, "role") == "gridcell"
    assert page.locator("#grid .pencilled").count() == pencilled  # which Escape does not remove then
    summary.click()
    page.click("#fillable")
    assert page.get_attribute(menu, "open") is None
