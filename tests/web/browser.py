"""A page in a real browser, and the hand that uses it: it clicks on what is in sight, and presses keys."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Error, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, FilePayload, Locator, Page, Playwright, Route, ViewportSize

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PATIENCE_S = 60.0
"""How long a busy machine may take for anything; nothing waits longer than for what it waits for."""

MOST_PRESSES = 60
FIRST_OPEN = "#grid [data-cell]:not(.block) >> nth=0"
"""The first cell of a grid that may begin with a block."""
UNFINISHED = {".part", ".crdownload"}

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
needs_firefox = pytest.mark.skipif(FIREFOX is None, reason="no firefox")


def start_chromium(driver: Playwright, downloads: Path | None = None) -> Browser:
    return driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, downloads_path=downloads)


def start_firefox(driver: Playwright, downloads: Path, *, private: bool = False) -> Browser:
    """Return the Firefox that is installed, which is driven by WebDriver BiDi; all its windows may be private.

    It needs directories of its own, and does not show what it saved: that would take the focus.
    """
    env: dict[str, str | float | bool] = {name: at for name, at in os.environ.items() if not name.startswith("XDG_")}
    return driver.firefox.launch(
        executable_path=FIREFOX,
        channel="moz-firefox",
        env=env,
        downloads_path=downloads,
        firefox_user_prefs={
            "pdfjs.disabled": True,
            "browser.download.alwaysOpenPanel": False,
            "browser.privatebrowsing.autostart": private,
        },
    )


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Give a browser without a window."""
    with sync_playwright() as driver, closing(start_chromium(driver)) as browser:
        yield browser


@contextmanager
def open_tab(browser: Browser, viewport: ViewportSize | None = None, *, has_touch: bool = False) -> Iterator[Page]:
    """Give a tab for one address after another: to open a tab takes longer than most of what is done in it."""
    with browser.new_context(locale="en-GB", viewport=viewport, has_touch=has_touch) as context:
        context.set_default_timeout(1000 * PATIENCE_S)
        yield context.new_page()


@contextmanager
def without_faults(tab: Page) -> Iterator[None]:
    """Fail the test if anything goes wrong in the scripts of a page."""
    faults: list[str] = []

    def hear(error: Error) -> None:
        faults.append(str(error))

    tab.on("pageerror", hear)
    yield
    tab.remove_listener("pageerror", hear)
    assert faults == [], faults


@contextmanager
def visiting(tab: Page, address: str, ready: str = "#words [data-word]") -> Iterator[Page]:
    """Open the page in a tab that is left as it was; what goes wrong in the page fails the test."""
    try:
        with without_faults(tab):
            tab.mouse.move(0, 0)  # or what the pointer rests on shows what it is for
            tab.goto(address)
            tab.wait_for_selector(ready)
            yield tab
    finally:
        leave(tab, address)


def leave(tab: Page, address: str, kinds: str = "all") -> None:
    """Leave a page, shut all other tabs, and have Chromium forget what it keeps of the site, or some kinds of that."""
    for other in tab.context.pages:
        if other is not tab:
            other.close()
    tab.unroute_all(behavior="ignoreErrors")
    _rest(tab)
    parts = urlsplit(address)
    origin = f"{parts.scheme}://{parts.netloc}"
    devtools = tab.context.new_cdp_session(tab)
    if kinds == "all":
        # What the page writes as it goes may reach Chromium later than the order to forget it.
        wait_for(tab, lambda: goes(tab, f"{origin}/none"))
        for local in (True, False):
            devtools.send("DOMStorage.clear", {"storageId": {"securityOrigin": origin, "isLocalStorage": local}})
    tab.goto("about:blank")
    tab.mouse.move(0, 0)
    devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": kinds})
    devtools.detach()


