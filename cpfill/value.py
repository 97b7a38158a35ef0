"""What a fill is worth: its criteria, and how values are told and compared."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from cpfill.lexicon.decimals import format_decimal

if TYPE_CHECKING:
    from collections.abc import Sequence


Value = tuple[float, ...]
"""What a fill is worth: one number a criterion, the first counts most; tuples compare as they should."""


class Criterion(StrEnum):
    """One number of a value."""

    THEME = "theme"
    """V4: the sum of the weights of the theme words."""
    MIN = "min"
    """V1: the minimum word score."""
    SUM = "sum"
    """V2: the sum of the word scores."""


def format_value(value: Value) -> str:
    """Return a value for people: its numbers in as few digits as tell them from any others."""
    return " / ".join(map(format_decimal, value))


def describe_value(measures: Sequence[Criterion], value: Value, *, verb: str = "") -> str:
    """Return a value in words, number by number; `verb` goes before the first."""
    first, *others = [
        f"{_NAMES[each]} {{}}{format_value((number,))}" for each, number in zip(measures, value, strict=False)
    ]
    return ", ".join([first.format(f"{verb} " if verb else ""), *(other.format("") for other in others)])


_NAMES = {Criterion.THEME: "theme", Criterion.MIN: "minimum score", Criterion.SUM: "sum of scores"}


def value_to_json(value: Value | None) -> float | list[float] | None:
    """Return a value for machines: one number as a number, several as a list."""
    return value if value is None else value[0] if len(value) == 1 else list(value)


def value_from_json(number: float | list[float] | None) -> Value | None:
    """Return the value of what `value_to_json` returned."""
    return None if number is None else tuple(number) if isinstance(number, list) else (number,)


def exceeds(value: Value, bound: Value) -> bool:
    """Return whether a value, or another bound, is over a bound, which may be the shorter of the two."""
    return value[: len(bound)] > bound


def is_tighter(bound: Value, other: Value | None) -> bool:
    """Return whether a bound says more than another one that is known, if any is."""
    if other is None:
        return True
    shared = min(len(bound), len(other))
    return (bound[:shared], -len(bound)) < (other[:shared], -len(other))
