"""Writes "this grid has a fill from these words whose scores sum to more than VALUE" as a formula in OPB.

    python fill_to_opb.py grid.txt words.tsv VALUE [arguments] > formula.opb

It imports only the standard library and scripts beside it: `read_inputs.py` states the form of the inputs, and
`fill_to_cnf.py` which words fit a slot, and the variables x(s, w) and y(c, l). It takes --min-score, --repeats,
--min-length, --open, --required and --letter-values, and refuses any other argument.

Constraints, in this order; every variable is 0 or 1:
    V2  the scores sum to more than VALUE: Σ k score(w) x(s, w) >= ⌊k VALUE⌋ + 1, where k is the least power of ten that
        makes all k score(w) whole
    V6  instead, with --letter-values: those of all cells do: Σ k value(s, w) x(s, w) >= ⌊2 k (VALUE - given)⌋ + 1,
        where the letters of w add to value(s, w) their values, twice in a cell of no other slot; and `given` are the
        values of blocks, of cells in no slot, and of cells with several letters, whose letters add nothing to words; k
        makes all values of letters whole
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

if __package__:
    from cpfill.proofs import fill_to_cnf, read_inputs
else:  # the scripts stand side by side
    import fill_to_cnf  # type: ignore[import-not-found, no-redef]
    import read_inputs  # type: ignore[import-not-found, no-redef]

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import BinaryIO

_REFUSED = ("above", "no_shared", "at_most", "slots", "blocked", "cases", "letter_counts", "no_naticks", "tie")


class Row(NamedTuple):
    """A constraint: Σ coefficient · variable is `least`, or more unless it is `exact`."""

    terms: Sequence[tuple[int, int]]
    least: int
    exact: bool


class SumFormula:
    """The formula of the texts of grid.txt and words.tsv; `made` has the slots, words and variables."""

    def __init__(self, grid: str, words: str, value: str, arguments: Sequence[str] = ()) -> None:
        asked = read_inputs.read_arguments(arguments)
        usual = read_inputs.read_arguments([])
        for name in _REFUSED:
            if getattr(asked, name) != getattr(usual, name):
                raise read_inputs.RefusedError(f"expected no --{name.replace('_', '-')} with a sum")
        self.made = fill_to_cnf.Formula.read(grid, words, arguments)
        self.repeats = asked.repeats
        self.required: Sequence[str] = asked.required
        value_above = Fraction(read_inputs.read_arguments(["--above", value]).above)
        if asked.letter_values:
            worth = {letter: Fraction(each) for letter, each in asked.letter_values}
            self.scale = _find_scale(worth.values())
            self.gains = self._weigh_letters(worth)
            least = 2 * (value_above - self._add_given(worth))
        else:
            listed = read_inputs.read_words(words)
            scores = {word: Fraction(listed[word].score) for word in set().union(*self.made.words)}
            self.scale = _find_scale(scores.values())
            units = self._count_units(scores)
            self.gains = [list(map(units.__getitem__, among)) for among in self.made.words]
            least = value_above
        self._least = floor(least * self.scale) + 1

    def _count_units(self, values: Mapping[str, Fraction]) -> dict[str, int]:
        return {key: int(value * self.scale) for key, value in values.items()}

    def _weigh_letters(self, worth: Mapping[str, Fraction]) -> list[list[int]]:
        """Return the gain of each word of each slot, from the values of its letters."""
        grid, slots = self.made.grid, self.made.slots
        units = self._count_units(worth)
        gains: list[list[int]] = []
        weights = read_inputs.weigh_letters(grid, slots, range(len(grid.cells)))
        for among, of_slot in zip(self.made.words, weights, strict=True):
            gains.append([_add_up(word, of_slot, units) for word in among])
        return gains

    def _add_given(self, worth: Mapping[str, Fraction]) -> Fraction:
        """Return the values of blocks, and of the letters that add nothing to words."""
        grid = self.made.grid
        total = grid.cells.count(()) * worth.get("#", Fraction())
        for letter in read_inputs.list_given(grid, self.made.slots, range(len(grid.cells))):
            total += worth.get(letter, 0)
        return total

    def list_rows(self) -> Iterator[Row]:
        """Yield the constraints."""
        made = self.made
        total: list[tuple[int, int]] = []
        for first, gains in zip(made.first, self.gains, strict=True):
            total += [(gain, x) for x, gain in enumerate(gains, start=first)]
        yield Row(total, self._least, exact=False)
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


def _find_scale(values: Collection[Fraction]) -> int:
    """Return the least power of ten that makes some values whole."""
    scale = 1
    while any(scale % value.denominator for value in values):
        scale *= 10
    return scale


def _add_up(word: str, weights: Iterable[int], units: Mapping[str, int]) -> int:
    """Return the sum of the values of a word's letters, each as often as its place says."""
    total = 0
    for letter, weight in zip(word, weights, strict=True):
        total += weight * units.get(letter, 0)
    return total


def _write_row(row: Row) -> bytes:
    terms = "".join(f"{coefficient:+} x{variable} " for coefficient, variable in row.terms)
    return f"{terms}{'=' if row.exact else '>='} {row.least} ;\n".encode()


def main() -> None:
    """Write the formula to standard output; report refused input with exit code 2, other failures with 1."""
    try:
        if len(sys.argv) < 4:
            raise read_inputs.RefusedError("expected grid.txt words.tsv VALUE [arguments]")
        grid, words = (read_inputs.read_input(Path(name)) for name in sys.argv[1:3])
        SumFormula(grid, words, sys.argv[3], sys.argv[4:]).write(sys.stdout.buffer)
    except (OSError, ValueError) as error:
        print(f"fill_to_opb: {error}", file=sys.stderr)
        sys.exit(read_inputs.REFUSED if isinstance(error, ValueError) else 1)


if __name__ == "__main__":
    main()
