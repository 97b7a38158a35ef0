"""The engine `letters`: its kernels, compiled and of the tab, against a brute force; order, counts, cubes, threads."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise, product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cpfill.base.errors import UnsupportedError
from cpfill.base.imports import load_kernel
from cpfill.engines.letters import KERNEL, cubes, engine
from cpfill.engines.letters.cubes import LettersSpec, choose_depth, list_cubes, search_cube
from cpfill.engines.letters.engine import FillDecoder, LettersEngine, count_by_states, may_count_by_states
from cpfill.problem.event import Finished, Found, Started, StopReason
from cpfill.problem.problem import Fill, Objective, Problem
from cpfill.problem.result import Limits
from cpfill.public import count_fills
from cpfill.testing.brute_force import Rows, words_in
from cpfill.testing.questions import questions
from tests.support import Question, question, rows_of, run
from tests.unit.engines.wasmtime_host import modules_of

if TYPE_CHECKING:
    from types import ModuleType

    from cpfill.problem.event import Event
    from cpfill.problem.rules import Rules

MANY = 10**9
LONG_S = 60.0

MODULES = modules_of("letters", KERNEL)
both = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)

THREES = [a + b + c for a in "ABCDE" for b in "ABCDE" for c in "ABCDE"]
WORDS = " ".join(Random(3).sample(THREES, 35))
MANY_FILLS = question("...", "...", "...", words=WORDS, alphabet="ABCDE")


def key(asked: Question, rows: Rows, *, reverse: bool) -> list[int]:
    """Return what fills are ordered by: letters in reading order, or from the last to the first, by the alphabet."""
    codes = [asked.alphabet.index(letter) for letter in "".join(rows) if letter != "#"]
    return codes[::-1] if reverse else codes


def with_rules(asked: Question, **rules: Any) -> Problem:
    problem = asked.problem()
    return replace(problem, rules=replace(problem.rules, **rules))


def obeys(asked: Question, rules: Rules, rows: Rows) -> bool:
    """Whether a fill obeys the rules C5 to C7."""
    used = words_in(rows, asked.min_slot_length)
    if rules.no_shared and any(asked.marks[one] & asked.marks[other] for one, other in combinations(used, 2)):
        return False
    obscure = sum(rules.below is not None and asked.words[word] < rules.below for word in used)
    return (rules.max_obscure is None or obscure <= rules.max_obscure) and rules.required <= set(used)


def expected(asked: Question, problem: Problem, *, reverse: bool) -> list[Rows]:
    fills = [rows for rows in asked.answer.fills if obeys(asked, problem.rules, rows)]
    return sorted(fills, key=lambda rows: key(asked, rows, reverse=reverse))


def rows_in(problem: Problem, texts: bytes, *, reverse: bool) -> list[Rows]:
    decoder = FillDecoder(problem, reverse=reverse)
    found = [decoder.find_words(text) for text in decoder.split(decoder.decode(texts))]
    return [rows_of(problem, Fill.of_words(problem, words)) for words in found]


def whole(
    problem: Problem, module: ModuleType, *, reverse: bool, stride: int = MANY
) -> tuple[list[Rows], tuple[int, int]]:
    """Return all fills as a kernel finds them, in steps of so many nodes, and its counters."""
    spec = LettersSpec.of(problem, reverse=reverse)
    kernel = module.Kernel(spec)
    if not kernel.start(b"", spec.cells, True):
        return [], kernel.counters()
    texts, asked = b"", stride
    while not kernel.step(LONG_S, asked, MANY):
        assert kernel.counters()[0] == asked, "it took a minute"
        texts += kernel.take()
        asked += stride
    texts += kernel.take()
    assert kernel.step(LONG_S, MANY, MANY)
    return rows_in(problem, texts, reverse=reverse), kernel.counters()


@st.composite
def ruled(draw: st.DrawFn) -> tuple[Question, Problem]:
    """Return a question and its problem, with some of the rules C5 to C7."""
    asked = draw(questions())
    problem = asked.problem()
    lengths = {slot.length for slot in problem.slots}
    fitting = sorted(word for word in asked.words if len(word) in lengths)
    most = draw(st.sampled_from([None, None, 0, 1, 2]), label="max_obscure")
    return asked, with_rules(
        asked,
        no_shared=draw(st.booleans(), label="no_shared"),
        max_obscure=most,
        below=None if most is None else draw(st.sampled_from([0.2, 50.0, 99.0]), label="below"),
        required=frozenset(draw(st.lists(st.sampled_from(fitting), max_size=2))) if fitting else frozenset(),
    )


@given(data=ruled(), reverse=st.booleans(), stride=st.sampled_from([MANY, 1, 7]))
@settings(max_examples=100, deadline=None)
def test_both_kernels_find_what_the_brute_force_finds_in_order_with_the_same_nodes(
    data: tuple[Question, Problem], reverse: bool, stride: int
) -> None:
    asked, problem = data
    counters = set()
    for module in MODULES.values():
        found, counted = whole(problem, module, reverse=reverse, stride=stride)
        assert found == expected(asked, problem, reverse=reverse)
        assert counted[1] == len(found)
        counters.add(counted)
    assert len(counters) == 1


@both
@pytest.mark.parametrize("reverse", [False, True])
def test_a_row_may_have_more_words_than_are_looked_at_together(module: ModuleType, reverse: bool) -> None:
    words = {a + b for a, b in Random(5).sample([*product("ABCDEFGHIJKL", repeat=2)], 110)}
    asked = question("..", "..", words=" ".join(sorted(words)), alphabet="ABCDEFGHIJKL", repeats=True)
    squares = {(one, two) for one in words for two in words if {a + b for a, b in zip(one, two, strict=True)} <= words}
    found, (_, fills) = whole(asked.problem(), module, reverse=reverse)
    assert found == sorted(squares, key=lambda rows: key(asked, rows, reverse=reverse))
    spec = LettersSpec.of(asked.problem(), reverse=reverse, halved=True)
    half = module.Kernel(spec)
    half.start(b"", spec.cells, False)
    assert half.step(LONG_S, MANY, MANY)
    assert half.counters()[1] == fills == len(squares)


@given(data=ruled(), reverse=st.booleans(), depth=st.integers(0, 30))
@settings(max_examples=50, deadline=None)
def test_the_cubes_of_any_depth_are_the_search(data: tuple[Question, Problem], reverse: bool, depth: int) -> None:
    _, problem = data
    spec = LettersSpec.of(problem, reverse=reverse)
    for module in MODULES.values():
        kernel = module.Kernel(spec)
        cubes, nodes = list_cubes(kernel, min(depth, spec.cells - 1), lambda: None)
        assert [cube.prefix for cube in cubes] == sorted({cube.prefix for cube in cubes})
        parts = [part for cube in cubes for part in search_cube(kernel, cube, spec.cells, True)]
        found, counters = whole(problem, module, reverse=reverse)
        assert rows_in(problem, b"".join(part.texts for part in parts), reverse=reverse) == found
        assert (nodes + sum(part.nodes for part in parts), sum(part.fills for part in parts)) == counters
        assert [part.cube for part in parts if part.done] == [cube.number for cube in cubes]


@st.composite
def reflected(draw: st.DrawFn) -> tuple[Question, Problem]:
    """Return a question whose grid is its own reflection, and its problem."""
    size = draw(st.integers(2, 4))
    upper = [[draw(st.sampled_from([".", ".", ".", ".", "#", "A", "[AB]"])) for _ in range(size)] for _ in range(size)]
    cells = [[upper[min(row, col)][max(row, col)] for col in range(size)] for row in range(size)]
    assume(any(pair.count("#") == 0 for row in cells for pair in map("".join, pairwise(row))))
    words = draw(st.lists(st.text("ABC", min_size=2, max_size=size), min_size=4, max_size=40, unique=True))
    rows = map("".join, cells)
    asked = question(*rows, words=" ".join(words), alphabet="ABC", repeats=draw(st.booleans()))
    return asked, with_rules(asked, no_shared=draw(st.booleans()))


@given(data=reflected(), reverse=st.booleans(), depth=st.integers(0, 9))
@settings(max_examples=150, deadline=None)
def test_a_reflection_is_counted_and_not_searched_for(
    data: tuple[Question, Problem], reverse: bool, depth: int
) -> None:
    asked, problem = data
    fills = len(expected(asked, problem, reverse=reverse))
    spec = LettersSpec.of(problem, reverse=reverse, halved=True)
    assert spec.mirror
    nodes = set()
    for module in MODULES.values():
        kernel = module.Kernel(spec)
        cubes, put = list_cubes(kernel, min(depth, spec.cells - 1), lambda: None)
        parts = [part for cube in cubes for part in search_cube(kernel, cube, spec.cells, False)]
        assert sum(part.fills for part in parts) == fills
        nodes.add(put + sum(part.nodes for part in parts))
    assert len(nodes) == 1


@pytest.mark.parametrize(
    "rows", [("..", "..", ".."), ("...", "...", "A.."), ("..#", "..#", "#.."), (".[AB]", "[AC].")], ids=str
)
def test_what_is_not_its_own_reflection_has_none(rows: tuple[str, ...]) -> None:
    asked = question(*rows, words=WORDS + " AB BA BB AC", alphabet="ABCDE", min_slot_length=2)
    assert not LettersSpec.of(asked.problem(), reverse=False, halved=True).mirror


@both
@pytest.mark.parametrize("reverse", [False, True])
def test_order_is_that_of_the_alphabet_not_of_the_characters(module: ModuleType, reverse: bool) -> None:
    alphabet = "ÖZAÄ"
    asked = question("..", "..", words=" ".join(a + b for a in alphabet for b in alphabet), alphabet=alphabet)
    found, _ = whole(asked.problem(), module, reverse=reverse)
    assert len(found) > 1
    assert found == expected(asked, asked.problem(), reverse=reverse)
    assert found != sorted(found)


@both
@pytest.mark.parametrize(
    "rows",
    [("..#[BC]", "..#.", "###."), (".#..", "####", "...."), ("...", ".#.", "[AB]#."), ("A..", "...", "..[DE]")],
    ids=["a cell in no slot", "unchecked cells", "a column", "a given and a set"],
)
def test_cells_of_every_kind(module: ModuleType, rows: tuple[str, ...]) -> None:
    asked = question(*rows, words=WORDS + " AB BA BB AC CC CA CB AAAB BACC ABCA", alphabet="ABCDE", min_slot_length=2)
    found, _ = whole(asked.problem(), module, reverse=False)
    assert found
    assert found == expected(asked, asked.problem(), reverse=False)


@both
def test_some_words_may_repeat_and_others_not(module: ModuleType) -> None:
    asked = question("...", "...", words="ABA BAB AAA AA BB AB BA", repeats=True)
    problem = asked.problem()
    spec = LettersSpec.of(problem, reverse=False)
    single = problem.lexicon.table(2).ids["AA"]
    tables = tuple(
        (length, codes, bytes([1 << single] if length == 2 else []), required, marks)
        for length, codes, _, required, marks in spec.tables
    )
    kernel = module.Kernel(replace(spec, tables=tables))
    kernel.start(b"", spec.cells, True)
    assert kernel.step(LONG_S, MANY, MANY)
    found = rows_in(problem, kernel.take(), reverse=False)
    assert found == [rows for rows in expected(asked, problem, reverse=False) if words_in(rows, 2).count("AA") < 2]
    assert 0 < len(found) < len(asked.answer.fills)


@both
def test_an_alphabet_of_64_letters(module: ModuleType) -> None:
    alphabet = "".join(c for c in map(chr, range(65, 600)) if c.isalpha() and c.upper() == c and len(c.upper()) == 1)[
        :64
    ]
    words = [alphabet[i] + alphabet[(i * k + k) % 64] for i in range(64) for k in (3, 5, 62)]
    asked = question("..", "..", words=" ".join(words), alphabet=alphabet)
    found, _ = whole(asked.problem(), module, reverse=False)
    assert len(found) > 10
    assert found == expected(asked, asked.problem(), reverse=False)


@both
def test_slots_with_one_length_and_one_domain_share_a_trie(module: ModuleType) -> None:
    spec = LettersSpec.of(question("A..", "...", "...", words=WORDS, alphabet="ABCDE").problem(), reverse=False)
    assert len(spec.tries) == 2
    assert Counter(trie for trie, _ in spec.slots) == {0: 2, 1: 4}
    assert module.Kernel(spec)


@both
def test_a_kernel_refuses_what_is_no_specification(module: ModuleType) -> None:
    spec = LettersSpec.of(MANY_FILLS.problem(), reverse=False)
    with pytest.raises(ValueError, match="alphabet"):
        module.Kernel(replace(spec, letters=65))
    for prefix, depth in ((b"", 0), (b"", 10), (bytes(3), 3)):
        with pytest.raises(ValueError, match="depth"):
            module.Kernel(spec).start(prefix, depth, True)


@both
def test_a_beginning_that_breaks_a_rule_has_nothing_below(module: ModuleType) -> None:
    kernel = module.Kernel(LettersSpec.of(question("..", "..", words="AB AC BD CD").problem(), reverse=False))
    for prefix in (b"\x03", bytes([0, 1, 1])):  # D begins no word; ABB has AB twice
        assert kernel.start(prefix, 4, True) == (prefix != b"\x03")
        assert kernel.step(LONG_S, MANY, MANY)
        assert (kernel.take(), kernel.counters()) == (b"", (0, 0))
    assert kernel.start(bytes([0, 1]), 4, True)  # it still works
    assert kernel.step(LONG_S, MANY, MANY)
    assert kernel.counters()[1] == 1


@both
def test_splitting_goes_as_deep_as_it_takes(module: ModuleType) -> None:
    spec = LettersSpec.of(MANY_FILLS.problem(), reverse=False)
    kernel = module.Kernel(spec)
    assert choose_depth(kernel, spec.cells, 1, lambda: None) == 0
    assert choose_depth(kernel, spec.cells, 5, lambda: None) == 1
    assert choose_depth(kernel, spec.cells, 6, lambda: None) == 2
    assert choose_depth(kernel, spec.cells, MANY, lambda: None) == spec.cells - 1


# The engine.


@pytest.mark.parametrize("reverse", [False, True])
def test_the_engine_tells_every_fill_in_order_and_says_so(reverse: bool) -> None:
    told = run(LettersEngine(reverse=reverse), MANY_FILLS.problem(), Limits(fills=None))
    problem = MANY_FILLS.problem()
    assert [rows for rows, _ in told.found] == expected(MANY_FILLS, problem, reverse=reverse)
    assert told.finished.reason is StopReason.EXHAUSTED
    assert told.finished.proof
    assert told.finished.stats.nodes == whole(problem, load_kernel(KERNEL), reverse=reverse)[1][0]


def counted(engine: LettersEngine, problem: Problem, limits: Limits | None = None) -> tuple[int, Finished]:
    stream: list[Event] = list(engine.count(problem, limits or Limits(fills=None)))
    assert stream[0] == Started("letters")
    assert not any(isinstance(event, Found) for event in stream)
    last = stream[-1]
    assert isinstance(last, Finished)
    assert last.counted is not None
    return last.counted, last


def test_a_count_is_what_another_engine_counts() -> None:
    random = Random(11)
    for _ in range(12):
        words = " ".join(random.sample(THREES, 40))
        rows = ["".join(random.choice("....A#") for _ in range(3)) for _ in range(2)]
        problem = question("...", *rows, words=words, alphabet="ABCDE", repeats=random.random() < 0.5).problem()
        fills, last = counted(LettersEngine(), problem)
        assert last.reason is StopReason.EXHAUSTED
        assert fills == count_fills(problem, engine="mac").fills


def test_limits_are_kept_to_the_letter() -> None:
    problem = MANY_FILLS.problem()
    fills = expected(MANY_FILLS, problem, reverse=False)
    engine = LettersEngine()
    first = run(engine, problem, Limits(fills=7))
    assert [rows for rows, _ in first.found] == fills[:7]
    assert first.finished.reason is StopReason.FILLS
    again = run(engine, problem, Limits(nodes=first.finished.stats.nodes - 1, fills=None))
    assert [rows for rows, _ in again.found] == fills[:6]
    assert again.finished.reason is StopReason.NODES
    assert again.finished.stats.nodes == first.finished.stats.nodes - 1
    assert counted(engine, problem, Limits(fills=7))[0] == 7
    some, last = counted(engine, problem, Limits(fills=None, nodes=again.finished.stats.nodes))
    assert 6 <= some < len(fills)
    assert last.reason is StopReason.NODES
    assert last.stats.nodes == again.finished.stats.nodes
    assert counted(engine, problem, Limits(fills=None, time_s=0.0))[1].reason is StopReason.TIME


def test_an_impossible_problem_is_proved_so() -> None:
    for asked, wipeout in ((question("..", "..", words="AB BA"), None), (question("Z.", "..", words="AB BA AC"), 0)):
        last = run(LettersEngine(), asked.problem()).finished
        assert last.reason is StopReason.EXHAUSTED
        assert last.proof
        assert last.wipeout == wipeout
        assert counted(LettersEngine(), asked.problem())[0] == 0


def test_what_it_cannot_do_is_refused() -> None:
    for ask in (LettersEngine().search, LettersEngine().count):
        with pytest.raises(UnsupportedError, match="letters cannot maximise the least score; engines that can: "):
            ask(MANY_FILLS.problem(Objective.MIN), Limits())


# Counts by states.


@given(asked=questions(), repeats=st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_count_by_states_is_that_of_the_brute_force(asked: Question, repeats: bool) -> None:
    asked = replace(asked, repeats=repeats, max_fills=10**6)  # with repeats there may be more than were asked for
    problem = asked.problem()
    assume(may_count_by_states(problem))
    assert count_by_states(problem, lambda: None) == len(asked.answer.fills)


@pytest.mark.parametrize(("height", "width"), [(3, 12), (12, 3), (1, 12), (5, 4)])
def test_more_fills_than_could_be_listed_are_counted(height: int, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every word of two letters is there, so every cell has two."""
    words = " ".join("".join(word) for length in {height, width} - {1} for word in product("AB", repeat=length))
    problem = question(*["." * width] * height, words=words, repeats=True).problem()
    monkeypatch.setattr(engine, "WORTHWHILE_S", 0.0)
    fills, last = counted(LettersEngine(), problem)
    assert fills == 2 ** (height * width)
    assert last.reason is StopReason.EXHAUSTED
    assert "states" in str(last.proof)
    assert counted(LettersEngine(), problem, Limits(fills=5))[0] == 5


