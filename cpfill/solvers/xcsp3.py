"""Constraint networks (`.xml`) in XCSP3-core, the format of the solver competitions.

    c[p]     the index of the letter of place p in the alphabet, from 0
    w[s]     the number of the word in slot s: words of the shortest length first, then those of the next
    v[s]     the gain of the word in slot s, in whole units, if there is an objective
    b[k][s]  its cost in budget k

One table per slot links these variables.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from cpfill.problem.value import Criterion
from cpfill.solvers.statement import Statement, join_lines, join_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId
    from cpfill.solvers.statement import Choice, Most


def write_xcsp3(problem: Problem) -> str:
    return _Writer(Statement(problem)).write()


class _Writer:
    """Writes a statement in XCSP3."""

    def __init__(self, said: Statement) -> None:
        self._said = said
        sizes = map(len, said.ids.values())
        self._first = dict(zip(said.ids, accumulate(sizes, initial=0), strict=False))
        self._everyone = range(len(said.slots))
        self._sums = [limited for limited in said.most if not _counts(limited)]

    def write(self) -> str:
        kind = "COP" if self._said.criterion else "CSP"
        return join_lines(
            [
                f'<instance format="XCSP3" type="{kind}">',
                "<variables>",
                *self._list_arrays(),
                "</variables>",
                "<constraints>",
                *self._list_constraints(),
                "</constraints>",
                *self._list_objectives(),
                "</instance>",
            ]
        )

    def _list_arrays(self) -> Iterator[str]:
        said = self._said
        yield f'<array id="c" size="[{len(said.numbers)}]"> 0..{said.n_letters - 1} </array>'
        # A slot's domain, unlike its table, includes words that do not fit: ACE 2.6 fails at allDifferent over gaps.
        words = []
        for slot in said.slots:
            count = len(said.ids[slot.length])
            words.append(self._number(slot.id, range(count)))
        yield self._declare("w", words)
        if said.criterion:
            yield self._declare("v", map(dict.values, said.gains))
        for k, limited in enumerate(self._sums):
            yield self._declare(f"b{k}", map(partial(self._list_costs, limited), self._everyone))

    def _list_costs(self, limited: Most, slot: SlotId) -> list[int]:
        """Return the costs of the words of a slot in a sum."""
        return [limited.costs.get((slot, number), 0) for number in self._said.fitting[slot]]

    def _list_constraints(self) -> Iterator[str]:
        said = self._said
        for place, letter in said.alone.items():
            yield f"<intension> eq(c[{place}],{letter}) </intension>"
        yield from map(self._tabulate, self._everyone)
        if said.all_different:
            for group in said.groups:
                yield f"<allDifferent> {_list('w', group)} </allDifferent>"
        for limited in said.most:
            if _counts(limited):
                yield self._count(limited.costs, _compare("le", limited.limit))
        for k, limited in enumerate(self._sums):
            terms = _list(f"b{k}", self._everyone)
            yield f"<sum> <list> {terms} </list> {_compare('le', limited.limit)} </sum>"
        for choices in said.cover:
            yield self._count(choices, _compare("ge", 1))

    def _list_objectives(self) -> Iterator[str]:
        said = self._said
        if said.criterion:
            kind = "minimum" if said.criterion is Criterion.MIN else "sum"
            values = _list("v", self._everyone)
            yield f'<objectives> <maximize type="{kind}"> <list> {values} </list> </maximize> </objectives>'
            yield f"<!-- value = objective / {said.per_unit} -->"

    def _number(self, slot: int, numbers: Iterable[int]) -> list[int]:
        """Return the numbers of words counted over all lengths."""
        first = self._first[self._said.slots[slot].length]
        return [first + number for number in numbers]

    def _declare(self, name: str, values: Iterable[Iterable[int]]) -> str:
        """Return an array with a variable for each slot; one without values gets 0, because no domain may be empty."""
        same: dict[str, list[int]] = defaultdict(list)
        for slot, of_slot in enumerate(values):
            same[_describe_domain(of_slot)].append(slot)
        domains = []
        for domain, slots in same.items():
            domains.append(f'<domain for="{_list(name, slots)}"> {domain} </domain>')
        return f'<array id="{name}" size="[{len(self._said.slots)}]"> {" ".join(domains)} </array>'

    def _tabulate(self, slot: int) -> str:
        said = self._said
        numbers = said.fitting[slot]
        if not numbers:  # the format has no empty table
            return "<intension> lt(c[0],0) </intension>"
        names = ["w"]
        if said.criterion:
            names.append("v")
        names += map("b{}".format, range(len(self._sums)))
        variables = [f"{name}[{slot}]" for name in names]
        places = map(said.numbers.__getitem__, said.slots[slot].places)
        variables += map("c[{}]".format, places)
        rows = []
        for number, word in zip(numbers, self._number(slot, numbers), strict=True):
            row = self._list_row(slot, number, word)
            rows.append(f"({','.join(map(str, row))})")
        return f"<extension> <list> {' '.join(variables)} </list> <supports> {''.join(rows)} </supports> </extension>"

    def _list_row(self, slot: SlotId, number: int, word: int) -> list[int]:
        """Return the values of the variables of a slot that holds a word."""
        said = self._said
        row = [word]
        if said.criterion:
            row.append(said.gains[slot][number])
        row += [limited.costs.get((slot, number), 0) for limited in self._sums]
        row += said.spell(said.slots[slot], number)
        return row

    def _count(self, choices: Iterable[Choice], condition: str) -> str:
        """Return the constraint that the number of slots with one of these choices meets a condition."""
        made: dict[int, set[int]] = defaultdict(set)
        for slot, number in choices:
            made[slot].update(self._number(slot, [number]))
        if not made:
            return "<intension> lt(c[0],0) </intension>"
        values = join_numbers(sorted(set[int]().union(*made.values())))
        return f"<count> <list> {_list('w', made)} </list> <values> {values} </values> {condition} </count>"


def _describe_domain(values: Iterable[int]) -> str:
    """Return the different values of a variable in rising order, three or more in a row as a range."""
    found = sorted(set(values)) or [0]
    if found[-1] - found[0] == len(found) - 1 > 1:
        return f"{found[0]}..{found[-1]}"
    return join_numbers(found)


def _counts(limited: Most) -> bool:
    """Return whether a sum counts choices of which at most one may be made."""
    return limited.limit == 1 and set(limited.costs.values()) <= {1}


def _list(name: str, slots: Iterable[int]) -> str:
    return " ".join(f"{name}[{slot}]" for slot in slots)


def _compare(sign: str, number: int) -> str:
    return f"<condition> ({sign},{number}) </condition>"
