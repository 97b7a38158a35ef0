"""`cpfill count`, the exact number of fills, and `cpfill estimate`, the number of fills and of steps to expect."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

from cpfill.base.texts import say
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


@o.with_engine_options("resume", "scheduler")
@o.asks(Count, without={"seed", "weighted", "theme", "objective", "levels"})
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
        from cpfill.cli.proofs import to_prove  # noqa: PLC0415 - seldom asked for

        question = to_prove(question)
    question.make_engine()
    sources, _ = read_problems(question.request, grid)
    one_grid(sources, resume=engine_options.get("resume"), proof=proof)

    def count_one(source: NamedProblem) -> Exit:
        prover = make_prover(proof, source, question.seed, every=True)
        start_s = time.perf_counter()
        ticker = Ticker(quiet=quiet)
        noting = replace(question, on_fill=prover.take if prover else None)
        last: CountedFills | None = None

        def take(part: CountedSoFar | CountedFills) -> None:
            nonlocal last
            if as_json:
                print_record(part, source.name)
            if isinstance(part, CountedFills):
                last = part
            else:
                ticker.show(part.result, part.event)

        ask(*source.pose(noting), take)
        ticker.clear()
        assert last is not None
        result = last.result
        if not as_json:
            emit(f"{source.name}: {result.fills}\n" if source.several else f"{result.fills}\n")
        if not quiet:
            source.tell(verdict(source.problem, result, time.perf_counter() - start_s, all_asked=True))
        if prover and not prover.prove(result, interrupted=last.interrupted):
            return Exit.INTERRUPTED
        return exit_of(result, all_asked=True)

    return each(sources, count_one)


_NAMES = ("expected", "measured")


@o.asks(Estimate, without={"weighted", "theme", "objective", "levels"})
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
    shown = interrupted = False
    ticker = Ticker()

    def take(part: Estimated | Done) -> None:
        nonlocal record, shown, interrupted
        if as_json:
            print_record(part, source.name)
        if isinstance(part, Done):
            interrupted = part.interrupted
            return
        record = {"grid": source.name, **part.record}
        if "measured" in record and not (shown or as_json):
            ticker.clear()
            emit(_estimate_text(record))
            shown = True
        ticker.say(say("{name}: sample", name=source.name) if "measured" not in record else _tell_method(record))

    ask(*source.pose(question), take)
    ticker.clear()
    if record and not as_json:
        emit(_measured_text(record["measured"]) if shown and record["measured"] else _estimate_text(record))
    if not interrupted:
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
        return "\n".join([*lines, say("no estimate of steps: {why_no_square}", **record), ""])
    weave, scaffold = square["weave"], square["scaffold"]
    agree = say("two of their letters agree with probability {coincidence:.4f}", **square)
    lines.append(say("words of {size} letters: {words}; {agree}", **square, agree=agree))
    methods = [
        [say("naive"), _power(square["log10_naive"]), ""],
        [say("weave"), _power(weave["log10_steps"]), ""],
        [say("scaffold"), _power(scaffold["log10_steps"]), _power(square["log10_letters"])],
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
    value, believed = _power(record["log10_fills"]), _power(record["log10_by_beliefs"], otherwise=say("none"))
    doubt = say(", so that a fill is hardly to be expected") * record["doubtful"]
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
        median, steps = found["median"], [run["steps"] for run in found["runs"]]
        over = say("over ") if median["status"] == Status.UNKNOWN else ""
        counts = [over + _counted(median[key]) for key in ("steps", "letters")]
        answers = say("{settled} of {steps}", settled=found["settled"], steps=len(steps))
        rows.append([say(method), *counts, str(min(steps)), str(max(steps)), answers])
    return "\n" + table(("measured", "median steps", "letters tried", "steps from", "to", "answers"), rows, left=_NAMES)


def _power(log10: float | None, otherwise: str = "") -> str:
    return otherwise or say("without end") if log10 is None else f"10^{log10:.1f}"


def _counted(number: int) -> str:
    return f"10^{math.log10(number):.1f} ({number})" if number else "0"


def _chance(chance: float) -> str:
    return f"{chance:.3f}" if chance >= 0.0005 else f"{chance:.0e}"
