"""`cpfill count`, the exact number of fills, and `cpfill estimate`, the number of fills and of steps to expect."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from cpfill.base.texts import later, say
from cpfill.cli import options as o
from cpfill.cli.asking import ask, print_record
from cpfill.cli.output import emit
from cpfill.cli.problems import NamedProblem, each, make_prover, one_grid, read_problems
from cpfill.cli.render import Ticker, verdict
from cpfill.cli.tables import table
from cpfill.cli.verbs import Exit, exit_of, usage_error, warn
from cpfill.problem.result import Status
from cpfill.questions.count import Count, CountedFills, CountedSoFar
from cpfill.questions.estimate import Estimate, Estimated
from cpfill.questions.question import Done

if TYPE_CHECKING:
    from cpfill.cli.proofs import Prover


@o.with_engine_options("resume", "scheduler")
@o.asks(Count, without={"seed", "weighted", "theme", *o.GOAL})
def count(
    grid: o.Grids,
    *,
    question: Count,
    engine_options: o.EngineOptions,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
    proof: o.Proof = None,
) -> int:
    """Count the fills of grids, each once, without keeping them.

    Exit codes: 0 the number is exact; 20 there is no fill; 124 a limit came first, and there may be more; 130
    interrupted; 2 bad input.
    """
    question = replace(question, options=engine_options)
    if proof is not None:
        from cpfill.cli.proofs import to_prove

        question = to_prove(question)
    question.make_engine()
    sources, _ = read_problems(question.request, grid)
    one_grid(sources, resume=engine_options.get("resume"), proof=proof)

    def count_one(source: NamedProblem) -> Exit:
        prover = make_prover(proof, source, question.seed, every=True)
        return _count_one(source, question, prover, as_json=as_json, quiet=quiet)

    return each(sources, count_one)


def _count_one(source: NamedProblem, question: Count, prover: Prover | None, *, as_json: bool, quiet: bool) -> Exit:
    """Print the number of fills of a grid, and return the exit code."""
    start_s = time.perf_counter()
    ticker = Ticker(quiet=quiet)
    if prover:
        question = replace(question, on_fill=prover.take)

    def take(part: CountedSoFar | CountedFills) -> None:
        if as_json:
            print_record(part, source.name)
        if isinstance(part, CountedSoFar):
            ticker.show(part.result, part.event)

    last: CountedFills = ask(*source.pose(question), take)
    ticker.clear()
    result = last.result
    if not as_json:
        name = f"{source.name}: " if source.several else ""
        emit(f"{name}{result.fills}\n")
    if not quiet:
        source.tell(verdict(source.problem, result, time.perf_counter() - start_s, all_asked=True))
    if prover and not prover.prove(result, interrupted=last.interrupted):
        return Exit.INTERRUPTED
    return exit_of(result, all_asked=True)


_NAMES = ("expected", "measured")


@o.asks(Estimate, without={"weighted", "theme", *o.GOAL})
def estimate(grid: o.Grids, *, question: Estimate, as_json: o.Json = False) -> int:
    """Estimate the number of fills, and for an empty square the steps of three ways to backtrack.

    Letters are assumed to be independent of each other; draws with --sample do not assume this. Large numbers are
    powers of ten.

    Exit codes: 0 estimated; 130 interrupted, estimated from the draws so far; 2 bad input.
    """
    if question.time_limit is not None and not (question.measure or question.sample):
        raise usage_error(
            say("{option} with {needed}", option="--time-limit", needed=say("--measure or --sample")),
            say("{option} alone", option="--time-limit"),
        )
    sources, _ = read_problems(question.request, grid)
    return each(sources, lambda source: _estimate_one(source, question, as_json=as_json))


def _estimate_one(source: NamedProblem, question: Estimate, *, as_json: bool) -> Exit:
    """Print the estimate, even after an interrupt."""
    record: dict[str, Any] = {}
    shown = False
    ticker = Ticker()

    def take(part: Estimated | Done) -> None:
        nonlocal record, shown
        if as_json:
            print_record(part, source.name)
        if isinstance(part, Done):
            return
        record = {"grid": source.name, **part.record}
        if "measured" not in record:
            ticker.say(say("{name}: sample", name=source.name))
            return
        if not (shown or as_json):
            ticker.clear()
            emit(_estimate_text(record))
            shown = True
        ticker.say(_tell_method(record))

    end: Done = ask(*source.pose(question), take)
    ticker.clear()
    if record and not as_json:
        measured = record["measured"] if shown else None
        emit(_measured_text(measured) if measured else _estimate_text(record))
    if not end.interrupted:
        return Exit.ANSWERED
    warn(say("{grid}: interrupted", grid=source.name))
    return Exit.INTERRUPTED


def _tell_method(record: dict[str, Any]) -> str:
    return f"{record['grid']}: {[*record['measured'], ''][0]}"


def _estimate_text(record: dict[str, Any]) -> str:
    lines = [
        say("{grid}: {height} x {width}, {slots} slots, {crossings} crossings", **record),
        say("expected fills: {record}", record=_say_expected(record)),
    ]
    if "sampled" in record:
        lines.append(say("sampled fills: {value}", value=_say_sampled(record["sampled"])))
    square = record["square"]
    if square is None:
        lines.append(say("no estimate of steps: {why_no_square}", **record))
        return "\n".join([*lines, ""])
    agree = say("two of their letters agree with probability {coincidence:.4f}", **square)
    lines.append(say("words of {size} letters: {words}; {agree}", **square, agree=agree))
    lines.append(say("{grids} ways to choose a word for each row", grids=_power(square["log10_grids"], "0")))
    return "\n".join(lines) + f"\n{_steps_table(square)}\n{_chances_table(square)}"


def _steps_table(square: dict[str, Any]) -> str:
    """Return the steps to expect of each way to backtrack, and how long they take."""
    weave = square["weave"]["log10_steps"]
    scaffold = square["scaffold"]["log10_steps"]
    methods = [
        [say("naive"), _power(square["log10_naive"]), "", tell_duration(square["log10_naive"])],
        [say("weave"), _power(weave), "", tell_duration(weave)],
        [say("scaffold"), _power(scaffold), _power(square["log10_letters"]), tell_duration(square["log10_letters"])],
    ]
    return table(("expected", "steps", "letters tried", "at 10^6 a second"), methods, left=_NAMES)


_UNITS = {later("years"): 365.25 * 86400, later("days"): 86400.0, "h": 3600.0, "min": 60.0, "s": 1.0, "ms": 0.001}
"""The units of times, in seconds."""
_LONG = 6
"""Years are a power of ten from this power on."""


def tell_duration(log10_tries: float | None) -> str:
    """Return how long some tries take at a million a second."""
    if log10_tries is None:
        return ""
    log10_years = log10_tries - 6 - math.log10(_UNITS["years"])
    if log10_years >= _LONG:
        return say("10^{log10_years:.1f} years", log10_years=log10_years)
    seconds = 10 ** (log10_tries - 6)
    unit = next((unit for unit, size in _UNITS.items() if seconds >= size), "ms")
    number = float(f"{seconds / _UNITS[unit]:.2g}")
    return f"{number:,g} {say(unit)}"


def _chances_table(square: dict[str, Any]) -> str:
    """Return the chance of each word to be found; scaffold has at most as many as weave."""
    weave = [_chance(chance) for chance in square["weave"]["success"]]
    scaffold = [_chance(chance) for chance in square["scaffold"]["success"]]
    pairs = zip_longest(weave, scaffold[: len(weave)], fillvalue="")
    rows = [[str(number), *pair] for number, pair in enumerate(pairs, 1)]
    return table(("word", "chance, weave", "chance, scaffold"), rows)


def _say_expected(record: dict[str, Any]) -> str:
    if record["log10_fills"] is None:
        return say("none")
    value = _power(record["log10_fills"])
    believed = _power(record["log10_by_beliefs"], otherwise=say("none"))
    doubt = say(", so that a fill is hardly to be expected") if record["doubtful"] else ""
    return say("{value}; {believed} by belief propagation{doubt}", value=value, believed=believed, doubt=doubt)


def _say_sampled(sampled: dict[str, Any]) -> str:
    if sampled["refuted"]:
        return say("none, which is proved")
    draws = say("{found} of {draws} draws came to a fill", **sampled)
    if not sampled["found"]:
        return say("not known; {draws}", draws=draws)
    if sampled["log10_high"] is None:
        interval = say("at least 10^{log10_low:.2f}, at most not known", **sampled)
    else:
        interval = say("10^{log10_low:.2f} to 10^{log10_high:.2f}", **sampled)
    return f"10^{sampled['log10_fills']:.2f}; 95 %: {interval}; {draws}"


def _measured_text(measured: dict[str, dict[str, Any]]) -> str:
    rows = []
    for method, found in measured.items():
        median = found["median"]
        steps = [run["steps"] for run in found["runs"]]
        over = say("over ") if median["status"] == Status.UNKNOWN else ""
        counts = [over + _counted(median[key]) for key in ("steps", "letters")]
        answers = say("{settled} of {steps}", settled=found["settled"], steps=len(steps))
        rows.append([say(method), *counts, str(min(steps)), str(max(steps)), answers])
    return "\n" + table(("measured", "median steps", "letters tried", "steps from", "to", "answers"), rows, left=_NAMES)


def _power(log10: float | None, otherwise: str = "") -> str:
    if log10 is None:
        return otherwise or say("without end")
    return f"10^{log10:.1f}"


def _counted(number: int) -> str:
    if not number:
        return "0"
    return f"10^{math.log10(number):.1f} ({number})"


def _chance(chance: float) -> str:
    if chance < 0.0005:
        return f"{chance:.0e}"
    return f"{chance:.3f}"
