"""The exceptions cpfill raises.

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
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterable


class Fault(NamedTuple):
    """One thing wrong with the input: where, what was expected, what was found.

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
        expected, found = _shown(self.expected, _MAX_EXPECTED), _shown(self.got, _MAX_GOT)
        message = say("expected {expected}, found {found}", expected=expected, found=found)
        return f"{place}: {message}" if place else message


_MAX_PATH, _MAX_EXPECTED, _MAX_GOT = 200, 500, 100
"""The most characters a message shows of each part; `got` may be a whole file."""


def _shown(text: str, most: int) -> str:
    """Return a text as one printable line of at most `most` characters and an ellipsis.

    A text from a file must neither flood the terminal nor send it control characters.
    """
    printable = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in _shortened(text, most))
    return _shortened(printable, most)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-(most // 2) :]}"


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


class FormatError(InputError):
    """An unknown format or dialect, or input that does not follow its format."""


class UnsupportedError(CpfillError):
    """The engine lacks a feature or an option that the request needs."""


class EngineError(CpfillError):
    """A fault of an engine: a wrong answer, a crash, or two engines that disagree."""


class EngineUnavailableError(EngineError):
    """The engine needs something that is not installed."""


class InvalidFillError(EngineError):
    """The audit rejected a fill."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> Fault:
    """Return the fault of an unknown `name`, which suggests the nearest of the `known` names."""
    choices = sorted(known)
    # Suffixes are compared without their point, which all of them share: it makes .docx look close to .xd.
    bare = {choice.lstrip("."): choice for choice in choices}
    near = difflib.get_close_matches(name.lower().lstrip("."), bare, n=1)
    hint = say(" (did you mean '{name}'?)", name=bare[near[0]]) if near else ""
    expected = say("{kind}: one of {choices}", kind=say(kind), choices=", ".join(choices))
    return Fault(expected, got=f"'{name}'{hint}")
