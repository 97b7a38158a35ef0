"""The value of a fill: its criteria, and how values are written and compared."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from cpfill.base.texts import later, say
from cpfill.words.wordlist import format_decimal

if TYPE_CHECKING:
    from collections.abc import Sequence


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
