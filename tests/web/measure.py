"""How soon the page does what is asked of it, beside its aims.

    python -m tests.web.measure [--runs N] [PART...]
    python -m tests.web.measure site phone

Runs `cpfill serve` over grids of `instances/`, as a user does, with a browser on it, and presses keys. A time begins
when the browser has the key, and ends when the frame is painted that shows what is waited for: up to 17 ms of each are
the wait for a frame. What shows in no frame is asked by `http.client`. The part `site`, which is only measured when it
is named, is the page without a server, in each browser that is installed; `phone` is the same on the screen of a phone,
whose processor the caller makes slow.
"""

from __future__ import annotations

import argparse
import gzip
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack, closing, contextmanager
from itertools import cycle, islice
from math import inf
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psutil
from playwright.sync_api import sync_playwright

import cpfill
from cpfill.puzzle.grid import Direction
from cpfill.questions.candidates import Candidates
from cpfill.web.site import write_site
from tests.support import INSTANCES
from tests.web.browser import (
    PATIENCE_S,
    await_frame,
    open_browser,
    open_puzzle,
    wait_for,
)
from tests.web.browsers import BROWSERS, PHONE, await_that, new_hand
from tests.web.site import IS_KEPT, hosting, link
from tests.web.support import Client

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from playwright.sync_api import Browser, Page, Playwright, Request

    from tests.web.browsers import Hand

AIMS = {
    "key to paint": 16,
    "... the work of it": 16,
    "candidates listed after a key": 50,
    "fillable or not, proved, sparse grid": 100,
    "other letters pencilled after a key": 100,
    "100 verdicts": 1000,
    "first sentence of a conflict": 500,
    "minimal conflict": 2000,
    "first repair": 2000,
    "page usable after `cpfill serve`": 800,
    "the last of 29 keys in 2 s answered": 100,
    "redraw of 225 cells and 100 rows": 30,
    "search closed when its client is gone": 50,
    "ended by Ctrl-C with streams open": 1000,
}
"""Milliseconds, by what is measured."""

SPARSE = ("15.01", "15.03", "15.06")
HALF_GIVEN = tuple(path.stem for path in sorted((INSTANCES / "half-given").glob("*.txt")))
PROBE = Path(__file__).with_name("measure.js")
FAST_S = 2 / 29
"""Between two keys of someone who types fast."""
BETWEEN_S = 0.3
"""Between two keys of someone who looks at the grid."""
FIRST_S = 10
"""Until a grid that is opened has its first fill."""

_OF_CONFLICTS = {
    "sentence": "first sentence of a conflict",
    "minimal": "minimal conflict",
    "repair": "first repair",
}

ENDLESS = {"puzzle": {"height": 9, "width": 9, "cells": [""] * 81}, "seconds": 300}

PARTS = ("start", "keys", "refills", "conflicts", "fast", "redraws", "ends")

SITE = "site"
ON_SITE = {
    "first visit, ms": 5000,
    "first visit, MB": 10,
    "cached start": 1000,
    "key to paint": 60,
    "key to candidates": 200,
    "... while a fill runs": 200,
    "good fill of 15.01": 2000,
    "Stop": 300,
    "memory after start, MB": 350,
    "memory at the end, MB": 500,
    "PDF": 5000,
}
"""What is measured there, and its aims; what has no unit is in milliseconds."""
PACKED = {".js", ".mjs", ".css", ".html", ".wasm", ".json", ".svg", ".webmanifest"}
"""Files that hosts send compressed."""

Times = dict[str, list[float]]


