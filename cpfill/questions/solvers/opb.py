"""Pseudo-Boolean problems (`.opb`), in the format of the solver competitions.

The variables, numbered from 1, with an alphabet of n letters:
    x(n·p + l + 1)   place p holds letter l, both from 0 (`statement`); unmentioned numbers have no variable
    the next         slot s holds word w: slot by slot, words by their numbers; a comment says where each slot begins
    the last         where the least score is maximised, of each slot whether it scores so much, for each score but the
                     least, rising; then the same of all slots
"""

from __future__ import annotations

from collections import defaultdict
from itertools import count, pairwise
from typing import TYPE_CHECKING

from cpfill.problem.problem import Criterion
from cpfill.questions.solvers.statement import Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.problem.problem import Problem

Term = tuple[int, int]
"""A coefficient and a variable."""


def write_opb(problem: Problem) -> str:
    """Return the text of an `.opb` file.

    Raises:
        InputError: as `Statement`.
    """
    said = Statement(problem)
    fresh = count(said.n_letters * len(said.numbers) + 1)
    words = [{number: next(fresh) for number in fitting} for fitting in said.fitting]
    constraints = list(_spell(said, words))
    for limited in said.most:
        costs = [(-cost, words[slot][number]) for (slot, number), cost in limited.costs.items()]
        constraints.append(_constrain(costs, ">=", -limited.limit))
    if said.all_different:
        for group in said.groups:
            for number in range(len(said.ids[said.slots[group[0]].length])):
                holding = [(-1, words[slot][number]) for slot in group if number in words[slot]]
                constraints += [_constrain(holding, ">=", -1)] * (len(holding) > 1)
    constraints += [
        _constrain([(1, words[slot][number]) for slot, number in choices], ">=", 1) for choices in said.cover
    ]
    named = [f"* {slot.name} from x{min(held.values())}" for slot, held in zip(said.slots, words, strict=True) if held]
    objective: list[Term] = []
    if said.criterion is Criterion.MIN:
        objective = [*_raise_least(said, words, fresh, constraints)]
    elif said.criterion:
        gains = zip(said.gains, words, strict=True)
        objective = [(-gain, held[number]) for gained, held in gains for number, gain in gained.items() if gain]
    if said.criterion:
        base = said.worths[0] if said.criterion is Criterion.MIN and said.worths else 0
        named.append(f"* value = ({base} - objective) / {said.per_unit}")
        constraints.insert(0, f"min: {_add_up(objective)} ;")
    head = f"* #variable= {next(fresh) - 1} #constraint= {len(constraints) - bool(said.criterion)}"
    return "".join(f"{line}\n" for line in (head, *named, *constraints))


def _spell(said: Statement, words: Sequence[Mapping[int, int]]) -> Iterator[str]:
    """Yield the constraints that each slot holds one word, each place one letter, and that the two agree."""
    for held in words:
        yield _constrain([(1, x) for x in held.values()], "=", 1)
    letters: dict[int, dict[int, int]] = {number: {} for number in said.numbers.values()}
    for place, letter in said.alone.items():
        letters[place][letter] = said.n_letters * place + letter + 1
    for slot, held in zip(said.slots, words, strict=True):
        for at, place in enumerate(map(said.numbers.__getitem__, slot.places)):
            spelt: dict[int, list[Term]] = defaultdict(list)
            for number, x in held.items():
                spelt[said.spell(slot, number)[at]].append((1, x))
            for letter, terms in sorted(spelt.items()):
                y = letters[place].setdefault(letter, said.n_letters * place + letter + 1)
                yield _constrain([*terms, (-1, y)], "=", 0)
    for numbers in letters.values():
        yield _constrain([(1, y) for y in numbers.values()], "=", 1)


def _raise_least(
    said: Statement, words: Sequence[Mapping[int, int]], fresh: Iterator[int], constraints: list[str]
) -> Iterator[Term]:
    """Add constraints for the scores that each slot reaches; yield the gain of each score that all slots reach."""
    reached: list[list[int]] = []
    for held, gains in zip(words, said.gains, strict=True):
        reached.append([next(fresh) for _ in said.worths[1:]])
        for rank, (worth, t) in enumerate(zip(said.worths[1:], reached[-1], strict=True), start=1):
            terms = [(1, held[number]) for number, gain in gains.items() if gain == worth]
            constraints.append(
                _constrain([*terms, *((1, more) for more in reached[-1][rank : rank + 1]), (-1, t)], "=", 0)
            )
    for rank, (lower, worth) in enumerate(pairwise(said.worths)):
        all_reach = next(fresh)
        constraints += [_constrain([(1, each[rank]), (-1, all_reach)], ">=", 0) for each in reached]
        yield lower - worth, all_reach


def _constrain(terms: Sequence[Term], sign: str, number: int) -> str:
    """Return a constraint; without terms, one that is never satisfied, because the format has no empty sum."""
    return f"{_add_up(terms)} {sign} {number} ;" if terms else "+1 x1 >= 2 ;"


def _add_up(terms: Iterable[Term]) -> str:
    return " ".join(f"{coefficient:+} x{variable}" for coefficient, variable in terms)
