"""Events, results and problems as people and programs read them."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self

from cpfill.base.texts import later, say, say_count
from cpfill.problem.event import Progress, StopReason
from cpfill.problem.lack import Lack, find_lack
from cpfill.problem.result import Status
from cpfill.problem.value import describe_bound, describe_gap, describe_value, format_value
from cpfill.words.wordlist import format_decimal

if TYPE_CHECKING:
    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.problem.value import Value


def verdict(problem: Problem, result: SolveResult, took_s: float, *, all_asked: bool) -> str:
    """Return the answer and its proof in one line."""
    took = f"{took_s:.2f} s"
    if result.engine:  # empty if an interrupt came before the search
        took = f"{result.engine}, {took}"
    proved = say(", proved by {proof}", proof=say(result.proof)) if result.proof else ""
    match result.status:
        case Status.OPTIMAL:
            assert result.value is not None
            value = describe_value(result.measures, result.value)
            return say("optimal: {value}{proved} ({took})", value=value, proved=proved, took=took)
        case Status.ALL_FILLS:
            return say("{fills}, all there are{proved} ({took})", fills=_fills(result.fills), proved=proved, took=took)
        case Status.UNSATISFIABLE | Status.NO_OTHER:
            reason = _reason(problem, result)
            if result.status is Status.NO_OTHER:
                reason = say("without the words to differ from, {reason}", reason=reason)
            said = later("{status}: {reason}{proved} ({took})")
            return say(said, status=result.status, reason=reason, proved=proved, took=took)
        case Status.UNKNOWN:
            return _tell_unknown(result, took)
        case Status.SATISFIED:
            return _tell_fills(problem, result, took, all_asked=all_asked)


def _tell_unknown(result: SolveResult, took: str) -> str:
    """Return the verdict where no fill was found and none excluded."""
    value = "" if result.bound is None else describe_bound(result.measures, result.bound)
    bound = say("; none can have {value}", value=value) if value else ""
    said = later("UNKNOWN: no fill found{stopped}, none excluded{bound} ({took})")
    return say(said, stopped=_tell_stop(result.stop_reason), bound=bound, took=took)


def _tell_fills(problem: Problem, result: SolveResult, took: str, *, all_asked: bool) -> str:
    """Return the verdict where there are fills, and perhaps more or better ones."""
    stopped = _tell_stop(result.stop_reason)
    if result.bound is not None and result.value is not None:
        gap = describe_gap(result.measures, result.value, result.bound)
        return say("best so far: {gap}{stopped} ({took})", gap=gap, stopped=stopped, took=took)
    quality = _describe_quality(problem, result)
    more = ""
    if not quality and (all_asked or stopped):
        more = say("; there may be more")
    return f"{_fills(result.fills)}{quality}{stopped}{more} ({took})"


def _describe_quality(problem: Problem, result: SolveResult) -> str:
    """Return how good a fill is, where a good fill was asked for: its weakest words, and the proof of the best."""
    fill = result.fill
    if not problem.wants_good or fill is None or result.fills != 1:
        return ""
    scored = [(score, word) for word, score in fill.score_entries(problem) if score is not None]
    named = ", ".join(f"{word} {format_decimal(score)}" for score, word in sorted(scored, key=itemgetter(0))[:_WEAKEST])
    least = format_value(fill.value(problem)[-1:])
    weak = say(", weakest {named}", named=named) if named else ""
    said = later(": minimum score {least}{weak}; a better one may exist, --objective min proves the best")
    if problem.rules.either:
        said = later(": minimum score {least}{weak}; a better one may exist")
    return say(said, least=least, weak=weak)


_WEAKEST = 3
"""How many of its weakest words tell how good a fill is."""


STOPPED = {
    StopReason.TIME: later("time is over"),
    StopReason.NODES: later("node limit reached"),
    StopReason.TRIES: later("no other found"),
    StopReason.SOLVER: later("a limit of the solver reached"),
    StopReason.INTERRUPTED: later("interrupted"),
}
"""The reasons to stop that the result does not tell."""


def _tell_stop(reason: StopReason) -> str:
    """Return the end of a sentence: why the search stopped, if the rest of the sentence does not tell it."""
    if reason is StopReason.ALIKE:
        return say("; no other differs enough from all of them, proved")
    return f", {say(STOPPED[reason])}" if reason in STOPPED else ""


def _fills(count: int) -> str:
    return say_count(count, "fill")


def _reason(problem: Problem, result: SolveResult) -> str:
    """Return why there is no fill, naming the slot where one slot shows it."""
    if result.wipeout is None:
        either = ", ".join(problem.rules.either)
        return say("no place for {answers}", answers=either) if either else say("no fill exists")
    slot = problem.slots[result.wipeout]
    name = slot.name
    pattern = problem.grid.pattern(slot)
    match find_lack(problem, slot):
        case Lack.LONG:
            longest = max(problem.lexicon.lengths, default=0)
            why = say("longer than any word ({longest})", longest=longest)
            return say("{name} has {size}, {why}", name=name, size=slot.size, why=why)
        case Lack.LENGTH:
            return say("{name} has {size}, {why}", name=name, size=slot.size, why=say("a length no word has"))
        case Lack.SCORE:
            value = format_value((problem.rules.min_score,))
            return say("{name} has {size}, and no such word scores {value}", name=name, size=slot.size, value=value)
        case Lack.FIT:
            which = say(" it may hold") if (slot.direction, slot.cells[0]) in problem.narrowed else ""
            return say("no word{which} fits {name} ({pattern})", which=which, name=name, pattern=pattern)
        case None:
            return say("no word is left for {name} ({pattern}) with its crossings", name=name, pattern=pattern)


def stats_lines(result: SolveResult, load_s: float) -> str:
    """Return the statistics, one `%%` line each, as solvers print them."""
    values = {"load_s": load_s, **result.stats._asdict(), "fills": result.fills}
    lines = []
    for name, value in values.items():
        told = f"{value:.3f}" if isinstance(value, float) else value
        lines.append(f"%% {name}: {told}\n")
    return "".join(lines)


class Ticker:
    """The progress of a search, in one line of the terminal with its seconds.

    It shows nothing if standard error is not a terminal, or if `quiet`. With `best`, the best fill so far stands below
    the line. Used by `with`, an interrupt ends the block alone and sets `interrupted`; the line is cleared.
    """

    def __init__(self, *, quiet: bool = False, best: bool = False) -> None:
        self._best = best
        self.interrupted = False
        self._start_s = time.monotonic()
        self._status: Any = None
        if on_terminal() and not quiet:
            from rich.console import Console

            self._status = Console(file=sys.stderr).status(say("starting"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self.clear()
        self.interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        return self.interrupted

    def show(self, result: SolveResult, event: Event) -> None:
        """Show the stage of the search, its progress, and the best value with its bound."""
        if self._status is None or not isinstance(event, Progress):
            return
        parts = [f"{result.engine}: {say(event.note)}", f"{time.monotonic() - self._start_s:.0f} s"]
        if event.stats.nodes:
            parts.append(say("{nodes:,} nodes", nodes=event.stats.nodes))
        lines = [", ".join(parts + self._tell_found(result))]
        if self._best and result.fill:
            lines += result.fill.rows
        self.say("\n".join(lines))

    def _tell_found(self, result: SolveResult) -> list[str]:
        """Return how many fills there are, and the best value with its bound."""
        told = []
        if result.fills:
            told.append(_fills(result.fills))
        if result.bound is not None:
            told += _tell_range(result.value or (), result.bound)
        elif self._best and result.value:
            told.append(say("value {value}", value=format_value(result.value)))
        return told

    def say(self, text: str) -> None:
        """Show a text."""
        if self._status is not None:
            from rich.text import Text

            with suppress(OSError):  # the terminal may just have been closed
                self._status.update(Text(text))
                self._status.start()

    def clear(self) -> None:
        """Clear the line; the next sign of life shows it again."""
        if self._status is not None:
            with suppress(OSError):
                self._status.stop()


def _tell_range(value: Value, bound: Value) -> list[str]:
    """Return the best value and its bound, and the gap between them if there is a value."""
    told = [say("value {value} of at most {value2}", value=format_value(value) or "-", value2=format_value(bound))]
    if value:
        gap = tuple(high - low for high, low in zip(bound, value, strict=False))
        told.append(say("gap {value}", value=format_value(gap)))
    return told


def on_terminal() -> bool:
    """Return whether standard error is a terminal a person may look at."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
