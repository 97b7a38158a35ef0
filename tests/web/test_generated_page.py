"""What is typed while the page redraws, and what becomes of the grids it makes: done by hand in a real browser."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.problem.event import StopReason
from cpfill.web import streams
from cpfill.web import wire as asking
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    await_idle,
    choose,
    go_to,
    leave,
    make_otherwise,
    needs_browser,
    open_puzzle,
    own,
    puzzle_open,
    rows,
    unfold,
    visiting,
    wait_for,
    words_in,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from playwright.sync_api import ElementHandle, Page, Response, Route

    from cpfill.design.grids import Attempts
    from cpfill.problem.result import Limits
    from cpfill.questions.question import Record
    from cpfill.web.memory import Memory

pytestmark = needs_browser

LONG_S = 90.0
SMALL = INSTANCES / "assignment" / "A.txt"


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str) -> Iterator[Page]:
    """A page over a directory with grid A of the assignment, in Design."""
    make_puzzle(puzzles)
    with visiting(tab, address) as opened:
        opened.click("#tab-design")
        yield opened


def make_puzzle(folder: Path, grid: Path = SMALL) -> None:
    (folder / "a.ipuz").write_bytes(cpfill.write_puzzle(cpfill.read_puzzle(grid), "ipuz")[0])


@pytest.fixture
def begin_anew(page: Page, puzzles: Path, address: str) -> Callable[[Path], None]:
    """Return how another grid is designed as on a first visit."""

    def begin(grid: Path = SMALL) -> None:
        leave(page, address)
        for path in puzzles.glob("*.ipuz"):
            path.unlink()
        make_puzzle(puzzles, grid)
        page.goto(address)
        page.wait_for_selector("#words [data-word]")
        page.click("#tab-design")

    return begin


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other, each after what the one before did is drawn."""
    for key in keys:
        page.keyboard.press(key)
        await_frame(page)


def replace_text(page: Page, field: str, text: str) -> None:
    page.click(field)
    press(page, "Control+a", *text)


def resize(page: Page, height: int, width: int) -> None:
    replace_text(page, "#rows", str(height))
    press(page, "Tab", "Control+a", *str(width), "Enter")


def held(page: Page, field: str) -> ElementHandle:
    found = page.query_selector(field)
    assert found is not None
    return found


def has_focus(element: ElementHandle) -> bool:
    return bool(element.evaluate("(each) => each.isConnected && each === document.activeElement"))


def saved(page: Page, file: Path) -> list[str]:
    """Return the rows of a puzzle in its file, as soon as the page says that it is saved."""
    wait_for(page, lambda: page.inner_text("#saving") == "saved")
    puzzle = cpfill.read_puzzle(file)
    cells = ["#" if cell is None else cell or "." for cell in puzzle.cells]
    return ["".join(cells[at : at + puzzle.width]) for at in range(0, len(cells), puzzle.width)]


def letters_marked(page: Page, mark: str) -> str:
    return "".join(page.locator(f"#grid .{mark} .letter").all_inner_texts())


def tell(page: Page) -> str:
    """Return what the page says when it has done with a search."""
    await_frame(page)
    page.wait_for_selector("#another", timeout=1000 * LONG_S)
    await_frame(page)
    return page.inner_text("#message")


def clear(page: Page, button: str) -> None:
    page.click("#more")
    page.click(button)
    await_frame(page)


def test_what_is_typed_while_the_page_redraws(page: Page) -> None:
    compose_an_entry(page)
    press(page, "Control+a", "Delete")
    type_an_entry_key_by_key(page)
    press_a_box_while_typing(page)
    for where, field, keys, value in FIELDS:
        type_into_a_field(page, where, field, keys, value)


def test_grids_that_are_generated(page: Page, puzzles: Path, begin_anew: Callable[[Path], None]) -> None:
    have_a_late_fill_after_a_generated_one(page)
    begin_anew(SMALL)
    generate_around_a_theme(page, puzzles)
    begin_anew(SMALL)
    press_where_nothing_changes(page)


def test_entries_patterns_and_styles(
    page: Page, puzzles: Path, monkeypatch: pytest.MonkeyPatch, begin_anew: Callable[[Path], None]
) -> None:
    resize_among_patterns(page)
    choose_styles(page)
    for name, words in LISTS.items():
        (puzzles / name).write_text(words)
    begin_anew(SMALL)
    go_from_puzzle_to_puzzle(page)
    begin_anew(puzzles / "four.txt")
    enter_a_word_without_a_pair(page)
    see_how_many_grids_are_tried(page, monkeypatch)


