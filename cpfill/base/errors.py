"""The exceptions cpfill raises, the most that a reader accepts, and the range of each number.

    CpfillError
    ├─ InputError(ValueError)      one or more faults in the input, each with its place
    │   ├─ GridError
    │   ├─ LexiconError
    │   └─ FormatError
    ├─ UnsupportedError            the engine lacks a feature or an option; names the engines that have it
    └─ EngineError                 a fault of the program, never an outcome
        ├─ EngineUnavailableError  says what to install
        └─ InvalidFillError        an engine produced a fill that breaks a rule

"No fill exists" and "out of time" are results (`Status`), never exceptions.

Readers refuse input over a limit with one line, before any work is done. Each limit is far above usual sizes:
files may come from strangers, and a disk image may be passed as a list by mistake. The range of a number holds wherever
it enters: it fits down to the integers of the kernels, CP-SAT and file formats.
"""

from __future__ import annotations

import difflib
import reprlib
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.texts import hear, later, say, say_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import UnionType


class Fault(NamedTuple):
    """A fault of the input: its place, the expected text and the text found.

    Lines and columns count from 1; `None` means that there is no such number.
    """

    expected: str
    got: str
    path: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        path = None if self.path is None else _shown(self.path, _MAX_PATH)
        place = ":".join(str(part) for part in (path, self.line, self.column) if part is not None)
        expected = _shown(self.expected, _MAX_EXPECTED)
        found = _shown(self.got, _MAX_GOT)
        message = say("expected {expected}, found {found}", expected=expected, found=found)
        if place:
            return f"{place}: {message}"
        return message


_MAX_PATH = 200
_MAX_EXPECTED = 500
_MAX_GOT = 100
"""The most characters a message shows of each part; `got` may be a whole file."""


def _shown(text: str, most: int) -> str:
    """Return a text as one printable line of at most `most` characters and an ellipsis.

    A text from a file must neither flood the terminal nor send it control characters.
    """
    printable = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in _shortened(text, most))
    return _shortened(printable, most)


