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
nothing else propagates, the latest first, for the variables that are open then.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


class Checker:
    """A formula, the clauses derived from it so far, and assumptions with all that was found to follow from them.

    A literal is a variable, or its negative number, and an index into lists from either end. A constraint whose
    coefficients are all 1 or -1 is kept as Σ literal >= least; its slack is the number of literals that are not false,
    minus `least`. Any other is kept as a sum.
    """

    def __init__(self, variables: int, rows: Sequence[str]) -> None:
        self._ids: list[tuple[int, int]] = [(0, 0)]  # by number: row and sign
        self._leasts: list[int] = []  # by row
        self._plain: list[list[int]] = [[] for _ in range(variables + 1)]  # by variable, the rows where its factor is 1
        self._others: list[list[tuple[int, int]]] = [[] for _ in range(variables + 1)]  # and others, with the factor
        self._literals: dict[int, list[int]] = {}  # by constraint
        self._slack: dict[int, int] = {}
        self._in: list[list[int]] = [[] for _ in range(2 * variables + 1)]  # by literal: constraints
        self._sums: dict[int, Sum] = {}
        self._seen: dict[int, int] = {}  # by sum: the number of assumptions under which it was looked at last
        self._latest = 0  # the last sum since the last clause: it is made for the next
        self._state = [0] * (2 * variables + 1)  # by literal: 1 if it is true, -1 if it is false
        self._trail: list[int] = []  # the literals that are true
        self._starts: list[int] = []  # where each assumption stands on it
        self._assumed: list[int] = []
        self._open: list[Sequence[int]] = [range(1, variables + 1)]  # by number of assumptions: contains all open ones
        self._dirty: list[int] = []  # constraints without slack
        self._failed: int | None = None  # the number of assumptions that contradict the constraints, if it is known
        for number, line in enumerate(rows, start=2):
            self._read(line, number)
        self.size = len(self._ids) - 1
        self._settle()

    def _read(self, line: str, number: int) -> None:
        match = _ROW.fullmatch(line)
        if not match:
            raise WrongError(f"formula, line {number}: expected a constraint")
        words = match[1].split()
        variables = [int(word[1:]) for word in words[1::2]]
        factors = list(map(int, words[::2]))
        if len(set(variables)) < len(variables) or max(variables, default=0) >= len(self._plain):
            raise WrongError(f"formula, line {number}: expected each variable once, and no other than the header says")
        terms = list(zip(variables, factors, strict=True))
        self._note(terms, int(match[3]))
        self._take(terms, 1)
        if match[2] == "=":
            self._take(terms, -1)

    def _note(self, terms: Sequence[tuple[int, int]], least: int) -> None:
        """Note a row of the formula at its variables."""
        row = len(self._leasts)
        self._leasts.append(least)
        for variable, factor in terms:
            if factor == 1:
                self._plain[variable].append(row)
            else:
                self._others[variable].append((row, factor))

    def _take(self, terms: Sequence[tuple[int, int]], sign: int) -> None:
        """Take the last row as a constraint; with the sign -1, that it is at most what it is at least."""
        row = len(self._leasts) - 1
        self._ids.append((row, sign))
        if any(factor not in {1, -1} for _, factor in terms):
            self.add_sum(self._last, {self._last: 1})
            return
        literals = [variable * factor * sign for variable, factor in terms]
        self._add(self._last, literals, self._leasts[row] * sign + sum(literal < 0 for literal in literals))

    @property
    def _last(self) -> int:
        return len(self._ids) - 1

    def _add(self, id_: int, literals: list[int], least: int) -> None:
        self._literals[id_] = literals
        self._slack[id_] = sum(self._state[literal] >= 0 for literal in literals) - least
        for literal in literals:
            self._in[literal].append(id_)
        self._dirty.append(id_)

    def add_sum(self, id_: int, factors: dict[int, int]) -> None:
        """Take a sum of constraints of the formula, each by number with a positive factor."""
        by_row: dict[int, int] = {}
        for number, factor in factors.items():
            row, sign = self._ids[number]
            by_row[row] = by_row.get(row, 0) + sign * factor
        self._sums[id_] = Sum(by_row, sum(factor * self._leasts[row] for row, factor in by_row.items()))
        self._latest = id_
        if not self._assumed:
            self._look_at([id_])

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
        self._add(id_, literals, 1)
        self._settle()
        return not literals

    def drop(self, id_: int) -> None:
        """Drop a derived constraint."""
        if id_ <= self.size:
            raise WrongError(f"constraint {id_} is of the formula")
        if id_ in self._sums:
            del self._sums[id_]
            self._seen.pop(id_, None)
        elif id_ in self._literals:
            for literal in self._literals.pop(id_):
                self._in[literal].remove(id_)
        else:
            raise WrongError(f"constraint {id_} is not there to be deleted")

    def _return_to(self, assumptions: int) -> None:
        """Take back all assumptions but the first ones."""
        if len(self._assumed) <= assumptions:
            return
        if self._failed is not None and self._failed > assumptions:
            self._failed = None
        start = self._starts[assumptions]
        state = self._state
        slack = self._slack
        for literal in self._trail[start:]:
            state[literal] = state[-literal] = 0
            for id_ in self._in[-literal]:
                slack[id_] += 1
        del self._trail[start:], self._starts[assumptions:], self._assumed[assumptions:], self._open[assumptions + 1 :]
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
        self._starts.append(len(self._trail))
        self._assumed.append(literal)
        self._open.append(self._open[-1])
        self._make_true(literal)
        self._settle()

    def _make_true(self, literal: int) -> None:
        state = self._state
        if state[literal]:
            if state[literal] < 0:
                self._failed = len(self._assumed)
            return
        state[literal] = 1
        state[-literal] = -1
        self._trail.append(literal)
        slack = self._slack
        for id_ in self._in[-literal]:
            left = slack[id_] - 1
            slack[id_] = left
            if left < 1:
                self._dirty.append(id_)

    def _settle(self) -> None:
        """Propagate all constraints but sums; note a contradiction."""
        state = self._state
        dirty = self._dirty
        while dirty and self._failed is None:
            id_ = dirty.pop()
            slack = self._slack[id_]
            if slack < 0:
                self._failed = len(self._assumed)
            elif slack == 0:
                for literal in self._literals[id_]:
                    if not state[literal]:
                        self._make_true(literal)
        dirty.clear()

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
        by_row = [0] * len(self._leasts)
        for row, factor in derived.factors.items():
            by_row[row] = factor
        totals = self._add_up(by_row, self._open[-1])
        true = [literal for literal in self._trail if literal > 0]
        slack = sum(total for total, _ in self._add_up(by_row, true)) - derived.least
        slack += sum(max(total, 0) for total, _ in totals)
        if slack < 0:
            self._failed = len(self._assumed)
            return []
        return _list_dear(totals, slack)

    def _add_up(self, by_row: Sequence[int], variables: Iterable[int]) -> list[tuple[int, int]]:
        """Return the coefficient of each of some variables in a sum of rows, and the variable."""
        totals: list[tuple[int, int]] = []
        plain = self._plain
        others = self._others
        for variable in variables:
            total = 0
            for row in plain[variable]:
                total += by_row[row]
            for row, factor in others[variable]:
                total += by_row[row] * factor
            totals.append((total, variable))
        return totals


def _list_dear(totals: Sequence[tuple[int, int]], slack: int) -> list[int]:
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
