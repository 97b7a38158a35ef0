"""The tutorial on the page, word for word and by keys alone, in each browser.

Each sentence is a step, and what it calls the things on the screen is what they are looked for by: a sentence that no
step knows, and a name that is not on the screen, fail the test.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import puz  # type: ignore[import-untyped]
import pytest
from pypdf import PdfReader

import cpfill
from tests.support import ROOT
from tests.web.browser import (
    await_frame,
    downloading,
    focused,
    go_to,
    needs_browser,
    needs_firefox,
    open_tab,
    own,
    rows,
    wait_for,
    without_faults,
)
from tests.web.measure import program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Locator, Page

TUTORIAL = (ROOT / "cpfill" / "TUTORIAL.md").read_text("utf-8")
SECTION = TUTORIAL.partition("## The same in the browser\n")[2].partition("\nNext:")[0]
PARAGRAPHS = [" ".join(each.split()) for each in re.sub(r"<img [^>]*>", "", SECTION).split("\n\n")]
SENTENCES = [sentence for each in PARAGRAPHS if each for sentence in re.split(r"(?<=\.) ", each)]
SEEDS = re.findall(r"--seed-words (\S+)", TUTORIAL)[0].split(",")
KNOWN = {*cpfill.read_word_list("en").words} | {seed.upper() for seed in SEEDS}
LONG_S = 180.0


@dataclass
class Hand:
    """A reader who follows the tutorial: the folder, the page, and what was typed."""

    folder: Path
    downloads: Path
    page: Page

    @property
    def saved(self) -> cpfill.Puzzle:
        """The puzzle in its file, once the page says that it is saved."""
        wait_for(self.page, lambda: self.page.inner_text("#saving") == "saved")
        (path,) = self.folder.glob("*.ipuz")
        return cpfill.read_puzzle(path)

    @property
    def words(self) -> list[str]:
        shown = rows(self.page)
        return [run for line in [*shown, *map("".join, zip(*shown, strict=True))] for run in line.split("#") if run[1:]]

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def choose_mode(self, name: str) -> None:
        """Leave whatever has the focus for the grid, the grid for the modes, and go to one of them."""
        self.keys("Escape", "Escape", "Shift+Tab")
        assert focused(self.page, "role") == "tab"
        go_to(self.page, self.page.get_by_role("tab", name=name, exact=True), "ArrowRight")


def open_page(hand: Hand, verb: str) -> None:
    assert verb == "serve"  # it runs, and the page is open
    assert focused(hand.page, "role") == "gridcell"


def generate(hand: Hand, mode: str, button: str) -> None:
    hand.choose_mode(mode)
    for at, seed in enumerate(SEEDS):
        field = hand.page.locator(f"#seed-{at}")
        go_to(hand.page, field)
        hand.page.keyboard.type(seed)
        await_frame(hand.page)
        assert field.input_value() == seed
    go_to(hand.page, hand.button(button))
    hand.keys("Enter")
    wait_for(hand.page, lambda: "." not in "".join(rows(hand.page)), LONG_S)
    assert {seed.upper() for seed in SEEDS} <= set(hand.words)
    known = cpfill.read_word_list("en").words
    assert {word for word in hand.words if word not in known} <= {seed.upper() for seed in SEEDS}
    assert ["".join("#" if cell is None else cell for cell in row) for row in hand.saved.rows] == rows(hand.page)


def list_candidates(hand: Hand, mode: str) -> None:
    hand.choose_mode(mode)
    for name in ("words", "crossing-words"):
        hand.page.wait_for_selector(f"#{name} [data-word]")


def read_verdicts(hand: Hand, exists: str, *others: str) -> None:
    """The words in sight are judged; of those far down the list some wait to be asked about."""
    for name in ("words", "crossing-words"):
        hand.page.wait_for_selector(f"#{name} .yes .sign:has-text('{exists}')")
        signs = hand.page.locator(f"#{name} [data-word] .sign")
        wait_for(hand.page, lambda signs=signs: {*signs.all_text_contents()[:10]} <= {exists, *others})  # type: ignore[misc]
        heads = hand.page.locator(f"#{name} [role=columnheader]").all_inner_texts()
        assert {"Changes", "Weakest"} <= {*heads}


def ask_how_good(hand: Hand, button: str) -> None:
    go_to(hand.page, hand.button(button))
    hand.keys("Enter")
    told = hand.page.locator("#words .yes .best:has-text('min')").first
    told.wait_for()
    wait_for(hand.page, lambda: re.fullmatch(r"min (?:≥ )?\d+", told.inner_text()) is not None)


def type_over_pencil(hand: Hand) -> None:
    """The first letter of a candidate that has a fill, typed over what is pencilled there."""
    hand.keys("Escape")
    before = own(hand.page)
    open_cells = hand.page.locator("#grid .pencilled")
    assert open_cells.count() == "".join(before).count(".") > 0
    word = str(hand.page.get_attribute("#words .yes", "data-word"))
    hand.keys(word[0].lower(), "ArrowLeft")
    wait_for(hand.page, lambda: hand.page.locator("#fillable.yes").count() == 1)
    wait_for(hand.page, lambda: "." not in "".join(rows(hand.page)) and {*hand.words} <= KNOWN)
    assert "".join(own(hand.page)).count(".") == "".join(before).count(".") - 1


def keep_words(hand: Hand, word: str, everything: str) -> None:
    hand.keys(word)
    slot = hand.page.locator("#grid .in-slot")
    wait_for(hand.page, lambda: slot.count() > 1 and not hand.page.locator("#grid .in-slot.pencilled").count())
    shown = rows(hand.page)
    hand.keys(everything)
    wait_for(hand.page, lambda: own(hand.page) == shown)


THEME = {"SILVERSCREEN", "GOLDENRETRIEVER", "BRONZEMEDALS"}


def see_weak_words(hand: Hand) -> None:
    """The theme is one's own, and not judged."""
    known = cpfill.read_word_list("en").words
    weak = [len(word) for word in hand.words if word not in THEME and known[word][0] < 40]
    marked = hand.page.locator("#grid .weak .letter")
    wait_for(hand.page, lambda: max(weak, default=0) <= marked.count() <= sum(weak))
    lines = marked.evaluate_all("(all) => all.map((each) => getComputedStyle(each).textDecorationLine)")
    assert {*lines} <= {"underline"}


