"""The range of each number, stated once, wherever it enters: a command line, a list, a job, a suite, a program.

Within its range a number works in everything that takes it, down to the integers of the kernels, CP-SAT and formats.
"""

from __future__ import annotations

import reprlib
from numbers import Integral, Real
from typing import Any, NamedTuple

from cpfill.base.errors import Fault, InputError
from cpfill.base.input_limits import MAX_SIDE

_DIGITS = 20
"""No number of any range has more; of one that has there is nothing to see in the others."""


class Range(NamedTuple):
    """What a number may be: from `low` to `high`, both included.

    Attributes:
        noun: what it is, in messages.
        whole: it has no decimals.
        finest: where it is not 0, it is no smaller than this.
    """

    low: int
    high: int
    noun: str = "a whole number"
    whole: bool = True
    finest: float = 0.0

    def __str__(self) -> str:
        """Return what to expect."""
        if self.finest:
            return f"{self.noun} (0, or {self.finest:g} to {_power(self.high)})"
        return f"{self.noun} from {self.low} to {_power(self.high)}"

    def holds(self, number: Any) -> bool:  # noqa: ANN401 - of whatever type
        """Return whether this is such a number."""
        of_kind = isinstance(number, Integral if self.whole else Real)
        if isinstance(number, bool) or not of_kind:
            return False
        return bool(self.low <= number <= self.high and (not number or number >= self.finest))

    def check(self, number: object, name: str, error: type[InputError] = InputError) -> None:
        """Check a number; `name` says in the message which it is.

        Raises:
            InputError: (of the class `error`) it is not in the range.
        """
        if not self.holds(number):
            raise error(Fault(f"{self} for {name}", quote_value(number)))

    def read(self, text: str) -> int | None:
        """Return the whole number that some digits are; `None` if they are none of the range."""
        if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
            return None
        number = int(text)
        return number if self.holds(number) else None

    def after(self, number: int, steps: int) -> int:
        """Return the number `steps` after another one; the least comes after the greatest."""
        return self.low + (number - self.low + steps) % (self.high - self.low + 1)


SEED = Range(0, 10**18)
"""Python's random numbers take -1 for 1, and the kernels 64 bits."""

WORKERS = Range(1, 256)
"""Threads, or processes: CP-SAT takes 10 MB for each on a usual grid, and nobody has more processors to spare."""

NODES = Range(1, 10**15)
"""Years of search; CP-SAT and the kernels count in 63 bits."""

COUNT = Range(1, 10**15)
"""Of what is asked for one after another: fills, grids, words, clues. More than any disk holds."""

RUNS = Range(1, 100_000)
"""Of a benchmark, or of an estimate; each is remembered."""

SLOT_LENGTH = Range(1, MAX_SIDE)
"""The letters of a slot, or of a part of one."""

SLOTS = Range(1, 2 * MAX_SIDE**2)
"""How many a grid has: a cell is in two at most."""

LETTERS = Range(1, 10**9)
"""Of a word, or of the words of a list; the greatest list that is read has fewer."""

SCORE = Range(0, 10**16, "a score", whole=False, finest=1e-15)
"""Lists have 1 to 100, counts, probabilities, or logarithms with 17 digits. What the compiled reader of lists takes
without asking, 15 digits with a point among them, is in this range. Whether sums are exact is for `Problem.gains`."""

SECONDS = Range(0, 366 * 86_400, "seconds", whole=False)
"""A year: what a timer and a lock of the system can still wait for."""


def quote_value(value: object) -> str:
    """Return a value for messages, a long one cut."""
    if isinstance(value, int) and abs(value) >= 10**_DIGITS:
        return f"a number of over {_DIGITS} digits"
    try:
        return repr(value) if isinstance(value, int | float) else reprlib.repr(value)
    except (ValueError, RecursionError):  # it has a number of thousands of digits in it, or hundreds of brackets
        return f"a {type(value).__name__} of too much"


def _power(number: int) -> str:
    """Return a large power of ten as one."""
    zeros = len(str(number)) - 1
    return f"10^{zeros}" if zeros >= 9 and number == 10**zeros else str(number)
