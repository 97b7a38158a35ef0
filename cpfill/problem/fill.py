"""The letters of a filled grid, and what has changed in them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from operator import methodcaller
from typing import TYPE_CHECKING, NamedTuple, Self

from cpfill.problem.constraints import find_spelled
from cpfill.problem.value import Criterion, Value, add_decimals, count_under
from cpfill.puzzle.grid import Pictured, split_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.drawing import Diagram
    from cpfill.puzzle.grid import CellId, Grid, Slot


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

    Fills are equal if their letters are. `print` shows the rows; a notebook draws them. If slots have several answers
    (C11), `letters` is the first reading, and `alternatives` has the letters of the others in the cells that differ.
    """

    letters: tuple[str, ...]
    grid: Grid = field(compare=False)
    alternatives: Mapping[CellId, tuple[str, ...]] = field(default_factory=dict, compare=False)

    @classmethod
    def of_words(cls, problem: Problem, words: Sequence[int]) -> Self:
        """Return the fill that these word ids spell, one id per slot in the order of the slots.

        A cell in no slot holds the letter of the cells that it is tied to, or the first letter of its letter set. If
        two words disagree on a cell, the later slot overwrites the earlier one; the audit detects it.
        """
        grid = problem.grid
        letters = list(grid.first_letters)
        for slot, table, word in zip(problem.slots, problem.tables, words, strict=True):
            for (cell, _), letter in zip(slot.places, table.words[word], strict=True):
                if cell not in grid.rebus:
                    letters[cell] = letter
        for cell, spelled in find_spelled(grid).items():
            letters[cell] = letters[spelled]
        return cls(tuple(letters), grid, problem.alternatives)

    @classmethod
    def of_grid(cls, grid: Grid) -> Self:
        """Return the fill that the givens form; an open cell without a given holds `?`, which the audit reports."""
        letters = list(grid.givens)
        for cell, allowed in enumerate(grid.cells):
            if allowed and not letters[cell]:
                letters[cell] = "?"
        return cls(tuple(letters), grid)

    @property
    def rows(self) -> list[str]:
        """The rows in native text: `#` for a block, parentheses around a rebus cell."""
        signs = []
        for letters in self.letters:
            if len(letters) > 1:
                signs.append(f"({letters})")
            else:
                signs.append(letters or "#")
        return list(map("".join, split_rows(signs, self.grid.width)))

    @property
    def words(self) -> dict[Slot, str]:
        """The word in each slot."""
        return {slot: self.word_at(slot) for slot in self.grid.slots}

    def word_at(self, slot: Slot) -> str:
        """Return the letters along a slot."""
        return "".join(self.letters[cell] for cell in slot.cells)

    @property
    def readings(self) -> list[Fill]:
        """The fill of each reading, the first one first."""
        readings = [Fill(self.letters, self.grid)]
        for others in zip(*self.alternatives.values(), strict=True):
            letters = dict(enumerate(self.letters)) | dict(zip(self.alternatives, others, strict=True))
            readings.append(Fill(tuple(letters.values()), self.grid))
        return readings

    def list_changes(self, before: Grid) -> list[Change]:
        """Return the slots in which a given letter of the grid `before` was replaced by a different letter."""
        stood = [given or "?" for given in before.givens]
        replaced = set()
        for cell, (old, new) in enumerate(zip(stood, self.letters, strict=True)):
            if old not in {"?", new}:
                replaced.add(cell)
        changes = []
        for slot, word in self.words.items():
            if not replaced.isdisjoint(slot.cells):
                old = "".join(stood[cell] for cell in slot.cells)
                changes.append(Change(slot, old, word))
        return changes

    def score_entries(self, problem: Problem) -> list[tuple[str, float | None]]:
        """Return, slot by slot, the entries that a fill is judged by, each with its score, if a list has it.

        Those are all but own entries, or all where there are no others; those of other readings come last.
        """
        words = [self.word_at(slot) for slot in problem.slots]
        for reading in self.readings[1:]:
            words += [word for word in reading.words.values() if word not in words]
        judged = [word for word in words if word not in problem.own] or words
        return [(word, problem.find_score(word)) for word in judged]

    def value(self, problem: Problem) -> Value:
        """Return the value of the words, that of the least reading; a word that no list has scores minus infinity."""
        if self.alternatives:
            return min(map(methodcaller("value", problem), self.readings))
        words = [self.word_at(slot) for slot in problem.slots]
        scores = self._scores(problem)
        value: list[float] = []
        for criterion in problem.measures:
            if criterion is Criterion.THEME:
                value.append(add_decimals([problem.theme.get(word, 0.0) for word in words]))
            elif criterion is Criterion.SUM:
                value.append(add_decimals([*map(problem.own.get, words, scores)]))
            elif criterion is Criterion.LETTERS:
                value.append(add_decimals(problem.letter_values.list_values(self.letters)))
            elif criterion is Criterion.MIN:
                value.append(min(scores))
            elif criterion is Criterion.LEXIMIN:
                value += sorted(scores)
            else:
                value += count_under(scores, problem.levels)
        return tuple(value)

    def quality(self, problem: Problem) -> Value:
        """Return the key that compares good fills: the value, if there is an objective, then the judged scores."""
        if self.alternatives:
            return min(map(methodcaller("quality", problem), self.readings))
        value: Value = ()
        if problem.criteria:
            value = self.value(problem)
        words = [self.word_at(slot) for slot in problem.slots]
        judged = problem.judge(words, self._scores(problem))
        return (*value, *sorted(judged))

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
        return replace(self.grid.diagram(self.letters), alternatives=self.alternatives)