def write_clues(hand: Hand, mode: str) -> None:
    hand.choose_mode(mode)
    hand.keys("Escape", "Enter")  # from the grid into the clue of the entry at the cursor
    texts = ["First of all", "And then"]
    for text in texts:
        before = focused(hand.page)
        hand.page.keyboard.type(text)
        hand.keys("Enter")
        assert focused(hand.page) != before
        assert hand.page.input_value(f"[id='{focused(hand.page)}']") == ""
    wait_for(hand.page, lambda: [*hand.saved.clues.values()] == texts)


def choose_export(hand: Hand, mode: str) -> None:
    hand.choose_mode(mode)
    go_to(hand.page, hand.page.locator(".cards input").first)


def export(hand: Hand, *names: str) -> None:
    *purposes, download = names
    solution, clues = "".join(rows(hand.page)), {*hand.saved.clues.values()}
    for purpose in purposes:
        card = hand.page.get_by_role("radio", name=purpose, exact=True)
        go_to(hand.page, card, "ArrowDown")
        go_to(hand.page, hand.button(download))
        with downloading(hand.page, hand.downloads) as files:
            hand.keys("Enter")
        (file,) = files
        go_to(hand.page, card, "Shift+Tab")
        if ".puz" in purpose:
            sent = puz.read(str(file))
            assert sent.solution == solution.replace("#", ".")
            assert clues <= {*sent.clues}
        else:
            printed = "\n".join(page.extract_text() for page in PdfReader(file).pages)
            assert all(clue in printed for clue in clues)


def use_no_mouse(hand: Hand, *said: str) -> None:
    """That it leads to the modes and clues is how all that was done; the last key tells of the others."""
    assert said == ("Escape", "Shift-Tab", "Enter", "?")
    hand.keys("Escape", "Escape", "?")
    wait_for(hand.page, lambda: all(key in hand.page.inner_text("#help-dialog") for key in ("Tab", "Enter", "Esc")))
    hand.keys("Escape")


STEPS: dict[str, Callable[..., None]] = {
    r"`cpfill (\w+)` opens a page on your own machine\.": open_page,
    r"In \*(.+)\* type your seed entries, one a row, and press \*(.+)\*:": generate,
    r"\*(.+)\* lists the candidates of both entries at the cursor\.": list_candidates,
    r"Each carries its verdict: (.) a fill with it exists, (.) none does, (.) not decided yet; beside its score stand "
    r"how many words its fill changes, and the weakest word of that fill\.": read_verdicts,
    r"\*(.+)\* proves the best minimum score of a fill with each\.": ask_how_good,
    r"Grey letters are pencilled: after each letter you type they change to a fill that fits\.": type_over_pencil,
    r"`(.)` keeps the word at the cursor as it is, `(.)` all words\.": keep_words,
    r"Weak words are underlined:": see_weak_words,
    r"\*(.+)\* takes you from one empty clue to the next:": write_clues,
    r"\*(.+)\* writes what printers, editors and solvers ask for\.": choose_export,
    r"Choose \*(.+)\*, \*(.+)\* or \*(.+)\*, and press \*(.+)\*:": export,
    r"You need no mouse: in the grid press (\S+) and then (\S+) to reach the modes, (\S+) to reach the candidates or "
    r"the clue, and (.) to see all keys\.": use_no_mouse,
}


def step_of(sentence: str) -> tuple[Callable[..., None], tuple[str, ...]]:
    (found,) = [(act, said.groups()) for form, act in STEPS.items() if (said := re.fullmatch(form, sentence))]
    return found


@pytest.fixture(params=[pytest.param("browser", marks=needs_browser), pytest.param("firefox", marks=needs_firefox)])
def hand(request: pytest.FixtureRequest, tmp_path: Path, downloads: Path) -> Iterator[Hand]:
    folder = tmp_path / "puzzles"
    folder.mkdir()
    with program(folder) as (address, _), open_tab(request.getfixturevalue(request.param)) as tab, without_faults(tab):
        tab.goto(address)
        tab.wait_for_selector("#grid [data-cell]:focus")
        yield Hand(folder, downloads, tab)


@pytest.mark.usefixtures("driver")
def test_each_sentence_is_done(hand: Hand) -> None:
    assert len(SENTENCES) == len(STEPS)
    for sentence in SENTENCES:
        act, said = step_of(sentence)
        act(hand, *said)
