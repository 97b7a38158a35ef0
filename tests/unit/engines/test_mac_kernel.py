"""The compiled kernel, and that of the tab, against a brute force, and so against one another."""

from __future__ import annotations

import gc
import math
import weakref
from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cpfill
from cpfill.engines.mac import KERNEL
from cpfill.engines.mac.kernels import KernelMaker, MacSpec, pack
from cpfill.problem.problem import Fill, Objective
from cpfill.problem.result import Status
from cpfill.testing import brute_force
from cpfill.testing.questions import questions
from tests.support import Question, question, rows_of, run
from tests.unit.engines.wasmtime_host import modules_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from cpfill.problem.problem import Problem
    from cpfill.testing.brute_force import Rows

MANY = 10**9  # nodes, or letters of the brute force
MORE_FILLS = 5000  # than there are in any test

MODULES = modules_of("mac", KERNEL)
each_kernel = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)
branching = pytest.mark.parametrize("by_cell", [False, True], ids=["by slot", "by cell"])


@dataclass(frozen=True)
class Case:
    """What a kernel is made of, where no problem has it."""

    letters: int
    tables: list[tuple[int, bytes]]
    slots: list[tuple[int, list[tuple[int, int, int]], list[int]]]
    domains: list[bytes]

    def kernel(self, module: ModuleType, *, first_limit: int = 0, by_cell: bool = False) -> Any:
        spec = MacSpec(
            index=module.Index(self.letters, self.tables, []),
            slots=self.slots,
            domains=self.domains,
            singles=[b"\xff" * len(codes) for _, codes in self.tables],
            first_limit=first_limit,
            by_cell=by_cell,
        )
        return module.Kernel(spec)


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


def arc_consistent(problem: Problem) -> bool:
    """Whether words are left in every slot when letters, and words of peers, were ruled out until nothing changed."""
    words = [
        {word for id_, word in enumerate(table.words) if domain >> id_ & 1}
        for table, domain in zip(problem.tables, problem.domains, strict=True)
    ]
    before = -1
    while before != sum(map(len, words)):
        before = sum(map(len, words))
        for slot in problem.slots:
            for pos, other, other_pos in problem.grid.neighbours[slot.id]:
                letters = {word[other_pos] for word in words[other]}
                words[slot.id] = {word for word in words[slot.id] if word[pos] in letters}
            for peer in problem.peers[slot.id]:
                if len(words[peer]) == 1:
                    words[slot.id] = words[slot.id] - words[peer]
    return all(words)


@settings(deadline=None)
@given(by_cell=st.booleans(), question=questions(sides=True), seed=st.integers(0, 3), first_limit=st.integers(0, 5))
def test_every_fill_is_found_once_whatever_the_restarts(
    by_cell: bool, question: Question, seed: int, first_limit: int
) -> None:
    problem = question.problem()
    for module in MODULES.values():
        rows = fills(problem, kernel_of(problem, module, seed=seed, by_cell=by_cell, first_limit=first_limit))
        assert sorted(rows) == sorted(question.answer.fills), module


@settings(deadline=None)
@given(by_cell=st.booleans(), question=questions())
def test_a_search_in_steps_is_the_search_in_one_go(by_cell: bool, question: Question) -> None:
    problem = question.problem()
    for module in MODULES.values():
        at_once, in_steps = (kernel_of(problem, module, seed=7, by_cell=by_cell) for _ in range(2))
        assert list(found(at_once)) == list(found(in_steps, nodes=1)), module
        assert at_once.counters() == in_steps.counters(), module


@settings(deadline=None)
@given(question=questions())
def test_a_wipeout_at_the_root_names_a_slot(question: Question) -> None:
    problem = question.problem()
    consistent = arc_consistent(problem)
    for module in MODULES.values():
        kernel = kernel_of(problem, module)
        assert kernel.wipeout() == -1, module
        kernel.step(60.0, 0)
        assert (kernel.wipeout() == -1) == consistent, module
        assert kernel.wipeout() < len(problem.slots), module
        list(found(kernel))
        assert (kernel.wipeout() == -1) == consistent, module


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


def fills_of(asked: Question) -> frozenset[Rows]:
    """Return what the brute force finds, which takes it a second."""
    return brute_force.solve(asked.cells, asked.words, max_steps=MANY).fills


@pytest.mark.parametrize("asked", [square(2, 1100), square(3, 700), stack(4, 300)], ids=["2", "3", "stack"])
def test_large_domains(asked: Question) -> None:
    problem = asked.problem()
    expected = sorted(fills_of(asked))
    assert expected
    for module, by_cell in product(MODULES.values(), (False, True)):
        rows = fills(problem, kernel_of(problem, module, by_cell=by_cell, first_limit=5))
        assert sorted(rows) == expected, (module, by_cell)


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
LARGE = {name: replace(RULED, **sides) for name, sides in _SIDES.items()}


@pytest.mark.parametrize("name", LARGE)
def test_the_other_rules_on_large_domains(name: str) -> None:
    asked = LARGE[name]
    problem = asked.problem()
    assert asked.answer.fills
    for module, by_cell in product(MODULES.values(), (False, True)):
        rows = fills(problem, kernel_of(problem, module, by_cell=by_cell, first_limit=0 if by_cell else 5))
        assert sorted(rows) == sorted(asked.answer.fills), (module, by_cell)


@pytest.mark.parametrize("objective", [each for each in Objective if each is not Objective.GOOD])
@pytest.mark.parametrize("name", LARGE)
def test_the_best_on_large_domains(objective: Objective, name: str) -> None:
    asked = LARGE[name]
    ran = run("mac", asked.problem(objective))
    assert (ran.result.value, ran.result.status) == (asked.answer_to(objective).best, Status.OPTIMAL)


