"""Three journeys in each browser that is installed: with a server, without one, and a first visit that goes offline.

A journey is a list of steps, and each step is a function: the traceback of a failure names it.
"""

from __future__ import annotations

from contextlib import ExitStack
from threading import Event
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.formats.pages.style import PageLayout, PageStyle
from cpfill.formats.registry import write_puzzle
from tests.support import INSTANCES
from tests.web.browser import list_files, needs_firefox
from tests.web.browsers import BROWSERS, PRIVATE, await_that, new_hand
from tests.web.site import HOSTILE, IS_KEPT, TEA, hosting, link
from tests.web.support import own_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Playwright

    from tests.web.browsers import Hand

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:selenium")

KEEPING = {"saved", "in this tab only"}
"""What the page says when a file is as the grid is."""
LONG_S = 120.0
SEARCH_S = 60
"""How long the best fill is sought, if nobody ends that."""
ON_DEMAND = ["en-gb.gz", "en-words.gz", "en.gz", "fr-phrases.gz", "fr.gz", "pdf.pack"]
"""What the first visit loads after all else."""
KEPT_PARTS = """async () => {
    const kept = await (await caches.open("cpfill-memory")).keys();
    return kept.map(({url}) => url.split("/").at(-1)).filter((name) => /[.](gz|pack)$/.test(name)).sort();
}"""
IDLE = "() => cpfill.idle()"
CHOOSE = """(format) => {
    const choice = document.querySelector("#format");
    choice.value = format;
    choice.dispatchEvent(new Event("change", {bubbles: true}));
}"""


@pytest.fixture(scope="module")
def hands(driver: Playwright, downloads: Path) -> Iterator[Callable[[str], Hand]]:
    """Return what opens a browser, once each."""
    opened: dict[str, Hand] = {}
    with ExitStack() as stack:

        def find(name: str) -> Hand:
            if name not in opened:
                opened[name] = stack.enter_context(new_hand(name, driver, downloads))
            return opened[name]

        yield find


@pytest.fixture(params=BROWSERS)
def hand(request: pytest.FixtureRequest, hands: Callable[[str], Hand]) -> Iterator[Hand]:
    found = hands(request.param)
    yield found
    print(*found.texts("body"))  # what the page said where a test failed
    found.go("about:blank")


@pytest.fixture(params=BROWSERS)
def new(request: pytest.FixtureRequest, driver: Playwright, downloads: Path) -> Iterator[Hand]:
    """Return a hand at a browser that has been nowhere."""
    with new_hand(request.param, driver, downloads) as found:
        yield found
        print(*found.texts("body"))  # likewise


def open_grid(hand: Hand, puzzles: Path, address: str) -> Path:
    """Open the page on a small puzzle, and return its file."""
    path = puzzles / "a.ipuz"
    path.write_bytes(cpfill.write_puzzle(cpfill.read_puzzle(INSTANCES / "assignment" / "A.txt"), "ipuz")[0])
    hand.go(address)
    hand.click("#tab-fill")
    await_that(lambda: hand.texts("#words [data-word]"))
    return path


def go_to_first_word(hand: Hand) -> None:
    """Put the cursor on the first cell, with the word across."""
    for cell in (2, 0):  # a click where the cursor is would turn it
        hand.click(f"[data-cell='{cell}']")
    if "Down" in hand.texts("#words-heading")[0]:
        hand.click("[data-cell='0']")
        says(hand, "#words-heading", "Across")


def letters(hand: Hand) -> str:
    """Return the letters in sight; a dot for none."""
    shown = hand.texts("#grid [data-cell]:not(.block) .letter")
    return "".join(each.strip() or "." for each in shown)


def says(hand: Hand, selector: str, text: str, patience_s: float = LONG_S) -> None:
    """Wait until a thing says something."""
    await_that(lambda: any(text in each for each in hand.texts(selector)), patience_s)


def open_link(hand: Hand, address: str, puzzle: cpfill.Puzzle) -> None:
    """Open the page without a server on a puzzle, and wait until it is there and takes keys."""
    hand.go(link(address, cpfill.write_puzzle(puzzle, "ipuz")[0]))
    cells = "".join(cell or "." for cell in puzzle.cells if cell is not None)
    await_that(lambda: letters(hand) == cells and hand.texts("#grid [data-cell]:focus"), LONG_S)


