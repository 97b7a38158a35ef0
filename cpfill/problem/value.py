"""The value of a fill: its criteria, how it is shown and compared, and the gains of words that add up to it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from operator import neg
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import expected
from cpfill.base.texts import later, say
from cpfill.problem.constraints import HALVES, add_up, list_unspelled, weigh_kinds
from cpfill.words.wordlist import count_decimals, format_decimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.grid import Grid, Place
    from cpfill.words.lexicon import WordTable

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
    LETTERS = "letters"
    """V6: the sum of the values of the letters."""

    @property
    def adds_up(self) -> bool:
        """Whether the criterion is a sum over the words."""
        return self in {Criterion.THEME, Criterion.SUM, Criterion.LETTERS}

    @property
    def is_vector(self) -> bool:
        """Whether the criterion takes all the remaining numbers of a value."""
        return self in {Criterion.LEXIMIN, Criterion.LEVELS}


_SHOWN = 8
"""The most numbers of a value that are shown to people; a comparison shows more if needed to reach the first that
differs."""


def format_value(value: Value, shown: int = _SHOWN, separator: str = " / ") -> str:
    """Return a value for people: its first numbers, each with the fewest digits that identify it."""
    text = separator.join(map(format_decimal, value[:shown]))
    if len(value) > shown:
        text += " …"
    return text


def describe_value(measures: Sequence[Criterion], value: Value, *, verb: str = "", shown: int = _SHOWN) -> str:
    """Return a value in words, number by number; `verb` precedes the first number."""
    parts = []
    for place, each in enumerate(measures[: len(value)]):
        words = [say(_NAMES[each])]
        if verb and place == 0:
            words.append(verb)
        words.append(_format_part(each, value[place:], shown))
        parts.append(" ".join(words))
    return ", ".join(parts)


def describe_bound(measures: Sequence[Criterion], bound: Value) -> str:
    """Return in words the values that a bound rules out."""
    if not measures[-1].is_vector:
        return say("a {value}", value=describe_value(measures, bound, verb=say("over")))
    return say("better than {value}", value=describe_value(measures, bound))


def describe_gap(measures: Sequence[Criterion], value: Value, bound: Value) -> str:
    """Return in words a value and its bound, up to the first number that differs."""
    pairs = zip(value, bound, strict=False)
    differing = [place for place, (one, other) in enumerate(pairs) if one != other]
    first = min(differing, default=0)
    shown = max(_SHOWN, first + 1)
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
    if measure.is_vector:
        return format_value(numbers, shown, ", ")
    return format_value(numbers[:1])


_NAMES = {
    Criterion.THEME: later("theme"),
    Criterion.MIN: later("minimum score"),
    Criterion.SUM: later("sum of scores"),
    Criterion.LEXIMIN: later("worst scores"),
    Criterion.LEVELS: later("words under each level"),
    Criterion.LETTERS: later("letter values"),
}


def value_to_json(value: Value | None) -> float | list[float] | None:
    """Return a value for machines: one number as a number, several as a list."""
    if value is None:
        return None
    if len(value) == 1:
        return value[0]
    return list(value)


def value_from_json(number: float | list[float] | None) -> Value | None:
    """Return the value that `value_to_json` converted."""
    if number is None:
        return None
    if isinstance(number, list):
        return tuple(number)
    return (number,)


def exceeds(value: Value, bound: Value) -> bool:
    """Return whether a value or a bound is greater than another bound, which may be shorter."""
    return value[: len(bound)] > bound


def is_tighter(bound: Value, other: Value | None) -> bool:
    """Return whether a bound is tighter than the one known so far, if there is one."""
    if other is None:
        return True
    shared = min(len(bound), len(other))
    return (bound[:shared], -len(bound)) < (other[:shared], -len(other))


_BLOCK = "BLOCK"
"""The entry of blocks in a list of letter values."""


class LetterValues(NamedTuple):
    """Attributes: letters: the value of each letter; block: the value of a block. All are at least 0."""

    letters: Mapping[str, float]
    block: float = 0.0

    @classmethod
    def of_list(cls, given: Mapping[str, float], alphabet: Alphabet) -> LetterValues:
        """Return the values in a weighted list: of letters, and of a block under BLOCK; other letters are worth 0.

        Raises:
            InputError: an entry of the list is neither.
        """
        values = dict(given)
        block = values.pop(_BLOCK, 0.0)
        for entry in values:
            if entry not in alphabet.codes:
                raise expected("letters and BLOCK in a list of letter values", entry)
        return cls(values, block)

    @property
    def decimals(self) -> int:
        """The most decimals of a value."""
        return max(map(count_decimals, [*self.letters.values(), self.block]))

    def list_values(self, letters: Iterable[str]) -> list[float]:
        """Return the value of each letter of a fill and of its blocks, given one text per cell."""
        values: list[float] = []
        for text in letters:
            if text:
                values += [self.letters.get(letter, 0.0) for letter in text]
            else:
                values.append(self.block)
        return values


SCRABBLE = LetterValues(
    {
        **dict.fromkeys("AEILNORSTU", 1.0),
        **dict.fromkeys("DG", 2.0),
        **dict.fromkeys("BCMP", 3.0),
        **dict.fromkeys("FHVWY", 4.0),
        **dict.fromkeys("K", 5.0),
        **dict.fromkeys("JX", 8.0),
        **dict.fromkeys("QZ", 10.0),
    }
)
"""The values of the English edition of Scrabble; other letters are worth 0."""


class Gains:
    """The gains of all words.

    Attributes:
        by_kind: `by_kind[k][w]` is the gain of word `w` in a slot of kind `k` (`Problem.kinds`).
        per_unit: a gain of g stands for g / `per_unit`.
        by_score: whether gains follow the scores: word ids are then in descending order of gain.
        step: the gains of the words of a fill add up to a multiple of it.
    """

    def __init__(self, by_kind: Mapping[int, Sequence[int]], per_unit: int, *, by_score: bool, step: int = 1) -> None:
        self.by_kind = by_kind
        self.per_unit = per_unit
        self.by_score = by_score
        self.step = step

    @cached_property
    def levels(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """For each kind, each gain over 0 in descending order, with the bitset of the words that have it."""
        return {kind: _list_levels(gains) for kind, gains in self.by_kind.items()}

    def find_best(self, kind: int, domain: int) -> int:
        """Return the greatest gain of a word in the domain of a slot of a kind, 0 for an empty domain."""
        if self.by_score:
            if not domain:
                return 0
            first = (domain & -domain).bit_length() - 1
            return self.by_kind[kind][first]
        for gain, words in self.levels[kind]:
            if domain & words:
                return gain
        return 0

    def select(self, kind: int, least: int) -> int:
        """Return the words whose gain is at least `least` > 0."""
        if self.by_score:
            return (1 << bisect_right(self.by_kind[kind], -least, key=neg)) - 1
        return sum(words for gain, words in self.levels[kind] if gain >= least)


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


def find_letter_gains(
    values: LetterValues,
    grid: Grid,
    kinds: Sequence[int],
    tables: Mapping[int, WordTable],
    weights: Mapping[Place, int],
) -> Gains:
    """Return gains in halves of a unit (V6); the first slot, of a kind of its own, gains what stands in no slot.

    `kinds` has the kind of each slot, `tables` the table of each kind, `weights` that of each place of a slot.
    """
    decimals = values.decimals
    worth = [count_units(values.letters.get(letter, 0.0), decimals) for letter in grid.alphabet.letters]
    weighed = weigh_kinds(weights, grid.slots, kinds)
    by_kind = {kind: add_up(table, weighed[kind], worth) for kind, table in tables.items()}
    besides = map(grid.first_letters.__getitem__, list_unspelled(grid))
    units = HALVES * sum(count_units(value, decimals) for value in values.list_values(besides))
    by_kind[kinds[0]] = [units + gain for gain in by_kind[kinds[0]]]
    return Gains(by_kind, HALVES * 10**decimals, by_score=False, step=HALVES)


def count_units(number: float, decimals: int) -> int:
    """Return a number of some decimals in units of its last decimal."""
    from fractions import Fraction

    return int(Fraction(repr(number)) * 10**decimals)


def count_under(scores: Sequence[float], levels: Iterable[float]) -> list[float]:
    """Return minus the number of scores under each level."""
    return [0.0 - sum(score < level for score in scores) for level in levels]


def add_decimals(scores: Sequence[float]) -> float:
    """Return the exact sum of the numbers as written in decimals, rounded once."""
    from fractions import Fraction

    if -math.inf in scores:
        return -math.inf
    return float(sum(Fraction(repr(score)) for score in scores))
