"""A puzzle solved in a real browser: on the page, and in the file that solves by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.formats.pages.style import PageLayout, PageStyle
from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.web.browser import barriers, focused, needs_browser, open_tab, visiting, wait_for, without_faults

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Request

pytestmark = needs_browser

HOSTILE = "</script><img src=x onerror=document.title='gone'><!--"
PUZZLE = Puzzle(
    3,
    3,
    ("T", "E", "A", "O", None, "R", "STAR", "O", "M"),
    {(Direction.ACROSS, 1): HOSTILE, (Direction.DOWN, 1): "Throws"},
    circles=frozenset({0}),
    metadata={PuzzlePart.TITLE: f"Mini {HOSTILE}"},
)
SOLVING = "teasomosr"
"""The keys that solve it: TEA and S-O-M across, where S stands for STAR; O and S down; R, which is left."""
REFUSED = [
    "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('', 'SecurityError'); }});",
    "Object.defineProperty(window, 'localStorage', {get: () => null});",
    "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };",
]
"""What browsers do that keep nothing: they refuse, have no store, or have no room in it."""
DAMAGED = ["{", "7", "null", '{"letters": 7}', '{"letters": [7, [], "", null, "XX"], "marks": "!", "seconds": -1e99}']


@pytest.fixture
def alone(browser: Browser) -> Iterator[Page]:
    """Return a tab of a browser that keeps nothing of before, and whose files ask no one for anything."""
    asked: list[str] = []

    def hear(made: Request) -> None:
        asked.append(made.url)

    with open_tab(browser) as tab, without_faults(tab):
        tab.on("request", hear)
        yield tab
    assert [url for url in asked if not url.startswith("file:")] == []


@pytest.fixture(params=["a file of its own", "the page"])
def page(request: pytest.FixtureRequest, tab: Page, puzzles: Path, address: str, tmp_path: Path) -> Iterator[Page]:
    if request.param == "the page":
        (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(PUZZLE, "ipuz")[0])
        with visiting(tab, address) as opened:
            opened.click("#tab-solve")
            opened.wait_for_selector(".player .field:focus")
            yield opened
        return
    opened = request.getfixturevalue("alone")
    opened.goto(write_player(tmp_path / "mini.html", PUZZLE))
    yield opened
    assert opened.title() != "gone"


def write_player(path: Path, puzzle: Puzzle) -> str:
    """Write a file that solves by itself; return its address."""
    path.write_bytes(write_puzzle(puzzle, "html", PageStyle(layout=PageLayout.INTERACTIVE))[0])
    return path.as_uri()


def letters(page: Page) -> str:
    return "".join(text or "." for text in page.locator(".player .letter").all_text_contents())


def told(page: Page) -> str:
    return page.inner_text(".player .told")


def test_it_is_solved_by_keys(page: Page) -> None:
    page.click(".player [data-cell='0']")
    page.keyboard.type("TEA")
    assert letters(page) == "TEA....."
    page.click(".player [data-cell='2']")
    page.keyboard.press("ArrowDown")  # turns first
    page.keyboard.press("ArrowDown")
    page.keyboard.type("rm")
    page.click(".player [data-cell='3']")
    assert page.inner_text(".player .bar").startswith("1 Down")
    page.keyboard.type("os")
    page.keyboard.press("ArrowLeft")  # from the cell that is left
    page.keyboard.press("ArrowRight")
    page.keyboard.type("o")
    page.wait_for_selector(".player .told:has-text('Solved')")
    assert letters(page) == "TEAORSOM"


def test_keys_alone_solve_it_without_a_click(page: Page) -> None:
    """At the end of a word they go on with the next that is not full."""
    page.keyboard.type(SOLVING)
    page.wait_for_selector(".player .told:has-text('Solved in')")
    assert letters(page) == "TEAORSOM"


def test_filled_cells_are_skipped_if_asked(page: Page) -> None:
    page.click(".player [data-do='skip']")
    page.keyboard.type("teasomor")
    page.wait_for_selector(".player .told:has-text('Solved in')")
    page.reload()
    page.wait_for_selector(".player [data-do='skip']:checked")


def test_keys_write_wherever_the_focus_is_lost(page: Page) -> None:
    page.keyboard.type("t")
    page.click(".player h1")
    assert focused(page, "class") != "field"
    page.keyboard.type("ea")
    wait_for(page, lambda: letters(page) == "TEA.....")


def test_backspace_goes_back_over_the_end_of_a_word(page: Page) -> None:
    page.keyboard.type("tex")
    page.keyboard.press("Backspace")
    assert letters(page) == "TE......"
    page.keyboard.type("a")
    assert letters(page) == "TEA....."


def test_a_reload_loses_neither_letters_nor_time(page: Page) -> None:
    page.keyboard.type("tex+s")
    page.click(".player [data-do='check-all']")
    page.click(".player [data-cell='5']")
    page.click(".player [data-do='reveal-letter']")
    page.wait_for_selector(".player .clock:not(:has-text('0:00'))")
    for _ in range(2):
        page.reload()
        page.wait_for_selector(".player .field:focus")
        assert letters(page) == "TEX.RS.."
        assert page.inner_text(".player .wrong .letter") == "X"
        assert page.inner_text(".player .revealed .letter") == "R"
        assert page.inner_text(".player .clock") != "0:00"
    page.keyboard.press("Delete")
    page.reload()
    page.wait_for_selector(".player .field:focus")
    assert letters(page) == ".EX.RS.."


def test_what_is_begun_anew_can_be_taken_back(page: Page) -> None:
    page.keyboard.type("te")
    page.click(".player [data-do='again']")
    assert letters(page) == "........"
    page.click(".player [data-do='again']")
    assert letters(page) == "TE......"
    page.click(".player [data-do='again']")
    page.reload()
    page.wait_for_selector(".player .field:focus")
    assert letters(page) == "........"
    page.keyboard.type("t")
    assert page.inner_text(".player [data-do='again']") == "Start over"


def test_capitals_and_cells_of_several_letters(page: Page) -> None:
    page.click(".player [data-cell='0']")
    page.keyboard.press("Shift+T")
    page.keyboard.press("Shift+E")
    assert letters(page)[:2] == "TE"
    page.click(".player [data-cell='6']")
    page.keyboard.type("s")
    page.click(".player [data-cell='6']")
    page.keyboard.type("+t+a+r")
    assert letters(page) == "TE...STAR.."
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    page.keyboard.type("o")
    page.click(".player [data-do='rebus']")
    page.keyboard.type("mx")
    assert letters(page) == "TE...STAOMX"


def test_the_focus_can_leave_the_grid(page: Page) -> None:
    """After the last word, or from anywhere after Escape."""
    page.click(".player [data-cell='0']")
    presses = 0
    while "field" in str(focused(page, "class")).split():
        page.keyboard.press("Tab")
        presses += 1
        assert presses < 10
    page.click(".player [data-cell='0']")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert "field" not in str(focused(page, "class")).split()


def test_letters_are_checked_and_revealed(page: Page) -> None:
    page.click(".player [data-cell='0']")
    page.keyboard.type("TOA")
    page.click(".player [data-cell='1']")
    page.keyboard.press("ArrowLeft")
    page.click(".player [data-do='check-word']")
    assert told(page) == "Wrong letters: 1"
    assert page.locator(".player .wrong").count() == 1
    page.click(".player [data-do='reveal-word']")
    assert letters(page)[:3] == "TEA"
    page.click(".player [data-do='reveal-all']")
    assert letters(page) == "TEAORSTAROM"
    assert told(page) == "The grid is full; letters revealed: 6"


def test_a_solver_is_told_how_much_was_revealed(page: Page) -> None:
    page.click(".player [data-do='reveal-letter']")
    page.keyboard.type(SOLVING)
    assert told(page).startswith("Solved in 0:0")
    assert told(page).endswith("; letters revealed: 1")


def test_a_clue_leads_to_its_word_and_texts_are_but_texts(page: Page) -> None:
    assert HOSTILE in page.inner_text(".player .clue >> nth=0")
    page.click(".player .clue:has-text('Throws')")
    page.keyboard.type("x")
    assert letters(page)[0] == "X"
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    assert letters(page)[0] == "."


def test_nothing_stands_in_the_way_of_anyone(page: Page) -> None:
    assert barriers(page) == []


def test_other_tabs_of_the_page_keep_what_was_solved(tab: Page, puzzles: Path, address: str) -> None:
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(PUZZLE, "ipuz")[0])
    with visiting(tab, address) as page:
        page.click("#tab-solve")
        page.wait_for_selector(".player .field:focus")
        page.keyboard.type("te")
        page.click("#tab-clues")
        page.wait_for_selector(".player", state="hidden")
        page.click("#tab-solve")
        page.wait_for_selector(".player .field:focus")
        assert letters(page) == "TE......"
        page.keyboard.press("Tab")
        page.keyboard.type("s")
        assert letters(page) == "TE...S.."


def test_digits_and_signs_of_answers_are_typed(alone: Page, tmp_path: Path) -> None:
    cells = ("R", "2", "D", "2", None, "C", "+", "+", "&", "É")
    alone.goto(write_player(tmp_path / "signs.html", Puzzle(2, 5, cells)))
    alone.keyboard.type("r2d2c++&é")
    alone.wait_for_selector(".player .told:has-text('Solved in')")
    assert letters(alone) == "R2D2C++&É"


def test_puzzles_in_one_folder_do_not_mix(alone: Page, tmp_path: Path) -> None:
    other = replace(PUZZLE, cells=("S", *PUZZLE.cells[1:]))
    easier = replace(PUZZLE, metadata={PuzzlePart.TITLE: "The same answers, other clues"})
    blank = replace(PUZZLE, cells=tuple(cell and "" for cell in PUZZLE.cells))
    puzzles = [PUZZLE, other, easier, blank, replace(blank, clues={(Direction.ACROSS, 1): "Another"})]
    pages = [write_player(tmp_path / f"{at}.html", puzzle) for at, puzzle in enumerate(puzzles)]
    for key, page in zip("abcde", pages, strict=True):
        alone.goto(page)
        assert letters(alone) == "........"
        alone.keyboard.type(key)
    for key, page in zip("ABCDE", pages, strict=True):
        alone.goto(page)
        assert letters(alone) == f"{key}......."


def test_letters_stay_where_a_clue_is_mended(alone: Page, tmp_path: Path) -> None:
    alone.goto(write_player(tmp_path / "mini.html", PUZZLE))
    alone.keyboard.type("tea")
    write_player(tmp_path / "mini.html", replace(PUZZLE, clues={(Direction.DOWN, 1): "Tosses"}))
    alone.reload()
    assert letters(alone) == "TEA....."
    assert "Tosses" in alone.inner_text(".player .lists")


def test_another_tab_goes_on_with_the_same_letters(alone: Page, tmp_path: Path) -> None:
    address = write_player(tmp_path / "mini.html", PUZZLE)
    alone.goto(address)
    other = alone.context.new_page()
    other.goto(address)
    alone.keyboard.type("te")
    wait_for(other, lambda: letters(other) == "TE......")
    other.click(".player [data-cell='2']")
    other.keyboard.type("a")
    wait_for(alone, lambda: letters(alone) == "TEA.....")


@pytest.mark.parametrize("script", REFUSED)
def test_a_browser_that_keeps_nothing_is_no_fault(alone: Page, tmp_path: Path, script: str) -> None:
    alone.add_init_script(script)
    alone.goto(write_player(tmp_path / "mini.html", PUZZLE))
    alone.keyboard.type(SOLVING)
    alone.wait_for_selector(".player .told:has-text('Solved in')")
    assert "does not keep" in alone.inner_text(".player .unkept")


@pytest.mark.parametrize("kept", DAMAGED)
def test_what_is_kept_may_be_anything(alone: Page, tmp_path: Path, kept: str) -> None:
    alone.add_init_script(f"Storage.prototype.getItem = () => {kept!r};")
    alone.goto(write_player(tmp_path / "mini.html", PUZZLE))
    alone.keyboard.type(SOLVING)
    alone.wait_for_selector(".player .told:has-text('Solved in')")
    assert alone.inner_text(".player .unkept") == ""


def test_a_phone_keeps_the_grid_in_sight(browser: Browser, tmp_path: Path) -> None:
    tall = Puzzle(15, 15, ("A",) * 225)
    with open_tab(browser, {"width": 360, "height": 740}) as phone:
        phone.goto(write_player(tmp_path / "tall.html", tall))
        phone.keyboard.type("a" * 100)
        box = phone.locator(".player .cursor").bounding_box()
        assert box is not None
        assert 0 < box["y"] < box["y"] + box["height"] < 740
        assert phone.evaluate("[scrollY, document.documentElement.scrollWidth]") == [0, 360]
        current = phone.locator(".player .clue.current")
        seen = current.evaluate(
            "(each) => each.offsetTop - each.closest('.clues').offsetTop - each.closest('.clues').scrollTop"
        )
        assert 0 <= seen < 0.7 * 740
