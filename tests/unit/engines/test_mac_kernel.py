"""The compiled kernel, and that of the tab, against a brute force, and so against one another."""

from __future__ import annotations

import gc
import math
import weakref
from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cpfill
from cpfill.engines.mac import KERNEL
from cpfill.engines.mac.kernels import KernelMaker, MacSpec, pack
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Status
from cpfill.testing import brute_force
from cpfill.testing.questions import questions
from tests.support import Question, question, rows_of, run
from tests.unit.engines.wasmtime_host import modules_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from types import ModuleType

    from cpfill.problem.problem import Problem
    from cpfill.testing.brute_force import Rows

MANY = 10**9  # nodes, or letters of the brute force
MORE_FILLS = 5000  # than there are in any test

MODULES = modules_of("mac", KERNEL)
each_kernel = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)


def build(module: ModuleType, letters: int, tables: list[tuple[int, bytes]], **fields: Any) -> Any:
    """Return a kernel for slots, domains and other fields of a specification, where no problem has them."""
    index = module.Index(letters, tables, [])
    singles = [b"\xff" * len(codes) for _, codes in tables]
    return module.Kernel(MacSpec(index=index, singles=singles, **fields))


def kernel_of(problem: Problem, module: ModuleType, **how: Any) -> Any:
    """Return a kernel for a problem."""
    return KernelMaker(problem, module).make(problem.domains, **how)


def found(kernel: Any, *, nodes: int = MANY) -> Iterator[list[int]]:
    """Yield the words of every fill, in steps of so many nodes."""
    asked = count = 0
    while (answer := kernel.step(60.0, asked := asked + nodes).name) != "EXHAUSTED":
        if answer == "FOUND":
            count += 1
            assert count < MORE_FILLS, "it must be going round in circles"
            yield kernel.words()
        else:
            assert kernel.counters()[0] == asked, "it took a minute"
    assert kernel.step(60.0, MANY).name == "EXHAUSTED"


def fills(problem: Problem, kernel: Any) -> list[Rows]:
    return [rows_of(problem, Fill.of_words(problem, words)) for words in found(kernel)]


def check_kernels(problem: Problem, expected: Collection[Rows], *strides: int, **how: Any) -> None:
    """Check that every kernel finds each fill once, by the same decisions, also in steps of so many nodes."""
    ways = []
    for module, nodes in product(MODULES.values(), strides):
        kernel = kernel_of(problem, module, **how)
        words = list(found(kernel, nodes=nodes))
        ways.append((words, kernel.counters()))
    assert all(way == ways[0] for way in ways)
    rows = [rows_of(problem, Fill.of_words(problem, words)) for words in ways[0][0]]
    assert sorted(rows) == sorted(expected)


@settings(deadline=None)
@given(by_cell=st.booleans(), question=questions(sides=True), seed=st.integers(0, 3), first_limit=st.integers(0, 5))
def test_every_fill_is_found_once(by_cell: bool, question: Question, seed: int, first_limit: int) -> None:
    how = {"seed": seed, "by_cell": by_cell, "first_limit": first_limit, "patience": 0, "promising": -MANY}
    check_kernels(question.problem(), question.answer.fills, MANY, 1, **how)


def is_consistent(problem: Problem) -> bool:
    try:
        ac3(problem, problem.domains)
    except Wipeout:
        return False
    return True


@settings(deadline=None)
@given(question=questions())
def test_a_wipeout_at_the_root_names_a_slot(question: Question) -> None:
    problem = question.problem()
    for module in MODULES.values():
        kernel = kernel_of(problem, module)
        assert kernel.wipeout() == -1
        kernel.step(60.0, 0)
        assert kernel.wipeout() in range(-1, len(problem.slots))
        assert (kernel.wipeout() == -1) == is_consistent(problem)
        list(found(kernel))
        assert (kernel.wipeout() == -1) == is_consistent(problem)


@each_kernel
@settings(deadline=None)
@given(question=questions(sides=True, opened=True), chance=st.randoms(use_true_random=False))
def test_assumptions_are_stacked(module: ModuleType, question: Question, chance: Random) -> None:
    """Under them the fills are those that keep to all; the last is taken back first, and what was searched with it."""
    problem = question.problem()
    left = list(found(kernel_of(problem, module)))
    kernel = kernel_of(problem, module)
    stacked: list[list[list[int]]] = []
    while len(stacked) < 3 and left:
        stacked.append(left)
        slot = chance.randrange(len(problem.slots))
        words = chance.getrandbits(len(problem.tables[slot]))
        left = [fill for fill in left if words >> fill[slot] & 1]
        if not kernel.assume(slot, pack(words)):
            assert not left
            break
        check_letters_and_promise(problem, kernel, left)
    if chance.random() < 0.5:
        assert sorted(found(kernel)) == sorted(left)
    while stacked:
        kernel.release()
        assert sorted(found(kernel)) == sorted(stacked.pop())


