"""The page in each browser that is installed, with a server and without one."""

from __future__ import annotations

from contextlib import ExitStack
from threading import Event
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.formats.pages.style import PageLayout, PageStyle
from cpfill.formats.registry import write_puzzle
from tests.support import INSTANCES
from tests.web.browser import list_files
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
ON_DEMAND = ["en-gb.gz", "en-words.gz", "en.gz", "fr.gz", "pdf.pack"]
"""What the first visit loads after all else."""
KEPT_PARTS = """async () => {
    const kept = await (await caches.open("cpfill-memory")).keys();
    return kept.map(({url}) => url.split("/").at(-1)).filter((name) => /[.](gz|pack)$/.test(name)).sort();
}"""
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


@pytest.fixture
def path(hand: Hand, puzzles: Path, address: str) -> Path:
    """Return the file of a puzzle that a hand has open."""
    path = puzzles / "a.ipuz"
    path.write_bytes(cpfill.write_puzzle(cpfill.read_puzzle(INSTANCES / "assignment" / "A.txt"), "ipuz")[0])
    hand.go(address)
    hand.click("#tab-fill")
    await_that(lambda: hand.texts("#words [data-word]"))
    for cell in (2, 0):  # a click where the cursor is would turn it
        hand.click(f"[data-cell='{cell}']")
    if "Down" in hand.texts("#words-heading")[0]:  # as an earlier visit ended
        hand.click("[data-cell='0']")
        says(hand, "#words-heading", "Across")
    return path


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


def test_keys_write_words_that_are_saved_and_undone(hand: Hand, path: Path) -> None:
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


def test_a_word_is_taken_and_the_rest_is_filled(hand: Hand, path: Path, address: str) -> None:
    word = await_that(lambda: hand.texts("#words .yes .word"))[0]
    hand.click(f"#words [data-word='{word}']")
    await_that(lambda: own_rows(path)[0].startswith(word))
    hand.click("#autofill")
    await_that(lambda: "." not in letters(hand) and hand.texts("#autofill"))
    says(hand, "#saving", "saved")
    hand.go("about:blank")
    hand.go(address)
    await_that(lambda: letters(hand) == "".join(cell for cell in cpfill.read_puzzle(path).cells if cell))


def test_blocks_are_set_and_a_clue_is_written(hand: Hand, path: Path) -> None:
    hand.click("#tab-design")
    hand.click("[data-cell='12']")
    hand.write(".")
    await_that(lambda: own_rows(path)[2] == "..#..")
    hand.click("#tab-clues")
    hand.click("[id='clue-1-Across']")
    hand.write("Not a word")
    await_that(lambda: "Not a word" in {*cpfill.read_puzzle(path).clues.values()})


@pytest.mark.usefixtures("path")
def test_solvers_find_their_letters_again(hand: Hand, address: str, tmp_path: Path) -> None:
    """In two files of one folder, and on the page, where the puzzle has no solution yet."""
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


def test_a_puzzle_is_begun_filled_drawn_and_kept(hand: Hand, hosted: str) -> None:
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

    hand.click("#tab-export")
    says(hand, "#losses", "Nothing that solvers see")
    await_kept(hand, hosted)


def test_candidates_come_while_a_fill_is_sought(hand: Hand, hosted: str) -> None:
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


def test_a_link_gets_no_further_than_its_puzzle(hand: Hand, hosted: str) -> None:
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


def test_two_hundred_keys_typed_fast_are_all_written(hand: Hand, hosted: str) -> None:
    open_link(hand, hosted, cpfill.Puzzle(14, 15, ("",) * 210))  # not of the size that the page begins with
    hand.click("#tab-fill")
    text = "ABCDEFGHIJKLMNOPQRST" * 10
    for start in range(0, 200, 15):
        hand.click(f"[data-cell='{start}']")
        hand.write(text[start : start + 15].lower())
    await_that(lambda: letters(hand).startswith(text))
    assert hand.texts("#message") == [""]
    await_kept(hand, hosted)