def _shortened(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}…{text[-(most // 2) :]}"


class CpfillError(Exception):
    """The base of every exception that cpfill raises on purpose."""


class InputError(CpfillError, ValueError):
    """Bad input. `faults` lists everything found wrong; the message has one line for each fault."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


class GridError(InputError):
    """A grid that cannot be read."""


class LexiconError(InputError):
    """A word list that cannot be read."""


class EmptyListError(LexiconError):
    """A word list without a line, or with comments alone."""


class FormatError(InputError):
    """An unknown format or dialect, or input that does not follow its format."""


def expected(
    message: str,
    got: str,
    path: str | None = None,
    line: int | None = None,
    column: int | None = None,
    *,
    error: type[InputError] = InputError,
    **values: object,
) -> InputError:
    """Return the error of one fault, to be raised: `message` describes the expected input; its fields are `values`.

    `got` is shown unchanged, so pass a text of the program through `say` first.
    """
    return error(Fault(say(message, **values), got, path, line, column))


class UnsupportedError(CpfillError):
    """The engine lacks a feature or an option that the request needs."""


class EngineError(CpfillError):
    """A fault of an engine: a wrong answer, a crash, or two engines that disagree."""


class EngineUnavailableError(EngineError):
    """The engine needs something that is not installed."""


class InvalidFillError(EngineError):
    """The audit rejected a fill."""


def tell_reason(error: Exception) -> str:
    """Return why the system refused something, without a capital."""
    return hear((getattr(error, "strerror", None) or str(error)).lower())


def check_type(value: object, kinds: type | tuple[type, ...] | UnionType, said: str) -> None:
    """Check the type of an argument of the library; `said` describes the expected type.

    Raises:
        TypeError: the type is wrong.
    """
    if not isinstance(value, kinds):
        raise wrong_type(said, value)


def wrong_type(said: str, value: object) -> TypeError:
    """Return the error of an argument of the wrong type, to be raised; `said` describes the expected type."""
    return TypeError(f"expected {said}; got {value!r:.60}")


def unknown_name(kind: str, name: str, known: Iterable[str]) -> Fault:
    """Return the fault of an unknown `name`, which suggests the nearest of the `known` names."""
    choices = sorted(known)
    # Suffixes are compared without their point, which all of them share: it makes .docx look close to .xd.
    bare = {choice.lstrip("."): choice for choice in choices}
    near = difflib.get_close_matches(name.lower().lstrip("."), bare, n=1)
    hint = ""
    if near:
        hint = say(" (did you mean '{name}'?)", name=bare[near[0]])
    expected = say("{kind}: one of {choices}", kind=say(kind), choices=", ".join(choices))
    return Fault(expected, got=f"'{name}'{hint}")


MAX_TEXT_BYTES = 1 << 22
"""Size of a grid or a puzzle, unpacked; usual ones take a few kilobytes."""

MAX_SUITE_BYTES = 1 << 16
"""Size of a suite or a table of known answers; the longest of the classics takes 10 kB."""

MAX_LINE_BYTES = 1 << 12
"""Length of a line in a suite or a word list; the longest word of a grid, at four bytes a letter, takes a quarter."""

MAX_ODD_LINES = 2_000_000
"""Lines of a word list that hold no word; telling one from an oddly written word takes a few microseconds."""

MAX_LIST_BYTES = 1 << 27
"""Size of a word list, a file of clues or jobs, a dictionary, or a text to take words from.

A million words take 20 MB.
"""

MAX_RECORD_BYTES = 1 << 22
"""Size of a record in a file of results, or of the first line of a journal; a fill of the largest grid takes 0.3 MB."""

MAX_CUBE_BYTES = 1 << 28
"""Size of a line of a journal, which holds the fills of one cube out of hundreds, at one byte per cell."""

MAX_BENCH_BYTES = 1 << 28
"""Size of the results of a benchmark, which a report loads into memory as a whole; a run takes 1.5 kB."""

MAX_SIDE = 255
"""Rows or columns of a grid; `.puz` stores no larger number, and every fill must be writable."""

MAX_CELLS = 1 << 20
"""Cells of all grids in a text, or of all words in a file; as many as 4,600 grids of 15x15 have."""

MAX_GRIDS = 10_000
"""Grids in a text; each costs time beyond that for its cells."""

MAX_CLUES = 100_000
"""Clues of a puzzle; a grid of the largest size has 65,000 slots."""

MAX_LINES = 100_000
"""Lines in the text of a puzzle, which has about one line per clue."""

MAX_TEXT = 10_000
"""Characters of a clue, a title or any other text."""

MAX_ANSWER = 100
"""Characters of a cell; a rebus cell has about ten. A file may state an answer once and use it in every cell."""

MAX_ROW = MAX_SIDE * MAX_ANSWER
"""Characters of a line that holds a row of a grid, where a letter set or a rebus is one cell."""

MAX_MARKS = 30
"""Combining marks on one letter; the time to put them in order grows with the square of their number."""

MAX_ELEMENTS = 200_000
"""XML elements of a puzzle; each cell is one."""

MAX_DEPTH = 50
"""Nesting depth of XML elements, and of the brackets of JSON."""


def megabytes(budget: int) -> str:
    """Return a limit in bytes as messages show it."""
    if budget >> 20:
        return say("at most {n} MB", n=budget >> 20)
    return say("at most {n} kB", n=budget >> 10)


_DIGITS = 20
"""No number of any range has more digits, so messages do not print longer ones."""


class Range(NamedTuple):
    """The numbers from `low` to `high`, both included.

    Attributes:
        noun: the name of the number in messages.
        whole: whether only whole numbers are allowed.
        finest: the smallest size of a number besides 0.
    """

    low: int
    high: int
    noun: str = later("a whole number")
    whole: bool = True
    finest: float = 0.0

    def __str__(self) -> str:
        """Return the range as messages show it."""
        noun = say(self.noun)
        high = _power(self.high)
        if self.finest:
            return say("{noun} (0, or {finest:g} to {high})", noun=noun, finest=self.finest, high=high)
        return say("{noun} from {low} to {high}", noun=noun, low=self.low, high=high)

    def holds(self, number: Any) -> bool:
        """Return whether a value is a number in the range."""
        of_kind = isinstance(number, Integral if self.whole else Real)
        if isinstance(number, bool) or not of_kind:
            return False
        return bool(self.low <= number <= self.high and (not number or abs(number) >= self.finest))

    def check(self, number: object, name: str, error: type[InputError] = InputError) -> None:
        """Check a number; `name` identifies it in the message."""
        if not self.holds(number):
            raise error(Fault(say("{expected} for {name}", expected=self, name=name), quote_value(number)))

    def read(self, text: str) -> int | None:
        """Return the whole number that `text` spells in digits, or `None` if that is not in the range."""
        if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
            return None
        number = int(text)
        if self.holds(number):
            return number
        return None

    def after(self, number: int, steps: int) -> int:
        """Return the number `steps` after `number`; the range wraps around from `high` to `low`."""
        return self.low + (number - self.low + steps) % (self.high - self.low + 1)


SEED = Range(0, 10**18)
"""Python's generator treats the seeds -1 and 1 alike, and the kernels take 64 bits."""

WORKERS = Range(1, 256)
"""Threads or processes. CP-SAT takes 10 MB for each on a usual grid; larger machines are rare."""

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
    """Return a value as messages show it; a long value is cut."""
    if isinstance(value, int) and abs(value) >= 10**_DIGITS:
        return say("a number of over {digits} digits", digits=_DIGITS)
    try:
        if isinstance(value, int | float):
            return repr(value)
        return reprlib.repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or hundreds of nested brackets
        return say("a {kind} too large to show", kind=type(value).__name__)


def _power(number: int) -> str:
    """Return a number, written as 10^n if it is a large power of ten."""
    zeros = len(str(number)) - 1
    if zeros >= 9 and number == 10**zeros:
        return f"10^{zeros}"
    return str(number)


def name_first(names: Sequence[str], most: int, between: str = ", ") -> str:
    """Return the first of some names, and how many others there are."""
    others = len(names) - most
    told = between.join(names[:most])
    if others > 0:
        return told + say(" and {others}", others=say_count(others, "other"))
    return told
