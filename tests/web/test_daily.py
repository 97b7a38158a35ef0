"""A site of daily puzzles: its files, and a visitor's days in a real browser."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

import cpfill
from cpfill.base.errors import InputError
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from cpfill.web.daily_site import read_days, write_daily_site
from tests.web.browser import barriers, needs_browser, wait_for, without_faults
from tests.web.site import hosting, visitor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = needs_browser

HOSTILE = "</script><img src=x onerror=document.title='gone'><!--"
FIRST = date(2026, 12, 30)
WORDS = ("TEAOAREND", "CATODEWED", "PINACEDRY", "ZQXJZQXJZ")
"""The rows of the puzzles of four days; no page has the letters of the last but its own."""
ATOM = "{http://www.w3.org/2005/Atom}"


def day_of(index: int) -> date:
    return FIRST + timedelta(days=index)


def write_folder(folder: Path) -> Path:
    """Write a puzzle for each day, beside files that are none."""
    folder.mkdir()
    for index, letters in enumerate(WORDS):
        puzzle = Puzzle(3, 3, tuple(letters), {(Direction.ACROSS, 1): HOSTILE})
        puzzle = replace(puzzle, metadata={PuzzlePart.TITLE: f"No. {index} {HOSTILE}", PuzzlePart.COPYRIGHT: "A Club"})
        (folder / f"{day_of(index)}.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
    (folder / f"{FIRST}.puz").write_bytes(b"another format of the first, which is not read")
    (folder / "used.txt").write_text("TEA\n")
    return folder


@pytest.fixture
def minis(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "minis")


def write(out: Path, minis: Path, until: date | None = None, url: str = "") -> dict[str, bytes]:
    """Write a site, and return its files by their names."""
    days = read_days(minis, until=until)
    size = write_daily_site(out, days, "The Daily", until=until or day_of(1), url=url)
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert size == sum(map(len, files.values()))
    return files


# Files


def test_the_same_puzzles_give_the_same_site(minis: Path, tmp_path: Path) -> None:
    assert write(tmp_path / "one", minis) == write(tmp_path / "other", minis)


def test_later_puzzles_are_nowhere_in_the_files(minis: Path, tmp_path: Path) -> None:
    answer = json.dumps([*WORDS[3]]).encode()
    assert sum(answer in data for data in write(tmp_path / "out", minis).values()) == 1
    files = write(tmp_path / "out", minis, until=day_of(2))
    assert {name for name in files if name.startswith("20")} == {f"{day_of(index)}/index.html" for index in range(3)}
    for data in files.values():
        assert answer not in data
        assert str(day_of(3)).encode() not in data


def test_a_site_that_was_broken_off_is_written_anew(minis: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    whole = write(out, minis)
    (folder,) = out.glob("daily-*")
    shutil.rmtree(folder)
    assert write(out, minis) == whole


def test_a_site_of_another_kind_is_not_replaced(minis: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "page-1").mkdir(parents=True)
    (out / "manifest.webmanifest").touch()
    with pytest.raises(InputError, match="an earlier site"):
        write(out, minis)
    assert (out / "page-1").exists()


def test_the_feed_has_absolute_links_if_asked(minis: Path, tmp_path: Path) -> None:
    url = "https://example.org/daily/"
    root = ET.fromstring(write(tmp_path / "out", minis, url=url)["feed.xml"])  # noqa: S314 - our own
    assert [root.findtext(f"{ATOM}{name}") for name in ("title", "id", "updated")] == [
        "The Daily",
        url,
        f"{day_of(1)}T00:00:00Z",
    ]
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    assert [(link.get("rel"), link.get("href")) for link in root.findall(f"{ATOM}link")] == [
        (None, url),
        ("self", f"{url}feed.xml"),
    ]
    entries = root.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == [
        f"{day_of(1)} · No. 1 {HOSTILE}",
        f"{day_of(0)} · No. 0 {HOSTILE}",
    ]
    for entry in entries:
        link = entry.find(f"{ATOM}link")
        assert link is not None
        assert link.get("href") == entry.findtext(f"{ATOM}id")
    relative = ET.fromstring(write(tmp_path / "out", minis)["feed.xml"])  # noqa: S314
    found = [entry.findtext(f"{ATOM}id") or "" for entry in relative.iter(f"{ATOM}entry")]
    assert len({*found}) == 2
    assert all(re.match("urn:uuid:", each) for each in found)


def test_files_without_dates_follow_one_another(minis: Path) -> None:
    for index in range(4):
        (minis / f"{day_of(index)}.ipuz").rename(minis / f"mini-{9 + index}.ipuz")
    (minis / f"{FIRST}.puz").unlink()
    days = read_days(minis, date(2027, 2, 27))
    assert [(str(day.date), "".join(filter(None, day.puzzle.cells))) for day in days] == [
        ("2027-02-27", WORDS[0]),
        ("2027-02-28", WORDS[1]),
        ("2027-03-01", WORDS[2]),
        ("2027-03-02", WORDS[3]),
    ]


# A visitor


@pytest.fixture
def address(minis: Path, tmp_path: Path) -> Iterator[str]:
    write(tmp_path / "out", minis)
    with hosting(tmp_path / "out") as host:
        yield host


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[BrowserContext]:
    with visitor(browser, address) as (context, elsewhere):
        yield context
        assert elsewhere == []


def open_on(context: BrowserContext, address: str, day: date) -> Page:
    """Open an address on a day, in a tab of its own."""
    page = context.new_page()
    page.clock.set_fixed_time(datetime(day.year, day.month, day.day, 12))  # noqa: DTZ001 - the visitor's own
    page.goto(address)
    return page


def letters(page: Page) -> str:
    return "".join(text or "." for text in page.locator(".player .letter").all_text_contents())


def test_a_visitor_solves_day_after_day(reader: BrowserContext, address: str) -> None:
    page = open_on(reader, address, day_of(1))
    with without_faults(page):
        solve_today(page, address)
        check_and_reveal_yesterday(page)
        read_the_archive(page)
        come_before_the_day(page, address)
        go_offline(reader, page, address)
    page.close()
    early = open_on(reader, address, FIRST - timedelta(days=1))
    early.wait_for_selector("#archive p:visible")
    assert re.fullmatch("The first puzzle comes on .* 30 December 2026.", early.inner_text("#archive p >> nth=0"))
    late = open_on(reader, address, day_of(99))
    late.wait_for_url(f"{address}{day_of(3)}/")
    assert late.locator("[rel=next]").count() == 0


def solve_today(page: Page, address: str) -> None:
    """Solve the puzzle of the day by keys; the clock stands, and all is there at the next visit."""
    page.wait_for_url(f"{address}{day_of(1)}/")
    page.wait_for_selector(".player .field:focus")
    assert "31 December 2026" in page.inner_text(".day h1")
    assert page.is_hidden("[rel=next]")
    assert barriers(page) == []
    page.keyboard.type("cat")
    page.wait_for_selector(".player .clock:not(:has-text('0:00'))")
    page.keyboard.type("odewex")
    page.wait_for_selector(".player .told:has-text('not all letters are right')")
    page.keyboard.type("d")
    page.wait_for_selector(".player .told:has-text('Solved in')")
    assert page.is_hidden(".player [data-do=pause]")
    stopped = page.inner_text(".player .clock")
    page.goto(address)
    page.wait_for_url(f"{address}{day_of(1)}/")
    wait_for(page, lambda: letters(page) == WORDS[1])
    assert page.inner_text(".player .clock") == stopped
    assert "A Club" in page.inner_text(".notes")
    assert not page.title().startswith("gone")


def check_and_reveal_yesterday(page: Page) -> None:
    page.click("[rel=prev]")
    page.wait_for_selector(".player .field:focus")
    page.keyboard.type("tex")
    page.click(".player [data-do='check-all']")
    assert page.locator(".player .wrong .letter").all_inner_texts() == ["X"]
    page.click(".player [data-cell='3']")
    page.click(".player [data-do='reveal-letter']")
    assert letters(page) == "TEXO....."


def read_the_archive(page: Page) -> None:
    page.click("header >> text=All puzzles")
    page.wait_for_selector("#archive li.solved")
    assert barriers(page) == []
    shown = page.locator("#archive li:visible a")
    assert shown.evaluate_all("(all) => all.map((each) => each.getAttribute('href'))") == [
        f"{day_of(index)}/" for index in range(2)
    ]
    assert page.locator("#archive li.begun").get_attribute("data-day") == str(day_of(0))
    assert "solved in" in str(page.locator("#archive li.solved a").get_attribute("aria-label"))
    assert page.inner_text("[role=status]") == "Solved: 1 of 2"
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    shown.first.click()
    page.wait_for_selector(".player .field:focus")
    assert letters(page) == "TEXO....."
    page.click(".player [data-do='reveal-all']")
    page.go_back()
    wait_for(page, lambda: page.inner_text("[role=status]") == "Solved: 2 of 2")
    assert str(shown.first.get_attribute("aria-label")).endswith("solved with help")


def come_before_the_day(page: Page, address: str) -> None:
    """A puzzle to come shows nothing until its day begins."""
    page.goto(f"{address}{day_of(2)}/")
    page.wait_for_selector("text=This puzzle has not come out yet.")
    assert page.locator(".player").count() == 0
    page.clock.set_fixed_time(datetime(day_of(2).year, day_of(2).month, day_of(2).day, 0, 1))  # noqa: DTZ001
    page.reload()
    page.wait_for_selector(".player .field:focus")
    page.keyboard.type("pin")
    assert letters(page) == "PIN......"


def go_offline(reader: BrowserContext, page: Page, address: str) -> None:
    """The day, those before it, and the archive are at hand; an address that is not leads to the day."""
    page.wait_for_selector("#kept:visible")
    reader.set_offline(True)
    page.goto(address)
    page.wait_for_url(f"{address}{day_of(2)}/")
    wait_for(page, lambda: letters(page) == "PIN......")
    page.click("[rel=prev]")
    wait_for(page, lambda: letters(page) == WORDS[1])
    page.click("header >> text=All puzzles")
    page.wait_for_selector("#archive li.solved")
    page.goto(f"{address}{day_of(3)}/")
    page.wait_for_url(f"{address}{day_of(2)}/")
    reader.set_offline(False)
