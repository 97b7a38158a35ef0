"""The page without a server, as `cpfill site` writes it, and a host of static files for it."""

from __future__ import annotations

import base64
import http.server
import threading
import zlib
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import cpfill
from cpfill.puzzle.parts import PuzzlePart
from tests.web.browser import leave, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page, Route

STARTED_MS = 120_000
"""How long the first visit may take on a busy machine."""

HOSTILE = "</title><script>document.title='gone'</script><img src=x onerror=\"document.title='gone'\">"
TEA = cpfill.Puzzle(3, 3, ("T", "E", "A", "O", None, "R", "P", "I", "N"), metadata={PuzzlePart.TITLE: f"Tea {HOSTILE}"})

PUZZLES = "local_storage,file_systems"
"""What the browser keeps of puzzles and choices, as against the files of the page and the memory of Python."""

IS_KEPT = "() => navigator.serviceWorker.controller !== null"
"""Whether the browser has the files of the page, and needs no network for them any more."""


@contextmanager
def hosting(folder: Path, asked: set[str] | None = None, service: threading.Event | None = None) -> Iterator[str]:
    """Serve a folder as `python -m http.server` does; give its address.

    What is asked for is added to `asked`; the service worker is handed out as soon as `service` is set.
    """

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            if service and self.path == "/service.js":
                service.wait(STARTED_MS / 1000)
            super().do_GET()

        def log_message(self, *_: object) -> None:
            if asked is not None:
                asked.add(self.path[1:])

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def visitor(browser: Browser, address: str) -> Iterator[tuple[BrowserContext, list[str]]]:
    """Give a browser of its own, for which there is no other host, and the addresses elsewhere that were asked for."""
    elsewhere: list[str] = []

    def sift(route: Route) -> None:
        asked = urlsplit(route.request.url)
        if asked.netloc == urlsplit(address).netloc or asked.scheme.startswith("chrome"):  # what shows a PDF is its own
            route.continue_()
        else:
            elsewhere.append(route.request.url)
            route.abort()

    with browser.new_context(locale="en-GB", accept_downloads=True) as context:
        context.set_default_timeout(STARTED_MS)
        context.route("**/*", sift)
        yield context, elsewhere


def link(address: str, data: bytes, kind: str = "puzzle") -> str:
    """Return an address that holds a file, made by an implementation of the tests alone."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(data) + packer.flush()
    return f"{address}#{kind}={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def visit(context: BrowserContext, address: str) -> Page:
    """Open the page, and wait until a key would be heard."""
    page = context.new_page()
    page.goto(address)
    await_start(page)
    return page


def depart(context: BrowserContext, address: str) -> None:
    """Shut the pages of a site, wait until none holds its files any more, and have the browser forget the puzzles."""
    for each in context.pages:
        each.close()
    page = context.new_page()
    page.goto(f"{address}service.js")  # of the same origin, and holds nothing
    wait_for(page, lambda: not page.evaluate("async () => (await navigator.locks.query()).held.length"))
    leave(page, address, PUZZLES)
    page.close()


KEEP = """async (bytes) => {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle("cpfill", {create: true});
    const config = await root.getDirectoryHandle(".config", {create: true});
    const folder = await config.getDirectoryHandle("cpfill", {create: true});
    const file = await (await folder.getFileHandle("words.txt", {create: true})).createWritable();
    await file.write(new Uint8Array(bytes));
    await file.close();
}"""


def keep_own_list(context: BrowserContext, address: str, data: bytes) -> None:
    """Have the browser keep a personal list, as an earlier visit could have left it."""
    page = context.new_page()
    page.goto(f"{address}service.js")  # of the same origin, and holds nothing
    page.evaluate(KEEP, list(data))
    page.close()


def await_start(page: Page) -> None:
    page.wait_for_selector("#grid [data-cell]:focus", timeout=STARTED_MS)
