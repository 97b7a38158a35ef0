"""A constructor's hour at the page, with real keys and clicks: how much it takes, how long one waits, what is lost.

    python -m tests.web.hour [--size N] [WORD...]

From theme entries to the files one sends, and back to them: a grid is made and filled, a corner replaced, each clue
written, the puzzle checked, exported, reloaded and opened again. What was typed is compared with the screen and with
the files, which other readers read. It exits with 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import puz  # type: ignore[import-untyped]

from tests.support import ROOT
from tests.web.browser import (
    await_idle,
    focused,
    open_browser,
    open_puzzle,
    open_tab,
    puzzle_open,
    rows,
    without_faults,
)
from tests.web.measure import program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from playwright.sync_api import Locator, Page

THEME = ("silverscreen", "goldenretriever", "bronzemedals")
TITLE, AUTHOR = "A day on the podium", "M. E. Setter"
NOTICED_MS = 300
"""A longer wait is noticed."""
GIVEN_UP_S = 120
REPLACED = 3
"""The words of the corner that are replaced."""
TEXTS = tomllib.loads((ROOT / "cpfill" / "base" / "texts" / "page.toml").read_text("utf-8"))
CLUES = (
    "Number {n}: what you might hear at noon, so they say",
    "It's number {n}, isn't it? (Abbr.)",
    "{n}. Half of a pair; the other half is lost",
    'Number {n}, as in "to be or not to be"',
    "Where {n} of us went, & why not",
)
"""No two clues of a puzzle are alike, so that none can stand for another."""


def name(key: str, **values: object) -> str:
    """Return what the page calls something."""
    return str(TEXTS[key][0]).format(**values)


@dataclass
class Hand:
    """A hand at the page, whose actions are counted and timed.

    Attributes:
        part: what it is at.
        counts: clicks and keys, by part.
        waits: the milliseconds of each wait, by part and by what was waited for.
        lost: what was typed or chosen and is not there.
        dead: after what nothing has the focus, so that the next key goes nowhere.
    """

    page: Page
    part: str = ""
    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    waits: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    lost: list[str] = field(default_factory=list)
    dead: Counter[str] = field(default_factory=Counter)
    begun: float = 0.0

    def begin(self, kind: str) -> None:
        self.counts[self.part][kind] += 1
        self.begun = time.perf_counter()

    def end(self, what: str) -> None:
        self.waits[self.part, what].append(1000 * (time.perf_counter() - self.begun))

    def see(self, what: str, after: str) -> None:
        """See the next frame, and whether anything has the focus."""
        script = "() => new Promise(requestAnimationFrame).then(() => document.activeElement === document.body)"
        unfocused = self.page.evaluate(script)
        self.end(what)
        self.dead[f"{self.part}: {after}"] += unfocused

    def key(self, key: str) -> None:
        """Press a key, and see the next frame."""
        self.begin("keys")
        self.page.keyboard.press(key)
        self.see("a key", key)

    def write(self, text: str) -> None:
        """Write a text into what has the focus, key by key."""
        for letter in text:
            self.begin("keys")
            self.page.keyboard.type(letter)
            self.see("a key", letter)
        written = self.focused("value")
        self.compare("text in its field", text, written)

    def click(self, what: Locator) -> None:
        what.hover()
        told = what.get_attribute("aria-label") or what.inner_text()
        self.begin("clicks")
        self.page.mouse.down()
        self.page.mouse.up()
        self.see("a click", f"a click on {told}")

    def until(self, what: str, seen: Callable[[], bool]) -> bool:
        """Wait for the answer to the last action; say whether it came."""
        while not seen():
            if time.perf_counter() - self.begun > GIVEN_UP_S:
                self.lost.append(f"{self.part}: {what} never came")
                return False
            self.page.wait_for_timeout(10)
        self.see(what, what)
        return True

    def saved(self) -> None:
        """Wait until all is in the file, which no hand waits for."""
        until_s = time.perf_counter() + GIVEN_UP_S
        while not self.page.get_by_text(name("saved"), exact=True).count():
            if time.perf_counter() > until_s:
                self.lost.append(f"{self.part}: not saved: {self.page.get_by_role('status').all_inner_texts()}")
                return
            self.page.wait_for_timeout(50)

    def compare(self, what: str, wanted: object, found: object) -> None:
        if isinstance(wanted, dict) and isinstance(found, dict):
            for key in wanted.keys() | found.keys():
                self.compare(f"{what}, {key}", wanted.get(key), found.get(key))
        elif wanted != found:
            self.lost.append(f"{self.part}: {what}: {found!r} instead of {wanted!r}")

    def focused(self, what: str) -> str:
        """Return what has the focus: its `value`, or its name."""
        script = """(what) => {
            const has = document.activeElement;
            return String((what === "value" ? has.value : has.getAttribute("aria-label")) ?? "");
        }"""
        return str(self.page.evaluate(script, what))

    def tab(self, mode: str) -> Locator:
        """Go to a mode, and return its panel."""
        self.click(self.page.get_by_role("tab", name=name(mode), exact=True))
        return self.page.get_by_role("tabpanel", name=name(mode), exact=True)


@dataclass
class Typed:
    """What the hand gave the page, and what must be there ever after."""

    theme: list[str]
    grid: list[str] = field(default_factory=list)
    clues: dict[str, str] = field(default_factory=dict)
    locked: int = 0


def design(hand: Hand, typed: Typed, size: int) -> None:
    """Type the theme, and have a grid made around it, filled."""
    panel = hand.tab("design")
    if size != len(rows(hand.page)):
        for side in ("rows", "columns"):
            hand.click(panel.get_by_role("spinbutton", name=name(side), exact=True))
            hand.key("Control+a")
            hand.write(str(size))
        hand.key("Enter")
        hand.until("the other size", lambda: len(rows(hand.page)) == size)
    for at, word in enumerate(typed.theme, 1):
        entry = panel.get_by_role("textbox", name=name("seed", number=at), exact=True)
        if at == 1:
            hand.click(entry)
        while hand.focused("name") != name("seed", number=at) and hand.counts[hand.part]["keys"] < 500:
            hand.key("Tab")
        hand.write(word)
    hand.click(panel.get_by_role("button", name=name("generate_filled"), exact=True))
    hand.until("the grid, filled", lambda: is_full(hand.page) and not missing(hand.page, typed.theme))
    hand.saved()
    typed.locked = locked(hand.page)
    hand.compare("cells of the theme that are locked", sum(map(len, typed.theme)), typed.locked)


def is_full(page: Page) -> bool:
    return "." not in "".join(rows(page, ""))


def missing(page: Page, words: Iterable[str]) -> set[str]:
    """Return the words that do not stand in the grid."""
    shown = rows(page, "")
    lines = [*shown, *map("".join, zip(*shown, strict=True))]
    return {word.upper() for word in words} - {run for line in lines for run in line.split("#")}


def locked(page: Page) -> int:
    """Return how many cells say that they are locked."""
    return page.get_by_role("gridcell", name=name("locked_letter")).count()


def replace_a_corner(hand: Hand, typed: Typed) -> None:
    """Keep the last words across, take their letters out again, and choose others; then keep all."""
    page, panel = hand.page, hand.tab("fill")
    hand.click(page.locator("#terms > summary"))
    hand.click(page.locator("#min-score"))
    hand.key("Home")  # words of any score: a corner of a small grid has few others
    hand.click(page.locator("#terms > summary"))
    page.mouse.move(0, 0)  # rows under it would keep their places
    words = panel.get_by_role("grid").first
    for cell, length in last_across(page):
        go_across(hand, cell, words)
        hand.key(";")
        for _ in range(length):
            hand.key("Delete")
            hand.key("ArrowRight")
        hand.until("a fill around what was taken out", lambda: is_full(page))
        go_across(hand, cell, words)
        hand.until("a candidate that fits", lambda: words.get_by_text("✓").count() > 0)
        await_idle(page)  # until each word has its verdict, another may be the first
        hand.key("Enter")
        listed = words.locator("[data-word]").all_inner_texts()  # the row of heads is no candidate
        fitting = [at for at, each in enumerate(listed) if "✓" in each]
        for _ in range(fitting[:2][-1]):  # the second, if there is one
            hand.key("ArrowDown")
        word = str(words.get_by_role("row", selected=True).get_attribute("data-word"))
        hand.key("Enter")
        hand.until("the grid with the candidate", lambda: is_full(page))
        hand.compare("the candidate", word, "".join(rows(page, ""))[cell : cell + length])
        if focused(page, "role") != "gridcell":  # there, Escape would take the program's letters out
            hand.key("Escape")
        hand.compare("back in the grid", "gridcell", focused(page, "role"))
        hand.key(";")
    hand.key(":")
    hand.saved()
    typed.grid = rows(page, "")
    hand.compare("letters of the theme", set(), missing(page, typed.theme))


def go_across(hand: Hand, cell: int, words: Locator) -> None:
    """Click on a cell, and turn to its word across; the name of the candidates says which way the cursor goes."""
    hand.click(hand.page.locator(f"[data-cell='{cell}']"))
    heading = hand.page.locator(f"[id='{words.get_attribute('aria-labelledby')}']")
    if name("across_short") not in heading.inner_text():
        hand.key(" ")


def last_across(page: Page) -> list[tuple[int, int]]:
    """Return the first cell and the length of each of the last words across, the last one first."""
    width = len(rows(page)[0])
    found = [
        (at * width + run.start(), len(run[0]))
        for at, row in enumerate(rows(page, ""))
        for run in re.finditer(r"[^#]{2,}", row)
    ]
    return found[: -REPLACED - 1 : -1]


def write_clues(hand: Hand, typed: Typed) -> None:
    """Write the title, and a clue for each word, going from one to the next by Enter."""
    panel = hand.tab("clues")
    for key, text in (("title", TITLE), ("author", AUTHOR)):
        hand.click(panel.get_by_role("textbox", name=name(key), exact=True))
        hand.write(text)
    fields = panel.get_by_role("textbox", name=re.compile("^" + name("clue_of", slot="")))
    hand.click(fields.first)
    for at in range(fields.count()):
        slot = slot_of(hand.focused("name"))
        if not slot or slot in typed.clues:
            hand.lost.append(f"clues: Enter after clue {at} leads to {slot or 'no clue'}")
            return
        typed.clues[slot] = CLUES[at % len(CLUES)].format(n=at + 1)
        hand.write(typed.clues[slot])
        hand.key("Enter")
    hand.saved()


def slot_of(label: str) -> str:
    """Return the name of a slot from what its clue is called."""
    found = re.match(name("clue_of", slot=r"(\d+) (\S+)"), label)
    return f"{found[1]}-{found[2]}" if found else ""


def check(hand: Hand) -> None:
    panel = hand.tab("check")
    audit = panel.locator("section").filter(has=hand.page.get_by_role("heading", name=name("audit"), exact=True))
    right, broken = audit.get_by_text(name("audit_right")), audit.locator("li:not(:has(.small))")
    # A word that repeats another breaks no rule: beside it stands a button that forbids it.
    hand.until("whether a rule is broken", lambda: right.count() + broken.count() > 0)
    await_idle(hand.page)  # until then it may be the audit of an earlier grid
    hand.compare("rules that are broken", [], broken.all_inner_texts())


def export(hand: Hand, typed: Typed, folder: Path) -> None:
    """Download the puzzle in two formats, and read it as other programs do."""
    panel = hand.tab("export")
    files = {}
    for purpose in ("across_lite", "ipuz"):
        hand.click(panel.get_by_role("radio", name=name(f"purpose_{purpose}"), exact=True))
        with hand.page.expect_download() as hearing:
            hand.click(panel.get_by_role("button", name=name("download"), exact=True))
        files[purpose] = folder / hearing.value.suggested_filename
        hearing.value.save_as(files[purpose])
        hand.end(f"the file ({files[purpose].suffix})")
    sent = puz.read(str(files["across_lite"]))
    hand.compare("title and author in the .puz", (TITLE, AUTHOR), (sent.title, sent.author))
    hand.compare("letters in the .puz", "".join(typed.grid).replace("#", "."), sent.solution)
    hand.compare("clues in the .puz", sorted(typed.clues.values()), sorted(sent.clues))
    compare_ipuz(hand, typed, files["ipuz"])


def compare_ipuz(hand: Hand, typed: Typed, path: Path) -> None:
    """Compare a file with what was typed, without our reader of it."""
    saved = json.loads(path.read_text("utf-8"))
    for key, text in (("title", TITLE), ("author", AUTHOR)):
        hand.compare(f"{key} in the file", text, unescape(saved.get(key, "")))
    hand.compare("letters in the file", typed.grid, ["".join(row) for row in saved["solution"]])
    clues = {
        f"{number}-{way}": unescape(text)  # the format's texts are HTML
        for way, each in saved.get("clues", {}).items()
        for number, text in (clue if isinstance(clue, list) else (clue["number"], clue["clue"]) for clue in each)
    }
    hand.compare("clues in the file", typed.clues, clues)


def compare_screen(hand: Hand, typed: Typed) -> None:
    """Compare all that the page shows with what was typed."""
    page = hand.page
    hand.until("the grid", lambda: rows(page, "") == typed.grid)
    panel = hand.tab("clues")
    fields = panel.get_by_role("textbox", name=re.compile("^" + name("clue_of", slot="")))
    hand.until("the clues", lambda: fields.count() > 0)
    shown = {slot_of(str(each.get_attribute("aria-label"))): each.input_value() for each in fields.all()}
    hand.compare("clues", typed.clues, shown)
    for key, text in (("title", TITLE), ("author", AUTHOR)):
        hand.compare(key, text, panel.get_by_role("textbox", name=name(key), exact=True).input_value())
    panel = hand.tab("design")
    hand.compare("locked cells", typed.locked, locked(page))
    entries = [
        panel.get_by_role("textbox", name=name("seed", number=at), exact=True) for at in range(1, len(typed.theme) + 1)
    ]
    hand.compare("theme", typed.theme, [each.input_value() if each.count() else "" for each in entries])


def spend(page: Page, folder: Path, downloads: Path, theme: Iterable[str], size: int) -> Hand:
    """Spend an hour at the page over a directory without files."""
    hand, typed = Hand(page), Typed(list(theme))
    with without_faults(page):
        hand.part = "design"
        design(hand, typed, size)
        hand.part = "corner"
        replace_a_corner(hand, typed)
        hand.part = "clues"
        write_clues(hand, typed)
        hand.part = "check"
        check(hand)
        hand.part = "export"
        export(hand, typed, downloads)
        hand.part = "reload"
        hand.begin("keys")
        page.reload()
        hand.tab("clues")  # with Export in sight there is no grid
        compare_screen(hand, typed)
        hand.part = "again"
        first = str(puzzle_open(page))
        hand.click(page.get_by_role("button", name=name("new"), exact=True))
        hand.until("a new puzzle", lambda: puzzle_open(page) != first)
        open_puzzle(page, first)
        compare_screen(hand, typed)
        hand.part = "file"
        compare_ipuz(hand, typed, folder / first)
        work = json.loads((folder / first).read_text("utf-8"))["cpfill:work"]
        hand.compare("theme in the file", typed.theme, [word for word in work["terms"]["seeds"] if word])
        hand.compare("locked cells in the file", typed.locked, len(work["locked"]))
    return hand


def table(hand: Hand) -> list[str]:
    """Return what it took, a line for each part, then the waits that one notices, then what was lost."""
    lines = [f"{'part':10} {'clicks':>7} {'keys':>7} {'noticed':>8} {'longest':>8}"]
    for part, counts in hand.counts.items():
        waits = [ms for (where, _), each in hand.waits.items() if where == part for ms in each]
        noticed = sum(ms > NOTICED_MS for ms in waits)
        lines.append(f"{part:10} {counts['clicks']:7} {counts['keys']:7} {noticed:8} {max(waits):5.0f} ms")
    lines.append(f"\n{'wait for':45} {'of':>5} {'noticed':>8} {'median':>8} {'longest':>8}")
    for (part, what), each in hand.waits.items():
        if max(each) > NOTICED_MS or what == "a key":
            noticed = sum(ms > NOTICED_MS for ms in each)
            lines.append(f"{f'{part}: {what}':45} {len(each):5} {noticed:8} {median(each):5.0f} ms {max(each):5.0f} ms")
    dead = [f"{what} ({count})" for what, count in hand.dead.items() if count]
    return [
        *lines,
        f"\nnothing has the focus after: {'; '.join(dead) or 'nothing'}",
        f"lost: {len(hand.lost)}",
        *hand.lost,
    ]


def main() -> int:
    """Spend the hour, and say what it was like."""
    parser = argparse.ArgumentParser(description="A constructor's hour at the page.")
    parser.add_argument("theme", nargs="*", metavar="WORD", default=THEME, help="the entries of the theme")
    parser.add_argument("--size", type=int, default=15, help="rows and columns")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as served,
        tempfile.TemporaryDirectory() as loaded,
        program(Path(served)) as (address, _),
        open_browser() as browser,
        open_tab(browser, {"width": 1280, "height": 720}) as page,
    ):
        page.goto(address)
        page.wait_for_selector("#grid [data-cell]:focus")
        hand = spend(page, Path(served), Path(loaded), asked.theme, asked.size)
    print(*table(hand), sep="\n")
    return bool(hand.lost)


if __name__ == "__main__":
    sys.exit(main())
