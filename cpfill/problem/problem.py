"""A problem (grid, lexicon, rules, objective), validated before an engine receives it; values of fills, gains of words.

The rules have numbers (`cpfill.problem.rules`), and so do the values that are maximised:

    V1  the value of a fill is the minimum of its word scores, own entries apart; maximise it
    V2  the value is the sum of its word scores; maximise it
    V3  V1 first, then V2 among the fills that reach it
    V4  the value is the sum of the weights of the theme words in it; maximise it before anything else
    V5  the value is the sorted scores, worst first; maximise it in lexicographic order. With `levels`, it is minus the
        number of words that score under each level, the lowest level first

A cell in no slot that is not given gets the first letter of its letter set: fills never differ in such cells alone.

A value has one number per criterion, and is compared in their order. The gain of a word is the whole number that it
adds to a criterion that adds up.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import compress, groupby, pairwise
from operator import neg
from typing import TYPE_CHECKING, NamedTuple, Self

from cpfill.base.errors import SCORE, Fault, InputError, expected
from cpfill.base.texts import later, say
from cpfill.problem.rules import Rules
from cpfill.puzzle.grid import Pictured, split_rows
from cpfill.words.wordlist import LEAST, Band, count_decimals, format_decimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.problem.constraints import Constraints
    from cpfill.puzzle.drawing import Diagram
    from cpfill.puzzle.grid import Crossing, Grid, RunStart, Slot, SlotId
    from cpfill.words.lexicon import Lexicon, WordId, WordTable

Value = tuple[float, ...]
"""The value of a fill: one number per criterion, many for V5; the first counts most, so values compare as tuples."""


class Criterion(StrEnum):
    """A part of a value: one number, or all the remaining numbers."""

    THEME = "theme"
    """V4: the sum of the weights of the theme words."""
    MIN = "min"
    """V1: the minimum word score."""
    SUM = "sum"
    """V2: the sum of the word scores."""
    LEXIMIN = "leximin"
    """V5: all word scores in ascending order; always the last criterion."""
    LEVELS = "levels"
    """V5 by levels: minus the number of words under each level, the lowest level first; always the last criterion."""

    @property
    def adds_up(self) -> bool:
        """Whether the criterion is a sum over the words."""
        return self in {Criterion.THEME, Criterion.SUM}

    @property
    def is_vector(self) -> bool:
        """Whether the criterion takes all the remaining numbers of a value."""
        return self in {Criterion.LEXIMIN, Criterion.LEVELS}


_SHOWN = 8
"""The most numbers of a value that are shown to people; a comparison shows more if needed to reach the first that
differs."""


def format_value(value: Value, shown: int = _SHOWN, separator: str = " / ") -> str:
    """Return a value for people: its first numbers, each with the fewest digits that identify it."""
    return separator.join(map(format_decimal, value[:shown])) + (" …" if len(value) > shown else "")


def describe_value(measures: Sequence[Criterion], value: Value, *, verb: str = "", shown: int = _SHOWN) -> str:
    """Return a value in words, number by number; `verb` precedes the first number."""
    first, *others = [
        f"{say(_NAMES[each])} {{}}{_format_part(each, value[place:], shown)}"
        for place, each in enumerate(measures[: len(value)])
    ]
    return ", ".join([first.format(f"{verb} " if verb else ""), *(other.format("") for other in others)])


def describe_bound(measures: Sequence[Criterion], bound: Value) -> str:
    """Return in words the values that a bound rules out."""
    if not measures[-1].is_vector:
        return say("a {value}", value=describe_value(measures, bound, verb=say("over")))
    return say("better than {value}", value=describe_value(measures, bound))


def describe_gap(measures: Sequence[Criterion], value: Value, bound: Value) -> str:
    """Return in words a value and its bound, up to the first number that differs."""
    same = next((place for place, pair in enumerate(zip(value, bound, strict=False)) if pair[0] != pair[1]), 0)
    shown = max(_SHOWN, same + 1)
    if not measures[-1].is_vector:
        return say(
            "{value}, at most {value2} possible", value=describe_value(measures, value), value2=format_value(bound)
        )
    most = describe_value(measures, bound, shown=shown)
    return say("{value}; none better than {most}", value=describe_value(measures, value, shown=shown), most=most)


def _format_part(measure: Criterion, numbers: Value, shown: int) -> str:
    """Return the numbers of one criterion; they begin `numbers`."""
    if measure is Criterion.LEVELS:
        return format_value(tuple(abs(number) for number in numbers), shown, ", ")
    return format_value(numbers, shown, ", ") if measure.is_vector else format_value(numbers[:1])


_NAMES = {
    Criterion.THEME: later("theme"),
    Criterion.MIN: later("minimum score"),
    Criterion.SUM: later("sum of scores"),
    Criterion.LEXIMIN: later("worst scores"),
    Criterion.LEVELS: later("words under each level"),
}


def value_to_json(value: Value | None) -> float | list[float] | None:
    """Return a value for machines: one number as a number, several as a list."""
    return value if value is None else value[0] if len(value) == 1 else list(value)


def value_from_json(number: float | list[float] | None) -> Value | None:
    """Return the value that `value_to_json` converted."""
    return None if number is None else tuple(number) if isinstance(number, list) else (number,)


def exceeds(value: Value, bound: Value) -> bool:
    """Return whether a value or a bound is greater than another bound, which may be shorter."""
    return value[: len(bound)] > bound


def is_tighter(bound: Value, other: Value | None) -> bool:
    """Return whether a bound is tighter than the one known so far, if there is one."""
    if other is None:
        return True
    shared = min(len(bound), len(other))
    return (bound[:shared], -len(bound)) < (other[:shared], -len(other))


class Gains:
    """The gains of all words.

    Attributes:
        by_length: `by_length[n][w]` is the gain of word `w` of length `n`.
        per_unit: a gain of g stands for g / `per_unit`.
        by_score: whether gains follow the scores: word ids are then in descending order of gain.
    """

    def __init__(self, by_length: Mapping[int, Sequence[int]], per_unit: int, *, by_score: bool) -> None:
        self.by_length, self.per_unit, self.by_score = by_length, per_unit, by_score

    @cached_property
    def levels(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """For each length, each gain over 0 in descending order, with the bitset of the words that have it."""
        return {length: _list_levels(gains) for length, gains in self.by_length.items()}

    def find_best(self, length: int, domain: int) -> int:
        """Return the greatest gain of a word in a domain, 0 for an empty domain."""
        if self.by_score:
            return self.by_length[length][(domain & -domain).bit_length() - 1] if domain else 0
        return next((gain for gain, words in self.levels[length] if domain & words), 0)

    def select(self, length: int, least: int) -> int:
        """Return the words whose gain is at least `least` > 0."""
        if self.by_score:
            return (1 << bisect_right(self.by_length[length], -least, key=neg)) - 1
        return sum(words for gain, words in self.levels[length] if gain >= least)


def _list_levels(gains: Sequence[int]) -> list[tuple[int, int]]:
    """Return each gain over 0 in descending order, with the bitset of its words; neighbours mostly gain the same."""
    words: dict[int, int] = defaultdict(int)
    start = 0
    for gain, run in groupby(gains):
        size = sum(1 for _ in run)
        if gain:
            words[gain] |= ((1 << size) - 1) << start
        start += size
    return sorted(words.items(), reverse=True)


class Objective(StrEnum):
    """The requirements on a fill beyond the rules."""

    GOOD = "good"
    """A fill whose weakest words are as good as a short search can make them, in the order of V5; each fill that it
    reports is better than the one before. Not a criterion: it proves nothing."""
    ANY = "any"
    """The first fill found."""
    MIN = "min"
    """V1: the greatest minimum word score."""
    SUM = "sum"
    """V2: the greatest sum of word scores."""
    MIN_THEN_SUM = "min-then-sum"
    """V3: the greatest minimum, then the greatest sum."""
    LEXIMIN = "leximin"
    """V5: the greatest minimum, then the greatest second worst score, and so on."""

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria that are maximised, the first before the second."""
        return _CRITERIA[self]


