"""The value of a fill: its criteria, how it is shown and compared, and the gains of words that add up to it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from operator import neg
from typing import TYPE_CHECKING

from cpfill.base.texts import later, say
from cpfill.words.wordlist import format_decimal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


class Gains:
    """The gains of all words.

    Attributes:
        by_length: `by_length[n][w]` is the gain of word `w` of length `n`.
        per_unit: a gain of g stands for g / `per_unit`.
        by_score: whether gains follow the scores: word ids are then in descending order of gain.
    """

    def __init__(self, by_length: Mapping[int, Sequence[int]], per_unit: int, *, by_score: bool) -> None:
        self.by_length = by_length
        self.per_unit = per_unit
        self.by_score = by_score

    @cached_property
    def levels(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """For each length, each gain over 0 in descending order, with the bitset of the words that have it."""
        return {length: _list_levels(gains) for length, gains in self.by_length.items()}

    def find_best(self, length: int, domain: int) -> int:
        """Return the greatest gain of a word in a domain, 0 for an empty domain."""
        if self.by_score:
            if not domain:
                return 0
            first = (domain & -domain).bit_length() - 1
            return self.by_length[length][first]
        for gain, words in self.levels[length]:
            if domain & words:
                return gain
        return 0

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
