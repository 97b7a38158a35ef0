"""What reads the value of each field of a request, whoever gives it, and what JSON has of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import Fault, InputError, unknown_name
from cpfill.base.ranges import OBSCURE, SCORE, SLOT_LENGTH, Range, quote_value
from cpfill.formats.dialects import get_dialect
from cpfill.problem.problem import Objective
from cpfill.words.wordlist import ListFile


def _wrong(expected: str, name: str, value: object) -> InputError:
    return InputError(Fault(f"{expected} for {name}", quote_value(value)))


def check_text(expected: str, name: str, value: object) -> str:
    """Return a text.

    Raises:
        InputError: it is none.
    """
    if not isinstance(value, str):
        raise _wrong(expected, name, value)
    return value


def check_texts(expected: str, name: str, value: object) -> tuple[str, ...]:
    """Return texts, of which one may stand alone.

    Raises:
        InputError: it is no text, and no array of them.
    """
    texts = [value] if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []
    if not texts or not all(isinstance(each, str) for each in texts):
        raise _wrong(expected, name, value)
    return tuple(texts)


def _objective(name: str, value: object) -> Objective:
    text = check_text("the name of an objective", name, value)
    if text not in set(Objective):
        raise InputError(unknown_name("an objective", text, Objective))
    return Objective(text)


def read_alphabet(name: str, value: object) -> Alphabet:
    """Return an alphabet, or the one of a name or of letters.

    Raises:
        InputError: it is none of all that.
    """
    if isinstance(value, Alphabet):
        return value
    return Alphabet.named(check_text("an alphabet, its letters or its name,", name, value))


def _dialect(name: str, value: object) -> str:
    return get_dialect(check_text("the name of a dialect", name, value)).NAME


def _words(name: str, value: object) -> tuple[str, ...]:
    several = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    words = tuple(value) if several and isinstance(value, Iterable) else value
    return () if words == () else check_texts("a word, or an array of them,", name, words)


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _wrong("true or false", name, value)
    return value


def _slots(name: str, value: object) -> tuple[str, ...]:
    return () if value in ((), []) else check_texts("a slot such as 17-Across, or an array of them,", name, value)


def _region(name: str, value: object) -> str:
    return check_text("a region, such as 17-Across, R1C9:R5C15 or NE,", name, value)


def _number(within: Range) -> Callable[[str, Any], float]:
    def read(name: str, value: Any) -> float:  # noqa: ANN401 - whatever holds a number
        within.check(value, name)
        return int(value) if within.whole else float(value)

    return read


def _levels(name: str, value: object) -> tuple[float, ...]:
    """Return scores, which may be a text with commas, rising."""
    if isinstance(value, str):
        try:
            value = [float(text) for text in value.split(",")]
        except ValueError:
            raise _wrong("scores, with commas between them,", name, value) from None
    given: list[Any] = list(value) if isinstance(value, Iterable) else [value]
    for level in given:
        SCORE.check(level, name)
    return tuple(sorted({float(level) for level in given}))


READERS: dict[str, Callable[[str, Any], object]] = {
    "levels": _levels,
    "objective": _objective,
    "require": _words,
    "repeats": _flag,
    "min_score": _number(SCORE),
    "no_shared": _number(SLOT_LENGTH),
    "max_obscure": _number(OBSCURE),
    "below": _number(SCORE),
    "alphabet": read_alphabet,
    "min_slot_length": _number(SLOT_LENGTH),
    "dialect": _dialect,
    "strict": _flag,
    "uncensored": _flag,
    "open": _slots,
    "slot": _slots,
    "clear": _region,
    "keep": _region,
}
"""What reads the value of a field, whoever gives it."""


def to_plain(value: object) -> object:
    """Return the value of a field as JSON has it.

    Raises:
        TypeError: it is in memory, and has no name.
    """
    match value:
        case tuple() | list():
            return [to_plain(each) for each in value]
        case ListFile():
            return value.name
        case Alphabet():
            return value.letters
        case None | str() | int() | float():
            return value
        case _:
            raise TypeError(f"expected a name; got {value!r:.60}")
