"""An independent brute force: rows of cells and a dictionary of words in, every fill out.

It imports nothing of cpfill and shares no idea with its engines: no slots, domains or word variables. It writes one
letter after another in reading order; a prefix that begins no word is given up, and whole rows and columns are split at
the blocks and looked up again when the grid is full.

A cell is a string: "" for a block, else the letters that it may hold. A fill is a tuple of rows, "#" for a block. A
cell in no slot holds the first letter that it may. A sign that the rules have in `rebus` stands for several letters in
one cell; nothing else may stand there.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Cells = tuple[tuple[str, ...], ...]
Rows = tuple[str, ...]
Start = tuple[str, int, int]  # of a run: "Across" or "Down", row and column from 0
Value = tuple[float, ...]

BLOCK = "#"


class TooManyError(Exception):
    """There are more fills, or there is more to try, than the caller wants to wait for."""


@dataclass(frozen=True)
class Rules:
    """The rules of a fill beside its cells: by default every run of two cells spells a word, all words different."""

    min_slot_length: int = 2
    repeats: bool = False
    min_score: float = 0.0
    marks: Mapping[str, frozenset[str]] | None = None  # of words, of which no two share one
    max_obscure: int | None = None
    below: float = 0.0
    required: frozenset[str] = frozenset()
    theme: Mapping[str, float] = field(default_factory=dict)
    levels: tuple[float, ...] = ()
    open_slots: frozenset[Start] = frozenset()  # these runs need not spell words
    rebus: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """Every fill with its value."""

    values: Mapping[Rows, Value]

    @property
    def fills(self) -> frozenset[Rows]:
        return frozenset(self.values)

    @property
    def best(self) -> Value | None:
        return max(self.values.values(), default=None)

    @property
    def best_fills(self) -> frozenset[Rows]:
        return frozenset(rows for rows, value in self.values.items() if value == self.best)


def cells_of(*rows: str, alphabet: str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ") -> Cells:
    """Return the cells of rows in which `#` is a block, `.` an empty cell, a letter a given, `[AB]` a letter set."""
    result = []
    for row in rows:
        cells: list[str] = []
        todo = iter(row)
        for char in todo:
            if char == "[":
                members = ""
                while (char := next(todo)) != "]":
                    members += char
                cells.append("".join(letter for letter in alphabet if letter in members))
            else:
                cells.append({"#": "", ".": alphabet}.get(char, char))
        result.append(tuple(cells))
    return tuple(result)


def runs_in(rows: Sequence[str], min_slot_length: int) -> dict[Start, str]:
    """Return the runs of letters across, then down, that are long enough to be slots."""
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    found = [
        ((direction, line, at.start()) if direction == "Across" else (direction, at.start(), line), at[0])
        for direction, lines in (("Across", rows), ("Down", columns))
        for line, text in enumerate(lines)
        for at in re.finditer(f"[^{BLOCK}]+", text)
    ]
    return {start: run for start, run in found if len(run) >= min_slot_length}


def words_in(
    rows: Sequence[str],
    min_slot_length: int,
    open_slots: frozenset[Start] = frozenset(),
    rebus: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """Return the letters of the runs that must be words."""
    runs = [run for start, run in runs_in(rows, min_slot_length).items() if start not in open_slots]
    return ["".join(rebus.get(sign, sign) for sign in run) for run in runs]


def contractions(word: str, rebus: Mapping[str, str]) -> Iterator[str]:
    """Yield a word in every way to write some of its letters as signs."""
    if not word:
        yield ""
        return
    for sign, letters in [(word[0], word[0]), *rebus.items()]:
        if word.startswith(letters):
            for rest in contractions(word[len(letters) :], rebus):
                yield sign + rest


def is_fill(cells: Cells, rows: Sequence[str], words: Mapping[str, float], rules: Rules) -> bool:
    """Whether rows of letters obey every rule."""
    for cell, letter in zip((c for row in cells for c in row), "".join(rows), strict=True):
        if (letter != BLOCK) if cell == "" else (letter not in cell):
            return False
    used = words_in(rows, rules.min_slot_length, rules.open_slots, rules.rebus)
    return all(word in words and words[word] >= rules.min_score for word in used) and go_together(used, words, rules)


def go_together(used: Sequence[str], words: Mapping[str, float], rules: Rules) -> bool:
    """Whether words, each right on its own, may stand in one fill (C3, C5, C6, C7)."""
    singles = [word for word in used if not rules.repeats or word in rules.theme]
    if len(set(singles)) < len(singles):
        return False
    marks = [frozenset[str]() if rules.marks is None else rules.marks[word] for word in used]
    if any(one & other for one, other in itertools.combinations(marks, 2)):
        return False
    if rules.max_obscure is not None and sum(words[word] < rules.below for word in used) > rules.max_obscure:
        return False
    return rules.required <= set(used)


def value_of(used: Sequence[str], words: Mapping[str, float], rules: Rules, measures: Sequence[str]) -> Value:
    """Return the value of words, a number for each of `theme`, `min`, `sum` that is asked for;
    `leximin` has several.

    Decimal numbers are added up as they are written, so that sums that are equal on paper are equal.
    """
    return tuple(
        number
        for measure in measures
        for number in (
            _leximin(used, words, rules) if measure == "leximin" else [_measure(measure, used, words, rules)]
        )
    )


def judge(used: Sequence[str], words: Mapping[str, float], marks: Mapping[str, frozenset[str]]) -> tuple[float, ...]:
    """Return the scores, worst first; a word that shares a mark with a different one scores 40 at most."""
    alike = {word for word in used for other in used if word != other and marks[word] & marks[other]}
    return tuple(sorted(min(words[word], 40.0) if word in alike else words[word] for word in used))


def _leximin(used: Sequence[str], words: Mapping[str, float], rules: Rules) -> list[float]:
    """Return the scores, worst first, or less the number of words under each level, the lowest level first."""
    if rules.levels:
        return [float(-len([word for word in used if words[word] < level])) for level in sorted(rules.levels)]
    return sorted(words[word] for word in used)


def _measure(measure: str, used: Sequence[str], words: Mapping[str, float], rules: Rules) -> float:
    if measure == "min":
        return min(words[word] for word in used)
    numbers = {"theme": rules.theme, "sum": words}[measure]
    return float(sum(Fraction(repr(numbers.get(word, 0.0))) for word in used))


def solve(
    cells: Cells,
    words: Mapping[str, float],
    rules: Rules = Rules(),
    *,
    measures: Sequence[str] = ("min",),
    max_fills: int = 20_000,
    max_steps: int = 400_000,
) -> Answer:
    """Return every fill.

    Raises:
        TooManyError: more than `max_fills` fills, or more than `max_steps` letters written.
    """
    values: dict[Rows, Value] = {}
    for rows in _search(cells, words, rules, max_steps):
        if is_fill(cells, rows, words, rules):
            used = words_in(rows, rules.min_slot_length, rules.open_slots, rules.rebus) if measures else []
            values[rows] = value_of(used, words, rules, measures)
            if len(values) > max_fills:
                raise TooManyError
    return Answer(values)


def _prefixes(cells: Cells, rules: Rules) -> dict[tuple[int, int], list[tuple[int, list[tuple[int, int]]]]]:
    """Return, for each open cell, the length of each run through it that must be a word, and its cells before it."""
    shape = ["".join("x" if cell else BLOCK for cell in row) for row in cells]
    found: dict[tuple[int, int], list[tuple[int, list[tuple[int, int]]]]] = {
        (row, column): [] for row, line in enumerate(cells) for column, cell in enumerate(line) if cell
    }
    for (direction, row, column), run in runs_in(shape, rules.min_slot_length).items():
        if (direction, row, column) not in rules.open_slots:
            down = direction == "Down"
            places = [(row + step, column) if down else (row, column + step) for step in range(len(run))]
            for before, place in enumerate(places):
                found[place].append((len(run), places[:before]))
    return found


def _search(cells: Cells, words: Mapping[str, float], rules: Rules, max_steps: int) -> Iterator[Rows]:
    """Yield every way to write letters so that every run that is long enough spells a word, ignoring other rules."""
    # For each beginning of a word of some length: the letters that may follow.
    after: dict[tuple[int, str], set[str]] = {}
    allowed = (word for word, score in words.items() if score >= rules.min_score)
    forms = (form for word in allowed for form in contractions(word, rules.rebus))
    for written in forms:
        for end in range(len(written)):
            after.setdefault((len(written), written[:end]), set()).add(written[end])
    places = list(_prefixes(cells, rules).items())
    grid = [[BLOCK] * len(row) for row in cells]
    steps = itertools.count()

    def write(index: int) -> Iterator[Rows]:
        if next(steps) > max_steps:
            raise TooManyError
        if index == len(places):
            yield tuple("".join(line) for line in grid)
            return
        (row, column), runs = places[index]
        letters = list(cells[row][column]) if runs else [cells[row][column][0]]
        for length, prefix in runs:
            follow = after.get((length, "".join(grid[r][c] for r, c in prefix)), set())
            letters = [letter for letter in letters if letter in follow]
        for letter in letters:
            grid[row][column] = letter
            yield from write(index + 1)

    return write(0)
