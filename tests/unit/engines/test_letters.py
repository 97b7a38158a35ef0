"""The engine `letters`: its kernels, compiled and of the tab, against a brute force; order, counts, cubes, threads."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cpfill.base.errors import UnsupportedError
from cpfill.engines.letters import KERNEL, cubes, engine
from cpfill.engines.letters.cubes import LettersSpec, choose_depth, list_cubes, search_cube
from cpfill.engines.letters.engine import FillDecoder, LettersEngine
from cpfill.problem.event import Finished, Found, StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits
from cpfill.testing.questions import questions
from tests.support import Question, question, rows_of, run
from tests.unit.engines.wasmtime_host import modules_of

if TYPE_CHECKING:
    from types import ModuleType

    from cpfill.engines.letters.cubes import CubeSlice
    from cpfill.problem.problem import Problem
    from cpfill.testing.brute_force import Rows

MANY = 10**9
LONG_S = 60.0
EVERY = Limits(fills=None)

MODULES = modules_of("letters", KERNEL)
both = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)


def words_over(letters: str, size: int) -> list[str]:
    return list(map("".join, product(letters, repeat=size)))


WORDS = Random(3).sample(words_over("ABCDE", 3), 35)
ASKED = question("...", "...", "...", words=" ".join(WORDS), alphabet="ABCDE")
PROBLEM = ASKED.problem()

Searched = tuple[bytes, tuple[int, int]]
"""The codes of all fills, and how many nodes and fills there were."""


def in_order(asked: Question, *, reverse: bool) -> list[Rows]:
    """Return the fills by their letters in the alphabet, in reading order, or from the last letter to the first."""
    keys = {}
    for rows in asked.answer.fills:
        letters = "".join(rows).replace("#", "")
        keys[rows] = [asked.alphabet.index(letter) for letter in letters]
        if reverse:
            keys[rows].reverse()
    return sorted(keys, key=keys.__getitem__)


def rows_in(problem: Problem, texts: bytes, *, reverse: bool) -> list[Rows]:
    decoder = FillDecoder(problem, reverse=reverse)
    found = map(decoder.find_words, decoder.split(decoder.decode(texts)))
    return [rows_of(problem, Fill.of_words(problem, words)) for words in found]


def search_whole(kernel: Any, spec: LettersSpec, stride: int = MANY, prefix: bytes = b"") -> Searched:
    """Search in steps of so many nodes."""
    texts = b""
    asked = 0
    done = not kernel.start(prefix, spec.cells, True)
    while not done:
        asked += stride
        done = kernel.step(LONG_S, asked, MANY)
        assert done or kernel.counters()[0] == asked, "it took a minute"
        texts += kernel.take()
    assert kernel.step(LONG_S, MANY, MANY)
    return texts, kernel.counters()


def search_cubes(kernel: Any, spec: LettersSpec, depth: int, *, keep: bool = True) -> Searched:
    listed, nodes = list_cubes(kernel, min(depth, spec.cells - 1), lambda: None)
    assert [cube.prefix for cube in listed] == sorted({cube.prefix for cube in listed})
    parts: list[CubeSlice] = []
    for cube in listed:
        parts += search_cube(kernel, cube, spec.cells, keep)
    assert [part.cube for part in parts if part.done] == [cube.number for cube in listed]
    nodes += sum(part.nodes for part in parts)
    return b"".join(part.texts for part in parts), (nodes, sum(part.fills for part in parts))


def check_kernels(asked: Question, *, reverse: bool, stride: int = MANY, depth: int = 1) -> None:
    """Check that every kernel finds the fills in order, by the same nodes, whole, in steps, and cube by cube.

    Where the grid is its own reflection, each counts both fills of a pair, though it searches for one.
    """
    problem = asked.problem()
    expected = in_order(asked, reverse=reverse)
    spec = LettersSpec.of(problem, reverse=reverse)
    half = LettersSpec.of(problem, reverse=reverse, halved=True)
    ways = set()
    halves = set()
    for module in MODULES.values():
        kernel = module.Kernel(spec)
        ways.add(search_whole(kernel, spec, stride))
        ways.add(search_cubes(kernel, spec, depth))
        halves.add(search_cubes(module.Kernel(half), half, depth, keep=False))
    ((texts, counters),) = ways
    ((_, (_, counted)),) = halves
    assert counted == len(expected)
    assert rows_in(problem, texts, reverse=reverse) == expected
    assert counters[1] == len(expected)


@given(
    asked=questions(sides=True),
    reverse=st.booleans(),
    stride=st.sampled_from([MANY, 1, 7]),
    depth=st.integers(0, 30),
)
@settings(deadline=None)
def test_kernels_find_every_fill_in_order(asked: Question, reverse: bool, stride: int, depth: int) -> None:
    check_kernels(asked, reverse=reverse, stride=stride, depth=depth)


ORDER = "ÖZAÄ"
LETTERS_64 = "".join(map(chr, range(0x4E00, 0x4E40)))
MORE = " ".join([*WORDS, "AB", "BA", "BB", "AC", "CC", "CA", "CB", "AAAB", "BACC", "ABCA"])

KINDS = {
    "a cell in no slot": question("..#[BC]", "..#.", "###.", words=MORE, alphabet="ABCDE"),
    "unchecked cells": question(".#..", "####", "....", words=MORE, alphabet="ABCDE"),
    "a column": question("...", ".#.", "[AB]#.", words=MORE, alphabet="ABCDE"),
    "a given and a set": question("A..", "...", "..[DE]", words=MORE, alphabet="ABCDE"),
    "an order of its own": question("..", "..", words=" ".join(words_over(ORDER, 2)), alphabet=ORDER),
    "one word stands once": question("...", "...", words="ABA BAB AAA AA BB AB BA", repeats=True, theme={"AA": 1.0}),
    "64 letters": question("..", "..", words=" ".join(words_over(LETTERS_64[::9], 2)), alphabet=LETTERS_64),
    "many words begin alike": question("..", "..", words=" ".join(words_over(LETTERS_64[:9], 2)), alphabet=LETTERS_64),
}


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", KINDS)
def test_questions_of_every_kind(name: str, reverse: bool) -> None:
    assert KINDS[name].answer.fills
    check_kernels(KINDS[name], reverse=reverse)


@st.composite
def reflected(draw: st.DrawFn) -> Question:
    """Return a question whose grid is its own reflection."""
    size = draw(st.integers(2, 4))
    signs = st.sampled_from([".", ".", ".", ".", "#", "A", "[AB]"])
    cells = [[draw(signs) for _ in range(size)] for _ in range(size)]
    for row, col in product(range(size), repeat=2):
        cells[row][col] = cells[min(row, col)][max(row, col)]
    words = draw(st.lists(st.text("ABC", min_size=2, max_size=size), min_size=4, max_size=40, unique=True))
    rules = {"repeats": draw(st.booleans()), "no_shared": draw(st.booleans())}
    asked = question(*map("".join, cells), words=" ".join(words), alphabet="ABC", **rules)
    assume(asked.has_slot)
    return asked


@given(asked=reflected(), reverse=st.booleans(), depth=st.integers(0, 9))
@settings(max_examples=100, deadline=None)
def test_a_reflection_is_counted_unsearched(asked: Question, reverse: bool, depth: int) -> None:
    assert LettersSpec.of(asked.problem(), reverse=reverse, halved=True).mirror
    check_kernels(asked, reverse=reverse, depth=depth)


@pytest.mark.parametrize("rows", ["../../..", ".../.../A..", "..#/..#/#..", ".[AB]/[AC]."])
def test_other_grids_have_no_reflection(rows: str) -> None:
    asked = question(*rows.split("/"), words=MORE, alphabet="ABCDE")
    assert not LettersSpec.of(asked.problem(), reverse=False, halved=True).mirror


@both
def test_slots_alike_share_a_trie(module: ModuleType) -> None:
    asked = question("A..", "...", "...", words=MORE, alphabet="ABCDE")
    spec = LettersSpec.of(asked.problem(), reverse=False)
    assert len(spec.tries) == 2
    assert Counter(trie for trie, _ in spec.slots) == {0: 2, 1: 4}
    assert module.Kernel(spec)


@both
def test_wrong_specifications_are_refused(module: ModuleType) -> None:
    spec = LettersSpec.of(PROBLEM, reverse=False)
    with pytest.raises(ValueError, match="alphabet"):
        module.Kernel(replace(spec, letters=65))
    for prefix, depth in ((b"", 0), (b"", 10), (bytes(3), 3)):
        with pytest.raises(ValueError, match="depth"):
            module.Kernel(spec).start(prefix, depth, True)


@both
@pytest.mark.parametrize(
    ("prefix", "starts", "fills"),
    [(b"\3", False, 0), (b"\0\1\1", True, 0), (b"\0\1", True, 1)],
    ids=["D begins no word", "AB stands twice", "right"],
)
def test_a_kernel_starts_at_a_prefix(module: ModuleType, prefix: bytes, starts: bool, fills: int) -> None:
    spec = LettersSpec.of(question("..", "..", words="AB AC BD CD").problem(), reverse=False)
    kernel = module.Kernel(spec)
    kernel.start(b"\3", spec.cells, True)  # it can be started anew
    assert kernel.start(prefix, spec.cells, True) == starts
    texts, counters = search_whole(kernel, spec, prefix=prefix)
    assert counters[1] == fills
    assert bool(texts) == bool(counters[0]) == bool(fills)


@both
def test_splitting_goes_as_deep_as_it_takes(module: ModuleType) -> None:
    spec = LettersSpec.of(PROBLEM, reverse=False)
    kernel = module.Kernel(spec)
    depths = [choose_depth(kernel, spec.cells, enough, lambda: None) for enough in (1, 5, 6, MANY)]
    assert depths == [0, 1, 2, spec.cells - 1]


# The engine.


@pytest.mark.parametrize("held_bytes", [cubes.HELD_BYTES, 0])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("reverse", [False, True])
def test_fills_are_told_in_order(held_bytes: int, workers: int, reverse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cubes, "HELD_BYTES", held_bytes)
    told = run(LettersEngine(reverse=reverse), PROBLEM, replace(EVERY, workers=workers))
    expected = in_order(ASKED, reverse=reverse)
    assert [rows for rows, _ in told.found] == expected
    assert told.finished.reason is StopReason.EXHAUSTED
    assert told.finished.proof
    spec = LettersSpec.of(PROBLEM, reverse=reverse)
    _, (nodes, _) = search_whole(spec.make_kernel(), spec)
    assert told.finished.stats.nodes == nodes
    limited = run(LettersEngine(reverse=reverse), PROBLEM, Limits(fills=9, workers=workers))
    assert [rows for rows, _ in limited.found] == expected[:9]
    assert limited.finished.reason is StopReason.FILLS


def counted(problem: Problem, limits: Limits = EVERY, **options: Any) -> tuple[int | None, Finished]:
    *events, last = LettersEngine(**options).count(problem, limits)
    assert not any(isinstance(event, Found) for event in events)
    assert isinstance(last, Finished)
    return last.counted, last


@pytest.mark.parametrize("workers", [1, 3])
def test_limits_are_kept_to_the_letter(workers: int) -> None:
    fills, last = counted(PROBLEM, replace(EVERY, workers=workers))
    assert (fills, last.reason) == (len(ASKED.answer.fills), StopReason.EXHAUSTED)
    assert last.stats.nodes == counted(PROBLEM)[1].stats.nodes
    seven, last = counted(PROBLEM, Limits(fills=7, workers=workers))
    assert (seven, last.reason) == (7, StopReason.FILLS)
    late = counted(PROBLEM, replace(EVERY, time_s=0.0, workers=workers))[1]
    assert late.reason is StopReason.TIME


def test_a_limit_of_nodes_is_kept() -> None:
    nodes = run(LettersEngine(), PROBLEM, Limits(fills=7)).finished.stats.nodes - 1
    limits = replace(EVERY, nodes=nodes)
    again = run(LettersEngine(), PROBLEM, limits)
    assert [rows for rows, _ in again.found] == in_order(ASKED, reverse=False)[:6]
    fills, last = counted(PROBLEM, limits)
    assert fills in range(6, len(ASKED.answer.fills))
    for end in (again.finished, last):
        assert (end.reason, end.stats.nodes) == (StopReason.NODES, nodes)


def test_it_counts_no_best_fills() -> None:
    with pytest.raises(UnsupportedError, match="letters cannot maximise the least score; engines that can: "):
        LettersEngine().count(ASKED.problem(Objective.MIN), Limits())


# Counts by states.


@pytest.mark.parametrize(("height", "width"), [(3, 12), (12, 3), (1, 12), (5, 4)])
def test_more_fills_than_could_be_listed(height: int, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every word of two letters is there, so every cell has two."""
    words = []
    for length in {height, width} - {1}:
        words += words_over("AB", length)
    problem = question(*["." * width] * height, words=" ".join(words), repeats=True).problem()
    monkeypatch.setattr(engine, "WORTHWHILE_S", 0.0)
    fills, last = counted(problem)
    assert (fills, last.reason) == (2 ** (height * width), StopReason.EXHAUSTED)
    assert "states" in str(last.proof)
    assert counted(problem, Limits(fills=5))[0] == 5


@pytest.mark.parametrize(
    ("limits", "proof"),
    [
        ({}, "search"),
        ({"WORTHWHILE_S": 0.0}, "states"),
        ({"WORTHWHILE_S": 0.0, "MAX_STATES": 10}, "search"),
        ({"WORTHWHILE_S": 0.0, "MAX_WIDTH": 2}, "search"),
    ],
    ids=str,
)
def test_too_many_states_are_searched(limits: dict[str, Any], proof: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = replace(ASKED, repeats=True)
    for name, value in limits.items():
        monkeypatch.setattr(engine, name, value)
    fills, last = counted(asked.problem())
    assert fills == len(asked.answer.fills)
    assert proof in str(last.proof)
