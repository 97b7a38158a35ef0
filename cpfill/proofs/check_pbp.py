"""Checks that a formula in OPB has no solution, by a proof in the format of VeriPB 3.

    python check_pbp.py formula.opb proof.pbp

It imports only the standard library, and counts in whole numbers of any size. It says `s VERIFIED UNSATISFIABLE` with
exit code 0, or `s NOT VERIFIED` with 1 and the fault. Any proof that it accepts VeriPB accepts too, as far as its steps
are sound: a step is taken only if it follows from the formula.

The formula has a constraint a line: `+2 x1 -3 x2 >= 1 ;`, or `=`, which counts as two. The proof has a step a line:

    pol 1 2 * 7 +     twice constraint 1 plus constraint 7, and so on: constraints of the formula, each with a factor
    rup 1 ~x1 1 x2 >= 1    not x1 or x2: if not, unit propagation over all constraints so far ends in a contradiction
    del id 9 10       the steps 9 and 10 are no longer used

Constraints are numbered from 1: those of the formula (an equation takes two numbers, >= and <=), then each pol and rup.
A clause is assumed false literal by literal, in its order. The assumptions that it shares with the last clause, and all
that follows from them, are kept; so clauses should come in the order of a search. What pol derives is looked at when
nothing else propagates, for the variables that are open then: for the next clause, and again under the assumptions that
are kept after it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

HEADER = "pseudo-Boolean proof version 3.0"
_ROW = re.compile(r"((?:[+-]?[0-9]++ x[1-9][0-9]*+ )*+)(>=|=) ([+-]?[0-9]++) ;")
_SUM = re.compile(r"pol [1-9][0-9]*+(?: [1-9][0-9]*+ \*)?(?: [1-9][0-9]*+(?: [1-9][0-9]*+ \*)? \+)*+ ;")
_CLAUSE = re.compile(r"rup ((?:1 ~?x[1-9][0-9]*+ )*+)>= 1 ;")
_DELETION = re.compile(r"del id(?: [1-9][0-9]*+)++ ;")


class WrongError(ValueError):
    """The proof does not show what it should."""


class Sum(NamedTuple):
    """What a pol step derives: Σ factor · row >= least, with a factor for each row of the formula, maybe negative."""

    factors: dict[int, int]
    least: int


class _Count:
    """Two or more literals: any of them is true, or all but one are. `pick` returns their values from a state."""

    __slots__ = ("literals", "pick", "watched")

    def __init__(self, literals: Sequence[int], watched: list[int]) -> None:
        self.literals = literals
        self.pick: Callable[[Sequence[int]], tuple[int, ...]] = itemgetter(*literals)
        self.watched = watched


class Checker:
    """A formula, the clauses derived from it so far, and assumptions with all that was found to follow from them.

    A literal is a variable, or its negative number, and an index into lists from either end. A constraint whose
    coefficients are all 1 or -1 asks for a number of true literals. If that is all but one, each literal is watched; if
    it is one, two literals are. Any other constraint is a sum.
    """

    def __init__(self, variables: int, rows: Sequence[str]) -> None:
        self._ids: list[tuple[int, int]] = [(0, 0)]  # by number: row and sign
        self._leasts: list[int] = []  # by row
        self._multiples: list[dict[int, int]] = []  # by row: for each factor in it, its place among all such pairs
        self._places: list[list[int]] = [[0, 0] for _ in range(variables + 1)]  # by variable; two more, of no row
        self._size_places = 1
        self._tight: list[list[_Count]] = [[] for _ in range(2 * variables + 1)]  # by literal: all but one are true
        self._loose: list[list[_Count]] = [[] for _ in range(2 * variables + 1)]  # by watched literal: any is true
        self._derived: dict[int, _Count | None] = {}  # by number; a clause of one literal needs no watching
        self._sums: dict[int, Sum] = {}
        self._seen: dict[int, int] = {}  # by sum: the number of assumptions under which it was looked at last
        self._latest = 0  # the last sum since the last clause: it is made for the next
        self._state = [0] * (2 * variables + 1)  # by literal: 1 if it is true, -1 if it is false
        self._trail: list[int] = []  # the literals that are true
        self._held: list[int] = []  # the variables that are true
        self._settled = 0  # the literals of the trail that were propagated
        self._starts: list[tuple[int, int]] = []  # where each assumption stands on both
        self._assumed: list[int] = []
        self._open: list[Sequence[int]] = [range(1, variables + 1)]  # by number of assumptions: contains all open ones
        self._failed: int | None = None  # the number of assumptions that contradict the constraints, if it is known
        for number, line in enumerate(rows, start=2):
            self._read(line, number)
        self._pick = [itemgetter(*places) for places in self._places]
        self.size = len(self._ids) - 1
        self._look_at(list(self._sums))

    def _read(self, line: str, number: int) -> None:
        match = _ROW.fullmatch(line)
        if not match:
            raise WrongError(f"formula, line {number}: expected a constraint")
        words = match[1].split()
        variables = [int(word[1:]) for word in words[1::2]]
        factors = list(map(int, words[::2]))
        if len(set(variables)) < len(variables) or max(variables, default=0) >= len(self._places):
            raise WrongError(f"formula, line {number}: expected each variable once, and no other than the header says")
        terms = list(zip(variables, factors, strict=True))
        self._note(terms, int(match[3]))
        self._take(terms, 1)
        if match[2] == "=":
            self._take(terms, -1)

    def _note(self, terms: Sequence[tuple[int, int]], least: int) -> None:
        """Note a row of the formula, and the place of its factor at each variable."""
        self._leasts.append(least)
        places: dict[int, int] = {}
        for variable, factor in terms:
            if factor not in places:
                places[factor] = self._size_places
                self._size_places += 1
            self._places[variable].append(places[factor])
        self._multiples.append(places)

    def _take(self, terms: Sequence[tuple[int, int]], sign: int) -> None:
        """Take the last row as a constraint; with the sign -1, that it is at most what it is at least."""
        row = len(self._leasts) - 1
        self._ids.append((row, sign))
        literals = [variable * factor * sign for variable, factor in terms]
        least = self._leasts[row] * sign + sum(literal < 0 for literal in literals)
        plain = all(factor in {1, -1} for _, factor in terms)
        if plain and (least <= 1 or least + 1 >= len(literals)):
            self._count(literals[::-1], least)  # a letter, which is false for many words at once, is watched
        else:
            self._sums[self._last] = Sum({row: sign}, sign * self._leasts[row])

    @property
    def _last(self) -> int:
        return len(self._ids) - 1

    def _count(self, literals: list[int], least: int) -> _Count | None:
        """Take the constraint that so many literals are true: at most one, or all of them, or all but one."""
        state = self._state
        count = None
        if 0 < least < len(literals):
            count = _Count(literals, literals)
            watching = self._tight
            if len(literals) > least + 1:
                count.watched = sorted(literals, key=lambda literal: state[literal] < 0)[:2]
                watching = self._loose
            for literal in count.watched:
                watching[literal].append(count)
        left = [literal for literal in literals if state[literal] >= 0]
        if len(left) < least:
            self._failed = len(self._assumed)
        elif len(left) == least:
            for literal in left:
                self._make_true(literal)
        return count

    def add_sum(self, id_: int, factors: dict[int, int]) -> None:
        """Take a sum of constraints of the formula, each by number with a positive factor."""
        by_row: dict[int, int] = {}
        for number, factor in factors.items():
            row, sign = self._ids[number]
            by_row[row] = by_row.get(row, 0) + sign * factor
        self._sums[id_] = Sum(by_row, sum(factor * self._leasts[row] for row, factor in by_row.items()))
        self._latest = id_

    def add_clause(self, id_: int, literals: list[int]) -> bool:
        """Check a clause, and take it; return whether it is empty."""
        self._look_at([id_ for id_ in self._sums if id_ not in self._seen and id_ != self._latest])
        self._assume_false(literals)
        if self._latest in self._sums:
            self._look_at([self._latest])
        while self._failed is None and self._look_at(self._sums):
            pass
        if self._failed is None:
            raise WrongError(f"constraint {id_} does not follow by propagation")
        self._latest = 0
        self._return_to(max(0, len(literals) - 1))
        self._derived[id_] = self._count(literals[::-1], 1)  # the last literals open first: they are watched
        self._settle()
        return not literals

    def drop(self, id_: int) -> None:
        """Drop a derived constraint."""
        if id_ <= self.size:
            raise WrongError(f"constraint {id_} is of the formula")
        if id_ in self._sums:
            del self._sums[id_]
            self._seen.pop(id_, None)
        elif id_ in self._derived:
            self._unwatch(self._derived.pop(id_))
        else:
            raise WrongError(f"constraint {id_} is not there to be deleted")

    def _unwatch(self, count: _Count | None) -> None:
        if count is not None:
            watching = self._loose if len(count.watched) < len(count.literals) else self._tight
            for literal in count.watched:
                watching[literal].remove(count)

    def _return_to(self, assumptions: int) -> None:
        """Take back all assumptions but the first ones."""
        if len(self._assumed) <= assumptions:
            return
        if self._failed is not None and self._failed > assumptions:
            self._failed = None
        start, held = self._starts[assumptions]
        state = self._state
        for literal in self._trail[start:]:
            state[literal] = state[-literal] = 0
        del self._trail[start:], self._held[held:]
        del self._starts[assumptions:], self._assumed[assumptions:], self._open[assumptions + 1 :]
        self._settled = min(self._settled, start)
        self._seen = {id_: depth for id_, depth in self._seen.items() if depth <= assumptions}

    def _assume_false(self, literals: Sequence[int]) -> None:
        """Assume all literals of a clause false, and nothing else; keep the assumptions shared with the last clause."""
        kept = 0
        while kept < min(len(literals), len(self._assumed)) and self._assumed[kept] == -literals[kept]:
            kept += 1
        self._return_to(kept)
        for literal in literals[kept:]:
            self._assume(-literal)

    def _assume(self, literal: int) -> None:
        if self._failed is not None:
            return
        self._starts.append((len(self._trail), len(self._held)))
        self._assumed.append(literal)
        self._open.append(self._open[-1])
        self._make_true(literal)
        self._settle()

    def _make_true(self, literal: int) -> None:
        state = self._state
        if not state[literal]:
            state[literal] = 1
            state[-literal] = -1
            self._trail.append(literal)
            if literal > 0:
                self._held.append(literal)
        elif state[literal] < 0:
            self._failed = len(self._assumed)

    def _make_others_true(self, count: _Count, false: int) -> None:
        for literal in count.literals:
            if self._state[literal] < 1 and literal != false:
                self._make_true(literal)

    def _settle(self) -> None:
        """Propagate all constraints but sums; note a contradiction."""
        trail = self._trail
        state = self._state
        while self._settled < len(trail) and self._failed is None:
            false = -trail[self._settled]
            self._settled += 1
            for count in self._tight[false]:
                if sum(count.pick(state)) < len(count.literals) - 2:
                    self._make_others_true(count, false)
            if self._loose[false]:
                self._loose[false] = [count for count in self._loose[false] if self._keep(count, false)]

    def _keep(self, count: _Count, false: int) -> bool:
        """Return whether a literal that became false is watched on: there is no other to watch, or one is true."""
        state = self._state
        literals = count.literals
        first, second = count.watched
        other = second if first == false else first
        if state[other] > 0:
            return True
        if sum(count.pick(state)) - state[other] == 1 - len(literals):  # all but the other one are false
            self._make_true(other)
            return True
        found = next(literal for literal in literals if state[literal] >= 0 and literal != other)
        count.watched = [other, found]
        self._loose[found].append(count)
        return False

    def _look_at(self, sums: Iterable[int]) -> bool:
        """Propagate some sums in order; return whether any literal was new."""
        before = len(self._trail)
        for id_ in list(sums):
            if self._failed is None:
                self._seen.setdefault(id_, len(self._assumed))
                for literal in self._imply(self._sums[id_]):
                    self._make_true(literal)
                self._settle()
        return len(self._trail) > before

    def _imply(self, derived: Sum) -> list[int]:
        """Return the literals that a sum implies under the current values; note a contradiction."""
        self._open[-1] = [variable for variable in self._open[-1] if not self._state[variable]]
        values = [0] * self._size_places
        for row, times in derived.factors.items():
            for factor, place in self._multiples[row].items():
                values[place] = times * factor
        totals = self._add_up(values, self._open[-1])
        slack = sum(self._add_up(values, self._held)) - derived.least
        slack += sum(total for total in totals if total > 0)
        if slack < 0:
            self._failed = len(self._assumed)
            return []
        if max(totals, default=0) <= slack and -min(totals, default=0) <= slack:
            return []
        return _list_dear(zip(totals, self._open[-1], strict=True), slack)

    def _add_up(self, values: Sequence[int], variables: Iterable[int]) -> list[int]:
        """Return the coefficient of each of some variables in a sum of rows, by the values of places."""
        return [sum(pick(values)) for pick in map(self._pick.__getitem__, variables)]


def _list_dear(totals: Iterable[tuple[int, int]], slack: int) -> list[int]:
    """Return the literals that must be true: with any of them false, a sum would lose more than its slack."""
    literals: list[int] = []
    for total, variable in totals:
        if total > slack:
            literals.append(variable)
        elif -total > slack:
            literals.append(-variable)
    return literals


def check_refutation(formula: Sequence[str], proof: Iterable[str]) -> None:
    """Check a proof.

    Raises:
        WrongError: a step does not follow, or the proof does not end with the empty clause.
    """
    header, *rows = formula
    said = re.fullmatch(r"\* #variable= ([0-9]{1,9}) #constraint= [0-9]+", header)
    if not said:
        raise WrongError("formula, line 1: expected a header")
    variables = int(said[1])
    checker = Checker(variables, rows)
    steps = iter(proof)
    for line in (HEADER, f"f {checker.size} ;"):
        if next(steps, None) != line:
            raise WrongError(f"proof: expected '{line}'")
    last = checker.size
    empty = False
    while not empty:
        line = next(steps, "")
        if line.startswith("del "):
            for number in _read_numbers(line):
                checker.drop(number)
            continue
        last += 1
        if line.startswith("pol "):
            checker.add_sum(last, _read_sum(line, checker.size))
        else:
            empty = checker.add_clause(last, _read_clause(line, variables))
    if list(steps) != ["output NONE ;", f"conclusion UNSAT : {last} ;", "end pseudo-Boolean proof ;"]:
        raise WrongError("proof: expected its end after the empty clause")


def _read_sum(line: str, size: int) -> dict[int, int]:
    if not _SUM.fullmatch(line):
        raise WrongError(f"proof: expected a sum of constraints, got '{line[:60]}'")
    factors: Counter[int] = Counter()
    numbers: list[int] = []
    for word in line.split(" ")[1:-1]:
        if word == "*":
            factor = numbers.pop()
            factors[numbers.pop()] += factor
        elif word != "+":
            numbers.append(int(word))
    factors.update(numbers)  # the constraints without a factor
    if max(factors) > size:
        raise WrongError(f"constraint {max(factors)} is not of the formula")
    return factors


def _read_clause(line: str, variables: int) -> list[int]:
    match = _CLAUSE.fullmatch(line)
    if not match:
        raise WrongError(f"proof: expected pol, rup or del, got '{line[:60]}'")
    literals = [int(word.replace("~x", "-").replace("x", "")) for word in match[1].split()[1::2]]
    if len(set(map(abs, literals))) < len(literals) or max(map(abs, literals), default=0) > variables:
        raise WrongError(f"proof: expected variables of the formula, each once, got '{line[:60]}'")
    return literals


def _read_numbers(line: str) -> list[int]:
    if not _DELETION.fullmatch(line):
        raise WrongError(f"proof: expected numbers to be deleted, got '{line[:60]}'")
    return list(map(int, line.split()[2:-1]))


def main() -> None:
    """Check the two files; report what is wrong."""
    try:
        formula, proof = (Path(name).read_text(encoding="ascii").splitlines() for name in sys.argv[1:])
        check_refutation(formula, proof)
    except (OSError, ValueError) as error:
        print(f"s NOT VERIFIED\ncheck_pbp: {error}")
        sys.exit(1)
    print("s VERIFIED UNSATISFIABLE")


if __name__ == "__main__":
    main()
