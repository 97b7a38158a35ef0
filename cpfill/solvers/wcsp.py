"""Cost function networks for toulbar2 (`.wcsp`).

The cost of a fill is its distance from the best imaginable fill. The variables, numbered from 0: the letters, then the
words. If the minimum score is maximised, the rank of each slot's score follows, and last a rank that no slot falls
below. Assignments with a cost below the upper bound are fills. The name in the head gives the formula from the cost of
a fill to its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.problem.value import Criterion
from cpfill.solvers.statement import Statement, join_lines, join_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Slot
    from cpfill.solvers.statement import Choice


def write_wcsp(problem: Problem) -> str:
    said = Statement(problem)
    most = max(said.worths, default=0)
    if not _has_ranks(said):
        most *= len(said.slots)
    top = most + 1
    sizes = [said.n_letters] * len(said.numbers)
    functions = []
    for number, letter in said.alone.items():
        functions.append(_extend([number], top, [[letter, 0]]))
    for slot in said.slots:
        words = len(said.ids[slot.length])
        sizes.append(max(1, words))
        functions += _spell_in_rows(said, slot, top)
        functions += _rate_word(said, slot, top)
    if _has_ranks(said):
        sizes += [len(said.worths)] * (len(said.slots) + 1)
        last = len(sizes) - 1
        functions.append(_extend([last], 0, _list_losses(said.worths, most)))
    functions += _bind_words(said, top)
    name = "fill"
    if said.criterion:
        name = f"value:({most}-cost)/{said.per_unit}"
    counts = join_numbers([len(sizes), max(sizes), len(functions), top])
    return join_lines([f"{name} {counts}", join_numbers(sizes), *functions])


def _list_losses(worths: Iterable[int], most: int) -> list[list[int]]:
    """Return a row for each worth that falls short of the most: its index, and by how much."""
    losses = []
    for index, worth in enumerate(worths):
        if worth < most:
            losses.append([index, most - worth])
    return losses


def _has_ranks(said: Statement) -> bool:
    """Return whether variables hold the ranks of scores."""
    return said.criterion is Criterion.MIN and bool(said.worths)


def _spell_in_rows(said: Statement, slot: Slot, top: int) -> Iterator[str]:
    """Yield the functions that link the word of a slot to its letters."""
    word = len(said.numbers) + slot.id
    for at, place in enumerate(slot.places):
        rows = []
        for number in said.fitting[slot.id]:
            spelling = said.spell(slot, number)
            rows.append([number, spelling[at], 0])
        yield _extend([word, said.numbers[place]], top, rows)


def _rate_word(said: Statement, slot: Slot, top: int) -> Iterator[str]:
    """Yield the functions that give the word of a slot its rank or its cost."""
    worths = said.worths
    gains = said.gains[slot.id]
    first = len(said.numbers)
    slots = len(said.slots)
    word = first + slot.id
    if _has_ranks(said):
        ranks = []
        for number, gain in gains.items():
            ranks.append([number, worths.index(gain), 0])
        yield _extend([word, word + slots], top, ranks)
        yield f"2 {word + slots} {first + 2 * slots} -1 >= 0 0"
    elif gains:
        most = worths[-1]
        losses = []
        for number, gain in gains.items():
            if gain < most:
                losses.append([number, most - gain])
        yield _extend([word], 0, losses)


def _bind_words(said: Statement, top: int) -> Iterator[str]:
    """Yield the functions on words in several slots: words at most once, sums with a limit, words that must stand."""
    first = len(said.numbers)
    if said.all_different:  # toulbar2 takes minutes to read the older `salldiff` with a large list
        for group in said.groups:
            scope = [first + slot for slot in group]
            yield f"{_list_scope(scope)} -1 alldiff 0 0"
    for limited in said.most:
        weights = {choice: -cost for choice, cost in limited.costs.items()}
        yield _weigh(first, -limited.limit, weights)
    for choices in said.cover:
        if choices:
            yield _weigh(first, 1, dict.fromkeys(choices, 1))
        else:  # toulbar2 takes a sum of no terms for met, whatever its least
            yield _extend([0], top, [])


def _extend(scope: Sequence[int], default: int, rows: Sequence[Sequence[int]]) -> str:
    """Return a cost function in extension: the last number of each row is its cost."""
    head = [len(scope), *scope, default, len(rows)]
    return "\n".join(map(join_numbers, [head, *rows]))


def _weigh(letters: int, least: int, weights: Mapping[Choice, int]) -> str:
    """Return the constraint that the weights of the chosen choices add up to `least` or more."""
    scope = set()
    terms: list[int] = []
    for (slot, number), weight in weights.items():
        scope.add(letters + slot)
        terms += [letters + slot, number, weight]
    listed = join_numbers(terms)
    return f"{_list_scope(sorted(scope))} -1 knapsackv {least} {len(weights)} {listed}"


def _list_scope(scope: Sequence[int]) -> str:
    """Return the number of some variables, and the variables."""
    return join_numbers([len(scope), *scope])
