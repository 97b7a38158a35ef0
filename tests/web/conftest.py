from __future__ import annotations

import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from cpfill.engines.toolkit.wasm import MODULE
from cpfill.testing.conftest import left_behind, work_going_on
from cpfill.web.serve import PageServer
from cpfill.web.site import write_site
from tests.web.browser import open_tab, start_chromium, start_firefox
from tests.web.site import depart, hosting, visit, visitor
from tests.web.support import Client, answering, await_quiet, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page, Playwright
    from uvicorn import Server

WORDS = "ABC;9\nADE;8\nAGE;7\nCXE;6\nEFE;5\nEYE;4\nCUE;3\n"


@pytest.fixture(scope="package")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where browsers put what they save."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="package")
def browser(driver: Playwright, downloads: Path) -> Iterator[Browser]:
    with closing(start_chromium(driver, downloads)) as opened:
        yield opened


@pytest.fixture(scope="package")
def firefox(driver: Playwright, downloads: Path) -> Iterator[Browser]:
    with closing(start_firefox(driver, downloads)) as opened:
        yield opened


@pytest.fixture(scope="package")
def tab(browser: Browser) -> Iterator[Page]:
    """Return the one tab of all tests that need no other: each leaves it as it was, by `visiting`."""
    with open_tab(browser) as opened:
        yield opened


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PageServer, Server]]:
    """Return the one server of all tests that need no other: it reads the word lists once."""
    page = PageServer.listen(tmp_path_factory.mktemp("served"), port=0)
    with answering(page) as server:
        yield page, server


@pytest.fixture
def puzzles(served: tuple[PageServer, Server]) -> Iterator[Path]:
    """Return the directory that is served, without a file."""
    page, server = served
    yield page.directory
    await_quiet(page, server)
    for path in page.directory.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


@pytest.fixture
def address(served: tuple[PageServer, Server]) -> str:
    """Return the address of the page over `puzzles`."""
    return served[0].address


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that `cpfill site` writes."""
    if shutil.which("npm") is None:
        pytest.skip("no npm")
    if not MODULE.is_file():
        pytest.skip("needs kernel.wasm: python .ci/kernel_wasm.py")
    out = tmp_path_factory.mktemp("site")
    write_site(out)
    return out


@pytest.fixture(scope="package")
def hosted(site: Path) -> Iterator[str]:
    """Return the address of that folder, where a host of static files has it."""
    with hosting(site) as address:
        yield address


@pytest.fixture(scope="package")
def regular(browser: Browser, hosted: str) -> Iterator[BrowserContext]:
    """Return a visitor who has been at the site before."""
    with visitor(browser, hosted) as (context, elsewhere):
        visit(context, hosted)
        depart(context, hosted)
        yield context
        assert elsewhere == []


@pytest.fixture
def context(regular: BrowserContext, hosted: str) -> Iterator[BrowserContext]:
    """Return that visitor, who has no puzzles there."""
    yield regular
    regular.set_offline(False)  # also where its test failed
    depart(regular, hosted)


@pytest.fixture
def stranger(browser: Browser, hosted: str) -> Iterator[BrowserContext]:
    """Return a visitor who has never been at the site."""
    with visitor(browser, hosted) as (opened, elsewhere):
        yield opened
        assert elsewhere == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the directory that is served, with a small word list."""
    folder = tmp_path / "puzzles"
    folder.mkdir()
    (folder / "mine.txt").write_text(WORDS)
    return folder


@pytest.fixture
def client(folder: Path) -> Iterator[Client]:
    """Yield a client of a server that runs in this process; afterwards nothing of it is left."""
    before = work_going_on()
    with serving(folder) as page:
        yield Client(page.port, page.token)
    assert left_behind(before) == []
