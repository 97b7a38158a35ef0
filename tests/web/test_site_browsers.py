"""The page without a server in other browsers: a puzzle is begun, filled, drawn, and there again later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cpfill
from tests.support import INSTANCES
from tests.web.browsers import BROWSERS, Hand, await_that, new_hand
from tests.web.site import link

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Playwright

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:selenium")

KEEPING = {"saved", "in this tab only"}
"""What the page says when a file is as the grid is."""
LONG_S = 120.0


@pytest.fixture(params=[name for name in BROWSERS if name != "chromium"])
def hand(request: pytest.FixtureRequest, driver: Playwright, tmp_path: Path) -> Iterator[Hand]:
    with new_hand(request.param, driver, tmp_path) as opened:
        yield opened


def letters(hand: Hand) -> str:
    """Return the letters in sight; a dot for none."""
    shown = hand.texts("#grid [data-cell]:not(.block) .letter")
    return "".join(each.strip() or "." for each in shown)


def test_a_puzzle_is_begun_filled_drawn_and_kept(hand: Hand, hosted: str) -> None:
    grid = cpfill.write_puzzle(cpfill.read_puzzle(INSTANCES / "classic" / "15.01.txt"), "ipuz")[0]
    hand.go(link(hosted, grid))
    await_that(lambda: hand.texts("#grid .block"), LONG_S)
    hand.click("#tab-fill")
    hand.click("[data-cell='0']")
    hand.write("tr")
    await_that(lambda: letters(hand).startswith("TR"))
    await_that(lambda: hand.texts("#words [data-word]"), LONG_S)
    hand.click("#autofill")
    await_that(lambda: "." not in letters(hand) and hand.texts("#autofill"), LONG_S)

    hand.click("#best")
    await_that(lambda: hand.texts("#stop"))
    hand.click("#stop")
    await_that(lambda: hand.texts("#autofill"), 5)
    assert "." not in letters(hand)
    assert letters(hand).startswith("TR")
    hand.click("[data-cell='30']")
    await_that(lambda: hand.texts("#words[aria-busy=false] [data-word]"), LONG_S)

    hand.click("#tab-export")
    await_that(lambda: hand.texts("#losses")[0].startswith("Nothing that solvers see"), LONG_S)
    await_that(lambda: KEEPING & set(hand.texts("#saving")))
    if hand.texts("#saving") == ["saved"]:  # a browser that keeps no files says so
        before = letters(hand)
        hand.go("about:blank")
        hand.go(hosted)
        await_that(lambda: letters(hand) == before, LONG_S)