def await_kept(hand: Hand, address: str) -> None:
    """Wait until the page says that it keeps what is in sight; where it has files, that is there at the next visit."""
    if await_that(lambda: KEEPING & set(hand.texts("#saving"))) == {"saved"}:
        before = letters(hand)
        hand.go("about:blank")
        hand.go(address)
        await_that(lambda: letters(hand) == before, LONG_S)


def test_a_puzzle_on_a_server(hand: Hand, puzzles: Path, address: str, tmp_path: Path) -> None:
    path = open_grid(hand, puzzles, address)
    write_and_undo(hand, path)
    take_a_word_and_fill(hand, path, address)
    set_a_block_and_write_a_clue(hand, path)
    find_solved_letters_again(hand, address, tmp_path)


def write_and_undo(hand: Hand, path: Path) -> None:
    """Write words by keys, which are saved, and undo them."""
    go_to_first_word(hand)
    empty = own_rows(path)
    hand.write("cax")
    hand.press("Backspace")
    hand.write("r")
    await_that(lambda: own_rows(path)[0] == "CAR##")
    hand.press("ArrowDown")  # turns, then goes
    hand.press("ArrowDown")
    hand.write("y")
    await_that(lambda: own_rows(path)[1][2] == "Y")
    for _ in range(6):
        hand.press("Control+z")
    await_that(lambda: own_rows(path) == empty)
    says(hand, "#saving", "saved")


def take_a_word_and_fill(hand: Hand, path: Path, address: str) -> None:
    """Take a word of the list, and have the rest filled, which the next visit finds."""
    go_to_first_word(hand)
    hand.run(IDLE)  # until each word has its verdict, others may come before it
    word = await_that(lambda: hand.texts("#words .yes .word"))[0]
    hand.click(f"#words [data-word='{word}']")
    await_that(lambda: own_rows(path)[0].startswith(word))
    hand.click("#autofill")
    await_that(lambda: "." not in letters(hand) and hand.texts("#autofill"))
    says(hand, "#saving", "saved")
    hand.go("about:blank")
    hand.go(address)
    await_that(lambda: letters(hand) == "".join(cell for cell in cpfill.read_puzzle(path).cells if cell))


def set_a_block_and_write_a_clue(hand: Hand, path: Path) -> None:
    hand.click("#tab-design")
    hand.click("[data-cell='12']")
    hand.write(".")
    await_that(lambda: own_rows(path)[2][2] == "#")
    hand.click("#tab-clues")
    hand.click("[id='clue-1-Across']")
    hand.write("Not a word")
    await_that(lambda: "Not a word" in {*cpfill.read_puzzle(path).clues.values()})


def find_solved_letters_again(hand: Hand, address: str, tmp_path: Path) -> None:
    """Find a solver's letters in two files of one folder, and on the page, where the puzzle has no solution yet."""
    files = []
    for name, answer in (("tea", "TEA"), ("sea", "SEA")):
        puzzle = cpfill.Puzzle(1, 3, tuple(answer))
        file = tmp_path / f"{name}.html"
        file.write_bytes(write_puzzle(puzzle, "html", PageStyle(layout=PageLayout.INTERACTIVE))[0])
        files.append(file.as_uri())
    hand.click("#tab-solve")
    await_that(lambda: hand.texts(".player .field:focus"))
    for address_, keys in ((files[0], "te"), (files[1], "x")):
        hand.go(address_)
        await_that(lambda: hand.texts(".player .field:focus"))
        hand.write(keys)
        await_that(lambda keys=keys: solved_letters(hand) == keys.upper())  # type: ignore[misc]
    for address_, keys in ((files[0], "TE"), (files[1], "X")):
        hand.go(address_)
        await_that(lambda keys=keys: solved_letters(hand) == keys)  # type: ignore[misc]
    hand.go(address)
    await_that(lambda: hand.texts(".player .field:focus"))
    hand.write("ab")
    await_that(lambda: solved_letters(hand) == "AB")
    hand.go("about:blank")
    hand.go(address)
    await_that(lambda: solved_letters(hand) == "AB")


