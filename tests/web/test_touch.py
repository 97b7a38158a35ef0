"""The page by touch alone on a small screen, and by keys alone, on keyboards of other layouts too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cpfill
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    await_idle,
    begin,
    choose,
    focused,
    hold,
    keep_still,
    needs_browser,
    open_tab,
    own,
    release,
    rows,
    start_over,
    unfold,
    visiting,
    wait_for,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, FloatRect, Page

pytestmark = needs_browser

GRID = INSTANCES / "assignment" / "A.txt"
EMPTY = ["...##", "....#", ".....", "#....", "##..."]
ALTGR = """KeyboardEvent.prototype.getModifierState = ((ask) => function (name) {
    return name === "AltGraph" ? this.ctrlKey && this.altKey : ask.call(this, name);
})(KeyboardEvent.prototype.getModifierState);"""
"""A keyboard whose AltGr counts as Ctrl and Alt, as on some systems."""


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Page]:
    """A screen that is 360 points wide."""
    with open_tab(browser, {"width": 360, "height": 740}, has_touch=True) as tab:
        tab.context.add_init_script(ALTGR)
        yield tab


@pytest.fixture
def page(phone: Page, puzzles: Path, address: str) -> Iterator[Page]:
    """A page over grid A, at the first word across."""
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(cpfill.read_puzzle(GRID), "ipuz")[0])
    with visiting(phone, address) as opened:
        assert heading(opened).startswith("1 Across")
        yield opened


def cell(at: int, *marks: str) -> str:
    return "".join([f'[data-cell="{at}"]', *(f".{mark}" for mark in marks)])


def written(page: Page, at: int) -> str:
    await_frame(page)
    return str(page.text_content(f"{cell(at)} .letter"))


def heading(page: Page) -> str:
    await_frame(page)
    return str(page.text_content("#words-heading"))


def chosen(page: Page) -> list[int]:
    await_frame(page)
    return [int(each.get_attribute("data-cell") or "") for each in page.locator("#grid .selected").all()]


def test_words_by_touch(page: Page) -> None:
    have_hints_for_fingers(page)
    start_over(page)
    see_the_grid_as_wide_as_the_screen(page)
    write_and_take_a_word(page)
    start_over(page)
    take_words_from_the_row_and_the_sheet(page)
    page.reload()
    page.wait_for_selector("#words [data-word]")
    start_over(page)
    type_a_word_that_no_list_has(page)
    page.reload()
    page.wait_for_selector("#words [data-word]")
    start_over(page)
    take_the_word_under_a_finger(page)


def test_design_and_regions_by_touch(page: Page) -> None:
    generate_a_grid_in_sight(page)
    start_over(page)
    design_by_touch(page)
    start_over(page)
    select_a_region(page)
    see_keys_of_the_language(page)


def test_keys_of_any_keyboard(page: Page) -> None:
    leave_by_escape_and_turn_by_arrows(page)
    begin(page)
    find_keys_by_what_they_do(page)
    page.keyboard.press("Escape")
    begin(page)
    type_signs(page)
    start_over(page)
    go_to_the_tightest_slot(page)
    start_over(page)
    go_far_by_keys_of_other_programs(page)


def see_the_grid_as_wide_as_the_screen(page: Page) -> None:
    grid, listed = page.locator("#grid").bounding_box(), page.locator(".candidates").first.bounding_box()
    assert grid is not None
    assert listed is not None
    assert grid["width"] > 300
    assert listed["y"] > grid["y"] + grid["height"]


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).first.bounding_box()
    assert found is not None
    return found


def in_sight(page: Page, selector: str) -> bool:
    await_frame(page)
    found = box(page, selector)
    return found["y"] >= 0 and found["y"] + found["height"] <= 740 and found["x"] + found["width"] <= 360


def take_words_from_the_row_and_the_sheet(page: Page) -> None:
    first = "#words [data-word]"
    assert all(in_sight(page, each) for each in ("#grid", first, f"{first} >> nth=2", "#keypad", "#autofill"))
    assert box(page, "#grid")["y"] < box(page, first)["y"] < box(page, "#keypad")["y"]
    assert not page.locator("#words [data-do]").first.is_visible()
    page.tap("#all-words")
    page.wait_for_selector("#words [data-do]")
    assert in_sight(page, f"{first} >> nth=3")
    assert box(page, f"{first} >> nth=3")["y"] > box(page, "#grid")["y"] + box(page, "#grid")["height"]
    page.wait_for_selector("#words [data-word].yes")
    page.locator("#words [data-word].yes").first.tap()
    assert "." not in own(page)[0]
    before = heading(page)
    page.tap("#all-words")
    page.tap("#word-after")
    wait_for(page, lambda: heading(page) != before)


def type_a_word_that_no_list_has(page: Page) -> None:
    page.tap(cell(10))
    room = below_grid(page)
    for letter in "XQZQX":
        page.tap(f"#keypad >> text=/^{letter}$/")
    own_entry = ".candidates:has(#words) .adding:has-text('XQZQX is an entry of your own')"
    page.wait_for_selector(own_entry, state="attached")
    assert below_grid(page) == room
    page.tap("#all-words")
    page.wait_for_selector(own_entry)


def see_keys_of_the_language(page: Page) -> None:
    assert page.inner_text("#keypad button >> nth=0") == "Q"
    unfold(page, "#settings")
    choose(page, "#language", "Français")
    page.wait_for_selector("#keypad button >> nth=0 >> text=A")


def generate_a_grid_in_sight(page: Page) -> None:
    page.tap("#tab-design")
    page.tap("#generate-filled")
    page.wait_for_selector("#message:has-text('New grid')")
    assert in_sight(page, "#grid")
    assert "." not in "".join(rows(page))


def design_by_touch(page: Page) -> None:
    keep_still(page)
    page.tap("#tab-design")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.tap(cell(11))
    page.tap("#toggle-block")
    assert own(page)[2] == ".#.#."
    page.tap("#undo")
    choose(page, "#symmetry", "none")
    page.tap(cell(6))
    page.tap("#toggle-bar-right")
    page.wait_for_selector(cell(6, "bar-right"))
    page.tap("#toggle-bar-below")
    page.wait_for_selector(cell(6, "bar-below"))
    page.tap("#toggle-circle")
    page.wait_for_selector(cell(6, "circled"))
    page.tap("#limit-letters")
    page.keyboard.type("tea")
    page.tap("#letters-dialog button")
    page.wait_for_selector(cell(6, "limited"))
    assert written(page, 6) == "T E A"
    assert "T E A, one of these letters" in str(page.get_attribute(cell(6), "aria-label"))
    page.tap(cell(5))
    page.tap("#toggle-rebus")
    page.keyboard.type("star")
    page.tap("#rebus-dialog button")
    page.wait_for_selector(cell(5, "rebus"))
    page.tap("#toggle-given")
    page.wait_for_selector(cell(5, "given"))
    page.tap("#toggle-lock")
    page.wait_for_selector(cell(5, "locked"))


def write_and_take_a_word(page: Page) -> None:
    for letter in "TEA":
        page.tap(f"#keypad >> text=/^{letter}$/")
    assert own(page)[0] == "TEA##"
    page.tap("#word-after")
    page.wait_for_selector("#words-heading:has-text('4 Across')")
    page.wait_for_selector("#words [data-word].yes")
    page.locator("#words [data-word].yes").first.tap()
    assert "." not in own(page)[1]
    page.tap(cell(1))
    page.tap("#turn")
    assert heading(page).startswith("2 Down")
    page.tap(cell(1))  # turns as well, where the cursor is already
    assert heading(page).startswith("1 Across")


def select_a_region(page: Page) -> None:
    keep_still(page)
    assert page.evaluate("getComputedStyle(document.getElementById('grid')).touchAction") == "manipulation"
    page.tap("#select-region")
    page.wait_for_selector("#grid.selecting")
    assert page.evaluate("getComputedStyle(document.getElementById('grid')).touchAction") == "none"
    page.tap(cell(10))
    page.tap(cell(16))
    assert chosen(page) == [10, 11, 16]
    page.locator(cell(6)).scroll_into_view_if_needed()
    boxes = [page.locator(cell(at)).bounding_box() for at in (6, 7, 13)]
    points = [{"x": box["x"] + 9, "y": box["y"] + 9} for box in boxes if box is not None]
    session = page.context.new_cdp_session(page)
    for kind, touches in [("Start", points[:1]), ("Move", points[1:2]), ("Move", points[2:]), ("End", [])]:
        session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touches})
    wait_for(page, lambda: chosen(page) == [6, 7, 8, 11, 12, 13])
    page.click("#autofill")  # a tap at once after a drag may only stop its fling
    wait_for(page, lambda: [row.count(".") for row in rows(page)] == [3, 1, 2, 4, 3])
    assert rows(page)[1][1:4].isalpha()
    page.tap("#select-region")
    assert chosen(page) == []


def press_accented(page: Page, letter: str) -> None:
    """Press the key of a letter that no American keyboard has."""
    session = page.context.new_cdp_session(page)
    for kind in ("keyDown", "keyUp"):
        session.send("Input.dispatchKeyEvent", {"type": kind, "key": letter, "text": letter * (kind == "keyDown")})


def type_signs(page: Page) -> None:
    """AltGr counts as Ctrl and Alt on some systems, and Option writes signs; with Ctrl or Alt alone nothing is."""
    page.tap("#tab-fill")
    page.click(cell(0))
    for modifiers in ("Control+Alt", "Alt"):
        page.keyboard.press(f"{modifiers}+@")
        page.wait_for_selector(cell(0, "circled"))
        page.keyboard.press(f"{modifiers}+@")
        page.wait_for_selector(f"{cell(0)}:not(.circled)")
    page.keyboard.press("Control+Alt+[")
    page.wait_for_selector("#letters-dialog[open]")
    page.keyboard.type("ts")
    page.keyboard.press("Enter")
    page.wait_for_selector(cell(0, "limited"))
    for modifiers in ("Control", "Meta", "Alt"):
        page.keyboard.press(f"{modifiers}+q")
    assert own(page) == EMPTY
    press_accented(page, "é")
    assert written(page, 0) == "E"
    page.keyboard.press("Meta+z")
    assert own(page) == EMPTY
    page.keyboard.press("Meta+Shift+Z")
    assert written(page, 0) == "E"
    page.keyboard.press("Meta+Enter")
    wait_for(page, lambda: "." not in "".join(rows(page)))


def leave_by_escape_and_turn_by_arrows(page: Page) -> None:
    assert focused(page, "data-cell") == "0"
    page.keyboard.press("ArrowDown")
    assert focused(page, "data-cell") == "0"
    page.keyboard.press("ArrowDown")
    assert focused(page, "data-cell") == "5"
    page.keyboard.press("Tab")
    assert focused(page, "role") == "gridcell"
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Tab")
    assert focused(page, "role") == "tab"


def go_far_by_keys_of_other_programs(page: Page) -> None:
    """As in Across Lite and its like: to the ends of a word, to other words, and to the ends of the grid."""
    ways = {"End": 2, "Control+ArrowDown": 7, "Home": 5, "PageDown": 10, "PageUp": 5, "Control+End": 24}
    for key, at in {**ways, "Control+ArrowUp": 19, "Control+Home": 0}.items():
        page.keyboard.press(key)
        assert focused(page, "data-cell") == str(at), key
    page.keyboard.press("Insert")
    page.keyboard.type("star")
    page.keyboard.press("Enter")
    page.wait_for_selector(cell(0, "rebus"))


def find_keys_by_what_they_do(page: Page) -> None:
    page.keyboard.press("?")
    page.keyboard.type("save")
    page.wait_for_selector("#help-dialog:not(:has-text('Rebus')) kbd:text('Ctrl-S')")
    assert page.locator("#help-dialog kbd").count() == 1
    page.click("#close-help")
    page.tap("#help")
    page.wait_for_selector("#help-dialog :text('Rebus')")
    assert page.input_value("#find-key") == ""


def below_grid(page: Page) -> float:
    """Return how far below the grid the keys begin."""
    grid, keypad = (page.locator(each).bounding_box() for each in ("#grid", "#keypad"))
    assert grid is not None
    assert keypad is not None
    return keypad["y"] - grid["y"]


def have_hints_for_fingers(page: Page) -> None:
    page.wait_for_selector("#hint-keys:has-text('Tap the cell again')")
    room = below_grid(page)
    page.tap(cell(0))
    page.wait_for_selector("#hint-verdicts:has-text('tap it')")
    page.locator("#words [data-word].yes").first.tap()
    page.wait_for_selector(".hint", state="hidden")
    page.reload()
    page.wait_for_selector("#words [data-word]")
    await_frame(page)
    assert page.locator(".hint").is_hidden()
    assert below_grid(page) == room


def go_to_the_tightest_slot(page: Page) -> None:
    begun = [word for word in cpfill.read_word_list("en").words if len(word) == 5 and word.startswith("XEN")]
    assert 0 < len(begun) < 5  # no other slot of the grid is so tight
    page.tap(cell(10))
    page.keyboard.type("xen")
    page.tap(cell(1))
    page.keyboard.press("!")
    wait_for(page, lambda: heading(page).endswith("XEN··"))


def take_the_word_under_a_finger(page: Page) -> None:
    """Although what is known of the words meanwhile puts others in its place."""
    wait_for(page, lambda: "." not in "".join(rows(page)))
    page.wait_for_selector("#words [data-word].yes")
    page.wait_for_selector("#crossing-words [data-word].yes", state="attached")
    choose(page, "#order", "best fill first")
    held = hold(page, "**/api/best")
    page.tap("#ask-best")
    wait_for(page, lambda: len(held) > 0)
    page.locator("#words").scroll_into_view_if_needed()
    words = page.locator("#words [data-word]")
    word, at = str(words.nth(2).get_attribute("data-word")), box(page, "#words [data-word] >> nth=2")
    session = page.context.new_cdp_session(page)
    point = {"x": at["x"] + 60, "y": at["y"] + at["height"] / 2}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    release(held)
    page.wait_for_selector("#words .best:has-text('min')", state="attached")
    await_idle(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wait_for(page, lambda: "." not in own(page)[0])
    assert own(page)[0][:3] == word
