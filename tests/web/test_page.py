"""The page, used as a person does: in a browser, over a server, with files on the disk."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import SHADE
from cpfill.puzzle.puzzle import Puzzle
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    await_idle,
    barriers,
    begin,
    choose,
    focused,
    hold,
    keep_still,
    leave,
    make_otherwise,
    needs_browser,
    open_puzzle,
    own,
    pick,
    release,
    rows,
    start_over,
    unfold,
    visiting,
    wait_for,
    words_in,
    write_into,
)
from tests.web.support import own_rows, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import FilePayload, Page, Route

    from cpfill.puzzle.grid import Slot

pytestmark = needs_browser


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str) -> Iterator[Page]:
    """A page over a directory with grid A of the assignment."""
    make_puzzle(puzzles)
    with visiting(tab, address) as opened:
        yield opened


def make_puzzle(directory: Path) -> None:
    """Write the puzzle, with shades, a clue and a draft of it for the eyes of axe."""
    puzzle = replace(
        cpfill.read_puzzle(INSTANCES / "assignment" / "A.txt"),
        shades={0: SHADE, 6: "#1133aa", 12: "#fff2a8"},
        clues={(Direction.DOWN, 5): "No more"},
        drafts={(Direction.DOWN, 5): ("Not any", "Enough of this")},
    )
    (directory / "a.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])


SAVED_SOON_MS = 1000
"""What is typed is saved after 0.4 s."""
EMPTY = ["...##", "....#", ".....", "#....", "##..."]


def saved(directory: Path, name: str = "a.ipuz") -> list[str]:
    return own_rows(directory / name)


@pytest.fixture
def begin_anew(page: Page, puzzles: Path, address: str) -> Callable[[], None]:
    """Return how the page comes to be as on a first visit, with the puzzle as it was."""

    def begin() -> None:
        leave(page, address)
        for path in puzzles.iterdir():
            path.unlink()
        make_puzzle(puzzles)
        page.goto(address)
        page.wait_for_selector("#words [data-word]")

    return begin


def test_letters_and_verdicts(page: Page, puzzles: Path) -> None:
    write_by_keys_alone(page)
    start_over(page)
    see_why_there_is_none_and_what_helps(page)
    start_over(page)
    rest_the_pointer_where_words_come(page)
    start_over(page)
    take_a_word_that_scores_too_little(page, puzzles)


def test_blocks_marks_and_shades(page: Page, puzzles: Path) -> None:
    fill_a_region_anew(page)
    start_over(page)
    draw_blocks_in_symmetry(page)
    start_over(page)
    shade_cells(page, puzzles)
    start_over(page)
    reload_what_is_locked_or_pencilled(page, puzzles)
    move_marks_with_their_cells(page)
    move_what_belongs_to_cells_and_slots(page, puzzles)
    generate_in_the_place_of_one_puzzle(page)


def test_files_lists_and_imports(page: Page, puzzles: Path, begin_anew: Callable[[], None]) -> None:
    export_for_minizinc(page, puzzles)
    begin_anew()
    keep_lists_and_a_theme_for_each_puzzle(page, puzzles)
    begin_anew()
    follow_the_audit(page)
    page.click("#tab-fill")
    see_a_rebus_in_one_cell(page)
    ask_for_another_fill(page)


def test_clues_drafts_and_prints(
    page: Page, puzzles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin_anew: Callable[[], None]
) -> None:
    see_the_page_as_it_prints(page)
    page.unroute_all()
    page.click("#tab-fill")
    write_clues_and_export(page, puzzles, tmp_path)
    monkeypatch.setattr("cpfill.web.app.is_installed", lambda _: False)
    begin_anew()
    look_up_where_nothing_is_installed(page, puzzles)
    monkeypatch.setattr("cpfill.web.app.is_installed", lambda _: True)
    begin_anew()
    turn_drafts_by_keys(page, puzzles)


def test_a_slow_server_a_second_tab_and_no_server(
    page: Page, puzzles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin_anew: Callable[[], None]
) -> None:
    go_elsewhere_while_a_puzzle_opens(page)
    begin_anew()
    write_in_two_tabs(page, puzzles)
    write_while_the_server_is_gone(page, tmp_path, monkeypatch)


def test_languages_and_schemes_for_everyone(page: Page) -> None:
    read_the_heat_map(page)
    page.click("#tab-fill")
    begin(page)
    read_the_server_in_french(page)
    see_every_mode_in_french(page)
    unfold(page, "#settings")
    choose(page, "#language", "English")
    start_over(page)
    judge_every_mode_in_both_schemes(page)


def rest_the_pointer_where_words_come(page: Page) -> None:
    keep_still(page)
    page.wait_for_selector("#words [data-word].yes")
    place = page.locator("#words [data-word].yes").first.bounding_box()
    assert place
    page.click("#tab-design")
    page.mouse.move(place["x"] + 20, place["y"] + 5)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#words [data-word].yes")
    await_idle(page)
    assert page.locator("#grid .ghost").count() == 0
    page.mouse.move(place["x"] + 22, place["y"] + 5)
    page.wait_for_selector("#grid .ghost")


def await_fill(page: Page) -> list[str]:
    """Return the grid when it is full, and no search is under way."""
    return await_grid(page, lambda grid: "." not in "".join(grid))


def await_grid(page: Page, holds: Callable[[list[str]], bool]) -> list[str]:
    """Return the grid for which something holds while no search is under way."""
    grid: list[str] = []

    def stands() -> bool:
        grid[:] = rows(page)
        return holds(grid) and not page.locator("#stop").count()

    wait_for(page, stands)
    return grid


def write_by_keys_alone(page: Page) -> None:
    """Arrows turn and move, Tab goes from word to word, letters write, Enter goes into the list and takes from it."""
    page.keyboard.press("Escape")
    page.keyboard.type("tea")
    page.keyboard.press("Tab")
    page.keyboard.type("wars")
    assert own(page)[:2] == ["TEA##", "WARS#"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Backspace")
    page.keyboard.press("Tab")
    page.wait_for_selector("#words [data-word].yes")
    page.keyboard.press("Enter")
    assert focused(page) == "words"
    before = own(page)
    page.keyboard.press("Enter")
    assert own(page) != before
    page.keyboard.press("Escape")
    assert focused(page, "role") == "gridcell"
    page.keyboard.press("?")
    assert page.locator("#help-dialog").is_visible()
    page.keyboard.press("Escape")
    for _ in range(20):  # Tab leaves the grid after the last word
        page.keyboard.press("Tab")
    assert focused(page, "role") != "gridcell"


def see_why_there_is_none_and_what_helps(page: Page) -> None:
    page.keyboard.press("Escape")
    page.keyboard.type("tea")
    page.keyboard.press("Tab")
    page.keyboard.type("q")
    page.wait_for_selector("#fillable.no")
    page.wait_for_selector(".repairs button")
    page.wait_for_selector("[role=gridcell].conflict")
    page.locator(".repairs button").first.click()
    page.wait_for_selector("#fillable.yes")


def take_a_word_that_scores_too_little(page: Page, puzzles: Path) -> None:
    """No fill of this grid has dictionary words from 60 alone; a word that is written out may score less."""
    unfold(page)
    page.check("[id='list-en-words']")
    page.uncheck("[id='list-en']")
    page.click("#min-score")
    page.keyboard.press("End")
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#fillable.no")
    helps = page.locator(".repairs button:has-text('in 6-Across helps')")
    helps.wait_for()
    word = helps.inner_text().split()[1]
    helps.click()
    wait_for(page, lambda: saved(puzzles)[2] == word)
    page.wait_for_selector("#fillable.yes")
    unfold(page)
    page.check("[id='list-en']")
    page.uncheck("[id='list-en-words']")


def draw_blocks_in_symmetry(page: Page) -> None:
    page.click("#tab-design")
    page.click('[data-cell="11"]')
    page.keyboard.press(".")
    assert own(page) == ["...##", "....#", ".#.#.", "#....", "##..."]
    choose(page, "#symmetry", "none")
    page.click('[data-cell="13"]')
    page.keyboard.press(".")
    assert own(page)[2] == ".#..."
    page.click('[data-cell="6"]')
    page.keyboard.press(",")
    page.wait_for_selector('[data-cell="6"].bar-right')


def generate_in_the_place_of_one_puzzle(page: Page) -> None:
    page.click("#new")
    wait_for(page, lambda: len(own(page)) == 15)
    page.click("#tab-design")
    write_into(page, "#rows", "7")
    write_into(page, "#columns", "7")
    page.click("#resize")
    make_otherwise(page, "#generate")
    wait_for(page, lambda: len(own(page)) == 7 and "#" in "".join(own(page)) and page.is_visible("#generate-filled"))
    page.route("**/api/generate", lambda _: None)  # its answer does not come
    make_otherwise(page, "#generate")
    page.wait_for_selector("#stop-generating")
    page.click("#new")
    wait_for(page, lambda: len(own(page)) == 15)
    page.wait_for_selector("#generate-filled")


def fill_a_region_anew(page: Page) -> None:
    filled = await_fill(page)
    unfold(page, "#rare")
    page.click("#clear")
    assert rows(page) == EMPTY
    page.keyboard.press("Control+z")
    assert rows(page) == filled
    page.click('[data-cell="10"]')
    for key in ["Shift+ArrowRight"] * 4 + ["Shift+ArrowDown"] * 2:
        page.keyboard.press(key)
    wait_for(page, lambda: page.locator("[role=gridcell].selected").count() == 12)
    page.click("#another")
    wait_for(page, lambda: rows(page) != filled and "." not in "".join(rows(page)))
    assert rows(page)[:2] == filled[:2]


def ask_for_another_fill(page: Page) -> None:
    words: FilePayload = {"name": "two.txt", "mimeType": "text/plain", "buffer": b"CAT;50\nDOG;50\n"}
    unfold(page)
    pick(page, "#add-list", words)
    page.wait_for_selector("[id='list-two.txt']:checked")

    def await_rows(*others: list[str]) -> list[str]:
        return await_grid(page, lambda grid: grid in others)

    def open_grid(text: str) -> None:
        grid: FilePayload = {"name": "g.txt", "mimeType": "text/plain", "buffer": text.encode()}
        pick(page, "#import", grid)
        wait_for(page, lambda: own(page) == text.split())
        unfold(page)
        page.check("[id='list-two.txt']")
        page.uncheck("[id='list-en']")
        page.keyboard.press("Escape")

    open_grid("...\n###\n...\n")
    page.keyboard.press("Control+Enter")
    both = [["CAT", "###", "DOG"], ["DOG", "###", "CAT"]]
    both.remove(await_rows(*both))
    page.click("#another")
    await_rows(*both)
    open_grid("...\n")
    page.click('[data-cell="0"]')
    page.keyboard.type("c")
    page.keyboard.press("Control+Enter")
    await_rows(["CAT"])
    page.click("#another")
    page.wait_for_selector("#message:has-text('There is no other fill (proved)')")
    page.wait_for_selector("#fillable.yes")
    assert rows(page) == ["CAT"]
    open_grid("...\n###\n...\n")
    page.click("#pool-words")  # with a theme, whose word is locked where it is placed, and stays in the other fill
    page.keyboard.type("dog")
    page.keyboard.press("Enter")
    await_idle(page)
    page.keyboard.press("Control+Enter")
    wait_for(page, lambda: "".join(page.locator("#grid .locked .letter").all_text_contents()) == "DOG")
    placed = await_rows(["DOG", "###", "CAT"], ["CAT", "###", "DOG"])
    page.click("#another")
    page.wait_for_selector("#message:has-text('There is no other fill (proved)')")
    assert rows(page) == placed


def write_clues_and_export(page: Page, puzzles: Path, tmp_path: Path) -> None:
    filled = await_fill(page)
    page.click("#tab-clues")
    write_into(page, "#meta-title", "A small one")
    write_into(page, "[id='clue-1-Across']", "Drunk at four")
    page.keyboard.press("Enter")
    assert focused(page) == "clue-4-Across"
    wait_for(page, lambda: "Drunk at four" in cpfill.read_puzzle(puzzles / "a.ipuz").clues.values())
    page.click("#tab-export")
    page.click("#purpose-across_lite")
    with page.expect_download() as download:
        page.click("#download")
    exported = tmp_path / "out.puz"
    download.value.save_as(exported)
    read = cpfill.read_puzzle(exported)
    assert ["".join("#" if cell is None else cell for cell in row) for row in read.rows] == filled
    assert "Drunk at four" in read.clues.values()
    assert "A small one" in read.metadata.values()


def turn_drafts_by_keys(page: Page, puzzles: Path) -> None:
    field = page.locator("[id='clue-4-Across']")
    drafts = page.locator("[id='drafts-4-Across'] .link")
    page.click("#tab-clues")
    write_into(page, "[id='clue-4-Across']", "One")
    page.keyboard.press("Alt+Enter")
    assert field.input_value() == ""
    page.keyboard.type("Two")
    page.keyboard.press("Alt+Enter")
    page.keyboard.type("Three")
    page.keyboard.press("Alt+ArrowDown")
    await_frame(page)
    assert (field.input_value(), drafts.all_text_contents()) == ("Two", ["One", "Three"])
    page.keyboard.press("Alt+ArrowUp")
    await_frame(page)
    assert (field.input_value(), drafts.all_text_contents()) == ("Three", ["Two", "One"])
    drafts.last.click()
    await_frame(page)
    assert (field.input_value(), drafts.all_text_contents()) == ("One", ["Three", "Two"])
    answer = json.dumps({"word": "", "clues": [{"text": "Found", "source": "mine"}]}) + '\n{"done": true}\n'
    page.route("**/api/clues", lambda route: route.fulfill(body=answer))
    page.click("#look-up")
    page.click(".found >> text='Found'")
    await_frame(page)
    assert (field.input_value(), drafts.all_text_contents()) == ("Found", ["One", "Three", "Two"])
    page.keyboard.press("Control+z")
    await_frame(page)
    assert (field.input_value(), drafts.all_text_contents()) == ("One", ["Three", "Two"])
    page.click("[id='drafts-4-Across'] .small >> nth=0")
    page.keyboard.press("Control+z")
    await_frame(page)
    assert (field.input_value(), drafts.all_text_contents()) == ("One", ["Three", "Two"])
    page.click("#tab-design")
    choose(page, "#symmetry", "none")
    page.click('[data-cell="0"]')
    page.keyboard.press(".")  # the second row is now the third slot across
    page.click("#tab-clues")
    page.wait_for_selector("[id='drafts-3-Across'] li")
    moved = {(Direction.ACROSS, 3): ("Three", "Two"), (Direction.DOWN, 4): ("Not any", "Enough of this")}
    wait_for(page, lambda: cpfill.read_puzzle(puzzles / "a.ipuz").drafts == moved)
    page.reload()
    page.click("#tab-clues")
    page.wait_for_selector("[id='drafts-3-Across'] li")


def move_what_belongs_to_cells_and_slots(page: Page, puzzles: Path) -> None:
    """Other letters as in `Puzzle.fill`, a block or another size as where a puzzle with them is made anew."""
    cells = (*"ABCDEF", None, "H", "")  # the last is in no slot
    plain = Puzzle(
        3, 3, cells, bars=frozenset({(0, 3), (5, 8), (7, 8)}), letter_sets={8: "IJ"}, givens=frozenset({1, 3})
    )
    texts = {clue: f"of {slot.cells}" for clue, slot in plain.slot_of.items()}
    whole = replace(
        plain,
        clues=texts,
        drafts={clue: (f"more {text}",) for clue, text in texts.items()},
        shades={2: SHADE, 4: "#ffd966"},
        voids=frozenset({6}),
    )
    (puzzles / "b.ipuz").write_bytes(cpfill.write_puzzle(whole, "ipuz")[0])
    keep_still(page)
    page.reload()
    open_puzzle(page, "b.ipuz")
    page.click("#tab-design")
    wait_for(page, lambda: own(page) == ["ABC", "DEF", ".H."])

    def at(puzzle: Puzzle, slot: Slot) -> list[tuple[int, int]]:
        return [divmod(cell, puzzle.width) for cell in slot.cells]

    def clued(anew: Puzzle) -> Puzzle:
        """Return a puzzle with the clues of the slots that it has in the same places as the first."""
        kept = {
            clue: texts[old]
            for clue, slot in anew.slot_of.items()
            for old, before in plain.slot_of.items()
            if old[0] is clue[0] and at(plain, before) == at(anew, slot)
        }
        return replace(anew, clues=kept, drafts={clue: (f"more {text}",) for clue, text in kept.items()})

    def await_saved(expected: Puzzle) -> None:
        def kept() -> Puzzle:
            return replace(cpfill.read_puzzle(puzzles / "b.ipuz"), metadata={})

        wait_for(page, lambda: kept() == replace(expected, metadata={}))

    page.click('[data-cell="4"]')
    page.keyboard.press("x")
    await_saved(Puzzle.fill(whole, ["A", "B", "C", "D", "X", "F", "", "H", ""]))
    page.keyboard.press("Control+z")
    choose(page, "#symmetry", "none")
    page.click('[data-cell="2"]')
    page.keyboard.press(".")
    blocked = replace(whole, cells=(*"AB", None, *cells[3:]), clues={}, drafts={})
    await_saved(clued(blocked))
    write_into(page, "#columns", "2")
    page.keyboard.press("Enter")
    narrower = replace(
        blocked,
        width=2,
        cells=(*"AB", *"DE", None, "H"),
        bars=frozenset({(0, 2)}),
        givens=frozenset({1, 2}),
        shades={3: "#ffd966"},
        voids=frozenset({4}),
    )
    await_saved(clued(narrower))
    page.click("#undo")
    write_into(page, "#rows", "4")
    page.keyboard.press("Enter")
    longer = replace(blocked, height=4, cells=(*blocked.cells, "", "", ""))
    await_saved(clued(longer))
    assert [len(clued(each).clues) for each in (blocked, narrower, longer)] == [2, 1, 1]


def shade_cells(page: Page, puzzles: Path) -> None:
    def shades() -> dict[int, str]:
        return dict(cpfill.read_puzzle(puzzles / "a.ipuz").shades)

    before = shades()
    page.click("#tab-design")
    page.click('[data-cell="10"]')
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("`")
    wait_for(page, lambda: shades() == {**before, 10: SHADE, 11: SHADE})
    assert page.locator('[data-cell="11"].shaded').get_attribute("aria-label") in {
        "empty, shaded",
        f"{rows(page)[2][1]}, in pencil, shaded",
    }
    page.click("#shade-colour")  # which opens the browser's own dialog, in its own time: else Enter does

    def is_chosen() -> bool:
        for key in ("ArrowRight", "ArrowUp", "Enter"):
            page.keyboard.press(key)
        return page.input_value("#shade-colour") != SHADE

    wait_for(page, is_chosen)
    colour = page.input_value("#shade-colour")
    page.click("#toggle-shade")  # of both again: marks leave the region as it is
    wait_for(page, lambda: shades() == {**before, 10: colour, 11: colour})
    page.click('[data-cell="11"]')  # and moving ends it
    page.click("#toggle-shade")
    wait_for(page, lambda: shades() == {**before, 10: colour})
    page.click("#undo")
    wait_for(page, lambda: shades() == {**before, 10: colour, 11: colour})


def see_the_page_as_it_prints(page: Page) -> None:
    """The frame has the PDF that a download has, on the paper that is chosen, or else a picture."""
    pytest.importorskip("reportlab")
    shown: list[bytes] = []

    def keep(asked: Route) -> None:
        response = asked.fetch()
        shown.append(response.body())
        asked.fulfill(response=response)

    page.route("**/api/convert", keep)
    page.click("#tab-export")
    wait_for(page, lambda: any(frame.url.startswith("blob:") for frame in page.frames))
    assert page.get_attribute("#preview-frame", "title") == "Preview"
    choose(page, "#export-print-paper", "Letter")
    wait_for(page, lambda: len(shown) == 2)
    with page.expect_download() as download:
        page.click("#download")
    assert [file[:5] for file in shown[:2]] == [b"%PDF-"] * 2
    assert download.value.path().read_bytes() == shown[1] != shown[0]
    page.click("#purpose-across_lite")
    wait_for(page, lambda: page.get_attribute("#preview-frame", "sandbox") == "")
    assert shown[-1].startswith(b"<svg")


def reload_what_is_locked_or_pencilled(page: Page, puzzles: Path) -> None:
    page.keyboard.press("Escape")
    page.keyboard.type("tea")
    page.keyboard.press("=")
    page.keyboard.press("Control+Enter")
    filled = await_fill(page)
    path = puzzles / "a.ipuz"
    wait_for(page, lambda: "".join(cell or "#" for cell in cpfill.read_puzzle(path).cells) == "".join(filled))
    page.wait_for_selector("#saving.saved")
    page.reload()
    page.wait_for_selector('[data-cell="0"].locked')
    assert rows(page) == filled
    unfold(page, "#rare")
    page.click("#clear")
    assert own(page) == ["TEA##", *EMPTY[1:]]
    wait_for(page, lambda: saved(puzzles) == ["TEA##", *EMPTY[1:]])
    page.wait_for_selector("#saving.saved")
    path.write_bytes(path.read_bytes() + b"\n")  # another program was here
    page.reload()
    page.wait_for_selector("#words [data-word]")
    assert own(page)[0] == "TEA##"
    assert page.locator("#grid .locked").count() == 3


def move_marks_with_their_cells(page: Page) -> None:
    """What is locked stays with its letters in another size, and a slot that need not be a word stays the same slot."""
    text: FilePayload = {"name": "q.txt", "mimeType": "text/plain", "buffer": b".....\n#####\nQZX.#\n"}
    pick(page, "#import", text)
    page.click(".repairs button:has-text('2-Across')")
    page.wait_for_selector(".opened button:has-text('2-Across')")
    page.click('[data-cell="13"]')
    page.keyboard.type("w=")
    assert own(page) == [".....", "#####", "QZXW#"]
    page.click("#tab-design")
    choose(page, "#symmetry", "none")
    page.click('[data-cell="9"]')
    page.keyboard.press(".")  # there is a slot down before it now
    write_into(page, "#columns", "6")
    page.click("#resize")
    wait_for(page, lambda: own(page) == ["......", "####..", "QZXW#."])
    locked = page.locator("#grid .locked").all()
    assert [each.get_attribute("data-cell") for each in locked] == ["12", "13", "14", "15"]
    page.click('[data-cell="13"]')
    page.keyboard.press("+")
    write_into(page, "#rebus-text", "STAR")
    page.keyboard.press("Enter")
    assert own(page)[2] == "QZXW#."
    page.click("#tab-fill")
    page.wait_for_selector(".opened button:has-text('5-Across')")


def see_a_rebus_in_one_cell(page: Page) -> None:
    text: FilePayload = {"name": "r.txt", "mimeType": "text/plain", "buffer": b"(STAR)....\n"}
    pick(page, "#import", text)
    wait_for(page, lambda: own(page) == ["STAR...."])
    page.wait_for_selector("#words [data-word].yes")
    row = page.locator("#words [data-word].yes").first
    row.hover()
    await_frame(page)
    shown = page.locator("#grid .letter").all_text_contents()
    assert ["".join(shown), len(shown)] == [row.get_attribute("data-word"), 5]


def write_in_two_tabs(page: Page, puzzles: Path) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("#words [data-word]")
    page.keyboard.press("Escape")
    page.keyboard.type("tea")
    wait_for(page, lambda: saved(puzzles)[0] == "TEA##")
    other.keyboard.press("Escape")
    other.keyboard.type("sod")
    other.wait_for_selector("#conflict-dialog[open]")
    assert saved(puzzles)[0] == "TEA##"
    other.click("#take-theirs")
    wait_for(other, lambda: rows(other)[0] == "TEA##")
    other.keyboard.press("Control+z")
    assert rows(other)[0] == "SOD##"
    other.close()


def write_while_the_server_is_gone(tab: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "puzzles"
    folder.mkdir()
    make_puzzle(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    page = tab.context.new_page()
    with serving(folder) as served:
        port = served.port
        page.goto(served.address)
        page.wait_for_selector("#words [data-word]")
        page.keyboard.press("Escape")
        page.keyboard.type("te")
        wait_for(page, lambda: saved(folder)[0] == "TE.##")
    page.keyboard.type("a")
    page.wait_for_selector("#saving.unsaved")
    page.wait_for_selector("#message:has-text('The server does not answer')")
    assert saved(folder)[0] == "TE.##"
    with serving(folder, port):
        wait_for(page, lambda: saved(folder)[0] == own(page)[0] == "TEA##")
        wait_for(page, lambda: page.text_content("#message") == "")
        page.close()


def go_elsewhere_while_a_puzzle_opens(page: Page) -> None:
    def mode() -> str | None:
        return page.locator("#modes [aria-selected=true]").get_attribute("id")

    def let_through(*, until: bool) -> bool:
        release(held)
        return until

    held = hold(page, "**/api/about")
    page.reload()
    page.click("#tab-clues")
    wait_for(page, lambda: let_through(until=len(own(page)) == 5))
    assert mode() == "tab-clues"
    held, saves = hold(page, "**/api/puzzles"), hold(page, "**/api/puzzles/puzzle.ipuz")
    page.click("#new")
    wait_for(page, lambda: let_through(until=len(saves) > 0))
    release(saves)
    wait_for(page, lambda: len(own(page)) == 15)
    assert mode() == "tab-design"
    page.click("#tab-check")
    wait_for(page, lambda: len(held) > 0)
    release(held)
    await_idle(page)
    assert mode() == "tab-check"


def keep_lists_and_a_theme_for_each_puzzle(page: Page, puzzles: Path) -> None:
    words = [word for word in cpfill.read_word_list("en").words if 3 <= len(word) <= 5]
    new = next(word for word in map("".join, product("ERTAS", repeat=3)) if word not in words)
    lines = "".join(f"{word};90\n" for word in words)
    text: FilePayload = {"name": "few.txt", "mimeType": "text/plain", "buffer": lines.encode()}
    unfold(page)
    pick(page, "#add-list", text)
    unfold(page)
    page.wait_for_selector("[id='list-few.txt']:checked")
    unfold(page)
    page.uncheck("[id='list-en']")
    wait_for(page, lambda: set(page.locator("#words [data-word] .score").all_text_contents()) == {"90"})
    write_into(page, "#pool-words", new)
    page.keyboard.press("Enter")
    page.keyboard.press("Control+Enter")
    wait_for(page, lambda: new in words_in(rows(page)))
    unfold(page, "#rare")
    page.click("#clear")
    page.click("#new")
    wait_for(page, lambda: len(own(page)) == 15)
    page.click("#tab-fill")
    assert not page.is_checked("[id='list-few.txt']")
    assert page.is_checked("[id='list-en']")
    await_frame(page)
    assert page.input_value("#pool-words") == ""
    open_puzzle(page, "a.ipuz")
    unfold(page)
    wait_for(page, lambda: page.input_value("#pool-words") == new)
    assert not page.is_checked("[id='list-en']")
    (puzzles / "few.txt").unlink()
    page.reload()
    page.wait_for_selector("#words [data-word]")
    assert page.is_checked("[id='list-en']"), "or the page would have no list at all"


def follow_the_audit(page: Page) -> None:
    text: FilePayload = {"name": "c.txt", "mimeType": "text/plain", "buffer": b"CAT\n#.#\nQZX\n"}
    pick(page, "#import", text)
    wait_for(page, lambda: own(page) == ["CAT", "#.#", "QZX"])
    page.click("#tab-check")
    page.click("#audit li:has-text('QZX is not in your lists') button")
    await_frame(page)
    assert "".join(page.locator("#grid .in-slot .letter, #grid .cursor .letter").all_text_contents()) == "QZX"


def export_for_minizinc(page: Page, puzzles: Path) -> None:
    (puzzles / "own.txt").write_text("ZZQ\n")
    page.reload()
    unfold(page)
    page.check("[id='list-own.txt']")
    unfold(page)
    page.uncheck("[id='list-en']")
    page.click("#tab-export")
    unfold(page, "#other-formats")
    choose(page, "#format", "minizinc-json")
    with page.expect_download() as download:
        page.click("#download")
    assert json.loads(download.value.path().read_text())["n_words"] == 1


def read_the_heat_map(page: Page) -> None:
    page.click("#tab-check")
    page.wait_for_selector("#heat table")
    choose(page, "#heat-length", "words of 3 letters")
    choose(page, "#heat-share", "the letters of each position (%)")
    await_frame(page)
    words = [word for word in cpfill.read_word_list("en").words if len(word) == 3]
    shares = page.locator("#heat tbody tr:has(th:text-is('S')) td").all_text_contents()
    assert shares == [str(round(100 * sum(word[at] == "S" for word in words) / len(words))) for at in range(3)]


def look_up_where_nothing_is_installed(page: Page, folder: Path) -> None:
    (folder / "clues.tsv").write_text("tea\tDrunk at four\n")
    page.reload()
    page.wait_for_selector("#words [data-word]")
    page.keyboard.press("Escape")
    page.keyboard.type("tea")
    page.click("#tab-clues")
    unfold(page, "#clue-rest")
    await_frame(page)
    assert page.inner_text("#no-dictionary").startswith("No dictionary is installed here")
    assert page.locator("button:has-text('Look up')").count() == 0
    page.click("[id='clues-clues.tsv']")
    await_frame(page)
    assert page.inner_text("#no-dictionary") == ""
    page.click("#look-up")
    page.click("#panel-clues button:has-text('Drunk at four')")
    assert page.input_value("[id='clue-1-Across']") == "Drunk at four"


def see_every_mode_in_french(page: Page) -> None:
    unfold(page, "#settings")
    choose(page, "#language", "Français")
    await_frame(page)
    assert page.get_attribute("html", "lang") == "fr"
    for mode, said in {
        "design": "Symétrie",
        "fill": "Tout remplir",
        "clues": "Titre",
        "check": "Longueurs",
        "watch": "Lecture",
        "export": "Télécharger",
    }.items():
        page.click(f"#tab-{mode}")
        page.wait_for_selector(f"#panel-{mode}:has-text('{said}')")
    page.click("#tab-design")
    page.wait_for_selector("#panel-design .faults p:text('respecte')")


def read_the_server_in_french(page: Page) -> None:
    page.keyboard.press("Escape")
    page.keyboard.type("tea")
    page.keyboard.press("Tab")
    page.keyboard.type("q")
    page.wait_for_selector(".repairs button:has-text('helps')")
    unfold(page, "#settings")
    choose(page, "#language", "Français")
    page.wait_for_selector(".repairs button:has-text('aide')")
    assert "cannot" not in str(page.text_content(".reasons"))


def judge_every_mode_in_both_schemes(page: Page) -> None:
    """In every mode, light and dark; what colours have no part in is the same in both."""
    unfold(page, "#settings")
    choose(page, "#theme", "Colours: light")
    for mode, drawn in {
        "design": "#panel-design .faults p:text('follows')",
        "fill": "#words .yes",
        "clues": "[id='clue-1-Across']",
        "check": "#panel-check meter",
        "watch": "#watch-play",
        "export": "#download",
    }.items():
        page.click(f"#tab-{mode}")
        page.wait_for_selector(drawn)
        assert barriers(page) == barriers(page, "label-content-name-mismatch") == [], mode
        unfold(page, "#settings")
        choose(page, "#theme", "Colours: dark")
        assert barriers(page, "color-contrast") == [], mode
        unfold(page, "#settings")
        choose(page, "#theme", "Colours: light")
