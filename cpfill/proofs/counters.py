"""Clauses that bound the number of literals that are true, or their sum, for `fill_to_cnf.py` beside it.

It imports only the standard library. A clause is a text: its literals, a space between them.
"""

from __future__ import annotations

from collections import defaultdict
from operator import neg
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Clause = str


def join_literals(literals: Iterable[int]) -> Clause:
    """Return the clause of some literals."""
    return " ".join(map(str, literals))


def at_most(most: int, literals: Sequence[int], fresh: Iterator[int]) -> Iterator[Clause]:
    """Yield a counter: the jth number of the ith literal is true if j of the first i literals are."""
    if most >= len(literals):
        return
    before: list[int] = []
    for literal in literals:
        if len(before) == most:
            yield join_literals([-literal, *map(neg, before[-1:])])
        if literal == literals[-1]:
            return
        counters = [next(fresh) for _ in range(min(most, len(before) + 1))]
        if counters:
            yield f"-{literal} {counters[0]}"
        for j, number in enumerate(before):
            yield f"-{number} {counters[j]}"
            if j + 1 < len(counters):
                yield f"-{literal} -{number} {counters[j + 1]}"
        before = counters


def at_most_sum(most: int, groups: Iterable[Sequence[tuple[int, int]]], fresh: Iterator[int]) -> Iterator[Clause]:
    """Yield a counter of numbers: a variable is true if the groups so far add a number or more.

    Each group has literals, and how much each adds if it is true; of several that are true the greatest counts.
    """
    before: dict[int, int] = {}  # by number
    for group in groups:
        implied: dict[int, list[Clause]] = defaultdict(list)  # by number, clauses that lack its variable
        for number, variable in before.items():
            implied[number].append(f"-{variable}")
        for amount, literal in group:
            implied[amount].append(f"-{literal}")
            for number, variable in before.items():
                implied[number + amount].append(f"-{variable} -{literal}")
        before = {}
        for number in sorted(implied):
            if number > most:
                yield from implied[number]
                continue
            before[number] = next(fresh)
            yield from (f"{clause} {before[number]}" for clause in implied[number])
