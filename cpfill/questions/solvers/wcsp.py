"""Cost function networks for toulbar2 (`.wcsp`): the cost of a fill is its distance from the best imaginable fill.

The variables, numbered from 0: the letters, then the words (`statement`). If the minimum score is maximised, the rank
of each slot's score follows, and last a rank that no slot falls below. Assignments with a cost below the upper bound
are fills. The name in the head gives the formula from the cost of a fill to its value.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from cpfill.problem.problem import Criterion
from cpfill.questions.solvers.statement import Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.questions.solvers.statement import Choice


def write_wcsp(problem: Problem) -> str:
    """Return the text of a `.wcsp` file.

    Raises:
        InputError: as `Statement`.
    """
    said = Statement(problem)
    worths, least = said.worths, said.criterion is Criterion.MIN and bool(said.worths)
    best = max(worths, default=0)
    slots, letters = said.slots, len(said.numbers)
    most = best if least else best * len(slots)
    top = most + 1
    sizes = [said.n_letters] * letters + [max(1, len(said.ids[slot.length])) for slot in slots]
    functions = [_extend([number], top, [[letter, 0]]) for number, letter in said.alone.items()]
    for slot, fitting, gains in zip(slots, said.fitting, said.gains, strict=True):
        word = letters + slot.id
        spelt = [(number, said.spell(slot, number)) for number in fitting]
        for at, place in enumerate(slot.places):
            rows = [[number, codes[at], 0] for number, codes in spelt]
            functions.append(_extend([word, said.numbers[place]], top, rows))
        if least:
            ranks = [[number, worths.index(gain), 0] for number, gain in gains.items()]
            functions.append(_extend([word, word + len(slots)], top, ranks))
            functions.append(f"2 {word + len(slots)} {letters + 2 * len(slots)} -1 >= 0 0")
        elif gains:
            functions.append(
                _extend([word], 0, [[number, best - gain] for number, gain in gains.items() if gain < best])
            )
    if least:
        sizes += [len(worths)] * (len(slots) + 1)
        functions.append(_extend([len(sizes) - 1], 0, [[rank, best - worth] for rank, worth in enumerate(worths[:-1])]))
    if said.all_different:  # toulbar2 takes minutes to read the older `salldiff` with a large list
        functions += [
            f"{_join([len(group), *(letters + slot for slot in group)])} -1 alldiff 0 0" for group in said.groups
        ]
    for limited in said.most:
        functions.append(_weigh(letters, -limited.limit, [(choice, -cost) for choice, cost in limited.costs.items()]))
    for choices in said.cover:  # toulbar2 takes a sum of no terms for met, whatever its least
        functions.append(_weigh(letters, 1, [(choice, 1) for choice in choices]) if choices else _extend([0], top, []))
    name = f"value:({most}-cost)/{said.per_unit}" if said.criterion else "fill"
    head = [f"{name} {len(sizes)} {max(sizes)} {len(functions)} {top}", _join(sizes)]
    return "".join(f"{line}\n" for line in (*head, *functions))


def _extend(scope: Sequence[int], default: int, rows: Sequence[Sequence[int]]) -> str:
    """Return a cost function in extension: the last number of each row is its cost."""
    return "\n".join(map(_join, ([len(scope), *scope, default, len(rows)], *rows)))


def _weigh(letters: int, least: int, weights: Sequence[tuple[Choice, int]]) -> str:
    """Return the constraint that the weights of the chosen choices add up to `least` or more."""
    scope = sorted({letters + slot for (slot, _), _ in weights})
    terms = chain.from_iterable((letters + slot, number, weight) for (slot, number), weight in weights)
    return f"{_join([len(scope), *scope])} -1 knapsackv {least} {len(weights)} {_join(terms)}"


def _join(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
