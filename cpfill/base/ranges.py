"""The range of each number, stated once for every place it enters: a command line, a list, a job, a suite, a program.

A number within its range fits everywhere, down to the integers of the kernels, CP-SAT and file formats.
"""

from __future__ import annotations

import reprlib
from numbers import Integral, Real
from typing import Any, NamedTuple

from cpfill.base.errors import Fault, InputError
from cpfill.base.input_limits import MAX_SIDE
from cpfill.base.texts import later, say

_DIGITS = 20
"""No number of any range has more digits, so messages do not print longer ones."""


class Range(NamedTuple):
    """The numbers from `low` to `high`, both included.

    Attributes:
        noun: what messages call the number.
        whole: whether only whole numbers are allowed.
        finest: the smallest number allowed besides 0.
    """

    low: int
    high: int
    noun: str = later("a whole number")
    whole: bool = True
    finest: float = 0.0

    def __str__(self) -> str:
        """Return the range as messages show it."""
        noun, high = say(self.noun), _power(self.high)
        if self.finest:
            return say("{noun} (0, or {finest:g} to {high})", noun=noun, finest=self.finest, high=high)
        return say("{noun} from {low} to {high}", noun=noun, low=self.low, high=high)

    def holds(self, number: Any) -> bool:  # noqa: ANN401 - a value of any type
        """Return whether a value is a number in the range."""
        of_kind = isinstance(number, Integral if self.whole else Real)
        if isinstance(number, bool) or not of_kind:
            return False
        return bool(self.low <= number <= self.high and (not number or number >= self.finest))

    def check(self, number: object, name: str, error: type[InputError] = InputError) -> None:
        """Check a number; `name` identifies it in the message.

        Raises:
            InputError: (of the class `error`) the number is not in the range.
        """
        if not self.holds(number):
            raise error(Fault(say("{expected} for {name}", expected=self, name=name), quote_value(number)))

    def read(self, text: str) -> int | None:
        """Return the whole number that `text` spells in digits, or `None` if that is not in the range."""
        if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
            return None
        number = int(text)
        return number if self.holds(number) else None

    def after(self, number: int, steps: int) -> int:
        """Return the number `steps` after `number`; the range wraps around from `high` to `low`."""
        return self.low + (number - self.low + steps) % (self.high - self.low + 1)


SEED = Range(0, 10**18)
"""Python's generator treats the seeds -1 and 1 alike, and the kernels take 64 bits."""

WORKERS = Range(1, 256)
"""Threads or processes. CP-SAT takes 10 MB for each on a usual grid; no one has more processors to spare."""

NODES = Range(1, 10**15)
"""The maximum takes years of search; CP-SAT and the kernels count in 63 bits."""

COUNT = Range(1, 10**15)
"""Fills, grids, words or clues that are produced one after another; the maximum exceeds any disk."""

RUNS = Range(1, 100_000)
"""Runs of a benchmark or of an estimate; each stays in memory."""

SLOT_LENGTH = Range(1, MAX_SIDE)
"""Letters of a slot, or of a part of one."""

SLOTS = Range(1, 2 * MAX_SIDE**2)
"""Slots of a grid: a cell is in at most two."""

LETTERS = Range(1, 10**9)
"""Letters of a word, or of all words of a list; the longest list that is accepted has fewer."""

SCORE = Range(0, 10**16, later("a score"), whole=False, finest=1e-15)
"""Lists have 1 to 100, counts, probabilities, or logarithms with 17 digits. The compiled reader of lists accepts up to
15 digits with a point among them without a check; all of those are in this range. `Problem.gains` checks whether sums
are exact."""

SECONDS = Range(0, 366 * 86_400, later("seconds"), whole=False)
"""The maximum is a year, which timers and locks of the system can still wait for."""


def quote_value(value: object) -> str:
    """Return a value as messages show it; a long one is cut."""
    if isinstance(value, int) and abs(value) >= 10**_DIGITS:
        return say("a number of over {digits} digits", digits=_DIGITS)
    try:
        return repr(value) if isinstance(value, int | float) else reprlib.repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or hundreds of nested brackets
        return say("a {kind} too large to show", kind=type(value).__name__)


def _power(number: int) -> str:
    """Return a number, written as 10^n if it is a large power of ten."""
    zeros = len(str(number)) - 1
    return f"10^{zeros}" if zeros >= 9 and number == 10**zeros else str(number)
