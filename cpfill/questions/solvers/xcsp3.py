"""Constraint networks in XCSP3-core (`.xml`), the format of the solver competitions.

    c[p]   the letter of place p, as its place in the alphabet, from 0 (`statement`)
    w[s]   the number of the word in slot s: words of the shortest length first, then those of the next
    v[s]   the gain of the word in slot s, in whole units, if there is an objective
    b[k][s]  its cost in budget k

One table per slot links these variables.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING

from cpfill.problem.problem import Criterion
from cpfill.questions.solvers.statement import Statement

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cpfill.problem.problem import Problem
    from cpfill.questions.solvers.statement import Choice, Most


def write_xcsp3(problem: Problem) -> str:
    """Return the text of an XCSP3 file.

    Raises:
        InputError: as `Statement`.
    """
    return _Writer(Statement(problem)).write()


class _Writer:
    def __init__(self, said: Statement) -> None:
        self._said = said
        sizes = [len(ids) for ids in said.ids.values()]
        self._first = dict(zip(said.ids, accumulate(sizes, initial=0), strict=False))
        self._sums = [each for each in said.most if not _counts(each)]

    def write(self) -> str:
        said = self._said
        slots = said.slots
        constraints = [f"<intension> eq(c[{place}],{letter}) </intension>" for place, letter in said.alone.items()]
        constraints += [self._tabulate(slot) for slot in range(len(slots))]
        if said.all_different:
            constraints += [f"<allDifferent> {_list('w', group)} </allDifferent>" for group in said.groups]
        constraints += [self._count(each.costs, _compare("le", each.limit)) for each in said.most if _counts(each)]
        constraints += [
            f"<sum> <list> {_list(f'b{k}', range(len(slots)))} </list> {_compare('le', each.limit)} </sum>"
            for k, each in enumerate(self._sums)
        ]
        constraints += [self._count(dict.fromkeys(choices, 1), _compare("ge", 1)) for choices in said.cover]
        arrays = [f'<array id="c" size="[{len(said.numbers)}]"> 0..{said.n_letters - 1} </array>']
        # A slot's domain, unlike its table, includes words that do not fit: ACE 2.6 fails at allDifferent over gaps.
        arrays.append(self._declare("w", [self._number(slot.id, range(len(said.ids[slot.length]))) for slot in slots]))
        if said.criterion:
            arrays.append(self._declare("v", [gains.values() for gains in said.gains]))
        for k, each in enumerate(self._sums):
            costs = [[each.costs.get((slot.id, n), 0) for n in said.fitting[slot.id]] for slot in slots]
            arrays.append(self._declare(f"b{k}", costs))
        lines = [f'<instance format="XCSP3" type="{"COP" if said.criterion else "CSP"}">']
        lines += ["<variables>", *arrays, "</variables>", "<constraints>", *constraints, "</constraints>"]
        if said.criterion:
            kind = "minimum" if said.criterion is Criterion.MIN else "sum"
            values = _list("v", range(len(slots)))
            lines.append(f'<objectives> <maximize type="{kind}"> <list> {values} </list> </maximize> </objectives>')
            lines.append(f"<!-- value = objective / {said.per_unit} -->")
        return "".join(f"{line}\n" for line in (*lines, "</instance>"))

    def _number(self, slot: int, numbers: Iterable[int]) -> list[int]:
        """Return the numbers of words counted over all lengths."""
        first = self._first[self._said.slots[slot].length]
        return [first + number for number in numbers]

    def _declare(self, name: str, values: Iterable[Iterable[int]]) -> str:
        """Return an array with a variable for each slot; one without values gets 0, because no domain may be empty."""
        same: dict[str, list[int]] = defaultdict(list)
        for slot, each in enumerate(values):
            found = sorted(set(each)) or [0]
            whole = found[-1] - found[0] == len(found) - 1 > 1
            same[f"{found[0]}..{found[-1]}" if whole else " ".join(map(str, found))].append(slot)
        domains = [f'<domain for="{_list(name, slots)}"> {values} </domain>' for values, slots in same.items()]
        return f'<array id="{name}" size="[{len(self._said.slots)}]"> {" ".join(domains)} </array>'

    def _tabulate(self, slot: int) -> str:
        said = self._said
        numbers = said.fitting[slot]
        if not numbers:  # the format has no empty table
            return "<intension> lt(c[0],0) </intension>"
        variables = [f"w[{slot}]", *([f"v[{slot}]"] if said.criterion else [])]
        variables += [f"b{k}[{slot}]" for k in range(len(self._sums))]
        variables += [f"c[{said.numbers[place]}]" for place in said.slots[slot].places]
        rows = []
        for number, word in zip(numbers, self._number(slot, numbers), strict=True):
            row = [word, *([said.gains[slot][number]] if said.criterion else [])]
            row += [each.costs.get((slot, number), 0) for each in self._sums]
            row += said.spell(said.slots[slot], number)
            rows.append(f"({','.join(map(str, row))})")
        return f"<extension> <list> {' '.join(variables)} </list> <supports> {''.join(rows)} </supports> </extension>"

    def _count(self, choices: Iterable[Choice], condition: str) -> str:
        """Return the constraint that the number of slots with one of these choices meets a condition."""
        made: dict[int, set[int]] = defaultdict(set)
        for slot, number in choices:
            made[slot].update(self._number(slot, [number]))
        if not made:
            return "<intension> lt(c[0],0) </intension>"
        values = " ".join(map(str, sorted(set[int]().union(*made.values()))))
        return f"<count> <list> {_list('w', made)} </list> <values> {values} </values> {condition} </count>"


def _counts(limited: Most) -> bool:
    """Return whether a sum counts choices of which at most one may be made."""
    return limited.limit == 1 and set(limited.costs.values()) <= {1}


def _list(name: str, slots: Iterable[int]) -> str:
    return " ".join(f"{name}[{slot}]" for slot in slots)


def _compare(sign: str, number: int) -> str:
    return f"<condition> ({sign},{number}) </condition>"
