"""What a design begins with: entries and patterns, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.words.wordlist import read_word_list
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    choose,
    focused,
    go_to,
    make_otherwise,
    needs_browser,
    own,
    rows,
    start_over,
    unfold,
    visiting,
    wait_for,
    words_in,
    write_into,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = needs_browser


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str) -> Iterator[Page]:
    puzzle = cpfill.read_puzzle(INSTANCES / "assignment" / "A.txt")
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
    with visiting(tab, address) as opened:
        opened.click("#tab-design")
        yield opened


def design_anew(page: Page) -> None:
    """Undo all, and go to Design."""
    start_over(page)
    page.click("#tab-design")


def test_entries_are_written_and_placed(page: Page) -> None:
    go_to_the_next_entry(page)
    read_why_an_entry_cannot_stand(page)
    place_an_entry_where_it_does_not_fit(page)
    design_anew(page)
    place_an_entry_of_a_row(page)
    pair_lengths_of_entries(page)
    drag_an_entry(page)


def test_patterns_and_blocks(page: Page) -> None:
    rank_patterns(page)
    take_a_pattern(page)
    design_anew(page)
    paint_blocks(page)
    take_a_pattern_of_an_empty_grid(page)


def test_a_fill_is_told_tinted_and_clued(page: Page) -> None:
    close_a_hint(page)
    read_the_status_of_a_fill(page)
    start_over(page)
    order_clues(page)
    start_over(page)
    tint_cells(page)


def test_grids_get_better(page: Page, puzzles: Path) -> None:
    improve_until_stopped(page, puzzles / "a.ipuz")
    design_anew(page)
    draw_meanwhile(page)
    for aim in ("strong words", "fewest blocks"):
        design_anew(page)
        complete_a_grid(page, aim)
    design_anew(page)
    take_a_grid_of_theme_words(page, puzzles / "a.ipuz")
    design_anew(page)
    complete_a_grid(page, "most theme words")


def place_an_entry_of_a_row(page: Page) -> None:
    write_into(page, "#seed-0", "tea time")
    page.wait_for_selector("#seed-1")
    assert "7 letters; the grid has room for 5" in page.inner_text("#seeds")
    write_into(page, "#seed-1", "stone")
    page.wait_for_selector("#seed-2")
    assert "5 letters" in page.inner_text(".seed:has(#seed-1)")
    page.click(".seed:has(#seed-1) button")
    assert own(page)[0] == "STONE"  # the blocks in its way go, and those symmetric to them
    assert own(page)[4][:2] == ".."
    page.wait_for_selector("[data-cell='0'].locked")
    page.click("#undo")
    assert own(page)[0] == "...##"


def pair_lengths_of_entries(page: Page) -> None:
    for at, word in enumerate(("stone", "tea", "eat")):
        write_into(page, f"#seed-{at}", word)
    wait_for(page, lambda: page.inner_text("#pairing") == "3 + 3 pair · 5 in the middle")
    write_into(page, "#seed-2", "east")
    wait_for(page, lambda: page.inner_text("#pairing") == "5 in the middle · 3, 4: no entry of the same length")


def take_a_pattern_of_an_empty_grid(page: Page) -> None:
    page.click("#new")
    wait_for(page, lambda: len(rows(page)) == 15)
    page.wait_for_selector("#starters button.thumbnail >> nth=3")
    assert page.is_hidden(".faults")
    first = page.locator("#starters button.thumbnail").first
    words = first.inner_text().split()[0]
    go_to(page, first)
    page.keyboard.press("Enter")
    wait_for(page, lambda: page.inner_text("#status").startswith(f"{words} words"))
    assert own(page) == [row[::-1] for row in own(page)[::-1]]
    assert focused(page, "role") == "gridcell"
    assert page.locator("#starters button").count() == 0
    page.keyboard.press("Control+z")
    page.wait_for_selector("#starters button.thumbnail >> nth=3")


def go_to_the_next_entry(page: Page) -> None:
    page.click("#seed-0")
    for key in ("O", "N", "E", "Enter", "T", "W", "O"):
        page.keyboard.press(key)
    entries = page.locator(".seed input")
    wait_for(page, lambda: [each.input_value() for each in entries.all()] == ["ONE", "TWO", ""])


def place_an_entry_where_it_does_not_fit(page: Page) -> None:
    page.click("[data-cell='1']")
    write_into(page, "#seed-0", "stone")
    page.click(".seed button")
    page.wait_for_selector("#message:has-text('too long')")
    assert own(page)[0] == "...##"


def drag_an_entry(page: Page) -> None:
    write_into(page, "#seed-0", "ant")
    page.drag_and_drop(".seed .handle", "[data-cell='11']")
    wait_for(page, lambda: own(page)[2][1:4] == "ANT")
    page.wait_for_selector("[data-cell='11'].locked")


def read_why_an_entry_cannot_stand(page: Page) -> None:
    for text, why in (("tea 4 two", "no square can hold 4"), ("ad", "3 or more"), ("sixteen", "room for 5")):
        write_into(page, "#seed-0", text)
        wait_for(page, lambda why=why: why in page.inner_text(".seed"))  # type: ignore[misc]


def rank_patterns(page: Page) -> None:
    make_otherwise(page, "#suggest")
    page.hover("#modes")  # under the pointer they would keep their places
    page.wait_for_selector(".thumbnail >> nth=7")

    def read_means() -> list[int]:
        texts = page.locator(".thumbnail").all_inner_texts()
        return [int(text.partition("mean ")[2].split(",")[0]) for text in texts if "mean" in text]

    wait_for(page, lambda: len(read_means()) + page.locator(".thumbnail:has-text('no fill')").count() == 8)
    wait_for(page, lambda: read_means() == sorted(read_means(), reverse=True) != [])


def take_a_pattern(page: Page) -> None:
    write_into(page, "#rows", "9")
    write_into(page, "#columns", "9")
    page.click("#resize")
    make_otherwise(page, "#suggest")
    page.wait_for_selector(".thumbnail >> nth=3")
    page.wait_for_selector("#generate-filled")
    told = page.locator(".thumbnail").nth(3).inner_text().split()
    page.locator(".thumbnail").nth(3).click()
    await_frame(page)
    assert sum(row.count("#") for row in own(page)) == int(told[2])
    assert page.inner_text("#status").startswith(f"{told[0]} words")
    assert own(page) == [row[::-1] for row in own(page)[::-1]]


def paint_blocks(page: Page) -> None:
    for name in ("rows", "columns"):
        write_into(page, f"#{name}", "7")
    page.click("#resize")
    before = own(page)
    page.click("#paint")
    first, last = (page.locator(f"[data-cell='{cell}']").bounding_box() for cell in (7, 9))
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + 5, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 5, last["y"] + 5, steps=12)
    page.mouse.up()
    assert own(page)[1][:3] == "###" != before[1][:3]
    assert own(page)[5][4:] == "###"
    page.mouse.move(first["x"] + 5, first["y"] + 5)
    page.mouse.down()
    page.mouse.up()
    assert own(page)[1][:3] == ".##"


def read_the_status_of_a_fill(page: Page) -> None:
    page.keyboard.press("Escape")
    page.click("#tab-fill")
    page.keyboard.press("Control+Enter")
    wait_for(page, lambda: "." not in "".join(rows(page)))
    known = read_word_list("en").words

    def lowest() -> float:
        across = rows(page)
        lines = [*across, *map("".join, zip(*across, strict=True))]
        return min(known[run][0] if run in known else 0 for line in lines for run in line.split("#") if len(run) > 1)

    wait_for(page, lambda: f"lowest {lowest():g}" in page.inner_text("#status"))


def tint_cells(page: Page) -> None:
    page.click("#tab-fill")
    page.wait_for_selector("#fillable.yes")
    assert page.locator("#grid [class*='tight']").count() == 0
    unfold(page, "#settings")
    page.check("#tint")
    page.keyboard.press("Escape")
    page.keyboard.type("q")
    page.wait_for_selector("[data-cell='1'].tight-0, [data-cell='1'].tight-1, [data-cell='1'].tight-2")


def order_clues(page: Page) -> None:
    page.click("#tab-fill")
    page.keyboard.press("Control+Enter")
    wait_for(page, lambda: "." not in "".join(rows(page)))
    page.click("#tab-clues")
    words = [run for row in rows(page) for run in row.split("#") if len(run) > 3]
    write_into(page, "[id='clue-1-Across']", f"Not {words[0].lower()}")
    page.keyboard.press("Tab")
    page.wait_for_selector(f"[id='clue-1-Across'].gives-away[title*='{words[0]}']")
    choose(page, "#clue-order", "clues to write first")
    await_frame(page)
    assert page.locator("#panel-clues .clue textarea").last.get_attribute("id") == "clue-1-Across"
    assert page.locator("#clue-progress").evaluate("(each) => each.value") == 1


def close_a_hint(page: Page) -> None:
    page.click("#hint-seeds button")
    await_frame(page)
    assert page.locator("#hint-seeds").is_hidden()
    page.reload()
    page.click("#tab-design")
    page.wait_for_selector("#seeds")
    await_frame(page)
    assert page.locator("#hint-seeds").is_hidden()
    assert page.locator("#hint-keys").is_visible()


FOOD = ["onion", "olive", "lemon", "bread", "sugar", "pasta", "pizza", "salad", "cheese", "butter", "carrot", "tomato"]
"""More than a grid of 9x9 holds: so the search goes on."""

BLOCKS = 6
"""In the grid that is open."""


def blocks_in(grid: list[str]) -> int:
    return "".join(grid).count("#")


def is_saved(page: Page, file: Path) -> bool:
    """Whether the grid in sight is full, and the one in the file."""
    puzzle, grid = cpfill.read_puzzle(file), rows(page)
    return "." not in "".join(grid) == "".join("#" if cell is None else cell for cell in puzzle.cells)


def improve(page: Page, aim: str, button: str = "#generate-filled") -> None:
    """Press a button with an aim, and wait for a first grid."""
    choose(page, "#goal", aim)
    if aim == "most theme words":
        write_into(page, "#grid-pool-words", ", ".join(FOOD))
        page.keyboard.press("Enter")
    if button == "#complete":
        unfold(page, "#other-ways")
    page.click(button)
    page.wait_for_selector(".thumbnail")


def enlarge(page: Page) -> None:
    choose(page, "#style", "French")
    for side in ("#rows", "#columns"):
        write_into(page, side, "9")
    page.keyboard.press("Enter")
    wait_for(page, lambda: len(rows(page)) == 9)


def improve_until_stopped(page: Page, file: Path) -> None:
    enlarge(page)
    improve(page, "fewest blocks")
    said = re.compile(r"\b(\d+) blocks|Blocks: (\d+)")
    assert said.search(page.inner_text(".thumbnail"))
    wait_for(page, lambda: bool(said.search(page.inner_text("#panel-design [role=status]"))))
    assert blocks_in(rows(page)) == BLOCKS  # as before
    page.click("#stop-generating")
    wait_for(page, lambda: is_saved(page, file))
    match = said.search(page.inner_text("#message"))
    assert match
    assert blocks_in(rows(page)) == int(match[1] or match[2])
    assert page.locator("#grid .pencilled").count() == 81 - blocks_in(rows(page))
    assert page.locator(".thumbnail").count() == 0
    page.click("#undo")
    wait_for(page, lambda: blocks_in(own(page)) == BLOCKS)


def take_a_grid_of_theme_words(page: Page, file: Path) -> None:
    enlarge(page)
    improve(page, "most theme words")
    page.click(".thumbnail")
    wait_for(page, lambda: is_saved(page, file))
    said = page.inner_text("#message").removesuffix("Undo")
    told, _, words = said.removeprefix("Theme words: ").partition(" of at most ")
    bound, *placed = re.findall(r"\w+", words)
    assert set(placed) <= {*map(str.upper, FOOD)} & {*words_in(rows(page))}
    assert int(told) == len(placed) <= int(bound)
    assert {*placed} <= {*words_in(rows(page, ".pencilled"))}
    page.wait_for_selector("#generate-filled")
    assert blocks_in(own(page)) == blocks_in(rows(page))


def complete_a_grid(page: Page, aim: str) -> None:
    enlarge(page)
    page.click("[data-cell='19']")
    page.keyboard.type("tea")
    stood = own(page)
    assert (blocks_in(stood), stood[2]) == (BLOCKS, ".TEA.....")
    if aim == "strong words":
        make_otherwise(page, "#complete")
    else:
        improve(page, aim, "#complete")
        page.click("#stop-generating")
    page.wait_for_selector("#generate-filled", timeout=180_000)
    assert all(was in {".", now} for was, now in zip("".join(stood), "".join(own(page)), strict=True))
    assert aim == "strong words" or "." not in "".join(rows(page))


def draw_meanwhile(page: Page) -> None:
    enlarge(page)
    improve(page, "fewest blocks")
    page.click("[data-cell='80']")
    page.keyboard.press(".")
    page.wait_for_selector("#generate-filled")
    assert blocks_in(own(page)) == BLOCKS + 1
    assert set("".join(own(page))) == {"#", "."}
