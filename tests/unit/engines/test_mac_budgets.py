"""What the kernels add up: budgets, floors, weights, and the words tried first."""

from __future__ import annotations

from array import array
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpfill.base.errors import UnsupportedError
from cpfill.engines.mac import kernels
from cpfill.engines.mac import refill as repairing
from cpfill.engines.mac import sum_optimum as improving
from cpfill.engines.mac.engine import MacEngine
from cpfill.engines.mac.kernels import KernelMaker, MacSpec
from cpfill.engines.mac.sum_optimum import Parts, divide
from cpfill.engines.toolkit.propagation import list_quotas
from cpfill.problem.problem import Fill, Objective
from cpfill.problem.result import Limits, Outcome
from cpfill.testing.questions import questions
from tests.support import Question, question, rows_of, run
from tests.unit.engines.test_mac_kernel import MODULES, each_kernel, fills, found, kernel_of, square

if TYPE_CHECKING:
    from types import ModuleType

    from cpfill.problem.problem import Problem

ruled = questions(sides=True, themed=True, sums=True)
modules = st.sampled_from([*MODULES.values()])


@settings(deadline=None)
@given(module=modules, question=ruled, first_limit=st.integers(0, 3))
def test_raising_the_floor_leads_to_the_best_sum(module: ModuleType, question: Question, first_limit: int) -> None:
    problem = question.problem(Objective.SUM)
    answer = question.answer_to(Objective.SUM)
    for place, criterion in enumerate(problem.criteria):
        per_unit, maker = problem.gains(criterion).per_unit, KernelMaker(problem, module)
        floors = dict.fromkeys(problem.criteria[: place + 1], 0)
        kernel = maker.make(problem.domains, first_limit=first_limit, floors=floors, improving=criterion)
        values = []
        for words in found(kernel):
            assert rows_of(problem, Fill.of_words(problem, words)) in answer.fills
            values.append(problem.score(words)[place])
            maker.set_floor(kernel, criterion, round(values[-1] * per_unit) + 1)
        assert values == sorted(set(values))
        assert max(values, default=None) == max((value[place] for value in answer.values.values()), default=None)


