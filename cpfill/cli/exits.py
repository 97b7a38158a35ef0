"""Exit codes, and lines on standard error."""

from __future__ import annotations

import sys
from contextlib import suppress
from enum import IntEnum
from typing import TYPE_CHECKING, Self

from cpfill.base.errors import CpfillError, EngineError, Fault, InputError
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cpfill.problem.result import SolveResult


class Exit(IntEnum):
    """The exit codes of a run, and what each means."""

    meaning: str

    def __new__(cls, code: int, meaning: str = "") -> Self:
        """Return the exit code of that number; `Exit(20)` needs no meaning."""
        exit_ = int.__new__(cls, code)
        exit_._value_ = code
        exit_.meaning = meaning
        return exit_

    ANSWERED = 0, "a fill, or the complete answer asked for"
    FAULT = 1, "a fault; engines that disagree, a fill that breaks a rule, a proof that is refused, a job that failed"
    BAD_INPUT = 2, "bad usage or bad input: a line for each fault says where, what was expected and what was found"
    NO_FILL = 20, "proved: no fill exists, or none that differs as --different-from asks"
    LIMIT = 124, "a limit was reached before an answer; `verify`: something was not checked"
    INTERRUPTED = 130, "interrupted; what was found so far is printed"


_GRAVEST_FIRST = (Exit.INTERRUPTED, Exit.FAULT, Exit.BAD_INPUT, Exit.LIMIT, Exit.NO_FILL, Exit.ANSWERED)


def exit_of(result: SolveResult, *, all_asked: bool) -> Exit:
    """Return the exit code of one search; `all_asked` if nothing less than every fill is the answer."""
    from cpfill.problem.event import StopReason  # noqa: PLC0415 - slow to import, and not every run is a search
    from cpfill.problem.result import Status  # noqa: PLC0415 - likewise

    if result.status.refuted:
        return Exit.NO_FILL
    if result.stop_reason is StopReason.INTERRUPTED:
        return Exit.INTERRUPTED
    if result.status is Status.UNKNOWN or (all_asked and result.status is Status.SATISFIED):
        return Exit.LIMIT
    return Exit.ANSWERED


def gravest(codes: Iterable[Exit]) -> Exit:
    """Return the exit code of several runs together."""
    return min(codes, key=_GRAVEST_FIRST.index, default=Exit.ANSWERED)


def complain(error: CpfillError) -> Exit:
    """Print an error, a line for each thing wrong, and return its exit code."""
    for line in str(error).split("\n"):
        warn(line)
    return Exit.FAULT if isinstance(error, EngineError) else Exit.BAD_INPUT


def warn(message: str) -> None:
    """Print a line on standard error, if there is one: a terminal may just have been closed."""
    with suppress(OSError):
        print(say("cpfill: {message}", message=message), file=sys.stderr)


def usage_error(expected: str, got: str) -> InputError:
    """Return the error of an option that makes no sense."""
    return InputError(Fault(expected=expected, got=got))
