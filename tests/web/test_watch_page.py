"""The mode Watch of the page: a search played step by step, against the word list and against the server's steps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.engines.toolkit.propagation import ac3
from cpfill.problem.event import Assignment, Backtrack
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    barriers,
    choose,
    focused,
    needs_browser,
    own,
    rows,
    unfold,
    visiting,
    wait_for,
    words_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import ConsoleMessage, Page

pytestmark = needs_browser

GRID = INSTANCES / "assignment" / "A.txt"
EMPTY = ["...##", "....#", ".....", "#....", "##..."]


@pytest.fixture(scope="module")
def words() -> set[str]:
    """Return few words, so that the search turns back often, with which there is a fill all the same."""
    fill = cpfill.solve(GRID, "en-words", objective="any", engine="mac", limits=cpfill.Limits(seed=5)).fill
    assert fill is not None
    others = list(cpfill.read_word_list("en-words").words)[::25]
    return {fill.word_at(slot) for slot in fill.grid.slots} | {word for word in others if 3 <= len(word) <= 5}


@pytest.fixture
def page(tab: Page, puzzles: Path, address: str, words: set[str]) -> Iterator[Page]:
    """A page over grid A and a small list, at Watch; an error on its console fails the test."""
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(cpfill.read_puzzle(GRID), "ipuz")[0])
    (puzzles / "few.txt").write_text("\n".join(sorted(words)))
    faults: list[str] = []

    def hear(said: ConsoleMessage) -> None:
        if said.type == "error":
            faults.append(said.text)

    tab.on("console", hear)
    with visiting(tab, address) as opened:
        unfold(opened)
        opened.check("[id='list-few.txt']")
        opened.uncheck("[id='list-en']")
        opened.click("#tab-watch")
        yield opened
        tab.remove_listener("console", hear)
    assert faults == []


def shown(page: Page) -> list[str]:
    """Return the letters that the grid shows, those of the search among them."""
    return rows(page, guessed="")


def figure(page: Page, name: str) -> int:
    await_frame(page)
    said = re.match(r"\d+", str(page.text_content(f"#watch-{name}")))
    return int(said[0]) if said else 0


ENGINES = {"fc": "forward checking (FC)", "fc-cbj": "forward checking with backjumping (FC-CBJ)"}


@pytest.mark.parametrize("engine", ENGINES)
def test_played_to_the_end_it_shows_a_fill(page: Page, words: set[str], engine: str) -> None:
    choose(page, "#watch-engine", ENGINES[engine])
    choose(page, "#watch-order", "random")
    page.click("#watch-end")
    wait_for(page, lambda: "✓" in str(page.text_content("#watch-line")))
    found = words_in(shown(page))
    assert set(found) <= words
    assert len(set(found)) == len(found) == 10
    assert own(page) == EMPTY
    assert page.get_attribute("[data-cell='0']", "aria-label") == f"1, {shown(page)[0][0]}"
    stats = cpfill.solve(GRID, sorted(words), engine=cpfill.make_engine(engine, order="random")).stats
    counted = [figure(page, name) for name in ("nodes", "backtracks", "jumps")]
    assert counted == [stats.nodes, stats.backtracks, stats.backjumps]
    points = str(page.get_attribute("#depths polyline", "points")).split()
    assert len(points) == figure(page, "steps")
    page.keyboard.press("Escape")
    assert own(page) == EMPTY


def test_mac_shows_a_fill_that_can_be_taken(page: Page, words: set[str]) -> None:
    choose(page, "#watch-engine", "maintaining arc consistency (MAC)")
    page.click("#watch-end")
    wait_for(page, lambda: "✓" in str(page.text_content("#watch-line")))
    found = shown(page)
    stats = cpfill.solve(GRID, sorted(words), engine="mac").stats
    assert figure(page, "nodes") == stats.nodes
    assert figure(page, "backtracks") >= stats.backtracks
    listed = page.locator("#watch-sizes dd").all_text_contents()
    assert sorted(listed) == sorted(words_in(found))
    page.click("#watch-take")
    assert rows(page) == found
    assert set(words_in(found)) <= words


def test_arc_consistency_alone(page: Page, words: set[str]) -> None:
    """The page ends with as many words a slot as the problem has after AC-3."""
    problem = cpfill.make_problem(GRID, sorted(words))
    choose(page, "#watch-engine", "arc consistency only (AC-3)")
    page.click("#watch-end")
    wait_for(page, lambda: "no more" in str(page.text_content("#watch-line")))
    left = [domain.bit_count() for domain in ac3(problem, problem.domains)]
    assert [int(said) for said in page.locator("#watch-sizes dd").all_text_contents()] == left
    assert shown(page) == EMPTY


def step(page: Page) -> str:
    """Do a step, and return what is said of it."""
    page.click("#watch-step")
    await_frame(page)
    return str(page.text_content("#watch-line"))


def begin(page: Page) -> None:
    """Do what comes before the first step."""
    step(page)
    page.wait_for_selector("#grid .left:not(:empty)")
    wait_for(page, lambda: "…" not in str(page.text_content("#watch-steps")))


def test_steps_are_done_one_by_one_and_taken_back(page: Page) -> None:
    begin(page)
    assert "AC-3" in step(page)
    assert figure(page, "steps") == 1
    page.uncheck("#watch-ac3")
    begin(page)
    assert focused(page) == "watch-step"
    page.keyboard.press("Enter")
    wait_for(page, lambda: figure(page, "nodes") == 1)
    first = shown(page)
    assert len("".join(first).replace(".", "").replace("#", "")) >= 3
    assert page.locator("#grid .tried").count() >= 3
    page.keyboard.press("Enter")
    wait_for(page, lambda: figure(page, "nodes") == 2)
    page.click("#watch-back")
    assert shown(page) == first
    page.click("#watch-rewind")
    assert shown(page) == EMPTY


def test_what_plays_can_be_paused(page: Page) -> None:
    choose(page, "#watch-speed", "10 a second")
    page.click("#watch-play")
    wait_for(page, lambda: figure(page, "steps") >= 3)
    page.click("#watch-play")
    at = figure(page, "steps")
    for _ in range(30):  # in which five steps would be done
        await_frame(page)
    assert figure(page, "steps") == at
    page.click("#watch-play")
    wait_for(page, lambda: figure(page, "steps") > at)
    page.keyboard.press("Escape")
    assert own(page) == EMPTY
    assert page.locator("#watch-stop").is_disabled()


def test_dead_ends_and_jumps_are_told(page: Page, words: set[str]) -> None:
    problem = cpfill.make_problem(GRID, sorted(words))
    engine = cpfill.make_engine("fc-cbj", order="static", ac3=False, trace=True)
    steps = [event.step for event in cpfill.events(problem, engine=engine) if isinstance(event, cpfill.Progress)]
    first = next(at for at, each in enumerate(steps) if isinstance(each, Backtrack) and each.jumps)
    choose(page, "#watch-order", "most constrained at the start")
    page.uncheck("#watch-ac3")
    begin(page)
    for each in steps[: first + 1]:
        line = step(page)
        assert page.locator("#grid .wiped").count() == 0 or "leaves no word for" in line
        if isinstance(each, Assignment):
            assert f"{each.depth}: {each.word} in " in line
            wiped = [] if each.wipeout is None else [*problem.slots[each.wipeout].cells]
            assert page.locator("#grid .wiped").count() == len(wiped)
        elif isinstance(each, Backtrack):
            blamed = problem.slots[each.conflicts[-1]].name.replace("-", " ")
            said = f"{blamed} is to blame" if each.jumps else "nothing left to try"
            assert f"back from {each.depth} to {each.target}: {said}" in line
            assert page.locator("#grid .blamed").count() > 0
    assert figure(page, "jumps") == 1


def test_an_edit_ends_it(page: Page) -> None:
    page.click("#watch-end")
    wait_for(page, lambda: "✓" in str(page.text_content("#watch-line")))
    page.click('[data-cell="0"]')
    page.keyboard.press("q")
    assert own(page) == ["Q..##", *EMPTY[1:]]
    assert figure(page, "steps") == 0


def test_in_french(page: Page) -> None:
    unfold(page, "#settings")
    choose(page, "#language", "Français")
    page.wait_for_selector("#tab-watch:has-text('Pas à pas')")
    page.click("#watch-end")
    wait_for(page, lambda: "Un remplissage" in str(page.text_content("#watch-line")))


def test_nothing_stands_in_the_way_of_anyone(page: Page) -> None:
    """It looks at the steps at which the grid changes its colours."""
    page.uncheck("#watch-ac3")
    choose(page, "#watch-order", "most constrained at the start")
    begin(page)
    step(page)
    assert barriers(page) == []
    known: set[str] = set()
    for _ in range(9):
        marks = {each.get_attribute("class") or "" for each in page.locator("#grid [data-cell]").all()}
        for scheme in ("light", "dark") if not marks <= known else ():
            unfold(page, "#settings")
            choose(page, "#theme", f"Colours: {scheme}")
            assert barriers(page, "color-contrast") == [], scheme
        known |= marks
        step(page)
    assert any("wiped" in each for each in known) or any("blamed" in each for each in known)
