"""The page without a server where something is wrong: a link, the list it kept, its files, a part of it."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING

import pytest

import cpfill
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    needs_browser,
    open_puzzle,
    puzzle_open,
    rows,
    unfold,
    wait_for,
)
from tests.web.site import STARTED_MS, await_start, depart, keep_own_list, link, visit, visitor

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Route

pytestmark = needs_browser

SCRIPT = "text/javascript"
TELL_LOCKS = """const {query} = LockManager.prototype;
LockManager.prototype.query = function () {
    fetch("asked-in-vain");
    return query.call(this);
};"""
"""A tab looks at the locks when it has no answer."""
SEARCH_S = 60
"""How long the search for the best fill takes, if nobody ends it."""


@pytest.fixture
def address(hosted: str) -> str:
    return hosted


def said(page: Page) -> str:
    await_frame(page)
    return page.inner_text("#saving")


def goes_on(page: Page) -> None:
    """Write a word, and have its candidates and a file."""
    page.click("#tab-fill")
    page.click("[data-cell='1']")
    page.keyboard.type("x")
    page.wait_for_selector("#words[aria-busy=false]", state="attached", timeout=STARTED_MS)
    wait_for(page, lambda: rows(page)[0][1] == "X")
    wait_for(page, lambda: said(page) == "saved")


def test_files_that_are_damaged_or_have_no_room(context: BrowserContext, address: str) -> None:
    see_and_delete_a_damaged_list(context, address)
    depart(context, address)
    save_once_there_is_room(context, address)


def test_tabs_share_puzzles_and_leave_nothing_behind(context: BrowserContext, address: str, site: Path) -> None:
    share_puzzles_with_a_second_tab(context, address)
    depart(context, address)
    close_a_tab_that_searches(context, address, site)


def test_tabs_wait_for_one_another_or_take_over(browser: Browser, address: str, site: Path) -> None:
    for act in (wait_for_a_tab_that_starts, take_over_from_a_silent_tab):
        with visitor(browser, address) as (stranger, elsewhere):
            act(stranger, address, site)
            assert elsewhere == []


def test_parts_and_files_that_are_not_to_be_had(browser: Browser, address: str, site: Path) -> None:
    with visitor(browser, address) as (stranger, elsewhere):
        export_while_a_part_does_not_come(stranger, address)
        assert elsewhere == []
    for lacking in LACKING.values():
        with visitor(browser, address) as (stranger, elsewhere):
            work_in_memory(stranger, address, site, lacking)
            assert elsewhere == []


def alter_engine(context: BrowserContext | Page, site: Path, before: str, patience_ms: int | None = None) -> None:
    """Have all tabs run other scripts before those that run Python, which may be less patient with other tabs."""
    (engine,) = site.glob("page-*/tab/engine.js")
    script = engine.read_text()
    if patience_ms is not None:
        script, count = re.subn(r"PATIENCE_MS = \d+", f"PATIENCE_MS = {patience_ms}", script)
        assert count == 1
    context.route("**/engine.js", lambda route: route.fulfill(body=before + "\n" + script, content_type=SCRIPT))


def ask_for_every_score(page: Page) -> None:
    """Have words of any score listed: few of 15 letters, as a new grid has them, score much."""
    unfold(page)
    page.click("#min-score")
    page.keyboard.press("Home")


def see_and_delete_a_damaged_list(context: BrowserContext, address: str) -> None:
    keep_own_list(context, address, b"cat;5\n\xff\xfe\x00")
    page = visit(context, address)
    page.click("#tab-fill")
    found = "#message:has-text('Your list:2: expected UTF-8 text, found binary data')"
    page.wait_for_selector(found, timeout=STARTED_MS)
    page.click("#message .show-list")
    assert page.inner_text("#own-dialog pre").startswith("cat;5")
    page.keyboard.press("Escape")
    ask_for_every_score(page)
    page.click("#personal")  # without it there is an answer
    page.wait_for_selector("#words [data-word]", timeout=STARTED_MS)
    page.click("#personal")
    page.wait_for_selector(found, timeout=STARTED_MS)
    page.click("#lists .show-list")
    page.click("#delete-list")
    page.click("#delete-list-yes")
    page.wait_for_selector("#message:has-text('Your list is deleted')")
    page.wait_for_selector("#words [data-word]", timeout=STARTED_MS)
    page.click("#lists .show-list")
    page.wait_for_selector("#own-dialog:has-text('It is empty')")
    page.keyboard.press("Escape")
    page.reload()
    await_start(page)
    page.click("#tab-fill")
    page.wait_for_selector("#words [data-word]", timeout=STARTED_MS)


def export_while_a_part_does_not_come(stranger: BrowserContext, address: str) -> None:
    stranger.route("**/pdf.pack", lambda route: route.fulfill(status=503, body="busy"))
    page = visit(stranger, address)
    page.click("#tab-export")
    losses = page.locator("#losses")
    wait_for(page, lambda: "could not be loaded" in losses.inner_text())
    assert "pip" not in page.inner_text("body")
    page.click("#download")
    page.wait_for_selector("#message:has-text('is there a network?')")
    page.click("#purpose-ipuz")
    wait_for(page, lambda: losses.inner_text() == "This format keeps everything.")
    stranger.unroute("**/pdf.pack")
    page.click("#purpose-print")
    wait_for(page, lambda: losses.inner_text().startswith("Nothing that solvers see"), 60)


def share_puzzles_with_a_second_tab(context: BrowserContext, address: str) -> None:
    first = visit(context, address)
    goes_on(first)
    second = visit(context, address)
    wait_for(second, lambda: rows(second)[0][1] == "X")
    second.click("#new")
    wait_for(second, lambda: puzzle_open(second) == "puzzle 2.ipuz")
    goes_on(second)
    open_puzzle(first, "puzzle 2.ipuz")
    wait_for(first, lambda: puzzle_open(first) == "puzzle 2.ipuz" and rows(first)[0][1] == "X")
    first.close()
    second.click("[data-cell='2']")
    second.keyboard.type("y")
    wait_for(second, lambda: rows(second)[0][1:3] == "XY" and said(second) == "saved")
    second.reload()
    await_start(second)
    wait_for(second, lambda: rows(second)[0][1:3] == "XY")
    goes_on(second)


def take_over_from_a_silent_tab(stranger: BrowserContext, address: str, site: Path) -> None:
    first, second = stranger.new_page(), stranger.new_page()
    alter_engine(first, site, "BroadcastChannel = class { postMessage() {} };")
    first.goto(address)
    await_start(first)
    goes_on(first)
    first.unroute("**/engine.js")
    alter_engine(second, site, "", patience_ms=500)
    second.goto(address)
    second.wait_for_selector("#message:has-text('does not answer')")
    second.click("#offer")
    await_start(second)
    wait_for(second, lambda: rows(second)[0][1] == "X")
    second.click("#new")
    wait_for(second, lambda: puzzle_open(second) == "puzzle 2.ipuz")
    goes_on(second)
    open_puzzle(first, "puzzle 2.ipuz")  # it asks the second now
    wait_for(first, lambda: puzzle_open(first) == "puzzle 2.ipuz")


def close_a_tab_that_searches(context: BrowserContext, address: str, site: Path) -> None:
    (api,) = (path.relative_to(site).as_posix() for path in site.glob("page-*/ask/api.js"))
    grid = cpfill.write_puzzle(cpfill.read_puzzle(INSTANCES / "classic" / "15.01.txt"), "ipuz")[0]
    first = visit(context, address)
    second = visit(context, link(address, grid))
    second.wait_for_selector("#grid .block")
    second.click("#tab-fill")
    second.click("#best")
    second.wait_for_selector("#panel-fill .progress:has-text('minimum score')")
    wait_for(first, lambda: count_searches(first, f"{address}{api}") > 0)
    second.close()
    wait_for(first, lambda: count_searches(first, f"{address}{api}") == 0, SEARCH_S / 2)


def count_searches(page: Page, api: str) -> int:
    """Return how many searches run, as the page can ask and does not say."""
    return int(page.evaluate("async (api) => (await (await import(api)).get('about')).running", api))


def wait_for_a_tab_that_starts(stranger: BrowserContext, address: str, site: Path) -> None:
    """However often it asks in vain whether that one is there."""
    loading: list[Route] = []
    vain: list[Route] = []

    def delay(route: Route) -> None:
        loading.append(route)

    def count(route: Route) -> None:
        vain.append(route)
        route.fulfill(body="")

    stranger.route("**/*.asm.wasm", delay)
    stranger.route("**/asked-in-vain", count)
    alter_engine(stranger, site, TELL_LOCKS, patience_ms=500)
    first, second = stranger.new_page(), stranger.new_page()
    first.goto(address)
    wait_for(first, lambda: bool(loading))
    second.goto(address)
    second.wait_for_selector("#message:has-text('Starting cpfill')")
    wait_for(second, lambda: len(vain) > 2)
    assert "Starting cpfill" in second.inner_text("#message")
    stranger.unroute("**/*.asm.wasm")
    for each in loading:
        each.continue_()
    for page in (first, second):
        await_start(page)
    goes_on(second)


def save_once_there_is_room(context: BrowserContext, address: str) -> None:
    page = visit(context, address)
    goes_on(page)
    browser = context.new_cdp_session(page)
    origin = {"origin": address.rstrip("/")}
    browser.send("Storage.overrideQuotaForOrigin", {**origin, "quotaSize": 1})
    page.click("#new")
    page.wait_for_selector("#message:has-text('no room left')")
    page.click("[data-cell='2']")
    page.keyboard.type("y")
    wait_for(page, lambda: said(page) == "not saved")
    page.keyboard.type("z")
    page.wait_for_selector("#message:has-text('no room left')")
    browser.send("Storage.overrideQuotaForOrigin", origin)
    wait_for(page, lambda: said(page) == "saved")
    assert page.inner_text("#message") == ""
    context.set_offline(True)
    page.reload()  # the memory of Python has made way, not the list
    await_start(page)
    wait_for(page, lambda: rows(page)[0][1:4] == "XYZ")
    open_puzzle(page, "puzzle 2.ipuz")
    wait_for(page, lambda: puzzle_open(page) == "puzzle 2.ipuz" and set("".join(rows(page))) == {"."})
    page.click("#tab-fill")
    ask_for_every_score(page)
    page.wait_for_selector("#words [data-word]", timeout=STARTED_MS)


LACKING = {
    "files that can be written": "delete FileSystemFileHandle.prototype.createWritable;",
    "anything that is kept": """
        for (const [kind, name] of [[StorageManager, "getDirectory"], [CacheStorage, "open"], [LockManager, "request"]])
            kind.prototype[name] = () => Promise.reject(new DOMException("no", "SecurityError"));
    """,
}


def work_in_memory(stranger: BrowserContext, address: str, site: Path, lacking: str) -> None:
    alter_engine(stranger, site, lacking)
    page = visit(stranger, address)
    assert said(page) == "in this tab only"
    assert "gone when it is closed" in page.inner_text("#hint-unkept")
    page.click("#tab-fill")
    ask_for_every_score(page)
    page.click("[data-cell='1']")
    page.keyboard.type("tea")
    page.wait_for_selector("#words [data-word]", timeout=STARTED_MS)
    wait_for(page, lambda: said(page) == "in this tab only")
    page.click("#new")
    wait_for(page, lambda: puzzle_open(page) == "puzzle 2.ipuz")
    open_puzzle(page, "puzzle.ipuz")
    wait_for(page, lambda: rows(page)[0].startswith(".TEA"))
    page.click("#manage")
    assert page.locator("#open-folder").count() == 0
    with page.expect_download() as download:
        page.click("#download-all")
    with zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())) as archive:
        assert sorted(archive.namelist()) == ["puzzle 2.ipuz", "puzzle.ipuz"]
        assert cpfill.read_puzzle(archive.read("puzzle.ipuz")).cells[:4] == ("", "T", "E", "A")
    page.click("#close-file")
    leaving: list[str] = []

    def leave(dialog: Dialog) -> None:
        leaving.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.reload()
    await_start(page)
    assert leaving == ["beforeunload"]
    assert set("".join(rows(page))) == {"."}
