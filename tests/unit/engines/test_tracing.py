"""A search that is traced: it is the same search, and its steps add up to it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import UnsupportedError
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.problem.event import (
    Assignment,
    Backtrack,
    Finished,
    Found,
    LetterPlaced,
    NoLetter,
    Progress,
    Refutation,
    Restart,
    Revision,
)
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits
from tests.support import question, run
from tests.unit.engines.test_backtrack import problem_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.problem.event import Step
    from cpfill.problem.problem import Problem
    from tests.support import Run

engines = pytest.mark.parametrize("engine", ["fc", "fc-cbj"])

WORDS = ["".join(Random(n).choices("ABC", k=5)) for n in range(40)]
CROSSED = question(".....", ".#.#.", ".....", ".#.#.", ".....", words=dict.fromkeys(WORDS, 50.0), repeats=True)


def steps_of(run: Run) -> list[Step]:
    return [event.step for event in run.events if isinstance(event, Progress) and event.step]


def play(run: Run) -> Iterator[tuple[Step | Found | Finished, list[Assignment]]]:
    """Yield each step, fill and end of a trace, with the words that stand then."""
    placed: list[Assignment] = []
    for event in run.events:
        step = event.step if isinstance(event, Progress) else event
        if isinstance(step, Assignment):
            assert len(placed) >= step.depth - 1
            placed[step.depth - 1 :] = [step]
        if isinstance(step, Revision | Assignment | Backtrack | Found | Finished):
            yield step, placed
        if isinstance(step, Backtrack):
            del placed[max(0, step.target - 1) :]


def letters_of(problem: Problem, placed: list[Assignment]) -> dict[int, str]:
    """Return the letters of words by their cells; where two cross, they must agree."""
    letters: dict[int, str] = {}
    for each in placed:
        for cell, letter in zip(problem.slots[each.slot].cells, each.word, strict=True):
            assert letters.setdefault(cell, letter) == letter
    return letters


def check_step(problem: Problem, step: Step | Found | Finished, placed: list[Assignment], *, jumps_back: bool) -> None:
    """Check a step against the words that stand then."""
    slots = [each.slot for each in placed]
    match step:
        case Assignment():
            letters_of(problem, placed)
            assert len(set(slots)) == step.depth
            emptied = [slot for slot, size in step.sizes.items() if not size]
            assert emptied == [slot for slot in [step.wipeout] if slot is not None]
        case Found():
            letters = dict(enumerate(step.fill.letters))
            assert len(placed) == len(problem.slots)
            assert letters_of(problem, placed).items() <= letters.items()
        case Revision():
            assert step.before >= step.after >= 0
        case Backtrack():
            blamed = [slots[: step.depth - 1].index(slot) for slot in step.conflicts]
            assert blamed == sorted(blamed)
            if jumps_back:
                assert step.target == max(blamed, default=-1) + 1
            else:
                assert step.target == step.depth - 1


@engines
@pytest.mark.parametrize("hundred", range(2))
def test_the_steps_are_those_of_the_search(engine: str, hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        random = Random(seed)
        problem = problem_of(random)
        limits = Limits(fills=50, seed=seed)
        options = {"order": random.choice(["mrv", "static", "random"]), "ac3": random.random() < 0.5}
        plain = run(engine, problem, limits, **options)
        traced = run(engine, problem, limits, trace=True, **options)
        assert not steps_of(plain)
        assert traced.answers == plain.answers
        stats = traced.result.stats
        assert stats._replace(build_s=0.0, search_s=0.0) == plain.result.stats._replace(build_s=0.0, search_s=0.0)
        counts = Counter(type(step) for step in steps_of(traced))
        jumps = sum(isinstance(step, Backtrack) and step.jumps for step in steps_of(traced))
        assert (counts[Assignment], counts[Backtrack], jumps) == (stats.nodes, stats.backtracks, stats.backjumps)
        for step, placed in play(traced):
            check_step(problem, step, placed, jumps_back=engine == "fc-cbj")


def count_fitting(run: Run, slot: int, letters: dict[int, str]) -> int:
    words = run.problem.tables[slot].words
    return sum(fits(word, run.problem.slots[slot].cells, letters) for word in words)


@pytest.mark.parametrize("engine", ["weave", "scaffold"])
def test_steps_of_words_in_a_fixed_order(engine: str) -> None:
    """Only words that stand are nodes; a word of `scaffold` that a column refuses leaves that column without words."""
    refused = 0
    for seed in range(60):
        problem = replace(CROSSED, words=dict.fromkeys(Random(seed).sample(WORDS, 25), 50.0)).problem()
        limits = Limits(fills=20, seed=seed)
        plain = run(engine, problem, limits)
        traced = run(engine, problem, limits, trace=True)
        assert traced.answers == plain.answers
        steps = steps_of(traced)
        stands = [step for step in steps if isinstance(step, Assignment) and step.wipeout is None]
        backtracks = [step for step in steps if isinstance(step, Backtrack)]
        assert (len(stands), len(backtracks)) == (plain.result.stats.nodes, plain.result.stats.backtracks)
        for step, placed in play(traced):
            if isinstance(step, Found):
                check_step(problem, step, placed, jumps_back=False)
            if not isinstance(step, Assignment):
                continue
            letters = letters_of(problem, placed)
            if step.wipeout is None:
                assert {slot: count_fitting(traced, slot, letters) for slot in step.sizes} == step.sizes
            else:
                refused += 1
                assert not count_fitting(traced, step.wipeout, letters)
    assert (refused > 0) == (engine == "scaffold")


@pytest.mark.parametrize("reverse", [False, True])
def test_each_letter_goes_on_the_beginnings_of_words(*, reverse: bool) -> None:
    """After each letter, `allowed` has all letters with which the words through the cell can go on, earlier first."""
    for seed in range(4):
        problem = replace(CROSSED, words=dict.fromkeys(Random(seed).sample(WORDS, 15), 50.0)).problem()
        traced = run("letters", problem, Limits(fills=5), trace=True, reverse=reverse)
        plain = run("letters", problem, Limits(fills=5), reverse=reverse)
        assert traced.answers == plain.answers
        letters: dict[int, str] = {}
        tried: dict[tuple[int, ...], list[str]] = {}
        for step in steps_of(traced):
            assert isinstance(step, LetterPlaced | NoLetter)
            letters = dict(list(letters.items())[: step.depth - 1])
            if isinstance(step, NoLetter):
                assert "".join(tried.pop((*letters, step.cell), [])) == allowed_in(traced, step.cell, letters)
                continue
            assert step.allowed == allowed_in(traced, step.cell, letters)
            tried.setdefault((*letters, step.cell), []).append(step.letter)
            letters[step.cell] = step.letter
            assert step.sizes == {slot: count_fitting(traced, slot, letters) for slot in step.sizes}


def allowed_in(run: Run, cell: int, letters: dict[int, str]) -> str:
    slots = [slot.id for slot in run.problem.slots if cell in slot.cells]
    found = ""
    for letter in run.problem.grid.alphabet.letters:
        if all(count_fitting(run, slot, {**letters, cell: letter}) for slot in slots):
            found += letter
    return found


def test_a_trace_of_letters_obeys_every_rule() -> None:
    for seed in range(60):
        problem = replace(problem_of(Random(seed)), objective=Objective.ANY, theme={})
        limits = Limits(fills=50)
        assert run("letters", problem, limits, trace=True).answers == run("letters", problem, limits).answers


def fits(word: str, cells: tuple[int, ...], letters: dict[int, str]) -> bool:
    if len(word) != len(cells):
        return False
    return all(letters.get(cell, letter) == letter for cell, letter in zip(cells, word, strict=True))


@engines
def test_sizes_are_those_of_the_words_that_still_fit(engine: str) -> None:
    traced = run(engine, CROSSED.problem(), Limits(fills=5), trace=True, ac3=False)
    problem = traced.problem
    shrunk = 0
    for step, placed in play(traced):
        if not isinstance(step, Assignment) or step.wipeout is not None:
            continue
        sizes = {slot.id: problem.domains[slot.id].bit_count() for slot in problem.slots}
        for each in placed:
            sizes |= each.sizes
        letters = letters_of(problem, placed)
        for slot in {slot.id for slot in problem.slots} - {each.slot for each in placed}:
            assert sizes[slot] == sum(fits(word, problem.slots[slot].cells, letters) for word in set(WORDS))
            shrunk += sizes[slot] < problem.domains[slot].bit_count()
    assert shrunk


@pytest.mark.parametrize("engine", ["fc", "mac"])
def test_revisions_add_up_to_arc_consistency(engine: str) -> None:
    given = question("A....", ".#.#.", ".....", ".#.#.", "....C", words=" ".join(WORDS[:20]), repeats=True)
    traced = run(engine, given.problem(), trace=True)
    sizes = [domain.bit_count() for domain in traced.problem.domains]
    revisions = [step for step in steps_of(traced) if isinstance(step, Revision)]
    assert revisions
    queue, revising = [slot.id for slot in traced.problem.slots], None
    for step in revisions:
        assert step.before == sizes[step.slot]
        if engine == "fc":
            assert step.support is not None
            assert set(traced.problem.slots[step.slot].cells) & set(traced.problem.slots[step.support].cells)
            if step.support != revising:
                revising = step.support
                assert queue.pop(0) == revising
            queue += [step.slot] * (step.before != step.after and step.slot not in queue)
            assert list(step.queue) == queue
            assert len(step.removed) == min(step.before - step.after, 12)
            assert set(step.removed) <= {word for word in WORDS if len(word) == traced.problem.slots[step.slot].length}
        sizes[step.slot] = step.after
    assert sizes == [domain.bit_count() for domain in ac3(traced.problem, traced.problem.domains)]


def test_a_trace_ends_where_a_slot_is_empty() -> None:
    traced = run("fc-cbj", question("...", "...", words="AAB ABA BAA CC", repeats=True).problem(), trace=True)
    *_, last = steps_of(traced)
    assert isinstance(last, Revision)
    assert (last.slot, last.after) == (traced.finished.wipeout, 0)


HARD = dict.fromkeys(("".join(Random(n).choices("ABCDEFG", k=5)) for n in range(80)), 50.0)
SPARSE = question(".....", ".#.#.", ".....", ".#.#.", ".....", words=HARD).problem()
DENSE = question(*["....."] * 5, words=HARD).problem()


@pytest.mark.parametrize("fills", [1, 3])
@pytest.mark.parametrize(("problem", "refuted"), [(SPARSE, 0), (DENSE, 100)], ids=["sparse", "dense"])
def test_mac_maintains_arc_consistency(problem: Problem, refuted: int, fills: int) -> None:
    """After each step the domains are those that AC-3 leaves of the words placed, less the words refuted."""
    traced = run("mac", problem, Limits(fills=fills), trace=True)
    plain = run("mac", problem, Limits(fills=fills))
    assert (traced.answers, traced.result.stats.nodes) == (plain.answers, plain.result.stats.nodes)
    seen = Counter(type(step) for step in steps_of(traced))
    assert seen[Refutation] >= refuted
    assert bool(seen[Restart]) == bool(refuted)
    levels = [ac3(problem, problem.domains)]
    for step in steps_of(traced):
        if isinstance(step, Restart):
            del levels[1:]
        elif isinstance(step, Assignment | Refutation):
            check_consistency(problem, step, levels)


def check_consistency(problem: Problem, step: Assignment | Refutation, levels: list[list[int]]) -> None:
    """Check a step against the domains at each depth, and add those that it leaves."""
    word = 1 << problem.tables[step.slot].ids[step.word]
    before = levels[step.depth - isinstance(step, Assignment)]
    after = list(before)
    assert before[step.slot] & word
    if isinstance(step, Assignment):
        after[step.slot] = word
    else:
        after[step.slot] -= word
    del levels[step.depth :]
    try:
        levels.append(ac3(problem, after))
    except Wipeout:
        assert step.wipeout is not None
        levels.append([0] * len(after))
        return
    assert step.wipeout is None
    shrunk = {slot: size.bit_count() for slot, size in enumerate(levels[-1]) if size != before[slot]}
    if isinstance(step, Assignment):
        del shrunk[step.slot]
    assert step.sizes == shrunk


def test_mac_traces_no_maximising() -> None:
    with pytest.raises(UnsupportedError, match="engines that can: fc, fc-cbj"):
        run("mac", question("..", words="AB").problem(Objective.MIN), trace=True)
