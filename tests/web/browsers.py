"""Three browsers and one hand: Chromium and Firefox are driven by Playwright, WebKit by its own WebDriver."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import urldefrag

from tests.web.browser import CHROMIUM, FIREFOX, PATIENCE_S, goes, start_chromium, start_firefox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Playwright, ViewportSize

T = TypeVar("T")

WEBKIT = shutil.which("WebKitWebDriver")
SCREEN = shutil.which("Xvfb")
MINI = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), None)
"""What WebKit's driver opens: Debian's package `libwebkit2gtk-4.1-0` has it."""

BROWSERS = {
    name: there
    for name, there in {
        "chromium": CHROMIUM,
        "firefox": FIREFOX,
        "webkit": find_spec("selenium") and WEBKIT and SCREEN and MINI,
    }.items()
    if there
}
"""The browsers that are installed."""
PHONE = "phone"
"""Chromium on the screen of one."""
PRIVATE = "private firefox"
"""Firefox whose windows are private; those of WebKit are when it is driven."""


class Hand(Protocol):
    """Somebody at a browser's tab."""

    def go(self, address: str) -> None: ...

    def click(self, selector: str) -> None: ...

    def write(self, letters: str) -> None: ...

    def press(self, key: str) -> None: ...

    def texts(self, selector: str) -> list[str]: ...

    def run(self, script: str, *args: object) -> Any: ...


class PlaywrightHand:
    def __init__(self, page: Page) -> None:
        self.page = page

    def go(self, address: str) -> None:
        """Open an address."""
        await_that(lambda: goes(self.page, address))

    def click(self, selector: str) -> None:
        """Click on what is there."""
        self.page.click(selector)

    def write(self, letters: str) -> None:
        """Press one key after another."""
        self.page.keyboard.type(letters)

    def press(self, key: str) -> None:
        """Press a key that writes nothing, by its name in browsers, alone or with Control."""
        self.page.keyboard.press(key)

    def texts(self, selector: str) -> list[str]:
        """Return the text of each thing that matches."""
        return self.page.locator(selector).all_inner_texts()

    def run(self, script: str, *args: object) -> Any:
        """Return what a function of JavaScript returns, or resolves to."""
        return self.page.evaluate(f"(args) => ({script})(...args)", list(args))


class WebKitHand:
    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def go(self, address: str) -> None:
        """Open an address, and leave one where that is asked again: only then is the page there another."""
        self.driver.get(address)
        await_that(lambda: urldefrag(self.driver.current_url).url == urldefrag(address).url)

    def click(self, selector: str) -> None:
        """Click on what is there, once it takes clicks."""
        from selenium.common import exceptions

        redrawn = exceptions.StaleElementReferenceException, exceptions.ElementNotInteractableException

        def clicks() -> bool:
            for found in self.driver.find_elements("css selector", f"{selector}:not([inert] *)"):
                with suppress(*redrawn):
                    found.click()
                    return True
            return False

        await_that(clicks)

    def write(self, letters: str) -> None:
        """Press one key after another."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(letters).perform()

    def press(self, key: str) -> None:
        """Press a key that writes nothing, by its name in browsers, alone or with Control."""
        from selenium.webdriver import ActionChains, Keys

        held, _, last = key.rpartition("+")
        code = getattr(Keys, re.sub("(?<=[a-z])(?=[A-Z])", "_", last).upper(), last)
        hand = ActionChains(self.driver)
        hand = hand.key_down(Keys.CONTROL).send_keys(code).key_up(Keys.CONTROL) if held else hand.send_keys(code)
        hand.perform()

    def texts(self, selector: str) -> list[str]:
        """Return the text of each thing that matches."""
        return list(self.run("(name) => [...document.querySelectorAll(name)].map((each) => each.innerText)", selector))

    def run(self, script: str, *args: object) -> Any:
        """Return what a function of JavaScript returns, or resolves to."""
        told = f"const [args, tell] = arguments; Promise.resolve(({script})(...args)).then(tell);"
        return self.driver.execute_async_script(told, list(args))


@contextmanager
def new_hand(name: str, playwright: Playwright, downloads: Path) -> Iterator[Hand]:
    """Give a hand at a new browser that has been nowhere, and saves files in a directory."""
    with ExitStack() as stack:
        if name == "webkit":
            yield WebKitHand(stack.enter_context(_open_webkit(downloads)))
            return
        if name in {"firefox", PRIVATE}:
            browser = start_firefox(playwright, downloads, private=name == PRIVATE)
        else:
            browser = start_chromium(playwright, downloads)
        stack.callback(browser.close)
        screen: ViewportSize | None = {"width": 360, "height": 740} if name == PHONE else None
        context = stack.enter_context(browser.new_context(locale="en-GB", viewport=screen, has_touch=bool(screen)))
        context.set_default_timeout(1000 * PATIENCE_S)
        yield PlaywrightHand(context.new_page())


@contextmanager
def _open_webkit(downloads: Path) -> Iterator[Any]:
    """Open WebKit on a screen of its own, which nobody sees; it saves files at home."""
    from selenium import webdriver

    assert SCREEN
    assert WEBKIT
    command = [SCREEN, "-displayfd", "1", "-screen", "0", "1300x900x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as screen:
        try:
            assert screen.stdout is not None
            options = webdriver.WebKitGTKOptions()
            options.binary_location = str(MINI)
            options.add_argument("--automation")
            options.set_capability("unhandledPromptBehavior", "accept")  # who keeps nothing is asked before leaving
            env = {"DISPLAY": f":{screen.stdout.readline().strip()}", "LANG": "en_GB.UTF-8", "HOME": str(downloads)}
            service = webdriver.WebKitGTKService(WEBKIT, env=env)
            driver = webdriver.WebKitGTK(options=options, service=service)
            driver.set_script_timeout(PATIENCE_S)
            try:
                yield driver
            finally:
                driver.quit()
        finally:
            screen.terminate()


def await_that(condition: Callable[[], T], patience_s: float = PATIENCE_S, pause_s: float = 0.05) -> T:
    """Wait until a condition holds; return what it gave, which may be otherwise when asked again."""
    end_s = time.monotonic() + patience_s
    while not (found := condition()):
        assert time.monotonic() < end_s, "it never came to that"
        time.sleep(pause_s)
    return found