def type_an_entry_key_by_key(page: Page) -> None:
    page.click("#seed-0")
    first = held(page, "#seed-0")
    press(page, *"toasters", *["ArrowLeft"] * 4, *"tmas")
    assert page.input_value("#seed-0") == "toastmasters"
    assert has_focus(first)
    assert "12 letters; the grid has room for 5" in page.inner_text("#seeds")
    press(page, "Shift+Home", *"wa")
    assert page.input_value("#seed-0") == "waters"
    press(page, "Backspace", "Backspace", "Delete")
    assert (page.input_value("#seed-0"), has_focus(first)) == ("ers", True)
    page.click("#seed-1")
    page.keyboard.type("crate")  # as fast as keys come
    assert page.input_value("#seed-1") == "crate"
    page.click("#seed-0")
    press(page, "Control+a", "Delete")
    make_otherwise(page, "#generate")
    wait_for(page, lambda: "CRATE" in words_in(rows(page)))


def compose_an_entry(page: Page) -> None:
    page.click("#seed-0")
    keys = page.context.new_cdp_session(page)
    for text in ("c", "ca", "caf", "cafe", "café"):
        keys.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
        await_frame(page)
    keys.send("Input.insertText", {"text": "café"})
    keys.detach()
    assert page.input_value("#seed-0") == "café"
    press(page, *"s")
    assert page.input_value("#seed-0") == "cafés"


