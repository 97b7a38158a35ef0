"""A constructor's hour at the page, cut short: a small grid, of which nothing that was typed is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.browser import needs_browser, open_tab
from tests.web.hour import spend
from tests.web.support import serving

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = needs_browser


def test_nothing_is_lost_in_an_hour(browser: Browser, tmp_path: Path) -> None:
    folder, downloads = tmp_path / "puzzles", tmp_path / "downloads"
    folder.mkdir()
    downloads.mkdir()
    with serving(folder) as served, open_tab(browser, {"width": 1280, "height": 720}) as tab:
        tab.goto(served.address)
        tab.wait_for_selector("#grid [data-cell]:focus")
        hand = spend(tab, folder, downloads, ["teacher"], 7)
    assert hand.lost == []
    assert [after for after, times in hand.dead.items() if times] == []
    assert all(counts["clicks"] + counts["keys"] for counts in hand.counts.values())
