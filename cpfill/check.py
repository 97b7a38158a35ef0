"""The audit of a fill: an oracle that shares no code with any engine.

It reads the rows and columns of letters as strings, splits them at the blocks and looks the pieces up as strings: no
slots, crossings, ids or bitsets are taken from anywhere. Rule numbers are those of `problem.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.fill import Fill
    from cpfill.problem import Problem

UNFILLED = "?"
"""What a fill that was read has in a cell without a letter."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a fill breaks, and how."""

    rule: str
    detail: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.detail}"


def violations(problem: Problem, fill: Fill) -> list[Violation]:
    """Return every violation of C1 to C4 in a fill, in the order of the rules; none if the fill is right."""
    grid = problem.grid
    if len(fill.letters) != len(grid.cells):
        return [Violation("C1", f"the fill has {len(fill.letters)} cells, the grid {len(grid.cells)}")]
    return [*_cells(problem, fill), *_words(problem, fill)]


def _cells(problem: Problem, fill: Fill) -> Iterator[Violation]:
    grid = problem.grid
    for cell, (letter, allowed) in enumerate(zip(fill.letters, grid.cells, strict=True)):
        place = f"row {cell // grid.width + 1}, column {cell % grid.width + 1}"
        if allowed == 0:
            if letter:
                yield Violation("C1", f"{place} is a block, the fill has '{letter}' there")
        elif letter in {"", UNFILLED}:
            yield Violation("C1", f"{place} needs a letter, the fill has none there")
        elif len(letter) != 1 or letter not in grid.alphabet.letters:
            yield Violation("C1", f"{place} needs one letter of the alphabet, the fill has '{letter}'")
        elif not allowed >> grid.alphabet.letters.index(letter) & 1:
            yield Violation("C4", f"{place} may not hold '{letter}'")


def _words(problem: Problem, fill: Fill) -> Iterator[Violation]:
    grid = problem.grid
    text = [letter or " " for letter in fill.letters]
    lines = [(f"row {row + 1}", text[row * grid.width : (row + 1) * grid.width]) for row in range(grid.height)]
    lines += [(f"column {column + 1}", text[column :: grid.width]) for column in range(grid.width)]
    seen: dict[str, str] = {}
    repeated = []
    for place, line in lines:
        for word in "".join(line).split():
            if len(word) < grid.min_slot_length or UNFILLED in word:
                continue
            entry = problem.lexicon.find(word)
            if entry is None:
                yield Violation("C2", f"{word} in {place} is not in the lexicon")
            elif entry[0] < problem.rules.min_score:
                yield Violation("C2", f"{word} in {place} scores {entry[0]:g}, under {problem.rules.min_score:g}")
            if word in seen and not problem.rules.repeats:
                repeated.append(Violation("C3", f"{word} stands in {seen[word]} and in {place}"))
            seen.setdefault(word, place)
    yield from repeated