@settings(deadline=None)
@given(module=modules, question=ruled, believing=st.sampled_from([0.0, 1.0, 12.0]), data=st.data())
def test_what_is_freed_is_filled_in_every_way_that_reaches_the_floor(
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
        near = [
            other
            for other, value in values.items()
            if all("".join(other)[cell] == letters[cell] for cell in fixed)
            and round(value[0] * gains.per_unit) >= floor
        ]
        assert kernel.relax(words, freed) or not near
        assert sorted(fills(problem, kernel)) == sorted(near)


@settings(deadline=None)
@given(module=modules, question=ruled, by_cell=st.booleans(), data=st.data())
def test_floors_leave_the_fills_that_reach_them(
    module: ModuleType, question: Question, by_cell: bool, data: st.DataObject
) -> None:
    problem = question.problem(Objective.SUM)
    values = question.answer_to(Objective.SUM).values
    least = data.draw(st.sampled_from(sorted(values.values()))) if values else (0.0,) * len(problem.criteria)
    floors = {
        criterion: round(value * problem.gains(criterion).per_unit)
        for criterion, value in zip(problem.criteria, least, strict=True)
    }
    rows = fills(problem, kernel_of(problem, module, by_cell=by_cell, floors=floors))
    reaching = [
        rows for rows, value in values.items() if all(one >= other for one, other in zip(value, least, strict=True))
    ]
    assert sorted(rows) == sorted(reaching)


@settings(deadline=None)
@given(module=modules, question=ruled, data=st.data())
def test_shifted_costs_leave_the_fills_that_reach_a_floor_and_bound_them(
    module: ModuleType, question: Question, data: st.DataObject
) -> None:
    problem = question.problem(Objective.SUM)
    place = data.draw(st.sampled_from(range(len(problem.criteria))))
    criterion = problem.criteria[place]
    per_unit, maker = problem.gains(criterion).per_unit, KernelMaker(problem, module)
    worth = {rows: round(value[place] * per_unit) for rows, value in question.answer_to(Objective.SUM).values.items()}
    floor = data.draw(st.sampled_from(sorted({0, *worth.values()})))
    floors = {**dict.fromkeys(problem.criteria[:place], 0), criterion: floor}
    kernel = maker.make(problem.domains, floors=floors, improving=criterion)
    assert sorted(fills(problem, kernel)) == sorted(rows for rows, value in worth.items() if value >= floor)
    assert not worth or maker.bound(kernel, criterion) >= max(worth.values())


@each_kernel
def test_shifted_costs_bound_large_domains_better(module: ModuleType) -> None:
    problem = square(3, 400).problem()
    random = Random(1)
    costs = [random.choice([*range(1000), 2**40]) for _ in problem.tables[0].words]
    every = list(found(raw_kernel(problem, module)))
    spent = sorted(sum(costs[word] for word in words) for words in every)
    for limit in (spent[0] - 1, spent[0], spent[len(spent) // 2], spent[-1]):
        budgets = [(module.Costs([array("q", costs).tobytes()]), limit)]
        plain, shifted = (raw_kernel(problem, module, budgets=budgets, shifts=shifts) for shifts in (False, True))
        within = sorted(words for words in every if sum(costs[word] for word in words) <= limit)
        assert sorted(found(plain)) == sorted(found(shifted)) == within
        if within:
            assert plain.least_cost() < shifted.least_cost() <= spent[0]


@settings(deadline=None)
@given(module=modules, question=ruled, data=st.data())
def test_parts_bound_what_fills_come_to(module: ModuleType, question: Question, data: st.DataObject) -> None:
    problem, answer = question.problem(Objective.SUM), question.answer_to(Objective.SUM)
    if answer.best is None or not problem.slots:
        return
    criterion = problem.criteria[0]
    maker, best = KernelMaker(problem, module), round(answer.best[0] * problem.gains(criterion).per_unit)
    kernel = maker.make(problem.domains, floors={criterion: best}, improving=criterion)
    assert kernel.step(9.0, 0) is module.Answer.RUNNING
    parts = Parts(problem.grid, kernel, divide(problem.grid, data.draw(st.integers(1, len(problem.slots)))))

    def advance(question: Any, nodes: int) -> Outcome:
        return Outcome[question.step(9.0, question.counters()[0] + nodes).name.replace("RUNNING", "UNKNOWN")]

    lowest = maker.bound(kernel, criterion)
    for _ in problem.slots:
        regret = parts.regret
        bounds = [maker.bound(kernel, criterion) - regret for regret in parts.work(10**6, advance)]
        assert parts.settled
        assert bounds == sorted(bounds, reverse=True)
        assert min(bounds, default=best) >= best
        lowest = min([lowest, *bounds])
        assert maker.bound(kernel, criterion) - parts.regret <= lowest  # a whole has all that its parts lack
        assert parts.regret >= regret
        parts.merge()
    assert len(parts.groups) == 1


@each_kernel
def test_a_part_has_every_choice_of_words_within_its_regret(module: ModuleType) -> None:
    problem = square(3, 700).problem()
    random = Random(1)
    costs = [random.randrange(40) for _ in problem.tables[0].words]
    every = [(sum(costs[word] for word in words), words) for words in found(raw_kernel(problem, module))]
    budgets = [(module.Costs([array("q", costs).tobytes()]), max(every)[0])]
    kernel = raw_kernel(problem, module, budgets=budgets, shifts=True)
    assert kernel.step(9.0, 0) is module.Answer.RUNNING
    for regret in (0, 10, 40, 80):
        limit = kernel.least_cost() + regret
        taken = sorted(found(kernel.part(range(len(problem.slots)), regret)))
        within, without = ([words for cost, words in sorted(every) if cost <= most] for most in (limit, limit - 1))
        assert taken in (sorted(within), sorted(without))  # the least cost is rounded up


@pytest.mark.parametrize("part_slots", [1, 2, 99])
@settings(deadline=None)
@given(question=ruled, seed=st.integers(0, 3))
def test_short_turns_lead_to_the_best_sum(part_slots: int, question: Question, seed: int) -> None:
    answer = question.answer_to(Objective.SUM)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FIRST_NODES", "NEIGHBOURHOOD", "NEIGHBOURHOOD_NODES"):
            patch.setattr(improving, name, 1)
        patch.setattr(repairing, "REPAIR_NODES", 1)
        patch.setattr(repairing, "LEAST_FREED", 1)
        patch.setattr(improving, "WHOLE_SLOTS", 0 if part_slots < 99 else 99)
        patch.setattr(improving, "PART_SLOTS", part_slots)
        ran = run("mac", question.problem(Objective.SUM), Limits(seed=seed))
    assert ran.result.value == answer.best


@settings(deadline=None)
@given(module=modules, question=questions(sums=True), room=st.integers(1, 6), greatest=st.sampled_from([2**62, 10]))
def test_quotas_leave_the_fills_that_are_as_good(
    module: ModuleType, question: Question, room: int, greatest: int
) -> None:
    """Whether they have a budget each, are weighed in one, or in several."""
    problem, answer = question.problem(Objective.LEXIMIN), question.answer_to(Objective.LEXIMIN)
    if answer.best is None:
        return
    for places in range(1, len(answer.best) + 1):
        quotas = list_quotas(problem, answer.best[:places])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernels, "BUDGETS", room if greatest > 10 else 6)
            patch.setattr(kernels, "GREATEST_COST", greatest * len(problem.slots))
            rows = fills(problem, KernelMaker(problem, module).make(problem.domains, quotas=quotas))
        as_good = [rows for rows, value in answer.values.items() if value[:places] == answer.best[:places]]
        assert sorted(rows) == sorted(as_good)


def test_more_slots_than_budgets_can_tell_apart_are_refused() -> None:
    problem = question(*["..#..#.."] * 100, words="AB BC", repeats=True).problem(Objective.LEXIMIN)
    with pytest.raises(UnsupportedError, match=r"maximise all scores.*cpsat, fc, fc-cbj"):
        MacEngine().search(problem, Limits())
    MacEngine().search(replace(problem, levels=(10.0, 60.0)), Limits()).close()


def raw_kernel(problem: Problem, module: ModuleType, **changed: Any) -> Any:
    """Return a kernel for a problem without rules beyond C4, some of its specification changed."""
    lengths = sorted({table.length for table in problem.tables})
    tables = [(n, problem.lexicon.table(n).codes) for n in lengths]
    spec = MacSpec(
        index=module.Index(len(problem.grid.alphabet.letters), tables, []),
        slots=[(lengths.index(slot.length), problem.grid.neighbours[slot.id], []) for slot in problem.slots],
        domains=[domain.to_bytes(domain.bit_length() // 8 + 1, "little") for domain in problem.domains],
        singles=[b""] * len(lengths),
    )
    return module.Kernel(replace(spec, **changed))


@settings(deadline=None)
@given(
    module=modules,
    question=questions(),
    by_cell=st.booleans(),
    data=st.data(),
)
def test_budgets_hold_whatever_the_words_cost(
    module: ModuleType, question: Question, by_cell: bool, data: st.DataObject
) -> None:
    """In no order that the scores know, and several budgets at once."""
    problem = Question(
        question.cells, question.words, question.alphabet, question.min_slot_length, repeats=True
    ).problem()
    random, tables = Random(data.draw(st.integers(0, 99))), {table.length: table for table in problem.tables}
    costs = [
        {length: [random.choice([0, 0, 1, 2, 7, 2**40]) for _ in tables[length].words] for length in sorted(tables)}
        for _ in range(2)
    ]

    def spent(words: list[int]) -> list[int]:
        return [sum(one[slot.length][word] for slot, word in zip(problem.slots, words, strict=True)) for one in costs]

    every = [words for words, _ in zip(found(raw_kernel(problem, module)), range(300), strict=False)]
    limits = data.draw(st.sampled_from([*map(spent, every), [0, 0], [2, 3]]))
    budgets = [
        (module.Costs([array("q", table).tobytes() for table in one.values()]), limit)
        for one, limit in zip(costs, limits, strict=True)
    ]
    within = list(found(raw_kernel(problem, module, budgets=budgets, by_cell=by_cell, shifts=data.draw(st.booleans()))))
    affordable = [words for words in every if all(map(int.__le__, spent(words), limits))]
    if len(every) < 300:
        assert sorted(within) == sorted(affordable)
    else:
        assert all(words in within for words in affordable)


@each_kernel
def test_what_is_dear_is_tried_last(module: ModuleType) -> None:
    problem = square(2, 1100).problem()
    last = len(problem.tables[0]) - 1
    costs = module.Costs([array("q", [1] * last + [0]).tobytes()])
    alone = {"slots": [(0, [], [])], "domains": [b"\xff" * 200]}
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


@each_kernel
@pytest.mark.parametrize(
    ("changed", "needs"),
    [
        ({"weights": [1.0]}, "a weight for each crossing"),
        ({"dear": 1.0}, "a budget for what is dear"),
        ({"shifts": True}, "a budget to shift the costs of"),
    ],
)
def test_what_does_not_go_together_is_refused(module: ModuleType, changed: dict[str, Any], needs: str) -> None:
    with pytest.raises(ValueError, match=needs):
        raw_kernel(square(2, 50).problem(), module, **changed)


@each_kernel
def test_parts_have_the_words_and_costs_of_the_whole(module: ModuleType) -> None:
    """In an empty square the rows alone cost their cheapest words, all slots as much more as a fill does."""
    problem = square(3, 700).problem()
    random = Random(2)
    costs = [random.choice([0, 1, 2, 7]) for _ in problem.tables[0].words]
    budget = (module.Costs([array("q", costs).tobytes()]), 10**6)
    cheapest = min(sum(costs[word] for word in words) for words in found(raw_kernel(problem, module)))
    whole = raw_kernel(problem, module, budgets=[budget])
    rows = [slot.id for slot in problem.slots if slot.id < len(problem.slots) // 2]
    assert next(found(whole.part(rows, 0)))
    excess = cheapest - whole.least_cost()
    every = whole.part(range(len(problem.slots)), excess)
    assert sum(costs[word] for word in next(found(every))) == cheapest
    assert not excess or not list(found(whole.part(range(len(problem.slots)), excess - 1)))


def test_parts_share_out_the_slots_and_most_crossings() -> None:
    grid = question(*["....#....", "....#....", "....#....", "....#....", "....#...."], words="A").problem().grid
    halves = [[slot.id for slot in grid.slots if (slot.cells[0] % 9 < 4) == left] for left in (True, False)]
    assert sorted(map(sorted, divide(grid, 9))) == sorted(halves)
    for size in range(1, 20):
        parts = divide(grid, size)
        assert all(parts)
        assert sorted(slot for part in parts for slot in part) == list(range(len(grid.slots)))


@each_kernel
def test_questions_at_the_wrong_time_are_refused(module: ModuleType) -> None:
    kernel = raw_kernel(square(2, 50).problem(), module)
    with pytest.raises(ValueError, match="a solution before it can tell the words"):
        kernel.words()
    with pytest.raises(ValueError, match="a budget to set the limit of"):
        kernel.set_limit(0, 1)
    with pytest.raises(ValueError, match="a budget that has costs"):
        kernel.least_cost()
    with pytest.raises(ValueError, match="a budget that has costs"):
        kernel.part([0], 0)
