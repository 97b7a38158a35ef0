"""The candidates of the two slots at the cursor, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.words.wordlist import read_word_list
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    await_idle,
    barriers,
    begin,
    focused,
    needs_browser,
    rows,
    start_over,
    unfold,
    visiting,
    wait_for,
    words_in,
    write_into,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import FloatRect, Page

pytestmark = needs_browser


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    puzzle = cpfill.read_puzzle(INSTANCES / "assignment" / "A.txt")
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(puzzle, "ipuz")[0])
    with visiting(tab, address) as opened:
        yield opened


def listed(page: Page, name: str = "words") -> list[str]:
    await_frame(page)
    return page.locator(f"#{name} [data-word] .word").all_text_contents()


def test_candidates_are_listed_and_weighed(page: Page) -> None:
    see_ten_candidates(page)
    read_the_weakest_word(page)
    page.mouse.move(0, 0)
    ask_how_good_a_fill_can_be(page)
    start_over(page)
    move_along_a_slot(page)
    start_over(page)
    filter_by_letters(page)
    start_over(page)
    take_a_word_of_the_crossing_slot(page)


def test_words_are_judged_in_their_rows(page: Page, tmp_path: Path) -> None:
    ban_a_word_under_the_pointer(page)
    page.mouse.move(0, 0)
    begin(page)
    score_a_word_in_its_row(page, tmp_path)
    start_over(page)
    add_an_entry_of_ones_own(page, tmp_path)


def test_words_of_odd_grids(tab: Page, puzzles: Path, address: str) -> None:
    lift_what_makes_a_word_delicate(tab, puzzles, address)
    take_a_word_beside_a_dead_corner(tab, puzzles, address)
    for width in (11, 15, 21):
        see_whole_words(tab, puzzles, address, width)


def take_a_word_of_the_crossing_slot(page: Page) -> None:
    page.click("[data-cell='1']")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#crossing-words-heading:has-text('1 Down')")
    page.wait_for_selector("#crossing-words [data-word].yes")
    assert page.inner_text("#words-heading").split()[:2] == ["1", "Across"]
    assert page.inner_text("#crossing-words-heading").split()[:2] == ["1", "Down"]
    await_idle(page)  # until each word has its verdict, others may come before it
    word = str(page.get_attribute("#crossing-words [data-word].yes", "data-word"))
    page.click(f"#crossing-words [data-word='{word}']")
    wait_for(page, lambda: "".join(row[0] for row in rows(page))[: len(word)] == word)


def see_ten_candidates(page: Page) -> None:
    """On a small screen, without scrolling."""
    assert page.viewport_size == {"width": 1280, "height": 720}
    box = page.locator("#words").bounding_box()
    assert box is not None
    seen = [row.bounding_box() for row in page.locator("#words [data-word]").all()[:10]]
    assert all(each is not None and each["y"] + each["height"] <= min(720, box["y"] + box["height"]) for each in seen)


def filter_by_letters(page: Page) -> None:
    write_into(page, "#filter", "s?a")
    wait_for(page, lambda: bool(listed(page)) and all(word[0] == "S" and word[2] == "A" for word in listed(page)))
    # Propagation leaves out what cannot stand there, so each is a word of the list, and others may be.
    known = read_word_list("en").words
    assert all(word in known for word in listed(page))
    page.wait_for_selector("#fillable.yes")  # which is said of the grid, not of the filter
    write_into(page, "#filter", "")
    wait_for(page, lambda: any(word[0] != "S" for word in listed(page)))


def add_an_entry_of_ones_own(page: Page, tmp_path: Path) -> None:
    page.keyboard.press("Escape")
    page.keyboard.type("qzx")
    page.keyboard.press("Home")
    page.wait_for_selector("section:has(> #words) .adding:has-text('QZX is an entry of your own')")
    page.click("section:has(> #words) .adding button")
    own = tmp_path / "config" / "cpfill" / "words.txt"
    wait_for(page, lambda: own.exists() and "QZX;50" in own.read_text().split())
    wait_for(page, lambda: page.locator("section:has(> #words) .adding").inner_text() == "")


def score_a_word_in_its_row(page: Page, tmp_path: Path) -> None:
    page.wait_for_selector("#words [data-word].yes")
    await_idle(page)
    word = listed(page)[0]
    page.keyboard.press("Enter")
    await_idle(page)
    assert focused(page) == "words"
    page.keyboard.press("s")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    # Under the focus no row moves: the word shows its score in its place, or falls off the list.
    wait_for(page, lambda: page.locator(f"#words [data-word={word}] .score").all_text_contents() in ([], ["7"]))
    assert f"{word};7" in (tmp_path / "config" / "cpfill" / "words.txt").read_text().split()


def ask_how_good_a_fill_can_be(page: Page) -> None:
    page.wait_for_selector("#words [data-word].yes >> nth=4")
    page.click("#ask-best")
    row = page.locator("#words [data-word]:has(.best:has-text('min'))").first
    row.wait_for()
    word, told = str(row.get_attribute("data-word")), row.locator(".best").inner_text()
    grid = INSTANCES / "assignment" / "A.txt"
    best = cpfill.solve(grid, "en", objective="min", slot=f"1-Across:pattern={word}")
    assert best.value is not None
    assert told == f"min {best.value[0]:g}"


def move_along_a_slot(page: Page) -> None:
    """What is known of them is not asked anew, and a press on one finds it where it stood."""
    wait_for(page, lambda: "." not in "".join(rows(page)))
    page.wait_for_selector("#crossing-words [data-word].yes")
    page.click("#ask-best")
    page.wait_for_selector("#words .yes .best:has-text('min')")
    page.click("[data-cell='1']")
    page.wait_for_selector("#crossing-words-heading:has-text('2 Down')")
    page.wait_for_selector("#crossing-words [data-word].yes")
    assert page.locator("#words .best:has-text('min')").count() > 0


def ban_a_word_under_the_pointer(page: Page) -> None:
    """A word that goes leaves its place empty until the pointer goes too."""
    await_idle(page)
    before = listed(page)
    place = box_of(page, f"#words [data-word='{before[4]}']")
    page.hover("#words [data-word] >> nth=2")
    page.click("#words [data-word]:hover [data-do=ban]")
    wait_for(page, lambda: before[2] not in listed(page) and len(listed(page)) > 2)
    await_idle(page)
    banned, *others = before[2:10]
    assert listed(page)[:9] == [*before[:2], *others]
    assert box_of(page, f"#words [data-word='{before[4]}']") == place
    page.click("#message #offer")
    wait_for(page, lambda: banned in listed(page))
    assert listed(page)[2] == banned


def read_the_weakest_word(page: Page) -> None:
    await_idle(page)
    known = read_word_list("en").words
    page.mouse.move(*middle(box_of(page, "#words [data-word].yes >> nth=1")))
    row = page.locator("#words [data-word].yes >> nth=1")
    page.wait_for_selector("#grid .ghost")
    least = min(known[word][0] for word in words_in(rows(page, "")))
    assert f"{least:g}" in row.locator(".best").inner_text().split()
    heads = page.locator("#words [role=columnheader]")
    assert heads.all_inner_texts() == ["Verdict", "Word", "Score", "Changes", "Weakest"]
    assert barriers(page) == []


def lift_what_makes_a_word_delicate(tab: Page, puzzles: Path, address: str) -> None:
    (puzzles / "row.txt").write_text("....\n")
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(cpfill.read_puzzle(puzzles / "row.txt"), "ipuz")[0])
    with visiting(tab, address) as page:
        write_into(page, "#filter", "nazi")
        wait_for(page, lambda: listed(page) == ["NAZI"])
        row = page.locator("#words [data-word=NAZI]")
        wait_for(page, lambda: row.locator(".score").inner_text() == "20")
        assert row.locator(".reason").inner_text() == "delicate"
        unfold(page)
        page.click("#frank")
        wait_for(page, lambda: row.locator(".score").inner_text() not in {"", "20"})
        assert row.locator(".reason").inner_text() != "delicate"
        page.click("#frank")
        wait_for(page, lambda: row.locator(".reason").inner_text() == "delicate")
        page.click("#words [data-word=NAZI] .word")
        wait_for(page, lambda: rows(page) == ["NAZI"])
        page.click("#tab-check")
        page.wait_for_selector("#panel-check .links >> text=NAZI 20 (delicate)")


def take_a_word_beside_a_dead_corner(tab: Page, puzzles: Path, address: str) -> None:
    """No word begins with Z."""
    (puzzles / "few.txt").write_text("QZ;50\nQA;50\nAE;50\nAB;60\nCD;50\nAC;50\nBD;50\n")
    cells = (*"QZ", None, None, "", "", *[None] * 8, "", "", None, None, "", "")
    work = {"terms": {"words": ["few.txt"], "personal": False}}
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(cpfill.Puzzle(5, 4, cells, work=work), "ipuz")[0])
    with visiting(tab, address) as page:
        page.click("[data-cell='14']")
        page.wait_for_selector("#words [data-word='AC'].yes")
        page.wait_for_selector(".candidates .adding:has-text('Judged without 2 Down, which cannot be filled.')")
        page.wait_for_selector("#fillable.no")
        assert barriers(page, "color-contrast") == []
        page.click("#words [data-word='AC']")
        wait_for(page, lambda: rows(page)[3:] == ["##AC", "##BD"])
        page.click("[data-cell='1']")
        page.keyboard.press(" ")
        page.wait_for_selector(".candidates .summary:has-text('No word fits here, because 2 Down cannot be filled.')")
        wait_for(page, lambda: page.locator("#crossing-words [data-word]").count() > 0)


def box_of(page: Page, what: str) -> FloatRect:
    found = page.locator(what).bounding_box()
    assert found is not None
    return found


def middle(box: FloatRect) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def see_whole_words(tab: Page, puzzles: Path, address: str, width: int) -> None:
    """Not by its neighbours, nor by the buttons of the row under the pointer."""
    cells = [""] * width + [None, ""] * (width // 2) + [None] + [""] * width
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(cpfill.Puzzle(3, width, tuple(cells)), "ipuz")[0])
    with visiting(tab, address) as page:
        page.wait_for_selector("#words [data-word].yes")
        await_idle(page)
        page.hover("#words [data-word] >> nth=2")
        page.wait_for_selector("#words [data-word]:hover .tools")
        word, *others = (box_of(page, f"#words [data-word]:hover {part}") for part in (".word", ".tools", ".score"))
        assert all(word["x"] + word["width"] <= other["x"] + 1 for other in others)
        shown = page.locator("#words .word").first
        assert shown.evaluate("(each) => each.scrollWidth <= each.clientWidth")
        assert len(page.inner_text("#words .word >> nth=0").replace("\n", "")) == width