def test_where_there_are_too_many_states_fills_are_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = question("...", "...", "...", words=WORDS, alphabet="ABCDE", repeats=True).problem()
    found, last = counted(LettersEngine(), problem)
    assert "search" in str(last.proof)
    monkeypatch.setattr(engine, "WORTHWHILE_S", 0.0)
    fills, last = counted(LettersEngine(), problem)
    assert fills == found
    assert "states" in str(last.proof)
    monkeypatch.setattr(engine, "MAX_STATES", 10)
    assert counted(LettersEngine(), problem)[0] == fills
    monkeypatch.undo()
    monkeypatch.setattr(engine, "MAX_WIDTH", 2)
    again, last = counted(LettersEngine(), problem)
    assert again == fills
    assert "search" in str(last.proof)


# Several threads.


@pytest.mark.parametrize("held_bytes", [cubes.HELD_BYTES, 0])
def test_threads_tell_the_same_fills_in_the_same_order(held_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cubes, "HELD_BYTES", held_bytes)
    problem = MANY_FILLS.problem()
    one = run(LettersEngine(), problem, Limits(fills=None))
    for limits in (Limits(fills=None, workers=2), Limits(fills=9, workers=2)):
        several = run(LettersEngine(), problem, limits)
        assert several.found == one.found[: limits.fills]
    assert several.finished.reason is StopReason.FILLS
    assert len(one.found) > 50


def test_threads_count_the_same_fills_with_the_same_nodes() -> None:
    problem = MANY_FILLS.problem()
    alone = counted(LettersEngine(), problem)
    several = counted(LettersEngine(), problem, Limits(fills=None, workers=3))
    assert several[0] == alone[0]
    assert several[1].stats.nodes == alone[1].stats.nodes
    nothing = question("..", "..", words="AB BA").problem()
    assert counted(LettersEngine(), nothing, Limits(fills=None, workers=2))[0] == 0
    limited = counted(LettersEngine(), problem, Limits(fills=5, workers=2))
    assert limited[0] == 5
    assert limited[1].reason is StopReason.FILLS


def test_what_fails_in_a_thread_is_raised_here_and_no_thread_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    before = threading.active_count()

    def broken(self: LettersSpec) -> Any:
        if threading.current_thread().name == "cpfill-letters 2":
            raise MemoryError("no room for another kernel")
        return make_kernel(self)

    make_kernel = LettersSpec.make_kernel
    monkeypatch.setattr(LettersSpec, "make_kernel", broken)
    with pytest.raises(MemoryError, match="no room"):
        list(LettersEngine().count(MANY_FILLS.problem(), Limits(fills=None, workers=2)))
    assert threading.active_count() == before