def test_fills_are_counted_by_the_kernels_of_the_tab(hand: Hand, hosted: str) -> None:
    fills = sum(len(word) == 3 and word[::2] == "AO" for word in cpfill.read_word_list("en").words)
    open_link(hand, hosted, cpfill.Puzzle(3, 3, ("C", "A", "T", None, "", None, "D", "O", "G")))
    hand.click("#tab-fill")
    await_that(lambda: hand.texts("#words[aria-busy=false] [data-word].yes"), LONG_S)
    hand.click("#rare summary")
    hand.click("#count")
    says(hand, "#panel-fill .progress", f"exactly {fills} fills")


def test_pdf_is_drawn_when_it_is_asked_for(hand: Hand, hosted: str, downloads: Path) -> None:
    open_link(hand, hosted, TEA)
    hand.click("#tab-export")
    says(hand, "#losses", "Nothing that solvers see")
    for path in list_files(downloads):
        path.unlink()
    hand.click("#download")
    await_that(lambda: any(path.read_bytes().startswith(b"%PDF-") for path in list_files(downloads)), LONG_S)
    assert not any("pip" in each for each in hand.texts("body"))


def test_it_opens_without_a_network_after_the_first_visit(new: Hand, site: Path) -> None:
    with hosting(site) as address:
        open_link(new, address, cpfill.Puzzle(3, 4, ("",) * 12))
        new.click("#tab-fill")
        new.click("[data-cell='0']")
        new.write("tea")
        await_that(lambda: new.texts("#words [data-word]"), LONG_S)
        await_kept(new, address)
        await_that(lambda: new.run(IS_KEPT), LONG_S)
        before = letters(new)
    new.go("about:blank")
    new.go(address)
    if await_that(lambda: KEEPING & set(new.texts("#saving")), LONG_S) == {"saved"}:
        await_that(lambda: letters(new) == before)
    new.click("#tab-fill")
    new.click("[data-cell='0']")
    await_that(lambda: new.texts("#words [data-word]"), LONG_S)
    await_kept(new, address)


def test_a_search_of_the_first_visit_can_be_stopped(new: Hand, site: Path) -> None:
    service = Event()
    with hosting(site, service=service) as address:
        open_link(new, address, cpfill.Puzzle(14, 15, ("",) * 210))  # without blocks: nobody fills that soon
        new.click("#tab-fill")
        await_that(lambda: new.texts("#words [data-word]"), LONG_S)
        new.click("#best")
        await_that(lambda: new.texts("#stop"))
        service.set()
        await_that(lambda: new.run(IS_KEPT), LONG_S)
        new.click("#stop")
        await_that(lambda: new.texts("#autofill"), SEARCH_S / 2)
        new.click("[data-cell='30']")
        await_that(lambda: new.texts("#words[aria-busy=false] [data-word]"), SEARCH_S / 2)


def test_every_format_is_made_offline_after_one_visit(new: Hand, site: Path, downloads: Path) -> None:
    with hosting(site) as address:
        open_link(new, address, TEA)
        await_that(lambda: new.run(IS_KEPT), LONG_S)
        await_that(lambda: new.run(KEPT_PARTS) == ON_DEMAND, LONG_S)
    new.click("#tab-export")
    formats = await_that(
        lambda: new.run("() => [...document.querySelectorAll('#format option')].map((each) => each.value)")
    )
    # Each writer needs other files. WebKit's window loses 50 points of height at each download, so few formats fit.
    wanted = ("pdf", "png", "puz", "html")
    assert {*wanted} <= {*formats}
    for each in wanted:
        for path in list_files(downloads):
            path.unlink()
        new.run(CHOOSE, each)
        await_that(lambda chosen=each: new.run("() => document.querySelector('#format').value") == chosen)  # type: ignore[misc]
        new.run("() => cpfill.idle()")  # or the button moves as the options of the format before go
        new.click("#download")
        await_that(lambda: any(path.stat().st_size for path in list_files(downloads)), LONG_S)


@pytest.mark.parametrize("name", [PRIVATE if name == "firefox" else name for name in BROWSERS if name != "chromium"])
def test_a_private_window_has_puzzles_in_memory_and_says_so(
    hands: Callable[[str], Hand], name: str, hosted: str
) -> None:
    hand = hands(name)
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