def _rest(tab: Page) -> None:
    """Give the page a moment to save: a save on leaving may reach the server after the next test has begun."""
    script = "Promise.race([window.cpfill?.idle(), new Promise((resolve) => setTimeout(resolve, 2000))])"
    tab.evaluate(script)


def goes(tab: Page, address: str) -> bool:
    """Go to an address, unless the browser stays.

    Chromium, beside a PDF, answers its own question about leaving at times; Firefox drops an address where the page
    was just going elsewhere.
    """
    try:
        tab.goto(address)
    except Error as error:
        if not any(reason in error.message for reason in ("net::ERR_ABORTED", "NS_BINDING_ABORTED")):
            raise
        return False
    return True


def unfold(page: Page, what: str = "#terms") -> None:
    """Open what is folded: the settings of a search, a menu."""
    if page.get_attribute(what, "open") is None:
        page.click(f"{what} > summary")


def write_into(page: Page, field: str, text: str) -> None:
    """Write a text into a field, key by key, in the place of what stands there."""
    page.click(field)
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.type(text)
    await_frame(page)
    assert (found := page.input_value(field)) == text, found


def choose(page: Page, field: str, name: str) -> None:
    """Open a list of choices, and go to one of them by keys."""
    page.wait_for_selector(f'{field} option:text-is("{name}")', state="attached")
    page.click(field)
    names = page.locator(f"{field} option").all_text_contents()
    for key in ("Home", *["ArrowDown"] * names.index(name), "Enter"):
        page.keyboard.press(key)


def puzzle_open(page: Page) -> str | None:
    """Return the file name of the puzzle that is open, if one is."""
    return page.get_attribute("#puzzles", "data-name")


def list_puzzles(page: Page) -> list[str]:
    """Return the file names of the puzzles to choose from, the last saved first."""
    page.click("#puzzles")
    page.wait_for_selector("#puzzles-dialog [data-puzzle]")
    names = page.locator("#puzzles-dialog [data-puzzle]").evaluate_all(
        "(all) => all.map((each) => each.dataset.puzzle)"
    )
    page.keyboard.press("Escape")
    return [str(name) for name in names]


def open_puzzle(page: Page, name: str) -> None:
    """Choose a puzzle in the list of them, which need not be open when this returns."""
    page.click("#puzzles")
    page.click(f'#puzzles-dialog [data-puzzle="{name}"]')


def make_otherwise(page: Page, button: str) -> None:
    """Press a button of *Design* that stands in the menu beside the first."""
    unfold(page, "#other-ways")
    page.click(button)


def pick(page: Page, button: str, files: Path | FilePayload | list[FilePayload]) -> None:
    """Press a button that asks for files, and choose some in the dialog of the browser."""
    with page.expect_file_chooser() as asked:
        page.click(button)
    asked.value.set_files(files)


def hold(page: Page, address: str) -> list[Route]:
    """Have requests wait, as on a busy machine, until `release` lets them through."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(address, keep)
    return held


def release(held: list[Route]) -> None:
    """Let the requests through that wait."""
    while held:
        held.pop(0).continue_()


def go_to(page: Page, there: Locator, key: str = "Tab") -> None:
    """Press a key until the focus is there; Escape before it leaves the grid at once."""
    for _ in range(MOST_PRESSES):
        if there.evaluate("(each) => each === document.activeElement"):
            return
        if focused(page, "role") == "gridcell":
            page.keyboard.press("Escape")
        page.keyboard.press(key)
        await_frame(page)
    pytest.fail(f"{key} never leads to {there}")


def list_files(downloads: Path) -> list[Path]:
    """Return what was saved there; WebKit, whose home it is, has directories of its own beside."""
    return [path for path in downloads.iterdir() if path.is_file()]


@contextmanager
def downloading(page: Page, downloads: Path) -> Iterator[list[Path]]:
    """Wait for the file that a key brings; Playwright hears of none that Firefox saves, so it is looked for."""
    for path in list_files(downloads):
        path.unlink()
    found: list[Path] = []

    def arrived() -> bool:
        found[:] = list_files(downloads)
        return len(found) == 1 and found[0].suffix not in UNFINISHED and found[0].stat().st_size > 0

    yield found
    wait_for(page, arrived)


def focused(page: Page, attribute: str = "id") -> str | None:
    """Return an attribute of what has the focus."""
    await_frame(page)
    found = page.evaluate("(name) => document.activeElement.getAttribute(name)", attribute)
    return None if found is None else str(found)


def await_frame(page: Page) -> None:
    """Wait until what has happened is drawn."""
    page.evaluate("() => new Promise(requestAnimationFrame)")


def keep_still(page: Page) -> None:
    """Have the program write nothing unasked."""
    unfold(page, "#settings")
    page.check("#still")
    page.click("#settings > summary")
    if page.locator("#grid .pencilled").count():
        unfold(page, "#rare")
        page.click("#clear")
        wait_for(page, lambda: not page.locator("#grid .pencilled").count())
        page.wait_for_selector("#saving.saved", state="attached")  # a phone has no room for it


def own(page: Page) -> list[str]:
    """Return the letters of the grid's author alone."""
    return rows(page, ".ghost, .forced, .few, .pencilled")