_CRITERIA = {
    Objective.GOOD: (),
    Objective.ANY: (),
    Objective.MIN: (Criterion.MIN,),
    Objective.SUM: (Criterion.SUM,),
    Objective.MIN_THEN_SUM: (Criterion.MIN, Criterion.SUM),
    Objective.LEXIMIN: (Criterion.LEXIMIN,),
}


@dataclass(frozen=True)
class Problem:
    """The input of an engine.

    Attributes:
        grid: the grid to fill.
        lexicon: the words.
        rules: the rules.
        objective: the criteria to maximise.
        theme: maps each folded theme word to its weight (V4); a theme word is placed at most once.
        levels: the levels of V5 in ascending order; empty if the scores themselves count.
        accepted: the words that are in the lexicon only because they are completely given in the grid.
        exempt: maps each own entry that its list scores too low to that score.
        own: maps each own entry to its own score; in the lexicon it has the one that it is judged by
            (`cpfill.problem.rules.admit`).
        avoided: the words that no slot may hold because fills are to differ from given ones.
        narrowed: maps a slot, identified by its direction and first cell, to the words that it may hold; a slot that
            is not a key may hold every word.

    Raises:
        InputError: the grid has no slot, grid and lexicon have different alphabets, a theme word or a required word
            fits no slot or is not in the lexicon, scores cannot be summed exactly, levels do not ascend, or the
            objective takes no levels.
    """

    grid: Grid
    lexicon: Lexicon
    rules: Rules = Rules()
    objective: Objective = Objective.ANY
    theme: Mapping[str, float] = field(default_factory=dict, hash=False)
    levels: tuple[float, ...] = ()
    accepted: tuple[str, ...] = field(default=(), kw_only=True)
    exempt: Mapping[str, float] = field(default_factory=dict, hash=False, kw_only=True)
    own: Mapping[str, float] = field(default_factory=dict, hash=False, kw_only=True)
    avoided: frozenset[str] = field(default=frozenset(), kw_only=True)
    narrowed: Mapping[RunStart, frozenset[str]] = field(default_factory=dict, hash=False, kw_only=True)

    def __post_init__(self) -> None:
        if not self.grid.slots:
            raise expected(
                "a grid with a slot of {min_slot_length} cells", say("none"), min_slot_length=self.grid.min_slot_length
            )
        if self.grid.alphabet != self.lexicon.alphabet:
            raise expected(
                "a lexicon over the grid's alphabet {letters}",
                self.lexicon.alphabet.letters,
                letters=self.grid.alphabet.letters,
            )
        for word, weight in self.theme.items():
            SCORE.check(weight, say("the theme word {word}", word=word))
        self._check_words(say("theme word"), self.theme)
        self._check_words(say("required word"), self.rules.required)
        for level in self.levels:
            SCORE.check(level, "levels")
        if any(lower >= level for lower, level in pairwise(self.levels)):
            raise expected("levels in ascending order", format_value(self.levels))
        if self.levels and self.objective is not Objective.LEXIMIN:
            raise expected("levels with the objective leximin", say("with {objective}", objective=self.objective))
        for criterion in self.criteria:
            if criterion.adds_up:
                self.gains(criterion)

    def _check_words(self, kind: str, words: Iterable[str]) -> None:
        lengths = {slot.length for slot in self.slots}
        for word in sorted(words):
            if len(word) not in lengths:
                has = ", ".join(map(str, sorted(lengths)))
                got = say("{word}, of {word2}", word=word, word2=len(word))
                raise expected("a {kind} as long as a slot of the grid ({has})", got, kind=kind, has=has)
            if self.lexicon.find(word) is None:
                raise expected("a {kind} of the lexicon", word, kind=kind)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The grid's slots."""
        return self.grid.slots

    def word_id(self, word: str) -> WordId:
        """Return the id of a word of the lexicon."""
        return self.lexicon.table(len(word)).ids[word]

    def find_score(self, word: str) -> float | None:
        """Return the own score of an own entry, and the score of any other word of the lexicon."""
        entry = self.lexicon.find(word)
        return None if entry is None else self.own.get(word, entry[0])

    @cached_property
    def tables(self) -> tuple[WordTable, ...]:
        """For each slot, the table its word ids refer to."""
        return tuple(self.lexicon.table(slot.length) for slot in self.slots)

    @cached_property
    def peers(self) -> tuple[tuple[SlotId, ...], ...]:
        """For each slot, the slots that may not hold its word (C3): the others of its length.

        With `repeats`, this applies only to theme words (`singles`); without a theme, slots then have no peers.
        """
        by_length: dict[int, list[SlotId]] = defaultdict(list)
        if any(self.singles.values()):
            for slot in self.slots:
                by_length[slot.length].append(slot.id)
        return tuple(tuple(other for other in by_length[slot.length] if other != slot.id) for slot in self.slots)

    @cached_property
    def constraints(self) -> Constraints:
        """The constraints to which the rules are lowered, for engines."""
        return self.rules.lower({table.length: table for table in self.tables}, self.lexicon)

    @cached_property
    def singles(self) -> Mapping[int, int]:
        """For each word length of the grid, the bitset of the words that may stand in only one slot (C3)."""
        singles = dict(self.constraints.singles)
        for word in self.theme:
            singles[len(word)] |= 1 << self.word_id(word)
        return singles

    @cached_property
    def domains(self) -> tuple[int, ...]:
        """For each slot, the bitset of the words that its cells and rules on single words allow (node consistency)."""
        full = self.grid.alphabet.full
        allowed = dict(self.constraints.words)
        for word in self.avoided:
            if len(word) in allowed and self.lexicon.find(word):
                allowed[len(word)] &= ~(1 << self.word_id(word))
        domains = []
        for slot, table in zip(self.slots, self.tables, strict=True):
            domain = allowed[slot.length]
            for pos, letters in enumerate(map(self.grid.letter_set, slot.places)):
                if letters != full:
                    domain &= table.having(pos, letters)
            kept = self.narrowed.get((slot.direction, slot.cells[0]))
            if kept is not None:
                domain &= sum(1 << table.ids[word] for word in kept if word in table.ids)
            domains.append(domain)
        return tuple(domains)

    @cached_property
    def ranking(self) -> tuple[float, ...]:
        """The distinct scores of the words in `domains`, ascending: the words of a fill can have no other scores."""
        fitting: dict[WordTable, int] = defaultdict(int)
        for table, domain in zip(self.tables, self.domains, strict=True):
            fitting[table] |= domain
        scores = (compress(table.scores, map("1".__eq__, f"{domain:b}"[::-1])) for table, domain in fitting.items())
        return tuple(sorted(set[float]().union(*scores)))

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria that are maximised, the first before the second."""
        last = (Criterion.LEVELS,) if self.levels else self.objective.criteria
        return ((Criterion.THEME,) if self.theme else ()) + last

    @property
    def wants_good(self) -> bool:
        """Whether the objective is a good fill and fills can differ in their scores; an engine may ignore this."""
        return self.objective is Objective.GOOD and len(self.ranking) > 1

    @property
    def measures(self) -> tuple[Criterion, ...]:
        """The meaning of the numbers of a value: the criteria, or the minimum score if nothing is maximised."""
        return self.criteria or (Criterion.MIN,)

    def gains(self, criterion: Criterion) -> Gains:
        """Return the gain of each word for a criterion, V2 or V4.

        Raises:
            InputError: a sum could have more than 15 digits, which floats cannot represent exactly.
        """
        if criterion not in self._gains:
            self._gains[criterion] = self._theme_gains() if criterion is Criterion.THEME else self._score_gains()
            most = max((max(gains, default=0) for gains in self._gains[criterion].by_length.values()), default=0)
            if most * len(self.slots) > _EXACT:
                per_unit = self._gains[criterion].per_unit
                expected = say(
                    "scores whose sum over {slots} slots is exact: smaller or with fewer decimals",
                    slots=len(self.slots),
                )
                got = say("{n:g}, in units of 1/{per_unit}", n=most / per_unit, per_unit=per_unit)
                raise InputError(Fault(expected=expected, got=got))
        return self._gains[criterion]

    @cached_property
    def _gains(self) -> dict[Criterion, Gains]:
        return {}

    def _score_gains(self) -> Gains:
        tables = {table.length: table for table in self.tables}
        own = {word: score for word, score in self.own.items() if len(word) in tables}
        decimals = max([self.lexicon.decimals(tables), *map(count_decimals, own.values())])
        by_length = {length: [*table.units(decimals)] for length, table in tables.items()}
        by_score = True
        for word, score in own.items():
            gains, id_ = by_length[len(word)], self.word_id(word)
            by_score = by_score and gains[id_] == _count_units(score, decimals)
            gains[id_] = _count_units(score, decimals)
        return Gains(by_length, 10**decimals, by_score=by_score)

    def _theme_gains(self) -> Gains:
        decimals = max(count_decimals(weight) for weight in self.theme.values())
        by_length: dict[int, list[int]] = {}
        for table in set(self.tables):
            by_length[table.length] = [0] * len(table)
        for word, weight in self.theme.items():
            by_length[len(word)][self.word_id(word)] = _count_units(weight, decimals)
        return Gains(by_length, 10**decimals, by_score=False)

    def score(self, words: Sequence[WordId]) -> Value:
        """Return the value of a fill, given one word id per slot."""
        return tuple(number for criterion in self.measures for number in self._measure(criterion, words))

    def _measure(self, criterion: Criterion, words: Sequence[WordId]) -> Value:
        if criterion.adds_up:
            gains = self.gains(criterion)
            placed = zip(self.slots, words, strict=True)
            return (sum(gains.by_length[slot.length][word] for slot, word in placed) / gains.per_unit,)
        scores = sorted(table.scores[word] for table, word in zip(self.tables, words, strict=True))
        return self.order(scores) if criterion.is_vector else (scores[0],)

    def judge(self, words: Sequence[str], scores: Sequence[float]) -> list[float]:
        """Return the scores of a fill's words as a good fill counts them.

        A word that is like another one is fair at best, and so is a name that crosses another one where a different
        letter would do.
        """
        faulty = set[str]().union(*self.lexicon.find_alike(words).values())
        for each in list_naticks(self.grid, words, self.lexicon):
            faulty |= {words[each.across], words[each.down]}
        most = LEAST[Band.FAIR]
        return [min(score, most) if word in faulty else score for word, score in zip(words, scores, strict=True)]

    def order(self, scores: Sequence[float]) -> Value:
        """Return V5, given the scores of all words in ascending order."""
        return tuple(0.0 - bisect_left(scores, level) for level in self.levels) or tuple(scores)


def list_naticks(grid: Grid, words: Sequence[str], lexicon: Lexicon) -> list[Crossing]:
    """Return the crossings of two names whose letter cannot be inferred: a different letter makes two fair entries.

    Constructors call such a crossing a natick (Michael Sharp, 2008). `words` has the word of each slot, or no letters.
    """
    names = set(filter(lexicon.is_name, words))
    return [
        each
        for each in (grid.crossings if len(names) > 1 else ())
        if names.issuperset((words[each.across], words[each.down]))
        and lexicon.are_confusable((words[each.across], each.across_pos), (words[each.down], each.down_pos))
    ]


def _count_units(number: float, decimals: int) -> int:
    from fractions import Fraction  # noqa: PLC0415 - slow to import, and only sums need it

    return int(Fraction(repr(number)) * 10**decimals)


_EXACT = 10**15
"""Distinct whole numbers up to 10^15 stay distinct as floats after division by any power of ten."""


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
        """Return, slot by slot, the entries that a fill is judged by, each with its score, if a list has it.

        Those are all but own entries, or all where there are no others.
        """
        words = [self.word_at(slot) for slot in problem.slots]
        judged = [word for word in words if word not in problem.own] or words
        return [(word, problem.find_score(word)) for word in judged]

    def value(self, problem: Problem) -> Value:
        """Return the value, computed from the words; a word that is not in the lexicon scores minus infinity."""
        words = [self.word_at(slot) for slot in problem.slots]
        scores = self._scores(problem)
        numbers = {
            Criterion.THEME: lambda: [_total([problem.theme.get(word, 0.0) for word in words])],
            Criterion.MIN: lambda: [min(scores)],
            Criterion.SUM: lambda: [_total([*map(problem.own.get, words, scores)])],
            Criterion.LEXIMIN: lambda: sorted(scores),
            Criterion.LEVELS: lambda: [0.0 - sum(score < level for score in scores) for level in problem.levels],
        }
        return tuple(number for criterion in problem.measures for number in numbers[criterion]())

    def quality(self, problem: Problem) -> Value:
        """Return the key that compares good fills: the value, if there is an objective, then the judged scores."""
        value = self.value(problem) if problem.criteria else ()
        return (*value, *sorted(problem.judge([*map(self.word_at, problem.slots)], self._scores(problem))))

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
