"""`cpfill estimate`: how many fills to expect, and after how many steps of backtracking."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpfill.base.ranges import COUNT, RUNS, SEED
from cpfill.base.texts import later, say
from cpfill.cli import options as o
from cpfill.cli.exits import Exit, usage_error, warn
from cpfill.cli.output import emit
from cpfill.cli.problems import read_problems
from cpfill.cli.render import Ticker, on_terminal
from cpfill.cli.tables import table
from cpfill.problem.limits import Limits
from cpfill.problem.result import Status
from cpfill.questions.estimate import (
    is_doubtful,
    log10_by_beliefs,
    log10_fills,
    measure_in_steps,
    square_estimate,
    steps_of,
    why_no_chain,
)
from cpfill.questions.request import Request
from cpfill.questions.sampling import sample_in_steps

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem
    from cpfill.questions.estimate import Measurement
    from cpfill.questions.sampling import Sample

_TIME = "10s"
_RUNS = 5
_NAMES = ("expected", "measured")
_METHODS = ("weave", "scaffold")
_DOUBT = later(", so that a fill is hardly to be expected")


@o.request_options(without={"weighted", "theme", "objective", "levels"})
def estimate(
    grid: o.Grids,
    *,
    request: Request,
    measured: Annotated[
        bool, typer.Option("--measure", help="Also run the engines weave and scaffold, and count their steps.")
    ] = False,
    sampled: Annotated[
        bool, typer.Option("--sample", help="Also draw fills at random, for an interval under all rules.")
    ] = False,
    time_limit: Annotated[
        str | None,
        typer.Option(
            "--time-limit",
            "-t",
            metavar="TIME",
            help=f"With --measure: for each run; --sample: for each grid; {_TIME} by default.",
        ),
    ] = None,
    runs: Annotated[
        int | None, o.number(RUNS, metavar="N", help=f"With --measure: runs of each engine; {_RUNS} by default.")
    ] = None,
    draws: Annotated[int | None, o.number(COUNT, metavar="N", help="With --sample: no more draws than these.")] = None,
    seed: Annotated[int, o.number(SEED, help="Of the draws, and of the first run; then one more.")] = 0,
    as_json: o.Json = False,
) -> int:
    """Estimate the number of fills, and for an empty square the steps of three ways to backtrack.

    Letters are taken to be independent of each other; what is drawn with --sample takes them as they are. Large numbers
    are powers of ten.

    Exit codes: 0 estimated; 130 interrupted, and what was drawn by then counts; 2 bad input.
    """
    time_s = o.parse_time(_TIME if time_limit is None else time_limit)
    for option, given, needed, there in (
        ("--draws", draws, "--sample", sampled),
        ("--runs", runs, "--measure", measured),
        ("--time-limit", time_limit, "--measure or --sample", measured or sampled),
    ):
        if given is not None and not there:
            raise usage_error(
                say("{option} with {needed}", option=option, needed=needed), say("{option} alone", option=option)
            )
    seeds = [SEED.after(seed, run) for run in range(_RUNS if runs is None else runs)]
    sources, _ = read_problems(request, grid)
    ticker, code = Ticker(shown=on_terminal()), Exit.ANSWERED
    for source in sources:
        name, problem = source.name, source.problem
        record = _estimated(name, problem)
        if sampled:
            ticker.say(say("{name}: sample", name=name))
            code = _add_sample(record, problem, Limits(time_s=time_s, seed=seed), draws)
            ticker.clear()
        if not as_json:
            emit(_estimate_text(record))
        if measured and code is Exit.ANSWERED:
            code = _add_measurements(record, problem, time_s, seeds, ticker)
            ticker.clear()
            if not as_json and record["measured"]:
                emit(_measured_text(record["measured"]))
        if as_json:
            emit(json.dumps(record, ensure_ascii=False) + "\n")
        if code is Exit.INTERRUPTED:
            break
    return code


def _add_sample(record: dict[str, Any], problem: Problem, limits: Limits, draws: int | None) -> Exit:
    """Add what was drawn to an estimate, though an interrupt come first, and return the exit code."""
    try:
        for drawn in sample_in_steps(problem, limits=limits, draws=draws):
            record["sampled"] = _sampled(drawn)
    except KeyboardInterrupt:
        warn(say("{grid}: interrupted", grid=record["grid"]))
        return Exit.INTERRUPTED
    return Exit.ANSWERED


def _add_measurements(
    record: dict[str, Any], problem: Problem, time_s: float | None, seeds: list[int], ticker: Ticker
) -> Exit:
    """Add to an estimate what each run of each method took, though an interrupt come first; return the exit code."""
    record["measured"] = {}
    for method in _METHODS:
        ticker.say(f"{record['grid']}: {method}")
        try:
            for measured in measure_in_steps(problem, method, time_s, seeds):
                record["measured"][method] = _measured(measured)
        except KeyboardInterrupt:
            ticker.clear()
            warn(say("{grid}: interrupted", grid=record["grid"]))
            return Exit.INTERRUPTED
    return Exit.ANSWERED


def _estimated(name: str, problem: Problem) -> dict[str, Any]:
    """Return an estimate as JSON has it; null stands for what is not finite."""
    grid, believed = problem.grid, log10_by_beliefs(problem)
    record: dict[str, Any] = {
        "grid": name,
        "height": grid.height,
        "width": grid.width,
        "slots": len(grid.slots),
        "crossings": len(grid.crossings),
        "log10_fills": _finite(log10_fills(problem)),
        "log10_by_beliefs": _finite(believed),
        "doubtful": is_doubtful(problem, believed),
        "square": None,
        "why_no_square": why_no_chain(grid),
    }
    if record["why_no_square"] is None:
        square = square_estimate(problem)
        record["square"] = asdict(square) | {
            "log10_naive": _finite(square.log10_naive),
            "log10_letters": _finite(square.log10_letters),
        }
        for method in _METHODS:
            chain = record["square"][method]
            chain["log10_steps"] = _finite(chain["log10_steps"])
    return record


def _measured(measurement: Measurement) -> dict[str, Any]:
    """Return a measurement as JSON has it."""
    median = measurement.median
    return {
        "settled": measurement.settled,
        "median": {"status": median.status, "steps": steps_of(median), "letters": median.stats.checks},
        "runs": [
            {"status": run.status, "steps": steps_of(run), "letters": run.stats.checks, "search_s": run.stats.search_s}
            for run in measurement.results
        ],
    }


def _sampled(drawn: Sample) -> dict[str, Any]:
    """Return what was drawn as JSON has it."""
    return {
        "draws": drawn.draws,
        "found": drawn.found,
        "effective": drawn.effective,
        "log10_fills": _finite(drawn.log10_fills),
        "log10_low": _finite(drawn.log10_low),
        "log10_high": _finite(drawn.log10_high),
        "refuted": drawn.refuted,
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _estimate_text(record: dict[str, Any]) -> str:
    size = f"{record['height']} x {record['width']}"
    lines = [
        say(
            "{grid}: {size}, {slots} slots, {crossings} crossings",
            grid=record["grid"],
            size=size,
            slots=record["slots"],
            crossings=record["crossings"],
        ),
        say("expected fills: {record}", record=_say_expected(record)),
    ]
    if "sampled" in record:
        lines.append(say("sampled fills: {value}", value=_say_sampled(record["sampled"])))
    square = record["square"]
    if square is None:
        return (
            "\n".join([*lines, say("no estimate of steps: {why_no_square}", why_no_square=record["why_no_square"])])
            + "\n"
        )
    weave, scaffold = square["weave"], square["scaffold"]
    agree = say("two of their letters agree with probability {coincidence:.4f}", coincidence=square["coincidence"])
    lines.append(
        say("words of {size} letters: {words}; {agree}", size=square["size"], words=square["words"], agree=agree)
    )
    methods = [
        ["naive", _power(square["log10_naive"]), ""],
        ["weave", _power(weave["log10_steps"]), ""],
        ["scaffold", _power(scaffold["log10_steps"]), _power(square["log10_letters"])],
    ]
    chances = []
    for index, chance in enumerate(weave["success"]):
        row = scaffold["success"][index : index + 1]
        chances.append([str(index + 1), _chance(chance), *(map(_chance, row) if row else [""])])
    steps = table(("expected", "steps", "letters tried"), methods, left=_NAMES)
    return "\n".join(lines) + f"\n{steps}\n" + table(("word", "chance, weave", "chance, scaffold"), chances)


def _say_expected(record: dict[str, Any]) -> str:
    if record["log10_fills"] is None:
        return say("none")
    believed = _power(record["log10_by_beliefs"], otherwise=say("none"))
    return say(
        "{value}; {believed} by belief propagation{doubt}",
        value=_power(record["log10_fills"]),
        believed=believed,
        doubt=say(_DOUBT) * record["doubtful"],
    )


def _say_sampled(sampled: dict[str, Any]) -> str:
    if sampled["refuted"]:
        return say("none, which is proved")
    draws = say("{found} of {draws} draws came to a fill", found=sampled["found"], draws=sampled["draws"])
    if not sampled["found"]:
        return say("not known; {draws}", draws=draws)
    low, high = sampled["log10_low"], sampled["log10_high"]
    interval = (
        say("at least 10^{low:.2f}, at most not known", low=low)
        if high is None
        else say("10^{low:.2f} to 10^{high:.2f}", low=low, high=high)
    )
    return f"10^{sampled['log10_fills']:.2f}; 95 %: {interval}; {draws}"


def _measured_text(measured: dict[str, dict[str, Any]]) -> str:
    rows = []
    for method, found in measured.items():
        median, steps = found["median"], [run["steps"] for run in found["runs"]]
        over = say("over ") if median["status"] == Status.UNKNOWN else ""
        counts = [
            over + _counted(median["steps"]),
            over + _counted(median["letters"]),
            str(min(steps)),
            str(max(steps)),
        ]
        rows.append([method, *counts, say("{settled} of {steps}", settled=found["settled"], steps=len(steps))])
    return "\n" + table(("measured", "median steps", "letters tried", "steps from", "to", "answers"), rows, left=_NAMES)


def _power(log10: float | None, otherwise: str = "without end") -> str:
    return otherwise if log10 is None else f"10^{log10:.1f}"


def _counted(number: int) -> str:
    return f"10^{math.log10(number):.1f} ({number})" if number else "0"


def _chance(chance: float) -> str:
    return f"{chance:.3f}" if chance >= 0.0005 else f"{chance:.0e}"
