"""What the kernels add up: budgets, floors, weights, and the words tried first."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import ge
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cpfill.base.errors import UnsupportedError
from cpfill.engines.mac import kernels
from cpfill.engines.mac.engine import MacEngine
from cpfill.engines.mac.kernels import KernelMaker, pack
from cpfill.engines.mac.parts import Parts, divide
from cpfill.engines.toolkit.propagation import list_quotas
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Outcome
from cpfill.testing.questions import questions
from tests.support import Question, question
from tests.unit.engines.test_mac_kernel import MANY, MODULES, build, each_kernel, fills, found, square

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from cpfill.problem.problem import Problem

ruled = questions(sides=True, themed=True, sums=True)
modules = st.sampled_from([*MODULES.values()])


@settings(deadline=None)
@given(module=modules, question=ruled, believing=st.sampled_from([0.0, 1.0, 12.0]), data=st.data())
def test_freed_slots_are_filled_in_every_way(
    module: ModuleType, question: Question, believing: float, data: st.DataObject
) -> None:
    """One neighbourhood after another, of one fill or another, floors going up and down."""
    problem, values = question.problem(Objective.SUM), question.answer_to(Objective.SUM).values
    criterion, maker = problem.criteria[0], KernelMaker(problem, module)
    gains, slots = problem.gains(criterion), range(len(problem.slots))
    kernel = maker.make(problem.domains, floors={criterion: 0}, improving=criterion, believing=believing)
    kernel.step(60.0, 0)  # propagates and shifts under the lowest floor there will be
    for _ in range(3 if values else 0):
        letters = "".join(data.draw(st.sampled_from(sorted(values))))
        words = [problem.word_id("".join(letters[cell] for cell in slot.cells)) for slot in problem.slots]
        freed = data.draw(st.lists(st.sampled_from(slots), unique=True))
        floor = round(data.draw(st.sampled_from(sorted(values.values())))[0] * gains.per_unit)
        maker.set_floor(kernel, criterion, floor)
        fixed = {cell for slot in problem.slots if slot.id not in freed for cell in slot.cells}
        near = []
        for rows, value in values.items():
            stays = all("".join(rows)[cell] == letters[cell] for cell in fixed)
            if stays and round(value[0] * gains.per_unit) >= floor:
                near.append(rows)
        assert kernel.relax(words, freed) or not near
        assert sorted(fills(problem, kernel)) == sorted(near)


@settings(deadline=None)
@given(module=modules, question=ruled, by_cell=st.booleans(), improves=st.booleans(), data=st.data())
def test_floors_leave_the_fills_that_reach_them(
    module: ModuleType, question: Question, by_cell: bool, improves: bool, data: st.DataObject
) -> None:
    """An improving kernel shifts costs, which also bound the fills."""
    problem = question.problem(Objective.SUM)
    values = question.answer_to(Objective.SUM).values
    nothing = (0.0,) * len(problem.criteria)
    least = data.draw(st.sampled_from(sorted({nothing, *values.values()})))
    floors = {}
    for criterion, value in zip(problem.criteria, least, strict=True):
        floors[criterion] = round(value * problem.gains(criterion).per_unit)
    last = problem.criteria[-1]
    maker = KernelMaker(problem, module)
    how: dict[str, Any] = {"by_cell": by_cell}
    if improves:
        how = {"improving": last}
    kernel = maker.make(problem.domains, floors=floors, **how)
    reaching = [rows for rows, value in values.items() if all(map(ge, value, least))]
    assert sorted(fills(problem, kernel)) == sorted(reaching)
    if improves and reaching:
        best = max(values[rows][-1] for rows in reaching)
        assert maker.bound(kernel, last) >= round(best * problem.gains(last).per_unit)


COSTS = [*range(40, 80), 2**40]


@each_kernel
def test_costs_and_parts_of_large_domains(module: ModuleType) -> None:
    """Parts have the words and costs of the whole; shifted costs bound better, and are rounded up."""
    problem = square(3, 700).problem()
    random = Random(1)
    costs = [random.choice(COSTS) for _ in problem.tables[0].words]
    packed = module.Costs([array("q", costs).tobytes()])
    every = sorted((sum(costs[word] for word in words), words) for words in found(raw_kernel(problem, module)))
    cheapest = every[0][0]

    def within(limit: int) -> list[list[int]]:
        return sorted(words for cost, words in every if cost <= limit)

    for limit in (cheapest - 1, cheapest, every[len(every) // 2][0], every[-1][0]):
        plain = raw_kernel(problem, module, budgets=[(packed, limit)])
        shifted = raw_kernel(problem, module, budgets=[(packed, 2**45), (packed, limit)], shifts=True)
        assert sorted(found(plain)) == sorted(found(shifted)) == within(limit)
        assert limit < cheapest or plain.least_cost() < shifted.least_cost() <= cheapest
    whole = raw_kernel(problem, module, budgets=[(packed, every[-1][0])], shifts=True)
    assert whole.step(9.0, 0) is module.Answer.RUNNING
    assert whole.shifted()
    least, exact, scale = survey(whole, range(len(problem.slots)), 0, 0)
    assert least <= cheapest * scale
    assert not exact
    for rise in (0, (cheapest - least // scale) // 2, cheapest - least // scale + 1, 2**40):
        bound, exact, _ = survey(whole, range(len(problem.slots)), least, rise)
        assert bound == min(least + rise * scale, cheapest * scale)
        assert exact == (bound < least + rise * scale)


@settings(deadline=None)
@given(module=modules, question=questions(sums=True), data=st.data())
def test_parts_never_cost_more_than_a_fill(module: ModuleType, question: Question, data: st.DataObject) -> None:
    """Whatever parts give one another, the sum of their least costs never falls."""
    problem = question.problem(Objective.SUM)
    (criterion,) = problem.criteria
    maker = KernelMaker(problem, module)
    kernel = shift(maker, problem)
    if kernel is None:
        return
    slots = range(len(problem.slots))
    owners = data.draw(st.lists(st.integers(0, 2), min_size=len(slots), max_size=len(slots)))
    groups = [[slot for slot in slots if owners[slot] == owner] for owner in sorted(set(owners))]
    known = [survey(kernel, group, LOWEST, 0)[0] for group in groups]
    turns = data.draw(st.lists(st.tuples(st.sampled_from(range(len(groups))), st.integers(0, 20)), max_size=8))
    for number, rise in turns:
        least, _, scale = survey(kernel, groups[number], known[number], rise, gives=True)
        assert least >= known[number]
        known[number] = least
        bound = maker.bound_by_cost(-(-sum(known) // scale), criterion)
        values = question.answer_to(Objective.SUM).values.values()
        assert bound >= max((round(value[0] * problem.gains(criterion).per_unit) for value in values), default=bound)


ROUND = question(
    "3....",
    "3.[CEF]#.",
    "..D.#",
    "..#.D",
    words=(
        "AAAAAA AAAACA AAAACB AAAADC AAAAEB AAADBB AAAEEF AABC AABCCB AACC AACD AACDBB AADADD AADC AAFD ADE AF BC BD "
        "BDF BE C CAA CC CD D DB DCD E EAF EB"
    ),
    alphabet="ABCDEF",
    min_slot_length=1,
    repeats=True,
    rebus={"3": "AA"},
    theme={"AAADBB": 0.25, "BC": 0.25, "CAA": 1.0},
    open_slots=frozenset({("Down", 0, 1), ("Across", 2, 0), ("Down", 0, 3), ("Across", 3, 0)}),
)
"""Three of its five parts hand the same slack round."""


@settings(deadline=None)
@given(module=modules, question=questions(sums=True), size=st.integers(1, 3))
@example(module=next(iter(MODULES.values())), question=ROUND, size=2)
def test_parts_bound_the_best_sum(module: ModuleType, question: Question, size: int) -> None:
    """Parts merge until one is left."""
    problem = question.problem(Objective.SUM)
    criterion, *_ = problem.criteria
    maker = KernelMaker(problem, module)
    kernel = shift(maker, problem)
    if kernel is None:
        return

    def advance(part: Any, nodes: int) -> Outcome:
        return Outcome[part.step(60.0, part.counters()[0] + nodes).name.replace("RUNNING", "UNKNOWN")]

    parts = Parts(problem.grid, kernel, divide(problem.grid, size), 100)
    best = question.answer_to(Objective.SUM).best
    lowest = 0
    if best is not None:
        lowest = round(best[0] * problem.gains(criterion).per_unit)
    bounds = []
    for least in parts.work(50_000, advance):
        bounds.append(maker.bound_by_cost(least, criterion))
        if bounds[-1] <= lowest:
            break
    else:
        assert len(parts.groups) == 1
    assert sorted(chain(*parts.groups)) == list(range(len(problem.slots)))
    assert bounds == sorted(bounds, reverse=True)
    assert best is None or min(bounds, default=lowest) >= lowest


LOWEST = -(2**61)


def shift(maker: KernelMaker, problem: Problem) -> Any:
    """Return a kernel that has shifted the costs of the first criterion; `None` if it has refuted the problem."""
    criterion, *_ = problem.criteria
    kernel: Any = maker.make(problem.domains, floors={criterion: 0}, improving=criterion)
    if kernel.step(60.0, 0).name == "EXHAUSTED":
        return None
    return kernel


def survey(whole: Any, slots: Sequence[int], least: int, rise: int, *, gives: bool = False) -> tuple[int, bool, int]:
    """Return the least cost of some slots, whether it is exact, and the parts of a unit in which it is counted."""
    part = whole.part(list(slots), least, rise)
    assert part.step(60.0, MANY).name == "EXHAUSTED"
    answer: tuple[int, bool, int] = part.survey()
    if gives and answer[1]:
        part.give()
    return answer


@settings(deadline=None)
@given(module=modules, question=questions(sums=True), room=st.integers(1, 6), greatest=st.sampled_from([2**62, 10]))
def test_quotas_leave_the_fills_as_good(module: ModuleType, question: Question, room: int, greatest: int) -> None:
    """Whether they have a budget each, are weighed in one, or in several."""
    problem, answer = question.problem(Objective.LEXIMIN), question.answer_to(Objective.LEXIMIN)
    if answer.best is None:
        return
    for places in range(1, len(answer.best) + 1):
        quotas = list_quotas(problem, answer.best[:places])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernels, "_QUOTA_BUDGETS", room if greatest > 10 else 6)
            patch.setattr(kernels, "GREATEST_COST", greatest * len(problem.slots))
            rows = fills(problem, KernelMaker(problem, module).make(problem.domains, quotas=quotas))
        as_good = [rows for rows, value in answer.values.items() if value[:places] == answer.best[:places]]
        assert sorted(rows) == sorted(as_good)


def test_too_many_slots_for_budgets_are_refused() -> None:
    problem = question(*["..#..#.."] * 100, words="AB BC", repeats=True).problem(Objective.LEXIMIN)
    with pytest.raises(UnsupportedError, match=r"maximise all scores.*cpsat, fc, fc-cbj"):
        MacEngine().search(problem, Limits())
    MacEngine().search(replace(problem, levels=(10.0, 60.0)), Limits()).close()


def raw_kernel(problem: Problem, module: ModuleType, **fields: Any) -> Any:
    """Return a kernel for a problem without rules beyond C4, with more fields of its specification."""
    lengths = sorted({table.length for table in problem.tables})
    tables = [(length, problem.lexicon.table(length).codes) for length in lengths]
    slots: Any = []
    for slot in problem.slots:
        table = lengths.index(slot.length)
        slots.append((table, table, problem.grid.neighbours[slot.id], []))
    shape: dict[str, Any] = {"slots": slots, "domains": list(map(pack, problem.domains))}
    return build(module, len(problem.grid.alphabet.letters), tables, **shape | fields)


@each_kernel
def test_dear_words_are_tried_last(module: ModuleType) -> None:
    problem = square(2, 1100).problem()
    last = len(problem.tables[0]) - 1
    costs = module.Costs([array("q", [1] * last + [0]).tobytes()])
    alone = {"slots": [(0, 0, [], [])], "domains": [b"\xff" * 200]}
    for seed in range(3):
        kernel = raw_kernel(problem, module, **alone, budgets=[(costs, 1)], dear=9.0, seed=seed)
        assert next(found(kernel)) == [last]


@each_kernel
def test_weights_are_handed_on(module: ModuleType) -> None:
    problem = square(5, 600).problem()
    kernel = raw_kernel(problem, module, first_limit=3)
    assert kernel.weights() == [1.0] * 9
    list(found(kernel))
    weights = kernel.weights()
    assert sum(weights) > 9
    assert raw_kernel(problem, module, weights=weights).weights() == weights


Make = Callable[..., Any]
WRONG: list[tuple[str, Callable[[Make], object]]] = [
    ("a weight for each crossing", lambda make: make(weights=[1.0])),
    ("a budget for what is dear", lambda make: make(dear=1.0)),
    ("a budget to shift the costs of", lambda make: make(shifts=True)),
    ("a solution before it can tell the words", lambda make: make().words()),
    ("a budget to set the limit of", lambda make: make().set_limit(0, 1)),
    ("a budget that has costs", lambda make: make().least_cost()),
    ("a budget whose costs are shifted", lambda make: make().part([0], 0, 0)),
    ("a part to survey", lambda make: make().survey()),
    ("a part to survey", lambda make: make().give()),
]


@each_kernel
@pytest.mark.parametrize(("needs", "ask"), WRONG)
def test_wrong_questions_are_refused(module: ModuleType, needs: str, ask: Callable[[Make], object]) -> None:
    problem = square(2, 50).problem()
    with pytest.raises(ValueError, match=needs):
        ask(partial(raw_kernel, problem, module))


def test_parts_share_out_the_slots() -> None:
    grid = question(*["....#...."] * 5, words="A").problem().grid
    left = [slot.id for slot in grid.slots if slot.cells[0] % 9 < 4]
    right = [slot.id for slot in grid.slots if slot.cells[0] % 9 > 4]
    assert sorted(map(sorted, divide(grid, 9))) == sorted([left, right])
    for size in range(1, 20):
        parts = divide(grid, size)
        assert all(parts)
        assert sorted(chain(*parts)) == list(range(len(grid.slots)))
