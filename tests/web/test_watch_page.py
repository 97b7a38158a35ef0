"""The mode Watch of the page: a search played step by step, against the word list and against the server's steps."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.engines.toolkit.propagation import ac3
from cpfill.problem.event import Assignment, Backtrack, LetterPlaced, NoLetter
from tests.support import INSTANCES
from tests.web.browser import (
    await_frame,
    barriers,
    choose,
    focused,
    go_to,
    needs_browser,
    own,
    rows,
    start_over,
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


def watch_anew(page: Page) -> None:
    """End the search, undo all, and have the options be as on a first visit."""
    page.click("#tab-watch")
    if page.is_enabled("#watch-stop"):
        page.click("#watch-stop")
    start_over(page)
    page.click("#tab-watch")
    choose(page, "#watch-engine", ENGINES["fc-cbj"])
    choose(page, "#watch-order", "fewest words left")
    page.check("#watch-ac3")
    page.uncheck("#watch-shuffle")


def test_searches_are_played_and_end(page: Page, words: set[str]) -> None:
    play_and_pause(page)
    for engine in ENGINES:
        watch_anew(page)
        play_to_the_end(page, words, engine)
    watch_anew(page)
    propagate_alone(page, words)
    watch_anew(page)
    end_it_by_an_edit(page)
    watch_anew(page)
    choose_another_option(page)
    watch_anew(page)
    take_a_fill_of_mac(page, words)


def test_steps_are_told_and_gone_through(page: Page, words: set[str]) -> None:
    step_on_and_back(page)
    watch_anew(page)
    read_of_dead_ends_and_jumps(page, words)
    for kind, by in product(("backtrack", "jump"), ("button", "key")):
        watch_anew(page)
        hop_by_kinds_of_steps(page, words, kind, by)
    watch_anew(page)
    slide_through_all_steps(page, words)
    watch_anew(page)
    read_the_curve(page, words)
    watch_anew(page)
    follow_the_queue(page, words)
    watch_anew(page)
    judge_the_steps_in_both_schemes(page)
    watch_anew(page)
    read_and_click_the_tree(page, words)
    watch_anew(page)
    follow_letters(page, words)
    watch_anew(page)
    weave_to_the_end(page, words)


ENGINES = {"fc": "forward checking (FC)", "fc-cbj": "forward checking with backjumping (FC-CBJ)"}


def play_to_the_end(page: Page, words: set[str], engine: str) -> None:
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


def take_a_fill_of_mac(page: Page, words: set[str]) -> None:
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


def propagate_alone(page: Page, words: set[str]) -> None:
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


def step_on_and_back(page: Page) -> None:
    begin(page)
    assert "AC-3" in step(page)
    assert figure(page, "steps") == 1
    page.uncheck("#watch-ac3")
    wait_for(page, lambda: figure(page, "nodes") == 1)  # the first step of that search
    page.click("#watch-back")
    page.click("#watch-step")
    assert focused(page) == "watch-step"
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


def play_and_pause(page: Page) -> None:
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


def read_of_dead_ends_and_jumps(page: Page, words: set[str]) -> None:
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


def end_it_by_an_edit(page: Page) -> None:
    page.click("#watch-end")
    wait_for(page, lambda: "✓" in str(page.text_content("#watch-line")))
    page.click('[data-cell="0"]')
    page.keyboard.press("q")
    assert own(page) == ["Q..##", *EMPTY[1:]]
    assert figure(page, "steps") == 0


def judge_the_steps_in_both_schemes(page: Page) -> None:
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


def follow_letters(page: Page, words: set[str]) -> None:
    """Letter by letter: the cell at hand is marked, and the grid has as many letters as the step is deep."""
    choose(page, "#watch-engine", "letter by letter")
    begin(page)
    for each in traced(words, engine="letters")[:12]:
        line = step(page)
        letters = "".join(shown(page)).replace(".", "").replace("#", "")
        assert page.locator("#grid .tried").count() == 1
        if isinstance(each, LetterPlaced):
            assert f"{each.depth}: {each.letter} in " in line
            assert each.wipeout is not None or f"of {each.allowed}" in line
            assert len(letters) == each.depth
        else:
            assert isinstance(each, NoLetter)
            assert f"back from {each.depth}" in line
            assert len(letters) == each.depth - 1


def weave_to_the_end(page: Page, words: set[str]) -> None:
    """Beside each word stand its steps: grid A is no square, so that none are to be expected."""
    choose(page, "#watch-engine", "weaving: across and down in turn")
    assert page.locator("#watch-tries").is_hidden()
    page.click("#watch-end")
    wait_for(page, lambda: "✓" in str(page.text_content("#watch-line")))
    told = [row.locator("td").all_text_contents() for row in page.locator("#watch-tries tr").all()[1:]]
    tried = Counter(each.depth for each in traced(words, engine="weave") if isinstance(each, Assignment))
    assert [(row[1], int(row[3])) for row in told] == [("–", tried[depth]) for depth in sorted(tried)]  # noqa: RUF001
    assert barriers(page) == []


def read_and_click_the_tree(page: Page, words: set[str]) -> None:
    """Two orders one under the other, each with its edges; a click goes to a node, the step of which is shown."""
    begin_without_propagation(page)
    steps = traced(words)
    placed = [at for at, each in enumerate(steps, 1) if isinstance(each, Assignment)]
    pruned = sum(isinstance(each, Assignment) and each.wipeout is not None for each in steps)
    page.click("#watch-end")
    wait_for(page, lambda: "✓" in str(page.text_content("#watch-line")))
    said = f"{len(placed):,} words or letters placed, {pruned:,}"
    assert said in str(page.get_attribute("#tree", "aria-label"))
    drawn = str(page.get_attribute("#tree .lines", "d")).count("M")
    assert drawn == min(len(placed), 500)
    page.locator("#tree").click(position={"x": 1, "y": 1})
    wait_for(page, lambda: figure(page, "steps") == placed[0])
    assert str(page.get_attribute("#tree .here", "d")).startswith("M0 1")
    choose(page, "#watch-order", "fewest words left")
    wait_for(page, lambda: said in str(page.get_attribute("#tree-before", "aria-label")))
    assert barriers(page) == []


def begin_without_propagation(page: Page) -> None:
    """Have FC-CBJ before its first step, in an order in which it jumps."""
    choose(page, "#watch-order", "most constrained at the start")
    page.uncheck("#watch-ac3")
    begin(page)


def traced(words: set[str], engine: str = "fc-cbj") -> list[object]:
    """Return the steps of that search, as the engine tells them."""
    options = {"order": "static", "ac3": False} if engine == "fc-cbj" else {}
    searching = cpfill.make_engine(engine, trace=True, **options)
    events = cpfill.events(cpfill.make_problem(GRID, sorted(words)), engine=searching)
    return [event.step for event in events if isinstance(event, cpfill.Progress) and event.step]


def hop_by_kinds_of_steps(page: Page, words: set[str], kind: str, by: str) -> None:
    there = [
        at
        for at, each in enumerate(traced(words), 1)
        if isinstance(each, Backtrack) and (each.jumps or kind == "backtrack")
    ][:3]
    begin_without_propagation(page)
    before, after = "()" if kind == "jump" else "<>"

    def press(which: str) -> None:
        if by == "key":
            page.keyboard.press(before if which == "previous" else after)
        else:
            page.click(f"#watch-{which}_{kind}")

    assert page.locator(f"#watch-previous_{kind}").is_disabled()
    for at in there:
        press("next")
        assert figure(page, "steps") == at
    for at in there[-2::-1]:
        press("previous")
        assert figure(page, "steps") == at
    assert page.locator(f"#watch-previous_{kind}").is_disabled()
    if by == "key":
        press("previous")
        page.wait_for_selector("#message:has-text('no such step')")
    line = str(page.text_content("#watch-line"))
    assert ("is to blame" in line) if kind == "jump" else ("back from" in line)


def slide_through_all_steps(page: Page, words: set[str]) -> None:
    """By keys and by the mouse; the letters and figures are those of the step."""
    begin_without_propagation(page)
    steps = traced(words)
    assert page.get_attribute("#watch-at", "max") == str(len(steps) + 1)  # the fill is the last
    go_to(page, page.locator("#watch-at"), "Shift+Tab")
    page.keyboard.press("End")
    await_frame(page)
    assert figure(page, "steps") == len(steps) + 1
    found = shown(page)
    assert set(words_in(found)) <= words
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    await_frame(page)
    assert figure(page, "steps") == len(steps) - 4
    page.keyboard.press("Home")
    await_frame(page)
    assert shown(page) == EMPTY
    box = page.locator("#watch-at").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await_frame(page)
    at = figure(page, "steps")
    assert 0.4 < at / len(steps) < 0.6
    assert figure(page, "nodes") == sum(isinstance(each, Assignment) for each in steps[:at])
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    await_frame(page)
    assert shown(page) == found


def read_the_curve(page: Page, words: set[str]) -> None:
    begin_without_propagation(page)
    figure_of_steps = page.locator("figure:has(#depths)")
    said = figure_of_steps.locator("span").all_text_contents()
    assert [each for each in said if each.endswith(" words")] == ["10 words"]
    assert [int(each) for each in said[: said.index("10 words")]] == [0, 2, 4, 6, 8]
    (last,) = (each for each in said if each.endswith(" steps"))
    assert int(last.split()[0].replace(",", "")) <= len(traced(words)) + 1
    assert "words placed after each step" in figure_of_steps.inner_text()
    page.keyboard.press(")")
    await_frame(page)
    assert page.get_attribute("#depths line", "x1") == str(figure(page, "steps"))
    assert "of 10" in str(page.get_attribute("#depths", "aria-label"))


def follow_the_queue(page: Page, words: set[str]) -> None:
    """Played through by hand: the queue is that of Mackworth, and the words removed fit their slot no more."""
    choose(page, "#watch-engine", "arc consistency only (AC-3)")
    begin(page)
    queue = str(page.text_content("#watch-queue")).split(", ")
    assert len(queue) == 10
    revising, gone = "", 0
    for _ in range(12):
        line = step(page)
        said = re.fullmatch(r"AC-3: (.+) goes from (\d+) to (\d+) words because of (.+)", line)
        quiet = re.fullmatch(r"AC-3: (.+) has no word to lose because of (.+)", line)
        assert said or quiet
        slot, support = (said[1], said[4]) if said else (quiet[1], quiet[2]) if quiet else ("", "")
        if support != revising:
            revising = support
            assert queue.pop(0) == revising
        removed = str(page.text_content("#watch-removed"))
        if said:
            queue += [slot] * (slot not in queue)
            fewer = int(said[2]) - int(said[3])
            listed = removed.removesuffix(" …").split(", ")
            assert len(listed) == min(fewer, 12)
            assert removed.endswith("…") == (fewer > 12)
            assert set(listed) <= words
            assert f"Words removed, {fewer}" in page.inner_text("#watch-revising")
            gone += fewer
        else:
            assert not re.search(r"\w", removed)
        assert str(page.text_content("#watch-queue")).split(", ") == queue
        assert page.locator("#grid .tried").count() >= 3
        assert page.locator("#grid .blamed").count() >= 3
    assert gone
    assert page.locator("#depths").is_hidden()


def choose_another_option(page: Page) -> None:
    begin_without_propagation(page)
    for _ in range(7):
        step(page)
    page.check("#watch-shuffle")
    wait_for(page, lambda: figure(page, "nodes") > 0 and figure(page, "steps") == 7)
    assert not page.locator("#watch-stop").is_disabled()
    page.click("#watch-end")
    wait_for(page, lambda: "✓" in str(page.text_content("#watch-line")))
    choose(page, "#watch-engine", "arc consistency only (AC-3)")  # which has fewer steps
    wait_for(page, lambda: "no more" in str(page.text_content("#watch-line")))
    assert own(page) == EMPTY
