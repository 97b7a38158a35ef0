"""An independent brute force: rows of cells and a dictionary of words in, every fill out.

It imports nothing of cpfill and shares no idea with its engines: no slots, domains or word variables. It writes one
letter after another in reading order; a prefix that begins no word is given up, and whole rows and columns are split at
the blocks and looked up again when the grid is full.

A cell is a string: "" for a block, else the letters that it may hold. A fill is a tuple of rows, "#" for a block. A
cell in no slot holds the first letter that it may, and that all cells tied to it may. A sign that the rules have in
`rebus` stands for several letters in one cell; nothing else may stand there.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Cells = tuple[tuple[str, ...], ...]
Rows = tuple[str, ...]
Place = tuple[int, int]  # row and column from 0
Start = tuple[str, int, int]  # of a run: "Across" or "Down", row and column from 0
Value = tuple[float, ...]

BLOCK = "#"

LETTER_VALUES = {"A": 2.5, "B": 0.0, "C": 1.0, "E": 0.25, "S": 4.0, "T": 1.5}
BLOCK_VALUE = 0.75


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
    names: frozenset[str] = frozenset()  # no two of these words cross at a letter that others leave open
    ties: tuple[frozenset[Place], ...] = ()  # sets of cells that hold one letter each


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
    return tuple(tuple(_split_row(row, alphabet)) for row in rows)


def _split_row(row: str, alphabet: str) -> Iterator[str]:
    """Yield the cells of a row."""
    for sign in re.findall(r"\[[^\][]*\]|.", row):
        if sign == BLOCK:
            yield ""
        elif sign == ".":
            yield alphabet
        elif len(sign) > 1:
            yield "".join(letter for letter in alphabet if letter in sign)
        else:
            yield sign


def runs_in(rows: Sequence[str], min_slot_length: int) -> dict[Start, str]:
    """Return the runs of letters across, then down, that are long enough to be slots."""
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    found: dict[Start, str] = {}
    for row, text in enumerate(rows):
        for column, run in _split_line(text, min_slot_length):
            found["Across", row, column] = run
    for column, text in enumerate(columns):
        for row, run in _split_line(text, min_slot_length):
            found["Down", row, column] = run
    return found


def _split_line(text: str, min_slot_length: int) -> Iterator[tuple[int, str]]:
    """Yield the start of each run of letters in a line, and the run."""
    for match in re.finditer(f"[^{BLOCK}]+", text):
        if len(match[0]) >= min_slot_length:
            yield match.start(), match[0]


def words_in(
    rows: Sequence[str],
    min_slot_length: int,
    open_slots: frozenset[Start] = frozenset(),
    rebus: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """Return the letters of the runs that must be words."""
    runs = [run for start, run in runs_in(rows, min_slot_length).items() if start not in open_slots]
    return [_spell(run, rebus) for run in runs]


def _spell(run: str, rebus: Mapping[str, str]) -> str:
    return "".join(rebus.get(sign, sign) for sign in run)


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
    for cell, letter in zip(itertools.chain.from_iterable(cells), "".join(rows), strict=True):
        if letter not in (cell or BLOCK):
            return False
    if not _keep_ties(rows, rules):
        return False
    used = words_in(rows, rules.min_slot_length, rules.open_slots, rules.rebus)
    for word in used:
        if word not in words or words[word] < rules.min_score:
            return False
    return go_together(used, words, rules) and not has_natick(rows, words, rules)


def has_natick(rows: Sequence[str], words: Mapping[str, float], rules: Rules) -> bool:
    """Whether two names cross at a cell where a different letter makes a fair word of each (C9)."""
    fitting: dict[tuple[int, int], set[str]] = {}  # by cell, the different letters that fit the name through it
    for start, run in runs_in(rows, rules.min_slot_length).items():
        if start in rules.open_slots or run not in rules.names:
            continue
        for at, place in enumerate(_list_places(start, len(run))):
            letters = {word[at] for word in words if _replaces(word, run, at, words)}
            if letters & fitting.setdefault(place, set()):
                return True
            fitting[place] = letters
    return False


def _replaces(word: str, name: str, at: int, words: Mapping[str, float]) -> bool:
    """Whether a fair word differs from a name at one place alone."""
    differ = [place for place, letters in enumerate(zip(word, name, strict=False)) if len(set(letters)) == 2]
    return len(word) == len(name) and differ == [at] and words[word] >= 40.0


def _keep_ties(rows: Sequence[str], rules: Rules) -> bool:
    """Whether all cells of each tie hold one letter (C4)."""
    for tied in rules.ties:
        held = {rows[row][column] for row, column in tied}
        if len(held) > 1:
            return False
    return True


def go_together(used: Sequence[str], words: Mapping[str, float], rules: Rules) -> bool:
    """Whether words, each right on its own, may stand in one fill (C3, C5, C6, C7)."""
    singles = used
    if rules.repeats:
        singles = [word for word in used if word in rules.theme]
    if len(set(singles)) < len(singles):
        return False
    if rules.marks is not None and _share_marks(used, rules.marks):
        return False
    if rules.max_obscure is not None and _count_obscure(used, words, rules.below) > rules.max_obscure:
        return False
    return rules.required <= set(used)


def _count_obscure(used: Sequence[str], words: Mapping[str, float], below: float) -> int:
    return sum(words[word] < below for word in used)


def _share_marks(used: Sequence[str], marks: Mapping[str, frozenset[str]]) -> bool:
    """Whether two of some words share a mark."""
    return any(marks[one] & marks[other] for one, other in itertools.combinations(used, 2))


def value_of(
    used: Sequence[str], words: Mapping[str, float], rules: Rules, measures: Sequence[str], signs: str = ""
) -> Value:
    """Return the value of words, a number for each of `theme`, `min`, `sum` that is asked for; `leximin` has several.

    `letters` is the value of the signs in the cells.

    Decimal numbers are added up as they are written, so that sums that are equal on paper are equal.
    """
    value: list[float] = []
    for measure in measures:
        if measure == "leximin":
            value += _leximin(used, words, rules)
        elif measure == "letters":
            value.append(_add_letters(signs, rules))
        else:
            value.append(_measure(measure, used, words, rules))
    return tuple(value)


def judge(used: Sequence[str], words: Mapping[str, float], marks: Mapping[str, frozenset[str]]) -> tuple[float, ...]:
    """Return the scores, worst first; a word that shares a mark with a different one scores 40 at most."""
    scores = []
    for word in used:
        score = words[word]
        if any(word != other and marks[word] & marks[other] for other in used):
            score = min(score, 40.0)
        scores.append(score)
    return tuple(sorted(scores))


def _leximin(used: Sequence[str], words: Mapping[str, float], rules: Rules) -> list[float]:
    """Return the scores, worst first, or less the number of words under each level, the lowest level first."""
    scores = sorted(words[word] for word in used)
    if not rules.levels:
        return scores
    counts = []
    for level in sorted(rules.levels):
        under = [score for score in scores if score < level]
        counts.append(-float(len(under)))
    return counts


def _add_letters(signs: str, rules: Rules) -> float:
    letters = _spell(signs.replace(BLOCK, ""), rules.rebus)
    values = [LETTER_VALUES.get(letter, 0.0) for letter in letters]
    values += [BLOCK_VALUE] * signs.count(BLOCK)
    return float(sum(map(Fraction, map(repr, values))))


def _measure(measure: str, used: Sequence[str], words: Mapping[str, float], rules: Rules) -> float:
    if measure == "min":
        return min(words[word] for word in used)
    numbers = {"theme": rules.theme, "sum": words}[measure]
    written = [repr(numbers.get(word, 0.0)) for word in used]
    return float(sum(map(Fraction, written)))


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
        if not is_fill(cells, rows, words, rules):
            continue
        used = words_in(rows, rules.min_slot_length, rules.open_slots, rules.rebus)
        values[rows] = value_of(used, words, rules, measures, "".join(rows))
        if len(values) > max_fills:
            raise TooManyError
    return Answer(values)


def _prefixes(cells: Cells, rules: Rules) -> dict[tuple[int, int], list[tuple[int, list[tuple[int, int]]]]]:
    """Return, for each open cell, the length of each run through it that must be a word, and its cells before it."""
    shape = ["".join("x" if cell else BLOCK for cell in row) for row in cells]
    found: dict[tuple[int, int], list[tuple[int, list[tuple[int, int]]]]] = {}
    for row, line in enumerate(shape):
        for match in re.finditer("x", line):
            found[row, match.start()] = []
    for start, run in runs_in(shape, rules.min_slot_length).items():
        if start in rules.open_slots:
            continue
        places = _list_places(start, len(run))
        for before, place in enumerate(places):
            found[place].append((len(run), places[:before]))
    return found


def _list_places(start: Start, length: int) -> list[tuple[int, int]]:
    """Return the row and the column of each cell of a run."""
    direction, row, column = start
    if direction == "Down":
        return [(row + step, column) for step in range(length)]
    return [(row, column + step) for step in range(length)]


def _list_followers(words: Mapping[str, float], rules: Rules) -> dict[tuple[int, str], set[str]]:
    """Return the letters that may follow each beginning of a word of some length."""
    after: dict[tuple[int, str], set[str]] = {}
    for word, score in words.items():
        if score < rules.min_score:
            continue
        for written in contractions(word, rules.rebus):
            for end in range(len(written)):
                after.setdefault((len(written), written[:end]), set()).add(written[end])
    return after


def _list_letters(cells: Cells, runs: Mapping[Place, Sequence[object]], rules: Rules, place: Place) -> list[str]:
    """Return the letters that a cell and all that are tied to it may hold; only the first if all are outside runs."""
    tied = next((tied for tied in rules.ties if place in tied), {place})
    row, column = place
    letters = [letter for letter in cells[row][column] if all(letter in cells[r][c] for r, c in tied)]
    if not any(runs[each] for each in tied):
        return letters[:1]
    return letters


def _search(cells: Cells, words: Mapping[str, float], rules: Rules, max_steps: int) -> Iterator[Rows]:
    """Yield every way to write letters so that every run that is long enough spells a word, ignoring other rules."""
    after = _list_followers(words, rules)
    prefixes = _prefixes(cells, rules)
    places = list(prefixes.items())
    allowed = dict(zip(prefixes, map(partial(_list_letters, cells, prefixes, rules), prefixes), strict=True))
    grid = [[BLOCK] * len(row) for row in cells]
    steps = itertools.count()

    def write(index: int) -> Iterator[Rows]:
        if next(steps) > max_steps:
            raise TooManyError
        if index == len(places):
            yield tuple("".join(line) for line in grid)
            return
        (row, column), runs = places[index]
        letters = allowed[row, column]
        for length, prefix in runs:
            written = "".join(grid[r][c] for r, c in prefix)
            follow = after.get((length, written), set())
            letters = [letter for letter in letters if letter in follow]
        for letter in letters:
            grid[row][column] = letter
            yield from write(index + 1)

    return write(0)