@branching
@pytest.mark.parametrize("asked", [square(2, 1100), stack(4, 300), *LARGE.values()], ids=["square", "stack", *LARGE])
def test_every_kernel_takes_the_same_way(asked: Question, by_cell: bool) -> None:
    """The same fills one after another, by the same nodes, wipeouts and restarts."""
    problem, ways = asked.problem(), []
    for module in MODULES.values():
        kernel = kernel_of(problem, module, by_cell=by_cell, first_limit=0 if by_cell else 5, seed=3)
        ways.append((list(found(kernel)), kernel.counters()))
    assert all(way == ways[0] for way in ways)


def test_infeasible_after_a_search() -> None:
    asked = square(5, 600)
    assert not fills_of(asked)
    for module, by_cell in product(MODULES.values(), (False, True)):
        kernel = kernel_of(asked.problem(), module, by_cell=by_cell, first_limit=3)
        assert kernel.step(60.0, MANY).name == "EXHAUSTED"
        assert kernel.wipeout() == -1
        nodes, fails, restarts = kernel.counters()
        assert nodes >= fails > restarts > 0


@each_kernel
@branching
def test_no_slots_have_one_fill(module: ModuleType, by_cell: bool) -> None:
    assert list(found(Case(26, [], [], []).kernel(module, by_cell=by_cell))) == [[]]


@each_kernel
@branching
def test_an_empty_table_is_a_wipeout(module: ModuleType, by_cell: bool) -> None:
    slots: list[tuple[int, list[tuple[int, int, int]], list[int]]] = [(0, [(0, 1, 0)], []), (1, [(0, 0, 0)], [])]
    case = Case(26, [(2, b"\0\1"), (3, b"")], slots, [b"\1", b""])
    for domains in ([b"\1", b""], [b"\1", b"\xff" * 40]):
        kernel = replace(case, domains=domains).kernel(module, by_cell=by_cell)
        assert not list(found(kernel))
        assert kernel.wipeout() == 1


@each_kernel
@branching
def test_a_domain_may_be_empty_short_or_long(module: ModuleType, by_cell: bool) -> None:
    case = Case(3, [(2, b"\0\0\0\1\1\2")], [(0, [], [])], [b""])
    for domain, expected in ((b"", []), (b"\0" * 9, []), (b"\5", [[0], [2]]), (b"\7" + b"\0" * 99, [[0], [1], [2]])):
        kernel = replace(case, domains=[domain]).kernel(module, by_cell=by_cell)
        assert sorted(found(kernel)) == expected
        assert kernel.wipeout() == (-1 if expected else 0)


@each_kernel
@branching
def test_peers_alone_keep_words_apart(module: ModuleType, by_cell: bool) -> None:
    table = [(2, b"\0\0\0\1\1\2")]
    for peers, count in (([[1, 2], [0, 2], [0, 1]], 6), ([[1], [0], []], 18), ([[], [], []], 27)):
        slots: list[tuple[int, list[tuple[int, int, int]], list[int]]] = [(0, [], others) for others in peers]
        every = list(found(Case(3, table, slots, [b"\7"] * 3).kernel(module, by_cell=by_cell)))
        assert len(every) == len(set(map(tuple, every))) == count


@each_kernel
def test_peers_that_meet_in_one_word_are_a_wipeout(module: ModuleType) -> None:
    slots: list[tuple[int, list[tuple[int, int, int]], list[int]]] = [(0, [], [1]), (0, [], [0])]
    kernel = Case(3, [(2, b"\0\0\0\1")], slots, [b"\2", b"\2"]).kernel(module)
    assert kernel.step(60.0, MANY).name == "EXHAUSTED"
    assert kernel.wipeout() in {0, 1}
    assert kernel.counters() == (0, 0, 0)


@each_kernel
def test_a_step_keeps_to_its_limits(module: ModuleType) -> None:
    kernel = kernel_of(square(2, 1100).problem(), module)
    for nodes in (0, 0, 1):
        assert kernel.step(60.0, nodes).name == "RUNNING"
        assert kernel.counters()[0] == nodes
    assert kernel.step(0.0, MANY).name in {"RUNNING", "FOUND"}
    assert kernel.counters()[0] < 100


@each_kernel
def test_seeds_repeat_and_differ(module: ModuleType) -> None:
    asked = question("...", "...", "...", words=" ".join(a + b + c for a in "ABCD" for b in "ABCD" for c in "ABCD"))
    problem = asked.problem()
    firsts = [next(found(kernel_of(problem, module, seed=seed))) for seed in (0, 0, 1, 2, 2**64 - 1)]
    assert firsts[0] == firsts[1]
    assert len(set(map(tuple, firsts))) > 2


@each_kernel
@pytest.mark.parametrize("letters", [0, 65])
def test_an_alphabet_has_1_to_64_letters(module: ModuleType, letters: int) -> None:
    with pytest.raises(ValueError, match="1 to 64 letters"):
        Case(letters, [], [], []).kernel(module)


@pytest.mark.parametrize("no_shared", [False, True])
def test_what_a_list_is_indexed_for_goes_with_it(no_shared: bool) -> None:
    lexicon = cpfill.Lexicon([cpfill.parse_word_list("CAT\nTEA\nCATE\nAREA\n", "a")])
    assert cpfill.solve(["...#", "....", "#..."], words=lexicon, no_shared=no_shared).status is not Status.UNKNOWN
    left = [weakref.ref(each) for each in (lexicon, lexicon.table(3), lexicon.table(4))]
    del lexicon
    gc.collect()
    assert [each() for each in left] == [None] * 3