LISTS = {
    "mine.txt": "\n".join(f"{letter}AT" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "rows.txt": "abc\ndef\nghi\nadg\nbeh\ncfi\n",
    "four.txt": "....\n....\n....\n....\n",
}
"""Word lists, and a grid."""

FIELDS: list[tuple[str, str, list[str], str | None]] = [
    ("design", "#style", ["ArrowDown", "ArrowDown", "ArrowUp"], "british"),
    ("fill #terms", "#min-score", ["ArrowRight"] * 4, "20"),
    ("fill #terms", "#pool-words", [*"fish, bird", "Enter", *", cow", "Enter"], "FISH, BIRD, COW"),
    ("fill #settings", "#theme", ["ArrowDown", "ArrowDown"], "dark"),
    ("fill", "#filter", [*"so", "Home", *"?"], "?so"),
    ("fill", "#order", ["ArrowDown", "ArrowDown"], "change"),
    ("clues", "#meta-title", [*"Ta", "Enter", *"les"], "Tales"),
    ("clues", "[id='clue-1-Across']", [*"not", "Home", *"is "], "is not"),
    ("clues", "#clue-order", ["ArrowDown", "ArrowDown"], "score"),
    ("watch", "#watch-seed", [*"12", "Enter", "ArrowUp"], "13"),
    ("watch", "#watch-engine", ["ArrowUp"], "fc"),
    ("export #other-formats", "#format", ["Home", "ArrowDown"], None),
    ("design", "#rows", [*"27", "Backspace", "Enter", "ArrowUp"], "3"),
]
"""Where a field is, the keys, and what they leave there; a grid of few rows comes last."""


def type_into_a_field(page: Page, where: str, field: str, keys: list[str], value: str | None) -> None:
    """Have the field stay and keep the focus, though each key redraws what is around it."""
    mode, *menus = where.split()
    page.click(f"#tab-{mode}")
    for menu in menus:
        unfold(page, menu)
    page.wait_for_selector(field)
    go_to(page, page.locator(field))
    element = held(page, field)
    if page.evaluate("document.activeElement.matches('[type=text], [type=number], [type=search]')"):
        press(page, "Control+a")
    for key in keys:
        press(page, key)
        assert has_focus(element), key
    shown = page.input_value(field)
    assert shown.upper() == value.upper() if value else shown


def press_a_box_while_typing(page: Page) -> None:
    """What is typed is heard when the mouse goes down, and the box is redrawn before the mouse goes up."""
    page.click("#tab-fill")
    unfold(page)
    page.click("#pool-words")
    press(page, *"fish")
    box = page.locator("label:has(#list-fr)").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
    page.mouse.down()
    wait_for(page, lambda: "theme of 1" in page.inner_text("#terms summary"))
    page.mouse.up()
    wait_for(page, lambda: page.inner_text("#terms summary").startswith("en + fr + my list"))


def have_a_late_fill_after_a_generated_one(page: Page) -> None:
    """Not to the good one that the page sought, as it opened, for the grid before."""
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    page.route("**/api/solve", hold_first)
    page.click("#tab-fill")
    page.reload()
    wait_for(page, lambda: bool(held))
    page.click("#tab-design")
    page.click("#generate-filled")
    page.wait_for_selector("#message:has-text('New grid')")
    grid = rows(page)
    page.click("#tab-fill")
    page.wait_for_selector("#words [data-word].yes")
    await_idle(page)
    assert rows(page) == grid


def generate_around_a_theme(page: Page, puzzles: Path) -> None:
    resize(page, 9, 9)
    page.click("#seed-0")
    press(page, *"pineapple")
    page.click("#generate-filled")
    wait_for(page, lambda: "." not in "".join(rows(page)), LONG_S)
    grid = rows(page)
    assert letters_marked(page, "locked") == "PINEAPPLE"
    assert len(letters_marked(page, "pencilled")) == sum(map(str.isalpha, "".join(grid))) - 9
    assert saved(page, puzzles / "a.ipuz") == grid

    page.click("#tab-fill")
    page.click("#another")
    assert "No fill" not in tell(page)
    other = rows(page)
    assert {*words_in(grid)} & {*words_in(other)} == {"PINEAPPLE"}
    assert saved(page, puzzles / "a.ipuz") == other

    kept = [re.sub("[A-Z]", ".", row) if "PINEAPPLE" not in row else row for row in other]
    clear(page, "#clear")
    assert rows(page) == kept
    clear(page, "#clear")
    assert page.inner_text("#message") == "Nothing to clear: no letter is pencilled."
    page.click("#undo")
    assert rows(page) == other
    clear(page, "#clear-all")
    assert rows(page) == kept == saved(page, puzzles / "a.ipuz")
    clear(page, "#clear-all")
    assert page.inner_text("#message") == "Nothing to clear: every letter that stands here is locked."
    assert page.locator("#redo").is_enabled() is False

    for _ in range(2):
        before = rows(page)
        page.click("#autofill")
        said = tell(page)
        assert ("Nothing changed" in said) == (rows(page) == before)
        assert letters_marked(page, "locked") == "PINEAPPLE"
    assert "." not in "".join(rows(page))


def press_where_nothing_changes(page: Page) -> None:
    page.click("#tab-fill")
    for cell, word in ((0, "ago"), (5, "roll"), (10, "media"), (16, "send"), (22, "red")):
        page.click(f"[data-cell='{cell}']")
        press(page, *word)
    grid = rows(page)
    assert grid == ["AGO##", "ROLL#", "MEDIA", "#SEND", "##RED"]
    page.wait_for_selector("#fillable.yes")
    for button in ("#autofill", "#another", "#best"):
        page.click(button)
        assert tell(page).startswith("Nothing to fill: no square is empty or pencilled.")
        page.click("#message")
    clear(page, "#clear")
    assert page.inner_text("#message") == "Nothing to clear: no letter is pencilled."
    page.click("#tab-design")
    page.click("[data-cell='3']")  # a block
    for key in ("@", "`", ","):
        press(page, "Escape")
        assert page.inner_text("#message") == ""
        press(page, key)
        assert page.inner_text("#message") == "Nothing to change here."
    assert rows(page) == grid
    page.click("#undo")
    assert own(page)[4] == "##RE."  # what changed nothing left nothing to undo


def go_from_puzzle_to_puzzle(page: Page) -> None:
    page.click("#seed-0")
    press(page, *"stone", "Tab", "Tab", *"medal")
    make_otherwise(page, "#suggest")
    page.wait_for_selector(".thumbnail >> nth=3")
    page.click("#tab-fill")
    page.click("#terms > summary")
    page.click("label:has([id='list-mine.txt'])")
    page.click("label:has(#list-en)")
    wait_for(page, lambda: page.inner_text("#terms summary").startswith("mine.txt + my list"))

    page.click("#new")
    wait_for(page, lambda: puzzle_open(page) == "puzzle.ipuz")
    page.wait_for_selector("#panel-design:visible")
    await_frame(page)
    assert (page.input_value("#seed-0"), page.locator(".seed").count()) == ("", 1)
    assert page.locator("#patterns .thumbnail").count() == 0
    page.click("#tab-fill")
    assert page.inner_text("#terms summary").startswith("en + my list · score ≥ 40")

    open_puzzle(page, "a.ipuz")
    wait_for(page, lambda: page.inner_text("#terms summary").startswith("mine.txt + my list"))
    page.click("#tab-design")
    await_frame(page)
    assert [page.input_value(f"#seed-{at}") for at in range(3)] == ["stone", "medal", ""]
    page.reload()
    page.click("#tab-design")
    wait_for(page, lambda: puzzle_open(page) == "a.ipuz" and page.locator("#seed-2").count() == 1)
    assert [page.input_value(f"#seed-{at}") for at in range(3)] == ["stone", "medal", ""]
    page.click("#manage")
    page.click("#duplicate")
    wait_for(page, lambda: puzzle_open(page) == "a 2.ipuz")
    await_frame(page)
    assert page.input_value("#seed-0") == "stone"


def resize_among_patterns(page: Page) -> None:
    make_otherwise(page, "#suggest")
    page.wait_for_selector(".thumbnail >> nth=7")
    resize(page, 7, 7)
    wait_for(page, lambda: len(rows(page)) == 7)
    assert page.locator(".thumbnail").count() == 0
    page.click("#undo")
    await_frame(page)
    assert page.locator(".thumbnail").count() == 8


def choose_styles(page: Page) -> None:
    resize(page, 9, 9)
    shown = page.locator("#symmetry option:checked")
    for name, symmetry in (
        ("British", "half turn"),
        ("French", "none"),
        ("arrowword", "none"),
        ("American", "half turn"),
    ):
        choose(page, "#style", name)
        wait_for(page, lambda symmetry=symmetry: shown.inner_text() == symmetry)  # type: ignore[misc]
    choose(page, "#style", "arrowword")
    make_otherwise(page, "#generate")
    wait_for(page, lambda: rows(page)[0] == "#.#.#.#.#")
    choose(page, "#symmetry", "half turn")
    make_otherwise(page, "#generate")
    page.wait_for_selector("#message:has-text('No such grid exists')")
    assert page.inner_text("#message") == (
        "✗ No such grid exists (proved for 9×9, arrowword, half turn). A grid exists without symmetry."  # noqa: RUF001 - the sign as people write it
    )
    assert rows(page)[0] == "#.#.#.#.#"


def enter_a_word_without_a_pair(page: Page) -> None:
    page.click("#tab-fill")
    page.click("#terms > summary")
    page.click("label:has([id='list-rows.txt'])")
    page.click("label:has(#list-en)")
    page.click("#tab-design")
    page.click("#seed-0")
    press(page, *"dear")
    page.click("#generate-filled")
    page.wait_for_selector("#message:has-text('No such grid exists')")
    assert "no grid with this symmetry holds DEAR (4): another word of the same length" in page.inner_text("#message")


def see_how_many_grids_are_tried(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def try_on(*_: object, limits: Limits, attempts: Attempts, **__: object) -> Generator[None, None, StopReason]:
        while not limits.stopped:
            attempts.tried += 1
            yield None
            time.sleep(0.01)
        return StopReason.INTERRUPTED

    monkeypatch.setattr("cpfill.questions.generate.fill_in_steps", try_on)
    page.click("#generate-filled")
    wait_for(page, lambda: bool(re.search(r"\d+ grids tried · [2-9] of 60 s", page.inner_text("#panel-design"))))
    page.click("#stop-generating")
    wait_for(page, lambda: "grids tried" not in page.inner_text("#panel-design"))


def test_quick_undo_and_redo_are_never_refused(
    page: Page, puzzles: Path, monkeypatch: pytest.MonkeyPatch, begin_anew: Callable[[Path], None]
) -> None:
    """As on a slow machine a search takes a while to end, and longer than another waits for its place."""
    begin = asking.begin

    def begin_slowly(name: str, body: bytes, memory: Memory) -> Callable[[Limits], Iterator[Record]]:
        begun = begin(name, body, memory)

        def ask(limits: Limits) -> Iterator[Record]:
            try:
                yield from begun(limits)
            finally:
                time.sleep(1)

        return ask

    monkeypatch.setattr("cpfill.web.app.begin", begin_slowly)
    monkeypatch.setattr(streams, "_PATIENCE_S", 0.1)
    begin_anew(INSTANCES / "styles" / "american-15.txt")
    refused: list[str] = []

    def hear(answer: Response) -> None:
        if answer.status == 429:
            refused.append(answer.url)

    page.on("response", hear)
    page.click("#tab-fill")
    page.click("[data-cell='0']")
    page.keyboard.type("abcdefghijkl", delay=20)
    written = rows(page)
    for _ in range(3):
        for key in ("Control+z", "Control+y"):
            for _ in range(12):
                page.keyboard.press(key)
                await_frame(page)
    assert rows(page) == written
    page.wait_for_selector("#fillable.yes, #fillable.no, #fillable.open", timeout=1000 * LONG_S)
    page.remove_listener("response", hear)
    assert (refused, page.inner_text("#message")) == ([], "")
    assert saved(page, puzzles / "a.ipuz") == written
