"""A page in a real browser."""

from __future__ import annotations

import shutil
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Error, Page, ViewportSize

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PATIENCE_S = 20.0

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Give a browser without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def open_tab(browser: Browser, viewport: ViewportSize | None = None, *, has_touch: bool = False) -> Iterator[Page]:
    """Give a tab for one address after another: to open a tab takes longer than most of what is done in it."""
    with browser.new_context(locale="en-GB", viewport=viewport, has_touch=has_touch) as context:
        yield context.new_page()


@contextmanager
def visiting(tab: Page, address: str) -> Iterator[Page]:
    """Open the page in a tab that is left as it was; what goes wrong in the page fails the test."""
    faults: list[str] = []

    def hear(error: Error) -> None:
        faults.append(str(error))

    tab.on("pageerror", hear)
    tab.goto(address)
    tab.wait_for_selector("#words [data-word]")
    yield tab
    tab.remove_listener("pageerror", hear)
    tab.unroute_all(behavior="ignoreErrors")
    tab.evaluate("localStorage.clear()")  # another server may come to the same port
    tab.goto("about:blank")
    tab.mouse.move(0, 0)
    assert faults == []


def unfold(page: Page, what: str = "#terms") -> None:
    """Open what is folded: the settings of a search, a menu."""
    page.eval_on_selector(what, "(each) => { each.open = true; }")


def await_frame(page: Page) -> None:
    """Wait until what has happened is drawn."""
    page.evaluate("() => new Promise(requestAnimationFrame)")


def rows(page: Page) -> list[str]:
    """Return the grid as a person sees it: # for blocks, . where nothing is written."""
    script = """() => [...document.querySelectorAll('#grid [role=row]')].map(row => [...row.children].map(cell => {
        const marks = cell.classList, guess = ['ghost', 'forced', 'few'].some(mark => marks.contains(mark));
        return marks.contains('block') ? '#' : guess ? '.' : cell.querySelector('.letter').textContent || '.';
    }).join(''))"""
    await_frame(page)
    return list(page.evaluate(script))


def wait_for(page: Page, condition: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
    """Wait until a condition holds; conditions in the page itself would need its scripts to be evaluated."""
    end_s = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end_s, "it never came to that"
        page.wait_for_timeout(50)


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
