"""The pictures of the page in README.md, BLOCKS.md and the tutorial, made anew.

    python -m tests.web.screenshots [PART...]

Does in a browser what these pages say, or those parts of it, and writes `.github/page*.png`. The grid is another each
time; look at what was made before it is committed.
"""

from __future__ import annotations

import io
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

import cpfill
from cpfill.puzzle.puzzle import Puzzle
from tests.support import INSTANCES, ROOT
from tests.web.browser import (
    choose,
    open_browser,
    open_puzzle,
    open_tab,
    visiting,
    wait_for,
    write_into,
)
from tests.web.support import serving

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

THEME = ("silverscreen", "goldenretriever", "bronzemedals")
COLOURS = 128
FOOD = "bread, butter, cheese, honey, lemon, salad, onion, olive, pasta, pizza, potato, tomato, carrot, pepper, sugar"
DEAD_END = {0: "Q", 1: "Z"}
"""Letters at the top of a grid that no word has together."""


def main() -> None:
    """Write the pictures."""
    with tempfile.TemporaryDirectory() as name, open_browser() as browser:
        folder = Path(name)
        hard = cpfill.read_puzzle(INSTANCES / "classic" / "15.02.txt")
        hard = replace(hard, work={"terms": {"words": ["en"], "minScore": 60}})
        (folder / "hard.ipuz").write_bytes(cpfill.write_puzzle(hard, "ipuz")[0])
        puzzle = cpfill.read_puzzle(INSTANCES / "classic" / "15.01.txt")
        (folder / "first.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
        (folder / "few.ipuz").write_bytes(cpfill.write_puzzle(Puzzle(11, 11, ("",) * 121), "ipuz")[0])
        with (
            serving(folder) as served,
            open_tab(browser, {"width": 1280, "height": 720}) as tab,
            visiting(tab, served.address) as page,
        ):
            for part in PARTS:
                if part.__name__ in (sys.argv[1:] or [part.__name__]):
                    part(page, lambda name: keep(page.screenshot(), name))


def keep(picture: bytes, name: str) -> None:
    """Write a picture in few enough colours to take a third of the room."""
    reduced = Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS)
    reduced.save(ROOT / ".github" / f"{name}.png", optimize=True)


def say_which_block_would_help(page: Page, shoot: Callable[[str], object]) -> None:
    open_puzzle(page, "hard.ipuz")
    page.wait_for_selector(".reasons h2")
    page.click("#ask-edits")
    page.wait_for_selector(".repairs button:has-text('Add')", timeout=60_000)
    wait_for(page, lambda: "would help" in page.inner_text(".reasons [role=status]"))
    page.hover(".repairs button:has-text('Add') >> nth=0")
    page.wait_for_timeout(500)
    shoot("page-edits")
    open_puzzle(page, "first.ipuz")
    page.wait_for_selector("#words [data-word].yes")


def seek_few_blocks(page: Page, shoot: Callable[[str], object]) -> None:
    open_puzzle(page, "few.ipuz")
    page.click("#tab-design")
    choose(page, "#style", "French")
    choose(page, "#goal", "fewest blocks")
    page.click("#generate-filled")
    page.wait_for_selector("#patterns .thumbnail")
    page.wait_for_timeout(60_000)
    page.click("#stop-generating")
    page.wait_for_selector("#message:has-text('blocks')")
    page.wait_for_timeout(1000)
    shoot("page-blocks")
    page.keyboard.press("Control+z")


def seek_a_theme(page: Page, shoot: Callable[[str], object]) -> None:
    open_puzzle(page, "few.ipuz")
    page.click("#tab-design")
    choose(page, "#style", "American")
    choose(page, "#goal", "most theme words")
    write_into(page, "#grid-pool-words", FOOD)
    page.keyboard.press("Enter")
    page.click("#generate-filled")
    page.wait_for_selector("#patterns .thumbnail")
    page.wait_for_timeout(30_000)
    page.click("#patterns .thumbnail")
    page.wait_for_selector("#message:has-text('Theme words')")
    page.wait_for_timeout(1000)
    shoot("page-theme")
    page.click("#tab-fill")


def explain_a_dead_end(page: Page, shoot: Callable[[str], object]) -> None:
    for cell, letter in DEAD_END.items():
        page.click(f"[data-cell='{cell}']")
        page.keyboard.type(letter)
    page.wait_for_selector(".repairs button", timeout=60_000)
    page.wait_for_selector(".reasons .summary", state="detached", timeout=60_000)
    page.wait_for_selector("#saving.saved")
    shoot("page-why")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")


def design(page: Page, shoot: Callable[[str], object]) -> None:
    open_puzzle(page, "first.ipuz")
    page.click("#tab-design")
    for at, word in enumerate(THEME):
        write_into(page, f"#seed-{at}", word)
        page.wait_for_selector(f"#seed-{at + 1}")
    page.click("#generate-filled")
    page.wait_for_selector("#stop-generating")
    page.wait_for_selector("#generate-filled", timeout=120_000)
    wait_for(page, lambda: "lowest" in page.inner_text("#status"))
    shoot("page-design")


def fill(page: Page, shoot: Callable[[str], object]) -> None:
    page.click("#tab-fill")
    page.click("[data-cell='0']")
    page.wait_for_selector("#crossing-words [data-word].yes")
    page.click("#ask-best")
    page.wait_for_selector("#words .best:has-text('min')", timeout=60_000)
    wait_for(page, lambda: "lowest" in page.inner_text("#status"))
    page.wait_for_timeout(3000)
    shoot("page")


def judge(page: Page, shoot: Callable[[str], object]) -> None:
    page.click("#tab-check")
    page.wait_for_selector("#panel-check meter")
    shoot("page-check")


def clue(page: Page, shoot: Callable[[str], object]) -> None:
    page.click("#tab-clues")
    write_into(page, "[id='clue-1-Across']", "A first clue")
    page.keyboard.press("Enter")
    shoot("page-clues")


def export(page: Page, shoot: Callable[[str], object]) -> None:
    page.click("#tab-export")
    page.wait_for_selector("#panel-export button")
    page.wait_for_timeout(3000)
    shoot("page-export")


PARTS = (
    say_which_block_would_help,
    seek_few_blocks,
    seek_a_theme,
    explain_a_dead_end,
    design,
    fill,
    judge,
    clue,
    export,
)

if __name__ == "__main__":
    main()
