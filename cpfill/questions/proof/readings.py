"""Whether cpfill and the script read the files of a claim alike: one grid, one list of words, the same numbers.

cpfill folds letters and rounds numbers; the script compares code points and decimals. What the two read otherwise would
have one of them check another claim, so any difference is refused, and whatever is no plain letter of the alphabet.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.texts import say
from cpfill.puzzle.grid import BLOCK
from cpfill.questions.proof.fill_to_cnf import RefusedError, find_slots, read_cases, read_file, read_grids, read_words

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cpfill.base.alphabet import Alphabet
    from cpfill.problem.problem import Problem
    from cpfill.puzzle import grid as read_by_cpfill
    from cpfill.questions.proof import fill_to_cnf
    from cpfill.questions.proof.claim import Claim


class Reading(NamedTuple):
    """The files of a claim as the script reads them; the cases are those of every step."""

    grid: fill_to_cnf.Grid
    scores: Mapping[str, Decimal]
    fills: Sequence[fill_to_cnf.Grid]
    cases: Sequence[fill_to_cnf.Case]

    @classmethod
    def of(cls, claim: Claim, folder: Path) -> Reading:
        """Read the files.

        Raises:
            RefusedError: something is not as it is to be written.
            OSError, UnicodeDecodeError: a file cannot be read, or is no UTF-8.
        """
        grid, *others = read_grids(read_file(folder / claim.grid.name), claim.grid.name)
        if others:
            raise RefusedError(f"{claim.grid.name}: expected one grid, got {1 + len(others)}")
        fills = [] if claim.fill is None else read_grids(read_file(folder / claim.fill.name), claim.fill.name)
        files = dict.fromkeys(step.cases for step in claim.steps if step.cases is not None)
        cases = [case for file in files for case in read_cases(read_file(folder / file.name))]
        return cls(grid, read_words(read_file(folder / claim.words.name)), fills, cases)

    def differs_from(self, problem: Problem, claim: Claim) -> str | None:
        """Return where a problem that cpfill read from the files is not as the script read them, if anywhere."""
        asked = [claim.asked, *(step.asked for step in claim.steps)]
        return next(
            chain(
                _compare_cells(problem.grid, self.grid),
                _compare_slots(problem.grid, find_slots(self.grid, claim.asked.min_length, claim.asked.open)),
                _compare_words(problem, self.scores),
                *map(_compare_numbers, asked),
                self._find_foreign(asked, problem.grid.alphabet),
            ),
            None,
        )

    def _find_foreign(self, asked: Iterable[Namespace], alphabet: Alphabet) -> Iterator[str]:
        words = chain(*(each.required for each in asked), (one.word.replace(".", "") for one in chain(*self.cases)))
        filled = (letter for fill in self.fills for cell in fill.cells for letter in cell)
        for text in chain(words, filled):
            if alphabet.foreign(text):
                yield say("'{text}' is not over the alphabet {letters}", text=text, letters=alphabet.letters)


def _compare_cells(grid: read_by_cpfill.Grid, read: fill_to_cnf.Grid) -> Iterator[str]:
    if (grid.width, len(grid.cells)) != (read.width, len(read.cells)):
        yield say(
            "the grid has {cells} cells in rows of {width}, or {cells2} of {width2}",
            cells=len(read.cells),
            width=read.width,
            cells2=len(grid.cells),
            width2=grid.width,
        )
        return
    every = "".join(sorted(grid.alphabet.letters))
    for cell, (letters, there) in enumerate(zip(grid.cells, read.cells, strict=True)):
        mine: fill_to_cnf.Cell = () if letters == BLOCK else (grid.alphabet.members(letters),)
        mine = tuple(grid.rebus.get(cell, mine))
        if [*map(sorted, mine)] != [sorted(each or every) for each in there]:
            yield say(
                "{cell} is {there} to the script, {mine} to cpfill", cell=grid.name_cell(cell), there=there, mine=mine
            )


def _compare_slots(grid: read_by_cpfill.Grid, slots: Sequence[fill_to_cnf.Slot]) -> Iterator[str]:
    mine = {slot.name: (slot.cells, slot.length) for slot in grid.slots}
    there = {slot.name: (slot.cells, len(slot.places)) for slot in slots}
    if mine != there:
        yield say("the slot {value} is not the same", value=min((name for name, _ in mine.items() ^ there.items())))


def _compare_words(problem: Problem, scores: Mapping[str, Decimal]) -> Iterator[str]:
    for table in {slot.length: problem.lexicon.table(slot.length) for slot in problem.slots}.values():
        mine = {word: Decimal(repr(score)) for word, score in zip(table.words, table.scores, strict=True)}
        there = {word: score for word, score in scores.items() if len(word) == table.length}
        if mine != there:
            yield say(
                "the word {value} is not the same, or its score",
                value=min((word for word, _ in mine.items() ^ there.items())),
            )


def _compare_numbers(asked: Namespace) -> Iterator[str]:
    for number in (asked.min_score, asked.above, *asked.under):
        if number is not None and Decimal(repr(float(number))) != number:
            yield say("{number} is {number2!r} to cpfill", number=number, number2=float(number))