def rows(page: Page, guessed: str = ".ghost, .forced, .few") -> list[str]:
    """Return the grid as a person sees it: # for blocks, . where nothing is written, or only what is guessed."""
    script = """(guessed) => [...document.querySelectorAll('#grid [role=row]')].map((row) => [...row.children]
        .map((cell) => cell.matches('.block') ? '#'
            : guessed && cell.matches(guessed) ? '.' : cell.querySelector('.letter').textContent || '.').join(''))"""
    await_frame(page)
    return list(page.evaluate(script, guessed))


def wait_for(page: Page, condition: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
    """Wait until a condition holds; conditions in the page itself would need its scripts to be evaluated."""
    end_s = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end_s, "it never came to that"
        page.wait_for_timeout(50)


def await_idle(page: Page) -> None:
    """Wait until the page is at rest: no question, save or drawing is under way."""
    page.evaluate("cpfill.idle()")


def begin(page: Page) -> None:
    """Put the cursor on the first cell, across, by way of the one beside it."""
    page.click("[data-cell='1']")
    for _ in range(MOST_PRESSES):
        if page.locator("[data-cell='0'].cursor").count():
            return
        page.keyboard.press("ArrowLeft")
        await_frame(page)
    pytest.fail("the first cell is out of reach")


def start_over(page: Page) -> None:
    """Undo all, and put the cursor on the first cell."""
    page.click("#tab-fill")
    await_idle(page)
    for _ in range(MOST_PRESSES):
        if page.is_disabled("#undo"):
            break
        page.click("#undo")
        await_frame(page)
    begin(page)


def barriers(page: Page, *rules: str) -> list[str]:
    """Return what axe finds to be in the way of people: by all its rules, or by some such as `color-contrast`.

    Of the words of a slot, which are all alike, it is shown a few: each element takes it milliseconds.
    """
    await_frame(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    script = """(rules) => {
        const lists = [...document.querySelectorAll(".words")], rest = lists.map((list) => [...list.children].slice(4));
        rest.flat().forEach((row) => row.remove());
        const told = ({id, nodes}) => `${id}: ${nodes.map(({target}) => target.join(" "))}`;
        return axe.run(document, {resultTypes: ["violations"], ...(rules.length && {runOnly: rules})})
            .then(({violations}) => violations.map(told))
            .finally(() => lists.forEach((list, at) => list.append(...rest[at])));
    }"""
    return list(page.evaluate(script, rules))


def words_in(shown: list[str]) -> list[str]:
    """Return the words in the rows of a grid, those across first."""
    lines = [*shown, *map("".join, zip(*shown, strict=True))]
    return [word for line in lines for word in line.split("#") if len(word) > 1]