def solved_letters(hand: Hand) -> str:
    return "".join(each.strip() for each in hand.texts(".player .letter"))


def test_a_puzzle_without_a_server(hand: Hand, hosted: str, downloads: Path) -> None:
    fill_stop_and_keep(hand, hosted)
    see_candidates_beside_a_search(hand, hosted)
    type_two_hundred_keys(hand, hosted)
    count_fills(hand, hosted)
    draw_a_pdf(hand, hosted, downloads)
    open_hostile_links(hand, hosted)


def fill_stop_and_keep(hand: Hand, hosted: str) -> None:
    """Begin a puzzle, have it filled, stop the search for the best fill, and find it all at the next visit."""
    open_link(hand, hosted, cpfill.read_puzzle(INSTANCES / "classic" / "15.01.txt"))
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

    await_kept(hand, hosted)


def see_candidates_beside_a_search(hand: Hand, hosted: str) -> None:
    open_link(hand, hosted, cpfill.Puzzle(14, 15, ("",) * 210))  # without blocks: nobody fills that soon
    hand.click("#tab-fill")
    hand.click("[data-cell='0']")
    await_that(lambda: hand.texts("#words [data-word]"), LONG_S)
    hand.click("#best")
    await_that(lambda: hand.texts("#stop"))
    for row in (1, 2, 3):
        at = f"#grid [data-cell='{15 * row}']"
        hand.click(at)
        await_that(lambda at=at: hand.texts(f"{at}:focus"))  # type: ignore[misc]
        await_that(lambda: hand.texts("#words [data-word]"), SEARCH_S / 2)
        assert hand.texts("#stop")
    hand.click("#stop")


def open_hostile_links(hand: Hand, hosted: str) -> None:
    """Open links that hold no puzzle, or one with markup in its title: the page names each fault, and goes on."""
    open_link(hand, hosted, TEA)
    assert hand.texts("title")[0].startswith("Tea </title>")
    whole = link(hosted, cpfill.write_puzzle(TEA, "ipuz")[0])
    for address, said in (
        (whole[:-20], "holds no puzzle"),
        (f"{hosted}#puzzle=%3Cscript%3E!!", "holds no puzzle"),
        (link(hosted, b"[" * (64 << 20)), "more than 1 MB"),
        (link(hosted, f"<svg onload={HOSTILE}>".encode()), "expected"),
        (link(hosted, b"[" * 8000 + b"]" * 8000), "lists too deep"),
    ):
        hand.go("about:blank")
        hand.go(address)
        says(hand, "#message", said)
        assert "\n" not in hand.texts("#message")[0].strip()
        assert hand.texts("title") != ["gone"]
        assert letters(hand)  # the page goes on
    open_link(hand, hosted, cpfill.Puzzle(2, 3, ("",) * 6))  # in the address of the page that is open


def type_two_hundred_keys(hand: Hand, hosted: str) -> None:
    """Type fast: every letter is written."""
    open_link(hand, hosted, cpfill.Puzzle(14, 15, ("",) * 210))  # not of the size that the page begins with
    hand.click("#tab-fill")
    text = "ABCDEFGHIJKLMNOPQRST" * 10
    for start in range(0, 200, 15):
        hand.click(f"[data-cell='{start}']")
        hand.write(text[start : start + 15].lower())
    await_that(lambda: letters(hand).startswith(text))
    assert hand.texts("#message") == [""]
    await_kept(hand, hosted)


def count_fills(hand: Hand, hosted: str) -> None:
    """Have the kernels of the tab count fills."""
    fills = sum(len(word) == 3 and word[::2] == "AO" for word in cpfill.read_word_list("en").words)
    open_link(hand, hosted, cpfill.Puzzle(3, 3, ("C", "A", "T", None, "", None, "D", "O", "G")))
    hand.click("#tab-fill")
    await_that(lambda: hand.texts("#words[aria-busy=false] [data-word].yes"), LONG_S)
    hand.click("#rare summary")
    hand.click("#count")
    says(hand, "#panel-fill .progress", f"exactly {fills} fills")