def check_letters_and_promise(problem: Problem, kernel: Any, left: list[list[int]]) -> None:
    """Work out from the domains which letters cells may have, those of the fills among them, and what to expect."""
    words = [
        [word for id_, word in enumerate(table.words) if domain >> id_ & 1]
        for slot, table in enumerate(problem.tables)
        if (domain := int.from_bytes(kernel.domain(slot), "little"))
    ]
    promise = sum(math.log(len(domain)) for domain in words)
    for x, letters in zip(problem.grid.crossings, kernel.letters(), strict=True):
        across = Counter(word[x.across_pos] for word in words[x.across])
        down = Counter(word[x.down_pos] for word in words[x.down])
        may = set(problem.grid.alphabet.members(letters))
        assert may == across.keys() == down.keys()
        assert may >= {problem.tables[x.across].words[fill[x.across]][x.across_pos] for fill in left}
        promise += math.log(sum(across[letter] * down[letter] for letter in may))
        promise -= math.log(len(words[x.across]) * len(words[x.down]))
    assert math.isclose(kernel.promise(), promise, abs_tol=1e-6)


# Sixty-four letters, and so many words that domains begin as bitsets whose letters are not always looked up.
LETTERS_64 = "".join(map(chr, range(0x4E00, 0x4E40)))
LETTERS_20 = LETTERS_64[:20]


def square(seed: int, words: int) -> Question:
    random = Random(seed)
    lexicon = {"".join(random.choices(LETTERS_64, k=3)): 50.0 for _ in range(words)}
    return Question((((LETTERS_64,) * 3),) * 3, lexicon, LETTERS_64)


def stack(seed: int, words: int) -> Question:
    """Two long words, one on the other: many have no partner."""
    random = Random(seed)
    lexicon = {"".join(random.choices(LETTERS_20, k=17)): 50.0 for _ in range(words)}
    lexicon |= {one + other: 50.0 for one in LETTERS_20 for other in LETTERS_20 if random.random() < 0.65}
    return Question((((LETTERS_20,) * 17),) * 2, lexicon, LETTERS_20)


# So many words that domains begin as bitsets, and still some fills where every rule holds.
_RANDOM = Random(12)
_WORDS = sorted({"".join(_RANDOM.choices(LETTERS_20, k=3)) for _ in range(250)})
RULED = Question(
    (((LETTERS_20,) * 3),) * 3,
    {word: _RANDOM.choice([0.1, 0.25, 7.0, 50.0]) for word in _WORDS},
    LETTERS_20,
    repeats=True,
    theme={word: _RANDOM.choice([1.0, 0.5]) for word in _WORDS[::3]},
)
_SIDES: dict[str, dict[str, Any]] = {
    "C5": {"no_shared": True},
    "C6": {"max_obscure": 1, "below": 7.0},
    "C7": {"required": frozenset({_WORDS[17]})},
    "C5 C6 C7": {"no_shared": True, "max_obscure": 2, "below": 7.0, "required": frozenset({_WORDS[17]})},
}
RULES = {name: replace(RULED, **sides) for name, sides in _SIDES.items()}
SQUARE = square(2, 1100)
NO_FILL = square(5, 600)
LARGE = {"2": SQUARE, "3": square(3, 700), "stack": stack(4, 300), "no fill": NO_FILL, **RULES}


@pytest.mark.parametrize("name", LARGE)
def test_large_domains(name: str) -> None:
    asked = LARGE[name]
    fills = brute_force.solve(asked.cells, asked.words, asked.rules, max_steps=MANY).fills
    assert bool(fills) == (name != "no fill")
    check_kernels(asked.problem(), fills, MANY, first_limit=3, seed=3)
    check_kernels(asked.problem(), fills, MANY, first_limit=3, seed=3, patience=0, promising=-MANY)
    check_kernels(asked.problem(), fills, MANY, by_cell=True, seed=3)


@pytest.mark.parametrize("objective", [each for each in Objective if each is not Objective.GOOD])
@pytest.mark.parametrize("name", RULES)
def test_the_best_on_large_domains(objective: Objective, name: str) -> None:
    asked = RULES[name]
    ran = run("mac", asked.problem(objective))
    assert (ran.result.value, ran.result.status) == (asked.answer_to(objective).best, Status.OPTIMAL)


@each_kernel
def test_beliefs_guide_where_they_expect_a_fill(module: ModuleType) -> None:
    def search(words: int, patience: int) -> tuple[int, ...]:
        kernel = kernel_of(square(5, words).problem(), module, first_limit=3, patience=patience, promising=0)
        assert kernel.propagate()
        assert (kernel.expect() > 0) == (words == 600)
        assert not list(found(kernel))
        assert all(weight >= 1 for weight in kernel.weights())
        counters: tuple[int, ...] = kernel.counters()
        return counters

    assert len({search(600, patience) for patience in (0, 9, MANY)}) == 3
    assert search(400, 0) == search(400, MANY)


