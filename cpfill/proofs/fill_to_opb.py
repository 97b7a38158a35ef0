"""Writes "this grid has a fill from these words whose scores sum to more than VALUE" as a formula in OPB.

    python fill_to_opb.py grid.txt words.tsv VALUE [arguments] > formula.opb

It imports only the standard library and `fill_to_cnf.py`, which stands beside it and states how it reads the two files,
which words fit a slot, and the variables x(s, w) and y(c, l). It takes the arguments --min-score, --repeats,
--min-length, --open and --required of that script, and refuses any other.

Constraints, in this order; every variable is 0 or 1:
    V2  the scores sum to more than VALUE: Σ k score(w) x(s, w) >= ⌊k VALUE⌋ + 1, where k is the least power of ten that
        makes all k score(w) whole
    C2  a slot holds one word: Σ x(s, w) = 1, slot by slot
    C1  a slot and its cells agree: Σ x(s, w) - y(c, l) = 0, over the words of s with l in c; slot by slot, for each
        cell of one letter, for each letter of the cell
        such a cell has one letter: Σ y(c, l) = 1, cell by cell
    C3  a word stands in at most one slot, unless --repeats: Σ -x(s, w) >= -1, for each word that fits several; rising
    C7  each word of --required stands in a slot: Σ x(s, w) >= 1
"""

from __future__ import annotations

import sys
from collections import defaultdict
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if __name__ == "__main__":  # the scripts stand side by side
    import fill_to_cnf as base  # type: ignore[import-not-found]
else:
    from cpfill.proofs import fill_to_cnf as base

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

_REFUSED = ("above", "no_shared", "at_most", "slots", "blocked", "cases")


class Row(NamedTuple):
    """A constraint: Σ coefficient · variable is `least`, or more unless it is `exact`."""

    terms: Sequence[tuple[int, int]]
    least: int
    exact: bool


class SumFormula:
    """The formula of the texts of grid.txt and words.tsv; `made` has the slots, words and variables."""

    def __init__(self, grid: str, words: str, value: str, arguments: Sequence[str] = ()) -> None:
        asked = base.read_arguments(arguments)
        for name in _REFUSED:
            if getattr(asked, name):
                raise base.RefusedError(f"expected no --{name.replace('_', '-')} with a sum")
        self.made = base.Formula.read(grid, words, arguments)
        self.repeats = asked.repeats
        self.required: Sequence[str] = asked.required
        self._value = Fraction(base.read_arguments(["--above", value]).above)
        listed = base.read_words(words)
        scores = {word: Fraction(listed[word].score) for word in set().union(*self.made.words)}
        self.scale = 1
        while any(self.scale % score.denominator for score in scores.values()):
            self.scale *= 10
        units = {word: int(score * self.scale) for word, score in scores.items()}
        self.gains = [list(map(units.__getitem__, among)) for among in self.made.words]

    def list_rows(self) -> Iterator[Row]:
        """Yield the constraints."""
        made = self.made
        total: list[tuple[int, int]] = []
        for first, gains in zip(made.first, self.gains, strict=True):
            total += [(gain, x) for x, gain in enumerate(gains, start=first)]
        yield Row(total, floor(self._value * self.scale) + 1, exact=False)
        for first, among in zip(made.first, made.words, strict=True):
            yield Row([(1, x) for x in range(first, first + len(among))], 1, exact=True)
        for s in range(len(made.slots)):
            yield from self._list_agreements(s)
        for numbers in made.letters.values():
            yield Row([(1, y) for y in numbers.values()], 1, exact=True)
        if not self.repeats:
            yield from self._tell_apart()
        yield from map(self._place, self.required)

    def _place(self, word: str) -> Row:
        """Return the constraint that a word stands in some slot."""
        slots = zip(self.made.first, self.made.words, strict=True)
        return Row([(1, first + among.index(word)) for first, among in slots if word in among], 1, exact=False)

    def _list_agreements(self, s: int) -> Iterator[Row]:
        """C1 of one slot."""
        for at, (cell, _) in enumerate(self.made.slots[s].places):
            if cell is None:
                continue
            having: dict[str, list[tuple[int, int]]] = {letter: [] for letter in self.made.letters[cell]}
            for x, word in enumerate(self.made.words[s], start=self.made.first[s]):
                having[word[at]].append((1, x))
            for letter, y in self.made.letters[cell].items():
                yield Row([*having[letter], (-1, y)], 0, exact=True)

    def _tell_apart(self) -> Iterator[Row]:
        """C3."""
        holding: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for first, among in zip(self.made.first, self.made.words, strict=True):
            for x, word in enumerate(among, start=first):
                holding[word].append((-1, x))
        for word in sorted(holding):
            if len(holding[word]) > 1:
                yield Row(holding[word], -1, exact=False)

    def write(self, stream: BinaryIO) -> tuple[int, int]:
        """Write the formula; return the numbers of variables and constraints, an equation counted once."""
        lines = [_write_row(row) for row in self.list_rows()]
        variables = sum(map(len, self.made.words)) + sum(map(len, self.made.letters.values()))
        stream.write(f"* #variable= {variables} #constraint= {len(lines)}\n".encode())
        stream.writelines(lines)
        return variables, len(lines)


def _write_row(row: Row) -> bytes:
    terms = "".join(f"{coefficient:+} x{variable} " for coefficient, variable in row.terms)
    return f"{terms}{'=' if row.exact else '>='} {row.least} ;\n".encode()


def main() -> None:
    """Write the formula to standard output; report refused input with exit code 2, other failures with 1."""
    try:
        if len(sys.argv) < 4:
            raise base.RefusedError("expected grid.txt words.tsv VALUE [arguments]")
        grid, words = (base.read_input(Path(name)) for name in sys.argv[1:3])
        SumFormula(grid, words, sys.argv[3], sys.argv[4:]).write(sys.stdout.buffer)
    except (OSError, ValueError) as error:
        print(f"fill_to_opb: {error}", file=sys.stderr)
        sys.exit(base.REFUSED if isinstance(error, ValueError) else 1)


if __name__ == "__main__":
    main()
