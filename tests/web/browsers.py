"""Three browsers and one hand: Chromium and Firefox are driven by Playwright, WebKit by its own WebDriver."""

from __future__ import annotations

import shutil
import subprocess
import time
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tests.web.browser import CHROMIUM, FIREFOX, PATIENCE_S, start_chromium, start_firefox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Playwright

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


class Hand(Protocol):
    """Somebody at a browser's tab."""

    def go(self, address: str) -> None: ...

    def click(self, selector: str) -> None: ...

    def write(self, letters: str) -> None: ...

    def texts(self, selector: str) -> list[str]: ...


class PlaywrightHand:
    def __init__(self, page: Page) -> None:
        self.page = page

    def go(self, address: str) -> None:
        """Open an address."""
        self.page.goto(address)

    def click(self, selector: str) -> None:
        """Click on what is there."""
        self.page.click(selector)

    def write(self, letters: str) -> None:
        """Press one key after another."""
        self.page.keyboard.type(letters)

    def texts(self, selector: str) -> list[str]:
        """Return the text of each thing that matches."""
        return self.page.locator(selector).all_inner_texts()


class WebKitHand:
    def __init__(self, driver: Any) -> None:  # noqa: ANN401 - of Selenium, which need not be installed
        self.driver = driver

    def go(self, address: str) -> None:
        """Open an address."""
        self.driver.get(address)

    def click(self, selector: str) -> None:
        """Click on what is there."""
        await_that(lambda: self.driver.find_elements("css selector", selector))
        self.driver.find_element("css selector", selector).click()

    def write(self, letters: str) -> None:
        """Press one key after another."""
        from selenium.webdriver import ActionChains  # noqa: PLC0415 - see above

        ActionChains(self.driver).send_keys(letters).perform()

    def texts(self, selector: str) -> list[str]:
        """Return the text of each thing that matches."""
        script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText)"
        return list(self.driver.execute_script(script, selector))


@contextmanager
def new_hand(name: str, playwright: Playwright, downloads: Path) -> Iterator[Hand]:
    """Give a hand at a new browser that has been nowhere."""
    with ExitStack() as stack:
        if name == "webkit":
            yield WebKitHand(stack.enter_context(_open_webkit()))
            return
        start = start_firefox if name == "firefox" else start_chromium
        browser = start(playwright, downloads)
        stack.callback(browser.close)
        context = stack.enter_context(browser.new_context(locale="en-GB"))
        context.set_default_timeout(1000 * PATIENCE_S)
        yield PlaywrightHand(context.new_page())


@contextmanager
def _open_webkit() -> Iterator[Any]:
    """Open WebKit on a screen of its own, which nobody sees."""
    from selenium import webdriver  # noqa: PLC0415 - may not be installed

    assert SCREEN
    assert WEBKIT
    command = [SCREEN, "-displayfd", "1", "-screen", "0", "1300x900x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as screen:
        try:
            assert screen.stdout is not None
            options = webdriver.WebKitGTKOptions()
            options.binary_location = str(MINI)
            options.add_argument("--automation")
            # A page that keeps nothing asks before it is left.
            options.set_capability(
                "unhandledPromptBehavior", "accept"
            )  # a page that keeps nothing asks before it is left
            env = {"DISPLAY": f":{screen.stdout.readline().strip()}", "LANG": "en_GB.UTF-8"}
            service = webdriver.WebKitGTKService(WEBKIT, env=env)
            driver = webdriver.WebKitGTK(options=options, service=service)
            driver.set_script_timeout(PATIENCE_S)
            try:
                yield driver
            finally:
                driver.quit()
        finally:
            screen.terminate()


def await_that(condition: Callable[[], object], patience_s: float = PATIENCE_S, pause_s: float = 0.05) -> None:
    """Wait until a condition holds."""
    end_s = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end_s, "it never came to that"
        time.sleep(pause_s)
