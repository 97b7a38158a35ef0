from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from cpfill.testing.work import left_behind, work_going_on
from cpfill.web.site import write_site
from tests.web.browser import open_browser
from tests.web.support import Client, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

WORDS = "ABC;9\nADE;8\nAGE;7\nCXE;6\nEFE;5\nEYE;4\nCUE;3\n"


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that `cpfill site` writes."""
    if shutil.which("npm") is None:
        pytest.skip("no npm")
    out = tmp_path_factory.mktemp("site")
    write_site(out)
    return out


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
