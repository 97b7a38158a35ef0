"""Pseudo-Boolean problems (`.opb`), in the format of the solver competitions.

The variables, numbered from 1, with an alphabet of n letters:

    x(n·p + l + 1)   place p holds letter l, both from 0; unmentioned numbers have no variable
    the next         slot s holds word w: slot by slot, words by their numbers; a comment says where each slot begins
    the last         if the minimum score is maximised: for each slot, whether its word has at least a score, for each
                     score except the lowest, rising; then the same for all slots together
"""

from __future__ import annotations

from collections import defaultdict
from itertools import count, pairwise
from typing import TYPE_CHECKING

from cpfill.problem.value import Criterion
from cpfill.solvers.statement import Statement, join_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Slot, SlotId

Term = tuple[int, int]
"""A coefficient and a variable."""


def write_opb(problem: Problem) -> str:
    said = Statement(problem)
    fresh = count(said.n_letters * len(said.numbers) + 1)
    words = [dict(zip(fitting, fresh, strict=False)) for fitting in said.fitting]
    constraints = [*_spell(said, words), *_bound_sums(said, words)]
    named = []
    for slot, held in zip(said.slots, words, strict=True):
        if held:
            named.append(f"* {slot.name} from x{min(held.values())}")
    if said.criterion is Criterion.MIN:
        objective = list(_raise_least(said, words, fresh, constraints))
        named += _state_goal(objective, min(said.worths, default=0), said.per_unit)
    elif said.criterion:
        objective = list(_add_gains(said, words))
        named += _state_goal(objective, 0, said.per_unit)
    head = f"* #variable= {next(fresh) - 1} #constraint= {len(constraints)}"
    return join_lines([head, *named, *constraints])


def _state_goal(objective: Sequence[Term], base: int, per_unit: int) -> list[str]:
    """Return the formula from an objective to the value of a fill, and the line that minimises the objective."""
    return [f"* value = ({base} - objective) / {per_unit}", f"min: {_add_up(objective)} ;"]


def _bound_sums(said: Statement, words: Sequence[Mapping[int, int]]) -> Iterator[str]:
    """Yield the constraints on words in several slots: sums with a limit, words at most once, words that must stand."""
    for limited in said.most:
        costs = []
        for (slot, number), cost in limited.costs.items():
            costs.append((-cost, words[slot][number]))
        yield _constrain(costs, ">=", -limited.limit)
    if said.all_different:
        for group in said.groups:
            yield from _use_once(said, group, words)
    for choices in said.cover:
        holding = [words[slot][number] for slot, number in choices]
        yield _constrain(_weigh(1, holding), ">=", 1)


def _use_once(said: Statement, group: Sequence[SlotId], words: Sequence[Mapping[int, int]]) -> Iterator[str]:
    """Yield the constraints that no word stands in two slots of a group of one length."""
    length = said.slots[group[0]].length
    for number in range(len(said.ids[length])):
        holding = [words[slot][number] for slot in group if number in words[slot]]
        if len(holding) > 1:
            yield _constrain(_weigh(-1, holding), ">=", -1)


def _add_gains(said: Statement, words: Sequence[Mapping[int, int]]) -> Iterator[Term]:
    for gains, held in zip(said.gains, words, strict=True):
        for number, gain in gains.items():
            if gain:
                yield -gain, held[number]


def _spell(said: Statement, words: Sequence[Mapping[int, int]]) -> Iterator[str]:
    """Yield the constraints that each slot holds one word, each place one letter, and that the two agree."""
    for held in words:
        yield _constrain(_weigh(1, held.values()), "=", 1)
    letters: list[dict[int, int]] = [{} for _ in said.numbers]
    for place, letter in said.alone.items():
        letters[place][letter] = _find_variable(said, place, letter)
    for slot, held in zip(said.slots, words, strict=True):
        for at, slot_place in enumerate(slot.places):
            place = said.numbers[slot_place]
            for letter, terms in _group_by_letter(said, slot, held, at):
                y = letters[place].setdefault(letter, _find_variable(said, place, letter))
                yield _constrain([*terms, (-1, y)], "=", 0)
    for numbers in letters:
        yield _constrain(_weigh(1, numbers.values()), "=", 1)


def _find_variable(said: Statement, place: int, letter: int) -> int:
    """Return the variable of a letter at a place."""
    return said.n_letters * place + letter + 1


def _group_by_letter(said: Statement, slot: Slot, held: Mapping[int, int], at: int) -> list[tuple[int, list[Term]]]:
    """Return each letter at a position of a slot, in rising order, with the sum of the words that have it there."""
    spelt: dict[int, list[Term]] = defaultdict(list)
    for number, x in held.items():
        spelt[said.spell(slot, number)[at]].append((1, x))
    return sorted(spelt.items())


def _raise_least(
    said: Statement, words: Sequence[Mapping[int, int]], fresh: Iterator[int], constraints: list[str]
) -> Iterator[Term]:
    """Add constraints for the scores that each slot reaches; yield the gain of each score that all slots reach."""
    higher = said.worths[1:]
    reached: list[list[int]] = []
    for held, gains in zip(words, said.gains, strict=True):
        reaches = [next(fresh) for _ in higher]
        reached.append(reaches)
        for rank, worth in enumerate(higher):
            reaching = [held[number] for number, gain in gains.items() if gain == worth]
            reaching += reaches[rank + 1 : rank + 2]
            constraints.append(_constrain([*_weigh(1, reaching), (-1, reaches[rank])], "=", 0))
    for rank, (lower, worth) in enumerate(pairwise(said.worths)):
        all_reach = next(fresh)
        constraints += [_imply(all_reach, reaches[rank]) for reaches in reached]
        yield lower - worth, all_reach


def _weigh(weight: int, variables: Iterable[int]) -> list[Term]:
    """Return the terms of some variables, all with one weight."""
    return [(weight, variable) for variable in variables]


def _imply(one: int, other: int) -> str:
    """Return the constraint that one variable implies another."""
    return _constrain([(1, other), (-1, one)], ">=", 0)


def _constrain(terms: Sequence[Term], sign: str, number: int) -> str:
    """Return a constraint; without terms, one that is never satisfied, because the format has no empty sum."""
    if not terms:
        return "+1 x1 >= 2 ;"
    return f"{_add_up(terms)} {sign} {number} ;"


def _add_up(terms: Iterable[Term]) -> str:
    written = []
    for coefficient, variable in terms:
        written.append(f"{coefficient:+} x{variable}")
    return " ".join(written)
