"""What the kernels know of sets of words: covers, words apart, costs by kind of slot; and cells tied to one letter."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.engines.mac.kernels import pack
from tests.unit.engines.test_mac_kernel import MANY, build, each_kernel, found

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

KINDS = 2  # for each table


@dataclass
class Tiny:
    """A problem of few slots, whatever their grid: bitsets of words in the form of `MacSpec`, as integers."""

    letters: int
    tables: list[list[tuple[int, ...]]]
    slots: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    links: set[tuple[int, int, int, int]] = field(default_factory=set)  # slot, position, later slot, position there
    budgets: list[tuple[list[list[int]], int]] = field(default_factory=list)
    covers: list[list[int]] = field(default_factory=list)
    apart: list[tuple[int, int, int, int]] = field(default_factory=list)

    def table(self, kind: int) -> list[tuple[int, ...]]:
        return self.tables[kind // KINDS]

    def kernel(self, module: ModuleType, **how: Any) -> Any:
        slots: list[tuple[int, int, list[tuple[int, int, int]], list[int]]]
        slots = [(table, kind, [], []) for table, kind in zip(self.slots, self.kinds, strict=True)]
        for one, pos, other, there in self.links:
            slots[one][2].append((pos, other, there))
            slots[other][2].append((there, one, pos))
        return build(
            module,
            self.letters,
            [(len(table[0]), bytes(code for word in table for code in word)) for table in self.tables],
            slots=slots,
            domains=[pack((1 << len(self.tables[table])) - 1) for table in self.slots],
            budgets=[(self.pack_costs(module, costs), limit) for costs, limit in self.budgets],
            required=[list(map(pack, cover)) for cover in self.covers],
            apart=[(one, pack(ones), other, pack(others)) for one, ones, other, others in self.apart],
            **how,
        )

    @staticmethod
    def pack_costs(module: ModuleType, costs: list[list[int]]) -> Any:
        return module.Costs([array("q", of).tobytes() for of in costs])

    def walk(self, fill: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """Yield the words of every choice in which linked letters agree."""
        slot = len(fill)
        if slot == len(self.slots):
            yield fill
            return
        for word, letters in enumerate(self.tables[self.slots[slot]]):
            near = [link for link in self.links if link[2] == slot]
            spelt = {one: self.tables[self.slots[one]][fill[one]] for one, *_ in near}
            if all(spelt[one][pos] == letters[there] for one, pos, _, there in near):
                yield from self.walk((*fill, word))

    def cost(self, costs: list[list[int]], fill: tuple[int, ...]) -> int:
        return sum(costs[kind][word] for kind, word in zip(self.kinds, fill, strict=True))

    def stands(self, fill: tuple[int, ...]) -> bool:
        for costs, limit in self.budgets:
            if self.cost(costs, fill) > limit:
                return False
        for cover in self.covers:
            if not any(cover[kind] >> word & 1 for kind, word in zip(self.kinds, fill, strict=True)):
                return False
        return not any(ones >> fill[one] & others >> fill[other] & 1 for one, ones, other, others in self.apart)

    def solve(self) -> list[list[int]]:
        return [list(fill) for fill in self.walk() if self.stands(fill)]


def draw_tiny(chance: Random, rules: str) -> Tiny:
    """Return a random problem with some of the rules: kinds, cover, apart."""
    letters = chance.choice([2, 3, 4])
    tables = []
    for length in (2, 3):
        words = list(product(range(letters), repeat=length))
        tables.append(chance.sample(words, chance.randint(len(words) // 2, len(words))))
    tiny = Tiny(letters, tables)
    for _ in range(chance.randint(2, 6 - letters)):
        tiny.slots.append(chance.randrange(2))
        tiny.kinds.append(KINDS * tiny.slots[-1] + chance.randrange(KINDS))
    slots = range(len(tiny.slots))
    ends = [(slot, pos) for slot in slots for pos in range(tiny.slots[slot] + 2)]
    for _ in range(chance.randint(len(slots) - 1, len(slots) + 2)):
        (one, pos), (other, there) = sorted(chance.sample(ends, 2))
        if one != other:
            tiny.links.add((one, pos, other, there))
    _add_rules(chance, tiny, rules)
    return tiny


def _add_rules(chance: Random, tiny: Tiny, rules: str) -> None:
    slots = range(len(tiny.slots))
    kinds = range(KINDS * len(tiny.tables))
    if "kinds" in rules:
        for _ in range(chance.randint(1, 2)):
            costs = [[chance.choice([0, 0, 1, 3]) for _ in tiny.table(kind)] for kind in kinds]
            tiny.budgets.append((costs, chance.randint(0, 2 * len(slots))))
    if "cover" in rules:
        for _ in range(chance.randint(1, 4)):
            share = chance.choice([0.05, 0.2, 0.6])
            tiny.covers.append([_draw_set(chance, tiny.table(kind), share) for kind in kinds])
    if "apart" in rules:
        for _ in range(chance.randint(1, 12)):
            one, other = chance.sample(slots, 2)
            share = chance.choice([0.2, 0.5, 0.9])
            ones, others = (_draw_set(chance, tiny.tables[tiny.slots[slot]], share) for slot in (one, other))
            tiny.apart.append((one, ones, other, others))


def _draw_set(chance: Random, words: list[tuple[int, ...]], share: float) -> int:
    return sum(1 << word for word in range(len(words)) if chance.random() < share)


WAYS: dict[str, dict[str, Any]] = {
    "words": {},
    "restarts": {"first_limit": 1, "patience": 0, "promising": -MANY},
    "letters": {"by_cell": True},
}


@each_kernel
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rules", ["ties", "kinds", "cover", "apart", "kinds cover apart"])
def test_rules_leave_the_fills_that_keep_to_them(module: ModuleType, rules: str, way: str) -> None:
    some = none = 0
    for seed in range(60):
        tiny = draw_tiny(Random(seed), rules)
        expected = tiny.solve()
        assert sorted(found(tiny.kernel(module, seed=seed, **WAYS[way]))) == expected, seed
        some += bool(expected)
        none += not expected
    assert some
    assert none or rules == "ties"


@each_kernel
@pytest.mark.parametrize("by_cell", [False, True])
def test_shifted_costs_of_tied_cells_bound_the_fills(module: ModuleType, by_cell: bool) -> None:
    """Costs are shifted through several links of one position, before the search and at its nodes, and in parts."""
    several = 0
    for seed in range(60):
        tiny = draw_tiny(Random(seed), "kinds cover apart")
        costs, _ = tiny.budgets.pop()
        tiny.budgets.append((costs, 3 * len(tiny.slots)))
        fills = tiny.solve()
        for limit in range(0, 3 * len(tiny.slots), 2):
            tiny.budgets[-1] = costs, limit
            kernel = tiny.kernel(module, shifts=True, by_cell=by_cell, improving=True)
            assert sorted(found(kernel)) == [fill for fill in fills if tiny.cost(costs, tuple(fill)) <= limit], seed
        tiny.budgets[-1] = costs, 3 * len(tiny.slots)
        least = min((tiny.cost(costs, tuple(fill)) for fill in fills), default=None)
        whole = tiny.kernel(module, shifts=True)
        if whole.step(60.0, 0).name == "EXHAUSTED" or not fills:
            assert not fills
            continue
        assert whole.least_cost() <= least
        halves = [[slot for slot in range(len(tiny.slots)) if slot % 2 == half] for half in range(2)]
        known = [-MANY, -MANY]
        for half in (0, 1, 0, 1):
            part = whole.part(halves[half], known[half], 2)
            assert part.step(60.0, MANY).name == "EXHAUSTED"
            least_of_part, exact, scale = part.survey()
            assert least_of_part >= known[half]
            known[half] = least_of_part
            if exact:
                part.give()
            several += exact
        assert sum(known) <= least * scale
    assert several


@each_kernel
@pytest.mark.parametrize("kept", [1, 2])
def test_words_apart_stay_apart_within_a_part(module: ModuleType, kept: int) -> None:
    """A part knows those of its own slots."""
    words: list[tuple[int, ...]] = [(0, 0), (0, 1), (1, 0)]
    tiny = Tiny(2, [words], [0, 0, 0], [0, 0, 0])
    tiny.links = {(0, pos, other, pos) for other in (1, 2) for pos in range(2)}
    tiny.apart = [(0, 0b001, kept, 0b001)]
    tiny.budgets = [([[0, 5, 7]], 21)]
    whole = tiny.kernel(module, shifts=True)
    whole.step(60.0, 0)
    part = whole.part([0, 1], 0, 30)
    part.step(60.0, MANY)
    least, exact, scale = part.survey()
    assert least == {1: 10, 2: 0}[kept] * scale
    assert exact


@each_kernel
def test_sets_narrow_one_another(module: ModuleType) -> None:
    """The only slot that may meet a cover keeps its words; what that keeps apart goes, from slot to slot."""
    tiny = Tiny(4, [[(0,), (1,), (2,), (3,)]], [0, 0, 0], [1, 1, 0])
    tiny.covers = [[0b0011, 0]]
    tiny.apart = [(2, 0b0011, 1, 0b0111), (0, 0b0110, 1, 0b1000)]
    kernel = tiny.kernel(module)
    assert kernel.propagate()
    assert [int.from_bytes(kernel.domain(slot), "little") for slot in range(3)] == [0b1001, 0b1000, 0b0011]


@each_kernel
def test_covers_that_wait_are_met(module: ModuleType) -> None:
    """Many slots may meet a cover: it is left to chance until few can."""
    words: list[tuple[int, ...]] = [(code,) for code in range(8)]
    tiny = Tiny(8, [words], [0] * 6, [0] * 6)
    tiny.covers = [[0b11110000], [0b1], [0b10]]
    fills = found(tiny.kernel(module))
    for fill, _ in zip(fills, range(200), strict=False):
        assert tiny.stands(tuple(fill))


WRONG: dict[str, dict[str, Any]] = {
    "words apart in slots": {"apart": [(0, b"\1", 5, b"\1")]},
    "words apart in two slots": {"apart": [(0, b"\1", 0, b"\1")]},
    "required words of each kind": {"required": [[b"\1"]]},
}


@each_kernel
@pytest.mark.parametrize("needs", WRONG)
def test_wrong_sets_are_refused(module: ModuleType, needs: str) -> None:
    slots: Any = [(0, 1, [], []), (0, 0, [], [])]
    with pytest.raises(ValueError, match=needs):
        build(module, 2, [(1, b"\0\1")], slots=slots, domains=[b"\3", b"\3"], **WRONG[needs])
