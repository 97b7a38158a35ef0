"""A constructor's day on the page, asked of a server and in a tab without one: from a theme to the files one sends."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import puz  # type: ignore[import-untyped]
import pytest
from pypdf import PdfReader

import cpfill
from cpfill.words.wordlist import read_word_list
from tests.web.browser import (
    FIRST_OPEN,
    await_frame,
    await_idle,
    list_puzzles,
    needs_browser,
    pick,
    puzzle_open,
    rows,
    unfold,
    wait_for,
    write_into,
)
from tests.web.site import await_start, visit, visitor
from tests.web.support import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = needs_browser

LONG_MS = 60_000


@pytest.fixture(params=["server", "tab"])
def page(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Yield the page, over a server or in a tab without one; nothing it does may reach another host."""
    if request.param == "tab":
        yield visit(request.getfixturevalue("context"), request.getfixturevalue("hosted"))
    else:
        with serving(tmp_path) as served, visitor(browser, served.origins[0]) as (context, elsewhere):
            yield visit(context, served.address)
            assert elsewhere == []


def download(page: Page, selector: str, folder: Path) -> Path:
    with page.expect_download(timeout=LONG_MS) as hearing:
        page.click(selector)
    path = folder / hearing.value.suggested_filename
    hearing.value.save_as(path)
    return path


def test_a_day(page: Page, tmp_path: Path) -> None:
    make_a_puzzle(page, tmp_path)
    have_files_come_and_go(page, tmp_path)


def make_a_puzzle(page: Page, tmp_path: Path) -> None:
    known = read_word_list("en").words

    page.click("#tab-design")
    for side in ("rows", "columns"):
        write_into(page, f"#{side}", "9")
    page.click("#resize")
    write_into(page, "#seed-0", "pineapple")
    page.click("#generate-filled")
    wait_for(page, lambda: "PINEAPPLE" in rows(page) and "." not in "".join(rows(page)), 90)
    grid = rows(page)
    across = [run for row in grid for run in row.split("#") if len(run) > 1]
    assert all(word in known for word in across if word != "PINEAPPLE")

    page.click("#tab-fill")
    page.click(FIRST_OPEN)
    page.wait_for_selector("#words [data-word].yes", timeout=LONG_MS)
    unfold(page, "#rare")
    page.click("#clear-all")
    page.click(FIRST_OPEN)
    page.keyboard.type("qx")
    page.wait_for_selector("#fillable.no", timeout=LONG_MS)
    page.wait_for_selector(".repairs button", timeout=LONG_MS)
    for _ in range(3):
        page.keyboard.press("Control+z")
    wait_for(page, lambda: rows(page) == grid)

    page.click("#tab-clues")
    write_into(page, "#meta-title", "Fruit salad")
    write_into(page, "[id='clue-1-Across']", "First of all")
    page.keyboard.press("Tab")
    wait_for(page, lambda: page.inner_text("#saving") == "saved")

    page.click("#tab-check")
    page.wait_for_selector("#panel-check :text('none stands twice')", timeout=LONG_MS)

    await_idle(page)  # until a better fill has come, if one does
    grid = rows(page)
    assert "PINEAPPLE" in grid
    page.click("#tab-export")
    page.click("#purpose-across_lite")
    sent = puz.read(str(download(page, "#download", tmp_path)))
    assert (sent.title, sent.solution) == ("Fruit salad", "".join(grid).replace("#", "."))
    assert sent.clues[0] == "First of all"
    page.click("#purpose-print")
    printed = PdfReader(download(page, "#download", tmp_path))
    assert "Fruit salad" in printed.pages[0].extract_text()

    page.click("#tab-fill")
    page.reload()
    await_start(page)
    wait_for(page, lambda: rows(page) == grid)

    page.click("#tab-solve")
    page.click(".player .cell >> nth=0")
    await_frame(page)
    page.click(".player [data-do='reveal-all']")
    wait_for(page, lambda: "".join(page.locator(".player .letter").all_inner_texts()) == "".join(grid).replace("#", ""))


def have_files_come_and_go(page: Page, tmp_path: Path) -> None:
    """A list of one's own, a puzzle from elsewhere, another name, a copy of all, and a puzzle deleted."""
    (tmp_path / "own.tsv").write_text("STONE\t90\nATONE\t80\n")
    puzzle = cpfill.Puzzle(3, 3, ("A", "B", "C", "D", "E", "F", "G", "H", "I"))
    source = tmp_path / "three.ipuz"
    source.write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
    pick(page, "#import", source)
    wait_for(page, lambda: rows(page) == ["ABC", "DEF", "GHI"])
    page.click("#manage")
    write_into(page, "#file-name", "square")
    page.click("#rename")
    wait_for(page, lambda: puzzle_open(page) == "square.ipuz")
    page.click("#manage")
    archive = download(page, "#download-all", tmp_path)
    assert "square.ipuz" in zipfile.ZipFile(archive).namelist()
    page.keyboard.press("Escape")
    page.click("#manage")
    page.click("#delete")
    page.click("#delete-yes")
    wait_for(page, lambda: puzzle_open(page) != "square.ipuz")
    page.click("#tab-fill")
    page.reload()
    await_start(page)
    assert "square.ipuz" not in list_puzzles(page)
