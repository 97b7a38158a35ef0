"""What is typed on the page is in the file, whatever happens to either; with a real browser, key by key."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    await_idle,
    choose,
    hold,
    keep_still,
    list_puzzles,
    needs_browser,
    own,
    release,
    rows,
    start_over,
    unfold,
    visiting,
    wait_for,
)
from tests.web.support import own_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = needs_browser

EMPTY = ["...##", "....#", ".....", "#....", "##..."]
CLUE = "[id='clue-1-Across']"
NEXT = "[id='clue-4-Across']"


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str) -> Iterator[Page]:
    """A page over a directory with grid A of the assignment."""
    make_puzzle(puzzles / "a.ipuz")
    with visiting(tab, address) as opened:
        yield opened


def make_puzzle(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(cpfill.write_puzzle(cpfill.read_puzzle(INSTANCES / "assignment" / "A.txt"), "ipuz")[0])


def first_row(path: Path) -> str:
    return own_rows(path)[0][:3]


def clue_in(path: Path, number: int = 1) -> str:
    return str(cpfill.read_puzzle(path).clues.get((Direction.ACROSS, number), ""))


def said(page: Page) -> str:
    await_frame(page)
    return page.inner_text("#saving")


def write(page: Page, word: str) -> None:
    page.keyboard.press("Escape")
    page.keyboard.type(word)


def value(page: Page, field: str) -> str:
    await_frame(page)
    return page.input_value(field)


# Texts count from their first key


def test_texts_are_saved_and_undone(page: Page, puzzles: Path) -> None:
    undo_bursts_of_typing(page, puzzles)
    start_over(page)
    for field, read in TEXTS.items():
        type_and_never_read_saved_too_soon(page, puzzles / "a.ipuz", field, read)
    start_over(page)
    reload_amid_a_clue(page, puzzles)
    start_over(page)
    move_the_caret_while_typing(page, puzzles)


def test_texts_are_saved_while_much_else_goes_on(page: Page, puzzles: Path) -> None:
    save_many_times(page, puzzles)
    start_over(page)
    write_a_clue_while_the_grid_is_filled(page)
    start_over(page)
    keep_mine_in_a_conflict(page, puzzles)


def meta(part: PuzzlePart) -> Callable[[Path], str]:
    return lambda path: cpfill.read_puzzle(path).metadata.get(part, "")


TEXTS: dict[str, Callable[[Path], str]] = {
    CLUE: clue_in,
    "#meta-title": meta(PuzzlePart.TITLE),
    "#meta-author": meta(PuzzlePart.AUTHOR),
    "#meta-copyright": meta(PuzzlePart.COPYRIGHT),
    "#meta-notes": meta(PuzzlePart.NOTES),
}
"""Each field of texts, and how its text is read from the file."""


def type_and_never_read_saved_too_soon(page: Page, file: Path, field: str, read: Callable[[Path], str]) -> None:
    page.click("#tab-clues")
    unfold(page, "#clue-rest")
    page.click(field)
    text = "Drunk at four"
    for at, key in enumerate(text):
        page.keyboard.press(key)
        if said(page) == "saved":
            assert read(file) == text[: at + 1].strip()
        if at == 5:
            page.keyboard.press("Control+s")
            wait_for(page, lambda: said(page) == "saved")
            assert read(file) == text[:6].strip()
    wait_for(page, lambda: said(page) == "saved")
    assert read(file) == text


def reload_amid_a_clue(page: Page, puzzles: Path) -> None:
    page.click("#tab-clues")
    page.click("#meta-title")
    page.keyboard.type("Tea")
    page.click(CLUE)
    page.keyboard.type("Drunk at fo")
    page.reload()
    page.wait_for_selector("#tab-clues[aria-selected=true]")
    wait_for(page, lambda: clue_in(puzzles / "a.ipuz") == "Drunk at fo")
    assert (value(page, CLUE), value(page, "#meta-title")) == ("Drunk at fo", "Tea")


def save_many_times(page: Page, puzzles: Path) -> None:
    """A browser sends only so much that may outlive the page, until the answers are read: 64 KB in Chromium."""
    before = cpfill.read_puzzle(puzzles / "a.ipuz")
    long = replace(before, clues={**before.clues, (Direction.ACROSS, 4): "Many words. " * 400})
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(long, "ipuz")[0])
    page.reload()
    page.click("#tab-clues")
    page.click(CLUE)
    for letter in "abcdefghijklmnopqrst":
        page.keyboard.press(letter)
        wait_for(page, lambda: said(page) == "saved" and clue_in(puzzles / "a.ipuz") == value(page, CLUE).strip())


def undo_bursts_of_typing(page: Page, puzzles: Path) -> None:
    page.click("#tab-clues")
    page.click("#meta-title")
    page.keyboard.type("Tea time")
    page.click(CLUE)
    page.keyboard.type("Drunk at four")
    page.keyboard.press("Enter")
    page.keyboard.type("Earth")
    assert (value(page, CLUE), value(page, NEXT)) == ("Drunk at four", "Earth")
    page.keyboard.press("Control+z")
    page.keyboard.type("So")  # at once, in the same field
    assert (value(page, CLUE), value(page, NEXT)) == ("Drunk at four", "So")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert (value(page, "#meta-title"), value(page, CLUE), value(page, NEXT)) == ("Tea time", "", "")
    page.click("#undo")
    assert value(page, "#meta-title") == ""
    page.click("#meta-title")
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+Shift+Z")
    assert (value(page, "#meta-title"), value(page, CLUE)) == ("Tea time", "Drunk at four")
    wait_for(page, lambda: said(page) == "saved")
    assert clue_in(puzzles / "a.ipuz") == "Drunk at four"


def move_the_caret_while_typing(page: Page, puzzles: Path) -> None:
    """Also where the first letter of a clue takes it from those that are missing, which come first."""
    page.click("#tab-clues")
    unfold(page, "#clue-rest")
    choose(page, "#clue-order", "clues to write first")
    order = page.locator(".clue .answer")
    await_frame(page)
    before = order.all_inner_texts()
    for field, text in {"#meta-notes": "a bd", CLUE: "ac e"}.items():
        page.click(field)
        for key in text:
            page.keyboard.press(key)
            await_frame(page)
        page.keyboard.press("ArrowLeft")
        page.keyboard.type("XY")
        assert value(page, field) == f"{text[:-1]}XY{text[-1]}"
    assert order.all_inner_texts() == before
    page.click("#tab-clues")
    await_frame(page)
    assert page.locator(".clue textarea").last.input_value() == "ac XYe"
    page.click("#meta-notes")
    page.keyboard.press("Enter")
    page.keyboard.type("more")
    wait_for(page, lambda: said(page) == "saved")
    notes = cpfill.read_puzzle(puzzles / "a.ipuz").metadata[PuzzlePart.NOTES]
    assert sorted(notes.splitlines()) == ["a bXYd", "more"]


def write_a_clue_while_the_grid_is_filled(page: Page) -> None:
    keep_still(page)
    held = hold(page, "**/api/solve")
    page.click("#tab-clues")
    page.click(CLUE)
    page.keyboard.type("Dr")
    page.keyboard.press("Control+Enter")
    wait_for(page, lambda: len(held) > 0)
    page.keyboard.type("u")
    release(held)
    page.unroute("**/api/solve")
    page.keyboard.type("nk")
    wait_for(page, lambda: "." not in "".join(rows(page)))
    assert value(page, CLUE) == "Drunk"


# Two versions


def write_elsewhere(path: Path, word: str) -> bytes:
    """Write the file as another program does, with what only that one knows; return what it has then."""
    puzzle = cpfill.read_puzzle(path)
    other = replace(puzzle, cells=(*word, *puzzle.cells[len(word) :]))
    path.write_bytes(cpfill.write_puzzle(other, "ipuz")[0].replace(b"{", b'{"org.example.layout": 7, ', 1))
    return path.read_bytes()


def clash(page: Page, path: Path) -> bytes:
    """Have another version in the file, and type on when the page says so; return what the file has."""
    theirs = write_elsewhere(path, "RUM")
    write(page, "t")
    page.wait_for_selector("#conflict-dialog", state="visible")
    assert said(page) == "changed elsewhere"
    page.keyboard.press("Space")  # turns the cursor, and twice turns it back
    page.keyboard.press("Space")
    page.keyboard.type("ea")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    await_idle(page)
    assert own(page)[0] == "TEA##"
    assert page.is_visible("#conflict-dialog")
    assert path.read_bytes() == theirs
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    return theirs


def keep_mine_in_a_conflict(page: Page, puzzles: Path) -> None:
    theirs = clash(page, puzzles / "a.ipuz")
    page.click("#keep-mine")
    wait_for(page, lambda: said(page) == "saved")
    page.wait_for_selector("#message:has-text('The other version is kept as a - other version.ipuz')")
    assert not page.is_visible("#conflict-dialog")
    assert first_row(puzzles / "a.ipuz") == "TEA"
    assert (puzzles / "a - other version.ipuz").read_bytes() == theirs
    page.keyboard.press("Backspace")
    wait_for(page, lambda: first_row(puzzles / "a.ipuz") == "TE.")
    page.reload()
    page.wait_for_selector("#words [data-word]")
    assert own(page)[0] == "TE.##"
    assert sorted(list_puzzles(page)) == ["a - other version.ipuz", "a.ipuz"]