def draw_a_pdf(hand: Hand, hosted: str, downloads: Path) -> None:
    open_link(hand, hosted, TEA)
    hand.click("#tab-export")
    says(hand, "#losses", "Nothing that solvers see")
    for path in list_files(downloads):
        path.unlink()
    hand.click("#download")
    await_that(lambda: any(path.read_bytes().startswith(b"%PDF-") for path in list_files(downloads)), LONG_S)
    assert not any("pip" in each for each in hand.texts("body"))


def test_a_first_visit_goes_offline(new: Hand, site: Path, downloads: Path) -> None:
    service = Event()
    with hosting(site, service=service) as address:
        stop_a_search_of_the_first_visit(new, address, service)
        open_link(new, address, TEA)
        await_kept(new, address)
        await_that(lambda: new.run(KEPT_PARTS) == ON_DEMAND, LONG_S)
        before = letters(new)
    find_the_puzzle_again(new, address, before)
    make_every_format(new, downloads)


def stop_a_search_of_the_first_visit(hand: Hand, address: str, service: Event) -> None:
    """Stop a search that began before the service worker came, which tells of ends."""
    open_link(hand, address, cpfill.Puzzle(14, 15, ("",) * 210))  # without blocks: nobody fills that soon
    hand.click("#tab-fill")
    await_that(lambda: hand.texts("#words [data-word]"), LONG_S)
    hand.click("#best")
    await_that(lambda: hand.texts("#stop"))
    service.set()
    await_that(lambda: hand.run(IS_KEPT), LONG_S)
    hand.click("#stop")
    await_that(lambda: hand.texts("#autofill"), SEARCH_S / 2)
    hand.click("[data-cell='30']")
    await_that(lambda: hand.texts("#words[aria-busy=false] [data-word]"), SEARCH_S / 2)


def find_the_puzzle_again(hand: Hand, address: str, before: str) -> None:
    """Open the page without a network: the puzzle is there where the browser keeps files, and words are listed."""
    hand.go("about:blank")
    hand.go(address)
    if await_that(lambda: KEEPING & set(hand.texts("#saving")), LONG_S) == {"saved"}:
        await_that(lambda: letters(hand) == before)
    else:
        open_link(hand, address, TEA)
    hand.click("#tab-fill")
    hand.click("[data-cell='0']")
    await_that(lambda: hand.texts("#words [data-word]"), LONG_S)
    hand.write("s")
    await_kept(hand, address)


def choose_format(hand: Hand, name: str) -> None:
    """Choose a format of *Export*; a list of WebKit's opens in a window that nobody can drive."""
    await_that(lambda: hand.texts("#format"))  # which is drawn when the formats are known
    hand.run(CHOOSE, name)
    await_that(lambda: hand.run("() => document.querySelector('#format').value") == name)


def make_every_format(hand: Hand, downloads: Path) -> None:
    """Export in formats whose writers need other files each.

    WebKit's window loses 50 points of height at each download, so few formats fit.
    """
    hand.click("#tab-export")
    for each in ("pdf", "png", "puz", "html"):
        for path in list_files(downloads):
            path.unlink()
        choose_format(hand, each)
        hand.run(IDLE)  # or the button moves as the options of the format before go
        hand.click("#download")
        await_that(lambda: any(path.stat().st_size for path in list_files(downloads)), LONG_S)


@needs_firefox
def test_a_private_window_keeps_puzzles_in_memory(hands: Callable[[str], Hand], hosted: str) -> None:
    """The journey without a server has this in WebKit, whose windows are private when they are driven."""
    hand = hands(PRIVATE)
    open_link(hand, hosted, TEA)
    says(hand, "#saving", "in this tab only")
    says(hand, "#hint-unkept", "gone when it is closed")
    hand.click("#tab-fill")
    hand.click("[data-cell='0']")
    hand.write("s")
    await_that(lambda: letters(hand) == "SEAORPIN")
    hand.click("#new")
    await_that(lambda: set(letters(hand)) == {"."})
    says(hand, "#saving", "in this tab only")
    hand.click("#manage")
    hand.click("#delete")
    hand.click("#delete-yes")
    await_that(lambda: letters(hand) == "SEAORPIN")
