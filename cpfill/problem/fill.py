"""A fill: the letters of a grid, immutable."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Self

from cpfill.problem.problem import Criterion
from cpfill.puzzle.drawing import Pictured
from cpfill.puzzle.grid import split_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.problem.problem import Problem, Value
    from cpfill.puzzle.drawing.paint import Diagram
    from cpfill.puzzle.grid import Grid, Slot


class Change(NamedTuple):
    """A slot that was refilled: its old letters, with `?` for each empty cell, and the new ones."""

    slot: Slot
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.slot.name}: {self.old} → {self.new}"


@dataclass(frozen=True, slots=True)
class Fill(Pictured):
    """The letters of a grid, one string per cell in row-major order: several letters for a rebus cell, "" for a block.

    Fills are equal if their letters are. `print` shows the rows; a notebook draws them.
    """

    letters: tuple[str, ...]
    grid: Grid = field(compare=False)

    @classmethod
    def of_words(cls, problem: Problem, words: Sequence[int]) -> Self:
        """Return the fill that these word ids spell, one id per slot in the order of the slots.

        A cell in no slot holds the first letter of its letter set. If two words disagree on a cell, the later slot
        overwrites the earlier one; the audit detects it.
        """
        grid = problem.grid
        letters = list(grid.first_letters)
        for slot, table, word in zip(problem.slots, problem.tables, words, strict=True):
            for (cell, _), letter in zip(slot.places, table.words[word], strict=True):
                if cell not in grid.rebus:
                    letters[cell] = letter
        return cls(tuple(letters), grid)

    @classmethod
    def of_grid(cls, grid: Grid) -> Self:
        """Return the fill that the givens form; an open cell without a given holds `?`, which the audit reports."""
        return cls(
            tuple(given or (letters and "?") or "" for given, letters in zip(grid.givens, grid.cells, strict=True)),
            grid,
        )

    @property
    def rows(self) -> list[str]:
        """The rows in native text: `#` for a block, parentheses around a rebus cell."""
        signs = [f"({letter})" if len(letter) > 1 else letter or "#" for letter in self.letters]
        return list(map("".join, split_rows(signs, self.grid.width)))

    @property
    def words(self) -> dict[Slot, str]:
        """The word in each slot."""
        return {slot: self.word_at(slot) for slot in self.grid.slots}

    def word_at(self, slot: Slot) -> str:
        """Return the letters along a slot."""
        return "".join(self.letters[cell] for cell in slot.cells)

    def list_changes(self, before: Grid) -> list[Change]:
        """Return the slots in which a given letter of the grid `before` was replaced by a different letter."""
        stood = [given or "?" for given in before.givens]
        return [
            Change(slot, "".join(stood[cell] for cell in slot.cells), word)
            for slot, word in self.words.items()
            if any(stood[cell] not in {"?", self.letters[cell]} for cell in slot.cells)
        ]

    def score_entries(self, problem: Problem) -> list[tuple[str, float | None]]:
        """Return, slot by slot, the entries that are not completely given, each with its score, if a list has it."""
        words = [self.word_at(slot) for slot in problem.slots if problem.grid.given_word(slot) is None]
        found = [problem.lexicon.find(word) for word in words]
        return [(word, entry[0] if entry else None) for word, entry in zip(words, found, strict=True)]

    def value(self, problem: Problem) -> Value:
        """Return the value, computed from the words; a word that is not in the lexicon scores minus infinity."""
        words = [self.word_at(slot) for slot in problem.slots]
        scores = self._scores(problem)
        numbers = {
            Criterion.THEME: lambda: [_total([problem.theme.get(word, 0.0) for word in words])],
            Criterion.MIN: lambda: [min(scores)],
            Criterion.SUM: lambda: [_total(scores)],
            Criterion.LEXIMIN: lambda: sorted(scores),
            Criterion.LEVELS: lambda: [0.0 - sum(score < level for score in scores) for level in problem.levels],
        }
        return tuple(number for criterion in problem.measures for number in numbers[criterion]())

    def quality(self, problem: Problem) -> Value:
        """Return what a good fill is compared by: its value, then the scores of all its words, worst first (V5)."""
        return (*self.value(problem), *sorted(self._scores(problem)))

    def _scores(self, problem: Problem) -> list[float]:
        entries = [problem.lexicon.find(self.word_at(slot)) for slot in problem.slots]
        return [-math.inf if entry is None else entry[0] for entry in entries]

    def __str__(self) -> str:
        """Return the rows, one per line."""
        return "\n".join(self.rows)

    def __repr__(self) -> str:
        return f"<Fill {self.grid.height}x{self.grid.width}: {' '.join(self.words.values())}>"

    def diagram(self) -> Diagram:
        """Return the diagram of the fill."""
        return self.grid.diagram(self.letters)


def _total(scores: Sequence[float]) -> float:
    """Return the exact sum of the numbers as written in decimals, rounded once."""
    from fractions import Fraction  # noqa: PLC0415 - slow to import, and only sums need it

    if -math.inf in scores:
        return -math.inf
    return float(sum(Fraction(repr(score)) for score in scores))