@contextmanager
def program(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run `cpfill serve`; give the address of the page."""
    command = [sys.executable, "-m", "cpfill", "serve", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"}) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip(), process
        finally:
            process.send_signal(signal.SIGINT)


@contextmanager
def page_of(browser: Browser, address: str) -> Iterator[Page]:
    """Open the page, and wait until a key would be heard."""
    with browser.new_context() as context:
        page = context.new_page()
        page.add_init_script(path=PROBE)
        page.goto(address)
        page.wait_for_selector("#grid [data-cell]:focus")
        yield page
        page.close()


def client_of(address: str) -> Client:
    parts = urlsplit(address)
    assert parts.port is not None
    return Client(parts.port, parts.fragment.removeprefix("token="))


def after_key(page: Page, key: str, names: list[str], **about: object) -> dict[str, float]:
    """Press a key, and return when some things were shown."""
    page.evaluate("([names, about]) => probe.begin(names, about)", [names, about])
    page.keyboard.press(key)
    return dict(page.evaluate("() => probe.told"))


def choose(page: Page, name: str) -> None:
    """Open a puzzle, and wait until it is judged."""
    open_puzzle(page, f"{name}.ipuz")
    wait_for(page, lambda: page.evaluate("probe.state.name") == f"{name}.ipuz")
    page.wait_for_selector("#words[aria-busy=false] [data-word]")


def fills_of(names: tuple[str, ...]) -> dict[str, cpfill.Fill]:
    found = {name: cpfill.solve(INSTANCES / "classic" / f"{name}.txt", "en").fill for name in names}
    return {name: fill for name, fill in found.items() if fill is not None}


def measure_keys(page: Page, times: Times, runs: int) -> None:
    """Write the first letters of the longer slots of a fill, and see what the page shows."""
    fills = fills_of(SPARSE)
    per_grid = -(-runs // len(fills))
    for name, fill in fills.items():
        choose(page, name)
        slots = [slot for slot in fill.grid.slots if slot.length > 4 and slot.direction is Direction.ACROSS]
        for slot in islice(slots, per_grid):
            cell = slot.cells[0]
            page.click(f'[data-cell="{cell}"]')
            wait_for(page, lambda: page.evaluate("probe.state.candidates.state") == "done")
            letter = fill.word_at(slot)[0]
            told = after_key(page, letter.lower(), ["drawn", "listed", "fillable", "judged"], cell=cell, letter=letter)
            times["key to paint"].append(told["drawn"])
            times["... the work of it"].append(told["busy"])
            times["candidates listed after a key"].append(told["listed"])
            times["fillable or not, proved, sparse grid"].append(told["fillable"])
            if told["rows"] >= 100:
                times["100 verdicts"].append(told["judged"])


def measure_refills(page: Page, times: Times, runs: int) -> None:
    """Write one fill over another that is pencilled, letter by letter, and see when the letters around give way."""
    per_grid = -(-runs // len(SPARSE))
    for name in SPARSE:
        fill = cpfill.solve(INSTANCES / "classic" / f"{name}.txt", "en", limits=cpfill.Limits(seed=1)).fill
        assert fill is not None
        choose(page, name)
        page.wait_for_selector("#fillable.yes")
        page.wait_for_timeout(1000 * FIRST_S)
        steps = [
            (cell, letter)
            for slot in fill.grid.slots
            if slot.direction is Direction.ACROSS
            for cell, letter in zip(slot.cells, fill.word_at(slot), strict=True)
        ]
        count = 0
        for cell, letter in steps:
            if page.evaluate("probe.state.cursor") != cell:
                page.click(f'[data-cell="{cell}"]')
            before = page.evaluate("([cell, letter]) => probe.letters(cell, letter)", [cell, letter])
            told = after_key(page, letter.lower(), ["refilled"], cell=cell, letter=letter, before=before)
            if page.evaluate("([cell, letter]) => probe.letters(cell, letter)", [cell, letter]) != before:
                times["other letters pencilled after a key"].append(told["refilled"])
                count += 1
            page.wait_for_timeout(1000 * BETWEEN_S)
            if count == per_grid:
                break


def find_mistake(name: str) -> tuple[int, str] | None:
    """Return a cell of a grid that is half given, and a letter that seems to fit there, with which there is no fill."""
    problem = cpfill.make_problem(INSTANCES / "half-given" / f"{name}.txt", "en")
    state, grid = Candidates(problem, limits=cpfill.Limits(time_s=20)), problem.grid
    for slot in problem.slots:
        for place, cell in enumerate(slot.cells):
            seeming = {each.word[place] for each in state.list_words(slot.id)}
            if len(grid.alphabet.members(grid.cells[cell])) == 1:
                continue
            (letters,) = state.judge_letters([cell])
            if dead := seeming & set(letters.no):
                return cell, min(dead)
    return None


def measure_conflicts(page: Page, times: Times, runs: int) -> None:
    """Make a mistake that no crossing shows, and see why there is no fill, and what would help."""
    for name in HALF_GIVEN[:runs]:
        if (mistake := find_mistake(name)) is None:
            continue
        cell, letter = mistake
        choose(page, f"half {name}")
        page.click(f'[data-cell="{cell}"]')
        page.wait_for_selector("#fillable.yes")
        told = after_key(page, letter.lower(), list(_OF_CONFLICTS))
        for shown, what in _OF_CONFLICTS.items():
            times[what].append(told.get(shown, inf))


def measure_fast_keys(page: Page, client: Client, times: Times) -> str:
    """Press 29 keys in 2 s, and say what became of the search of each."""
    name = SPARSE[1]
    fill = fills_of((name,))[name]
    across = [slot for slot in fill.grid.slots if slot.direction is Direction.ACROSS]
    keys = [key for slot in across for key in (*fill.word_at(slot).lower(), "Tab")][:29]
    choose(page, name)
    page.focus('[data-cell="0"]')
    wait_for(page, lambda: client.running == 0)
    begun: list[Request] = []
    ended: list[Request] = []

    def begin(request: Request) -> None:
        begun.append(request)

    def end(request: Request) -> None:
        ended.append(request)

    page.on("request", begin)
    page.on("requestfailed", end)
    due = start = time.monotonic()
    for key in keys[:-1]:
        page.keyboard.press(key)
        due += FAST_S
        time.sleep(max(0.0, due - time.monotonic()))
    took_s = time.monotonic() - start
    times["the last of 29 keys in 2 s answered"].append(after_key(page, keys[-1], ["listed"]).get("listed", inf))
    wait_for(page, lambda: client.running == 0)
    page.remove_listener("request", begin)
    page.remove_listener("requestfailed", end)
    asked, cut = (sum(each.url.endswith("/api/candidates") for each in some) for some in (begun, ended))
    return f"{len(keys)} keys in {took_s:.1f} s: {asked} searches, {cut} of them ended before their time; none runs on"


def measure_redraws(page: Page, times: Times, runs: int) -> None:
    choose(page, SPARSE[0])
    for letter, verdict in islice(cycle([("A", "yes"), ("B", "no"), ("C", "open")]), runs):
        told = page.evaluate("([letter, verdict]) => probe.redraw(letter, verdict)", [letter, verdict])
        times["redraw of 225 cells and 100 rows"].append(told)
        await_frame(page)


def measure_start(browser: Browser, folder: Path, times: Times, runs: int) -> None:
    for _ in range(runs):
        begun = time.monotonic()
        with program(folder) as (address, _), page_of(browser, address):
            times["page usable after `cpfill serve`"].append(1000 * (time.monotonic() - begun))


def measure_ends(folder: Path, times: Times, runs: int) -> None:
    for _ in range(runs):
        with program(folder) as (address, process), ExitStack() as stack:
            client = client_of(address)
            stream = client.stream("/api/letters", ENDLESS)
            next(stream)
            begun = time.monotonic()
            stream.close()
            while client.running:
                pass
            times["search closed when its client is gone"].append(1000 * (time.monotonic() - begun))
            for name in ("letters", "solve"):
                next(stack.enter_context(closing(client.stream(f"/api/{name}", ENDLESS))))
            begun = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.wait()
            times["ended by Ctrl-C with streams open"].append(1000 * (time.monotonic() - begun))


LEFT_S = 3
"""How long a browser may let a page work on that was left; the next one waits for the files that it has."""


def until(hand: Hand, selector: str, text: str = "") -> float:
    """Wait until a thing is there, and has a text, and return how many milliseconds that took."""
    begun = time.monotonic()
    there = "(sought, text) => document.querySelector(sought)?.textContent.includes(text) ?? false"
    await_that(lambda: hand.run(there, selector, text), 3 * PATIENCE_S, pause_s=0.01)
    return 1000 * (time.monotonic() - begun)


def weigh_greatest_child() -> float:
    """Return the megabytes of the greatest process below this one that started no other: of a browser, the tab's."""
    leaves = [each for each in psutil.Process().children(recursive=True) if not each.children()]
    return max(float(each.memory_full_info().pss) for each in leaves) / 1e6


def measure_site(name: str, playwright: Playwright, folder: Path, runs: int) -> Times:
    """Return the times of the page without a server in one browser, which has not been there."""
    times: Times = defaultdict(list)
    asked: set[str] = set()
    with (
        tempfile.TemporaryDirectory() as downloads,
        hosting(folder, asked) as address,
        new_hand(name, playwright, Path(downloads)) as hand,
    ):

        def key(letter: str, shown: list[str], cell: int) -> dict[str, float]:
            hand.run("(names, about) => probe.begin(names, about)", shown, {"cell": cell, "letter": letter})
            hand.write(letter.lower())
            return dict(hand.run("() => probe.told"))

        def start(where: str) -> float:
            hand.go("about:blank")
            time.sleep(LEFT_S)
            begun = time.monotonic()
            hand.go(where)
            until(hand, "#grid [data-cell]:focus")
            took = 1000 * (time.monotonic() - begun)
            hand.run(f"async () => {{ {PROBE.read_text('utf-8')} }}")
            return took

        times["first visit, ms"].append(start(address))
        hand.click("#tab-fill")
        hand.click("[data-cell='0']")
        until(hand, "#words[aria-busy=false] [data-word]")
        await_that(lambda: hand.run(IS_KEPT))
        wire = sum(len(gzip.compress(data) if path.suffix in PACKED else data) for path, data in read(folder, asked))
        times["first visit, MB"].append(wire / 1e6)
        for _ in range(runs):
            times["cached start"].append(start(address))
            times["memory after start, MB"].append(weigh_greatest_child())
        grid = INSTANCES / "classic" / f"{SPARSE[0]}.txt"
        start(link(f"{address}?linked", cpfill.write_puzzle(cpfill.read_puzzle(grid), "ipuz")[0]))
        until(hand, "#grid .block")
        hand.click("#tab-fill")
        letters = fills_of(SPARSE[:1])[SPARSE[0]].letters
        cells = cycle(cell for cell, letter in enumerate(letters) if letter)
        for cell in islice(cells, runs):
            hand.click(f"[data-cell='{cell}']")
            until(hand, "#words[aria-busy=false] [data-word]")
            told = key(letters[cell], ["drawn", "listed"], cell)
            times["key to paint"].append(told["drawn"])
            times["key to candidates"].append(told.get("listed", inf))
        for cell in islice(cells, runs):
            hand.click("#autofill")
            times["good fill of 15.01"].append(until(hand, "#stop") + until(hand, "#autofill"))
            hand.click(f"[data-cell='{cell}']")
            until(hand, "#words[aria-busy=false] [data-word]")
            hand.click("#best")
            until(hand, "#stop")
            hand.click("#stop")
            times["Stop"].append(until(hand, "#autofill"))
            hand.click("#best")
            until(hand, "#stop")
            hand.click(f"[data-cell='{cell}']")
            times["... while a fill runs"].append(key(letters[cell], ["listed"], cell).get("listed", inf))
        hand.click("#tab-export")
        times["PDF"].append(until(hand, "#losses", "Nothing that solvers see"))
        times["memory at the end, MB"].append(weigh_greatest_child())
    return times


def read(folder: Path, asked: set[str]) -> Iterator[tuple[Path, bytes]]:
    """Yield the files of a site that were asked for."""
    for path in [folder / (name or "index.html") for name in asked]:
        if path.is_file():
            yield path, path.read_bytes()


def tell_site(browsers: Iterable[str], runs: int) -> None:
    """Print a column of medians for each browser."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        write_site(Path(name))
        columns = {browser: measure_site(browser, playwright, Path(name), runs) for browser in browsers}
    print(f"{'without a server':24} {'aim':>6}", *(f"{browser:>9}" for browser in columns))
    for what, aim in ON_SITE.items():
        figures = [median(times[what]) for times in columns.values()]
        print(f"{what:24} {aim:6}", *(f"{figure:9.{int('MB' in what)}f}" for figure in figures))


def measure(parts: set[str], runs: int) -> tuple[Times, list[str]]:
    """Return the times of each thing in milliseconds, and what else is to be told."""
    times: Times = defaultdict(list)
    told: list[str] = []
    with tempfile.TemporaryDirectory() as name, open_browser() as browser:
        folder = Path(name)
        for family, before in (("classic", ""), ("half-given", "half ")):
            for grid in (INSTANCES / family).glob("15.*.txt"):
                data = cpfill.write_puzzle(cpfill.read_puzzle(grid), "ipuz")[0]
                (folder / f"{before}{grid.stem}.ipuz").write_bytes(data)
        if "start" in parts:
            measure_start(browser, folder, times, runs)
        with program(folder) as (address, _), page_of(browser, address) as page:
            if "keys" in parts:
                measure_keys(page, times, 3 * runs)
            if "refills" in parts:
                measure_refills(page, times, 12 * runs)
            if "conflicts" in parts:
                measure_conflicts(page, times, runs)
            if "fast" in parts:
                told.append(measure_fast_keys(page, client_of(address), times))
            if "redraws" in parts:
                measure_redraws(page, times, 3 * runs)
        if "ends" in parts:
            measure_ends(folder, times, runs)
    return times, told


def nine_in_ten(each: list[float]) -> float:
    return sorted(each)[-(-9 * len(each) // 10) - 1]


def main() -> None:
    """Measure, and print a line for each thing."""
    parser = argparse.ArgumentParser(description="Measure the page.")
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        default=PARTS,
        help=f"of {', '.join((*PARTS, SITE, PHONE))}; else all but the last two",
    )
    parser.add_argument("--runs", type=int, default=5, help="how often each thing is done; keys three times that")
    asked = parser.parse_args()
    on_site = [*(BROWSERS if SITE in asked.parts else ()), *({PHONE} & {*asked.parts})]
    if on_site:
        tell_site(on_site, asked.runs)
    if not (parts := {*asked.parts} - {SITE, PHONE}):
        return
    times, told = measure(parts, asked.runs)
    print(f"{'milliseconds':40} {'aim':>6} {'least':>7} {'median':>7} {'9 in 10':>7} {'most':>7} {'of':>4}")
    for name, each in times.items():
        figures = " ".join(f"{figure:7.0f}" for figure in (min(each), median(each), nine_in_ten(each), max(each)))
        print(f"{name:40} {AIMS[name]:6} {figures} {len(each):4}")
    print(*told, sep="\n")


if __name__ == "__main__":
    main()