@each_kernel
def test_restarts_are_counted(module: ModuleType) -> None:
    kernel = kernel_of(NO_FILL.problem(), module, first_limit=3)
    assert not list(found(kernel))
    assert kernel.wipeout() == -1
    nodes, fails, restarts = kernel.counters()
    assert nodes >= fails > restarts > 0


AA_AB_BC = [(2, b"\0\0\0\1\1\2")]
AB_AND_NONE = [(2, b"\0\1"), (3, b"")]
CROSSING: Any = [(0, 0, [(0, 1, 0)], []), (1, 1, [(0, 0, 0)], [])]

# Name -> tables, slots, domains, the number of fills, the slots that may be named as empty.
TINY: dict[str, tuple[Any, Any, list[bytes], int, set[int]]] = {
    "no slots": ([], [], [], 1, {-1}),
    "an empty table": (AB_AND_NONE, CROSSING, [b"\1", b""], 0, {1}),
    "bits beyond a table": (AB_AND_NONE, CROSSING, [b"\1", b"\xff" * 40], 0, {1}),
    "an empty domain": (AA_AB_BC, [(0, 0, [], [])], [b""], 0, {0}),
    "a domain of zeros": (AA_AB_BC, [(0, 0, [], [])], [b"\0" * 9], 0, {0}),
    "a short domain": (AA_AB_BC, [(0, 0, [], [])], [b"\5"], 2, {-1}),
    "a long domain": (AA_AB_BC, [(0, 0, [], [])], [b"\7" + b"\0" * 99], 3, {-1}),
    "all are peers": (AA_AB_BC, [(0, 0, [], [1, 2]), (0, 0, [], [0, 2]), (0, 0, [], [0, 1])], [b"\7"] * 3, 6, {-1}),
    "two are peers": (AA_AB_BC, [(0, 0, [], [1]), (0, 0, [], [0]), (0, 0, [], [])], [b"\7"] * 3, 18, {-1}),
    "no peers": (AA_AB_BC, [(0, 0, [], [])] * 3, [b"\7"] * 3, 27, {-1}),
    "peers meet": (AA_AB_BC, [(0, 0, [], [1]), (0, 0, [], [0])], [b"\2", b"\2"], 0, {0, 1}),
}


@each_kernel
@pytest.mark.parametrize("by_cell", [False, True])
@pytest.mark.parametrize("name", TINY)
def test_tiny_problems(module: ModuleType, by_cell: bool, name: str) -> None:
    tables, slots, domains, count, wipeouts = TINY[name]
    kernel = build(module, 26, tables, slots=slots, domains=domains, by_cell=by_cell)
    fills = list(found(kernel))
    assert len(fills) == len(set(map(tuple, fills))) == count
    assert kernel.wipeout() in wipeouts
    assert count or not any(kernel.counters())
    for fill in fills:
        assert all(domain[0] >> word & 1 for word, domain in zip(fill, domains, strict=True))


@each_kernel
def test_a_step_keeps_to_its_limits(module: ModuleType) -> None:
    kernel = kernel_of(SQUARE.problem(), module)
    for nodes in (0, 0, 1):
        assert kernel.step(60.0, nodes).name == "RUNNING"
        assert kernel.counters()[0] == nodes
    assert kernel.step(0.0, MANY).name in {"RUNNING", "FOUND"}
    assert kernel.counters()[0] < 100


@each_kernel
def test_seeds_repeat_and_differ(module: ModuleType) -> None:
    words = map("".join, product("ABCD", repeat=3))
    problem = question("...", "...", "...", words=" ".join(words)).problem()
    firsts = [next(found(kernel_of(problem, module, seed=seed))) for seed in (0, 0, 1, 2, 2**64 - 1)]
    assert firsts[0] == firsts[1]
    assert len(set(map(tuple, firsts))) > 2


@each_kernel
@pytest.mark.parametrize("letters", [0, 65])
def test_an_alphabet_has_1_to_64_letters(module: ModuleType, letters: int) -> None:
    with pytest.raises(ValueError, match="1 to 64 letters"):
        module.Index(letters, [], [])


@pytest.mark.parametrize("no_shared", [False, True])
def test_an_index_goes_with_its_list(no_shared: bool) -> None:
    lexicon = cpfill.Lexicon([cpfill.parse_word_list("CAT\nTEA\nCATE\nAREA\n", "a")])
    assert cpfill.solve(["...#", "....", "#..."], words=lexicon, no_shared=no_shared).status is not Status.UNKNOWN
    left = [weakref.ref(each) for each in (lexicon, lexicon.table(3), lexicon.table(4))]
    del lexicon
    gc.collect()
    assert [each() for each in left] == [None] * 3
